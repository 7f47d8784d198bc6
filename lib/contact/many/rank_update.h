/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The equations of a pattern in all rows, and its neighbours' with the factors of the first.
 *
 * Row i says ξ_i = 0 where the pattern holds it there (closed, sticks, bilateral), else what it says of Λ:
 * Λ_N = 0, or Λ_T = f (μ Λ_N + bound). Where a contact changes its state one or two rows change. With the
 * rows R changed, M' = M + Σ_R e_i (m'_i − m_i)ᵀ, and
 *
 *   M'⁻¹ b = x₀ + Σ_R a_i M⁻¹ e_i,   x₀ = M⁻¹ b,   S a = b_R − m'_R x₀,   S_ij = m'_i M⁻¹ e_j
 *
 * (Sherman & Morrison 1950): each changed row costs one solve, not new factors. */
#ifndef NSD_CONTACT_MANY_RANK_UPDATE_H
#define NSD_CONTACT_MANY_RANK_UPDATE_H

#include "contact/many/damping_path.h"

enum { NSD_RANK_UPDATE_MOST = 48 }; /* changed rows: beyond, new factors are cheaper */

typedef struct nsd_rank_update {
  nsd_damped_newton *a;          /* its states are those of M', its factors those of M */
  int32_t *states;               /* contacts: of M */
  int *place;                    /* rows: among the changed ones, −1: not changed */
  int row[NSD_RANK_UPDATE_MOST]; /* the changed ones */
  int changes;                   /* how many */
  double *column;                /* NSD_RANK_UPDATE_MOST × rows: M⁻¹ e_i */
  double *S;                     /* NSD_RANK_UPDATE_MOST², rows one behind the other */
  double *LU;                    /* likewise: its factors */
} nsd_rank_update;

void nsd_rank_update_lay_out(nsd_arena *arena, nsd_rank_update *p, int contacts, int rows);

/* Factors for a->states and a->epsilon. NSDYN_MAX_ITERATIONS where a->work would go beyond `most`,
 * NSDYN_CANCELLED where the poll says so. */
nsdyn_status nsd_rank_update_begin(nsd_rank_update *p, nsd_damped_newton *a, double most, nsd_poll *poll);

/* Whether row i says ξ_i = 0 in a pattern. */
int nsd_rank_update_is_velocity(const nsd_coupling *k, int row, const int32_t *states);

/* x := M⁻¹ b */
void nsd_rank_update_solve_first(nsd_rank_update *p, const double *b, double *x);

/* A contact of which a->states has changed: its rows from then on say what that asks for. There has to be
 * room for two more. Returns the multiplications done, about. */
double nsd_rank_update_change(nsd_rank_update *p, int contact);

/* x := M'⁻¹ b of the b that is ρ where M' has ξ and zero elsewhere; x₀ of the same b with M. Returns 0 where
 * M' is singular. */
int nsd_rank_update_solve(nsd_rank_update *p, const double *x_0, const double *rho, double *x);

#endif
