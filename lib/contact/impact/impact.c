/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "contact/impact/impact.h"

#include <math.h>

#include "base/dense.h"
#include "base/number.h"
#include "contact/object.h"
#include "contact/planar/states.h"
#include "contact/space/friction.h"
#include "contact/space/operator.h"

/* ---- memory ------------------------------------------------------------------------------------------ */

nsd_impact nsd_impact_empty(nsdyn_context *ctx)
{
  const nsd_impact empty = {.report = {.size = sizeof(nsdyn_impact_report), .worst_row = -1},
                            .room = nsd_arena_empty(ctx),
                            .room_contacts = -1,
                            .room_rows = -1,
                            .room_unknowns = -1};
  return empty;
}

static void lay_out(nsd_arena *arena, nsd_impact *w, int contacts, int rows)
{
  const size_t k = (size_t)contacts;
  const size_t n = (size_t)rows;
  for (int half = 0; half < 2; half++) {
    w->half[half].Lambda = nsd_arena_take(arena, n, sizeof *w->half[half].Lambda);
    w->half[half].gamma = nsd_arena_take(arena, n, sizeof *w->half[half].gamma);
    w->half[half].modes = nsd_arena_take(arena, k, sizeof *w->half[half].modes);
    w->half[half].directions = nsd_arena_take(arena, k, 2 * sizeof *w->half[half].directions);
  }
  w->restitution = nsd_arena_take(arena, k, sizeof *w->restitution);
  w->law = nsd_arena_take(arena, k, sizeof *w->law);
  w->spec = nsd_arena_take(arena, k, sizeof *w->spec);
  w->stored = nsd_arena_take(arena, k, sizeof *w->stored);
  /* At most five unknowns for the two rows of a contact, and one for a row without friction. */
  w->unknown = nsd_arena_take(arena, 3 * n, sizeof *w->unknown);
  w->Lambda_0 = nsd_arena_take(arena, n, sizeof *w->Lambda_0);
  w->trial = nsd_arena_take(arena, n, sizeof *w->trial);
  w->c = nsd_arena_take(arena, n, sizeof *w->c);
  w->start = nsd_arena_take(arena, n, sizeof *w->start);
  w->shift = nsd_arena_take(arena, n, sizeof *w->shift);
  w->change = nsd_arena_take(arena, n, sizeof *w->change);
  nsd_painleve_lay_out(arena, &w->jam, rows);
}

nsdyn_status nsd_impact_reserve(nsd_impact *w, int contacts, int rows)
{
  if (contacts == w->room_contacts && rows == w->room_rows) {
    return NSDYN_OK;
  }
  nsd_impact counted;
  nsd_arena measure = nsd_arena_measure();
  lay_out(&measure, &counted, contacts, rows);
  const nsdyn_status status = nsd_arena_reserve(&w->room, &measure);
  if (status == NSDYN_OK) {
    lay_out(&w->room, w, contacts, rows);
    w->room_contacts = contacts;
    w->room_rows = rows;
  }
  return status;
}

/* ---- what both laws share ---------------------------------------------------------------------------- */

/* ½ Λᵀ (γ before + γ after): the work of impulses at the mean velocities of their contacts. */
static double work_of(int rows, const double *Lambda, const double *before, const double *after)
{
  double sum = 0.0;
  for (int i = 0; i < rows; i++) {
    sum += Lambda[i] * (0.5 * before[i] + 0.5 * after[i]);
  }
  return sum;
}

/* Rows of G Λ are going to be asked for: of an operator all of them are found at once. */
static void begin_change(const nsd_impact *w, const nsd_contact_data *data, const double *Lambda)
{
  if (data->W) {
    nsd_operator_multiply(data->W, Lambda, data->terms->state, w->change);
  }
}

/* Row i of G Λ, with this Λ begun. */
static double change_of(const nsd_impact *w, const nsd_contact_data *data, int i, const double *Lambda)
{
  return data->W ? w->change[i] : nsd_dot(data->rows, nsd_contact_row(data, i), Lambda);
}

/* The mode of a contact by Λ and γ of a half, and its direction where it slides. */
static int32_t mode_after(const nsd_contact_data *data, const nsd_contact_spec *s, double speed,
                          const nsd_impact_half *half, double *direction)
{
  /* G_NN Λ_N, the velocity that the normal impulse makes, beside 1e-9 of the impact's speed. */
  const double press = nsd_contact_diagonal(data, s->row) * half->Lambda[s->row];
  return nsd_space_mode_of(s, press, half->gamma + s->row + 1, NSD_MODE_TOL * speed, direction);
}

