/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "system/saved.h"

nsd_saved nsd_saved_of(const nsdyn_system_def *def, uint64_t magic, size_t bytes)
{
  return (nsd_saved){.magic = magic,
                     .bytes = (int64_t)bytes,
                     .nq = def->nq,
                     .nu = def->nu,
                     .ncontacts = def->ncontacts,
                     .nconstraints = def->nconstraints};
}

void nsd_saved_seal(unsigned char *buffer, size_t bytes)
{
  const uint64_t sum = nsd_checksum(buffer, bytes - sizeof sum);
  memcpy(buffer + bytes - sizeof sum, &sum, sizeof sum);
}

nsdyn_status nsd_saved_refuse(const char *name, const char *reason, nsd_fault *fault)
{
  return nsd_fault_set(fault, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_ARGUMENT, 1, "%s: %s", name, reason);
}

nsdyn_status nsd_saved_check(const nsdyn_system_def *def, uint64_t magic, const void *buffer, size_t size,
                             size_t head, const char *name, nsd_fault *fault)
{
  nsd_saved own;
  uint64_t sum;
  if (!buffer || size < head + sizeof sum) {
    return nsd_saved_refuse(name, buffer ? "there are too few bytes" : "buffer is NULL", fault);
  }
  memcpy(&own, buffer, sizeof own);
  if (own.magic != magic) {
    return nsd_saved_refuse(name, "these bytes are not a state that this library has saved", fault);
  }
  if (own.nq != def->nq || own.nu != def->nu || own.ncontacts != def->ncontacts ||
      own.nconstraints != def->nconstraints) {
    return nsd_saved_refuse(name, "the state belongs to a system of other sizes", fault);
  }
  if ((uint64_t)own.bytes != size) {
    return nsd_saved_refuse(name, "the state is cut short, or longer than it says", fault);
  }
  const unsigned char *bytes = buffer;
  memcpy(&sum, bytes + size - sizeof sum, sizeof sum);
  return sum == nsd_checksum(bytes, size - sizeof sum)
             ? NSDYN_OK
             : nsd_saved_refuse(name, "the state was damaged: its checksum differs", fault);
}
