/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "geometry/crossings.h"

#include "base/arena.h"
#include "geometry/orientation.h"

enum { NONE = -1 };

/* The edges that the sweep's line crosses, from below to above: a treap, whose priorities are hashes of the
 * edges' numbers, and a list. */
typedef struct sweep {
  int32_t count, edges;
  int closed;
  const double *p;
  int32_t *order;         /* points from left to right, of equal x from below to above */
  int32_t *spare;         /* for sorting */
  int32_t *child;         /* of each edge: two, NONE where there is none */
  int32_t *parent;        /* NONE at the root */
  int32_t *below, *above; /* neighbours in the list */
  int32_t root;
} sweep;

static void lay_out(nsd_arena *arena, sweep *s, size_t n)
{
  s->order = nsd_arena_take(arena, n, sizeof *s->order);
  s->spare = nsd_arena_take(arena, n, sizeof *s->spare);
  s->child = nsd_arena_take(arena, n, 2 * sizeof *s->child);
  s->parent = nsd_arena_take(arena, n, sizeof *s->parent);
  s->below = nsd_arena_take(arena, n, sizeof *s->below);
  s->above = nsd_arena_take(arena, n, sizeof *s->above);
}

static const double *point(const sweep *s, int32_t i)
{
  return s->p + 2 * (size_t)i;
}

static int comes_before(const double *a, const double *b)
{
  return a[0] < b[0] || (a[0] == b[0] && a[1] < b[1]);
}

/* Merges runs that double in length: stable, and O(n log n) whatever the points are. */
static void sort_points(sweep *s)
{
  for (int32_t i = 0; i < s->count; i++) {
    s->order[i] = i;
  }
  for (int64_t run = 1; run < s->count; run *= 2) {
    for (int64_t begin = 0; begin < s->count; begin += 2 * run) {
      const int64_t middle = begin + run < s->count ? begin + run : s->count;
      const int64_t end = begin + 2 * run < s->count ? begin + 2 * run : s->count;
      int64_t a = begin, b = middle;
      for (int64_t k = begin; k < end; k++) {
        const int takes_b =
            a == middle || (b < end && comes_before(point(s, s->order[b]), point(s, s->order[a])));
        s->spare[k] = takes_b ? s->order[b++] : s->order[a++];
      }
    }
    int32_t *const sorted = s->spare;
    s->spare = s->order;
    s->order = sorted;
  }
}

/* Ends of edge i, the left one first. */
static void ends_of(const sweep *s, int32_t i, const double **left, const double **right)
{
  const double *a = point(s, i), *b = point(s, i + 1 == s->count ? 0 : i + 1);
  const int forth = comes_before(a, b);
  *left = forth ? a : b;
  *right = forth ? b : a;
}

/* Whether the edge `i`, which begins at the sweep's line, is above `other`, which the line crosses. Where
 * both lie on one line either is: they will be neighbours, and found to meet. */
static int is_above(const sweep *s, int32_t i, int32_t other)
{
  const double *left, *right, *l, *r;
  ends_of(s, i, &left, &right);
  ends_of(s, other, &l, &r);
  const int side = nsd_orientation(l, r, left);
  return (side ? side : nsd_orientation(l, r, right)) > 0;
}

static uint32_t priority(int32_t i)
{
  uint32_t x = (uint32_t)i * UINT32_C(2654435769);
  x ^= x >> 16;
  x *= UINT32_C(0x85ebca6b);
  return x ^ (x >> 13);
}

static void put_in_place_of(sweep *s, int32_t old, int32_t i)
{
  const int32_t parent = s->parent[old];
  if (parent == NONE) {
    s->root = i;
  } else {
    s->child[2 * (size_t)parent + (s->child[2 * (size_t)parent + 1] == old)] = i;
  }
  if (i != NONE) {
    s->parent[i] = parent;
  }
}

/* Edge i and its parent change places; their order from below to above stays. */
static void rotate_up(sweep *s, int32_t i)
{
  const int32_t parent = s->parent[i];
  const int side = s->child[2 * (size_t)parent + 1] == i;
  const int32_t inner = s->child[2 * (size_t)i + !side];
  put_in_place_of(s, parent, i);
  s->child[2 * (size_t)i + !side] = parent;
  s->parent[parent] = i;
  s->child[2 * (size_t)parent + (size_t)side] = inner;
  if (inner != NONE) {
    s->parent[inner] = parent;
  }
}

