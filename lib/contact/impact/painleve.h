/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Painlevé's impact without collision. Sliding contacts whose forces have no solution are stopped by impulses
 * although nothing approaches: γ_N⁻ = 0, and yet Λ_N > 0. They are the limit, for τ → 0⁺, of the impulses of
 *
 *   c(τ) = γ⁻ + τ γ̇,   γ̇ = W M⁻¹h + w̄ the accelerations without contact forces.
 *
 * At τ = 0 itself Λ = 0 solves the problem too, so the limit has to be told from it.
 * A pattern of contact states is linear in c:
 *
 *   Λ(τ) = Λ_0 + τ Λ_1.
 *
 * It holds for all small τ > 0 where every sign condition holds in the first of its two coefficients that
 * does not vanish, and then Λ_0 is the limit. Of one contact it is −γ_T⁻ G⁻¹ e_T. */
#ifndef NSD_CONTACT_IMPACT_PAINLEVE_H
#define NSD_CONTACT_IMPACT_PAINLEVE_H

#include "contact/planar/pattern.h"

typedef struct nsd_painleve_work {
  double *Lambda_0, *Lambda_1; /* rows each */
  double *xi_0, *xi_1;         /* rows each */
} nsd_painleve_work;

void nsd_painleve_lay_out(nsd_arena *arena, nsd_painleve_work *w, int rows);

/* The limit of a pattern: w->Lambda_0, with data->c = γ⁻. NSDYN_OK, NSDYN_NO_SOLUTION where the pattern does
 * not hold for small τ > 0, NSDYN_ERR_SINGULAR, NSDYN_ERR_NOT_FINITE. `states` holds one state of
 * contact/planar/states.h each. */
nsdyn_status nsd_painleve_limit(nsd_painleve_work *w, nsd_pattern_work *pattern, const nsd_contact_data *data,
                                const double *gamma_dot, const int32_t *states);

/* All patterns in turn, as long as they are at most NSD_PAINLEVE_MOST; states (contacts) holds the one found.
 */
#define NSD_PAINLEVE_MOST 4096
nsdyn_status nsd_painleve_search(nsd_painleve_work *w, nsd_pattern_work *pattern,
                                 const nsd_contact_data *data, const double *gamma_dot, int32_t *states);

#endif
