/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "search/bigint.h"

#include <math.h>
#include <string.h>

/* Without the zeros on top. */
static int trimmed(const nsd_limb *limb, int count)
{
  while (count > 0 && limb[count - 1] == 0) {
    count--;
  }
  return count;
}

static int bits_of(nsd_limb x)
{
  int bits = 0;
  for (int step = NSD_LIMB_BITS / 2; step > 0; step /= 2) {
    if (x >> step) {
      x >>= step;
      bits += step;
    }
  }
  return bits + (x != 0);
}

int nsd_bigint_bits(nsd_bigint a)
{
  const int n = nsd_bigint_limbs(a.length);
  return n == 0 ? 0 : (n - 1) * NSD_LIMB_BITS + bits_of(a.limb[n - 1]);
}

int nsd_bigint_from_double(nsd_limb *to, double x, int shift)
{
  int exponent;
  /* x = mantissa 2^exponent, so digits 2^(exponent − 53) with 53 bits of digits. */
  const double mantissa = frexp(fabs(x), &exponent);
  if (mantissa == 0.0) {
    return 0;
  }
  uint64_t digits = (uint64_t)ldexp(mantissa, 53);
  int place = exponent - 53 + shift;
  if (place < 0) {
    digits >>= -place; /* zeros, since the number is whole */
    place = 0;
  }
  /* 2^place = 2^(limbs before) · 2^offset: the digits spread over two or three limbs. */
  const int first = place / NSD_LIMB_BITS;
  const int offset = place % NSD_LIMB_BITS;
  int count = first;
  memset(to, 0, (size_t)first * sizeof *to);
  for (nsd_limb carry = 0; digits || carry; count++) {
    const nsd_limb_pair shifted = (nsd_limb_pair)(nsd_limb)digits << offset;
    to[count] = (nsd_limb)shifted | carry;
    carry = (nsd_limb)(shifted >> NSD_LIMB_BITS);
    digits = NSD_LIMB_BITS == 64 ? 0 : digits >> (NSD_LIMB_BITS % 64);
  }
  count = trimmed(to, count);
  return x < 0.0 ? -count : count;
}

int nsd_bigint_multiply(nsd_limb *to, nsd_bigint a, nsd_bigint b)
{
  const int n = nsd_bigint_limbs(a.length);
  const int m = nsd_bigint_limbs(b.length);
  if (n == 0 || m == 0) {
    return 0;
  }
  /* By limbs, as by hand: to += a b_j 2^(j limbs). */
  memset(to, 0, (size_t)n * sizeof *to);
  for (int j = 0; j < m; j++) {
    nsd_limb carry = 0;
    const nsd_limb_pair factor = b.limb[j];
    for (int i = 0; i < n && factor; i++) { /* numbers of distant sizes have many limbs that are zero */
      const nsd_limb_pair sum = factor * a.limb[i] + to[i + j] + carry;
      to[i + j] = (nsd_limb)sum;
      carry = (nsd_limb)(sum >> NSD_LIMB_BITS);
    }
    to[n + j] = carry;
  }
  const int count = trimmed(to, n + m);
  return (a.length < 0) == (b.length < 0) ? count : -count;
}

int nsd_bigint_compare(nsd_bigint a, nsd_bigint b)
{
  const int n = nsd_bigint_limbs(a.length);
  const int m = nsd_bigint_limbs(b.length);
  if (n != m) {
    return n > m ? 1 : -1;
  }
  for (int i = n - 1; i >= 0; i--) {
    if (a.limb[i] != b.limb[i]) {
      return a.limb[i] > b.limb[i] ? 1 : -1;
    }
  }
  return 0;
}

/* |a| + |b|, a no shorter. */
static int add_magnitudes(nsd_limb *to, nsd_bigint a, nsd_bigint b)
{
  const int n = nsd_bigint_limbs(a.length);
  const int m = nsd_bigint_limbs(b.length);
  nsd_limb carry = 0;
  for (int i = 0; i < n; i++) {
    const nsd_limb_pair sum = (nsd_limb_pair)a.limb[i] + (i < m ? b.limb[i] : 0) + carry;
    to[i] = (nsd_limb)sum;
    carry = (nsd_limb)(sum >> NSD_LIMB_BITS);
  }
  to[n] = carry;
  return trimmed(to, n + 1);
}

/* |a| − |b|, a no smaller. */
static int subtract_magnitudes(nsd_limb *to, nsd_bigint a, nsd_bigint b)
{
  const int n = nsd_bigint_limbs(a.length);
  const int m = nsd_bigint_limbs(b.length);
  nsd_limb borrow = 0;
  for (int i = 0; i < n; i++) {
    const nsd_limb_pair rest = (nsd_limb_pair)a.limb[i] - (i < m ? b.limb[i] : 0) - borrow;
    to[i] = (nsd_limb)rest;
    borrow = (nsd_limb)(rest >> NSD_LIMB_BITS) & 1u;
  }
  return trimmed(to, n);
}

