/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "geometry/pieces.h"

#include <string.h>

#include "shapes.h"

/* A tip of half angle 0.3 that looks down, at (x, y), beside a polygon, of which one leaf counts: its last
 * edges. */
static int tip_at(double x, double y, const nsdyn_shape *shape, nsd_meeting *m)
{
  const double p[] = {0.0, 0.0, 0.3, 1.0, -0.3, 1.0}, pose[3] = {x, y, 0.0};
  nsdyn_shape *tip = shapes_make(NSDYN_SHAPE_POLYGON, 3, p, 0.0);
  nsd_view view = {.shape = {shape, tip},
                   .frame = nsd_frame_of(pose),
                   .reach = 0.2,
                   .skin = 0.2,
                   .whole = 0.2,
                   .place = 1e-12};
  nsd_piece first, second;
  const int32_t edges = shape->line.edges, count_of_leaf = edges < NSD_LEAF_EDGES ? edges : NSD_LEAF_EDGES;
  nsd_piece_load(&view, 0, edges - count_of_leaf, count_of_leaf, &first);
  nsd_piece_load(&view, 1, 0, 3, &second);
  int kept = 0;
  const int count = nsd_pieces_meet(&view, &first, &second, m);
  for (int i = 0; i < count; i++) { /* those of the tip itself, and at most that deep */
    if (m[i].side == 1 && tip->line.vertex[m[i].vertex] == 0) {
      m[kept] = m[i];
      m[kept++].edge = shape->line.edge[m[i].edge];
    }
  }
  nsdyn_shape_free(tip);
  return kept;
}

/* SB eqs. 33 to 36: left of the edge, between its ends, not deeper than the skin. */
START_TEST(vertex_at_edge)
{
  const double square[] = {0.0, 0.0, 2.0, 0.0, 2.0, 1.0, 0.0, 1.0};
  nsdyn_shape *shape = shapes_make(NSDYN_SHAPE_POLYGON, 4, square, 0.0);
  nsd_meeting m[NSD_MEETINGS_MOST];
  const int cases = random_cases(2000);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    const double x = random_between(&random, -0.5, 2.5), h = random_between(&random, -0.4, 0.4);
    const int count = tip_at(x, 1.0 + h, shape, m);
    const int expected = x >= 0.0 && x <= 2.0 && h >= -0.2 && h <= 0.2;
    int found = 0;
    for (int i = 0; i < count; i++) {
      found += m[i].edge == 2 && !m[i].is_beyond && fabs(m[i].h - h) < 1e-14 && m[i].n[1] == 1.0;
    }
    REQUIRE(found == expected, "case %d: %g, %g: %d", k, x, h, found);
    REQUIRE(expected || count == 0 || (x < 0.0 || x > 2.0), "case %d", k);
  }
  nsdyn_shape_free(shape);
}
END_TEST

/* In a notch of 90 degrees a tip touches both sides, wherever it is by rounding; in front of a corner one
 * edge. */
START_TEST(notch_and_corner)
{
  const double p[] = {-1.0, 1.0, 0.0, -2.0, 1.0, 1.0, 0.0, 0.0}; /* 45 degrees up to both sides of 0 */
  const double peak[] = {-1.0, -1.0, 1.0, -1.0, 0.0, 0.0};
  nsdyn_shape *notch = shapes_make(NSDYN_SHAPE_POLYGON, 4, p, 0.0),
              *corner = shapes_make(NSDYN_SHAPE_POLYGON, 3, peak, 0.0);
  nsd_meeting m[NSD_MEETINGS_MOST];
  const int cases = random_cases(2000);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    const double r = random_scale(&random, 8.0) * 1e-8 * 1e-3, angle = random_between(&random, -4.0, 4.0);
    const double x = r * cos(angle), y = r * sin(angle);
    const int count = tip_at(x, y, notch, m);
    REQUIRE(count == 2 && m[0].edge + m[1].edge == 5, "case %d: %d", k, count);
    for (int i = 0; i < 2; i++) { /* the line of each side is y = ±x */
      const double h = (m[i].edge == 2 ? y - x : y + x) / sqrt(2.0);
      REQUIRE(fabs(m[i].h - h) <= 1e-15, "case %d: %g, %g of %g", k, m[i].h, h, r);
    }
    /* in front of the peak: y >= −|x| */
    const int one = tip_at(x, fabs(y), corner, m);
    REQUIRE(one == 1 && m[0].edge == (x > 0.0 ? 1 : 2), "case %d: %d, edge %d, %g", k, one, m[0].edge, x);
    REQUIRE(m[0].h > -1e-15 && m[0].h <= r + 1e-15, "case %d: %g of %g", k, m[0].h, r);
  }
  nsdyn_shape_free(notch);
  nsdyn_shape_free(corner);
}
END_TEST

/* A floor that ends in a wall which leans back: a tip that lies on the floor is before the wall begins, and
 * pressed by both. That it lies there holds for gaps of rounding, of either sign. */
