/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* One run: a case through the event driver, or through the stepper at two step lengths. */
#include <stdio.h>
#include <time.h>

#include "zoo.h"

typedef struct run {
  zoo_case *c;
  const zoo_limits *limits;
  zoo_result *result;
  double tol, dt;
  clock_t begin;
  long long events, steps, looks;
  int too_long, is_lie;
  int mode[ZOO_MOST]; /* of steps: of contacts known in advance, in the step before */
  nsdyn_system *sys;
  nsdyn_context *ctx;
} run;

static double seconds_of(const run *r)
{
  return (double)(clock() - r->begin) / CLOCKS_PER_SEC - r->c->judging;
}

/* The clock, which costs as much as a step of a small machine, is looked at from time to time. */
static int is_too_long(run *r)
{
  r->too_long |=
      r->events > r->limits->events || (r->looks++ % 64 == 63 && seconds_of(r) > r->limits->seconds);
  return r->too_long;
}

static int on_progress(void *user, const char *activity, double done)
{
  (void)activity, (void)done;
  return is_too_long(user);
}

/* Truth may be dear: of steps some are compared. */
static void judged(run *r, const zoo_moment *m)
{
  const int compares = !m->stepper || r->steps++ % (1 + r->c->least_steps / 300) == 0;
  if (!r->is_lie && zoo_judge(r->c, m, compares ? &r->result->error : NULL, &r->result->fault)) {
    r->is_lie = 1;
  }
}

static int on_event(void *user, const nsdyn_event_driver *driver, const nsdyn_event *event)
{
  run *r = user;
  r->events++;
  if (r->limits->verbose > 1) {
    printf("    %.17g %s %d: gap %.3e, modes %d -> %d, gamma (%.6g, %.6g) -> (%.6g, %.6g), impulse (%.6g, "
           "%.6g)\n",
           event->t - r->c->t0, nsdyn_event_name(event->kind), (int)event->contact, event->gap,
           (int)event->mode_before, (int)event->mode_after, event->before[0], event->before[1],
           event->after[0], event->after[1], event->impulse[0], event->impulse[1]);
  }
  (void)driver;
  return is_too_long(r);
}

static int on_output(void *user, double t, const double *q, const double *u)
{
  run *r = user;
  const zoo_moment m = {.c = r->c, .t = t, .tol = r->tol, .q = q, .u = u};
  judged(r, &m);
  return is_too_long(r);
}

/* Modes that changed in a step, −1: open. */
static void print_modes(run *r, const nsdyn_stepper *stepper)
{
  for (int i = 0; i < r->c->def.ncontacts; i++) {
    nsdyn_contact_state state = {.size = sizeof state};
    nsdyn_stepper_contact(stepper, i, &state);
    const int mode = state.active ? (int)state.mode : -1;
    if (mode != r->mode[i]) {
      printf(
          "    %.17g contact %d: gap %.3e, modes %d -> %d, gamma (%.6g, %.6g) -> (%.6g, %.6g), force (%.6g, "
          "%.6g)\n",
          nsdyn_stepper_time(stepper) - r->c->t0, i, state.gap, r->mode[i], mode, state.before[0],
          state.before[1], state.after[0], state.after[1], state.force[0], state.force[1]);
    }
    r->mode[i] = mode;
  }
}

static int on_step(void *user, const nsdyn_stepper *stepper)
{
  run *r = user;
  const zoo_moment m = {.c = r->c,
                        .stepper = stepper,
                        .t = nsdyn_stepper_time(stepper),
                        .tol = r->tol,
                        .dt = r->dt,
                        .q = nsdyn_stepper_q(stepper),
                        .u = nsdyn_stepper_u(stepper)};
  if (r->limits->verbose > 1) {
    print_modes(r, stepper);
  }
  judged(r, &m);
  return is_too_long(r);
}

