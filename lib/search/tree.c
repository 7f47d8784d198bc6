/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "search/tree.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "search/cell_maximise.h"
#include "search/cell_narrow.h"
#include "search/decide_exactly.h"

#define AT_ONCE 300000      /* numbers in the tableaus that are laid out at once: 2 MB */
#define WORK_PER_POLL 65536 /* numbers in the tableaus of the nodes between two polls */
#define PIECES_PER_POLL 64

/* ---- memory ------------------------------------------------------------------------------------------- */

void nsd_tree_init(nsd_tree *tree, nsdyn_context *ctx)
{
  memset(tree, 0, sizeof *tree);
  tree->ctx = ctx;
  nsd_pieces_init(&tree->pieces, ctx);
}

/* Levels of the path that are laid out ahead: all, or, where that is more than most searches use, the first.
 */
static int first_levels(int rows, int columns, int units)
{
  const int64_t each = (int64_t)columns * (rows + 4) + 1;
  return units < AT_ONCE / each ? units + 1 : 1;
}

void nsd_tree_lay_out(nsd_arena *arena, nsd_tree *tree, int rows, int columns, int units)
{
  const size_t unknowns = (size_t)rows + (size_t)columns;
  const size_t levels = (size_t)units + 1;
  nsd_cells_lay_out(arena, &tree->cells, rows, columns);
  nsd_cell_lay_out(arena, &tree->root, rows, columns);
  nsd_cell_lay_out(arena, &tree->scratch, rows, columns);
  tree->cell = nsd_arena_take(arena, levels, sizeof *tree->cell);
  tree->levels = first_levels(rows, columns, units);
  for (int k = 0; k < tree->levels; k++) {
    nsd_cell cell = {0};
    nsd_cell_lay_out(arena, &cell, rows, columns);
    if (tree->cell) {
      tree->cell[k] = cell;
    }
  }
  tree->node = nsd_arena_take(arena, levels, sizeof *tree->node);
  tree->choice = nsd_arena_take(arena, levels, sizeof *tree->choice);
  tree->unit_of = nsd_arena_take(arena, unknowns, sizeof *tree->unit_of);
  tree->bit = nsd_arena_take(arena, unknowns, sizeof *tree->bit);
  tree->pattern =
      nsd_arena_take(arena, (size_t)nsd_pattern_words(2 * (rows + columns)), sizeof *tree->pattern);
}

void nsd_tree_release(nsd_tree *tree)
{
  nsd_pieces_release(&tree->pieces);
  for (int k = 0; k < tree->deep_count; k++) {
    nsd_arena_release(&tree->deep[k]);
  }
  nsd_release(tree->ctx, tree->deep, (size_t)tree->deep_count, sizeof *tree->deep);
  tree->deep = NULL;
  tree->deep_count = 0;
}

/* Blocks for `count` levels at least; those there are stay. */
static nsdyn_status reserve_deep(nsd_tree *tree, int count)
{
  if (count <= tree->deep_count) {
    return NSDYN_OK;
  }
  const int capacity = count < INT_MAX / 2 ? 2 * count : count;
  nsd_arena *deep = nsd_allocate(tree->ctx, (size_t)capacity, sizeof *deep);
  if (!deep) {
    return NSDYN_ERR_NOMEM;
  }
  for (int k = 0; k < capacity; k++) {
    deep[k] = k < tree->deep_count ? tree->deep[k] : nsd_arena_empty(tree->ctx);
  }
  nsd_release(tree->ctx, tree->deep, (size_t)tree->deep_count, sizeof *tree->deep);
  tree->deep = deep;
  tree->deep_count = capacity;
  return NSDYN_OK;
}

/* Memory for the cell at `level`, where it has none. */
static nsdyn_status deepen(nsd_tree *tree, int level)
{
  if (level < tree->levels) {
    return NSDYN_OK;
  }
  nsdyn_status status = reserve_deep(tree, level);
  if (status) {
    return status;
  }
  nsd_arena *block = &tree->deep[level - 1];
  nsd_cell cell = {0};
  nsd_arena measure = nsd_arena_measure();
  nsd_cell_lay_out(&measure, &cell, tree->root.rows, tree->root.columns);
  status = nsd_arena_reserve(block, &measure);
  if (status == NSDYN_OK) {
    nsd_cell_lay_out(block, &tree->cell[level], tree->root.rows, tree->root.columns);
    tree->levels = level + 1;
  }
  return status;
}

