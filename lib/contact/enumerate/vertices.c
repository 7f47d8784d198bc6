/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "contact/enumerate/vertices.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "base/tolerances.h"
#include "search/cell_maximise.h"
#include "search/decide_exactly.h"

void nsd_extent_init(nsd_extent *extent, nsdyn_context *ctx)
{
  memset(extent, 0, sizeof *extent);
  extent->ctx = ctx;
  nsd_generators_init(&extent->generators, ctx);
}

void nsd_extent_lay_out(nsd_arena *arena, nsd_extent *extent, int functionals, int rows)
{
  const size_t m = (size_t)functionals;
  const size_t n = (size_t)rows;
  nsd_generators_lay_out(arena, &extent->generators, functionals, rows);
  extent->u = nsd_arena_take(arena, n + m, sizeof *extent->u);
  extent->block = nsd_arena_take(arena, m * (n + 1), sizeof *extent->block);
  extent->column = nsd_arena_take(arena, n, sizeof *extent->column);
  extent->tight = nsd_arena_take(arena, m, sizeof *extent->tight);
  extent->point = nsd_arena_take(arena, n, sizeof *extent->point);
  extent->moved = nsd_arena_take(arena, n, sizeof *extent->moved);
}

void nsd_extent_release(nsd_extent *extent)
{
  nsd_generators_release(&extent->generators);
  nsd_release(extent->ctx, extent->out, extent->out_bytes, 1);
  extent->out = NULL;
  extent->out_bytes = 0;
}

/* Room for so many vertices and rays. */
static nsdyn_status reserve(nsd_extent *extent, int rows, size_t vertices, size_t rays)
{
  const size_t row = (size_t)rows * sizeof *extent->out;
  if (vertices > INT32_MAX || rays > INT32_MAX || (row && 2 * vertices + rays > SIZE_MAX / row)) {
    return NSDYN_ERR_TOO_LARGE;
  }
  const size_t bytes = (2 * vertices + rays) * row;
  if (bytes > extent->out_bytes) {
    double *out = nsd_allocate(extent->ctx, bytes, 1);
    if (!out) {
      return NSDYN_ERR_NOMEM;
    }
    nsd_release(extent->ctx, extent->out, extent->out_bytes, 1);
    extent->out = out;
    extent->out_bytes = bytes;
  }
  if (row) {
    extent->Lambda = extent->out;
    extent->xi = extent->out + vertices * (size_t)rows;
    extent->ray = extent->out + 2 * vertices * (size_t)rows;
  }
  extent->vertices = extent->rays = 0;
  extent->worst = 0.0;
  return NSDYN_OK;
}

/* ---- generators ---------------------------------------------------------------------------------------- */

/* Λ' where the columns have the values u (of unknowns), t being 1 at a point and 0 along a direction. Of u
 * only what stands in columns is read. */
static void read_point(nsd_extent *extent, const nsd_cell *cell, const double *u, double t)
{
  for (int j = 0; j < cell->columns; j++) {
    /* A column is its own value; a row is Σ T_rl u_l over what stands in columns, + c_r at a point. */
    const int r = cell->place[j];
    double value = r < 0 ? u[j] : t * cell->c[r];
    for (int l = 0; r >= 0 && l < cell->live_count; l++) {
      value += nsd_cell_column(cell, cell->live[l])[r] * u[cell->slot[cell->live[l]]];
    }
    extent->point[j] = cell->sign[j] < 0 ? -value : value;
  }
}

/* f_k of Λ', as the cell asks it to be >= 0; without its constant along a direction. */
static double functional(const nsd_cell *cell, const nsd_signs *signs, int k, const double *Lambda, double t,
                         double *size)
{
  double value = nsd_signs_slope(signs, k, Lambda, size) + t * signs->d[k];
  *size += t * fabs(signs->d[k]);
  return cell->sign[cell->columns + k] < 0 ? -value : value;
}

/* The largest violation of what the cell asks, and of what is tight, relative to the terms of its sum; but a
 * sum of nothing but rounding is measured by the others'. */
