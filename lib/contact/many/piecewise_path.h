/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* From piece to piece: where Newton's method on patterns goes astray.
 *
 * Newton's method changes the states of many contacts at once. Where friction makes contacts wedge each other
 * that leads nowhere, however short its steps. But the problem of one ε (contact/many/damping_path.h),
 *
 *   G Λ + c + ε D (Λ − Λ₀) − ξ = t ρ,   Λ and ξ by the laws,
 *
 * has a solution at t = 1 for any point Λ, ξ that obeys the laws, with what it misses as ρ; and the solutions
 * that hang together with it are a path of straight pieces, one per pattern, that may turn back in t but
 * never ends (Katzenelson 1965, Eaves 1976). It is followed to t = 0, one contact changing its state at a
 * time; one change costs a solve with factors that are there (contact/many/rank_update.h). The point is moved
 * a little at random in the beginning, so that no two contacts change at once.
 *
 * A path that runs back in t beyond where it came from may still arrive, but seldom soon: of a hundred such
 * paths in piles that were hit three in four ended at their limit. They are left, and where they had come
 * near t = 0 the nearest point serves as the next Λ₀. */
#ifndef NSD_CONTACT_MANY_PIECEWISE_PATH_H
#define NSD_CONTACT_MANY_PIECEWISE_PATH_H

#include "contact/many/rank_update.h"

typedef struct nsd_piecewise_path {
  nsd_rank_update patched;
  double *Lambda, *xi; /* rows: the point at hand */
  double *rho;         /* rows */
  double *dLambda;     /* rows: dΛ/dt on this piece */
  double *dxi;         /* rows */
  double *first;       /* rows: dΛ/dt of the pattern that is factored */
  double *right;       /* rows */
  double *nearest;     /* rows: Λ of a path that was left, where t was least */
  int8_t *side;        /* contacts: the sign of Λ_N in a slot with friction; else 1 */
  double t, sign;      /* sign: 1 or −1, where t goes */
  double least;        /* t there; 1: nowhere less than in the beginning */
  uint64_t random;     /* what moves the next point: another in each path, the same in each solve */
  int pieces;          /* of the last path */
  int is_starved;      /* it ended because a->work came to its limit */
} nsd_piecewise_path;

void nsd_piecewise_path_lay_out(nsd_arena *arena, nsd_piecewise_path *w, int contacts, int rows);

/* Before the first path of a solve. */
void nsd_piecewise_path_begin(nsd_piecewise_path *w);

/* The path from Λ, which is Λ₀ too, to the solution with this ε: in a->Lambda, a->states being its pattern.
 * NSDYN_OK, NSDYN_UNDECIDED where it leads away, NSDYN_MAX_ITERATIONS where it turns back too far or so many
 * pieces or a->work `most` do not do, NSDYN_CANCELLED. */
nsdyn_status nsd_piecewise_path_follow(nsd_piecewise_path *w, nsd_damped_newton *a, const double *Lambda,
                                       double epsilon, int pieces, double most, nsd_poll *poll);

#endif
