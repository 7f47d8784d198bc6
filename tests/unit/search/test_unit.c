/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "search/unit.h"

#include "branching.h"
#include "search/cell_narrow.h"

/* Of x_0 and x_1 = free: (x_0 = 0), (x_1 >= 0), (x_1 <= 0, x_0 = 0). */
static const nsd_alternative ways[] = {
    {1, {0}, {NSD_ASK_ZERO}},
    {1, {1}, {NSD_ASK_POSITIVE}},
    {2, {1, 0}, {NSD_ASK_NEGATIVE, NSD_ASK_ZERO}},
};
static const nsd_unit unit = {.alternatives = 3, .alternative = ways, .part = {0, 1}};

static branching *two(void)
{
  branching *t = branching_new(2);
  t->base[1] = NSD_ASK_NOTHING;
  branching_load(t);
  return t;
}

START_TEST(what_is_known_decides)
{
  branching *t = two();
  int last = -1;
  ck_assert_int_eq(nsd_unit_left(&t->cell, &unit, &last), 3);
  ck_assert_int_eq(last, 2);
  t->cell.mark[0] |= NSD_CELL_ABOVE; /* x_0 > 0 */
  ck_assert_int_eq(nsd_unit_standing(&t->cell, &unit, 0), NSD_RULED_OUT);
  ck_assert_int_eq(nsd_unit_standing(&t->cell, &unit, 2), NSD_RULED_OUT);
  ck_assert_int_eq(nsd_unit_left(&t->cell, &unit, &last), 1);
  ck_assert_int_eq(last, 1);
  ck_assert_int_eq(nsd_ask_standing(&t->cell, 0, NSD_ASK_POSITIVE), NSD_OBEYED);
  t->cell.mark[1] |= NSD_CELL_BELOW;
  ck_assert_int_eq(nsd_unit_left(&t->cell, &unit, &last), 0);
  branching_free(t);
}
END_TEST

START_TEST(what_is_asked_is_obeyed)
{
  branching *t = two();
  int last;
  nsd_unit_ask(&t->cell, &unit, 2);
  ck_assert_int_eq(nsd_unit_standing(&t->cell, &unit, 2), NSD_OBEYED);
  ck_assert_int_eq(nsd_unit_standing(&t->cell, &unit, 1), NSD_OPEN); /* x_1 = 0 is left */
  ck_assert_int_eq(nsd_unit_left(&t->cell, &unit, &last), -1);
  nsd_cell_ask(&t->cell, 1, NSD_ASK_POSITIVE);
  ck_assert_int_eq(nsd_ask_standing(&t->cell, 1, NSD_ASK_ZERO), NSD_OBEYED);
  ck_assert_int_eq(nsd_unit_standing(&t->cell, &unit, 1), NSD_OBEYED);
  branching_free(t);
}
END_TEST

/* At x = (3/2, −2), which the rows show: missed by x_0, by x_1, and by x_0. */
START_TEST(distances_of_a_point)
{
  branching *t = two();
  t->A[0] = t->A[3] = 1.0;
  t->b[0] = -1.5;
  t->b[1] = 2.0;
  branching_load(t);
  nsd_cell_exchange(&t->cell, &t->cells, 0, 0);
  nsd_cell_exchange(&t->cell, &t->cells, 1, 1);
  ck_assert(nsd_unit_miss(&t->cell, &unit, 0) == 1.5);
  ck_assert(nsd_unit_miss(&t->cell, &unit, 1) == 2.0);
  ck_assert(nsd_unit_miss(&t->cell, &unit, 2) == 1.5);
  nsd_cell_turn(&t->cell, 1); /* says nothing about the point */
  ck_assert(nsd_unit_miss(&t->cell, &unit, 1) == 2.0);
  branching_free(t);
}
END_TEST

SUITE("search/unit", TEST(what_is_known_decides), TEST(what_is_asked_is_obeyed), TEST(distances_of_a_point))
