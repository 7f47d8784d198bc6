/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <ctype.h>
#include <string.h>

#include "enumerators.h" /* written at build from the public headers: every enumerator there is */
#include "nsdyn/base.h"
#include "suite.h"

START_TEST(every_status_of_the_header_has_its_name)
{
  ck_assert_int_ge(nsdyn_status_code_count, 19);
  for (int i = 0; i < nsdyn_status_code_count; i++) {
    const enumerator *e = &nsdyn_status_code_all[i];
    ck_assert_str_eq(nsdyn_status_name((nsdyn_status)e->value), e->name);
  }
}
END_TEST

START_TEST(numbers_are_all_different)
{
  for (int i = 0; i < nsdyn_status_code_count; i++) {
    for (int j = 0; j < i; j++) {
      ck_assert_msg(nsdyn_status_code_all[i].value != nsdyn_status_code_all[j].value, "%s and %s",
                    nsdyn_status_code_all[i].name, nsdyn_status_code_all[j].name);
    }
  }
}
END_TEST

/* Errors, and only they, are negative and called ERR; 1 … 15 are kept for what stopped early. */
START_TEST(signs_say_what_names_say)
{
  for (int i = 0; i < nsdyn_status_code_count; i++) {
    const enumerator *e = &nsdyn_status_code_all[i];
    ck_assert_msg((strncmp(e->name, "NSDYN_ERR_", 10) == 0) == (e->value < 0), "%s = %lld", e->name,
                  e->value);
  }
  ck_assert_int_eq(NSDYN_OK, 0);
}
END_TEST

START_TEST(texts_are_sentences_of_their_own)
{
  for (int i = 0; i < nsdyn_status_code_count; i++) {
    const char *text = nsdyn_status_text((nsdyn_status)nsdyn_status_code_all[i].value);
    ck_assert_ptr_nonnull(text);
    ck_assert_uint_ge(strlen(text), 4);
    ck_assert_msg(!ispunct((unsigned char)text[strlen(text) - 1]), "'%s' goes into other texts", text);
    ck_assert_ptr_null(strchr(text, '\n'));
    for (int j = 0; j < i; j++) {
      ck_assert_str_ne(text, nsdyn_status_text((nsdyn_status)nsdyn_status_code_all[j].value));
    }
  }
}
END_TEST

START_TEST(numbers_that_are_no_status)
{
  for (nsdyn_status status = -1000; status <= 1000; status++) {
    int known = 0;
    for (int i = 0; i < nsdyn_status_code_count; i++) {
      known |= nsdyn_status_code_all[i].value == status;
    }
    ck_assert_int_eq(strcmp(nsdyn_status_name(status), "NSDYN_UNKNOWN") == 0, !known);
    ck_assert_int_eq(strcmp(nsdyn_status_text(status), "not a status of this library") == 0, !known);
  }
  ck_assert_str_eq(nsdyn_status_name(INT32_MIN), "NSDYN_UNKNOWN");
  ck_assert_str_eq(nsdyn_status_name(INT32_MAX), "NSDYN_UNKNOWN");
}
END_TEST

SUITE("base/status", TEST(every_status_of_the_header_has_its_name), TEST(numbers_are_all_different),
      TEST(signs_say_what_names_say), TEST(texts_are_sentences_of_their_own),
      TEST(numbers_that_are_no_status))
