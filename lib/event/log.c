/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Records of events: a ring of the newest. */
#include "event/run.h"

#include <math.h>

nsdyn_status nsdyn_event_init(nsdyn_event *event, size_t size)
{
  const nsdyn_event nothing = {.size = sizeof nothing};
  return nsd_sized_init(event, size, NSD_EVENT_LEAST, &nothing, sizeof nothing);
}

const char *nsdyn_event_name(int32_t kind)
{
  static const char *const names[] = {"unknown",   "impact",  "close",   "open", "stick",
                                      "slip",      "reverse", "side",    "zeno", "painleve",
                                      "ambiguous", "section", "handover"};
  const int32_t count = (int32_t)(sizeof names / sizeof *names);
  return names[kind > 0 && kind < count ? kind : 0];
}

static nsdyn_event *record(const nsdyn_event_driver *d, int64_t k)
{
  return &d->log[(d->log_first + k) % d->log_room];
}

/* The ring with room for `room` records, with those it has. */
static nsdyn_status enlarge(nsdyn_event_driver *d, int64_t room)
{
  nsdyn_event *log = nsd_allocate(d->ctx, (size_t)room, sizeof *log);
  if (!log) {
    return nsd_fault_set(&d->fault, NSDYN_ERR_NOMEM, NSDYN_DETAIL_NONE, -1,
                         "no memory for the log of events");
  }
  for (int64_t k = 0; k < d->log_count; k++) {
    log[k] = *record(d, k);
  }
  nsd_release(d->ctx, d->log, (size_t)d->log_room, sizeof *log);
  d->log = log;
  d->log_room = room;
  d->log_first = 0;
  return NSDYN_OK;
}

nsdyn_status nsd_log_reserve(nsdyn_event_driver *d, int records)
{
  const int64_t keep = d->options.keep_events;
  const int64_t waiting = d->log_count - d->log_told; /* for the observer */
  int64_t most = d->log_count + records;
  if (keep >= 0) {
    const int64_t needed = waiting + records > keep ? waiting + records : keep;
    most = most < needed ? most : needed;
  }
  if (most <= d->log_room) {
    return NSDYN_OK;
  }
  return enlarge(d, most < 2 * d->log_room ? 2 * d->log_room : most < 32 ? 32 : most);
}

/* Drops the oldest records that are seen and not to be kept. */
static void trim(nsdyn_event_driver *d)
{
  const int64_t keep = d->options.keep_events;
  while (keep >= 0 && d->log_count > keep && d->log_told > 0) {
    d->log_first = (d->log_first + 1) % d->log_room;
    d->report.dropped++;
    d->log_count--;
    d->log_told--;
  }
}

/* Records whose times cannot be told apart belong together. */
static int64_t group_of(nsdyn_event_driver *d, const nsdyn_event *event)
{
  if (d->group < 0 || fabs(event->t - d->group_t) > event->t_bound + d->group_bound) {
    d->group++;
  }
  d->group_t = event->t;
  d->group_bound = event->t_bound;
  return d->group;
}

void nsd_log_add(nsdyn_event_driver *d, const nsdyn_event *event)
{
  trim(d);
  nsdyn_event *own = record(d, d->log_count);
  *own = *event;
  own->group = group_of(d, event);
  d->log_count++;
  d->report.events++;
}

nsdyn_status nsd_log_tell(nsdyn_event_driver *d)
{
  nsdyn_status status = NSDYN_OK;
  if (d->log_told < d->log_count) { /* the state is that after all of them */
    record(d, d->log_count - 1)->last = 1;
  }
  while (d->log_told < d->log_count) {
    const nsdyn_event event = *record(d, d->log_told++);
    if (d->options.observe && d->options.observe(d->options.user, d, &event)) {
      status = NSDYN_STOPPED;
    }
  }
  trim(d);
  return status;
}

void nsd_log_clear(nsdyn_event_driver *d)
{
  d->log_count = d->log_first = d->log_told = 0;
}

int64_t nsdyn_event_driver_events(const nsdyn_event_driver *driver)
{
  return driver ? driver->log_count : 0;
}

nsdyn_status nsdyn_event_driver_event(const nsdyn_event_driver *driver, int64_t k, nsdyn_event *event)
{
  if (!driver || k < 0 || k >= driver->log_count) {
    return NSDYN_ERR_ARGUMENT;
  }
  return nsd_sized_write(event, NSD_EVENT_LEAST, record(driver, k), sizeof(nsdyn_event));
}
