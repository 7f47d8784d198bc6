/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* What acts along one s: of axes s = q_a + ratio q_b, so W has one or two elements and w̄ = 0; of a line
 * s = |d|, so W = n · (J_B − J_A). */
#include "multibody/elements.h"

#include <string.h>

#include "base/number.h"
#include "base/tolerances.h"
#include "multibody/joints.h"
#include "multibody/kinematics.h"
#include "multibody/loops.h"

nsdyn_status nsdyn_tree_element_init(nsdyn_tree_element *element, size_t size)
{
  const nsdyn_tree_element defaults = {.size = sizeof defaults,
                                       .kind = NSDYN_ELEMENT_AXIS,
                                       .body = {-1, -1},
                                       .ratio = 1.0,
                                       .lower = -INFINITY,
                                       .upper = INFINITY};
  return nsd_sized_init(element, size, NSD_TREE_ELEMENT_LEAST, &defaults, sizeof defaults);
}

/* ---- what is asked for ---- */

/* An element at a state: s, ṡ, and w̄, what s̈ is at u̇ = 0; of a line its direction, second anchor minus
 * first, and at s = 0 that in which the anchors part. */
typedef struct extent {
  double s, rate, bias, n[3];
} extent;

/* How the anchors of a line move. */
static void line_of(nsdyn_tree *tree, const nsdyn_tree_element *def, extent *e)
{
  nsdyn_tree_motion at[2] = {{.size = sizeof at[0]}, {.size = sizeof at[1]}};
  double d[3], rate[3], bias[3];
  for (int k = 0; k < 2; k++) {
    (void)nsdyn_tree_point(tree, def->body[k], def->anchor + 3 * (ptrdiff_t)k, &at[k]);
  }
  nsd_vec3_add_scaled(at[1].place, -1.0, at[0].place, d);
  nsd_vec3_add_scaled(at[1].velocity, -1.0, at[0].velocity, rate);
  nsd_vec3_add_scaled(at[1].bias, -1.0, at[0].bias, bias);
  const extent none = {0};
  *e = none;
  e->s = nsd_vec3_norm(d);
  if (e->s > 0.0) {
    /* ṡ = n·ḋ; s̈ = n·d̈ + (|ḋ|² − (n·ḋ)²) / s, the square of what is across */
    double across[3];
    nsd_vec3_set(d[0] / e->s, d[1] / e->s, d[2] / e->s, e->n);
    e->rate = nsd_vec3_dot(e->n, rate);
    nsd_vec3_cross(e->n, rate, across);
    const double centripetal = nsd_vec3_dot(across, across) / e->s;
    e->bias = nsd_tree_sum(nsd_vec3_dot(e->n, bias) + centripetal,
                           (nsd_vec3_norm(at[0].bias) + nsd_vec3_norm(at[1].bias)) + centripetal);
    return;
  }
  e->rate = nsd_vec3_norm(rate);
  if (e->rate > 0.0) {
    nsd_vec3_set(rate[0] / e->rate, rate[1] / e->rate, rate[2] / e->rate, e->n);
  }
}

/* `u` NULL: rate and bias are not asked for. The tree is at q, and moves with u. */
static void measure(nsdyn_tree *tree, const nsd_element *element, const double *q, const double *u, extent *e)
{
  const nsdyn_tree_element *def = &element->def;
  if (def->kind == NSDYN_ELEMENT_LINE) {
    line_of(tree, def, e);
    return;
  }
  const extent none = {0};
  *e = none;
  for (int k = 0; k < 2 && element->u[k] >= 0; k++) {
    const double count = k ? def->ratio : 1.0;
    e->s += element->q[k] < 0 ? (double)NAN : count * q[element->q[k]];
    e->rate += u ? count * u[element->u[k]] : 0.0;
  }
}

/* row := row + scale ∂ṡ/∂u */
static void add_row(nsdyn_tree *tree, const nsd_element *element, const extent *e, double scale, double *row)
{
  const nsdyn_tree_element *def = &element->def;
  if (def->kind == NSDYN_ELEMENT_AXIS) {
    for (int k = 0; k < 2 && element->u[k] >= 0; k++) {
      row[element->u[k]] += scale * (k ? def->ratio : 1.0);
    }
    return;
  }
  /* n at the second anchor, −n at the first */
  double F[2][6] = {{0.0}}, anchor[2][3];
  for (int k = 0; k < 2; k++) {
    nsd_vec3_scale(k ? scale : -scale, e->n, F[k] + 3);
    nsd_vec3_scale(1.0, def->anchor + 3 * (ptrdiff_t)k, anchor[k]);
  }
  nsd_tree_push_pair(tree, def->body, anchor, F, row);
}

