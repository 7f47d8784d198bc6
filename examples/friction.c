/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Solves a contact problem from a file, in the plane or in space: ξ = G Λ + c, each contact by its law. The
 * file is a text as nsdyn_contact_read_text() reads it, and nsdyn_stepper_write_problem() writes it; or one
 * of FCLIB's, in HDF5, where the examples were built with that.
 *
 * Prints what was found as lines `name value unit`; exit status 0 with a solution, 1 without one. The picture
 * has the friction of each contact beside what its law allows. */
#include <math.h>
#include <nsdyn/nsdyn.h>
#include <stdlib.h>
#include <string.h>

#include "common/fclib.h"
#include "common/file.h"
#include "common/options.h"
#include "common/plot.h"

/* In the order of nsdyn_contact_method. */
static const char *const method_names[] = {"automatic", "direct",  "lcp",         "modes",       "rounds",
                                           "newton",    "natural", "todorov-rlm", "todorov-plm", NULL};

/* What the command line asks for. */
typedef struct wishes {
  const char *path;
  int method, repeat, impulses;
  double tol;
} wishes;

typedef struct task {
  nsdyn_contact *solver;
  nsdyn_contact_problem p;
  int rows;
  double *Lambda, *xi; /* rows: the answer */
} task;

/* ---- Results ---- */

/* "NSDYN_ERR_NOMEM" as "ERR_NOMEM". */
static const char *status_word(nsdyn_status status)
{
  return nsdyn_status_name(status) + strlen("NSDYN_");
}

static const nsdyn_contact_law *law_of(const task *t, int i)
{
  return &t->p.laws[t->p.law ? t->p.law[i] : i];
}

static int tangents_of(const task *t, int i)
{
  const nsdyn_contact_law *law = law_of(t, i);
  return law->friction == NSDYN_FRICTION_NONE ? 0 : law->tangents;
}

static void print_report(const output *out, const task *t)
{
  nsdyn_contact_solve_report found;
  nsdyn_contact_solve_report_init(&found, sizeof found);
  nsdyn_contact_report(t->solver, &found);
  result_text(out, "solver", method_names[found.method]);
  result_text(out, "status", status_word(found.status));
  result(out, "residual", found.residual, "1");
  result(out, "scale", found.scale, "1");
  result(out, "iterations", found.iterations, "1");
  const int32_t *modes = nsdyn_contact_modes(t->solver, NULL);
  int count[3] = {0, 0, 0}; /* open, sticking, sliding */
  for (int i = 0; modes && i < t->p.contacts; i++) {
    count[modes[i] == NSDYN_MODE_OPEN ? 0 : modes[i] == NSDYN_MODE_STICK ? 1 : 2]++;
  }
  if (modes) {
    result(out, "open", count[0], "1");
    result(out, "sticking", count[1], "1");
    result(out, "sliding", count[2], "1");
  }
}

static void print_impulses(const output *out, const task *t)
{
  char name[32];
  for (int i = 0; i < t->rows; i++) {
    snprintf(name, sizeof name, "Lambda_%d", i);
    result(out, name, t->Lambda[i], "1");
  }
}

static void write_data(const output *out, const task *t)
{
  csv_columns(out, "row,Lambda,xi");
  for (int i = 0; i < t->rows; i++) {
    csv_row(out, 3, (double[]){i, t->Lambda[i], t->xi[i]});
  }
}

/* |Λ_T| over |Λ_N|, and the lines of the coefficients in force. */
static void draw(const output *out, const task *t)
{
  if (!out->svg) {
    return;
  }
  plot_figure *figure = plot_new(1, 1);
  plot_set_description(figure, "The friction impulse of each contact over its normal impulse");
  plot_set_axes(figure, 0, 0,
                &(plot_axes){.title = "Friction and load of each contact",
                             .x = {.name = "|Λ_N|", .with_zero = 1},
                             .y = {.name = "|Λ_T|", .with_zero = 1}});
  const size_t n = (size_t)t->p.contacts;
  double *load = memory(NULL, 2 * n + 1, sizeof *load), *friction = load + n, most = 0.0, mu = 0.0;
  int row = 0, count = 0;
  for (int i = 0; i < t->p.contacts; i++) {
    const int tangents = tangents_of(t, i);
    if (tangents > 0) {
      load[count] = fabs(t->Lambda[row]);
      friction[count] = hypot(t->Lambda[row + 1], tangents == 2 ? t->Lambda[row + 2] : 0.0);
      most = fmax(most, load[count++]);
      mu = fmax(mu, t->p.mu ? t->p.mu[i] : law_of(t, i)->mu);
    }
    row += 1 + tangents;
  }
  plot_add(figure, 0, 0,
           &(plot_curve){.label = "largest μ",
                         .count = 2,
                         .x = (double[]){0.0, most},
                         .y = (double[]){0.0, mu * most},
                         .color = PLOT_GRAY,
                         .dash = PLOT_SOLID});
  plot_add(figure, 0, 0,
           &(plot_curve){.label = "contacts",
                         .count = count,
                         .x = load,
                         .y = friction,
                         .color = PLOT_BLUE,
                         .dash = PLOT_NO_LINE,
                         .marker = PLOT_RING});
  plot_write(figure, out->svg);
  plot_free(figure);
  free(load);
}

