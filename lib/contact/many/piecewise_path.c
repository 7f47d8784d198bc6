/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "contact/many/piecewise_path.h"

#include "base/dense.h"
#include "base/tolerances.h"
#include "contact/certificate.h"
#include "contact/planar/states.h"
#include "setvalued/nearest.h"

#define ASIDE 1e-2  /* of the largest ρ: how far the point is moved in the beginning */
#define AWAY 0.5    /* t beyond its least so far: the path is left */
#define ENOUGH 1e-3 /* of ρ is left: the solution is near enough to be the next Λ₀ */

void nsd_piecewise_path_lay_out(nsd_arena *arena, nsd_piecewise_path *w, int contacts, int rows)
{
  nsd_rank_update_lay_out(arena, &w->patched, contacts, rows);
  double **const vectors[] = {&w->Lambda, &w->xi,    &w->rho,   &w->dLambda,
                              &w->dxi,    &w->first, &w->right, &w->nearest};
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) {
    *vectors[i] = nsd_arena_take(arena, (size_t)rows, sizeof(double));
  }
  w->side = nsd_arena_take(arena, (size_t)contacts, sizeof *w->side);
}

/* ---- where it begins --------------------------------------------------------------------------------- */

void nsd_piecewise_path_begin(nsd_piecewise_path *w)
{
  w->random = 1;
}

/* Numbers in [−1, 1], the same in each solve. */
static double next_random(uint64_t *state)
{
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (double)(int64_t)(*state >> 11) * 0x1p-52 - 1.0;
}

/* The point that obeys a contact's law next to Λ, ξ: by z = r Λ − ξ, moved by `aside`, the larger part of
 * which is Λ's or ξ's by the law. */
static void obey(nsd_piecewise_path *w, const nsd_coupling *k, int i, double aside)
{
  const nsd_contact_spec *s = &k->d->spec[i];
  const int N = s->row, T = nsd_contact_tangent(s);
  const double r = nsd_contact_stiffness(k->diagonal[N], k->diagonal[T < 0 ? N : T]);
  const int is_slot = s->kind == NSDYN_CONTACT_BILATERAL;
  /* z = r Λ_N − ξ_N: its positive part is the impulse, its negative part the velocity. */
  const double z = r * w->Lambda[N] - (is_slot ? 0.0 : w->xi[N]) + aside * next_random(&w->random);
  const int is_closed = is_slot || z > 0.0;
  w->Lambda[N] = is_closed ? z / r : 0.0;
  w->xi[N] = is_closed ? 0.0 : -z;
  w->side[i] = is_slot && s->friction == NSD_FRICTION_LOAD && z < 0.0 ? -1 : 1;
  if (T < 0) {
    return;
  }
  /* y = r Λ_T − ξ_T: what friction can take of it, |Λ_T| <= μ |Λ_N|, is the impulse, the rest sliding. */
  const double y = r * w->Lambda[T] - w->xi[T] + aside * next_random(&w->random);
  const double limit = r * (s->friction == NSD_FRICTION_GIVEN ? s->bound : s->mu * fabs(w->Lambda[N]));
  const double bounded = nsd_nearest_in_band(y, limit);
  const double drag = s->sliding ? -s->sliding * limit : bounded;
  w->Lambda[T] = drag / r;
  w->xi[T] = drag - y;
}

/* A point that obeys the laws next to Λ, its pattern, and what it misses in ρ, the largest of which it
 * returns. */
