/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>
#include <nsdyn/nsdyn.h>
#include <string.h>

#include "shapes.h"

enum { BODIES = 40 };

typedef struct world {
  nsdyn_broad_phase *broad;
  double box[BODIES][4];
  int there[BODIES];
  int seen[BODIES][BODIES], met[BODIES];
} world;

static double apart(const double *a, const double *b)
{
  return fmax(fmax(a[0] - b[2], b[0] - a[2]), fmax(a[1] - b[3], b[1] - a[3]));
}

static int see_pair(void *user, int32_t first, int32_t second)
{
  world *w = user;
  REQUIRE(first >= 0 && first < second && second < BODIES);
  w->seen[first][second]++;
  return 0;
}

static int see_body(void *user, int32_t id)
{
  ((world *)user)->met[id]++;
  return 0;
}

static void move(world *w, random_state *random)
{
  const int id = random_below(random, BODIES);
  if (w->there[id] && random_below(random, 8) == 0) {
    REQUIRE(nsdyn_broad_phase_remove(w->broad, id) == NSDYN_OK);
    w->there[id] = 0;
    return;
  }
  double *box = w->box[id];
  if (!w->there[id] || random_below(random, 4) == 0) { /* anywhere, or a little further */
    for (int a = 0; a < 2; a++) {
      box[a] = random_between(random, -5.0, 5.0);
      box[2 + a] = box[a] + 2.0 * random_unit(random);
    }
  } else {
    for (int a = 0; a < 2; a++) {
      const double by = random_between(random, -0.1, 0.1);
      box[a] += by;
      box[2 + a] += by;
    }
  }
  REQUIRE(nsdyn_broad_phase_set(w->broad, id, box) == NSDYN_OK);
  w->there[id] = 1;
}

static void judge_pairs(world *w, double margin, int k)
{
  memset(w->seen, 0, sizeof w->seen);
  REQUIRE(nsdyn_broad_phase_pairs(w->broad, margin, see_pair, w) == NSDYN_OK);
  for (int i = 0; i < BODIES; i++) {
    for (int j = i + 1; j < BODIES; j++) {
      const double d = apart(w->box[i], w->box[j]);
      const int expected = w->there[i] && w->there[j] && d <= margin;
      REQUIRE(w->seen[i][j] == expected || fabs(d - margin) < 1e-12, "case %d: %d and %d, margin %g", k, i, j,
              margin);
    }
  }
}

/* Segment and box by clipping, the judge's own way. */
static int clip(const double *from, const double *to, const double *box)
{
  double low = 0.0, high = 1.0;
  for (int a = 0; a < 2; a++) {
    const double d = to[a] - from[a];
    if (d == 0.0) {
      low = from[a] < box[a] || from[a] > box[2 + a] ? 2.0 : low;
      continue;
    }
    const double s = (box[a] - from[a]) / d, t = (box[2 + a] - from[a]) / d;
    low = fmax(low, fmin(s, t));
    high = fmin(high, fmax(s, t));
  }
  return low <= high;
}

static double twice_as_far(void *user, int32_t id, const double *x)
{
  const double *box = ((world *)user)->box[id];
  return 2.0 *
         hypot(fmax(0.0, fmax(box[0] - x[0], x[0] - box[2])), fmax(0.0, fmax(box[1] - x[1], x[1] - box[3])));
}

static void judge_questions(world *w, random_state *random, int k)
{
  double x[4];
  for (int a = 0; a < 4; a++) {
    x[a] = random_between(random, -6.0, 6.0);
  }
  const double box[4] = {fmin(x[0], x[2]), fmin(x[1], x[3]), fmax(x[0], x[2]), fmax(x[1], x[3])};
  memset(w->met, 0, sizeof w->met);
  REQUIRE(nsdyn_broad_phase_overlap(w->broad, box, see_body, w) == NSDYN_OK);
  for (int i = 0; i < BODIES; i++) {
    REQUIRE(w->met[i] == (w->there[i] && apart(w->box[i], box) <= 0.0), "case %d", k);
  }
  memset(w->met, 0, sizeof w->met);
  REQUIRE(nsdyn_broad_phase_ray(w->broad, x, x + 2, see_body, w) == NSDYN_OK);
  for (int i = 0; i < BODIES; i++) {
    REQUIRE(w->met[i] == (w->there[i] && clip(x, x + 2, w->box[i])), "case %d: ray", k);
  }
  int32_t id;
  double least, expected = INFINITY;
  REQUIRE(nsdyn_broad_phase_nearest(w->broad, x, k % 2 ? twice_as_far : NULL, w, &id, &least) == NSDYN_OK);
  for (int i = 0; i < BODIES; i++) {
    expected = w->there[i] ? fmin(expected, twice_as_far(w, i, x) * (k % 2 ? 1.0 : 0.5)) : expected;
  }
  REQUIRE((id < 0) == isinf(expected) && (id < 0 || fabs(least - expected) < 1e-12), "case %d: %g, %g", k,
          least, expected);
}

/* Bodies that come, go, jump and creep: the same pairs, overlaps, rays and nearest bodies as by looking at
 * all. */
START_TEST(as_by_looking_at_all)
{
  const int cases = random_cases(200);
  static world w;
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    nsdyn_broad_phase_options options;
    memset(&w, 0, sizeof w);
    ck_assert_int_eq(nsdyn_broad_phase_options_init(&options, sizeof options), NSDYN_OK);
    options.reach = k % 3 ? 0.2 : 0.0;
    options.fat = k % 2 ? 0.15 : 0.0;
    ck_assert_int_eq(nsdyn_broad_phase_new(NULL, &options, &w.broad, NULL), NSDYN_OK);
    for (int step = 0; step < 400; step++) {
      move(&w, &random);
      if (step % 10 == 0) {
        judge_pairs(&w, step % 20 ? options.reach : random_below(&random, 3) ? 0.7 : INFINITY, k);
        judge_pairs(&w, 0.5 * options.reach, k);
        judge_questions(&w, &random, k);
      }
    }
    nsdyn_broad_phase_free(w.broad);
  }
}
END_TEST

