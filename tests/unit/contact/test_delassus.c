/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "contact/delassus.h"

#include "base/dense.h"
#include "touching.h"

enum { MOST_NU = 12, MOST_W = 20 };

typedef struct masses {
  int rows, nu;
  double M[MOST_NU * MOST_NU], L[MOST_NU * MOST_NU], W[MOST_W * MOST_NU], X[MOST_W * MOST_NU],
      G[MOST_W * MOST_W];
} masses;

static void make(masses *m, random_state *r, int rows, int nu)
{
  double B[MOST_NU * MOST_NU];
  m->rows = rows;
  m->nu = nu;
  for (int i = 0; i < nu * nu; i++) {
    B[i] = random_normal(r);
  }
  for (int i = 0; i < nu; i++) {
    for (int j = 0; j < nu; j++) {
      double sum = i == j ? 1.0 : 0.0;
      for (int q = 0; q < nu; q++) {
        sum += B[i * nu + q] * B[j * nu + q];
      }
      m->M[i * nu + j] = m->L[i * nu + j] = sum;
    }
  }
  ck_assert_int_eq(nsd_cholesky_factor(nu, m->L, nu, NULL), NSDYN_OK);
  for (int i = 0; i < rows * nu; i++) {
    m->W[i] = random_normal(r);
  }
}

/* Against W (M⁻¹ Wᵀ) by the LU of M, which shares nothing with it. */
START_TEST(is_W_M_inverse_W_transposed)
{
  static masses m;
  const int cases = random_cases(1000);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    make(&m, &r, random_below(&r, MOST_W + 1), 1 + random_below(&r, MOST_NU));
    const int ldg = m.rows;
    REQUIRE(nsdyn_contact_delassus(m.rows, m.nu, m.W, m.nu, m.L, m.nu, m.X, m.G, ldg) == NSDYN_OK, "seed %d",
            k);
    int perm[MOST_NU];
    double LU[MOST_NU * MOST_NU], S[MOST_W * MOST_NU];
    memcpy(LU, m.M, sizeof LU);
    memcpy(S, m.W, sizeof S);
    ck_assert_int_eq(nsd_lu_factor(m.nu, LU, m.nu, perm, NULL), NSDYN_OK);
    nsd_lu_solve(m.nu, LU, m.nu, perm, m.rows, S, m.nu);
    for (int i = 0; i < m.rows; i++) {
      for (int j = 0; j < m.rows; j++) {
        double sum = 0.0;
        double size = 0.0;
        for (int q = 0; q < m.nu; q++) {
          sum += m.W[i * m.nu + q] * S[j * m.nu + q];
          size += fabs(m.W[i * m.nu + q] * S[j * m.nu + q]);
        }
        REQUIRE(fabs(sum - m.G[i * ldg + j]) <= 1e-10 * size, "seed %d", k);
        REQUIRE(m.G[i * ldg + j] == m.G[j * ldg + i], "seed %d: not symmetric to the bit", k);
      }
    }
  }
}
END_TEST

START_TEST(strides_and_in_place_give_the_same_bits)
{
  static masses m;
  random_state r = random_seed(9);
  make(&m, &r, 7, 5);
  ck_assert_int_eq(nsdyn_contact_delassus(7, 5, m.W, 5, m.L, 5, m.X, m.G, 7), NSDYN_OK);
  double W[7 * 6], L[5 * 9], G[7 * 10], X[7 * 5];
  for (int i = 0; i < 7 * 6; i++) {
    W[i] = i % 6 < 5 ? m.W[i / 6 * 5 + i % 6] : NAN;
  }
  for (int i = 0; i < 5 * 9; i++) {
    L[i] = i % 9 <= i / 9 ? m.L[i / 9 * 5 + i % 9] : NAN; /* only the triangle is read */
  }
  ck_assert_int_eq(nsdyn_contact_delassus(7, 5, W, 6, L, 9, X, G, 10), NSDYN_OK);
  for (int i = 0; i < 7; i++) {
    ck_assert_int_eq(memcmp(&G[i * 10], &m.G[i * 7], 7 * sizeof(double)), 0);
  }
  ck_assert_int_eq(memcmp(X, m.X, sizeof X), 0);
  ck_assert_int_eq(nsdyn_contact_delassus(7, 5, m.W, 5, m.L, 5, m.W, m.G, 7), NSDYN_OK);
  ck_assert_int_eq(memcmp(m.W, X, sizeof X), 0);
}
END_TEST

