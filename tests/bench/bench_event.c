/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Work and precision: the woodpecker from Table I on over one period of its cycle, from event to event under
 * several tolerances and by steps of several lengths, against the exact solution. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench.h"
#include "common/plot.h"
#include "nsdyn/event.h"
#include "nsdyn/stepper.h"
#include "support/exact_woodpecker.h"
#include "toy_system.h"

/* Two races, since a period by the shortest steps takes thousands of times as long; the first contender of
 * both is the reference. */
static const char by_events[] = "woodpecker, events", by_steps[] = "woodpecker, steps";
static const double t_end = 0.146; /* s; no event is near */
static const double wanted = 1e-5; /* error of steps that the target is about */
static const char reference[] = "events 1e-9";

/* How large coordinates and velocities become: what errors are relative to. */
static const double sizes[6] = {0.02, 0.1, 0.5, 0.4, 30.0, 17.0};

static void must(int good, const char *what)
{
  if (!good) {
    fprintf(stderr, "bench_event: %s\n", what);
    exit(1);
  }
}

/* ---- runs ---- */

typedef struct way {
  const char *name, *label; /* in the figure */
  double tol, dt;           /* one of them; 0: the other */
  nsdyn_event_driver *driver;
  nsdyn_stepper *stepper;
  double error;
} way;

/* The first is what ratios refer to. */
static way ways[] = {
    {.name = reference, .label = "10^{-9}", .tol = 1e-9},
    {.name = "events 1e-3", .label = "10^{-3}", .tol = 1e-3},
    {.name = "events 1e-4", .label = "10^{-4}", .tol = 1e-4},
    {.name = "events 1e-5", .label = "10^{-5}", .tol = 1e-5},
    {.name = "events 1e-6", .label = "10^{-6}", .tol = 1e-6},
    {.name = "events 1e-7", .label = "10^{-7}", .tol = 1e-7},
    {.name = "events 1e-8", .label = "10^{-8}", .tol = 1e-8},
    {.name = "events 1e-10", .label = "10^{-10}", .tol = 1e-10},
    {.name = "events 1e-11", .label = "10^{-11}", .tol = 1e-11},
    {.name = "events 1e-12", .label = "10^{-12}", .tol = 1e-12},
    {.name = "steps 100 µs", .label = "100 µs", .dt = 1e-4},
    {.name = "steps 10 µs", .label = "10 µs", .dt = 1e-5},
    {.name = "steps 1 µs", .label = "1 µs", .dt = 1e-6},
    {.name = "steps 100 ns", .label = "100 ns", .dt = 1e-7},
    {.name = "steps 10 ns", .label = "10 ns", .dt = 1e-8},
};
enum { FIRST_STEPS = 10, WAYS = sizeof ways / sizeof *ways };

static const double *q_of(const way *w)
{
  return w->driver ? nsdyn_event_driver_q(w->driver) : nsdyn_stepper_q(w->stepper);
}

static const double *u_of(const way *w)
{
  return w->driver ? nsdyn_event_driver_u(w->driver) : nsdyn_stepper_u(w->stepper);
}

/* About dt long, so that they fill the time. */
static void run_steps(const way *w, double dt)
{
  floor_toy toy;
  floor_state begin;
  floor_begin(&toy, &begin);
  must(nsdyn_stepper_set_state(w->stepper, 0.0, begin.q, begin.u) == NSDYN_OK, "no state");
  const int64_t steps = (int64_t)ceil(t_end / dt);
  for (int64_t k = 0; k < steps; k++) {
    must(nsdyn_stepper_step(w->stepper, t_end / (double)steps) == NSDYN_OK, "a step fails");
  }
}

static void run(void *data)
{
  const way *w = data;
  if (w->stepper) {
    run_steps(w, w->dt);
  } else {
    floor_toy toy;
    floor_state begin;
    floor_begin(&toy, &begin);
    must(nsdyn_event_driver_set_state(w->driver, 0.0, begin.q, begin.u) == NSDYN_OK, "no state");
    must(nsdyn_event_driver_advance(w->driver, t_end) == NSDYN_OK, "a run from event to event fails");
  }
  bench_keep(q_of(w)[0]);
}

static void prepare(way *w, nsdyn_system *sys)
{
  if (w->tol > 0.0) {
    nsdyn_event_driver_options options;
    nsdyn_event_driver_options_init(&options, sizeof options);
    options.tol = w->tol;
    must(nsdyn_event_driver_new(NULL, sys, &options, &w->driver, NULL) == NSDYN_OK, "no driver");
  } else {
    must(nsdyn_stepper_new(NULL, sys, NULL, &w->stepper, NULL) == NSDYN_OK, "no stepper");
  }
}

/* ---- errors ---- */

static void solve_exactly(exact_state *s)
{
  exact_woodpecker p;
  exact_woodpecker_table(&p);
  must(exact_woodpecker_begin(&p, s) == EXACT_EVENT, "no exact beginning");
  exact_status status;
  do {
    status = exact_woodpecker_next(&p, t_end, s, NULL);
  } while (status == EXACT_EVENT);
  must(status == EXACT_END, "no exact solution");
}

static double distance(const way *w, const exact_state *exact)
{
  double error = 0.0;
  for (int i = 0; i < 3; i++) {
    error = fmax(error, fabs((double)(q_of(w)[i] - exact->q[i])) / sizes[i]);
    error = fmax(error, fabs((double)(u_of(w)[i] - exact->u[i])) / sizes[3 + i]);
  }
  return error;
}

