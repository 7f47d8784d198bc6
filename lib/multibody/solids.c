/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Solids on bodies: what is added, who may touch whom, and by which law. */
#include "multibody/solids.h"

#include <stdio.h>
#include <string.h>

#include "contact/law.h"
#include "multibody/loops.h"
#include "nsdyn/rotation.h"

nsdyn_status nsdyn_tree_solid_init(nsdyn_tree_solid *solid, size_t size)
{
  const nsdyn_tree_solid defaults = {
      .size = sizeof defaults, .body = -1, .turn = {1.0}, .group = 1, .touches = -1};
  return nsd_sized_init(solid, size, NSD_TREE_SOLID_LEAST, &defaults, sizeof defaults);
}

/* ---- adding ---- */

#define FIELD(name) offsetof(nsdyn_tree_solid, name)

static nsdyn_status refuse(nsdyn_tree *tree, const char *label, nsdyn_status status, size_t offset,
                           const char *text)
{
  return nsd_fault_set(&tree->fault, status, NSDYN_DETAIL_FIELD, (int64_t)offset,
                       "nsdyn_tree_add_solid: %s: %s", label, text);
}

static int are_numbers(const double *x, int count)
{
  for (int i = 0; i < count; i++) {
    if (!(fabs(x[i]) < NSD_NUMBERS_END)) {
      return 0;
    }
  }
  return 1;
}

static nsdyn_status check(nsdyn_tree *tree, const char *label, const nsdyn_tree_solid *def)
{
  if (!def->solid) {
    return refuse(tree, label, NSDYN_ERR_ARGUMENT, FIELD(solid), "solid is NULL");
  }
  if (def->body < -1 || def->body >= tree->bodies) {
    char bodies[NSD_LABEL_LENGTH];
    return nsd_fault_set(&tree->fault, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_FIELD, (int64_t)FIELD(body),
                         "nsdyn_tree_add_solid: %s: body is %d; %s", label, (int)def->body,
                         nsd_tree_bodies_text(tree, bodies));
  }
  if (def->material < 0 || def->material > NSD_TREE_MATERIALS) {
    return refuse(tree, label, NSDYN_ERR_ARGUMENT, FIELD(material), "material is not 0 to 1023");
  }
  if (def->reserved != 0) {
    return refuse(tree, label, NSDYN_ERR_ARGUMENT, FIELD(reserved), "reserved is not 0");
  }
  if (!are_numbers(def->place, 3)) {
    return refuse(tree, label, NSDYN_ERR_NOT_FINITE, FIELD(place), "place is not finite");
  }
  if (!are_numbers(def->turn, 4)) {
    return refuse(tree, label, NSDYN_ERR_NOT_FINITE, FIELD(turn), "turn is not finite");
  }
  if (def->turn[0] == 0.0 && def->turn[1] == 0.0 && def->turn[2] == 0.0 && def->turn[3] == 0.0) {
    return refuse(tree, label, NSDYN_ERR_ARGUMENT, FIELD(turn), "turn is zero, so it is no rotation");
  }
  return NSDYN_OK;
}

/* The body that moves a fixed one; −1: none does. */
static int32_t carrier_of(const nsdyn_tree *tree, int32_t body)
{
  const nsdyn_tree_body *given = tree->given.item;
  while (body >= 0 && given[body].joint == NSDYN_TREE_FIXED) {
    body = given[body].parent;
  }
  return body;
}

