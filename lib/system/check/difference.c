/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "system/check/difference.h"

#include <float.h>
#include <math.h>

#include "base/tolerances.h"

enum { most_steps = 64, growth = 8, enough_flat_steps = 10, many_flat_steps = 30 };

#define LOST 0.25 /* of the slope: with an error this large the slope is not known at all */
#define MOST_STEP 0x1p100
#define SURELY 10.0 /* times the error: slopes that are farther apart differ */

static double size_of(const nsd_slope *s, double slope)
{
  return fmax(s->size, fmax(fabs(slope), fabs(s->given)));
}

/* Differences at one step. */
typedef struct differences {
  double slope, of_order_4, left, right;
  double largest, change; /* of the values, and from that at 0 */
  int is_flat, is_finite;
} differences;

static double terms_of(const nsd_slope_task *task, int i)
{
  return task->terms ? task->terms[i] : 0.0;
}

static differences take_differences(const nsd_slope_task *task, int i, double h)
{
  const nsd_slope *s = &task->slope[i];
  const double *v = task->values;
  const int n = task->n;
  const double a3 = v[i], a2 = v[n + i], a1 = v[2 * n + i], f = s->at_0;
  const double b1 = v[3 * n + i], b2 = v[4 * n + i], b3 = v[5 * n + i];
  differences d;
  d.slope = (45.0 * (b1 - a1) - 9.0 * (b2 - a2) + (b3 - a3)) / (60.0 * h);
  d.of_order_4 = (8.0 * (b1 - a1) - (b2 - a2)) / (12.0 * h);
  d.right = (-11.0 * f + 18.0 * b1 - 9.0 * b2 + 2.0 * b3) / (6.0 * h);
  d.left = -(-11.0 * f + 18.0 * a1 - 9.0 * a2 + 2.0 * a3) / (6.0 * h);
  d.largest =
      fmax(fmax(fmax(fabs(a3), fabs(a2)), fmax(fabs(a1), fabs(f))), fmax(fabs(b1), fmax(fabs(b2), fabs(b3))));
  d.largest = fmax(d.largest, terms_of(task, i));
  d.change = fmax(fmax(fabs(a3 - f), fmax(fabs(a2 - f), fabs(a1 - f))),
                  fmax(fabs(b1 - f), fmax(fabs(b2 - f), fabs(b3 - f))));
  d.is_flat = d.change == 0.0;
  d.is_finite = isfinite(a3) && isfinite(a2) && isfinite(a1) && isfinite(b1) && isfinite(b2) &&
                isfinite(b3) && isfinite(d.slope) && isfinite(d.of_order_4);
  return d;
}

static void take(nsd_slope *s, const differences *d, double h, double error)
{
  s->slope = d->slope;
  s->error = error;
  s->step = (float)h;
  s->left = d->left;
  s->right = d->right;
  s->is_flat = (int8_t)d->is_flat;
  s->worst = error;
}

