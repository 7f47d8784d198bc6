/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "geometry/sift.h"

#include "shapes.h"

static nsdyn_shape *box(double b, double h)
{
  const double p[] = {0.0, 0.0, b, 0.0, b, h, 0.0, h};
  return shapes_make(NSDYN_SHAPE_POLYGON, 4, p, 0.0);
}

static void run(nsd_search *s, const nsdyn_shape *a, const double *at_a, const nsdyn_shape *b,
                const double *at_b)
{
  REQUIRE(nsd_search_run(s, a, at_a, b, at_b, 1e-3, 0.05) == NSDYN_OK);
}

/* Where on the x axis of the world a touch is. */
static double place_of(const nsd_search *s, int i)
{
  double x[2];
  nsd_search_corner(s, s->meeting[i].side, s->meeting[i].vertex, x);
  nsd_frame_place(&s->world, x, x);
  return x[0];
}

/* A box on another, somewhere, at any gap and tilt that rounding leaves: two touches, at the ends of what
 * they share. */
START_TEST(flat_on_flat)
{
  const int cases = random_cases(4000);
  nsd_search s;
  nsd_search_init(&s, NULL);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    const double b = random_between(&random, 0.2, 3.0), c = random_between(&random, 0.2, 3.0);
    nsdyn_shape *low = box(b, 1.0), *top = box(c, 1.0);
    /* flush on one side now and then */
    const int flush = random_below(&random, 4);
    const double x = flush == 0 ? 0.0 : flush == 1 ? b - c : random_between(&random, -0.9 * c, 0.9 * b);
    const double size = random_below(&random, 3) ? 1e-9 : 1e-16;
    const double gap = size * random_between(&random, -1.0, 1.0),
                 tilt = size * random_between(&random, -1.0, 1.0);
    const double at_low[3] = {0.0, 0.0, 0.0}, at_top[3] = {x, 1.0 + gap, tilt};
    const double left = fmax(0.0, x), right = fmin(b, x + c);
    if (k % 2) {
      run(&s, low, at_low, top, at_top);
    } else {
      run(&s, top, at_top, low, at_low);
    }
    if (right - left > 1e-6) {
      REQUIRE(s.meetings == 2 && !s.is_deep, "case %d: %d touches, deep %g", k, s.meetings, s.depth);
      const double one = place_of(&s, 0), two = place_of(&s, 1);
      REQUIRE(fabs(fmin(one, two) - left) <= 1e-8 && fabs(fmax(one, two) - right) <= 1e-8, "case %d", k);
    }
    nsdyn_shape_free(low);
    nsdyn_shape_free(top);
  }
  nsd_search_release(&s);
}
END_TEST

/* The same with rounded corners, and with sides of many points. */
START_TEST(flat_and_rounded)
{
  const int cases = random_cases(500);
  nsd_search s;
  nsd_search_init(&s, NULL);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    const double r = random_between(&random, 0.01, 0.2), gap = 1e-9 * random_between(&random, -1.0, 1.0);
    double p[2 * 60];
    int n = 0;
    for (int i = 0; i < 28; i++, n++) { /* the lower side, then the upper one */
      p[2 * n] = i / 27.0;
      p[2 * n + 1] = 0.0;
    }
    for (int i = 27; i >= 0; i--, n++) {
      p[2 * n] = i / 27.0;
      p[2 * n + 1] = 0.5;
    }
    nsdyn_shape *body = shapes_make(NSDYN_SHAPE_POLYGON, n, p, r), *floor = box(9.0, 1.0);
    const double zero[3] = {0.0, 0.0, 0.0}, at[3] = {random_between(&random, 1.0, 7.0), 1.0 + r + gap, 0.0};
    run(&s, body, at, floor, zero);
    REQUIRE(s.meetings == 2 && fabs(s.meeting[0].h - r - gap) < 1e-14, "case %d: %d", k, s.meetings);
    REQUIRE(fabs(fabs(place_of(&s, 0) - place_of(&s, 1)) - 1.0) < 1e-12, "case %d", k);
    nsdyn_shape_free(body);
    nsdyn_shape_free(floor);
  }
  nsd_search_release(&s);
}
END_TEST

/* Along a floor of planks a box keeps its touches; each changes its edge once where it passes from one plank
 * to the next, and a touch is there at every place. */