/* ---- what can fail ---- */

static const char *label_of(const nsdyn_tree *tree, int32_t i, char text[NSD_LABEL_LENGTH])
{
  return nsd_label_text("element", i, nsd_tree_element_at(tree, i)->name, text);
}

/* What a callback of element i said, and whether the `count` numbers that it wrote are some. */
static int judge(nsdyn_tree *tree, int32_t i, const char *callback, int code, const double *value, int count)
{
  char label[NSD_LABEL_LENGTH];
  int wrong = code;
  for (int k = 0; k < count && !code; k++) {
    wrong = wrong || !(fabs(value[k]) < NSD_NUMBERS_END) ? -1 : 0;
  }
  if (wrong) {
    (void)nsd_fault_set(
        &tree->fault, wrong > 0 ? NSDYN_ERR_CALLBACK_RETRY : NSDYN_ERR_CALLBACK, NSDYN_DETAIL_CALLBACK, wrong,
        code ? "%s: callback %s returned %d" : "%s: callback %s wrote a number that is none (%d)",
        label_of(tree, i, label), callback, wrong);
  }
  return wrong;
}

/* f, ḟ, f̈; the tree is at q and u (NULL: any) behind it, too, wherever the callback has looked. */
static int drive_of(nsdyn_tree *tree, int32_t i, double t, const double *q, const double *u, double f[3])
{
  const nsdyn_tree_element *def = &nsd_tree_element_at(tree, i)->def;
  const uint64_t moves = tree->moves;
  nsd_vec3_set(0.0, 0.0, 0.0, f);
  if (!def->drive) {
    return 0;
  }
  const int told = def->drive(def->user, t, f), code = nsd_tree_return(tree, moves, q, u);
  return code ? code : judge(tree, i, "drive", told, f, 3);
}

/* What `force` adds, likewise. */
static int force_of(nsdyn_tree *tree, int32_t i, double t, const double *q, const double *u, const extent *e,
                    double *more)
{
  const nsdyn_tree_element *def = &nsd_tree_element_at(tree, i)->def;
  const uint64_t moves = tree->moves;
  *more = 0.0;
  if (!def->force) {
    return 0;
  }
  const int told = def->force(def->user, t, e->s, e->rate, more), code = nsd_tree_return(tree, moves, q, u);
  return code ? code : judge(tree, i, "force", told, more, 1);
}

/* A line whose anchors are in one place has no direction, where one is needed. */
static int has_direction(nsdyn_tree *tree, int32_t i, const extent *e)
{
  char label[NSD_LABEL_LENGTH];
  if (nsd_tree_element_at(tree, i)->def.kind == NSDYN_ELEMENT_AXIS || e->s > 0.0) {
    return 1;
  }
  (void)nsd_fault_set(&tree->fault, NSDYN_ERR_CALLBACK_RETRY, NSDYN_DETAIL_NONE, -1,
                      "%s: its anchors are in one place, and no direction leads from one to the other",
                      label_of(tree, i, label));
  return 0;
}

/* ---- callbacks ---- */

/* Whether F of an element is anything but zero. */
static int is_force(const nsdyn_tree_element *def)
{
  return def->stiffness > 0.0 || def->damping > 0.0 || def->force;
}

int nsd_elements_push(nsdyn_tree *tree, double t, const double *q, const double *u, double *h)
{
  for (int32_t i = 0; i < tree->elements.count; i++) {
    const nsd_element *element = nsd_tree_element_at(tree, i);
    const nsdyn_tree_element *def = &element->def;
    double f[3], more = 0.0, F = 0.0;
    extent e;
    if (!is_force(def)) {
      continue;
    }
    int code = drive_of(tree, i, t, q, u, f);
    if (code) {
      return code;
    }
    measure(tree, element, q, u, &e);
    code = force_of(tree, i, t, q, u, &e, &more);
    if (code) {
      return code;
    }
    /* F = −k (s − rest − f) − d (ṡ − ḟ) + force; where there is no s, there is no k */
    if (def->stiffness > 0.0) {
      F -= def->stiffness * (e.s - def->rest - f[0]);
    }
    /* Without a direction there is no force but a damper's against the motion, −d ḋ, from both sides. */
    if ((F + more != 0.0 || def->damping * f[1] != 0.0) && !has_direction(tree, i, &e)) {
      return 1;
    }
    F -= def->damping * (e.rate - f[1]);
    add_row(tree, element, &e, F + more, h);
  }
  return 0;
}

