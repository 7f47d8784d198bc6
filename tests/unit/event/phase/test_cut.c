/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The state at an event is that of a step of order 8 to where the function vanishes on it, not on the
 * extension. */
#include "event/internal.h"

#include "event_models.h"

/* y = h + cos(ω t): the integrator errs, the gap at the event does not. */
START_TEST(gaps_vanish_at_the_event_at_any_tolerance)
{
  for (int k = 2; k <= 13; k++) {
    points p = {.count = 1, .F = {0.0, -1.0}, .Omega = 1.0}; /* ÿ = −cos t: y = 0.5 + cos t */
    driven s = points_scene(&p, 0.0, 1.0);
    s.options.tol = pow(10.0, -k);
    const double q[2] = {0.0, 1.5}, u[2] = {0.0, 0.0};
    scene_drive(&s, 0.0, q, u);
    scene_advance(&s, 2.5);
    const nsdyn_event event = event_of(&s, 0);
    ck_assert_int_eq(event.kind, NSDYN_EVENT_IMPACT);
    ck_assert_msg(fabs(event.gap) <= 1e-14, "tolerance 1e-%d: gap %g", k, event.gap);
    const double t = acos(-0.5);
    ck_assert_msg(fabs(event.t - t) <= 10.0 * s.options.tol + 1e-13, "tolerance 1e-%d: %g off", k,
                  event.t - t);
    ck_assert(event.t_bound <= 1e-11);
    scene_end(&s);
  }
}
END_TEST

/* Inside the driver: where a cut step ends the function is zero to rounding, and the state is the driver's.
 */
START_TEST(the_step_is_cut_where_the_function_vanishes)
{
  const int cases = random_cases(300);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    points p = {.count = 1,
                .F = {0.0, random_between(&r, -3.0, -0.5)},
                .Omega = random_between(&r, 0.5, 3.0),
                .g = 1.0};
    driven s = points_scene(&p, 0.0, 0.0);
    s.options.tol = pow(10.0, random_between(&r, -12.0, -2.0));
    const double q[2] = {0.0, random_between(&r, 0.1, 2.0)}, u[2] = {0.0, random_between(&r, -1.0, 1.0)};
    scene_drive(&s, 0.0, q, u);
    nsdyn_event_driver *d = s.driver;
    ck_assert_int_eq(nsd_instant_settle(d), NSDYN_OK);
    ck_assert_int_eq(nsd_commit_enter_phase(d), NSDYN_OK);
    nsd_root root = {.kind = NSD_ROOT_NONE};
    const nsd_event_function_list *list = NULL;
    while (!root.kind) {
      REQUIRE(nsd_phase_step(d, 100.0) == NSDYN_OK, "seed %d", k);
      REQUIRE(nsd_event_function_first(d, 0.0, &root, &list) == NSDYN_OK, "seed %d", k);
      if (!root.kind) {
        nsd_phase_commit(d);
        nsd_phase_scale(d, &d->scales);
      }
    }
    const double t_before = d->phase.dopri.t_before, t_end = d->phase.dopri.t;
    REQUIRE(nsd_cut_step(d, &root, list) == NSDYN_OK, "seed %d", k);
    REQUIRE(d->t > t_before && d->t <= t_end && d->t == d->phase.dopri.t, "seed %d", k);
    REQUIRE(fabs(d->q[1]) <= 1e-12, "seed %d: gap %g", k, d->q[1]);
    REQUIRE(d->cause.kind == NSD_EVENT_FUNCTION_GAP && d->cause.which == 0 && d->cause.bound > 0.0, "seed %d",
            k);
    const double w = p.Omega, t = d->t;
    const double v = u[1] + p.F[1] / w * sin(w * t) - t;
    REQUIRE(fabs(d->u[1] - v) <= 100.0 * s.options.tol * (1.0 + fabs(v)) + 1e-12, "seed %d: %g off", k,
            d->u[1] - v);
    scene_end(&s);
  }
}
END_TEST

