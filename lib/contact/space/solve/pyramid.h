/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The contact problem as an LCP, y = A x + b, lo <= x <= hi, where contacts in space have polygons for
 * friction: Stewart's pyramid (Stewart 2000, eqs. 2.11–2.16; Mylapilli & Jain 2017, eqs. 30–44). With the m
 * corners d_j of the polygon, d_{j+m/2} = −d_j, as columns of D:
 *
 *   contact                          x                    y                                    Λ_T
 *   unilateral, Coulomb              Λ_N, β, σ            ξ_N, Dᵀξ_T + e σ, μ Λ_N − eᵀβ         D β
 *     friction of given bound        Λ_N, β, σ            ξ_N, Dᵀξ_T + e σ, bound − eᵀβ         D β
 *     direction known                Λ_N                  ξ_N                                  μ Λ_N p, bound
 * p frictionless, μ or bound 0     Λ_N                  ξ_N                                  0 slot, Coulomb
 * Λ_N, N⁺, β, σ        0, N⁻, Dᵀξ_T + e σ, μ |Λ_N| − eᵀβ     D β direction known                Λ_N, N⁺ 0, N⁻
 * μ |Λ_N| p else                           as above, Λ_N free bilateral constraint             Λ free 0
 *
 * β, e: m numbers; σ is the sliding speed; p is the corner farthest against a known direction. In a slot
 * |Λ_N| = 2 N⁺ − Λ_N (planar/glocker.h). A planar contact has the two directions 1 and −1: this is its
 * copositive form (planar/stewart_trinkle.h). Ellipses have no such form. */
#ifndef NSD_CONTACT_SPACE_SOLVE_PYRAMID_H
#define NSD_CONTACT_SPACE_SOLVE_PYRAMID_H

#include "base/arena.h"
#include "base/poll.h"
#include "contact/problem.h"

/* The first contact without such a form; −1: all have one. */
int nsd_pyramid_cannot_state(const nsd_contact_data *d);

/* Unknowns. −1 where an int does not count them. */
int nsd_pyramid_size(const nsd_contact_data *d);

/* Whether all bounds are 0 and infinity. */
int nsd_pyramid_is_plain(const nsd_contact_data *d);

/* A (size × size, row stride lda), b, lo, hi (size each). Reads G as a matrix. */
void nsd_pyramid_assemble(const nsd_contact_data *d, double *A, int lda, double *b, double *lo, double *hi,
                          nsd_poll *poll);

/* Λ (rows) from x. */
void nsd_pyramid_impulses(const nsd_contact_data *d, const double *x, double *Lambda);

/* The same of a checked public problem, without memory: −1 where all contacts have the form, its size, the
 * LCP. */
int nsd_pyramid_problem_cannot_state(const nsdyn_contact_problem *checked);
int nsd_pyramid_problem_size(const nsdyn_contact_problem *checked);
void nsd_pyramid_problem_assemble(const nsdyn_contact_problem *checked, double *A, int lda, double *b,
                                  double *lo, double *hi);

#endif
