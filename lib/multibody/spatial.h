/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Vectors of space in lanes, x y z and a zero, and matrices as three columns of them: what the recursions of
 * a tree are made of. Each recursion is written once and built twice, plain and for AVX2, with the same bits;
 * what lanes buy shows in tests/bench/bench_multibody.c. */
#ifndef NSD_MULTIBODY_SPATIAL_H
#define NSD_MULTIBODY_SPATIAL_H

#include "base/kernels/simd.h"

typedef nsd_lanes nsd_space;

/* Moment and force; ω̇ and a. */
typedef struct nsd_space_pair {
  nsd_space n, f;
} nsd_space_pair;

/* y z x 0 of x y z 0: what cross products are made of */
NSD_INLINE_LANES nsd_space nsd_space_next(nsd_space a)
{
  return NSD_SHUFFLE(a, a, 1, 2, 0, 3);
}

/* a × b of which the z x y 0 has a (y z x) b − … */
NSD_INLINE_LANES nsd_space nsd_space_cross(nsd_space a, nsd_space b)
{
  return nsd_space_next(a * nsd_space_next(b) - nsd_space_next(a) * b);
}

/* The sum of x, y and z. */
NSD_INLINE_LANES double nsd_space_sum(nsd_space a)
{
  return nsd_lanes_sum(a);
}

/* M x, of columns and numbers in memory */
NSD_INLINE_LANES nsd_space nsd_space_multiply(const double M[12], const double x[3])
{
  return (nsd_lanes_load(M) * x[0] + nsd_lanes_load(M + 4) * x[1]) + nsd_lanes_load(M + 8) * x[2];
}

/* Rows as columns. */
NSD_INLINE_LANES void nsd_space_transpose(const nsd_space M[3], nsd_space out[3])
{
  const nsd_space even = NSD_SHUFFLE(M[0], M[1], 0, 4, 2, 6), odd = NSD_SHUFFLE(M[0], M[1], 1, 5, 3, 7);
  const nsd_space last = M[2];
  out[0] = NSD_SHUFFLE(even, last, 0, 1, 4, 7);
  out[1] = NSD_SHUFFLE(odd, last, 0, 1, 5, 7);
  out[2] = NSD_SHUFFLE(even, last, 2, 3, 6, 7);
}

NSD_INLINE_LANES nsd_space_pair nsd_space_load(const double from[8])
{
  return (nsd_space_pair){nsd_lanes_load(from), nsd_lanes_load(from + 4)};
}

NSD_INLINE_LANES void nsd_space_store(double to[8], nsd_space_pair F)
{
  nsd_lanes_store(to, F.n);
  nsd_lanes_store(to + 4, F.f);
}

/* The force, and its moment about the origin, that accelerations A = (α, a) of a mass with h = m c and J
 * take: f = m a + α × h, n = J α + h × a; α stands in memory, too. */
NSD_INLINE_LANES nsd_space_pair nsd_space_inertia(double mass, nsd_space h, const double J[12],
                                                  const double alpha[3], nsd_space_pair A)
{
  return (nsd_space_pair){nsd_space_multiply(J, alpha) + nsd_space_cross(h, A.f),
                          mass * A.f + nsd_space_cross(A.n, h)};
}

#endif
