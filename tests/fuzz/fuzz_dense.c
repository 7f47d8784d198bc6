/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Any matrix factored by LU and by Cholesky, each answer checked by its certificate: the product of the
 * factors is the matrix again, to rounding; and the principal pivot exchange, by its two variants. */
#include <float.h>
#include <math.h>

#include "base/dense.h"
#include "base/kernels/cpu.h"
#include "base/kernels/exchange.h"
#include "target.h"

enum { LONGEST = 12, STRIDE = LONGEST + 1 };

typedef struct problem {
  int n;
  double A[LONGEST * STRIDE];
  double b[LONGEST];
} problem;

static problem read_problem(reader *from)
{
  problem p = {.n = read_below(from, LONGEST + 1)};
  for (int i = 0; i < LONGEST * STRIDE; i++) {
    p.A[i] = 0.25;
  }
  for (int i = 0; i < p.n; i++) {
    for (int j = 0; j < p.n; j++) {
      p.A[i * STRIDE + j] = read_double(from);
    }
    p.b[i] = read_double(from);
  }
  return p;
}

static int is_finite(const problem *p)
{
  int finite = 1;
  for (int i = 0; i < p->n; i++) {
    for (int j = 0; j < p->n; j++) {
      finite = finite && isfinite(p->A[i * STRIDE + j]);
    }
  }
  return finite;
}

/* Elimination at most doubles the largest element n − 1 times. */
static int cannot_overflow(const problem *p)
{
  for (int i = 0; i < p->n; i++) {
    for (int j = 0; j < p->n; j++) {
      if (!(fabs(p->A[i * STRIDE + j]) <= 1e300)) {
        return 0;
      }
    }
  }
  return 1;
}

/* Whether `sum` is `exact` up to rounding of n terms whose absolute values add up to `terms`, and up to
 * n underflows, each as large as the smallest number times `scale`. */
static int is_rounded(int n, long double sum, long double exact, long double terms, long double scale)
{
  const long double bound =
      4.0L * (n + 2) * DBL_EPSILON * terms + 4.0L * (n + 1) * 0x1p-1074L * (1.0L + scale);
  return fabsl(sum - exact) <= bound;
}

/* |P A − L U| <= gamma |L| |U|, element by element (Higham, Accuracy and Stability, thm. 9.3). */
static void check_lu(const problem *p, const double *LU, const int *perm)
{
  problem permuted = *p;
  for (int k = 0; k < p->n; k++) {
    REQUIRE(perm[k] >= k && perm[k] < p->n);
    for (int j = 0; j < p->n; j++) {
      const double t = permuted.A[k * STRIDE + j];
      permuted.A[k * STRIDE + j] = permuted.A[perm[k] * STRIDE + j];
      permuted.A[perm[k] * STRIDE + j] = t;
    }
  }
  for (int i = 0; i < p->n; i++) {
    for (int j = 0; j < p->n; j++) {
      long double sum = 0.0L, terms = 0.0L, largest = 0.0L;
      for (int k = 0; k <= i && k <= j; k++) {
        const long double l = k == i ? 1.0L : LU[i * STRIDE + k];
        const long double u = LU[k * STRIDE + j];
        REQUIRE(fabsl(l) <= 1.0L);
        sum += l * u;
        terms += fabsl(l * u);
        largest = fmaxl(largest, fabsl(u));
      }
      REQUIRE(is_rounded(p->n, sum, permuted.A[i * STRIDE + j], terms, largest));
    }
  }
}

static void try_lu(const problem *p)
{
  double LU[LONGEST * STRIDE], x[LONGEST], work[2 * LONGEST];
  int perm[LONGEST];
  nsd_lu_info info = {.growth = -1.0, .margin = -1.0, .column = -1};
  memcpy(LU, p->A, sizeof LU);
  const nsdyn_status status = nsd_lu_factor(p->n, LU, STRIDE, perm, &info);
  REQUIRE(status == NSDYN_OK || status == NSDYN_ERR_SINGULAR || status == NSDYN_ERR_NOT_FINITE);
  REQUIRE(is_finite(p) || status == NSDYN_ERR_NOT_FINITE);
  REQUIRE(!cannot_overflow(p) || status != NSDYN_ERR_NOT_FINITE);
  if (status == NSDYN_ERR_SINGULAR) {
    REQUIRE(info.margin == 0.0 && info.column >= 0 && info.column < p->n);
  }
  if (status != NSDYN_OK) {
    return;
  }
  REQUIRE(info.growth >= 1.0 && info.margin >= 0.0 && info.margin <= 1.0);
  REQUIRE(info.column >= 0 && (p->n == 0 || info.column < p->n));
  REQUIRE(nsd_all_finite(p->n, p->n, LU, STRIDE));
  check_lu(p, LU, perm);
  const double norm = nsd_matrix_norm_1(p->n, p->n, p->A, STRIDE);
  const double rcond = nsd_lu_rcond(p->n, LU, STRIDE, perm, norm, work);
  REQUIRE(rcond >= 0.0 && rcond <= 1.0);
  memcpy(x, p->b, sizeof x);
  nsd_lu_solve(p->n, LU, STRIDE, perm, 1, x, LONGEST);
  nsd_lu_solve_transposed(p->n, LU, STRIDE, perm, 1, x, LONGEST);
}

