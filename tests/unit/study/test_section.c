/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The motion from one point of the section to the next. */
#include "cycle_models.h"
#include "study/object.h"

/* Two unit masses over a floor at rest, ε = 1/2. */
static sought two_balls(points *p)
{
  p->count = 2;
  p->g = 1.0;
  nsdyn_system_def def = table(4, 2, p);
  def.mass = points_mass;
  def.force = points_force;
  def.gap = points_gap;
  def.direction = points_direction;
  sought s = sought_of(&def);
  seek_law(&s, 0, law_of(0.0, 0.5));
  seek_law(&s, 1, law_of(0.0, 0.5));
  s.options.kind = NSDYN_EVENT_IMPACT;
  return s;
}

static double time_of_return(sought *s)
{
  const nsdyn_status status = nsdyn_cycle_return(s->cycle);
  ck_assert_msg(status == NSDYN_OK, "%s", nsdyn_cycle_message(s->cycle));
  return nsdyn_cycle_time(s->cycle);
}

/* Falls from 1/2 and from 2: impacts at 1, 2, 5/2, … and at 2, 4, 5, … */
START_TEST(returns_are_those_of_the_contact)
{
  points p = {0};
  const double q[4] = {0.0, 0.5, 0.0, 2.0}, u[4] = {0.0, 0.0, 0.0, 0.0};
  static const double first[4] = {1.0, 2.0, 2.5, 2.75}, second[3] = {2.0, 4.0, 5.0},
                      any[4] = {1.0, 2.0, 2.5, 2.75};
  sought s = two_balls(&p);
  s.options.contact = 0;
  seek(&s, 0.0, q, u);
  for (int k = 0; k < 4; k++) {
    ck_assert_double_lt(fabs(time_of_return(&s) - first[k]), 1e-12);
    ck_assert_double_lt(fabs(nsdyn_cycle_u(s.cycle)[1] - ldexp(1.0, -k - 1)), 1e-12); /* after the impact */
    ck_assert_double_lt(fabs(nsdyn_cycle_q(s.cycle)[1]), 1e-12);
  }
  ck_assert_int_eq(result_of(&s).returns, 4);
  nsdyn_cycle_free(s.cycle);
  s.cycle = NULL;
  s.options.contact = 1;
  seek(&s, 0.0, q, u);
  for (int k = 0; k < 3; k++) {
    ck_assert_double_lt(fabs(time_of_return(&s) - second[k]), 1e-12);
  }
  nsdyn_cycle_free(s.cycle);
  s.cycle = NULL;
  s.options.contact = -1; /* both at t = 2: one return */
  seek(&s, 0.0, q, u);
  for (int k = 0; k < 4; k++) {
    ck_assert_double_lt(fabs(time_of_return(&s) - any[k]), 1e-12);
  }
  seek_end(&s);
}
END_TEST

/* Found contacts by their keys: here there is none, and known ones do not count. */
START_TEST(a_found_contact_is_no_known_one)
{
  points p = {0};
  const double q[4] = {0.0, 0.5, 0.0, 2.0}, u[4] = {0.0, 0.0, 0.0, 0.0};
  sought s = two_balls(&p);
  s.options.found = 1;
  s.options.key = 0;
  s.options.max_time = 1.5;
  seek(&s, 0.0, q, u);
  ck_assert_int_eq(nsdyn_cycle_return(s.cycle), NSDYN_MAX_ITERATIONS);
  const nsdyn_event known = {.kind = NSDYN_EVENT_IMPACT, .contact = 0, .key = 0};
  const nsdyn_event found = {.kind = NSDYN_EVENT_IMPACT, .contact = -1, .key = 0};
  const nsdyn_event other = {.kind = NSDYN_EVENT_IMPACT, .contact = -1, .key = 1};
  nsd_cycle_begin_phases(s.cycle);
  s.cycle->listening = 1;
  ck_assert_int_eq(nsd_cycle_observe(s.cycle, s.cycle->driver, &known), 0);
  ck_assert_int_eq(nsd_cycle_observe(s.cycle, s.cycle->driver, &other), 0);
  ck_assert_int_eq(nsd_cycle_observe(s.cycle, s.cycle->driver, &found), 1);
  seek_end(&s);
}
END_TEST

