/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "system/check/check.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "base/number.h"
#include "base/tolerances.h"
#include "system/check_state.h"

/* ---- memory ----------------------------------------------------------------------------------------------
 */

static void lay_out_answers(nsd_arena *arena, const nsd_model_check *c, nsd_answers *a)
{
  const nsdyn_system_def *def = c->def;
  const size_t nq = (size_t)def->nq, nu = (size_t)def->nu, width = nu * sizeof(double);
  const size_t contacts = (size_t)def->ncontacts, constraints = (size_t)def->nconstraints;
  const size_t found = (size_t)c->found;
  a->M = nsd_arena_take(arena, nsd_mass_numbers(def), sizeof(double));
  a->inverse = nsd_arena_take(arena, def->solve_mass ? nu : 0, width);
  a->h = nsd_arena_take(arena, nu, sizeof(double));
  a->g = nsd_arena_take(arena, contacts, sizeof(double));
  a->W = nsd_arena_take(arena, contacts, NSD_CONTACT_ROWS * width);
  a->w_hat = nsd_arena_take(arena, contacts, NSD_CONTACT_ROWS * sizeof(double));
  a->w_bar = nsd_arena_take(arena, contacts, NSD_CONTACT_ROWS * sizeof(double));
  a->g_b = nsd_arena_take(arena, constraints, sizeof(double));
  a->W_b = nsd_arena_take(arena, constraints, width);
  a->w_hat_b = nsd_arena_take(arena, constraints, sizeof(double));
  a->w_bar_b = nsd_arena_take(arena, constraints, sizeof(double));
  a->qdot = nsd_arena_take(arena, nq, sizeof(double));
  a->q_still = nsd_arena_take(arena, nq, sizeof(double));
  a->found_W = nsd_arena_take(arena, found, NSD_CONTACT_ROWS * width);
  a->found = nsd_arena_take(arena, found, sizeof *a->found);
}

static void lay_out(nsd_arena *arena, nsd_model_check *c)
{
  const nsdyn_system_def *def = c->def;
  const size_t nq = (size_t)def->nq, nu = (size_t)def->nu;
  const size_t constraints = (size_t)def->nconstraints;
  const size_t rows =
      NSD_CONTACT_ROWS * (size_t)def->ncontacts + constraints + NSD_CONTACT_ROWS * (size_t)c->found;
  const size_t wide = nu > nq ? nu : nq, most = rows > wide ? rows : wide;
  lay_out_answers(arena, c, &c->answers);
  lay_out_answers(arena, c, &c->again);
  c->unit = nsd_arena_take(arena, nu, sizeof(double));
  c->v_turned = nsd_arena_take(arena, nu, sizeof(double));
  c->v_unit = nsd_arena_take(arena, nu, sizeof(double));
  c->v_dot = nsd_arena_take(arena, nq, sizeof(double));
  c->sum = nsd_arena_take(arena, nq, sizeof(double));
  c->sum_terms = nsd_arena_take(arena, nq, sizeof(double));
  c->q_probe = nsd_arena_take(arena, nq, sizeof(double));
  c->W_probe = nsd_arena_take(arena, NSD_CONTACT_ROWS * nu, sizeof(double));
  c->W_b_probe = nsd_arena_take(arena, constraints, nu * sizeof(double));
  c->w_hat_b_probe = nsd_arena_take(arena, constraints, sizeof(double));
  c->g_b_probe = nsd_arena_take(arena, constraints, sizeof(double));
  c->slope = nsd_arena_take(arena, most, sizeof *c->slope);
  c->values = nsd_arena_take(arena, most, 6 * sizeof(double));
  c->given = nsd_arena_take(arena, most, sizeof(double));
  c->terms = nsd_arena_take(arena, most, sizeof(double));
  const size_t promised = def->flags & NSDYN_CONSTANT_SLOPES ? nu : 0;
  c->KD = nsd_arena_take(arena, promised, (nq + nu) * sizeof(double));
  c->KD_probe = nsd_arena_take(arena, promised, (nq + nu) * sizeof(double));
}

/* ---- answers ---------------------------------------------------------------------------------------------
 */

/* A number that is not finite: named in the usual words of all calls to callbacks, and in the report. */
static nsdyn_status blame(nsd_model_check *c, const char *callback, nsd_subject who, const char *what,
                          int rows, int cols, const double *A)
{
  for (int i = 0; i < rows * cols; i++) {
    if (!isfinite(A[i])) {
      const nsd_place place = {NSDYN_DEFECT_NOT_FINITE,  callback, who,  rows > 1 ? i / cols : i,
                               rows > 1 ? i % cols : -1, 0.0,      A[i], INFINITY};
      nsd_model_note(c, place);
      return rows > 1 ? nsd_blame_matrix(&c->fault, callback, who, what, rows, cols, A)
                      : nsd_blame_vector(&c->fault, callback, who, NSDYN_DETAIL_COORDINATE, what, cols, A);
    }
  }
  return NSDYN_OK;
}

