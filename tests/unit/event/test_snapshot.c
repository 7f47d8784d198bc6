/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "event/snapshot.h"

#include "event/internal.h"
#include "event_models.h"

enum { LIST = 16 };

typedef struct moment {
  double t;
  int32_t kind, contact;
} moment;

static int read_log(const driven *s, double from, moment *list)
{
  int count = 0;
  for (int k = 0; k < events_of(s); k++) {
    const nsdyn_event event = event_of(s, k);
    if (event.t > from) {
      ck_assert_int_lt(count, LIST);
      list[count++] = (moment){event.t, event.kind, event.contact};
    }
  }
  return count;
}

static void state_of(const driven *s, int nq, int nu, double *y)
{
  memcpy(y, nsdyn_event_driver_q(s->driver), (size_t)nq * sizeof *y);
  memcpy(y + nq, nsdyn_event_driver_u(s->driver), (size_t)nu * sizeof *y);
}

static void take(nsd_snapshot *snapshot, const driven *s)
{
  ck_assert_int_eq(nsd_snapshot_take(snapshot, s->driver), NSDYN_OK);
}

/* Within each phase of the woodpecker's period: the events that follow are the same, and no other. */
START_TEST(a_run_goes_on_as_if_it_had_not_stopped)
{
  exact_woodpecker w;
  exact_woodpecker_table(&w);
  const double q[3] = {0.0, -(w.r_M - w.r_O) / w.h_M, -0.2788}, u[3] = {-0.3411, 0.0, -7.4583};
  for (int k = 0; k < 12; k++) {
    driven s = toy_scene(&w);
    nsd_snapshot snapshot = nsd_snapshot_empty(NULL);
    const double stop = 0.3 + 0.0125 * k;
    moment before[LIST], after[LIST];
    double y[6], end[6], again[6];
    s.options.tol = 1e-11;
    scene_drive(&s, 0.0, q, u);
    scene_advance(&s, stop);
    state_of(&s, 3, 3, y);
    take(&snapshot, &s);
    scene_advance(&s, stop + 0.1);
    state_of(&s, 3, 3, end);
    const int count = read_log(&s, stop, before);
    ck_assert_int_gt(count, 0);
    const double later = 2.0; /* time does not matter to the toy */
    ck_assert_int_eq(nsd_driver_resume(s.driver, &snapshot, later, y), NSDYN_OK);
    ck_assert_int_eq(events_of(&s), 0);
    scene_advance(&s, later + 0.1);
    state_of(&s, 3, 3, again);
    ck_assert_int_eq(read_log(&s, 0.0, after), count);
    for (int i = 0; i < count; i++) {
      ck_assert(before[i].kind == after[i].kind && before[i].contact == after[i].contact);
      ck_assert_double_lt(fabs(before[i].t - stop - (after[i].t - later)), 1e-10);
    }
    for (int i = 0; i < 6; i++) {
      ck_assert_double_lt(fabs(again[i] - end[i]), 1e-8 * (i < 3 ? 1.0 : 10.0));
    }
    nsd_snapshot_release(&snapshot);
    scene_end(&s);
  }
}
END_TEST

/* A block at rest on a slope: what is closed is so again though its state is off by 1e-5. */
START_TEST(what_was_closed_or_stuck_is_so_again)
{
  block p = {.b = 0.5, .c = 0.3, .g = 9.81, .slope = 0.1};
  driven s = block_scene(&p, 0.8, 0.5);
  nsd_snapshot snapshot = nsd_snapshot_empty(NULL);
  const double q[3] = {0.0, 0.3, 0.0}, u[3] = {0.0, 0.0, 0.0};
  scene_drive(&s, 0.0, q, u);
  scene_advance(&s, 1.0);
  take(&snapshot, &s);
  for (int i = 0; i < 64; i++) {
    double y[6] = {0.0, 0.3, 0.0, 0.0, 0.0, 0.0};
    for (int j = 0; j < 6; j++) {
      y[j] += 1e-5 * ((i >> j & 1) ? 1.0 : -1.0);
    }
    ck_assert_int_eq(nsd_driver_resume(s.driver, &snapshot, 0.0, y), NSDYN_OK);
    scene_advance(&s, 1.0);
    ck_assert_int_eq(events_of(&s), 0);
    for (int k = 0; k < 2; k++) {
      ck_assert_int_eq(contact_of(&s, k).mode, NSDYN_MODE_STICK);
      ck_assert_double_lt(fabs(contact_of(&s, k).gap), 1e-13);
    }
    ck_assert_double_lt(fabs(nsdyn_event_driver_u(s.driver)[0]), 1e-13);
  }
  nsd_snapshot_release(&snapshot);
  scene_end(&s);
}
END_TEST

