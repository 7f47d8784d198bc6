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
#include "support/counted_memory.h"
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

/* A definite G is left after a third of its rows, and costs no more room than these; where it is small after
 * no more than that. */
START_TEST(a_definite_matrix_is_left_early)
{
  for (int contacts = 100; contacts <= 400; contacts *= 2) {
    reading t = {.p = make_pile(SPACE_PILE_WALL, 3, contacts)};
    const int n = t.p.rows;
    for (int i = 0; i < n; i++) {
      t.p.G[(size_t)i * (size_t)n + (size_t)i] *= 1.01;
    }
    read_form(&t);
    ck_assert_int_eq(t.status, NSDYN_UNDECIDED);
    ck_assert_int_le(t.form.velocities, n / 3 > 300 ? n / 3 + 1 : 301);
    ck_assert(n < 1000 || (double)t.form.room.capacity < 0.5 * 8.0 * n * n);
    release(&t);
  }
}
END_TEST

/* Largest element of G − L Lᵀ, of √(G_ii G_jj); 1 where that is zero. */
static double missed(const reading *t)
{
  const int n = t->p.rows;
  double most = 0.0;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      const double *G = t->p.G, *a = t->form.L + (ptrdiff_t)i * t->form.most,
                   *b = t->form.L + (ptrdiff_t)j * t->form.most;
      const double size = sqrt(G[(ptrdiff_t)i * n + i] * G[(ptrdiff_t)j * n + j]);
      double left = G[(ptrdiff_t)i * n + j];
      for (int k = 0; k < t->form.velocities; k++) {
        left -= a[k] * b[k];
      }
      most = fmax(most, left == 0.0 ? 0.0 : size > 0.0 ? fabs(left) / size : 1.0);
    }
  }
  return most;
}

/* What is read is G: also where elements between rows that are no pivots are wrong, which elimination does
 * not see. G is not semidefinite then. */
START_TEST(what_is_read_is_the_matrix)
{
  const int cases = random_cases(60);
  int left = 0;
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k + 900);
    reading whole = {.p = make_pile(k % SPACE_PILE_KINDS, (uint64_t)k, 20)};
    read_form(&whole);
    reading t = {.p = make_pile(k % SPACE_PILE_KINDS, (uint64_t)k, 20)};
    /* A pair of them, that is of different signs and sizes. */
    const int n = t.p.rows;
    int row[2], found = 0;
    for (int tries = 0; tries < 1000 && found < 2; tries++) {
      const int i = random_below(&random, n);
      int is_pivot = found == 1 && row[0] == i;
      for (int m = 0; m < whole.form.velocities; m++) {
        is_pivot |= whole.form.pivot[m] == i;
      }
      row[found] = i;
      found += !is_pivot;
    }
    if (whole.status == NSDYN_OK && found == 2) {
      ck_assert_double_lt(missed(&whole), 1e-9);
      const double *G = t.p.G;
      const double size = sqrt(G[(ptrdiff_t)row[0] * n + row[0]] * G[(ptrdiff_t)row[1] * n + row[1]]);
      const double wrong =
          (random_below(&random, 2) ? 1.0 : -1.0) * pow(10.0, random_between(&random, -6.0, 0.0)) * size;
      t.p.G[(ptrdiff_t)row[0] * n + row[1]] += wrong;
      t.p.G[(ptrdiff_t)row[1] * n + row[0]] += wrong;
      read_form(&t);
      ck_assert(t.status == NSDYN_UNDECIDED || missed(&t) < 1e-7);
      left += t.status == NSDYN_UNDECIDED;
      nsd_free_form_release(&t.form);
      nsd_operator_release(&t.cells);
      free(t.rows_of);
    }
    space_pile_free(&t.p);
    release(&whole);
  }
  ck_assert(is_common(left, cases, 60));
}
END_TEST

