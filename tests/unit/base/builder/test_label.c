/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "base/builder/label.h"

#include <string.h>

#include "suite.h"

/* Characters of one to four bytes: the copy is the longest beginning of whole ones that has room. */
START_TEST(names_are_cut_between_characters)
{
  static const char *const characters[] = {"a", "\xc3\xa4", "\xe2\x82\xac", "\xf0\x9f\x8c\x8d"};
  for (int k = 0; k < random_cases(2000); k++) {
    random_state random = random_seed((uint64_t)k);
    char given[120] = "", expected[NSD_NAME_LENGTH] = "", own[NSD_NAME_LENGTH];
    int is_whole = 1;
    for (int i = random_below(&random, 25); i > 0; i--) {
      const char *one = characters[random_below(&random, 4)];
      strcat(given, one);
      is_whole = is_whole && strlen(expected) + strlen(one) < NSD_NAME_LENGTH;
      strcat(expected, is_whole ? one : "");
    }
    memset(own, 0x55, sizeof own);
    nsd_name_copy(own, given);
    REQUIRE(memcmp(own, expected, sizeof own) == 0, "case %d: '%s' of '%s'", k, own, given);
  }
  char own[NSD_NAME_LENGTH] = "something";
  nsd_name_copy(own, NULL);
  ck_assert_str_eq(own, "");
}
END_TEST

START_TEST(labels_name_and_number)
{
  char text[NSD_LABEL_LENGTH];
  ck_assert_str_eq(nsd_label_text("body", 3, "crate", text), "body 3 (crate)");
  ck_assert_str_eq(nsd_label_text("joint", 0, "", text), "joint 0");
  char own[NSD_NAME_LENGTH];
  nsd_name_copy(own, "the very first of all the bodies here");
  ck_assert_uint_eq(strlen(own), NSD_NAME_LENGTH - 1);
  ck_assert_str_eq(nsd_label_text("body", 16777215, own, text),
                   "body 16777215 (the very first of all the bodie)");
}
END_TEST

SUITE("base/builder/label", TEST(names_are_cut_between_characters), TEST(labels_name_and_number))