nsdyn_status nsdyn_tree_add_solid(nsdyn_tree *tree, const nsdyn_tree_solid *solid, int32_t *number)
{
  nsdyn_tree_solid def;
  nsd_tree_solid own;
  char label[NSD_LABEL_LENGTH];
  nsdyn_status status = nsd_tree_open(tree, solid, "solid", "nsdyn_tree_add_solid");
  status =
      status ? status : NSD_SIZED_READ(nsdyn_tree_solid, &def, NSD_TREE_SOLID_LEAST, solid, &tree->fault);
  if (status) {
    return status;
  }
  memset(&own, 0, sizeof own);
  nsd_name_copy(own.name, def.name);
  (void)nsd_label_text("solid", tree->solids.count, own.name, label);
  status = check(tree, label, &def);
  if (status) {
    return status;
  }
  const int32_t features = nsd_solid_features(def.solid);
  status = features > NSD_TREE_FEATURES - tree->features ? NSDYN_ERR_TOO_LARGE
                                                         : nsd_list_room(tree->ctx, &tree->solids);
  if (status) {
    return nsd_fault_set(&tree->fault, status, NSDYN_DETAIL_NONE, -1, "nsdyn_tree_add_solid: no room for %s",
                         label);
  }
  own.def = def;
  own.def.name = NULL; /* the caller's */
  own.def.solid = nsd_solid_hold(def.solid);
  nsdyn_quaternion_to_matrix(def.turn, own.turn);
  own.first_feature = tree->features;
  own.carrier = carrier_of(tree, def.body);
  *nsd_tree_solid_at(tree, tree->solids.count) = own;
  tree->features += features;
  if (number) {
    *number = tree->solids.count;
  }
  tree->solids.count++;
  return NSDYN_OK;
}

int32_t nsdyn_tree_solids(const nsdyn_tree *tree)
{
  return tree ? tree->solids.count : 0;
}

int32_t nsdyn_tree_find_solid(const nsdyn_tree *tree, const char *name)
{
  char own[NSD_NAME_LENGTH];
  nsd_name_copy(own, name);
  for (int32_t i = 0; tree && own[0] && i < tree->solids.count; i++) {
    if (!strcmp(nsd_tree_solid_at(tree, i)->name, own)) {
      return i;
    }
  }
  return -1;
}

/* ---- laws ---- */

static nsd_tree_law *law_at(const nsdyn_tree *tree, int32_t i)
{
  return (nsd_tree_law *)tree->laws.item + i;
}

static int is_of(const nsd_tree_law *law, int32_t a, int32_t b)
{
  return law->material[0] == (a < b ? a : b) && law->material[1] == (a < b ? b : a);
}

/* Where the law that was set for two materials stands; −1: none was. */
static int32_t place_of_law(const nsdyn_tree *tree, int32_t a, int32_t b)
{
  for (int32_t i = 0; i < tree->laws.count; i++) {
    if (is_of(law_at(tree, i), a, b)) {
      return i;
    }
  }
  return -1;
}

/* The number that the law of two materials has in a system. 0: that of material 0 with itself, and of all
 * whose law was not set; from 1 on: the others, in their order. */
static int32_t law_of(const nsdyn_tree *tree, int32_t a, int32_t b)
{
  const int32_t place = place_of_law(tree, a, b), common = place_of_law(tree, 0, 0);
  return place < 0 || place == common ? 0 : common >= 0 && common < place ? place : place + 1;
}

