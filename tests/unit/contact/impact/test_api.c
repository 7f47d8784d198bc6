/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>
#include <string.h>

#include "contact/object.h"
#include "suite.h"

/* One contact, G = diag(1, 3.5), and a bilateral row that shares the normal direction's mass. */
typedef struct fixture {
  nsdyn_contact *solver;
  nsdyn_contact_law laws[2];
  double G[25], gamma[5], Lambda[5], after[5];
  nsdyn_contact_problem problem;
} fixture;

static fixture begin(void)
{
  fixture f;
  memset(&f, 0, sizeof f);
  ck_assert_int_eq(nsdyn_contact_new(NULL, NULL, &f.solver, NULL), NSDYN_OK);
  for (int i = 0; i < 2; i++) {
    nsdyn_contact_law_init(&f.laws[i], sizeof f.laws[i]);
    f.laws[i].mu = 0.4;
    f.laws[i].eps_n = 0.5;
    f.laws[i].eps_t = 0.5;
  }
  nsdyn_contact_problem_init(&f.problem, sizeof f.problem);
  return f;
}

/* Points into the fixture, which must not move afterwards. */
static void set_problem(fixture *f, int contacts, int bilateral, const double *G, const double *gamma)
{
  const int rows = 2 * contacts + bilateral;
  memcpy(f->G, G, (size_t)rows * (size_t)rows * sizeof *G);
  memcpy(f->gamma, gamma, (size_t)rows * sizeof *gamma);
  f->problem.contacts = contacts;
  f->problem.bilateral = bilateral;
  f->problem.laws = f->laws;
  f->problem.G = f->G;
  f->problem.ldg = rows;
  f->problem.c = f->gamma;
  for (int i = 0; i < 5; i++) {
    f->Lambda[i] = f->after[i] = 4711.0;
  }
}

static const double ball_G[4] = {1.0, 0.0, 0.0, 3.5};
static const double ball_gamma[2] = {-2.0, 0.5};

static nsdyn_status strike(fixture *f, int32_t law)
{
  return nsdyn_contact_impact(f->solver, law, &f->problem, f->Lambda, f->after);
}

static nsdyn_impact_report report(const fixture *f)
{
  nsdyn_impact_report result;
  ck_assert_int_eq(nsdyn_impact_report_init(&result, sizeof result), NSDYN_OK);
  ck_assert_int_eq(nsdyn_contact_impact_report(f->solver, &result), NSDYN_OK);
  return result;
}

static nsdyn_impact_half phase(const fixture *f, int32_t half)
{
  nsdyn_impact_half it;
  ck_assert_int_eq(nsdyn_impact_half_init(&it, sizeof it), NSDYN_OK);
  ck_assert_int_eq(nsdyn_contact_impact_half(f->solver, half, &it), NSDYN_OK);
  return it;
}

START_TEST(both_halves_can_be_read)
{
  fixture f = begin();
  set_problem(&f, 1, 0, ball_G, ball_gamma);
  f.laws[0].reversal = 1.0;
  ck_assert_int_eq(strike(&f, NSDYN_IMPACT_POISSON), NSDYN_OK);
  ck_assert(fabs(f.after[0] - 1.0) <= 1e-15 && fabs(f.after[1] + 0.125) <= 1e-15);
  const nsdyn_impact_report result = report(&f);
  ck_assert_int_eq(result.status, NSDYN_OK);
  ck_assert_int_eq(result.law, NSDYN_IMPACT_POISSON);
  ck_assert(result.residual <= 1e-15 && result.scale > 0.0);
  /* ½ (1² − 2²) + ½ (0.125² − 0.5²)/3.5 */
  ck_assert(fabs(result.energy - (-1.5 - 0.5 * 0.234375 / 3.5)) <= 1e-15);
  const nsdyn_impact_half C = phase(&f, NSDYN_IMPACT_COMPRESSION), E = phase(&f, NSDYN_IMPACT_EXPANSION);
  ck_assert(C.rows == 2 && C.contacts == 1 && E.rows == 2 && E.contacts == 1);
  ck_assert(fabs(C.Lambda[0] - 2.0) <= 1e-15 && fabs(C.Lambda[1] + 0.5 / 3.5) <= 1e-15);
  ck_assert(C.gamma[0] == 0.0 && C.gamma[1] == 0.0 && C.modes[0] == NSDYN_MODE_STICK);
  ck_assert(fabs(E.Lambda[0] - 1.0) <= 1e-15 && fabs(E.Lambda[1] + 0.125 / 3.5) <= 1e-15);
  ck_assert(E.gamma[0] == f.after[0] && E.gamma[1] == f.after[1] && E.modes[0] == NSDYN_MODE_SLIP_MINUS);
  ck_assert(C.energy < 0.0 && E.energy > 0.0 && C.energy + E.energy == result.energy);
  ck_assert(fabs(E.energy - (0.5 + 0.5 * 0.015625 / 3.5)) <= 1e-15);
  ck_assert_int_eq(C.lcp_size, 0); /* tried directly */
  ck_assert_int_eq(E.lcp_size, 3);
  ck_assert_int_eq(C.worst_row, -1);
  nsdyn_contact_free(f.solver);
}
END_TEST

