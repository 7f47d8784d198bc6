/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "system/check/closing.h"

#include <float.h>
#include <math.h>

#include "base/dense.h"
#include "base/number.h"
#include "base/tolerances.h"
#include "contact/law.h"
#include "system/check/difference.h"

#define ASIDE 0x1p-6 /* of the largest coordinate: where a contact without directions is looked at again */

void nsd_closing_lay_out(nsd_arena *arena, nsd_closing *c, const nsdyn_system_def *def)
{
  const size_t nq = (size_t)def->nq, nu = (size_t)def->nu;
  c->asked = nsd_arena_take(arena, (size_t)def->ncontacts, sizeof *c->asked);
  c->H_v = nsd_arena_take(arena, nsd_system_is_flat(def) ? 0 : nq, sizeof *c->H_v);
  c->turned = nsd_arena_take(arena, def->retract ? nu : 0, sizeof *c->turned);
}

void nsd_closing_reset(nsd_closing *c, const nsdyn_system_def *def)
{
  c->left = def->gap ? def->ncontacts : 0;
  for (int32_t i = 0; i < def->ncontacts; i++) {
    c->asked[i] = 0;
  }
}

/* One series of differences. */
typedef struct probe {
  const nsd_closing *closing;
  const nsdyn_system_def *def;
  const nsd_closing_look *at;
  const double *q_dot; /* nq: q̇ of v */
  nsd_fault fault;
} probe;

/* g_i at q moved along v by the parameter s, at constant t. Where the model has no answer there is no value.
 */
static nsdyn_status gap_along(void *user, double s, double *values)
{
  probe *p = user;
  const nsd_closing_look *at = p->at;
  const nsdyn_system_def *def = p->def;
  nsdyn_status status = NSDYN_OK;
  if (def->retract && s != 0.0) {
    status = nsd_call_move(def, at->t, at->q, s < 0.0 ? p->closing->turned : at->v, fabs(s), at->q_probe,
                           &p->fault);
  } else {
    for (int k = 0; k < def->nq; k++) {
      at->q_probe[k] = at->q[k] + s * p->q_dot[k];
    }
  }
  status = status ? status : nsd_call_configure(def, at->t, at->q_probe, &p->fault);
  status = status ? status : nsd_call_gap(def, at->t, at->q_probe, at->g, &p->fault);
  *values = status ? NAN : at->g[at->index];
  return status == NSDYN_ERR_CALLBACK_RETRY || status == NSDYN_ERR_NOT_FINITE ? NSDYN_STOPPED : status;
}

static double largest_of(int n, const double *x)
{
  double most = 0.0;
  for (int j = 0; j < n; j++) {
    most = fmax(most, fabs(x[j]));
  }
  return most;
}

/* q̇ of v. With a retract alone it is told as far as it is known, and is only a size. */
static nsdyn_status set_out(probe *p)
{
  const nsdyn_system_def *def = p->def;
  const nsd_closing *c = p->closing;
  const double *v = p->at->v;
  p->q_dot = v;
  if (nsd_system_is_flat(def)) {
    return NSDYN_OK;
  }
  p->q_dot = c->H_v;
  for (int k = 0; k < def->nq; k++) {
    c->H_v[k] = !def->kinematics && k < def->nu ? v[k] : 0.0;
  }
  for (int j = 0; def->retract && j < def->nu; j++) {
    c->turned[j] = -v[j];
  }
  const int code = def->kinematics ? def->kinematics(def->user, p->at->t, p->at->q, v, c->H_v) : 0;
  return code ? nsd_blame_code(&p->fault, "kinematics", nsd_no_subject(), code) : NSDYN_OK;
}

/* By how much of the parameter s a gap whose slopes have this size is rounded: by that of the coordinates,
 * and of the terms that it is a sum of, most of which may cancel. */
static double rounding_of(const probe *p, double size)
{
  const nsd_closing_look *at = p->at;
  const double place = largest_of(p->def->nq, at->q), fastest = largest_of(p->def->nq, p->q_dot);
  const double terms = largest_of(p->def->nu, at->w) * place + fabs(at->w_hat * at->t);
  return fastest > 0.0 ? DBL_EPSILON * fmax(place / fastest, terms / size) : 0.0;
}

