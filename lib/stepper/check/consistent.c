/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "stepper/check/consistent.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

#include "base/number.h"
#include "base/tolerances.h"
#include "stepper/check/verify_gaps.h"
#include "stepper/drift/projection.h"

/* What a row of the scene is made of. */
typedef struct terms {
  double length; /* Σ |w_j q_j| */
  double speed;  /* Σ |w_j u_j| + |ŵ| */
  double wide;   /* max |w_j| max |u_j| + |ŵ| */
  double place;  /* max |w_j| max |q_j| + |ŵ t| */
  double change; /* Σ |w_j a_j| of the free acceleration a */
} terms;

/* ---- sizes ---- */

/* a := M⁻¹ h at the state, into z. */
static nsdyn_status find_acceleration(nsdyn_stepper *s)
{
  const nsdyn_system_def *def = &s->sys->def;
  nsdyn_status status = nsd_inertia_update(&s->inertia, def, s->t, s->q, &s->fault);
  status = status ? status : nsd_call_force(def, s->t, s->q, s->u, s->h, &s->fault);
  for (int j = 0; j < def->nu; j++) {
    s->z[j] = s->h[j];
  }
  if (status || def->nu == 0) {
    return status;
  }
  status =
      nsd_blame_vector(&s->fault, "force", nsd_no_subject(), NSDYN_DETAIL_COORDINATE, "h", def->nu, s->h);
  if (status == NSDYN_OK && s->inertia.factored) {
    nsd_inertia_forward(&s->inertia, s->z);
    nsd_inertia_backward(&s->inertia, s->z);
    return nsd_blame_overflow(&s->fault, "acceleration", def->nu, s->z);
  }
  status = status ? status : nsd_call_solve_mass(def, s->t, s->q, 1, s->z, &s->fault);
  return status ? status
                : nsd_blame_vector(&s->fault, "solve_mass", nsd_no_subject(), NSDYN_DETAIL_COORDINATE, "X",
                                   def->nu, s->z);
}

static terms terms_of(const nsdyn_stepper *s, int row, int has_acceleration)
{
  const nsd_scene *scene = &s->scene;
  const nsd_row w = nsd_scene_row(scene, row);
  const double most = nsd_row_largest(w), w_hat = fabs(scene->directions.w_hat[row]);
  const terms sum = {.length = nsd_system_is_flat(&s->sys->def) ? nsd_row_size(0.0, w, s->q) : 0.0,
                     .speed = nsd_row_size(w_hat, w, s->u),
                     .change = has_acceleration ? nsd_row_size(0.0, w, s->z) : 0.0,
                     .wide = most * s->most.u + w_hat,
                     .place = most * s->most.q + fabs(scene->directions.w_hat[row] * s->t)};
  return sum;
}

/* Where velocities are no derivatives of coordinates: Σ |∂g/∂q_j q_j|, each by a difference of the size of
 * q_j; of contact k, or of constraint i where k < 0. The gaps of the scene are overwritten. */
static nsdyn_status difference(nsdyn_stepper *s, int k, int i, double *length)
{
  const nsdyn_system_def *def = &s->sys->def;
  const double share = 0x1p-10;
  nsd_scene *scene = &s->scene;
  double *q = s->q_next;
  nsdyn_status status = NSDYN_OK;
  *length = 0.0;
  const nsd_closed *c = k < 0 ? NULL : &scene->closed.contact[k];
  const double gap = c ? c->gap : scene->directions.g_b[i];
  for (int j = 0; j < def->nq; j++) {
    q[j] = s->q[j];
  }
  for (int j = 0; status == NSDYN_OK && j < def->nq; j++) {
    q[j] = s->q[j] * (1.0 + share);
    double moved = gap;
    status = nsd_call_configure(def, s->t, q, &s->fault);
    if (status == NSDYN_OK && !c) {
      status = nsd_call_constraint(def, s->t, q, scene->directions.g_b, scene->problem.X_own,
                                   scene->solution.xi, &s->fault);
      moved = scene->directions.g_b[i];
      scene->directions.g_b[i] = gap;
    } else if (status == NSDYN_OK && c->index >= 0) {
      status = nsd_call_gap(def, s->t, q, scene->closed.g, &s->fault);
      status = status ? status : nsd_scene_blame_gaps(scene, &s->fault);
      moved = scene->closed.g[c->index];
    }
    /* (g(q + ε q_j e_j) − g(q)) / ε = ∂g/∂q_j q_j. */
    *length += isfinite(moved - gap) ? fabs(moved - gap) / share : 0.0;
    q[j] = s->q[j];
  }
  return status ? status : nsd_call_configure(def, s->t, s->q, &s->fault);
}