/* The same of M, by rows and columns of all blocks together. */
static nsdyn_status blame_mass(nsd_model_check *c, const double *M)
{
  for (nsd_mass_part p = nsd_mass_first(c->def); p.n > 0; p = nsd_mass_next(c->def, p)) {
    const size_t n = (size_t)p.n;
    for (size_t k = 0; k < n * n; k++) {
      const double element = M[p.at + k];
      if (!isfinite(element)) {
        const nsd_place place = {NSDYN_DEFECT_NOT_FINITE, "mass", nsd_no_subject(), p.first + (int)(k / n),
                                 p.first + (int)(k % n),  0.0,    element,          INFINITY};
        nsd_model_note(c, place);
        return nsd_blame_mass(&c->fault, c->def, M);
      }
    }
  }
  return NSDYN_OK;
}

static nsdyn_status ask_masses(nsd_model_check *c, nsd_answers *a)
{
  const nsdyn_system_def *def = c->def;
  const size_t nu = (size_t)def->nu;
  nsdyn_status status = NSDYN_OK;
  if (def->mass && nu) {
    status = nsd_call_mass(def, c->t, c->q, a->M, &c->fault);
    status = status ? status : blame_mass(c, a->M);
  }
  if (def->solve_mass && nu && !status) {
    /* X = I: solve_mass makes M⁻¹ of it. */
    memset(a->inverse, 0, nu * nu * sizeof *a->inverse);
    for (size_t j = 0; j < nu; j++) {
      a->inverse[j * nu + j] = 1.0;
    }
    status = nsd_call_solve_mass(def, c->t, c->q, (int)nu, a->inverse, &c->fault);
    status = status ? status : blame(c, "solve_mass", nsd_no_subject(), "X", (int)nu, (int)nu, a->inverse);
  }
  return status;
}

/* q̇ of v, at the state, which is configured. */
static nsdyn_status ask_rate(nsd_model_check *c, const double *v, double *qdot)
{
  const nsdyn_system_def *def = c->def;
  nsd_fill_zero(def->nq, qdot);
  const int code = def->kinematics(def->user, c->t, c->q, v, qdot);
  return code ? nsd_blame_code(&c->fault, "kinematics", nsd_no_subject(), code)
              : blame(c, "kinematics", nsd_no_subject(), "qdot", 1, def->nq, qdot);
}

nsdyn_status nsd_model_unit_rate(nsd_model_check *c, int j, double *qdot)
{
  const nsdyn_status status = nsd_call_configure(c->def, c->t, c->q, &c->fault);
  nsd_fill_zero(c->def->nu, c->v_unit);
  c->v_unit[j] = 1.0;
  return status ? status : ask_rate(c, c->v_unit, qdot);
}

static nsdyn_status ask_motion(nsd_model_check *c, nsd_answers *a)
{
  const nsdyn_system_def *def = c->def;
  const int nq = def->nq, nu = def->nu;
  nsdyn_status status = nsd_call_force(def, c->t, c->q, c->u, a->h, &c->fault);
  status = status ? status : blame(c, "force", nsd_no_subject(), "h", 1, nu, a->h);
  if (def->kinematics && !status) {
    status = ask_rate(c, c->u, a->qdot);
  }
  if (def->retract && !status) {
    status = nsd_call_move(def, c->t, c->q, c->u, 0.0, a->q_still, &c->fault);
    status = status ? status : blame(c, "retract", nsd_no_subject(), "q_new", 1, nq, a->q_still);
  }
  return status;
}

static nsdyn_status ask_contact(nsd_model_check *c, nsd_answers *a, int i)
{
  const nsdyn_system_def *def = c->def;
  const nsd_subject who = nsd_model_contact(i);
  const int nu = def->nu, rows = nsd_contact_law_rows(&c->sys->laws[i]);
  double *W = a->W + (size_t)i * NSD_CONTACT_ROWS * (size_t)nu,
         *w_hat = a->w_hat + NSD_CONTACT_ROWS * (size_t)i;
  double *w_bar = a->w_bar + NSD_CONTACT_ROWS * (size_t)i;
  nsd_fill_zero(NSD_CONTACT_ROWS, w_bar);
  nsdyn_status status = nsd_call_direction(def, c->t, c->q, i, W, w_hat, &c->fault);
  for (int r = 0; r < rows && !status; r++) { /* with the row, which a vector would not have */
    for (int j = 0; j < nu && !status; j++) {
      if (!isfinite(W[r * nu + j])) {
        const nsd_place place = {NSDYN_DEFECT_NOT_FINITE, "direction", who, r, j, 0.0,
                                 W[r * nu + j],           INFINITY};
        nsd_model_note(c, place);
        status = nsd_blame_matrix(&c->fault, "direction", who, "W", rows, nu, W);
      }
    }
  }
  status = status ? status : blame(c, "direction", who, "w_hat", 1, rows, w_hat);
  if (def->bias && !status) {
    const int code = def->bias(def->user, c->t, c->q, c->u, i, w_bar);
    status =
        code ? nsd_blame_code(&c->fault, "bias", who, code) : blame(c, "bias", who, "w_bar", 1, rows, w_bar);
  }
  return status;
}

