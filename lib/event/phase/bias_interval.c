/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Over which time w̄ is differenced: not so long that what is smooth is missed, nor so short that rounding is
 * all there is. */
#include "event/phase/bias_interval.h"

#include <math.h>

#include "base/kernels/simd.h"
#include "base/tolerances.h"

enum { MOST_AGAIN = 4, HOLD = 8 };

#define BIAS_SHARE 0x1p-10 /* of a moment or the run, over which w̄ is differenced at first */
#define ROUNDED 0.25       /* of an error: rounding in it, beside which no shorter time would help */
/* Times what rounding makes of γ in a callback: allowed, so that steps are long enough to judge by. */
#define DOUBTED 8.0
#define NOISE_SEEN 4.0     /* times the rounding of callbacks that was seen: it may be more elsewhere */
#define MUCH_SHORTER 4.0   /* a time that tells rounding from what is smooth */
#define STRAY_BY_TOL 16.0  /* times the tolerance: velocities of what is closed at a step's end, */
#define EXPLAINED 64.0     /* or times the error that the integrator estimates */
#define MOST_BIAS 0.125    /* of a step, that w̄ is differenced over */
#define LEAST_BIAS 0x1p-14 /* of a moment: the same where steps are cut short */

/* What w̄ of a row is a part of, in the row's own units, whatever those of its coordinates. Both of
 *
 *   γ̇ = w u̇ + w̄,      G λ = γ̇ − c,   c = w M⁻¹ h + w̄
 *
 * say it: the largest w u̇ so far, and the largest loads so far in the metric of M, √(hᵀ M⁻¹ h). Loads as
 * large as one likes may cancel each other through a constraint, and nothing moves; near Painlevé's boundary
 * forces and u̇ are much larger than what they come from. Errors are a share of the smaller one; rounding,
 * which no time can avoid, of the larger one, `force`: where a contact's w̄ is nothing but rounding, of what
 * its force balances, other rows must not wait for it. */
static double size_of_bias(const nsdyn_event_driver *d, int row, double *force)
{
  const nsd_acceleration *m = &d->phase.motion;
  const int nu = d->sys->def.nu;
  const double *w = m->scene.directions.W + (size_t)row * (size_t)nu;
  const double load = d->bias.scale * sqrt(nsd_acceleration_row(m, row)[row]);
  double size = 0.0;
  for (int j = 0; j < nu; j++) {
    size += fabs(w[j]) * nsd_larger(d->scales.gained[j], fabs(m->a[j]));
  }
  *force = fmax(fmax(size, load), m->bias[row].size);
  return fmax(fmin(size, load), m->bias[row].size);
}

/* How large the terms of a row's γ may become: by the velocities so far, and by how fast its coordinates
 * could go through their sizes. What dwells has no velocity of its own, and its directions may vanish. */
static double size_of_motion(const nsdyn_event_driver *d, int row)
{
  const nsd_scene *scene = &d->phase.motion.scene;
  const int nq = d->sys->def.nq, nu = d->sys->def.nu;
  const double *w = scene->directions.W + (size_t)row * (size_t)nu;
  double size = fabs(scene->directions.w_hat[row]);
  for (int j = 0; j < nu; j++) {
    /* |w_j| times the larger one of the largest |u_j| and ω |q_j|. */
    const double pace = d->sys->def.kinematics ? 0.0 : d->scales.pace * d->scales.size[j];
    size += fabs(w[j]) * nsd_larger(d->scales.size[nq + j], pace);
  }
  return size;
}

/* What callbacks may round a row's γ by: nothing beside the motion, or what was seen of it. */
static double rounding_of_speed(const nsdyn_event_driver *d, int row)
{
  const double seen = NOISE_SEEN * d->bias.noise * sqrt(nsd_acceleration_row(&d->phase.motion, row)[row]);
  return fmax(NSD_CALLBACK_ROUNDING * size_of_motion(d, row), seen);
}

