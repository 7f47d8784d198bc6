/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "lcp/solve/first_basis.h"

#include "base/dense.h"
#include "base/kernels/simd.h"
#include "setvalued/nearest.h"

#define LEAST_TO_SWEEP 4 /* unknowns */
#define SWEEPS 2

NSD_INLINE double clamp(const nsd_lcp_problem *p, int i, double x)
{
  return nsd_nearest_in_interval(x, nsd_lcp_lo(p, i), nsd_lcp_hi(p, i));
}

/* The place of x_i: NSDYN_LCP_AT_LO, _BASIC, _AT_HI are 0, 1, 2, and no branch has to be foreseen. */
NSD_INLINE int32_t place_of(const nsd_lcp_problem *p, int i, double x)
{
  const double hi = nsd_lcp_hi(p, i);
  return (x > nsd_lcp_lo(p, i)) * (1 + ((x >= hi) & (hi < INFINITY)));
}

/* Sweeps with y = A x + b kept up by rows, which are columns too: an unknown that stays costs nothing. */
NSD_INLINE void sweep_all(const nsd_lcp_problem *p, double *x, double *y, double *inverse, nsd_poll *poll)
{
  const int n = p->n;
  /* A row without a positive diagonal element cannot be solved for its own x: it stays where it is. */
  for (int i = 0; i < n; i++) {
    const double diagonal = nsd_lcp_row(p, i)[i];
    inverse[i] = diagonal > 0.0 ? 1.0 / diagonal : 0.0;
    x[i] = clamp(p, i, 0.0);
    y[i] = p->b[i];
  }
  /* y = b + A x, for the x that are not zero. */
  for (int i = 0; i < n && (p->lo || p->hi); i++) {
    if (x[i] != 0.0) {
      nsd_lanes_axpy(n, x[i], nsd_lcp_row(p, i), y);
      (void)nsd_poll_stops(poll, 2.0 * n);
    }
  }
  for (int sweep = 0; sweep < SWEEPS; sweep++) {
    for (int i = 0; i < n && !(poll && poll->is_cancelled); i++) {
      /* x_i := x_i − y_i / A_ii within its bounds (projected Gauss–Seidel); y follows by A_·i dx_i. */
      const double moved = clamp(p, i, x[i] - y[i] * inverse[i]);
      const double step = moved - x[i];
      if (step != 0.0) {
        x[i] = moved;
        nsd_lanes_axpy(n, step, nsd_lcp_row(p, i), y);
        (void)nsd_poll_stops(poll, 2.0 * n);
      }
    }
  }
}

/* Each row on its own. */
static void start_alone(const nsd_lcp_problem *p, double *x)
{
  for (int i = 0; i < p->n; i++) {
    const double diagonal = nsd_lcp_row(p, i)[i];
    x[i] = clamp(p, i, diagonal > 0.0 ? -p->b[i] / diagonal : 0.0);
  }
}

/* A sweep for A that is not symmetric. */
static void sweep_by_rows(const nsd_lcp_problem *p, double *x, nsd_poll *poll)
{
  for (int i = 0; i < p->n && !(poll && poll->is_cancelled); i++) {
    const double *a = nsd_lcp_row(p, i);
    if (a[i] > 0.0) {
      /* A_ii x_i = −b_i − Σ_{j≠i} A_ij x_j, within its bounds. */
      x[i] = clamp(p, i, x[i] - (p->b[i] + nsd_dot(p->n, a, x)) / a[i]);
      (void)nsd_poll_stops(poll, 2.0 * p->n);
    }
  }
}

#if NSD_HAVE_AVX2
NSD_TARGET_AVX2 static void sweep_all_avx2(const nsd_lcp_problem *p, double *x, double *y, double *inverse,
                                           nsd_poll *poll)
{
  sweep_all(p, x, y, inverse, poll);
}
#endif

static void sweep_all_plain(const nsd_lcp_problem *p, double *x, double *y, double *inverse, nsd_poll *poll)
{
  sweep_all(p, x, y, inverse, poll);
}

void nsd_first_guess(const nsd_lcp_problem *p, int symmetric, double *x, double *y, double *inverse,
                     int32_t *basis, nsd_poll *poll)
{
  /* Few unknowns: each on its own. Otherwise two sweeps, which find most of the basis at n² each. */
  if (!symmetric || p->n < LEAST_TO_SWEEP) {
    start_alone(p, x);
    for (int sweep = 0; sweep < SWEEPS && p->n >= LEAST_TO_SWEEP; sweep++) {
      sweep_by_rows(p, x, poll);
    }
#if NSD_HAVE_AVX2
  } else if (nsd_cpu_avx2()) {
    sweep_all_avx2(p, x, y, inverse, poll);
#endif
  } else {
    sweep_all_plain(p, x, y, inverse, poll);
  }
  /* At a bound exactly: there; else basic. */
  for (int i = 0; i < p->n; i++) {
    basis[i] = place_of(p, i, x[i]);
  }
}
