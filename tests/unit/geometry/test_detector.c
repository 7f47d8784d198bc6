/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "geometry/detector.h"

#include <string.h>

#include "shapes.h"

/* A body by its three coordinates, q[0] to q[2], and one on a crank whose angle is q[3], of which a drive
 * moves the pivot: x = cos t + a cos q3, y = a sin q3, φ = 2 q3 + t²/2. */
enum { N = 4 };
typedef struct scene {
  nsdyn_shape *shape[2];
  nsdyn_detector *detector;
  double crank, m;
  int32_t law;
  int has_bias;
} scene;

static int mass(void *user, double t, const double *q, double *M)
{
  (void)t, (void)q;
  for (int i = 0; i < N; i++) {
    M[i * N + i] = ((const scene *)user)->m;
  }
  return 0;
}

static int find(void *user, double t, const double *q, const double *u, double margin,
                nsdyn_contact_sink *sink)
{
  scene *s = user;
  const double a = s->crank, c = cos(q[3]), d = sin(q[3]);
  const double J[3] = {-a * d, a * c, 2.0};
  const nsdyn_contact_block block = {.offset = 3, .count = 1, .values = J};
  nsdyn_placed free, driven;
  nsdyn_placed_init(&free, sizeof free);
  nsdyn_placed_init(&driven, sizeof driven);
  free.shape = s->shape[0];
  driven.shape = s->shape[1];
  nsdyn_placed_by_coordinates(&free, 0, q);
  driven.pose[0] = cos(t) + a * c;
  driven.pose[1] = a * d;
  driven.pose[2] = 2.0 * q[3] + 0.5 * t * t;
  driven.rate[0] = -sin(t);
  driven.rate[2] = t;
  driven.blocks = 1;
  driven.block = &block;
  driven.has_bias = s->has_bias;
  if (u) {
    driven.bias[0] = -cos(t) - a * c * u[3] * u[3];
    driven.bias[1] = -a * d * u[3] * u[3];
    driven.bias[2] = 1.0;
  }
  return nsdyn_detector_report(s->detector, &free, &driven, u, 5, margin < 1.0 ? margin : 1.0, s->law, sink);
}

static nsdyn_system *make_system(scene *s)
{
  nsdyn_system_def def;
  nsdyn_contact_law law;
  nsdyn_system *sys = NULL;
  nsdyn_system_def_init(&def, sizeof def);
  def.nq = def.nu = N;
  def.user = s;
  def.mass = mass;
  def.find = find;
  nsdyn_contact_law_init(&law, sizeof law);
  law.friction = NSDYN_FRICTION_COULOMB;
  law.mu = 0.3;
  ck_assert_int_eq(nsdyn_system_new(NULL, &def, &sys, NULL), NSDYN_OK);
  ck_assert_int_eq(nsdyn_system_add_law(sys, &law, &s->law), NSDYN_OK);
  return sys;
}

/* All that is reported agrees with the gaps: w_N and ŵ are their slopes, w̄ changes of w u + ŵ, as the
 * library's own judge of callbacks sees it. */
START_TEST(directions_belong_to_gaps)
{
  const int cases = random_cases(300);
  int good = 0, seen = 0;
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    scene s = {.m = 1.0, .crank = random_between(&random, 0.2, 2.0), .has_bias = k % 3 != 0};
    for (int i = 0; i < 2; i++) {
      double p[2 * SHAPES_MOST];
      const int n = 3 + random_below(&random, 8);
      shapes_star(&random, n, 0.4, p);
      s.shape[i] = shapes_make(NSDYN_SHAPE_POLYGON, n, p, random_below(&random, 2) ? 0.3 : 0.0);
    }
    ck_assert_int_eq(nsdyn_detector_new(NULL, NULL, &s.detector, NULL), NSDYN_OK);
    nsdyn_system *sys = make_system(&s);
    double q[N], u[N];
    for (int i = 0; i < N; i++) {
      q[i] = random_between(&random, -1.5, 1.5);
      u[i] = random_between(&random, -1.0, 1.0);
    }
    const double way = random_between(&random, -4.0, 4.0), t = random_between(&random, 0.0, 3.0);
    q[0] = cos(t) + s.crank * cos(q[3]) + 2.3 * cos(way);
    q[1] = s.crank * sin(q[3]) + 2.3 * sin(way);
    nsdyn_system_check_report report;
    nsdyn_system_check_report_init(&report, sizeof report);
    const nsdyn_status status = nsdyn_system_check(sys, t, q, u, &report);
    if (status == NSDYN_OK || status == NSDYN_ERR_INCONSISTENT) { /* else they were in each other */
      REQUIRE(status == NSDYN_OK, "case %d: %s", k, nsdyn_system_message(sys));
      good += report.checks > 40;
      seen++;
    }
    nsdyn_system_free(sys);
    nsdyn_detector_free(s.detector);
    nsdyn_shape_free(s.shape[0]);
    nsdyn_shape_free(s.shape[1]);
  }
  REQUIRE(is_common(good, cases, 3), "%d of %d, %d", good, cases, seen);
}
END_TEST

