/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Sums and products of two doubles with what they lose, as a pair of doubles: high + low is exact. */
#ifndef NSD_BASE_EXACT_PAIR_H
#define NSD_BASE_EXACT_PAIR_H

/* high + low = a + b (Knuth) */
static inline void nsd_two_sum(double a, double b, double *high, double *low)
{
  const double sum = a + b;
  const double b_part = sum - a;
  *low = (a - (sum - b_part)) + (b - b_part);
  *high = sum;
}

/* The high half of a, of 26 bits; the rest has as many (Veltkamp). For |a| < 2^996. */
static inline double nsd_high_half(double a)
{
  const double c = 134217729.0 * a; /* 2^27 + 1 */
  return c - (c - a);
}

/* high + low = a b, where neither overflows or underflows (Dekker). */
static inline void nsd_two_product(double a, double b, double *high, double *low)
{
  const double a1 = nsd_high_half(a), b1 = nsd_high_half(b);
  const double a2 = a - a1, b2 = b - b1;
  const double product = a * b;
  *low = a2 * b2 - (((product - a1 * b1) - a2 * b1) - a1 * b2);
  *high = product;
}

#endif
