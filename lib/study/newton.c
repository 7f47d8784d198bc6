/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Newton's method on the return map P: y := y + (1 − DP)⁻¹ (P(y) − y), shortened until the residual falls. A
 * derivative serves as long as it reduces the residual well. */
#include <math.h>

#include "base/dense.h"
#include "base/number.h"
#include "base/tolerances.h"
#include "study/eigenvalues.h"
#include "study/object.h"

enum {
  HALVINGS = 10, /* of Newton's step */
  POLISHES = 4,  /* steps beyond the tolerance */
  REPEATS = 2    /* derivatives taken for the multipliers */
};

#define SLOW 0.1     /* a reduction of the residual that asks for a new derivative */
#define PROMISE 0.25 /* share of the promised reduction that a step has to keep */
#define POLISHED 0.5 /* a reduction that is no noise */

/* ---- a step -------------------------------------------------------------------------------------------- */

static double largest_in_column(const nsdyn_cycle *c, const double *A, int k)
{
  double largest = 0.0;
  for (int r = 0; r < c->count; r++) {
    largest = fmax(largest, fabs(A[r * c->count + k]));
  }
  return largest;
}

static nsdyn_status refuse_singular(nsdyn_cycle *c, int k)
{
  const int i = k < 0 ? -1 : c->unknown[k];
  if (i < 1) {
    return nsd_fault_set(&c->fault, NSDYN_ERR_SINGULAR, NSDYN_DETAIL_NONE, -1,
                         "the return map's derivative has the eigenvalue 1: the cycle is not isolated");
  }
  return nsd_fault_set(&c->fault, NSDYN_ERR_SINGULAR, NSDYN_DETAIL_COORDINATE, i - 1,
                       i <= c->nq
                           ? "coordinate %d shifts and nothing else changes: name it in the option drift"
                           : "any value of velocity %d comes back: the cycle is not isolated",
                       i <= c->nq ? i - 1 : i - 1 - c->nq);
}

/* step := (1 − J)⁻¹ residual */
static nsdyn_status solve(nsdyn_cycle *c)
{
  const int n = c->count;
  double *A = c->work;
  /* A = 1 − J, in scaled unknowns. */
  for (int r = 0; r < n; r++) {
    for (int k = 0; k < n; k++) {
      A[r * n + k] = (r == k ? 1.0 : 0.0) - c->J[r * n + k];
    }
    c->step[r] = c->residual[r];
  }
  /* A column of zeros: this unknown comes back whatever it is. */
  for (int k = 0; k < n; k++) {
    if (largest_in_column(c, A, k) < NSD_CYCLE_NEUTRAL) {
      return refuse_singular(c, k);
    }
  }
  /* No such column, but nearly singular: several unknowns together come back. */
  const double norm = nsd_matrix_norm_1(n, n, A, n);
  if (nsd_lu_factor(n, A, n, c->perm, NULL) ||
      nsd_lu_rcond(n, A, n, c->perm, norm, c->pair) < NSD_CYCLE_CONDITION) {
    return refuse_singular(c, -1);
  }
  nsd_lu_solve(n, A, n, c->perm, 1, c->step, n);
  return NSDYN_OK;
}

static void add_step(const nsdyn_cycle *c, double share, double *y)
{
  for (int k = 0; k < c->count; k++) {
    y[c->unknown[k]] += share * c->step[k] * c->scale[c->unknown[k]];
  }
}

/* The trial becomes the base: it was entered with what the driver knew at the old base's image. */
static nsdyn_status accept(nsdyn_cycle *c)
{
  const nsd_snapshot entered = c->next.snapshot;
  c->next.snapshot = c->base.snapshot;
  c->base.snapshot = entered;
  nsd_cycle_copy(c, c->trial, c->base.y);
  nsd_cycle_copy(c, c->trial_image, c->image);
  return nsd_cycle_take(c, &c->next.snapshot); /* the driver stands at the image */
}