/* One more step, larger than all before. */
static void look(nsd_slope *s, const differences *d, double h, double rounding)
{
  if (!d->is_finite) {
    s->is_over = (int8_t)(s->error < (double)INFINITY); /* no values so far out, or none found yet */
    return;
  }
  const double size = size_of(s, d->slope);
  /* Stairs of rounding are flat, and can be a million times the rounding of the value: the first change seen
   * is as high as one of them. */
  const int leaves_stair = s->is_flat && !d->is_flat;
  s->grain = leaves_stair ? d->change : s->grain;
  const double noise = (8.0 * DBL_EPSILON * d->largest + s->grain) / h + 4.0 * rounding / h * size;
  const double doubt = fmax(fabs(d->slope - d->of_order_4), fabs(d->slope - s->previous));
  const double error = 4.0 * doubt + noise; /* infinite at the first step, which confirms nothing */
  s->previous = d->slope;
  if (!(error < (double)INFINITY)) {
    return;
  }
  if (leaves_stair) { /* what was found on it does not count */
    take(s, d, h, error);
    s->jump = INFINITY;
  } else if (fabs(d->slope - s->slope) > error + s->error) {
    /* Of two slopes that exclude each other the sharper one is right as long as errors shrink with larger
     * steps: the other was an accident of the noise. Where a step in between told nothing at all, steps have
     * become too large. */
    if (!(error < s->error && s->worst <= LOST * fabs(s->slope))) {
      s->is_over = 1;
      return;
    }
    take(s, d, h, error);
  }
  s->worst = fmax(s->worst, error);
  if (error < s->error) {
    take(s, d, h, error);
  }
  /* Of one-sided slopes rounding leaves more in doubt: weights of up to 18/6 over h, eight of them. */
  if (16.0 * noise <= NSD_CHECK_KINK * size && fabs(d->right - d->left) < s->jump) {
    s->jump = fabs(d->right - d->left);
    s->jump_size = size;
  }
  const int tells = error <= NSD_CHECK_AGREES * size;
  if (d->is_flat) {
    /* It may stand on a stair: what is constant is so over many steps. Where nothing has a size, nothing says
     * at which of them to begin. */
    s->flat_steps += tells || size == 0.0;
    const int enough = s->flat_steps >= (size > 0.0 ? enough_flat_steps : many_flat_steps);
    s->agrees = (int8_t)(s->given == 0.0 && enough);
  } else if (size == 0.0 && error <= NSD_CHECK_AGREES * (d->change / h) &&
             fabs(d->right - d->left) <= NSD_CHECK_KINK * (d->change / h)) {
    /* An even function, smooth: a slope of zero, beside what it does within the step. Where steps have become
     * ages, rounding of their ends would leave it one. */
    take(s, d, h, error);
    s->agrees = 1;
  } else if (tells && fabs(d->slope - s->given) <= NSD_CHECK_AGREES * size &&
             s->jump <= NSD_CHECK_KINK * size) {
    take(s, d, h, error);
    s->agrees = 1;
  }
}

/* Whether one-sided slopes differ by more than what makes no kink, which is `*least`: beside the size of what
 * they were compared with, as a slope that turns out to be zero has none of its own. */
static int has_kink(const nsd_slope *s, double *least)
{
  *least = NSD_CHECK_KINK * fmax(size_of(s, s->slope), s->jump_size);
  return s->jump > *least;
}

static int is_done(const nsd_slope *s)
{
  if (isnan(s->given) || s->agrees || s->is_over || s->is_judged) {
    return 1;
  }
  double least;
  const int may_be_kink = has_kink(s, &least); /* or the step is too large for one side yet */
  return s->error <= NSD_CHECK_SHARP * size_of(s, s->slope) && !s->is_flat && !may_be_kink;
}

/* A step at which the value's rounding is no more than the slope. */
static double first_step(const nsd_slope_task *task, int smallest)
{
  double start = smallest ? (double)INFINITY : 0.0;
  for (int i = 0; i < task->n; i++) {
    const nsd_slope *s = &task->slope[i];
    const double size = size_of(s, 0.0);
    if (!is_done(s) && size > 0.0 && isfinite(s->at_0)) {
      const double step = DBL_EPSILON * fmax(fabs(s->at_0), terms_of(task, i)) / size;
      start = smallest ? fmin(start, step) : fmax(start, step);
    }
  }
  start = start < (double)INFINITY ? start : 0.0;
  int exponent;
  (void)frexp(fmax(NSD_DIFFERENCE_LEAST_STEP, fmax(start, task->rounding)), &exponent);
  return ldexp(1.0, exponent); /* a power of two, so that t + h is exact */
}

static nsdyn_status scan(const nsd_slope_task *task, double first, double last)
{
  static const int at[6] = {-3, -2, -1, 1, 2, 3};
  const int n = task->n;
  double h = first;
  for (int k = 0; k < most_steps && h < last; k++) {
    int left = 0;
    for (int i = 0; i < n; i++) {
      left += !is_done(&task->slope[i]);
    }
    if (left == 0) {
      return NSDYN_OK;
    }
    nsdyn_status status = NSDYN_OK;
    for (int p = 0; p < 6 && !status; p++) {
      status = task->at(task->user, at[p] * h, task->values + (size_t)p * (size_t)n);
    }
    if (status) {
      return status < 0 ? status : NSDYN_OK; /* nor are there values further out */
    }
    for (int i = 0; i < n; i++) {
      nsd_slope *s = &task->slope[i];
      if (!is_done(s)) {
        const differences d = take_differences(task, i, h);
        look(s, &d, h, task->rounding);
      }
    }
    h *= growth;
  }
  return NSDYN_OK;
}

