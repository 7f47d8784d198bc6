/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Whole runs against closed forms. */
#include "event_models.h"
#include "support/callbacks.h"
#include "support/exact_bounce.h"
#include "support/exact_brick.h"

static const double pi = 3.14159265358979323846;

/* ---- bounces ------------------------------------------------------------------------------------------- */

START_TEST(bounces_at_the_exact_times)
{
  const double restitutions[] = {0.0, 0.1, 0.5, 0.8, 0.95, 0.99};
  for (int k = 0; k < 6; k++) {
    const exact_bounce exact = {.g = 9.81, .eps = restitutions[k], .y = 1.5, .v = 0.7};
    points p = {.count = 1, .g = exact.g};
    driven s = points_scene(&p, 0.0, exact.eps);
    const double q[2] = {0.0, exact.y}, u[2] = {0.0, exact.v}, zeno = exact_bounce_zeno(&exact);
    scene_drive(&s, 0.0, q, u);
    scene_advance(&s, 1.5 * zeno);
    int impacts = 0;
    double speed;
    for (int i = 0; i < events_of(&s); i++) {
      const nsdyn_event event = event_of(&s, i);
      if (event.kind == NSDYN_EVENT_IMPACT) {
        const double t = exact_bounce_impact(&exact, ++impacts, &speed);
        ck_assert_msg(fabs(event.t - t) <= 2e-12 * zeno + 0.1 * event.t_bound, "ε = %g, impact %d: %g off",
                      exact.eps, impacts, event.t - t);
        ck_assert_msg(fabs(event.before[0] + speed) <= 1e-10, "ε = %g: %g, %g", exact.eps, event.before[0],
                      speed);
        ck_assert(event.contact == 0 && event.key == 0 && fabs(event.gap) <= 1e-12);
        const double hop =
            event.mode_after == NSDYN_MODE_OPEN ? 0.0 : exact.eps * speed; /* closed off at once */
        ck_assert(fabs(event.impulse[0] - (event.after[0] - event.before[0]) - hop) <= 1e-9 * speed + 1e-12);
      } else {
        ck_assert_int_eq(event.kind, NSDYN_EVENT_ZENO);
        ck_assert_msg(fabs(event.t - zeno) <= 1e-10 * zeno, "ε = %g: %g off", exact.eps, event.t - zeno);
        ck_assert_int_eq(i, events_of(&s) - 1);
      }
    }
    ck_assert_int_eq(count_kind(&s, NSDYN_EVENT_ZENO), exact.eps > 0.0);
    ck_assert_int_ge(impacts, exact.eps > 0.0 ? 5 : 1);
    ck_assert(nsdyn_event_driver_u(s.driver)[1] == 0.0 && fabs(nsdyn_event_driver_q(s.driver)[1]) <= 1e-13);
    ck_assert_int_eq(contact_of(&s, 0).active, 1);
    ck_assert(fabs(contact_of(&s, 0).force[0] - 9.81) <= 1e-13);
    scene_end(&s);
  }
}
END_TEST

START_TEST(never_rests_with_full_restitution)
{
  points p = {.count = 1, .g = 1.0};
  driven s = points_scene(&p, 0.0, 1.0);
  const double q[2] = {0.0, 0.5}, u[2] = {0.0, 0.0};
  scene_drive(&s, 0.0, q, u); /* impacts at 1, 3, 5, … */
  scene_advance(&s, 2000.0);
  ck_assert_int_eq(events_of(&s), 1000);
  for (int i = 0; i < 1000; i++) { /* t itself is rounded to 2e-13, and the energy with it */
    ck_assert_msg(fabs(event_of(&s, i).t - (2.0 * i + 1.0)) <= 1e-9, "%d: %g", i,
                  event_of(&s, i).t - (2.0 * i + 1.0));
  }
  scene_end(&s);
}
END_TEST

/* ---- stick and slip ------------------------------------------------------------------------------------ */

/* A run that begins at the friction limit may stick for the time that rounding takes to pass it. */
static int begins_at_limit(const driven *s)
{
  return event_of_kind(s, NSDYN_EVENT_SLIP, 0).t < 1e-6;
}

