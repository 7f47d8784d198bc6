/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* exact.h, the motion: phases, from event to event. */
#include <stdio.h>

#include "exact_inner.h"

typedef struct phase {
  const exact *e;
  const unsigned char *mode;
  unsigned char armed[EXACT_ROWS];
  exact_real size[2 * EXACT_MOST + 1]; /* of q, v, t */
} phase;

static void pack(const exact *e, const exact_node *x, exact_real *y)
{
  for (int j = 0; j < e->n; j++) {
    y[j] = x->q[j];
    y[e->n + j] = x->v[j];
  }
  y[2 * e->n] = x->t;
}

static void unpack(const exact *e, const exact_real *y, exact_node *x)
{
  for (int j = 0; j < e->n; j++) {
    x->q[j] = y[j];
    x->v[j] = y[e->n + j];
  }
  x->t = y[2 * e->n];
}

static void rate(const void *data, const exact_real *y, exact_real *f)
{
  const phase *p = data;
  const int n = p->e->n;
  exact_real lambda[EXACT_CONTACTS][2];
  for (int j = 0; j < n; j++) {
    f[j] = y[n + j];
  }
  if (!exact_accelerate(p->e, y[2 * n], y, y + n, p->mode, f + n, lambda)) {
    f[n] = (exact_real)NAN;
  }
  f[2 * n] = 1.0L;
}

/* Positive while the modes last: of each contact that of its gap or normal force, that of its friction. */
static void guards(const phase *p, const exact_real *y, exact_real *value)
{
  const exact *e = p->e;
  const exact_real *q = y, *v = y + e->n, t = y[2 * e->n];
  exact_real lambda[EXACT_CONTACTS][2], a[EXACT_MOST], size = e->load;
  exact_accelerate(e, t, q, v, p->mode, a, lambda);
  for (int i = 0; i < e->contacts; i++) {
    const exact_law *law = &e->law[i];
    exact_touch w;
    exact_touch_at(e, t, q, i, &w);
    const exact_real slide = exact_dot(e->n, w.w[1], v) + w.hat[1];
    value[2 * i] = p->mode[i] == EXACT_OPEN ? w.gap / e->length : law->slot ? 1.0L : lambda[i][0] / size;
    value[2 * i + 1] = 1.0L;
    if (p->mode[i] == EXACT_STICK) {
      const exact_real most =
          law->friction == NSDYN_FRICTION_BOUND ? law->bound : exact_mu(e, i, 1, 0.0L) * fabsl(lambda[i][0]);
      value[2 * i + 1] = (most - fabsl(lambda[i][1])) / size;
    } else if (p->mode[i] >= EXACT_PLUS) {
      value[2 * i + 1] = (p->mode[i] == EXACT_PLUS ? slide : -slide) / e->speed;
    }
  }
}

/* The least of the armed guards. */
static exact_real first_of(const phase *p, const exact_real *value, int *which)
{
  exact_real least = 1.0L;
  *which = -1;
  for (int k = 0; k < 2 * p->e->contacts; k++) {
    if (p->armed[k] && value[k] < least) {
      least = value[k];
      *which = k;
    }
  }
  return least;
}

/* The equations of motion within a phase. Steps are of the lowest order that is far more accurate than what
 * is judged: the least that is allowed there is 1e-11 of the sizes. */
static exact_ode motion_of(const phase *p)
{
  return (exact_ode){2 * p->e->n + 1, rate, NULL, p, p->size, p->e->rough ? 1e-9L : 1e-15L};
}

static phase phase_of(const exact *e, const unsigned char *mode)
{
  phase p = {.e = e, .mode = mode};
  for (int j = 0; j < e->n; j++) {
    p.size[j] = e->is_angle[j] ? 1.0L : e->length;
    p.size[e->n + j] = e->is_angle[j] ? e->speed / e->length : e->speed;
  }
  p.size[2 * e->n] = e->time;
  return p;
}

/* Guards are known to this: gaps to rounding, as they are zero where the next phase begins; forces not as
 * well, as biases are differenced. */
static exact_real floor_of(const phase *p, int k)
{
  return k % 2 == 0 && p->mode[k / 2] == EXACT_OPEN ? 1e-18L : 1e-16L;
}

/* Where in a step the lowest of the open gaps turns that fall at its beginning and rise at its end, as a
 * share of the step; 1: none does. The gap is taken for the cubic through both ends: a hit that is over
 * within the step shows at neither. */
