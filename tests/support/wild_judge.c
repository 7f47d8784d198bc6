/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "wild.h"

/* Not asked yet, unless `is_strict`, as these are known to be missed (issue 9):
 *
 * - a bound that is finite, and that is small beside what a gap is a sum of now: where a direction vanishes,
 * a surface that keeps moving throws the state away; bounds take their size from the largest speeds of that;
 * - the bound of a gap where a run ends with an instant, not with a step;
 * - any answer, once a curved surface that moves has left the range of its gap, or is about to, or callbacks
 *   contradict each other;
 * - that a slot which a new law makes of an open contact begins like any other state: at zero, or refused;
 * - open contacts, where another one began off by what start_tol allows, and was projected;
 * - that a record is of a time that the state has reached, where a run has failed;
 * - that the check of callbacks knows the rounding of terms that cancel at t = 1e3 and later, and
 *   the size of what moves in time alone, where nothing else does;
 * - that a state within rounding of an impact is made consistent once a run has come to it, and that a
 *   stepper leaves less than what a beginning may have. */

#define FORCES 1e-4 /* of the terms of a sum: what accelerations and forces may be off */
#define STEPS 1e-6  /* likewise of a time step's impulses and velocities */

static double dot(int n, const double *a, const double *b)
{
  double sum = 0.0;
  for (int i = 0; i < n; i++) {
    sum += a[i] * b[i];
  }
  return sum;
}

static double terms(int n, const double *a, const double *b)
{
  double sum = 0.0;
  for (int i = 0; i < n; i++) {
    sum += fabs(a[i] * b[i]);
  }
  return sum;
}

void wild_judge_message(wild *w, const char *call, nsdyn_status status, const char *message)
{
  if (strcmp(nsdyn_status_name(status), "NSDYN_UNKNOWN") == 0) {
    wild_break(w, "%s: status %d is none", call, (int)status);
  }
  if ((status < 0 || status >= NSDYN_MAX_ITERATIONS) && status != NSDYN_ERR_BUSY && !message[0]) {
    wild_break(w, "%s: %s without a message", call, nsdyn_status_name(status));
  }
  if (status == NSDYN_OK && message[0]) {
    wild_break(w, "%s: NSDYN_OK, but it says: %s", call, message);
  }
  if (status == NSDYN_OK && w->has_stopped) {
    wild_break(w, "%s: NSDYN_OK, though callback %d asked to stop", call, w->bad);
  }
  w->has_stopped = 0;
  wild_tell(w, "%s: %s %s\n", call, nsdyn_status_name(status), message);
  if (strstr(message, "(null)")) {
    wild_break(w, "%s: %s", call, message);
  }
}

void wild_judge_finite(wild *w, const char *what, int n, const double *x)
{
  for (int i = 0; i < n; i++) {
    if (!isfinite(x[i])) {
      wild_break(w, "%s: element %d is %g", what, i, x[i]);
    }
  }
}

int wild_is_singular(const wild *w, double t_begin, double t_end)
{
  for (int i = 0; i < w->known + w->found + w->constraints; i++) {
    const int of_constraint = i - w->known - w->found;
    const wild_surface *s = of_constraint < 0 ? &w->contact[i] : &w->constraint[of_constraint];
    for (int k = 0; k <= 64; k++) { /* g = 0 has solutions x where 1 − 2 bend g(x = 0) > 0 */
      const double t = t_begin + (t_end - t_begin) * k / 64.0;
      const double g = s->g0 + s->rate * t + s->amp * sin(s->omega * t);
      if (!(1.0 - 2.0 * s->bend * g > 0.1)) {
        return 1;
      }
    }
  }
  return 0;
}

/* ---- an event driver ----------------------------------------------------------------------------------- */

