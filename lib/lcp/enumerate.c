/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "lcp/enumerate.h"

#include <limits.h>
#include <string.h>

#include "lcp/basis.h"
#include "lcp/certain.h"
#include "lcp/certificate.h"

#define EXACT 1e-13            /* a certificate not worth improving */
#define FEW 16                 /* unknowns, up to which exact arithmetic decides what there is to decide */
#define WORK_OF_FEW 2000000000 /* products of limbs: some seconds */
#define WORK_OF_MANY 20000000
#define WORK_PER_POLL 65536 /* numbers in the tableaus of the nodes between two polls */
#define PIECES_PER_POLL 64

/* One call. */
typedef struct enumeration {
  nsd_enumerate *w;
  const nsd_lcp_problem *p;
  const nsd_enumerate_options *options;
  nsd_lcp_visit *visit;
  void *user;
  nsdyn_lcp_census *census;
  nsd_lcp_answer *answer; /* for the first solution only: else NULL */
  int found;              /* the answer is filled with a solution */
  double gap;             /* of the answer's x while it is none: largest min(x_i, y_i), scaled */
  double done;            /* share of the tree */
  const char *activity;   /* for the context's progress */
  int64_t work;           /* since it was last asked */
} enumeration;

void nsd_enumerate_init(nsd_enumerate *w, nsdyn_context *ctx)
{
  memset(w, 0, sizeof *w);
  w->ctx = ctx;
  nsd_faces_init(&w->faces, ctx);
  nsd_pieces_init(&w->pieces, ctx);
  nsd_exact_init(&w->exact, ctx);
}

void nsd_enumerate_lay_out(nsd_arena *arena, nsd_enumerate *w, int n, int judged)
{
  const size_t size = (size_t)n;
  w->n = n;
  nsd_tree_lay_out(arena, &w->tree, n);
  nsd_node_lay_out(arena, &w->root, n);
  nsd_node_lay_out(arena, &w->scratch, n);
  w->nodes = nsd_arena_take(arena, size + 1, sizeof *w->nodes);
  w->levels = n <= NSD_ENUMERATE_AT_ONCE ? n + 1 : 1;
  for (int k = 0; k < w->levels; k++) {
    nsd_node node = {0};
    nsd_node_lay_out(arena, &node, n);
    if (w->nodes) {
      w->nodes[k] = node;
    }
  }
  w->branch = nsd_arena_take(arena, size + 1, sizeof *w->branch);
  nsd_faces_lay_out(arena, &w->faces, n);
  nsd_corner_lay_out(arena, &w->corner, n);
  nsd_judge_lay_out(arena, &w->judge, n > judged ? n : judged);
  nsd_sure_lay_out(arena, &w->sure, n);
  w->pattern = nsd_arena_take(arena, (size_t)nsd_pattern_words(n), sizeof *w->pattern);
  w->support = nsd_arena_take(arena, size, sizeof *w->support);
  w->rows = nsd_arena_take(arena, size, sizeof *w->rows);
  w->z = nsd_arena_take(arena, 2 * size, sizeof *w->z);
  w->raw = nsd_arena_take(arena, 2 * size, sizeof *w->raw);
  w->x = nsd_arena_take(arena, size, sizeof *w->x);
  w->best = nsd_arena_take(arena, size, sizeof *w->best);
}

void nsd_enumerate_release(nsd_enumerate *w)
{
  nsd_faces_release(&w->faces);
  nsd_pieces_release(&w->pieces);
  nsd_exact_release(&w->exact);
  nsd_release(w->ctx, w->out, w->out_bytes, 1);
  w->out = NULL;
  w->out_bytes = 0;
  for (int k = 0; k < w->deep_count; k++) {
    nsd_arena_release(&w->deep[k]);
  }
  nsd_release(w->ctx, w->deep, (size_t)w->deep_count, sizeof *w->deep);
  w->deep = NULL;
  w->deep_count = 0;
}

/* Blocks for `count` levels at least; those there are stay. */
static nsdyn_status reserve_deep(nsd_enumerate *w, int count)
{
  if (count <= w->deep_count) {
    return NSDYN_OK;
  }
  const int capacity = count < INT_MAX / 2 ? 2 * count : count;
  nsd_arena *deep = nsd_allocate(w->ctx, (size_t)capacity, sizeof *deep);
  if (!deep) {
    return NSDYN_ERR_NOMEM;
  }
  for (int k = 0; k < capacity; k++) {
    deep[k] = k < w->deep_count ? w->deep[k] : nsd_arena_empty(w->ctx);
  }
  nsd_release(w->ctx, w->deep, (size_t)w->deep_count, sizeof *w->deep);
  w->deep = deep;
  w->deep_count = capacity;
  return NSDYN_OK;
}

