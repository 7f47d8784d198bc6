/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdio.h>

#include "trees.h"

/* ---- a little XML: elements and attributes with ", nothing else ---- */

enum { MOST_ATTRIBUTES = 16, MOST_TEXT = 4096 };

/* Hands on all elements of a text, with their lines; the status of the last call. */
static nsdyn_status feed(nsdyn_urdf *urdf, const char *xml)
{
  static char copy[MOST_TEXT];
  nsdyn_status status = NSDYN_OK;
  int line = 1;
  REQUIRE(strlen(xml) < sizeof copy);
  strcpy(copy, xml);
  for (char *at = copy; *at && !status; at++) {
    const char *attributes[2 * MOST_ATTRIBUTES + 1] = {NULL};
    line += *at == '\n';
    if (*at != '<') {
      continue;
    }
    if (at[1] == '/') {
      status = nsdyn_urdf_end(urdf);
      continue;
    }
    char *name = at + 1, *last = strchr(name, '>');
    const int is_empty = last[-1] == '/';
    int count = 0;
    *last = '\0';
    if (is_empty) {
      last[-1] = '\0';
    }
    char *from = name + strcspn(name, " ");
    while (*from) { /* name="value" */
      REQUIRE(count < 2 * MOST_ATTRIBUTES);
      *from++ = '\0';
      attributes[count++] = from;
      from += strcspn(from, "=");
      *from = '\0';
      attributes[count++] = from + 2;
      from += 2 + strcspn(from + 2, "\"");
      *from++ = '\0';
    }
    status = nsdyn_urdf_start(urdf, line, name, attributes);
    status = status || !is_empty ? status : nsdyn_urdf_end(urdf);
    at = last;
    *at = ' ';
  }
  return status;
}

static nsdyn_urdf *reader_of(const nsdyn_urdf_options *options)
{
  nsdyn_urdf *urdf = NULL;
  REQUIRE(nsdyn_urdf_new(NULL, options, &urdf, NULL) == NSDYN_OK);
  return urdf;
}

/* ---- what a robot becomes ---- */

static const char arm[] =
    "<robot name=\"arm\">\n"
    "<material name=\"blue\"><color rgba=\"0 0 1 1\"/></material>\n"
    "<joint name=\"elbow\" type=\"revolute\"><parent link=\"upper\"/><child link=\"fore\"/>"
    "<origin xyz=\"0.1 0.2 0.5\" rpy=\"0.3 -0.4 0.5\"/><axis xyz=\"0 2 0\"/>"
    "<limit lower=\"-1\" upper=\"2\" effort=\"9\" velocity=\"3\"/>"
    "<dynamics damping=\"0.25\" friction=\"0.5\"/></joint>\n"
    "<link name=\"base\"/>\n"
    "<link name=\"upper\"><inertial><origin xyz=\"0 0 0.25\" rpy=\"0 0 0\"/><mass value=\"2\"/>"
    "<inertia ixx=\"0.1\" iyy=\"0.2\" izz=\"0.15\" ixy=\"0.01\" ixz=\"0\" iyz=\"0\"/></inertial>"
    "<visual><geometry><box size=\"1 1 1\"/></geometry></visual>"
    "<collision><origin xyz=\"0 0 1\" rpy=\"0 0 0\"/><geometry><capsule radius=\"0.1\" "
    "length=\"0.4\"/></geometry></collision></link>\n"
    "<link name=\"fore\"><inertial><origin xyz=\"0.1 0 0\" rpy=\"0.2 0.7 -1.1\"/>"
    "<mass value=\"1\"/><inertia ixx=\"0.1\" iyy=\"0.2\" izz=\"0.15\"/></inertial>"
    "<collision><geometry><box size=\"1 2 3\"/></geometry></collision></link>\n"
    "<joint name=\"shoulder\" type=\"continuous\"><parent link=\"base\"/>"
    "<child link=\"upper\"/></joint>\n"
    "<link name=\"finger\"><inertial><mass value=\"0.5\"/></inertial></link>"
    "<joint name=\"grip\" type=\"prismatic\"><parent link=\"fore\"/><child link=\"finger\"/>"
    "<limit effort=\"1\" velocity=\"1\" lower=\"-5\" upper=\"5\"/>"
    "<mimic joint=\"elbow\" multiplier=\"0.5\" offset=\"0.25\"/></joint>\n"
    "</robot>";

