/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "system/object.h"

#include <stdint.h>

#include "contact/problem.h"

nsdyn_status nsdyn_system_def_init(nsdyn_system_def *def, size_t size)
{
  return nsd_sized_init(def, size, NSD_SYSTEM_DEF_LEAST, NULL, sizeof *def);
}

nsdyn_status nsdyn_contact_state_init(nsdyn_contact_state *state, size_t size)
{
  return nsd_sized_init(state, size, NSD_CONTACT_STATE_LEAST, NULL, sizeof *state);
}

nsdyn_status nsdyn_constraint_state_init(nsdyn_constraint_state *state, size_t size)
{
  return nsd_sized_init(state, size, NSD_CONSTRAINT_STATE_LEAST, NULL, sizeof *state);
}

nsdyn_status nsdyn_consistent_report_init(nsdyn_consistent_report *report, size_t size)
{
  const nsdyn_consistent_report nothing = {
      .size = sizeof nothing, .key = -1, .contact = -1, .constraint = -1};
  return nsd_sized_init(report, size, NSD_CONSISTENT_REPORT_LEAST, &nothing, sizeof nothing);
}

#define FIELD(name) ((int64_t)offsetof(nsdyn_system_def, name))

/* What the counts add up to is counted in an int everywhere: t, q and u of a state, W of a contact, rows of
 * all contacts and constraints. */
static nsdyn_status check_sums(const nsdyn_system_def *def, nsd_fault *fault)
{
  /* Records of a state: t, q and u one behind the other. */
  if (1 + (int64_t)def->nq + def->nu > INT32_MAX) {
    return nsd_fault_set(fault, NSDYN_ERR_TOO_LARGE, NSDYN_DETAIL_FIELD, FIELD(nq),
                         "system: nq is %d and nu %d; together they may be %d at most", (int)def->nq,
                         (int)def->nu, INT32_MAX - 1);
  }
  /* W of a contact. */
  if (NSD_CONTACT_ROWS * (int64_t)def->nu > INT32_MAX) {
    return nsd_fault_set(fault, NSDYN_ERR_TOO_LARGE, NSDYN_DETAIL_FIELD, FIELD(nu),
                         "system: nu is %d; it may be %d at most", (int)def->nu,
                         INT32_MAX / NSD_CONTACT_ROWS);
  }
  if (NSD_CONTACT_ROWS * (int64_t)def->ncontacts + def->nconstraints > INT32_MAX) {
    return nsd_fault_set(
        fault, NSDYN_ERR_TOO_LARGE, NSDYN_DETAIL_FIELD, FIELD(ncontacts),
        "system: ncontacts is %d and nconstraints %d; %d ncontacts + nconstraints may be %d at "
        "most",
        (int)def->ncontacts, (int)def->nconstraints, (int)NSD_CONTACT_ROWS, INT32_MAX);
  }
  return NSDYN_OK;
}

static nsdyn_status check_counts(const nsdyn_system_def *def, nsd_fault *fault)
{
  const struct {
    const char *name;
    int64_t offset;
    int32_t value;
  } counts[] = {{"nq", FIELD(nq), def->nq},
                {"nu", FIELD(nu), def->nu},
                {"ncontacts", FIELD(ncontacts), def->ncontacts},
                {"nconstraints", FIELD(nconstraints), def->nconstraints},
                {"nblocks", FIELD(nblocks), def->nblocks}};
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
    if (counts[i].value < 0) {
      return nsd_fault_set(fault, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_FIELD, counts[i].offset,
                           "system: %s is %d; it must not be negative", counts[i].name, (int)counts[i].value);
    }
  }
  return check_sums(def, fault);
}

static nsdyn_status check_flags(const nsdyn_system_def *def, nsd_fault *fault)
{
  /* Bits that a later release may define must not be set today. */
  const int64_t known = NSDYN_CONSTANT_MASS | NSDYN_CONSTANT_DIRECTIONS | NSDYN_CONSTANT_SLOPES;
  if (def->flags & ~known) {
    return nsd_fault_set(fault, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_FIELD, FIELD(flags),
                         "system: flags has the bits %lld, which are none of nsdyn_system_flag",
                         (long long)(def->flags & ~known));
  }
  if ((def->flags & NSDYN_CONSTANT_SLOPES) && !def->force_jacobian) {
    return nsd_fault_set(fault, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_FIELD, FIELD(flags),
                         "system: flags has NSDYN_CONSTANT_SLOPES, but force_jacobian is NULL");
  }
  return NSDYN_OK;
}

