/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Lists and proofs against the judge without tolerances: no list that is called complete is not, no proof is
 * none, and nothing of this size stays undecided. NSDYN_TEST_SCALE multiplies the cases. */
#include "support/counting.h"

#include <string.h>

#include "suite.h"

static void count_all(int classes, const char *(*name)(int), void (*one)(int, uint64_t, counting *),
                      int cases)
{
  counting_print("class", NULL);
  for (int k = 0; k < classes; k++) {
    counting sum = {.cases = 0};
    for (int i = 0; i < random_cases(cases); i++) {
      one(k, (uint64_t)i, &sum);
    }
    counting_print(name(k), &sum);
    ck_assert_msg(sum.false_lists == 0, "%s: false list at seed %lu", name(k), (unsigned long)sum.first_bad);
    ck_assert_msg(sum.false_proofs == 0, "%s: false proof at seed %lu", name(k),
                  (unsigned long)sum.first_bad);
    ck_assert_msg(sum.undecided == 0, "%s: %d undecided", name(k), sum.undecided);
    /* Where a body has few ways to move, rounding alone may give G its rank: the only impulses are then so
     * large that c is rounding beside them, which the enumeration lists and the solver does not call an
     * answer. */
    const int is_regular = !strstr(name(k), "rank");
    ck_assert_int_le((is_regular ? 200 : 50) * sum.unsolved, sum.cases);
  }
}

START_TEST(complementarity_problems)
{
  count_all(counting_lcp_classes(), counting_lcp_name, counting_lcp, 150);
}
END_TEST

START_TEST(contact_problems)
{
  count_all(counting_contact_classes(), counting_contact_name, counting_contact, 40);
}
END_TEST

SUITE("support/counting", TEST(complementarity_problems), TEST(contact_problems))
