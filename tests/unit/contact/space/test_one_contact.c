/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "contact/space/one_contact.h"

#include <float.h>
#include <math.h>

#include "contact/problem.h"
#include "suite.h"
#include "support/cone_problems.h"

static nsd_one_contact_law coulomb(double mu)
{
  return (nsd_one_contact_law){.kind = NSDYN_CONTACT_UNILATERAL,
                               .friction = NSD_FRICTION_LOAD,
                               .mu = mu,
                               .aspect = 1.0,
                               .axis = {1.0, 0.0}};
}

static cone_bound bound_of(const nsd_one_contact_law *law, const double *Lambda)
{
  const int slot = law->kind == NSDYN_CONTACT_BILATERAL;
  const double load = slot ? fabs(Lambda[0]) : fmax(0.0, Lambda[0]);
  const double a = law->friction == NSD_FRICTION_GIVEN ? law->bound : law->mu * load;
  return (cone_bound){
      .a = a, .b = a * law->aspect, .axis = {law->axis[0], law->axis[1]}, .sides = law->sides, .slot = slot};
}

static int solve(const cone_problem *p, const nsd_one_contact_law *law, nsd_one_contact_answer *answer)
{
  nsd_one_contact block;
  nsd_one_contact_of(p->G, law, &block);
  return nsd_one_contact_solve(&block, p->c, answer);
}

static double any_mu(random_state *random)
{
  return random_below(random, 8) ? 3.0 * random_unit(random) : 0.0;
}

/* The tolerance of each class: some roundings of G Λ; where directions differ by up to 1e6, ρ turns a
 * rounding of the one into as many of the other. */
static const double tolerance[CONE_CLASSES] = {1e-14, 1e-10, 1e-13, 1e-14, 1e-10, 1e-10};

START_TEST(every_class_is_solved)
{
  int modes[3] = {0, 0, 0};
  double worst[CONE_CLASSES] = {0.0};
  const int cases = random_cases(200000);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    cone_problem p;
    nsd_one_contact_answer answer;
    const int kind = k % CONE_CLASSES;
    cone_random(&random, kind, &p);
    nsd_one_contact_law law = coulomb(any_mu(&random));
    law.kind = random_below(&random, 4) ? NSDYN_CONTACT_UNILATERAL : NSDYN_CONTACT_BILATERAL;
    const int outcome = solve(&p, &law, &answer);
    REQUIRE(outcome == NSD_ONE_CONTACT_SOLVED, "seed %d, class %d: outcome %d", k, kind, outcome);
    const cone_bound bound = bound_of(&law, answer.Lambda);
    const double miss = cone_miss(&p, &bound, answer.Lambda);
    worst[kind] = fmax(worst[kind], miss);
    REQUIRE(miss <= tolerance[kind], "seed %d, class %d: misses by %g after %d steps", k, kind, miss,
            answer.steps);
    REQUIRE(answer.steps <= 60, "seed %d, class %d: %d steps", k, kind, answer.steps);
    modes[answer.mode]++;
  }
  for (int i = 0; i < 3; i++) {
    ck_assert_int_gt(modes[i], cases / 20);
  }
}
END_TEST