/* The longest share of Newton's step that brings the residual down; *size is its new size. */
static nsdyn_status move(nsdyn_cycle *c, double *size, int *moved)
{
  *moved = 0;
  /* Full step first, then halves of it. */
  for (int halvings = 0; halvings <= HALVINGS; halvings++) {
    const double share = ldexp(1.0, -halvings);
    nsd_cycle_copy(c, c->base.y, c->trial);
    add_step(c, share, c->trial);
    /* The trial is entered with what the driver knew at the base's image. */
    const nsdyn_status status = nsd_cycle_shoot(c, &c->next.snapshot, c->trial, c->trial_image);
    if (status && !nsd_cycle_is_too_far(status)) {
      return status;
    }
    /* A state that does not come back counts as infinitely far. */
    const double reached = status ? INFINITY : nsd_cycle_compare(c, c->trial, c->trial_image, c->residual);
    if (reached < (1.0 - PROMISE * share) * *size) {
      *size = reached;
      *moved = 1;
      return accept(c);
    }
  }
  /* No share helps: the residual of the base again. */
  nsd_fault_clear(&c->fault);
  nsd_cycle_compare(c, c->base.y, c->image, c->residual);
  return NSDYN_OK;
}

/* On to the fixed point, as far as steps with the derivative there is bring it closer: what is left is noise
 * of the map. *moved is by how much that was, in scales, and what a step would still change. */
static nsdyn_status polish(nsdyn_cycle *c, double *moved)
{
  double size = nsd_cycle_compare(c, c->base.y, c->image, c->residual);
  *moved = 0.0;
  for (int k = 0; k < POLISHES; k++) {
    /* With the derivative at hand: a simplified Newton step. */
    if (solve(c)) {
      nsd_fault_clear(&c->fault);
      *moved += size;
      return NSDYN_OK;
    }
    const double step = nsd_norm_inf(c->count, c->step);
    /* Longer than the differencing step: the derivative would not hold so far. */
    if (!(size > 0.0 && step <= c->options.step)) {
      *moved += step;
      break;
    }
    nsd_cycle_copy(c, c->base.y, c->trial);
    add_step(c, 1.0, c->trial);
    nsdyn_status status = nsd_cycle_shoot(c, &c->next.snapshot, c->trial, c->trial_image);
    if (status && !nsd_cycle_is_too_far(status)) {
      return status;
    }
    *moved += step;
    const double reached = status ? INFINITY : nsd_cycle_compare(c, c->trial, c->trial_image, c->residual);
    /* It no longer falls by half: what is left is noise. */
    if (!(reached < POLISHED * size)) {
      nsd_fault_clear(&c->fault);
      break;
    }
    size = reached;
    status = accept(c);
    if (status) {
      return status;
    }
  }
  nsd_cycle_compare(c, c->base.y, c->image, c->residual);
  return NSDYN_OK;
}

/* ---- the iteration ------------------------------------------------------------------------------------- */

static nsdyn_status give_up(nsdyn_cycle *c, double size)
{
  char text[NSD_NUMBER_LENGTH];
  int most = 0;
  for (int k = 1; k < c->count; k++) {
    most = fabs(c->residual[k]) > fabs(c->residual[most]) ? k : most;
  }
  const int i = c->unknown[most];
  const char *what = i == 0 ? "time" : i <= c->nq ? "coordinate" : "velocity";
  return nsd_fault_set(&c->fault, NSDYN_MAX_ITERATIONS, i ? NSDYN_DETAIL_COORDINATE : NSDYN_DETAIL_NONE,
                       i - 1,
                       "no cycle after %d iterations: %s %d still changes by %s of its scale in a period",
                       (int)c->report.iterations, what,
                       i == 0       ? 0
                       : i <= c->nq ? i - 1
                                    : i - 1 - c->nq,
                       nsd_number_text(size, text));
}

/* From the base to a fixed point. */
static nsdyn_status iterate(nsdyn_cycle *c)
{
  /* Stage 1. The map at the base. */
  nsdyn_status status = nsd_cycle_shoot(c, &c->base.snapshot, c->base.y, c->image);
  status = status ? status : nsd_cycle_take(c, &c->next.snapshot);
  if (status) {
    return status;
  }
  double size = nsd_cycle_compare(c, c->base.y, c->image, c->residual);
  int is_known = 0, is_new = 0; /* a derivative; that at the base */
  while (size > c->options.tol) {
    const double before = size;
    int moved;
    if (c->report.iterations >= c->options.max_iterations) {
      return give_up(c, size);
    }
    /* Stage 2. A derivative, unless the last one still serves. */
    status = nsd_progress(c->ctx, "nsdyn_cycle_find", -1.0);
    if (!status && !is_known) {
      status = nsd_cycle_differentiate(c);
      is_new = 1;
    }
    c->report.iterations++;
    /* Stage 3. Newton's step, shortened until the residual falls. */
    status = status ? status : solve(c);
    status = status ? status : move(c, &size, &moved);
    c->least = fmin(c->least, size);
    if (status) {
      return status;
    }
    /* Not with a new derivative either: no fixed point is near. */
    if (!moved && is_new) {
      return give_up(c, size);
    }
    /* Stage 4. The derivative serves again where it has reduced the residual tenfold. */
    is_known = moved && size <= SLOW * before;
    is_new = 0;
  }
  c->least = fmin(c->least, size);
  if (is_known) { /* what the tolerance leaves costs no derivative more */
    double moved;
    status = polish(c, &moved);
  }
  return status;
}