void wild_judge_log(wild *w, const nsdyn_event_driver *d)
{
  nsdyn_event event, before;
  nsdyn_event_init(&event, sizeof event);
  nsdyn_event_init(&before, sizeof before);
  before.t = -INFINITY;
  before.group = -1;
  const int64_t count = nsdyn_event_driver_events(d);
  for (int64_t k = 0; k < count; k++) {
    if (nsdyn_event_driver_event(d, k, &event) != NSDYN_OK) {
      wild_break(w, "record %lld of %lld cannot be read", (long long)k, (long long)count);
      return;
    }
    const double all[] = {event.t,        event.t_bound,  event.gap,        event.before[0], event.before[1],
                          event.after[0], event.after[1], event.impulse[0], event.impulse[1]};
    wild_judge_finite(w, "a record", 9, all);
    if (event.group < before.group || event.kind < NSDYN_EVENT_IMPACT || event.kind > NSDYN_EVENT_HANDOVER ||
        (w->out->is_strict && event.t > nsdyn_event_driver_time(d))) {
      wild_break(w, "record %lld, kind %d, group %lld, t = %.17g is out of order", (long long)k,
                 (int)event.kind, (long long)event.group, event.t);
    }
    if (event.kind == NSDYN_EVENT_IMPACT && !w->is_hard && event.impulse[0] < 0.0 && event.contact >= 0 &&
        w->contact[event.contact].law.kind == NSDYN_CONTACT_UNILATERAL &&
        !w->contact[event.contact].was_slot) {
      wild_break(w, "record %lld: an impact that pulls: %g", (long long)k, event.impulse[0]);
    }
    before = event;
  }
}

/* What is asked of all contacts and constraints of a driver. */
typedef struct sums {
  double M[WILD_U * WILD_U], rest[WILD_U], size[WILD_U]; /* M a − h − Wᵀ λ, Σ |terms| */
  double share, t;
  const double *q, *u, *a;
  nsdyn_event_report report;
} sums;

static void add_force(const wild *w, sums *s, const double *row, double force)
{
  for (int j = 0; j < w->nu; j++) {
    s->rest[j] -= row[j] * force;
    s->size[j] += fabs(row[j] * force);
  }
}

/* λ_T against the law of a closed contact; `tau` is a force that is none. */
static void judge_friction(wild *w, const wild_surface *s, const nsdyn_contact_state *c, double gamma_T,
                           double speed_tau, double tau)
{
  const nsdyn_contact_law *law = &s->law;
  const double press = fabs(c->force[0]),
               limit_mu = law->friction == NSDYN_FRICTION_STATIC ? law->mu_static : law->mu;
  double limit = law->friction == NSDYN_FRICTION_NONE    ? 0.0
                 : law->friction == NSDYN_FRICTION_CURVE ? wild_curve(s, 0.0) * press
                 : law->friction == NSDYN_FRICTION_BOUND
                     ? law->bound * (law->curve ? wild_curve(s, 0.0) : 1.0)
                     : limit_mu * press;
  limit += tau + FORCES * limit;
  if (!(fabs(c->force[1]) <= limit)) {
    wild_break(w, "contact %d: friction %g beyond %g", (int)c->index, c->force[1], limit);
  }
  if (c->mode == NSDYN_MODE_SLIP_PLUS || c->mode == NSDYN_MODE_SLIP_MINUS) {
    const double sign = c->mode == NSDYN_MODE_SLIP_PLUS ? 1.0 : -1.0;
    if (!(sign * gamma_T >= -speed_tau)) {
      wild_break(w, "contact %d: mode %d, but it slides at %g", (int)c->index, (int)c->mode, gamma_T);
    }
    if (!(-sign * c->force[1] >= -tau)) {
      wild_break(w, "contact %d: mode %d, but friction is %g", (int)c->index, (int)c->mode, c->force[1]);
    }
  } else if (limit > 2.0 * tau && !(fabs(gamma_T) <= speed_tau)) {
    wild_break(w, "contact %d sticks, but slides at %g (%g)", (int)c->index, gamma_T, speed_tau);
  }
}

