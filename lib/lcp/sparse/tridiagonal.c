/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "lcp/sparse/tridiagonal.h"

#include <math.h>

#include "base/kernels/simd.h"

enum { ROW_WORK = 16 /* multiplications that a row of a pass is worth */ };

void nsd_tridiagonal_lay_out(nsd_arena *arena, nsd_tridiagonal *w, int32_t n)
{
  const size_t size = (size_t)n;
  double **const vectors[] = {&w->below, &w->diagonal, &w->above, &w->load, &w->factor, &w->x};
  w->n = n;
  for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++) {
    *vectors[k] = nsd_arena_take(arena, size, sizeof(double));
  }
  w->place = nsd_arena_take(arena, size, sizeof *w->place);
  w->run = nsd_arena_take(arena, (size + 1) / 2, sizeof *w->run);
}

int nsd_tridiagonal_may_be(const nsdyn_sparse_matrix *A)
{
  if (A->format == NSDYN_SPARSE_BANDED) {
    const int32_t most = A->n > 1 ? 1 : 0;
    return A->n > 0 && A->value && A->lower >= 0 && A->lower <= most && A->upper >= 0 && A->upper <= most &&
           A->stride > A->lower + A->upper && A->stride <= INT64_MAX / (int64_t)sizeof(double) / A->n;
  }
  return A->format == NSDYN_SPARSE_ROWS && A->n > 0 && A->row && A->column && A->value && A->row[0] == 0 &&
         A->row[A->n] <= 3 * (int64_t)A->n;
}

/* Row i of a matrix by rows. Returns 0 where it has other columns. */
NSD_INLINE int take_row(nsd_tridiagonal *w, const nsdyn_sparse_matrix *A, int32_t i)
{
  const int64_t begin = A->row[i], end = A->row[i + 1];
  if (end < begin || end - begin > 3 || end > A->row[A->n]) {
    return 0;
  }
  double element[3] = {0.0, 0.0, 0.0};
  int64_t before = -1;
  for (int64_t k = begin; k < end; k++) {
    const int64_t j = (int64_t)A->column[k] - i + 1;
    if (j <= before || j > 2 || A->column[k] < 0 || A->column[k] >= A->n) {
      return 0;
    }
    element[j] = A->value[k];
    before = j;
  }
  w->below[i] = element[0];
  w->diagonal[i] = element[1];
  w->above[i] = element[2];
  return 1;
}

/* Row i of a band; what would lie outside of the matrix is not looked at. */
NSD_INLINE void take_band(nsd_tridiagonal *w, const nsdyn_sparse_matrix *A, int32_t i)
{
  const double *row = A->value + i * A->stride + A->lower;
  w->below[i] = A->lower > 0 && i > 0 ? row[-1] : 0.0;
  w->diagonal[i] = row[0];
  w->above[i] = A->upper > 0 && i + 1 < A->n ? row[1] : 0.0;
}

/* The three diagonals. 0 where there is more in a row, or a sign is not that of the class. */
static int take(nsd_tridiagonal *w, const nsdyn_sparse_matrix *A)
{
  const int is_band = A->format == NSDYN_SPARSE_BANDED;
  for (int32_t i = 0; i < w->n; i++) {
    if (is_band) {
      take_band(w, A, i);
    } else if (!take_row(w, A, i)) {
      return 0;
    }
    if (!(w->diagonal[i] > 0.0 && w->below[i] <= 0.0 && w->above[i] <= 0.0) ||
        nsd_poll_stops(w->poll, ROW_WORK)) {
      return 0;
    }
  }
  return 1;
}

/* load := b + A lo. 0 where a bound is none. */
static int find_load(nsd_tridiagonal *w, const double *b, const double *lo)
{
  for (int32_t i = 0; i < w->n; i++) {
    double load = b[i];
    if (lo) {
      load += w->diagonal[i] * lo[i];
      load += i > 0 ? w->below[i] * lo[i - 1] : 0.0;
      load += i + 1 < w->n ? w->above[i] * lo[i + 1] : 0.0;
      if (!(lo[i] > -(double)INFINITY) || nsd_poll_stops(w->poll, ROW_WORK)) {
        return 0;
      }
    }
    w->load[i] = load;
  }
  return 1;
}

/* The run of one unknown: d x = −load − below u − above v. */
NSD_INLINE nsd_tridiagonal_run run_of(const nsd_tridiagonal *w, int32_t i)
{
  const double inverse = -1.0 / w->diagonal[i];
  const double p = w->load[i] * inverse, q = w->below[i] * inverse, r = w->above[i] * inverse;
  return (nsd_tridiagonal_run){.first = i, .last = i, .p = p, .q = q, .r = r, .s = p, .t = q, .w = r};
}

/* Run a before run b, without a gap: a's last and b's first,
 *     l = s_a + t_a u + w_a f,    f = p_b + q_b l + r_b v,
 * are put into the ends of both. 0 where 1 − w_a q_b, a principal minor over two others, is not positive. */