/* An event may lie anywhere within its step, which makes the error of steps erratic: the root mean square
 * over several lengths, the last by a fifth longer than the first. */
static void measure_error(way *w, const exact_state *exact)
{
  enum { RUNS = 4 };
  if (w->driver) {
    run(w);
    w->error = distance(w, exact);
  } else {
    double squares = 0.0;
    for (int k = 0; k < RUNS; k++) {
      run_steps(w, w->dt * (1.0 + 0.05 * k));
      const double error = distance(w, exact);
      squares += error * error / RUNS;
    }
    w->error = sqrt(squares);
  }
}

static int is_wanted(const way *w)
{
  return w->stepper && w->error <= wanted;
}

/* ns a period; NaN: not measured */
static double time_of(const bench *b, const way *w)
{
  return bench_median(b, w->stepper ? by_steps : by_events, 3, w->name);
}

/* ---- the figure ---- */

static int by_error(const void *a, const void *b)
{
  const way *x = a, *y = b;
  return (x->error > y->error) - (x->error < y->error);
}

static void add_curve(plot_figure *figure, const bench *b, int is_stepped)
{
  way sorted[WAYS];
  double error[WAYS], time[WAYS];
  int count = 0;
  for (int i = 0; i < WAYS; i++) {
    if ((ways[i].stepper != NULL) == is_stepped && !isnan(time_of(b, &ways[i]))) {
      sorted[count++] = ways[i];
    }
  }
  qsort(sorted, (size_t)count, sizeof *sorted, by_error);
  for (int i = 0; i < count; i++) {
    error[i] = sorted[i].error;
    time[i] = 1e-6 * time_of(b, &sorted[i]);
    plot_add_text(figure, 0, 0, error[i], time[i], is_stepped ? -10.0 : 8.0, is_stepped ? 4.0 : 16.0,
                  is_stepped ? 1 : -1, sorted[i].label);
  }
  plot_add(figure, 0, 0,
           &(plot_curve){.label = is_stepped ? "steps, by their length" : "from event to event, by tolerance",
                         .count = count,
                         .x = error,
                         .y = time,
                         .color = is_stepped ? PLOT_VERMILION : PLOT_BLUE,
                         .dash = is_stepped ? PLOT_DASHED : PLOT_SOLID,
                         .marker = is_stepped ? PLOT_SQUARE : PLOT_DISK});
}

static void draw(const bench *b)
{
  FILE *file = fopen(bench_figure(b), "w");
  must(file != NULL, "the figure cannot be written");
  plot_figure *figure = plot_new(1, 1);
  plot_set_panel_size(figure, 720.0, 420.0);
  plot_set_description(figure,
                       "Time that one period of the woodpecker takes against the error of its state, both "
                       "logarithmic, from event to event and by steps");
  plot_set_axes(
      figure, 0, 0,
      &(plot_axes){.title = "One period of the woodpecker",
                   .x = {.name = "error of the state after it", .log = 1, .low = 1e-13, .high = 1e-1},
                   .y = {.name = "time", .unit = "ms", .log = 1, .low = 0.1, .high = 1e4}});
  add_curve(figure, b, 0);
  add_curve(figure, b, 1);
  plot_write(figure, file);
  plot_free(figure);
  const int good = !ferror(file);
  must(fclose(file) == 0 && good, "the figure could not be written whole");
}

int main(int argc, char **argv)
{
  bench *b = bench_new("event", argc, argv);
  floor_toy toy;
  floor_state begin;
  exact_state exact;
  nsdyn_system *sys;
  bench_contender contenders[WAYS];
  floor_begin(&toy, &begin);
  solve_exactly(&exact);
  must(toy_system(&toy, NSDYN_CONSTANT_MASS | NSDYN_CONSTANT_DIRECTIONS, &sys) == NSDYN_OK, "no system");
  for (int i = 0; i < WAYS; i++) {
    prepare(&ways[i], sys);
    contenders[i] = (bench_contender){.name = ways[i].name, .run = run, .own = &ways[i]};
  }
  bench_race(b, by_events, 3, 1, contenders, FIRST_STEPS, NULL);
  contenders[FIRST_STEPS - 1] = contenders[0];
  bench_race(b, by_steps, 3, 1, contenders + FIRST_STEPS - 1, WAYS - FIRST_STEPS + 1, NULL);
  const way *peer = NULL;
  for (int i = 0; i < WAYS; i++) {
    if (!isnan(time_of(b, &ways[i]))) {
      measure_error(&ways[i], &exact);
      printf("error of %-14s %.1e\n", ways[i].name, ways[i].error);
      peer = is_wanted(&ways[i]) && (!peer || ways[i].dt > peer->dt) ? &ways[i] : peer;
    }
  }
  if (peer) {
    bench_target(b, by_steps, 3, peer->name, 100.0); /* must: 1 */
  }
  if (bench_figure(b)) {
    draw(b);
  }
  for (int i = 0; i < WAYS; i++) {
    nsdyn_event_driver_free(ways[i].driver);
    nsdyn_stepper_free(ways[i].stepper);
  }
  nsdyn_system_free(sys);
  return bench_finish(b);
}
