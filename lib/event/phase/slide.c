/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Sliding in space. Friction acts against γ_T, whose direction e turns by itself: with s = ‖γ_T‖
 *
 *   ds/dt = e · γ̇_T,   s de/dt = γ̇_T − (e · γ̇_T) e,
 *
 * so that e changes within s/‖γ̇_T‖, and friction brings it back to where the load points within s/(r ‖λ_T‖).
 * Two ends of it are singular.
 *
 * s → 0. Where friction can hold, γ_T comes to zero in a finite time, turning ever faster; where it cannot,
 * γ_T passes near zero. Steps are shares of both times above, so that they get shorter with s down to what
 * rounding makes of γ_T, which is called zero.
 *
 * s = 0, as it begins to slide. Where the load has just come to the friction limit, s grows as t² only, and
 * friction brings e back within a time that grows with it: a stiff equation, of which no step gets anywhere.
 * So friction acts against γ̇_T at first, the law that holds at s = 0 (phase/acceleration_space.c): along the
 * e that γ_T is brought back to. If the load turns over the time T, ṡ = O(t/T), e turns by O(t/T), and γ_T,
 * which lags behind it, is off by O(t³/T²). Friction against γ_T takes this back within s/(r ‖λ_T‖), so that
 * what remains of it is O(t⁴): γ_T may be off by the tolerance to the power 3/4. */
#include <float.h>
#include <math.h>

#include "base/safe_scalar.h"
#include "contact/planar/states.h"
#include "event/internal.h"

#define STILL 16.0       /* times the noise of γ_T: what counts as zero */
#define FALLS 0.7        /* of ‖γ_T‖, by which it may change in a step */
#define DAMPED 3.0       /* times the time in which friction turns e */
#define SLACK 0.1        /* share of the tolerance */
#define SHORTEST 128.0   /* ticks of the clock */
#define MOST_ASTRAY 1e-4 /* of the terms of γ_T */

static double row_stiffness(const nsd_acceleration *m, int T)
{
  return nsd_contact_stiffness(nsd_acceleration_row(m, T)[T], nsd_acceleration_row(m, T + 1)[T + 1]);
}

double nsd_slide_still(const nsdyn_event_driver *d, int k, const double *u)
{
  const int T = d->phase.motion.scene.closed.contact[k].row + 1;
  double noise = 0.0;
  for (int r = T; r < T + 2; r++) {
    noise = fmax(noise, NSD_EVENT_SPEED_NOISE * nsd_phase_size_of_speed(d, r, u));
    noise = fmax(noise, nsd_phase_tick_of_speed(d, r));
  }
  return STILL * noise;
}

double nsd_slide_astray(const nsdyn_event_driver *d, int k)
{
  const nsd_acceleration *m = &d->phase.motion;
  const int T = m->scene.closed.contact[k].row + 1;
  const double own = nsd_phase_own_time(d);
  double size = 0.0;
  for (int r = T; r < T + 2; r++) {
    size = fmax(size, fmax(nsd_phase_size_of_speed(d, r, d->u), nsd_acceleration_gain(m, r, own)));
  }
  /* What remains is the power 4/3 of it. */
  const double share = sqrt(d->options.tol * sqrt(d->options.tol));
  return fmin(share, MOST_ASTRAY) * size;
}

double nsd_slide_longest_step(const nsdyn_event_driver *d)
{
  const nsd_acceleration *m = &d->phase.motion;
  const nsd_scene *scene = &m->scene;
  double longest = INFINITY;
  for (int k = 0; k < scene->closed.count; k++) {
    const nsd_closed *c = &scene->closed.contact[k];
    const int T = c->row + 1;
    if (c->rows < 3 || c->mode != NSDYN_MODE_SLIP || m->starts[k] ||
        !nsd_contact_has_friction(&scene->problem.spec[k])) {
      continue;
    }
    double rise[2];
    for (int r = 0; r < 2; r++) { /* γ̇_T = G λ + c */
      rise[r] = scene->problem.c[T + r] +
                nsd_dot(scene->closed.rows, nsd_acceleration_row(m, T + r), scene->solution.Lambda);
    }
    const double speed = nsd_closed_speed(c, scene->problem.gamma + T);
    const double drag =
        row_stiffness(m, T) * nsd_norm_plane(scene->solution.Lambda[T], scene->solution.Lambda[T + 1]);
    const double gamma_dot = nsd_norm_plane(rise[0], rise[1]);
    longest = fmin(longest, gamma_dot > 0.0 ? FALLS * speed / gamma_dot : INFINITY);
    longest = fmin(longest, drag > 0.0 ? DAMPED * speed / drag : INFINITY);
  }
  return fmax(longest, SHORTEST * DBL_EPSILON * fabs(d->phase.dopri.t));
}

/* ---- what is watched ----------------------------------------------------------------------------------- */