START_TEST(oscillates_on_a_belt_as_the_closed_form_does)
{
  const exact_belt exact = {.g = 9.81, .omega = 2.0, .V = 0.3, .mu_static = 0.5, .mu_dynamic = 0.3};
  const exact_belt_cycle cycle = exact_belt_solve(&exact);
  points p = {.count = 1, .g = exact.g, .k = exact.omega * exact.omega, .V = {exact.V}};
  driven s = points_scene(&p, 0.0, 0.0);
  nsdyn_contact_law law = law_of(exact.mu_dynamic, 0.0);
  law.friction = NSDYN_FRICTION_STATIC;
  law.mu_static = exact.mu_static;
  scene_law(&s, 0, law);
  const double q[2] = {cycle.x_start, 0.0}, u[2] = {exact.V, 0.0};
  s.options.tol = 1e-11;
  scene_drive(&s, 0.0, q, u);
  scene_advance(&s, 10.2 * cycle.period);
  for (int k = 0; k < 10; k++) {
    const nsdyn_event stop = event_of_kind(&s, NSDYN_EVENT_STICK, k);
    const nsdyn_event start = event_of_kind(&s, NSDYN_EVENT_SLIP, k + begins_at_limit(&s));
    ck_assert_msg(fabs(stop.t - (k * cycle.period + cycle.slip)) <= 1e-9, "stop %d: %g off", k,
                  stop.t - (k * cycle.period + cycle.slip));
    ck_assert_msg(fabs(start.t - (k + 1) * cycle.period) <= 1e-9, "start %d: %g off", k,
                  start.t - (k + 1) * cycle.period);
    ck_assert_int_eq(start.mode_before, NSDYN_MODE_STICK);
    ck_assert_int_eq(start.mode_after, NSDYN_MODE_SLIP_MINUS); /* the belt runs away under it */
  }
  double x, v;
  exact_belt_at(&exact, 10.2 * cycle.period, &x, &v);
  ck_assert(fabs(nsdyn_event_driver_q(s.driver)[0] - x) <= 1e-8);
  ck_assert(fabs(nsdyn_event_driver_u(s.driver)[0] - v) <= 1e-8);
  scene_end(&s);
}
END_TEST

static int falling_curve(void *user, double speed, double *mu)
{
  *mu = exact_falling_mu(user, speed);
  return 0;
}

START_TEST(oscillates_under_friction_that_falls_with_speed)
{
  exact_falling curve = {.mu_0 = 0.6, .mu_inf = 0.2, .v_s = 0.5};
  const exact_belt exact = {.g = 9.81, .omega = 2.0, .V = 0.3};
  const exact_belt_cycle cycle = exact_belt_falling(&exact, &curve);
  points p = {.count = 1, .g = exact.g, .k = exact.omega * exact.omega, .V = {exact.V}};
  driven s = points_scene(&p, 0.0, 0.0);
  nsdyn_contact_law law = law_of(0.0, 0.0);
  law.friction = NSDYN_FRICTION_CURVE;
  law.curve = falling_curve;
  law.user = &curve;
  scene_law(&s, 0, law);
  s.options.tol = 1e-11;
  const double q[2] = {cycle.x_start, 0.0}, u[2] = {exact.V, 0.0};
  scene_drive(&s, 0.0, q, u);
  scene_advance(&s, 5.5 * cycle.period);
  for (int k = 0; k < 5; k++) {
    const double stop = event_of_kind(&s, NSDYN_EVENT_STICK, k).t - (k * cycle.period + cycle.slip);
    const double start =
        event_of_kind(&s, NSDYN_EVENT_SLIP, k + begins_at_limit(&s)).t - (k + 1) * cycle.period;
    ck_assert_msg(fabs(stop) <= 1e-8 && fabs(start) <= 1e-8, "period %d: %g, %g off", k, stop, start);
  }
  scene_end(&s);
}
END_TEST

/* Up a ramp and down again, or not. */
START_TEST(slides_on_a_ramp_and_stops_or_turns_back)
{
  for (int stays = 0; stays <= 1; stays++) {
    const exact_ramp exact = {
        .g = 9.81, .theta = 0.4, .mu_static = stays ? 0.5 : 0.35, .mu_dynamic = 0.3, .x = 0.2, .v = -2.0};
    points p = {.count = 1, .g = exact.g * cos(exact.theta), .F = {exact.g * sin(exact.theta), 0.0}};
    driven s = points_scene(&p, 0.0, 0.0);
    nsdyn_contact_law law = law_of(exact.mu_dynamic, 0.0);
    law.friction = NSDYN_FRICTION_STATIC;
    law.mu_static = exact.mu_static;
    scene_law(&s, 0, law);
    const double q[2] = {exact.x, 0.0}, u[2] = {exact.v, 0.0}, stop = exact_ramp_stop(&exact);
    ck_assert_int_eq(exact_ramp_stays(&exact), stays);
    scene_drive(&s, 0.0, q, u);
    scene_advance(&s, 2.0);
    const nsdyn_event event = event_of(&s, events_of(&s) - 1);
    ck_assert_int_eq(event.kind, stays ? NSDYN_EVENT_STICK : NSDYN_EVENT_REVERSE);
    ck_assert(fabs(event.t - stop) <= 1e-12);
    double x, v;
    exact_ramp_at(&exact, 2.0, &x, &v);
    ck_assert_msg(fabs(nsdyn_event_driver_q(s.driver)[0] - x) <= 1e-11, "%g, %g",
                  nsdyn_event_driver_q(s.driver)[0], x);
    ck_assert(fabs(nsdyn_event_driver_u(s.driver)[0] - v) <= 1e-11);
    scene_end(&s);
  }
}
END_TEST

