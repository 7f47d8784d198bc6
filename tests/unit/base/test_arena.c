/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "base/arena.h"

#include <string.h>

#include "suite.h"

/* A host that counts, and refuses when told to. */
typedef struct host {
  int allocations, releases;
  int refuse;
  size_t last;
} host;

static void *host_allocate(void *user, size_t bytes, size_t alignment)
{
  host *h = user;
  if (h->refuse) {
    return NULL;
  }
  h->allocations++;
  h->last = bytes;
  return nsd_allocate(NULL, bytes + (bytes % alignment != 0), 1);
}

static void host_release(void *user, void *memory, size_t bytes)
{
  host *h = user;
  h->releases++;
  nsd_release(NULL, memory, bytes, 1);
}

static nsdyn_context *host_context(host *h)
{
  nsdyn_context_def def;
  nsdyn_context *ctx;
  nsdyn_context_def_init(&def, sizeof def);
  def.user = h;
  def.allocate = host_allocate;
  def.release = host_release;
  ck_assert_int_eq(nsdyn_context_new(&def, &ctx, NULL), NSDYN_OK);
  h->allocations = h->releases = 0;
  return ctx;
}

/* A workspace as objects have it. */
typedef struct workspace {
  double *A, *x;
  int32_t *basis;
  unsigned char *flags;
} workspace;

static void lay_out(nsd_arena *arena, workspace *w, size_t n)
{
  w->A = nsd_arena_take(arena, n * n, sizeof *w->A);
  w->x = nsd_arena_take(arena, n, sizeof *w->x);
  w->basis = nsd_arena_take(arena, n, sizeof *w->basis);
  w->flags = nsd_arena_take(arena, n, sizeof *w->flags);
}

static nsdyn_status grow(nsd_arena *arena, workspace *w, size_t n)
{
  workspace counted;
  nsd_arena measure = nsd_arena_measure();
  lay_out(&measure, &counted, n);
  const nsdyn_status status = nsd_arena_reserve(arena, &measure);
  if (status == NSDYN_OK) {
    lay_out(arena, w, n);
  }
  return status;
}

START_TEST(arrays_are_aligned_apart_and_as_long_as_asked)
{
  nsd_arena arena = nsd_arena_empty(NULL);
  for (size_t n = 1; n < 40; n++) {
    workspace w;
    ck_assert_int_eq(grow(&arena, &w, n), NSDYN_OK);
    memset(w.A, 1, n * n * sizeof *w.A);
    memset(w.x, 2, n * sizeof *w.x);
    memset(w.basis, 3, n * sizeof *w.basis);
    memset(w.flags, 4, n);
    const void *const arrays[] = {w.A, w.x, w.basis, w.flags};
    const size_t bytes[] = {n * n * sizeof *w.A, n * sizeof *w.x, n * sizeof *w.basis, n};
    for (size_t a = 0; a < 4; a++) {
      ck_assert_uint_eq((uintptr_t)arrays[a] % NSD_ALIGNMENT, 0);
      for (size_t i = 0; i < bytes[a]; i++) {
        ck_assert_uint_eq(((const unsigned char *)arrays[a])[i], a + 1);
      }
    }
  }
  nsd_arena_release(&arena);
}
END_TEST

START_TEST(a_measure_counts_what_the_arena_takes)
{
  workspace w;
  nsd_arena measure = nsd_arena_measure();
  lay_out(&measure, &w, 13);
  ck_assert_ptr_null(w.A);
  ck_assert_ptr_null(w.flags);
  nsd_arena arena = nsd_arena_empty(NULL);
  ck_assert_int_eq(nsd_arena_reserve(&arena, &measure), NSDYN_OK);
  ck_assert_uint_eq(arena.capacity, measure.used);
  lay_out(&arena, &w, 13);
  ck_assert_uint_eq(arena.used, measure.used);
  nsd_arena_release(&arena);
}
END_TEST

START_TEST(a_known_size_allocates_nothing)
{
  host h = {0};
  nsdyn_context *ctx = host_context(&h);
  nsd_arena arena = nsd_arena_empty(ctx);
  workspace w, again;
  ck_assert_int_eq(grow(&arena, &w, 20), NSDYN_OK);
  ck_assert_int_eq(h.allocations, 1);
  for (size_t n = 0; n <= 20; n++) {
    ck_assert_int_eq(grow(&arena, &again, n), NSDYN_OK);
  }
  ck_assert_int_eq(h.allocations, 1);
  ck_assert_ptr_eq(again.A, w.A);
  ck_assert_int_eq(grow(&arena, &w, 21), NSDYN_OK);
  ck_assert_int_eq(h.allocations, 2);
  ck_assert_int_eq(h.releases, 1);
  nsd_arena_release(&arena);
  ck_assert_int_eq(h.releases, 2);
  nsdyn_context_free(ctx);
}
END_TEST