static nsdyn_status ask_contacts(nsd_model_check *c, nsd_answers *a)
{
  const nsdyn_system_def *def = c->def;
  nsdyn_status status = nsd_call_gap(def, c->t, c->q, a->g, &c->fault);
  for (int i = 0; i < def->ncontacts && !status; i++) {
    /* An infinite gap means "far away" where a contact may open; otherwise it is a defect. */
    const int may_be_far = c->sys->laws[i].kind != NSDYN_CONTACT_BILATERAL && a->g[i] > 0.0;
    /* Rows that are not asked for, of what is far away or beyond those of its law, are zero. */
    nsd_fill_zero(NSD_CONTACT_ROWS * c->def->nu, a->W + (size_t)i * NSD_CONTACT_ROWS * (size_t)c->def->nu);
    nsd_fill_zero(NSD_CONTACT_ROWS, a->w_hat + NSD_CONTACT_ROWS * (size_t)i);
    nsd_fill_zero(NSD_CONTACT_ROWS, a->w_bar + NSD_CONTACT_ROWS * (size_t)i);
    if (isfinite(a->g[i])) {
      status = ask_contact(c, a, i);
    } else if (!may_be_far) {
      const nsd_place place = {
          NSDYN_DEFECT_NOT_FINITE, "gap", nsd_model_contact(i), -1, -1, 0.0, a->g[i], INFINITY};
      nsd_model_note(c, place);
      status = nsd_blame_vector(&c->fault, "gap", nsd_model_contact(i), NSDYN_DETAIL_CONTACT, "its gap", 1,
                                &a->g[i]);
    }
  }
  return status;
}

static nsdyn_status ask_constraints(nsd_model_check *c, nsd_answers *a)
{
  const nsdyn_system_def *def = c->def;
  nsdyn_status status = nsd_call_constraint(def, c->t, c->q, a->g_b, a->W_b, a->w_hat_b, &c->fault);
  /* The message of nsd_call_constraint() names the constraint; here
   * its row and column are found for the report. */
  for (int i = 0; i < def->nconstraints && status == NSDYN_ERR_NOT_FINITE && !c->report.defect; i++) {
    for (int j = -1; j < def->nu; j++) { /* −1: the row's other two numbers */
      const double element =
          j < 0 ? a->g_b[i] + a->w_hat_b[i] : a->W_b[(size_t)i * (size_t)def->nu + (size_t)j];
      if (!isfinite(element)) {
        const nsd_place place = {
            NSDYN_DEFECT_NOT_FINITE, "constraint", nsd_model_constraint(i), i, j, 0.0, element, INFINITY};
        nsd_model_note(c, place);
        break;
      }
    }
  }
  if (def->nconstraints && def->constraint_bias && !status) {
    nsd_fill_zero(def->nconstraints, a->w_bar_b);
    const int code = def->constraint_bias(def->user, c->t, c->q, c->u, a->w_bar_b);
    status = code
                 ? nsd_blame_code(&c->fault, "constraint_bias", nsd_no_subject(), code)
                 : blame(c, "constraint_bias", nsd_no_subject(), "w_bar_b", 1, def->nconstraints, a->w_bar_b);
  }
  return status;
}

/* Found contacts: those that are within any distance. The sink refuses numbers that are not finite. */
static nsdyn_status ask_find(nsd_model_check *c)
{
  const nsdyn_status status = nsd_sink_find(&c->sink, c->t, c->q, c->u, INFINITY);
  if (status == NSDYN_ERR_NOT_FINITE) {
    const nsd_subject who = {NSDYN_DETAIL_CONTACT, -1, c->fault.detail.key};
    const nsd_place place = {NSDYN_DEFECT_NOT_FINITE, "find", who, -1, -1, 0.0, NAN, INFINITY};
    nsd_model_note(c, place);
  }
  return status;
}

/* All answers at the state; the second time the other way round, after those at other states. */
static nsdyn_status ask(nsd_model_check *c, nsd_answers *a, int is_second)
{
  static nsdyn_status (*const parts[])(nsd_model_check *, nsd_answers *) = {ask_masses, ask_motion,
                                                                            ask_contacts, ask_constraints};
  const int count = (int)(sizeof parts / sizeof *parts);
  /* In the other order the second time: a callback that keeps something from another one's call shows. */
  nsdyn_status status = nsd_call_configure(c->def, c->t, c->q, &c->fault);
  for (int k = 0; k < count && !status; k++) {
    status = parts[is_second ? count - 1 - k : k](c, a);
  }
  return status;
}