/* The rounding of a row's w̄: of the terms of γ, and inside callbacks. Of what is smooth over the time d, with
 * rates ω, differences of orders 5 and 6 are (ωd)⁵ and (ωd)⁶, and their shares in w̄
 *
 *   error (ωd)⁴/30,      grain (ωd)⁵/28 < ROUNDED error      while error < NSD_BIAS_UNRESOLVED w̄,
 *
 * whereas rounding has as much of both. Where w̄ itself vanishes, rounding is known by changes of γ that are
 * nothing beside the motion. */
static double rounding_of(const nsdyn_event_driver *d, int row, double size)
{
  const nsd_bias *b = &d->phase.motion.bias[row];
  if (!(b->grain > ROUNDED * b->error)) {
    return b->terms;
  }
  const int is_grain =
      b->error < NSD_BIAS_UNRESOLVED * size || b->grain * d->phase.motion.bias_dt < rounding_of_speed(d, row);
  return is_grain ? fmax(b->terms, b->grain) : b->terms;
}

/* The largest error of a row's w̄ beside its terms, of those in which it is not rounding, and of those in
 * which it is. */
static double worst_bias(const nsdyn_event_driver *d, int *row, double *rounded)
{
  double worst = 0.0;
  *rounded = 0.0;
  *row = -1;
  for (int r = 0; r < d->phase.motion.scene.closed.rows; r++) {
    const nsd_bias *b = &d->phase.motion.bias[r];
    double force;
    const double size = size_of_bias(d, r, &force);
    const double share = size > 0.0 ? b->error / size : 0.0;
    if (rounding_of(d, r, size) >= ROUNDED * b->error) {
      *rounded = fmax(*rounded, force > 0.0 ? b->error / force : 0.0);
    } else if (share > worst) {
      worst = share;
      *row = r;
    }
  }
  return worst;
}

/* Whether w̄ was differenced over much too long a time in the last step. */
static int is_biased(const nsdyn_event_driver *d)
{
  double rounded;
  int row;
  return d->phase.motion.is_measured && d->bias.hold == 0 && worst_bias(d, &row, &rounded) > NSD_BIAS_MOST;
}

/* A shorter time did not help its row: what both stencils differ by is rounding, or a jump. Back to the time
 * before, for a while; but not to one that is nothing but too long. Over many turns of a crank a shorter time
 * helps no more than one beside a jump, and only what steps were good with, or what both stencils agreed on
 * but for little, is known to be short enough. */
static int take_back(nsd_phase *phase, nsd_bias_time *bias)
{
  nsd_acceleration *m = &phase->motion;
  const int row = bias->row;
  bias->row = -1;
  if (row < 0 || row >= m->scene.closed.rows || !(m->bias[row].error > 0.5 * bias->error) ||
      (bias->share > NSD_BIAS_MOST && bias->before > bias->proved)) {
    return 0;
  }
  m->bias_dt = bias->before;
  bias->hold = HOLD;
  return 1;
}

/* A shorter time for w̄, but not one in which rounding of γ makes more than NSD_BIAS_GOAL of what forces
 * balance. Returns whether it is shorter by much. */
static int shorten_bias(const nsdyn_event_driver *d, nsd_phase *phase, double time)
{
  nsd_acceleration *m = &phase->motion;
  const double before = m->bias_dt;
  for (int r = 0; r < m->scene.closed.rows; r++) {
    double force;
    (void)size_of_bias(d, r, &force);
    /* Rounding of w̄ grows as 1/time: times below terms · before / (goal · force) would make it too large. */
    const double noise = d->bias.noise * sqrt(nsd_acceleration_row(m, r)[r]);
    time = force > 0.0 ? fmax(time, fmax(m->bias[r].terms * before, noise) / (NSD_BIAS_GOAL * force)) : time;
  }
  m->bias_dt = fmin(time, before);
  return time < 0.6 * before;
}

