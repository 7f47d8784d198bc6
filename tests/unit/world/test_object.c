/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "world/object.h"

#include "worlds.h"

START_TEST(options_that_cannot_be)
{
  nsdyn_world_options options;
  nsdyn_world *world = NULL;
  nsdyn_error error;
  nsdyn_error_init(&error, sizeof error);
  GOOD(nsdyn_world_options_init(&options, sizeof options));
  static const struct {
    size_t field;
    double value;
    const char *name;
  } bad[] = {{offsetof(nsdyn_world_options, gravity), NAN, "gravity"},
             {offsetof(nsdyn_world_options, skin), 0.0, "skin"},
             {offsetof(nsdyn_world_options, skin_share), 2.0, "skin_share"},
             {offsetof(nsdyn_world_options, reach), NAN, "reach"},
             {offsetof(nsdyn_world_options, fat), INFINITY, "fat"}};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    nsdyn_world_options own = options;
    memcpy((char *)&own + bad[i].field, &bad[i].value, sizeof bad[i].value);
    ck_assert_int_eq(nsdyn_world_new(NULL, &own, &world, &error), NSDYN_ERR_ARGUMENT);
    ck_assert_ptr_null(world);
    ck_assert_msg(strstr(error.message, bad[i].name), "%s", error.message);
  }
  options.size = 3;
  ck_assert_int_eq(nsdyn_world_new(NULL, &options, &world, NULL), NSDYN_ERR_STRUCT_SIZE);
  ck_assert_int_eq(nsdyn_world_new(NULL, NULL, NULL, NULL), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_world_options_init(NULL, 8), NSDYN_ERR_ARGUMENT);
  nsdyn_world_free(NULL);
  ck_assert_str_eq(nsdyn_world_message(NULL), "");
  ck_assert_int_eq(nsdyn_world_detail(NULL, NULL), NSDYN_ERR_ARGUMENT);
}
END_TEST

/* An empty world makes a system that stands still; ten thousand bodies are no more of a problem. */
START_TEST(none_and_many)
{
  for (int many = 0; many < 2; many++) {
    nsdyn_world *world = worlds_new(0.0);
    nsdyn_body_def def = worlds_body(0.0, 0.0, 0.0);
    def.mass = def.inertia = 1.0;
    const int count = many ? (int)(1 + 1000 * (is_brief() ? 0 : 1)) : 0;
    for (int i = 0; i < count; i++) {
      def.pose[0] = i;
      ck_assert_int_eq(worlds_add(world, &def), i);
    }
    nsdyn_system *sys = worlds_system(world);
    nsdyn_stepper *stepper = NULL;
    int32_t nq = -1;
    GOOD(nsdyn_world_sizes(world, &nq, NULL));
    ck_assert_int_eq(nq, 3 * count);
    GOOD(nsdyn_stepper_new(NULL, sys, NULL, &stepper, NULL));
    GOOD(nsdyn_stepper_step(stepper, 0.5));
    ck_assert(!many || fabs(nsdyn_stepper_u(stepper)[nq - 2] + 0.5 * 9.81) < 1e-12);
    nsdyn_stepper_free(stepper);
    nsdyn_system_free(sys);
    nsdyn_world_free(world);
  }
}
END_TEST

SUITE("world/object", TEST(options_that_cannot_be), TEST(none_and_many))
