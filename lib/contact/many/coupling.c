/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "contact/many/coupling.h"

#include "base/dense.h"
#include "base/kernels/simd.h"
#include "base/sparse/cuthill_mckee.h"
#include "contact/certificate.h"

enum { SHARE = 6 }; /* entries at most: rows² / SHARE; beyond that G itself is read as fast */

void nsd_coupling_lay_out(nsd_arena *arena, nsd_coupling *k, int cells, int rows)
{
  const size_t n = (size_t)rows;
  k->room = n * n / SHARE;
  k->from = nsd_arena_take(arena, (size_t)cells + 1, sizeof *k->from);
  k->column = nsd_arena_take(arena, k->room, sizeof *k->column);
  k->value = nsd_arena_take(arena, 2 * k->room, sizeof *k->value);
  k->cell_of = nsd_arena_take(arena, n, sizeof *k->cell_of);
  k->diagonal = nsd_arena_take(arena, n, sizeof *k->diagonal);
  k->order = nsd_arena_take(arena, (size_t)cells, sizeof *k->order);
  k->rank = nsd_arena_take(arena, (size_t)cells, sizeof *k->rank);
}

/* The entries of one cell, from *at on; 0 where there is no room for them. */
static int read_cell(nsd_coupling *k, int cell, size_t *at)
{
  const int row = nsd_coupling_row(k, cell);
  const double *first = nsd_contact_row(k->d, row);
  const double *second = nsd_coupling_rows_of(k, cell) == 2 ? first + k->d->ldg : first;
  for (int j = 0; j < k->d->rows; j++) {
    if (first[j] == 0.0 && second[j] == 0.0) {
      continue;
    }
    if (*at == k->room) {
      return 0;
    }
    k->column[*at] = j;
    k->value[2 * *at] = first[j];
    k->value[2 * *at + 1] = second[j];
    ++*at;
  }
  return 1;
}

/* Cells as nodes of a graph: those that a cell's entries lie in. */
static int next_neighbour(const void *user, int cell, size_t *at)
{
  const nsd_coupling *k = user;
  const size_t entry = k->from[cell] + (*at)++;
  return entry < k->from[cell + 1] ? k->cell_of[k->column[entry]] : -1;
}

static size_t count_entries(const void *user, int cell)
{
  const nsd_coupling *k = user;
  return k->from[cell + 1] - k->from[cell];
}

static void order_cells(nsd_coupling *k)
{
  if (!k->is_dense) {
    const nsd_graph graph = {.nodes = k->cells, .user = k, .next = next_neighbour, .degree = count_entries};
    nsd_cuthill_mckee(&graph, k->order, k->rank);
    return;
  }
  for (int i = 0; i < k->cells; i++) {
    k->rank[i] = k->cells - 1 - i;
    k->order[i] = k->cells - 1 - i;
  }
}

nsdyn_status nsd_coupling_read(nsd_coupling *k, const nsd_contact_data *d, nsd_poll *poll)
{
  k->d = d;
  k->cells = d->contacts + d->bilateral;
  size_t at = 0;
  int fits = 1;
  for (int cell = 0; cell < k->cells; cell++) {
    const int row = nsd_coupling_row(k, cell);
    /* Which cell each row belongs to, its G_ii, and where the cell's entries begin. */
    for (int i = 0; i < nsd_coupling_rows_of(k, cell); i++) {
      k->cell_of[row + i] = cell;
      k->diagonal[row + i] = nsd_contact_row(d, row + i)[row + i];
    }
    k->from[cell] = at;
    fits = fits && read_cell(k, cell, &at);
    if (nsd_poll_stops(poll, 8.0 * d->rows)) {
      return NSDYN_CANCELLED;
    }
  }
  k->from[k->cells] = at;
  k->is_dense = !fits;
  order_cells(k);
  return NSDYN_OK;
}

