/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Minimum degree on the quotient graph, with approximate degrees (Amestoy, Davis & Duff 1996).
 *
 * Eliminating a node joins all its neighbours with each other. The clique is not stored: the node becomes an
 * *element*, whose list names the variables of the clique. A variable's list has the elements that it belongs
 * to, then the neighbours that no element covers yet. An element that a new one covers dies, so lists only
 * get shorter. Variables with the same list are joined in one, which has their weight. */
#include "base/assert.h"
#include "base/sparse/sparse.h"

void nsd_sparse_order_lay_out(nsd_arena *arena, nsd_sparse_order *w, int32_t n, int64_t neighbours)
{
  const size_t size = (size_t)n;
  w->room = neighbours + n;
  w->list_at = nsd_arena_take(arena, size, sizeof *w->list_at);
  w->list = nsd_arena_take(arena, (size_t)w->room, sizeof *w->list);
  w->length = nsd_arena_take(arena, size, sizeof *w->length);
  w->elements = nsd_arena_take(arena, size, sizeof *w->elements);
  w->weight = nsd_arena_take(arena, size, sizeof *w->weight);
  w->degree = nsd_arena_take(arena, size, sizeof *w->degree);
  w->first = nsd_arena_take(arena, size, sizeof *w->first);
  w->next = nsd_arena_take(arena, size, sizeof *w->next);
  w->last = nsd_arena_take(arena, size, sizeof *w->last);
  w->bucket = nsd_arena_take(arena, size, sizeof *w->bucket);
  w->chain = nsd_arena_take(arena, size, sizeof *w->chain);
  w->tail = nsd_arena_take(arena, size, sizeof *w->tail);
  w->mark = nsd_arena_take(arena, size, sizeof *w->mark);
  w->is_alive = nsd_arena_take(arena, size, sizeof *w->is_alive);
}

/* One run. */
typedef struct run {
  nsd_sparse_order *w;
  int32_t n;
  int32_t ordered; /* nodes that are in the order */
  int32_t *order;
  int32_t least;   /* no degree is smaller */
  int64_t free_at; /* end of what is used of the lists */
  int64_t stamp;   /* marks below it are old */
  double work;
} run;

static void insert(nsd_sparse_order *w, int32_t i, int32_t degree)
{
  w->next[i] = w->first[degree];
  w->last[i] = -1;
  if (w->first[degree] >= 0) {
    w->last[w->first[degree]] = i;
  }
  w->first[degree] = i;
}

static void take_out(nsd_sparse_order *w, int32_t i)
{
  if (w->next[i] >= 0) {
    w->last[w->next[i]] = w->last[i];
  }
  if (w->last[i] >= 0) {
    w->next[w->last[i]] = w->next[i];
  } else if (w->first[w->degree[i]] == i) {
    w->first[w->degree[i]] = w->next[i];
  }
}

/* j and all that is joined to it join i. */
static void join(nsd_sparse_order *w, int32_t i, int32_t j)
{
  w->chain[w->tail[i]] = j;
  w->tail[i] = w->tail[j];
}

/* Puts i, and all that is joined to it, at the end of the order. */
static void finish(run *r, int32_t i)
{
  for (int32_t k = i; k >= 0; k = r->w->chain[k]) {
    r->order[r->ordered++] = k;
  }
}

/* Nodes with very many neighbours come last: their lists would be read again and again. */
static int32_t dense_degree(int32_t n)
{
  int32_t root = 1;
  while ((int64_t)root * root < n) {
    root++;
  }
  return 10 * root > 16 ? 10 * root : 16;
}

