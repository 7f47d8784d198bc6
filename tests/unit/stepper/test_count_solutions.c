/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "stepper/count_solutions.h"

#include <math.h>

#include "stepping.h"

static nsdyn_stepper *counting(model *m)
{
  nsdyn_stepper_options options = stepper_defaults();
  options.count = 1;
  return stepper_of(m, 0, 0, &options);
}

START_TEST(a_block_has_one_motion)
{
  model m;
  make_block(&m, 5.0, -19.62, 0.3);
  nsdyn_stepper *s = counting(&m);
  run(s, 0.01, 1);
  nsdyn_step_report r = report_of(s);
  ck_assert(r.solutions == 1 && r.motions == 1);
  m.contact[0].g0 = 9.0; /* no contact: what M and h say */
  run(s, 0.01, 1);
  r = report_of(s);
  ck_assert(r.solutions == 1 && r.motions == 1);
  ck_assert_int_eq(nsdyn_stepper_set_options(s, NULL), NSDYN_OK);
  run(s, 0.01, 1);
  r = report_of(s);
  ck_assert(r.solutions == -2 && r.motions == -2);
  nsdyn_stepper_free(s);
}
END_TEST

/* Two contacts at one place share the weight in infinitely many ways; the block moves in one. */
START_TEST(redundant_contacts_share_in_many_ways)
{
  model m;
  make_block(&m, 0.0, -19.62, 0.0);
  model_add_contact(&m, 0.0, 1, -1, 0.0, 0.0);
  m.contact[0].law.friction = NSDYN_FRICTION_NONE;
  nsdyn_stepper *s = counting(&m);
  run(s, 0.01, 1);
  const nsdyn_step_report r = report_of(s);
  ck_assert(r.solutions == -1 && r.motions == 1);
  nsdyn_stepper_free(s);
}
END_TEST

/* A particle hits both walls of a wedge, and stops: one motion. */
START_TEST(impacts_are_counted_too)
{
  const double half = sqrt(0.5);
  model m;
  model_clear(&m, 2);
  for (int i = 0; i < 2; i++) {
    model_contact *c = model_add_contact(&m, 0.0, 0, 0, 0.5, 0.0);
    c->n[0] = i ? -half : half;
    c->n[1] = half;
    c->tangent[0] = half;
    c->tangent[1] = i ? half : -half;
  }
  nsdyn_stepper *s = counting(&m);
  set_state(s, (double[]){0.0, 0.0}, (double[]){0.0, -1.0});
  ck_assert_int_eq(nsdyn_stepper_impact(s), NSDYN_OK);
  const nsdyn_step_report r = report_of(s);
  ck_assert_int_eq((int)r.motions, 1);
  ck_assert(r.solutions == -1 || r.solutions >= 1);
  ck_assert_double_eq_tol(nsdyn_stepper_u(s)[1], 0.0, 1e-15);
  nsdyn_stepper_free(s);
}
END_TEST

/* Friction so steep that an impact may end in flight, in a slide or at rest (doc/samples/contact_all.c). */
START_TEST(motions_that_differ_are_counted)
{
  model m;
  const double determinant = 1.0 - 0.9 * 0.9; /* G = [1, 0.9; 0.9, 1] and M its inverse */
  make_block(&m, 0.0, 0.0, 2.0);
  m.M0[0] = m.M0[3] = 1.0 / determinant;
  m.M0[1] = m.M0[2] = -0.9 / determinant;
  nsdyn_stepper *s = counting(&m);
  set_state(s, (double[]){0.0, 0.0}, (double[]){2.0, 1.0}); /* γ_T, γ_N */
  ck_assert_int_eq(nsdyn_stepper_impact(s), NSDYN_OK);
  const nsdyn_step_report r = report_of(s);
  ck_assert(r.solutions == 3 && r.motions == 3);
  nsdyn_stepper_free(s);
}
END_TEST

/* Counting changes nothing else. */
START_TEST(counted_steps_have_the_same_bits)
{
  for (int seed = 0; seed < random_cases(50); seed++) {
    model m, n;
    nsdyn_stepper_options options = stepper_defaults();
    random_state a = random_seed((uint64_t)seed), b = a;
    const int nu = 2 + seed % 6;
    options.count = 1;
    nsdyn_stepper *s = random_stepper(&m, &a, nu, 2, 1, 0, NULL),
                  *t = random_stepper(&n, &b, nu, 2, 1, 0, &options);
    for (int k = 0; k < 10; k++) {
      run(s, 1e-2, 1);
      run(t, 1e-2, 1);
      for (int j = 0; j < nu; j++) {
        REQUIRE(nsdyn_stepper_u(s)[j] == nsdyn_stepper_u(t)[j], "seed %d", seed);
      }
      const int64_t motions = report_of(t).motions;
      REQUIRE(motions != 0, "seed %d: a step without a solution", seed);
    }
    nsdyn_stepper_free(s);
    nsdyn_stepper_free(t);
  }
}
END_TEST

SUITE("stepper/count_solutions", TEST(a_block_has_one_motion), TEST(redundant_contacts_share_in_many_ways),
      TEST(impacts_are_counted_too), TEST(motions_that_differ_are_counted),
      TEST(counted_steps_have_the_same_bits))
