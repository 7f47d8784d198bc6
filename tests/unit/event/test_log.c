/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "event/internal.h"

#include "event_models.h"

START_TEST(keeps_the_newest)
{
  const int32_t keeps[] = {-1, 0, 1, 5, 1000};
  points p = {.count = 1, .g = 1.0};
  const double q[2] = {0.0, 0.5}, u[2] = {0.0, 0.0};
  for (int k = 0; k < 5; k++) {
    driven s = points_scene(&p, 0.0, 1.0); /* impacts at 1, 3, 5, … */
    s.options.keep_events = keeps[k];
    scene_drive(&s, 0.0, q, u);
    scene_advance(&s, 50.0);
    scene_advance(&s, 200.0);
    const int kept = keeps[k] < 0 || keeps[k] > 100 ? 100 : keeps[k];
    ck_assert_int_eq(events_of(&s), kept);
    ck_assert_int_eq(report_of(&s).events, 100);
    for (int i = 0; i < kept; i++) {
      const nsdyn_event event = event_of(&s, i);
      ck_assert_int_eq(event.group, 100 - kept + i);
      ck_assert(fabs(event.t - (2.0 * (100 - kept + i) + 1.0)) <= 1e-10);
    }
    nsdyn_event event = {.size = sizeof event};
    ck_assert_int_eq(nsdyn_event_driver_event(s.driver, kept, &event), NSDYN_ERR_ARGUMENT);
    ck_assert_int_eq(nsdyn_event_driver_event(s.driver, -1, &event), NSDYN_ERR_ARGUMENT);
    scene_drive(&s, 0.0, q, u);
    ck_assert_int_eq(events_of(&s), 0);
    scene_end(&s);
  }
  ck_assert_int_eq(nsdyn_event_driver_events(NULL), 0);
}
END_TEST

typedef struct seen {
  int count;
  double t[256];
} seen;

static int see(void *user, const nsdyn_event_driver *driver, const nsdyn_event *event)
{
  seen *p = user;
  (void)driver;
  p->t[p->count++] = event->t;
  return 0;
}

/* Every record reaches the observer, also those that are not kept. */
START_TEST(tells_all)
{
  for (int32_t keep = -1; keep <= 3; keep++) {
    points p = {.count = 2, .g = 1.0};
    seen all = {.count = 0};
    driven s = points_scene(&p, 0.0, 1.0);
    s.options.keep_events = keep;
    s.options.observe = see;
    s.options.user = &all;
    const double q[4] = {0.0, 0.5, 0.0, 0.5}, u[4] = {0.0}; /* two at once */
    scene_drive(&s, 0.0, q, u);
    scene_advance(&s, 20.0);
    ck_assert_int_eq(all.count, 20);
    for (int i = 0; i < 20; i++) {
      const int pair = i / 2;
      ck_assert(fabs(all.t[i] - (2.0 * pair + 1.0)) <= 1e-11);
    }
    scene_end(&s);
  }
}
END_TEST

START_TEST(has_names)
{
  ck_assert_str_eq(nsdyn_event_name(NSDYN_EVENT_IMPACT), "impact");
  ck_assert_str_eq(nsdyn_event_name(NSDYN_EVENT_CLOSE), "close");
  ck_assert_str_eq(nsdyn_event_name(NSDYN_EVENT_OPEN), "open");
  ck_assert_str_eq(nsdyn_event_name(NSDYN_EVENT_STICK), "stick");
  ck_assert_str_eq(nsdyn_event_name(NSDYN_EVENT_SLIP), "slip");
  ck_assert_str_eq(nsdyn_event_name(NSDYN_EVENT_REVERSE), "reverse");
  ck_assert_str_eq(nsdyn_event_name(NSDYN_EVENT_SIDE), "side");
  ck_assert_str_eq(nsdyn_event_name(NSDYN_EVENT_ZENO), "zeno");
  ck_assert_str_eq(nsdyn_event_name(NSDYN_EVENT_PAINLEVE), "painleve");
  ck_assert_str_eq(nsdyn_event_name(NSDYN_EVENT_AMBIGUOUS), "ambiguous");
  ck_assert_str_eq(nsdyn_event_name(NSDYN_EVENT_SECTION), "section");
  ck_assert_str_eq(nsdyn_event_name(0), "unknown");
  ck_assert_str_eq(nsdyn_event_name(12), "handover");
  ck_assert_str_eq(nsdyn_event_name(13), "unknown");
  ck_assert_str_eq(nsdyn_event_name(-1), "unknown");
}
END_TEST

START_TEST(a_ring_that_grows_keeps_its_order)
{
  points p = {.count = 1};
  driven s = points_scene(&p, 0.0, 0.0);
  const double q[2] = {0.0, 1.0}, u[2] = {0.0, 0.0};
  s.options.keep_events = 7;
  scene_drive(&s, 0.0, q, u);
  nsdyn_event_driver *d = s.driver;
  int64_t next = 0;
  for (int round = 0; round < 40; round++) {
    const int records = 1 + round % 9;
    ck_assert_int_eq(nsd_log_reserve(d, &d->records, &d->fault, records), NSDYN_OK);
    for (int i = 0; i < records; i++) {
      const nsdyn_event event = {.size = sizeof event, .kind = NSDYN_EVENT_SLIP, .t = (double)next++};
      nsd_log_add(d, &d->records, &d->report, &event);
    }
    ck_assert_int_eq(nsd_log_tell(d), NSDYN_OK);
    const int kept = next < 7 ? (int)next : 7;
    ck_assert_int_eq(events_of(&s), kept);
    for (int i = 0; i < kept; i++) {
      ck_assert_int_eq(event_of(&s, i).group, next - kept + i);
    }
  }
  scene_end(&s);
}
END_TEST

SUITE("event/log", TEST(keeps_the_newest), TEST(tells_all), TEST(has_names),
      TEST(a_ring_that_grows_keeps_its_order))
