/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* How near schemes come to what is exact, and for how much work: the figures of the manual's "Choosing a
 * scheme" and "Constraints and drift".
 *
 *   work_precision --what woodpecker --svg FILE --csv FILE     one model: error over evaluations of forces,
 * for fixed steps, adaptive ones, and by events work_precision --what convergence --svg FILE error over Δt,
 * on a smooth piece and through impacts work_precision --what drift --svg FILE                     what is
 * left of a constraint and of energy
 *
 * Work is counted in evaluations of h, so that all but the column of seconds is the same on every machine. */
#include "work_models.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/options.h"
#include "common/plot.h"
#include "stepper/scheme/scheme.h"
#include "support/machines.h"
#include "system/object.h"

enum { SCHEMES = 8, LADDER = 40 };

static void must(int good, const char *what)
{
  if (!good) {
    fprintf(stderr, "work_precision: %s\n", what);
    exit(1);
  }
}

/* ---- models of tests/support ---- */

static void work_woodpecker(work_model *w)
{
  static exact_woodpecker toy;
  static model m;
  exact_state s;
  *w = (work_model){.name = "woodpecker", .title = "woodpecker, one second", .nq = 3, .nu = 3, .t_end = 1.0};
  exact_woodpecker_table(&toy);
  must(exact_woodpecker_begin(&toy, &s) < EXACT_NONE, "no exact beginning");
  for (int j = 0; j < 3; j++) {
    w->q[j] = (double)s.q[j];
    w->u[j] = (double)s.u[j];
  }
  exact_status status = EXACT_EVENT;
  while (status == EXACT_EVENT) {
    status = exact_woodpecker_next(&toy, (long double)w->t_end, &s, NULL);
  }
  must(status == EXACT_END, "no exact end");
  static const double size[3] = {0.05, 0.1, 0.6};
  for (int j = 0; j < 3; j++) {
    w->exact[j] = (double)s.q[j];
    w->size[j] = size[j];
  }
  machine_woodpecker(&toy, &m);
  must(model_system(&m, NULL, MACHINE_FLAGS, 0, &w->sys) == NSDYN_OK, "no system");
  w->has_exact = w->by_events = 1;
  w->dt_most = 1.03e-4;
  w->dt_least = 1.5e-7;
  w->least_tol = 1e-10;
}

static void work_bounce(work_model *w)
{
  static const exact_bounce ball = {.g = 9.81, .eps = 0.8, .y = 1.0, .v = 0.0};
  static model m;
  double v;
  *w = (work_model){.name = "bounce",
                    .title = "bouncing ball, through four impacts",
                    .nq = 1,
                    .nu = 1,
                    .t_end = 2.5,
                    .q = {1.0},
                    .size = {1.0}};
  machine_ball(&ball, &m);
  must(model_system(&m, NULL, MACHINE_FLAGS, 0, &w->sys) == NSDYN_OK, "no system");
  (void)exact_bounce_at(&ball, w->t_end, &w->exact[0], &v);
  w->has_exact = w->by_events = 1;
  w->dt_most = 3.1e-2;
  w->dt_least = 1e-6;
  w->least_tol = 1e-10;
}

/* ---- one run ---- */

static long long forces;
static int (*own_force)(void *user, double t, const double *q, const double *u, double *h);

static int count_force(void *user, double t, const double *q, const double *u, double *h)
{
  forces++;
  return own_force(user, t, q, u, h);
}

static double seconds(void)
{
  return (double)clock() / CLOCKS_PER_SEC;
}

/* The largest error of a coordinate, in sizes. */
static double error_of(const work_model *w, const double *q)
{
  double most = 0.0;
  for (int j = 0; j < w->nq; j++) {
    most = w->size[j] > 0.0 ? fmax(most, fabs(q[j] - w->exact[j]) / w->size[j]) : most;
  }
  return most;
}

typedef struct outcome {
  nsdyn_status status;
  double error, seconds;
  long long forces;
  double q[WORK_MOST];
} outcome;

