/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The public calls for sparse matrices. */
#include <string.h>

#include "base/sized.h"
#include "base/tolerances.h"
#include "lcp/sparse/solver.h"

nsdyn_status nsdyn_sparse_matrix_init(nsdyn_sparse_matrix *matrix, size_t size)
{
  const nsdyn_sparse_matrix nothing = {.size = sizeof nothing};
  return nsd_sized_init(matrix, size, NSD_SPARSE_MATRIX_LEAST, &nothing, sizeof nothing);
}

/* Elements in `value`, for the question what overlaps them. */
static size_t values_of(const nsdyn_sparse_matrix *A)
{
  if (A->n == 0) {
    return 0;
  }
  return A->format == NSDYN_SPARSE_ROWS ? (size_t)A->row[A->n]
                                        : ((size_t)A->n - 1) * (size_t)A->stride + (size_t)A->lower + 1;
}

static int is_within_data(const nsdyn_sparse_matrix *A, const nsd_lcp_problem *p, const double *answer)
{
  const size_t n = (size_t)p->n;
  return nsd_overlaps(answer, n, p->b, n) || nsd_overlaps(answer, n, p->lo, n) ||
         nsd_overlaps(answer, n, p->hi, n) || nsd_overlaps(answer, n, A->value, values_of(A));
}

static nsdyn_status refuse_argument(nsdyn_lcp *lcp, int argument, const char *reason)
{
  return nsd_fault_set(&lcp->fault, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_ARGUMENT, argument, "%s", reason);
}

static nsdyn_status check_vectors(nsdyn_lcp *lcp, const nsdyn_sparse_matrix *A, const nsd_lcp_problem *p,
                                  const double *x, const double *y)
{
  if (p->n == 0) {
    return NSDYN_OK;
  }
  if (!p->b) {
    return refuse_argument(lcp, 2, "b is NULL");
  }
  if (!x) {
    return refuse_argument(lcp, 5, "x is NULL");
  }
  if (is_within_data(A, p, x)) {
    return refuse_argument(lcp, 5, "x overlaps the data");
  }
  if (is_within_data(A, p, y) || nsd_overlaps(x, (size_t)p->n, y, (size_t)p->n)) {
    return refuse_argument(lcp, 6, "y overlaps x or the data");
  }
  return nsd_lcp_check_vectors(lcp, p);
}

/* Everything that comes in. */
static nsdyn_status check(nsdyn_lcp *lcp, const nsdyn_sparse_matrix *own, const nsd_lcp_problem *p,
                          const double *x, const double *y)
{
  const nsdyn_status status = nsd_sparse_check_matrix(own, 1, &lcp->fault, &lcp->poll);
  return status ? status : check_vectors(lcp, own, p, x, y);
}

/* The matrix in our struct. */
static nsdyn_status read_matrix(nsdyn_lcp *lcp, const nsdyn_sparse_matrix *A, nsdyn_sparse_matrix *own)
{
  return A ? NSD_SIZED_READ(nsdyn_sparse_matrix, own, NSD_SPARSE_MATRIX_LEAST, A, &lcp->fault)
           : refuse_argument(lcp, 1, "A is NULL");
}

static nsdyn_status explain_memory(nsdyn_lcp *lcp, int32_t n, nsdyn_status status)
{
  return nsd_fault_set(&lcp->fault, status, NSDYN_DETAIL_NONE, -1, "no memory to solve for %d unknowns",
                       (int)n);
}

/* Memory and the problem in the solver's form. */
static nsdyn_status load(nsdyn_lcp *lcp, const nsdyn_sparse_matrix *A, const nsd_lcp_problem *p)
{
  nsd_sparse_solver *s = nsd_sparse_solver_of(lcp);
  nsdyn_status status = s ? nsd_lcp_reserve_kept(lcp, p->n) : NSDYN_ERR_NOMEM;
  if (status == NSDYN_OK) {
    s->matrix = *A;
    s->given_lo = p->lo;
    s->given_hi = p->hi;
    status = nsd_sparse_solver_load(s, p->b, &lcp->poll);
  }
  return status == NSDYN_OK ? status : explain_memory(lcp, p->n, status);
}

static void begin(nsdyn_lcp *lcp, int32_t n)
{
  nsdyn_lcp_solve_report_init(&lcp->report, sizeof lcp->report);
  lcp->report.n = n;
  lcp->report.worst_row = -1;
  lcp->report.residual = INFINITY;
  lcp->ray_n = 0;
  lcp->order.m = -1;
}

