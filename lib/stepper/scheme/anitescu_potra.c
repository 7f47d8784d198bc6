/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Anitescu & Potra (1997): M, W and h at the beginning, 0 <= γ_Nᴱ ⊥ Λ_N >= 0 with the bilateral rows in the
 * same problem, whatever the laws' restitution; where a contact collides, that was the compression, and
 * decompression gives back by Poisson's law (scheme/poisson_law.c). The impact law is the scheme's own. */
#include "stepper/scheme/scheme.h"

static nsdyn_status step(nsdyn_stepper *s, double dt)
{
  /* 1: qᴹ = qᴬ; M(qᴬ), h(qᴬ, uᴬ), and what is closed there. */
  nsdyn_status status = nsd_scheme_begin_at_beginning(s, dt);
  /* 2: compression: uᴱ = uᴬ + M⁻¹ (h Δt + Wᵀ Λ), γ_bᴱ = 0, ε = 0; then decompression. */
  status = status ? status : nsd_scheme_velocities(s);
  status = status ? status : nsd_scheme_follow(s);
  /* 3: qᴱ = qᴬ + uᴱ Δt. */
  return nsd_scheme_end(s, status, dt);
}

const nsd_scheme nsd_scheme_anitescu_potra = {.id = NSDYN_SCHEME_ANITESCU_POTRA,
                                              .name = "anitescu-potra",
                                              .step = step,
                                              .theta = 1.0,
                                              .impact = NSDYN_IMPACT_POISSON,
                                              .slow = 2.0};
