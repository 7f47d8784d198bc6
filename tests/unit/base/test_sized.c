/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "base/sized.h"

#include <stdlib.h>
#include <string.h>

#include "suite.h"

/* One struct through three releases; `now` is this library's. */
typedef struct old_options {
  size_t size;
  double tolerance;
} old_options;

typedef struct now_options {
  size_t size;
  double tolerance;
  int64_t limit;
} now_options;

typedef struct new_options {
  size_t size;
  double tolerance;
  int64_t limit;
  double damping;
  void *user;
} new_options;

enum { least = sizeof(old_options) };

static const now_options defaults = {sizeof(now_options), 1e-9, 100};

static nsdyn_status read_into(now_options *own, const void *given, nsd_fault *fault)
{
  *own = defaults;
  return nsd_sized_read(own, sizeof *own, least, given, "nsdyn_options", fault);
}

START_TEST(init_of_the_same_release)
{
  now_options options;
  memset(&options, 0xa5, sizeof options);
  ck_assert_int_eq(nsd_sized_init(&options, sizeof options, least, &defaults, sizeof defaults), NSDYN_OK);
  ck_assert_mem_eq(&options, &defaults, sizeof options);
}
END_TEST

START_TEST(init_of_an_older_caller_stays_within_its_struct)
{
  struct {
    old_options options;
    unsigned char behind[16];
  } caller;
  memset(&caller, 0xa5, sizeof caller);
  ck_assert_int_eq(nsd_sized_init(&caller.options, sizeof caller.options, least, &defaults, sizeof defaults),
                   NSDYN_OK);
  ck_assert_uint_eq(caller.options.size, sizeof(old_options));
  ck_assert(caller.options.tolerance == 1e-9);
  for (size_t i = 0; i < sizeof caller.behind; i++) {
    ck_assert_uint_eq(caller.behind[i], 0xa5);
  }
}
END_TEST

START_TEST(init_of_a_newer_caller_zeroes_what_is_not_known)
{
  new_options options;
  memset(&options, 0xa5, sizeof options);
  ck_assert_int_eq(nsd_sized_init(&options, sizeof options, least, &defaults, sizeof defaults), NSDYN_OK);
  ck_assert_uint_eq(options.size, sizeof(new_options));
  ck_assert(options.tolerance == 1e-9);
  ck_assert_int_eq(options.limit, 100);
  ck_assert(options.damping == 0.0);
  ck_assert_ptr_null(options.user);
}
END_TEST

START_TEST(init_fills_the_longest_struct_there_may_be)
{
  static union {
    size_t size;
    unsigned char bytes[NSD_SIZED_MOST];
  } longest;
  memset(&longest, 0xa5, sizeof longest);
  ck_assert_int_eq(nsd_sized_init(&longest, sizeof longest, least, &defaults, sizeof defaults), NSDYN_OK);
  ck_assert_uint_eq(longest.size, sizeof longest);
  for (size_t i = sizeof defaults; i < sizeof longest; i++) {
    ck_assert_uint_eq(longest.bytes[i], 0);
  }
}
END_TEST

/* Sizes that no release has, the last two as they come from memory that was never initialized. */
static const size_t impossible[] = {0,
                                    1,
                                    sizeof(size_t),
                                    least - 1,
                                    least + 1,
                                    sizeof(now_options) + sizeof(size_t) / 2,
                                    NSD_SIZED_MOST + sizeof(size_t),
                                    SIZE_MAX - 7,
                                    SIZE_MAX};
enum { impossible_count = sizeof impossible / sizeof *impossible };

START_TEST(init_without_defaults_is_all_zero)
{
  now_options options;
  const now_options zero = {.size = sizeof zero};
  memset(&options, 0xa5, sizeof options);
  ck_assert_int_eq(nsd_sized_init(&options, sizeof options, least, NULL, sizeof options), NSDYN_OK);
  ck_assert_mem_eq(&options, &zero, sizeof options);
  new_options longer;
  const new_options nothing = {.size = sizeof nothing};
  memset(&longer, 0xa5, sizeof longer);
  ck_assert_int_eq(nsd_sized_init(&longer, sizeof longer, least, NULL, sizeof options), NSDYN_OK);
  ck_assert_mem_eq(&longer, &nothing, sizeof longer);
}
END_TEST

START_TEST(init_refuses_impossible_sizes_and_null)
{
  unsigned char before[sizeof(now_options)];
  now_options options;
  memset(&options, 0xa5, sizeof options);
  memcpy(before, &options, sizeof before);
  for (int i = 0; i < impossible_count; i++) {
    ck_assert_int_eq(nsd_sized_init(&options, impossible[i], least, &defaults, sizeof defaults),
                     NSDYN_ERR_STRUCT_SIZE);
    ck_assert_mem_eq(&options, before, sizeof before);
  }
  ck_assert_int_eq(nsd_sized_init(NULL, sizeof options, least, &defaults, sizeof defaults),
                   NSDYN_ERR_ARGUMENT);
}
END_TEST