static outcome run_steps(const work_model *w, int32_t scheme, double dt, double tol)
{
  nsdyn_stepper_options options;
  nsdyn_stepper *s = NULL;
  outcome o = {.error = NAN};
  nsdyn_stepper_options_init(&options, sizeof options);
  options.scheme = scheme;
  options.project = w->project;
  options.dt = dt;
  options.advance_tol = tol;
  options.shortest = tol > 0.0 ? fmax(1e-6, 0.3 * sqrt(tol)) : 1.0;
  options.check = 0;
  must(nsdyn_stepper_new(NULL, w->sys, &options, &s, NULL) == NSDYN_OK, "no stepper");
  must(nsdyn_stepper_set_state(s, 0.0, w->q, w->u) == NSDYN_OK, "no state");
  forces = 0;
  const double begin = seconds();
  o.status = nsdyn_stepper_advance(s, w->t_end);
  o.seconds = seconds() - begin;
  o.forces = forces;
  if (o.status == NSDYN_OK) {
    memcpy(o.q, nsdyn_stepper_q(s), sizeof(double) * (size_t)w->nq);
    o.error = error_of(w, o.q);
  } else {
    fprintf(stderr, "# %s, scheme %d, dt %g, tol %g: %s\n", w->name, (int)scheme, dt, tol,
            nsdyn_stepper_message(s));
  }
  nsdyn_stepper_free(s);
  return o;
}

static outcome run_events(const work_model *w, double tol)
{
  nsdyn_event_driver_options options;
  nsdyn_event_driver *d = NULL;
  outcome o = {.error = NAN};
  nsdyn_event_driver_options_init(&options, sizeof options);
  options.tol = tol;
  options.check = 0;
  must(nsdyn_event_driver_new(NULL, w->sys, &options, &d, NULL) == NSDYN_OK, "no driver");
  must(nsdyn_event_driver_set_state(d, 0.0, w->q, w->u) == NSDYN_OK, "no state");
  forces = 0;
  const double begin = seconds();
  o.status = nsdyn_event_driver_advance(d, w->t_end);
  o.seconds = seconds() - begin;
  o.forces = forces;
  if (o.status == NSDYN_OK) {
    memcpy(o.q, nsdyn_event_driver_q(d), sizeof(double) * (size_t)w->nq);
    o.error = error_of(w, o.q);
  } else {
    fprintf(stderr, "# %s, events, tol %g: %s\n", w->name, tol, nsdyn_event_driver_message(d));
  }
  nsdyn_event_driver_free(d);
  return o;
}

/* ---- one model ---- */

typedef struct curve {
  const char *label;
  int count;
  double forces[LADDER], error[LADDER];
} curve;

/* Errors below this are rounding, and have no place on a logarithmic axis. */
static const double least_error = 1e-15;

static void add(const output *out, curve *c, double parameter, const outcome *o)
{
  if (o->status != NSDYN_OK) {
    return;
  }
  c->forces[c->count] = (double)o->forces;
  c->error[c->count] = fmax(o->error, least_error);
  c->count++;
  if (out->csv) {
    fprintf(out->csv, "%s,%.6g,%lld,%.6g,%.3g\n", c->label, parameter, o->forces, o->error, o->seconds);
  }
}

/* The finest run there is stands for what is exact. */
static void refine(work_model *w)
{
  outcome o = {.status = NSDYN_ERR_UNSUPPORTED};
  if (w->has_exact) {
    return;
  }
  if (w->by_events) {
    o = run_events(w, 1e-12);
  }
  if (o.status != NSDYN_OK) {
    w->by_events = 0;
    o = run_steps(w, NSDYN_SCHEME_MOREAU, w->dt_most, 1e-11);
  }
  must(o.status == NSDYN_OK, "no reference");
  memcpy(w->exact, o.q, sizeof w->exact);
}

static void draw_curves(const output *out, const char *title, const char *x, const char *x_unit,
                        const curve *curves, int count)
{
  static const int markers[] = {PLOT_DISK, PLOT_RING, PLOT_SQUARE, PLOT_TRIANGLE, PLOT_CROSS};
  plot_figure *figure = plot_new(1, 1);
  plot_set_panel_size(figure, 680.0, 440.0);
  plot_set_description(figure, title);
  plot_set_axes(figure, 0, 0,
                &(plot_axes){.title = title,
                             .x = {.name = x, .unit = x_unit, .log = 1},
                             .y = {.name = "error", .unit = "1", .log = 1}});
  for (int i = 0; i < count; i++) {
    plot_add(figure, 0, 0,
             &(plot_curve){.label = curves[i].label,
                           .count = curves[i].count,
                           .x = curves[i].forces,
                           .y = curves[i].error,
                           .marker = markers[i % 5]});
  }
  plot_write(figure, out->svg);
  plot_free(figure);
}

