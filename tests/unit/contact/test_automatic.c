/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Every method on every kind of problem, through the public call and the steppers' entry. */
#include "contact/object.h"

#include "touching.h"

static nsdyn_contact *a_solver(int32_t method, int32_t warm)
{
  nsdyn_contact_options options;
  nsdyn_contact_options_init(&options, sizeof options);
  options.method = method;
  options.warm_start = warm;
  nsdyn_contact *s;
  ck_assert_int_eq(nsdyn_contact_new(NULL, &options, &s, NULL), NSDYN_OK);
  return s;
}

static nsdyn_contact_solve_report report_of(const nsdyn_contact *s)
{
  nsdyn_contact_solve_report result;
  nsdyn_contact_solve_report_init(&result, sizeof result);
  ck_assert_int_eq(nsdyn_contact_report(s, &result), NSDYN_OK);
  return result;
}

/* What every answer must be: within the laws, judged, without a spurious part, with modes that fit. */
static void check_answer(const touching *t, const nsdyn_contact *s, const double *Lambda, const double *xi,
                         int seed)
{
  double residual, scale;
  REQUIRE(nsdyn_contact_residual(&t->problem, Lambda, &residual, &scale, NULL) == NSDYN_OK, "seed %d", seed);
  REQUIRE(residual <= 1e-9 * scale, "seed %d: %g of %g", seed, residual, scale);
  const nsdyn_contact_solve_report result = report_of(s);
  REQUIRE(result.residual == residual && result.scale == scale, "seed %d", seed);
  REQUIRE(result.status == NSDYN_OK && result.method != NSDYN_CONTACT_AUTOMATIC, "seed %d", seed);
  REQUIRE(nsdyn_contact_message(s)[0] == '\0', "seed %d: %s", seed, nsdyn_contact_message(s));
  int contacts;
  const int32_t *modes = nsdyn_contact_modes(s, &contacts);
  REQUIRE(contacts == t->d.contacts, "seed %d", seed);
  double exact[MOST_ROWS];
  const nsd_contact_verdict v = nsd_contact_judge(&t->d, Lambda, exact);
  REQUIRE(apart_by(v.speed, t->d.rows - t->d.bilateral, exact, xi) <= 1e-9, "seed %d", seed);
  for (int i = 0; i < contacts; i++) {
    const nsd_contact_spec *c = &t->spec[i];
    const double N = Lambda[c->row];
    REQUIRE(c->kind == NSDYN_CONTACT_BILATERAL || N >= 0.0, "seed %d, contact %d", seed, i);
    const double r = N > 0.0 ? t->G[c->row * (t->d.rows + 1)] : 0.0;
    REQUIRE(xi[c->row] == 0.0 || r * N <= 2e-9 * v.speed, "seed %d, contact %d", seed, i);
    REQUIRE(modes[i] >= NSDYN_MODE_OPEN && modes[i] <= NSDYN_MODE_SLIP_MINUS, "seed %d, contact %d", seed, i);
    if (c->friction != NSD_FRICTION_NONE) {
      const double limit = c->mu * fabs(N) + c->bound;
      const double xi_T = xi[c->row + 1];
      REQUIRE(fabs(Lambda[c->row + 1]) <= limit, "seed %d, contact %d", seed, i);
      const double gap = t->G[(c->row + 1) * (t->d.rows + 1)] * (limit - fabs(Lambda[c->row + 1]));
      REQUIRE(c->sliding || xi_T == 0.0 || gap <= 2e-9 * v.speed, "seed %d, contact %d", seed, i);
      REQUIRE(modes[i] != NSDYN_MODE_SLIP_PLUS || c->sliding || xi_T > 0.0, "seed %d, contact %d", seed, i);
      REQUIRE(modes[i] != NSDYN_MODE_SLIP_MINUS || c->sliding || xi_T < 0.0, "seed %d, contact %d", seed, i);
    }
  }
}

