/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "multibody/urdf.h"

#include <math.h>
#include <string.h>

#include "base/number.h"
#include "nsdyn/rotation.h"

enum { MOST_NUMBERS = 3 };

/* ---- the grammar ---- */

enum state {
  OUTSIDE,
  ROBOT,
  LINK,
  INERTIAL,
  COLLISION,
  GEOMETRY,
  JOINT,
  ORIGIN, /* and what else has only attributes: */
  MASS,
  INERTIA,
  BOX,
  CYLINDER,
  SPHERE,
  CAPSULE,
  PARENT,
  CHILD,
  AXIS,
  LIMIT,
  DYNAMICS,
  MIMIC,
  PASSED /* nothing of mechanics */
};

static const struct {
  int in;
  const char *name;
  int is;
} grammar[] = {
    {OUTSIDE, "robot", ROBOT},      {ROBOT, "link", LINK},
    {ROBOT, "joint", JOINT},        {ROBOT, "material", PASSED},
    {LINK, "inertial", INERTIAL},   {LINK, "visual", PASSED},
    {LINK, "collision", COLLISION}, {INERTIAL, "origin", ORIGIN},
    {INERTIAL, "mass", MASS},       {INERTIAL, "inertia", INERTIA},
    {COLLISION, "origin", ORIGIN},  {COLLISION, "geometry", GEOMETRY},
    {GEOMETRY, "box", BOX},         {GEOMETRY, "cylinder", CYLINDER},
    {GEOMETRY, "sphere", SPHERE},   {GEOMETRY, "capsule", CAPSULE},
    {JOINT, "origin", ORIGIN},      {JOINT, "parent", PARENT},
    {JOINT, "child", CHILD},        {JOINT, "axis", AXIS},
    {JOINT, "limit", LIMIT},        {JOINT, "dynamics", DYNAMICS},
    {JOINT, "mimic", MIMIC},
};

static const struct {
  const char *word;
  int joint;
} types[NSD_URDF_TYPES] = {{"fixed", NSDYN_TREE_FIXED},         {"revolute", NSDYN_TREE_REVOLUTE},
                           {"continuous", NSDYN_TREE_REVOLUTE}, {"prismatic", NSDYN_TREE_PRISMATIC},
                           {"floating", NSDYN_TREE_FREE},       {"planar", NSDYN_TREE_PLANAR}};

int nsd_urdf_joint_kind(const nsd_urdf_joint *joint)
{
  return types[joint->type].joint;
}

nsdyn_status nsdyn_urdf_options_init(nsdyn_urdf_options *options, size_t size)
{
  const nsdyn_urdf_options defaults = {
      .size = sizeof defaults, .root = NSDYN_TREE_FIXED, .gravity = {0.0, 0.0, -9.81}};
  return nsd_sized_init(options, size, NSD_URDF_OPTIONS_LEAST, &defaults, sizeof defaults);
}

nsdyn_status nsdyn_urdf_shape_init(nsdyn_urdf_shape *shape, size_t size)
{
  return nsd_sized_init(shape, size, NSD_URDF_SHAPE_LEAST, NULL, sizeof *shape);
}

/* ---- what is wrong ---- */

nsdyn_status nsd_urdf_refuse(nsdyn_urdf *r, const char *what, const char *text)
{
  return nsd_fault_set(&r->fault, NSDYN_ERR_SYNTAX, NSDYN_DETAIL_LINE, r->line, "line %lld: %.60s: %s",
                       (long long)r->line, what, text);
}

nsdyn_status nsd_urdf_no_memory(nsdyn_urdf *r, nsdyn_status status)
{
  return nsd_fault_set(&r->fault, status, NSDYN_DETAIL_LINE, r->line, "line %lld: no memory for it",
                       (long long)r->line);
}

/* An element or attribute that is not in the grammar: the caller may pass over it, when he has heard of it.
 */
static nsdyn_status meet_unknown(nsdyn_urdf *r, const char *kind, const char *name)
{
  if (r->options.unknown && !r->options.unknown(r->options.user, r->line, name)) {
    return NSDYN_OK;
  }
  return nsd_fault_set(&r->fault, NSDYN_ERR_UNSUPPORTED, NSDYN_DETAIL_LINE, r->line,
                       "line %lld: unknown %s '%.60s'", (long long)r->line, kind, name);
}

/* ---- attributes ---- */

