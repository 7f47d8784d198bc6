/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <string.h>

#include "system/found_contacts.h"
#include "worlds.h"

/* A box slides down a slope with g (sin α − μ cos α), on two touches whose keys stay; by steps and events. */
START_TEST(box_slides_down)
{
  const double angle = 0.6, mu = 0.3, w = 0.4, h = 0.2;
  nsdyn_world *world = worlds_new(mu);
  nsdyn_body_def def = worlds_body(0.5 * h * sin(angle), 0.5 * h * cos(angle), -angle);
  const int32_t body = worlds_add(world, &def), box = worlds_attach(world, body, worlds_box(w, h));
  const int32_t slope = worlds_slope(world, angle);
  nsdyn_system *sys = worlds_system(world);
  nsdyn_event_driver *driver = worlds_driver(world, sys);
  const double a = 9.81 * (sin(angle) - mu * cos(angle));
  ck_assert_msg(nsdyn_event_driver_advance(driver, 1.0) == NSDYN_OK, "%s",
                nsdyn_event_driver_message(driver));
  const double *q = nsdyn_event_driver_q(driver);
  ck_assert_msg(fabs(q[0] - def.pose[0] - 0.5 * a * cos(angle)) < 1e-9, "%g",
                q[0] - def.pose[0] - 0.5 * a * cos(angle));
  ck_assert(fabs(q[2] + angle) < 1e-12);
  ck_assert_int_eq(nsdyn_event_driver_active(driver), 2);
  nsdyn_event_driver_free(driver);
  nsdyn_stepper *stepper = worlds_stepper(world, sys);
  int64_t key[2] = {-1, -1};
  double force = 0.0;
  for (int i = 0; i < 1000; i++) {
    ck_assert_msg(nsdyn_stepper_step(stepper, 1e-3) == NSDYN_OK, "%s", nsdyn_stepper_message(stepper));
    ck_assert_int_eq(nsdyn_stepper_active(stepper), 2);
    force = 0.0;
    for (int c = 0; c < 2; c++) {
      nsdyn_contact_state state = {.size = sizeof state};
      nsdyn_touch touch = {.size = sizeof touch};
      int32_t shapes[2], bodies[2];
      GOOD(nsdyn_stepper_active_contact(stepper, c, &state));
      REQUIRE(i == 0 || state.key == key[c], "step %d: another key", i);
      key[c] = state.key;
      GOOD(nsdyn_world_touch(world, state.key, shapes, bodies, &touch));
      REQUIRE(shapes[0] == box && shapes[1] == slope && bodies[0] == body && bodies[1] == NSDYN_GROUND);
      REQUIRE(touch.kind == NSDYN_TOUCH_VERTEX_EDGE && touch.feature[0] < 2 && touch.feature[1] == 0);
      REQUIRE(nsdyn_world_key(world, box, slope, &touch) == state.key);
      force += state.force[0];
    }
  }
  double m;
  GOOD(nsdyn_world_mass(world, body, &m, NULL, NULL));
  ck_assert_msg(fabs(force - m * 9.81 * cos(angle)) < 1e-9 * m, "%g", force);
  ck_assert(fabs(nsdyn_stepper_u(stepper)[0] - a * cos(angle)) < 1e-9);
  nsdyn_stepper_free(stepper);
  nsdyn_system_free(sys);
  nsdyn_world_free(world);
}
END_TEST

/* A box that falls flat lands on two contacts at once, and stays. */
START_TEST(box_falls_flat)
{
  nsdyn_world *world = worlds_new(0.5);
  nsdyn_body_def def = worlds_body(0.3, 0.6, 0.0);
  worlds_attach(world, worlds_add(world, &def), worlds_box(0.4, 0.2));
  worlds_attach(world, NSDYN_GROUND, worlds_ground());
  nsdyn_system *sys = worlds_system(world);
  nsdyn_event_driver *driver = worlds_driver(world, sys);
  ck_assert_msg(nsdyn_event_driver_advance(driver, 1.0) == NSDYN_OK, "%s",
                nsdyn_event_driver_message(driver));
  ck_assert_int_eq(nsdyn_event_driver_events(driver), 2);
  for (int k = 0; k < 2; k++) {
    nsdyn_event event = {.size = sizeof event};
    GOOD(nsdyn_event_driver_event(driver, k, &event));
    ck_assert_int_eq(event.kind, NSDYN_EVENT_IMPACT);
    ck_assert(fabs(event.t - sqrt(2.0 * 0.5 / 9.81)) < 1e-9);
  }
  ck_assert_int_eq(nsdyn_event_driver_active(driver), 2);
  ck_assert(fabs(nsdyn_event_driver_q(driver)[1] - 0.1) < 1e-12);
  nsdyn_event_driver_free(driver);
  nsdyn_system_free(sys);
  nsdyn_world_free(world);
}
END_TEST

/* ---- polygons that roll ---- */

/* A regular polygon that rolls down a slope without sliding, inelastically: from corner to corner its energy
 * about the corner is kept, and each impact leaves (J + m r² cos 2β)/(J + m r²) of ω, β = π/n (the rimless
 * wheel of McGeer 1990). */