int nsd_elements_gaps(nsdyn_tree *tree, const double *q, double *g)
{
  for (int32_t i = 0; i < tree->contacts.count; i++) {
    const nsd_element_row *row = nsd_tree_contact_at(tree, i);
    const nsd_element *element = nsd_tree_element_at(tree, row->element);
    extent e;
    if (row->part == NSD_ELEMENT_FRICTION) { /* a slot, which is always closed */
      g[i] = 0.0;
      continue;
    }
    measure(tree, element, q, NULL, &e);
    g[i] = row->part == NSD_ELEMENT_LOWER ? e.s - element->def.lower : element->def.upper - e.s;
  }
  return 0;
}

/* w_N of a limit is ± ∂ṡ/∂u; dry friction has w_N = 0, and this as its w_T. */
static double sign_of(const nsd_element_row *row)
{
  return row->part == NSD_ELEMENT_UPPER ? -1.0 : 1.0;
}

int nsd_elements_direct(nsdyn_tree *tree, const double *q, int32_t i, double *W)
{
  const nsd_element_row *row = nsd_tree_contact_at(tree, i);
  const nsd_element *element = nsd_tree_element_at(tree, row->element);
  extent e;
  measure(tree, element, q, NULL, &e);
  if (!has_direction(tree, row->element, &e)) {
    return 1;
  }
  add_row(tree, element, &e, sign_of(row), W + (row->part == NSD_ELEMENT_FRICTION ? tree->nu : 0));
  return 0;
}

int nsd_elements_bias(nsdyn_tree *tree, const double *q, const double *u, int32_t i, double *w_bar)
{
  const nsd_element_row *row = nsd_tree_contact_at(tree, i);
  extent e;
  measure(tree, nsd_tree_element_at(tree, row->element), q, u, &e);
  if (!has_direction(tree, row->element, &e)) {
    return 1;
  }
  w_bar[row->part == NSD_ELEMENT_FRICTION ? 1 : 0] = sign_of(row) * e.bias;
  return 0;
}

int nsd_elements_constrain(nsdyn_tree *tree, double t, const double *q, double *g_b, double *W_b,
                           double *w_hat_b)
{
  const nsd_element_row *held = tree->held.item;
  for (int32_t k = 0; k < tree->held.count; k++) {
    const nsd_element *element = nsd_tree_element_at(tree, held[k].element);
    const int32_t row = element->constraint;
    extent e;
    double f[3];
    const int code = drive_of(tree, held[k].element, t, q, NULL, f);
    measure(tree, element, q, NULL, &e);
    if (code || !has_direction(tree, held[k].element, &e)) {
      return code ? code : 1;
    }
    /* g = s − rest − f(t) */
    g_b[row] = e.s - element->def.rest - f[0];
    w_hat_b[row] = -f[1];
    add_row(tree, element, &e, 1.0, W_b + (size_t)row * (size_t)tree->nu);
  }
  return 0;
}

int nsd_elements_constraint_bias(nsdyn_tree *tree, double t, const double *q, const double *u,
                                 double *w_bar_b)
{
  const nsd_element_row *held = tree->held.item;
  for (int32_t k = 0; k < tree->held.count; k++) {
    const nsd_element *element = nsd_tree_element_at(tree, held[k].element);
    extent e;
    double f[3];
    const int code = drive_of(tree, held[k].element, t, q, u, f);
    measure(tree, element, q, u, &e);
    if (code || !has_direction(tree, held[k].element, &e)) {
      return code ? code : 1;
    }
    w_bar_b[element->constraint] = e.bias - f[2];
  }
  return 0;
}

nsdyn_status nsd_elements_set_laws(const nsdyn_tree *tree, nsdyn_system *sys, int32_t first)
{
  for (int32_t i = 0; i < tree->contacts.count; i++) {
    const nsd_element_row *row = nsd_tree_contact_at(tree, i);
    const nsdyn_tree_element *def = &nsd_tree_element_at(tree, row->element)->def;
    nsdyn_contact_law law;
    nsdyn_contact_law_init(&law, sizeof law);
    if (row->part == NSD_ELEMENT_FRICTION) { /* a brake: w_N = 0, so that nothing presses on it */
      law.kind = NSDYN_CONTACT_BILATERAL;
      law.friction = NSDYN_FRICTION_BOUND;
      law.bound = def->friction;
    } else {
      law.friction = NSDYN_FRICTION_NONE;
      law.eps_n = def->eps_n;
    }
    const nsdyn_status status = nsdyn_system_set_contact(sys, first + i, &law);
    if (status) {
      return status;
    }
  }
  return NSDYN_OK;
}

