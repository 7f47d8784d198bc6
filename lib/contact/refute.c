/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "contact/refute.h"

#include <float.h>
#include <math.h>

void nsd_refute_lay_out(nsd_arena *arena, nsd_refute *w, int rows)
{
  const size_t n = (size_t)rows;
  nsd_proof_lay_out(arena, &w->proof, rows);
  w->A = nsd_arena_take(arena, n * n, sizeof *w->A);
  w->error = nsd_arena_take(arena, n * n, sizeof *w->error);
  w->b = nsd_arena_take(arena, n, sizeof *w->b);
  w->lo = nsd_arena_take(arena, n, sizeof *w->lo);
  w->hi = nsd_arena_take(arena, n, sizeof *w->hi);
  w->v = nsd_arena_take(arena, n, sizeof *w->v);
  w->signs = nsd_arena_take(arena, n, sizeof *w->signs);
}

/* ---- columns ------------------------------------------------------------------------------------------ */

/* Bits of x from its first to its last one. */
static int significant_bits(double x)
{
  int e;
  uint64_t whole = (uint64_t)ldexp(fabs(frexp(x, &e)), 53);
  int bits = whole ? 53 : 0;
  for (; whole && !(whole & 1u); whole >>= 1) {
    bits--;
  }
  return bits;
}

/* A power of two loses nothing. */
static int is_exact_product(double a, double b)
{
  const int bits_a = significant_bits(a);
  const int bits_b = significant_bits(b);
  const int fits = bits_a + bits_b <= 53 || bits_a <= 1 || bits_b <= 1;
  return a == 0.0 || b == 0.0 || (fits && fabs(a * b) >= DBL_MIN * 0x1p+60);
}

static int is_exact_sum(double a, double b)
{
  const double sum = a + b;
  const double other = sum - a;
  return (a - (sum - other)) + (b - other) == 0.0;
}

/* Column j: ξ along Λ' = n e_N + t e_T of the contact whose first row is N. */
static void set_column(nsd_refute *w, const nsd_signs *signs, int j, int N, double n, double t)
{
  const int rows = signs->rows;
  for (int k = 0; k < rows; k++) {
    const double *a = signs->a + (size_t)k * (size_t)rows + N;
    const double normal = n != 0.0 ? n * a[0] : 0.0;
    const double tangential = t != 0.0 ? t * a[1] : 0.0;
    const int exact = (n == 0.0 || is_exact_product(n, a[0])) && (t == 0.0 || is_exact_product(t, a[1])) &&
                      is_exact_sum(normal, tangential);
    const size_t at = (size_t)k * (size_t)rows + (size_t)j;
    w->A[at] = normal + tangential;
    w->error[at] = exact ? 0.0 : 2.0 * DBL_EPSILON * (fabs(normal) + fabs(tangential)) + DBL_MIN;
  }
}

/* Bounds of an x that a functional is a positive multiple of. */
static void bound_by(nsd_refute *w, const nsd_cell *cell, int j, int k)
{
  const int ask = cell->ask[k] == NSD_ASK_POSITIVE ? cell->sign[k] : cell->ask[k];
  w->lo[j] = ask == NSD_ASK_ZERO || ask == NSD_ASK_POSITIVE ? 0.0 : -INFINITY;
  w->hi[j] = ask == NSD_ASK_ZERO || ask == NSD_ASK_NEGATIVE ? 0.0 : INFINITY;
}

static void set_free(nsd_refute *w, const nsd_signs *signs, int j)
{
  set_column(w, signs, j, j, 1.0, 0.0);
  w->lo[j] = -INFINITY;
  w->hi[j] = INFINITY;
}

/* No more than Λ = 0 in column j. */
static void set_none(nsd_refute *w, const nsd_signs *signs, int j)
{
  set_column(w, signs, j, j, 0.0, 0.0);
  w->lo[j] = w->hi[j] = 0.0;
}

/* Coefficient of a functional in row j of Λ'. */
static double coefficient(const nsd_signs *signs, int k, int j)
{
  return signs->a[(size_t)k * (size_t)signs->rows + (size_t)j];
}

/* R and L are positive multiples of α and β. */
static void set_cone(nsd_refute *w, const nsd_signs *signs, const nsd_cell *cell, int N,
                     const nsd_contact_signs *own)
{
  const double n = coefficient(signs, own->right, N);
  const double t = coefficient(signs, own->right, N + 1);
  set_column(w, signs, N, N, t, n);
  set_column(w, signs, N + 1, N, t, -n);
  bound_by(w, cell, N, own->right);
  bound_by(w, cell, N + 1, own->left);
}

/* Λ_N drags the friction that functional k = 0 gives along. */
static void set_dragged(nsd_refute *w, const nsd_signs *signs, const nsd_cell *cell, int N, int k,
                        const nsd_contact_signs *own)
{
  set_column(w, signs, N, N, coefficient(signs, k, N + 1), -coefficient(signs, k, N));
  bound_by(w, cell, N, own->load);
  set_none(w, signs, N + 1);
}

