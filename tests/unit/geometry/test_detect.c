/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "geometry/detect.h"

#include <string.h>

#include "shapes.h"

enum { MOST = 24 };

typedef struct pair {
  int n, m;
  double p[2 * MOST], q[2 * MOST], at[2][3];
  double first[2 * MOST], second[2 * MOST]; /* in the world */
  nsdyn_shape *shape[2];
} pair;

static void random_shape(random_state *random, int *n, double *p, nsdyn_shape **shape)
{
  *n = 3 + random_below(random, random_below(random, 2) ? 6 : MOST - 3);
  if (random_below(random, 2)) {
    shapes_wild(random, *n, p);
  } else {
    shapes_star(random, *n, random_unit(random) * 0.7, p);
  }
  *shape = shapes_make(NSDYN_SHAPE_POLYGON, *n, p, 0.0);
}

static void random_pair(random_state *random, pair *x)
{
  random_shape(random, &x->n, x->p, &x->shape[0]);
  random_shape(random, &x->m, x->q, &x->shape[1]);
}

static void put(pair *x)
{
  shapes_place(x->n, x->p, x->at[0], x->first);
  shapes_place(x->m, x->q, x->at[1], x->second);
}

static void random_places(random_state *random, pair *x)
{
  for (int k = 0; k < 2; k++) {
    const double far = random_below(random, 4) ? 1.3 : 0.3;
    x->at[k][0] = far * random_between(random, -1.0, 1.0);
    x->at[k][1] = far * random_between(random, -1.0, 1.0);
    x->at[k][2] = random_between(random, -4.0, 4.0);
  }
  put(x);
}

static void drop(pair *x)
{
  nsdyn_shape_free(x->shape[0]);
  nsdyn_shape_free(x->shape[1]);
}

/* The smallest gap among touches; INFINITY where there is none. */
static double least_gap(const nsd_search *s)
{
  double least = INFINITY;
  for (int i = 0; i < s->meetings; i++) {
    least = fmin(least, s->meeting[i].h - s->view.rounding);
  }
  return least;
}

static void run(nsd_search *s, const pair *x, double margin, double skin)
{
  REQUIRE(nsd_search_run(s, x->shape[0], x->at[0], x->shape[1], x->at[1], margin, skin) == NSDYN_OK);
}

/* Shapes that do not overlap have no gap below 0, and one of at most their distance; those that do have one,
 * or are told as too deep. By all pairs of edges. */
START_TEST(random_polygons)
{
  const int cases = random_cases(4000);
  int apart = 0, touching = 0, deep = 0;
  nsd_search s;
  nsd_search_init(&s, NULL);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    pair x;
    random_pair(&random, &x);
    for (int pose = 0; pose < 10; pose++) {
      random_places(&random, &x);
      const double skin = 0.05 * fmin(x.shape[0]->extent, x.shape[1]->extent);
      const double distance = shapes_apart(x.n, x.first, x.m, x.second);
      const int overlap = shapes_overlap(x.n, x.first, x.m, x.second);
      run(&s, &x, INFINITY, skin);
      const double least = least_gap(&s);
      if (overlap) {
        REQUIRE(least < 1e-12 || s.is_deep, "case %d, pose %d: least gap %g", k, pose, least);
        REQUIRE(s.is_deep || least >= -skin, "case %d, pose %d", k, pose);
        deep += s.is_deep;
        touching += !s.is_deep;
      } else {
        REQUIRE(!s.is_deep, "case %d, pose %d: deep by %g, apart by %g", k, pose, s.depth, distance);
        REQUIRE(least >= -1e-12 && least <= distance + 1e-12, "case %d, pose %d: gap %g, distance %g", k,
                pose, least, distance);
        apart++;
      }
    }
    drop(&x);
  }
  nsd_search_release(&s);
  REQUIRE(is_common(apart, 10 * cases, 10) && is_common(deep, 10 * cases, 10));
  REQUIRE(is_common(touching, 10 * cases, 300), "%d of %d", touching, 10 * cases);
}
END_TEST

