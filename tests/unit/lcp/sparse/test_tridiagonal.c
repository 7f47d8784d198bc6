/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "lcp/sparse/tridiagonal.h"

#include "base/context.h"
#include "solving.h"
#include "sparse_cases.h"

/* A solver with its memory. */
typedef struct bench {
  nsd_arena arena;
  nsd_tridiagonal w;
} bench;

static void make_room(bench *t, int32_t n)
{
  nsd_tridiagonal none;
  nsd_arena measure = nsd_arena_measure();
  nsd_tridiagonal_lay_out(&measure, &none, n);
  ck_assert_int_eq(nsd_arena_reserve(&t->arena, &measure), NSDYN_OK);
  nsd_tridiagonal_lay_out(&t->arena, &t->w, n);
  t->w.poll = NULL;
}

/* A tridiagonal M-matrix: −e_i, d_i, −g_i with d_i a little above e_i + g_{i−1} (columns) or e_i + g_i
 * (rows); some couplings are missing, loads tie or vanish. `excess` is what dominates: it may be tiny, or
 * negative for what is no M-matrix for sure. */
static sparse_case random_case(random_state *r, int32_t n, double excess)
{
  sparse_case c = sparse_case_new(n, 3 * n);
  const int by_columns = random_below(r, 2), ties = random_below(r, 3);
  double *e = calloc(2 * (size_t)n + 2, sizeof *e), *g = e + n + 1;
  ck_assert(e != NULL);
  for (int32_t i = 0; i <= n; i++) {
    e[i] = i > 0 && random_below(r, 8) ? random_unit(r) + 0.01 : 0.0;
    g[i] = i + 1 < n && random_below(r, 8) ? random_unit(r) + 0.01 : 0.0;
  }
  for (int32_t i = 0; i < n; i++) {
    const double sum = by_columns ? (i + 1 < n ? e[i + 1] : 0.0) + (i > 0 ? g[i - 1] : 0.0) : e[i] + g[i];
    if (e[i] > 0.0) {
      sparse_case_add(&c, i, i - 1, -e[i]);
    }
    sparse_case_add(&c, i, i, sum * (1.0 + excess) + (sum > 0.0 ? 0.0 : 1.0));
    if (g[i] > 0.0) {
      sparse_case_add(&c, i, i + 1, -g[i]);
    }
    sparse_case_end_row(&c, i);
    c.b[i] = ties ? (double)(random_below(r, 3) - 1) : random_normal(r) + 0.5;
    c.lo[i] = ties == 2 ? 0.0 : random_normal(r);
  }
  free(e);
  return c;
}

static void copy_dense(const sparse_case *c, solving *s)
{
  s->p.n = s->p.lda = c->n;
  for (int32_t i = 0; i < c->n; i++) {
    for (int64_t k = c->row[i]; k < c->row[i + 1]; k++) {
      s->A[i * c->n + c->column[k]] = c->value[k];
    }
    s->b[i] = c->b[i];
    s->lo[i] = c->lo[i];
    s->hi[i] = INFINITY;
  }
  s->p.lo = s->lo;
  s->p.hi = s->hi;
}

/* Every basis in turn has the same answer; loads of any sort, ties, units from 1e-150 to 1e150. */
START_TEST(agrees_with_all_bases)
{
  bench t = {.arena = nsd_arena_empty(NULL)};
  const int cases = random_cases(3000);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    const int32_t n = 1 + k % 9;
    sparse_case c = random_case(&r, n, k % 3 ? 0.3 * random_unit(&r) + 1e-3 : 1e-4);
    solving *s = solving_new(n);
    double x[MOST];
    copy_dense(&c, s);
    ck_assert_int_ge(count_solutions(&s->p, x), 1);
    make_room(&t, n);
    nsdyn_sparse_matrix A = sparse_case_matrix(&c);
    const double unit = k % 5 == 3 ? 0x1p-500 : k % 5 == 4 ? 0x1p+500 : 1.0;
    for (int32_t i = 0; i < n; i++) {
      c.b[i] *= unit;
    }
    for (int64_t l = 0; l < c.row[n]; l++) {
      c.value[l] *= unit;
    }
    REQUIRE(nsd_tridiagonal_may_be(&A) && nsd_tridiagonal_solve(&t.w, &A, c.b, c.lo), "seed %d", k);
    REQUIRE(distance(n, t.w.x, x) <= (k % 3 ? 1e-10 : 1e-5), "seed %d: %g", k, distance(n, t.w.x, x));
    for (int32_t i = 0; i < n; i++) {
      REQUIRE(t.w.place[i] == NSDYN_LCP_BASIC || t.w.x[i] == c.lo[i], "seed %d, row %d", k, (int)i);
    }
    sparse_case_free(&c);
    free(s);
  }
  nsd_arena_release(&t.arena);
}
END_TEST

