/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* What a projection lifts against forces gains potential energy, and pays for it with its velocity.
 *
 * A body that penetrates at a step's end, and collides in the next, is put back on the surface. It would go
 * on with the velocity that it has below, and gain the work of forces on that way with each collision. With δ
 * for all corrections of coordinates, M δ = p = Wᵀ Λ, velocities change along them by α δ, as on the way
 * back. Of surfaces that move it is the kinetic energy of the motion beside them, γ = W u + ŵ, that counts:
 *
 *   α γᵀΛ + ½ α² δ·p = α (u·p + ŵᵀΛ) + ½ α² δ·p = h·δ < 0,
 *
 * α next to zero. Of a single contact that is γ² + 2 (w M⁻¹ h) (−g) after it, the square of its speed at the
 * surface. Where kinetic energy along δ does not suffice, all of it is taken, and what lands lies there. What
 * gains velocity on the way back, as above a ceiling, is left as it is. What a law has pressed in the step,
 * and stays, pays nothing: it was not free, and forces have not moved it. What was pressed and leaves does.
 *
 * Bodies that no correction couples have an α of their own: sets of velocities that M links, and rows of W
 * that corrections came from. Sets are noted from correction to correction. */
#ifndef NSD_STEPPER_DRIFT_PAY_LIFT_H
#define NSD_STEPPER_DRIFT_PAY_LIFT_H

#include "stepper/drift/projection.h"

/* p := 0; then for each problem that has just been solved, Wᵀ Λ, ŵᵀ Λ and what lands by it; and as much of
 * these as δ was gone along, which p gets. */
void nsd_lift_begin(nsdyn_stepper *s);
void nsd_lift_solved(nsdyn_stepper *s);
void nsd_lift_add(nsdyn_stepper *s, double share);

/* Takes the work from u_next, after all corrections of coordinates. */
nsdyn_status nsd_lift_pay(nsdyn_stepper *s);

#endif