START_TEST(polygon_rolls_as_a_rimless_wheel)
{
  enum { N = 8 };
  const double r = 0.5, angle = 0.1, beta = (double)SHAPES_PI / N;
  double p[2 * N];
  for (int i = 0; i < N; i++) {
    p[2 * i] = r * cos(2.0 * beta * i);
    p[2 * i + 1] = r * sin(2.0 * beta * i);
  }
  nsdyn_world *world = worlds_new(3.0);
  /* lies on a side, turned such that this is along the slope */
  nsdyn_body_def def = worlds_body(r * cos(beta) * sin(angle), r * cos(beta) * cos(angle),
                                   -angle + beta - 0.5 * (double)SHAPES_PI);
  def.velocity[2] = -1.9; /* so slow that it presses all the time */
  /* about the lower corner, ahead: (r sin β, −r cos β) along and across the slope from the centre */
  const double arm[2] = {-(r * sin(beta) * cos(angle) - r * cos(beta) * sin(angle)),
                         -(-r * sin(beta) * sin(angle) - r * cos(beta) * cos(angle))};
  def.velocity[0] = -def.velocity[2] * arm[1];
  def.velocity[1] = def.velocity[2] * arm[0];
  const int32_t body = worlds_add(world, &def);
  worlds_attach(world, body, shapes_make(NSDYN_SHAPE_POLYGON, N, p, 0.0));
  worlds_slope(world, angle);
  nsdyn_system *sys = worlds_system(world);
  double m, J;
  GOOD(nsdyn_world_mass(world, body, &m, &J, NULL));
  nsdyn_event_driver *driver = worlds_driver(world, sys);
  const double about = J + m * r * r, left = (J + m * r * r * cos(2.0 * beta)) / about;
  double omega2 = 1.9 * 1.9;
  int steps = 0;
  ck_assert_msg(nsdyn_event_driver_advance(driver, 4.0) == NSDYN_OK, "%s",
                nsdyn_event_driver_message(driver));
  for (int64_t k = 0; k < nsdyn_event_driver_events(driver); k++) {
    nsdyn_event event = {.size = sizeof event};
    GOOD(nsdyn_event_driver_event(driver, k, &event));
    /* The corner that comes down: γ_N before is −ω 2 r sin β. */
    if (event.kind == NSDYN_EVENT_IMPACT && event.before[0] < -1e-6) {
      omega2 += 2.0 * m * 9.81 * 2.0 * r * sin(beta) * sin(angle) / about;
      const double omega = event.before[0] / (2.0 * r * sin(beta));
      ck_assert_msg(fabs(omega + sqrt(omega2)) < 1e-6, "%d: %g, %g", steps, omega, sqrt(omega2));
      omega2 *= left * left;
      steps++;
    }
  }
  ck_assert_msg(steps >= 7, "%d", steps);
  nsdyn_event_driver_free(driver);
  nsdyn_system_free(sys);
  nsdyn_world_free(world);
}
END_TEST

/* ---- who may touch ---- */

static int count_touches(nsdyn_world *world)
{
  nsdyn_system *sys = worlds_system(world);
  nsdyn_stepper *stepper = worlds_stepper(world, sys);
  ck_assert_msg(nsdyn_stepper_step(stepper, 1e-6) == NSDYN_OK, "%s", nsdyn_stepper_message(stepper));
  const int touches = (int)nsdyn_stepper_active(stepper);
  nsdyn_stepper_free(stepper);
  nsdyn_system_free(sys);
  nsdyn_world_free(world);
  return touches;
}

/* Two boxes, one on the other, touch unless they are one body, a joint's, or told not to. */
START_TEST(some_never_touch)
{
  for (int kind = 0; kind < 5; kind++) {
    nsdyn_world *world = worlds_new(0.0);
    nsdyn_body_def def = worlds_body(0.0, 0.0, 0.0);
    const int32_t below = worlds_add(world, &def);
    def.pose[1] = 1.0 - 1e-9;
    const int32_t above = kind == 0 ? below : worlds_add(world, &def);
    const int32_t one = worlds_attach(world, below, worlds_box(1.0, 1.0));
    nsdyn_attachment on;
    nsdyn_attachment_init(&on, sizeof on);
    on.pose[1] = kind == 0 ? def.pose[1] : 0.0;
    nsdyn_shape *box = worlds_box(1.0, 1.0);
    int32_t two;
    GOOD(nsdyn_world_attach(world, above, box, &on, &two));
    nsdyn_shape_free(box);
    nsdyn_joint_def joint;
    nsdyn_joint_def_init(&joint, sizeof joint);
    joint.body[0] = above;
    joint.body[1] = below;
    joint.touch = kind == 3;
    if (kind == 2 || kind == 3) {
      GOOD(nsdyn_world_add_joint(world, &joint, NULL));
    } else if (kind == 4) {
      GOOD(nsdyn_world_set_pair(world, two, one, NULL));
    }
    const int touches = count_touches(world), wanted = kind == 1 || kind == 3 ? 2 : 0;
    ck_assert_msg(touches == wanted, "%d: %d", kind, touches);
  }
}
END_TEST

/* Bodies in each other: who, which shapes, how deep. */
START_TEST(depth_names_the_bodies)
{
  nsdyn_world *world = worlds_new(0.0);
  nsdyn_body_def def = worlds_body(0.0, 0.3, 0.0);
  def.name = "crate";
  worlds_attach(world, NSDYN_GROUND, worlds_ground());
  worlds_attach(world, worlds_add(world, &def), worlds_box(1.0, 1.0));
  nsdyn_system *sys = worlds_system(world);
  nsdyn_stepper *stepper = worlds_stepper(world, sys);
  ck_assert_int_eq(nsdyn_stepper_step(stepper, 1e-3), NSDYN_ERR_CALLBACK_RETRY);
  static const char words[] = "the ground and body 0 (crate), shapes 0 and 1, are in each other by 0.2";
  ck_assert_msg(strstr(nsdyn_world_message(world), words), "%s", nsdyn_world_message(world));
  ck_assert_msg(strstr(nsdyn_stepper_message(stepper), words), "%s", nsdyn_stepper_message(stepper));
  nsdyn_detail detail = {.size = sizeof detail};
  GOOD(nsdyn_world_detail(world, &detail));
  nsdyn_stepper_free(stepper);
  nsdyn_system_free(sys);
  nsdyn_world_free(world);
}
END_TEST

/* ---- keys ---- */