/* The best x with its y; without one the point next to zero within the bounds. */
static void hand_out(nsdyn_lcp *lcp, nsd_sparse_solver *s, double *x, double *y)
{
  const int32_t n = s->p.A.n;
  for (int32_t i = 0; i < n && !s->has_best; i++) {
    s->best_x[i] = fmin(fmax(0.0, s->p.lo[i]), s->p.hi[i]);
    (void)nsd_poll_stops(&lcp->poll, NSD_POLL_READ);
  }
  if (!s->has_best) {
    const nsd_sparse_certificate found =
        nsd_sparse_certify(&s->matrix, s->p.b, s->given_lo, s->given_hi, s->best_x, s->best_y, NULL);
    lcp->report.residual = found.residual;
    lcp->report.violation = found.violation;
    lcp->report.worst_row = found.row;
  }
  for (int32_t i = 0; i < n; i++) {
    x[i] = s->best_x[i];
    if (y) {
      y[i] = s->best_y[i];
    }
    (void)nsd_poll_stops(&lcp->poll, NSD_POLL_READ);
  }
}

static void keep_basis(nsdyn_lcp *lcp, const nsd_sparse_solver *s)
{
  for (int32_t i = 0; i < s->p.A.n; i++) {
    lcp->basis[i] = s->best_place[i];
  }
  lcp->basis_n = s->p.A.n;
}

/* Small problems that nothing else has solved, as dense ones. */
static nsdyn_status solve_dense(nsdyn_lcp *lcp, nsd_sparse_solver *s, double *x, double *y)
{
  const nsd_sparse *A = &s->p.A;
  const size_t n = (size_t)A->n;
  double *dense = nsd_allocate(lcp->ctx, n * n, sizeof *dense);
  if (!dense) {
    nsd_fault_set(&lcp->fault, NSDYN_ERR_NOMEM, NSDYN_DETAIL_NONE, -1,
                  "no memory for the dense form of %d unknowns", (int)A->n);
    return nsd_lcp_refused(lcp, A->n, NSDYN_ERR_NOMEM);
  }
  for (size_t k = 0; k < n * n; k++) {
    dense[k] = 0.0;
  }
  for (int32_t i = 0; i < A->n; i++) {
    for (int64_t k = A->row[i]; k < A->row[i + 1]; k++) {
      dense[(size_t)i * n + (size_t)A->column[k]] = A->value[k];
    }
  }
  const nsdyn_status status =
      nsdyn_lcp_solve_mixed(lcp, A->n, dense, A->n, s->p.b, s->given_lo, s->given_hi, x, y);
  lcp->report = nsd_lcp_report_of(lcp); /* while its rows are there */
  nsd_release(lcp->ctx, dense, n * n, sizeof *dense);
  return status;
}

/* Whether every upper bound is infinite. */
static int has_no_upper_bound(const nsd_lcp_problem *p)
{
  for (int i = 0; p->hi && i < p->n; i++) {
    if (!(p->hi[i] == (double)INFINITY)) {
      return 0;
    }
  }
  return 1;
}

/* The workspace for n unknowns. */
static nsdyn_status reserve_tridiagonal(nsdyn_lcp *lcp, int32_t n)
{
  nsd_sparse_solver *s = nsd_sparse_solver_of(lcp);
  nsdyn_status status = s ? nsd_lcp_reserve_kept(lcp, n) : NSDYN_ERR_NOMEM;
  if (status == NSDYN_OK && s->tridiagonal.n != n) {
    nsd_tridiagonal *w = &s->tridiagonal;
    nsd_arena measure = nsd_arena_measure();
    nsd_tridiagonal_lay_out(&measure, w, n);
    w->n = -1;
    status = nsd_arena_reserve(&s->narrow, &measure);
    if (status == NSDYN_OK) {
      nsd_tridiagonal_lay_out(&s->narrow, w, n);
    }
  }
  return status == NSDYN_OK ? status : explain_memory(lcp, n, status);
}

/* Tridiagonal problems of one dimension, solved before anybody has looked at the numbers, which takes as long
 * as a good part of the solution: all of them go into the certificate, and one that is not finite lets no
 * answer pass. NSDYN_OK with x, y, basis and report; NSDYN_UNDECIDED with none of them touched, where all is
 * still to be done; or NSDYN_ERR_NOMEM. */
