/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "event/integrator/dopri.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "base/dense.h"
#include "base/kernels/simd.h"
#include "base/tolerances.h"

#define SAFETY 0.9
#define LEAST_FACTOR (1.0 / 3.0) /* of one step's length over the one before */
#define LARGEST_FACTOR 6.0
#define REFUSED_FACTOR 0.25 /* after f asked for a shorter step, or gave no number */
#define MOST_TRIES 400      /* lengths of one step: 3^-400 has left the range of doubles */
#define CALM                                                                                                 \
  1e-3 /* of its size, that a component may change by in a step the estimate of which is not believed */
#define TINY_TICKS 0x1p13    /* of the clock, ε |t| */
#define LEAST_TICKS 64.0     /* of the clock: the shortest step that is tried first */
#define CLOCK_TICKS 2.0      /* that stages may be off by */
#define SUSPECTED_TICKS 16.0 /* times what f changes by in one: more than that is no matter of the clock */
enum { MOST_FORCED = 64 };   /* steps in a row that only the clock can have made bad */
#define STABILITY_LIMIT 6.1  /* h |λ| at the edge of the stability region */
#define STIFF_AFTER 15       /* steps at that edge, */
#define CALM_AFTER 6         /* forgotten after so many inside it */

void nsd_dopri_lay_out(nsd_arena *arena, nsd_dopri *w, int n)
{
  w->n = n;
  w->ld = n > 0 ? (n + NSD_LANES - 1) / NSD_LANES * NSD_LANES : NSD_LANES;
  const size_t ld = (size_t)w->ld;
  w->y = nsd_arena_take(arena, ld, sizeof *w->y);
  w->y_before = nsd_arena_take(arena, ld, sizeof *w->y_before);
  w->rest = nsd_arena_take(arena, ld, sizeof *w->rest);
  w->rest_before = nsd_arena_take(arena, ld, sizeof *w->rest_before);
  w->k = nsd_arena_take(arena, NSD_DOPRI_STAGES * ld, sizeof *w->k);
  w->increment = nsd_arena_take(arena, ld, sizeof *w->increment);
  w->trial = nsd_arena_take(arena, ld, sizeof *w->trial);
  w->cut = nsd_arena_take(arena, ld, sizeof *w->cut);
  w->cut_rest = nsd_arena_take(arena, ld, sizeof *w->cut_rest);
  w->beside = nsd_arena_take(arena, ld, sizeof *w->beside);
  w->extension = nsd_arena_take(arena, 8 * ld, sizeof *w->extension);
}

void nsd_dopri_reset(nsd_dopri *w)
{
  const size_t row = (size_t)w->ld * sizeof(double);
  memset(w->y, 0,
         row); /* what lies behind the n-th element of a row takes part in sums and must be a number */
  memset(w->y_before, 0, row);
  memset(w->rest, 0, row);
  memset(w->rest_before, 0, row);
  memset(w->k, 0, NSD_DOPRI_STAGES * row);
  memset(w->increment, 0, row);
  memset(w->trial, 0, row);
  memset(w->cut, 0, row);
  memset(w->cut_rest, 0, row);
  memset(w->beside, 0, row);
  memset(w->extension, 0, 8 * row);
  w->t = w->t_before = w->h = w->h_next = 0.0;
  w->error_before = NSD_DOPRI_LEAST_ERROR;
  w->error = 0.0;
  w->forced = w->extended = w->trouble = w->code = w->suspicions = w->calm = w->stiff = 0;
  w->steps = w->rejected = w->evaluations = 0;
}

static double *stage(const nsd_dopri *w, int i)
{
  return w->k + (size_t)i * (size_t)w->ld;
}

static nsdyn_status fail(nsd_dopri *w, int trouble)
{
  static const nsdyn_status statuses[] = {NSDYN_OK, NSDYN_ERR_CALLBACK, NSDYN_ERR_CALLBACK_RETRY,
                                          NSDYN_ERR_NOT_FINITE, NSDYN_MAX_ITERATIONS};
  w->trouble = trouble;
  return statuses[trouble];
}

