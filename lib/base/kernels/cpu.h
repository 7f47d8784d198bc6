/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* What the processor can do, asked once per call of a kernel (a load and a test of memory that the
 * compiler's runtime fills in; nothing of ours is written). */
#ifndef NSD_BASE_KERNELS_CPU_H
#define NSD_BASE_KERNELS_CPU_H

#if defined(__x86_64__) && defined(__GNUC__)
#define NSD_HAVE_AVX2 1 /* the compiler can build AVX2 variants */
#define NSD_TARGET_AVX2 __attribute__((target("avx2")))
static inline int nsd_cpu_avx2(void)
{
  return __builtin_cpu_supports("avx2") != 0;
}
#else
#define NSD_HAVE_AVX2 0
#define NSD_TARGET_AVX2 /* what is built here is one more plain variant */
static inline int nsd_cpu_avx2(void)
{
  return 0;
}
#endif

#endif
