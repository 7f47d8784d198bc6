/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "suite.h"

#include <stdlib.h>

static double test_scale(void)
{
  const char *scale = getenv("NSDYN_TEST_SCALE");
  return scale ? strtod(scale, NULL) : 1.0;
}

int random_cases(int base)
{
  const double cases = base * test_scale();
  return cases < 1.0 ? 1 : (int)cases;
}

int is_common(int met, int cases, int of)
{
  return cases < 5 * of || (double)met * of > cases;
}

int is_brief(void)
{
  return test_scale() < 0.015;
}

int is_quick(void)
{
  return test_scale() <= 0.1;
}

int main(void)
{
  Suite *suite = suite_create(suite_name);
  for (int i = 0; i < suite_count; i++) {
    TCase *test_case = tcase_create(suite_tests[i].name);
    tcase_set_timeout(test_case, 240.0);
    tcase_add_test(test_case, *suite_tests[i].test);
    suite_add_tcase(suite, test_case);
  }
  SRunner *runner = srunner_create(suite);
  srunner_set_tap(runner, "-");
  srunner_run_all(runner, CK_SILENT);
  const int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
