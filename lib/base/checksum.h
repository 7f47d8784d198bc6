/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* A sum that tells whether saved bytes were damaged. */
#ifndef NSD_BASE_CHECKSUM_H
#define NSD_BASE_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* FNV-1a. */
static inline uint64_t nsd_checksum(const unsigned char *bytes, size_t count)
{
  uint64_t sum = UINT64_C(0xcbf29ce484222325);
  for (size_t i = 0; i < count; i++) {
    sum = (sum ^ bytes[i]) * UINT64_C(0x100000001b3);
  }
  return sum;
}

/* Appends bytes at `to`; returns where the next go. */
static inline unsigned char *nsd_put_bytes(unsigned char *to, const void *from, size_t bytes)
{
  if (bytes) {
    memcpy(to, from, bytes);
  }
  return bytes ? to + bytes : to; /* nothing may be added to NULL */
}

#endif
