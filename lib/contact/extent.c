/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "contact/extent.h"

#include <math.h>
#include <string.h>

#include "contact/decide.h"

#define SINGULAR 0x1p-40 /* a pivot below this part of the largest element is none */
#define ROUNDING 1e-6    /* a sum whose terms are below this part of the largest sum's may be rounding */
#define STILL 0x1p-36    /* velocities below this part of the impulses that cause them are none */

void nsd_extent_init(nsd_extent *extent, nsdyn_context *ctx)
{
  memset(extent, 0, sizeof *extent);
  extent->ctx = ctx;
  nsd_faces_init(&extent->faces, ctx);
}

void nsd_extent_lay_out(nsd_arena *arena, nsd_extent *extent, int functionals, int rows)
{
  const size_t m = (size_t)functionals;
  const size_t n = (size_t)rows;
  nsd_faces_lay_out(arena, &extent->faces, functionals);
  extent->view.live = nsd_arena_take(arena, n, sizeof *extent->view.live);
  extent->view.state = nsd_arena_take(arena, 2 * m, sizeof *extent->view.state);
  extent->z = nsd_arena_take(arena, 2 * m, sizeof *extent->z);
  extent->block = nsd_arena_take(arena, m * (n + 1), sizeof *extent->block);
  extent->column = nsd_arena_take(arena, n, sizeof *extent->column);
  extent->tight = nsd_arena_take(arena, m, sizeof *extent->tight);
  extent->point = nsd_arena_take(arena, n, sizeof *extent->point);
  extent->moved = nsd_arena_take(arena, n, sizeof *extent->moved);
}

