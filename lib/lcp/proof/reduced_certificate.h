/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The judge of mixed problems whose free unknowns are small beside what they are made of.
 *
 * A free unknown has no size of its own. Its equation makes it from the others,
 *
 *   x_F = −A_FF⁻¹ (A_FC x_C + b_F),    ξ_F = the sum of the sizes of these contributions, or
 *                                      s_F / |A_ff|, what its own row cannot do without, if that is more,
 *
 * and bodies at rest have velocities that are the rounding of impulses: |x_F| is 1e-16 of ξ_F. A row that
 * holds nothing but such unknowns, a closed contact's W u >= 0, has |b| + Σ |A x| of that size too, and no
 * double fulfils it to a part of this. What can be said of such a row is said of the problem without its free
 * unknowns (Schur complement), y_C = Ã x_C + b̃:
 *
 *   s~_i = |b̃_i| + Σ_C |Ã_ij x_j|                  the scale of its reduced row,
 *   e_i  = ε (|b_i| + Σ_C |A_ij x_j| + Σ_F |A_ij| ξ_j),   ε = NSD_REDUCED_ROUNDING(n).
 *
 * e_i is what relative errors ε of the free rows' terms, the rounding of the elimination, leave in the row:
 * that part of a violation no data could tell from none. The residual is what is left of the
 * violation, over max(s_i, s~_i). A row of the reduced problem is judged as one of a plain problem is. Free
 * rows have no reduced row: they are held to their own s_i, but for e_i.
 *
 * How wrong may an x be? An x_F that is off by δ shows in its own rows, A_FF δ, where it must stay below
 * tol s_F + e_F: it is seen as soon as it is more than 2 tol of the terms of its own equation. An x_C that is
 * off shows in the reduced rows as it does in a plain problem, and in the free rows at s_F. */
#ifndef NSD_LCP_PROOF_REDUCED_H
#define NSD_LCP_PROOF_REDUCED_H

#include "base/arena.h"
#include "base/poll.h"
#include "base/tolerances.h"
#include "lcp/proof/certificate.h"

typedef struct nsd_reduced {
  nsd_poll *poll;      /* asked on the way; NULL after lay_out */
  int width;           /* columns of T */
  int free_count;      /* the first of them are the free unknowns' */
  double *T;           /* n × (n + 1): A_iF, then the terms A_ij x_j and b_i */
  double *row_size;    /* n: largest |A_ij| of a row, then of the free columns */
  double *column_size; /* n */
  double *xi;          /* n: ξ of an eliminated unknown, |x_j| of the others */
  int *column;         /* n: the unknown of a free column */
  int *solves;         /* n: the free column that row i was solved for, −1 if none */
  int *solved_in;      /* n: row that gives a free column, −1 if none does */
} nsd_reduced;

void nsd_reduced_lay_out(nsd_arena *arena, nsd_reduced *w, int n);

/* Whether a point with this certificate is to be judged without the free unknowns too: there are such, and
 * the residual is finite and more than rounding. */
int nsd_wants_reduced(const nsd_lcp_problem *p, const nsd_certificate *rows);

/* The better certificate of x: by the rows as they stand, which the caller has, or by the reduced ones. The
 * former where the poll has stopped the elimination. */
nsd_certificate nsd_certify_reduced(nsd_reduced *w, const nsd_lcp_problem *p, const double *x,
                                    nsd_certificate rows);

#endif
