/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Moreau's midpoint rule, Glocker & Studer (2005), section 5: from tᴬ, qᴬ, uᴬ to tᴱ = tᴬ + Δt, qᴱ, uᴱ.
 * nsd_moreau_step() goes through its stages. */
#include <math.h>

#include "stepper/check/contradiction.h"
#include "stepper/scheme/keep_closed.h"

/* What the certificate of the step before leaves open of γ_N, over the longer of the two steps. */
static inline double slack_of(const nsdyn_stepper *s, double dt)
{
  return s->slack_speed * (dt > s->slack_dt ? dt : s->slack_dt);
}

static inline nsdyn_status evaluate_mass(nsdyn_stepper *s)
{
  if (s->mass_is_known) {
    return NSDYN_OK;
  }
  const nsdyn_system_def *def = &s->sys->def;
  const nsdyn_status status = nsd_inertia_update(&s->inertia, def, s->t_middle, s->q_middle, &s->fault);
  s->mass_is_known = status == NSDYN_OK && s->inertia.factored && (def->flags & NSDYN_CONSTANT_MASS);
  return status;
}

/* Stage 3: M and h at qᴹ; z := L⁻¹ h Δt, or M⁻¹ h Δt. */
static nsdyn_status evaluate_dynamics(nsdyn_stepper *s, double dt)
{
  const nsdyn_system_def *def = &s->sys->def;
  const nsd_inertia *inertia = &s->inertia;
  const int nu = inertia->nu;
  nsdyn_status status = evaluate_mass(s);
  status = status ? status : nsd_call_force(def, s->t_middle, s->q_middle, s->u, s->h, &s->fault);
  if (status) {
    return status;
  }
  const double *h = s->h;
  double *z = s->z;
  for (int j = 0; j < nu; j++) {
    z[j] = h[j] * dt;
  }
  /* With M = L Lᵀ the other half, L⁻ᵀ, is left to uᴱ: G = X Xᵀ and W M⁻¹ h Δt = X z need only L⁻¹. */
  if (inertia->factored) {
    nsd_inertia_forward(inertia, s->z);
  } else if (nu) {
    status = nsd_call_solve_mass(def, s->t_middle, s->q_middle, 1, s->z, &s->fault);
  }
  return status;
}

/* W, X and G. */
static inline nsdyn_status evaluate_directions(nsdyn_stepper *s)
{
  nsd_scene *scene = &s->scene;
  if (nsd_scene_is_assembled(scene)) {
    return NSDYN_OK;
  }
  const nsdyn_status status = nsd_scene_direct(scene, s->t_middle, s->q_middle, &s->fault);
  return status ? status : nsd_scene_assemble(scene, &s->inertia, s->t_middle, s->q_middle, &s->fault);
}

/* Stages 4 and 5: Λ and uᴱ. */
static nsdyn_status evaluate_velocities(nsdyn_stepper *s)
{
  nsd_scene *scene = &s->scene;
  const int nu = s->inertia.nu;
  /* 4: ξ = G Λ + c with the laws of contact, friction and impact (scheme/impulses.c). */
  if (scene->closed.rows) {
    nsdyn_status status = evaluate_directions(s);
    scene->closed.is_watched = nsd_keep_closed_concerns(s);
    status = status ? status : nsd_impulses_solve(s);
    if (status) {
      return status;
    }
  }
  /* 5: uᴱ = uᴬ + M⁻¹ (h Δt + Wᵀ Λ). */
  nsd_scene_velocities(scene, &s->inertia, s->z, scene->solution.Lambda, s->du);
  nsd_lanes_combine(nu, s->u, 1.0, s->du, s->u_next);
  return NSDYN_OK;
}

/* From q_from at constant u. */
static inline nsdyn_status move(nsdyn_stepper *s, double t, const double *q_from, const double *u, double dt,
                                double *q_to)
{
  const nsdyn_system_def *def = &s->sys->def;
  if (!nsd_system_is_flat(def)) {
    return nsd_call_move(def, t, q_from, u, dt, q_to, &s->fault);
  }
  /* q̇ = u. */
  nsd_lanes_combine(def->nq, q_from, dt, u, q_to);
  return NSDYN_OK;
}

