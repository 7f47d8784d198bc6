/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Files of this folder, from the parts to the whole:
 *
 *   cell_tableau.h .c    a polyhedron, held as a tableau
 *   cell_narrow.h .c     more is asked of it
 *   cell_maximise.h .c   how large an unknown becomes on it
 *   generators.h .c      its vertices and rays
 *   error_bounds.h .c    what its rounded numbers say for sure
 *   row_proof.h .c       a proof of what one row says, on the numbers as given
 *   bigint.h .c          whole numbers of any length
 *   cell_exact.h .c      the polyhedron in exact arithmetic
 *   decide_exactly.h .c  which of these three is asked, and what becomes of the answer
 *   unit.h .c            alternatives: one of each unit holds
 *   pieces.h .c          pieces that were found, each once
 *   tree.h .c            the search through alternatives, which leads all this
 *
 * A cell: a polyhedron of points z, given by what is asked of them and of some affine functionals,
 *
 *   f_i(z) = a_i z + d_i,    each z_j and each f_i zero, >= 0, <= 0, or free.
 *
 * An LCP asks x >= 0 and y = A x + b >= 0; a contact problem asks nothing of Λ itself, but of functionals of
 * it. The cell is held as a tableau that shows one of its points. Unknowns have one number each: z_j is j,
 * f_i is `columns` + i. Every row gives a basic unknown by the others,
 *
 *   u_B = c + T u_N,    c_r >= 0 at rest where u_B >= 0 is asked,
 *
 * and u_N = 0 is the point. What is asked to be <= 0 stands in the tableau with its sign turned.
 *
 * Columns. Those of unknowns that are not asked to be zero are `live`: they may move. A column of a z_j that
 * is zero is dropped. A column of an f_i that is zero is kept, out of the way of the ratio tests, because a
 * row with it is a proof: u_r − Σ T_rs u_s = c_r is a combination of the functionals, and the numbers at the
 * f_i are its multipliers. What a cell claims (it is empty, u_r = 0 on all of it) is checked with them on a
 * and d themselves (row_proof.h); the pivots that led to the claim need not be believed.
 *
 * Zeros. An element that cancels to 2^-46 of itself is zero; so is c_r below 2^-40 of the terms that it is a
 * sum of, and T_rs where nsd_cell_accept() says so. */
#ifndef NSD_SEARCH_CELL_H
#define NSD_SEARCH_CELL_H

#include "base/arena.h"
#include "base/poll.h"

/* What may be asked of an unknown. */
enum {
  NSD_ASK_NEGATIVE = -1, /* <= 0 */
  NSD_ASK_ZERO = 0,
  NSD_ASK_POSITIVE = 1, /* >= 0 */
  NSD_ASK_NOTHING = 2
};

/* The functionals that all cells of a search are made of. */
typedef struct nsd_forms {
  int rows;             /* functionals */
  int columns;          /* z */
  int dense;            /* of so many at the beginning, each has most z in it; the others have one or two */
  const double *a;      /* rows × columns */
  const double *d;      /* rows */
  const int8_t *base;   /* columns + rows: what is asked in every cell */
  const uint8_t *tells; /* columns + rows: its sign tells pieces apart; NULL: all do */
  int is_exact;         /* a and d are the given numbers times powers of two */
  /* The given numbers, for exact arithmetic; given_a NULL: there are none. */
  const double *given_a;
  int given_lda;
  const double *given_d;
  const int *unit; /* columns + rows: unknown = 2^unit · given unknown; NULL: all zero */
} nsd_forms;

typedef struct nsd_cell {
  int rows;        /* functionals */
  int columns;     /* of z */
  int ld;          /* doubles from column to column */
  int live_count;  /* columns that may move */
  int proof_count; /* columns of functionals that are zero */
  int age;         /* pivots since the tableau was fresh */
  int is_exact;    /* every number is the exact one, rounded (decide_exactly.h) */
  double *T;       /* columns × ld */
  double *c;       /* ld */
  double *guard;   /* ld: 1 where the row's unknown may not go below zero, else 0 */
  double *ratio;   /* ld: scratch */
  int32_t *row;    /* rows: the unknown of a row */
  int32_t *slot;   /* columns: the unknown of a column */
  int32_t *live;   /* columns */
  int32_t *proof;  /* columns */
  int32_t *few;    /* columns: scratch */
  int32_t *place;  /* columns + rows: row r of a basic unknown, ~slot of another */
  int8_t *ask;     /* columns + rows: NSD_ASK_ZERO, _POSITIVE or _NOTHING, of the unknown as it stands here */
  int8_t *sign;    /* columns + rows: unknown as it stands here = sign · unknown */
  uint8_t *mark;   /* columns + rows: NSD_CELL_… */
} nsd_cell;

enum {
  NSD_CELL_SEEN = 1,     /* > 0 was seen at a point of the cell */
  NSD_CELL_TO_BASIS = 2, /* used by nsd_cell_refresh() */
  NSD_CELL_ABOVE = 4,    /* the unknown as it was given is > 0 on all of the cell */
  NSD_CELL_BELOW = 8     /* < 0 */
};

/* What an operation on a cell ends with. */
typedef enum nsd_cell_end {
  NSD_CELL_OPEN = 0, /* not empty; the tableau is feasible */
  NSD_CELL_EMPTY
} nsd_cell_end;

struct nsd_exact;
struct nsd_error_bounds;

/* Another judge of what closes a cell: whether the cell with u_extra = 0 on top (−1: nothing) is proved to
 * hold nothing that is looked for; v (rows) are multipliers of the functionals. */
