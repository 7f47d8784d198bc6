/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "base/context.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "suite.h"

/* A host program: it counts, remembers what it was told, and fails when asked to. */
typedef struct host {
  int allocations, releases, destroyed;
  size_t bytes;      /* given and not yet back */
  size_t alignment;  /* last asked for */
  size_t offset;     /* moves blocks away from their alignment */
  int refuse;        /* give none */
  int released_late; /* releases after destroy_user */
  char line[256];
  int32_t level;
  int lines;
  int answer; /* of progress */
  char activity[64];
  double done;
} host;

static void *host_allocate(void *user, size_t bytes, size_t alignment)
{
  host *h = user;
  h->alignment = alignment;
  if (h->refuse) {
    return NULL;
  }
  h->allocations++;
  h->bytes += bytes;
  return (char *)aligned_alloc(alignment, (bytes + 2 * alignment - 1) / alignment * alignment) + h->offset;
}

static void host_release(void *user, void *memory, size_t bytes)
{
  host *h = user;
  h->releases++;
  h->bytes -= bytes;
  h->released_late += h->destroyed > 0;
  free((char *)memory - h->offset);
}

static void host_log(void *user, int32_t level, const char *line)
{
  host *h = user;
  h->level = level;
  h->lines++;
  strncpy(h->line, line, sizeof h->line - 1);
}

static int host_progress(void *user, const char *activity, double done)
{
  host *h = user;
  strncpy(h->activity, activity, sizeof h->activity - 1);
  h->done = done;
  return h->answer;
}

static void host_destroy(void *user)
{
  ((host *)user)->destroyed++;
}

static nsdyn_context_def host_def(host *h)
{
  nsdyn_context_def def;
  ck_assert_int_eq(nsdyn_context_def_init(&def, sizeof def), NSDYN_OK);
  def.user = h;
  def.allocate = host_allocate;
  def.release = host_release;
  def.log = host_log;
  def.progress = host_progress;
  def.destroy_user = host_destroy;
  return def;
}

static nsdyn_context *host_context(host *h)
{
  const nsdyn_context_def def = host_def(h);
  nsdyn_context *ctx = NULL;
  ck_assert_int_eq(nsdyn_context_new(&def, &ctx, NULL), NSDYN_OK);
  ck_assert_ptr_nonnull(ctx);
  return ctx;
}

START_TEST(defaults_are_the_c_librarys_memory_and_silence)
{
  nsdyn_context_def def;
  memset(&def, 0xa5, sizeof def);
  ck_assert_int_eq(nsdyn_context_def_init(&def, sizeof def), NSDYN_OK);
  ck_assert_uint_eq(def.size, sizeof def);
  ck_assert_ptr_null(def.user);
  ck_assert(!def.allocate && !def.release && !def.log && !def.progress && !def.destroy_user);
  ck_assert_int_eq(nsdyn_context_def_init(NULL, sizeof def), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_context_def_init(&def, sizeof def - sizeof(void *)), NSDYN_ERR_STRUCT_SIZE);
}
END_TEST

START_TEST(a_default_context_works)
{
  nsdyn_context *ctx = NULL;
  ck_assert_int_eq(nsdyn_context_new(NULL, &ctx, NULL), NSDYN_OK);
  double *x = nsd_allocate(ctx, 100, sizeof *x);
  ck_assert_ptr_nonnull(x);
  memset(x, 0, 100 * sizeof *x);
  nsd_release(ctx, x, 100, sizeof *x);
  nsd_log(ctx, NSDYN_LOG_ERROR, "heard by nobody");
  ck_assert_int_eq(nsd_progress(ctx, "waiting", -1.0), NSDYN_OK);
  nsdyn_context_free(ctx);
}
END_TEST

START_TEST(null_is_the_default_context)
{
  ck_assert_ptr_null(nsd_context_hold(NULL));
  nsd_context_drop(NULL);
  nsdyn_context_free(NULL);
  void *memory = nsd_allocate(NULL, 3, 5);
  ck_assert_ptr_nonnull(memory);
  nsd_release(NULL, memory, 3, 5);
  nsd_release(NULL, NULL, 0, 0);
  nsd_log(NULL, NSDYN_LOG_ERROR, "heard by nobody");
  ck_assert_int_eq(nsd_progress(NULL, "waiting", 0.5), NSDYN_OK);
}
END_TEST

