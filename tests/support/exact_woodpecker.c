/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "exact_woodpecker.h"

#include <math.h>
#include <string.h>

#include "exact_toy.h"

/* Conditions that must be positive while the modes hold, and what happens when one is not. */
typedef struct guard {
  exact_watch watch;
  long double zero; /* below this it counts as zero */
  int contact;
  int strict; /* zero for ever does not do */
} guard;

#define GUARDS_MOST (2 * EXACT_CONTACTS)

typedef struct piece {
  exact_flow flow;
  exact_watch force[EXACT_CONTACTS][2];
  guard guards[GUARDS_MOST];
  int count;
} piece;

static void add_guard(piece *p, int contact, exact_watch watch, long double zero, int strict)
{
  p->guards[p->count++] = (guard){.watch = watch, .zero = zero, .contact = contact, .strict = strict};
}

/* μ λ_N + sign λ_T */
static exact_watch reserve(const piece *p, int contact, long double mu, long double sign)
{
  exact_watch watch = p->force[contact][0];
  watch.level = mu * watch.level + sign * p->force[contact][1].level;
  for (int i = 0; i < EXACT_DOF; i++) {
    watch.w[i] = mu * watch.w[i] + sign * p->force[contact][1].w[i];
  }
  return watch;
}

static void set_guards(const exact_toy *toy, const exact_mode *mode, piece *p)
{
  p->count = 0;
  for (int i = 0; i < EXACT_CONTACTS; i++) {
    exact_watch slip = {.order = 1};
    switch (mode[i]) {
    case EXACT_OPEN:
      add_guard(p, i, exact_toy_gap(toy, i), toy->zero_gap, 0);
      break;
    case EXACT_STICK:
      add_guard(p, i, reserve(p, i, toy->mu[i], 1.0L), toy->zero_force, 0);
      add_guard(p, i, reserve(p, i, toy->mu[i], -1.0L), toy->zero_force, 0);
      break;
    default:
      for (int j = 0; j < EXACT_DOF; j++) {
        slip.w[j] = mode[i] == EXACT_PLUS ? toy->w[i][1][j] : -toy->w[i][1][j];
      }
      add_guard(p, i, p->force[i][0], toy->zero_force, 0);
      add_guard(p, i, slip, toy->zero_speed, 1);
    }
  }
}

/* The motion from q, u on with these modes; 0 where they contradict each other. */
static int make_piece(const exact_toy *toy, const exact_mode *mode, const long double *q,
                      const long double *u, piece *p)
{
  exact_contacts problem;
  exact_impulses x;
  exact_mode closed[EXACT_CLOSED_MOST];
  int index[EXACT_CLOSED_MOST] = {0};
  memset(p, 0, sizeof *p);
  problem.k = 0;
  for (int i = 0; i < EXACT_CONTACTS; i++) {
    if (mode[i] != EXACT_OPEN) {
      if (problem.k == EXACT_CLOSED_MOST) {
        return 0;
      }
      closed[problem.k] = mode[i];
      index[problem.k++] = i;
    }
  }
  exact_toy_forces(toy, index, &problem);
  if (!exact_modes_solve(&problem, closed, &x) ||
      !exact_modes_centre(&problem, closed, exact_toy_spring(q), &x)) {
    return 0;
  }
  memcpy(p->flow.q, q, sizeof p->flow.q);
  memcpy(p->flow.u, u, sizeof p->flow.u);
  exact_toy_motion(toy, index, &problem, &x, &p->flow);
  for (int i = 0; i < 2 * problem.k; i++) {
    exact_watch *force = &p->force[index[i / 2]][i % 2];
    force->level = x.Lambda[i][0];
    for (int j = 0; j < EXACT_DOF; j++) {
      force->w[j] = x.Lambda[i][1] * p->flow.d[j];
    }
  }
  set_guards(toy, mode, p);
  return 1;
}

/* Whether every guard is positive right after the beginning. */
static int piece_fits(const exact_toy *toy, const piece *p)
{
  for (int i = 0; i < p->count; i++) {
    long double value;
    const guard *g = &p->guards[i];
    const int k = exact_watch_leading(&p->flow, &g->watch, g->zero, toy->rate, &value);
    if (k < 0 ? g->strict : value < 0.0L) {
      return 0;
    }
  }
  return 1;
}