/* Those of the contact problem that the solver has solved last. */
static void take_modes(const nsdyn_contact *s, const nsd_contact_data *data, nsd_impact_half *half)
{
  for (int i = 0; i < data->contacts; i++) {
    half->modes[i] = s->modes[i];
    for (int k = 2 * i; k < 2 * i + 2; k++) {
      half->directions[k] = data->is_spatial ? s->slip[k] : 0.0;
    }
  }
}

/* The contact problem with this c, into a half: `gamma` receives ξ. The half is complete but for its energy.
 */
static nsdyn_status solve_half(nsdyn_contact *s, const nsd_contact_data *data, const double *c,
                               nsd_impact_half *half)
{
  /* ξ = G Λ + c in the contact laws. */
  nsd_contact_data own = *data;
  own.c = c;
  const nsdyn_status status = nsd_contact_solve_data(s, &own, half->Lambda, half->gamma);
  if (status < 0) {
    return status;
  }
  half->residual = s->report.residual;
  half->scale = s->report.scale;
  half->row = s->report.worst_row;
  half->lcp_size = s->report.lcp_size;
  /* A solution's modes are known; a failure's are those of the best Λ. */
  if (status == NSDYN_OK) {
    take_modes(s, data, half);
  } else {
    for (int i = 0; i < data->contacts; i++) {
      half->modes[i] = mode_after(data, &data->spec[i], half->scale, half, half->directions + 2 * (size_t)i);
    }
  }
  return status;
}

/* A half in which nothing happens, after one that ended with `gamma`. */
static void leave_idle(const nsd_contact_data *data, const double *gamma, const int32_t *modes,
                       const double *directions, double scale, nsd_impact_half *half)
{
  for (int i = 0; i < data->rows; i++) {
    half->Lambda[i] = 0.0;
    half->gamma[i] = gamma[i];
  }
  for (int i = 0; i < data->contacts; i++) {
    half->modes[i] = modes[i];
    half->directions[2 * i] = directions[2 * i];
    half->directions[2 * i + 1] = directions[2 * i + 1];
  }
  half->energy = 0.0;
  half->residual = 0.0;
  half->scale = scale;
  half->row = -1;
  half->lcp_size = 0;
}

static void idle_after(const nsd_contact_data *data, nsd_impact_half *halves)
{
  leave_idle(data, halves[0].gamma, halves[0].modes, halves[0].directions, halves[0].scale, &halves[1]);
}

/* ---- Newton's law ------------------------------------------------------------------------------------ */

/* ε of a row: none of a slot's normal direction, none of bilateral rows. */
static void fill_eps(const nsd_contact_data *data, const nsd_restitution *restitution, double *eps)
{
  for (int i = 0; i < data->rows; i++) {
    eps[i] = 0.0;
  }
  for (int i = 0; i < data->contacts; i++) {
    const nsd_contact_spec *s = &data->spec[i];
    eps[s->row] = s->kind == NSDYN_CONTACT_BILATERAL ? 0.0 : restitution[i].eps_n;
    for (int T = s->row + 1; T < s->row + nsd_contact_rows_of(s); T++) {
      eps[T] = restitution[i].eps_t;
    }
  }
}

/* Newton's law: ξ = γ⁺ + ε γ⁻ takes the place of γ⁺ in the contact laws, where γ⁺ = γ⁻ + G Λ. So
 *
 *   ξ = G Λ + (1 + ε) γ⁻,
 *
 * and γ⁺ = ξ − ε γ⁻. */
static nsdyn_status run_newton(nsdyn_contact *s, const nsd_contact_data *data,
                               const nsd_restitution *restitution)
{
  nsd_impact *w = &s->impact;
  /* Stage 1. c = (1 + ε) γ⁻, row by row. */
  double *eps = w->trial;
  fill_eps(data, restitution, eps);
  for (int i = 0; i < data->rows; i++) {
    w->c[i] = (1.0 + eps[i]) * data->c[i];
  }
  if (!nsd_all_finite(1, data->rows, w->c, data->rows)) { /* of infinities the solver would prove anything */
    return nsd_fault_set(&s->fault, NSDYN_ERR_NOT_FINITE, NSDYN_DETAIL_NONE, -1,
                         "velocities before the impact, times 1 + epsilon, overflow: choose larger units");
  }
  /* Stage 2. The contact problem. */
  nsd_impact_half *half = &w->half[NSDYN_IMPACT_COMPRESSION];
  const nsdyn_status status = solve_half(s, data, w->c, half);
  if (status < 0) {
    return status;
  }
  /* Stage 3. γ⁺ = ξ − ε γ⁻. Where a law holds ξ = 0 it holds to the bit, so γ⁺ = −ε γ⁻; elsewhere
   * γ⁺ = γ⁻ + G Λ, since (1 + ε) γ⁻ would leave its rounding in γ⁺. */
  begin_change(w, data, half->Lambda);
  for (int i = 0; i < data->rows; i++) {
    if (eps[i] > 0.0) {
      half->gamma[i] =
          half->gamma[i] == 0.0 ? -eps[i] * data->c[i] : data->c[i] + change_of(w, data, i, half->Lambda);
    }
  }
  /* Stage 4. Energy; there is no second half. */
  half->energy = work_of(data->rows, half->Lambda, data->c, half->gamma);
  idle_after(data, w->half);
  return status;
}

