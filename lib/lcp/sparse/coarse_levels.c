/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "lcp/sparse/coarse_levels.h"

/* On which sides an unknown has bounds; FIXED where both are the same number. */
enum { FREE = 0, LOWER = 1, UPPER = 2, BOTH = 3, FIXED = 4 };

void nsd_coarse_levels_init(nsd_coarse_levels *w, nsdyn_context *ctx, nsd_poll *poll)
{
  w->ctx = ctx;
  w->poll = poll;
  w->work = nsd_arena_empty(ctx);
  w->count = 0;
  for (int k = 0; k < NSD_COARSE_MOST; k++) {
    w->level[k].memory = nsd_arena_empty(ctx);
  }
}

void nsd_coarse_levels_release(nsd_coarse_levels *w)
{
  nsd_arena_release(&w->work);
  for (int k = 0; k < NSD_COARSE_MOST; k++) {
    nsd_arena_release(&w->level[k].memory);
  }
}

static int sides_of(const nsd_sparse_problem *p, int32_t i)
{
  /* One that is fixed has no part in smaller problems. */
  return p->lo[i] == p->hi[i]
             ? FIXED
             : (p->lo[i] > -(double)INFINITY ? LOWER : 0) | (p->hi[i] < (double)INFINITY ? UPPER : 0);
}

/* The bound that an unknown is measured from. */
static double base_of(const nsd_sparse_problem *p, int32_t i)
{
  const double base = p->lo[i] > -(double)INFINITY ? p->lo[i] : p->hi[i];
  return isfinite(base) ? base : 0.0;
}

/* Memory while a level is made. */
typedef struct joining {
  int32_t *first, *second; /* n each: members of a pair, −1 none */
  int32_t *links;          /* n: elements of that row in a column */
  int32_t *at;             /* n: where a column stands in the row under construction, −1 nowhere */
} joining;

static void lay_out_joining(nsd_arena *arena, joining *j, int32_t n)
{
  const size_t size = (size_t)n;
  j->first = nsd_arena_take(arena, size, sizeof *j->first);
  j->second = nsd_arena_take(arena, size, sizeof *j->second);
  j->links = nsd_arena_take(arena, size, sizeof *j->links);
  j->at = nsd_arena_take(arena, size, sizeof *j->at);
}

/* A level of `pairs` unknowns and at most so many elements, below one of n unknowns. */
static void lay_out_level(nsd_arena *arena, nsd_coarse_level *level, int32_t n, int32_t pairs,
                          int64_t elements)
{
  const size_t size = (size_t)pairs;
  level->pair = nsd_arena_take(arena, (size_t)n, sizeof *level->pair);
  level->row = nsd_arena_take(arena, size + 1, sizeof *level->row);
  level->column = nsd_arena_take(arena, (size_t)elements, sizeof *level->column);
  level->value = nsd_arena_take(arena, (size_t)elements, sizeof *level->value);
  level->b = nsd_arena_take(arena, size, sizeof *level->b);
  level->lo = nsd_arena_take(arena, size, sizeof *level->lo);
  level->hi = nsd_arena_take(arena, size, sizeof *level->hi);
}

/* Joins each unknown, in their order, with the neighbour that is still alone and couples most strongly: the
 * most negative A_ij. (Rows of a symmetric matrix; of another one this is a choice like any other.) Returns
 * the pairs, singles among them. */
static int32_t join_pairs(const nsd_sparse_problem *p, joining *j, int32_t *pair, nsd_poll *poll)
{
  const nsd_sparse *A = &p->A;
  int32_t pairs = 0;
  for (int32_t i = 0; i < A->n; i++) {
    pair[i] = -1;
    (void)nsd_poll_stops(poll, NSD_POLL_READ);
  }
  for (int32_t i = 0; i < A->n; i++) {
    const int sides = sides_of(p, i);
    if (pair[i] >= 0 || sides == FIXED ||
        nsd_poll_stops(poll, NSD_POLL_FETCH * (double)(A->row[i + 1] - A->row[i]))) {
      continue;
    }
    /* Alone if it has no neighbour left with bounds on the same sides: x = 0 must be the same bound for both.
     */
    int32_t partner = -1;
    double strongest = 0.0;
    for (int64_t k = A->row[i]; k < A->row[i + 1]; k++) {
      const int32_t c = A->column[k];
      if (c != i && pair[c] < 0 && A->value[k] < strongest && sides_of(p, c) == sides) {
        strongest = A->value[k];
        partner = c;
      }
    }
    j->first[pairs] = i;
    j->second[pairs] = partner;
    pair[i] = pairs;
    if (partner >= 0) {
      pair[partner] = pairs;
    }
    pairs++;
  }
  return pairs;
}

