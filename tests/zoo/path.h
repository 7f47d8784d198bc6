/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* A motion in legs of constant acceleration, from jump to jump: the truth of many a small machine. And the
 * legs of a point that falls on a rough line, hops and slides. */
#ifndef TESTS_ZOO_PATH_H
#define TESTS_ZOO_PATH_H

#include "zoo.h"

enum { PATH_LEGS = 400 };

typedef struct path_leg {
  long double t, x[2], v[2], a[2];
} path_leg;

typedef struct path {
  int legs;
  long double end; /* known up to here */
  path_leg leg[PATH_LEGS];
} path;

static inline void path_state(const path_leg *leg, long double t, long double *x, long double *v)
{
  const long double d = t - leg->t;
  for (int j = 0; j < 2; j++) {
    x[j] = leg->x[j] + d * (leg->v[j] + 0.5L * d * leg->a[j]);
    v[j] = leg->v[j] + d * leg->a[j];
  }
}

/* The next leg begins at t, where the last one has got to; its velocity and acceleration are to be set. */
static inline path_leg *path_next(path *p, long double t)
{
  if (p->legs >= PATH_LEGS) {
    p->legs = PATH_LEGS - 1; /* never in a case that is well made */
    p->end = fminl(p->end, t);
  }
  path_leg *leg = &p->leg[p->legs++];
  const path_leg before = p->legs > 1 ? leg[-1] : (path_leg){0};
  leg->t = t;
  if (p->legs > 1) {
    path_state(&before, t, leg->x, leg->v);
    leg->a[0] = before.a[0];
    leg->a[1] = before.a[1];
  }
  return leg;
}

/* Position, velocity and whether the velocity is known: not within `slack` of a leg's beginning. */
static inline int path_at(const path *p, long double t, double slack, double *x, double *v, int *knows_v)
{
  int k = 0;
  long double xl[2], vl[2];
  *knows_v = 1;
  for (int i = 0; i < p->legs; i++) {
    if (p->leg[i].t <= t) {
      k = i;
    }
    *knows_v &= fabsl(t - p->leg[i].t) > (long double)slack;
  }
  path_state(&p->leg[k], t, xl, vl);
  for (int j = 0; j < 2; j++) {
    x[j] = (double)xl[j];
    v[j] = (double)vl[j];
  }
  return t < p->end;
}

/* The leg at t. */
static inline int path_leg_at(const path *p, long double t)
{
  int k = 0;
  while (k + 1 < p->legs && p->leg[k + 1].t <= t) {
    k++;
  }
  return k;
}

/* How far the motion at t is from what it was at any time since t − late; *knows_v is 0 where velocities have
 * jumped since. */
static inline void path_spread(const path *p, long double t, double late, double *q, double *v, int *knows_v)
{
  const int k = path_leg_at(p, t), before = path_leg_at(p, t - (long double)late);
  *knows_v = k == before;
  for (int j = 0; j < 2; j++) {
    q[j] = v[j] = 0.0;
    for (int i = before; i <= k; i++) {
      const path_leg *leg = &p->leg[i];
      const double a = fabs((double)leg->a[j]), now = (double)(leg->v[j] + (t - leg->t) * leg->a[j]);
      /* v (t − s) = v − a s, and so no more than |v| + |a| late in the time `late` */
      v[j] = fmax(v[j], late * a);
      q[j] = fmax(q[j], late * (fabs(now) + late * a));
    }
  }
}

/* A point that hops along the line x[1] = 0, which moves at V along itself, with gravity (gx, −gy), friction
 * μ and restitution ε; from the last leg on, which flies. Appends legs up to where it stays at rest, slides
 * for ever, or `end`. */
static inline void path_hop(path *p, long double gx, long double gy, long double mu, long double eps,
                            long double V, long double end)
{
  path_leg *leg = &p->leg[p->legs - 1];
  long double hop = 1.0L, first = 0.0L;
  while (leg->t < end && (first == 0.0L || hop > 1e-16L * first)) {
    const long double y = leg->x[1], v = leg->v[1];
    const long double root = sqrtl(v * v + 2.0L * gy * y);
    hop = v > 0.0L || y > 0.0L ? (v + root) / gy : 0.0L;
    first = first > 0.0L ? first : hop;
    leg = path_next(p, leg->t + hop);
    const long double push = (1.0L + eps) * root, slide = leg->v[0] - V;
    leg->x[1] = 0.0L;
    leg->v[1] = eps * root;
    leg->v[0] = V + copysignl(fmaxl(fabsl(slide) - mu * push, 0.0L), slide);
    if (eps == 0.0L) {
      break;
    }
  }
  leg->v[1] = leg->a[1] = leg->x[1] = 0.0L;
  for (int turns = 0; turns < 2; turns++) {
    const long double slide = leg->v[0] - V;
    if (fabsl(slide) <= 1e-17L * (fabsl(V) + fabsl(leg->v[0]))) {
      leg->v[0] = V;
      leg->a[0] = fabsl(gx) <= mu * gy ? 0.0L : gx - copysignl(mu * gy, gx);
      break;
    }
    leg->a[0] = gx - copysignl(mu * gy, slide);
    if (leg->a[0] * slide >= 0.0L) {
      break;
    }
    leg = path_next(p, leg->t - slide / leg->a[0]);
    leg->v[0] = V;
  }
}

#endif
