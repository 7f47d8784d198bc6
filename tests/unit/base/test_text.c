/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "base/text.h"

#include <math.h>
#include <string.h>

#include "suite.h"

START_TEST(words_with_their_lines)
{
  static const char text[] = "one # two\n\tthree four#five\r\n\n six";
  static const char *const words[] = {"one", "three", "four", "six"};
  static const int lines[] = {1, 2, 2, 4};
  nsd_scanner s = nsd_scanner_of(text, strlen(text), NULL, NULL);
  for (int k = 0; k < 4; k++) {
    ck_assert(nsd_scanner_next(&s));
    ck_assert(nsd_scanner_is(&s, words[k]) && !nsd_scanner_is(&s, "thre") && !nsd_scanner_is(&s, "fours"));
    ck_assert_int_eq(s.line, lines[k]);
  }
  ck_assert(!nsd_scanner_next(&s) && !s.word && s.length == 0);
  s = nsd_scanner_of(NULL, 0, NULL, NULL);
  ck_assert(!nsd_scanner_next(&s));
}
END_TEST

START_TEST(counts_up_to_an_int)
{
  static const struct {
    const char *text;
    nsdyn_status status;
    int count;
  } cases[] = {{"0", NSDYN_OK, 0},
               {"007", NSDYN_OK, 7},
               {"2147483647", NSDYN_OK, 2147483647},
               {"2147483648", NSDYN_ERR_TOO_LARGE, 0},
               {"99999999999999999999", NSDYN_ERR_TOO_LARGE, 0},
               {"-1", NSDYN_ERR_SYNTAX, 0},
               {"+1", NSDYN_ERR_SYNTAX, 0},
               {"1.", NSDYN_ERR_SYNTAX, 0},
               {"", NSDYN_ERR_SYNTAX, 0}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    nsd_fault fault;
    nsd_fault_clear(&fault);
    nsd_scanner s = nsd_scanner_of(cases[k].text, strlen(cases[k].text), &fault, NULL);
    int count = 0;
    ck_assert_msg(nsd_scanner_read_count(&s, "things", &count) == cases[k].status, "%s", cases[k].text);
    ck_assert_int_eq(count, cases[k].count);
    ck_assert(!cases[k].status || strstr(fault.message, "things"));
  }
}
END_TEST

START_TEST(numbers_and_where_they_belong)
{
  static const char text[] = "1.5 -inf x inf";
  nsd_fault fault;
  nsd_fault_clear(&fault);
  nsd_scanner s = nsd_scanner_of(text, strlen(text), &fault, NULL);
  double value;
  ck_assert_uint_eq(nsd_scanner_numbers_left(&s), strlen(text) / 2);
  ck_assert_int_eq(nsd_scanner_read_finite(&s, (nsd_text_place){"a", -1, -1}, &value), NSDYN_OK);
  ck_assert(value == 1.5);
  ck_assert_int_eq(nsd_scanner_read(&s, (nsd_text_place){"a", -1, -1}, &value), NSDYN_OK);
  ck_assert(value == -INFINITY);
  ck_assert_int_eq(nsd_scanner_read(&s, (nsd_text_place){"a", 3, -1}, &value), NSDYN_ERR_SYNTAX);
  ck_assert_str_eq(fault.message, "line 1: 'x' in a, row 3: not a number that a double holds");
  ck_assert_int_eq(nsd_scanner_read_finite(&s, (nsd_text_place){"mu", -1, -1}, &value), NSDYN_ERR_SYNTAX);
  ck_assert_str_eq(fault.message, "line 1: 'inf' in mu: must be finite");
  ck_assert_int_eq(nsd_scanner_read(&s, (nsd_text_place){"a", 3, 4}, &value), NSDYN_ERR_SYNTAX);
  ck_assert_str_eq(fault.message, "line 1: the text ends before a, row 3, column 4: a number is missing");
}
END_TEST

START_TEST(what_does_not_fit_is_counted)
{
  static const char whole[] = "n 12\n0.1 -0 1e+300\n";
  char text[32];
  for (size_t size = 0; size <= sizeof text; size++) {
    memset(text, '!', sizeof text);
    nsd_writer w = nsd_writer_of(size ? text : NULL, size);
    nsd_writer_put(&w, "n ");
    nsd_writer_put_count(&w, 12);
    nsd_writer_put(&w, "\n");
    nsd_writer_put_row(&w, 3, (const double[]){0.1, -0.0, 1e300});
    ck_assert_uint_eq(nsd_writer_end(&w), sizeof whole);
    const size_t shown = size == 0 ? 0 : size < sizeof whole ? size - 1 : sizeof whole - 1;
    ck_assert(size == 0 || (memcmp(text, whole, shown) == 0 && text[shown] == '\0'));
    ck_assert(size >= sizeof text || text[size] == '!');
  }
  nsd_writer full = {.length = SIZE_MAX - 2};
  nsd_writer_put(&full, "too much");
  ck_assert_uint_eq(nsd_writer_end(&full), 0);
}
END_TEST

SUITE("base/text", TEST(words_with_their_lines), TEST(counts_up_to_an_int),
      TEST(numbers_and_where_they_belong), TEST(what_does_not_fit_is_counted))