/* The system; its status is that of the first call that fails. */
static nsdyn_status build(run *r)
{
  nsdyn_context_def def;
  nsdyn_status status = nsdyn_context_def_init(&def, sizeof def);
  def.user = r;
  def.progress = on_progress;
  if (status == NSDYN_OK) {
    status = nsdyn_context_new(&def, &r->ctx, NULL);
  }
  if (status == NSDYN_OK) {
    const nsdyn_system_def told = zoo_wrong_def(r->c);
    status = nsdyn_system_new(r->ctx, &told, &r->sys, NULL);
  }
  for (int i = 0; i < r->c->def.ncontacts && status == NSDYN_OK; i++) {
    const nsdyn_contact_law told = zoo_wrong_law(r->c, &r->c->law[i]);
    status = nsdyn_system_set_contact(r->sys, i, &told);
  }
  for (int i = 0; i < r->c->found_laws && status == NSDYN_OK; i++) {
    int32_t number;
    const nsdyn_contact_law told = zoo_wrong_law(r->c, &r->c->found_law[i]);
    status = nsdyn_system_add_law(r->sys, &told, &number);
  }
  return status;
}

static void begin(run *r, zoo_case *c, double tol, const zoo_limits *limits, zoo_result *result)
{
  memset(r, 0, sizeof *r);
  memset(result, 0, sizeof *result);
  r->c = c;
  r->tol = tol;
  r->limits = limits;
  r->result = result;
  r->begin = clock();
  c->judging = 0.0;
}

static void conclude(run *r, nsdyn_status status, const char *message, double t)
{
  zoo_result *result = r->result;
  result->status = status;
  snprintf(result->message, sizeof result->message, "%s", message);
  result->t = t;
  result->cpu += seconds_of(r);
  result->events = r->events;
  result->leans = r->c->leans;
  result->verdict = r->too_long          ? ZOO_SLOW
                    : status != NSDYN_OK ? ZOO_FAILURE
                    : r->is_lie          ? ZOO_LIE
                                         : ZOO_RIGHT;
  nsdyn_system_free(r->sys);
  nsdyn_context_free(r->ctx);
  r->sys = NULL;
  r->ctx = NULL;
}

/* From output to output; where the driver has forces they are judged. */
static nsdyn_status drive(run *r, nsdyn_event_driver *driver)
{
  zoo_case *c = r->c;
  nsdyn_status status = nsdyn_event_driver_set_state(driver, c->t0, c->q, c->u);
  for (int k = 1; k <= c->outputs && status == NSDYN_OK && !r->is_lie; k++) {
    /* not at round parts of the span, where machines like to have their events */
    const double part = k == c->outputs ? 1.0 : ((double)k - 0.3217) / c->outputs;
    status = nsdyn_event_driver_advance(driver, c->t0 + part * c->span);
    if (status == NSDYN_OK) {
      const zoo_moment m = {.c = c,
                            .driver = driver,
                            .t = nsdyn_event_driver_time(driver),
                            .tol = r->tol,
                            .q = nsdyn_event_driver_q(driver),
                            .u = nsdyn_event_driver_u(driver),
                            .a = nsdyn_event_driver_a(driver)};
      judged(r, &m);
    }
  }
  return status;
}

void zoo_run_events(zoo_case *c, double tol, const zoo_limits *limits, zoo_result *result)
{
  run r;
  nsdyn_event_driver_options options;
  nsdyn_event_driver *driver = NULL;
  begin(&r, c, tol, limits, result);
  c->slack = (1e3 * tol + 1e-6) * c->time + 1e-14 * fabs(c->t0);
  nsdyn_error error = {.size = sizeof error};
  nsdyn_status status = build(&r);
  nsdyn_event_driver_options_init(&options, sizeof options);
  options.tol = tol;
  options.impact = c->impact;
  options.inelastic = c->inelastic;
  options.ambiguous = c->ambiguous;
  options.keep_events = 100;
  options.check = !c->wrong;
  options.max_steps = 2000000;
  options.output_dt = c->span / (7.3 * c->outputs);
  options.observe = on_event;
  options.output = on_output;
  options.user = &r;
  if (status == NSDYN_OK) {
    status = nsdyn_event_driver_new(NULL, r.sys, &options, &driver, &error);
  }
  if (driver) {
    status = drive(&r, driver);
    conclude(&r, status, nsdyn_event_driver_message(driver), nsdyn_event_driver_time(driver) - c->t0);
  } else {
    conclude(&r, status, error.message[0] || !r.sys ? error.message : nsdyn_system_message(r.sys), 0.0);
  }
  nsdyn_event_driver_free(driver);
}

