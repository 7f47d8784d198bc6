/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "contact/space/solve/todorov_equations.h"

#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "nsdyn/setvalued.h"

enum { ROWS = NSD_CELL_ROWS };

void nsd_todorov_lay_out(nsd_arena *arena, nsd_todorov *w, int cells, int rows, int columns)
{
  const size_t n = (size_t)rows, m = (size_t)cells;
  w->G = nsd_arena_take(arena, n * n, sizeof *w->G);
  w->c = nsd_arena_take(arena, n, sizeof *w->c);
  w->F = nsd_arena_take(arena, n, sizeof *w->F);
  w->xi = nsd_arena_take(arena, n, sizeof *w->xi);
  w->z = nsd_arena_take(arena, n, sizeof *w->z);
  w->axes = nsd_arena_take(arena, 4 * m, sizeof *w->axes);
  w->unit = nsd_arena_take(arena, m, sizeof *w->unit);
  w->stretch = nsd_arena_take(arena, m, sizeof *w->stretch);
  w->state = nsd_arena_take(arena, (size_t)columns, sizeof *w->state);
  nsd_marquardt_lay_out(arena, &w->engine, rows);
}

int nsd_todorov_cannot_state(const nsd_contact_data *d, const char **why)
{
  for (int i = 0; i < d->contacts; i++) {
    const nsd_contact_spec *s = &d->spec[i];
    *why = s->kind == NSDYN_CONTACT_BILATERAL        ? "a slot"
           : s->friction == NSD_FRICTION_GIVEN       ? "friction of given bound"
           : s->sliding                              ? "a known sliding direction"
           : s->space != NULL && s->space->sides > 0 ? "a polygon"
                                                     : NULL;
    if (*why) {
      return i;
    }
  }
  return -1;
}

/* ---- units and axes ------------------------------------------------------------------------------------ */

/* out := M v or Mᵀ v, 2 × 2; may be v. */
static void turn(const double *M, int is_transposed, const double *v, double *out)
{
  const double v0 = v[0], v1 = v[1], b = M[is_transposed ? 2 : 1], c = M[is_transposed ? 1 : 2];
  out[0] = M[0] * v0 + b * v1;
  out[1] = c * v0 + M[3] * v1;
}

/* Velocities of a cell as φ counts them: diag(1, A)ᵀ v / √r. */
static void scale_velocities(const nsd_todorov *w, int cell, int rows, double *v)
{
  if (rows == ROWS) {
    turn(w->axes + 4 * (size_t)cell, 1, v + 1, v + 1);
  }
  for (int i = 0; i < rows; i++) {
    v[i] /= w->unit[cell];
  }
}

/* The axes of the ellipse, the root of the unit, and how much a unit of φ is. */
static void choose_units(nsd_todorov *w)
{
  for (int cell = 0; cell < w->op->cells; cell++) {
    const int rows = nsd_operator_rows_of(w->op, cell);
    const double *own = w->op->own + (size_t)cell * ROWS * ROWS;
    const nsd_contact_space *space = cell < w->d->contacts ? w->d->spec[cell].space : NULL;
    const int is_stretched = space && !space->is_round && space->aspect != 1.0;
    const double aspect = is_stretched ? space->aspect : 1.0;
    const double e[2] = {is_stretched ? space->axis[0] : 1.0, is_stretched ? space->axis[1] : 0.0};
    /* A takes the unit disk to the ellipse: its columns are the first axis, and `aspect` times the second. */
    double *A = w->axes + 4 * (size_t)cell;
    A[0] = e[0];
    A[1] = -e[1] * aspect;
    A[2] = e[1];
    A[3] = e[0] * aspect;
    /* trace of diag(1, A)ᵀ G diag(1, A); rows that are not there are 0 */
    const double AA[3] = {A[0] * A[0] + A[1] * A[1], A[0] * A[2] + A[1] * A[3], A[2] * A[2] + A[3] * A[3]};
    const double trace = own[0] + own[4] * AA[0] + (own[5] + own[7]) * AA[1] + own[8] * AA[2];
    w->unit[cell] = trace > 0.0 ? sqrt(trace / rows) : 1.0;
    w->stretch[cell] = w->unit[cell] * fmax(1.0, 1.0 / aspect);
  }
}

