/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The contact problem put to the solver of LCPs: both forms on their own. */
#include "contact/object.h"

#include "touching.h"

typedef nsdyn_status attempt(nsdyn_contact *s, const nsd_contact_data *d);

static nsdyn_contact *a_solver(const touching *t, double tol)
{
  nsdyn_contact_options options;
  nsdyn_contact_options_init(&options, sizeof options);
  options.tol = tol;
  nsdyn_contact *s;
  ck_assert_int_eq(nsdyn_contact_new(NULL, &options, &s, NULL), NSDYN_OK);
  ck_assert_int_eq(nsd_contact_reserve_kept(s, t->d.contacts), NSDYN_OK);
  return s;
}

static void begin(nsdyn_contact *s, const touching *t)
{
  ck_assert_int_eq(nsd_contact_reserve_kept(s, t->d.contacts), NSDYN_OK);
  ck_assert_int_eq(nsd_contact_reserve_scratch(s, t->d.contacts, t->d.rows), NSDYN_OK);
  s->best.verdict = (nsd_contact_verdict){.residual = INFINITY, .row = -1};
}

static void solves(attempt *try, unsigned features)
{
  touching *t = touching_new();
  nsdyn_contact *s = a_solver(t, 1e-9);
  const int cases = random_cases(2000);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    make_touching(t, &r, 1 + k % 8, features);
    begin(s, t);
    const nsdyn_status status = try(s, &t->d);
    REQUIRE(status == NSDYN_OK, "seed %d: %d", k, (int)status);
    const nsd_contact_verdict v = nsd_contact_judge(&t->d, s->best.Lambda, NULL);
    REQUIRE(nsd_contact_is_solution(&v, 1e-9) && v.residual == s->best.verdict.residual, "seed %d", k);
    REQUIRE(s->report.lcp_size >= t->d.contacts + t->d.bilateral, "seed %d", k);
  }
  nsdyn_contact_free(s);
  free(t);
}

START_TEST(equation_33_solves_where_G_is_definite)
{
  solves(nsd_contact_try_planar, WITH_NONE | WITH_GIVEN | WITH_BILATERAL);
}
END_TEST

/* The LCP by the method that was asked for, where it can state it: with the answer of all others where G is
 * definite and one solution is there. */
START_TEST(the_lcp_is_solved_by_the_method_asked_for)
{
  static const int32_t methods[] = {NSDYN_LCP_LEMKE, NSDYN_LCP_ENUMERATIVE, NSDYN_LCP_MARQUARDT_REGULAR,
                                    NSDYN_LCP_MARQUARDT_PROJECTED};
  /* two contacts that are coupled a little: one presses and slips, one presses and sticks */
  const double G[16] = {2.0, 0.1, 0.2, 0.0, 0.1, 3.0, 0.0, 0.1, 0.2, 0.0, 2.0, 0.1, 0.0, 0.1, 0.1, 3.0};
  const double c[4] = {-1.0, -2.0, -1.0, 0.05};
  double Lambda[4], xi[4], first[4] = {0.0};
  nsdyn_contact_law law;
  nsdyn_contact_problem problem;
  nsdyn_contact_law_init(&law, sizeof law);
  nsdyn_contact_problem_init(&problem, sizeof problem);
  law.mu = 0.3;
  const nsdyn_contact_law laws[2] = {law, law};
  problem.contacts = 2;
  problem.laws = laws;
  problem.G = G;
  problem.ldg = 4;
  problem.c = c;
  for (int k = -1; k < 4; k++) {
    nsdyn_contact *s;
    nsdyn_contact_options options;
    nsdyn_contact_solve_report report;
    nsdyn_contact_options_init(&options, sizeof options);
    nsdyn_contact_solve_report_init(&report, sizeof report);
    options.method = NSDYN_CONTACT_LCP;
    options.lcp_method = k < 0 ? NSDYN_LCP_AUTOMATIC : methods[k];
    ck_assert_int_eq(nsdyn_contact_new(NULL, &options, &s, NULL), NSDYN_OK);
    ck_assert_int_eq(nsdyn_contact_solve(s, &problem, Lambda, xi), NSDYN_OK);
    ck_assert_int_eq(nsdyn_contact_report(s, &report), NSDYN_OK);
    nsdyn_lcp_solve_report by;
    nsdyn_lcp_solve_report_init(&by, sizeof by);
    ck_assert_int_eq(nsdyn_lcp_report(s->lcp, &by), NSDYN_OK);
    if (k >= 0) {
      ck_assert_int_eq(by.method, methods[k]);
    }
    for (int i = 0; i < 4; i++) {
      first[i] = k < 0 ? Lambda[i] : first[i];
      REQUIRE(fabs(Lambda[i] - first[i]) <= 1e-9, "method %d, row %d", k, i);
    }
    /* the 3-row form has zeros on its diagonal: no problem for Murty's method */
    options.lcp_method = NSDYN_LCP_MURTY;
    ck_assert_int_eq(nsdyn_contact_set_options(s, &options), NSDYN_OK);
    ck_assert_int_eq(nsdyn_contact_solve(s, &problem, Lambda, xi), NSDYN_ERR_UNSUPPORTED);
    nsdyn_contact_free(s);
  }
}
END_TEST

