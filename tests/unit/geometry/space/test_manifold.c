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

SUITE("geometry/space/manifold", TEST(flat_boxes_touch_at_corners_and_crossings),
      TEST(capsules_that_lie_along_touch_at_two_places))