/* Each pair of shapes and features has a key of its own, and the way back leads to them. */
START_TEST(keys_lead_back)
{
  enum { SHAPES = 7 };
  const int cases = random_cases(20);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    nsdyn_world *world = worlds_new(0.0);
    int points[SHAPES];
    for (int i = 0; i < SHAPES; i++) {
      double p[2 * SHAPES_MOST];
      nsdyn_body_def def = worlds_body(5.0 * i, 0.0, 0.0);
      const int32_t body = worlds_add(world, &def);
      points[i] = 3 + random_below(&random, 20);
      shapes_star(&random, points[i], 0.3, p);
      worlds_attach(world, body, shapes_make(NSDYN_SHAPE_POLYGON, points[i], p, 0.0));
    }
    nsdyn_system *sys = worlds_system(world);
    for (int i = 0; i < 200; i++) {
      const int first = random_below(&random, SHAPES - 1);
      const int second = first + 1 + random_below(&random, SHAPES - 1 - first);
      nsdyn_touch touch = {.size = sizeof touch}, back = {.size = sizeof back};
      touch.kind = random_below(&random, 3);
      touch.feature[0] = random_below(&random, points[first]);
      touch.feature[1] = random_below(&random, points[second]);
      int32_t shapes[2], bodies[2];
      const int64_t key = nsdyn_world_key(world, first, second, &touch);
      REQUIRE(key >= 0 && nsdyn_world_touch(world, key, shapes, bodies, &back) == NSDYN_OK);
      REQUIRE(shapes[0] == first && shapes[1] == second && bodies[0] == first && bodies[1] == second);
      REQUIRE(back.kind == touch.kind && back.feature[0] == touch.feature[0] &&
              back.feature[1] == touch.feature[1]);
    }
    nsdyn_touch touch = {.size = sizeof touch};
    ck_assert(nsdyn_world_key(world, 1, 1, &touch) == -1 && nsdyn_world_key(world, 1, SHAPES, &touch) == -1);
    ck_assert(nsdyn_world_key(world, 0, 1, NULL) == -1 && nsdyn_world_key(NULL, 0, 1, &touch) == -1);
    touch.feature[1] = 2 * points[1];
    ck_assert(nsdyn_world_key(world, 0, 1, &touch) == -1);
    ck_assert_int_eq(nsdyn_world_touch(world, -1, NULL, NULL, NULL), NSDYN_ERR_ARGUMENT);
    ck_assert_int_eq(nsdyn_world_touch(world, INT64_MAX, NULL, NULL, NULL), NSDYN_ERR_ARGUMENT);
    nsdyn_system_free(sys);
    nsdyn_world_free(world);
  }
}
END_TEST

/* Only what a shape has makes a key, and only what makes one leads back. */
START_TEST(features_that_there_are)
{
  static const double p[] = {0.0, 0.0, 1.0, 0.0, 1.0, 1.0, 0.0, 1.0};
  static const struct {
    int kind, count, edges;
  } shapes[] = {{NSDYN_SHAPE_POLYGON, 4, 4},
                {NSDYN_SHAPE_PROFILE, 4, 3},
                {NSDYN_SHAPE_CIRCLE, 1, 0},
                {NSDYN_SHAPE_CAPSULE, 2, 2},
                {NSDYN_SHAPE_WIRE, 4, 6}};
  enum { SHAPES = sizeof shapes / sizeof *shapes };
  nsdyn_world *world = worlds_new(0.0);
  nsdyn_body_def def = worlds_body(0.0, 0.0, 0.0);
  def.mass = def.inertia = 1.0;
  for (int i = 0; i < SHAPES; i++) {
    worlds_attach(world, worlds_add(world, &def),
                  shapes_make(shapes[i].kind, shapes[i].count, p, shapes[i].count < 3 ? 0.1 : 0.0));
  }
  nsdyn_system *sys = worlds_system(world);
  for (int first = 0; first < SHAPES; first++) {
    for (int second = first + 1; second < SHAPES; second++) {
      for (int kind = NSDYN_TOUCH_VERTEX_EDGE; kind <= NSDYN_TOUCH_VERTEX_VERTEX; kind++) {
        int keys = 0;
        for (int k = 0; k < 400; k++) {
          nsdyn_touch touch = {.size = sizeof touch, .kind = kind}, back = {.size = sizeof back};
          touch.feature[0] = k / 20 - 5;
          touch.feature[1] = k % 20 - 5;
          const int64_t key = nsdyn_world_key(world, first, second, &touch);
          if (key >= 0) {
            GOOD(nsdyn_world_touch(world, key, NULL, NULL, &back));
            ck_assert(back.kind == kind && memcmp(back.feature, touch.feature, sizeof back.feature) == 0);
            keys++;
          }
        }
        const int a = kind == NSDYN_TOUCH_EDGE_VERTEX ? shapes[first].edges : shapes[first].count;
        const int b = kind == NSDYN_TOUCH_VERTEX_EDGE ? shapes[second].edges : shapes[second].count;
        ck_assert_msg(keys == a * b, "%d, %d, %d: %d", first, second, kind, keys);
      }
    }
  }
  /* Numbers between keys lead nowhere, or are keys. */
  for (int k = 0; k < 80 * 80; k++) {
    const int64_t key = (int64_t)(k / 80) << 31 | (k % 80);
    nsdyn_touch touch = {.size = sizeof touch};
    int32_t number[2];
    if (nsdyn_world_touch(world, key, number, NULL, &touch) == NSDYN_OK) {
      ck_assert(nsdyn_world_key(world, number[0], number[1], &touch) == key);
    }
  }
  nsdyn_system_free(sys);
  nsdyn_world_free(world);
}
END_TEST

/* ---- many stones ---- */