/* Λ_T of which only bounds are asked. */
static void set_bounded(nsd_refute *w, const nsd_signs *signs, const nsd_cell *cell, int N,
                        const nsd_contact_signs *own)
{
  const int T = N + 1;
  set_free(w, signs, T);
  if (own->drag >= 0) {
    w->lo[T] = w->hi[T] = -signs->d[own->drag] / coefficient(signs, own->drag, T);
    return;
  }
  const double limit = signs->d[own->right] / coefficient(signs, own->right, T);
  w->lo[T] = cell->ask[own->left] == NSD_ASK_ZERO ? limit : -limit;
  w->hi[T] = cell->ask[own->right] == NSD_ASK_ZERO ? -limit : limit;
}

static void set_contact(nsd_refute *w, const nsd_signs *signs, const nsd_cell *cell, int i)
{
  const nsd_contact_spec *s = &signs->problem->spec[i];
  const nsd_contact_signs *own = &signs->contact[i];
  const int N = s->row;
  if (s->friction == NSD_FRICTION_LOAD && own->right >= 0) {
    if (cell->ask[own->right] != NSD_ASK_NOTHING || cell->ask[own->left] != NSD_ASK_NOTHING) {
      set_cone(w, signs, cell, N, own);
    } else {
      set_free(w, signs, N);
      set_free(w, signs, N + 1);
    }
    return;
  }
  if (own->slides) {
    const int pulled = own->pull >= 0 && cell->ask[own->pull] == NSD_ASK_ZERO;
    const int k = pulled ? own->pull : own->drag;
    if (cell->ask[k] == NSD_ASK_ZERO) {
      set_dragged(w, signs, cell, N, k, own);
    } else {
      set_free(w, signs, N);
      set_free(w, signs, N + 1);
    }
    return;
  }
  set_free(w, signs, N);
  if (own->load >= 0) {
    bound_by(w, cell, N, own->load);
  }
  if (s->friction != NSD_FRICTION_NONE) {
    set_bounded(w, signs, cell, N, own);
  }
}

static void form(nsd_refute *w, const nsd_signs *signs, const nsd_cell *cell, const double *v)
{
  const nsd_contact_data *p = signs->problem;
  for (int i = 0; i < p->contacts; i++) {
    set_contact(w, signs, cell, i);
  }
  for (int j = p->rows - p->bilateral; j < p->rows; j++) {
    set_free(w, signs, j);
  }
  for (int k = 0; k < p->rows; k++) {
    const int ask = cell->ask[k] == NSD_ASK_POSITIVE ? cell->sign[k] : cell->ask[k];
    w->signs[k] = ask == NSD_ASK_ZERO       ? NSD_PROOF_POSITIVE | NSD_PROOF_NEGATIVE
                  : ask == NSD_ASK_POSITIVE ? NSD_PROOF_POSITIVE
                  : ask == NSD_ASK_NEGATIVE ? NSD_PROOF_NEGATIVE
                                            : 0;
    w->b[k] = signs->d[k];
    w->v[k] = w->signs[k] ? v[k] : 0.0;
  }
}

/* ---- the proof ---------------------------------------------------------------------------------------- */

#define PAD 8.0 /* errors are taken for more than they are, so that sums may be rounded */

/* Moves the elements of columns that were rounded to where they are worst for v: what then is proved is
 * proved of every column within the errors, by any v of the same signs. 0 where an unknown is free whose
 * column was rounded. */
static int pad(nsd_refute *w, int rows)
{
  for (int j = 0; j < rows; j++) {
    const int rises = isinf(w->hi[j]); /* the column's sum must not be positive */
    const int falls = isinf(w->lo[j]);
    double worst = 0.0;
    for (int k = 0; k < rows; k++) {
      worst = fmax(worst, w->error[(size_t)k * (size_t)rows + (size_t)j]);
    }
    if (worst == 0.0 || (!rises && !falls)) {
      continue;
    }
    if (rises && falls) {
      return 0;
    }
    for (int k = 0; k < rows; k++) {
      const size_t at = (size_t)k * (size_t)rows + (size_t)j;
      const double margin = PAD * (w->error[at] + rows * DBL_EPSILON * fabs(w->A[at]));
      w->A[at] += (w->v[k] > 0.0) == rises ? margin : -margin;
    }
  }
  return 1;
}

int nsd_refute_closes(nsd_refute *w, const nsd_signs *signs, const nsd_cell *cell, const double *v)
{
  const int rows = signs->rows;
  form(w, signs, cell, v);
  if (!pad(w, rows)) {
    return 0;
  }
  const nsd_lcp_problem branch = {.n = rows, .lda = rows, .A = w->A, .b = w->b, .lo = w->lo, .hi = w->hi};
  if (!nsd_proof_find_in_branch(&w->proof, &branch, w->signs, w->v)) {
    return 0;
  }
  for (int k = 0; k < rows; k++) {
    if (w->v[k] != 0.0 && (w->v[k] > 0.0) != (v[k] > 0.0)) {
      return 0;
    }
  }
  return 1;
}
