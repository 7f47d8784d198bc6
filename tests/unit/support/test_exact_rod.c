/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Painlevé's rod: its kinematics once more, energy, GSL's integrator, and the paradox where theory has it. */
#include "support/exact_rod.h"

#include <math.h>

#include "gsl_ode.h"

static const exact_rod rod = {.m = 1.3, .l = 0.8, .mu = 2.5, .g = 9.81};

static double energy(const exact_rod *p, const exact_rod_state *s)
{
  const double J = p->m * p->l * p->l / 12.0;
  return p->m * (s->u[0] * s->u[0] + s->u[1] * s->u[1]) / 2.0 + J * s->u[2] * s->u[2] / 2.0 +
         p->m * p->g * s->q[1];
}

START_TEST(the_paradox_needs_four_thirds)
{
  double least;
  double most;
  ck_assert_int_eq(exact_rod_paradox(4.0 / 3.0 * (1.0 - 1e-9), &least, &most), 0);
  ck_assert_int_eq(exact_rod_paradox(4.0 / 3.0 * (1.0 + 1e-9), &least, &most), 1);
  ck_assert_double_eq_tol(tan(least), 2.0, 1e-3);
  ck_assert_double_eq_tol(tan(most), 2.0, 1e-3);
  for (int k = 0; k < random_cases(2000); k++) {
    random_state r = random_seed((uint64_t)k);
    exact_rod p = rod;
    p.mu = random_between(&r, 0.5, 5.0);
    const int can = exact_rod_paradox(p.mu, &least, &most);
    const double theta = random_between(&r, 0.01, 3.13);
    const exact_rod_state s = exact_rod_on_table(&p, theta, 0.0, -1.0);
    const exact_one one = exact_rod_contact(&p, &s);
    const double mirrored = acos(-1.0) - theta;
    REQUIRE((exact_one_p(&one, -1) < 0.0) == (can && theta > least && theta < most), "case %d", k);
    REQUIRE((exact_one_p(&one, 1) < 0.0) == (can && mirrored > least && mirrored < most), "case %d", k);
  }
}
END_TEST

/* G and c from what they are: changes of γ under forces and in free flight. */
START_TEST(kinematics_are_derivatives)
{
  for (int k = 0; k < random_cases(500); k++) {
    random_state r = random_seed((uint64_t)k);
    const exact_rod_state s = {.q = {0.3, 1.0, random_between(&r, 0.1, 3.0)},
                               .u = {random_unit(&r), random_unit(&r), random_between(&r, -5.0, 5.0)}};
    const exact_one one = exact_rod_contact(&rod, &s);
    const double h = 1e-5;
    for (int t = 0; t < 2; t++) {
      exact_rod_state pushed = s;
      const double push[2] = {t == 0, t == 1};
      exact_rod_kick(&rod, push, &pushed);
      exact_rod_state before = s;
      exact_rod_state after = s;
      for (int i = 0; i < 3; i++) {
        const double a = i == 1 ? -rod.g : 0.0;
        before.q[i] += -h * s.u[i] + a * h * h / 2.0;
        after.q[i] += h * s.u[i] + a * h * h / 2.0;
        before.u[i] -= h * a;
        after.u[i] += h * a;
      }
      const double rate = (exact_rod_gamma(&rod, &after, t) - exact_rod_gamma(&rod, &before, t)) / (2.0 * h);
      REQUIRE(fabs(rate - one.c[t]) < 1e-6 * (10.0 + fabs(one.c[t])), "c[%d] of case %d", t, k);
      for (int i = 0; i < 2; i++) {
        const double change = exact_rod_gamma(&rod, &pushed, i) - exact_rod_gamma(&rod, &s, i);
        REQUIRE(fabs(change - one.G[i][t]) < 1e-13 * (10.0 + fabs(change)), "G of case %d", k);
      }
      if (t == 0) {
        const double speed = (exact_rod_gap(&rod, &after) - exact_rod_gap(&rod, &before)) / (2.0 * h);
        REQUIRE(fabs(speed - exact_rod_gamma(&rod, &s, 0)) < 1e-7, "gap of case %d", k);
      }
    }
  }
}
END_TEST

/* Sliding with p < 0: no finite force for b < 0, two answers for b > 0. Then only the jam is left: what the
 * impulse problem over a short time τ says goes to it as τ goes to zero. */
