/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "assembly/history.h"

#include "assembly/scene.h"
#include "suite.h"

enum { CONTACTS = 5 };

typedef struct fixture {
  nsd_history history;
  nsd_arena arena;
  nsd_scene scene;
  nsd_closed closed[40];
  int32_t state[40];
  nsd_past past[40];
} fixture;

static void begin(fixture *f)
{
  nsd_arena measure = nsd_arena_measure();
  f->arena = nsd_arena_empty(NULL);
  nsd_history_init(&f->history, NULL);
  nsd_history_lay_out(&measure, &f->history, CONTACTS);
  ck_assert_int_eq(nsd_arena_reserve(&f->arena, &measure), NSDYN_OK);
  nsd_history_lay_out(&f->arena, &f->history, CONTACTS);
  nsd_history_clear(&f->history, CONTACTS);
  f->scene = (nsd_scene){.closed = {.contact = f->closed, .past = f->past}, .solution = {.state = f->state}};
}

static void finish(fixture *f)
{
  nsd_history_release(&f->history);
  nsd_arena_release(&f->arena);
}

static void close_known(fixture *f, int32_t index, int32_t mode, int32_t state)
{
  f->state[f->scene.closed.count] = state;
  f->closed[f->scene.closed.count++] = (nsd_closed){.index = index, .key = index, .mode = mode, .found = -1};
  f->scene.closed.known++;
}

static void close_found(fixture *f, int64_t key, int32_t mode, int32_t state)
{
  f->state[f->scene.closed.count] = state;
  f->closed[f->scene.closed.count++] = (nsd_closed){.index = -1, .key = key, .mode = mode};
}

static void keep(fixture *f)
{
  ck_assert_int_eq(nsd_history_reserve(&f->history, f->scene.closed.count - f->scene.closed.known), NSDYN_OK);
  nsd_history_keep(&f->history, &f->scene, nsd_history_is_same(&f->history, &f->scene));
}

START_TEST(traces_pack_mode_and_state)
{
  for (int32_t mode = 0; mode < 4; mode++) {
    for (int32_t state = 0; state < 8; state++) {
      const int32_t trace = nsd_trace(mode, state);
      ck_assert(nsd_trace_mode(trace) == mode && nsd_trace_state(trace) == state);
      ck_assert(nsd_trace_pressed(trace) == (mode != NSDYN_MODE_OPEN));
    }
  }
  ck_assert(!nsd_trace_pressed(-1));
}
END_TEST

START_TEST(the_step_before_is_remembered_and_no_other)
{
  fixture f;
  begin(&f);
  close_known(&f, 1, NSDYN_MODE_STICK, 1);
  close_known(&f, 3, NSDYN_MODE_SLIP_PLUS, 6);
  close_found(&f, -900, NSDYN_MODE_SLIP_MINUS, 3);
  ck_assert(!nsd_history_is_same(&f.history, &f.scene));
  keep(&f);
  ck_assert(nsd_history_is_same(&f.history, &f.scene));
  for (int k = 0; k < 3; k++) {
    ck_assert_int_eq(nsd_history_trace(&f.history, &f.closed[k]), nsd_trace(f.closed[k].mode, f.state[k]));
  }
  ck_assert(nsd_history_known(&f.history, 0) == -1 && nsd_history_found(&f.history, 900) == -1);
  f.scene.closed.count = f.scene.closed.known = 0;
  close_known(&f, 3, NSDYN_MODE_OPEN, 0);
  ck_assert(!nsd_history_is_same(&f.history, &f.scene));
  keep(&f);
  ck_assert(nsd_history_known(&f.history, 1) == -1 && nsd_history_known(&f.history, 3) == nsd_trace(0, 0));
  ck_assert_int_eq(nsd_history_found(&f.history, -900), -1);
  nsd_history_clear(&f.history, CONTACTS);
  ck_assert_int_eq(nsd_history_known(&f.history, 3), -1);
  finish(&f);
}
END_TEST

START_TEST(the_same_contacts_in_another_order_are_others)
{
  fixture f;
  begin(&f);
  close_found(&f, 1, 1, 1);
  close_found(&f, 2, 1, 1);
  keep(&f);
  f.closed[0].key = 2;
  f.closed[1].key = 1;
  ck_assert(!nsd_history_is_same(&f.history, &f.scene));
  f.closed[0].key = 1;
  f.closed[1].key = 2;
  ck_assert(nsd_history_is_same(&f.history, &f.scene));
  f.closed[0].index = 1;
  f.scene.closed.known = 1;
  ck_assert(!nsd_history_is_same(&f.history, &f.scene));
  finish(&f);
}
END_TEST

START_TEST(room_grows_and_keeps_what_is_there)
{
  fixture f;
  begin(&f);
  for (int k = 0; k < 7; k++) {
    close_found(&f, 100 + k, k % 4, k);
  }
  keep(&f);
  ck_assert_int_eq(nsd_history_reserve(&f.history, 1000), NSDYN_OK);
  for (int k = 0; k < 7; k++) {
    ck_assert_int_eq(nsd_history_found(&f.history, 100 + k), nsd_trace(k % 4, k));
  }
  ck_assert_int_eq(nsd_history_add_found(&f.history, 103, 1), 0);
  ck_assert_int_eq(nsd_history_add_found(&f.history, 200, 1), 1);
  ck_assert_int_eq(nsd_history_add_known(&f.history, 4, 2), 1);
  ck_assert_int_eq(nsd_history_add_known(&f.history, 4, 1), 0);
  ck_assert_int_eq(nsd_history_known(&f.history, 4), 2);
  finish(&f);
}
END_TEST

/* A copy knows what it was copied from, and nothing that it knew before. */
START_TEST(a_copy_is_what_was_copied)
{
  fixture f, g;
  begin(&f);
  begin(&g);
  close_found(&g, 7, 1, 2);
  keep(&g);
  close_known(&f, 3, 2, 1);
  close_found(&f, 11, 1, 4);
  close_found(&f, 12, 2, 5);
  keep(&f);
  f.history.seen = 0.25;
  ck_assert_int_eq(nsd_history_copy(&g.history, &f.history, CONTACTS), NSDYN_OK);
  ck_assert_int_eq(g.history.known_count, 1);
  ck_assert_int_eq(g.history.found_count, 2);
  ck_assert_int_eq(nsd_history_known(&g.history, 3), nsd_trace(2, 1));
  ck_assert_int_eq(nsd_history_found(&g.history, 11), nsd_trace(1, 4));
  ck_assert_int_eq(nsd_history_found(&g.history, 12), nsd_trace(2, 5));
  ck_assert_int_eq(nsd_history_found(&g.history, 7), -1);
  ck_assert(g.history.seen == 0.25);
  finish(&f);
  finish(&g);
}
END_TEST

SUITE("assembly/history", TEST(a_copy_is_what_was_copied), TEST(traces_pack_mode_and_state),
      TEST(the_step_before_is_remembered_and_no_other), TEST(the_same_contacts_in_another_order_are_others),
      TEST(room_grows_and_keeps_what_is_there))
