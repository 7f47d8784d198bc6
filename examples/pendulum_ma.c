/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The pendulum of Ma et al.: a uniform rod of 1 kg whose lower tip rests or slides on a rough floor, with
 * forces F_x and F_y at its centre. What accelerations and forces does Coulomb's law allow, and what does the
 * LCP add to them? A map tells how many solutions there are, over the angle and the coefficient of friction.
 */
#include <math.h>
#include <nsdyn/nsdyn.h>

#include "common/options.h"
#include "common/plot.h"

#define HALF_PI 1.5707963267948966
#define THETA "\xce\xb8"
#define MU "\xce\xbc"
enum { UNKNOWNS = 3, MOST_CELLS = 200, ANGLES = 241, PANELS = 3, BORDERS = 6, BISECTIONS = 40, DOTS = 10 };

typedef struct rod {
  double theta; /* rad, to the floor */
  double mu;
  double F_x, F_y;
  int32_t sliding; /* of the tip: 1 to the right, −1 to the left, 0: it rests */
} rod;

/* The contact problem of a rod on acceleration level. */
typedef struct task {
  double G[4], c[2], slip;
  nsdyn_contact_law law;
  nsdyn_contact_problem problem;
} task;

/* Ma et al., eq. 1, solved for the accelerations of the tip. */
static void state_problem(const rod *r, task *t)
{
  const double sine = sin(r->theta), cosine = cos(r->theta);
  t->G[0] = 1.0 + 3.0 * cosine * cosine;
  t->G[1] = t->G[2] = -3.0 * sine * cosine;
  t->G[3] = 1.0 + 3.0 * sine * sine;
  t->c[0] = r->F_y;
  t->c[1] = r->F_x;
  t->slip = r->sliding;
  nsdyn_contact_law_init(&t->law, sizeof t->law);
  t->law.mu = r->mu;
  nsdyn_contact_problem_init(&t->problem, sizeof t->problem);
  t->problem.contacts = 1;
  t->problem.laws = &t->law;
  t->problem.G = t->G;
  t->problem.ldg = 2;
  t->problem.c = t->c;
  t->problem.slip = &t->slip;
}

/* ---- the solutions of one rod ---------------------------------------------------------------------------
 */

typedef struct listing {
  const output *out;
  int pieces;
} listing;

/* One line `FORM_PIECE_PART_NAME value unit`, such as lcp_1_ray_xi_R. */
static void print_part(const listing *all, const char *form, const char *part, const char *name, double value,
                       const char *unit)
{
  char line[64];
  snprintf(line, sizeof line, "%s_%d_%s%s", form, all->pieces, part, name);
  result(all->out, line, value, unit);
}

static int print_lcp_piece(void *user, const nsdyn_lcp_piece *piece)
{
  static const char *const names[UNKNOWNS] = {"Lambda_N", "Lambda_R", "xi_L"};
  static const char *const units[UNKNOWNS] = {"N", "N", "m/s^2"};
  listing *all = user;
  all->pieces++;
  print_part(all, "lcp", "", "dimension", piece->dimension, "1");
  for (int32_t v = 0; v < piece->vertices; v++) {
    char part[16] = "";
    if (piece->vertices > 1) {
      snprintf(part, sizeof part, "%d_", (int)(v % 1000) + 1);
    }
    for (int32_t i = 0; i < UNKNOWNS && i < piece->n; i++) {
      print_part(all, "lcp", part, names[i], piece->vertex[v * piece->n + i], units[i]);
    }
  }
  for (int32_t g = 0; g < piece->rays; g++) {
    for (int32_t i = 0; i < UNKNOWNS && i < piece->n; i++) {
      print_part(all, "lcp", "ray_", names[i], piece->ray[g * piece->n + i], "1");
    }
  }
  return 0;
}

static int print_piece(void *user, const nsdyn_contact_piece *piece)
{
  static const char *const modes[] = {"open", "stick", "slip+", "slip-"};
  listing *all = user;
  all->pieces++;
  char line[64];
  snprintf(line, sizeof line, "physical_%d_mode", all->pieces);
  result_text(all->out, line, modes[piece->modes[0]]);
  print_part(all, "physical", "", "dimension", piece->dimension, "1");
  for (int32_t v = 0; v < piece->vertices; v++) {
    char part[16] = "";
    if (piece->vertices > 1) {
      snprintf(part, sizeof part, "%d_", (int)(v % 1000) + 1);
    }
    print_part(all, "physical", part, "Lambda_N", piece->Lambda[2 * v], "N");
    print_part(all, "physical", part, "Lambda_T", piece->Lambda[2 * v + 1], "N");
    print_part(all, "physical", part, "xi_N", piece->xi[2 * v], "m/s^2");
    print_part(all, "physical", part, "xi_T", piece->xi[2 * v + 1], "m/s^2");
  }
  return 0;
}

