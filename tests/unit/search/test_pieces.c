/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "search/pieces.h"

#include <string.h>

#include "suite.h"

/* The list holds exactly the maximal ones of all patterns offered, whatever their order. */
START_TEST(keeps_the_maximal_ones)
{
  const int cases = random_cases(500);
  nsd_pieces pieces;
  nsd_pieces_init(&pieces, NULL);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    const int n = 1 + k % 40;
    const int words = nsd_pattern_words(2 * n);
    uint64_t offered[100][2];
    int64_t dropped = 0;
    int refused = 0;
    nsd_pieces_clear(&pieces, 2 * n);
    for (int q = 0; q < 100; q++) {
      memset(offered[q], 0, sizeof offered[q]);
      for (int i = 0; i < 2 * n; i++) {
        if (random_below(&r, 8) == 0) {
          nsd_pattern_put(offered[q], i);
        }
      }
      if (nsd_pieces_cover(&pieces, offered[q])) {
        refused++;
      } else {
        ck_assert_int_eq(nsd_pieces_add(&pieces, offered[q], q, &dropped), NSDYN_OK);
      }
    }
    ck_assert_int_eq((int)pieces.count + refused + (int)dropped, 100);
    for (int q = 0; q < 100; q++) {
      int maximal = 1, listed = 0;
      for (int o = 0; o < 100; o++) {
        const int inside =
            !(offered[q][0] & ~offered[o][0]) && !(words > 1 && offered[q][1] & ~offered[o][1]);
        const int same = memcmp(offered[q], offered[o], (size_t)words * sizeof(uint64_t)) == 0;
        maximal = maximal && !(inside && !same);
      }
      for (size_t l = 0; l < pieces.count; l++) {
        listed += memcmp(nsd_pieces_pattern(&pieces, l), offered[q], (size_t)words * sizeof(uint64_t)) == 0;
      }
      ck_assert_int_eq(listed, maximal);
    }
  }
  nsd_pieces_release(&pieces);
}
END_TEST

START_TEST(patterns)
{
  uint64_t pattern[3] = {0, 0, 0};
  ck_assert_int_eq(nsd_pattern_words(0), 1);
  ck_assert_int_eq(nsd_pattern_words(63), 1);
  ck_assert_int_eq(nsd_pattern_words(65), 2);
  for (int k = 0; k < 192; k += 7) {
    nsd_pattern_put(pattern, k);
  }
  for (int k = 0; k < 192; k++) {
    ck_assert_int_eq(nsd_pattern_has(pattern, k), k % 7 == 0);
  }
}
END_TEST

SUITE("search/pieces", TEST(keeps_the_maximal_ones), TEST(patterns))
