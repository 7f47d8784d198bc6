/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "system/system.h"

#include <string.h>

#include "contact/law.h"

static void release(nsdyn_system *sys)
{
  nsdyn_context *ctx = sys->ctx;
  nsd_release(ctx, sys->laws, (size_t)sys->def.ncontacts, sizeof *sys->laws);
  nsd_release(ctx, sys->found_laws, (size_t)sys->found_room, sizeof *sys->found_laws);
  nsd_release(ctx, sys, 1, sizeof *sys);
  nsd_context_drop(ctx);
}

nsdyn_status nsdyn_system_new(nsdyn_context *ctx, const nsdyn_system_def *def, nsdyn_system **out)
{
  nsd_fault *fault = nsd_context_fault(ctx);
  if (!out) {
    return nsd_fault_set(fault, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_ARGUMENT, 2,
                         "nsdyn_system_new: out is NULL");
  }
  *out = NULL;
  if (!def) {
    return nsd_fault_set(fault, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_ARGUMENT, 1,
                         "nsdyn_system_new: def is NULL");
  }
  nsdyn_system_def own;
  const nsdyn_status status = nsd_system_def_read(&own, def, fault);
  if (status) {
    return status;
  }
  nsdyn_system *sys = nsd_allocate(ctx, 1, sizeof *sys);
  if (!sys) {
    return nsd_fault_set(fault, NSDYN_ERR_NOMEM, NSDYN_DETAIL_NONE, -1, "nsdyn_system_new: out of memory");
  }
  const nsdyn_system empty = {.def = own, .ctx = nsd_context_hold(ctx)};
  *sys = empty;
  atomic_init(&sys->holders, 1);
  nsd_fault_clear(&sys->fault);
  sys->laws = nsd_allocate(ctx, (size_t)own.ncontacts, sizeof *sys->laws);
  if (own.ncontacts && !sys->laws) {
    release(sys);
    return nsd_fault_set(fault, NSDYN_ERR_NOMEM, NSDYN_DETAIL_NONE, -1,
                         "nsdyn_system_new: no memory for the laws of %d contacts", (int)own.ncontacts);
  }
  for (int32_t i = 0; i < own.ncontacts; i++) {
    nsdyn_contact_law_init(&sys->laws[i], sizeof sys->laws[i]);
  }
  *out = sys;
  return NSDYN_OK;
}

nsdyn_system *nsd_system_hold(nsdyn_system *sys)
{
  atomic_fetch_add_explicit(&sys->holders, 1, memory_order_relaxed);
  return sys;
}

void nsd_system_drop(nsdyn_system *sys)
{
  if (!sys || atomic_fetch_sub_explicit(&sys->holders, 1, memory_order_acq_rel) != 1) {
    return;
  }
  void (*destroy_user)(void *) = sys->def.destroy_user;
  void *user = sys->def.user;
  release(sys);
  if (destroy_user) {
    destroy_user(user);
  }
}

void nsdyn_system_free(nsdyn_system *sys)
{
  nsd_system_drop(sys);
}

nsdyn_status nsdyn_system_set_contact(nsdyn_system *sys, int i, const nsdyn_contact_law *law)
{
  if (!sys) {
    return NSDYN_ERR_ARGUMENT;
  }
  nsd_fault_clear(&sys->fault);
  if (i < 0 || i >= sys->def.ncontacts) {
    return nsd_fault_set(&sys->fault, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_ARGUMENT, 1,
                         "there is no contact %d: the system has %d", i, (int)sys->def.ncontacts);
  }
  if (!law) {
    return nsd_fault_set(&sys->fault, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_ARGUMENT, 2, "contact %d: law is NULL",
                         i);
  }
  nsdyn_contact_law own;
  const nsdyn_status status = nsd_contact_law_read(&own, law, i, &sys->fault);
  if (status == NSDYN_OK) {
    sys->laws[i] = own;
    sys->revision++;
  }
  return status;
}

/* The checks speak of contacts; a law for contacts that are yet to be found is "law 3". */
static nsdyn_status read_found_law(nsdyn_system *sys, nsdyn_contact_law *own, const nsdyn_contact_law *law,
                                   int32_t number)
{
  static const char contact[] = "contact", said[] = "law";
  if (!law) {
    return nsd_fault_set(&sys->fault, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_ARGUMENT, 1, "law %d is NULL",
                         (int)number);
  }
  const nsdyn_status status = nsd_contact_law_read(own, law, number, &sys->fault);
  char *message = sys->fault.message;
  if (status && strncmp(message, contact, sizeof contact - 1) == 0) {
    memmove(message + sizeof said - 1, message + sizeof contact - 1,
            strlen(message + sizeof contact - 1) + 1);
    memcpy(message, said, sizeof said - 1);
  }
  return status;
}

static nsdyn_status grow_found_laws(nsdyn_system *sys)
{
  if (sys->found_count < sys->found_room) {
    return NSDYN_OK;
  }
  if (sys->found_room > INT32_MAX / 2) {
    return NSDYN_ERR_TOO_LARGE;
  }
  const int32_t room = sys->found_room ? 2 * sys->found_room : 4;
  nsdyn_contact_law *grown = nsd_allocate(sys->ctx, (size_t)room, sizeof *grown);
  if (!grown) {
    return NSDYN_ERR_NOMEM;
  }
  for (int32_t i = 0; i < sys->found_count; i++) {
    grown[i] = sys->found_laws[i];
  }
  nsd_release(sys->ctx, sys->found_laws, (size_t)sys->found_room, sizeof *sys->found_laws);
  sys->found_laws = grown;
  sys->found_room = room;
  return NSDYN_OK;
}

nsdyn_status nsdyn_system_add_law(nsdyn_system *sys, const nsdyn_contact_law *law, int32_t *number)
{
  if (!sys) {
    return NSDYN_ERR_ARGUMENT;
  }
  nsd_fault_clear(&sys->fault);
  if (!number) {
    return nsd_fault_set(&sys->fault, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_ARGUMENT, 2, "number is NULL");
  }
  nsdyn_contact_law own;
  nsdyn_status status = read_found_law(sys, &own, law, sys->found_count);
  if (status) {
    return status;
  }
  status = grow_found_laws(sys);
  if (status) {
    return nsd_fault_set(&sys->fault, status, NSDYN_DETAIL_NONE, -1, "no memory for law %d",
                         (int)sys->found_count);
  }
  *number = sys->found_count;
  sys->found_laws[sys->found_count++] = own;
  sys->revision++; /* the others may have moved */
  return NSDYN_OK;
}

nsdyn_status nsdyn_system_set_law(nsdyn_system *sys, int32_t number, const nsdyn_contact_law *law)
{
  if (!sys) {
    return NSDYN_ERR_ARGUMENT;
  }
  nsd_fault_clear(&sys->fault);
  if (number < 0 || number >= sys->found_count) {
    return nsd_fault_set(&sys->fault, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_ARGUMENT, 1,
                         "there is no law %d: the system has %d for contacts found at run time", (int)number,
                         (int)sys->found_count);
  }
  nsdyn_contact_law own;
  const nsdyn_status status = read_found_law(sys, &own, law, number);
  if (status == NSDYN_OK) {
    sys->found_laws[number] = own;
    sys->revision++;
  }
  return status;
}

const char *nsdyn_system_message(const nsdyn_system *sys)
{
  return sys ? sys->fault.message : "";
}

nsdyn_status nsdyn_system_detail(const nsdyn_system *sys, nsdyn_detail *detail)
{
  return sys ? nsd_fault_detail(&sys->fault, detail) : NSDYN_ERR_ARGUMENT;
}
