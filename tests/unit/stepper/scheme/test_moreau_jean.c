/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>
#include <string.h>

#include "stepping.h"

static nsdyn_stepper_options theta_scheme(double theta)
{
  nsdyn_stepper_options options = stepper_unchecked();
  options.scheme = NSDYN_SCHEME_MOREAU_JEAN;
  options.theta = theta;
  return options;
}

/* With M and h of the middle and θ = ½ it is Moreau's midpoint rule, to the bit. */
START_TEST(explicit_and_one_half_is_the_midpoint_rule)
{
  nsdyn_stepper_options options[2] = {theta_scheme(0.5), stepper_unchecked()};
  options[0].implicit_rounds = 0;
  expect_the_same(options, random_cases(60), 20);
}
END_TEST

/* ẍ = −ω² x: θ = ½ keeps ½ u² + ½ ω² q² to rounding, θ > ½ loses (θ − ½) (Δu² + ω² Δq²) in each step, however
 * long the step is. */
START_TEST(quadratic_energies_do_what_theta_says)
{
  const double thetas[] = {0.5, 0.55, 0.75, 1.0};
  for (double dt = 1e-3; dt < 1e3; dt *= 10.0) {
    for (size_t i = 0; i < sizeof thetas / sizeof *thetas; i++) {
      const nsdyn_stepper_options options = theta_scheme(thetas[i]);
      model m;
      model_clear(&m, 1);
      m.K[0] = 100.0;
      nsdyn_stepper *s = stepper_of(&m, NSDYN_CONSTANT_MASS, 0, &options);
      double q = 1.0, u = 0.5, before = 0.5 * u * u + 50.0 * q * q;
      const double first = before;
      set_state(s, &q, &u);
      for (int k = 0; k < 50; k++) {
        run(s, dt, 1);
        const double q_E = nsdyn_stepper_q(s)[0], u_E = nsdyn_stepper_u(s)[0];
        const double after = 0.5 * u_E * u_E + 50.0 * q_E * q_E;
        const double lost = (thetas[i] - 0.5) * ((u_E - u) * (u_E - u) + 100.0 * (q_E - q) * (q_E - q));
        REQUIRE(fabs(before - after - lost) <= 1e-10 * first, "theta %g, dt %g, step %d: %g for %g",
                thetas[i], dt, k, before - after, lost);
        q = q_E;
        u = u_E;
        before = after;
      }
      nsdyn_stepper_free(s);
    }
  }
}
END_TEST

/* ω Δt = 10²: a stiff spring, which the explicit rule cannot follow, drives a mass on a soft one. */
START_TEST(stiff_forces_bound_no_step)
{
  const double stiff = 1e8, soft = 1.0, dt = 1e-2;
  for (int is_implicit = 0; is_implicit < 2; is_implicit++) {
    nsdyn_stepper_options options = theta_scheme(0.5);
    options.implicit_rounds = is_implicit ? 30 : 0;
    model m;
    model_clear(&m, 2);
    m.K[0] = stiff + soft;
    m.K[1] = m.K[2] = -stiff;
    m.K[3] = stiff;
    nsdyn_stepper *s = stepper_of(&m, NSDYN_CONSTANT_MASS, 0, &options);
    set_state(s, (double[]){1.0, 1.0}, (double[]){0.0, 0.0});
    nsdyn_status status = NSDYN_OK;
    for (int k = 0; status == NSDYN_OK && k < 300; k++) {
      status = nsdyn_stepper_step(s, dt);
    }
    /* Together they are a mass of 2 on the soft spring. */
    const double mean = 0.5 * (nsdyn_stepper_q(s)[0] + nsdyn_stepper_q(s)[1]), exact = cos(3.0 * sqrt(0.5));
    if (is_implicit) {
      ck_assert_int_eq(status, NSDYN_OK);
      ck_assert_double_eq_tol(mean, exact, 1e-4);
    } else {
      ck_assert(status != NSDYN_OK || !(fabs(mean) < 1e6));
    }
    nsdyn_stepper_free(s);
  }
}
END_TEST

/* A stiff impact oscillator: a mass between a spring of ω Δt = 10² and a stop that stands within its rest
 * position. It comes to lean on the stop with the spring's force, and stays. */
START_TEST(a_stiff_spring_leans_on_its_stop)
{
  const double stiff = 1e8, dt = 1e-2;
  model m;
  model_clear(&m, 1);
  m.K[0] = stiff;
  model_add_contact(&m, -1e-3, 0, -1, 0.0, 0.5); /* q >= 1e-3 */
  const nsdyn_stepper_options options = theta_scheme(0.75);
  nsdyn_stepper *s = stepper_of(&m, NSDYN_CONSTANT_MASS | NSDYN_CONSTANT_DIRECTIONS, 0, &options);
  set_state(s, (double[]){3e-3}, (double[]){0.0});
  run(s, dt, 400);
  const double q = nsdyn_stepper_q(s)[0];
  run(s, dt, 1000);
  ck_assert_double_eq_tol(nsdyn_stepper_q(s)[0], q, 1e-12);
  ck_assert_double_eq_tol(nsdyn_stepper_u(s)[0], 0.0, 1e-9);
  ck_assert_double_eq_tol(state_of(s, 0).force[0], stiff * q, 1e-6 * stiff * q);
  nsdyn_stepper_free(s);
}
END_TEST