START_TEST(the_jam_is_the_only_way_on)
{
  int seen[2] = {0, 0};
  for (int k = 0; k < random_cases(3000); k++) {
    random_state r = random_seed((uint64_t)k);
    const double theta = random_between(&r, 0.05, 1.55);
    const exact_rod_state s =
        exact_rod_on_table(&rod, theta, random_between(&r, -8.0, 8.0), -2.0 * random_unit(&r));
    const exact_one one = exact_rod_contact(&rod, &s);
    const int paradox = exact_one_p(&one, -1) < 0.0;
    double Lambda[2];
    REQUIRE(exact_rod_jam(&rod, &s, Lambda) == paradox, "case %d", k);
    REQUIRE(exact_one_unilateral(&one, -1).count == (!paradox ? 1 : one.c[0] > 0.0 ? 2 : 0), "case %d", k);
    exact_rod_state after = s;
    exact_rod_kick(&rod, Lambda, &after);
    REQUIRE(fabs(exact_rod_gamma(&rod, &after, 0)) < 1e-14, "case %d", k);
    REQUIRE(fabs(exact_rod_gamma(&rod, &after, 1)) < 1e-14, "case %d", k);
    const double lost = -exact_rod_gamma(&rod, &s, 1) * Lambda[1] / 2.0;
    REQUIRE(lost >= 0.0 && fabs(energy(&rod, &s) - energy(&rod, &after) - lost) < 1e-12, "case %d", k);
    if (!paradox || one.c[0] > 0.0) {
      continue;
    }
    seen[one.c[0] > 0.0]++;
    for (double tau = 1e-6; tau > 1e-9; tau /= 10.0) {
      exact_one step = one;
      step.c[0] *= tau;
      step.c[1] = exact_rod_gamma(&rod, &s, 1) + tau * one.c[1];
      const exact_answers all = exact_one_unilateral(&step, 0);
      if (fabs(step.c[1]) < 0.01 || exact_one_p(&one, -1) > -0.05) {
        break; /* at the edge of the paradox other answers take over for finite τ */
      }
      REQUIRE(all.count == 1 && all.answer[0].mode == EXACT_STICK, "case %d", k);
      REQUIRE(fabs(all.answer[0].lambda[0] - Lambda[0]) < 100.0 * tau, "case %d", k);
      REQUIRE(fabs(all.answer[0].lambda[1] - Lambda[1]) < 100.0 * tau, "case %d", k);
    }
  }
  ck_assert_int_ge(seen[0], random_cases(3000) / 20);
}
END_TEST

/* q̈ under the forces of one mode: sign of the slip, 0 for stick. y = (q, u). */
typedef struct table_case {
  exact_rod rod;
  int slip;
} table_case;

static int table_rate(double t, const double y[], double dydt[], void *data)
{
  const table_case *c = data;
  const double s = sin(y[2]);
  const double k = cos(y[2]);
  const double m = c->rod.m;
  const double half = c->rod.l / 2.0;
  const double J = m * c->rod.l * c->rod.l / 12.0;
  /* γ̇_N = 0, and γ̇_T = 0 or T = −slip μ N, with G from M⁻¹ = diag(1/m, 1/m, 1/J) */
  const double nn = 1.0 / m + half * half * k * k / J;
  const double tt = 1.0 / m + half * half * s * s / J;
  const double nt = -half * half * s * k / J;
  const double c_N = half * s * y[5] * y[5] - c->rod.g;
  const double c_T = half * k * y[5] * y[5];
  const double det = nn * tt - nt * nt;
  const double N = c->slip ? -c_N / (nn - c->slip * c->rod.mu * nt) : (nt * c_T - tt * c_N) / det;
  const double T = c->slip ? -c->slip * c->rod.mu * N : (nt * c_N - nn * c_T) / det;
  (void)t;
  for (int i = 0; i < 3; i++) {
    dydt[i] = y[3 + i];
  }
  dydt[3] = T / m;
  dydt[4] = N / m - c->rod.g;
  dydt[5] = half * (T * s - N * k) / J;
  return 0;
}

static void check_against_gsl(const exact_rod_state *from, const exact_rod_state *to, int slip, int seed)
{
  table_case c = {rod, slip};
  double y[6] = {from->q[0], from->q[1], from->q[2], from->u[0], from->u[1], from->u[2]};
  gsl_integrate(table_rate, &c, 6, 0.0, to->t - from->t, 1e-13, y);
  for (int i = 0; i < 3; i++) {
    REQUIRE(fabs(y[i] - to->q[i]) < 1e-9, "q[%d] of case %d: %g", i, seed, y[i] - to->q[i]);
    REQUIRE(fabs(y[3 + i] - to->u[i]) < 1e-8 * (1.0 + fabs(y[3 + i])), "u[%d] of case %d", i, seed);
  }
}