static void race(const output *out, work_model *w)
{
  static curve curves[SCHEMES + 2];
  int count = 0;
  must(w->sys != NULL, "no system");
  own_force = w->sys->def.force;
  w->sys->def.force = count_force;
  refine(w);
  if (out->csv) {
    fprintf(out->csv, "way,parameter,forces,error,seconds\n");
  }
  for (int32_t id = 0; nsd_scheme_of(id) && id < SCHEMES; id++) {
    curve *c = &curves[count++];
    *c = (curve){.label = nsd_scheme_of(id)->name};
    for (double dt = w->dt_most; dt > w->dt_least; dt *= 0.5) {
      const outcome o = run_steps(w, id, dt, 0.0);
      add(out, c, dt, &o);
    }
  }
  curve *c = &curves[count++];
  *c = (curve){.label = "moreau, adaptive"};
  for (double tol = 1e-2; tol > w->least_tol; tol *= 0.1) {
    const outcome o = run_steps(w, NSDYN_SCHEME_MOREAU, w->dt_most, tol);
    add(out, c, tol, &o);
  }
  if (w->by_events) {
    c = &curves[count++];
    *c = (curve){.label = "events"};
    for (double tol = 1e-3; tol > 0.5e-11; tol *= 0.1) {
      const outcome o = run_events(w, tol);
      add(out, c, tol, &o);
    }
  }
  if (out->svg) {
    draw_curves(out, w->title, "evaluations of forces", "1", curves, count);
  }
}

/* ---- orders ---- */

/* q̈ = −q from q = 1: the largest error of q and q̇ over 4 s. */
static double smooth_error(int32_t scheme, double dt)
{
  static model m;
  nsdyn_system *sys = NULL;
  nsdyn_stepper *s = NULL;
  nsdyn_stepper_options options;
  double most = 0.0;
  nsdyn_stepper_options_init(&options, sizeof options);
  options.scheme = scheme;
  model_clear(&m, 1);
  m.K[0] = 1.0;
  must(model_system(&m, NULL, MACHINE_FLAGS, 0, &sys) == NSDYN_OK &&
           nsdyn_stepper_new(NULL, sys, &options, &s, NULL) == NSDYN_OK,
       "no oscillator");
  must(nsdyn_stepper_set_state(s, 0.0, &(double){1.0}, &(double){0.0}) == NSDYN_OK, "no state");
  while (nsdyn_stepper_time(s) < 4.0) {
    must(nsdyn_stepper_step(s, dt) == NSDYN_OK, nsdyn_stepper_message(s));
    const double t = nsdyn_stepper_time(s);
    most = fmax(most, hypot(nsdyn_stepper_q(s)[0] - cos(t), nsdyn_stepper_u(s)[0] + sin(t)));
  }
  nsdyn_stepper_free(s);
  nsdyn_system_free(sys);
  return most;
}

/* A ball through its first two impacts, ε = 0.7: the largest error of its height over 1.4 s. */
static double impact_error(int32_t scheme, double dt)
{
  static const exact_bounce ball = {.g = 10.0, .eps = 0.7, .y = 1.0, .v = 0.3};
  static model m;
  nsdyn_system *sys = NULL;
  nsdyn_stepper *s = NULL;
  nsdyn_stepper_options options;
  double most = 0.0;
  nsdyn_stepper_options_init(&options, sizeof options);
  options.scheme = scheme;
  machine_ball(&ball, &m);
  must(model_system(&m, NULL, MACHINE_FLAGS, 0, &sys) == NSDYN_OK &&
           nsdyn_stepper_new(NULL, sys, &options, &s, NULL) == NSDYN_OK,
       "no ball");
  must(nsdyn_stepper_set_state(s, 0.0, &ball.y, &ball.v) == NSDYN_OK, "no state");
  while (nsdyn_stepper_time(s) < 1.4) {
    double y, v;
    must(nsdyn_stepper_step(s, dt) == NSDYN_OK, nsdyn_stepper_message(s));
    (void)exact_bounce_at(&ball, nsdyn_stepper_time(s), &y, &v);
    most = fmax(most, fabs(nsdyn_stepper_q(s)[0] - y));
  }
  nsdyn_stepper_free(s);
  nsdyn_system_free(sys);
  return most;
}