/* ---- the cycle ----------------------------------------------------------------------------------------- */

/* By how much J's columns may be off because the base is `moved` away from the fixed point, and because the
 * map's own fixed point is not the motion's: by (1 − J)⁻¹ times the integration's error. */
static double blur(nsdyn_cycle *c, double moved)
{
  double worst = 0.0, share = 0.0;
  for (int k = 0; k < c->count; k++) {
    worst = fmax(worst, c->J_bend[k]);
  }
  /* (1 − J)⁻¹ on alternating signs: about the largest that errors of size 1 can become. */
  for (int r = 0; r < c->count; r++) {
    c->residual[r] = r % 2 ? -1.0 : 1.0;
  }
  if (solve(c) == NSDYN_OK) {
    share = nsd_norm_inf(c->count, c->step);
  }
  nsd_fault_clear(&c->fault);
  nsd_cycle_compare(c, c->base.y, c->image, c->residual);
  return worst * (moved + share * c->driver->options.tol);
}

static double largest_error(const nsdyn_cycle *c)
{
  double largest = 0.0;
  for (int k = 0; k < c->count; k++) {
    largest = fmax(largest, c->J_error[k]);
  }
  return largest;
}

/* The derivative for the multipliers, at the fixed point: once more where it lay too far from where the
 * derivative was taken. */
static nsdyn_status differentiate(nsdyn_cycle *c)
{
  /* Differences at the base, then to the fixed point; if that was far for them, once more from there. */
  double moved = 0.0;
  nsdyn_status status = NSDYN_OK;
  for (int k = 0; k < REPEATS && !status; k++) {
    status = nsd_cycle_differentiate_well(c);
    status = status ? status : polish(c, &moved);
    if (!status && blur(c, moved) <= largest_error(c)) {
      break;
    }
  }
  const double blurred = status ? 0.0 : blur(c, moved);
  for (int k = 0; k < c->count; k++) {
    c->J_error[k] += blurred;
  }
  return status;
}

/* Multipliers from the derivative, in c->pair, and their errors. */
static nsdyn_status evaluate(nsdyn_cycle *c)
{
  /* Stage 1. The derivative at the fixed point, with the errors of its columns. */
  nsdyn_status status = differentiate(c);
  if (status) {
    return status;
  }
  /* Stage 2. Its eigenvalues, and how far they may be off. */
  for (int i = 0; i < c->count * c->count; i++) {
    c->work[i] = c->J[i];
  }
  status = nsd_eigenvalues(c->count, c->work, c->count, c->pair);
  if (status) {
    return nsd_fault_set(&c->fault, status, NSDYN_DETAIL_NONE, -1,
                         "the eigenvalues of the return map's derivative cannot be computed");
  }
  nsd_eigenvalues_nearby(c->count, c->J, c->J_error, c->pair, c->pair_error, c->work, c->perm);
  return NSDYN_OK;
}

static void count_unstable(nsdyn_cycle *c)
{
  int unstable = 0;
  for (int k = 0; k < c->count; k++) {
    /* Not (size < 1): NaN counts as unstable. */
    unstable += !(nsd_cycle_size(c, k) < 1.0);
  }
  c->report.unstable = unstable;
  c->report.stable = unstable == 0;
  c->report.largest = c->count ? nsd_cycle_size(c, 0) : 0.0;
  c->report.largest_error = c->count ? c->lambda_error[0] : 0.0;
}