/* ---- two answers -----------------------------------------------------------------------------------------
 */

static void compare_twice(nsd_model_check *c, const char *callback, nsd_subject who, int rows, int cols,
                          const double *first, const double *second)
{
  for (int i = 0; i < rows; i++) {
    for (int j = 0; j < cols; j++) {
      const size_t at = (size_t)i * (size_t)cols + (size_t)j;
      const double a = first[at], b = second[at];
      c->report.checks++;
      /* To the bit: callbacks are functions of their arguments. */
      if (!(a == b || (isnan(a) && isnan(b)))) { /* a w̄ that is not told is no number */
        const nsd_place place = {NSDYN_DEFECT_CHANGING,
                                 callback,
                                 who,
                                 rows > 1 || cols > 1 ? (rows > 1 ? i : j) : -1,
                                 rows > 1 ? j : -1,
                                 a,
                                 b,
                                 isnan(a) || isnan(b) ? INFINITY : fabs(a - b) / fmax(fabs(a), fabs(b))};
        nsd_model_note(c, place);
        return; /* of one matrix one number is enough */
      }
    }
  }
}

static void compare_found_twice(nsd_model_check *c)
{
  const int nu = c->def->nu;
  for (int k = 0; k < c->found; k++) {
    const nsd_found *first = &c->answers.found[k];
    const nsd_subject who = nsd_model_found(c, k);
    const int64_t at = nsd_keys_find(&c->sink.keys, first->key);
    if (at < 0) {
      const nsd_place place = {NSDYN_DEFECT_CHANGING, "find", who, -1, -1, first->gap, NAN, INFINITY};
      c->report.checks++;
      nsd_model_note(c, place);
      continue;
    }
    const nsd_found *second = &c->sink.found[at];
    compare_twice(c, "find", who, 1, 1, &first->gap, &second->gap);
    const int rows = nsd_contact_law_rows(nsd_system_found_law(c->sys, first->law));
    compare_twice(c, "find", who, 1, rows, first->w_hat, second->w_hat);
    compare_twice(c, "find", who, 1, rows, first->w_bar, second->w_bar);
    nsd_sink_expand(&c->sink, (int32_t)at, rows, c->again.found_W);
    compare_twice(c, "find", who, rows, nu, c->answers.found_W + (size_t)k * NSD_CONTACT_ROWS * (size_t)nu,
                  c->again.found_W);
  }
}

static void compare_mass_twice(nsd_model_check *c)
{
  const double *first = c->answers.M, *second = c->again.M;
  for (nsd_mass_part p = nsd_mass_first(c->def); p.n > 0; p = nsd_mass_next(c->def, p)) {
    const size_t n = (size_t)p.n;
    for (size_t k = 0; k < n * n; k++) {
      const double a = first[p.at + k], b = second[p.at + k];
      c->report.checks++;
      if (a != b) {
        const nsd_place place = {NSDYN_DEFECT_CHANGING,
                                 "mass",
                                 nsd_no_subject(),
                                 p.first + (int)(k / n),
                                 p.first + (int)(k % n),
                                 a,
                                 b,
                                 isnan(b) ? INFINITY : fabs(a - b) / fmax(fabs(a), fabs(b))};
        nsd_model_note(c, place);
        return;
      }
    }
  }
}

static nsdyn_status check_twice(nsd_model_check *c)
{
  const nsdyn_system_def *def = c->def;
  const nsd_answers *a = &c->answers, *b = &c->again;
  const nsd_subject none = nsd_no_subject();
  const int nu = def->nu, nq = def->nq;
  /* All once more at the same state, after probes at others. */
  nsdyn_status status = ask(c, &c->again, 1);
  status = status || !c->found ? status : ask_find(c);
  if (status) {
    return status;
  }
  if (def->mass) {
    compare_mass_twice(c);
  }
  if (def->solve_mass) {
    compare_twice(c, "solve_mass", none, nu, nu, a->inverse, b->inverse);
  }
  compare_twice(c, "force", none, 1, nu, a->h, b->h);
  if (def->kinematics) {
    compare_twice(c, "kinematics", none, 1, nq, a->qdot, b->qdot);
  }
  if (def->retract) {
    compare_twice(c, "retract", none, 1, nq, a->q_still, b->q_still);
  }
  /* Contacts: gap, directions and biases. */
  for (int i = 0; i < def->ncontacts; i++) {
    const nsd_subject who = nsd_model_contact(i);
    const int rows = nsd_contact_law_rows(&c->sys->laws[i]);
    compare_twice(c, "gap", who, 1, 1, a->g + i, b->g + i);
    if (isfinite(a->g[i]) && isfinite(b->g[i])) {
      const size_t at = (size_t)i * NSD_CONTACT_ROWS * (size_t)nu;
      compare_twice(c, "direction", who, rows, nu, a->W + at, b->W + at);
      compare_twice(c, "direction", who, 1, rows, a->w_hat + NSD_CONTACT_ROWS * i,
                    b->w_hat + NSD_CONTACT_ROWS * i);
      compare_twice(c, "bias", who, 1, rows, a->w_bar + NSD_CONTACT_ROWS * i,
                    b->w_bar + NSD_CONTACT_ROWS * i);
    }
  }
  /* Constraints: gap, row, velocity and bias. */
  for (int i = 0; i < def->nconstraints; i++) {
    const nsd_subject who = nsd_model_constraint(i);
    const size_t at = (size_t)i * (size_t)nu;
    compare_twice(c, "constraint", who, 1, 1, a->g_b + i, b->g_b + i);
    compare_twice(c, "constraint", who, 1, nu, a->W_b + at, b->W_b + at);
    compare_twice(c, "constraint", who, 1, 1, a->w_hat_b + i, b->w_hat_b + i);
    if (def->constraint_bias) {
      compare_twice(c, "constraint_bias", who, 1, 1, a->w_bar_b + i, b->w_bar_b + i);
    }
  }
  compare_found_twice(c);
  return NSDYN_OK;
}