static double begin(nsd_piecewise_path *w, nsd_damped_newton *a, const double *Lambda, double aside)
{
  const nsd_coupling *k = a->k;
  const nsd_contact_data *d = k->d;
  double largest = 0.0;
  /* 1. Λ₀ := Λ, and ξ = G Λ + c. */
  for (int i = 0; i < d->rows; i++) {
    w->Lambda[i] = a->center[i] = Lambda[i];
  }
  for (int cell = 0; cell < k->cells; cell++) {
    nsd_coupling_velocity(k, cell, w->Lambda, w->xi + nsd_coupling_row(k, cell));
  }
  /* 2. The point next to them that obeys every law, and its pattern. */
  for (int i = 0; i < d->contacts; i++) {
    obey(w, k, i, aside);
    a->states[i] = nsd_contact_next_state(d, &d->spec[i], w->Lambda, w->xi);
  }
  for (int i = nsd_contact_own_rows(d); i < d->rows; i++) {
    w->xi[i] = 0.0;
  }
  /* 3. ρ = G Λ + c + ε D (Λ − Λ₀) − ξ: what that point misses of the equations. */
  for (int cell = 0; cell < k->cells; cell++) {
    nsd_coupling_velocity(k, cell, w->Lambda, w->rho + nsd_coupling_row(k, cell));
  }
  for (int i = 0; i < d->rows; i++) {
    w->rho[i] += a->epsilon * k->diagonal[i] * (w->Lambda[i] - a->center[i]) - w->xi[i];
    largest = nsd_larger(fabs(w->rho[i]), largest);
  }
  return largest;
}

/* ---- pieces ------------------------------------------------------------------------------------------ */

/* dΛ/dt and dξ/dt of the pattern at hand. Returns 0 where it is singular. */
static int find_direction(nsd_piecewise_path *w)
{
  const nsd_damped_newton *a = w->patched.a;
  const nsd_coupling *k = a->k;
  const nsd_contact_data *d = k->d;
  /* On the path G Λ + c + ε D (Λ − Λ₀) − ξ = t ρ; where the pattern holds ξ at zero that leaves
   * (G + ε D) dΛ/dt = ρ, elsewhere dξ/dt = (G + ε D) dΛ/dt − ρ. */
  if (!nsd_rank_update_solve(&w->patched, w->first, w->rho, w->dLambda)) {
    return 0;
  }
  for (int i = 0; i < d->contacts; i++) {
    const nsd_contact_spec *s = &d->spec[i];
    const int N = s->row, T = nsd_contact_tangent(s);
    const int moves_N = !nsd_state_is_closed(a->states[i]); /* else the pattern holds ξ at zero there */
    const int moves_T = T >= 0 && !nsd_state_sticks(a->states[i]);
    double product[2] = {0.0, 0.0};
    if (moves_N || moves_T) {
      nsd_coupling_product(k, i, w->dLambda, product);
    }
    w->dxi[N] = moves_N ? product[0] + a->epsilon * k->diagonal[N] * w->dLambda[N] - w->rho[N] : 0.0;
    if (T >= 0) {
      w->dxi[T] = moves_T ? product[1] + a->epsilon * k->diagonal[T] * w->dLambda[T] - w->rho[T] : 0.0;
    }
  }
  return 1;
}

/* New factors for the pattern at hand, and with them the point at t without what rounding has added up. */
static nsdyn_status factor(nsd_piecewise_path *w, nsd_damped_newton *a, double most, nsd_poll *poll)
{
  const nsd_contact_data *d = a->k->d;
  const nsdyn_status status = nsd_rank_update_begin(&w->patched, a, most, poll);
  if (status) {
    return status;
  }
  /* What the direction of every pattern near this one begins with. */
  for (int i = 0; i < d->rows; i++) {
    w->right[i] = nsd_rank_update_is_velocity(a->k, i, a->states) ? w->rho[i] : 0.0;
  }
  nsd_rank_update_solve_first(&w->patched, w->right, w->first);
  /* Λ at t: (G + ε D) Λ = t ρ + ε D Λ₀ − c where ξ = 0, friction that slips at its limit; then ξ elsewhere.
   */
  for (int i = 0; i < d->rows; i++) {
    const double given = a->epsilon * a->k->diagonal[i] * a->center[i] - d->c[i];
    w->right[i] = nsd_rank_update_is_velocity(a->k, i, a->states) ? w->t * w->rho[i] + given : 0.0;
  }
  for (int i = 0; i < d->contacts; i++) {
    const nsd_contact_spec *s = &d->spec[i];
    if (nsd_contact_tangent(s) >= 0 && !nsd_state_sticks(a->states[i])) {
      w->right[s->row + 1] = nsd_state_factor(a->states[i]) * s->bound;
    }
  }
  nsd_rank_update_solve_first(&w->patched, w->right, w->Lambda);
  for (int i = 0; i < d->rows; i++) {
    const double given = a->epsilon * a->k->diagonal[i] * a->center[i] - d->c[i];
    w->xi[i] = nsd_rank_update_is_velocity(a->k, i, a->states)
                   ? 0.0
                   : nsd_damped_newton_row_times(a, i, w->Lambda) - given - w->t * w->rho[i];
  }
  return NSDYN_OK;
}