/* Four elements of Σ a k, from the i-th on. */
NSD_INLINE_LANES nsd_lanes sum_of(const nsd_dopri *w, const nsd_dopri_sum *sum, int i)
{
  nsd_lanes s = nsd_lanes_all(sum->term[0].a) * nsd_lanes_load(stage(w, sum->term[0].stage) + i);
  for (int j = 1; j < sum->count; j++) {
    s += nsd_lanes_all(sum->term[j].a) * nsd_lanes_load(stage(w, sum->term[j].stage) + i);
  }
  return s;
}

/* k_i := f at (t, y). */
static int evaluate(nsd_dopri *w, int i, double t, const double *y)
{
  double *slope = stage(w, i);
  w->evaluations++;
  w->code = w->task.f(w->task.user, t, y, slope);
  if (w->code != 0) {
    return w->code < 0 ? NSD_DOPRI_CALLBACK : NSD_DOPRI_REFUSED;
  }
  return nsd_lanes_zero(w->n, slope) == 0.0 ? NSD_DOPRI_FINE : NSD_DOPRI_NO_NUMBER;
}

/* k_i := f(t + c h, y + h Σ a_ij k_j) from the start (t, y) of a step of length h. */
static int run_stage(nsd_dopri *w, int i, double t, const double *y, double h)
{
  const nsd_dopri_stage *at = &nsd_dopri_stages[i];
  const nsd_lanes length = nsd_lanes_all(h);
  for (int l = 0; l < w->ld; l += NSD_LANES) {
    nsd_lanes_store(w->trial + l, nsd_lanes_load(y + l) + length * sum_of(w, &at->sum, l));
  }
  return evaluate(w, i, t + at->c * h, w->trial);
}

/* Stages 1 … 11 of a step from (t, y), then `increment` = Σ b k. */
static int run_stages(nsd_dopri *w, double t, const double *y, double h)
{
  for (int i = 1; i < NSD_DOPRI_END; i++) {
    const int trouble = run_stage(w, i, t, y, h);
    if (trouble) {
      return trouble;
    }
  }
  for (int l = 0; l < w->ld; l += NSD_LANES) {
    nsd_lanes_store(w->increment + l, sum_of(w, &nsd_dopri_stages[NSD_DOPRI_END].sum, l));
  }
  return NSD_DOPRI_FINE;
}

/* to + to_rest := y + rest + h increment, to the nearest (Møller 1965). */
static void add_increment(const nsd_dopri *w, double h, const double *y, const double *rest, double *to,
                          double *to_rest)
{
  for (int i = 0; i < w->n; i++) {
    const double y_i = y[i], more = h * w->increment[i] + rest[i];
    const double sum = y_i + more;
    to[i] = sum;
    to_rest[i] = fabs(y_i) >= fabs(more) ? (y_i - sum) + more : (more - sum) + y_i;
  }
}

/* |value| over what is allowed of component i; 0 where nothing is there to judge. */
static double relative_to_tolerance(const nsd_dopri *w, int i, double value, double size)
{
  const double allowed = w->task.absolute[i] + w->task.relative[i] * size + w->beside[i];
  return value == 0.0 ? 0.0 : fabs(value) / allowed;
}

/* Error of the step y_before → y, as a multiple of what is allowed; NaN or infinite where it is no number. */
static double error_of_step(const nsd_dopri *w, double h, const double *from, const double *to)
{
  double e5 = 0.0, e3 = 0.0;
  int is_number = 1;
  for (int l = 0; l < w->ld; l += NSD_LANES) {
    /* Σ b k less the same sum with weights of lower order: errors of orders 5 and 3, over h. */
    const nsd_lanes d5 = sum_of(w, &nsd_dopri_error_5, l);
    const nsd_lanes d3 = nsd_lanes_load(w->increment + l) - sum_of(w, &nsd_dopri_order_3, l);
    for (int j = 0; j < NSD_LANES && l + j < w->n; j++) {
      const double size = nsd_larger(fabs(from[l + j]), fabs(to[l + j]));
      is_number = is_number && size <= DBL_MAX && fabs(d3[j]) <= DBL_MAX;
      e5 = nsd_larger(e5, relative_to_tolerance(w, l + j, d5[j], size));
      e3 = nsd_larger(e3, relative_to_tolerance(w, l + j, d3[j], size));
    }
  }
  if (!is_number) {
    return INFINITY;
  }
  /* h e5² / √(e5² + 0.01 e3²), written so that no square overflows. */
  const double ratio = e5 > 0.0 ? 0.1 * e3 / e5 : 0.0;
  return h * e5 / sqrt(1.0 + ratio * ratio);
}

