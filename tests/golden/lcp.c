/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* What lib/lcp computes: every method on problems of several classes, plain and with bounds, cold and warm;
 * all solutions; classes of matrices. */
#include "nsdyn/lcp.h"

#include <math.h>
#include <string.h>

#include "hash.h"

enum { MOST = 24, KINDS = 6, METHODS = NSDYN_LCP_MARQUARDT_PROJECTED + 1 };

typedef struct task {
  int n;
  double A[MOST * MOST], b[MOST], lo[MOST], hi[MOST];
} task;

/* A := G Gᵀ with G n × rank. */
static void fill_gram(stream *from, task *t, int rank)
{
  double G[MOST * MOST];
  const int n = t->n;
  stream_fill(from, (size_t)n * (size_t)rank, G);
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      double sum = 0.0;
      for (int l = 0; l < rank; l++) {
        sum += G[i * rank + l] * G[j * rank + l];
      }
      t->A[i * n + j] = sum;
    }
  }
}

/* One planar contact after the other, as three rows each: normal, two of friction (its 3-row form), on a
 * Gram matrix of normal and tangential directions. */
static void fill_friction(stream *from, task *t)
{
  const int contacts = t->n / 3;
  const double mu = 0.5;
  task gram = {.n = 2 * contacts};
  fill_gram(from, &gram, 2 * contacts);
  const int n = 3 * contacts;
  t->n = n;
  memset(t->A, 0, sizeof t->A);
  for (int i = 0; i < contacts; i++) {
    for (int j = 0; j < contacts; j++) {
      const double *g = gram.A + 2 * i * gram.n + 2 * j;
      const double nn = g[0], nt = g[1], tn = g[gram.n], tt = g[gram.n + 1];
      double *a = t->A + 3 * i * n + 3 * j;
      a[0] = nn - mu * nt;
      a[1] = nt;
      a[n] = tn - mu * tt;
      a[n + 1] = tt;
    }
    double *own = t->A + 3 * i * n + 3 * i;
    own[n + 2] = 1.0;
    own[2 * n] = 2.0 * mu;
    own[2 * n + 1] = -1.0;
  }
}

/* Symmetric positive definite, semidefinite, not symmetric with dominant diagonal, small integers, friction,
 * badly scaled. */
static void fill(stream *from, task *t, int kind)
{
  const int n = t->n;
  fill_gram(from, t, kind == 1 ? (n + 1) / 2 : n);
  stream_fill(from, (size_t)n, t->b);
  for (int i = 0; i < n; i++) {
    const double unit = kind == 5 ? stream_scaled(from) : 1.0;
    for (int j = 0; j < n; j++) {
      double *a = &t->A[i * n + j];
      *a = kind == 2 ? stream_number(from) + (i == j ? n : 0) : kind == 3 ? stream_below(from, 3) - 1 : *a;
      *a *= unit;
    }
    t->b[i] = kind == 3 ? stream_below(from, 3) - 1 : unit * t->b[i];
    t->lo[i] = stream_below(from, 3) ? stream_number(from) - 1.0 : -(double)INFINITY;
    t->hi[i] = stream_below(from, 3) ? stream_number(from) + 1.0 : (double)INFINITY;
  }
  if (kind == 4) {
    fill_friction(from, t);
  }
}

static void hash_answer(hash *h, nsdyn_lcp *lcp, nsdyn_status status, int n, const double *x, const double *y)
{
  nsdyn_lcp_solve_report result;
  nsdyn_lcp_solve_report_init(&result, sizeof result);
  nsdyn_lcp_report(lcp, &result);
  hash_int(h, status);
  hash_int(h, result.method);
  hash_int(h, result.iterations);
  hash_int(h, result.proof);
  if (status >= 0) {
    hash_double(h, result.residual);
    hash_doubles(h, (size_t)n, x);
    hash_doubles(h, (size_t)n, y);
  }
  int length;
  const double *ray = nsdyn_lcp_ray(lcp, &length);
  hash_doubles(h, (size_t)length, ray);
  const int32_t *basis = nsdyn_lcp_basis(lcp, &length);
  hash_bytes(h, basis, (size_t)length * sizeof *basis);
}

