/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Forces and M that are taken within the step, at its share θ,
 *
 *   M(q^θ) (uᴱ − uᴬ) = h(t^θ, q^θ, u^θ) Δt + Wᵀ Λ,    u^θ = (1 − θ) uᴬ + θ uᴱ,    q^θ = qᴬ + θ Δt u^θ,
 *
 * solved together with the laws of contact by Newton's method: from uₖ to uₖ₊₁ the contact problem is linear,
 *
 *   M̂ (uₖ₊₁ − uᴬ) = ĥ Δt + Wᵀ Λ,    M̂ = M − θ Δt D − θ² Δt² K N,    ĥ Δt = hₖ Δt + (M̂ − Mₖ) (uₖ − uᴬ),
 *
 * with K = ∂h/∂q, D = ∂h/∂u by the callback `force_jacobian`, or by differences, and q̇ = N u. Of M̂ the
 * symmetric part is taken, so that G = W M̂⁻¹ Wᵀ is one as of an explicit step; what that leaves out of
 * Newton's matrix, as of gyroscopic forces, costs rounds and changes no result. M̂ serves as long as it leads
 * on fast. */
#ifndef NSD_STEPPER_SCHEME_IMPLICIT_H
#define NSD_STEPPER_SCHEME_IMPLICIT_H

#include "stepper/object.h"

/* Makes what the options need of it; a system without `mass` is refused then. */
nsdyn_status nsd_implicit_prepare(nsdyn_stepper *s, const nsdyn_stepper_options *options, nsd_fault *fault);
void nsd_implicit_release(nsdyn_stepper *s);

/* Constants are to be evaluated anew. */
void nsd_implicit_forget(nsdyn_stepper *s);

/* Λ and uᴱ with implicit forces, θ being `s->theta`; t_mass, q_mass and h that acted. What is closed has been
 * looked at, and qᴹ is configured, before and after. */
nsdyn_status nsd_implicit_velocities(nsdyn_stepper *s, double dt);

#endif
