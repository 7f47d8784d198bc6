/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "multibody/articulated.h"

#include "trees.h"

/* L Lᵀ = M in long double, over its lower half. */
static void factor(int n, trees_real (*M)[TREES_NU])
{
  for (int i = 0; i < n; i++) {
    for (int j = 0; j <= i; j++) {
      for (int k = 0; k < j; k++) {
        M[i][j] -= M[i][k] * M[j][k];
      }
      M[i][j] = i == j ? sqrtl(M[i][i]) : M[i][j] / M[j][j];
    }
  }
}

static void forward(int n, trees_real (*L)[TREES_NU], trees_real *x)
{
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < i; j++) {
      x[i] -= L[i][j] * x[j];
    }
    x[i] /= L[i][i];
  }
}

/* u̇ = M⁻¹ (h + τ) and X M⁻¹, judged by M x of the reference: Σ |M_ij x_j| is what a row is judged by. */
static void residual(const trees_reference *r, int n, const double *x, const trees_real *b,
                     const trees_real *size_b, int k)
{
  for (int i = 0; i < n; i++) {
    trees_real left = b[i], size = size_b[i];
    for (int j = 0; j < n; j++) {
      left -= r->M[i][j] * x[j];
      size += sqrtl(r->M[i][i] * r->M[j][j]) * fabsl((trees_real)x[j]);
    }
    REQUIRE(fabsl(left) <= trees_tolerance() * size, "case %d, row %d: %.3Le of %.3Le", k, i, fabsl(left),
            size);
  }
}

START_TEST(accelerations_of_random_trees)
{
  const int cases = random_cases(200);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    trees_model m;
    double q[TREES_NQ], u[TREES_NU], tau[TREES_NU], udot[TREES_NU], X[2 * TREES_NU], again[TREES_NU];
    trees_real b[TREES_NU], size[TREES_NU];
    trees_make(&m, &random, trees_size(k), 0);
    trees_state(&m, &random, q, u);
    trees_reference *r = trees_solve(&m, q, u);
    for (int i = 0; i < m.nu; i++) {
      tau[i] = 10.0 * random_normal(&random);
      b[i] = r->h[i] + tau[i];
      size[i] = r->h_size[i] + fabsl((trees_real)tau[i]);
    }
    REQUIRE(nsdyn_tree_set_state(m.tree, q, u) == NSDYN_OK);
    REQUIRE(nsdyn_tree_accelerations(m.tree, tau, udot) == NSDYN_OK);
    residual(r, m.nu, udot, b, size, k);
    /* and back: inverse dynamics gives τ */
    REQUIRE(nsdyn_tree_inverse_dynamics(m.tree, udot, again) == NSDYN_OK);
    for (int i = 0; i < m.nu; i++) {
      trees_real scale = size[i];
      for (int j = 0; j < m.nu; j++) {
        scale += sqrtl(r->M[i][i] * r->M[j][j]) * fabsl((trees_real)udot[j]);
      }
      REQUIRE(fabsl((trees_real)again[i] - tau[i]) <= trees_tolerance() * scale, "case %d, τ[%d]", k, i);
    }
    for (int i = 0; i < 2 * m.nu; i++) {
      X[i] = random_normal(&random);
    }
    for (int row = 0; row < 2; row++) {
      double x[TREES_NU];
      for (int i = 0; i < m.nu; i++) {
        b[i] = X[row * m.nu + i];
        size[i] = fabsl(b[i]);
        x[i] = X[row * m.nu + i];
      }
      REQUIRE(nsdyn_tree_solve_mass(m.tree, 1, x) == NSDYN_OK);
      residual(r, m.nu, x, b, size, k);
    }
    REQUIRE(nsdyn_tree_accelerations(m.tree, NULL, udot) == NSDYN_OK);
    for (int i = 0; i < m.nu; i++) {
      b[i] = r->h[i];
      size[i] = r->h_size[i];
    }
    residual(r, m.nu, udot, b, size, k);
    free(r);
    trees_free(&m);
  }
}
END_TEST

