/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Ma's pendulum: the paper's equation 1 itself, its example, and counts over angle, friction and pull. */
#include "support/exact_pendulum.h"

#include <math.h>

#include "suite.h"
#include "support/exact_rod.h"

static exact_pendulum random_pendulum(random_state *r, double most_mu)
{
  return (exact_pendulum){.m = random_scale(r, 1.0),
                          .l = random_scale(r, 0.5),
                          .theta = random_between(r, -1.5, 1.5),
                          .spin = random_below(r, 2) ? random_between(r, -3.0, 3.0) : 0.0,
                          .mu = most_mu * random_unit(r),
                          .F = {random_between(r, -10.0, 10.0), random_between(r, -10.0, 10.0)}};
}

/* eq. 1: λ = (m/4) [·] γ̇ − (1/4) (·) */
START_TEST(answers_satisfy_the_papers_equation)
{
  for (int k = 0; k < random_cases(5000); k++) {
    random_state r = random_seed((uint64_t)k);
    const exact_pendulum p = random_pendulum(&r, 5.0);
    const exact_one one = exact_pendulum_contact(&p);
    const double s = sin(p.theta);
    const double c = cos(p.theta);
    for (int bilateral = 0; bilateral < 2; bilateral++) {
      const exact_answers all = bilateral ? exact_one_bilateral(&one) : exact_one_unilateral(&one, 0);
      for (int i = 0; i < all.count; i++) {
        const double *g = all.answer[i].gamma;
        const double N =
            p.m / 4.0 * ((1.0 + 3.0 * s * s) * g[0] + 3.0 * s * c * g[1]) -
            ((1.0 + 3.0 * s * s) * p.F[1] + 3.0 * s * c * p.F[0] + 4.0 * p.m * p.l * s * p.spin * p.spin) /
                4.0;
        const double T =
            p.m / 4.0 * (3.0 * s * c * g[0] + (1.0 + 3.0 * c * c) * g[1]) -
            ((1.0 + 3.0 * c * c) * p.F[0] + 3.0 * s * c * p.F[1] + 4.0 * p.m * p.l * c * p.spin * p.spin) /
                4.0;
        const double size = 1e-9 * (10.0 + fabs(N) + fabs(T)) * (1.0 + p.m * p.l);
        REQUIRE(fabs(N - all.answer[i].lambda[0]) < size, "λ_N of case %d", k);
        REQUIRE(fabs(T - all.answer[i].lambda[1]) < size, "λ_T of case %d", k);
      }
    }
  }
}
END_TEST

/* θ = π/4, μ = 1, F_x = 0, F_y > 0: lifts off with F_y/m and nothing else, where the LCP has a ray. */
START_TEST(the_papers_example_has_one_solution)
{
  const exact_pendulum p = {.m = 2.0, .l = 0.5, .theta = atan(1.0), .mu = 1.0, .F = {0.0, 3.0}};
  const exact_one one = exact_pendulum_contact(&p);
  const exact_answers all = exact_one_unilateral(&one, 0);
  ck_assert_int_eq(all.count, 1);
  ck_assert_int_eq(all.continuum, 0);
  ck_assert_int_eq(all.answer[0].mode, EXACT_OPEN);
  ck_assert_double_eq_tol(all.answer[0].gamma[0], 1.5, 1e-14);
  ck_assert_double_eq_tol(all.answer[0].gamma[1], 0.0, 1e-14);
  ck_assert_int_eq(exact_pendulum_count(&p), 1);
}
END_TEST

START_TEST(counts_agree_and_three_needs_the_paradox)
{
  const int cases = random_cases(40000);
  int three = 0;
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    const exact_pendulum p = random_pendulum(&r, 4.0);
    const exact_one one = exact_pendulum_contact(&p);
    const int count = exact_pendulum_count(&p);
    double least;
    double most;
    REQUIRE(count == exact_one_unilateral(&one, 0).count, "case %d", k);
    REQUIRE(count == 1 || count == 3, "case %d", k);
    if (count == 3) {
      three++;
      REQUIRE(exact_rod_paradox(p.mu, &least, &most), "case %d", k);
      REQUIRE(fabs(p.theta) > least && fabs(p.theta) < most && one.c[0] > 0.0, "case %d", k);
    }
  }
  ck_assert_int_ge(three, cases / 200);
}
END_TEST

/* Three by hand: θ with tan θ = 2, μ = 2 > 4/3, pulled up gently and against the slope of the paradox: it may
 * lift off, slide pressed against the table, or jam. */
START_TEST(three_solutions_by_hand)
{
  exact_pendulum p = {.m = 1.0, .l = 1.0, .theta = atan(2.0), .mu = 2.0, .F = {-1.0, 0.1}};
  exact_one one = exact_pendulum_contact(&p);
  /* G = [1.6, −1.2; −1.2, 3.4], c = (0.1, −1), p_− = 1.6 − 2.4 = −0.8 */
  ck_assert_double_eq_tol(one.G[0][0], 1.6, 1e-14);
  ck_assert_double_eq_tol(one.G[0][1], -1.2, 1e-14);
  ck_assert_double_eq_tol(one.G[1][1], 3.4, 1e-14);
  ck_assert_double_eq_tol(one.c[0], 0.1, 1e-14);
  ck_assert_double_eq_tol(one.c[1], -1.0, 1e-14);
  const exact_answers all = exact_one_unilateral(&one, 0);
  ck_assert_int_eq(all.count, 3);
  int modes = 0;
  for (int i = 0; i < 3; i++) {
    modes |= 1 << all.answer[i].mode;
    if (all.answer[i].mode == EXACT_MINUS) {
      ck_assert_double_eq_tol(all.answer[i].lambda[0], 0.125, 1e-14);
      ck_assert_double_eq_tol(all.answer[i].gamma[1], -1.0 - 0.15 + 0.85, 1e-14);
    }
    if (all.answer[i].mode == EXACT_STICK) {
      /* λ = −Q = −(m/4) [3.4, 1.2; 1.2, 1.6] c = (0.215, 0.37) */
      ck_assert_double_eq_tol(all.answer[i].lambda[0], 0.215, 1e-14);
      ck_assert_double_eq_tol(all.answer[i].lambda[1], 0.37, 1e-14);
    }
  }
  ck_assert_int_eq(modes, 1 << EXACT_OPEN | 1 << EXACT_STICK | 1 << EXACT_MINUS);
  /* less friction than four thirds: one */
  p.mu = 1.3;
  one = exact_pendulum_contact(&p);
  ck_assert_int_eq(exact_one_unilateral(&one, 0).count, 1);
}
END_TEST

SUITE("support/exact_pendulum", TEST(answers_satisfy_the_papers_equation),
      TEST(the_papers_example_has_one_solution), TEST(counts_agree_and_three_needs_the_paradox),
      TEST(three_solutions_by_hand))
