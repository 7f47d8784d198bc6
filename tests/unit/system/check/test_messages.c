/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "polynomial.h"

/* One gap, n = (1, −0.5, 0), and nothing else that moves. */
static void make_plain(poly *p, int defect)
{
  random_state r = random_seed(1);
  poly_random(p, &r, 3, 3, 0, 0);
  memset(p->B, 0, sizeof p->B);
  for (int i = 0; i < 3; i++) {
    memset(&p->gap[i], 0, sizeof p->gap[i]);
    p->gap[i].g0 = 0.25;
    p->gap[i].n[0] = 1.0;
    p->gap[i].n[1] = -0.5;
    p->gap[i].tau[2] = 1.0;
  }
  p->defect = defect;
  p->which = 2;
  p->column = 1;
}

static void expect(poly *p, const char *message)
{
  const double q[3] = {0.5, 0.25, 1.0}, u[3] = {1.0, 1.0, 1.0};
  nsdyn_system *sys = poly_system(p, 0, 0);
  nsdyn_detail detail;
  ck_assert_int_eq(nsdyn_system_check(sys, 0.0, q, u, NULL), NSDYN_ERR_INCONSISTENT);
  ck_assert_str_eq(nsdyn_system_message(sys), message);
  nsdyn_detail_init(&detail, sizeof detail);
  ck_assert_int_eq(nsdyn_system_detail(sys, &detail), NSDYN_OK);
  ck_assert(detail.kind == NSDYN_DETAIL_CONTACT && detail.index == 2);
  nsdyn_system_free(sys);
}

/* What is wrong, where, and what to do. */
START_TEST(messages_say_what_to_do)
{
  poly p;
  make_plain(&p, POLY_MISSING_ELEMENT);
  expect(
      &p,
      "direction of contact 2, row 0 (w_N), column 1: the gap's slope is -0.5, given is 0; is that element "
      "missing?");
  make_plain(&p, POLY_SIGN_OF_GAP);
  expect(&p, "direction of contact 2, row 0 (w_N), column 0: the gap's slope is -1, given is 1; turn the "
             "sign of w_N "
             "or of the gap");
  make_plain(&p, POLY_ROWS_EXCHANGED);
  expect(&p, "direction of contact 2, row 0 (w_N), column 0: the gap's slope is 1, given is 0; row 1 has "
             "that: are the "
             "rows exchanged?");
}
END_TEST

/* Of several defects the one that may cause the others. */
START_TEST(causes_come_first)
{
  poly p;
  nsdyn_system_check_report report = fresh_report();
  const double q[3] = {0.5, 0.25, 1.0}, u[3] = {1.0, 1.0, 1.0};
  make_plain(&p, POLY_WRONG_RETRACT); /* the slopes along the second velocity are half as large then */
  nsdyn_system *sys = poly_system(&p, POLY_RETRACTS, 0);
  ck_assert_int_eq(nsdyn_system_check(sys, 0.0, q, u, &report), NSDYN_ERR_INCONSISTENT);
  ck_assert_int_eq(report.defect, NSDYN_DEFECT_MOTION);
  ck_assert_int_eq(report.defects, 4);
  ck_assert(fabs(report.expected - 0.5) < 1e-12 && report.found == 1.0);
  nsdyn_system_free(sys);
}
END_TEST

SUITE("system/check/messages", TEST(messages_say_what_to_do), TEST(causes_come_first))
