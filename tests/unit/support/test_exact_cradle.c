/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Balls in a row: the impact laws themselves, closed forms for equal balls, momentum, energy, and what Newton
 * said of two. */
#include "support/exact_cradle.h"

#include <math.h>
#include <string.h>

#include "suite.h"

static exact_cradle random_cradle(random_state *r, int equal_eps)
{
  exact_cradle p = {.k = 1 + random_below(r, 8)};
  const long double common = random_unit(r);
  for (int i = 0; i < p.k; i++) {
    p.mass[i] = random_scale(r, 1.0);
    p.eps[i] = equal_eps ? common : random_unit(r);
    p.v[i] = random_between(r, -1.0, 1.0);
  }
  return p;
}

static long double momentum(const exact_cradle *p, const long double *v)
{
  long double sum = 0.0L;
  for (int i = 0; i < p->k; i++) {
    sum += p->mass[i] * v[i];
  }
  return sum;
}

static long double energy(const exact_cradle *p, const long double *v)
{
  long double sum = 0.0L;
  for (int i = 0; i < p->k; i++) {
    sum += p->mass[i] * v[i] * v[i] / 2.0L;
  }
  return sum;
}

/* m_i (v_i⁺ − v_i⁻) = Λ_{i−1} − Λ_i */
static void check_momentum(const exact_cradle *p, const long double *v, const long double *Lambda, int seed)
{
  for (int i = 0; i < p->k; i++) {
    const long double left = i > 0 ? Lambda[i - 1] : 0.0L;
    const long double right = i + 1 < p->k ? Lambda[i] : 0.0L;
    REQUIRE(fabsl(p->mass[i] * (v[i] - p->v[i]) - left + right) < 1e-13L * (1.0L + p->mass[i]), "case %d",
            seed);
  }
}

START_TEST(newton_obeys_its_law)
{
  const int cases = random_cases(3000);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    const exact_cradle p = random_cradle(&r, k % 2);
    long double v[EXACT_BALLS_MOST];
    long double Lambda[EXACT_BALLS_MOST];
    REQUIRE(exact_cradle_newton(&p, v, Lambda), "case %d", k);
    check_momentum(&p, v, Lambda, k);
    for (int i = 0; i + 1 < p.k; i++) {
      const long double xi = v[i + 1] - v[i] + p.eps[i] * (p.v[i + 1] - p.v[i]);
      REQUIRE(Lambda[i] > -1e-12L && xi > -1e-12L && fabsl(Lambda[i] * xi) < 1e-11L, "case %d", k);
    }
    /* one ε for all contacts dissipates (½ (1 − ε)/(1 + ε) ΛᵀGΛ) */
    REQUIRE(k % 2 == 0 || energy(&p, v) <= energy(&p, p.v) + 1e-13L, "case %d", k);
  }
}
END_TEST

START_TEST(poisson_obeys_its_law)
{
  const int cases = random_cases(3000);
  int differ = 0;
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    const exact_cradle p = random_cradle(&r, k % 2);
    exact_cradle inelastic = p;
    long double v[EXACT_BALLS_MOST];
    long double Lambda[EXACT_BALLS_MOST];
    long double stored[EXACT_BALLS_MOST];
    long double middle[EXACT_BALLS_MOST];
    memset(inelastic.eps, 0, sizeof inelastic.eps);
    REQUIRE(exact_cradle_newton(&inelastic, middle, stored), "case %d", k);
    REQUIRE(exact_cradle_poisson(&p, v, Lambda), "case %d", k);
    check_momentum(&p, v, Lambda, k);
    for (int i = 0; i + 1 < p.k; i++) {
      const long double more = Lambda[i] - (1.0L + p.eps[i]) * stored[i];
      const long double gamma = v[i + 1] - v[i];
      REQUIRE(more > -1e-12L && gamma > -1e-12L && fabsl(more * gamma) < 1e-11L, "case %d", k);
    }
    REQUIRE(energy(&p, v) <= energy(&p, p.v) + 1e-13L, "case %d", k);
    long double other[EXACT_BALLS_MOST];
    REQUIRE(exact_cradle_newton(&p, other, stored), "case %d", k);
    for (int i = 0; i < p.k; i++) {
      differ += fabsl(other[i] - v[i]) > 1e-6L;
    }
  }
  ck_assert_int_ge(differ, cases / 4);
}
END_TEST

/* One of k equal balls hits the rest with speed 1 and one ε: v_1 = 1 − (1 + ε)(k − 1)/k, the others (1 +
 * ε)/k, by either law. No cradle of the nursery: simultaneous impacts share. */
