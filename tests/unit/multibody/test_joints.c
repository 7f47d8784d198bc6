/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "multibody/joints.h"

#include <stdio.h>

#include "trees.h"

START_TEST(types)
{
  for (int kind = 0; kind < TREES_KINDS; kind++) {
    ck_assert_int_eq(nsd_joint_type_of(kind)->nq, trees_nq[kind]);
    ck_assert_int_eq(nsd_joint_type_of(kind)->nu, trees_nu[kind]);
  }
  ck_assert_str_eq(nsd_joint_type_of(NSDYN_TREE_FREE)->name, "free");
}
END_TEST

/* Lengths of axes and norms of quaternions do not matter. */
START_TEST(directions_alone_count)
{
  const int cases = random_cases(500);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    const double none[3] = {0.0};
    double q[7], M[2][36];
    trees_model m;
    nsdyn_tree_body b = trees_body(&random, 1 + k % (TREES_KINDS - 1), -1);
    for (int i = 0; i < 7; i++) {
      q[i] = random_between(&random, -1.0, 1.0);
    }
    for (int round = 0; round < 2; round++) {
      trees_begin(&m, none);
      trees_add(&m, &b);
      REQUIRE(nsdyn_tree_set_state(m.tree, q, NULL) == NSDYN_OK);
      REQUIRE(nsdyn_tree_mass(m.tree, M[round]) == NSDYN_OK);
      const double scale[4] = {ldexp(1.0, random_below(&random, 400) - 200), random_scale(&random, 50.0),
                               random_scale(&random, 50.0), -random_scale(&random, 50.0)};
      for (int i = 0; i < 4; i++) {
        b.axis[i % 3] *= i < 3 ? scale[0] : 1.0;
        b.second[i % 3] *= i < 3 ? scale[1] : 1.0;
        b.joint_turn[i] *= scale[2];
        b.own_turn[i] *= scale[3];
      }
      if (round == 0) {
        trees_free(&m);
      }
    }
    for (int i = 0; i < m.nu * m.nu; i++) {
      const double size = sqrt(M[0][i / m.nu * (m.nu + 1)] * M[0][i % m.nu * (m.nu + 1)]);
      REQUIRE(fabs(M[0][i] - M[1][i]) <= 1e-13 * size, "case %d", k);
    }
    trees_free(&m);
  }
}
END_TEST

/* Bodies that are fixed to one another are one body: the same M and h as of one that is cut in pieces. */
START_TEST(fixed_bodies_are_one)
{
  const int cases = random_cases(200);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    const double gravity[3] = {1.0, 2.0, -9.81};
    double q[7], u[6], M[2][36], h[2][6];
    trees_model whole, parts;
    trees_begin(&whole, gravity);
    trees_begin(&parts, gravity);
    nsdyn_tree_body b = trees_body(&random, 1 + k % (TREES_KINDS - 1), -1);
    const double m1 = random_between(&random, 0.1, 1.0), m2 = random_between(&random, 0.1, 1.0);
    double c1[3], c2[3];
    trees_vector(&random, 1.0, c1);
    trees_vector(&random, 1.0, c2);
    /* two points */
    b.mass = m1;
    memcpy(b.centre, c1, sizeof c1);
    memset(b.inertia, 0, sizeof b.inertia);
    trees_add(&parts, &b);
    nsdyn_tree_body tip = trees_body(&random, NSDYN_TREE_FIXED, 0);
    tip.mass = m2;
    memset(tip.inertia, 0, sizeof tip.inertia);
    memset(tip.centre, 0, sizeof tip.centre);
    memset(tip.own_place, 0, sizeof tip.own_place);
    memcpy(tip.joint_place, c2, sizeof c2);
    trees_add(&parts, &tip);
    /* about their common centre: the reduced mass at their distance */
    const double reduced = m1 * m2 / (m1 + m2), d[3] = {c2[0] - c1[0], c2[1] - c1[1], c2[2] - c1[2]};
    const double square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
    b.mass = m1 + m2;
    for (int i = 0; i < 3; i++) {
      b.centre[i] = (m1 * c1[i] + m2 * c2[i]) / (m1 + m2);
      b.inertia[i] = reduced * (square - d[i] * d[i]);
    }
    b.inertia[3] = -reduced * d[0] * d[1];
    b.inertia[4] = -reduced * d[0] * d[2];
    b.inertia[5] = -reduced * d[1] * d[2];
    trees_add(&whole, &b);
    trees_state(&whole, &random, q, u);
    trees_model *both[2] = {&whole, &parts};
    for (int i = 0; i < 2; i++) {
      REQUIRE(nsdyn_tree_set_state(both[i]->tree, q, u) == NSDYN_OK);
      REQUIRE(nsdyn_tree_mass(both[i]->tree, M[i]) == NSDYN_OK && !nsdyn_tree_force(both[i]->tree, h[i]));
    }
    const int n = whole.nu;
    for (int i = 0; i < n * n; i++) {
      REQUIRE(fabs(M[0][i] - M[1][i]) <= 1e-13 * sqrt(M[0][i / n * (n + 1)] * M[0][i % n * (n + 1)]),
              "case %d", k);
    }
    for (int i = 0; i < n; i++) {
      REQUIRE(fabs(h[0][i] - h[1][i]) <= 1e-12 * 20.0 * (1.0 + sqrt(M[0][i * (n + 1)])), "case %d", k);
    }
    trees_free(&whole);
    trees_free(&parts);
  }
}
END_TEST

