/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "contact/extreme_units.h"

#include <float.h>

#include "contact/object.h"
#include "touching.h"

static nsdyn_contact *solver(void)
{
  nsdyn_contact *s = NULL;
  ck_assert_int_eq(nsdyn_contact_new(NULL, NULL, &s, NULL), NSDYN_OK);
  return s;
}

/* G := 2^a G, c := 2^k c, bounds as impulses. */
static void scale(touching *t, int a, int k)
{
  for (int i = 0; i < t->d.rows; i++) {
    t->c[i] = ldexp(t->c[i], k);
    for (int j = 0; j < t->d.rows; j++) {
      *g_at(t, i, j) = ldexp(*g_at(t, i, j), a);
    }
  }
  for (int i = 0; i < t->d.contacts; i++) {
    t->spec[i].bound = ldexp(t->spec[i].bound, k - a);
  }
}

/* c of 2^k and G of 2^a: the answer is that of the problem in ordinary units, to the last bit of a normal
 * number and to one of the smallest numbers else. */
START_TEST(units_do_not_matter)
{
  static const int far[][2] = {{0, -1000}, {0, -1040}, {0, -1060},   {0, 990},   {-900, 0},
                               {900, 0},   {-1000, 0}, {-600, -600}, {500, 990}, {-1, -1070}};
  touching *t = touching_new();
  nsdyn_contact *s = solver();
  double plain[MOST_ROWS];
  const int cases = random_cases(1500);
  for (int n = 0; n < cases; n++) {
    const int *by = far[n % 10];
    random_state r = random_seed((uint64_t)n);
    make_touching(t, &r, 1 + n / 10 % 5, WITH_EVERY_LAW | WITH_SLIDING);
    const nsdyn_status want = nsd_contact_solve_data(s, &t->d, plain, NULL);
    scale(t, by[0], by[1]);
    const nsdyn_status status = nsd_contact_solve_data(s, &t->d, t->Lambda, t->xi);
    ck_assert_msg(status == want || (by[1] < -1022 && want != NSDYN_OK), "case %d: %d, not %d: %s", n,
                  (int)status, (int)want, nsdyn_contact_message(s));
    if (status != NSDYN_OK) {
      continue;
    }
    const nsd_contact_verdict v = nsd_contact_judge(&t->d, t->Lambda, t->xi);
    ck_assert_msg(nsd_contact_is_solution(&v, 1e-9), "case %d: %g of %g in row %d", n, v.residual, v.scale,
                  v.row);
    for (int i = 0; i < t->d.rows && by[1] > -1022; i++) {
      const double exact = ldexp(plain[i], by[1] - by[0]);
      ck_assert_msg(fabs(t->Lambda[i] - exact) <= 1e-6 * fabs(exact) + DBL_MIN, "case %d: Lambda[%d]", n, i);
    }
  }
  nsdyn_contact_free(s);
  free(t);
}
END_TEST

/* One contact with friction; G is g times the unit matrix. */
static int is_called_good(double g, double c_N, double c_T, double mu, double Lambda_N, double Lambda_T)
{
  const double G[4] = {g, 0.0, 0.0, g}, c[2] = {c_N, c_T}, Lambda[2] = {Lambda_N, Lambda_T};
  nsdyn_contact_law law;
  nsdyn_contact_law_init(&law, sizeof law);
  law.mu = mu;
  nsdyn_contact_problem p;
  nsdyn_contact_problem_init(&p, sizeof p);
  p.contacts = 1;
  p.laws = &law;
  p.G = G;
  p.ldg = 2;
  p.c = c;
  double residual, scale;
  ck_assert_int_eq(nsdyn_contact_residual(&p, Lambda, &residual, &scale, NULL), NSDYN_OK);
  return residual <= 1e-9 * scale;
}

/* issue 10, Seen 7 */
START_TEST(friction_beyond_its_limit_is_seen_at_any_size)
{
  ck_assert(!is_called_good(1.0, 1e-320, 0.0, 0.5, 0.0, 1e-320));
  ck_assert(!is_called_good(1e-170, 0.0, 0.0, 1.0, 1e-160, 3e-160));
  ck_assert(!is_called_good(1e-170, -1e-323, -1e-323, 1.0, 1e-160, 3e-160));
  ck_assert(!is_called_good(1e300, -1e300, -1e300, 0.1, 1.0, 1.0));
}
END_TEST

START_TEST(what_is_right_is_called_good_at_any_size)
{
  for (int k = -1070; k <= 1015; k += 5) {
    const double c = ldexp(1.0, k);
    ck_assert_msg(is_called_good(1.0, -3.0 * c, -c, 0.5, 3.0 * c, c), "2^%d", k);
    ck_assert_msg(is_called_good(1.0, -8.0 * c, -8.0 * c, 0.25, 8.0 * c, 2.0 * c), "2^%d", k);
    ck_assert_msg(is_called_good(1.0, c, -c, 0.5, 0.0, 0.0), "2^%d", k);
    ck_assert_msg(!is_called_good(1.0, -8.0 * c, -8.0 * c, 0.25, 8.0 * c, 8.0 * c), "2^%d", k);
  }
}
END_TEST