static void all_solved(int32_t method, unsigned features, int most, int base)
{
  touching *t = touching_new();
  nsdyn_contact *s = a_solver(method, 0);
  const int cases = random_cases(base);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    make_touching(t, &r, k % (most + 1), features);
    const nsdyn_status status = nsdyn_contact_solve(s, &t->problem, t->Lambda, t->xi);
    REQUIRE(status == NSDYN_OK, "seed %d: %d %s", k, (int)status, nsdyn_contact_message(s));
    check_answer(t, s, t->Lambda, t->xi, k);
  }
  nsdyn_contact_free(s);
  free(t);
}

START_TEST(automatic_solves_everything)
{
  all_solved(NSDYN_CONTACT_AUTOMATIC, COULOMB, 12, 2000);
  all_solved(NSDYN_CONTACT_AUTOMATIC, WITH_EVERY_LAW, 12, 2000);
  all_solved(NSDYN_CONTACT_AUTOMATIC, WITH_STEEP, 8, 2000);
  all_solved(NSDYN_CONTACT_AUTOMATIC, REDUNDANT | WITH_STEEP, 12, 2000);
  all_solved(NSDYN_CONTACT_AUTOMATIC, REDUNDANT | WITH_NONE | WITH_GIVEN | WITH_BILATERAL, 8, 2000);
}
END_TEST

/* No theorem promises redundant slots with friction a solution; hardly any has none. */
START_TEST(automatic_solves_redundant_slots)
{
  touching *t = touching_new();
  nsdyn_contact *s = a_solver(NSDYN_CONTACT_AUTOMATIC, 0);
  const int cases = random_cases(2000);
  int missed = 0;
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    make_touching(t, &r, 1 + k % 5, REDUNDANT | WITH_EVERY_LAW);
    if (nsdyn_contact_solve(s, &t->problem, t->Lambda, t->xi) == NSDYN_OK) {
      check_answer(t, s, t->Lambda, t->xi, k);
    } else {
      missed++;
    }
  }
  ck_assert_msg(missed <= 1 + cases / 500, "%d of %d", missed, cases);
  nsdyn_contact_free(s);
  free(t);
}
END_TEST

START_TEST(direct_solves_one_and_two)
{
  all_solved(NSDYN_CONTACT_DIRECT, WITH_STEEP, 2, 3000);
  all_solved(NSDYN_CONTACT_DIRECT, REDUNDANT | (WITH_EVERY_LAW & ~WITH_BILATERAL), 2, 3000);
}
END_TEST

START_TEST(the_lcp_solves_what_it_is_made_for)
{
  all_solved(NSDYN_CONTACT_LCP, COULOMB, 12, 2000);
  all_solved(NSDYN_CONTACT_LCP, WITH_NONE | WITH_GIVEN | WITH_BILATERAL, 8, 2000);
  all_solved(NSDYN_CONTACT_LCP, REDUNDANT, 8, 2000);
  all_solved(NSDYN_CONTACT_LCP, WITH_SLOTS, 3, 1000);
}
END_TEST

START_TEST(a_pile_of_contacts_is_solved)
{
  touching *t = touching_new();
  nsdyn_contact *s = a_solver(NSDYN_CONTACT_AUTOMATIC, 0);
  const int cases = random_cases(12);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    make_touching(t, &r, MOST_CONTACTS, k % 2 ? REDUNDANT : WITH_EVERY_LAW & ~(unsigned)WITH_SLOTS);
    REQUIRE(nsdyn_contact_solve(s, &t->problem, t->Lambda, t->xi) == NSDYN_OK, "seed %d", k);
    check_answer(t, s, t->Lambda, t->xi, k);
  }
  nsdyn_contact_free(s);
  free(t);
}
END_TEST

