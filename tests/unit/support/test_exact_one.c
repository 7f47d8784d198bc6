/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* One contact: every answer obeys the laws, none is missing, and theory's counts hold. */
#include "support/exact_one.h"

#include <math.h>

#include "suite.h"

static exact_one random_one(random_state *r, double most_mu)
{
  const double a = random_scale(r, 2.0);
  const double b = random_scale(r, 2.0);
  const double cross = 0.99 * random_between(r, -1.0, 1.0) * sqrt(a * b);
  return (exact_one){.G = {{a, cross}, {cross, b}},
                     .c = {random_between(r, -1.0, 1.0), random_between(r, -1.0, 1.0)},
                     .mu = most_mu * random_unit(r)};
}

static void check_answer(const exact_one *p, const exact_answer *a, int bilateral, int slip, int seed)
{
  const double N = a->lambda[0];
  const double T = a->lambda[1];
  const double tiny_force = 1e-9 * (hypot(p->c[0], p->c[1]) / fmin(p->G[0][0], p->G[1][1]) + fabs(N));
  const double tiny_speed = 1e-9 * (hypot(p->c[0], p->c[1]) + fabs(p->G[0][0] * N) + fabs(p->G[1][1] * T));
  for (int i = 0; i < 2; i++) {
    const double gamma = p->c[i] + p->G[i][0] * N + p->G[i][1] * T;
    REQUIRE(fabs(gamma - a->gamma[i]) <= tiny_speed, "case %d", seed);
  }
  REQUIRE(bilateral || N >= -tiny_force, "case %d", seed);
  REQUIRE(a->gamma[0] >= -tiny_speed && (!bilateral || a->gamma[0] <= tiny_speed), "case %d", seed);
  REQUIRE(fabs(N * a->gamma[0]) <= tiny_speed * fabs(N) + tiny_force * fabs(a->gamma[0]), "case %d", seed);
  REQUIRE(fabs(T) <= p->mu * fabs(N) + tiny_force, "case %d", seed);
  if (slip != 0) {
    REQUIRE(fabs(T + slip * p->mu * N) <= tiny_force, "case %d", seed);
  } else {
    const int slides = fabs(a->gamma[1]) > tiny_speed;
    const double sign = a->gamma[1] > 0.0 ? 1.0 : -1.0;
    REQUIRE(!slides || fabs(T + sign * p->mu * fabs(N)) <= tiny_force, "case %d", seed);
  }
}

/* With T = r N, |r| <= μ: N(r) = −c_N/(G_NN + r G_NT) keeps γ̇_N = 0, and γ̇_T(r) is c_T + (G_TN + r G_TT)
 * N(r). A root within is stick, an end with the right sign is slip. det·r-linear numerator: at most one root.
 */
static int count_by_ratio(const exact_one *p, int bilateral)
{
  int count = !bilateral && p->c[0] > 0.0;
  for (int side = -1; side <= 1; side++) {
    double r = side * p->mu;
    if (side == 0) {
      /* c_T (G_NN + r G_NT) = c_N (G_TN + r G_TT) */
      r = (p->c[0] * p->G[1][0] - p->c[1] * p->G[0][0]) / (p->c[1] * p->G[0][1] - p->c[0] * p->G[1][1]);
      if (!(fabs(r) < p->mu)) {
        continue;
      }
    }
    const double N = -p->c[0] / (p->G[0][0] + r * p->G[0][1]);
    const double slide = p->c[1] + (p->G[1][0] + r * p->G[1][1]) * N;
    const double against = side * (N > 0.0 ? 1.0 : -1.0); /* T = r N points this way */
    count += (bilateral || N > 0.0) && (side == 0 || slide * against < 0.0);
  }
  return count;
}

/* Degree theory: odd at rest with G positive definite, and one where p+ and p− are positive. */
START_TEST(no_answer_is_wrong_and_none_is_missing)
{
  const int cases = random_cases(20000);
  int several[2] = {0, 0};
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    const exact_one p = random_one(&r, k % 2 ? 5.0 : 0.5);
    for (int bilateral = 0; bilateral < 2; bilateral++) {
      const exact_answers all = bilateral ? exact_one_bilateral(&p) : exact_one_unilateral(&p, 0);
      REQUIRE(all.count % 2 == 1 && !all.continuum, "%d of case %d", all.count, k);
      REQUIRE(all.count == count_by_ratio(&p, bilateral), "%d of case %d", all.count, k);
      REQUIRE(all.count == 1 || exact_one_p(&p, 1) < 0.0 || exact_one_p(&p, -1) < 0.0, "case %d", k);
      several[bilateral] += all.count > 1;
      for (int i = 0; i < all.count; i++) {
        check_answer(&p, &all.answer[i], bilateral, 0, k);
      }
    }
  }
  ck_assert_int_ge(several[0], cases / 500);
  ck_assert_int_ge(several[1], cases / 100);
}
END_TEST

