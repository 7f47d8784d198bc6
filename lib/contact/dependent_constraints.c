/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "contact/dependent_constraints.h"

#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "base/tolerances.h"
#include "contact/space/operator.h"
#include "lcp/proof/farkas.h"

#define DIVISIONS 16.0 /* multiplications that take as long as two divisions */

nsd_constraints nsd_constraints_empty(nsdyn_context *ctx)
{
  return (nsd_constraints){.room = nsd_arena_empty(ctx),
                           .count = -1,
                           .basis_room = nsd_arena_empty(ctx),
                           .proof_room = nsd_arena_empty(ctx)};
}

void nsd_constraints_release(nsd_constraints *w)
{
  nsd_arena_release(&w->room);
  nsd_arena_release(&w->basis_room);
  nsd_arena_release(&w->proof_room);
}

/* ---- memory ------------------------------------------------------------------------------------------ */

static void lay_out(nsd_arena *arena, nsd_constraints *w, int count, int columns)
{
  const size_t n = (size_t)count, triangle = n * (n + 1) / 2;
  w->scale = nsd_arena_take(arena, n, sizeof *w->scale);
  w->G = nsd_arena_take(arena, triangle, sizeof *w->G);
  w->L = nsd_arena_take(arena, triangle, sizeof *w->L);
  w->first = nsd_arena_take(arena, n, sizeof *w->first);
  w->is_dependent = nsd_arena_take(arena, n, sizeof *w->is_dependent);
  w->n = nsd_arena_take(arena, n, sizeof *w->n);
  w->state = nsd_arena_take(arena, (size_t)columns, sizeof *w->state);
}

static nsdyn_status reserve(nsd_constraints *w, int count, int columns)
{
  w->redundant = 0;
  if (count == w->count && columns == w->columns) {
    return NSDYN_OK;
  }
  nsd_constraints counted;
  nsd_arena measure = nsd_arena_measure();
  lay_out(&measure, &counted, count, columns);
  w->count = -1;
  const nsdyn_status status = nsd_arena_reserve(&w->room, &measure);
  if (status == NSDYN_OK) {
    lay_out(&w->room, w, count, columns);
    w->count = count;
    w->columns = columns;
  }
  return status;
}

static void lay_out_basis(nsd_arena *arena, nsd_constraints *w, int redundant)
{
  const size_t k = (size_t)redundant;
  w->row = nsd_arena_take(arena, k, sizeof *w->row);
  w->contradiction = nsd_arena_take(arena, k, sizeof *w->contradiction);
  w->basis = nsd_arena_take(arena, k, (size_t)w->count * sizeof *w->basis);
}

/* ---- G' and its factor ------------------------------------------------------------------------------- */

/* Row i of a lower triangle. */
static double *row_of(double *triangle, int i)
{
  return triangle + (size_t)i * ((size_t)i + 1) / 2;
}

/* The lower triangle of G_BB; of an operator by its columns, what a unit impulse in one row does. */
static nsdyn_status read_matrix(nsd_constraints *w, const nsd_contact_data *d, nsd_poll *poll)
{
  const int own = nsd_contact_own_rows(d);
  if (!d->W) {
    for (int i = 0; i < w->count; i++) {
      memcpy(row_of(w->G, i), nsd_contact_row(d, own + i) + own, ((size_t)i + 1) * sizeof *w->G);
      if (nsd_poll_stops(poll, NSD_POLL_READ * w->count)) {
        return NSDYN_CANCELLED;
      }
    }
    return NSDYN_OK;
  }
  memset(w->state, 0, (size_t)w->columns * sizeof *w->state);
  for (int j = 0; j < w->count; j++) {
    const double push = 1.0, back = -1.0;
    nsd_operator_change(d->W, d->contacts + j, &push, w->state);
    for (int i = j; i < w->count; i++) {
      nsd_operator_product(d->W, d->contacts + i, w->state, row_of(w->G, i) + j);
    }
    nsd_operator_change(d->W, d->contacts + j, &back, w->state); /* exactly zero again */
    if (nsd_poll_stops(poll, 8.0 * w->count)) {
      return NSDYN_CANCELLED;
    }
  }
  return NSDYN_OK;
}

/* G' := D^-1/2 G D^-1/2, and where each row begins. */
static void scale_matrix(nsd_constraints *w, nsd_poll *poll)
{
  for (int i = 0; i < w->count; i++) {
    double *g = row_of(w->G, i);
    w->scale[i] = g[i] > 0.0 ? sqrt(g[i]) : 1.0;
    w->first[i] = i;
    for (int j = i; j >= 0; j--) {
      w->first[i] = g[j] != 0.0 ? j : w->first[i];
      g[j] = g[j] / w->scale[i] / w->scale[j];
    }
    (void)nsd_poll_stops(poll, DIVISIONS * i);
  }
}