/* Definite G and little friction make the solution unique: all ways lead there. */
START_TEST(methods_agree_where_the_solution_is_unique)
{
  touching *t = touching_new();
  nsdyn_contact *by[3];
  for (int32_t m = 0; m < 3; m++) {
    by[m] = a_solver(m, 0);
  }
  const int cases = random_cases(3000);
  int compared = 0;
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    make_touching(t, &r, 1 + k % 3, COULOMB);
    for (int i = 0; i < t->d.contacts; i++) {
      t->spec[i].mu *= 0.3;
      t->laws[i].mu = t->spec[i].mu;
    }
    double Lambda[3][MOST_ROWS], xi[3][MOST_ROWS];
    if (count_all(t, Lambda[0]) != 1) {
      continue;
    }
    compared++;
    for (int m = 0; m < 3; m++) {
      if (m == NSDYN_CONTACT_DIRECT && t->d.contacts > 2) {
        continue;
      }
      REQUIRE(nsdyn_contact_solve(by[m], &t->problem, Lambda[m], xi[m]) == NSDYN_OK, "seed %d", k);
      REQUIRE(apart(t->d.rows, Lambda[0], Lambda[m]) <= 1e-9, "seed %d, method %d", k, m);
      REQUIRE(apart_by(report_of(by[m]).scale, t->d.rows, xi[0], xi[m]) <= 1e-9, "seed %d, method %d", k, m);
    }
  }
  ck_assert_int_gt(compared, cases * 9 / 10);
  for (int m = 0; m < 3; m++) {
    nsdyn_contact_free(by[m]);
  }
  free(t);
}
END_TEST

/* Redundant contacts share their impulses as they like; without friction the motion is one. */
START_TEST(methods_agree_on_the_motion_of_redundant_contacts)
{
  touching *t = touching_new();
  nsdyn_contact *automatic = a_solver(NSDYN_CONTACT_AUTOMATIC, 0);
  nsdyn_contact *lcp = a_solver(NSDYN_CONTACT_LCP, 0);
  const int cases = random_cases(2000);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    make_touching(t, &r, 1 + k % 10, REDUNDANT);
    for (int i = 0; i < t->d.contacts; i++) {
      t->spec[i].mu = t->laws[i].mu = 0.0;
    }
    double xi[MOST_ROWS];
    REQUIRE(nsdyn_contact_solve(automatic, &t->problem, t->Lambda, t->xi) == NSDYN_OK, "seed %d", k);
    REQUIRE(nsdyn_contact_solve(lcp, &t->problem, t->Lambda, xi) == NSDYN_OK, "seed %d", k);
    REQUIRE(apart_by(report_of(lcp).scale, t->d.rows, t->xi, xi) <= 1e-8, "seed %d", k);
  }
  nsdyn_contact_free(automatic);
  nsdyn_contact_free(lcp);
  free(t);
}
END_TEST

START_TEST(known_directions_give_one_two_or_no_solution_and_never_a_wrong_one)
{
  touching *t = touching_new();
  nsdyn_contact *s = a_solver(NSDYN_CONTACT_AUTOMATIC, 0);
  const int cases = random_cases(4000);
  int none = 0;
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    make_touching(t, &r, 1 + k % 4, WITH_STEEP | WITH_SLIDING);
    const nsdyn_status status = nsdyn_contact_solve(s, &t->problem, t->Lambda, t->xi);
    const int count = t->d.contacts <= 3 ? count_all(t, (double[MOST_ROWS]){0.0}) : -1;
    if (status == NSDYN_OK) {
      REQUIRE(count != 0, "seed %d: there is no solution", k);
      check_answer(t, s, t->Lambda, t->xi, k);
    } else {
      none++;
      REQUIRE(status == NSDYN_NO_SOLUTION && count <= 0, "seed %d: %d, %d solutions", k, (int)status, count);
      int n;
      REQUIRE(!nsdyn_contact_modes(s, &n) && n == 0, "seed %d", k);
      const nsdyn_contact_solve_report result = report_of(s);
      double residual, scale;
      nsdyn_contact_residual(&t->problem, t->Lambda, &residual, &scale, NULL);
      REQUIRE(result.residual == residual && residual > 1e-9 * scale, "seed %d", k);
    }
  }
  ck_assert_int_gt(none, cases / 100);
  nsdyn_contact_free(s);
  free(t);
}
END_TEST

