/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* G as an operator, by the public calls: the same problems as with a matrix, and what is refused. */
#include "contact/check_operator.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "nsdyn/contact.h"
#include "suite.h"
#include "support/space_piles.h"

/* A pile told in three ways: as a matrix, by W and M⁻¹, and by the elements of G that are not zero. */
typedef struct told {
  space_pile p;
  nsdyn_contact_law law;
  int32_t *which;
  nsdyn_contact_operator free, sparse;
  nsdyn_contact_problem matrix, by_free, by_sparse;
  int64_t *begin;
  int32_t *column;
  double *value, *Lambda;
} told;

static void tell(told *t, int kind, pile_load load, int contacts)
{
  random_state random = random_seed((uint64_t)(10 * kind) + (uint64_t)load);
  memset(t, 0, sizeof *t);
  t->p = space_pile_make((space_pile_kind)kind, load, contacts, &random);
  space_pile_delassus(&t->p);
  const space_pile *p = &t->p;
  nsdyn_contact_law_init(&t->law, sizeof t->law);
  t->law.tangents = 2;
  t->law.mu = p->mu;
  t->which = calloc((size_t)p->contacts, sizeof *t->which);
  t->Lambda = calloc((size_t)p->rows, sizeof *t->Lambda);
  nsdyn_contact_problem_init(&t->matrix, sizeof t->matrix);
  t->matrix.contacts = p->contacts;
  t->matrix.nlaws = 1;
  t->matrix.laws = &t->law;
  t->matrix.law = t->which;
  t->matrix.c = p->c;
  t->by_free = t->by_sparse = t->matrix;
  t->matrix.G = p->G;
  t->matrix.ldg = p->rows;
  nsdyn_contact_operator_init(&t->free, sizeof t->free);
  t->free.bodies = p->bodies;
  t->free.columns = p->nu;
  t->free.body = p->size;
  t->free.inverse = p->inverse;
  t->free.begin = p->begin;
  t->free.column = p->column;
  t->free.value = p->value;
  t->by_free.W = &t->free;
  const size_t n = (size_t)p->rows;
  t->begin = calloc(n + 1, sizeof *t->begin);
  t->column = calloc(n * n, sizeof *t->column);
  t->value = calloc(n * n, sizeof *t->value);
  for (size_t i = 0; i < n; i++) {
    int64_t at = t->begin[i];
    for (size_t j = 0; j < n; j++) {
      if (p->G[i * n + j] != 0.0) {
        t->column[at] = (int32_t)j;
        t->value[at++] = p->G[i * n + j];
      }
    }
    t->begin[i + 1] = at;
  }
  nsdyn_contact_operator_init(&t->sparse, sizeof t->sparse);
  t->sparse.begin = t->begin;
  t->sparse.column = t->column;
  t->sparse.value = t->value;
  t->by_sparse.W = &t->sparse;
}

static void forget(told *t)
{
  space_pile_free(&t->p);
  free(t->which);
  free(t->Lambda);
  free(t->begin);
  free(t->column);
  free(t->value);
}

/* Answers by an operator are judged with the matrix. Piles of so many contacts that bodies are the unknowns
 * too. */
