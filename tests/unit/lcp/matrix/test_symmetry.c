/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "lcp/matrix/symmetry.h"

#include "solving.h"

START_TEST(finds_the_row_that_is_not_symmetric)
{
  const int cases = random_cases(500);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    solving *s = solving_new(2 + k % 59);
    make_gram(s, &r, s->p.n, 1.0);
    const int i = 1 + random_below(&r, s->p.n - 1);
    const int j = random_below(&r, i);
    *element(s, i, j) *= 1.0 + 0x1p-52;
    ck_assert_int_eq(nsd_lcp_asymmetric_row(&s->p, NULL), -1);
    *element(s, j, i) += 1e-9 * *element(s, i, i);
    *element(s, j, i) += 1e-9 * *element(s, j, j);
    ck_assert_int_eq(nsd_lcp_asymmetric_row(&s->p, NULL), i);
    free(s);
  }
}
END_TEST

/* Every pair of places is looked at, with any distance between the rows. */
START_TEST(sees_every_element)
{
  for (int n = 1; n <= 21; n++) {
    for (int gap = 0; gap < 3; gap++) {
      solving *s = solving_new(n);
      s->p.lda = n + gap;
      for (int i = 0; i < n * s->p.lda; i++) {
        s->A[i] = 1.0;
      }
      ck_assert_int_eq(nsd_lcp_asymmetric_row(&s->p, NULL), -1);
      for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
          s->A[i * s->p.lda + j] = i == j ? 1.0 : 2.0;
          ck_assert_int_eq(nsd_lcp_asymmetric_row(&s->p, NULL), i == j ? -1 : i > j ? i : j);
          s->A[i * s->p.lda + j] = 1.0;
        }
      }
      free(s);
    }
  }
}
END_TEST

SUITE("lcp/matrix/symmetry", TEST(finds_the_row_that_is_not_symmetric), TEST(sees_every_element))
