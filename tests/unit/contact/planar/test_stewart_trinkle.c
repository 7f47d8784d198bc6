/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "contact/planar/stewart_trinkle.h"

#include "nsdyn/lcp.h"
#include "touching.h"

enum { MOST_N = 4 * MOST_CONTACTS + 16 };

typedef struct lcp {
  int n;
  double A[MOST_N * MOST_N], b[MOST_N], lo[MOST_N], hi[MOST_N], x[MOST_N];
} lcp;

static void assemble(const touching *t, lcp *p)
{
  p->n = nsd_stewart_trinkle_size(&t->d);
  nsd_stewart_trinkle_assemble(&t->d, p->A, p->n, p->b, p->lo, p->hi, NULL);
}

/* xᵀ A x >= 0 for x >= 0; eq. 33's matrix has no such property. */
START_TEST(the_matrix_is_copositive)
{
  touching *t = touching_new();
  static lcp p;
  const int cases = random_cases(2000);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    make_touching(t, &r, 1 + k % 8, REDUNDANT | WITH_NONE | WITH_GIVEN | WITH_STEEP);
    assemble(t, &p);
    for (int trial = 0; trial < 10; trial++) {
      double form = 0.0;
      double size = 0.0;
      for (int i = 0; i < p.n; i++) {
        p.x[i] = random_below(&r, 2) ? random_unit(&r) : 0.0;
      }
      for (int i = 0; i < p.n; i++) {
        for (int j = 0; j < p.n; j++) {
          const double term = p.x[i] * p.A[i * p.n + j] * p.x[j];
          form += term;
          size += fabs(term);
        }
      }
      REQUIRE(form >= -1e-13 * size, "seed %d: %g of %g", k, form, size);
    }
  }
  free(t);
}
END_TEST

/* c is in the range of W, so c·Λ = 0 wherever GΛ = 0: Lemke's method must end with a solution. */
START_TEST(lemke_surely_ends_with_a_solution)
{
  touching *t = touching_new();
  static lcp p;
  nsdyn_lcp_options options;
  nsdyn_lcp_options_init(&options, sizeof options);
  options.method = NSDYN_LCP_LEMKE;
  nsdyn_lcp *solver;
  ck_assert_int_eq(nsdyn_lcp_new(NULL, &options, &solver, NULL), NSDYN_OK);
  const int cases = random_cases(3000);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    make_touching(t, &r, 1 + k % 8, REDUNDANT | WITH_NONE | (k % 2 ? WITH_GIVEN : WITH_STEEP));
    assemble(t, &p);
    REQUIRE(nsd_stewart_trinkle_applies(&t->d) && nsd_stewart_trinkle_is_plain(&t->d), "seed %d", k);
    const nsdyn_status status = nsdyn_lcp_solve(solver, p.n, p.A, p.n, p.b, p.x, NULL);
    REQUIRE(status == NSDYN_OK, "seed %d: %s", k, nsdyn_lcp_message(solver));
    nsd_stewart_trinkle_impulses(&t->d, p.x, t->Lambda);
    nsd_contact_project_all(&t->d, t->Lambda);
    const nsd_contact_verdict v = nsd_contact_judge(&t->d, t->Lambda, NULL);
    REQUIRE(nsd_contact_is_solution(&v, 1e-8), "seed %d: %g of %g", k, v.residual, v.scale);
  }
  nsdyn_lcp_free(solver);
  free(t);
}
END_TEST

START_TEST(every_law_but_one_has_this_form)
{
  touching *t = touching_new();
  static lcp p;
  nsdyn_lcp *solver;
  ck_assert_int_eq(nsdyn_lcp_new(NULL, NULL, &solver, NULL), NSDYN_OK);
  const int cases = random_cases(2000);
  int solved = 0;
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    make_touching(t, &r, 1 + k % 4, WITH_EVERY_LAW | WITH_SLIDING);
    int has = 0;
    int plain = t->d.bilateral == 0;
    for (int i = 0; i < t->d.contacts; i++) {
      const int slot = t->spec[i].kind == NSDYN_CONTACT_BILATERAL;
      has |= slot && t->spec[i].mu > 0.0;
      plain = plain && !slot;
    }
    REQUIRE(nsd_stewart_trinkle_applies(&t->d) == !has, "seed %d", k);
    REQUIRE(nsd_stewart_trinkle_is_plain(&t->d) == plain, "seed %d", k);
    if (has) {
      continue;
    }
    assemble(t, &p);
    const nsdyn_status status = nsdyn_lcp_solve_mixed(solver, p.n, p.A, p.n, p.b, p.lo, p.hi, p.x, NULL);
    if (status == NSDYN_OK) {
      solved++;
      nsd_stewart_trinkle_impulses(&t->d, p.x, t->Lambda);
      nsd_contact_project_all(&t->d, t->Lambda);
      const nsd_contact_verdict v = nsd_contact_judge(&t->d, t->Lambda, NULL);
      REQUIRE(nsd_contact_is_solution(&v, 1e-8), "seed %d: %g of %g", k, v.residual, v.scale);
    }
  }
  ck_assert_int_gt(solved, cases / 2);
  nsdyn_lcp_free(solver);
  free(t);
}
END_TEST

SUITE("contact/planar/stewart_trinkle", TEST(the_matrix_is_copositive),
      TEST(lemke_surely_ends_with_a_solution), TEST(every_law_but_one_has_this_form))
