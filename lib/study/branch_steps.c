/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "study/branch_steps.h"

#include <math.h>

#include "base/dense.h"

enum { MOST_TRIES = 40, MOST_FAILURES = 12, BLIND_FAILURES = 6, MOST_POINTS = 5 };

#define FAR 0.25      /* in scales: between two values cycles of one branch are seldom so far apart */
#define NEAR 0.1      /* those of a walk have to be closer, */
#define STEADY 2.0    /* or not to move faster along the parameter than so many times as before */
#define MOST_OF 0.75  /* of the distance of two cycles: as far one half-way may be from either */
#define AHEAD 0.7     /* of the way to a graze, where the next cycle is looked for */
#define GROWS 3.0     /* times the last step, as long as nothing is in the way */
#define RETRY 0.25    /* from so much closer, a cycle that was not found is looked for again */
#define PLAUSIBLE 8.0 /* times the way to where the branch has ended: a graze farther on is not its end */
#define TOLD 0.02     /* of the way to a graze: a last correction that still tells where it is */
#define SURETY 4.0    /* times the last correction, which may have become small by chance */
#define SLOWER 4.0    /* times that for impacts that fade: cycles with slow impacts are found less well */
#define CLOSE 1e-3    /* of the way to a value: a walk that ends there has not come to it */
#define NOISE 64.0    /* times the driver's tolerance and a scale: of gaps and speeds of a cycle */

/* ---- what the cycles before tell ----------------------------------------------------------------------- */

void nsd_branch_steps_add(nsd_branch_steps *trail, double value, const nsd_profile *profile)
{
  if (trail->count == NSD_BRANCH_STEPS) {
    trail->count--;
    for (int i = 0; i < trail->count; i++) {
      trail->value[i] = trail->value[i + 1];
      trail->profile[i] = trail->profile[i + 1];
    }
  }
  trail->value[trail->count] = value;
  trail->profile[trail->count] = *profile;
  trail->count++;
}

static const nsd_approach *approach_of(const nsd_branch_steps *trail, int i, int is_slow)
{
  return is_slow ? &trail->profile[i].slow : &trail->profile[i].low;
}

/* A time after the section, of a cycle whose approach may have passed it since another time. */
static double unwrapped(double at, double near, double period)
{
  /* A whole number of periods more or less. */
  return period > 0.0 ? at + floor((near - at) / period + 0.5) * period : at;
}

/* The parameter at which an approach is zero, and when in the cycle, by Neville's scheme in the approach: x_i
 * newest first, falling towards the newest. */
static int predict(const nsd_branch_steps *trail, int is_slow, int direction, nsd_graze *graze)
{
  double x[MOST_POINTS], P[MOST_POINTS], at[MOST_POINTS], before = 0.0;
  int n = 0;
  const nsd_approach *newest = approach_of(trail, trail->count - 1, is_slow);
  const double period = trail->profile[trail->count - 1].period;
  /* The same contact, and values that fall towards the newest: only then
   * the parameter is a function of the approach. */
  for (int i = trail->count - 1; i >= 0 && n < MOST_POINTS; i--, n++) {
    const nsd_approach *a = approach_of(trail, i, is_slow);
    if (!isfinite(a->value) || a->contact != newest->contact || a->key != newest->key ||
        (n > 0 && !(a->value > x[n - 1]))) {
      break;
    }
    x[n] = a->value;
    P[n] = trail->value[i];
    at[n] = unwrapped(a->at, newest->at, trail->profile[i].period);
  }
  if (n < 2) {
    return 0;
  }
  /* Neville: P_i..i+m at x = 0 from P_i..i+m−1 and P_i+1..i+m. The last change is the error's estimate. */
  for (int m = 1; m < n; m++) {
    before = P[0];
    for (int i = 0; i + m < n; i++) {
      P[i] = (x[i + m] * P[i] - x[i] * P[i + 1]) / (x[i + m] - x[i]);
      at[i] = (x[i + m] * at[i] - x[i] * at[i + 1]) / (x[i + m] - x[i]);
    }
  }
  graze->value = P[0];
  graze->bound = fabs(P[0] - before);
  graze->at = unwrapped(at[0], 0.5 * period, period);
  graze->approach = *newest;
  /* A graze that lies behind does not count. */
  return (P[0] - trail->value[trail->count - 1]) * direction >= 0.0;
}

