/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "contact/census.h"

#include <math.h>
#include <string.h>

#include "base/assert.h"

#define NODES_PER_POLL 64
#define FEW 12                 /* rows, up to which exact arithmetic decides what there is to decide */
#define WORK_OF_FEW 1000000000 /* products of limbs: about a second */
#define WORK_OF_MANY 20000000
#define SAME_MOTION 1e-9 /* velocities that differ by less of the terms of their sums are one */

/* One call. */
typedef struct survey {
  nsd_census *w;
  const nsd_contact_data *p;
  const nsd_census_options *options;
  nsd_contact_visit *visit;
  void *user;
  nsdyn_contact_census *census;
  double *answer;   /* for the first solution only: else NULL */
  int found;        /* the answer is a solution */
  double violation; /* of the answer while it is none */
  double done;      /* share of the tree */
} survey;

/* ---- memory ------------------------------------------------------------------------------------------- */

void nsd_census_init(nsd_census *w, nsdyn_context *ctx)
{
  memset(w, 0, sizeof *w);
  w->ctx = ctx;
  w->arena = nsd_arena_empty(ctx);
  nsd_extent_init(&w->extent, ctx);
  nsd_pieces_init(&w->pieces, ctx);
  nsd_exact_init(&w->exact, ctx);
}

/* pieces.h counts pairs of bits; no contacts have a pattern, too. */
static int pattern_half(int functionals)
{
  return functionals > 0 ? functionals : 1;
}

static void lay_out(nsd_arena *arena, nsd_census *w, const nsd_contact_data *p)
{
  int m, units;
  nsd_signs_count(p, &m, &units);
  const size_t levels = (size_t)units + 1;
  nsd_signs_lay_out(arena, &w->signs, p);
  nsd_cells_lay_out(arena, &w->cells, m, p->rows);
  nsd_cell_lay_out(arena, &w->root, m, p->rows);
  nsd_cell_lay_out(arena, &w->scratch, m, p->rows);
  w->cell = nsd_arena_take(arena, levels, sizeof *w->cell);
  for (size_t k = 0; k < levels; k++) {
    nsd_cell cell;
    nsd_cell_lay_out(arena, &cell, m, p->rows);
    if (w->cell) {
      w->cell[k] = cell;
    }
  }
  w->node = nsd_arena_take(arena, levels, sizeof *w->node);
  w->choice = nsd_arena_take(arena, levels, sizeof *w->choice);
  nsd_extent_lay_out(arena, &w->extent, m, p->rows);
  w->pattern = nsd_arena_take(arena, (size_t)nsd_pattern_words(pattern_half(m)), sizeof *w->pattern);
  w->modes = nsd_arena_take(arena, (size_t)p->contacts, sizeof *w->modes);
  nsd_sure_lay_out(arena, &w->sure, p->rows);
  w->trial = nsd_arena_take(arena, (size_t)p->rows, sizeof *w->trial);
}

nsdyn_status nsd_census_reserve(nsd_census *w, const nsd_contact_data *p)
{
  nsd_census counted = *w;
  nsd_arena measure = nsd_arena_measure();
  lay_out(&measure, &counted, p);
  const nsdyn_status status = nsd_arena_reserve(&w->arena, &measure);
  if (status == NSDYN_OK) {
    lay_out(&w->arena, w, p);
  }
  return status;
}

void nsd_census_release(nsd_census *w)
{
  nsd_extent_release(&w->extent);
  nsd_pieces_release(&w->pieces);
  nsd_exact_release(&w->exact);
  nsd_release(w->ctx, w->motion, w->motion_bytes, 1);
  nsd_arena_release(&w->arena);
  nsd_census_init(w, w->ctx);
}

/* ---- motions --------------------------------------------------------------------------------------------
 */

static int is_same_motion(const double *a, const double *b, int rows)
{
  for (int i = 0; i < rows; i++) {
    const double size = a[rows + i] > b[rows + i] ? a[rows + i] : b[rows + i];
    if (fabs(a[i] - b[i]) > SAME_MOTION * size) {
      return 0;
    }
  }
  return 1;
}

