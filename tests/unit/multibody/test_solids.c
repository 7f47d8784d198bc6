/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Solids on the bodies of trees: directions against differences of gaps, who touches whom and by which law,
 * and motions with contacts that the tree finds by itself. */
#include "multibody/solids.h"

#include "solids.h"
#include "trees.h"

/* ---- models ---- */

static nsdyn_solid *solid_of(int kind, double x, double y, double z, double radius)
{
  nsdyn_solid_def def;
  nsdyn_solid *solid = NULL;
  nsdyn_solid_def_init(&def, sizeof def);
  def.kind = kind;
  def.extent[0] = x, def.extent[1] = y, def.extent[2] = z;
  def.radius = radius;
  REQUIRE(nsdyn_solid_new(NULL, &def, &solid, NULL) == NSDYN_OK);
  return solid;
}

/* Puts a solid on a body, and lets go of it. */
static int32_t put(trees_model *m, int32_t body, nsdyn_solid *solid, int32_t material)
{
  nsdyn_tree_solid def;
  int32_t number = -1;
  nsdyn_tree_solid_init(&def, sizeof def);
  def.body = body;
  def.solid = solid;
  def.material = material;
  REQUIRE(nsdyn_tree_add_solid(m->tree, &def, &number) == NSDYN_OK, "%s", nsdyn_tree_message(m->tree));
  nsdyn_solid_free(solid);
  return number;
}

/* A free body of density 1 in the shape of a solid. */
static void add_free(trees_model *m, nsdyn_solid *solid, int32_t material)
{
  nsdyn_solid_properties properties;
  nsdyn_tree_body body;
  nsdyn_solid_properties_init(&properties, sizeof properties);
  REQUIRE(nsdyn_solid_measure(solid, &properties) == NSDYN_OK);
  nsdyn_tree_body_init(&body, sizeof body);
  body.joint = NSDYN_TREE_FREE;
  body.mass = properties.volume;
  memcpy(body.centre, properties.centroid, sizeof body.centre);
  memcpy(body.inertia, properties.inertia, sizeof body.inertia);
  trees_add(m, &body);
  put(m, m->bodies - 1, solid, material);
}

static void set_law(trees_model *m, int32_t first, int32_t second, double mu, double eps)
{
  nsdyn_contact_law law;
  nsdyn_contact_law_init(&law, sizeof law);
  law.tangents = 2;
  law.mu = mu;
  law.eps_n = eps;
  REQUIRE(nsdyn_tree_set_law(m->tree, first, second, &law) == NSDYN_OK, "%s", nsdyn_tree_message(m->tree));
}

/* The world's plane z = 0, and gravity that leans by `slope` towards x. */
static void begin_floor(trees_model *m, double slope)
{
  const double gravity[3] = {10.0 * sin(slope), 0.0, -10.0 * cos(slope)};
  trees_begin(m, gravity);
  put(m, -1, solid_of(NSDYN_SOLID_PLANE, 0.0, 0.0, 0.0, 0.0), 0);
}

/* ---- directions ---- */

/* Random trees with random solids: gaps and directions belong together, which the library's own check
 * compares along each velocity. */
START_TEST(directions_are_those_of_gaps)
{
  const int cases = random_cases(60);
  int found = 0;
  for (int number = 0; number < cases; number++) {
    random_state random = random_seed((uint64_t)number + 100);
    trees_model m;
    double q[TREES_NQ], u[TREES_NU];
    trees_make(&m, &random, 3 + random_below(&random, 12), 0);
    put(&m, -1, solid_of(NSDYN_SOLID_PLANE, 0.0, 0.0, 0.0, 0.0), 0);
    for (int i = 0; i < m.bodies && i < 6; i++) {
      solids_case c;
      int kind = random_below(&random, SOLIDS_KINDS);
      kind = kind == NSDYN_SOLID_PLANE ? NSDYN_SOLID_CAPSULE : kind;
      solids_make(&c, &random, kind, 0.3);
      put(&m, i, c.solid, 0);
    }
    nsdyn_system *sys = trees_system(&m, NULL);
    nsdyn_system_check_report report;
    nsdyn_system_check_report_init(&report, sizeof report);
    trees_state(&m, &random, q, u);
    REQUIRE(nsdyn_tree_retract(m.tree, q, u, 0.0, q) == NSDYN_OK); /* quaternions of norm 1 */
    const nsdyn_status status = nsdyn_system_check(sys, 0.0, q, u, &report);
    REQUIRE(status == NSDYN_OK, "case %d: %d, %s", number, (int)status, nsdyn_system_message(sys));
    found += m.bodies > 1;
    nsdyn_system_free(sys);
    trees_free(&m);
  }
  ck_assert(is_common(found, cases, 2));
}
END_TEST

