/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* lcp/sparse/damped_factors.c: what solves leave of the equations of a basis, and units. */
#include "lcp/sparse/damped_factors.h"

#include "sparse_cases.h"
#include "support/random.h"

enum { CONTACTS = 20, EACH = 4, N = CONTACTS * EACH };

/* Contacts in a row, each coupled with the next, in the form of Stewart and Trinkle, but shuffled: the
 * unknowns of a contact stand anywhere. */
static sparse_case chain(random_state *r, int32_t *at)
{
  static double A[N][N];
  memset(A, 0, sizeof A);
  for (int i = 0; i < N; i++) {
    const int j = random_below(r, i + 1);
    at[i] = at[j];
    at[j] = i;
  }
  for (int i = 0; i < CONTACTS; i++) {
    const int32_t *x = at + (ptrdiff_t)EACH * i;
    for (int j = i; j < CONTACTS && j < i + 2; j++) {
      const int32_t *z = at + (ptrdiff_t)EACH * j;
      const double NN = i == j ? 2.0 : random_between(r, -0.5, 0.5),
                   TT = i == j ? 2.0 : random_between(r, -0.5, 0.5);
      A[x[0]][z[0]] = A[z[0]][x[0]] = NN;
      for (int e = 1; e < 3; e++) {
        for (int f = 1; f < 3; f++) {
          A[x[e]][z[f]] = A[z[f]][x[e]] = e == f ? TT : -TT;
        }
      }
    }
    A[x[1]][x[3]] = A[x[2]][x[3]] = 1.0;
    A[x[3]][x[0]] = random_between(r, 0.1, 0.9);
    A[x[3]][x[1]] = A[x[3]][x[2]] = -1.0;
  }
  sparse_case c = sparse_case_new(N, N * N);
  for (int i = 0; i < N; i++) {
    for (int j = 0; j < N; j++) {
      if (A[i][j] != 0.0) {
        sparse_case_add(&c, i, j, A[i][j]);
      }
    }
    sparse_case_end_row(&c, i);
  }
  for (int i = 0; i < CONTACTS; i++) {
    c.b[at[EACH * i]] = random_between(r, -1.0, 1.0);
    c.b[at[EACH * i + 1]] = random_between(r, -1.0, 1.0);
    c.b[at[EACH * i + 2]] = -c.b[at[EACH * i + 1]];
  }
  return c;
}

static nsd_sparse_problem problem_of(const sparse_case *c)
{
  return (nsd_sparse_problem){.A = {.n = c->n, .row = c->row, .column = c->column, .value = c->value},
                              .b = c->b,
                              .lo = c->lo,
                              .hi = c->hi};
}

/* (A + ε D)_FF x_F = b_F, x = b elsewhere, for random F; b has no digits in common with A. */
START_TEST(a_basis_is_solved)
{
  nsd_damped_factors f = nsd_damped_factors_empty(NULL);
  for (int seed = 0; seed < random_cases(200); seed++) {
    random_state r = random_seed((uint64_t)seed);
    int32_t at[N], place[N];
    double b[N], x[N], right[N];
    sparse_case c = chain(&r, at);
    const nsd_sparse_problem p = problem_of(&c);
    ck_assert_int_eq(nsd_damped_factors_read(&f, &p, NULL), NSDYN_OK);
    ck_assert_int_eq(f.blocks, CONTACTS);
    f.epsilon = random_scale(&r, 3.0);
    for (int i = 0; i < N; i++) {
      place[i] = random_below(&r, 2) ? NSDYN_LCP_BASIC : NSDYN_LCP_AT_LO;
      b[i] = place[i] == NSDYN_LCP_BASIC ? random_between(&r, -1.0, 1.0) : 0.0;
    }
    ck_assert(nsd_damped_factors_make(&f, place));
    nsd_damped_factors_solve(&f, b, x);
    for (int i = 0; i < N; i++) {
      right[i] = place[i] == NSDYN_LCP_BASIC ? nsd_damped_factors_times(&f, i, x) - b[i] : x[i];
      double size = fabs(b[i]);
      for (int64_t k = c.row[i]; k < c.row[i + 1]; k++) {
        size += fabs(c.value[k] * x[c.column[k]]);
      }
      ck_assert_msg(fabs(right[i]) <= 1e-9 * (size + 1e-3), "seed %d, row %d: %g", seed, i, right[i]);
    }
    sparse_case_free(&c);
  }
  nsd_damped_factors_release(&f);
}
END_TEST