START_TEST(newton_has_one_half_that_counts)
{
  fixture f = begin();
  set_problem(&f, 1, 0, ball_G, ball_gamma);
  ck_assert_int_eq(strike(&f, NSDYN_IMPACT_NEWTON), NSDYN_OK);
  ck_assert(fabs(f.after[0] - 1.0) <= 1e-15 && fabs(f.after[1] + 0.25) <= 1e-15);
  const nsdyn_impact_half C = phase(&f, NSDYN_IMPACT_COMPRESSION), E = phase(&f, NSDYN_IMPACT_EXPANSION);
  for (int i = 0; i < 2; i++) {
    ck_assert(C.Lambda[i] == f.Lambda[i] && C.gamma[i] == f.after[i]);
    ck_assert(E.Lambda[i] == 0.0 && E.gamma[i] == f.after[i]);
  }
  ck_assert(C.energy == report(&f).energy && E.energy == 0.0);
  ck_assert(C.modes[0] == NSDYN_MODE_STICK && E.modes[0] == NSDYN_MODE_STICK);
  nsdyn_contact_free(f.solver);
}
END_TEST

/* The contact is the last of the problem, and gamma may be left out. */
START_TEST(bilateral_rows_end_at_rest)
{
  fixture f = begin();
  /* γ = (v + w, slide, w): the row holds w. */
  const double G[9] = {2.0, 0.0, 1.0, 0.0, 3.5, 0.0, 1.0, 0.0, 1.0};
  const double gamma[3] = {-2.0, 0.5, 0.0};
  set_problem(&f, 1, 1, G, gamma);
  for (int32_t law = NSDYN_IMPACT_NEWTON; law <= NSDYN_IMPACT_POISSON; law++) {
    ck_assert_int_eq(strike(&f, law), NSDYN_OK);
    ck_assert(fabs(f.after[0] - 1.0) <= 1e-14 && f.after[2] == 0.0);
    ck_assert(fabs(f.Lambda[0] - 3.0) <= 1e-14 && fabs(f.Lambda[2] + 3.0) <= 1e-14);
    const double before = f.Lambda[0];
    ck_assert_int_eq(nsdyn_contact_impact(f.solver, law, &f.problem, f.Lambda, NULL), NSDYN_OK);
    ck_assert(f.Lambda[0] == before);
  }
  nsdyn_contact_free(f.solver);
}
END_TEST

/* A bound's impulse is there where a time step gives it time, and then in compression only. */
START_TEST(a_given_bound_brakes_only_in_time)
{
  fixture f = begin();
  set_problem(&f, 1, 0, ball_G, ball_gamma);
  f.laws[0].friction = NSDYN_FRICTION_BOUND;
  f.laws[0].bound = 10.0;
  ck_assert_int_eq(strike(&f, NSDYN_IMPACT_POISSON), NSDYN_OK);
  ck_assert(f.Lambda[1] == 0.0 && f.after[1] == 0.5);
  f.problem.dt = 0.01;
  ck_assert_int_eq(strike(&f, NSDYN_IMPACT_POISSON), NSDYN_OK);
  ck_assert(fabs(f.Lambda[1] + 0.1) <= 1e-15 && fabs(f.after[1] - 0.15) <= 1e-15);
  ck_assert(phase(&f, NSDYN_IMPACT_EXPANSION).Lambda[1] == 0.0);
  nsdyn_contact_free(f.solver);
}
END_TEST