void nsd_slide_watch(const nsdyn_event_driver *d, nsd_phase *phase, nsd_tracks *tracks, int k, double force)
{
  const nsd_scene *scene = &phase->motion.scene;
  const nsd_closed *c = &scene->closed.contact[k];
  const nsd_contact_spec *spec = &scene->problem.spec[k];
  const int T = c->row + 1;
  const double slack = SLACK * d->options.tol;
  const double *weight = tracks->track[d->instant.happening[k].track].weight;
  const double press = nsd_larger(nsd_event_function_size_of_force(d, tracks, k, 1),
                                  nsd_event_function_size_of_force(d, tracks, k, 2));
  if (c->mode == NSDYN_MODE_SLIP && phase->motion.starts[k]) {
    /* 1. It begins: γ_T along the way that it began to go, and how far it is off the present one. */
    double rounding = 0.0, own = 0.0;
    for (int r = 0; r < 2; r++) {
      rounding =
          fmax(rounding, NSD_EVENT_SPEED_NOISE * nsd_event_function_size_of_speed(d, tracks, k, 1 + r));
      rounding = fmax(rounding, nsd_phase_tick_of_speed(d, T + r));
      own =
          fmax(own, nsd_phase_size_of_speed(d, T + r, d->u) +
                        d->run.last_dt * weight[1 + r] * nsd_acceleration_row(&phase->motion, T + r)[T + r]);
    }
    const nsd_event_function along = {.kind = NSD_EVENT_FUNCTION_SPEED, .which = k, .sign = 1.0};
    const double off = nsd_slide_astray(d, k);
    nsd_event_function_add(&phase->kinematic, NSD_EVENT_FUNCTION_SPEED, k, 1.0,
                           nsd_event_function_noise(nsd_slide_speed(phase, &along), rounding, slack * own));
    nsd_event_function_add(&phase->dynamic, NSD_EVENT_FUNCTION_TURN, k, off, 0x1p-20 * off * off);
    /* And e · γ̇_T: where that vanishes γ̇_T turns, and e is the direction of γ_T. */
    const double rise = press * row_stiffness(&phase->motion, T);
    nsd_event_function_add(&phase->dynamic, NSD_EVENT_FUNCTION_TURN, k, -1.0, NSD_EVENT_FORCE_NOISE * rise);
  } else if (c->mode == NSDYN_MODE_SLIP) {
    /* 2. ‖γ_T‖² − what counts as zero. */
    const double still = nsd_slide_still(d, k, d->u);
    nsd_event_function_add(&phase->kinematic, NSD_EVENT_FUNCTION_SPEED, k, still, 0.25 * still * still);
  } else if (nsd_state_sticks(scene->solution.state[k])) {
    /* 3. The friction limit, by squares over what it is now. */
    const double limit = spec->mu * fabs(scene->solution.Lambda[c->row]) + spec->bound;
    const double size = force * (1.0 + spec->mu) + spec->bound + press;
    const double own = weight[0] * (1.0 + spec->mu) + spec->bound + fmax(weight[1], weight[2]);
    const double unit = limit > 0.0 ? limit : size;
    const nsd_event_function inside = {.kind = NSD_EVENT_FUNCTION_LIMIT, .which = k, .sign = unit};
    nsd_event_function_add(&phase->dynamic, NSD_EVENT_FUNCTION_LIMIT, k, unit,
                           nsd_event_function_noise(unit > 0.0 ? nsd_slide_limit(phase, &inside) : 0.0,
                                                    NSD_EVENT_FORCE_NOISE * size, slack * own));
  }
}

double nsd_slide_speed(const nsd_phase *phase, const nsd_event_function *watch)
{
  const nsd_scene *scene = &phase->motion.scene;
  const double *gamma_T = scene->problem.gamma + scene->closed.contact[watch->which].row + 1;
  const double *e = phase->motion.way[watch->which];
  return phase->motion.starts[watch->which]
             ? e[0] * gamma_T[0] + e[1] * gamma_T[1]
             : gamma_T[0] * gamma_T[0] + gamma_T[1] * gamma_T[1] - watch->sign * watch->sign;
}

double nsd_slide_turn(const nsd_phase *phase, const nsd_event_function *watch)
{
  const nsd_scene *scene = &phase->motion.scene;
  const int T = scene->closed.contact[watch->which].row + 1;
  const double *gamma_T = scene->problem.gamma + T, *e = scene->problem.spec[watch->which].slip;
  if (watch->sign < 0.0) {
    double rise[2];
    for (int r = 0; r < 2; r++) {
      rise[r] =
          scene->problem.c[T + r] +
          nsd_dot(scene->closed.rows, nsd_acceleration_row(&phase->motion, T + r), scene->solution.Lambda);
    }
    return e[0] * rise[0] + e[1] * rise[1];
  }
  const double across = e[0] * gamma_T[1] - e[1] * gamma_T[0];
  return watch->sign * watch->sign - across * across;
}

double nsd_slide_limit(const nsd_phase *phase, const nsd_event_function *watch)
{
  const nsd_contact_spec *spec = &phase->motion.scene.problem.spec[watch->which];
  const double *Lambda = phase->motion.scene.solution.Lambda + spec->row, *axis = spec->space->axis;
  const double limit = spec->mu * fabs(Lambda[0]) + spec->bound;
  const double x = axis[0] * Lambda[1] + axis[1] * Lambda[2];
  const double y = (axis[0] * Lambda[2] - axis[1] * Lambda[1]) / spec->space->aspect;
  /* ((μ |λ_N| + a)² − x² − y²/a²) over a force. */
  return watch->sign > 0.0 ? (limit * limit - x * x - y * y) / watch->sign : 0.0;
}
