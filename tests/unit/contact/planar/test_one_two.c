/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "contact/planar/one_two.h"

#include "touching.h"

static nsdyn_status solve(const touching *t, nsd_one_two_answer *answer)
{
  return nsd_one_two_solve(&t->d, 1e-9, NULL, answer);
}

/* Every problem of these has a solution, found, and judged by the public certificate. */
static void solves_all(unsigned features)
{
  touching *t = touching_new();
  const int cases = random_cases(4000);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    make_touching(t, &r, 1 + k % 2, features & ~(unsigned)WITH_BILATERAL);
    nsd_one_two_answer answer;
    REQUIRE(solve(t, &answer) == NSDYN_OK, "seed %d", k);
    double residual, scale;
    REQUIRE(nsdyn_contact_residual(&t->problem, answer.Lambda, &residual, &scale, NULL) == NSDYN_OK,
            "seed %d", k);
    REQUIRE(residual <= 1e-12 * scale, "seed %d: %g of %g", k, residual, scale);
  }
  free(t);
}

START_TEST(solves_coulomb_problems)
{
  solves_all(COULOMB);
}
END_TEST

START_TEST(solves_with_every_law)
{
  solves_all(WITH_EVERY_LAW);
}
END_TEST

START_TEST(solves_with_much_friction)
{
  solves_all(WITH_STEEP | WITH_EVERY_LAW);
}
END_TEST

START_TEST(solves_redundant_contacts)
{
  solves_all(REDUNDANT);
  solves_all(REDUNDANT | WITH_EVERY_LAW);
}
END_TEST

/* Against all patterns by other code: where there is one solution the impulses agree, and where none is found
 * there is none. Known sliding directions and much friction make problems with none, two, and three. */
START_TEST(agrees_with_all_patterns)
{
  touching *t = touching_new();
  const int cases = random_cases(6000);
  int counts[4] = {0};
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    make_touching(t, &r, 1 + k % 2,
                  k % 3 == 0 ? WITH_EVERY_LAW & ~WITH_BILATERAL : (unsigned)WITH_STEEP | WITH_SLIDING);
    nsd_one_two_answer answer;
    const nsdyn_status status = solve(t, &answer);
    const int count = count_all(t, t->Lambda);
    counts[count < 3 ? count : 3]++;
    REQUIRE(status == (count > 0 ? NSDYN_OK : NSDYN_NO_SOLUTION), "seed %d: %d with %d solutions", k,
            (int)status, count);
    if (count == 1) {
      REQUIRE(apart(t->d.rows, t->Lambda, answer.Lambda) <= 1e-9, "seed %d: %g", k,
              apart(t->d.rows, t->Lambda, answer.Lambda));
    }
  }
  ck_assert_int_gt(counts[1], cases / 2);
  ck_assert_msg(counts[0] > cases / 100 && counts[2] > cases / 100 && counts[3] > 0, "%d %d %d", counts[0],
                counts[2], counts[3]);
  free(t);
}
END_TEST

/* Painlevé: one contact that slides, G_NN − s μ G_NT = p. c_N < 0 and p <= 0: nothing. c_N > 0 and p < 0:
 * open, or pressed. */
START_TEST(painleve_is_told_for_what_it_is)
{
  touching *t = touching_new();
  t->spec[0] = (nsd_contact_spec){.friction = NSD_FRICTION_LOAD, .mu = 2.0, .sliding = 1};
  lay_out(t, 1, 0);
  nsd_one_two_answer answer;
  static const double tangential[] = {0.25, 0.5, 0.75};
  for (int i = 0; i < 3; i++) {
    for (int e = -200; e <= 200; e += 50) {
      t->G[0] = ldexp(1.0, e);
      t->G[3] = ldexp(2.0, e);
      t->G[1] = t->G[2] = ldexp(tangential[i], e);
      t->c[0] = ldexp(-1.0, -e / 2);
      t->c[1] = ldexp(3.0, -e / 2);
      const nsdyn_status status = solve(t, &answer);
      ck_assert_int_eq(status, i == 0 ? NSDYN_OK : i == 1 ? NSDYN_MAX_ITERATIONS : NSDYN_NO_SOLUTION);
      ck_assert(i == 0 ? answer.Lambda[0] == ldexp(2.0, -e / 2 - e) : answer.verdict.residual > 0.0);
      t->c[0] = -t->c[0];
      ck_assert_int_eq(solve(t, &answer), NSDYN_OK);
      ck_assert(answer.Lambda[0] == 0.0 && answer.xi[0] == t->c[0]);
    }
  }
  free(t);
}
END_TEST