void nsd_tree_load(nsd_tree *tree, const nsd_forms *forms, const nsd_unit *unit, int units)
{
  tree->unit = unit;
  tree->units = units;
  tree->nodes = tree->duplicates = 0;
  nsd_cells_load(&tree->cells, forms);
  int bits = 0;
  for (int k = 0; k < forms->columns + forms->rows; k++) {
    const int tells = forms->base[k] != NSD_ASK_ZERO && (!forms->tells || forms->tells[k]);
    tree->unit_of[k] = -1;
    tree->bit[k] = bits;
    /* A pattern has one bit for a sign that is asked, and two, > 0 and < 0, where nothing is. */
    bits += !tells ? 0 : forms->base[k] == NSD_ASK_NOTHING ? 2 : 1;
  }
  nsd_pieces_clear(&tree->pieces, bits);
  for (int u = 0; u < units; u++) {
    for (int a = 0; a < unit[u].alternatives; a++) {
      const nsd_alternative *choice = &unit[u].alternative[a];
      for (int l = 0; l < choice->asks; l++) {
        tree->unit_of[unit[u].part[choice->part[l]]] = u;
      }
    }
  }
}

/* ---- open units ---------------------------------------------------------------------------------------- */

/* The largest miss of the open units' nearest alternatives: zero where the point is one that is looked for.
 */
static double violation_of(const nsd_tree *tree, const nsd_cell *cell)
{
  double most = 0.0;
  for (int u = 0; u < tree->units; u++) {
    const nsd_unit *unit = &tree->unit[u];
    double least = (double)INFINITY;
    for (int a = 0; a < unit->alternatives && least > most; a++) {
      const double miss = nsd_unit_miss(cell, unit, a);
      least = miss < least ? miss : least;
    }
    most = least > most ? least : most;
  }
  return most;
}

void nsd_tree_ask_at_point(const nsd_tree *tree, nsd_cell *cell)
{
  for (int u = 0; u < tree->units; u++) {
    int a;
    if (nsd_unit_left(cell, &tree->unit[u], &a) >= 0) {
      a = 0;
      while (nsd_unit_miss(cell, &tree->unit[u], a) > 0.0) {
        a++;
      }
      nsd_unit_ask(cell, &tree->unit[u], a);
    }
  }
}

/* ---- what the rows force ------------------------------------------------------------------------------ */

/* Asks what is left of the unit of unknown k, if that is one alternative only. */
static nsd_cell_end force(nsd_tree *tree, nsd_cell *cell, int k, int *pivoted)
{
  const nsd_unit *unit = &tree->unit[tree->unit_of[k]];
  int last = 0;
  /* The other alternatives are ruled out: what the last one asks holds on the whole cell. */
  const int left = nsd_unit_left(cell, unit, &last);
  if (left == 0) {
    return NSD_CELL_EMPTY;
  }
  if (left > 1 || left < 0) {
    return NSD_CELL_OPEN;
  }
  const int64_t pivots = tree->cells.pivots;
  nsd_unit_ask(cell, unit, last);
  const nsd_cell_end end = nsd_cell_narrow(cell, &tree->cells);
  *pivoted = tree->cells.pivots != pivots || cell->is_exact;
  return end;
}

/* Whether the alternatives of the unit of unknown k that ask it to be zero, or of the other sign, are of
 * interest: the cell obeys none yet. */
static int matters(const nsd_tree *tree, const nsd_cell *cell, int k)
{
  int last;
  return tree->unit_of[k] >= 0 && !(cell->mark[k] & (NSD_CELL_ABOVE | NSD_CELL_BELOW)) &&
         nsd_unit_left(cell, &tree->unit[tree->unit_of[k]], &last) >= 0;
}

/* Row r shows that its unknown has one sign on all of the cell. */
static int has_sign(nsd_tree *tree, const nsd_cell *cell, int r)
{
  const nsd_cells *cells = &tree->cells;
  const int k = cell->row[r];
  if (cell->c[r] > 0.0) {
    return !(cells->row_fall[r] > 0.0) && matters(tree, cell, k) &&
           nsd_claim_holds(cell, &tree->cells, r, NSD_ROW_POSITIVE);
  }
  return !(cells->row_rise[r] > 0.0) && matters(tree, cell, k) &&
         nsd_claim_holds(cell, &tree->cells, r, NSD_ROW_NEGATIVE);
}

