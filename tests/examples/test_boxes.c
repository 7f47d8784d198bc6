/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Boxes that touch: gaps known beforehand, gaps that change as the points' velocities say, and none that is
 * missed. */
#include "common/boxes.h"

#include <math.h>
#include <nsdyn/nsdyn.h>
#include <string.h>

#include "common/bodies.h"
#include "suite.h"
#include "support/random.h"

static void draw(random_state *random, double far, double *q, double *half)
{
  double length = 0.0;
  for (int k = 0; k < 3; k++) {
    q[k] = far * random_normal(random);
    half[k] = random_between(random, 0.5, 1.5);
  }
  for (int k = 3; k < 7; k++) {
    q[k] = random_normal(random);
    length += q[k] * q[k];
  }
  for (int k = 3; k < 7; k++) {
    q[k] /= sqrt(length);
  }
}

static box box_at(const double *q, const double *half)
{
  return (box){.q = q, .half = {half[0], half[1], half[2]}};
}

/* n·(velocity of the first's point − that of the second's) with u = (v, ω in the body's axes). */
static double rate(const box_touch *t, int i, const box *b, const double u[2][6])
{
  double sum = 0.0;
  for (int side = 0; side < 2; side++) {
    double omega[3], arm[3], turns[3];
    nsdyn_quaternion_rotate(b[side].q + 3, u[side] + 3, omega);
    for (int k = 0; k < 3; k++) {
      arm[k] = t->on[i][side][k] - b[side].q[k];
    }
    vector_cross(omega, arm, turns);
    for (int k = 0; k < 3; k++) {
      sum += (side ? -1.0 : 1.0) * t->n[i][k] * (u[side][k] + turns[k]);
    }
  }
  return sum;
}

START_TEST(gaps_change_as_their_points_move)
{
  int seen = 0;
  for (int k = 0; k < random_cases(4000); k++) {
    random_state random = random_seed((uint64_t)k);
    double q[2][7], moved[2][7], half[2][3], u[2][6];
    const double dt = 1e-5;
    box b[2], then[2];
    for (int side = 0; side < 2; side++) {
      draw(&random, 0.7, q[side], half[side]);
      for (int j = 0; j < 6; j++) {
        u[side][j] = random_normal(&random);
      }
      for (int j = 0; j < 3; j++) {
        moved[side][j] = q[side][j] + dt * u[side][j];
      }
      nsdyn_quaternion_retract_body(q[side] + 3, u[side] + 3, dt, moved[side] + 3);
      b[side] = box_at(q[side], half[side]);
      then[side] = box_at(moved[side], half[side]);
    }
    box_touch t, later;
    box_touches_box(&b[0], &b[1], 0.1, &t);
    box_touches_box(&then[0], &then[1], 0.1, &later);
    for (int i = 0; i < t.count; i++) {
      ck_assert(t.id[i] >= 0 && t.id[i] < BOX_IDS && t.gap[i] <= 0.1);
      for (int j = 0; j < i; j++) {
        ck_assert_int_ne(t.id[i], t.id[j]);
      }
      for (int j = 0; j < later.count; j++) {
        if (later.id[j] == t.id[i]) {
          const double wanted = rate(&t, i, b, (const double(*)[6])u), is = (later.gap[j] - t.gap[i]) / dt;
          /* Edges that are nearly parallel turn fast. */
          REQUIRE(fabs(is - wanted) <= 0.02 * (1.0 + fabs(wanted)), "seed %d, point %d: %g for %g", k,
                  t.id[i], is, wanted);
          seen++;
        }
      }
    }
  }
  ck_assert(is_common(seen, random_cases(4000), 4));
}
END_TEST

/* Two boxes overlap where a corner of one is in the other: then something touches, with a negative gap. And
 * where a plane is between them nothing has one. */