/* ---- motions ---- */

/* A body of three coordinates on a slope. */
typedef struct slope {
  nsdyn_shape *body, *ground;
  nsdyn_detector *detector;
  double tilt, J;
  int32_t law;
} slope;

static int slope_mass(void *user, double t, const double *q, double *M)
{
  (void)t, (void)q;
  M[0] = M[4] = 1.0;
  M[8] = ((const slope *)user)->J;
  return 0;
}

static int slope_force(void *user, double t, const double *q, const double *u, double *h)
{
  (void)user, (void)t, (void)q, (void)u;
  h[1] = -9.81;
  return 0;
}

static int slope_find(void *user, double t, const double *q, const double *u, double margin,
                      nsdyn_contact_sink *sink)
{
  slope *s = user;
  nsdyn_placed body, ground;
  (void)t;
  nsdyn_placed_init(&body, sizeof body);
  nsdyn_placed_init(&ground, sizeof ground);
  body.shape = s->body;
  ground.shape = s->ground;
  ground.pose[2] = s->tilt;
  nsdyn_placed_by_coordinates(&body, 0, q);
  return nsdyn_detector_report(s->detector, &body, &ground, u, 0, margin < 1.0 ? margin : 1.0, s->law, sink);
}

static nsdyn_system *slope_system(slope *s, double mu)
{
  nsdyn_system_def def;
  nsdyn_contact_law law;
  nsdyn_system *sys = NULL;
  const double p[] = {-90.0, 0.0, 90.0, 0.0};
  nsdyn_system_def_init(&def, sizeof def);
  def.nq = def.nu = 3;
  def.user = s;
  def.mass = slope_mass;
  def.force = slope_force;
  def.find = slope_find;
  nsdyn_contact_law_init(&law, sizeof law);
  law.friction = NSDYN_FRICTION_COULOMB;
  law.mu = mu;
  nsdyn_shape_def ground;
  nsdyn_shape_def_init(&ground, sizeof ground);
  ground.kind = NSDYN_SHAPE_PROFILE;
  ground.side = NSDYN_SIDE_RIGHT;
  ground.count = 2;
  ground.points = p;
  ck_assert_int_eq(nsdyn_shape_new(NULL, &ground, &s->ground, NULL), NSDYN_OK);
  ck_assert_int_eq(nsdyn_detector_new(NULL, NULL, &s->detector, NULL), NSDYN_OK);
  ck_assert_int_eq(nsdyn_system_new(NULL, &def, &sys, NULL), NSDYN_OK);
  ck_assert_int_eq(nsdyn_system_add_law(sys, &law, &s->law), NSDYN_OK);
  return sys;
}

static void drop_slope(slope *s, nsdyn_system *sys)
{
  nsdyn_system_free(sys);
  nsdyn_detector_free(s->detector);
  nsdyn_shape_free(s->body);
  nsdyn_shape_free(s->ground);
}

/* A disk on a slope rolls with a = ⅔ g sin α while tan α <= 3 μ, from event to event and by steps. */
START_TEST(disk_rolls_down)
{
  const double r = 0.3, none[] = {0.0, 0.0}, tilt = -0.5;
  slope s = {.tilt = tilt, .J = 0.5 * r * r, .body = shapes_make(NSDYN_SHAPE_CIRCLE, 1, none, r)};
  nsdyn_system *sys = slope_system(&s, 0.6);
  const double q[3] = {-sin(tilt) * r, cos(tilt) * r, 0.0}, u[3] = {0.0, 0.0, 0.0};
  const double way = 0.5 * 2.0 / 3.0 * 9.81 * sin(-tilt); /* after 1 s */
  nsdyn_event_driver *driver = NULL;
  nsdyn_stepper *stepper = NULL;
  ck_assert_int_eq(nsdyn_event_driver_new(NULL, sys, NULL, &driver, NULL), NSDYN_OK);
  ck_assert_int_eq(nsdyn_event_driver_set_state(driver, 0.0, q, u), NSDYN_OK);
  ck_assert_msg(nsdyn_event_driver_advance(driver, 1.0) == NSDYN_OK, "%s",
                nsdyn_event_driver_message(driver));
  const double *now = nsdyn_event_driver_q(driver);
  ck_assert_msg(fabs(now[0] - q[0] - cos(tilt) * way) < 1e-8 && fabs(now[1] - q[1] - sin(tilt) * way) < 1e-8,
                "%g, %g", now[0] - q[0] - cos(tilt) * way, now[1] - q[1] - sin(tilt) * way);
  ck_assert(fabs(now[2] + way / r) < 1e-7);
  nsdyn_event_driver_free(driver);
  ck_assert_int_eq(nsdyn_stepper_new(NULL, sys, NULL, &stepper, NULL), NSDYN_OK);
  ck_assert_int_eq(nsdyn_stepper_set_state(stepper, 0.0, q, u), NSDYN_OK);
  for (int i = 0; i < 1000; i++) {
    ck_assert_int_eq(nsdyn_stepper_step(stepper, 1e-3), NSDYN_OK);
  }
  ck_assert(fabs(nsdyn_stepper_q(stepper)[0] - q[0] - cos(tilt) * way) < 0.01 * way);
  nsdyn_stepper_free(stepper);
  drop_slope(&s, sys);
}
END_TEST