/* G = W M⁻¹ Wᵀ of Jacobians of points, against L⁻¹ Wᵀ of the reference's M. */
START_TEST(delassus_of_random_trees)
{
  enum { ROWS = 9 };
  const int cases = random_cases(200);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    trees_model m;
    double q[TREES_NQ], u[TREES_NU], J[6 * TREES_NU], W[ROWS * TREES_NU], G[ROWS * ROWS];
    trees_real V[ROWS][TREES_NU];
    trees_make(&m, &random, trees_size(k), 0);
    trees_state(&m, &random, q, u);
    trees_reference *r = trees_solve(&m, q, u);
    REQUIRE(nsdyn_tree_set_state(m.tree, q, u) == NSDYN_OK);
    for (int c = 0; c < ROWS / 3; c++) { /* points of one body each, seen from a point of another */
      double point[3];
      trees_vector(&random, 1.0, point);
      REQUIRE(nsdyn_tree_jacobian(m.tree, random_below(&random, m.bodies), point, J) == NSDYN_OK);
      memcpy(W + 3 * c * m.nu, J, 3 * (size_t)m.nu * sizeof *J);
      REQUIRE(nsdyn_tree_jacobian(m.tree, random_below(&random, m.bodies + 1) - 1, point, J) == NSDYN_OK);
      for (int i = 0; i < 3 * m.nu; i++) {
        W[3 * c * m.nu + i] -= J[i];
      }
    }
    factor(m.nu, r->M);
    for (int i = 0; i < ROWS; i++) {
      for (int j = 0; j < m.nu; j++) {
        V[i][j] = W[i * m.nu + j];
      }
      forward(m.nu, r->M, V[i]);
    }
    REQUIRE(nsdyn_tree_delassus(m.tree, ROWS, W, G) == NSDYN_OK);
    for (int i = 0; i < ROWS; i++) {
      for (int j = 0; j < ROWS; j++) {
        trees_real g = 0.0L, gii = 0.0L, gjj = 0.0L, x = 0.0L;
        for (int l = 0; l < m.nu; l++) {
          g += V[i][l] * V[j][l];
          gii += V[i][l] * V[i][l];
          gjj += V[j][l] * V[j][l];
          x += (trees_real)W[i * m.nu + l] * W[j * m.nu + l];
        }
        /* conditions of M up to 1e6 come in: 1e-10 of the diagonal */
        REQUIRE(fabsl(G[i * ROWS + j] - g) <= 1e-10L * sqrtl(gii * gjj), "case %d: %.3Le of %.3Le", k,
                fabsl(G[i * ROWS + j] - g), sqrtl(gii * gjj));
        REQUIRE(fabsl(G[i * ROWS + j] - x) <= 1e-14L * sqrtl(gii * gjj), "case %d: G = X Xᵀ", k);
        REQUIRE(G[i * ROWS + j] == G[j * ROWS + i], "case %d", k);
      }
    }
    free(r);
    trees_free(&m);
  }
}
END_TEST

/* A floating system without forces: Σ m a = 0, and the moment of all m a and İ ω about the origin is zero. */
START_TEST(momentum_stays)
{
  const int cases = random_cases(120);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    trees_model m;
    double q[TREES_NQ], u[TREES_NU], udot[TREES_NU], J[6 * TREES_NU];
    trees_make(&m, &random, 6 + trees_size(k) % 54, 1);
    trees_state(&m, &random, q, u);
    trees_reference *r = trees_solve(&m, q, u);
    trees_real f[3] = {0.0L}, n[3] = {0.0L}, size_f = 0.0L, size_n = 0.0L;
    REQUIRE(nsdyn_tree_set_state(m.tree, q, u) == NSDYN_OK);
    REQUIRE(nsdyn_tree_accelerations(m.tree, NULL, udot) == NSDYN_OK);
    for (int b = 0; b < m.bodies; b++) {
      nsdyn_tree_motion at = {.size = sizeof at};
      trees_real a[6], terms[6], x[3], w[3], L[3], gyro[3], t[3];
      REQUIRE(nsdyn_tree_point(m.tree, b, m.body[b].centre, &at) == NSDYN_OK);
      REQUIRE(nsdyn_tree_jacobian(m.tree, b, m.body[b].centre, J) == NSDYN_OK);
      for (int i = 0; i < 6; i++) {
        a[i] = i < 3 ? at.bias[i] : at.alpha[i - 3];
        terms[i] = fabsl(a[i]);
        for (int j = 0; j < m.nu; j++) {
          a[i] += (trees_real)J[i * m.nu + j] * udot[j];
          terms[i] += fabsl((trees_real)J[i * m.nu + j] * udot[j]);
        }
      }
      for (int i = 0; i < 3; i++) {
        x[i] = at.place[i];
        w[i] = at.omega[i];
      }
      trees_spin(r, &m, b, w, L);
      trees_cross(w, L, gyro);
      trees_spin(r, &m, b, a + 3, L);
      trees_cross(x, a, t);
      for (int i = 0; i < 3; i++) {
        f[i] += m.body[b].mass * a[i];
        n[i] += m.body[b].mass * t[i] + L[i] + gyro[i];
        size_f += m.body[b].mass * terms[i];
        size_n += m.body[b].mass * (1.0L + fabsl(x[i])) * (terms[i] + terms[3 + i]) + fabsl(gyro[i]);
      }
    }
    for (int i = 0; i < 3; i++) {
      REQUIRE(fabsl(f[i]) <= trees_tolerance() * size_f, "case %d: force %.3Le of %.3Le", k, f[i], size_f);
      REQUIRE(fabsl(n[i]) <= trees_tolerance() * size_n, "case %d: moment %.3Le of %.3Le", k, n[i], size_n);
    }
    free(r);
    trees_free(&m);
  }
}
END_TEST

