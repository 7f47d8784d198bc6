/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "contact/space/enumerate/contact_modes.h"

#include "base/sin_cos.h"
#include "contact/space/friction.h"

enum kind { SMOOTH, KNOWN, BY_LOAD, GIVEN };

static enum kind kind_of(const nsd_contact_spec *s)
{
  if (s->friction == NSD_FRICTION_NONE || !(s->mu + s->bound > 0.0)) {
    return SMOOTH;
  }
  return s->sliding ? KNOWN : s->friction == NSD_FRICTION_LOAD ? BY_LOAD : GIVEN;
}

static int is_slot(const nsd_contact_spec *s)
{
  return s->kind == NSDYN_CONTACT_BILATERAL;
}

/* Ways to slip in one normal state: directions of the plane, corners and sides, a disk's one. */
static int slips_of(const nsd_contact_spec *s)
{
  return !s->space ? 2 : s->space->sides > 0 ? 2 * s->space->sides : 1;
}

static int is_disk(const nsd_contact_spec *s)
{
  return s->space && s->space->sides == 0;
}

int nsd_modes_of(const nsd_contact_spec *s)
{
  const int slips = slips_of(s), sides = is_slot(s) ? 2 : 1;
  if (s->friction == NSD_FRICTION_STORED) {
    return 0;
  }
  switch (kind_of(s)) {
  case SMOOTH:
    return is_slot(s) ? 1 : 2;
  case KNOWN:
    return is_slot(s) && s->friction == NSD_FRICTION_GIVEN ? 1 : 2;
  case BY_LOAD:
    return (is_slot(s) ? 0 : 1) + 1 + (is_disk(s) ? 1 : sides * slips);
  default:
    return (is_slot(s) ? 1 : 2) * (1 + slips);
  }
}

void nsd_mode_axes(const nsd_contact_spec *s, double *A)
{
  const nsd_contact_space *c = s->space;
  A[0] = c->axis[0];
  A[1] = -c->axis[1] * c->aspect;
  A[2] = c->axis[1];
  A[3] = c->axis[0] * c->aspect;
}

static void ask_velocity(nsd_mode *m, double w_N, double w_1, double w_2)
{
  double *w = m->w[m->velocities++];
  w[0] = w_N;
  w[1] = w_1;
  w[2] = w_2;
}

/* One more unknown, Λ += b y, with the equation c·ξ = 0. */
static void add_unknown(nsd_mode *m, const double *b, const double *c)
{
  for (int i = 0; i < 3; i++) {
    m->B[m->unknowns][i] = b[i];
    m->C[m->unknowns][i] = c[i];
  }
  m->unknowns++;
}

static const double normal[3] = {1.0, 0.0, 0.0};

/* Λ_N = y, ξ_N = 0. */
static void press(const nsd_contact_spec *s, nsd_mode *m)
{
  m->positive |= is_slot(s) ? 0 : 1 << m->unknowns;
  add_unknown(m, normal, normal);
}

static void stay_open(nsd_mode *m)
{
  ask_velocity(m, 1.0, 0.0, 0.0);
}

/* ξ_T = 0. */
static void hold(const nsd_contact_spec *s, nsd_mode *m)
{
  for (int t = 1; t <= (s->space ? 2 : 1); t++) {
    const double e[3] = {0.0, t == 1 ? 1.0 : 0.0, t == 2 ? 1.0 : 0.0};
    add_unknown(m, e, e);
  }
  m->is_held = 1;
}

/* Λ_T = −ξ_T/s in the axes in which C is a disk. */
static void slide(const nsd_contact_spec *s, nsd_mode *m)
{
  double A[4];
  nsd_mode_axes(s, A);
  for (int t = 0; t < 2; t++) {
    const double e[3] = {0.0, A[t], A[2 + t]};
    add_unknown(m, e, e);
  }
  m->slides = 1;
}

/* A v: where a point on the circle of radius 1 is. */
static void place(const double *A, const double *v, double *at)
{
  at[0] = A[0] * v[0] + A[1] * v[1];
  at[1] = A[2] * v[0] + A[3] * v[1];
}

/* Slip in direction or onto corner or side `which` of its kind; friction is by the load, side |Λ_N| = y, or
 * given.
 */
