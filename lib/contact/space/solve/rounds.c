/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "contact/space/solve/rounds.h"

#include <math.h>

#include "base/tolerances.h"
#include "contact/space/friction.h"

void nsd_space_rounds_lay_out(nsd_arena *arena, nsd_space_rounds *w, int contacts, int cells, int rows,
                              int columns)
{
  w->local = nsd_arena_take(arena, (size_t)contacts, sizeof *w->local);
  w->order = nsd_arena_take(arena, (size_t)cells, sizeof *w->order);
  w->state = nsd_arena_take(arena, (size_t)columns, sizeof *w->state);
  nsd_anderson_lay_out(arena, &w->acceleration, rows);
}

nsd_one_contact nsd_space_block_of(const nsd_operator *G, const nsd_contact_spec *s, int cell)
{
  return nsd_space_block_from(G->own + (size_t)cell * 9, s);
}

nsd_one_contact nsd_space_block_from(const double *own, const nsd_contact_spec *s)
{
  const int rows = nsd_contact_rows_of(s);
  /* Rows that the contact does not have stand by themselves, with a diagonal of the size of the others. */
  const double at_rest = own[0] > 0.0 ? own[0] : 1.0;
  double block[9];
  for (int i = 0; i < 9; i++) {
    block[i] = i / 3 < rows && i % 3 < rows ? own[i] : i % 4 == 0 ? at_rest : 0.0;
  }
  nsd_one_contact_law law = {.kind = s->kind,
                             .friction =
                                 s->friction == NSD_FRICTION_GIVEN ? NSD_FRICTION_GIVEN : NSD_FRICTION_LOAD,
                             .mu = s->mu,
                             .bound = s->bound,
                             .aspect = 1.0,
                             .axis = {1.0, 0.0},
                             .sliding = s->sliding == NSD_SLIDES_AT ? NSD_SLIDES_AT : s->sliding != 0,
                             .slip = {s->sliding, 0.0}};
  if (s->space) {
    law.sides = s->space->sides;
    law.aspect = s->space->aspect;
    law.axis[0] = s->space->axis[0];
    law.axis[1] = s->space->axis[1];
    law.slip[0] = s->slip[0];
    law.slip[1] = s->slip[1];
  }
  nsd_one_contact contact;
  nsd_one_contact_of(block, &law, &contact);
  return contact;
}

void nsd_space_rounds_begin(nsd_space_rounds *w, const nsd_contact_data *d, const nsd_operator *G,
                            double relaxation, uint64_t seed)
{
  w->d = d;
  w->G = G;
  w->relaxation = relaxation;
  w->seed = seed;
  for (int cell = 0; cell < G->cells; cell++) {
    w->order[cell] = cell;
    if (cell < d->contacts) {
      w->local[cell] = nsd_space_block_of(G, &d->spec[cell], cell);
    }
    for (int i = 0; i < nsd_operator_rows_of(G, cell); i++) {
      w->acceleration.weight[G->row[cell] + i] = G->own[(size_t)cell * 9 + (size_t)(4 * i)];
    }
  }
  const double share = G->is_free ? 2.0 : 1.0; /* W is read twice: for ξ, and where Λ changes */
  w->work = share * (double)G->first[G->cells] + (NSD_ANDERSON_DEPTH + 4.0) * d->rows + 100.0 * d->contacts;
}

void nsd_space_rounds_start(nsd_space_rounds *w, const double *Lambda)
{
  nsd_anderson_start(&w->acceleration, Lambda);
}

/* Fisher and Yates' shuffle by a linear congruential generator (Knuth's constants), whose high bits count. */
static void shuffle(nsd_space_rounds *w)
{
  for (int i = w->G->cells - 1; i > 0; i--) {
    w->seed = w->seed * 6364136223846793005u + 1442695040888963407u;
    const int j = (int)((w->seed >> 33) % (uint64_t)(i + 1));
    const int other = w->order[j];
    w->order[j] = w->order[i];
    w->order[i] = other;
  }
}

enum { RELAXATIONS = 30 };

/* A contact in expansion: its rows one after the other, each projected on what its law allows, until they
 * hardly change. G: its block, 3 to a row. */