/* ---- where a piece ends ------------------------------------------------------------------------------ */

typedef enum edge_kind {
  EDGE_NORMAL, /* Λ_N or ξ_N, whichever is not zero by the pattern; in a slot with friction Λ_N's sign */
  EDGE_UPPER,  /* Λ_T of what sticks comes to its upper limit */
  EDGE_LOWER,
  EDGE_SLIP /* ξ_T of what slips comes to zero */
} edge_kind;

typedef struct edge {
  double way; /* |Δt| to it */
  int contact;
  edge_kind kind;
} edge;

/* A number that has to stay >= 0. */
static void watch(edge *e, int contact, edge_kind kind, double value, double rate)
{
  const double way = value > 0.0 ? value / -rate : 0.0;
  if (rate < 0.0 && way < e->way) {
    *e = (edge){.way = way, .contact = contact, .kind = kind};
  }
}

static void watch_contact(const nsd_piecewise_path *w, const nsd_contact_spec *s, int i, int32_t state,
                          edge *e)
{
  const int N = s->row, T = N + 1;
  const double side = w->side[i], f = nsd_state_factor(state);
  const int of_load = s->friction == NSD_FRICTION_LOAD;
  const int sticks = nsd_state_sticks(state);
  if (s->kind == NSDYN_CONTACT_BILATERAL) {
    if (of_load && !sticks) {
      watch(e, i, EDGE_NORMAL, side * w->Lambda[N], side * w->sign * w->dLambda[N]);
    }
  } else if (!nsd_state_is_closed(state)) {
    watch(e, i, EDGE_NORMAL, w->xi[N], w->sign * w->dxi[N]);
  } else if (!sticks || !of_load) { /* what sticks by its load slips first */
    watch(e, i, EDGE_NORMAL, w->Lambda[N], w->sign * w->dLambda[N]);
  }
  if (!nsd_contact_has_friction(s) || s->sliding || state == NSD_STATE_OPEN) {
    return;
  }
  /* −(μ |Λ_N| + bound) <= Λ_T <= μ |Λ_N| + bound while it sticks; ξ_T keeps its sign while it slips. */
  if (sticks) {
    const double limit = side * s->mu * w->Lambda[N] + s->bound;
    const double rate = side * s->mu * w->dLambda[N];
    watch(e, i, EDGE_UPPER, limit - w->Lambda[T], w->sign * (rate - w->dLambda[T]));
    watch(e, i, EDGE_LOWER, limit + w->Lambda[T], w->sign * (rate + w->dLambda[T]));
  } else {
    watch(e, i, EDGE_SLIP, -f * side * w->xi[T], -f * side * w->sign * w->dxi[T]);
  }
}

static edge find_edge(const nsd_piecewise_path *w)
{
  const nsd_damped_newton *a = w->patched.a;
  const nsd_contact_data *d = a->k->d;
  edge e = {.way = INFINITY, .contact = -1};
  for (int i = 0; i < d->contacts; i++) {
    watch_contact(w, &d->spec[i], i, a->states[i], &e);
  }
  return e;
}