/* The box round a placed shape holds its points, and is no larger than turning makes it. */
START_TEST(boxes_of_shapes)
{
  const int cases = random_cases(2000);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    double p[2 * SHAPES_MOST], world_p[2 * SHAPES_MOST], box[4], pose[3];
    const int n = 3 + random_below(&random, 20);
    const double r = random_below(&random, 2) ? 0.0 : 0.3;
    shapes_star(&random, n, 0.5, p);
    for (int a = 0; a < 3; a++) {
      pose[a] = random_between(&random, -3.0, 3.0);
    }
    nsdyn_shape *shape = shapes_make(NSDYN_SHAPE_POLYGON, n, p, r);
    ck_assert_int_eq(nsdyn_shape_box(shape, pose, box), NSDYN_OK);
    shapes_place(n, p, pose, world_p);
    for (int i = 0; i < 2 * n; i++) {
      REQUIRE(world_p[i] - r >= box[i % 2] - 1e-14 && world_p[i] + r <= box[2 + i % 2] + 1e-14, "case %d", k);
    }
    REQUIRE(box[2] - box[0] <= 2.0 * (sqrt(2.0) + r), "case %d", k);
    nsdyn_shape_free(shape);
  }
}
END_TEST

static int stop(void *user, int32_t first, int32_t second)
{
  (void)first, (void)second;
  return ++*(int *)user;
}

static int stop_at_body(void *user, int32_t id)
{
  (void)id;
  return ++*(int *)user;
}

START_TEST(arguments)
{
  nsdyn_broad_phase_options options;
  nsdyn_broad_phase *broad = NULL;
  nsdyn_error error;
  const double box[4] = {0.0, 0.0, 1.0, 1.0}, turned[4] = {1.0, 0.0, 0.0, 1.0}, bad[4] = {0.0, 0.0, NAN, 1.0};
  int count = 0;
  int32_t id;
  nsdyn_error_init(&error, sizeof error);
  ck_assert_int_eq(nsdyn_broad_phase_options_init(&options, sizeof options), NSDYN_OK);
  options.fat = -1.0;
  ck_assert_int_eq(nsdyn_broad_phase_new(NULL, &options, &broad, &error), NSDYN_ERR_ARGUMENT);
  ck_assert_ptr_nonnull(strstr(error.message, "option fat"));
  options.fat = 0.0;
  options.reach = INFINITY;
  ck_assert_int_eq(nsdyn_broad_phase_new(NULL, &options, &broad, &error), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_broad_phase_new(NULL, NULL, NULL, NULL), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_broad_phase_new(NULL, NULL, &broad, NULL), NSDYN_OK);
  ck_assert_int_eq(nsdyn_broad_phase_nearest(broad, box, NULL, NULL, &id, NULL), NSDYN_OK);
  ck_assert_int_eq(id, -1);
  ck_assert_int_eq(nsdyn_broad_phase_set(broad, 3, box), NSDYN_OK);
  ck_assert_int_eq(nsdyn_broad_phase_set(broad, 1, box), NSDYN_OK);
  ck_assert_int_eq(nsdyn_broad_phase_set(broad, -1, box), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_broad_phase_set(broad, 1 << 26, box), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_broad_phase_set(broad, 1, turned), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_broad_phase_set(broad, 1, bad), NSDYN_ERR_NOT_FINITE);
  ck_assert_ptr_nonnull(strstr(nsdyn_broad_phase_message(broad), "body 1"));
  ck_assert_int_eq(nsdyn_broad_phase_remove(broad, 2), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_broad_phase_pairs(broad, 0.0, stop, &count), NSDYN_STOPPED);
  ck_assert_int_eq(nsdyn_broad_phase_pairs(broad, 1.0, stop, &count), NSDYN_STOPPED);
  ck_assert_int_eq(count, 2);
  ck_assert_int_eq(nsdyn_broad_phase_pairs(broad, NAN, stop, &count), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_broad_phase_pairs(broad, 0.0, NULL, &count), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_broad_phase_overlap(broad, box, stop_at_body, &count), NSDYN_STOPPED);
  ck_assert_int_eq(nsdyn_broad_phase_overlap(broad, bad, stop_at_body, &count), NSDYN_ERR_NOT_FINITE);
  ck_assert_int_eq(nsdyn_broad_phase_ray(broad, box, box + 2, stop_at_body, &count), NSDYN_STOPPED);
  ck_assert_int_eq(nsdyn_broad_phase_ray(broad, box, bad + 2, stop_at_body, &count), NSDYN_ERR_NOT_FINITE);
  ck_assert_int_eq(nsdyn_broad_phase_nearest(broad, bad + 2, NULL, NULL, &id, NULL), NSDYN_ERR_NOT_FINITE);
  ck_assert_int_eq(nsdyn_broad_phase_nearest(broad, NULL, NULL, NULL, &id, NULL), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_shape_box(NULL, box, NULL), NSDYN_ERR_ARGUMENT);
  ck_assert_str_eq(nsdyn_broad_phase_message(NULL), "");
  nsdyn_broad_phase_free(broad);
  nsdyn_broad_phase_free(NULL);
}
END_TEST

SUITE("geometry/broad_phase", TEST(as_by_looking_at_all), TEST(boxes_of_shapes), TEST(arguments))
