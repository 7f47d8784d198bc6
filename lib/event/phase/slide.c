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
 * which lags behind it, is off by O(t³/T²), the angle δ. Friction against γ_T takes this back within
 * s/(r ‖λ_T‖); what is lost along γ_T it does not: r ‖λ_T‖ δ² t/2, which has to be within the tolerance. */
#include <float.h>
#include <math.h>

#include "base/safe_scalar.h"
#include "contact/planar/states.h"
#include "contact/space/polygon_cell.h"
#include "event/internal.h"

#define STILL 16.0        /* times the noise of γ_T: what counts as zero */
#define FALLS 0.7         /* of ‖γ_T‖, by which it may change in a step */
#define DAMPED 3.0        /* times the time in which friction turns e */
#define SLACK 0.1         /* share of the tolerance */
#define SHORTEST 128.0    /* ticks of the clock */
#define MOST_LOAD 0x1p100 /* times friction, beside which it is nothing */
#define BEGINS 0x1p-10    /* share of what a load makes of rest in the longest step: the size of γ_T */

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
  const double longest = fmax(nsd_phase_own_time(d), d->run.most_dt);
  double size = 0.0;
  for (int r = 0; r < 2; r++) {
    /* Of a motion that begins from rest nothing is known but its load. */
    size = fmax(size, fmax(nsd_phase_size_of_speed(d, T + r, d->u),
                           BEGINS * nsd_acceleration_gain(m, T + r, longest)));
  }
  return d->options.tol * size;
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

void nsd_slide_keep(const nsd_phase *phase, const nsd_instant *instant, nsd_tracks *tracks)
{
  const nsd_acceleration *m = &phase->motion;
  for (int k = 0; k < m->scene.closed.count; k++) {
    if (m->scene.closed.contact[k].rows == 3 && m->starts[k]) {
      nsd_track *track = &tracks->track[instant->happening[k].track];
      track->slip[0] = m->scene.problem.spec[k].slip[0];
      track->slip[1] = m->scene.problem.spec[k].slip[1];
    }
  }
}

/* ---- what is watched ----------------------------------------------------------------------------------- */

/* In a cell of a polygon: γ_T stays between the normals of the sides of a corner; on a side it points out of
 * it, and Λ_T stays there. `force`: of λ_N. */
static void watch_cell(const nsdyn_event_driver *d, nsd_phase *phase, nsd_tracks *tracks, int k, double force)
{
  const nsd_acceleration *m = &phase->motion;
  const nsd_closed *c = &m->scene.closed.contact[k];
  const nsd_contact_spec *spec = &m->scene.problem.spec[k];
  const double *weight = tracks->track[d->instant.happening[k].track].weight;
  const double slack = SLACK * d->options.tol;
  double rounding = 0.0, own = 0.0;
  for (int r = 1; r < 3; r++) {
    const double G = nsd_acceleration_row(m, c->row + r)[c->row + r];
    rounding = fmax(rounding, NSD_EVENT_SPEED_NOISE * nsd_event_function_size_of_speed(d, tracks, k, r));
    rounding = fmax(rounding, nsd_phase_tick_of_speed(d, c->row + r));
    own = fmax(own, nsd_phase_size_of_speed(d, c->row + r, d->u) + d->run.last_dt * weight[r] * G);
  }
  const int is_side = nsd_polygon_is_side(nsd_acceleration_cell(m, k));
  for (int side = 0; side < (is_side ? 1 : 2); side++) {
    const nsd_event_function speed = {
        .kind = NSD_EVENT_FUNCTION_SPEED, .which = k, .sign = side ? -1.0 : 1.0};
    nsd_event_function_add(&phase->kinematic, NSD_EVENT_FUNCTION_SPEED, k, speed.sign,
                           nsd_event_function_noise(nsd_slide_speed(phase, &speed), rounding, slack * own));
  }
  for (int end = 0; is_side && end < 2; end++) {
    const nsd_event_function inside = {
        .kind = NSD_EVENT_FUNCTION_LIMIT, .which = k, .sign = end ? -1.0 : 1.0};
    const double size = force * (1.0 + spec->mu) + spec->bound + fmax(weight[1], weight[2]);
    nsd_event_function_add(&phase->dynamic, NSD_EVENT_FUNCTION_LIMIT, k, inside.sign,
                           nsd_event_function_noise(nsd_slide_limit(phase, &inside),
                                                    NSD_EVENT_FORCE_NOISE * size, slack * size));
  }
}

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
  if (c->mode == NSDYN_MODE_SLIP && nsd_acceleration_cell(&phase->motion, k) >= 0) {
    watch_cell(d, phase, tracks, k, force);
  } else if (c->mode == NSDYN_MODE_SLIP && phase->motion.starts[k]) {
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
    const double longest = fmax(nsd_phase_own_time(d), d->run.most_dt),
                 *Lambda_T = scene->solution.Lambda + T;
    const double drag = row_stiffness(&phase->motion, T) * nsd_norm_plane(Lambda_T[0], Lambda_T[1]);
    const double least = fmax(nsd_slide_still(d, k, d->u), NSD_SLIDING_STIFF * drag * longest);
    nsd_event_function_add(&phase->kinematic, NSD_EVENT_FUNCTION_SPEED, k, 1.0,
                           nsd_event_function_noise(nsd_slide_speed(phase, &along), rounding, slack * own));
    phase->motion.astray[k] = least;
    nsd_event_function_add(&phase->dynamic, NSD_EVENT_FUNCTION_TURN, k, nsd_slide_astray(d, k),
                           0x1p-20 * least * least);
    /* And e · γ̇_T: where that vanishes γ̇_T turns, and e is the direction of γ_T. */
    const double rise = press * row_stiffness(&phase->motion, T);
    const nsd_event_function lags = {.kind = NSD_EVENT_FUNCTION_TURN, .which = k, .sign = -1.0};
    nsd_event_function_add(
        &phase->dynamic, NSD_EVENT_FUNCTION_TURN, k, -1.0,
        nsd_event_function_noise(nsd_slide_turn(phase, &lags), NSD_EVENT_FORCE_NOISE * rise, slack * rise));
  } else if (c->mode == NSDYN_MODE_SLIP) {
    /* 2. ‖γ_T‖² − what counts as zero. */
    const double still = nsd_slide_still(d, k, d->u);
    nsd_event_function_add(&phase->kinematic, NSD_EVENT_FUNCTION_SPEED, k, still,
                           NSD_SQUARE_NOISE * still * still);
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
  const int32_t cell = nsd_acceleration_cell(&phase->motion, watch->which);
  if (cell >= 0) {
    const nsd_contact_spec *spec = &scene->problem.spec[watch->which];
    const int is_side = nsd_polygon_is_side(cell), before = watch->sign < 0.0;
    double along[2], n[2];
    (void)nsd_polygon_side(spec, is_side ? cell : nsd_polygon_side_at(spec, cell, before), along, n);
    /* On a side γ_T · n; at a corner −γ_T · e of the side that begins there, γ_T · e of the one that ends. */
    return is_side ? n[0] * gamma_T[0] + n[1] * gamma_T[1]
                   : -watch->sign * (along[0] * gamma_T[0] + along[1] * gamma_T[1]);
  }
  return phase->motion.starts[watch->which]
             ? e[0] * gamma_T[0] + e[1] * gamma_T[1]
             : gamma_T[0] * gamma_T[0] + gamma_T[1] * gamma_T[1] - watch->sign * watch->sign;
}