/* Room for one more. */
static nsdyn_status reserve_motion(nsd_census *w, int rows)
{
  const size_t each = 2 * (size_t)rows * sizeof *w->motion;
  const size_t used = (size_t)w->motions * each;
  if (used + each <= w->motion_bytes) {
    return NSDYN_OK;
  }
  if (used > SIZE_MAX / 4) {
    return NSDYN_ERR_TOO_LARGE;
  }
  const size_t bytes = 2 * used + 16 * each;
  double *motion = nsd_allocate(w->ctx, bytes, 1);
  if (!motion) {
    return NSDYN_ERR_NOMEM;
  }
  if (used) {
    memcpy(motion, w->motion, used);
  }
  nsd_release(w->ctx, w->motion, w->motion_bytes, 1);
  w->motion = motion;
  w->motion_bytes = bytes;
  return NSDYN_OK;
}

/* Counts the velocity of the piece whose first vertex is in `extent`. */
static nsdyn_status count_motion(survey *run, int dimension)
{
  nsd_census *w = run->w;
  const nsd_contact_data *p = run->p;
  if (dimension > 0) {
    run->census->motions = -1;
  }
  if (run->census->motions < 0 || (p->rows == 0 && w->motions > 0)) {
    return NSDYN_OK;
  }
  if (p->rows > 0) {
    const nsdyn_status status = reserve_motion(w, p->rows);
    if (status) {
      return status;
    }
    const size_t each = 2 * (size_t)p->rows;
    double *own = w->motion + (size_t)w->motions * each;
    for (int i = 0; i < p->rows; i++) {
      const double *g = p->G + (size_t)i * (size_t)p->ldg;
      own[i] = w->extent.xi[i];
      own[p->rows + i] = fabs(p->c[i]);
      for (int j = 0; j < p->rows; j++) {
        own[p->rows + i] += fabs(g[j] * w->extent.Lambda[j]);
      }
    }
    for (int64_t k = 0; k < w->motions; k++) {
      if (is_same_motion(w->motion + (size_t)k * each, own, p->rows)) {
        return NSDYN_OK;
      }
    }
  }
  run->census->motions = ++w->motions;
  return NSDYN_OK;
}

/* ---- pieces ------------------------------------------------------------------------------------------- */

enum { MORE = 0, LESS = 1 }; /* bits of a functional: somewhere positive, somewhere negative */

static int pattern_bits(const uint64_t *pattern, int k)
{
  return nsd_pattern_has(pattern, 2 * k + MORE) | nsd_pattern_has(pattern, 2 * k + LESS) << 1;
}

/* The signs that functionals take at a point. */
static void read_signs(nsd_census *w, const nsd_cell *cell)
{
  for (int k = 0; k < cell->rows; k++) {
    const double value = cell->sign[k] * nsd_cell_value(cell, k);
    if (w->signs.tells[k] && cell->ask[k] != NSD_ASK_ZERO && value != 0.0) {
      nsd_pattern_put(w->pattern, 2 * k + (value > 0.0 ? MORE : LESS));
    }
  }
}

/* Closes a cell; whether it is empty. */
static nsd_cell_end close(nsd_census *w, nsd_cell *cell)
{
  nsd_cell_end end = NSD_CELL_OPEN;
  if (w->cells.exact && nsd_decide_close(cell, &w->cells, &end)) {
    return end;
  }
  return nsd_cell_close(cell, &w->cells);
}

/* Functional k is somewhere positive, or negative, on a closed cell. */
static void read_sign(nsd_census *w, nsd_cell *cell, int k)
{
  const int8_t ask = cell->ask[k];
  for (int side = 0; ask != NSD_ASK_ZERO && side < (ask == NSD_ASK_POSITIVE ? 1 : 2); side++) {
    const int8_t sense = cell->sign[k];
    if (w->cells.exact && cell->is_exact ? nsd_decide_reaches(&w->cells, k, sense)
                                         : nsd_cell_raise(cell, &w->cells, k)) {
      nsd_pattern_put(w->pattern, 2 * k + (sense > 0 ? MORE : LESS));
    }
    if (ask != NSD_ASK_POSITIVE) {
      nsd_cell_turn(cell, k);
    }
  }
}

