/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>
#include <string.h>

#include "stepping.h"

static nsdyn_stepper_options of(int32_t scheme, int32_t impact)
{
  nsdyn_stepper_options options = stepper_unchecked();
  options.scheme = scheme;
  options.impact = impact;
  options.inelastic = 1;
  return options;
}

/* All at the beginning, and Poisson's law whatever the option `impact` says: semi-implicit Euler under that
 * law, to the bit. */
START_TEST(it_is_euler_under_poissons_law)
{
  const nsdyn_stepper_options options[2] = {of(NSDYN_SCHEME_ANITESCU_POTRA, NSDYN_IMPACT_NEWTON),
                                            of(NSDYN_SCHEME_EULER, NSDYN_IMPACT_POISSON)};
  expect_the_same(options, random_cases(80), 10);
}
END_TEST

/* Bilateral rows stand in the same problem: W_B(qᴬ) uᴱ + ŵ = 0 at the end of each step, beside contacts. */
START_TEST(constraints_hold_with_the_contacts)
{
  const int cases = random_cases(100);
  for (int seed = 0; seed < cases; seed++) {
    random_state random = random_seed((uint64_t)seed);
    const nsdyn_stepper_options options = of(NSDYN_SCHEME_ANITESCU_POTRA, NSDYN_IMPACT_NEWTON);
    model m;
    nsdyn_stepper *s = random_stepper(&m, &random, 4, 1, 0, 1, &options);
    for (int k = 0; k < 5; k++) {
      double q[MODEL_MOST], w[MODEL_MOST];
      memcpy(q, nsdyn_stepper_q(s), sizeof(double) * 4);
      run(s, 1e-2, 1);
      model_direction(&m.constraint[0], 4, q, w);
      double speed = m.constraint[0].rate, size = fabs(speed);
      for (int j = 0; j < 4; j++) {
        speed += w[j] * nsdyn_stepper_u(s)[j];
        size += fabs(w[j] * nsdyn_stepper_u(s)[j]);
      }
      REQUIRE(fabs(speed) <= 1e-8 * (1.0 + size), "seed %d, step %d: %g of %g", seed, k, speed, size);
    }
    nsdyn_stepper_free(s);
  }
}
END_TEST

/* A blow without a contact that rests: 0 <= γ_N ⊥ Λ_N >= 0 has no restitution, decompression gives it. */
START_TEST(decompression_gives_back)
{
  const nsdyn_stepper_options options = of(NSDYN_SCHEME_ANITESCU_POTRA, NSDYN_IMPACT_NEWTON);
  for (double eps = 0.0; eps <= 1.0; eps += 0.25) {
    model m;
    model_clear(&m, 1);
    m.M0[0] = 3.0;
    model_add_contact(&m, 0.0, 0, -1, 0.0, eps);
    nsdyn_stepper *s = stepper_of(&m, 0, 0, &options);
    set_state(s, (double[]){0.0}, (double[]){-2.0});
    run(s, 1e-2, 1);
    ck_assert_double_eq_tol(nsdyn_stepper_u(s)[0], 2.0 * eps, 1e-15);
    ck_assert_double_eq_tol(state_of(s, 0).impulse[0], 3.0 * 2.0 * (1.0 + eps), 1e-14);
    nsdyn_stepper_free(s);
  }
}
END_TEST

SUITE("stepper/scheme/anitescu_potra", TEST(it_is_euler_under_poissons_law),
      TEST(constraints_hold_with_the_contacts), TEST(decompression_gives_back))
