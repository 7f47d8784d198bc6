/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Where events do not get on: a time step instead, and what a run says that gives up. */
#include "event/internal.h"
#include "event_models.h"

START_TEST(a_step_falls_as_the_closed_form_does)
{
  points p = {.count = 1, .g = 9.81};
  driven s = points_scene(&p, 0.0, 0.5);
  const double q[2] = {0.0, 1.0}, u[2] = {0.3, 0.0};
  scene_drive(&s, 0.0, q, u);
  scene_advance(&s, 0.1);
  int done = 0;
  s.driver->run.end = 1.0;
  ck_assert_int_eq(nsd_handover(s.driver, 1.0, &done), NSDYN_OK);
  const double tau = nsdyn_event_driver_time(s.driver) - 0.1;
  ck_assert(done && tau > 0.0 && tau <= 1e-3);
  const double t = 0.1 + tau;
  ck_assert(fabs(nsdyn_event_driver_q(s.driver)[1] - (1.0 - 0.5 * 9.81 * t * t)) <= 1e-12);
  ck_assert(fabs(nsdyn_event_driver_u(s.driver)[1] + 9.81 * t) <= 1e-12);
  ck_assert_int_eq(event_of_kind(&s, NSDYN_EVENT_HANDOVER, 0).kind, NSDYN_EVENT_HANDOVER);
  /* tau above is a difference of times, and rounded */
  ck_assert(fabs(event_of_kind(&s, NSDYN_EVENT_HANDOVER, 0).t_bound - tau) <= 1e-15);
  scene_advance(&s, 1.0); /* and events go on from there */
  scene_end(&s);
}
END_TEST

/* At a run's beginning nothing has been seen of the motion but the steps themselves: they may follow each
 * other at once, double the time that has been seen and fall as the closed form does, until one would take
 * more than a share of the motion's own time. */
START_TEST(steps_follow_each_other_from_the_beginning)
{
  points p = {.count = 1, .g = 9.81};
  driven s = points_scene(&p, 0.0, 0.5);
  const double q[2] = {0.0, 1.0}, u[2] = {0.3, 0.0};
  scene_drive(&s, 0.0, q, u);
  scene_advance(&s, 0.0);
  s.driver->run.end = 1.0;
  double last = 0.0;
  int done = 1, steps = 0;
  while (done) {
    const double t = nsdyn_event_driver_time(s.driver);
    ck_assert_int_eq(nsd_handover(s.driver, 1.0, &done), NSDYN_OK);
    const double tau = nsdyn_event_driver_time(s.driver) - t;
    ck_assert_msg(!done || (tau > 0.0 && tau <= 4.000001 * fmax(t, last)) || steps == 0, "step %d: %g at %g",
                  steps, tau, t);
    ck_assert_msg(!done || tau >= last, "step %d: %g after %g", steps, tau, last);
    last = tau;
    steps += done;
  }
  const double t = nsdyn_event_driver_time(s.driver);
  ck_assert_msg(steps > 5 && t > 1e-5 && t < 0.1, "%d steps to %g", steps, t);
  ck_assert(fabs(nsdyn_event_driver_q(s.driver)[1] - (1.0 - 0.5 * 9.81 * t * t)) <= 1e-12);
  scene_advance(&s, 1.0); /* and events go on from there */
  scene_end(&s);
}
END_TEST

START_TEST(a_step_keeps_what_rests_and_what_slides)
{
  points p = {.count = 1, .g = 9.81};
  driven s = points_scene(&p, 0.3, 0.0);
  const double q[2] = {0.0, 0.0}, u[2] = {2.0, 0.0};
  scene_drive(&s, 0.0, q, u);
  scene_advance(&s, 0.1);
  int done = 0;
  s.driver->run.end = 1.0;
  ck_assert_int_eq(nsd_handover(s.driver, 1.0, &done), NSDYN_OK);
  const double t = nsdyn_event_driver_time(s.driver);
  ck_assert(done && nsdyn_event_driver_u(s.driver)[1] == 0.0);
  ck_assert(fabs(nsdyn_event_driver_u(s.driver)[0] - (2.0 - 0.3 * 9.81 * t)) <= 1e-12);
  scene_advance(&s, 2.0);
  ck_assert(fabs(nsdyn_event_driver_q(s.driver)[0] - 4.0 / (2.0 * 0.3 * 9.81)) <= 1e-9);
  scene_end(&s);
}
END_TEST

START_TEST(it_is_left_out_where_the_option_says_so)
{
  points p = {.count = 1, .g = 9.81};
  driven s = points_scene(&p, 0.0, 0.5);
  s.options.handover = 0;
  const double q[2] = {0.0, 1.0}, u[2] = {0.0, 0.0};
  scene_drive(&s, 0.0, q, u);
  scene_advance(&s, 0.1);
  int done = 1;
  ck_assert_int_eq(nsd_handover(s.driver, 1.0, &done), NSDYN_OK);
  ck_assert(!done && nsdyn_event_driver_time(s.driver) == 0.1);
  scene_end(&s);
}
END_TEST

