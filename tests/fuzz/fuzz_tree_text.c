/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Any text read as a tree: it is refused with its line, or read; what is read is written, and comes back the
 * same. Bytes become texts in three ways: as they are, as words of the format in any order, and as the
 * numbers of a machine, whose callbacks are asked. */
#include "nsdyn/multibody.h"
#include "target.h"
#include "tree_system.h"

static nsdyn_tree *read_text(const void *data, size_t length)
{
  nsdyn_error error = {.size = sizeof error};
  nsdyn_tree *tree = NULL;
  char *text = malloc(length ? length : 1); /* of just that length */
  REQUIRE(text);
  if (length) {
    memcpy(text, data, length);
  }
  const nsdyn_status status = nsdyn_tree_read_text(NULL, text, length, &tree, &error);
  free(text);
  REQUIRE(!status == !!tree);
  if (status) {
    REQUIRE(status == NSDYN_ERR_SYNTAX || status == NSDYN_ERR_TOO_LARGE || status == NSDYN_ERR_ARGUMENT ||
            status == NSDYN_ERR_NOT_FINITE);
    REQUIRE(error.kind == NSDYN_DETAIL_LINE && error.index >= 1);
    REQUIRE(strncmp(error.message, "line ", 5) == 0);
  }
  return tree;
}

static char *write_text(const nsdyn_tree *tree, size_t *size)
{
  *size = nsdyn_tree_write_text(tree, NULL, 0);
  char *text = malloc(*size ? *size : 1);
  REQUIRE(text && *size > 0 && nsdyn_tree_write_text(tree, text, *size) == *size);
  return text;
}

/* The numbers of contacts and constraints come back with the records. */
static void compare_rows(const nsdyn_tree *a, const nsdyn_tree *b)
{
  int32_t row[2][4];
  for (int32_t i = 0; !nsdyn_tree_element_rows(a, i, &row[0][0], &row[0][1], &row[0][2], &row[0][3]); i++) {
    REQUIRE(!nsdyn_tree_element_rows(b, i, &row[1][0], &row[1][1], &row[1][2], &row[1][3]));
    REQUIRE(!memcmp(row[0], row[1], sizeof row[0]));
  }
  for (int32_t i = 0; !nsdyn_tree_constraints(a, i, &row[0][0], &row[0][1]); i++) {
    REQUIRE(!nsdyn_tree_constraints(b, i, &row[1][0], &row[1][1]));
    REQUIRE(row[0][0] == row[1][0] && row[0][1] == row[1][1]);
  }
}

/* A system of it can be made, whatever it is; its callbacks have an answer or none. */
static void use(nsdyn_tree *tree, const void *data, size_t length)
{
  nsdyn_system *sys = NULL;
  const nsdyn_status status = nsdyn_tree_system_new(NULL, tree, NULL, &sys, NULL);
  REQUIRE(status == NSDYN_OK || status == NSDYN_ERR_ARGUMENT); /* no velocities */
  if (sys) {
    const reader from = {data, length};
    use_tree_system(tree, sys, from);
  }
  nsdyn_system_free(sys);
}

static void read_and_write(const void *data, size_t length)
{
  nsdyn_tree *tree = read_text(data, length);
  if (tree) {
    size_t size, again;
    char *text = write_text(tree, &size);
    nsdyn_tree *second = read_text(text, size - 1);
    REQUIRE(second);
    char *twice = write_text(second, &again);
    REQUIRE(size == again && memcmp(text, twice, size) == 0);
    compare_rows(tree, second);
    use(second, data, length);
    nsdyn_tree_free(second);
    free(text);
    free(twice);
  }
  nsdyn_tree_free(tree);
}