nsdyn_status nsd_moreau_blame_coordinates(nsdyn_stepper *s, const double *q)
{
  return nsd_blame_move(&s->fault, &s->sys->def, q);
}

/* The step's end is NaN or infinite: finds the callback that gave such a number, or says what overflowed. */
static nsdyn_status blame(nsdyn_stepper *s)
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
  return status ? status : nsd_moreau_blame_coordinates(s, s->q_next);
}

nsdyn_status nsd_moreau_step(nsdyn_stepper *s, double dt)
{
  const nsdyn_system_def *def = &s->sys->def;
  const double half = 0.5 * dt;
  /* 1: the midpoint, tᴹ = tᴬ + Δt/2 and qᴹ = qᴬ + uᴬ Δt/2. */
  s->t_middle = s->t + half;
  s->history.near = INFINITY; /* at any gap: the law decides whether what is in force opens */
  nsdyn_status status = move(s, s->t, s->q, s->u, half, s->q_middle);
  /* 2: what is closed there, g_N(tᴹ, qᴹ) <= 0. */
  status = status ? status : nsd_call_configure(def, s->t_middle, s->q_middle, &s->fault);
  status = status ? status : nsd_scene_look(&s->scene, s->t_middle, s->q_middle, slack_of(s, dt), &s->fault);
  /* 3: M and h there. */
  status = status ? status : evaluate_dynamics(s, dt);
  /* 4 and 5: W, ŵ and G there, then Λ, then uᴱ. */
  status = status ? status : evaluate_velocities(s);
  if (!s->solved) { /* nothing is closed */
    s->history.is_same = (s->history.known_count | s->history.found_count | s->history.stray_count) == 0;
  }
  /* Contacts that have opened while their γ_N said that they close are watched from now on. */
  if (status == NSDYN_OK && !s->history.is_same) {
    status = nsd_contradiction_follow(s);
  }
  /* 6: the end, qᴱ = qᴹ + uᴱ Δt/2. */
  status = status ? status : move(s, s->t_middle, s->q_middle, s->u_next, half, s->q_next);
  /* Where q̇ = u, a NaN or an infinity in u shows in q + u Δt/2 as well. */
  const double zero = nsd_system_is_flat(def) ? 0.0 : nsd_lanes_zero(def->nu, s->u_next);
  if (status == NSDYN_OK && zero + nsd_lanes_zero(def->nq, s->q_next) != 0.0) {
    status = blame(s);
  }
  if (status == NSDYN_ERR_NOT_FINITE && nsd_lanes_zero(def->nq, s->q_middle) != 0.0) {
    status = nsd_moreau_blame_coordinates(s, s->q_middle); /* it was wrong from stage 1 on */
  }
  return status;
}

nsdyn_status nsd_moreau_impact(nsdyn_stepper *s)
{
  const nsdyn_system_def *def = &s->sys->def;
  s->t_middle = s->t;
  s->history.near = s->slack_dt * s->slack_dt; /* an impact has no horizon: what is in force has to touch */
  for (int j = 0; j < def->nq; j++) {
    s->q_middle[j] = s->q_next[j] = s->q[j];
  }
  /* Δt = 0: q stays, and u⁺ = u⁻ + M⁻¹ Wᵀ Λ, since h Δt = 0. */
  nsd_fill_zero(def->nu, s->h);
  nsd_fill_zero(def->nu, s->z);
  nsdyn_status status = nsd_call_configure(def, s->t_middle, s->q_middle, &s->fault);
  status = status ? status : nsd_scene_look(&s->scene, s->t_middle, s->q_middle, slack_of(s, 0.0), &s->fault);
  status = status ? status : evaluate_mass(s);
  status = status ? status : evaluate_velocities(s);
  if (status) {
    return status;
  }
  return nsd_lanes_zero(def->nu, s->u_next) == 0.0 ? NSDYN_OK : blame(s);
}
