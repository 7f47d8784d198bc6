/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Whole numbers of any length, for what rounding cannot decide.
 *
 * A number is a sign and a magnitude: limbs, the least first, and a signed length, whose sign is the number's
 * and whose size counts the limbs, the last of which is not zero. Zero has length 0. The memory is the
 * caller's; a product takes as many limbs as both factors together. */
#ifndef NSD_SEARCH_BIGINT_H
#define NSD_SEARCH_BIGINT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __SIZEOF_INT128__
typedef uint64_t nsd_limb;
__extension__ typedef unsigned __int128 nsd_limb_pair;
#else
typedef uint32_t nsd_limb;
typedef uint64_t nsd_limb_pair;
#endif

enum { NSD_LIMB_BITS = 8 * (int)sizeof(nsd_limb) };

/* A number that is read only. */
typedef struct nsd_bigint {
  const nsd_limb *limb;
  int length;
} nsd_bigint;

/* What divides without a remainder by one number d: the odd part of |d|, its inverse modulo a limb, and the
 * zeros that were taken off. */
typedef struct nsd_bigint_divisor {
  nsd_limb *odd; /* as many limbs as d */
  int length;
  nsd_limb inverse;
  int bits;
  int negative;
} nsd_bigint_divisor;

static inline int nsd_bigint_limbs(int length)
{
  return length < 0 ? -length : length;
}

/* Limbs that so many bits take. */
static inline int nsd_bigint_limbs_of(int bits)
{
  return (bits + NSD_LIMB_BITS - 1) / NSD_LIMB_BITS;
}

/* x 2^shift, which the caller knows to be whole; the length. Room for 53 + the exponent's bits. */
int nsd_bigint_from_double(nsd_limb *to, double x, int shift);

/* a b; the length. `to` is neither a nor b. */
int nsd_bigint_multiply(nsd_limb *to, nsd_bigint a, nsd_bigint b);

/* a − b; the length. `to` may be a or b, and has one limb more than the longer. */
int nsd_bigint_subtract(nsd_limb *to, nsd_bigint a, nsd_bigint b);

/* Sign of |a| − |b|. */
int nsd_bigint_compare(nsd_bigint a, nsd_bigint b);

/* Prepares division by d, which is not zero; `odd` has room for it. */
nsd_bigint_divisor nsd_bigint_divisor_of(nsd_limb *odd, nsd_bigint d);

/* a / d where that is whole (Jebelean 1993); the length. `to` has room for one limb more than the result; it
 * may not be a, whose limbs are used up. */
int nsd_bigint_divide(nsd_limb *to, nsd_limb *a, int length, const nsd_bigint_divisor *d);

/* 2^shift a / b, off by two units of the last place at most. */
double nsd_bigint_quotient(nsd_bigint a, nsd_bigint b, int shift);

/* Bits of |a|. */
int nsd_bigint_bits(nsd_bigint a);

#endif
