/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "multibody/joints.h"

#include <math.h>
#include <string.h>

#include "base/tolerances.h"
#include "nsdyn/rotation.h"

static const nsd_joint_type types[] = {
    {"fixed", 0, 0},     {"revolute", 1, 1}, {"prismatic", 1, 1}, {"helical", 1, 1}, {"cylindrical", 2, 2},
    {"universal", 2, 2}, {"planar", 3, 3},   {"spherical", 4, 3}, {"free", 7, 6},
};

const nsd_joint_type *nsd_joint_type_of(int32_t kind)
{
  return &types[kind];
}

/* ---- what is given ---- */

typedef struct place {
  const char *label;
  const char *joint; /* NULL: it is no matter of the joint */
  nsd_fault *fault;
} place;

static nsdyn_status refuse(const place *at, nsdyn_status status, size_t offset, const char *text)
{
  return nsd_fault_set(at->fault, status, NSDYN_DETAIL_FIELD, (int64_t)offset, "nsdyn_tree_add: %s%s%s%s: %s",
                       at->label, at->joint ? ", " : "", at->joint ? at->joint : "",
                       at->joint ? " joint" : "", text);
}

/* All numbers from `field` on. */
static int are_numbers(const double *field, int count)
{
  for (int i = 0; i < count; i++) {
    if (!(fabs(field[i]) < NSD_NUMBERS_END)) {
      return 0;
    }
  }
  return 1;
}

#define FIELD(name) offsetof(nsdyn_tree_body, name)

static nsdyn_status check_numbers(const nsdyn_tree_body *body, const place *at)
{
  const struct {
    const char *text;
    size_t offset;
    const double *from;
    int count;
  } fields[] = {{"joint_place is not finite", FIELD(joint_place), body->joint_place, 3},
                {"joint_turn is not finite", FIELD(joint_turn), body->joint_turn, 4},
                {"own_place is not finite", FIELD(own_place), body->own_place, 3},
                {"own_turn is not finite", FIELD(own_turn), body->own_turn, 4},
                {"axis is not finite", FIELD(axis), body->axis, 3},
                {"second is not finite", FIELD(second), body->second, 3},
                {"pitch is not finite", FIELD(pitch), &body->pitch, 1},
                {"mass is not finite", FIELD(mass), &body->mass, 1},
                {"centre is not finite", FIELD(centre), body->centre, 3},
                {"inertia is not finite", FIELD(inertia), body->inertia, 6}};
  for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
    if (!are_numbers(fields[i].from, fields[i].count)) {
      return refuse(at, NSDYN_ERR_NOT_FINITE, fields[i].offset, fields[i].text);
    }
  }
  return NSDYN_OK;
}

int nsd_joint_direction(const double x[3], double out[3])
{
  const double norm = nsd_vec3_norm(x);
  if (!(norm > 0.0)) {
    return 1;
  }
  /* In two steps, since 1 / norm may be too large. */
  const double unit = norm < 1.0 ? 0x1p+300 : 1.0;
  nsd_vec3_scale(unit, x, out);
  const double scaled = nsd_vec3_norm(out);
  nsd_vec3_set(out[0] / scaled, out[1] / scaled, out[2] / scaled, out);
  return 0;
}

static nsdyn_status check_directions(const nsdyn_tree_body *body, const place *at)
{
  double axis[3], second[3], across[3];
  if (nsd_joint_direction(body->axis, axis)) {
    return refuse(at, NSDYN_ERR_ARGUMENT, FIELD(axis), "axis is zero, so it has no direction");
  }
  if (body->joint != NSDYN_TREE_UNIVERSAL && body->joint != NSDYN_TREE_PLANAR) {
    return NSDYN_OK;
  }
  if (nsd_joint_direction(body->second, second)) {
    return refuse(at, NSDYN_ERR_ARGUMENT, FIELD(second), "second is zero, so it has no direction");
  }
  nsd_vec3_cross(axis, second, across);
  if (body->joint == NSDYN_TREE_UNIVERSAL && nsd_vec3_norm(across) <= NSD_TREE_ALIGNED) {
    return refuse(at, NSDYN_ERR_ARGUMENT, FIELD(second), "second has the direction of axis");
  }
  if (body->joint == NSDYN_TREE_PLANAR && fabs(nsd_vec3_dot(axis, second)) > NSD_TREE_ALIGNED) {
    return refuse(at, NSDYN_ERR_ARGUMENT, FIELD(second), "second is not at right angles to axis");
  }
  return NSDYN_OK;
}

