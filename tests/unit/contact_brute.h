/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* All solutions of a small contact problem by brute force: the judge of the mode enumerator, with which it
 * shares no code.
 *
 * Each choice of one mode per contact is a set of equations and inequalities in Λ, written down from the law.
 * Its vertices are all regular choices of tight inequalities, its rays likewise. Choices whose signs are not
 * all among another's are the pieces. Numbers are of order 1 and so are tolerances. */
#ifndef TESTS_UNIT_CONTACT_BRUTE_H
#define TESTS_UNIT_CONTACT_BRUTE_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contact/problem.h"
#include "suite.h"

enum {
  BRUTE_ROWS = 10,   /* of Λ */
  BRUTE_LIMITS = 40, /* equations or inequalities of a choice */
  BRUTE_POINTS = 96, /* vertices and rays of a choice */
  BRUTE_SIGNS = 5,   /* of a contact */
  BRUTE_CONTACTS = 5,
  BRUTE_PIECES = 1024
};

#define BRUTE_TOL 1e-8
#define BRUTE_PIVOT 1e-11

typedef struct brute_row {
  double a[BRUTE_ROWS];
  double d;
} brute_row;

typedef struct brute_piece {
  int vertices;
  int rays;
  int dimension;
  int velocity_dimension;
  uint8_t sign[BRUTE_CONTACTS * BRUTE_SIGNS]; /* bit 0: somewhere positive, bit 1: negative */
  double vertex[BRUTE_POINTS][BRUTE_ROWS];
  double ray[BRUTE_POINTS][BRUTE_ROWS];
} brute_piece;

typedef struct brute {
  const nsd_contact_data *p;
  int rows;
  int equations;
  int limits;
  brute_row equation[BRUTE_LIMITS];
  brute_row limit[BRUTE_LIMITS];
  int pieces;
  int has_line; /* some choice had one: its vertices are not found */
  brute_piece *piece;
  brute_piece scratch;
} brute;

static inline brute *brute_new(void)
{
  brute *b = calloc(1, sizeof *b);
  ck_assert_ptr_nonnull(b);
  b->piece = calloc(BRUTE_PIECES, sizeof *b->piece);
  ck_assert_ptr_nonnull(b->piece);
  return b;
}

static inline void brute_free(brute *b)
{
  free(b->piece);
  free(b);
}

/* ---- laws ----------------------------------------------------------------------------------------- */

static inline brute_row brute_velocity(const brute *b, int row, double factor)
{
  brute_row r = {.d = factor * b->p->c[row]};
  for (int j = 0; j < b->rows; j++) {
    r.a[j] = factor * b->p->G[(size_t)row * (size_t)b->p->ldg + (size_t)j];
  }
  return r;
}

/* n Λ_N + t Λ_T + d */
static inline brute_row brute_impulse(const nsd_contact_spec *s, double n, double t, double d)
{
  brute_row r = {.d = d};
  r.a[s->row] = n;
  if (t != 0.0) {
    r.a[s->row + 1] = t;
  }
  return r;
}

static inline void brute_equals(brute *b, brute_row r)
{
  ck_assert_int_lt(b->equations, BRUTE_LIMITS);
  b->equation[b->equations++] = r;
}

static inline void brute_least(brute *b, brute_row r)
{
  ck_assert_int_lt(b->limits, BRUTE_LIMITS);
  b->limit[b->limits++] = r;
}

static inline int brute_slot(const nsd_contact_spec *s)
{
  return s->kind == NSDYN_CONTACT_BILATERAL;
}

static inline int brute_coulomb(const nsd_contact_spec *s)
{
  return s->friction == NSD_FRICTION_LOAD && s->mu > 0.0;
}

static inline int brute_given(const nsd_contact_spec *s)
{
  return s->friction == NSD_FRICTION_GIVEN && s->bound > 0.0 && s->sliding == 0;
}

static inline int brute_modes(const nsd_contact_spec *s)
{
  if (brute_coulomb(s)) {
    return s->sliding ? 2 : brute_slot(s) ? 6 : 4;
  }
  return (brute_slot(s) ? 1 : 2) * (brute_given(s) ? 3 : 1);
}

/* −Λ_T ∈ limit Sgn(ξ_T), the limit being n Λ_N + d; mode 0 sticks, 1 slips up, 2 slips down. */
static inline void brute_friction(brute *b, const nsd_contact_spec *s, double n, double d, int mode)
{
  const int T = s->row + 1;
  if (mode == 0) {
    brute_equals(b, brute_velocity(b, T, 1.0));
    brute_least(b, brute_impulse(s, n, 1.0, d));
    brute_least(b, brute_impulse(s, n, -1.0, d));
    return;
  }
  brute_equals(b, brute_impulse(s, n, mode == 1 ? 1.0 : -1.0, d));
  brute_least(b, brute_velocity(b, T, mode == 1 ? 1.0 : -1.0));
}