/* ---- Poisson's law ----------------------------------------------------------------------------------- */

static nsdyn_status run_compression(nsdyn_contact *s, const nsd_contact_data *data)
{
  nsd_impact_half *half = &s->impact.half[NSDYN_IMPACT_COMPRESSION];
  /* Compression ends where γ fulfils the contact laws: ξ = γ = G Λ + γ⁻. */
  const nsdyn_status status = solve_half(s, data, data->c, half);
  if (status >= 0) {
    half->energy = work_of(data->rows, half->Lambda, data->c, half->gamma);
    idle_after(data, s->impact.half);
  }
  return status;
}

/* γ of a contact after expansion, set to zero exactly where the law says so: where Λ is inside its set by
 * more than γ / G, the impulse that would cancel γ. An impulse that is inside by rounding only must not do
 * that. */
static void clean_contact(const nsd_contact_data *data, const nsd_contact_spec *s,
                          const nsd_expansion_law *law, nsd_impact_half *half)
{
  const int N = s->row;
  const int T = nsd_contact_tangent(s);
  const double G_NN = nsd_contact_row(data, N)[N];
  /* An impulse that undoes γ_N would leave Λ_N above L: then the law holds γ_N = 0. */
  if (s->kind == NSDYN_CONTACT_BILATERAL || fabs(half->gamma[N]) < G_NN * (half->Lambda[N] - law->L)) {
    half->gamma[N] = 0.0;
  }
  if (T >= 0) {
    const double reserve = nsd_expansion_reserve_of(law, half->Lambda[N], half->Lambda[T]);
    half->gamma[T] = fabs(half->gamma[T]) < nsd_contact_row(data, T)[T] * reserve ? 0.0 : half->gamma[T];
  }
}

/* The same of a contact of an expansion in space, whose law is the problem's. */
static void clean_space_contact(const nsd_contact_data *data, const nsd_contact_spec *s,
                                const nsd_contact_stored *stored, nsd_impact_half *half)
{
  const int N = s->row, rows = nsd_contact_rows_of(s), is_slot = s->kind == NSDYN_CONTACT_BILATERAL;
  const double P = is_slot ? half->Lambda[N] : half->Lambda[N] - stored->L;
  double trace = 0.0, aim[2] = {0.0, 0.0}, nearest[2] = {0.0, 0.0};
  for (int i = N; i < N + rows; i++) {
    trace += nsd_contact_diagonal(data, i);
  }
  if (is_slot || fabs(half->gamma[N]) < nsd_contact_diagonal(data, N) * P) {
    half->gamma[N] = 0.0;
  }
  /* Inside of its set by more than γ_T / r: it sticks. */
  const double r = trace / rows;
  for (int i = 1; i < rows; i++) {
    aim[i - 1] = r * half->Lambda[N + i] - 2.0 * half->gamma[N + i];
  }
  if (rows == 1 || !(r > 0.0)) {
    return;
  }
  nsd_friction_project_scaled(s, r, r * nsd_friction_limit(s, P), aim, nearest);
  if (nearest[0] == aim[0] && nearest[1] == aim[1]) {
    half->gamma[N + 1] = 0.0;
    half->gamma[N + rows - 1] = 0.0;
  }
}

static void finish_expansion(const nsd_impact *w, const nsd_contact_data *data, const nsd_expansion *e,
                             double speed, nsd_impact_half *half)
{
  begin_change(w, data, half->Lambda);
  for (int i = 0; i < data->rows; i++) {
    /* γ = γ_C + G Λ_E; bilateral rows are zero by their law. */
    half->gamma[i] =
        i < nsd_contact_own_rows(data) ? e->data->c[i] + change_of(w, data, i, half->Lambda) : 0.0;
  }
  for (int i = 0; i < data->contacts; i++) {
    nsd_contact_spec s = data->spec[i];
    if (data->is_spatial) {
      clean_space_contact(data, &w->spec[i], &w->stored[i], half);
    } else {
      clean_contact(data, &s, &e->law[i], half);
    }
    s.bound = 0.0; /* no impulse, no part in the mode */
    half->modes[i] = mode_after(data, &s, speed, half, half->directions + 2 * (size_t)i);
  }
}

static double share_of(double residual, double scale)
{
  return residual > 0.0 ? residual / scale : 0.0;
}