static int same_motion(const exact_toy *toy, const piece *p, const piece *r)
{
  for (int i = 0; i < EXACT_DOF; i++) {
    const exact_watch watch = {.order = 2, .w = {i == 0, i == 1, i == 2}};
    const long double one = exact_watch_value(&p->flow, &watch, 0, 0.0L);
    const long double other = exact_watch_value(&r->flow, &watch, 0, 0.0L);
    if (fabsl(one - other) > 1e-9L * (fabsl(one) + toy->zero_speed * toy->rate)) {
      return 0;
    }
  }
  return 1;
}

/* Whether g = γ_N = 0. What rounding, or the last of endlessly many bounces, has left of either goes: each
 * w_N has one component. */
static int rest_on(const exact_toy *toy, int i, exact_state *s)
{
  if (!exact_toy_is_closed(toy, i, s->q) || fabsl(exact_toy_speed(toy, i, 0, s->u)) > toy->zero_speed) {
    return 0;
  }
  const int j = i == 0 ? 2 : 1;
  s->q[j] = -toy->gap[i] / toy->w[i][0][j];
  s->u[j] = 0.0L;
  return 1;
}

/* Likewise what is left of γ_T where a contact sticks: w_T has a one for v. */
static void stop_slip(const exact_toy *toy, exact_state *s)
{
  for (int i = 0; i < EXACT_CONTACTS; i++) {
    if (s->mode[i] == EXACT_STICK) {
      s->u[0] -= exact_toy_speed(toy, i, 1, s->u);
    }
  }
}

/* Of all modes that the contacts with g = γ_N = 0 may have, those whose motion keeps its own conditions. */
static exact_status find_modes(const exact_toy *toy, exact_state *s)
{
  int closed[EXACT_CONTACTS];
  int found = 0;
  piece first;
  for (int i = 0; i < EXACT_CONTACTS; i++) {
    closed[i] = rest_on(toy, i, s);
  }
  for (int code = 0; code < 1 << (2 * EXACT_CONTACTS); code++) {
    exact_mode mode[EXACT_CONTACTS];
    int possible = 1;
    for (int i = 0; i < EXACT_CONTACTS; i++) {
      mode[i] = (exact_mode)(code >> 2 * i & 3);
      const long double slip = exact_toy_speed(toy, i, 1, s->u);
      possible = possible && (closed[i] || mode[i] == EXACT_OPEN) &&
                 (mode[i] != EXACT_STICK || fabsl(slip) <= toy->zero_speed);
    }
    piece p;
    if (!possible || !make_piece(toy, mode, s->q, s->u, &p) || !piece_fits(toy, &p)) {
      continue;
    }
    if (found == 0) {
      first = p;
      memcpy(s->mode, mode, sizeof mode);
      found = 1;
    } else if (!same_motion(toy, &first, &p)) {
      return EXACT_AMBIGUOUS;
    }
  }
  stop_slip(toy, s);
  return found ? EXACT_EVENT : EXACT_NONE;
}

/* Newton's law on every closed contact at once (eq. 33 with Δt = 0), where one of them approaches. */
static exact_status resolve_impact(const exact_toy *toy, exact_state *s, exact_event *event)
{
  exact_contacts problem;
  exact_mode mode[EXACT_CLOSED_MOST];
  long double Lambda[EXACT_ROWS];
  int index[EXACT_CLOSED_MOST] = {0};
  int approaching = 0;
  problem.k = 0;
  for (int i = 0; i < EXACT_CONTACTS; i++) {
    if (exact_toy_is_closed(toy, i, s->q)) {
      if (problem.k == EXACT_CLOSED_MOST) {
        return EXACT_NONE;
      }
      index[problem.k++] = i;
      approaching = approaching || exact_toy_speed(toy, i, 0, s->u) < -toy->zero_speed;
    }
  }
  if (!approaching) {
    return EXACT_EVENT;
  }
  exact_toy_impact(toy, index, s->u, &problem);
  const int count = exact_modes_impact(&problem, toy->zero_speed, mode, Lambda);
  if (count != 1) {
    return count == 0 ? EXACT_NONE : EXACT_AMBIGUOUS;
  }
  exact_toy_kick(toy, index, problem.k, Lambda, s->u);
  for (int i = 0; i < 2 * problem.k; i++) {
    event->impulse[index[i / 2]][i % 2] = Lambda[i];
  }
  return EXACT_EVENT;
}

static exact_status settle(const exact_toy *toy, exact_state *s, exact_event *event)
{
  const exact_status status = resolve_impact(toy, s, event);
  return status == EXACT_EVENT ? find_modes(toy, s) : status;
}

