/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Stewart's brick (2000, §1.1 and §4.3) against its closed forms: on a ramp, on a belt, with friction that
 * falls with speed. */
#include "proof.h"

typedef struct brick {
  exact_ramp ramp;
  exact_belt belt;
  exact_falling law;
  exact_belt_cycle cycle;
  model m;
  nsdyn_stepper *stepper;
} brick;

static int falling_mu(void *user, double speed, double *mu)
{
  *mu = exact_falling_mu(user, speed);
  return 0;
}

static void let_fall(brick *b, double mu_0, double mu_inf, double v_s)
{
  nsdyn_contact_law *law = &b->m.contact[0].law;
  b->law = (exact_falling){.mu_0 = mu_0, .mu_inf = mu_inf, .v_s = v_s};
  law->friction = NSDYN_FRICTION_CURVE;
  law->curve = falling_mu;
  law->user = &b->law;
}

static void push_brick(brick *b)
{
  set_state(b->stepper, (double[2]){b->ramp.x, 0.0}, (double[2]){b->ramp.v, 0.0});
}

/* ---- On a ramp ---- */

/* Over the whole run, in place. Velocity is exact to rounding but in the step of the stop: friction is
 * constant. */
static double error_on_ramp(void *data, double dt)
{
  brick *b = data;
  const double stop = exact_ramp_stop(&b->ramp);
  double error = 0.0;
  push_brick(b);
  while (nsdyn_stepper_time(b->stepper) < 1.5) {
    double x, v;
    run(b->stepper, dt, 1);
    const double t = nsdyn_stepper_time(b->stepper);
    exact_ramp_at(&b->ramp, t, &x, &v);
    error = fmax(error, fabs(nsdyn_stepper_q(b->stepper)[0] - x));
    if (t < stop || t > stop + dt) {
      const double off = nsdyn_stepper_u(b->stepper)[0] - v;
      REQUIRE(fabs(off) < 1e-11, "v at %g is off by %g", t, off);
    }
  }
  return error;
}

/* Second order: one step of the stop is all that is not exact. */
START_TEST(it_stops_on_the_ramp_and_stays)
{
  const double angle[] = {0.0, 0.3, 0.3, 0.5}, v[] = {1.0, 2.0, -2.0, -3.0};
  const double mu_static[] = {0.3, 0.6, 0.5, 0.55}, mu_dynamic[] = {0.3, 0.5, 0.5, 0.3};
  for (int k = 0; k < 4; k++) {
    brick b;
    b.ramp = (exact_ramp){.g = 9.81,
                          .theta = angle[k],
                          .mu_static = mu_static[k],
                          .mu_dynamic = mu_dynamic[k],
                          .x = 0.1,
                          .v = v[k]};
    ck_assert(exact_ramp_stays(&b.ramp));
    ck_assert_double_lt(exact_ramp_stop(&b.ramp), 1.2);
    machine_ramp(&b.ramp, &b.m);
    b.stepper = machine_stepper(&b.m);
    prove_order(error_on_ramp, &b, 1e-3, 2.0, 0.6, 10.0);
    nsdyn_stepper_free(b.stepper);
  }
}
END_TEST

/* Thrown uphill where friction cannot hold it: it turns, and slides back with the other acceleration. */
static double error_of_return(void *data, double dt)
{
  brick *b = data;
  double error = 0.0, x, v;
  push_brick(b);
  while (nsdyn_stepper_time(b->stepper) < 1.5) {
    run(b->stepper, dt, 1);
    exact_ramp_at(&b->ramp, nsdyn_stepper_time(b->stepper), &x, &v);
    error = fmax(error, fabs(nsdyn_stepper_q(b->stepper)[0] - x));
    error = fmax(error, fabs(nsdyn_stepper_u(b->stepper)[0] - v));
  }
  return error;
}

START_TEST(it_comes_back_down_a_steep_ramp)
{
  brick b;
  b.ramp = (exact_ramp){.g = 9.81, .theta = 0.7, .mu_static = 0.5, .mu_dynamic = 0.4, .x = 0.0, .v = -4.0};
  ck_assert(!exact_ramp_stays(&b.ramp));
  machine_ramp(&b.ramp, &b.m);
  b.stepper = machine_stepper(&b.m);
  prove_order(error_of_return, &b, 1e-3, 1.0, 0.5, 20.0);
  nsdyn_stepper_free(b.stepper);
}
END_TEST

