/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The brick's closed forms against GSL's integrator and each other. */
#include "support/exact_brick.h"

#include <math.h>

#include "gsl_ode.h"

typedef struct ramp_case {
  exact_ramp ramp;
  exact_falling law;
} ramp_case;

static int constant_rate(double t, const double y[], double dydt[], void *data)
{
  const ramp_case *p = data;
  (void)t;
  dydt[0] = y[1];
  dydt[1] = p->ramp.g * (sin(p->ramp.theta) - copysign(p->ramp.mu_dynamic, p->ramp.v) * cos(p->ramp.theta));
  return 0;
}

START_TEST(a_brick_slides_and_stops)
{
  const int cases = random_cases(400);
  int counts[3] = {0, 0, 0};
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    ramp_case p = {.ramp = {.g = 9.81,
                            .theta = random_between(&r, -0.6, 0.6),
                            .mu_dynamic = random_between(&r, 0.0, 0.6),
                            .x = random_between(&r, -1.0, 1.0),
                            .v = random_between(&r, -3.0, 3.0)}};
    p.ramp.mu_static = p.ramp.mu_dynamic + random_between(&r, 0.0, 0.2);
    const double stop = exact_ramp_stop(&p.ramp);
    const double end = fmin(stop, 2.0);
    double y[2] = {p.ramp.x, p.ramp.v};
    double x;
    double v;
    gsl_integrate(constant_rate, &p, 2, 0.0, end, 1e-13, y);
    exact_ramp_at(&p.ramp, end, &x, &v);
    REQUIRE(fabs(x - y[0]) < 1e-11 && fabs(v - y[1]) < 1e-11, "case %d", k);
    if (!(stop < 2.0)) {
      counts[0]++;
      continue;
    }
    double later;
    exact_ramp_at(&p.ramp, stop + 1.0, &later, &v);
    if (fabs(tan(p.ramp.theta)) <= p.ramp.mu_static) {
      counts[1]++;
      REQUIRE(exact_ramp_stays(&p.ramp) && later == x && v == 0.0, "case %d", k);
    } else {
      counts[2]++;
      const double pull = 9.81 * (fabs(sin(p.ramp.theta)) - p.ramp.mu_dynamic * cos(p.ramp.theta));
      REQUIRE(!exact_ramp_stays(&p.ramp) && pull > 0.0, "case %d", k);
      REQUIRE(fabs(v - copysign(pull, p.ramp.theta)) < 1e-12 && fabs(later - x - v / 2.0) < 1e-12, "case %d",
              k);
    }
  }
  for (int i = 0; i < 3; i++) {
    ck_assert_int_ge(counts[i], cases / 50);
  }
}
END_TEST

static int falling_rate(double t, const double y[], double dydt[], void *data)
{
  const ramp_case *p = data;
  (void)t;
  dydt[0] = y[1];
  dydt[1] = p->ramp.g * (sin(p->ramp.theta) - exact_falling_mu(&p->law, y[1]) * cos(p->ramp.theta));
  return 0;
}

START_TEST(friction_that_falls_with_speed_has_a_closed_form)
{
  const int cases = random_cases(150);
  int stopped = 0;
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    ramp_case p = {.ramp = {.g = 9.81, .x = 0.5, .v = random_between(&r, 0.05, 2.0)},
                   .law = {.mu_inf = random_between(&r, 0.1, 0.4), .v_s = random_between(&r, 0.1, 1.0)}};
    p.law.mu_0 = p.law.mu_inf + random_between(&r, 0.0, 0.3);
    p.ramp.theta = k % 10 == 0 ? atan(p.law.mu_inf) : random_between(&r, 0.0, 0.5);
    const double stop = exact_falling_stop(&p.ramp, &p.law);
    const double end = fmin(0.9 * stop, 0.7);
    double y[2] = {p.ramp.x, p.ramp.v};
    double x;
    double v;
    gsl_integrate(falling_rate, &p, 2, 0.0, end, 1e-13, y);
    exact_falling_at(&p.ramp, &p.law, end, &x, &v);
    REQUIRE(fabs(x - y[0]) < 1e-9 && fabs(v - y[1]) < 1e-9, "case %d: %g %g", k, x - y[0], v - y[1]);
    if (stop < 100.0) {
      stopped++;
      gsl_integrate(falling_rate, &p, 2, end, stop, 1e-13, y);
      exact_falling_at(&p.ramp, &p.law, stop, &x, &v);
      REQUIRE(fabs(y[1]) < 1e-8 && fabs(x - y[0]) < 1e-8, "case %d: %g at the stop", k, y[1]);
      REQUIRE(v == 0.0, "case %d", k);
    }
  }
  ck_assert_int_ge(stopped, cases / 10);
  ck_assert_int_le(stopped, cases - cases / 10);
}
END_TEST

typedef struct belt_case {
  exact_belt belt;
  exact_falling law;
} belt_case;

static int belt_rate(double t, const double y[], double dydt[], void *data)
{
  const belt_case *p = data;
  (void)t;
  dydt[0] = y[1];
  dydt[1] = p->belt.g * exact_falling_mu(&p->law, p->belt.V - y[1]) - p->belt.omega * p->belt.omega * y[0];
  return 0;
}

