/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Semi-implicit Euler, Mylapilli & Jain (2017), section 2.7.1, eqs. 25 and 26: all is evaluated at the
 * beginning, and the velocities of the end move the coordinates. Of first order, and symplectic where nothing
 * touches. */
#include "stepper/scheme/scheme.h"

static nsdyn_status step(nsdyn_stepper *s, double dt)
{
  /* 1: qᴹ = qᴬ; M(qᴬ), h(qᴬ, uᴬ), and what is closed there: g_N(tᴬ, qᴬ) <= 0, or as the option `activation`
   * has it. */
  nsdyn_status status = nsd_scheme_begin_at_beginning(s, dt);
  /* 2: W(qᴬ), Λ, and uᴱ = uᴬ + M⁻¹ (h Δt + Wᵀ Λ), eq. 25. */
  status = status ? status : nsd_scheme_velocities(s);
  status = status ? status : nsd_scheme_follow(s);
  /* 3: qᴱ = qᴬ + uᴱ Δt, eq. 26. */
  return nsd_scheme_end(s, status, dt);
}

const nsd_scheme nsd_scheme_euler = {
    .id = NSDYN_SCHEME_EULER, .name = "euler", .step = step, .theta = 1.0, .impact = -1, .slow = 2.0};