/* Memory for the node at `level`, the first that has none. */
static nsdyn_status deepen(nsd_enumerate *w, int level)
{
  nsdyn_status status = reserve_deep(w, level);
  if (status) {
    return status;
  }
  nsd_arena *block = &w->deep[level - 1];
  nsd_node node = {0};
  nsd_arena measure = nsd_arena_measure();
  nsd_node_lay_out(&measure, &node, w->n);
  status = nsd_arena_reserve(block, &measure);
  if (status == NSDYN_OK) {
    nsd_node_lay_out(block, &w->nodes[level], w->n);
    w->levels = level + 1;
  }
  return status;
}

/* ---- vertices, rays, pieces ------------------------------------------------------------------------- */

static void to_units(const nsd_enumerate *w, const double *z, double *x)
{
  for (int i = 0; i < w->n; i++) {
    x[i] = w->tree.x_unit[i] * z[i];
  }
}

/* x of the vertex z in the units of the problem, polished where the node's numbers are not exact; its
 * certificate's residual. */
static double certified_vertex(const enumeration *run, const nsd_node *node, double *z, double *x)
{
  nsd_enumerate *w = run->w;
  if (node->is_exact) {
    to_units(w, z, x);
    return nsd_certify_asking(run->p, x, NULL, &w->tree.poll).residual;
  }
  memcpy(w->raw, z, 2 * (size_t)w->n * sizeof *z);
  double residual = INFINITY;
  if (nsd_corner_vertex(&w->corner, &w->tree, z)) {
    to_units(w, z, x);
    residual = nsd_certify_asking(run->p, x, NULL, &w->tree.poll).residual;
  }
  if (residual > EXACT) {
    to_units(w, w->raw, w->x);
    const double other = nsd_certify_asking(run->p, w->x, NULL, &w->tree.poll).residual;
    if (other < residual) {
      residual = other;
      memcpy(x, w->x, (size_t)w->n * sizeof *x);
    }
  }
  return residual;
}

static void normalize_ray(int n, double *x)
{
  double most = 0.0;
  for (int i = 0; i < n; i++) {
    most = x[i] > most ? x[i] : most;
  }
  for (int i = 0; i < n; i++) {
    x[i] /= most;
  }
}

static double certified_ray(const enumeration *run, const nsd_node *node, double *z, double *x)
{
  nsd_enumerate *w = run->w;
  if (node->is_exact) {
    to_units(w, z, x);
    normalize_ray(w->n, x);
    return nsd_ray_residual(run->p, x, w->rows, &w->tree.poll);
  }
  memcpy(w->raw, z, 2 * (size_t)w->n * sizeof *z);
  double residual = INFINITY;
  if (nsd_corner_ray(&w->corner, &w->tree, z)) {
    to_units(w, z, x);
    normalize_ray(w->n, x);
    residual = nsd_ray_residual(run->p, x, w->rows, &w->tree.poll);
  }
  if (residual > EXACT) {
    to_units(w, w->raw, w->x);
    normalize_ray(w->n, w->x);
    const double other = nsd_ray_residual(run->p, w->x, w->rows, &w->tree.poll);
    if (other < residual) {
      residual = other;
      memcpy(x, w->x, (size_t)w->n * sizeof *x);
    }
  }
  return residual;
}

static nsdyn_status reserve_out(nsd_enumerate *w, size_t count)
{
  const size_t row = (size_t)(w->n > 0 ? w->n : 1) * sizeof *w->out;
  if (count > SIZE_MAX / row) {
    return NSDYN_ERR_TOO_LARGE;
  }
  if (count * row > w->out_bytes) {
    double *out = nsd_allocate(w->ctx, count * row, 1);
    if (!out) {
      return NSDYN_ERR_NOMEM;
    }
    nsd_release(w->ctx, w->out, w->out_bytes, 1);
    w->out = out;
    w->out_bytes = count * row;
  }
  return NSDYN_OK;
}

