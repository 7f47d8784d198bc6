/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "stepper/object.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "stepping.h"
#include "support/counted_memory.h"

START_TEST(options_out_of_range_are_named)
{
  static const struct {
    size_t field;
    double value;
    int is_double;
    const char *words;
  } wrong[] = {
      {offsetof(nsdyn_stepper_options, scheme), -1, 0, "scheme: -1"},
      {offsetof(nsdyn_stepper_options, project), 3, 0, "project: 3"},
      {offsetof(nsdyn_stepper_options, count), -1, 0, "count: -1"},
      {offsetof(nsdyn_stepper_options, friction_rounds), -1, 0, "friction_rounds: -1"},
      {offsetof(nsdyn_stepper_options, inelastic), 3, 0, "inelastic: 3"},
      {offsetof(nsdyn_stepper_options, clip), 2, 0, "clip: 2"},
      {offsetof(nsdyn_stepper_options, impact), 2, 0, "impact: 2"},
      {offsetof(nsdyn_stepper_options, impact), -1, 0, "impact: -1"},
      {offsetof(nsdyn_stepper_options, contact_method), -1, 0, "contact_method: -1"},
      {offsetof(nsdyn_stepper_options, contact_method), 9, 0, "contact_method: 9"},
      {offsetof(nsdyn_stepper_options, check), 2, 0, "check: 2"},
      {offsetof(nsdyn_stepper_options, lcp_method), -1, 0, "lcp_method: -1"},
      {offsetof(nsdyn_stepper_options, lcp_method), 11, 0, "lcp_method: 11"},
      {offsetof(nsdyn_stepper_options, threshold), -0.5, 1, "threshold: -0.5"},
      {offsetof(nsdyn_stepper_options, threshold), INFINITY, 1, "threshold: inf"},
      {offsetof(nsdyn_stepper_options, dt), 0.0, 1, "dt: 0"},
      {offsetof(nsdyn_stepper_options, dt), NAN, 1, "dt: nan"},
      {offsetof(nsdyn_stepper_options, tol), 1.0, 1, "tol: 1"},
      {offsetof(nsdyn_stepper_options, tol), NAN, 1, "tol: nan"},
  };
  model m;
  nsdyn_system *sys;
  model_clear(&m, 1);
  ck_assert_int_eq(model_system(&m, NULL, 0, 0, &sys), NSDYN_OK);
  nsdyn_stepper *s, *none;
  ck_assert_int_eq(nsdyn_stepper_new(NULL, sys, NULL, &s, NULL), NSDYN_OK);
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    nsdyn_stepper_options o = stepper_defaults();
    nsdyn_detail detail;
    if (wrong[i].is_double) {
      memcpy((char *)&o + wrong[i].field, &wrong[i].value, sizeof wrong[i].value);
    } else {
      const int32_t value = (int32_t)wrong[i].value;
      memcpy((char *)&o + wrong[i].field, &value, sizeof value);
    }
    nsdyn_error error = {.size = sizeof error};
    ck_assert_int_eq(nsdyn_stepper_new(NULL, sys, &o, &none, &error), NSDYN_ERR_ARGUMENT);
    ck_assert_ptr_null(none);
    ck_assert_msg(strstr(error.message, wrong[i].words) != NULL, "%s", error.message);
    ck_assert(error.kind == NSDYN_DETAIL_FIELD && (size_t)error.index == wrong[i].field);
    ck_assert_str_eq(nsdyn_system_message(sys), ""); /* which others may share */
    ck_assert_int_eq(nsdyn_stepper_set_options(s, &o), NSDYN_ERR_ARGUMENT);
    ck_assert_msg(strstr(nsdyn_stepper_message(s), wrong[i].words) != NULL, "%s", nsdyn_stepper_message(s));
    nsdyn_detail_init(&detail, sizeof detail);
    ck_assert_int_eq(nsdyn_stepper_detail(s, &detail), NSDYN_OK);
    ck_assert(detail.kind == NSDYN_DETAIL_FIELD && (size_t)detail.index == wrong[i].field);
    ck_assert(s->options.dt == 1e-3 && s->options.tol == 1e-9);
  }
  nsdyn_stepper_options o = stepper_defaults();
  o.size = 12;
  ck_assert_int_eq(nsdyn_stepper_set_options(s, &o), NSDYN_ERR_STRUCT_SIZE);
  o = stepper_defaults();
  o.dt = 0.5;
  ck_assert_int_eq(nsdyn_stepper_set_options(s, &o), NSDYN_OK);
  ck_assert(s->options.dt == 0.5);
  ck_assert_int_eq(nsdyn_stepper_set_options(s, NULL), NSDYN_OK);
  ck_assert(s->options.dt == 1e-3);
  nsdyn_stepper_free(s);
  nsdyn_system_free(sys);
}
END_TEST

