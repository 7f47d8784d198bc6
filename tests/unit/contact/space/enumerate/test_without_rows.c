/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* A problem without its bilateral rows: the same velocities, and bilateral rows that stay at zero. */
#include "contact/space/enumerate/without_rows.h"

#include <math.h>

#include "suite.h"
#include "support/random.h"

enum { OWN = 6, MOST = 12 };

START_TEST(bilateral_rows_stay_at_zero)
{
  static const nsd_contact_space disk = {.is_round = 1, .aspect = 1.0, .axis = {1.0, 0.0}};
  for (int k = 0; k < random_cases(1000); k++) {
    random_state random = random_seed((uint64_t)k);
    const int bars = 1 + random_below(&random, 4), twice = random_below(&random, 2),
              rows = OWN + bars + twice;
    double W[MOST][MOST], G[MOST * MOST], c[MOST], Lambda[MOST];
    for (int i = 0; i < rows; i++) {
      for (int j = 0; j < MOST; j++) {
        W[i][j] =
            i == OWN + bars ? -2.0 * W[OWN][j] : random_normal(&random); /* the last row is there twice */
      }
      c[i] = i == OWN + bars ? -2.0 * c[OWN] : random_normal(&random);
      Lambda[i] = random_normal(&random);
    }
    for (int i = 0; i < rows * rows; i++) {
      G[i] = 0.0;
      for (int j = 0; j < MOST; j++) {
        G[i] += W[i / rows][j] * W[i % rows][j];
      }
    }
    const nsd_contact_spec spec[2] = {{.friction = NSD_FRICTION_LOAD, .space = &disk},
                                      {.row = 3, .friction = NSD_FRICTION_LOAD, .space = &disk}};
    const nsd_contact_data d = {
        .contacts = 2, .bilateral = rows - OWN, .rows = rows, .ldg = rows, .spec = spec, .G = G, .c = c};
    nsd_without_rows w;
    nsd_arena measure = nsd_arena_measure(), room = nsd_arena_empty(NULL);
    nsd_without_rows_lay_out(&measure, &w, &d);
    ck_assert_int_eq(nsd_arena_reserve(&room, &measure), NSDYN_OK);
    nsd_without_rows_lay_out(&room, &w, &d);
    ck_assert_int_eq(nsd_without_rows_make(&w, &d, NULL), 1);
    nsd_without_rows_complete(&w, Lambda);
    for (int i = 0; i < rows; i++) {
      double xi = c[i], reduced = nsd_without_rows_row(&w, i)[rows];
      for (int j = 0; j < rows; j++) {
        xi += G[i * rows + j] * Lambda[j];
        reduced += j < OWN ? nsd_without_rows_row(&w, i)[j] * Lambda[j] : 0.0;
      }
      REQUIRE(fabs(xi - (i < OWN ? reduced : 0.0)) <= 1e-6, "seed %d, row %d: %g", k, i, xi);
    }
    /* Rows that contradict each other have no answer. */
    if (twice) {
      c[rows - 1] += 1.0;
      ck_assert_int_eq(nsd_without_rows_make(&w, &d, NULL), 0);
    }
    nsd_arena_release(&room);
  }
}
END_TEST

SUITE("contact/space/enumerate/without_rows", TEST(bilateral_rows_stay_at_zero))
