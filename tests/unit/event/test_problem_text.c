/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdlib.h>
#include <string.h>

#include "event_models.h"
#include "nsdyn/lcp.h"

/* Painlevé's rod at a state with two answers: the text has both. */
START_TEST(the_problem_of_an_ambiguity_can_be_written)
{
  exact_rod rod = {.m = 1.0, .l = 1.0, .mu = 2.0, .g = 9.81};
  const exact_rod_state state = exact_rod_on_table(&rod, 1.0, 5.0, -1.0);
  driven s = rod_scene(&rod, 0.0, 1);
  scene_drive(&s, 0.0, state.q, state.u);
  ck_assert_uint_eq(nsdyn_event_driver_write_problem(s.driver, NULL, 0), 0);
  ck_assert_int_eq(nsdyn_event_driver_advance(s.driver, 0.01), NSDYN_STOPPED);
  const size_t bytes = nsdyn_event_driver_write_problem(s.driver, NULL, 0);
  ck_assert_uint_gt(bytes, 1);
  char *text = malloc(bytes);
  ck_assert_ptr_nonnull(text);
  ck_assert_uint_eq(nsdyn_event_driver_write_problem(s.driver, text, bytes), bytes);
  nsdyn_lcp *lcp;
  int32_t n;
  double A[16], b[4];
  nsdyn_lcp_census census = {.size = sizeof census};
  ck_assert_int_eq(nsdyn_lcp_new(NULL, NULL, &lcp, NULL), NSDYN_OK);
  ck_assert_int_eq(nsdyn_lcp_read_text(lcp, text, bytes - 1, &n, NULL, 0, NULL, NULL, NULL), NSDYN_OK);
  ck_assert_int_le(n, 4);
  ck_assert_int_eq(nsdyn_lcp_read_text(lcp, text, bytes - 1, &n, A, n, b, NULL, NULL), NSDYN_OK);
  ck_assert_int_eq(nsdyn_lcp_enumerate(lcp, n, A, n, b, NULL, NULL, &census), NSDYN_OK);
  ck_assert_int_eq(census.points, 2);
  nsdyn_lcp_free(lcp);
  free(text);
  s.options.ambiguous = NSDYN_AMBIGUITY_OPEN;
  ck_assert_int_eq(nsdyn_event_driver_set_options(s.driver, &s.options), NSDYN_OK);
  scene_advance(&s, 0.001);
  ck_assert_uint_eq(nsdyn_event_driver_write_problem(s.driver, NULL, 0), 0); /* nothing stale */
  ck_assert_uint_eq(nsdyn_event_driver_write_problem(NULL, NULL, 0), 0);
  scene_end(&s);
}
END_TEST

SUITE("event/problem_text", TEST(the_problem_of_an_ambiguity_can_be_written))
