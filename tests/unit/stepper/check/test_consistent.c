/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* How runs begin: what is refused, what is made consistent, what stays. */
#include "stepper/check/consistent.h"

#include <math.h>
#include <string.h>

#include "stepping.h"

static nsdyn_stepper *strict(model *m, int64_t flags, int extra)
{
  nsdyn_stepper_options options;
  nsdyn_stepper_options_init(&options, sizeof options);
  ck_assert(options.start_tol == 5e-3);
  return stepper_of(m, flags, extra, &options);
}

static void must_refuse(nsdyn_stepper *s, const char *words)
{
  const double t = nsdyn_stepper_time(s), q = nsdyn_stepper_q(s)[0], u = nsdyn_stepper_u(s)[0];
  const nsdyn_status status = nsdyn_stepper_step(s, 1e-3);
  REQUIRE(status == NSDYN_ERR_INCONSISTENT && strstr(nsdyn_stepper_message(s), words), "%s: %s",
          nsdyn_status_name(status), nsdyn_stepper_message(s));
  ck_assert(nsdyn_stepper_time(s) == t && nsdyn_stepper_q(s)[0] == q && nsdyn_stepper_u(s)[0] == u);
}

static nsdyn_consistent_report make_consistent(nsdyn_stepper *s)
{
  nsdyn_consistent_report report;
  nsdyn_consistent_report_init(&report, sizeof report);
  const nsdyn_status status = nsdyn_stepper_consistent(s, &report);
  REQUIRE(status == NSDYN_OK, "%s: %s", nsdyn_status_name(status), nsdyn_stepper_message(s));
  return report;
}

/* A centimetre deep, known or found, with one coordinate per velocity or callbacks that move. */
START_TEST(penetration_is_refused_and_corrected)
{
  for (int way = 0; way < 8; way++) {
    model m;
    make_block(&m, 0.0, -20.0, 0.3);
    m.known = way % 2;
    m.contact[0].key = 12;
    nsdyn_stepper *s = strict(&m, way & 2 ? NSDYN_CONSTANT_MASS | NSDYN_CONSTANT_DIRECTIONS : 0,
                              way & 4 ? MODEL_RETRACTS : 0);
    set_state(s, (double[]){2.0, -0.01}, (double[]){1.0, -1.0});
    must_refuse(s, way % 2 ? "contact 0 starts 0.01 deep" : "contact with key 12 starts 0.01 deep");
    nsdyn_detail detail;
    nsdyn_detail_init(&detail, sizeof detail);
    ck_assert_int_eq(nsdyn_stepper_detail(s, &detail), NSDYN_OK);
    ck_assert(detail.kind == NSDYN_DETAIL_CONTACT && detail.index == (way % 2 ? 0 : -1));
    const nsdyn_consistent_report r = make_consistent(s);
    ck_assert(r.penetration == 0.01 && r.contact == (way % 2 ? 0 : -1) && r.key == (way % 2 ? 0 : 12));
    ck_assert_double_eq_tol(r.approach, 1.0, 1e-15);
    ck_assert_double_eq_tol(r.moved, 0.01, 1e-12);
    ck_assert_double_eq_tol(r.kicked, 1.0, 1e-12);
    ck_assert(r.left <= 1e-12 && r.constraint == -1 && r.gap == 0.0);
    ck_assert_double_eq_tol(nsdyn_stepper_q(s)[1], 0.0, 1e-12);
    ck_assert_double_eq_tol(nsdyn_stepper_u(s)[1], 0.0, 1e-12);
    run(s, 1e-3, 100);
    nsdyn_stepper_free(s);
  }
}
END_TEST

/* What a step leaves, and what tables print, passes; INFINITY accepts all, 0 nothing but what a step makes.
 */
