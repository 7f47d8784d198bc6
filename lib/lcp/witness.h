/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Proof of what a row of a node's tableau claims, on A and b themselves.
 *
 * For any v the points of P obey vᵀy − (Aᵀv)ᵀx = vᵀb. Where v_i >= 0 at each y_i that is not fixed and
 * (Aᵀv)_j <= 0 at each x_j that is not fixed, the left side is a sum of terms >= 0. So vᵀb < 0 proves P
 * empty, and vᵀb = 0 proves each unknown zero whose term has a factor > 0.
 *
 * Row r of the tableau, z_r − Σ T_rj z_j = c_r, holds such a v: the numbers at y. Only v is taken from
 * the tableau. */
#ifndef NSD_LCP_WITNESS_H
#define NSD_LCP_WITNESS_H

#include "lcp/node.h"

typedef enum nsd_claim {
  NSD_ROW_NEGATIVE, /* c_r < 0 and no T_rj > 0: P is empty */
  NSD_ROW_POSITIVE, /* c_r > 0 and no T_rj < 0: P has no point with z_r = 0 */
  NSD_ROW_ZERO      /* c_r = 0 and no T_rj > 0: z_r = 0 on P, and z_j = 0 where T_rj < 0 */
} nsd_claim;

/* Whether A and b bear the claim out, relative to the size of the terms of each sum. Where the tree has a
 * judge: exactly; it hears no claims of zero. */
int nsd_witness_holds(const nsd_node *node, nsd_tree *tree, int r, nsd_claim claim);

#endif