int nsd_elements_are_constant(const nsdyn_tree *tree)
{
  for (int32_t i = 0; i < tree->contacts.count; i++) {
    if (nsd_tree_element_at(tree, nsd_tree_contact_at(tree, i)->element)->def.kind != NSDYN_ELEMENT_AXIS) {
      return 0;
    }
  }
  return 1;
}

/* ---- adding ---- */

#define FIELD(name) offsetof(nsdyn_tree_element, name)

static nsdyn_status refuse(nsdyn_tree *tree, const char *label, nsdyn_status status, size_t offset,
                           const char *text)
{
  return nsd_fault_set(&tree->fault, status, NSDYN_DETAIL_FIELD, (int64_t)offset,
                       "nsdyn_tree_add_element: %s: %s", label, text);
}

nsdyn_status nsd_tree_check_bodies(nsdyn_tree *tree, const char *name, const char *label, const int32_t *body,
                                   size_t offset)
{
  for (int k = 0; k < 2; k++) {
    if (body[k] < -1 || body[k] >= tree->bodies) {
      char bodies[NSD_LABEL_LENGTH];
      return nsd_fault_set(&tree->fault, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_FIELD, (int64_t)offset,
                           "%s: %s: body[%d] is %d; %s", name, label, k, (int)body[k],
                           nsd_tree_bodies_text(tree, bodies));
    }
  }
  if (body[0] == body[1]) {
    return nsd_fault_set(&tree->fault, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_FIELD, (int64_t)offset,
                         "%s: %s: both bodies are the same", name, label);
  }
  return NSDYN_OK;
}

/* Numbers, and what they may be. */
static nsdyn_status check_numbers(nsdyn_tree *tree, const char *label, const nsdyn_tree_element *def)
{
  const struct {
    const char *text;
    size_t offset;
    int is_good, is_number;
  } fields[] = {
      {"ratio is 0, or no number", FIELD(ratio), def->ratio != 0.0, fabs(def->ratio) < NSD_NUMBERS_END},
      {"rest is infinite", FIELD(rest), 1, isnan(def->rest) || fabs(def->rest) < NSD_NUMBERS_END},
      {"stiffness is not a number >= 0", FIELD(stiffness), def->stiffness >= 0.0,
       fabs(def->stiffness) < NSD_NUMBERS_END},
      {"damping is not a number >= 0", FIELD(damping), def->damping >= 0.0,
       fabs(def->damping) < NSD_NUMBERS_END},
      {"friction is not a number >= 0", FIELD(friction), def->friction >= 0.0,
       fabs(def->friction) < NSD_NUMBERS_END},
      {"lower is neither a number nor -INFINITY", FIELD(lower), 1,
       def->lower == -INFINITY || fabs(def->lower) < NSD_NUMBERS_END},
      {"upper is neither a number nor INFINITY", FIELD(upper), 1,
       def->upper == INFINITY || fabs(def->upper) < NSD_NUMBERS_END},
      {"lower is not below upper", FIELD(lower), def->lower < def->upper, 1},
      {"eps_n is not in [0, 1]", FIELD(eps_n), def->eps_n >= 0.0 && def->eps_n <= 1.0, !isnan(def->eps_n)},
  };
  for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
    if (!fields[i].is_number || !fields[i].is_good) {
      return refuse(tree, label, fields[i].is_number ? NSDYN_ERR_ARGUMENT : NSDYN_ERR_NOT_FINITE,
                    fields[i].offset, fields[i].text);
    }
  }
  for (int k = 0; k < 6; k++) {
    if (!(fabs(def->anchor[k]) < NSD_NUMBERS_END)) {
      return refuse(tree, label, NSDYN_ERR_NOT_FINITE, FIELD(anchor), "anchor is not finite");
    }
  }
  if (def->held != 0 && def->held != 1) {
    return refuse(tree, label, NSDYN_ERR_ARGUMENT, FIELD(held), "held is neither 0 nor 1");
  }
  if (def->held && (def->friction > 0.0 || def->lower > -INFINITY || def->upper < INFINITY)) {
    return refuse(tree, label, NSDYN_ERR_ARGUMENT, FIELD(held), "held leaves nothing to friction and limits");
  }
  return NSDYN_OK;
}