/* Rz(yaw) Ry(pitch) Rx(roll), by rows. */
static void turn_by_hand(double roll, double pitch, double yaw, double *R)
{
  const double a = cos(roll), b = sin(roll), c = cos(pitch), d = sin(pitch), e = cos(yaw), f = sin(yaw);
  const double Q[9] = {
      e * c, e * d * b - f * a, e * d * a + f * b, f * c, f * d * b + e * a, f * d * a - e * b, -d, c * b,
      c * a};
  memcpy(R, Q, sizeof Q);
}

/* The same robot body by body. */
static void make_arm(trees_model *m)
{
  const double gravity[3] = {0.0, 0.0, -9.81};
  nsdyn_tree_body b;
  double R[9];
  trees_begin(m, gravity);
  nsdyn_tree_body_init(&b, sizeof b);
  trees_add(m, &b);
  b.parent = 0; /* upper */
  b.joint = NSDYN_TREE_REVOLUTE;
  b.axis[0] = 1.0;
  b.axis[2] = 0.0;
  b.mass = 2.0;
  b.centre[2] = 0.25;
  b.inertia[0] = 0.1;
  b.inertia[1] = 0.2;
  b.inertia[2] = 0.15;
  b.inertia[3] = 0.01;
  trees_add(m, &b);
  nsdyn_tree_body_init(&b, sizeof b);
  b.parent = 1; /* fore */
  b.joint = NSDYN_TREE_REVOLUTE;
  b.joint_place[0] = 0.1;
  b.joint_place[1] = 0.2;
  b.joint_place[2] = 0.5;
  turn_by_hand(0.3, -0.4, 0.5, R);
  nsdyn_quaternion_from_matrix(R, b.joint_turn);
  b.axis[1] = 1.0;
  b.axis[2] = 0.0;
  b.mass = 1.0;
  b.centre[0] = 0.1;
  turn_by_hand(0.2, 0.7, -1.1, R);
  for (int k = 0; k < 6; k++) { /* R diag(…) Rᵀ */
    static const int i[6] = {0, 1, 2, 0, 0, 1}, j[6] = {0, 1, 2, 1, 2, 2};
    b.inertia[k] = 0.1 * R[3 * i[k]] * R[3 * j[k]] + 0.2 * R[3 * i[k] + 1] * R[3 * j[k] + 1] +
                   0.15 * R[3 * i[k] + 2] * R[3 * j[k] + 2];
  }
  trees_add(m, &b);
  nsdyn_tree_body_init(&b, sizeof b);
  b.parent = 2; /* finger */
  b.joint = NSDYN_TREE_PRISMATIC;
  b.axis[0] = 1.0;
  b.axis[2] = 0.0;
  b.mass = 0.5;
  trees_add(m, &b);
}

