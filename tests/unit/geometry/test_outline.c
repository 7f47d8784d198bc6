/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "geometry/outline.h"

#include "shapes.h"

/* Points on straight sides are no vertices, however many they are and wherever the polygon begins; they are
 * never farther from the sides that stay than rounding. */
START_TEST(straight_sides)
{
  const int cases = random_cases(1000);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    enum { CORNERS = 5, MOST = 60 };
    double corner[2 * CORNERS], p[2 * CORNERS * MOST], angle = random_between(&random, -4.0, 4.0);
    int n = 0, expected[CORNERS];
    shapes_star(&random, CORNERS, 0.5, corner);
    for (int i = 0; i < CORNERS; i++) {
      const double *a = corner + 2 * i, *b = corner + 2 * ((i + 1) % CORNERS);
      const int points = random_below(&random, MOST);
      expected[i] = n;
      for (int j = 0; j <= points; j++, n++) {
        const double s = (double)j / (points + 1), x = a[0] + s * (b[0] - a[0]), y = a[1] + s * (b[1] - a[1]);
        p[2 * n] = cos(angle) * x - sin(angle) * y;
        p[2 * n + 1] = sin(angle) * x + cos(angle) * y;
      }
    }
    nsdyn_shape *shape = shapes_make(NSDYN_SHAPE_POLYGON, n, p, 0.0);
    REQUIRE(shape->line.corners == CORNERS && shape->line.edges == CORNERS, "case %d: %d", k,
            shape->line.corners);
    for (int i = 0; i < CORNERS; i++) {
      int found = 0;
      for (int32_t c = 0; c < CORNERS; c++) {
        found |= shape->line.vertex[c] == expected[i];
      }
      REQUIRE(found, "case %d", k);
    }
    nsdyn_shape_free(shape);
  }
}
END_TEST

/* A bend of many small turns is not straight: what is left out stays within the tolerance. */
START_TEST(small_turns_do_not_add_up)
{
  enum { N = 4000 };
  static double p[2 * N];
  static nsdyn_shape_def def;
  static int32_t keep[N];
  nsdyn_shape_def_init(&def, sizeof def);
  def.kind = NSDYN_SHAPE_PROFILE;
  def.count = N;
  for (int i = 0; i < N; i++) {
    p[2 * i] = i;
    p[2 * i + 1] = 1e-9 * i * i; /* each turn is 2e-9, the whole 8e-6 */
  }
  nsd_outline line = {0}, measured = {0};
  nsd_arena measure = nsd_arena_measure(), arena = nsd_arena_empty(NULL);
  nsd_outline_lay_out(&measure, &measured, N, 0);
  ck_assert_int_eq(nsd_arena_reserve(&arena, &measure), NSDYN_OK);
  nsd_outline_lay_out(&arena, &line, N, 0);
  def.points = p;
  const double straight = 1e-6;
  const int32_t kept = nsd_outline_make(&def, p, straight, keep, &line);
  ck_assert(kept > 20 && kept < 200);
  for (int32_t c = 0; c + 1 < kept; c++) {
    for (int32_t i = line.vertex[c]; i <= line.vertex[c + 1]; i++) {
      ck_assert(shapes_to_segment(p + 2 * i, line.p[c], line.p[c + 1]) <= straight * 1.001);
    }
  }
  ck_assert(line.vertex[0] == 0 && line.vertex[kept - 1] == N - 1);
  nsd_arena_release(&arena);
}
END_TEST

/* A wire goes there and back; a corner to the left is convex on its way there, and one to the right on its
 * way back. A profile that is solid to its right is turned round. */
START_TEST(wires_and_profiles)
{
  const double p[] = {0.0, 0.0, 1.0, 0.0, 1.0, 1.0, 2.0, 1.0};
  nsdyn_shape *wire = shapes_make(NSDYN_SHAPE_WIRE, 4, p, 0.0);
  const nsd_outline *line = &wire->line;
  const int32_t vertex[] = {0, 1, 2, 3, 2, 1}, edge[] = {0, 1, 2, 6, 5, 4}, convex[] = {1, 1, 0, 1, 1, 0};
  ck_assert(line->corners == 6 && line->edges == 6 && line->thin);
  for (int i = 0; i < 6; i++) {
    ck_assert(line->vertex[i] == vertex[i] && line->edge[i] == edge[i] && line->convex[i] == convex[i]);
  }
  ck_assert(line->n[0][1] == -1.0 && line->n[5][1] == 1.0);
  nsdyn_shape_free(wire);
  nsdyn_shape_def def;
  nsdyn_shape *profile = NULL;
  nsdyn_shape_def_init(&def, sizeof def);
  def.kind = NSDYN_SHAPE_PROFILE;
  def.side = NSDYN_SIDE_RIGHT;
  def.count = 4;
  def.points = p;
  ck_assert_int_eq(nsdyn_shape_new(NULL, &def, &profile, NULL), NSDYN_OK);
  ck_assert(profile->line.corners == 4 && profile->line.edges == 3 && !profile->line.closed);
  ck_assert(profile->line.vertex[0] == 3 && profile->line.edge[0] == 2 && profile->line.n[0][1] == 1.0);
  nsdyn_shape_free(profile);
}
END_TEST

SUITE("geometry/outline", TEST(straight_sides), TEST(small_turns_do_not_add_up), TEST(wires_and_profiles))
