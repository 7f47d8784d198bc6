/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Factor and solve one right-hand side, against GSL and LAPACK (OpenBLAS, one thread); and what the kernels
 * of lib/base/kernels buy, each beside the same work without it: the pivot exchange without AVX2, the factor
 * and the solve of up to four unknowns by those of any number; and L U in the order of the rows beside L U
 * with pivots. Every code gets a fresh copy of each problem; copying counts for all alike. LAPACK reads the
 * matrices by columns, so it solves the transposed problems: the same kind of work. */
#include <gsl/gsl_linalg.h>
#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

#include "base/dense.h"
#include "base/kernels/exchange.h"
#include "base/kernels/lu_in_order.h"
#include "base/kernels/small.h"
#include "bench.h"

enum { longest = 96, count = 32 };

/* `count` problems of one size; workspaces of all contenders. */
typedef struct problems {
  int n;
  double A[count][longest * longest], S[count][longest * longest], b[count][longest];
  double M[longest * longest], x[longest];
  int perm[longest];
  gsl_permutation *permutation;
  alignas(64) double T[(longest + 4) * (longest + 4)];
} problems;

static void fill(problems *p, int n)
{
  unsigned long long state = 1;
  p->n = n;
  for (int k = 0; k < count; k++) {
    for (int i = 0; i < n; i++) {
      p->b[k][i] = bench_random(&state);
      for (int j = 0; j < n; j++) {
        p->A[k][i * n + j] = bench_random(&state);
      }
    }
    nsd_product_nt(n, n, n, p->A[k], n, p->A[k], n, p->S[k], n);
    for (int i = 0; i < n; i++) {
      p->S[k][i * n + i] += 1.0;
    }
  }
}

static void load(problems *p, double (*matrices)[longest * longest], int k)
{
  memcpy(p->M, matrices[k], sizeof *p->M * (size_t)(p->n * p->n));
  memcpy(p->x, p->b[k], sizeof *p->x * (size_t)p->n);
}

static void lu_without_info(void *data)
{
  problems *p = data;
  for (int k = 0; k < count; k++) {
    load(p, p->A, k);
    if (nsd_lu_factor(p->n, p->M, p->n, p->perm, NULL) == NSDYN_OK) {
      nsd_lu_solve(p->n, p->M, p->n, p->perm, 1, p->x, p->n);
    }
  }
  bench_keep(p->x[0]);
}

static void lu_own(void *data)
{
  problems *p = data;
  nsd_lu_info info;
  for (int k = 0; k < count; k++) {
    load(p, p->A, k);
    if (nsd_lu_factor(p->n, p->M, p->n, p->perm, &info) == NSDYN_OK) {
      nsd_lu_solve(p->n, p->M, p->n, p->perm, 1, p->x, p->n);
      bench_keep(info.margin);
    }
  }
  bench_keep(p->x[0]);
}

static void cholesky_own(void *data)
{
  problems *p = data;
  for (int k = 0; k < count; k++) {
    load(p, p->S, k);
    if (nsd_cholesky_factor(p->n, p->M, p->n, NULL) == NSDYN_OK) {
      nsd_cholesky_solve(p->n, p->M, p->n, 1, p->x, p->n);
    }
  }
  bench_keep(p->x[0]);
}

static void lu_gsl(void *data)
{
  problems *p = data;
  gsl_matrix_view M = gsl_matrix_view_array(p->M, (size_t)p->n, (size_t)p->n);
  gsl_vector_view x = gsl_vector_view_array(p->x, (size_t)p->n);
  for (int k = 0; k < count; k++) {
    int sign;
    load(p, p->A, k);
    gsl_linalg_LU_decomp(&M.matrix, p->permutation, &sign);
    gsl_linalg_LU_svx(&M.matrix, p->permutation, &x.vector);
  }
  bench_keep(p->x[0]);
}

