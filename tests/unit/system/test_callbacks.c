/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "system/callbacks.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "nsdyn/event.h"
#include "stepping.h"

START_TEST(subjects_have_names)
{
  char text[NSD_SUBJECT_LENGTH];
  ck_assert_str_eq(nsd_subject_text(nsd_no_subject(), text), "");
  ck_assert_str_eq(nsd_subject_text((nsd_subject){NSDYN_DETAIL_CONTACT, 2, 0}, text), "contact 2");
  ck_assert_str_eq(nsd_subject_text((nsd_subject){NSDYN_DETAIL_CONTACT, -1, INT64_MIN}, text),
                   "contact with key -9223372036854775808");
  ck_assert_str_eq(nsd_subject_text((nsd_subject){NSDYN_DETAIL_CONSTRAINT, 1, 0}, text), "constraint 1");
}
END_TEST

START_TEST(codes_tell_retry_from_stop)
{
  nsd_fault fault;
  nsd_fault_clear(&fault);
  ck_assert_int_eq(nsd_blame_code(&fault, "force", nsd_no_subject(), -3), NSDYN_ERR_CALLBACK);
  ck_assert_str_eq(fault.message, "callback force: it returned -3");
  ck_assert(fault.detail.kind == NSDYN_DETAIL_CALLBACK && fault.detail.index == -3);
  const nsd_subject who = {NSDYN_DETAIL_CONTACT, -1, 17};
  ck_assert_int_eq(nsd_blame_code(&fault, "curve", who, 5), NSDYN_ERR_CALLBACK_RETRY);
  ck_assert_str_eq(fault.message,
                   "callback curve, contact with key 17: it returned 5, which asks for a shorter step");
  ck_assert(fault.detail.index == 5 && fault.detail.key == 17);
  ck_assert_int_eq(nsd_blame_code(NULL, "curve", who, 5), NSDYN_ERR_CALLBACK_RETRY);
}
END_TEST

START_TEST(numbers_that_are_none_are_named)
{
  nsd_fault fault;
  const double W[6] = {0.0, 1.0, 2.0, NAN, 4.0, INFINITY};
  const nsd_subject who = {NSDYN_DETAIL_CONTACT, 2, 0};
  nsd_fault_clear(&fault);
  ck_assert_int_eq(nsd_blame_matrix(&fault, "direction", who, "W", 1, 3, W), NSDYN_OK);
  ck_assert_int_eq(nsd_blame_matrix(&fault, "direction", who, "W", 2, 3, W), NSDYN_ERR_NOT_FINITE);
  ck_assert_str_eq(fault.message, "callback direction, contact 2: W row 1, column 0 is nan");
  ck_assert(fault.detail.kind == NSDYN_DETAIL_CONTACT && fault.detail.index == 2);
  ck_assert_int_eq(
      nsd_blame_vector(&fault, "force", nsd_no_subject(), NSDYN_DETAIL_COORDINATE, "h", 2, W + 4),
      NSDYN_ERR_NOT_FINITE);
  ck_assert_str_eq(fault.message, "callback force: h element 1 is inf");
  ck_assert(fault.detail.kind == NSDYN_DETAIL_COORDINATE && fault.detail.index == 1);
  ck_assert_int_eq(nsd_blame_overflow(&fault, "velocity", 2, W + 4), NSDYN_ERR_NOT_FINITE);
  ck_assert_str_eq(fault.message, "velocity element 1 is inf: the numbers are too large");
  ck_assert_int_eq(nsd_blame_overflow(&fault, "velocity", 3, W), NSDYN_OK);
}
END_TEST

static int constant_curve(void *user, double speed, double *mu)
{
  *mu = *(const double *)user;
  return speed < 0.0 ? -1 : 0;
}