/* Joints that move no mass, by name; and bodies without mass that are on the way to others. */
START_TEST(massless)
{
  const double none[3] = {0.0};
  double q[2] = {0.4, 1.0}, x[2] = {1.0, 2.0}, G = 5.0;
  trees_model m;
  nsdyn_tree_body arm, hand;
  nsdyn_tree_body_init(&arm, sizeof arm);
  nsdyn_tree_body_init(&hand, sizeof hand);
  arm.joint = hand.joint = NSDYN_TREE_REVOLUTE;
  hand.name = "hand";
  hand.parent = 0;
  hand.joint_place[0] = 0.7;
  hand.mass = 1.0;
  for (int turned = 0; turned < 2; turned++) { /* a point on the second axis: where it is no arm to it */
    trees_begin(&m, none);
    arm.axis[0] = hand.axis[0] = turned ? 0.3 : 0.0;
    trees_add(&m, &arm);
    trees_add(&m, &hand);
    ck_assert_int_eq(nsdyn_tree_set_state(m.tree, q, NULL), NSDYN_OK);
    ck_assert_int_eq(nsdyn_tree_solve_mass(m.tree, 1, x), NSDYN_ERR_NOT_DEFINITE);
    ck_assert_str_eq(nsdyn_tree_message(m.tree), "nsdyn_tree_solve_mass: the joint of body 1 (hand) moves no "
                                                 "mass with its velocity u[1]");
    ck_assert(x[0] == 1.0 && x[1] == 2.0);
    ck_assert_int_eq(nsdyn_tree_accelerations(m.tree, NULL, x), NSDYN_ERR_NOT_DEFINITE);
    ck_assert_int_eq(nsdyn_tree_delassus(m.tree, 1, x, &G), NSDYN_ERR_NOT_DEFINITE);
    ck_assert(x[0] == 1.0 && x[1] == 2.0 && G == 5.0);
    trees_free(&m);
  }
  const int cases = random_cases(500);
  /* an arm of two equal parts, folded back: the point at its end is on the first axis, but for rounding */
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    const double length = random_scale(&random, 20.0);
    double y[2] = {1.0, 2.0};
    nsdyn_tree_body upper, fore;
    nsdyn_tree_body_init(&upper, sizeof upper);
    nsdyn_tree_body_init(&fore, sizeof fore);
    upper.joint = fore.joint = NSDYN_TREE_REVOLUTE;
    fore.parent = 0;
    fore.joint_place[0] = fore.centre[0] = length;
    fore.mass = random_scale(&random, 20.0);
    q[0] = random_between(&random, -3.0, 3.0);
    q[1] = k % 2 ? acos(-1.0) : -acos(-1.0);
    trees_begin(&m, none);
    trees_add(&m, &upper);
    trees_add(&m, &fore);
    ck_assert_int_eq(nsdyn_tree_set_state(m.tree, q, NULL), NSDYN_OK);
    REQUIRE(nsdyn_tree_solve_mass(m.tree, 1, y) == NSDYN_ERR_NOT_DEFINITE, "case %d: %g, %g", k, y[0], y[1]);
    trees_free(&m);
  }
  /* two arms on the same axis: the one cannot be told from the other, but for rounding */
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    const nsdyn_tree_body first = trees_body(&random, NSDYN_TREE_REVOLUTE, -1);
    nsdyn_tree_body light = first, second = first;
    light.mass = 0.0;
    memset(light.inertia, 0, sizeof light.inertia);
    second.parent = 0;
    memcpy(second.joint_place, first.own_place, sizeof second.joint_place);
    memcpy(second.joint_turn, first.own_turn, sizeof second.joint_turn);
    q[0] = random_between(&random, -3.0, 3.0);
    q[1] = random_between(&random, -3.0, 3.0);
    trees_begin(&m, none);
    trees_add(&m, &light);
    trees_add(&m, &second);
    ck_assert_int_eq(nsdyn_tree_set_state(m.tree, q, NULL), NSDYN_OK);
    REQUIRE(nsdyn_tree_solve_mass(m.tree, 1, x) == NSDYN_ERR_NOT_DEFINITE, "case %d", k);
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
  ck_assert_int_eq(nsdyn_tree_solve_mass(m.tree, 1, &x), NSDYN_ERR_ARGUMENT); /* no state */
  ck_assert_int_eq(nsdyn_tree_set_state(m.tree, &x, &x), NSDYN_OK);
  ck_assert_int_eq(nsd_tree_factor(m.tree, "test"), NSDYN_OK);
  ck_assert_int_eq(nsdyn_tree_solve_mass(m.tree, 3, &x), NSDYN_OK);
  ck_assert_int_eq(nsdyn_tree_solve_mass(m.tree, -1, &x), NSDYN_ERR_ARGUMENT);
  ck_assert_str_eq(nsdyn_tree_message(m.tree), "nsdyn_tree_solve_mass: nrhs is -1; it must not be negative");
  ck_assert_int_eq(nsdyn_tree_solve_mass(m.tree, 1, NULL), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_tree_accelerations(m.tree, NULL, NULL), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_tree_delassus(m.tree, -1, &x, &x), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_tree_delassus(m.tree, 1, &x, NULL), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_tree_delassus(m.tree, 1, NULL, &x), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_tree_delassus(m.tree, 1, &x, &x), NSDYN_OK);
  trees_free(&m);
}
END_TEST

SUITE("multibody/articulated", TEST(accelerations_of_random_trees), TEST(delassus_of_random_trees),
      TEST(momentum_stays), TEST(massless), TEST(refused))
