/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The mass matrix at a configuration: M = L Lᵀ, or the user's solve_mass.
 *
 * With V = W L⁻ᵀ (rows L⁻¹ w) the Delassus matrix is V Vᵀ, W M⁻¹ x is V (L⁻¹ x) and the velocities that
 * impulses cause are L⁻ᵀ (Vᵀ Λ). Without a factor V = W and X = W M⁻¹ stand for the two. Up to four
 * velocities base/kernels/small.h does it. */
#ifndef NSD_SYSTEM_INERTIA_H
#define NSD_SYSTEM_INERTIA_H

#include "base/arena.h"
#include "base/dense.h"
#include "base/kernels/small.h"
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

/* x := L⁻¹ x */
static inline void nsd_inertia_forward(const nsd_inertia *m, double *x)
{
  if (m->nu <= NSD_SMALL) {
    nsd_small_forward(m->nu, m->L, m->r, x);
  } else if (m->is_thin) {
    nsd_cholesky_forward_within(m->nu, m->L, m->nu, m->first, x);
  } else {
    nsd_cholesky_forward(m->nu, m->L, m->nu, 1, x, m->nu);
  }
}

/* x := L⁻ᵀ x */
static inline void nsd_inertia_backward(const nsd_inertia *m, double *x)
{
  if (m->nu <= NSD_SMALL) {
    nsd_small_backward(m->nu, m->L, m->r, x);
  } else {
    nsd_cholesky_backward(m->nu, m->L, m->nu, 1, x, m->nu);
  }
}

#endif