/* Stones that fall into a box: no energy comes from nowhere (ε = 0), nobody is lost. */
START_TEST(stones_fall_into_a_box)
{
  enum { STONES = 9 };
  const int cases = random_cases(8);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    nsdyn_world *world = worlds_new(0.4);
    const double p[] = {-1.5, 6.0, -1.5, 0.0, 1.5, 0.0, 1.5, 6.0};
    nsdyn_shape_def box;
    nsdyn_shape *shape = NULL;
    nsdyn_shape_def_init(&box, sizeof box);
    box.kind = NSDYN_SHAPE_PROFILE;
    box.side = NSDYN_SIDE_RIGHT;
    box.count = 4;
    box.points = p;
    GOOD(nsdyn_shape_new(NULL, &box, &shape, NULL));
    worlds_attach(world, NSDYN_GROUND, shape);
    for (int i = 0; i < STONES; i++) {
      double points[2 * SHAPES_MOST];
      const int n = 3 + random_below(&random, 5);
      shapes_star(&random, n, 0.3, points);
      for (int j = 0; j < 2 * n; j++) {
        points[j] *= 0.35;
      }
      nsdyn_body_def def =
          worlds_body(-0.8 + 0.8 * (i % 3), 0.5 + 0.8 * floor(i / 3.0), random_between(&random, -3.0, 3.0));
      worlds_attach(world, worlds_add(world, &def), shapes_make(NSDYN_SHAPE_POLYGON, n, points, 0.0));
    }
    nsdyn_system *sys = worlds_system(world);
    nsdyn_stepper *stepper = worlds_stepper(world, sys);
    const double *q = nsdyn_stepper_q(stepper), *u = nsdyn_stepper_u(stepper);
    const double before = worlds_energy(world, 0.0, q, u);
    for (int i = 0; i < 3000; i++) {
      REQUIRE(nsdyn_stepper_step(stepper, 5e-4) == NSDYN_OK, "case %d, step %d: %s", k, i,
              nsdyn_stepper_message(stepper));
    }
    q = nsdyn_stepper_q(stepper);
    u = nsdyn_stepper_u(stepper);
    REQUIRE(worlds_energy(world, 1.5, q, u) < before, "case %d", k);
    for (int i = 0; i < STONES; i++) {
      REQUIRE(fabs(q[3 * i]) < 1.5 && q[3 * i + 1] > 0.0, "case %d: stone %d is lost", k, i);
    }
    nsdyn_stepper_free(stepper);
    nsdyn_system_free(sys);
    nsdyn_world_free(world);
  }
}
END_TEST

/* ---- random worlds by steps and by events ---- */

typedef struct fall {
  nsdyn_status status;
  double q[6], gain; /* where it ends; energy over that of the beginning, at most */
} fall;

/* One or two polygons of any shape, or a disk, above ground that is level or rises from notches. */
static nsdyn_world *random_world(int seed)
{
  random_state random = random_seed((uint64_t)seed);
  nsdyn_world *world = worlds_new(random_below(&random, 4) ? random_between(&random, 0.05, 1.0) : 0.0);
  double ground[] = {2.0, 2.0, 1.2, 0.0, 0.3, 0.0, -0.2, 0.0, -1.2, 0.0, -2.0, 2.0};
  const int level = random_below(&random, 2);
  for (int k = 5; k < 9 && !level; k += 2) {
    ground[k] = random_between(&random, -0.1, 0.1);
  }
  worlds_attach(world, NSDYN_GROUND, shapes_make(NSDYN_SHAPE_PROFILE, 6, ground, 0.0));
  const int bodies = 1 + random_below(&random, 2);
  for (int i = 0; i < bodies; i++) {
    nsdyn_body_def def = worlds_body(-0.5 + 0.9 * i + random_between(&random, -0.3, 0.3),
                                     random_between(&random, 0.3, 0.5), random_between(&random, -3.0, 3.0));
    for (int k = 0; k < 3; k++) {
      def.velocity[k] = random_between(&random, -1.0, 1.0);
    }
    const int32_t body = worlds_add(world, &def);
    double p[2 * SHAPES_MOST] = {0.0};
    const int n = 3 + random_below(&random, 5), round = random_below(&random, 5) == 0;
    shapes_star(&random, n, 0.4, p);
    for (int k = 0; k < 2 * n; k++) {
      p[k] *= 0.2;
    }
    worlds_attach(world, body,
                  round ? shapes_make(NSDYN_SHAPE_CIRCLE, 1, (double[]){0.0, 0.0}, 0.15)
                        : shapes_make(NSDYN_SHAPE_POLYGON, n, p, 0.0));
  }
  return world;
}

/* By steps of dt, or with dt = 0 from event to event; the energy is looked at twenty times. */
static fall let_fall(int seed, double dt, double t_end)
{
  fall f = {.gain = -INFINITY};
  nsdyn_world *world = random_world(seed);
  nsdyn_system *sys = worlds_system(world);
  nsdyn_stepper *stepper = dt > 0.0 ? worlds_stepper(world, sys) : NULL;
  nsdyn_event_driver *driver = dt > 0.0 ? NULL : worlds_driver(world, sys);
  double q[6], u[6];
  int32_t nq;
  GOOD(nsdyn_world_sizes(world, &nq, NULL));
  GOOD(nsdyn_world_begin(world, q, u));
  const double before = worlds_energy(world, 0.0, q, u);
  for (int k = 1; k <= 20 && !f.status; k++) {
    for (int i = 0; driver == NULL && i < (int)lround(t_end / dt) / 20 && !f.status; i++) {
      f.status = nsdyn_stepper_step(stepper, dt);
    }
    f.status = driver ? nsdyn_event_driver_advance(driver, t_end * k / 20) : f.status;
    const double *now = driver ? nsdyn_event_driver_q(driver) : nsdyn_stepper_q(stepper);
    memcpy(f.q, now, (size_t)nq * sizeof *now);
    f.gain = fmax(f.gain, worlds_energy(world, 0.0, now,
                                        driver ? nsdyn_event_driver_u(driver) : nsdyn_stepper_u(stepper)) -
                              before);
  }
  nsdyn_stepper_free(stepper);
  nsdyn_event_driver_free(driver);
  nsdyn_system_free(sys);
  nsdyn_world_free(world);
  return f;
}