/* Brought together until they touch, and a little further: in each other by so much, and never too deep. */
START_TEST(brought_together)
{
  const int cases = random_cases(4000);
  int found = 0;
  nsd_search s;
  nsd_search_init(&s, NULL);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    pair x;
    random_pair(&random, &x);
    random_places(&random, &x);
    const double way = random_between(&random, -4.0, 4.0), go[2] = {cos(way), sin(way)};
    x.at[0][0] = x.at[1][0] - 4.0 * go[0];
    x.at[0][1] = x.at[1][1] - 4.0 * go[1];
    put(&x);
    /* As far as they are apart there is no harm in going on: this ends where they touch. */
    double distance = shapes_apart(x.n, x.first, x.m, x.second), gone = 0.0;
    for (int step = 0; step < 400 && distance > 1e-13; step++) {
      gone += distance * (1.0 - 1e-9);
      x.at[0][0] = x.at[1][0] + (gone - 4.0) * go[0];
      x.at[0][1] = x.at[1][1] + (gone - 4.0) * go[1];
      put(&x);
      distance = shapes_apart(x.n, x.first, x.m, x.second);
      if (gone > 8.0) {
        break;
      }
    }
    if (distance > 1e-10 || gone > 8.0) {
      drop(&x);
      continue; /* they pass each other, or glide along */
    }
    const double deeper = 1e-6;
    run(&s, &x, 1e-9, 0.02);
    REQUIRE(s.meetings >= 1 && fabs(least_gap(&s)) <= 1e-9, "case %d: %d touches, gap %g", k, s.meetings,
            least_gap(&s));
    double n_least = 0.0;
    for (int i = 0; i < s.meetings; i++) {
      double n[2];
      nsd_frame_turn(&s.world, s.meeting[i].n, n);
      const double speed = (s.meeting[i].side ? -1.0 : 1.0) * (n[0] * go[0] + n[1] * go[1]);
      n_least = fmin(n_least, speed);
    }
    x.at[0][0] += deeper * go[0];
    x.at[0][1] += deeper * go[1];
    put(&x);
    run(&s, &x, 1e-9, 0.02);
    /* All gaps that were zero close at the speed of their normals; a thin tip may have gone through. */
    REQUIRE(!shapes_overlap(x.n, x.first, x.m, x.second) || s.is_deep || least_gap(&s) < 0.0, "case %d", k);
    REQUIRE(s.is_deep || least_gap(&s) >= n_least * deeper - 1e-9, "case %d: gap %g, expected %g", k,
            least_gap(&s), n_least * deeper);
    found++;
    drop(&x);
  }
  nsd_search_release(&s);
  REQUIRE(is_common(found, cases, 3), "%d of %d", found, cases);
}
END_TEST

/* A small triangle whose corner wanders round each corner of a polygon, as near as 1e-15: wherever it is, it
 * is in front of an edge, or in the polygon, and told so. */
START_TEST(round_every_corner)
{
  const int cases = random_cases(400), poses = 100;
  nsd_search s;
  nsd_search_init(&s, NULL);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    pair x;
    random_shape(&random, &x.n, x.p, &x.shape[0]);
    const double wide = random_between(&random, 0.1, 1.4), l = 0.02;
    const double tip[6] = {0.0, 0.0, l * cos(wide), -l * sin(wide), l * cos(wide), l * sin(wide)};
    x.m = 3;
    memcpy(x.q, tip, sizeof tip);
    x.shape[1] = shapes_make(NSDYN_SHAPE_POLYGON, 3, tip, 0.0);
    memset(x.at[0], 0, sizeof x.at[0]);
    for (int i = 0; i < poses; i++) {
      const double *corner = x.p + 2 * (i % x.n);
      const double r = 1e-2 * pow(10.0, -13.0 * random_unit(&random)),
                   round = random_between(&random, -4.0, 4.0);
      x.at[1][0] = corner[0] + r * cos(round);
      x.at[1][1] = corner[1] + r * sin(round);
      x.at[1][2] = random_between(&random, -4.0, 4.0);
      put(&x);
      run(&s, &x, 0.1, 0.01);
      const double least = least_gap(&s), distance = shapes_apart(x.n, x.first, x.m, x.second);
      if (shapes_overlap(x.n, x.first, x.m, x.second)) {
        REQUIRE(least < 1e-12 || s.is_deep, "case %d, pose %d: gap %g", k, i, least);
      } else {
        REQUIRE(least <= distance + 1e-12 && (least >= -1e-12 || distance < 1e-12) &&
                    (!s.is_deep || s.depth < 1e-12),
                "case %d, pose %d: gap %g, distance %g, deep %g", k, i, least, distance, s.depth);
      }
    }
    drop(&x);
  }
  nsd_search_release(&s);
}
END_TEST

/* Rounded polygons, circles, capsules: their least gap is the distance of what is rounded less the radii,
 * wherever that is not zero. */