static double violation(const nsd_extent *extent, const nsd_cell *cell, const nsd_signs *signs,
                        const double *Lambda, double t)
{
  double largest[2] = {0.0, 0.0}; /* of velocities, of impulses */
  /* The sizes of all sums first: they say which sums are nothing but rounding. */
  for (int k = 0; k < cell->rows; k++) {
    double size;
    (void)functional(cell, signs, k, Lambda, t, &size);
    double *most = &largest[k >= cell->columns];
    *most = size > *most ? size : *most;
    (void)nsd_poll_stops(extent->poll, 4.0 * cell->columns);
  }
  double worst = 0.0;
  for (int k = 0; k < cell->rows; k++) {
    double size;
    const double value = functional(cell, signs, k, Lambda, t, &size);
    /* Tight: |f| counts. Asked to be >= 0: what it is below. Anything else may be what it is. */
    const double part = extent->tight[k]                                   ? fabs(value)
                        : cell->ask[cell->columns + k] == NSD_ASK_POSITIVE ? -value
                                                                           : 0.0;
    const double floor = NSD_EXTENT_SMALL_TERMS * largest[k >= cell->columns];
    size = size > floor ? size : floor;
    if (!isfinite(size)) {
      return (double)INFINITY;
    }
    worst = part > worst * size ? part / size : worst;
  }
  return worst;
}

/* The functionals that are zero at the generator u. */
static void find_tight(nsd_extent *extent, const nsd_cell *cell, const double *u)
{
  for (int i = 0; i < cell->rows; i++) {
    const int k = cell->columns + i;
    extent->tight[i] = nsd_cell_is_held(cell, k) || (cell->ask[k] == NSD_ASK_POSITIVE && u[k] == 0.0);
  }
}

static void swap(double *a, double *b)
{
  const double t = *a;
  *a = *b;
  *b = t;
}

/* Brings the largest element of rows and columns from k on to (k, k); its size. */
static double pivot_to(nsd_extent *extent, int rows, int columns, int k)
{
  const int ld = columns + 1;
  double *M = extent->block;
  int r = k, c = k;
  (void)nsd_poll_stops(extent->poll, 2.0 * (double)(rows - k) * (columns - k));
  for (int i = k; i < rows; i++) {
    for (int j = k; j < columns; j++) {
      if (fabs(M[i * ld + j]) > fabs(M[r * ld + c])) {
        r = i;
        c = j;
      }
    }
  }
  for (int j = 0; r != k && j < ld; j++) {
    swap(&M[k * ld + j], &M[r * ld + j]);
  }
  for (int i = 0; c != k && i < rows; i++) {
    swap(&M[i * ld + k], &M[i * ld + c]);
  }
  const int32_t moved = extent->column[k];
  extent->column[k] = extent->column[c];
  extent->column[c] = moved;
  return fabs(M[k * ld + k]);
}

static int is_cancelled(const nsd_extent *extent)
{
  return extent->poll && extent->poll->is_cancelled;
}

/* Gauss–Jordan elimination of the block by complete pivoting; its rank. Elements below `least` are noise. Who
 * has stopped gets what is done. */
static int eliminate(nsd_extent *extent, int rows, int columns, double least)
{
  const int ld = columns + 1;
  double *M = extent->block;
  int rank = 0;
  for (int j = 0; j < columns; j++) {
    extent->column[j] = j;
  }
  while (rank < rows && rank < columns && !is_cancelled(extent) &&
         pivot_to(extent, rows, columns, rank) > least) {
    /* Row i −= (M_ik / M_kk) row k, above and below: each unknown stands in one row alone. */
    const double *pivot = M + rank * ld;
    for (int i = 0; i < rows; i++) {
      const double f = i == rank ? 0.0 : M[i * ld + rank] / pivot[rank];
      for (int j = rank; f != 0.0 && j < ld; j++) {
        M[i * ld + j] -= f * pivot[j];
      }
      (void)nsd_poll_stops(extent->poll, f != 0.0 ? 2.0 * (ld - rank) : 1.0);
    }
    rank++;
  }
  return rank;
}

