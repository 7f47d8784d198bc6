/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "worlds.h"

/* A polygon cut in two by a diagonal, put together again anywhere on a body, weighs what it did. */
START_TEST(parts_weigh_as_the_whole)
{
  const int cases = random_cases(200);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    const double w = random_between(&random, 0.1, 2.0), h = random_between(&random, 0.1, 2.0);
    const double at[3] = {random_between(&random, -1.0, 1.0), random_between(&random, -1.0, 1.0),
                          random_between(&random, -3.0, 3.0)};
    const double density = random_between(&random, 0.1, 10.0);
    nsdyn_world *world = worlds_new(0.0);
    int32_t body[3];
    for (int i = 0; i < 3; i++) {
      nsdyn_body_def def = worlds_body(0.0, 0.0, 0.0);
      def.mass = i == 2 ? 7.0 : NAN;
      body[i] = worlds_add(world, &def);
    }
    nsdyn_attachment on;
    nsdyn_attachment_init(&on, sizeof on);
    memcpy(on.pose, at, sizeof at);
    on.density = density;
    const double half[2][6] = {{0.0, 0.0, w, 0.0, w, h}, {0.0, 0.0, w, h, 0.0, h}};
    const double all[] = {0.0, 0.0, w, 0.0, w, h, 0.0, h};
    for (int i = 0; i < 2; i++) {
      nsdyn_shape *shape = shapes_make(NSDYN_SHAPE_POLYGON, 3, half[i], 0.0);
      GOOD(nsdyn_world_attach(world, body[0], shape, &on, NULL));
      GOOD(nsdyn_world_attach(world, body[2], shape, &on, NULL));
      nsdyn_shape_free(shape);
    }
    nsdyn_shape *shape = shapes_make(NSDYN_SHAPE_POLYGON, 4, all, 0.0);
    GOOD(nsdyn_world_attach(world, body[1], shape, &on, NULL));
    nsdyn_shape_free(shape);
    nsdyn_system *sys = worlds_system(world);
    double m[3], J[3], centre[3][2];
    for (int i = 0; i < 3; i++) {
      GOOD(nsdyn_world_mass(world, body[i], &m[i], &J[i], centre[i]));
      const double x = at[0] + 0.5 * (w * cos(at[2]) - h * sin(at[2]));
      const double y = at[1] + 0.5 * (w * sin(at[2]) + h * cos(at[2]));
      REQUIRE(fabs(centre[i][0] - x) < 1e-12 && fabs(centre[i][1] - y) < 1e-12, "case %d", k);
    }
    const double mass = density * w * h, inertia = mass * (w * w + h * h) / 12.0;
    for (int i = 0; i < 2; i++) {
      REQUIRE(fabs(m[i] - mass) < 1e-13 * mass && fabs(J[i] - inertia) < 1e-11 * (inertia + mass * 3.0),
              "case %d", k);
    }
    REQUIRE(m[2] == 7.0 && fabs(J[2] - 7.0 / mass * inertia) < 1e-10 * (7.0 * 3.0 + J[2]), "case %d", k);
    nsdyn_system_free(sys);
    nsdyn_world_free(world);
  }
}
END_TEST

/* A centre of mass that is given, and an inertia that is not: Steiner's part is added. */
START_TEST(given_centre)
{
  nsdyn_world *world = worlds_new(0.0);
  nsdyn_body_def def = worlds_body(1.0, 2.0, 0.5 * (double)SHAPES_PI);
  def.centre[0] = 0.3;
  def.centre[1] = 0.0;
  def.mass = 2.0;
  def.velocity[2] = 4.0;
  const int32_t body = worlds_add(world, &def);
  worlds_attach(world, body, worlds_box(1.0, 2.0));
  nsdyn_system *sys = worlds_system(world);
  double J, q[3], u[3];
  GOOD(nsdyn_world_mass(world, body, NULL, &J, NULL));
  ck_assert(fabs(J - 2.0 * (5.0 / 12.0 + 0.09)) < 1e-14);
  GOOD(nsdyn_world_begin(world, q, u));
  ck_assert(fabs(q[0] - 1.0) < 1e-15 && fabs(q[1] - 2.3) < 1e-15);
  ck_assert(fabs(u[0] + 1.2) < 1e-15 && fabs(u[1]) < 1e-15 && u[2] == 4.0);
  nsdyn_system_free(sys);
  nsdyn_world_free(world);
}
END_TEST

