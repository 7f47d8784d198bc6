/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "search/tree.h"

#include <stdlib.h>
#include <string.h>

#include "search/cell_maximise.h"
#include "search/cell_narrow.h"
#include "search/decide_exactly.h"
#include "suite.h"

enum { COLUMNS = 3, ROWS = 5, UNKNOWNS = COLUMNS + ROWS, UNITS = 3, LISTED = 200 };

/* Three free z and five functionals; each unit asks three of them, or two. */
static const nsd_alternative three_ways[] = {
    {2, {0, 1}, {NSD_ASK_ZERO, NSD_ASK_POSITIVE}},
    {2, {0, 1}, {NSD_ASK_POSITIVE, NSD_ASK_ZERO}},
    {2, {0, 1}, {NSD_ASK_NEGATIVE, NSD_ASK_NEGATIVE}},
};
static const nsd_alternative two_ways[] = {{1, {0}, {NSD_ASK_ZERO}}, {1, {1}, {NSD_ASK_ZERO}}};

typedef struct bench {
  nsd_arena arena;
  nsd_tree tree;
  nsd_forms forms;
  nsd_exact exact;
  nsd_error_bounds sure;
  nsd_unit unit[UNITS];
  int8_t base[UNKNOWNS];
  double a[ROWS * COLUMNS], d[ROWS];
  uint64_t found[LISTED];
  int count;
  int most; /* pieces after which the host has enough */
} bench;

static void lay_out(bench *t, nsd_arena *arena)
{
  nsd_tree_lay_out(arena, &t->tree, ROWS, COLUMNS, UNITS);
  nsd_error_bounds_lay_out(arena, &t->sure, COLUMNS);
}

static bench *bench_new(void)
{
  bench *t = calloc(1, sizeof *t);
  ck_assert_ptr_nonnull(t);
  nsd_tree_init(&t->tree, NULL);
  nsd_exact_init(&t->exact, NULL);
  nsd_arena measure = nsd_arena_measure();
  lay_out(t, &measure);
  t->arena = nsd_arena_empty(NULL);
  ck_assert_int_eq(nsd_arena_reserve(&t->arena, &measure), NSDYN_OK);
  lay_out(t, &t->arena);
  return t;
}

static void bench_free(bench *t)
{
  nsd_tree_release(&t->tree);
  nsd_exact_release(&t->exact);
  nsd_arena_release(&t->arena);
  free(t);
}

/* Small whole numbers, so that much is degenerate. */
static void make(bench *t, random_state *r)
{
  for (int k = 0; k < ROWS * COLUMNS; k++) {
    t->a[k] = random_below(r, 5) - 2;
  }
  for (int i = 0; i < ROWS; i++) {
    t->d[i] = random_below(r, 5) - 2;
  }
  for (int k = 0; k < UNKNOWNS; k++) {
    t->base[k] = NSD_ASK_NOTHING;
  }
  t->base[2] = t->base[6] = t->base[7] = NSD_ASK_POSITIVE;
  t->unit[0] = (nsd_unit){.alternatives = 3, .alternative = three_ways, .part = {0, 3}};
  t->unit[1] = (nsd_unit){.alternatives = 3, .alternative = three_ways, .part = {4, 5}};
  t->unit[2] = (nsd_unit){.alternatives = 2, .alternative = two_ways, .part = {2, 6}};
  t->forms = (nsd_forms){.rows = ROWS,
                         .columns = COLUMNS,
                         .a = t->a,
                         .d = t->d,
                         .base = t->base,
                         .is_exact = 1,
                         .given_a = t->a,
                         .given_lda = COLUMNS,
                         .given_d = t->d};
  nsd_tree_load(&t->tree, &t->forms, t->unit, UNITS);
  t->tree.cells.exact = &t->exact;
  t->tree.cells.sure = &t->sure;
  t->tree.cells.exact_work = 100000000;
}

/* Two bits for each unknown: somewhere positive, somewhere negative. */
static uint64_t signs_of(const bench *t, const uint64_t *pattern)
{
  uint64_t signs = 0;
  for (int k = 0; k < UNKNOWNS; k++) {
    signs |= (uint64_t)nsd_tree_signs(&t->tree, pattern, k) << (2 * k);
  }
  return signs;
}

static nsdyn_status keep(void *user, nsd_cell *cell, const uint64_t *pattern)
{
  bench *t = user;
  (void)cell;
  ck_assert_int_lt(t->count, LISTED);
  t->found[t->count++] = signs_of(t, pattern);
  return t->most > 0 && t->count >= t->most ? NSDYN_CANCELLED : NSDYN_OK;
}

static nsdyn_status run(bench *t)
{
  const nsd_tree_host host = {.user = t, .activity = "testing", .max_nodes = -1, .piece = keep};
  t->count = 0;
  return nsd_tree_search(&t->tree, &host);
}