static exact_real turn_within(const phase *p, const exact_real *from, const exact_real *to, exact_real h)
{
  const exact *e = p->e;
  exact_real lowest = INFINITY, at = 1.0L;
  for (int i = 0; i < e->contacts; i++) {
    exact_touch w[2];
    if (p->mode[i] != EXACT_OPEN) {
      continue;
    }
    exact_touch_at(e, from[2 * e->n], from, i, &w[0]);
    const exact_real falls = h * (exact_dot(e->n, w[0].w[0], from + e->n) + w[0].hat[0]);
    if (!(falls < 0.0L)) {
      continue;
    }
    exact_touch_at(e, to[2 * e->n], to, i, &w[1]);
    const exact_real rises = h * (exact_dot(e->n, w[1].w[0], to + e->n) + w[1].hat[0]),
                     all = w[1].gap - w[0].gap;
    if (!(rises > 0.0L)) {
      continue;
    }
    exact_real low = 0.0L, high = 1.0L;
    for (int k = 0; k < 50;
         k++) { /* its slope, falls (1 − s)(1 − 3 s) + rises s (3 s − 2) + 6 all s (1 − s) */
      const exact_real s = 0.5L * (low + high), slope = falls * (1.0L - s) * (1.0L - 3.0L * s) +
                                                        rises * s * (3.0L * s - 2.0L) +
                                                        6.0L * all * s * (1.0L - s);
      *(slope < 0.0L ? &low : &high) = s;
    }
    const exact_real s = low, r = 1.0L - s,
                     gap = w[0].gap * r * r * (1.0L + 2.0L * s) + falls * s * r * r +
                           w[1].gap * s * s * (3.0L - 2.0L * s) - rises * s * s * r;
    if (gap < lowest) {
      lowest = gap;
      at = s;
    }
  }
  return at;
}

/* Guards a moment later, over h: their slopes over the step. */
static void slopes_of(const phase *p, const exact_real *y, const exact_real *value, exact_real h,
                      exact_real *slope)
{
  const exact_real share = 1e-6L;
  exact_real f[2 * EXACT_MOST + 1], there[2 * EXACT_MOST + 1];
  rate(p, y, f);
  for (int j = 0; j <= 2 * p->e->n; j++) {
    there[j] = y[j] + share * h * f[j];
  }
  guards(p, there, slope);
  for (int k = 0; k < 2 * p->e->contacts; k++) {
    slope[k] = (slope[k] - value[k]) / share;
  }
}

/* The same of forces and of the limits of what sticks: where in a step one of them is lowest that falls at
 * its beginning and rises at its end, and comes near zero, or below. A limit that is passed for a moment only
 * shows at neither end. */
static exact_real dip_within(const phase *p, const exact_real *from, const exact_real *before,
                             const exact_real *to, const exact_real *after, exact_real h)
{
  exact_real falls[EXACT_ROWS], rises[EXACT_ROWS], at = 1.0L;
  slopes_of(p, from, before, h, falls);
  slopes_of(p, to, after, h, rises);
  for (int k = 0; k < 2 * p->e->contacts; k++) {
    const int is_gap = k % 2 == 0 && p->mode[k / 2] == EXACT_OPEN;
    if (is_gap || !p->armed[k] || !(falls[k] < 0.0L && rises[k] > 0.0L && after[k] > 0.0L)) {
      continue;
    }
    const exact_real all = after[k] - before[k];
    exact_real low = 0.0L, high = 1.0L;
    for (int i = 0; i < 50; i++) {
      const exact_real s = 0.5L * (low + high), slope = falls[k] * (1.0L - s) * (1.0L - 3.0L * s) +
                                                        rises[k] * s * (3.0L * s - 2.0L) +
                                                        6.0L * all * s * (1.0L - s);
      *(slope < 0.0L ? &low : &high) = s;
    }
    const exact_real s = low, r = 1.0L - s,
                     least = before[k] * r * r * (1.0L + 2.0L * s) + falls[k] * s * r * r +
                             after[k] * s * s * (3.0L - 2.0L * s) - rises[k] * s * s * r;
    if (least < 0.1L * fminl(before[k], after[k])) {
      at = fminl(at, s);
    }
  }
  return at;
}

/* One step from the guards `value`, which become those of its end; where a guard falls below zero, to that
 * moment (Illinois' rule, from the last state at which all guards were positive). A step in which a gap turns
 * ends there. */