static double damped_error(double theta, int steps)
{
  model m;
  model_clear(&m, 1);
  m.K[0] = 4.0;
  m.D[0] = 0.8;
  const nsdyn_stepper_options options = theta_scheme(theta);
  nsdyn_stepper *s = stepper_of(&m, NSDYN_CONSTANT_MASS, 0, &options);
  set_state(s, (double[]){1.0}, (double[]){0.0});
  run(s, 1.0 / steps, steps);
  const double w = sqrt(4.0 - 0.16), q = exp(-0.4) * (cos(w) + 0.4 / w * sin(w)),
               u = -exp(-0.4) * 4.0 / w * sin(w);
  const double error = hypot(nsdyn_stepper_q(s)[0] - q, nsdyn_stepper_u(s)[0] - u);
  nsdyn_stepper_free(s);
  return error;
}

/* M = M₀ + q² M₁: the energy of a free motion is kept, T = ½ M(q) u², so that √(M) q̇ is constant. */
static double varying_error(int steps)
{
  model m;
  model_clear(&m, 1);
  m.M1[0] = 1.0;
  m.s[0] = 1.0;
  /* h = −½ M' u² is what keeps T: q u² of M = 1 + q². The model has none, so that M u̇ = 0 and u stays. */
  const nsdyn_stepper_options options = theta_scheme(0.5);
  nsdyn_stepper *s = stepper_of(&m, 0, 0, &options);
  m.f[0] = 1.0;
  set_state(s, (double[]){0.0}, (double[]){1.0});
  run(s, 1.0 / steps, steps);
  const double q = nsdyn_stepper_q(s)[0];
  /* (1 + q²) u̇ = 1: ½ u² − atan q = ½, u du = dq / (1 + q²). */
  const double error = fabs(0.5 * nsdyn_stepper_u(s)[0] * nsdyn_stepper_u(s)[0] - 0.5 - atan(q));
  nsdyn_stepper_free(s);
  return error;
}

START_TEST(one_half_is_of_second_order_and_more_of_first)
{
  ck_assert_double_eq_tol(damped_error(0.5, 100) / damped_error(0.5, 200), 4.0, 0.1);
  ck_assert_double_eq_tol(damped_error(1.0, 400) / damped_error(1.0, 800), 2.0, 0.05);
  ck_assert_double_eq_tol(varying_error(50) / varying_error(100), 4.0, 0.2);
}
END_TEST

/* An impact's work by the velocities u^θ is (1 − θ (1 + ε)) γ_Nᴬ Λ_N, and
 * T^E − T^A = (1 − θ (1 + ε)) γ_Nᴬ Λ_N − (θ − ½) ‖uᴱ − uᴬ‖²_M: no gain where θ <= 1/(1 + ε). */
START_TEST(impacts_do_the_work_that_theta_says)
{
  const int cases = random_cases(200);
  for (int seed = 0; seed < cases; seed++) {
    random_state random = random_seed((uint64_t)seed);
    const double theta = random_between(&random, 0.5, 1.0), eps = random_between(&random, 0.0, 1.0);
    const int nu = 1 + random_below(&random, 5);
    const nsdyn_stepper_options options = theta_scheme(theta);
    double q[MODEL_MOST], u[MODEL_MOST];
    model m;
    model_random(&m, &random, nu, 1, 0, 0);
    m.s[0] = 0.0;
    memset(m.K, 0, sizeof m.K);
    memset(m.D, 0, sizeof m.D);
    memset(m.M1, 0, sizeof m.M1);
    for (int j = 0; j < nu; j++) {
      q[j] = 0.0;
      m.f[j] = 0.0;
      u[j] = -m.contact[0].n[j] * random_between(&random, 0.5, 1.0);
    }
    m.contact[0].g0 = -1e-3;
    m.contact[0].rate = m.contact[0].belt = m.contact[0].bend = 0.0;
    m.contact[0].law.friction = NSDYN_FRICTION_NONE;
    m.contact[0].law.kind = NSDYN_CONTACT_UNILATERAL;
    m.contact[0].law.eps_n = eps;
    nsdyn_stepper *s = stepper_of(&m, 0, 0, &options);
    set_state(s, q, u);
    run(s, 1e-3, 1);
    const nsdyn_contact_state c = state_of(s, 0);
    const nsdyn_step_energy e = energy_of(s);
    double M[MODEL_MOST * MODEL_MOST] = {0.0}, jump = 0.0;
    model_mass(&m, q, M);
    for (int i = 0; i < nu; i++) {
      for (int j = 0; j < nu; j++) {
        jump += (nsdyn_stepper_u(s)[i] - u[i]) * M[i * nu + j] * (nsdyn_stepper_u(s)[j] - u[j]);
      }
    }
    const double work = (1.0 - theta * (1.0 + eps)) * c.before[0] * c.impulse[0];
    REQUIRE(c.impulse[0] > 0.0, "seed %d: no impact", seed);
    REQUIRE(fabs(e.after - e.before - (work - (theta - 0.5) * jump)) <= 1e-9 * e.before, "seed %d: %g for %g",
            seed, e.after - e.before, work - (theta - 0.5) * jump);
    REQUIRE(e.after <= e.before * (1.0 + 1e-9), "seed %d: a gain", seed);
    nsdyn_stepper_free(s);
  }
}
END_TEST

SUITE("stepper/scheme/moreau_jean", TEST(explicit_and_one_half_is_the_midpoint_rule),
      TEST(quadratic_energies_do_what_theta_says), TEST(stiff_forces_bound_no_step),
      TEST(a_stiff_spring_leans_on_its_stop), TEST(one_half_is_of_second_order_and_more_of_first),
      TEST(impacts_do_the_work_that_theta_says))
