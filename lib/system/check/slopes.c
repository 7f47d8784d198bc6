/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <float.h>
#include <math.h>

#include "base/tolerances.h"
#include "system/check/check.h"
#include "system/inertia.h"

/* ---- moving ----------------------------------------------------------------------------------------------
 */

/* A probe may lie where the model has no answer: that is no failure, there just is no value. */
static nsdyn_status as_probe(nsdyn_status status)
{
  return status == NSDYN_ERR_CALLBACK_RETRY || status == NSDYN_ERR_NOT_FINITE ? NSDYN_STOPPED : status;
}

/* q after the parameter s: by retract or q + s q̇ along v. `retract` is asked for dt > 0 alone. */
static nsdyn_status move(nsd_model_check *c, double s)
{
  const nsdyn_system_def *def = c->def;
  if (def->retract && c->v && s != 0.0) {
    return nsd_call_move(def, c->t, c->q, s < 0.0 ? c->v_turned : c->v, fabs(s), c->q_probe, &c->fault);
  }
  for (int k = 0; k < def->nq; k++) {
    c->q_probe[k] = c->q[k] + (c->v ? s * c->v_dot[k] : 0.0);
  }
  return NSDYN_OK;
}

/* Sets out along a velocity whose q̇ is known where there is no retract. */
static void set_out(nsd_model_check *c, const double *v, const double *qdot)
{
  const nsdyn_system_def *def = c->def;
  c->v = v;
  for (int j = 0; j < def->nu; j++) {
    c->v_turned[j] = -v[j];
  }
  for (int k = 0; k < def->nq; k++) {
    c->v_dot[k] = def->kinematics ? qdot[k] : k < def->nu ? v[k] : 0.0;
  }
}

/* Along unit velocity j. */
static nsdyn_status set_out_along(nsd_model_check *c, int j)
{
  nsdyn_status status = NSDYN_OK;
  if (c->def->kinematics) {
    status = nsd_model_unit_rate(c, j, c->v_dot);
  } else {
    nsd_fill_zero(c->def->nu, c->v_unit);
    c->v_unit[j] = 1.0;
  }
  set_out(c, c->v_unit, c->v_dot);
  return status;
}

/* By how much of s the coordinates that move are rounded. */
static double rounding_of_q(const nsd_model_check *c)
{
  double fastest = 0.0, largest = 0.0;
  for (int k = 0; k < c->def->nq; k++) {
    /* Only coordinates that move count: one that stands does not round s. */
    fastest = fmax(fastest, fabs(c->v_dot[k]));
  }
  for (int k = 0; k < c->def->nq; k++) {
    /* Without kinematics it is not known which coordinates move: all count. */
    if (fabs(c->v_dot[k]) > NSD_CHECK_MOVES * fastest || (c->def->retract && !c->def->kinematics)) {
      largest = fmax(largest, fabs(c->q[k]));
    }
  }
  /* ε |q| is the rounding of q; over the speed it is one of s. */
  return fastest > 0.0 ? DBL_EPSILON * largest / fastest : DBL_EPSILON * largest;
}

/* ---- values ----------------------------------------------------------------------------------------------
 */

static nsdyn_status find_at(nsd_model_check *c, double t)
{
  return nsd_sink_find(&c->sink, t, c->q_probe, NULL, INFINITY);
}

/* Gaps of contacts, constraints, found contacts at (t, q_probe). */
static nsdyn_status gaps_at(nsd_model_check *c, double t, double *values)
{
  const nsdyn_system_def *def = c->def;
  double *of_found = values + def->ncontacts + def->nconstraints;
  nsdyn_status status = nsd_call_configure(def, t, c->q_probe, &c->fault);
  status = status ? status : nsd_call_gap(def, t, c->q_probe, values, &c->fault);
  status = status ? status
                  : nsd_call_constraint(def, t, c->q_probe, values + def->ncontacts, c->W_b_probe,
                                        c->w_hat_b_probe, &c->fault);
  status = status || !c->found ? status : find_at(c, t);
  for (int k = 0; k < c->found && !status; k++) {
    const int64_t at = nsd_keys_find(&c->sink.keys, c->answers.found[k].key);
    of_found[k] = at < 0 ? NAN : c->sink.found[at].gap;
  }
  return as_probe(status);
}

static nsdyn_status gaps_along(void *user, double s, double *values)
{
  nsd_model_check *c = user;
  const nsdyn_status status = as_probe(move(c, s));
  return status ? status : gaps_at(c, c->t, values);
}

