/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* What a contact can do, as the solvers count it: its state says which of its two equations hold.
 *
 *   normal       closed: ξ_N = 0          open: Λ_N = 0
 *   tangential   stick:  ξ_T = 0          slip: Λ_T = f (μ Λ_N + bound),  f = −1 or +1
 *
 * States 0 … 3 are the public modes. Where they say too little, states say more: friction of a given bound
 * acts on an open contact too (LIFTED), and in a slot, where Λ_N has either sign, slip is told by f, not by
 * the sign of ξ_T = −f sgn Λ_N |ξ_T|. A pattern is one state per contact; it makes the problem linear. */
#ifndef NSD_CONTACT_PLANAR_STATES_H
#define NSD_CONTACT_PLANAR_STATES_H

#include <math.h>

#include "base/kernels/simd.h"
#include "base/tolerances.h"
#include "contact/problem.h"
#include "setvalued/nearest.h"

enum {
  NSD_STATE_OPEN = NSDYN_MODE_OPEN,
  NSD_STATE_STICK = NSDYN_MODE_STICK,
  NSD_STATE_DOWN = NSDYN_MODE_SLIP_PLUS, /* f = −1; also: closed without friction */
  NSD_STATE_UP = NSDYN_MODE_SLIP_MINUS,  /* f = +1 */
  NSD_STATE_LIFTED = 4,                  /* added to one of the last three: open, though friction acts */
  NSD_STATES = 8
};

static inline int nsd_state_is_closed(int32_t state)
{
  return state != NSD_STATE_OPEN && state < NSD_STATE_LIFTED;
}

static inline int nsd_state_sticks(int32_t state)
{
  return (state & 3) == NSD_STATE_STICK;
}

static inline double nsd_state_factor(int32_t state)
{
  const int32_t tangential = state & 3;
  return tangential == NSD_STATE_DOWN ? -1.0 : tangential == NSD_STATE_UP ? 1.0 : 0.0;
}

/* Whether friction bounds Λ_T at more than zero. */
static inline int nsd_contact_has_friction(const nsd_contact_spec *s)
{
  return s->friction == NSD_FRICTION_LOAD ? s->mu > 0.0 : s->friction == NSD_FRICTION_GIVEN && s->bound > 0.0;
}

/* The states that a contact's law knows, as bits 1 << state. */
unsigned nsd_contact_states(const nsd_contact_spec *s);

/* `state`, or the nearest that its law knows. */
int32_t nsd_contact_admit(const nsd_contact_spec *s, int32_t state);

/* The nearest impulse that the law allows: Λ_N >= 0, |Λ_T| <= μ |Λ_N|, along a known direction all of it. */
NSD_INLINE void nsd_contact_project(const nsd_contact_spec *s, double *Lambda_N, double *Lambda_T)
{
  *Lambda_N = s->kind == NSDYN_CONTACT_BILATERAL ? *Lambda_N : nsd_nearest_not_negative(*Lambda_N);
  if (s->friction == NSD_FRICTION_NONE) {
    return;
  }
  const double limit = s->friction == NSD_FRICTION_GIVEN ? s->bound : s->mu * fabs(*Lambda_N);
  *Lambda_T = s->sliding ? -s->sliding * limit : nsd_nearest_in_band(*Lambda_T, limit);
}

/* All contacts; returns whether any changed. */
int nsd_contact_project_all(const nsd_contact_data *d, double *Lambda);

/* The state that Λ and ξ ask for: a step of Newton's method on the laws' projections. Of all contacts it
 * returns how many have another one than before. */
int32_t nsd_contact_next_state(const nsd_contact_data *d, const nsd_contact_spec *s, const double *Lambda,
                               const double *xi);
int nsd_contact_next_states(const nsd_contact_data *d, const double *Lambda, const double *xi,
                            int32_t *states);

/* Whether Λ of a unilateral contact with Coulomb friction is inside what the state stands for, one of the
 * first four, and not at its edge, where another state would do as well: of a solution this state is the
 * vertex. */
NSD_INLINE int nsd_state_is_inside(const nsd_contact_spec *s, int32_t state, const double *Lambda)
{
  const double inside = s->mu * Lambda[0] * NSD_STATE_INSIDE;
  return state == NSD_STATE_OPEN ||
         (Lambda[0] > 0.0 && (state != NSD_STATE_STICK || fabs(Lambda[1]) < inside));
}

/* The state of which Λ, a solution, is a vertex: friction at its limit slips, whatever ξ_T is, so that the
 * pattern of a redundant system is regular. */
int32_t nsd_contact_vertex_state(const nsd_contact_spec *s, const double *Lambda, const double *xi);

/* Mode of contact i of a solution by the tolerance 1e-9 · speed (nsdyn_contact_mode), and of all of them. */
int32_t nsd_contact_read_mode(const nsd_contact_data *d, int i, const double *Lambda, const double *xi,
                              double speed);
void nsd_contact_read_modes(const nsd_contact_data *d, const double *Lambda, const double *xi, double speed,
                            int32_t *modes);

/* ξ of a solution as a caller gets it: zero where a law holds it there, which it does where the impulse is
 * further from its own edge, in the velocity r that it makes, than ξ from zero. */
NSD_INLINE double nsd_contact_clean_normal(const nsd_contact_spec *s, double r, double Lambda_N, double xi_N)
{
  return s->kind == NSDYN_CONTACT_BILATERAL || r * Lambda_N >= fabs(xi_N) ? 0.0 : xi_N;
}

NSD_INLINE double nsd_contact_clean_tangential(const nsd_contact_spec *s, double r, double Lambda_N,
                                               double Lambda_T, double xi_T)
{
  const double limit = s->friction == NSD_FRICTION_GIVEN ? s->bound : s->mu * fabs(Lambda_N);
  return !s->sliding && r * (limit - fabs(Lambda_T)) >= fabs(xi_T) ? 0.0 : xi_T;
}

void nsd_contact_clean_xi(const nsd_contact_data *d, const double *Lambda, double *xi);

/* One contact's mode; press: G_NN Λ_N. */
NSD_INLINE int32_t nsd_contact_mode_of(const nsd_contact_spec *s, double press, double xi_T, double tau)
{
  const int is_open = s->kind != NSDYN_CONTACT_BILATERAL && press <= tau;
  if (is_open && !(s->bound > 0.0)) {
    return NSDYN_MODE_OPEN;
  }
  if (s->sliding) {
    return s->sliding > 0 ? NSDYN_MODE_SLIP_PLUS : NSDYN_MODE_SLIP_MINUS;
  }
  return fabs(xi_T) <= tau ? NSDYN_MODE_STICK : xi_T > 0.0 ? NSDYN_MODE_SLIP_PLUS : NSDYN_MODE_SLIP_MINUS;
}

#endif