/* Over which w̄ is differenced. Order 4 is to miss by NSD_BIAS_GOAL of a row's accelerations so far, order 6
 * misses by the 3/2-th power of that; shorter times would show rounding instead. Returns whether it was
 * changed by much. */
int nsd_bias_time_tune(const nsdyn_event_driver *d, nsd_phase *phase, nsd_bias_time *bias)
{
  nsd_acceleration *m = &phase->motion;
  const double before = m->bias_dt;
  if (!m->is_measured) {
    return 0;
  }
  /* 1. The largest load so far in the metric of M: √(hᵀ M⁻¹ h), which is load / √G_rr but for w̄. */
  for (int r = 0; r < m->scene.closed.rows; r++) {
    const double G = nsd_acceleration_row(m, r)[r], load = nsd_acceleration_load_size(m, r);
    bias->scale = G > 0.0 && isfinite(load) ? fmax(bias->scale, load / sqrt(G)) : bias->scale;
  }
  double rounded;
  int row;
  const double worst = worst_bias(d, &row, &rounded);
  bias->hold -= bias->hold > 0;
  const int is_back = take_back(phase, bias);
  /* 2. Too large an error: it falls as time⁴, so the time takes the factor (goal / error)^(1/4) >= 1/8. */
  if (!is_back && bias->hold == 0 && worst > 4.0 * NSD_BIAS_GOAL && worst > rounded) {
    bias->row = row;
    bias->error = m->bias[row].error;
    bias->share = worst;
    bias->before = m->bias_dt;
    (void)shorten_bias(d, phase, fmax(sqrt(sqrt(NSD_BIAS_GOAL / worst)), 0.125) * m->bias_dt);
  } else if (!is_back && worst < fmax(0.1 * NSD_BIAS_GOAL, 0.0625 * rounded)) {
    /* 3. An error far below the goal is paid for with rounding: twice the time, within a share of the step.
     * Rounding makes steps short, and must not be made larger by the times that follow them. */
    const double last = rounded > fmax(worst, NSD_BIAS_GOAL) ? d->run.most_dt : d->run.last_dt;
    const double most =
        fmax(MOST_BIAS * last, fmin(LEAST_BIAS * nsd_phase_moment(d), MOST_BIAS * d->run.most_dt));
    m->bias_dt = fmax(m->bias_dt, fmin(2.0 * m->bias_dt, most));
  }
  nsd_acceleration_forget_bias(m);
  return m->bias_dt < 0.6 * before || m->bias_dt > 1.6 * before;
}

void nsd_bias_time_begin(const nsdyn_event_driver *d, nsd_phase *phase)
{
  const double moment = nsd_phase_moment(d);
  if (!(phase->motion.bias_dt > 0.0)) { /* the first of all */
    const double run = d->run.end - d->t, time = moment > 0.0 ? moment : run > 0.0 ? run : 1.0;
    phase->motion.bias_dt =
        fmin(BIAS_SHARE * time, run > 0.0 ? fmax(BIAS_SHARE * run, NSD_BIAS_LEAST_TIME * time) : time);
  }
  nsd_acceleration_forget_bias(&phase->motion);
}

/* The largest δ⁶γ of a row, over √G, of differences over `time`. */
static double largest_grain(const nsd_acceleration *m, double time)
{
  double most = 0.0;
  for (int r = 0; m->is_measured && r < m->scene.closed.rows; r++) {
    const double G = nsd_acceleration_row(m, r)[r];
    most = G > 0.0 ? fmax(most, m->bias[r].grain * time / sqrt(G)) : most;
  }
  return most;
}

/* A step in which w̄ was differenced over too long a time, `before`: once more. Of what is smooth, differences
 * of order 6 fall as the sixth power of the time, at a kink as the time: what hardly falls over a much
 * shorter one is rounding within callbacks, as of 1 − cos ωt where a motion begins. Beside that motion it may
 * be large. */