/* Bodies of any shape fall, slide, roll over notches and corners and hit each other: both ways without a
 * failure, with no energy from nowhere, and, but for chances of which corner comes first, to the same
 * place. */
START_TEST(random_worlds_fall_alike)
{
  const int cases = random_cases(12);
  int near = 0;
  for (int k = 0; k < cases; k++) {
    const fall steps = let_fall(k, 5e-4, 0.3), events = let_fall(k, 0.0, 0.3);
    REQUIRE(!steps.status && !events.status, "case %d: %d, %d", k, steps.status, events.status);
    REQUIRE(events.gain <= 1e-7 && steps.gain <= 1e-3, "case %d: %g, %g", k, events.gain, steps.gain);
    double apart = 0.0;
    for (int i = 0; i < 6; i++) {
      apart = fmax(apart, fabs(steps.q[i] - events.q[i]));
    }
    near += apart < 0.02;
  }
  REQUIRE(10 * near >= 8 * cases, "%d of %d", near, cases);
}
END_TEST

/* A box slides down a smooth ramp that ends in a wall which leans back: with a = g sin α its corner is in the
 * notch after √(2 s / a), and the way there is one smooth motion. Its gaps are rounding then, whose signs
 * must not decide whether the wall is told of: the driver would look for jumps without end, or miss it. */
START_TEST(slides_into_a_blunt_notch)
{
  const int cases = random_cases(30);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    const double alpha = random_between(&r, 0.1, 0.5), beta = random_between(&r, 0.3, 1.1);
    const double s = random_between(&r, 0.05, 0.4), c[2] = {-s - 0.2, 0.1};
    const double p[] = {cos(beta), sin(beta), 0.0, 0.0, -90.0, 0.0};
    nsdyn_world *world = worlds_new(0.0);
    nsdyn_attachment on;
    nsdyn_attachment_init(&on, sizeof on);
    on.pose[2] = -alpha;
    nsdyn_shape *ramp = shapes_make(NSDYN_SHAPE_PROFILE, 3, p, 0.0);
    GOOD(nsdyn_world_attach(world, NSDYN_GROUND, ramp, &on, NULL));
    nsdyn_shape_free(ramp);
    const nsdyn_body_def def =
        worlds_body(c[0] * cos(alpha) + c[1] * sin(alpha), c[1] * cos(alpha) - c[0] * sin(alpha), -alpha);
    worlds_attach(world, worlds_add(world, &def), worlds_box(0.4, 0.2));
    nsdyn_system *sys = worlds_system(world);
    nsdyn_event_driver *driver = worlds_driver(world, sys);
    const double t = sqrt(2.0 * s / (9.81 * sin(alpha)));
    ck_assert_msg(nsdyn_event_driver_advance(driver, 1.01 * t) == NSDYN_OK, "%s",
                  nsdyn_event_driver_message(driver));
    nsdyn_event event;
    int64_t n = 0;
    do {
      nsdyn_event_init(&event, sizeof event);
      REQUIRE(nsdyn_event_driver_event(driver, n++, &event) == NSDYN_OK, "case %d: no impact", k);
    } while (event.kind != NSDYN_EVENT_IMPACT);
    REQUIRE(fabs(event.t - t) <= 1e-9 * t, "case %d: %g off", k, event.t - t);
    nsdyn_event_report report;
    nsdyn_event_report_init(&report, sizeof report);
    GOOD(nsdyn_event_driver_report(driver, &report));
    REQUIRE(report.steps <= 100, "case %d: %lld steps", k, (long long)report.steps);
    nsdyn_event_driver_free(driver);
    nsdyn_system_free(sys);
    nsdyn_world_free(world);
  }
}
END_TEST

/* A tip that does not turn. */
static int place_tip(void *user, double t, const double *q, const double *u, nsdyn_placed *placed)
{
  (void)t, (void)u;
  placed->pose[0] = q[0];
  placed->pose[1] = q[1];
  placed->blocks = 1;
  placed->block = user;
  return 0;
}

static int mass_of_tip(void *user, double t, const double *q, double *M)
{
  (void)user, (void)t, (void)q;
  M[0] = M[3] = 2.0;
  return 0;
}

static int weight_of_tip(void *user, double t, const double *q, const double *u, double *h)
{
  (void)user, (void)t, (void)q, (void)u;
  h[1] = -2.0 * 9.81;
  return 0;
}

/* A smooth bowl of chords, and a tip that slides through it: v² changes by 2 g Δh on each chord, and at each
 * notch the part of v stays that is along the next one, v cos τ. The closed contact is told of until the tip
 * is past the notch, where stages of an integrator's step come as well, and the next one before it. */