/* One pass over the rows. Columns that go while it runs only narrow what the ranges say. `pivoted` tells that
 * the ranges are void. */
static nsd_cell_end settle_rows(nsd_tree *tree, nsd_cell *cell, int *changed, int *pivoted)
{
  nsd_cells *cells = &tree->cells;
  for (int r = 0; r < cell->rows && !*pivoted && !nsd_cells_have_stopped(cells); r++) {
    const int k = cell->row[r];
    if (nsd_cell_is_held(cell, k)) {
      continue;
    }
    if (cell->c[r] == 0.0) {
      /* 0 <= u_r = Σ T_rs u_s with no T_rs > 0: u_r and these u_s are zero. */
      if (cell->ask[k] == NSD_ASK_POSITIVE && !(cells->row_rise[r] > 0.0) &&
          nsd_claim_holds(cell, cells, r, NSD_ROW_ZERO)) {
        *changed = 1;
        nsd_cell_vanish(cell, cells, r);
      }
    } else if (has_sign(tree, cell, r)) {
      /* c_r > 0 and no T_rs < 0, or the reverse: alternatives that ask another sign are out. */
      const int positive = (cell->c[r] > 0.0) == (cell->sign[k] > 0);
      cell->mark[k] |= positive ? NSD_CELL_ABOVE : NSD_CELL_BELOW;
      *changed = 1;
      if (force(tree, cell, k, pivoted)) {
        return NSD_CELL_EMPTY;
      }
    }
  }
  return NSD_CELL_OPEN;
}

/* Asks what is zero on all of the cell, and the last alternative of a unit whose others are ruled out, as far
 * as single rows show it. Leaves row_fall and row_rise as they are at the end. */
static nsd_cell_end settle(nsd_tree *tree, nsd_cell *cell)
{
  for (;;) {
    int changed = 0, pivoted = 0;
    nsd_cell_clean(cell, &tree->cells);
    nsd_cell_scan(cell, &tree->cells);
    const nsd_cell_end end = settle_rows(tree, cell, &changed, &pivoted);
    if (end || !changed || nsd_cells_have_stopped(&tree->cells)) {
      return end;
    }
  }
}

/* ---- patterns ----------------------------------------------------------------------------------------- */

enum { MORE = 1, LESS = 2 };

int nsd_tree_signs(const nsd_tree *tree, const uint64_t *pattern, int k)
{
  const nsd_forms *forms = tree->cells.forms;
  if (forms->base[k] == NSD_ASK_ZERO || (forms->tells && !forms->tells[k])) {
    return 0;
  }
  const int more = nsd_pattern_has(pattern, tree->bit[k]);
  return forms->base[k] == NSD_ASK_NOTHING ? more | nsd_pattern_has(pattern, tree->bit[k] + 1) << 1 : more;
}

static void put_signs(const nsd_tree *tree, int k, int signs)
{
  const nsd_forms *forms = tree->cells.forms;
  if (forms->tells && !forms->tells[k]) {
    return;
  }
  if (signs & MORE) {
    nsd_pattern_put(tree->pattern, tree->bit[k]);
  }
  if (signs & LESS) {
    nsd_pattern_put(tree->pattern, tree->bit[k] + 1);
  }
}

static int side_of(int sign)
{
  return sign > 0 ? MORE : LESS;
}

/* The signs that functional k, of which nothing is asked, takes on a closed cell; at its one point, where it
 * is one. */
static int free_signs(nsd_tree *tree, nsd_cell *cell, int k, int is_point)
{
  if (is_point) {
    const double value = cell->sign[k] * nsd_cell_value(cell, k);
    return value > 0.0 ? MORE : value < 0.0 ? LESS : 0;
  }
  int signs = 0;
  /* It is > 0 somewhere if its maximum on the cell is, < 0 if its minimum is. */
  for (int sense = 1; sense >= -1; sense -= 2) {
    const int reached = tree->cells.exact && cell->is_exact ? nsd_decide_reaches(&tree->cells, k, sense)
                                                            : nsd_cell_reaches(cell, &tree->cells, k, sense);
    signs |= reached ? side_of(sense) : 0;
  }
  return signs;
}

