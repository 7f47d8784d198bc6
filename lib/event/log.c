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

static nsdyn_event *record(const nsd_records *records, int64_t k)
{
  return &records->record[(records->first + k) % records->room];
}

/* The ring with room for `room` records, with those it has. */
static nsdyn_status enlarge(const nsdyn_event_driver *d, nsd_records *records, nsd_fault *fault, int64_t room)
{
  nsdyn_event *log = nsd_allocate(d->ctx, (size_t)room, sizeof *log);
  if (!log) {
    return nsd_fault_set(fault, NSDYN_ERR_NOMEM, NSDYN_DETAIL_NONE, -1, "no memory for the log of events");
  }
  for (int64_t k = 0; k < records->count; k++) {
    log[k] = *record(records, k);
  }
  nsd_release(d->ctx, records->record, (size_t)records->room, sizeof *log);
  records->record = log;
  records->room = room;
  records->first = 0;
  return NSDYN_OK;
}

nsdyn_status nsd_log_reserve(const nsdyn_event_driver *d, nsd_records *records, nsd_fault *fault, int more)
{
  const int64_t keep = d->options.keep_events;
  const int64_t waiting = records->count - records->told; /* for the observer */
  int64_t most = records->count + more;
  if (keep >= 0) {
    const int64_t needed = waiting + more > keep ? waiting + more : keep;
    most = most < needed ? most : needed;
  }
  if (most <= records->room) {
    return NSDYN_OK;
  }
  return enlarge(d, records, fault, most < 2 * records->room ? 2 * records->room : most < 32 ? 32 : most);
}

/* Drops the oldest records that are seen and not to be kept. */
static void trim(const nsdyn_event_driver *d, nsd_records *records, nsdyn_event_report *report)
{
  const int64_t keep = d->options.keep_events;
  while (keep >= 0 && records->count > keep && records->told > 0) {
    records->first = (records->first + 1) % records->room;
    report->dropped++;
    records->count--;
    records->told--;
  }
}

/* Records whose times cannot be told apart belong together. */
static int64_t group_of(nsd_records *records, const nsdyn_event *event)
{
  if (records->group < 0 || fabs(event->t - records->t) > event->t_bound + records->bound) {
    records->group++;
  }
  records->t = event->t;
  records->bound = event->t_bound;
  return records->group;
}

void nsd_log_add(const nsdyn_event_driver *d, nsd_records *records, nsdyn_event_report *report,
                 const nsdyn_event *event)
{
  trim(d, records, report);
  nsdyn_event *own = record(records, records->count);
  *own = *event;
  own->group = group_of(records, event);
  records->count++;
  report->events++;
}

nsdyn_status nsd_log_tell(nsdyn_event_driver *d)
{
  nsdyn_status status = NSDYN_OK;
  while (d->records.told < d->records.count) {
    /* The last of its instant: the state is that after all of them. */
    nsdyn_event *own = record(&d->records, d->records.told++);
    own->last =
        d->records.told == d->records.count || record(&d->records, d->records.told)->group != own->group;
    const nsdyn_event event = *own;
    if (d->options.observe && d->options.observe(d->options.user, d, &event)) {
      status = NSDYN_STOPPED;
    }
  }
  trim(d, &d->records, &d->report);
  return status;
}

void nsd_log_clear(nsd_records *records)
{
  records->count = records->first = records->told = 0;
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
  return nsd_sized_write(event, NSD_EVENT_LEAST, record(&driver->records, k), sizeof(nsdyn_event));
}