START_TEST(turning_about_the_end)
{
  int ends[6] = {0};
  for (int k = 0; k < random_cases(150); k++) {
    random_state r = random_seed((uint64_t)k);
    const exact_rod_state from =
        exact_rod_on_table(&rod, random_between(&r, 0.5, 2.6), random_between(&r, -3.0, 3.0), 0.0);
    exact_rod_state s = from;
    const exact_rod_end end = exact_rod_turn(&rod, random_between(&r, 0.05, 1.0), &s);
    const exact_one one = exact_rod_contact(&rod, &s);
    const exact_answers all = exact_one_unilateral(&one, 0);
    ends[end]++;
    if (s.t == 0.0) {
      continue; /* sticking was no answer at all */
    }
    check_against_gsl(&from, &s, 0, k);
    REQUIRE(fabs(energy(&rod, &s) - energy(&rod, &from)) < 1e-12 * rod.m * rod.g, "case %d", k);
    const double spin2 = from.u[2] * from.u[2] + 3.0 * rod.g / rod.l * (sin(from.q[2]) - sin(s.q[2]));
    REQUIRE(fabs(s.u[2] * s.u[2] - spin2) < 1e-11 * (1.0 + spin2), "case %d", k);
    REQUIRE(fabs(s.q[0] - rod.l / 2.0 * cos(s.q[2]) - 0.0) < 1e-13, "case %d: the end has moved", k);
    if (end == EXACT_ROD_SLIP) {
      const double limit = rod.mu * all.answer[0].lambda[0];
      REQUIRE(fabs(fabs(all.answer[0].lambda[1]) - limit) < 1e-10 * limit, "case %d", k);
    }
  }
  ck_assert_int_ge(ends[EXACT_ROD_TIME], random_cases(150) / 30);
  ck_assert_int_ge(ends[EXACT_ROD_SLIP], random_cases(150) / 30);
}
END_TEST

/* Regular slides as GSL integrates them in plain time; stops where γ_T = 0; or the singular point, p = b = 0.
 */
START_TEST(sliding)
{
  int ends[6] = {0};
  double least;
  double most;
  exact_rod_paradox(rod.mu, &least, &most);
  for (int k = 0; k < random_cases(300); k++) {
    random_state r = random_seed((uint64_t)k);
    const double sign = k % 2 ? 1.0 : -1.0;
    double theta = random_between(&r, 0.2, 2.9);
    double spin = random_between(&r, -8.0, 8.0);
    if (k % 3 == 0) { /* towards the paradox, and fast */
      theta = sign < 0.0 ? least - 0.1 * random_unit(&r) : acos(-1.0) - least + 0.1 * random_unit(&r);
      spin = -sign * random_between(&r, 3.0, 8.0);
    }
    const exact_rod_state from = exact_rod_on_table(&rod, theta, spin, sign * random_between(&r, 0.1, 4.0));
    const exact_one one = exact_rod_contact(&rod, &from);
    if (exact_one_p(&one, (int)sign) <= 0.01 || one.c[0] >= -0.01) {
      continue;
    }
    exact_rod_state s = from;
    const exact_rod_end end = exact_rod_slide(&rod, random_between(&r, 0.01, 0.5), &s);
    const exact_one last = exact_rod_contact(&rod, &s);
    ends[end]++;
    REQUIRE(fabs(exact_rod_gap(&rod, &s)) < 1e-15 && fabs(exact_rod_gamma(&rod, &s, 0)) < 1e-14, "case %d",
            k);
    REQUIRE(energy(&rod, &s) < energy(&rod, &from), "case %d", k);
    if (end == EXACT_ROD_SINGULAR) {
      const double beyond = sign < 0.0 ? s.q[2] : acos(-1.0) - s.q[2];
      REQUIRE(fabs(beyond - least) < 1e-8, "case %d", k);
      REQUIRE(fabs(last.c[0]) < 0.1 * rod.g, "case %d", k);
      REQUIRE(fabs(exact_one_p(&last, (int)sign)) < 2e-9, "case %d", k);
      REQUIRE(sign * exact_rod_gamma(&rod, &s, 1) > 0.0, "case %d", k);
      continue;
    }
    if (exact_one_p(&last, (int)sign) > 0.05) {
      check_against_gsl(&from, &s, (int)sign, k);
    }
    REQUIRE(end != EXACT_ROD_STOP || fabs(exact_rod_gamma(&rod, &s, 1)) < 1e-14, "case %d", k);
    REQUIRE(end != EXACT_ROD_LIFT || fabs(last.c[0]) < 1e-10, "case %d", k);
  }
  ck_assert_int_ge(ends[EXACT_ROD_TIME], random_cases(300) / 60);
  ck_assert_int_ge(ends[EXACT_ROD_STOP], random_cases(300) / 60);
  ck_assert_int_ge(ends[EXACT_ROD_SINGULAR], random_cases(300) / 60);
}
END_TEST