START_TEST(a_robot_is_a_tree)
{
  const double q[3] = {0.4, -0.7, 0.2}, u[3] = {1.0, -2.0, 0.5};
  int32_t row[4] = {-7, -7, -7, -7};
  double M[2][9], h[2][3];
  nsdyn_tree *tree = NULL;
  nsdyn_urdf_shape shape = {.size = sizeof shape};
  trees_model m;
  nsdyn_urdf *urdf = reader_of(NULL);
  REQUIRE(feed(urdf, arm) == NSDYN_OK, "%s", nsdyn_urdf_message(urdf));
  ck_assert_int_eq(nsdyn_urdf_collision(urdf, 0, &shape), NSDYN_ERR_ARGUMENT); /* no bodies yet */
  REQUIRE(nsdyn_urdf_tree(urdf, &tree) == NSDYN_OK, "%s", nsdyn_urdf_message(urdf));
  make_arm(&m);
  ck_assert_int_eq(nsdyn_tree_bodies(tree), 4);
  for (int i = 0; i < 2; i++) {
    nsdyn_tree *one = i ? tree : m.tree;
    ck_assert_int_eq(nsdyn_tree_set_state(one, q, u), NSDYN_OK);
    ck_assert_int_eq(nsdyn_tree_mass(one, M[i]), NSDYN_OK);
    ck_assert_int_eq(nsdyn_tree_force(one, h[i]), NSDYN_OK);
  }
  for (int k = 0; k < 9; k++) {
    ck_assert_double_le(fabs(M[0][k] - M[1][k]), 1e-14);
    ck_assert_double_le(fabs(h[0][k / 3] - h[1][k / 3]), 1e-13);
  }
  /* the elbow's limits and friction; the grip follows it */
  const int32_t elbow = nsdyn_tree_find_element(tree, "elbow"),
                grip = nsdyn_tree_find_element(tree, "grip") + 1; /* behind its limits */
  ck_assert_int_eq(nsdyn_tree_element_rows(tree, elbow, &row[0], &row[1], &row[2], NULL), NSDYN_OK);
  ck_assert_int_eq(nsdyn_tree_element_rows(tree, grip, NULL, NULL, NULL, &row[3]), NSDYN_OK);
  ck_assert(row[0] == 0 && row[1] == 1 && row[2] == 2 && row[3] == 0);
  ck_assert_int_eq(nsdyn_tree_find_element(tree, "shoulder"), -1);
  ck_assert_int_eq(nsdyn_urdf_collision(urdf, 0, &shape), NSDYN_OK);
  ck_assert(shape.kind == NSDYN_URDF_CAPSULE && shape.body == nsdyn_tree_find(tree, "upper"));
  ck_assert(shape.place[2] == 1.0 && shape.extent[0] == 0.1 && shape.extent[1] == 0.4 &&
            shape.turn[0] == 1.0);
  ck_assert_int_eq(nsdyn_urdf_collision(urdf, 1, &shape), NSDYN_OK);
  ck_assert(shape.kind == NSDYN_URDF_BOX && shape.body == nsdyn_tree_find(tree, "fore"));
  ck_assert_int_eq(nsdyn_urdf_collision(urdf, 2, &shape), NSDYN_ERR_ARGUMENT);
  /* q_grip = 0.5 q_elbow + 0.25 in a system; and what was read is text, too */
  nsdyn_system *sys = NULL;
  nsdyn_stepper *stepper = NULL;
  const double closed[3] = {0.4, 1.0, 0.75}, rest[3] = {0.0};
  ck_assert_int_eq(nsdyn_tree_system_new(NULL, tree, NULL, &sys, NULL), NSDYN_OK);
  ck_assert_int_eq(nsdyn_stepper_new(NULL, sys, NULL, &stepper, NULL), NSDYN_OK);
  ck_assert_int_eq(nsdyn_stepper_set_state(stepper, 0.0, closed, rest), NSDYN_OK);
  for (int i = 0; i < 100; i++) {
    ck_assert_int_eq(nsdyn_stepper_step(stepper, 1e-3), NSDYN_OK);
  }
  ck_assert_double_le(fabs(nsdyn_stepper_q(stepper)[2] - 0.5 * nsdyn_stepper_q(stepper)[1] - 0.25), 1e-12);
  ck_assert(nsdyn_tree_write_text(tree, NULL, 0) > 0);
  nsdyn_tree *second = NULL;
  ck_assert_int_eq(nsdyn_urdf_tree(urdf, &second), NSDYN_ERR_SYNTAX); /* once */
  ck_assert_ptr_null(second);
  nsdyn_stepper_free(stepper);
  nsdyn_urdf_free(urdf);
  nsdyn_system_free(sys);
  nsdyn_tree_free(tree);
  trees_free(&m);
}
END_TEST

