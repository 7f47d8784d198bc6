/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Equations that hold exactly, though no double solves them.
 *
 * A proof in the presence of free unknowns x_s wants Σ_i A_is v_i = 0 exactly, and doubles v leave a rest ρ_s
 * instead. Where enough rows i may have a v_i of any sign, there is an exact v + e near the rounded v, with
 * e in as many of these rows as there are such columns:
 *
 *   K e = −ρ,   K_si = A_is.
 *
 * X ≈ K⁻¹ and G = I − X K give e = −(I − G)⁻¹ X ρ, so with |G| <= g < 1 in the row sum norm every |e_i| is
 * at most |X ρ| / (1 − g). Both are bounded from above with all rounding in them: e exists, and it is small.
 */
#ifndef NSD_LCP_PROOF_ENCLOSURE_H
#define NSD_LCP_PROOF_ENCLOSURE_H

#include "base/arena.h"
#include "base/poll.h"
#include "lcp/problem.h"

typedef struct nsd_enclosure {
  double *block;  /* n × 2n */
  int *columns;   /* n: those that shall be zero */
  int *rows;      /* n: first all that may change, then as many of them as there are columns */
  nsd_poll *poll; /* asked on the way; NULL after lay_out */
  int *at;        /* n: row of the block that a chosen row was solved in */
} nsd_enclosure;

void nsd_enclosure_lay_out(nsd_arena *arena, nsd_enclosure *w, int n);

/* A bound of |e_i| in rows[0 … columns) for some e that makes the `columns` sums in w->columns zero; `sum`
 * and `error` (n) are these sums as they were rounded and bounds of their errors. On entry w->rows holds the
 * `rows` that may change. Infinite where no such e was shown to exist. */
double nsd_enclose(nsd_enclosure *w, const nsd_lcp_problem *p, int columns, int rows, const double *sum,
                   const double *error);

#endif
