/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Small dense linear algebra: what the solvers and the mass matrix need, n from 0 to some hundred.
 *
 * Matrices are row-major: element (i, j) of A is A[i*lda + j], lda >= columns. Right-hand sides stand
 * as rows: row k of X is one of them, contiguous. Every sum has one fixed order, whatever the
 * compiler, so results are the same bits everywhere. Nothing allocates; sizes may be zero.
 *
 * NaN or infinity in a factorization gives NSDYN_ERR_NOT_FINITE; a success contains none. */
#ifndef NSD_BASE_DENSE_H
#define NSD_BASE_DENSE_H

#include "base/poll.h"
#include "nsdyn/base.h"

/* What a factorization with partial pivoting tells of its matrix. */
typedef struct nsd_lu_info {
  double growth; /* largest |element| of A and U / largest |element| of A; >= 1; 1 where singular */
  double margin; /* smallest over k of |u_kk| / (|L| |U|)_kk, in [0, 1]: what cancellation left of the
                    pivots. 0 is singular, n 2^-52 is rounding noise (a surer but dearer word has
                    nsd_lu_rcond). It has no unit; other units of the columns do not change it, nor do
                    those of rows make it small. Of a pivot so small (below 2^-990 or so) that its
                    products underflow it is rough, and can be 0 with NSDYN_OK. */
  int column;    /* where that minimum stands */
} nsd_lu_info;

/* P A = L U in place. perm (n) receives the row interchanges: step k swapped rows k and perm[k].
 * NSDYN_ERR_SINGULAR where a column has nothing but zeros left for a pivot (info says which, its margin
 * is 0); NSDYN_ERR_NOT_FINITE also where elimination overflows, info is untouched then. After either, A and
 * perm are of no use. info may be NULL. */
nsdyn_status nsd_lu_factor(int n, double *A, int lda, int *perm, nsd_lu_info *info);

/* The same, asking on the way: NSDYN_CANCELLED where the poll says so; NULL never does. */
nsdyn_status nsd_lu_factor_asking(int n, double *A, int lda, int *perm, nsd_lu_info *info, nsd_poll *poll);

/* X := rows of A^-1 x, for each of the nrhs rows x of X (row stride ldx). Here and in the other solves
 * and products nothing is checked: an x that overflows is the caller's to find. */
void nsd_lu_solve(int n, const double *LU, int lda, const int *perm, int nrhs, double *X, int ldx);

/* One x, asking on the way; told to stop, it ends first. */
void nsd_lu_solve_asking(int n, const double *LU, int lda, const int *perm, double *x, nsd_poll *poll);

/* The same with A^T. */
void nsd_lu_solve_transposed(int n, const double *LU, int lda, const int *perm, int nrhs, double *X, int ldx);

/* Estimate of 1 / cond_1(A), never smaller than it but for rounding and seldom more than 10 times larger
 * (Hager's and Higham's); in [0, 1], 0 also where cond_1 overflows. norm_1 is ‖A‖_1 before
 * factorization, work holds 2n doubles. */
double nsd_lu_rcond(int n, const double *LU, int lda, const int *perm, double norm_1, double *work);

/* A = L L^T from the lower triangle, in place; the upper triangle is neither read nor written.
 * NSDYN_ERR_NOT_DEFINITE where pivot k is not positive or is rounding noise: less than 2^-20 of the diagonal
 * element that it was, and a change of 16 n 2^-52, relative to the diagonal, makes the leading block singular
 * (beyond pivot 512 only where the pivot alone shows it). Units of rows do not matter.
 * NSDYN_ERR_NOT_FINITE also where a matrix is so far from definite that L overflows. `failed` (may be NULL)
 * then says which k, or which row is not finite. */
nsdyn_status nsd_cholesky_factor(int n, double *A, int lda, int *failed);
nsdyn_status nsd_cholesky_factor_asking(int n, double *A, int lda, int *failed, nsd_poll *poll);

/* X := rows of A^-1 x; the two halves alone are L^-1 x and L^-T x. */
void nsd_cholesky_solve(int n, const double *L, int ldl, int nrhs, double *X, int ldx);
/* One x, asking on the way; told to stop, it ends first. */
void nsd_cholesky_solve_asking(int n, const double *L, int ldl, double *x, nsd_poll *poll);
void nsd_cholesky_forward(int n, const double *L, int ldl, int nrhs, double *X, int ldx);
void nsd_cholesky_backward(int n, const double *L, int ldl, int nrhs, double *X, int ldx);

/* The mass matrix of many bodies is zero but near its diagonal, and L is zero where rows of A have not begun.
 * first ((n + 3) / 4) := of each group of four rows of A's lower triangle the first column, a multiple of
 * four, where one of them is not zero. Returns how many elements of L there are at most. */
double nsd_cholesky_envelope(int n, const double *A, int lda, int *first);
/* x := L^-1 x, the same bits, from what of L is not zero; nor is x gone through where it begins with zeros.
 */
void nsd_cholesky_forward_within(int n, const double *L, int ldl, const int *first, double *x);

/* y := A x, y := A^T x and y := y + A^T x, A with `rows` × `cols`. y must not overlap. */
void nsd_multiply(int rows, int cols, const double *A, int lda, const double *x, double *y);
void nsd_multiply_transposed(int rows, int cols, const double *A, int lda, const double *x, double *y);
void nsd_add_transposed(int rows, int cols, const double *A, int lda, const double *x, double *y);

/* The same, asking on the way; told to stop, they leave what is missing out: y is finite, and not the
 * product. */
void nsd_multiply_asking(int rows, int cols, const double *A, int lda, const double *x, double *y,
                         nsd_poll *poll);
void nsd_multiply_transposed_asking(int rows, int cols, const double *A, int lda, const double *x, double *y,
                                    nsd_poll *poll);

/* C := A B (m × k times k × n), C := A B^T (B is n × k), C := A^T B (A is k × m). C must not overlap. */
void nsd_product(int m, int n, int k, const double *A, int lda, const double *B, int ldb, double *C, int ldc);
void nsd_product_nt(int m, int n, int k, const double *A, int lda, const double *B, int ldb, double *C,
                    int ldc);
void nsd_product_tn(int m, int n, int k, const double *A, int lda, const double *B, int ldb, double *C,
                    int ldc);

/* The lower triangle of H := J^T J, n × n both without gaps; some elements above it may be written. Asks on
 * the way; told to stop, it ends first. */
void nsd_normal_matrix_asking(int n, const double *J, double *H, nsd_poll *poll);

double nsd_dot(int n, const double *x, const double *y); /* one fixed summation order */
double nsd_norm_2(int n, const double *x);               /* without overflow or underflow on the way */
double nsd_norm_inf(int n, const double *x);             /* NaN where there is one */
double nsd_matrix_norm_1(int rows, int cols, const double *A, int lda);
double nsd_matrix_norm_inf(int rows, int cols, const double *A, int lda);
double nsd_matrix_norm_max(int rows, int cols, const double *A, int lda);

/* Non-zero where every element is finite. */
int nsd_all_finite(int rows, int cols, const double *A, int lda);

#endif