static void step_to(const phase *p, exact_real h, exact_real *y, exact_real *value, int *which)
{
  const exact_ode ode = motion_of(p);
  exact_real from[2 * EXACT_MOST + 1], low = 0.0L, high = h, f_low, f_high, f;
  int kept = 0;
  memcpy(from, y, sizeof from);
  f_low = first_of(p, value, which);
  exact_ode_step(&ode, h, y);
  exact_real ends[EXACT_ROWS];
  guards(p, y, ends);
  const exact_real turns = fminl(turn_within(p, from, y, h), dip_within(p, from, value, y, ends, h));
  if (turns > 1e-3L && turns < 1.0L) {
    high = h *= turns;
    memcpy(y, from, sizeof from);
    exact_ode_step(&ode, h, y);
  }
  guards(p, y, value);
  f_high = f = first_of(p, value, which);
  if (!(f_high <= 0.0L)) {
    *which = -1;
    return;
  }
  for (int k = 0; k < 80 && fabsl(f) > floor_of(p, *which); k++) {
    exact_real middle = k < 20 ? low + (high - low) * f_low / (f_low - f_high) : 0.5L * (low + high);
    if (!(middle > low && middle < high)) {
      middle = 0.5L * (low + high);
    }
    if (!(middle > low && middle < high)) {
      break;
    }
    memcpy(y, from, sizeof from);
    exact_ode_step(&ode, middle - low, y);
    guards(p, y, value);
    f = first_of(p, value, which);
    if (f > 0.0L) {
      memcpy(from, y, sizeof from);
      low = middle;
      f_low = f;
      f_high *= kept > 0 ? 0.5L : 1.0L; /* an end that is kept twice in a row */
      kept = 1;
    } else {
      high = middle;
      f_high = f;
      f_low *= kept < 0 ? 0.5L : 1.0L;
      kept = -1;
    }
  }
}

static void record(exact *e, const exact_node *x)
{
  if (e->nodes >= EXACT_NODES) {
    return;
  }
  exact_node *to = &e->node[e->nodes++];
  *to = *x;
  for (int i = 0; i < e->contacts; i++) {
    exact_touch w;
    to->touches[i] = 0;
    if (x->jump) {
      exact_touch_at(e, x->t, x->q, i, &w);
      to->touches[i] = fabsl(w.gap) <= 1e-12L * e->length;
    }
  }
}

/* What guard `k` means. NULL: it goes on. */
static const char *turn(exact *e, exact_node *x, int k)
{
  const int i = k / 2;
  exact_real a[EXACT_MOST], lambda[EXACT_CONTACTS][2];
  if (k % 2 == 0 && x->mode[i] == EXACT_OPEN) {
    if (exact_gamma(e, x->t, x->q, x->v, i, 0) > -1e-10L * e->speed) {
      return exact_choose(e, x, -1, 0);
    }
    const char *why = exact_hit(e, x);
    x->jump = 1;
    return why ? why : exact_choose(e, x, -1, 0);
  }
  if (k % 2 == 0) {
    return exact_choose(e, x, i, EXACT_OPEN);
  }
  if (x->mode[i] == EXACT_STICK) {
    exact_accelerate(e, x->t, x->q, x->v, x->mode, a, lambda);
    return exact_choose(e, x, i, lambda[i][1] > 0.0L ? EXACT_MINUS : EXACT_PLUS);
  }
  return exact_choose(e, x, -1, 0);
}

/* No mode may have gone bad unseen. */
static int is_bad(const phase *p, const exact_real *y, const exact_real *value)
{
  if (!isfinite(y[0])) {
    return 1;
  }
  for (int k = 0; k < 2 * p->e->contacts; k++) {
    const int is_gap = k % 2 == 0 && p->mode[k / 2] == EXACT_OPEN;
    if (!(value[k] > (is_gap ? -2e-18L : -1e-11L))) {
      return 1;
    }
  }
  return 0;
}

void exact_run_from(exact *e, const exact_node *begin, exact_real span)
{
  exact_node x = *begin;
  exact_real longest = e->step > 0.0L ? e->step : e->time / 5.0L, step = 0.0L;
  e->nodes = 0;
  e->why = exact_choose(e, &x, -1, 0);
  phase p = phase_of(e, x.mode);
  while (!e->why && x.t < span && e->nodes < EXACT_NODES) {
    exact_real y[2 * EXACT_MOST + 1], value[EXACT_ROWS];
    int which;
    pack(e, &x, y);
    guards(&p, y, value);
    for (int k = 0; k < 2 * e->contacts; k++) {
      p.armed[k] = value[k] > floor_of(&p, k); /* what rounding alone has opened waits for the next step */
    }
    step = step > 0.0L ? fminl(longest, 4.0L * step) : longest / (e->rough ? 16.0L : 1024.0L);
    record(e, &x);
    step_to(&p, step, y, value, &which);
    if (is_bad(&p, y, value) && step > 1e-13L * longest) {
      step /= 64.0L; /* a hop within the first step, say */
      e->nodes--;
      continue;
    }
    if (is_bad(&p, y, value)) {
      e->why = "modes gone bad";
      break;
    }
    unpack(e, y, &x);
    memcpy(x.v_before, x.v, sizeof x.v);
    x.jump = 0;
    exact_project(e, &x);
    if (which >= 0) {
      e->why = turn(e, &x, which);
      step = 0.0L;
    }
  }
  if (e->nodes >= EXACT_NODES) {
    e->why = "too long";
  }
  e->known = e->why ? x.t : span;
}

