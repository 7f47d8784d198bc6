/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* A factorization of a principal block that follows the block: A_FF = Uᵀ D U, rows added and removed.
 *
 * A is symmetric and F a list of its rows that pivoting extends and shortens. U is unit upper triangular and
 * kept by rows, so that every inner loop runs along a row.
 *
 *   build     |F|³/3 flops        add at the end   |F|²
 *   solve     2 |F|²              remove row k     2 (|F| − k)²
 *
 * A removal is the update U_₂ᵀ D_₂ U_₂ + d_k u uᵀ of what stands behind row k (u its row of U), which adds a
 * positive matrix and therefore loses no digits (Gill, Golub, Murray & Saunders 1974, method C1). */
#ifndef NSD_LCP_SOLVE_LDL_UPDATE_H
#define NSD_LCP_SOLVE_LDL_UPDATE_H

#include "base/arena.h"
#include "base/poll.h"
#include "lcp/problem.h"

typedef struct nsd_ldl_update {
  nsd_poll *poll;  /* asked on the way; NULL after lay_out */
  int m;           /* |F| */
  int ld;          /* doubles from row to row of U */
  double *U;       /* row k: U_kl at column l > k */
  double *d;       /* D: positive */
  double *inverse; /* 1/D */
  int *rows;       /* F: the unknown that stands at k */
  double *work;
} nsd_ldl_update;

void nsd_ldl_update_lay_out(nsd_arena *arena, nsd_ldl_update *f, int n);

/* Factors the block of rows[0 … m−1], which the caller has written. A pivot that is not above
 * `tol` times its diagonal element of A ends it: its place in F is returned and f->m is the number of rows
 * factored before; −1 is success. Where the poll stops it, it ends like
 * that too. */
int nsd_ldl_update_build(nsd_ldl_update *f, const nsd_lcp_problem *p, int m, double tol);

/* Appends row i if its pivot is above tol A_ii; otherwise F stays. The pivot (the Schur complement
 * A_ii − A_iF A_FF⁻¹ A_Fi) is returned in either case. */
double nsd_ldl_update_add(nsd_ldl_update *f, const nsd_lcp_problem *p, int i, double tol);

/* Takes out the row at place k. */
void nsd_ldl_update_remove(nsd_ldl_update *f, int k);

/* r := A_FF⁻¹ r, in the order of F. r is from the arena and has room for nsd_tableau_ld(n). */
void nsd_ldl_update_solve(const nsd_ldl_update *f, double *r);

/* y := y + Σ_k x_k A_row(k), the whole rows of A named by rows[0 … m−1]. Asks the poll, which may be NULL. */
void nsd_add_rows(const nsd_lcp_problem *p, int m, const int *rows, const double *x, double *y,
                  nsd_poll *poll);

#endif