/* A floating root, planar and floating joints. */
START_TEST(joints_that_float)
{
  static const char text[] =
      "<robot><link name=\"a\"><inertial><mass value=\"1\"/></inertial></link>"
      "<link name=\"b\"/><link name=\"c\"/>"
      "<joint name=\"s\" type=\"planar\"><parent link=\"a\"/><child link=\"b\"/><axis xyz=\"1 1 "
      "0\"/></joint><joint name=\"t\" type=\"floating\"><parent link=\"b\"/><child "
      "link=\"c\"/><dynamics damping=\"1\"/></joint></robot>";
  nsdyn_urdf_options options;
  nsdyn_tree *tree = NULL;
  nsdyn_urdf_options_init(&options, sizeof options);
  options.root = NSDYN_TREE_FREE;
  nsdyn_urdf *urdf = reader_of(&options);
  REQUIRE(feed(urdf, text) == NSDYN_OK, "%s", nsdyn_urdf_message(urdf));
  REQUIRE(nsdyn_urdf_tree(urdf, &tree) == NSDYN_OK, "%s", nsdyn_urdf_message(urdf));
  ck_assert_int_eq(nsdyn_tree_nu(tree), 6 + 3 + 6);
  ck_assert_int_eq(nsdyn_tree_element_rows(tree, 5, NULL, NULL, NULL, NULL), NSDYN_OK); /* six dampers */
  ck_assert_int_eq(nsdyn_tree_element_rows(tree, 6, NULL, NULL, NULL, NULL), NSDYN_ERR_ARGUMENT);
  nsdyn_urdf_free(urdf);
  nsdyn_tree_free(tree);
}
END_TEST

/* ---- what is not known, and what is wrong ---- */

static int hear(void *user, int64_t line, const char *name)
{
  char *heard = user, one[40];
  snprintf(one, sizeof one, "%d %s; ", (int)line, name);
  strcat(heard, one);
  return 0;
}

/* What is passed over is told by name and line. */
START_TEST(unknown_elements_are_named)
{
  static const char text[] =
      "<robot>\n<gazebo reference=\"a\"><mass value=\"x\"/></gazebo>\n"
      "<link name=\"a\">\n<collision><geometry><mesh filename=\"a.stl\"/></geometry>"
      "</collision>\n<inertial><mass value=\"1\" unit=\"kg\"/></inertial></link></robot>";
  char heard[200] = "";
  nsdyn_urdf_options options;
  nsdyn_tree *tree = NULL;
  nsdyn_urdf_shape shape = {.size = sizeof shape};
  nsdyn_urdf_options_init(&options, sizeof options);
  options.unknown = hear;
  options.user = heard;
  nsdyn_urdf *urdf = reader_of(&options);
  REQUIRE(feed(urdf, text) == NSDYN_OK, "%s", nsdyn_urdf_message(urdf));
  ck_assert_int_eq(nsdyn_urdf_tree(urdf, &tree), NSDYN_OK);
  ck_assert_str_eq(heard, "2 gazebo; 4 mesh; 5 unit; ");
  ck_assert_int_eq(nsdyn_urdf_collision(urdf, 0, &shape), NSDYN_ERR_ARGUMENT);
  nsdyn_urdf_free(urdf);
  nsdyn_tree_free(tree);
  urdf = reader_of(NULL); /* and else refused; what comes after that changes nothing */
  ck_assert_int_eq(feed(urdf, text), NSDYN_ERR_UNSUPPORTED);
  ck_assert_str_eq(nsdyn_urdf_message(urdf), "line 2: unknown element 'gazebo'");
  ck_assert_int_eq(nsdyn_urdf_end(urdf), NSDYN_ERR_UNSUPPORTED);
  ck_assert_int_eq(nsdyn_urdf_tree(urdf, &tree), NSDYN_ERR_UNSUPPORTED);
  ck_assert_str_eq(nsdyn_urdf_message(urdf), "line 2: unknown element 'gazebo'");
  nsdyn_urdf_free(urdf);
}
END_TEST

#define LINKS "<robot><link name=\"a\"/><link name=\"b\"/>\n"
#define JOINT(name, type, parent, child, more)                                                               \
  "<joint name=\"" name "\" type=\"" type "\"><parent link=\"" parent "\"/><child link=\"" child "\"/>" more \
  "</joint>\n"

#define LONG "a123456789b123456789c123456789_"