START_TEST(on_one_side_of_a_blunt_notch)
{
  nsd_meeting m[NSD_MEETINGS_MOST];
  const int cases = random_cases(2000);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    const double beta = random_between(&random, 0.1, 1.2), d = random_between(&random, 1e-3, 0.15);
    const double p[] = {-1.0, 0.0, 0.2, -2.0, cos(beta), sin(beta), 0.0, 0.0};
    nsdyn_shape *shape = shapes_make(NSDYN_SHAPE_POLYGON, 4, p, 0.0);
    const double y = ((int)random_below(&random, 3) - 1) * 1e-17 * random_scale(&random, 4.0);
    const int count = tip_at(-d, y, shape, m);
    REQUIRE(count == 2 && m[0].edge + m[1].edge == 5, "case %d: %g before the wall at %g: %d", k, d, y,
            count);
    for (int i = 0; i < 2; i++) {
      const double h = m[i].edge == 3 ? y : d * sin(beta) + y * cos(beta);
      REQUIRE(fabs(m[i].h - h) <= 1e-15, "case %d: %g of %g", k, m[i].h, h);
    }
    nsdyn_shape_free(shape);
  }
}
END_TEST

/* In front of a notch what is free is before both lines: a tip has the gaps of both sides on its whole way
 * from one to the other, however far off, as long as neither side has ended. */
START_TEST(in_front_of_a_blunt_notch)
{
  nsd_meeting m[NSD_MEETINGS_MOST];
  const int cases = random_cases(2000);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    const double beta = random_between(&random, 0.01, 1.2), x = random_between(&random, -0.12, 0.12);
    const double off = 0.05 * random_scale(&random, 8.0) * 1e-8, y = fmax(0.0, x * tan(beta)) + off;
    const double p[] = {-1.0, 0.0, 0.2, -2.0, cos(beta), sin(beta), 0.0, 0.0};
    nsdyn_shape *shape = shapes_make(NSDYN_SHAPE_POLYGON, 4, p, 0.0);
    const double h[2] = {y * cos(beta) - x * sin(beta), y};
    const int is_near = hypot(x, y) < 0.19 && h[0] < 0.19 && h[1] < 0.19;
    const int count = tip_at(x, y, shape, m);
    REQUIRE(!is_near || (count == 2 && m[0].edge + m[1].edge == 5), "case %d: %g, %g: %d", k, x, y, count);
    for (int i = 0; i < count && is_near; i++) {
      REQUIRE(fabs(m[i].h - h[m[i].edge - 2]) <= 1e-15, "case %d: edge %d, %g", k, m[i].edge, m[i].h);
    }
    nsdyn_shape_free(shape);
  }
}
END_TEST

/* A floor, a short wall that leans back, and the level top of the wall: a tip on the top is past the end of
 * the wall, and behind its line; by rounding on the top or in it, it is not at the floor, whose line it is in
 * front of. */
START_TEST(past_a_short_wall)
{
  nsd_meeting m[NSD_MEETINGS_MOST];
  const int cases = random_cases(2000);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    const double beta = random_between(&random, 0.3, 1.2), turn = random_between(&random, 0.1, 0.25);
    const double L = 0.05, notch[2] = {L * cos(beta), -L * sin(beta)}, floor = beta - turn;
    const double d = random_between(&random, 0.01, 0.8) * L * sin(turn) / sin(floor);
    const double y = ((int)random_below(&random, 3) - 1) * 1e-17 * random_scale(&random, 4.0);
    const double p[] = {
        -1.0,     0.0,      -1.0, -2.0, 2.0, -2.0, notch[0] + cos(floor), notch[1] - sin(floor),
        notch[0], notch[1], 0.0,  0.0};
    nsdyn_shape *shape = shapes_make(NSDYN_SHAPE_POLYGON, 6, p, 0.0);
    const int count = tip_at(-d, y, shape, m);
    int on_top = 0;
    for (int i = 0; i < count; i++) {
      on_top |= m[i].edge == 5;
      REQUIRE(m[i].edge != 3, "case %d: %g from the wall at %g, floor at %g", k, d, y, m[i].h);
    }
    REQUIRE(on_top, "case %d", k);
    nsdyn_shape_free(shape);
  }
}
END_TEST

START_TEST(crossings)
{
  const double a[] = {0.0, 0.0, 4.0, 0.0, 0.0, 4.0}, pose[3] = {1.0, -1.0, 0.0};
  nsdyn_shape *shape = shapes_make(NSDYN_SHAPE_POLYGON, 3, a, 0.0);
  nsd_view view = {.shape = {shape, shape}, .frame = nsd_frame_of(pose)};
  nsd_piece first, second;
  nsd_crossing x[NSD_CROSSINGS_MOST];
  nsd_piece_load(&view, 0, 0, 3, &first);
  nsd_piece_load(&view, 1, 0, 3, &second);
  /* The second's left side crosses the first's lower one; their long sides lie on one line and do not. */
  ck_assert_int_eq(nsd_pieces_cross(&first, &second, x), 1);
  ck_assert(shape->line.edge[x[0].edge[0]] == 0 && shape->line.edge[x[0].edge[1]] == 2);
  nsdyn_shape_free(shape);
}
END_TEST

SUITE("geometry/pieces", TEST(vertex_at_edge), TEST(notch_and_corner), TEST(on_one_side_of_a_blunt_notch),
      TEST(in_front_of_a_blunt_notch), TEST(past_a_short_wall), TEST(crossings))