START_TEST(all_memory_comes_from_the_host_and_goes_back)
{
  host h = {0};
  nsdyn_context *ctx = host_context(&h);
  ck_assert_int_eq(h.allocations, 1);
  ck_assert_uint_eq(h.alignment, NSD_ALIGNMENT);
  const size_t own = h.bytes;
  unsigned char *block = nsd_allocate(ctx, 7, 11);
  ck_assert_ptr_nonnull(block);
  memset(block, 1, 77);
  ck_assert_uint_eq(h.bytes, own + 77);
  ck_assert_uint_eq(h.alignment, NSD_ALIGNMENT);
  nsd_release(ctx, block, 7, 11);
  ck_assert_uint_eq(h.bytes, own);
  nsd_release(ctx, NULL, 7, 11);
  ck_assert_int_eq(h.releases, 1);
  nsdyn_context_free(ctx);
  ck_assert_uint_eq(h.bytes, 0);
  ck_assert_int_eq(h.allocations, 2);
  ck_assert_int_eq(h.releases, 2);
}
END_TEST

START_TEST(blocks_are_aligned_whatever_their_size)
{
  for (size_t bytes = 1; bytes < 400; bytes++) {
    unsigned char *block = nsd_allocate(NULL, bytes, 1);
    ck_assert_uint_eq((uintptr_t)block % NSD_ALIGNMENT, 0);
    memset(block, 1, bytes);
    nsd_release(NULL, block, bytes, 1);
  }
}
END_TEST

START_TEST(sizes_that_are_none)
{
  host h = {0};
  nsdyn_context *ctx = host_context(&h);
  static const size_t sizes[][2] = {{0, 8},
                                    {8, 0},
                                    {0, 0},
                                    {SIZE_MAX, 2},
                                    {2, SIZE_MAX},
                                    {SIZE_MAX / 8 + 1, 8},
                                    {(size_t)1 << (sizeof(size_t) * 4), (size_t)1 << (sizeof(size_t) * 4)}};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    ck_assert_ptr_null(nsd_allocate(ctx, sizes[i][0], sizes[i][1]));
    ck_assert_ptr_null(nsd_allocate(NULL, sizes[i][0], sizes[i][1]));
  }
  ck_assert_int_eq(h.allocations, 1);
  ck_assert_ptr_null(nsd_allocate(NULL, SIZE_MAX - 1, 1)); /* would wrap when rounded up */
  nsdyn_context_free(ctx);
}
END_TEST

START_TEST(no_memory_for_the_context)
{
  host h = {.refuse = 1};
  const nsdyn_context_def def = host_def(&h);
  nsdyn_context *ctx = (nsdyn_context *)&h;
  ck_assert_int_eq(nsdyn_context_new(&def, &ctx, NULL), NSDYN_ERR_NOMEM);
  ck_assert_ptr_null(ctx);
  ck_assert_int_eq(h.destroyed, 0);
  ck_assert_int_eq(h.releases, 0);
}
END_TEST

START_TEST(no_memory_later)
{
  host h = {0};
  nsdyn_context *ctx = host_context(&h);
  h.refuse = 1;
  ck_assert_ptr_null(nsd_allocate(ctx, 1, 1));
  h.refuse = 0;
  void *block = nsd_allocate(ctx, 1, 1);
  ck_assert_ptr_nonnull(block);
  nsd_release(ctx, block, 1, 1);
  nsdyn_context_free(ctx);
  ck_assert_uint_eq(h.bytes, 0);
}
END_TEST

START_TEST(memory_that_is_not_aligned_goes_back)
{
  host h = {.offset = 16};
  const nsdyn_context_def def = host_def(&h);
  nsdyn_context *ctx;
  ck_assert_int_eq(nsdyn_context_new(&def, &ctx, NULL), NSDYN_ERR_NOMEM);
  ck_assert_ptr_null(ctx);
  ck_assert_uint_eq(h.bytes, 0);
  ck_assert_int_eq(h.lines, 1);
  ck_assert_int_eq(h.level, NSDYN_LOG_ERROR);
  ck_assert_ptr_nonnull(strstr(h.line, "aligned"));
  h.offset = 0;
  ctx = host_context(&h);
  h.offset = 8;
  ck_assert_ptr_null(nsd_allocate(ctx, 4, 8));
  ck_assert_int_eq(h.lines, 2);
  h.offset = 0;
  nsdyn_context_free(ctx);
  ck_assert_uint_eq(h.bytes, 0);
}
END_TEST

