/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* One contact with friction, G = [G_NN, G_NT; G_NT, G_TT], under every free velocity c. Left, pressed with
 * c_N = −1 and pushed with more or less c_T: friction holds it until its limit is reached. Right, the plane
 * of c: each mode answers a sector of it, whose edges are −G (1, ±μ) and the line c_N = 0. */
#include <math.h>
#include <nsdyn/nsdyn.h>

#include "common/options.h"
#include "common/plot.h"

#define MINUS "\xe2\x88\x92"
#define XI "\xce\xbe"
#define LAMBDA "\xce\x9b"
enum { MODES = 4, MOST_POINTS = 4001 };

static const char *const mode_names[MODES] = {"open", "stick", "slip +", "slip \xe2\x88\x92"};

typedef struct contact {
  nsdyn_contact *solver;
  nsdyn_contact_law law;
  double G[4]; /* 1/kg */
} contact;

typedef struct answer {
  double Lambda[2], xi[2];
  int mode; /* −1: none */
} answer;

static answer solve(const contact *it, double c_N, double c_T)
{
  const double c[2] = {c_N, c_T};
  nsdyn_contact_problem problem;
  nsdyn_contact_problem_init(&problem, sizeof problem);
  problem.contacts = 1;
  problem.laws = &it->law;
  problem.G = it->G;
  problem.ldg = 2;
  problem.c = c;
  answer a = {.mode = -1};
  if (nsdyn_contact_solve(it->solver, &problem, a.Lambda, a.xi) == NSDYN_OK) {
    a.mode = nsdyn_contact_modes(it->solver, NULL)[0];
  }
  return a;
}

/* What is computed: the push in `t`, the turn in `c`. */
typedef struct curves {
  int count;
  double push[MOST_POINTS], Lambda_T[MOST_POINTS], xi_T[MOST_POINTS];
  double x[MODES][MOST_POINTS], y[MODES][MOST_POINTS];
  int turns[MODES]; /* directions of c that a mode answers */
  double width;
} curves;

/* Non-zero where there is no answer. */
static int push(const contact *it, curves *f)
{
  for (int k = 0; k < f->count; k++) {
    f->push[k] = f->width * (2.0 * k - (f->count - 1)) / (f->count - 1);
    const answer a = solve(it, -1.0, f->push[k]);
    if (a.mode < 0) {
      return 1;
    }
    f->Lambda_T[k] = a.Lambda[1];
    f->xi_T[k] = a.xi[1];
  }
  return 0;
}

/* c once around the unit circle, from straight away to straight away. */
static int turn(const contact *it, curves *f)
{
  for (int k = 0; k < f->count; k++) {
    const double angle = 6.283185307179586 * (k + 0.5) / f->count;
    const double c_T = sin(angle);
    const double c_N = cos(angle);
    const answer a = solve(it, c_N, c_T);
    if (a.mode < 0) {
      return 1;
    }
    for (int m = 0; m < MODES; m++) {
      f->x[m][k] = m == a.mode ? c_T : NAN;
      f->y[m][k] = m == a.mode ? c_N : NAN;
    }
    f->turns[a.mode]++;
  }
  return 0;
}

/* Where on c_N = −1 sticking ends on the side of `sign`: by halving, from the solver's modes alone. */
static double end_of_sticking(const contact *it, double sign)
{
  double sticks = it->G[1] / it->G[0] * -1.0; /* no friction at all is needed here */
  double slips = sticks + sign * 1e9;
  if (solve(it, -1.0, slips).mode == NSDYN_MODE_STICK) {
    return sign * INFINITY;
  }
  for (int k = 0; k < 200; k++) {
    const double middle = 0.5 * (sticks + slips);
    *(solve(it, -1.0, middle).mode == NSDYN_MODE_STICK ? &sticks : &slips) = middle;
  }
  return sticks;
}

static void draw_push(plot_figure *figure, const curves *f)
{
  plot_set_axes(figure, 0, 0,
                &(plot_axes){.title = "pressed with c_N = " MINUS "1, and pushed",
                             .x = {.name = "c_T", .unit = "m/s"},
                             .y = {.name = LAMBDA "_T, " XI "_T", .unit = "N s, m/s"},
                             .zero_lines = 1});
  plot_add(figure, 0, 0,
           &(plot_curve){.label = LAMBDA "_T", .count = f->count, .x = f->push, .y = f->Lambda_T});
  plot_add(figure, 0, 0, &(plot_curve){.label = XI "_T", .count = f->count, .x = f->push, .y = f->xi_T});
}

static void draw_edge(plot_figure *figure, double c_N, double c_T)
{
  const double length = 1.25 / hypot(c_N, c_T);
  const double x[2] = {0.0, length * c_T};
  const double y[2] = {0.0, length * c_N};
  plot_add(figure, 0, 1,
           &(plot_curve){.count = 2, .x = x, .y = y, .color = PLOT_GRAY, .dash = PLOT_SOLID, .width = 1.2});
}