START_TEST(equation_33_solves_redundant_contacts)
{
  solves(nsd_contact_try_planar, REDUNDANT);
}
END_TEST

START_TEST(the_copositive_form_solves_redundant_contacts)
{
  solves(nsd_contact_try_copositive, REDUNDANT | WITH_NONE | WITH_STEEP);
}
END_TEST

START_TEST(what_has_no_copositive_form_is_unsupported)
{
  touching *t = touching_new();
  t->spec[0] = (nsd_contact_spec){.friction = NSD_FRICTION_LOAD, .mu = 0.5, .kind = NSDYN_CONTACT_BILATERAL};
  lay_out(t, 1, 0);
  t->G[0] = t->G[3] = 1.0;
  nsdyn_contact *s = a_solver(t, 1e-9);
  begin(s, t);
  ck_assert_int_eq(nsd_contact_try_copositive(s, &t->d), NSDYN_ERR_UNSUPPORTED);
  ck_assert_int_eq(nsd_contact_try_planar(s, &t->d), NSDYN_OK);
  nsdyn_contact_free(s);
  free(t);
}
END_TEST

/* Painlevé: the LCP proves it, and says so through here; a worse answer never replaces a better one. */
START_TEST(no_solution_is_handed_on)
{
  touching *t = touching_new();
  t->spec[0] = (nsd_contact_spec){.friction = NSD_FRICTION_LOAD, .mu = 2.0, .sliding = 1};
  lay_out(t, 1, 0);
  t->G[0] = 1.0;
  t->G[1] = t->G[2] = 0.75;
  t->G[3] = 2.0;
  t->c[0] = -1.0;
  nsdyn_contact *s = a_solver(t, 1e-9);
  begin(s, t);
  ck_assert_int_eq(nsd_contact_try_planar(s, &t->d), NSDYN_NO_SOLUTION);
  const nsd_contact_verdict first = s->best.verdict;
  ck_assert(first.residual < (double)INFINITY && first.residual > 0.0);
  s->best.verdict.residual = 1e-3 * first.scale;
  ck_assert_int_eq(nsd_contact_try_planar(s, &t->d), NSDYN_NO_SOLUTION);
  ck_assert(s->best.verdict.residual == 1e-3 * first.scale);
  nsdyn_contact_free(s);
  free(t);
}
END_TEST

/* Three rows of W are the same, and one contact slides. With real numbers 25.0828 a + 14.6 S = 2 and 34.36 a
 * + 20 S = 2 contradict each other; as doubles they meet at a = 4.5e14. The LCP's own elements are rounded
 * once more, so that its proof is none of these contacts. */
START_TEST(a_proof_of_rounded_elements_is_no_proof)
{
  static const double G[5][5] = {
      {10.657999999999998, 7.2124000000000006, 14.6, 14.6, 14.6},
      {7.2124000000000006, 9.1067999999999998, 9.879999999999999, 9.879999999999999, 9.879999999999999},
      {14.6, 9.879999999999999, 20.0, 20.0, 20.0},
      {14.6, 9.879999999999999, 20.0, 20.0, 20.0},
      {14.6, 9.879999999999999, 20.0, 20.0, 20.0}};
  static const double c[5] = {-2.0, 0.64, -2.0, -2.0, -2.0};
  touching *t = touching_new();
  t->spec[0] = (nsd_contact_spec){.friction = NSD_FRICTION_LOAD, .mu = 2.0, .sliding = -1};
  t->spec[1] = (nsd_contact_spec){.friction = NSD_FRICTION_GIVEN, .bound = 1.46};
  lay_out(t, 2, 1);
  for (int i = 0; i < 5; i++) {
    for (int j = 0; j < 5; j++) {
      t->G[i * t->d.ldg + j] = G[i][j];
    }
    t->c[i] = c[i];
  }
  nsdyn_contact *s = a_solver(t, 1e-9);
  begin(s, t);
  ck_assert_int_eq(nsd_contact_try_planar(s, &t->d), NSDYN_UNDECIDED);
  nsdyn_contact_census census;
  nsdyn_contact_census_init(&census, sizeof census);
  ck_assert_int_eq(nsd_contact_enumerate_data(s, &t->d, 1e-9, -1, NULL, NULL, &census), NSDYN_OK);
  ck_assert_int_eq(census.complete, 1);
  nsdyn_contact_free(s);
  free(t);
}
END_TEST

SUITE("contact/planar/lcp_route", TEST(equation_33_solves_where_G_is_definite),
      TEST(the_lcp_is_solved_by_the_method_asked_for), TEST(equation_33_solves_redundant_contacts),
      TEST(the_copositive_form_solves_redundant_contacts), TEST(what_has_no_copositive_form_is_unsupported),
      TEST(no_solution_is_handed_on), TEST(a_proof_of_rounded_elements_is_no_proof))