nsdyn_status nsdyn_tree_set_law(nsdyn_tree *tree, int32_t first, int32_t second, const nsdyn_contact_law *law)
{
  static const char name[] = "nsdyn_tree_set_law", checked[] = "contact 0"; /* as the checks speak of it */
  nsd_tree_law own = {{first < second ? first : second, first < second ? second : first}, {0}};
  nsdyn_status status = nsd_tree_open(tree, law, "law", name);
  if (status) {
    return status;
  }
  if (own.material[0] < 0 || own.material[1] > NSD_TREE_MATERIALS) {
    return nsd_fault_set(&tree->fault, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_ARGUMENT, 1,
                         "%s: materials %d and %d are not 0 to 1023", name, (int)first, (int)second);
  }
  nsd_fault said;
  nsd_fault_clear(&said);
  status = nsd_contact_law_read(&own.law, law, 0, &said);
  if (status) {
    const size_t skip = strncmp(said.message, checked, sizeof checked - 1) == 0 ? sizeof checked - 1 : 0;
    return nsd_fault_set(&tree->fault, status, NSDYN_DETAIL_NONE, -1, "%s: materials %d and %d%s%s", name,
                         (int)first, (int)second, skip ? "" : ": ", said.message + skip);
  }
  if (own.law.kind == NSDYN_CONTACT_BILATERAL) { /* what solids overlap by is no play */
    return nsd_fault_set(&tree->fault, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_FIELD,
                         (int64_t)offsetof(nsdyn_contact_law, kind),
                         "%s: materials %d and %d: kind is that of a slot, but solids only touch", name,
                         (int)first, (int)second);
  }
  if (own.law.friction != NSDYN_FRICTION_NONE && !nsd_contact_law_is_spatial(&own.law)) {
    return nsd_fault_set(&tree->fault, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_NONE, -1,
                         "%s: materials %d and %d: the law has one tangent, but solids are in space", name,
                         (int)first, (int)second);
  }
  const int32_t old = place_of_law(tree, first, second);
  if (old < 0) {
    status = nsd_list_room(tree->ctx, &tree->laws);
    if (status) {
      return nsd_fault_set(&tree->fault, status, NSDYN_DETAIL_NONE, -1, "%s: no room for a law", name);
    }
    tree->laws.count++;
  }
  *law_at(tree, old < 0 ? tree->laws.count - 1 : old) = own;
  return NSDYN_OK;
}

nsdyn_status nsd_solids_add_laws(const nsdyn_tree *tree, nsdyn_system *sys)
{
  if (tree->solids.count == 0 && tree->laws.count == 0) {
    return NSDYN_OK;
  }
  /* Number 0: what holds where nothing else was said; then the others that were set, each once (law_of). */
  const int32_t common = place_of_law(tree, 0, 0);
  nsdyn_contact_law law;
  int32_t number;
  nsdyn_contact_law_init(&law, sizeof law);
  law.tangents = 2;
  nsdyn_status status = nsdyn_system_add_law(sys, common < 0 ? &law : &law_at(tree, common)->law, &number);
  for (int32_t i = 0; i < tree->laws.count && !status; i++) {
    status = i == common ? NSDYN_OK : nsdyn_system_add_law(sys, &law_at(tree, i)->law, &number);
  }
  return status;
}

/* ---- who may touch whom ---- */

/* Who is joined with whom, as one number: the smaller body first. */
static int64_t pair_of(int32_t a, int32_t b)
{
  return (int64_t)(a < b ? a : b) * NSD_TREE_MOST + (a < b ? b : a);
}

/* Whether a joint is between two bodies that move, by the tree or by a loop. */
static int are_joined(const nsdyn_tree *tree, int32_t a, int32_t b)
{
  return nsd_keys_find(&tree->search->joined, pair_of(a, b)) >= 0;
}

static nsdyn_status join(nsdyn_tree *tree, int32_t a, int32_t b)
{
  nsd_keys *joined = &tree->search->joined;
  if (a < 0 || b < 0 || a == b) { /* a body may touch the world that it hangs on */
    return NSDYN_OK;
  }
  const nsdyn_status status = nsd_keys_reserve(joined, joined->count + 1);
  if (!status) {
    (void)nsd_keys_add(joined, pair_of(a, b), 1);
  }
  return status;
}

/* All joints of the tree and of its loops, between those that carry the two bodies. */
static nsdyn_status join_neighbours(nsdyn_tree *tree)
{
  const nsdyn_tree_body *given = tree->given.item;
  const nsd_loop *loop = tree->loops.item;
  nsdyn_status status = NSDYN_OK;
  for (int32_t i = 0; i < tree->bodies && !status; i++) {
    status = join(tree, carrier_of(tree, i), carrier_of(tree, given[i].parent));
  }
  for (int32_t i = 0; i < tree->loops.count && !status; i++) {
    status = join(tree, carrier_of(tree, loop[i].body[0]), carrier_of(tree, loop[i].body[1]));
  }
  return status;
}

static int may_touch(const nsdyn_tree *tree, const nsd_tree_solid *a, const nsd_tree_solid *b)
{
  return a->carrier != b->carrier && (a->def.group & b->def.touches) != 0 &&
         (b->def.group & a->def.touches) != 0 && !are_joined(tree, a->carrier, b->carrier);
}

