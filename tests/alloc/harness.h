/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Failing allocations, for every k: what each object that allocates must stand.
 *
 * An object is told of by a scenario: how it is made, used and dropped. Its uses come in stages, each
 * larger than the one before, so that the object grows. The harness shows, for the k-th allocation
 * failing once, and for all from the k-th on failing:
 *
 * - the call returns NSDYN_ERR_NOMEM, hands nothing out, and leaks nothing;
 * - an object that could not grow still does what it did before, without memory;
 * - with memory again, the same call works;
 * - a stage that was seen before allocates nothing;
 * - memory goes back with the size it was asked with, nothing is written behind it. */
#ifndef TESTS_ALLOC_HARNESS_H
#define TESTS_ALLOC_HARNESS_H

#include "nsdyn/nsdyn.h"

typedef struct scenario {
  const char *name;
  const char *calls; /* the public functions in it that may allocate, with a blank between two */
  int stages;        /* of use; 0 for an object that allocates only when it is made */
  /* Makes the object in `ctx`; `def` is the table that ctx was made from. */
  nsdyn_status (*make)(const nsdyn_context_def *def, nsdyn_context *ctx, void **object);
  /* Has the object do all it can at this stage; NSDYN_OK only where its answers are right. Where a call
   * fails it returns that status at once; a wrong answer is WRONG_ANSWER. */
  nsdyn_status (*use)(void *object, int stage);
  void (*drop)(void *object);
} scenario;

#define WRONG_ANSWER ((nsdyn_status)1000000)

/* Runs one scenario. NULL where all is well, else what is wrong (valid until the next call). Each allocation
 * fails; each `every`-th of these failures in use is followed by all that the object must still be able to
 * do. */
const char *harness_run(const scenario *s, int every);

/* The objects of the library, ended by NULL. */
extern const scenario *const scenarios[];

extern const scenario contact_solves, contact_in_space, contact_by_operator, contact_in_space_further,
    contact_contradicts, contact_enumerates, contact_impacts;                 /* contact.c */
extern const scenario event_runs;                                             /* event.c */
extern const scenario event_in_space;                                         /* event_space.c */
extern const scenario event_stops, event_stops_in_space;                      /* event_rod.c */
extern const scenario shape_new, detector_searches, bodies_move;              /* geometry.c */
extern const scenario world_moves;                                            /* world.c */
extern const scenario lcp_solves, lcp_enumerates, lcp_classifies, lcp_sparse; /* lcp.c */

extern const scenario tree_grows, tree_keeps_state, tree_read, tree_of_urdf, tree_solids,
    tree_system;                                                   /* multibody.c */
extern const scenario stepper_steps, stepper_in_space, system_new; /* stepper.c */
extern const scenario study_finds;                                 /* study.c */

#endif