/* The signs that unknowns take on a closed cell. */
static const uint64_t *read_pattern(nsd_tree *tree, nsd_cell *cell, int is_point)
{
  const nsd_forms *forms = tree->cells.forms;
  memset(tree->pattern, 0, (size_t)tree->pieces.words * sizeof *tree->pattern);
  for (int k = 0; k < cell->columns + cell->rows; k++) {
    if (cell->ask[k] == NSD_ASK_POSITIVE) {
      put_signs(tree, k, side_of(cell->sign[k]));
    } else if (cell->ask[k] == NSD_ASK_NOTHING && (!forms->tells || forms->tells[k])) {
      put_signs(tree, k, free_signs(tree, cell, k, is_point));
    }
  }
  return tree->pattern;
}

/* The signs that are not ruled out by what is asked. */
static const uint64_t *open_pattern(const nsd_tree *tree, const nsd_cell *cell)
{
  memset(tree->pattern, 0, (size_t)tree->pieces.words * sizeof *tree->pattern);
  for (int k = 0; k < cell->columns + cell->rows; k++) {
    if (!nsd_cell_is_held(cell, k)) {
      put_signs(tree, k, cell->ask[k] == NSD_ASK_POSITIVE ? side_of(cell->sign[k]) : MORE | LESS);
    }
  }
  return tree->pattern;
}

/* The signs that break an ask. */
static int forbidden(int ask)
{
  return ask == NSD_ASK_ZERO ? MORE | LESS : ask == NSD_ASK_POSITIVE ? LESS : MORE;
}

/* Whether the pattern obeys an alternative. */
static int fits(const nsd_tree *tree, const uint64_t *pattern, const nsd_unit *unit, int a)
{
  const nsd_alternative *choice = &unit->alternative[a];
  for (int l = 0; l < choice->asks; l++) {
    if (nsd_tree_signs(tree, pattern, unit->part[choice->part[l]]) & forbidden(choice->ask[l])) {
      return 0;
    }
  }
  return 1;
}

/* The first branch with an alternative still to come that the pattern fits; −1 where there is none. */
static int resolving_level(const nsd_tree *tree, const uint64_t *pattern, int level)
{
  for (int l = 0; l < level; l++) {
    const nsd_tree_node *node = &tree->node[l];
    /* A larger piece may still be met in a branch whose alternative this one obeys. */
    for (int a = node->next; a < node->count; a++) {
      if (fits(tree, pattern, &tree->unit[node->unit], node->order[a])) {
        return l;
      }
    }
  }
  return -1;
}

/* ---- wants -------------------------------------------------------------------------------------------- */

/* Whether the point that the tableau shows breaks an ask that alternative a makes. */
static int is_broken_here(const nsd_cell *cell, const nsd_unit *unit, int a)
{
  return nsd_unit_miss(cell, unit, a) > 0.0;
}

/* Whether some point of the cell does. `surely`: every part is asked; else only those that are zero at a
 * degenerate point: elsewhere it hardly ever happens that none does, and the leaf will tell. */
static int can_break(nsd_tree *tree, nsd_cell *cell, const nsd_unit *unit, int a, int surely)
{
  const nsd_alternative *choice = &unit->alternative[a];
  if (is_broken_here(cell, unit, a)) {
    return 1;
  }
  /* Not surely: u_k outside the basis is taken to leave zero along its own column. */
  for (int l = 0; l < choice->asks && !surely; l++) {
    const int k = unit->part[choice->part[l]];
    if (cell->place[k] < 0 && nsd_ask_standing(cell, k, choice->ask[l]) != 2) {
      return 1;
    }
  }
  for (int l = 0; l < choice->asks; l++) {
    const int k = unit->part[choice->part[l]];
    if (nsd_ask_standing(cell, k, choice->ask[l]) == 2) {
      continue;
    }
    cell->mark[k] = (uint8_t)(cell->mark[k] & ~NSD_CELL_SEEN); /* the cell was larger then */
    /* One linear program for each sign that would break the ask. */
    const int signs = forbidden(choice->ask[l]);
    if (((signs & MORE) && nsd_cell_reaches(cell, &tree->cells, k, 1)) ||
        ((signs & LESS) && nsd_cell_reaches(cell, &tree->cells, k, -1))) {
      return 1;
    }
  }
  return 0;
}

/* Whether each alternative tried before the one taken can be broken. */
static int has_wants(nsd_tree *tree, nsd_cell *cell, const nsd_tree_choice *choice, int surely)
{
  for (int b = 0; b < choice->at; b++) {
    if (!can_break(tree, cell, &tree->unit[choice->unit], choice->order[b], surely)) {
      return 0;
    }
  }
  return 1;
}