START_TEST(a_new_stepper_is_at_rest_at_zero)
{
  model m;
  model_clear(&m, 3);
  nsdyn_stepper *s = stepper_of(&m, 0, 0, NULL);
  ck_assert(nsdyn_stepper_time(s) == 0.0);
  for (int j = 0; j < 3; j++) {
    ck_assert(nsdyn_stepper_q(s)[j] == 0.0 && nsdyn_stepper_u(s)[j] == 0.0);
  }
  ck_assert_str_eq(nsdyn_stepper_message(s), "");
  for (int i = 0; i < MODEL_CALLBACKS; i++) {
    ck_assert_int_eq(m.calls[i], 0);
  }
  nsdyn_stepper_free(s);
}
END_TEST

START_TEST(states_are_checked)
{
  model m;
  model_clear(&m, 2);
  nsdyn_stepper *s = stepper_of(&m, 0, 0, NULL);
  const double good[2] = {1.0, 2.0}, bad[2] = {1.0, NAN};
  ck_assert_int_eq(nsdyn_stepper_set_state(s, 3.0, good, good), NSDYN_OK);
  ck_assert_int_eq(nsdyn_stepper_set_state(s, INFINITY, good, good), NSDYN_ERR_NOT_FINITE);
  ck_assert_int_eq(nsdyn_stepper_set_state(s, 0.0, bad, good), NSDYN_ERR_NOT_FINITE);
  ck_assert_str_eq(nsdyn_stepper_message(s), "q: element 1 is nan");
  ck_assert_int_eq(nsdyn_stepper_set_state(s, 0.0, good, bad), NSDYN_ERR_NOT_FINITE);
  ck_assert_int_eq(nsdyn_stepper_set_state(s, 0.0, NULL, good), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_stepper_set_state(s, 0.0, good, NULL), NSDYN_ERR_ARGUMENT);
  ck_assert(nsdyn_stepper_time(s) == 3.0 && nsdyn_stepper_q(s)[1] == 2.0);
  nsdyn_stepper_free(s);
}
END_TEST

START_TEST(constants_are_evaluated_anew_after_a_new_state)
{
  model m;
  make_block(&m, 0.0, -20.0, 0.0);
  const nsdyn_stepper_options options = stepper_unchecked();
  nsdyn_stepper *s = stepper_of(&m, NSDYN_CONSTANT_MASS | NSDYN_CONSTANT_DIRECTIONS, 0, &options);
  const double zero[2] = {0.0, 0.0};
  set_state(s, zero, zero);
  run(s, 0.1, 1);
  const int64_t configured = m.calls[MODEL_CONFIGURE]; /* with the look at what closes for the first time */
  run(s, 0.1, 4);
  ck_assert(m.calls[MODEL_MASS] == 1 && m.calls[MODEL_DIRECTION] == 1 &&
            m.calls[MODEL_CONFIGURE] == configured + 4);
  m.M0[0] = m.M0[3] = 4.0;
  m.f[0] = 1.0;
  run(s, 0.1, 1);
  ck_assert_double_eq_tol(nsdyn_stepper_u(s)[0], 0.05, 1e-15); /* still 2 kg */
  set_state(s, zero, zero);
  run(s, 0.1, 1);
  ck_assert(m.calls[MODEL_MASS] == 2 && m.calls[MODEL_DIRECTION] == 2);
  ck_assert_double_eq_tol(nsdyn_stepper_u(s)[0], 0.025, 1e-15);
  nsdyn_stepper_free(s);
}
END_TEST