START_TEST(falling_and_landing)
{
  int stuck = 0;
  for (int k = 0; k < random_cases(500); k++) {
    random_state r = random_seed((uint64_t)k);
    const exact_rod_state from = {.q = {0.0, random_between(&r, 0.5, 1.5), random_between(&r, 0.3, 1.2)},
                                  .u = {0.0, 0.0, random_between(&r, 0.0, 4.0)}};
    exact_rod_state s = from;
    double Lambda[2];
    if (exact_rod_gap(&rod, &from) <= 0.0 || !exact_rod_fall(&rod, 10.0, &s) || s.q[2] > 3.1) {
      continue;
    }
    REQUIRE(fabs(exact_rod_gap(&rod, &s)) < 1e-14 && exact_rod_gamma(&rod, &s, 0) < 0.0, "case %d", k);
    REQUIRE(fabs(energy(&rod, &s) - energy(&rod, &from)) < 1e-13 * energy(&rod, &from), "case %d", k);
    for (int i = 1; i < 50; i++) {
      exact_rod_state early = from;
      REQUIRE(!exact_rod_fall(&rod, s.t * i / 50.0, &early), "case %d: touches earlier", k);
      REQUIRE(exact_rod_gap(&rod, &early) > 0.0, "case %d: is through", k);
    }
    const double before[2] = {exact_rod_gamma(&rod, &s, 0), exact_rod_gamma(&rod, &s, 1)};
    const double had = energy(&rod, &s);
    const int mode = exact_rod_impact(&rod, 0.0, Lambda, &s);
    if (mode < 0) {
      continue; /* three answers: the law does not choose */
    }
    const double after = exact_rod_gamma(&rod, &s, 1);
    REQUIRE(fabs(exact_rod_gamma(&rod, &s, 0)) < 1e-13 && Lambda[0] > 0.0, "case %d", k);
    REQUIRE(mode != EXACT_STICK || fabs(after) < 1e-13, "case %d", k);
    REQUIRE(mode == EXACT_STICK || fabs(Lambda[1] + copysign(rod.mu * Lambda[0], after)) < 1e-12, "case %d",
            k);
    const double work = Lambda[0] * before[0] / 2.0 + Lambda[1] * (before[1] + after) / 2.0;
    REQUIRE(work < 0.0 && fabs(energy(&rod, &s) - had - work) < 1e-12 * had, "case %d", k);
    stuck += mode == EXACT_STICK;
  }
  ck_assert_int_ge(stuck, random_cases(500) / 4);
}
END_TEST

/* For who compares: m = l = 1, μ = 2.5. A slide in the paradox, its jam, and how it goes on; a landing in the
 * paradox, as in Stewart's Fig. 2.4, in which the end comes to rest within the impact. */
START_TEST(known_by_number)
{
  const exact_rod p = {.m = 1.0, .l = 1.0, .mu = 2.5, .g = 9.81};
  exact_rod_state s = exact_rod_on_table(&p, 1.1, 1.0, -2.0);
  double Lambda[2];
  ck_assert_int_eq(exact_rod_jam(&p, &s, Lambda), 1);
  ck_assert_double_eq_tol(Lambda[0], 1.5 * sin(1.1) * cos(1.1), 1e-14); /* (2 · 3 s c)/4 */
  ck_assert_double_eq_tol(Lambda[1], (1.0 + 3.0 * cos(1.1) * cos(1.1)) / 2.0, 1e-14);
  exact_rod_kick(&p, Lambda, &s);
  ck_assert_double_eq_tol(s.u[2], 3.673622080184306, 1e-13);
  ck_assert_int_eq(exact_rod_turn(&p, 5.0, &s), EXACT_ROD_SLIP);
  ck_assert_double_eq_tol(s.t, 0.327960265257507, 1e-12);
  ck_assert_double_eq_tol(s.q[2], 2.226448495676370, 1e-12);
  s = (exact_rod_state){.q = {0.0, 1.0, 0.7}, .u = {0.0, 0.0, 4.0}};
  ck_assert_int_eq(exact_rod_fall(&p, 5.0, &s), 1);
  const exact_one one = exact_rod_contact(&p, &s);
  ck_assert_double_lt(exact_one_p(&one, 1), 0.0);
  ck_assert_double_gt(exact_rod_gamma(&p, &s, 1), 0.0);
  ck_assert_int_eq(exact_rod_impact(&p, 0.0, Lambda, &s), EXACT_STICK);
  ck_assert_double_eq_tol(exact_rod_gamma(&p, &s, 1), 0.0, 1e-14);
}
END_TEST

SUITE("support/exact_rod", TEST(the_paradox_needs_four_thirds), TEST(kinematics_are_derivatives),
      TEST(the_jam_is_the_only_way_on), TEST(turning_about_the_end), TEST(sliding), TEST(falling_and_landing),
      TEST(known_by_number))