START_TEST(rounded_shapes)
{
  const int cases = random_cases(4000);
  int near = 0, apart = 0;
  nsd_search s;
  nsd_search_init(&s, NULL);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    pair x;
    double radius[2];
    for (int i = 0; i < 2; i++) {
      double *p = i ? x.q : x.p;
      const int kind = random_below(&random, 3),
                n = kind == 0 ? 3 + random_below(&random, MOST - 3) : 3 - kind;
      radius[i] = random_between(&random, 0.02, 0.4);
      if (kind == 0) {
        shapes_wild(&random, n, p);
      } else {
        for (int a = 0; a < 2 * n; a++) {
          p[a] = random_between(&random, -0.7, 0.7);
        }
      }
      x.shape[i] = shapes_make(kind == 0   ? NSDYN_SHAPE_POLYGON
                               : kind == 1 ? NSDYN_SHAPE_CAPSULE
                                           : NSDYN_SHAPE_CIRCLE,
                               n, p, radius[i]);
      *(i ? &x.m : &x.n) = n;
      if (n == 1) { /* the judge knows edges only: one of no length to speak of */
        p[2] = p[0] + 1e-13;
        p[3] = p[1];
        *(i ? &x.m : &x.n) = 2;
      }
    }
    random_places(&random, &x);
    const double distance = shapes_apart(x.n, x.first, x.m, x.second), gap = distance - radius[0] - radius[1];
    const int overlap = shapes_overlap(x.n, x.first, x.m, x.second);
    run(&s, &x, INFINITY, 0.5);
    if (!overlap && gap > -0.5) {
      REQUIRE(!s.is_deep && fabs(least_gap(&s) - gap) < 1e-11, "case %d: %g, %g, deep %g", k, least_gap(&s),
              gap, s.depth);
      near += gap < 0.0;
      apart += gap > 0.0;
    }
    drop(&x);
  }
  nsd_search_release(&s);
  REQUIRE(is_common(near, cases, 20) && is_common(apart, cases, 5), "%d, %d of %d", near, apart, cases);
}
END_TEST

/* A rough profile touches a body above it as the solid below it would: the same vertices at the same edges,
 * at the same gaps. */
START_TEST(profiles)
{
  enum { POINTS = 20 };
  const int cases = random_cases(3000);
  int touching = 0;
  nsd_search s;
  nsd_search_init(&s, NULL);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    double p[2 * (POINTS + 2)];
    pair x;
    for (int i = 0; i < POINTS; i++) { /* from right to left, solid to the left: below */
      p[2 * i] = 0.5 * (POINTS - 1 - i);
      p[2 * i + 1] = 0.3 * random_unit(&random);
    }
    p[2 * POINTS] = 0.0;
    p[2 * POINTS + 1] = -9.0;
    p[2 * POINTS + 2] = 0.5 * (POINTS - 1);
    p[2 * POINTS + 3] = -9.0;
    random_shape(&random, &x.n, x.p, &x.shape[0]);
    nsdyn_shape *profile = shapes_make(NSDYN_SHAPE_PROFILE, POINTS, p, 0.0);
    nsdyn_shape *solid = shapes_make(NSDYN_SHAPE_POLYGON, POINTS + 2, p, 0.0);
    memset(x.at, 0, sizeof x.at);
    x.at[0][0] = random_between(&random, 2.0, 7.0);
    x.at[0][1] = random_between(&random, 0.6, 1.4);
    x.at[0][2] = random_between(&random, -4.0, 4.0);
    int count[2], deep[2];
    double least[2], sum[2];
    for (int i = 0; i < 2; i++) {
      x.shape[1] = i ? solid : profile;
      run(&s, &x, 0.1, 0.05);
      count[i] = s.meetings;
      deep[i] = s.is_deep;
      least[i] = least_gap(&s);
      sum[i] = 0.0;
      for (int j = 0; j < s.meetings; j++) {
        sum[i] += s.meeting[j].h * (1.0 + s.meeting[j].n[0]);
      }
    }
    REQUIRE(deep[0] == deep[1], "case %d: %d, %d", k, deep[0], deep[1]);
    REQUIRE(deep[0] || (count[0] == count[1] && (count[0] == 0 || fabs(least[0] - least[1]) < 1e-14)),
            "case %d: %d, %d", k, count[0], count[1]);
    REQUIRE(deep[0] || fabs(sum[0] - sum[1]) < 1e-12, "case %d", k);
    touching += !deep[0] && count[0] > 0;
    nsdyn_shape_free(profile);
    nsdyn_shape_free(solid);
    nsdyn_shape_free(x.shape[0]);
  }
  nsd_search_release(&s);
  REQUIRE(is_common(touching, cases, 20), "%d of %d", touching, cases);
}
END_TEST