static inline void brute_add_mode(brute *b, const nsd_contact_spec *s, int mode)
{
  int closed = 1;
  double side = 1.0; /* of Λ_N in a slot with Coulomb friction */
  int tangential = 0;
  if (brute_coulomb(s) && !s->sliding && !brute_slot(s)) {
    closed = mode > 0;
    tangential = mode - 1;
  } else if (brute_coulomb(s) && brute_slot(s)) {
    side = mode % 2 ? -1.0 : 1.0;
    tangential = mode / 2;
  } else if (!brute_slot(s)) {
    closed = mode % 2;
    tangential = mode / 2;
  } else {
    tangential = mode;
  }
  if (brute_slot(s)) {
    brute_equals(b, brute_velocity(b, s->row, 1.0));
    if (brute_coulomb(s)) {
      brute_least(b, brute_impulse(s, side, 0.0, 0.0));
    }
  } else if (closed) {
    brute_equals(b, brute_velocity(b, s->row, 1.0));
    brute_least(b, brute_impulse(s, 1.0, 0.0, 0.0));
  } else {
    brute_least(b, brute_velocity(b, s->row, 1.0));
    brute_equals(b, brute_impulse(s, 1.0, 0.0, 0.0));
  }
  if (s->friction == NSD_FRICTION_NONE) {
    return;
  }
  if (brute_given(s)) {
    brute_friction(b, s, 0.0, s->bound, tangential);
  } else if (s->friction == NSD_FRICTION_GIVEN) {
    brute_equals(b, brute_impulse(s, 0.0, 1.0, s->sliding * s->bound));
  } else if (!brute_coulomb(s) || s->sliding) {
    brute_equals(b, brute_impulse(s, s->sliding * s->mu * side, 1.0, 0.0));
  } else if (closed) {
    brute_friction(b, s, s->mu * side, 0.0, tangential);
  } else {
    brute_equals(b, brute_impulse(s, 0.0, 1.0, 0.0));
  }
}

/* ---- linear algebra ----------------------------------------------------------------------------------- */

/* Gauss–Jordan with complete pivoting on count × (n + 1); columns' order in `order`. */
static inline int brute_eliminate(int count, int n, double M[][BRUTE_ROWS + 1], int *order)
{
  int rank = 0;
  for (int j = 0; j < n; j++) {
    order[j] = j;
  }
  while (rank < count && rank < n) {
    int r = rank, c = rank;
    for (int i = rank; i < count; i++) {
      for (int j = rank; j < n; j++) {
        if (fabs(M[i][j]) > fabs(M[r][c])) {
          r = i;
          c = j;
        }
      }
    }
    if (fabs(M[r][c]) < BRUTE_PIVOT) {
      break;
    }
    for (int j = 0; j <= n; j++) {
      const double t = M[r][j];
      M[r][j] = M[rank][j];
      M[rank][j] = t;
    }
    for (int i = 0; i < count; i++) {
      const double t = M[i][c];
      M[i][c] = M[i][rank];
      M[i][rank] = t;
    }
    const int t = order[c];
    order[c] = order[rank];
    order[rank] = t;
    for (int i = 0; i < count; i++) {
      const double f = i == rank ? 0.0 : M[i][rank] / M[rank][rank];
      for (int j = rank; f != 0.0 && j <= n; j++) {
        M[i][j] -= f * M[rank][j];
      }
    }
    rank++;
  }
  return rank;
}

static inline double brute_value(const brute *b, const brute_row *r, const double *x, double t)
{
  double sum = t * r->d;
  for (int j = 0; j < b->rows; j++) {
    sum += r->a[j] * x[j];
  }
  return sum;
}

static inline double brute_size(const brute *b, const brute_row *r, const double *x, double t)
{
  double sum = fabs(t * r->d);
  for (int j = 0; j < b->rows; j++) {
    sum += fabs(r->a[j] * x[j]);
  }
  return sum > 1.0 ? sum : 1.0;
}