/* Row i of L; whether it has a pivot, rounding being none. Rows without one leave zeros in their column. */
static int factor_row(nsd_constraints *w, int i, nsd_poll *poll)
{
  const double *g = row_of(w->G, i);
  double *l = row_of(w->L, i);
  double pivot = g[i];
  memset(l, 0, ((size_t)i + 1) * sizeof *l);
  for (int j = w->first[i]; j < i; j++) {
    const double *m = row_of(w->L, j);
    double sum = g[j];
    for (int k = w->first[i] > w->first[j] ? w->first[i] : w->first[j]; k < j; k++) {
      sum -= l[k] * m[k];
    }
    /* l_ij = (g_ij − Σ l_ik l_jk) / l_jj, then l_ii² = g_ii − Σ l_ij². */
    l[j] = w->is_dependent[j] ? 0.0 : sum / m[j];
    pivot -= l[j] * l[j];
    (void)nsd_poll_stops(poll, 1.0 + j - w->first[i]);
  }
  l[i] = pivot > NSD_REDUNDANT_PIVOT * g[i] ? sqrt(pivot) : 0.0;
  return l[i] > 0.0;
}

/* ---- the vectors n ----------------------------------------------------------------------------------- */

/* n of a dependent row i: L_11ᵀ n = −l_i on the independent rows before it, n_i = 1. */
static void find_vector(nsd_constraints *w, int i, nsd_poll *poll)
{
  double *n = w->n;
  const double *l = row_of(w->L, i);
  for (int j = 0; j < w->count; j++) {
    n[j] = j < i ? -l[j] : 0.0;
  }
  for (int k = i - 1; k >= 0; k--) {
    const double *m = row_of(w->L, k);
    n[k] = w->is_dependent[k] ? 0.0 : n[k] / m[k];
    for (int j = w->first[k]; n[k] != 0.0 && j < k; j++) {
      n[j] -= m[j] * n[k];
    }
    (void)nsd_poll_stops(poll, k - w->first[k]);
  }
  n[i] = 1.0;
}

/* What n may leave of row i of G' by rounding: a share of Σ |n_j| where G' has a diagonal of ones; nothing
 * where the diagonal is zero, since a row of zeros alone is semidefinite there. */
static double rounding_of(const nsd_constraints *w)
{
  double size = 0.0;
  for (int j = 0; j < w->count; j++) {
    size += row_of(w->G, j)[j] > 0.0 ? fabs(w->n[j]) : 0.0;
  }
  return NSD_REDUNDANT_PIVOT * size;
}

/* Whether G' n is rounding beside n, on the bilateral rows. */
static int moves_no_constraint(const nsd_constraints *w, nsd_poll *poll)
{
  const double rounding = rounding_of(w);
  int is_still = 1;
  for (int i = 0; i < w->count; i++) {
    const double *g = row_of(w->G, i);
    double sum = 0.0;
    for (int j = w->first[i]; j <= i; j++) {
      sum += g[j] * w->n[j];
    }
    for (int j = i + 1; j < w->count; j++) {
      sum += w->first[j] <= i ? row_of(w->G, j)[i] * w->n[j] : 0.0;
    }
    is_still = is_still && fabs(sum) <= (g[i] > 0.0 ? rounding : 0.0);
    (void)nsd_poll_stops(poll, NSD_POLL_READ * w->count);
  }
  return is_still;
}

/* (G D^-1/2 n)_r, for rows of contacts. */
static double change_of(const nsd_constraints *w, const double *g_B)
{
  double sum = 0.0;
  for (int j = 0; j < w->count; j++) {
    sum += w->n[j] * (g_B[j] / w->scale[j]);
  }
  return sum;
}

/* The same on the contacts' rows, in units in which their diagonal is one too. Of a semidefinite G it follows
 * by Cauchy and Schwarz, and W M⁻¹ Wᵀ is; a G that was handed over need not be. */
static int moves_no_contact(const nsd_constraints *w, const nsd_contact_data *d, nsd_poll *poll)
{
  const int own = nsd_contact_own_rows(d);
  const double rounding = rounding_of(w);
  int is_still = 1;
  if (!d->W) {
    for (int r = 0; r < own; r++) {
      const double *g = nsd_contact_row(d, r), size = g[r] > 0.0 ? sqrt(g[r]) : 0.0;
      is_still = is_still && fabs(change_of(w, g + own)) <= rounding * size;
      (void)nsd_poll_stops(poll, NSD_POLL_READ * w->count);
    }
    return is_still;
  }
  if (d->W->is_free) {
    return 1;
  }
  memset(w->state, 0, (size_t)w->columns * sizeof *w->state);
  for (int j = 0; j < w->count; j++) {
    const double push = w->n[j] / w->scale[j];
    nsd_operator_change(d->W, d->contacts + j, &push, w->state);
  }
  for (int i = 0; i < d->contacts; i++) {
    const double *block = d->W->own + 9 * (size_t)i;
    double change[NSD_CELL_ROWS];
    nsd_operator_product(d->W, i, w->state, change);
    for (int k = 0; k < nsd_operator_rows_of(d->W, i); k++) {
      const double diagonal = block[NSD_CELL_ROWS * k + k], size = diagonal > 0.0 ? sqrt(diagonal) : 0.0;
      is_still = is_still && fabs(change[k]) <= rounding * size;
    }
  }
  return is_still;
}