/* Warm or not, a solution; where nothing changed but a little, from the last modes in one round. */
START_TEST(warm_starts_go_on_from_the_last_modes)
{
  touching *t = touching_new();
  nsdyn_contact *cold = a_solver(NSDYN_CONTACT_AUTOMATIC, 0);
  nsdyn_contact *warm = a_solver(NSDYN_CONTACT_AUTOMATIC, 1);
  const int cases = random_cases(2000);
  int warmed = 0;
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    const unsigned features = k % 3 == 0 ? REDUNDANT : k % 3 == 1 ? COULOMB : WITH_EVERY_LAW;
    make_touching(t, &r, 1 + k % 10, features);
    double xi[MOST_ROWS], Lambda[MOST_ROWS];
    REQUIRE(nsdyn_contact_solve(warm, &t->problem, t->Lambda, t->xi) == NSDYN_OK, "seed %d", k);
    check_answer(t, warm, t->Lambda, t->xi, k);
    const double step = 1.0 + 1e-7 * random_unit(&r);
    for (int i = 0; i < t->d.rows; i++) {
      t->c[i] *= step;
    }
    REQUIRE(nsdyn_contact_solve(warm, &t->problem, Lambda, xi) == NSDYN_OK, "seed %d", k);
    check_answer(t, warm, Lambda, xi, k);
    const nsdyn_contact_solve_report result = report_of(warm);
    REQUIRE(!result.warm || (result.iterations == 1 && result.lcp_size == 0), "seed %d", k);
    warmed += result.warm;
    /* Redundant contacts with friction may have several motions. */
    const double moved = apart_by(result.scale, t->d.rows - t->d.bilateral, xi, t->xi);
    REQUIRE(features == REDUNDANT || moved <= 1e-6, "seed %d: %g", k, moved);
    REQUIRE(nsdyn_contact_solve(cold, &t->problem, Lambda, xi) == NSDYN_OK, "seed %d", k);
    REQUIRE(!report_of(cold).warm, "seed %d", k);
  }
  ck_assert_msg(warmed >= cases * 98 / 100, "%d of %d", warmed, cases);
  nsdyn_contact_free(cold);
  nsdyn_contact_free(warm);
  free(t);
}
END_TEST

START_TEST(any_guess_of_modes_leads_to_a_solution)
{
  touching *t = touching_new();
  nsdyn_contact *s = a_solver(NSDYN_CONTACT_AUTOMATIC, 1);
  const int cases = random_cases(2000);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    make_touching(t, &r, 1 + k % 6, WITH_EVERY_LAW | (k % 2 ? REDUNDANT : 0u));
    int32_t modes[MOST_CONTACTS];
    for (int i = 0; i < t->d.contacts; i++) {
      modes[i] = random_below(&r, 4);
    }
    ck_assert_int_eq(nsdyn_contact_set_modes(s, t->d.contacts, modes), NSDYN_OK);
    const nsdyn_status status = nsdyn_contact_solve(s, &t->problem, t->Lambda, t->xi);
    REQUIRE(status == NSDYN_OK, "seed %d: %s", k, nsdyn_contact_message(s));
    check_answer(t, s, t->Lambda, t->xi, k);
  }
  nsdyn_contact_free(s);
  free(t);
}
END_TEST

/* Without a warm start the past leaves no trace in the bits; with the solution's own modes handed in, it is
 * found at once. */
START_TEST(the_same_call_gives_the_same_bits)
{
  touching *t = touching_new();
  nsdyn_contact *s = a_solver(NSDYN_CONTACT_AUTOMATIC, 0);
  const int cases = random_cases(500);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    make_touching(t, &r, 1 + k % 8, k % 2 ? REDUNDANT : WITH_EVERY_LAW);
    double Lambda[MOST_ROWS], xi[MOST_ROWS];
    nsdyn_contact *fresh = a_solver(NSDYN_CONTACT_AUTOMATIC, 0);
    const nsdyn_status status = nsdyn_contact_solve(s, &t->problem, t->Lambda, t->xi);
    REQUIRE(nsdyn_contact_solve(fresh, &t->problem, Lambda, xi) == status, "seed %d", k);
    REQUIRE(memcmp(Lambda, t->Lambda, (size_t)t->d.rows * sizeof *Lambda) == 0, "seed %d", k);
    REQUIRE(memcmp(xi, t->xi, (size_t)t->d.rows * sizeof *xi) == 0, "seed %d", k);
    nsdyn_contact_free(fresh);
  }
  nsdyn_contact_free(s);
  free(t);
}
END_TEST