/* Large ones: the certificate of the caller's own matrix is rounding. By rows and as a band it is the same
 * problem, with the same bits. */
START_TEST(large_problems_are_solved_to_rounding)
{
  enum { MOST_N = 3000 };
  bench t = {.arena = nsd_arena_empty(NULL)};
  double *band = calloc(3 * (size_t)MOST_N, sizeof *band), *x = calloc(MOST_N, sizeof *x);
  ck_assert(band && x);
  const int cases = random_cases(200);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    const int32_t n = 1 + random_below(&r, MOST_N);
    sparse_case c = random_case(&r, n, k % 2 ? 1e-12 : 0.1);
    nsdyn_sparse_matrix A = sparse_case_matrix(&c);
    make_room(&t, n);
    REQUIRE(nsd_tridiagonal_solve(&t.w, &A, c.b, c.lo), "seed %d", k);
    memcpy(x, t.w.x, (size_t)n * sizeof *x);
    double residual;
    nsdyn_lcp_residual_sparse(&A, c.b, c.lo, NULL, x, &residual, NULL);
    REQUIRE(residual <= 1e-14, "seed %d, n %d: residual %g", k, (int)n, residual);
    for (int32_t i = 0; i < 3 * n; i++) {
      band[i] = i == 0 || i == 3 * n - 1 ? NAN : 0.0; /* outside of the matrix */
    }
    for (int32_t i = 0; i < n; i++) {
      for (int64_t l = c.row[i]; l < c.row[i + 1]; l++) {
        band[3 * i + 1 + c.column[l] - i] = c.value[l];
      }
    }
    A.format = NSDYN_SPARSE_BANDED;
    A.lower = A.upper = n > 1;
    A.stride = 3;
    A.value = band + (n == 1);
    REQUIRE(nsd_tridiagonal_may_be(&A) && nsd_tridiagonal_solve(&t.w, &A, c.b, c.lo), "seed %d", k);
    ck_assert_mem_eq(x, t.w.x, (size_t)n * sizeof *x);
    sparse_case_free(&c);
  }
  free(band);
  free(x);
  nsd_arena_release(&t.arena);
}
END_TEST

/* What is not of the class is refused: an element beside the diagonal of the wrong sign, a diagonal that is
 * none, a matrix that is no M-matrix, more elements, malformed rows, no lower bound. Nothing of it is read
 * outside of the arrays. */