/* ---- M ---------------------------------------------------------------------------------------------------
 */

/* Both halves of a matrix that has to be symmetric positive definite, n × n, which belongs to the velocities
 * from `first` on; `work` is n × n. */
static void check_definite(nsd_model_check *c, const char *callback, int first, int n, const double *A,
                           double tolerance, double *work)
{
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < i; j++) {
      /* M_ij beside √(M_ii M_jj). */
      const double lower = A[(size_t)i * (size_t)n + (size_t)j], upper = A[(size_t)j * (size_t)n + (size_t)i];
      const double size =
          sqrt(fabs(A[(size_t)i * (size_t)n + (size_t)i])) * sqrt(fabs(A[(size_t)j * (size_t)n + (size_t)j]));
      const double miss = fabs(upper - lower);
      c->report.checks++;
      if (miss > tolerance * size) {
        const nsd_place place = {NSDYN_DEFECT_SYMMETRY,
                                 callback,
                                 nsd_no_subject(),
                                 first + i,
                                 first + j,
                                 lower,
                                 upper,
                                 size > 0.0 ? miss / size : INFINITY};
        nsd_model_note(c, place);
      }
    }
  }
  /* Positive definite: Cholesky's pivots tell, and name the row. */
  memcpy(work, A, (size_t)n * (size_t)n * sizeof *work);
  int row = 0;
  c->report.checks++;
  if (nsd_cholesky_factor(n, work, n, &row)) {
    const double pivot = A[(size_t)row * (size_t)n + (size_t)row];
    const nsd_place place = {
        NSDYN_DEFECT_DEFINITE, callback, nsd_no_subject(), first + row, -1, fabs(pivot), pivot, 1.0};
    nsd_model_note(c, place);
  }
}

/* What the rows of M become under solve_mass: the identity, each element in the units of its row and column.
 */
static nsdyn_status check_inverse(nsd_model_check *c)
{
  const int nu = c->def->nu;
  double *X = c->again.inverse;
  /* M M⁻¹ = I, computed as the solve of M's rows. */
  memset(X, 0, (size_t)nu * (size_t)nu * sizeof *X);
  for (nsd_mass_part p = nsd_mass_first(c->def); p.n > 0; p = nsd_mass_next(c->def, p)) {
    for (int i = 0; i < p.n; i++) {
      memcpy(X + (size_t)(p.first + i) * (size_t)nu + (size_t)p.first,
             c->answers.M + p.at + (size_t)i * (size_t)p.n, (size_t)p.n * sizeof *X);
    }
  }
  const nsdyn_status status = nsd_call_solve_mass(c->def, c->t, c->q, nu, X, &c->fault);
  for (int i = 0; i < nu && !status; i++) {
    for (int j = 0; j < nu; j++) {
      const double unity = i == j ? 1.0 : 0.0, x = X[(size_t)i * (size_t)nu + (size_t)j];
      const double miss = fabs(x - unity) * c->unit[i] / c->unit[j]; /* m_i / m_j to the half */
      c->report.checks++;
      if (!(miss <= NSD_CHECK_AGREES)) {
        const nsd_place place = {NSDYN_DEFECT_INVERSE, "solve_mass", nsd_no_subject(), i, j, unity, x, miss};
        nsd_model_note(c, place);
      }
    }
  }
  return status;
}