/* Whether a search came to its end, with or without solutions. */
static int is_decided(nsdyn_status status)
{
  return status == NSDYN_OK || status == NSDYN_NO_SOLUTION;
}

static int list_lcp(const output *out, nsdyn_lcp *lcp, const rod *r)
{
  task t;
  state_problem(r, &t);
  double A[9], b[3], lo[3], hi[3];
  int n;
  if (nsdyn_contact_lcp(&t.problem, A, 3, b, lo, hi, &n) != NSDYN_OK) {
    return 0;
  }
  nsdyn_lcp_census census;
  nsdyn_lcp_census_init(&census, sizeof census);
  listing all = {.out = out};
  const nsdyn_status status = nsdyn_lcp_enumerate(lcp, n, A, 3, b, print_lcp_piece, &all, &census);
  result(out, "lcp_unknowns", n, "1");
  result(out, "lcp_points", (double)census.points, "1");
  result(out, "lcp_continua", (double)(census.bounded_pieces + census.unbounded_pieces), "1");
  return is_decided(status);
}

static int list_physical(const output *out, nsdyn_contact *solver, const rod *r)
{
  task t;
  state_problem(r, &t);
  nsdyn_contact_census census;
  nsdyn_contact_census_init(&census, sizeof census);
  listing all = {.out = out};
  const nsdyn_status status = nsdyn_contact_enumerate(solver, &t.problem, print_piece, &all, &census);
  result(out, "physical_points", (double)census.points, "1");
  result(out, "physical_continua", (double)(census.bounded_pieces + census.unbounded_pieces), "1");
  result(out, "motions", (double)census.motions, "1");
  return is_decided(status);
}

/* ---- the map ----------------------------------------------------------------------------------------------
 */

/* How many solutions in the middle of each cell; the borders between numbers. */
typedef struct map {
  int cells;
  double mu_most;
  rod of[PANELS];
  int count[PANELS][MOST_CELLS][MOST_CELLS]; /* by angle, then by μ */
  double angle[ANGLES];
  double border[PANELS][BORDERS][ANGLES];
} map;

/* The number of solutions; −1 where it is undecided. */
static int count_solutions(nsdyn_contact *solver, rod r, double theta, double mu)
{
  task t;
  r.theta = theta;
  r.mu = mu;
  state_problem(&r, &t);
  nsdyn_contact_census census;
  nsdyn_contact_census_init(&census, sizeof census);
  const nsdyn_status status = nsdyn_contact_enumerate(solver, &t.problem, NULL, NULL, &census);
  return is_decided(status) ? (int)(census.points + census.bounded_pieces + census.unbounded_pieces) : -1;
}

static double cell_theta(const map *m, int i)
{
  return HALF_PI * (i + 0.5) / m->cells;
}

static double cell_mu(const map *m, int j)
{
  return m->mu_most * (j + 0.5) / m->cells;
}

/* Where the number changes between two coefficients of friction. */
static double find_border(nsdyn_contact *solver, const rod *r, double theta, double low, double high)
{
  const int below = count_solutions(solver, *r, theta, low);
  for (int k = 0; k < BISECTIONS; k++) {
    const double mu = 0.5 * (low + high);
    *(count_solutions(solver, *r, theta, mu) == below ? &low : &high) = mu;
  }
  return 0.5 * (low + high);
}

static void trace_borders(nsdyn_contact *solver, map *m, int panel)
{
  for (int i = 0; i < ANGLES; i++) {
    const double theta = m->angle[i] = HALF_PI * i / (ANGLES - 1);
    int found = 0, before = count_solutions(solver, m->of[panel], theta, 0.0);
    for (int j = 1; j <= m->cells && found < BORDERS; j++) {
      const double mu = m->mu_most * j / m->cells;
      const int now = count_solutions(solver, m->of[panel], theta, mu);
      if (now != before) {
        m->border[panel][found++][i] =
            find_border(solver, &m->of[panel], theta, m->mu_most * (j - 1) / m->cells, mu);
      }
      before = now;
    }
    for (; found < BORDERS; found++) {
      m->border[panel][found][i] = NAN;
    }
  }
}