static nsd_expansion_verdict judge_expansion(const nsd_impact *w, const nsd_contact_data *data,
                                             const nsd_restitution *restitution, const double *Lambda)
{
  nsd_expansion_verdict v =
      nsd_expansion_judge(data, restitution, w->half[NSDYN_IMPACT_COMPRESSION].Lambda, Lambda);
  /* In a time step velocities of the step count too: what rounding leaves of them is no violation. */
  v.scale = v.scale > w->least_scale ? v.scale : w->least_scale;
  v.speed = v.speed > w->least_scale ? v.speed : w->least_scale;
  return v;
}

/* w->trial goes to the judge; a better one than before is kept, with its velocities and modes. NSDYN_OK only
 * where that is a solution, else what the method that found it said. */
static nsdyn_status take_trial(nsdyn_contact *s, const nsd_contact_data *data, const nsd_expansion *e,
                               const nsd_restitution *restitution, nsdyn_status status)
{
  nsd_impact *w = &s->impact;
  nsd_impact_half *half = &w->half[NSDYN_IMPACT_EXPANSION];
  const nsd_expansion_verdict v = judge_expansion(w, data, restitution, w->trial);
  const int is_solution = v.residual <= s->options.tol * v.scale;
  if (!is_solution && !(share_of(v.residual, v.scale) < share_of(half->residual, half->scale))) {
    return status == NSDYN_OK ? NSDYN_UNDECIDED : status;
  }
  for (int i = 0; i < data->rows; i++) {
    half->Lambda[i] = w->trial[i];
  }
  half->residual = v.residual;
  half->scale = v.scale;
  half->row = v.row;
  finish_expansion(w, data, e, v.speed, half);
  return is_solution ? NSDYN_OK : status == NSDYN_OK ? NSDYN_UNDECIDED : status;
}

/* One form of the LCP: improves on the half's Λ. NSDYN_OK only where the judge agrees. */
static nsdyn_status try_form(nsdyn_contact *s, const nsd_contact_data *data, const nsd_expansion *e,
                             const nsd_restitution *restitution, nsd_expansion_form form)
{
  nsd_impact *w = &s->impact;
  nsd_impact_half *half = &w->half[NSDYN_IMPACT_EXPANSION];
  /* Stage 1. The LCP of this form, and its solution. */
  const int n = nsd_expansion_unknowns(e, form);
  nsdyn_status status = nsd_contact_reserve_lcp(s, n);
  if (status) {
    return nsd_fault_set(&s->fault, status, NSDYN_DETAIL_NONE, -1,
                         "no memory for an expansion of %d unknowns", n);
  }
  nsd_expansion_lcp lcp = {.n = n,
                           .A = s->A,
                           .b = s->b,
                           .lo = s->lo,
                           .hi = s->hi,
                           .x = s->x,
                           .unknown = w->unknown,
                           .Lambda_0 = w->Lambda_0};
  nsd_expansion_form_lcp(e, form, &lcp);
  status = nsdyn_lcp_solve_mixed(s->lcp, n, lcp.A, n, lcp.b, lcp.lo, lcp.hi, lcp.x, NULL);
  half->lcp_size = n;
  if (status < 0) {
    return nsd_fault_set(&s->fault, status, NSDYN_DETAIL_NONE, -1, "expansion: %s",
                         nsdyn_lcp_message(s->lcp));
  }
  /* Stage 2. Λ_E of x, judged by code of its own. */
  nsd_expansion_read(e, &lcp, w->trial);
  return take_trial(s, data, e, restitution, status);
}

/* With contacts in space: a contact problem whose friction knows what was stored, by whatever `automatic`
 * has. What the solver tells of the compression it goes on telling. */
