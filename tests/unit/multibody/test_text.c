/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "trees.h"

static nsdyn_tree *read_text(const char *text)
{
  nsdyn_tree *tree = NULL;
  nsdyn_error error = {.size = sizeof error};
  REQUIRE(nsdyn_tree_read_text(NULL, text, strlen(text), &tree, &error) == NSDYN_OK, "%s", error.message);
  return tree;
}

/* Yours to free. */
static char *write_text(const nsdyn_tree *tree)
{
  const size_t size = nsdyn_tree_write_text(tree, NULL, 0);
  char *text = malloc(size ? size : 1);
  REQUIRE(text && size > 0 && nsdyn_tree_write_text(tree, text, size) == size);
  REQUIRE(strlen(text) == size - 1);
  return text;
}

/* A body, and what holds and drives it, in words. */
START_TEST(a_text_is_a_tree)
{
  static const char *const text =
      "# a gate\n"
      "tree gravity 0 0 -9.81\n"
      "body gate%20%2fpost\n"
      "body gate joint revolute parent gate%20%2Fpost mass 2\n"
      "  centre 0.5 0 0  inertia 0 0.1 0.1 0 0 0\n"
      "body - joint free mass 1 inertia 1 1 1 0 0 0\n"
      "element hinge between gate world friction 0.5 lower 0 upper 1.5 eps_n 0.25\n"
      "loop pin joint spherical between gate 2 joint_place 1 0 0\n"
      "  own_place 0 0 0 own_turn 1 0 0 0\n";
  int32_t lower = -7, upper = -7, friction = -7, first = -7, count = -7;
  double q[8], h[7];
  nsdyn_tree *tree = read_text(text);
  ck_assert_int_eq(nsdyn_tree_bodies(tree), 3);
  ck_assert_int_eq(nsdyn_tree_nu(tree), 7);
  ck_assert_int_eq(nsdyn_tree_find(tree, "gate /post"), 0);
  ck_assert_int_eq(nsdyn_tree_find(tree, "gate"), 1);
  ck_assert_int_eq(nsdyn_tree_element_rows(tree, 0, &lower, &upper, &friction, NULL), NSDYN_OK);
  ck_assert(lower == 0 && upper == 1 && friction == 2);
  ck_assert_int_eq(nsdyn_tree_constraints(tree, nsdyn_tree_find_loop(tree, "pin"), &first, &count), NSDYN_OK);
  ck_assert(first == 0 && count == 3);
  ck_assert_int_eq(nsdyn_tree_rest(tree, q), NSDYN_OK);
  ck_assert_int_eq(nsdyn_tree_set_state(tree, q, NULL), NSDYN_OK);
  ck_assert_int_eq(nsdyn_tree_force(tree, h), NSDYN_OK);
  ck_assert(h[0] == 0.0 && fabs(h[3] + 9.81) <= 1e-12); /* of the free one, along z */
  nsdyn_tree_free(tree);
}
END_TEST

/* An element or a loop that takes constraints, or an element that takes none; as the bodies stand. */
static void add_any(nsdyn_tree *tree, random_state *random)
{
  static const int joints[] = {NSDYN_TREE_SPHERICAL, NSDYN_TREE_UNIVERSAL, NSDYN_TREE_PLANAR};
  const int kind = random_below(random, 4);
  nsdyn_tree_element e;
  nsdyn_tree_loop loop;
  if (kind == 0) {
    nsdyn_tree_loop_init(&loop, sizeof loop);
    loop.joint = joints[random_below(random, 3)];
    loop.body[1] = random_below(random, 6);
    REQUIRE(nsdyn_tree_add_loop(tree, &loop, NULL) == NSDYN_OK);
    return;
  }
  nsdyn_tree_element_init(&e, sizeof e);
  e.kind = NSDYN_ELEMENT_LINE;
  e.body[1] = random_below(random, 6);
  e.axis[random_below(random, 2)] = random_below(random, 9) - 4; /* says nothing of a line */
  e.held = kind == 1;
  e.friction = kind == 2;
  e.rest = random_between(random, 0.5, 1.0);
  REQUIRE(nsdyn_tree_add_element(tree, &e, NULL) == NSDYN_OK, "%s", nsdyn_tree_message(tree));
}