/* How much of a velocity counts as much as of another: 1 / √M_jj, or √(M⁻¹)_jj. */
static void set_units(nsd_model_check *c)
{
  const size_t nu = (size_t)c->def->nu;
  for (nsd_mass_part p = nsd_mass_first(c->def); p.n > 0; p = nsd_mass_next(c->def, p)) {
    for (size_t j = 0; j < (size_t)p.n; j++) {
      /* 1 / M_jj, or (M⁻¹)_jj: the square of the velocity u_j whose energy is ½. */
      const size_t velocity = (size_t)p.first + j;
      const double m = c->def->mass ? 1.0 / c->answers.M[p.at + j * ((size_t)p.n + 1)]
                                    : c->answers.inverse[velocity * (nu + 1)];
      c->unit[velocity] = m > 0.0 && m <= DBL_MAX ? sqrt(m) : 1.0;
    }
  }
}

static nsdyn_status check_masses(nsd_model_check *c)
{
  const nsdyn_system_def *def = c->def;
  if (def->nu == 0) {
    return NSDYN_OK;
  }
  for (nsd_mass_part p = nsd_mass_first(def); def->mass && p.n > 0; p = nsd_mass_next(def, p)) {
    check_definite(c, "mass", p.first, p.n, c->answers.M + p.at, NSD_CHECK_WRITTEN_MASS, c->again.M);
  }
  if (def->solve_mass) {
    /* Solved for, not written: as good as its condition lets it be. */
    check_definite(c, "solve_mass", 0, def->nu, c->answers.inverse, NSD_CHECK_SOLVED_MASS, c->again.inverse);
  }
  return def->mass && def->solve_mass ? check_inverse(c) : NSDYN_OK;
}

/* Whether M of `again` is M of `answers` still; notes the first element that is not. */
static int is_same_mass(nsd_model_check *c)
{
  for (nsd_mass_part p = nsd_mass_first(c->def); p.n > 0; p = nsd_mass_next(c->def, p)) {
    const size_t n = (size_t)p.n;
    for (size_t k = 0; k < n * n; k++) {
      const int i = p.first + (int)(k / n), j = p.first + (int)(k % n);
      const double was = c->answers.M[p.at + k], is = c->again.M[p.at + k];
      /* Beside √(M_ii M_jj). */
      const double error = fabs(is - was) * c->unit[i] * c->unit[j];
      if (error > NSD_CHECK_SAME) {
        const nsd_place place = {NSDYN_DEFECT_CONSTANT, "mass", nsd_no_subject(), i, j, was, is, error};
        nsd_model_note(c, place);
        return 0;
      }
    }
  }
  return 1;
}

/* The flag's promise, at the states that u leads to in times of all sizes. */
static nsdyn_status check_constant_mass(nsd_model_check *c)
{
  const nsdyn_system_def *def = c->def;
  if (!(def->flags & NSDYN_CONSTANT_MASS) || !def->mass || def->nu == 0) {
    return NSDYN_OK;
  }
  /* At times from 2⁻⁴⁰ to 2⁴⁰: what the flag promises holds everywhere, near and far. */
  int is_constant = 1;
  for (int e = -40; e <= 40 && is_constant; e += 3) {
    const double s = ldexp(1.0, e);
    nsdyn_status status = nsd_call_configure(def, c->t, c->q, &c->fault);
    status = status ? status : nsd_call_move(def, c->t, c->q, c->u, s, c->q_probe, &c->fault);
    status = status ? status : nsd_call_configure(def, c->t + s, c->q_probe, &c->fault);
    status = status ? status : nsd_call_mass(def, c->t + s, c->q_probe, c->again.M, &c->fault);
    if (status == NSDYN_ERR_CALLBACK_RETRY) {
      continue; /* the model does not reach so far */
    }
    if (status) {
      return status;
    }
    c->report.checks++;
    is_constant = is_same_mass(c);
  }
  return NSDYN_OK;
}

/* Size of a coordinate, where it is one of the velocities' own: q̇ = u. Others have units that are not known.
 */
static double unit_of(const nsd_model_check *c, int column)
{
  const int is_own = nsd_system_is_flat(c->def) || column >= c->def->nq;
  return is_own ? c->unit[column < c->def->nq ? column : column - c->def->nq] : 1.0;
}

/* Whether K, or D, of the probe, columns first to last, is that of the state; notes the first element that is
 * not. */
static int is_same_slope(nsd_model_check *c, int first, int last)
{
  const int nq = c->def->nq, nu = c->def->nu;
  const size_t at = first ? (size_t)nu * (size_t)nq : 0;
  const int cols = last - first;
  double size = 0.0;
  /* Beside the largest, all in units of the velocities. */
  for (int k = 0; k < nu * cols; k++) {
    const double most = fmax(fabs(c->KD[at + (size_t)k]), fabs(c->KD_probe[at + (size_t)k]));
    size = fmax(size, most * c->unit[k / cols] * unit_of(c, first + k % cols));
  }
  for (int k = 0; k < nu * cols; k++) {
    const int i = k / cols, j = k % cols;
    const double was = c->KD[at + (size_t)k], is = c->KD_probe[at + (size_t)k];
    const double error = fabs(is - was) * c->unit[i] * unit_of(c, first + j);
    if (is != was && !(error <= NSD_CHECK_SAME * size)) {
      const nsd_place place = {NSDYN_DEFECT_CONSTANT,
                               "force_jacobian",
                               nsd_no_subject(),
                               i,
                               j,
                               was,
                               is,
                               isfinite(error) && size > 0.0 ? error / size : INFINITY};
      nsd_model_note(c, place);
      return 0;
    }
  }
  return 1;
}