/* ---- memory ---- */

static void release_search(nsdyn_tree *tree)
{
  nsd_solid_search *search = tree->search;
  if (search) {
    const size_t solids = (size_t)search->solids, nu = (size_t)search->nu;
    nsd_release(tree->ctx, search->place, solids, sizeof *search->place);
    nsd_release(tree->ctx, search->box, solids, sizeof *search->box);
    nsd_release(tree->ctx, search->order, solids, sizeof *search->order);
    nsd_release(tree->ctx, search->column, nu, sizeof *search->column);
    nsd_release(tree->ctx, search->link, nu, sizeof *search->link);
    nsd_release(tree->ctx, search->values, 3 * nu, sizeof *search->values);
    nsd_release(tree->ctx, search->block, nu, sizeof *search->block);
    nsd_keys_release(&search->joined);
    nsd_release(tree->ctx, search, 1, sizeof *search);
    tree->search = NULL;
  }
}

void nsd_solids_drop(nsdyn_tree *tree)
{
  release_search(tree);
  for (int32_t i = 0; i < tree->solids.count; i++) {
    nsdyn_solid_free(nsd_tree_solid_at(tree, i)->def.solid);
  }
  nsd_list_drop(tree->ctx, &tree->solids);
  nsd_list_drop(tree->ctx, &tree->laws);
}

static nsdyn_status reserve_search(nsdyn_tree *tree)
{
  const size_t solids = (size_t)tree->solids.count, nu = (size_t)tree->nu;
  nsd_solid_search *search = nsd_allocate(tree->ctx, 1, sizeof *search);
  if (!search) {
    return NSDYN_ERR_NOMEM;
  }
  search->solids = tree->solids.count;
  search->nu = tree->nu;
  nsd_keys_init(&search->joined, tree->ctx);
  search->place = nsd_allocate(tree->ctx, solids, sizeof *search->place);
  search->box = nsd_allocate(tree->ctx, solids, sizeof *search->box);
  search->order = nsd_allocate(tree->ctx, solids, sizeof *search->order);
  search->column = nsd_allocate(tree->ctx, nu, sizeof *search->column);
  search->link = nsd_allocate(tree->ctx, nu, sizeof *search->link);
  search->values = nsd_allocate(tree->ctx, 3 * nu, sizeof *search->values);
  search->block = nsd_allocate(tree->ctx, nu, sizeof *search->block);
  tree->search = search;
  if (!search->place || !search->box || !search->order ||
      (nu && (!search->column || !search->link || !search->values || !search->block)) ||
      join_neighbours(tree)) {
    release_search(tree);
    return NSDYN_ERR_NOMEM;
  }
  return NSDYN_OK;
}

nsdyn_status nsd_solids_prepare(nsdyn_tree *tree, nsd_fault *fault)
{
  char label[2][NSD_LABEL_LENGTH];
  const int32_t count = tree->solids.count;
  if (tree->has_system || count == 0) { /* as the first system has left it: nothing has been added since */
    return NSDYN_OK;
  }
  /* 1: memory. A system that could not be made has left some, but the tree may have grown since. */
  release_search(tree);
  if (reserve_search(tree)) {
    return nsd_fault_set(fault, NSDYN_ERR_NOMEM, NSDYN_DETAIL_NONE, -1,
                         "nsdyn_tree_system_new: no memory for contacts between solids");
  }
  /* 2: whether all that may touch can be compared. */
  for (int32_t i = 0; i < count; i++) {
    const nsd_tree_solid *a = nsd_tree_solid_at(tree, i);
    for (int32_t j = i + 1; j < count; j++) {
      const nsd_tree_solid *b = nsd_tree_solid_at(tree, j);
      if (!nsd_solids_compare(a->def.solid, b->def.solid) && may_touch(tree, a, b)) {
        return nsd_fault_set(fault, NSDYN_ERR_UNSUPPORTED, NSDYN_DETAIL_NONE, -1,
                             "nsdyn_tree_system_new: %s, a %s, and %s, a %s, cannot be compared",
                             nsd_label_text("solid", i, a->name, label[0]), nsd_solid_name(a->def.solid),
                             nsd_label_text("solid", j, b->name, label[1]), nsd_solid_name(b->def.solid));
      }
    }
  }
  return NSDYN_OK;
}