/* ---- what is near ---- */

/* Closes all contacts known in advance and found with a gap of at most `near`. */
static nsdyn_status collect(nsdyn_stepper *s, double near)
{
  const nsdyn_system_def *def = &s->sys->def;
  nsd_scene *scene = &s->scene;
  nsdyn_status status = nsd_call_configure(def, s->t, s->q, &s->fault);
  status = status ? status : nsd_scene_look(scene, s->t, s->q, near, &s->fault);
  int count = scene->closed.sink.count;
  for (int i = 0; i < def->ncontacts; i++) {
    count += scene->closed.g[i] <= near || s->sys->laws[i].kind == NSDYN_CONTACT_BILATERAL;
  }
  if (status || count + def->nconstraints == 0) {
    return status;
  }
  status = nsd_scene_begin(scene, count, &s->fault);
  for (int32_t i = 0; status == NSDYN_OK && i < def->ncontacts; i++) {
    if (scene->closed.g[i] <= near || s->sys->laws[i].kind == NSDYN_CONTACT_BILATERAL) {
      const nsd_closed contact = {
          .law = &s->sys->laws[i], .key = i, .gap = scene->closed.g[i], .index = i, .found = -1};
      nsd_scene_close(scene, contact);
    }
  }
  for (int32_t k = 0; status == NSDYN_OK && k < scene->closed.sink.count; k++) {
    const nsd_found *found = &scene->closed.sink.found[k];
    const nsd_closed contact = {.law = nsd_system_found_law(s->sys, found->law),
                                .key = found->key,
                                .gap = found->gap,
                                .index = -1,
                                .found = k};
    nsd_scene_close(scene, contact);
  }
  scene->problem.wants_operator = 1; /* W alone is looked at */
  status = status ? status : nsd_scene_direct(scene, s->t, s->q, &s->fault);
  scene->problem.wants_operator = 0;
  status = status ? status : nsd_scene_blame(scene, &s->fault);
  s->most = nsd_contradiction_magnitude(s, s->q);
  if (status == NSDYN_OK) {
    nsd_scene_speeds(scene, s->u, scene->problem.gamma);
  }
  return status;
}

/* ---- refusals ---- */

/* What can be done about it: of a beginning, or (`is_made`) where making it consistent has left that. */
static const char *advice(int is_made)
{
  return is_made
             ? "no consistent state was found: rows contradict each other, or a direction does not fit its "
               "gap; see nsdyn_system_check()"
             : "nsdyn_stepper_consistent() corrects it, option start_tol accepts it";
}

static nsdyn_status refuse_contact(nsdyn_stepper *s, const nsd_closed *c, double allowed, int is_made)
{
  char text[NSD_SUBJECT_LENGTH], number[2][NSD_NUMBER_LENGTH];
  const int is_deep = c->gap < 0.0;
  nsd_fault_set(&s->fault, NSDYN_ERR_INCONSISTENT, NSDYN_DETAIL_CONTACT, c->index,
                "%s %s %s %s, allowed: %s; %s", nsd_subject_text(nsd_closed_subject(c), text),
                is_made ? "stays" : "starts", nsd_number_text(fabs(c->gap), number[0]),
                is_deep ? "deep" : "open, though a slot", nsd_number_text(allowed, number[1]),
                advice(is_made));
  s->fault.detail.key = c->key;
  return NSDYN_ERR_INCONSISTENT;
}