static nsdyn_status step_again(nsd_phase *phase, nsd_bias_time *bias, double before, double grain,
                               double t_end)
{
  const nsd_acceleration *m = &phase->motion;
  const double planned = phase->dopri.h_next;
  nsd_dopri_undo(&phase->dopri, phase->dopri.h);
  nsd_acceleration_forget_bias(&phase->motion);
  nsdyn_status status = nsd_dopri_replace(&phase->dopri, phase->dopri.y);
  status = status ? status : nsd_dopri_step(&phase->dopri, t_end);
  phase->dopri.h_next = fmax(phase->dopri.h_next, status ? 0.0 : planned);
  const double now = largest_grain(m, m->bias_dt);
  if (!status && grain > 0.0 && m->bias_dt <= before / MUCH_SHORTER && now > 0.5 * grain) {
    bias->noise = fmax(bias->noise, now);
  }
  return status;
}

/* Where coordinates have different units, a time guessed from their sizes may be many turns of a crank, and
 * both stencils agree on nonsense: w̄ is differenced within the longest step. Returns whether the last step
 * has to be done again. */
static int cap_bias(const nsdyn_event_driver *d, nsd_phase *phase)
{
  const double most = fmax(d->run.most_dt, phase->dopri.h);
  return phase->motion.bias_dt > most && shorten_bias(d, phase, MOST_BIAS * most);
}

/* γ of what is closed at the end of the last step, over what the integrator may have missed of it. It is zero
 * where w̄ is right, whatever both stencils say. */
static double stray(const nsdyn_event_driver *d)
{
  const nsd_acceleration *m = &d->phase.motion;
  const nsd_scene *scene = &m->scene;
  const double *u = d->phase.dopri.y + d->sys->def.nq;
  const double tol =
      fmax(fmax(STRAY_BY_TOL, EXPLAINED * d->phase.dopri.error) * d->options.tol, NSD_STAY_LEAST);
  double most = 0.0;
  for (int r = 0; m->is_measured && r < scene->closed.rows; r++) {
    if (m->bias[r].size > 0.0 && scene->problem.gamma[r] != 0.0 && nsd_acceleration_keeps(m, r)) {
      const double size =
          fmax(nsd_phase_size_of_speed(d, r, u), nsd_acceleration_gain(m, r, d->phase.dopri.h));
      /* γ̇ = 0 was asked for: γ shows the error of w̄, beside what integration and clock explain. */
      const double noise = d->bias.noise * sqrt(nsd_acceleration_row(m, r)[r]);
      most = fmax(most, fabs(scene->problem.gamma[r]) /
                            (tol * size + 8.0 * (nsd_phase_tick_of_speed(d, r) + noise)));
    }
  }
  return most;
}