START_TEST(keys_stay)
{
  enum { PLANKS = 8, STEPS = 4000 };
  double p[2 * (PLANKS + 3)];
  int n = 0;
  for (int i = 0; i <= PLANKS; i++, n++) { /* each plank a little steeper: a floor that bends upwards */
    p[2 * n] = PLANKS - i;
    p[2 * n + 1] = 0.01 * (PLANKS - i) * (PLANKS - i);
  }
  p[2 * n] = 0.0;
  p[2 * n + 1] = -1.0;
  n++;
  p[2 * n] = PLANKS;
  p[2 * n + 1] = -1.0;
  n++;
  const double tip[] = {0.0, 0.0, 0.2, 0.5, -0.2, 0.5};
  nsdyn_shape *floor = shapes_make(NSDYN_SHAPE_POLYGON, n, p, 0.0),
              *body = shapes_make(NSDYN_SHAPE_POLYGON, 3, tip, 0.0);
  nsd_search s;
  nsd_search_init(&s, NULL);
  int changes = 0, last = -1;
  for (int k = 0; k < STEPS; k++) {
    const double x = 0.05 + 7.9 * k / STEPS, zero[3] = {0.0, 0.0, 0.0};
    const int plank = (int)x;
    const double at[3] = {x, 0.01 * (plank * plank + (x - plank) * (2 * plank + 1)) - 1e-7, 0.0};
    run(&s, body, at, floor, zero);
    REQUIRE(s.meetings >= 1 && s.meetings <= 2, "step %d: %d", k, s.meetings);
    int deepest = 0;
    for (int i = 1; i < s.meetings; i++) {
      deepest = s.meeting[i].h < s.meeting[deepest].h ? i : deepest;
    }
    REQUIRE(s.meeting[deepest].side == 0 && fabs(s.meeting[deepest].h + 1e-7) < 3e-9, "step %d: %g", k,
            s.meeting[deepest].h);
    changes += last >= 0 && s.meeting[deepest].edge != last;
    last = s.meeting[deepest].edge;
  }
  ck_assert_int_eq(changes, PLANKS - 1);
  nsd_search_release(&s);
  nsdyn_shape_free(floor);
  nsdyn_shape_free(body);
}
END_TEST

/* A wall without thickness, and a box from either side: its corners touch it, its ends touch the box. */
START_TEST(wires)
{
  const double line[] = {0.0, -1.0, 0.0, 1.0};
  nsdyn_shape *wall = shapes_make(NSDYN_SHAPE_WIRE, 2, line, 0.0), *small = box(0.5, 0.5),
              *large = box(3.0, 3.0);
  nsd_search s;
  nsd_search_init(&s, NULL);
  const double zero[3] = {0.0, 0.0, 0.0};
  for (int side = 0; side < 2; side++) {
    for (int gap = -1; gap < 2; gap++) {
      const double near = 1e-7 * gap, at[3] = {side ? near : -0.5 - near, -0.2, 0.0};
      run(&s, small, at, wall, zero);
      ck_assert_msg(s.meetings == 2 && !s.is_deep && s.meeting[0].side == 0 && s.meeting[1].side == 0,
                    "%d %d: %d", side, gap, s.meetings);
      ck_assert(fabs(s.meeting[0].h - near) < 1e-15 && fabs(s.meeting[0].n[0]) == 1.0);
      const double flat[3] = {side ? near : -3.0 - near, -1.5, 0.0};
      run(&s, large, flat, wall, zero);
      ck_assert_msg(s.meetings == 2 && s.meeting[0].side == 1 && s.meeting[1].side == 1, "%d %d: %d", side,
                    gap, s.meetings);
      ck_assert(fabs(s.meeting[0].h - near) < 1e-15);
    }
  }
  nsd_search_release(&s);
  nsdyn_shape_free(wall);
  nsdyn_shape_free(small);
  nsdyn_shape_free(large);
}
END_TEST

/* A box whose corner has passed the sharp tip of a needle that comes from above, within a step: the tip is
 * cut, no vertex is inside of the other shape, and yet the corner is told, behind the side that it came
 * through. */
