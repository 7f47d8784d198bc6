/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "system/system.h"

#include <math.h>
#include <string.h>

#include "stepping.h"

static int destroyed;

static void count_destroyed(void *user)
{
  (void)user;
  destroyed++;
}

static nsdyn_system *small_system(int32_t contacts)
{
  static model m;
  model_clear(&m, 1);
  for (int32_t i = 0; i < contacts; i++) {
    model_add_contact(&m, 0.0, 0, -1, 0.0, 0.0);
  }
  nsdyn_system_def def = model_def(&m, 0, 0);
  nsdyn_system *sys;
  def.destroy_user = count_destroyed;
  destroyed = 0;
  ck_assert_int_eq(nsdyn_system_new(NULL, &def, &sys), NSDYN_OK);
  return sys;
}

START_TEST(the_last_holder_destroys_the_user)
{
  nsdyn_system *sys = small_system(0);
  nsdyn_stepper *one, *two;
  ck_assert_int_eq(nsdyn_stepper_new(sys, NULL, &one), NSDYN_OK);
  ck_assert_int_eq(nsdyn_stepper_new(sys, NULL, &two), NSDYN_OK);
  nsdyn_system_free(sys);
  nsdyn_stepper_free(one);
  ck_assert_int_eq(destroyed, 0);
  ck_assert_int_eq(nsdyn_stepper_step(two, 0.1), NSDYN_OK);
  nsdyn_stepper_free(two);
  ck_assert_int_eq(destroyed, 1);
  nsdyn_system_free(NULL);
}
END_TEST

START_TEST(a_new_that_fails_destroys_nothing)
{
  nsdyn_system_def def;
  nsdyn_system *sys;
  nsdyn_system_def_init(&def, sizeof def);
  def.destroy_user = count_destroyed;
  def.nu = def.nq = 1;
  destroyed = 0;
  ck_assert_int_eq(nsdyn_system_new(NULL, &def, &sys), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_system_new(NULL, &def, NULL), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_system_new(NULL, NULL, &sys), NSDYN_ERR_ARGUMENT);
  ck_assert_ptr_null(sys);
  ck_assert_int_eq(destroyed, 0);
}
END_TEST

START_TEST(laws_are_checked_and_named)
{
  nsdyn_system *sys = small_system(3);
  nsdyn_contact_law law;
  nsdyn_detail detail;
  nsdyn_contact_law_init(&law, sizeof law);
  law.mu = 0.3;
  ck_assert_int_eq(nsdyn_system_set_contact(sys, 2, &law), NSDYN_OK);
  ck_assert_str_eq(nsdyn_system_message(sys), "");
  ck_assert(sys->laws[2].mu == 0.3 && sys->laws[1].mu == 0.0);
  law.eps_n = 1.4;
  ck_assert_int_eq(nsdyn_system_set_contact(sys, 2, &law), NSDYN_ERR_ARGUMENT);
  ck_assert_msg(strstr(nsdyn_system_message(sys), "contact 2") && strstr(nsdyn_system_message(sys), "1.4"),
                "%s", nsdyn_system_message(sys));
  nsdyn_detail_init(&detail, sizeof detail);
  ck_assert_int_eq(nsdyn_system_detail(sys, &detail), NSDYN_OK);
  ck_assert(detail.kind == NSDYN_DETAIL_CONTACT && detail.index == 2);
  ck_assert(sys->laws[2].eps_n == 0.0);
  law.eps_n = NAN;
  ck_assert_int_eq(nsdyn_system_set_contact(sys, 0, &law), NSDYN_ERR_NOT_FINITE);
  ck_assert_int_eq(nsdyn_system_set_contact(sys, 3, &law), NSDYN_ERR_ARGUMENT);
  ck_assert_msg(strstr(nsdyn_system_message(sys), "contact 3"), "%s", nsdyn_system_message(sys));
  ck_assert_int_eq(nsdyn_system_set_contact(sys, -1, &law), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_system_set_contact(sys, 0, NULL), NSDYN_ERR_ARGUMENT);
  law.size = 3;
  ck_assert_int_eq(nsdyn_system_set_contact(sys, 0, &law), NSDYN_ERR_STRUCT_SIZE);
  nsdyn_system_free(sys);
}
END_TEST

START_TEST(laws_of_found_contacts_are_numbered)
{
  nsdyn_system *sys = small_system(0);
  nsdyn_contact_law law;
  nsdyn_contact_law_init(&law, sizeof law);
  int32_t number;
  for (int32_t i = 0; i < 21; i++) {
    law.mu = i;
    ck_assert_int_eq(nsdyn_system_add_law(sys, &law, &number), NSDYN_OK);
    ck_assert_int_eq(number, i);
  }
  law.mu = 99.0;
  ck_assert_int_eq(nsdyn_system_set_law(sys, 4, &law), NSDYN_OK);
  for (int32_t i = 0; i < 21; i++) {
    ck_assert(sys->found_laws[i].mu == (i == 4 ? 99.0 : i));
  }
  law.mu = -1.0;
  ck_assert_int_eq(nsdyn_system_set_law(sys, 4, &law), NSDYN_ERR_ARGUMENT);
  ck_assert_msg(strncmp(nsdyn_system_message(sys), "law 4: mu", 9) == 0, "%s", nsdyn_system_message(sys));
  ck_assert_int_eq(nsdyn_system_add_law(sys, &law, &number), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_system_add_law(sys, NULL, &number), NSDYN_ERR_ARGUMENT);
  law.mu = 1.0;
  ck_assert_int_eq(nsdyn_system_add_law(sys, &law, NULL), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_system_set_law(sys, 21, &law), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_system_set_law(sys, -1, &law), NSDYN_ERR_ARGUMENT);
  nsdyn_system_free(sys);
}
END_TEST

START_TEST(null_is_refused)
{
  nsdyn_contact_law law;
  int32_t number;
  nsdyn_contact_law_init(&law, sizeof law);
  ck_assert_int_eq(nsdyn_system_set_contact(NULL, 0, &law), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_system_add_law(NULL, &law, &number), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_system_set_law(NULL, 0, &law), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_system_detail(NULL, NULL), NSDYN_ERR_ARGUMENT);
  ck_assert_str_eq(nsdyn_system_message(NULL), "");
}
END_TEST

SUITE("system", TEST(the_last_holder_destroys_the_user), TEST(a_new_that_fails_destroys_nothing),
      TEST(laws_are_checked_and_named), TEST(laws_of_found_contacts_are_numbered), TEST(null_is_refused))
