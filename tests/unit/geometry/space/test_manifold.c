/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* What lies flat on each other, by hand. */
#include "geometry/space/manifold.h"

#include "solids.h"

/* A small box flat on a large one: its four lower corners; turned by 45° on one of its own size: eight
 * crossings of edges; one half over the edge: two corners of each, and two crossings. */
START_TEST(flat_boxes_touch_at_corners_and_crossings)
{
  solids_case small = {.solid = solids_box(1.0, 1.0, 1.0), .pose = {0.1, 0.2, 1.0, 1.0}};
  solids_case large = {.solid = solids_box(4.0, 4.0, 1.0), .pose = {0.0, 0.0, 0.0, 1.0}};
  solids_case same_size = {.solid = solids_box(1.0, 1.0, 1.0), .pose = {0.1, 0.2, 0.0, 1.0}};
  solids_touches found;
  solids_look(&small, &large, 0.1, &found);
  ck_assert_int_eq(found.count, 4);
  for (int i = 0; i < 4; i++) {
    ck_assert_double_eq_tol(found.all[i].gap, 0.0, 1e-15);
    ck_assert_double_eq_tol(found.all[i].normal[2], 1.0, 1e-15);
    ck_assert_int_lt(found.all[i].feature[0], 4);          /* corners with the lower z */
    ck_assert_int_eq(found.all[i].feature[1], 8 + 12 + 5); /* its face +z */
    ck_assert_double_eq_tol(fabs(found.all[i].point[0][0] - 0.1), 0.5, 1e-15);
  }
  nsdyn_quaternion_from_axis_angle((double[]){0.0, 0.0, 1.0}, 0.7853981633974483, small.pose + 3);
  solids_look(&small, &same_size, 0.1, &found);
  ck_assert_int_eq(found.count, 8);
  for (int i = 0; i < 8; i++) {
    ck_assert(found.all[i].feature[0] >= 8 && found.all[i].feature[1] >= 8);
    ck_assert_double_eq_tol(found.all[i].gap, 0.0, 1e-15);
  }
  same_size.pose[0] += 0.5, same_size.pose[1] -= 0.2;
  small.pose[3] = 1.0, small.pose[6] = 0.0;
  solids_look(&small, &same_size, 0.1, &found);
  ck_assert_int_eq(found.count, 4);
  nsdyn_solid_free(small.solid);
  nsdyn_solid_free(large.solid);
  nsdyn_solid_free(same_size.solid);
}
END_TEST

/* Two parallel capsules touch at both ends of what they share, with a box at both ends. */
START_TEST(capsules_that_lie_along_touch_at_two_places)
{
  nsdyn_solid_def def;
  solids_case a = {.pose = {0.0, 0.0, 0.0, 1.0}}, b = {.pose = {0.3, 0.0, 0.5, 1.0}};
  solids_touches found;
  nsdyn_solid_def_init(&def, sizeof def);
  def.kind = NSDYN_SOLID_CAPSULE;
  def.extent[0] = 2.0;
  def.radius = 0.1;
  ck_assert_int_eq(nsdyn_solid_new(NULL, &def, &a.solid, NULL), NSDYN_OK);
  ck_assert_int_eq(nsdyn_solid_new(NULL, &def, &b.solid, NULL), NSDYN_OK);
  solids_look(&a, &b, 1.0, &found);
  ck_assert_int_eq(found.count, 2);
  for (int i = 0; i < 2; i++) {
    ck_assert_double_eq_tol(found.all[i].gap, 0.1, 1e-15);
    ck_assert_double_eq_tol(found.all[i].normal[0], -1.0, 1e-15);
  }
  solids_case box = {.solid = solids_box(1.0, 1.0, 1.0), .pose = {0.65, 0.0, 0.0, 1.0}};
  solids_look(&a, &box, 1.0, &found);
  ck_assert_int_eq(found.count, 2); /* its segment crosses two edges of the face */
  for (int i = 0; i < 2; i++) {
    ck_assert_double_eq_tol(found.all[i].gap, 0.05, 1e-15);
    ck_assert_double_eq_tol(fabs(found.all[i].point[0][2]), 0.5, 1e-15);
  }
  nsdyn_solid_free(a.solid);
  nsdyn_solid_free(b.solid);
  nsdyn_solid_free(box.solid);
}
END_TEST

/* One of `found` as near to x, on the solid `side`, with such a gap. */
static int is_told(const solids_touches *found, int side, const double *x, double gap, double near)
{
  for (int i = 0; i < found->count; i++) {
    const nsdyn_solid_touch *t = &found->all[i];
    double far = 0.0;
    for (int k = 0; k < 3; k++) {
      far = fmax(far, fabs(t->point[side][k] - x[k]));
    }
    if (far <= near && fabs(t->gap - gap) <= 1e-12) {
      return 1;
    }
  }
  return 0;
}

