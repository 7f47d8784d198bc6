/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The mass matrix at a configuration: M = L Lᵀ, block by block where the table names blocks, or the user's
 * solve_mass.
 *
 * With V = W L⁻ᵀ (rows L⁻¹ w) the Delassus matrix is V Vᵀ, W M⁻¹ x is V (L⁻¹ x) and the velocities that
 * impulses cause are L⁻ᵀ (Vᵀ Λ). Without a factor V = W and X = W M⁻¹ stand for the two. Up to four
 * velocities, in all or of a block, base/kernels/small.h does it. */
#ifndef NSD_SYSTEM_INERTIA_H
#define NSD_SYSTEM_INERTIA_H

#include "base/arena.h"
#include "base/dense.h"
#include "base/kernels/small.h"
#include "system/callbacks.h"

/* How L is kept. */
enum nsd_inertia_form {
  NSD_INERTIA_SMALL,  /* one matrix of up to NSD_SMALL velocities */
  NSD_INERTIA_WHOLE,  /* one matrix */
  NSD_INERTIA_BLOCKS, /* the factors of M's blocks, one behind the other; what is between them is not there */
  NSD_INERTIA_USER    /* there is none: solve_mass */
};

typedef struct nsd_inertia {
  int nu;
  int factored; /* 1: L and r hold; 0: it is the user's solve_mass */
  int form;     /* nsd_inertia_form */
  double *L;    /* nu × nu, or n × n of each block; lower triangles */
  double *r;    /* 1 / l_ii: nu, or those of blocks; of a whole matrix up to four velocities */
  int *first;   /* of each four rows of L the first column that is not zero (nsd_cholesky_envelope) */
  int is_thin;  /* 1: most of L's triangle is zero, as that of many bodies is */
  int nblocks;
  nsd_mass_part *part; /* nblocks: the blocks, */
  int *part_of;        /* nu: and of each velocity the number of its own */
} nsd_inertia;

void nsd_inertia_lay_out(nsd_arena *arena, nsd_inertia *inertia, const nsdyn_system_def *def);

/* Calls `mass` and factors what it wrote; with solve_mass there is nothing to do. NSDYN_ERR_NOT_DEFINITE or
 * NSDYN_ERR_NOT_FINITE name the row. */
nsdyn_status nsd_inertia_update(nsd_inertia *m, const nsdyn_system_def *def, double t, const double *q,
                                nsd_fault *fault);

/* Factors these numbers, nu × nu, instead, of which the lower half is read; there are no blocks, nor
 * solve_mass. 0 where they are not positive definite, or no numbers. */
int nsd_inertia_factor(nsd_inertia *m, const double *A);

/* x := L⁻¹ x and x := L⁻ᵀ x of more than NSD_SMALL velocities, or of blocks. A row of W touches few bodies:
 * blocks where x is zero are passed over, four velocities at a time. */
void nsd_inertia_forward_large(const nsd_inertia *m, double *x);
void nsd_inertia_backward_large(const nsd_inertia *m, double *x);

/* x := L⁻¹ x */
static inline void nsd_inertia_forward(const nsd_inertia *m, double *x)
{
  if (m->form == NSD_INERTIA_SMALL) {
    nsd_small_forward(m->nu, m->L, m->r, x);
  } else {
    nsd_inertia_forward_large(m, x);
  }
}

/* x := L⁻ᵀ x */
static inline void nsd_inertia_backward(const nsd_inertia *m, double *x)
{
  if (m->form == NSD_INERTIA_SMALL) {
    nsd_small_backward(m->nu, m->L, m->r, x);
  } else {
    nsd_inertia_backward_large(m, x);
  }
}

#endif