static nsdyn_status gaps_in_time(void *user, double s, double *values)
{
  nsd_model_check *c = user;
  const nsdyn_status status = move(c, 0.0);
  return status ? status : gaps_at(c, c->t + s, values);
}

static double speed_of(const nsd_model_check *c, const double *w, double w_hat)
{
  return nsd_small_dot(c->def->nu, w, c->u) + w_hat;
}

/* Whether directions are those of the state, which the flag says. */
static void compare_directions(nsd_model_check *c, int i, const double *w_hat)
{
  const int nu = c->def->nu, rows = nsd_contact_law_rows(&c->sys->laws[i]);
  const double *W = c->answers.W + (size_t)i * NSD_CONTACT_ROWS * (size_t)nu;
  if (!(c->def->flags & NSDYN_CONSTANT_DIRECTIONS)) {
    return;
  }
  /* Beside the row's size, in units of velocity. */
  for (int r = 0; r < rows; r++) {
    double size = 0.0;
    for (int j = 0; j < nu; j++) {
      size = fmax(size, fabs(W[r * nu + j]) * c->unit[j]);
    }
    for (int j = 0; j < nu; j++) {
      const double was = W[r * nu + j], is = c->W_probe[r * nu + j];
      if (fabs(is - was) * c->unit[j] > NSD_CHECK_AGREES * size) {
        const nsd_place place = {NSDYN_DEFECT_CONSTANT,
                                 "direction",
                                 nsd_model_contact(i),
                                 r,
                                 j,
                                 was,
                                 is,
                                 size > 0.0 ? fabs(is - was) * c->unit[j] / size : INFINITY};
        if (c->is_constant) {
          nsd_model_note(c, place);
        }
        c->is_constant = 0;
      }
    }
    const double was = c->answers.w_hat[NSD_CONTACT_ROWS * i + r];
    if (c->is_constant && fabs(w_hat[r] - was) > NSD_CHECK_AGREES * fabs(was)) {
      const nsd_place place = {NSDYN_DEFECT_CONSTANT,
                               "direction",
                               nsd_model_contact(i),
                               r,
                               -1,
                               was,
                               w_hat[r],
                               was != 0.0 ? fabs(w_hat[r] / was - 1.0) : INFINITY};
      nsd_model_note(c, place);
      c->is_constant = 0;
    }
  }
}

/* W u + ŵ of all rows at (t + s, q after s along u). */
static nsdyn_status speeds_along(void *user, double s, double *values)
{
  nsd_model_check *c = user;
  const nsdyn_system_def *def = c->def;
  const int nu = def->nu;
  const double t = c->time_stands ? c->t : c->t + s;
  double *of_constraints = values + NSD_CONTACT_ROWS * (size_t)def->ncontacts,
         *of_found = of_constraints + def->nconstraints;
  /* Stage by stage as in a step: configure, directions of contacts, constraints, found contacts. */
  nsdyn_status status = move(c, s);
  status = status ? status : nsd_call_configure(def, t, c->q_probe, &c->fault);
  for (int i = 0; i < def->ncontacts && !status; i++) {
    double w_hat[NSD_CONTACT_ROWS];
    if (!isfinite(c->answers.g[i])) { /* nothing is known of what is far away */
      for (int r = 0; r < NSD_CONTACT_ROWS; r++) {
        values[NSD_CONTACT_ROWS * i + r] = NAN;
      }
      continue;
    }
    status = nsd_call_direction(def, t, c->q_probe, i, c->W_probe, w_hat, &c->fault);
    compare_directions(c, i, w_hat);
    for (int r = 0; r < NSD_CONTACT_ROWS; r++) {
      values[NSD_CONTACT_ROWS * i + r] = speed_of(c, c->W_probe + (size_t)r * (size_t)nu, w_hat[r]);
    }
  }
  status = status ? status
                  : nsd_call_constraint(def, t, c->q_probe, c->g_b_probe, c->W_b_probe, c->w_hat_b_probe,
                                        &c->fault);
  for (int i = 0; i < def->nconstraints && !status; i++) {
    of_constraints[i] = speed_of(c, c->W_b_probe + (size_t)i * (size_t)nu, c->w_hat_b_probe[i]);
  }
  status = status || !c->found ? status : find_at(c, t);
  for (int k = 0; k < c->found && !status; k++) {
    const int64_t at = nsd_keys_find(&c->sink.keys, c->answers.found[k].key);
    for (int r = 0; r < NSD_CONTACT_ROWS; r++) {
      const int is_there = at >= 0 && r < c->sink.found[at].rows;
      const double of_u = is_there ? nsd_row_dot(nsd_sink_row(&c->sink, (int32_t)at, r), c->u) : 0.0;
      of_found[NSD_CONTACT_ROWS * k + r] = at < 0 ? NAN : of_u + c->sink.found[at].w_hat[r];
    }
  }
  return as_probe(status);
}