/* x₊ and x₋ know each other, whatever stands between them. A row without a diagonal element has the size that
 * elimination of x₊ leaves there: 1 · 1 / 2. */
START_TEST(pairs_and_sizes_are_found)
{
  nsd_damped_factors f = nsd_damped_factors_empty(NULL);
  random_state r = random_seed(1);
  int32_t at[N];
  sparse_case c = chain(&r, at);
  const nsd_sparse_problem p = problem_of(&c);
  ck_assert_int_eq(nsd_damped_factors_read(&f, &p, NULL), NSDYN_OK);
  for (int i = 0; i < CONTACTS; i++) {
    const int32_t *x = at + (ptrdiff_t)EACH * i;
    ck_assert_int_eq(f.mirror[x[0]], -1);
    ck_assert_int_eq(f.mirror[x[1]], x[2]);
    ck_assert_int_eq(f.mirror[x[2]], x[1]);
    ck_assert_int_eq(f.mirror[x[3]], -1);
    ck_assert(f.size[x[0]] == 2.0 && f.size[x[3]] == 0.5);
  }
  sparse_case_free(&c);
  nsd_damped_factors_release(&f);
}
END_TEST

/* Rows in other units R and unknowns in other units C change sizes by R C, to the bit for powers of two. */
START_TEST(sizes_go_with_units)
{
  nsd_damped_factors f = nsd_damped_factors_empty(NULL);
  for (int seed = 0; seed < random_cases(50); seed++) {
    random_state r = random_seed((uint64_t)seed);
    int32_t at[N];
    double before[N], row[N], column[N];
    sparse_case c = chain(&r, at);
    const nsd_sparse_problem p = problem_of(&c);
    ck_assert_int_eq(nsd_damped_factors_read(&f, &p, NULL), NSDYN_OK);
    memcpy(before, f.size, sizeof before);
    for (int i = 0; i < N; i++) {
      row[i] = ldexp(1.0, random_below(&r, 41) - 20);
      column[i] = ldexp(1.0, random_below(&r, 41) - 20);
    }
    for (int i = 0; i < N; i++) {
      for (int64_t k = c.row[i]; k < c.row[i + 1]; k++) {
        c.value[k] *= row[i] * column[c.column[k]];
      }
    }
    ck_assert_int_eq(nsd_damped_factors_read(&f, &p, NULL), NSDYN_OK);
    for (int i = 0; i < N; i++) {
      ck_assert(f.size[i] == before[i] * row[i] * column[i]);
    }
    sparse_case_free(&c);
  }
  nsd_damped_factors_release(&f);
}
END_TEST

/* Rows without a diagonal element that hang together in a long line would make one wide block: refused. */
START_TEST(wide_blocks_are_refused)
{
  enum { LINE = 60 };
  nsd_damped_factors f = nsd_damped_factors_empty(NULL);
  sparse_case c = sparse_case_new(LINE, 2 * LINE);
  for (int32_t i = 0; i < LINE; i++) {
    if (i > 0) {
      sparse_case_add(&c, i, i - 1, -1.0);
    }
    if (i + 1 < LINE) {
      sparse_case_add(&c, i, i + 1, 1.0);
    }
    sparse_case_end_row(&c, i);
  }
  const nsd_sparse_problem p = problem_of(&c);
  ck_assert_int_eq(nsd_damped_factors_read(&f, &p, NULL), NSDYN_ERR_UNSUPPORTED);
  sparse_case_free(&c);
  nsd_damped_factors_release(&f);
}
END_TEST

SUITE("lcp/sparse/damped_factors", TEST(a_basis_is_solved), TEST(pairs_and_sizes_are_found),
      TEST(sizes_go_with_units), TEST(wide_blocks_are_refused))