/* Closes a cell; the signs that functionals take on it, NULL where it is empty. */
static const uint64_t *read_pattern(nsd_census *w, nsd_cell *cell)
{
  memset(w->pattern, 0, (size_t)w->pieces.words * sizeof *w->pattern);
  if (w->cells.exact && nsd_decide_point(cell, &w->cells)) {
    read_signs(w, cell);
    return w->pattern;
  }
  if (close(w, cell)) {
    return NULL;
  }
  for (int k = 0; k < cell->rows; k++) {
    if (w->signs.tells[k]) {
      read_sign(w, cell, k);
    }
  }
  return w->pattern;
}

/* Whether the pattern obeys an alternative. */
static int fits(const nsd_unit *unit, const nsd_alternative *choice, const uint64_t *pattern)
{
  for (int a = 0; a < choice->asks; a++) {
    const int bits = pattern_bits(pattern, unit->part[choice->part[a]]);
    const int forbidden = choice->ask[a] == NSD_ASK_ZERO       ? 3
                          : choice->ask[a] == NSD_ASK_POSITIVE ? 1 << LESS
                                                               : 1 << MORE;
    if (bits & forbidden) {
      return 0;
    }
  }
  return 1;
}

/* Whether the pattern fits one alternative of each unit only. */
static int is_alone(const nsd_census *w, const uint64_t *pattern)
{
  for (int u = 0; u < w->signs.units; u++) {
    const nsd_unit *unit = &w->signs.unit[u];
    int count = 0;
    for (int a = 0; a < unit->alternatives; a++) {
      count += fits(unit, &unit->alternative[a], pattern);
    }
    if (count > 1) {
      return 0;
    }
  }
  return 1;
}

/* The sign of ξ_T in the middle of the piece that `extent` holds. */
static int sliding_of(const survey *run, int row)
{
  const nsd_extent *e = &run->w->extent;
  const size_t n = (size_t)run->p->rows;
  const double *g = run->p->G + (size_t)row * (size_t)run->p->ldg;
  double sum = 0.0;
  for (int32_t v = 0; v < e->vertices; v++) {
    sum += e->xi[(size_t)v * n + (size_t)row] / e->vertices;
  }
  for (int32_t r = 0; r < e->rays; r++) {
    for (size_t j = 0; j < n; j++) {
      sum += g[j] * e->ray[(size_t)r * n + j];
    }
  }
  return sum >= 0.0 ? 1 : -1;
}

/* Whether a contact that can open has an impulse somewhere on the piece. */
static int is_loaded(const nsd_contact_signs *own, const uint64_t *pattern)
{
  return own->load >= 0 ? pattern_bits(pattern, own->load)
                        : pattern_bits(pattern, own->right) || pattern_bits(pattern, own->left);
}

/* Modes in the interior of the piece of that pattern. */
static void read_modes(const survey *run, const uint64_t *pattern)
{
  const nsd_census *w = run->w;
  for (int i = 0; i < run->p->contacts; i++) {
    const nsd_contact_spec *s = &run->p->spec[i];
    const nsd_contact_signs *own = &w->signs.contact[i];
    if (s->kind != NSDYN_CONTACT_BILATERAL && !(s->bound > 0.0) && !is_loaded(own, pattern)) {
      w->modes[i] = NSDYN_MODE_OPEN;
      continue;
    }
    int sliding = s->sliding;
    if (sliding == 0 && s->friction != NSD_FRICTION_NONE) {
      const int bits = pattern_bits(pattern, s->row + 1);
      sliding = bits == 0 ? 0 : bits == 1 << MORE ? 1 : bits == 1 << LESS ? -1 : sliding_of(run, s->row + 1);
    }
    w->modes[i] = sliding > 0 ? NSDYN_MODE_SLIP_PLUS : sliding < 0 ? NSDYN_MODE_SLIP_MINUS : NSDYN_MODE_STICK;
  }
}

