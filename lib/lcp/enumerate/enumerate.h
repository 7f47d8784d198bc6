/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* All solutions of a plain LCP, or the first, or the proof that there is none.
 *
 * The search (search/tree.h) is given the unknowns x >= 0 and y = A x + b >= 0 in scaled units, and a unit
 * for each pair: x_i = 0 or y_i = 0. What it hands out are closed cells; their vertices and rays go to the
 * caller, polished and certified.
 *
 * In the search for one solution exact arithmetic is asked only where nothing was found, in a second search;
 * and where "no solution" must hold of another problem, of which this is the plain form, that search closes a
 * branch only where a judge proves the branch of that problem to be empty (enumerate/branch_proof.h). */
#ifndef NSD_LCP_ENUMERATE_ENUMERATE_H
#define NSD_LCP_ENUMERATE_ENUMERATE_H

#include "lcp/enumerate/branch_proof.h"
#include "lcp/enumerate/refine.h"
#include "lcp/solve/scale.h"
#include "search/decide_exactly.h"
#include "search/generators.h"
#include "search/tree.h"

typedef struct nsd_enumerate {
  int n;
  nsdyn_context *ctx; /* not held */
  nsd_scale scale;
  nsd_forms forms;
  nsd_tree tree;
  int8_t *base;   /* 2n: all >= 0 */
  int *exponent;  /* 2n: scaled unknown = 2^exponent · unknown */
  nsd_unit *pair; /* n */
  double *x_unit; /* n: x = x_unit · scaled x */
  nsd_generators generators;
  nsd_refine corner;
  nsd_branch_proof judge;
  nsd_exact exact;
  nsd_error_bounds sure;
  int32_t *support; /* n */
  uint8_t *rows;    /* n */
  double *z;        /* 2n */
  double *raw;      /* 2n */
  double *x;        /* n */
  double *best;     /* n */
  double *out;      /* generators of one piece, n each; grown as needed */
  size_t out_bytes;
} nsd_enumerate;

typedef struct nsd_enumerate_options {
  double tol;                        /* certificate every vertex and ray must hold */
  int64_t max_nodes;                 /* negative: no limit */
  const nsd_branch_proof_form *form; /* what "no solution" must hold for; NULL: the problem as given */
} nsd_enumerate_options;

/* Problems that most searches are for: their memory is laid out together with the others'. */
enum { NSD_ENUMERATE_AT_ONCE = 64 };

/* What grows with the solutions and with the depth comes from ctx, the rest from the arena. init once,
 * lay_out for each n that is larger than all before, release at the end. `judged`: unknowns of the problem
 * that "no solution" must hold for. */
void nsd_enumerate_init(nsd_enumerate *w, nsdyn_context *ctx);
void nsd_enumerate_lay_out(nsd_arena *arena, nsd_enumerate *w, int n, int judged);
void nsd_enumerate_release(nsd_enumerate *w);

/* All solutions to `visit` (may be NULL). The census' size is set by the caller. NSDYN_OK with at least one,
 * NSDYN_NO_SOLUTION where the tree is exhausted and every closed branch proved exactly, NSDYN_UNDECIDED where
 * it is exhausted and census.doubtful branches are not, NSDYN_MAX_ITERATIONS at the limit of nodes,
 * NSDYN_CANCELLED by `visit` or the context's progress; NSDYN_ERR_NOMEM, NSDYN_ERR_TOO_LARGE,
 * NSDYN_ERR_NOT_FINITE. */
nsdyn_status nsd_enumerate_all(nsd_enumerate *w, const nsd_lcp_problem *p,
                               const nsd_enumerate_options *options, nsd_lcp_visit *visit, void *user,
                               nsdyn_lcp_census *census);

/* The first solution found: x and basis of the answer, and its iterations (pivots). Where there is none, x is
 * the feasible point met that comes closest to complementarity (zero where none is feasible). Statuses as
 * above. */
nsdyn_status nsd_enumerate_first(nsd_enumerate *w, const nsd_lcp_problem *p,
                                 const nsd_enumerate_options *options, nsd_lcp_answer *answer);

#endif