static nsdyn_status refuse_speed(nsdyn_stepper *s, const nsd_closed *c, double speed, double allowed)
{
  char text[NSD_SUBJECT_LENGTH], number[2][NSD_NUMBER_LENGTH];
  nsd_fault_set(&s->fault, NSDYN_ERR_INCONSISTENT, NSDYN_DETAIL_CONTACT, c->index,
                "%s is a slot, and starts with W u + w_hat = %s, allowed: %s; nsdyn_stepper_consistent() "
                "corrects it, option start_tol accepts it",
                nsd_subject_text(nsd_closed_subject(c), text), nsd_number_text(speed, number[0]),
                nsd_number_text(allowed, number[1]));
  s->fault.detail.key = c->key;
  return NSDYN_ERR_INCONSISTENT;
}

static nsdyn_status refuse_constraint(nsdyn_stepper *s, int i, const char *what, double value, double allowed,
                                      int is_made)
{
  char number[2][NSD_NUMBER_LENGTH];
  return nsd_fault_set(&s->fault, NSDYN_ERR_INCONSISTENT, NSDYN_DETAIL_CONSTRAINT, i,
                       "constraint %d %s with %s = %s, allowed: %s; %s", i, is_made ? "stays" : "starts",
                       what, nsd_number_text(value, number[0]), nsd_number_text(allowed, number[1]),
                       advice(is_made));
}

/* By how much a contact may be deep: a share of what its gap is made of, and what steps make of themselves.
 */
static double depth_allowed(double share, terms x, double dt)
{
  return share * x.length + NSD_EVALUATION_ROUNDING * x.place + dt * (x.speed + dt * x.change);
}

/* By how much a velocity that has to vanish may be off: a step leaves only the second order of what it moves.
 */
static double speed_allowed(double share, terms x, double dt)
{
  return share * (x.speed + dt * x.change) + NSD_EVALUATION_ROUNDING * x.wide;
}

static nsdyn_status check_contact(nsdyn_stepper *s, int k, double dt, double share, int with_speeds)
{
  const nsd_closed *c = &s->scene.closed.contact[k];
  const int is_slot = c->law->kind == NSDYN_CONTACT_BILATERAL;
  const double missed = is_slot ? fabs(c->gap) : -c->gap;
  /* A slot is closed all along, and does not collide. */
  const double speed = is_slot && with_speeds ? fabs(s->scene.problem.gamma[c->row]) : 0.0;
  terms x = terms_of(s, c->row, 0);
  if (missed <= depth_allowed(share, x, dt) && speed <= share * x.speed) {
    return NSDYN_OK;
  }
  /* dt² Σ |w_j a_j| with a = M⁻¹ h is allowed as well; the callbacks for a are called only if needed. */
  nsdyn_status status = find_acceleration(s);
  x = terms_of(s, c->row, 1);
  if (status == NSDYN_OK && !nsd_system_is_flat(&s->sys->def)) {
    status = difference(s, k, 0, &x.length);
  }
  const double allowed = depth_allowed(share, x, dt), allowed_speed = speed_allowed(share, x, dt);
  if (status == NSDYN_OK && !(missed <= allowed)) {
    return refuse_contact(s, c, allowed, !with_speeds);
  }
  return status || speed <= allowed_speed ? status
                                          : refuse_speed(s, c, s->scene.problem.gamma[c->row], allowed_speed);
}

static nsdyn_status check_constraint(nsdyn_stepper *s, int i, double dt, double share, int with_speeds)
{
  nsd_scene *scene = &s->scene;
  const int row = scene->closed.contact_rows + i;
  const double gap = fabs(scene->directions.g_b[i]),
               speed = with_speeds ? fabs(scene->problem.gamma[row]) : 0.0;
  terms x = terms_of(s, row, 0);
  if (gap <= share * x.length && speed <= share * x.speed) {
    return NSDYN_OK;
  }
  nsdyn_status status = find_acceleration(s);
  x = terms_of(s, row, 1);
  if (status == NSDYN_OK && !nsd_system_is_flat(&s->sys->def)) {
    status = difference(s, -1, i, &x.length);
  }
  const double allowed =
      share * (x.length + dt * (x.speed + dt * x.change)) + NSD_EVALUATION_ROUNDING * x.place;
  const double allowed_speed = speed_allowed(share, x, dt);
  if (status == NSDYN_OK && !(gap <= allowed)) {
    return refuse_constraint(s, i, "g_b", scene->directions.g_b[i], allowed, !with_speeds);
  }
  if (status == NSDYN_OK && !(speed <= allowed_speed)) {
    return refuse_constraint(s, i, "W_b u + w_hat_b", scene->problem.gamma[row], allowed_speed, !with_speeds);
  }
  return status;
}