/* ---- who touches whom ---- */

enum { MOST = 64 };

typedef struct heard {
  int count;
  int32_t solid[MOST][2];
} heard;

/* Contacts of a short step from q, by their keys. */
static heard listen(trees_model *m, const double *q, const double *u)
{
  heard h = {0};
  nsdyn_system *sys = trees_system(m, NULL);
  nsdyn_stepper *stepper = trees_step(sys, NSDYN_SCHEME_MOREAU, q, u, 1e-6, 1);
  nsdyn_step_report report;
  nsdyn_step_report_init(&report, sizeof report);
  nsdyn_stepper_report(stepper, &report);
  for (int32_t k = 0; k < report.active; k++) {
    nsdyn_contact_state state;
    int32_t feature[2];
    nsdyn_contact_state_init(&state, sizeof state);
    REQUIRE(nsdyn_stepper_active_contact(stepper, k, &state) == NSDYN_OK && h.count < MOST);
    REQUIRE(nsdyn_tree_solids_of_key(m->tree, state.key, h.solid[h.count++], feature) == NSDYN_OK);
    REQUIRE(feature[0] >= 0 && feature[1] >= 0);
  }
  nsdyn_stepper_free(stepper);
  nsdyn_system_free(sys);
  return h;
}

/* Balls on a chain of hinges, each partly in the next one, and a fixed one in the last of them; bent to a
 * right angle the first one is 1e-9 from the last. */
static void make_beads(trees_model *m, int mask)
{
  const double gravity[3] = {0.0};
  trees_begin(m, gravity);
  for (int i = 0; i < 4; i++) {
    nsdyn_tree_body body;
    nsdyn_tree_body_init(&body, sizeof body);
    body.parent = i - 1;
    body.joint = i < 3 ? NSDYN_TREE_REVOLUTE : NSDYN_TREE_FIXED;
    body.joint_place[0] = i < 3 ? 0.125 : 0.0;
    body.mass = 1.0;
    body.inertia[0] = body.inertia[1] = body.inertia[2] = 1.0;
    trees_add(m, &body);
    nsdyn_tree_solid def;
    nsdyn_tree_solid_init(&def, sizeof def);
    def.solid = solid_of(NSDYN_SOLID_SPHERE, 0.0, 0.0, 0.0, 0.5 * (0.125 * sqrt(2.0) - 1e-9));
    def.body = i;
    def.group = 1 << i;
    def.touches = i == 0 ? mask : -1;
    REQUIRE(nsdyn_tree_add_solid(m->tree, &def, NULL) == NSDYN_OK);
    nsdyn_solid_free(def.solid);
  }
}

/* Neighbours and what moves as one do not touch: of 0 1 2 (3 on 2) these are 0 and 2, 0 and 3. */
START_TEST(neighbours_and_masked_ones_do_not_touch)
{
  const double q[3] = {0.0, 1.5707963267948966, 0.0}, u[3] = {0.0, 1.0, 0.0};
  trees_model m;
  make_beads(&m, -1);
  heard h = listen(&m, q, u);
  ck_assert_int_eq(h.count, 2);
  for (int k = 0; k < 2; k++) {
    ck_assert_int_eq(h.solid[k][0], 0);
    ck_assert_int_ge(h.solid[k][1], 2);
  }
  trees_free(&m);
  make_beads(&m, 1 << 3);
  h = listen(&m, q, u);
  ck_assert_int_eq(h.count, 1);
  ck_assert_int_eq(h.solid[0][1], 3);
  trees_free(&m);
}
END_TEST

/* ---- motions ---- */

/* A ball that falls from h: events at √(2 h/g), then after each flight of 2 ε v/g; its law is that of its
 * material with the floor's. */