static void run_once(exact *e, const exact_real *q, const exact_real *v, exact_real span)
{
  exact_node x;
  memset(&x, 0, sizeof x);
  memcpy(x.q, q, sizeof *q * (size_t)e->n);
  memcpy(x.v, v, sizeof *v * (size_t)e->n);
  exact_run_from(e, &x, span);
}

/* Hermite's cubic from node x to the next. */
static void interpolate(const exact *e, const exact_node *x, exact_real t, exact_real *q, exact_real *v)
{
  const exact_real h = x[1].t - x->t, s = (t - x->t) / h;
  for (int j = 0; j < e->n; j++) {
    const exact_real rise = x[1].q[j] - x->q[j], a = h * x->v[j] - rise, b = rise - h * x[1].v_before[j];
    q[j] = x->q[j] + s * (rise + (1.0L - s) * (a * (1.0L - s) + b * s));
    v[j] = (rise + (1.0L - 2.0L * s) * (a * (1.0L - s) + b * s) + s * (1.0L - s) * (b - a)) / h;
  }
}

int exact_at(const exact *e, exact_real t, double slack, exact_real *q, exact_real *v, int *clear)
{
  int k = 0;
  exact_node x;
  exact_real y[2 * EXACT_MOST + 1];
  *clear = 1;
  for (int i = 0; i < e->nodes; i++) {
    k = e->node[i].t <= t ? i : k;
    *clear &= !e->node[i].jump || fabsl(t - e->node[i].t) > (exact_real)slack;
  }
  if (e->nodes == 0 || !(t <= e->known + 1e-9L * e->time)) {
    return 0;
  }
  if (slack > 1e-4 * (double)e->time && k + 1 < e->nodes) {
    interpolate(e, &e->node[k], t, q, v);
    return 1;
  }
  const phase p = phase_of(e, e->node[k].mode);
  const exact_ode ode = motion_of(&p);
  pack(e, &e->node[k], y);
  exact_ode_step(&ode, t - e->node[k].t, y);
  unpack(e, y, &x);
  memcpy(q, x.q, sizeof *q * (size_t)e->n);
  memcpy(v, x.v, sizeof *v * (size_t)e->n);
  return 1;
}

/* From hit to hit a low hop is a parabola that begins with γ and lasts D: it rises by γ D/4. */
exact_real exact_hop(const exact *e, exact_real t)
{
  exact_real lowest = INFINITY;
  for (int i = 0; i < e->contacts; i++) {
    const exact_node *from = NULL, *to = NULL;
    for (int k = 0; k < e->nodes && !to; k++) {
      const exact_node *x = &e->node[k];
      if (x->jump && x->touches[i]) {
        *(x->t <= t ? &from : &to) = x;
      }
    }
    if (from && to && from->mode[i] == EXACT_OPEN) {
      const exact_real gamma = exact_gamma(e, from->t, from->q, from->v, i, 0);
      lowest = fminl(lowest, 0.25L * fabsl(gamma) * (to->t - from->t));
    }
  }
  return lowest;
}

/* Twice; where half the step says something else, the motion is not known. */
void exact_run(exact *e, const exact_real *q, const exact_real *v, exact_real span)
{
  enum { LOOKS = 50 };
  exact_real seen[LOOKS + 1][EXACT_MOST], v_now[EXACT_MOST];
  const exact_real step = e->step > 0.0L ? e->step : e->time / 5.0L;
  int known[LOOKS + 1], clear;
  e->step = step / 2.0L;
  if (!exact_drifts_well(e, 0.0L, q, v)) {
    fprintf(stderr, "zoo: the drift of a machine is not that of its contacts\n");
    abort();
  }
  run_once(e, q, v, span);
  for (int k = 1; k <= LOOKS; k++) {
    known[k] = exact_at(e, span * (exact_real)k / LOOKS, 0.0, seen[k], v_now, &clear);
  }
  e->step = step;
  run_once(e, q, v, span);
  for (int k = 1; k <= LOOKS; k++) {
    const exact_real t = span * (exact_real)k / LOOKS;
    exact_real now[EXACT_MOST], off = 0.0L;
    if (!exact_at(e, t, 0.0, now, v_now, &clear)) {
      break;
    }
    for (int j = 0; j < e->n && known[k]; j++) {
      off = fmaxl(off, fabsl(now[j] - seen[k][j]) / (e->is_angle[j] ? 1.0L : e->length));
    }
    if (!known[k] || !(off <= 3e-11L)) {
      e->known = t - span / LOOKS;
      e->why = "half the step says something else";
      break;
    }
  }
  exact_tell(e, span);
}
