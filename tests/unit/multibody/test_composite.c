/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "trees.h"

/* M against Σ Jᵀ diag(m, I) J of bodies one by one, with J by differences. */
START_TEST(mass_of_random_trees)
{
  const int cases = random_cases(200);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    trees_model m;
    double q[TREES_NQ], u[TREES_NU], M[TREES_NU * TREES_NU];
    trees_make(&m, &random, trees_size(k), 0);
    trees_state(&m, &random, q, u);
    trees_reference *r = trees_solve(&m, q, u);
    REQUIRE(nsdyn_tree_set_state(m.tree, q, u) == NSDYN_OK);
    REQUIRE(nsdyn_tree_mass(m.tree, M) == NSDYN_OK);
    for (int i = 0; i < m.nu; i++) {
      for (int j = 0; j < m.nu; j++) {
        const trees_real error = fabsl(M[i * m.nu + j] - r->M[i][j]), size = sqrtl(r->M[i][i] * r->M[j][j]);
        REQUIRE(error <= trees_tolerance() * size, "case %d, M[%d][%d]: %.3Le of %.3Le", k, i, j, error,
                size);
        REQUIRE(M[i * m.nu + j] == M[j * m.nu + i], "case %d", k);
      }
    }
    free(r);
    trees_free(&m);
  }
}
END_TEST

/* A double pendulum of rods of length a and b: the closed form of any textbook. */
START_TEST(double_pendulum)
{
  const int cases = random_cases(1000);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    const double a = random_scale(&random, 1.0), b = random_scale(&random, 1.0),
                 m = random_scale(&random, 1.0), n = random_scale(&random, 1.0),
                 g = random_scale(&random, 1.0), gravity[3] = {0.0, 0.0, -g};
    const double q[2] = {random_between(&random, -4.0, 4.0), random_between(&random, -4.0, 4.0)};
    const double u[2] = {random_normal(&random), random_normal(&random)};
    double M[4], h[2];
    trees_model tree;
    trees_begin(&tree, gravity);
    for (int i = 0; i < 2; i++) {
      const double length = i ? b : a, mass = i ? n : m;
      nsdyn_tree_body rod;
      nsdyn_tree_body_init(&rod, sizeof rod);
      rod.parent = i - 1;
      rod.joint = NSDYN_TREE_REVOLUTE;
      rod.axis[1] = 3.0;
      rod.axis[2] = 0.0;
      rod.joint_place[2] = i ? -a : 0.0;
      rod.mass = mass;
      rod.centre[2] = -0.5 * length;
      rod.inertia[0] = rod.inertia[1] = mass * length * length / 12.0;
      trees_add(&tree, &rod);
    }
    ck_assert_int_eq(nsdyn_tree_set_state(tree.tree, q, u), NSDYN_OK);
    ck_assert_int_eq(nsdyn_tree_mass(tree.tree, M), NSDYN_OK);
    ck_assert_int_eq(nsdyn_tree_force(tree.tree, h), NSDYN_OK);
    /* in absolute angles φ, ψ: A φ̈ + C cos(ψ − φ) ψ̈ …; u = (φ̇, ψ̇ − φ̇), q = (φ, ψ − φ) */
    const double A = m * a * a / 3.0 + n * a * a, B = n * b * b / 3.0, C = 0.5 * n * a * b;
    const double c = cos(q[1]), s = sin(q[1]), w = u[0] + u[1];
    const double on_phi = C * s * w * w - g * a * (0.5 * m + n) * sin(q[0]);
    const double on_psi = -C * s * u[0] * u[0] - 0.5 * g * b * n * sin(q[0] + q[1]);
    const double expected[4] = {A + B + 2.0 * C * c, B + C * c, B + C * c, B}, size = A + B + C;
    for (int i = 0; i < 4; i++) {
      REQUIRE(fabs(M[i] - expected[i]) <= 1e-13 * size, "case %d, M %d: %g, %g", k, i, M[i], expected[i]);
    }
    const double forces = C * (w * w + u[0] * u[0]) + g * (a * (m + n) + b * n);
    REQUIRE(fabs(h[0] - (on_phi + on_psi)) <= 1e-13 * forces, "case %d: %g, %g", k, h[0], on_phi + on_psi);
    REQUIRE(fabs(h[1] - on_psi) <= 1e-13 * forces, "case %d: %g, %g", k, h[1], on_psi);
    trees_free(&tree);
  }
}
END_TEST

SUITE("multibody/composite", TEST(mass_of_random_trees), TEST(double_pendulum))
