/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Contacts mode by mode: one contact in closed form, two by the laws themselves and by a parity that theory
 * knows. */
#include "support/exact_modes.h"

#include <math.h>

#include "suite.h"

/* One contact: separation, stick, or slip, by hand. */
START_TEST(one_contact_is_known_in_closed_form)
{
  const int cases = random_cases(4000);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    const long double cross = random_between(&r, -0.5, 0.5);
    exact_contacts p = {.k = 1, .mu = {random_between(&r, 0.0, 1.0)}, .G = {{1.0L, cross}, {cross, 1.5L}}};
    p.c[0][0] = random_between(&r, -1.0, 0.3);
    p.c[1][0] = random_between(&r, -1.0, 1.0);
    exact_mode mode;
    long double Lambda[2];
    REQUIRE(exact_modes_impact(&p, 1e-12L, &mode, Lambda) == 1, "case %d", k);
    /* stick */
    const long double det = p.G[0][0] * p.G[1][1] - cross * cross;
    long double N = (-p.c[0][0] * p.G[1][1] + cross * p.c[1][0]) / det;
    long double T = (-p.c[1][0] * p.G[0][0] + cross * p.c[0][0]) / det;
    if (p.c[0][0] >= 0.0L) {
      N = T = 0.0L;
      ck_assert_int_eq(mode, EXACT_OPEN);
    } else if (fabsl(T) > p.mu[0] * N) {
      /* slips where sticking would ask for too much: against that force */
      const long double sign = T > 0.0L ? 1.0L : -1.0L;
      N = -p.c[0][0] / (1.0L + sign * p.mu[0] * cross);
      T = sign * p.mu[0] * N;
      REQUIRE(mode == (sign > 0.0L ? EXACT_MINUS : EXACT_PLUS), "case %d", k);
    } else {
      REQUIRE(mode == EXACT_STICK, "case %d", k);
    }
    REQUIRE(fabsl(Lambda[0] - N) < 1e-13L && fabsl(Lambda[1] - T) < 1e-13L, "case %d", k);
  }
}
END_TEST

/* G = W Wᵀ for two contacts on nv degrees of freedom. */
static exact_contacts random_pair(random_state *r, int nv)
{
  exact_contacts p = {.k = 2, .mu = {random_between(r, 0.0, 1.5), random_between(r, 0.0, 1.5)}};
  long double W[4][6];
  for (int i = 0; i < 4; i++) {
    p.c[i][0] = random_between(r, -1.0, 0.5);
    for (int j = 0; j < nv; j++) {
      W[i][j] = random_between(r, -1.0, 1.0);
    }
  }
  for (int i = 0; i < 4; i++) {
    for (int j = 0; j < 4; j++) {
      for (int v = 0; v < nv; v++) {
        p.G[i][j] += W[i][v] * W[j][v];
      }
    }
  }
  return p;
}

static void check_laws(const exact_contacts *p, const exact_mode *mode, const long double *Lambda, int seed)
{
  const long double tiny = 1e-10L;
  for (int i = 0; i < 2; i++) {
    long double xi[2];
    for (int t = 0; t < 2; t++) {
      xi[t] = p->c[2 * i + t][0];
      for (int j = 0; j < 4; j++) {
        xi[t] += p->G[2 * i + t][j] * Lambda[j];
      }
    }
    const long double N = Lambda[2 * i];
    const long double T = Lambda[2 * i + 1];
    const long double size = 1.0L + N;
    REQUIRE(N >= -tiny * size && xi[0] >= -tiny * size && fabsl(N * xi[0]) < tiny * size * size, "normal, %d",
            seed);
    REQUIRE(fabsl(T) <= p->mu[i] * N + tiny * size, "cone, %d", seed);
    REQUIRE(fabsl(xi[1] * T + p->mu[i] * N * fabsl(xi[1])) < tiny * size * size, "dissipation, %d", seed);
    REQUIRE((mode[i] == EXACT_OPEN) == (N == 0.0L), "mode %d with %Lg, case %d", (int)mode[i], N, seed);
  }
}

/* With G positive definite the number of solutions is odd but on knife edges (mathematics of the
 * complementarity problem: degree one). */
START_TEST(two_contacts_obey_the_laws_and_count_odd)
{
  const int cases = random_cases(4000);
  int several = 0;
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    const exact_contacts p = random_pair(&r, 4 + random_below(&r, 3));
    exact_mode mode[2];
    long double Lambda[4];
    const int count = exact_modes_impact(&p, 1e-12L, mode, Lambda);
    REQUIRE(count % 2 == 1, "%d solutions, case %d", count, k);
    check_laws(&p, mode, Lambda, k);
    several += count > 1;
  }
  ck_assert_int_lt(several, cases / 10);
}
END_TEST

/* A body that two contacts on three degrees of freedom bring to rest: one impulse is free, the motion is
 * not, and the impulse handed out obeys the laws. */
START_TEST(one_free_impulse_is_put_in_the_middle)
{
  const int cases = random_cases(2000);
  int stuck = 0;
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    exact_contacts p = random_pair(&r, 3);
    /* c = W u, so that rest is consistent: columns of G are W Wᵀ e */
    for (int i = 0; i < 4; i++) {
      p.mu[i / 2] = 5.0;
      p.c[i][0] = -p.G[i][0] - p.G[i][2];
    }
    exact_mode mode[2] = {EXACT_STICK, EXACT_STICK};
    exact_impulses x;
    REQUIRE(exact_modes_solve(&p, mode, &x), "case %d", k);
    long double null = 0.0L;
    for (int i = 0; i < 4; i++) {
      null = fmaxl(null, fabsl(x.null[i]));
    }
    REQUIRE(null > 0.0L, "case %d", k);
    REQUIRE(exact_modes_centre(&p, mode, 0.0L, &x), "case %d: (1, 0, 1, 0) does it", k);
    const long double Lambda[4] = {x.Lambda[0][0], x.Lambda[1][0], x.Lambda[2][0], x.Lambda[3][0]};
    check_laws(&p, mode, Lambda, k);
    stuck++;
  }
  ck_assert_int_eq(stuck, cases);
}
END_TEST

/* A particle between two walls that meet below it, each with friction above the wedge's own angle: with ε_N
 * on the normals and none on the tangents Newton's law asks for what no impulse can do. */
START_TEST(a_wedge_that_locks_has_no_newton_impact)
{
  const long double slope = 0.2L;
  const long double n = 1.0L / sqrtl(1.0L + slope * slope);
  const long double W[4][2] = {{n, slope * n}, {slope * n, -n}, {-n, slope * n}, {slope * n, n}};
  exact_contacts p = {.k = 2, .mu = {0.5L, 0.5L}};
  for (int eps = 0; eps < 2; eps++) {
    for (int i = 0; i < 4; i++) {
      p.c[i][0] = -W[i][1] * (i % 2 == 0 ? 1.0L + 0.5L * (long double)eps : 1.0L);
      for (int j = 0; j < 4; j++) {
        p.G[i][j] = W[i][0] * W[j][0] + W[i][1] * W[j][1];
      }
    }
    exact_mode mode[2];
    long double Lambda[4];
    ck_assert_int_eq(exact_modes_impact(&p, 1e-12L, mode, Lambda), 1 - eps);
  }
}
END_TEST

SUITE("support/exact_modes", TEST(one_contact_is_known_in_closed_form),
      TEST(two_contacts_obey_the_laws_and_count_odd), TEST(one_free_impulse_is_put_in_the_middle),
      TEST(a_wedge_that_locks_has_no_newton_impact))