/* A direction that is not its gap's slope: found by the first step, and by no other. */
START_TEST(the_first_step_checks_the_model)
{
  for (int is_wrong = 0; is_wrong < 2; is_wrong++) {
    model m;
    make_block(&m, 0.0, -20.0, 0.3);
    nsdyn_stepper_options options = stepper_defaults();
    options.check = 1;
    nsdyn_stepper *s = stepper_of(&m, 0, 0, &options);
    const double q[2] = {0.1, 1.0}, u[2] = {0.3, 0.2};
    set_state(s, q, u);
    m.fails = is_wrong ? MODEL_DIRECTION : m.fails;
    m.where = 0;
    m.value = -0.25; /* of w_N, along the floor */
    const nsdyn_status status = nsdyn_stepper_step(s, 1e-3);
    ck_assert_int_eq(status, is_wrong ? NSDYN_ERR_INCONSISTENT : NSDYN_OK);
    if (is_wrong) {
      ck_assert_msg(strncmp(nsdyn_stepper_message(s), "option check: direction of contact 0", 35) == 0, "%s",
                    nsdyn_stepper_message(s));
      ck_assert(nsdyn_stepper_time(s) == 0.0 && nsdyn_stepper_q(s)[1] == 1.0);
      ck_assert_int_eq(nsdyn_stepper_step(s, 1e-3), NSDYN_ERR_INCONSISTENT); /* it does not go away */
      options.check = 0;
      ck_assert_int_eq(nsdyn_stepper_set_options(s, &options), NSDYN_OK);
      ck_assert_int_eq(nsdyn_stepper_step(s, 1e-3), NSDYN_OK);
    } else {
      const int64_t calls = m.calls[MODEL_GAP];
      run(s, 1e-3, 1);
      ck_assert_int_le(m.calls[MODEL_GAP] - calls, 2); /* the second one asks no more than it needs */
    }
    nsdyn_stepper_free(s);
  }
}
END_TEST

START_TEST(null_is_refused)
{
  nsdyn_stepper *s;
  const double x[1] = {0.0};
  nsdyn_error error = {.size = sizeof error};
  ck_assert_int_eq(nsdyn_stepper_new(NULL, NULL, NULL, &s, &error), NSDYN_ERR_ARGUMENT);
  ck_assert_ptr_null(s);
  ck_assert_str_eq(error.message, "nsdyn_stepper_new: sys is NULL");
  ck_assert_int_eq(nsdyn_stepper_set_options(NULL, NULL), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_stepper_set_state(NULL, 0.0, x, x), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_stepper_detail(NULL, NULL), NSDYN_ERR_ARGUMENT);
  ck_assert_str_eq(nsdyn_stepper_message(NULL), "");
  ck_assert_ptr_null(nsdyn_stepper_q(NULL));
  ck_assert_ptr_null(nsdyn_stepper_u(NULL));
  ck_assert(nsdyn_stepper_time(NULL) == 0.0);
  nsdyn_stepper_free(NULL);
  model m;
  nsdyn_system *sys;
  model_clear(&m, 1);
  ck_assert_int_eq(model_system(&m, NULL, 0, 0, &sys), NSDYN_OK);
  ck_assert_int_eq(nsdyn_stepper_new(NULL, sys, NULL, NULL, &error), NSDYN_ERR_ARGUMENT);
  ck_assert_str_eq(error.message, "nsdyn_stepper_new: out is NULL");
  nsdyn_system_free(sys);
}
END_TEST

START_TEST(sizes_beyond_memory_are_refused)
{
  model m;
  nsdyn_system *sys;
  nsdyn_stepper *s;
  model_clear(&m, 1);
  nsdyn_system_def def = model_def(&m, 0, 0);
  def.nq = def.nu = INT32_MAX / NSD_CONTACT_ROWS; /* as many as a system may have */
  ck_assert_int_eq(nsdyn_system_new(NULL, &def, &sys, NULL), NSDYN_OK);
  nsdyn_error error = {.size = sizeof error};
  const nsdyn_status status = nsdyn_stepper_new(NULL, sys, NULL, &s, &error);
  ck_assert(status == NSDYN_ERR_NOMEM || status == NSDYN_ERR_TOO_LARGE);
  ck_assert_ptr_null(s);
  ck_assert_msg(strstr(error.message, "715827882 coordinates") != NULL, "%s", error.message);
  nsdyn_system_free(sys);
}
END_TEST