/* The configuration itself. */
static nsdyn_status coordinates_along(void *user, double s, double *values)
{
  nsd_model_check *c = user;
  const nsdyn_status status = move(c, s);
  for (int k = 0; k < c->def->nq; k++) {
    values[k] = c->q_probe[k];
  }
  return as_probe(status);
}

/* ---- comparing -------------------------------------------------------------------------------------------
 */

static void compare(nsd_model_check *c, const nsd_slope *s, nsd_place place)
{
  if (isnan(s->given)) {
    return;
  }
  /* Sharp enough to tell, too noisy to tell, or different. */
  const int verdict = nsd_slope_judge(s, &place.error);
  c->report.checks++;
  c->report.unclear += verdict == NSD_SLOPE_UNCLEAR;
  if (verdict == NSD_SLOPE_DIFFERS) {
    place.expected = s->slope;
    place.found = s->given;
    nsd_model_note(c, place);
  }
}

static nsdyn_status difference(nsd_model_check *c, int n, double rounding, const double *terms,
                               nsdyn_status (*at)(void *, double, double *))
{
  const nsd_slope_task task = {.n = n,
                               .slope = c->slope,
                               .terms = terms,
                               .values = c->values,
                               .rounding = rounding,
                               .user = c,
                               .at = at};
  const nsdyn_status status = nsd_slope_find(&task);
  /* No value at the state itself, which is no probe: a callback that had answered there does so no more. */
  return status == NSDYN_STOPPED ? c->fault.status : status;
}

/* A row of W: its largest element where each velocity has its unit. */
static double size_of_row(const nsd_model_check *c, const double *w)
{
  double size = 0.0;
  for (int j = 0; j < c->def->nu; j++) {
    size = fmax(size, fabs(w[j]) * c->unit[j]);
  }
  return size;
}

/* w_N of gap number i: contacts, constraints, found ones. */
static const double *row_of(const nsd_model_check *c, int i)
{
  const nsdyn_system_def *def = c->def;
  const size_t nu = (size_t)def->nu, constraint = (size_t)(i - def->ncontacts);
  if (i < def->ncontacts) {
    return c->answers.W + (size_t)i * NSD_CONTACT_ROWS * nu;
  }
  return i < def->ncontacts + def->nconstraints
             ? c->answers.W_b + constraint * nu
             : c->answers.found_W + (constraint - (size_t)def->nconstraints) * NSD_CONTACT_ROWS * nu;
}

static double gap_of(const nsd_model_check *c, int i)
{
  const nsdyn_system_def *def = c->def;
  const int constraint = i - def->ncontacts, found = constraint - def->nconstraints;
  return i < def->ncontacts ? c->answers.g[i]
         : found < 0        ? c->answers.g_b[constraint]
                            : c->answers.found[found].gap;
}

static double rate_of(const nsd_model_check *c, int i)
{
  const nsdyn_system_def *def = c->def;
  const int constraint = i - def->ncontacts, found = constraint - def->nconstraints;
  return i < def->ncontacts ? c->answers.w_hat[NSD_CONTACT_ROWS * i]
         : found < 0        ? c->answers.w_hat_b[constraint]
                            : c->answers.found[found].w_hat[0];
}

static nsd_place place_of(const nsd_model_check *c, int i, int32_t defect, int column)
{
  const nsdyn_system_def *def = c->def;
  const int constraint = i - def->ncontacts, found = constraint - def->nconstraints;
  nsd_place place = {.defect = defect, .row = 0, .column = column};
  place.callback = i < def->ncontacts ? "direction" : found < 0 ? "constraint" : "find";
  place.who = i < def->ncontacts ? nsd_model_contact(i)
              : found < 0        ? nsd_model_constraint(constraint)
                                 : nsd_model_found(c, found);
  place.row = found < 0 && constraint >= 0 ? constraint : 0;
  return place;
}

