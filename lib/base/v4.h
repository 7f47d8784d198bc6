/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Four doubles at a time, in the compilers' own vector types: one source gives SSE2 code for everyone and
 * AVX2 code where a function is built with NSD_TARGET_AVX2. Element-wise operations only, and no fused
 * multiply-add, so the bits are those of the plain loop.
 *
 * The pattern: the algorithm is an NSD_INLINE function, instantiated once plainly and once for AVX2. */
#ifndef NSD_BASE_V4_H
#define NSD_BASE_V4_H

#include <string.h>

#include "base/cpu.h"
#include "base/simd.h"

#define NSD_LANES 4

#if NSD_HAVE_AVX2
#define NSD_TARGET_AVX2 __attribute__((target("avx2")))
#else
#define NSD_TARGET_AVX2
#endif

/* Unrolls the loop that follows, also at -O2. */
#if defined(__clang__)
#define NSD_UNROLL(times) _Pragma("unroll")
#elif defined(__GNUC__)
#define NSD_UNROLL(times) NSD_PRAGMA(GCC unroll times)
#else
#define NSD_UNROLL(times)
#endif

typedef double nsd_v4 __attribute__((vector_size(NSD_LANES * sizeof(double))));
typedef long long nsd_m4 __attribute__((vector_size(NSD_LANES * sizeof(double)))); /* 0 or −1 per lane */

NSD_INLINE nsd_v4 nsd_v4_load(const double *from) /* at any address */
{
  nsd_v4 v;
  memcpy(&v, from, sizeof v);
  return v;
}

NSD_INLINE void nsd_v4_store(double *to, nsd_v4 v)
{
  memcpy(to, &v, sizeof v);
}

NSD_INLINE nsd_v4 nsd_v4_all(double x)
{
  return (nsd_v4){x, x, x, x};
}

/* mask ? a : b, lane by lane. */
NSD_INLINE nsd_v4 nsd_v4_choose(nsd_m4 mask, nsd_v4 a, nsd_v4 b)
{
  return (nsd_v4)((mask & (nsd_m4)a) | (~mask & (nsd_m4)b));
}

/* −1 in the lane of element `index`, for the lanes of elements first … first + 3. */
NSD_INLINE nsd_m4 nsd_m4_at(int first, int index)
{
  const nsd_m4 lanes = {first, first + 1LL, first + 2LL, first + 3LL};
  const nsd_m4 all = {index, index, index, index};
  return (nsd_m4)(lanes == all);
}

NSD_INLINE nsd_v4 nsd_v4_abs(nsd_v4 a)
{
  const nsd_m4 rest = {0x7fffffffffffffffLL, 0x7fffffffffffffffLL, 0x7fffffffffffffffLL,
                       0x7fffffffffffffffLL};
  return (nsd_v4)((nsd_m4)a & rest);
}

/* Of equal numbers, or with a NaN in a, b. */
NSD_INLINE nsd_v4 nsd_v4_max(nsd_v4 a, nsd_v4 b)
{
  return nsd_v4_choose((nsd_m4)(a > b), a, b);
}

NSD_INLINE nsd_v4 nsd_v4_min(nsd_v4 a, nsd_v4 b)
{
  return nsd_v4_choose((nsd_m4)(a < b), a, b);
}

NSD_INLINE double nsd_v4_largest(nsd_v4 a)
{
  const double x = a[0] > a[1] ? a[0] : a[1];
  const double y = a[2] > a[3] ? a[2] : a[3];
  return x > y ? x : y;
}

NSD_INLINE double nsd_v4_least(nsd_v4 a)
{
  const double x = a[0] < a[1] ? a[0] : a[1];
  const double y = a[2] < a[3] ? a[2] : a[3];
  return x < y ? x : y;
}

/* (a0 + a1) + (a2 + a3): the one order in which lanes are added. */
NSD_INLINE double nsd_v4_sum(nsd_v4 a)
{
  return (a[0] + a[1]) + (a[2] + a[3]);
}

#endif