START_TEST(half_an_allocator_is_refused)
{
  host h = {0};
  nsdyn_context *ctx = (nsdyn_context *)&h;
  nsdyn_context_def def = host_def(&h);
  def.allocate = NULL;
  ck_assert_int_eq(nsdyn_context_new(&def, &ctx, NULL), NSDYN_ERR_ARGUMENT);
  ck_assert_ptr_null(ctx);
  def = host_def(&h);
  def.release = NULL;
  ck_assert_int_eq(nsdyn_context_new(&def, &ctx, NULL), NSDYN_ERR_ARGUMENT);
  ck_assert_ptr_null(ctx);
  ck_assert_int_eq(h.allocations, 0);
  ck_assert_int_eq(h.destroyed, 0);
}
END_TEST

START_TEST(arguments_are_checked)
{
  host h = {0};
  nsdyn_context_def def = host_def(&h);
  ck_assert_int_eq(nsdyn_context_new(&def, NULL, NULL), NSDYN_ERR_ARGUMENT);
  nsdyn_context *ctx = (nsdyn_context *)&h;
  def.size = 0;
  ck_assert_int_eq(nsdyn_context_new(&def, &ctx, NULL), NSDYN_ERR_STRUCT_SIZE);
  ck_assert_ptr_null(ctx);
  struct {
    nsdyn_context_def def;
    void *later;
  } newer = {host_def(&h), &h};
  newer.def.size = sizeof newer;
  ck_assert_int_eq(nsdyn_context_new(&newer.def, &ctx, NULL), NSDYN_ERR_STRUCT_TOO_NEW);
  ck_assert_ptr_null(ctx);
  newer.later = NULL;
  ck_assert_int_eq(nsdyn_context_new(&newer.def, &ctx, NULL), NSDYN_OK);
  nsdyn_context_free(ctx);
  ck_assert_int_eq(h.destroyed, 1);
}
END_TEST

START_TEST(the_table_is_copied)
{
  host h = {0};
  nsdyn_context_def def = host_def(&h);
  nsdyn_context *ctx;
  ck_assert_int_eq(nsdyn_context_new(&def, &ctx, NULL), NSDYN_OK);
  memset(&def, 0, sizeof def);
  nsd_log(ctx, NSDYN_LOG_INFO, "still heard");
  ck_assert_str_eq(h.line, "still heard");
  nsdyn_context_free(ctx);
  ck_assert_int_eq(h.destroyed, 1);
}
END_TEST

START_TEST(the_last_holder_destroys_once_and_last)
{
  host h = {0};
  nsdyn_context *ctx = host_context(&h);
  for (int i = 0; i < 5; i++) {
    ck_assert_ptr_eq(nsd_context_hold(ctx), ctx);
  }
  nsdyn_context_free(ctx);
  void *block = nsd_allocate(ctx, 10, 10); /* objects still hold it: it works */
  ck_assert_ptr_nonnull(block);
  nsd_release(ctx, block, 10, 10);
  for (int i = 0; i < 4; i++) {
    nsd_context_drop(ctx);
    ck_assert_int_eq(h.destroyed, 0);
  }
  nsd_context_drop(ctx);
  ck_assert_int_eq(h.destroyed, 1);
  ck_assert_int_eq(h.released_late, 0);
  ck_assert_uint_eq(h.bytes, 0);
}
END_TEST

START_TEST(log_and_progress_reach_the_host)
{
  host h = {0};
  nsdyn_context *ctx = host_context(&h);
  nsd_log(ctx, NSDYN_LOG_WARNING, "a line");
  ck_assert_int_eq(h.lines, 1);
  ck_assert_int_eq(h.level, NSDYN_LOG_WARNING);
  ck_assert_str_eq(h.line, "a line");
  ck_assert_int_eq(nsd_progress(ctx, "enumerating", 0.25), NSDYN_OK);
  ck_assert_str_eq(h.activity, "enumerating");
  ck_assert(h.done == 0.25);
  h.answer = 1;
  ck_assert_int_eq(nsd_progress(ctx, "enumerating", -1.0), NSDYN_CANCELLED);
  ck_assert(h.done == -1.0);
  h.answer = -1;
  ck_assert_int_eq(nsd_progress(ctx, "enumerating", 1.0), NSDYN_CANCELLED);
  nsdyn_context_free(ctx);
}
END_TEST

static void *no_memory(void *user, size_t bytes, size_t alignment)
{
  (void)user, (void)bytes, (void)alignment;
  return NULL;
}