/* ---- The run ---- */

static void solve(void *user)
{
  const task *t = user;
  nsdyn_contact_solve(t->solver, &t->p, t->Lambda, t->xi);
}

static int run(const output *out, const wishes *w, task *t)
{
  const size_t rows = (size_t)t->rows;
  t->Lambda = memory(NULL, 2 * rows + 1, sizeof *t->Lambda);
  t->xi = t->Lambda + rows;
  memset(t->Lambda, 0, 2 * rows * sizeof *t->Lambda);
  result(out, "contacts", t->p.contacts, "1");
  result(out, "rows", t->rows, "1");
  const nsdyn_status status = nsdyn_contact_solve(t->solver, &t->p, t->Lambda, t->xi);
  char message[256];
  snprintf(message, sizeof message, "%s", nsdyn_contact_message(t->solver));
  print_report(out, t);
  if (status >= 0) {
    if (w->impulses) {
      print_impulses(out, t);
    }
    write_data(out, t);
    draw(out, t);
    if (w->repeat > 0) {
      time_repeats(out, w->repeat, solve, t);
    }
  }
  free(t->Lambda);
  return status == NSDYN_OK ? 0 : complain(out, STATUS_FAILED, "%s", message);
}

static int run_text(const output *out, const wishes *w, task *t, const char *text, size_t length)
{
  size_t size = 0;
  nsdyn_contact_problem_init(&t->p, sizeof t->p);
  nsdyn_status status = nsdyn_contact_read_text(t->solver, text, length, NULL, NULL, &size);
  void *numbers = status == NSDYN_OK ? memory(NULL, size, 1) : NULL;
  status = status ? status : nsdyn_contact_read_text(t->solver, text, length, &t->p, numbers, &size);
  t->rows = status == NSDYN_OK ? nsdyn_contact_rows(&t->p) : 0;
  const int exit_status = status == NSDYN_OK ? run(out, w, t)
                                             : complain(out, STATUS_BAD_OPTION, "'%s': %s", w->path,
                                                        nsdyn_contact_message(t->solver));
  free(numbers);
  return exit_status;
}

static int run_fclib(const output *out, const wishes *w, task *t)
{
  fclib_problem problem;
  const char *fault = fclib_read(&problem, w->path);
  if (fault) {
    return complain(out, STATUS_BAD_OPTION, "'%s': %s", w->path, fault);
  }
  t->p = problem.p;
  t->rows = nsdyn_contact_rows(&t->p);
  const int exit_status = run(out, w, t);
  fclib_free(&problem);
  return exit_status;
}

static int load_and_run(const output *out, const wishes *w, nsdyn_contact *solver)
{
  size_t length;
  char *text = file_read(w->path, &length);
  if (!text) {
    return complain(out, STATUS_BAD_OPTION, "'%s' cannot be read", w->path);
  }
  task t = {.solver = solver};
  const int exit_status = fclib_is(text, length) ? run_fclib(out, w, &t) : run_text(out, w, &t, text, length);
  free(text);
  return exit_status;
}

int main(int argc, char **argv)
{
  nsdyn_contact_options options;
  nsdyn_contact_options_init(&options, sizeof options);
  wishes w = {.tol = options.tol};
  const option table[] = {
      {.name = "FILE", .help = "problem to solve, - for standard input", .text = &w.path, .required = 1},
      {.name = "solver", .help = "method", .choice = &w.method, .choices = method_names},
      {.name = "tol",
       .help = "largest residual of a solution, relative to its scale",
       .number = &w.tol,
       .low = 0.0,
       .high = 0.999},
      {.name = "impulses", .help = "print all impulses", .flag = &w.impulses},
      {.name = "repeat",
       .help = "solve so many times more and print the time it takes",
       .count = &w.repeat,
       .low = 0.0,
       .high = 1e7},
  };
  output out;
  const int status = options_read(&out, argc, argv, "Solves a contact problem and shows the certificate.",
                                  table, (int)(sizeof table / sizeof *table));
  if (status != OPTIONS_GO) {
    return status;
  }
  options.method = w.method;
  options.tol = w.tol;
  nsdyn_contact *solver;
  const nsdyn_status made = nsdyn_contact_new(NULL, &options, &solver, NULL);
  if (made != NSDYN_OK) {
    return output_close(&out, complain(&out, STATUS_FAILED, "%s", nsdyn_status_text(made)));
  }
  const int exit_status = load_and_run(&out, &w, solver);
  nsdyn_contact_free(solver);
  return output_close(&out, exit_status);
}