static void hash_solves(hash *h, nsdyn_lcp *lcp, const task *t, int method, int warm)
{
  const int n = t->n;
  double x[MOST], y[MOST];
  nsdyn_lcp_options options;
  nsdyn_lcp_options_init(&options, sizeof options);
  options.method = method;
  options.warm_start = warm;
  options.newton_fb_lambda = method == NSDYN_LCP_NEWTON_FB ? 0.75 : 1.0;
  options.marquardt_lambda = method == NSDYN_LCP_MARQUARDT_PROJECTED ? 0.75 : 1.0;
  options.max_iterations = method == NSDYN_LCP_SWEEP ? 300 : -1;
  nsdyn_lcp_set_options(lcp, &options);
  nsdyn_status status = nsdyn_lcp_solve(lcp, n, t->A, n, t->b, x, y);
  hash_answer(h, lcp, status, n, x, y);
  status = nsdyn_lcp_solve_mixed(lcp, n, t->A, n, t->b, t->lo, t->hi, x, y);
  hash_answer(h, lcp, status, n, x, y);
}

void golden_lcp(hash *h)
{
  nsdyn_lcp *lcp;
  if (nsdyn_lcp_new(NULL, NULL, &lcp, NULL)) {
    return;
  }
  stream from = stream_begin(6);
  for (int k = 0; k < 20 * KINDS; k++) {
    task t = {.n = 1 + k % MOST};
    fill(&from, &t, k % KINDS);
    for (int method = 0; method < METHODS; method++) {
      /* A search through all bases of a hard problem takes too long. */
      if (t.n <= 12 || method != NSDYN_LCP_ENUMERATIVE) {
        hash_solves(h, lcp, &t, method, 0);
        hash_solves(h, lcp, &t, method, 1);
      }
    }
  }
  nsdyn_lcp_free(lcp);
}

static int hash_piece(void *user, const nsdyn_lcp_piece *piece)
{
  hash *h = user;
  const size_t n = (size_t)piece->n;
  hash_int(h, piece->dimension);
  hash_doubles(h, (size_t)piece->vertices * n, piece->vertex);
  hash_doubles(h, (size_t)piece->rays * n, piece->ray);
  hash_bytes(h, piece->support, n * sizeof *piece->support);
  return 0;
}

void golden_enumerate(hash *h)
{
  nsdyn_lcp *lcp;
  if (nsdyn_lcp_new(NULL, NULL, &lcp, NULL)) {
    return;
  }
  stream from = stream_begin(7);
  for (int k = 0; k < 40 * KINDS; k++) {
    task t = {.n = 1 + k % 9};
    fill(&from, &t, k % KINDS);
    nsdyn_lcp_census census;
    nsdyn_lcp_census_init(&census, sizeof census);
    hash_int(h, nsdyn_lcp_enumerate(lcp, t.n, t.A, t.n, t.b, hash_piece, h, &census));
    hash_bytes(h, &census, sizeof census);
    nsdyn_lcp_classes classes;
    nsdyn_lcp_classes_init(&classes, sizeof classes);
    hash_int(h, nsdyn_lcp_classify(lcp, t.n, t.A, t.n, &classes));
    hash_bytes(h, &classes, sizeof classes);
  }
  nsdyn_lcp_free(lcp);
}

/* Tridiagonal M-matrices over obstacles. */
static void hash_bands(hash *h, nsdyn_lcp *lcp)
{
  enum { MOST_ROWS = 200 };
  double band[3 * MOST_ROWS], b[MOST_ROWS], lo[MOST_ROWS], x[MOST_ROWS], y[MOST_ROWS];
  stream from = stream_begin(9);
  nsdyn_sparse_matrix A;
  nsdyn_sparse_matrix_init(&A, sizeof A);
  A.format = NSDYN_SPARSE_BANDED;
  A.lower = A.upper = 1;
  A.stride = 3;
  A.value = band;
  for (int n = 2; n <= MOST_ROWS; n += 11) {
    A.n = n;
    for (int i = 0; i < n; i++) {
      band[3 * i] = -1.0 - fabs(stream_number(&from));
      band[3 * i + 2] = -1.0 - fabs(stream_number(&from));
      band[3 * i + 1] = -band[3 * i] - band[3 * i + 2] + 1e-3;
      b[i] = stream_number(&from);
      lo[i] = stream_number(&from);
    }
    for (int bounded = 0; bounded < 2; bounded++) {
      const nsdyn_status status = nsdyn_lcp_solve_sparse(lcp, &A, b, bounded ? lo : NULL, NULL, x, y);
      hash_answer(h, lcp, status, n, x, y);
    }
  }
}

