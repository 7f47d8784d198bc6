/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "stepper/count_solutions.h"

#include "contact/enumerate/enumerate.h"

enum { MOST_NODES = 1000000 }; /* mode patterns of a step: some seconds; beyond them it is not counted */

struct nsd_count {
  nsd_census census;
};

nsdyn_status nsd_count_prepare(nsdyn_stepper *s, const nsdyn_stepper_options *options)
{
  if (!options->count || s->count) {
    return NSDYN_OK;
  }
  s->count = nsd_allocate(s->ctx, 1, sizeof *s->count);
  if (!s->count) {
    return NSDYN_ERR_NOMEM;
  }
  nsd_census_init(&s->count->census, s->ctx);
  return NSDYN_OK;
}

void nsd_count_release(nsdyn_stepper *s)
{
  if (s->count) {
    nsd_census_release(&s->count->census);
    nsd_release(s->ctx, s->count, 1, sizeof *s->count);
    s->count = NULL;
  }
}

nsdyn_status nsd_count_solutions(nsdyn_stepper *s)
{
  if (s->scene.closed.rows == 0) {
    s->solutions = s->motions = 1;
    return NSDYN_OK;
  }
  const nsd_contact_data data = nsd_scene_data(&s->scene);
  if (data.is_spatial) {
    return NSDYN_OK; /* not counted: lists are for contacts in the plane */
  }
  const nsd_census_options options = {.tol = s->options.tol, .max_nodes = MOST_NODES};
  nsdyn_contact_census found;
  nsdyn_contact_census_init(&found, sizeof found);
  nsdyn_status status = nsd_census_reserve(&s->count->census, &data);
  status = status ? status : nsd_census_all(&s->count->census, &data, &options, NULL, NULL, &found);
  if (status < 0 || status == NSDYN_CANCELLED) {
    return nsd_fault_set(&s->fault, status, NSDYN_DETAIL_NONE, -1,
                         "counting the solutions of %d contacts: %s", s->scene.closed.count,
                         nsdyn_status_text(status));
  }
  if (status == NSDYN_OK && found.complete) {
    /* −1: a piece with more than one point has infinitely many solutions. */
    s->solutions = found.bounded_pieces + found.unbounded_pieces ? -1 : found.points;
    s->motions = found.motions;
  }
  return NSDYN_OK;
}