START_TEST(slides_through_a_bowl)
{
  enum { CHORDS = 8, POINTS = CHORDS + 1 };
  const double J[6] = {1.0, 0.0, 0.0, 1.0, 0.0, 0.0}, tip[] = {0.0, 0.0, 0.02, 0.1, -0.02, 0.1};
  const int cases = random_cases(40);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    const double turn = random_between(&r, 0.005, 0.12);
    nsdyn_contact_block block = {.offset = 0, .count = 2, .values = J};
    double p[2 * POINTS] = {0.0}, length[CHORDS], angle[CHORDS], v = random_between(&r, 3.0, 6.0), t = 0.0;
    const double v_0 = v;
    for (int i = 0; i < CHORDS; i++) { /* from left to right, the profile's points the other way */
      length[i] = random_between(&r, 0.01, 0.1);
      angle[i] = turn * (i - 0.5 * (CHORDS - 1));
      p[2 * (CHORDS - 1 - i)] = p[2 * (CHORDS - i)] + length[i] * cos(angle[i]);
      p[2 * (CHORDS - 1 - i) + 1] = p[2 * (CHORDS - i) + 1] + length[i] * sin(angle[i]);
      const double way = i == 0 || i == CHORDS - 1 ? 0.5 * length[i] : length[i];
      const double after = sqrt(v * v - 2.0 * 9.81 * way * sin(angle[i]));
      t += 2.0 * way / (v + after);
      v = i < CHORDS - 1 ? after * cos(turn) : after;
    }
    nsdyn_world *world = worlds_new(0.0);
    nsdyn_body_def def;
    nsdyn_body_def_init(&def, sizeof def);
    def.kind = NSDYN_BODY_POSED;
    def.place = place_tip;
    def.user = &block;
    worlds_attach(world, worlds_add(world, &def), shapes_make(NSDYN_SHAPE_POLYGON, 3, tip, 0.0));
    worlds_attach(world, NSDYN_GROUND, shapes_make(NSDYN_SHAPE_PROFILE, POINTS, p, 0.0));
    nsdyn_system_def own;
    nsdyn_system_def_init(&own, sizeof own);
    own.nq = own.nu = 2;
    own.mass = mass_of_tip;
    own.force = weight_of_tip;
    nsdyn_system *sys = NULL;
    GOOD(nsdyn_world_system(world, &own, &sys, NULL));
    nsdyn_event_driver_options options;
    nsdyn_event_driver_options_init(&options, sizeof options);
    nsdyn_event_driver *driver = NULL;
    GOOD(nsdyn_event_driver_new(NULL, sys, &options, &driver, NULL));
    const double *a = p + 2 * CHORDS, *b = p + 2 * (CHORDS - 1);
    const double q[2] = {0.5 * (a[0] + b[0]), 0.5 * (a[1] + b[1])};
    const double u[2] = {v_0 * cos(angle[0]), v_0 * sin(angle[0])};
    GOOD(nsdyn_event_driver_set_state(driver, 0.0, q, u));
    ck_assert_msg(nsdyn_event_driver_advance(driver, t) == NSDYN_OK, "case %d: %s", k,
                  nsdyn_event_driver_message(driver));
    const double *end = nsdyn_event_driver_q(driver), *rate = nsdyn_event_driver_u(driver);
    const double off = hypot(end[0] - 0.5 * (p[0] + p[2]), end[1] - 0.5 * (p[1] + p[3]));
    REQUIRE(off <= 1e-8 * p[0], "case %d: %g off", k, off);
    REQUIRE(fabs(hypot(rate[0], rate[1]) / v - 1.0) <= 1e-8, "case %d: speed %g of %g", k,
            hypot(rate[0], rate[1]), v);
    int impacts = 0;
    nsdyn_event event;
    nsdyn_event_init(&event, sizeof event);
    for (int64_t n = 0; nsdyn_event_driver_event(driver, n, &event) == NSDYN_OK; n++) {
      impacts += event.kind == NSDYN_EVENT_IMPACT;
      nsdyn_event_init(&event, sizeof event);
    }
    REQUIRE(impacts == CHORDS - 1, "case %d: %d impacts", k, impacts);
    nsdyn_event_driver_free(driver);
    nsdyn_system_free(sys);
    nsdyn_world_free(world);
  }
}
END_TEST

/* ---- which contacts are looked for ---- */

enum { STONES = 12 };

typedef struct named {
  const nsdyn_contact_sink *then; /* what was found before */
  int32_t every;                  /* which of it is named, and how far it was then */
  double span;
} named;

static double name_one(const void *who, int32_t k, int64_t *key, double *span)
{
  const named *n = who;
  const nsd_found *found = &n->then->found[k];
  *key = k % n->every ? -1 : found->key;
  *span = n->span;
  return fmax(0.0, found->gap);
}

static nsdyn_status look(nsdyn_contact_sink *sink, const double *q, const double *u, double margin,
                         const nsd_wish *wish)
{
  const nsdyn_system_def *def = &sink->sys->def;
  ck_assert_int_eq(def->configure(def->user, 0.0, q), 0);
  return nsd_sink_find_wished(sink, 0.0, q, u, margin, wish);
}

/* Corners of the shapes of scatter(), in the frames of their bodies; shape 0 is the ground's. */
typedef struct outlines {
  int corners[STONES + 1];
  double p[STONES + 1][2 * 8];
} outlines;

/* Stones of up to eight corners near each other on a broken line. */
static nsdyn_world *scatter(random_state *r, int are_rounded, outlines *all)
{
  nsdyn_world *world = NULL;
  nsdyn_world_options options;
  nsdyn_world_options_init(&options, sizeof options);
  options.skin_share = 1.0; /* they may be in each other */
  GOOD(nsdyn_world_new(NULL, &options, &world, NULL));
  const double line[] = {4.0, 0.3, 1.0, -0.2, -1.0, 0.1, -4.0, 0.0};
  nsdyn_shape *floor = shapes_make(NSDYN_SHAPE_PROFILE, 4, line, 0.0);
  GOOD(nsdyn_world_attach(world, NSDYN_GROUND, floor, NULL, NULL));
  nsdyn_shape_free(floor);
  all->corners[0] = 4;
  memcpy(all->p[0], line, sizeof line);
  for (int i = 0; i < STONES; i++) {
    double *p = all->p[i + 1];
    const int corners = 3 + (int)random_between(r, 0.0, 5.99);
    for (int k = 0; k < corners; k++) {
      const double angle = 2.0 * (double)SHAPES_PI * (k + random_between(r, 0.0, 0.6)) / corners;
      const double size = random_between(r, 0.1, 0.3);
      p[2 * k] = size * cos(angle);
      p[2 * k + 1] = size * sin(angle);
    }
    all->corners[i + 1] = corners;
    const nsdyn_body_def def =
        worlds_body(random_between(r, -1.5, 1.5), random_between(r, 0.3, 2.0), random_between(r, -3.0, 3.0));
    worlds_attach(
        world, worlds_add(world, &def),
        shapes_make(NSDYN_SHAPE_POLYGON, corners, p, are_rounded ? random_between(r, 0.001, 0.05) : 0.0));
  }
  return world;
}

