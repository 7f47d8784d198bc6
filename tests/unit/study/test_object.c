/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The object: options, refusals, holding, state. */
#include "study/object.h"

#include <stdio.h>

#include "cycle_models.h"

static table_ball plain(void)
{
  const table_ball p = {.A = 0.03, .omega = 20.0, .g = 9.81, .eps = 0.5};
  return p;
}

START_TEST(options_have_defaults_and_ranges)
{
  table_ball p = plain();
  sought s = table_search(&p);
  nsdyn_cycle_options o;
  nsdyn_cycle *cycle;
  ck_assert_int_eq(nsdyn_cycle_options_init(NULL, sizeof o), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_cycle_options_init(&o, 12), NSDYN_ERR_STRUCT_SIZE);
  ck_assert_int_eq(nsdyn_cycle_options_init(&o, sizeof o), NSDYN_OK);
  ck_assert(o.kind == NSDYN_EVENT_SECTION && o.contact == -1 && o.found == 0 && o.returns == 1 &&
            o.settle == 0 && o.max_iterations == 50 && o.tol == 1e-9 && o.step == 1e-4 &&
            o.max_time == INFINITY && o.forcing == INFINITY && !o.scale && !o.drift && !o.driver);
#define REFUSED(field, value)                                                                                \
  do {                                                                                                       \
    ck_assert_int_eq(nsdyn_cycle_options_init(&o, sizeof o), NSDYN_OK);                                      \
    o.kind = NSDYN_EVENT_IMPACT;                                                                             \
    o.field = (value);                                                                                       \
    nsdyn_error error = {.size = sizeof error};                                                              \
    ck_assert_int_eq(nsdyn_cycle_new(NULL, s.sys, &o, &cycle, &error), NSDYN_ERR_ARGUMENT);                  \
    ck_assert(cycle == NULL && strstr(error.message, "option " #field) != NULL);                             \
    ck_assert_int_eq(error.kind, NSDYN_DETAIL_FIELD);                                                        \
    ck_assert_int_eq(error.index, offsetof(nsdyn_cycle_options, field));                                     \
  } while (0)
  REFUSED(kind, 0);
  REFUSED(kind, 12);
  REFUSED(contact, -2);
  REFUSED(contact, 1);
  REFUSED(found, 2);
  REFUSED(found, -1);
  REFUSED(returns, 0);
  REFUSED(settle, -1);
  REFUSED(max_iterations, -1);
  REFUSED(tol, 0.0);
  REFUSED(tol, 1.0);
  REFUSED(tol, NAN);
  REFUSED(step, 0.0);
  REFUSED(step, 1.0);
  REFUSED(step, NAN);
  REFUSED(max_time, 0.0);
  REFUSED(max_time, NAN);
  REFUSED(forcing, 0.0);
  REFUSED(forcing, -1.0);
  REFUSED(forcing, NAN);
#undef REFUSED
  nsdyn_cycle_options_init(&o, sizeof o);
  o.kind = NSDYN_EVENT_IMPACT;
  o.contact = 0;
  o.found = 1;
  nsdyn_error error = {.size = sizeof error};
  ck_assert_int_eq(nsdyn_cycle_new(NULL, s.sys, &o, &cycle, &error), NSDYN_ERR_ARGUMENT);
  ck_assert(strstr(error.message, "option found") != NULL);
  seek_end(&s);
}
END_TEST

static int output(void *user, double t, const double *q, const double *u)
{
  (void)user, (void)t, (void)q, (void)u;
  return 0;
}

START_TEST(arrays_and_the_drivers_options_are_checked)
{
  exact_woodpecker w;
  exact_woodpecker_table(&w);
  sought s = toy_search(&w, NSDYN_EVENT_IMPACT, 0);
  nsdyn_error error = {.size = sizeof error};
  const int32_t garbage[3] = {1, 0, 7};
  const double scale[6] = {1.0, 1.0, 1.0, 1.0, -1.0, 1.0};
#define REFUSED(status, text)                                                                                \
  do {                                                                                                       \
    ck_assert_int_eq(nsdyn_cycle_new(NULL, s.sys, &s.options, &s.cycle, &error), status);                    \
    ck_assert_msg(s.cycle == NULL && strstr(error.message, text) != NULL, "%s", error.message);              \
  } while (0)
  s.options.drift = garbage; /* as an array that is too short would give */
  REFUSED(NSDYN_ERR_ARGUMENT, "drift: element 2, 7, is not 0 or 1; there have to be nq = 3");
  ck_assert(error.kind == NSDYN_DETAIL_COORDINATE && error.index == 2);
  s.options.drift = NULL;
  s.options.scale = scale;
  REFUSED(NSDYN_ERR_ARGUMENT, "scale: element 4, -1");
  s.options.scale = NULL;
  s.options.kind = NSDYN_EVENT_SECTION;
  REFUSED(NSDYN_ERR_ARGUMENT, "function `section`");
  ck_assert_int_eq(error.index, offsetof(nsdyn_cycle_options, driver));
  nsdyn_event_driver_options_init(&s.driver, sizeof s.driver);
  s.options.kind = NSDYN_EVENT_IMPACT;
  s.options.driver = &s.driver;
  s.driver.output = output;
  REFUSED(NSDYN_ERR_ARGUMENT, "observe and output");
  s.driver.output = NULL;
  s.driver.zeno = 2.0;
  REFUSED(NSDYN_ERR_ARGUMENT, "option zeno");
  s.driver.zeno = 1e-12;
  s.driver.size = 3;
  REFUSED(NSDYN_ERR_STRUCT_SIZE, "nsdyn_event_driver_options");
  s.options.driver = NULL;
  s.options.size = 5;
  REFUSED(NSDYN_ERR_STRUCT_SIZE, "nsdyn_cycle_options");
#undef REFUSED
  ck_assert_int_eq(nsdyn_cycle_new(NULL, s.sys, &s.options, NULL, NULL), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_cycle_new(NULL, NULL, &s.options, &s.cycle, NULL), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_cycle_new(NULL, s.sys, NULL, &s.cycle, NULL), NSDYN_ERR_ARGUMENT); /* no section */
  seek_end(&s);
}
END_TEST

/* Options are copied, the system is held. */
START_TEST(nothing_of_the_callers_is_kept)
{
  exact_woodpecker w;
  exact_woodpecker_table(&w);
  sought s = toy_search(&w, NSDYN_EVENT_IMPACT, 0);
  int32_t drift[3] = {1, 0, 0};
  double scale[6] = {0.01, 0.1, 0.2, 0.1, 10.0, 5.0};
  nsdyn_event_driver_options_init(&s.driver, sizeof s.driver);
  s.driver.tol = 1e-11;
  s.options.driver = &s.driver;
  s.options.drift = drift;
  s.options.scale = scale;
  s.options.settle = 2;
  toy_guess(&s, &w);
  memset(drift, 0x55, sizeof drift);
  memset(scale, 0x55, sizeof scale);
  memset(&s.driver, 0x55, sizeof s.driver);
  memset(&s.options, 0x55, sizeof s.options);
  nsdyn_system_free(s.sys);
  const nsdyn_cycle_find_report r = seek_find(&s);
  ck_assert_double_lt(fabs(r.period - 0.145976065143752), 1e-9);
  ck_assert_int_eq(s.cycle->count, 5);
  nsdyn_cycle_free(s.cycle);
}
END_TEST

START_TEST(a_state_is_checked_and_shown)
{
  table_ball p = plain();
  sought s = table_search(&p);
  const double q = 1.0, u = 2.0, bad = NAN;
  int32_t count = 5;
  seek(&s, 3.0, &q, &u);
  ck_assert(nsdyn_cycle_time(s.cycle) == 3.0 && nsdyn_cycle_q(s.cycle)[0] == 1.0 &&
            nsdyn_cycle_u(s.cycle)[0] == 2.0);
  ck_assert_int_eq(nsdyn_cycle_set_state(s.cycle, 0.0, &bad, &u), NSDYN_ERR_NOT_FINITE);
  ck_assert(strstr(nsdyn_cycle_message(s.cycle), "q: element 0") != NULL);
  nsdyn_detail detail = {.size = sizeof detail};
  ck_assert_int_eq(nsdyn_cycle_detail(s.cycle, &detail), NSDYN_OK);
  ck_assert(detail.kind == NSDYN_DETAIL_COORDINATE && detail.index == 0);
  ck_assert_int_eq(nsdyn_cycle_set_state(s.cycle, 0.0, NULL, &u), NSDYN_ERR_ARGUMENT);
  ck_assert(nsdyn_cycle_time(s.cycle) == 3.0); /* as before */
  const nsdyn_cycle_find_report r = result_of(&s);
  ck_assert(r.found == 0 && r.status == NSDYN_OK && r.residual == INFINITY && r.returns == 0);
  ck_assert(nsdyn_cycle_multipliers(s.cycle, &count) != NULL);
  ck_assert_int_eq(count, 0);
  ck_assert(nsdyn_cycle_shift(s.cycle)[0] == 0.0);
  ck_assert(nsdyn_cycle_driver(s.cycle) != NULL);
  seek_end(&s);
}
END_TEST

START_TEST(null_is_answered)
{
  nsdyn_cycle_find_report result;
  nsdyn_detail detail = {.size = sizeof detail};
  int32_t count = 5;
  nsdyn_cycle_free(NULL);
  ck_assert_int_eq(nsdyn_cycle_set_state(NULL, 0.0, NULL, NULL), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_cycle_set_options(NULL, NULL), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_cycle_return(NULL), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_cycle_find(NULL), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_cycle_sweep(NULL, NULL), NSDYN_ERR_ARGUMENT);
  ck_assert(nsdyn_cycle_time(NULL) == 0.0 && !nsdyn_cycle_q(NULL) && !nsdyn_cycle_u(NULL));
  ck_assert(!nsdyn_cycle_shift(NULL) && !nsdyn_cycle_multipliers(NULL, &count) && !nsdyn_cycle_driver(NULL));
  ck_assert_int_eq(count, 0);
  ck_assert(!nsdyn_cycle_multipliers(NULL, NULL));
  ck_assert_str_eq(nsdyn_cycle_message(NULL), "");
  ck_assert_int_eq(nsdyn_cycle_detail(NULL, &detail), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_cycle_find_report_init(NULL, sizeof result), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_cycle_find_report_init(&result, sizeof result), NSDYN_OK);
  ck_assert_int_eq(nsdyn_cycle_report(NULL, &result), NSDYN_ERR_ARGUMENT);
}
END_TEST

/* A callback that calls back. */
static nsdyn_cycle *called;
static nsdyn_status answers[5];

static int calls_back(void *user, double t, const double *q, const double *u, double *value)
{
  const double zero = 0.0;
  (void)user, (void)q, (void)u;
  *value = sin(t);
  answers[0] = nsdyn_cycle_find(called);
  answers[1] = nsdyn_cycle_return(called);
  answers[2] = nsdyn_cycle_set_state(called, 0.0, &zero, &zero);
  answers[3] = nsdyn_cycle_sweep(called, NULL);
  answers[4] = nsdyn_cycle_set_options(called, NULL);
  return 0;
}

START_TEST(calls_from_callbacks_are_refused)
{
  swing p = {.k = 2.0, .delta = 0.1, .F = 1.0};
  sought s = swing_search(&p);
  const double zero = 0.0;
  swing_options(&s);
  s.driver.section = calls_back;
  seek(&s, 0.0, &zero, &zero);
  called = s.cycle;
  seek_find(&s);
  for (int i = 0; i < 5; i++) {
    ck_assert_int_eq(answers[i], NSDYN_ERR_BUSY);
  }
  seek_end(&s);
}
END_TEST

/* It is for calls of the system's own; systems are shared, by threads too. */
START_TEST(making_one_leaves_the_systems_message_alone)
{
  table_ball p = plain();
  sought s = table_search(&p);
  nsdyn_contact_law law = law_of(-1.0, 0.5);
  nsdyn_error error = {.size = sizeof error};
  ck_assert_int_ne(nsdyn_system_set_contact(s.sys, 0, &law), NSDYN_OK);
  char said[232];
  snprintf(said, sizeof said, "%s", nsdyn_system_message(s.sys));
  ck_assert(strlen(said) > 0);
  ck_assert_int_eq(nsdyn_cycle_new(NULL, s.sys, &s.options, NULL, &error), NSDYN_ERR_ARGUMENT);
  ck_assert_str_eq(error.message, "nsdyn_cycle_new: out is NULL");
  ck_assert_int_eq(nsdyn_cycle_new(NULL, s.sys, &s.options, &s.cycle, &error), NSDYN_OK);
  ck_assert_str_eq(error.message, "");
  ck_assert_str_eq(nsdyn_system_message(s.sys), said);
  seek_end(&s);
}
END_TEST

static int never(void *user, double t, const double *q, const double *u, double *h)
{
  (void)user, (void)t, (void)q, (void)u;
  h[0] = 0.0;
  return 0;
}

/* Their sum would not fit an int. */
START_TEST(too_many_coordinates_are_refused)
{
  const int32_t most[2] = {INT32_MAX, INT32_MAX / 2 + 1};
  for (int i = 0; i < 2; i++) {
    nsdyn_system_def def = table(most[i], 0, NULL);
    sought s = {0};
    double scale = 1.0;
    def.mass = table_mass;
    def.force = never;
    if (nsdyn_system_new(NULL, &def, &s.sys, NULL)) {
      continue; /* refused there already */
    }
    nsdyn_cycle_options_init(&s.options, sizeof s.options);
    s.options.kind = NSDYN_EVENT_IMPACT;
    s.options.scale = &scale;
    nsdyn_error error = {.size = sizeof error};
    ck_assert_int_eq(nsdyn_cycle_new(NULL, s.sys, &s.options, &s.cycle, &error), NSDYN_ERR_TOO_LARGE);
    ck_assert(s.cycle == NULL && strstr(error.message, "too many coordinates") != NULL);
    seek_end(&s);
  }
}
END_TEST

/* ---- options replaced ---------------------------------------------------------------------------------- */

/* Another tolerance, another section, no forcing any more: as a new search with these options. */
START_TEST(options_are_replaced)
{
  table_ball p = {.omega = 20.0, .g = 9.81, .eps = 0.5};
  p.A = 0.9 * table_flip(&p);
  sought s = table_search(&p);
  s.options.max_iterations = 0;
  table_guess(&s, &p, 0.01);
  ck_assert_int_eq(nsdyn_cycle_find(s.cycle), NSDYN_MAX_ITERATIONS);
  s.options.max_iterations = 50;
  ck_assert_int_eq(nsdyn_cycle_set_options(s.cycle, &s.options), NSDYN_OK);
  ck_assert_str_eq(nsdyn_cycle_message(s.cycle), "");
  const nsdyn_cycle_find_report r = seek_find(&s);
  const table_cycle exact = table_solve(&p);
  ck_assert_double_lt(fabs(nsdyn_cycle_u(s.cycle)[0] - exact.v), 1e-9);
  ck_assert_double_lt(fabs(r.period - s.options.forcing), 1e-9);
  ck_assert_int_eq(s.cycle->count, 3);
  const double t = nsdyn_cycle_time(s.cycle), q = nsdyn_cycle_q(s.cycle)[0], u = nsdyn_cycle_u(s.cycle)[0];
  nsdyn_cycle_options o = s.options; /* two bounces make a period */
  o.returns = 2;
  ck_assert_int_eq(nsdyn_cycle_set_options(s.cycle, &o), NSDYN_OK);
  ck_assert(!result_of(&s).found); /* forgotten, and the state is still there */
  ck_assert(nsdyn_cycle_time(s.cycle) == t && nsdyn_cycle_q(s.cycle)[0] == q &&
            nsdyn_cycle_u(s.cycle)[0] == u);
  const nsdyn_cycle_find_report twice = seek_find(&s);
  ck_assert_double_lt(fabs(twice.period - 2.0 * s.options.forcing), 1e-9);
  ck_assert_int_eq(twice.windings, 2);
  ck_assert_double_lt(fabs(nsdyn_cycle_u(s.cycle)[0] - exact.v), 1e-9);
  static const int32_t drift[1] = {1};
  o.drift = drift; /* fewer unknowns */
  o.forcing = INFINITY;
  ck_assert_int_eq(nsdyn_cycle_set_options(s.cycle, &o), NSDYN_OK);
  ck_assert_int_eq(s.cycle->count, 1);
  ck_assert_int_eq(nsdyn_cycle_set_options(s.cycle, &s.options), NSDYN_OK); /* and as many as before */
  ck_assert_int_eq(s.cycle->count, 3);
  seek_find(&s);
  ck_assert_double_lt(fabs(nsdyn_cycle_u(s.cycle)[0] - exact.v), 1e-9);
  seek_end(&s);
}
END_TEST

/* The driver's are replaced with them; the section of before is not asked any more. */
START_TEST(the_drivers_options_are_replaced_too)
{
  swing p = {.k = 2.0, .delta = 0.1, .F = 1.0};
  sought s = swing_search(&p);
  const double x = 0.0, v = 0.0;
  swing_options(&s);
  seek(&s, 1.0, &x, &v);
  seek_find(&s);
  ck_assert_double_lt(fabs(nsdyn_cycle_time(s.cycle) - 2.0 * PI), 1e-9);
  s.driver.section_direction = -1; /* where sin t falls */
  ck_assert_int_eq(nsdyn_cycle_set_options(s.cycle, &s.options), NSDYN_OK);
  seek_find(&s);
  ck_assert_double_lt(fabs(remainder(nsdyn_cycle_time(s.cycle) - PI, 2.0 * PI)), 1e-9);
  seek_end(&s);
}
END_TEST

START_TEST(refused_options_leave_the_old_in_place)
{
  table_ball p = {.omega = 20.0, .g = 9.81, .eps = 0.5};
  p.A = 0.9 * table_flip(&p);
  sought s = table_search(&p);
  table_guess(&s, &p, 0.01);
  const nsdyn_cycle_find_report r = seek_find(&s);
  nsdyn_cycle_options o = s.options;
  o.tol = 2.0;
  ck_assert_int_eq(nsdyn_cycle_set_options(s.cycle, &o), NSDYN_ERR_ARGUMENT);
  ck_assert(strstr(nsdyn_cycle_message(s.cycle), "option tol") != NULL);
  ck_assert_str_eq(nsdyn_system_message(s.sys), "");
  o = s.options;
  s.driver.zeno = 2.0;
  o.driver = &s.driver;
  ck_assert_int_eq(nsdyn_cycle_set_options(s.cycle, &o), NSDYN_ERR_ARGUMENT);
  ck_assert(strstr(nsdyn_cycle_message(s.cycle), "option zeno") != NULL);
  ck_assert_int_eq(nsdyn_cycle_set_options(s.cycle, NULL), NSDYN_ERR_ARGUMENT); /* no section */
  ck_assert(result_of(&s).found && result_of(&s).period == r.period);
  ck_assert_int_eq(seek_find(&s).iterations, 0);
  seek_end(&s);
}
END_TEST

SUITE("study/object", TEST(options_have_defaults_and_ranges),
      TEST(arrays_and_the_drivers_options_are_checked), TEST(nothing_of_the_callers_is_kept),
      TEST(a_state_is_checked_and_shown), TEST(null_is_answered), TEST(calls_from_callbacks_are_refused),
      TEST(making_one_leaves_the_systems_message_alone), TEST(too_many_coordinates_are_refused),
      TEST(options_are_replaced), TEST(the_drivers_options_are_replaced_too),
      TEST(refused_options_leave_the_old_in_place))
