/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "contact/many/rank_update.h"

#include "base/dense.h"
#include "contact/planar/states.h"

enum { MOST = NSD_RANK_UPDATE_MOST };

void nsd_rank_update_lay_out(nsd_arena *arena, nsd_rank_update *p, int contacts, int rows)
{
  const size_t n = (size_t)rows;
  p->states = nsd_arena_take(arena, (size_t)contacts, sizeof *p->states);
  p->place = nsd_arena_take(arena, n, sizeof *p->place);
  p->column = nsd_arena_take(arena, MOST * n, sizeof *p->column);
  p->S = nsd_arena_take(arena, (size_t)MOST * MOST, sizeof *p->S);
  p->LU = nsd_arena_take(arena, (size_t)MOST * MOST, sizeof *p->LU);
}

nsdyn_status nsd_rank_update_begin(nsd_rank_update *p, nsd_damped_newton *a, double most, nsd_poll *poll)
{
  const nsd_contact_data *d = a->k->d;
  p->a = a;
  p->changes = 0;
  for (int i = 0; i < d->rows; i++) {
    p->place[i] = -1;
  }
  for (int i = 0; i < d->contacts; i++) {
    p->states[i] = a->states[i];
  }
  return nsd_damped_newton_factor(a, most, poll);
}

static int is_tangential(const nsd_coupling *k, int row)
{
  return row != nsd_coupling_row(k, k->cell_of[row]);
}

int nsd_rank_update_is_velocity(const nsd_coupling *k, int row, const int32_t *states)
{
  const int cell = k->cell_of[row];
  return cell >= k->d->contacts ||
         (is_tangential(k, row) ? nsd_state_sticks(states[cell]) : nsd_state_is_closed(states[cell]));
}

static double *column_of(const nsd_rank_update *p, int j)
{
  return p->column + (size_t)j * (size_t)p->a->k->d->rows;
}

/* What row i of M' makes of x. */
static double equation(const nsd_rank_update *p, int row, const double *x)
{
  const nsd_damped_newton *a = p->a;
  const nsd_coupling *k = a->k;
  /* ξ_i = 0: row i of G + ε D. */
  if (nsd_rank_update_is_velocity(k, row, a->states)) {
    return nsd_damped_newton_row_times(a, row, x);
  }
  /* Open: Λ_N = 0. Sliding: Λ_T − f μ Λ_N = 0. */
  if (!is_tangential(k, row)) {
    return x[row];
  }
  const int cell = k->cell_of[row];
  return x[row] - nsd_state_factor(a->states[cell]) * k->d->spec[cell].mu * x[row - 1];
}

void nsd_rank_update_solve_first(nsd_rank_update *p, const double *b, double *x)
{
  nsd_damped_newton *a = p->a;
  const nsd_contact_data *d = a->k->d;
  int any = 0;
  /* What the rows without ξ say of x by themselves; the rest is what the others ask for beside it. */
  for (int i = 0; i < d->rows; i++) {
    x[i] = 0.0;
    if (!nsd_rank_update_is_velocity(a->k, i, p->states)) {
      const int cell = a->k->cell_of[i];
      x[i] = b[i];
      if (is_tangential(a->k, i)) {
        x[i] += nsd_state_factor(p->states[cell]) * d->spec[cell].mu * x[i - 1];
      }
      any |= x[i] != 0.0;
    }
  }
  /* The rows with ξ, by the factors of the first pattern: M z = b − M x. */
  for (int u = 0; u < a->n; u++) {
    const int row = a->unknown[u];
    a->x[u] = b[row] - (any ? nsd_damped_newton_row_times(a, row, x) : 0.0);
  }
  nsd_envelope_solve(&a->envelope, a->x);
  for (int i = 0; i < d->rows; i++) {
    if (a->index[i] >= 0) {
      x[i] += a->slope[i] * a->x[a->index[i]];
    }
  }
}

/* a->x −= (G + ε D) e_row · by, in the rows of the unknowns. What G has only on one side of its diagonal is
 * rounding, so that the entries of the row's own cell tell where its column is. */
static void subtract_column(nsd_damped_newton *a, int row, double by)
{
  const nsd_coupling *k = a->k;
  const int cell = k->cell_of[row];
  const size_t begin = k->is_dense ? 0 : k->from[cell];
  const size_t end = k->is_dense ? (size_t)k->d->rows : k->from[cell + 1];
  for (size_t e = begin; e < end; e++) {
    const int i = k->is_dense ? (int)e : k->column[e];
    const int u = a->index[i];
    if (u >= 0 && a->unknown[u] == i) {
      a->x[u] -= nsd_contact_row(k->d, i)[row] * by;
    }
  }
}

