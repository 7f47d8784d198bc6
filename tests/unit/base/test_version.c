/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdio.h>

#include "nsdyn/version.h"
#include "suite.h"

START_TEST(text_and_numbers_agree_with_the_build)
{
  int major, minor, micro;
  char text[64];
  nsdyn_version(&major, &minor, &micro);
  snprintf(text, sizeof text, "%d.%d.%d", major, minor, micro);
  ck_assert_str_eq(text, NSD_PROJECT_VERSION);
  ck_assert_str_eq(text, NSDYN_VERSION_STRING);
  ck_assert_str_eq(nsdyn_version_string(), text);
}
END_TEST

START_TEST(each_number_may_be_left_out)
{
  int minor = -1;
  nsdyn_version(NULL, &minor, NULL);
  ck_assert_int_eq(minor, NSDYN_VERSION_MINOR);
}
END_TEST

SUITE("base/version", TEST(text_and_numbers_agree_with_the_build), TEST(each_number_may_be_left_out))