/* Velocities and coordinates of axis k; an axis of ω has no coordinate, and so no spring, no limit and no
 * place to be held at. */
static nsdyn_status find_axis(nsdyn_tree *tree, const char *label, nsd_element *element, int k)
{
  const nsdyn_tree_element *def = &element->def;
  const nsd_tree_member *body = &tree->body[def->body[k]];
  const nsd_joint_type *type = nsd_joint_type_of(body->joint);
  if (def->axis[k] < 0 || def->axis[k] >= type->nu) {
    char whose[NSD_LABEL_LENGTH];
    return nsd_fault_set(&tree->fault, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_FIELD, (int64_t)FIELD(axis),
                         "nsdyn_tree_add_element: %s: axis[%d] is %d; the %s joint of %s has %d", label, k,
                         (int)def->axis[k], type->name, nsd_tree_label(tree, def->body[k], whose),
                         (int)type->nu);
  }
  element->u[k] = body->u + def->axis[k];
  const nsd_link *link = &tree->link[element->u[k] + 1];
  const int is_turn_of_ball = link->kind == NSD_LINK_BALL || link->kind == NSD_LINK_ALONG;
  element->q[k] = is_turn_of_ball ? -1 : link->q;
  if (is_turn_of_ball &&
      (def->held || def->stiffness > 0.0 || def->lower > -INFINITY || def->upper < INFINITY)) {
    return refuse(tree, label, NSDYN_ERR_ARGUMENT, FIELD(axis),
                  "an axis of a ball has no coordinate: no spring, no limit, and nothing to be held at");
  }
  return NSDYN_OK;
}

static nsdyn_status check_axes(nsdyn_tree *tree, const char *label, nsd_element *element)
{
  const nsdyn_tree_element *def = &element->def;
  if (def->body[0] == -1) {
    return refuse(tree, label, NSDYN_ERR_ARGUMENT, FIELD(body), "body[0] is the world, which has no joint");
  }
  if (tree->bodies == 0) {
    return refuse(tree, label, NSDYN_ERR_ARGUMENT, FIELD(body), "there are no bodies, and no joints, yet");
  }
  for (int k = 0; k < 2; k++) {
    if (def->body[k] < -1 || def->body[k] >= tree->bodies) {
      return nsd_fault_set(&tree->fault, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_FIELD, (int64_t)FIELD(body),
                           "nsdyn_tree_add_element: %s: body[%d] is %d; there are bodies 0 to %d", label, k,
                           (int)def->body[k], (int)tree->bodies - 1);
    }
    const nsdyn_status status = def->body[k] < 0 ? NSDYN_OK : find_axis(tree, label, element, k);
    if (status) {
      return status;
    }
  }
  return element->u[0] == element->u[1]
             ? refuse(tree, label, NSDYN_ERR_ARGUMENT, FIELD(axis), "both axes are the same")
             : NSDYN_OK;
}

static nsdyn_status check(nsdyn_tree *tree, const char *label, nsd_element *element)
{
  nsdyn_tree_element *def = &element->def;
  if (def->kind != NSDYN_ELEMENT_AXIS && def->kind != NSDYN_ELEMENT_LINE) {
    return refuse(tree, label, NSDYN_ERR_ARGUMENT, FIELD(kind), "kind is not one of nsdyn_tree_element_kind");
  }
  nsdyn_status status = check_numbers(tree, label, def);
  if (!status) {
    status = def->kind == NSDYN_ELEMENT_AXIS
                 ? check_axes(tree, label, element)
                 : nsd_tree_check_bodies(tree, "nsdyn_tree_add_element", label, def->body, FIELD(body));
  }
  if (status) {
    return status;
  }
  for (int k = 0; k < 2; k++) { /* an axis that no one has says nothing, and is not told again */
    if (def->kind == NSDYN_ELEMENT_LINE || def->body[k] < 0) {
      def->axis[k] = 0;
    }
  }
  if (isnan(def->rest)) { /* as the bodies stand */
    extent e;
    if (!tree->has_state) {
      return refuse(tree, label, NSDYN_ERR_ARGUMENT, FIELD(rest),
                    "rest is NaN, as the bodies stand, but no state is set");
    }
    measure(tree, element, tree->q, NULL, &e);
    def->rest = isnan(e.s) ? 0.0 : e.s;
  }
  if (def->kind == NSDYN_ELEMENT_LINE && def->held && !(def->rest > 0.0)) {
    return refuse(tree, label, NSDYN_ERR_ARGUMENT, FIELD(rest), "rest of a line that is held is not > 0");
  }
  return NSDYN_OK;
}