START_TEST(curves_give_coefficients)
{
  nsdyn_contact_law law;
  nsd_fault fault;
  double value = 0.7, mu = -1.0;
  nsdyn_contact_law_init(&law, sizeof law);
  law.curve = constant_curve;
  law.user = &value;
  const nsd_subject who = {NSDYN_DETAIL_CONTACT, 4, 0};
  nsd_fault_clear(&fault);
  ck_assert_int_eq(nsd_call_curve(&law, who, 1.0, &mu, &fault), NSDYN_OK);
  ck_assert(mu == 0.7);
  value = -0.25;
  ck_assert_int_eq(nsd_call_curve(&law, who, 1.5, &mu, &fault), NSDYN_ERR_ARGUMENT);
  ck_assert_str_eq(fault.message, "callback curve, contact 4: mu at the speed 1.5 is -0.25");
  value = NAN;
  ck_assert_int_eq(nsd_call_curve(&law, who, 1.5, &mu, &fault), NSDYN_ERR_NOT_FINITE);
  value = INFINITY;
  ck_assert_int_eq(nsd_call_curve(&law, who, 1.5, &mu, &fault), NSDYN_ERR_NOT_FINITE);
  ck_assert_int_eq(nsd_call_curve(&law, who, -1.0, &mu, &fault), NSDYN_ERR_CALLBACK);
  ck_assert(mu == 0.7);
}
END_TEST

/* NOLINTNEXTLINE(readability-non-const-parameter): it has the signature of the table */
static int write_nothing(void *user, double t, const double *q, const double *u, double *h)
{
  (void)user, (void)t, (void)q, (void)u, (void)h;
  return 0;
}

START_TEST(outputs_arrive_filled_with_zeros)
{
  model m;
  make_block(&m, 1.0, 2.0, 0.0);
  nsdyn_system_def def = model_def(&m, 0, 0);
  double h[2] = {NAN, NAN};
  const double q[2] = {0.0, 0.0};
  def.force = write_nothing;
  ck_assert_int_eq(nsd_call_force(&def, 0.0, q, q, h, NULL), NSDYN_OK);
  ck_assert(h[0] == 0.0 && h[1] == 0.0);
  h[0] = NAN;
  def.force = NULL;
  ck_assert_int_eq(nsd_call_force(&def, 0.0, q, q, h, NULL), NSDYN_OK);
  ck_assert(h[0] == 0.0);
}
END_TEST

START_TEST(configurations_move_by_any_of_three_ways)
{
  model m;
  make_block(&m, 0.0, 0.0, 0.0);
  const double q[2] = {1.0, 2.0}, u[2] = {-4.0, 8.0};
  for (int extra = 0; extra <= MODEL_RETRACTS; extra += MODEL_MOVES) {
    const nsdyn_system_def def = model_def(&m, 0, extra);
    double q_new[2] = {NAN, NAN};
    ck_assert_int_eq(nsd_call_move(&def, 0.0, q, u, 0.25, q_new, NULL), NSDYN_OK);
    ck_assert(q_new[0] == 0.0 && q_new[1] == 4.0);
  }
}
END_TEST

/* Where it is written, not where forces come out as no numbers. */
START_TEST(constraints_that_are_none_are_named)
{
  model m;
  nsdyn_system *sys;
  nsd_fault fault;
  random_state random = random_seed(3);
  model_random(&m, &random, 3, 0, 0, 2);
  ck_assert_int_eq(model_system(&m, NULL, 0, 0, &sys), NSDYN_OK);
  double g_b[2], W_b[6], w_hat_b[2];
  const double q[3] = {0.0};
  nsd_fault_clear(&fault);
  ck_assert_int_eq(nsd_call_constraint(&sys->def, 0.0, q, g_b, W_b, w_hat_b, &fault), NSDYN_OK);
  m.fails = MODEL_CONSTRAINT;
  m.value = NAN;
  m.where = 5;
  ck_assert_int_eq(nsd_call_constraint(&sys->def, 0.0, q, g_b, W_b, w_hat_b, &fault), NSDYN_ERR_NOT_FINITE);
  ck_assert_str_eq(fault.message, "callback constraint, constraint 1: W_b row 1, column 2 is nan");
  ck_assert(fault.detail.kind == NSDYN_DETAIL_CONSTRAINT && fault.detail.index == 1);
  m.fails = MODEL_NONE;
  m.constraint[1].rate = INFINITY;
  ck_assert_int_eq(nsd_call_constraint(&sys->def, 0.0, q, g_b, W_b, w_hat_b, &fault), NSDYN_ERR_NOT_FINITE);
  ck_assert_str_eq(fault.message, "callback constraint, constraint 1: w_hat_b is inf");
  m.constraint[1].rate = 0.0;
  m.constraint[0].g0 = -INFINITY;
  ck_assert_int_eq(nsd_call_constraint(&sys->def, 0.0, q, g_b, W_b, w_hat_b, &fault), NSDYN_ERR_NOT_FINITE);
  ck_assert_str_eq(fault.message, "callback constraint, constraint 0: g_b is -inf");
  nsdyn_system_free(sys);
}
END_TEST

