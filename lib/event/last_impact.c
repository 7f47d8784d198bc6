/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The last impact, as its solver left it, who took part, and the energy. */
#include <math.h>

#include "event/internal.h"

nsdyn_status nsd_last_impact_note(const nsdyn_event_driver *d, nsd_last_impact *last_impact, nsd_fault *fault)
{
  const nsd_scene *scene = &d->phase.motion.scene;
  /* The impact goes by the scene's order of contacts, which may be another when it is asked for: keys are
   * kept beside it. */
  if (scene->closed.count > last_impact->room) {
    const size_t room = (size_t)scene->closed.count + (size_t)scene->closed.count / 2;
    nsd_struck *grown = nsd_allocate(d->ctx, room, sizeof *grown);
    if (!grown) {
      return nsd_fault_set(fault, NSDYN_ERR_NOMEM, NSDYN_DETAIL_NONE, -1,
                           "no memory for an impact of %d contacts", scene->closed.count);
    }
    nsd_release(d->ctx, last_impact->struck, (size_t)last_impact->room, sizeof *last_impact->struck);
    last_impact->struck = grown;
    last_impact->room = (int)room;
  }
  for (int k = 0; k < scene->closed.count; k++) {
    last_impact->struck[k] =
        (nsd_struck){.key = scene->closed.contact[k].key, .index = scene->closed.contact[k].index};
  }
  last_impact->count = scene->closed.count;
  last_impact->is_there = 1;
  return NSDYN_OK;
}

nsdyn_status nsdyn_event_driver_impact_report(const nsdyn_event_driver *driver, nsdyn_impact_report *report)
{
  if (!driver) {
    return NSDYN_ERR_ARGUMENT;
  }
  if (driver->last_impact.is_there) {
    return nsdyn_contact_impact_report(driver->instant.contact, report);
  }
  const nsdyn_impact_report own = {.size = sizeof own, .law = driver->options.impact, .worst_row = -1};
  return nsd_sized_write(report, NSD_IMPACT_REPORT_LEAST, &own, sizeof own);
}

nsdyn_status nsdyn_event_driver_impact_half(const nsdyn_event_driver *driver, int32_t kind,
                                            nsdyn_impact_half *half)
{
  if (!driver || kind < NSDYN_IMPACT_COMPRESSION || kind > NSDYN_IMPACT_EXPANSION) {
    return NSDYN_ERR_ARGUMENT;
  }
  if (driver->last_impact.is_there) {
    return nsdyn_contact_impact_half(driver->instant.contact, kind, half);
  }
  const nsdyn_impact_half own = {.size = sizeof own, .worst_row = -1};
  return nsd_sized_write(half, NSD_IMPACT_HALF_LEAST, &own, sizeof own);
}

nsdyn_status nsdyn_event_driver_impact_contact(const nsdyn_event_driver *driver, int32_t i, int32_t *contact,
                                               int64_t *key)
{
  if (!driver || !driver->last_impact.is_there || i < 0 || i >= driver->last_impact.count) {
    return NSDYN_ERR_ARGUMENT;
  }
  if (contact) {
    *contact = driver->last_impact.struck[i].index;
  }
  if (key) {
    *key = driver->last_impact.struck[i].key;
  }
  return NSDYN_OK;
}

/* ---- energy -------------------------------------------------------------------------------------------- */

nsdyn_status nsdyn_event_energy_init(nsdyn_event_energy *energy, size_t size)
{
  return nsd_sized_init(energy, size, NSD_EVENT_ENERGY_LEAST, NULL, sizeof *energy);
}

nsdyn_status nsdyn_event_driver_energy(nsdyn_event_driver *d, nsdyn_event_energy *energy)
{
  if (!d || !energy) {
    return NSDYN_ERR_ARGUMENT;
  }
  if (d->busy) {
    return NSDYN_ERR_BUSY;
  }
  const nsdyn_system_def *def = &d->sys->def;
  const size_t nu = (size_t)def->nu;
  nsdyn_event_energy own = {.size = sizeof own, .impacts = d->last_impact.energy};
  nsd_fault_clear(&d->fault);
  nsdyn_status status = nsd_make_energy_mass(def, d->ctx, &d->energy_mass, &d->fault);
  if (status) {
    return status;
  }
  /* T = ½ uᵀ M u at the state, beside the energy that impacts have taken since it was set. */
  own.known = nu == 0 || def->mass || def->kinetic;
  if (own.known && nu) {
    d->busy = NSD_EVENT_RUNNING;
    status = nsd_call_energies(def, d->t, d->q, 1, (const double *const[]){d->u}, d->energy_mass,
                               &own.kinetic, &d->fault);
    d->busy = NSD_EVENT_IDLE;
  }
  if (!status && !isfinite(own.kinetic + own.impacts)) {
    status = nsd_fault_set(&d->fault, NSDYN_ERR_NOT_FINITE, NSDYN_DETAIL_NONE, -1,
                           "the energy's numbers are too large");
  }
  return status ? status
                : nsd_sized_tell(energy, NSD_EVENT_ENERGY_LEAST, &own, sizeof own, "nsdyn_event_energy",
                                 &d->fault);
}
