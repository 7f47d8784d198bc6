/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "lcp/solve/block.h"

#include <float.h>
#include <limits.h>
#include <string.h>

#include "base/context.h"
#include "base/dense.h"
#include "base/tolerances.h"
#include "lcp/matrix/symmetry.h"
#include "lcp/solve/block_small.h"
#include "lcp/solve/first_basis.h"
#include "lcp/solve/polish.h"

#define PATIENCE 5 /* rounds without progress before single exchanges */
#define LARGEST_DEFAULT_LIMIT 10000

void nsd_block_lay_out(nsd_arena *arena, void *workspace, int n)
{
  nsd_block *w = workspace;
  const size_t size = (size_t)n;
  nsd_ldl_update_lay_out(arena, &w->factor, n);
  nsd_basis_lay_out(arena, &w->basis, n);
  w->y = nsd_arena_take(arena, size, sizeof *w->y);
  w->shift = nsd_arena_take(arena, size, sizeof *w->shift);
  w->right = nsd_arena_take(arena, (size_t)w->factor.ld, sizeof *w->right);
  w->rows = nsd_arena_take(arena, size, sizeof *w->rows);
  w->next = nsd_arena_take(arena, size, sizeof *w->next);
  w->ctx = NULL;
}

/* A pivot of the factorization that is no larger is rounding. */
static double pivot_tol(int n)
{
  return NSD_UPDATED_PIVOT_ROUNDING(n);
}

/* The caller's basis; a place without a bound to stand for it becomes basic, as solve/basis.h has it. */
static void adopt(const nsd_lcp_problem *p, const int32_t *start, nsd_lcp_answer *answer)
{
  for (int i = 0; i < p->n; i++) {
    const double bound = start[i] == NSDYN_LCP_AT_HI ? nsd_lcp_hi(p, i) : nsd_lcp_lo(p, i);
    answer->basis[i] = isfinite(bound) ? start[i] : NSDYN_LCP_BASIC;
  }
}

/* Puts the unknowns at bounds there; shift := b + Σ_bounds A_j x_j. A is symmetric: its rows are its columns.
 */
static void place_bounds(const nsd_block *w, const nsd_lcp_problem *p, nsd_lcp_answer *answer)
{
  memcpy(w->shift, p->b, (size_t)p->n * sizeof *w->shift);
  int m = 0;
  for (int i = 0; i < p->n; i++) {
    if (answer->basis[i] == NSDYN_LCP_BASIC) {
      continue;
    }
    const double bound = answer->basis[i] == NSDYN_LCP_AT_LO ? nsd_lcp_lo(p, i) : nsd_lcp_hi(p, i);
    answer->x[i] = bound;
    if (bound != 0.0) {
      w->right[m] = bound;
      w->rows[m++] = i;
    }
  }
  if (m > 0) {
    nsd_add_rows(p, m, w->rows, w->right, w->shift, w->basis.poll);
  }
}

/* x and y of the basis that is factored: A_FF x_F = −shift_F, y = shift + A_·F x_F. NSDYN_OK,
 * NSDYN_CANCELLED. */
static nsdyn_status solve_factored(const nsd_block *w, const nsd_lcp_problem *p, nsd_lcp_answer *answer)
{
  const nsd_ldl_update *f = &w->factor;
  place_bounds(w, p, answer);
  if (nsd_poll_stops(w->basis.poll, 0.0)) {
    return NSDYN_CANCELLED;
  }
  for (int k = 0; k < f->m; k++) {
    w->right[k] = -w->shift[f->rows[k]];
  }
  nsd_ldl_update_solve(f, w->right);
  if (nsd_poll_stops(w->basis.poll, 0.0)) {
    return NSDYN_CANCELLED;
  }
  for (int k = 0; k < f->m; k++) {
    answer->x[f->rows[k]] = w->right[k];
  }
  memcpy(w->y, w->shift, (size_t)p->n * sizeof *w->y);
  nsd_add_rows(p, f->m, f->rows, w->right, w->y, w->basis.poll);
  return nsd_poll_stops(w->basis.poll, 0.0) ? NSDYN_CANCELLED : NSDYN_OK;
}