/* x^(1/8) */
static double eighth_root(double x)
{
  return sqrt(sqrt(sqrt(x)));
}

/* Next length over this one after a step with this error: 0.9 error^(−1/8) (error before)^(1/32), a PI
 * controller with k_I = 3/32 and k_P = 1/32. */
static double accepted_factor(double error, double error_before)
{
  const double factor = SAFETY * sqrt(sqrt(eighth_root(error_before))) / eighth_root(error);
  return factor < LEAST_FACTOR ? LEAST_FACTOR : factor > LARGEST_FACTOR ? LARGEST_FACTOR : factor;
}

static double rejected_factor(double error)
{
  const double factor = SAFETY / eighth_root(error);
  return factor > LEAST_FACTOR ? factor : LEAST_FACTOR; /* also where the error is no number */
}

/* Length of a first step, from one evaluation after a short Euler step (a variant of Hairer, Nørsett & Wanner
 * 1993, section II.4, that depends on no unit of time): f changes within τ = d1/d2, so y moves by about d1 τ
 * tolerances in that time, of which a step of order 8 may miss (h/τ)^8; that share is to be 0.01. */
static int choose_length(nsd_dopri *w, double t_end)
{
  /* d0 = |y|, d1 = |f|, in tolerances. */
  const double *slope = nsd_dopri_slope(w);
  const double most = nsd_smaller(w->task.longest, t_end - w->t);
  double d0 = 0.0, d1 = 0.0, d2 = 0.0;
  for (int i = 0; i < w->n; i++) {
    d0 = nsd_larger(d0, relative_to_tolerance(w, i, w->y[i], fabs(w->y[i])));
    d1 = nsd_larger(d1, relative_to_tolerance(w, i, slope[i], fabs(w->y[i])));
  }
  if (!(d1 > 0.0 && d1 <= DBL_MAX)) { /* at rest, and nothing known of when that ends */
    w->h_next = 1e-3 * (t_end - w->t);
    return NSD_DOPRI_FINE;
  }
  /* An Euler step so short that y moves by a tolerance, or by 0.01 |y|; d2 = |f(y + probe f) − f(y)|. */
  const double probe = nsd_smaller(nsd_larger(0.01 * d0, 1.0) / d1, most);
  for (int i = 0; i < w->n; i++) {
    w->trial[i] = w->y[i] + probe * slope[i];
  }
  const int trouble = evaluate(w, 0, w->t + probe, w->trial);
  if (trouble == NSD_DOPRI_CALLBACK) {
    return trouble;
  }
  for (int i = 0; i < w->n && !trouble; i++) {
    d2 = nsd_larger(d2, relative_to_tolerance(w, i, stage(w, 0)[i] - slope[i], fabs(w->y[i])));
  }
  /* d1 τ (h/τ)⁸ = 0.01 */
  const double tau = d1 / (d2 / probe);
  const double share = eighth_root(0.01 / (d1 * tau));
  w->h_next = trouble ? 0.1 * probe : d2 > 0.0 && tau * share > 0.0 ? nsd_smaller(tau * share, most) : most;
  return NSD_DOPRI_FINE;
}