START_TEST(operators_are_solved_like_matrices)
{
  nsdyn_contact *solver;
  ck_assert_int_eq(nsdyn_contact_new(NULL, NULL, &solver, NULL), NSDYN_OK);
  for (int k = 0; k < 2 * SPACE_PILE_KINDS * PILE_LOADS; k++) {
    told t;
    tell(&t, k % SPACE_PILE_KINDS, (pile_load)(k / 2 / SPACE_PILE_KINDS), k % 8 < 4 ? 6 : 24);
    const nsdyn_contact_problem *forms[2] = {&t.by_free, &t.by_sparse};
    for (int f = 0; f < 2; f++) {
      ck_assert_msg(nsdyn_contact_solve(solver, forms[f], t.Lambda, NULL) == NSDYN_OK, "pile %d, form %d: %s",
                    k, f, nsdyn_contact_message(solver));
      double residual, scale, by_operator, own_scale;
      ck_assert_int_eq(nsdyn_contact_residual(&t.matrix, t.Lambda, &residual, &scale, NULL), NSDYN_OK);
      ck_assert_int_eq(nsdyn_contact_residual(forms[f], t.Lambda, &by_operator, &own_scale, NULL), NSDYN_OK);
      ck_assert_msg(by_operator <= 1.001e-9 * own_scale, "pile %d, form %d: %g", k, f,
                    by_operator / own_scale);
      /* G's certificate sees the same residual, but for rounding. The scale of W and M⁻¹ has the sizes of
       * their terms, of which G's elements are sums: it is no smaller. */
      ck_assert(fabs(residual - by_operator) <= 1e-12 * scale);
      ck_assert(own_scale >= (1.0 - 1e-12) * scale && (f == 0 || own_scale <= (1.0 + 1e-12) * scale));
    }
    forget(&t);
  }
  nsdyn_contact_free(solver);
}
END_TEST

/* Planar contacts and bilateral rows by an operator. Two blocks of 2 kg in a row: one slides on the floor,
 * both are tied together. */
START_TEST(planar_contacts_and_constraints_have_operators_too)
{
  static const int32_t size[2] = {2, 2}, column[6] = {1, 0, 3, 2, 0, 2};
  static const int64_t begin[6] = {0, 1, 2, 3, 4, 6};
  static const double inverse[8] = {0.5, 0.0, 0.0, 0.5, 0.5, 0.0, 0.0, 0.5};
  static const double value[6] = {1.0, 1.0, 1.0, 1.0, 1.0, -1.0}, c[5] = {-0.1, 0.5, -0.1, 0.0, 0.5};
  nsdyn_contact_law law;
  nsdyn_contact_law_init(&law, sizeof law);
  law.mu = 0.2;
  const nsdyn_contact_operator W = {.size = sizeof W,
                                    .bodies = 2,
                                    .columns = 4,
                                    .body = size,
                                    .inverse = inverse,
                                    .begin = begin,
                                    .column = column,
                                    .value = value};
  const int32_t which[2] = {0, 0};
  nsdyn_contact_problem problem;
  nsdyn_contact_problem_init(&problem, sizeof problem);
  problem.contacts = 2;
  problem.bilateral = 1;
  problem.nlaws = 1;
  problem.laws = &law;
  problem.law = which;
  problem.W = &W;
  problem.c = c;
  nsdyn_contact *solver;
  double Lambda[5], xi[5];
  ck_assert_int_eq(nsdyn_contact_new(NULL, NULL, &solver, NULL), NSDYN_OK);
  ck_assert_int_eq(nsdyn_contact_solve(solver, &problem, Lambda, xi), NSDYN_OK);
  /* Each presses with 0.2 and slides: friction 0.04 on each, and what ties them makes their speeds equal. */
  const double expected[5] = {0.2, -0.04, 0.2, -0.04, -0.5};
  for (int i = 0; i < 5; i++) {
    ck_assert_double_eq_tol(Lambda[i], expected[i], 1e-9);
  }
  nsdyn_contact_free(solver);
}
END_TEST

static void refused(const told *t, const nsdyn_contact_problem *problem, nsdyn_status status,
                    const char *words)
{
  nsdyn_contact *solver;
  ck_assert_int_eq(nsdyn_contact_new(NULL, NULL, &solver, NULL), NSDYN_OK);
  ck_assert_int_eq(nsdyn_contact_solve(solver, problem, t->Lambda, NULL), status);
  ck_assert_msg(strstr(nsdyn_contact_message(solver), words) != NULL, "%s", nsdyn_contact_message(solver));
  double residual;
  ck_assert_int_eq(nsdyn_contact_residual(problem, t->Lambda, &residual, NULL, NULL), status);
  nsdyn_contact_free(solver);
}