/* A ball whose hops have been closed off: their end, still to come, moves along with the time. */
START_TEST(what_is_due_is_due_later)
{
  points p = {.count = 1, .g = 1.0};
  driven s = points_scene(&p, 0.0, 0.5);
  nsd_snapshot snapshot = nsd_snapshot_empty(NULL);
  const double q[2] = {0.0, 0.5}, u[2] = {0.0, 0.0};
  s.options.zeno = 1e-4; /* closed off early: what is left lasts a while */
  scene_drive(&s, 0.0, q, u);
  scene_advance(&s, 4.0);
  const nsdyn_event zeno = event_of_kind(&s, NSDYN_EVENT_ZENO, 0);
  ck_assert_int_eq(zeno.kind, NSDYN_EVENT_ZENO);
  ck_assert_double_lt(fabs(zeno.t - 3.0), 1e-9); /* 1 + 2 (1/2 + 1/4 + …) */
  ck_assert_int_eq(nsdyn_event_driver_set_state(s.driver, 0.0, q, u), NSDYN_OK);
  const double stop = 2.999;
  scene_advance(&s, stop);
  ck_assert_int_eq(count_kind(&s, NSDYN_EVENT_ZENO), 0);
  double y[4];
  state_of(&s, 2, 2, y);
  take(&snapshot, &s);
  ck_assert_int_eq(nsd_driver_resume(s.driver, &snapshot, 10.0, y), NSDYN_OK);
  scene_advance(&s, 11.0);
  const nsdyn_event again = event_of_kind(&s, NSDYN_EVENT_ZENO, 0);
  ck_assert_int_eq(again.kind, NSDYN_EVENT_ZENO);
  ck_assert_double_lt(fabs(again.t - 10.0 - (3.0 - stop)), 1e-9);
  nsd_snapshot_release(&snapshot);
  scene_end(&s);
}
END_TEST

/* Room grows with contacts that are found, and what stood in it stays. */
START_TEST(a_snapshot_grows)
{
  points p = {.count = 3, .g = 1.0};
  driven few = points_scene(&p, 0.0, 0.5);
  const double q[12] = {0.0, 1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0}, u[12] = {0};
  nsd_snapshot snapshot = nsd_snapshot_empty(NULL);
  ck_assert_int_eq(snapshot.room, -1);
  scene_drive(&few, 0.0, q, u);
  scene_advance(&few, 2.0);
  take(&snapshot, &few);
  ck_assert_int_eq(snapshot.tracks, 3);
  const nsd_track *kept = snapshot.track;
  take(&snapshot, &few);
  ck_assert(snapshot.track == kept); /* no memory twice */
  ck_assert_int_eq(nsd_driver_reserve_tracks(few.driver, &few.driver->tracks, &few.driver->fault, 5),
                   NSDYN_OK);
  few.driver->tracks.track[3] = few.driver->tracks.track[4] = few.driver->tracks.track[0];
  few.driver->tracks.count = 5;
  const double size = snapshot.size[1], gap = snapshot.track[2].gap;
  ck_assert_int_eq(nsd_snapshot_reserve(&snapshot, few.driver), NSDYN_OK);
  ck_assert(snapshot.room >= 5 && snapshot.tracks == 3 && snapshot.size[1] == size &&
            snapshot.track[2].gap == gap);
  take(&snapshot, &few);
  ck_assert_int_eq(snapshot.tracks, 5);
  nsd_snapshot_release(&snapshot);
  scene_end(&few);
}
END_TEST

START_TEST(what_is_no_state_is_refused)
{
  points p = {.count = 1, .g = 1.0};
  driven s = points_scene(&p, 0.0, 0.5);
  const double q[2] = {0.0, 1.0}, u[2] = {0};
  const double bad[4] = {0.0, NAN, 0.0, 0.0};
  nsd_snapshot snapshot = nsd_snapshot_empty(NULL);
  scene_drive(&s, 0.0, q, u);
  take(&snapshot, &s);
  ck_assert_int_eq(nsd_driver_resume(s.driver, &snapshot, 0.0, bad), NSDYN_ERR_NOT_FINITE);
  ck_assert(strstr(nsdyn_event_driver_message(s.driver), "q: element 1") != NULL);
  ck_assert_int_eq(nsd_driver_resume(s.driver, &snapshot, INFINITY, q), NSDYN_ERR_NOT_FINITE);
  nsd_snapshot_release(&snapshot);
  scene_end(&s);
}
END_TEST

SUITE("event/snapshot", TEST(a_run_goes_on_as_if_it_had_not_stopped),
      TEST(what_was_closed_or_stuck_is_so_again), TEST(what_is_due_is_due_later), TEST(a_snapshot_grows),
      TEST(what_is_no_state_is_refused))
