/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The balance of kinetic energy over the last step, M at qᴹ or where the scheme says: with ū = ½ (uᴬ + uᴱ)
 *
 *   ½ uᴱᵀMᴹuᴱ − ½ uᴬᵀMᴹuᴬ = ūᵀ Mᴹ (uᴱ − uᴬ) = Δt ūᵀh + Σ ūᵀw_i Λ_i,    ūᵀw_i = ½ (γ_iᴬ + γ_iᴱ) − ŵ_i,
 *
 * and what M does between qᴬ, qᴹ and qᴱ is the rest. */
#include <math.h>

#include "stepper/scheme/scheme.h"

nsdyn_status nsdyn_step_energy_init(nsdyn_step_energy *energy, size_t size)
{
  return nsd_sized_init(energy, size, NSD_STEP_ENERGY_LEAST, NULL, sizeof *energy);
}

static void add_work(const nsdyn_stepper *s, nsdyn_step_energy *energy)
{
  const nsd_scene *scene = &s->scene;
  const int nu = s->inertia.nu;
  const double *u = s->correction.done ? s->u_solved : s->u;
  for (int j = 0; j < nu; j++) {
    /* Δt ūᵀ h, ū = ½ (uᴬ + uᴱ), with uᴱ as the contact law gave it. */
    energy->force += s->dt * (0.5 * (s->u_begin[j] + u[j])) * s->h[j];
  }
  int contact = 0;
  for (int r = 0; r < scene->closed.rows; r++) {
    /* ½ (γᴬ + γᴱ) − ŵ */
    const double speed = 0.5 * (nsd_scene_dot(scene, r, s->u_begin) + nsd_scene_dot(scene, r, u));
    const double work = speed * scene->solution.Lambda[r];
    while (contact + 1 < scene->closed.count && scene->closed.contact[contact + 1].row <= r) {
      contact++;
    }
    if (r >= scene->closed.contact_rows) {
      energy->constraint += work;
    } else if (r == scene->closed.contact[contact].row) {
      energy->normal += work;
    } else {
      energy->tangent += work;
    }
  }
  if (s->correction.done) {
    energy->normal += s->correction.normal;
    energy->tangent += s->correction.tangent;
    energy->constraint += s->correction.constraint;
    energy->projection = s->correction.work;
  }
}

static nsdyn_status energies_at(nsdyn_stepper *s, double t, const double *q, int count,
                                const double *const *u, double *T)
{
  return nsd_call_energies(&s->sys->def, t, q, count, u, s->energy_mass, T, &s->fault);
}

/* T at both ends, and `inertia`: what T changes by, at constant u, from the beginning to the middle and from
 * there to the end. */
static nsdyn_status add_kinetic(nsdyn_stepper *s, nsdyn_step_energy *energy)
{
  const double *u = s->correction.done ? s->u_solved : s->u;
  double begin[2] = {0.0, 0.0}, middle[2] = {0.0, 0.0}, end[2] = {0.0, 0.0};
  nsdyn_status status =
      energies_at(s, s->t_begin, s->q_begin, 2, (const double *const[]){s->u_begin, s->u}, begin);
  energy->before = begin[0];
  energy->after = begin[1];
  if (status || (s->sys->def.flags & NSDYN_CONSTANT_MASS)) {
    return status;
  }
  /* M that acted; an impact's is where it happened. */
  const int is_moved = s->scheme->moves_mass && s->dt > 0.0;
  status = energies_at(s, is_moved ? s->t_mass : s->t_middle, is_moved ? s->q_mass : s->q_middle, 2,
                       (const double *const[]){s->u_begin, u}, middle);
  status = status ? status : energies_at(s, s->t, s->q, 2, (const double *const[]){s->u, u}, end);
  energy->after = end[0];
  /* ½ uᴱᵀ (Mᴱ − Mᴹ) uᴱ + ½ uᴬᵀ (Mᴹ − Mᴬ) uᴬ. */
  energy->inertia = (end[1] - middle[1]) + (middle[0] - energy->before);
  return status;
}

/* Velocities may be finite and their squares overflow. */
static nsdyn_status check_numbers(nsdyn_stepper *s, const nsdyn_step_energy *e)
{
  const double numbers[] = {e->before,  e->after,      e->force,   e->normal,
                            e->tangent, e->constraint, e->inertia, e->projection};
  double zero = 0.0;
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
    zero += numbers[i] * 0.0;
  }
  return zero == 0.0 ? NSDYN_OK
                     : nsd_fault_set(&s->fault, NSDYN_ERR_NOT_FINITE, NSDYN_DETAIL_NONE, -1,
                                     "the energy's numbers are too large");
}

nsdyn_status nsdyn_stepper_energy(nsdyn_stepper *s, nsdyn_step_energy *energy)
{
  if (!s || !energy) {
    return NSDYN_ERR_ARGUMENT;
  }
  if (s->busy == NSD_STEPPING) {
    return NSDYN_ERR_BUSY;
  }
  nsd_fault_clear(&s->fault);
  nsdyn_step_energy own = {.size = sizeof own};
  nsdyn_status status = NSDYN_OK;
  if (s->stage == NSD_STAGE_DONE) {
    add_work(s, &own);
    if (s->sys->def.mass || s->sys->def.kinetic || s->inertia.nu == 0) {
      const int before = s->busy;
      own.known = 1;
      s->busy = NSD_STEPPING;
      status = nsd_make_energy_mass(&s->sys->def, s->ctx, &s->energy_mass, &s->fault);
      status = status || s->inertia.nu == 0 ? status : add_kinetic(s, &own);
      s->busy = before;
    }
    status = status ? status : check_numbers(s, &own);
  }
  return status ? status
                : nsd_sized_tell(energy, NSD_STEP_ENERGY_LEAST, &own, sizeof own, "nsdyn_step_energy",
                                 &s->fault);
}