static void judge_active(wild *w, sums *s, const nsdyn_contact_state *c)
{
  const wild_surface *surface = wild_surface_of(w, c);
  wild_look look;
  if (!surface) {
    wild_break(w, "an active contact has the key %lld, which is none", (long long)c->key);
    return;
  }
  wild_see(w, surface, s->t, s->q, s->u, &look);
  const double gamma_N = dot(w->nu, look.w_N, s->u) + look.w_hat[0];
  const double gamma_T = dot(w->nu, look.w_T, s->u) + look.w_hat[1];
  const double rounding = 64.0 * DBL_EPSILON * look.size;
  const double speed =
      terms(w->nu, look.w_N, s->u) + fabs(surface->rate) + fabs(surface->amp * surface->omega);
  const double speed_T = terms(w->nu, look.w_T, s->u) + fabs(surface->belt) + fabs(surface->belt_amp);
  const double speed_tau = s->report.velocity_bound + s->share * speed + 1e-12;
  if (fabs(c->gap - look.g) > rounding + s->share * look.size) {
    wild_break(w, "contact %d: gap %g, but it is %g", (int)c->index, c->gap, look.g);
  }
  if (!(fabs(look.g) <= s->report.gap_bound + rounding + s->share * look.size)) {
    wild_break(w, "contact %d is closed at a gap of %g, bound %g at t = %.17g", (int)c->index, look.g,
               s->report.gap_bound, s->t);
  }
  if (!(fabs(gamma_N) <= speed_tau)) {
    wild_break(w, "contact %d is closed at a speed of %g, bound %g, at t = %.17g", (int)c->index, gamma_N,
               s->report.velocity_bound, s->t);
  }
  const double rise = dot(w->nu, look.w_N, s->a) + look.w_bar[0];
  double size = 0.0, stiff = 0.0;
  for (int j = 0; j < w->nu; j++) {
    size += fabs(look.w_N[j] * s->a[j]);
    stiff += look.w_N[j] * look.w_N[j] / s->M[j * w->nu + j];
  }
  const double tau_a =
      FORCES * (size + fabs(look.w_bar[0]) + stiff * fabs(c->force[0]) + speed * speed + 1.0);
  const double tau = stiff > 0.0 ? 10.0 * tau_a / stiff : INFINITY;
  if (surface->law.kind == NSDYN_CONTACT_UNILATERAL && !(c->force[0] >= -tau)) {
    wild_break(w, "contact %d pulls: %g at t = %.17g", (int)c->index, c->force[0], s->t);
  }
  if (!(fabs(rise) <= tau_a) &&
      !(rise >= -tau_a && fabs(c->force[0]) <= tau && surface->law.kind == NSDYN_CONTACT_UNILATERAL)) {
    wild_break(w, "contact %d is closed, with an acceleration of %g (%g), force %g at t = %.17g",
               (int)c->index, rise, tau_a, c->force[0], s->t);
  }
  wild_tell(w, "  contact %d: mode %d, gap %g of %g, gamma %g %g, force %g %g, mu %g, rise %g (%g, %g)\n",
            (int)c->index, (int)c->mode, look.g, look.size, gamma_N, gamma_T, c->force[0], c->force[1], c->mu,
            rise, tau_a, tau);
  add_force(w, s, look.w_N, c->force[0]);
  if (c->rows > 1) {
    judge_friction(w, surface, c, gamma_T, s->report.velocity_bound + 1e3 * s->share * speed_T + 1e-9, tau);
    add_force(w, s, look.w_T, c->force[1]);
  }
  w->out->judged_contacts++;
}

static void judge_constraint(wild *w, const nsdyn_event_driver *d, sums *s, int i)
{
  nsdyn_constraint_state state;
  wild_look look;
  nsdyn_constraint_state_init(&state, sizeof state);
  if (nsdyn_event_driver_constraint(d, i, &state)) {
    wild_break(w, "constraint %d cannot be read", i);
  }
  wild_see(w, &w->constraint[i], s->t, s->q, s->u, &look);
  const double gamma = dot(w->nu, look.w_N, s->u) + look.w_hat[0];
  const double speed = terms(w->nu, look.w_N, s->u) + fabs(look.w_hat[0]);
  const double rise = dot(w->nu, look.w_N, s->a) + look.w_bar[0];
  const double size = terms(w->nu, look.w_N, s->a) + fabs(look.w_bar[0]) + speed * speed;
  if (!(fabs(look.g) <= s->report.gap_bound + s->share * look.size + 1e-14)) {
    wild_break(w, "constraint %d is %g off, bound %g at t = %.17g", i, look.g, s->report.gap_bound, s->t);
  }
  if (!(fabs(gamma) <= s->report.velocity_bound + s->share * speed + 1e-12)) {
    wild_break(w, "constraint %d moves at %g, bound %g at t = %.17g", i, gamma, s->report.velocity_bound,
               s->t);
  }
  if (!(fabs(rise) <= FORCES * (size + 1.0))) {
    wild_break(w, "constraint %d accelerates by %g (%g) at t = %.17g", i, rise, size, s->t);
  }
  wild_tell(w, "  constraint %d: gap %g of %g, gamma %g, force %g, rise %g\n", i, look.g, look.size, gamma,
            state.force, rise);
  wild_judge_finite(w, "a constraint", 3, (const double[]){state.gap, state.velocity, state.force});
  add_force(w, s, look.w_N, state.force);
}