int nsd_branch_steps_predict(const nsd_branch_steps *trail, int direction, nsd_graze *graze)
{
  nsd_graze both[2];
  if (trail->count < 2) {
    return 0;
  }
  const int is_low = predict(trail, 0, direction, &both[0]);
  const int is_slow = predict(trail, 1, direction, &both[1]);
  if (!is_low && !is_slow) {
    return 0;
  }
  /* Whichever comes first on the way. */
  *graze = both[!is_low || (is_slow && (both[1].value - both[0].value) * direction < 0.0)];
  return 1;
}

/* ---- one cycle kept ------------------------------------------------------------------------------------ */

void nsd_branch_keep(nsdyn_cycle *c)
{
  nsd_kept *kept = &c->kept;
  nsd_cycle_copy(c, c->here.y, kept->y);
  nsd_cycle_copy(c, c->scale, kept->scale);
  for (int k = 0; k < c->count; k++) {
    kept->lambda[2 * k] = c->lambda[2 * k];
    kept->lambda[2 * k + 1] = c->lambda[2 * k + 1];
    kept->error[k] = c->lambda_error[k];
  }
  for (int i = 0; i < c->nq; i++) {
    kept->shift[i] = c->shift[i];
  }
  kept->forcing = c->options.forcing;
  kept->delay = c->delay;
  kept->lasted = c->lasted;
  kept->period = c->period;
  kept->behind = c->behind;
  kept->report = c->report;
}

void nsd_branch_revert(nsdyn_cycle *c, int searched)
{
  const nsd_kept *kept = &c->kept;
  const int64_t returns = c->report.returns;
  /* A search that has succeeded has left the snapshot it began with, that of the kept cycle, in `next`. */
  if (searched) {
    const nsd_snapshot snapshot = c->here.snapshot;
    c->here.snapshot = c->next.snapshot;
    c->next.snapshot = snapshot;
  }
  nsd_cycle_copy(c, kept->y, c->here.y);
  nsd_cycle_copy(c, kept->y, c->state);
  nsd_cycle_copy(c, kept->scale, c->scale);
  for (int k = 0; k < c->count; k++) {
    c->lambda[2 * k] = kept->lambda[2 * k];
    c->lambda[2 * k + 1] = kept->lambda[2 * k + 1];
    c->lambda_error[k] = kept->error[k];
  }
  for (int i = 0; i < c->nq; i++) {
    c->shift[i] = kept->shift[i];
  }
  c->options.forcing = kept->forcing;
  c->delay = kept->delay;
  c->lasted = kept->lasted;
  c->period = kept->period;
  c->behind = kept->behind;
  c->report = kept->report;
  c->report.returns = returns;
  c->stands = 0;
}

double nsd_branch_distance(const nsdyn_cycle *c)
{
  double largest = 0.0;
  for (int k = 0; k < c->count; k++) {
    const int i = c->unknown[k];
    double change = c->here.y[i] - c->kept.y[i];
    if (i == 0) {
      /* By whole periods of the forcing, and in the period of now. */
      const double share = c->here.y[0] / c->options.forcing - c->kept.y[0] / c->kept.forcing;
      change = (share - floor(share + 0.5)) * c->options.forcing;
    }
    largest = fmax(largest, fabs(change) / c->scale[i]);
  }
  return largest;
}

int nsd_branch_hits_others(const nsd_branch_steps *trail, const nsd_profile *profile)
{
  const nsd_profile *before = &trail->profile[trail->count - 1];
  return profile->impacts != before->impacts || profile->who != before->who;
}

