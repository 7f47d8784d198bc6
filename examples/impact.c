/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* One contact hits a rough floor with normal velocity −1 and every sliding velocity from −width to width,
 * under Newton's law and under Poisson's. Left, a ball (G_NT = 0): what becomes of the slide. Right, a body
 * whose impulse makes its contact point slide (G_NT > 0, a leaning rod): what becomes of the energy. */
#include <math.h>
#include <nsdyn/nsdyn.h>

#include "common/options.h"
#include "common/plot.h"

#define MINUS "\xe2\x88\x92"
enum { LAWS = 4, MOST_POINTS = 2001 };

/* The impact laws that are compared. */
typedef struct variant {
  const char *label;
  int32_t law;
  double eps_t, reversal; /* eps_t < 0: the same as eps_n */
} variant;

static const variant variants[LAWS] = {
    {"Newton, \xce\xb5_T = 0", NSDYN_IMPACT_NEWTON, 0.0, 0.0},
    {"Newton, \xce\xb5_T = \xce\xb5_N", NSDYN_IMPACT_NEWTON, -1.0, 0.0},
    {"Poisson, \xce\xbd = 0", NSDYN_IMPACT_POISSON, 0.0, 0.0},
    {"Poisson, \xce\xbd = 1, \xce\xb5_T = \xc2\xbd", NSDYN_IMPACT_POISSON, 0.5, 1.0},
};

typedef struct setting {
  double mu, eps_n;
  double G[4]; /* 1/kg */
} setting;

typedef struct outcome {
  double gamma[2];
  double energy; /* change over the least kinetic energy that has these velocities before */
} outcome;

/* ½ γᵀ G⁻¹ γ */
static double least_energy(const double *G, double N, double T)
{
  return 0.5 * (G[3] * N * N - 2.0 * G[1] * N * T + G[0] * T * T) / (G[0] * G[3] - G[1] * G[1]);
}

/* Non-zero where there is no answer. */
static int strike(nsdyn_contact *solver, const setting *it, const variant *v, double slide, outcome *out)
{
  const double before[2] = {-1.0, slide};
  nsdyn_contact_law law;
  nsdyn_contact_law_init(&law, sizeof law);
  law.mu = it->mu;
  law.eps_n = it->eps_n;
  law.eps_t = v->eps_t < 0.0 ? it->eps_n : v->eps_t;
  law.reversal = v->reversal;
  nsdyn_contact_problem problem;
  nsdyn_contact_problem_init(&problem, sizeof problem);
  problem.contacts = 1;
  problem.laws = &law;
  problem.G = it->G;
  problem.ldg = 2;
  problem.c = before;
  double Lambda[2];
  if (nsdyn_contact_impact(solver, v->law, &problem, Lambda, out->gamma) != NSDYN_OK) {
    return 1;
  }
  nsdyn_impact_report result;
  nsdyn_impact_report_init(&result, sizeof result);
  nsdyn_contact_impact_report(solver, &result);
  out->energy = result.energy / least_energy(it->G, before[0], before[1]);
  return 0;
}

/* All slides, all variants: the ball's in y[0], the rod's in y[1]. */
typedef struct curves {
  int count;
  double x[MOST_POINTS];
  double y[2][LAWS][MOST_POINTS];
} curves;

static int compute(nsdyn_contact *solver, const setting *ball, const setting *rod, double width, curves *c)
{
  for (int k = 0; k < c->count; k++) {
    c->x[k] = width * (2.0 * k / (c->count - 1) - 1.0);
    for (int i = 0; i < LAWS; i++) {
      outcome of_ball, of_rod;
      if (strike(solver, ball, &variants[i], c->x[k], &of_ball) ||
          strike(solver, rod, &variants[i], c->x[k], &of_rod)) {
        return 1;
      }
      c->y[0][i][k] = of_ball.gamma[1];
      c->y[1][i][k] = of_rod.energy;
    }
  }
  return 0;
}

