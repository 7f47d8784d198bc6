/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Accelerations with a contact in space: friction against γ_T, and against γ̇_T where sliding begins. */
#include "event/internal.h"

#include "event_space.h"

/* A point that slides under load F: m v̇ = F − μ N v/|v|. */
START_TEST(friction_acts_against_the_velocity)
{
  const int cases = random_cases(200);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    body b = {.mass = random_between(&r, 0.1, 5.0)};
    for (int i = 0; i < 3; i++) {
      b.load[i] = i < 2 ? random_between(&r, -3.0, 3.0) : -random_between(&r, 0.1, 5.0);
    }
    const double mu = random_between(&r, 0.0, 2.0);
    driven s = body_scene(&b, space_law(mu, 0.0, 0.0));
    const double q[3] = {0.0}, u[3] = {random_between(&r, -1.0, 1.0), random_between(&r, -1.0, 1.0), 0.0};
    scene_drive(&s, 0.0, q, u);
    scene_advance(&s, 0.0);
    const double speed = sqrt(u[0] * u[0] + u[1] * u[1]), *a = nsdyn_event_driver_a(s.driver);
    for (int i = 0; i < 2; i++) {
      const double wanted = (b.load[i] + mu * b.load[2] * u[i] / speed) / b.mass;
      REQUIRE(fabs(a[i] - wanted) <= 1e-12 * (1.0 + fabs(wanted)), "seed %d: %g, not %g", k, a[i], wanted);
    }
    REQUIRE(fabs(a[2]) <= 1e-13, "seed %d", k);
    scene_end(&s);
  }
}
END_TEST

/* It begins to slide under an ellipse of friction: γ̇_T = α e, α > 0, and λ_T is where −e points farthest. */
START_TEST(friction_acts_against_the_acceleration_where_sliding_begins)
{
  const int cases = random_cases(200);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    const double m = random_between(&r, 0.1, 5.0), angle = random_between(&r, 0.0, 6.28);
    body b = {.mass = m, .load = {2.0 * cos(angle), 2.0 * sin(angle), -1.0}};
    nsdyn_contact_law law = space_law(random_between(&r, 0.1, 0.9), 0.0, 0.0);
    law.aspect = random_between(&r, 0.4, 2.0);
    law.angle = random_between(&r, -3.0, 3.0);
    driven s = body_scene(&b, law);
    const double q[3] = {0.0}, u[3] = {0.0};
    scene_drive(&s, 0.0, q, u);
    scene_advance(&s, 0.0);
    const double *a = nsdyn_event_driver_a(s.driver), alpha = sqrt(a[0] * a[0] + a[1] * a[1]);
    const nsdyn_contact_state c = contact_of(&s, 0);
    ck_assert_int_eq(c.mode, NSDYN_MODE_SLIP);
    /* Along the axes of the ellipse: (e_1, aspect² e_2) μ N / √(e_1² + aspect² e_2²), against e. */
    const double x = cos(law.angle), y = sin(law.angle);
    const double e[2] = {(x * a[0] + y * a[1]) / alpha, (x * a[1] - y * a[0]) / alpha};
    const double size = law.mu / sqrt(e[0] * e[0] + law.aspect * law.aspect * e[1] * e[1]);
    const double wanted[2] = {-size * e[0], -size * law.aspect * law.aspect * e[1]};
    const double got[2] = {x * c.force[1] + y * c.force[2], x * c.force[2] - y * c.force[1]};
    REQUIRE(fabs(got[0] - wanted[0]) <= 1e-12 && fabs(got[1] - wanted[1]) <= 1e-12,
            "seed %d: (%.15g, %.15g), not (%.15g, %.15g)", k, got[0], got[1], wanted[0], wanted[1]);
    scene_end(&s);
  }
}
END_TEST

/* −e solves γ̇_T across e = 0 as well, with friction along γ̇_T. A step that is taken back may leave it: forces
 * are a function of time and state all the same. */
START_TEST(a_direction_that_was_turned_about_is_not_followed)
{
  const int cases = random_cases(200);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    const double angle = random_between(&r, 0.0, 6.28), q[3] = {0.0}, u[3] = {0.0};
    body b = {.mass = 1.0, .load = {2.0 * cos(angle), 2.0 * sin(angle), -1.0}};
    driven s = body_scene(&b, space_law(random_between(&r, 0.1, 0.9), 0.0, 0.0));
    scene_drive(&s, 0.0, q, u);
    scene_advance(&s, 0.0);
    nsd_acceleration *m = &s.driver->phase.motion;
    double told[3];
    REQUIRE(m->starts[0], "seed %d", k);
    REQUIRE(nsd_acceleration_evaluate(m, 0.0, q, u) == NSDYN_OK, "seed %d", k);
    memcpy(told, m->scene.solution.Lambda, sizeof told);
    const double turn = random_between(&r, 2.0, 4.0), *e = m->scene.problem.spec[0].slip;
    const double turned[2] = {cos(turn) * e[0] - sin(turn) * e[1], sin(turn) * e[0] + cos(turn) * e[1]};
    memcpy(m->scene.problem.spec[0].slip, turned, sizeof turned);
    REQUIRE(nsd_acceleration_evaluate(m, 0.0, q, u) == NSDYN_OK, "seed %d", k);
    for (int i = 0; i < 3; i++) {
      REQUIRE(fabs(m->scene.solution.Lambda[i] - told[i]) <= 1e-12, "seed %d: %g, not %g", k,
              m->scene.solution.Lambda[i], told[i]);
    }
    scene_end(&s);
  }
}
END_TEST

SUITE("event/phase/acceleration_space", TEST(friction_acts_against_the_velocity),
      TEST(friction_acts_against_the_acceleration_where_sliding_begins),
      TEST(a_direction_that_was_turned_about_is_not_followed))
