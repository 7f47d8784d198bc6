/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Stewart & Trinkle, Stewart (2000), eqs. 2.11 to 2.15:
 *
 *   M(qᴱ) (uᴱ − uᴬ) = W(qᴬ) Λ + h(qᴬ, uᴬ) Δt,    qᴱ = qᴬ + Δt uᴱ,
 *   0 <= Λ_N ⊥ w_Nᵀ (uᴱ + ε uᴬ) >= 0 where g_N + Δt γ_Nᴬ <= 0,
 *
 * M(qᴱ) by the fixed-point iteration of section 2.3. With the option `gap_term` the law is that of Stewart &
 * Trinkle (1996), 0 <= Λ_N ⊥ γ_Nᴱ + g_N / Δt >= 0, with ε γ_Nᴬ added: nothing penetrates where gaps are
 * linear, and what has penetrated is put back, which costs ½ g_N² / (Δt² G_NN) of energy that nobody had
 * (keep_closed.c).
 */
#include <math.h>

#include "base/tolerances.h"
#include "stepper/scheme/scheme.h"

enum { ROUNDS = 40, BLIND_ROUNDS = 8 }; /* the latter where M is solved with and cannot be looked at */

/* M at (tᴱ, q_mass), and z. */
static nsdyn_status evaluate(nsdyn_stepper *s, double dt)
{
  const nsdyn_system_def *def = &s->sys->def;
  nsdyn_status status = NSDYN_OK;
  if (!s->mass_is_known) {
    status = nsd_call_configure(def, s->t_mass, s->q_mass, &s->fault);
    status = status ? status : nsd_inertia_update(&s->inertia, def, s->t_mass, s->q_mass, &s->fault);
    s->mass_is_known = status == NSDYN_OK && s->inertia.factored && (def->flags & NSDYN_CONSTANT_MASS);
  }
  for (int j = 0; j < def->nu; j++) {
    s->z[j] = s->h[j] * dt;
  }
  if (status) {
    return status;
  }
  if (s->inertia.factored) {
    nsd_inertia_forward(&s->inertia, s->z);
  } else if (def->nu) {
    status = nsd_call_solve_mass(def, s->t_mass, s->q_mass, 1, s->z, &s->fault);
  }
  return status;
}

/* Λ and uᴱ for this M. */
static nsdyn_status solve(nsdyn_stepper *s)
{
  nsd_scene *scene = &s->scene;
  nsdyn_status status = NSDYN_OK;
  if (scene->closed.rows && !nsd_scene_is_assembled(scene)) {
    status = nsd_scene_assemble(scene, &s->inertia, s->t_mass, s->q_mass, &s->fault);
  }
  /* Contacts, friction and gap terms look at qᴬ. */
  status = status ? status : nsd_call_configure(&s->sys->def, s->t_middle, s->q_middle, &s->fault);
  if (scene->closed.rows) {
    scene->closed.is_watched = s->options.gap_term ? NSD_WATCH : nsd_keep_closed_concerns(s);
    status = status ? status : nsd_impulses_solve(s);
  }
  if (status == NSDYN_OK) {
    nsd_scene_velocities(scene, &s->inertia, s->z, scene->solution.Lambda, s->du);
    nsd_lanes_combine(s->inertia.nu, s->u, 1.0, s->du, s->u_next);
  }
  return status;
}

/* Whether velocities no longer change, each weighed by its mass. Without `mass` nobody can tell. */
static nsdyn_status has_converged(nsdyn_stepper *s, const double *before, int *is_done)
{
  const nsdyn_system_def *def = &s->sys->def;
  const double *M = s->energy_mass;
  double change = 0.0, size = 0.0;
  nsdyn_status status = nsd_call_configure(def, s->t_mass, s->q_mass, &s->fault);
  status = status ? status : nsd_call_mass(def, s->t_mass, s->q_mass, s->energy_mass, &s->fault);
  status = status ? status : nsd_blame_mass(&s->fault, def, M);
  for (nsd_mass_part p = nsd_mass_first(def); status == NSDYN_OK && p.n > 0; p = nsd_mass_next(def, p)) {
    for (int i = 0; i < p.n; i++) {
      const double m = M[p.at + (size_t)i * ((size_t)p.n + 1)], u = s->u_next[p.first + i];
      change += m * (u - before[p.first + i]) * (u - before[p.first + i]);
      size += m * (u * u + s->u[p.first + i] * s->u[p.first + i] + s->du[p.first + i] * s->du[p.first + i]);
    }
  }
  *is_done = !(change > NSD_IMPLICIT_STEP * NSD_IMPLICIT_STEP * size); /* also where it is NaN */
  return status;
}

static nsdyn_status step(nsdyn_stepper *s, double dt)
{
  const nsdyn_system_def *def = &s->sys->def;
  double *before = s->u_solved; /* of the round before; free until the projection */
  int is_done = 0;
  /* 1: what may close within the step, f(qᴬ + Δt uᴬ) <= 0 by its directions; h and W at qᴬ. */
  nsd_scheme_stay(s);
  nsdyn_status status = nsd_scheme_look_ahead(s, dt, NSDYN_ACTIVATION_STEADY);
  status = status ? status : nsd_call_force(def, s->t_middle, s->q_middle, s->u, s->h, &s->fault);
  if (status == NSDYN_OK && s->scene.closed.rows && !nsd_scene_is_assembled(&s->scene)) {
    status = nsd_scene_direct(&s->scene, s->t_middle, s->q_middle, &s->fault);
  }
  s->t_mass = s->t + dt;
  const double *u = s->u; /* the first guess of uᴱ */
  for (int round = 0; status == NSDYN_OK && !is_done; round++) {
    if (round == ROUNDS) {
      return nsd_fault_set(&s->fault, NSDYN_MAX_ITERATIONS, NSDYN_DETAIL_NONE, -1,
                           "M at the step's end: no fixed point in %d rounds; the step is too long", ROUNDS);
    }
    /* 2: M(qᴱ) with the velocities of the round before. */
    status = nsd_scheme_move(s, s->t, s->q, u, dt, s->q_mass);
    if (status == NSDYN_OK && nsd_lanes_bounded(def->nq, s->q_mass) != 0.0) {
      status = nsd_scheme_blame_coordinates(s, s->q_mass);
    }
    status = status ? status : evaluate(s, dt);
    /* 3: eqs. 2.11 and 2.13 to 2.15. */
    for (int j = 0; j < def->nu; j++) {
      before[j] = u[j];
    }
    status = status ? status : solve(s);
    u = s->u_next;
    /* 4: until qᴱ, and with it M, stays. */
    is_done = s->mass_is_known || def->nu == 0 || (!s->energy_mass && round + 1 == BLIND_ROUNDS);
    if (status == NSDYN_OK && !is_done && s->energy_mass) {
      status = has_converged(s, before, &is_done);
    }
  }
  if (status == NSDYN_OK && !s->mass_is_known) { /* contacts are looked at once more at qᴬ */
    status = nsd_call_configure(def, s->t_middle, s->q_middle, &s->fault);
  }
  status = status ? status : nsd_scheme_follow(s);
  /* 5: qᴱ = qᴬ + Δt uᴱ, eq. 2.12. */
  return nsd_scheme_end(s, status, dt);
}

const nsd_scheme nsd_scheme_stewart_trinkle = {.id = NSDYN_SCHEME_STEWART_TRINKLE,
                                               .name = "stewart-trinkle",
                                               .step = step,
                                               .theta = 1.0,
                                               .impact = -1,
                                               .slow = 2.0,
                                               .moves_mass = 1};
