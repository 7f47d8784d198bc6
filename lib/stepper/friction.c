/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Coefficients in force. Two of them with hysteresis (Stewart 2000, section 4.3): what sticks goes on under
 * the static one until that is exceeded; what slides, under the dynamic one, until its velocity vanishes. A
 * time step only sees that the velocity would change its sign, and that is where bricks on a ramp would slide
 * back: the static coefficient is tried then. */
#include <math.h>

#include "contact/law.h"
#include "stepper/stepper.h"

static int32_t friction_of(const nsdyn_contact_law *law)
{
  switch (law->friction) {
  case NSDYN_FRICTION_NONE:
    return NSD_FRICTION_NONE;
  case NSDYN_FRICTION_BOUND:
    return NSD_FRICTION_GIVEN;
  default:
    return NSD_FRICTION_LOAD;
  }
}

static nsdyn_status curve_at(nsdyn_stepper *s, const nsd_closed *c, double speed, double *mu)
{
  return nsd_call_curve(c->law, nsd_closed_subject(c), fabs(speed), mu, &s->fault);
}

/* What a brake, or a given force, bounds the impulse by; the coefficient of a given force is 1. */
static double bound_of(const nsdyn_stepper *s, const nsdyn_contact_law *law, double mu)
{
  return law->bound * mu * s->dt;
}

static double of_grip(const nsd_closed *c)
{
  const int is_static = c->grip == NSD_GRIP_HELD || c->grip == NSD_GRIP_CAUGHT;
  return is_static ? c->law->mu_static : c->law->mu;
}

nsdyn_status nsd_friction_begin(nsdyn_stepper *s)
{
  nsd_scene *scene = &s->scene;
  scene->problem.has_two_coefficients = 0;
  for (int k = 0; k < scene->closed.count; k++) {
    nsd_closed *c = &scene->closed.contact[k];
    const nsdyn_contact_law *law = c->law;
    nsd_contact_spec spec = {.mu = law->mu, .row = c->row, .friction = friction_of(law), .kind = law->kind};
    if (law->friction == NSDYN_FRICTION_NONE) {
      spec.mu = 0.0;
    } else if (law->friction == NSDYN_FRICTION_BOUND) {
      double mu = 1.0;
      const nsdyn_status status =
          law->curve ? curve_at(s, c, scene->problem.gamma[c->row + 1], &mu) : NSDYN_OK;
      if (status) {
        return status;
      }
      spec.mu = 0.0;
      spec.bound = bound_of(s, law, mu);
    } else if (law->friction == NSDYN_FRICTION_STATIC) {
      const int32_t trace = nsd_history_trace(&s->history, c);
      c->grip = trace >= 0 && nsd_trace_mode(trace) == NSDYN_MODE_STICK ? NSD_GRIP_HELD : NSD_GRIP_SLIDES;
      spec.mu = of_grip(c);
      scene->problem.has_two_coefficients = 1;
    } else if (law->friction == NSDYN_FRICTION_CURVE) {
      const nsdyn_status status = curve_at(s, c, scene->problem.gamma[c->row + 1], &spec.mu);
      if (status) {
        return status;
      }
    }
    scene->problem.spec[k] = spec;
  }
  return NSDYN_OK;
}

/* Whether a contact that slides at the step's end did not do so, in this direction, at its beginning, nor at
 * the end of the step before: a surface that moves has gone on between the two, and where it is driven the
 * slip may have vanished in between, seen by neither. */
static int is_caught(const nsd_scene *scene, const nsd_closed *c)
{
  const double gamma_T = scene->problem.gamma[c->row + 1], xi_T = scene->solution.xi[c->row + 1];
  const int32_t trace = nsd_history_trace(scene->history, c);
  const int32_t opposite = xi_T > 0.0 ? NSDYN_MODE_SLIP_MINUS : NSDYN_MODE_SLIP_PLUS;
  return (trace >= 0 && nsd_trace_mode(trace) == opposite) || gamma_T * xi_T <= 1e-9 * (xi_T * xi_T);
}

void nsd_friction_settle(nsd_scene *scene, int *again)
{
  for (int k = 0; k < scene->closed.count; k++) {
    nsd_closed *c = &scene->closed.contact[k];
    if (c->law->friction != NSDYN_FRICTION_STATIC || c->mode < NSDYN_MODE_SLIP_PLUS) {
      continue;
    }
    if (c->grip == NSD_GRIP_HELD || c->grip == NSD_GRIP_CAUGHT) {
      c->grip = NSD_GRIP_BROKEN;
    } else if (c->grip == NSD_GRIP_SLIDES && is_caught(scene, c)) {
      c->grip = NSD_GRIP_CAUGHT;
    } else {
      continue;
    }
    scene->problem.spec[k].mu = of_grip(c);
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
    const int row = c->row + 1;
    double mu;
    const nsdyn_status status = curve_at(s, c, scene->solution.xi[row] - scene->problem.shift[row], &mu);
    if (status) {
      return status;
    }
    double *in_force = &scene->problem.spec[k].mu;
    if (c->law->friction == NSDYN_FRICTION_BOUND) {
      in_force = &scene->problem.spec[k].bound;
      mu = bound_of(s, c->law, mu);
    }
    *again |= mu != *in_force;
    *in_force = mu;
  }
  return NSDYN_OK;
}
