/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The set C of friction impulses in the tangent plane: `limit` times an ellipse with half axes 1 and
 * `aspect`, or a regular polygon with corners at distance 1, turned so that its first axis is `axis`; of a
 * planar contact the segment [−limit, limit]. Friction dissipates as much as C allows: Λ_T is where −ξ_T
 * points farthest. */
#ifndef NSD_CONTACT_SPACE_FRICTION_H
#define NSD_CONTACT_SPACE_FRICTION_H

#include "contact/problem.h"

/* What bounds Λ_T: μ |Λ_N|, or a given impulse. */
static inline double nsd_friction_limit(const nsd_contact_spec *s, double Lambda_N)
{
  return s->friction == NSD_FRICTION_GIVEN ? s->bound : s->mu * (Lambda_N < 0.0 ? -Lambda_N : Lambda_N);
}

/* p (tangents) := the point of C next to z; may be z. */
void nsd_friction_project(const nsd_contact_spec *s, double limit, const double *z, double *p);

/* p (tangents) := the point of C farthest along the direction e (not zero); along a side of a polygon its
 * middle. */
void nsd_friction_support(const nsd_contact_spec *s, double limit, const double *e, double *p);

/* D (tangents × tangents) := derivative of the projection in z, and d (tangents) in the limit (limit > 0). */
void nsd_friction_derivative(const nsd_contact_spec *s, double limit, const double *z, double *D, double *d);

/* Λ (rows of the contact) := the nearest that its law allows, with Λ_N first. */
void nsd_friction_admit(const nsd_contact_spec *s, double *Lambda);

#endif