typedef int nsd_cell_judge(void *user, const nsd_cell *cell, int extra, const double *v);

/* What all cells of one search share. */
typedef struct nsd_cells {
  const nsd_forms *forms;
  int has_free;          /* something is asked nothing from the start */
  nsd_cell_judge *judge; /* nothing is claimed that it does not close; NULL: there is none */
  void *judge_user;      /* its first argument */
  struct nsd_exact
      *exact; /* decides what rounding cannot (decide_exactly.h); NULL: such claims are doubtful */
  struct nsd_error_bounds *sure; /* where there is exact arithmetic: tells what rounding can */
  int exact_is_loaded;
  int64_t exact_work;  /* it may spend */
  nsd_poll poll;       /* asked by pivots; the caller sets it */
  nsdyn_status status; /* out of memory, or cancelled: cells say nothing of worth from then on */
  double *weight;      /* rows: Σ_j |a_ij|, where something is free */
  double *row_fall;    /* ld: of each row how far the live columns lower it per unit of way in each */
  double *row_rise;    /* ld: and how far they raise it */
  double *magnitude;   /* ld */
  double *multiplier;  /* rows */
  int32_t *some;       /* rows: functionals with a multiplier */
  double *sum;         /* columns */
  double *size;        /* columns */
  uint8_t *basic;      /* columns + rows */
  int8_t *ask;         /* columns + rows */
  int64_t pivots;
  int64_t doubtful; /* claims acted upon that a and d do not bear out beyond rounding */
} nsd_cells;

/* Nothing that follows counts any more: it has failed, or whoever waits wants no answer. */
static inline int nsd_cells_have_stopped(const nsd_cells *cells)
{
  return cells->status || cells->poll.is_cancelled;
}

void nsd_cells_lay_out(nsd_arena *arena, nsd_cells *cells, int rows, int columns);

/* Begins a search: no judge, no exact arithmetic, nothing counted. `forms` must live on. */
void nsd_cells_load(nsd_cells *cells, const nsd_forms *forms);

void nsd_cell_lay_out(nsd_arena *arena, nsd_cell *cell, int rows, int columns);
void nsd_cell_copy(nsd_cell *to, const nsd_cell *from, nsd_poll *poll);

/* f = a z + d with what is asked from the start; c may be negative. */
void nsd_cell_load(nsd_cell *cell, nsd_cells *cells);

/* The tableau of the same basis afresh from a and d: what pivots have spoiled is gone. c may come out
 * negative. 0 where the basis is singular. */
int nsd_cell_refresh(nsd_cell *cell, nsd_cells *cells);

/* Exchanges the unknowns of row r and live column s. */
void nsd_cell_exchange(nsd_cell *cell, nsd_cells *cells, int r, int s);

/* The same where nsd_cell_blocking() gave r: what was feasible stays so, rounding or not. */
void nsd_cell_step(nsd_cell *cell, nsd_cells *cells, int r, int s);

/* The live column that moves u_r in the direction `sense` (0: either) by most per unit of way in all
 * unknowns, T_rs² / (1 + |T_s|²): steepest edge; with Bland's rule that of least number. −1 where there is
 * none. */
int nsd_cell_entering(nsd_cell *cell, nsd_cells *cells, int r, double sense, int bland);

/* The row that stops an increase of column s: smallest c_i / −T_is; of equal ones the largest |T_is|, or with
 * Bland's rule the least number. Rows with c_i < 0 stop nothing. Row `target` (−1: none) stops it where it
 * reaches zero, and wins ties. −1 where nothing stops it. */
int nsd_cell_blocking(const nsd_cell *cell, const nsd_cells *cells, int s, int target, int bland);

/* Turns the sign of an unknown. */
void nsd_cell_turn(nsd_cell *cell, int k);

/* u_k is asked to be zero from now on; its column, if it has one, moves no more. */
void nsd_cell_hold(nsd_cell *cell, int k);

/* Whether T_rs is more than rounding; if not, it becomes zero. Where every unknown has a sign, all are scaled
 * to like size, and T_rs is measured by its column. Where z is free, its units are not those of f: along
 * column s, z changes by dz, which the rows of z show, and T_rs is Σ a_kj dz_j: below 2^-38 Σ |a_kj dz_j|
 * nothing of it is left. */
int nsd_cell_accept(const nsd_cell *cell, const nsd_cells *cells, int r, int s);

/* Sets to zero what nsd_cell_accept() would. */
void nsd_cell_denoise(const nsd_cell *cell, nsd_cells *cells);

/* c_r that is rounding of zero becomes zero. A row of the tableau is a combination v of the functionals, so
 * c_r = Σ v_i d_i: below 2^-40 Σ |v_i d_i| nothing of it is left, whatever path led here. */
void nsd_cell_clean(const nsd_cell *cell, nsd_cells *cells);

static inline double *nsd_cell_column(const nsd_cell *cell, int s)
{
  return cell->T + (size_t)s * (size_t)cell->ld;
}

/* Whether u_k is asked to be zero. */
static inline int nsd_cell_is_held(const nsd_cell *cell, int k)
{
  return cell->ask[k] == NSD_ASK_ZERO;
}

/* Whether the unknown of column s may move either way. */
static inline int nsd_cell_is_free(const nsd_cell *cell, int s)
{
  return cell->ask[cell->slot[s]] == NSD_ASK_NOTHING;
}

/* u_k at the point that the tableau shows, as it stands there. */
static inline double nsd_cell_value(const nsd_cell *cell, int k)
{
  return cell->place[k] >= 0 ? cell->c[cell->place[k]] : 0.0;
}

#endif