/* The numbers of all contacts and constraints are the same. */
static void require_same_rows(const nsdyn_tree *a, const nsdyn_tree *b, int k)
{
  int32_t row[2][4];
  for (int32_t i = 0; !nsdyn_tree_element_rows(a, i, &row[0][0], &row[0][1], &row[0][2], &row[0][3]); i++) {
    REQUIRE(!nsdyn_tree_element_rows(b, i, &row[1][0], &row[1][1], &row[1][2], &row[1][3]));
    REQUIRE(!memcmp(row[0], row[1], sizeof row[0]), "case %d, element %d: %d, %d", k, (int)i, (int)row[0][3],
            (int)row[1][3]);
  }
  for (int32_t i = 0; !nsdyn_tree_constraints(a, i, &row[0][0], &row[0][1]); i++) {
    REQUIRE(!nsdyn_tree_constraints(b, i, &row[1][0], &row[1][1]));
    REQUIRE(row[0][0] == row[1][0] && row[0][1] == row[1][1], "case %d, loop %d: %d, %d", k, (int)i,
            (int)row[0][0], (int)row[1][0]);
  }
}

/* Random trees, with names that are hard to write, come back to the bit. */
START_TEST(written_and_read_back)
{
  static const char *const names[] = {"arm", "upper arm", "#1",         "100%", "-",   "-3",
                                      "7",   "world",     "\xc3\xa4rm", NULL,   "arm", "\t"};
  const int cases = random_cases(60);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    const double gravity[3] = {random_normal(&random), 1e-300, -9.81};
    double q[TREES_NQ], u[TREES_NU], M[2][TREES_NU * TREES_NU], h[2][TREES_NU];
    trees_model m;
    trees_begin(&m, gravity);
    for (int i = 0; i < 6; i++) {
      nsdyn_tree_body body =
          trees_body(&random, random_below(&random, TREES_KINDS), random_below(&random, i + 1) - 1);
      body.name = names[random_below(&random, 12)];
      trees_add(&m, &body);
    }
    nsdyn_tree_element e;
    nsdyn_tree_element_init(&e, sizeof e);
    e.name = names[random_below(&random, 12)];
    e.kind = NSDYN_ELEMENT_LINE;
    e.body[0] = random_below(&random, 6);
    e.anchor[4] = random_normal(&random);
    e.stiffness = random_unit(&random);
    e.upper = 1e3 * random_unit(&random) + 1e-3;
    REQUIRE(nsdyn_tree_add_element(m.tree, &e, NULL) == NSDYN_OK);
    trees_state(&m, &random, q, u);
    REQUIRE(nsdyn_tree_set_state(m.tree, q, u) == NSDYN_OK);
    nsdyn_tree_loop loop; /* as the bodies stand: written as numbers */
    nsdyn_tree_loop_init(&loop, sizeof loop);
    loop.joint = NSDYN_TREE_UNIVERSAL;
    loop.body[0] = 0;
    loop.body[1] = 5;
    trees_vector(&random, 1.0, loop.joint_place);
    REQUIRE(nsdyn_tree_add_loop(m.tree, &loop, NULL) == NSDYN_OK);
    for (int i = random_below(&random, 8); i > 0; i--) {
      add_any(m.tree, &random);
    }
    char *text = write_text(m.tree);
    nsdyn_tree *again = read_text(text);
    char *second = write_text(again);
    REQUIRE(!strcmp(text, second), "case %d:\n%s\n%s", k, text, second);
    require_same_rows(m.tree, again, k);
    REQUIRE(nsdyn_tree_set_state(again, q, u) == NSDYN_OK);
    for (int i = 0; i < 2; i++) {
      REQUIRE(nsdyn_tree_mass(i ? again : m.tree, M[i]) == NSDYN_OK);
      REQUIRE(nsdyn_tree_force(i ? again : m.tree, h[i]) == NSDYN_OK);
    }
    const size_t n = (size_t)m.nu;
    REQUIRE(!memcmp(M[0], M[1], n * n * sizeof **M) && !memcmp(h[0], h[1], n * sizeof **h), "case %d", k);
    REQUIRE(nsdyn_tree_find(again, "world") == nsdyn_tree_find(m.tree, "world"));
    free(text);
    free(second);
    nsdyn_tree_free(again);
    trees_free(&m);
  }
}
END_TEST

/* A second axis that is none may be called anything. */
START_TEST(an_axis_of_no_body)
{
  nsdyn_tree *tree = read_text("tree body a joint revolute mass 1 inertia 1 1 1 0 0 0"), *again;
  nsdyn_tree_element spring;
  nsdyn_tree_element_init(&spring, sizeof spring);
  spring.body[0] = 0;
  spring.axis[1] = -1;
  spring.stiffness = 2.0;
  ck_assert_int_eq(nsdyn_tree_add_element(tree, &spring, NULL), NSDYN_OK);
  char *text = write_text(tree);
  again = read_text(text);
  ck_assert_ptr_null(strstr(text, "-1"));
  free(text);
  nsdyn_tree_free(again);
  nsdyn_tree_free(tree);
}
END_TEST

