/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* A cell: the polyhedron of all Λ for which some functionals (signs.h) are zero and some are >= 0.
 *
 * It is held as a tableau that shows one of its points. Unknowns have one number each: the functional f_k is
 * k, Λ_j is `functionals` + j. Every row gives a basic unknown by the others,
 *
 *   z_B = c + T z_N,    c_r >= 0 at rest where z_B >= 0 is asked,
 *
 * and z_N = 0 is the point. What is <= 0 by the mode stands in the tableau with its sign turned. Columns of
 * what is zero on the whole cell stay in the tableau, out of the way of the ratio tests: a row
 * z_r − Σ T_rs z_s = c_r is a combination of the functionals in which Λ cancels, and it proves what it
 * claims: that the cell is empty, or that z_r is zero throughout. Such claims are checked on a and d
 * themselves; the pivots that led to them need not be believed.
 *
 * Zeros. An element that cancels to 2^-46 of itself is zero; so is what is below 2^-38 (in c_r, 2^-40) of the
 * terms it is a sum of. Rules free of units. */
#ifndef NSD_CONTACT_CELL_H
#define NSD_CONTACT_CELL_H

#include "contact/signs.h"

typedef struct nsd_cell {
  int rows;       /* functionals */
  int columns;    /* of Λ */
  int ld;         /* doubles from column to column */
  int age;        /* pivots since the tableau was fresh */
  int is_exact;   /* every number is the exact one, rounded (decide.h) */
  double *T;      /* columns × ld */
  double *c;      /* ld */
  int32_t *row;   /* rows: the unknown of a row */
  int32_t *slot;  /* columns: the unknown of a column */
  int32_t *place; /* rows + columns: row r of a basic unknown, ~slot of another */
  int8_t *ask;    /* rows + columns: NSD_ASK_ZERO, _POSITIVE or _NOTHING, of the unknown as it stands here */
  int8_t *sign;   /* rows + columns: unknown = sign · functional */
  uint8_t *mark;  /* rows + columns: NSD_CELL_… */
} nsd_cell;

enum {
  NSD_CELL_SEEN = 1,    /* > 0 was seen at a point of the cell */
  NSD_CELL_TO_BASIS = 2 /* used by nsd_cell_refresh() */
};

/* What an operation on a cell ends with. */
typedef enum nsd_cell_end {
  NSD_CELL_OPEN = 0, /* not empty; the tableau is feasible */
  NSD_CELL_EMPTY
} nsd_cell_end;

struct nsd_exact;
struct nsd_sure;

/* What all cells of one search share. */
typedef struct nsd_cells {
  const nsd_signs *signs;
  struct nsd_exact *exact; /* decides what rounding cannot (decide.h); NULL: such claims are doubtful */
  struct nsd_sure *sure;   /* where there is exact arithmetic: tells what rounding can */
  int exact_is_loaded;
  nsdyn_status status; /* of exact arithmetic: out of memory, or cancelled */
  int64_t exact_work;  /* it may spend */
  double *old;         /* ld */
  double *multiplier;  /* functionals */
  double *sum;         /* rows of Λ */
  double *size;        /* rows of Λ */
  uint8_t *basic;      /* functionals + rows of Λ */
  int8_t *ask;         /* functionals + rows of Λ */
  int64_t pivots;
  int64_t doubtful; /* claims acted upon that a and d do not bear out beyond rounding */
} nsd_cells;

typedef enum nsd_cell_claim {
  NSD_CELL_NEGATIVE, /* c_r < 0 and no T_rs > 0: the cell is empty */
  NSD_CELL_POSITIVE, /* z_r = 0 is asked, c_r > 0 and no T_rs < 0: the cell is empty */
  NSD_CELL_ZERO      /* c_r = 0 and no T_rs > 0: z_r = 0 on the cell, and z_s = 0 where T_rs < 0 */
} nsd_cell_claim;

void nsd_cells_lay_out(nsd_arena *arena, nsd_cells *cells, int functionals, int rows);
void nsd_cell_lay_out(nsd_arena *arena, nsd_cell *cell, int functionals, int rows);
void nsd_cell_copy(nsd_cell *to, const nsd_cell *from);

/* f = a Λ + d with what is asked from the start; c may be negative. */
void nsd_cell_load(nsd_cell *cell, const nsd_cells *cells);

/* The tableau of the same basis afresh from a and d: what pivots have spoiled is gone. c may come out
 * negative. 0 where the basis is singular. */
int nsd_cell_refresh(nsd_cell *cell, nsd_cells *cells);

/* Exchanges the unknowns of row r and column s. */
void nsd_cell_exchange(nsd_cell *cell, nsd_cells *cells, int r, int s);

/* The same where nsd_cell_blocking() gave r: what was feasible stays so, rounding or not. */
void nsd_cell_step(nsd_cell *cell, nsd_cells *cells, int r, int s);

/* The row that stops an increase of column s: smallest c_i / −T_is; of equal ones the largest |T_is|, or with
 * Bland's rule the least number. Rows with c_i < 0 stop nothing. Row `target` (−1: none) stops it where it
 * reaches zero, and wins ties. −1 where nothing stops it. */
int nsd_cell_blocking(const nsd_cell *cell, const nsd_cells *cells, int s, int target, int bland);

/* Turns the sign of an unknown. */
void nsd_cell_turn(nsd_cell *cell, int k);

/* Whether T_rs is more than rounding; if not, it becomes zero. Along column s Λ' changes by dΛ', which the
 * rows of Λ' show, and T_rs is Σ a_kj dΛ_j: below 2^-38 Σ |a_kj dΛ_j| nothing of it is left. */
int nsd_cell_accept(const nsd_cell *cell, const nsd_cells *cells, int r, int s);

/* Sets to zero what nsd_cell_accept() would, and c_r that is rounding of zero. */
void nsd_cell_denoise(const nsd_cell *cell, const nsd_cells *cells);
void nsd_cell_clean(const nsd_cell *cell, const nsd_cells *cells);

/* Whether a and d bear out what row r claims. */
int nsd_cell_proves(const nsd_cell *cell, const nsd_cells *cells, int r, nsd_cell_claim claim);

static inline double *nsd_cell_column(const nsd_cell *cell, int s)
{
  return cell->T + (size_t)s * (size_t)cell->ld;
}

/* Whether column s may move. */
static inline int nsd_cell_is_live(const nsd_cell *cell, int s)
{
  return cell->ask[cell->slot[s]] != NSD_ASK_ZERO;
}

/* Whether the unknown of column s is free to move either way. */
static inline int nsd_cell_is_free(const nsd_cell *cell, int s)
{
  return cell->ask[cell->slot[s]] == NSD_ASK_NOTHING;
}

static inline double nsd_cell_value(const nsd_cell *cell, int k)
{
  return cell->place[k] >= 0 ? cell->c[cell->place[k]] : 0.0;
}

#endif