START_TEST(a_refused_growth_leaves_the_block)
{
  host h = {0};
  nsdyn_context *ctx = host_context(&h);
  nsd_arena arena = nsd_arena_empty(ctx);
  workspace w;
  ck_assert_int_eq(grow(&arena, &w, 3), NSDYN_OK);
  w.x[2] = 42.0;
  const nsd_arena before = arena;
  h.refuse = 1;
  ck_assert_int_eq(grow(&arena, &w, 30), NSDYN_ERR_NOMEM);
  ck_assert_ptr_eq(arena.block, before.block);
  ck_assert_uint_eq(arena.capacity, before.capacity);
  ck_assert_uint_eq(arena.used, before.used);
  ck_assert(w.x[2] == 42.0);
  ck_assert_int_eq(h.releases, 0);
  ck_assert_int_eq(grow(&arena, &w, 3), NSDYN_OK);
  h.refuse = 0;
  ck_assert_int_eq(grow(&arena, &w, 30), NSDYN_OK);
  nsd_arena_release(&arena);
  nsdyn_context_free(ctx);
  ck_assert_int_eq(h.releases, h.allocations + 1); /* the context itself was not counted when it came */
}
END_TEST

START_TEST(nothing_needs_no_memory)
{
  host h = {0};
  nsdyn_context *ctx = host_context(&h);
  nsd_arena arena = nsd_arena_empty(ctx);
  workspace w;
  ck_assert_int_eq(grow(&arena, &w, 0), NSDYN_OK);
  ck_assert_int_eq(h.allocations, 0);
  ck_assert_ptr_null(w.A);
  nsd_arena_release(&arena);
  ck_assert_int_eq(h.releases, 0);
  nsdyn_context_free(ctx);
}
END_TEST

/* Sums and products that size_t cannot hold, in every place of the layout. */
START_TEST(what_cannot_be_counted_is_too_large)
{
  static const struct {
    size_t count, size;
  } takes[][3] = {
      {{SIZE_MAX, 1}, {0, 8}, {0, 8}},
      {{SIZE_MAX, 8}, {1, 8}, {1, 8}},
      {{1, 8}, {SIZE_MAX / 8, 8}, {1, 8}},
      {{1, 8}, {SIZE_MAX - 63, 1}, {0, 1}},
      {{SIZE_MAX / 2 + 1, 1}, {SIZE_MAX / 2 + 1, 1}, {0, 1}},
      {{SIZE_MAX / 2 + 1, 2}, {1, 1}, {1, 1}},
      {{SIZE_MAX / 3, 1}, {SIZE_MAX / 3, 1}, {SIZE_MAX / 3 + 64, 1}},
  };
  for (size_t c = 0; c < sizeof takes / sizeof *takes; c++) {
    nsd_arena measure = nsd_arena_measure();
    for (int i = 0; i < 3; i++) {
      ck_assert_ptr_null(nsd_arena_take(&measure, takes[c][i].count, takes[c][i].size));
    }
    host h = {0};
    nsdyn_context *ctx = host_context(&h);
    nsd_arena arena = nsd_arena_empty(ctx);
    ck_assert_msg(nsd_arena_reserve(&arena, &measure) == NSDYN_ERR_TOO_LARGE, "case %zu", c);
    ck_assert_int_eq(h.allocations, 0);
    nsd_arena_release(&arena);
    nsdyn_context_free(ctx);
  }
}
END_TEST

START_TEST(a_released_arena_can_be_used_again)
{
  nsd_arena arena = nsd_arena_empty(NULL);
  workspace w;
  nsd_arena_release(&arena);
  ck_assert_int_eq(grow(&arena, &w, 5), NSDYN_OK);
  nsd_arena_release(&arena);
  ck_assert_ptr_null(arena.block);
  ck_assert_uint_eq(arena.capacity, 0);
  ck_assert_int_eq(grow(&arena, &w, 5), NSDYN_OK);
  w.x[4] = 1.0;
  nsd_arena_release(&arena);
  nsd_arena_release(&arena);
}
END_TEST

/* A heap that grows one by one to n allocates so seldom that all copies together are a few n. */
START_TEST(room_is_made_ahead)
{
  ck_assert(nsd_room_ahead(0) == 0 && nsd_room_ahead(1) == 1 && nsd_room_ahead(4) == 6 &&
            nsd_room_ahead(256) == 384 && nsd_room_ahead(2304) == 2304 + 128 + 256);
  size_t room = 0, copied = 0;
  for (size_t n = 1; n <= 1000000; n++) {
    if (n > room) {
      copied += room;
      const size_t next = nsd_room_ahead(n);
      ck_assert(next >= n && (n < 10000 || next <= n + n / 7));
      room = next;
    }
  }
  ck_assert(copied <= 10000000);
}
END_TEST

SUITE("base/arena", TEST(arrays_are_aligned_apart_and_as_long_as_asked),
      TEST(a_measure_counts_what_the_arena_takes), TEST(a_known_size_allocates_nothing),
      TEST(a_refused_growth_leaves_the_block), TEST(nothing_needs_no_memory),
      TEST(what_cannot_be_counted_is_too_large), TEST(a_released_arena_can_be_used_again),
      TEST(room_is_made_ahead))
