/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The contract of time-stepping schemes, and what they are composed of.
 *
 * A scheme leads from the state tᴬ, qᴬ, uᴬ (s->t, s->q, s->u) over Δt to tᴱ, qᴱ, uᴱ. All of them take their
 * contacts at one configuration, qᴹ, and lead on from there with the velocities of the end:
 *
 *   qᴹ = qᴬ + (1 − θ) Δt uᴬ,    M (uᴱ − uᴬ) = h Δt + Wᵀ Λ,    qᴱ = qᴹ + θ Δt uᴱ,
 *
 * θ being `s->theta`: ½ for midpoints, 1 where contacts are taken at the beginning. Rows of W are directions,
 * γ = W u + ŵ and G = W M⁻¹ Wᵀ; the papers have them as columns. So from one qᴹ to the
 * next gaps change by Δt γᴱ and what curvature adds, whatever the scheme, and what keeps contacts closed
 * (keep_closed.h), notices contradictions and projects serves all.
 *
 * A step leaves
 *
 *   q_next, u_next     the end,
 *   q_middle, t_middle where its contacts, W and ŵ were taken (qᴹ),
 *   q_mass, t_mass     where its M was, by which energies are told, if the scheme `moves_mass`; else at qᴹ,
 *   h                  the force that acted: M (uᴱ − uᴬ) = h Δt + Wᵀ Λ holds to rounding,
 *   scene              its contacts and their impulses, solved,
 *   f_next             what its successor is to know of forces, if it sets has_f_next,
 *
 * and changes neither the state (t, q, u) nor what is remembered (history, drift), so that any step can be
 * rejected: advance.c makes it the state, or drops it. What a step writes beside that, its first stages may
 * not read. */
#ifndef NSD_STEPPER_SCHEME_SCHEME_H
#define NSD_STEPPER_SCHEME_SCHEME_H

#include "stepper/check/verify_gaps.h"
#include "stepper/drift/keep_closed.h"

struct nsd_scheme {
  int32_t id;       /* of nsdyn_scheme */
  const char *name; /* as users write it */
  nsdyn_status (*step)(nsdyn_stepper *s, double dt);
  double theta;   /* θ above; 0: the option `theta` */
  int32_t impact; /* its impact law where it has one of its own; −1: the option `impact` */
  double slow; /* v_ε = slow · |w_N M⁻¹ h + w̄_N| Δt: under Poisson's law a slower approach is no collision,
                  since forces alone make it while a resting contact is open for a step */
  int moves_mass; /* 1: its M is at q_mass, not at qᴹ */
  int projects;   /* 1: with the option `project`, whatever that says */
};

/* The one of this number, NULL for none. */
const nsd_scheme *nsd_scheme_of(int32_t id);

extern const nsd_scheme nsd_scheme_moreau, nsd_scheme_euler, nsd_scheme_moreau_jean,
    nsd_scheme_stewart_trinkle, nsd_scheme_anitescu_potra, nsd_scheme_generalized_alpha;

/* ---- what schemes share, in the order in which a step uses it ---- */

/* q_to := the configuration dt after q_from at constant u. */
static inline nsdyn_status nsd_scheme_move(nsdyn_stepper *s, double t, const double *q_from, const double *u,
                                           double dt, double *q_to)
{
  const nsdyn_system_def *def = &s->sys->def;
  if (!nsd_system_is_flat(def)) {
    return nsd_call_move(def, t, q_from, u, dt, q_to, &s->fault);
  }
  /* q̇ = u. */
  nsd_lanes_combine(def->nq, q_from, dt, u, q_to);
  return NSDYN_OK;
}

/* tᴹ, qᴹ := the beginning. */
static inline void nsd_scheme_stay(nsdyn_stepper *s)
{
  s->t_middle = s->t;
  for (int j = 0; j < s->sys->def.nq; j++) {
    s->q_middle[j] = s->q[j];
  }
}

/* What the certificate of the step before leaves open of γ_N, over the longer of the two steps. */
static inline double nsd_scheme_slack(const nsdyn_stepper *s, double dt)
{
  return s->slack_speed * (dt > s->slack_dt ? dt : s->slack_dt);
}

/* What is closed at tᴹ, qᴹ: g_N <= 0. */
static inline nsdyn_status nsd_scheme_look(nsdyn_stepper *s, double dt)
{
  s->history.near = INFINITY; /* at any gap: the law decides whether what is in force opens */
  const nsdyn_status status = nsd_call_configure(&s->sys->def, s->t_middle, s->q_middle, &s->fault);
  return status ? status
                : nsd_scene_look(&s->scene, s->t_middle, s->q_middle, nsd_scheme_slack(s, dt), &s->fault);
}

/* The same by the option `activation`, or where that leaves it to the scheme as `own` says
 * (nsdyn_activation): g_N + θ Δt γ_N <= 0, with γ_N by velocities that may close it until the step ends. */