/* Friction is taken at the beginning of each step: first order before the stop already. */
static double error_of_falling(void *data, double dt)
{
  brick *b = data;
  const double stop = exact_falling_stop(&b->ramp, &b->law);
  double error = 0.0, x, v;
  push_brick(b);
  while (nsdyn_stepper_time(b->stepper) < 1.0) {
    run(b->stepper, dt, 1);
    const double t = nsdyn_stepper_time(b->stepper);
    exact_falling_at(&b->ramp, &b->law, fmin(t, stop), &x, &v);
    error = fmax(error, fabs(nsdyn_stepper_q(b->stepper)[0] - x));
    error = fmax(error, fabs(nsdyn_stepper_u(b->stepper)[0] - (t < stop ? v : 0.0)));
  }
  return error;
}

START_TEST(friction_that_falls_with_speed)
{
  const double angle[] = {0.2, 0.5};
  for (int k = 0; k < 2; k++) {
    brick b;
    b.ramp = (exact_ramp){.g = 9.81, .theta = angle[k], .x = 0.0, .v = 1.0};
    machine_ramp(&b.ramp, &b.m);
    let_fall(&b, 0.6, 0.4, 0.5);
    b.stepper = machine_stepper(&b.m);
    prove_order(error_of_falling, &b, 2e-3, 1.0, 0.3, 20.0);
    nsdyn_stepper_free(b.stepper);
  }
}
END_TEST

/* ---- On a belt ---- */

enum { PERIODS = 6 };

/* From the beginning of a slip: the ends of sticking, and the places where slip begins and ends. */
static double error_on_belt(void *data, double dt)
{
  brick *b = data;
  double error = 0.0;
  int ends = 0, stops = 0, was_stuck = 0;
  set_state(b->stepper, (double[2]){b->cycle.x_start, 0.0}, (double[2]){b->belt.V, 0.0});
  while (ends < PERIODS) {
    run(b->stepper, dt, 1);
    const double t = nsdyn_stepper_time(b->stepper) - 0.5 * dt, x = nsdyn_stepper_q(b->stepper)[0];
    const int is_stuck = state_of(b->stepper, 0).mode == NSDYN_MODE_STICK;
    if (is_stuck && !was_stuck && t > 0.5 * b->cycle.slip) {
      error = fmax(error, fabs(t - b->cycle.slip - stops++ * b->cycle.period) / b->cycle.period);
      error = fmax(error, fabs(x - b->cycle.x_stop) / b->cycle.x_start);
    }
    if (was_stuck && !is_stuck && t > b->cycle.slip) {
      error = fmax(error, fabs(t - ++ends * b->cycle.period) / b->cycle.period);
      error = fmax(error, fabs(x - b->cycle.x_start) / b->cycle.x_start);
    }
    was_stuck = is_stuck;
    REQUIRE(t < (PERIODS + 1) * b->cycle.period, "%d periods until %g", ends, t);
  }
  return error;
}

START_TEST(stick_and_slip_with_two_coefficients)
{
  const double V[] = {0.05, 0.2, 1.0}, omega[] = {3.0, 10.0, 5.0};
  for (int k = 0; k < 3; k++) {
    brick b;
    b.belt = (exact_belt){.g = 9.81, .omega = omega[k], .V = V[k], .mu_static = 0.5, .mu_dynamic = 0.3};
    b.cycle = exact_belt_solve(&b.belt);
    machine_belt(&b.belt, &b.m);
    b.stepper = machine_stepper(&b.m);
    prove_order(error_on_belt, &b, b.cycle.period / 500.0, 1.0, 0.5, 40.0 / b.cycle.period);
    nsdyn_stepper_free(b.stepper);
  }
}
END_TEST

START_TEST(stick_and_slip_with_falling_friction)
{
  brick b;
  b.belt = (exact_belt){.g = 9.81, .omega = 4.5, .V = 0.2, .mu_static = 0.5, .mu_dynamic = 0.3};
  machine_belt(&b.belt, &b.m);
  let_fall(&b, 0.5, 0.3, 0.1);
  b.cycle = exact_belt_falling(&b.belt, &b.law);
  ck_assert_double_gt(b.cycle.stick, 0.0);
  b.stepper = machine_stepper(&b.m);
  prove_order(error_on_belt, &b, b.cycle.period / 500.0, 1.0, 0.5, 40.0 / b.cycle.period);
  nsdyn_stepper_free(b.stepper);
}
END_TEST

SUITE("brick", TEST(it_stops_on_the_ramp_and_stays), TEST(it_comes_back_down_a_steep_ramp),
      TEST(friction_that_falls_with_speed), TEST(stick_and_slip_with_two_coefficients),
      TEST(stick_and_slip_with_falling_friction))