static void vertex_of_node(const nsd_node *node, double *z)
{
  for (int k = 0; k < 2 * node->n; k++) {
    z[k] = nsd_node_value(node, k);
  }
}

/* All generators of a closed node into `out`, vertices first. *good: all hold their certificate. */
static nsdyn_status list_generators(const enumeration *run, const nsd_node *node, int32_t *vertices,
                                    int32_t *rays, int *good)
{
  nsd_enumerate *w = run->w;
  if (!node->is_exact) {
    nsd_node_denoise(node, &w->tree);
  }
  nsdyn_status status = nsd_faces_run(&w->faces, node);
  if (status == NSDYN_OK) {
    status = reserve_out(w, w->faces.count);
  }
  if (status) {
    return status;
  }
  if (w->faces.count > INT32_MAX) {
    return NSDYN_ERR_TOO_LARGE;
  }
  double *to = w->out;
  *vertices = *rays = 0;
  for (int kind = 1; kind >= 0; kind--) {
    for (size_t g = 0; g < w->faces.count && *good; g++) {
      if (nsd_faces_get(&w->faces, node, g, w->z) != kind) {
        continue;
      }
      const double residual =
          kind ? certified_vertex(run, node, w->z, to) : certified_ray(run, node, w->z, to);
      *good = residual <= run->options->tol;
      if (g % PIECES_PER_POLL == PIECES_PER_POLL - 1 && nsd_progress(w->ctx, "certifying vertices", -1.0)) {
        return NSDYN_CANCELLED;
      }
      to += w->n;
      ++*(kind ? vertices : rays);
    }
  }
  return NSDYN_OK;
}

/* For counting only: one vertex is certified, and whether there are rays is asked of every coordinate. */
static nsdyn_status count_generators(const enumeration *run, nsd_node *node, int32_t *vertices, int32_t *rays,
                                     int *good)
{
  nsd_enumerate *w = run->w;
  const nsdyn_status status = reserve_out(w, 1);
  if (status) {
    return status;
  }
  vertex_of_node(node, w->z);
  *good = certified_vertex(run, node, w->z, w->out) <= run->options->tol;
  *vertices = 1;
  *rays = 0;
  const int dimension = node->live_count;
  if (node->is_exact && w->tree.exact) { /* closed a moment ago */
    *rays = dimension > 0 && nsd_exact_is_unbounded(&w->exact) != 0;
    return NSDYN_OK;
  }
  for (int k = 0; k < dimension; k++) {
    w->support[k] = node->slot[node->live[k]];
  }
  for (int k = 0; k < dimension && !*rays; k++) {
    *rays = nsd_node_unbounded(node, &w->tree, w->support[k]);
  }
  return NSDYN_OK;
}

/* Hands out the piece that a closed node is. */
static nsdyn_status report(enumeration *run, nsd_node *node)
{
  nsd_enumerate *w = run->w;
  nsdyn_lcp_piece piece = {.size = sizeof piece, .n = w->n, .dimension = node->live_count};
  int good = 1;
  for (int i = 0; i < w->n; i++) {
    w->rows[i] = !nsd_node_is_fixed(node, w->n + i);
  }
  const int count_only = !run->visit || node->live_count == 0;
  const nsdyn_status status = count_only ? count_generators(run, node, &piece.vertices, &piece.rays, &good)
                                         : list_generators(run, node, &piece.vertices, &piece.rays, &good);
  if (status) {
    return status;
  }
  if (!good) {
    w->tree.doubtful++;
    return NSDYN_OK;
  }
  nsdyn_lcp_census *census = run->census;
  ++*(piece.dimension == 0 ? &census->points
      : piece.rays         ? &census->unbounded_pieces
                           : &census->bounded_pieces);
  census->max_dimension = piece.dimension > census->max_dimension ? piece.dimension : census->max_dimension;
  if (!run->visit) {
    return NSDYN_OK;
  }
  for (int i = 0; i < w->n; i++) {
    w->support[i] = (nsd_node_is_fixed(node, i) ? 0 : 1) | (nsd_node_is_fixed(node, w->n + i) ? 0 : 2);
  }
  piece.vertex = w->out;
  piece.ray = w->out + (size_t)piece.vertices * (size_t)w->n;
  piece.support = w->support;
  return run->visit(run->user, &piece) ? NSDYN_CANCELLED : NSDYN_OK;
}