/* A sphere on a plane: G = diag(g_N, g_T, g_T), everything in closed form. */
START_TEST(a_sphere_in_closed_form)
{
  const int cases = random_cases(20000);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    const double gN = random_scale(&random, 2.0), gT = random_scale(&random, 2.0), mu = any_mu(&random);
    const double angle = random_between(&random, 0.0, 6.283185307179586), fast = random_scale(&random, 2.0);
    const cone_problem p = {.G = {gN, 0, 0, 0, gT, 0, 0, 0, gT},
                            .c = {random_normal(&random), fast * cos(angle), fast * sin(angle)}};
    const nsd_one_contact_law law = coulomb(mu);
    nsd_one_contact_answer answer;
    ck_assert_int_eq(solve(&p, &law, &answer), NSD_ONE_CONTACT_SOLVED);
    const double N = fmax(0.0, -p.c[0] / gN), T = fmin(mu * N, fast / gT);
    const double tol = 16.0 * DBL_EPSILON;
    REQUIRE(fabs(answer.Lambda[0] - N) <= tol * N, "seed %d", k);
    REQUIRE(hypot(answer.Lambda[1] + T * cos(angle), answer.Lambda[2] + T * sin(angle)) <= tol * T, "seed %d",
            k);
    const int mode = N == 0.0             ? NSD_ONE_CONTACT_OPEN
                     : mu * N < fast / gT ? NSD_ONE_CONTACT_SLIP
                                          : NSD_ONE_CONTACT_STICK;
    REQUIRE(answer.mode == mode, "seed %d: mode %d, not %d", k, answer.mode, mode);
    if (mode == NSD_ONE_CONTACT_SLIP) {
      REQUIRE(hypot(answer.slip[0] - cos(angle), answer.slip[1] - sin(angle)) <= 16.0 * DBL_EPSILON,
              "seed %d", k);
    }
  }
}
END_TEST

/* Maximal dissipation, directly: of all forces in the ellipse under the load that was found, none takes more
 * power from ξ_T. */
START_TEST(an_ellipse_dissipates_the_most)
{
  const int cases = random_cases(20000);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    cone_problem p;
    nsd_one_contact_answer answer;
    cone_random(&random, k % 2 ? CONE_TAME : CONE_SKEW, &p);
    nsd_one_contact_law law = coulomb(any_mu(&random));
    const double turn = random_between(&random, 0.0, 6.283185307179586);
    law.axis[0] = cos(turn);
    law.axis[1] = sin(turn);
    law.aspect = random_scale(&random, 1.0);
    ck_assert_int_eq(solve(&p, &law, &answer), NSD_ONE_CONTACT_SOLVED);
    double xi[3];
    const double scale = cone_velocity(&p, answer.Lambda, xi), a = law.mu * answer.Lambda[0],
                 b = a * law.aspect;
    const double power = xi[1] * answer.Lambda[1] + xi[2] * answer.Lambda[2];
    for (int i = 0; i < 60; i++) {
      const double at = 0.1047197551196598 * (i + random_unit(&random)), u = a * cos(at), v = b * sin(at);
      const double x = law.axis[0] * u - law.axis[1] * v, y = law.axis[1] * u + law.axis[0] * v;
      REQUIRE(power <= xi[1] * x + xi[2] * y + 1e-13 * scale * (a + b), "seed %d: %g, not %g", k, power,
              xi[1] * x + xi[2] * y);
    }
    const cone_bound bound = bound_of(&law, answer.Lambda);
    REQUIRE(cone_miss(&p, &bound, answer.Lambda) <= 1e-12, "seed %d: %g", k,
            cone_miss(&p, &bound, answer.Lambda));
    if (answer.mode == NSD_ONE_CONTACT_SLIP) {
      const double speed = hypot(xi[1], xi[2]);
      REQUIRE(hypot(answer.slip[0] * speed - xi[1], answer.slip[1] * speed - xi[2]) <= 1e-12 * scale,
              "seed %d", k);
    }
  }
}
END_TEST