/* ---- the woodpecker ------------------------------------------------------------------------------------ */

static void compare_with_exact_toy(double tol, double t_end, double allowed)
{
  exact_woodpecker toy;
  exact_state state;
  exact_event exact;
  exact_woodpecker_table(&toy);
  exact_woodpecker_begin(&toy, &state);
  double q[3], u[3];
  for (int i = 0; i < 3; i++) {
    q[i] = (double)state.q[i];
    u[i] = (double)state.u[i];
  }
  driven s = toy_scene(&toy);
  s.options.tol = tol;
  scene_drive(&s, 0.0, q, u);
  scene_advance(&s, t_end);
  int k = 0;
  ck_assert_int_eq(event_of(&s, k++).kind, NSDYN_EVENT_CLOSE); /* the lower edge, at the start */
  while (exact_woodpecker_next(&toy, t_end, &state, &exact) == EXACT_EVENT) {
    ck_assert_int_lt(k, events_of(&s));
    const nsdyn_event event = event_of(&s, k++);
    const int32_t kinds[] = {[EXACT_IMPACT] = NSDYN_EVENT_IMPACT,
                             [EXACT_STOP] = NSDYN_EVENT_STICK,
                             [EXACT_START] = NSDYN_EVENT_SLIP,
                             [EXACT_DETACH] = NSDYN_EVENT_OPEN,
                             [EXACT_REVERSE] = NSDYN_EVENT_REVERSE};
    const int32_t modes[] = {[EXACT_OPEN] = NSDYN_MODE_OPEN,
                             [EXACT_STICK] = NSDYN_MODE_STICK,
                             [EXACT_PLUS] = NSDYN_MODE_SLIP_PLUS,
                             [EXACT_MINUS] = NSDYN_MODE_SLIP_MINUS};
    ck_assert_int_eq(event.kind, kinds[exact.kind]);
    ck_assert_int_eq(event.contact, exact.contact);
    ck_assert_int_eq(event.mode_before, modes[exact.before[exact.contact]]);
    ck_assert_int_eq(event.mode_after, modes[exact.after[exact.contact]]);
    ck_assert_msg(fabs(event.t - (double)exact.t) <= allowed, "tol %g, event %d: %g off", tol, k,
                  event.t - (double)exact.t);
    for (int r = 0; r < 2 && exact.kind == EXACT_IMPACT; r++) {
      ck_assert(fabs(event.impulse[r] - (double)exact.impulse[exact.contact][r]) <= 1e3 * allowed);
    }
  }
  ck_assert_int_eq(k, events_of(&s));
  for (int i = 0; i < 3; i++) {
    ck_assert(nsdyn_event_driver_time(s.driver) == t_end);
  }
  scene_end(&s);
}

START_TEST(pecks_like_the_exact_woodpecker)
{
  compare_with_exact_toy(1e-2, 1.0, 2e-3);
  compare_with_exact_toy(1e-4, 1.0, 1e-4);
  compare_with_exact_toy(1e-6, 3.0, 5e-6);
  compare_with_exact_toy(1e-9, 3.0, 1e-9);
  compare_with_exact_toy(1e-12, 3.0, 2e-12);
}
END_TEST

/* ---- output, section, observer ------------------------------------------------------------------------- */

typedef struct trajectory {
  int count, most;
  double t[4096], q[4096], u[4096];
  int stop_at;
  points *p;
} trajectory;

static int keep(void *user, double t, const double *q, const double *u)
{
  trajectory *trace = user;
  ck_assert_int_lt(trace->count, 4096);
  trace->t[trace->count] = t;
  trace->q[trace->count] = q[1];
  trace->u[trace->count] = u[1];
  return ++trace->count == trace->stop_at;
}

START_TEST(puts_out_the_trajectory_at_equal_times)
{
  static trajectory trace;
  const exact_bounce exact = {.g = 9.81, .eps = 0.7, .y = 1.0, .v = 0.0};
  points p = {.count = 1, .g = exact.g};
  driven s = points_scene(&p, 0.0, exact.eps);
  memset(&trace, 0, sizeof trace);
  s.options.output = keep;
  s.options.output_dt = 1.0 / 512.0;
  s.options.user = &trace;
  const double q[2] = {0.0, 1.0}, u[2] = {0.0, 0.0};
  scene_drive(&s, 0.0, q, u);
  scene_advance(&s, 1.0); /* in pieces */
  scene_advance(&s, 1.0);
  scene_advance(&s, 1.77);
  scene_advance(&s, 4.0);
  ck_assert_int_eq(trace.count, 2049);
  for (int k = 0; k < trace.count; k++) {
    double y, v;
    ck_assert(trace.t[k] == k / 512.0);
    exact_bounce_at(&exact, trace.t[k], &y, &v);
    ck_assert_msg(fabs(trace.q[k] - y) <= 1e-10, "t = %g: %g off", trace.t[k], trace.q[k] - y);
    ck_assert(fabs(trace.u[k] - v) <= 1e-9 || fabs(y) <= 1e-5);
  }
  scene_end(&s);
  s = points_scene(&p, 0.0, exact.eps); /* the first only, without an interval */
  trace.count = 0;
  s.options.output = keep;
  s.options.user = &trace;
  scene_drive(&s, 0.0, q, u);
  scene_advance(&s, 1.0);
  ck_assert_int_eq(trace.count, 1);
  scene_end(&s);
}
END_TEST