/* What a limit and an axis mean, where they are told as files tell them. */
START_TEST(limits_and_axes)
{
  static const char text[] =
      LINKS "<link name=\"c\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" iyy=\"1\" "
            "izz=\"1\"/></inertial></link><link name=\"d\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" "
            "iyy=\"1\" izz=\"1\"/></inertial></link><link name=\"e\"/>" JOINT(
                "f", "fixed", "a", "b", "<axis xyz=\"0 0 0\"/>") /* axes of joints that have none */
      JOINT("g", "floating", "b", "c", "<axis xyz=\"0 0 0\"/>")
          JOINT("h", "revolute", "c", "d", "<limit effort=\"1\" velocity=\"2\"/><dynamics friction=\"1\"/>")
              JOINT("i", "prismatic", "d", "e", "<limit lower=\"0.25\" upper=\"0.25\"/>")
                  JOINT(LONG "_one", "fixed", "e", "x", "")
                      JOINT(LONG "_two", "fixed", "e", "y",
                            "") "<link name=\"x\"/><link name=\"y\"><inertial><mass value=\"1\"/>"
                                "<inertia ixx=\"1\" iyy=\"1\" izz=\"1\"/></inertial></link></robot>";
  const double q[9] = {0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.25}, u[8] = {0.0, 0.0, 0.0, 0.1};
  nsdyn_tree *tree = NULL;
  nsdyn_urdf *urdf = reader_of(NULL);
  REQUIRE(feed(urdf, text) == NSDYN_OK, "%s", nsdyn_urdf_message(urdf));
  REQUIRE(nsdyn_urdf_tree(urdf, &tree) == NSDYN_OK, "%s", nsdyn_urdf_message(urdf));
  ck_assert_int_eq(nsdyn_tree_nu(tree), 8);
  /* equal limits hold: two constraints, and neither contacts nor friction */
  for (int32_t i = 0; i < 2; i++) {
    int32_t lower = 0, friction = 0, row = -7;
    ck_assert_int_eq(nsdyn_tree_element_rows(tree, i, &lower, NULL, &friction, &row), NSDYN_OK);
    ck_assert(lower == -1 && friction == -1 && row == i);
  }
  nsdyn_system *sys = NULL;
  ck_assert_int_eq(nsdyn_tree_system_new(NULL, tree, NULL, &sys, NULL), NSDYN_OK);
  nsdyn_stepper *s = trees_step(sys, NSDYN_SCHEME_MOREAU, q, u, 1e-3, 100);
  ck_assert_double_le(fabs(nsdyn_stepper_q(s)[7]) + fabs(nsdyn_stepper_q(s)[8] - 0.25), 1e-12);
  nsdyn_stepper_free(s);
  nsdyn_system_free(sys);
  nsdyn_tree_free(tree);
  nsdyn_urdf_free(urdf);
}
END_TEST