static void begin(nsd_slope *s)
{
  s->slope = s->left = s->right = s->worst = s->grain = s->jump_size = 0.0;
  s->step = 0.0F;
  s->error = s->jump = s->previous = INFINITY;
  s->flat_steps = 0;
  s->is_flat = s->agrees = s->is_over = s->is_judged = 0;
}

int nsd_slope_judge(const nsd_slope *s, double *error)
{
  *error = 0.0;
  if (isnan(s->given) || s->agrees) {
    return NSD_SLOPE_AGREES;
  }
  const double size = size_of(s, s->slope);
  if (!(s->error < (double)INFINITY) || (s->given != 0.0 && s->error > 0.1 * size)) {
    return NSD_SLOPE_UNCLEAR;
  }
  double least;
  if (has_kink(s, &least) && s->jump < (double)INFINITY) { /* any slope between the two sides' would do */
    least = fmax(least, SURELY * s->error); /* which are known no better than the slope itself */
    const double low = fmin(s->left, s->right) - least, high = fmax(s->left, s->right) + least;
    *error = s->given < low ? (low - s->given) / size : s->given > high ? (s->given - high) / size : 0.0;
    return *error > 0.0 ? NSD_SLOPE_DIFFERS : NSD_SLOPE_UNCLEAR;
  }
  const double miss = fabs(s->slope - s->given);
  if (miss <= SURELY * s->error || miss <= NSD_CHECK_AGREES * size) {
    return NSD_SLOPE_AGREES;
  }
  *error = miss / size;
  return NSD_SLOPE_DIFFERS;
}

static int is_sharp(const nsd_slope *s)
{
  return s->error <= NSD_CHECK_AGREES * size_of(s, s->slope);
}

/* Whether slope i, which differs at its best step or is not sharp there, is the given one at larger ones; if
 * not, the sharper one stays. */
static nsdyn_status ask_larger_steps(const nsd_slope_task *task, int i)
{
  nsd_slope *all = task->slope, *s = &all[i];
  const nsd_slope found = *s;
  const double first = (double)growth * growth * (double)found.step; /* beyond what mixes both */
  const double whole = terms_of(task, i) / size_of(s, s->slope), last = NSD_CHECK_SHORT * whole;
  if (!(found.step > 0.0F && (double)found.step <= NSD_CHECK_TINY * whole && whole < (double)INFINITY)) {
    return NSDYN_OK; /* nothing was found, or nothing is that small */
  }
  /* 1: the others have been judged, and are not asked again. */
  for (int k = 0; k < task->n; k++) {
    all[k].is_judged = (int8_t)(k != i);
  }
  begin(s);
  const nsdyn_status status = scan(task, first, last);
  for (int k = 0; k < task->n; k++) {
    all[k].is_judged = 0;
  }
  /* 2: sharp, smooth, and the one given; or sharp where the one found was not. */
  if (!s->agrees && (is_sharp(&found) || !(s->error < found.error))) {
    *s = found;
  }
  return status;
}

nsdyn_status nsd_slope_find(const nsd_slope_task *task)
{
  for (int i = 0; i < task->n; i++) {
    begin(&task->slope[i]);
  }
  nsdyn_status status = task->at(task->user, 0.0, task->values);
  for (int i = 0; i < task->n; i++) {
    nsd_slope *s = &task->slope[i];
    s->at_0 = task->values[i];
    s->given = isfinite(s->at_0) ? s->given : NAN; /* as of a contact that is far away */
  }
  status = status ? status : scan(task, first_step(task, 0), MOST_STEP);
  /* What is far away, or large, asks for larger steps than what is near: the rest once more, on its own. */
  int left = 0;
  for (int i = 0; i < task->n && !status; i++) {
    nsd_slope *s = &task->slope[i];
    if (!isnan(s->given) && !s->agrees) {
      begin(s);
      left++;
    }
  }
  status = left == 0 || status ? status : scan(task, first_step(task, 1), MOST_STEP);
  for (int i = 0; i < task->n && !status; i++) {
    const nsd_slope *s = &task->slope[i];
    double error;
    if (nsd_slope_judge(s, &error) == NSD_SLOPE_DIFFERS || !(is_sharp(s) || isnan(s->given) || s->agrees)) {
      status = ask_larger_steps(task, i);
    }
  }
  return status;
}