/* The same signs in exact arithmetic, of a closed cell. */
static uint64_t signs_of_cell(bench *t)
{
  uint64_t signs = 0;
  for (int k = 0; k < UNKNOWNS; k++) {
    signs |= (uint64_t)nsd_decide_reaches(&t->tree.cells, k, 1) << (2 * k);
    signs |= (uint64_t)nsd_decide_reaches(&t->tree.cells, k, -1) << (2 * k + 1);
  }
  return signs;
}

/* The signs of every choice's cell that is not empty. */
static int list_all(bench *t, uint64_t *all)
{
  nsd_cell *cell = &t->tree.scratch;
  int count = 0;
  for (int choice = 0; choice < 18; choice++) {
    const int taken[UNITS] = {choice % 3, choice / 3 % 3, choice / 9};
    nsd_cell_load(cell, &t->tree.cells);
    for (int u = 0; u < UNITS; u++) {
      const nsd_alternative *a = &t->unit[u].alternative[taken[u]];
      for (int l = 0; l < a->asks; l++) {
        nsd_cell_ask(cell, t->unit[u].part[a->part[l]], a->ask[l]);
      }
    }
    nsd_cell_end end = NSD_CELL_EMPTY;
    ck_assert_int_eq(nsd_decide_close(cell, &t->tree.cells, &end), 1);
    if (end == NSD_CELL_OPEN) {
      all[count++] = signs_of_cell(t);
    }
  }
  return count;
}

/* What the tree hands out is what is maximal among all choices, each once. */
START_TEST(pieces_are_the_maximal_choices)
{
  bench *t = bench_new();
  int pieces = 0, none = 0;
  for (int k = 0; k < random_cases(3000); k++) {
    random_state r = random_seed((uint64_t)k);
    uint64_t all[18];
    make(t, &r);
    ck_assert_int_eq(run(t), NSDYN_OK);
    ck_assert_int_eq((int)t->tree.cells.doubtful, 0);
    const int count = list_all(t, all);
    int maximal = 0;
    for (int i = 0; i < count; i++) {
      int best = 1, met = 0;
      for (int j = 0; j < count; j++) {
        best = best && ((all[i] & ~all[j]) != 0 || all[i] == all[j]) && !(j < i && all[i] == all[j]);
      }
      for (int j = 0; j < t->count; j++) {
        met += t->found[j] == all[i];
      }
      maximal += best;
      ck_assert_msg(!best || met == 1, "seed %d: a piece is met %d times", k, met);
    }
    ck_assert_msg(maximal == t->count, "seed %d: %d pieces, %d by all choices", k, t->count, maximal);
    pieces += t->count;
    none += t->count == 0;
  }
  ck_assert_int_gt(pieces, random_cases(3000));
  ck_assert_int_gt(none, random_cases(3000) / 100);
  bench_free(t);
}
END_TEST

static int first(void *user, nsd_cell *cell, double violation, int leaf)
{
  bench *t = user;
  (void)cell;
  t->count++;
  return violation == 0.0 || leaf;
}

/* A point is found exactly where there is a piece. */
START_TEST(a_point_where_there_is_one)
{
  bench *t = bench_new();
  const nsd_tree_host host = {
      .user = t, .activity = "testing", .max_nodes = -1, .piece = keep, .point = first};
  for (int k = 0; k < random_cases(3000); k++) {
    random_state r = random_seed((uint64_t)k);
    make(t, &r);
    ck_assert_int_eq(run(t), NSDYN_OK);
    const int any = t->count > 0;
    t->count = 0;
    ck_assert_int_eq(nsd_tree_search(&t->tree, &host), NSDYN_OK);
    ck_assert_msg(t->tree.found == any, "seed %d", k);
  }
  bench_free(t);
}
END_TEST

/* The host may have enough, and so may the limit of nodes. */
START_TEST(it_ends_when_told)
{
  bench *t = bench_new();
  int ended = 0;
  for (int k = 0; k < 200; k++) {
    random_state r = random_seed((uint64_t)k);
    make(t, &r);
    t->most = 0;
    ck_assert_int_eq(run(t), NSDYN_OK);
    if (t->count > 1) {
      nsd_tree_load(&t->tree, &t->forms, t->unit, UNITS);
      t->most = 1;
      ck_assert_int_eq(run(t), NSDYN_CANCELLED);
      ck_assert_int_eq(t->count, 1);
      const nsd_tree_host host = {.user = t, .activity = "testing", .max_nodes = 1, .piece = keep};
      nsd_tree_load(&t->tree, &t->forms, t->unit, UNITS);
      ck_assert_int_eq(nsd_tree_search(&t->tree, &host), NSDYN_MAX_ITERATIONS);
      ended++;
    }
  }
  ck_assert_int_gt(ended, 20);
  bench_free(t);
}
END_TEST

SUITE("search/tree", TEST(pieces_are_the_maximal_choices), TEST(a_point_where_there_is_one),
      TEST(it_ends_when_told))
