/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdio.h>
#include <string.h>

#include "contact/law.h"
#include "world/object.h"

static nsdyn_contact_law *material(const nsdyn_world *world, int32_t i)
{
  return (nsdyn_contact_law *)world->materials.item + i;
}

/* A law of the caller's, planar. `what` is whose it is: "material 3", "shapes 1 and 2". */
static nsdyn_status read_law(nsdyn_world *world, const nsdyn_contact_law *given, const char *what,
                             nsdyn_contact_law *own)
{
  static const char checked[] = "contact 0"; /* as which the checks speak of it */
  if (!given) {
    return nsd_fault_set(&world->fault, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_NONE, -1, "%s: the law is NULL",
                         what);
  }
  nsd_fault said;
  nsd_fault_clear(&said);
  const nsdyn_status status = nsd_contact_law_read(own, given, 0, &said);
  if (status) {
    const size_t skip = strncmp(said.message, checked, sizeof checked - 1) == 0 ? sizeof checked - 1 : 0;
    return nsd_fault_set(&world->fault, status, NSDYN_DETAIL_NONE, -1, "%s%s%s", what, skip ? "" : ": ",
                         said.message + skip);
  }
  if (nsd_contact_law_is_spatial(own)) {
    return nsd_fault_set(&world->fault, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_NONE, -1,
                         "%s: the law has two tangents, but the world is a plane", what);
  }
  return NSDYN_OK;
}

/* ---- who agreed on what ---- */

static nsd_agreed *agreed(const nsd_list *list, int32_t i)
{
  return (nsd_agreed *)list->item + i;
}

/* The place of two numbers, the smaller one first, in a sorted list: of the first one that is not before
 * them. */
static int32_t place_of(const nsd_list *list, int32_t first, int32_t second)
{
  int32_t from = 0, to = list->count;
  while (from < to) {
    const int32_t middle = from + (to - from) / 2;
    const nsd_agreed *a = agreed(list, middle);
    if (a->first < first || (a->first == first && a->second < second)) {
      from = middle + 1;
    } else {
      to = middle;
    }
  }
  return from;
}

static nsd_agreed *find_agreed(const nsd_list *list, int32_t a, int32_t b)
{
  const int32_t first = a < b ? a : b, second = a < b ? b : a, at = place_of(list, first, second);
  nsd_agreed *found = at < list->count ? agreed(list, at) : NULL;
  return found && found->first == first && found->second == second ? found : NULL;
}

/* law NULL: they never touch. */
static nsdyn_status agree(nsdyn_world *world, nsd_list *list, int32_t a, int32_t b,
                          const nsdyn_contact_law *law)
{
  nsd_agreed own = {.first = a < b ? a : b, .second = a < b ? b : a, .number = -1, .is_law = law != NULL};
  if (law) {
    own.law = *law;
  }
  nsd_agreed *old = find_agreed(list, a, b);
  if (old) {
    *old = own;
    return NSDYN_OK;
  }
  const nsdyn_status status = nsd_list_room(world->ctx, list);
  if (status) {
    return nsd_fault_set(&world->fault, status, NSDYN_DETAIL_NONE, -1, "no room for a law");
  }
  const int32_t at = place_of(list, own.first, own.second);
  memmove(agreed(list, at) + 1, agreed(list, at), (size_t)(list->count - at) * sizeof own);
  *agreed(list, at) = own;
  list->count++;
  return NSDYN_OK;
}

/* ---- public calls ---- */