/* Whether the symmetric matrix a, b, c; d, e, f (12, 13, 23) has no negative eigenvalue, but for what is less
 * than `tol`: by its principal minors. */
static int is_semidefinite(double a, double b, double c, double d, double e, double f, double tol)
{
  const double minors[] = {a,
                           b,
                           c,
                           a * b - d * d,
                           a * c - e * e,
                           b * c - f * f,
                           (a * (b * c - f * f) - d * (d * c - e * f)) + e * (d * f - b * e)};
  for (size_t i = 0; i < sizeof minors / sizeof *minors; i++) {
    if (!(minors[i] >= -tol)) {
      return 0;
    }
  }
  return 1;
}

/* ½ tr(J) 1 − J = ∫ r rᵀ dm is semidefinite, but for digits that were not copied: then moments obey the
 * triangle's inequality. J itself is so but for rounding, or bodies would have a negative energy. */
static int is_inertia(const double J[6])
{
  const double half = 0.5 * ((J[0] + J[1]) + J[2]);
  const double size = fmax(fmax(fabs(J[0]), fabs(J[1])), fmax(fabs(J[2]), fabs(half)));
  if (size == 0.0) {
    return J[3] == 0.0 && J[4] == 0.0 && J[5] == 0.0;
  }
  const double a = (half - J[0]) / size, b = (half - J[1]) / size, c = (half - J[2]) / size;
  const double d = J[3] / size, e = J[4] / size, f = J[5] / size;
  return is_semidefinite(a, b, c, -d, -e, -f, NSD_TREE_INERTIA) &&
         is_semidefinite(J[0] / size, J[1] / size, J[2] / size, d, e, f, NSD_TREE_ENERGY);
}

nsdyn_status nsd_joint_check(const nsdyn_tree *tree, const nsdyn_tree_body *body, const char *label,
                             nsd_fault *fault)
{
  const place of_body = {label, NULL, fault};
  if (body->joint < NSDYN_TREE_FIXED || body->joint > NSDYN_TREE_FREE) {
    return refuse(&of_body, NSDYN_ERR_ARGUMENT, FIELD(joint), "joint is not one of nsdyn_tree_joint");
  }
  if (body->parent < -1 || body->parent >= tree->bodies) {
    char bodies[NSD_LABEL_LENGTH];
    return nsd_fault_set(fault, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_FIELD, (int64_t)FIELD(parent),
                         "nsdyn_tree_add: %s: parent is %d; %s", label, (int)body->parent,
                         nsd_tree_bodies_text(tree, bodies));
  }
  const place of_joint = {label, types[body->joint].name, fault};
  const double *p = body->joint_turn, *own = body->own_turn;
  nsdyn_status status = check_numbers(body, &of_body);
  status = status ? status : check_directions(body, &of_joint);
  if (status) {
    return status;
  }
  if (p[0] == 0.0 && p[1] == 0.0 && p[2] == 0.0 && p[3] == 0.0) {
    return refuse(&of_joint, NSDYN_ERR_ARGUMENT, FIELD(joint_turn),
                  "joint_turn is zero, so it is no rotation");
  }
  if (own[0] == 0.0 && own[1] == 0.0 && own[2] == 0.0 && own[3] == 0.0) {
    return refuse(&of_joint, NSDYN_ERR_ARGUMENT, FIELD(own_turn), "own_turn is zero, so it is no rotation");
  }
  if (body->mass < 0.0) {
    return refuse(&of_body, NSDYN_ERR_ARGUMENT, FIELD(mass), "mass is negative");
  }
  return is_inertia(body->inertia) ? NSDYN_OK
                                   : refuse(&of_body, NSDYN_ERR_ARGUMENT, FIELD(inertia),
                                            "inertia is that of no mass: a moment is negative, or larger "
                                            "than the two others together");
}

