/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Any numbers as a contact problem, by every method, warm and cold: what is called solved must pass the
 * certificate and lie within its laws, what is refused must say why and touch nothing, and nothing that goes
 * out holds a NaN. */
#include <math.h>

#include "nsdyn/contact.h"
#include "target.h"

enum { CONTACTS = 3, BILATERAL = 1, ROWS = 2 * CONTACTS + BILATERAL, NU = 5, NODES = 200 };

typedef struct task {
  nsdyn_contact_problem problem;
  nsdyn_contact_law laws[CONTACTS];
  double slip[CONTACTS]; /* one per tangential row */
  int rows;
  double G[ROWS * ROWS], c[ROWS];
} task;

/* A number as physics has them, a hard one, or any bits at all. */
static double read_number(reader *from, int kind)
{
  static const double hard[] = {0.0, 1.0, -1.0, 1e-9, 1e-160, 1e160, -1e160, 1e-308, 0.5, 3.0};
  switch (kind) {
  case 0:
    return (read_below(from, 201) - 100) / 50.0;
  case 1:
    return hard[read_below(from, (int)(sizeof hard / sizeof *hard))];
  default:
    return read_double(from);
  }
}

static void read_laws(reader *from, task *t, int kind)
{
  int tangential = 0;
  for (int i = 0; i < t->problem.contacts; i++) {
    nsdyn_contact_law *law = &t->laws[i];
    REQUIRE(nsdyn_contact_law_init(law, sizeof *law) == NSDYN_OK);
    law->kind = read_below(from, 4) == 0;
    law->friction = read_below(from, 5);
    law->mu = fabs(read_number(from, kind));
    law->bound = fabs(read_number(from, kind));
    law->mu_static = law->mu;
    const int slip = read_below(from, 7) == 0 ? 1 - 2 * read_below(from, 2) : 0;
    if (law->friction != NSDYN_FRICTION_NONE) {
      t->slip[tangential++] = slip;
    }
  }
}

/* G = W Wᵀ, redundant as it comes; or a symmetric matrix of any numbers. */
static void read_matrix(reader *from, task *t, int kind)
{
  double W[ROWS][NU];
  const int is_gram = read_below(from, 4) > 0;
  for (int i = 0; i < t->rows; i++) {
    for (int q = 0; q < NU; q++) {
      W[i][q] = read_number(from, kind);
    }
    t->c[i] = read_number(from, kind);
  }
  for (int i = 0; i < t->rows; i++) {
    for (int j = 0; j <= i; j++) {
      double sum = is_gram ? 0.0 : read_number(from, kind);
      for (int q = 0; is_gram && q < NU; q++) {
        sum += W[i][q] * W[j][q];
      }
      t->G[i * ROWS + j] = t->G[j * ROWS + i] = sum;
    }
  }
}

static void read_task(reader *from, task *t)
{
  const int kind = read_below(from, 3);
  REQUIRE(nsdyn_contact_problem_init(&t->problem, sizeof t->problem) == NSDYN_OK);
  t->problem.contacts = read_below(from, CONTACTS + 1);
  t->problem.bilateral = read_below(from, BILATERAL + 1);
  t->problem.laws = t->laws;
  t->problem.G = t->G;
  t->problem.ldg = ROWS;
  t->problem.c = t->c;
  t->problem.slip = t->slip;
  t->problem.dt = read_below(from, 2);
  read_laws(from, t, kind);
  t->rows = nsdyn_contact_rows(&t->problem);
  REQUIRE(t->rows >= 0 && t->rows <= ROWS);
  read_matrix(from, t, kind);
}

static void check_solution(const nsdyn_contact *s, const task *t, const double *Lambda, const double *xi,
                           double tol)
{
  double residual = INFINITY;
  double scale = 0.0;
  REQUIRE(nsdyn_contact_residual(&t->problem, Lambda, &residual, &scale, NULL) == NSDYN_OK);
  REQUIRE(residual <= tol * scale);
  int contacts;
  const int32_t *modes = nsdyn_contact_modes(s, &contacts);
  REQUIRE(contacts == t->problem.contacts);
  int row = 0;
  for (int i = 0; i < contacts; i++) {
    const nsdyn_contact_law *law = &t->laws[i];
    REQUIRE(modes[i] >= NSDYN_MODE_OPEN && modes[i] <= NSDYN_MODE_SLIP_MINUS);
    REQUIRE(law->kind == NSDYN_CONTACT_BILATERAL || Lambda[row] >= 0.0);
    if (law->friction != NSDYN_FRICTION_NONE) {
      const double limit =
          law->friction == NSDYN_FRICTION_BOUND ? law->bound * t->problem.dt : law->mu * fabs(Lambda[row]);
      REQUIRE(fabs(Lambda[row + 1]) <= limit);
      row++;
    }
    row++;
  }
  for (int i = 0; i < t->rows; i++) {
    REQUIRE(isfinite(Lambda[i]) && isfinite(xi[i]));
  }
}

static nsdyn_status solve(nsdyn_contact *s, const task *t, double tol)
{
  double Lambda[ROWS], xi[ROWS];
  for (int i = 0; i < ROWS; i++) {
    Lambda[i] = xi[i] = 123.5;
  }
  const nsdyn_status status = nsdyn_contact_solve(s, &t->problem, Lambda, xi);
  nsdyn_contact_solve_report found;
  REQUIRE(nsdyn_contact_solve_report_init(&found, sizeof found) == NSDYN_OK);
  REQUIRE(nsdyn_contact_report(s, &found) == NSDYN_OK && found.status == status);
  REQUIRE((status == NSDYN_OK) == (nsdyn_contact_message(s)[0] == '\0'));
  if (status == NSDYN_OK) {
    check_solution(s, t, Lambda, xi, tol);
  }
  for (int i = 0; i < t->rows; i++) {
    REQUIRE(status >= 0 ? isfinite(Lambda[i]) : Lambda[i] == 123.5 && xi[i] == 123.5);
  }
  REQUIRE(status == NSDYN_OK || nsdyn_contact_modes(s, NULL) == NULL);
  return status;
}

static void solve_by_all(const task *t)
{
  nsdyn_contact *s;
  REQUIRE(nsdyn_contact_new(NULL, NULL, &s, NULL) == NSDYN_OK);
  for (int32_t method = NSDYN_CONTACT_AUTOMATIC; method <= NSDYN_CONTACT_MODES; method++) {
    nsdyn_contact_options options;
    REQUIRE(nsdyn_contact_options_init(&options, sizeof options) == NSDYN_OK);
    options.method = method;
    options.max_nodes = NODES;
    for (options.warm_start = 0; options.warm_start < 2; options.warm_start++) {
      REQUIRE(nsdyn_contact_set_options(s, &options) == NSDYN_OK);
      (void)solve(s, t, options.tol);
    }
  }
  nsdyn_contact_free(s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  reader from = {data, size};
  task t;
  read_task(&from, &t);
  solve_by_all(&t);
  return 0;
}
