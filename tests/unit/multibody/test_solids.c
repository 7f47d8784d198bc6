/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Solids on the bodies of trees: directions against differences of gaps, who touches whom and by which law,
 * and motions with contacts that the tree finds by itself. */
#include "multibody/solids.h"

#include "solids.h"
#include "system/found_contacts.h"
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

/* The same, somewhere on the body and turned there. */
static void put_anywhere(trees_model *m, random_state *random, int32_t body, nsdyn_solid *solid)
{
  nsdyn_tree_solid def;
  nsdyn_tree_solid_init(&def, sizeof def);
  def.body = body;
  def.solid = solid;
  trees_vector(random, 0.5, def.place);
  for (int i = 0; i < 4; i++) { /* of any norm */
    def.turn[i] = random_normal(random);
  }
  REQUIRE(nsdyn_tree_add_solid(m->tree, &def, NULL) == NSDYN_OK, "%s", nsdyn_tree_message(m->tree));
  nsdyn_solid_free(solid);
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

/* How many contacts there are, as who finds more after the tree sees it. */
static int count_found(void *user, double t, const double *q, const double *u, double margin,
                       nsdyn_contact_sink *sink)
{
  int *most = user;
  (void)t, (void)q, (void)u, (void)margin;
  *most = sink->count > *most ? sink->count : *most;
  return 0;
}

/* Random trees with random solids, each anywhere on its body: gaps and directions belong together, which the
 * library's own check compares along each velocity. */
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
      put_anywhere(&m, &random, i, c.solid);
    }
    int contacts = 0;
    nsdyn_system_def own;
    nsdyn_system_def_init(&own, sizeof own);
    own.user = &contacts;
    own.find = count_found;
    nsdyn_system *sys = trees_system(&m, &own);
    nsdyn_system_check_report report;
    nsdyn_system_check_report_init(&report, sizeof report);
    trees_state(&m, &random, q, u);
    REQUIRE(nsdyn_tree_retract(m.tree, q, u, 0.0, q) == NSDYN_OK); /* quaternions of norm 1 */
    const nsdyn_status status = nsdyn_system_check(sys, 0.0, q, u, &report);
    REQUIRE(status == NSDYN_OK, "case %d: %d, %s", number, (int)status, nsdyn_system_message(sys));
    found += contacts > 1;
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

/* A joint of two bodies, or of one with the world, as they stand. */
static void add_loop(trees_model *m, int32_t first, int32_t second)
{
  nsdyn_tree_loop loop;
  nsdyn_tree_loop_init(&loop, sizeof loop);
  loop.body[0] = first;
  loop.body[1] = second;
  REQUIRE(nsdyn_tree_add_loop(m->tree, &loop, NULL) == NSDYN_OK, "%s", nsdyn_tree_message(m->tree));
}

/* A joint that closes a loop joins as one of the tree does, and joins what is fixed to its bodies, too: none
 * is left of the two touches. One with the world takes nothing away. */
START_TEST(bodies_that_a_loop_joins_do_not_touch)
{
  static const int32_t joined[3][2] = {{0, 2}, {3, 0}, {2, -1}};
  const double q[3] = {0.0, 1.5707963267948966, 0.0}, u[3] = {0.0};
  for (int k = 0; k < 3; k++) {
    trees_model m;
    int contacts = 0;
    nsdyn_system_def own;
    nsdyn_system_def_init(&own, sizeof own);
    own.user = &contacts;
    own.find = count_found;
    make_beads(&m, -1);
    REQUIRE(nsdyn_tree_set_state(m.tree, q, NULL) == NSDYN_OK);
    add_loop(&m, joined[k][0], joined[k][1]);
    nsdyn_system *sys = trees_system(&m, &own);
    ck_assert_int_eq(nsdyn_system_check(sys, 0.0, q, u, NULL), NSDYN_OK);
    REQUIRE(contacts == (k < 2 ? 0 : 2), "joint of %d and %d: %d touch", (int)joined[k][0], (int)joined[k][1],
            contacts);
    nsdyn_system_free(sys);
    trees_free(&m);
  }
}
END_TEST

/* A system that could not be made, here as there is no `gap`, leaves the tree open: what is added then is
 * searched for contacts in memory of its own. */
