/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* A bouncing ball against its closed form: impacts, the end of bouncing, rest. */
#include "proof.h"

enum { IMPACTS = 5 };

typedef struct ball {
  exact_bounce exact;
  model m;
  nsdyn_stepper *stepper;
} ball;

static void make_ball(ball *b, double eps)
{
  b->exact = (exact_bounce){.g = 9.81, .eps = eps, .y = 1.0, .v = 0.5};
  machine_ball(&b->exact, &b->m);
  b->stepper = machine_stepper(&b->m);
}

static void drop_ball(ball *b)
{
  set_state(b->stepper, &b->exact.y, &b->exact.v);
}

/* When the first impacts are, in the middle of their steps, and how fast. */
static double error_of_impacts(void *data, double dt)
{
  ball *b = data;
  double error = 0.0, before;
  int count = 0, was_active = 0;
  drop_ball(b);
  while (count < IMPACTS) {
    before = fabs(nsdyn_stepper_u(b->stepper)[0]);
    run(b->stepper, dt, 1);
    const int is_active = nsdyn_stepper_active(b->stepper) > 0;
    if (is_active && !was_active) {
      double speed;
      const double t = exact_bounce_impact(&b->exact, ++count, &speed);
      error = fmax(error, fabs(nsdyn_stepper_time(b->stepper) - 0.5 * dt - t));
      error = fmax(error, fabs(before - speed) / b->exact.g);
    }
    was_active = is_active;
  }
  return error;
}

static double error_of_rest(void *data, double dt)
{
  ball *b = data;
  const double end = exact_bounce_zeno(&b->exact);
  double rest = NAN, speed;
  int was_active = 0;
  (void)exact_bounce_impact(&b->exact, 1, &speed);
  drop_ball(b);
  while (nsdyn_stepper_time(b->stepper) < end + 1.0) {
    run(b->stepper, dt, 1);
    const int is_active = nsdyn_stepper_active(b->stepper) > 0;
    rest = is_active && !was_active ? nsdyn_stepper_time(b->stepper) : rest;
    was_active = is_active;
  }
  REQUIRE(was_active, "still bouncing at %g", end + 1.0);
  ck_assert_double_eq_tol(nsdyn_stepper_u(b->stepper)[0], 0.0, 1e-12);
  ck_assert_double_le(fabs(nsdyn_stepper_q(b->stepper)[0]), speed * dt);
  return fabs(rest - end);
}

START_TEST(impacts_converge)
{
  for (double eps = 0.5; eps <= 1.0; eps += 0.25) {
    ball b;
    make_ball(&b, eps);
    prove_order(error_of_impacts, &b, 1e-3, 1.0, 0.4, 10.0);
    nsdyn_stepper_free(b.stepper);
  }
}
END_TEST

START_TEST(bouncing_ends_at_its_time)
{
  for (double eps = 0.0; eps < 1.0; eps += 0.3) {
    ball b;
    make_ball(&b, eps);
    prove_order(error_of_rest, &b, 2e-3, 1.0, 0.5, 20.0);
    nsdyn_stepper_free(b.stepper);
  }
}
END_TEST

SUITE("bounce", TEST(impacts_converge), TEST(bouncing_ends_at_its_time))