/* A weight that is up and down at once: nothing that follows is consistent, and the driver gives up. */
typedef struct fickle {
  points p;
  int sign;
} fickle;

static int fickle_force(void *user, double t, const double *q, const double *u, double *h)
{
  fickle *p = user;
  (void)t, (void)q, (void)u;
  p->sign = -p->sign;
  h[1] = p->sign * 9.81;
  return 0;
}

static int fickle_mass(void *user, double t, const double *q, double *M)
{
  fickle *p = user;
  return points_mass(&p->p, t, q, M);
}

static int fickle_gap(void *user, double t, const double *q, double *g)
{
  fickle *p = user;
  return points_gap(&p->p, t, q, g);
}

static int fickle_direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  fickle *p = user;
  return points_direction(&p->p, t, q, i, W, w_hat);
}

START_TEST(contradictions_end_the_run)
{
  fickle p = {.p = {.count = 1}, .sign = 1};
  nsdyn_system_def def = table(2, 1, &p);
  def.mass = fickle_mass;
  def.force = fickle_force;
  def.gap = fickle_gap;
  def.direction = fickle_direction;
  driven s = scene_of(&def);
  s.options.check = 0;
  scene_law(&s, 0, law_of(0.0, 0.0));
  const double q[2] = {0.0, 0.0}, u[2] = {0.0, 0.0};
  scene_drive(&s, 0.0, q, u);
  ck_assert_int_eq(nsdyn_event_driver_advance(s.driver, 2.0), NSDYN_MAX_ITERATIONS);
  ck_assert(strlen(nsdyn_event_driver_message(s.driver)) > 0);
  ck_assert(nsdyn_event_driver_time(s.driver) < 2.0);
  scene_end(&s);
}
END_TEST

/* The ball flies when it has bounced too often: no contact is closed, and still one has made the events. */
START_TEST(too_many_events_name_their_contact)
{
  points p = {.count = 2, .g = 9.81};
  nsdyn_system_def def = table(4, 2, &p);
  def.mass = points_mass;
  def.force = points_force;
  def.gap = points_gap;
  def.direction = points_direction;
  driven s = scene_of(&def);
  scene_law(&s, 0, law_of(0.0, 0.9));
  scene_law(&s, 1, law_of(0.0, 0.9));
  s.options.max_rate = 4.0;
  s.options.handover = 0;
  const double q[4] = {0.0, 50.0, 0.0, 1e-3}, u[4] = {0.0, 0.0, 0.0, 0.0};
  scene_drive(&s, 0.0, q, u);
  ck_assert_int_eq(nsdyn_event_driver_advance(s.driver, 2.0), NSDYN_MAX_ITERATIONS);
  const char *message = nsdyn_event_driver_message(s.driver);
  ck_assert_msg(strstr(message, "max_rate") && strstr(message, "(contact 1)"), "%s", message);
  scene_end(&s);
}
END_TEST

/* Where nothing moves on, the contact that is closed is named. */
START_TEST(who_gets_nowhere_is_named)
{
  points p = {.count = 1, .g = 9.81};
  driven s = points_scene(&p, 0.0, 0.0);
  const double q[2] = {0.0, 0.0}, u[2] = {0.0, 0.0};
  scene_drive(&s, 0.0, q, u);
  scene_advance(&s, 0.1); /* closed */
  ck_assert_int_eq(nsd_instant_no_progress(s.driver), NSDYN_MAX_ITERATIONS);
  ck_assert_msg(strstr(s.driver->fault.message, "(contact 0)") != NULL, "%s", s.driver->fault.message);
  scene_end(&s);
}
END_TEST

/* A weight that a load takes off its floor, h = −g (1 − A sin(ω t + φ)), a moment after the beginning:
 * nothing moves yet, and what the callback leaves of its terms is rounding, which steps of the integrator do
 * not get on with. The time step that goes on must be short beside the run, though a motion that has hardly
 * begun has an own time as long as one likes. */
typedef struct hung {
  double g, A, omega, phase;
} hung;

static int hung_force(void *user, double t, const double *q, const double *u, double *h)
{
  const hung *p = user;
  (void)q, (void)u;
  h[1] = -p->g * (1.0 - p->A * sin(p->omega * t + p->phase));
  return 0;
}

static int hung_mass(void *user, double t, const double *q, double *M)
{
  (void)user, (void)t, (void)q;
  M[0] = M[3] = 1.0;
  return 0;
}

static int hung_gap(void *user, double t, const double *q, double *g)
{
  (void)user, (void)t;
  g[0] = q[1];
  return 0;
}

static int hung_direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  (void)user, (void)t, (void)q, (void)i;
  W[1] = W[2] = 1.0;
  w_hat[0] = w_hat[1] = 0.0;
  return 0;
}