/* Truths have Newton's law. Anitescu & Potra's scheme has Poisson's, which says the same of one collision
 * without friction, and of collisions without restitution; where a contact that rubs gives something back the
 * two are different laws (Glocker & Studer 2005, section 4; Slavič & Boltežar 2006, section 2.2). */
static int has_other_law(const zoo_case *c)
{
  int has = 0;
  for (int i = 0; i < c->def.ncontacts + c->found_laws; i++) {
    const nsdyn_contact_law *law = i < c->def.ncontacts ? &c->law[i] : &c->found_law[i - c->def.ncontacts];
    has |= law->eps_n > 0.0 && law->friction != NSDYN_FRICTION_NONE &&
           (law->mu > 0.0 || law->friction == NSDYN_FRICTION_CURVE);
  }
  return has && c->scheme == NSDYN_SCHEME_ANITESCU_POTRA;
}

static void step_through(zoo_case *c, double dt, double tol, const zoo_limits *limits, zoo_result *result)
{
  run r;
  nsdyn_stepper_options options;
  nsdyn_stepper *stepper = NULL;
  begin(&r, c, tol, limits, result);
  r.dt = dt;
  c->other_law = has_other_law(c);
  c->slack = fmax(1.0, c->leave) * fmax(c->steps_bound, 40.0) * dt;
  nsdyn_error error = {.size = sizeof error};
  nsdyn_status status = build(&r);
  nsdyn_stepper_options_init(&options, sizeof options);
  options.dt = dt;
  options.impact = c->impact;
  options.inelastic = c->inelastic;
  options.scheme = c->scheme;
  options.project = c->project;
  options.check = !c->wrong;
  options.observe = on_step;
  options.user = &r;
  if (status == NSDYN_OK) {
    status = nsdyn_stepper_new(NULL, r.sys, &options, &stepper, &error);
  }
  if (stepper) {
    status = nsdyn_stepper_set_state(stepper, c->t0, c->q, c->u);
    if (status == NSDYN_OK) {
      status = nsdyn_stepper_advance(stepper, c->t0 + c->span);
    }
    conclude(&r, status, nsdyn_stepper_message(stepper), nsdyn_stepper_time(stepper) - c->t0);
  } else {
    conclude(&r, status, error.message[0] || !r.sys ? error.message : nsdyn_system_message(r.sys), 0.0);
  }
  nsdyn_stepper_free(stepper);
}

/* Another run of the case in so many steps. */
static void step_again(const zoo_case *c, double steps, double leave, double tol, const zoo_limits *limits,
                       zoo_result *result)
{
  zoo_case again = *c;
  again.def.user = zoo_copy_model(c);
  again.leave = leave;
  step_through(&again, c->span / steps, tol, limits, result);
  free(again.def.user);
}

/* Two step lengths: the bound holds for each, so that an error that does not shrink is seen. Steps are not
 * shorter than what the clock can tell. Where the bound was that of neighbours, which is wide where a machine
 * makes much of little, a law that is obeyed a little wrong may pass below it: there steps of an eighth have
 * to obey theirs as well.
 *
 * What errors grow to on the way is known but for a factor: a bound that was missed is no lie where the error
 * falls as the steps do, to less than twice what steps of an eighth or a 32nd of the length are allowed. A
 * law that is obeyed wrongly does not. */
void zoo_run_steps(zoo_case *c, double tol, const zoo_limits *limits, zoo_result *result)
{
  static const double first[] = {1.0, 2.0, 8.0}, finer[] = {8.0, 32.0};
  double error = 0.0;
  int leans = 0;
  for (int k = 0; k < 3 && (k == 0 || result->verdict == ZOO_RIGHT); k++) {
    if (k == 2 && !leans) {
      break;
    }
    step_again(c, first[k] * c->least_steps, 1.0, tol, limits, result);
    leans |= result->leans;
    result->error = error = fmax(result->error, error);
  }
  for (int k = 0; k < 2 && result->verdict == ZOO_LIE; k++) {
    zoo_result shorter;
    step_again(c, finer[k] * c->least_steps, 2.0, tol, limits, &shorter);
    if (shorter.verdict == ZOO_RIGHT) {
      *result = shorter;
    }
  }
}