/* ---- links ---- */

int nsd_joint_axes(const double axis[3], double A[9])
{
  double z[3] = {0.0, 0.0, 1.0}, x[3] = {0.0}, y[3];
  const int has_none = nsd_joint_direction(axis, z);
  /* x: of the axis that is farthest from z what is at right angles to it */
  const int least =
      fabs(z[0]) <= fabs(z[1]) ? (fabs(z[0]) <= fabs(z[2]) ? 0 : 2) : (fabs(z[1]) <= fabs(z[2]) ? 1 : 2);
  x[least] = 1.0;
  nsd_vec3_add_scaled(x, -z[least], z, x);
  (void)nsd_joint_direction(x, x);
  nsd_vec3_cross(z, x, y);
  for (int i = 0; i < 3; i++) {
    nsd_vec3_set(x[i], y[i], z[i], A + 3 * i);
  }
  return has_none;
}

/* Where the next link begins: `to` as seen from `link`. */
typedef struct chain {
  nsdyn_tree *tree;
  int32_t body, link, q;
  nsd_link_frame to;
} chain;

static nsd_link *append(chain *c, int32_t kind, const double axis[3])
{
  nsdyn_tree *tree = c->tree;
  const int32_t k = ++tree->nu;
  nsd_link *link = &tree->link[k];
  double A[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};
  memset(link, 0, sizeof *link);
  if (axis) {
    (void)nsd_joint_axes(axis, A);
  }
  link->parent = c->link;
  tree->link[c->link].is_fork |= c->link != k - 1;
  tree->has_forks |= c->link != k - 1;
  link->kind = kind;
  link->body = c->body;
  link->q = c->q;
  link->column = 2;
  link->turn = kind == NSD_LINK_SLIDE ? 0.0 : 1.0;
  link->slide = kind == NSD_LINK_SLIDE ? 1.0 : 0.0;
  double seat[9];
  nsd_mat3_product(c->to.R, A, seat);
  for (int i = 0; i < 3; i++) { /* by columns */
    nsd_vec3_set(seat[i], seat[3 + i], seat[6 + i], link->seat_R + 4 * i);
  }
  nsd_vec3_scale(1.0, c->to.p, link->seat_p);
  /* What follows begins at this link, whose axes are turned by A against the joint's. */
  c->link = k;
  nsd_mat3_transpose(A, c->to.R);
  nsd_vec3_set(0.0, 0.0, 0.0, c->to.p);
  c->q += kind == NSD_LINK_BALL || kind == NSD_LINK_ALONG ? 0 : 1;
  return link;
}

static void append_ball(chain *c)
{
  append(c, NSD_LINK_BALL, NULL)->column = 0;
  append(c, NSD_LINK_ALONG, NULL)->column = 1;
  append(c, NSD_LINK_ALONG, NULL)->column = 2;
  c->q += 4; /* one quaternion for all three */
}