START_TEST(units_change_nothing_but_units)
{
  touching *t = touching_new();
  nsdyn_contact *s = a_solver(NSDYN_CONTACT_AUTOMATIC, 0);
  const int cases = random_cases(1000);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    make_touching(t, &r, 1 + k % 6, WITH_NONE | WITH_GIVEN | WITH_BILATERAL | (k % 2 ? REDUNDANT : 0u));
    double before[MOST_ROWS];
    REQUIRE(nsdyn_contact_solve(s, &t->problem, before, NULL) == NSDYN_OK, "seed %d", k);
    const int of_G = random_below(&r, 401) - 200;
    const int of_c = random_below(&r, 401) - 200;
    for (int i = 0; i < t->d.rows; i++) {
      for (int j = 0; j < t->d.rows; j++) {
        *g_at(t, i, j) = ldexp(*g_at(t, i, j), of_G);
      }
      t->c[i] = ldexp(t->c[i], of_c);
    }
    for (int i = 0; i < t->d.contacts; i++) {
      t->laws[i].bound = t->spec[i].bound = ldexp(t->spec[i].bound, of_c - of_G);
    }
    const nsdyn_status status = nsdyn_contact_solve(s, &t->problem, t->Lambda, t->xi);
    REQUIRE(status == NSDYN_OK, "seed %d: %s", k, nsdyn_contact_message(s));
    check_answer(t, s, t->Lambda, t->xi, k);
  }
  nsdyn_contact_free(s);
  free(t);
}
END_TEST

/* Modes of a solution that is two steps back are none to begin from. */
START_TEST(a_failure_leaves_no_modes_to_begin_from)
{
  touching *t = touching_new();
  t->spec[0] = (nsd_contact_spec){.friction = NSD_FRICTION_LOAD, .mu = 2.0, .sliding = 1};
  lay_out(t, 1, 0);
  t->G[0] = 1.0;
  t->G[1] = t->G[2] = 0.75;
  t->G[3] = 2.0;
  nsdyn_contact *s = a_solver(NSDYN_CONTACT_AUTOMATIC, 1);
  t->c[0] = 1.0;
  for (int round = 0; round < 2; round++) {
    ck_assert_int_eq(nsdyn_contact_solve(s, &t->problem, t->Lambda, t->xi), NSDYN_OK);
    ck_assert_int_eq(report_of(s).warm, round);
  }
  t->c[0] = -1.0;
  ck_assert_int_eq(nsdyn_contact_solve(s, &t->problem, t->Lambda, t->xi), NSDYN_NO_SOLUTION);
  t->c[0] = 1.0;
  ck_assert_int_eq(nsdyn_contact_solve(s, &t->problem, t->Lambda, t->xi), NSDYN_OK);
  ck_assert_int_eq(report_of(s).warm, 0);
  nsdyn_contact_free(s);
  free(t);
}
END_TEST

START_TEST(a_refused_call_touches_nothing)
{
  touching *t = touching_new();
  random_state r = random_seed(4);
  make_touching(t, &r, 3, COULOMB);
  nsdyn_contact *s = a_solver(NSDYN_CONTACT_DIRECT, 0);
  for (int i = 0; i < t->d.rows; i++) {
    t->Lambda[i] = t->xi[i] = 4711.0;
  }
  ck_assert_int_eq(nsdyn_contact_solve(s, &t->problem, t->Lambda, t->xi), NSDYN_ERR_UNSUPPORTED);
  ck_assert_ptr_nonnull(strstr(nsdyn_contact_message(s), "direct method"));
  ck_assert_int_eq(report_of(s).status, NSDYN_ERR_UNSUPPORTED);
  ck_assert_int_eq(nsdyn_contact_solve(NULL, &t->problem, t->Lambda, t->xi), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_contact_solve(s, NULL, t->Lambda, t->xi), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_contact_solve(s, &t->problem, NULL, t->xi), NSDYN_ERR_ARGUMENT);
  nsdyn_detail detail;
  nsdyn_detail_init(&detail, sizeof detail);
  ck_assert_int_eq(nsdyn_contact_detail(s, &detail), NSDYN_OK);
  ck_assert(detail.kind == NSDYN_DETAIL_ARGUMENT && detail.index == 2);
  t->laws[1].mu = -1.0;
  ck_assert_int_eq(nsdyn_contact_solve(s, &t->problem, t->Lambda, t->xi), NSDYN_ERR_ARGUMENT);
  ck_assert_ptr_nonnull(strstr(nsdyn_contact_message(s), "contact 1: mu: -1"));
  for (int i = 0; i < t->d.rows; i++) {
    ck_assert(t->Lambda[i] == 4711.0 && t->xi[i] == 4711.0);
  }
  t->laws[1].mu = 0.0;
  nsdyn_contact_set_options(s, NULL);
  ck_assert_int_eq(nsdyn_contact_solve(s, &t->problem, t->Lambda, NULL), NSDYN_OK);
  ck_assert_str_eq(nsdyn_contact_message(s), "");
  nsdyn_contact_free(s);
  free(t);
}
END_TEST

