/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "contact/space/free_form.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "nsdyn/contact.h"
#include "suite.h"
#include "support/space_piles.h"

/* A pile's G, read by cells of three rows and as L Lᵀ. */
typedef struct reading {
  space_pile p;
  nsd_contact_data d;
  int *rows_of;
  nsd_operator cells;
  nsd_free_form form;
  nsdyn_status status;
} reading;

static void read_form(reading *t)
{
  const int n = t->p.rows;
  t->d = (nsd_contact_data){.contacts = t->p.contacts, .rows = n, .ldg = n, .G = t->p.G, .c = t->p.c};
  t->rows_of = calloc((size_t)t->p.contacts, sizeof *t->rows_of);
  for (int i = 0; i < t->p.contacts; i++) {
    t->rows_of[i] = 3;
  }
  nsd_operator_init(&t->cells, NULL);
  t->form = nsd_free_form_empty(NULL);
  const nsd_operator_rows given = {.value = t->p.G, .stride = n, .columns = n};
  ck_assert_int_eq(nsd_operator_read(&t->cells, t->p.contacts, t->rows_of, &given, NULL, NULL), NSDYN_OK);
  t->status = nsd_free_form_read(&t->form, &t->d, &t->cells, t->rows_of, NULL);
}

static void release(reading *t)
{
  nsd_free_form_release(&t->form);
  nsd_operator_release(&t->cells);
  free(t->rows_of);
  space_pile_free(&t->p);
}

static space_pile make_pile(int kind, uint64_t seed, int contacts)
{
  random_state random = random_seed(seed);
  space_pile p = space_pile_make((space_pile_kind)kind, PILE_REST, contacts, &random);
  space_pile_delassus(&p);
  return p;
}

/* A stack of N boxes, one on the other and four contacts to a face, has 6 N velocities: more are not found in
 * its G, and every product is that of G. */
START_TEST(a_stack_has_as_many_velocities_as_its_boxes)
{
  const int cases = random_cases(20);
  for (int k = 0; k < cases; k++) {
    reading t = {.p = make_pile(SPACE_PILE_STACK, (uint64_t)k, 8 + 4 * (k % 12))};
    read_form(&t);
    ck_assert_int_eq(t.status, NSDYN_OK);
    ck_assert_int_eq(t.form.velocities, 6 * t.p.bodies);
    ck_assert(t.form.is_full == 0 || t.p.bodies <= 8);
    const int n = t.p.rows;
    double *x = calloc((size_t)n, sizeof *x), *y = calloc((size_t)n, sizeof *y);
    double *state = calloc((size_t)t.form.op.columns, sizeof *state);
    random_state random = random_seed((uint64_t)k + 500);
    for (int i = 0; i < n; i++) {
      x[i] = random_normal(&random);
    }
    nsd_operator_multiply(&t.form.op, x, state, y);
    for (int i = 0; i < n; i++) {
      double sum = 0.0, size = 0.0;
      for (int j = 0; j < n; j++) {
        sum += t.p.G[(size_t)i * (size_t)n + (size_t)j] * x[j];
        size += fabs(t.p.G[(size_t)i * (size_t)n + (size_t)j] * x[j]);
      }
      ck_assert_double_le(fabs(y[i] - sum), 1e-11 * size);
    }
    free(x);
    free(y);
    free(state);
    release(&t);
  }
}
END_TEST

/* With a part of its diagonal more G is definite, with less it is not semidefinite. */
START_TEST(a_matrix_that_hides_no_velocities_is_left)
{
  for (int sign = -1; sign <= 1; sign += 2) {
    reading t = {.p = make_pile(SPACE_PILE_WALL, 3, 24)};
    for (int i = 0; i < t.p.rows; i++) {
      t.p.G[(size_t)i * (size_t)t.p.rows + (size_t)i] *= 1.0 + 1e-3 * sign;
    }
    read_form(&t);
    ck_assert_int_eq(t.status, NSDYN_UNDECIDED);
    release(&t);
  }
}
END_TEST

/* A pile handed over as a matrix moves as one handed over by its bodies: ξ is the same, whatever impulses. */
START_TEST(a_pile_told_as_a_matrix_moves_as_its_bodies_do)
{
  static const int kinds[] = {SPACE_PILE_STACK, SPACE_PILE_WALL, SPACE_PILE_RODS};
  nsdyn_contact *solver;
  nsdyn_contact_options options;
  ck_assert_int_eq(nsdyn_contact_options_init(&options, sizeof options), NSDYN_OK);
  options.tol = 1e-10;
  options.warm_start = 0;
  ck_assert_int_eq(nsdyn_contact_new(NULL, &options, &solver, NULL), NSDYN_OK);
  const int cases = random_cases(6);
  for (int k = 0; k < cases; k++) {
    space_pile p = make_pile(kinds[k % 3], (uint64_t)k, 100);
    const size_t n = (size_t)p.rows;
    double *Lambda = calloc(n, sizeof *Lambda), *xi = calloc(2 * n, sizeof *xi);
    nsdyn_contact_law law;
    ck_assert_int_eq(nsdyn_contact_law_init(&law, sizeof law), NSDYN_OK);
    law.tangents = 2;
    law.mu = p.mu;
    int32_t *which = calloc((size_t)p.contacts, sizeof *which);
    nsdyn_contact_problem q;
    ck_assert_int_eq(nsdyn_contact_problem_init(&q, sizeof q), NSDYN_OK);
    q.contacts = p.contacts;
    q.nlaws = 1;
    q.laws = &law;
    q.law = which;
    q.c = p.c;
    q.G = p.G;
    q.ldg = p.rows;
    ck_assert_int_eq(nsdyn_contact_solve(solver, &q, Lambda, xi), NSDYN_OK);
    /* Dozens of steps, where rounds and Newton's method on all rows take hundreds or do not end. */
    nsdyn_contact_solve_report report;
    ck_assert_int_eq(nsdyn_contact_solve_report_init(&report, sizeof report), NSDYN_OK);
    ck_assert_int_eq(nsdyn_contact_report(solver, &report), NSDYN_OK);
    ck_assert_int_lt(report.iterations, 120);
    nsdyn_contact_operator W;
    ck_assert_int_eq(nsdyn_contact_operator_init(&W, sizeof W), NSDYN_OK);
    W.bodies = p.bodies;
    W.columns = p.nu;
    W.body = p.size;
    W.inverse = p.inverse;
    W.begin = p.begin;
    W.column = p.column;
    W.value = p.value;
    q.G = NULL;
    q.W = &W;
    ck_assert_int_eq(nsdyn_contact_solve(solver, &q, Lambda, xi + n), NSDYN_OK);
    for (size_t i = 0; i < n; i++) {
      ck_assert_double_le(fabs(xi[i] - xi[n + i]), 1e-6 * report.scale);
    }
    free(Lambda);
    free(xi);
    free(which);
    space_pile_free(&p);
  }
  nsdyn_contact_free(solver);
}
END_TEST

SUITE("contact/space/free_form", TEST(a_stack_has_as_many_velocities_as_its_boxes),
      TEST(a_matrix_that_hides_no_velocities_is_left), TEST(a_pile_told_as_a_matrix_moves_as_its_bodies_do))