/* G = 0.3, so that no impulse of a few of the smallest numbers makes γ vanish. */
START_TEST(impulses_are_as_good_as_doubles_can_be)
{
  const double G = 0.3, c = -7.0 * DBL_TRUE_MIN;
  const nsd_contact_spec spec = {.friction = NSD_FRICTION_NONE};
  const nsd_contact_data d = {.contacts = 1, .rows = 1, .ldg = 1, .spec = &spec, .G = &G, .c = &c};
  nsdyn_contact *s = solver();
  double Lambda;
  ck_assert_int_eq(nsd_contact_solve_data(s, &d, &Lambda, NULL), NSDYN_OK);
  ck_assert_double_eq(Lambda, 23.0 * DBL_TRUE_MIN);
  nsdyn_contact_free(s);
}
END_TEST

/* −1e300 + 1e-300 Λ = 0 */
START_TEST(impulses_beyond_the_range_are_refused)
{
  const double G = 1e-300, c = -1e300;
  const nsd_contact_spec spec = {.friction = NSD_FRICTION_NONE};
  const nsd_contact_data d = {.contacts = 1, .rows = 1, .ldg = 1, .spec = &spec, .G = &G, .c = &c};
  nsdyn_contact *s = solver();
  double Lambda;
  ck_assert_int_eq(nsd_contact_solve_data(s, &d, &Lambda, NULL), NSDYN_UNDECIDED);
  ck_assert(Lambda == DBL_MAX); /* the nearest that there is */
  ck_assert_str_eq(nsdyn_contact_message(s), "the impulses of 1 contacts are beyond the range of numbers");
  nsdyn_contact_free(s);
}
END_TEST

/* A slot that slides: (G_NN ∓ μ G_NT) Λ_N = −c_N, Λ_T = −μ |Λ_N|. With μ = 10^k the impulse Λ_N falls below
 * the smallest double long before friction does. What is called solved lies within its limit all the same. */
START_TEST(friction_stays_within_what_the_load_has_become)
{
  nsdyn_contact *s = solver();
  int solved = 0;
  for (int k = 0; k <= 200; k++) {
    for (int e = -308; e <= -150; e += 7) {
      const double G[4] = {20.0, 9.5, 9.5, 10.25}, c[2] = {pow(10.0, e), 0.0};
      const nsd_contact_spec spec = {
          .kind = NSDYN_CONTACT_BILATERAL, .friction = NSD_FRICTION_LOAD, .mu = pow(10.0, k), .sliding = 1};
      const nsd_contact_data d = {.contacts = 1, .rows = 2, .ldg = 2, .spec = &spec, .G = G, .c = c};
      double Lambda[2];
      const nsdyn_status status = nsd_contact_solve_data(s, &d, Lambda, NULL);
      ck_assert_msg(fabs(Lambda[1]) <= spec.mu * fabs(Lambda[0]), "mu = 1e%d, c = 1e%d: %d, %g beside %g", k,
                    e, (int)status, Lambda[1], Lambda[0]);
      solved += status == NSDYN_OK;
    }
  }
  ck_assert_int_gt(solved, 1800);
  nsdyn_contact_free(s);
}
END_TEST

/* Λ = (1e-320, −1) is a solution; in units in which 1e160 is 1, the 1e-308 that it hangs on is zero. */
START_TEST(nothing_is_proved_of_data_that_units_have_rounded)
{
  nsdyn_contact *s = solver();
  for (int k = -308; k <= -280; k++) {
    const double small = pow(10.0, k);
    const double G[4] = {1e160, 1e-160, 1e-160, small}, c[2] = {0.0, small};
    const nsd_contact_spec spec = {.friction = NSD_FRICTION_NONE};
    const nsd_contact_data d = {
        .contacts = 1, .bilateral = 1, .rows = 2, .ldg = 2, .spec = &spec, .G = G, .c = c};
    double Lambda[2];
    const nsdyn_status status = nsd_contact_solve_data(s, &d, Lambda, NULL);
    ck_assert_msg(status != NSDYN_NO_SOLUTION, "1e%d: %s", k, nsdyn_contact_message(s));
    nsdyn_contact_solve_report report;
    nsdyn_contact_solve_report_init(&report, sizeof report);
    ck_assert_int_eq(nsdyn_contact_report(s, &report), NSDYN_OK);
    ck_assert_int_eq(report.status, status);
  }
  nsdyn_contact_free(s);
}
END_TEST

/* Λ_N is as large as a double can be, and −μ Λ_N beyond. */
START_TEST(impulses_that_are_refused_are_numbers)
{
  const double G[4] = {1e-308, 0.0, 0.0, 0.0}, c[2] = {-1e160, 0.0};
  const nsd_contact_spec spec = {
      .kind = NSDYN_CONTACT_BILATERAL, .friction = NSD_FRICTION_LOAD, .mu = 1e160, .sliding = 1};
  const nsd_contact_data d = {.contacts = 1, .rows = 2, .ldg = 2, .spec = &spec, .G = G, .c = c};
  nsdyn_contact *s = solver();
  double Lambda[2];
  ck_assert_int_eq(nsd_contact_solve_data(s, &d, Lambda, NULL), NSDYN_UNDECIDED);
  ck_assert(Lambda[0] == DBL_MAX && Lambda[1] == -DBL_MAX);
  nsdyn_contact_free(s);
}
END_TEST

SUITE("contact/extreme_units", TEST(units_do_not_matter), TEST(friction_beyond_its_limit_is_seen_at_any_size),
      TEST(what_is_right_is_called_good_at_any_size), TEST(impulses_are_as_good_as_doubles_can_be),
      TEST(impulses_beyond_the_range_are_refused), TEST(friction_stays_within_what_the_load_has_become),
      TEST(nothing_is_proved_of_data_that_units_have_rounded), TEST(impulses_that_are_refused_are_numbers))