/* Contacts that are open: none may be deep. */
static void judge_open(wild *w, const sums *s, const nsdyn_event_driver_options *options)
{
  for (int i = 0; i < w->known + w->found; i++) {
    const wild_surface *surface = &w->contact[i];
    wild_look look;
    wild_see(w, surface, s->t, s->q, s->u, &look);
    const double size = look.size + terms(w->nu, look.w_N, s->u) * (s->t - w->t0);
    const int is_closed =
        i < w->known && surface->law.kind == NSDYN_CONTACT_BILATERAL; /* a found slot may open */
    const double deep = is_closed ? fabs(look.g) : -look.g;
    const double allowed =
        s->report.gap_bound + fmax(0.0, options->gap_tol) + 100.0 * s->share * (size + 1.0);
    if (!surface->began_deep && deep > allowed) {
      wild_break(w, "contact %d has a gap of %g (%g) at t = %.17g", i, look.g, allowed, s->t);
    }
  }
}

/* Whether gaps are bounded by nothing that is small beside the terms of the smallest of them. */
static int is_vague(const wild *w, const sums *s)
{
  double least = INFINITY;
  for (int i = 0; i < w->known + w->found + w->constraints; i++) {
    const int of_constraint = i - w->known - w->found;
    wild_look look;
    wild_see(w, of_constraint < 0 ? &w->contact[i] : &w->constraint[of_constraint], s->t, s->q, s->u, &look);
    least = fmin(least, look.size);
  }
  return w->is_lost || !(s->report.gap_bound <= 1e-2 * least);
}

void wild_judge_run(wild *w, const nsdyn_event_driver *d, const nsdyn_event_driver_options *options)
{
  sums s = {.share = fmax(1e3 * options->tol, 1e-9),
            .t = nsdyn_event_driver_time(d),
            .q = nsdyn_event_driver_q(d),
            .u = nsdyn_event_driver_u(d),
            .a = nsdyn_event_driver_a(d)};
  const int active = nsdyn_event_driver_active(d);
  nsdyn_event_report_init(&s.report, sizeof s.report);
  nsdyn_event_driver_report(d, &s.report);
  const double all[] = {s.report.t,
                        s.report.dt,
                        s.report.gap,
                        s.report.residual,
                        s.report.gap_bound,
                        s.report.velocity,
                        s.report.velocity_bound,
                        s.report.zeno_speed};
  wild_tell_numbers(w, "report (t dt gap residual gap_bound velocity velocity_bound zeno_speed)", 8, all);
  wild_tell_numbers(w, "q", w->nq, s.q);
  wild_tell_numbers(w, "u", w->nu, s.u);
  wild_tell_numbers(w, "a", w->nu, s.a);
  wild_judge_finite(w, "accelerations", w->nu, s.a);
  if (!w->out->is_strict && is_vague(w, &s)) {
    w->is_lost = 1;
    return;
  }
  wild_judge_finite(w, "the report", 8, all);
  if (!w->out->is_strict && s.report.gap > s.report.gap_bound) {
    return; /* it ended with an instant */
  }
  if (!(s.report.gap <= s.report.gap_bound + 1e-12) && (w->out->is_strict || !w->is_hard)) {
    wild_break(w, "the report says OK with a gap of %g, beyond %g", s.report.gap, s.report.gap_bound);
  }
  if (!(s.report.velocity <= s.report.velocity_bound + 1e-12)) {
    wild_break(w, "the report says OK at %g, beyond %g", s.report.velocity, s.report.velocity_bound);
  }
  wild_mass(w, s.q, s.M);
  wild_force(w, s.t, s.q, s.u, s.rest);
  for (int j = 0; j < w->nu; j++) {
    const double load = s.rest[j];
    s.rest[j] = dot(w->nu, s.M + j * w->nu, s.a) - load;
    s.size[j] = terms(w->nu, s.M + j * w->nu, s.a) + fabs(load);
  }
  for (int k = 0; k < active; k++) {
    nsdyn_contact_state state;
    nsdyn_contact_state_init(&state, sizeof state);
    nsdyn_event_driver_active_contact(d, k, &state);
    wild_judge_finite(w, "a force", 2, state.force);
    if (!w->is_hard) {
      judge_active(w, &s, &state);
    }
  }
  if (w->is_hard) {
    return;
  }
  for (int i = 0; i < w->constraints; i++) {
    judge_constraint(w, d, &s, i);
  }
  judge_open(w, &s, options);
  for (int j = 0; j < w->nu; j++) {
    if (!(fabs(s.rest[j]) <= 1e-6 * s.size[j] + 1e-9 * w->unit)) {
      wild_break(w, "forces do not add up in row %d: %g of %g at t = %.17g", j, s.rest[j], s.size[j], s.t);
    }
  }
  w->out->judged_runs++;
}