/* However deep two boxes are in each other, each pair of their trees' nodes is compared once; and what is
 * found is the lowest corner's depth. */
START_TEST(compared_once)
{
  nsd_search s;
  random_state random = {23};
  const int cases = random_cases(2000);
  int pressed = 0;
  nsd_search_init(&s, NULL);
  for (int k = 0; k < cases; k++) {
    const double a = random_between(&random, 0.5, 2.0), b = random_between(&random, 0.5, 2.0);
    const double p[] = {-a, -b, a, -b, a, b, -a, b}, skin = 0.05;
    const double depth = skin * pow(10.0, random_between(&random, -11.0, -1.0));
    const double lean = random_between(&random, -0.5, 0.5), at[3] = {0.0, 0.0, 0.0};
    nsdyn_shape *floor = shapes_make(NSDYN_SHAPE_POLYGON, 4, p, 0.0);
    nsdyn_shape *box = shapes_make(NSDYN_SHAPE_POLYGON, 4, p, 0.0);
    /* The lowest corner is in the middle of the upper side, and below it by the depth. */
    const double side = lean > 0.0 ? -a : a, c = cos(lean), sine = sin(lean);
    const double on[3] = {-(side * c + b * sine), b - (side * sine - b * c) - depth, lean};
    REQUIRE(nsd_search_run(&s, floor, at, box, on, 0.0, skin) == NSDYN_OK);
    REQUIRE(s.visited == 1, "case %d: %lld", k, (long long)s.visited);
    REQUIRE(!s.is_deep, "case %d: %g", k, s.depth);
    double least = INFINITY;
    for (int32_t i = 0; i < s.meetings; i++) {
      least = fmin(least, s.meeting[i].h);
    }
    REQUIRE(fabs(least + depth) < 1e-14, "case %d: %g instead of %g", k, least, -depth);
    pressed += s.meetings > 0;
    nsdyn_shape_free(floor);
    nsdyn_shape_free(box);
  }
  nsd_search_release(&s);
  ck_assert_int_eq(pressed, cases);
}
END_TEST

/* Smooth outlines that touch: pairs of boxes grow with log n, not with its root; sixteen times as many points
 * are four levels more of each tree, of a few pairs each. */
START_TEST(grows_by_levels)
{
  enum { FEW = 256, MANY = 16 * FEW };
  nsd_search s;
  random_state random = {29};
  const int cases = random_cases(100);
  static double p[2 * MANY];
  nsdyn_shape *shape[2];
  nsd_search_init(&s, NULL);
  for (int k = 0; k < 2; k++) {
    const int n = k ? MANY : FEW;
    for (int i = 0; i < n; i++) {
      const double angle = 6.283185307179586 * i / n, r = 0.97 + 0.03 * cos(5.0 * angle);
      p[2 * i] = r * cos(angle);
      p[2 * i + 1] = r * sin(angle);
    }
    shape[k] = shapes_make(NSDYN_SHAPE_POLYGON, n, p, 0.0);
  }
  double visited[2] = {0.0, 0.0};
  for (int c = 0; c < cases; c++) {
    const double way = random_between(&random, 0.0, 6.0), first[3] = {0.0, 0.0, random_unit(&random)};
    double second[3] = {0.0, 0.0, 3.0 * random_unit(&random)}, low = 1.0, high = 2.5;
    for (int k = 0; k < 2; k++) {
      for (int round = 0; round < 40; round++) { /* to where they touch */
        const double far = 0.5 * (low + high);
        second[0] = far * cos(way);
        second[1] = far * sin(way);
        REQUIRE(nsd_search_run(&s, shape[k], first, shape[k], second, 0.0, 0.05) == NSDYN_OK);
        *(s.is_deep || s.meetings ? &low : &high) = far;
      }
      visited[k] += (double)s.visited;
      low -= 0.01;
      high += 0.01;
    }
  }
  REQUIRE(visited[1] < 2.0 * visited[0], "%g pairs, and %g", visited[0] / cases, visited[1] / cases);
  nsdyn_shape_free(shape[0]);
  nsdyn_shape_free(shape[1]);
  nsd_search_release(&s);
}
END_TEST

SUITE("geometry/detect", TEST(random_polygons), TEST(brought_together), TEST(round_every_corner),
      TEST(rounded_shapes), TEST(profiles), TEST(compared_once), TEST(grows_by_levels))
