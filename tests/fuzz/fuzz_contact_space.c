/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Any numbers as a problem of contacts in space, beside planar ones and bilateral rows: solved, cold and
 * warm, by one method after another, as an impact under both laws, and listed. What is called solved must
 * pass the certificate, lie within its law, and hold no NaN; impacts balance, γ⁺ = G Λ + γ⁻; what is refused
 * touches nothing. Long searches are cancelled, which is an end like others. */
#include <math.h>

#include "nsdyn/contact.h"
#include "target.h"

enum { CONTACTS = 4, BILATERAL = 2, ROWS = 3 * CONTACTS + BILATERAL, NU = 9, PATIENCE = 6, UNTOUCHED = 4711 };

typedef struct task {
  nsdyn_contact_problem problem;
  nsdyn_contact_law laws[CONTACTS];
  double slip[2 * CONTACTS]; /* one per tangential row */
  int rows, has_slip;
  double G[ROWS * ROWS], c[ROWS], Lambda[ROWS], xi[ROWS];
} task;

static int stop_after(void *user, const char *activity, double done)
{
  int *left = user;
  (void)activity, (void)done;
  return --*left < 0;
}

/* A number as physics has them, a hard one, or any bits at all. */
static double read_number(reader *from, int kind)
{
  static const double hard[] = {0.0, 1.0, -1.0, 1e-9, 1e-160, 1e160, -1e160, 1e-308, 0.5, 3.0};
  return kind == 0   ? (read_below(from, 201) - 100) / 50.0
         : kind == 1 ? hard[read_below(from, (int)(sizeof hard / sizeof *hard))]
                     : read_double(from);
}