/* Whether its impacts are others, or it takes more or fewer periods of the forcing. */
static int is_of_others(const nsdyn_cycle *c, const nsd_branch_steps *trail, const nsd_profile *profile)
{
  return nsd_branch_hits_others(trail, profile) || c->report.windings != c->kept.report.windings;
}

int nsd_branch_is_other(const nsdyn_cycle *c, const nsd_branch_steps *trail, double value,
                        const nsd_profile *profile)
{
  const double way = fabs(value - trail->value[trail->count - 1]);
  /* Other impacts, much farther than the last cycles moved, or another
   * stability: another branch, or perhaps one. */
  return is_of_others(c, trail, profile) || nsd_branch_distance(c) > fmax(FAR, STEADY * trail->rate * way) ||
         c->report.unstable != c->kept.report.unstable;
}

/* ---- the walk ------------------------------------------------------------------------------------------ */

typedef struct walk {
  double at, end;   /* the newest cycle; where none of this branch was found */
  double failed_by; /* how far that was from where the search began */
  double target;
  int direction;
  int failures;  /* since the last cycle of this branch */
  double rate;   /* scales per parameter, by the last step */
  double stride; /* of the parameter: the last step; 0 before it */
  int knows;     /* a graze was predicted: */
  nsd_graze graze;
  nsd_graze best; /* of those predicted, that with the least bound, which is infinite where there is none */
} walk;

static int is_before(const walk *w, double value, double end)
{
  return (end - value) * w->direction >= 0.0;
}

static double next_value(const walk *w)
{
  const double way = w->end - w->at;
  /* Most of the way to the graze; else half-way to where none was
   * found, or straight there if it has become near. */
  if (w->knows && is_before(w, w->graze.value, w->end)) {
    return w->at + AHEAD * (w->graze.value - w->at);
  }
  /* The way is free again: by longer steps, for what has made them short may still be near. */
  if (!isfinite(w->failed_by) && GROWS * w->stride < fabs(way)) {
    return w->at + w->direction * (GROWS * w->stride);
  }
  return fabs(way) <= RETRY * w->failed_by ? w->end : w->at + 0.5 * way;
}

static int is_fading(const nsd_branch_steps *trail, const nsd_graze *graze)
{
  return graze->approach.value == trail->profile[trail->count - 1].slow.value;
}

static double surety_of(const nsd_branch_steps *trail, const nsd_graze *graze)
{
  return is_fading(trail, graze) ? SLOWER * SURETY : SURETY;
}

/* Rounding and integration in what was extrapolated, over how fast the parameter changes it. */
static double noise_of(const nsdyn_cycle *c, const nsd_branch_steps *trail, const nsd_graze *graze)
{
  const int n = trail->count, is_slow = is_fading(trail, graze);
  const int begin = is_slow ? 1 + c->nq : 1, end = is_slow ? c->length : 1 + c->nq;
  /* How much the approach fell between the last two cycles: its error over that is one of the parameter. */
  const double rise = approach_of(trail, n - 2, is_slow)->value - graze->approach.value;
  double scale = 0.0;
  for (int i = begin; i < end; i++) {
    scale = fmax(scale, c->scale[i]);
  }
  return NOISE * c->driver->options.tol * scale * fabs((trail->value[n - 1] - trail->value[n - 2]) / rise);
}

/* Whether the graze that the newest cycle predicts is the one that the last did; its bound then is how far
 * the two are apart. */
