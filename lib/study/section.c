/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The motion from one point of the section to the next. */
#include <math.h>

#include "base/number.h"
#include "event/internal.h"
#include "study/object.h"

#define IGNORE_SHARE 0x1p-10 /* of a return, after the driver was put on the section anew */
#define LONGEST 1e100        /* time after which waiting ends */

int nsd_cycle_section(void *user, double t, const double *q, const double *u, double *value)
{
  nsdyn_cycle *c = user;
  return c->section(c->section_user, t, q, u, value);
}

static int is_meant(const nsdyn_cycle *c, const nsdyn_event *event)
{
  const nsdyn_cycle_options *o = &c->options;
  /* What happens right after the driver was put on the section is the crossing it was put on. */
  if (event->kind != o->kind || event->t < c->ignore_until) {
    return 0;
  }
  /* A contact known in advance, a found one by its key, or any. */
  if (o->contact >= 0) {
    return event->contact == o->contact;
  }
  return !o->found || (event->contact < 0 && event->key == o->key);
}

/* Between this event and the last one nothing happened. */
static void end_phase(nsdyn_cycle *c, double t)
{
  /* The longest phase without events so far: in its middle the map is taken. */
  if (t - c->last_event > c->calm_length) {
    c->calm_from = c->last_event;
    c->calm_passed = c->passed;
    c->calm_length = t - c->last_event;
  }
  c->last_event = fmax(c->last_event, t);
}

int nsd_cycle_observe(void *user, const nsdyn_event_driver *driver, const nsdyn_event *event)
{
  nsdyn_cycle *c = user;
  (void)driver;
  end_phase(c, event->t);
  c->crossed |= c->listening && is_meant(c, event);
  c->paused |= c->pausing;
  return c->crossed || c->pausing;
}

void nsd_cycle_begin_phases(nsdyn_cycle *c)
{
  c->last_event = c->calm_from = nsdyn_event_driver_time(c->driver);
  c->calm_length = 0.0;
  c->passed = c->calm_passed = 0;
}

void nsd_cycle_choose_base(nsdyn_cycle *c, double begin)
{
  /* So long after `begin`, and so many returns behind it. */
  c->delay = c->calm_from + 0.5 * c->calm_length - begin;
  c->behind = c->calm_passed;
}

static nsdyn_status no_return(nsdyn_cycle *c, double begin)
{
  char text[2][NSD_NUMBER_LENGTH];
  return nsd_fault_set(&c->fault, NSDYN_MAX_ITERATIONS, NSDYN_DETAIL_NONE, -1,
                       "no %s comes from t = %s to t = %s: the section is not reached",
                       nsdyn_event_name(c->options.kind), nsd_number_text(begin, text[0]),
                       nsd_number_text(nsdyn_event_driver_time(c->driver), text[1]));
}

nsdyn_status nsd_cycle_ambiguous(nsdyn_cycle *c)
{
  char t[NSD_NUMBER_LENGTH];
  return nsd_fault_set(&c->fault, NSDYN_STOPPED, NSDYN_DETAIL_NONE, -1,
                       "the motion has several continuations at t = %s (the driver's option ambiguous)",
                       nsd_number_text(nsdyn_event_driver_time(c->driver), t));
}

static nsdyn_status refuse_steps(nsdyn_cycle *c)
{
  char t[NSD_NUMBER_LENGTH];
  return nsd_fault_set(&c->driver->fault, NSDYN_MAX_ITERATIONS, NSDYN_DETAIL_NONE, -1,
                       "max_steps integrator steps have led to t = %s only, and not to the section",
                       nsd_number_text(nsdyn_event_driver_time(c->driver), t));
}

/* Until the section is crossed, or max_time is over. Where it is infinite, what comes is not known, and the
 * driver gets ever longer stretches: a step from rest is as long as it is allowed to be. */
static nsdyn_status listen(nsdyn_cycle *c, double begin)
{
  const nsdyn_event_driver *d = c->driver;
  /* Each stretch is twice as long as the one before. */
  const int64_t most = d->options.max_steps, steps = d->report.steps;
  const int is_bounded = isfinite(c->options.max_time);
  double span = is_bounded ? c->options.max_time : isfinite(c->options.forcing) ? c->options.forcing : 1.0;
  nsdyn_status status = nsdyn_event_driver_advance(c->driver, begin + span);
  while (!status && !is_bounded && span < LONGEST) {
    if (most >= 0 && d->report.steps - steps >= most) {
      return refuse_steps(c);
    }
    span *= 2.0;
    status = nsdyn_event_driver_advance(c->driver, begin + span);
  }
  return status;
}

/* The next crossing. */
static nsdyn_status cross(nsdyn_cycle *c)
{
  const double begin = nsdyn_event_driver_time(c->driver);
  /* nsd_cycle_observe() ends the advance where the section is crossed. */
  c->listening = 1;
  c->crossed = 0;
  const nsdyn_status status = listen(c, begin);
  c->listening = 0;
  const int crossed = c->crossed;
  c->crossed = 0;
  /* Stopped by something else, or by nothing within max_time. */
  if (status && status != NSDYN_STOPPED) {
    return nsd_cycle_blame_driver(c, status);
  }
  if (!crossed) {
    return status ? nsd_cycle_ambiguous(c) : no_return(c, begin);
  }
  c->ignore_until = -INFINITY;
  c->report.returns++;
  c->passed++;
  c->lasted = nsdyn_event_driver_time(c->driver) - begin;
  return NSDYN_OK;
}

nsdyn_status nsd_cycle_cross(nsdyn_cycle *c, int returns)
{
  nsdyn_status status = NSDYN_OK;
  nsd_log_clear(&c->driver->records);
  c->stands = 0;
  for (int i = 0; i < returns && !status; i++) {
    status = cross(c);
  }
  return status;
}

nsdyn_status nsd_cycle_wait(nsdyn_cycle *c, double duration)
{
  c->stands = 0;
  const nsdyn_status status =
      nsdyn_event_driver_advance(c->driver, nsdyn_event_driver_time(c->driver) + duration);
  return status == NSDYN_STOPPED ? nsd_cycle_ambiguous(c)
         : status                ? nsd_cycle_blame_driver(c, status)
                                 : NSDYN_OK;
}

void nsd_cycle_ignore_crossings(nsdyn_cycle *c)
{
  c->ignore_until = c->here.y[0] + IGNORE_SHARE * c->lasted;
}

nsdyn_status nsd_cycle_enter(nsdyn_cycle *c)
{
  if (c->stands) {
    return NSDYN_OK;
  }
  nsdyn_status status;
  /* From the state that was set, or from the section with what the driver knew there. */
  const double *y = c->place == NSD_PLACE_STATE ? c->guess : c->here.y;
  c->ignore_until = -INFINITY;
  if (c->place == NSD_PLACE_STATE) {
    status = nsdyn_event_driver_set_state(c->driver, y[0], y + 1, y + 1 + c->nq);
  } else {
    status = nsd_driver_resume(c->driver, &c->here.snapshot, y[0], y + 1);
    nsd_cycle_ignore_crossings(c);
  }
  return status ? nsd_cycle_blame_driver(c, status) : NSDYN_OK;
}