/* Corner number k of a shape, round its outline, where its body is at q. */
static void corner_at(const nsdyn_world *world, const outlines *all, int32_t shape, int32_t body, int k,
                      const double *q, double *x)
{
  const double *p = all->p[shape] + 2 * (size_t)(k % all->corners[shape]);
  double pose[3] = {0.0};
  ck_assert(body < 0 || nsdyn_world_pose(world, body, 0.0, q, NULL, pose, NULL) == NSDYN_OK);
  x[0] = pose[0] + cos(pose[2]) * p[0] - sin(pose[2]) * p[1];
  x[1] = pose[1] + sin(pose[2]) * p[0] + cos(pose[2]) * p[1];
}

/* How far the vertex of a contact of sharp shapes is from the edge itself, which its gap is not where the
 * foot on the edge's line is beyond the edge. */
static double distance_at(const nsdyn_world *world, const outlines *all, int64_t key, const double *q)
{
  int32_t shapes[2], bodies[2];
  nsdyn_touch touch = {.size = sizeof touch};
  GOOD(nsdyn_world_touch(world, key, shapes, bodies, &touch));
  const int v = touch.kind == NSDYN_TOUCH_VERTEX_EDGE ? 0 : 1, e = !v;
  double c[2], a[2], b[2];
  corner_at(world, all, shapes[v], bodies[v], touch.feature[v], q, c);
  corner_at(world, all, shapes[e], bodies[e], touch.feature[e], q, a);
  corner_at(world, all, shapes[e], bodies[e], touch.feature[e] + 1, q, b);
  const double d[2] = {b[0] - a[0], b[1] - a[1]};
  const double along = ((c[0] - a[0]) * d[0] + (c[1] - a[1]) * d[1]) / (d[0] * d[0] + d[1] * d[1]);
  const double s = fmin(1.0, fmax(0.0, along));
  return hypot(c[0] - a[0] - s * d[0], c[1] - a[1] - s * d[1]);
}

static int is_same(const nsdyn_contact_sink *a, int32_t i, const nsdyn_contact_sink *b, int32_t j)
{
  double W[2][2 * 3 * STONES];
  nsd_sink_expand(a, i, 2, W[0]);
  nsd_sink_expand(b, j, 2, W[1]);
  return a->found[i].gap == b->found[j].gap && memcmp(W[0], W[1], sizeof W[0]) == 0;
}

/* A lone rod that turns above the ground, in any units: an arm's length times what it turns by in a step is
 * how far its end comes, however small the angle is. Stewart and Trinkle's scheme takes the end into the step
 * that it would pass the ground in, w·q + ... being good but for what a turn by Δφ bends it, ℓ Δφ²/2; and it
 * does not press before. */
START_TEST(an_end_of_a_rod_is_seen_to_come)
{
  for (int k = 0; k < random_cases(100); k++) {
    random_state r = random_seed((uint64_t)k);
    const double unit = pow(10.0, random_between(&r, -3.0, 4.0)), arm = unit * random_between(&r, 0.5, 2.0);
    const double radius = 0.01 * arm, turn = random_between(&r, 0.02, 0.1), dt = 1e-2;
    const double comes = arm * turn, gap = comes * random_between(&r, 0.1, 2.0);
    const double line[4] = {-arm, 0.0, arm, 0.0};
    nsdyn_world *world = NULL;
    nsdyn_world_options options;
    nsdyn_world_options_init(&options, sizeof options);
    options.gravity[0] = options.gravity[1] = 0.0;
    GOOD(nsdyn_world_new(NULL, &options, &world, NULL));
    nsdyn_body_def def = worlds_body(0.0, gap + radius, 0.0);
    def.velocity[2] = k % 2 ? turn / dt : -turn / dt;
    worlds_attach(world, worlds_add(world, &def), shapes_make(NSDYN_SHAPE_CAPSULE, 2, line, radius));
    const double level[4] = {9.0 * arm, 0.0, -9.0 * arm, 0.0};
    nsdyn_shape *ground = shapes_make(NSDYN_SHAPE_PROFILE, 2, level, 0.0);
    worlds_attach(world, NSDYN_GROUND, ground);
    nsdyn_system *sys = worlds_system(world);
    nsdyn_stepper_options how;
    nsdyn_stepper_options_init(&how, sizeof how);
    how.scheme = NSDYN_SCHEME_STEWART_TRINKLE;
    how.activation = k % 3 ? NSDYN_ACTIVATION_SCHEME : NSDYN_ACTIVATION_FREE;
    nsdyn_stepper *stepper = worlds_stepper(world, sys);
    GOOD(nsdyn_stepper_set_options(stepper, &how));
    ck_assert_msg(nsdyn_stepper_step(stepper, dt) == NSDYN_OK, "%s", nsdyn_stepper_message(stepper));
    const double *q = nsdyn_stepper_q(stepper);
    const double end = q[1] - arm * sin(fabs(q[2])) - radius, bends = arm * turn * turn;
    REQUIRE(end >= -bends, "case %d: an arm of %g that comes by %g, %g above: %g deep", k, arm, comes, gap,
            -end);
    REQUIRE(gap < comes + bends || fabs(fabs(q[2]) - turn) <= 1e-9 * turn, "case %d: held by what is far", k);
    nsdyn_stepper_free(stepper);
    nsdyn_system_free(sys);
    nsdyn_world_free(world);
  }
}
END_TEST

