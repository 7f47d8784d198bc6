/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Solves a linear complementarity problem from a text file: y = A x + b, 0 <= y ⊥ x >= 0, or with bounds
 * lo <= x <= hi. The text holds n, n rows of A, then b, and optionally `lo` and `hi` with n numbers each;
 * `#` begins a comment.
 *
 * Prints what was found as lines `name value unit`; exit status 0 with a solution, 1 without one. */
#include <math.h>
#include <nsdyn/nsdyn.h>
#include <stdlib.h>
#include <string.h>

#include "common/file.h"
#include "common/options.h"
#include "common/plot.h"

/* In the order of nsdyn_lcp_method. */
static const char *const method_names[] = {
    "automatic",           "lemke", "murty",      "principal", "block",
    "enumerative",         "sweep", "newton-min", "newton-fb", "marquardt-regular",
    "marquardt-projected", NULL};

typedef struct problem {
  int n;
  double *A, *b, *lo, *hi; /* n × n, n, n, n */
  double *x, *y;           /* n: the answer */
  int mixed;               /* has bounds other than 0 and infinity */
} problem;

/* What the command line asks for. */
typedef struct wishes {
  const char *path;
  int method, repeat, all, classify;
  double tol;
} wishes;

/* ---- Reading ---- */

static nsdyn_status parse(nsdyn_lcp *lcp, const char *text, size_t length, problem *p)
{
  nsdyn_status status = nsdyn_lcp_read_text(lcp, text, length, &p->n, NULL, 0, NULL, NULL, NULL);
  if (status != NSDYN_OK) {
    return status;
  }
  const size_t n = (size_t)p->n;
  p->A = memory(NULL, n * n + 5 * n, sizeof *p->A);
  p->b = p->A + n * n;
  p->lo = p->b + n;
  p->hi = p->lo + n;
  p->x = p->hi + n;
  p->y = p->x + n;
  status = nsdyn_lcp_read_text(lcp, text, length, &p->n, p->A, p->n, p->b, p->lo, p->hi);
  for (int i = 0; status == NSDYN_OK && i < p->n; i++) {
    p->mixed = p->mixed || p->lo[i] != 0.0 || p->hi[i] != INFINITY;
  }
  return status;
}

/* ---- Solving ---- */

static nsdyn_status solve(nsdyn_lcp *lcp, const problem *p)
{
  return nsdyn_lcp_solve_mixed(lcp, p->n, p->A, p->n, p->b, p->mixed ? p->lo : NULL, p->mixed ? p->hi : NULL,
                               p->x, p->y);
}

typedef struct again {
  nsdyn_lcp *lcp;
  const problem *p;
} again;

static void solve_again(void *user)
{
  const again *a = user;
  solve(a->lcp, a->p);
}

/* ---- Results ---- */

#define LABEL_LENGTH 80

static void print_vector(const output *out, const char *name, int n, const double *v)
{
  char label[LABEL_LENGTH + 16];
  for (int i = 0; i < n; i++) {
    snprintf(label, sizeof label, "%s_%d", name, i);
    result(out, label, v[i], "1");
  }
}

/* "NSDYN_ERR_NOMEM" as "ERR_NOMEM". */
static const char *status_word(nsdyn_status status)
{
  return nsdyn_status_name(status) + strlen("NSDYN_");
}

static void print_report(const output *out, nsdyn_lcp *lcp, const problem *p)
{
  static const char *const proofs[] = {"none", "farkas", "exhausted"};
  nsdyn_lcp_solve_report found;
  nsdyn_lcp_solve_report_init(&found, sizeof found);
  nsdyn_lcp_report(lcp, &found);
  result_text(out, "solver", method_names[found.method]);
  result_text(out, "status", status_word(found.status));
  result_text(out, "proof", proofs[found.proof]);
  result(out, "residual", found.residual, "1");
  result(out, "iterations", found.iterations, "1");
  result(out, "attempts", found.attempts, "1");
  if (found.status >= 0) {
    print_vector(out, "x", p->n, p->x);
    print_vector(out, "y", p->n, p->y);
  }
  int n;
  const double *ray = nsdyn_lcp_ray(lcp, &n);
  if (found.status != NSDYN_OK && ray) {
    print_vector(out, "ray", n, ray);
  }
}

