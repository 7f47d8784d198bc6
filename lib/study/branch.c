/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* A cycle along a parameter, and where its stability changes. */
#include <float.h>
#include <math.h>

#include "base/number.h"
#include "base/sized.h"
#include "study/cycle.h"
#include "system/callbacks.h"

enum { MOST_TRIES = 200 }; /* to locate a change */

#define SIGNAL 8.0 /* times its errors: a difference that a slope may be taken from */
#define JUMPS 0.05 /* share of the multiplier's change that is left in the end */
#define SURE                                                                                                 \
  0x1p-20 /* share of the way between two values, so short that nothing but a jump leaves as much */
#define CLOSER 0x1p-4

nsdyn_status nsdyn_cycle_path_init(nsdyn_cycle_path *path, size_t size)
{
  const nsdyn_cycle_path defaults = {.size = sizeof defaults, .tol = 1e-6};
  return nsd_sized_init(path, size, NSD_CYCLE_PATH_LEAST, &defaults, sizeof defaults);
}

static nsdyn_status read_path(nsdyn_cycle *c, const nsdyn_cycle_path *given, nsdyn_cycle_path *own)
{
  char text[NSD_NUMBER_LENGTH];
  nsdyn_cycle_path_init(own, sizeof *own);
  const nsdyn_status status =
      nsd_sized_read(own, sizeof *own, NSD_CYCLE_PATH_LEAST, given, "nsdyn_cycle_path", &c->fault);
  if (status) {
    return status;
  }
#define REFUSE(field, text)                                                                                  \
  nsd_fault_set(&c->fault, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_FIELD,                                           \
                (int64_t)offsetof(nsdyn_cycle_path, field), "path " #field ": " text)
  if (own->count < 0) {
    return REFUSE(count, "a number >= 0 is wanted");
  }
  if (own->reserved != 0) {
    return REFUSE(reserved, "0 is wanted");
  }
  if (own->count > 0 && !own->values) {
    return REFUSE(values, "NULL");
  }
  if (!own->set) {
    return REFUSE(set, "NULL, nothing would change");
  }
  if (!(own->tol > 0.0 && own->tol < 1.0)) {
    return REFUSE(tol, "a share in (0, 1) is wanted");
  }
  if (own->forcing && !isfinite(c->options.forcing)) {
    return REFUSE(forcing, "the option forcing has to be finite too, such as the period at the first value");
  }
#undef REFUSE
  for (int k = 0; k < own->count; k++) {
    if (!isfinite(own->values[k])) {
      return nsd_fault_set(&c->fault, NSDYN_ERR_NOT_FINITE, NSDYN_DETAIL_ROW, k,
                           "path values: element %d is %s", k, nsd_number_text(own->values[k], text));
    }
  }
  return NSDYN_OK;
}

/* ---- one value ----------------------------------------------------------------------------------------- */

static nsdyn_status put_forcing(nsdyn_cycle *c, const nsdyn_cycle_path *path, double value)
{
  char text[2][NSD_NUMBER_LENGTH];
  const double period = path->forcing(path->user, value);
  if (!(period > 0.0 && period <= DBL_MAX)) {
    return nsd_fault_set(&c->fault, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_FIELD,
                         (int64_t)offsetof(nsdyn_cycle_path, forcing),
                         "path forcing: the period at the value %s is %s, a duration > 0 is wanted",
                         nsd_number_text(value, text[0]), nsd_number_text(period, text[1]));
  }
  nsd_cycle_set_forcing(c, period);
  return NSDYN_OK;
}

static nsdyn_status put(nsdyn_cycle *c, const nsdyn_cycle_path *path, double value)
{
  const int code = path->set(path->user, value);
  if (code) {
    return nsd_blame_code(&c->fault, "set", nsd_no_subject(), code);
  }
  return path->forcing ? put_forcing(c, path, value) : NSDYN_OK;
}

/* Whether the way goes on without a cycle here. */
static int is_missed(nsdyn_status status)
{
  return nsd_cycle_is_too_far(status) || status == NSDYN_ERR_SINGULAR;
}

/* The cycle at a value; *missed says that there is none, and why. */
static nsdyn_status find(nsdyn_cycle *c, const nsdyn_cycle_path *path, double value, nsdyn_status *missed)
{
  nsdyn_status status = put(c, path, value);
  if (status) {
    return status;
  }
  status = nsd_cycle_search(c);
  *missed = is_missed(status) ? status : NSDYN_OK;
  return *missed ? NSDYN_OK : status;
}

static nsdyn_status show(nsdyn_cycle *c, const nsdyn_cycle_path *path, const nsdyn_cycle_point *point)
{
  return path->visit && path->visit(path->user, c, point) ? NSDYN_EVENT : NSDYN_OK;
}

/* ---- a change between two values ----------------------------------------------------------------------- */

/* An end of the bracket: how far the multiplier that passes the unit circle is outside it, and what that may
 * be off by. */
typedef struct edge {
  double value, excess, error, re, im;
} edge;

static edge edge_of(const nsdyn_cycle *c, int rank, double value)
{
  const edge e = {value, nsd_cycle_size(c, rank) - 1.0, c->lambda_error[rank], c->lambda[2 * rank],
                  c->lambda[2 * rank + 1]};
  return e;
}

/* Where a multiplier passes the unit circle: between a and b, or beyond one of them by as much as the error
 * of the excess makes up for. */
typedef struct bracket {
  edge a, b, last; /* the last that was looked at is where the cycle is */
  double slope;    /* |Δexcess/Δvalue|, while there is more to it than errors */
} bracket;

static void measure_slope(bracket *s)
{
  const double rise = fabs(s->a.excess - s->b.excess);
  if (rise > SIGNAL * (s->a.error + s->b.error) || s->slope == 0.0) {
    s->slope = rise / fabs(s->b.value - s->a.value);
  }
}

static double bound_of(const bracket *s)
{
  const double error = fmax(s->last.error, fmax(s->a.error, s->b.error));
  return fabs(s->b.value - s->a.value) + error / s->slope;
}

/* Whether all that is between the ends is noise. */
static int is_noise(const bracket *s)
{
  return fabs(s->a.excess) <= s->a.error && fabs(s->b.excess) <= s->b.error;
}

/* Where to look next: where a line through both ends passes zero, at least a little away from each. */
static double divide(const edge *a, const edge *b, double least, int halve)
{
  const double width = b->value - a->value;
  double share = halve ? 0.5 : a->excess / (a->excess - b->excess);
  const double margin = fmin(0.5, least / fabs(width));
  share = fmin(fmax(share, margin), 1.0 - margin);
  return a->value + share * width;
}

/* Narrows the bracket down to `least`. Stops where no cycle is found between. */
static nsdyn_status narrow(nsdyn_cycle *c, const nsdyn_cycle_path *path, int rank, double least, bracket *s)
{
  edge *a = &s->a, *b = &s->b;
  double width = fabs(b->value - a->value);
  int halve = 0;
  for (int tries = 0; tries < MOST_TRIES && fabs(b->value - a->value) > least && !is_noise(s); tries++) {
    const double value = divide(a, b, 0.5 * least, halve);
    if (value == a->value || value == b->value) {
      break;
    }
    nsdyn_status missed;
    const nsdyn_status status = find(c, path, value, &missed);
    if (status) {
      return status;
    }
    if (missed) {
      nsd_fault_clear(&c->fault);
      break;
    }
    s->last = edge_of(c, rank, value);
    *((s->last.excess < 0.0) == (a->excess < 0.0) ? a : b) = s->last;
    measure_slope(s);
    halve = fabs(b->value - a->value) > 0.5 * width;
    width = fabs(b->value - a->value);
  }
  return NSDYN_OK;
}

/* Between values k − 1, where `before` holds, and k, where the cycle is. Visits the change; the cycle is at
 * it afterwards. */
static nsdyn_status locate(nsdyn_cycle *c, const nsdyn_cycle_path *path, int k, int rank, const edge *before)
{
  const double from = path->values[k - 1], to = path->values[k];
  const int32_t stable = c->result.stable;
  bracket s = {.a = *before, .b = edge_of(c, rank, to)};
  const double gap = fabs(s.a.excess) + fabs(s.b.excess);
  double share = path->tol;
  int jumps;
  s.last = s.b;
  measure_slope(&s);
  do {
    const nsdyn_status status = narrow(c, path, rank, share * fabs(to - from), &s);
    if (status) {
      return status;
    }
    jumps = fabs(s.a.excess) + fabs(s.b.excess) > JUMPS * gap && !is_noise(&s);
    share *= CLOSER;
  } while (jumps && share > SURE * CLOSER);
  const nsdyn_cycle_point point = {.size = sizeof point,
                                   .index = k,
                                   .change = jumps ? NSDYN_CHANGE_JUMP : nsd_change_of(s.last.re, s.last.im),
                                   .stable = stable,
                                   .value = s.last.value,
                                   .bound = jumps ? fabs(s.b.value - s.a.value) : bound_of(&s)};
  return show(c, path, &point);
}

/* ---- the way ------------------------------------------------------------------------------------------- */

/* The multipliers at the value before: sizes decide which one passes the unit circle. */
static int rank_of_change(int unstable_before, int unstable)
{
  return (unstable > unstable_before ? unstable : unstable_before) - 1;
}

/* What is remembered of the value before; `lambda` and `error` are copies. */
typedef struct station {
  int32_t found, unstable;
  double *lambda, *error;
} station;

static void remember(const nsdyn_cycle *c, int found, station *s)
{
  s->found = found;
  s->unstable = c->result.unstable;
  for (int i = 0; i < 2 * c->count; i++) {
    s->lambda[i] = c->lambda[i];
  }
  for (int i = 0; i < c->count; i++) {
    s->error[i] = c->lambda_error[i];
  }
}

static nsdyn_status look_between(nsdyn_cycle *c, const nsdyn_cycle_path *path, int k, const station *before,
                                 nsdyn_status *missed)
{
  if (!before->found || before->unstable == c->result.unstable) {
    return NSDYN_OK;
  }
  const int rank = rank_of_change(before->unstable, c->result.unstable);
  const double re = before->lambda[2 * rank], im = before->lambda[2 * rank + 1];
  const edge from = {path->values[k - 1], sqrt(re * re + im * im) - 1.0, before->error[rank], re, im};
  const nsdyn_status status = locate(c, path, k, rank, &from);
  return status ? status : find(c, path, path->values[k], missed);
}

static nsdyn_status follow(nsdyn_cycle *c, const nsdyn_cycle_path *path)
{
  station before = {.lambda = c->lambda_before, .error = c->error_before};
  nsdyn_status status = NSDYN_OK;
  for (int k = 0; k < path->count && !status; k++) {
    nsdyn_status missed = NSDYN_OK;
    status = nsd_progress(c->ctx, "nsdyn_cycle_sweep", (double)k / path->count);
    status = status ? status : find(c, path, path->values[k], &missed);
    if (!status && !missed) {
      status = look_between(c, path, k, &before, &missed);
    }
    if (status) {
      return status;
    }
    const nsdyn_cycle_point point = {.size = sizeof point,
                                     .index = k,
                                     .status = missed,
                                     .stable = missed ? 0 : c->result.stable,
                                     .value = path->values[k]};
    status = show(c, path, &point);
    remember(c, !missed, &before);
  }
  return status;
}

nsdyn_status nsdyn_cycle_sweep(nsdyn_cycle *c, const nsdyn_cycle_path *path)
{
  if (!c) {
    return NSDYN_ERR_ARGUMENT;
  }
  if (c->busy) {
    return NSDYN_ERR_BUSY;
  }
  nsd_fault_clear(&c->fault);
  nsdyn_cycle_path own = {.size = sizeof own};
  nsdyn_status status =
      path ? read_path(c, path, &own)
           : nsd_fault_set(&c->fault, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_ARGUMENT, 1, "path is NULL");
  if (status) {
    return status;
  }
  c->busy = 1;
  c->stands = 0; /* parameters change */
  status = follow(c, &own);
  c->busy = 0;
  if (status >= 0) {
    nsd_fault_clear(&c->fault);
  }
  return status;
}