START_TEST(equal_balls_have_a_closed_form)
{
  for (int k = 2; k <= EXACT_BALLS_MOST; k++) {
    for (int n = 0; n <= 10; n++) {
      exact_cradle p = {.k = k, .v = {1.0L}};
      const long double eps = (long double)n / 10.0L;
      long double newton[EXACT_BALLS_MOST];
      long double poisson[EXACT_BALLS_MOST];
      long double Lambda[EXACT_BALLS_MOST];
      for (int i = 0; i < k; i++) {
        p.mass[i] = 0.1L;
        p.eps[i] = eps;
      }
      ck_assert_int_eq(exact_cradle_newton(&p, newton, Lambda), 1);
      ck_assert_int_eq(exact_cradle_poisson(&p, poisson, Lambda), 1);
      for (int i = 0; i < k; i++) {
        const long double share = (1.0L + eps) / (long double)k;
        const long double v = i == 0 ? 1.0L - share * (long double)(k - 1) : share;
        ck_assert_ldouble_eq_tol(newton[i], v, 1e-14L);
        ck_assert_ldouble_eq_tol(poisson[i], v, 1e-14L);
      }
    }
  }
}
END_TEST

/* With gaps and ε = 1 equal balls hand on their velocities: sorted in the end, whatever the gaps. */
START_TEST(gaps_sort_equal_elastic_balls)
{
  const int cases = random_cases(1000);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    exact_cradle p = random_cradle(&r, 1);
    long double gap[EXACT_BALLS_MOST];
    long double v[EXACT_BALLS_MOST];
    int inversions = 0;
    for (int i = 0; i < p.k; i++) {
      p.mass[i] = 2.0L;
      p.eps[i] = 1.0L;
      gap[i] = 1e-3L * random_unit(&r);
      for (int j = 0; j < i; j++) {
        inversions += p.v[j] > p.v[i];
      }
    }
    REQUIRE(exact_cradle_collide(&p, gap, 1000, v) == inversions, "case %d", k);
    for (int i = 0; i + 1 < p.k; i++) {
      REQUIRE(v[i] <= v[i + 1], "case %d", k);
    }
    REQUIRE(fabsl(energy(&p, v) - energy(&p, p.v)) < 1e-14L, "case %d", k);
  }
}
END_TEST

/* Any masses and ε: momentum stays, energy does not grow, no ball approaches another; with two balls it is
 * Newton's law. Three equal balls, ε, the first at speed 1, wide gaps: (1 + ε)²/4 goes to the last. */
START_TEST(gaps_obey_newton_pair_by_pair)
{
  const int cases = random_cases(1000);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    exact_cradle p = random_cradle(&r, 0);
    long double gap[EXACT_BALLS_MOST];
    long double v[EXACT_BALLS_MOST];
    p.k = k % 4 == 0 ? 2 : p.k;
    p.mass[1] = 1.0L;
    for (int i = 0; i < p.k; i++) {
      gap[i] = random_unit(&r);
      p.eps[i] = 0.9L + p.eps[i] / 10.0L; /* with much less they may never end */
    }
    const int count = exact_cradle_collide(&p, gap, 10000, v);
    REQUIRE(count >= 0, "case %d", k);
    REQUIRE(fabsl(momentum(&p, v) - momentum(&p, p.v)) < 1e-12L, "case %d", k);
    REQUIRE(energy(&p, v) <= energy(&p, p.v) + 1e-13L, "case %d", k);
    for (int i = 0; i + 1 < p.k; i++) {
      REQUIRE(v[i] <= v[i + 1], "case %d", k);
    }
    if (p.k == 2) {
      long double other[EXACT_BALLS_MOST];
      long double Lambda[EXACT_BALLS_MOST];
      REQUIRE(exact_cradle_newton(&p, other, Lambda), "case %d", k);
      REQUIRE(fabsl(other[0] - v[0]) < 1e-14L && fabsl(other[1] - v[1]) < 1e-14L, "case %d", k);
    }
  }
  exact_cradle three = {.k = 3, .mass = {1.0L, 1.0L, 1.0L}, .eps = {0.9L, 0.9L}, .v = {1.0L}};
  const long double gap[2] = {1e-6L, 1e-6L};
  long double v[EXACT_BALLS_MOST];
  ck_assert_int_eq(exact_cradle_collide(&three, gap, 100, v), 3);
  ck_assert_ldouble_eq_tol(v[2], 0.9025L, 1e-15L);
  ck_assert_int_eq(exact_cradle_collide(&three, gap, 2, v), -1);
}
END_TEST

SUITE("support/exact_cradle", TEST(newton_obeys_its_law), TEST(poisson_obeys_its_law),
      TEST(equal_balls_have_a_closed_form), TEST(gaps_sort_equal_elastic_balls),
      TEST(gaps_obey_newton_pair_by_pair))
