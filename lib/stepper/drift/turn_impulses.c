/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "stepper/drift/turn_impulses.h"

#include "stepper/drift/projection.h"
#include "stepper/drift/split.h"

/* λ (wᴱ − w) of the step's row `row`, which is row `there` at the end, onto turn->sum. */
static void add_row(const nsdyn_stepper *s, const nsd_turn *turn, int row, int there, double part)
{
  const int nu = s->inertia.nu;
  const double impulse = part * turn->lambda[there];
  const double *end = turn->there->directions.W + (size_t)there * (size_t)nu;
  nsd_row_expand(nsd_scene_row(&s->scene, row), turn->work);
  for (int j = 0; j < nu; j++) {
    turn->sum[j] += impulse * (end[j] - turn->work[j]);
  }
}

/* λ (wᴱ − w)ᵀ x. */
static double work_of_row(const nsdyn_stepper *s, const nsd_turn *turn, int row, int there, const double *x)
{
  const int nu = s->inertia.nu;
  return turn->lambda[there] * (nsd_small_dot(nu, turn->there->directions.W + (size_t)there * (size_t)nu, x) -
                                nsd_scene_dot(&s->scene, row, x));
}

/* The place of slot k of the step at its end; −1: it is no slot. What presses on along its surface is one,
 * where the law of contacts is that of the step's end. */
static int place_of_slot(const nsdyn_stepper *s, const nsd_turn *turn, int k, int *from)
{
  const nsd_closed *c = &s->scene.closed.contact[k];
  const int is_followed =
      c->mode != NSDYN_MODE_OPEN && nsd_split_is_on(s) && (s->scene.closed.past[k].flags & NSD_PAST_CALM);
  return c->law->kind == NSDYN_CONTACT_BILATERAL || is_followed ? nsd_scene_place_of(turn->there, c, from)
                                                                : -1;
}

/* The next row of the projection's problem. Rows that say the same differ by what curvature leaves. */
static void ask(nsd_projection *p, int row, double c)
{
  p->row[p->rows] = row;
  p->noise[p->rows] = NSD_MOST_CURVED * fabs(c);
  p->c[p->rows++] = c;
}

int nsd_turn_find(nsdyn_stepper *s)
{
  nsd_projection *p = s->projection;
  const nsd_scene *scene = &p->scene;
  const nsd_turn there = {.there = scene};
  int from = 0, any = 0;
  p->contacts = p->rows = 0;
  /* b = θ κ Δt is what the path asks for after the place of the contacts; all of it is κ Δt. */
  for (int k = 0; s->scene.closed.is_watched && k < s->scene.closed.count; k++) {
    const int place = place_of_slot(s, &there, k, &from);
    if (place >= 0) {
      ask(p, scene->closed.contact[place].row, s->scene.closed.past[k].bias / s->theta);
    }
  }
  for (int i = 0; i < scene->closed.rows - scene->closed.contact_rows; i++) {
    ask(p, scene->closed.contact_rows + i, s->drift_next[i].bias / s->theta);
  }
  for (int i = 0; i < p->rows; i++) {
    any |= p->c[i] != 0.0;
  }
  any = any && nsd_projection_solve(s, 1) == NSDYN_OK;
  nsd_fill_zero(scene->closed.rows, p->bent);
  for (int i = 0; any && i < p->rows; i++) {
    p->bent[p->row[i]] = p->Lambda[i];
  }
  return any;
}