/* Boxes far from the origin of their body's frame weigh, and turn, as they do near it; apart from each other
 * by Steiner. */
START_TEST(far_shapes_weigh_as_near_ones)
{
  const int cases = random_cases(200);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    const double far = pow(10.0, random_between(&random, 0.0, 7.0)),
                 angle = random_between(&random, -3.0, 3.0);
    const double w = random_between(&random, 0.05, 0.2), h = random_between(&random, 0.05, 0.2);
    nsdyn_world *world = worlds_new(0.0);
    nsdyn_body_def def = worlds_body(0.0, 0.0, 0.0);
    int32_t body[2];
    nsdyn_shape *box = worlds_box(w, h);
    nsdyn_attachment on;
    nsdyn_attachment_init(&on, sizeof on);
    double density[3], x[3], y[3], mass = 0.0, centre[2] = {0.0, 0.0}, inertia = 0.0;
    body[0] = worlds_add(world, &def);
    body[1] = worlds_add(world, &def);
    for (int i = 0; i < 3; i++) {
      density[i] = on.density = random_between(&random, 0.1, 10.0);
      /* Places as they are kept, at that distance. */
      on.pose[0] = far * cos(angle) + random_between(&random, -1.0, 1.0);
      on.pose[1] = far * sin(angle) + random_between(&random, -1.0, 1.0);
      on.pose[2] = random_between(&random, -3.0, 3.0);
      x[i] = on.pose[0];
      y[i] = on.pose[1];
      GOOD(nsdyn_world_attach(world, body[1], box, &on, NULL));
      if (i == 0) {
        GOOD(nsdyn_world_attach(world, body[0], box, &on, NULL));
      }
    }
    for (int i = 0; i < 3; i++) {
      mass += density[i] * w * h;
      centre[0] += density[i] * w * h * (x[i] - x[0]);
      centre[1] += density[i] * w * h * (y[i] - y[0]);
    }
    for (int i = 0; i < 3; i++) {
      const double dx = x[i] - x[0] - centre[0] / mass, dy = y[i] - y[0] - centre[1] / mass;
      inertia += density[i] * w * h * ((w * w + h * h) / 12.0 + dx * dx + dy * dy);
    }
    nsdyn_shape_free(box);
    nsdyn_system *sys = worlds_system(world);
    double m, J, c[2];
    GOOD(nsdyn_world_mass(world, body[0], &m, &J, c));
    const double alone = density[0] * w * h, own = alone * (w * w + h * h) / 12.0;
    REQUIRE(fabs(J - own) < 1e-13 * own && fabs(m - alone) < 1e-14 * alone, "case %d: %g, %g", k, J, own);
    REQUIRE(fabs(c[0] - x[0]) <= 1e-15 * far && fabs(c[1] - y[0]) <= 1e-15 * far, "case %d", k);
    GOOD(nsdyn_world_mass(world, body[1], &m, &J, NULL));
    /* Only the places are rounded, to far · 2^-52. */
    REQUIRE(fabs(J - inertia) < (1e-13 + 1e-14 * far) * mass, "case %d: %g, %g", k, J, inertia);
    nsdyn_system_free(sys);
    nsdyn_world_free(world);
  }
}
END_TEST

/* What a free body lacks is told by its name. */
START_TEST(bodies_that_lack_something)
{
  const double huge = 0x1p470;
  for (int kind = 0; kind < 3; kind++) {
    nsdyn_world *world = worlds_new(0.0);
    nsdyn_body_def def = worlds_body(0.0, 0.0, 0.0);
    def.name = "stone";
    def.mass = kind == 0 ? NAN : 1.0;
    def.inertia = kind == 2 ? 1.0 : NAN;
    const int32_t body = worlds_add(world, &def);
    if (kind == 2) { /* masses of shapes that are no numbers decide where the centre is */
      nsdyn_attachment on;
      nsdyn_attachment_init(&on, sizeof on);
      on.density = huge;
      nsdyn_shape *box = worlds_box(huge, huge);
      GOOD(nsdyn_world_attach(world, body, box, &on, NULL));
      GOOD(nsdyn_world_attach(world, body, box, &on, NULL));
      nsdyn_shape_free(box);
    }
    nsdyn_system *sys = NULL;
    nsdyn_error error;
    nsdyn_error_init(&error, sizeof error);
    static const char *const words[] = {"body 0 (stone): mass: 0 is not",
                                        "body 0 (stone): moment of inertia: 0",
                                        "body 0 (stone): centre of mass"};
    ck_assert_int_eq(nsdyn_world_system(world, NULL, &sys, &error),
                     kind == 2 ? NSDYN_ERR_NOT_FINITE : NSDYN_ERR_ARGUMENT);
    ck_assert_msg(strstr(error.message, words[kind]), "%s", error.message);
    nsdyn_world_free(world);
  }
}
END_TEST