/* Meshes, symmetric or not, of positive and of any signs; cold, warm, with bounds. */
void golden_sparse(hash *h)
{
  enum { SIDE = 16, ROWS = SIDE * SIDE };
  static int64_t row[ROWS + 1];
  static int32_t column[5 * ROWS];
  static double value[5 * ROWS], b[ROWS], lo[ROWS], hi[ROWS], x[ROWS], y[ROWS];
  nsdyn_lcp *lcp;
  nsdyn_sparse_matrix A;
  nsdyn_lcp_options options;
  nsdyn_lcp_options_init(&options, sizeof options);
  options.warm_start = 1;
  if (nsdyn_lcp_new(NULL, &options, &lcp, NULL)) {
    return;
  }
  nsdyn_sparse_matrix_init(&A, sizeof A);
  A.row = row;
  A.column = column;
  A.value = value;
  stream from = stream_begin(8);
  for (int k = 0; k < 24; k++) {
    const int side = 3 + k % (SIDE - 2), n = side * side, steps[5] = {-side, -1, 0, 1, side};
    int64_t at = 0;
    A.n = n;
    for (int i = 0; i < n; i++) {
      row[i] = at;
      for (int l = 0; l < 5; l++) {
        const int j = i + steps[l];
        if (j >= 0 && j < n && !(l == 3 && j % side == 0) && !(l == 1 && i % side == 0)) {
          const double noise = k % 3 ? 0.25 * stream_number(&from) : 0.0;
          column[at] = j;
          value[at++] = l == 2 ? 4.0 + k % 2 : k % 4 == 3 ? stream_number(&from) : -1.0 + noise;
        }
      }
      b[i] = stream_number(&from);
      lo[i] = stream_below(&from, 4) ? 0.0 : -(double)INFINITY;
      hi[i] = stream_below(&from, 4) ? (double)INFINITY : 1.0;
    }
    row[n] = at;
    for (int run = 0; run < 3; run++) {
      const int bounded = run == 2;
      const nsdyn_status status =
          nsdyn_lcp_solve_sparse(lcp, &A, b, bounded ? lo : NULL, bounded ? hi : NULL, x, y);
      hash_answer(h, lcp, status, n, x, y);
    }
  }
  hash_bands(h, lcp);
  nsdyn_lcp_free(lcp);
}

/* Contacts in a row, each coupled with its neighbours, in the forms of Glocker and of Stewart and Trinkle. */
static void fill_row(stream *from, int contacts, int each, double *A, double *b)
{
  const int n = each * contacts;
  memset(A, 0, (size_t)n * (size_t)n * sizeof *A);
  for (int i = 0; i < contacts; i++) {
    const double mu = 0.25 + 0.25 * stream_number(from);
    double *const N = A + (ptrdiff_t)each * i * n, *const T = N + n,
                  *const last = N + (ptrdiff_t)(each - 1) * n;
    const int at = each * i;
    N[at] = T[at + 1] = 2.0;
    for (int j = i - 1; j <= i + 1; j += 2) {
      if (j >= 0 && j < contacts) {
        N[each * j] = -0.75;
        T[each * j + 1] = 0.5;
      }
    }
    for (int j = i - 1; j <= i + 1; j++) {
      if (j >= 0 && j < contacts && each == 3) {
        T[each * j] -= mu * T[each * j + 1]; /* Λ_T = Λ_R − μ Λ_N */
      }
    }
    T[at + each - 1] = 1.0;
    last[at] = each == 3 ? 2.0 * mu : mu;
    last[at + 1] = -1.0;
    b[at] = stream_number(from) - 0.5;
    b[at + 1] = stream_number(from);
    b[at + each - 1] = 0.0;
    if (each == 4) {
      double *const other = T + n;
      for (int j = 0; j < contacts; j++) {
        T[each * j + 2] = -T[each * j + 1];
        other[each * j] = -T[each * j];
        other[each * j + 1] = -T[each * j + 1];
        other[each * j + 2] = T[each * j + 1];
      }
      other[at + 3] = 1.0;
      last[at + 2] = -1.0;
      b[at + 2] = -b[at + 1];
    }
  }
}

void golden_damped(hash *h)
{
  enum { CONTACTS = 100, MOST_ROWS = 4 * CONTACTS };
  static double A[MOST_ROWS * MOST_ROWS], b[MOST_ROWS], x[MOST_ROWS], y[MOST_ROWS];
  nsdyn_lcp *lcp;
  if (nsdyn_lcp_new(NULL, NULL, &lcp, NULL)) {
    return;
  }
  stream from = stream_begin(10);
  for (int k = 0; k < 12; k++) {
    const int contacts = CONTACTS - k / 2, each = 3 + k % 2, n = each * contacts;
    fill_row(&from, contacts, each, A, b);
    hash_answer(h, lcp, nsdyn_lcp_solve(lcp, n, A, n, b, x, y), n, x, y);
  }
  nsdyn_lcp_free(lcp);
}