static belt_case random_belt(random_state *r)
{
  belt_case p = {.belt = {.g = 9.81,
                          .omega = random_between(r, 3.0, 30.0),
                          .V = random_between(r, 0.05, 1.0),
                          .mu_dynamic = random_between(r, 0.05, 0.4)}};
  p.belt.mu_static = p.belt.mu_dynamic + random_between(r, 0.01, 0.4);
  p.law = (exact_falling){.mu_0 = p.belt.mu_dynamic, .mu_inf = p.belt.mu_dynamic, .v_s = 1.0};
  return p;
}

static void check_belt(belt_case *p, const exact_belt_cycle *c, double tolerance, int seed)
{
  double y[2] = {c->x_start, p->belt.V};
  double x;
  double v;
  for (int i = 1; i <= 10; i++) {
    gsl_integrate(belt_rate, p, 2, c->slip * (i - 1) / 10.0, c->slip * i / 10.0, 1e-13, y);
    REQUIRE(y[1] < p->belt.V + tolerance, "case %d: faster than the belt", seed);
    if (p->law.mu_0 == p->law.mu_inf) {
      REQUIRE(!exact_belt_at(&p->belt, 0.9999999999999 * c->slip * i / 10.0, &x, &v), "case %d", seed);
      REQUIRE(fabs(x - y[0]) < 1e-11 && fabs(v - y[1]) < 1e-10, "case %d", seed);
    }
  }
  REQUIRE(fabs(y[1] - p->belt.V) < tolerance && fabs(y[0] - c->x_stop) < tolerance, "case %d: %g", seed,
          y[1] - p->belt.V);
  REQUIRE(fabs(c->x_stop + p->belt.V * c->stick - c->x_start) < 1e-13, "case %d", seed);
  REQUIRE(fabs(c->period - c->slip - c->stick) < 1e-14, "case %d", seed);
}

START_TEST(stick_slip_on_a_belt)
{
  const int cases = random_cases(50);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    belt_case p = random_belt(&r);
    const exact_belt_cycle c = exact_belt_solve(&p.belt);
    double x;
    double v;
    check_belt(&p, &c, 1e-10, k);
    /* sticking: within static friction, with the belt, and back to where slip begins */
    REQUIRE(fabs(c.x_stop) < c.x_start, "case %d", k);
    REQUIRE(exact_belt_at(&p.belt, c.slip + 0.5 * c.stick, &x, &v) && v == p.belt.V, "case %d", k);
    exact_belt_at(&p.belt, 7.0 * c.period + 1e-9, &x, &v);
    REQUIRE(fabs(x - c.x_start) < 1e-8 && fabs(v - p.belt.V) < 1e-6, "case %d", k);
  }
}
END_TEST

START_TEST(a_falling_law_on_a_belt)
{
  const int cases = random_cases(20);
  int sticks = 0;
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    belt_case p = random_belt(&r);
    p.law.mu_0 = p.belt.mu_static;
    p.law.v_s = random_between(&r, 0.1, 1.0);
    const exact_belt_cycle c = exact_belt_falling(&p.belt, &p.law);
    if (c.period > 0.0) {
      sticks++;
      check_belt(&p, &c, 1e-9, k);
      REQUIRE(fabs(c.x_stop) < c.x_start, "case %d", k);
    } else {
      REQUIRE(c.x_stop < -c.x_start && c.stick == 0.0, "case %d", k);
    }
  }
  ck_assert_int_ge(sticks, cases / 4);
}
END_TEST

/* A law that falls at once is the one with two coefficients. */
START_TEST(two_coefficients_are_a_limit)
{
  const exact_belt p = {.g = 9.81, .omega = 10.0, .V = 0.2, .mu_static = 0.4, .mu_dynamic = 0.25};
  const exact_belt_cycle two = exact_belt_solve(&p);
  double last = 1.0;
  for (double v_s = 1e-2; v_s > 1e-5; v_s /= 10.0) {
    const exact_belt_cycle c = exact_belt_falling(&p, &(exact_falling){p.mu_static, p.mu_dynamic, v_s});
    const double error = fabs(c.period / two.period - 1.0) + fabs(c.x_stop - two.x_stop) / two.x_start;
    ck_assert_double_lt(error, 0.25 * last);
    last = error;
  }
  ck_assert_double_lt(last, 5e-3);
}
END_TEST

/* The numbers of one belt, for who compares: g = 9.81, ω = 10, V = 0.2, μ 0.4 and 0.25. */
START_TEST(one_belt_by_hand)
{
  const exact_belt p = {.g = 9.81, .omega = 10.0, .V = 0.2, .mu_static = 0.4, .mu_dynamic = 0.25};
  const exact_belt_cycle c = exact_belt_solve(&p);
  ck_assert_double_eq_tol(c.x_start, 0.03924, 1e-15);
  ck_assert_double_eq_tol(c.x_stop, 0.00981, 1e-15);
  ck_assert_double_eq_tol(c.stick, 0.14715, 1e-15);
  ck_assert_double_eq_tol(c.slip, 0.2 * (acos(-1.0) - atan(0.73575)), 1e-15);
}
END_TEST

SUITE("support/exact_brick", TEST(a_brick_slides_and_stops),
      TEST(friction_that_falls_with_speed_has_a_closed_form), TEST(stick_slip_on_a_belt),
      TEST(a_falling_law_on_a_belt), TEST(two_coefficients_are_a_limit), TEST(one_belt_by_hand))