/* Equations and the limits chosen, each row divided by its largest coefficient. */
static inline int brute_system(const brute *b, const int *chosen, int count, double M[][BRUTE_ROWS + 1])
{
  int rows = 0;
  for (int i = 0; i < b->equations + count; i++) {
    const brute_row *r = i < b->equations ? &b->equation[i] : &b->limit[chosen[i - b->equations]];
    double most = 0.0;
    for (int j = 0; j < b->rows; j++) {
      most = fmax(most, fabs(r->a[j]));
    }
    for (int j = 0; j < b->rows; j++) {
      M[rows][j] = r->a[j] / (most > 0.0 ? most : 1.0);
    }
    M[rows++][b->rows] = -r->d / (most > 0.0 ? most : 1.0);
  }
  return rows;
}

/* ---- one choice of modes ---------------------------------------------------------------------------- */

static inline int brute_obeys(const brute *b, const double *x, double t)
{
  for (int i = 0; i < b->equations; i++) {
    if (fabs(brute_value(b, &b->equation[i], x, t)) > BRUTE_TOL * brute_size(b, &b->equation[i], x, t)) {
      return 0;
    }
  }
  for (int i = 0; i < b->limits; i++) {
    if (brute_value(b, &b->limit[i], x, t) < -BRUTE_TOL * brute_size(b, &b->limit[i], x, t)) {
      return 0;
    }
  }
  return 1;
}

static inline int brute_same(int n, const double *a, const double *b)
{
  for (int j = 0; j < n; j++) {
    if (fabs(a[j] - b[j]) > 1e-6 * (1.0 + fabs(a[j]))) {
      return 0;
    }
  }
  return 1;
}

static inline void brute_keep(brute *b, double list[][BRUTE_ROWS], int *count, const double *x)
{
  for (int k = 0; k < *count; k++) {
    if (brute_same(b->rows, list[k], x)) {
      return;
    }
  }
  ck_assert_int_lt(*count, BRUTE_POINTS);
  memcpy(list[(*count)++], x, sizeof list[0]);
}

/* A choice of tight limits: a vertex where the rank is full, a ray where one is missing. */
static inline void brute_try(brute *b, const int *chosen, int count, int rays)
{
  double M[2 * BRUTE_LIMITS][BRUTE_ROWS + 1];
  int order[BRUTE_ROWS];
  const int n = b->rows;
  const int rows = brute_system(b, chosen, count, M);
  const int rank = brute_eliminate(rows, n, M, order);
  double x[BRUTE_ROWS] = {0};
  if (!rays && rank == n) {
    for (int i = 0; i < n; i++) {
      x[order[i]] = M[i][n] / M[i][i];
    }
    if (brute_obeys(b, x, 1.0)) {
      brute_keep(b, b->scratch.vertex, &b->scratch.vertices, x);
    }
  }
  for (int end = 0; rays && rank == n - 1 && end < 2; end++) {
    double most = 1.0;
    x[order[n - 1]] = end ? -1.0 : 1.0;
    for (int i = 0; i < n - 1; i++) {
      x[order[i]] = -M[i][n - 1] * x[order[n - 1]] / M[i][i];
      most = fmax(most, fabs(x[order[i]]));
    }
    for (int j = 0; j < n; j++) {
      x[j] /= most;
    }
    if (brute_obeys(b, x, 0.0)) {
      brute_keep(b, b->scratch.ray, &b->scratch.rays, x);
    }
  }
}

static inline void brute_choose(brute *b, int *chosen, int count, int from, int most, int rays)
{
  if (count == most) {
    brute_try(b, chosen, count, rays);
    return;
  }
  for (int i = from; i < b->limits; i++) {
    chosen[count] = i;
    brute_choose(b, chosen, count + 1, i + 1, most, rays);
  }
}

/* Signs of Λ_N, limit ± Λ_T, ξ_N and ξ_T. */
static inline void brute_signs(const brute *b, const double *x, double t, uint8_t *sign)
{
  for (int i = 0; i < b->p->contacts; i++) {
    const nsd_contact_spec *s = &b->p->spec[i];
    brute_row r[BRUTE_SIGNS] = {brute_impulse(s, 1.0, 0.0, 0.0),
                                {{0.0}, 0.0},
                                {{0.0}, 0.0},
                                brute_velocity(b, s->row, 1.0),
                                {{0.0}, 0.0}};
    if (s->friction != NSD_FRICTION_NONE) {
      const double n = s->friction == NSD_FRICTION_LOAD ? s->mu : 0.0;
      const double d = s->friction == NSD_FRICTION_LOAD ? 0.0 : s->bound;
      r[1] = brute_impulse(s, n, 1.0, d);
      r[2] = brute_impulse(s, n, -1.0, d);
      r[4] = brute_velocity(b, s->row + 1, 1.0);
    }
    for (int k = 0; k < BRUTE_SIGNS; k++) {
      const double value = brute_value(b, &r[k], x, t);
      const double tol = BRUTE_TOL * brute_size(b, &r[k], x, t);
      sign[i * BRUTE_SIGNS + k] |= (uint8_t)(value > tol ? 1 : value < -tol ? 2 : 0);
    }
  }
}