static nsdyn_status solve_quickly(nsdyn_lcp *lcp, const nsdyn_sparse_matrix *A, const nsd_lcp_problem *p,
                                  double *x, double *y)
{
  const nsdyn_lcp_options *o = &lcp->options;
  const int is_wanted =
      (o->method == NSDYN_LCP_AUTOMATIC || o->method == NSDYN_LCP_BLOCK) && o->max_iterations != 0;
  if (!is_wanted || !nsd_tridiagonal_may_be(A) || !p->b || !x || !has_no_upper_bound(p) ||
      is_within_data(A, p, x) || is_within_data(A, p, y) || nsd_overlaps(x, (size_t)p->n, y, (size_t)p->n)) {
    return NSDYN_UNDECIDED;
  }
  const nsdyn_status status = reserve_tridiagonal(lcp, p->n);
  if (status) {
    return status;
  }
  nsd_tridiagonal *w = &lcp->sparse->tridiagonal;
  double *own_y = w->load; /* has served when y comes */
  w->poll = &lcp->poll;
  if (!nsd_tridiagonal_solve(w, A, p->b, p->lo)) {
    return NSDYN_UNDECIDED;
  }
  const nsd_sparse_certificate found = nsd_sparse_certify(A, p->b, p->lo, NULL, w->x, own_y, w->poll);
  if (!(found.residual <= fmin(o->tol, NSD_RESIDUAL_ROUNDING)) || found.far_out ||
      nsd_poll_stops(w->poll, 0.0)) {
    return NSDYN_UNDECIDED;
  }
  begin(lcp, p->n);
  lcp->report.status = NSDYN_OK;
  lcp->report.method = NSDYN_LCP_BLOCK;
  lcp->report.iterations = lcp->report.attempts = 1;
  lcp->report.residual = found.residual;
  lcp->report.violation = found.violation;
  lcp->report.worst_row = found.row;
  const size_t n = (size_t)p->n;
  memcpy(x, w->x, n * sizeof *x);
  memcpy(lcp->basis, w->place, n * sizeof *w->place);
  if (y) {
    memcpy(y, own_y, n * sizeof *y);
  }
  lcp->basis_n = p->n;
  nsd_fault_clear(&lcp->fault);
  return NSDYN_OK;
}

nsdyn_status nsdyn_lcp_solve_sparse(nsdyn_lcp *lcp, const nsdyn_sparse_matrix *A, const double *b,
                                    const double *lo, const double *hi, double *x, double *y)
{
  if (!lcp) {
    return NSDYN_ERR_ARGUMENT;
  }
  if (lcp->busy) {
    return NSDYN_ERR_BUSY;
  }
  nsdyn_sparse_matrix own = {.n = 0};
  nsd_lcp_problem p = {.n = 0, .b = b, .lo = lo, .hi = hi};
  lcp->poll = nsd_poll_of(lcp->ctx, "checking");
  nsdyn_status status = read_matrix(lcp, A, &own);
  lcp->busy = 1;
  if (status == NSDYN_OK) {
    p.n = own.n;
    /* Stage 0. One dimension: at once. */
    status = solve_quickly(lcp, &own, &p, x, y);
    if (status == NSDYN_OK) {
      lcp->busy = 0;
      return status;
    }
    /* Stage 1. Check the data. */
    status = status < 0 ? status : check(lcp, &own, &p, x, y);
  }
  /* Stage 2. Memory, and what kind of matrix it is. */
  status = status ? status : load(lcp, &own, &p);
  lcp->busy = 0;
  if (status) {
    lcp->poll.is_cancelled = 0;
    return nsd_lcp_refused(lcp, p.n, status);
  }
  nsd_sparse_solver *s = lcp->sparse;
  /* Stage 3. The attempts, by the options. */
  lcp->poll.activity = "solving";
  begin(lcp, p.n);
  lcp->busy = 1;
  status = nsd_sparse_solve(lcp, s);
  if (nsd_sparse_wants_dense(lcp, status, p.n)) {
    lcp->busy = 0;
    lcp->poll.is_cancelled = 0;
    return solve_dense(lcp, s, x, y);
  }
  /* Stage 4. The report, x and y, the basis and the message. */
  lcp->report.status = status;
  if (status >= 0) {
    hand_out(lcp, s, x, y);
  }
  lcp->busy = 0;
  lcp->poll.is_cancelled = 0;
  if (status < 0) {
    lcp->basis_n = 0;
    nsd_log(lcp->ctx, NSDYN_LOG_ERROR, lcp->fault.message);
    return nsd_lcp_refused(lcp, p.n, status);
  }
  if (status == NSDYN_OK) {
    keep_basis(lcp, s);
    nsd_fault_clear(&lcp->fault);
  } else {
    lcp->basis_n = 0;
    nsd_log(lcp->ctx, NSDYN_LOG_WARNING, lcp->fault.message);
  }
  return status;
}

nsdyn_status nsdyn_lcp_residual_sparse(const nsdyn_sparse_matrix *A, const double *b, const double *lo,
                                       const double *hi, const double *x, double *residual, int32_t *row)
{
  nsdyn_sparse_matrix own;
  if (!A || !residual) {
    return NSDYN_ERR_ARGUMENT;
  }
  nsdyn_status status = NSD_SIZED_READ(nsdyn_sparse_matrix, &own, NSD_SPARSE_MATRIX_LEAST, A, NULL);
  status = status ? status : nsd_sparse_check_matrix(&own, 1, NULL, NULL);
  if (status) {
    return status;
  }
  if (own.n > 0 && (!b || !x)) {
    return NSDYN_ERR_ARGUMENT;
  }
  const nsd_sparse_certificate found = nsd_sparse_certify(&own, b, lo, hi, x, NULL, NULL);
  *residual = found.residual;
  if (row) {
    *row = found.row;
  }
  return NSDYN_OK;
}