static nsdyn_status refuse_minor(nsd_lcp_answer *answer, int row)
{
  return nsd_lcp_refuse(answer, row, "symmetric but not positive definite: a principal block ends here");
}

/* Factors the basic block from nothing. */
static nsdyn_status factor_basis(nsd_block *w, const nsd_lcp_problem *p, nsd_lcp_answer *answer)
{
  int m = 0;
  for (int i = 0; i < p->n; i++) {
    w->factor.rows[m] = i;
    m += answer->basis[i] == NSDYN_LCP_BASIC;
  }
  const int failed = nsd_ldl_update_build(&w->factor, p, m, pivot_tol(p->n));
  return failed < 0 ? NSDYN_OK : refuse_minor(answer, w->factor.rows[failed]);
}

/* Takes the factorization from the answer's basis to `next`, row by row where that is cheaper. */
static nsdyn_status move_factor(nsd_block *w, const nsd_lcp_problem *p, int moves, nsd_lcp_answer *answer)
{
  nsd_ldl_update *f = &w->factor;
  /* An exchange costs 2 |F|² at most, a factorization |F|³/3: it pays for
   * |F|/6 exchanges, and not in small blocks. */
  if (6 * moves > f->m || f->m < 16) {
    memcpy(answer->basis, w->next, (size_t)p->n * sizeof *w->next);
    return factor_basis(w, p, answer);
  }
  /* From the last place to the first: a removal moves only the places behind it. */
  for (int k = f->m - 1; k >= 0; k--) {
    if (nsd_poll_stops(w->basis.poll, 0.0)) {
      return NSDYN_CANCELLED;
    }
    if (w->next[f->rows[k]] != NSDYN_LCP_BASIC) {
      nsd_ldl_update_remove(f, k);
    }
  }
  for (int i = 0; i < p->n; i++) {
    const int enters = w->next[i] == NSDYN_LCP_BASIC && answer->basis[i] != NSDYN_LCP_BASIC;
    answer->basis[i] = w->next[i];
    if (enters) {
      const int m = f->m;
      nsd_ldl_update_add(f, p, i, pivot_tol(p->n));
      /* Its pivot is the Schur complement A_ii − A_iF A_FF⁻¹ A_Fi, positive in every definite matrix. */
      if (f->m == m) {
        return refuse_minor(answer, i);
      }
      if (nsd_poll_stops(w->basis.poll, 0.0)) {
        return NSDYN_CANCELLED;
      }
    }
  }
  return NSDYN_OK;
}

/* x by LU and y where it is not zero, for A that is not symmetric. */
static nsdyn_status solve_general(nsd_block *w, const nsd_lcp_problem *p, nsd_lcp_answer *answer)
{
  /* A_FF x_F = −b_F − A_FB x_B. */
  const nsdyn_status status = nsd_basis_solve(&w->basis, p, answer->basis, answer->x);
  if (status == NSDYN_ERR_SINGULAR) {
    return nsd_lcp_refuse(answer, -1, "no P-matrix: a principal block is singular");
  }
  if (status) {
    return status;
  }
  /* y_i of basic unknowns is zero by that equation; the others show whether they are at the right bound. */
  for (int i = 0; i < p->n; i++) {
    w->y[i] =
        answer->basis[i] == NSDYN_LCP_BASIC ? 0.0 : p->b[i] + nsd_dot(p->n, nsd_lcp_row(p, i), answer->x);
    (void)nsd_poll_stops(w->basis.poll, p->n);
  }
  return NSDYN_OK;
}

