/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "search/row_proof.h"

#include "branching.h"
#include "search/cell_narrow.h"

/* y_0 = −x_0 − 1 is negative, y_1 = x_1 + 1 positive, y_2 = −x_2 zero: three true claims. */
static branching *claims(void)
{
  branching *t = branching_new(3);
  t->A[0] = -1.0;
  t->A[4] = 1.0;
  t->A[8] = -1.0;
  t->b[0] = -1.0;
  t->b[1] = 1.0;
  branching_load(t);
  return t;
}

START_TEST(true_claims_hold)
{
  branching *t = claims();
  ck_assert_int_eq(nsd_claim_holds(&t->cell, &t->cells, 0, NSD_ROW_NEGATIVE), 1);
  ck_assert_int_eq(nsd_claim_holds(&t->cell, &t->cells, 1, NSD_ROW_POSITIVE), 1);
  ck_assert_int_eq(nsd_claim_holds(&t->cell, &t->cells, 2, NSD_ROW_ZERO), 1);
  branching_free(t);
}
END_TEST

START_TEST(false_claims_do_not)
{
  branching *t = claims();
  for (int r = 0; r < 3; r++) {
    ck_assert_int_eq(nsd_claim_holds(&t->cell, &t->cells, r, NSD_ROW_NEGATIVE), r == 0);
    ck_assert_int_eq(nsd_claim_holds(&t->cell, &t->cells, r, NSD_ROW_POSITIVE), r == 1);
    ck_assert_int_eq(nsd_claim_holds(&t->cell, &t->cells, r, NSD_ROW_ZERO), r == 2);
  }
  branching_free(t);
}
END_TEST

/* The tableau may say what it likes: a and d decide. Here its c and T are tampered with, and v is not. */
START_TEST(the_tableau_is_not_believed)
{
  branching *t = claims();
  t->cell.c[1] = -1.0;
  nsd_cell_column(&t->cell, 1)[1] = -1.0;
  ck_assert_int_eq(nsd_claim_holds(&t->cell, &t->cells, 1, NSD_ROW_NEGATIVE), 0);
  t->cell.c[1] = 0.0;
  ck_assert_int_eq(nsd_claim_holds(&t->cell, &t->cells, 1, NSD_ROW_ZERO), 0);
  branching_free(t);
}
END_TEST

/* No tableau of a feasible problem, spoiled at random, has a row that proves it empty. */
START_TEST(feasible_problems_are_never_proved_empty)
{
  const int cases = random_cases(2000);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    branching *t = branching_new(1 + k % 8);
    make_feasible(t, &r);
    ck_assert_int_eq(nsd_cell_start(&t->cell, &t->cells), NSD_CELL_OPEN);
    for (int q = 0; q < t->n; q++) {
      double *C = nsd_cell_column(&t->cell, t->cell.live[q]);
      for (int i = 0; i < t->n; i++) {
        C[i] *= random_between(&r, 0.0, 2.0);
      }
    }
    for (int i = 0; i < t->n; i++) {
      ck_assert_int_eq(nsd_claim_holds(&t->cell, &t->cells, i, NSD_ROW_NEGATIVE), 0);
    }
    branching_free(t);
  }
}
END_TEST

/* Of a free x_0 any value is left: y_0 = x_0 − 1 claims nothing; y_0 = −1 is negative whatever x_0 is. */
START_TEST(what_is_free_must_cancel)
{
  branching *t = branching_new(1);
  t->base[0] = NSD_ASK_NOTHING;
  t->b[0] = -1.0;
  branching_load(t);
  ck_assert_int_eq(nsd_claim_holds(&t->cell, &t->cells, 0, NSD_ROW_NEGATIVE), 1);
  ck_assert_int_eq(nsd_claim_holds(&t->cell, &t->cells, 0, NSD_ROW_ZERO), 0);
  t->A[0] = 1.0;
  branching_load(t);
  ck_assert_int_eq(nsd_claim_holds(&t->cell, &t->cells, 0, NSD_ROW_NEGATIVE), 0);
  nsd_cell_column(&t->cell, 0)[0] = 0.0; /* a tableau that lies */
  ck_assert_int_eq(nsd_claim_holds(&t->cell, &t->cells, 0, NSD_ROW_NEGATIVE), 0);
  branching_free(t);
}
END_TEST

SUITE("search/row_proof", TEST(what_is_free_must_cancel), TEST(true_claims_hold), TEST(false_claims_do_not),
      TEST(the_tableau_is_not_believed), TEST(feasible_problems_are_never_proved_empty))