static void insert(sweep *s, int32_t i)
{
  int32_t at = s->root, below = NONE, above = NONE, parent = NONE;
  int side = 0;
  /* Down the tree: the last edges that it was above and below of are its neighbours. */
  while (at != NONE) {
    parent = at;
    side = is_above(s, i, at);
    below = side ? at : below;
    above = side ? above : at;
    at = s->child[2 * (size_t)at + (size_t)side];
  }
  s->child[2 * (size_t)i] = s->child[2 * (size_t)i + 1] = NONE;
  s->parent[i] = parent;
  s->below[i] = below;
  s->above[i] = above;
  if (below != NONE) {
    s->above[below] = i;
  }
  if (above != NONE) {
    s->below[above] = i;
  }
  if (parent == NONE) {
    s->root = i;
    return;
  }
  s->child[2 * (size_t)parent + (size_t)side] = i;
  while (s->parent[i] != NONE && priority(i) > priority(s->parent[i])) {
    rotate_up(s, i);
  }
}

static void take_out(sweep *s, int32_t i)
{
  /* Down to a place with one child at most. */
  for (;;) {
    const int32_t low = s->child[2 * (size_t)i], high = s->child[2 * (size_t)i + 1];
    if (low == NONE || high == NONE) {
      put_in_place_of(s, i, low == NONE ? high : low);
      break;
    }
    rotate_up(s, priority(low) > priority(high) ? low : high);
  }
  if (s->below[i] != NONE) {
    s->above[s->below[i]] = s->above[i];
  }
  if (s->above[i] != NONE) {
    s->below[s->above[i]] = s->below[i];
  }
}

/* Whether two edges have more in common than an end that the line of points gives them. */
static int meets(const sweep *s, int32_t i, int32_t j, int32_t *edge)
{
  if (i == NONE || j == NONE) {
    return 0;
  }
  const int32_t low = i < j ? i : j, high = i < j ? j : i;
  const double *a = point(s, low), *b = point(s, low + 1 == s->count ? 0 : low + 1);
  const double *c = point(s, high), *d = point(s, high + 1 == s->count ? 0 : high + 1);
  const int follows = high == low + 1, leads = s->closed && low == 0 && high == s->edges - 1;
  int met;
  if (follows || leads) {
    /* Neighbours share a point: they meet elsewhere where one turns back on the other. */
    const double *before = follows ? a : c, *shared = follows ? b : d, *after = follows ? d : b;
    met = nsd_orientation(before, shared, after) == 0 && (nsd_segments_meet(before, shared, after, after) ||
                                                          nsd_segments_meet(shared, after, before, before));
  } else {
    met = nsd_segments_meet(a, b, c, d);
  }
  if (met) {
    edge[0] = low;
    edge[1] = high;
  }
  return met;
}

/* One of the two edges at a point: from now on the sweep's line crosses it, or no longer. */
static int pass(sweep *s, int32_t i, int32_t at, int ends, int32_t *edge)
{
  if (i < 0 || i >= s->edges) {
    return 0;
  }
  const double *left, *right;
  ends_of(s, i, &left, &right);
  const int is_end = right == point(s, at);
  if (is_end != ends) {
    return 0;
  }
  if (is_end) {
    const int32_t below = s->below[i], above = s->above[i];
    take_out(s, i);
    return meets(s, below, above, edge);
  }
  insert(s, i);
  return meets(s, s->below[i], i, edge) || meets(s, i, s->above[i], edge);
}

static void sweep_along(sweep *s, int32_t *edge)
{
  sort_points(s);
  for (int32_t k = 0; k < s->count; k++) {
    const int32_t at = s->order[k], last = k ? s->order[k - 1] : at;
    /* Two points in one place stand next to each other: the edge from the first of them, and that to the
     * second.
     */
    if (k && !comes_before(point(s, last), point(s, at))) {
      edge[0] = last < at ? last : at;
      edge[1] = (last < at ? at : last) - 1;
      return;
    }
    const int32_t before = at ? at - 1 : s->closed ? s->count - 1 : NONE;
    /* What begins is put in first, next to what ends there: a point on an edge is seen. */
    if (pass(s, before, at, 0, edge) || pass(s, at, at, 0, edge)) {
      return;
    }
    if (pass(s, before, at, 1, edge) || pass(s, at, at, 1, edge)) {
      return;
    }
  }
}

nsdyn_status nsd_find_crossing(nsdyn_context *ctx, int32_t count, const double *p, int closed, int32_t *edge)
{
  sweep s = {.count = count, .edges = closed ? count : count - 1, .closed = closed, .p = p, .root = NONE};
  sweep counted = s;
  nsd_arena measure = nsd_arena_measure(), arena = nsd_arena_empty(ctx);
  edge[0] = edge[1] = NONE;
  lay_out(&measure, &counted, (size_t)count);
  const nsdyn_status status = nsd_arena_reserve(&arena, &measure);
  if (!status) {
    lay_out(&arena, &s, (size_t)count);
    sweep_along(&s, edge);
  }
  nsd_arena_release(&arena);
  return status;
}
