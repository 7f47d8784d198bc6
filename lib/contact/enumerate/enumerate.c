/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "contact/enumerate/enumerate.h"

#include <math.h>
#include <string.h>

#include "base/tolerances.h"
#include "search/cell_maximise.h"
#include "search/cell_narrow.h"

#define FEW 12                 /* rows, up to which exact arithmetic decides what there is to decide */
#define WORK_OF_FEW 1000000000 /* products of limbs: about a second */
#define WORK_OF_MANY 20000000

/* One call. */
typedef struct survey {
  nsd_census *w;
  const nsd_contact_data *p;
  const nsd_census_options *options;
  nsd_contact_visit *visit;
  void *user;
  nsdyn_contact_census *census;
  double *answer;   /* for the first solution only: else NULL */
  double violation; /* of the answer while it is none */
} survey;

/* ---- memory ------------------------------------------------------------------------------------------- */

void nsd_census_init(nsd_census *w, nsdyn_context *ctx)
{
  memset(w, 0, sizeof *w);
  w->ctx = ctx;
  w->arena = nsd_arena_empty(ctx);
  nsd_tree_init(&w->tree, ctx);
  nsd_extent_init(&w->extent, ctx);
  nsd_exact_init(&w->exact, ctx);
}

static void lay_out(nsd_arena *arena, nsd_census *w, const nsd_contact_data *p)
{
  int m, units;
  nsd_signs_count(p, &m, &units);
  nsd_signs_lay_out(arena, &w->signs, p);
  nsd_tree_lay_out(arena, &w->tree, m, p->rows, units);
  nsd_cell_lay_out(arena, &w->trial, m, p->rows);
  nsd_extent_lay_out(arena, &w->extent, m, p->rows);
  nsd_error_bounds_lay_out(arena, &w->sure, p->rows);
  w->modes = nsd_arena_take(arena, (size_t)p->contacts, sizeof *w->modes);
  w->point = nsd_arena_take(arena, (size_t)p->rows, sizeof *w->point);
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
  nsd_tree_release(&w->tree);
  nsd_extent_release(&w->extent);
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
    if (fabs(a[i] - b[i]) > NSD_CENSUS_SAME_MOTION * size) {
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
  /* A continuum of velocities has no number, and no later piece gives it one. */
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
    /* ξ, and |c| + |G| |Λ| beside it: the size of its terms, by which two of them are told apart. */
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

/* Bits of functional k: 1 where it is somewhere positive, 2 where it is somewhere negative. */
static int signs_of(const nsd_census *w, const uint64_t *pattern, int k)
{
  return nsd_tree_signs(&w->tree, pattern, w->signs.rows + k);
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
static int is_loaded(const nsd_census *w, const nsd_contact_signs *own, const uint64_t *pattern)
{
  return own->load >= 0 ? signs_of(w, pattern, own->load)
                        : signs_of(w, pattern, own->right) || signs_of(w, pattern, own->left);
}

/* Modes in the interior of the piece of that pattern. */
static void read_modes(const survey *run, const uint64_t *pattern)
{
  const nsd_census *w = run->w;
  for (int i = 0; i < run->p->contacts; i++) {
    const nsd_contact_spec *s = &run->p->spec[i];
    const nsd_contact_signs *own = &w->signs.contact[i];
    if (s->kind != NSDYN_CONTACT_BILATERAL && !(s->bound > 0.0) && !is_loaded(w, own, pattern)) {
      w->modes[i] = NSDYN_MODE_OPEN;
      continue;
    }
    /* One sign of ξ_T on all of the piece, or where both occur the sign in its middle. */
    int sliding = s->sliding;
    if (sliding == 0 && s->friction != NSD_FRICTION_NONE) {
      const int bits = signs_of(w, pattern, s->row + 1);
      sliding = bits == 0 ? 0 : bits == 1 ? 1 : bits == 2 ? -1 : sliding_of(run, s->row + 1);
    }
    w->modes[i] = sliding > 0 ? NSDYN_MODE_SLIP_PLUS : sliding < 0 ? NSDYN_MODE_SLIP_MINUS : NSDYN_MODE_STICK;
  }
}

/* Hands out the piece that a closed cell is. The cell is made afresh for the sake of its digits. */
static nsdyn_status report(void *user, nsd_cell *cell, const uint64_t *pattern)
{
  survey *run = user;
  nsd_census *w = run->w;
  nsd_cells *cells = &w->tree.cells;
  nsdyn_contact_census *census = run->census;
  if (nsd_cell_renew(cell, cells)) {
    return NSDYN_OK; /* counted as doubtful */
  }
  /* 1. Its dimensions, as impulses and as velocities, its vertices and rays. */
  nsdyn_contact_piece piece = {.size = sizeof piece, .rows = run->p->rows, .contacts = run->p->contacts};
  piece.dimension = cell->live_count;
  piece.velocity_dimension = nsd_extent_velocities(&w->extent, cell);
  nsdyn_status status = run->visit ? nsd_extent_list(&w->extent, cell, cells, &w->signs)
                                   : nsd_extent_count(&w->extent, cell, cells, &w->signs);
  if (status == NSDYN_OK && cells->poll.is_cancelled) {
    return NSDYN_CANCELLED;
  }
  /* 2. A vertex that the certificate refuses is no solution: the list is not complete then. */
  if (status == NSDYN_OK && w->extent.worst > run->options->tol) {
    cells->doubtful++;
    return NSDYN_OK;
  }
  if (status == NSDYN_OK) {
    status = count_motion(run, piece.velocity_dimension);
  }
  if (status) {
    return status;
  }
  /* 3. Counted, and shown with its modes to who asked for pieces. */
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

/* ---- the first solution ---------------------------------------------------------------------------------
 */

/* Takes the tableau's point as the answer where it is a solution, or keeps it as the best so far. Of a leaf
 * it is the closed cell's that counts in exact arithmetic. */
static int try_point(void *user, nsd_cell *cell, double violation, int leaf)
{
  survey *run = user;
  nsd_census *w = run->w;
  nsd_cells *cells = &w->tree.cells;
  nsd_cell *trial = cell;
  /* A leaf's closed cell, or a copy of a cell on the way whose point breaks less than any before. */
  if (leaf) {
    if (!cells->exact || nsd_cell_close(cell, cells) || cells->status) {
      return 0;
    }
  } else {
    if (!(violation < run->violation)) {
      return 0;
    }
    trial = &w->trial;
    nsd_cell_copy(trial, cell, &cells->poll);
    if (violation == 0.0) {
      nsd_tree_ask_at_point(&w->tree, trial);
    }
    if (nsd_cell_renew(trial, cells)) {
      return 0;
    }
  }
  const double worst = nsd_extent_point(&w->extent, trial, &w->signs, w->point);
  const int found = (leaf || violation == 0.0) && worst <= run->options->tol;
  if (!leaf && violation > 0.0) {
    run->violation = violation;
  } else if (!found) {
    cells->doubtful += leaf || !cells->exact;
    return 0;
  }
  for (int i = 0; i < run->p->rows; i++) {
    run->answer[i] = w->point[i];
  }
  return found;
}

/* ---- entry ----------------------------------------------------------------------------------------------
 */

static nsdyn_status explore(survey *run, int exactly)
{
  nsd_census *w = run->w;
  nsd_cells *cells = &w->tree.cells;
  nsd_tree_host host = {.user = run,
                        .activity = "enumerating contact modes",
                        .max_nodes = run->options->max_nodes,
                        .piece = report};
  if (run->answer) {
    host.point = try_point;
  }
  /* Up to FEW rows, what rounding leaves open is decided in exact arithmetic, whatever it takes. */
  cells->exact = exactly ? &w->exact : NULL;
  cells->sure = exactly ? &w->sure : NULL;
  cells->exact_work = w->signs.rows <= FEW ? WORK_OF_FEW : WORK_OF_MANY;
  cells->doubtful = w->signs.rounded; /* then it is another problem's tree */
  run->violation = (double)INFINITY;
  return nsd_tree_search(&w->tree, &host);
}

static nsdyn_status search(survey *run)
{
  nsd_census *w = run->w;
  nsd_cells *cells = &w->tree.cells;
  nsdyn_contact_census *census = run->census;
  const size_t size = census->size;
  *census = (nsdyn_contact_census){.size = size, .max_dimension = -1};
  /* 1. What modes ask of Λ and ξ, as signs of affine functionals of Λ, and the tree over them. */
  nsdyn_status status = nsd_census_reserve(w, run->p);
  if (status) {
    return status;
  }
  cells->poll = nsd_poll_of(w->ctx, "enumerating contact modes");
  w->sure.poll = w->extent.poll = &cells->poll;
  status = nsd_signs_load(&w->signs, run->p, &cells->poll);
  if (status) {
    return status;
  }
  w->motions = 0;
  nsd_tree_load(&w->tree, &w->signs.forms, w->signs.unit, w->signs.units);
  /* 2. The search: all pieces, or the first point. */
  status = explore(run, run->answer == NULL);
  /* One solution was looked for and not found: once more, each branch closed for sure. */
  if (status == NSDYN_OK && run->answer && !w->tree.found) {
    status = explore(run, 1);
  }
  /* 3. Complete where it came to its end and nothing was left to rounding; only then none means none. */
  const int found = w->tree.found;
  census->nodes = w->tree.nodes;
  census->doubtful = cells->doubtful;
  census->complete = status == NSDYN_OK && !found && census->doubtful == 0;
  const int64_t pieces = census->points + census->bounded_pieces + census->unbounded_pieces;
  if (status || found || pieces > 0) {
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
  survey run = {.w = w, .p = p, .options = options, .census = &census, .answer = Lambda};
  for (int i = 0; i < p->rows; i++) {
    Lambda[i] = 0.0;
  }
  const nsdyn_status status = search(&run);
  *nodes = census.nodes;
  return status;
}
