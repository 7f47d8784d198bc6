/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "trees.h"

START_TEST(sums_of_random_trees)
{
  const int cases = random_cases(120);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    trees_model m;
    double q[TREES_NQ], u[TREES_NU], M[TREES_NU * TREES_NU], twice = 0.0;
    nsdyn_tree_totals got = {.size = sizeof got};
    trees_make(&m, &random, trees_size(k), 0);
    trees_state(&m, &random, q, u);
    trees_reference *r = trees_solve(&m, q, u);
    REQUIRE(nsdyn_tree_set_state(m.tree, q, u) == NSDYN_OK);
    REQUIRE(nsdyn_tree_measure(m.tree, &got) == NSDYN_OK);
    REQUIRE(nsdyn_tree_mass(m.tree, M) == NSDYN_OK);
    for (int i = 0; i < m.nu * m.nu; i++) {
      twice += u[i / m.nu] * M[i] * u[i % m.nu];
    }
    const trees_real T = r->kinetic, mass = r->mass, far = 20.0L; /* places are within 20 or so */
    const trees_real fast = sqrtl(2.0L * T * mass), size_V = 20.0L * mass * far;
    REQUIRE(fabsl(got.mass - mass) <= 1e-13L * mass && fabsl(got.kinetic - T) <= trees_tolerance() * T,
            "case %d", k);
    REQUIRE(fabs(got.kinetic - 0.5 * twice) <= 1e-12 * got.kinetic, "case %d", k);
    REQUIRE(fabsl(got.potential - r->potential) <= 1e-13L * size_V, "case %d", k);
    for (int i = 0; i < 3; i++) {
      REQUIRE(fabsl(got.momentum[i] - r->momentum[i]) <= trees_tolerance() * fast, "case %d", k);
      REQUIRE(fabsl(got.angular[i] - r->angular[i]) <= trees_tolerance() * fast * far, "case %d", k);
    }
    trees_real V = 0.0L;
    for (int i = 0; i < 3; i++) {
      V -= mass * m.gravity[i] * got.centre[i];
    }
    REQUIRE(fabsl(V - r->potential) <= 1e-13L * size_V, "case %d: centre", k);
    free(r);
    trees_free(&m);
  }
}
END_TEST

/* One step of the classical Runge–Kutta method; quaternions as any four numbers, then of norm 1. */
static void step(const trees_model *m, double dt, double *q, double *u)
{
  static const double share[4] = {0.0, 0.5, 0.5, 1.0}, weight[4] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
  double dq[TREES_NQ] = {0.0}, du[TREES_NU] = {0.0}, q_new[TREES_NQ], u_new[TREES_NU];
  memcpy(q_new, q, sizeof q_new);
  memcpy(u_new, u, sizeof u_new);
  for (int s = 0; s < 4; s++) {
    double x[TREES_NQ], y[TREES_NU];
    for (int i = 0; i < m->nq; i++) {
      x[i] = q[i] + share[s] * dt * dq[i];
    }
    for (int i = 0; i < m->nu; i++) {
      y[i] = u[i] + share[s] * dt * du[i];
    }
    REQUIRE(nsdyn_tree_set_state(m->tree, x, y) == NSDYN_OK);
    REQUIRE(nsdyn_tree_accelerations(m->tree, NULL, du) == NSDYN_OK);
    REQUIRE(nsdyn_tree_rates(m->tree, x, y, dq) == NSDYN_OK);
    for (int i = 0; i < m->nq; i++) {
      q_new[i] += weight[s] * dt * dq[i];
    }
    for (int i = 0; i < m->nu; i++) {
      u_new[i] += weight[s] * dt * du[i];
    }
  }
  memcpy(u, u_new, sizeof u_new);
  REQUIRE(nsdyn_tree_retract(m->tree, q_new, u, 0.0, q) == NSDYN_OK);
}

/* Long free motions: what they lose of energy, and floating ones of both momenta, falls like Δt⁴ and faster.
 */
START_TEST(long_free_motions)
{
  const int cases = random_cases(12);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    const int floating = k % 2, nu = 6 + trees_size(k) % 12;
    trees_model m;
    double q[TREES_NQ], u[TREES_NU], lost[2][3];
    trees_make(&m, &random, nu, floating);
    trees_state(&m, &random, q, u);
    REQUIRE(nsdyn_tree_retract(m.tree, q, u, 0.0, q) == NSDYN_OK);
    for (int fine = 0; fine < 2; fine++) {
      const int steps = fine ? 12000 : 6000;
      nsdyn_tree_totals before = {.size = sizeof before}, after = {.size = sizeof after};
      double x[TREES_NQ], y[TREES_NU], top = 0.0;
      memcpy(x, q, sizeof x);
      memcpy(y, u, sizeof y);
      REQUIRE(nsdyn_tree_set_state(m.tree, x, y) == NSDYN_OK && !nsdyn_tree_measure(m.tree, &before));
      for (int i = 0; i < steps; i++) {
        step(&m, 4.0 / steps, x, y);
        if (i % 64 == 0 || i == steps - 1) {
          REQUIRE(nsdyn_tree_set_state(m.tree, x, y) == NSDYN_OK && !nsdyn_tree_measure(m.tree, &after));
          top = fmax(top, after.kinetic);
        }
      }
      lost[fine][0] =
          fabs(after.kinetic + after.potential - before.kinetic - before.potential) / (before.kinetic + top);
      lost[fine][1] = lost[fine][2] = 0.0;
      for (int i = 0; floating && i < 3; i++) {
        lost[fine][1] = fmax(lost[fine][1], fabs(after.momentum[i] - before.momentum[i]) /
                                                sqrt(2.0 * before.mass * before.kinetic));
        lost[fine][2] = fmax(lost[fine][2], fabs(after.angular[i] - before.angular[i]) /
                                                sqrt(2.0 * before.mass * before.kinetic));
      }
    }
    for (int i = 0; i < 3; i++) { /* an eighth at least: fourth order, where it is not rounding */
      REQUIRE(lost[1][i] <= fmax(1e-10, 0.125 * lost[0][i]) && lost[0][i] <= 1e-3, "case %d, %d: %g, %g", k,
              i, lost[0][i], lost[1][i]);
    }
    trees_free(&m);
  }
}
END_TEST

START_TEST(nothing_to_sum)
{
  const double none[3] = {0.0};
  trees_model m;
  double x = 0.0;
  nsdyn_tree_totals got = {.size = sizeof got};
  nsdyn_tree_body base;
  trees_begin(&m, none);
  nsdyn_tree_body_init(&base, sizeof base);
  base.mass = 3.0;
  trees_add(&m, &base);
  ck_assert_int_eq(nsdyn_tree_measure(m.tree, &got), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_tree_set_state(m.tree, &x, NULL), NSDYN_OK);
  ck_assert_int_eq(nsdyn_tree_measure(m.tree, &got), NSDYN_OK);
  ck_assert(got.mass == 0.0 && got.centre[0] == 0.0 && got.kinetic == 0.0 && got.potential == 0.0);
  ck_assert_int_eq(nsdyn_tree_measure(m.tree, NULL), NSDYN_ERR_ARGUMENT);
  got.size = 1;
  ck_assert_int_eq(nsdyn_tree_measure(m.tree, &got), NSDYN_ERR_STRUCT_SIZE);
  trees_free(&m);
}
END_TEST

SUITE("multibody/totals", TEST(sums_of_random_trees), TEST(long_free_motions), TEST(nothing_to_sum))