START_TEST(balls_bounce_when_they_should)
{
  static const double eps[3] = {0.5, 0.8, 0.0};
  const double r = 0.25, h = 1.3, v = sqrt(2.0 * 10.0 * h);
  for (int material = 0; material < 3; material++) {
    trees_model m;
    begin_floor(&m, 0.0);
    for (int k = 0; k < 2; k++) {
      set_law(&m, k, 0, 0.3, eps[k]);
    }
    set_law(&m, 2, 0, 0.3, 0.9);
    set_law(&m, 0, 2, 0.3, eps[2]); /* the same pair: the last word counts */
    add_free(&m, solid_of(NSDYN_SOLID_SPHERE, 0.0, 0.0, 0.0, r), material);
    const double q[7] = {0.0, 0.0, h + r, 1.0}, u[6] = {0.2, 0.0, 0.0};
    nsdyn_system *sys = trees_system(&m, NULL);
    const double first = v / 10.0, t_end = first + 0.9 * 2.0 * eps[material] * v / 10.0 + 0.01;
    nsdyn_event_driver *driver = trees_drive(sys, q, u, 1e-11, t_end);
    const double s = t_end - first, z = eps[material] * v * s - 5.0 * s * s;
    ck_assert_double_eq_tol(nsdyn_event_driver_q(driver)[2], r + (eps[material] > 0.0 ? z : 0.0), 1e-9);
    nsdyn_event_driver_free(driver);
    nsdyn_system_free(sys);
    trees_free(&m);
  }
}
END_TEST

/* A box on a slope below its friction angle stays where it is, step after step. */
START_TEST(boxes_at_rest_do_not_creep)
{
  const int steps = is_brief() ? 50 : is_quick() ? 1000 : 10000;
  trees_model m;
  begin_floor(&m, 0.3);
  set_law(&m, 0, 0, 0.5, 0.2);
  add_free(&m, solid_of(NSDYN_SOLID_BOX, 0.4, 0.3, 0.2, 0.0), 0);
  const double q[7] = {1.0, 2.0, 0.1, 1.0}, u[6] = {0.0};
  nsdyn_system *sys = trees_system(&m, NULL);
  nsdyn_stepper *stepper = trees_step(sys, NSDYN_SCHEME_MOREAU, q, u, 1e-3, steps);
  for (int i = 0; i < 7; i++) {
    REQUIRE(fabs(nsdyn_stepper_q(stepper)[i] - q[i]) <= 1e-11, "q[%d] = %.17g", i,
            nsdyn_stepper_q(stepper)[i]);
  }
  nsdyn_stepper_free(stepper);
  nsdyn_system_free(sys);
  trees_free(&m);
}
END_TEST

/* Boxes fall on each other, and lie as a tower: each at the height of those below it. */
START_TEST(boxes_that_fall_become_a_tower)
{
  enum { BOXES = 4 };
  const int steps = is_brief() ? 20 : 1500;
  trees_model m;
  double q[7 * BOXES] = {0.0}, u[6 * BOXES] = {0.0};
  begin_floor(&m, 0.0);
  set_law(&m, 0, 0, 0.6, 0.0);
  for (int i = 0; i < BOXES; i++) {
    add_free(&m, solid_of(NSDYN_SOLID_BOX, 1.0, 1.0, 0.2, 0.0), 0);
    q[7 * i] = 0.05 * i;
    q[7 * i + 2] = 0.1 + 0.25 * i;
    nsdyn_quaternion_from_axis_angle((double[]){0.0, 0.0, 1.0}, 0.2 * i, q + 7 * i + 3);
  }
  nsdyn_system *sys = trees_system(&m, NULL);
  nsdyn_stepper *stepper = trees_step(sys, NSDYN_SCHEME_MOREAU, q, u, 1e-3, steps);
  for (int i = 0; i < BOXES && !is_brief(); i++) {
    const double z = nsdyn_stepper_q(stepper)[7 * i + 2], x = nsdyn_stepper_q(stepper)[7 * i];
    REQUIRE(fabs(z - 0.1 - 0.2 * i) <= 5e-3 * (i + 1), "box %d is at z = %g", i, z);
    REQUIRE(fabs(x - 0.05 * i) <= 1e-3, "box %d is at x = %g", i, x);
    for (int k = 0; k < 6; k++) {
      REQUIRE(fabs(nsdyn_stepper_u(stepper)[6 * i + k]) <= 1e-9, "box %d moves", i);
    }
  }
  nsdyn_stepper_free(stepper);
  nsdyn_system_free(sys);
  trees_free(&m);
}
END_TEST