START_TEST(trees_grow_after_a_failure)
{
  enum { BALLS = 5 };
  trees_model m;
  double q[7 * BALLS] = {0.0}, u[6 * BALLS] = {0.0};
  nsdyn_system_def own;
  nsdyn_system_def_init(&own, sizeof own);
  begin_floor(&m, 0.0);
  for (int i = 0; i < BALLS; i++) {
    nsdyn_system *none = NULL;
    add_free(&m, solid_of(NSDYN_SOLID_SPHERE, 0.0, 0.0, 0.0, 0.25), 0);
    q[7 * i] = 2.0 * i;
    q[7 * i + 2] = 0.25 - 1e-12;
    q[7 * i + 3] = 1.0;
    own.ncontacts = 1;
    ck_assert_int_ne(nsdyn_tree_system_new(NULL, m.tree, &own, &none, NULL), NSDYN_OK);
    ck_assert_ptr_null(none);
    ck_assert_int_eq(m.tree->search->solids, i + 2);
    ck_assert_int_eq(m.tree->search->nu, 6 * (i + 1));
  }
  const heard h = listen(&m, q, u);
  ck_assert_int_eq(h.count, BALLS);
  trees_free(&m);
}
END_TEST

/* Keys are those of two features of different solids, the one with the smaller number first. */
START_TEST(keys_are_of_two_solids_in_their_order)
{
  trees_model m;
  int32_t solid[2], feature[2];
  int good = 0;
  begin_floor(&m, 0.0);
  add_free(&m, solid_of(NSDYN_SOLID_SPHERE, 0.0, 0.0, 0.0, 0.5), 0);
  add_free(&m, solid_of(NSDYN_SOLID_CAPSULE, 1.0, 0.0, 0.0, 0.5), 0);
  const int32_t features = m.tree->features;
  for (int32_t a = 0; a <= features; a++) {
    for (int32_t b = 0; b <= features; b++) {
      const int64_t key = -1 - ((int64_t)a * NSD_TREE_FEATURES + b);
      if (nsdyn_tree_solids_of_key(m.tree, key, solid, feature) == NSDYN_OK) {
        REQUIRE(solid[0] < solid[1], "key %lld is of %d and %d", (long long)key, (int)solid[0],
                (int)solid[1]);
        good++;
      }
    }
  }
  /* of 1, 1 and f features: 1·1 + (1 + 1)·f */
  ck_assert_int_eq(nsdyn_tree_solids(m.tree), 3);
  ck_assert_int_eq(good, 1 + 2 * (features - 2));
  trees_free(&m);
}
END_TEST

/* ---- laws ---- */

/* Numbers of laws in a system: 0 is that of all pairs without one of their own, the others follow in their
 * order, then the user's. Balls of four materials strike the floor, and laws that are replaced by their
 * numbers say how fast they leave it: u⁺ = −ε u⁻. */
START_TEST(laws_are_replaced_by_their_numbers)
{
  enum { BALLS = 4 };
  static const int pairs[3][2] = {{2, 0}, {0, 0}, {0, 1}}, number_of[BALLS] = {0, 2, 1, 0};
  for (int set = 0; set < 4; set++) { /* the first `set` of the pairs have laws */
    trees_model m;
    double q[7 * BALLS] = {0.0}, u[6 * BALLS] = {0.0};
    nsdyn_contact_law law;
    int32_t number = -1;
    const double still[3] = {0.0};
    trees_begin(&m, still);
    put(&m, -1, solid_of(NSDYN_SOLID_PLANE, 0.0, 0.0, 0.0, 0.0), 0);
    for (int i = 0; i < BALLS; i++) {
      add_free(&m, solid_of(NSDYN_SOLID_SPHERE, 0.0, 0.0, 0.0, 0.5), i);
      q[7 * i] = 2.0 * i;
      q[7 * i + 2] = 0.5 - 1e-12;
      q[7 * i + 3] = 1.0;
      u[6 * i + 2] = -1.0;
    }
    for (int i = 0; i < set; i++) {
      set_law(&m, pairs[i][0], pairs[i][1], 0.0, 0.01);
      set_law(&m, pairs[i][1], pairs[i][0], 0.0, 0.02); /* the same pair */
    }
    nsdyn_system *sys = trees_system(&m, NULL);
    const int others = set == 3 ? 2 : set > 0; /* than that of material 0 with itself */
    nsdyn_contact_law_init(&law, sizeof law);
    ck_assert_int_eq(nsdyn_system_add_law(sys, &law, &number), NSDYN_OK);
    ck_assert_int_eq(number, 1 + others);
    law.tangents = 2;
    for (int i = 0; i <= others; i++) {
      law.eps_n = 0.25 * (i + 1);
      ck_assert_int_eq(nsdyn_system_set_law(sys, i, &law), NSDYN_OK);
    }
    nsdyn_stepper *stepper = trees_step(sys, NSDYN_SCHEME_MOREAU, q, u, 1e-9, 1);
    for (int i = 0; i < BALLS; i++) {
      const double eps = 0.25 * ((number_of[i] <= others ? number_of[i] : 0) + 1);
      const double up = nsdyn_stepper_u(stepper)[6 * i + 2];
      REQUIRE(fabs(up - eps) <= 1e-9 * eps, "%d laws, ball %d: %g instead of %g", set, i, up, eps);
    }
    nsdyn_stepper_free(stepper);
    nsdyn_system_free(sys);
    trees_free(&m);
  }
}
END_TEST