START_TEST(tolerance_is_a_share)
{
  static const struct {
    double tol, depth;
    int passes;
  } cases[] = {{5e-3, 0.9e-3, 1},  {5e-3, 1.5e-2, 0}, {0.1, 0.9e-3, 1},
               {INFINITY, 1.0, 1}, {0.0, 1e-3, 0},    {0.0, 5e-6, 1}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    model m;
    make_block(&m, 0.0, -20.0, 0.3);
    m.contact[0].g0 = -0.2 - cases[i].depth;
    nsdyn_stepper_options options;
    nsdyn_stepper_options_init(&options, sizeof options);
    options.start_tol = cases[i].tol;
    nsdyn_stepper *s = stepper_of(&m, 0, 0, &options);
    set_state(s, (double[]){0.0, 0.2}, (double[]){0.0, 0.0});
    const nsdyn_status status = nsdyn_stepper_step(s, 1e-3);
    REQUIRE(status == (cases[i].passes ? NSDYN_OK : NSDYN_ERR_INCONSISTENT), "case %zu: %s", i,
            nsdyn_stepper_message(s));
    nsdyn_stepper_free(s);
  }
  nsdyn_stepper_options options;
  nsdyn_stepper_options_init(&options, sizeof options);
  const double wrong[] = {-1.0, NAN};
  for (int i = 0; i < 2; i++) {
    model m;
    nsdyn_stepper *s;
    make_block(&m, 0.0, -20.0, 0.3);
    s = stepper_of(&m, 0, 0, NULL);
    options.start_tol = wrong[i];
    ck_assert_int_eq(nsdyn_stepper_set_options(s, &options), NSDYN_ERR_ARGUMENT);
    ck_assert_msg(strstr(nsdyn_stepper_message(s), "start_tol") != NULL, "%s", nsdyn_stepper_message(s));
    nsdyn_stepper_free(s);
  }
}
END_TEST

/* A violated constraint, its velocity, and two that no state satisfies. */
START_TEST(constraints_are_refused_and_corrected)
{
  model m;
  model_clear(&m, 2);
  m.constraints = 1;
  m.constraint[0].n[0] = 1.0;
  m.constraint[0].rate = -2.0;
  nsdyn_stepper *s = strict(&m, 0, 0);
  set_state(s, (double[]){0.1, 0.0}, (double[]){2.0, 1.0});
  must_refuse(s, "constraint 0 starts with g_b = 0.1");
  set_state(s, (double[]){0.0, 0.0}, (double[]){1.5, 1.0});
  must_refuse(s, "constraint 0 starts with W_b u + w_hat_b = -0.5");
  set_state(s, (double[]){0.1, 0.0}, (double[]){1.5, 1.0});
  const nsdyn_consistent_report r = make_consistent(s);
  ck_assert(r.gap == 0.1 && r.constraint == 0 && r.velocity == 0.5 && r.contact == -1 && r.key == -1);
  ck_assert_double_eq_tol(nsdyn_stepper_q(s)[0], 0.0, 1e-15);
  ck_assert_double_eq_tol(nsdyn_stepper_u(s)[0], 2.0, 1e-12);
  ck_assert(nsdyn_stepper_u(s)[1] == 1.0);
  run(s, 1e-3, 10);
  nsdyn_stepper_free(s);

  m.constraints = 2;
  m.constraint[0].rate = 0.0;
  m.constraint[1].n[0] = 1.0;
  m.constraint[1].g0 = -0.1;
  s = strict(&m, 0, 0);
  set_state(s, (double[]){0.0, 0.0}, (double[]){0.0, 1.0});
  must_refuse(s, "constraint 1 starts with g_b = -0.1");
  ck_assert_int_eq(nsdyn_stepper_consistent(s, NULL), NSDYN_ERR_INCONSISTENT);
  ck_assert_msg(strstr(nsdyn_stepper_message(s), "constraint") != NULL, "%s", nsdyn_stepper_message(s));
  ck_assert(nsdyn_stepper_q(s)[0] == 0.0 && nsdyn_stepper_u(s)[1] == 1.0);
  nsdyn_stepper_free(s);
}
END_TEST

/* Where no state is consistent, what stays off is named, and nobody is sent to the call that has just failed:
 * 0.05 + q + 10 q² is at least 0.025. */
START_TEST(what_cannot_be_corrected_is_not_called_so)
{
  model m;
  model_clear(&m, 2);
  m.constraints = 1;
  m.constraint[0].n[0] = 1.0;
  m.constraint[0].g0 = 0.05;
  m.constraint[0].bend = 20.0;
  nsdyn_stepper *s = strict(&m, 0, 0);
  set_state(s, (double[]){0.1, 0.0}, (double[]){0.0, 1.0});
  must_refuse(s, "nsdyn_stepper_consistent() corrects it");
  ck_assert_int_eq(nsdyn_stepper_consistent(s, NULL), NSDYN_ERR_INCONSISTENT);
  const char *message = nsdyn_stepper_message(s);
  ck_assert_msg(strstr(message, "constraint 0 stays with g_b = 0.0") &&
                    strstr(message, "no consistent state") && !strstr(message, "corrects it"),
                "%s", message);
  ck_assert(nsdyn_stepper_q(s)[0] == 0.1 && nsdyn_stepper_u(s)[1] == 1.0);
  nsdyn_stepper_free(s);
}
END_TEST