/* ---- what is refused ---- */

START_TEST(refusals_name_what_is_wrong)
{
  trees_model m;
  nsdyn_tree_solid def;
  nsdyn_contact_law law;
  nsdyn_error error = {.size = sizeof error};
  nsdyn_system *sys = NULL;
  begin_floor(&m, 0.0);
  nsdyn_tree_solid_init(&def, sizeof def);
  def.name = "plate";
  ck_assert_int_eq(nsdyn_tree_add_solid(m.tree, &def, NULL), NSDYN_ERR_ARGUMENT);
  ck_assert_str_eq(nsdyn_tree_message(m.tree), "nsdyn_tree_add_solid: solid 1 (plate): solid is NULL");
  def.solid = solid_of(NSDYN_SOLID_BOX, 1.0, 1.0, 1.0, 0.0);
  def.body = 3;
  ck_assert_int_eq(nsdyn_tree_add_solid(m.tree, &def, NULL), NSDYN_ERR_ARGUMENT);
  def.body = -1;
  def.material = 1024;
  ck_assert_int_eq(nsdyn_tree_add_solid(m.tree, &def, NULL), NSDYN_ERR_ARGUMENT);
  def.material = 0;
  def.turn[0] = 0.0;
  ck_assert_int_eq(nsdyn_tree_add_solid(m.tree, &def, NULL), NSDYN_ERR_ARGUMENT);
  def.turn[0] = NAN;
  ck_assert_int_eq(nsdyn_tree_add_solid(m.tree, &def, NULL), NSDYN_ERR_NOT_FINITE);
  nsdyn_solid_free(def.solid);
  ck_assert_int_eq(nsdyn_tree_solids(m.tree), 1);
  ck_assert_int_eq(nsdyn_tree_find_solid(m.tree, "plate"), -1);
  nsdyn_contact_law_init(&law, sizeof law); /* one tangent */
  ck_assert_int_eq(nsdyn_tree_set_law(m.tree, 0, 1, &law), NSDYN_ERR_ARGUMENT);
  law.tangents = 2;
  law.mu = -1.0;
  ck_assert_int_eq(nsdyn_tree_set_law(m.tree, 0, 1, &law), NSDYN_ERR_ARGUMENT);
  ck_assert_str_eq(nsdyn_tree_message(m.tree),
                   "nsdyn_tree_set_law: materials 0 and 1: mu: -1 is not a friction coefficient >= 0");
  law.mu = 0.0;
  ck_assert_int_eq(nsdyn_tree_set_law(m.tree, 0, -1, &law), NSDYN_ERR_ARGUMENT);
  ck_assert_uint_eq(nsdyn_tree_write_text(m.tree, NULL, 0), 0);
  add_free(&m, solid_of(NSDYN_SOLID_BOX, 1.0, 1.0, 1.0, 0.0), 0);
  put(&m, 0, solid_of(NSDYN_SOLID_PLANE, 0.0, 0.0, 0.0, 0.0), 0);
  ck_assert_int_eq(nsdyn_tree_system_new(NULL, m.tree, NULL, &sys, &error), NSDYN_ERR_UNSUPPORTED);
  ck_assert_str_eq(error.message,
                   "nsdyn_tree_system_new: solid 0, a plane, and solid 2, a plane, cannot be compared");
  int32_t solid[2], feature[2];
  ck_assert_int_eq(nsdyn_tree_solids_of_key(m.tree, 0, solid, feature), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_tree_solids_of_key(m.tree, INT64_MIN, solid, feature), NSDYN_ERR_ARGUMENT);
  trees_free(&m);
}
END_TEST

/* clang-format off */
SUITE("multibody/solids",
  TEST(directions_are_those_of_gaps),
  TEST(neighbours_and_masked_ones_do_not_touch),
  TEST(balls_bounce_when_they_should),
  TEST(boxes_at_rest_do_not_creep),
  TEST(boxes_that_fall_become_a_tower),
  TEST(refusals_name_what_is_wrong))
/* clang-format on */