nsdyn_status nsd_turn_impulses(nsdyn_stepper *s, const nsd_turn *turn, double part)
{
  const nsd_scene_closed *step = &s->scene.closed;
  const nsd_scene *there = turn->there;
  const int nu = s->inertia.nu;
  int from = 0;
  /* Σ λ (wᴱ − w) of slots, then of constraints, which come in the same order everywhere. */
  nsd_fill_zero(nu, turn->sum);
  for (int k = 0; k < step->count; k++) {
    const int place = place_of_slot(s, turn, k, &from);
    if (place >= 0) {
      add_row(s, turn, step->contact[k].row, there->closed.contact[place].row, part);
    }
  }
  for (int i = 0; i < step->rows - step->contact_rows; i++) {
    add_row(s, turn, step->contact_rows + i, there->closed.contact_rows + i, part);
  }
  if (!(nsd_scene_largest(nu, turn->sum) > 0.0)) {
    return NSDYN_OK;
  }
  /* u := u + M⁻¹ of it, M at the end. */
  nsdyn_status status = NSDYN_OK;
  if (turn->inertia->factored) {
    nsd_inertia_forward(turn->inertia, turn->sum);
    nsd_inertia_backward(turn->inertia, turn->sum);
  } else {
    status = nsd_call_solve_mass(&s->sys->def, s->t_next, turn->q, 1, turn->sum, &s->fault);
  }
  for (int j = 0; status == NSDYN_OK && j < nu; j++) {
    s->u_next[j] += turn->sum[j];
  }
  s->correction.done = 1;
  return status;
}

/* Σ λ (wᴱ − w)ᵀ x of slots and of constraints. */
static void sum_work(const nsdyn_stepper *s, const nsd_turn *turn, const double *x, double *slots,
                     double *constraints)
{
  const nsd_scene_closed *step = &s->scene.closed;
  const nsd_scene *there = turn->there;
  int from = 0;
  *slots = *constraints = 0.0;
  for (int k = 0; k < step->count; k++) {
    const int place = place_of_slot(s, turn, k, &from);
    if (place >= 0) {
      *slots += work_of_row(s, turn, step->contact[k].row, there->closed.contact[place].row, x);
    }
  }
  for (int i = 0; i < step->rows - step->contact_rows; i++) {
    *constraints += work_of_row(s, turn, step->contact_rows + i, there->closed.contact_rows + i, x);
  }
}

double nsd_turn_add_work(nsdyn_stepper *s, const nsd_turn *turn, double part, const double *u)
{
  double slots, constraints;
  for (int j = 0; j < s->inertia.nu; j++) {
    turn->work[j] = 0.5 * (u[j] + s->u_next[j]);
  }
  sum_work(s, turn, turn->work, &slots, &constraints);
  s->correction.normal += part * slots;
  s->correction.constraint += part * constraints;
  return part * (slots + constraints);
}

/* ½ (γᴬ + γ) λ of a row of the step, γ with the velocities that the law gave; *moves: ŵ is not zero. */
static double work_of_law(const nsdyn_stepper *s, const nsd_turn *turn, int row, int there, int *moves)
{
  const nsd_scene *scene = &s->scene;
  *moves |= scene->directions.w_hat[row] != 0.0 || turn->there->directions.w_hat[there] != 0.0;
  return 0.5 * (nsd_scene_dot(scene, row, s->u) + nsd_scene_dot(scene, row, s->u_solved)) *
         turn->lambda[there];
}

double nsd_turn_more(nsdyn_stepper *s, const nsd_turn *turn, double more)
{
  const nsd_scene_closed *step = &s->scene.closed;
  const nsd_scene *there = turn->there;
  double gain = more, slots, constraints;
  int moves = 0, from = 0;
  /* What they did in all. */
  for (int k = 0; k < step->count; k++) {
    const int place = place_of_slot(s, turn, k, &from);
    if (place >= 0) {
      gain += work_of_law(s, turn, step->contact[k].row, there->closed.contact[place].row, &moves);
    }
  }
  for (int i = 0; i < step->rows - step->contact_rows; i++) {
    gain += work_of_law(s, turn, step->contact_rows + i, there->closed.contact_rows + i, &moves);
  }
  if (moves || !(gain > 0.0)) {
    return 0.0;
  }
  /* T changes by λ (wᴱ − w)ᵀ u where one more part of it is turned, u being along all surfaces already. */
  sum_work(s, turn, s->u_next, &slots, &constraints);
  const double slope = slots + constraints;
  return slope < 0.0 ? nsd_smaller(-1.5 * gain / slope, nsd_turn_part(s)) : 0.0;
}