exact_status exact_woodpecker_settle(const exact_woodpecker *model, exact_state *s)
{
  exact_toy toy;
  exact_event event;
  exact_toy_make(model, &toy);
  return settle(&toy, s, &event);
}

exact_status exact_woodpecker_begin(const exact_woodpecker *model, exact_state *s)
{
  memset(s, 0, sizeof *s);
  s->q[1] = ((long double)model->r_O - model->r_M) / model->h_M;
  s->q[2] = -0.2788;
  s->u[0] = -0.3411;
  s->u[2] = -7.4583;
  return exact_woodpecker_settle(model, s);
}

exact_status exact_woodpecker_flow(const exact_woodpecker *model, const exact_state *s, exact_flow *flow,
                                   exact_watch force[EXACT_CONTACTS][2])
{
  exact_toy toy;
  piece p;
  exact_toy_make(model, &toy);
  if (!make_piece(&toy, s->mode, s->q, s->u, &p)) {
    return EXACT_NONE;
  }
  *flow = p.flow;
  memcpy(force, p.force, sizeof p.force);
  return EXACT_EVENT;
}

/* The first guard to fall within `span`; −1 where none does. All are searched in one window of time before
 * the next, longer one, so that no search runs far beyond the event. */
static int first_guard(const exact_toy *toy, const piece *p, long double span, long double caution,
                       long double *when)
{
  long double from[GUARDS_MOST];
  for (int i = 0; i < p->count; i++) {
    const guard *g = &p->guards[i];
    long double value;
    const int k = exact_watch_leading(&p->flow, &g->watch, g->zero, toy->rate, &value);
    from[i] = k > 0 ? exact_watch_departure(&p->flow, &g->watch, k, value) : k < 0 ? span : 0.0L;
  }
  int first = -1;
  for (long double window = 8.0L / toy->rate; first < 0; window *= 2.0L) {
    *when = fminl(window, span);
    for (int i = 0; i < p->count; i++) {
      long double root;
      if (exact_first_root(&p->flow, &p->guards[i].watch, from[i], *when, caution, &root)) {
        *when = root;
        first = i;
      }
      from[i] = fmaxl(from[i], *when);
    }
    if (*when == span) {
      break;
    }
  }
  return first;
}

static exact_kind kind_of(const exact_mode *before, const exact_mode *after, int i)
{
  if (before[i] == EXACT_OPEN) {
    return EXACT_IMPACT;
  }
  if (after[i] == EXACT_OPEN) {
    return EXACT_DETACH;
  }
  if (after[i] == EXACT_STICK) {
    return EXACT_STOP;
  }
  return before[i] == EXACT_STICK ? EXACT_START : EXACT_REVERSE;
}

exact_status exact_woodpecker_next_cautiously(const exact_woodpecker *model, long double t_end,
                                              long double caution, exact_state *s, exact_event *event)
{
  exact_toy toy;
  piece p;
  exact_event e = {.t = 0.0L};
  long double span;
  exact_toy_make(model, &toy);
  if (!make_piece(&toy, s->mode, s->q, s->u, &p)) {
    return EXACT_NONE;
  }
  const int first = first_guard(&toy, &p, t_end - s->t, caution, &span);
  exact_flow_at(&p.flow, span, s->q, s->u);
  s->t += span;
  if (first < 0) {
    return EXACT_END;
  }
  e.t = s->t;
  e.contact = p.guards[first].contact;
  memcpy(e.before, s->mode, sizeof e.before);
  memcpy(e.q, s->q, sizeof e.q);
  memcpy(e.u_before, s->u, sizeof e.u_before);
  const exact_status status = settle(&toy, s, &e);
  if (status != EXACT_EVENT) {
    return status;
  }
  memcpy(e.after, s->mode, sizeof e.after);
  memcpy(e.u_after, s->u, sizeof e.u_after);
  e.kind = kind_of(e.before, e.after, e.contact);
  if (event) {
    *event = e;
  }
  return EXACT_EVENT;
}

exact_status exact_woodpecker_next(const exact_woodpecker *model, long double t_end, exact_state *s,
                                   exact_event *event)
{
  return exact_woodpecker_next_cautiously(model, t_end, 1.0L, s, event);
}

const char *exact_kind_name(exact_kind kind)
{
  static const char *const names[] = {"impact", "slip-stick", "stick-slip", "detachment", "reversal"};
  return names[kind];
}
