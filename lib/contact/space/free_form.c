/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "contact/space/free_form.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/dense.h"
#include "base/sparse/cuthill_mckee.h"
#include "base/tolerances.h"

#define WORTH 0.8   /* of the rows: velocities, at most */
#define FULL 0.25   /* of L is not zero: there is not much to skip */
#define ALMOST 0.97 /* of the rows so far are pivots: so will most of the others be */

enum {
  LARGE = 32, /* velocities of a body, there */
  PART = 3,   /* one in so many rows tells, … */
  MANY = 300  /* … but no fewer than these */
};

nsd_free_form nsd_free_form_empty(nsdyn_context *ctx)
{
  nsd_free_form w = {.room = nsd_arena_empty(ctx)};
  nsd_operator_init(&w.op, ctx);
  return w;
}

void nsd_free_form_release(nsd_free_form *w)
{
  nsd_arena_release(&w->room);
  nsd_operator_release(&w->op);
}

static void lay_out(nsd_arena *arena, nsd_free_form *w, int rows, int cells, int columns)
{
  const size_t n = (size_t)rows, most = (size_t)columns;
  w->most = columns;
  w->L = nsd_arena_take(arena, n * most, sizeof *w->L);
  w->identity = nsd_arena_take(arena, LARGE * most, sizeof *w->identity);
  w->first = nsd_arena_take(arena, n, sizeof *w->first);
  w->pivot = nsd_arena_take(arena, most, sizeof *w->pivot);
  w->x = nsd_arena_take(arena, n, sizeof *w->x);
  w->v = nsd_arena_take(arena, most, sizeof *w->v);
  w->order = nsd_arena_take(arena, (size_t)cells, sizeof *w->order);
  w->rank = nsd_arena_take(arena, (size_t)cells, sizeof *w->rank);
  w->size = nsd_arena_take(arena, (size_t)cells + most, sizeof *w->size);
}

/* Cells as nodes of a graph: those whose impulses move one. */
static int next_neighbour(const void *user, int cell, size_t *at)
{
  const nsd_operator *G = user;
  const size_t block = G->line[cell] + (*at)++;
  return block < G->line[cell + 1] ? G->of[block] : -1;
}

static size_t count_neighbours(const void *user, int cell)
{
  const nsd_operator *G = user;
  return G->line[cell + 1] - G->line[cell];
}

static double *row_of(const nsd_free_form *w, int i)
{
  return w->L + (size_t)i * (size_t)w->most;
}

/* Row i of L: L_ik = (G_ip − Σ_m L_im L_pm) / L_pk, p the row of velocity k, m < k. Returns what is left of
 * G_ii, the square of its own pivot if it is one. */
static double eliminate(const nsd_free_form *w, const nsd_contact_data *d, int i)
{
  const double *G = nsd_contact_row(d, i);
  const double nothing = NSD_FREE_FORM_NOTHING * sqrt(fabs(G[i]));
  double *L = row_of(w, i);
  /* Before the first velocity whose row this one's impulse moves, all is zero. */
  int first = 0;
  while (first < w->velocities && G[w->pivot[first]] == 0.0) {
    L[first++] = 0.0;
  }
  w->first[i] = first;
  double left = G[i];
  for (int k = first; k < w->velocities; k++) {
    const int p = w->pivot[k];
    const double *other = row_of(w, p);
    const int from = w->first[p] > first ? w->first[p] : first;
    const double l = (G[p] - nsd_dot(k - from, L + from, other + from)) / other[k];
    L[k] = fabs(l) > nothing ? l : 0.0; /* what elimination has to leave zero is rounding */
    left -= L[k] * L[k];
  }
  for (int k = w->velocities; k < w->most; k++) {
    L[k] = 0.0;
  }
  return left;
}

/* Where most of L is not zero, larger bodies: there is nothing to skip between them. */
static void merge_bodies(nsd_free_form *w, int rows)
{
  double full = 0.0;
  for (int i = 0; i < rows; i++) {
    for (int k = w->first[i]; k < w->velocities; k++) {
      full += row_of(w, i)[k] != 0.0;
    }
  }
  w->is_full = full >= FULL * rows * (double)w->velocities;
  if (!w->is_full) {
    return;
  }
  w->bodies = 0;
  for (int at = 0; at < w->velocities; at += LARGE) {
    w->size[w->bodies++] = w->velocities - at < LARGE ? w->velocities - at : LARGE;
  }
}

/* Whether so many velocities of so many rows say that not enough will be redundant: a pile shows what it
 * hides within a part of its rows, a definite G would cost the whole of its Cholesky's factor first. */
static int is_hopeless(const nsd_free_form *w, int seen, int rows)
{
  return seen >= MANY && PART * (double)seen >= rows && w->velocities > ALMOST * seen;
}

/* L, cell by cell; a cell's pivots are one body. NSDYN_UNDECIDED where they are more than there are columns,
 * or will be too many, or G is not semidefinite. */