/* ---- rows ---- */

/* A point of a body that moves one way: +1, or back: −1. */
typedef struct climber {
  int32_t link;
  double from[3], sign;
} climber;

static climber begin_climb(const nsdyn_tree *tree, int32_t carrier, const double x[3], double sign)
{
  climber c = {.link = carrier < 0 ? 0 : tree->body[carrier].link, .sign = sign};
  nsd_vec3_add_scaled(x, -1.0, tree->state[c.link].o, c.from);
  return c;
}

/* What the joint of this link moves the point by, along three directions; then on to its parent. */
static void climb(const nsdyn_tree *tree, climber *c, double (*along)[3], double *column)
{
  const nsd_link *link = &tree->link[c->link];
  const nsd_link_state *k = &tree->state[c->link];
  double v[3];
  nsd_vec3_cross(k->s, c->from, v);
  for (int i = 0; i < 3; i++) {
    v[i] = link->turn * v[i] + link->slide * k->s[i];
  }
  const double size = link->turn * nsd_vec3_norm(c->from) + fabs(link->slide);
  for (int r = 0; r < 3; r++) {
    column[r] = c->sign * nsd_tree_sum(nsd_vec3_dot(along[r], v), size);
  }
  nsd_vec3_add_scaled(c->from, 1.0, k->r, c->from);
  c->link = link->parent;
}

/* W of a point that two bodies share: of joints before both of them nothing is left. Links on both ways to
 * the root come in falling order, so that runs of them are blocks. Returns how many. */
static int32_t make_blocks(const nsdyn_tree *tree, const int32_t *carrier, const double x[3],
                           double (*along)[3])
{
  nsd_solid_search *s = tree->search;
  climber c[2] = {begin_climb(tree, carrier[0], x, 1.0), begin_climb(tree, carrier[1], x, -1.0)};
  int32_t count = 0, blocks = 0;
  while (c[0].link != c[1].link) { /* parents have smaller numbers: who is farther out climbs */
    climber *outer = &c[c[1].link > c[0].link];
    s->link[count] = outer->link;
    climb(tree, outer, along, s->column[count++]);
  }
  for (int32_t from = 0, to = 0; from < count; from = to) {
    to = from + 1;
    while (to < count && s->link[to] == s->link[to - 1] - 1) {
      to++;
    }
    double *values = s->values + (ptrdiff_t)3 * from;
    for (int r = 0; r < 3; r++) {
      for (int32_t j = from; j < to; j++) {
        values[r * (to - from) + (to - 1 - j)] = s->column[j][r];
      }
    }
    s->block[blocks++] =
        (nsdyn_contact_block){.offset = s->link[to - 1] - 1, .count = to - from, .values = values};
  }
  return blocks;
}

/* n, and two directions across it: the first one across the axis of the world that is least along n. */
static void make_directions(const double n[3], double (*along)[3])
{
  double axis[3] = {0.0};
  int least = 0;
  for (int i = 1; i < 3; i++) {
    least = fabs(n[i]) < fabs(n[least]) ? i : least;
  }
  axis[least] = 1.0;
  nsd_vec3_scale(1.0, n, along[0]);
  nsd_vec3_cross(n, axis, along[1]);
  nsd_vec3_scale(1.0 / nsd_vec3_norm(along[1]), along[1], along[1]);
  nsd_vec3_cross(n, along[1], along[2]);
}

/* ---- the search ---- */

typedef struct finding {
  nsdyn_tree *tree;
  nsdyn_contact_sink *sink;
  double margin;
  const nsd_tree_solid *of[2]; /* the pair that is compared */
  int32_t law;
} finding;

