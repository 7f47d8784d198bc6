/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "worlds.h"

static nsdyn_contact_law law_of(double mu, double eps)
{
  nsdyn_contact_law law;
  nsdyn_contact_law_init(&law, sizeof law);
  law.mu = mu;
  law.eps_n = eps;
  return law;
}

/* Boxes of several materials side by side on the ground, thrown along it: each slides as far as v²/(2 μ g) of
 * its own pair says. */
START_TEST(each_pair_has_its_law)
{
  enum { BOXES = 5 };
  const double v = 2.0;
  nsdyn_world *world = worlds_new(0.1);
  const nsdyn_contact_law wood = law_of(0.4, 0.2), ice = law_of(0.9, 0.5), set = law_of(0.25, 0.0);
  const nsdyn_contact_law own = law_of(0.6, 0.0);
  int32_t material[3] = {0, -1, -1}, shape[BOXES], body[BOXES];
  GOOD(nsdyn_world_add_material(world, &wood, &material[1]));
  GOOD(nsdyn_world_add_material(world, &ice, &material[2]));
  ck_assert(material[1] == 1 && material[2] == 2);
  GOOD(nsdyn_world_set_law(world, material[2], 0, &set));
  const int32_t ground = worlds_attach(world, NSDYN_GROUND, worlds_ground());
  const int made_of[BOXES] = {0, 1, 2, 1, 1};
  for (int i = 0; i < BOXES; i++) {
    nsdyn_body_def def = worlds_body(5.0 * i, 0.05, 0.0);
    def.velocity[0] = v;
    body[i] = worlds_add(world, &def);
    nsdyn_attachment on;
    nsdyn_attachment_init(&on, sizeof on);
    on.material = material[made_of[i]];
    nsdyn_shape *box = worlds_box(0.5, 0.1);
    GOOD(nsdyn_world_attach(world, body[i], box, &on, &shape[i]));
    nsdyn_shape_free(box);
  }
  GOOD(nsdyn_world_set_pair(world, shape[3], ground, &set));
  GOOD(nsdyn_world_set_pair(world, shape[3], ground, &own)); /* the last one counts */
  nsdyn_system *sys = worlds_system(world);
  const double mu[BOXES] = {0.1, sqrt(0.1 * 0.4), 0.25, 0.6, sqrt(0.1 * 0.4)};
  nsdyn_event_driver *driver = worlds_driver(world, sys);
  ck_assert_msg(nsdyn_event_driver_advance(driver, 3.0) == NSDYN_OK, "%s",
                nsdyn_event_driver_message(driver));
  for (int i = 0; i < BOXES; i++) {
    const double way = v * v / (2.0 * mu[i] * 9.81);
    ck_assert_msg(fabs(nsdyn_event_driver_q(driver)[3 * i] - 5.0 * i - way) < 1e-8 * way, "%d: %g, %g", i,
                  nsdyn_event_driver_q(driver)[3 * i] - 5.0 * i, way);
  }
  int32_t one, other;
  GOOD(nsdyn_world_law(world, shape[1], ground, &one));
  GOOD(nsdyn_world_law(world, ground, shape[4], &other));
  ck_assert(one == other && one >= 0);
  GOOD(nsdyn_world_law(world, shape[3], ground, &other));
  ck_assert(one != other);
  ck_assert_int_eq(nsdyn_world_law(world, ground, ground, &one), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_world_law(NULL, ground, shape[1], &one), NSDYN_ERR_ARGUMENT);
  nsdyn_event_driver_free(driver);
  nsdyn_system_free(sys);
  nsdyn_world_free(world);
}
END_TEST

/* The smaller ε of two materials decides how high it bounces. */
START_TEST(lesser_restitution_counts)
{
  nsdyn_world *world = worlds_new(0.0);
  const nsdyn_contact_law hard = law_of(0.0, 0.9), soft = law_of(0.0, 0.5);
  nsdyn_attachment on;
  nsdyn_attachment_init(&on, sizeof on);
  GOOD(nsdyn_world_set_law(world, 0, 0, &hard));
  GOOD(nsdyn_world_add_material(world, &soft, &on.material));
  worlds_attach(world, NSDYN_GROUND, worlds_ground());
  nsdyn_body_def def = worlds_body(0.0, 1.1, 0.0);
  const double none[2] = {0.0, 0.0};
  nsdyn_shape *ball = shapes_make(NSDYN_SHAPE_CIRCLE, 1, none, 0.1);
  GOOD(nsdyn_world_attach(world, worlds_add(world, &def), ball, &on, NULL));
  nsdyn_shape_free(ball);
  nsdyn_system *sys = worlds_system(world);
  nsdyn_event_driver *driver = worlds_driver(world, sys);
  const double fall = sqrt(2.0 / 9.81);
  GOOD(nsdyn_event_driver_advance(driver, 1.5 * fall));
  ck_assert_msg(fabs(nsdyn_event_driver_q(driver)[1] - 0.35) < 1e-9, "%g", nsdyn_event_driver_q(driver)[1]);
  nsdyn_event_driver_free(driver);
  nsdyn_system_free(sys);
  nsdyn_world_free(world);
}
END_TEST