static void append_joint(chain *c, const nsdyn_tree_body *body)
{
  static const double axes[3][3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
  double axis[3] = {0.0}, second[3] = {0.0}, across[3];
  (void)nsd_joint_direction(body->axis, axis);
  (void)nsd_joint_direction(body->second, second);
  nsd_vec3_cross(axis, second, across);
  switch (body->joint) {
  case NSDYN_TREE_REVOLUTE:
    append(c, NSD_LINK_TURN, axis);
    break;
  case NSDYN_TREE_PRISMATIC:
    append(c, NSD_LINK_SLIDE, axis);
    break;
  case NSDYN_TREE_HELICAL:
    append(c, NSD_LINK_SCREW, axis)->slide = body->pitch;
    break;
  case NSDYN_TREE_CYLINDRICAL:
    append(c, NSD_LINK_SLIDE, axis);
    append(c, NSD_LINK_TURN, axis);
    break;
  case NSDYN_TREE_UNIVERSAL:
    append(c, NSD_LINK_TURN, axis);
    append(c, NSD_LINK_TURN, second);
    break;
  case NSDYN_TREE_PLANAR:
    append(c, NSD_LINK_SLIDE, second);
    append(c, NSD_LINK_SLIDE, across);
    append(c, NSD_LINK_TURN, axis);
    break;
  case NSDYN_TREE_SPHERICAL:
    append_ball(c);
    break;
  case NSDYN_TREE_FREE:
    for (int i = 0; i < 3; i++) {
      append(c, NSD_LINK_SLIDE, axes[i]);
    }
    append_ball(c);
    break;
  default: /* fixed */
    break;
  }
}

/* The body's mass at its place in the link's frame: m, m c and J about the link's origin. */
static void add_mass(nsd_link *link, const nsdyn_tree_body *body, const nsd_link_frame *frame)
{
  const double *I = body->inertia, m = body->mass;
  const double J[9] = {I[0], I[3], I[4], I[3], I[1], I[5], I[4], I[5], I[2]};
  double c[3], T[9], back[9];
  nsd_mat3_multiply(frame->R, body->centre, c);
  nsd_vec3_add_scaled(frame->p, 1.0, c, c);
  nsd_mat3_product(frame->R, J, T);
  nsd_mat3_transpose(frame->R, back);
  nsd_mat3_product(T, back, T);
  const double square = nsd_vec3_dot(c, c);
  for (int i = 0; i < 3; i++) {
    link->first[i] += m * c[i];
    for (int j = 0; j < 3; j++) { /* the mean of mirror images, which rounding tells apart */
      link->J[4 * i + j] += 0.5 * (T[3 * i + j] + T[3 * j + i]) + m * ((i == j ? square : 0.0) - c[i] * c[j]);
    }
  }
  link->mass += m;
  link->is_diagonal = link->J[1] == 0.0 && link->J[2] == 0.0 && link->J[6] == 0.0;
  for (int i = 0; i < 12; i++) {
    link->heavy |= link->mass > 0.0 || link->J[i] != 0.0;
  }
}

void nsd_joint_append(nsdyn_tree *tree, const nsdyn_tree_body *body, nsd_tree_member *node)
{
  static const nsd_link_frame world = {{1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0}, {0.0, 0.0, 0.0}};
  const nsd_link_frame *parent = body->parent < 0 ? &world : &tree->body[body->parent].frame;
  chain c = {.tree = tree, .body = tree->bodies, .q = tree->nq};
  double turn[9], own[9];
  node->joint = body->joint;
  node->q = tree->nq;
  node->u = tree->nu;
  /* The joint's seat in the link that the parent belongs to; */
  nsdyn_quaternion_to_matrix(body->joint_turn, turn);
  c.link = body->parent < 0 ? 0 : tree->body[body->parent].link;
  nsd_mat3_product(parent->R, turn, c.to.R);
  nsd_mat3_multiply(parent->R, body->joint_place, c.to.p);
  nsd_vec3_add_scaled(c.to.p, 1.0, parent->p, c.to.p);
  append_joint(&c, body);
  /* and from the moving frame of the joint back to that of the body: R_F = R own⁻¹, p_F = p − R_F own_place.
   */
  nsdyn_quaternion_to_matrix(body->own_turn, turn);
  nsd_mat3_transpose(turn, own);
  nsd_mat3_product(c.to.R, own, node->frame.R);
  nsd_mat3_multiply(node->frame.R, body->own_place, own);
  nsd_vec3_add_scaled(c.to.p, -1.0, own, node->frame.p);
  node->link = c.link;
  tree->nq += types[body->joint].nq;
  if (node->link > 0) {
    add_mass(&tree->link[node->link], body, &node->frame);
  }
}