/* What a run leaves, with memory that was full of this byte. */
typedef struct outcome {
  nsdyn_status status;
  char message[400];
  double q[MODEL_MOST], u[MODEL_MOST];
} outcome;

static outcome run_in_memory(int fill, int seed, const nsdyn_stepper_options *options)
{
  random_state random = random_seed((uint64_t)seed);
  counted_memory memory = {.fill = fill};
  nsdyn_context *ctx = counted_context(&memory, NULL);
  nsdyn_system *sys;
  nsdyn_stepper *s;
  model m;
  outcome end = {.status = NSDYN_OK};
  const int nu = 2 + seed % 4;
  double q[MODEL_MOST], u[MODEL_MOST];
  model_random(&m, &random, nu, 1 + seed % 3, seed / 3 % 3, seed % 5 > 2);
  for (int j = 0; j < nu; j++) {
    q[j] = random_between(&random, -0.1, 0.1);
    u[j] = random_between(&random, -1.0, 1.0);
  }
  ck_assert_int_eq(model_system(&m, ctx, 0, 0, &sys), NSDYN_OK);
  ck_assert_int_eq(nsdyn_stepper_new(ctx, sys, options, &s, NULL), NSDYN_OK);
  set_state(s, q, u);
  for (int k = 0; k < 20 && end.status == NSDYN_OK; k++) {
    end.status = nsdyn_stepper_step(s, 1e-2);
  }
  snprintf(end.message, sizeof end.message, "%s", nsdyn_stepper_message(s));
  memcpy(end.q, nsdyn_stepper_q(s), sizeof(double) * (size_t)nu);
  memcpy(end.u, nsdyn_stepper_u(s), sizeof(double) * (size_t)nu);
  nsdyn_stepper_free(s);
  nsdyn_system_free(sys);
  nsdyn_context_free(ctx);
  return end;
}

/* Each scheme, with forces of the middle and implicit ones, with projection and without: what memory held
 * before is not read. Filled with these bytes a number is 1e-303, −3e47, 1e246 or NaN. */
START_TEST(what_memory_held_before_is_not_read)
{
  static const int fills[] = {0x01, 0xc9, 0x73, 0xff};
  const int cases = random_cases(1600);
  int failed = 0;
  for (int seed = 0; seed < cases; seed++) {
    nsdyn_stepper_options options = stepper_defaults();
    options.scheme = seed % (NSDYN_SCHEME_GENERALIZED_ALPHA + 1);
    options.theta = seed / 32 % 2 ? 0.5 : 0.8;
    options.implicit_rounds = seed / 8 % 2 ? 30 : 0;
    options.project = seed / 16 % 3;
    const outcome first = run_in_memory(fills[0], seed, &options);
    failed += first.status != NSDYN_OK;
    for (size_t i = 1; i < sizeof fills / sizeof *fills; i++) {
      const outcome other = run_in_memory(fills[i], seed, &options);
      REQUIRE(other.status == first.status && strcmp(other.message, first.message) == 0,
              "seed %d, memory of %d: '%s', of %d: '%s'", seed, fills[0], first.message, fills[i],
              other.message);
      REQUIRE(memcmp(other.q, first.q, sizeof first.q) == 0 && memcmp(other.u, first.u, sizeof first.u) == 0,
              "seed %d: another motion with memory of %d than of %d", seed, fills[i], fills[0]);
    }
  }
  ck_assert_msg(10 * failed < cases, "%d of %d runs failed", failed, cases);
}
END_TEST

SUITE("stepper/object", TEST(options_out_of_range_are_named), TEST(a_new_stepper_is_at_rest_at_zero),
      TEST(states_are_checked), TEST(constants_are_evaluated_anew_after_a_new_state),
      TEST(the_first_step_checks_the_model), TEST(null_is_refused), TEST(sizes_beyond_memory_are_refused),
      TEST(what_memory_held_before_is_not_read))
