/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "geometry/placed.h"

#include <string.h>

#include "shapes.h"

/* From one frame to the world and to the other: the same as by the frame within; back again it is where it
 * was. */
START_TEST(frames)
{
  const int cases = random_cases(10000);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    double pose[2][3], x[2], world[2], seen[2], direct[2];
    for (int i = 0; i < 6; i++) {
      pose[i / 3][i % 3] = random_between(&random, -5.0, 5.0);
    }
    x[0] = random_between(&random, -5.0, 5.0);
    x[1] = random_between(&random, -5.0, 5.0);
    const nsd_frame a = nsd_frame_of(pose[0]), b = nsd_frame_of(pose[1]), within = nsd_frame_within(&a, &b);
    nsd_frame_place(&b, x, world);
    nsd_frame_unplace(&a, world, seen);
    nsd_frame_place(&within, x, direct);
    REQUIRE(fabs(seen[0] - direct[0]) <= 1e-13 && fabs(seen[1] - direct[1]) <= 1e-13, "case %d", k);
    REQUIRE(fabs(world[0] - pose[1][0] - cos(pose[1][2]) * x[0] + sin(pose[1][2]) * x[1]) <= 1e-14, "case %d",
            k);
    nsd_frame_unplace(&b, world, world);
    REQUIRE(fabs(world[0] - x[0]) <= 1e-14 && fabs(world[1] - x[1]) <= 1e-14, "case %d", k);
  }
}
END_TEST

START_TEST(what_is_wrong_is_named)
{
  nsd_fault fault;
  nsdyn_placed body, own;
  nsdyn_shape *shape = shapes_make(NSDYN_SHAPE_CIRCLE, 1, (const double[]){0.0, 0.0}, 1.0);
  const double q[] = {9.0, 1.0, 2.0, 3.0};
  ck_assert_int_eq(nsdyn_placed_init(NULL, 1), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_placed_init(&body, sizeof body), NSDYN_OK);
  ck_assert(body.first == -1 && body.has_bias == 1 && body.blocks == 0);
  nsd_fault_clear(&fault);
  ck_assert_int_eq(nsd_placed_read(&own, NULL, "first", &fault), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsd_placed_read(&own, &body, "first", &fault), NSDYN_ERR_ARGUMENT);
  ck_assert_ptr_nonnull(strstr(fault.message, "the first body has no shape"));
  body.shape = shape;
  ck_assert_int_eq(nsdyn_placed_by_coordinates(&body, 1, q), NSDYN_OK);
  ck_assert(body.first == 1 && body.pose[0] == 1.0 && body.pose[2] == 3.0);
  ck_assert_int_eq(nsd_placed_read(&own, &body, "first", &fault), NSDYN_OK);
  body.pose[1] = NAN;
  ck_assert_int_eq(nsd_placed_read(&own, &body, "second", &fault), NSDYN_ERR_NOT_FINITE);
  ck_assert_ptr_nonnull(strstr(fault.message, "pose of the second body: y"));
  body.pose[1] = 0.0;
  body.blocks = 1;
  ck_assert_int_eq(nsd_placed_read(&own, &body, "first", &fault), NSDYN_ERR_ARGUMENT);
  const nsdyn_contact_block block = {.offset = 0, .count = 1};
  body.block = &block;
  ck_assert_int_eq(nsd_placed_read(&own, &body, "first", &fault), NSDYN_ERR_ARGUMENT);
  ck_assert_ptr_nonnull(strstr(fault.message, "block 0"));
  ck_assert_int_eq(nsdyn_placed_by_coordinates(&body, -1, q), NSDYN_ERR_ARGUMENT);
  body.size = 3;
  ck_assert_int_eq(nsdyn_placed_by_coordinates(&body, 0, q), NSDYN_ERR_STRUCT_SIZE);
  nsdyn_shape_free(shape);
}
END_TEST

SUITE("geometry/placed", TEST(frames), TEST(what_is_wrong_is_named))
