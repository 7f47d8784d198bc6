/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "stepper/drift/pay_lift.h"

#include <math.h>

#include "stepper/drift/lifted.h"

void nsd_lift_begin(nsdyn_stepper *s)
{
  nsd_fill_zero(s->sys->def.nu, s->projection->turned);
}

void nsd_lift_solved(nsdyn_stepper *s)
{
  nsd_projection *p = s->projection;
  const int nu = s->sys->def.nu;
  nsd_fill_zero(nu, p->from);
  for (int i = 0; i < p->rows; i++) {
    const double *w = p->scene.directions.W + (size_t)p->row[i] * (size_t)nu;
    for (int j = 0; p->Lambda[i] != 0.0 && j < nu; j++) {
      p->from[j] += p->Lambda[i] * w[j];
    }
  }
}

void nsd_lift_add(nsdyn_stepper *s, double share)
{
  const nsd_projection *p = s->projection;
  for (int j = 0; j < s->sys->def.nu; j++) {
    p->turned[j] += share * p->from[j];
  }
}

/* ---- sets of velocities ---- */

/* set[j] is another velocity of j's set; that whose set[j] is j, or IS_DUE, gives the set its number. */
enum { IS_DUE = -1 };

static int32_t set_of(const int32_t *set, int32_t j)
{
  while (set[j] >= 0 && set[j] != j) {
    j = set[j];
  }
  return j;
}

/* Whether a row moves a velocity: where W or W M⁻¹, in any of its forms, is not zero. */
static int moves(const nsd_projection *p, int row, int nu, int j)
{
  const size_t at = (size_t)row * (size_t)nu + (size_t)j;
  return p->scene.directions.W[at] != 0.0 || p->scene.problem.X[at] != 0.0;
}

/* The number of the set that a row moves, all of which it joins; −1 where it moves none. */
static int32_t join(const nsd_projection *p, int row, int nu, int32_t *set)
{
  int32_t first = -1;
  for (int32_t j = 0; j < nu; j++) {
    if (moves(p, row, nu, j)) {
      const int32_t own = set_of(set, j);
      first = first < 0 ? own : first;
      set[own] = first;
    }
  }
  return first;
}

/* Whether contact k of the scene has been lifted, and no law had a hand in its step. */
static int is_due(const nsdyn_stepper *s, int k)
{
  const nsd_projection *p = s->projection;
  const nsd_closed *c = &p->scene.closed.contact[k];
  const double *w = p->scene.directions.W + (size_t)c->row * (size_t)s->sys->def.nu;
  return c->law->kind == NSDYN_CONTACT_UNILATERAL && nsd_lifted_mode(p, c) == NSDYN_MODE_OPEN &&
         nsd_small_dot(s->sys->def.nu, w, p->sum) > 0.0;
}

/* Returns whether any set is due. */
static int find_sets(const nsdyn_stepper *s, int32_t *set)
{
  const nsd_projection *p = s->projection;
  const nsd_scene *scene = &p->scene;
  const int nu = s->sys->def.nu;
  int any = 0;
  for (int k = 0; k < scene->closed.count && !any; k++) {
    any = is_due(s, k);
  }
  if (!any) {
    return 0;
  }
  for (int32_t j = 0; j < nu; j++) {
    set[j] = j;
  }
  for (int r = 0; r < scene->closed.rows; r++) {
    const int32_t own = join(p, r, nu, set);
    for (int32_t j = 0; own >= 0 && j < nu; j++) {
      set[j] = moves(p, r, nu, j) ? own : set[j]; /* short ways to the number */
    }
  }
  for (int k = 0; k < scene->closed.count; k++) {
    const int lands = is_due(s, k);
    for (int32_t j = 0; lands && j < nu; j++) {
      if (moves(p, scene->closed.contact[k].row, nu, j)) {
        set[set_of(set, j)] = IS_DUE;
      }
    }
  }
  return 1;
}

/* ---- what a set pays ---- */

/* Of each set, at its own number. */
typedef struct energies {
  double *up, *pp, *work; /* nu: u·p, δ·p, h·δ */
} energies;

/* u·p, δ·p and h·δ of each set, δ = M⁻¹ p where corrections ended but in h·δ, which is what forces did. */
static nsdyn_status find_energies(nsdyn_stepper *s, const int32_t *set, energies e)
{
  nsd_projection *p = s->projection;
  const int nu = s->sys->def.nu;
  const nsd_inertia *inertia = s->mass_is_known ? &s->inertia : &p->inertia;
  nsd_rows_copy(1, nu, p->turned, p->moved);
  if (inertia->factored) {
    nsd_inertia_forward(inertia, p->moved);
    nsd_inertia_backward(inertia, p->moved);
  } else {
    const nsdyn_status status = nsd_call_solve_mass(&s->sys->def, s->t_next, p->q, 1, p->moved, &s->fault);
    if (status) {
      return status;
    }
  }
  nsd_fill_zero(nu, e.up);
  nsd_fill_zero(nu, e.pp);
  nsd_fill_zero(nu, e.work);
  for (int32_t j = 0; j < nu; j++) {
    const int32_t own = set_of(set, j);
    e.up[own] += s->u_next[j] * p->turned[j];
    e.pp[own] += p->moved[j] * p->turned[j];
    e.work[own] += s->h[j] * p->sum[j];
  }
  return NSDYN_OK;
}

/* α: ½ α² δ·p + α u·p = h·δ, of the two roots the one next to zero; without one that takes all there is. */
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
  /* All of this is scratch: correcting coordinates is over, and of velocities has not begun. */
  int32_t *set = p->set;
  const energies e = {.up = p->from, .pp = s->du, .work = p->q_good};
  if (!find_sets(s, set)) {
    return NSDYN_OK;
  }
  const nsdyn_status status = find_energies(s, set, e);
  if (status) {
    return status;
  }
  for (int32_t j = 0; j < nu; j++) {
    const int32_t own = set_of(set, j);
    const double share = set[own] == IS_DUE ? share_of(e.up[own], e.pp[own], e.work[own]) : 0.0;
    s->u_next[j] += share * p->moved[j];
    s->correction.done |= share != 0.0;
    /* It is work of normal impulses: α u·p + ½ α² δ·p. */
    s->correction.normal += own == j ? share * (e.up[j] + 0.5 * share * e.pp[j]) : 0.0;
  }
  return NSDYN_OK;
}