static void begin(run *r, const int64_t *begin_at, const int32_t *neighbour, int32_t dense, nsd_poll *poll)
{
  nsd_sparse_order *w = r->w;
  const int64_t count = begin_at[r->n];
  for (int64_t k = 0; k < count; k++) {
    w->list[k] = neighbour[k];
    (void)nsd_poll_stops(poll, 1.0);
  }
  r->free_at = count;
  r->stamp = 1;
  for (int32_t i = 0; i < r->n; i++) {
    w->list_at[i] = begin_at[i];
    w->length[i] = (int32_t)(begin_at[i + 1] - begin_at[i]);
    w->elements[i] = 0;
    w->weight[i] = w->length[i] > dense ? 0 : 1;
    w->degree[i] = w->length[i];
    w->first[i] = w->bucket[i] = w->chain[i] = -1;
    w->tail[i] = i;
    w->mark[i] = 0;
    w->is_alive[i] = w->weight[i] > 0;
    (void)nsd_poll_stops(poll, 3.0 * NSD_POLL_READ);
  }
  for (int32_t i = r->n - 1; i >= 0; i--) {
    if (w->weight[i] > 0) {
      insert(w, i, w->degree[i]);
    }
    (void)nsd_poll_stops(poll, 2.0 * NSD_POLL_READ);
  }
}

/* Moves all lists that are alive to the front. Lists lie in `list` in no order of their nodes: the first
 * entry of each is replaced by a sign of whose it is. */
static void compress(run *r)
{
  nsd_sparse_order *w = r->w;
  for (int32_t i = 0; i < r->n; i++) {
    if (w->is_alive[i] && w->length[i] > 0) {
      const int64_t at = w->list_at[i];
      w->list_at[i] = w->list[at];
      w->list[at] = -1 - i;
    }
  }
  int64_t to = 0;
  for (int64_t from = 0; from < r->free_at;) {
    const int32_t sign = w->list[from];
    if (sign >= 0) {
      from++;
      continue;
    }
    const int32_t i = -1 - sign;
    const int32_t length = w->length[i];
    const int32_t head = (int32_t)w->list_at[i];
    w->list_at[i] = to;
    w->list[to] = head;
    for (int32_t k = 1; k < length; k++) {
      w->list[to + k] = w->list[from + k];
    }
    to += length;
    from += length;
  }
  r->work += (double)r->free_at;
  r->free_at = to;
}

/* Adds the variables of a list to the element under construction: their weight turns negative. */
static int32_t collect(run *r, int64_t from, int32_t length, int64_t *to)
{
  nsd_sparse_order *w = r->w;
  int32_t total = 0;
  for (int32_t k = 0; k < length; k++) {
    const int32_t i = w->list[from + k];
    const int32_t weight = w->weight[i];
    if (weight > 0) {
      total += weight;
      w->weight[i] = -weight;
      w->list[(*to)++] = i;
      take_out(w, i);
    }
  }
  r->work += length;
  return total;
}

/* The list of the new element p: the union of its own variables and those of its elements, which die. */
static void make_element(run *r, int32_t p)
{
  nsd_sparse_order *w = r->w;
  w->weight[p] = 0;
  int32_t total = 0;
  int64_t to;
  if (w->elements[p] == 0) { /* in place */
    to = w->list_at[p];
    total = collect(r, w->list_at[p], w->length[p], &to);
    w->length[p] = (int32_t)(to - w->list_at[p]);
  } else {
    int64_t need = w->length[p] - w->elements[p];
    for (int32_t k = 0; k < w->elements[p]; k++) {
      need += w->length[w->list[w->list_at[p] + k]];
    }
    if (r->free_at + need > w->room) {
      compress(r);
    }
    NSD_ASSERT(r->free_at < w->room);
    const int64_t begin_at = to = r->free_at;
    const int64_t from = w->list_at[p];
    for (int32_t k = 0; k < w->elements[p]; k++) {
      const int32_t e = w->list[from + k];
      total += collect(r, w->list_at[e], w->length[e], &to);
      w->is_alive[e] = 0;
    }
    total += collect(r, from + w->elements[p], w->length[p] - w->elements[p], &to);
    w->list_at[p] = begin_at;
    w->length[p] = (int32_t)(to - begin_at);
    r->free_at = to;
  }
  w->degree[p] = total;
  w->elements[p] = -1; /* an element */
  finish(r, p);
}

