/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Positions and velocities with multipliers of their own, found together: the stabilised equations of index
 * two of Gear, Leimkuhler & Gupta (1985), with contact as Acary (2013) and Brüls, Acary & Cardona (2014) have
 * it, for all schemes. With Wᴱ = W(qᴱ) a step is to solve
 *
 *   M (uᴱ − uᴬ) = h Δt + Wᵀ Λ,    laws of contact, friction and impact for γᴱ = Wᴱ uᴱ + ŵᴱ,    W_Bᴱ uᴱ + ŵ_B
 * = 0, qᴱ = qᴹ + θ Δt uᴱ + δ,  M δ = Wᴱᵀ ν,    0 <= g_N(qᴱ) ⊥ ν >= 0,    g_B(qᴱ) = 0,
 *
 * where W are the directions in which impulses act, those of qᴹ. The projection (projection.h) finds ν for
 * given velocities, and the scheme Λ for the place of the end that it is told: in rounds. What the way to
 * the end makes of γ, with the velocities and coordinates of a round,
 *
 *   b = (Wᴱ uᴱ + ŵᴱ) − (W uᴱ + ŵ),
 *
 * is the bias of the next round's law, γ + b at qᴹ (keep_closed.h); the change is of order Δt of the one
 * before. No impulse is then left for the projection, which would act along Wᴱ, limited by no law and beside
 * the place where the others act.
 *
 * A contact that is open at qᴹ and that ν > 0 keeps from penetrating, while it approaches, closes in this
 * step: the next round has it in its problem, so that nothing is lifted whose velocity still leads
 * down again, which would be energy that nobody had. If its law leaves it at rest, it ends on the surface,
 * g_N(qᴱ) = 0, ν of either sign. */
#ifndef NSD_STEPPER_DRIFT_SPLIT_H
#define NSD_STEPPER_DRIFT_SPLIT_H

#include "stepper/object.h"

/* Makes what the option `project` needs where it is NSDYN_PROJECT_SPLIT. */
nsdyn_status nsd_split_prepare(nsdyn_stepper *s, const nsdyn_stepper_options *options);
void nsd_split_release(nsdyn_stepper *s);

/* Instead of nsd_projection_apply(), after the scheme's first step of dt: more of them, each with its
 * projection, until both levels hold. */
nsdyn_status nsd_split_apply(nsdyn_stepper *s, double dt);

/* ---- what the parts of a step ask ---- */

/* Whether both levels are to hold at the end of this step. */
int nsd_split_is_on(const nsdyn_stepper *s);

/* The contacts that take part in this round though they are open where it takes its contacts: so many, no
 * farther away than `reach`. */
int nsd_split_coming(const nsdyn_stepper *s, const nsd_who **coming, double *reach);

/* Puts b of the round before in the place of what the past says of the scene's contacts and constraints. */
void nsd_split_put_b(nsdyn_stepper *s);

/* Marks contacts that came, and whose law leaves them at rest, as those that are brought to a gap of zero. */
void nsd_split_mark_landed(const nsdyn_stepper *s, nsd_history *pressed);

#endif