static void check_refusal(fixture *f, int32_t law, nsdyn_status expected, int32_t kind, int32_t index)
{
  ck_assert_int_eq(strike(f, law), expected);
  for (int i = 0; i < 5; i++) {
    ck_assert(f->Lambda[i] == 4711.0 && f->after[i] == 4711.0);
  }
  const nsdyn_impact_report result = report(f);
  ck_assert(result.status == expected && result.law == law && result.energy == 0.0 && result.worst_row == -1);
  nsdyn_detail detail = {.size = sizeof detail};
  ck_assert_int_eq(nsdyn_contact_detail(f->solver, &detail), NSDYN_OK);
  ck_assert_int_eq(detail.kind, kind);
  ck_assert_int_eq(detail.index, index);
  ck_assert(nsdyn_contact_message(f->solver)[0] != '\0');
  const nsdyn_impact_half none = phase(f, NSDYN_IMPACT_COMPRESSION);
  ck_assert(none.rows == 0 && none.contacts == 0 && !none.Lambda && !none.gamma && !none.modes);
}

START_TEST(bad_input_is_refused_and_says_where)
{
  fixture f = begin();
  set_problem(&f, 1, 0, ball_G, ball_gamma);
  check_refusal(&f, -1, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_ARGUMENT, 1);
  check_refusal(&f, 2, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_ARGUMENT, 1);
  const double slip[1] = {1.0};
  f.problem.slip = slip;
  check_refusal(&f, 1, NSDYN_ERR_UNSUPPORTED, NSDYN_DETAIL_CONTACT, 0);
  f.problem.slip = NULL;
  f.laws[0].reversal = 1.25;
  check_refusal(&f, 1, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_CONTACT, 0);
  f.laws[0].reversal = NAN;
  check_refusal(&f, 0, NSDYN_ERR_NOT_FINITE, NSDYN_DETAIL_CONTACT, 0);
  f.laws[0].reversal = 0.0;
  f.gamma[1] = INFINITY;
  check_refusal(&f, 1, NSDYN_ERR_NOT_FINITE, NSDYN_DETAIL_CONTACT, 0);
  f.gamma[1] = 0.5;
  ck_assert_int_eq(nsdyn_contact_impact(f.solver, 1, &f.problem, NULL, f.after), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_contact_impact(f.solver, 1, NULL, f.Lambda, f.after), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_contact_impact(NULL, 1, &f.problem, f.Lambda, f.after), NSDYN_ERR_ARGUMENT);
  f.solver->busy = 1;
  ck_assert_int_eq(strike(&f, 1), NSDYN_ERR_BUSY);
  f.solver->busy = 0;
  ck_assert_int_eq(strike(&f, 1), NSDYN_OK); /* and none of it has harmed the solver */
  ck_assert_str_eq(nsdyn_contact_message(f.solver), "");
  nsdyn_contact_free(f.solver);
}
END_TEST

START_TEST(readers_refuse_what_is_not_there)
{
  fixture f = begin();
  nsdyn_impact_half it = {.size = sizeof it};
  nsdyn_impact_report result = {.size = sizeof result};
  ck_assert_int_eq(nsdyn_contact_impact_half(NULL, 0, &it), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_contact_impact_half(f.solver, -1, &it), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_contact_impact_half(f.solver, 2, &it), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_contact_impact_half(f.solver, 0, NULL), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_contact_impact_report(NULL, &result), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_contact_impact_report(f.solver, NULL), NSDYN_ERR_ARGUMENT);
  it.size = 8;
  ck_assert_int_eq(nsdyn_contact_impact_half(f.solver, 0, &it), NSDYN_ERR_STRUCT_SIZE);
  result.size = 8;
  ck_assert_int_eq(nsdyn_contact_impact_report(f.solver, &result), NSDYN_ERR_STRUCT_SIZE);
  ck_assert_int_eq(nsdyn_impact_half_init(NULL, sizeof it), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_impact_report_init(NULL, sizeof result), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_impact_half_init(&it, 8), NSDYN_ERR_STRUCT_SIZE);
  ck_assert_int_eq(nsdyn_impact_report_init(&result, 8), NSDYN_ERR_STRUCT_SIZE);
  /* Before the first impact there is nothing. */
  ck_assert_int_eq(phase(&f, 1).rows, 0);
  ck_assert(report(&f).status == NSDYN_OK && report(&f).worst_row == -1);
  nsdyn_contact_free(f.solver);
}
END_TEST