/* A load that depends on time alone, as where constraints drive: steps get long. */
typedef struct load {
  double omega, t0;
} load;

static int load_force(void *user, double t, const double *q, const double *u, double *h)
{
  const load *p = user;
  (void)q, (void)u;
  h[1] = -p->omega * p->omega * cos(p->omega * (t - p->t0));
  return 0;
}

/* Steps are long, of a radian and more; what is said between their ends is to be as good as at them. */
START_TEST(outputs_are_as_good_as_steps)
{
  static trajectory trace;
  const double tols[] = {1e-6, 1e-9, 1e-12};
  for (int i = 0; i < 30; i++) {
    const double tol = tols[i % 3], t0 = i % 2 ? 1e3 : 0.0;
    const double omega = 1.0 + 0.37 * i;
    load p = {omega, t0};
    nsdyn_system_def def = table(2, 0, &p);
    def.mass = unit_mass_2;
    def.force = load_force;
    driven s = scene_of(&def);
    memset(&trace, 0, sizeof trace);
    s.options.tol = tol;
    s.options.output = keep;
    s.options.output_dt = 0.19 / omega;
    s.options.user = &trace;
    const double q[2] = {0.0, 1.0}, u[2] = {0.0, 0.0};
    scene_drive(&s, t0, q, u);
    scene_advance(&s, t0 + 40.0 / omega);
    for (int k = 0; k < trace.count; k++) {
      const double phase = omega * (trace.t[k] - t0), off = fabs(trace.q[k] - cos(phase));
      ck_assert_msg(off <= 200.0 * tol + 1e-12, "omega %g, tol %g, t %g: %g off", omega, tol, trace.t[k],
                    off);
    }
    scene_end(&s);
  }
}
END_TEST

START_TEST(output_may_stop_and_goes_on)
{
  static trajectory trace;
  points p = {.count = 1, .g = 9.81};
  driven s = points_scene(&p, 0.0, 0.5);
  memset(&trace, 0, sizeof trace);
  trace.stop_at = 10;
  s.options.output = keep;
  s.options.output_dt = 0.125;
  s.options.user = &trace;
  const double q[2] = {0.0, 1.0}, u[2] = {0.0, 0.0};
  scene_drive(&s, 0.0, q, u);
  ck_assert_int_eq(nsdyn_event_driver_advance(s.driver, 4.0), NSDYN_STOPPED);
  ck_assert(nsdyn_event_driver_time(s.driver) >= 9 * 0.125 && nsdyn_event_driver_time(s.driver) < 4.0);
  scene_advance(&s, 4.0);
  ck_assert_int_eq(trace.count, 33);
  for (int k = 0; k < 33; k++) {
    ck_assert(trace.t[k] == 0.125 * k);
  }
  scene_end(&s);
}
END_TEST

/* A block that slides until it sticks, and a ball that falls: forces and gaps at outputs. */
typedef struct looked {
  const driven *s;
  int count, stop_at;
} looked;

static int look_at_contacts(void *user, double t, const double *q, const double *u)
{
  looked *p = user;
  nsdyn_contact_state slider, ball;
  ck_assert_int_eq(nsdyn_contact_state_init(&slider, sizeof slider), NSDYN_OK);
  ck_assert_int_eq(nsdyn_contact_state_init(&ball, sizeof ball), NSDYN_OK);
  ck_assert_int_eq(nsdyn_event_driver_contact(p->s->driver, 0, &slider), NSDYN_OK);
  ck_assert_int_eq(nsdyn_event_driver_contact(p->s->driver, 1, &ball), NSDYN_OK);
  ck_assert_msg(slider.active == 1 && fabs(slider.force[0] - 10.0) <= 1e-9, "t = %g: %g", t, slider.force[0]);
  ck_assert_msg(fabs(slider.force[1] - (u[0] > 1e-9 ? -5.0 : 0.0)) <= 1e-6 || fabs(u[0]) <= 1e-9,
                "t = %g: %g", t, slider.force[1]);
  ck_assert_msg(fabs(ball.gap - q[3]) <= 1e-12, "t = %g: %g, not %g", t, ball.gap, q[3]);
  return ++p->count == p->stop_at;
}