/* Fixes what is zero throughout. */
static nsd_node_end close(nsd_enumerate *w, nsd_node *node)
{
  nsd_node_end end = NSD_NODE_OPEN;
  if (w->tree.exact && nsd_certain_close(node, &w->tree, &end)) {
    return end;
  }
  return nsd_node_close(node, &w->tree);
}

/* Hands out a piece that is known by its pattern only. */
static nsdyn_status report_pattern(enumeration *run, const uint64_t *pattern)
{
  nsd_enumerate *w = run->w;
  nsd_node *node = &w->scratch;
  nsd_node_copy(node, &w->root, &w->tree.poll);
  for (int k = 0; k < 2 * w->n; k++) {
    if (!nsd_pattern_has(pattern, k) && nsd_node_fix(node, &w->tree, k)) {
      w->tree.doubtful++;
      return NSDYN_OK;
    }
  }
  if (close(w, node)) {
    w->tree.doubtful++;
    return NSDYN_OK;
  }
  return w->tree.status ? w->tree.status : report(run, node);
}

/* The branches below `level` are finished: what waited for them is maximal. */
static nsdyn_status resolve(enumeration *run, int level)
{
  nsd_pieces *pieces = &run->w->pieces;
  for (size_t k = 0; k < pieces->count; k++) {
    if (pieces->level[k] >= level) {
      pieces->level[k] = -1;
      if (k % PIECES_PER_POLL == PIECES_PER_POLL - 1 && nsd_progress(run->w->ctx, run->activity, run->done)) {
        return NSDYN_CANCELLED;
      }
      const nsdyn_status status = report_pattern(run, nsd_pieces_pattern(pieces, k));
      if (status) {
        return status;
      }
    }
  }
  return NSDYN_OK;
}

/* ---- leaves --------------------------------------------------------------------------------------- */

/* What is not fixed, as a pattern. */
static const uint64_t *open_pattern(nsd_enumerate *w, const nsd_node *node)
{
  memset(w->pattern, 0, (size_t)w->pieces.words * sizeof *w->pattern);
  for (int k = 0; k < 2 * w->n; k++) {
    if (!nsd_node_is_fixed(node, k)) {
      nsd_pattern_put(w->pattern, k);
    }
  }
  return w->pattern;
}

/* The first branch over a pair of which both are zero on the pattern; `level` where there is none, −1 where
 * there is no such pair at all. */
static int resolving_level(const nsd_enumerate *w, const uint64_t *pattern, int level)
{
  for (int l = 0; l < level; l++) {
    const int i = w->branch[l].pair;
    if (!nsd_pattern_has(pattern, i) && !nsd_pattern_has(pattern, w->n + i)) {
      return l;
    }
  }
  return -1;
}

static nsdyn_status leaf(enumeration *run, int level)
{
  nsd_enumerate *w = run->w;
  nsd_node *node = &w->nodes[level];
  const int is_point = w->tree.exact && nsd_certain_point(node, &w->tree);
  const nsd_node_end end = is_point ? NSD_NODE_OPEN : close(w, node);
  if (w->tree.status) {
    return w->tree.status;
  }
  if (end) {
    run->census->duplicates += end == NSD_NODE_COVERED;
    return NSDYN_OK;
  }
  const uint64_t *pattern = open_pattern(w, node);
  const int waits = resolving_level(w, pattern, level);
  if (waits < 0 && node->live_count == 0) {
    return report(run, node);
  }
  if (nsd_pieces_cover(&w->pieces, pattern)) {
    run->census->duplicates++;
    return NSDYN_OK;
  }
  const nsdyn_status status = nsd_pieces_add(&w->pieces, pattern, waits, &run->census->duplicates);
  return status || waits >= 0 ? status : report(run, node);
}

/* ---- the first solution ------------------------------------------------------------------------------ */

/* Largest min(x_i, y_i) at the node's vertex, in scaled units. */
static double complementarity_gap(const nsd_node *node)
{
  double gap = 0.0;
  for (int i = 0; i < node->n; i++) {
    const double x = nsd_node_value(node, i);
    const double y = nsd_node_value(node, node->n + i);
    const double least = x < y ? x : y;
    gap = least > gap ? least : gap;
  }
  return gap;
}

/* Whether the answer's x stands for a solution. Where b vanishes beside A x, its residual says nothing, but
 * exact arithmetic may. (Of a mixed problem others judge.) */