static void cholesky_gsl(void *data)
{
  problems *p = data;
  gsl_matrix_view M = gsl_matrix_view_array(p->M, (size_t)p->n, (size_t)p->n);
  gsl_vector_view x = gsl_vector_view_array(p->x, (size_t)p->n);
  for (int k = 0; k < count; k++) {
    load(p, p->S, k);
    gsl_linalg_cholesky_decomp1(&M.matrix);
    gsl_linalg_cholesky_svx(&M.matrix, &x.vector);
  }
  bench_keep(p->x[0]);
}

#ifdef BENCH_OPENBLAS
void openblas_set_num_threads(int threads);
void dgesv_(const int *n, const int *nrhs, double *A, const int *lda, int *ipiv, double *B, const int *ldb,
            int *info);
void dposv_(const char *uplo, const int *n, const int *nrhs, double *A, const int *lda, double *B,
            const int *ldb, int *info);

static void lu_lapack(void *data)
{
  problems *p = data;
  const int one = 1;
  for (int k = 0; k < count; k++) {
    int info;
    load(p, p->A, k);
    dgesv_(&p->n, &one, p->M, &p->n, p->perm, p->x, &p->n, &info);
  }
  bench_keep(p->x[0]);
}

static void cholesky_lapack(void *data)
{
  problems *p = data;
  const int one = 1;
  for (int k = 0; k < count; k++) {
    int info;
    load(p, p->S, k);
    dposv_("L", &p->n, &one, p->M, &p->n, p->x, &p->n, &info);
  }
  bench_keep(p->x[0]);
}
#else
#define lu_lapack NULL
#define cholesky_lapack NULL
#endif

/* Half of all exchanges there and back, so that the tableau stays as it is but for rounding. */
static void exchange(problems *p, void (*run)(int, int, double *, int, int, int))
{
  const int n = p->n, ld = nsd_tableau_ld(n);
  memset(p->T, 0, sizeof *p->T * (size_t)(ld * (n + 2)));
  for (int j = 0; j < n; j++) {
    memcpy(p->T + j * ld, p->S[0] + j * n, sizeof *p->T * (size_t)n);
  }
  memcpy(p->T + n * ld, p->b[0], sizeof *p->T * (size_t)n);
  memcpy(p->T + (n + 1) * ld, p->b[1], sizeof *p->T * (size_t)n);
  for (int k = 0; k < 2 * count; k++) {
    run(n, n + 2, p->T, ld, k / 2 % n, k / 2 % n);
  }
  bench_keep(p->T[0]);
}

static void exchange_chosen(void *data)
{
  exchange(data, nsd_tableau_exchange);
}

static void exchange_plain(void *data)
{
  exchange(data, nsd_tableau_exchange_plain);
}

static void small_own(void *data)
{
  problems *p = data;
  double r[NSD_BODY];
  for (int k = 0; k < count; k++) {
    memcpy(p->x, p->b[k], sizeof *p->x * (size_t)p->n);
    if (nsd_block_factor(p->n, p->S[k], p->M, r)) {
      nsd_block_forward(p->n, p->M, r, p->x);
      nsd_block_backward(p->n, p->M, r, p->x);
    }
  }
  bench_keep(p->x[0]);
}

static void in_order_own(void *data)
{
  problems *p = data;
  double inverse[longest], size[longest];
  for (int k = 0; k < count; k++) {
    load(p, p->S, k);
    for (int i = 0; i < p->n; i++) {
      size[i] = p->M[i * (p->n + 1)];
    }
    if (nsd_lu_in_order_factor(p->n, p->M, p->n, size, inverse)) {
      nsd_lu_in_order_solve(p->n, p->M, p->n, inverse, p->x);
    }
  }
  bench_keep(p->x[0]);
}

static void lu_of_definite(void *data)
{
  problems *p = data;
  for (int k = 0; k < count; k++) {
    load(p, p->S, k);
    if (nsd_lu_factor(p->n, p->M, p->n, p->perm, NULL) == NSDYN_OK) {
      nsd_lu_solve(p->n, p->M, p->n, p->perm, 1, p->x, p->n);
    }
  }
  bench_keep(p->x[0]);
}