nsdyn_status nsd_dopri_start(nsd_dopri *w, const nsd_dopri_task *task, double t, const double *y, double h)
{
  w->task = *task;
  if (!nsd_all_finite(1, w->n, y, w->n) || !isfinite(t)) {
    return fail(w, NSD_DOPRI_NO_NUMBER);
  }
  w->t = w->t_before = t;
  for (int i = 0; i < w->n; i++) {
    w->y[i] = w->y_before[i] = y[i];
    w->rest[i] = w->rest_before[i] = 0.0;
  }
  w->h = 0.0;
  w->h_next = h;
  w->error_before = NSD_DOPRI_LEAST_ERROR;
  w->error = 0.0;
  w->extended = w->suspicions = w->calm = w->stiff = w->forced = 0;
  return fail(w, evaluate(w, NSD_DOPRI_END, t, w->y));
}

nsdyn_status nsd_dopri_replace(nsd_dopri *w, const double *y)
{
  double *slope = stage(w, NSD_DOPRI_END + 1);
  const int trouble = evaluate(w, NSD_DOPRI_END + 1, w->t, y);
  if (!trouble) {
    for (int i = 0; i < w->n; i++) {
      w->y[i] = y[i];
      w->rest[i] = 0.0;
      stage(w, NSD_DOPRI_END)[i] = slope[i];
    }
  }
  return fail(w, trouble);
}

/* h |λ| of the dominant eigenvalue, from two evaluations at the step's end; 0 where rounding hides it. */
static double stability_of_step(const nsd_dopri *w, double h, const double *to)
{
  const double *slope = stage(w, NSD_DOPRI_END + 1), *last = stage(w, NSD_DOPRI_END - 1);
  double difference = 0.0, distance = 0.0;
  for (int i = 0; i < w->n; i++) {
    const double size = fabs(to[i]), apart = fabs(to[i] - w->trial[i]);
    /* |λ| is about |f(y₁) − f(y₂)| / |y₁ − y₂|, for the last stage and the end, which lie close together. */
    difference = nsd_larger(difference, relative_to_tolerance(w, i, slope[i] - last[i], size));
    distance = nsd_larger(distance,
                          apart > 64.0 * DBL_EPSILON * size ? relative_to_tolerance(w, i, apart, size) : 0.0);
  }
  return distance > 0.0 ? h * difference / distance : 0.0;
}

static void watch_stability(nsd_dopri *w, double h_lambda)
{
  if (h_lambda > STABILITY_LIMIT) {
    w->calm = 0;
    w->stiff = w->stiff || ++w->suspicions >= STIFF_AFTER;
  } else if (w->suspicions > 0 && ++w->calm >= CALM_AFTER) {
    w->suspicions = 0;
  }
}

static void swap(double **a, double **b)
{
  double *const c = *a;
  *a = *b;
  *b = c;
}

/* The candidate in y_before becomes the state; its slope stands behind that of the end. */
static void accept(nsd_dopri *w, double t, double h, double error)
{
  w->error = error;
  swap(&w->y, &w->y_before);
  swap(&w->rest, &w->rest_before);
  memcpy(stage(w, NSD_DOPRI_END), stage(w, NSD_DOPRI_END + 1), (size_t)w->ld * sizeof(double));
  w->t_before = w->t;
  w->t = t;
  w->h = h;
  w->extended = 0;
  w->steps++;
}

/* The clock ticks by ε |t|, so that a stage is evaluated some ticks beside its time. Whether that may be what
 * the estimate sees: were f to change with time alone, it would change as it does from stage to stage. */
static int may_be_ticks(const nsd_dopri *w)
{
  const double tick = DBL_EPSILON * fabs(w->t);
  for (int i = 0; i < w->n; i++) {
    double change = 0.0;
    for (int j = 1; j < NSD_DOPRI_END; j++) {
      change = nsd_larger(change, fabs(stage(w, j)[i] - stage(w, 0)[i]));
    }
    if (SUSPECTED_TICKS * tick * change > w->task.absolute[i] + w->task.relative[i] * fabs(w->y[i])) {
      return 1;
    }
  }
  return 0;
}

/* What ticks make of a step of length h, as errors that are allowed beside the tolerance. With
 *
 *   Δ = f(t + h, y) − f(t, y),      ε |t| ∂f/∂t h = ε |t| Δ
 *
 * is the change of y by a tick, and f(t, y + h Δ) − f(t, y) what that makes of what follows, as velocities
 * do of coordinates. f that does not depend on t has none. Two evaluations; where
 * one of them fails, none is allowed. */