static int32_t slipping(double f, int32_t lifted)
{
  return lifted + (f > 0.0 ? NSD_STATE_UP : NSD_STATE_DOWN);
}

/* The contact's state beyond the edge. */
static int32_t state_beyond(nsd_piecewise_path *w, const nsd_contact_spec *s, const edge *e, int32_t state)
{
  const int32_t lifted = state & NSD_STATE_LIFTED;
  const int acts = s->friction == NSD_FRICTION_GIVEN && s->bound > 0.0;
  const double side = w->side[e->contact];
  switch (e->kind) {
  case EDGE_UPPER:
    return slipping(side, lifted);
  case EDGE_LOWER:
    return slipping(-side, lifted);
  case EDGE_SLIP:
    return lifted + NSD_STATE_STICK;
  case EDGE_NORMAL:
    break;
  }
  if (s->kind == NSDYN_CONTACT_BILATERAL) { /* f (μ Λ_N) goes on as it was */
    w->side[e->contact] = (int8_t)-w->side[e->contact];
    return slipping(-nsd_state_factor(state), 0);
  }
  if (acts) {
    return state ^ NSD_STATE_LIFTED;
  }
  if (nsd_state_is_closed(state)) {
    return NSD_STATE_OPEN;
  }
  const double against = s->sliding ? s->sliding : nsd_contact_has_friction(s) ? w->xi[s->row + 1] : 1.0;
  return slipping(-against, 0);
}

/* The rate in t of the number that has to grow beyond the edge; `before`: the state of before. */
static double inward(const nsd_piecewise_path *w, const nsd_contact_spec *s, const edge *e, int32_t before)
{
  const int N = s->row, T = N + 1;
  const double side = w->side[e->contact];
  switch (e->kind) {
  case EDGE_UPPER:
    return -w->dxi[T];
  case EDGE_LOWER:
    return w->dxi[T];
  case EDGE_SLIP:
    return side * (s->mu * w->dLambda[N] - nsd_state_factor(before) * w->dLambda[T]);
  case EDGE_NORMAL:
    break;
  }
  if (s->kind == NSDYN_CONTACT_BILATERAL) {
    return side * w->dLambda[N];
  }
  return nsd_state_is_closed(before) ? w->dxi[N] : w->dLambda[N];
}

/* ---- the path ---------------------------------------------------------------------------------------- */

static void move(nsd_piecewise_path *w, double way)
{
  const nsd_contact_data *d = w->patched.a->k->d;
  const double dt = w->sign * way;
  for (int i = 0; i < d->rows; i++) {
    w->Lambda[i] += dt * w->dLambda[i];
  }
  for (int i = 0; i < nsd_contact_own_rows(d); i++) {
    w->xi[i] += dt * w->dxi[i];
  }
  w->t += dt;
}

/* Over the edge, and where t goes from there. NSDYN_UNDECIDED where the piece beyond is singular. */
static nsdyn_status cross(nsd_piecewise_path *w, const edge *e, double most, nsd_poll *poll)
{
  nsd_damped_newton *a = w->patched.a;
  const nsd_contact_data *d = a->k->d;
  const nsd_contact_spec *s = &d->spec[e->contact];
  const int32_t before = a->states[e->contact];
  /* 1. What has come to zero is zero, and the contact changes its state. */
  if (e->kind == EDGE_NORMAL) {
    w->Lambda[s->row] = w->xi[s->row] = 0.0;
  } else if (e->kind == EDGE_SLIP) {
    w->xi[s->row + 1] = 0.0;
  }
  a->states[e->contact] = state_beyond(w, s, e, before);
  double work = 2.0 * (double)a->k->from[a->k->cells] + (NSD_RANK_UPDATE_MOST / 2.0 + 8.0) * d->rows;
  /* 2. One or two rows of the equations change; new factors after many changes. */
  if (w->patched.changes + 2 > NSD_RANK_UPDATE_MOST) {
    const nsdyn_status status = factor(w, a, most, poll);
    if (status) {
      return status;
    }
  } else {
    work += nsd_rank_update_change(&w->patched, e->contact);
  }
  a->work += work;
  if (nsd_poll_stops(poll, work)) {
    return NSDYN_CANCELLED;
  }
  if (!find_direction(w)) {
    return NSDYN_UNDECIDED;
  }
  /* 3. t goes on in the sense in which what was zero grows: beyond a fold it grows again. */
  const double in = inward(w, s, e, before);
  w->sign = in > 0.0 ? 1.0 : in < 0.0 ? -1.0 : w->sign;
  return NSDYN_OK;
}