/* Σ_j |w_j| reach_j: the terms that gap i is made of, in its own unit, as far as coordinates tell. A gap that
 * is zero, beside a coordinate that is, would have no size at all: steps of 1e-30 would look at how a user's
 * geometry treats what is degenerate, far below its own tolerance. */
static double terms_of_gap(const nsd_model_check *c, int i, const double *reach)
{
  const double *w = row_of(c, i);
  double terms = 0.0;
  for (int j = 0; j < c->def->nu; j++) {
    terms += fabs(w[j]) * reach[j];
  }
  return terms;
}

/* Terms of all gaps, into c->terms. Where none tells of a length, all of its coordinates being zero, the gap
 * is in units of velocity as large as the largest of the others is. */
static nsdyn_status measure_gaps(nsd_model_check *c, int n)
{
  /* How long the unit velocity j takes to make the largest coordinate that it moves; nu, where differences
   * are not taken yet. */
  double *reach = c->values, most = 0.0;
  for (int j = 0; j < c->def->nu; j++) {
    const nsdyn_status status = set_out_along(c, j);
    if (status) {
      return status;
    }
    reach[j] = rounding_of_q(c) / DBL_EPSILON;
    most = fmax(most, reach[j] / c->unit[j]);
  }
  for (int i = 0; i < n; i++) {
    const double gap = fabs(gap_of(c, i)), size = size_of_row(c, row_of(c, i));
    c->terms[i] = terms_of_gap(c, i, reach);
    most = fmax(most, size > 0.0 && gap <= DBL_MAX ? gap / size : 0.0);
  }
  for (int i = 0; i < n; i++) {
    c->terms[i] = c->terms[i] > 0.0 ? c->terms[i] : most * size_of_row(c, row_of(c, i));
  }
  return NSDYN_OK;
}

nsdyn_status nsd_model_check_gaps(nsd_model_check *c)
{
  const nsdyn_system_def *def = c->def;
  const int n = def->ncontacts + def->nconstraints + c->found;
  nsdyn_status status = n ? measure_gaps(c, n) : NSDYN_OK;
  /* Stage 1. Along each unit velocity e_j: ∂g/∂q H e_j must be W_j. */
  for (int j = 0; j < def->nu && n && !status; j++) {
    status = set_out_along(c, j);
    for (int i = 0; i < n && !status; i++) {
      c->slope[i].given = row_of(c, i)[j];
      c->slope[i].size = size_of_row(c, row_of(c, i)) / c->unit[j];
    }
    status = status ? status : difference(c, n, rounding_of_q(c), c->terms, gaps_along);
    for (int i = 0; i < n && !status; i++) {
      compare(c, &c->slope[i], place_of(c, i, NSDYN_DEFECT_SLOPE, j));
    }
  }
  /* Stage 2. In time alone: ∂g/∂t must be ŵ. */
  c->v = NULL;
  for (int i = 0; i < n; i++) {
    c->slope[i].given = rate_of(c, i);
    c->slope[i].size = 0.0;
    for (int j = 0; j < def->nu; j++) { /* a surface that moves by less is at rest */
      c->slope[i].size = fmax(c->slope[i].size, fabs(row_of(c, i)[j] * c->u[j]));
    }
  }
  status = status || !n ? status : difference(c, n, DBL_EPSILON * fabs(c->t), c->terms, gaps_in_time);
  for (int i = 0; i < n && !status; i++) {
    nsd_place place = place_of(c, i, NSDYN_DEFECT_RATE, -1);
    compare(c, &c->slope[i], place);
  }
  return status;
}

/* Row i of the velocities: W, ŵ of contacts, constraints, found ones. */
static const double *velocity_row(const nsd_model_check *c, int i, double *w_hat)
{
  const nsdyn_system_def *def = c->def;
  const int of_contacts = NSD_CONTACT_ROWS * def->ncontacts, constraint = i - of_contacts;
  const int found = constraint - def->nconstraints;
  const size_t nu = (size_t)def->nu;
  *w_hat = i < of_contacts ? c->answers.w_hat[i]
           : found < 0     ? c->answers.w_hat_b[constraint]
                           : c->answers.found[found / NSD_CONTACT_ROWS].w_hat[found % NSD_CONTACT_ROWS];
  return i < of_contacts ? c->answers.W + (size_t)i * nu
         : found < 0     ? c->answers.W_b + (size_t)constraint * nu
                         : c->answers.found_W + (size_t)found * nu;
}

