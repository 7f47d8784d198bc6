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
 * on fast; with constant slopes for all steps of one length. After a round h is looked at where it has led
 * to: if that is what the slopes said, as of linear forces, there is no other round. */
#ifndef NSD_STEPPER_SCHEME_IMPLICIT_H
#define NSD_STEPPER_SCHEME_IMPLICIT_H

#include "stepper/object.h"

/* Makes what the options need of it; a system without `mass` is refused then. */
nsdyn_status nsd_implicit_prepare(nsdyn_stepper *s, const nsdyn_stepper_options *options, nsd_fault *fault);
void nsd_implicit_release(nsdyn_stepper *s);

struct nsd_implicit {
  nsd_inertia inertia; /* the factor of M̂ */
  double *M;           /* nu × nu, at the iterate */
  double *A;           /* nu × nu: M̂ */
  double *K;           /* nu × nq: ∂h/∂q; what comes of it, K N, is in `slope` */
  double *slope;       /* nu × nu */
  double *D;           /* nu × nu: ∂h/∂u, then M̂ − M */
  double *numbers;     /* M as the callback writes it */
  double *u;           /* nu: uₖ */
  double *mean;        /* nu: u^θ of it */
  double *work, *probe;
  double *acted; /* nu: h as the iterate's slopes have it at the end of a round */
  double *q;     /* nq: where a difference is taken */
  double *qdot;
  int mass_is_known;          /* a constant M is in M already */
  double kept_dt, kept_theta; /* what M̂ was made with, where it is good for all such steps; else 0 */
  double kept_sway;           /* of generalized-α: likewise */
  nsd_arena arena;
};

/* Newton's matrix is made anew where a round leaves more than this share of the change before it. */
#define NSD_IMPLICIT_SLOW 0.1

/* The factor that the velocities of the step were solved with: that of M̂ or, where forces are those of the
 * middle, of M. What M̂ takes the place of is not factored at all. */
const nsd_inertia *nsd_implicit_inertia(const nsdyn_stepper *s);

/* Constants are to be evaluated anew. */
void nsd_implicit_forget(nsdyn_stepper *s);

/* Λ and uᴱ with implicit forces, θ being `s->theta`; t_mass, q_mass and h that acted. What is closed has been
 * looked at, and qᴹ is configured, before and after. */
nsdyn_status nsd_implicit_velocities(nsdyn_stepper *s, double dt);

/* ---- parts of the iteration, for schemes that put forces elsewhere ---- */

/* M := its blocks in `numbers`, as the callback wrote them, both halves of each. */
void nsd_implicit_expand_mass(nsd_implicit *p, const nsdyn_system_def *def);

/* `slope` := K N and D at (t_mass, q_mass) and the velocities `mean`, where h is s->h and the system is
 * configured; afterwards it may be configured elsewhere. */
nsdyn_status nsd_implicit_slopes(nsdyn_stepper *s, double dt);

/* Whether M̂ is the same in all steps of one length: M, K, D and N = 1 are. */
int nsd_implicit_is_constant(const nsdyn_stepper *s);

/* `into` := the factor of A; where it has none, whose fault that is, A being called `what`. */
nsdyn_status nsd_implicit_factor(nsdyn_stepper *s, nsd_inertia *into, const char *what);

/* Λ and uₖ₊₁, into u_next, with the factor of M̂ in the place of M's; z is there. `is_new`: M̂ is another one
 * than before; (t, q): where M was. */
nsdyn_status nsd_implicit_solve(nsdyn_stepper *s, double t, const double *q, int is_new);

/* xᵀ M̂ x */
double nsd_implicit_square(const nsd_implicit *p, int nu, const double *x);

/* The rounds have come to their end, with that share of change left. */
nsdyn_status nsd_implicit_give_up(nsdyn_stepper *s, double left);

#endif