static nsdyn_status run_in_space(nsdyn_contact *s, const nsd_contact_data *data, const nsd_expansion *e,
                                 const nsd_restitution *restitution)
{
  nsd_impact *w = &s->impact;
  const nsd_impact_half *compression = &w->half[NSDYN_IMPACT_COMPRESSION];
  const nsdyn_contact_solve_report kept = s->report;
  const nsdyn_contact_options options = s->options;
  /* Where compression ended with sticking contacts and one ε_N, Λ_E = ε_N Λ_C: P = 0, Λ_T = ε_N Λ_TC. */
  for (int i = 0; i < data->rows; i++) {
    w->start[i] = 0.0;
  }
  for (int i = 0; i < data->contacts; i++) {
    for (int T = data->spec[i].row + 1; T < data->spec[i].row + nsd_contact_rows_of(&data->spec[i]); T++) {
      w->start[T] = restitution[i].eps_n * compression->Lambda[T];
    }
  }
  s->options.method = NSDYN_CONTACT_AUTOMATIC;
  s->options.warm_start = 1;
  nsdyn_status status = nsd_contact_solve_near(s, e->problem, w->start, w->start, NULL);
  s->options = options;
  s->report = kept;
  if (status >= 0) {
    nsd_expansion_from_contacts(e->problem, w->stored, w->start, w->trial);
    status = take_trial(s, data, e, restitution, status);
  }
  /* Where slots alone have stored something, and nothing moves, Λ_E = 0 may do. */
  const nsd_impact_half *half = &w->half[NSDYN_IMPACT_EXPANSION];
  if (status > 0 && status != NSDYN_CANCELLED && half->residual <= s->options.tol * half->scale) {
    status = NSDYN_OK;
  }
  /* Modes and directions of the compression, and its impulses for the next warm start. */
  s->modes_n = data->contacts;
  for (int i = 0; i < data->contacts; i++) {
    s->modes[i] = compression->modes[i];
    s->slip[2 * i] = compression->directions[2 * i];
    s->slip[2 * i + 1] = compression->directions[2 * i + 1];
  }
  nsd_space_start(&s->in_space, compression->Lambda, data->rows);
  if (status == NSDYN_OK) {
    nsd_fault_clear(&s->fault);
  }
  return status;
}

/* Without a form that got anywhere the half keeps Λ = 0, which the judge has seen first. */
static nsdyn_status run_forms(nsdyn_contact *s, const nsd_contact_data *data, const nsd_expansion *e,
                              const nsd_restitution *restitution)
{
  /* The short form first; where it ends without an answer, the form on which Lemke's method ends with one. */
  nsdyn_status status = try_form(s, data, e, restitution, NSD_EXPANSION_SHORT);
  if ((status > 0 && status != NSDYN_CANCELLED) || status == NSDYN_ERR_NOT_FINITE) {
    status = try_form(s, data, e, restitution, NSD_EXPANSION_COPOSITIVE);
  }
  if (status == NSDYN_OK) {
    nsd_fault_clear(&s->fault);
  }
  return status;
}

/* Where the worst violation stands, in words. */
static nsdyn_status explain(nsdyn_contact *s, const nsd_contact_data *data, nsdyn_status status,
                            const nsd_impact_half *half)
{
  char residual[NSD_NUMBER_LENGTH];
  char scale[NSD_NUMBER_LENGTH];
  nsd_number_text(half->residual, residual);
  nsd_number_text(half->scale, scale);
  const int own = nsd_contact_own_rows(data);
  if (half->row >= own) {
    return nsd_fault_set(&s->fault, status, NSDYN_DETAIL_CONSTRAINT, half->row - own,
                         "%s: the best impulses of expansion miss bilateral constraint %d by %s (scale %s)",
                         nsdyn_status_text(status), half->row - own, residual, scale);
  }
  int i = 0;
  while (i + 1 < data->contacts && data->spec[i + 1].row <= half->row) {
    i++;
  }
  return nsd_fault_set(&s->fault, status, NSDYN_DETAIL_CONTACT, i,
                       "%s: the best impulses of expansion miss the law of contact %d by %s (scale %s)",
                       nsdyn_status_text(status), i, residual, scale);
}

static nsdyn_status run_expansion(nsdyn_contact *s, const nsd_contact_data *data,
                                  const nsd_restitution *restitution)
{
  nsd_impact *w = &s->impact;
  const nsd_impact_half *compression = &w->half[NSDYN_IMPACT_COMPRESSION];
  nsd_impact_half *half = &w->half[NSDYN_IMPACT_EXPANSION];
  /* Stage 1. What each contact stored: L = ε_N |Λ_NC|, and the set of its friction. Expansion begins at γ_C.
   */
  nsd_contact_data compressed = *data, problem = *data;
  compressed.c = compression->gamma;
  for (int i = 0; i < data->contacts && !data->is_spatial; i++) {
    const nsd_contact_spec *spec = &data->spec[i];
    const int T = nsd_contact_tangent(spec);
    w->law[i] = nsd_expansion_law_of(spec, &restitution[i], compression->Lambda[spec->row],
                                     T >= 0 ? compression->Lambda[T] : 0.0);
  }
  const nsd_expansion e = {.data = &compressed, .law = w->law, .problem = &problem};
  if (data->is_spatial) {
    problem = nsd_expansion_as_contacts(&compressed, restitution, compression->Lambda, w->spec, w->stored,
                                        w->shift);
  }
  /* Stage 2. Where nothing is stored, nothing is given back. */
  if (data->is_spatial ? nsd_expansion_stores_nothing(data, w->stored) : nsd_expansion_is_idle(&e)) {
    return NSDYN_OK;
  }
  /* Stage 3. Λ_E = 0 is the answer to improve on. */
  const nsd_expansion_verdict still = judge_expansion(w, data, restitution, half->Lambda);
  half->residual = still.residual;
  half->scale = still.scale;
  half->row = still.row;
  /* Stage 4. The LCP, in one form or the other; in space the contact problem. */
  s->busy = 1;
  const nsdyn_status status =
      data->is_spatial ? run_in_space(s, data, &e, restitution) : run_forms(s, data, &e, restitution);
  s->busy = 0;
  /* Stage 5. Energy, and the message where it failed. */
  half->energy = work_of(data->rows, half->Lambda, compression->gamma, half->gamma);
  if (status > 0) {
    explain(s, data, status, half);
  }
  if (status) {
    nsd_log(s->ctx, status < 0 ? NSDYN_LOG_ERROR : NSDYN_LOG_WARNING, s->fault.message);
  }
  return status;
}