static void draw(plot_figure *figure, const curves *c)
{
  plot_set_panel_size(figure, 460.0, 360.0);
  plot_set_description(figure,
                       "Left: tangential velocity of a ball's contact point after an impact against the one "
                       "before it, under four laws. Right: relative change of kinetic energy of a leaning "
                       "rod; only Newton's law with friction and unequal restitution rises above zero.");
  plot_set_axes(figure, 0, 0,
                &(plot_axes){.title = "a ball: the slide",
                             .x = {.name = "\xce\xb3_T before", .unit = "m/s"},
                             .y = {.name = "\xce\xb3_T after", .unit = "m/s"},
                             .zero_lines = 1});
  plot_set_axes(figure, 0, 1,
                &(plot_axes){.title = "a leaning rod: the energy",
                             .x = {.name = "\xce\xb3_T before", .unit = "m/s"},
                             .y = {.name = "change of energy", .unit = "1"},
                             .zero_lines = 1});
  for (int panel = 0; panel < 2; panel++) {
    for (int i = 0; i < LAWS; i++) {
      plot_add(figure, 0, panel,
               &(plot_curve){.label = variants[i].label, .count = c->count, .x = c->x, .y = c->y[panel][i]});
    }
  }
}

static void report(const output *out, const curves *c)
{
  static const char *const names[LAWS] = {"newton_eps_t_0", "newton_one_eps", "poisson_nu_0", "poisson_nu_1"};
  csv_columns(out, "slide,ball_newton_eps_t_0,ball_newton_one_eps,ball_poisson_nu_0,ball_poisson_nu_1,"
                   "rod_newton_eps_t_0,rod_newton_one_eps,rod_poisson_nu_0,rod_poisson_nu_1");
  for (int k = 0; k < c->count; k++) {
    double row[1 + 2 * LAWS] = {c->x[k]};
    for (int i = 0; i < LAWS; i++) {
      row[1 + i] = c->y[0][i][k];
      row[1 + LAWS + i] = c->y[1][i][k];
    }
    csv_row(out, 1 + 2 * LAWS, row);
  }
  for (int i = 0; i < LAWS; i++) {
    double most = -INFINITY;
    for (int k = 0; k < c->count; k++) {
      most = fmax(most, c->y[1][i][k]);
    }
    char name[64];
    snprintf(name, sizeof name, "largest_gain_%s", names[i]);
    result(out, name, most > 1e-12 ? most : 0.0, "1");
  }
}

int main(int argc, char **argv)
{
  double mu = 0.25, eps_n = 0.9, lean = 1.0, width = 2.5;
  static curves c;
  c.count = 301;
  const option table[] = {
      {.name = "mu", .unit = "1", .help = "friction coefficient", .number = &mu, .low = 0.0, .high = 100.0},
      {.name = "eps-n", .unit = "1", .help = "normal restitution", .number = &eps_n, .low = 0.0, .high = 1.0},
      {.name = "lean",
       .unit = "1/kg",
       .help = "G_NT of the rod, whose G_NN and G_TT are 2",
       .number = &lean,
       .low = -1.9,
       .high = 1.9},
      {.name = "width",
       .unit = "m/s",
       .help = "largest sliding velocity",
       .number = &width,
       .low = 0.0,
       .high = 1e6,
       .open = 1},
      {.name = "points", .help = "sliding velocities", .count = &c.count, .low = 2, .high = MOST_POINTS},
  };
  output out;
  const int status = options_read(&out, argc, argv, "One contact's impact under Newton's and Poisson's law.",
                                  table, (int)(sizeof table / sizeof *table));
  if (status != OPTIONS_GO) {
    return status;
  }
  const setting ball = {.mu = mu, .eps_n = eps_n, .G = {1.0, 0.0, 0.0, 3.5}};
  const setting rod = {.mu = mu, .eps_n = eps_n, .G = {2.0, lean, lean, 2.0}};
  nsdyn_contact *solver;
  if (nsdyn_contact_new(NULL, NULL, &solver, NULL) != NSDYN_OK) {
    return output_close(&out, complain(&out, STATUS_FAILED, "out of memory"));
  }
  if (compute(solver, &ball, &rod, width, &c)) {
    const int failed = complain(&out, STATUS_FAILED, "%s", nsdyn_contact_message(solver));
    nsdyn_contact_free(solver);
    return output_close(&out, failed);
  }
  nsdyn_contact_free(solver);
  report(&out, &c);
  plot_figure *figure = plot_new(1, 2);
  draw(figure, &c);
  plot_write(figure, out.svg);
  plot_free(figure);
  return output_close(&out, 0);
}
