/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* How a step grows with the scene: a wall of spheres at rest, five layers high and ever longer, whose
 * contacts are known without any detection. One line per length: contacts, steps, time and rounds of a step,
 * time per contact and round of the solver, and the most memory that the stepper and its system have held at
 * any time.
 *
 * Options: --contacts N (about; 0: 100, 1000 and 10 000), --steps N, --slope S (tangent of the floor's). */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/bodies.h"

enum { LAYERS = 5 };

/* Memory that is held, and the most of it. */
typedef struct held {
  size_t now, most;
} held;

static void *allocate(void *user, size_t bytes, size_t alignment)
{
  held *h = user;
  h->now += bytes;
  h->most = h->now > h->most ? h->now : h->most;
  return aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
}

static void release(void *user, void *memory, size_t bytes)
{
  ((held *)user)->now -= bytes;
  free(memory);
}

static void stop(const char *why)
{
  fprintf(stderr, "bench_growth: %s\n", why);
  exit(1);
}

static void *room(size_t count, size_t size)
{
  void *memory = calloc(count, size);
  return memory ? memory : (stop("no memory"), NULL);
}

/* Spheres of radius 1/2, apart by a hundredth in their layers, each above a gap of the layer below. */
typedef struct wall {
  bodies all;
  int pairs;
  int (*pair)[2]; /* above, below, which may be FIXED */
} wall;

static int find(void *user, double t, const double *q, const double *u, double margin,
                nsdyn_contact_sink *sink)
{
  const wall *w = user;
  (void)t, (void)u;
  for (int k = 0; k < w->pairs; k++) {
    const int i = w->pair[k][0], j = w->pair[k][1];
    const double *x = q + (ptrdiff_t)7 * i;
    double n[3] = {0.0, 0.0, 1.0}, gap = x[2] - 0.5;
    if (j != FIXED) {
      const double *y = q + (ptrdiff_t)7 * j;
      for (int c = 0; c < 3; c++) {
        n[c] = x[c] - y[c];
      }
      const double far = sqrt(vector_dot(n, n));
      for (int c = 0; c < 3; c++) {
        n[c] /= far;
      }
      gap = far - 1.0;
    }
    if (gap > margin) {
      continue;
    }
    const double on[3] = {x[0] - 0.5 * n[0], x[1] - 0.5 * n[1], x[2] - 0.5 * n[2]};
    const touch c = {.key = k, .gap = gap, .body = {i, j}, .point = {on, on}, .n = n};
    if (bodies_touch(&w->all, q, sink, &c)) {
      return -1;
    }
  }
  return 0;
}

/* `long_` spheres on the floor. */
static void build(wall *w, int length, double slope, double **q)
{
  const double apart = 1.01, up = sqrt(1.0 - 0.25 * apart * apart);
  const int count = LAYERS * length - LAYERS * (LAYERS - 1) / 2;
  *w = (wall){.all = {.count = count, .gravity = {9.81 * slope, 0.0, -9.81}}};
  body *ball = room((size_t)count, sizeof *ball);
  w->all.body = ball;
  w->all.block = room((size_t)count, sizeof *w->all.block);
  w->pair = room(2 * (size_t)count, sizeof *w->pair);
  *q = room(7 * (size_t)count, sizeof **q);
  for (int layer = 0, i = 0, below = 0; layer < LAYERS; layer++) {
    const int begin = i;
    for (int k = 0; k < length - layer; k++, i++) {
      double *x = *q + (ptrdiff_t)7 * i;
      ball[i] = (body){.m = 1.0, .J = {0.1, 0.1, 0.1}};
      x[0] = (k + 0.5 * layer) * apart;
      x[2] = 0.5 + layer * up;
      x[3] = 1.0;
      for (int s = 0; s < (layer ? 2 : 1); s++) {
        w->pair[w->pairs][0] = i;
        w->pair[w->pairs++][1] = layer ? below + k + s : FIXED;
      }
    }
    below = begin;
  }
}

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void measure(int contacts, int steps, double slope)
{
  wall w;
  double *q;
  build(&w, (contacts + 2 * LAYERS) / (2 * LAYERS - 1) + LAYERS / 2, slope, &q);
  double *u = room(6 * (size_t)w.all.count, sizeof *u);
  held h = {0};
  nsdyn_context_def memory;
  nsdyn_context *ctx;
  nsdyn_context_def_init(&memory, sizeof memory);
  memory.user = &h;
  memory.allocate = allocate;
  memory.release = release;
  nsdyn_system_def def;
  nsdyn_system *sys;
  nsdyn_stepper *stepper;
  nsdyn_stepper_options options;
  nsdyn_contact_law law;
  int32_t number;
  bodies_define(&w.all, &def);
  def.find = find;
  nsdyn_stepper_options_init(&options, sizeof options);
  options.check = 0;
  nsdyn_contact_law_init(&law, sizeof law);
  law.tangents = 2;
  law.mu = 0.5;
  if (nsdyn_context_new(&memory, &ctx, NULL) || nsdyn_system_new(ctx, &def, &sys, NULL) ||
      nsdyn_system_add_law(sys, &law, &number) || nsdyn_stepper_new(ctx, sys, &options, &stepper, NULL) ||
      nsdyn_stepper_set_state(stepper, 0.0, q, u)) {
    stop("no stepper");
  }
  nsdyn_step_report report;
  nsdyn_step_report_init(&report, sizeof report);
  double first = 0.0, rest = 0.0, iterations = 0.0;
  int32_t first_iterations = 0;
  for (int k = 0; k < steps; k++) {
    const double begin = now();
    if (nsdyn_stepper_step(stepper, 1e-3)) {
      stop(nsdyn_stepper_message(stepper));
    }
    *(k ? &rest : &first) += now() - begin;
    nsdyn_stepper_report(stepper, &report);
    iterations += k ? report.iterations : 0;
    first_iterations = k ? first_iterations : report.iterations;
  }
  const double n = report.active, more = steps > 1 ? steps - 1.0 : 1.0;
  printf(
      "%6d contacts  first step %9.3f ms (%4d)  others %9.3f ms (%5.1f)  %7.0f ns per contact, %6.0f B per "
      "contact, %5.0f kB\n",
      report.active, 1e3 * first, (int)first_iterations, 1e3 * rest / more, iterations / more,
      1e9 * rest / more / n, (double)h.most / n, (double)h.most / 1024.0);
  fflush(stdout);
  nsdyn_stepper_free(stepper);
  nsdyn_system_free(sys);
  nsdyn_context_free(ctx);
  free((void *)w.all.body);
  free(w.all.block);
  free(w.pair);
  free(q);
  free(u);
}

int main(int argc, char **argv)
{
  int contacts = 0, steps = 20;
  double slope = 0.0;
  for (int i = 1; i + 1 < argc; i += 2) {
    if (strcmp(argv[i], "--contacts") == 0) {
      contacts = (int)strtol(argv[i + 1], NULL, 10);
    } else if (strcmp(argv[i], "--steps") == 0) {
      steps = (int)strtol(argv[i + 1], NULL, 10);
    } else if (strcmp(argv[i], "--slope") == 0) {
      slope = strtod(argv[i + 1], NULL);
    } else {
      stop("what is that option?");
    }
  }
  if (contacts) {
    measure(contacts, steps, slope);
    return 0;
  }
  static const int sizes[] = {100, 1000, 10000};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    measure(sizes[i], steps, slope);
  }
  return 0;
}