/* Where the signs of x_i and y_i say that unknown i belongs. */
static int32_t wanted(const nsd_lcp_problem *p, int i, int32_t place, const double *x, double y)
{
  const double lo = nsd_lcp_lo(p, i);
  const double hi = nsd_lcp_hi(p, i);
  if (place == NSDYN_LCP_BASIC) {
    /* Below lo: 0 = AT_LO; within: 1 = BASIC; above hi: 2 = AT_HI. */
    return (x[i] >= lo) + (x[i] > hi);
  }
  /* At a bound y may have one sign only; fixed unknowns (lo = hi) may have any. */
  const double wrong = place == NSDYN_LCP_AT_LO ? -y : y;
  if (!(wrong > 0.0) || lo == hi || wrong <= NSD_LCP_NO_SIGN * nsd_lcp_row_scale(p, i, x)) {
    return place;
  }
  return NSDYN_LCP_BASIC;
}

/* Fills `next`; returns how many unknowns are in the wrong place, and the first of them. */
static int find_wrong(const nsd_block *w, const nsd_lcp_problem *p, const nsd_lcp_answer *answer, int *first)
{
  int wrong = 0;
  for (int i = p->n - 1; i >= 0; i--) {
    w->next[i] = wanted(p, i, answer->basis[i], answer->x, w->y[i]);
    if (w->next[i] != answer->basis[i]) {
      wrong++;
      *first = i;
    }
    (void)nsd_poll_stops(w->basis.poll, p->n);
  }
  return wrong;
}

/* Only the first wrong unknown moves. */
static void keep_first(const nsd_block *w, const nsd_lcp_problem *p, int first, const nsd_lcp_answer *answer)
{
  const int32_t moved = w->next[first];
  memcpy(w->next, answer->basis, (size_t)p->n * sizeof *w->next);
  w->next[first] = moved;
}

static int round_limit(int n, const nsdyn_lcp_options *options)
{
  if (options->max_iterations >= 0) {
    return options->max_iterations;
  }
  return 100 + (n < 13 ? 1 << n : LARGEST_DEFAULT_LIMIT);
}

/* Whether a basic unknown is so small beside the largest that rounding may be all of it. */
static int has_noise(const nsd_lcp_problem *p, const nsd_lcp_answer *answer)
{
  /* The least |x_F| beside the largest |x|: where it is 1e-12 of that, it may have either sign. */
  double largest = 0.0;
  double smallest = INFINITY;
  for (int i = 0; i < p->n; i++) {
    const double size = fabs(answer->x[i]);
    largest = size > largest ? size : largest;
    smallest = answer->basis[i] == NSDYN_LCP_BASIC && size < smallest ? size : smallest;
  }
  return smallest <= NSD_LCP_X_ROUNDING * largest;
}

/* The x at hand, refined and judged: signs that are rounding may keep the rounds from ending. */
static nsdyn_status accept(nsd_block *w, const nsd_lcp_problem *p, const nsdyn_lcp_options *options,
                           nsd_lcp_answer *answer)
{
  nsd_lcp_project(p, answer->x);
  const double residual = nsd_lcp_polish(&w->basis, p, answer->basis, answer->x, w->right);
  if (!(residual <= options->tol)) {
    return NSDYN_MAX_ITERATIONS;
  }
  nsd_basis_of(p, answer->x, answer->basis);
  return NSDYN_OK;
}

/* The rounds (Kostreva 1978; Júdice and Pires 1994), until no unknown is in the wrong place.
 *
 *   1 x and y of the basis: x_B = bound, y_F = 0.
 *   2 The wrong ones: basic and beyond a bound, or at a bound with the wrong sign of y. None: solved.
 *   3 The limit, and the caller.
 *   4 All wrong ones change places, as long as they become fewer; after PATIENCE rounds in
 *     vain only the one with the least index (Murty's rule, which ends for every P-matrix),
 *     until they are fewer than ever before.
 *   5 The factors follow the basis. */