/* A box put down at rest on the ground stays, on two touches that carry half of it each, under the same keys.
 */
START_TEST(box_rests)
{
  const double p[] = {-0.5, -0.25, 0.5, -0.25, 0.5, 0.25, -0.5, 0.25};
  slope s = {.tilt = 0.0, .J = 1.25 / 12.0, .body = shapes_make(NSDYN_SHAPE_POLYGON, 4, p, 0.0)};
  nsdyn_system *sys = slope_system(&s, 0.5);
  const double q[3] = {0.1, 0.25, 0.0}, u[3] = {0.0, 0.0, 0.0};
  nsdyn_stepper *stepper = NULL;
  ck_assert_int_eq(nsdyn_stepper_new(NULL, sys, NULL, &stepper, NULL), NSDYN_OK);
  ck_assert_int_eq(nsdyn_stepper_set_state(stepper, 0.0, q, u), NSDYN_OK);
  for (int i = 0; i < 200; i++) {
    ck_assert_msg(nsdyn_stepper_step(stepper, 1e-3) == NSDYN_OK, "%d: %s", i, nsdyn_stepper_message(stepper));
    double force = 0.0;
    for (int corner = 0; corner < 2; corner++) {
      nsdyn_touch touch;
      nsdyn_contact_state state;
      nsdyn_touch_init(&touch, sizeof touch);
      nsdyn_contact_state_init(&state, sizeof state);
      touch.kind = NSDYN_TOUCH_VERTEX_EDGE;
      touch.feature[0] = corner;
      ck_assert_int_eq(nsdyn_stepper_found_contact(stepper, nsdyn_touch_key(0, &touch), &state), NSDYN_OK);
      ck_assert(i == 0 || fabs(state.force[0] - 0.5 * 9.81) < 1e-9);
      force += state.force[0];
    }
    ck_assert(i == 0 || fabs(force - 9.81) < 1e-9);
  }
  for (int i = 0; i < 3; i++) {
    ck_assert(fabs(nsdyn_stepper_q(stepper)[i] - q[i]) < 1e-4);
  }
  nsdyn_stepper_free(stepper);
  drop_slope(&s, sys);
}
END_TEST

/* Bodies that begin in each other: the step says that it cannot be, and the detector how deep. */
START_TEST(too_deep_is_told)
{
  const double p[] = {-0.5, -0.25, 0.5, -0.25, 0.5, 0.25, -0.5, 0.25};
  slope s = {.tilt = 0.0, .J = 0.1, .body = shapes_make(NSDYN_SHAPE_POLYGON, 4, p, 0.0)};
  nsdyn_system *sys = slope_system(&s, 0.5);
  const double q[3] = {0.1, 0.05, 0.0}, u[3] = {0.0, 0.0, 0.0};
  nsdyn_stepper *stepper = NULL;
  nsdyn_detail detail = {.size = sizeof detail};
  ck_assert_int_eq(nsdyn_stepper_new(NULL, sys, NULL, &stepper, NULL), NSDYN_OK);
  nsdyn_status status = nsdyn_stepper_set_state(stepper, 0.0, q, u);
  status = status ? status : nsdyn_stepper_step(stepper, 1e-3);
  ck_assert_int_eq(status, NSDYN_ERR_CALLBACK_RETRY);
  ck_assert_msg(strstr(nsdyn_stepper_message(stepper), "the bodies are in each other by 0.2"), "%s",
                nsdyn_stepper_message(stepper));
  ck_assert_msg(strstr(nsdyn_detector_message(s.detector), "pair 0: the bodies are in each other by 0.2"),
                "%s", nsdyn_detector_message(s.detector));
  ck_assert_int_eq(nsdyn_detector_detail(s.detector, &detail), NSDYN_OK);
  ck_assert_int_eq(detail.kind, NSDYN_DETAIL_CONTACT);
  nsdyn_stepper_free(stepper);
  drop_slope(&s, sys);
}
END_TEST

