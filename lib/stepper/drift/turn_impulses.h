/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* With projection, impulses along a curved path.
 *
 * Where contacts are taken before the middle of a step, θ > ½, an impulse along W there that leads from a
 * velocity along the surface to one along it at the end does work, since uᵀ w is zero before it and θ κ Δt
 * after it: a bead on a ring would go faster and faster. Half of such an impulse belongs to the beginning of
 * the path and half to its end: it acts along w̄ = w + (θ − ½)/θ (wᴱ − w), as in the middle of the step. So λ
 * (w̄ − w) is added, of constraints and slots, which hold on both sides, with the λ that the path asks for, G
 * λ + b = 0; what holds forces is left to where forces act. What presses on one side has no such work
 * (drift/keep_closed.h). What is left of the work is of third order, and where it is a gain, it is taken
 * back. */
#ifndef NSD_STEPPER_DRIFT_TURN_IMPULSES_H
#define NSD_STEPPER_DRIFT_TURN_IMPULSES_H

#include "stepper/object.h"

typedef struct nsd_turn {
  const nsd_scene *there; /* at the step's end: wᴱ */
  const double *lambda;   /* of its rows: λ, zero where nothing holds on both sides */
  const nsd_inertia *inertia;
  const double *q; /* and where the two are */
  double *sum;     /* nu: room */
  double *work;    /* nu: room */
} nsd_turn;

/* (θ − ½)/θ */
static inline double nsd_turn_part(const nsdyn_stepper *s)
{
  return (s->theta - 0.5) / s->theta;
}

/* `bent` of the projection := λ, in rows that hold on both sides; 0 where nothing has been bent, or where the
 * rows contradict each other. Returns whether there is any. */
int nsd_turn_find(nsdyn_stepper *s);

/* u_next := u_next + M⁻¹ Σ part λ (wᴱ − w). */
nsdyn_status nsd_turn_impulses(nsdyn_stepper *s, const nsd_turn *turn, double part);

/* The work of that, ½ (u + u_next)ᵀ of it, to the correction's; returns it. */
double nsd_turn_add_work(nsdyn_stepper *s, const nsd_turn *turn, double part, const double *u);

/* Where constraints and slots do not move, and have done the work `more` > 0 in turning and projecting beside
 * what they did in the step itself: which part is to be turned as well, so that they take back what they
 * gave, and half as much, since the rest is of higher order. 0: they gave nothing, or it would not help. */
double nsd_turn_more(nsdyn_stepper *s, const nsd_turn *turn, double more);

#endif
