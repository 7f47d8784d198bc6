/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>
#include <string.h>

#include "stepper/object.h"
#include "stepping.h"

/* A particle in a wedge whose walls rise at the angle α on either side, tan α = 1 < μ: self-locking. */
static void make_wedge(model *m, double mu, double eps_n)
{
  const double half = sqrt(0.5);
  model_clear(m, 2);
  for (int i = 0; i < 2; i++) {
    model_contact *c = model_add_contact(m, 0.0, 0, 0, mu, eps_n);
    c->n[0] = i ? -half : half;
    c->n[1] = half;
    c->tangent[0] = half;
    c->tangent[1] = i ? half : -half;
  }
}

/* Newton's law with ε_N > 0 and ε_T = 0 has no solution there; without restitution it has. */
START_TEST(newtons_law_may_have_no_solution)
{
  model m;
  make_wedge(&m, 2.0, 0.5);
  nsdyn_stepper_options options = stepper_defaults();
  nsdyn_stepper *s = stepper_of(&m, 0, 0, NULL);
  const double q[2] = {0.0, 0.0}, u[2] = {0.0, -1.0};
  set_state(s, q, u);
  ck_assert_int_eq(nsdyn_stepper_impact(s), NSDYN_NO_SOLUTION);
  ck_assert_msg(strstr(nsdyn_stepper_message(s), "contact problem of 2 contacts") != NULL, "%s",
                nsdyn_stepper_message(s));
  ck_assert(nsdyn_stepper_u(s)[1] == -1.0 && report_of(s).status == NSDYN_NO_SOLUTION);
  ck_assert_int_eq(nsdyn_stepper_active(s), 2);
  ck_assert(state_of(s, 0).active == 1 && state_of(s, 0).impulse[0] == 0.0);
  options.inelastic = 1;
  ck_assert_int_eq(nsdyn_stepper_set_options(s, &options), NSDYN_OK);
  ck_assert_int_eq(nsdyn_stepper_impact(s), NSDYN_OK);
  ck_assert(report_of(s).inelastic == 1 && report_of(s).rounds == 2);
  ck_assert_double_eq_tol(nsdyn_stepper_u(s)[0], 0.0, 1e-15);
  ck_assert_double_eq_tol(nsdyn_stepper_u(s)[1], 0.0, 1e-15);
  nsdyn_stepper_free(s);
}
END_TEST

/* A ball that approaches more slowly than the threshold does not rebound. */
START_TEST(slow_approaches_end)
{
  model m;
  model_clear(&m, 1);
  model_add_contact(&m, 0.0, 0, -1, 0.0, 0.5);
  nsdyn_stepper_options options = stepper_defaults();
  options.threshold = 0.1;
  nsdyn_stepper *s = stepper_of(&m, 0, 0, &options);
  const double speeds[] = {-0.2, -0.1, -0.0999}, after[] = {0.1, 0.05, 0.0};
  for (int i = 0; i < 3; i++) {
    set_state(s, (double[]){0.0}, &speeds[i]);
    ck_assert_int_eq(nsdyn_stepper_impact(s), NSDYN_OK);
    ck_assert_double_eq_tol(nsdyn_stepper_u(s)[0], after[i], 1e-16);
  }
  nsdyn_stepper_free(s);
}
END_TEST

/* A contact that opens already would be slowed down, even turned, by Newton's law under a force; not with
 * `clip`. */
START_TEST(clipped_restitution_counts_approach_only)
{
  for (int clip = 0; clip < 2; clip++) {
    model m;
    model_clear(&m, 1);
    model_add_contact(&m, -1.0, 0, -1, 0.0, 0.5);
    m.f[0] = -20.0;
    nsdyn_stepper_options options = stepper_defaults();
    options.clip = clip;
    nsdyn_stepper *s = stepper_of(&m, 0, 0, &options);
    set_state(s, (double[]){0.0}, (double[]){1.0});
    run(s, 0.1, 1); /* alone, h takes u to −1 */
    ck_assert_double_eq_tol(nsdyn_stepper_u(s)[0], (clip ? 0.0 : -0.5), 1e-15);
    nsdyn_stepper_free(s);
  }
}
END_TEST

/* ε_T turns a sticking contact's tangential velocity. */
START_TEST(tangential_restitution_turns)
{
  model m;
  make_block(&m, 0.0, 0.0, 10.0);
  m.contact[0].law.eps_t = 0.25;
  nsdyn_stepper *s = stepper_of(&m, 0, 0, NULL);
  set_state(s, (double[]){0.0, 0.0}, (double[]){1.0, -1.0});
  ck_assert_int_eq(nsdyn_stepper_impact(s), NSDYN_OK);
  ck_assert_double_eq_tol(nsdyn_stepper_u(s)[0], -0.25, 1e-15);
  ck_assert_double_eq_tol(nsdyn_stepper_u(s)[1], 0.0, 1e-15);
  nsdyn_stepper_free(s);
}
END_TEST

