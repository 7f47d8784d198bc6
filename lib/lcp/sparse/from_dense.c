/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Dense matrices that are full of zeros. Block pivots: by the sparse solver, then by the dense one where that
 * does not do. Lemke's method through damped problems has a sparse form only. */
#include "base/kernels/simd.h"
#include "lcp/methods.h"
#include "lcp/sparse/solver.h"

enum {
  LEAST = 64, /* unknowns: below, dense factors are as fast */
  SHARE = 8   /* of n² the elements that are not zero may be one in so many */
};

/* How many elements are not zero. */
static int count_row(int n, const double *row)
{
  double count = 0.0; /* exact: a vector of doubles is compared and added without a change of width */
  NSD_SIMD_SUM(count)
  for (int j = 0; j < n; j++) {
    count += row[j] != 0.0 ? 1.0 : 0.0;
  }
  return (int)count;
}

int nsd_sparse_run_applies(const nsd_lcp_problem *p, nsd_poll *poll)
{
  const int64_t most = (int64_t)p->n * p->n / SHARE;
  int64_t count = 0;
  for (int i = 0; i < p->n && p->n >= LEAST && count <= most; i++) {
    const double *row = nsd_lcp_row(p, i);
    if (!(row[i] > 0.0)) {
      return 0;
    }
    count += count_row(p->n, row);
    (void)nsd_poll_stops(poll, NSD_POLL_READ * p->n);
  }
  return p->n >= LEAST && count <= most;
}

int nsd_sparse_damped_applies(const nsd_lcp_problem *p, nsd_poll *poll)
{
  const int64_t most = (int64_t)p->n * p->n / SHARE;
  int64_t count = 0;
  for (int i = 0; i < p->n && p->n >= LEAST && count <= most; i++) {
    count += count_row(p->n, nsd_lcp_row(p, i));
    (void)nsd_poll_stops(poll, NSD_POLL_READ * p->n);
  }
  return p->n >= LEAST && count <= most;
}

typedef struct rows {
  int64_t *row;
  int32_t *column;
  double *value;
} rows;

static void lay_out_rows(nsd_arena *arena, rows *r, int32_t n, int64_t elements)
{
  r->row = nsd_arena_take(arena, (size_t)n + 1, sizeof *r->row);
  r->column = nsd_arena_take(arena, (size_t)elements, sizeof *r->column);
  r->value = nsd_arena_take(arena, (size_t)elements, sizeof *r->value);
}

/* The matrix without its zeros. */
static nsdyn_status take_rows(nsdyn_lcp *lcp, nsd_sparse_solver *s, const nsd_lcp_problem *p)
{
  const int64_t most = (int64_t)p->n * p->n / SHARE;
  rows r;
  nsd_arena measure = nsd_arena_measure();
  lay_out_rows(&measure, &r, p->n, most);
  const nsdyn_status status = nsd_arena_reserve(&s->dense, &measure);
  if (status) {
    return status;
  }
  lay_out_rows(&s->dense, &r, p->n, most);
  int64_t at = 0;
  for (int32_t i = 0; i < p->n; i++) {
    const double *row = nsd_lcp_row(p, i);
    r.row[i] = at;
    for (int32_t j = 0; j < p->n; j++) {
      if (row[j] != 0.0) {
        r.column[at] = j;
        r.value[at++] = row[j];
      }
    }
    (void)nsd_poll_stops(&lcp->poll, (double)p->n);
  }
  r.row[p->n] = at;
  nsdyn_sparse_matrix_init(&s->matrix, sizeof s->matrix);
  s->matrix.n = p->n;
  s->matrix.row = r.row;
  s->matrix.column = r.column;
  s->matrix.value = r.value;
  s->given_lo = p->lo;
  s->given_hi = p->hi;
  return nsd_sparse_solver_load(s, p->b, &lcp->poll);
}

static void hand_over(const nsd_sparse_solver *s, nsd_lcp_answer *answer)
{
  for (int32_t i = 0; i < s->p.A.n; i++) {
    answer->x[i] = s->active.x[i];
    answer->basis[i] = s->active.place[i];
  }
}

nsdyn_status nsd_sparse_run_damped(nsdyn_lcp *lcp, const nsd_lcp_problem *p, const nsd_lcp_plan *plan,
                                   nsd_lcp_answer *answer)
{
  nsd_sparse_solver *s = nsd_sparse_solver_of(lcp);
  nsdyn_status status = s ? take_rows(lcp, s, p) : NSDYN_ERR_NOMEM;
  status = status ? status : nsd_sparse_damped(lcp, s, plan->max_iterations, &answer->iterations);
  if (status == NSDYN_ERR_UNSUPPORTED) { /* for the other methods */
    return nsd_lcp_refuse(answer, -1, "it has no blocks of few unknowns");
  }
  if (status < 0) {
    return status;
  }
  hand_over(s, answer);
  return status;
}

nsdyn_status nsd_sparse_run_block(nsdyn_lcp *lcp, const nsd_lcp_problem *p, const nsd_lcp_plan *plan,
                                  nsd_lcp_answer *answer)
{
  nsd_sparse_solver *s = nsd_sparse_run_applies(p, &lcp->poll) ? nsd_sparse_solver_of(lcp) : NULL;
  /* Without memory for the sparse solver the dense one has its own. */
  if (!s || take_rows(lcp, s, p) != NSDYN_OK) {
    return nsd_lcp_run_solver(lcp, p, plan, answer);
  }
  const int own = nsd_active_set_is_monotone(&s->p) ? INT32_MAX - 1 : NSD_SPARSE_OPEN_ROUNDS;
  const int given = plan->max_iterations;
  const nsdyn_status status =
      nsd_sparse_rounds(lcp, s, plan->start, given >= 0 && given < own ? given : own, &answer->iterations);
  if (status != NSDYN_OK && status != NSDYN_CANCELLED) {
    /* Not of class P. Damped problems cost as little as rounds, dense factors n³ each. */
    const nsdyn_status damped =
        p->n > NSD_LCP_DAMPED_FIRST
            ? nsd_sparse_damped(lcp, s, nsd_lcp_ordinary_pivots(p->n), &answer->iterations)
            : NSDYN_UNDECIDED;
    if (damped == NSDYN_OK || damped == NSDYN_CANCELLED) {
      hand_over(s, answer);
      return damped;
    }
    if (damped == NSDYN_ERR_NOMEM) {
      return damped;
    }
    const int rounds = answer->iterations;
    const nsdyn_status dense = nsd_lcp_run_solver(lcp, p, plan, answer);
    answer->iterations += rounds;
    return dense;
  }
  nsd_active_set_project(&s->active, &s->p);
  hand_over(s, answer);
  return status;
}