static nsdyn_status check(nsdyn_stepper *s, double dt, double share, int with_speeds)
{
  const nsd_scene *scene = &s->scene;
  nsdyn_status status = NSDYN_OK;
  for (int k = 0; status == NSDYN_OK && k < scene->closed.count; k++) {
    status = check_contact(s, k, dt, share, with_speeds);
  }
  for (int i = 0; status == NSDYN_OK && i < scene->closed.rows - scene->closed.contact_rows; i++) {
    status = check_constraint(s, i, dt, share, with_speeds);
  }
  return status;
}

/* ---- what is in force ---- */

/* What touches and neither approaches nor leaves rests there, and the first step has to hold it. */
static nsdyn_status mark(nsdyn_stepper *s)
{
  const nsd_scene *scene = &s->scene;
  nsd_history *history = &s->history;
  const int is_empty = history->known_count + history->found_count == 0; /* else an impact came first */
  const nsdyn_status status = nsd_history_reserve(history, scene->closed.count - scene->closed.known);
  if (status) {
    return nsd_fault_set(&s->fault, status, NSDYN_DETAIL_NONE, -1, "no memory for %d contacts found",
                         scene->closed.count - scene->closed.known);
  }
  for (int k = 0; k < scene->closed.count; k++) {
    const nsd_closed *c = &scene->closed.contact[k];
    const terms x = terms_of(s, c->row, 0);
    const double gamma = scene->problem.gamma[c->row];
    if (c->index >= 0) {
      s->scene.closed.touch[c->index] = NSD_EVALUATION_ROUNDING * x.place;
    }
    /* A slot is closed, wherever it begins. */
    const int is_slot = c->law->kind == NSDYN_CONTACT_BILATERAL;
    const int rests =
        c->gap <= nsd_larger(NSD_CONSISTENT_TOUCHES * x.length, NSD_EVALUATION_ROUNDING * x.place) &&
        fabs(gamma) <= NSD_CONSISTENT_RESTS * x.speed;
    if (nsd_scene_is_straight(scene, k) || nsd_history_past(history, c) || !(is_slot || rests)) {
      continue;
    }
    const nsd_past past = {.gap = c->gap,
                           .speed = gamma,
                           .aim = c->gap,
                           .size = x.speed,
                           .wide = x.wide,
                           .flags = NSD_PAST_KNOWN | NSD_PAST_HELD | NSD_PAST_START};
    if (c->index >= 0 && nsd_history_add_known(history, c->index, -1)) {
      history->past[c->index] = past;
    } else if (c->index < 0 && nsd_history_add_found(history, c->key, -1)) {
      history->found_past[history->found_count - 1] = past;
    }
  }
  for (int i = 0; i < scene->closed.rows - scene->closed.contact_rows; i++) {
    const int row = scene->closed.contact_rows + i;
    const terms x = terms_of(s, row, 0);
    const nsd_past past = {.gap = scene->directions.g_b[i],
                           .speed = scene->problem.gamma[row],
                           .size = x.speed,
                           .wide = x.wide,
                           .flags = NSD_PAST_KNOWN};
    s->drift[i] = past;
  }
  s->has_marks = is_empty;
  history->seen = s->t;
  return NSDYN_OK;
}

void nsd_consistent_undo(nsdyn_stepper *s)
{
  const nsd_past nothing = {.flags = 0};
  if (s->has_marks) {
    nsd_history_clear(&s->history, s->sys->def.ncontacts);
  }
  for (int i = 0; i < s->sys->def.nconstraints; i++) {
    s->drift[i] = nothing;
  }
  nsd_fill_zero(s->sys->def.ncontacts, s->scene.closed.touch);
  if (s->history.known_count + s->history.found_count == 0) {
    s->history.seen = 0.0;
  }
  s->has_marks = 0;
}