START_TEST(what_is_wrong_with_an_operator_is_said)
{
  told t;
  tell(&t, SPACE_PILE_STACK, PILE_REST, 4);
  nsdyn_contact_problem both = t.matrix;
  both.W = &t.free;
  refused(&t, &both, NSDYN_ERR_ARGUMENT, "both G and W");
  const nsdyn_contact_operator good = t.free, sparse = t.sparse;
  t.free.size = 4;
  refused(&t, &t.by_free, NSDYN_ERR_STRUCT_SIZE, "nsdyn_contact_operator");
  t.free = good;
  t.free.bodies = -1;
  refused(&t, &t.by_free, NSDYN_ERR_ARGUMENT, "bodies is negative");
  t.free = good;
  t.free.columns++;
  refused(&t, &t.by_free, NSDYN_ERR_ARGUMENT, "sizes of the bodies");
  t.free = good;
  const void **const pointers[] = {(const void **)&t.free.body, (const void **)&t.free.inverse,
                                   (const void **)&t.free.begin, (const void **)&t.free.column,
                                   (const void **)&t.free.value};
  static const char *const names[] = {"body", "inverse", "begin", "column", "value"};
  for (int i = 0; i < 5; i++) {
    *pointers[i] = NULL;
    refused(&t, &t.by_free, NSDYN_ERR_ARGUMENT, names[i]);
    t.free = good;
  }
  /* Numbers. */
  double *const value = t.p.value, kept = value[3];
  value[3] = NAN;
  refused(&t, &t.by_free, NSDYN_ERR_NOT_FINITE, "row 0");
  value[3] = kept;
  double *const inverse = t.p.inverse, first = inverse[0];
  inverse[0] = -first;
  refused(&t, &t.by_free, NSDYN_ERR_NOT_DEFINITE, "positive definite");
  inverse[0] = INFINITY;
  refused(&t, &t.by_free, NSDYN_ERR_NOT_FINITE, "body 0");
  inverse[0] = first;
  inverse[1] = first;
  refused(&t, &t.by_free, NSDYN_ERR_ARGUMENT, "not symmetric");
  inverse[1] = 0.0;
  const int32_t place = t.p.column[1];
  t.p.column[1] = t.p.column[0];
  refused(&t, &t.by_free, NSDYN_ERR_ARGUMENT, "do not ascend");
  t.p.column[1] = place;
  /* G by its elements. */
  t.value[1] += 1.0;
  refused(&t, &t.by_sparse, NSDYN_ERR_ARGUMENT, "not symmetric");
  t.value[1] -= 1.0;
  t.begin[1] = -1;
  refused(&t, &t.by_sparse, NSDYN_ERR_ARGUMENT, "begin");
  t.sparse = sparse;
  forget(&t);
}
END_TEST

/* What reads G as a matrix says so. */
START_TEST(other_calls_refuse_operators)
{
  told t;
  tell(&t, SPACE_PILE_STACK, PILE_REST, 4);
  nsdyn_contact *solver;
  ck_assert_int_eq(nsdyn_contact_new(NULL, NULL, &solver, NULL), NSDYN_OK);
  int32_t n;
  ck_assert_int_eq(nsdyn_contact_lcp(&t.by_free, NULL, 0, NULL, NULL, NULL, &n), NSDYN_ERR_UNSUPPORTED);
  ck_assert_int_eq(nsdyn_contact_enumerate(solver, &t.by_free, NULL, NULL, NULL), NSDYN_ERR_UNSUPPORTED);
  ck_assert_int_eq(nsdyn_contact_impact(solver, NSDYN_IMPACT_NEWTON, &t.by_free, t.Lambda, NULL),
                   NSDYN_ERR_UNSUPPORTED);
  ck_assert(nsdyn_contact_write_text(&t.by_free, NULL, 0) == 0);
  nsdyn_contact_free(solver);
  forget(&t);
}
END_TEST

SUITE("contact/check_operator", TEST(operators_are_solved_like_matrices),
      TEST(planar_contacts_and_constraints_have_operators_too), TEST(what_is_wrong_with_an_operator_is_said),
      TEST(other_calls_refuse_operators))