/* Blocks of M: their sizes share nu among them. */
static nsdyn_status check_blocks(const nsdyn_system_def *def, nsd_fault *fault)
{
  int64_t sum = 0;
  if (def->nblocks && !def->block) {
    return nsd_fault_set(fault, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_FIELD, FIELD(block),
                         "system: nblocks is %d, but block is NULL", (int)def->nblocks);
  }
  for (int32_t b = 0; b < def->nblocks; b++) {
    if (def->block[b] < 1) {
      return nsd_fault_set(fault, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_FIELD, FIELD(block),
                           "system: block[%d] is %d; a block of M has 1 velocity at least", (int)b,
                           (int)def->block[b]);
    }
    sum += def->block[b];
  }
  return def->nblocks == 0 || sum == def->nu
             ? NSDYN_OK
             : nsd_fault_set(fault, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_FIELD, FIELD(block),
                             "system: the sizes in block add up to %lld, but nu is %d", (long long)sum,
                             (int)def->nu);
}

/* Fields that are there for what comes, and not solved yet. */
static nsdyn_status check_future(const nsdyn_system_def *def, nsd_fault *fault)
{
  const struct {
    const char *name;
    int64_t offset;
    int is_set;
  } fields[] = {{"delassus", FIELD(delassus), def->delassus != NULL}};
  for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
    if (fields[i].is_set) {
      return nsd_fault_set(fault, NSDYN_ERR_UNSUPPORTED, NSDYN_DETAIL_FIELD, fields[i].offset,
                           "system: %s is set, but this release does not solve with it yet", fields[i].name);
    }
  }
  return def->reserved == 0 ? NSDYN_OK
                            : nsd_fault_set(fault, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_FIELD, FIELD(reserved),
                                            "system: reserved is %d; it must be 0", (int)def->reserved);
}

/* What the counts need but the table lacks; NULL where it is complete. */
static const char *first_missing(const nsdyn_system_def *def, int64_t *offset)
{
  if (def->nu > 0 && !def->mass && !def->solve_mass) {
    *offset = FIELD(mass);
    return "there are velocities, but neither mass nor solve_mass";
  }
  if (def->ncontacts > 0 && !def->gap) {
    *offset = FIELD(gap);
    return "there are contacts, but no callback gap";
  }
  if (def->ncontacts > 0 && !def->direction) {
    *offset = FIELD(direction);
    return "there are contacts, but no callback direction";
  }
  if (def->nconstraints > 0 && !def->constraint) {
    *offset = FIELD(constraint);
    return "there are constraints, but no callback constraint";
  }
  if (def->nq != def->nu && !def->kinematics && !def->retract) {
    *offset = FIELD(kinematics);
    return "nq is not nu, but there is neither kinematics nor retract";
  }
  return NULL;
}

nsdyn_status nsd_system_def_read(nsdyn_system_def *own, const nsdyn_system_def *given, nsd_fault *fault)
{
  nsdyn_status status = NSD_SIZED_READ(nsdyn_system_def, own, NSD_SYSTEM_DEF_LEAST, given, fault);
  status = status ? status : check_counts(own, fault);
  status = status ? status : check_flags(own, fault);
  status = status ? status : check_blocks(own, fault);
  status = status ? status : check_future(own, fault);
  if (status) {
    return status;
  }
  /* One block is M itself. */
  if (own->nblocks <= 1) {
    own->nblocks = 0;
    own->block = NULL;
  }
  /* What the counts ask for must be in the table. */
  int64_t offset = 0;
  const char *missing = first_missing(own, &offset);
  return missing ? nsd_fault_set(fault, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_FIELD, offset, "system: %s", missing)
                 : NSDYN_OK;
}