/* Random states of random models with curved gaps, both constraints and contacts: consistent afterwards, and
 * by the least change for one contact: along M⁻¹ w. */
START_TEST(random_states_are_made_consistent)
{
  const int cases = random_cases(200);
  int made = 0;
  for (int seed = 0; seed < cases; seed++) {
    random_state random = random_seed((uint64_t)seed);
    model m;
    double q[MODEL_MOST], u[MODEL_MOST];
    const int nu = 3 + random_below(&random, 4);
    nsdyn_stepper *s = random_stepper(&m, &random, nu, 2, random_below(&random, 2), seed % 2, NULL);
    memcpy(q, nsdyn_stepper_q(s), (size_t)nu * sizeof *q);
    memcpy(u, nsdyn_stepper_u(s), (size_t)nu * sizeof *u);
    nsdyn_consistent_report r;
    nsdyn_consistent_report_init(&r, sizeof r);
    const nsdyn_status status = nsdyn_stepper_consistent(s, &r);
    if (status) {
      REQUIRE(status == NSDYN_ERR_INCONSISTENT && nsdyn_stepper_message(s)[0], "seed %d: %s", seed,
              nsdyn_status_name(status));
      REQUIRE(memcmp(q, nsdyn_stepper_q(s), (size_t)nu * sizeof *q) == 0 &&
                  memcmp(u, nsdyn_stepper_u(s), (size_t)nu * sizeof *u) == 0,
              "seed %d: the state has changed", seed);
    } else {
      made++;
      for (int i = 0; i < m.contacts; i++) {
        const double g = model_gap(&m.contact[i], nu, 0.0, nsdyn_stepper_q(s));
        REQUIRE(g >= -1e-9, "seed %d: contact %d is %g deep", seed, i, -g);
      }
      REQUIRE(r.left <= 1e-9, "seed %d: %g is left", seed, r.left);
    }
    nsdyn_stepper_free(s);
  }
  ck_assert_int_ge(made, cases * 8 / 10);
}
END_TEST

/* A weight held at its height by a constraint: it carries the weight. */
START_TEST(reactions_are_those_of_joints)
{
  model m;
  nsdyn_constraint_state c;
  model_clear(&m, 2);
  m.f[1] = -3.0;
  m.constraints = 1;
  m.constraint[0].n[1] = 1.0;
  nsdyn_stepper *s = strict(&m, 0, 0);
  set_state(s, (double[]){0.0, 0.0}, (double[]){1.0, 0.0});
  nsdyn_constraint_state_init(&c, sizeof c);
  ck_assert_int_eq(nsdyn_stepper_constraint(s, 0, &c), NSDYN_OK);
  ck_assert(c.index == 0 && c.force == 0.0);
  run(s, 1e-2, 3);
  ck_assert_int_eq(nsdyn_stepper_constraint(s, 0, &c), NSDYN_OK);
  ck_assert_double_eq_tol(c.force, 3.0, 1e-12);
  ck_assert_double_eq_tol(c.impulse, 3e-2, 1e-14);
  ck_assert(c.gap == 0.0 && fabs(c.velocity) < 1e-12);
  ck_assert_int_eq(nsdyn_stepper_constraint(s, 1, &c), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_stepper_constraint(s, -1, &c), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_stepper_constraint(NULL, 0, &c), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_stepper_constraint(s, 0, NULL), NSDYN_ERR_ARGUMENT);
  nsdyn_stepper_free(s);
}
END_TEST