/* Where a search for grazes has stopped at events, a later return stops at those of the section alone. */
START_TEST(only_a_search_that_pauses_stops_at_other_events)
{
  points p = {0};
  const double q[4] = {0.0, 0.5, 0.0, 2.0}, u[4] = {0.0, 0.0, 0.0, 0.0};
  sought s = two_balls(&p);
  s.options.contact = 0;
  seek(&s, 0.0, q, u);
  const nsdyn_event own = {.kind = NSDYN_EVENT_IMPACT, .contact = 0, .key = 0};
  const nsdyn_event other = {.kind = NSDYN_EVENT_IMPACT, .contact = 1, .key = 1};
  nsd_cycle_begin_phases(s.cycle);
  s.cycle->pausing = 1;
  ck_assert_int_eq(nsd_cycle_observe(s.cycle, s.cycle->driver, &other), 1);
  s.cycle->pausing = 0;
  s.cycle->listening = 1;
  ck_assert_int_eq(nsd_cycle_observe(s.cycle, s.cycle->driver, &other), 0);
  ck_assert_int_eq(nsd_cycle_observe(s.cycle, s.cycle->driver, &own), 1);
  seek_end(&s);
}
END_TEST

START_TEST(no_return_is_said_and_changes_nothing)
{
  points p = {0};
  const double q[4] = {0.0, 0.5, 0.0, 2.0}, u[4] = {0.0, 0.0, 0.0, 0.0};
  sought s = two_balls(&p);
  s.options.kind = NSDYN_EVENT_SLIP; /* nothing has friction */
  s.options.max_time = 1.75;
  seek(&s, 0.25, q, u);
  ck_assert_int_eq(nsdyn_cycle_return(s.cycle), NSDYN_MAX_ITERATIONS);
  ck_assert_str_eq(nsdyn_cycle_message(s.cycle),
                   "no slip comes from t = 0.25 to t = 2: the section is not reached");
  ck_assert_int_eq(nsdyn_cycle_find(s.cycle), NSDYN_MAX_ITERATIONS);
  ck_assert(strstr(nsdyn_cycle_message(s.cycle), "no slip comes") != NULL);
  ck_assert(nsdyn_cycle_time(s.cycle) == 0.25 && nsdyn_cycle_q(s.cycle)[1] == 0.5);
  ck_assert_int_eq(result_of(&s).status, NSDYN_MAX_ITERATIONS);
  nsdyn_cycle_free(s.cycle);
  s.cycle = NULL;
  s.options.max_time = INFINITY; /* the default number of steps ends it */
  seek(&s, 0.25, q, u);
  ck_assert_int_eq(nsdyn_cycle_return(s.cycle), NSDYN_MAX_ITERATIONS);
  seek_end(&s);
}
END_TEST

/* Steps count over all that is waited for. */
START_TEST(steps_to_a_return_are_limited)
{
  swing p = {.k = 2.0, .delta = 0.0, .F = 0.0};
  sought s = swing_search(&p);
  const double x = 1.0, v = 0.0;
  s.driver.section = swing_section;
  s.driver.max_steps = 40;
  s.options.driver = &s.driver;
  s.options.kind = NSDYN_EVENT_SLIP; /* never */
  seek(&s, 0.0, &x, &v);
  ck_assert_int_eq(nsdyn_cycle_return(s.cycle), NSDYN_MAX_ITERATIONS);
  ck_assert_msg(strstr(nsdyn_cycle_message(s.cycle), "max_steps") != NULL, "%s",
                nsdyn_cycle_message(s.cycle));
  seek_end(&s);
}
END_TEST

/* After a failure the way goes on from where it stood, not from where the driver got to. */
START_TEST(a_failure_leaves_the_point_of_the_section)
{
  points p = {0};
  const double q[4] = {0.0, 0.5, 0.0, 50.0}, u[4] = {0.0, 0.0, 0.0, 0.0};
  sought s = two_balls(&p);
  s.options.contact = 0;
  s.options.max_time = 1.5;
  seek(&s, 0.0, q, u);
  ck_assert_double_lt(fabs(time_of_return(&s) - 1.0), 1e-12);
  p.g = 0.25; /* comes back in 4, which is too long */
  ck_assert_int_eq(nsdyn_cycle_return(s.cycle), NSDYN_MAX_ITERATIONS);
  ck_assert_double_lt(fabs(nsdyn_cycle_time(s.cycle) - 1.0), 1e-12);
  p.g = 1.0;
  ck_assert_double_lt(fabs(time_of_return(&s) - 2.0), 1e-12);
  seek_end(&s);
}
END_TEST

