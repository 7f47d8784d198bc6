/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Circles around the eigenvalues of a matrix that is known up to errors. */
#include "study/eigenvalue_bounds.h"

#include <math.h>
#include <string.h>

#include "study/eigenvalues.h"
#include "suite.h"

enum { MOST = 6 };

typedef struct fuzzy {
  int n;
  double J[MOST * MOST], e[MOST], lambda[2 * MOST], radius[MOST];
} fuzzy;

static void enclose(fuzzy *f)
{
  double A[MOST * MOST], work[NSD_NEARBY_WORK * MOST * MOST];
  int perm[2 * MOST];
  memcpy(A, f->J, sizeof A);
  REQUIRE(nsd_eigenvalues(f->n, A, f->n, f->lambda) == NSDYN_OK, "no eigenvalues");
  nsd_eigenvalues_nearby(f->n, f->J, f->e, f->lambda, f->radius, work, perm);
}

/* Full; blocks of Jordan; a multiple of the unit matrix with little beside it; nothing but zeros in a column.
 */
static fuzzy random_fuzzy(random_state *r, int family)
{
  fuzzy f = {.n = 1 + random_below(r, MOST)};
  for (int i = 0; i < f.n; i++) {
    for (int k = 0; k < f.n; k++) {
      double *a = &f.J[i * f.n + k];
      *a = family == 1   ? (i == k       ? 0.5
                            : k == i + 1 ? 1.0
                                         : 0.0)
           : family == 2 ? (i == k ? -0.75 : 0.0)
                         : random_normal(r);
      *a = family == 3 && k == 0 ? 0.0 : *a;
    }
    f.e[i] = 1e-9 * random_scale(r, 1.0);
  }
  return f;
}

/* Distance of eigenvalue i to the nearest one of another matrix. */
static double miss_of(const fuzzy *f, int i, const double *lambda)
{
  double miss = INFINITY;
  for (int k = 0; k < f->n; k++) {
    miss = fmin(miss, hypot(lambda[2 * k] - f->lambda[2 * i], lambda[2 * k + 1] - f->lambda[2 * i + 1]));
  }
  return miss;
}

START_TEST(eigenvalues_of_what_is_nearby_are_in_the_circles)
{
  for (int k = 0; k < random_cases(2000); k++) {
    random_state r = random_seed((uint64_t)k);
    fuzzy f = random_fuzzy(&r, k % 4);
    enclose(&f);
    for (int tries = 0; tries < 4; tries++) {
      double A[MOST * MOST], lambda[2 * MOST];
      for (int i = 0; i < f.n * f.n; i++) {
        A[i] = f.J[i] + f.e[i % f.n] * (tries ? random_between(&r, -1.0, 1.0) : i % 2 ? 1.0 : -1.0);
      }
      REQUIRE(nsd_eigenvalues(f.n, A, f.n, lambda) == NSDYN_OK, "case %d", k);
      for (int i = 0; i < f.n; i++) {
        const double miss = miss_of(&f, i, lambda), noise = k % 4 == 1 ? 1e-2 * f.radius[i] : 1e-14;
        REQUIRE(miss <= f.radius[i] + noise, "case %d: eigenvalue %d misses by %g, radius %g", k, i, miss,
                f.radius[i]);
      }
    }
  }
}
END_TEST

/* Of a symmetric matrix an eigenvalue moves by no more than the error's norm. */
START_TEST(circles_of_symmetric_matrices_are_small)
{
  for (int k = 0; k < random_cases(500); k++) {
    random_state r = random_seed((uint64_t)k);
    fuzzy f = random_fuzzy(&r, 0);
    for (int i = 0; i < f.n; i++) {
      f.e[i] = 1e-9;
      for (int j = 0; j < i; j++) {
        f.J[i * f.n + j] = f.J[j * f.n + i];
      }
    }
    enclose(&f);
    for (int i = 0; i < f.n; i++) {
      REQUIRE(f.radius[i] <= 4.0 * f.n * 1e-9 * sqrt(f.n), "case %d: %g", k, f.radius[i]);
      REQUIRE(f.radius[i] >= 1e-9, "case %d: %g", k, f.radius[i]);
    }
  }
}
END_TEST

/* A pair has one radius; a block of two equal ones has the root of the error. */
START_TEST(pairs_and_blocks)
{
  fuzzy pair = {.n = 2, .J = {0.0, 1.0, -1.0, 0.0}, .e = {1e-8, 1e-8}};
  enclose(&pair);
  ck_assert(pair.radius[0] == pair.radius[1] && pair.radius[0] >= 1e-8 && pair.radius[0] < 8e-8);
  fuzzy block = {.n = 2, .J = {1.0, 1.0, 0.0, 1.0}, .e = {1e-8, 1e-8}};
  enclose(&block);
  ck_assert(block.radius[0] > 0.9e-4 && block.radius[0] < 4e-4);
}
END_TEST

/* An error as large as all else says nothing; no eigenvalue, no circle. */
START_TEST(what_is_not_known_has_no_circle)
{
  fuzzy f = {.n = 1, .J = {1.0}, .e = {INFINITY}};
  double none = 7.0;
  enclose(&f);
  ck_assert(f.radius[0] == INFINITY);
  f.e[0] = NAN;
  enclose(&f);
  ck_assert(f.radius[0] == INFINITY);
  nsd_eigenvalues_nearby(0, NULL, NULL, NULL, &none, NULL, NULL);
  ck_assert(none == 7.0);
}
END_TEST

SUITE("study/eigenvalue_bounds", TEST(eigenvalues_of_what_is_nearby_are_in_the_circles),
      TEST(circles_of_symmetric_matrices_are_small), TEST(pairs_and_blocks),
      TEST(what_is_not_known_has_no_circle))
