/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "worlds.h"

static nsdyn_world *floating(void)
{
  nsdyn_world *world = NULL;
  nsdyn_world_options options;
  nsdyn_world_options_init(&options, sizeof options);
  options.gravity[1] = 0.0;
  GOOD(nsdyn_world_new(NULL, &options, &world, NULL));
  return world;
}

/* Two bodies on a spring: they swing against each other with √(k/μ), μ the reduced mass, and a damper takes
 * e^(−δt); momentum is kept. */
START_TEST(two_bodies_swing)
{
  const double k = 40.0, c = 1.5, m[2] = {1.0, 3.0}, reduced = 0.75, angle = 0.4;
  nsdyn_world *world = floating();
  int32_t body[2];
  for (int i = 0; i < 2; i++) {
    nsdyn_body_def def = worlds_body(2.0 * i * cos(angle), 2.0 * i * sin(angle), 0.3);
    def.mass = m[i];
    def.inertia = 0.2;
    body[i] = worlds_add(world, &def);
  }
  nsdyn_spring_def spring;
  nsdyn_spring_def_init(&spring, sizeof spring);
  memcpy(spring.body, body, sizeof body);
  spring.stiffness = k;
  spring.damping = c;
  spring.rest = 1.5;
  GOOD(nsdyn_world_add_spring(world, &spring, NULL));
  nsdyn_system *sys = worlds_system(world);
  nsdyn_event_driver *driver = worlds_driver(world, sys);
  ck_assert_msg(nsdyn_event_driver_advance(driver, 0.8) == NSDYN_OK, "%s",
                nsdyn_event_driver_message(driver));
  const double delta = 0.5 * c / reduced, omega = sqrt(k / reduced - delta * delta);
  const double x = exp(-delta * 0.8) * 0.5 * (cos(omega * 0.8) + delta / omega * sin(omega * 0.8));
  const double *q = nsdyn_event_driver_q(driver), *u = nsdyn_event_driver_u(driver);
  ck_assert_msg(fabs(hypot(q[3] - q[0], q[4] - q[1]) - 1.5 - x) < 1e-7, "%g",
                hypot(q[3] - q[0], q[4] - q[1]) - 1.5 - x);
  ck_assert(fabs(m[0] * u[0] + m[1] * u[3]) < 1e-10 && fabs(m[0] * u[1] + m[1] * u[4]) < 1e-10);
  nsdyn_event_driver_free(driver);
  nsdyn_system_free(sys);
  nsdyn_world_free(world);
}
END_TEST

/* A torsion spring; and springs off the centre keep energy and angular momentum. */
START_TEST(springs_keep_energy)
{
  const int cases = random_cases(20);
  for (int n = 0; n < cases; n++) {
    random_state random = random_seed((uint64_t)n);
    nsdyn_world *world = floating();
    double m[3], J[3];
    for (int i = 0; i < 3; i++) {
      nsdyn_body_def def =
          worlds_body(random_between(&random, -1.0, 1.0), 2.0 * i, random_between(&random, -1.0, 1.0));
      def.mass = m[i] = random_between(&random, 0.5, 2.0);
      def.inertia = J[i] = random_between(&random, 0.1, 1.0);
      for (int k = 0; k < 3; k++) {
        def.velocity[k] = random_between(&random, -1.0, 1.0);
      }
      worlds_add(world, &def);
    }
    for (int i = 0; i < 4; i++) {
      nsdyn_spring_def spring;
      nsdyn_spring_def_init(&spring, sizeof spring);
      spring.kind = i == 3;
      spring.body[0] = i % 3;
      spring.body[1] = (i + 1) % 3;
      spring.stiffness = random_between(&random, 1.0, 20.0);
      for (int k = 0; k < 4; k++) {
        spring.anchor[k] = random_between(&random, -0.4, 0.4);
      }
      GOOD(nsdyn_world_add_spring(world, &spring, NULL));
    }
    nsdyn_system *sys = worlds_system(world);
    nsdyn_event_driver *driver = worlds_driver(world, sys);
    double energy[2], momentum[2] = {0.0, 0.0};
    for (int end = 0; end < 2; end++) {
      REQUIRE(!end || nsdyn_event_driver_advance(driver, 4.0) == NSDYN_OK, "%s",
              nsdyn_event_driver_message(driver));
      const double *q = nsdyn_event_driver_q(driver), *u = nsdyn_event_driver_u(driver);
      energy[end] = worlds_energy(world, 0.0, q, u);
      for (int i = 0; i < 3; i++) {
        momentum[end] += m[i] * (q[3 * i] * u[3 * i + 1] - q[3 * i + 1] * u[3 * i]) + J[i] * u[3 * i + 2];
      }
    }
    REQUIRE(fabs(energy[1] - energy[0]) < 1e-6 * fabs(energy[0]), "case %d: %g", n, energy[1] - energy[0]);
    REQUIRE(fabs(momentum[1] - momentum[0]) < 1e-8, "case %d: %g", n, momentum[1] - momentum[0]);
    nsdyn_event_driver_free(driver);
    nsdyn_system_free(sys);
    nsdyn_world_free(world);
  }
}
END_TEST

START_TEST(springs_that_cannot_be)
{
  nsdyn_world *world = worlds_new(0.0);
  nsdyn_body_def def = worlds_body(0.0, 0.0, 0.0);
  def.mass = def.inertia = 1.0;
  nsdyn_spring_def good, bad;
  nsdyn_spring_def_init(&good, sizeof good);
  good.body[1] = worlds_add(world, &def);
  good.name = "coil";
#define REFUSED(change, words)                                                                               \
  bad = good;                                                                                                \
  change;                                                                                                    \
  ck_assert_int_ne(nsdyn_world_add_spring(world, &bad, NULL), NSDYN_OK);                                     \
  ck_assert_msg(strstr(nsdyn_world_message(world), "spring 0 (coil): " words), "%s",                         \
                nsdyn_world_message(world))
  REFUSED(bad.kind = 2, "kind");
  REFUSED(bad.stiffness = -1.0, "stiffness");
  REFUSED(bad.stiffness = NAN, "stiffness");
  REFUSED(bad.damping = INFINITY, "damping");
  REFUSED(bad.rest = -1.0, "rest");
  REFUSED(bad.anchor[2] = NAN, "anchor");
  REFUSED(bad.body[0] = 3, "there is no body 3");
  REFUSED(bad.reserved = 1, "reserved: 1 is not 0");
#undef REFUSED
  /* Anchors in one place: no direction, no force. */
  good.stiffness = 1.0;
  good.rest = 1.0;
  GOOD(nsdyn_world_add_spring(world, &good, NULL));
  nsdyn_system *sys = worlds_system(world);
  nsdyn_stepper *stepper = worlds_stepper(world, sys);
  GOOD(nsdyn_stepper_step(stepper, 1e-3));
  nsdyn_stepper_free(stepper);
  nsdyn_system_free(sys);
  ck_assert_int_eq(nsdyn_spring_def_init(NULL, 8), NSDYN_ERR_ARGUMENT);
  nsdyn_world_free(world);
}
END_TEST

SUITE("world/springs", TEST(two_bodies_swing), TEST(springs_keep_energy), TEST(springs_that_cannot_be))