NSD_INLINE int join(nsd_tridiagonal_run *a, const nsd_tridiagonal_run *b)
{
  const double minor = 1.0 - a->w * b->q;
  if (!(minor > 0.0)) {
    return 0;
  }
  const double inverse = 1.0 / minor;
  const double l = (a->s + a->w * b->p) * inverse; /* at u = v = 0 */
  const double f = (b->p + b->q * a->s) * inverse;
  const double l_u = a->t * inverse, f_v = b->r * inverse;
  a->p += a->r * f;
  a->q += a->r * (b->q * l_u);
  a->r *= f_v;
  a->s = b->s + b->t * l;
  a->t = b->t * l_u;
  a->w = b->w + b->t * (a->w * f_v);
  a->last = b->last;
  return 1;
}

/* Joins runs at the end of the list while an unknown before the last run is pushed off its bound by it.
 * Returns how many runs are left, or −1. */
NSD_INLINE int32_t draw_along(nsd_tridiagonal *w, int32_t count)
{
  for (;;) {
    nsd_tridiagonal_run *top = &w->run[count - 1];
    const int32_t i = top->first - 1;
    if (i < 0) {
      return count;
    }
    /* y_i between the last run and the one before it. */
    const int is_next = count > 1 && w->run[count - 2].last == i - 1;
    const double before = is_next ? w->run[count - 2].s : 0.0;
    if (!(w->load[i] + w->below[i] * before + w->above[i] * top->p < 0.0)) {
      return count;
    }
    nsd_tridiagonal_run one = run_of(w, i);
    if (!join(&one, top)) {
      return -1;
    }
    if (!is_next) {
      *top = one;
    } else {
      count--;
      if (!join(&w->run[count - 1], &one)) {
        return -1;
      }
    }
  }
}

/* All runs, row after row. Returns how many, or −1. */
static int32_t find_runs(nsd_tridiagonal *w)
{
  int32_t count = 0;
  for (int32_t i = 0; i < w->n; i++) {
    nsd_tridiagonal_run *top = &w->run[count > 0 ? count - 1 : 0];
    const int is_next = count > 0 && top->last == i - 1;
    const double before = is_next ? top->s : 0.0;
    if (nsd_poll_stops(w->poll, ROW_WORK)) {
      return -1;
    }
    /* y_i with x_{i+1} at its bound. */
    if (!(w->load[i] + w->below[i] * before < 0.0)) {
      continue;
    }
    const nsd_tridiagonal_run one = run_of(w, i);
    if (!is_next) {
      w->run[count++] = one;
    } else if (!join(top, &one)) {
      return -1;
    }
    count = draw_along(w, count);
    if (count < 0) {
      return -1;
    }
  }
  return count;
}

/* A_FF x_F = −b_F − A_FN lo_N on one run: elimination downwards, substitution upwards. 0 where a pivot is not
 * positive. */
NSD_INLINE int solve_run(nsd_tridiagonal *w, const nsd_tridiagonal_run *run, const double *b,
                         const double *lo)
{
  double u = lo && run->first > 0 ? lo[run->first - 1] : 0.0;
  double factor = 0.0;
  for (int32_t i = run->first; i <= run->last; i++) {
    /* x_i = u_i − factor_i x_{i+1} */
    const double pivot = w->diagonal[i] - w->below[i] * factor;
    if (!(pivot > 0.0) || nsd_poll_stops(w->poll, ROW_WORK)) {
      return 0;
    }
    const double inverse = 1.0 / pivot;
    u = (-b[i] - w->below[i] * u) * inverse;
    factor = w->above[i] * inverse;
    w->x[i] = u;
    w->factor[i] = factor;
  }
  double next = lo && run->last + 1 < w->n ? lo[run->last + 1] : 0.0;
  for (int32_t i = run->last; i >= run->first; i--) {
    next = w->x[i] - w->factor[i] * next;
    /* Where y and x vanish both, x may lie below its bound by rounding. */
    const double least = lo ? lo[i] : 0.0;
    w->x[i] = next > least ? next : least;
    w->place[i] = NSDYN_LCP_BASIC;
    if (nsd_poll_stops(w->poll, ROW_WORK)) {
      return 0;
    }
  }
  return 1;
}

int nsd_tridiagonal_solve(nsd_tridiagonal *w, const nsdyn_sparse_matrix *A, const double *b, const double *lo)
{
  /* 1. The diagonals, and y with all unknowns at their bounds. */
  if (!take(w, A) || !find_load(w, b, lo)) {
    return 0;
  }
  /* 2. The basis. */
  const int32_t count = find_runs(w);
  if (count < 0) {
    return 0;
  }
  /* 3. Its solution. */
  int32_t i = 0;
  for (int32_t k = 0; k <= count; k++) {
    const int32_t end = k < count ? w->run[k].first : w->n;
    for (; i < end; i++) {
      w->x[i] = lo ? lo[i] : 0.0;
      w->place[i] = NSDYN_LCP_AT_LO;
    }
    if (k < count) {
      i = w->run[k].last + 1;
      if (!solve_run(w, &w->run[k], b, lo)) {
        return 0;
      }
    }
  }
  return 1;
}