/* At t = 0. With the least ε digits count, and its factors serve for more of them. */
static nsdyn_status arrive(nsd_piecewise_path *w, nsd_damped_newton *a, nsd_poll *poll)
{
  w->t = 0.0;
  const nsdyn_status status = a->epsilon <= NSD_DAMPED_NEWTON_SHARP ? factor(w, a, INFINITY, poll) : NSDYN_OK;
  for (int i = 0; i < a->k->d->rows; i++) {
    a->Lambda[i] = w->Lambda[i];
  }
  return status;
}

/* Where t begins to grow, or the path is left. */
static void note_nearest(nsd_piecewise_path *w, int rows)
{
  if (w->t < w->least) {
    w->least = w->t;
    for (int i = 0; i < rows; i++) {
      w->nearest[i] = w->Lambda[i];
    }
  }
}

nsdyn_status nsd_piecewise_path_follow(nsd_piecewise_path *w, nsd_damped_newton *a, const double *Lambda,
                                       double epsilon, int pieces, double most, nsd_poll *poll)
{
  a->epsilon = epsilon;
  /* 1. The beginning, t = 1, moved aside by a share of what it misses: then one contact changes at a time. */
  const double missed = begin(w, a, Lambda, 0.0);
  (void)begin(w, a, Lambda, ASIDE * missed);
  w->t = 1.0;
  w->sign = -1.0;
  w->pieces = 0;
  w->least = 1.0;
  w->is_starved = 0;
  /* 2. The first piece: factors, dΛ/dt and dξ/dt. */
  nsdyn_status status = factor(w, a, most, poll);
  if (status == NSDYN_OK && !find_direction(w)) {
    status = NSDYN_UNDECIDED;
  }
  const double enough = epsilon <= NSD_DAMPED_NEWTON_SHARP ? NSD_PATH_ARRIVED : ENOUGH;
  while (status == NSDYN_OK && w->pieces < pieces && a->work < most) {
    /* 3. Where it ends; before that t may come to zero, and the problem is solved. */
    const edge e = find_edge(w);
    if (w->t <= enough || (w->sign < 0.0 && w->t <= e.way)) {
      move(w, w->sign < 0.0 ? nsd_smaller(w->t, e.way) : 0.0);
      return arrive(w, a, poll);
    }
    if (!(e.way < (double)INFINITY)) {
      return NSDYN_UNDECIDED;
    }
    /* 4. Over the edge, into the next piece. Where t turns the nearest point is kept. */
    move(w, e.way);
    w->pieces++;
    const double before = w->sign;
    status = cross(w, &e, most, poll);
    if (before < 0.0 && w->sign > 0.0) {
      note_nearest(w, a->k->d->rows);
    }
    if (w->t > w->least + AWAY) {
      break;
    }
  }
  w->is_starved = status == NSDYN_MAX_ITERATIONS || a->work >= most;
  if (status == NSDYN_OK || w->is_starved) {
    note_nearest(w, a->k->d->rows);
  }
  return status ? status : NSDYN_MAX_ITERATIONS;
}