nsdyn_status nsdyn_world_add_material(nsdyn_world *world, const nsdyn_contact_law *law, int32_t *number)
{
  nsdyn_contact_law own;
  char what[NSD_LABEL_LENGTH];
  nsdyn_status status = nsd_world_open(world);
  if (status) {
    return status;
  }
  snprintf(what, sizeof what, "material %d", (int)world->materials.count);
  status = read_law(world, law, what, &own);
  if (status) {
    return status;
  }
  /* Each pair of materials has a law of its own in the system. */
  const int32_t most = 1024;
  status = world->materials.count < most ? nsd_list_room(world->ctx, &world->materials) : NSDYN_ERR_TOO_LARGE;
  if (status) {
    return nsd_fault_set(&world->fault, status, NSDYN_DETAIL_NONE, -1, "no room for %s", what);
  }
  *material(world, world->materials.count) = own;
  if (number) {
    *number = world->materials.count;
  }
  world->materials.count++;
  return NSDYN_OK;
}

nsdyn_status nsdyn_world_set_law(nsdyn_world *world, int32_t first, int32_t second,
                                 const nsdyn_contact_law *law)
{
  nsdyn_contact_law own;
  char what[NSD_LABEL_LENGTH];
  nsdyn_status status = nsd_world_open(world);
  if (status) {
    return status;
  }
  if (first < 0 || first >= world->materials.count || second < 0 || second >= world->materials.count) {
    return nsd_fault_set(&world->fault, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_NONE, -1,
                         "nsdyn_world_set_law: materials %d and %d, but there are %d", (int)first,
                         (int)second, (int)world->materials.count);
  }
  if (first == second) {
    snprintf(what, sizeof what, "material %d", (int)first);
  } else {
    snprintf(what, sizeof what, "materials %d and %d", (int)first, (int)second);
  }
  status = read_law(world, law, what, &own);
  if (!status && first == second) {
    *material(world, first) = own;
    return NSDYN_OK;
  }
  return status ? status : agree(world, &world->agreed, first, second, &own);
}

nsdyn_status nsdyn_world_set_pair(nsdyn_world *world, int32_t first, int32_t second,
                                  const nsdyn_contact_law *law)
{
  nsdyn_contact_law own;
  char what[NSD_LABEL_LENGTH];
  nsdyn_status status = nsd_world_open(world);
  if (status) {
    return status;
  }
  if (first < 0 || first >= world->shapes.count || second < 0 || second >= world->shapes.count ||
      first == second) {
    return nsd_fault_set(&world->fault, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_NONE, -1,
                         "nsdyn_world_set_pair: %d and %d are not two shapes", (int)first, (int)second);
  }
  snprintf(what, sizeof what, "shapes %d and %d", (int)first, (int)second);
  status = law ? read_law(world, law, what, &own) : NSDYN_OK;
  return status ? status : agree(world, &world->pairs, first, second, law ? &own : NULL);
}

nsdyn_status nsdyn_world_law(const nsdyn_world *world, int32_t first, int32_t second, int32_t *law)
{
  if (!world || !world->has_system || !law || first < 0 || first >= world->shapes.count || second < 0 ||
      second >= world->shapes.count || first == second) {
    return NSDYN_ERR_ARGUMENT;
  }
  *law = nsd_contacts_may_touch(world, first, second) ? nsd_world_law_of(world, first, second) : -1;
  return NSDYN_OK;
}

/* ---- the system's laws ---- */

/* Two materials that nothing was said of: the geometric mean of what rubs, the lesser of what comes back.
 * Returns 0 where their laws do not combine. */
static int combine(const nsdyn_world *world, int32_t a, int32_t b, nsdyn_contact_law *law)
{
  const nsdyn_contact_law *first = material(world, a), *second = material(world, b);
  if (first->kind != second->kind || first->friction != second->friction ||
      first->friction == NSDYN_FRICTION_BOUND || nsd_contact_law_is_curved(first)) {
    return 0;
  }
  *law = *first;
  law->mu = sqrt(first->mu) * sqrt(second->mu);
  law->mu_static = sqrt(first->mu_static) * sqrt(second->mu_static);
  if (law->mu_static < law->mu) {
    law->mu_static = law->friction == NSDYN_FRICTION_STATIC ? law->mu : law->mu_static; /* rounding */
  }
  law->eps_n = fmin(first->eps_n, second->eps_n);
  law->eps_t = fmin(first->eps_t, second->eps_t);
  law->reversal = fmin(first->reversal, second->reversal);
  return 1;
}

