/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "base/failure.h"

#include <string.h>

#include "suite.h"

static nsd_fault dirty_fault(void)
{
  nsd_fault fault;
  memset(&fault, 0xa5, sizeof fault);
  return fault;
}

static void check_clear(const nsd_fault *fault)
{
  ck_assert_int_eq(fault->status, NSDYN_OK);
  ck_assert_uint_eq(fault->detail.size, sizeof(nsdyn_detail));
  ck_assert_int_eq(fault->detail.kind, NSDYN_DETAIL_NONE);
  ck_assert_int_eq(fault->detail.index, -1);
  ck_assert_int_eq(fault->detail.key, 0);
  ck_assert_str_eq(fault->message, "");
}

START_TEST(clear_means_nothing_went_wrong)
{
  nsd_fault fault = dirty_fault();
  nsd_fault_clear(&fault);
  check_clear(&fault);
  nsd_fault_set(&fault, NSDYN_ERR_SINGULAR, NSDYN_DETAIL_COLUMN, 4, "column 4");
  nsd_fault_clear(&fault);
  check_clear(&fault);
}
END_TEST

START_TEST(set_stores_everything_and_returns_the_status)
{
  nsd_fault fault = dirty_fault();
  ck_assert_int_eq(nsd_fault_set(&fault, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_CONTACT, 2,
                                 "contact %d: restitution %s is outside [0, 1]", 2, "1.4"),
                   NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(fault.status, NSDYN_ERR_ARGUMENT);
  ck_assert_uint_eq(fault.detail.size, sizeof(nsdyn_detail));
  ck_assert_int_eq(fault.detail.kind, NSDYN_DETAIL_CONTACT);
  ck_assert_int_eq(fault.detail.index, 2);
  ck_assert_int_eq(fault.detail.key, 0);
  ck_assert_str_eq(fault.message, "contact 2: restitution 1.4 is outside [0, 1]");
}
END_TEST

START_TEST(the_last_failure_counts)
{
  nsd_fault fault;
  nsd_fault_clear(&fault);
  nsd_fault_set(&fault, NSDYN_ERR_SINGULAR, NSDYN_DETAIL_ROW, 7, "a longer message than the next one");
  fault.detail.key = 99;
  nsd_fault_set(&fault, NSDYN_UNDECIDED, NSDYN_DETAIL_NONE, -1, "ray");
  ck_assert_int_eq(fault.status, NSDYN_UNDECIDED);
  ck_assert_int_eq(fault.detail.index, -1);
  ck_assert_int_eq(fault.detail.key, 0);
  ck_assert_str_eq(fault.message, "ray");
}
END_TEST

START_TEST(null_keeps_only_the_status)
{
  nsd_fault_clear(NULL);
  ck_assert_int_eq(nsd_fault_set(NULL, NSDYN_ERR_NOMEM, NSDYN_DETAIL_NONE, -1, "%s", "gone"),
                   NSDYN_ERR_NOMEM);
}
END_TEST

START_TEST(an_index_stops_at_the_ends_of_its_type)
{
  static const struct {
    int64_t given;
    int32_t stored;
  } cases[] = {{0, 0},
               {-1, -1},
               {INT32_MAX, INT32_MAX},
               {INT32_MIN, INT32_MIN},
               {(int64_t)INT32_MAX + 1, INT32_MAX},
               {(int64_t)INT32_MIN - 1, INT32_MIN},
               {INT64_MAX, INT32_MAX},
               {INT64_MIN, INT32_MIN}};
  nsd_fault fault;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    nsd_fault_set(&fault, NSDYN_ERR_TOO_LARGE, NSDYN_DETAIL_ROW, cases[i].given, "row");
    ck_assert_int_eq(fault.detail.index, cases[i].stored);
  }
}
END_TEST