/* A slot guides a particle: Λ_N of either sign, friction against the motion. */
START_TEST(slots_guide_both_ways)
{
  for (int sign = -1; sign <= 1; sign += 2) {
    model m;
    make_block(&m, 0.0, 4.0 * sign, 0.5);
    m.contact[0].law.kind = NSDYN_CONTACT_BILATERAL;
    nsdyn_stepper *s = stepper_of(&m, 0, 0, NULL);
    set_state(s, (double[]){0.0, 0.0}, (double[]){1.0, 0.0});
    run(s, 0.1, 3);
    const nsdyn_contact_state c = state_of(s, 0);
    ck_assert_double_eq_tol(c.impulse[0], -0.4 * sign, 1e-15);
    ck_assert_double_eq_tol(nsdyn_stepper_u(s)[0], 1.0 - 3 * 0.1 * 0.5 * 4.0 / 2.0, 1e-15);
    ck_assert_double_eq_tol(nsdyn_stepper_q(s)[1], 0.0, 1e-16);
    nsdyn_stepper_free(s);
  }
}
END_TEST

/* Warm starts by contact: one that closes beside another keeps that one's mode. */
START_TEST(modes_follow_their_contact)
{
  model m;
  model_clear(&m, 3);
  m.f[2] = -1.0;
  model_add_contact(&m, 0.4, 1, -1, 0.0, 0.0); /* closes in the third step */
  model_add_contact(&m, 0.0, 2, 0, 0.5, 0.0);
  nsdyn_stepper *s = stepper_of(&m, 0, 0, NULL);
  set_state(s, (double[]){0.0, 0.0, 0.0}, (double[]){9.0, -1.0, 0.0});
  run(s, 0.2, 2);
  ck_assert(report_of(s).active == 1 && report_of(s).warm == 1);
  run(s, 0.2, 1);
  ck_assert(report_of(s).active == 2);
  ck_assert_int_eq(state_of(s, 0).mode, NSDYN_MODE_STICK);
  ck_assert_int_eq(state_of(s, 1).mode, NSDYN_MODE_SLIP_PLUS);
  run(s, 0.2, 1);
  ck_assert(report_of(s).active == 2 && report_of(s).warm == 1);
  nsdyn_stepper_free(s);
}
END_TEST

/* Balls that touch in a row between two walls: gaps sum up to zero, and so do velocities, Σ γ = 0. With
 * different ε Newton's law asks for Σ ε γ⁻ >= 0 and often has no solution, which rounding of masses leaves
 * undecided. Without restitution all stop. */
START_TEST(wedged_balls_stop_without_restitution)
{
  int inelastic = 0;
  for (int seed = 0; seed < 400; seed++) {
    random_state random = random_seed((uint64_t)seed);
    const int n = 2 + random_below(&random, 5);
    double q[8] = {0.0}, u[8];
    model m;
    model_clear(&m, n);
    for (int k = 0; k <= n; k++) {
      model_contact *c = model_add_contact(&m, 0.0, 0, -1, 0.0, random_between(&random, 0.0, 1.0));
      memset(c->n, 0, sizeof c->n);
      if (k < n) {
        c->n[k] = 1.0;
        m.M0[k * n + k] = random_between(&random, 0.3, 3.0);
        u[k] = random_between(&random, -1.0, 1.0);
      }
      if (k > 0) {
        c->n[k - 1] = -1.0;
      }
    }
    nsdyn_stepper_options options = stepper_defaults();
    options.inelastic = 1;
    nsdyn_stepper *s = stepper_of(&m, 0, 0, &options);
    set_state(s, q, u);
    REQUIRE(nsdyn_stepper_impact(s) == NSDYN_OK, "seed %d: %s", seed, nsdyn_stepper_message(s));
    inelastic += report_of(s).inelastic;
    for (int j = 0; j < n && report_of(s).inelastic; j++) {
      ck_assert_double_le(fabs(nsdyn_stepper_u(s)[j]), 1e-8);
    }
    nsdyn_stepper_free(s);
  }
  ck_assert_int_ge(inelastic, 50);
}
END_TEST

SUITE("stepper/scheme/impulses", TEST(newtons_law_may_have_no_solution), TEST(slow_approaches_end),
      TEST(clipped_restitution_counts_approach_only), TEST(tangential_restitution_turns),
      TEST(slots_guide_both_ways), TEST(modes_follow_their_contact),
      TEST(wedged_balls_stop_without_restitution))