typedef struct host {
  int calls, stop_at;
} host;

static int on_progress(void *user, const char *activity, double done)
{
  host *h = user;
  (void)done;
  ck_assert_str_eq(activity, "nsdyn_tree_read_text");
  return ++h->calls == h->stop_at;
}

/* Wherever it is stopped, also between two fields of a record that cannot stand without the second one. */
START_TEST(a_long_text_can_be_cancelled)
{
  static const char *const parts[] = {"tree",
                                      "gravity 0 0 1",
                                      "body",
                                      "a",
                                      "joint revolute",
                                      "axis 1",
                                      "0 0",
                                      "mass 1",
                                      "inertia 1 1 1 0 0 0",
                                      "element",
                                      "-",
                                      "stiffness",
                                      "1",
                                      "between a",
                                      "world",
                                      "loop - joint spherical",
                                      "between a world",
                                      "own_place 0 0 0",
                                      "own_turn 1 0 0 0"};
  enum { PARTS = (int)(sizeof parts / sizeof *parts), GAP = 60000 };
  char *text = malloc((size_t)PARTS * (GAP + 40) + 1);
  size_t length = 0;
  REQUIRE(text);
  for (int i = 0; i < PARTS; i++) {
    memcpy(text + length, parts[i], strlen(parts[i]));
    length += strlen(parts[i]);
    memset(text + length, ' ', GAP);
    length += GAP;
  }
  host h = {.stop_at = 1};
  nsdyn_context_def def;
  nsdyn_context *ctx = NULL;
  nsdyn_context_def_init(&def, sizeof def);
  def.user = &h;
  def.progress = on_progress;
  REQUIRE(nsdyn_context_new(&def, &ctx, NULL) == NSDYN_OK);
  for (;; h.stop_at++) {
    nsdyn_tree *tree = NULL;
    nsdyn_error error = {.size = sizeof error};
    h.calls = 0;
    const nsdyn_status status = nsdyn_tree_read_text(ctx, text, length, &tree, &error);
    if (h.calls < h.stop_at) { /* it was not asked so often */
      REQUIRE(status == NSDYN_OK && h.calls > PARTS, "%d: %s", h.calls, error.message);
      nsdyn_tree_free(tree);
      break;
    }
    REQUIRE(status == NSDYN_CANCELLED && !tree && h.calls == h.stop_at, "question %d: %s", h.calls,
            error.message);
  }
  nsdyn_context_free(ctx);
  free(text);
}
END_TEST

/* What does not fit is counted. */
START_TEST(a_short_buffer_gets_the_beginning)
{
  nsdyn_tree *tree = read_text("tree body arm mass 2");
  char *text = write_text(tree), part[16];
  const size_t size = strlen(text) + 1;
  for (size_t room = 1; room <= sizeof part; room++) {
    ck_assert_uint_eq(nsdyn_tree_write_text(tree, part, room), size);
    ck_assert(!strncmp(part, text, room - 1) && part[room - 1] == '\0');
  }
  free(text);
  nsdyn_tree_free(tree);
}
END_TEST

static int drive(void *user, double t, double *value)
{
  (void)user, (void)t;
  value[0] = 0.0;
  return 0;
}