/* Hands out the piece that a closed cell is. The cell is made afresh for the sake of its digits. */
static nsdyn_status report(survey *run, nsd_cell *cell, const uint64_t *pattern)
{
  nsd_census *w = run->w;
  nsdyn_contact_census *census = run->census;
  if (nsd_cell_renew(cell, &w->cells)) {
    return NSDYN_OK; /* counted as doubtful */
  }
  nsdyn_contact_piece piece = {.size = sizeof piece, .rows = run->p->rows, .contacts = run->p->contacts};
  piece.dimension = nsd_cell_dimension(cell);
  piece.velocity_dimension = nsd_extent_velocities(&w->extent, cell);
  nsdyn_status status = run->visit ? nsd_extent_list(&w->extent, cell, &w->cells)
                                   : nsd_extent_count(&w->extent, cell, &w->cells);
  if (status == NSDYN_OK && w->extent.worst > run->options->tol) {
    w->cells.doubtful++;
    return NSDYN_OK;
  }
  if (status == NSDYN_OK) {
    status = count_motion(run, piece.velocity_dimension);
  }
  if (status) {
    return status;
  }
  ++*(piece.dimension == 0 ? &census->points
      : w->extent.rays     ? &census->unbounded_pieces
                           : &census->bounded_pieces);
  census->max_dimension = piece.dimension > census->max_dimension ? piece.dimension : census->max_dimension;
  if (!run->visit) {
    return NSDYN_OK;
  }
  read_modes(run, pattern);
  piece.vertices = w->extent.vertices;
  piece.rays = w->extent.rays;
  piece.Lambda = w->extent.Lambda;
  piece.xi = w->extent.xi;
  piece.ray = w->extent.ray;
  piece.modes = w->modes;
  return run->visit(run->user, &piece) ? NSDYN_CANCELLED : NSDYN_OK;
}

/* Hands out a piece that is known by its pattern only. */
static nsdyn_status report_pattern(survey *run, const uint64_t *pattern)
{
  nsd_census *w = run->w;
  nsd_cell *cell = &w->scratch;
  nsd_cell_copy(cell, &w->root);
  for (int k = 0; k < w->signs.count; k++) {
    static const int32_t asks[] = {NSD_ASK_ZERO, NSD_ASK_POSITIVE, NSD_ASK_NEGATIVE, NSD_ASK_NOTHING};
    if (w->signs.tells[k]) {
      nsd_cell_ask(cell, k, asks[pattern_bits(pattern, k)]);
    }
  }
  if (close(w, cell)) {
    w->cells.doubtful++;
    return w->cells.status;
  }
  return report(run, cell, pattern);
}

/* The tree is finished: what waited is maximal. */
static nsdyn_status report_waiting(survey *run)
{
  nsd_pieces *pieces = &run->w->pieces;
  for (size_t k = 0; k < pieces->count; k++) {
    if (pieces->level[k] >= 0) {
      const nsdyn_status status = report_pattern(run, nsd_pieces_pattern(pieces, k));
      if (status) {
        return status;
      }
    }
  }
  return NSDYN_OK;
}

/* ---- wants --------------------------------------------------------------------------------------------- */

/* Whether one of the parts of a unit in the set `want` is not zero throughout. */
static int is_had(survey *run, nsd_cell *cell, const nsd_unit *unit, int32_t want)
{
  for (int part = 0; part < NSD_UNIT_PARTS; part++) {
    if ((want >> part & 1) && nsd_cell_value(cell, unit->part[part]) > 0.0) {
      return 1;
    }
  }
  for (int part = 0; part < NSD_UNIT_PARTS; part++) {
    if (want >> part & 1) {
      const int k = unit->part[part];
      cell->mark[k] = (uint8_t)(cell->mark[k] & ~NSD_CELL_SEEN); /* the cell was larger then */
      if (nsd_cell_raise(cell, &run->w->cells, k)) {
        return 1;
      }
    }
  }
  return 0;
}