/* |A − L L^T| <= gamma |L| |L^T| in the lower triangle (Higham, thm. 10.3). */
static void check_cholesky(const problem *p, const double *L)
{
  for (int i = 0; i < p->n; i++) {
    REQUIRE(L[i * STRIDE + i] > 0.0);
    for (int j = 0; j <= i; j++) {
      long double sum = 0.0L, terms = 0.0L, largest = 0.0L;
      for (int k = 0; k <= j; k++) {
        const long double t = (long double)L[i * STRIDE + k] * L[j * STRIDE + k];
        sum += t;
        terms += fabsl(t);
        largest = fmaxl(largest, fabsl((long double)L[j * STRIDE + k]));
      }
      REQUIRE(is_rounded(p->n, sum, p->A[i * STRIDE + j], terms, largest));
    }
  }
  for (int i = 0; i < p->n; i++) {
    REQUIRE(memcmp(L + i * STRIDE + i + 1, p->A + i * STRIDE + i + 1, (size_t)(STRIDE - 1 - i) * sizeof *L) ==
            0); /* the upper triangle is left alone */
  }
}

static void try_cholesky(const problem *p)
{
  double L[LONGEST * STRIDE], x[LONGEST];
  int failed = -1;
  memcpy(L, p->A, sizeof L);
  const nsdyn_status status = nsd_cholesky_factor(p->n, L, STRIDE, &failed);
  REQUIRE(status == NSDYN_OK || status == NSDYN_ERR_NOT_DEFINITE || status == NSDYN_ERR_NOT_FINITE);
  if (status != NSDYN_OK) {
    REQUIRE(failed >= 0 && failed < p->n);
    return;
  }
  check_cholesky(p, L);
  memcpy(x, p->b, sizeof x);
  nsd_cholesky_solve(p->n, L, STRIDE, 1, x, LONGEST);
}

/* The matrix as it is, and with its lower triangle made diagonally dominant, so that Cholesky has
 * something to succeed on. */
static void try_definite(problem p)
{
  try_cholesky(&p);
  for (int i = 0; i < p.n; i++) {
    double sum = 1.0;
    for (int j = 0; j < p.n; j++) {
      sum += fabs(j < i ? p.A[i * STRIDE + j] : j > i ? p.A[j * STRIDE + i] : 0.0);
    }
    p.A[i * STRIDE + i] = sum;
  }
  try_cholesky(&p);
}

static void try_exchange(const problem *p, int r, int s)
{
  _Alignas(64) double plain[LONGEST * LONGEST] = {0.0};
  _Alignas(64) double chosen[LONGEST * LONGEST];
  const int ld = nsd_tableau_ld(p->n);
  for (int j = 0; j < p->n; j++) {
    for (int i = 0; i < p->n; i++) {
      plain[j * ld + i] = p->A[i * STRIDE + j];
    }
  }
  memcpy(chosen, plain, sizeof chosen);
  if (p->n == 0 || !(fabs(plain[s % p->n * ld + r % p->n]) > 0.0)) {
    return;
  }
  nsd_tableau_exchange_plain(p->n, p->n, plain, ld, r % p->n, s % p->n);
  nsd_tableau_exchange(p->n, p->n, chosen, ld, r % p->n, s % p->n);
  for (int j = 0; j < p->n; j++) {
    for (int i = 0; i < p->n; i++) {
      const double a = plain[j * ld + i], b = chosen[j * ld + i];
      REQUIRE((isnan(a) && isnan(b)) || memcmp(&a, &b, sizeof a) == 0);
    }
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  reader from = {data, size};
  const problem p = read_problem(&from);
  try_lu(&p);
  try_definite(p);
  try_exchange(&p, read_below(&from, LONGEST), read_below(&from, LONGEST));
  return 0;
}