static nsdyn_status factor(nsd_free_form *w, const nsd_contact_data *d, const nsd_operator *cells,
                           nsd_poll *poll)
{
  int seen = 0;
  w->velocities = w->bodies = 0;
  for (int at = 0; at < cells->cells; at++) {
    const int cell = w->order[at], before = w->velocities;
    for (int i = cells->row[cell]; i < cells->row[cell + 1]; i++) {
      const double least = NSD_CONTACT_PIVOT * nsd_contact_row(d, i)[i];
      const double left = eliminate(w, d, i);
      if (left < -least || !(fabs(left) < (double)INFINITY)) {
        return NSDYN_UNDECIDED;
      }
      if (left > least) {
        if (w->velocities == w->most) {
          return NSDYN_UNDECIDED;
        }
        row_of(w, i)[w->velocities] = sqrt(left);
        w->pivot[w->velocities++] = i;
      }
      if (is_hopeless(w, ++seen, d->rows)) {
        return NSDYN_UNDECIDED;
      }
      const double length = w->velocities - w->first[i];
      if (nsd_poll_stops(poll, length * length + NSD_POLL_READ * d->rows)) {
        return NSDYN_CANCELLED;
      }
    }
    if (w->velocities > before) {
      w->size[w->bodies++] = w->velocities - before;
    }
  }
  return w->velocities > 0 ? NSDYN_OK : NSDYN_UNDECIDED;
}

/* Elimination makes L Lᵀ = G in the rows and columns of pivots. Between the others it leaves what has no
 * pivot, nothing in a semidefinite G: (G − L Lᵀ) x is rounding then, for any x. Here x_i = ± r / √G_ii, so
 * that each element counts by its share of √(G_ii G_jj). */
static nsdyn_status check_factor(const nsd_free_form *w, const nsd_contact_data *d, nsd_poll *poll)
{
  const int n = d->rows;
  double largest = 0.0;
  for (int i = 0; i < n; i++) {
    largest = fmax(largest, nsd_contact_row(d, i)[i]);
  }
  memset(w->v, 0, (size_t)w->velocities * sizeof *w->v);
  uint32_t random = 1;
  for (int i = 0; i < n; i++) {
    const double own = nsd_contact_row(d, i)[i];
    random = random * 1664525u + 1013904223u;
    const double r = 0.5 + 0.5 * (double)(random >> 8) / 16777216.0; /* its lowest bits do not vary */
    w->x[i] = (random & 0x80u ? r : -r) / sqrt(own > 0.0 ? own : largest);
    for (int k = w->first[i]; k < w->velocities; k++) {
      w->v[k] += row_of(w, i)[k] * w->x[i];
    }
  }
  for (int i = 0; i < n; i++) {
    const double *G = nsd_contact_row(d, i);
    const int first = w->first[i];
    const double left =
        nsd_dot(n, G, w->x) - nsd_dot(w->velocities - first, row_of(w, i) + first, w->v + first);
    /* Of n roundings with random signs √n remain. */
    if (!(fabs(left) <= NSD_CONTACT_BELOW_PIVOT * sqrt((double)n * G[i]))) {
      return NSDYN_UNDECIDED;
    }
    if (nsd_poll_stops(poll, NSD_POLL_READ * n + 2.0 * (w->velocities - first))) {
      return NSDYN_CANCELLED;
    }
  }
  return NSDYN_OK;
}

static nsdyn_status make_room(nsd_free_form *w, int rows, int cells, int columns)
{
  nsd_free_form counted;
  nsd_arena measure = nsd_arena_measure();
  lay_out(&measure, &counted, rows, cells, columns);
  const nsdyn_status status = nsd_arena_reserve(&w->room, &measure);
  if (status == NSDYN_OK) {
    lay_out(&w->room, w, rows, cells, columns);
  }
  return status;
}

/* L with few columns, which show that there is nothing to win, and else with all that may be needed. What
 * earlier problems have left of memory does not matter: the same problem takes the same way. */
static nsdyn_status make_factor(nsd_free_form *w, const nsd_contact_data *d, const nsd_operator *cells,
                                nsd_poll *poll)
{
  const int worth = (int)(WORTH * d->rows);
  const int few = d->rows / PART + NSD_CELL_ROWS;
  for (int columns = few < worth ? few : worth;; columns = worth) {
    nsdyn_status status = make_room(w, d->rows, cells->cells, columns);
    if (status) {
      return status;
    }
    const nsd_graph graph = {
        .nodes = cells->cells, .user = cells, .next = next_neighbour, .degree = count_neighbours};
    nsd_cuthill_mckee(&graph, w->order, w->rank);
    status = factor(w, d, cells, poll);
    if (status != NSDYN_UNDECIDED || w->velocities < columns || columns == worth) {
      return status ? status : check_factor(w, d, poll);
    }
  }
}

nsdyn_status nsd_free_form_read(nsd_free_form *w, const nsd_contact_data *d, const nsd_operator *cells,
                                const int *rows_of, nsd_poll *poll)
{
  const nsdyn_status status = make_factor(w, d, cells, poll);
  if (status) {
    return status;
  }
  merge_bodies(w, d->rows);
  /* W = L, and M⁻¹ = 1. */
  double *to = w->identity;
  for (int b = 0; b < w->bodies; b++) {
    for (int i = 0; i < w->size[b]; i++) {
      for (int j = 0; j < w->size[b]; j++) {
        *to++ = i == j;
      }
    }
  }
  const nsd_operator_rows given = {.value = w->L, .stride = w->most, .columns = w->velocities};
  const nsd_operator_bodies bodies = {.size = w->size, .inverse = w->identity, .bodies = w->bodies};
  return nsd_operator_read(&w->op, cells->cells, rows_of, &given, &bodies, poll);
}