/* Every word that is none is refused with its line, and what the tree refuses, too. */
START_TEST(refused)
{
  static const struct {
    const char *text, *message;
    nsdyn_status status;
  } cases[] = {
      {"", "line 1: the text ends here: a tree begins with the word tree", NSDYN_ERR_SYNTAX},
      {"robot", "line 1: 'robot': a tree begins with the word tree", NSDYN_ERR_SYNTAX},
      {"tree gravity 0 x 0", "line 1: 'x' in gravity, row 1: not a number that a double holds",
       NSDYN_ERR_SYNTAX},
      {"tree\nbody arm\n  weight 3",
       "line 3: 'weight': neither a field of this record nor body, element or loop", NSDYN_ERR_SYNTAX},
      {"tree shape box", "line 1: 'shape': neither a field of this record nor body, element or loop",
       NSDYN_ERR_SYNTAX},
      {"tree body", "line 1: the text ends here: a name is missing, or - for none", NSDYN_ERR_SYNTAX},
      {"tree body a mass 1 mass 2", "line 1: 'mass': this field was told before", NSDYN_ERR_SYNTAX},
      {"tree body a joint hinge", "line 1: 'hinge': not a kind of joint", NSDYN_ERR_SYNTAX},
      {"tree body a joint", "line 1: the text ends here: not a kind of joint", NSDYN_ERR_SYNTAX},
      {"tree body a\nbody b\n parent c", "line 3: 'c': no body before this line has that name",
       NSDYN_ERR_SYNTAX},
      {"tree body a\nbody b\nbody a\nbody c\n parent a",
       "line 5: 'a': several bodies have that name; tell the number of that body", NSDYN_ERR_SYNTAX},
      {"tree body a123456789b123456789c123456789_one\nbody a123456789b123456789c123456789_two\n"
       "element e between a123456789b123456789c123456789_ world",
       "line 3: 'a123456789b123456789c123...': several bodies have that name; tell the number of that body",
       NSDYN_ERR_SYNTAX},
      {"tree body a123456789b123456789c123456789_one\nelement e between "
       "a123456789b123456789c123456789_two world",
       "line 2: 'a123456789b123456789c123...': only 31 bytes of a name are kept; tell the number of that "
       "body",
       NSDYN_ERR_SYNTAX},
      {"tree body a parent 99999999999", "line 1: too many bodies to count", NSDYN_ERR_TOO_LARGE},
      {"tree body a%2", "line 1: 'a%2': % in a name begins two digits, 01 to FF, of a byte",
       NSDYN_ERR_SYNTAX},
      {"tree body a%00", "line 1: 'a%00': % in a name begins two digits, 01 to FF, of a byte",
       NSDYN_ERR_SYNTAX},
      {"tree body a centre 0 0", "line 1: the text ends before centre, row 2: a number is missing",
       NSDYN_ERR_SYNTAX},
      {"tree\n\nbody a\nmass -1", "line 3: nsdyn_tree_add: body 0 (a): mass is negative", NSDYN_ERR_ARGUMENT},
      {"tree body a mass inf", "line 1: nsdyn_tree_add: body 0 (a): mass is not finite",
       NSDYN_ERR_NOT_FINITE},
      {"tree body a\nelement e between a world axis 0 1",
       "line 2: nsdyn_tree_add_element: element 0 (e): axis[0] is 0; the fixed joint of body 0 (a) has 0",
       NSDYN_ERR_ARGUMENT},
      {"tree body a\nelement e kind rope", "line 2: 'rope': not a kind of element: axis or line",
       NSDYN_ERR_SYNTAX},
      {"tree body a\nloop l between a world",
       "line 2: nsdyn_tree_add_loop: loop 0 (l): own_place or own_turn is NaN, as the bodies stand, but no "
       "state "
       "is set",
       NSDYN_ERR_ARGUMENT},
  };
  nsdyn_error error = {.size = sizeof error};
  nsdyn_tree *tree = NULL;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const nsdyn_status status =
        nsdyn_tree_read_text(NULL, cases[i].text, strlen(cases[i].text), &tree, &error);
    REQUIRE(status == cases[i].status && !strcmp(error.message, cases[i].message), "%s: %s", cases[i].text,
            error.message);
    ck_assert_ptr_null(tree);
    ck_assert_int_eq(error.kind, NSDYN_DETAIL_LINE);
  }
  ck_assert_int_eq(nsdyn_tree_read_text(NULL, NULL, 0, &tree, &error), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_tree_read_text(NULL, "tree", 4, NULL, &error), NSDYN_ERR_ARGUMENT);
  ck_assert_uint_eq(nsdyn_tree_write_text(NULL, NULL, 0), 0);
  /* no text holds a function */
  tree = read_text("tree body a joint revolute mass 1 inertia 1 1 1 0 0 0");
  nsdyn_tree_element servo;
  nsdyn_tree_element_init(&servo, sizeof servo);
  servo.body[0] = 0;
  servo.drive = drive;
  ck_assert_int_eq(nsdyn_tree_add_element(tree, &servo, NULL), NSDYN_OK);
  ck_assert_uint_eq(nsdyn_tree_write_text(tree, NULL, 0), 0);
  nsdyn_tree_free(tree);
}
END_TEST

SUITE("multibody/text", TEST(a_text_is_a_tree), TEST(written_and_read_back), TEST(an_axis_of_no_body),
      TEST(a_long_text_can_be_cancelled), TEST(a_short_buffer_gets_the_beginning), TEST(refused))