static int is_certain(const nsdyn_cycle *c, const nsd_branch_steps *trail, walk *w, double tol)
{
  const nsd_graze last = w->graze;
  const int knew = w->knows;
  w->knows = nsd_branch_steps_predict(trail, w->direction, &w->graze);
  if (!w->knows || !knew || last.approach.contact != w->graze.approach.contact ||
      last.approach.key != w->graze.approach.key || !is_before(w, w->graze.value, w->target)) {
    return 0; /* beyond `end`, where a search failed, it may well be: close to a graze they do */
  }
  w->graze.bound = fmax(w->graze.bound, fabs(w->graze.value - last.value));
  /* A prediction that is not sure enough, but the best so far: for a search that ends before. */
  if (w->graze.bound < w->best.bound && w->graze.bound <= TOLD * fabs(w->graze.value - w->at)) {
    w->best = w->graze;
    w->best.bound = surety_of(trail, &w->graze) * w->graze.bound + noise_of(c, trail, &w->graze);
  }
  if (w->graze.bound > tol) {
    return 0;
  }
  w->graze.bound = surety_of(trail, &w->graze) * w->graze.bound + noise_of(c, trail, &w->graze);
  return 1;
}

/* What the newest cycle has changed of the prediction before it. */
static void look_back(const nsdyn_cycle *c, const nsd_branch_steps *trail, walk *w, double tol)
{
  nsd_branch_steps before = *trail;
  before.count--;
  w->knows = nsd_branch_steps_predict(&before, w->direction, &w->graze);
  is_certain(c, trail, w, tol);
}

/* Whether to go on: neither short enough nor without hope. */
static int goes_on(const walk *w, double tol)
{
  const double way = fabs(w->end - w->at);
  /* Close enough, or too many failures in a row. */
  if (way <= tol || w->failures > MOST_FAILURES) {
    return 0;
  }
  const int is_plausible = w->knows && fabs(w->graze.value - w->at) <= PLAUSIBLE * way;
  return is_plausible || w->failures < BLIND_FAILURES;
}

/* The cycle at the next value: *accepted where it is of this branch, which means no farther than `most`, else
 * the kept one is the present. */
static nsdyn_status step(nsdyn_cycle *c, const nsdyn_cycle_path *path, nsd_branch_steps *trail, walk *w,
                         double value, double most, int *accepted)
{
  nsd_profile profile;
  nsdyn_status missed, status = nsd_branch_find(c, path, value, &missed);
  *accepted = 0;
  /* The same impacts, and no farther than cycles of one branch move over such a way. */
  if (!status && !missed) {
    status = nsd_cycle_profile(c, &profile);
    const double far = nsd_branch_distance(c), way = fabs(value - w->at);
    *accepted = !status && !is_of_others(c, trail, &profile) && far <= most;
    w->rate = *accepted ? far / way : w->rate;
    w->stride = *accepted ? way : w->stride;
  }
  if (status) {
    return status;
  }
  nsd_fault_clear(&c->fault);
  if (*accepted) {
    nsd_branch_keep(c);
    nsd_branch_steps_add(trail, value, &profile);
    w->at = value;
    w->failures = 0;
  } else {
    /* It was none of this branch: from now on it is the end of the way. */
    nsd_branch_revert(c, !missed);
    w->failures++;
    w->end = value;
    w->failed_by = fabs(value - w->at);
  }
  return NSDYN_OK;
}

static double most_of(const walk *w, double value)
{
  return fmax(NEAR, STEADY * w->rate * fabs(value - w->at));
}

/* At the target there is a cycle with the same impacts, just farther than expected. On one branch both halves
 * of the way take their part of the distance; where a search hops, one of them takes all. */
static nsdyn_status halve(nsdyn_cycle *c, const nsdyn_cycle_path *path, nsd_branch_steps *trail, walk *w,
                          double far, int *through)
{
  int accepted;
  const double middle = w->at + 0.5 * (w->target - w->at);
  nsdyn_status status = step(c, path, trail, w, middle, fmax(NEAR, MOST_OF * far), &accepted);
  *through = 0;
  return status || !accepted ? status : step(c, path, trail, w, w->target, most_of(w, w->target), through);
}

