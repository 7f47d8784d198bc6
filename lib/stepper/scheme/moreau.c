/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Moreau's midpoint rule, Glocker & Studer (2005), section 5: from tᴬ, qᴬ, uᴬ to tᴱ = tᴬ + Δt, qᴱ, uᴱ. */
#include <math.h>

#include "stepper/scheme/scheme.h"

static nsdyn_status step(nsdyn_stepper *s, double dt)
{
  const double half = 0.5 * dt;
  /* 1: the midpoint, tᴹ = tᴬ + Δt/2 and qᴹ = qᴬ + uᴬ Δt/2. */
  s->t_middle = s->t + half;
  nsdyn_status status = nsd_scheme_move(s, s->t, s->q, s->u, half, s->q_middle);
  /* 2: what is closed there, g_N(tᴹ, qᴹ) <= 0. */
  status = status ? status : nsd_scheme_look(s, dt);
  /* 3: M and h there; z := L⁻¹ h Δt. */
  status = status ? status : nsd_scheme_dynamics(s, dt);
  /* 4: W, ŵ and G there, then Λ of ξ = G Λ + c by the laws of contact, friction and impact (eqs. 17–33;
   *    impulses.c), with a correction b on curved surfaces (keep_closed.h).
   * 5: uᴱ = uᴬ + M⁻¹ (h Δt + Wᵀ Λ) (eq. 32). */
  status = status ? status : nsd_scheme_velocities(s);
  status = status ? status : nsd_scheme_follow(s);
  /* 6: the end, qᴱ = qᴹ + uᴱ Δt/2. */
  return nsd_scheme_end(s, status, half);
}

const nsd_scheme nsd_scheme_moreau = {
    .id = NSDYN_SCHEME_MOREAU, .name = "moreau", .step = step, .theta = 0.5, .impact = -1, .slow = 2.0};