static int is_blank(char c)
{
  return c == ' ' || (c >= '\t' && c <= '\r');
}

/* Exactly `count` finite numbers. */
static nsdyn_status read_numbers(nsdyn_urdf *r, const char *name, const char *value, int count, double *out)
{
  double number[MOST_NUMBERS] = {0.0};
  const char *at = value, *end = value + strlen(value);
  for (int i = 0; i < count; i++) {
    while (is_blank(*at)) {
      at++;
    }
    const char *last = at;
    while (*last && !is_blank(*last)) {
      last++;
    }
    if (last == at || nsd_number_read(at, last, &number[i]) != last || !isfinite(number[i])) {
      return nsd_urdf_refuse(r, name,
                             count > 1 ? "three finite numbers are wanted" : "a finite number is wanted");
    }
    at = last;
  }
  while (is_blank(*at)) {
    at++;
  }
  if (at != end) {
    return nsd_urdf_refuse(r, name, "something stands behind its numbers");
  }
  memcpy(out, number, (size_t)count * sizeof *out);
  return NSDYN_OK;
}

static nsdyn_status read_name(nsdyn_urdf *r, const char *name, const char *value,
                              char own[NSD_URDF_NAME_LENGTH])
{
  const size_t length = strlen(value);
  if (!length || length >= NSD_URDF_NAME_LENGTH) {
    return nsd_urdf_refuse(r, name, length ? "it is longer than 127 bytes" : "it is empty");
  }
  memset(own, 0, NSD_URDF_NAME_LENGTH);
  memcpy(own, value, length + 1);
  return NSDYN_OK;
}

/* An attribute of an element: `count` numbers, or with 0 a name, or with −1 nothing of mechanics. */
typedef struct attribute {
  const char *name;
  int count;
  void *to;
  int is_needed;
} attribute;

static nsdyn_status read_attributes(nsdyn_urdf *r, const char *const *given, const attribute *known,
                                    int count)
{
  int seen[8] = {0};
  nsdyn_status status = NSDYN_OK;
  for (int i = 0; given && given[i] && !status; i += 2) {
    int k = 0;
    while (k < count && strcmp(known[k].name, given[i]) != 0) {
      k++;
    }
    if (k == count) {
      status = meet_unknown(r, "attribute", given[i]);
      continue;
    }
    seen[k] = 1;
    if (known[k].count >= 0) {
      status = known[k].count ? read_numbers(r, given[i], given[i + 1], known[k].count, known[k].to)
                              : read_name(r, given[i], given[i + 1], known[k].to);
    }
  }
  for (int k = 0; k < count && !status; k++) {
    status = known[k].is_needed && !seen[k] ? nsd_urdf_refuse(r, known[k].name, "this attribute is missing")
                                            : status;
  }
  return status;
}

