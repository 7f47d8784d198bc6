/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* A pattern of contacts in space, or of some in space beside planar ones, as contact/planar/pattern.h has it
 * for the plane: one state per contact makes the contact problem a linear system.
 *
 *   open      Λ = 0
 *   sticks    Λ_N, Λ_T1, Λ_T2 unknown, ξ = 0 in the same rows
 *   slides    Λ_N unknown, ξ_N = 0, Λ_T = f (μ Λ_N + bound) p, f = −1 (NSD_STATE_DOWN) or +1 (NSD_STATE_UP,
 *             a slot that pulls); p is the point of the friction set farthest along spec.slip
 *
 * Constraints stand first, then normal rows, then tangential ones, so that what repeats rows before it is
 * friction first. Redundant unknowns are shared evenly: the least in the metric of the diagonal of G, as by
 * contacts of one stiffness, whether they stick or slide; so they change smoothly with their load. Or next to
 * `shares`: of a normal row a force; of friction that sticks a share of its limit μ Λ_N, |share| <= 1, and
 * what is off that is taken in proportion to these limits. So contacts that all use the same part of their
 * friction come to their limits together; and shares of a solution give that solution. */
#ifndef NSD_CONTACT_SPACE_PATTERN_H
#define NSD_CONTACT_SPACE_PATTERN_H

#include "contact/planar/pattern.h"

typedef struct nsd_space_pattern {
  double (*of)[NSD_CONTACT_ROWS];   /* rows: what an unknown is of the rows of its contact, */
  double (*eq)[NSD_CONTACT_ROWS];   /* rows: and its equation of ξ there */
  int *first, *count;               /* rows: first of these rows, and how many */
  double (*kept)[NSD_CONTACT_ROWS]; /* rows: work */
  double *null;                     /* rows × rows: directions that the equations leave open, */
  double *plain;                    /* rows × rows: and would without friction that is dragged along */
  double *gram;                     /* rows × rows: work */
  int *perm;                        /* rows: work */
  double *x, *near, *weight;        /* rows */
  int unknowns;
  int redundant; /* how many unknowns the last system had too many */
} nsd_space_pattern;

void nsd_space_pattern_lay_out(nsd_arena *arena, nsd_space_pattern *p, int rows);

/* Λ (rows) of a pattern, as it comes out: no sign is checked, nor the equations of redundant unknowns. Shares
 * (rows of contacts; NULL: evenly) are not Λ. NSDYN_ERR_NOT_FINITE where it overflows. */
nsdyn_status nsd_space_pattern_solve(nsd_space_pattern *p, nsd_pattern_work *w, const nsd_contact_data *d,
                                     const int32_t *states, const double *shares, double *Lambda);

/* The largest γ̇ that redundant unknowns make of the last system's answer, if they share it in other ways: an
 * impulse as large as the largest is moved between them. */
double nsd_space_pattern_moves(const nsd_space_pattern *p, const nsd_contact_data *d);

/* The determinant of the system over what it would be without friction that is dragged along: positive where
 * Λ depends continuously on c, zero at Painlevé's boundary; 1 where nothing slides, or unknowns are
 * redundant. */
double nsd_space_pattern_determinant(nsd_space_pattern *p, nsd_pattern_work *w, const nsd_contact_data *d,
                                     const int32_t *states);

#endif
