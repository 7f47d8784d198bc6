/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Every object of the library that takes memory. tests/alloc/coverage.py compares the calls named here
 * with the headers and with what the library's machine code can reach. */
#include "harness.h"

static nsdyn_status make_context(const nsdyn_context_def *def, nsdyn_context *ctx, void **object)
{
  (void)ctx;
  nsdyn_context *made = *object;
  const nsdyn_status status = nsdyn_context_new(def, &made, NULL);
  *object = made;
  return status;
}

static void drop_context(void *object)
{
  nsdyn_context_free(object);
}

static const scenario context = {
    .name = "context", .calls = "nsdyn_context_new", .make = make_context, .drop = drop_context};

const scenario *const scenarios[] = {&context,
                                     &contact_solves,
                                     &contact_in_space,
                                     &contact_by_operator,
                                     &contact_in_space_further,
                                     &contact_contradicts,
                                     &contact_enumerates,
                                     &contact_impacts,
                                     &event_runs,
                                     &event_stops,
                                     &event_in_space,
                                     &event_stops_in_space,
                                     &shape_new,
                                     &detector_searches,
                                     &bodies_move,
                                     &lcp_solves,
                                     &lcp_enumerates,
                                     &lcp_classifies,
                                     &lcp_sparse,
                                     &tree_grows,
                                     &tree_keeps_state,
                                     &tree_read,
                                     &tree_solids,
                                     &tree_of_urdf,
                                     &tree_system,
                                     &stepper_steps,
                                     &stepper_in_space,
                                     &system_new,
                                     &study_finds,
                                     &world_moves,
                                     NULL};