/* ---- the impact -------------------------------------------------------------------------------------- */

/* Nothing yet. */
static void begin(nsd_impact *w, int32_t law)
{
  nsdyn_impact_report_init(&w->report, sizeof w->report);
  w->report.law = law;
  w->report.worst_row = -1;
  w->contacts = w->rows = 0;
  w->least_scale = 0.0;
}

static nsdyn_status reserve(nsdyn_contact *s, const nsd_contact_data *data)
{
  nsdyn_status status = nsd_impact_reserve(&s->impact, data->contacts, data->rows);
  if (status) {
    status = nsd_fault_set(&s->fault, status, NSDYN_DETAIL_NONE, -1, "no memory for an impact of %d contacts",
                           data->contacts);
    nsd_log(s->ctx, NSDYN_LOG_ERROR, s->fault.message);
  }
  return status;
}

/* Report and outputs, which may be NULL; a failure leaves them alone. `open` is the half without an answer,
 * −1: none. */
static nsdyn_status hand_out(nsdyn_contact *s, const nsd_contact_data *data, nsdyn_status status, int open,
                             double *Lambda, double *gamma)
{
  nsd_impact *w = &s->impact;
  w->report.status = status;
  if (status < 0) {
    return status;
  }
  /* The half that is open, or the one with the larger residual, stands in the report. */
  const nsd_impact_half *a = &w->half[NSDYN_IMPACT_COMPRESSION];
  const nsd_impact_half *b = &w->half[NSDYN_IMPACT_EXPANSION];
  const int expansion_is_worse = share_of(b->residual, b->scale) > share_of(a->residual, a->scale);
  const int half = open >= 0 ? open : expansion_is_worse;
  w->contacts = data->contacts;
  w->rows = data->rows;
  w->report.half = half;
  w->report.residual = w->half[half].residual;
  w->report.scale = w->half[half].scale;
  w->report.worst_row = w->half[half].row;
  w->report.energy = a->energy + b->energy;
  /* Λ = Λ_C + Λ_E, γ⁺ = γ_E. */
  for (int i = 0; Lambda && i < data->rows; i++) {
    Lambda[i] = a->Lambda[i] + b->Lambda[i];
  }
  for (int i = 0; gamma && i < data->rows; i++) {
    gamma[i] = b->gamma[i];
  }
  return status;
}

/* What follows a compression, or Newton's impact, of this status. */
static nsdyn_status complete(nsdyn_contact *s, int32_t law, const nsd_contact_data *data,
                             const nsd_restitution *restitution, nsdyn_status status, double *Lambda,
                             double *gamma)
{
  if (status != NSDYN_OK || law == NSDYN_IMPACT_NEWTON) {
    return hand_out(s, data, status, status ? NSDYN_IMPACT_COMPRESSION : -1, Lambda, gamma);
  }
  status = run_expansion(s, data, restitution);
  return hand_out(s, data, status, status ? NSDYN_IMPACT_EXPANSION : -1, Lambda, gamma);
}

nsdyn_status nsd_contact_impact_data(nsdyn_contact *s, int32_t law, const nsd_contact_data *data,
                                     const nsd_restitution *restitution, double *Lambda, double *gamma)
{
  begin(&s->impact, law);
  nsdyn_status status = reserve(s, data);
  if (status == NSDYN_OK) {
    status = law == NSDYN_IMPACT_NEWTON ? run_newton(s, data, restitution) : run_compression(s, data);
  }
  return complete(s, law, data, restitution, status, Lambda, gamma);
}

/* ---- an impact that a stepper began ------------------------------------------------------------------ */

/* Where the law holds ξ = 0 it holds to the bit; elsewhere e would leave its rounding in γ. */
static double velocity_of(const nsd_impact *w, const nsd_contact_data *data, int i, double before, double e,
                          const double *Lambda, double xi)
{
  if (e == 0.0) {
    return xi;
  }
  return xi == 0.0 ? -e : before + change_of(w, data, i, Lambda);
}