START_TEST(what_is_missed_is_named)
{
  touching *t = touching_new();
  for (int i = 0; i < 3; i++) {
    t->spec[i] = (nsd_contact_spec){.friction = NSD_FRICTION_LOAD, .mu = 0.5};
  }
  lay_out(t, 3, 0);
  for (int i = 0; i < 6; i++) {
    *g_at(t, i, i) = 1.0;
    t->c[i] = -1.0;
  }
  *g_at(t, 2, 2) = *g_at(t, 3, 3) = 0.0; /* contact 1 has no grip on the motion, and approaches */
  nsdyn_contact *s = a_solver(NSDYN_CONTACT_AUTOMATIC, 0);
  const nsdyn_status status = nsdyn_contact_solve(s, &t->problem, t->Lambda, t->xi);
  ck_assert_int_gt(status, 0);
  ck_assert_msg(strstr(nsdyn_contact_message(s), "the normal law of contact 1 by 1 ") != NULL, "%s",
                nsdyn_contact_message(s));
  ck_assert_int_eq(report_of(s).worst_row, 2);
  lay_out(t, 0, 2);
  t->G[0] = t->G[3] = 1.0;
  t->G[1] = t->G[2] = 1.0;
  t->c[0] = 1.0;
  t->c[1] = 2.0; /* constraints that contradict each other */
  ck_assert_int_gt(nsdyn_contact_solve(s, &t->problem, t->Lambda, t->xi), 0);
  ck_assert_msg(strstr(nsdyn_contact_message(s), "bilateral constraint ") != NULL, "%s",
                nsdyn_contact_message(s));
  lay_out(t, 0, 0);
  ck_assert_int_eq(nsdyn_contact_solve(s, &t->problem, NULL, NULL), NSDYN_OK);
  nsdyn_contact_free(s);
  free(t);
}
END_TEST

/* From the solution nothing is left to do; from anywhere else it is found all the same, and what a call began
 * with is forgotten where the next one says nothing. */
START_TEST(impulses_to_begin_with_cost_time_at_most)
{
  touching *t = touching_new();
  nsdyn_contact *cold = a_solver(NSDYN_CONTACT_AUTOMATIC, 0), *s = a_solver(NSDYN_CONTACT_AUTOMATIC, 0);
  int good = 0, warm = 0;
  for (int k = 0; k < random_cases(400); k++) {
    random_state r = random_seed((uint64_t)k);
    double first[MOST_ROWS], again[MOST_ROWS], xi[MOST_ROWS], wild[MOST_ROWS];
    make_touching(t, &r, 1 + k % 8, WITH_EVERY_LAW);
    REQUIRE(nsdyn_contact_solve(cold, &t->problem, first, xi) == NSDYN_OK, "seed %d", k);
    t->problem.start = first;
    REQUIRE(nsdyn_contact_solve(s, &t->problem, again, xi) == NSDYN_OK, "seed %d", k);
    check_answer(t, s, again, xi, k);
    good++;
    warm += report_of(s).warm;
    for (int i = 0; i < t->d.rows; i++) {
      wild[i] = 1e3 * random_normal(&r);
    }
    t->problem.start = wild;
    REQUIRE(nsdyn_contact_solve(s, &t->problem, again, xi) == NSDYN_OK, "seed %d", k);
    check_answer(t, s, again, xi, k);
    t->problem.start = NULL;
    REQUIRE(nsdyn_contact_solve(s, &t->problem, again, xi) == NSDYN_OK, "seed %d", k);
    REQUIRE(memcmp(first, again, (size_t)t->d.rows * sizeof *first) == 0, "seed %d: other bits", k);
  }
  ck_assert_msg(warm >= 9 * good / 10, "%d of %d", warm, good);
  nsdyn_contact_free(cold);
  nsdyn_contact_free(s);
  free(t);
}
END_TEST