/* A tree without solids has the laws that were set, before yours; without laws it has none. */
START_TEST(laws_without_solids_are_counted)
{
  for (int set = 0; set < 3; set++) {
    trees_model m;
    nsdyn_contact_law law;
    int32_t number = -1;
    const double still[3] = {0.0};
    trees_begin(&m, still);
    nsdyn_tree_body body;
    nsdyn_tree_body_init(&body, sizeof body);
    body.joint = NSDYN_TREE_PRISMATIC;
    body.mass = 1.0;
    trees_add(&m, &body);
    for (int i = 0; i < set; i++) {
      set_law(&m, i, 1, 0.0, 0.5);
    }
    nsdyn_system *sys = trees_system(&m, NULL);
    nsdyn_contact_law_init(&law, sizeof law);
    ck_assert_int_eq(nsdyn_system_add_law(sys, &law, &number), NSDYN_OK);
    ck_assert_int_eq(number, set ? 1 + set : 0);
    nsdyn_system_free(sys);
    trees_free(&m);
  }
}
END_TEST

/* ---- reports ---- */

/* Balls that fall on the floor with v are v Δt/2 deep at the middle of a step, and stay there. The report
 * names the deepest, in whatever order they come. */
START_TEST(the_deepest_contact_is_reported)
{
  enum { BALLS = 3 };
  for (int deepest = 0; deepest < BALLS; deepest++) {
    trees_model m;
    double q[7 * BALLS] = {0.0}, u[6 * BALLS] = {0.0};
    nsdyn_stepper_options options;
    nsdyn_step_report report;
    nsdyn_stepper *stepper = NULL;
    const double still[3] = {0.0};
    int32_t solid[2], feature[2];
    trees_begin(&m, still);
    put(&m, -1, solid_of(NSDYN_SOLID_PLANE, 0.0, 0.0, 0.0, 0.0), 0);
    for (int i = 0; i < BALLS; i++) {
      add_free(&m, solid_of(NSDYN_SOLID_SPHERE, 0.0, 0.0, 0.0, 0.5), 0);
      q[7 * i] = 2.0 * i;
      q[7 * i + 2] = 0.5;
      q[7 * i + 3] = 1.0;
      u[6 * i + 2] = i == deepest ? -1.0 : -1e-3 * (i + 1);
    }
    nsdyn_system *sys = trees_system(&m, NULL);
    nsdyn_stepper_options_init(&options, sizeof options);
    options.scheme = NSDYN_SCHEME_MOREAU;
    options.project = NSDYN_PROJECT_NONE;
    ck_assert_int_eq(nsdyn_stepper_new(NULL, sys, &options, &stepper, NULL), NSDYN_OK);
    ck_assert_int_eq(nsdyn_stepper_set_state(stepper, 0.0, q, u), NSDYN_OK);
    REQUIRE(nsdyn_stepper_step(stepper, 2e-3) == NSDYN_OK, "%s", nsdyn_stepper_message(stepper));
    nsdyn_step_report_init(&report, sizeof report);
    ck_assert_int_eq(nsdyn_stepper_report(stepper, &report), NSDYN_OK);
    ck_assert_int_eq(report.active, BALLS);
    REQUIRE(fabs(report.gap - 1e-3) <= 1e-12, "ball %d is the deepest: %g", deepest, report.gap);
    ck_assert_int_eq(report.worst_contact, -1);
    ck_assert_int_eq(nsdyn_tree_solids_of_key(m.tree, report.worst_key, solid, feature), NSDYN_OK);
    ck_assert_int_eq(solid[1], deepest + 1);
    nsdyn_stepper_free(stepper);
    nsdyn_system_free(sys);
    trees_free(&m);
  }
}
END_TEST