static int is_touching(const nsdyn_contact_sink *sink, int64_t key)
{
  const int64_t place = nsd_keys_find(&sink->keys, key);
  return place >= 0 && sink->found[place].gap <= 0.0;
}

/* A search that is told what is wanted leaves none of it out, and tells it with the same bits: what is near,
 * what comes with its velocities, what is named, and what is named and has moved since. All of what it tells
 * is there. It looks at less. A margin is one of distances: of two sharp corners the gap along an edge's
 * normal may be less than what is between them, and nothing is missed by that which touches at the end of the
 * time. */
START_TEST(what_is_wanted_is_found)
{
  int64_t all = 0, told = 0, wanted = 0, sharp = 0, touching = 0;
  for (int k = 0; k < random_cases(300); k++) {
    random_state r = random_seed((uint64_t)k);
    const int are_rounded = k % 3 != 0;
    outlines shapes;
    nsdyn_world *world = scatter(&r, are_rounded, &shapes);
    nsdyn_system *sys = worlds_system(world);
    nsd_fault fault;
    nsdyn_contact_sink then, full, own, later;
    double q[3 * STONES], q_then[3 * STONES], q_later[3 * STONES], u[3 * STONES], v[3 * STONES];
    const double T = random_between(&r, 0.0, 0.1);
    nsd_sink_init(&then, sys, NULL, &fault);
    nsd_sink_init(&full, sys, NULL, &fault);
    nsd_sink_init(&own, sys, NULL, &fault);
    nsd_sink_init(&later, sys, NULL, &fault);
    nsdyn_world_begin(world, q_then, u);
    for (int j = 0; j < 3 * STONES; j++) {
      u[j] = random_between(&r, -2.0, 2.0);
      v[j] = k % 2 ? u[j] : random_between(&r, -2.0, 2.0);
      q[j] = q_then[j] + T * v[j];
    }
    /* Stones that are in each other too deep are no case. */
    const int is_deep = look(&then, q_then, NULL, 0.5, NULL) || look(&full, q, NULL, 4.0, NULL);
    const named who = {.then = &then, .every = 1 + k % 7, .span = T};
    const nsd_wish wish = {.near = k % 5 ? random_between(&r, 0.0, 0.05) : -1.0,
                           .horizon = random_between(&r, 0.0, 0.1),
                           .u = k % 7 ? u : NULL,
                           .named = k % 4 ? then.count : 0,
                           .name = name_one,
                           .who = &who,
                           .moved = v};
    REQUIRE(is_deep || look(&own, q, NULL, 4.0, &wish) == NSDYN_OK, "case %d: %s", k, fault.message);
    full.count = is_deep ? 0 : full.count;
    for (int j = 0; j < 3 * STONES; j++) {
      q_later[j] = q[j] + wish.horizon * u[j];
    }
    const int is_deep_later = look(&later, q_later, NULL, 4.0, NULL) != NSDYN_OK;
    later.count = is_deep_later ? 0 : later.count;
    for (int32_t i = 0; i < full.count; i++) {
      const nsd_found *found = &full.found[i];
      const int64_t seen = nsd_keys_find(&then.keys, found->key);
      const int is_named = wish.named && seen >= 0 && seen % who.every == 0;
      const double gamma = nsd_row_dot(nsd_sink_row(&full, i, 0), u) + found->w_hat[0];
      const int comes = wish.u && found->gap + wish.horizon * gamma <= 0.0;
      const int touches = wish.u && !is_deep_later && is_touching(&later, found->key);
      const int is_near =
          found->gap <= wish.near && (are_rounded || distance_at(world, &shapes, found->key, q) <= wish.near);
      const int was_near =
          is_named && (are_rounded || found->gap <= 0.0 ||
                       distance_at(world, &shapes, found->key, q_then) <= fmax(0.0, then.found[seen].gap));
      const int is_wanted = was_near || is_near || touches || (are_rounded && comes);
      sharp += is_wanted && !are_rounded;
      touching += touches;
      const int64_t place = nsd_keys_find(&own.keys, found->key);
      REQUIRE(!is_wanted || place >= 0, "case %d: contact %lld, gap %g, is left out", k,
              (long long)found->key, found->gap);
      REQUIRE(place < 0 || is_same(&full, i, &own, (int32_t)place), "case %d: another contact %lld", k,
              (long long)found->key);
      wanted += is_wanted;
      told += place >= 0;
    }
    all += full.count;
    REQUIRE(own.count <= full.count, "case %d: more than there are", k);
    nsd_sink_release(&then);
    nsd_sink_release(&full);
    nsd_sink_release(&own);
    nsd_sink_release(&later);
    nsdyn_system_free(sys);
    nsdyn_world_free(world);
  }
  ck_assert_msg(sharp > 0 && touching > 0, "%lld of sharp ones, %lld touch", (long long)sharp,
                (long long)touching);
  ck_assert_msg(wanted > 0 && told < all / 2, "%lld wanted, %lld told of %lld", (long long)wanted,
                (long long)told, (long long)all);
}
END_TEST

SUITE("world/contacts", TEST(random_worlds_fall_alike), TEST(box_slides_down), TEST(box_falls_flat),
      TEST(polygon_rolls_as_a_rimless_wheel), TEST(some_never_touch), TEST(depth_names_the_bodies),
      TEST(keys_lead_back), TEST(features_that_there_are), TEST(stones_fall_into_a_box),
      TEST(slides_into_a_blunt_notch), TEST(slides_through_a_bowl), TEST(an_end_of_a_rod_is_seen_to_come),
      TEST(what_is_wanted_is_found))
