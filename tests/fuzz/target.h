/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* What every fuzz target begins with. A target is the function LLVMFuzzerTestOneInput: any bytes in,
 * each answer checked by what it must satisfy. libFuzzer drives it (./dev fuzz), or standalone.c, over a
 * seeded corpus, as a test. */
#ifndef TESTS_FUZZ_TARGET_H
#define TESTS_FUZZ_TARGET_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A promise of the library, broken: say which, and stop where the fuzzer or the test sees it. */
#define REQUIRE(promise)                                                                                     \
  do {                                                                                                       \
    if (!(promise)) {                                                                                        \
      fprintf(stderr, "%s:%d: broken: %s\n", __FILE__, __LINE__, #promise);                                  \
      abort();                                                                                               \
    }                                                                                                        \
  } while (0)

/* Bytes read one after another; zeros behind their end. */
typedef struct reader {
  const uint8_t *at;
  size_t left;
} reader;

static inline void read_bytes(reader *from, void *to, size_t count)
{
  const size_t known = count < from->left ? count : from->left;
  memset(to, 0, count);
  if (known) { /* else `at` may be NULL */
    memcpy(to, from->at, known);
    from->at += known;
    from->left -= known;
  }
}

static inline int read_below(reader *from, int n)
{
  uint8_t byte;
  read_bytes(from, &byte, 1);
  return byte % n;
}

/* Any double, NaN and infinities too. */
static inline double read_double(reader *from)
{
  double value;
  read_bytes(from, &value, sizeof value);
  return value;
}

#endif