static int measure_ticks(nsd_dopri *w, double h)
{
  const double *slope = stage(w, NSD_DOPRI_END + 1);
  int trouble = evaluate(w, NSD_DOPRI_END + 1, w->t + h, w->y);
  for (int i = 0; i < w->n && !trouble; i++) {
    w->cut_rest[i] = slope[i] - stage(w, 0)[i];
    w->cut[i] = w->y[i] + h * w->cut_rest[i];
  }
  trouble = trouble ? trouble : evaluate(w, NSD_DOPRI_END + 1, w->t, w->cut);
  for (int i = 0; i < w->n; i++) {
    const double change = trouble ? 0.0 : fabs(w->cut_rest[i]) + fabs(slope[i] - stage(w, 0)[i]);
    w->beside[i] += CLOCK_TICKS * DBL_EPSILON * fabs(w->t) * change;
  }
  return trouble == NSD_DOPRI_CALLBACK ? trouble : NSD_DOPRI_FINE;
}

/* A component that rests, or begins to move, has no size that an error could be a share of, while its slope
 * is a sum of terms that have one, to rounding. It may err by a share of what those make of it in the step:
 *
 *   velocities:   h max |u̇|,         coordinates:   h max |q̇|·ε + h² max |q̈|.
 *
 * It falls with the step, so that what moves is soon judged by its own size. */
static void allow_for_rest(nsd_dopri *w, double h)
{
  const nsd_dopri_task *task = &w->task;
  for (int i = 0; task->drive && i < w->n; i++) {
    w->beside[i] = i < task->calm_from
                       ? h * (NSD_DOPRI_REST_ROUNDING * task->drive[i] + task->rest * h * task->bend[i])
                       : h * task->rest * task->drive[i];
  }
}

/* A step of length h to `t`, candidate in y_before. Its error goes out, also NaN or infinite. */
static int try_step(nsd_dopri *w, double t, double h, double *error)
{
  *error = INFINITY;
  /* 1. y₁ = y + h Σ b_i k_i and its error. */
  int trouble = run_stages(w, w->t, w->y, h);
  if (trouble) {
    return trouble;
  }
  add_increment(w, h, w->y, w->rest, w->y_before, w->rest_before);
  *error = error_of_step(w, h, w->y, w->y_before);
  if (*error > 1.0 && *error <= DBL_MAX) {
    /* 2. Too large: shares that rounding and the clock can have in it are allowed, one after the other. */
    allow_for_rest(w, h);
    *error = error_of_step(w, h, w->y, w->y_before);
    if (*error > 1.0 && w->task.doubt) {
      w->task.doubt(w->task.user, h, w->beside);
      *error = error_of_step(w, h, w->y, w->y_before);
    }
    if (*error > 1.0 && may_be_ticks(w)) {
      trouble = measure_ticks(w, h);
      *error = trouble ? INFINITY : error_of_step(w, h, w->y, w->y_before);
    }
    memset(w->beside, 0, (size_t)w->n * sizeof *w->beside);
  }
  if (trouble || !(*error <= 1.0)) {
    return trouble;
  }
  /* 3. f at the end: the first stage of the next step, and the slope that the extension needs. */
  return evaluate(w, NSD_DOPRI_END + 1, t, w->y_before);
}

/* What follows an accepted step: how long the next one may be. `planned`: what this one would have been
 * if it had not come close to t_end. */
static void plan_next(nsd_dopri *w, double planned, double error, int rejections)
{
  const double factor = accepted_factor(error, w->error_before);
  const double proposed = w->h * (rejections > 0 ? nsd_smaller(factor, 1.0) : factor);
  w->h_next = rejections > 0 ? proposed : nsd_larger(proposed, planned);
  w->error_before = nsd_larger(error, NSD_DOPRI_LEAST_ERROR);
}

/* Whether the slopes, from component `calm_from` on, change so little over the step that ticks of the clock
 * explain the estimate: it is no singularity that the steps close in on. */
