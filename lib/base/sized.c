/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "base/sized.h"

#include <string.h>

static size_t smaller(size_t a, size_t b)
{
  return a < b ? a : b;
}

static size_t size_field(const void *given)
{
  size_t size;
  memcpy(&size, given, sizeof size);
  return size;
}

/* Whether `size` can be that of a struct which begins with a size_t and was `least` bytes long in the
 * first release. */
static int is_plausible(size_t size, size_t least)
{
  return size >= least && size <= NSD_SIZED_MOST && size % sizeof(size_t) == 0;
}

/* Everything but the size field, as far as both sides know it; zeros where only the caller does, or where
 * there is no `own`. */
static void copy_known(void *given, size_t size, const void *own, size_t own_size)
{
  const size_t head = sizeof(size_t);
  const size_t known = own ? smaller(size, own_size) : head;
  if (own) {
    memcpy((char *)given + head, (const char *)own + head, known - head);
  }
  memset((char *)given + known, 0, size - known);
}

nsdyn_status nsd_sized_init(void *given, size_t size, size_t least, const void *defaults, size_t own_size)
{
  if (!given) {
    return NSDYN_ERR_ARGUMENT;
  }
  if (!is_plausible(size, least)) {
    return NSDYN_ERR_STRUCT_SIZE;
  }
  memcpy(given, &size, sizeof size);
  copy_known(given, size, defaults, own_size);
  return NSDYN_OK;
}

int nsd_sized_is_known(const void *given, size_t least)
{
  return is_plausible(size_field(given), least);
}

nsdyn_status nsd_sized_write(void *given, size_t least, const void *own, size_t own_size)
{
  if (!given) {
    return NSDYN_ERR_ARGUMENT;
  }
  const size_t size = size_field(given);
  if (!is_plausible(size, least)) {
    return NSDYN_ERR_STRUCT_SIZE;
  }
  copy_known(given, size, own, own_size);
  return NSDYN_OK;
}

nsdyn_status nsd_sized_tell(void *given, size_t least, const void *own, size_t own_size, const char *name,
                            nsd_fault *fault)
{
  const nsdyn_status status = nsd_sized_write(given, least, own, own_size);
  return status == NSDYN_ERR_STRUCT_SIZE
             ? nsd_fault_set(fault, status, NSDYN_DETAIL_FIELD, 0,
                             "%s: its size is %zu, this library knows %zu; call %s_init first", name,
                             size_field(given), own_size, name)
             : status;
}

nsdyn_status nsd_sized_read(void *own, size_t own_size, size_t least, const void *given, const char *name,
                            nsd_fault *fault)
{
  if (!given) {
    return NSDYN_OK;
  }
  const size_t size = size_field(given);
  if (!is_plausible(size, least)) {
    return nsd_fault_set(fault, NSDYN_ERR_STRUCT_SIZE, NSDYN_DETAIL_FIELD, 0,
                         "%s: its size is %zu, this library knows %zu; call %s_init first", name, size,
                         own_size, name);
  }
  /* A newer program may hand in a longer struct: fine as long as it does not use what we do not know. */
  for (size_t i = own_size; i < size; i++) {
    if (((const unsigned char *)given)[i] != 0) {
      return nsd_fault_set(fault, NSDYN_ERR_STRUCT_TOO_NEW, NSDYN_DETAIL_FIELD, (int64_t)i,
                           "%s: byte %zu is set, but this library knows only %zu bytes; "
                           "install a newer nsdyn or leave the field zero",
                           name, i, own_size);
    }
  }
  /* The size field stays ours. */
  const size_t head = sizeof(size_t);
  memcpy((char *)own + head, (const char *)given + head, smaller(size, own_size) - head);
  return NSDYN_OK;
}