/* The flag's promise, at the states that u + e leads to, and at that velocity: e is of the size of a unit of
 * each velocity, no two alike, so that a state at rest moves. */
static nsdyn_status check_constant_slopes(nsd_model_check *c)
{
  const nsdyn_system_def *def = c->def;
  const int nq = def->nq, nu = def->nu;
  const size_t of_D = (size_t)nu * (size_t)nq;
  if (!(def->flags & NSDYN_CONSTANT_SLOPES) || nu == 0) {
    return NSDYN_OK;
  }
  nsdyn_status status = nsd_call_configure(def, c->t, c->q, &c->fault);
  status = status ? status : nsd_call_force_jacobian(def, c->t, c->q, c->u, c->KD, c->KD + of_D, &c->fault);
  status = status ? status : blame(c, "force_jacobian", nsd_no_subject(), "K", nu, nq, c->KD);
  status = status ? status : blame(c, "force_jacobian", nsd_no_subject(), "D", nu, nu, c->KD + of_D);
  for (int j = 0; j < nu; j++) {
    c->v_unit[j] = c->u[j] + c->unit[j] / (j + 1.0);
  }
  int is_constant = 1;
  for (int e = -40; e <= 40 && is_constant && !status; e += 5) {
    const double s = ldexp(1.0, e);
    status = nsd_call_configure(def, c->t, c->q, &c->fault);
    status = status ? status : nsd_call_move(def, c->t, c->q, c->v_unit, s, c->q_probe, &c->fault);
    status = status ? status : nsd_call_configure(def, c->t + s, c->q_probe, &c->fault);
    status = status ? status
                    : nsd_call_force_jacobian(def, c->t + s, c->q_probe, c->v_unit, c->KD_probe,
                                              c->KD_probe + of_D, &c->fault);
    if (status == NSDYN_ERR_CALLBACK_RETRY) {
      status = NSDYN_OK; /* the model does not reach so far */
      continue;
    }
    c->report.checks += status == NSDYN_OK;
    is_constant = status || (is_same_slope(c, 0, nq) && is_same_slope(c, nq, nq + nu));
  }
  return status;
}

/* q̇ of u is the sum of u_j times those of unit velocities. */
static nsdyn_status check_linear(nsd_model_check *c)
{
  const nsdyn_system_def *def = c->def;
  const int nq = def->kinematics ? def->nq : 0;
  nsd_fill_zero(nq, c->sum);
  nsd_fill_zero(nq, c->sum_terms);
  /* q̇_k = Σ_j u_j (q̇ of the unit velocity j)_k, beside the sizes of the terms. */
  for (int j = 0; def->kinematics && j < def->nu; j++) {
    const nsdyn_status status = nsd_model_unit_rate(c, j, c->v_dot);
    if (status) {
      return status;
    }
    for (int k = 0; k < nq; k++) {
      const double term = c->u[j] * c->v_dot[k];
      c->sum[k] += term;
      c->sum_terms[k] += fabs(term);
    }
  }
  for (int k = 0; k < nq; k++) {
    const double sum = c->sum[k], found = c->answers.qdot[k], miss = fabs(found - sum);
    const double size = fmax(c->sum_terms[k], fabs(found));
    c->report.checks++;
    if (miss > NSD_CHECK_SAME * size) {
      const nsd_place place = {
          NSDYN_DEFECT_LINEAR, "kinematics", nsd_no_subject(), (int32_t)k, -1, sum, found, miss / size};
      nsd_model_note(c, place);
    }
  }
  return NSDYN_OK;
}

/* ---- the call --------------------------------------------------------------------------------------------
 */

static nsdyn_status check_all(nsd_model_check *c)
{
  /* Stage 1. All answers at the state; a number that is not finite ends the check. */
  nsdyn_status status = ask(c, &c->answers, 0);
  if (status) {
    return status;
  }
  /* Stage 2. M: symmetric, definite, and with solve_mass its inverse. */
  set_units(c);
  status = check_masses(c);
  /* Stage 3. Motion: q̇ linear in u, retract along q̇. */
  status = status ? status : check_linear(c);
  status = status ? status : nsd_model_check_retract(c);
  /* Stage 4. Gaps against W and ŵ, then the velocities W u + ŵ along the motion against w̄. */
  status = status ? status : nsd_model_check_gaps(c);
  status = status ? status : nsd_model_check_biases(c);
  /* Stage 5. What flags promise, and everything asked a second time. */
  status = status ? status : check_constant_mass(c);
  status = status ? status : check_constant_slopes(c);
  return status ? status : check_twice(c);
}

