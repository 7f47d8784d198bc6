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

/* The load Q that friction feels in expansion: Λ_N + L, of a slot |Λ_N|, but at least L. */
static inline double nsd_friction_load(const nsd_contact_spec *s, double Lambda_N)
{
  const double press = Lambda_N < 0.0 ? -Lambda_N : Lambda_N, L = s->stored->L;
  return s->kind != NSDYN_CONTACT_BILATERAL ? press + L : press > L ? press : L;
}

/* What bounds Λ_T: μ |Λ_N|, a given impulse, or μ Q in expansion. */
static inline double nsd_friction_limit(const nsd_contact_spec *s, double Lambda_N)
{
  return s->friction == NSD_FRICTION_GIVEN    ? s->bound
         : s->friction == NSD_FRICTION_STORED ? s->mu * nsd_friction_load(s, Lambda_N)
                                              : s->mu * (Lambda_N < 0.0 ? -Lambda_N : Lambda_N);
}

/* Whether a part of C is cut off, by what compression stored. */
static inline int nsd_friction_is_cut(const nsd_contact_spec *s)
{
  return s->friction == NSD_FRICTION_STORED && (s->stored->e[0] != 0.0 || s->stored->e[1] != 0.0);
}

/* p (tangents) := the point of C next to z; may be z. */
void nsd_friction_project(const nsd_contact_spec *s, double limit, const double *z, double *p);

/* The same for r C, in velocities: `limit` and z are r times impulses. Where C is not cut that is no other.
 */
void nsd_friction_project_scaled(const nsd_contact_spec *s, double r, double limit, const double *z,
                                 double *p);

/* p (tangents) := the point of C farthest along the direction e (not zero); along a side of a polygon its
 * middle. */
void nsd_friction_support(const nsd_contact_spec *s, double limit, const double *e, double *p);

/* p := −Λ_T of a contact in space whose sliding is known: the point of C farthest along its slip, or the one
 * that it is at. */
void nsd_friction_drag(const nsd_contact_spec *s, double limit, double *p);

/* D (tangents × tangents) := derivative of the projection in z, and d (tangents) in the limit (limit > 0). */
void nsd_friction_derivative(const nsd_contact_spec *s, double limit, const double *z, double *D, double *d);

/* The same of r C. */
void nsd_friction_derivative_scaled(const nsd_contact_spec *s, double r, double limit, const double *z,
                                    double *D, double *d);

/* Λ (rows of the contact) := the nearest that its law allows, with Λ_N first. */
void nsd_friction_admit(const nsd_contact_spec *s, double *Lambda);

#endif