static inline int brute_covers(const brute *b, const brute_piece *large, const brute_piece *small)
{
  for (int k = 0; k < b->p->contacts * BRUTE_SIGNS; k++) {
    if (small->sign[k] & ~large->sign[k]) {
      return 0;
    }
  }
  return 1;
}

/* Rank of the directions of a piece, and of the velocities they cause. */
static inline void brute_measure(const brute *b, brute_piece *piece)
{
  double M[2 * BRUTE_POINTS][BRUTE_ROWS + 1];
  double V[2 * BRUTE_POINTS][BRUTE_ROWS + 1];
  int order[BRUTE_ROWS];
  int count = 0;
  for (int k = 1; k < piece->vertices + piece->rays; k++, count++) {
    for (int j = 0; j < b->rows; j++) {
      M[count][j] = k < piece->vertices ? piece->vertex[k][j] - piece->vertex[0][j]
                                        : piece->ray[k - piece->vertices][j];
    }
    for (int i = 0; i < b->rows; i++) {
      V[count][i] = 0.0;
      for (int j = 0; j < b->rows; j++) {
        V[count][i] += b->p->G[(size_t)i * (size_t)b->p->ldg + (size_t)j] * M[count][j];
      }
    }
    M[count][b->rows] = V[count][b->rows] = 0.0;
  }
  piece->dimension = brute_eliminate(count, b->rows, M, order);
  piece->velocity_dimension = brute_eliminate(count, b->rows, V, order);
}

static inline void brute_finish_choice(brute *b)
{
  double M[2 * BRUTE_LIMITS][BRUTE_ROWS + 1];
  int chosen[BRUTE_LIMITS];
  int order[BRUTE_ROWS];
  const int n = b->rows;
  memset(&b->scratch, 0, sizeof b->scratch);
  const int free = n - brute_eliminate(brute_system(b, chosen, 0, M), n, M, order);
  for (int i = 0; i < b->limits; i++) {
    chosen[i] = i;
  }
  if (brute_eliminate(brute_system(b, chosen, b->limits, M), n, M, order) < n) {
    b->has_line = 1;
    return;
  }
  brute_choose(b, chosen, 0, 0, free, 0);
  if (b->scratch.vertices == 0) {
    return;
  }
  if (free > 0) {
    brute_choose(b, chosen, 0, 0, free - 1, 1);
  }
  for (int k = 0; k < b->scratch.vertices; k++) {
    brute_signs(b, b->scratch.vertex[k], 1.0, b->scratch.sign);
  }
  for (int k = 0; k < b->scratch.rays; k++) {
    brute_signs(b, b->scratch.ray[k], 0.0, b->scratch.sign);
  }
  int kept = 0;
  for (int k = 0; k < b->pieces; k++) {
    if (brute_covers(b, &b->piece[k], &b->scratch)) {
      return;
    }
  }
  for (int k = 0; k < b->pieces; k++) {
    if (!brute_covers(b, &b->scratch, &b->piece[k])) {
      b->piece[kept++] = b->piece[k];
    }
  }
  b->pieces = kept;
  ck_assert_int_lt(b->pieces, BRUTE_PIECES);
  brute_measure(b, &b->scratch);
  b->piece[b->pieces++] = b->scratch;
}

/* All choices of modes. */
static inline void brute_run(brute *b, const nsd_contact_data *p)
{
  ck_assert(p->rows <= BRUTE_ROWS && p->contacts <= BRUTE_CONTACTS);
  b->p = p;
  b->rows = p->rows;
  b->pieces = b->has_line = 0;
  int mode[BRUTE_CONTACTS] = {0};
  for (;;) {
    b->equations = b->limits = 0;
    for (int i = 0; i < p->contacts; i++) {
      brute_add_mode(b, &p->spec[i], mode[i]);
    }
    for (int i = p->rows - p->bilateral; i < p->rows; i++) {
      brute_equals(b, brute_velocity(b, i, 1.0));
    }
    brute_finish_choice(b);
    int i = 0;
    while (i < p->contacts && ++mode[i] == brute_modes(&p->spec[i])) {
      mode[i++] = 0;
    }
    if (i == p->contacts) {
      return;
    }
  }
}

#endif