nsdyn_status nsd_consistent_run(nsdyn_stepper *s, double dt)
{
  const int is_checked = s->fresh == NSD_FRESH_SET && s->options.start_tol <= DBL_MAX;
  /* 1: contacts near enough to touch, their W, and γ = W u + ŵ. */
  nsdyn_status status = collect(s, NSD_CONSISTENT_TOUCHES * nsd_scene_largest(s->sys->def.nq, s->q));
  /* 2: is any of them too deep, or a constraint violated? */
  if (status == NSDYN_OK && is_checked) {
    status = check(s, dt, s->options.start_tol, 1);
  }
  /* 3: what touches and has γ_N = 0 rests, and the first step holds it. */
  if (status == NSDYN_OK && s->scene.closed.rows) {
    status = mark(s);
  }
  s->scene.closed.count = s->scene.closed.known = s->scene.closed.contact_rows = s->scene.closed.rows = 0;
  return status;
}

/* ---- made consistent ---- */

static void note_deepest(const nsd_scene *scene, nsdyn_consistent_report *report)
{
  for (int k = 0; k < scene->closed.count; k++) {
    const nsd_closed *c = &scene->closed.contact[k];
    if (-c->gap > report->penetration) {
      report->penetration = -c->gap;
      report->contact = c->index;
      report->key = c->key;
    }
    report->approach = nsd_larger(-scene->problem.gamma[c->row], report->approach);
  }
  for (int i = 0; i < scene->closed.rows - scene->closed.contact_rows; i++) {
    if (fabs(scene->directions.g_b[i]) > report->gap) {
      report->gap = fabs(scene->directions.g_b[i]);
      report->constraint = i;
    }
    report->velocity =
        nsd_larger(fabs(scene->problem.gamma[scene->closed.contact_rows + i]), report->velocity);
  }
}

static double left_of(const nsd_scene *scene)
{
  double left = 0.0;
  for (int k = 0; k < scene->closed.count; k++) {
    left = nsd_larger(-scene->closed.contact[k].gap, left);
  }
  for (int i = 0; i < scene->closed.rows - scene->closed.contact_rows; i++) {
    left = nsd_larger(fabs(scene->directions.g_b[i]), left);
  }
  return left;
}

static double near_of(const nsdyn_stepper *s)
{
  return NSD_CONSISTENT_TOUCHES * nsd_scene_largest(s->sys->def.nq, s->q);
}

/* What touches counts as closed in the impact that follows. */
static nsdyn_status touch(nsdyn_stepper *s)
{
  const nsd_scene *scene = &s->scene;
  nsd_history_clear(&s->history, s->sys->def.ncontacts);
  const nsdyn_status status = nsd_history_reserve(&s->history, scene->closed.count - scene->closed.known);
  for (int k = 0; status == NSDYN_OK && k < scene->closed.count; k++) {
    const nsd_closed *c = &scene->closed.contact[k];
    const int32_t trace = nsd_trace(NSDYN_MODE_SLIP_PLUS, 0);
    (void)(c->index >= 0 ? nsd_history_add_known(&s->history, c->index, trace)
                         : nsd_history_add_found(&s->history, c->key, trace));
  }
  s->slack_speed = near_of(s);
  s->slack_dt = 1.0;
  return status ? nsd_fault_set(&s->fault, status, NSDYN_DETAIL_NONE, -1, "no memory for %d contacts found",
                                scene->closed.count - scene->closed.known)
                : NSDYN_OK;
}

static void exchange(double **a, double **b)
{
  double *old = *a;
  *a = *b;
  *b = old;
}

