/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Contacts that the projection lifts.
 *
 * Gaps are curved, so that a step δ of Newton's method lifts what was deep too far, by ½ g'' δ². What pressed
 * in the step has to come back, or it would hop; it is closed as long as its gap is zero to rounding.
 *
 * What did not press, and is deep where the step ended, has landed there: its impact is the next step's
 * business. A scheme that takes its contacts at the beginning sees it then and there, and by its gap alone:
 * it would not find what is above the surface by however little, the body would go on through the surface, be
 * lifted once more at the end of that step, and keep its velocity for ever. So what has landed is left with a
 * gap that is not positive, −noise <= g <= 0, as it would be were its gap linear; and what it pays for its
 * lift (drift/pay_lift.h) is the work of forces on the way to the surface, no more and no less.
 *
 * A scheme that takes its contacts later may find the surface curved away from it by then. What has landed so
 * slowly that it is open there would fall, be lifted, pay all that it has got, and so on: a normal force
 * without friction. So the next step has to see what has landed, wherever it is (NSD_PAST_LANDED). */
#ifndef NSD_STEPPER_DRIFT_LIFTED_H
#define NSD_STEPPER_DRIFT_LIFTED_H

#include "stepper/drift/keep_closed.h"
#include "stepper/drift/projection.h"

/* The mode of a contact of the projection's scene in the step: open where it has landed only now. */
static inline int32_t nsd_lifted_mode(const nsd_projection *p, const nsd_closed *c)
{
  const int32_t trace = nsd_history_trace(&p->pressed, c);
  return trace < 0 || (trace & NSD_LANDED) ? NSDYN_MODE_OPEN : nsd_trace_mode(trace);
}

/* Whether δ came from it: its gap is to be zero from either side. */
static inline int nsd_lifted_is(const nsd_projection *p, const nsd_closed *c)
{
  const int32_t trace = nsd_history_trace(&p->pressed, c);
  return trace >= 0 && (trace & NSD_LIFTED);
}

/* By how much a contact's gap is not what it should be, where more than `noise` counts: below zero; where δ
 * came from it, not zero; where it has landed, not from −noise to 0. */
double nsd_lifted_missed(const nsd_projection *p, const nsd_closed *c, double noise);

/* What was pressed in the step and leaves is as open as what did not press: no correction of velocities gives
 * back to it what it has got, and it pays for a lift. */
void nsd_lifted_release(const nsdyn_stepper *s, nsd_history *pressed);

/* None has been lifted. */
void nsd_lifted_clear(nsd_projection *p);

/* Marks those that δ came from, p->Lambda > 0, in the history of what pressed; of the others the split is
 * told. NSDYN_ERR_NOMEM. */
nsdyn_status nsd_lifted_mark(nsdyn_stepper *s);

/* How many have landed that the next step may not see by their gaps. */
static inline int nsd_lifted_landed(const nsdyn_stepper *s)
{
  return nsd_keep_closed_is_shown(s) ? 0 : s->projection->landed;
}

/* Adds them to what the next step remembers; room has been reserved. */
void nsd_lifted_keep(nsdyn_stepper *s);

/* No gap has to be zero from either side any more: not all of them may be able to, as where what held a body
 * hands it over to another contact, which lifts it off the first one. Returns whether any had to. */
int nsd_lifted_forget(nsd_projection *p);

#endif