static void print_class(const output *out, const char *name, int32_t answer)
{
  result_text(out, name, answer < 0 ? "undecided" : answer ? "yes" : "no");
}

static nsdyn_status print_classes(const output *out, nsdyn_lcp *lcp, const problem *p)
{
  nsdyn_lcp_classes is;
  nsdyn_lcp_classes_init(&is, sizeof is);
  const nsdyn_status status = nsdyn_lcp_classify(lcp, p->n, p->A, p->n, &is);
  if (status == NSDYN_OK) {
    print_class(out, "symmetric", is.symmetric);
    print_class(out, "p_matrix", is.p_matrix);
    print_class(out, "positive_definite", is.positive_definite);
    print_class(out, "positive_semidefinite", is.positive_semidefinite);
    print_class(out, "z_matrix", is.z_matrix);
    print_class(out, "m_matrix", is.m_matrix);
    print_class(out, "diagonally_dominant", is.diagonally_dominant);
    print_class(out, "positive_diagonal", is.positive_diagonal);
  }
  return status;
}

/* ---- All solutions ---- */

typedef struct listing {
  const output *out;
  int pieces;
} listing;

static void print_points(const output *out, int piece, const char *name, int n, int count,
                         const double *points)
{
  char label[LABEL_LENGTH];
  for (int k = 0; k < count; k++) {
    snprintf(label, sizeof label, "piece_%d_%s_%d_x", piece, name, k);
    print_vector(out, label, n, points + (size_t)k * (size_t)n);
  }
}

static int print_piece(void *user, const nsdyn_lcp_piece *piece)
{
  listing *list = user;
  char label[LABEL_LENGTH];
  snprintf(label, sizeof label, "piece_%d_dimension", list->pieces);
  result(list->out, label, piece->dimension, "1");
  print_points(list->out, list->pieces, "vertex", piece->n, piece->vertices, piece->vertex);
  print_points(list->out, list->pieces, "ray", piece->n, piece->rays, piece->ray);
  list->pieces++;
  return 0;
}

static nsdyn_status print_all(const output *out, nsdyn_lcp *lcp, const problem *p)
{
  listing list = {.out = out};
  nsdyn_lcp_census census;
  nsdyn_lcp_census_init(&census, sizeof census);
  const nsdyn_status status = nsdyn_lcp_enumerate(lcp, p->n, p->A, p->n, p->b, print_piece, &list, &census);
  if (status >= 0) {
    result_text(out, "enumeration", status_word(status));
    result(out, "points", (double)census.points, "1");
    result(out, "bounded_pieces", (double)census.bounded_pieces, "1");
    result(out, "unbounded_pieces", (double)census.unbounded_pieces, "1");
    result(out, "max_dimension", census.max_dimension, "1");
    result(out, "nodes", (double)census.nodes, "1");
    result(out, "pivots", (double)census.pivots, "1");
    result_text(out, "complete", census.complete ? "yes" : "no");
  }
  return status;
}

/* ---- Files ---- */

static void write_data(const output *out, const problem *p)
{
  csv_columns(out, "row,lo,hi,x,y");
  for (int i = 0; i < p->n; i++) {
    csv_row(out, 5, (double[]){i, p->lo[i], p->hi[i], p->x[i], p->y[i]});
  }
}

static void draw_stems(plot_figure *figure, int panel, const char *name, int n, const double *v, int color)
{
  plot_set_axes(figure, panel, 0,
                &(plot_axes){.x = {.name = "row", .low = -1.0, .high = n > 1 ? n : 1.0},
                             .y = {.name = name},
                             .zero_lines = 1});
  for (int i = 0; i < n; i++) {
    const plot_curve stem = {.count = 2,
                             .x = (double[]){i, i},
                             .y = (double[]){0.0, v[i]},
                             .color = color,
                             .dash = PLOT_SOLID,
                             .width = 2.4,
                             .end = PLOT_CLOSED_DOT};
    plot_add(figure, panel, 0, &stem);
  }
}

