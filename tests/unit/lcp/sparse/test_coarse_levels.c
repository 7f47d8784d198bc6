/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* lcp/sparse/coarse_levels.c: smaller problems like a given one. */
#include "lcp/sparse/coarse_levels.h"

#include "sparse_cases.h"

static nsd_sparse_problem problem_of(const sparse_case *c)
{
  return (nsd_sparse_problem){.A = sparse_case_rows(c),
                              .b = c->b,
                              .lo = c->lo,
                              .hi = c->hi,
                              .is_symmetric = 1,
                              .is_z = 1,
                              .has_positive_diagonal = 1};
}

/* Two pairings of a mesh of 16 × 16 are a mesh of 8 × 8: the same five elements inside. */
START_TEST(a_mesh_gives_a_mesh)
{
  sparse_case c = sparse_case_mesh(16, 0.0);
  for (int32_t i = 0; i < c.n; i++) {
    c.b[i] = -1.0;
  }
  const nsd_sparse_problem p = problem_of(&c);
  nsd_coarse_levels w;
  nsd_coarse_levels_init(&w, NULL, NULL);
  ck_assert_int_eq(nsd_coarse_levels_make(&w, &p), NSDYN_OK);
  ck_assert_int_ge(w.count, 2);
  ck_assert_int_eq(w.level[0].p.A.n, 128);
  const nsd_sparse *A = &w.level[1].p.A;
  ck_assert_int_eq(A->n, 64);
  int inner = 0;
  for (int32_t i = 0; i < A->n; i++) {
    ck_assert(w.level[1].b[i] == -4.0);
    if (A->row[i + 1] - A->row[i] == 5) {
      inner++;
      for (int64_t k = A->row[i]; k < A->row[i + 1]; k++) {
        ck_assert(A->value[k] == (A->column[k] == i ? 4.0 : -1.0));
        ck_assert(k == A->row[i] || A->column[k] > A->column[k - 1]);
      }
    }
  }
  ck_assert_int_eq(inner, 36);
  nsd_coarse_levels_release(&w);
  sparse_case_free(&c);
}
END_TEST

/* Sums of rows and loads add up, signs stay, unknowns are joined with their like only. */
START_TEST(what_is_joined_adds_up)
{
  const int cases = random_cases(200);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    sparse_case c = sparse_case_mesh(8 + random_below(&r, 12), 0.0);
    for (int32_t i = 0; i < c.n; i++) {
      const int kind = random_below(&r, 12);
      c.b[i] = random_normal(&r);
      c.lo[i] = kind == 0 ? -(double)INFINITY : 0.0;
      c.hi[i] = kind == 1 ? 1.0 : kind == 2 ? 0.0 : (double)INFINITY;
    }
    const nsd_sparse_problem p = problem_of(&c);
    nsd_coarse_levels w;
    nsd_coarse_levels_init(&w, NULL, NULL);
    ck_assert_int_eq(nsd_coarse_levels_make(&w, &p), NSDYN_OK);
    ck_assert_int_ge(w.count, 1);
    const nsd_coarse_level *level = &w.level[0];
    double load = 0.0, coarse_load = 0.0, sum = 0.0, coarse_sum = 0.0;
    for (int32_t i = 0; i < c.n; i++) {
      const int32_t I = level->pair[i];
      REQUIRE(I <= i && (I >= 0) == (c.hi[i] > c.lo[i]), "seed %d", k);
      if (I < 0) {
        continue;
      }
      REQUIRE(isfinite(level->lo[I]) == isfinite(c.lo[i]) && isfinite(level->hi[I]) == isfinite(c.hi[i]),
              "seed %d", k);
      load += c.b[i];
      for (int64_t l = c.row[i]; l < c.row[i + 1]; l++) {
        sum += level->pair[c.column[l]] >= 0 ? c.value[l] : 0.0;
      }
    }
    const nsd_sparse *A = &level->p.A;
    for (int32_t I = 0; I < A->n; I++) {
      coarse_load += level->b[I];
      for (int64_t l = A->row[I]; l < A->row[I + 1]; l++) {
        coarse_sum += A->value[l];
        REQUIRE(A->column[l] == I ? A->value[l] > 0.0 : A->value[l] <= 0.0, "seed %d", k);
      }
    }
    REQUIRE(fabs(load - coarse_load) < 1e-11 && fabs(sum - coarse_sum) < 1e-10, "seed %d", k);
    nsd_coarse_levels_release(&w);
    sparse_case_free(&c);
  }
}
END_TEST

/* One full row: its columns still ascend, in reasonable time. */
START_TEST(long_rows_are_sorted)
{
  enum { N = 20000 };
  sparse_case c = sparse_case_new(N, 4 * N);
  for (int32_t i = 0; i < N; i++) {
    const int32_t from = i == N - 1 ? 0 : i, to = i == N - 1 ? N - 1 : i;
    for (int32_t j = from; j <= to; j++) {
      sparse_case_add(&c, i, j, j == i ? N : -0.5);
    }
    if (i < N - 1) {
      sparse_case_add(&c, i, N - 1, -0.5);
    }
    sparse_case_end_row(&c, i);
  }
  const nsd_sparse_problem p = problem_of(&c);
  nsd_coarse_levels w;
  nsd_coarse_levels_init(&w, NULL, NULL);
  ck_assert_int_eq(nsd_coarse_levels_make(&w, &p), NSDYN_OK);
  for (int k = 0; k < w.count; k++) {
    const nsd_sparse *A = &w.level[k].p.A;
    for (int32_t i = 0; i < A->n; i++) {
      for (int64_t l = A->row[i] + 1; l < A->row[i + 1]; l++) {
        REQUIRE(A->column[l] > A->column[l - 1], "level %d row %d", k, i);
      }
    }
  }
  nsd_coarse_levels_release(&w);
  sparse_case_free(&c);
}
END_TEST

SUITE("lcp/sparse/coarse_levels", TEST(a_mesh_gives_a_mesh), TEST(what_is_joined_adds_up),
      TEST(long_rows_are_sorted))