static void swap_elements(int32_t *column, double *value, int64_t k, int64_t l)
{
  const int32_t c = column[k];
  const double v = value[k];
  column[k] = column[l];
  value[k] = value[l];
  column[l] = c;
  value[l] = v;
}

/* Lets element k of a heap of `count` sink below all that are larger. */
static void sink(int32_t *column, double *value, int64_t k, int64_t count)
{
  for (int64_t child = 2 * k + 1; child < count; child = 2 * k + 1) {
    child += child + 1 < count && column[child + 1] > column[child];
    if (column[child] <= column[k]) {
      return;
    }
    swap_elements(column, value, k, child);
    k = child;
  }
}

/* Columns in ascending order: short rows by insertion, long ones by a heap. */
static void sort_row(int32_t *column, double *value, int64_t count)
{
  enum { SHORT = 32 };
  for (int64_t k = 1; k < count && count <= SHORT; k++) {
    for (int64_t l = k; l > 0 && column[l - 1] > column[l]; l--) {
      swap_elements(column, value, l, l - 1);
    }
  }
  if (count <= SHORT) {
    return;
  }
  for (int64_t k = count / 2; k-- > 0;) {
    sink(column, value, k, count);
  }
  for (int64_t k = count - 1; k > 0; k--) {
    swap_elements(column, value, 0, k);
    sink(column, value, 0, k);
  }
}

/* b' gets b + A · base of a member: its row where all unknowns stand at the bound they are measured from. */
static double load_of(const nsd_sparse_problem *p, int32_t i)
{
  double load = p->b[i];
  for (int64_t k = p->A.row[i]; k < p->A.row[i + 1]; k++) {
    load += p->A.value[k] * base_of(p, p->A.column[k]);
  }
  return load;
}

/* The elements of row I and their number per column, summed over its members. Returns the end of the row;
 * `sum` is their total. */
static int64_t gather_row(const nsd_sparse_problem *p, nsd_coarse_level *level, joining *j, int32_t I,
                          int64_t begin, double *sum)
{
  const int32_t members[2] = {j->first[I], j->second[I]};
  int64_t end = begin;
  level->b[I] = *sum = 0.0;
  for (int m = 0; m < 2 && members[m] >= 0; m++) {
    /* b'_I = Σ b_i and A'_IJ = Σ A_ij over the members i of I and j of J. */
    const int32_t i = members[m];
    level->b[I] += load_of(p, i);
    for (int64_t k = p->A.row[i]; k < p->A.row[i + 1]; k++) {
      const int32_t c = level->pair[p->A.column[k]];
      if (c < 0) {
        continue;
      }
      if (j->at[c] < 0) {
        j->at[c] = (int32_t)(end - begin);
        j->links[c] = 0;
        level->column[end] = c;
        level->value[end++] = 0.0;
      }
      level->value[begin + j->at[c]] += p->A.value[k];
      j->links[c]++;
      *sum += p->A.value[k];
    }
  }
  return end;
}

/* Row I of A'. Two pairs side by side have two links; two in line have one, and twice the distance: it counts
 * half. What the row as a whole holds, Σ_j A_ij, stays. Returns the end of the row, or −1 where its diagonal
 * element is not positive. */