START_TEST(edges_are_solutions)
{
  touching *t = touching_new();
  nsd_one_two_answer answer;
  t->spec[0] = (nsd_contact_spec){.friction = NSD_FRICTION_LOAD, .mu = 0.5};
  lay_out(t, 1, 0);
  ck_assert_int_eq(solve(t, &answer), NSDYN_OK); /* all zero */
  ck_assert(answer.Lambda[0] == 0.0 && answer.Lambda[1] == 0.0);
  t->c[0] = -1.0; /* approaching, and nothing can be done about it */
  ck_assert_int_ne(solve(t, &answer), NSDYN_OK);
  t->G[0] = 1.0; /* W_T = 0: friction has no say */
  t->c[1] = 3.0;
  ck_assert_int_eq(solve(t, &answer), NSDYN_OK);
  ck_assert(answer.Lambda[0] == 1.0 && answer.Lambda[1] == -0.5);
  t->c[1] = 0.0;
  ck_assert_int_eq(solve(t, &answer), NSDYN_OK);
  ck_assert(answer.Lambda[0] == 1.0);
  t->G[3] = 1.0;
  t->c[1] = 0.5; /* exactly at the limit of sticking */
  ck_assert_int_eq(solve(t, &answer), NSDYN_OK);
  ck_assert(answer.Lambda[0] == 1.0 && answer.Lambda[1] == -0.5 && answer.xi[1] == 0.0);
  t->spec[0].mu = 0.0;
  ck_assert_int_eq(solve(t, &answer), NSDYN_OK);
  ck_assert(answer.Lambda[1] == 0.0 && answer.xi[1] == 0.5);
  t->spec[0].mu = 1e300;
  ck_assert_int_eq(solve(t, &answer), NSDYN_OK);
  ck_assert(answer.Lambda[1] == -0.5);
  t->spec[0].mu = 0.5;
  t->c[0] = 0.0; /* grazing */
  ck_assert_int_eq(solve(t, &answer), NSDYN_OK);
  ck_assert(answer.Lambda[0] == 0.0 && answer.xi[1] == 0.5);
  lay_out(t, 0, 0);
  ck_assert_int_eq(solve(t, &answer), NSDYN_OK);
  free(t);
}
END_TEST

/* Two contacts under one foot, the same directions twice: who carries what is open, the motion is not. */
START_TEST(the_same_contact_twice_moves_like_one)
{
  touching *t = touching_new();
  const int cases = random_cases(2000);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    make_touching(t, &r, 1, COULOMB);
    nsd_one_two_answer one, two;
    REQUIRE(solve(t, &one) == NSDYN_OK, "seed %d", k);
    const double G[4] = {t->G[0], t->G[1], t->G[2], t->G[3]};
    const double c[2] = {t->c[0], t->c[1]};
    t->spec[1] = t->spec[0];
    lay_out(t, 2, 0);
    for (int i = 0; i < 4; i++) {
      for (int j = 0; j < 4; j++) {
        *g_at(t, i, j) = G[i % 2 * 2 + j % 2];
      }
      t->c[i] = c[i % 2];
    }
    REQUIRE(solve(t, &two) == NSDYN_OK, "seed %d", k);
    REQUIRE(apart_by(one.verdict.scale, 2, one.xi, two.xi) <= 1e-12, "seed %d", k);
    const double sum[2] = {two.Lambda[0] + two.Lambda[2], two.Lambda[1] + two.Lambda[3]};
    REQUIRE(apart(2, one.Lambda, sum) <= 1e-11, "seed %d", k);
  }
  free(t);
}
END_TEST