/* With memory for what was found. */
static nsdyn_status check_found(nsd_model_check *c)
{
  /* Arrays are as long as there are found contacts, so find is asked before. */
  nsd_arena arena = nsd_arena_empty(c->sys->ctx), measure = nsd_arena_measure();
  nsd_model_check counted = *c;
  lay_out(&measure, &counted);
  nsdyn_status status = nsd_arena_reserve(&arena, &measure);
  if (status) {
    return nsd_fault_set(&c->fault, status, NSDYN_DETAIL_NONE, -1,
                         "nsdyn_system_check: no memory for %d velocities, %d contacts and %d found ones",
                         (int)c->def->nu, (int)c->def->ncontacts, c->found);
  }
  lay_out(&arena, c);
  /* The sink's records are overwritten when find is asked again: these are the ones to compare with. */
  const size_t width = NSD_CONTACT_ROWS * (size_t)c->def->nu;
  for (int k = 0; k < c->found && k < c->sink.count; k++) {
    c->answers.found[k] = c->sink.found[k];
    nsd_sink_expand(&c->sink, k, NSD_CONTACT_ROWS, c->answers.found_W + (size_t)k * width);
  }
  status = check_all(c);
  if (status == NSDYN_OK && c->report.defects > 0) {
    status = nsd_model_explain(c);
  }
  nsd_arena_release(&arena);
  return status;
}

static nsdyn_status run(nsd_model_check *c)
{
  /* Found contacts first: memory depends on how many there are. */
  nsd_sink_init(&c->sink, c->sys, c->sys->ctx, &c->fault);
  nsdyn_status status = nsd_call_configure(c->def, c->t, c->q, &c->fault);
  status = status ? status : ask_find(c);
  c->found = status ? 0 : c->sink.count;
  status = status ? status : check_found(c);
  nsd_sink_release(&c->sink);
  return status;
}

nsdyn_status nsd_model_check_state(nsdyn_system *sys, double t, const double *q, const double *u,
                                   nsd_fault *fault)
{
  nsd_model_check c = {.sys = sys, .def = &sys->def, .t = t, .q = q, .u = u, .is_constant = 1};
  nsd_fault_clear(&c.fault);
  nsdyn_system_check_report_init(&c.report, sizeof c.report);
  const nsdyn_status status = run(&c);
  if (status == NSDYN_OK || status == NSDYN_ERR_CALLBACK_RETRY) {
    return NSDYN_OK;
  }
  *fault = c.fault;
  if (status == NSDYN_ERR_INCONSISTENT) { /* others are told in the usual words of callbacks */
    nsd_fault_set(fault, status, c.fault.detail.kind, c.fault.detail.index, "option check: %s",
                  c.fault.message);
    fault->detail.key = c.fault.detail.key;
  }
  return status;
}

nsdyn_status nsdyn_system_check(nsdyn_system *sys, double t, const double *q, const double *u,
                                nsdyn_system_check_report *report)
{
  if (!sys) {
    return NSDYN_ERR_ARGUMENT;
  }
  nsd_model_check c = {
      .sys = nsd_system_hold(sys), .def = &sys->def, .t = t, .q = q, .u = u, .is_constant = 1};
  nsd_fault_clear(&c.fault);
  nsdyn_system_check_report_init(&c.report, sizeof c.report);
  nsdyn_status status =
      report ? nsd_sized_write(report, NSD_SYSTEM_CHECK_REPORT_LEAST, &c.report, sizeof c.report) : NSDYN_OK;
  if (status) {
    nsd_fault_set(&c.fault, status, NSDYN_DETAIL_ARGUMENT, 4,
                  "report: its size is not known; call nsdyn_system_check_report_init() first");
  }
  /* Arguments, before any callback is asked. */
  status = status ? status : nsd_state_check(&sys->def, t, q, u, &c.fault);
  if (status == NSDYN_OK) {
    nsd_holder holder; /* laws that callbacks would change are being read */
    const int busy = 1;
    nsd_system_enter(sys, &holder, &busy, 1);
    status = run(&c);
    nsd_system_leave(sys, &holder);
    if (report) {
      (void)nsd_sized_write(report, NSD_SYSTEM_CHECK_REPORT_LEAST, &c.report, sizeof c.report);
    }
  }
  if (status == NSDYN_OK) {
    nsd_fault_clear(&c.fault); /* of what lay too far out */
  }
  nsd_system_say(sys, &c.fault);
  nsd_system_drop(sys);
  return status;
}