static int curve(void *user, double speed, double *mu)
{
  (void)user;
  *mu = 0.3 / (1.0 + speed);
  return 0;
}

START_TEST(laws_that_cannot_be)
{
  nsdyn_world *world = worlds_new(0.0);
  nsdyn_contact_law law = law_of(0.3, 0.0);
  nsdyn_system *sys = NULL;
  nsdyn_error error;
  nsdyn_error_init(&error, sizeof error);
  law.mu = -1.0;
  ck_assert_int_eq(nsdyn_world_add_material(world, &law, NULL), NSDYN_ERR_ARGUMENT);
  const char *words = nsdyn_world_message(world);
  nsdyn_detail detail = {.size = sizeof detail};
  ck_assert_msg(strncmp(words, "material 1: mu: -1", 18) == 0, "%s", words);
  GOOD(nsdyn_world_detail(world, &detail));
  ck_assert(detail.kind == NSDYN_DETAIL_NONE && detail.index == -1);
  ck_assert_int_eq(nsdyn_world_set_law(world, 0, 0, &law), NSDYN_ERR_ARGUMENT);
  ck_assert_msg(strncmp(words, "material 0: mu: -1", 18) == 0, "%s", words);
  law = law_of(0.3, 0.0);
  law.size = 5;
  ck_assert_int_eq(nsdyn_world_add_material(world, &law, NULL), NSDYN_ERR_STRUCT_SIZE);
  ck_assert_msg(strncmp(words, "material 1: ", 12) == 0, "%s", words);
  law = law_of(0.3, NAN);
  nsdyn_body_def still = worlds_body(0.0, -9.0, 0.0);
  still.kind = NSDYN_BODY_FIXED;
  const int32_t fixed = worlds_add(world, &still);
  const int32_t one = worlds_attach(world, fixed, worlds_box(1.0, 1.0));
  const int32_t two = worlds_attach(world, fixed, worlds_box(1.0, 1.0));
  ck_assert_int_eq(nsdyn_world_set_pair(world, one, two, &law), NSDYN_ERR_NOT_FINITE);
  ck_assert_msg(strncmp(words, "shapes 0 and 1: eps_n: nan", 26) == 0, "%s", words);
  law = law_of(0.3, 0.0);
  law.tangents = 2;
  ck_assert_int_eq(nsdyn_world_add_material(world, &law, NULL), NSDYN_ERR_ARGUMENT);
  ck_assert_ptr_nonnull(strstr(nsdyn_world_message(world), "plane"));
  ck_assert_int_eq(nsdyn_world_add_material(world, NULL, NULL), NSDYN_ERR_ARGUMENT);
  law = law_of(0.3, 0.0);
  ck_assert_int_eq(nsdyn_world_set_law(world, 0, 1, &law), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_world_set_law(world, -1, 0, &law), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_world_set_law(world, 0, 0, NULL), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_world_set_law(NULL, 0, 0, &law), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_world_set_pair(world, 0, 2, &law), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_world_set_pair(NULL, 0, 1, &law), NSDYN_ERR_ARGUMENT);
  /* Each two materials may have a law: there is an end to how many. */
  nsdyn_world *crowd = worlds_new(0.0);
  for (int i = 1; i < 1024; i++) {
    GOOD(nsdyn_world_add_material(crowd, &law, NULL));
  }
  ck_assert_int_eq(nsdyn_world_add_material(crowd, &law, NULL), NSDYN_ERR_TOO_LARGE);
  nsdyn_world_free(crowd);
  /* A curve and a number do not combine, unless nobody is of that material, or a law is given. */
  law.friction = NSDYN_FRICTION_CURVE;
  law.curve = curve;
  nsdyn_attachment on;
  nsdyn_attachment_init(&on, sizeof on);
  GOOD(nsdyn_world_add_material(world, &law, &on.material));
  nsdyn_body_def def = worlds_body(0.0, 0.5, 0.0);
  nsdyn_shape *box = worlds_box(1.0, 1.0);
  worlds_attach(world, NSDYN_GROUND, worlds_ground());
  GOOD(nsdyn_world_attach(world, worlds_add(world, &def), box, &on, NULL));
  nsdyn_shape_free(box);
  ck_assert_int_eq(nsdyn_world_system(world, NULL, &sys, &error), NSDYN_ERR_ARGUMENT);
  ck_assert_msg(strstr(error.message, "materials 1 and 0"), "%s", error.message);
  GOOD(nsdyn_world_set_law(world, 0, 1, &law));
  GOOD(nsdyn_world_system(world, NULL, &sys, &error));
  nsdyn_stepper *stepper = worlds_stepper(world, sys);
  GOOD(nsdyn_stepper_step(stepper, 1e-3));
  nsdyn_stepper_free(stepper);
  nsdyn_system_free(sys);
  nsdyn_world_free(world);
}
END_TEST