START_TEST(refused)
{
  static const struct {
    const char *text, *message;
  } cases[] = {
      {"<link name=\"a\"/>", "line 1: unknown element 'link'"},
      {"<robot><link/></robot>", "line 1: name: this attribute is missing"},
      {"<robot><link name=\"\"/></robot>", "line 1: name: it is empty"},
      {"<robot>", "line 1: nsdyn_urdf_tree: there is no whole robot yet"},
      {"<robot></robot><robot></robot>", "line 1: robot: there is one robot"},
      {"<robot></robot></robot>", "line 1: nsdyn_urdf_end: no element is open"},
      {"<robot><link name=\"a\"><inertial><mass value=\"1 2\"/>",
       "line 1: value: something stands behind its numbers"},
      {"<robot><link name=\"a\"><inertial><mass value=\"heavy\"/>",
       "line 1: value: a finite number is wanted"},
      {"<robot><link name=\"a\"><inertial><origin xyz=\"1 2\"/>",
       "line 1: xyz: three finite numbers are wanted"},
      {"<robot><link name=\"a\"><inertial><mass value=\"1\"/><mass value=\"2\"/>",
       "line 1: mass: it was told before"},
      {"<robot><link name=\"a\"><collision><geometry><box size=\"1 0 1\"/>",
       "line 1: geometry: its size is not > 0"},
      {"<robot><link name=\"a\"><collision><geometry><box size=\"1 1 1\"/><sphere radius=\"1\"/>",
       "line 1: geometry: it has one shape"},
      {"<robot><link name=\"a\"/>\n<link name=\"a\"/></robot>", "line 2: a: two links have this name"},
      {LINKS JOINT("j", "hinge", "a", "b", "") "</robot>", "line 2: hinge: this is no type of a joint"},
      {LINKS JOINT("j", "fixed", "a", "c", "") "</robot>",
       "line 2: j: there is no link of the name of its child"},
      {LINKS JOINT("j", "fixed", "c", "b", "") "</robot>",
       "line 2: j: there is no link of the name of its parent"},
      {LINKS JOINT("j", "fixed", "a", "b", "") JOINT("j", "fixed", "b", "a", "") "</robot>",
       "line 3: j: two joints have this name"},
      {LINKS JOINT("j", "fixed", "a", "b", "") JOINT("k", "fixed", "a", "b", "") "</robot>",
       "line 3: k: its child has a joint already"},
      {LINKS JOINT("j", "fixed", "a", "b", "") JOINT("k", "fixed", "b", "a", "") "</robot>",
       "line 2: j: its links hang on each other, and on nothing else"},
      {LINKS JOINT("j", "continuous", "a", "b", "<axis xyz=\"0 0 0\"/>") "</robot>",
       "line 2: nsdyn_tree_add: body 1 (b), revolute joint: axis is zero, so it has no direction"},
      {LINKS JOINT("j", "revolute", "a", "b", "<limit lower=\"1\" upper=\"-1\"/>") "</robot>",
       "line 2: nsdyn_tree_add_element: element 0 (j): lower is not below upper"},
      {LINKS JOINT("j", "continuous", "a", "b", "<mimic joint=\"x\"/>") "</robot>",
       "line 2: j: mimic wants two joints of one velocity each"},
      {LINKS JOINT("j", "revolute", "a", "b", "<axis xyz=\"0 0 1\"/>") "</robot>",
       "line 2: j: a revolute and a prismatic joint have a limit"},
      {LINKS JOINT("j", "prismatic", "a", "b", "") "</robot>",
       "line 2: j: a revolute and a prismatic joint have a limit"},
      {LINKS JOINT("j", "fixed", "b", "b", "") "</robot>",
       "line 2: j: its links hang on each other, and on nothing else"},
      {"<robot><link name=\"a\">\n<collision><geometry/></collision></link></robot>",
       "line 2: geometry: a shape is missing"},
      {"<robot><link name=\"a\">\n<collision/></link></robot>", "line 2: geometry: a shape is missing"},
      {"<robot><link name=\"" LONG "_one\"/>\n<link name=\"" LONG "_two\"/></robot>",
       "line 2: " LONG "_two: another link's name begins with the same 31 bytes"},
      {LINKS "<link name=\"c\"/>" JOINT(LONG "_one", "continuous", "a", "b", "<dynamics damping=\"1\"/>")
           JOINT(LONG "_two", "continuous", "a", "c", "<dynamics damping=\"1\"/>") "</robot>",
       "line 3: " LONG "_two: another joint's name begins with the same 31 bytes"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    nsdyn_tree *tree = NULL;
    nsdyn_urdf *urdf = reader_of(NULL);
    nsdyn_status status = feed(urdf, cases[i].text);
    status = status ? status : nsdyn_urdf_tree(urdf, &tree);
    REQUIRE(status != NSDYN_OK && !tree && !strcmp(nsdyn_urdf_message(urdf), cases[i].message), "%s: %s",
            cases[i].text, nsdyn_urdf_message(urdf));
    nsdyn_urdf_free(urdf);
  }
  nsdyn_urdf_options options;
  nsdyn_urdf *urdf = NULL;
  nsdyn_error error = {.size = sizeof error};
  nsdyn_urdf_options_init(&options, sizeof options);
  options.root = NSDYN_TREE_PLANAR;
  ck_assert_int_eq(nsdyn_urdf_new(NULL, &options, &urdf, &error), NSDYN_ERR_ARGUMENT);
  ck_assert_str_eq(error.message, "nsdyn_urdf_new: root is neither NSDYN_TREE_FIXED nor NSDYN_TREE_FREE");
  ck_assert_int_eq(nsdyn_urdf_start(NULL, 1, "robot", NULL), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_urdf_end(NULL), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_urdf_tree(NULL, NULL), NSDYN_ERR_ARGUMENT);
  nsdyn_urdf_free(NULL);
}
END_TEST

/* A cart on four wheels, whose shapes become solids: it rolls down a slope without a motor, all five bodies
 * by one joint each; energy per way is that of wheels that roll, a = m g sin φ / (m + 4 I/r²). */
START_TEST(shapes_become_solids)
{
  static char text[4096];
  char *at = text;
  nsdyn_urdf_options options;
  nsdyn_tree *tree = NULL;
  nsdyn_system *sys = NULL;
  nsdyn_urdf_options_init(&options, sizeof options);
  options.root = NSDYN_TREE_FREE;
  options.solids = 1;
  options.gravity[0] = 2.0;
  at += snprintf(at, 1024,
                 "<robot name=\"cart\"><link name=\"cart\"><inertial><mass value=\"3\"/><inertia ixx=\"0.1\" "
                 "iyy=\"0.1\" izz=\"0.1\"/></inertial><collision><origin xyz=\"0 0 0.1\"/><geometry>"
                 "<box size=\"1 0.6 0.1\"/></geometry></collision></link>");
  for (int i = 0; i < 4; i++) {
    at += snprintf(
        at, 700,
        "<link name=\"wheel%d\"><inertial><mass value=\"0.5\"/><inertia ixx=\"0.004\" iyy=\"0.004\" "
        "izz=\"0.005\"/></inertial><collision><geometry><%s radius=\"0.1\"%s/></geometry></collision>"
        "</link><joint name=\"axle%d\" type=\"continuous\"><parent link=\"cart\"/><child "
        "link=\"wheel%d\"/><origin xyz=\"%g %g 0\" rpy=\"1.5707963267948966 0 0\"/><axis xyz=\"0 0 "
        "1\"/></joint>",
        i, i < 2 ? "cylinder" : "sphere", i < 2 ? " length=\"0.05\"" : "", i, i, i % 2 ? 0.4 : -0.4,
        i < 2 ? 0.35 : -0.35);
  }
  snprintf(at, 16, "</robot>");
  nsdyn_urdf *urdf = reader_of(&options);
  REQUIRE(feed(urdf, text) == NSDYN_OK, "%s", nsdyn_urdf_message(urdf));
  REQUIRE(nsdyn_urdf_tree(urdf, &tree) == NSDYN_OK, "%s", nsdyn_urdf_message(urdf));
  ck_assert_int_eq(nsdyn_tree_solids(tree), 5);
  ck_assert_int_eq(nsdyn_tree_find_solid(tree, "wheel1"), 2);
  nsdyn_urdf_free(urdf);
  /* The slope, and a law that keeps wheels from sliding. */
  nsdyn_solid_def def;
  nsdyn_tree_solid ground;
  nsdyn_contact_law law;
  nsdyn_solid_def_init(&def, sizeof def);
  nsdyn_tree_solid_init(&ground, sizeof ground);
  nsdyn_contact_law_init(&law, sizeof law);
  def.kind = NSDYN_SOLID_PLANE;
  law.tangents = 2;
  law.mu = 0.8;
  ck_assert_int_eq(nsdyn_solid_new(NULL, &def, &ground.solid, NULL), NSDYN_OK);
  ck_assert_int_eq(nsdyn_tree_add_solid(tree, &ground, NULL), NSDYN_OK);
  nsdyn_solid_free(ground.solid);
  ck_assert_int_eq(nsdyn_tree_set_law(tree, 0, 0, &law), NSDYN_OK);
  REQUIRE(nsdyn_tree_system_new(NULL, tree, NULL, &sys, NULL) == NSDYN_OK);
  const double q[11] = {0.0, 0.0, 0.1, 1.0}, u[10] = {0.0};
  const int steps = is_brief() ? 20 : 500;
  nsdyn_stepper *stepper = trees_step(sys, NSDYN_SCHEME_MOREAU, q, u, 1e-3, steps);
  const double t = 1e-3 * steps, a = 5.0 * 2.0 / (5.0 + 4.0 * 0.005 / 0.01);
  ck_assert_double_eq_tol(nsdyn_stepper_u(stepper)[0], a * t, 1e-6);
  ck_assert_double_eq_tol(nsdyn_stepper_q(stepper)[2], 0.1, 1e-6);
  nsdyn_stepper_free(stepper);
  nsdyn_system_free(sys);
  nsdyn_tree_free(tree);
}
END_TEST

SUITE("multibody/urdf", TEST(shapes_become_solids), TEST(a_robot_is_a_tree), TEST(joints_that_float),
      TEST(unknown_elements_are_named), TEST(limits_and_axes), TEST(refused))