static void slip(const nsd_contact_spec *s, double side, int which, nsd_mode *m)
{
  const int by_load = s->friction == NSD_FRICTION_LOAD;
  const double limit = by_load ? s->mu : s->bound;
  double v[2] = {0.0, 0.0}, end[2] = {0.0, 0.0};
  if (!s->space) {
    /* Λ_T against ξ_T */
    const double sign = which == 0 ? 1.0 : -1.0;
    v[0] = -sign * limit;
    ask_velocity(m, 0.0, sign, 0.0);
  } else {
    const int sides = s->space->sides, j = which / 2;
    double A[4], unit[2], back[2], on[2];
    nsd_mode_axes(s, A);
    nsd_sin_cos_of_turn(j, sides, unit);
    place(A, unit, v);
    nsd_sin_cos_of_turn((j + sides - 1) % sides, sides, unit);
    place(A, unit, back);
    nsd_sin_cos_of_turn((j + 1) % sides, sides, unit);
    place(A, unit, on);
    const double t[2] = {on[0] - v[0], on[1] - v[1]};
    if (which % 2 == 0) {
      /* At a corner −ξ_T points no more along the sides than to it. */
      ask_velocity(m, 0.0, back[0] - v[0], back[1] - v[1]);
      ask_velocity(m, 0.0, t[0], t[1]);
    } else {
      /* On a side it points out. */
      ask_velocity(m, 0.0, -t[1], t[0]);
      end[0] = limit * on[0];
      end[1] = limit * on[1];
    }
    v[0] *= limit;
    v[1] *= limit;
  }
  const int on_side = s->space && which % 2 == 1;
  const double across[3] = {0.0, end[0] - v[0], end[1] - v[1]};
  if (by_load) {
    const double first[3] = {side, v[0], v[1]}, last[3] = {side, end[0], end[1]};
    m->positive |= on_side ? 3 : 1;
    add_unknown(m, first, normal);
    if (on_side) {
      add_unknown(m, last, across);
    }
    return;
  }
  m->o[1] = v[0];
  m->o[2] = v[1];
  if (on_side) {
    m->positive |= 1 << m->unknowns;
    m->is_share = 1;
    add_unknown(m, across, across);
  }
}

/* Λ_T = −(μ |Λ_N| + bound) p along a known direction. */
static void follow(const nsd_contact_spec *s, int index, nsd_mode *m)
{
  const double unit[2] = {s->sliding, 0.0};
  double p[2] = {0.0, 0.0};
  s->space ? nsd_friction_drag(s, 1.0, p) : nsd_friction_support(s, 1.0, unit, p);
  m->o[1] = -s->bound * p[0];
  m->o[2] = -s->bound * p[1];
  if (index == 0 && !is_slot(s)) {
    stay_open(m);
    return;
  }
  if (s->friction == NSD_FRICTION_GIVEN) {
    press(s, m);
    return;
  }
  const double side = is_slot(s) && index == 1 ? -1.0 : 1.0;
  const double b[3] = {side, -s->mu * p[0], -s->mu * p[1]};
  m->positive = 1;
  add_unknown(m, b, normal);
}

void nsd_mode_at(const nsd_contact_spec *s, int index, nsd_mode *mode)
{
  *mode = (nsd_mode){.unknowns = 0};
  const enum kind kind = kind_of(s);
  const int can_open = !is_slot(s), slips = slips_of(s);
  if (kind == KNOWN) {
    follow(s, index, mode);
  } else if (kind == GIVEN) {
    /* 1 + slips with Λ_N = 0, and as many with ξ_N = 0. */
    if (can_open && index <= slips) {
      stay_open(mode);
    } else {
      press(s, mode);
    }
    const int way = index % (1 + slips);
    if (way == 0) {
      hold(s, mode);
    } else if (is_disk(s)) {
      slide(s, mode);
    } else {
      slip(s, 1.0, way - 1, mode);
    }
  } else if (can_open && index == 0) {
    stay_open(mode);
  } else if (kind == SMOOTH) {
    press(s, mode);
  } else if (index == can_open) {
    /* Λ_N >= 0 follows of ‖Λ_T‖ <= μ Λ_N. */
    add_unknown(mode, normal, normal);
    hold(s, mode);
  } else if (is_disk(s)) {
    press(s, mode);
    slide(s, mode);
  } else {
    const int way = index - can_open - 1;
    slip(s, way < slips ? 1.0 : -1.0, way % slips, mode);
  }
}