/* Whether every want of the alternatives chosen can still be had. */
static int has_wants(survey *run, nsd_cell *cell)
{
  const nsd_census *w = run->w;
  for (int u = 0; u < w->signs.units; u++) {
    const nsd_unit *unit = &w->signs.unit[u];
    if (w->choice[u] < 0) {
      continue;
    }
    const nsd_alternative *choice = &unit->alternative[w->choice[u]];
    for (int k = 0; k < choice->wants; k++) {
      if (!is_had(run, cell, unit, choice->want[k])) {
        return 0;
      }
    }
  }
  return 1;
}

/* Whether the piece of that pattern has every want of the alternatives chosen. */
static int pattern_has_wants(const nsd_census *w, const uint64_t *pattern)
{
  for (int u = 0; u < w->signs.units; u++) {
    const nsd_unit *unit = &w->signs.unit[u];
    const nsd_alternative *choice = &unit->alternative[w->choice[u]];
    for (int k = 0; k < choice->wants; k++) {
      int had = 0;
      for (int part = 0; part < NSD_UNIT_PARTS; part++) {
        had |= (choice->want[k] >> part & 1) && pattern_bits(pattern, unit->part[part]);
      }
      if (!had) {
        return 0;
      }
    }
  }
  return 1;
}

/* ---- branches -------------------------------------------------------------------------------------------
 */

/* By how much the point that the tableau shows misses an alternative. */
static double violation_of(const nsd_cell *cell, const nsd_unit *unit, const nsd_alternative *choice)
{
  double most = 0.0;
  for (int a = 0; a < choice->asks; a++) {
    const int k = unit->part[choice->part[a]];
    const double value = cell->sign[k] * nsd_cell_value(cell, k);
    const double miss = choice->ask[a] == NSD_ASK_ZERO ? fabs(value) : -choice->ask[a] * value;
    most = miss > most ? miss : most;
  }
  return most;
}

/* The unit to branch over, alternatives in the order of violation: of those not yet chosen the one that
 * misses all of its alternatives by most. Returns by how much; the unit is −1 where all have chosen. */
static double choose_unit(const nsd_census *w, const nsd_cell *cell, nsd_census_node *node)
{
  double most = -1.0;
  node->unit = -1;
  node->next = 0;
  for (int u = 0; u < w->signs.units; u++) {
    const nsd_unit *unit = &w->signs.unit[u];
    if (w->choice[u] >= 0) {
      continue;
    }
    double miss[NSD_CENSUS_MOST] = {0.0};
    int32_t order[NSD_CENSUS_MOST] = {0};
    for (int a = 0; a < unit->alternatives; a++) {
      int at = a;
      miss[a] = violation_of(cell, unit, &unit->alternative[a]);
      for (; at > 0 && miss[order[at - 1]] > miss[a]; at--) {
        order[at] = order[at - 1];
      }
      order[at] = a;
    }
    if (miss[order[0]] > most) {
      most = miss[order[0]];
      node->unit = u;
      memcpy(node->order, order, sizeof order);
    }
  }
  return most > 0.0 ? most : 0.0;
}

static void ask_alternative(nsd_cell *cell, const nsd_unit *unit, const nsd_alternative *choice)
{
  for (int a = 0; a < choice->asks; a++) {
    nsd_cell_ask(cell, unit->part[choice->part[a]], choice->ask[a]);
  }
}

static nsdyn_status poll(survey *run)
{
  nsdyn_contact_census *census = run->census;
  if (run->options->max_nodes >= 0 && census->nodes >= run->options->max_nodes) {
    return NSDYN_MAX_ITERATIONS;
  }
  if (census->nodes++ % NODES_PER_POLL == NODES_PER_POLL - 1) {
    return nsd_progress(run->w->ctx, "enumerating contact modes", run->done);
  }
  return NSDYN_OK;
}

static nsdyn_status leaf(survey *run, nsd_cell *cell)
{
  nsd_census *w = run->w;
  if (nsd_cell_renew(cell, &w->cells)) {
    return w->cells.status;
  }
  const uint64_t *pattern = read_pattern(w, cell);
  if (!pattern || !pattern_has_wants(w, pattern) || w->cells.status) {
    return w->cells.status;
  }
  if (nsd_pieces_cover(&w->pieces, pattern)) {
    return NSDYN_OK;
  }
  const int alone = is_alone(w, pattern);
  int64_t dropped = 0;
  const nsdyn_status status = nsd_pieces_add(&w->pieces, pattern, alone ? -1 : 0, &dropped);
  return status || !alone ? status : report(run, cell, pattern);
}

