/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* A proof that a contact problem has one solution, for any number of contacts in space and in the plane.
 *
 * Let Λ¹, Λ² be solutions, x = Λ¹ − Λ², so that G x = ξ¹ − ξ². Normal laws give x_N (G x)_N <= 0, bilateral
 * rows 0. Friction by load: Λ_T is where −ξ_T points farthest in Λ_N C, C = −C; with the support function h
 * of C
 *
 *   x_T·(G x)_T <= −(Λ_N¹ − Λ_N²) (h(ξ_T¹) − h(ξ_T²)) <= m |x_N| ‖(G x)_T‖,
 *
 * m the largest reach of C: μ, or μ times the aspect. A given bound has 0 on the right. So
 *
 *   xᵀ G x <= Σ m |x_N| ‖(G x)_T‖ <= Σ (w/2) x_N² + (m²/(2 w)) ‖(G x)_T‖²,  w > 0,
 *
 * and where G − ½ diag(w) − ½ Gᵀ diag(m²/w) G is positive definite, x = 0. That asks for a definite G, and
 * for friction that is small beside its condition. In units in which G has a diagonal of ones, pivots of its
 * factor must be clear of rounding by far. */
#ifndef NSD_CONTACT_SPACE_UNIQUE_H
#define NSD_CONTACT_SPACE_UNIQUE_H

#include "base/arena.h"
#include "contact/problem.h"

/* Beyond, the products take too long: no proof is looked for. */
#define NSD_UNIQUE_ROWS 400

/* 1 where it is proved that there is no second solution; 0 where it is not. d->G is a matrix; H (rows × rows)
 * and w (rows) are room. */
int nsd_space_is_unique(const nsd_contact_data *d, double *H, double *w);

#endif