/* The same of all that were taken on the path to `level`. */
static int has_all_wants(nsd_tree *tree, int level)
{
  for (int l = 0; l < tree->node[level].choices; l++) {
    if (!has_wants(tree, &tree->cell[level], &tree->choice[l], 0)) {
      return 0;
    }
  }
  return 1;
}

static int pattern_has_wants(const nsd_tree *tree, const uint64_t *pattern, int level)
{
  for (int l = 0; l < tree->node[level].choices; l++) {
    const nsd_tree_choice *choice = &tree->choice[l];
    for (int b = 0; b < choice->at; b++) {
      if (fits(tree, pattern, &tree->unit[choice->unit], choice->order[b])) {
        return 0;
      }
    }
  }
  return 1;
}

/* ---- leaves ------------------------------------------------------------------------------------------- */

static nsdyn_status leaf(nsd_tree *tree, int level)
{
  nsd_cells *cells = &tree->cells;
  nsd_cell *cell = &tree->cell[level];
  /* 1: what is zero on the whole cell; a leaf that is one point needs no linear programs for that. */
  const int is_point = cells->exact && nsd_decide_point(cell, cells);
  if (!is_point && nsd_cell_close(cell, cells)) {
    return cells->status;
  }
  /* 2: the signs that unknowns take on it. */
  const uint64_t *pattern = read_pattern(tree, cell, is_point);
  if (cells->status) {
    return cells->status;
  }
  /* 3: a piece that obeys an alternative tried before was met there. */
  if (!pattern_has_wants(tree, pattern, level)) {
    tree->duplicates++;
    return NSDYN_OK;
  }
  /* 4: handed out at once if no branch still to come can hold a larger piece, else kept until then. */
  const int waits = resolving_level(tree, pattern, level);
  if (waits < 0 && cell->live_count == 0) {
    return tree->host->piece(tree->host->user, cell, pattern);
  }
  if (nsd_pieces_cover(&tree->pieces, pattern)) {
    tree->duplicates++;
    return NSDYN_OK;
  }
  const nsdyn_status status = nsd_pieces_add(&tree->pieces, pattern, waits, &tree->duplicates);
  return status || waits >= 0 ? status : tree->host->piece(tree->host->user, cell, pattern);
}

/* Hands out a piece that is known by its pattern only. */
static nsdyn_status report_pattern(nsd_tree *tree, const uint64_t *pattern)
{
  static const int32_t asks[] = {NSD_ASK_ZERO, NSD_ASK_POSITIVE, NSD_ASK_NEGATIVE, NSD_ASK_NOTHING};
  const nsd_forms *forms = tree->cells.forms;
  nsd_cell *cell = &tree->scratch;
  nsd_cell_copy(cell, &tree->root, &tree->cells.poll);
  for (int k = 0; k < cell->columns + cell->rows; k++) {
    if (forms->base[k] != NSD_ASK_ZERO && (!forms->tells || forms->tells[k])) {
      nsd_cell_ask(cell, k, asks[nsd_tree_signs(tree, pattern, k)]);
    }
  }
  if (nsd_cell_narrow(cell, &tree->cells) || nsd_cell_close(cell, &tree->cells)) {
    tree->cells.doubtful++;
    return tree->cells.status;
  }
  return tree->cells.status ? tree->cells.status : tree->host->piece(tree->host->user, cell, pattern);
}

/* The branches below `level` are finished: what waited for them is maximal. */
static nsdyn_status resolve(nsd_tree *tree, int level)
{
  nsd_pieces *pieces = &tree->pieces;
  for (size_t k = 0; k < pieces->count; k++) {
    if (pieces->level[k] >= level) {
      pieces->level[k] = -1;
      if (k % PIECES_PER_POLL == PIECES_PER_POLL - 1 &&
          nsd_progress(tree->ctx, tree->host->activity, tree->cells.poll.done)) {
        return NSDYN_CANCELLED;
      }
      const nsdyn_status status = report_pattern(tree, nsd_pieces_pattern(pieces, k));
      if (status) {
        return status;
      }
    }
  }
  return NSDYN_OK;
}

/* ---- branches -------------------------------------------------------------------------------------------
 */

/* How far the point is from obeying an alternative: of each unknown that has to move its distance over the
 * sum of what the live columns can move it by, the largest. Infinite where a row lets nothing move it. */
