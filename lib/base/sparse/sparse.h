/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Sparse matrices by rows, an order in which their elimination fills in little, and factors that follow a set
 * of rows.
 *
 *   order.c           minimum degree on the quotient graph
 *   ldu.c             A_FF = L D U without pivoting, for the rows and columns of a set F that changes
 *   cuthill_mckee.c   an order that keeps neighbours close together, for bands and envelopes
 *   block_lu.c        A = L U by dense blocks, with pivots within them
 *
 * Counts of elements are int64_t, rows and columns int32_t. */
#ifndef NSD_BASE_SPARSE_SPARSE_H
#define NSD_BASE_SPARSE_SPARSE_H

#include "base/arena.h"
#include "base/poll.h"

/* n × n by rows; columns ascend within a row, no element twice. */
typedef struct nsd_sparse {
  int32_t n;
  const int64_t *row;    /* n + 1: where rows begin */
  const int32_t *column; /* row[n] */
  const double *value;   /* row[n] */
} nsd_sparse;

/* Elimination by minimum degree. The graph is symmetric and without diagonal: the neighbours of i are
 * neighbour[begin[i]] … neighbour[begin[i + 1] − 1]. order receives the nodes, first to last. It stops early
 * where the poll says so; order is a permutation in any case. */
typedef struct nsd_sparse_order {
  int64_t *list_at;        /* n: where a node's list begins in `list` */
  int32_t *list;           /* neighbours + n: elements first, then variables */
  int64_t room;            /* of list */
  int32_t *length;         /* n: of a node's list */
  int32_t *elements;       /* n: how many of them are elements */
  int32_t *weight;         /* n: variables joined in this one; 0: joined to another or ordered */
  int32_t *degree;         /* n: of a variable, upper bound; of an element, the weight of its list */
  int32_t *first;          /* n: of the variables of a degree */
  int32_t *next, *last;    /* n: in the list of a degree, or of a hash */
  int32_t *bucket;         /* n: first variable of a hash */
  int32_t *chain, *tail;   /* n: nodes joined to this one */
  int64_t *mark;           /* n */
  unsigned char *is_alive; /* n: as an element or variable */
} nsd_sparse_order;

void nsd_sparse_order_lay_out(nsd_arena *arena, nsd_sparse_order *w, int32_t n, int64_t neighbours);
void nsd_sparse_order_find(nsd_sparse_order *w, int32_t n, const int64_t *begin, const int32_t *neighbour,
                           int32_t *order, nsd_poll *poll);

/* A_FF = L D U for a set F that changes: L unit lower, U unit upper triangular, D diagonal, no pivoting. The
 * structure of L is that of the whole A, worked out once; a new set redoes only the rows whose elimination
 * it changes. For positive definite A, symmetric or not, and for M-matrices all pivots are positive. */
typedef struct nsd_sparse_ldu {
  nsd_poll *poll;
  nsd_arena pattern; /* memory that A's elements determine */
  nsd_arena factor;  /* memory that the fill determines */
  int32_t n;
  int is_symmetric;           /* U = Lᵀ */
  int64_t fill;               /* elements of L */
  double work;                /* multiplications of a whole factorization */
  int32_t *order;             /* n: the row of A that is the k-th */
  int32_t *place;             /* n: its inverse */
  int64_t *below;             /* n + 1: where the row k of A begins, left of the diagonal */
  int32_t *column;            /* its columns */
  double *left;               /* A_kj */
  double *above;              /* A_jk */
  double *diagonal;           /* n */
  int32_t *parent;            /* n: elimination tree, −1 at a root */
  int32_t *mark;              /* n */
  int32_t *path;              /* n: columns of one row of L, in ascending order of elimination */
  int64_t *start;             /* n + 1: where columns of L begin */
  int32_t *row;               /* fill: rows, ascending */
  double *L;                  /* fill */
  double *U;                  /* fill: the transposed of U; L itself where is_symmetric */
  double *d;                  /* n: pivots */
  double *work_left;          /* n, zeros */
  double *work_above;         /* n, zeros */
  double *shift;              /* n: added to the diagonal */
  unsigned char *in;          /* n, by k: whether it is in F */
  unsigned char *has_changed; /* n, by k: to be done anew */
} nsd_sparse_ldu;

nsd_sparse_ldu nsd_sparse_ldu_empty(nsdyn_context *ctx, nsd_poll *poll);
void nsd_sparse_ldu_release(nsd_sparse_ldu *f);

/* Order and structure, F empty, no shift. `most_fill`: with more elements than that in L it stays without
 * memory for them, `fill` and `work` say what it would take, and nsd_sparse_ldu_is_ready() says no; negative:
 * no limit. NSDYN_OK, NSDYN_ERR_NOMEM, NSDYN_ERR_TOO_LARGE, NSDYN_CANCELLED. */
nsdyn_status nsd_sparse_ldu_analyze(nsd_sparse_ldu *f, const nsd_sparse *A, int is_symmetric,
                                    int64_t most_fill);
int nsd_sparse_ldu_is_ready(const nsd_sparse_ldu *f);

/* The factors of A_FF + shift, `in` by rows of A (shift NULL: none). Returns −1, or the row of A whose pivot
 * is not larger than `least` of its diagonal's size: then F is taken as empty. `least` is negative where
 * every pivot but zero will do, of any sign. Told to stop by the poll, it returns some row, and the structure
 * has to be worked out anew. */
int32_t nsd_sparse_ldu_factor(nsd_sparse_ldu *f, const unsigned char *in, const double *shift, double least);

/* x := A_FF⁻¹ x in the rows of F; the others of x are not looked at. work holds n. Told to stop by the poll,
 * it leaves x of no use. */
void nsd_sparse_ldu_solve(nsd_sparse_ldu *f, double *x, double *work);

#endif
