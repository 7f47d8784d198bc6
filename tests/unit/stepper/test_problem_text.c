/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "nsdyn/lcp.h"
#include "stepping.h"

/* The text is the step's problem: solved as an LCP, it gives the step's impulses. */
START_TEST(the_text_has_the_steps_solution)
{
  for (int bilateral = 0; bilateral < 2; bilateral++) {
    model m;
    make_block(&m, 8.0, -19.62, 0.3);
    if (bilateral) {
      m.contact[0].law.friction = NSDYN_FRICTION_BOUND;
      m.contact[0].law.bound = 3.0;
    }
    nsdyn_stepper *s = stepper_of(&m, 0, 0, NULL);
    ck_assert_uint_eq(nsdyn_stepper_write_problem(s, NULL, 0), 0);
    run(s, 0.01, 1);
    const size_t bytes = nsdyn_stepper_write_problem(s, NULL, 0);
    ck_assert_uint_gt(bytes, 1);
    char *text = malloc(bytes);
    ck_assert_ptr_nonnull(text);
    ck_assert_uint_eq(nsdyn_stepper_write_problem(s, text, bytes), bytes);
    ck_assert_uint_eq(strlen(text), bytes - 1);
    nsdyn_lcp *lcp;
    int n;
    double A[9], b[3], lo[3], hi[3], x[3];
    ck_assert_int_eq(nsdyn_lcp_new(NULL, NULL, &lcp, NULL), NSDYN_OK);
    ck_assert_int_eq(nsdyn_lcp_read_text(lcp, text, bytes - 1, &n, NULL, 0, NULL, NULL, NULL), NSDYN_OK);
    ck_assert_int_eq(n, bilateral ? 2 : 3);
    ck_assert_int_eq(nsdyn_lcp_read_text(lcp, text, bytes - 1, &n, A, n, b, lo, hi), NSDYN_OK);
    ck_assert_int_eq(nsdyn_lcp_solve_mixed(lcp, n, A, n, b, lo, hi, x, NULL), NSDYN_OK);
    ck_assert_double_eq_tol(x[0], state_of(s, 0).impulse[0], 1e-15);
    const double tangential = bilateral ? x[1] : x[1] - 0.3 * x[0];
    ck_assert_double_eq_tol(tangential, state_of(s, 0).impulse[1], 1e-15);
    nsdyn_lcp_free(lcp);
    free(text);
    nsdyn_stepper_free(s);
  }
}
END_TEST

START_TEST(without_contacts_there_is_none)
{
  model m;
  make_block(&m, 8.0, -19.62, 0.3);
  m.contact[0].g0 = 5.0;
  nsdyn_stepper *s = stepper_of(&m, 0, 0, NULL);
  run(s, 0.01, 1);
  ck_assert_uint_eq(nsdyn_stepper_write_problem(s, NULL, 0), 0);
  ck_assert_uint_eq(nsdyn_stepper_write_problem(NULL, NULL, 0), 0);
  nsdyn_stepper_free(s);
}
END_TEST

SUITE("stepper/problem_text", TEST(the_text_has_the_steps_solution), TEST(without_contacts_there_is_none))