/* Two walls that lock a particle between them (tan α = ½ < μ): the proof, and the best that was found. */
START_TEST(no_solution_is_reported_as_such)
{
  fixture f = begin();
  const double c = 2.0, n = 1.0; /* whole numbers: G is singular to the bit */
  const double W[8] = {c, n, -n, c, -c, n, n, c};
  double G[16], gamma[4];
  for (int i = 0; i < 4; i++) {
    gamma[i] = -W[2 * i + 1];
    for (int j = 0; j < 4; j++) {
      G[4 * i + j] = W[2 * i] * W[2 * j] + W[2 * i + 1] * W[2 * j + 1];
    }
  }
  set_problem(&f, 2, 0, G, gamma);
  for (int i = 0; i < 2; i++) {
    f.laws[i].mu = 1.0;
    f.laws[i].eps_t = 0.0;
  }
  ck_assert_int_eq(strike(&f, NSDYN_IMPACT_NEWTON), NSDYN_NO_SOLUTION);
  const nsdyn_impact_report result = report(&f);
  ck_assert(result.status == NSDYN_NO_SOLUTION && result.half == NSDYN_IMPACT_COMPRESSION);
  ck_assert(result.residual > 1e-6 * result.scale && result.worst_row >= 0);
  ck_assert(f.Lambda[0] != 4711.0 && f.after[3] != 4711.0);
  ck_assert_int_eq(phase(&f, 0).rows, 4);
  ck_assert_ptr_nonnull(strstr(nsdyn_contact_message(f.solver), "contact"));
  ck_assert_int_eq(strike(&f, NSDYN_IMPACT_POISSON), NSDYN_OK);
  ck_assert_str_eq(nsdyn_contact_message(f.solver), "");
  nsdyn_contact_free(f.solver);
}
END_TEST

START_TEST(nothing_at_all_is_legal)
{
  fixture f = begin();
  set_problem(&f, 0, 0, ball_G, ball_gamma);
  for (int32_t law = NSDYN_IMPACT_NEWTON; law <= NSDYN_IMPACT_POISSON; law++) {
    ck_assert_int_eq(nsdyn_contact_impact(f.solver, law, &f.problem, NULL, NULL), NSDYN_OK);
    ck_assert(report(&f).energy == 0.0 && phase(&f, 0).rows == 0);
  }
  nsdyn_contact_free(f.solver);
}
END_TEST

/* Impulses and velocities of 1e200 are numbers, their energy is none. */
START_TEST(an_overflow_is_no_answer)
{
  const double speeds[] = {1e155, 1e200, 1e300};
  for (int32_t law = NSDYN_IMPACT_NEWTON; law <= NSDYN_IMPACT_POISSON; law++) {
    for (size_t k = 0; k < 2 * sizeof speeds / sizeof *speeds; k++) {
      fixture f = begin();
      const double speed = speeds[k / 2];
      set_problem(&f, 1, 0, ball_G, k % 2 ? (double[2]){-speed, 0.3 * speed} : (double[2]){-speed, -1.0});
      ck_assert_int_eq(strike(&f, law), NSDYN_ERR_NOT_FINITE);
      ck_assert_str_ne(nsdyn_contact_message(f.solver), "");
      ck_assert(f.Lambda[0] == 4711.0 && f.Lambda[1] == 4711.0 && f.after[0] == 4711.0 &&
                f.after[1] == 4711.0);
      const nsdyn_impact_report result = report(&f);
      ck_assert(result.status == NSDYN_ERR_NOT_FINITE && result.energy == 0.0 && result.residual == 0.0);
      ck_assert_int_eq(phase(&f, NSDYN_IMPACT_COMPRESSION).rows, 0);
      set_problem(&f, 1, 0, ball_G, ball_gamma); /* and the solver is as good as before */
      ck_assert_int_eq(strike(&f, law), NSDYN_OK);
      nsdyn_contact_free(f.solver);
    }
  }
}
END_TEST

SUITE("contact/impact/api", TEST(an_overflow_is_no_answer), TEST(both_halves_can_be_read),
      TEST(newton_has_one_half_that_counts), TEST(bilateral_rows_end_at_rest),
      TEST(a_given_bound_brakes_only_in_time), TEST(bad_input_is_refused_and_says_where),
      TEST(readers_refuse_what_is_not_there), TEST(no_solution_is_reported_as_such),
      TEST(nothing_at_all_is_legal))
