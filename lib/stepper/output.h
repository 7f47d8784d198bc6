/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The motion on a grid of times, between the ends of steps that were kept: the options `output`, `output_dt`.
 *
 * Over a step of Δt from qᴬ, uᴬ to qᴱ, uᴱ, with s = τ/Δt, where nothing collides
 *
 *   u(τ) = (1 − s) uᴬ + s uᴱ,    q(τ) = qᴬ + τ (uᴬ + u(τ))/2 + s (qᴱ − qᴬ − Δt (uᴬ + uᴱ)/2):
 *
 * exact for constant accelerations, else off by O(Δt³) in q and O(Δt²) in u, which is less than a scheme of
 * second order has gathered by then, and it meets the ends of steps. The last term is what a scheme of first
 * order, or a projection, makes of q beside that; where q̇ = N(q) u it is left out, and the way is gone from
 * the nearer end, so that unit quaternions stay so. In a step in which something collides velocities jump
 * where its contacts were taken: uᴬ before tᴹ, uᴱ from there on. */
#ifndef NSD_STEPPER_OUTPUT_H
#define NSD_STEPPER_OUTPUT_H

#include "stepper/object.h"

#define NSD_OUTPUT_MOST 0x1p40 /* of a run */

/* A step that was kept: its ends. */
typedef struct nsd_output_step {
  double t_begin, t_middle, t_end; /* t_middle: where its contacts were taken */
  const double *q_begin, *u_begin, *q_end, *u_end;
  int jumps; /* something has collided, at t_middle */
} nsd_output_step;

/* Room for one state, made with the option `output`. */
nsdyn_status nsd_output_prepare(nsdyn_stepper *s, const nsdyn_stepper_options *options);
void nsd_output_release(nsdyn_stepper *s);

/* The grid begins at the present time: its first output is the present state. */
static inline void nsd_output_restart(nsdyn_stepper *s)
{
  s->output_begin = s->t;
  s->outputs = 0;
}

/* The next time of the grid; infinite without the option. */
static inline double nsd_output_next(const nsdyn_stepper *s)
{
  return !s->options.output ? INFINITY
         : s->outputs == 0  ? s->output_begin
                            : s->output_begin + (double)s->outputs * s->options.output_dt;
}

/* Leaves out what lies before t, or with `with_t` what is not after it. */
void nsd_output_skip(nsdyn_stepper *s, double t, int with_t);

/* Whether the step that was tried, and is not kept yet, has a contact that presses and did not press in the
 * step before. */
int nsd_output_jumps(const nsdyn_stepper *s);

/* What lies before the end of this step. */
nsdyn_status nsd_output_within(nsdyn_stepper *s, const nsd_output_step *step);

/* What lies within the last step, and the state if it is on the grid. */
nsdyn_status nsd_output_last(nsdyn_stepper *s);
nsdyn_status nsd_output_state(nsdyn_stepper *s);

#endif
