/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Coefficients in force. Two of them with hysteresis (Stewart 2000, section 4.3): what sticks goes on under
 * the static one until that is exceeded; what slides, under the dynamic one, until its velocity vanishes. A
 * time step only sees that the velocity would change its sign, and that is where bricks on a ramp would slide
 * back: the static coefficient is tried then. */
#include "base/tolerances.h"
#include "stepper/object.h"

static int sticks(const nsd_closed *c)
{
  return c->grip == NSD_GRIP_HELD || c->grip == NSD_GRIP_CAUGHT;
}

/* A contact in space, or one whose law has more than one coefficient, or a bound. */
static __attribute__((noinline)) nsdyn_status begin_contact(nsdyn_stepper *s, int k)
{
  nsd_scene *scene = &s->scene;
  nsd_closed *c = &scene->closed.contact[k];
  const double *gamma_T = &scene->problem.gamma[c->row + 1]; /* a curve is read at the step's beginning */
  if (c->law->friction == NSDYN_FRICTION_STATIC) {           /* what stuck in the step before is held */
    const int32_t trace = nsd_history_trace(&s->history, c);
    c->grip = trace >= 0 && nsd_trace_mode(trace) == NSDYN_MODE_STICK ? NSD_GRIP_HELD : NSD_GRIP_SLIDES;
    gamma_T = sticks(c) ? NULL : gamma_T;
    scene->problem.has_two_coefficients = 1;
  }
  return nsd_scene_set_friction(scene, k, gamma_T, s->dt, &s->fault);
}

nsdyn_status nsd_friction_begin(nsdyn_stepper *s)
{
  nsd_scene *scene = &s->scene;
  scene->problem.has_two_coefficients = scene->problem.is_spatial = 0;
  for (int k = 0; k < scene->closed.count; k++) {
    const nsd_closed *c = &scene->closed.contact[k];
    scene->problem.spec[k].sliding = 0;
    if (c->law->friction <= NSDYN_FRICTION_COULOMB && c->rows < 3) {
      nsd_contact_law_fill(c->law, c->row, c->law->mu, s->dt, &scene->problem.spec[k]);
      continue;
    }
    const nsdyn_status status = begin_contact(s, k);
    if (status) {
      return status;
    }
  }
  return NSDYN_OK;
}

/* Whether a contact that slides at the step's end did not do so, in this direction, at its beginning, nor at
 * the end of the step before: a surface that moves has gone on between the two, and where it is driven the
 * slip may have vanished in between, seen by neither. */
static int is_caught(const nsd_scene *scene, const nsd_closed *c)
{
  const double *gamma = scene->problem.gamma + c->row + 1, *xi = scene->solution.xi + c->row + 1;
  if (c->rows == 3) { /* it slid, if at all, against where it slides now */
    const double along = gamma[0] * xi[0] + gamma[1] * xi[1];
    return along <= NSD_CAUGHT * (xi[0] * xi[0] + xi[1] * xi[1]);
  }
  const double gamma_T = gamma[0], xi_T = xi[0];
  const int32_t trace = nsd_history_trace(scene->history, c);
  const int32_t opposite = xi_T > 0.0 ? NSDYN_MODE_SLIP_MINUS : NSDYN_MODE_SLIP_PLUS;
  return (trace >= 0 && nsd_trace_mode(trace) == opposite) || gamma_T * xi_T <= NSD_CAUGHT * (xi_T * xi_T);
}

void nsd_friction_settle(nsd_scene *scene, int *again)
{
  for (int k = 0; k < scene->closed.count; k++) {
    nsd_closed *c = &scene->closed.contact[k];
    if (c->law->friction != NSDYN_FRICTION_STATIC || c->mode < NSDYN_MODE_SLIP_PLUS) {
      continue;
    }
    /* Under μ_static, yet it slides: that is exceeded. Or it slid, and came to rest within the step: μ_static
     * is tried. */
    if (sticks(c)) {
      c->grip = NSD_GRIP_BROKEN;
    } else if (c->grip == NSD_GRIP_SLIDES && is_caught(scene, c)) {
      c->grip = NSD_GRIP_CAUGHT;
    } else {
      continue;
    }
    scene->problem.spec[k].mu = sticks(c) ? c->law->mu_static : c->law->mu;
    *again = 1;
  }
}

nsdyn_status nsd_friction_repeat(nsdyn_stepper *s, int *again)
{
  nsd_scene *scene = &s->scene;
  for (int k = 0; k < scene->closed.count; k++) {
    const nsd_closed *c = &scene->closed.contact[k];
    if (!nsd_contact_law_is_curved(c->law)) {
      continue;
    }
    double gamma_T[NSD_CONTACT_ROWS - 1]; /* at the step's end */
    for (int i = 0; i < c->rows - 1; i++) {
      const int row = c->row + 1 + i;
      gamma_T[i] = scene->solution.xi[row] - scene->problem.shift[row];
    }
    const nsd_contact_spec before = scene->problem.spec[k], *now = &scene->problem.spec[k];
    const nsdyn_status status = nsd_scene_set_friction(scene, k, gamma_T, s->dt, &s->fault);
    if (status) {
      return status;
    }
    /* A fixed point μ = μ(|γ_Tᴱ|) is reached when no coefficient changes. */
    *again |= now->mu != before.mu || now->bound != before.bound;
  }
  return NSDYN_OK;
}