/* At the very start of a step the state is that of its start. */
START_TEST(a_root_at_the_start_takes_the_step_back)
{
  points p = {.count = 1, .g = 1.0};
  driven s = points_scene(&p, 0.0, 0.0);
  const double q[2] = {0.0, 1.0}, u[2] = {0.0, 0.0};
  scene_drive(&s, 0.0, q, u);
  nsdyn_event_driver *d = s.driver;
  ck_assert_int_eq(nsd_instant_settle(d), NSDYN_OK);
  ck_assert_int_eq(nsd_commit_enter_phase(d), NSDYN_OK);
  ck_assert_int_eq(nsd_phase_step(d, 100.0), NSDYN_OK);
  const nsd_root root = {.kind = NSD_ROOT_FALLS, .k = 0, .theta = 0.0};
  ck_assert_int_eq(nsd_cut_step(d, &root, &d->phase.kinematic), NSDYN_OK);
  ck_assert(d->t == 0.0 && d->q[1] == 1.0 && d->u[1] == 0.0);
  scene_end(&s);
}
END_TEST

/* A mass on a floor, whose load is `press` up to and with `when`, then `pull`. Asked `most` times for
 * progress it cancels. */
typedef struct stepping {
  double when, press, pull;
  int asked, most;
} stepping;

static int stepping_force(void *user, double t, const double *q, const double *u, double *h)
{
  const stepping *p = user;
  (void)q, (void)u;
  h[1] = t > p->when ? p->pull : -p->press;
  return 0;
}

static int stepping_mass(void *user, double t, const double *q, double *M)
{
  (void)user, (void)t, (void)q;
  M[0] = M[3] = 1.0;
  return 0;
}

static int stepping_gap(void *user, double t, const double *q, double *g)
{
  (void)user, (void)t;
  g[0] = q[1];
  return 0;
}

static int stepping_direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  (void)user, (void)t, (void)q, (void)i;
  W[1] = W[2] = 1.0;
  w_hat[0] = w_hat[1] = 0.0;
  return 0;
}

static int stepping_progress(void *user, const char *activity, double done)
{
  stepping *p = user;
  (void)activity, (void)done;
  return ++p->asked == p->most;
}

static driven stepping_scene(stepping *p, nsdyn_context *ctx)
{
  nsdyn_system_def def = table(2, 1, p);
  driven s = {0};
  def.mass = stepping_mass;
  def.force = stepping_force;
  def.gap = stepping_gap;
  def.direction = stepping_direction;
  ck_assert_int_eq(nsdyn_system_new(ctx, &def, &s.sys, NULL), NSDYN_OK);
  ck_assert_int_eq(nsdyn_event_driver_options_init(&s.options, sizeof s.options), NSDYN_OK);
  scene_law(&s, 0, law_of(0.3, 0.0));
  return s;
}

/* A load that jumps at the beginning: there is no time at which the force is zero, and at t = 0 no relative
 * one either. From where the clock has it, the mass flies, y = F (t − when)²/2. */
START_TEST(a_load_that_jumps_as_the_run_begins_is_found_in_bounded_time)
{
  const double t_begin[] = {0.0, -1.0, 1.0, 0.0, 1e6, -1e-300}, delay[] = {0.0, 0.0, 0.0, 1e-9, 0.0, 1e-300};
  for (int k = 0; k < (int)(sizeof delay / sizeof *delay); k++) {
    stepping p = {.when = t_begin[k] + delay[k], .press = 3.0, .pull = 2.0};
    driven s = stepping_scene(&p, NULL);
    const double q[2] = {0.0, 0.0}, u[2] = {0.0, 0.0}, span = 1.0;
    scene_drive(&s, t_begin[k], q, u);
    const nsdyn_status status = nsdyn_event_driver_advance(s.driver, t_begin[k] + span);
    ck_assert_msg(status == NSDYN_OK, "case %d: %s: %s", k, nsdyn_status_name(status),
                  nsdyn_event_driver_message(s.driver));
    const double y = nsdyn_event_driver_q(s.driver)[1], exact = 0.5 * p.pull * span * span;
    ck_assert_msg(fabs(y - exact) <= 1e-6 * exact, "case %d: y = %g, but %g", k, y, exact);
    ck_assert_int_eq(count_kind(&s, NSDYN_EVENT_OPEN), 1);
    scene_end(&s);
  }
}
END_TEST

/* Two masses on one floor, whose loads jump at the same time by different amounts. */
static int both_force(void *user, double t, const double *q, const double *u, double *h)
{
  const stepping *p = user;
  (void)q, (void)u;
  h[1] = t > p->when ? p->pull : -p->press;
  h[3] = t > p->when ? 3.0 * p->pull : -0.25 * p->press;
  return 0;
}