START_TEST(overlaps_are_seen_and_no_others)
{
  int inside = 0, apart = 0;
  for (int k = 0; k < random_cases(4000); k++) {
    random_state random = random_seed((uint64_t)k);
    double q[2][7], half[2][3], least = INFINITY;
    box b[2];
    for (int side = 0; side < 2; side++) {
      draw(&random, 1.0, q[side], half[side]);
      b[side] = box_at(q[side], half[side]);
    }
    int overlap = 0;
    double between[3];
    for (int k2 = 0; k2 < 3; k2++) {
      between[k2] = q[1][k2] - q[0][k2];
    }
    double far[2] = {-INFINITY, INFINITY};
    for (int i = 0; i < 16; i++) {
      const int side = i / 8;
      double corner[3], away[3], own[3];
      box_corner(&b[side], i % 8, corner);
      for (int j = 0; j < 3; j++) {
        away[j] = corner[j] - b[!side].q[j];
      }
      nsdyn_quaternion_rotate_back(b[!side].q + 3, away, own);
      overlap |=
          fabs(own[0]) < half[!side][0] && fabs(own[1]) < half[!side][1] && fabs(own[2]) < half[!side][2];
      const double along = corner[0] * between[0] + corner[1] * between[1] + corner[2] * between[2];
      far[side] = side ? fmin(far[side], along) : fmax(far[side], along);
    }
    box_touch t;
    box_touches_box(&b[0], &b[1], 0.0, &t);
    for (int i = 0; i < t.count; i++) {
      least = fmin(least, t.gap[i]);
    }
    inside += overlap;
    apart += far[0] < far[1];
    REQUIRE(!overlap || t.count > 0, "seed %d: missed", k);
    REQUIRE(far[0] >= far[1] || t.count == 0, "seed %d: %g", k, least);
  }
  ck_assert(is_common(inside, random_cases(4000), 40) && is_common(apart, random_cases(4000), 40));
}
END_TEST

/* Face on face, turned by an angle: all gaps are the distance; and a corner above a face. */
START_TEST(boxes_on_each_other_have_the_gap_between_their_faces)
{
  for (int k = 0; k < random_cases(500); k++) {
    random_state random = random_seed((uint64_t)k);
    const double angle = random_between(&random, 0.1, 1.4), gap = random_between(&random, -0.05, 0.05);
    const double below[7] = {0, 0, 0, 1, 0, 0, 0};
    const double above[7] = {0.1, -0.1, 1.0 + gap, cos(0.5 * angle), 0, 0, sin(0.5 * angle)};
    const double half[3] = {1.0, 0.9, 0.5};
    const box b[2] = {box_at(below, half), box_at(above, half)};
    box_touch t;
    box_touches_box(&b[0], &b[1], 0.1, &t);
    ck_assert_int_ge(t.count, 4);
    for (int i = 0; i < t.count; i++) {
      ck_assert_double_eq_tol(t.gap[i], gap, 1e-12);
      ck_assert_double_eq_tol(t.n[i][2], -1.0, 1e-12);
      ck_assert_double_eq_tol(t.on[i][0][2] + gap, t.on[i][1][2], 1e-12);
    }
    /* A sphere above. */
    box_touches_sphere(&b[0], (double[3]){0.2, 0.3, 0.5 + 0.25 + gap}, 0.25, 0.1, &t);
    ck_assert_int_eq(t.count, 1);
    ck_assert_double_eq_tol(t.gap[0], gap, 1e-14);
    /* Beside an edge: (0.3, 0.4) from it. */
    box_touches_sphere(&b[0], (double[3]){1.3, 0.0, 0.9}, 0.45, 0.1, &t);
    ck_assert_double_eq_tol(t.gap[0], 0.05, 1e-14);
    ck_assert_double_eq_tol(t.n[0][0], -0.6, 1e-14);
  }
}
END_TEST

SUITE("examples/boxes", TEST(gaps_change_as_their_points_move), TEST(overlaps_are_seen_and_no_others),
      TEST(boxes_on_each_other_have_the_gap_between_their_faces))
