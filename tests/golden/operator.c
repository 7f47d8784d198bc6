/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Contact problems in space whose G is an operator: bodies that touch each other and the ground, solved in
 * their velocities where they are many, told by G's own rows too; and operators that are refused. */
#include <math.h>
#include <stdlib.h>

#include "hash.h"
#include "nsdyn/contact.h"

enum { BODIES = 6, CONTACTS = 36, BARS = 2, ROWS = 3 * CONTACTS + BARS, NU = 6 * BODIES, MOST = 12 * ROWS };

typedef struct task {
  int32_t size[BODIES], column[MOST], wide[ROWS * ROWS];
  int64_t begin[ROWS + 1], wide_begin[ROWS + 1];
  double inverse[36 * BODIES], value[MOST], G[ROWS * ROWS], c[ROWS];
  nsdyn_contact_law law[CONTACTS];
  nsdyn_contact_operator W;
  nsdyn_contact_problem problem;
} task;

/* M⁻¹ = A Aᵀ + 1 of one body; points of mass have three coordinates. */
static void fill_inverse(stream *from, int n, double *inverse)
{
  double A[36];
  stream_fill(from, (size_t)n * (size_t)n, A);
  for (int i = 0; i < n; i++) {
    for (int j = 0; j <= i; j++) {
      double sum = i == j ? 1.0 : 0.0;
      for (int k = 0; k < n; k++) {
        sum += 0.25 * A[i * n + k] * A[j * n + k];
      }
      inverse[i * n + j] = inverse[j * n + i] = sum;
    }
  }
}

static void fill_laws(stream *from, task *t, int contacts)
{
  for (int i = 0; i < contacts; i++) {
    nsdyn_contact_law *law = &t->law[i];
    nsdyn_contact_law_init(law, sizeof *law);
    law->tangents = 2;
    law->friction = stream_below(from, 4) ? NSDYN_FRICTION_COULOMB : NSDYN_FRICTION_BOUND;
    law->mu = 0.25 * (1.0 + stream_number(from));
    law->bound = 0.25 * (1.0 + stream_number(from));
    law->aspect = stream_below(from, 3) ? 1.0 : 1.5;
  }
}

/* Rows in threes, and those of bars by themselves: of one body and the ground or of two; c = W u. */
static void fill(stream *from, task *t, int contacts, int bars)
{
  const int rows = 3 * contacts + bars;
  int at[BODIES + 1] = {0};
  double u[NU], *inverse = t->inverse;
  for (int b = 0; b < BODIES; b++) {
    t->size[b] = stream_below(from, 4) ? 6 : 3;
    at[b + 1] = at[b] + t->size[b];
    fill_inverse(from, t->size[b], inverse);
    inverse += t->size[b] * t->size[b];
  }
  stream_fill(from, NU, u);
  int64_t n = 0;
  int first = 0, second = 0;
  for (int r = 0; r < rows; r++) {
    if (r % 3 == 0 || r >= 3 * contacts) {
      first = stream_below(from, BODIES);
      second = stream_below(from, BODIES);
      second = second < first ? first : second;
    }
    t->begin[r] = n;
    t->c[r] = 0.0;
    for (int b = first; b <= second; b += second > first ? second - first : 1) {
      for (int j = at[b]; j < at[b + 1]; j++) {
        t->column[n] = j;
        t->value[n] = stream_number(from);
        t->c[r] += t->value[n++] * u[j];
      }
    }
  }
  t->begin[rows] = n;
  fill_laws(from, t, contacts);
  nsdyn_contact_operator_init(&t->W, sizeof t->W);
  t->W.bodies = BODIES;
  t->W.columns = at[BODIES];
  t->W.body = t->size;
  t->W.inverse = t->inverse;
  t->W.begin = t->begin;
  t->W.column = t->column;
  t->W.value = t->value;
  nsdyn_contact_problem_init(&t->problem, sizeof t->problem);
  t->problem.contacts = contacts;
  t->problem.bilateral = bars;
  t->problem.laws = t->law;
  t->problem.W = &t->W;
  t->problem.c = t->c;
  t->problem.dt = 0.25;
}