START_TEST(outputs_know_contacts_before_an_event)
{
  for (int stop_at = 0; stop_at < 12; stop_at++) {
    points p = {.count = 2, .g = 10.0};
    driven s = points_scene(&p, 0.5, 0.5);
    looked look = {.s = &s, .stop_at = stop_at};
    s.options.output = look_at_contacts;
    s.options.output_dt = 1.0 / 32.0;
    s.options.user = &look;
    const double q[4] = {0.0, 0.0, 0.0, 0.05}, u[4] = {1.0, 0.0, 0.0, 0.0};
    scene_drive(&s, 0.0, q, u);
    if (stop_at > 0) { /* the driver, too, knows them where it stops */
      ck_assert_int_eq(nsdyn_event_driver_advance(s.driver, 0.5), NSDYN_STOPPED);
      ck_assert_int_eq(contact_of(&s, 0).active, 1);
      ck_assert(fabs(contact_of(&s, 0).force[0] - 10.0) <= 1e-9);
    }
    scene_advance(&s, 0.5);
    ck_assert(stop_at > 0 ? look.count > stop_at : look.count == 17); /* the rest of a step is left out */
    ck_assert_int_eq(count_kind(&s, NSDYN_EVENT_STICK), 1);
    scene_end(&s);
  }
}
END_TEST

typedef struct crossing {
  double level, stop_before;
  int calls, stop_at, in_driver;
  double t[64];
  driven *s;
} crossing;

static int height(void *user, double t, const double *q, const double *u, double *value)
{
  const crossing *c = user;
  (void)t, (void)u;
  *value = q[1] - c->level;
  return 0;
}

static int watch(void *user, const nsdyn_event_driver *driver, const nsdyn_event *event)
{
  crossing *c = user;
  ck_assert(nsdyn_event_driver_time(driver) == event->t || event->kind == NSDYN_EVENT_ZENO);
  ck_assert_int_eq(nsdyn_event_driver_advance(c->s->driver, 100.0), NSDYN_ERR_BUSY);
  ck_assert_int_eq(nsdyn_event_driver_set_state(c->s->driver, 0.0, NULL, NULL), NSDYN_ERR_BUSY);
  ck_assert_int_eq(nsdyn_event_driver_set_options(c->s->driver, NULL), NSDYN_ERR_BUSY);
  if (event->kind == NSDYN_EVENT_SECTION) {
    ck_assert_msg(fabs(nsdyn_event_driver_q(driver)[1] - c->level) <= 1e-12, "%g",
                  nsdyn_event_driver_q(driver)[1] - c->level);
  }
  c->t[c->calls++] = event->t;
  return c->calls == c->stop_at;
}

/* y = sin t over a floor far below. */
START_TEST(crosses_sections_both_ways_or_one)
{
  for (int direction = -1; direction <= 1; direction++) {
    points p = {.count = 1, .F = {0.0, 0.0}};
    crossing c = {.level = 0.5, .s = NULL};
    driven s = points_scene(&p, 0.0, 0.0);
    p.F[1] = -1.0; /* ÿ = −cos t, y = cos t */
    p.Omega = 1.0;
    p.A[0] = 0.0;
    c.s = &s;
    s.options.section = height;
    s.options.section_direction = direction;
    s.options.observe = watch;
    s.options.user = &c;
    const double q[2] = {0.0, 1.0 + 2.0}, u[2] = {0.0, 0.0};
    c.level = 2.5;
    scene_drive(&s, 0.0, q, u); /* cos t = 1/2 at 2πn ∓ π/3 */
    scene_advance(&s, 8.0 * pi);
    ck_assert_int_eq(c.calls, direction ? 4 : 8);
    for (int k = 0; k < c.calls; k++) {
      const int n = direction ? k : k / 2, falls = direction < 0 || (direction == 0 && k % 2 == 0);
      const double t = 2.0 * pi * n + (falls ? pi / 3.0 : 2.0 * pi - pi / 3.0);
      ck_assert_msg(fabs(c.t[k] - t) <= 1e-9, "direction %d, %d: %g off", direction, k, c.t[k] - t);
      ck_assert_int_eq(event_of(&s, k).kind, NSDYN_EVENT_SECTION);
      ck_assert_int_eq(event_of(&s, k).contact, -1);
    }
    scene_end(&s);
  }
}
END_TEST

START_TEST(a_section_may_begin_on_itself)
{
  points p = {.count = 1, .F = {0.0, -1.0}, .Omega = 1.0};
  crossing c = {.level = 3.0};
  driven s = points_scene(&p, 0.0, 0.0);
  c.s = &s;
  s.options.section = height;
  s.options.observe = watch;
  s.options.user = &c;
  const double q[2] = {0.0, 3.0}, u[2] = {0.0, 1.0}; /* y = 2 + t + cos t never comes back to 3 */
  scene_drive(&s, 0.0, q, u);
  scene_advance(&s, 20.0);
  ck_assert_int_eq(c.calls, 0);
  const double q_mid[2] = {0.0, 2.0}, u_mid[2] = {0.0, -1.0}; /* y = 2 + cos t, from π/2 on */
  c.level = 2.0;
  c.stop_at = 1;
  scene_drive(&s, 0.5 * pi, q_mid, u_mid);
  for (int k = 1; k <= 5; k++) { /* stop at each, go on from it */
    c.calls = 0;
    ck_assert_int_eq(nsdyn_event_driver_advance(s.driver, 100.0), NSDYN_STOPPED);
    ck_assert_msg(fabs(nsdyn_event_driver_time(s.driver) - (0.5 + k) * pi) <= 1e-8, "%d: %g", k,
                  nsdyn_event_driver_time(s.driver) - (0.5 + k) * pi);
  }
  scene_end(&s);
}
END_TEST