START_TEST(units_change_nothing_but_units)
{
  touching *t = touching_new();
  const int cases = random_cases(2000);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    make_touching(t, &r, 1 + k % 2, WITH_STEEP | (WITH_EVERY_LAW & ~WITH_BILATERAL));
    nsd_one_two_answer before, after;
    const nsdyn_status status = solve(t, &before);
    const int of_G = random_below(&r, 401) - 200;
    const int of_c = random_below(&r, 401) - 200;
    for (int i = 0; i < t->d.rows; i++) {
      for (int j = 0; j < t->d.rows; j++) {
        *g_at(t, i, j) = ldexp(*g_at(t, i, j), of_G);
      }
      t->c[i] = ldexp(t->c[i], of_c);
    }
    for (int i = 0; i < t->d.contacts; i++) {
      t->spec[i].bound = ldexp(t->spec[i].bound, of_c - of_G);
    }
    REQUIRE(solve(t, &after) == status, "seed %d", k);
    for (int i = 0; i < t->d.rows; i++) {
      REQUIRE(after.Lambda[i] == ldexp(before.Lambda[i], of_c - of_G), "seed %d, row %d", k, i);
    }
  }
  free(t);
}
END_TEST

START_TEST(begins_with_the_pattern_it_is_given)
{
  touching *t = touching_new();
  const int cases = random_cases(3000);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    make_touching(t, &r, 1 + k % 2, WITH_EVERY_LAW & ~WITH_BILATERAL);
    nsd_one_two_answer cold, warm;
    REQUIRE(solve(t, &cold) == NSDYN_OK, "seed %d", k);
    REQUIRE(!cold.warm, "seed %d", k);
    int32_t states[2] = {cold.states[0], cold.states[1]};
    REQUIRE(nsd_one_two_solve(&t->d, 1e-9, states, &warm) == NSDYN_OK, "seed %d", k);
    REQUIRE(warm.warm && warm.tries == 1, "seed %d: %d tries", k, (int)warm.tries);
    REQUIRE(memcmp(cold.Lambda, warm.Lambda, sizeof cold.Lambda) == 0, "seed %d", k);
    for (int i = 0; i < t->d.contacts; i++) {
      states[i] = nsd_contact_admit(&t->spec[i], random_below(&r, NSD_STATES));
    }
    REQUIRE(nsd_one_two_solve(&t->d, 1e-9, states, &warm) == NSDYN_OK, "seed %d", k);
    const nsd_contact_verdict v = nsd_contact_judge(&t->d, warm.Lambda, NULL);
    REQUIRE(nsd_contact_is_solution(&v, 1e-12), "seed %d", k);
  }
  free(t);
}
END_TEST

/* The short cut says yes only to solutions, says it to each contact's own state, and the impulses are those
 * of the long way to rounding. */
START_TEST(the_short_cut_leads_to_the_same_place)
{
  touching *t = touching_new();
  const int cases = random_cases(5000);
  int taken = 0;
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    make_touching(t, &r, 1, k % 2 ? WITH_STEEP : COULOMB);
    ck_assert(nsd_contact_is_coulomb(t->spec));
    nsd_one_two_answer whole, cut;
    REQUIRE(solve(t, &whole) == NSDYN_OK, "seed %d", k);
    for (int32_t state = 0; state < NSD_STATE_LIFTED; state++) {
      if (nsd_one_two_try_single(&t->d, 1e-9, state, &cut)) {
        taken++;
        const nsd_contact_verdict v = nsd_contact_judge(&t->d, cut.Lambda, NULL);
        REQUIRE(nsd_contact_is_solution(&v, 1e-12), "seed %d, state %d", k, (int)state);
      } else {
        REQUIRE(state != whole.states[0], "seed %d, state %d", k, (int)state);
      }
      if (state == whole.states[0]) {
        REQUIRE(apart(2, cut.Lambda, whole.Lambda) <= 1e-12, "seed %d", k);
      }
    }
  }
  ck_assert_int_ge(taken, cases);
  t->spec[0].sliding = 1;
  ck_assert(!nsd_contact_is_coulomb(t->spec));
  free(t);
}
END_TEST