void wild_judge_consistent(wild *w, const nsdyn_consistent_report *r, double share, double gap_tol, double t,
                           const double *q, const double *u)
{
  const double all[] = {r->penetration, r->gap, r->approach, r->velocity, r->moved, r->kicked, r->left};
  wild_judge_finite(w, "the report of a consistent state", 7, all);
  if (w->is_hard || (w->has_run && !w->out->is_strict)) {
    return;
  }
  for (int i = 0; i < w->known + w->found + w->constraints; i++) {
    const int is_contact = i < w->known + w->found;
    const wild_surface *s = is_contact ? &w->contact[i] : &w->constraint[i - w->known - w->found];
    const int is_held = !is_contact || (i < w->known && s->law.kind == NSDYN_CONTACT_BILATERAL);
    wild_look look;
    wild_see(w, s, t, q, u, &look);
    const double gamma = dot(w->nu, look.w_N, u) + look.w_hat[0];
    const double speed = terms(w->nu, look.w_N, u) + fabs(look.w_hat[0]);
    wild_tell(w, "  surface %d: gap %g of %g, speed %g of %g\n", i, look.g, look.size, gamma, speed);
    const double off = is_held ? fabs(look.g) : -look.g, slow = is_held ? fabs(gamma) : -gamma;
    if (!(off <= share * (look.size + 1e-6) + gap_tol)) {
      wild_break(w, "consistent, but surface %d has a gap of %g", i, look.g);
    }
    if ((is_held || look.g <= 0.0) && !(slow <= 1e-6 * (speed + 1.0))) {
      wild_break(w, "consistent, but surface %d has a speed of %g", i, gamma);
    }
  }
}

/* ---- a time step --------------------------------------------------------------------------------------- */

/* A step, seen again. */
typedef struct pace {
  double q[WILD_Q], t, dt, scale; /* at its middle */
  double rest[WILD_U], size[WILD_U];
  double curvature; /* what u makes of a gap, w̄ and more, at most */
  double share;     /* of the terms of a velocity: what is no violation */
  double load;      /* what forces do to a velocity */
  const double *u_begin, *u_end;
  int is_plain; /* Newton's law with ε as it stands */
} pace;