/* x := M⁻¹ e_row, from where that is not zero. */
static void solve_unit(nsd_rank_update *p, int row, double *x)
{
  nsd_damped_newton *a = p->a;
  const nsd_coupling *k = a->k;
  for (int i = 0; i < k->d->rows; i++) {
    x[i] = 0.0;
  }
  for (int u = 0; u < a->n; u++) {
    a->x[u] = 0.0;
  }
  /* A row with ξ: e_row stands on the right as it is. One without: it sets Λ of its row to 1, and with Λ_N
   * the friction of a sliding contact; what these make of ξ goes to the right. */
  if (nsd_rank_update_is_velocity(k, row, p->states)) {
    a->x[a->index[row]] = 1.0;
  } else {
    const int cell = k->cell_of[row];
    x[row] = 1.0;
    subtract_column(a, row, 1.0);
    if (!is_tangential(k, row) && nsd_coupling_rows_of(k, cell) == 2 && !nsd_state_sticks(p->states[cell])) {
      x[row + 1] = nsd_state_factor(p->states[cell]) * k->d->spec[cell].mu;
      subtract_column(a, row + 1, x[row + 1]);
    }
  }
  /* The forward solve begins at the first number that is not zero. */
  int first = 0;
  while (first < a->n && a->x[first] == 0.0) {
    first++;
  }
  nsd_envelope_solve_from(&a->envelope, first, a->x);
  for (int i = 0; i < k->d->rows; i++) {
    if (a->index[i] >= 0) {
      x[i] += a->slope[i] * a->x[a->index[i]];
    }
  }
}

/* Row i is another now. */
static void change_row(nsd_rank_update *p, int row)
{
  int j = p->place[row];
  /* A new one: its column M⁻¹ e_row, and what the other changed rows make of it. */
  if (j < 0) {
    j = p->place[row] = p->changes++;
    p->row[j] = row;
    solve_unit(p, row, column_of(p, j));
    for (int i = 0; i < j; i++) {
      p->S[i * MOST + j] = equation(p, p->row[i], column_of(p, j));
    }
  }
  /* Its own equation has changed: S_ji = (row j of M') M⁻¹ e_i. */
  for (int i = 0; i < p->changes; i++) {
    p->S[j * MOST + i] = equation(p, row, column_of(p, i));
  }
}

double nsd_rank_update_change(nsd_rank_update *p, int contact)
{
  const nsd_contact_data *d = p->a->k->d;
  const nsd_contact_spec *s = &d->spec[contact];
  const int before = p->changes;
  if (p->place[s->row] >= 0 || nsd_rank_update_is_velocity(p->a->k, s->row, p->a->states) !=
                                   nsd_rank_update_is_velocity(p->a->k, s->row, p->states)) {
    change_row(p, s->row);
  }
  if (nsd_contact_has_friction(s)) {
    change_row(p, s->row + 1);
  }
  return (p->changes - before) * 4.0 * (double)p->a->envelope.at[p->a->envelope.n] + 100.0 * p->changes;
}

int nsd_rank_update_solve(nsd_rank_update *p, const double *x_0, const double *rho, double *x)
{
  const nsd_damped_newton *a = p->a;
  const int n = a->k->d->rows;
  const int m = p->changes;
  double b[MOST];
  int perm[MOST];
  /* x = x_0 + Σ_j y_j M⁻¹ e_j keeps the rows that have not changed. Those that have ask for S y = r' − M'
   * x_0. */
  for (int i = 0; i < m; i++) {
    const int row = p->row[i];
    const double right = nsd_rank_update_is_velocity(a->k, row, a->states) ? rho[row] : 0.0;
    b[i] = right - equation(p, row, x_0);
    for (int j = 0; j < m; j++) {
      p->LU[i * m + j] = p->S[i * MOST + j];
    }
  }
  if (m > 0 && nsd_lu_factor(m, p->LU, m, perm, NULL)) {
    return 0;
  }
  for (int i = 0; i < n; i++) {
    x[i] = x_0[i];
  }
  if (m > 0) {
    nsd_lu_solve(m, p->LU, m, perm, 1, b, m);
    nsd_add_transposed(m, n, p->column, n, b, x);
  }
  return 1;
}
