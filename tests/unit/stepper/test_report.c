/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>
#include <string.h>

#include "stepper/object.h"
#include "stepping.h"

START_TEST(structs_begin_with_their_size)
{
  nsdyn_contact_state state;
  nsdyn_step_report report;
  memset(&state, 0x55, sizeof state);
  ck_assert_int_eq(nsdyn_contact_state_init(&state, sizeof state), NSDYN_OK);
  ck_assert_int_eq(nsdyn_step_report_init(&report, sizeof report), NSDYN_OK);
  ck_assert(state.size == sizeof state && state.key == 0 && state.after[2] == 0.0);
  ck_assert_int_eq(nsdyn_contact_state_init(&state, 8), NSDYN_ERR_STRUCT_SIZE);
  ck_assert_int_eq(nsdyn_step_report_init(&report, 8), NSDYN_ERR_STRUCT_SIZE);
}
END_TEST

/* A box over three contacts known, two of them closed, and one found. */
START_TEST(contacts_are_told_by_number_place_and_key)
{
  model m;
  model_clear(&m, 3);
  m.f[1] = m.f[2] = -1.0;
  model_add_contact(&m, 5.0, 0, -1, 0.0, 0.0);
  model_add_contact(&m, 0.0, 1, 0, 0.5, 0.0);
  model_add_contact(&m, -0.25, 2, -1, 0.0, 0.0);
  m.known = 2; /* the last one is found */
  m.contact[2].key = -77;
  nsdyn_stepper *s = stepper_of(&m, 0, 0, NULL);
  set_state(s, (double[]){0.0, 0.0, 0.0}, (double[]){0.5, 0.0, -1.0});
  run(s, 0.1, 1);
  ck_assert_int_eq(nsdyn_stepper_active(s), 2);
  nsdyn_contact_state c = state_of(s, 0);
  ck_assert(c.active == 0 && c.gap == 5.0 + 0.05 * 0.5 && c.index == 0 && c.key == 0 && c.impulse[0] == 0.0);
  c = state_of(s, 1);
  ck_assert(c.active == 1 && c.index == 1 && c.rows == 2 && c.mu == 0.5 && c.gap == 0.0);
  ck_assert_double_eq_tol(c.impulse[0], 0.1, 1e-15);
  ck_assert_double_eq_tol(c.impulse[1], -0.05, 1e-15);
  ck_assert_double_eq_tol(c.force[0], 1.0, 1e-14);
  ck_assert_double_eq_tol(c.before[1], 0.5, 1e-15);
  ck_assert_double_eq_tol(c.after[1], 0.45, 1e-15);
  ck_assert_int_eq(c.mode, NSDYN_MODE_SLIP_PLUS);
  nsdyn_contact_state k;
  nsdyn_contact_state_init(&k, sizeof k);
  ck_assert_int_eq(nsdyn_stepper_active_contact(s, 0, &k), NSDYN_OK);
  ck_assert_mem_eq(&k, &c, sizeof c);
  ck_assert_int_eq(nsdyn_stepper_active_contact(s, 1, &k), NSDYN_OK);
  ck_assert(k.key == -77 && k.index == -1 && k.rows == 1 && k.before[0] == -1.0 && k.after[0] == 0.0);
  ck_assert_double_eq_tol(k.impulse[0], 1.1, 1e-15);
  nsdyn_contact_state f;
  nsdyn_contact_state_init(&f, sizeof f);
  ck_assert_int_eq(nsdyn_stepper_found_contact(s, -77, &f), NSDYN_OK);
  ck_assert_mem_eq(&k, &f, sizeof f);
  ck_assert_int_eq(nsdyn_stepper_found_contact(s, -78, &f), NSDYN_OK);
  ck_assert(f.active == 0 && f.key == -78 && f.index == -1 && f.impulse[0] == 0.0);
  ck_assert_int_eq(nsdyn_stepper_contact(s, 2, &f), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_stepper_contact(s, -1, &f), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_stepper_contact(NULL, 0, &f), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_stepper_active_contact(s, 2, &f), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_stepper_active_contact(NULL, 0, &f), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_stepper_found_contact(NULL, 0, &f), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_stepper_contact(s, 0, NULL), NSDYN_ERR_ARGUMENT);
  f.size = 1;
  ck_assert_int_eq(nsdyn_stepper_contact(s, 0, &f), NSDYN_ERR_STRUCT_SIZE);
  nsdyn_stepper_free(s);
}
END_TEST

START_TEST(reports_tell_the_last_step)
{
  model m;
  make_block(&m, 1.0, -20.0, 0.5);
  nsdyn_stepper *s = stepper_of(&m, 0, 0, NULL);
  nsdyn_step_report r = report_of(s);
  ck_assert(r.status == NSDYN_OK && r.steps == 0 && r.active == 0 && r.solutions == -2 && r.motions == -2);
  run(s, 0.25, 1);
  r = report_of(s);
  ck_assert(r.active == 1 && r.steps == 1 && r.rounds == 1 && r.t == 0.25 && r.dt == 0.25 &&
            r.inelastic == 0);
  ck_assert(r.method == NSDYN_CONTACT_DIRECT && r.lcp_size == 0 && r.iterations >= 1);
  ck_assert(r.scale > 0.0 && r.residual <= 1e-9 * r.scale);
  run(s, 0.25, 1);
  ck_assert_int_eq(report_of(s).warm, 1);
  m.f[1] = 1000.0; /* it leaves the floor */
  run(s, 0.25, 2);
  r = report_of(s);
  ck_assert(r.active == 0 && r.rounds == 0 && r.method == 0 && r.iterations == 0 && r.scale == 0.0);
  m.fails = MODEL_FORCE;
  m.code = -1;
  ck_assert_int_eq(nsdyn_stepper_step(s, 0.25), NSDYN_ERR_CALLBACK);
  r = report_of(s);
  ck_assert(r.status == NSDYN_ERR_CALLBACK && r.active == 0 && r.steps == 4 && r.t == 1.0);
  ck_assert_int_eq(nsdyn_stepper_report(NULL, &r), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_stepper_report(s, NULL), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_stepper_active(NULL), 0);
  nsdyn_stepper_free(s);
}
END_TEST

SUITE("stepper/report", TEST(structs_begin_with_their_size), TEST(contacts_are_told_by_number_place_and_key),
      TEST(reports_tell_the_last_step))