static void judge_stepped(wild *w, pace *p, const nsdyn_contact_state *c)
{
  const wild_surface *s = wild_surface_of(w, c);
  wild_look look;
  if (!s) {
    wild_break(w, "an active contact has the key %lld, which is none", (long long)c->key);
    return;
  }
  wild_see(w, s, p->t, p->q, p->u_begin, &look);
  const double before = dot(w->nu, look.w_N, p->u_begin) + look.w_hat[0];
  const double after = dot(w->nu, look.w_N, p->u_end) + look.w_hat[0];
  double stiff = 0.0;
  for (int j = 0; j < w->nu; j++) {
    stiff += look.w_N[j] * look.w_N[j];
  }
  const double size = terms(w->nu, look.w_N, p->u_begin) + terms(w->nu, look.w_N, p->u_end) +
                      fabs(look.w_hat[0]) + p->scale + p->load;
  const double tau = p->share * size, tau_L = stiff > 0.0 ? 100.0 * tau * w->unit * 10.0 / stiff : INFINITY;
  if (fabs(look.g - c->gap) > 1e-10 * look.size + 1e-14) {
    wild_break(w, "step: contact %d has a gap of %g, says %g", (int)c->index, look.g, c->gap);
  }
  if (fabs(before - c->before[0]) > tau || fabs(after - c->after[0]) > tau) {
    wild_break(w, "step: contact %d from %g to %g, says from %g to %g", (int)c->index, before, after,
               c->before[0], c->after[0]);
  }
  wild_tell(w, "  contact %d: mode %d, gap %g, gamma from %g to %g, impulse %g %g\n", (int)c->index,
            (int)c->mode, look.g, before, after, c->impulse[0], c->impulse[1]);
  if (s->law.kind == NSDYN_CONTACT_UNILATERAL && !(c->impulse[0] >= -tau_L)) {
    wild_break(w, "step: contact %d pulls: %g", (int)c->index, c->impulse[0]);
  }
  /* On a curved surface a contact that pressed is led back to the gap that it closed at. */
  const int is_straight = s->bend == 0.0 && s->amp == 0.0 && !w->moves;
  /* So is one on a straight surface that was projected in the step before, and is off its gap by what it
   * moved since: b = g / Δt brings it back. */
  const double off = is_straight ? fmax(look.g, 0.0) : fabs(look.g) + p->dt * p->dt * p->curvature;
  const double bow = 2.0 * off / p->dt;
  const double xi = s->law.kind == NSDYN_CONTACT_BILATERAL ? after : after + s->law.eps_n * before;
  const int is_held = s->law.kind == NSDYN_CONTACT_BILATERAL || c->impulse[0] > tau_L;
  if (p->is_plain && !(xi >= -tau - bow && (!is_held || xi <= tau + bow))) {
    wild_break(w, "step: contact %d with impulse %g leaves xi = %g (%g)", (int)c->index, c->impulse[0], xi,
               tau);
  }
  for (int j = 0; j < w->nu; j++) {
    p->rest[j] -= look.w_N[j] * c->impulse[0] + (c->rows > 1 ? look.w_T[j] * c->impulse[1] : 0.0);
    p->size[j] += fabs(look.w_N[j] * c->impulse[0]) + (c->rows > 1 ? fabs(look.w_T[j] * c->impulse[1]) : 0.0);
  }
  if (c->rows > 1) {
    const double limit =
        s->law.friction == NSDYN_FRICTION_BOUND
            ? s->law.bound * p->dt * (s->law.curve ? wild_curve(s, 0.0) : 1.0)
            : fmax(fmax(s->law.mu, s->law.mu_static), s->law.curve ? wild_curve(s, 0.0) : 0.0) *
                  fabs(c->impulse[0]);
    if (p->is_plain && !(fabs(c->impulse[1]) <= limit * (1.0 + 1e-6) + tau_L)) {
      wild_break(w, "step: contact %d has friction %g beyond %g", (int)c->index, c->impulse[1], limit);
    }
  }
  w->out->judged_contacts++;
}

static void judge_step_constraints(wild *w, const nsdyn_stepper *s, pace *p)
{
  for (int i = 0; i < w->constraints; i++) {
    nsdyn_constraint_state state;
    wild_look look;
    nsdyn_constraint_state_init(&state, sizeof state);
    if (nsdyn_stepper_constraint(s, i, &state)) {
      wild_break(w, "step: constraint %d cannot be read", i);
    }
    wild_see(w, &w->constraint[i], p->t, p->q, p->u_end, &look);
    const double speed = dot(w->nu, look.w_N, p->u_end) + look.w_hat[0];
    const double size = terms(w->nu, look.w_N, p->u_end) + terms(w->nu, look.w_N, p->u_begin) +
                        fabs(look.w_hat[0]) + p->scale + p->load;
    wild_tell(w, "  constraint %d: gap %g, gamma %g, impulse %g\n", i, look.g, speed, state.impulse);
    if (!(fabs(speed) <= p->share * size) || !(fabs(speed - state.velocity) <= p->share * size)) {
      wild_break(w, "step: constraint %d moves at %g, says %g", i, speed, state.velocity);
    }
    for (int j = 0; j < w->nu; j++) {
      p->rest[j] -= look.w_N[j] * state.impulse;
      p->size[j] += fabs(look.w_N[j] * state.impulse);
    }
  }
}

static void judge_looked_at(wild *w, const nsdyn_stepper *s, const pace *p)
{
  for (int i = 0; i < w->known + w->found; i++) {
    const double still[WILD_U] = {0.0};
    nsdyn_contact_state state;
    wild_look look;
    nsdyn_contact_state_init(&state, sizeof state);
    wild_see(w, &w->contact[i], p->t, p->q, still, &look);
    const nsdyn_status status = i < w->known ? nsdyn_stepper_contact(s, i, &state)
                                             : nsdyn_stepper_found_contact(s, w->contact[i].key, &state);
    if (status || (look.g < -1e-12 * look.size && !state.active)) {
      wild_break(w, "step: contact %d has a gap of %g, and no part in it", i, look.g);
    }
  }
}