static void relax_stored(const nsd_contact_spec *s, const double *G, const double *y, double *Lambda)
{
  const int rows = nsd_contact_rows_of(s);
  const double tangential = G[4] + (rows == 3 ? G[8] : 0.0);
  const double r = G[0] > 0.0 ? G[0] : tangential > 0.0 ? tangential : 1.0;
  const double r_T = tangential > 0.0 ? tangential : r;
  for (int turn = 0; turn < RELAXATIONS; turn++) {
    double wish[2] = {0.0, 0.0}, moved = 0.0, size = 0.0;
    const double before[3] = {Lambda[0], Lambda[1], rows == 3 ? Lambda[2] : 0.0};
    double xi = y[0];
    for (int j = 0; j < rows; j++) {
      xi += G[j] * Lambda[j];
    }
    Lambda[0] -= xi / r;
    Lambda[0] = s->kind == NSDYN_CONTACT_BILATERAL || Lambda[0] > 0.0 ? Lambda[0] : 0.0;
    for (int i = 1; i < rows; i++) {
      double slide = y[i];
      for (int j = 0; j < rows; j++) {
        slide += G[3 * i + j] * Lambda[j];
      }
      wish[i - 1] = Lambda[i] - slide / r_T;
    }
    nsd_friction_project(s, nsd_friction_limit(s, Lambda[0]), wish, Lambda + 1);
    for (int i = 0; i < rows; i++) {
      moved = fmax(moved, fabs(Lambda[i] - before[i]));
      size = fmax(size, fabs(Lambda[i]));
    }
    if (moved <= NSD_SPACE_STORED * size) {
      return;
    }
  }
}

/* What the cell's law makes of y = ξ − (what its own impulses do). Where the law has no answer, or none was
 * found, impulses stay. */
static void solve_cell(const nsd_space_rounds *w, int cell, const double *y, double *Lambda)
{
  if (cell >= w->d->contacts) {
    const double G_ii = w->G->own[(size_t)cell * 9];
    Lambda[0] = G_ii > 0.0 ? -y[0] / G_ii : Lambda[0];
    return;
  }
  const nsd_contact_spec *s = &w->d->spec[cell];
  if (s->friction == NSD_FRICTION_STORED) {
    relax_stored(s, w->G->own + (size_t)cell * 9, y, Lambda);
    return;
  }
  nsd_one_contact_answer answer;
  if (nsd_one_contact_solve(&w->local[cell], y, &answer) == NSD_ONE_CONTACT_SOLVED) {
    for (int i = 0; i < nsd_operator_rows_of(w->G, cell); i++) {
      Lambda[i] = answer.Lambda[i];
    }
  }
}

void nsd_space_rounds_step(nsd_space_rounds *w)
{
  const nsd_operator *G = w->G;
  nsd_anderson *a = &w->acceleration;
  for (int i = 0; i < w->d->rows; i++) {
    a->g[i] = a->x[i];
  }
  if (w->seed) {
    shuffle(w);
  }
  nsd_operator_start(G, a->g, w->state);
  for (int k = 0; k < G->cells; k++) {
    const int cell = w->order[k], rows = nsd_operator_rows_of(G, cell);
    double *own = a->g + G->row[cell];
    /* y = c + Σ_j G_ij Λ_j over the others, and the cell's own law. */
    double y[NSD_CONTACT_ROWS] = {0.0, 0.0, 0.0}, change[NSD_CONTACT_ROWS] = {0.0, 0.0, 0.0};
    nsd_operator_others(G, cell, w->state, a->g, y);
    for (int i = 0; i < rows; i++) {
      y[i] += w->d->c[G->row[cell] + i];
      change[i] = own[i];
    }
    /* Λ := Λ + ω (its own answer − Λ), ω the relaxation. */
    solve_cell(w, cell, y, own);
    int is_changed = 0;
    for (int i = 0; i < rows; i++) {
      own[i] = change[i] + w->relaxation * (own[i] - change[i]);
      change[i] = own[i] - change[i];
      is_changed |= change[i] != 0.0;
    }
    if (is_changed) {
      nsd_operator_change(G, cell, change, w->state);
    }
  }
  /* Anderson's step mixes the rounds before: it may leave C, which impulses go back to. */
  if (nsd_anderson_step(a)) {
    for (int i = 0; i < w->d->contacts; i++) {
      nsd_friction_admit(&w->d->spec[i], a->x + w->d->spec[i].row);
    }
  }
}