/* Boxes turned by 45° about y, an edge over an edge, that of the upper one tilted a little: both ends of what
 * they share, sharp and rounded. The lower edge is x = 0, z = 0. */
START_TEST(edges_along_each_other_touch_at_both_ends)
{
  const int cases = random_cases(500);
  int tilted = 0, own_ends = 0;
  for (int number = 0; number < cases; number++) {
    random_state random = random_seed((uint64_t)number);
    const double half = 0.7071067811865476, length[2] = {random_between(&random, 0.3, 2.0), 1.0};
    const double radius = number % 3 ? 0.0 : 0.05, apart = number % 7 ? 0.01 : 1e-9;
    const double tilt = number % 4 ? 0.0 : random_between(&random, -0.1, 0.1) * apart;
    const double shift = number % 5 ? random_between(&random, -0.2, 0.2) : 0.0;
    solids_case lower = {.pose = {0.0, 0.0, -half}}, upper = {.pose = {0.0, shift, half + apart}};
    /* What rounds is placed along a way of this length, which errs by ε. */
    const double near = 1e-12 + 1e-15 * radius / apart;
    double turn[4];
    solids_case *both[2] = {&lower, &upper};
    for (int k = 0; k < 2; k++) {
      nsdyn_solid_def def;
      nsdyn_solid_def_init(&def, sizeof def);
      def.kind = NSDYN_SOLID_BOX;
      def.extent[0] = def.extent[2] = 1.0;
      def.extent[1] = number % 5 ? length[k] : 1.0; /* some of one length, one over the other */
      def.radius = radius;
      REQUIRE(nsdyn_solid_new(NULL, &def, &both[k]->solid, NULL) == NSDYN_OK);
      nsdyn_quaternion_from_axis_angle((double[]){0.0, 1.0, 0.0}, 0.7853981633974483, both[k]->pose + 3);
    }
    nsdyn_quaternion_from_axis_angle((double[]){1.0, 0.0, 0.0}, tilt, turn);
    solids_product(turn, upper.pose + 3, upper.pose + 3);
    const double reach = number % 5 ? 0.5 * length[0] : 0.5;
    solids_touches found;
    solids_look(&upper, &lower, 1.0, &found);
    int ends = 0;
    for (int k = 0; k < 2; k++) { /* its own ends: over the lower edge; and the other way */
      double x[3];
      nsdyn_quaternion_rotate(turn, (double[]){0.0, k ? 0.5 : -0.5, -half}, x);
      nsd_vec3_add_scaled(upper.pose, 1.0, x, x);
      if (fabs(x[1]) <= reach - 1e-6) {
        REQUIRE(is_told(&found, 0, (double[]){0.0, x[1], x[2] - radius}, x[2] - 2.0 * radius, near),
                "case %d", number);
        ends++;
        own_ends++;
      }
      /* z = z₀ + (y − y₀) tan φ, and the distance of the lower end from it. */
      const double y = k ? reach : -reach, at = x[2] + (y - x[1]) * tan(tilt);
      if (fabs(y - shift) <= 0.5 - 1e-6) {
        const double distance = at * cos(tilt) - 2.0 * radius;
        const double out[3] = {0.0, y - radius * sin(tilt), radius * cos(tilt)};
        REQUIRE(is_told(&found, 1, out, distance, near), "case %d", number);
        ends++;
      }
    }
    REQUIRE(number % 5 == 0 || ends == 2, "case %d: %d ends", number, ends);
    REQUIRE(found.count >= 2 && found.count <= 5, "case %d: %d touches", number, found.count);
    if (number % 5 == 0) { /* one over the other: at both ends */
      const double first = found.all[0].point[0][1];
      int opposite = 0;
      for (int i = 1; i < found.count; i++) {
        opposite += found.all[i].point[0][1] * first < -0.2;
      }
      REQUIRE(opposite > 0, "case %d", number);
    }
    tilted += tilt != 0.0;
    nsdyn_solid_free(lower.solid);
    nsdyn_solid_free(upper.solid);
  }
  ck_assert(is_common(tilted, cases, 8));
  ck_assert(is_common(own_ends, cases, 8));
}
END_TEST

SUITE("geometry/space/manifold", TEST(flat_boxes_touch_at_corners_and_crossings),
      TEST(edges_along_each_other_touch_at_both_ends), TEST(capsules_that_lie_along_touch_at_two_places))