/* Rounding leaves a state on either side of a section that it stopped at; begun again there, it goes on, and
 * meets it at most once at the beginning. */
START_TEST(a_section_may_begin_a_hair_beside_itself)
{
  points p = {.count = 1, .F = {0.0, -1.0}, .Omega = 1.0};
  for (int k = -20; k <= 20; k++) {
    crossing c = {.level = 2.0};
    driven s = points_scene(&p, 0.0, 0.0);
    const double t = (k % 2 ? 0.5 : 1000.5) * pi;
    const double q[2] = {0.0, 2.0 + k * 0x1p-50}, u[2] = {0.0, -1.0}; /* y = 2 + cos t */
    c.s = &s;
    s.options.section = height;
    s.options.section_direction = (k + 21) % 3 - 1;
    s.options.observe = watch;
    s.options.user = &c;
    scene_drive(&s, t, q, u);
    scene_advance(&s, t + 6.0);
    int later = 0;
    for (int i = 0; i < c.calls; i++) {
      later += c.t[i] > t + 1e-9;
    }
    ck_assert_int_le(c.calls - later, 1);
    ck_assert_int_eq(later, s.options.section_direction < 0 ? 0 : 1); /* at 3/2 π */
    scene_end(&s);
  }
}
END_TEST

static int stop(void *user, const nsdyn_event_driver *driver, const nsdyn_event *event)
{
  (void)user, (void)driver, (void)event;
  return 1;
}

/* Forces without a solution are no failure where an impact takes their place. */
START_TEST(what_was_resolved_leaves_no_message)
{
  exact_rod rod = {.m = 1.0, .l = 1.0, .mu = 2.0, .g = 9.81};
  const exact_rod_state state = exact_rod_on_table(&rod, 1.0, 0.0, -1.0);
  driven s = rod_scene(&rod, 0.0, 1);
  s.options.observe = stop;
  scene_drive(&s, 0.0, state.q, state.u);
  ck_assert_int_eq(nsdyn_event_driver_advance(s.driver, 0.1), NSDYN_STOPPED);
  ck_assert_int_eq(event_of(&s, 0).kind, NSDYN_EVENT_PAINLEVE);
  ck_assert_str_eq(nsdyn_event_driver_message(s.driver), "");
  scene_end(&s);
}
END_TEST

static int side(void *user, double t, const double *q, const double *u, double *value)
{
  const crossing *c = user;
  (void)t, (void)u;
  *value = q[1] >= c->level ? 1.0 : -1.0;
  return 0;
}

static int count(void *user, const nsdyn_event_driver *driver, const nsdyn_event *event)
{
  crossing *c = user;
  (void)driver, (void)event;
  c->calls++;
  return 0;
}

/* A section that jumps has no zero to close in on: it is passed, or there is a clear end. */
START_TEST(a_section_that_jumps_is_no_endless_loop)
{
  for (int direction = -1; direction <= 1; direction++) {
    for (int k = 0; k < 20; k++) {
      points p = {.count = 1, .F = {0.0, -1.0}, .Omega = 1.0};
      crossing c = {.level = 2.0 + 0.04 * k};
      driven s = points_scene(&p, 0.0, 0.0);
      const double q[2] = {0.0, 3.0}, u[2] = {0.0, 0.0}; /* y = 2 + cos t */
      s.options.section = side;
      s.options.section_direction = direction;
      s.options.observe = count;
      s.options.user = &c;
      scene_drive(&s, 0.0, q, u);
      const nsdyn_status status = nsdyn_event_driver_advance(s.driver, 6.0);
      ck_assert(status == NSDYN_OK || status == NSDYN_MAX_ITERATIONS);
      ck_assert_int_lt(c.calls, 200);
      scene_end(&s);
    }
  }
}
END_TEST