/* diag(1, 0, 0) with 1 between the zeros, and ones with a half between two of the same rows. */
START_TEST(indefinite_with_diagonals_that_vanish)
{
  static const double G[2][9] = {{1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 1.0, 0.0},
                                 {1.0, 1.0, 1.0, 1.0, 1.0, 0.5, 1.0, 0.5, 1.0}};
  for (int k = 0; k < 2; k++) {
    const nsd_contact_data d = {.contacts = 1, .rows = 3, .ldg = 3, .G = G[k], .c = G[k]};
    const nsd_operator_rows given = {.value = G[k], .stride = 3, .columns = 3};
    const int rows_of = 3;
    nsd_operator cells;
    nsd_operator_init(&cells, NULL);
    ck_assert_int_eq(nsd_operator_read(&cells, 1, &rows_of, &given, NULL, NULL), NSDYN_OK);
    nsd_free_form form = nsd_free_form_empty(NULL);
    ck_assert_int_eq(nsd_free_form_read(&form, &d, &cells, &rows_of, NULL), NSDYN_UNDECIDED);
    nsd_free_form_release(&form);
    nsd_operator_release(&cells);
  }
}
END_TEST

/* A pile as a matrix; `which` (contacts) is of zeros. */
static nsdyn_contact_problem problem_of(const space_pile *p, nsdyn_contact_law *law, const int32_t *which)
{
  nsdyn_contact_problem q;
  ck_assert_int_eq(nsdyn_contact_law_init(law, sizeof *law), NSDYN_OK);
  law->tangents = 2;
  law->mu = p->mu;
  ck_assert_int_eq(nsdyn_contact_problem_init(&q, sizeof q), NSDYN_OK);
  q.contacts = p->contacts;
  q.nlaws = 1;
  q.laws = law;
  q.law = which;
  q.c = p->c;
  q.G = p->G;
  q.ldg = p->rows;
  return q;
}

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
    int32_t *which = calloc((size_t)p.contacts, sizeof *which);
    nsdyn_contact_problem q = problem_of(&p, &law, which);
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

/* Without the memory for velocities other stages solve it: a refusal is none of the problem's where they can.
 */
START_TEST(without_its_memory_others_solve)
{
  space_pile p = make_pile(SPACE_PILE_WALL, 7, 70);
  double *Lambda = calloc((size_t)p.rows, sizeof *Lambda), *xi = calloc((size_t)p.rows, sizeof *xi);
  int32_t *which = calloc((size_t)p.contacts, sizeof *which);
  nsdyn_contact_law law;
  const nsdyn_contact_problem q = problem_of(&p, &law, which);
  int survived = 0, is_over = 0;
  for (long at = 1; !is_over; at++) {
    counted_memory m = {.fill = 0xff};
    nsdyn_context *ctx = counted_context(&m, NULL);
    nsdyn_contact *solver;
    ck_assert_int_eq(nsdyn_contact_new(ctx, NULL, &solver, NULL), NSDYN_OK);
    m.fail_at = m.allocations + at;
    const nsdyn_status status = nsdyn_contact_solve(solver, &q, Lambda, xi);
    is_over = m.allocations < m.fail_at;
    ck_assert(status == NSDYN_OK || (status == NSDYN_ERR_NOMEM && !is_over));
    survived += !is_over && status == NSDYN_OK;
    nsdyn_contact_free(solver);
    nsdyn_context_free(ctx);
    ck_assert_int_eq(m.live, 0);
  }
  ck_assert_int_ge(survived, 2);
  free(Lambda);
  free(xi);
  free(which);
  space_pile_free(&p);
}
END_TEST

SUITE("contact/space/free_form", TEST(a_stack_has_as_many_velocities_as_its_boxes),
      TEST(a_matrix_that_hides_no_velocities_is_left), TEST(a_definite_matrix_is_left_early),
      TEST(what_is_read_is_the_matrix), TEST(indefinite_with_diagonals_that_vanish),
      TEST(a_pile_told_as_a_matrix_moves_as_its_bodies_do), TEST(without_its_memory_others_solve))