START_TEST(other_problems_are_refused)
{
  bench t = {.arena = nsd_arena_empty(NULL)};
  const int cases = random_cases(2000);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    const int32_t n = 3 + k % 20;
    sparse_case c = random_case(&r, n, 0.1);
    const nsdyn_sparse_matrix A = sparse_case_matrix(&c);
    const int64_t at = random_below(&r, (int)c.row[n]);
    const int32_t row = random_below(&r, n);
    make_room(&t, n);
    int is_solved = 0;
    switch (k % 6) {
    case 0:
      c.value[at] = c.value[at] > 0.0 ? -0.5 : 0.5; /* a diagonal element, or one beside it */
      break;
    case 1:
      c.value[at] = NAN;
      break;
    case 2:
      c.lo[row] = k % 12 == 2 ? -(double)INFINITY : NAN;
      break;
    case 3:
      c.column[at] += random_below(&r, 2) ? 1000000 : -1000000;
      break;
    case 4:
      c.row[row + 1] += random_below(&r, 2) ? 5 : -5;
      break;
    default:
      c.column[at] = c.column[at] + 2 < n ? c.column[at] + 2 : 0;
      is_solved = c.column[at] == 0 && at == 0; /* where it was */
    }
    const int is_refused = !nsd_tridiagonal_may_be(&A) || !nsd_tridiagonal_solve(&t.w, &A, c.b, c.lo);
    REQUIRE(is_refused || is_solved, "seed %d", k);
    sparse_case_free(&c);
  }
  /* 1 −2; −2 1 has a negative minor: both loads push. */
  const int64_t row[3] = {0, 2, 4};
  const int32_t column[4] = {0, 1, 0, 1};
  const double value[4] = {1.0, -2.0, -2.0, 1.0}, b[2] = {-1.0, -1.0};
  nsdyn_sparse_matrix A;
  nsdyn_sparse_matrix_init(&A, sizeof A);
  A.n = 2;
  A.row = row;
  A.column = column;
  A.value = value;
  make_room(&t, 2);
  ck_assert(nsd_tridiagonal_may_be(&A) && !nsd_tridiagonal_solve(&t.w, &A, b, NULL));
  A.n = 0;
  ck_assert(!nsd_tridiagonal_may_be(&A));
  A.n = 1;
  A.format = NSDYN_SPARSE_BANDED;
  A.stride = 3;
  ck_assert(nsd_tridiagonal_may_be(&A));
  A.lower = 1; /* of a matrix with one row */
  ck_assert(!nsd_tridiagonal_may_be(&A));
  nsd_arena_release(&t.arena);
}
END_TEST

/* A front that comes from the far end draws along one unknown after the other, in one pass: a string that is
 * lifted at its last mass only. Whoever wants to stop is heard within each pass. */
typedef struct asker {
  int calls, stop_at;
} asker;

static int32_t on_progress(void *user, const char *activity, double done)
{
  asker *a = user;
  (void)activity;
  (void)done;
  return ++a->calls == a->stop_at;
}

START_TEST(long_runs_grow_from_the_far_end)
{
  enum { N = 400000 };
  bench t = {.arena = nsd_arena_empty(NULL)};
  sparse_case c = sparse_case_new(N, 3 * N);
  for (int32_t i = 0; i < N; i++) {
    if (i > 0) {
      sparse_case_add(&c, i, i - 1, -1.0);
    }
    sparse_case_add(&c, i, i, 2.0);
    if (i + 1 < N) {
      sparse_case_add(&c, i, i + 1, -1.0);
    }
    sparse_case_end_row(&c, i);
    c.b[i] = i + 1 < N ? 1e-9 : -1e3; /* x″ = 1e-9 up to where it lies: quadratic */
  }
  const nsdyn_sparse_matrix A = sparse_case_matrix(&c);
  asker a = {.stop_at = -1};
  nsdyn_context_def def;
  nsdyn_context *ctx;
  nsdyn_context_def_init(&def, sizeof def);
  def.user = &a;
  def.progress = on_progress;
  ck_assert_int_eq(nsdyn_context_new(&def, &ctx, NULL), NSDYN_OK);
  make_room(&t, N);
  nsd_poll poll = nsd_poll_of(ctx, "solving");
  t.w.poll = &poll;
  ck_assert(nsd_tridiagonal_solve(&t.w, &A, c.b, NULL));
  ck_assert_int_ge(a.calls, 10);
  double residual;
  nsdyn_lcp_residual_sparse(&A, c.b, NULL, NULL, t.w.x, &residual, NULL);
  ck_assert_msg(residual <= 1e-14, "%g", residual);
  ck_assert_int_eq(t.w.place[0], NSDYN_LCP_BASIC);
  const int calls = a.calls;
  for (int k = 1; k <= calls; k++) {
    poll = nsd_poll_of(ctx, "solving");
    a = (asker){.stop_at = k};
    ck_assert(!nsd_tridiagonal_solve(&t.w, &A, c.b, NULL));
    ck_assert_int_eq(a.calls, k);
  }
  nsdyn_context_free(ctx);
  sparse_case_free(&c);
  nsd_arena_release(&t.arena);
}
END_TEST

SUITE("lcp/sparse/tridiagonal", TEST(agrees_with_all_bases), TEST(large_problems_are_solved_to_rounding),
      TEST(other_problems_are_refused), TEST(long_runs_grow_from_the_far_end))