START_TEST(read_of_the_same_release)
{
  const now_options given = {sizeof given, 0.0, 7};
  now_options own;
  ck_assert_int_eq(read_into(&own, &given, NULL), NSDYN_OK);
  ck_assert_mem_eq(&own, &given, sizeof own);
}
END_TEST

START_TEST(read_of_an_older_caller_keeps_the_defaults_of_later_fields)
{
  const old_options given = {sizeof given, 0.5};
  now_options own;
  ck_assert_int_eq(read_into(&own, &given, NULL), NSDYN_OK);
  ck_assert_uint_eq(own.size, sizeof own);
  ck_assert(own.tolerance == 0.5);
  ck_assert_int_eq(own.limit, 100);
}
END_TEST

START_TEST(read_of_a_newer_caller_with_a_zero_tail)
{
  new_options given;
  memset(&given, 0, sizeof given);
  given.size = sizeof given;
  given.tolerance = 0.5;
  given.limit = 8;
  now_options own;
  ck_assert_int_eq(read_into(&own, &given, NULL), NSDYN_OK);
  ck_assert_uint_eq(own.size, sizeof own);
  ck_assert(own.tolerance == 0.5);
  ck_assert_int_eq(own.limit, 8);
}
END_TEST

/* Each byte of the unknown tail alone is seen, and named. */
START_TEST(read_refuses_what_it_is_too_old_to_know)
{
  for (size_t byte = sizeof(now_options); byte < sizeof(new_options); byte++) {
    unsigned char given[sizeof(new_options)] = {0};
    const size_t size = sizeof given;
    memcpy(given, &size, sizeof size);
    given[byte] = 1;
    nsd_fault fault;
    nsd_fault_clear(&fault);
    now_options own;
    ck_assert_int_eq(read_into(&own, given, &fault), NSDYN_ERR_STRUCT_TOO_NEW);
    ck_assert_mem_eq(&own, &defaults, sizeof own);
    ck_assert_int_eq(fault.status, NSDYN_ERR_STRUCT_TOO_NEW);
    ck_assert_int_eq(fault.detail.kind, NSDYN_DETAIL_FIELD);
    ck_assert_int_eq(fault.detail.index, (int32_t)byte);
    ck_assert_ptr_nonnull(strstr(fault.message, "nsdyn_options"));
  }
}
END_TEST

START_TEST(read_refuses_impossible_sizes)
{
  for (int i = 0; i < impossible_count; i++) {
    now_options given = {impossible[i], 0.5, 8};
    nsd_fault fault;
    nsd_fault_clear(&fault);
    now_options own;
    ck_assert_int_eq(read_into(&own, &given, &fault), NSDYN_ERR_STRUCT_SIZE);
    ck_assert_mem_eq(&own, &defaults, sizeof own);
    ck_assert_ptr_nonnull(strstr(fault.message, "nsdyn_options_init"));
    ck_assert_int_eq(read_into(&own, &given, NULL), NSDYN_ERR_STRUCT_SIZE);
  }
}
END_TEST

static nsdyn_status now_options_init(now_options *options, size_t size)
{
  return nsd_sized_init(options, size, least, &defaults, sizeof defaults);
}

START_TEST(a_struct_is_read_over_its_defaults)
{
  now_options own;
  memset(&own, 0xa5, sizeof own);
  const old_options old = {sizeof old, 0.5};
  ck_assert_int_eq(NSD_SIZED_READ(now_options, &own, least, &old, NULL), NSDYN_OK);
  ck_assert_uint_eq(own.size, sizeof own);
  ck_assert(own.tolerance == 0.5);
  ck_assert_int_eq(own.limit, 100);
  nsd_fault fault;
  const old_options bad = {3, 0.5};
  ck_assert_int_eq(NSD_SIZED_READ(now_options, &own, least, &bad, &fault), NSDYN_ERR_STRUCT_SIZE);
  ck_assert_ptr_nonnull(strstr(fault.message, "call now_options_init first"));
}
END_TEST

START_TEST(read_of_null_leaves_the_defaults)
{
  now_options own;
  ck_assert_int_eq(read_into(&own, NULL, NULL), NSDYN_OK);
  ck_assert_mem_eq(&own, &defaults, sizeof own);
}
END_TEST

