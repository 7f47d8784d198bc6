/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "system/object.h"
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

/* ---- what the forces do, at random states ---- */

enum { FREE = 3, DRIVEN = FREE, ALL, SPRINGS = 5 };

/* A driven end that goes and turns. */
static int wave(void *user, double t, double *pose, double *rate, double *acceleration)
{
  (void)user;
  pose[0] = 3.0 + sin(2.0 * t);
  pose[1] = 0.3 * t * t;
  pose[2] = 0.7 * cos(t);
  rate[0] = 2.0 * cos(2.0 * t);
  rate[1] = 0.6 * t;
  rate[2] = -0.7 * sin(t);
  acceleration[0] = -4.0 * sin(2.0 * t);
  acceleration[1] = 0.6;
  acceleration[2] = -0.7 * cos(t);
  return 0;
}

/* An anchor, and how fast it is, by where its body's frame is. */
static void anchor_of(const nsdyn_world *world, int32_t body, const double *own, double t, const double *q,
                      const double *u, double *at, double *v)
{
  double pose[3], rate[3];
  GOOD(nsdyn_world_pose(world, body, t, q, u, pose, rate));
  const double x = cos(pose[2]) * own[0] - sin(pose[2]) * own[1],
               y = sin(pose[2]) * own[0] + cos(pose[2]) * own[1];
  at[0] = pose[0] + x;
  at[1] = pose[1] + y;
  at[2] = pose[2];
  v[0] = rate[0] - rate[2] * y;
  v[1] = rate[1] + rate[2] * x;
  v[2] = rate[2];
}

/* Springs with dampers between random points of free bodies, a driven one and the ground, along a line and by
 * angles: h is what a hand computes, and so its power h·u = −Ė − Σ c l̇² + what the driven end brings in;
 * where free bodies alone are tied, forces and moments about the origin add up to nothing. */
START_TEST(power_of_dampers)
{
  const int cases = random_cases(200);
  for (int n = 0; n < cases; n++) {
    random_state random = random_seed((uint64_t)n);
    nsdyn_world *world = floating();
    const int is_alone = n % 3 == 0;
    for (int i = 0; i < ALL; i++) {
      nsdyn_body_def def = worlds_body(0.0, 0.0, 0.0);
      def.kind = i == DRIVEN ? NSDYN_BODY_DRIVEN : NSDYN_BODY_FREE;
      def.motion = wave;
      def.mass = def.inertia = 1.0;
      def.centre[0] = random_between(&random, -0.5, 0.5);
      def.centre[1] = random_between(&random, -0.5, 0.5);
      worlds_add(world, &def);
    }
    nsdyn_spring_def spring[SPRINGS];
    for (int i = 0; i < SPRINGS; i++) {
      nsdyn_spring_def_init(&spring[i], sizeof spring[i]);
      spring[i].kind = random_below(&random, 2);
      spring[i].body[0] = is_alone ? random_below(&random, FREE) : random_below(&random, ALL + 1) - 1;
      do {
        spring[i].body[1] = random_below(&random, FREE);
      } while (spring[i].body[1] == spring[i].body[0]);
      spring[i].stiffness = random_between(&random, 1.0, 20.0);
      spring[i].damping = random_between(&random, 0.1, 5.0);
      spring[i].rest = random_between(&random, 0.0, 2.0);
      for (int k = 0; k < 4; k++) {
        spring[i].anchor[k] = random_between(&random, -1.0, 1.0);
      }
      GOOD(nsdyn_world_add_spring(world, &spring[i], NULL));
    }
    nsdyn_system *sys = worlds_system(world);
    const double t = random_between(&random, 0.0, 3.0), dt = 1e-6;
    double q[3 * FREE], u[3 * FREE], h[3 * FREE] = {0.0}, wanted[3 * FREE] = {0.0}, size = 1.0;
    for (int i = 0; i < 3 * FREE; i++) {
      const int body = i / 3;
      q[i] = random_between(&random, -2.0, 2.0) + 3.0 * body;
      u[i] = random_between(&random, -2.0, 2.0);
    }
    GOOD(sys->def.configure(sys->def.user, t, q));
    GOOD(sys->def.force(sys->def.user, t, q, u, h));
    double lost = 0.0, brought = 0.0;
    for (int i = 0; i < SPRINGS; i++) {
      const nsdyn_spring_def *s = &spring[i];
      double at[2][3], v[2][3];
      for (int k = 0; k < 2; k++) {
        anchor_of(world, s->body[k], s->anchor + 2 * (ptrdiff_t)k, t, q, u, at[k], v[k]);
      }
      const double d[2] = {at[1][0] - at[0][0], at[1][1] - at[0][1]}, l = hypot(d[0], d[1]);
      const int is_turn = s->kind == NSDYN_SPRING_TURN;
      const double along[3] = {is_turn ? 0.0 : d[0] / l, is_turn ? 0.0 : d[1] / l, is_turn};
      double rate = 0.0;
      for (int k = 0; k < 3; k++) {
        rate += along[k] * (v[1][k] - v[0][k]);
      }
      const double longer = (is_turn ? at[1][2] - at[0][2] : l) - s->rest;
      const double force = -s->stiffness * longer - s->damping * rate;
      lost += s->damping * rate * rate;
      size += fabs(force) * (10.0 + fabs(rate));
      for (int k = 0; k < 2; k++) {
        const double sign = k ? force : -force;
        const double f[3] = {sign * along[0], sign * along[1], sign * along[2]};
        const int32_t b = s->body[k];
        if (b >= 0 && b < FREE) {
          wanted[3 * b] += f[0];
          wanted[3 * b + 1] += f[1];
          wanted[3 * b + 2] += f[2] + (at[k][0] - q[3 * b]) * f[1] - (at[k][1] - q[3 * b + 1]) * f[0];
        } else { /* the world pushes back at the driven end, which goes with v */
          brought -= f[0] * v[k][0] + f[1] * v[k][1] + f[2] * v[k][2];
        }
      }
    }
    double power = 0.0, sum[3] = {0.0};
    for (int b = 0; b < FREE; b++) {
      for (int k = 0; k < 3; k++) {
        REQUIRE(fabs(h[3 * b + k] - wanted[3 * b + k]) < 1e-13 * size, "case %d: %d: %g, %g", n, 3 * b + k,
                h[3 * b + k], wanted[3 * b + k]);
        power += h[3 * b + k] * u[3 * b + k];
        sum[k] += h[3 * b + k];
      }
      sum[2] += q[3 * b] * h[3 * b + 1] - q[3 * b + 1] * h[3 * b];
    }
    double stored[2];
    for (int end = 0; end < 2; end++) {
      nsdyn_world_energy energy;
      double moved[3 * FREE];
      nsdyn_world_energy_init(&energy, sizeof energy);
      for (int i = 0; i < 3 * FREE; i++) {
        moved[i] = q[i] + (end ? dt : -dt) * u[i];
      }
      GOOD(nsdyn_world_measure(world, t + (end ? dt : -dt), moved, u, &energy));
      stored[end] = energy.springs;
    }
    const double grows = 0.5 * (stored[1] - stored[0]) / dt;
    REQUIRE(fabs(power - (-grows - lost + brought)) < 1e-7 * size, "case %d: %g, %g", n, power,
            -grows - lost + brought);
    for (int k = 0; k < 3 && is_alone; k++) {
      REQUIRE(fabs(sum[k]) < 1e-13 * size, "case %d: %g", n, sum[k]);
    }
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

SUITE("world/springs", TEST(two_bodies_swing), TEST(springs_keep_energy), TEST(power_of_dampers),
      TEST(springs_that_cannot_be))