/* |n·c'| over the sizes of its terms. What is rounding in n is none: c may be zero wherever n is not. */
static double contradiction_of(const nsd_constraints *w, const double *c_B)
{
  const double rounding = rounding_of(w);
  double sum = 0.0, size = 0.0;
  for (int j = 0; j < w->count; j++) {
    const double n = fabs(w->n[j]) > rounding ? w->n[j] : 0.0;
    const double term = n * (c_B[j] / w->scale[j]);
    sum += term;
    size += fabs(term);
  }
  return size > 0.0 ? fabs(sum) / size : 0.0;
}

/* n without its part in the span of those before, with length 1: the next of the basis. */
static void add_to_basis(nsd_constraints *w, int k, nsd_poll *poll)
{
  double *own = w->basis + (size_t)k * (size_t)w->count;
  memcpy(own, w->n, (size_t)w->count * sizeof *own);
  for (int twice = 0; twice < 2; twice++) {
    for (int j = 0; j < k; j++) {
      const double *b = w->basis + (size_t)j * (size_t)w->count;
      const double share = nsd_dot(w->count, b, own);
      for (int i = 0; i < w->count; i++) {
        own[i] -= share * b[i];
      }
      (void)nsd_poll_stops(poll, 2.0 * w->count);
    }
    const double length = nsd_norm_2(w->count, own);
    for (int i = 0; i < w->count; i++) {
      own[i] /= length;
    }
  }
}

/* ---- entries ----------------------------------------------------------------------------------------- */

nsdyn_status nsd_constraints_read(nsd_constraints *w, const nsd_contact_data *d, nsd_poll *poll)
{
  w->redundant = 0;
  if (d->bilateral == 0 || d->bilateral > NSD_CONSTRAINTS_MOST) {
    return NSDYN_OK;
  }
  /* Stage 1. G' = L Lᵀ, and which rows depend on others. */
  nsdyn_status status = reserve(w, d->bilateral, d->W ? d->W->columns : 0);
  status = status ? status : read_matrix(w, d, poll);
  if (status) {
    return status;
  }
  int dependent = 0;
  scale_matrix(w, poll);
  for (int i = 0; i < w->count; i++) {
    w->is_dependent[i] = !factor_row(w, i, poll);
    dependent += w->is_dependent[i];
    if (nsd_poll_stops(poll, NSD_POLL_READ * i)) {
      return NSDYN_CANCELLED;
    }
  }
  if (dependent == 0) {
    return NSDYN_OK;
  }
  /* Stage 2. Their vectors. */
  nsd_constraints counted = *w;
  nsd_arena measure = nsd_arena_measure();
  lay_out_basis(&measure, &counted, dependent);
  status = nsd_arena_reserve(&w->basis_room, &measure);
  if (status) {
    return status;
  }
  lay_out_basis(&w->basis_room, w, dependent);
  for (int i = 0; i < w->count; i++) {
    if (!w->is_dependent[i]) {
      continue;
    }
    find_vector(w, i, poll);
    if (moves_no_constraint(w, poll) && moves_no_contact(w, d, poll)) {
      w->row[w->redundant] = i;
      w->contradiction[w->redundant] = contradiction_of(w, d->c + nsd_contact_own_rows(d));
      add_to_basis(w, w->redundant++, poll);
    }
    if (nsd_poll_stops(poll, w->count)) {
      return NSDYN_CANCELLED;
    }
  }
  return NSDYN_OK;
}

int nsd_constraints_contradiction(const nsd_constraints *w, double most)
{
  for (int k = 0; k < w->redundant; k++) {
    if (w->contradiction[k] > most) {
      return w->row[k];
    }
  }
  return -1;
}

/* A proof that is looked for. */
typedef struct attempt {
  nsd_farkas farkas;
  double *v, *lo, *hi; /* rows */
} attempt;

static void lay_out_proof(nsd_arena *arena, attempt *t, int rows)
{
  const size_t n = (size_t)rows;
  nsd_farkas_lay_out(arena, &t->farkas, rows);
  t->v = nsd_arena_take(arena, n, sizeof *t->v);
  t->lo = nsd_arena_take(arena, n, sizeof *t->lo);
  t->hi = nsd_arena_take(arena, n, sizeof *t->hi);
}