START_TEST(an_observer_stops_at_the_event)
{
  points p = {.count = 1, .g = 9.81};
  crossing c = {.level = -1.0, .stop_at = 3};
  driven s = points_scene(&p, 0.0, 0.5);
  c.s = &s;
  s.options.observe = watch;
  s.options.user = &c;
  const double q[2] = {0.0, 1.0}, u[2] = {0.0, 0.0};
  const exact_bounce exact = {.g = 9.81, .eps = 0.5, .y = 1.0};
  scene_drive(&s, 0.0, q, u);
  ck_assert_int_eq(nsdyn_event_driver_advance(s.driver, 10.0), NSDYN_STOPPED);
  double speed;
  const double t = exact_bounce_impact(&exact, 3, &speed);
  ck_assert(fabs(nsdyn_event_driver_time(s.driver) - t) <= 1e-12);
  ck_assert(fabs(nsdyn_event_driver_u(s.driver)[1] - 0.5 * speed) <= 1e-11); /* after the impact */
  ck_assert_int_eq(events_of(&s), 3);
  scene_advance(&s, 10.0);
  ck_assert_int_gt(c.calls, 10);
  ck_assert_int_eq(c.calls, events_of(&s));
  scene_end(&s);
}
END_TEST

/* ---- limits -------------------------------------------------------------------------------------------- */

START_TEST(ends_where_it_is_told_in_any_pieces)
{
  const double ends[] = {0.0, 1e-9, 0.3, 0.4515, 0.45152364, 0.5, 1.0, 3.0, 3.0};
  points p = {.count = 1, .g = 9.81};
  driven s = points_scene(&p, 0.0, 0.8), whole = points_scene(&p, 0.0, 0.8);
  const double q[2] = {0.0, 1.0}, u[2] = {0.0, 0.0};
  scene_drive(&s, 0.0, q, u);
  scene_drive(&whole, 0.0, q, u);
  for (size_t k = 0; k < sizeof ends / sizeof *ends; k++) {
    scene_advance(&s, ends[k]);
  }
  scene_advance(&whole, 3.0);
  ck_assert_int_eq(events_of(&s), events_of(&whole));
  for (int k = 0; k < events_of(&s); k++) {
    ck_assert(fabs(event_of(&s, k).t - event_of(&whole, k).t) <= 1e-12);
  }
  ck_assert(fabs(nsdyn_event_driver_q(s.driver)[1] - nsdyn_event_driver_q(whole.driver)[1]) <= 1e-11);
  ck_assert_int_eq(nsdyn_event_driver_advance(s.driver, 2.9), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_event_driver_advance(s.driver, NAN), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_event_driver_advance(s.driver, INFINITY), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_event_driver_advance(NULL, 1.0), NSDYN_ERR_ARGUMENT);
  ck_assert(strlen(nsdyn_event_driver_message(s.driver)) > 0);
  scene_advance(&s, 3.0);
  ck_assert_str_eq(nsdyn_event_driver_message(s.driver), "");
  scene_end(&s);
  scene_end(&whole);
}
END_TEST

START_TEST(counts_its_steps)
{
  points p = {.count = 1, .g = 9.81, .k = 100.0};
  driven s = points_scene(&p, 0.3, 0.5);
  const double q[2] = {1.0, 1.0}, u[2] = {0.0, 0.0};
  s.options.max_steps = 5;
  scene_drive(&s, 0.0, q, u);
  ck_assert_int_eq(nsdyn_event_driver_advance(s.driver, 10.0), NSDYN_MAX_ITERATIONS);
  ck_assert_int_eq(report_of(&s).steps, 5);
  ck_assert_int_eq(report_of(&s).status, NSDYN_MAX_ITERATIONS);
  const double t = nsdyn_event_driver_time(s.driver);
  ck_assert(t > 0.0 && t < 10.0);
  ck_assert_int_eq(nsdyn_event_driver_advance(s.driver, 10.0), NSDYN_MAX_ITERATIONS);
  ck_assert(nsdyn_event_driver_time(s.driver) > t);
  scene_end(&s);
}
END_TEST

static int cancel(void *user, const char *activity, double done)
{
  int *left = user;
  ck_assert_str_eq(activity, "nsdyn_event_driver_advance");
  ck_assert(done >= 0.0 && done <= 1.0);
  return --*left < 0;
}

START_TEST(asks_for_progress)
{
  int left = 2;
  nsdyn_context_def def;
  nsdyn_context *ctx;
  ck_assert_int_eq(nsdyn_context_def_init(&def, sizeof def), NSDYN_OK);
  def.user = &left;
  def.progress = cancel;
  ck_assert_int_eq(nsdyn_context_new(&def, &ctx, NULL), NSDYN_OK);
  points p = {.count = 1, .k = 1e6};
  nsdyn_system_def sys = table(2, 1, &p);
  sys.mass = points_mass;
  sys.force = points_force;
  sys.gap = points_gap;
  sys.direction = points_direction;
  driven s = {0};
  ck_assert_int_eq(nsdyn_system_new(ctx, &sys, &s.sys, NULL), NSDYN_OK);
  nsdyn_event_driver_options_init(&s.options, sizeof s.options);
  const double q[2] = {1.0, 1.0}, u[2] = {0.0, 0.0};
  scene_drive(&s, 0.0, q, u);
  ck_assert_int_eq(nsdyn_event_driver_advance(s.driver, 10.0), NSDYN_CANCELLED);
  ck_assert_int_eq(report_of(&s).steps, 128);
  left = 1000000;
  scene_advance(&s, 0.5);
  ck_assert(fabs(nsdyn_event_driver_q(s.driver)[0] - cos(500.0)) <= 1e-5);
  scene_end(&s);
  nsdyn_context_free(ctx);
}
END_TEST