/* Laws that do not combine matter where shapes may touch, and there alone: not between shapes that stand
 * still, of one body, of a joint, or with a law of their own. The same shapes have no law. */
START_TEST(who_never_meets_needs_no_law)
{
  nsdyn_contact_law law = law_of(0.3, 0.0), plain = law_of(0.2, 0.0);
  law.friction = NSDYN_FRICTION_CURVE;
  law.curve = curve;
  for (int kind = 0; kind < 7; kind++) {
    nsdyn_world *world = worlds_new(0.0);
    nsdyn_attachment on;
    nsdyn_attachment_init(&on, sizeof on);
    GOOD(nsdyn_world_add_material(world, &law, &on.material));
    nsdyn_body_def def = worlds_body(0.0, 5.0, 0.0), fixed = worlds_body(0.0, -5.0, 0.0);
    fixed.kind = NSDYN_BODY_FIXED;
    const int32_t one = worlds_add(world, kind == 0 ? &fixed : &def);
    def.pose[1] = 9.0;
    const int32_t two = kind == 0 ? NSDYN_GROUND : kind == 1 ? one : worlds_add(world, &def);
    nsdyn_shape *box = worlds_box(1.0, 1.0);
    int32_t first, second, number = 7;
    GOOD(nsdyn_world_attach(world, one, box, &on, &first));
    nsdyn_shape_free(box);
    second = worlds_attach(world, two, worlds_box(1.0, 1.0));
    nsdyn_joint_def joint;
    nsdyn_joint_def_init(&joint, sizeof joint);
    joint.body[0] = two;
    joint.body[1] = one;
    joint.touch = kind == 5;
    if (kind == 2 || kind == 5) {
      GOOD(nsdyn_world_add_joint(world, &joint, NULL));
    } else if (kind == 3 || kind == 4) {
      GOOD(nsdyn_world_set_pair(world, second, first, kind == 3 ? &plain : NULL));
    }
    nsdyn_system *sys = NULL;
    nsdyn_error error;
    nsdyn_error_init(&error, sizeof error);
    const nsdyn_status status = nsdyn_world_system(world, NULL, &sys, &error);
    ck_assert_msg(status == (kind < 5 ? NSDYN_OK : NSDYN_ERR_ARGUMENT), "%d: %d: %s", kind, status,
                  error.message);
    if (kind < 5) {
      GOOD(nsdyn_world_law(world, first, second, &number));
      ck_assert_msg((number >= 0) == (kind == 3), "%d: %d", kind, (int)number);
    } else {
      ck_assert_msg(strstr(error.message, "materials 1 and 0"), "%s", error.message);
    }
    nsdyn_system_free(sys);
    nsdyn_world_free(world);
  }
}
END_TEST

/* Two shapes of one material, too, have no law where they never touch. */
START_TEST(law_of_who_never_touches)
{
  nsdyn_world *world = worlds_new(0.1);
  int32_t body[6], shape[6], law;
  for (int i = 0; i < 6; i++) {
    nsdyn_body_def def = worlds_body(3.0 * i, 0.0, 0.0);
    def.kind = i < 3 ? NSDYN_BODY_FREE : NSDYN_BODY_FIXED;
    body[i] = worlds_add(world, &def);
    shape[i] = worlds_attach(world, i == 2 ? body[1] : body[i], worlds_box(1.0, 1.0));
  }
  worlds_attach(world, body[2], worlds_box(1.0, 1.0));
  nsdyn_joint_def joint;
  nsdyn_joint_def_init(&joint, sizeof joint);
  for (int i = 5; i > 2; i--) { /* the last one first */
    joint.body[0] = body[i];
    joint.body[1] = body[0];
    GOOD(nsdyn_world_add_joint(world, &joint, NULL));
  }
  nsdyn_system *sys = worlds_system(world);
  for (int i = 0; i < 6; i++) {
    for (int k = 0; k < 6; k++) {
      const int is_same = (i == 1 && k == 2) || (i == 2 && k == 1), is_fixed = i > 2 && k > 2;
      const int is_held = (i == 0 && k > 2) || (k == 0 && i > 2);
      if (i != k) {
        GOOD(nsdyn_world_law(world, shape[i], shape[k], &law));
        ck_assert_msg((law < 0) == (is_same || is_fixed || is_held), "%d, %d: %d", i, k, (int)law);
      }
    }
  }
  nsdyn_system_free(sys);
  nsdyn_world_free(world);
}
END_TEST

SUITE("world/laws", TEST(each_pair_has_its_law), TEST(lesser_restitution_counts), TEST(laws_that_cannot_be),
      TEST(who_never_meets_needs_no_law), TEST(law_of_who_never_touches))
