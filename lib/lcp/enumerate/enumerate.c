/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "lcp/enumerate/enumerate.h"

#include <string.h>

#include "base/dense.h"
#include "base/tolerances.h"
#include "lcp/proof/certificate.h"
#include "lcp/solve/basis.h"
#include "search/cell_maximise.h"

#define FEW 16                 /* unknowns, up to which exact arithmetic decides what there is to decide */
#define WORK_OF_FEW 2000000000 /* products of limbs: some seconds */
#define WORK_OF_MANY 20000000

/* One call. */
typedef struct enumeration {
  nsd_enumerate *w;
  const nsd_lcp_problem *p;
  const nsd_enumerate_options *options;
  nsd_lcp_visit *visit;
  void *user;
  nsdyn_lcp_census *census;
  nsd_lcp_answer *answer; /* for the first solution only: else NULL */
  double gap;             /* of the answer's x while it is none: largest min(x_i, y_i), scaled */
} enumeration;

void nsd_enumerate_init(nsd_enumerate *w, nsdyn_context *ctx)
{
  memset(w, 0, sizeof *w);
  w->ctx = ctx;
  nsd_tree_init(&w->tree, ctx);
  nsd_generators_init(&w->generators, ctx);
  nsd_exact_init(&w->exact, ctx);
}

void nsd_enumerate_lay_out(nsd_arena *arena, nsd_enumerate *w, int n, int judged)
{
  const size_t size = (size_t)n;
  w->n = n;
  nsd_scale_lay_out(arena, &w->scale, n);
  nsd_tree_lay_out(arena, &w->tree, n, n, n);
  w->base = nsd_arena_take(arena, 2 * size, sizeof *w->base);
  w->exponent = nsd_arena_take(arena, 2 * size, sizeof *w->exponent);
  w->pair = nsd_arena_take(arena, size, sizeof *w->pair);
  w->x_unit = nsd_arena_take(arena, size, sizeof *w->x_unit);
  nsd_generators_lay_out(arena, &w->generators, n, n);
  nsd_refine_lay_out(arena, &w->corner, n);
  nsd_branch_proof_lay_out(arena, &w->judge, n > judged ? n : judged);
  nsd_error_bounds_lay_out(arena, &w->sure, n);
  w->support = nsd_arena_take(arena, size, sizeof *w->support);
  w->rows = nsd_arena_take(arena, size, sizeof *w->rows);
  w->z = nsd_arena_take(arena, 2 * size, sizeof *w->z);
  w->raw = nsd_arena_take(arena, 2 * size, sizeof *w->raw);
  w->x = nsd_arena_take(arena, size, sizeof *w->x);
  w->best = nsd_arena_take(arena, size, sizeof *w->best);
}

void nsd_enumerate_release(nsd_enumerate *w)
{
  nsd_tree_release(&w->tree);
  nsd_generators_release(&w->generators);
  nsd_exact_release(&w->exact);
  nsd_release(w->ctx, w->out, w->out_bytes, 1);
  w->out = NULL;
  w->out_bytes = 0;
}

/* ---- vertices, rays, pieces ------------------------------------------------------------------------- */

static void to_units(const nsd_enumerate *w, const double *z, double *x)
{
  for (int i = 0; i < w->n; i++) {
    x[i] = w->x_unit[i] * z[i];
  }
}

/* x of the vertex z in the units of the problem, polished where the node's numbers are not exact; its
 * certificate's residual. */
static double certified_vertex(const enumeration *run, const nsd_cell *cell, double *z, double *x)
{
  nsd_enumerate *w = run->w;
  if (cell->is_exact) {
    to_units(w, z, x);
    return nsd_certify_asking(run->p, x, NULL, &w->tree.cells.poll).residual;
  }
  /* The vertex again from the pattern of its zeros alone, and as pivots left it: the better one counts. */
  memcpy(w->raw, z, 2 * (size_t)w->n * sizeof *z);
  double residual = INFINITY;
  if (nsd_refine_vertex(&w->corner, &w->tree.cells, z)) {
    to_units(w, z, x);
    residual = nsd_certify_asking(run->p, x, NULL, &w->tree.cells.poll).residual;
  }
  if (residual > NSD_RESIDUAL_ROUNDING) {
    to_units(w, w->raw, w->x);
    const double other = nsd_certify_asking(run->p, w->x, NULL, &w->tree.cells.poll).residual;
    if (other < residual) {
      residual = other;
      memcpy(x, w->x, (size_t)w->n * sizeof *x);
    }
  }
  return residual;
}

