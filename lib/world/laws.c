/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <string.h>

#include "contact/law.h"
#include "world/object.h"

static nsdyn_contact_law *material(const nsdyn_world *world, int32_t i)
{
  return (nsdyn_contact_law *)world->materials.item + i;
}

/* A law of the caller's, planar. `what` is what it was given for. */
static nsdyn_status read_law(nsdyn_world *world, const nsdyn_contact_law *given, const char *what,
                             nsdyn_contact_law *own)
{
  if (!given) {
    return nsd_fault_set(&world->fault, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_NONE, -1, "%s: the law is NULL",
                         what);
  }
  const nsdyn_status status = nsd_contact_law_read(own, given, 0, &world->fault);
  if (status) {
    return status;
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
  nsdyn_status status = nsd_world_open(world);
  status = status ? status : read_law(world, law, "nsdyn_world_add_material", &own);
  if (status) {
    return status;
  }
  /* Each pair of materials has a law of its own in the system. */
  const int32_t most = 1024;
  status = world->materials.count < most ? nsd_list_room(world->ctx, &world->materials) : NSDYN_ERR_TOO_LARGE;
  if (status) {
    return nsd_fault_set(&world->fault, status, NSDYN_DETAIL_NONE, -1, "no room for material %d",
                         (int)world->materials.count);
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
  nsdyn_status status = nsd_world_open(world);
  if (status) {
    return status;
  }
  if (first < 0 || first >= world->materials.count || second < 0 || second >= world->materials.count) {
    return nsd_fault_set(&world->fault, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_NONE, -1,
                         "nsdyn_world_set_law: materials %d and %d, but there are %d", (int)first,
                         (int)second, (int)world->materials.count);
  }
  status = read_law(world, law, "nsdyn_world_set_law", &own);
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
  nsdyn_status status = nsd_world_open(world);
  if (status) {
    return status;
  }
  if (first < 0 || first >= world->shapes.count || second < 0 || second >= world->shapes.count ||
      first == second) {
    return nsd_fault_set(&world->fault, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_NONE, -1,
                         "nsdyn_world_set_pair: %d and %d are not two shapes", (int)first, (int)second);
  }
  status = law ? read_law(world, law, "nsdyn_world_set_pair", &own) : NSDYN_OK;
  return status ? status : agree(world, &world->pairs, first, second, law ? &own : NULL);
}

nsdyn_status nsdyn_world_law(const nsdyn_world *world, int32_t first, int32_t second, int32_t *law)
{
  if (!world || !world->has_system || !law || first < 0 || first >= world->shapes.count || second < 0 ||
      second >= world->shapes.count || first == second) {
    return NSDYN_ERR_ARGUMENT;
  }
  *law = nsd_world_law_of(world, first, second);
  return NSDYN_OK;
}

/* ---- the system's laws ---- */

/* Two materials that nothing was said of: the geometric mean of what rubs, the lesser of what comes back. */
static nsdyn_status combine(nsdyn_world *world, int32_t a, int32_t b, nsdyn_contact_law *law)
{
  const nsdyn_contact_law *first = material(world, a), *second = material(world, b);
  if (first->kind != second->kind || first->friction != second->friction ||
      first->friction == NSDYN_FRICTION_BOUND || nsd_contact_law_is_curved(first)) {
    return nsd_fault_set(&world->fault, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_NONE, -1,
                         "materials %d and %d: their laws do not combine; give one by nsdyn_world_set_law()",
                         (int)a, (int)b);
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
  return NSDYN_OK;
}

static nsdyn_status add_law(nsdyn_world *world, nsdyn_system *sys, const nsdyn_contact_law *law,
                            int32_t *number)
{
  const nsdyn_status status = nsdyn_system_add_law(sys, law, number);
  return status ? nsd_fault_set(&world->fault, status, NSDYN_DETAIL_NONE, -1, "%s", nsdyn_system_message(sys))
                : NSDYN_OK;
}

/* Whether any shape is of this material: what nobody is made of needs no law. */
static int is_used(const nsdyn_world *world, int32_t m)
{
  int used = 0;
  for (int32_t i = 0; i < world->shapes.count; i++) {
    used |= nsd_world_shape(world, i)->on.material == m;
  }
  return used;
}

nsdyn_status nsd_world_legislate(nsdyn_world *world, nsdyn_system *sys)
{
  const int32_t count = world->materials.count;
  for (int32_t a = 0; a < count; a++) {
    const int used = is_used(world, a);
    for (int32_t b = 0; b <= a; b++) {
      int32_t *number = &world->law[a * count + b];
      *number = -1;
      nsdyn_status status = NSDYN_OK;
      if (used && is_used(world, b)) {
        nsdyn_contact_law law = *material(world, a);
        const nsd_agreed *own = find_agreed(&world->agreed, a, b);
        if (own) {
          law = own->law;
        } else if (a != b) {
          status = combine(world, a, b, &law);
        }
        status = status ? status : add_law(world, sys, &law, number);
      }
      world->law[b * count + a] = *number;
      if (status) {
        return status;
      }
    }
  }
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