/* One more row in a list that has room. */
static int32_t append_row(nsd_list *list, int32_t element, int32_t part)
{
  nsd_element_row *row = (nsd_element_row *)list->item + list->count;
  row->element = element;
  row->part = part;
  return list->count++;
}

/* Room for up to `count` more rows. */
static nsdyn_status reserve(nsdyn_tree *tree, nsd_list *list, int32_t count)
{
  nsd_list ahead = *list;
  nsdyn_status status = NSDYN_OK;
  for (int32_t k = 0; k < count && !status; k++) {
    status = nsd_list_room(tree->ctx, &ahead);
    ahead.count++;
  }
  /* What memory it has now is the list's, whether that was enough or not. */
  list->item = ahead.item;
  list->room = ahead.room;
  return status;
}

static void append(nsdyn_tree *tree, nsd_element *element)
{
  const nsdyn_tree_element *def = &element->def;
  const int32_t number = tree->elements.count;
  if (def->lower > -INFINITY) {
    element->lower = append_row(&tree->contacts, number, NSD_ELEMENT_LOWER);
  }
  if (def->upper < INFINITY) {
    element->upper = append_row(&tree->contacts, number, NSD_ELEMENT_UPPER);
  }
  if (def->friction > 0.0) {
    element->friction = append_row(&tree->contacts, number, NSD_ELEMENT_FRICTION);
  }
  if (def->held) {
    (void)append_row(&tree->held, number, 0);
    element->constraint = tree->constraints++;
  }
  *nsd_tree_element_at(tree, number) = *element;
  tree->elements.count++;
}

nsdyn_status nsdyn_tree_add_element(nsdyn_tree *tree, const nsdyn_tree_element *element, int32_t *number)
{
  static const nsd_element none = {
      .u = {-1, -1}, .q = {-1, -1}, .lower = -1, .upper = -1, .friction = -1, .constraint = -1};
  nsd_element own = none;
  char label[NSD_LABEL_LENGTH];
  nsdyn_status status = nsd_tree_open(tree, element, "element", "nsdyn_tree_add_element");
  if (status) {
    return status;
  }
  /* 1: a copy that was checked; */
  status = NSD_SIZED_READ(nsdyn_tree_element, &own.def, NSD_TREE_ELEMENT_LEAST, element, &tree->fault);
  if (status) {
    return status;
  }
  nsd_name_copy(own.name, own.def.name);
  own.def.name = NULL; /* the caller's */
  status = check(tree, nsd_label_text("element", tree->elements.count, own.name, label), &own);
  if (status) {
    return status;
  }
  /* 2: memory for all of it, before any of it counts. */
  status = nsd_list_room(tree->ctx, &tree->elements);
  status = status ? status : reserve(tree, &tree->contacts, 3);
  status = status ? status : reserve(tree, &tree->held, 1);
  if (status) {
    return nsd_fault_set(&tree->fault, status, NSDYN_DETAIL_NONE, -1,
                         "nsdyn_tree_add_element: no room for %s", label);
  }
  append(tree, &own);
  if (number) {
    *number = tree->elements.count - 1;
  }
  return NSDYN_OK;
}

nsdyn_status nsdyn_tree_element_rows(const nsdyn_tree *tree, int32_t element, int32_t *lower, int32_t *upper,
                                     int32_t *friction, int32_t *constraint)
{
  if (!tree || element < 0 || element >= tree->elements.count) {
    return NSDYN_ERR_ARGUMENT;
  }
  const nsd_element *own = nsd_tree_element_at(tree, element);
  int32_t *const out[] = {lower, upper, friction, constraint};
  const int32_t row[] = {own->lower, own->upper, own->friction, own->constraint};
  for (int k = 0; k < 4; k++) {
    if (out[k]) {
      *out[k] = row[k];
    }
  }
  return NSDYN_OK;
}

int32_t nsdyn_tree_find_element(const nsdyn_tree *tree, const char *name)
{
  char own[NSD_NAME_LENGTH];
  nsd_name_copy(own, name);
  for (int32_t i = 0; tree && own[0] && i < tree->elements.count; i++) {
    if (!strcmp(nsd_tree_element_at(tree, i)->name, own)) {
      return i;
    }
  }
  return -1;
}
