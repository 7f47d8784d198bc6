/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The table of methods: complete, and what it says of bounds is what the methods do. */
#include "lcp/methods.h"

#include <math.h>
#include <string.h>

#include "solving.h"

/* Every enumerator has a line; no two have one name; each but automatic can be run. */
START_TEST(every_method_has_a_line)
{
  ck_assert_int_eq(nsd_lcp_method_count, NSDYN_LCP_MARQUARDT_PROJECTED + 1);
  for (int k = 0; k < nsd_lcp_method_count; k++) {
    const nsd_lcp_method *method = &nsd_lcp_methods[k];
    ck_assert_msg(method->name && *method->name, "method %d has no name", k);
    ck_assert_msg(k == NSDYN_LCP_AUTOMATIC || method->run, "%s cannot be run", method->name);
    for (int other = 0; other < k; other++) {
      ck_assert_str_ne(method->name, nsd_lcp_methods[other].name);
    }
  }
}
END_TEST

/* x1 in [0, 1] with y1 = 2 x1 − 4, x2 free with y2 = x2 + 3: the solution is (1, −3). A method that takes no
 * bounds refuses the problem by its name. */
START_TEST(what_takes_bounds_solves_with_them)
{
  const double A[4] = {2.0, 0.0, 0.0, 1.0}, b[2] = {-4.0, 3.0}, lo[2] = {0.0, -INFINITY},
               hi[2] = {1.0, INFINITY};
  for (int k = 0; k < nsd_lcp_method_count; k++) {
    nsdyn_lcp_options options;
    nsdyn_lcp_options_init(&options, sizeof options);
    options.method = k;
    nsdyn_lcp *lcp = NULL;
    double x[2] = {7.0, 7.0};
    ck_assert_int_eq(nsdyn_lcp_new(NULL, &options, &lcp, NULL), NSDYN_OK);
    const nsdyn_status status = nsdyn_lcp_solve_mixed(lcp, 2, A, 2, b, lo, hi, x, NULL);
    if (nsd_lcp_methods[k].takes_bounds) {
      ck_assert_msg(status == NSDYN_OK, "%s: %s", nsd_lcp_methods[k].name, nsdyn_lcp_message(lcp));
      ck_assert_msg(fabs(x[0] - 1.0) < 1e-9 && fabs(x[1] + 3.0) < 1e-9, "%s: x = (%g, %g)",
                    nsd_lcp_methods[k].name, x[0], x[1]);
    } else {
      ck_assert_int_eq(status, NSDYN_ERR_UNSUPPORTED);
      ck_assert_msg(strstr(nsdyn_lcp_message(lcp), nsd_lcp_methods[k].name) != NULL, "%s",
                    nsdyn_lcp_message(lcp));
      ck_assert(x[0] == 7.0 && x[1] == 7.0);
    }
    nsdyn_lcp_free(lcp);
  }
}
END_TEST

SUITE("lcp/methods", TEST(every_method_has_a_line), TEST(what_takes_bounds_solves_with_them))