static int64_t add_row(const nsd_sparse_problem *p, nsd_coarse_level *level, joining *j, int32_t I,
                       int64_t begin)
{
  double sum;
  const int64_t end = gather_row(p, level, j, I, begin, &sum);
  int64_t diagonal = -1;
  for (int64_t k = begin; k < end; k++) {
    const int32_t c = level->column[k];
    if (c == I) {
      diagonal = k;
    } else {
      const int members = 2 + (j->second[I] >= 0) + (j->second[c] >= 0);
      level->value[k] *= j->links[c] > 1 ? 1.0 : 2.0 / members;
      sum -= level->value[k];
    }
    j->at[c] = -1;
  }
  /* Σ_J A'_IJ = Σ A_ij: a constant is mapped as on the finer level; `sum` is what is left for the diagonal.
   */
  if (diagonal < 0 || !(sum > 0.0)) {
    return -1;
  }
  level->value[diagonal] = sum;
  sort_row(level->column + begin, level->value + begin, end - begin);
  return end;
}

/* Bounds of a pair: 0 on the side it is measured from; the mean width where there are two. */
static void set_bounds(const nsd_sparse_problem *p, nsd_coarse_level *level, const joining *j, int32_t I)
{
  const int32_t i = j->first[I], k = j->second[I];
  const int sides = sides_of(p, i);
  const double width =
      k < 0 ? p->hi[i] - p->lo[i] : 0.5 * (p->hi[i] - p->lo[i]) + 0.5 * (p->hi[k] - p->lo[k]);
  level->lo[I] = sides & LOWER ? 0.0 : -(double)INFINITY;
  level->hi[I] = sides == BOTH ? width : sides & UPPER ? 0.0 : (double)INFINITY;
}

/* One level below p. `has_joined` tells whether it is worth having. */
static nsdyn_status make_level(nsd_coarse_levels *w, const nsd_sparse_problem *p, nsd_coarse_level *level,
                               int *has_joined)
{
  const int32_t n = p->A.n;
  /* 1. Memory, as much as no joining at all would take. */
  joining j;
  nsd_coarse_level none;
  nsd_arena measure = nsd_arena_measure();
  lay_out_joining(&measure, &j, n);
  nsdyn_status status = nsd_arena_reserve(&w->work, &measure);
  if (status) {
    return status;
  }
  lay_out_joining(&w->work, &j, n);
  measure = nsd_arena_measure();
  lay_out_level(&measure, &none, n, n, p->A.row[n]);
  status = nsd_arena_reserve(&level->memory, &measure);
  if (status) {
    return status;
  }
  lay_out_level(&level->memory, level, n, n, p->A.row[n]);
  /* 2. Pairs. */
  const int32_t pairs = join_pairs(p, &j, level->pair, w->poll);
  /* A level that is hardly smaller costs as much as it saves. */
  *has_joined = pairs > 0 && pairs <= n - n / 8;
  if (!*has_joined) {
    return NSDYN_OK;
  }
  /* 3. A', b' and bounds. */
  for (int32_t i = 0; i < n; i++) {
    j.at[i] = -1;
    (void)nsd_poll_stops(w->poll, NSD_POLL_READ);
  }
  int64_t end = 0;
  for (int32_t I = 0; I < pairs; I++) {
    level->row[I] = end;
    end = add_row(p, level, &j, I, end);
    if (end < 0) {
      *has_joined = 0;
      return NSDYN_OK;
    }
    set_bounds(p, level, &j, I);
    if (nsd_poll_stops(w->poll, 2.0 * NSD_POLL_FETCH * (double)(end - level->row[I]))) {
      return NSDYN_CANCELLED;
    }
  }
  level->row[pairs] = end;
  level->p = (nsd_sparse_problem){
      .A = {.n = pairs, .row = level->row, .column = level->column, .value = level->value},
      .b = level->b,
      .lo = level->lo,
      .hi = level->hi,
      .is_symmetric = p->is_symmetric,
      .is_z = p->is_z,
      .has_positive_diagonal = p->has_positive_diagonal};
  return NSDYN_OK;
}

nsdyn_status nsd_coarse_levels_make(nsd_coarse_levels *w, const nsd_sparse_problem *p)
{
  /* Half as many unknowns from level to level, until so few are left that any method solves them. */
  const nsd_sparse_problem *above = p;
  w->count = 0;
  while (w->count < NSD_COARSE_MOST && above->A.n > NSD_COARSE_LEAST) {
    int has_joined = 0;
    const nsdyn_status status = make_level(w, above, &w->level[w->count], &has_joined);
    if (status || !has_joined) {
      return status;
    }
    above = &w->level[w->count++].p;
  }
  return NSDYN_OK;
}