static void normalize_ray(int n, double *x)
{
  /* max x_i = 1: of a ray only the direction counts, and x >= 0. */
  double most = 0.0;
  for (int i = 0; i < n; i++) {
    most = x[i] > most ? x[i] : most;
  }
  for (int i = 0; i < n; i++) {
    x[i] /= most;
  }
}

static double certified_ray(const enumeration *run, const nsd_cell *cell, double *z, double *x)
{
  nsd_enumerate *w = run->w;
  if (cell->is_exact) {
    to_units(w, z, x);
    normalize_ray(w->n, x);
    return nsd_ray_residual(run->p, x, w->rows, &w->tree.cells.poll);
  }
  memcpy(w->raw, z, 2 * (size_t)w->n * sizeof *z);
  double residual = INFINITY;
  if (nsd_refine_ray(&w->corner, &w->tree.cells, z)) {
    to_units(w, z, x);
    normalize_ray(w->n, x);
    residual = nsd_ray_residual(run->p, x, w->rows, &w->tree.cells.poll);
  }
  if (residual > NSD_RESIDUAL_ROUNDING) {
    to_units(w, w->raw, w->x);
    normalize_ray(w->n, w->x);
    const double other = nsd_ray_residual(run->p, w->x, w->rows, &w->tree.cells.poll);
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

static void point_of(const nsd_cell *cell, double *z)
{
  for (int k = 0; k < cell->columns + cell->rows; k++) {
    z[k] = nsd_cell_value(cell, k);
  }
}

/* All generators of a closed cell into `out`, vertices first. *good: all hold their certificate. */
static nsdyn_status list_generators(const enumeration *run, const nsd_cell *cell, int32_t *vertices,
                                    int32_t *rays, int *good)
{
  nsd_enumerate *w = run->w;
  if (!cell->is_exact) {
    nsd_cell_denoise(cell, &w->tree.cells);
  }
  nsdyn_status status = nsd_generators_run(&w->generators, cell);
  if (status == NSDYN_OK) {
    status = reserve_out(w, w->generators.count);
  }
  if (status) {
    return status;
  }
  if (w->generators.count > INT32_MAX) {
    return NSDYN_ERR_TOO_LARGE;
  }
  /* Vertices in the first round, rays in the second, each with its certificate. */
  double *to = w->out;
  *vertices = *rays = 0;
  for (int kind = 1; kind >= 0; kind--) {
    for (size_t g = 0; g < w->generators.count && *good; g++) {
      if (nsd_generators_get(&w->generators, cell, g, w->z) != kind) {
        continue;
      }
      const double residual =
          kind ? certified_vertex(run, cell, w->z, to) : certified_ray(run, cell, w->z, to);
      *good = residual <= run->options->tol;
      if (nsd_poll_stops(&w->tree.cells.poll, NSD_POLL_READ * 8.0 * w->n)) {
        return NSDYN_CANCELLED;
      }
      to += w->n;
      ++*(kind ? vertices : rays);
    }
  }
  return NSDYN_OK;
}

/* For counting only: one vertex is certified, and whether there are rays is asked of every coordinate. */
static nsdyn_status count_generators(const enumeration *run, nsd_cell *cell, int32_t *vertices, int32_t *rays,
                                     int *good)
{
  nsd_enumerate *w = run->w;
  const nsdyn_status status = reserve_out(w, 1);
  if (status) {
    return status;
  }
  point_of(cell, w->z);
  *good = certified_vertex(run, cell, w->z, w->out) <= run->options->tol;
  *vertices = 1;
  *rays = 0;
  const int dimension = cell->live_count;
  if (cell->is_exact && w->tree.cells.exact) { /* closed a moment ago */
    *rays = dimension > 0 && nsd_decide_is_unbounded(&w->tree.cells);
    return NSDYN_OK;
  }
  /* A closed cell's points are its columns >= 0 and what rows say: it has a ray where one column has no
   * bound. Pivots move columns, so they are noted first. */
  for (int k = 0; k < dimension; k++) {
    w->support[k] = cell->slot[cell->live[k]];
  }
  for (int k = 0; k < dimension && !*rays; k++) {
    *rays = nsd_cell_is_unbounded(cell, &w->tree.cells, w->support[k]);
  }
  return NSDYN_OK;
}

/* Hands out the piece that a closed cell is. */
static nsdyn_status report(void *user, nsd_cell *cell, const uint64_t *pattern)
{
  const enumeration *run = user;
  nsd_enumerate *w = run->w;
  (void)pattern; /* what is zero throughout is held by the cell */
  nsdyn_lcp_piece piece = {.size = sizeof piece, .n = w->n, .dimension = cell->live_count};
  int good = 1;
  for (int i = 0; i < w->n; i++) {
    w->rows[i] = !nsd_cell_is_held(cell, w->n + i);
  }
  /* A piece of dimension 0 is its one point; listing all corners is for those who ask to see them. */
  const int count_only = !run->visit || cell->live_count == 0;
  const nsdyn_status status = count_only ? count_generators(run, cell, &piece.vertices, &piece.rays, &good)
                                         : list_generators(run, cell, &piece.vertices, &piece.rays, &good);
  if (status) {
    return status;
  }
  /* A piece with a corner that its certificate does not bear out is none to hand out, and none to deny. */
  if (!good) {
    w->tree.cells.doubtful++;
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
  /* Of each pair: 1 where x_i, 2 where y_i is not zero throughout. */
  for (int i = 0; i < w->n; i++) {
    w->support[i] = (nsd_cell_is_held(cell, i) ? 0 : 1) | (nsd_cell_is_held(cell, w->n + i) ? 0 : 2);
  }
  piece.vertex = w->out;
  piece.ray = w->out + (size_t)piece.vertices * (size_t)w->n;
  piece.support = w->support;
  return run->visit(run->user, &piece) ? NSDYN_CANCELLED : NSDYN_OK;
}

/* ---- the first solution ------------------------------------------------------------------------------ */

/* Whether the answer's x stands for a solution. Where b vanishes beside A x, its residual says nothing, but
 * exact arithmetic may. (Of a mixed problem others judge.) */
static int is_borne_out(const enumeration *run, const nsd_cell *cell)
{
  nsd_enumerate *w = run->w;
  nsd_cells *cells = &w->tree.cells;
  if (run->options->form || !nsd_is_far_out(run->p, run->answer->x, NSD_FAR_OUT, &cells->poll)) {
    return 1;
  }
  run->answer->is_exact = cell->is_exact || (cells->exact && nsd_decide_point(cell, cells));
  return run->answer->is_exact;
}

/* Whether the cell's point is a solution, its x then in the answer. */
static int is_solution(const enumeration *run, const nsd_cell *cell)
{
  nsd_enumerate *w = run->w;
  point_of(cell, w->z);
  return certified_vertex(run, cell, w->z, run->answer->x) <= run->options->tol && is_borne_out(run, cell);
}

/* Takes the cell's point as the answer where it is a solution, or keeps it as the best so far. Of a leaf it
 * is the closed cell's that counts in exact arithmetic. */
static int try_point(void *user, nsd_cell *cell, double gap, int leaf)
{
  enumeration *run = user;
  nsd_enumerate *w = run->w;
  nsd_cells *cells = &w->tree.cells;
  if (leaf && cells->exact) {
    if (nsd_cell_close(cell, cells) || cells->status) {
      return 0;
    }
    const int found = is_solution(run, cell);
    cells->doubtful += !found;
    return found;
  }
  if (leaf) {
    cells->doubtful += gap > 0.0; /* the others were counted a moment ago */
    return 0;
  }
  if (gap >= run->gap) {
    return 0;
  }
  if (gap > 0.0) {
    run->gap = gap;
    point_of(cell, w->z);
    to_units(w, w->z, run->answer->x);
    return 0;
  }
  const int found = is_solution(run, cell);
  cells->doubtful += !found && !cells->exact;
  return found;
}

/* ---- entry ------------------------------------------------------------------------------------------ */

/* The problem in scaled units, and its pairs. */
static nsdyn_status load(nsd_enumerate *w, const nsd_lcp_problem *p)
{
  static const nsd_alternative alternatives[] = {{1, {0}, {NSD_ASK_ZERO}}, {1, {1}, {NSD_ASK_ZERO}}};
  const int n = p->n;
  nsd_poll *poll = &w->tree.cells.poll;
  w->scale.poll = poll;
  const nsd_lcp_problem scaled = nsd_scale_make(&w->scale, p);
  for (int i = 0; i < n; i++) {
    w->x_unit[i] = 1.0;
    w->base[i] = w->base[n + i] = NSD_ASK_POSITIVE;
    w->exponent[i] = -w->scale.column[i];
    w->exponent[n + i] = w->scale.row[i];
    w->pair[i] = (nsd_unit){.alternatives = 2, .alternative = alternatives, .part = {i, n + i}};
  }
  nsd_scale_point(&w->scale, n, w->x_unit);
  int finite = 1;
  for (int i = 0; i < n && finite && !poll->is_cancelled; i++) {
    finite = nsd_all_finite(1, n, scaled.A + (size_t)i * (size_t)n, n);
    (void)nsd_poll_stops(poll, 2.0 * n);
  }
  finite = finite && nsd_all_finite(1, n, scaled.b, n) && nsd_all_finite(1, n, w->x_unit, n);
  w->forms = (nsd_forms){.rows = n,
                         .columns = n,
                         .a = scaled.A,
                         .d = scaled.b,
                         .base = w->base,
                         .is_exact = nsd_scale_is_exact(&w->scale, p),
                         .given_a = p->A,
                         .given_lda = p->lda,
                         .given_d = p->b,
                         .unit = w->exponent};
  nsd_tree_load(&w->tree, &w->forms, w->pair, n);
  return poll->is_cancelled ? NSDYN_CANCELLED : !finite ? NSDYN_ERR_NOT_FINITE : NSDYN_OK;
}

static void be_exact(nsd_enumerate *w, const enumeration *run)
{
  w->tree.cells.exact = &w->exact;
  w->tree.cells.sure = &w->sure;
  w->tree.cells.exact_work = run->p->n <= FEW ? WORK_OF_FEW : WORK_OF_MANY;
  w->tree.cells.doubtful = 0;
}

static nsdyn_status explore(enumeration *run, const char *activity)
{
  nsd_tree_host host = {
      .user = run, .activity = activity, .max_nodes = run->options->max_nodes, .piece = report};
  if (run->answer) {
    host.point = try_point;
  }
  return nsd_tree_search(&run->w->tree, &host);
}

/* The tree found nothing. Searches it again, closing nothing that is not decided exactly: in exact
 * arithmetic, or where the problem is another one than the tree's, by proofs. What this finds after all is
 * the answer, where one is wanted. */
static nsdyn_status prove(const enumeration *run)
{
  nsd_enumerate *w = run->w;
  nsd_cells *cells = &w->tree.cells;
  nsd_lcp_answer own = {.x = w->best};
  enumeration strict = *run;
  strict.answer = run->answer ? run->answer : &own;
  strict.gap = INFINITY;
  if (run->options->form) {
    w->judge.form = run->options->form;
    w->judge.problem = &w->forms;
    w->judge.scale = &w->scale;
    w->judge.poll = &cells->poll;
    cells->judge = nsd_branch_proof_closes;
    cells->judge_user = &w->judge;
  } else {
    be_exact(w, run);
  }
  const nsdyn_status status = explore(&strict, "proving that there is no solution");
  cells->judge = NULL;
  cells->doubtful += w->tree.found && !run->answer;
  w->tree.found = w->tree.found && run->answer;
  return status;
}

static int is_empty(const enumeration *run)
{
  const nsdyn_lcp_census *census = run->census;
  return !run->w->tree.found && census->points + census->bounded_pieces + census->unbounded_pieces == 0;
}

static nsdyn_status search(enumeration *run)
{
  nsd_enumerate *w = run->w;
  nsd_cells *cells = &w->tree.cells;
  nsdyn_lcp_census *census = run->census;
  const size_t size = census->size;
  *census = (nsdyn_lcp_census){.size = size, .max_dimension = -1};
  cells->poll = nsd_poll_of(w->ctx, "enumerating solutions");
  w->sure.poll = &cells->poll;
  nsdyn_status status = load(w, run->p);
  if (status) {
    return status;
  }
  /* Where scaling lost a number, it is another problem's tree. */
  cells->doubtful = !w->forms.is_exact;
  const int is_plain = !run->options->form;
  if (is_plain && !run->answer) {
    be_exact(w, run);
  }
  status = explore(run, "enumerating solutions");
  if (status == NSDYN_OK && is_empty(run) && (is_plain ? !cells->exact : !cells->doubtful)) {
    status = prove(run);
  }
  const int found = w->tree.found;
  if (status == NSDYN_OK && cells->poll.is_cancelled && !found) {
    status = NSDYN_CANCELLED; /* cancelled in its last piece of work */
  }
  census->nodes = w->tree.nodes;
  census->duplicates = w->tree.duplicates;
  census->pivots = cells->pivots;
  census->doubtful = cells->doubtful;
  census->complete = status == NSDYN_OK && !found && !census->doubtful;
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