static int both_mass(void *user, double t, const double *q, double *M)
{
  (void)user, (void)t, (void)q;
  M[0] = M[5] = M[10] = M[15] = 1.0;
  return 0;
}

static int both_gap(void *user, double t, const double *q, double *g)
{
  (void)user, (void)t;
  g[0] = q[1];
  g[1] = q[3];
  return 0;
}

static int both_direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  (void)user, (void)t, (void)q;
  W[2 * i + 1] = W[4 + 2 * i] = 1.0;
  w_hat[0] = w_hat[1] = 0.0;
  return 0;
}

START_TEST(loads_of_two_contacts_jump_at_the_same_time)
{
  const int cases = random_cases(200);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    stepping p = {.when = pow(10.0, random_between(&r, -9.0, -0.5)),
                  .press = random_between(&r, 0.1, 10.0),
                  .pull = random_between(&r, 0.1, 10.0)};
    nsdyn_system_def def = table(4, 2, &p);
    def.mass = both_mass;
    def.force = both_force;
    def.gap = both_gap;
    def.direction = both_direction;
    driven s = scene_of(&def);
    const double q[4] = {0.0}, u[4] = {0.0}, flies = 1.0 - p.when;
    s.options.max_dt = 0.01;
    scene_drive(&s, 0.0, q, u);
    const nsdyn_status status = nsdyn_event_driver_advance(s.driver, 1.0);
    REQUIRE(status == NSDYN_OK, "seed %d: %s", k, nsdyn_event_driver_message(s.driver));
    for (int i = 0; i < 2; i++) {
      const double y = nsdyn_event_driver_q(s.driver)[2 * i + 1];
      const double exact = 0.5 * (i ? 3.0 : 1.0) * p.pull * flies * flies;
      REQUIRE(fabs(y - exact) <= 1e-6 * exact, "seed %d: mass %d at %g, but %g", k, i, y, exact);
    }
    scene_end(&s);
  }
}
END_TEST

/* A jump is halved for dozens of steps: whoever cancels is heard within them, and the run goes on later. */
START_TEST(the_search_for_a_jump_can_be_cancelled)
{
  stepping p = {.when = 1e-9, .press = 3.0, .pull = 2.0};
  nsdyn_context_def def;
  nsdyn_context *ctx;
  int asked = 1;
  ck_assert_int_eq(nsdyn_context_def_init(&def, sizeof def), NSDYN_OK);
  def.user = &p;
  def.progress = stepping_progress;
  ck_assert_int_eq(nsdyn_context_new(&def, &ctx, NULL), NSDYN_OK);
  for (int most = 0; most <= asked; most++) {
    driven s = stepping_scene(&p, ctx);
    const double q[2] = {0.0, 0.0}, u[2] = {0.0, 0.0};
    scene_drive(&s, 0.0, q, u);
    p.asked = 0;
    p.most = most; /* 0: never */
    const nsdyn_status status = nsdyn_event_driver_advance(s.driver, 1.0);
    ck_assert_msg(status == (most ? NSDYN_CANCELLED : NSDYN_OK), "%d: %s: %s", most,
                  nsdyn_status_name(status), nsdyn_event_driver_message(s.driver));
    asked = most ? asked : p.asked;
    p.most = 0;
    scene_advance(&s, 1.0);
    const double y = nsdyn_event_driver_q(s.driver)[1];
    ck_assert_msg(fabs(y - 1.0) <= 1e-6, "cancelled at question %d: y = %g", most, y);
    scene_end(&s);
  }
  ck_assert_msg(asked >= 16 && asked <= 256, "%d questions", asked);
  nsdyn_context_free(ctx);
}
END_TEST

SUITE("event/phase/cut", TEST(gaps_vanish_at_the_event_at_any_tolerance),
      TEST(the_step_is_cut_where_the_function_vanishes), TEST(a_root_at_the_start_takes_the_step_back),
      TEST(a_load_that_jumps_as_the_run_begins_is_found_in_bounded_time),
      TEST(the_search_for_a_jump_can_be_cancelled), TEST(loads_of_two_contacts_jump_at_the_same_time))