static void fill_map(nsdyn_contact *solver, const rod *r, map *m)
{
  m->of[0] = m->of[1] = m->of[2] = *r;
  m->of[0].sliding = 0;
  m->of[1].sliding = m->of[2].sliding = -1;
  m->of[2].F_y = -r->F_y;
  for (int p = 0; p < PANELS; p++) {
    for (int i = 0; i < m->cells; i++) {
      for (int j = 0; j < m->cells; j++) {
        m->count[p][i][j] = count_solutions(solver, m->of[p], cell_theta(m, i), cell_mu(m, j));
      }
    }
    trace_borders(solver, m, p);
  }
}

static const char *const panel_names[PANELS] = {"rests", "slides", "slides_pushed"};

/* Share of the map that has so many solutions. */
static void report_map(const output *out, const map *m)
{
  for (int p = 0; p < PANELS; p++) {
    for (int number = 0; number <= 3; number++) {
      int cells = 0;
      for (int i = 0; i < m->cells; i++) {
        for (int j = 0; j < m->cells; j++) {
          cells += m->count[p][i][j] == number;
        }
      }
      char name[64];
      snprintf(name, sizeof name, "map_%s_%d", panel_names[p], number);
      result(out, name, (double)cells / (m->cells * m->cells), "1");
    }
  }
}

static void write_map(const output *out, const map *m)
{
  csv_columns(out, "theta,mu,rests,slides,slides_pushed");
  for (int i = 0; i < m->cells; i++) {
    for (int j = 0; j < m->cells; j++) {
      const double row[] = {cell_theta(m, i), cell_mu(m, j), m->count[0][i][j], m->count[1][i][j],
                            m->count[2][i][j]};
      csv_row(out, 5, row);
    }
  }
}

/* Whether the numbers all around a cell are its own. */
static int is_inside(const map *m, int panel, int i, int j)
{
  const int reach = m->cells / 8;
  for (int k = i - reach; k <= i + reach; k++) {
    for (int l = j - reach; l <= j + reach; l++) {
      const int on_map = k >= 0 && k < m->cells && l >= 0 && l < m->cells;
      if (!on_map || m->count[panel][k][l] != m->count[panel][i][j]) {
        return 0;
      }
    }
  }
  return 1;
}

/* The number in words, as near to the middle of its region as there is room. */
static void draw_number(plot_figure *figure, const map *m, int panel, int number)
{
  static const char *const texts[] = {"none", "one", "two", "three"};
  double x = 0.0, y = 0.0, least = INFINITY;
  int count = 0, column = 0, row = 0;
  for (int i = 0; i < m->cells; i++) {
    for (int j = 0; j < m->cells; j++) {
      const int own = m->count[panel][i][j] == number;
      x += own ? i : 0;
      y += own ? j : 0;
      count += own;
    }
  }
  for (int i = 0; count > 0 && i < m->cells; i++) {
    for (int j = 0; j < m->cells; j++) {
      const double distance = hypot(i - x / count, j - y / count);
      if (m->count[panel][i][j] == number && distance < least && is_inside(m, panel, i, j)) {
        least = distance;
        column = i;
        row = j;
      }
    }
  }
  if (least < INFINITY) {
    plot_add_text(figure, 0, panel, cell_theta(m, column), cell_mu(m, row), 0.0, 4.0, 0, texts[number]);
  }
}

/* Dots, row by row, where there is not one solution. */
static void draw_dots(plot_figure *figure, const map *m, int panel, int number)
{
  static const int colors[] = {PLOT_VERMILION, PLOT_GRAY, PLOT_BLUE, PLOT_PURPLE};
  const int stride = (m->cells + DOTS - 1) / DOTS;
  double x[MOST_CELLS], y[MOST_CELLS];
  for (int j = stride / 2; j < m->cells; j += stride) {
    int count = 0;
    for (int i = stride / 2; i < m->cells; i += stride) {
      if (m->count[panel][i][j] == number) {
        x[count] = cell_theta(m, i);
        y[count++] = cell_mu(m, j);
      }
    }
    plot_add(figure, 0, panel,
             &(plot_curve){.count = count,
                           .x = x,
                           .y = y,
                           .color = colors[number],
                           .dash = PLOT_NO_LINE,
                           .marker = number == 0 ? PLOT_CROSS : PLOT_DISK});
  }
}

