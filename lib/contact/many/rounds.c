/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "contact/many/rounds.h"

#include "base/dense.h"
#include "base/tolerances.h"
#include "contact/planar/states.h"

void nsd_rounds_lay_out(nsd_arena *arena, nsd_rounds *w, int contacts, int bilateral, int rows)
{
  w->local = nsd_arena_take(arena, (size_t)contacts, sizeof *w->local);
  nsd_envelope_lay_out(arena, &w->constraints, bilateral);
  nsd_anderson_lay_out(arena, &w->acceleration, rows);
}

/* The block of the constraints, in the order of the cells. */
static nsdyn_status factor_constraints(nsd_rounds *w, nsd_poll *poll)
{
  const nsd_coupling *k = w->k;
  const nsd_contact_data *d = k->d;
  const int own = nsd_contact_own_rows(d);
  nsd_envelope *e = &w->constraints;
  nsd_envelope_begin(e, d->bilateral);
  for (int pass = 0; pass < 2; pass++) {
    for (int i = 0; i < d->bilateral; i++) {
      const double *g = nsd_contact_row(d, own + i) + own;
      for (int j = 0; j <= i; j++) {
        if (g[j] == 0.0) {
          continue;
        }
        if (pass == 0) {
          nsd_envelope_reach(e, i, j);
        } else {
          *nsd_envelope_element(e, i, j) = *nsd_envelope_element(e, j, i) = g[j];
        }
      }
      e->size[i] = g[i];
      if (nsd_poll_stops(poll, d->bilateral)) {
        return NSDYN_CANCELLED;
      }
    }
    if (pass == 0 && nsd_envelope_clear(e, poll)) {
      return NSDYN_CANCELLED;
    }
  }
  w->work = 2.0 * (double)e->at[e->n];
  return nsd_envelope_factor(e, NSD_CONTACT_PIVOT, poll);
}

nsdyn_status nsd_rounds_begin(nsd_rounds *w, const nsd_coupling *k, nsd_poll *poll)
{
  const nsd_contact_data *d = k->d;
  w->k = k;
  for (int i = 0; i < d->contacts; i++) {
    w->local[i] = nsd_planar_one_contact_of(d, &d->spec[i]);
  }
  for (int i = 0; i < d->rows; i++) {
    w->acceleration.weight[i] = k->diagonal[i];
  }
  const nsdyn_status status = factor_constraints(w, poll);
  w->work += (k->is_dense ? (double)d->rows * d->rows : 2.0 * (double)k->from[k->cells]) +
             (NSD_ANDERSON_DEPTH + 4.0) * d->rows + 50.0 * d->contacts;
  return status;
}

void nsd_rounds_start(nsd_rounds *w, const double *Lambda)
{
  nsd_anderson_start(&w->acceleration, Lambda);
}

static void relax_contact(const nsd_rounds *w, int i, double *Lambda)
{
  const nsd_contact_spec *s = &w->k->d->spec[i];
  const nsd_planar_one_contact *b = &w->local[i];
  double y[2] = {0.0, 0.0};
  double *own = Lambda + s->row;
  /* y = ξ_i − G_ii Λ_i: what the others make there. */
  nsd_coupling_velocity(w->k, i, Lambda, y);
  if (s->friction == NSD_FRICTION_NONE) {
    y[0] -= b->NN * own[0];
  } else {
    y[0] -= b->NN * own[0] + b->NT * own[1];
    y[1] -= b->NT * own[0] + b->TT * own[1];
  }
  nsd_planar_one_contact_solve(b, s, y, own);
}

/* All constraints at once, by the factors of their block. */
static void relax_constraints(nsd_rounds *w, double *Lambda)
{
  const nsd_contact_data *d = w->k->d;
  const int own = nsd_contact_own_rows(d);
  double *xi = w->acceleration.f; /* free until the round is over */
  for (int i = 0; i < d->bilateral; i++) {
    nsd_coupling_velocity(w->k, d->contacts + i, Lambda, &xi[i]);
  }
  nsd_envelope_solve(&w->constraints, xi);
  for (int i = 0; i < d->bilateral; i++) {
    Lambda[own + i] -= xi[i];
  }
}

void nsd_rounds_step(nsd_rounds *w)
{
  const nsd_contact_data *d = w->k->d;
  nsd_anderson *a = &w->acceleration;
  for (int i = 0; i < d->rows; i++) {
    a->g[i] = a->x[i];
  }
  /* Contact after contact, each with what those before it have become in this round. */
  for (int i = 0; i < w->k->cells; i++) {
    const int cell = w->k->order[i];
    if (cell < d->contacts) {
      relax_contact(w, cell, a->g);
    }
  }
  if (d->bilateral > 0) {
    relax_constraints(w, a->g);
  }
  /* A step that mixes the rounds before may leave what the laws allow. */
  if (nsd_anderson_step(a)) {
    nsd_contact_project_all(d, a->x);
  }
}