int nsd_bigint_subtract(nsd_limb *to, nsd_bigint a, nsd_bigint b)
{
  /* |a| − |b| or |a| + |b|, by the signs; the sign is that of the larger one. */
  const int larger = nsd_bigint_compare(a, b) >= 0;
  const nsd_bigint top = larger ? a : b;
  const nsd_bigint low = larger ? b : a;
  const int negative = larger ? a.length < 0 : b.length > 0;
  const int same = (a.length < 0) == (b.length < 0) && a.length != 0 && b.length != 0;
  const int count = same ? subtract_magnitudes(to, top, low) : add_magnitudes(to, top, low);
  return negative ? -count : count;
}

static void shift_down(nsd_limb *to, const nsd_limb *from, int count, int bits)
{
  for (int i = 0; i < count; i++) {
    const nsd_limb above = i + 1 < count ? from[i + 1] : 0;
    to[i] = bits == 0 ? from[i] : from[i] >> bits | above << (NSD_LIMB_BITS - bits);
  }
}

nsd_bigint_divisor nsd_bigint_divisor_of(nsd_limb *odd, nsd_bigint d)
{
  /* d = odd · 2^bits: division by 2^bits is a shift. */
  int zeros = 0;
  while (d.limb[zeros] == 0) {
    zeros++;
  }
  int bits = 0;
  while (!(d.limb[zeros] >> bits & 1u)) {
    bits++;
  }
  const int count = nsd_bigint_limbs(d.length) - zeros;
  shift_down(odd, d.limb + zeros, count, bits);
  nsd_limb inverse = odd[0]; /* Newton: three bits are right, then twice as many each time */
  for (int right = 3; right < NSD_LIMB_BITS; right *= 2) {
    inverse *= (nsd_limb)(2 - odd[0] * inverse);
  }
  return (nsd_bigint_divisor){.odd = odd,
                              .length = trimmed(odd, count),
                              .inverse = inverse,
                              .bits = zeros * NSD_LIMB_BITS + bits,
                              .negative = d.length < 0};
}

int nsd_bigint_divide(nsd_limb *to, nsd_limb *a, int length, const nsd_bigint_divisor *d)
{
  /* Division from the least limb upwards (Jebelean 1993): q_i = a_i / d
   * modulo a limb, then a −= q_i d 2^(i limbs). */
  const int zeros = d->bits / NSD_LIMB_BITS;
  const int above = nsd_bigint_limbs(length) - zeros;
  if (above <= 0) {
    return 0;
  }
  shift_down(a, a + zeros, above, d->bits % NSD_LIMB_BITS);
  /* The shift may have emptied the last limb: counted in, it would make the quotient, zeros and all, one limb
   * longer than there is room for. */
  const int n = trimmed(a, above);
  const int count = n - d->length + 1;
  for (int i = 0; i < count; i++) { /* the least limb of what is left tells the next one of the quotient */
    const nsd_limb q = a[i] * d->inverse;
    const int reach = d->length < count - i ? d->length : count - i;
    nsd_limb carry = 0;
    int j = 0;
    to[i] = q;
    for (; j < reach && q; j++) {
      const nsd_limb_pair product = (nsd_limb_pair)q * d->odd[j] + carry;
      carry = (nsd_limb)(product >> NSD_LIMB_BITS) + (a[i + j] < (nsd_limb)product);
      a[i + j] -= (nsd_limb)product;
    }
    for (; i + j < count && carry; j++) {
      const nsd_limb before = a[i + j];
      a[i + j] -= carry;
      carry = before < carry;
    }
  }
  const int kept = trimmed(to, count > 0 ? count : 0);
  return (length < 0) != d->negative ? -kept : kept;
}

/* |a| = result 2^exponent, off by half a unit of the last place and what limbs below the second add. */
static double leading(nsd_bigint a, int *exponent)
{
  double value = 0.0;
  const int n = nsd_bigint_limbs(a.length);
  /* The first 128 bits: more do not change a double. */
  const int first = n > 128 / NSD_LIMB_BITS ? n - 128 / NSD_LIMB_BITS : 0;
  for (int i = n - 1; i >= first; i--) {
    value = ldexp(value, NSD_LIMB_BITS) + (double)a.limb[i];
  }
  *exponent = first * NSD_LIMB_BITS;
  return value;
}

double nsd_bigint_quotient(nsd_bigint a, nsd_bigint b, int shift)
{
  int up, down;
  const double above = leading(a, &up);
  const double below = leading(b, &down);
  const double value = ldexp(above / below, up - down + shift);
  return (a.length < 0) == (b.length < 0) ? value : -value;
}