START_TEST(a_long_message_is_cut_and_ended)
{
  nsd_fault fault = dirty_fault();
  char text[1000];
  memset(text, 'a', sizeof text - 1);
  text[sizeof text - 1] = '\0';
  nsd_fault_set(&fault, NSDYN_ERR_SYNTAX, NSDYN_DETAIL_LINE, 1, "%s", text);
  ck_assert_uint_eq(strlen(fault.message), sizeof fault.message - 1);
  text[sizeof fault.message - 1] = '\0';
  ck_assert_str_eq(fault.message, text);
}
END_TEST

/* Length of the UTF-8 character at `text`, 0 where it is broken. */
static size_t character_length(const char *text)
{
  const unsigned char lead = (unsigned char)text[0];
  const size_t length = lead < 0x80 ? 1 : lead < 0xc0 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  for (size_t i = 1; i < length; i++) {
    if (((unsigned char)text[i] & 0xc0u) != 0x80u) {
      return 0;
    }
  }
  return length;
}

/* Characters of one to four bytes, moved byte by byte across the place of the cut. */
START_TEST(a_cut_never_falls_into_a_character)
{
  static const char *const characters[] = {"x", "\xc2\xb5", "\xe2\x8a\xa5", "\xf0\x9d\x92\xa9"};
  for (size_t c = 0; c < sizeof characters / sizeof *characters; c++) {
    for (int shift = 0; shift < 5; shift++) {
      char text[1000] = "abcd";
      const size_t step = strlen(characters[c]);
      for (size_t at = (size_t)shift; at + step < sizeof text; at += step) {
        memcpy(text + at, characters[c], step + 1);
      }
      nsd_fault fault = dirty_fault();
      nsd_fault_set(&fault, NSDYN_ERR_SYNTAX, NSDYN_DETAIL_LINE, 1, "%s", text);
      const size_t length = strlen(fault.message);
      ck_assert_uint_gt(length + 5, sizeof fault.message - 1);
      for (size_t at = 0; at < length;) {
        const size_t bytes = character_length(fault.message + at);
        ck_assert_msg(bytes > 0, "character %zu, shift %d: broken at byte %zu", c, shift, at);
        at += bytes;
      }
    }
  }
}
END_TEST

START_TEST(detail_goes_out_through_its_size)
{
  nsd_fault fault;
  nsd_fault_set(&fault, NSDYN_ERR_CALLBACK, NSDYN_DETAIL_CALLBACK, -5, "gap returned -5");
  fault.detail.key = 1234567890123;
  nsdyn_detail detail;
  ck_assert_int_eq(nsdyn_detail_init(&detail, sizeof detail), NSDYN_OK);
  ck_assert_int_eq(detail.index, -1);
  ck_assert_int_eq(nsd_fault_detail(&fault, &detail), NSDYN_OK);
  ck_assert_int_eq(detail.kind, NSDYN_DETAIL_CALLBACK);
  ck_assert_int_eq(detail.index, -5);
  ck_assert_int_eq(detail.key, 1234567890123);
  detail.size = 0;
  ck_assert_int_eq(nsd_fault_detail(&fault, &detail), NSDYN_ERR_STRUCT_SIZE);
  ck_assert_int_eq(nsd_fault_detail(&fault, NULL), NSDYN_ERR_ARGUMENT);
}
END_TEST

START_TEST(detail_init_checks_its_arguments)
{
  nsdyn_detail detail;
  ck_assert_int_eq(nsdyn_detail_init(NULL, sizeof detail), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_detail_init(&detail, sizeof detail - 8), NSDYN_ERR_STRUCT_SIZE);
}
END_TEST

SUITE("base/failure", TEST(clear_means_nothing_went_wrong),
      TEST(set_stores_everything_and_returns_the_status), TEST(the_last_failure_counts),
      TEST(null_keeps_only_the_status), TEST(an_index_stops_at_the_ends_of_its_type),
      TEST(a_long_message_is_cut_and_ended), TEST(a_cut_never_falls_into_a_character),
      TEST(detail_goes_out_through_its_size), TEST(detail_init_checks_its_arguments))