/* What was prepared for other numbers is not used: neither for another G, nor for other states or
 * coefficients. */
static void compare_kept(touching *t, int k, const int32_t *states, nsd_pair pair)
{
  const int change = k % 4;
  const double was_mu = t->spec[1].mu, was_G = t->G[5];
  const int64_t was_edition = t->d.edition;
  const int32_t others[2] = {states[0], change == 1 ? 3 - states[1] : states[1]};
  t->spec[1].mu *= change == 2 ? 0.5 : 1.0;
  t->G[5] *= change == 3 ? 1.25 : 1.0;
  t->d.edition += change == 3;
  nsd_pair none = {.edition = 0};
  nsd_one_two_answer kept, fresh;
  const int found = nsd_one_two_try_pair(&t->d, 1e-9, others, &none, &fresh);
  REQUIRE(nsd_one_two_try_pair(&t->d, 1e-9, others, &pair, &kept) == found, "seed %d, change %d", k, change);
  REQUIRE(!found || memcmp(kept.Lambda, fresh.Lambda, sizeof fresh.Lambda) == 0, "seed %d, change %d", k,
          change);
  t->spec[1].mu = was_mu;
  t->G[5] = was_G;
  t->d.edition = was_edition;
}

/* Two contacts, every pattern: a yes is a solution with each contact inside its state, which is its vertex
 * then; and where the long way ends inside its states, the short one gets there from them. */
static int compare_pairs(touching *t, int k, unsigned features)
{
  random_state r = random_seed((uint64_t)k);
  make_touching(t, &r, 2, features);
  nsd_one_two_answer whole, cut;
  int taken = 0;
  const nsdyn_status status = solve(t, &whole);
  for (int32_t pattern = 0; pattern < 16; pattern++) {
    const int32_t states[2] = {pattern / 4, pattern % 4};
    const unsigned is_known =
        nsd_contact_states(&t->spec[0]) >> states[0] & nsd_contact_states(&t->spec[1]) >> states[1] & 1u;
    if (!is_known) {
      continue;
    }
    nsd_pair pair = {.edition = 0};
    t->d.edition = 1 + pattern;
    const int found = nsd_one_two_try_pair(&t->d, 1e-9, states, &pair, &cut);
    nsd_one_two_answer again;
    REQUIRE(nsd_one_two_try_pair(&t->d, 1e-9, states, &pair, &again) == found, "seed %d", k);
    REQUIRE(!found || memcmp(again.Lambda, cut.Lambda, sizeof cut.Lambda) == 0, "seed %d", k);
    compare_kept(t, k, states, pair);
    if (found) {
      taken++;
      double xi[4];
      const nsd_contact_verdict v = nsd_contact_judge(&t->d, cut.Lambda, xi);
      REQUIRE(nsd_contact_is_solution(&v, 1e-13), "seed %d, pattern %d", k, (int)pattern);
      REQUIRE(v.residual == cut.verdict.residual && v.scale == cut.verdict.scale, "seed %d", k);
      REQUIRE(memcmp(xi, cut.xi, sizeof xi) == 0, "seed %d", k);
      REQUIRE(!nsd_contact_project_all(&t->d, cut.Lambda), "seed %d, pattern %d", k, (int)pattern);
      for (int i = 0; i < 2; i++) {
        REQUIRE(nsd_contact_vertex_state(&t->spec[i], cut.Lambda, xi) == states[i], "seed %d, pattern %d", k,
                (int)pattern);
      }
    }
    if (status == NSDYN_OK && states[0] == whole.states[0] && states[1] == whole.states[1] &&
        nsd_state_is_inside(&t->spec[0], states[0], whole.Lambda) &&
        nsd_state_is_inside(&t->spec[1], states[1], whole.Lambda + 2) && !(features & REDUNDANT)) {
      REQUIRE(found, "seed %d, pattern %d", k, (int)pattern);
      REQUIRE(apart(4, cut.Lambda, whole.Lambda) <= 1e-10, "seed %d: %g", k,
              apart(4, cut.Lambda, whole.Lambda));
    }
  }
  return taken;
}

