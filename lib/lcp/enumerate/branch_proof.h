/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The judge of closed branches, where "no solution" is to be proved by an exhausted tree.
 *
 * A branch fixes x_i = 0 for some i and y_i = 0 for others. It has no point exactly if there is a v with
 *
 *   v_i >= 0 where y_i is not fixed,   (Aᵀv)_j <= 0 where x_j is not fixed,   bᵀv < 0
 *
 * (Farkas), since y = A x + b would give 0 <= vᵀy − (Aᵀv)ᵀx = bᵀv < 0. A row of the branch's tableau holds
 * such a v but for rounding. The judge looks for an exact one near it (proof/farkas.h) and has no tolerance,
 * so what it closes holds for the numbers as they stand.
 *
 * The tree of a mixed problem is that of its plain form, which elimination has rounded. There v and the
 * branch are carried back (solve/plain_form.h), and the proof is made on the mixed problem. */
#ifndef NSD_LCP_ENUMERATE_BRANCH_PROOF_H
#define NSD_LCP_ENUMERATE_BRANCH_PROOF_H

#include "lcp/proof/farkas.h"
#include "lcp/solve/plain_form.h"
#include "lcp/solve/scale.h"
#include "search/cell_tableau.h"

/* A mixed problem and the plain form a tree searches. */
typedef struct nsd_branch_proof_form {
  const nsd_lcp_problem *p;
  const nsd_plain_form *normal; /* made of p */
} nsd_branch_proof_form;

typedef struct nsd_branch_proof {
  const nsd_branch_proof_form *form; /* NULL: the tree's problem itself */
  const nsd_forms *problem;          /* of the tree, in scaled units */
  const nsd_scale *scale;            /* these */
  nsd_farkas proof;
  nsd_poll *poll; /* asked on the way; NULL after lay_out */
  double *lo;     /* n: bounds of x in a branch */
  double *hi;     /* n */
  double *v;      /* n */
  double *plain;  /* n: v of the plain form */
  uint8_t *fixed; /* 2n */
  uint8_t *signs; /* n */
} nsd_branch_proof;

/* n: of the tree. */
void nsd_branch_proof_lay_out(nsd_arena *arena, nsd_branch_proof *judge, int n);

/* Whether the branch that a cell is, with z_extra = 0 on top (−1: nothing), is proved to hold no solution; v
 * (n, in scaled units) is where to look. An nsd_cell_judge, `user` being an nsd_branch_proof. */
int nsd_branch_proof_closes(void *user, const nsd_cell *cell, int extra, const double *v);

#endif
