/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Poisson's law in a step. The contact problem with ε = 0 is its compression; where a contact has collided,
 * expansion follows and gives back what the collision stored (contact/impact/impact.h). Without a collision
 * there is none, so that bodies at rest stay at rest.
 *
 * A contact collides where it approaches and did not press in the step before. One that pressed approaches as
 * well, by an amount of order Δt, where its surface is curved: that is no collision. Once one contact
 * collides all take part, those too that only hand on what they receive. */
#include <math.h>

#include "contact/door.h"
#include "contact/planar/states.h"
#include "stepper/drift/keep_closed.h"
#include "stepper/object.h"
#include "stepper/scheme/scheme.h"

/* v_ε = 2 |w_N M⁻¹ h + w̄_N| Δt, or what the scheme says instead of 2: approaches that the forces of a step or
 * two make, beside a surface that moves. What rests on its weight, and was let go of for a step, would hop
 * otherwise. None in an impact, where nothing but velocities acts. w̄_N is the callback `bias`'s, or that of a
 * found contact's record; not told, it is taken for zero: surfaces that curve are the business of
 * nsd_keep_closed_explains(). */
static nsdyn_status least_collision(nsdyn_stepper *s, int k, double *least)
{
  const nsdyn_system_def *def = &s->sys->def;
  const nsd_closed *c = &s->scene.closed.contact[k];
  double w_bar[NSD_CONTACT_ROWS] = {0.0};
  nsdyn_status status = NSDYN_OK;
  if (def->bias && c->index >= 0) {
    const int code = def->bias(def->user, s->t_middle, s->q_middle, s->u, c->index, w_bar);
    status = code ? nsd_blame_code(&s->fault, "bias", nsd_closed_subject(c), code)
                  : nsd_blame_vector(&s->fault, "bias", nsd_closed_subject(c), NSDYN_DETAIL_CONTACT, "w_bar",
                                     c->rows, w_bar);
  } else if (c->index < 0 && s->scene.closed.speeds) {
    const double told = s->scene.problem.w_bar[c->row];
    w_bar[0] = isnan(told) ? 0.0 : told;
  }
  *least = s->scheme->slow * fabs(nsd_scene_forced(&s->scene, c->row, s->z) + w_bar[0] * s->dt);
  return status;
}

static nsdyn_status collides(nsdyn_stepper *s, int *does)
{
  const nsd_scene *scene = &s->scene;
  const double rounding = s->options.tol * s->scale;
  const int is_impact = s->dt == 0.0; /* a call of nsdyn_stepper_impact(): the user says that it is one */
  nsdyn_status status = NSDYN_OK;
  *does = 0;
  for (int k = 0; k < scene->closed.count && status == NSDYN_OK && !*does; k++) {
    const nsd_closed *c = &scene->closed.contact[k];
    const double approach = -scene->problem.gamma[c->row];
    /* γ_Nᴬ < 0 beyond rounding and the threshold, not explained by curvature, of what did not press before.
     */
    if (c->law->kind == NSDYN_CONTACT_UNILATERAL && approach > rounding && approach >= s->options.threshold &&
        !nsd_keep_closed_explains(scene, k) &&
        (is_impact || !nsd_trace_pressed(nsd_history_trace(&s->history, c)))) {
      double least = 0.0;
      status = is_impact ? NSDYN_OK : least_collision(s, k, &least);
      *does = approach >= least;
    }
  }
  return status;
}

/* The laws' restitution, for the solver. */
static void set_restitution(nsdyn_stepper *s)
{
  const nsd_scene *scene = &s->scene;
  for (int k = 0; k < scene->closed.count; k++) {
    const nsdyn_contact_law *law = scene->closed.contact[k].law;
    scene->problem.restitution[k] =
        (nsd_restitution){.eps_n = law->eps_n, .eps_t = law->eps_t, .reversal = law->reversal};
  }
}

/* The report of a step is that of its compression, with the certificate of the worse half. */
static void report(nsdyn_stepper *s, nsdyn_contact_solve_report own)
{
  const nsd_contact_answer *answer = s->answer;
  const nsdyn_impact_report *impact = answer->impact;
  const nsd_impact_half *half = &answer->half[NSDYN_IMPACT_EXPANSION];
  own.iterations +=
      s->dt > 0.0 ? answer->report->iterations : 0; /* of what is stored, solved for by itself */
  own.lcp_size = half->lcp_size > own.lcp_size ? half->lcp_size : own.lcp_size;
  if (impact->residual * own.scale > own.residual * impact->scale) {
    own.residual = impact->residual;
    own.scale = impact->scale;
    own.worst_row = impact->worst_row;
  }
  s->rebound = own;
  s->scale = s->scene.closed.rows == s->scene.closed.contact_rows ? own.scale : s->scale;
}

static void set_modes(nsdyn_stepper *s, const nsd_contact_data *data)
{
  nsd_scene *scene = &s->scene;
  for (int k = 0; k < scene->closed.count; k++) {
    scene->closed.contact[k].mode =
        nsd_contact_read_mode(data, k, scene->solution.Lambda, scene->solution.xi, s->scale);
  }
}

/* In an impact compression has stored what the scene has solved; in a step forces had their share in that. */
static nsdyn_status expand(nsdyn_stepper *s, const nsd_contact_data *data, double scale)
{
  nsd_scene *scene = &s->scene;
  const nsd_restitution *restitution = scene->problem.restitution;
  if (s->dt == 0.0) {
    return nsd_contact_impact_expand(s->contact, data, restitution, scene->solution.Lambda,
                                     scene->solution.xi);
  }
  /* Only what velocities stored is given back: the Λ of c = γᴬ, without the share of h Δt. */
  return nsd_contact_impact_give_back(s->contact, data, restitution, scene->problem.gamma, scale,
                                      scene->solution.Lambda, scene->solution.xi);
}

nsdyn_status nsd_poisson_add(nsdyn_stepper *s)
{
  /* 1: the step so far was compression, ε = 0; without a collision nothing follows it. */
  int does = 0;
  nsdyn_status status = collides(s, &does);
  if (status || !does) {
    return status;
  }
  /* 2: expansion, 0 <= Λ_N − ε_N Λ_NC ⊥ γ_N >= 0 (contact/impact/expansion.h). */
  set_restitution(s);
  const nsd_contact_data data = nsd_scene_data(&s->scene);
  const nsdyn_contact_solve_report own = *s->answer->report;
  s->rounds++;
  s->rebounds = 1;
  status = expand(s, &data, own.scale);
  /* 3: no expansion was found; the option `inelastic` accepts what compression left. */
  if (status >= NSDYN_MAX_ITERATIONS && s->options.inelastic) {
    s->rebound = own;
    s->inelastic = 1;
    return s->dt == 0.0 ? nsd_poisson_adopt(s) : NSDYN_OK;
  }
  if (status) {
    s->rebound = *s->answer->report;
    return status;
  }
  /* 4: Λ and γ are those of both halves now, and so are the modes. */
  report(s, own);
  set_modes(s, &data);
  return NSDYN_OK;
}

nsdyn_status nsd_poisson_adopt(nsdyn_stepper *s)
{
  const nsd_scene *scene = &s->scene;
  const nsd_contact_data data = nsd_scene_data(scene);
  const nsdyn_status status =
      nsd_contact_impact_adopt(s->contact, s->impact, &data, scene->problem.gamma, scene->problem.shift,
                               scene->solution.Lambda, scene->solution.xi);
  return status ? nsd_fault_set(&s->fault, status, NSDYN_DETAIL_NONE, -1,
                                "no memory for an impact of %d contacts", scene->closed.count)
                : NSDYN_OK;
}