START_TEST(the_short_cut_for_two_leads_there_too)
{
  touching *t = touching_new();
  const int cases = random_cases(6000);
  int taken = 0, redundant = 0;
  for (int k = 0; k < cases; k++) {
    taken += compare_pairs(t, k, k % 2 ? WITH_STEEP : COULOMB) > 0;
    redundant += compare_pairs(t, k, REDUNDANT) > 0;
  }
  ck_assert_msg(taken >= cases * 9 / 10 && redundant >= cases / 2, "%d, %d of %d", taken, redundant, cases);
  free(t);
}
END_TEST

START_TEST(no_number_is_no_solution)
{
  touching *t = touching_new();
  random_state r = random_seed(5);
  make_touching(t, &r, 1, COULOMB);
  for (int e = 0; e < 4 + 2; e++) {
    double *at = e < 4 ? &t->G[e] : &t->c[e - 4];
    const double was = *at;
    nsd_one_two_answer answer;
    *at = NAN;
    ck_assert_int_ne(solve(t, &answer), NSDYN_OK);
    for (int32_t state = 0; state < NSD_STATE_LIFTED; state++) {
      ck_assert(!nsd_one_two_try_single(&t->d, 1e-9, state, &answer));
    }
    *at = was;
  }
  make_touching(t, &r, 2, COULOMB);
  for (int e = 0; e < 16 + 4; e++) {
    double *at = e < 16 ? &t->G[e] : &t->c[e - 16];
    const double was = *at;
    nsd_one_two_answer answer;
    *at = e % 2 ? NAN : (double)INFINITY;
    for (int32_t pattern = 0; pattern < 16; pattern++) {
      const int32_t states[2] = {pattern / 4, pattern % 4};
      nsd_pair pair = {.edition = 0};
      ck_assert(!nsd_one_two_try_pair(&t->d, 1e-9, states, &pair, &answer));
    }
    *at = was;
  }
  free(t);
}
END_TEST

/* Λ_N = 1/3 solves it; Λ_T, which is given, stands beside numbers of 1e160, so that the certificate says
 * nothing of it: that is no proof that there is no solution. */
START_TEST(where_nothing_is_seen_nothing_is_proved)
{
  touching *t = touching_new();
  t->spec[0] = (nsd_contact_spec){.friction = NSD_FRICTION_GIVEN, .sliding = -1};
  lay_out(t, 1, 0);
  t->G[0] = 3.0;
  t->G[1] = t->G[2] = 1e160;
  t->G[3] = 0.0;
  t->c[0] = -1.0;
  t->c[1] = 3.0;
  nsd_one_two_answer answer;
  ck_assert_int_eq(nsd_one_two_solve(&t->d, 1e-9, NULL, &answer), NSDYN_MAX_ITERATIONS);
  free(t);
}
END_TEST

SUITE("contact/planar/one_two", TEST(where_nothing_is_seen_nothing_is_proved), TEST(solves_coulomb_problems),
      TEST(solves_with_every_law), TEST(solves_with_much_friction), TEST(solves_redundant_contacts),
      TEST(agrees_with_all_patterns), TEST(painleve_is_told_for_what_it_is), TEST(edges_are_solutions),
      TEST(the_same_contact_twice_moves_like_one), TEST(units_change_nothing_but_units),
      TEST(begins_with_the_pattern_it_is_given), TEST(the_short_cut_leads_to_the_same_place),
      TEST(the_short_cut_for_two_leads_there_too), TEST(no_number_is_no_solution))