/* What is wrong, and the words for it. */
START_TEST(refused)
{
  static const struct {
    size_t offset;
    double value;
    int joint;
    nsdyn_status status;
    const char *message;
  } cases[] = {
      {offsetof(nsdyn_tree_body, axis[2]), NAN, 1, NSDYN_ERR_NOT_FINITE, "body 0 (arm): axis is not finite"},
      {offsetof(nsdyn_tree_body, axis[2]), 0.0, 1, NSDYN_ERR_ARGUMENT,
       "body 0 (arm), revolute joint: axis is zero, so it has no direction"},
      {offsetof(nsdyn_tree_body, second[0]), 0.0, 5, NSDYN_ERR_ARGUMENT,
       "body 0 (arm), universal joint: second is zero, so it has no direction"},
      {offsetof(nsdyn_tree_body, second[2]), 1e12, 5, NSDYN_ERR_ARGUMENT,
       "body 0 (arm), universal joint: second has the direction of axis"},
      {offsetof(nsdyn_tree_body, second[2]), 0.1, 6, NSDYN_ERR_ARGUMENT,
       "body 0 (arm), planar joint: second is not at right angles to axis"},
      {offsetof(nsdyn_tree_body, joint_turn[0]), 0.0, 2, NSDYN_ERR_ARGUMENT,
       "body 0 (arm), prismatic joint: joint_turn is zero, so it is no rotation"},
      {offsetof(nsdyn_tree_body, own_turn[0]), 0.0, 0, NSDYN_ERR_ARGUMENT,
       "body 0 (arm), fixed joint: own_turn is zero, so it is no rotation"},
      {offsetof(nsdyn_tree_body, own_turn[3]), INFINITY, 0, NSDYN_ERR_NOT_FINITE,
       "body 0 (arm): own_turn is not finite"},
      {offsetof(nsdyn_tree_body, pitch), 1e77, 3, NSDYN_ERR_NOT_FINITE, "body 0 (arm): pitch is not finite"},
      {offsetof(nsdyn_tree_body, mass), -1e-9, 0, NSDYN_ERR_ARGUMENT, "body 0 (arm): mass is negative"},
      {offsetof(nsdyn_tree_body, inertia[1]), 2.001, 0, NSDYN_ERR_ARGUMENT,
       "body 0 (arm): inertia is that of no mass: a moment is negative, or larger than the two others "
       "together"},
      {offsetof(nsdyn_tree_body, inertia[0]), -0.1, 0, NSDYN_ERR_ARGUMENT,
       "body 0 (arm): inertia is that of no mass: a moment is negative, or larger than the two others "
       "together"},
      {offsetof(nsdyn_tree_body, inertia[5]), 0.6, 0, NSDYN_ERR_ARGUMENT,
       "body 0 (arm): inertia is that of no mass: a moment is negative, or larger than the two others "
       "together"},
  };
  nsdyn_tree *tree = NULL;
  ck_assert_int_eq(nsdyn_tree_new(NULL, NULL, &tree, NULL), NSDYN_OK);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    nsdyn_tree_body b;
    char expected[256];
    nsdyn_tree_body_init(&b, sizeof b);
    b.name = "arm";
    b.inertia[0] = b.inertia[1] = b.inertia[2] = 1.0;
    b.joint = cases[i].joint;
    *(double *)((char *)&b + cases[i].offset) = cases[i].value;
    int32_t number = -5;
    ck_assert_int_eq(nsdyn_tree_add(tree, &b, &number), cases[i].status);
    (void)snprintf(expected, sizeof expected, "nsdyn_tree_add: %s", cases[i].message);
    ck_assert_str_eq(nsdyn_tree_message(tree), expected);
    ck_assert_int_eq(number, -5);
    nsdyn_detail detail = {.size = sizeof detail};
    nsdyn_tree_detail(tree, &detail);
    ck_assert_int_eq(detail.kind, NSDYN_DETAIL_FIELD);
    ck_assert_int_eq(nsdyn_tree_bodies(tree), 0);
  }
  nsdyn_tree_body b;
  nsdyn_tree_body_init(&b, sizeof b);
  b.parent = 0;
  ck_assert_int_eq(nsdyn_tree_add(tree, &b, NULL), NSDYN_ERR_ARGUMENT);
  ck_assert_str_eq(nsdyn_tree_message(tree),
                   "nsdyn_tree_add: body 0: parent is 0; there is only the world, -1");
  b.parent = -1;
  b.joint = 9;
  ck_assert_int_eq(nsdyn_tree_add(tree, &b, NULL), NSDYN_ERR_ARGUMENT);
  b.joint = NSDYN_TREE_FREE;
  /* within nine digits of the triangle's inequality, but with a negative energy about an axis near z */
  const double bent[6] = {1.0, 1.0, 1e-10, 0.0, 3e-5, 0.0};
  memcpy(b.inertia, bent, sizeof b.inertia);
  ck_assert_int_eq(nsdyn_tree_add(tree, &b, NULL), NSDYN_ERR_ARGUMENT);
  /* rods, plates and points are inertias, with the rounding of nine digits too */
  const double fine[4][6] = {{1.0, 1.0, 0.0}, {1.0, 2.0, 3.0}, {0.0}, {1.000000001, 1.0, 2.000000002}};
  for (int i = 0; i < 4; i++) {
    memcpy(b.inertia, fine[i], sizeof b.inertia);
    ck_assert_int_eq(nsdyn_tree_add(tree, &b, NULL), NSDYN_OK);
  }
  nsdyn_tree_free(tree);
}
END_TEST

SUITE("multibody/joints", TEST(types), TEST(directions_alone_count), TEST(fixed_bodies_are_one),
      TEST(refused))
