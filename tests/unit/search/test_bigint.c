/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "search/bigint.h"

#include "suite.h"
#include "support/random.h"

enum { LIMBS = 64 };

typedef struct number {
  nsd_limb limb[LIMBS];
  int length;
} number;

static nsd_bigint read(const number *x)
{
  return (nsd_bigint){.limb = x->limb, .length = x->length};
}

static number of(double x, int shift)
{
  number to;
  to.length = nsd_bigint_from_double(to.limb, x, shift);
  return to;
}

static number times(const number *a, const number *b)
{
  number to;
  to.length = nsd_bigint_multiply(to.limb, read(a), read(b));
  return to;
}

static number minus(const number *a, const number *b)
{
  number to;
  to.length = nsd_bigint_subtract(to.limb, read(a), read(b));
  return to;
}

/* A random number of some limbs, zeros at its end now and then. */
static number any(random_state *r)
{
  number x = of(random_normal(r) * 1e6, 60 + random_below(r, 3) * 20);
  for (int k = random_below(r, 4); k > 0; k--) {
    const number f = of(random_normal(r) * 1e9, 50 + 64 * random_below(r, 2));
    x = times(&x, &f);
  }
  return x;
}

START_TEST(doubles_come_back)
{
  const number one = of(1.0, 0);
  static const double values[] = {0.0, 1.0, -3.0, 0x1p200, -0x1.fffffffffffffp300, 5.0, 0x1p-30};
  for (size_t k = 0; k < sizeof values / sizeof *values; k++) {
    const number x = of(values[k], 40);
    ck_assert(nsd_bigint_quotient(read(&x), read(&one), -40) == values[k]);
    ck_assert_int_eq(x.length == 0, values[k] == 0.0);
  }
  const number big = of(0x1.8p100, 0);
  ck_assert_int_eq(nsd_bigint_bits(read(&big)), 101);
}
END_TEST

/* (a + b)(a − b) = a² − b², and what is multiplied is divided again. */
START_TEST(algebra_holds)
{
  random_state r = random_seed(1);
  for (int k = 0; k < random_cases(2000); k++) {
    const number a = any(&r), b = any(&r), zero = {.length = 0};
    const number negative = minus(&zero, &b);
    const number sum = minus(&a, &negative), difference = minus(&a, &b);
    const number left = times(&sum, &difference);
    const number aa = times(&a, &a), bb = times(&b, &b);
    const number right = minus(&aa, &bb);
    const number nothing = minus(&left, &right);
    ck_assert_int_eq(nothing.length, 0);
    ck_assert_int_eq(nsd_bigint_compare(read(&left), read(&right)), 0);
    if (b.length == 0) {
      continue;
    }
    number product = times(&a, &b), quotient, odd;
    const nsd_bigint_divisor by = nsd_bigint_divisor_of(odd.limb, read(&b));
    quotient.length = nsd_bigint_divide(quotient.limb, product.limb, product.length, &by);
    const number rest = minus(&quotient, &a);
    ck_assert_int_eq(rest.length, 0);
  }
}
END_TEST

/* A quotient takes its own limbs and one more at most, whatever zeros the divisor ends on: what stands behind
 * is the next element of a tableau. */
START_TEST(a_quotient_leaves_what_is_behind_it)
{
  random_state r = random_seed(2);
  for (int k = 0; k < random_cases(20000); k++) {
    const number power = of(1.0, random_below(&r, 130)), a = any(&r), c = any(&r);
    const number b = times(&c, &power);
    if (a.length == 0 || b.length == 0) {
      continue;
    }
    number product = times(&a, &b), quotient, odd;
    for (int i = 0; i < LIMBS; i++) {
      quotient.limb[i] = 0x5a5a5a5a;
    }
    const nsd_bigint_divisor by = nsd_bigint_divisor_of(odd.limb, read(&b));
    quotient.length = nsd_bigint_divide(quotient.limb, product.limb, product.length, &by);
    ck_assert_int_eq(quotient.length, a.length);
    for (int i = nsd_bigint_limbs(a.length) + 1; i < LIMBS; i++) {
      REQUIRE(quotient.limb[i] == 0x5a5a5a5a, "seed 2, case %d: limb %d of a quotient of %d was written", k,
              i, nsd_bigint_limbs(a.length));
    }
  }
}
END_TEST

SUITE("search/bigint", TEST(doubles_come_back), TEST(algebra_holds),
      TEST(a_quotient_leaves_what_is_behind_it))
