/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The woodpecker's limit cycle: a fixed point of the map ω_S → ω_S from one beginning slip of the lower edge
 * to the next. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "exact_woodpecker.h"

enum { lower = 1, events_most = 200, secant_most = 60 };

static int is_section(const exact_event *e)
{
  return e->contact == lower && e->kind == EXACT_START;
}

/* To the next beginning slip of the lower edge. */
static exact_status to_section(const exact_woodpecker *model, exact_state *s)
{
  for (int i = 0; i < events_most; i++) {
    exact_event e;
    const exact_status status = exact_woodpecker_next(model, s->t + 10.0L, s, &e);
    if (status != EXACT_EVENT) {
      return status == EXACT_END ? EXACT_NO_CYCLE : status;
    }
    if (is_section(&e)) {
      return EXACT_EVENT;
    }
  }
  return EXACT_NO_CYCLE;
}

/* P(ω) − ω on the section of which `at` is a point. */
static exact_status defect(const exact_woodpecker *model, const exact_state *at, long double omega,
                           long double *value)
{
  exact_state s = *at;
  s.u[2] = omega;
  const exact_status status = to_section(model, &s);
  *value = s.u[2] - omega;
  return status;
}

static exact_status secant(const exact_woodpecker *model, const exact_state *at, long double *omega)
{
  long double x = *omega;
  long double y = x * (1.0L + 1e-4L);
  long double fx;
  long double fy;
  exact_status status = defect(model, at, x, &fx);
  if (status == EXACT_EVENT) {
    status = defect(model, at, y, &fy);
  }
  for (int i = 0; i < secant_most && status == EXACT_EVENT; i++) {
    const long double step = fx == fy ? 0.0L : -fy * (y - x) / (fy - fx);
    if (fabsl(step) <= 4.0L * LDBL_EPSILON * fabsl(y)) {
      *omega = y + step;
      return EXACT_EVENT;
    }
    x = y;
    fx = fy;
    y += step;
    status = defect(model, at, y, &fy);
  }
  return status == EXACT_EVENT ? EXACT_NO_CYCLE : status;
}

static void include(long double value, long double *least, long double *most)
{
  *least = fminl(*least, value);
  *most = fmaxl(*most, value);
}

static void include_point(exact_cycle *c, const long double *q, const long double *u)
{
  for (int i = 0; i < EXACT_DOF; i++) {
    include(q[i], &c->q_least[i], &c->q_most[i]);
    include(u[i], &c->u_least[i], &c->u_most[i]);
  }
}

/* Both ends, and wherever within a velocity or an acceleration vanishes. */
static exact_status include_piece(const exact_woodpecker *model, const exact_state *from, long double span,
                                  exact_cycle *c)
{
  exact_flow flow;
  exact_watch force[EXACT_CONTACTS][2];
  long double q[EXACT_DOF];
  long double u[EXACT_DOF];
  const exact_status status = exact_woodpecker_flow(model, from, &flow, force);
  for (int i = 0; i < 2 * EXACT_DOF && status == EXACT_EVENT; i++) {
    exact_watch watch = {.order = 1 + i / EXACT_DOF};
    watch.w[i % EXACT_DOF] = 1.0L;
    const long double nudge = 1e-9L * span; /* beyond a root, or an end where it is zero */
    long double t = nudge;
    while (fabsl(exact_watch_value(&flow, &watch, 0, t)) > 1e-12L &&
           exact_first_root(&flow, &watch, t, span, 1.0L, &t)) {
      exact_flow_at(&flow, t, q, u);
      include_point(c, q, u);
      t += nudge;
    }
  }
  include_point(c, from->q, from->u);
  exact_flow_at(&flow, span, q, u);
  include_point(c, q, u);
  return status;
}

/* One period from the section, with its events and extrema. */
static exact_status record(const exact_woodpecker *model, exact_cycle *c)
{
  exact_state s = c->section;
  memcpy(c->q_least, s.q, sizeof s.q);
  memcpy(c->q_most, s.q, sizeof s.q);
  memcpy(c->u_least, s.u, sizeof s.u);
  memcpy(c->u_most, s.u, sizeof s.u);
  for (c->events = 0; c->events < EXACT_EVENTS_MOST;) {
    const exact_state from = s;
    exact_event *e = &c->event[c->events++];
    exact_status status = exact_woodpecker_next(model, s.t + 10.0L, &s, e);
    if (status == EXACT_EVENT) {
      status = include_piece(model, &from, s.t - from.t, c);
    }
    if (status != EXACT_EVENT) {
      return status;
    }
    if (is_section(e)) {
      c->period = s.t;
      c->drop = -s.q[0];
      return EXACT_EVENT;
    }
  }
  return EXACT_NO_CYCLE;
}

exact_status exact_woodpecker_cycle(const exact_woodpecker *model, exact_cycle *c)
{
  exact_state s;
  memset(c, 0, sizeof *c);
  exact_status status = exact_woodpecker_begin(model, &s);
  for (int i = 0; i < 10 && status == EXACT_EVENT; i++) {
    status = to_section(model, &s);
  }
  long double omega = s.u[2];
  if (status == EXACT_EVENT) {
    status = secant(model, &s, &omega);
  }
  if (status != EXACT_EVENT) {
    return status;
  }
  c->section = s;
  c->section.t = 0.0L;
  c->section.q[0] = 0.0L;
  c->section.u[2] = omega;
  const long double h = 1e-5L * omega;
  long double more;
  long double less;
  status = defect(model, &c->section, omega + h, &more);
  if (status == EXACT_EVENT) {
    status = defect(model, &c->section, omega - h, &less);
  }
  if (status != EXACT_EVENT) {
    return status;
  }
  c->multiplier = 1.0L + (more - less) / (2.0L * h);
  return record(model, c);
}