/* Coordinates, into q; the old ones stay in q_begin. */
static nsdyn_status place(nsdyn_stepper *s, nsdyn_consistent_report *report)
{
  const int nq = s->sys->def.nq;
  nsdyn_status status = collect(s, near_of(s));
  if (status) {
    return status;
  }
  note_deepest(&s->scene, report);
  status = nsd_projection_of_state(s);
  if (status) {
    return status;
  }
  exchange(&s->q_begin, &s->q);
  exchange(&s->q, &s->q_next);
  for (int j = 0; j < nq; j++) {
    report->moved = nsd_larger(fabs(s->q[j] - s->q_begin[j]), report->moved);
  }
  status = collect(s, near_of(s));
  report->left = status ? report->penetration : left_of(&s->scene);
  return status;
}

/* Velocities, into u; the old ones stay in u_begin. */
static nsdyn_status settle(nsdyn_stepper *s, nsdyn_consistent_report *report)
{
  const int nu = s->sys->def.nu;
  nsdyn_status status = touch(s);
  /* An impact without restitution: γ_N >= 0 and γ_b = 0 after it. */
  s->is_smoothing = 1;
  s->dt = 0.0;
  status = status ? status : nsd_scheme_impact(s);
  s->is_smoothing = 0;
  if (status) {
    return status;
  }
  exchange(&s->u_begin, &s->u);
  exchange(&s->u, &s->u_next);
  for (int j = 0; j < nu; j++) {
    report->kicked = nsd_larger(fabs(s->u[j] - s->u_begin[j]), report->kicked);
  }
  return NSDYN_OK;
}

/* Back to the state before, wherever it went wrong. */
static void go_back(nsdyn_stepper *s, const double *q, const double *u)
{
  if (s->q != q) {
    exchange(&s->q, &s->q_begin);
  }
  if (s->u != u) {
    exchange(&s->u, &s->u_begin);
  }
}

static nsdyn_status make_consistent(nsdyn_stepper *s, nsdyn_consistent_report *report)
{
  const double *q = s->q, *u = s->u;
  nsdyn_status status = nsd_projection_make(s);
  if (status) {
    return nsd_fault_set(&s->fault, status, NSDYN_DETAIL_NONE, -1, "no memory to project a state");
  }
  /* 1: q, by projection: no gap stays negative, and g_b = 0. */
  status = place(s, report);
  /* 2: gaps have to be as small now as a run may begin with; velocities are judged by the impact itself. */
  status =
      status ? status : check(s, s->options.dt, nsd_smaller(s->options.start_tol, NSD_CONSISTENT_MISS), 0);
  /* 3: u, by an impact. */
  status = status ? status : settle(s, report);
  if (nsd_is_unanswered(status)) {
    /* The projection, or the impact, has no solution. */
    char text[sizeof s->fault.message];
    (void)snprintf(text, sizeof text, "%s", s->fault.message);
    nsd_fault_set(&s->fault, NSDYN_ERR_INCONSISTENT, s->fault.detail.kind, s->fault.detail.index,
                  "contacts and constraints cannot all be satisfied: %s", text);
    status = NSDYN_ERR_INCONSISTENT;
  }
  if (status) {
    go_back(s, q, u);
  }
  return status;
}

nsdyn_status nsdyn_stepper_consistent(nsdyn_stepper *s, nsdyn_consistent_report *report)
{
  nsdyn_status status = s ? nsd_fault_begin(&s->fault, s->busy) : NSDYN_ERR_ARGUMENT;
  if (status) {
    return status;
  }
  nsdyn_consistent_report own = {.size = sizeof own, .key = -1, .contact = -1, .constraint = -1};
  status = report ? nsd_sized_tell(report, NSD_CONSISTENT_REPORT_LEAST, &own, sizeof own,
                                   "nsdyn_consistent_report", &s->fault)
                  : NSDYN_OK;
  if (status) {
    return status;
  }
  const int64_t steps = s->steps;
  const int fresh = s->fresh;
  s->busy = NSD_STEPPING;
  nsd_stepper_forget(s);
  status = make_consistent(s, &own);
  nsd_stepper_forget(s);
  s->busy = NSD_IDLE;
  s->steps = steps;
  s->status = status;
  s->fresh = status ? fresh : NSD_FRESH_CONSISTENT;
  if (report) {
    (void)nsd_sized_write(report, NSD_CONSISTENT_REPORT_LEAST, &own, sizeof own);
  }
  return status;
}
