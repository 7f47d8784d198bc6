/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The θ-scheme of Moreau and Jean (Jean 1999; Glocker & Studer 2005, ref. 9): M and h at
 *
 *   t^θ = tᴬ + θ Δt,    u^θ = (1 − θ) uᴬ + θ uᴱ,    q^θ = qᴬ + θ Δt u^θ,
 *
 * solved by Newton's method (implicit.h), so that stiff forces bound no step; contacts at qᴹ = qᴬ + (1 − θ)
 * Δt uᴬ, the part of qᴱ that is known in advance. θ = ½ is of second order where nothing hits, and keeps
 * quadratic energies; θ > ½ damps by (θ − ½) (‖uᴱ − uᴬ‖²_M + ‖qᴱ − qᴬ‖²_K). With the option `implicit_rounds`
 * 0, M and h are those of qᴹ and uᴬ: θ = ½ is Moreau's midpoint rule then. */
#include "stepper/scheme/implicit.h"
#include "stepper/scheme/scheme.h"

static nsdyn_status step(nsdyn_stepper *s, double dt)
{
  const nsdyn_system_def *def = &s->sys->def;
  const double theta = s->theta, rest = theta * dt;
  /* 1: qᴹ, and what is closed there. */
  nsdyn_status status = NSDYN_OK;
  if (theta < 1.0) {
    s->t_middle = s->t + (1.0 - theta) * dt;
    status = nsd_scheme_move(s, s->t, s->q, s->u, (1.0 - theta) * dt, s->q_middle);
  } else {
    nsd_scheme_stay(s);
  }
  status = status ? status : nsd_scheme_look_ahead(s, dt, NSDYN_ACTIVATION_GAP);
  /* 2: M, h, Λ and uᴱ together, or one after the other. */
  if (s->options.implicit_rounds && def->nu) {
    status = status ? status : nsd_implicit_velocities(s, dt);
  } else {
    status = status ? status : nsd_scheme_dynamics(s, dt);
    status = status ? status : nsd_scheme_velocities(s);
    s->t_mass = s->t_middle;
    nsd_rows_copy(1, def->nq, s->q_middle, s->q_mass);
  }
  status = status ? status : nsd_scheme_follow(s);
  /* 3: qᴱ = qᴹ + θ Δt uᴱ. */
  return nsd_scheme_end(s, status, rest);
}

const nsd_scheme nsd_scheme_moreau_jean = {.id = NSDYN_SCHEME_MOREAU_JEAN,
                                           .name = "moreau-jean",
                                           .step = step,
                                           .theta = 0.0,
                                           .impact = -1,
                                           .slow = 2.0,
                                           .moves_mass = 1};
