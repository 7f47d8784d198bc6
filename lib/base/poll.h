/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Progress by work done: the context is asked about once a millisecond, whatever a loop's size is. */
#ifndef NSD_BASE_POLL_H
#define NSD_BASE_POLL_H

#include "base/context.h"

#define NSD_POLL_WORK                                                                                        \
  5e5 /* multiplications between two questions: a fifth of a millisecond, or where                           \
         memory is slow or new some of them */

/* What an element of a long array is worth, in multiplications: read in its turn, or from anywhere, which
 * waits for memory. */
#define NSD_POLL_READ 4.0
#define NSD_POLL_FETCH 24.0

typedef struct nsd_poll {
  const nsdyn_context *ctx;
  const char *activity;
  double work; /* since the last question */
  double done; /* share of the work; negative: not known */
  int is_cancelled;
  int goes_on; /* whatever the answer: the caller is told of progress and cannot stop it */
} nsd_poll;

static inline nsd_poll nsd_poll_of(const nsdyn_context *ctx, const char *activity)
{
  return (nsd_poll){.ctx = ctx, .activity = activity, .done = -1.0};
}

/* For the last look at what a cancel has left: it goes on to its end. */
static inline nsd_poll nsd_poll_to_end(const nsdyn_context *ctx, const char *activity)
{
  return (nsd_poll){.ctx = ctx, .activity = activity, .done = -1.0, .goes_on = 1};
}

/* After so many multiplications more: whether the caller wants to stop. Without a poll (NULL) never. */
static inline int nsd_poll_stops(nsd_poll *w, double work)
{
  if (!w) {
    return 0;
  }
  w->work += work;
  if (w->work >= NSD_POLL_WORK && !w->is_cancelled) {
    w->work = 0.0;
    w->is_cancelled = nsd_progress(w->ctx, w->activity, w->done) != NSDYN_OK && !w->goes_on;
  }
  return w->is_cancelled;
}

/* For what goes on to its end whatever the answer, as a judge does: asks on, after a stop too. */
static inline void nsd_poll_tells(nsd_poll *w, double work)
{
  if (w && nsd_poll_stops(w, work) && w->work >= NSD_POLL_WORK) {
    w->work = 0.0;
    (void)nsd_progress(w->ctx, w->activity, w->done);
  }
}

#endif
