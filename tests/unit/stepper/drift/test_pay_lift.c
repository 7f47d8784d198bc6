/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* What NSDYN_PROJECT_AFTER lifts pays for it with its velocity. */
#include "stepper/drift/pay_lift.h"

#include <math.h>

#include "stepping.h"

enum { SCHEMES = 6 };

static const double gravity = 9.81;

static nsdyn_stepper_options projected_by(int32_t scheme)
{
  nsdyn_stepper_options options = stepper_unchecked();
  options.scheme = scheme;
  options.project = NSDYN_PROJECT_AFTER;
  return options;
}

/* A ball that loses nothing, a hundred bounces: it keeps its height, but for what a step's way is worth, by
 * every scheme. (Lifted for nothing, by Euler's rule it came to four times that.) */
START_TEST(bounces_gain_nothing)
{
  for (int32_t scheme = 0; scheme < SCHEMES; scheme++) {
    for (int seed = 0; seed < 20; seed++) {
      random_state random = random_seed((uint64_t)seed);
      model m;
      const nsdyn_stepper_options options = projected_by(scheme);
      const double height = random_between(&random, 0.5, 1.5), dt = random_between(&random, 2e-3, 1.3e-2);
      model_clear(&m, 1);
      m.f[0] = -gravity;
      model_add_contact(&m, 0.0, 0, -1, 0.0, 1.0);
      nsdyn_stepper *s = stepper_of(&m, 0, 0, &options);
      set_state(s, &height, (double[]){0.0});
      const double begin = gravity * height, step = gravity * sqrt(2.0 * begin) * dt;
      const int steps = (int)(100.0 / dt);
      for (int k = 0; k < steps; k++) {
        run(s, dt, 1);
        const double q = nsdyn_stepper_q(s)[0], u = nsdyn_stepper_u(s)[0], now = 0.5 * u * u + gravity * q;
        REQUIRE(fabs(now - begin) <= 2.0 * step, "scheme %d, seed %d, step %d: %g of %g", scheme, seed, k,
                now, begin);
      }
      nsdyn_stepper_free(s);
    }
  }
}
END_TEST

/* Euler's step of a ball that is g deep after it with −v: it is on the floor then, with the speed that it had
 * there, v² − 2 a d, or at rest. */
START_TEST(a_ball_has_the_speed_that_it_had_on_the_floor)
{
  int rests = 0;
  for (int seed = 0; seed < random_cases(400); seed++) {
    random_state random = random_seed((uint64_t)seed);
    model m;
    const nsdyn_stepper_options options = projected_by(NSDYN_SCHEME_EULER);
    const double a = random_scale(&random, 2.0), mass = random_scale(&random, 3.0);
    const double dt = random_scale(&random, 2.0), before = a * dt * random_between(&random, 0.0, 3.0);
    model_clear(&m, 1);
    m.M0[0] = mass;
    m.f[0] = -mass * a;
    model_add_contact(&m, 0.0, 0, -1, 0.0, 0.5);
    m.known = seed % 2;
    m.contact[0].key = 5;
    nsdyn_stepper *s = stepper_of(&m, 0, seed % 4 > 1 ? MODEL_SOLVES : 0, &options);
    const double v = before + a * dt, depth = random_between(&random, 0.01, 0.99) * v * dt;
    set_state(s, (double[]){v * dt - depth}, (double[]){-before});
    run(s, dt, 1);
    const double left = v * v - 2.0 * a * depth, speed = left > 0.0 ? sqrt(left) : 0.0;
    rests += left <= 0.0;
    REQUIRE(fabs(nsdyn_stepper_q(s)[0]) <= 1e-13 * v * dt && fabs(nsdyn_stepper_u(s)[0] + speed) <= 1e-7 * v,
            "seed %d: %g at %g, not %g", seed, nsdyn_stepper_u(s)[0], nsdyn_stepper_q(s)[0], -speed);
    const nsdyn_step_energy e = energy_of(s);
    const double rest = e.after - (e.before + e.force + e.normal + e.tangent + e.constraint + e.inertia);
    REQUIRE(fabs(rest) <= 1e-14 * mass * v * v, "seed %d: the balance misses %g", seed, rest);
    nsdyn_stepper_free(s);
  }
  ck_assert_msg(is_common(rests, random_cases(400), 20), "%d at rest", rests);
}
END_TEST

