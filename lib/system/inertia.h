/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The mass matrix at a configuration: M = L Lᵀ, or the user's solve_mass.
 *
 * With V = W L⁻ᵀ (rows L⁻¹ w) the Delassus matrix is V Vᵀ, W M⁻¹ x is V (L⁻¹ x) and the velocities that
 * impulses cause are L⁻ᵀ (Vᵀ Λ). Without a factor V = W and X = W M⁻¹ stand for the two. Up to four
 * velocities the kernels are written out: most models are that small, and a step of theirs takes some ten
 * nanoseconds. */
#ifndef NSD_SYSTEM_INERTIA_H
#define NSD_SYSTEM_INERTIA_H

#include "base/arena.h"
#include "base/dense.h"
#include "base/simd.h"
#include "system/object.h"

typedef struct nsd_inertia {
  int nu;
  int factored; /* 1: L and r hold; 0: it is the user's solve_mass */
  double *L;    /* nu × nu, lower triangle */
  double *r;    /* nu: 1 / l_ii, up to four velocities */
  int *first;   /* of each four rows of L the first column that is not zero (nsd_cholesky_envelope) */
  int is_thin;  /* 1: most of L's triangle is zero, as that of many bodies is */
} nsd_inertia;

void nsd_inertia_lay_out(nsd_arena *arena, nsd_inertia *inertia, const nsdyn_system_def *def);

/* Calls `mass` and factors what it wrote; with solve_mass there is nothing to do. NSDYN_ERR_NOT_DEFINITE or
 * NSDYN_ERR_NOT_FINITE name the row. */
nsdyn_status nsd_inertia_update(nsd_inertia *m, const nsdyn_system_def *def, double t, const double *q,
                                nsd_fault *fault);

NSD_INLINE void nsd_forward_small(int n, const double *L, const double *r, double *x)
{
  /* L x = b from above, with r_i = 1 / l_ii. */
  NSD_UNROLL(4)
  for (int i = 0; i < n; i++) {
    double s = x[i];
    NSD_UNROLL(4)
    for (int j = 0; j < i; j++) {
      s -= L[i * n + j] * x[j];
    }
    x[i] = s * r[i];
  }
}

NSD_INLINE void nsd_backward_small(int n, const double *L, const double *r, double *x)
{
  /* Lᵀ x = b from below. */
  NSD_UNROLL(4)
  for (int i = n - 1; i >= 0; i--) {
    double s = x[i];
    NSD_UNROLL(4)
    for (int j = i + 1; j < n; j++) {
      s -= L[j * n + i] * x[j];
    }
    x[i] = s * r[i];
  }
}

/* x := L⁻¹ x */
static inline void nsd_inertia_forward(const nsd_inertia *m, double *x)
{
  switch (m->nu) {
  case 0:
    break;
  case 1:
    nsd_forward_small(1, m->L, m->r, x);
    break;
  case 2:
    nsd_forward_small(2, m->L, m->r, x);
    break;
  case 3:
    nsd_forward_small(3, m->L, m->r, x);
    break;
  case 4:
    nsd_forward_small(4, m->L, m->r, x);
    break;
  default:
    if (m->is_thin) {
      nsd_cholesky_forward_within(m->nu, m->L, m->nu, m->first, x);
    } else {
      nsd_cholesky_forward(m->nu, m->L, m->nu, 1, x, m->nu);
    }
    break;
  }
}

/* x := L⁻ᵀ x */
static inline void nsd_inertia_backward(const nsd_inertia *m, double *x)
{
  switch (m->nu) {
  case 0:
    break;
  case 1:
    nsd_backward_small(1, m->L, m->r, x);
    break;
  case 2:
    nsd_backward_small(2, m->L, m->r, x);
    break;
  case 3:
    nsd_backward_small(3, m->L, m->r, x);
    break;
  case 4:
    nsd_backward_small(4, m->L, m->r, x);
    break;
  default:
    nsd_cholesky_backward(m->nu, m->L, m->nu, 1, x, m->nu);
    break;
  }
}

/* Σ x_i y_i, written out up to four. */
static inline double nsd_inertia_dot(int n, const double *x, const double *y)
{
  switch (n) {
  case 0:
    return 0.0;
  case 1:
    return x[0] * y[0];
  case 2:
    return x[0] * y[0] + x[1] * y[1];
  case 3:
    return (x[0] * y[0] + x[1] * y[1]) + x[2] * y[2];
  case 4:
    return (x[0] * y[0] + x[1] * y[1]) + (x[2] * y[2] + x[3] * y[3]);
  default:
    return nsd_dot(n, x, y);
  }
}

/* n is known where this is inlined. */
NSD_INLINE void nsd_dots_small(int rows, int n, const double *X, const double *y, double *sums)
{
  for (int r = 0; r < rows; r++) {
    sums[r] = nsd_inertia_dot(n, X + r * n, y);
  }
}

/* The same of each row of X (rows × n) with y. */
static inline void nsd_inertia_dots(int rows, int n, const double *X, const double *y, double *sums)
{
  switch (n) {
  case 1:
    nsd_dots_small(rows, 1, X, y, sums);
    break;
  case 2:
    nsd_dots_small(rows, 2, X, y, sums);
    break;
  case 3:
    nsd_dots_small(rows, 3, X, y, sums);
    break;
  case 4:
    nsd_dots_small(rows, 4, X, y, sums);
    break;
  default:
    nsd_multiply(rows, n, X, n, y, sums);
    break;
  }
}

#endif