/* ---- the first solution ---------------------------------------------------------------------------------
 */

/* Takes the tableau's point as the answer where it fits an alternative of every unit not yet chosen, or keeps
 * it as the best so far; `violation` is what choose_unit() found. */
static void try_point(survey *run, const nsd_cell *cell, double violation)
{
  nsd_census *w = run->w;
  if (!(violation < run->violation)) {
    return;
  }
  nsd_cell *trial = &w->scratch;
  nsd_cell_copy(trial, cell);
  for (int u = 0; violation == 0.0 && u < w->signs.units; u++) {
    const nsd_unit *unit = &w->signs.unit[u];
    int a = 0;
    while (w->choice[u] < 0 && violation_of(cell, unit, &unit->alternative[a]) > 0.0) {
      a++;
    }
    if (w->choice[u] < 0) {
      ask_alternative(trial, unit, &unit->alternative[a]);
    }
  }
  if (nsd_cell_renew(trial, &w->cells)) {
    return;
  }
  const double worst = nsd_extent_point(&w->extent, trial, &w->cells, w->trial);
  if (violation > 0.0) {
    run->violation = violation;
  } else if (worst <= run->options->tol) {
    run->found = 1;
  } else {
    w->cells.doubtful += !w->cells.exact;
    return;
  }
  for (int i = 0; i < run->p->rows; i++) {
    run->answer[i] = w->trial[i];
  }
}

/* ---- the search -------------------------------------------------------------------------------------- */

/* A leaf of the search for one solution that try_point() has not taken. */
static void try_leaf(survey *run, nsd_cell *cell)
{
  nsd_census *w = run->w;
  if (run->found || !w->cells.exact || close(w, cell)) {
    return;
  }
  if (nsd_extent_point(&w->extent, cell, &w->cells, w->trial) <= run->options->tol) {
    run->found = 1;
    memcpy(run->answer, w->trial, (size_t)run->p->rows * sizeof *w->trial);
  } else {
    w->cells.doubtful++;
  }
}

/* Looks at a node that is not empty: node.unit says what to branch over, −1 if it is closed. */
static nsdyn_status enter(survey *run, int level)
{
  nsd_census *w = run->w;
  nsd_cell *cell = &w->cell[level];
  nsd_census_node *node = &w->node[level];
  node->unit = -1;
  if (!run->answer && !has_wants(run, cell)) {
    return NSDYN_OK;
  }
  const double violation = choose_unit(w, cell, node);
  if (run->answer) {
    try_point(run, cell, violation);
    if (node->unit < 0) {
      try_leaf(run, cell);
    }
    return w->cells.status;
  }
  return node->unit < 0 ? leaf(run, cell) : NSDYN_OK;
}

/* The next child of the node at `level`, one level below: 1 where it is not empty. 0 also where there is none
 * left: then the node is finished. */
static int descend(survey *run, int level)
{
  nsd_census *w = run->w;
  nsd_census_node *node = &w->node[level];
  const nsd_unit *unit = &w->signs.unit[node->unit];
  const int a = node->order[node->next++];
  nsd_cell *child = &w->cell[level + 1];
  nsd_cell_copy(child, &w->cell[level]);
  w->node[level + 1].weight = node->weight / unit->alternatives;
  w->choice[node->unit] = a;
  ask_alternative(child, unit, &unit->alternative[a]);
  return !nsd_cell_narrow(child, &w->cells);
}