nsdyn_status nsd_contact_impact_adopt(nsdyn_contact *s, int32_t law, const nsd_contact_data *data,
                                      const double *before, const double *e, const double *Lambda,
                                      const double *xi)
{
  nsd_impact *w = &s->impact;
  nsd_impact_half *half = &w->half[NSDYN_IMPACT_COMPRESSION];
  begin(w, law);
  const nsdyn_status status = reserve(s, data);
  if (status) {
    return hand_out(s, data, status, NSDYN_IMPACT_COMPRESSION, NULL, NULL);
  }
  /* γ = γ⁻ + G Λ, read from ξ = γ + e. */
  begin_change(w, data, Lambda);
  for (int i = 0; i < data->rows; i++) {
    half->Lambda[i] = Lambda[i];
    half->gamma[i] = velocity_of(w, data, i, before[i], e[i], Lambda, xi[i]);
  }
  take_modes(s, data, half);
  half->energy = work_of(data->rows, half->Lambda, before, half->gamma);
  half->residual = s->report.residual;
  half->scale = s->report.scale;
  half->row = s->report.worst_row;
  half->lcp_size = s->report.lcp_size;
  idle_after(data, w->half);
  return hand_out(s, data, NSDYN_OK, -1, NULL, NULL);
}

nsdyn_status nsd_contact_impact_expand(nsdyn_contact *s, const nsd_contact_data *data,
                                       const nsd_restitution *restitution, double *Lambda, double *gamma)
{
  const nsdyn_status status = run_expansion(s, data, restitution);
  return status ? hand_out(s, data, status, NSDYN_IMPACT_EXPANSION, NULL, NULL)
                : hand_out(s, data, NSDYN_OK, -1, Lambda, gamma);
}

/* ---- a time step's impact ---------------------------------------------------------------------------- */

/* What compression would be without forces, into its half: `before` are the velocities at the step's
 * beginning. A friction of given bound has no impulse there. */
static nsdyn_status compress_without_forces(nsdyn_contact *s, const nsd_contact_data *data,
                                            const double *before, nsd_impact_half *half)
{
  nsd_contact_data own = *data;
  /* A finite force over a vanishing time has no impulse. */
  for (int i = 0; i < data->contacts; i++) {
    s->spec[i] = data->spec[i];
    s->spec[i].bound = 0.0;
  }
  own.spec = s->spec;
  return solve_half(s, &own, before, half);
}

nsdyn_status nsd_contact_impact_give_back(nsdyn_contact *s, const nsd_contact_data *data,
                                          const nsd_restitution *restitution, const double *before,
                                          double scale, double *Lambda, double *gamma)
{
  nsd_impact *w = &s->impact;
  nsd_impact_half *stored = &w->half[NSDYN_IMPACT_COMPRESSION];
  /* Stage 1. Compression without forces, c = γᴬ: what it stores is what is given back. */
  begin(w, NSDYN_IMPACT_POISSON);
  w->least_scale = scale;
  nsdyn_status status = reserve(s, data);
  status = status ? status : nsd_contact_reserve_kept(s, data->contacts);
  status = status ? status : compress_without_forces(s, data, before, stored);
  if (status) {
    w->report.status = status;
    return status;
  }
  /* Λ are the step's own impulses, Λ_C those that velocities alone would store. With c' = c + G (Λ − Λ_C) the
   * step's problem ended at γ_C = c' + G Λ_C, and expansion leads to γ = γ_C + G Λ_E. */
  begin_change(w, data, Lambda);
  for (int i = 0; i < data->rows; i++) {
    w->c[i] = data->c[i] + change_of(w, data, i, Lambda);
    stored->gamma[i] = gamma[i];
  }
  begin_change(w, data, stored->Lambda);
  for (int i = 0; i < data->rows; i++) {
    w->c[i] -= change_of(w, data, i, stored->Lambda);
  }
  /* Stage 2. Expansion from there. */
  nsd_contact_data compressed = *data;
  compressed.c = w->c;
  idle_after(data, w->half);
  status = run_expansion(s, &compressed, restitution);
  /* Stage 3. The report, and on success the step's impulses with those of expansion. */
  const nsd_impact_half *half = &w->half[NSDYN_IMPACT_EXPANSION];
  w->report.status = status;
  w->report.half = NSDYN_IMPACT_EXPANSION;
  w->report.residual = half->residual;
  w->report.scale = half->scale;
  w->report.worst_row = half->row;
  for (int i = 0; status == NSDYN_OK && i < data->rows; i++) {
    Lambda[i] += half->Lambda[i];
    gamma[i] = half->gamma[i];
  }
  return status;
}

/* ---- Painlevé's impact ------------------------------------------------------------------------------- */

