/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* What a solver of LCPs keeps for sparse problems, from the first of them on. */
#ifndef NSD_LCP_SPARSE_SOLVER_H
#define NSD_LCP_SPARSE_SOLVER_H

#include "lcp/object.h"
#include "lcp/sparse/active_set.h"
#include "lcp/sparse/certificate.h"
#include "lcp/sparse/coarse_levels.h"
#include "lcp/sparse/damped_path.h"
#include "lcp/sparse/newton.h"
#include "lcp/sparse/tridiagonal.h"

typedef struct nsd_sparse_solver {
  nsdyn_context *ctx; /* not held: the object holds it */
  nsd_arena copy;     /* the rows of a band, and bounds that the caller left out */
  nsd_arena dense;    /* the rows of a dense matrix without its zeros */
  nsd_arena vectors;
  nsd_arena search; /* of Newton's method: most problems never need it */
  nsd_sparse_newton newton;
  nsd_arena narrow; /* of tridiagonal problems */
  nsd_tridiagonal tridiagonal;
  nsd_sparse_ldu factor;
  nsd_coarse_levels levels;
  nsd_damped damped;
  nsd_active_set active;
  nsdyn_sparse_matrix matrix; /* as the caller has it */
  const double *given_lo, *given_hi;
  nsd_sparse_problem p;
  int64_t *at;         /* n: how far rows have been read */
  double *best_x;      /* n */
  double *best_y;      /* n */
  double *shift;       /* n */
  double *center;      /* n */
  int32_t *best_place; /* n */
  int has_best;
} nsd_sparse_solver;

/* The object's own, made at the first call; NULL without memory. */
nsd_sparse_solver *nsd_sparse_solver_of(nsdyn_lcp *lcp);
void nsd_sparse_solver_free(nsd_sparse_solver *s);

/* Memory for the problem in s->matrix, and s->p: rows, and whether they are symmetric and of class Z. The
 * data were checked. */
nsdyn_status nsd_sparse_solver_load(nsd_sparse_solver *s, const double *b, nsd_poll *poll);

/* The matrix of the caller: format, sizes, columns, numbers. The message names argument or row. `argument`:
 * its number in the call; told to stop, it lets the rest pass. fault and poll may be NULL. */
nsdyn_status nsd_sparse_check_matrix(const nsdyn_sparse_matrix *A, int argument, nsd_fault *fault,
                                     nsd_poll *poll);

/* Rounds of `automatic` where nothing says that they end. */
enum { NSD_SPARSE_OPEN_ROUNDS = 200 };

/* Rounds of factorizations on s->p, from a basis or (NULL) from what is nearest: coarse levels of an
 * M-matrix, the bounds. x, y and basis stand in s->active; `total` grows by all rounds. */
nsdyn_status nsd_sparse_rounds(nsdyn_lcp *lcp, nsd_sparse_solver *s, const int32_t *start, int most,
                               int32_t *total);

/* Sweeps, by the options; x stands in s->active. Refuses a diagonal element that is not positive. */
nsdyn_status nsd_sparse_sweep(nsdyn_lcp *lcp, nsd_sparse_solver *s);

/* Whether a dense matrix is one for the sparse solver: many unknowns, few elements, a positive diagonal. */
int nsd_sparse_run_applies(const nsd_lcp_problem *p, nsd_poll *poll);

/* The run of NSDYN_LCP_BLOCK on a dense matrix. */
nsdyn_status nsd_sparse_run_block(nsdyn_lcp *lcp, const nsd_lcp_problem *p, const nsd_lcp_plan *plan,
                                  nsd_lcp_answer *answer);

/* Whether a dense matrix is one for damped problems: many unknowns, few elements, whatever the diagonal is.
 */
int nsd_sparse_damped_applies(const nsd_lcp_problem *p, nsd_poll *poll);

/* The run of Lemke's method through damped problems (lcp/sparse/damped_path.h) on a dense matrix. */
nsdyn_status nsd_sparse_run_damped(nsdyn_lcp *lcp, const nsd_lcp_problem *p, const nsd_lcp_plan *plan,
                                   nsd_lcp_answer *answer);

/* Damped problems on s->p, of at most so many systems and pieces; x and basis stand in s->active. */
nsdyn_status nsd_sparse_damped(nsdyn_lcp *lcp, nsd_sparse_solver *s, int most, int32_t *total);

/* By the options: s->best_x, best_y, best_place and lcp->report hold the best that was found. */
nsdyn_status nsd_sparse_solve(nsdyn_lcp *lcp, nsd_sparse_solver *s);

/* Whether a problem that ended so is one for the dense methods. */
int nsd_sparse_wants_dense(const nsdyn_lcp *lcp, nsdyn_status status, int32_t n);

#define NSD_SPARSE_MATRIX_LEAST NSD_SIZE_THROUGH(nsdyn_sparse_matrix, stride)

#endif
