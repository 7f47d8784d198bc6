/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Rows of the projection's problem that say the same. */
#include "stepper/drift/agree_rows.h"

#include <math.h>

#include "stepping.h"

enum { ROWS = 4 };

/* Directions of the scene's rows; the problem takes them in the order of row_of: two contacts, two bilateral
 * rows. Of these (3, 4) is the sum of (1, 0) and twice (1, 2). */
static const double W[ROWS][2] = {{3.0, 4.0}, {1.0, 0.0}, {-2.0, 0.5}, {1.0, 2.0}};
static const int32_t row_of[ROWS] = {2, 1, 3, 0};

typedef struct problem {
  nsd_projection p;
  int32_t row[ROWS];
  nsd_contact_spec spec[2];
  double G[ROWS * ROWS], own[ROWS * ROWS], c[ROWS], noise[ROWS], y[ROWS], Lambda[ROWS], xi[ROWS];
} problem;

/* c = W δ + error of the last row; the second contact is to be zero if it `lands`. */
static void make(problem *x, const double delta[2], double error, int lands)
{
  *x = (problem){.p = {.contacts = 2, .rows = ROWS}};
  for (int i = 0; i < ROWS; i++) {
    const double *w = W[row_of[i]];
    x->row[i] = row_of[i];
    x->c[i] = w[0] * delta[0] + w[1] * delta[1] + (i == ROWS - 1 ? error : 0.0);
    x->noise[i] = 1e-15;
    for (int j = 0; j < ROWS; j++) {
      x->G[ROWS * i + j] = W[i][0] * W[j][0] + W[i][1] * W[j][1];
    }
  }
  x->spec[1].kind = lands ? NSDYN_CONTACT_BILATERAL : NSDYN_CONTACT_UNILATERAL;
  x->p.row = x->row;
  x->p.spec = x->spec;
  x->p.c = x->c;
  x->p.noise = x->noise;
  x->p.G = x->own;
  x->p.Lambda = x->y;
  x->p.scene.problem.G = x->G;
  x->p.scene.problem.ldg = ROWS;
  x->p.scene.solution.Lambda = x->Lambda;
  x->p.scene.solution.xi = x->xi;
}

static const double delta[2] = {3e-6, -7e-6};

/* Rows 1, 3 and the last depend on each other, of which two are bilateral: they do without the contact not.
 */
START_TEST(bilateral_rows_alone_are_independent)
{
  problem x;
  make(&x, delta, 1e-16, 1);
  const double before = x.c[3];
  ck_assert_int_eq(nsd_agree_rows(&x.p, NSD_AGREE_BILATERAL), 0);
  ck_assert(x.c[3] == before);
}
END_TEST

/* With the contact that is to be zero the last says what both say, but for rounding. */
START_TEST(what_lands_counts_with_them)
{
  for (int lands = 0; lands < 2; lands++) {
    problem x;
    make(&x, delta, 4e-16, lands);
    const double before[ROWS] = {x.c[0], x.c[1], x.c[2], x.c[3]};
    ck_assert_int_eq(nsd_agree_rows(&x.p, NSD_AGREE_EQUAL), lands);
    ck_assert(x.c[0] == before[0] && x.c[1] == before[1] && x.c[2] == before[2]);
    ck_assert_double_eq_tol(x.c[3], lands ? x.c[1] + 2.0 * x.c[2] : before[3], 1e-20);
  }
}
END_TEST

/* All rows: those of two dimensions are two, and others follow. */
START_TEST(all_follow_the_first)
{
  problem x;
  make(&x, delta, 4e-16, 0);
  ck_assert_int_eq(nsd_agree_rows(&x.p, NSD_AGREE_ALL), 1);
  ck_assert_double_eq_tol(x.c[3], x.c[1] + 2.0 * x.c[2], 1e-20);
}
END_TEST

/* More than rounding is a contradiction, and stays. */
START_TEST(contradictions_are_told)
{
  for (int which = NSD_AGREE_EQUAL; which <= NSD_AGREE_ALL; which++) {
    problem x;
    make(&x, delta, 1e-9, 1);
    const double before[ROWS] = {x.c[0], x.c[1], x.c[2], x.c[3]};
    ck_assert_int_eq(nsd_agree_rows(&x.p, which), -1);
    for (int i = 0; i < ROWS; i++) {
      ck_assert(x.c[i] == before[i]);
    }
  }
}
END_TEST

SUITE("stepper/drift/agree_rows", TEST(bilateral_rows_alone_are_independent),
      TEST(what_lands_counts_with_them), TEST(all_follow_the_first), TEST(contradictions_are_told))