void nsd_coupling_product(const nsd_coupling *k, int cell, const double *x, double *y)
{
  if (k->is_dense) {
    const int row = nsd_coupling_row(k, cell);
    for (int i = 0; i < nsd_coupling_rows_of(k, cell); i++) {
      y[i] = nsd_dot(k->d->rows, nsd_contact_row(k->d, row + i), x);
    }
    return;
  }
  /* Both rows at once, and two entries: neither sum waits for the other. */
  nsd_lanes_2 a = {0.0, 0.0}, b = {0.0, 0.0};
  const size_t end = k->from[cell + 1];
  size_t e = k->from[cell];
  for (; e + 2 <= end; e += 2) {
    a += *(const nsd_lanes_2 *)(k->value + 2 * e) * x[k->column[e]];
    b += *(const nsd_lanes_2 *)(k->value + 2 * e + 2) * x[k->column[e + 1]];
  }
  if (e < end) {
    a += *(const nsd_lanes_2 *)(k->value + 2 * e) * x[k->column[e]];
  }
  a += b;
  y[0] = a[0];
  if (nsd_coupling_rows_of(k, cell) == 2) {
    y[1] = a[1];
  }
}

void nsd_coupling_velocity(const nsd_coupling *k, int cell, const double *Lambda, double *xi)
{
  const int row = nsd_coupling_row(k, cell);
  nsd_coupling_product(k, cell, Lambda, xi);
  for (int i = 0; i < nsd_coupling_rows_of(k, cell); i++) {
    xi[i] = k->d->c[row + i] + xi[i];
  }
}

/* Σ |G_ij Λ_j| of a row. */
static double size_of(const nsd_coupling *k, int cell, int i, const double *Lambda)
{
  double size = 0.0;
  if (k->is_dense) {
    const double *g = nsd_contact_row(k->d, nsd_coupling_row(k, cell) + i);
    for (int j = 0; j < k->d->rows; j++) {
      size += fabs(g[j] * Lambda[j]);
    }
    return size;
  }
  for (size_t e = k->from[cell]; e < k->from[cell + 1]; e++) {
    size += fabs(k->value[2 * e + (size_t)i] * Lambda[k->column[e]]);
  }
  return size;
}

nsd_contact_miss nsd_coupling_miss(const nsd_coupling *k, int contact, const double *Lambda, const double *xi,
                                   double *r)
{
  const nsd_contact_spec *s = &k->d->spec[contact];
  const int N = s->row;
  const int T = nsd_contact_tangent(s);
  const double G_NN = k->diagonal[N];
  *r = nsd_contact_stiffness(G_NN, T < 0 ? G_NN : k->diagonal[T]);
  nsd_contact_miss miss = {.normal = nsd_contact_miss_normal(s->kind, *r, Lambda[N], xi[0])};
  if (T >= 0) {
    /* In velocities: r Λ_T against the limit r μ |Λ_N|, or r times the given bound. */
    const double limit = *r * (s->friction == NSD_FRICTION_GIVEN ? s->bound : s->mu * fabs(Lambda[N]));
    miss.tangential = nsd_contact_miss_tangential(*r, limit, s->sliding, Lambda[T], xi[1]);
  }
  return miss;
}

double nsd_coupling_judge(const nsd_coupling *k, const double *Lambda, double *xi, double *scale)
{
  const nsd_contact_data *d = k->d;
  double miss = 0.0, size = 0.0, load = 0.0, worst = 0.0;
  for (int cell = 0; cell < k->cells; cell++) {
    const int row = nsd_coupling_row(k, cell);
    nsd_coupling_velocity(k, cell, Lambda, xi + row);
    const double own = fabs(d->c[row]) + size_of(k, cell, 0, Lambda);
    if (cell >= d->contacts) {
      worst = nsd_larger(fabs(xi[row]) > 0.0 ? fabs(xi[row]) / own : 0.0, worst);
      load = nsd_larger(own, load);
      continue;
    }
    size = nsd_larger(own, size);
    load = nsd_larger(fabs(d->c[row]), load);
    if (nsd_coupling_rows_of(k, cell) == 2) {
      size = nsd_larger(fabs(d->c[row + 1]) + size_of(k, cell, 1, Lambda), size);
      load = nsd_larger(fabs(d->c[row + 1]), load);
    }
    double r;
    const nsd_contact_miss own_miss = nsd_coupling_miss(k, cell, Lambda, xi + row, &r);
    miss = nsd_larger(nsd_larger(own_miss.normal, own_miss.tangential), miss);
  }
  /* Misses are judged as a share of the terms, but of no more than so many times the load. */
  *scale = nsd_smaller(size, NSD_CONTACT_MOST_SCALE * load);
  const double share = miss > 0.0 ? miss / *scale : 0.0;
  return nsd_larger(worst, share);
}
