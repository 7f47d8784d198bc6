/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* A polyhedron in exact arithmetic:
 *
 *   P = {z : z_R = A z_C + d, each z_k zero, >= 0, <= 0 or free, as is asked},
 *
 * A and d being the doubles as they were given: the plain LCP has R = y and C = x, a contact problem
 * functionals of Λ and Λ. It answers what rounding cannot decide: whether P is empty, which z_k are zero on
 * all of P, which signs the others take, what dimension P has.
 *
 * Numbers. Doubles are whole numbers times powers of two. In units of rows and columns the tableau is whole,
 *
 *   D z_B = T z_N + c,    D > 0,
 *
 * and it stays whole under exchanges that divide by the D before (Edmonds 1967, Bareiss 1968): every element
 * is a minor of the first tableau, and so no longer than Hadamard's bound, for which there is room.
 *
 * Ends. Bland's rule chooses (1977), so each search ends. Elements grow with the size of the problem, though:
 * `limit` products of limbs are allowed from load to load, and what is then undecided is said to be so. */
#ifndef NSD_SEARCH_EXACT_H
#define NSD_SEARCH_EXACT_H

#include "base/arena.h"
#include "search/bigint.h"

/* What is asked of an unknown. */
enum { NSD_EXACT_NEGATIVE = -1, NSD_EXACT_ZERO = 0, NSD_EXACT_POSITIVE = 1, NSD_EXACT_FREE = 2 };

typedef enum nsd_exact_end {
  NSD_EXACT_OPEN = 0, /* not empty */
  NSD_EXACT_EMPTY,    /* empty: proved */
  NSD_EXACT_UNKNOWN   /* more work than is allowed */
} nsd_exact_end;

/* A tableau of whole numbers, `columns` + 1 in a row, the constant last. */
typedef struct nsd_exact_tableau {
  nsd_limb *limb; /* rows × (columns + 1) × words */
  int32_t *length;
} nsd_exact_tableau;

typedef struct nsd_exact {
  nsdyn_context *ctx; /* not held */
  nsd_arena arena;
  int rows;
  int columns;
  int words;              /* limbs that the longest element takes */
  int loaded;             /* there is a problem, and room for it */
  nsd_exact_tableau base; /* as loaded */
  nsd_exact_tableau now;
  nsd_limb *D;       /* words */
  nsd_limb *odd;     /* words: D while it divides */
  nsd_limb *left;    /* 2 words + 2: scratch */
  nsd_limb *right;   /* the same */
  nsd_limb *product; /* the same */
  nsd_limb *factor;  /* words */
  int D_length;
  int32_t *row;    /* rows: the unknown of a row; those of rows come after those of columns */
  int32_t *column; /* columns: the unknown of a column */
  int32_t *place;  /* rows + columns: row r of a basic unknown, ~column of another */
  int32_t *unit;   /* rows + columns: z_k = 2^unit z'_k */
  int8_t *ask;     /* rows + columns: zero, positive or free, of the unknown as it stands */
  int8_t *sign;    /* rows + columns: unknown as it stands = sign · unknown */
  uint8_t *seen;   /* rows + columns: > 0 somewhere on P */
  int *scale;      /* rows + columns + 1 at least: units while they are chosen */
  size_t scale_count;
  int64_t work;     /* products of limbs since the load */
  int64_t unpolled; /* of them since the context's progress was asked */
  int64_t limit;
  nsdyn_status status; /* NSDYN_CANCELLED once the context wished so */
} nsd_exact;

void nsd_exact_init(nsd_exact *w, nsdyn_context *ctx);
void nsd_exact_release(nsd_exact *w);

/* Takes z_R = A z_C + d: unknown j is column j, unknown columns + i is row i. Allocates where the problem is
 * larger than all before; what is too large for exact arithmetic is left undecided by all calls below.
 * NSDYN_ERR_NOMEM. */
nsdyn_status nsd_exact_load(nsd_exact *w, int rows, int columns, const double *A, int lda, const double *d,
                            int64_t limit);

/* Finds a vertex of the polyhedron that `ask` (rows + columns) makes, with as many unknowns of `basic` (may
 * be NULL) in the basis as may be. */
nsd_exact_end nsd_exact_open(nsd_exact *w, const int8_t *ask, const uint8_t *basic);

/* What is zero on all of an open polyhedron is asked to be zero from now on; all else that is asked a sign is
 * positive somewhere. Columns not asked to be zero then span P. */
nsd_exact_end nsd_exact_close(nsd_exact *w);

/* Whether z_k as it was loaded is positive (sense 1) or negative (−1) somewhere on an open P: 1 or 0; −1
 * where that remains unknown. */
int nsd_exact_reaches(nsd_exact *w, int k, int sense);

/* Columns that are not asked to be zero. */
int nsd_exact_dimension(const nsd_exact *w);

/* Whether an open P that has been closed has a ray; −1 where that remains unknown. */
int nsd_exact_is_unbounded(nsd_exact *w);

/* Element and constant of the tableau times 2^shift, of unknowns as they stand, rounded. */
double nsd_exact_element(const nsd_exact *w, int r, int s, int shift);
double nsd_exact_constant(const nsd_exact *w, int r, int shift);

#endif