double nsd_slide_turn(const nsd_phase *phase, const nsd_event_function *watch)
{
  const nsd_scene *scene = &phase->motion.scene;
  const int T = scene->closed.contact[watch->which].row + 1;
  const double *gamma_T = scene->problem.gamma + T, *e = scene->problem.spec[watch->which].slip;
  const double *Lambda_T = scene->solution.Lambda + T;
  double rise[2];
  for (int r = 0; r < 2; r++) {
    rise[r] =
        scene->problem.c[T + r] +
        nsd_dot(scene->closed.rows, nsd_acceleration_row(&phase->motion, T + r), scene->solution.Lambda);
  }
  if (watch->sign < 0.0) {
    return e[0] * rise[0] + e[1] * rise[1];
  }
  /* Friction that is off γ_T by the angle δ slows it down by r ‖λ_T‖ δ²/2 too little, in the time 2 s/‖γ̇_T‖
   * that it took: what the tolerance allows. Of friction that is nothing beside the load all may be allowed,
   * but no value beyond numbers. */
  const double across = e[0] * gamma_T[1] - e[1] * gamma_T[0], speed = nsd_norm_plane(gamma_T[0], gamma_T[1]);
  const double drag = row_stiffness(&phase->motion, T) * nsd_norm_plane(Lambda_T[0], Lambda_T[1]);
  const double load = nsd_norm_plane(rise[0], rise[1]);
  const double most = drag > 0.0 ? watch->sign * speed * fmin(load / drag, MOST_LOAD) : 0.0;
  /* Beside a load that friction does not master γ_T is not brought back either: what friction is off across
   * it, r ‖λ_T‖ δ in that time, stays, and is to be within the tolerance itself. Nor may it be off by more
   * than a half, where friction is so little that it turns nothing at all. */
  const double kept = drag > 0.0 ? fmin(0.5 * watch->sign * load / drag, 0.5 * speed) : 0.0;
  const double allowed = drag < NSD_SLIDING_MASTERS * load ? fmin(most, kept * kept) : most;
  const double least = phase->motion.astray[watch->which];
  return allowed + least * least - across * across;
}

double nsd_slide_limit(const nsd_phase *phase, const nsd_event_function *watch)
{
  const nsd_contact_spec *spec = &phase->motion.scene.problem.spec[watch->which];
  const double *Lambda = phase->motion.scene.solution.Lambda + spec->row, *axis = spec->space->axis;
  const double limit = spec->mu * fabs(Lambda[0]) + spec->bound;
  const int32_t cell = nsd_acceleration_cell(&phase->motion, watch->which);
  if (spec->sliding && cell >= 0) { /* how far Λ_T is from either end of its side */
    const double share = nsd_polygon_share(spec, cell, spec->slip);
    return limit * (watch->sign > 0.0 ? share : 1.0 - share);
  }
  if (nsd_polygon_is(spec)) {
    const double against[2] = {-Lambda[1], -Lambda[2]};
    return watch->sign > 0.0 ? nsd_polygon_inside(spec, limit, against) : 0.0;
  }
  const double x = axis[0] * Lambda[1] + axis[1] * Lambda[2];
  const double y = (axis[0] * Lambda[2] - axis[1] * Lambda[1]) / spec->space->aspect;
  /* ((μ |λ_N| + a)² − x² − y²/a²) over a force. */
  return watch->sign > 0.0 ? (limit * limit - x * x - y * y) / watch->sign : 0.0;
}