static double distance_to(const nsd_tree *tree, const nsd_cell *cell, const nsd_unit *unit, int a)
{
  const nsd_alternative *choice = &unit->alternative[a];
  double most = 0.0;
  for (int l = 0; l < choice->asks; l++) {
    const int k = unit->part[choice->part[l]];
    const int r = cell->place[k];
    const double value = r < 0 ? 0.0 : cell->c[r];
    const int obeyed = value == 0.0 || choice->ask[l] * cell->sign[k] * value > 0.0;
    if (!obeyed) {
      /* Way of all live columns together: |u_k| over Σ |T_rs| of those that bring u_k towards zero. */
      const double reach = value > 0.0 ? tree->cells.row_fall[r] : tree->cells.row_rise[r];
      const double distance = reach > 0.0 ? fabs(value) / reach : (double)INFINITY;
      most = distance > most ? distance : most;
    }
  }
  return most;
}

/* Whether an alternative asks something of the basis: then it says more than one that only stops columns. */
static int asks_basis(const nsd_cell *cell, const nsd_unit *unit, int a)
{
  const nsd_alternative *choice = &unit->alternative[a];
  int any = 0;
  for (int l = 0; l < choice->asks; l++) {
    any |= cell->place[unit->part[choice->part[l]]] >= 0;
  }
  return any;
}

/* The alternatives that a unit has left, the nearest first, and how far from a choice it is: the product of
 * the two least distances. −1 where it is not open. */
static double arrange(const nsd_tree *tree, const nsd_cell *cell, const nsd_unit *unit, nsd_tree_node *node)
{
  double distance[NSD_UNIT_MOST];
  int basic[NSD_UNIT_MOST];
  node->count = 0;
  for (int a = 0; a < unit->alternatives; a++) {
    const int own = nsd_unit_standing(cell, unit, a);
    if (own == 2) {
      return -1.0;
    }
    if (own == 0) {
      continue;
    }
    distance[a] = distance_to(tree, cell, unit, a);
    basic[a] = asks_basis(cell, unit, a);
    /* Sorted by insertion, the nearest first; of equal ones those that ask something of the basis. */
    int at = node->count++;
    for (; at > 0; at--) {
      const int b = node->order[at - 1];
      if (distance[b] < distance[a] || (distance[b] == distance[a] && basic[b] >= basic[a])) {
        break;
      }
      node->order[at] = b;
    }
    node->order[at] = a;
  }
  const double nearest = node->count > 0 ? distance[node->order[0]] : 0.0;
  return nearest > 0.0 && node->count > 1 ? nearest * distance[node->order[1]] : nearest;
}

/* The open unit that is farthest from a choice. 0 where there is none. */
static int choose(const nsd_tree *tree, const nsd_cell *cell, nsd_tree_node *node)
{
  double most = -1.0;
  node->unit = -1;
  node->next = 0;
  for (int u = 0; u < tree->units; u++) {
    nsd_tree_node own;
    const double score = arrange(tree, cell, &tree->unit[u], &own);
    if (score > most) {
      most = score;
      node->unit = u;
      node->count = own.count;
      memcpy(node->order, own.order, sizeof own.order);
    }
  }
  return node->unit >= 0 && node->count > 0; /* none left: the cell is empty */
}

static nsdyn_status poll(nsd_tree *tree)
{
  const nsd_tree_host *host = tree->host;
  if (host->max_nodes >= 0 && tree->nodes >= host->max_nodes) {
    return NSDYN_MAX_ITERATIONS;
  }
  tree->nodes++;
  tree->work += 1 + (int64_t)tree->root.rows * tree->root.columns;
  if (tree->work < WORK_PER_POLL) {
    return NSDYN_OK;
  }
  tree->work = 0;
  return nsd_progress(tree->ctx, host->activity, tree->cells.poll.done);
}

