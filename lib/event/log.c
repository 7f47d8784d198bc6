/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Records of events: a ring of the newest. */
#include "event/internal.h"

#include <math.h>

nsdyn_status nsdyn_event_init(nsdyn_event *event, size_t size)
{
  return nsd_sized_init(event, size, NSD_EVENT_LEAST, NULL, sizeof *event);
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
  return &d->records.record[(d->records.first + k) % d->records.room];
}

/* The ring with room for `room` records, with those it has. */
static nsdyn_status enlarge(nsdyn_event_driver *d, int64_t room)
{
  nsdyn_event *log = nsd_allocate(d->ctx, (size_t)room, sizeof *log);
  if (!log) {
    return nsd_fault_set(&d->fault, NSDYN_ERR_NOMEM, NSDYN_DETAIL_NONE, -1,
                         "no memory for the log of events");
  }
  for (int64_t k = 0; k < d->records.count; k++) {
    log[k] = *record(d, k);
  }
  nsd_release(d->ctx, d->records.record, (size_t)d->records.room, sizeof *log);
  d->records.record = log;
  d->records.room = room;
  d->records.first = 0;
  return NSDYN_OK;
}

nsdyn_status nsd_log_reserve(nsdyn_event_driver *d, int records)
{
  const int64_t keep = d->options.keep_events;
  const int64_t waiting = d->records.count - d->records.told; /* for the observer */
  int64_t most = d->records.count + records;
  if (keep >= 0) {
    const int64_t needed = waiting + records > keep ? waiting + records : keep;
    most = most < needed ? most : needed;
  }
  if (most <= d->records.room) {
    return NSDYN_OK;
  }
  return enlarge(d, most < 2 * d->records.room ? 2 * d->records.room : most < 32 ? 32 : most);
}

/* Drops the oldest records that are seen and not to be kept. */
static void trim(nsdyn_event_driver *d)
{
  const int64_t keep = d->options.keep_events;
  while (keep >= 0 && d->records.count > keep && d->records.told > 0) {
    d->records.first = (d->records.first + 1) % d->records.room;
    d->report.dropped++;
    d->records.count--;
    d->records.told--;
  }
}

/* Records whose times cannot be told apart belong together. */
static int64_t group_of(nsdyn_event_driver *d, const nsdyn_event *event)
{
  if (d->records.group < 0 || fabs(event->t - d->records.t) > event->t_bound + d->records.bound) {
    d->records.group++;
  }
  d->records.t = event->t;
  d->records.bound = event->t_bound;
  return d->records.group;
}

void nsd_log_add(nsdyn_event_driver *d, const nsdyn_event *event)
{
  trim(d);
  nsdyn_event *own = record(d, d->records.count);
  *own = *event;
  own->group = group_of(d, event);
  d->records.count++;
  d->report.events++;
}

nsdyn_status nsd_log_tell(nsdyn_event_driver *d)
{
  nsdyn_status status = NSDYN_OK;
  while (d->records.told < d->records.count) {
    /* The last of its instant: the state is that after all of them. */
    nsdyn_event *own = record(d, d->records.told++);
    own->last = d->records.told == d->records.count || record(d, d->records.told)->group != own->group;
    const nsdyn_event event = *own;
    if (d->options.observe && d->options.observe(d->options.user, d, &event)) {
      status = NSDYN_STOPPED;
    }
  }
  trim(d);
  return status;
}

void nsd_log_clear(nsdyn_event_driver *d)
{
  d->records.count = d->records.first = d->records.told = 0;
}

int64_t nsdyn_event_driver_events(const nsdyn_event_driver *driver)
{
  return driver ? driver->records.count : 0;
}

nsdyn_status nsdyn_event_driver_event(const nsdyn_event_driver *driver, int64_t k, nsdyn_event *event)
{
  if (!driver || k < 0 || k >= driver->records.count) {
    return NSDYN_ERR_ARGUMENT;
  }
  return nsd_sized_write(event, NSD_EVENT_LEAST, record(driver, k), sizeof(nsdyn_event));
}
