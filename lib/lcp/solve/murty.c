/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "lcp/solve/murty.h"

#include <float.h>
#include <string.h>

#include "base/context.h"
#include "base/dense.h"
#include "base/kernels/exchange.h"
#include "base/tolerances.h"
#include "lcp/proof/certificate.h"
#include "lcp/solve/polish.h"

#define ROUNDS 8 /* fresh tableaus, should rounding have spoilt the first */
#define LARGEST_DEFAULT_LIMIT (1 << 20)
#define COLUMN_READ 60.0 /* multiplications that take as long as to read an element out of a column */

void nsd_murty_lay_out(nsd_arena *arena, void *workspace, int n)
{
  nsd_murty *w = workspace;
  const size_t size = (size_t)n;
  w->ld = nsd_tableau_ld(n);
  w->T = nsd_arena_take(arena, (size_t)w->ld * (size + 1), sizeof *w->T);
  w->terms = nsd_arena_take(arena, size, sizeof *w->terms);
  w->diagonal_terms = nsd_arena_take(arena, size, sizeof *w->diagonal_terms);
  w->y = nsd_arena_take(arena, size, sizeof *w->y);
  nsd_basis_lay_out(arena, &w->basis, n);
  w->ctx = NULL;
}

static double *column(const nsd_murty *w, int j)
{
  return w->T + (size_t)j * (size_t)w->ld;
}

static int is_basic(const nsd_lcp_answer *answer, int r)
{
  return answer->basis[r] == NSDYN_LCP_BASIC;
}

/* Exchanges variable r with its complement. Zero where the pivot is not positive beyond rounding: no
 * P-matrix. Of constants and diagonal elements it notes the largest term that was ever added to them. */
static int exchange(nsd_murty *w, int n, int r, nsd_lcp_answer *answer)
{
  const double *pivot_column = column(w, r);
  const double pivot = pivot_column[r];
  /* A principal pivot of a P-matrix is a quotient of two principal minors, hence positive. What is no more
   * than the rounding of its largest term is not known to be. */
  if (!(pivot > n * NSD_MURTY_ROUNDING * w->diagonal_terms[r])) {
    return 0;
  }
  const double diagonal = w->diagonal_terms[r];
  const double step = fabs(column(w, n)[r] / pivot);
  /* The exchange subtracts T_ir T_rj / T_rr from T_ij: here for the
   * constants (j = n) and the diagonal (j = i). */
  for (int i = 0; i < n; i++) {
    const double term = fabs(pivot_column[i]) * step;
    const double diagonal_term = fabs(pivot_column[i]) * fabs(column(w, i)[r] / pivot);
    w->terms[i] = w->terms[i] > term ? w->terms[i] : term;
    w->diagonal_terms[i] = w->diagonal_terms[i] > diagonal_term ? w->diagonal_terms[i] : diagonal_term;
  }
  w->terms[r] = step;
  w->diagonal_terms[r] = diagonal / pivot / pivot;
  nsd_tableau_exchange_asking(n, n + 1, w->T, w->ld, r, r, w->basis.poll);
  answer->basis[r] = is_basic(answer, r) ? NSDYN_LCP_AT_LO : NSDYN_LCP_BASIC;
  return 1;
}

/* T := (A, b), then as many exchanges as lead to the basis. Returns the row that has no pivot, or −1. */
static int enter_basis(nsd_murty *w, const nsd_lcp_problem *p, nsd_lcp_answer *answer)
{
  const int n = p->n;
  for (int j = 0; j < n; j++) {
    /* Column j of T: y = A x + b, all x nonbasic. It is a tableau by
     * columns, with zeros that make whole vectors. */
    double *T = column(w, j);
    for (int i = 0; i < n; i++) {
      T[i] = nsd_lcp_row(p, i)[j];
    }
    memset(T + n, 0, (size_t)(w->ld - n) * sizeof *T);
    if (nsd_poll_stops(w->basis.poll, COLUMN_READ * n)) {
      return -1; /* follow_path() ends */
    }
  }
  double *constants = column(w, n);
  for (int i = 0; i < n; i++) {
    constants[i] = p->b[i];
    w->terms[i] = fabs(p->b[i]);
    w->diagonal_terms[i] = 0.0;
  }
  memset(constants + n, 0, (size_t)(w->ld - n) * sizeof *constants);
  /* n principal exchanges at most: in any order, since every principal block of a P-matrix is regular. */
  for (int r = 0; r < n; r++) {
    if (is_basic(answer, r) && !nsd_poll_stops(w->basis.poll, 0.0)) {
      answer->basis[r] = NSDYN_LCP_AT_LO;
      if (!exchange(w, n, r, answer)) {
        return r;
      }
    }
  }
  return -1;
}

/* The first constant that is negative beyond rounding, −1 if there is none. */
static int first_negative(const nsd_murty *w, int n)
{
  const double *constants = column(w, n);
  for (int r = 0; r < n; r++) {
    if (constants[r] < -NSD_MURTY_ROUNDING * w->terms[r]) {
      return r;
    }
  }
  return -1;
}

/* x of the tableau, then of its basis solved afresh. */
static double read_answer(nsd_murty *w, const nsd_lcp_problem *p, nsd_lcp_answer *answer)
{
  const double *constants = column(w, p->n);
  for (int i = 0; i < p->n; i++) {
    /* Nonbasic x are zero; a basic one below zero is rounding (its row is not negative any more). */
    answer->x[i] = is_basic(answer, i) && constants[i] > 0.0 ? constants[i] : 0.0;
  }
  return nsd_lcp_polish(&w->basis, p, answer->basis, answer->x, w->y);
}