nsdyn_status nsd_todorov_begin(nsd_todorov *w, const nsd_contact_data *d, const nsd_operator *G,
                               nsd_poll *poll)
{
  const size_t n = (size_t)d->rows;
  w->d = d;
  w->op = G;
  const nsdyn_status status = nsd_operator_matrix(G, w->state, w->G, poll);
  if (status) {
    return status;
  }
  choose_units(w);
  /* Tᵀ G T and Tᵀ c with T = diag(1, A) / √r, contact by contact: rows, then columns. */
  memcpy(w->c, d->c, n * sizeof *w->c);
  for (int cell = 0; cell < G->cells; cell++) {
    const int row = G->row[cell], rows = nsd_operator_rows_of(G, cell);
    double v[ROWS] = {0.0, 0.0, 0.0};
    scale_velocities(w, cell, rows, w->c + row);
    for (int side = 0; side < 2; side++) {
      const size_t along = side ? n : 1, across = side ? 1 : n;
      for (size_t j = 0; j < n; j++) {
        double *at = w->G + j * along + (size_t)row * across;
        for (int i = 0; i < rows; i++) {
          v[i] = at[(size_t)i * across];
        }
        scale_velocities(w, cell, rows, v);
        for (int i = 0; i < rows; i++) {
          at[(size_t)i * across] = v[i];
        }
      }
    }
    if (nsd_poll_stops(poll, 12.0 * (double)n)) {
      return NSDYN_CANCELLED;
    }
  }
  return NSDYN_OK;
}

/* ---- the equations ------------------------------------------------------------------------------------- */

/* F, ν and dF/dz of a cell; dF (3 × 3) may be NULL. */
static void map_cell(const nsd_todorov *w, int cell, const double *z, double *F, double *nu, double *dF)
{
  const int row = w->op->row[cell], rows = nsd_operator_rows_of(w->op, cell);
  double own[ROWS] = {0.0, 0.0, 0.0}, force[ROWS], velocity[ROWS];
  if (cell >= w->d->contacts) {
    /* A bilateral row: any impulse, no velocity. */
    F[0] = z[row];
    nu[0] = 0.0;
    for (int i = 0; i < ROWS * ROWS && dF; i++) {
      dF[i] = i == 0 ? 1.0 : 0.0;
    }
    return;
  }
  for (int i = 0; i < rows; i++) {
    own[i] = z[row + i];
  }
  nsdyn_todorov(w->d->spec[cell].mu, 1.0, own, force, velocity, dF);
  for (int i = 0; i < rows; i++) {
    F[i] = force[i];
    nu[i] = velocity[i];
  }
}

/* φ = G F + c − ν, eq. 56 */
static void residual(void *user, const double *z, double *phi)
{
  nsd_todorov *w = user;
  const int n = w->d->rows;
  for (int cell = 0; cell < w->op->cells; cell++) {
    double F[ROWS] = {0.0}, nu[ROWS] = {0.0};
    map_cell(w, cell, z, F, nu, NULL);
    for (int i = 0; i < nsd_operator_rows_of(w->op, cell); i++) {
      const int row = w->op->row[cell] + i;
      w->F[row] = F[i];
      phi[row] = w->c[row] - nu[i];
    }
  }
  nsd_multiply_asking(n, n, w->G, n, w->F, w->xi, w->poll);
  for (int i = 0; i < n; i++) {
    phi[i] += w->xi[i];
  }
}