/* The door: a warm start begins with the states given, with those of the solution before, or with none; the
 * answer stands where it stood. */
START_TEST(a_solve_begins_where_it_is_told)
{
  /* A block slides to the right on a rough floor: ξ = G Λ + c with c = (−1, 2). */
  const double G[4] = {1.0, 0.0, 0.0, 1.0}, c[2] = {-1.0, 2.0};
  const nsd_contact_spec spec = {.mu = 0.5, .friction = NSD_FRICTION_LOAD, .kind = NSDYN_CONTACT_UNILATERAL};
  const nsd_contact_data data = {.contacts = 1, .rows = 2, .ldg = 2, .spec = &spec, .G = G, .c = c};
  const int32_t right = NSDYN_MODE_SLIP_PLUS;
  nsdyn_contact_options options;
  nsdyn_contact *s;
  double Lambda[2], xi[2];
  ck_assert_int_eq(nsdyn_contact_options_init(&options, sizeof options), NSDYN_OK);
  options.warm_start = 1;
  ck_assert_int_eq(nsdyn_contact_new(NULL, &options, &s, NULL), NSDYN_OK);
  const nsd_contact_answer *answer = nsd_contact_answer_of(s);
  static const struct {
    int from, start, warm; /* from: by nsd_contact_solve_from(); start: with the right state */
  } expected[] = {{1, 0, 0}, {0, 0, 1}, {1, 0, 0}, {1, 1, 1}, {0, 0, 1}};
  for (size_t k = 0; k < sizeof expected / sizeof *expected; k++) {
    const int32_t *start = expected[k].start ? &right : NULL;
    ck_assert_int_eq(expected[k].from ? nsd_contact_solve_from(s, &data, start, Lambda, xi)
                                      : nsd_contact_solve_data(s, &data, Lambda, xi),
                     NSDYN_OK);
    ck_assert(Lambda[0] == 1.0 && Lambda[1] == -0.5 && xi[0] == 0.0 && xi[1] == 1.5);
    ck_assert(answer == nsd_contact_answer_of(s) && answer->report->warm == expected[k].warm);
    ck_assert(answer->modes[0] == NSDYN_MODE_SLIP_PLUS && answer->states[0] == right);
  }
  nsdyn_contact_free(s);
}
END_TEST

/* Projections of positions: contacts without friction and rows that must stay at zero, more of them than
 * bodies can move. Where there is a solution the brief way finds it; where there is none it says so without a
 * search, which takes a thousand times as long. */
