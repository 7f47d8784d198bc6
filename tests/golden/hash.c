/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "hash.h"

#include <math.h>
#include <string.h>

/* FNV-1a, 64 bits */
hash hash_begin(void)
{
  const hash h = {0xcbf29ce484222325u};
  return h;
}

void hash_bytes(hash *h, const void *bytes, size_t count)
{
  const unsigned char *at = bytes;
  for (size_t i = 0; i < count; i++) {
    h->value = (h->value ^ at[i]) * 0x100000001b3u;
  }
}

/* Byte by byte from the lowest, so that the order of bytes in memory does not matter. */
static void hash_word(hash *h, uint64_t word)
{
  for (int shift = 0; shift < 64; shift += 8) {
    const unsigned char byte = (unsigned char)(word >> shift);
    hash_bytes(h, &byte, 1);
  }
}

void hash_int(hash *h, int64_t value)
{
  hash_word(h, (uint64_t)value);
}

void hash_double(hash *h, double value)
{
  uint64_t word = 0x7ff8000000000000u;
  if (!isnan(value)) {
    memcpy(&word, &value, sizeof word);
  }
  hash_word(h, word);
}

void hash_doubles(hash *h, size_t count, const double *values)
{
  for (size_t i = 0; i < count; i++) {
    hash_double(h, values[i]);
  }
}

stream stream_begin(uint64_t seed)
{
  const stream begin = {seed * 0x9e3779b97f4a7c15u + 0x2545f4914f6cdd1du};
  return begin;
}

uint64_t stream_bits(stream *from)
{
  uint64_t z = (from->s += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

int stream_below(stream *from, int n)
{
  return (int)(stream_bits(from) % (uint64_t)n);
}

double stream_number(stream *from)
{
  return (double)(stream_bits(from) >> 11) * 0x1p-52 - 1.0;
}

double stream_scaled(stream *from)
{
  double scale = 0x1p-20;
  for (int k = stream_below(from, 41); k > 0; k--) {
    scale *= 2.0;
  }
  return stream_number(from) * scale;
}

double stream_any(stream *from)
{
  double value;
  do {
    const uint64_t bits = stream_bits(from);
    memcpy(&value, &bits, sizeof value);
  } while (!isfinite(value));
  return value;
}

void stream_fill(stream *from, size_t count, double *values)
{
  for (size_t i = 0; i < count; i++) {
    values[i] = stream_number(from);
  }
}