static nsdyn_status hash_solve(hash *h, nsdyn_contact *solver, const task *t)
{
  const size_t rows = (size_t)nsdyn_contact_rows(&t->problem);
  double Lambda[ROWS] = {0.0}, xi[ROWS] = {0.0}, residual = 0.0, scale = 0.0;
  int32_t row = -1;
  nsdyn_contact_solve_report report;
  nsdyn_contact_solve_report_init(&report, sizeof report);
  const nsdyn_status status = nsdyn_contact_solve(solver, &t->problem, Lambda, xi);
  nsdyn_contact_report(solver, &report);
  hash_int(h, status);
  hash_int(h, report.method);
  hash_int(h, report.iterations);
  hash_double(h, report.residual);
  hash_double(h, report.scale);
  hash_doubles(h, rows, Lambda);
  hash_doubles(h, rows, xi);
  hash_int(h, nsdyn_contact_residual(&t->problem, Lambda, &residual, &scale, &row));
  hash_double(h, residual);
  hash_double(h, scale);
  hash_int(h, row);
  return status;
}

/* The same problem by the elements of G = W M⁻¹ Wᵀ that are not zero. */
static void write_rows_of_G(task *t)
{
  const int rows = nsdyn_contact_rows(&t->problem);
  int64_t n = 0;
  for (int r = 0; r < rows; r++) {
    double x[NU] = {0.0}; /* M⁻¹ w_r */
    for (int64_t k = t->begin[r]; k < t->begin[r + 1]; k++) {
      int at = 0, b = 0;
      const double *inverse = t->inverse;
      for (; t->column[k] >= at + t->size[b]; b++) {
        inverse += t->size[b] * t->size[b];
        at += t->size[b];
      }
      for (int i = 0; i < t->size[b]; i++) {
        x[at + i] += inverse[i * t->size[b] + t->column[k] - at] * t->value[k];
      }
    }
    t->wide_begin[r] = n;
    for (int s = 0; s < rows; s++) {
      double sum = 0.0;
      for (int64_t k = t->begin[s]; k < t->begin[s + 1]; k++) {
        sum += t->value[k] * x[t->column[k]];
      }
      if (sum != 0.0) {
        t->wide[n] = s;
        t->G[n++] = sum;
      }
    }
  }
  t->wide_begin[rows] = n;
  t->W.bodies = 0;
  t->W.begin = t->wide_begin;
  t->W.column = t->wide;
  t->W.value = t->G;
}

/* What check_operator.c says of one element that is spoilt, and where. */
static void hash_refusal(hash *h, nsdyn_contact *solver, const task *t)
{
  nsdyn_detail detail;
  nsdyn_detail_init(&detail, sizeof detail);
  hash_solve(h, solver, t);
  hash_int(h, nsdyn_contact_detail(solver, &detail));
  hash_int(h, detail.kind);
  hash_int(h, detail.index);
}

static void hash_refusals(hash *h, stream *from, nsdyn_contact *solver, task *t)
{
  const int rows = nsdyn_contact_rows(&t->problem), r = stream_below(from, rows);
  const int64_t k = t->begin[r];
  const double value = t->value[k], inverse = t->inverse[1];
  const int32_t column = t->column[k];
  t->value[k] = INFINITY;
  hash_refusal(h, solver, t);
  t->value[k] = value;
  t->inverse[1] = inverse + 1.0;
  hash_refusal(h, solver, t);
  t->inverse[1] = inverse;
  t->column[k] = NU;
  hash_refusal(h, solver, t);
  t->column[k] = column;
}

void golden_operator(hash *h)
{
  static task t;
  nsdyn_contact *solver;
  if (nsdyn_contact_new(NULL, NULL, &solver, NULL)) {
    abort();
  }
  stream from = stream_begin(75);
  for (int k = 0; k < 24; k++) {
    fill(&from, &t, k % 3 ? CONTACTS - k : 3, k % 4 ? 0 : BARS);
    hash_solve(h, solver, &t);
    hash_refusals(h, &from, solver, &t);
    write_rows_of_G(&t);
    hash_solve(h, solver, &t);
  }
  nsdyn_contact_free(solver);
}
