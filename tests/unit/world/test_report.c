/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "worlds.h"

/* Energies of two bodies and a spring by hand; what is asked before there is a system, or of nobody, is
 * refused. */
START_TEST(energies_by_hand)
{
  nsdyn_world *world = worlds_new(0.0);
  nsdyn_body_def def = worlds_body(0.0, 2.0, 0.0);
  def.mass = 3.0;
  def.inertia = 0.5;
  def.velocity[0] = 1.0;
  def.velocity[2] = 2.0;
  const int32_t one = worlds_add(world, &def);
  def.pose[1] = 6.0;
  def.velocity[0] = def.velocity[2] = 0.0;
  const int32_t two = worlds_add(world, &def);
  def.kind = NSDYN_BODY_FIXED;
  const int32_t fixed = worlds_add(world, &def);
  nsdyn_spring_def spring;
  nsdyn_spring_def_init(&spring, sizeof spring);
  spring.body[0] = one;
  spring.body[1] = two;
  spring.stiffness = 10.0;
  spring.rest = 3.0;
  GOOD(nsdyn_world_add_spring(world, &spring, NULL));
  nsdyn_joint_def joint;
  nsdyn_joint_def_init(&joint, sizeof joint);
  joint.body[1] = one;
  joint.kind = NSDYN_JOINT_WELD;
  GOOD(nsdyn_world_add_joint(world, &joint, NULL));
  joint.body[1] = two;
  GOOD(nsdyn_world_add_joint(world, &joint, NULL));
  double q[6], u[6];
  int32_t first, count;
  ck_assert_int_eq(nsdyn_world_sizes(world, NULL, NULL), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_world_begin(world, q, u), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_world_pose(world, one, 0.0, q, u, q, NULL), NSDYN_ERR_ARGUMENT);
  nsdyn_system *sys = worlds_system(world);
  GOOD(nsdyn_world_begin(world, q, u));
  nsdyn_world_energy energy;
  GOOD(nsdyn_world_energy_init(&energy, sizeof energy));
  GOOD(nsdyn_world_measure(world, 0.0, q, u, &energy));
  ck_assert(fabs(energy.kinetic - 2.5) < 1e-15);
  ck_assert(fabs(energy.gravity - 3.0 * 9.81 * 8.0) < 1e-12);
  ck_assert(fabs(energy.springs - 5.0) < 1e-14);
  GOOD(nsdyn_world_constraints(world, 1, &first, &count));
  ck_assert(first == 3 && count == 3);
  ck_assert_int_eq(nsdyn_world_constraints(world, 2, &first, &count), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_world_place(world, fixed, &first, &count), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_world_place(world, NSDYN_GROUND, &first, &count), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_world_mass(world, fixed, NULL, NULL, NULL), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_world_measure(world, 0.0, q, u, NULL), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_world_measure(world, 0.0, NULL, u, &energy), NSDYN_ERR_ARGUMENT);
  energy.size = 1;
  ck_assert_int_eq(nsdyn_world_measure(world, 0.0, q, u, &energy), NSDYN_ERR_STRUCT_SIZE);
  GOOD(nsdyn_world_place(world, two, &first, &count));
  ck_assert(first == 3 && count == 3);
  nsdyn_system_free(sys);
  nsdyn_world_free(world);
}
END_TEST

SUITE("world/report", TEST(energies_by_hand))
