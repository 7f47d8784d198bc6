/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* A cycle along a parameter, and where its stability changes. */
#include <float.h>
#include <math.h>

#include "base/number.h"
#include "base/sized.h"
#include "base/tolerances.h"
#include "study/branch_steps.h"
#include "system/callbacks.h"

enum { MOST_TRIES = 200 }; /* to locate a change */

#define SIGNAL 8.0 /* times its errors: a difference that a slope may be taken from */
#define JUMPS 0.05 /* share of the multiplier's change that is left in the end */
#define CLOSER 0x1p-4

nsdyn_status nsdyn_cycle_path_init(nsdyn_cycle_path *path, size_t size)
{
  const nsdyn_cycle_path defaults = {.size = sizeof defaults, .tol = 1e-6};
  return nsd_sized_init(path, size, NSD_CYCLE_PATH_LEAST, &defaults, sizeof defaults);
}

static nsdyn_status read_path(nsdyn_cycle *c, const nsdyn_cycle_path *given, nsdyn_cycle_path *own)
{
  char text[NSD_NUMBER_LENGTH];
  const nsdyn_status status = NSD_SIZED_READ(nsdyn_cycle_path, own, NSD_CYCLE_PATH_LEAST, given, &c->fault);
  if (status) {
    return status;
  }
#define REFUSE(field, text)                                                                                  \
  nsd_fault_set(&c->fault, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_FIELD,                                           \
                (int64_t)offsetof(nsdyn_cycle_path, field), "path " #field ": " text)
  if (own->count < 0) {
    return REFUSE(count, "must be a number >= 0");
  }
  if (own->reserved != 0) {
    return REFUSE(reserved, "must be 0");
  }
  if (own->count > 0 && !own->values) {
    return REFUSE(values, "NULL");
  }
  if (!own->set) {
    return REFUSE(set, "NULL, nothing would change");
  }
  if (!(own->tol > 0.0 && own->tol < 1.0)) {
    return REFUSE(tol, "must be a share in (0, 1)");
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
                         "path forcing: the period at the value %s is %s, but must be a duration > 0",
                         nsd_number_text(value, text[0]), nsd_number_text(period, text[1]));
  }
  nsd_cycle_set_forcing(c, period);
  return NSDYN_OK;
}

/* Whether the way goes on without a cycle here. */
static int is_missed(nsdyn_status status)
{
  return nsd_cycle_is_too_far(status) || status == NSDYN_ERR_SINGULAR;
}

nsdyn_status nsd_branch_find(nsdyn_cycle *c, const nsdyn_cycle_path *path, double value, nsdyn_status *missed)
{
  const int code = path->set(path->user, value);
  if (code) {
    return nsd_blame_code(&c->fault, "set", nsd_no_subject(), code);
  }
  nsdyn_status status = path->forcing ? put_forcing(c, path, value) : NSDYN_OK;
  if (status) {
    return status;
  }
  status = nsd_cycle_search(c);
  *missed = is_missed(status) ? status : NSDYN_OK;
  return *missed ? NSDYN_OK : status;
}

static nsdyn_status show(nsdyn_cycle *c, const nsdyn_cycle_path *path, const nsdyn_cycle_point *point)
{
  return path->visit && path->visit(path->user, c, point) ? NSDYN_STOPPED : NSDYN_OK;
}

/* ---- a change between two values ----------------------------------------------------------------------- */

/* An end of the bracket: how far the multiplier that passes the unit circle is outside it, and what that may
 * be off by. */
typedef struct edge {
  double value, excess, error, re, im;
} edge;

static edge edge_of(const nsdyn_cycle *c, int rank, double value)
{
  /* |λ| − 1, and by how much it may be off. */
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
  /* A slope that is mostly error says nothing: the last good one stays. */
  if (rise > SIGNAL * (s->a.error + s->b.error) || s->slope == 0.0) {
    s->slope = rise / fabs(s->b.value - s->a.value);
  }
}

static double bound_of(const bracket *s)
{
  /* The bracket's width, and by how much the error of |λ| moves the zero of |λ| − 1. */
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
  /* Regula falsi; bisection where that is slow. */
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
    /* The cycle at a value between the ends, from the one at hand. */
    const double value = divide(a, b, 0.5 * least, halve);
    if (value == a->value || value == b->value) {
      break;
    }
    nsdyn_status missed;
    double at = s->last.value;
    const nsdyn_status status = nsd_branch_follow(c, path, &at, value, &missed);
    if (status) {
      return status;
    }
    if (missed && at == s->last.value) {
      break;
    }
    /* It replaces the end of its own side; or the last on the way to it does. */
    s->last = edge_of(c, rank, at);
    *((s->last.excess < 0.0) == (a->excess < 0.0) ? a : b) = s->last;
    measure_slope(s);
    if (missed) {
      break;
    }
    /* Less than half of the width gained: bisect next. */
    halve = fabs(b->value - a->value) > 0.5 * width;
    width = fabs(b->value - a->value);
  }
  return NSDYN_OK;
}