START_TEST(without_friction_the_brief_way_is_as_sure)
{
  enum { CONTACTS = 8, ROWS = 16, FREEDOMS = 12 };
  const int cases = random_cases(200);
  int solved = 0, unsolvable = 0;
  for (int seed = 0; seed < cases; seed++) {
    random_state random = random_seed((uint64_t)seed);
    double W[ROWS][FREEDOMS], G[ROWS * ROWS], c[ROWS], Lambda[ROWS];
    nsd_contact_spec spec[CONTACTS];
    memset(spec, 0, sizeof spec);
    for (int i = 0; i < ROWS; i++) {
      c[i] = i < CONTACTS && seed % 2 ? random_between(&random, -1.0, 1.0) : 0.0;
      for (int j = 0; j < FREEDOMS; j++) {
        W[i][j] = random_between(&random, -1.0, 1.0);
      }
    }
    c[0] = -1.0;
    for (int i = 0; i < ROWS; i++) {
      for (int j = 0; j < ROWS; j++) {
        G[i * ROWS + j] = 0.0;
        for (int k = 0; k < FREEDOMS; k++) {
          G[i * ROWS + j] += W[i][k] * W[j][k];
        }
      }
    }
    for (int i = 0; i < CONTACTS; i++) {
      spec[i].row = i;
      spec[i].friction = NSD_FRICTION_NONE;
      spec[i].kind = NSDYN_CONTACT_UNILATERAL;
    }
    const nsd_contact_data d = {.contacts = CONTACTS,
                                .bilateral = ROWS - CONTACTS,
                                .rows = ROWS,
                                .ldg = ROWS,
                                .spec = spec,
                                .G = G,
                                .c = c};
    nsdyn_contact *brief = a_solver(NSDYN_CONTACT_AUTOMATIC, 0),
                  *whole = a_solver(NSDYN_CONTACT_AUTOMATIC, 0);
    const nsdyn_status status = nsd_contact_solve_briefly(brief, &d, Lambda, NULL);
    const nsdyn_status sure = nsd_contact_solve_data(whole, &d, Lambda, NULL);
    REQUIRE((status == NSDYN_OK) == (sure == NSDYN_OK), "seed %d: %s, %s", seed, nsdyn_status_name(status),
            nsdyn_status_name(sure));
    REQUIRE(status == NSDYN_OK || report_of(brief).iterations < report_of(whole).iterations,
            "seed %d: %d steps", seed, (int)report_of(brief).iterations);
    solved += status == NSDYN_OK;
    unsolvable += sure == NSDYN_NO_SOLUTION;
    nsdyn_contact_free(brief);
    nsdyn_contact_free(whole);
  }
  ck_assert_int_ge(solved, cases / 10);
  ck_assert_int_ge(unsolvable, cases / 10);
}
END_TEST

/* A slot without friction of its own that is dragged with a given force: Λ_T = 1, and W of 1e-9 beside 1e160
 * makes of it less than the rounding of ξ_T, so that Λ = 0 seems to be a solution. What goes out has the
 * drag, and is judged with it. Found by fuzz_contact. */
START_TEST(what_goes_out_is_judged_within_its_laws)
{
  nsdyn_contact_law law;
  nsdyn_contact_problem p;
  const double G[] = {1e-9, -1e160, -1e160, 0.0}, c[] = {0.0, -1e160}, slip[] = {-1.0};
  nsdyn_contact_law_init(&law, sizeof law);
  nsdyn_contact_problem_init(&p, sizeof p);
  law.kind = NSDYN_CONTACT_BILATERAL;
  law.friction = NSDYN_FRICTION_BOUND;
  law.bound = p.dt = 1.0;
  p.contacts = 1;
  p.laws = &law;
  p.G = G;
  p.ldg = 2;
  p.c = c;
  p.slip = slip;
  for (int32_t method = NSDYN_CONTACT_AUTOMATIC; method <= NSDYN_CONTACT_MODES; method++) {
    double Lambda[2], residual, scale;
    nsdyn_contact *s = a_solver(method, 0);
    const nsdyn_status status = nsdyn_contact_solve(s, &p, Lambda, NULL);
    ck_assert_int_ge(status, NSDYN_OK);
    ck_assert_int_eq(nsdyn_contact_residual(&p, Lambda, &residual, &scale, NULL), NSDYN_OK);
    ck_assert(status != NSDYN_OK || residual <= 1e-9 * scale);
    nsdyn_contact_free(s);
  }
}
END_TEST

SUITE("contact/automatic", TEST(what_goes_out_is_judged_within_its_laws),
      TEST(impulses_to_begin_with_cost_time_at_most), TEST(a_solve_begins_where_it_is_told),
      TEST(automatic_solves_everything), TEST(automatic_solves_redundant_slots),
      TEST(direct_solves_one_and_two), TEST(the_lcp_solves_what_it_is_made_for),
      TEST(a_pile_of_contacts_is_solved), TEST(methods_agree_where_the_solution_is_unique),
      TEST(methods_agree_on_the_motion_of_redundant_contacts),
      TEST(known_directions_give_one_two_or_no_solution_and_never_a_wrong_one),
      TEST(warm_starts_go_on_from_the_last_modes), TEST(any_guess_of_modes_leads_to_a_solution),
      TEST(the_same_call_gives_the_same_bits), TEST(units_change_nothing_but_units),
      TEST(a_failure_leaves_no_modes_to_begin_from), TEST(a_refused_call_touches_nothing),
      TEST(what_is_missed_is_named), TEST(without_friction_the_brief_way_is_as_sure))