static int is_borne_out(const enumeration *run, const nsd_node *node)
{
  nsd_enumerate *w = run->w;
  if (run->options->form || !nsd_is_far_out(run->p, run->answer->x, NSD_FAR_OUT, &w->tree.poll)) {
    return 1;
  }
  run->answer->is_exact = node->is_exact || (w->tree.exact && nsd_certain_point(node, &w->tree));
  return run->answer->is_exact;
}

/* Takes the node's vertex as the answer where it is a solution, or keeps it as the best so far. */
static void try_vertex(enumeration *run, const nsd_node *node)
{
  nsd_enumerate *w = run->w;
  const double gap = complementarity_gap(node);
  if (gap >= run->gap) {
    return;
  }
  vertex_of_node(node, w->z);
  if (gap > 0.0) {
    run->gap = gap;
    to_units(w, w->z, run->answer->x);
    return;
  }
  if (certified_vertex(run, node, w->z, run->answer->x) <= run->options->tol && is_borne_out(run, node)) {
    run->found = 1;
  } else if (!w->tree.exact) {
    w->tree.doubtful++;
  }
}

/* A leaf of the search for one solution: what try_vertex() has not taken. */
static void try_leaf(enumeration *run, nsd_node *node)
{
  nsd_enumerate *w = run->w;
  if (!w->tree.exact) {
    w->tree.doubtful += complementarity_gap(node) > 0.0; /* try_vertex() counts the others */
    return;
  }
  if (close(w, node)) {
    return;
  }
  vertex_of_node(node, w->z);
  if (certified_vertex(run, node, w->z, run->answer->x) <= run->options->tol && is_borne_out(run, node)) {
    run->found = 1;
  } else {
    w->tree.doubtful++;
  }
}

/* ---- branches --------------------------------------------------------------------------------------- */

/* How far the unknowns of a pair, both basic and positive, are from zero: each c_r over the sum of what can
 * lower it, a quotient that is infinite where nothing can (which only a row whose claim to be positive was
 * not borne out has left). `nearer`: the one that is less far. The product of both. */
static double tension(const nsd_node *node, const nsd_tree *tree, int i, int *nearer)
{
  const int x = node->place[i];
  const int y = node->place[node->n + i];
  const double x_fall = -tree->row_fall[x];
  const double y_fall = -tree->row_fall[y];
  *nearer = node->c[x] * y_fall < node->c[y] * x_fall ? i : node->n + i;
  return x_fall > 0.0 && y_fall > 0.0 ? node->c[x] * node->c[y] / (x_fall * y_fall) : INFINITY;
}

/* The pair to branch over: of those that violate complementarity the one farthest from it; else the first of
 * which no unknown is fixed. 0 where there is none. */
static int choose(const nsd_enumerate *w, const nsd_node *node, nsd_branch *branch)
{
  const int n = w->n;
  double most = -1.0;
  branch->pair = -1;
  for (int i = 0; i < n; i++) {
    if (nsd_node_is_fixed(node, i) || nsd_node_is_fixed(node, n + i)) {
      continue;
    }
    double score = 0.0;
    int first = nsd_node_value(node, i) > 0.0       ? n + i
                : nsd_node_value(node, n + i) > 0.0 ? i
                : node->place[i] >= 0               ? i
                                                    : n + i;
    if (nsd_node_value(node, i) > 0.0 && nsd_node_value(node, n + i) > 0.0) {
      score = tension(node, &w->tree, i, &first);
    }
    if (score > most) {
      most = score;
      *branch = (nsd_branch){.pair = i, .first = first, .second = nsd_partner(n, first)};
    }
  }
  return branch->pair >= 0;
}

static nsdyn_status poll(enumeration *run)
{
  nsdyn_lcp_census *census = run->census;
  if (run->options->max_nodes >= 0 && census->nodes >= run->options->max_nodes) {
    return NSDYN_MAX_ITERATIONS;
  }
  census->nodes++;
  run->work += 1 + (int64_t)run->w->n * run->w->n;
  if (run->work < WORK_PER_POLL) {
    return NSDYN_OK;
  }
  run->work = 0;
  return nsd_progress(run->w->ctx, run->activity, run->done);
}

/* Whether an unknown that is wanted is zero on all of the node. Asked where it is basic at a degenerate
 * vertex: elsewhere it hardly ever happens, and the leaf will tell. */