nsdyn_status nsd_scheme_look_ahead(nsdyn_stepper *s, double dt, int32_t own);

/* M at tᴹ, qᴹ, unless it is constant and known. */
static inline nsdyn_status nsd_scheme_mass(nsdyn_stepper *s)
{
  if (s->mass_is_known) {
    return NSDYN_OK;
  }
  const nsdyn_system_def *def = &s->sys->def;
  const nsdyn_status status = nsd_inertia_update(&s->inertia, def, s->t_middle, s->q_middle, &s->fault);
  s->mass_is_known = status == NSDYN_OK && s->inertia.factored && (def->flags & NSDYN_CONSTANT_MASS);
  return status;
}

/* M and h at tᴹ, qᴹ, uᴬ; z := L⁻¹ h Δt, or M⁻¹ h Δt where the user solves. */
static inline nsdyn_status nsd_scheme_dynamics(nsdyn_stepper *s, double dt)
{
  const nsdyn_system_def *def = &s->sys->def;
  const nsd_inertia *inertia = &s->inertia;
  const int nu = inertia->nu;
  nsdyn_status status = nsd_scheme_mass(s);
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

/* qᴹ = qᴬ: what is closed, M and h there. */
static inline nsdyn_status nsd_scheme_begin_at_beginning(nsdyn_stepper *s, double dt)
{
  nsd_scheme_stay(s);
  const nsdyn_status status = nsd_scheme_look_ahead(s, dt, NSDYN_ACTIVATION_GAP);
  return status ? status : nsd_scheme_dynamics(s, dt);
}

/* W, X and G. */
static inline nsdyn_status nsd_scheme_directions(nsdyn_stepper *s)
{
  nsd_scene *scene = &s->scene;
  if (nsd_scene_is_assembled(scene)) {
    return NSDYN_OK;
  }
  scene->problem.wants_operator = 1; /* M is that of the table, which implicit forces change */
  const nsdyn_status status = nsd_scene_direct(scene, s->t_middle, s->q_middle, &s->fault);
  scene->problem.wants_operator = 0;
  return status ? status : nsd_scene_assemble(scene, &s->inertia, s->t_middle, s->q_middle, &s->fault);
}

/* Λ and uᴱ. */
static inline nsdyn_status nsd_scheme_velocities(nsdyn_stepper *s)
{
  nsd_scene *scene = &s->scene;
  const int nu = s->inertia.nu;
  /* ξ = G Λ + c with the laws of contact, friction and impact (scheme/impulses.c). */
  if (scene->closed.rows) {
    nsdyn_status status = nsd_scheme_directions(s);
    scene->closed.is_watched = nsd_keep_closed_concerns(s);
    status = status ? status : nsd_impulses_solve(s);
    if (status) {
      return status;
    }
  }
  /* uᴱ = uᴬ + M⁻¹ (h Δt + Wᵀ Λ). */
  nsd_scene_velocities(scene, &s->inertia, s->z, scene->solution.Lambda, s->du);
  nsd_lanes_combine(nu, s->u, 1.0, s->du, s->u_next);
  return NSDYN_OK;
}

/* Contacts that were closed and are open now, though γ_N < 0 says that they close, are watched for callbacks
 * that contradict each other (check/verify_gaps.h). */
static inline nsdyn_status nsd_scheme_follow(nsdyn_stepper *s)
{
  if (!s->solved) { /* nothing is closed */
    s->history.is_same = (s->history.known_count | s->history.found_count | s->history.stray_count) == 0;
  }
  return s->history.is_same ? NSDYN_OK : nsd_contradiction_follow(s);
}

/* The step's end is NaN or infinite: finds the callback that gave such a number, or says what overflowed. */
nsdyn_status nsd_scheme_blame(nsdyn_stepper *s);

/* qᴱ = qᴹ + θ Δt uᴱ, `rest` being θ Δt, and whether all that came out are numbers. `status` is that of the
 * stages before, and returned where it is none that asks for more. */
static inline nsdyn_status nsd_scheme_end(nsdyn_stepper *s, nsdyn_status status, double rest)
{
  const nsdyn_system_def *def = &s->sys->def;
  status = status ? status : nsd_scheme_move(s, s->t_middle, s->q_middle, s->u_next, rest, s->q_next);
  /* Where q̇ = u, uᴱ tells of q + u Δt/2 as well, and of forces too large to be squared. */
  const double zero = nsd_system_is_flat(def) ? 0.0 : nsd_lanes_bounded(def->nq, s->q_next);
  if (status == NSDYN_OK && zero + nsd_lanes_bounded(def->nu, s->u_next) != 0.0) {
    status = nsd_scheme_blame(s);
  }
  if (status == NSDYN_ERR_NOT_FINITE && nsd_lanes_bounded(def->nq, s->q_middle) != 0.0) {
    status = nsd_scheme_blame_coordinates(s, s->q_middle); /* it was wrong from the first stage on */
  }
  return status;
}

#endif