/* Drift and, where nothing depends on it, time are those that were set; else time is moved near it. */
static void place_on_section(nsdyn_cycle *c)
{
  const double forcing = c->options.forcing, late = c->next.y[0] - c->guess[0];
  nsd_cycle_copy(c, c->next.y, c->here.y);
  /* By whole periods of the forcing, next to the time that was set. */
  c->here.y[0] = isfinite(forcing) ? c->next.y[0] - floor(late / forcing) * forcing : c->guess[0];
  for (int i = 0; i < c->nq; i++) {
    c->here.y[1 + i] = c->drift[i] ? c->guess[1 + i] : c->next.y[1 + i];
  }
  nsd_cycle_copy(c, c->here.y, c->state);
  c->place = NSD_PLACE_SECTION;
}

/* The motion comes back, but not after so many returns: another crossing of the section has come in since the
 * base was chosen, as by a second impact. */
static nsdyn_status refuse_returns(nsdyn_cycle *c, double size)
{
  char text[NSD_NUMBER_LENGTH];
  return nsd_fault_set(
      &c->fault, NSDYN_MAX_ITERATIONS, NSDYN_DETAIL_FIELD, (int64_t)offsetof(nsdyn_cycle_options, returns),
      "%d returns to the section are no period of the cycle that was found: after them the state "
      "is off by %s of its scale; take another number of them, or another section",
      (int)c->options.returns, nsd_number_text(size, text));
}

/* To the section, and a period from there, which is what the cycle is judged by. */
static nsdyn_status conclude(nsdyn_cycle *c)
{
  /* Stage 1. From the base on to the section. */
  nsdyn_status status = nsd_cycle_to_section(c, &c->base.snapshot, c->base.y);
  if (status) {
    return status;
  }
  nsd_cycle_read_driver(c, c->next.y);
  status = nsd_cycle_take(c, &c->next.snapshot);
  /* Stage 2. One whole period from there, in which phases are measured anew. */
  nsd_cycle_begin_phases(c);
  status = status ? status : nsd_cycle_cross(c, c->options.returns);
  if (status) {
    return status;
  }
  nsd_cycle_read_driver(c, c->image);
  c->period = c->image[0] - c->next.y[0];
  /* Stage 3. Does it come back? On the section this is the residual that is reported. */
  const double size = nsd_cycle_compare(c, c->next.y, c->image, c->residual);
  if (size > NSD_CYCLE_MISCOUNTED) {
    return refuse_returns(c, size);
  }
  /* Stage 4. The next search's base; the state on the section; drifts. */
  nsd_cycle_choose_base(c, c->next.y[0]);
  const nsd_snapshot section = c->next.snapshot;
  c->next.snapshot = c->here.snapshot;
  c->here.snapshot = section;
  place_on_section(c);
  for (int i = 0; i < c->nq; i++) {
    c->shift[i] = c->drift[i] ? c->image[1 + i] - c->next.y[1 + i] : 0.0;
  }
  /* Stage 5. Multipliers and report. */
  for (int k = 0; k < 2 * c->count; k++) {
    c->lambda[k] = c->pair[k];
  }
  for (int k = 0; k < c->count; k++) {
    c->lambda_error[k] = c->pair_error[k];
  }
  c->report.found = 1;
  c->report.period = c->period;
  c->report.residual = size;
  c->report.windings = isfinite(c->options.forcing) ? nsd_cycle_windings(c, c->period) : 0;
  count_unstable(c);
  return NSDYN_OK;
}

static nsdyn_status search(nsdyn_cycle *c, int is_near)
{
  /* Stage 1. The section, a first period, the base. */
  nsdyn_status status = nsd_cycle_enter(c);
  c->report.iterations = 0;
  status = status ? status : is_near ? nsd_cycle_approach(c) : nsd_cycle_survey(c);
  /* Stage 2. Newton's method on the return map. */
  status = status ? status : iterate(c);
  /* Stage 3. The multipliers. */
  status = status ? status : evaluate(c);
  /* Stage 4. Back to the section. */
  return status ? status : conclude(c);
}

nsdyn_status nsd_cycle_search(nsdyn_cycle *c)
{
  nsd_fault_clear(&c->fault);
  c->least = INFINITY;
  /* First near the cycle found last; if that does not lead to one, from the beginning. */
  nsdyn_status status = search(c, c->report.found);
  if (c->report.found && nsd_cycle_is_too_far(status)) {
    nsd_fault_clear(&c->fault);
    c->stands = 0;
    status = search(c, 0);
  }
  c->stands = 0;
  c->report.status = status;
  if (!c->report.found) {
    c->report.residual = c->least;
  }
  return status;
}