static int nothing_wanted_left(enumeration *run, nsd_node *node)
{
  for (int k = 0; k < 2 * node->n; k++) {
    if ((node->state[k] & NSD_WANTED) && node->place[k] >= 0 && node->c[node->place[k]] == 0.0) {
      node->state[k] = (uint8_t)(node->state[k] & ~NSD_POSITIVE);
      if (!nsd_node_raise(node, &run->w->tree, k)) {
        return 1;
      }
    }
  }
  return 0;
}

/* Looks at an open node: closed (*branched = 0) or to be branched over. */
static nsdyn_status enter(enumeration *run, int level, int *branched)
{
  nsd_enumerate *w = run->w;
  nsd_node *node = &w->nodes[level];
  *branched = 0;
  const nsdyn_status status = poll(run);
  if (status) {
    return status;
  }
  if (nothing_wanted_left(run, node)) {
    run->census->duplicates++;
    return NSDYN_OK;
  }
  const nsd_node_end end = nsd_node_settle(node, &w->tree);
  if (w->tree.status) {
    return w->tree.status;
  }
  if (end) {
    run->census->duplicates += end == NSD_NODE_COVERED;
    return NSDYN_OK;
  }
  if (run->answer) {
    try_vertex(run, node);
    if (run->found) {
      return NSDYN_OK;
    }
  } else if (w->pieces.count && nsd_pieces_cover(&w->pieces, open_pattern(w, node))) {
    run->census->duplicates++;
    return NSDYN_OK;
  }
  *branched = choose(w, node, &w->branch[level]);
  if (*branched) {
    return NSDYN_OK;
  }
  if (run->answer) {
    try_leaf(run, node);
    return NSDYN_OK;
  }
  return leaf(run, level);
}

/* The first child of the branch at `level`, one level below. */
static int descend(enumeration *run, int level)
{
  nsd_enumerate *w = run->w;
  nsd_node *child = &w->nodes[level + 1];
  nsd_node_copy(child, &w->nodes[level], &w->tree.poll);
  w->nodes[level].weight *= 0.5;
  child->weight = w->nodes[level].weight;
  if (nsd_node_fix(child, &w->tree, w->branch[level].first)) {
    run->done += child->weight;
    return 0;
  }
  return 1;
}

/* The second child of the branch at `level`, in the place of its parent, which nobody needs any more. */
static int turn(enumeration *run, int level)
{
  nsd_enumerate *w = run->w;
  nsd_node *node = &w->nodes[level];
  const nsd_branch *branch = &w->branch[level];
  if (w->tree.judge) {
    return !nsd_node_fix(node, &w->tree, branch->second);
  }
  node->state[branch->first] |= NSD_WANTED;
  if (nsd_node_fix(node, &w->tree, branch->second)) {
    return 0;
  }
  node->state[branch->first] = (uint8_t)(node->state[branch->first] & ~NSD_POSITIVE);
  if (!nsd_node_raise(node, &w->tree, branch->first)) {
    run->census->duplicates++;
    return 0;
  }
  return 1;
}

/* A proof that leaves a branch open is none. */
static int has_failed(const nsd_enumerate *w)
{
  return w->tree.judge && w->tree.doubtful > 0;
}

/* Depth first. nodes[0 … level] is the path; below each of its nodes but the last the first child is under
 * way, and the second is still to come. */
static nsdyn_status explore(enumeration *run)
{
  nsd_enumerate *w = run->w;
  int level = 0;
  int open = !nsd_node_start(&w->nodes[0], &w->tree);
  if (open) {
    nsd_node_copy(&w->root, &w->nodes[0], &w->tree.poll);
  }
  for (;;) {
    nsdyn_status status = NSDYN_OK;
    if (open) {
      status = enter(run, level, &open);
      if (status || run->found) {
        return status;
      }
    }
    if (w->tree.status || w->tree.poll.is_cancelled) {
      return w->tree.status ? w->tree.status : NSDYN_CANCELLED;
    }
    if (has_failed(w)) {
      return NSDYN_OK;
    }
    if (open) {
      status = level + 1 < w->levels ? NSDYN_OK : deepen(w, level + 1);
      if (status) {
        return status;
      }
      open = descend(run, level);
      level++;
      continue;
    }
    run->done += w->nodes[level].weight;
    status = resolve(run, level);
    if (status || level == 0) {
      return status;
    }
    level--;
    open = turn(run, level);
  }
}