static void read_laws(reader *from, task *t, int kind)
{
  int tangential = 0;
  for (int i = 0; i < t->problem.contacts; i++) {
    nsdyn_contact_law *law = &t->laws[i];
    REQUIRE(nsdyn_contact_law_init(law, sizeof *law) == NSDYN_OK);
    law->kind = read_below(from, 5) == 0;
    law->friction = read_below(from, 5);
    law->tangents = 1 + (read_below(from, 4) > 0);
    law->shape = law->tangents == 2 ? read_below(from, 2) : 0;
    law->sides = 4 + 2 * read_below(from, 4);
    law->mu = law->mu_static = fabs(read_number(from, kind));
    law->bound = fabs(read_number(from, kind));
    if (law->tangents == 2) {
      law->aspect = read_below(from, 2) ? 1.0 : fabs(read_number(from, kind));
      law->angle = read_number(from, kind);
    }
    law->eps_n = read_below(from, 11) / 10.0;
    law->eps_t = read_below(from, 11) / 10.0;
    law->reversal = read_below(from, 11) / 10.0;
    const int slides = read_below(from, 9) == 0;
    for (int k = 0; law->friction != NSDYN_FRICTION_NONE && k < law->tangents; k++) {
      t->slip[tangential++] = slides && k == 0 ? 1.0 : 0.0;
      t->has_slip |= slides;
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

static void forget(task *t)
{
  for (int i = 0; i < ROWS; i++) {
    t->Lambda[i] = t->xi[i] = UNTOUCHED;
  }
}

/* What holds after every call: no NaN goes out, and a refusal writes nothing. */
static void check_outputs(const task *t, nsdyn_status status)
{
  for (int i = 0; i < t->rows; i++) {
    REQUIRE(status >= 0 ? isfinite(t->Lambda[i]) : t->Lambda[i] == UNTOUCHED && t->xi[i] == UNTOUCHED);
  }
}

static void solve(nsdyn_contact *s, task *t, double tol)
{
  forget(t);
  const nsdyn_status status = nsdyn_contact_solve(s, &t->problem, t->Lambda, t->xi);
  REQUIRE((status == NSDYN_OK) == (nsdyn_contact_message(s)[0] == '\0'));
  check_outputs(t, status);
  if (status != NSDYN_OK) {
    return;
  }
  double residual = INFINITY, scale = 0.0;
  REQUIRE(nsdyn_contact_residual(&t->problem, t->Lambda, &residual, &scale, NULL) == NSDYN_OK);
  REQUIRE(residual <= tol * scale);
  int32_t contacts;
  const int32_t *modes = nsdyn_contact_modes(s, &contacts);
  REQUIRE(contacts == t->problem.contacts);
  for (int i = 0, row = 0; i < contacts; i++) {
    const nsdyn_contact_law *law = &t->laws[i];
    REQUIRE(modes[i] >= NSDYN_MODE_OPEN && modes[i] <= NSDYN_MODE_SLIP);
    REQUIRE(law->kind == NSDYN_CONTACT_BILATERAL || t->Lambda[row] >= 0.0);
    row += law->friction == NSDYN_FRICTION_NONE ? 1 : 1 + law->tangents;
  }
}

/* γ⁺ = G Λ + γ⁻ but for the rounding of its terms, and of impulses that hardly are numbers any more; of
 * bilateral rows γ⁺ = 0 by their law. */
static void strike(nsdyn_contact *s, task *t, int32_t law)
{
  forget(t);
  const nsdyn_status status = nsdyn_contact_impact(s, law, &t->problem, t->Lambda, t->xi);
  check_outputs(t, status);
  double most = 0.0;
  for (int i = 0; i < t->rows && status == NSDYN_OK; i++) {
    double size = fabs(t->c[i]), grain = 0.0;
    for (int j = 0; j < t->rows; j++) {
      size += fabs(t->G[i * ROWS + j] * t->Lambda[j]);
      grain += fabs(t->G[i * ROWS + j]) * 0x1p-1074;
    }
    most = fmax(most, size + 1e6 * grain);
  }
  for (int i = 0; i < t->rows && status == NSDYN_OK && isfinite(most); i++) {
    double gamma = t->c[i];
    for (int j = 0; j < t->rows; j++) {
      gamma += t->G[i * ROWS + j] * t->Lambda[j];
    }
    REQUIRE(fabs(gamma - t->xi[i]) <= 1e-6 * most + 1e-300);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  reader from = {data, size};
  task t = {.has_slip = 0};
  const int kind = read_below(&from, 3);
  REQUIRE(nsdyn_contact_problem_init(&t.problem, sizeof t.problem) == NSDYN_OK);
  t.problem.contacts = read_below(&from, CONTACTS + 1);
  t.problem.bilateral = read_below(&from, BILATERAL + 1);
  t.problem.laws = t.laws;
  t.problem.G = t.G;
  t.problem.ldg = ROWS;
  t.problem.c = t.c;
  t.problem.slip = t.slip;
  t.problem.dt = read_below(&from, 2);
  read_laws(&from, &t, kind);
  t.rows = nsdyn_contact_rows(&t.problem);
  REQUIRE(t.rows >= 0 && t.rows <= ROWS);
  read_matrix(&from, &t, kind);
  /* Whoever waits is patient for some milliseconds in each call. */
  int left = 0;
  nsdyn_context_def def;
  nsdyn_context *ctx;
  nsdyn_contact *s;
  REQUIRE(nsdyn_context_def_init(&def, sizeof def) == NSDYN_OK);
  def.progress = stop_after;
  def.user = &left;
  REQUIRE(nsdyn_context_new(&def, &ctx, NULL) == NSDYN_OK);
  REQUIRE(nsdyn_contact_new(ctx, NULL, &s, NULL) == NSDYN_OK);
  nsdyn_contact_options options;
  REQUIRE(nsdyn_contact_options_init(&options, sizeof options) == NSDYN_OK);
  options.method =
      read_below(&from, 3) ? NSDYN_CONTACT_AUTOMATIC : read_below(&from, NSDYN_CONTACT_TODOROV_PLM + 1);
  for (options.warm_start = 0; options.warm_start < 2; options.warm_start++) {
    REQUIRE(nsdyn_contact_set_options(s, &options) == NSDYN_OK);
    left = PATIENCE;
    solve(s, &t, options.tol);
  }
  for (int32_t law = NSDYN_IMPACT_NEWTON; law <= NSDYN_IMPACT_POISSON; law++) {
    left = PATIENCE;
    strike(s, &t, law);
  }
  nsdyn_contact_census census;
  REQUIRE(nsdyn_contact_census_init(&census, sizeof census) == NSDYN_OK);
  left = PATIENCE;
  const nsdyn_status status = nsdyn_contact_enumerate(s, &t.problem, NULL, NULL, &census);
  REQUIRE(status != NSDYN_NO_SOLUTION ||
          census.points + census.bounded_pieces + census.unbounded_pieces == 0);
  REQUIRE(!census.complete || census.doubtful == 0);
  nsdyn_contact_free(s);
  nsdyn_context_free(ctx);
  return 0;
}