/* Depth first: node[0 … level] is the path. */
static nsdyn_status explore(survey *run)
{
  nsd_census *w = run->w;
  int level = 0;
  w->node[0].weight = 1.0;
  nsdyn_status status = poll(run);
  if (status || nsd_cell_start(&w->cell[0], &w->cells)) {
    return status;
  }
  /* The root: all that holds whatever the contacts' modes are. */
  nsd_cell_copy(&w->root, &w->cell[0]);
  status = enter(run, 0);
  while (status == NSDYN_OK && !run->found) {
    nsd_census_node *node = &w->node[level];
    if (w->cells.status) {
      return w->cells.status;
    }
    /* Down: the next alternative of the unit that this node branches over, unless its cell is empty. */
    if (node->unit >= 0 && node->next < w->signs.unit[node->unit].alternatives) {
      status = poll(run);
      if (status == NSDYN_OK && descend(run, level)) {
        status = enter(run, ++level);
      } else {
        run->done += w->node[level + 1].weight;
      }
      continue;
    }
    /* Up: all its alternatives are done, or it was a leaf. */
    if (node->unit >= 0) {
      w->choice[node->unit] = -1;
    } else {
      run->done += node->weight;
    }
    if (level == 0) {
      break;
    }
    level--;
  }
  return status;
}

/* ---- entry ----------------------------------------------------------------------------------------------
 */

static void begin(nsd_census *w, int exactly)
{
  w->cells.signs = &w->signs;
  w->cells.exact = exactly ? &w->exact : NULL;
  w->cells.sure = exactly ? &w->sure : NULL;
  w->cells.exact_is_loaded = 0;
  w->cells.exact_work = w->signs.rows <= FEW ? WORK_OF_FEW : WORK_OF_MANY;
  w->cells.status = NSDYN_OK;
  w->cells.pivots = 0;
  w->cells.doubtful = w->signs.rounded; /* then it is another problem's tree */
  for (int u = 0; u < w->signs.units; u++) {
    NSD_ASSERT(w->signs.unit[u].alternatives <= NSD_CENSUS_MOST);
    w->choice[u] = -1;
  }
}

/* One solution was looked for and not found: once more, each branch closed for sure. */
static nsdyn_status explore_surely(survey *run)
{
  survey again = *run;
  again.violation = (double)INFINITY;
  again.done = 0.0;
  begin(run->w, 1);
  const nsdyn_status status = explore(&again);
  run->found = again.found;
  return status;
}

static nsdyn_status search(survey *run)
{
  nsd_census *w = run->w;
  nsdyn_contact_census *census = run->census;
  const size_t size = census->size;
  *census = (nsdyn_contact_census){.size = size, .max_dimension = -1};
  nsdyn_status status = nsd_census_reserve(w, run->p);
  status = status ? status : nsd_signs_load(&w->signs, run->p);
  if (status) {
    return status;
  }
  w->motions = 0;
  nsd_pieces_clear(&w->pieces, pattern_half(w->signs.count));
  begin(w, run->answer == NULL);
  status = explore(run);
  if (status == NSDYN_OK && !run->answer) {
    status = report_waiting(run);
  }
  if (status == NSDYN_OK && run->answer && !run->found) {
    status = explore_surely(run);
  }
  census->doubtful = w->cells.doubtful;
  census->complete = status == NSDYN_OK && !run->found && census->doubtful == 0;
  const int64_t pieces = census->points + census->bounded_pieces + census->unbounded_pieces;
  if (status || run->found || pieces > 0) {
    return status;
  }
  return census->doubtful ? NSDYN_UNDECIDED : NSDYN_NO_SOLUTION;
}

nsdyn_status nsd_census_all(nsd_census *w, const nsd_contact_data *p, const nsd_census_options *options,
                            nsd_contact_visit *visit, void *user, nsdyn_contact_census *census)
{
  survey run = {.w = w, .p = p, .options = options, .visit = visit, .user = user, .census = census};
  return search(&run);
}

nsdyn_status nsd_census_first(nsd_census *w, const nsd_contact_data *p, const nsd_census_options *options,
                              double *Lambda, int64_t *nodes)
{
  nsdyn_contact_census census = {.size = sizeof census};
  survey run = {
      .w = w, .p = p, .options = options, .census = &census, .answer = Lambda, .violation = (double)INFINITY};
  for (int i = 0; i < p->rows; i++) {
    Lambda[i] = 0.0;
  }
  const nsdyn_status status = search(&run);
  *nodes = census.nodes;
  return status;
}