/* A driver that is put on a section where a contact just slips may find that it slips a moment later: that is
 * no return. Here the block of the belt oscillator begins to slip in each period. */
START_TEST(the_point_itself_is_no_return)
{
  points p = {.count = 1, .g = 1.0, .k = 1.0, .V = {0.25}};
  nsdyn_system_def def = table(2, 1, &p);
  def.mass = points_mass;
  def.force = points_force;
  def.gap = points_gap;
  def.direction = points_direction;
  sought s = sought_of(&def);
  nsdyn_contact_law law = law_of(0.25, 0.0);
  law.friction = NSDYN_FRICTION_STATIC;
  law.mu_static = 0.5;
  seek_law(&s, 0, law);
  s.options.kind = NSDYN_EVENT_SLIP;
  s.options.contact = 0;
  const double q[2] = {0.0, 0.0}, u[2] = {0.25, 0.0};
  seek(&s, 0.0, q, u);
  const double first = time_of_return(&s);
  ck_assert_double_lt(fabs(first - 2.0), 1e-10); /* x = 1/2 */
  const double period = time_of_return(&s) - first;
  ck_assert_int_eq(nsdyn_cycle_find(s.cycle), NSDYN_OK);
  for (int k = 0; k < 3; k++) {
    const double begin = nsdyn_cycle_time(s.cycle);
    ck_assert_double_lt(fabs(time_of_return(&s) - begin - period), 1e-9); /* not a moment */
  }
  seek_end(&s);
}
END_TEST

static int stops(void *user, double t, const double *q, const double *u, double *value)
{
  (void)user, (void)q, (void)u;
  *value = sin(t);
  return t > 4.0 ? -7 : 0;
}

START_TEST(a_callback_that_stops_is_named)
{
  swing p = {.k = 2.0, .delta = 0.1, .F = 1.0};
  sought s = swing_search(&p);
  const double zero = 0.0;
  swing_options(&s);
  s.driver.section = stops;
  seek(&s, 0.0, &zero, &zero);
  ck_assert_int_eq(nsdyn_cycle_find(s.cycle), NSDYN_ERR_CALLBACK);
  ck_assert(strstr(nsdyn_cycle_message(s.cycle), "section") != NULL);
  nsdyn_detail detail = {.size = sizeof detail};
  ck_assert_int_eq(nsdyn_cycle_detail(s.cycle, &detail), NSDYN_OK);
  ck_assert_int_eq(detail.index, -7);
  seek_end(&s);
}
END_TEST

/* The rod between two solutions: nothing says which one to follow. */
START_TEST(an_ambiguity_is_no_return)
{
  exact_rod rod = {.m = 1.0, .l = 2.0, .g = 1.0, .mu = 2.0};
  nsdyn_system_def def = table(3, 1, &rod);
  def.mass = rod_mass;
  def.force = rod_force;
  def.gap = rod_gap;
  def.direction = rod_direction;
  def.bias = rod_bias;
  sought s = sought_of(&def);
  seek_law(&s, 0, law_of(rod.mu, 0.0));
  s.options.kind = NSDYN_EVENT_IMPACT;
  /* sliding with p < 0 and a free acceleration that lifts it: stick and flight are solutions too */
  const double angle = 1.0, omega = 1.5;
  const double q[3] = {0.0, sin(angle), angle};
  const double u[3] = {-3.0, cos(angle) * omega, omega};
  seek(&s, 0.0, q, u);
  const nsdyn_status status = nsdyn_cycle_return(s.cycle);
  ck_assert_int_eq(status, NSDYN_STOPPED);
  ck_assert(strstr(nsdyn_cycle_message(s.cycle), "several continuations") != NULL);
  seek_end(&s);
}
END_TEST

SUITE("study/section", TEST(returns_are_those_of_the_contact), TEST(a_found_contact_is_no_known_one),
      TEST(only_a_search_that_pauses_stops_at_other_events), TEST(no_return_is_said_and_changes_nothing),
      TEST(steps_to_a_return_are_limited), TEST(a_failure_leaves_the_point_of_the_section),
      TEST(the_point_itself_is_no_return), TEST(a_callback_that_stops_is_named),
      TEST(an_ambiguity_is_no_return))