/* x and y above each other: where one has a stem, the other has none. */
static void draw(const output *out, const problem *p)
{
  if (out->svg) {
    plot_figure *figure = plot_new(2, 1);
    plot_set_panel_size(figure, 640.0, 240.0);
    plot_set_description(figure, "The solution x and its complement y = A x + b, row by row");
    draw_stems(figure, 0, "x", p->n, p->x, PLOT_BLUE);
    draw_stems(figure, 1, "y", p->n, p->y, PLOT_VERMILION);
    plot_write(figure, out->svg);
    plot_free(figure);
  }
}

/* ---- The run ---- */

/* All that was asked for; the exit status. */
static int run(const output *out, nsdyn_lcp *lcp, const wishes *w, const problem *p)
{
  result(out, "n", p->n, "1");
  if (w->classify && print_classes(out, lcp, p) < 0) {
    return complain(out, STATUS_FAILED, "%s", nsdyn_lcp_message(lcp));
  }
  if (w->all && p->mixed) {
    return complain(out, STATUS_BAD_OPTION, "--all: lists the solutions of problems without bounds");
  }
  const nsdyn_status status = solve(lcp, p);
  char message[256];
  snprintf(message, sizeof message, "%s", nsdyn_lcp_message(lcp));
  print_report(out, lcp, p);
  if (status >= 0) {
    write_data(out, p);
    draw(out, p);
  }
  if (status >= 0 && w->repeat > 0) {
    time_repeats(out, w->repeat, solve_again, &(again){lcp, p});
  }
  if (w->all && print_all(out, lcp, p) < 0) {
    return complain(out, STATUS_FAILED, "%s", nsdyn_lcp_message(lcp));
  }
  return status == NSDYN_OK ? 0 : complain(out, STATUS_FAILED, "%s", message);
}

static int load_and_run(const output *out, nsdyn_lcp *lcp, const wishes *w)
{
  size_t length;
  char *text = file_read(w->path, &length);
  if (!text) {
    return complain(out, STATUS_BAD_OPTION, "'%s' cannot be read", w->path);
  }
  problem p = {0};
  const nsdyn_status status = parse(lcp, text, length, &p);
  free(text);
  const int exit_status = status == NSDYN_OK
                              ? run(out, lcp, w, &p)
                              : complain(out, STATUS_BAD_OPTION, "'%s': %s", w->path, nsdyn_lcp_message(lcp));
  free(p.A);
  return exit_status;
}

int main(int argc, char **argv)
{
  nsdyn_lcp_options options;
  nsdyn_lcp_options_init(&options, sizeof options);
  wishes w = {.tol = options.tol};
  const option table[] = {
      {.name = "FILE", .help = "problem to solve, - for standard input", .text = &w.path, .required = 1},
      {.name = "solver", .help = "method", .choice = &w.method, .choices = method_names},
      {.name = "tol",
       .help = "largest residual of a solution, relative to each row's scale",
       .number = &w.tol,
       .low = 0.0,
       .high = 1.0},
      {.name = "all", .help = "list all solutions", .flag = &w.all},
      {.name = "classify", .help = "say which classes A belongs to", .flag = &w.classify},
      {.name = "repeat",
       .help = "solve so many times more and print the time it takes",
       .count = &w.repeat,
       .low = 0.0,
       .high = 1e7},
  };
  output out;
  const int status =
      options_read(&out, argc, argv, "Solves a linear complementarity problem and shows the certificate.",
                   table, (int)(sizeof table / sizeof *table));
  if (status != OPTIONS_GO) {
    return status;
  }
  options.method = w.method;
  options.tol = w.tol;
  nsdyn_lcp *lcp;
  const nsdyn_status made = nsdyn_lcp_new(NULL, &options, &lcp, NULL);
  if (made != NSDYN_OK) {
    return output_close(&out, complain(&out, STATUS_FAILED, "%s", nsdyn_status_text(made)));
  }
  const int exit_status = load_and_run(&out, lcp, &w);
  nsdyn_lcp_free(lcp);
  return output_close(&out, exit_status);
}
