/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Removes penetration and the drift of constraints after a step.
 *
 *   min ½ δᵀ M δ   subject to   g_b + W_B δ = 0,   g_N + W_N δ >= 0,   W_T δ = 0 at sticking contacts,
 *
 * a contact problem without friction whose "velocities" are gaps, repeated (Newton's method, since gaps are
 * not linear) as long as that helps. Then the velocities, in the same metric: constraints hold them, and
 * contacts that were closed and stuck keep the relative velocities that the impact law gave them, along the
 * directions where the bodies now are. */
#ifndef NSD_STEPPER_DRIFT_PROJECTION_H
#define NSD_STEPPER_DRIFT_PROJECTION_H

#include "stepper/object.h"

/* Added to the trace of a contact that pressed in the step: the last δ came from it, or it is to come to zero
 * from either side. And of one that did not, but was found deep at its end: it has landed, and is to be
 * closed there, for the next step to see (drift/lifted.h). */
enum { NSD_LIFTED = 256, NSD_LANDED = 512 };

/* The scene here is that at the corrected coordinates: what is closed there, and what pressed in the step.
 * Its rows become a problem without friction: normal rows as contacts, then tangents of sticking contacts and
 * constraints as bilateral rows. */
struct nsd_projection {
  nsd_scene scene;
  nsd_inertia inertia;
  nsd_history pressed; /* the step's own modes */
  nsdyn_contact *contact;
  nsd_arena arena; /* what does not grow */
  double *q;       /* nq: where the scene is */
  double *q_good;  /* nq, or nu where that is more: the best so far */
  double *delta;   /* nu */
  int32_t *set;    /* nu: which velocities corrections couple, and where something lands (drift/pay_lift.h) */
  double *sum;     /* nu: all δ so far */
  double *turned; /* nu: M δ of all corrections of coordinates; then what is turned of the step's impulses */
  double *from;   /* nu: M δ of one correction; then the velocities before they are corrected */
  double held;    /* work of that correction at constraints and slots */
  double *moved; /* nu: ŵᵀ Λ of one correction of coordinates (drift/pay_lift.c); then by how much forces and
                    impulses moved velocities in the step, all of one sign */
  double slack; /* what touched before takes part up to this gap */

  nsd_arena rows_arena; /* rows_room each */
  int rows_room;
  int32_t *row;           /* of the scene, of each row of the problem */
  nsd_contact_spec *spec; /* of normal rows */
  double *after;          /* of each row of the scene: γᴱ, the velocity that the step ended with */
  double *c, *Lambda, *G;
  double *noise; /* of each row of the problem: what rounding leaves open of its c */
  double *bent;  /* of each row of the scene: the impulse that its path asks for (drift/turn_impulses.h) */
  int contacts;  /* normal rows */
  int rows;

  nsd_arena lifted_arena; /* its entries outlive the rows, which are laid out anew where more of them close */
  nsd_who *lifted;        /* lifted_count, of lifted_room: what δ came from that did not press in the step */
  int lifted_count, lifted_room;
  int landed;          /* so many have landed */
  double lifted_reach; /* how far it comes in a step, at most, by the velocities of the end */
};

/* Makes what the option `project` needs, where it is set. */
nsdyn_status nsd_projection_prepare(nsdyn_stepper *s, const nsdyn_stepper_options *options);
nsdyn_status nsd_projection_make(nsdyn_stepper *s); /* in any case */
void nsd_projection_release(nsdyn_stepper *s);

/* Corrects q_next and u_next. */
nsdyn_status nsd_projection_apply(nsdyn_stepper *s);

/* From the state to q_next: no contact is deep, no constraint violated, with the least change. Those of the
 * scene that are deep now touch then. */
nsdyn_status nsd_projection_of_state(nsdyn_stepper *s);

/* δ of the last step, the sum of all, by which it moved coordinates: nu numbers. */
const double *nsd_projection_moved(const nsdyn_stepper *s);

/* Solves the problem of the rows that stand in row, spec and c, for Λ; delta := what it causes. With tangents
 * that must not move it need not be found out why there is no solution. */
nsdyn_status nsd_projection_solve(nsdyn_stepper *s, int with_tangents);

/* Of a correction: what curvature leaves of it. */
#define NSD_MOST_CURVED 0.125

/* What it kept from penetrating that did not press in the step: so many. No farther than `reach` it has come
 * for that. */
int nsd_projection_lifted(const nsdyn_stepper *s, const nsd_who **lifted, double *reach);

/* Σ |v_j| |m_j| of a row of that scene, m what forces and impulses moved velocities by in the step: what a γ
 * that has come to nothing is the rest of. */
double nsd_projection_moved_by(const nsdyn_stepper *s, int row);

/* What is closed where it ended. */
const nsd_scene *nsd_projection_scene(const nsdyn_stepper *s);

#endif