/* mark[e] − stamp: the weight of what element e has outside the new one, for all elements that touch it. */
static void weigh_elements(run *r, int32_t p)
{
  nsd_sparse_order *w = r->w;
  for (int32_t k = 0; k < w->length[p]; k++) {
    const int32_t i = w->list[w->list_at[p] + k];
    const int32_t weight = -w->weight[i];
    for (int32_t l = 0; l < w->elements[i]; l++) {
      const int32_t e = w->list[w->list_at[i] + l];
      if (w->mark[e] < r->stamp) {
        w->mark[e] = r->stamp + w->degree[e];
      }
      w->mark[e] -= weight;
    }
    r->work += w->elements[i];
  }
}

/* The list of variable i without what is dead or covered by p, and p in front of it; its degree outside p.
 * Returns the hash of the list. */
static uint32_t renew(run *r, int32_t i, int32_t p, int32_t *outside)
{
  nsd_sparse_order *w = r->w;
  int32_t *list = w->list + w->list_at[i];
  const int32_t elements = w->elements[i], length = w->length[i];
  uint32_t hash = (uint32_t)p;
  int64_t degree = 0;
  int32_t to = 0;
  for (int32_t k = 0; k < elements; k++) {
    const int32_t e = list[k];
    if (!w->is_alive[e]) {
      continue;
    }
    const int64_t rest = w->mark[e] - r->stamp;
    if (rest > 0) {
      degree += rest;
      list[to++] = e;
      hash += (uint32_t)e;
    } else {
      w->is_alive[e] = 0; /* p covers it */
    }
  }
  const int32_t kept = to;
  for (int32_t k = elements; k < length; k++) {
    const int32_t j = list[k];
    if (w->weight[j] > 0) {
      degree += w->weight[j];
      list[to++] = j;
      hash += (uint32_t)j;
    }
  }
  /* p was in the list, or an element that has died: there is a place free. */
  NSD_ASSERT(to < length);
  list[to] = list[kept];
  list[kept] = list[0];
  list[0] = p;
  w->elements[i] = kept + 1;
  w->length[i] = to + 1;
  r->work += length;
  *outside = degree > r->n ? r->n : (int32_t)degree;
  return hash % (uint32_t)r->n;
}

/* Whether i and j have the same lists; those of i are marked. */
static int is_same(const nsd_sparse_order *w, int32_t i, int32_t j, int64_t stamp)
{
  if (w->length[i] != w->length[j] || w->elements[i] != w->elements[j]) {
    return 0;
  }
  const int32_t *list = w->list + w->list_at[j];
  for (int32_t k = 0; k < w->length[j]; k++) {
    if (w->mark[list[k]] != stamp) {
      return 0;
    }
  }
  return 1;
}

/* Joins variables of one hash that have the same list. */
static void join_same(run *r, int32_t head)
{
  nsd_sparse_order *w = r->w;
  for (int32_t i = head; i >= 0 && w->next[i] >= 0; i = w->next[i]) {
    r->stamp++;
    for (int32_t k = 0; k < w->length[i]; k++) {
      w->mark[w->list[w->list_at[i] + k]] = r->stamp;
    }
    int32_t before = i;
    for (int32_t j = w->next[i]; j >= 0; j = w->next[j]) {
      r->work += w->length[j];
      if (is_same(w, i, j, r->stamp)) {
        w->weight[i] += w->weight[j]; /* both negative */
        w->weight[j] = 0;
        w->is_alive[j] = 0;
        join(w, i, j);
        w->next[before] = w->next[j];
      } else {
        before = j;
      }
    }
  }
}

/* The variables of the new element p: shorter lists, new degrees, equal ones joined. `left`: weight of what
 * is not in the order yet. */
