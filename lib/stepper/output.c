/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "stepper/output.h"

#include <math.h>

#include "stepper/scheme/scheme.h"

enum { PROGRESS_OUTPUTS = 1024 };

nsdyn_status nsd_output_prepare(nsdyn_stepper *s, const nsdyn_stepper_options *options)
{
  if (!options->output || s->output_state) {
    return NSDYN_OK;
  }
  s->output_state =
      nsd_allocate(s->ctx, (size_t)s->sys->def.nq + 2 * (size_t)s->sys->def.nu + 1, sizeof *s->output_state);
  return s->output_state ? NSDYN_OK : NSDYN_ERR_NOMEM;
}

void nsd_output_release(nsdyn_stepper *s)
{
  nsd_release(s->ctx, s->output_state, (size_t)s->sys->def.nq + 2 * (size_t)s->sys->def.nu + 1,
              sizeof *s->output_state);
  s->output_state = NULL;
}

void nsd_output_skip(nsdyn_stepper *s, double t, int with_t)
{
  if (!s->options.output) {
    return;
  }
  /* The count that is right but for rounding, then one by one. */
  const double skipped = floor((t - s->output_begin) / s->options.output_dt) - 1.0;
  s->outputs = skipped > (double)s->outputs && skipped <= NSD_OUTPUT_MOST ? (int64_t)skipped : s->outputs;
  while (nsd_output_next(s) < t || (with_t && nsd_output_next(s) <= t)) {
    s->outputs++;
  }
}

int nsd_output_jumps(const nsdyn_stepper *s)
{
  for (int k = 0; k < s->scene.closed.count && s->solved; k++) {
    const nsd_closed *c = &s->scene.closed.contact[k];
    if (c->mode != NSDYN_MODE_OPEN && !nsd_trace_pressed(nsd_history_trace(&s->history, c))) {
      return 1;
    }
  }
  return 0;
}

/* ---- between the ends of a step ---- */

/* u := (1 − share) a + share b. */
static void mix(int n, const double *a, const double *b, double share, double *u)
{
  for (int j = 0; j < n; j++) {
    u[j] = (1.0 - share) * a[j] + share * b[j];
  }
}

/* A step in which velocities jump at tᴹ: the way at uᴬ from its beginning, or back at uᴱ from its end. */
static nsdyn_status beside_jump(nsdyn_stepper *s, const nsd_output_step *step, double t, double *q, double *u)
{
  const int nu = s->sys->def.nu;
  const int is_before = t < step->t_middle;
  nsd_rows_copy(1, nu, is_before ? step->u_begin : step->u_end, u);
  return is_before ? nsd_scheme_move(s, step->t_begin, step->q_begin, u, t - step->t_begin, q)
                   : nsd_scheme_move(s, step->t_end, step->q_end, u, t - step->t_end, q);
}

/* A smooth one, where q̇ = N(q) u: from the nearer end with the mean of u on the way. */
static nsdyn_status along(nsdyn_stepper *s, const nsd_output_step *step, double t, double *q, double *u)
{
  const int nu = s->sys->def.nu;
  double *mean = u + nu;
  const int is_first = t - step->t_begin < step->t_end - t;
  mix(nu, is_first ? step->u_begin : step->u_end, u, 0.5, mean);
  return is_first ? nsd_scheme_move(s, step->t_begin, step->q_begin, mean, t - step->t_begin, q)
                  : nsd_scheme_move(s, step->t_end, step->q_end, mean, t - step->t_end, q);
}

static nsdyn_status interpolate(nsdyn_stepper *s, const nsd_output_step *step, double t, double *q, double *u)
{
  const nsdyn_system_def *def = &s->sys->def;
  const double dt = step->t_end - step->t_begin, tau = t - step->t_begin, share = tau / dt;
  if (step->jumps) {
    return beside_jump(s, step, t, q, u);
  }
  /* u(τ) = (1 − s) uᴬ + s uᴱ. */
  mix(def->nu, step->u_begin, step->u_end, share, u);
  if (!nsd_system_is_flat(def)) {
    return along(s, step, t, q, u);
  }
  /* q(τ) = qᴬ + τ (uᴬ + u(τ))/2 + s (qᴱ − qᴬ − Δt (uᴬ + uᴱ)/2). */
  for (int j = 0; j < def->nq; j++) {
    const double a = step->q_begin[j],
                 rest = (step->q_end[j] - a) - 0.5 * dt * (step->u_begin[j] + step->u_end[j]);
    q[j] = a + 0.5 * tau * (step->u_begin[j] + u[j]) + share * rest;
  }
  return NSDYN_OK;
}

/* ---- to the user ---- */

/* Times that the clock cannot tell from this one are left out. */
static nsdyn_status put_out(nsdyn_stepper *s, double t, const double *q, const double *u)
{
  do {
    s->outputs++;
  } while (nsd_output_next(s) <= t);
  return s->options.output(s->options.user, t, q, u) ? NSDYN_STOPPED : NSDYN_OK;
}

nsdyn_status nsd_output_within(nsdyn_stepper *s, const nsd_output_step *step)
{
  double *q = s->output_state, *u = q + s->sys->def.nq;
  nsdyn_status status = NSDYN_OK;
  int count = 0;
  for (double t; !status && (t = nsd_output_next(s)) < step->t_end;) {
    status = interpolate(s, step, t, q, u);
    status = status ? status : put_out(s, t, q, u);
    if (!status && ++count % PROGRESS_OUTPUTS == 0) { /* a long step may hold millions of them */
      status =
          nsd_progress(s->ctx, "nsdyn_stepper_advance", (t - step->t_begin) / (step->t_end - step->t_begin));
    }
  }
  if (status) { /* of what is left of the step no more is told */
    nsd_output_skip(s, s->t, 0);
  }
  return status;
}

nsdyn_status nsd_output_state(nsdyn_stepper *s)
{
  return nsd_output_next(s) <= s->t ? put_out(s, s->t, s->q, s->u) : NSDYN_OK;
}

nsdyn_status nsd_output_last(nsdyn_stepper *s)
{
  if (!s->shows) {
    return NSDYN_OK;
  }
  const nsd_output_step step = {.t_begin = s->t_begin,
                                .t_middle = s->t_middle,
                                .t_end = s->t,
                                .q_begin = s->q_begin,
                                .u_begin = s->u_begin,
                                .q_end = s->q,
                                .u_end = s->u,
                                .jumps = s->jumps};
  const nsdyn_status status = nsd_output_within(s, &step);
  return status ? status : nsd_output_state(s);
}
