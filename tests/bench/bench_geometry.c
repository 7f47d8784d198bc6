/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* One search for touches of two bodies that touch, over the number of their points: round ones, smooth ones
 * with seven lobes, and rough ones, every point of which is at random up to a tenth deeper. Poses are found
 * by halving an interval, with a penetration of 1e-9.
 *
 * And one step of a broad phase: 10 000 bodies, all of which move, each with three or four neighbours; each
 * tells its box, and all pairs within a margin are visited. */
#include <math.h>
#include <nsdyn/nsdyn.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench.h"

enum { POSES = 16 };

typedef struct touching {
  nsdyn_shape *shape[2];
  nsdyn_detector *detector;
  double pose[POSES][2][3];
} touching;

static void stop(const char *why)
{
  fprintf(stderr, "bench_geometry: %s\n", why);
  exit(1);
}

static double radius_of(int kind, double angle, unsigned long long *state)
{
  return kind == 0 ? 1.0 : kind == 1 ? 0.95 + 0.05 * sin(7.0 * angle) : 0.95 + 0.05 * bench_random(state);
}

static nsdyn_shape *make_shape(int kind, int n, unsigned long long *state)
{
  double *p = malloc(2 * (size_t)n * sizeof *p);
  nsdyn_shape_def def;
  nsdyn_shape *shape = NULL;
  if (!p) {
    stop("no memory");
    return NULL;
  }
  for (int i = 0; i < n; i++) {
    const double angle = 6.283185307179586 * i / n, r = radius_of(kind, angle, state);
    p[2 * (size_t)i] = r * cos(angle);
    p[2 * (size_t)i + 1] = r * sin(angle);
  }
  nsdyn_shape_def_init(&def, sizeof def);
  def.count = n;
  def.points = p;
  if (nsdyn_shape_new(NULL, &def, &shape, NULL)) {
    stop("a shape was refused");
  }
  free(p);
  return shape;
}

static int touches(const touching *t, const double (*pose)[3], double margin)
{
  nsdyn_detector_result result = {.size = sizeof result};
  if (nsdyn_detector_search(t->detector, t->shape[0], pose[0], t->shape[1], pose[1], margin, &result)) {
    stop("a search failed");
  }
  int inside = result.is_deep;
  for (int32_t i = 0; i < result.touches; i++) {
    nsdyn_touch touch = {.size = sizeof touch};
    nsdyn_detector_touch(t->detector, i, &touch);
    inside |= touch.gap < 0.0;
  }
  return inside;
}

static touching make(int kind, int n)
{
  unsigned long long state = 7;
  touching t;
  t.shape[0] = make_shape(kind, n, &state);
  t.shape[1] = make_shape(kind, n, &state);
  if (nsdyn_detector_new(NULL, NULL, &t.detector, NULL)) {
    stop("no detector");
  }
  for (int k = 0; k < POSES; k++) {
    double(*pose)[3] = t.pose[k], low = 0.5, high = 2.5;
    const double way = 3.0 * bench_random(&state);
    for (int a = 0; a < 3; a++) {
      pose[0][a] = bench_random(&state);
    }
    pose[1][2] = 3.0 * bench_random(&state);
    for (int round = 0; round < 50; round++) {
      const double far = 0.5 * (low + high);
      pose[1][0] = pose[0][0] + far * cos(way);
      pose[1][1] = pose[0][1] + far * sin(way);
      *(touches(&t, (const double(*)[3])pose, 1e-6) ? &low : &high) = far;
    }
    pose[1][0] = pose[0][0] + (low - 1e-9) * cos(way);
    pose[1][1] = pose[0][1] + (low - 1e-9) * sin(way);
  }
  return t;
}

static void run(void *data)
{
  const touching *t = data;
  for (int k = 0; k < POSES; k++) {
    nsdyn_detector_result result = {.size = sizeof result};
    nsdyn_detector_search(t->detector, t->shape[0], t->pose[k][0], t->shape[1], t->pose[k][1], 1e-6, &result);
    bench_keep(result.depth + result.touches);
  }
}

/* ---- the broad phase ---- */

enum { BODIES = 10000, STEPS = 20, SIDE = 100 };

typedef struct crowd {
  nsdyn_broad_phase *broad;
  double place[BODIES][2], velocity[BODIES][2];
  int64_t pairs;
} crowd;

static crowd crowded;

static int count_pair(void *user, int32_t first, int32_t second)
{
  (void)first, (void)second;
  ((crowd *)user)->pairs++;
  return 0;
}

/* Bodies of size 1 on a grid of 1.2, each at up to 0.02 a step. */
static void make_crowd(crowd *c)
{
  unsigned long long state = 3;
  nsdyn_broad_phase_options options;
  nsdyn_broad_phase_options_init(&options, sizeof options);
  options.reach = 0.05;
  options.fat = 0.12;
  if (nsdyn_broad_phase_new(NULL, &options, &c->broad, NULL)) {
    stop("no broad phase");
  }
  for (int i = 0; i < BODIES; i++) {
    for (int a = 0; a < 2; a++) {
      c->place[i][a] = 1.2 * (a ? i / SIDE : i % SIDE) + 0.1 * bench_random(&state);
      c->velocity[i][a] = 0.02 * bench_random(&state);
    }
  }
}

static void move_crowd(void *data)
{
  crowd *c = data;
  for (int step = 0; step < STEPS; step++) {
    for (int i = 0; i < BODIES; i++) {
      double *x = c->place[i], *v = c->velocity[i];
      for (int a = 0; a < 2; a++) { /* within the whole field */
        v[a] = x[a] < 0.0 ? fabs(v[a]) : x[a] > 1.2 * SIDE ? -fabs(v[a]) : v[a];
        x[a] += v[a];
      }
      const double box[4] = {x[0], x[1], x[0] + 1.0, x[1] + 1.0};
      nsdyn_broad_phase_set(c->broad, i, box);
    }
    nsdyn_broad_phase_pairs(c->broad, 0.05, count_pair, c);
  }
  bench_keep((double)c->pairs);
}

static void race_crowd(bench *b)
{
  static const char *const work = "step of a broad phase";
  if (!bench_wants(b, work, BODIES)) {
    return;
  }
  make_crowd(&crowded);
  const bench_contender ours = {.name = "nsdyn", .run = move_crowd};
  bench_race(b, work, BODIES, STEPS, &ours, 1, &crowded);
  bench_limit(b, work, BODIES, "nsdyn", 1e6);
  nsdyn_broad_phase_free(crowded.broad);
}

int main(int argc, char **argv)
{
  static const char *const kinds[] = {"touching, round", "touching, lobes", "touching, rough"};
  bench *b = bench_new("geometry", argc, argv);
  for (int kind = 0; kind < 3; kind++) {
    for (int n = 20; n <= 20000; n *= 10) {
      if (!bench_wants(b, kinds[kind], n)) {
        continue;
      }
      touching t = make(kind, n);
      const bench_contender ours = {.name = "nsdyn", .run = run};
      bench_race(b, kinds[kind], n, POSES, &ours, 1, &t);
      if (n == 2000) {
        bench_limit(b, kinds[kind], n, "nsdyn", 10000.0);
      }
      nsdyn_detector_free(t.detector);
      nsdyn_shape_free(t.shape[0]);
      nsdyn_shape_free(t.shape[1]);
    }
  }
  race_crowd(b);
  return bench_finish(b);
}
