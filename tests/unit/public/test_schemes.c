/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* What users are promised of every scheme, by public calls alone: a scheme with a number takes part. */
#include "stepping.h"
#include "support/machines.h"

/* Whether there is a scheme of this number. */
static int has_scheme(int32_t id)
{
  model m;
  nsdyn_system *sys;
  nsdyn_stepper *s;
  nsdyn_stepper_options options = stepper_defaults();
  options.scheme = id;
  model_clear(&m, 1);
  ck_assert_int_eq(model_system(&m, NULL, 0, 0, &sys), NSDYN_OK);
  const nsdyn_status status = nsdyn_stepper_new(NULL, sys, &options, &s, NULL);
  nsdyn_stepper_free(s);
  nsdyn_system_free(sys);
  ck_assert(status == NSDYN_OK || status == NSDYN_ERR_ARGUMENT);
  return status == NSDYN_OK;
}

/* Calls `fact` for each scheme there is. */
static void for_all(void (*fact)(int32_t scheme))
{
  int32_t count = 0;
  for (; has_scheme(count); count++) {
    fact(count);
  }
  ck_assert_int_ge(count, NSDYN_SCHEME_ANITESCU_POTRA + 1);
}

static nsdyn_stepper_options options_of(int32_t scheme, int32_t impact)
{
  nsdyn_stepper_options options = stepper_defaults();
  options.scheme = scheme;
  options.impact = impact;
  return options;
}

/* ---- the threshold of Poisson's law ---- */

/* A ball that comes with −v on the floor while a weight pulls it down by w in each step: it leaves with ε v
 * under Newton's law always, under Poisson's where v > v_ε = 2 w, and stays where v < 2 w. */
static void threshold_is_two_steps_of_forces(int32_t scheme)
{
  const int cases = random_cases(200);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    const double eps = random_between(&r, 0.1, 1.0), v = random_scale(&r, 3.0), dt = random_scale(&r, 3.0);
    const double above = k % 2 ? random_between(&r, 1.0001, 10.0) : random_between(&r, 0.01, 0.9999);
    model m;
    model_clear(&m, 1);
    m.M0[0] = random_scale(&r, 6.0);
    m.f[0] = -0.5 * m.M0[0] * v / (above * dt); /* w = v / (2 above) */
    model_add_contact(&m, 0.0, 0, -1, 0.0, eps);
    for (int32_t law = NSDYN_IMPACT_NEWTON; law <= NSDYN_IMPACT_POISSON; law++) {
      const nsdyn_stepper_options options = options_of(scheme, law);
      nsdyn_stepper *s = stepper_of(&m, MACHINE_FLAGS, 0, &options);
      set_state(s, (double[]){0.0}, (double[]){-v});
      run(s, dt, 1);
      const int is_newton = law == NSDYN_IMPACT_NEWTON && scheme != NSDYN_SCHEME_ANITESCU_POTRA;
      const double after = is_newton || above > 1.0 ? eps * v : 0.0;
      /* A few roundings of the impulse, which is (1 + ε) v and the weight of a step, at most 50 v. */
      REQUIRE(fabs(nsdyn_stepper_u(s)[0] - after) <= 1e-13 * v, "scheme %d, law %d, case %d: %g, not %g",
              scheme, law, k, nsdyn_stepper_u(s)[0], after);
      nsdyn_stepper_free(s);
    }
  }
}

START_TEST(what_two_steps_of_forces_make_is_no_collision)
{
  for_all(threshold_is_two_steps_of_forces);
}
END_TEST

SUITE("public/schemes", TEST(what_two_steps_of_forces_make_is_no_collision))