/* ---- entry ------------------------------------------------------------------------------------------ */

static void be_exact(nsd_enumerate *w, const enumeration *run)
{
  w->tree.exact = &w->exact;
  w->tree.sure = &w->sure;
  w->tree.exact_work = run->p->n <= FEW ? WORK_OF_FEW : WORK_OF_MANY;
}

/* The tree found nothing. Searches it again, closing nothing that is not decided exactly: in exact
 * arithmetic, or where the problem is another one than the tree's, by proofs. What this finds after all is
 * the answer, where one is wanted. */
static nsdyn_status prove(enumeration *run)
{
  nsd_enumerate *w = run->w;
  nsd_lcp_answer own = {.x = w->best};
  enumeration strict = *run;
  strict.answer = run->answer ? run->answer : &own;
  strict.gap = INFINITY;
  strict.done = 0.0;
  strict.activity = "proving that there is no solution";
  w->judge.form = run->options->form;
  if (run->options->form) {
    w->tree.judge = &w->judge;
  } else {
    be_exact(w, run);
    w->tree.doubtful = 0;
  }
  const nsdyn_status status = explore(&strict);
  w->tree.judge = NULL;
  w->tree.doubtful += strict.found && !run->answer;
  run->found = strict.found && run->answer;
  return status;
}

static int is_empty(const enumeration *run)
{
  const nsdyn_lcp_census *census = run->census;
  return !run->found && census->points + census->bounded_pieces + census->unbounded_pieces == 0;
}

static nsdyn_status search(enumeration *run)
{
  nsd_enumerate *w = run->w;
  nsdyn_lcp_census *census = run->census;
  const size_t size = census->size;
  *census = (nsdyn_lcp_census){.size = size, .max_dimension = -1};
  w->tree.poll = nsd_poll_of(w->ctx, "enumerating solutions");
  w->sure.poll = w->judge.poll = &w->tree.poll;
  nsdyn_status status = nsd_tree_load(&w->tree, run->p);
  if (status) {
    return status;
  }
  nsd_pieces_clear(&w->pieces, w->n);
  /* Where scaling lost a number, it is another problem's tree. */
  w->tree.doubtful = !w->tree.is_scaled_exactly;
  run->activity = "enumerating solutions";
  const int is_plain = !run->options->form;
  if (is_plain && !run->answer) {
    be_exact(w, run);
    w->tree.doubtful = 0;
  }
  status = explore(run);
  if (status == NSDYN_OK && is_empty(run) && (is_plain ? !w->tree.exact : !w->tree.doubtful)) {
    status = prove(run);
  }
  if (status == NSDYN_OK && w->tree.poll.is_cancelled && !run->found) {
    status = NSDYN_CANCELLED; /* heard where nothing was left to end early but what it had been working on */
  }
  census->pivots = w->tree.pivots;
  census->doubtful = w->tree.doubtful;
  census->complete = status == NSDYN_OK && !run->found && !census->doubtful;
  if (status || !is_empty(run)) {
    return status;
  }
  return census->doubtful ? NSDYN_UNDECIDED : NSDYN_NO_SOLUTION;
}

nsdyn_status nsd_enumerate_all(nsd_enumerate *w, const nsd_lcp_problem *p,
                               const nsd_enumerate_options *options, nsd_lcp_visit *visit, void *user,
                               nsdyn_lcp_census *census)
{
  enumeration run = {.w = w, .p = p, .options = options, .visit = visit, .user = user, .census = census};
  return search(&run);
}

nsdyn_status nsd_enumerate_first(nsd_enumerate *w, const nsd_lcp_problem *p,
                                 const nsd_enumerate_options *options, nsd_lcp_answer *answer)
{
  nsdyn_lcp_census census = {.size = sizeof census};
  enumeration run = {
      .w = w, .p = p, .options = options, .census = &census, .answer = answer, .gap = INFINITY};
  answer->is_exact = 0;
  for (int i = 0; i < p->n; i++) {
    answer->x[i] = 0.0;
  }
  const nsdyn_status status = search(&run);
  answer->has_ray = 0;
  answer->iterations = census.pivots > INT32_MAX ? INT32_MAX : (int)census.pivots;
  nsd_basis_of(p, answer->x, answer->basis);
  return status;
}