/* A line of slope `order` through (x, y) at its right end. */
static void add_slope(plot_figure *figure, int column, double x, double y, int order, const char *label)
{
  const double xs[2] = {x * 1e-3, x}, ys[2] = {y * pow(1e-3, order), y};
  plot_add(figure, 0, column,
           &(plot_curve){.label = label,
                         .count = 2,
                         .x = xs,
                         .y = ys,
                         .color = PLOT_GRAY,
                         .dash = order == 1 ? PLOT_DASHED : PLOT_DOTTED});
}

static void converge(const output *out)
{
  static const int markers[] = {PLOT_DISK, PLOT_RING, PLOT_SQUARE, PLOT_TRIANGLE, PLOT_CROSS};
  static double (*const errors[2])(int32_t, double) = {smooth_error, impact_error};
  static const char *const titles[2] = {"where nothing hits: an oscillator", "through two impacts: a ball"};
  plot_figure *figure = plot_new(1, 2);
  plot_set_panel_size(figure, 460.0, 400.0);
  plot_set_description(
      figure, "Error over the length of steps, of all schemes, on a smooth piece and through impacts");
  if (out->csv) {
    fprintf(out->csv, "scheme,dt,smooth,impacts\n");
  }
  for (int column = 0; column < 2; column++) {
    plot_set_axes(figure, 0, column,
                  &(plot_axes){.title = titles[column],
                               .x = {.name = "Δt", .unit = "s", .log = 1},
                               .y = {.name = "error", .unit = column ? "m" : "1", .log = 1}});
    add_slope(figure, column, 0.1, column ? 2.0 : 0.2, 1, column ? NULL : "Δt");
  }
  add_slope(figure, 0, 0.1, 1e-3, 2, "Δt^2");
  for (int32_t id = 0; nsd_scheme_of(id); id++) {
    double steps[LADDER], error[2][LADDER];
    int count = 0;
    for (double dt = 0.1; dt > 1.2e-4; dt *= 0.7) {
      steps[count] = dt;
      for (int column = 0; column < 2; column++) {
        error[column][count] = errors[column](id, dt);
      }
      if (out->csv) {
        fprintf(out->csv, "%s,%.6g,%.6g,%.6g\n", nsd_scheme_of(id)->name, dt, error[0][count],
                error[1][count]);
      }
      count++;
    }
    for (int column = 0; column < 2; column++) {
      plot_add(figure, 0, column,
               &(plot_curve){.label = column ? NULL : nsd_scheme_of(id)->name,
                             .count = count,
                             .x = steps,
                             .y = error[column],
                             .color = PLOT_BLUE + id,
                             .dash = PLOT_SOLID,
                             .marker = markers[id % 5]});
    }
  }
  if (out->svg) {
    plot_write(figure, out->svg);
  }
  plot_free(figure);
}

/* ---- drift ---- */

/* A pendulum of 1 m and 1 kg in Cartesian coordinates, let go at 0.6 m beside its pivot. */
static int rod_mass(void *user, double t, const double *q, double *M)
{
  (void)user, (void)t, (void)q;
  M[0] = M[3] = 1.0;
  return 0;
}

static int rod_force(void *user, double t, const double *q, const double *u, double *h)
{
  (void)user, (void)t, (void)q, (void)u;
  h[1] = -9.81;
  return 0;
}

static int rod(void *user, double t, const double *q, double *g_b, double *W_b, double *w_hat_b)
{
  const double r = hypot(q[0], q[1]);
  (void)user, (void)t;
  g_b[0] = r - 1.0;
  W_b[0] = q[0] / r;
  W_b[1] = q[1] / r;
  w_hat_b[0] = 0.0;
  return 0;
}

/* |g_b| and |Ė|: the largest so far, at ROWS times. What rounding leaves is drawn at the edge. */
enum { ROWS = 200 };

