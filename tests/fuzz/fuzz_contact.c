/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Any numbers as a contact problem, by every method, warm and cold: what is called solved must pass the
 * certificate and lie within its laws, what is refused must say why and touch nothing, and nothing that goes
 * out holds a NaN. */
#include "contact_task.h"

enum { NODES = 200 };

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