/* NaN or an infinity from any callback at any time: never a silent failure, never a number that is none. */
START_TEST(faults_have_words)
{
  static const int extras[] = {0, MODEL_SOLVES, MODEL_MOVES, MODEL_RETRACTS};
  const double values[] = {NAN, INFINITY, -INFINITY};
  const int cases = random_cases(3000);
  for (int seed = 0; seed < cases; seed++) {
    random_state random = random_seed((uint64_t)seed);
    model m;
    const int nu = 2 + random_below(&random, 4);
    model_random(&m, &random, nu, random_below(&random, 3), random_below(&random, 3),
                 random_below(&random, 2));
    nsdyn_stepper_options options = stepper_defaults();
    options.project = random_below(&random, 2);
    options.start_tol = random_below(&random, 2) ? 5e-3 : INFINITY;
    options.impact = random_below(&random, 2);
    nsdyn_stepper *s = stepper_of(&m, 0, extras[random_below(&random, 4)], &options);
    double q[MODEL_MOST] = {0.01}, u[MODEL_MOST] = {1.0};
    set_state(s, q, u);
    (void)nsdyn_stepper_consistent(s, NULL);
    const int before = random_below(&random, 3);
    for (int k = 0; k < before; k++) {
      (void)nsdyn_stepper_step(s, 1e-3);
    }
    m.fails = 1 + random_below(&random, MODEL_CALLBACKS - 1);
    m.code = 0;
    m.value = values[random_below(&random, 3)];
    m.where = random_below(&random, nu);
    for (int k = 0; k < 4; k++) {
      const nsdyn_status status = k == 3 ? nsdyn_stepper_consistent(s, NULL) : nsdyn_stepper_step(s, 1e-3);
      REQUIRE((status == NSDYN_OK) == (nsdyn_stepper_message(s)[0] == '\0'), "seed %d: %s without words",
              seed, nsdyn_status_name(status));
      for (int j = 0; j < nu; j++) {
        REQUIRE(isfinite(nsdyn_stepper_q(s)[j]) && isfinite(nsdyn_stepper_u(s)[j]), "seed %d", seed);
      }
    }
    nsdyn_stepper_free(s);
  }
}
END_TEST

START_TEST(nothing_stale_is_said)
{
  model m;
  nsdyn_system *sys;
  nsdyn_stepper *s;
  nsdyn_stepper_options options = stepper_defaults();
  make_block(&m, 0.0, -20.0, 0.3);
  ck_assert_int_eq(model_system(&m, NULL, 0, 0, &sys), NSDYN_OK);
  options.contact_method = -1;
  nsdyn_error error = {.size = sizeof error};
  ck_assert_int_eq(nsdyn_stepper_new(NULL, sys, &options, &s, &error), NSDYN_ERR_ARGUMENT);
  ck_assert_str_ne(error.message, "");
  options.contact_method = NSDYN_CONTACT_AUTOMATIC;
  ck_assert_int_eq(nsdyn_stepper_new(NULL, sys, &options, &s, &error), NSDYN_OK);
  ck_assert_str_eq(error.message, "");
  ck_assert_int_eq(nsdyn_stepper_consistent(NULL, NULL), NSDYN_ERR_ARGUMENT);
  nsdyn_consistent_report report = {.size = 8};
  ck_assert_int_eq(nsdyn_stepper_consistent(s, &report), NSDYN_ERR_STRUCT_SIZE);
  nsdyn_stepper_free(s);
  nsdyn_system_free(sys);
}
END_TEST

/* A first step that fails leaves the bytes of before, and may be repeated. */
START_TEST(first_steps_that_fail_leave_no_trace)
{
  model m;
  unsigned char before[2048], after[2048];
  make_block(&m, 0.0, -20.0, 0.3);
  nsdyn_stepper *s = strict(&m, 0, 0);
  set_state(s, (double[]){0.0, 0.0}, (double[]){1.0, 0.0});
  const size_t size = nsdyn_stepper_save(s, before, sizeof before);
  m.fails = MODEL_FORCE;
  m.code = -1;
  ck_assert_int_eq(nsdyn_stepper_step(s, 1e-3), NSDYN_ERR_CALLBACK);
  ck_assert_uint_eq(nsdyn_stepper_save(s, after, sizeof after), size);
  ck_assert_mem_eq(before, after, size);
  m.fails = MODEL_NONE;
  run(s, 1e-3, 5);
  /* What was saved before the first step is looked at when it is taken up. */
  set_state(s, (double[]){0.0, -1.0}, (double[]){1.0, 0.0});
  const size_t deep = nsdyn_stepper_save(s, after, sizeof after);
  set_state(s, (double[]){0.0, 0.0}, (double[]){1.0, 0.0});
  run(s, 1e-3, 5);
  ck_assert_int_eq(nsdyn_stepper_restore(s, after, deep), NSDYN_OK);
  must_refuse(s, "contact 0 starts 1 deep");
  nsdyn_stepper_free(s);
}
END_TEST

SUITE("stepper/check/consistent", TEST(what_cannot_be_corrected_is_not_called_so),
      TEST(penetration_is_refused_and_corrected), TEST(tolerance_is_a_share),
      TEST(constraints_are_refused_and_corrected), TEST(random_states_are_made_consistent),
      TEST(reactions_are_those_of_joints), TEST(faults_have_words), TEST(nothing_stale_is_said),
      TEST(first_steps_that_fail_leave_no_trace))
