/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Any elements in any order, as an XML parser could report them: they are refused with a line, or become a
 * tree, of which a system can be made. */
#include "nsdyn/multibody.h"
#include "target.h"
#include "tree_system.h"

static const char *const elements[] = {"robot",   "link",   "joint",   "inertial", "collision", "geometry",
                                       "origin",  "mass",   "inertia", "box",      "cylinder",  "sphere",
                                       "capsule", "parent", "child",   "axis",     "limit",     "dynamics",
                                       "mimic",   "visual", "gazebo"};
static const char *const names[] = {"name",  "type",       "xyz",   "rpy",    "value",   "ixx",
                                    "iyy",   "izz",        "ixy",   "size",   "radius",  "length",
                                    "link",  "lower",      "upper", "effort", "damping", "friction",
                                    "joint", "multiplier", "offset"};
static const char *const values[] = {"a",          "b",     "c",        "1",         "0.5 0 0", "1 1 1",
                                     "0 0 0",      "fixed", "revolute", "prismatic", "planar",  "floating",
                                     "continuous", "-1",    "1e300",    "nan",       "",        "1 2 3 4",
                                     "inf",        "2",     " 3 "};
#define ANY(array) array[read_below(from, (int)(sizeof(array) / sizeof *(array)))]

static int pass(void *user, int64_t line, const char *name)
{
  REQUIRE(user && line >= 1 && name);
  return *(const int *)user;
}

/* Some of its attributes, or what the element mostly has. */
static nsdyn_status start(nsdyn_urdf *urdf, reader *from, int line)
{
  const char *attributes[9] = {NULL};
  const char *name = ANY(elements);
  const int count = read_below(from, 4);
  for (int i = 0; i < count; i++) {
    attributes[2 * i] = ANY(names);
    attributes[2 * i + 1] = ANY(values);
  }
  return nsdyn_urdf_start(urdf, line, name, attributes);
}

/* An element without others in it. */
static nsdyn_status one(nsdyn_urdf *urdf, int line, const char *name, const char *const *attributes)
{
  const nsdyn_status status = nsdyn_urdf_start(urdf, line, name, attributes);
  return status ? status : nsdyn_urdf_end(urdf);
}

/* A link that can move, or a joint between two, which has limits. */
static nsdyn_status whole(nsdyn_urdf *urdf, reader *from, int line)
{
  const int is_link = read_below(from, 2);
  const char *link[] = {"name", ANY(values), NULL},
             *joint[] = {"name", ANY(values), "type", ANY(values), NULL},
             *parent[] = {"link", ANY(values), NULL}, *child[] = {"link", ANY(values), NULL};
  nsdyn_status status = nsdyn_urdf_start(urdf, line, is_link ? "link" : "joint", is_link ? link : joint);
  static const char *const mass[] = {"value", "1", NULL}, *const inertia[] = {"ixx", "1", "iyy", "1",
                                                                              "izz", "1", NULL};
  const char *limit[] = {"lower", ANY(values), "upper", "2", NULL};
  for (int i = 0; i < 2 && !is_link && !status; i++) {
    status = one(urdf, line, i ? "child" : "parent", i ? child : parent);
  }
  if (!is_link && !status && read_below(from, 4)) {
    status = one(urdf, line, "limit", read_below(from, 2) ? limit : NULL);
  }
  if (is_link && !status && read_below(from, 4)) {
    status = nsdyn_urdf_start(urdf, line, "inertial", NULL);
    status = status ? status : one(urdf, line, "mass", mass);
    status = status ? status : one(urdf, line, "inertia", inertia);
    status = status ? status : nsdyn_urdf_end(urdf);
  }
  return status ? status : nsdyn_urdf_end(urdf);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  reader bytes = {data, size}, *from = &bytes;
  nsdyn_urdf_options options;
  nsdyn_urdf *urdf = NULL;
  nsdyn_tree *tree = NULL;
  int refuses = read_below(from, 4) == 0, line = 1;
  nsdyn_urdf_options_init(&options, sizeof options);
  options.unknown = pass;
  options.user = &refuses;
  options.root = read_below(from, 2) ? NSDYN_TREE_FREE : NSDYN_TREE_FIXED;
  REQUIRE(nsdyn_urdf_new(NULL, &options, &urdf, NULL) == NSDYN_OK);
  nsdyn_status status = nsdyn_urdf_start(urdf, line, "robot", NULL);
  while (from->left > 0 && !status && line < 200) {
    const int what = read_below(from, 4);
    status = what == 0 ? nsdyn_urdf_end(urdf) : what == 1 ? start(urdf, from, line) : whole(urdf, from, line);
    line++;
  }
  status = status ? status : nsdyn_urdf_end(urdf);
  status = status ? status : nsdyn_urdf_tree(urdf, &tree);
  REQUIRE(!status == !!tree);
  if (status) {
    REQUIRE(strncmp(nsdyn_urdf_message(urdf), "line ", 5) == 0);
    REQUIRE(nsdyn_urdf_end(urdf) == status && nsdyn_urdf_tree(urdf, &tree) == status && !tree);
  } else {
    nsdyn_urdf_shape shape = {.size = sizeof shape};
    nsdyn_system *sys = NULL;
    for (int32_t i = 0; !nsdyn_urdf_collision(urdf, i, &shape); i++) {
      REQUIRE(shape.body >= 0 && shape.body < nsdyn_tree_bodies(tree) && shape.extent[0] > 0.0);
    }
    REQUIRE(nsdyn_tree_write_text(tree, NULL, 0) > 0);
    (void)nsdyn_tree_system_new(NULL, tree, NULL, &sys, NULL);
    if (sys) {
      const reader all = {data, size};
      use_tree_system(tree, sys, all);
    }
    nsdyn_system_free(sys);
  }
  nsdyn_tree_free(tree);
  nsdyn_urdf_free(urdf);
  return 0;
}