static int nothing(void *user, double t, double *pose, double *rate, double *acceleration)
{
  (void)user, (void)t;
  pose[0] = rate[0] = acceleration[0] = 0.0;
  return 0;
}

START_TEST(bodies_that_cannot_be)
{
  nsdyn_world *world = worlds_new(0.0);
  nsdyn_body_def good = worlds_body(0.0, 0.0, 0.0), bad;
  good.name = "a name that is much longer than thirty-one bytes";
#define REFUSED(change, words)                                                                               \
  bad = good;                                                                                                \
  change;                                                                                                    \
  ck_assert_int_ne(nsdyn_world_add_body(world, &bad, NULL), NSDYN_OK);                                       \
  ck_assert_msg(strstr(nsdyn_world_message(world), "body 0 (a name that is much longer than): " words),      \
                "%s", nsdyn_world_message(world))
  REFUSED(bad.kind = 4, "kind");
  REFUSED(bad.kind = NSDYN_BODY_DRIVEN, "the callback motion is NULL");
  REFUSED(bad.kind = NSDYN_BODY_POSED, "the callback place is NULL");
  REFUSED(bad.pose[1] = NAN, "pose: nan");
  REFUSED(bad.velocity[2] = INFINITY, "velocity: inf");
  REFUSED(bad.mass = 0.0, "mass: 0");
  REFUSED(bad.inertia = -1.0, "inertia: -1");
  REFUSED(bad.centre[0] = 1.0, "centre: nan");
  REFUSED(bad.reserved = 1, "reserved: 1 is not 0");
#undef REFUSED
  bad = good;
  bad.size = 5;
  ck_assert_int_eq(nsdyn_world_add_body(world, &bad, NULL), NSDYN_ERR_STRUCT_SIZE);
  ck_assert_int_eq(nsdyn_world_add_body(NULL, &good, NULL), NSDYN_ERR_ARGUMENT);
  good.kind = NSDYN_BODY_DRIVEN;
  good.motion = nothing;
  const int32_t body = worlds_add(world, &good);
  nsdyn_attachment on;
  nsdyn_attachment_init(&on, sizeof on);
  nsdyn_shape *shape = worlds_box(1.0, 1.0);
  on.material = 1;
  ck_assert_int_eq(nsdyn_world_attach(world, body, shape, &on, NULL), NSDYN_ERR_ARGUMENT);
  ck_assert_msg(strstr(nsdyn_world_message(world), "shape 0 on body 0") &&
                    strstr(nsdyn_world_message(world), "no material 1"),
                "%s", nsdyn_world_message(world));
  on.material = 0;
  on.density = -1.0;
  ck_assert_int_eq(nsdyn_world_attach(world, body, shape, &on, NULL), NSDYN_ERR_ARGUMENT);
  on.density = 1.0;
  on.reserved = 2;
  ck_assert_int_eq(nsdyn_world_attach(world, body, shape, &on, NULL), NSDYN_ERR_ARGUMENT);
  ck_assert_ptr_nonnull(strstr(nsdyn_world_message(world), "reserved: 2 is not 0"));
  on.reserved = 0;
  on.pose[0] = NAN;
  ck_assert_int_eq(nsdyn_world_attach(world, body, shape, &on, NULL), NSDYN_ERR_NOT_FINITE);
  ck_assert_int_eq(nsdyn_world_attach(world, 1, shape, NULL, NULL), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_world_attach(world, -2, shape, NULL, NULL), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_world_attach(world, body, NULL, NULL, NULL), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_world_attach(NULL, body, shape, NULL, NULL), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_attachment_init(NULL, 8), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_body_def_init(NULL, 8), NSDYN_ERR_ARGUMENT);
  nsdyn_shape_free(shape);
  nsdyn_world_free(world);
}
END_TEST

SUITE("world/bodies", TEST(parts_weigh_as_the_whole), TEST(given_centre), TEST(far_shapes_weigh_as_near_ones),
      TEST(bodies_that_lack_something), TEST(bodies_that_cannot_be))
