/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>

#include "stepping.h"

static nsdyn_stepper_options euler(void)
{
  nsdyn_stepper_options options = stepper_unchecked();
  options.scheme = NSDYN_SCHEME_EULER;
  return options;
}

/* Mylapilli & Jain (2017), eqs. 25 and 26, by hand: k steps under constant force reach v₀ t − ½ g t (t + Δt).
 */
START_TEST(free_flight_is_what_the_equations_say)
{
  model m;
  model_clear(&m, 2);
  m.M0[0] = m.M0[3] = 0.3e-3;
  m.f[1] = -9.81 * 0.3e-3;
  const nsdyn_stepper_options options = euler();
  nsdyn_stepper *s = stepper_of(&m, 0, 0, &options);
  set_state(s, (double[]){1.0, 2.0}, (double[]){3.0, 4.0});
  run(s, 0.01, 100);
  ck_assert_double_eq_tol(nsdyn_stepper_q(s)[0], 1.0 + 3.0, 1e-13);
  ck_assert_double_eq_tol(nsdyn_stepper_q(s)[1], 2.0 + 4.0 - 0.5 * 9.81 * 1.01, 1e-12);
  ck_assert_double_eq_tol(nsdyn_stepper_u(s)[1], 4.0 - 9.81, 1e-13);
  nsdyn_stepper_free(s);
}
END_TEST

/* Symplectic: of an oscillator it keeps ½ u² + ½ ω² q² − ½ Δt ω² q u to rounding, for ever. */
START_TEST(an_oscillator_keeps_its_own_energy)
{
  const double omega = 3.0, dt = 0.02, k = omega * omega;
  model m;
  model_clear(&m, 1);
  m.K[0] = k;
  const nsdyn_stepper_options options = euler();
  nsdyn_stepper *s = stepper_of(&m, NSDYN_CONSTANT_MASS, 0, &options);
  set_state(s, (double[]){1.0}, (double[]){0.0});
  const double begin = 0.5 * k;
  for (int i = 0; i < 1000; i++) {
    run(s, dt, 10);
    const double q = nsdyn_stepper_q(s)[0], u = nsdyn_stepper_u(s)[0];
    const double kept = 0.5 * u * u + 0.5 * k * q * q - 0.5 * dt * k * q * u;
    REQUIRE(fabs(kept - begin) <= 1e-12 * begin, "step %d: %.15g", 10 * i, kept / begin);
  }
  nsdyn_stepper_free(s);
}
END_TEST

START_TEST(it_is_of_first_order)
{
  const nsdyn_stepper_options options = euler();
  const double coarse = oscillator_error(&options, 50), fine = oscillator_error(&options, 100);
  ck_assert_double_lt(coarse, 1e-2);
  ck_assert_double_eq_tol(coarse / fine, 2.0, 0.05);
}
END_TEST

/* Contacts are those of the beginning: a ball that is below the floor only at the step's end goes on. */
START_TEST(contacts_are_taken_at_the_beginning)
{
  model m;
  model_clear(&m, 1);
  model_add_contact(&m, 0.0, 0, -1, 0.0, 0.5);
  const nsdyn_stepper_options options = euler();
  nsdyn_stepper *s = stepper_of(&m, 0, 0, &options);
  set_state(s, (double[]){0.05}, (double[]){-1.0});
  run(s, 0.1, 1);
  ck_assert_int_eq(nsdyn_stepper_active(s), 0);
  ck_assert_double_eq_tol(nsdyn_stepper_q(s)[0], -0.05, 1e-15);
  run(s, 0.1, 1);
  ck_assert_int_eq(nsdyn_stepper_active(s), 1);
  ck_assert_double_eq_tol(nsdyn_stepper_u(s)[0], 0.5, 1e-15);
  ck_assert_double_eq_tol(nsdyn_stepper_q(s)[0], 0.0, 1e-15);
  nsdyn_stepper_free(s);
}
END_TEST

SUITE("stepper/scheme/euler", TEST(free_flight_is_what_the_equations_say),
      TEST(an_oscillator_keeps_its_own_energy), TEST(it_is_of_first_order),
      TEST(contacts_are_taken_at_the_beginning))