/* Between values where `before` holds and `to`, where the cycle is, on the way to value k. Visits the change;
 * the cycle is at it afterwards, *at. */
static nsdyn_status locate(nsdyn_cycle *c, const nsdyn_cycle_path *path, int k, double to, int rank,
                           const edge *before, double *at)
{
  const double from = before->value;
  const int32_t stable = c->report.stable;
  bracket s = {.a = *before, .b = edge_of(c, rank, to)};
  const double gap = fabs(s.a.excess) + fabs(s.b.excess);
  double share = path->tol;
  int jumps;
  s.last = s.b;
  measure_slope(&s);
  /* Stage 1. Narrow the bracket. Where |λ| − 1 has kept most of its
   * change, narrow it further: a jump stays a jump. */
  do {
    const nsdyn_status status = narrow(c, path, rank, share * fabs(to - from), &s);
    if (status) {
      return status;
    }
    jumps = fabs(s.a.excess) + fabs(s.b.excess) > JUMPS * gap && !is_noise(&s);
    share *= CLOSER;
  } while (jumps && share > NSD_CONTINUATION_JUMP * CLOSER);
  *at = s.last.value;
  /* Stage 2. What it is: a jump, or by the multiplier on the unit circle a fold, flip or torus. */
  const nsdyn_cycle_point point = {.size = sizeof point,
                                   .index = k,
                                   .change = jumps ? NSDYN_CHANGE_JUMP : nsd_change_of(s.last.re, s.last.im),
                                   .stable = stable,
                                   .contact = -1,
                                   .value = s.last.value,
                                   .bound = jumps ? fabs(s.b.value - s.a.value) : bound_of(&s)};
  return show(c, path, &point);
}

/* ---- the way ------------------------------------------------------------------------------------------- */

/* What is remembered of the value before; `lambda` and `error` are copies. */
typedef struct station {
  int32_t found, unstable;
  double value;
  double *lambda, *error;
  nsd_branch_steps trail; /* of the branch, since it was found */
} station;

static void remember(const nsdyn_cycle *c, double value, int found, station *s)
{
  s->found = found;
  s->value = value;
  s->unstable = c->report.unstable;
  for (int i = 0; i < 2 * c->count; i++) {
    s->lambda[i] = c->lambda[i];
  }
  for (int i = 0; i < c->count; i++) {
    s->error[i] = c->lambda_error[i];
  }
}

/* A change of stability between what is remembered and the present cycle at `value`, on the way to k. */
static nsdyn_status look_between(nsdyn_cycle *c, const nsdyn_cycle_path *path, int k, const station *before,
                                 double value, nsdyn_status *missed)
{
  if (!before->found || before->unstable == c->report.unstable) {
    return NSDYN_OK;
  }
  /* The multipliers are sorted by size: the one that has passed the
   * circle is the last unstable one of the two. */
  const int unstable = c->report.unstable;
  const int rank = (unstable > before->unstable ? unstable : before->unstable) - 1;
  const double re = before->lambda[2 * rank], im = before->lambda[2 * rank + 1];
  const edge from = {before->value, sqrt(re * re + im * im) - 1.0, before->error[rank], re, im};
  double at;
  const nsdyn_status status = locate(c, path, k, value, rank, &from, &at);
  /* Back to the cycle at the value itself. */
  return status ? status : nsd_branch_follow(c, path, &at, value, missed);
}

/* What was found at value k, where the branch before may not lead. */
typedef struct arrival {
  nsdyn_status missed;
  int32_t stable;
  double far; /* from the one kept */
  nsd_profile profile;
} arrival;

static nsdyn_status arrive(nsdyn_cycle *c, const nsdyn_cycle_path *path, int k, arrival *a)
{
  const nsd_profile nothing = {.impacts = 0};
  a->missed = NSDYN_OK;
  nsdyn_status status = nsd_branch_find(c, path, path->values[k], &a->missed);
  a->profile = nothing;
  if (!status && !a->missed) {
    status = nsd_cycle_profile(c, &a->profile);
  }
  a->stable = a->missed ? 0 : c->report.stable;
  return status;
}

static nsdyn_status show_graze(nsdyn_cycle *c, const nsdyn_cycle_path *path, int k, const arrival *beyond,
                               const nsd_branch_steps *trail, const nsd_graze *graze)
{
  const nsd_profile *profile = &trail->profile[trail->count - 1];
  const nsdyn_cycle_point point = {.size = sizeof point,
                                   .index = k,
                                   .change = NSDYN_CHANGE_GRAZING,
                                   .status = beyond->missed,
                                   .stable = beyond->stable,
                                   .value = graze->value,
                                   .bound = graze->bound,
                                   .contact = graze->approach.contact,
                                   .impacts = (int32_t)profile->impacts,
                                   .key = graze->approach.key,
                                   .t = graze->at};
  return show(c, path, &point);
}