/* point := point + δ with a_k (point + δ) + t d_k = 0 for all tight k, where that is an improvement. */
static void polish(nsd_extent *extent, const nsd_cell *cell, const nsd_signs *signs, double t)
{
  const int n = cell->columns;
  if (cell->is_exact) {
    return;
  }
  const double before = violation(extent, cell, signs, extent->point, t);
  /* a_k δ = −(a_k point + t d_k), one row for each tight functional. */
  int rows = 0;
  for (int k = 0; k < cell->rows; k++) {
    if (extent->tight[k]) {
      double *to = extent->block + rows++ * (n + 1);
      memcpy(to, signs->a + (size_t)k * (size_t)n, (size_t)n * sizeof *to);
      to[n] = -(nsd_signs_slope(signs, k, extent->point, NULL) + t * signs->d[k]);
    }
  }
  const int rank = eliminate(extent, rows, n, NSD_EXTENT_PIVOT);
  if (is_cancelled(extent)) {
    return;
  }
  /* δ of the columns with a pivot; the others stay where they are. */
  memcpy(extent->moved, extent->point, (size_t)n * sizeof *extent->moved);
  for (int i = 0; i < rank; i++) {
    extent->moved[extent->column[i]] += extent->block[i * (n + 1) + n] / extent->block[i * (n + 1) + i];
  }
  if (violation(extent, cell, signs, extent->moved, t) <= before) {
    memcpy(extent->point, extent->moved, (size_t)n * sizeof *extent->moved);
  }
}

/* ---- into the problem's units ------------------------------------------------------------------------- */

/* Λ_T that the mode gives, t being 0 along a ray: exact. */
static void snap_friction(const nsd_extent *extent, const nsd_contact_spec *s, const nsd_contact_signs *own,
                          double *Lambda, double t)
{
  double *friction = &Lambda[s->row + 1];
  const int right = own->right >= 0 && extent->tight[own->right];
  const int left = own->left >= 0 && extent->tight[own->left];
  if (s->friction == NSD_FRICTION_GIVEN) {
    /* Λ_T = ∓bound at an end, or −s bound where it slides. */
    if (right || left) {
      *friction = right ? 0.0 - t * s->bound : t * s->bound;
    } else if (s->sliding || s->bound == 0.0) {
      *friction = 0.0 - t * s->bound * (double)s->sliding;
    }
  } else if (s->mu == 0.0) {
    *friction = 0.0;
  } else if (s->sliding) {
    /* Λ_T = −s μ Λ_N; of a slot −s μ |Λ_N|. */
    const double load = s->kind == NSDYN_CONTACT_BILATERAL ? fabs(Lambda[s->row]) : Lambda[s->row];
    *friction = 0.0 - (double)s->sliding * s->mu * load;
  } else if (right && left) {
    /* μ Λ_N + Λ_T = μ Λ_N − Λ_T = 0: the tip of the cone. */
    Lambda[s->row] = *friction = 0.0;
  } else if (right || left) {
    *friction = right ? 0.0 - s->mu * Lambda[s->row] : s->mu * Lambda[s->row];
  }
}

/* What the laws say of Λ exactly: Λ_N = 0 and Λ_T = ±μ Λ_N or ±t bound, where they hold with equality. */
static void snap(const nsd_extent *extent, const nsd_signs *signs, double t, double *Lambda)
{
  const nsd_contact_data *p = signs->problem;
  for (int i = 0; i < p->contacts; i++) {
    const nsd_contact_spec *s = &p->spec[i];
    const nsd_contact_signs *own = &signs->contact[i];
    /* Λ_N = 0 to the bit before friction is made of it. */
    if (own->load >= 0 && extent->tight[own->load]) {
      Lambda[s->row] = 0.0;
    }
    if (s->friction != NSD_FRICTION_NONE) {
      snap_friction(extent, s, own, Lambda, t);
    }
  }
}

/* A point to Λ in the problem's units. */
static void to_problem(const nsd_extent *extent, const nsd_signs *signs, double *Lambda)
{
  memcpy(Lambda, extent->point, (size_t)signs->problem->rows * sizeof *Lambda);
  nsd_signs_to_units(signs, Lambda);
  snap(extent, signs, 1.0, Lambda);
}

/* ξ = G Λ + c, zero where a law holds it there. */
static void velocities(const nsd_extent *extent, const nsd_contact_data *p, const double *Lambda, double *xi)
{
  for (int i = 0; i < p->rows; i++) {
    const double *g = p->G + (size_t)i * (size_t)p->ldg;
    double sum = p->c[i];
    for (int j = 0; j < p->rows; j++) {
      sum += g[j] * Lambda[j];
    }
    xi[i] = extent->tight[i] ? 0.0 : sum;
    (void)nsd_poll_stops(extent->poll, 2.0 * p->rows);
  }
}

