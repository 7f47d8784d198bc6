/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "trees.h"

/* The scale of errors in row k: in the metric of M that of the largest row. */
static trees_real size_of(const trees_reference *r, int n, int k)
{
  trees_real largest = 0.0L;
  for (int i = 0; i < n; i++) {
    largest = fmaxl(largest, r->h_size[i] / sqrtl(r->M[i][i]));
  }
  return sqrtl(r->M[k][k]) * largest;
}

/* h, M x and M u̇ − h against bodies one by one, whose velocities and accelerations are differences. */
START_TEST(forces_of_random_trees)
{
  const int cases = random_cases(200);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    trees_model m;
    double q[TREES_NQ], u[TREES_NU], h[TREES_NU], x[TREES_NU], y[TREES_NU], tau[TREES_NU];
    trees_make(&m, &random, trees_size(k), 0);
    trees_state(&m, &random, q, u);
    trees_reference *r = trees_solve(&m, q, u);
    for (int i = 0; i < m.nu; i++) {
      x[i] = random_normal(&random);
    }
    REQUIRE(nsdyn_tree_set_state(m.tree, q, u) == NSDYN_OK);
    REQUIRE(nsdyn_tree_force(m.tree, h) == NSDYN_OK);
    REQUIRE(nsdyn_tree_multiply_mass(m.tree, x, y) == NSDYN_OK);
    memcpy(tau, x, sizeof tau);
    REQUIRE(nsdyn_tree_inverse_dynamics(m.tree, tau, tau) == NSDYN_OK);
    for (int i = 0; i < m.nu; i++) {
      trees_real sum = 0.0L, size = 0.0L;
      for (int j = 0; j < m.nu; j++) {
        sum += r->M[i][j] * x[j];
        size += sqrtl(r->M[i][i] * r->M[j][j]) * fabsl((trees_real)x[j]);
      }
      const trees_real of_h = size_of(r, m.nu, i);
      REQUIRE(fabsl(h[i] - r->h[i]) <= trees_tolerance() * of_h, "case %d, h[%d]: %.3Le of %.3Le", k, i,
              fabsl(h[i] - r->h[i]), of_h);
      REQUIRE(fabsl(y[i] - sum) <= trees_tolerance() * size, "case %d, M x, row %d", k, i);
      REQUIRE(fabsl(tau[i] - (sum - r->h[i])) <= trees_tolerance() * (size + of_h), "case %d, τ[%d]", k, i);
    }
    free(r);
    trees_free(&m);
  }
}
END_TEST

/* Gravity alone, of bodies at rest: h = −∂V/∂q, from energies by differences along each velocity. */
START_TEST(gravity_is_the_slope_of_potential)
{
  const int cases = random_cases(60);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    trees_model m;
    double q[TREES_NQ], u[TREES_NU], h[TREES_NU], to[TREES_NQ], one[TREES_NU] = {0.0};
    trees_make(&m, &random, trees_size(k), 0);
    trees_state(&m, &random, q, u);
    REQUIRE(nsdyn_tree_set_state(m.tree, q, NULL) == NSDYN_OK);
    REQUIRE(nsdyn_tree_force(m.tree, h) == NSDYN_OK);
    for (int i = 0; i < m.nu; i++) {
      nsdyn_tree_totals low = {.size = sizeof low}, high = {.size = sizeof high};
      const double step = 1e-5;
      one[i] = 1.0;
      nsdyn_tree_retract(m.tree, q, one, step, to);
      nsdyn_tree_set_state(m.tree, to, NULL);
      nsdyn_tree_measure(m.tree, &high);
      nsdyn_tree_retract(m.tree, q, one, -step, to);
      nsdyn_tree_set_state(m.tree, to, NULL);
      nsdyn_tree_measure(m.tree, &low);
      one[i] = 0.0;
      const double slope = (high.potential - low.potential) / (2.0 * step);
      REQUIRE(fabs(h[i] + slope) <= 1e-6 * (10.0 * high.mass + fabs(slope)), "case %d, h[%d]: %g, %g", k, i,
              h[i], slope);
    }
    trees_free(&m);
  }
}
END_TEST

START_TEST(refused)
{
  const double none[3] = {0.0};
  trees_model m;
  double x = 0.0;
  trees_begin(&m, none);
  ck_assert_int_eq(nsdyn_tree_set_state(m.tree, &x, NULL), NSDYN_OK); /* a tree without bodies */
  ck_assert_int_eq(nsdyn_tree_force(m.tree, &x), NSDYN_OK);
  ck_assert_int_eq(nsdyn_tree_force(m.tree, NULL), NSDYN_ERR_ARGUMENT);
  ck_assert_str_eq(nsdyn_tree_message(m.tree), "nsdyn_tree_force: argument 1 is NULL");
  ck_assert_int_eq(nsdyn_tree_force(NULL, &x), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_tree_inverse_dynamics(m.tree, &x, NULL), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_tree_inverse_dynamics(m.tree, NULL, &x), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_tree_multiply_mass(m.tree, NULL, &x), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_tree_multiply_mass(m.tree, &x, NULL), NSDYN_ERR_ARGUMENT);
  trees_free(&m);
}
END_TEST

SUITE("multibody/newton_euler", TEST(forces_of_random_trees), TEST(gravity_is_the_slope_of_potential),
      TEST(refused))
