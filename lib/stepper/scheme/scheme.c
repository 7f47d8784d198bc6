/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The schemes there are, and what they share that is no matter of every step: impacts, and what went wrong.
 */
#include "stepper/scheme/scheme.h"
#include "stepper/drift/split.h"

#include <math.h>

const nsd_scheme *nsd_scheme_of(int32_t id)
{
  static const nsd_scheme *const all[] = {&nsd_scheme_moreau,
                                          &nsd_scheme_euler,
                                          &nsd_scheme_moreau_jean,
                                          &nsd_scheme_stewart_trinkle,
                                          &nsd_scheme_anitescu_potra,
                                          &nsd_scheme_generalized_alpha,
                                          NULL};
  for (int i = 0; all[i]; i++) {
    if (all[i]->id == id) {
      return all[i];
    }
  }
  return NULL;
}

nsdyn_status nsd_scheme_look_ahead(nsdyn_stepper *s, double dt, int32_t own)
{
  const int is_chosen = s->options.activation && s->scheme != &nsd_scheme_moreau;
  const int32_t activation = is_chosen ? s->options.activation : own;
  nsd_look_rule look = {.horizon = activation == NSDYN_ACTIVATION_GAP ? 0.0 : s->theta * dt,
                        .row = s->stray_row};
  look.named_count = nsd_split_coming(s, &look.named, &look.margin);
  if (activation == NSDYN_ACTIVATION_GAP && look.named_count == 0) {
    return nsd_scheme_look(s, dt);
  }
  look.u = s->u;
  s->history.near = INFINITY;
  nsdyn_status status = nsd_call_configure(&s->sys->def, s->t_middle, s->q_middle, &s->fault);
  if (status == NSDYN_OK && activation == NSDYN_ACTIVATION_FREE) {
    status = nsd_scheme_dynamics(s, dt);
    /* uᴬ + M⁻¹ h Δt: nothing is closed yet. */
    nsd_scene_velocities(&s->scene, &s->inertia, s->z, s->scene.solution.Lambda, s->du);
    nsd_lanes_combine(s->inertia.nu, s->u, 1.0, s->du, s->u_next);
    look.u = s->u_next;
  }
  return status ? status
                : nsd_scene_look_ahead(&s->scene, s->t_middle, s->q_middle, nsd_scheme_slack(s, dt), &look,
                                       &s->fault);
}

nsdyn_status nsd_scheme_blame_coordinates(nsdyn_stepper *s, const double *q)
{
  return nsd_blame_move(&s->fault, &s->sys->def, q);
}

nsdyn_status nsd_scheme_blame(nsdyn_stepper *s)
{
  const nsdyn_system_def *def = &s->sys->def;
  const nsd_subject nobody = nsd_no_subject();
  nsdyn_status status =
      nsd_blame_vector(&s->fault, "force", nobody, NSDYN_DETAIL_COORDINATE, "h", def->nu, s->h);
  if (status == NSDYN_OK && !s->inertia.factored) {
    status = nsd_blame_vector(&s->fault, "solve_mass", nobody, NSDYN_DETAIL_COORDINATE, "X", def->nu, s->z);
  }
  if (status == NSDYN_OK) {
    status = nsd_blame_overflow(&s->fault, "velocity", def->nu, s->u_next);
  }
  return status ? status : nsd_scheme_blame_coordinates(s, s->q_next);
}

nsdyn_status nsd_scheme_impact(nsdyn_stepper *s)
{
  const nsdyn_system_def *def = &s->sys->def;
  nsd_scheme_stay(s);
  s->history.near = s->slack_dt * s->slack_dt; /* an impact has no horizon: what is in force has to touch */
  for (int j = 0; j < def->nq; j++) {
    s->q_next[j] = s->q[j];
  }
  /* Δt = 0: q stays, and u⁺ = u⁻ + M⁻¹ Wᵀ Λ, since h Δt = 0. */
  nsd_fill_zero(def->nu, s->h);
  nsd_fill_zero(def->nu, s->z);
  nsdyn_status status = nsd_call_configure(def, s->t_middle, s->q_middle, &s->fault);
  status = status ? status
                  : nsd_scene_look(&s->scene, s->t_middle, s->q_middle, nsd_scheme_slack(s, 0.0), &s->fault);
  status = status ? status : nsd_scheme_mass(s);
  status = status ? status : nsd_scheme_velocities(s);
  if (status) {
    return status;
  }
  return nsd_lanes_bounded(def->nu, s->u_next) == 0.0 ? NSDYN_OK : nsd_scheme_blame(s);
}