/* ---- the object ---- */

START_TEST(keys_lead_back)
{
  const int cases = random_cases(20000);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    nsdyn_touch touch, back;
    int32_t pair = -1;
    nsdyn_touch_init(&touch, sizeof touch);
    nsdyn_touch_init(&back, sizeof back);
    touch.kind = random_below(&random, 3);
    touch.feature[0] = random_below(&random, 1 << 20);
    touch.feature[1] = random_below(&random, 1 << 20);
    const int32_t given = random_below(&random, 1 << 21);
    const int64_t key = nsdyn_touch_key(given, &touch);
    REQUIRE(key >= 0 && nsdyn_touch_of_key(key, &pair, &back) == NSDYN_OK && pair == given, "case %d", k);
    REQUIRE(back.kind == touch.kind && back.feature[0] == touch.feature[0] &&
                back.feature[1] == touch.feature[1],
            "case %d", k);
  }
  nsdyn_touch touch = {.size = sizeof touch};
  ck_assert(nsdyn_touch_key(-1, &touch) == -1 && nsdyn_touch_key(1 << 21, &touch) == -1 &&
            nsdyn_touch_key(0, NULL) == -1);
  touch.feature[1] = 1 << 20;
  ck_assert(nsdyn_touch_key(0, &touch) == -1);
  touch.feature[1] = 0;
  touch.kind = 3;
  ck_assert(nsdyn_touch_key(0, &touch) == -1);
  ck_assert_int_eq(nsdyn_touch_of_key(-1, NULL, &touch), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_touch_of_key(0, NULL, NULL), NSDYN_ERR_ARGUMENT);
}
END_TEST

/* Points on both outlines, n from the second to the first, gap between them; the same from either side. */
START_TEST(touches_in_the_world)
{
  const int cases = random_cases(2000);
  nsdyn_detector *detector = NULL;
  int touches = 0;
  ck_assert_int_eq(nsdyn_detector_new(NULL, NULL, &detector, NULL), NSDYN_OK);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    double p[2][2 * SHAPES_MOST], world[2 * SHAPES_MOST], pose[2][3];
    int n[2];
    nsdyn_shape *shape[2];
    for (int i = 0; i < 2; i++) {
      n[i] = 3 + random_below(&random, 10);
      shapes_star(&random, n[i], 0.5, p[i]);
      shape[i] = shapes_make(NSDYN_SHAPE_POLYGON, n[i], p[i], random_below(&random, 2) ? 0.2 : 0.0);
      for (int a = 0; a < 3; a++) {
        pose[i][a] = random_between(&random, -1.7, 1.7);
      }
    }
    nsdyn_detector_result result = {.size = sizeof result}, turned = {.size = sizeof turned};
    REQUIRE(nsdyn_detector_search(detector, shape[1], pose[1], shape[0], pose[0], 0.5, &turned) == NSDYN_OK);
    REQUIRE(nsdyn_detector_search(detector, shape[0], pose[0], shape[1], pose[1], 0.5, &result) == NSDYN_OK);
    REQUIRE(result.is_deep == turned.is_deep && (result.is_deep || result.touches == turned.touches),
            "case %d: %d, %d", k, result.touches, turned.touches);
    for (int i = 0; i < result.touches && !result.is_deep; i++) {
      nsdyn_touch touch = {.size = sizeof touch};
      nsdyn_shape_properties sizes = {.size = sizeof sizes};
      REQUIRE(nsdyn_detector_touch(detector, i, &touch) == NSDYN_OK);
      const double x = touch.point[0] - touch.point[2], y = touch.point[1] - touch.point[3];
      REQUIRE(fabs(x * touch.normal[0] + y * touch.normal[1] - touch.gap) < 1e-13, "case %d", k);
      REQUIRE(fabs(hypot(touch.normal[0], touch.normal[1]) - 1.0) < 1e-13, "case %d", k);
      for (int b = 0; b < 2; b++) {
        ck_assert_int_eq(nsdyn_shape_measure(shape[b], &sizes), NSDYN_OK);
        shapes_place(n[b], p[b], pose[b], world);
        const int is_vertex = touch.kind != (b ? NSDYN_TOUCH_VERTEX_EDGE : NSDYN_TOUCH_EDGE_VERTEX);
        const double *at = touch.middle + 2 * b, *corner = world + 2 * touch.feature[b];
        REQUIRE(!is_vertex || hypot(at[0] - corner[0], at[1] - corner[1]) < 1e-13, "case %d", k);
        /* on the line of its edge */
        const double *next = world + 2 * ((touch.feature[b] + 1) % n[b]);
        REQUIRE(is_vertex || fabs((double)shapes_turn(corner, next, at)) < 1e-13, "case %d", k);
        REQUIRE(fabs(hypot(at[0] - touch.point[2 * b], at[1] - touch.point[2 * b + 1]) - sizes.radius) <
                    1e-13,
                "case %d", k);
      }
      touches++;
    }
    nsdyn_shape_free(shape[0]);
    nsdyn_shape_free(shape[1]);
  }
  nsdyn_detector_free(detector);
  REQUIRE(is_common(touches, cases, 10), "%d", touches);
}
END_TEST

