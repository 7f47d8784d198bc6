/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "stepper/drift/pay_lift.h"

#include <math.h>

#include "stepper/drift/lifted.h"

/* ---- sets of velocities ---- */

/* set[j] is another velocity of j's set. Of the one that gives the set its number it is j or, where something
 * has landed in the set, IS_DUE; WOULD_BE_DUE, as long as the correction that lifts it is not made. */
enum { IS_DUE = -1, WOULD_BE_DUE = -2 };

static int32_t set_of(int32_t *set, int32_t j)
{
  while (set[j] >= 0 && set[j] != j) {
    const int32_t next = set[j];
    set[j] = set[next] >= 0 ? set[next] : next; /* the way becomes shorter */
    j = next;
  }
  return j;
}

static void owe(int32_t *set, int32_t own, int32_t what)
{
  set[own] = set[own] == IS_DUE ? IS_DUE : what;
}

static void join(int32_t *set, int32_t i, int32_t j)
{
  const int32_t a = set_of(set, i), b = set_of(set, j);
  if (a != b) {
    if (set[b] < 0) {
      owe(set, a, set[b]);
    }
    set[b] = a;
  }
}

/* All that a row moves, or solve_mass says that it moves, is one set. Returns the first of it. */
static int32_t join_row(nsd_projection *p, int row, int nu, int is_solved)
{
  const double *w = p->scene.directions.W + (size_t)row * (size_t)nu;
  const double *x = is_solved ? p->scene.problem.X + (size_t)row * (size_t)nu : w;
  int32_t first = -1;
  for (int32_t j = 0; j < nu; j++) {
    if (w[j] != 0.0 || x[j] != 0.0) {
      first = first < 0 ? j : first;
      join(p->set, first, j);
    }
  }
  return first;
}

/* M couples two velocities where a way through its elements leads from one to the other, and through those of
 * L likewise: what fills in is between such. */
static void join_factor(int32_t *set, const double *L, int first, int n)
{
  for (int i = 1; i < n; i++) {
    for (int j = 0; j < i; j++) {
      if (L[(size_t)i * (size_t)n + (size_t)j] != 0.0) {
        join(set, first + i, first + j);
      }
    }
  }
}

/* What would have been due, had the last correction been made, is not. Returns whether anything is. */
static int is_any_due(const nsd_projection *p, int nu)
{
  int any = 0;
  for (int32_t j = 0; j < nu; j++) {
    p->set[j] = p->set[j] == WOULD_BE_DUE ? j : p->set[j];
    any |= p->set[j] == IS_DUE;
  }
  return any;
}

/* Joins what M couples, in whose metric corrections are. */
static void join_masses(nsd_projection *p, const nsd_inertia *inertia)
{
  for (int b = 0; b < inertia->nblocks; b++) {
    const nsd_mass_part *part = &inertia->part[b];
    join_factor(p->set, inertia->L + part->at, part->first, part->n);
  }
  if (inertia->factored && !inertia->nblocks) {
    join_factor(p->set, inertia->L, 0, inertia->nu);
  }
}

/* ---- corrections of coordinates ---- */

void nsd_lift_begin(nsdyn_stepper *s)
{
  nsd_projection *p = s->projection;
  const int nu = s->sys->def.nu;
  nsd_fill_zero(nu, p->turned);
  nsd_fill_zero(nu, s->du); /* ŵᵀ Λ, at the first velocity that each row moves: the step's own is done */
  for (int32_t j = 0; j < nu; j++) {
    p->set[j] = j;
  }
}

/* Whether contact k of the problem is lifted by it, and no law had a hand in its step. */
static int lands(const nsd_projection *p, int k)
{
  const nsd_closed *c = &p->scene.closed.contact[k];
  return p->Lambda[k] > 0.0 && c->law->kind == NSDYN_CONTACT_UNILATERAL &&
         nsd_lifted_mode(p, c) == NSDYN_MODE_OPEN;
}

void nsd_lift_solved(nsdyn_stepper *s)
{
  nsd_projection *p = s->projection;
  const int nu = s->sys->def.nu;
  const int is_solved = !(s->mass_is_known ? &s->inertia : &p->inertia)->factored;
  nsd_fill_zero(nu, p->from);
  nsd_fill_zero(nu, p->moved);
  for (int32_t j = 0; j < nu; j++) {
    p->set[j] = p->set[j] == WOULD_BE_DUE ? j : p->set[j];
  }
  for (int i = 0; i < p->rows; i++) {
    const int row = p->row[i];
    const double *w = p->scene.directions.W + (size_t)row * (size_t)nu;
    const int32_t first = p->Lambda[i] != 0.0 ? join_row(p, row, nu, is_solved) : -1;
    if (first < 0) {
      continue;
    }
    for (int j = 0; j < nu; j++) {
      p->from[j] += p->Lambda[i] * w[j];
    }
    /* ŵ Λ, scratch until velocities are corrected. */
    p->moved[first] += p->Lambda[i] * p->scene.directions.w_hat[row];
    if (i < p->contacts && lands(p, i)) {
      owe(p->set, set_of(p->set, first), WOULD_BE_DUE);
    }
  }
}