/* From the value before to k, where no cycle of the same branch was found: *beyond is what was. The branch is
 * walked along; where it does not end, *beyond is its cycle at k. */
static nsdyn_status pursue(nsdyn_cycle *c, const nsdyn_cycle_path *path, int k, station *before,
                           arrival *beyond)
{
  const double way = fabs(path->values[k] - before->value);
  const double far = nsd_branch_hits_others(&before->trail, &beyond->profile) ? INFINITY : beyond->far;
  nsd_graze graze;
  int32_t end;
  /* Stage 1. From the kept cycle towards value k, by steps of its own. */
  nsd_branch_revert(c, !beyond->missed);
  nsdyn_status status =
      nsd_branch_walk(c, path, &before->trail, path->values[k], far, path->tol * way, &end, &graze);
  if (status) {
    return status;
  }
  /* Stage 2. The branch goes on to k after all. */
  if (end == NSD_WALK_THROUGH) {
    beyond->missed = NSDYN_OK;
    beyond->profile = before->trail.profile[before->trail.count - 1];
    beyond->stable = c->report.stable;
    return NSDYN_OK;
  }
  /* Stage 3. It ends before: changes of stability up to there, the
   * graze at its end, and what is found beyond. */
  nsdyn_status missed = NSDYN_OK;
  const double at = before->trail.value[before->trail.count - 1];
  if (at != before->value) { /* stability may have changed on the way to where the branch ends */
    status = nsd_branch_return(c, path, at); /* from searches that did not find it farther on */
    status = status ? status : look_between(c, path, k, before, at, &missed);
    remember(c, at, 1, before);
  }
  if (!status && end == NSD_WALK_GRAZES) {
    status = show_graze(c, path, k, beyond, &before->trail, &graze);
    before->found = 0; /* what is found beyond is another branch */
  }
  status = status ? status : arrive(c, path, k, beyond);
  if (!status && !beyond->missed && nsd_branch_hits_others(&before->trail, &beyond->profile)) {
    before->found = 0; /* likewise, and where the branch ends has not been seen */
  }
  return status;
}

/* To value k, with the changes on the way. */
static nsdyn_status advance(nsdyn_cycle *c, const nsdyn_cycle_path *path, int k, station *before, arrival *a)
{
  /* Stage 1. The cycle at value k, and its impacts. */
  nsdyn_status status = arrive(c, path, k, a);
  const double way = fabs(path->values[k] - before->value);
  /* Stage 2. If it is none, or of another branch, walk along the branch to where it ends. */
  if (!status && before->found && way > 0.0) {
    a->far = a->missed ? INFINITY : nsd_branch_distance(c);
    if (a->missed || nsd_branch_is_other(c, &before->trail, path->values[k], &a->profile)) {
      status = pursue(c, path, k, before, a);
    } else {
      before->trail.rate = a->far / way;
    }
  }
  /* Stage 3. Changes of stability between the two values. */
  if (!status && !a->missed) {
    nsdyn_status missed = NSDYN_OK;
    status = look_between(c, path, k, before, path->values[k], &missed);
    a->missed = missed;
  }
  return status;
}

static nsdyn_status follow(nsdyn_cycle *c, const nsdyn_cycle_path *path)
{
  station before = {.lambda = c->lambda_before, .error = c->error_before};
  nsdyn_status status = NSDYN_OK;
  for (int k = 0; k < path->count && !status; k++) {
    arrival a;
    /* Stage 1. To the next value, with all that happens on the way. */
    status = nsd_progress(c->ctx, "nsdyn_cycle_sweep", (double)k / path->count);
    status = status ? status : advance(c, path, k, &before, &a);
    if (status) {
      return status;
    }
    /* Stage 2. Show it. */
    const nsdyn_cycle_point point = {.size = sizeof point,
                                     .index = k,
                                     .status = a.missed,
                                     .stable = a.missed ? 0 : c->report.stable,
                                     .value = path->values[k],
                                     .contact = -1,
                                     .impacts = (int32_t)a.profile.impacts};
    status = show(c, path, &point);
    /* Stage 3. Remember it; a trail belongs to one branch. */
    if (a.missed || !before.found) {
      before.trail.count = 0;
      before.trail.rate = 0.0;
    }
    remember(c, path->values[k], !a.missed, &before);
    if (!a.missed) {
      nsd_branch_keep(c);
      if (before.trail.count == 0 || before.trail.value[before.trail.count - 1] != path->values[k]) {
        nsd_branch_steps_add(&before.trail, path->values[k], &a.profile);
      }
    }
  }
  return status;
}

nsdyn_status nsdyn_cycle_sweep(nsdyn_cycle *c, const nsdyn_cycle_path *path)
{
  nsdyn_status status = c ? nsd_fault_begin(&c->fault, c->busy) : NSDYN_ERR_ARGUMENT;
  if (status) {
    return status;
  }
  nsdyn_cycle_path own = {.size = sizeof own};
  status = path ? read_path(c, path, &own)
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