/* The verdict on the generator that is handed out: `shift` is the E it was given. Impulses that no double
 * can hold are none to hand out; rows of zeros would make NaN of them, which no comparison sees. */
static void judge(nsd_extent *extent, const nsd_cell *cell, const nsd_signs *signs, const double *Lambda,
                  int shift, double t)
{
  if (!nsd_all_finite(1, cell->columns, Lambda, cell->columns)) {
    extent->worst = (double)INFINITY;
    return;
  }
  for (int j = 0; j < cell->columns; j++) {
    extent->moved[j] = ldexp(Lambda[j], -signs->column_unit[j] - shift);
  }
  const double worst = violation(extent, cell, signs, extent->moved, t);
  extent->worst = worst > extent->worst ? worst : extent->worst;
}

static void add_vertex(nsd_extent *extent, const nsd_cell *cell, const nsd_signs *signs, const double *u)
{
  const size_t at = (size_t)extent->vertices * (size_t)cell->columns;
  find_tight(extent, cell, u);
  polish(extent, cell, signs, 1.0);
  to_problem(extent, signs, extent->Lambda + at);
  judge(extent, cell, signs, extent->Lambda + at, signs->shift, 1.0);
  velocities(extent, signs->problem, extent->Lambda + at, extent->xi + at);
  extent->vertices++;
}

static void add_ray(nsd_extent *extent, const nsd_cell *cell, const nsd_signs *signs, const double *u)
{
  double *ray = extent->ray + (size_t)extent->rays * (size_t)cell->columns;
  find_tight(extent, cell, u);
  polish(extent, cell, signs, 0.0);
  /* Λ_j = 2^(f_j + E) point_j. E, common to all rows, does not turn a ray, nor does the size of its largest
   * element: brought to order 1 at once, nothing overflows on the way. */
  int largest = INT_MIN;
  for (int j = 0; j < cell->columns; j++) {
    int size;
    (void)frexp(extent->point[j], &size);
    size += signs->column_unit[j];
    largest = extent->point[j] != 0.0 && size > largest ? size : largest;
  }
  for (int j = 0; j < cell->columns; j++) {
    ray[j] = extent->point[j] != 0.0 ? ldexp(extent->point[j], signs->column_unit[j] - largest) : 0.0;
  }
  snap(extent, signs, 0.0, ray);
  /* Only a ray's direction counts: its largest element becomes 1. */
  double most = 0.0;
  for (int j = 0; j < cell->columns; j++) {
    most = fabs(ray[j]) > most ? fabs(ray[j]) : most;
  }
  for (int j = 0; most > 0.0 && j < cell->columns; j++) {
    ray[j] /= most;
  }
  judge(extent, cell, signs, ray, 0, 0.0);
  extent->rays++;
}

/* ---- all of it ------------------------------------------------------------------------------------------
 */

/* Live columns that are free: each is a line. */
static int count_lines(const nsd_cell *cell)
{
  int lines = 0;
  for (int l = 0; l < cell->live_count; l++) {
    lines += nsd_cell_is_free(cell, cell->live[l]);
  }
  return lines;
}

static void add_lines(nsd_extent *extent, const nsd_cell *cell, const nsd_signs *signs)
{
  for (int l = 0; l < cell->live_count; l++) {
    const int s = cell->live[l];
    for (int end = 0; nsd_cell_is_free(cell, s) && end < 2; end++) {
      memset(extent->u, 0, (size_t)(cell->columns + cell->rows) * sizeof *extent->u);
      extent->u[cell->slot[s]] = end ? -1.0 : 1.0;
      read_point(extent, cell, extent->u, 0.0);
      add_ray(extent, cell, signs, extent->u);
    }
  }
}

/* Of a problem without rows. */
static nsdyn_status only_point(nsd_extent *extent)
{
  const nsdyn_status status = reserve(extent, 0, 1, 0);
  extent->vertices = 1;
  return status;
}

