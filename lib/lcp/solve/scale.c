/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "lcp/solve/scale.h"

#include <limits.h>
#include <string.h>

/* Multiplications that take as long as ldexp(), and as to read an element out of a column. */
#define SCALING 20.0
#define COLUMN_READ 60.0

void nsd_scale_lay_out(nsd_arena *arena, nsd_scale *w, int n)
{
  const size_t size = (size_t)n;
  w->poll = NULL;
  w->A = nsd_arena_take(arena, size * size, sizeof *w->A);
  w->b = nsd_arena_take(arena, size, sizeof *w->b);
  w->lo = nsd_arena_take(arena, size, sizeof *w->lo);
  w->hi = nsd_arena_take(arena, size, sizeof *w->hi);
  w->row = nsd_arena_take(arena, size, sizeof *w->row);
  w->column = nsd_arena_take(arena, size, sizeof *w->column);
}

void nsd_scale_lay_out_units(nsd_arena *arena, nsd_scale *w, int n)
{
  *w = (nsd_scale){.poll = NULL};
  w->row = nsd_arena_take(arena, (size_t)n, sizeof *w->row);
  w->column = nsd_arena_take(arena, (size_t)n, sizeof *w->column);
}

/* Exponent of a number's leading bit, as frexp() counts it; exponents are all that scaling looks at. frexp()
 * itself is needed for subnormal numbers only. */
static int exponent_of(double a)
{
  uint64_t bits;
  memcpy(&bits, &a, sizeof bits);
  int e = (int)(bits >> 52 & 0x7ffu) - 1022;
  if (e == -1022) {
    (void)frexp(a, &e);
  }
  return e;
}

/* Half of the sum of the least and the largest exponent of the non-zero elements in a line, in present units:
 * the geometric middle. `step` leads from one element to the next. */
static int middle(const double *a, size_t step, int n, int own, const int *others)
{
  int least = INT_MAX;
  int largest = INT_MIN;
  /* Zeros say nothing of the units. */
  for (int j = 0; j < n; j++) {
    const double element = a[(size_t)j * step];
    if (element == 0.0) {
      continue;
    }
    const int e = exponent_of(element) + own + others[j];
    least = e < least ? e : least;
    largest = e > largest ? e : largest;
  }
  return largest == INT_MIN ? 0 : (least + largest) / 2;
}

/* The largest exponent in a line, in present units. */
static int top(const double *a, size_t step, int n, int own, const int *others)
{
  int largest = INT_MIN;
  for (int j = 0; j < n; j++) {
    const double element = a[(size_t)j * step];
    if (element != 0.0) {
      const int e = exponent_of(element) + own + others[j];
      largest = e > largest ? e : largest;
    }
  }
  return largest == INT_MIN ? 0 : largest;
}

static void choose_units(nsd_scale *w, const nsd_lcp_problem *p)
{
  enum { ROUNDS = 6 };
  const int n = p->n;
  const size_t lda = (size_t)p->lda;
  for (int i = 0; i < n; i++) {
    w->row[i] = w->column[i] = 0;
  }
  /* Rows and columns in turn: each line is multiplied by the power of two that puts the middle
   * of its exponents at zero. That is the logarithmic form of A_ij r_i c_j ≈ 1; a few rounds
   * are enough, since units need not be exact. */
  for (int round = 0; round < ROUNDS && !nsd_poll_stops(w->poll, 0.0); round++) {
    for (int i = 0; i < n; i++) {
      w->row[i] -= middle(nsd_lcp_row(p, i), 1, n, w->row[i], w->column);
      if (nsd_poll_stops(w->poll, 10.0 * n)) {
        return;
      }
    }
    for (int j = 0; j < n; j++) {
      w->column[j] -= middle(p->A + j, lda, n, w->column[j], w->row);
      if (nsd_poll_stops(w->poll, COLUMN_READ * n)) {
        return;
      }
    }
  }
  /* At last rows by their largest element, so that no row is all small numbers. */
  for (int i = 0; i < n; i++) {
    w->row[i] -= top(nsd_lcp_row(p, i), 1, n, w->row[i], w->column);
    if (nsd_poll_stops(w->poll, 10.0 * n)) {
      return;
    }
  }
}

nsd_lcp_problem nsd_scale_make(nsd_scale *w, const nsd_lcp_problem *p)
{
  const int n = p->n;
  choose_units(w, p);
  for (int i = 0; i < n; i++) {
    const double *a = nsd_lcp_row(p, i);
    double *to = w->A + (size_t)i * (size_t)n;
    for (int j = 0; j < n; j++) {
      /* A'_ij = 2^(r_i + c_j) A_ij, b'_i = 2^r_i b_i, x_j = 2^c_j x'_j, so bounds are divided by 2^c_j.
       * All exact, unless a number leaves the range of doubles. */
      to[j] = ldexp(a[j], w->row[i] + w->column[j]);
    }
    w->b[i] = ldexp(p->b[i], w->row[i]);
    w->lo[i] = ldexp(nsd_lcp_lo(p, i), -w->column[i]);
    w->hi[i] = ldexp(nsd_lcp_hi(p, i), -w->column[i]);
    if (nsd_poll_stops(w->poll, SCALING * n)) {
      break;
    }
  }
  return (nsd_lcp_problem){.n = n,
                           .lda = n,
                           .A = w->A,
                           .b = w->b,
                           .lo = p->lo || p->hi ? w->lo : NULL,
                           .hi = p->hi ? w->hi : NULL};
}

void nsd_scale_in_place(nsd_scale *w, int n, double *A, double *b)
{
  const nsd_lcp_problem p = {.n = n, .lda = n, .A = A, .b = b, .lo = NULL, .hi = NULL};
  choose_units(w, &p);
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      A[(size_t)i * (size_t)n + (size_t)j] =
          ldexp(A[(size_t)i * (size_t)n + (size_t)j], w->row[i] + w->column[j]);
    }
    b[i] = ldexp(b[i], w->row[i]);
    if (nsd_poll_stops(w->poll, SCALING * n)) {
      return;
    }
  }
}

void nsd_scale_point(const nsd_scale *w, int n, double *x)
{
  for (int i = 0; i < n; i++) {
    x[i] = ldexp(x[i], w->column[i]);
  }
}

void nsd_scale_multipliers(const nsd_scale *w, int n, double *v)
{
  for (int i = 0; i < n; i++) {
    v[i] = ldexp(v[i], w->row[i]);
  }
}

int nsd_scale_is_exact(const nsd_scale *w, const nsd_lcp_problem *p)
{
  const int n = p->n;
  for (int i = 0; i < n; i++) {
    const double *own = nsd_lcp_row(p, i);
    const double *scaled = w->A + (size_t)i * (size_t)n;
    for (int j = 0; j < n; j++) {
      /* What comes back is what was given: then no number has left the range. */
      if (ldexp(scaled[j], -(w->row[i] + w->column[j])) != own[j]) {
        return 0;
      }
    }
    if (ldexp(w->b[i], -w->row[i]) != p->b[i] || ldexp(w->lo[i], w->column[i]) != nsd_lcp_lo(p, i) ||
        ldexp(w->hi[i], w->column[i]) != nsd_lcp_hi(p, i)) {
      return 0;
    }
    if (nsd_poll_stops(w->poll, SCALING * n)) {
      return 0;
    }
  }
  return 1;
}