/* A ball that bounces more often than it may: the message names its contact, though it is in the air. */
START_TEST(messages_name_contacts_of_solids)
{
  trees_model m;
  nsdyn_event_driver_options options;
  nsdyn_event_driver *driver = NULL;
  begin_floor(&m, 0.0);
  set_law(&m, 0, 0, 0.0, 0.9);
  add_free(&m, solid_of(NSDYN_SOLID_SPHERE, 0.0, 0.0, 0.0, 0.25), 0);
  const double q[7] = {0.0, 0.0, 1.25, 1.0}, u[6] = {0.0};
  nsdyn_system *sys = trees_system(&m, NULL);
  nsdyn_event_driver_options_init(&options, sizeof options);
  options.max_rate = 3.0;
  ck_assert_int_eq(nsdyn_event_driver_new(NULL, sys, &options, &driver, NULL), NSDYN_OK);
  ck_assert_int_eq(nsdyn_event_driver_set_state(driver, 0.0, q, u), NSDYN_OK);
  ck_assert_int_eq(nsdyn_event_driver_advance(driver, 10.0), NSDYN_MAX_ITERATIONS);
  const char *message = nsdyn_event_driver_message(driver);
  REQUIRE(strstr(message, "max_rate = 3 ") && strstr(message, "contact with key -"), "%s", message);
  nsdyn_event_driver_free(driver);
  nsdyn_system_free(sys);
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
  nsdyn_detail detail;
  nsdyn_system *sys = NULL;
  begin_floor(&m, 0.0);
  nsdyn_tree_solid_init(&def, sizeof def);
  nsdyn_detail_init(&detail, sizeof detail);
  def.name = "plate";
  ck_assert_int_eq(nsdyn_tree_add_solid(m.tree, &def, NULL), NSDYN_ERR_ARGUMENT);
  ck_assert_str_eq(nsdyn_tree_message(m.tree), "nsdyn_tree_add_solid: solid 1 (plate): solid is NULL");
  def.solid = solid_of(NSDYN_SOLID_BOX, 1.0, 1.0, 1.0, 0.0);
  def.body = 3;
  ck_assert_int_eq(nsdyn_tree_add_solid(m.tree, &def, NULL), NSDYN_ERR_ARGUMENT);
  ck_assert_str_eq(nsdyn_tree_message(m.tree),
                   "nsdyn_tree_add_solid: solid 1 (plate): body is 3; there is only the world, -1");
  def.body = -1;
  def.material = 1024;
  ck_assert_int_eq(nsdyn_tree_add_solid(m.tree, &def, NULL), NSDYN_ERR_ARGUMENT);
  def.material = 0;
  def.turn[0] = 0.0;
  ck_assert_int_eq(nsdyn_tree_add_solid(m.tree, &def, NULL), NSDYN_ERR_ARGUMENT);
  def.turn[0] = NAN;
  ck_assert_int_eq(nsdyn_tree_add_solid(m.tree, &def, NULL), NSDYN_ERR_NOT_FINITE);
  ck_assert_str_eq(nsdyn_tree_message(m.tree), "nsdyn_tree_add_solid: solid 1 (plate): turn is not finite");
  ck_assert_int_eq(nsdyn_tree_detail(m.tree, &detail), NSDYN_OK);
  ck_assert_int_eq(detail.kind, NSDYN_DETAIL_FIELD);
  ck_assert_int_eq(detail.index, (int64_t)offsetof(nsdyn_tree_solid, turn));
  def.place[2] = INFINITY;
  ck_assert_int_eq(nsdyn_tree_add_solid(m.tree, &def, NULL), NSDYN_ERR_NOT_FINITE);
  ck_assert_int_eq(nsdyn_tree_detail(m.tree, &detail), NSDYN_OK);
  ck_assert_int_eq(detail.index, (int64_t)offsetof(nsdyn_tree_solid, place));
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
  law.kind = NSDYN_CONTACT_BILATERAL;
  ck_assert_int_eq(nsdyn_tree_set_law(m.tree, 0, 1, &law), NSDYN_ERR_ARGUMENT);
  ck_assert_str_eq(nsdyn_tree_message(m.tree), "nsdyn_tree_set_law: materials 0 and 1: kind is that of a "
                                               "slot, but solids only touch");
  ck_assert_int_eq(nsdyn_tree_detail(m.tree, &detail), NSDYN_OK);
  ck_assert_int_eq(detail.index, (int64_t)offsetof(nsdyn_contact_law, kind));
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
  TEST(bodies_that_a_loop_joins_do_not_touch),
  TEST(trees_grow_after_a_failure),
  TEST(keys_are_of_two_solids_in_their_order),
  TEST(laws_are_replaced_by_their_numbers),
  TEST(laws_without_solids_are_counted),
  TEST(the_deepest_contact_is_reported),
  TEST(messages_name_contacts_of_solids),
  TEST(balls_bounce_when_they_should),
  TEST(boxes_at_rest_do_not_creep),
  TEST(boxes_that_fall_become_a_tower),
  TEST(refusals_name_what_is_wrong))
/* clang-format on */