START_TEST(a_given_bound_holds_open_or_closed)
{
  int open = 0;
  const int cases = random_cases(60000);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    cone_problem p;
    nsd_one_contact_answer answer;
    const int kind = k % CONE_CLASSES;
    cone_random(&random, kind, &p);
    nsd_one_contact_law law = coulomb(0.0);
    law.friction = NSD_FRICTION_GIVEN;
    law.kind = random_below(&random, 3) ? NSDYN_CONTACT_UNILATERAL : NSDYN_CONTACT_BILATERAL;
    law.bound = random_below(&random, 8)
                    ? random_scale(&random, 1.0) * hypot(p.c[1], p.c[2]) / (p.G[4] + p.G[8])
                    : 0.0;
    law.aspect = random_below(&random, 2) ? 1.0 : random_scale(&random, 0.5);
    const int outcome = solve(&p, &law, &answer);
    REQUIRE(outcome == NSD_ONE_CONTACT_SOLVED, "seed %d, class %d: outcome %d", k, kind, outcome);
    const cone_bound bound = bound_of(&law, answer.Lambda);
    const double miss = cone_miss(&p, &bound, answer.Lambda);
    REQUIRE(miss <= 10.0 * tolerance[kind], "seed %d, class %d: misses by %g", k, kind, miss);
    open += answer.mode == NSD_ONE_CONTACT_OPEN;
  }
  ck_assert(open > cases / 10);
}
END_TEST

/* A brake: its normal row is zero, and so is Λ_N; it slides where it would have to give more than it may. */
START_TEST(a_brake_has_no_normal)
{
  const int cases = random_cases(2000);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    cone_problem p;
    nsd_one_contact_answer answer;
    cone_random(&random, CONE_TAME, &p);
    for (int i = 0; i < 3; i++) {
      p.G[i] = p.G[3 * i] = 0.0;
    }
    p.c[0] = 0.0;
    nsd_one_contact_law law = coulomb(0.0);
    law.friction = NSD_FRICTION_GIVEN;
    law.kind = k % 2 ? NSDYN_CONTACT_UNILATERAL : NSDYN_CONTACT_BILATERAL;
    law.bound = random_scale(&random, 1.0) * hypot(p.c[1], p.c[2]) / (p.G[4] + p.G[8]);
    law.aspect = random_below(&random, 2) ? 1.0 : random_scale(&random, 0.5);
    REQUIRE(solve(&p, &law, &answer) == NSD_ONE_CONTACT_SOLVED && answer.Lambda[0] == 0.0, "seed %d", k);
    const cone_bound bound = bound_of(&law, answer.Lambda);
    REQUIRE(cone_miss(&p, &bound, answer.Lambda) <= 1e-12, "seed %d: misses by %g", k,
            cone_miss(&p, &bound, answer.Lambda));
    law.sliding = 1;
    law.slip[0] = 0.6;
    law.slip[1] = 0.8;
    REQUIRE(solve(&p, &law, &answer) == NSD_ONE_CONTACT_SOLVED && answer.Lambda[0] == 0.0, "seed %d", k);
    const double out = (0.6 * answer.Lambda[1] + 0.8 * answer.Lambda[2]) / law.bound;
    REQUIRE(fabs(out + hypot(0.6, 0.8 * law.aspect)) <= 1e-14 * (1.0 + law.aspect), "seed %d", k);
    p.c[0] = -1.0; /* nothing can open what approaches */
    law.sliding = 0;
    REQUIRE(solve(&p, &law, &answer) == NSD_ONE_CONTACT_NONE, "seed %d", k);
  }
}
END_TEST

/* On acceleration level: Λ_T = −μ Λ_N d, and nothing asked of ξ_T. Where p = G_NN − μ G_NT·d <= 0 and the
 * contact is pressed together there is no answer (Painlevé). */