static void draw_map(plot_figure *figure, const map *m)
{
  static const char *const titles[PANELS] = {"the tip rests", "it slides to the left",
                                             "it slides to the left, F_y turned"};
  plot_set_panel_size(figure, 330.0, 330.0);
  plot_set_description(figure,
                       "How many accelerations and forces Coulomb's law allows a rod on the floor, over its "
                       "angle and the coefficient of friction. Where friction is steep there are "
                       "three, two or none instead of one.");
  for (int p = 0; p < PANELS; p++) {
    plot_set_axes(figure, 0, p,
                  &(plot_axes){.title = titles[p],
                               .x = {.name = THETA, .unit = "rad", .high = HALF_PI},
                               .y = {.name = MU, .unit = "1", .high = m->mu_most}});
    for (int number = 0; number <= 3; number++) {
      if (number != 1) {
        draw_dots(figure, m, p, number);
      }
      draw_number(figure, m, p, number);
    }
    for (int k = 0; k < BORDERS; k++) {
      plot_add(
          figure, 0, p,
          &(plot_curve){
              .count = ANGLES, .x = m->angle, .y = m->border[p][k], .color = PLOT_BLACK, .dash = PLOT_SOLID});
    }
  }
}

/* ---- entry
 * ------------------------------------------------------------------------------------------------- */

static int run(const output *out, nsdyn_contact *solver, nsdyn_lcp *lcp, const rod *r, map *m, int print_map)
{
  if (!list_lcp(out, lcp, r) || !list_physical(out, solver, r)) {
    return complain(out, STATUS_FAILED, "the search left something undecided: %s",
                    nsdyn_contact_message(solver));
  }
  if (!print_map && !out->csv && !out->svg) {
    return 0;
  }
  fill_map(solver, r, m);
  if (print_map) {
    report_map(out, m);
  }
  write_map(out, m);
  plot_figure *figure = plot_new(1, PANELS);
  draw_map(figure, m);
  plot_write(figure, out->svg);
  plot_free(figure);
  return 0;
}

int main(int argc, char **argv)
{
  static const char *const slides[] = {"no", "right", "left", NULL};
  static map m = {.cells = 30, .mu_most = 4.0};
  rod r = {.theta = 0.5 * HALF_PI, .mu = 1.0, .F_y = 1.0};
  int sliding = 0, print_map = 0;
  const option table[] = {
      {.name = "theta", .unit = "rad", .help = "angle to the floor", .number = &r.theta, .high = HALF_PI},
      {.name = "mu", .unit = "1", .help = "friction coefficient", .number = &r.mu, .high = 1e6},
      {.name = "fx", .unit = "N", .help = "force at the centre", .number = &r.F_x, .low = -1e6, .high = 1e6},
      {.name = "fy", .unit = "N", .help = "force upwards", .number = &r.F_y, .low = -1e6, .high = 1e6},
      {.name = "slides", .help = "whether the tip slides", .choice = &sliding, .choices = slides},
      {.name = "map", .help = "print shares of the map", .flag = &print_map},
      {.name = "mu-most",
       .unit = "1",
       .help = "end of the map",
       .number = &m.mu_most,
       .high = 1e3,
       .open = 1},
      {.name = "cells", .help = "of the map, each way", .count = &m.cells, .low = 2, .high = MOST_CELLS},
  };
  output out;
  const int status = options_read(&out, argc, argv,
                                  "Ma's pendulum: all solutions of one contact, in the LCP and in mechanics.",
                                  table, (int)(sizeof table / sizeof *table));
  if (status != OPTIONS_GO) {
    return status;
  }
  r.sliding = sliding == 1 ? 1 : sliding == 2 ? -1 : 0;
  nsdyn_contact *solver = NULL;
  nsdyn_lcp *lcp = NULL;
  if (nsdyn_contact_new(NULL, NULL, &solver, NULL) != NSDYN_OK ||
      nsdyn_lcp_new(NULL, NULL, &lcp, NULL) != NSDYN_OK) {
    nsdyn_contact_free(solver);
    return output_close(&out, complain(&out, STATUS_FAILED, "out of memory"));
  }
  const int done = run(&out, solver, lcp, &r, &m, print_map);
  nsdyn_lcp_free(lcp);
  nsdyn_contact_free(solver);
  return output_close(&out, done);
}