nsdyn_status nsd_extent_list(nsd_extent *extent, const nsd_cell *cell, nsd_cells *cells,
                             const nsd_signs *signs)
{
  nsd_generators *w = &extent->generators;
  if (cell->columns == 0) {
    return only_point(extent);
  }
  if (!cell->is_exact) {
    nsd_cell_denoise(cell, cells);
  }
  /* Stage 1. Vertices and rays of the pointed part, counted for memory; a line is two rays. */
  const size_t lines = (size_t)count_lines(cell);
  nsdyn_status status = nsd_generators_run(w, cell);
  size_t vertices = 0;
  for (size_t g = 0; status == NSDYN_OK && g < w->count; g++) {
    vertices += (size_t)nsd_generators_get(w, cell, g, extent->u);
  }
  if (status == NSDYN_OK) {
    status = reserve(extent, cell->columns, vertices, w->count - vertices + 2 * lines);
  }
  if (status) {
    return status;
  }
  /* Stage 2. Each in the problem's units, polished and judged. */
  for (size_t g = 0; g < w->count && !is_cancelled(extent); g++) {
    const int vertex = nsd_generators_get(w, cell, g, extent->u);
    read_point(extent, cell, extent->u, vertex ? 1.0 : 0.0);
    if (vertex) {
      add_vertex(extent, cell, signs, extent->u);
    } else {
      add_ray(extent, cell, signs, extent->u);
    }
  }
  add_lines(extent, cell, signs);
  return NSDYN_OK;
}

/* The unknowns at the point that the tableau shows. */
static void read_tableau(nsd_extent *extent, const nsd_cell *cell)
{
  for (int k = 0; k < cell->columns + cell->rows; k++) {
    extent->u[k] = cell->place[k] < 0 ? 0.0 : nsd_cell_value(cell, k);
  }
  read_point(extent, cell, extent->u, 1.0);
}

nsdyn_status nsd_extent_count(nsd_extent *extent, nsd_cell *cell, nsd_cells *cells, const nsd_signs *signs)
{
  if (cell->columns == 0) {
    return only_point(extent);
  }
  const nsdyn_status status = reserve(extent, cell->columns, 1, 0);
  if (status) {
    return status;
  }
  /* One point stands for all; rays only say whether there is one: a line, or a column in which something
   * grows without end. */
  read_tableau(extent, cell);
  add_vertex(extent, cell, signs, extent->u);
  const int lines = count_lines(cell);
  const int count = cell->live_count;
  extent->rays = lines > 0;
  if (cell->is_exact && cells->exact) {
    extent->rays = lines > 0 || (count > 0 && nsd_decide_is_unbounded(cells));
    return NSDYN_OK;
  }
  for (int l = 0; l < count; l++) {
    extent->column[l] = cell->slot[cell->live[l]];
  }
  for (int l = 0; l < count && !extent->rays; l++) {
    extent->rays = nsd_cell_is_unbounded(cell, cells, extent->column[l]);
  }
  return NSDYN_OK;
}

double nsd_extent_point(nsd_extent *extent, const nsd_cell *cell, const nsd_signs *signs, double *Lambda)
{
  if (cell->columns == 0) {
    return 0.0;
  }
  read_tableau(extent, cell);
  find_tight(extent, cell, extent->u);
  polish(extent, cell, signs, 1.0);
  to_problem(extent, signs, Lambda);
  extent->worst = 0.0;
  judge(extent, cell, signs, Lambda, signs->shift, 1.0);
  return extent->worst;
}

/* ξ along each live column, relative to the way in all unknowns. */
int nsd_extent_velocities(nsd_extent *extent, const nsd_cell *cell)
{
  const int n = cell->columns;
  for (int l = 0; l < cell->live_count; l++) {
    const int s = cell->live[l];
    const double *C = nsd_cell_column(cell, s);
    double *to = extent->block + l * (n + 1);
    double most = 1.0;
    for (int i = 0; i < cell->rows; i++) {
      most = fabs(C[i]) > most ? fabs(C[i]) : most;
    }
    for (int i = 0; i < n; i++) {
      const int place = cell->place[n + i];
      to[i] = place >= 0 ? C[place] / most : place == ~s ? 1.0 / most : 0.0;
    }
    to[n] = 0.0;
    (void)nsd_poll_stops(extent->poll, NSD_POLL_READ * (cell->rows + n));
  }
  return eliminate(extent, cell->live_count, n, NSD_EXTENT_STILL);
}