/* Looks at a node that is not empty: closed (*branched = 0) or to be branched over. */
static nsdyn_status enter(nsd_tree *tree, int level, int *branched)
{
  nsd_cells *cells = &tree->cells;
  nsd_cell *cell = &tree->cell[level];
  const nsd_tree_host *host = tree->host;
  *branched = 0;
  /* 1: within the limits of the search, and different from what was tried before. */
  nsdyn_status status = poll(tree);
  if (status) {
    return status;
  }
  if (!cells->judge && !has_all_wants(tree, level)) {
    tree->duplicates++;
    return NSDYN_OK;
  }
  /* 2: what single rows show of signs, and the alternatives that this leaves. */
  if (settle(tree, cell) || nsd_cells_have_stopped(cells)) {
    return cells->status;
  }
  /* 3: where one point is looked for, is this one? Where all pieces are, does a known one cover the cell? */
  if (host->point) {
    tree->found = host->point(host->user, cell, violation_of(tree, cell), 0);
    if (tree->found) {
      return NSDYN_OK;
    }
  } else if (tree->pieces.count && nsd_pieces_cover(&tree->pieces, open_pattern(tree, cell))) {
    tree->duplicates++;
    return NSDYN_OK;
  }
  /* 4: the unit to branch over; where none is open, the cell is a leaf. */
  *branched = choose(tree, cell, &tree->node[level]);
  if (*branched) {
    return NSDYN_OK;
  }
  if (host->point) {
    tree->found = host->point(host->user, cell, violation_of(tree, cell), 1);
    return NSDYN_OK;
  }
  return leaf(tree, level);
}

/* The next child of the node at `level`: one level below, or, where it is the last, in the place of its
 * parent, which is not needed any more. Whether it is not empty and differs from the children before it. */
static int descend(nsd_tree *tree, int *level)
{
  nsd_tree_node *node = &tree->node[*level];
  const int is_last = node->next == node->count - 1;
  const nsd_unit *unit = &tree->unit[node->unit];
  const int at = node->next++;
  nsd_tree_choice *choice = &tree->choice[node->choices];
  choice->unit = node->unit;
  choice->at = at;
  memcpy(choice->order, node->order, sizeof choice->order);
  /* The last child takes its parent's place, so that the path is no longer than the open branches. */
  nsd_tree_node *child = node;
  if (!is_last) {
    child = &tree->node[*level + 1];
    child->choices = node->choices;
    child->weight = node->weight / (node->count - at);
    node->weight -= child->weight;
    nsd_cell_copy(&tree->cell[*level + 1], &tree->cell[*level], &tree->cells.poll);
    ++*level;
  }
  child->choices++;
  nsd_cell *cell = &tree->cell[*level];
  /* The child is the cell with one alternative more, made feasible again by pivots. */
  nsd_unit_ask(cell, unit, choice->order[at]);
  if (nsd_cell_narrow(cell, &tree->cells)) {
    return 0;
  }
  if (!tree->cells.judge && !has_wants(tree, cell, choice, 1)) {
    tree->duplicates++;
    return 0;
  }
  return 1;
}

/* Depth first. cell[0 … level] is the path; below each of its nodes but the last a child is under way, and
 * others are still to come. A node that is entered is closed there, by a row, by a piece that is known or as
 * a leaf, or it chooses a unit to branch over. */
static nsdyn_status explore(nsd_tree *tree)
{
  nsd_cells *cells = &tree->cells;
  int level = 0;
  tree->node[0].choices = 0;
  tree->node[0].weight = 1.0;
  /* The root: what holds whatever is chosen. */
  int open = !nsd_cell_start(&tree->cell[0], cells);
  if (!open) {
    tree->nodes++;
    return cells->status;
  }
  nsd_cell_copy(&tree->root, &tree->cell[0], &cells->poll);
  for (;;) {
    nsdyn_status status = NSDYN_OK;
    /* At a node: it is finished, or it has chosen a unit and is open. */
    if (open) {
      status = enter(tree, level, &open);
      if (status || tree->found) {
        return status;
      }
    }
    if (nsd_cells_have_stopped(cells)) {
      return cells->status ? cells->status : NSDYN_CANCELLED;
    }
    if (cells->judge && cells->doubtful > 0) {
      return NSDYN_OK; /* one branch left open, and nothing is proved */
    }
    /* Up from a node that is finished; what waited for its branch is handed out. */
    if (!open) {
      tree->cells.poll.done += tree->node[level].weight;
      status = resolve(tree, level);
      if (status || level == 0) {
        return status;
      }
      level--;
    }
    /* Down to the next child of the branch at this level. */
    status = deepen(tree, level + 1);
    if (status) {
      return status;
    }
    open = descend(tree, &level);
  }
}

nsdyn_status nsd_tree_search(nsd_tree *tree, const nsd_tree_host *host)
{
  tree->host = host;
  tree->found = 0;
  tree->cells.poll.done = 0.0;
  tree->work = 0;
  return explore(tree);
}
