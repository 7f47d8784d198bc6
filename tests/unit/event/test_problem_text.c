/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdlib.h>
#include <string.h>

#include "event/internal.h"
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

/* With a contact in space the text is the contact problem, whose friction the driver's own copy knows. */
START_TEST(the_problem_of_an_instant_in_space_can_be_written)
{
  exact_rod rod = {.m = 1.0, .l = 1.0, .mu = 2.0, .g = 9.81};
  driven s = rod_scene(&rod, 0.0, 1);
  const exact_rod_state state = exact_rod_on_table(&rod, 1.0, 0.0, 0.0);
  scene_drive(&s, 0.0, state.q, state.u);
  static const double G[9] = {2.0, 0.5, 0.0, 0.5, 1.0, 0.0, 0.0, 0.0, 1.0}, c[3] = {-1.0, 3.0, 4.0};
  nsd_contact_space disk = {.is_round = 1, .aspect = 1.0, .axis = {1.0, 0.0}};
  nsd_contact_spec spec = {.mu = 0.5, .friction = NSD_FRICTION_LOAD, .space = &disk};
  const nsd_contact_data data = {
      .contacts = 1, .rows = 3, .ldg = 3, .spec = &spec, .G = G, .c = c, .is_spatial = 1};
  nsd_driver_keep_problem(&s.driver->failed, &data);
  memset(&disk, 0, sizeof disk); /* the scene's is another one by now */
  spec.mu = 0.0;
  const size_t bytes = nsdyn_event_driver_write_problem(s.driver, NULL, 0);
  ck_assert_uint_gt(bytes, 1);
  char *text = malloc(bytes);
  ck_assert_uint_eq(nsdyn_event_driver_write_problem(s.driver, text, bytes), bytes);
  nsdyn_contact *solver;
  nsdyn_contact_problem p;
  nsdyn_contact_problem_init(&p, sizeof p);
  double memory[64];
  size_t size = sizeof memory;
  ck_assert_int_eq(nsdyn_contact_new(NULL, NULL, &solver, NULL), NSDYN_OK);
  ck_assert_int_eq(nsdyn_contact_read_text(solver, text, bytes - 1, &p, memory, &size), NSDYN_OK);
  ck_assert(p.contacts == 1 && p.laws[0].tangents == 2 && p.laws[0].mu == 0.5 && p.laws[0].aspect == 1.0);
  ck_assert(memcmp(p.G, G, sizeof G) == 0 && memcmp(p.c, c, sizeof c) == 0);
  nsdyn_contact_free(solver);
  free(text);
  scene_end(&s);
}
END_TEST

SUITE("event/problem_text", TEST(the_problem_of_an_ambiguity_can_be_written),
      TEST(the_problem_of_an_instant_in_space_can_be_written))
