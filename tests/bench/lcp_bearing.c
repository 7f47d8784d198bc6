/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "lcp_bearing.h"

#include <math.h>
#include <nsdyn/lcp.h>
#include <stdio.h>
#include <stdlib.h>

#define DENSE_MOST 3000 /* unknowns of which a dense matrix is made */

typedef struct bearing {
  int n;
  nsdyn_lcp *lcp;
  double *band;           /* n × 3 */
  double *A;              /* n × n, or NULL */
  double *b, *x;          /* n each */
  double *factor, *right; /* n each: Thomas' */
  unsigned char *in;      /* n */
} bearing;

static void *take(size_t count, size_t size)
{
  void *memory = calloc(count, size);
  if (!memory) {
    fprintf(stderr, "bench_lcp: no memory\n");
    exit(2);
  }
  return memory;
}

static void open_bearing(bearing *w, int n)
{
  const size_t size = (size_t)n;
  const double step = 6.283185307179586 / (n + 1), e = 0.8;
  *w = (bearing){.n = n};
  w->band = take(3 * size, sizeof *w->band);
  w->A = n <= DENSE_MOST ? take(size * size, sizeof *w->A) : NULL;
  w->b = take(size, sizeof *w->b);
  w->x = take(size, sizeof *w->x);
  w->factor = take(size, sizeof *w->factor);
  w->right = take(size, sizeof *w->right);
  w->in = take(size, 1);
  if (nsdyn_lcp_new(NULL, NULL, &w->lcp, NULL) != NSDYN_OK) {
    exit(2);
  }
  for (int i = 0; i < n; i++) {
    const double at = step * (i + 1);
    const double before = pow(1.0 + e * cos(at - 0.5 * step), 3.0),
                 after = pow(1.0 + e * cos(at + 0.5 * step), 3.0);
    double *row = w->band + 3 * i;
    row[0] = -before;
    row[1] = before + after;
    row[2] = -after;
    w->b[i] = -e * sin(at) * step * step;
    for (int k = -1; w->A && k <= 1; k++) {
      if (i + k >= 0 && i + k < n) {
        w->A[(size_t)i * size + (size_t)(i + k)] = row[1 + k];
      }
    }
  }
}

static void close_bearing(bearing *w)
{
  nsdyn_lcp_free(w->lcp);
  free(w->band);
  free(w->A);
  free(w->b);
  free(w->x);
  free(w->factor);
  free(w->right);
  free(w->in);
}

static void run_sparse(void *data)
{
  bearing *w = data;
  nsdyn_sparse_matrix A;
  nsdyn_sparse_matrix_init(&A, sizeof A);
  A.format = NSDYN_SPARSE_BANDED;
  A.n = w->n;
  A.lower = A.upper = 1;
  A.stride = 3;
  A.value = w->band;
  (void)nsdyn_lcp_solve_sparse(w->lcp, &A, w->b, NULL, NULL, w->x, NULL);
  bench_keep(w->x[0]);
}

static void run_dense(void *data)
{
  bearing *w = data;
  (void)nsdyn_lcp_solve(w->lcp, w->n, w->A, w->n, w->b, w->x, NULL);
  bench_keep(w->x[0]);
}

/* One elimination and back substitution on the basic rows; the others are zero. */
static void solve_basic(bearing *w)
{
  double factor = 0.0, right = 0.0;
  for (int i = 0; i < w->n; i++) {
    const double *row = w->band + 3 * i;
    if (w->in[i]) {
      const double pivot = row[1] - (i > 0 ? row[0] * factor : 0.0);
      right = (-w->b[i] - (i > 0 ? row[0] * right : 0.0)) / pivot;
      factor = row[2] / pivot;
    } else {
      factor = right = 0.0;
    }
    w->factor[i] = factor;
    w->right[i] = right;
  }
  double next = 0.0;
  for (int i = w->n - 1; i >= 0; i--) {
    next = w->in[i] ? w->right[i] - w->factor[i] * next : 0.0;
    w->x[i] = next;
  }
}

/* Rounds from x = 0 on: every wrong sign changes sides. No check of the data, no certificate. */
static void run_thomas(void *data)
{
  bearing *w = data;
  for (int i = 0; i < w->n; i++) {
    w->in[i] = w->b[i] < 0.0;
  }
  for (int changed = 1; changed;) {
    changed = 0;
    solve_basic(w);
    for (int i = 0; i < w->n; i++) {
      const double *row = w->band + 3 * i;
      const double y =
          w->b[i] + (i > 0 ? row[0] * w->x[i - 1] : 0.0) + (i + 1 < w->n ? row[2] * w->x[i + 1] : 0.0);
      const int is_wrong = w->in[i] ? w->x[i] < 0.0 : y < -1e-14 * fabs(w->b[i]);
      w->in[i] = is_wrong ? !w->in[i] : w->in[i];
      changed |= is_wrong;
    }
  }
  bench_keep(w->x[0]);
}

void lcp_bearing_race(bench *b)
{
  static const char *const work = "bearing";
  static const int sizes[] = {50, 200, 1000, 3000, 10000, 100000};
  for (int k = 0; k < (int)(sizeof sizes / sizeof *sizes); k++) {
    const int n = sizes[k];
    if (bench_wants(b, work, n)) {
      bearing w;
      open_bearing(&w, n);
      const bench_contender contenders[] = {{.name = "sparse", .run = run_sparse, .own = &w},
                                            {.name = "dense", .run = w.A ? run_dense : NULL, .own = &w},
                                            {.name = "Thomas by hand", .run = run_thomas, .own = &w}};
      bench_race(b, work, n, 1, contenders, 3, NULL);
      close_bearing(&w);
    }
    bench_target(b, work, n, "Thomas by hand", 1.0 / 3.0);
  }
}