/* Whether a shape of material a may touch one of material b by the law of these: nothing keeps them apart,
 * and they have no law of their own. */
static int may_meet(const nsdyn_world *world, int32_t a, int32_t b)
{
  for (int32_t i = 0; i < world->shapes.count; i++) {
    for (int32_t j = 0; j < world->shapes.count && nsd_world_shape(world, i)->on.material == a; j++) {
      if (nsd_world_shape(world, j)->on.material == b && nsd_contacts_may_touch(world, i, j) &&
          !find_agreed(&world->pairs, i, j)) {
        return 1;
      }
    }
  }
  return 0;
}

static nsdyn_status add_law(nsdyn_world *world, nsdyn_system *sys, const nsdyn_contact_law *law,
                            int32_t *number)
{
  const nsdyn_status status = nsdyn_system_add_law(sys, law, number);
  return status ? nsd_fault_set(&world->fault, status, NSDYN_DETAIL_NONE, -1, "%s", nsdyn_system_message(sys))
                : NSDYN_OK;
}

/* The law of two materials that there are shapes of, and its number; −1 where they never meet. */
static nsdyn_status legislate_two(nsdyn_world *world, nsdyn_system *sys, int32_t a, int32_t b,
                                  int32_t *number)
{
  nsdyn_contact_law law = *material(world, a);
  const nsd_agreed *own = find_agreed(&world->agreed, a, b);
  *number = -1;
  if (own) {
    law = own->law;
  } else if (a != b && !combine(world, a, b, &law)) {
    return may_meet(world, a, b)
               ? nsd_fault_set(
                     &world->fault, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_NONE, -1,
                     "materials %d and %d: their laws do not combine; give one by nsdyn_world_set_law()",
                     (int)a, (int)b)
               : NSDYN_OK;
  }
  return add_law(world, sys, &law, number);
}

nsdyn_status nsd_world_legislate(nsdyn_world *world, nsdyn_system *sys)
{
  /* 1. What nobody is made of needs no law: on the diagonal 0 marks what somebody is. */
  const int32_t count = world->materials.count;
  for (int32_t k = 0; k < count * count; k++) {
    world->law[k] = -1;
  }
  for (int32_t i = 0; i < world->shapes.count; i++) {
    world->law[nsd_world_shape(world, i)->on.material * (count + 1)] = 0;
  }
  /* 2. Materials two by two; a's own law comes last, and is no mark any more. */
  for (int32_t a = 0; a < count; a++) {
    const int used = world->law[a * (count + 1)] >= 0;
    for (int32_t b = 0; b <= a && used; b++) {
      if (world->law[b * (count + 1)] >= 0) {
        int32_t *number = &world->law[a * count + b];
        const nsdyn_status status = legislate_two(world, sys, a, b, number);
        if (status) {
          return status;
        }
        world->law[b * count + a] = *number;
      }
    }
  }
  /* 3. Shapes that have a law of their own. */
  for (int32_t i = 0; i < world->pairs.count; i++) {
    nsd_agreed *own = agreed(&world->pairs, i);
    const nsdyn_status status = own->is_law ? add_law(world, sys, &own->law, &own->number) : NSDYN_OK;
    if (status) {
      return status;
    }
  }
  return NSDYN_OK;
}

int32_t nsd_world_law_of(const nsdyn_world *world, int32_t first, int32_t second)
{
  const nsd_agreed *own = world->pairs.count ? find_agreed(&world->pairs, first, second) : NULL;
  const int32_t a = nsd_world_shape(world, first)->on.material,
                b = nsd_world_shape(world, second)->on.material;
  return own ? own->number : world->law[a * world->materials.count + b];
}