static nsdyn_status refuse(probe *p, double slope, double said)
{
  const nsd_closing_look *at = p->at;
  const nsd_subject who = {NSDYN_DETAIL_CONTACT, at->index, at->index};
  char text[NSD_SUBJECT_LENGTH], number[2][NSD_NUMBER_LENGTH];
  nsd_fault_set(&p->fault, NSDYN_ERR_INCONSISTENT, who.kind, who.index,
                "%s does not follow its directions as it closes for the first time: along M^-1 %s its gap "
                "changes by %s where w_N says %s; check them with nsdyn_system_check()",
                nsd_subject_text(who, text), at->row ? "w_T" : "w_N", nsd_number_text(slope, number[0]),
                nsd_number_text(said, number[1]));
  p->fault.detail.key = at->index;
  return NSDYN_ERR_INCONSISTENT;
}

/* dg/ds along q̇ = H v, by differences, beside w_N v; `size`: of such slopes. */
static nsdyn_status compare(probe *p, double said, double size)
{
  nsd_slope slope = {.given = said, .size = size};
  double values[6], error;
  nsdyn_status status = set_out(p);
  const nsd_slope_task task = {.n = 1,
                               .slope = &slope,
                               .values = values,
                               .rounding = rounding_of(p, size),
                               .user = p,
                               .at = gap_along};
  status = status ? status : nsd_slope_find(&task);
  if (status) {
    return status;
  }
  /* A linearized direction may be off by some of it. */
  const int differs = nsd_slope_judge(&slope, &error) == NSD_SLOPE_DIFFERS && error > NSD_CLOSING_MISS;
  return differs ? refuse(p, slope.slope, said) : NSDYN_OK;
}

/* All rows are zero here: aside of here, too? */
static nsdyn_status look_aside(probe *p)
{
  const nsdyn_system_def *def = p->def;
  const nsd_closing_look *at = p->at;
  const double largest = largest_of(def->nq, at->q), way = ASIDE * (largest > 0.0 ? largest : 1.0);
  const nsd_subject who = {NSDYN_DETAIL_CONTACT, at->index, at->index};
  char text[NSD_SUBJECT_LENGTH];
  double w_hat[NSD_CONTACT_ROWS];
  for (int j = 0; j < def->nu; j++) {
    at->v[j] = way / (j + 1.0); /* no two alike, so that nothing stays where it is by symmetry */
  }
  nsdyn_status status = nsd_call_move(def, at->t, at->q, at->v, 1.0, at->q_probe, &p->fault);
  status = status ? status : nsd_call_configure(def, at->t, at->q_probe, &p->fault);
  status = status ? status : nsd_call_direction(def, at->t, at->q_probe, at->index, at->W, w_hat, &p->fault);
  if (status || largest_of(at->rows * def->nu, at->W) != 0.0) {
    return status;
  }
  nsd_fault_set(
      &p->fault, NSDYN_ERR_INCONSISTENT, who.kind, who.index,
      "%s is closed, and has no effect: all its directions are zero, here and elsewhere; check them "
      "with nsdyn_system_check()",
      nsd_subject_text(who, text));
  p->fault.detail.key = at->index;
  return NSDYN_ERR_INCONSISTENT;
}

nsdyn_status nsd_closing_ask(nsd_closing *c, const nsdyn_system_def *def, const nsd_closing_look *at,
                             nsd_fault *fault)
{
  const double *own = at->w + (size_t)at->row * (size_t)def->nu;
  const double said = nsd_dot(def->nu, at->w, at->v), stiff = nsd_dot(def->nu, own, at->v);
  probe p = {.closing = c, .def = def, .at = at};
  nsdyn_status status = NSDYN_OK;
  nsd_fault_clear(&p.fault);
  if (at->row == 0 && largest_of(at->rows * def->nu, at->w) == 0.0) {
    status = look_aside(&p);
  } else if (largest_of(def->nu, at->w) > 0.0 && stiff > 0.0 && stiff <= DBL_MAX) {
    /* G_NN and G_TT bound G_NT; a slot without a normal direction, a brake, has none. */
    const double most = largest_of(def->nu, at->w) / largest_of(def->nu, own);
    status = compare(&p, said, at->row ? most * stiff : said);
  }
  /* Where the model has no answer it has no fault either. */
  const int has_none = status > 0 || status == NSDYN_ERR_CALLBACK_RETRY || status == NSDYN_ERR_NOT_FINITE;
  status = has_none ? NSDYN_OK : status;
  /* What follows sees the configuration, and the gaps, that it was called with. */
  status = status ? status : nsd_call_configure(def, at->t, at->q, &p.fault);
  status = status ? status : nsd_call_gap(def, at->t, at->q, at->g, &p.fault);
  if (status) {
    *fault = p.fault;
    return status;
  }
  if (at->row + 1 == at->rows) {
    c->asked[at->index] = 1;
    c->left--;
  }
  return NSDYN_OK;
}