/* The limit that was found, judged at τ = 0. */
static nsdyn_status take_limit(nsdyn_contact *s, const nsd_contact_data *data, nsd_impact_half *half)
{
  /* At τ = 0: c = γ⁻. Λ_0 must fulfil the contact laws there. */
  nsd_impact *w = &s->impact;
  nsd_contact_project_all(data, w->jam.Lambda_0);
  const nsd_contact_verdict v = nsd_contact_judge(data, w->jam.Lambda_0, half->gamma);
  if (!(v.residual <= s->options.tol * v.scale)) {
    return NSDYN_UNDECIDED;
  }
  for (int i = 0; i < data->rows; i++) {
    half->Lambda[i] = w->jam.Lambda_0[i];
  }
  nsd_contact_clean_xi(data, half->Lambda, half->gamma);
  nsd_contact_read_modes(data, half->Lambda, half->gamma, v.speed, half->modes);
  half->residual = v.residual;
  half->scale = v.scale;
  half->row = v.row;
  return NSDYN_OK;
}

/* Shares of γ⁻ that τ γ̇ may be: patterns of a larger one may have ended before τ → 0, a smaller one drowns in
 * the solver's tolerance. */
static const double shares[] = {1e-4, 1e-5, 1e-3, 1e-6, 1e-2};

/* The patterns of solutions at small τ. NSDYN_UNDECIDED where none of them is a limit's; `half` is the last
 * solution. */
static nsdyn_status follow_solutions(nsdyn_contact *s, const nsd_contact_data *data, const double *gamma_dot,
                                     double unit, nsd_impact_half *half)
{
  nsd_impact *w = &s->impact;
  for (size_t k = 0; k < sizeof shares / sizeof *shares; k++) {
    /* c(τ) = γ⁻ + τ γ̇, with τ = share · |γ⁻| / |γ̇|. */
    for (int i = 0; i < data->rows; i++) {
      w->c[i] = data->c[i] + shares[k] * unit * gamma_dot[i];
    }
    const nsdyn_status status = solve_half(s, data, w->c, half);
    if (status < 0) {
      return status;
    }
    /* The solution's pattern, followed to τ → 0. */
    if (status == NSDYN_OK &&
        nsd_painleve_limit(&w->jam, &s->pattern, data, gamma_dot, s->states) == NSDYN_OK &&
        take_limit(s, data, half) == NSDYN_OK) {
      return NSDYN_OK;
    }
  }
  return NSDYN_UNDECIDED;
}

static nsdyn_status run_jam(nsdyn_contact *s, const nsd_contact_data *data, const double *gamma_dot)
{
  nsd_impact_half *half = &s->impact.half[NSDYN_IMPACT_COMPRESSION];
  const int rows = nsd_contact_own_rows(data);
  const double speed = nsd_norm_inf(rows, data->c), acceleration = nsd_norm_inf(rows, gamma_dot);
  /* Nothing moves or nothing accelerates: there is no limit to look for. */
  if (!(speed > 0.0) || !(acceleration > 0.0)) {
    return run_compression(s, data);
  }
  /* Stage 1. Memory of a pattern's system. */
  nsdyn_status status = nsd_contact_reserve_scratch(s, data->contacts, data->rows);
  if (status) {
    return nsd_fault_set(&s->fault, status, NSDYN_DETAIL_NONE, -1, "no memory for an impact of %d contacts",
                         data->contacts);
  }
  /* Stage 2. Patterns of solutions at small τ; then all patterns, where these are few. */
  status = follow_solutions(s, data, gamma_dot, speed / acceleration, half);
  if (status == NSDYN_UNDECIDED) {
    status = nsd_painleve_search(&s->impact.jam, &s->pattern, data, gamma_dot, half->modes);
    status = status ? status : take_limit(s, data, half);
  }
  if (status < 0) {
    return status;
  }
  /* Stage 3. Energy: the limit takes the place of compression. */
  half->energy = work_of(data->rows, half->Lambda, data->c, half->gamma);
  idle_after(data, s->impact.half);
  if (status == NSDYN_OK) {
    nsd_fault_clear(&s->fault);
    return NSDYN_OK;
  }
  return nsd_fault_set(&s->fault, status, NSDYN_DETAIL_NONE, -1,
                       "no impulses found that are a limit of vanishing time");
}

nsdyn_status nsd_contact_impact_painleve(nsdyn_contact *s, int32_t law, const nsd_contact_data *data,
                                         const nsd_restitution *restitution, const double *gamma_dot,
                                         double *Lambda, double *gamma)
{
  begin(&s->impact, law);
  nsdyn_status status = reserve(s, data);
  if (status == NSDYN_OK) {
    status = run_jam(s, data, gamma_dot);
  }
  return complete(s, law, data, restitution, status, Lambda, gamma);
}