nsdyn_status nsd_constraints_prove(nsd_constraints *w, const nsd_contact_data *d, int row, nsd_poll *poll)
{
  const int own = nsd_contact_own_rows(d);
  if (d->W || d->rows > NSD_CONSTRAINTS_MOST) {
    return NSDYN_UNDECIDED;
  }
  attempt t;
  nsd_arena measure = nsd_arena_measure();
  lay_out_proof(&measure, &t, d->rows);
  const nsdyn_status status = nsd_arena_reserve(&w->proof_room, &measure);
  if (status) {
    return status;
  }
  lay_out_proof(&w->proof_room, &t, d->rows);
  t.farkas.poll = poll;
  /* v = D^-1/2 n, in units in which v_row is 1, with vᵀc < 0. */
  find_vector(w, row, poll);
  double against = 0.0;
  for (int j = 0; j < w->count; j++) {
    against += w->n[j] * (d->c[own + j] / w->scale[j]);
  }
  const double sign = against > 0.0 ? -1.0 : 1.0;
  for (int i = 0; i < d->rows; i++) {
    t.v[i] = i < own ? 0.0 : sign * w->n[i - own] * (w->scale[row] / w->scale[i - own]);
    t.lo[i] = -INFINITY;
    t.hi[i] = INFINITY;
  }
  /* All Λ free: vᵀ(G Λ + c) is the number vᵀc, whatever Λ is, and would be zero at a solution. */
  const nsd_lcp_problem p = {.n = d->rows, .lda = (int)d->ldg, .A = d->G, .b = d->c, .lo = t.lo, .hi = t.hi};
  const int is_proved = nsd_farkas_find(&t.farkas, &p, t.v);
  if (poll && poll->is_cancelled) {
    return NSDYN_CANCELLED;
  }
  for (int i = 0; is_proved && i < own; i++) {
    if (t.v[i] != 0.0) { /* what contacts do is not known */
      return NSDYN_UNDECIDED;
    }
  }
  return is_proved ? NSDYN_OK : NSDYN_UNDECIDED;
}

int nsd_constraints_reduce(const nsd_constraints *w, double *Lambda_B)
{
  double *z = w->n;
  int is_changed = 0;
  if (w->redundant == 0) {
    return 0;
  }
  for (int i = 0; i < w->count; i++) {
    z[i] = w->scale[i] * Lambda_B[i];
  }
  const double size = nsd_norm_2(w->count, z);
  for (int twice = 0; twice < 2; twice++) {
    for (int k = 0; k < w->redundant; k++) {
      const double *b = w->basis + (size_t)k * (size_t)w->count;
      const double share = nsd_dot(w->count, b, z);
      is_changed |= fabs(share) > NSD_CONSTRAINTS_IDLE * size;
      for (int i = 0; i < w->count; i++) {
        z[i] -= share * b[i];
      }
    }
  }
  for (int i = 0; is_changed && i < w->count; i++) {
    Lambda_B[i] = z[i] / w->scale[i];
  }
  return is_changed;
}

void nsd_constraints_balance(const nsd_constraints *w, const double *xi_B, double *Lambda_B)
{
  double *r = w->n;
  if (w->redundant == 0) {
    return;
  }
  /* ξ' = D^-1/2 ξ. Its part in the span of the n is what no Λ_B takes away. */
  for (int i = 0; i < w->count; i++) {
    r[i] = xi_B[i] / w->scale[i];
  }
  for (int k = 0; k < w->redundant; k++) {
    const double *b = w->basis + (size_t)k * (size_t)w->count;
    const double share = nsd_dot(w->count, b, r);
    for (int i = 0; i < w->count; i++) {
      r[i] -= share * b[i];
    }
  }
  /* G' z = −r by the independent rows: L_11 L_11ᵀ z = −r. */
  for (int i = 0; i < w->count; i++) {
    const double *l = row_of(w->L, i);
    double sum = -r[i];
    for (int j = w->first[i]; j < i; j++) {
      sum -= l[j] * r[j];
    }
    r[i] = w->is_dependent[i] ? 0.0 : sum / l[i];
  }
  for (int i = w->count - 1; i >= 0; i--) {
    const double *l = row_of(w->L, i);
    r[i] = w->is_dependent[i] ? 0.0 : r[i] / l[i];
    for (int j = w->first[i]; j < i; j++) {
      r[j] -= l[j] * r[i];
    }
  }
  for (int i = 0; i < w->count; i++) {
    Lambda_B[i] += r[i] / w->scale[i];
  }
  (void)nsd_constraints_reduce(w, Lambda_B);
}