static void draw_turn(plot_figure *figure, const contact *it, const curves *f)
{
  static const int colors[MODES] = {PLOT_SKY, PLOT_BLACK, PLOT_VERMILION, PLOT_BLUE};
  const double mu = it->law.mu;
  plot_set_axes(figure, 0, 1,
                &(plot_axes){.title = "which mode answers which c",
                             .x = {.name = "c_T", .unit = "m/s", .low = -1.3, .high = 1.3},
                             .y = {.name = "c_N", .unit = "m/s", .low = -1.3, .high = 1.3},
                             .equal = 1});
  draw_edge(figure, 0.0, 1.0);
  draw_edge(figure, 0.0, -1.0);
  draw_edge(figure, -(it->G[0] + mu * it->G[1]), -(it->G[1] + mu * it->G[3]));
  draw_edge(figure, -(it->G[0] - mu * it->G[1]), -(it->G[1] - mu * it->G[3]));
  for (int m = 0; m < MODES; m++) {
    if (f->turns[m] > 0) {
      plot_add(figure, 0, 1,
               &(plot_curve){.label = mode_names[m],
                             .count = f->count,
                             .x = f->x[m],
                             .y = f->y[m],
                             .color = colors[m],
                             .dash = PLOT_SOLID,
                             .width = 3.0});
    }
  }
}

static void report(const output *out, const contact *it, const curves *f)
{
  csv_columns(out, "c_T,Lambda_T,xi_T");
  for (int k = 0; k < f->count; k++) {
    csv_row(out, 3, (const double[3]){f->push[k], f->Lambda_T[k], f->xi_T[k]});
  }
  result(out, "stick_from", end_of_sticking(it, -1.0), "m/s");
  result(out, "stick_to", end_of_sticking(it, 1.0), "m/s");
  static const char *const names[MODES] = {"share_open", "share_stick", "share_slip_plus",
                                           "share_slip_minus"};
  for (int m = 0; m < MODES; m++) {
    result(out, names[m], (double)f->turns[m] / f->count, "1");
  }
}

static int run(const output *out, contact *it, curves *f)
{
  if (push(it, f) || turn(it, f)) {
    return complain(out, STATUS_FAILED, "%s", nsdyn_contact_message(it->solver));
  }
  report(out, it, f);
  plot_figure *figure = plot_new(1, 2);
  plot_set_panel_size(figure, 440.0, 400.0);
  plot_set_description(figure,
                       "Left: friction impulse and sliding velocity of a pressed contact against the push; "
                       "between two values of the push it sticks. Right: the plane of free velocities, "
                       "divided into the sectors in which the contact opens, sticks or slips.");
  draw_push(figure, f);
  draw_turn(figure, it, f);
  plot_write(figure, out->svg);
  plot_free(figure);
  return 0;
}

int main(int argc, char **argv)
{
  double mu = 0.6, G_NN = 1.0, G_NT = 0.4, G_TT = 2.0;
  static curves f = {.count = 721, .width = 3.0};
  const option table[] = {
      {.name = "mu", .unit = "1", .help = "friction coefficient", .number = &mu, .low = 0.0, .high = 100.0},
      {.name = "G-NN",
       .unit = "1/kg",
       .help = "normal compliance",
       .number = &G_NN,
       .low = 0.0,
       .high = 1e6,
       .open = 1},
      {.name = "G-NT", .unit = "1/kg", .help = "coupling", .number = &G_NT, .low = -1e6, .high = 1e6},
      {.name = "G-TT",
       .unit = "1/kg",
       .help = "tangential compliance",
       .number = &G_TT,
       .low = 0.0,
       .high = 1e6,
       .open = 1},
      {.name = "width",
       .unit = "m/s",
       .help = "largest push",
       .number = &f.width,
       .low = 0.0,
       .high = 1e6,
       .open = 1},
      {.name = "points",
       .help = "pushes, and directions of c",
       .count = &f.count,
       .low = 2,
       .high = MOST_POINTS},
  };
  output out;
  const int status = options_read(&out, argc, argv, "One contact with friction under every free velocity.",
                                  table, (int)(sizeof table / sizeof *table));
  if (status != OPTIONS_GO) {
    return status;
  }
  if (!(G_NT * G_NT < G_NN * G_TT)) {
    return output_close(
        &out, complain(&out, STATUS_BAD_OPTION, "--G-NT: its square must be below G-NN times G-TT"));
  }
  contact it = {.G = {G_NN, G_NT, G_NT, G_TT}};
  nsdyn_contact_law_init(&it.law, sizeof it.law);
  it.law.mu = mu;
  if (nsdyn_contact_new(NULL, NULL, &it.solver, NULL) != NSDYN_OK) {
    return output_close(&out, complain(&out, STATUS_FAILED, "out of memory"));
  }
  const int failed = run(&out, &it, &f);
  nsdyn_contact_free(it.solver);
  return output_close(&out, failed);
}