nsdyn_status nsd_branch_walk(nsdyn_cycle *c, const nsdyn_cycle_path *path, nsd_branch_steps *trail,
                             double target, double far, double tol, int32_t *end, nsd_graze *graze)
{
  /* Stage 1. What is known: the newest cycles, and a graze that they may predict. */
  walk w = {.at = trail->value[trail->count - 1], .end = target, .target = target};
  nsdyn_status status = NSDYN_OK;
  int through = 0;
  w.direction = target > w.at ? 1 : -1;
  w.best.bound = INFINITY;
  w.failed_by = fabs(target - w.at);
  look_back(c, trail, &w, tol);
  *end = NSD_WALK_ENDS;
  /* Stage 2. A cycle at the target, but far: both halves of the way must take their part of the distance. */
  if (isfinite(far)) {
    status = halve(c, path, trail, &w, far, &through);
  }
  /* Stage 3. Step by step, towards the graze or to where no cycle was found. */
  for (int tries = 0; !status && !through && tries < MOST_TRIES && goes_on(&w, tol); tries++) {
    const double value = next_value(&w);
    int accepted;
    if (value == w.at) {
      break;
    }
    status = step(c, path, trail, &w, value, most_of(&w, value), &accepted);
    if (status || !accepted) {
      continue;
    }
    through = value == target;
    /* Found there, where none was found before: the way is free again. */
    if (value == w.end) {
      w.end = target;
      w.failed_by = INFINITY;
    }
    if (!through && is_certain(c, trail, &w, tol)) {
      *end = NSD_WALK_GRAZES;
      *graze = w.graze;
      return NSDYN_OK;
    }
  }
  /* Stage 4. How it ended. */
  trail->rate = w.rate;
  if (through) {
    *end = NSD_WALK_THROUGH;
  } else if (isfinite(w.best.bound)) { /* searches failed before what was asked for was reached */
    *end = NSD_WALK_GRAZES;
    *graze = w.best;
  }
  return status;
}

nsdyn_status nsd_branch_return(nsdyn_cycle *c, const nsdyn_cycle_path *path, double value)
{
  nsdyn_status missed;
  nsd_branch_revert(c, 0);
  /* It is found where it is, in a step or two. */
  const nsdyn_status status = nsd_branch_find(c, path, value, &missed);
  if (!status && missed) {
    nsd_branch_revert(c, 0);
    nsd_fault_clear(&c->fault);
  }
  return status;
}

/* As far away as cycles of a walk may be from each other, one is of the same branch; from farther on it is
 * walked to, by shorter steps. */
nsdyn_status nsd_branch_follow(nsdyn_cycle *c, const nsdyn_cycle_path *path, double *at, double value,
                               nsdyn_status *missed)
{
  nsd_branch_steps trail = {.count = 0};
  nsd_profile profile;
  nsd_graze graze;
  double far = INFINITY;
  int32_t end;
  nsdyn_status status = nsd_cycle_profile(c, &profile);
  if (status) {
    return status;
  }
  nsd_branch_keep(c);
  nsd_branch_steps_add(&trail, *at, &profile);
  /* 1. What a search finds. */
  status = nsd_branch_find(c, path, value, missed);
  if (!status && !*missed) {
    status = nsd_cycle_profile(c, &profile);
    far = is_of_others(c, &trail, &profile) ? INFINITY : nsd_branch_distance(c);
  }
  if (!status && far > NEAR) {
    /* 2. It may have hopped: from cycle to cycle. */
    nsd_fault_clear(&c->fault);
    nsd_branch_revert(c, !*missed);
    status = nsd_branch_walk(c, path, &trail, value, far, CLOSE * fabs(value - *at), &end, &graze);
    *missed = NSDYN_OK;
    *at = trail.value[trail.count - 1];
    /* 3. Where the branch does not lead there, what is found; else the last cycle of the branch. */
    if (!status && end != NSD_WALK_THROUGH) {
      status = nsd_branch_find(c, path, value, missed);
    }
  }
  if (status || !*missed) {
    *at = status ? *at : value;
    return status;
  }
  return nsd_branch_return(c, path, *at);
}