START_TEST(a_known_direction_leaves_one_row)
{
  int none = 0;
  const int cases = random_cases(40000);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    cone_problem p;
    nsd_one_contact_answer answer;
    cone_random(&random, CONE_TAME, &p);
    nsd_one_contact_law law = coulomb(10.0 * random_unit(&random));
    const double at = random_between(&random, 0.0, 6.283185307179586);
    law.sliding = 1;
    law.slip[0] = cos(at);
    law.slip[1] = sin(at);
    law.aspect = random_below(&random, 2) ? 1.0 : random_scale(&random, 0.5);
    law.friction = random_below(&random, 4) ? NSD_FRICTION_LOAD : NSD_FRICTION_GIVEN;
    law.bound = law.friction == NSD_FRICTION_GIVEN ? random_unit(&random) : 0.0;
    law.mu = law.friction == NSD_FRICTION_GIVEN ? 0.0 : law.mu;
    const int outcome = solve(&p, &law, &answer);
    /* the support point of the unit set against d */
    const double u = law.slip[0], v = law.aspect * law.aspect * law.slip[1];
    const double norm = sqrt(law.slip[0] * law.slip[0] + law.aspect * law.aspect * law.slip[1] * law.slip[1]);
    const double x[2] = {-u / norm, -v / norm};
    const double slope = p.G[0] + law.mu * (p.G[1] * x[0] + p.G[2] * x[1]);
    const double rest = p.c[0] + law.bound * (p.G[1] * x[0] + p.G[2] * x[1]);
    const double N = rest >= 0.0 ? 0.0 : -rest / slope;
    if (N < 0.0) {
      REQUIRE(outcome == NSD_ONE_CONTACT_NONE, "seed %d", k);
      none++;
      continue;
    }
    REQUIRE(outcome == NSD_ONE_CONTACT_SOLVED, "seed %d", k);
    const double size = law.mu * N + law.bound, tol = 1e-12 * (N + size) * (1.0 + fabs(1.0 / slope));
    REQUIRE(fabs(answer.Lambda[0] - N) <= tol, "seed %d: %g, not %g", k, answer.Lambda[0], N);
    REQUIRE(hypot(answer.Lambda[1] - size * x[0], answer.Lambda[2] - size * x[1]) <= 10.0 * tol, "seed %d",
            k);
  }
  ck_assert_int_gt(none, cases / 20);
}
END_TEST

START_TEST(what_has_no_answer_is_said)
{
  nsd_one_contact_answer answer;
  const nsd_one_contact_law law = coulomb(0.5);
  /* nothing moves the normal */
  const cone_problem held = {.G = {0, 0, 0, 0, 1, 0, 0, 0, 1}, .c = {-1, 0, 0}};
  ck_assert_int_eq(solve(&held, &law, &answer), NSD_ONE_CONTACT_NONE);
  const cone_problem leaves = {.G = {0, 0, 0, 0, 1, 0, 0, 0, 1}, .c = {1, 2, 3}};
  ck_assert_int_eq(solve(&leaves, &law, &answer), NSD_ONE_CONTACT_SOLVED);
  ck_assert(answer.mode == NSD_ONE_CONTACT_OPEN && answer.Lambda[1] == 0.0 && answer.xi[2] == 3.0);
  /* all zero */
  const cone_problem zero = {.G = {0}, .c = {0, 0, 0}};
  ck_assert_int_eq(solve(&zero, &law, &answer), NSD_ONE_CONTACT_SOLVED);
  /* a wheel that is pressed on by its own friction, with no energy in G: found or not, never wrong */
  const int cases = random_cases(20000);
  int solved = 0;
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    cone_problem p;
    for (int i = 0; i < 9; i++) {
      p.G[i] = random_normal(&random);
      p.c[i / 3] = random_normal(&random);
    }
    p.G[4] = fabs(p.G[4]) + fabs(p.G[0]); /* a positive trace for the judge */
    const nsd_one_contact_law any = coulomb(any_mu(&random));
    if (solve(&p, &any, &answer) == NSD_ONE_CONTACT_SOLVED && p.G[0] + p.G[4] + p.G[8] > 0.1) {
      const cone_bound bound = bound_of(&any, answer.Lambda);
      REQUIRE(cone_miss(&p, &bound, answer.Lambda) <= 1e-9, "seed %d: %g", k,
              cone_miss(&p, &bound, answer.Lambda));
      solved++;
    }
  }
  ck_assert_int_gt(solved, cases / 3);
}
END_TEST

