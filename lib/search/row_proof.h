/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Proof of what a row of a cell's tableau claims, on a and d themselves.
 *
 * For any v the points of the cell obey vᵀf − (aᵀv)ᵀz = vᵀd. Where the signs of v and of −aᵀv suit what is
 * asked of f and z, each term of the left side is >= 0:
 *
 *   v_i >= 0 where f_i >= 0 is asked, of any sign where f_i = 0 is asked, zero where f_i is free;
 *   (aᵀv)_j <= 0 where z_j >= 0 is asked, of any sign where z_j = 0 is asked, zero where z_j is free.
 *
 * So vᵀd < 0 proves the cell empty (Farkas), and vᵀd = 0 proves each unknown zero whose term has a factor >
 * 0.
 *
 * Row r of the tableau, u_r − Σ T_rs u_s = c_r, holds such a v: the numbers at the functionals. Only v is
 * taken from the tableau. */
#ifndef NSD_SEARCH_CLAIM_PROOF_H
#define NSD_SEARCH_CLAIM_PROOF_H

#include "search/cell_tableau.h"

typedef enum nsd_claim {
  NSD_ROW_NEGATIVE, /* c_r < 0 and no T_rs > 0: u_r < 0 on the cell */
  NSD_ROW_POSITIVE, /* c_r > 0 and no T_rs < 0: u_r > 0 on the cell */
  NSD_ROW_ZERO /* c_r = 0 and no T_rs > 0: u_r <= 0 on the cell; where u_r >= 0, u_s = 0 where T_rs < 0 */
} nsd_claim;

/* Whether a and d bear the claim out, relative to the size of the terms of each sum; where there is exact
 * arithmetic, for sure (decide_exactly.h). Where the search has a judge, it decides; it is not asked about
 * claims of zero. */
int nsd_claim_holds(const nsd_cell *cell, nsd_cells *cells, int r, nsd_claim claim);

#endif