void nsd_extent_release(nsd_extent *extent)
{
  nsd_faces_release(&extent->faces);
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

/* Λ' where the columns have the values z (of unknowns), t being 1 at a point and 0 along a direction. Of z
 * only what stands in columns is read. */
static void read_point(nsd_extent *extent, const nsd_cell *cell, const double *z, double t)
{
  for (int j = 0; j < cell->columns; j++) {
    const int k = cell->rows + j;
    const int r = cell->place[k];
    double value = r < 0 ? z[k] : t * cell->c[r];
    for (int s = 0; r >= 0 && s < cell->columns; s++) {
      if (nsd_cell_is_live(cell, s)) {
        value += nsd_cell_column(cell, s)[r] * z[cell->slot[s]];
      }
    }
    extent->point[j] = cell->sign[k] < 0 ? -value : value;
  }
}

/* f_k of Λ', as the cell asks it to be >= 0; without its constant along a direction. */
static double functional(const nsd_cell *cell, const nsd_signs *signs, int k, const double *Lambda, double t,
                         double *size)
{
  double value = nsd_signs_slope(signs, k, Lambda, size) + t * signs->d[k];
  *size += t * fabs(signs->d[k]);
  return cell->sign[k] < 0 ? -value : value;
}

/* The largest violation of what the cell asks, and of what is tight, relative to the terms of its sum; but a
 * sum of nothing but rounding is measured by the others'. */
static double violation(const nsd_extent *extent, const nsd_cell *cell, const nsd_signs *signs,
                        const double *Lambda, double t)
{
  double largest[2] = {0.0, 0.0}; /* of velocities, of impulses */
  for (int k = 0; k < cell->rows; k++) {
    double size;
    (void)functional(cell, signs, k, Lambda, t, &size);
    double *most = &largest[k >= cell->columns];
    *most = size > *most ? size : *most;
  }
  double worst = 0.0;
  for (int k = 0; k < cell->rows; k++) {
    double size;
    const double value = functional(cell, signs, k, Lambda, t, &size);
    const double part = extent->tight[k] ? fabs(value) : cell->ask[k] == NSD_ASK_POSITIVE ? -value : 0.0;
    const double floor = ROUNDING * largest[k >= cell->columns];
    size = size > floor ? size : floor;
    if (!isfinite(size)) {
      return (double)INFINITY;
    }
    worst = part > worst * size ? part / size : worst;
  }
  return worst;
}

/* What is zero at the generator z. */
static void find_tight(nsd_extent *extent, const nsd_cell *cell, const double *z)
{
  for (int k = 0; k < cell->rows; k++) {
    extent->tight[k] = cell->ask[k] == NSD_ASK_ZERO || (cell->ask[k] == NSD_ASK_POSITIVE && z[k] == 0.0);
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

/* Gauss–Jordan elimination of the block by complete pivoting; its rank. Elements below `least` are noise. */
static int eliminate(nsd_extent *extent, int rows, int columns, double least)
{
  const int ld = columns + 1;
  double *M = extent->block;
  int rank = 0;
  for (int j = 0; j < columns; j++) {
    extent->column[j] = j;
  }
  while (rank < rows && rank < columns && pivot_to(extent, rows, columns, rank) > least) {
    const double *pivot = M + rank * ld;
    for (int i = 0; i < rows; i++) {
      const double f = i == rank ? 0.0 : M[i * ld + rank] / pivot[rank];
      for (int j = rank; f != 0.0 && j < ld; j++) {
        M[i * ld + j] -= f * pivot[j];
      }
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
  int rows = 0;
  for (int k = 0; k < cell->rows; k++) {
    if (extent->tight[k]) {
      double *to = extent->block + rows++ * (n + 1);
      memcpy(to, signs->a + (size_t)k * (size_t)n, (size_t)n * sizeof *to);
      to[n] = -(nsd_signs_slope(signs, k, extent->point, NULL) + t * signs->d[k]);
    }
  }
  const int rank = eliminate(extent, rows, n, SINGULAR);
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
    if (right || left) {
      *friction = right ? 0.0 - t * s->bound : t * s->bound;
    } else if (s->sliding || s->bound == 0.0) {
      *friction = 0.0 - t * s->bound * (double)s->sliding;
    }
  } else if (s->mu == 0.0) {
    *friction = 0.0;
  } else if (s->sliding) {
    const double load = s->kind == NSDYN_CONTACT_BILATERAL ? fabs(Lambda[s->row]) : Lambda[s->row];
    *friction = 0.0 - (double)s->sliding * s->mu * load;
  } else if (right && left) {
    Lambda[s->row] = *friction = 0.0;
  } else if (right || left) {
    *friction = right ? 0.0 - s->mu * Lambda[s->row] : s->mu * Lambda[s->row];
  }
}

/* point to Λ in the problem's units. */
static void to_problem(const nsd_extent *extent, const nsd_signs *signs, double t, double *Lambda)
{
  const nsd_contact_data *p = signs->problem;
  memcpy(Lambda, extent->point, (size_t)p->rows * sizeof *Lambda);
  nsd_signs_to_units(signs, Lambda);
  for (int i = 0; i < p->contacts; i++) {
    const nsd_contact_spec *s = &p->spec[i];
    const nsd_contact_signs *own = &signs->contact[i];
    if (own->load >= 0 && extent->tight[own->load]) {
      Lambda[s->row] = 0.0;
    }
    if (s->friction != NSD_FRICTION_NONE) {
      snap_friction(extent, s, own, Lambda, t);
    }
  }
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
  }
}

/* The verdict on the generator that is handed out: `shift` is the E it was given. */
static void judge(nsd_extent *extent, const nsd_cell *cell, const nsd_signs *signs, const double *Lambda,
                  int shift, double t)
{
  for (int j = 0; j < cell->columns; j++) {
    extent->moved[j] = ldexp(Lambda[j], -signs->column_unit[j] - shift);
  }
  const double worst = violation(extent, cell, signs, extent->moved, t);
  extent->worst = worst > extent->worst ? worst : extent->worst;
}

static void add_vertex(nsd_extent *extent, const nsd_cell *cell, const nsd_signs *signs, const double *z)
{
  const size_t at = (size_t)extent->vertices * (size_t)cell->columns;
  find_tight(extent, cell, z);
  polish(extent, cell, signs, 1.0);
  to_problem(extent, signs, 1.0, extent->Lambda + at);
  judge(extent, cell, signs, extent->Lambda + at, signs->shift, 1.0);
  velocities(extent, signs->problem, extent->Lambda + at, extent->xi + at);
  extent->vertices++;
}

static void add_ray(nsd_extent *extent, const nsd_cell *cell, const nsd_signs *signs, const double *z)
{
  double *ray = extent->ray + (size_t)extent->rays * (size_t)cell->columns;
  find_tight(extent, cell, z);
  polish(extent, cell, signs, 0.0);
  /* The shift E is common to all rows; without it nothing overflows that is divided by its maximum next. */
  for (int j = 0; j < cell->columns; j++) {
    extent->point[j] = ldexp(extent->point[j], -signs->shift);
  }
  to_problem(extent, signs, 0.0, ray);
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

/* The cell as faces.c reads it; the number of its lines. */
static int look(nsd_extent *extent, const nsd_cell *cell)
{
  nsd_node *view = &extent->view;
  int lines = 0;
  view->n = cell->rows;
  view->ld = cell->ld;
  view->T = cell->T;
  view->c = cell->c;
  view->row = cell->row;
  view->slot = cell->slot;
  view->live_count = 0;
  for (int s = 0; s < cell->columns; s++) {
    if (nsd_cell_is_free(cell, s)) {
      lines++;
    } else if (nsd_cell_is_live(cell, s)) {
      view->live[view->live_count++] = s;
    }
  }
  for (int k = 0; k < 2 * cell->rows; k++) {
    const int held = k < cell->rows && cell->ask[k] == NSD_ASK_POSITIVE;
    view->state[k] = held ? 0 : NSD_FIXED;
  }
  return lines;
}

static void add_lines(nsd_extent *extent, const nsd_cell *cell, const nsd_signs *signs)
{
  for (int s = 0; s < cell->columns; s++) {
    for (int end = 0; nsd_cell_is_free(cell, s) && end < 2; end++) {
      memset(extent->z, 0, 2 * (size_t)cell->rows * sizeof *extent->z);
      extent->z[cell->slot[s]] = end ? -1.0 : 1.0;
      read_point(extent, cell, extent->z, 0.0);
      add_ray(extent, cell, signs, extent->z);
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

nsdyn_status nsd_extent_list(nsd_extent *extent, const nsd_cell *cell, const nsd_cells *cells)
{
  if (cell->columns == 0) {
    return only_point(extent);
  }
  if (!cell->is_exact) {
    nsd_cell_denoise(cell, cells);
  }
  const int lines = look(extent, cell);
  nsdyn_status status = nsd_faces_run(&extent->faces, &extent->view);
  size_t vertices = 0;
  for (size_t g = 0; status == NSDYN_OK && g < extent->faces.count; g++) {
    vertices += (size_t)nsd_faces_get(&extent->faces, &extent->view, g, extent->z);
  }
  if (status == NSDYN_OK) {
    status = reserve(extent, cell->columns, vertices, extent->faces.count - vertices + 2 * (size_t)lines);
  }
  if (status) {
    return status;
  }
  for (size_t g = 0; g < extent->faces.count; g++) {
    const int vertex = nsd_faces_get(&extent->faces, &extent->view, g, extent->z);
    read_point(extent, cell, extent->z, vertex ? 1.0 : 0.0);
    if (vertex) {
      add_vertex(extent, cell, cells->signs, extent->z);
    } else {
      add_ray(extent, cell, cells->signs, extent->z);
    }
  }
  add_lines(extent, cell, cells->signs);
  return NSDYN_OK;
}

/* The unknowns at the point that the tableau shows. */
static void read_tableau(nsd_extent *extent, const nsd_cell *cell)
{
  memset(extent->z, 0, 2 * (size_t)cell->rows * sizeof *extent->z);
  read_point(extent, cell, extent->z, 1.0);
  for (int k = 0; k < cell->rows; k++) {
    extent->z[k] = nsd_cell_value(cell, k);
  }
}

nsdyn_status nsd_extent_count(nsd_extent *extent, nsd_cell *cell, nsd_cells *cells)
{
  if (cell->columns == 0) {
    return only_point(extent);
  }
  const nsdyn_status status = reserve(extent, cell->columns, 1, 0);
  if (status) {
    return status;
  }
  read_tableau(extent, cell);
  add_vertex(extent, cell, cells->signs, extent->z);
  const int lines = look(extent, cell);
  extent->rays = lines > 0;
  if (cell->is_exact && cells->exact) {
    extent->rays = lines > 0 || (extent->view.live_count > 0 && nsd_decide_is_unbounded(cells));
    return NSDYN_OK;
  }
  for (int k = 0; k < extent->view.live_count; k++) {
    extent->column[k] = cell->slot[extent->view.live[k]];
  }
  for (int k = 0; k < extent->view.live_count && !extent->rays; k++) {
    extent->rays = nsd_cell_is_unbounded(cell, cells, extent->column[k]);
  }
  return NSDYN_OK;
}

double nsd_extent_point(nsd_extent *extent, const nsd_cell *cell, const nsd_cells *cells, double *Lambda)
{
  if (cell->columns == 0) {
    return 0.0;
  }
  read_tableau(extent, cell);
  find_tight(extent, cell, extent->z);
  polish(extent, cell, cells->signs, 1.0);
  to_problem(extent, cells->signs, 1.0, Lambda);
  extent->worst = 0.0;
  judge(extent, cell, cells->signs, Lambda, cells->signs->shift, 1.0);
  return extent->worst;
}

/* ξ along each live column, relative to the way in all unknowns. */
int nsd_extent_velocities(nsd_extent *extent, const nsd_cell *cell)
{
  const int n = cell->columns;
  int directions = 0;
  for (int s = 0; s < n; s++) {
    if (!nsd_cell_is_live(cell, s)) {
      continue;
    }
    const double *C = nsd_cell_column(cell, s);
    double *to = extent->block + directions++ * (n + 1);
    double most = 1.0;
    for (int i = 0; i < cell->rows; i++) {
      most = fabs(C[i]) > most ? fabs(C[i]) : most;
    }
    for (int i = 0; i < n; i++) {
      const int place = cell->place[i];
      to[i] = place >= 0 ? C[place] / most : place == ~s ? 1.0 / most : 0.0;
    }
    to[n] = 0.0;
  }
  return eliminate(extent, directions, n, STILL);
}