/* The same problem in other units of mass and speed gives the same bits. */
START_TEST(units_do_not_matter)
{
  const int cases = random_cases(20000);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    cone_problem p, q;
    nsd_one_contact_answer one, other;
    cone_random(&random, k % CONE_CLASSES, &p);
    const double mass = ldexp(1.0, random_below(&random, 200) - 100),
                 speed = ldexp(1.0, random_below(&random, 200) - 100);
    for (int i = 0; i < 9; i++) {
      q.G[i] = p.G[i] / mass;
      q.c[i / 3] = p.c[i / 3] * speed;
    }
    const nsd_one_contact_law law = coulomb(any_mu(&random));
    REQUIRE(solve(&p, &law, &one) == solve(&q, &law, &other), "seed %d", k);
    for (int i = 0; i < 3; i++) {
      REQUIRE(other.Lambda[i] == one.Lambda[i] * mass * speed, "seed %d: %d", k, i);
    }
  }
}
END_TEST

/* Friction whose impulses have squares that underflow: in closed form where G has no elements beside its
 * diagonal, and where nothing of ξ feels friction, against b = c_T − G_TN c_N / G_NN. */
START_TEST(friction_that_squares_to_nothing_is_solved)
{
  const int cases = random_cases(20000);
  int met[2] = {0, 0};
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    const double little = ldexp(random_between(&random, 0.1, 1.0), -530 - random_below(&random, 470));
    const int is_diagonal = random_below(&random, 2),
              is_given = !is_diagonal && random_below(&random, 3) == 0;
    cone_problem p;
    cone_random(&random, 0, &p);
    p.c[0] = -fabs(p.c[0]);
    nsd_one_contact_law law = coulomb(little);
    for (int i = 0; is_diagonal && i < 9; i++) {
      p.G[i] = i == 0 ? p.G[0] : i % 4 ? 0.0 : p.G[4];
    }
    const double n = -p.c[0] / p.G[0];
    if (is_given) {
      law.friction = NSD_FRICTION_GIVEN;
      law.mu = 0.0;
      law.bound = little;
    }
    const double limit = is_given ? little : little * n;
    for (int i = 1; is_diagonal && i < 3; i++) { /* sizes at which it may hold */
      p.c[i] *= little;
    }
    const double b[2] = {p.c[1] + p.G[3] * n, p.c[2] + p.G[6] * n}, speed = hypot(b[0], b[1]);
    const double T = is_diagonal ? fmin(limit, speed / p.G[4]) : limit;
    nsd_one_contact_answer answer;
    ck_assert_int_eq(solve(&p, &law, &answer), NSD_ONE_CONTACT_SOLVED);
    const double off = hypot(answer.Lambda[1] + T * (b[0] / speed), answer.Lambda[2] + T * (b[1] / speed));
    REQUIRE(fabs(answer.Lambda[0] - n) <= 1e-14 * n && off <= 1e-13 * T,
            "seed %d: N %g of %g, T off by %g of %g", k, answer.Lambda[0], n, off, T);
    REQUIRE(answer.mode == (T < limit ? NSD_ONE_CONTACT_STICK : NSD_ONE_CONTACT_SLIP), "seed %d", k);
    REQUIRE(T < limit || hypot(answer.slip[0] - b[0] / speed, answer.slip[1] - b[1] / speed) <= 1e-13,
            "seed %d", k);
    met[T < limit]++;
  }
  ck_assert(is_common(met[0], cases, 10) && is_common(met[1], cases, 10));
}
END_TEST

SUITE("contact/space/one_contact", TEST(every_class_is_solved), TEST(a_sphere_in_closed_form),
      TEST(an_ellipse_dissipates_the_most), TEST(a_given_bound_holds_open_or_closed),
      TEST(a_brake_has_no_normal), TEST(a_known_direction_leaves_one_row), TEST(what_has_no_answer_is_said),
      TEST(units_do_not_matter), TEST(friction_that_squares_to_nothing_is_solved))
