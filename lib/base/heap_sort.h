/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Sorting in place, without memory: the C library's may allocate. */
#ifndef NSD_BASE_HEAP_SORT_H
#define NSD_BASE_HEAP_SORT_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/kernels/simd.h"

/* Whether the item at `a` stands before that at `b`: a function of the two alone, and a total order. */
typedef int nsd_comes_before(const void *a, const void *b);

/* Down a heap of `count`, whose root is the last in order: the item in `moved` finds its place from `at` on.
 */
NSD_INLINE void nsd_heap_sink(char *items, int64_t at, int64_t count, size_t size,
                              nsd_comes_before *comes_before, const void *moved)
{
  for (int64_t child = 2 * at + 1; child < count; child = 2 * at + 1) {
    const char *first = items + (size_t)child * size;
    child += child + 1 < count && comes_before(first, first + size);
    if (!comes_before(moved, items + (size_t)child * size)) {
      break;
    }
    memcpy(items + (size_t)at * size, items + (size_t)child * size, size);
    at = child;
  }
  memcpy(items + (size_t)at * size, moved, size);
}

/* Sorts `count` items of `size` bytes. Inlined where it is called, so that order and size are known there.
 * `spare` has room for one item. */
NSD_INLINE void nsd_heap_sort(void *items, int64_t count, size_t size, nsd_comes_before *comes_before,
                              void *spare)
{
  char *x = items;
  /* 1: a heap, from its last parent to its root. */
  for (int64_t i = count / 2 - 1; i >= 0; i--) {
    memcpy(spare, x + (size_t)i * size, size);
    nsd_heap_sink(x, i, count, size, comes_before, spare);
  }
  /* 2: its root, the last in order, goes behind what is left. */
  for (int64_t i = count - 1; i > 0; i--) {
    memcpy(spare, x + (size_t)i * size, size);
    memcpy(x + (size_t)i * size, x, size);
    nsd_heap_sink(x, 0, i, size, comes_before, spare);
  }
}

#endif