/* Roll, pitch and yaw about the axes of the parent, in this order: R = R_z(yaw) R_y(pitch) R_x(roll). */
static void turn_of(const double rpy[3], double turn[4])
{
  static const double axes[3][3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
  double one[4];
  nsdyn_quaternion_from_axis_angle(axes[0], rpy[0], turn);
  for (int i = 1; i < 3; i++) {
    nsdyn_quaternion_from_axis_angle(axes[i], rpy[i], one);
    nsdyn_quaternion_multiply(one, turn, turn);
  }
}

static nsdyn_status read_origin(nsdyn_urdf *r, const char *const *given, double *place, double *turn)
{
  double xyz[3] = {0.0}, rpy[3] = {0.0};
  const attribute known[] = {{"xyz", 3, xyz, 0}, {"rpy", 3, rpy, 0}};
  const nsdyn_status status = read_attributes(r, given, known, 2);
  if (!status) {
    memcpy(place, xyz, sizeof xyz);
    turn_of(rpy, turn);
  }
  return status;
}

/* ---- elements ---- */

static nsdyn_status begin_link(nsdyn_urdf *r, const char *const *given)
{
  nsd_urdf_link link = {.line = r->line, .turn = {1.0}, .body = -1, .joint = -1};
  const attribute known[] = {{"name", 0, link.name, 1}, {"type", -1, NULL, 0}};
  nsdyn_status status = read_attributes(r, given, known, 2);
  if (!status) {
    status = nsd_list_room(r->ctx, &r->links);
    if (status) {
      return nsd_urdf_no_memory(r, status);
    }
    *nsd_urdf_link_at(r, r->links.count++) = link;
  }
  return status;
}

static nsdyn_status begin_joint(nsdyn_urdf *r, const char *const *given)
{
  nsd_urdf_joint joint = {.line = r->line,
                          .turn = {1.0},
                          .axis = {1.0},
                          .multiplier = 1.0,
                          .round = NSD_URDF_UNKNOWN,
                          .below = -1,
                          .next = -1,
                          .head = -1};
  char type[NSD_URDF_NAME_LENGTH] = "";
  const attribute known[] = {{"name", 0, joint.name, 1}, {"type", 0, type, 1}};
  nsdyn_status status = read_attributes(r, given, known, 2);
  if (status) {
    return status;
  }
  while (joint.type < NSD_URDF_TYPES && strcmp(types[joint.type].word, type) != 0) {
    joint.type++;
  }
  if (joint.type == NSD_URDF_TYPES) {
    return nsd_urdf_refuse(r, type, "this is no type of a joint");
  }
  status = nsd_list_room(r->ctx, &r->joints);
  if (status) {
    return nsd_urdf_no_memory(r, status);
  }
  *nsd_urdf_joint_at(r, r->joints.count++) = joint;
  return NSDYN_OK;
}

static nsdyn_status begin_collision(nsdyn_urdf *r, const char *const *given)
{
  char name[NSD_URDF_NAME_LENGTH];
  const attribute known[] = {{"name", 0, name, 0}};
  nsdyn_status status = read_attributes(r, given, known, 1);
  if (status) {
    return status;
  }
  status = nsd_list_room(r->ctx, &r->shapes);
  if (status) {
    return nsd_urdf_no_memory(r, status);
  }
  nsd_urdf_shape *shape = nsd_urdf_shape_at(r, r->shapes.count++);
  memset(shape, 0, sizeof *shape);
  shape->told.size = sizeof shape->told;
  shape->told.kind = -1;
  shape->told.body = r->links.count - 1;
  shape->told.turn[0] = 1.0;
  r->has_unknown = 0;
  return NSDYN_OK;
}

static nsdyn_status read_shape(nsdyn_urdf *r, int state, const char *const *given)
{
  nsdyn_urdf_shape *shape = &nsd_urdf_shape_at(r, r->shapes.count - 1)->told;
  const attribute box[] = {{"size", 3, shape->extent, 1}};
  const attribute round[] = {{"radius", 1, &shape->extent[0], 1}, {"length", 1, &shape->extent[1], 1}};
  if (shape->kind >= 0) {
    return nsd_urdf_refuse(r, "geometry", "it has one shape");
  }
  shape->kind = state == BOX        ? NSDYN_URDF_BOX
                : state == CYLINDER ? NSDYN_URDF_CYLINDER
                : state == SPHERE   ? NSDYN_URDF_SPHERE
                                    : NSDYN_URDF_CAPSULE;
  const int is_box = state == BOX, count = is_box ? 3 : state == SPHERE ? 1 : 2;
  nsdyn_status status = read_attributes(r, given, is_box ? box : round, is_box || state == SPHERE ? 1 : 2);
  for (int i = 0; i < count && !status; i++) {
    status = shape->extent[i] > 0.0 ? NSDYN_OK : nsd_urdf_refuse(r, "geometry", "its size is not > 0");
  }
  return status;
}

static nsdyn_status read_joint_part(nsdyn_urdf *r, int state, const char *const *given)
{
  nsd_urdf_joint *joint = nsd_urdf_joint_at(r, r->joints.count - 1);
  const attribute parent[] = {{"link", 0, joint->parent, 1}}, child[] = {{"link", 0, joint->child, 1}},
                  axis[] = {{"xyz", 3, joint->axis, 1}},
                  limit[] = {{"lower", 1, &joint->lower, 0},
                             {"upper", 1, &joint->upper, 0},
                             {"effort", -1, NULL, 0},
                             {"velocity", -1, NULL, 0}},
                  dynamics[] = {{"damping", 1, &joint->damping, 0}, {"friction", 1, &joint->friction, 0}},
                  mimic[] = {{"joint", 0, joint->mimic, 1},
                             {"multiplier", 1, &joint->multiplier, 0},
                             {"offset", 1, &joint->offset, 0}};
  switch (state) {
  case ORIGIN:
    return read_origin(r, given, joint->place, joint->turn);
  case PARENT:
    return read_attributes(r, given, parent, 1);
  case CHILD:
    return read_attributes(r, given, child, 1);
  case AXIS:
    return read_attributes(r, given, axis, 1);
  case LIMIT:
    joint->has_limit = 1;
    return read_attributes(r, given, limit, 4);
  case DYNAMICS:
    return read_attributes(r, given, dynamics, 2);
  default:
    return read_attributes(r, given, mimic, 3);
  }
}

static nsdyn_status read_link_part(nsdyn_urdf *r, int in, int state, const char *const *given)
{
  nsd_urdf_link *link = nsd_urdf_link_at(r, r->links.count - 1);
  const attribute mass[] = {{"value", 1, &link->mass, 1}},
                  inertia[] = {{"ixx", 1, &link->J[0], 1}, {"iyy", 1, &link->J[1], 1},
                               {"izz", 1, &link->J[2], 1}, {"ixy", 1, &link->J[3], 0},
                               {"ixz", 1, &link->J[4], 0}, {"iyz", 1, &link->J[5], 0}};
  if (state == MASS) {
    return read_attributes(r, given, mass, 1);
  }
  if (state == INERTIA) {
    return read_attributes(r, given, inertia, 6);
  }
  if (in == COLLISION) {
    nsdyn_urdf_shape *shape = &nsd_urdf_shape_at(r, r->shapes.count - 1)->told;
    return read_origin(r, given, shape->place, shape->turn);
  }
  return read_origin(r, given, link->place, link->turn);
}

static nsdyn_status begin(nsdyn_urdf *r, int in, int state, const char *const *given)
{
  char name[NSD_URDF_NAME_LENGTH];
  const attribute robot[] = {{"name", 0, name, 0}, {"version", -1, NULL, 0}};
  switch (state) {
  case ROBOT:
    return r->is_ended ? nsd_urdf_refuse(r, "robot", "there is one robot")
                       : read_attributes(r, given, robot, 2);
  case LINK:
    return begin_link(r, given);
  case JOINT:
    return begin_joint(r, given);
  case COLLISION:
    return begin_collision(r, given);
  case BOX:
  case CYLINDER:
  case SPHERE:
  case CAPSULE:
    return read_shape(r, state, given);
  case INERTIAL:
  case GEOMETRY:
    return read_attributes(r, given, NULL, 0);
  default:
    return in == JOINT ? read_joint_part(r, state, given) : read_link_part(r, in, state, given);
  }
}

nsdyn_status nsdyn_urdf_start(nsdyn_urdf *urdf, int64_t line, const char *name, const char *const *attributes)
{
  if (!urdf || !name) {
    return NSDYN_ERR_ARGUMENT;
  }
  if (urdf->fault.status) { /* what was wrong first stays what is told */
    return urdf->fault.status;
  }
  urdf->line = line;
  if (urdf->passed) {
    urdf->passed++;
    return NSDYN_OK;
  }
  const int in = urdf->depth ? urdf->stack[urdf->depth - 1] : OUTSIDE;
  size_t i = 0;
  const size_t count = sizeof grammar / sizeof *grammar;
  while (i < count && (grammar[i].in != in || strcmp(grammar[i].name, name) != 0)) {
    i++;
  }
  if (i == count || grammar[i].is == PASSED) {
    urdf->passed = 1;
    urdf->has_unknown |= i == count;
    return i == count ? meet_unknown(urdf, "element", name) : NSDYN_OK;
  }
  /* Of most elements there is one in its place. */
  const int is = grammar[i].is, may_come_again = is == ROBOT || is == LINK || is == JOINT || is == COLLISION;
  if (!may_come_again && urdf->seen[urdf->depth] & 1u << is) {
    return nsd_urdf_refuse(urdf, name, "it was told before");
  }
  urdf->seen[urdf->depth] |= 1u << is;
  const nsdyn_status status = begin(urdf, in, is, attributes);
  urdf->stack[urdf->depth++] = is; /* the grammar is less deep than the stack */
  urdf->seen[urdf->depth] = 0;
  return status;
}

nsdyn_status nsdyn_urdf_end(nsdyn_urdf *urdf)
{
  if (!urdf) {
    return NSDYN_ERR_ARGUMENT;
  }
  if (urdf->fault.status) {
    return urdf->fault.status;
  }
  if (urdf->passed) {
    urdf->passed--;
    return NSDYN_OK;
  }
  if (!urdf->depth) {
    return nsd_urdf_refuse(urdf, "nsdyn_urdf_end", "no element is open");
  }
  const int state = urdf->stack[--urdf->depth];
  urdf->is_ended |= state == ROBOT;
  if (state == COLLISION && nsd_urdf_shape_at(urdf, urdf->shapes.count - 1)->told.kind < 0) {
    if (!urdf->has_unknown) {
      return nsd_urdf_refuse(urdf, "geometry", "a shape is missing");
    }
    urdf->shapes.count--; /* of an unknown one that was passed over */
  }
  return NSDYN_OK;
}

/* ---- what was read ---- */

nsdyn_status nsdyn_urdf_collision(const nsdyn_urdf *urdf, int32_t i, nsdyn_urdf_shape *shape)
{
  if (!urdf || !shape || !urdf->has_tree || i < 0 || i >= urdf->shapes.count) {
    return NSDYN_ERR_ARGUMENT;
  }
  return nsd_sized_write(shape, NSD_URDF_SHAPE_LEAST, &nsd_urdf_shape_at(urdf, i)->told,
                         sizeof nsd_urdf_shape_at(urdf, i)->told);
}

/* ---- the object ---- */

static nsdyn_status make(nsdyn_context *ctx, const nsdyn_urdf_options *options, nsdyn_urdf **out,
                         nsd_fault *fault)
{
  nsdyn_urdf_options own;
  const nsdyn_status status =
      NSD_SIZED_READ(nsdyn_urdf_options, &own, NSD_URDF_OPTIONS_LEAST, options, fault);
  if (status) {
    return status;
  }
  if (own.solids != 0 && own.solids != 1) {
    return nsd_fault_set(fault, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_FIELD,
                         (int64_t)offsetof(nsdyn_urdf_options, solids),
                         "nsdyn_urdf_new: solids is neither 0 nor 1");
  }
  if (own.root != NSDYN_TREE_FIXED && own.root != NSDYN_TREE_FREE) {
    return nsd_fault_set(fault, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_FIELD,
                         (int64_t)offsetof(nsdyn_urdf_options, root),
                         "nsdyn_urdf_new: root is neither NSDYN_TREE_FIXED nor NSDYN_TREE_FREE");
  }
  nsdyn_urdf *urdf = nsd_allocate(ctx, 1, sizeof *urdf);
  if (!urdf) {
    return nsd_fault_set(fault, NSDYN_ERR_NOMEM, NSDYN_DETAIL_NONE, -1, "nsdyn_urdf_new: out of memory");
  }
  memset(urdf, 0, sizeof *urdf);
  urdf->ctx = nsd_context_hold(ctx);
  urdf->options = own;
  nsd_fault_clear(&urdf->fault);
  urdf->links.size = sizeof(nsd_urdf_link);
  urdf->joints.size = sizeof(nsd_urdf_joint);
  urdf->shapes.size = sizeof(nsd_urdf_shape);
  nsd_names_begin(&urdf->link_names);
  nsd_names_begin(&urdf->joint_names);
  nsd_names_begin(&urdf->kept_names);
  *out = urdf;
  return NSDYN_OK;
}

nsdyn_status nsdyn_urdf_new(nsdyn_context *ctx, const nsdyn_urdf_options *options, nsdyn_urdf **out,
                            nsdyn_error *error)
{
  nsd_fault fault;
  nsdyn_status status = nsd_error_begin(error, &fault, out, "nsdyn_urdf_new", 2);
  if (out) {
    *out = NULL;
    status = status ? status : make(ctx, options, out, &fault);
  }
  return nsd_error_end(error, &fault, status);
}

void nsdyn_urdf_free(nsdyn_urdf *urdf)
{
  if (urdf) {
    nsdyn_context *ctx = urdf->ctx;
    nsd_list_drop(ctx, &urdf->links);
    nsd_list_drop(ctx, &urdf->joints);
    nsd_list_drop(ctx, &urdf->shapes);
    nsd_names_drop(ctx, &urdf->link_names);
    nsd_names_drop(ctx, &urdf->joint_names);
    nsd_names_drop(ctx, &urdf->kept_names);
    nsd_release(ctx, urdf, 1, sizeof *urdf);
    nsd_context_drop(ctx);
  }
}

const char *nsdyn_urdf_message(const nsdyn_urdf *urdf)
{
  return urdf ? urdf->fault.message : "";
}