static int count_outputs(void *user, double t, const double *q, const double *u)
{
  int64_t *left = user;
  (void)t, (void)q, (void)u;
  return --*left == 0;
}

/* A step may hold 10¹¹ outputs. Who stops it, from within them or from outside, waits for none of them. */
START_TEST(outputs_of_a_step_are_left_at_once)
{
  int left = 2;
  int64_t outputs = 6;
  nsdyn_context_def def;
  nsdyn_context *ctx;
  ck_assert_int_eq(nsdyn_context_def_init(&def, sizeof def), NSDYN_OK);
  def.user = &left;
  def.progress = cancel;
  ck_assert_int_eq(nsdyn_context_new(&def, &ctx, NULL), NSDYN_OK);
  points p = {.count = 1, .g = 9.81};
  nsdyn_system_def sys = table(2, 1, &p);
  sys.mass = points_mass;
  sys.force = points_force;
  sys.gap = points_gap;
  sys.direction = points_direction;
  driven s = {0};
  ck_assert_int_eq(nsdyn_system_new(ctx, &sys, &s.sys, NULL), NSDYN_OK);
  nsdyn_event_driver_options_init(&s.options, sizeof s.options);
  s.options.output = count_outputs;
  s.options.output_dt = 1e-12;
  s.options.user = &outputs;
  const double q[2] = {0.0, 1.0}, u[2] = {0.0, 0.0};
  scene_drive(&s, 0.0, q, u);
  ck_assert_int_eq(nsdyn_event_driver_advance(s.driver, 0.4), NSDYN_STOPPED);
  ck_assert_int_eq(outputs, 0);
  ck_assert(nsdyn_event_driver_time(s.driver) > 1e-3);
  outputs = 1000000000;
  left = 1;
  ck_assert_int_eq(nsdyn_event_driver_advance(s.driver, 0.44), NSDYN_CANCELLED);
  ck_assert_int_ge(outputs, 1000000000 - 100000);
  scene_end(&s);
  nsdyn_context_free(ctx);
}
END_TEST

START_TEST(the_same_call_gives_the_same_bits)
{
  exact_woodpecker toy;
  exact_state state;
  exact_woodpecker_table(&toy);
  exact_woodpecker_begin(&toy, &state);
  double q[3], u[3];
  for (int i = 0; i < 3; i++) {
    q[i] = (double)state.q[i];
    u[i] = (double)state.u[i];
  }
  driven a = toy_scene(&toy), b = toy_scene(&toy);
  scene_drive(&b, 0.0, q, u);
  scene_advance(&b, 0.37); /* whatever was before */
  scene_drive(&a, 0.0, q, u);
  scene_drive(&b, 0.0, q, u);
  scene_advance(&a, 1.0);
  scene_advance(&b, 1.0);
  ck_assert_mem_eq(nsdyn_event_driver_q(a.driver), nsdyn_event_driver_q(b.driver), sizeof q);
  ck_assert_mem_eq(nsdyn_event_driver_u(a.driver), nsdyn_event_driver_u(b.driver), sizeof u);
  ck_assert_int_eq(events_of(&a), events_of(&b));
  for (int k = 0; k < events_of(&a); k++) {
    const nsdyn_event one = event_of(&a, k), other = event_of(&b, k);
    ck_assert_mem_eq(&one, &other, sizeof one);
  }
  scene_end(&a);
  scene_end(&b);
}
END_TEST

SUITE("event/advance", TEST(outputs_are_as_good_as_steps), TEST(bounces_at_the_exact_times),
      TEST(never_rests_with_full_restitution), TEST(oscillates_on_a_belt_as_the_closed_form_does),
      TEST(oscillates_under_friction_that_falls_with_speed), TEST(slides_on_a_ramp_and_stops_or_turns_back),
      TEST(pecks_like_the_exact_woodpecker), TEST(puts_out_the_trajectory_at_equal_times),
      TEST(output_may_stop_and_goes_on), TEST(outputs_know_contacts_before_an_event),
      TEST(crosses_sections_both_ways_or_one), TEST(a_section_may_begin_on_itself),
      TEST(a_section_may_begin_a_hair_beside_itself), TEST(a_section_that_jumps_is_no_endless_loop),
      TEST(what_was_resolved_leaves_no_message), TEST(an_observer_stops_at_the_event),
      TEST(ends_where_it_is_told_in_any_pieces), TEST(counts_its_steps), TEST(asks_for_progress),
      TEST(outputs_of_a_step_are_left_at_once), TEST(the_same_call_gives_the_same_bits))