/* Both solids move the point halfway between them, so that what acts there is in balance. */
static int report(void *user, const nsdyn_solid_touch *touch)
{
  const finding *f = user;
  const int32_t carrier[2] = {f->of[0]->carrier, f->of[1]->carrier};
  double x[3], along[3][3];
  nsdyn_found_contact found;
  nsdyn_found_contact_init(&found, sizeof found);
  nsd_vec3_add_scaled(touch->point[1], 0.5 * touch->gap, touch->normal, x);
  make_directions(touch->normal, along);
  found.blocks = make_blocks(f->tree, carrier, x, along);
  found.block = f->tree->search->block;
  found.gap = touch->gap;
  found.law = f->law;
  /* Users' keys are not negative; features of all solids are counted through. */
  found.key = -1 - ((int64_t)(f->of[0]->first_feature + touch->feature[0]) * NSD_TREE_FEATURES +
                    (f->of[1]->first_feature + touch->feature[1]));
  return nsdyn_contact_sink_add(f->sink, &found);
}

static int compare(void *user, int32_t i, int32_t j)
{
  finding *f = user;
  const nsd_tree_solid *a = nsd_tree_solid_at(f->tree, i), *b = nsd_tree_solid_at(f->tree, j);
  if (!may_touch(f->tree, a, b)) {
    return 0;
  }
  const nsd_solid_place *place = f->tree->search->place;
  f->of[0] = a;
  f->of[1] = b;
  f->law = law_of(f->tree, a->def.material, b->def.material);
  return nsd_solids_touch(a->def.solid, &place[i], b->def.solid, &place[j], f->margin, report, f);
}

int nsd_solids_find(nsdyn_tree *tree, double margin, nsdyn_contact_sink *sink)
{
  finding f = {.tree = tree, .sink = sink, .margin = margin};
  const nsd_solid_search *search = tree->search;
  for (int32_t i = 0; i < tree->solids.count; i++) {
    const nsd_tree_solid *own = nsd_tree_solid_at(tree, i);
    nsdyn_tree_motion motion = {.size = sizeof motion};
    (void)nsdyn_tree_point(tree, own->def.body, own->def.place, &motion); /* it was checked when it came */
    nsd_vec3_scale(1.0, motion.place, search->place[i].place);
    nsd_mat3_product(motion.turn, own->turn, search->place[i].turn);
    nsd_solid_box(own->def.solid, search->place[i].place, search->place[i].turn, search->box[i]);
  }
  return nsd_sweep(tree->solids.count, (const double(*)[6])search->box, margin, search->order, compare, &f);
}

/* ---- keys ---- */

/* The solid that a feature belongs to, by halving. */
static int32_t owner_of(const nsdyn_tree *tree, int32_t feature)
{
  int32_t from = 0, to = tree->solids.count - 1;
  while (from < to) {
    const int32_t middle = from + (to - from + 1) / 2;
    if (nsd_tree_solid_at(tree, middle)->first_feature <= feature) {
      from = middle;
    } else {
      to = middle - 1;
    }
  }
  return from;
}

nsdyn_status nsdyn_tree_solids_of_key(const nsdyn_tree *tree, int64_t key, int32_t *solid, int32_t *feature)
{
  if (!tree || key >= 0 || !solid || !feature) {
    return NSDYN_ERR_ARGUMENT;
  }
  const int64_t pair = -1 - key;
  const int64_t number[2] = {pair / NSD_TREE_FEATURES, pair % NSD_TREE_FEATURES};
  if (number[0] >= tree->features || number[1] >= tree->features) {
    return NSDYN_ERR_ARGUMENT;
  }
  for (int k = 0; k < 2; k++) {
    solid[k] = owner_of(tree, (int32_t)number[k]);
    feature[k] = (int32_t)number[k] - nsd_tree_solid_at(tree, solid[k])->first_feature;
  }
  return solid[0] < solid[1] ? NSDYN_OK : NSDYN_ERR_ARGUMENT; /* in this order they are compared */
}
