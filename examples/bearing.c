/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* A long journal bearing whose film cavitates. With the film's thickness h = 1 + e cos θ (over the clearance)
 * and the pressure p over μ ω R² / c², Reynolds' equation is
 *
 *     −(h³ p′)′ + 6 h′ = y,    0 <= y ⊥ p >= 0,    p(0) = p(2π) = 0:
 *
 * the film carries no tension; where it tears, p = 0. One difference equation per point makes a sparse
 * complementarity problem with an M-matrix of three diagonals. Where the film ends is part of its solution.
 */
#include <math.h>
#include <nsdyn/nsdyn.h>
#include <stdlib.h>

#include "common/options.h"
#include "common/plot.h"

#define TURN 6.283185307179586

typedef struct bearing {
  int n;
  double e, step;
  double *band, *b, *p; /* n × 3, n, n */
} bearing;

static double cube(double x)
{
  return x * x * x;
}

static double thickness(const bearing *w, double theta)
{
  return 1.0 + w->e * cos(theta);
}

/* h³ between the points, and −6 (h_+ − h_−) step, since h′ is (h_+ − h_−) / step. */
static void make_problem(bearing *w)
{
  w->step = TURN / (w->n + 1);
  for (int i = 0; i < w->n; i++) {
    const double theta = w->step * (i + 1);
    const double before = thickness(w, theta - 0.5 * w->step), after = thickness(w, theta + 0.5 * w->step);
    w->band[3 * i] = -cube(before);
    w->band[3 * i + 1] = cube(before) + cube(after);
    w->band[3 * i + 2] = -cube(after);
    w->b[i] = 6.0 * (after - before) * w->step;
  }
}

/* The load that the film carries, ∫ p (cos θ, sin θ) dθ, its highest pressure, and where it ends. */
static void print_results(const output *out, const bearing *w, const nsdyn_lcp_solve_report *report)
{
  double across = 0.0, along = 0.0, highest = 0.0;
  int end = 0, peak = 0;
  for (int i = 0; i < w->n; i++) {
    const double theta = w->step * (i + 1);
    along += w->p[i] * cos(theta) * w->step;
    across += w->p[i] * sin(theta) * w->step;
    if (w->p[i] > highest) {
      highest = w->p[i];
      peak = i;
    }
    end = w->p[i] > 0.0 ? i + 1 : end;
  }
  result(out, "film_end", w->step * (end + 1), "rad");
  result(out, "peak_pressure", highest, "1");
  result(out, "peak_angle", w->step * (peak + 1), "rad");
  result(out, "load", sqrt(across * across + along * along), "1");
  result(out, "attitude_angle", atan2(across, -along), "rad");
  result(out, "rounds", report->iterations, "1");
  result(out, "residual", report->residual, "1");
}

static void write_pressure(const output *out, const bearing *w)
{
  csv_columns(out, "theta,h,p");
  for (int i = 0; i < w->n; i++) {
    const double theta = w->step * (i + 1);
    csv_row(out, 3, (double[]){theta, thickness(w, theta), w->p[i]});
  }
}

static plot_figure *picture(const bearing *w, double *theta, double *h)
{
  for (int i = 0; i < w->n; i++) {
    theta[i] = w->step * (i + 1);
    h[i] = thickness(w, theta[i]);
  }
  plot_figure *figure = plot_new(2, 1);
  plot_set_description(figure, "Pressure and thickness of a bearing's film around the journal");
  plot_set_axes(figure, 0, 0,
                &(plot_axes){.title = "pressure, over μ ω R^2 / c^2",
                             .x = {.name = "θ", .unit = "rad", .low = 0.0, .high = TURN},
                             .y = {.name = "p", .with_zero = 1}});
  plot_add(figure, 0, 0, &(plot_curve){.count = w->n, .x = theta, .y = w->p, .color = PLOT_BLUE});
  plot_set_axes(figure, 1, 0,
                &(plot_axes){.title = "thickness of the film, over c",
                             .x = {.name = "θ", .unit = "rad", .low = 0.0, .high = TURN},
                             .y = {.name = "h", .with_zero = 1}});
  plot_add(figure, 1, 0, &(plot_curve){.count = w->n, .x = theta, .y = h, .color = PLOT_GRAY});
  return figure;
}

static int solve(const output *out, bearing *w, nsdyn_lcp_solve_report *report)
{
  nsdyn_lcp *lcp;
  nsdyn_sparse_matrix A;
  nsdyn_sparse_matrix_init(&A, sizeof A);
  A.format = NSDYN_SPARSE_BANDED;
  A.n = w->n;
  A.lower = A.upper = 1;
  A.stride = 3;
  A.value = w->band;
  if (nsdyn_lcp_new(NULL, NULL, &lcp, NULL) != NSDYN_OK) {
    return complain(out, STATUS_FAILED, "no memory");
  }
  const nsdyn_status status = nsdyn_lcp_solve_sparse(lcp, &A, w->b, NULL, NULL, w->p, NULL);
  nsdyn_lcp_report(lcp, report);
  const int code = status == NSDYN_OK ? 0 : complain(out, STATUS_FAILED, "%s", nsdyn_lcp_message(lcp));
  nsdyn_lcp_free(lcp);
  return code;
}

int main(int argc, char **argv)
{
  bearing w = {.n = 3000, .e = 0.8};
  const option table[] = {
      {.name = "e",
       .unit = "1",
       .help = "eccentricity over clearance",
       .number = &w.e,
       .low = 0.0,
       .high = 0.999},
      {.name = "n", .help = "points of the film", .count = &w.n, .low = 2, .high = 1e6},
  };
  output out;
  const int status = options_read(&out, argc, argv, "Pressure in a journal bearing whose film cavitates.",
                                  table, (int)(sizeof table / sizeof *table));
  if (status != OPTIONS_GO) {
    return status;
  }
  const size_t n = (size_t)w.n;
  w.band = memory(NULL, 3 * n, sizeof *w.band);
  w.b = memory(NULL, n, sizeof *w.b);
  w.p = memory(NULL, n, sizeof *w.p);
  double *theta = memory(NULL, n, sizeof *theta), *h = memory(NULL, n, sizeof *h);
  make_problem(&w);
  nsdyn_lcp_solve_report report;
  nsdyn_lcp_solve_report_init(&report, sizeof report);
  const int code = solve(&out, &w, &report);
  if (code == 0) {
    print_results(&out, &w, &report);
    write_pressure(&out, &w);
    plot_figure *figure = picture(&w, theta, h);
    plot_write(figure, out.svg);
    plot_free(figure);
  }
  free(w.band);
  free(w.b);
  free(w.p);
  free(theta);
  free(h);
  return output_close(&out, code);
}