/* Words of the format, one for each byte: nearly a tree. */
static void read_words(reader from)
{
  static const char *const words[] = {"body arm joint revolute mass 1 inertia 1 1 1 0 0 0",
                                      "body - joint spherical parent arm",
                                      "body %20x joint free",
                                      "body",
                                      "parent 0",
                                      "parent arm",
                                      "joint planar",
                                      "joint universal",
                                      "joint helical pitch 0.5",
                                      "joint_place 1 0 0",
                                      "joint_turn 1 2 3 4",
                                      "own_place 0 1e300 0",
                                      "own_turn 0 0 0 1",
                                      "axis 0 1 0",
                                      "second 0 1 0",
                                      "mass 2",
                                      "centre 0 0 -1",
                                      "inertia 1 1 3 0 0 0",
                                      "element spring between arm world stiffness 1",
                                      "element - kind line between arm world",
                                      "element",
                                      "held 1 rest 2",
                                      "axis 0 0",
                                      "ratio -2",
                                      "anchor 1 2 3 4 5 6",
                                      "damping 0.5",
                                      "friction 1",
                                      "lower -inf",
                                      "upper 1 eps_n 0.5",
                                      "loop pin between arm world own_place 0 0 0 own_turn 1 0 0 0",
                                      "loop - joint fixed between 0 1 own_place 0 0 0 own_turn 1 1 0 0",
                                      "loop",
                                      "world",
                                      "0",
                                      "-1",
                                      "nan",
                                      "#",
                                      "\n",
                                      "%"};
  char text[2048] = "tree gravity 0 0 -10\n";
  size_t length = strlen(text);
  while (from.left > 0 && length + 80 < sizeof text) {
    const char *word = words[read_below(&from, (int)(sizeof words / sizeof *words))];
    length += (size_t)snprintf(text + length, sizeof text - length, "%s ", word);
  }
  read_and_write(text, length);
}

/* A number as text: tame mostly. */
static const char *number(reader *from, char text[40])
{
  const double x = read_below(from, 8) ? 0.125 * read_below(from, 33) - 2.0 : read_double(from);
  snprintf(text, 40, "%.17g", isfinite(x) ? x : 1.0);
  return text;
}

/* Bodies with joints of all kinds, and what acts between them: trees whose systems have callbacks. */
static void read_machine(reader from)
{
  static const char *const joints[] = {"revolute", "prismatic", "helical",  "cylindrical", "universal",
                                       "planar",   "spherical", "revolute", "free",        "fixed"},
                           *const closed[] = {"revolute", "spherical", "universal", "planar", "fixed"},
                           *const parts[] = {"upper 2",    "stiffness 3",   "damping 1",
                                             "friction 1", "held 1 rest 1", "lower -1 upper 1.5"};
  enum { BODIES = 3 };
  char text[2048] = "tree gravity 0 0 -10\n", x[4][40];
  size_t length = strlen(text);
  for (int i = 0; i < BODIES; i++) {
    length += (size_t)snprintf(text + length, sizeof text - length,
                               "body - parent %s joint %s joint_place %s %s %s mass 1 centre %s 0 0 "
                               "inertia 1 1 1 0 0 0 second 0 1 0 axis 0 0 1\n",
                               i && read_below(&from, 4) ? (i > 1 ? "1" : "0") : "world",
                               joints[read_below(&from, 10)], number(&from, x[0]), number(&from, x[1]),
                               number(&from, x[2]), number(&from, x[3]));
  }
  for (int i = read_below(&from, 4); i >= 0; i--) {
    const int body = read_below(&from, BODIES), other = (body + 1 + read_below(&from, BODIES - 1)) % BODIES;
    const int is_loop = read_below(&from, 4) == 0, is_axis = !is_loop && read_below(&from, 3) == 0;
    length += (size_t)snprintf(text + length, sizeof text - length, "%s - between %d %s ",
                               is_loop ? "loop" : "element", body,
                               is_axis     ? "world"
                               : other > 1 ? "2"
                               : other     ? "1"
                                           : "world");
    length += is_loop ? (size_t)snprintf(text + length, sizeof text - length,
                                         "joint %s own_place %s %s 0 own_turn 1 %s 0 0\n",
                                         closed[read_below(&from, 5)], number(&from, x[0]),
                                         number(&from, x[1]), number(&from, x[2]))
                      : (size_t)snprintf(text + length, sizeof text - length, "%s %s anchor %s 0 %s %s 0 0\n",
                                         is_axis ? "kind axis" : "kind line", parts[read_below(&from, 6)],
                                         number(&from, x[0]), number(&from, x[1]), number(&from, x[2]));
  }
  read_and_write(text, length);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  const reader from = {data, size};
  read_and_write(data, size);
  read_words(from);
  if (size % 32 == 0) { /* takes longer than all the rest */
    read_machine(from);
  }
  return 0;
}
