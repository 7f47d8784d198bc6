/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "base/kernels/lu_in_order.h"

#include <math.h>
#include <stddef.h>

#include "base/kernels/simd.h"
#include "base/tolerances.h"

enum { ROWS_PER_POLL = 32 };

/* Row i, cleared by the rows above it. */
NSD_INLINE int clear_row(int n, double *A, int lda, int i, const double *size, const double *inverse,
                         nsd_poll *poll)
{
  double *a = A + (size_t)i * (size_t)lda;
  for (int k = 0; k < i; k++) {
    /* Row i −= l_ik (row k), with l_ik = a_ik / u_kk. */
    const double *u = A + (size_t)k * (size_t)lda;
    if (poll && k % ROWS_PER_POLL == 0 && nsd_poll_stops(poll, (double)ROWS_PER_POLL * (n - k))) {
      return 0;
    }
    if (a[k] == 0.0) {
      continue;
    }
    if (inverse[k] == 0.0 && !(fabs(a[k]) <= NSD_CONTACT_BELOW_PIVOT * sqrt(size[i]) * sqrt(size[k]))) {
      /* Row k is redundant: what stands below its missing pivot must be rounding too. */
      return 0;
    }
    a[k] *= inverse[k];
    nsd_lanes_axpy(n - k - 1, -a[k], u + k + 1, a + k + 1);
  }
  return 1;
}

NSD_INLINE int factor(int n, double *A, int lda, const double *size, double *inverse, nsd_poll *poll)
{
  for (int i = 0; i < n; i++) {
    if (!clear_row(n, A, lda, i, size, inverse, poll)) {
      return 0;
    }
    const double pivot = A[(size_t)i * ((size_t)lda + 1)];
    /* |u_ii| beside the diagonal of G: sound, nothing, or in between, where a search for pivots is needed. */
    const double share = fabs(pivot);
    if (share > NSD_PIVOT_SOUND * size[i]) {
      inverse[i] = 1.0 / pivot;
    } else if (share <= NSD_CONTACT_PIVOT * size[i]) {
      inverse[i] = 0.0;
    } else {
      return 0;
    }
  }
  return 1;
}

NSD_INLINE void solve(int n, const double *A, int lda, const double *inverse, double *x)
{
  /* L z = x, then U x = z; redundant unknowns are zero. */
  for (int i = 1; i < n; i++) {
    x[i] -= nsd_lanes_dot(i, A + (size_t)i * (size_t)lda, x);
  }
  for (int i = n - 1; i >= 0; i--) {
    const double *u = A + (size_t)i * (size_t)lda;
    x[i] = inverse[i] == 0.0 ? 0.0 : (x[i] - nsd_lanes_dot(n - i - 1, u + i + 1, x + i + 1)) * inverse[i];
  }
}

#if NSD_HAVE_AVX2
NSD_TARGET_AVX2 static int factor_avx2(int n, double *A, int lda, const double *size, double *inverse)
{
  return factor(n, A, lda, size, inverse, NULL);
}

NSD_TARGET_AVX2 static int factor_asking_avx2(int n, double *A, int lda, const double *size, double *inverse,
                                              nsd_poll *poll)
{
  return factor(n, A, lda, size, inverse, poll);
}

NSD_TARGET_AVX2 static void solve_avx2(int n, const double *A, int lda, const double *inverse, double *x)
{
  solve(n, A, lda, inverse, x);
}
#endif

int nsd_lu_in_order_factor(int n, double *A, int lda, const double *size, double *inverse)
{
#if NSD_HAVE_AVX2
  if (nsd_cpu_avx2()) {
    return factor_avx2(n, A, lda, size, inverse);
  }
#endif
  return factor(n, A, lda, size, inverse, NULL);
}

int nsd_lu_in_order_factor_asking(int n, double *A, int lda, const double *size, double *inverse,
                                  nsd_poll *poll)
{
#if NSD_HAVE_AVX2
  if (nsd_cpu_avx2()) {
    return factor_asking_avx2(n, A, lda, size, inverse, poll);
  }
#endif
  return factor(n, A, lda, size, inverse, poll);
}

void nsd_lu_in_order_solve(int n, const double *A, int lda, const double *inverse, double *x)
{
#if NSD_HAVE_AVX2
  if (nsd_cpu_avx2()) {
    solve_avx2(n, A, lda, inverse, x);
    return;
  }
#endif
  solve(n, A, lda, inverse, x);
}