START_TEST(what_has_hardly_begun_to_move_is_not_stepped_over)
{
  const int cases = random_cases(150);
  int handed_over = 0;
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    hung p = {.g = pow(10.0, random_between(&r, -6.0, 1.0)), .A = random_between(&r, 1.02, 3.0)};
    const double lets_go = asin(1.0 / p.A);
    p.omega = random_between(&r, 0.05, 20.0);
    p.phase = lets_go - pow(10.0, random_between(&r, -9.0, -5.0));
    nsdyn_system_def def = table(2, 1, &p);
    def.mass = hung_mass;
    def.force = hung_force;
    def.gap = hung_gap;
    def.direction = hung_direction;
    driven s = scene_of(&def);
    s.options.tol = k % 2 ? 1e-12 : 1e-9;
    scene_law(&s, 0, law_of(0.3, 0.0));
    const double q[2] = {pow(10.0, random_between(&r, -4.0, 1.0)), 0.0}, u[2] = {0.0, 0.0};
    scene_drive(&s, 0.0, q, u);
    const double t_event = (lets_go - p.phase) / p.omega, flight = random_between(&r, 0.05, 0.3) / p.omega;
    scene_advance(&s, t_event + flight);
    /* v = g ∫ (A sin − 1) dt from where the load is the weight */
    const double arc = p.omega * flight;
    const double v = p.g * (p.A / p.omega * (cos(lets_go) - cos(lets_go + arc)) - flight);
    const double error = fabs(nsdyn_event_driver_u(s.driver)[1] - v);
    REQUIRE(error <= 1e-6 * v, "seed %d: %g of %g, %d events", k, error, v, events_of(&s));
    handed_over += count_kind(&s, NSDYN_EVENT_HANDOVER) > 0;
    scene_end(&s);
  }
  ck_assert_msg(is_common(handed_over, cases, 10), "%d of %d", handed_over, cases);
}
END_TEST

/* Ends a call behind a time, which `user` points at. */
static int stop_behind(void *user, const nsdyn_event_driver *driver, const nsdyn_event *event)
{
  const double *until = user;
  (void)driver;
  return event->last && event->t > *until;
}

enum { ENDS = 3, HEAD = 8 };

/* When what happens to a hung weight happens, hand-overs left out, up to `until`; the call goes on to `end`.
 */
static int times_of(hung *p, double x, double tol, double until, double end, double *times)
{
  nsdyn_system_def def = table(2, 1, p);
  def.mass = hung_mass;
  def.force = hung_force;
  def.gap = hung_gap;
  def.direction = hung_direction;
  driven s = scene_of(&def);
  s.options.tol = tol;
  s.options.observe = stop_behind;
  s.options.user = &until;
  scene_law(&s, 0, law_of(0.3, 0.5));
  const double q[2] = {x, 0.0}, u[2] = {0.0, 0.0};
  scene_drive(&s, 0.0, q, u);
  const nsdyn_status status = nsdyn_event_driver_advance(s.driver, end);
  ck_assert_msg(status == NSDYN_OK || status == NSDYN_STOPPED, "%s", nsdyn_event_driver_message(s.driver));
  int count = 0;
  for (int i = 0; i < events_of(&s); i++) {
    const nsdyn_event event = event_of(&s, i);
    if (event.kind != NSDYN_EVENT_HANDOVER && event.t <= until && count < HEAD) {
      times[count++] = event.t;
    }
  }
  scene_end(&s);
  return count;
}

/* How far a call is to go says nothing of the motion: lift-off and the first landings are those of a short
 * call. */
START_TEST(a_far_end_changes_nothing)
{
  const int cases = random_cases(100);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    hung p = {.g = pow(10.0, random_between(&r, -6.0, 1.0)), .A = random_between(&r, 1.02, 3.0)};
    const double lets_go = asin(1.0 / p.A);
    p.omega = random_between(&r, 0.05, 20.0);
    const double x = p.g / (p.omega * p.omega) * pow(10.0, random_between(&r, -2.0, 1.0)); /* a height */
    p.phase = lets_go - pow(10.0, random_between(&r, -9.0, -5.0));
    const double until = fmin(6.0 / p.omega, 1.0), end[ENDS] = {1.0, 1e3, 1e6};
    double times[ENDS][HEAD];
    int count[ENDS];
    for (int i = 0; i < ENDS; i++) {
      count[i] = times_of(&p, x, k % 2 ? 1e-12 : 1e-9, until, end[i], times[i]);
      REQUIRE(count[i] == count[0], "case %d: %d events to %g, %d before", k, count[i], end[i], count[0]);
      for (int j = 0; j < count[i]; j++) {
        const double off = fabs(times[i][j] - times[0][j]);
        REQUIRE(off <= 1e-6 / p.omega, "case %d: to %g, event %d is %g off", k, end[i], j, off);
      }
    }
  }
}
END_TEST

SUITE("event/instant/handover_step", TEST(a_step_falls_as_the_closed_form_does),
      TEST(steps_follow_each_other_from_the_beginning), TEST(a_step_keeps_what_rests_and_what_slides),
      TEST(it_is_left_out_where_the_option_says_so), TEST(contradictions_end_the_run),
      TEST(too_many_events_name_their_contact), TEST(who_gets_nowhere_is_named),
      TEST(what_has_hardly_begun_to_move_is_not_stepped_over), TEST(a_far_end_changes_nothing))