/* Σ |w_j u_j| + |ŵ| */
static double terms_of_speed(const nsd_model_check *c, int i)
{
  double w_hat;
  const double *w = velocity_row(c, i, &w_hat);
  double sum = fabs(w_hat);
  for (int j = 0; j < c->def->nu; j++) {
    sum += fabs(w[j] * c->u[j]);
  }
  return sum;
}

/* Sizes of the two terms of a slope along the motion: what time alone changes, and what q does. Where they
 * cancel, t = 1e6 s leaves less of the sum than the sum's own size tells. */
static nsdyn_status measure_terms(nsd_model_check *c, int n)
{
  const double *v = c->v;
  nsdyn_status status = NSDYN_OK;
  for (int i = 0; i < n; i++) {
    c->given[i] = c->slope[i].given;
    c->terms[i] = 0.0;
  }
  /* Part 0: time alone; part 1: q alone, at the same t. */
  for (int part = 0; part < 2 && !status; part++) {
    for (int i = 0; i < n; i++) {
      c->slope[i].given = isnan(c->given[i]) ? NAN : 0.0;
    }
    c->time_stands = part;
    c->v = part ? v : NULL;
    status = difference(c, n, part ? rounding_of_q(c) : DBL_EPSILON * fabs(c->t), NULL, speeds_along);
    for (int i = 0; i < n && !status; i++) {
      c->terms[i] = fmax(c->terms[i], c->slope[i].error < (double)INFINITY ? fabs(c->slope[i].slope) : 0.0);
    }
  }
  c->time_stands = 0;
  c->v = v;
  for (int i = 0; i < n; i++) {
    c->slope[i].given = c->given[i];
    c->slope[i].size = c->terms[i];
    c->terms[i] = terms_of_speed(c, i);
  }
  return status;
}

/* What rounding makes of a w̄ that is zero: a sum of terms like W u · |q̇|/|q|, which cancel, or none of which
 * is there before the motion turns W. Where nothing changes along the motion but rounding the differences
 * tell no size at all. */
static double rounding_of_bias(const nsd_model_check *c, int i)
{
  double largest = 0.0, fastest = 0.0, speed = 0.0, w_hat;
  const double *w = velocity_row(c, i, &w_hat);
  for (int j = 0; j < c->def->nu; j++) { /* in units of each velocity */
    speed = fmax(speed, fabs(c->u[j]) / c->unit[j]);
  }
  for (int k = 0; k < c->def->nq; k++) {
    largest = fmax(largest, fabs(c->q[k]));
    fastest = fmax(fastest, fabs(c->v_dot[k]));
  }
  const double terms = fmax(terms_of_speed(c, i), size_of_row(c, w) * speed);
  /* Where all q are nearly zero, |q̇|/|q| is no rate of the motion: W turns no faster than that. */
  const double rounded = largest > 0.0 ? NSD_CHECK_BIAS_ROUNDING * terms * (fastest / largest) : 0.0;
  return fmin(rounded, NSD_CHECK_BIAS_SHARE * terms * speed);
}