static int pivot_limit(int n, const nsdyn_lcp_options *options)
{
  if (options->max_iterations >= 0) {
    return options->max_iterations;
  }
  /* Least indices visit no basis twice, and there are 2^n. */
  return n < 20 ? 1 << n : LARGEST_DEFAULT_LIMIT;
}

static nsdyn_status refuse_minor(nsd_lcp_answer *answer, int row)
{
  return nsd_lcp_refuse(answer, row, "no P-matrix: a principal minor with this row is not positive");
}

/* From the basis in the answer along least indices. NSDYN_ERR_SINGULAR: no pivot, but the tableau is
 * not fresh, so that rounding may be the reason. */
static nsdyn_status follow_path(nsd_murty *w, const nsd_lcp_problem *p, int limit, nsd_lcp_answer *answer)
{
  /* Stage 1. The tableau of the basis: constants q_B, of which x_B = q_B and y_N = q_N. */
  int row = enter_basis(w, p, answer);
  if (row >= 0) {
    return refuse_minor(answer, row);
  }
  if (nsd_poll_stops(w->basis.poll, 0.0)) {
    return NSDYN_CANCELLED;
  }
  const int interval = nsd_lcp_poll_interval((double)p->n * p->n);
  /* Stage 2. The least index with q_r < 0: x_r and y_r change
   * places. For P-matrices this ends (Murty 1974). */
  for (int pivots = 0; (row = first_negative(w, p->n)) >= 0; pivots++) {
    if (answer->iterations >= limit) {
      return NSDYN_MAX_ITERATIONS;
    }
    if (nsd_poll_stops(w->basis.poll, 0.0) ||
        (pivots % interval == interval - 1 && nsd_progress(w->ctx, "least-index pivots", -1.0))) {
      return NSDYN_CANCELLED;
    }
    if (!exchange(w, p->n, row, answer)) {
      return pivots > 0 ? NSDYN_ERR_SINGULAR : refuse_minor(answer, row);
    }
    answer->iterations++;
  }
  return NSDYN_OK;
}

/* What Murty's method is not made for. */
static nsdyn_status check(const nsd_lcp_problem *p, nsd_lcp_answer *answer)
{
  for (int i = 0; i < p->n; i++) {
    if (nsd_lcp_lo(p, i) != 0.0 || nsd_lcp_hi(p, i) != INFINITY) {
      return nsd_lcp_refuse(answer, i, "Murty's method knows no bounds but 0 <= x");
    }
  }
  const int row = nsd_lcp_row_without_positive_diagonal(p);
  return row < 0 ? NSDYN_OK : nsd_lcp_refuse(answer, row, "Murty's method needs positive diagonal elements");
}

/* The answer of a run that was stopped: x = 0, which keeps the bounds. */
static void stay_near_zero(const nsd_lcp_answer *answer, int n)
{
  for (int i = 0; i < n; i++) {
    answer->x[i] = 0.0;
    answer->basis[i] = NSDYN_LCP_AT_LO;
  }
}

static int is_finite(const nsd_murty *w, int n)
{
  int holds = 1;
  for (int j = 0; j <= n && holds; j++) {
    holds = nsd_all_finite(1, n, column(w, j), n);
    if (nsd_poll_stops(w->basis.poll, 2.0 * n)) {
      break;
    }
  }
  return holds;
}

nsdyn_status nsd_murty_solve(void *workspace, const nsd_lcp_problem *p, const nsdyn_lcp_options *options,
                             const int32_t *start, nsd_lcp_answer *answer)
{
  nsd_murty *w = workspace;
  answer->iterations = 0;
  answer->has_ray = 0;
  /* Stage 1. Refuse what the method's proof does not cover. */
  nsdyn_status status = check(p, answer);
  if (status) {
    return status;
  }
  /* Stage 2. The basis to begin with: the caller's, or y basic everywhere. */
  for (int i = 0; i < p->n; i++) {
    answer->basis[i] = start && start[i] == NSDYN_LCP_BASIC ? NSDYN_LCP_BASIC : NSDYN_LCP_AT_LO;
  }
  /* Stage 3. Follow the path. It begins again from the basis at hand with a fresh tableau where rounding
   * has spoilt the old one: no pivot was left, or the answer does not keep its certificate. */
  for (int round = 0; round < ROUNDS; round++) {
    status = follow_path(w, p, pivot_limit(p->n, options), answer);
    if (status == NSDYN_ERR_SINGULAR) {
      continue;
    }
    if (status < 0) {
      return is_finite(w, p->n) ? status : NSDYN_ERR_NOT_FINITE;
    }
    if (status == NSDYN_CANCELLED) {
      stay_near_zero(answer, p->n);
      return status;
    }
    /* Stage 4. x from the tableau, then from its basis solved afresh;
     * what is judged is A x + b, not the tableau. */
    const double residual = read_answer(w, p, answer);
    if (!nsd_all_finite(1, p->n, answer->x, p->n)) {
      return NSDYN_ERR_NOT_FINITE;
    }
    if (residual <= options->tol) {
      return NSDYN_OK;
    }
    if (status == NSDYN_MAX_ITERATIONS) {
      return status;
    }
  }
  if (status == NSDYN_ERR_SINGULAR) {
    read_answer(w, p, answer);
  }
  return NSDYN_MAX_ITERATIONS;
}