static int is_calm(const nsd_dopri *w)
{
  const double tick = DBL_EPSILON * fabs(w->t);
  for (int i = w->task.calm_from; i < w->n; i++) {
    const double change = fabs(stage(w, NSD_DOPRI_END + 1)[i] - stage(w, 0)[i]);
    if (!(tick * change <= CALM * w->task.absolute[i])) {
      return 0;
    }
  }
  return 1;
}

nsdyn_status nsd_dopri_step(nsd_dopri *w, double t_end)
{
  /* 1. The length: what the step before has planned, or a first guess. */
  int trouble = w->h_next > 0.0 ? NSD_DOPRI_FINE : choose_length(w, t_end);
  if (trouble) {
    return fail(w, trouble);
  }
  if (w->forced == 0) { /* what was planned, or cut short by t_end, may be less than the clock can tell */
    w->h_next = nsd_larger(w->h_next, LEAST_TICKS * DBL_EPSILON * fabs(w->t));
  }
  memcpy(stage(w, 0), nsd_dopri_slope(w), (size_t)w->ld * sizeof(double));
  double h = nsd_smaller(w->h_next, w->task.longest);
  const double planned = h;
  for (int rejections = 0; rejections < MOST_TRIES; rejections++) {
    /* 2. A little farther than h is better than a tiny step behind it. */
    const int is_last = w->t + 1.01 * h >= t_end;
    /* In some thousand ticks of the clock nothing happens that an order 8 would miss: what the estimate sees
     * there are the ticks. It goes on, but not for ever. */
    const int is_tiny = !(h > TINY_TICKS * DBL_EPSILON * fabs(w->t));
    if (!is_last && is_tiny && (w->forced >= MOST_FORCED || !(h > 8.0 * DBL_EPSILON * fabs(w->t)))) {
      break;
    }
    const double t = is_last ? t_end : w->t + h;
    double error;
    h = t - w->t;
    trouble = try_step(w, t, h, &error);
    if (!trouble && is_tiny && error > 1.0 && error <= DBL_MAX && w->forced < MOST_FORCED) {
      trouble = evaluate(w, NSD_DOPRI_END + 1, t, w->y_before);
      if (!trouble && is_calm(w)) {
        accept(w, t, h, error);
        w->h_next = 16.0 * h;
        w->forced++;
        return fail(w, NSD_DOPRI_FINE);
      }
    }
    /* 3. Accepted: the next length by the controller. */
    if (!trouble && error <= 1.0) {
      w->forced = is_tiny ? w->forced : 0;
      watch_stability(w, stability_of_step(w, h, w->y_before));
      accept(w, t, h, error);
      plan_next(w, is_last ? planned : 0.0, error, rejections);
      return fail(w, NSD_DOPRI_FINE);
    }
    if (trouble == NSD_DOPRI_CALLBACK) {
      return fail(w, trouble);
    }
    /* 4. Rejected: times 0.9 error^(−1/8), or a quarter of it where f could not answer. */
    w->rejected++;
    h *= trouble ? REFUSED_FACTOR : rejected_factor(error);
  }
  return fail(w, trouble ? trouble : NSD_DOPRI_TOO_SHORT);
}

nsdyn_status nsd_dopri_cut(nsd_dopri *w, double t_event)
{
  NSD_ASSERT(t_event > w->t_before);
  const double h = t_event - w->t_before;
  /* All stages again over the shorter h: order 8 at the event, where the extension has only 7. */
  int trouble = run_stages(w, w->t_before, w->y_before, h);
  if (!trouble) {
    add_increment(w, h, w->y_before, w->rest_before, w->cut, w->cut_rest);
    trouble = nsd_all_finite(1, w->n, w->cut, w->n) ? evaluate(w, NSD_DOPRI_END + 1, t_event, w->cut)
                                                    : NSD_DOPRI_NO_NUMBER;
  }
  if (!trouble) {
    const size_t row = (size_t)w->n * sizeof(double);
    memcpy(w->y, w->cut, row);
    memcpy(w->rest, w->cut_rest, row);
    memcpy(stage(w, NSD_DOPRI_END), stage(w, NSD_DOPRI_END + 1), row);
    w->t = t_event;
    w->h = h;
  }
  return fail(w, trouble);
}