START_TEST(the_other_enumeration_says_the_same)
{
  const int cases = random_cases(4000);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    const exact_one p = random_one(&r, 3.0);
    exact_contacts q = {.k = 1,
                        .mu = {p.mu},
                        .G = {{p.G[0][0], p.G[0][1]}, {p.G[1][0], p.G[1][1]}},
                        .c = {{p.c[0]}, {p.c[1]}}};
    exact_mode mode;
    long double Lambda[2];
    const exact_answers all = exact_one_unilateral(&p, 0);
    REQUIRE(exact_modes_impact(&q, 1e-13L, &mode, Lambda) == all.count, "case %d", k);
    int met = 0;
    for (int i = 0; i < all.count; i++) {
      met += mode == all.answer[i].mode &&
             fabs((double)Lambda[0] - all.answer[i].lambda[0]) <= 1e-9 * (double)Lambda[0];
    }
    REQUIRE(met == 1, "case %d", k);
  }
}
END_TEST

/* Sliding: p and b decide. One, one, none, two. */
START_TEST(painleve_counts)
{
  const int cases = random_cases(4000);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    const exact_one p = random_one(&r, 5.0);
    for (int s = -1; s <= 1; s += 2) {
      const exact_answers all = exact_one_unilateral(&p, s);
      const int lifts = p.c[0] > 0.0;
      const int expected = exact_one_p(&p, s) > 0.0 ? 1 : lifts ? 2 : 0;
      REQUIRE(all.count == expected && !all.continuum, "case %d: %d", k, all.count);
      for (int i = 0; i < all.count; i++) {
        check_answer(&p, &all.answer[i], 0, s, k);
      }
    }
  }
}
END_TEST

START_TEST(edges)
{
  /* nothing pushes: rest without force, one solution */
  exact_one p = {.G = {{1.0, 0.2}, {0.2, 2.0}}, .c = {0.0, 0.0}, .mu = 0.5};
  exact_answers all = exact_one_unilateral(&p, 0);
  ck_assert_int_eq(all.count, 1);
  ck_assert_int_eq(all.continuum, 0);
  /* on the limit of friction stick and slip are one */
  p.c[0] = -1.0;
  p.mu = 0.25;
  p.c[1] = -(p.G[1][0] - p.mu * p.G[1][1]) / (p.G[0][0] - p.mu * p.G[0][1]);
  all = exact_one_unilateral(&p, 0);
  ck_assert_int_eq(all.count, 1);
  ck_assert_double_eq_tol(all.answer[0].lambda[1], -0.25 * all.answer[0].lambda[0], 1e-15);
  /* p = b = 0: any normal force while it slides; at rest, until it would turn the slip round */
  p = (exact_one){.G = {{1.0, 2.0}, {2.0, 8.0}}, .c = {0.0, 1.0}, .mu = 0.5};
  ck_assert_int_eq(exact_one_unilateral(&p, 1).continuum, 1);
  ck_assert_int_eq(exact_one_unilateral(&p, -1).continuum, 0);
  ck_assert_int_eq(exact_one_unilateral(&p, 0).continuum, 1);
  p.c[1] = -1.0;
  ck_assert_int_eq(exact_one_unilateral(&p, 0).continuum, 0);
  /* no friction */
  p = (exact_one){.G = {{1.0, 0.5}, {0.5, 1.0}}, .c = {-1.0, 0.3}};
  all = exact_one_unilateral(&p, 0);
  ck_assert_int_eq(all.count, 1);
  ck_assert_double_eq(all.answer[0].lambda[1], 0.0);
  ck_assert_double_eq(all.answer[0].lambda[0], 1.0);
}
END_TEST

SUITE("support/exact_one", TEST(no_answer_is_wrong_and_none_is_missing),
      TEST(the_other_enumeration_says_the_same), TEST(painleve_counts), TEST(edges))