/* The step once more, over shorter times for w̄, as long as they are too long. */
nsdyn_status nsd_bias_time_refine(const nsdyn_event_driver *d, nsd_phase *phase, nsd_bias_time *bias,
                                  double t_end)
{
  nsd_acceleration *m = &phase->motion;
  /* 1. A time that is longer than any step says nothing about the motion. */
  const double first = m->bias_dt, grain = largest_grain(m, first);
  nsdyn_status status = cap_bias(d, phase) ? step_again(phase, bias, first, grain, t_end) : NSDYN_OK;
  /* 2. Both stencils disagree by too much: again with a shorter time. */
  for (int again = 0; !status && again < MOST_AGAIN && is_biased(d); again++) {
    const double before = m->bias_dt, seen = largest_grain(m, before);
    (void)nsd_bias_time_tune(d, phase, bias);
    status = step_again(phase, bias, before, seen, t_end);
    again = m->bias_dt < before ? again : MOST_AGAIN; /* shorter times did not help */
  }
  /* 3. They agree, but γ has left zero: an error of order 4 asks for a time shorter by the fourth root. */
  double strays = status ? 0.0 : stray(d);
  for (int again = 0; !status && again < MOST_AGAIN && strays > 1.0; again++) {
    const double before = m->bias_dt, strayed = strays, seen = largest_grain(m, before);
    if (!shorten_bias(d, phase, fmax(1.0 / sqrt(sqrt(strays)), 0.125) * before)) {
      break;
    }
    status = step_again(phase, bias, before, seen, t_end);
    strays = status ? 0.0 : stray(d);
    if (strays > 0.5 * strayed) { /* at a kink, or by rounding */
      m->bias_dt = before;
      status = status || strays < strayed ? status : step_again(phase, bias, 0.0, 0.0, t_end);
      break;
    }
  }
  /* 4. A time that passed both tests is known to be good: later trials may come back to it. */
  double rounded;
  int row;
  if (!status && m->is_measured && worst_bias(d, &row, &rounded) <= NSD_BIAS_MOST && strays <= 1.0) {
    bias->proved = m->bias_dt;
  }
  /* A longer time is for the next step, which will be judged by it: forces at the end of this one are those
   * that it was good with. */
  const double judged = m->bias_dt;
  (void)nsd_bias_time_tune(d, phase, bias);
  bias->next = m->bias_dt;
  m->bias_dt = fmin(m->bias_dt, judged);
  return status;
}

/* nsd_dopri_doubt. A callback for directions may round within itself by more than the terms of γ say, as a
 * polynomial with large coefficients does near its root; then w̄ is differenced from that, and no step meets a
 * tolerance below it. For rounding δ of row r's w̄
 *
 *   G_rr δλ = −δ,      δu̇ = M⁻¹ w_r δλ,
 *
 * of which a step makes h δu̇ of velocities and h² δu̇ of coordinates. More than NSD_CALLBACK_ROUNDING is no
 * rounding, but a step whose stages have gone astray. */
void nsd_bias_time_doubt(void *user, double h, double *beside)
{
  nsdyn_event_driver *d = user;
  nsd_acceleration *m = &d->phase.motion;
  const nsd_scene *scene = &m->scene;
  const int nq = d->sys->def.nq, nu = d->sys->def.nu;
  double *unit = m->full, *none = d->phase.y_next, *rise = d->run.before, *du = d->instant.u_work;
  if (!m->is_measured) {
    return;
  }
  nsd_fill_zero(scene->closed.rows, unit);
  nsd_fill_zero(nu, none);
  nsd_fill_zero(nu, rise);
  for (int r = 0; r < scene->closed.rows; r++) {
    double force;
    const double G = nsd_acceleration_row(m, r)[r], inside = rounding_of_speed(d, r) / m->bias_dt;
    const double noise = fmin(rounding_of(d, r, size_of_bias(d, r, &force)), inside);
    if (G > 0.0 && noise > 0.0 && nsd_acceleration_keeps(m, r)) {
      /* δλ of this row, by what its w̄ may be off; δu̇ = M⁻¹ w_r δλ, summed over the rows. */
      unit[r] = noise / G;
      nsd_scene_velocities(scene, &m->inertia, none, unit, du);
      unit[r] = 0.0;
      for (int j = 0; j < nu; j++) {
        rise[j] += fabs(du[j]);
      }
    }
  }
  const double speed = nsd_lanes_norm(nu, d->scales.size + nq), most = nsd_lanes_norm(nu, rise);
  /* h δu̇ for velocities, h² δu̇ for coordinates, are allowed beside the tolerance. */
  for (int j = 0; j < nq; j++) {
    const double bend = !d->sys->def.kinematics ? rise[j]
                        : speed > 0.0           ? d->scales.rate[j] / speed * most
                                                : most;
    beside[j] += DOUBTED * h * h * bend;
  }
  for (int j = 0; j < nu; j++) {
    beside[nq + j] += DOUBTED * h * rise[j];
  }
}