void nsd_dopri_undo(nsd_dopri *w, double h)
{
  swap(&w->y, &w->y_before);
  swap(&w->rest, &w->rest_before);
  memcpy(stage(w, NSD_DOPRI_END), stage(w, 0), (size_t)w->ld * sizeof(double));
  w->t = w->t_before;
  w->h = 0.0;
  w->h_next = h;
  w->extended = 0;
  w->steps--;
}

static double *coefficient(const nsd_dopri *w, int i)
{
  return w->extension + (size_t)i * (size_t)w->ld;
}

nsdyn_status nsd_dopri_extend(nsd_dopri *w)
{
  /* 1. Three stages more. */
  for (int i = NSD_DOPRI_END + 1; i < NSD_DOPRI_STAGES; i++) {
    const int trouble = run_stage(w, i, w->t_before, w->y_before, w->h);
    if (trouble) {
      return fail(w, trouble);
    }
  }
  /* 2. c₀ … c₃: y and y′ are met at both ends (Hermite). */
  const double *slope_before = nsd_dopri_slope_before(w), *slope = nsd_dopri_slope(w);
  for (int i = 0; i < w->n; i++) {
    const double rise = w->y[i] - w->y_before[i];
    const double excess = w->h * slope_before[i] - rise;
    coefficient(w, 0)[i] = w->y_before[i];
    coefficient(w, 1)[i] = rise;
    coefficient(w, 2)[i] = excess;
    coefficient(w, 3)[i] = rise - w->h * slope[i] - excess;
  }
  /* 3. c₄ … c₇ = h Σ d_ij k_j raise the order to 7. */
  for (int j = 0; j < 4; j++) {
    for (int l = 0; l < w->ld; l += NSD_LANES) {
      nsd_lanes_store(coefficient(w, 4 + j) + l, nsd_lanes_all(w->h) * sum_of(w, &nsd_dopri_dense[j], l));
    }
  }
  w->extended = 1;
  return fail(w, NSD_DOPRI_FINE);
}

/* The extension is y = c₀ + θ (c₁ + (1 − θ) (c₂ + θ (c₃ + …))). What it lacks begins with c₈ θ⁴ (1 − θ)⁴, of
 * which the coefficients before tell the size: they fall like those of a power series. */
double nsd_dopri_extension_error(const nsd_dopri *w)
{
  double e[3] = {0.0, 0.0, 0.0}; /* of c₅, c₆, c₇ */
  for (int i = 0; i < w->n; i++) {
    const double size = nsd_larger(fabs(w->y_before[i]), fabs(w->y[i]));
    for (int j = 0; j < 3; j++) {
      e[j] = nsd_larger(e[j], relative_to_tolerance(w, i, coefficient(w, 5 + j)[i], size));
    }
  }
  const double ratio = nsd_larger(e[1] > 0.0 ? e[2] / e[1] : 2.0, e[0] > 0.0 ? e[1] / e[0] : 2.0);
  return e[2] * nsd_smaller(ratio, 2.0) / 256.0; /* θ⁴ (1 − θ)³ is 1/119 at most */
}

void nsd_dopri_at(const nsd_dopri *w, double theta, double *y)
{
  NSD_ASSERT(w->extended);
  const double left = 1.0 - theta;
  const double *c0 = coefficient(w, 0), *c1 = coefficient(w, 1), *c2 = coefficient(w, 2),
               *c3 = coefficient(w, 3);
  const double *c4 = coefficient(w, 4), *c5 = coefficient(w, 5), *c6 = coefficient(w, 6),
               *c7 = coefficient(w, 7);
  NSD_SIMD
  for (int i = 0; i < w->n; i++) {
    const double inner = c4[i] + theta * (c5[i] + left * (c6[i] + theta * c7[i]));
    y[i] = c0[i] + theta * (c1[i] + left * (c2[i] + theta * (c3[i] + left * inner)));
  }
}