nsdyn_status nsd_model_check_biases(nsd_model_check *c)
{
  const nsdyn_system_def *def = c->def;
  const int of_contacts = NSD_CONTACT_ROWS * def->ncontacts, of_constraints = def->nconstraints;
  const int n = of_contacts + of_constraints + NSD_CONTACT_ROWS * c->found;
  if (n == 0) {
    return NSDYN_OK;
  }
  /* d/dt (W u + ŵ) at constant u must be w̄: along the motion of u, t and q together. */
  set_out(c, c->u, c->answers.qdot);
  for (int i = 0; i < of_contacts; i++) {
    const int is_asked = def->bias && isfinite(c->answers.g[i / NSD_CONTACT_ROWS]) &&
                         i % NSD_CONTACT_ROWS < nsd_contact_law_rows(&c->sys->laws[i / NSD_CONTACT_ROWS]);
    c->slope[i].given = is_asked ? c->answers.w_bar[i] : NAN;
  }
  for (int i = 0; i < of_constraints; i++) {
    c->slope[of_contacts + i].given = def->constraint_bias ? c->answers.w_bar_b[i] : NAN;
  }
  for (int k = 0; k < c->found; k++) {
    const double *w_bar = c->answers.found[k].w_bar;
    const int is_given = !isnan(w_bar[0]); /* else a driver differences it */
    const int rows =
        is_given ? nsd_contact_law_rows(nsd_system_found_law(c->sys, c->answers.found[k].law)) : 0;
    for (int r = 0; r < NSD_CONTACT_ROWS; r++) {
      c->slope[of_contacts + of_constraints + NSD_CONTACT_ROWS * k + r].given = r < rows ? w_bar[r] : NAN;
    }
  }
  for (int i = 0; i < n; i++) {
    c->slope[i].size = 0.0;
    c->terms[i] = terms_of_speed(c, i);
  }
  /* Both t and q are rounded. */
  const double rounding = DBL_EPSILON * fabs(c->t) + rounding_of_q(c);
  nsdyn_status status = difference(c, n, rounding, c->terms, speeds_along);
  /* A difference that may be cancellation only is looked at again, beside the sizes of its two terms. */
  int suspects = 0;
  for (int i = 0; i < n; i++) {
    double error;
    suspects += nsd_slope_judge(&c->slope[i], &error) == NSD_SLOPE_DIFFERS;
  }
  if (!status && suspects) {
    status = measure_terms(c, n);
    status = status ? status : difference(c, n, rounding, c->terms, speeds_along);
  }
  for (int i = 0; i < n && !status; i++) {
    const int constraint = i - of_contacts, found = constraint - of_constraints;
    nsd_place place = {.defect = NSDYN_DEFECT_BIAS, .column = -1};
    place.callback = i < of_contacts ? "bias" : found < 0 ? "constraint_bias" : "find";
    place.who = i < of_contacts ? nsd_model_contact(i / NSD_CONTACT_ROWS)
                : found < 0     ? nsd_model_constraint(constraint)
                                : nsd_model_found(c, found / NSD_CONTACT_ROWS);
    place.row = i < of_contacts ? i % NSD_CONTACT_ROWS : found < 0 ? constraint : found % NSD_CONTACT_ROWS;
    /* Nothing changes but by rounding, and w̄ is no more than that: zero. */
    const double changes = c->slope[i].is_flat ? 0.0 : fabs(c->slope[i].slope);
    const double rounded = rounding_of_bias(c, i);
    if (changes <= rounded && fabs(c->slope[i].given) <= rounded) { /* not where none is given: NaN */
      c->slope[i].given = 0.0;
      c->slope[i].agrees = 1;
    }
    compare(c, &c->slope[i], place);
  }
  return status;
}

nsdyn_status nsd_model_check_retract(nsd_model_check *c)
{
  const nsdyn_system_def *def = c->def;
  const int nq = def->nq;
  if (!def->retract) {
    return NSDYN_OK;
  }
  /* Stage 1. retract with dt = 0 leaves q where it is. */
  double largest = 0.0;
  for (int k = 0; k < nq; k++) {
    largest = fmax(largest, fabs(c->q[k]));
  }
  for (int k = 0; k < nq; k++) {
    /* Coordinates of one rotation share a unit, others of the configuration do not: a norm of 1 that is off
     * by rounding is set right in each of them. */
    const double was = c->q[k], is = c->answers.q_still[k], size = fmax(fabs(was), 1e-3 * largest);
    c->report.checks++;
    if (fabs(is - was) > NSD_CHECK_RESTS * size) {
      const nsd_place place = {NSDYN_DEFECT_REST,    "retract", nsd_no_subject(), k, -1, was, is,
                               fabs(is - was) / size};
      nsd_model_note(c, place);
    }
  }
  /* Stage 2. Its slope in dt is q̇ of the kinematics. */
  nsdyn_status status = NSDYN_OK;
  const int can_compare = def->kinematics || def->nq == def->nu;
  for (int j = 0; can_compare && j < def->nu && !status; j++) {
    status = set_out_along(c, j);
    double fastest = 0.0;
    for (int k = 0; k < nq; k++) {
      fastest = fmax(fastest, fabs(c->v_dot[k]));
    }
    for (int k = 0; k < nq; k++) {
      c->slope[k].given = c->v_dot[k];
      c->slope[k].size = fastest;
    }
    status = status ? status : difference(c, nq, rounding_of_q(c), NULL, coordinates_along);
    for (int k = 0; k < nq && !status; k++) {
      const nsd_place place = {.defect = NSDYN_DEFECT_MOTION,
                               .callback = "retract",
                               .who = nsd_no_subject(),
                               .row = k,
                               .column = j};
      compare(c, &c->slope[k], place);
    }
  }
  return status;
}
