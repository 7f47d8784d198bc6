/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Contacts and report, put together when asked for. */
#include "contact/planar/states.h"
#include "event/internal.h"

nsdyn_status nsdyn_event_report_init(nsdyn_event_report *report, size_t size)
{
  return nsd_sized_init(report, size, NSD_EVENT_REPORT_LEAST, NULL, sizeof *report);
}

nsdyn_status nsdyn_event_driver_report(const nsdyn_event_driver *driver, nsdyn_event_report *report)
{
  if (!driver) {
    return NSDYN_ERR_ARGUMENT;
  }
  /* Counts of instants are kept as they happen; those of the integrator are its own. */
  nsdyn_event_report own = driver->report;
  own.stiff = driver->phase.dopri.stiff;
  own.rejected = driver->phase.dopri.rejected;
  own.evaluations = driver->phase.dopri.evaluations;
  own.t = driver->t;
  own.dt = driver->run.last_dt;
  return nsd_sized_write(report, NSD_EVENT_REPORT_LEAST, &own, sizeof own);
}

int32_t nsdyn_event_driver_active(const nsdyn_event_driver *driver)
{
  return driver && driver->settled ? driver->phase.motion.scene.closed.count : 0;
}

/* What has no friction, by its law or as its curve is zero, may have begun to slide unnoticed. What others
 * hold is given none, and rests. */
static int32_t mode_now(const nsdyn_event_driver *d, int k)
{
  const nsd_closed *c = &d->phase.motion.scene.closed.contact[k];
  const double *gamma = d->phase.motion.scene.problem.gamma + c->row;
  const double gamma_T = c->rows == 3 ? nsd_closed_speed(c, gamma + 1) : c->rows == 2 ? gamma[1] : 0.0;
  if (nsd_contact_has_friction(&d->phase.motion.scene.problem.spec[k]) || d->phase.motion.idle[k] ||
      gamma_T == 0.0) {
    return c->mode;
  }
  /* No force tells that it slides: the sign of γ_T does. */
  if (c->rows == 3) {
    return NSDYN_MODE_SLIP;
  }
  return gamma_T > 0.0 ? NSDYN_MODE_SLIP_PLUS : NSDYN_MODE_SLIP_MINUS;
}

static void fill_closed(const nsdyn_event_driver *d, int k, nsdyn_contact_state *own)
{
  const nsd_scene *scene = &d->phase.motion.scene;
  const nsd_closed *c = &scene->closed.contact[k];
  own->key = c->key;
  own->index = c->index;
  own->active = 1;
  own->mode = mode_now(d, k);
  own->rows = c->rows;
  own->gap = c->gap;
  own->mu = scene->problem.spec[k].mu;
  /* Forces Λ, and γ = W u + ŵ; outside an instant nothing jumps, so before = after. */
  for (int r = 0; r < c->rows; r++) {
    own->force[r] = scene->solution.Lambda[c->row + r];
    own->before[r] = own->after[r] = scene->problem.gamma[c->row + r];
  }
}

nsdyn_status nsdyn_event_driver_active_contact(const nsdyn_event_driver *driver, int32_t k,
                                               nsdyn_contact_state *state)
{
  if (k < 0 || k >= nsdyn_event_driver_active(driver)) {
    return NSDYN_ERR_ARGUMENT;
  }
  nsdyn_contact_state own = {.size = sizeof own};
  fill_closed(driver, k, &own);
  return nsd_sized_write(state, NSD_CONTACT_STATE_LEAST, &own, sizeof own);
}

nsdyn_status nsdyn_event_driver_found_contact(const nsdyn_event_driver *driver, int64_t key,
                                              nsdyn_contact_state *state)
{
  if (!driver) {
    return NSDYN_ERR_ARGUMENT;
  }
  nsdyn_contact_state own = {.size = sizeof own, .key = key, .index = -1};
  const nsd_scene_closed *closed = &driver->phase.motion.scene.closed;
  const int active = nsdyn_event_driver_active(driver);
  /* Where the phase has it; an instant since then may have closed others. */
  int64_t at = nsd_keys_find(&driver->phase.apart, key);
  if (at < 0 || at >= active || closed->contact[at].index >= 0 || closed->contact[at].key != key) {
    for (at = 0; at < active && (closed->contact[at].index >= 0 || closed->contact[at].key != key); at++) {
    }
  }
  if (at < active) {
    fill_closed(driver, (int)at, &own);
  }
  return nsd_sized_write(state, NSD_CONTACT_STATE_LEAST, &own, sizeof own);
}

nsdyn_status nsdyn_event_driver_constraint(const nsdyn_event_driver *driver, int32_t i,
                                           nsdyn_constraint_state *state)
{
  if (!driver || i < 0 || i >= driver->sys->def.nconstraints) {
    return NSDYN_ERR_ARGUMENT;
  }
  nsdyn_constraint_state own = {.size = sizeof own, .index = i};
  /* Rows of constraints follow those of contacts. Before a driver has settled nothing was computed. */
  if (driver->settled) {
    const nsd_scene *scene = &driver->phase.motion.scene;
    const int row = scene->closed.contact_rows + i;
    own.gap = scene->directions.g_b[i];
    own.velocity = scene->problem.gamma[row];
    own.force = scene->solution.Lambda[row];
  }
  return nsd_sized_write(state, NSD_CONSTRAINT_STATE_LEAST, &own, sizeof own);
}

nsdyn_status nsdyn_event_driver_contact(const nsdyn_event_driver *driver, int32_t i,
                                        nsdyn_contact_state *state)
{
  if (!driver || i < 0 || i >= driver->sys->def.ncontacts) {
    return NSDYN_ERR_ARGUMENT;
  }
  /* While an observer runs the gap is that of its time, else the one that was followed to the last step's
   * end. */
  const double gap =
      driver->run.at_output ? driver->phase.motion.scene.closed.g[i] : driver->tracks.track[i].gap;
  nsdyn_contact_state own = {.size = sizeof own, .key = i, .index = i, .gap = gap};
  for (int k = 0; k < nsdyn_event_driver_active(driver); k++) {
    if (driver->phase.motion.scene.closed.contact[k].index == i) {
      fill_closed(driver, k, &own);
    }
  }
  return nsd_sized_write(state, NSD_CONTACT_STATE_LEAST, &own, sizeof own);
}