START_TEST(a_failed_new_says_why)
{
  nsdyn_context *ctx = NULL;
  nsdyn_error error;
  ck_assert_int_eq(nsdyn_error_init(&error, sizeof error), NSDYN_OK);
  nsdyn_context_def def;
  nsdyn_context_def_init(&def, sizeof def);
  def.allocate = no_memory;
  ck_assert_int_eq(nsdyn_context_new(&def, &ctx, &error), NSDYN_ERR_ARGUMENT);
  ck_assert_ptr_null(ctx);
  ck_assert_int_eq(error.status, NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(error.kind, NSDYN_DETAIL_ARGUMENT);
  ck_assert_int_eq(error.index, 0);
  ck_assert_str_eq(error.message, "nsdyn_context_def: allocate is set and release is not");
  ck_assert_int_eq(nsdyn_context_new(NULL, NULL, &error), NSDYN_ERR_ARGUMENT);
  ck_assert_str_eq(error.message, "nsdyn_context_new: out is NULL");
  ck_assert_int_eq(nsdyn_context_new(NULL, &ctx, &error), NSDYN_OK); /* a success says nothing stale */
  ck_assert(error.status == NSDYN_OK && error.kind == NSDYN_DETAIL_NONE && error.index == -1);
  ck_assert_str_eq(error.message, "");
  nsdyn_context_free(ctx);
}
END_TEST

START_TEST(an_error_without_size_is_refused)
{
  nsdyn_context *ctx = (nsdyn_context *)&ctx;
  nsdyn_error error;
  memset(&error, 0x55, sizeof error);
  error.size = 0;
  const nsdyn_error before = error;
  ck_assert_int_eq(nsdyn_context_new(NULL, &ctx, &error), NSDYN_ERR_STRUCT_SIZE);
  ck_assert_ptr_null(ctx);
  ck_assert_int_eq(memcmp(&before, &error, sizeof error), 0);
  ck_assert_int_eq(nsdyn_error_init(&error, 8), NSDYN_ERR_STRUCT_SIZE);
  ck_assert_int_eq(nsdyn_error_init(NULL, sizeof error), NSDYN_ERR_ARGUMENT);
}
END_TEST

/* Threads that make and free objects at once: each holds and drops, in the end all are gone. The
 * thread that drops last destroys, and sees what the others wrote while they held it. */
enum { thread_count = 4, rounds = 20000 };

typedef struct worker {
  pthread_t thread;
  nsdyn_context *ctx;
  int *mark; /* plain memory of this thread, read by destroy_user */
} worker;

typedef struct shared_host {
  int marks[thread_count];
  int sum;
  int destroyed;
} shared_host;

static void sum_marks(void *user)
{
  shared_host *h = user;
  h->destroyed++;
  for (int i = 0; i < thread_count; i++) {
    h->sum += h->marks[i];
  }
}

static void *hold_and_drop(void *argument)
{
  worker *w = argument;
  for (int i = 0; i < rounds; i++) {
    nsd_context_drop(nsd_context_hold(w->ctx));
  }
  *w->mark = rounds;
  nsd_context_drop(w->ctx);
  return NULL;
}

START_TEST(threads_hold_one_context)
{
  shared_host h = {0};
  nsdyn_context_def def;
  nsdyn_context_def_init(&def, sizeof def);
  def.user = &h;
  def.destroy_user = sum_marks;
  nsdyn_context *ctx;
  ck_assert_int_eq(nsdyn_context_new(&def, &ctx, NULL), NSDYN_OK);
  worker workers[thread_count];
  for (int i = 0; i < thread_count; i++) {
    workers[i].ctx = nsd_context_hold(ctx);
    workers[i].mark = &h.marks[i];
    ck_assert_int_eq(pthread_create(&workers[i].thread, NULL, hold_and_drop, &workers[i]), 0);
  }
  nsdyn_context_free(ctx);
  for (int i = 0; i < thread_count; i++) {
    ck_assert_int_eq(pthread_join(workers[i].thread, NULL), 0);
  }
  ck_assert_int_eq(h.destroyed, 1);
  ck_assert_int_eq(h.sum, thread_count * rounds);
}
END_TEST

SUITE("base/context", TEST(defaults_are_the_c_librarys_memory_and_silence), TEST(a_default_context_works),
      TEST(null_is_the_default_context), TEST(all_memory_comes_from_the_host_and_goes_back),
      TEST(blocks_are_aligned_whatever_their_size), TEST(sizes_that_are_none),
      TEST(no_memory_for_the_context), TEST(no_memory_later), TEST(memory_that_is_not_aligned_goes_back),
      TEST(half_an_allocator_is_refused), TEST(arguments_are_checked), TEST(the_table_is_copied),
      TEST(the_last_holder_destroys_once_and_last), TEST(log_and_progress_reach_the_host),
      TEST(a_failed_new_says_why), TEST(an_error_without_size_is_refused), TEST(threads_hold_one_context))