static void swing(int32_t scheme, int project, double dt, double *t, double *length, double *energy)
{
  static const double q[2] = {0.6, -0.8}, u[2] = {0.0, 0.0};
  nsdyn_system_def def;
  nsdyn_system *sys = NULL;
  nsdyn_stepper *s = NULL;
  nsdyn_stepper_options options;
  nsdyn_system_def_init(&def, sizeof def);
  def.nq = def.nu = 2;
  def.nconstraints = 1;
  def.mass = rod_mass;
  def.force = rod_force;
  def.constraint = rod;
  nsdyn_stepper_options_init(&options, sizeof options);
  options.scheme = scheme;
  options.project = project;
  must(nsdyn_system_new(NULL, &def, &sys, NULL) == NSDYN_OK &&
           nsdyn_stepper_new(NULL, sys, &options, &s, NULL) == NSDYN_OK,
       "no pendulum");
  must(nsdyn_stepper_set_state(s, 0.0, q, u) == NSDYN_OK, "no state");
  double most[2] = {least_error, least_error};
  for (int row = 0; row < ROWS; row++) {
    t[row] = 0.1 * (row + 1);
    while (nsdyn_stepper_time(s) < t[row] - 0.5 * dt) {
      must(nsdyn_stepper_step(s, dt) == NSDYN_OK, nsdyn_stepper_message(s));
      const double *x = nsdyn_stepper_q(s), *v = nsdyn_stepper_u(s);
      most[0] = fmax(most[0], fabs(hypot(x[0], x[1]) - 1.0));
      most[1] = fmax(most[1], fabs(0.5 * (v[0] * v[0] + v[1] * v[1]) + 9.81 * (x[1] + 0.8)) / 1.962);
    }
    length[row] = most[0];
    energy[row] = most[1];
  }
  nsdyn_stepper_free(s);
  nsdyn_system_free(sys);
}

static void drift(const output *out)
{
  static double t[ROWS], length[ROWS], energy[ROWS];
  plot_figure *figure = plot_new(1, 2);
  plot_set_panel_size(figure, 460.0, 400.0);
  plot_set_description(
      figure, "Largest error so far of a pendulum's length and of its energy, with and without projection");
  plot_set_axes(figure, 0, 0,
                &(plot_axes){.title = "length",
                             .x = {.name = "t", .unit = "s"},
                             .y = {.name = "largest |g_b| so far", .unit = "m", .log = 1}});
  plot_set_axes(figure, 0, 1,
                &(plot_axes){.title = "energy",
                             .x = {.name = "t", .unit = "s"},
                             .y = {.name = "largest error so far, over what swings", .unit = "1", .log = 1}});
  if (out->csv) {
    fprintf(out->csv, "scheme,project,dt,length,energy\n");
  }
  for (int32_t id = 0; nsd_scheme_of(id); id++) {
    for (int project = 0; project <= NSDYN_PROJECT_SPLIT; project++) {
      for (double dt = 1e-2; dt > 0.9e-4; dt *= 0.1) {
        swing(id, project, dt, t, length, energy);
        if (out->csv) {
          fprintf(out->csv, "%s,%d,%.3g,%.6g,%.6g\n", nsd_scheme_of(id)->name, project, dt, length[ROWS - 1],
                  energy[ROWS - 1]);
        }
        for (int column = 0; column < 2 && dt > 0.5e-2; column++) {
          plot_add(figure, 0, column,
                   &(plot_curve){.label = column || project ? NULL : nsd_scheme_of(id)->name,
                                 .count = ROWS,
                                 .x = t,
                                 .y = column ? energy : length,
                                 .color = PLOT_BLUE + id,
                                 .dash = project == NSDYN_PROJECT_SPLIT   ? PLOT_DOTTED
                                         : project == NSDYN_PROJECT_AFTER ? PLOT_DASHED
                                                                          : PLOT_SOLID});
        }
      }
    }
  }
  if (out->svg) {
    plot_write(figure, out->svg);
  }
  plot_free(figure);
}

int main(int argc, char **argv)
{
  enum { CONVERGENCE = 5, DRIFT = 6 };
  static const char *const words[] = {"woodpecker", "bounce",      "slider-crank", "sphere",
                                      "pile",       "convergence", "drift",        NULL};
  static void (*const make[])(work_model *) = {work_woodpecker, work_bounce, work_slider_crank, work_sphere,
                                               work_pile};
  static work_model w;
  int what = 0;
  const option table[] = {{.name = "what", .help = "which figure", .choice = &what, .choices = words}};
  output out;
  const int code =
      options_read(&out, argc, argv, "How near schemes come to what is exact, for how much work.", table,
                   (int)(sizeof table / sizeof *table));
  if (code != OPTIONS_GO) {
    return code;
  }
  if (what == CONVERGENCE) {
    converge(&out);
  } else if (what == DRIFT) {
    drift(&out);
  } else {
    make[what](&w);
    race(&out, &w);
  }
  return output_close(&out, 0);
}