/* J = G dF − (1 + dF), of bilateral columns G. */
static void jacobian(void *user, const double *z, double *J)
{
  nsd_todorov *w = user;
  const size_t n = (size_t)w->d->rows;
  for (int cell = 0; cell < w->op->cells; cell++) {
    const size_t row = (size_t)w->op->row[cell];
    const int rows = nsd_operator_rows_of(w->op, cell);
    double F[ROWS], nu[ROWS], dF[ROWS * ROWS];
    map_cell(w, cell, z, F, nu, dF);
    /* G dF in the columns of this cell; below, 1 + dF = dν off its own rows. */
    for (size_t i = 0; i < n; i++) {
      const double *g = w->G + i * n + row;
      for (int j = 0; j < rows; j++) {
        double sum = 0.0;
        for (int k = 0; k < rows; k++) {
          sum += g[k] * dF[ROWS * k + j];
        }
        J[i * n + row + (size_t)j] = sum;
      }
    }
    const int is_contact = cell < w->d->contacts;
    for (int i = 0; i < rows && is_contact; i++) {
      for (int j = 0; j < rows; j++) {
        J[(row + (size_t)i) * n + row + (size_t)j] -= (i == j ? 1.0 : 0.0) + dF[ROWS * i + j];
      }
    }
    if (nsd_poll_stops(w->poll, (double)rows * rows * (double)n)) {
      return;
    }
  }
}

/* The laws hold F against ν: what ξ differs from ν by is what they are missed by, at most. */
static int is_solved(void *user, const double *z, const double *phi)
{
  const nsd_todorov *w = user;
  (void)z;
  double most = 0.0;
  for (int cell = 0; cell < w->op->cells; cell++) {
    for (int row = w->op->row[cell]; row < w->op->row[cell + 1]; row++) {
      most = fmax(most, w->stretch[cell] * fabs(phi[row]));
    }
  }
  return most <= w->small;
}

/* z = ν − F of the impulses Λ and the velocities that they cause. */
static void place_start(nsd_todorov *w, const double *Lambda)
{
  const int n = w->d->rows;
  for (int cell = 0; cell < w->op->cells; cell++) {
    const int row = w->op->row[cell], rows = nsd_operator_rows_of(w->op, cell);
    const double *A = w->axes + 4 * (size_t)cell, *L = Lambda + row;
    double *F = w->F + row;
    for (int i = 0; i < rows; i++) {
      F[i] = w->unit[cell] * L[i];
    }
    if (rows == ROWS) {
      /* Λ' = A⁻¹ Λ_T */
      const double det = A[0] * A[3] - A[1] * A[2];
      const double back[4] = {A[3] / det, -A[1] / det, -A[2] / det, A[0] / det};
      turn(back, 0, F + 1, F + 1);
    }
  }
  nsd_multiply_asking(n, n, w->G, n, w->F, w->xi, w->poll);
  for (int row = 0; row < n; row++) {
    const int is_contact = row < nsd_contact_own_rows(w->d);
    w->z[row] = is_contact ? w->c[row] + w->xi[row] - w->F[row] : w->F[row];
  }
}

nsd_marquardt_end nsd_todorov_solve(nsd_todorov *w, nsd_marquardt_kind kind, double small, int most,
                                    double *Lambda, int *steps, nsd_poll *poll)
{
  const nsd_equations equations = {
      .n = w->d->rows, .user = w, .residual = residual, .jacobian = jacobian, .is_solved = is_solved};
  w->small = small;
  w->poll = poll;
  /* z of the Λ that came in, then φ(z) = 0. */
  place_start(w, Lambda);
  const nsd_marquardt_end end = nsd_marquardt_solve(&w->engine, kind, &equations, most, w->z, steps, poll);
  /* Back: Λ = T F(z). */
  for (int cell = 0; cell < w->op->cells; cell++) {
    const int row = w->op->row[cell], rows = nsd_operator_rows_of(w->op, cell);
    double F[ROWS] = {0.0}, nu[ROWS] = {0.0};
    map_cell(w, cell, w->z, F, nu, NULL);
    if (rows == ROWS) {
      turn(w->axes + 4 * (size_t)cell, 0, F + 1, F + 1);
    }
    for (int i = 0; i < rows; i++) {
      Lambda[row + i] = F[i] / w->unit[cell];
    }
  }
  return end;
}