void nsd_lift_add(nsdyn_stepper *s, double share)
{
  nsd_projection *p = s->projection;
  for (int j = 0; j < s->sys->def.nu; j++) {
    p->turned[j] += share * p->from[j];
    s->du[j] += share * p->moved[j];
    p->set[j] = p->set[j] == WOULD_BE_DUE ? IS_DUE : p->set[j];
  }
}

/* ---- what a set pays ---- */

/* Of each set, at its own number. */
typedef struct energies {
  double *up, *pp, *work; /* nu: u·p + ŵᵀΛ, δ·p, h·δ */
} energies;

/* u·p + ŵᵀΛ, δ·p and h·δ of each set, δ = M⁻¹ p where corrections ended but in h·δ, which is what forces did.
 */
static nsdyn_status find_energies(nsdyn_stepper *s, const nsd_inertia *inertia, energies e)
{
  nsd_projection *p = s->projection;
  const int nu = s->sys->def.nu;
  nsdyn_status status = NSDYN_OK;
  nsd_rows_copy(1, nu, p->turned, p->moved);
  if (inertia->factored) {
    nsd_inertia_forward(inertia, p->moved);
    nsd_inertia_backward(inertia, p->moved);
  } else {
    status = nsd_call_solve_mass(&s->sys->def, s->t_next, p->q, 1, p->moved, &s->fault);
  }
  nsd_fill_zero(nu, e.up);
  nsd_fill_zero(nu, e.pp);
  nsd_fill_zero(nu, e.work);
  for (int32_t j = 0; j < nu; j++) {
    const int32_t own = set_of(p->set, j);
    e.up[own] += s->u_next[j] * p->turned[j] + s->du[j];
    e.pp[own] += p->moved[j] * p->turned[j];
    e.work[own] += s->h[j] * p->sum[j];
  }
  return status;
}

/* α: ½ α² δ·p + α (u·p + ŵᵀΛ) = h·δ, of the two roots the one next to zero; without one that takes all there
 * is. */
static double share_of(double up, double pp, double work)
{
  if (!(work < 0.0 && pp > 0.0)) {
    return 0.0;
  }
  const double left = up * up + 2.0 * pp * work;
  return left > 0.0 ? 2.0 * work / (up + copysign(sqrt(left), up)) : -up / pp;
}

nsdyn_status nsd_lift_pay(nsdyn_stepper *s)
{
  nsd_projection *p = s->projection;
  const int nu = s->sys->def.nu;
  const nsd_inertia *inertia = s->mass_is_known ? &s->inertia : &p->inertia;
  /* All of this is scratch: correcting coordinates is over, and of velocities has not begun. */
  const energies e = {.up = p->from, .pp = p->delta, .work = p->q_good};
  if (!is_any_due(p, nu)) {
    return NSDYN_OK;
  }
  /* Where nothing is closed at the end M has not been asked for there. */
  nsdyn_status status = s->mass_is_known || p->scene.closed.rows
                            ? NSDYN_OK
                            : nsd_inertia_update(&p->inertia, &s->sys->def, s->t_next, p->q, &s->fault);
  if (status == NSDYN_OK) {
    join_masses(p, inertia);
    status = find_energies(s, inertia, e);
  }
  if (status) {
    return status;
  }
  for (int32_t j = 0; j < nu; j++) {
    /* of no use but at the sets' own numbers */
    e.up[j] = p->set[j] == IS_DUE ? share_of(e.up[j], e.pp[j], e.work[j]) : 0.0;
  }
  for (int32_t j = 0; j < nu; j++) {
    const double share = e.up[set_of(p->set, j)], change = share * p->moved[j];
    /* It is work of normal impulses, ū·p α = α u·p + ½ α² δ·p, of absolute velocities. */
    s->correction.normal += share * (s->u_next[j] + 0.5 * change) * p->turned[j];
    s->correction.done |= share != 0.0;
    s->u_next[j] += change;
  }
  return NSDYN_OK;
}