static nsdyn_status iterate(nsd_block *w, const nsd_lcp_problem *p, const nsdyn_lcp_options *options,
                            int symmetric, nsd_lcp_answer *answer)
{
  const int limit = round_limit(p->n, options);
  const int interval = nsd_lcp_poll_interval((double)p->n * p->n * p->n);
  int best = INT_MAX;
  int singles = 0;
  int patience = PATIENCE;
  nsdyn_status status = symmetric ? factor_basis(w, p, answer) : NSDYN_OK;
  for (;;) {
    if (status) {
      return status;
    }
    /* Stage 1. Symmetric: UᵀDU that follows the basis. Otherwise LU, every time. */
    status = symmetric ? solve_factored(w, p, answer) : solve_general(w, p, answer);
    if (status) {
      return status;
    }
    /* Stage 2. Indices at which the complementary point of the basis breaks its bounds. */
    int first = -1;
    int wrong = find_wrong(w, p, answer, &first);
    if (wrong == 0) {
      return !symmetric || has_noise(p, answer) ? accept(w, p, options, answer) : NSDYN_OK;
    }
    /* Stage 3. At a limit signs that are rounding may have kept the rounds from ending: so judge first. */
    if (answer->iterations >= limit) {
      return accept(w, p, options, answer);
    }
    answer->iterations++;
    if (nsd_poll_stops(w->basis.poll, 0.0) ||
        (answer->iterations % interval == 0 && nsd_progress(w->ctx, "block pivots", -1.0))) {
      return NSDYN_CANCELLED;
    }
    /* Stage 4. All change at once while there are ever fewer; else one at a time, by the least index. */
    if (wrong < best) {
      best = wrong;
      patience = PATIENCE;
    } else if (patience > 0) {
      patience--;
    } else {
      /* Single exchanges may go on for very long because a sign is rounding: judge once per n + 1 of them. */
      if (singles++ % (p->n + 1) == 0 && accept(w, p, options, answer) == NSDYN_OK) {
        return NSDYN_OK;
      }
      keep_first(w, p, first, answer);
      wrong = 1;
    }
    /* Stage 5. UᵀDU row by row, or a copy of the basis for the next LU. */
    if (symmetric) {
      status = move_factor(w, p, wrong, answer);
    } else {
      memcpy(answer->basis, w->next, (size_t)p->n * sizeof *w->next);
    }
  }
}

nsdyn_status nsd_block_solve(void *workspace, const nsd_lcp_problem *p, const nsdyn_lcp_options *options,
                             const int32_t *start, nsd_lcp_answer *answer)
{
  nsd_block *w = workspace;
  answer->iterations = 0;
  answer->has_ray = 0;
  /* A positive diagonal is what every P-matrix has, and cheap to see. */
  const int row = nsd_lcp_row_without_positive_diagonal(p);
  if (row >= 0) {
    return nsd_lcp_refuse(answer, row, "block pivoting needs positive diagonal elements");
  }
  const int symmetric = p->symmetry == NSD_SYMMETRY_OPEN ? nsd_lcp_asymmetric_row(p, w->basis.poll) < 0
                                                         : p->symmetry == NSD_SYMMETRIC;
  if (start) {
    adopt(p, start, answer);
  } else {
    nsd_first_guess(p, symmetric, w->right, w->y, w->shift, answer->basis, w->basis.poll);
  }
  /* Up to four unknowns: the same rounds without branches. */
  if (symmetric && nsd_block_small_solve(p, answer)) {
    return NSDYN_OK;
  }
  nsdyn_status status = NSDYN_CANCELLED;
  if (!nsd_poll_stops(w->basis.poll, 0.0)) {
    status = iterate(w, p, options, symmetric, answer);
  }
  /* A run that was stopped may have been within a factorization: then nothing
   * is solved, and x is the point next to zero. */
  if (status == NSDYN_CANCELLED) {
    nsd_lcp_project_zero(p, answer->x);
  }
  return status >= 0 && !nsd_all_finite(1, p->n, answer->x, p->n) ? NSDYN_ERR_NOT_FINITE : status;
}