/* In an event driver too, where the search through modes would have failed first. */
START_TEST(drivers_name_a_constraint_that_is_none)
{
  model m;
  nsdyn_system *sys;
  nsdyn_event_driver *d;
  random_state random = random_seed(3);
  model_random(&m, &random, 3, 1, 0, 2);
  ck_assert_int_eq(model_system(&m, NULL, 0, 0, &sys), NSDYN_OK);
  ck_assert_int_eq(nsdyn_event_driver_new(NULL, sys, NULL, &d, NULL), NSDYN_OK);
  m.fails = MODEL_CONSTRAINT;
  m.value = NAN;
  m.where = 4;
  ck_assert_int_eq(nsdyn_event_driver_advance(d, 1.0), NSDYN_ERR_NOT_FINITE);
  ck_assert_str_eq(nsdyn_event_driver_message(d),
                   "callback constraint, constraint 1: W_b row 1, column 1 is nan");
  nsdyn_event_driver_free(d);
  nsdyn_system_free(sys);
}
END_TEST

/* ½ uᵀ M u is the same of blocks as of the whole, and takes the room of the blocks. */
START_TEST(energies_are_those_of_blocks)
{
  for (int seed = 0; seed < random_cases(300); seed++) {
    random_state random = random_seed((uint64_t)seed);
    const int n = 1 + random_below(&random, MODEL_MOST);
    model m;
    nsd_fault fault;
    double q[MODEL_MOST], u[MODEL_MOST], M[MODEL_MOST * MODEL_MOST], T, sum = 0.0;
    const double *const velocities[] = {u};
    model_random(&m, &random, n, 0, 0, 0);
    model_cut(&m, &random);
    m.writes_blocks = 1;
    for (int i = 0; i < n; i++) {
      q[i] = random_between(&random, -1.0, 1.0);
      u[i] = random_between(&random, -1.0, 1.0);
    }
    nsdyn_system_def def = model_def(&m, 0, 0);
    nsd_fault_clear(&fault);
    ck_assert_int_eq(nsd_call_energies(&def, 0.0, q, 1, velocities, M, &T, &fault), NSDYN_OK);
    size_t numbers = 0;
    for (int b = 0; b < m.nblocks; b++) {
      numbers += (size_t)m.block[b] * (size_t)m.block[b];
    }
    ck_assert_uint_eq(nsd_mass_numbers(&def), numbers);
    model_mass(&m, q, M);
    for (int i = 0; i < n * n; i++) {
      sum += 0.5 * u[i / n] * M[i] * u[i % n];
    }
    REQUIRE(fabs(T - sum) <= 1e-14 * n * sum, "seed %d: %g, not %g", seed, T, sum);
    if (m.nblocks > 1) { /* the last number of all */
      char words[128];
      m.fails = MODEL_MASS;
      m.where = (int)numbers - 1;
      m.value = NAN;
      const int size = m.block[m.nblocks - 1];
      (void)snprintf(words, sizeof words,
                     "callback mass: M block %d (velocities %d to %d) row %d, column %d is nan",
                     m.nblocks - 1, n - size, n - 1, size - 1, size - 1);
      ck_assert_int_eq(nsd_call_energies(&def, 0.0, q, 1, velocities, M, &T, &fault), NSDYN_ERR_NOT_FINITE);
      ck_assert_str_eq(fault.message, words);
      ck_assert(fault.detail.kind == NSDYN_DETAIL_ROW && fault.detail.index == n - 1);
    }
  }
}
END_TEST

SUITE("system/callbacks", TEST(energies_are_those_of_blocks), TEST(constraints_that_are_none_are_named),
      TEST(drivers_name_a_constraint_that_is_none), TEST(subjects_have_names),
      TEST(codes_tell_retry_from_stop), TEST(numbers_that_are_none_are_named), TEST(curves_give_coefficients),
      TEST(outputs_arrive_filled_with_zeros), TEST(configurations_move_by_any_of_three_ways))