/* Bodies that land at several places at once, M full: T changes by the work of forces on the way back. */
START_TEST(what_lands_at_several_places_gains_nothing)
{
  int pays = 0;
  for (int seed = 0; seed < random_cases(1000); seed++) {
    random_state random = random_seed((uint64_t)seed);
    model m;
    const nsdyn_stepper_options options = projected_by(NSDYN_SCHEME_EULER);
    const int nu = 2 + seed % 4, contacts = 1 + seed % nu;
    double q[MODEL_MOST], u[MODEL_MOST];
    model_random(&m, &random, nu, seed % 2 ? contacts : 0, seed % 2 ? 0 : contacts, 0);
    for (int i = 0; i < nu * nu; i++) {
      m.M1[i] = 0.0; /* constant */
    }
    for (int i = 0; i < contacts; i++) {
      m.contact[i].bend = m.contact[i].rate = 0.0;
      m.contact[i].law.friction = NSDYN_FRICTION_NONE;
    }
    for (int j = 0; j < nu; j++) {
      q[j] = random_between(&random, -0.1, 0.1);
      u[j] = random_between(&random, -1.0, 1.0);
    }
    /* Open now, and most of them below the surface after a step. */
    const double dt = 1e-3;
    for (int i = 0; i < contacts; i++) {
      model_contact *c = &m.contact[i];
      c->g0 += 1e-4 - model_gap(c, nu, 0.0, q);
    }
    nsdyn_stepper *s = stepper_of(&m, 0, 0, &options);
    set_state(s, q, u);
    run(s, dt, 1);
    const nsdyn_step_energy e = energy_of(s);
    const double size = fabs(e.before) + fabs(e.after);
    /* Nothing has pressed: what normal impulses did is what was paid, and the projection's work is lost. */
    REQUIRE(e.normal <= 1e-14 * size, "seed %d: %g", seed, e.normal);
    const double gain = e.normal - e.projection;
    const double most = e.projection > 0.0 ? -e.projection : 0.0;
    int rests = 0;
    for (int i = 0; i < contacts; i++) {
      double w[MODEL_MOST], gamma = 0.0;
      model_direction(&m.contact[i], nu, nsdyn_stepper_q(s), w);
      for (int j = 0; j < nu; j++) {
        gamma += w[j] * nsdyn_stepper_u(s)[j];
      }
      rests |= fabs(gamma) <= 1e-12;
    }
    if (!rests) {
      REQUIRE(gain <= most + 1e-13 * size, "seed %d: %g is gained", seed, gain);
      pays += e.normal < 0.0;
    }
    nsdyn_stepper_free(s);
  }
  ck_assert_msg(is_common(pays, random_cases(1000), 20), "%d pay", pays);
}
END_TEST

/* Two balls whose M is told as one matrix: what one of them pays for does not move the other, but by what
 * counts as rounding of gaps, a share of the largest coordinate. */
START_TEST(others_do_not_pay)
{
  for (int32_t scheme = 0; scheme < SCHEMES; scheme++) {
    double other[2] = {0.0, 0.0};
    for (int lands = 0; lands < 2; lands++) {
      model m;
      const nsdyn_stepper_options options = projected_by(scheme);
      model_clear(&m, 2);
      m.f[0] = m.f[1] = -gravity;
      model_add_contact(&m, 0.0, 0, -1, 0.0, 0.7);
      model_add_contact(&m, 0.0, 1, -1, 0.0, 0.3);
      nsdyn_stepper *s = stepper_of(&m, 0, 0, &options);
      set_state(s, (double[]){lands ? 0.0151 : 1.0, 0.01}, (double[]){-2.0, -1.0});
      run(s, 1e-2, 1);
      other[lands] = nsdyn_stepper_u(s)[1];
      nsdyn_stepper_free(s);
    }
    REQUIRE(fabs(other[0] - other[1]) <= 1e-12, "scheme %d: %g", scheme, other[0] - other[1]);
  }
}
END_TEST

SUITE("stepper/drift/pay_lift", TEST(bounces_gain_nothing),
      TEST(a_ball_has_the_speed_that_it_had_on_the_floor), TEST(what_lands_at_several_places_gains_nothing),
      TEST(others_do_not_pay))