START_TEST(corner_past_a_tip)
{
  const int cases = random_cases(2000);
  const double p[] = {0.0, 0.0, 4.0, 0.5, 0.2, 0.9};
  nsdyn_shape *needle = shapes_make(NSDYN_SHAPE_POLYGON, 3, p, 0.0), *low = box(1.0, 1.0);
  nsd_search s;
  nsd_search_init(&s, NULL);
  /* n of the needle's lower side; how far its left side is above this near the tip: none of them is upright
   */
  const double l = hypot(4.0, 0.5), n[2] = {0.5 / l, -4.0 / l}, left[2] = {-0.9, 0.2};
  int passed = 0;
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    const double zero[3] = {0.0, 0.0, 0.0};
    /* the left upper corner of the box, seen from the tip */
    const double y = random_between(&random, 0.0, 0.02), x = y * random_between(&random, 0.0, 0.22);
    const double at[3] = {x, y - 1.0, 0.0};
    const double h = n[0] * x + n[1] * y, out = left[0] * x + left[1] * y;
    run(&s, low, at, needle, zero);
    if (h < -1e-6 && n[0] * y - n[1] * x > 1e-6 && out > 1e-6) {
      int found = 0;
      for (int i = 0; i < s.meetings; i++) {
        found |= s.meeting[i].side == 0 && s.meeting[i].vertex == 3 && fabs(s.meeting[i].h - h) < 1e-14;
      }
      REQUIRE(found && !s.is_deep, "case %d: deep by %g, %d touches", k, s.depth, s.meetings);
      passed++;
    }
  }
  REQUIRE(is_common(passed, cases, 2), "%d of %d", passed, cases);
  nsd_search_release(&s);
  nsdyn_shape_free(needle);
  nsdyn_shape_free(low);
}
END_TEST

static int touches_of(const nsd_search *s, int edge)
{
  int count = 0;
  for (int i = 0; i < s->meetings; i++) {
    count += s->meeting[i].edge == edge;
  }
  return count;
}

/* A box in the corner of a floor and a wall that leans outwards, its lower corner behind both by little: that
 * corner touches both, and the far end of its lower side touches the floor, whichever way rounding tilts it.
 */
START_TEST(flat_in_a_notch)
{
  const int cases = random_cases(4000);
  const double points[] = {5.0, 0.0, 0.0, 0.0, -2.0, 4.0}, zero[3] = {0.0, 0.0, 0.0};
  nsdyn_shape *corner = shapes_make(NSDYN_SHAPE_PROFILE, 3, points, 0.0), *top = box(1.0, 0.5);
  nsd_search s;
  nsd_search_init(&s, NULL);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    const double size = pow(10.0, random_between(&random, -14.0, -5.0));
    const double tilt = size * random_between(&random, -1.0, 1.0);
    /* Its left lower corner is behind the floor by less than the wall is in front of it along the floor. */
    const double down = size * random_between(&random, 0.0, 1.0),
                 left = size * random_between(&random, 1.0, 2.0);
    const double at[3] = {-left, -down, tilt};
    if (k % 2) {
      run(&s, corner, zero, top, at);
    } else {
      run(&s, top, at, corner, zero);
    }
    const int floor = touches_of(&s, 0), wall = touches_of(&s, 1);
    REQUIRE(!s.is_deep && floor == 2 && wall == 1, "case %d: floor %d, wall %d, deep %g", k, floor, wall,
            s.depth);
  }
  nsd_search_release(&s);
  nsdyn_shape_free(corner);
  nsdyn_shape_free(top);
}
END_TEST

/* The same corner, and a box that leans on its wall and falls towards the floor's other end: it is flat on
 * the floor, so both ends of its lower side are told of, though it is on the wall by rounding only. */
START_TEST(flat_beside_a_notch)
{
  const int cases = random_cases(2000);
  const double points[] = {5.0, 0.0, 0.0, 0.0, -2.0, 4.0}, zero[3] = {0.0, 0.0, 0.0};
  nsdyn_shape *corner = shapes_make(NSDYN_SHAPE_PROFILE, 3, points, 0.0), *top = box(1.0, 0.5);
  nsd_search s;
  nsd_search_init(&s, NULL);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    const double high = random_between(&random, 0.01, 0.04), tilt = -high * random_between(&random, 0.1, 0.9);
    const double off = 1e-15 * ((int)random_below(&random, 3) - 1); /* of the wall, along the floor */
    const double at[3] = {-0.5 * high + off, high, tilt};
    const int turned = k % 2;
    REQUIRE(nsd_search_run(&s, turned ? corner : top, turned ? zero : at, turned ? top : corner,
                           turned ? at : zero, 0.1, 0.05) == NSDYN_OK);
    const int floor = touches_of(&s, 0), wall = touches_of(&s, 1);
    REQUIRE(!s.is_deep && floor == 2 && wall == 1, "case %d: %g off, floor %d, wall %d", k, off, floor, wall);
  }
  nsd_search_release(&s);
  nsdyn_shape_free(corner);
  nsdyn_shape_free(top);
}
END_TEST

SUITE("geometry/sift", TEST(flat_on_flat), TEST(flat_in_a_notch), TEST(flat_beside_a_notch),
      TEST(flat_and_rounded), TEST(keys_stay), TEST(wires), TEST(corner_past_a_tip))