START_TEST(refuses_what_it_cannot_use)
{
  static masses m;
  random_state r = random_seed(2);
  make(&m, &r, 3, 4);
#define TRY(rows, nu, W, ldw, L, ldl, X, G, ldg) nsdyn_contact_delassus(rows, nu, W, ldw, L, ldl, X, G, ldg)
  ck_assert_int_eq(TRY(-1, 4, m.W, 4, m.L, 4, m.X, m.G, 3), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(TRY(3, -1, m.W, 4, m.L, 4, m.X, m.G, 3), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(TRY(3, 4, m.W, 3, m.L, 4, m.X, m.G, 3), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(TRY(3, 4, m.W, 4, m.L, 3, m.X, m.G, 3), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(TRY(3, 4, m.W, 4, m.L, 4, m.X, m.G, 2), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(TRY(3, 4, NULL, 4, m.L, 4, m.X, m.G, 3), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(TRY(3, 4, m.W, 4, NULL, 4, m.X, m.G, 3), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(TRY(3, 4, m.W, 4, m.L, 4, NULL, m.G, 3), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(TRY(3, 4, m.W, 4, m.L, 4, m.X, NULL, 3), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(TRY(0, 0, NULL, 0, NULL, 0, NULL, NULL, 0), NSDYN_OK);
  ck_assert_int_eq(TRY(2, 0, NULL, 0, NULL, 0, NULL, m.G, 2), NSDYN_OK);
  ck_assert(m.G[0] == 0.0 && m.G[3] == 0.0);
  const double diagonal = m.L[5];
  m.L[5] = 0.0;
  ck_assert_int_eq(TRY(3, 4, m.W, 4, m.L, 4, m.X, m.G, 3), NSDYN_ERR_ARGUMENT);
  m.L[5] = NAN;
  ck_assert_int_eq(TRY(3, 4, m.W, 4, m.L, 4, m.X, m.G, 3), NSDYN_ERR_NOT_FINITE);
  m.L[5] = diagonal;
  m.W[7] = INFINITY;
  ck_assert_int_eq(TRY(3, 4, m.W, 4, m.L, 4, m.X, m.G, 3), NSDYN_ERR_NOT_FINITE);
  m.W[7] = 1e300;
  ck_assert_int_eq(TRY(3, 4, m.W, 4, m.L, 4, m.X, m.G, 3), NSDYN_ERR_NOT_FINITE);
#undef TRY
}
END_TEST

/* 1e300² overflows in G; with 1e200 / 1e-200 X does so already; so it does with pivots that have no inverse.
 */
START_TEST(an_overflow_leaves_everything_as_it_was)
{
  const struct {
    double w, l;
  } cases[] = {{1e300, 1.0}, {1e200, 1e-200}, {1.0, 5e-324}, {1e160, 1.0}, {1e308, 1e3}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    double W[4] = {1.0, cases[k].w, 2.0, 1.0}, X[4] = {7.0, 7.0, 7.0, 7.0}, G[4] = {7.0, 7.0, 7.0, 7.0};
    const double L[4] = {1.0, 0.0, 0.5, cases[k].l}, seven[4] = {7.0, 7.0, 7.0, 7.0};
    double W_before[4];
    memcpy(W_before, W, sizeof W);
    ck_assert_int_eq(nsdyn_contact_delassus(2, 2, W, 2, L, 2, X, G, 2), NSDYN_ERR_NOT_FINITE);
    ck_assert(memcmp(X, seven, sizeof X) == 0 && memcmp(G, seven, sizeof G) == 0);
    ck_assert_int_eq(nsdyn_contact_delassus(2, 2, W, 2, L, 2, W, G, 2), NSDYN_ERR_NOT_FINITE);
    ck_assert(memcmp(W, W_before, sizeof W) == 0 && memcmp(G, seven, sizeof G) == 0);
  }
}
END_TEST

/* Where bounds cannot tell that nothing overflows, the answer is the same as ever. */
START_TEST(near_an_overflow_the_answer_is_as_good)
{
  const double W[4] = {0x1p505, 0.0, 0x1p505, 0x1p505}, L[4] = {1.0, 0.0, 0.0, 1.0};
  double X[4], G[4];
  ck_assert_int_eq(nsdyn_contact_delassus(2, 2, W, 2, L, 2, X, G, 2), NSDYN_OK);
  ck_assert(G[0] == 0x1p1010 && G[1] == 0x1p1010 && G[2] == 0x1p1010 && G[3] == 0x1p1011);
  ck_assert_mem_eq(X, W, sizeof X);
}
END_TEST

/* 1e-200² is zero in G, as if the row were; likewise 1 under a mass of 1e400. A row of zeros may be zero. */
START_TEST(a_row_that_vanishes_is_refused)
{
  const struct {
    double w, l;
  } cases[] = {{1e-200, 1.0}, {5e-324, 1.0}, {1.0, 1e200}, {1e-100, 1e80}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    const double W[4] = {1.0, 0.0, 0.0, cases[k].w}, L[4] = {1.0, 0.0, 0.0, cases[k].l};
    const double seven[4] = {7.0, 7.0, 7.0, 7.0}, zeros[4] = {1.0, 0.0, 0.0, 0.0};
    double X[4] = {7.0, 7.0, 7.0, 7.0}, G[4] = {7.0, 7.0, 7.0, 7.0};
    ck_assert_int_eq(nsdyn_contact_delassus(2, 2, W, 2, L, 2, X, G, 2), NSDYN_ERR_ARGUMENT);
    ck_assert(memcmp(X, seven, sizeof X) == 0 && memcmp(G, seven, sizeof G) == 0);
    ck_assert_int_eq(nsdyn_contact_delassus(2, 2, zeros, 2, L, 2, X, G, 2), NSDYN_OK);
    ck_assert(G[0] == 1.0 && G[3] == 0.0);
  }
  const double W[1] = {1e-150}, L[1] = {1.0};
  double X[1], G[1];
  ck_assert_int_eq(nsdyn_contact_delassus(1, 1, W, 1, L, 1, X, G, 1), NSDYN_OK);
  ck_assert_double_eq_tol(G[0], 1e-300, 1e-314);
}
END_TEST

SUITE("contact/delassus", TEST(an_overflow_leaves_everything_as_it_was),
      TEST(near_an_overflow_the_answer_is_as_good), TEST(is_W_M_inverse_W_transposed),
      TEST(strides_and_in_place_give_the_same_bits), TEST(refuses_what_it_cannot_use),
      TEST(a_row_that_vanishes_is_refused))