static void update_variables(run *r, int32_t p, int32_t *left)
{
  nsd_sparse_order *w = r->w;
  const int64_t at = w->list_at[p];
  /* 1. New lists and degrees outside p; what has no neighbour outside goes with p. */
  for (int32_t k = 0; k < w->length[p]; k++) {
    const int32_t i = w->list[at + k];
    int32_t outside;
    const uint32_t hash = renew(r, i, p, &outside);
    if (outside == 0) {
      w->degree[p] += w->weight[i];
      *left += w->weight[i];
      w->weight[i] = 0;
      w->is_alive[i] = 0;
      finish(r, i);
      continue;
    }
    w->degree[i] = outside < w->degree[i] ? outside : w->degree[i];
    w->next[i] = w->bucket[hash];
    w->last[i] = (int32_t)hash;
    w->bucket[hash] = i;
  }
  r->stamp += (int64_t)r->n + 1; /* above all marks of elements */
  /* 2. Equal ones are in the same bucket. */
  for (int32_t k = 0; k < w->length[p]; k++) {
    const int32_t i = w->list[at + k];
    if (w->weight[i] != 0) {
      const int32_t head = w->bucket[w->last[i]];
      w->bucket[w->last[i]] = -1;
      if (head >= 0) {
        join_same(r, head);
      }
    }
  }
  r->stamp++;
  /* 3. Degrees with the clique, back into the lists of degrees; p's list without what has left it. */
  int32_t to = 0;
  for (int32_t k = 0; k < w->length[p]; k++) {
    const int32_t i = w->list[at + k];
    const int32_t weight = -w->weight[i];
    if (weight == 0) {
      continue;
    }
    w->weight[i] = weight;
    const int64_t sum = (int64_t)w->degree[i] + w->degree[p] - weight;
    const int32_t most = *left - weight;
    w->degree[i] = sum < most ? (int32_t)sum : most;
    insert(w, i, w->degree[i]);
    r->least = w->degree[i] < r->least ? w->degree[i] : r->least;
    w->list[at + to++] = i;
  }
  w->length[p] = to;
  w->is_alive[p] = to > 0;
}

/* What is not in the order yet comes at its end, as it stands. */
static void finish_rest(run *r, const unsigned char *is_ordered)
{
  for (int32_t i = 0; i < r->n; i++) {
    if (!is_ordered[i]) {
      r->order[r->ordered++] = i;
    }
  }
}

/* NOLINTBEGIN(readability-non-const-parameter): `order` is written by way of `run` */
void nsd_sparse_order_find(nsd_sparse_order *w, int32_t n, const int64_t *begin_at, const int32_t *neighbour,
                           int32_t *order, nsd_poll *poll)
{
  /* NOLINTEND(readability-non-const-parameter) */
  run r = {.w = w, .n = n, .order = order};
  if (n == 0) {
    return;
  }
  begin(&r, begin_at, neighbour, dense_degree(n), poll);
  int32_t left = 0;
  for (int32_t i = 0; i < n; i++) {
    left += w->weight[i];
  }
  while (left > 0 && !nsd_poll_stops(poll, NSD_POLL_FETCH * r.work)) {
    r.work = 8.0;
    /* 1. A variable of least degree. */
    while (w->first[r.least] < 0) {
      r.least++;
    }
    const int32_t p = w->first[r.least];
    take_out(w, p);
    left -= w->weight[p];
    /* 2. Its neighbours become a clique, stored as the list of an element. */
    make_element(&r, p);
    /* 3. The neighbours' lists and degrees. */
    weigh_elements(&r, p);
    update_variables(&r, p, &left);
  }
  for (int32_t i = 0; i < n; i++) {
    w->is_alive[i] = 0;
  }
  for (int32_t k = 0; k < r.ordered; k++) {
    w->is_alive[order[k]] = 1;
    (void)nsd_poll_stops(poll, NSD_POLL_FETCH);
  }
  finish_rest(&r, w->is_alive);
}