START_TEST(write_serves_all_three_releases)
{
  const now_options own = {sizeof own, 0.25, -3};
  struct {
    old_options report;
    unsigned char behind[16];
  } old;
  memset(&old, 0xa5, sizeof old);
  old.report.size = sizeof old.report;
  ck_assert_int_eq(nsd_sized_write(&old.report, least, &own, sizeof own), NSDYN_OK);
  ck_assert_uint_eq(old.report.size, sizeof old.report);
  ck_assert(old.report.tolerance == 0.25);
  for (size_t i = 0; i < sizeof old.behind; i++) {
    ck_assert_uint_eq(old.behind[i], 0xa5);
  }

  now_options now = {sizeof now, 0.0, 0};
  ck_assert_int_eq(nsd_sized_write(&now, least, &own, sizeof own), NSDYN_OK);
  ck_assert_mem_eq(&now, &own, sizeof own);

  new_options new;
  memset(&new, 0xa5, sizeof new);
  new.size = sizeof new;
  ck_assert_int_eq(nsd_sized_write(&new, least, &own, sizeof own), NSDYN_OK);
  ck_assert_uint_eq(new.size, sizeof new);
  ck_assert(new.tolerance == 0.25);
  ck_assert_int_eq(new.limit, -3);
  ck_assert(new.damping == 0.0);
  ck_assert_ptr_null(new.user);
}
END_TEST

START_TEST(write_refuses_impossible_sizes_and_null)
{
  for (int i = 0; i < impossible_count; i++) {
    now_options given = {impossible[i], 0.5, 8};
    ck_assert_int_eq(nsd_sized_write(&given, least, &defaults, sizeof defaults), NSDYN_ERR_STRUCT_SIZE);
    ck_assert_uint_eq(given.size, impossible[i]);
    ck_assert(given.tolerance == 0.5);
    ck_assert_int_eq(given.limit, 8);
  }
  ck_assert_int_eq(nsd_sized_write(NULL, least, &defaults, sizeof defaults), NSDYN_ERR_ARGUMENT);
}
END_TEST

/* Random sizes and contents against the rule in one sentence: byte i of the result is the caller's
 * where both know it, else the default's. Exact heap blocks, so that ASan sees any step outside. */
START_TEST(any_size_follows_the_rule)
{
  const int cases = random_cases(2000);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    const size_t word = sizeof(size_t);
    const size_t own_size = (2 + (size_t)random_below(&random, 30)) * word;
    const size_t first = (2 + (size_t)random_below(&random, (int)(own_size / word) - 1)) * word;
    const size_t size = first + (size_t)random_below(&random, 40) * word;
    unsigned char *own = malloc(own_size);
    unsigned char *given = malloc(size);
    unsigned char initial[32 * sizeof(size_t)];
    for (size_t i = 0; i < own_size; i++) {
      own[i] = initial[i] = (unsigned char)random_bits(&random);
    }
    for (size_t i = 0; i < size; i++) {
      given[i] = i < own_size ? (unsigned char)random_bits(&random) : 0;
    }
    memcpy(given, &size, word);
    ck_assert_int_eq(nsd_sized_read(own, own_size, first, given, "nsdyn_x", NULL), NSDYN_OK);
    size_t wrong = 0;
    for (size_t i = 0; i < own_size; i++) {
      wrong += own[i] != (i >= word && i < size ? given[i] : initial[i]);
    }
    ck_assert_msg(wrong == 0, "seed %d: read gave %zu wrong bytes", k, wrong);
    ck_assert_int_eq(nsd_sized_write(given, first, own, own_size), NSDYN_OK);
    for (size_t i = word; i < size; i++) {
      wrong += given[i] != (i < own_size ? own[i] : 0);
    }
    ck_assert_msg(wrong == 0, "seed %d: write gave %zu wrong bytes", k, wrong);
    free(given);
    free(own);
  }
}
END_TEST

START_TEST(least_sizes_are_those_of_the_structs)
{
  ck_assert_uint_le(NSD_DETAIL_LEAST, sizeof(nsdyn_detail));
  ck_assert_uint_le(NSD_CONTEXT_DEF_LEAST, sizeof(nsdyn_context_def));
  ck_assert_uint_eq(NSD_SIZE_THROUGH(now_options, limit), sizeof(now_options));
  ck_assert_uint_eq(NSD_SIZE_THROUGH(now_options, tolerance), sizeof(old_options));
}
END_TEST

SUITE("base/sized", TEST(init_of_the_same_release), TEST(init_of_an_older_caller_stays_within_its_struct),
      TEST(init_of_a_newer_caller_zeroes_what_is_not_known), TEST(init_fills_the_longest_struct_there_may_be),
      TEST(init_without_defaults_is_all_zero), TEST(init_refuses_impossible_sizes_and_null),
      TEST(read_of_the_same_release), TEST(read_of_an_older_caller_keeps_the_defaults_of_later_fields),
      TEST(read_of_a_newer_caller_with_a_zero_tail), TEST(read_refuses_what_it_is_too_old_to_know),
      TEST(read_refuses_impossible_sizes), TEST(read_of_null_leaves_the_defaults),
      TEST(a_struct_is_read_over_its_defaults), TEST(write_serves_all_three_releases),
      TEST(write_refuses_impossible_sizes_and_null), TEST(any_size_follows_the_rule),
      TEST(least_sizes_are_those_of_the_structs))