void wild_judge_step(wild *w, nsdyn_stepper *s, const nsdyn_stepper_options *options, double t,
                     const double *q, const double *u, double dt)
{
  pace p = {.t = t + 0.5 * dt, .dt = dt, .u_begin = u, .u_end = nsdyn_stepper_u(s)};
  nsdyn_step_report report;
  double qdot[WILD_Q], M[WILD_U * WILD_U];
  nsdyn_step_report_init(&report, sizeof report);
  nsdyn_stepper_report(s, &report);
  const double all[] = {
      report.t,         report.dt,         report.residual,         report.scale,    report.gap,
      report.gap_bound, report.constraint, report.constraint_bound, report.velocity, report.velocity_bound};
  wild_judge_finite(w, "the step's report", 10, all);
  wild_tell_numbers(w, "report (t dt residual scale gap bound constraint bound velocity bound)", 10, all);
  wild_tell_numbers(w, "q", w->nq, nsdyn_stepper_q(s));
  wild_tell_numbers(w, "u", w->nu, nsdyn_stepper_u(s));
  if (!(report.gap <= report.gap_bound + 1e-12) || !(report.constraint <= report.constraint_bound + 1e-12) ||
      !(report.velocity <= report.velocity_bound + 1e-12)) {
    wild_break(w, "step: OK with a gap of %g (%g), a constraint of %g (%g), a velocity of %g (%g)",
               report.gap, report.gap_bound, report.constraint, report.constraint_bound, report.velocity,
               report.velocity_bound);
  }
  if (!(report.residual <= options->tol * report.scale)) {
    wild_break(w, "step: OK with a residual of %g beside %g", report.residual, report.scale);
  }
  if (w->is_hard || options->project) {
    return;
  }
  p.scale = report.scale;
  p.share = fmax(STEPS, 10.0 * options->tol);
  p.is_plain = options->impact == NSDYN_IMPACT_NEWTON && !report.inelastic && !options->clip &&
               options->threshold == 0.0;
  for (int i = 0; i < w->known + w->found; i++) {
    wild_look begin, end;
    wild_see(w, &w->contact[i], t, q, u, &begin);
    wild_see(w, &w->contact[i], t + dt, nsdyn_stepper_q(s), nsdyn_stepper_u(s), &end);
    p.curvature = fmax(p.curvature, fabs(begin.w_bar[0]) + fabs(end.w_bar[0]));
  }
  wild_qdot(w, q, u, qdot);
  for (int i = 0; i < w->nq; i++) {
    p.q[i] = q[i] + 0.5 * dt * qdot[i];
  }
  wild_mass(w, p.q, M);
  wild_force(w, p.t, p.q, u, p.rest);
  for (int j = 0; j < w->nu; j++) {
    const double push = dt * p.rest[j];
    p.rest[j] = -push;
    p.size[j] = fabs(push);
    p.load += fabs(push) / w->unit;
    for (int k = 0; k < w->nu; k++) {
      p.rest[j] += M[j * w->nu + k] * (p.u_end[k] - u[k]);
      p.size[j] += fabs(M[j * w->nu + k] * p.u_end[k]) + fabs(M[j * w->nu + k] * u[k]);
    }
  }
  for (int k = 0; k < nsdyn_stepper_active(s); k++) {
    nsdyn_contact_state state;
    nsdyn_contact_state_init(&state, sizeof state);
    nsdyn_stepper_active_contact(s, k, &state);
    wild_judge_finite(w, "an impulse", 2, state.impulse);
    judge_stepped(w, &p, &state);
  }
  judge_step_constraints(w, s, &p);
  judge_looked_at(w, s, &p);
  for (int j = 0; j < w->nu; j++) {
    if (!(fabs(p.rest[j]) <= 1e-9 * p.size[j] + 1e-12 * w->unit)) {
      wild_break(w, "step: impulses do not add up in row %d: %g of %g", j, p.rest[j], p.size[j]);
    }
  }
  wild_qdot(w, p.q, p.u_end, qdot);
  for (int i = 0; i < w->nq; i++) {
    const double end = p.q[i] + 0.5 * dt * qdot[i];
    if (!(fabs(end - nsdyn_stepper_q(s)[i]) <= 1e-11 * (fabs(end) + fabs(q[i]) + fabs(dt * qdot[i])))) {
      wild_break(w, "step: coordinate %d ends at %g instead of %g", i, nsdyn_stepper_q(s)[i], end);
    }
  }
  w->out->judged_steps++;
}