START_TEST(arguments)
{
  nsdyn_detector_options options;
  nsdyn_detector *detector = NULL;
  nsdyn_error error;
  nsdyn_touch touch = {.size = sizeof touch};
  nsdyn_detector_result result = {.size = 1};
  const double pose[3] = {0.0, 0.0, 0.0}, bad[3] = {0.0, INFINITY, 0.0}, none[] = {0.0, 0.0};
  nsdyn_shape *disk = shapes_make(NSDYN_SHAPE_CIRCLE, 1, none, 1.0);
  nsdyn_error_init(&error, sizeof error);
  ck_assert_int_eq(nsdyn_detector_options_init(&options, sizeof options), NSDYN_OK);
  options.skin = 0.0;
  ck_assert_int_eq(nsdyn_detector_new(NULL, &options, &detector, &error), NSDYN_ERR_ARGUMENT);
  ck_assert_ptr_nonnull(strstr(error.message, "option skin: 0"));
  options.skin = 1.0;
  options.skin_share = NAN;
  ck_assert_int_eq(nsdyn_detector_new(NULL, &options, &detector, &error), NSDYN_ERR_ARGUMENT);
  ck_assert_ptr_nonnull(strstr(error.message, "option skin_share"));
  ck_assert_int_eq(nsdyn_detector_new(NULL, NULL, NULL, NULL), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_detector_new(NULL, NULL, &detector, NULL), NSDYN_OK);
  ck_assert_int_eq(nsdyn_detector_search(NULL, disk, pose, disk, pose, 0.0, NULL), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_detector_search(detector, NULL, pose, disk, pose, 0.0, NULL), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_detector_search(detector, disk, pose, disk, bad, 0.0, NULL), NSDYN_ERR_NOT_FINITE);
  ck_assert_ptr_nonnull(strstr(nsdyn_detector_message(detector), "second body: y"));
  ck_assert_int_eq(nsdyn_detector_search(detector, disk, pose, disk, pose, NAN, NULL), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_detector_search(detector, disk, pose, disk, pose, 0.0, &result),
                   NSDYN_ERR_STRUCT_SIZE);
  ck_assert_int_eq(nsdyn_detector_search(detector, disk, pose, disk, pose, 0.0, NULL), NSDYN_OK);
  ck_assert_str_eq(nsdyn_detector_message(detector), "");
  ck_assert_int_eq(nsdyn_detector_touch(detector, 1, &touch), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_detector_touch(detector, 0, NULL), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_detector_touch(detector, 0, &touch), NSDYN_OK);
  ck_assert_int_eq(nsdyn_detector_report(NULL, NULL, NULL, NULL, 0, 0.0, 0, NULL), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_detector_report(detector, NULL, NULL, NULL, 0, 0.0, 0, NULL), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_detector_detail(detector, NULL), NSDYN_ERR_ARGUMENT);
  ck_assert_str_eq(nsdyn_detector_message(NULL), "");
  ck_assert_int_eq(nsdyn_detector_options_init(NULL, 1), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_detector_result_init(NULL, 1), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_detector_result_init(&result, sizeof result), NSDYN_OK);
  nsdyn_detector_free(NULL);
  nsdyn_detector_free(detector);
  nsdyn_shape_free(disk);
}
END_TEST

SUITE("geometry/detector", TEST(directions_belong_to_gaps), TEST(disk_rolls_down), TEST(box_rests),
      TEST(too_deep_is_told), TEST(keys_lead_back), TEST(touches_in_the_world), TEST(arguments))