/* y := A x and z := Aᵀ x. */
static void product_own(void *data)
{
  problems *p = data;
  for (int k = 0; k < count; k++) {
    nsd_multiply(p->n, p->n, p->A[k], p->n, p->b[k], p->x);
    nsd_multiply_transposed(p->n, p->n, p->A[k], p->n, p->b[k], p->M);
  }
  bench_keep(p->x[0] + p->M[0]);
}

static void product_by_elements(void *data)
{
  problems *p = data;
  const int n = p->n;
  for (int k = 0; k < count; k++) {
    memset(p->M, 0, sizeof *p->M * (size_t)n);
    for (int i = 0; i < n; i++) {
      const double *a = p->A[k] + i * n;
      double sum = 0.0;
      for (int j = 0; j < n; j++) {
        sum += a[j] * p->b[k][j];
        p->M[j] += a[j] * p->b[k][i];
      }
      p->x[i] = sum;
    }
  }
  bench_keep(p->x[0] + p->M[0]);
}

static void race(bench *b, problems *p, int n)
{
  static const bench_contender lu[] = {{.name = "nsdyn", .run = lu_own},
                                       {.name = "nsdyn without info", .run = lu_without_info},
                                       {.name = "GSL", .run = lu_gsl},
                                       {.name = "OpenBLAS", .run = lu_lapack}};
  static const bench_contender cholesky[] = {{.name = "nsdyn", .run = cholesky_own},
                                             {.name = "GSL", .run = cholesky_gsl},
                                             {.name = "OpenBLAS", .run = cholesky_lapack}};
  static const bench_contender pivot[] = {{.name = "nsdyn", .run = exchange_chosen},
                                          {.name = "nsdyn plain", .run = exchange_plain}};
  static const bench_contender small[] = {{.name = "nsdyn", .run = small_own},
                                          {.name = "nsdyn of any size", .run = cholesky_own}};
  static const bench_contender in_order[] = {{.name = "nsdyn", .run = in_order_own},
                                             {.name = "nsdyn with pivots", .run = lu_of_definite}};
  static const bench_contender product[] = {{.name = "nsdyn", .run = product_own},
                                            {.name = "element by element", .run = product_by_elements}};
  if (!bench_wants(b, NULL, n)) {
    return;
  }
  fill(p, n);
  p->permutation = gsl_permutation_alloc((size_t)n);
  bench_race(b, "LU + solve", n, count, lu, sizeof lu / sizeof *lu, p);
  bench_race(b, "Cholesky + solve", n, count, cholesky, sizeof cholesky / sizeof *cholesky, p);
  bench_race(b, "pivot exchange", n, 2 * count, pivot, sizeof pivot / sizeof *pivot, p);
  bench_race(b, "LU in order + solve", n, count, in_order, sizeof in_order / sizeof *in_order, p);
  bench_race(b, "products", n, count, product, sizeof product / sizeof *product, p);
  if (nsd_block_is_small(n)) {
    bench_race(b, "small Cholesky + solve", n, count, small, sizeof small / sizeof *small, p);
  }
  gsl_permutation_free(p->permutation);
}

int main(int argc, char **argv)
{
  static const int sizes[] = {3, 6, 12, 18, 24, 48, 96};
  static problems all;
  bench *b = bench_new("dense", argc, argv);
#ifdef BENCH_OPENBLAS
  openblas_set_num_threads(1);
#endif
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    race(b, &all, sizes[i]);
  }
  bench_target(b, "LU + solve", 3, "GSL", 2.0);
  bench_target(b, "LU + solve", 6, "GSL", 2.0);
  bench_target(b, "LU + solve", 12, "GSL", 2.0);
  bench_target(b, "LU + solve", 24, "GSL", 1.5);
  for (int i = 0; sizes[i] <= 24; i++) {
    bench_target(b, "LU + solve", sizes[i], "OpenBLAS", 1.0);
  }
  for (int i = 0; sizes[i] <= 12; i++) {
    bench_target(b, "Cholesky + solve", sizes[i], "OpenBLAS", 1.0);
  }
  return bench_finish(b);
}
