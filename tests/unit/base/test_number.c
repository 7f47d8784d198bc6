/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "base/number.h"

#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "suite.h"

static double read_back(const char *text)
{
  double value = 0.0;
  const char *stop = nsd_number_read(text, text + strlen(text), &value);
  ck_assert_msg(stop == text + strlen(text), "'%s' is not read whole", text);
  return value;
}

START_TEST(what_is_written_reads_back_to_the_bit)
{
  char text[NSD_NUMBER_LENGTH];
  const int cases = random_cases(20000);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    const uint64_t bits = random_bits(&random);
    double value;
    memcpy(&value, &bits, sizeof value);
    if (!isfinite(value)) {
      continue;
    }
    ck_assert_msg(read_back(nsd_number_text(value, text)) == value, "%s, seed %d", text, k);
  }
}
END_TEST

START_TEST(texts_are_short)
{
  char text[NSD_NUMBER_LENGTH];
  ck_assert_str_eq(nsd_number_text(0.1, text), "0.1");
  ck_assert_str_eq(nsd_number_text(-3.0, text), "-3");
  ck_assert_str_eq(nsd_number_text(1e22, text), "1e+22");
  ck_assert_str_eq(nsd_number_text(1.0 / 3.0, text), "0.3333333333333333");
  ck_assert_str_eq(nsd_number_text(5e-324, text), "5e-324");
  ck_assert_str_eq(nsd_number_text(1.5e-323, text), "1.5e-323");
  ck_assert_str_eq(nsd_number_text(-1.234e-320, text), "-1.234e-320");
  ck_assert_str_eq(nsd_number_text(-INFINITY, text), "-inf");
  ck_assert_str_eq(nsd_number_text(NAN, text), "nan");
}
END_TEST

START_TEST(forms_that_are_numbers)
{
  ck_assert(read_back("+.5e1") == 5.0);
  ck_assert(read_back("5.") == 5.0);
  ck_assert(read_back("-0012") == -12.0);
  ck_assert(read_back("1E-3") == 1e-3);
  ck_assert(read_back("-inf") == -INFINITY);
  ck_assert(read_back("+inf") == INFINITY);
  ck_assert(read_back("4e-999") == 0.0);
}
END_TEST

START_TEST(forms_that_are_not)
{
  static const char *const texts[] = {"", "-", ".", "e5", "nan", "1e999", "--1", "0x", "+-inf", "in"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    double value = 7.0;
    const char *end = texts[i] + strlen(texts[i]);
    const char *stop = nsd_number_read(texts[i], end, &value);
    ck_assert_msg(stop != end || stop == texts[i], "'%s' was read as %g", texts[i], value);
  }
}
END_TEST

START_TEST(stops_where_the_number_ends)
{
  const char *text = "1e+ 2";
  double value;
  ck_assert_ptr_eq(nsd_number_read(text, text + 5, &value), text + 1);
  ck_assert_ptr_eq(nsd_number_read("12345", NULL, &value), NULL);
  const char *digits = "12345";
  ck_assert_ptr_eq(nsd_number_read(digits, digits + 2, &value), digits + 2);
  ck_assert(value == 12.0);
}
END_TEST

START_TEST(too_long_to_be_a_number)
{
  char text[2000];
  memset(text, '1', sizeof text);
  double value;
  ck_assert_ptr_null(nsd_number_read(text, text + sizeof text, &value));
}
END_TEST

/* A comma for a decimal point must change nothing. The build makes such a locale for this test and
 * points LOCPATH at it. */
static void use_decimal_comma(void)
{
  static const char *const commas[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "de_DE", "ps_AF.UTF-8"};
  for (size_t i = 0; i < sizeof commas / sizeof *commas; i++) {
    if (setlocale(LC_NUMERIC, commas[i]) && strcmp(localeconv()->decimal_point, ".") != 0) {
      return;
    }
  }
  ck_abort_msg("no locale with a decimal comma: install localedef and the locale sources (package locales), "
               "then set up the build folder anew");
}

START_TEST(independent_of_the_locale)
{
  use_decimal_comma();
  char printed[8];
  snprintf(printed, sizeof printed, "%.1f", 0.5);
  ck_assert_msg(strcmp(printed, "0.5") != 0, "printf ignores the locale");
  char text[NSD_NUMBER_LENGTH];
  ck_assert_str_eq(nsd_number_text(0.25, text), "0.25");
  ck_assert_str_eq(nsd_number_text(1.5e-7, text), "1.5e-07");
  ck_assert(read_back("0.25") == 0.25);
  ck_assert(read_back("-1.25e2") == -125.0);
  double value = 0.0;
  const char *comma = "0,25"; /* the comma ends the number here as elsewhere */
  ck_assert_ptr_eq(nsd_number_read(comma, comma + 4, &value), comma + 1);
  ck_assert(value == 0.0);
  setlocale(LC_NUMERIC, "C");
}
END_TEST

SUITE("base/number", TEST(what_is_written_reads_back_to_the_bit), TEST(texts_are_short),
      TEST(forms_that_are_numbers), TEST(forms_that_are_not), TEST(stops_where_the_number_ends),
      TEST(too_long_to_be_a_number), TEST(independent_of_the_locale))
