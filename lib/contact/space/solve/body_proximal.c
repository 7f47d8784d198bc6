/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "contact/space/solve/body_proximal.h"

#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "base/kernels/simd.h"
#include "base/tolerances.h"
#include "contact/space/friction.h"

enum {
  ROWS = NSD_CELL_ROWS,
  BODY = 6,   /* velocities of a body in space */
  LARGE = 32, /* velocities of a large one that are looked at together */
  SEARCHES = 30,
  PATIENCE = 4 /* steps that come no nearer */
};

#define ENOUGH 0.3 /* of the power at the start: what may be left where a search along a step ends */
#define NEARER 0.8 /* of the least rest so far: what counts as nearer */

nsd_proximal nsd_proximal_empty(nsdyn_context *ctx)
{
  return (nsd_proximal){
      .lu = nsd_block_lu_empty(ctx), .room = nsd_arena_empty(ctx), .pair_room = nsd_arena_empty(ctx)};
}

void nsd_proximal_release(nsd_proximal *w)
{
  nsd_block_lu_release(&w->lu);
  nsd_arena_release(&w->room);
  nsd_arena_release(&w->pair_room);
}

static void lay_out(nsd_arena *arena, nsd_proximal *w)
{
  const size_t cells = (size_t)w->cells, rows = (size_t)w->rows, columns = (size_t)w->columns;
  double **const by_row[] = {&w->Lambda, &w->center, &w->drift, &w->change};
  double **const by_column[] = {&w->v, &w->R, &w->step, &w->work};
  for (size_t i = 0; i < sizeof by_row / sizeof *by_row; i++) {
    *by_row[i] = nsd_arena_take(arena, rows, sizeof(double));
  }
  for (size_t i = 0; i < sizeof by_column / sizeof *by_column; i++) {
    *by_column[i] = nsd_arena_take(arena, columns, sizeof(double));
  }
  w->r = nsd_arena_take(arena, cells, sizeof *w->r);
  w->H = nsd_arena_take(arena, cells * ROWS * ROWS, sizeof *w->H);
  w->pair = nsd_arena_take(arena, cells + 1, sizeof *w->pair);
  w->begin = nsd_arena_take(arena, (size_t)w->groups + 1, sizeof *w->begin);
  w->own = nsd_arena_take(arena, (size_t)w->groups, sizeof *w->own);
  w->width = nsd_arena_take(arena, (size_t)w->groups, sizeof *w->width);
}

static void lay_out_pairs(nsd_arena *arena, nsd_proximal *w, size_t pairs)
{
  w->place = nsd_arena_take(arena, pairs, sizeof *w->place);
  w->column = nsd_arena_take(arena, pairs + (size_t)w->groups, sizeof *w->column);
  w->zeros = nsd_arena_take(arena, pairs + (size_t)w->groups, sizeof *w->zeros);
}

/* Ascending, without doubles; returns how many are left. Lists are as long as a body has contacts. */
static int64_t sort_once(int32_t *list, int64_t count)
{
  for (int64_t gap = count / 2; gap > 0; gap /= 2) { /* Shell 1959 */
    for (int64_t i = gap; i < count; i++) {
      const int32_t x = list[i];
      int64_t j = i;
      for (; j >= gap && list[j - gap] > x; j -= gap) {
        list[j] = list[j - gap];
      }
      list[j] = x;
    }
  }
  int64_t left = 0;
  for (int64_t i = 0; i < count; i++) {
    if (left == 0 || list[left - 1] != list[i]) {
      list[left++] = list[i];
    }
  }
  return left;
}

/* Which bodies share a contact: each body's list, itself in it. */
static void make_graph(nsd_proximal *w)
{
  const nsd_operator *op = w->op;
  for (int g = 0; g <= w->groups; g++) {
    w->begin[g] = 0;
  }
  for (int cell = 0; cell < op->cells; cell++) {
    const int64_t blocks = (int64_t)(op->line[cell + 1] - op->line[cell]);
    for (size_t e = op->line[cell]; e < op->line[cell + 1]; e++) {
      w->begin[op->of[e] + 1] += blocks;
    }
  }
  for (int g = 0; g < w->groups; g++) {
    w->width[g] = op->group[g + 1] - op->group[g];
    w->begin[g + 1] += w->begin[g] + 1;
    w->own[g] = w->begin[g]; /* where its next neighbour goes */
    w->column[w->own[g]++] = g;
  }
  for (int cell = 0; cell < op->cells; cell++) {
    for (size_t e = op->line[cell]; e < op->line[cell + 1]; e++) {
      for (size_t f = op->line[cell]; f < op->line[cell + 1]; f++) {
        w->column[w->own[op->of[e]]++] = op->of[f];
      }
    }
  }
  int64_t to = 0;
  for (int g = 0; g < w->groups; g++) {
    const int64_t from = w->begin[g], count = w->begin[g + 1] - from;
    memmove(w->column + to, w->column + from, (size_t)count * sizeof *w->column);
    w->begin[g] = to;
    to += sort_once(w->column + to, count);
  }
  w->begin[w->groups] = to;
  memset(w->zeros, 0, (size_t)to * sizeof *w->zeros);
}

nsdyn_status nsd_proximal_begin(nsd_proximal *w, const nsd_contact_data *d, const nsd_operator *op,
                                nsd_poll *poll)
{
  NSD_ASSERT(op->is_free);
  w->d = d;
  w->op = op;
  w->cells = op->cells;
  w->rows = op->rows;
  w->columns = op->columns;
  w->groups = op->groups;
  nsd_proximal counted = *w;
  nsd_arena measure = nsd_arena_measure();
  lay_out(&measure, &counted);
  nsdyn_status status = nsd_arena_reserve(&w->room, &measure);
  if (status) {
    return status;
  }
  lay_out(&w->room, w);
  size_t pairs = 0;
  for (int cell = 0; cell < op->cells; cell++) {
    const size_t blocks = op->line[cell + 1] - op->line[cell];
    w->pair[cell] = pairs;
    pairs += blocks * blocks;
    const double *own = op->own + (size_t)cell * 9;
    const double trace = own[0] + own[4] + own[8]; /* of rows that are not there 0 */
    w->r[cell] = trace > 0.0 ? trace / nsd_operator_rows_of(op, cell) : 1.0;
  }
  w->pair[op->cells] = pairs;
  measure = nsd_arena_measure();
  lay_out_pairs(&measure, &counted, pairs);
  status = nsd_arena_reserve(&w->pair_room, &measure);
  if (status) {
    return status;
  }
  lay_out_pairs(&w->pair_room, w, pairs);
  make_graph(w);
  status = nsd_block_lu_analyze(&w->lu, w->groups, w->width, w->begin, w->column, w->zeros, poll);
  if (status) {
    return status;
  }
  for (int g = 0; g < w->groups; g++) {
    w->own[g] = nsd_block_lu_place(&w->lu, g, g);
  }
  for (int cell = 0; cell < op->cells; cell++) {
    size_t at = w->pair[cell];
    for (size_t e = op->line[cell]; e < op->line[cell + 1]; e++) {
      for (size_t f = op->line[cell]; f < op->line[cell + 1]; f++) {
        w->place[at++] = nsd_block_lu_place(&w->lu, op->of[e], op->of[f]);
      }
    }
  }
  return NSDYN_OK;
}

/* Λ := L(z) of one cell, and H = ∂L/∂z. */
static void answer(const nsd_contact_spec *s, const double *z, double *Lambda, double *H)
{
  const int is_slot = !s || s->kind == NSDYN_CONTACT_BILATERAL;
  const int is_closed = is_slot || z[0] > 0.0;
  Lambda[0] = is_closed ? z[0] : 0.0;
  memset(H, 0, ROWS * ROWS * sizeof *H);
  H[0] = is_closed ? 1.0 : 0.0;
  if (!s || s->friction == NSD_FRICTION_NONE) {
    return;
  }
  const int n = nsd_contact_rows_of(s) - 1;
  const double limit = nsd_friction_limit(s, Lambda[0]);
  const double slope = s->friction == NSD_FRICTION_GIVEN ? 0.0
                       : !is_closed                      ? 0.0
                       : Lambda[0] < 0.0                 ? -s->mu
                                                         : s->mu;
  double D[4] = {0.0, 0.0, 0.0, 0.0}, dp[2] = {0.0, 0.0};
  if (s->sliding) {
    const double e[2] = {s->sliding, 0.0};
    s->space ? nsd_friction_drag(s, -1.0, dp) : nsd_friction_support(s, -1.0, e, dp);
    Lambda[1] = limit * dp[0];
    if (n == 2) {
      Lambda[2] = limit * dp[1];
    }
  } else {
    nsd_friction_project(s, limit, z + 1, Lambda + 1);
    if (limit > 0.0) {
      nsd_friction_derivative(s, limit, z + 1, D, dp);
    }
  }
  for (int i = 0; i < n; i++) {
    H[ROWS * (1 + i)] = dp[i] * slope;
    for (int j = 0; j < n; j++) {
      H[ROWS * (1 + i) + 1 + j] = D[n * i + j];
    }
  }
}

/* Λ and H of all cells from W v + c. */
static void answer_all(nsd_proximal *w, double damping, const double *drift)
{
  for (int cell = 0; cell < w->cells; cell++) {
    const int row = w->op->row[cell], rows = nsd_operator_rows_of(w->op, cell);
    const double k = damping * w->r[cell];
    double z[ROWS];
    for (int i = 0; i < rows; i++) {
      z[i] = w->center[row + i] - drift[row + i] / k;
    }
    const nsd_contact_spec *s = cell < w->d->contacts ? &w->d->spec[cell] : NULL;
    answer(s, z, w->Lambda + row, w->H + (size_t)cell * ROWS * ROWS);
  }
}

/* y := W x (rows) */
static void apply(const nsd_proximal *w, const double *x, double *y)
{
  for (int cell = 0; cell < w->cells; cell++) {
    nsd_operator_product(w->op, cell, x, y + w->op->row[cell]);
  }
}

/* R := M v − Wᵀ Λ. Returns its largest element beside the largest sum of terms that one is made of. */
static double find_rest(nsd_proximal *w, const double *v, double *R)
{
  const nsd_operator *op = w->op;
  for (int g = 0; g < w->groups; g++) {
    const int at = op->group[g], n = op->group[g + 1] - at;
    const double *M = op->mass + op->inverse_at[g];
    for (int i = 0; i < n; i++) {
      double sum = 0.0;
      for (int j = 0; j < n; j++) {
        sum += M[i * n + j] * v[at + j];
      }
      R[at + i] = sum;
      w->work[at + i] = fabs(sum);
    }
  }
  for (int cell = 0; cell < w->cells; cell++) {
    const int rows = nsd_operator_rows_of(op, cell);
    const double *B = op->block + op->first[cell], *L = w->Lambda + op->row[cell];
    for (size_t e = op->line[cell]; e < op->line[cell + 1]; e++) {
      const int at = op->group[op->of[e]], n = op->group[op->of[e] + 1] - at;
      for (int i = 0; i < rows; i++) {
        for (int j = 0; j < n; j++) {
          const double term = B[i * n + j] * L[i];
          R[at + j] -= term;
          w->work[at + j] += fabs(term);
        }
      }
      B += rows * n;
    }
  }
  double most = 0.0, size = 0.0;
  for (int j = 0; j < w->columns; j++) {
    most = fabs(R[j]) <= most ? most : fabs(R[j]); /* a NaN stays */
    size = fmax(size, w->work[j]);
  }
  return size > 0.0 ? most / size : most;
}

/* to (n × m) += leftᵀ (H / k) right, for large bodies: along the rows of `to`. */
NSD_INLINE void large_product(int rows, const double *H, double k, int n, const double *left, int m,
                              const double *right, double *to)
{
  double HW[ROWS][LARGE] = {{0.0}};
  for (int from = 0; from < m; from += LARGE) {
    const int width = m - from < LARGE ? m - from : LARGE;
    for (int i = 0; i < rows; i++) {
      for (int j = 0; j < width; j++) {
        double sum = 0.0;
        for (int l = 0; l < rows; l++) {
          sum += H[ROWS * i + l] * right[l * m + from + j];
        }
        HW[i][j] = sum / k;
      }
    }
    for (int i = 0; i < n; i++) {
      double *row = to + (ptrdiff_t)i * m + from;
      double by[ROWS] = {0.0, 0.0, 0.0};
      for (int l = 0; l < rows; l++) {
        by[l] = left[l * n + i];
      }
      int j = 0;
      for (; j + NSD_LANES <= width; j += NSD_LANES) {
        const nsd_lanes sum = nsd_lanes_all(by[0]) * nsd_lanes_load(HW[0] + j) +
                              nsd_lanes_all(by[1]) * nsd_lanes_load(HW[1] + j) +
                              nsd_lanes_all(by[2]) * nsd_lanes_load(HW[2] + j);
        nsd_lanes_store(row + j, nsd_lanes_load(row + j) + sum);
      }
      for (; j < width; j++) {
        row[j] += by[0] * HW[0][j] + by[1] * HW[1][j] + by[2] * HW[2][j];
      }
    }
  }
}

static void large_product_plain(int rows, const double *H, double k, int n, const double *left, int m,
                                const double *right, double *to)
{
  large_product(rows, H, k, n, left, m, right, to);
}

#if NSD_HAVE_AVX2
NSD_TARGET_AVX2 static void large_product_avx2(int rows, const double *H, double k, int n, const double *left,
                                               int m, const double *right, double *to)
{
  large_product(rows, H, k, n, left, m, right, to);
}
#else
#define large_product_avx2 large_product_plain
#endif

/* The same, of a few velocities. */
NSD_INLINE void add_product(int rows, const double *restrict H, double k, int n, const double *restrict left,
                            int m, const double *restrict right, double *restrict to)
{
  for (int j = 0; j < m; j++) {
    double HW[ROWS];
    for (int i = 0; i < rows; i++) {
      double sum = 0.0;
      for (int l = 0; l < rows; l++) {
        sum += H[ROWS * i + l] * right[l * m + j];
      }
      HW[i] = sum / k;
    }
    for (int i = 0; i < n; i++) {
      double sum = 0.0;
      for (int l = 0; l < rows; l++) {
        sum += left[l * n + i] * HW[l];
      }
      to[i * m + j] += sum;
    }
  }
}

static void add_pair(int rows, const double *H, double k, int n, const double *left, int m,
                     const double *right, double *to)
{
  if (rows == ROWS && n == BODY && m == BODY) { /* bodies in space: loops of known length */
    add_product(ROWS, H, k, BODY, left, BODY, right, to);
  } else if (m > BODY) {
    (nsd_cpu_avx2() ? large_product_avx2 : large_product_plain)(rows, H, k, n, left, m, right, to);
  } else {
    add_product(rows, H, k, n, left, m, right, to);
  }
}

/* M + Wᵀ (H / k) W */
static void fill(nsd_proximal *w, double damping)
{
  const nsd_operator *op = w->op;
  double *A = w->lu.value;
  nsd_block_lu_clear(&w->lu);
  for (int g = 0; g < w->groups; g++) {
    const size_t n = (size_t)w->width[g];
    memcpy(A + w->own[g], op->mass + op->inverse_at[g], n * n * sizeof *A);
  }
  for (int cell = 0; cell < w->cells; cell++) {
    const int rows = nsd_operator_rows_of(op, cell);
    const double *H = w->H + (size_t)cell * ROWS * ROWS, k = damping * w->r[cell];
    const int *of = op->of + op->line[cell];
    const size_t blocks = op->line[cell + 1] - op->line[cell];
    const int is_idle = H[0] == 0.0 && H[4] == 0.0 && H[8] == 0.0;
    const double *left = op->block + op->first[cell];
    for (size_t e = 0; e < blocks && !is_idle; e++) {
      const int n = w->width[of[e]];
      const double *right = op->block + op->first[cell];
      for (size_t f = 0; f < blocks; f++) {
        const int m = w->width[of[f]];
        add_pair(rows, H, k, n, left, m, right, A + w->place[w->pair[cell] + e * blocks + f]);
        right += rows * m;
      }
      left += rows * n;
    }
  }
}

/* Where the load decides on friction, ∂L/∂z is not symmetric. Without that part, as if limits were given, the
 * matrix is positive definite. */
static void hold_limits(nsd_proximal *w)
{
  for (int cell = 0; cell < w->cells; cell++) {
    double *H = w->H + (size_t)cell * ROWS * ROWS;
    H[ROWS] = H[2 * ROWS] = 0.0;
  }
}

static double dot(int n, const double *x, const double *y)
{
  double sum = 0.0;
  for (int i = 0; i < n; i++) {
    sum += x[i] * y[i];
  }
  return sum;
}

/* d := −(matrix)⁻¹ R. Returns the power dᵀ R; NaN where there is none. */
static double find_step(nsd_proximal *w, double damping)
{
  fill(w, damping);
  if (!nsd_block_lu_factor(&w->lu)) {
    return NAN;
  }
  for (int j = 0; j < w->columns; j++) {
    w->step[j] = -w->R[j];
  }
  nsd_block_lu_solve(&w->lu, w->step, w->work);
  return dot(w->columns, w->step, w->R);
}

/* The power dᵀ (M (v + t d) − Wᵀ L) along a step: p + t p' but for what the laws make of it. */
typedef struct line {
  double start; /* at t = 0, with L */
  double at_v;  /* dᵀ M v */
  double at_d;  /* dᵀ M d */
} line;

static line line_of(const nsd_proximal *w, double power)
{
  line l = {.start = power};
  for (int g = 0; g < w->groups; g++) {
    const int at = w->op->group[g], n = w->op->group[g + 1] - at;
    const double *M = w->op->mass + w->op->inverse_at[g], *d = w->step + at;
    for (int i = 0; i < n; i++) {
      l.at_v += d[i] * dot(n, M + (ptrdiff_t)i * n, w->v + at);
      l.at_d += d[i] * dot(n, M + (ptrdiff_t)i * n, d);
    }
  }
  return l;
}

/* The power at t, and its derivative. */
static double power_at(nsd_proximal *w, double damping, const line *l, double t, double *slope)
{
  for (int i = 0; i < w->rows; i++) {
    w->Lambda[i] = w->drift[i] + t * w->change[i]; /* W v + c there; then Λ */
  }
  answer_all(w, damping, w->Lambda);
  double power = l->at_v + t * l->at_d;
  *slope = l->at_d;
  for (int cell = 0; cell < w->cells; cell++) {
    const int row = w->op->row[cell], rows = nsd_operator_rows_of(w->op, cell);
    const double *H = w->H + (size_t)cell * ROWS * ROWS, *x = w->change + row;
    double curve = 0.0;
    for (int i = 0; i < rows; i++) {
      power -= x[i] * w->Lambda[row + i];
      curve += x[i] * dot(rows, H + (ptrdiff_t)ROWS * i, x);
    }
    *slope += curve / (damping * w->r[cell]);
  }
  return power;
}

/* t where the power has fallen enough, by Newton's method within a bracket; a whole step that is downhill at
 * its end is taken as it is. 0 where there is none. */
static double search(nsd_proximal *w, double damping, double power)
{
  const line l = line_of(w, power);
  double low = 0.0, high = INFINITY, t = 1.0;
  for (int k = 0; k < SEARCHES; k++) {
    double slope;
    const double there = power_at(w, damping, &l, t, &slope);
    if (fabs(there) <= ENOUGH * fabs(l.start) || (there < 0.0 && high == (double)INFINITY)) {
      return t;
    }
    *(there < 0.0 ? &low : &high) = t;
    const double next = t - there / slope;
    t = next > low && next < high ? next : 0.5 * (low + high);
  }
  return low;
}

int nsd_proximal_solve(nsd_proximal *w, double damping, double small, int most, double *Lambda, int *steps,
                       nsd_poll *poll)
{
  const size_t bytes = (size_t)w->rows * sizeof *Lambda;
  /* 1: Λ₀, and v = M⁻¹ Wᵀ Λ₀, where Newton's method begins. */
  memcpy(w->center, Lambda, bytes);
  nsd_operator_start(w->op, Lambda, w->v);
  double least = INFINITY;
  int is_done = 0, since = 0;
  for (int k = 0; k <= most && since <= PATIENCE; k++) {
    /* 2: Λ = L(v), and what M v − Wᵀ Λ leaves. */
    apply(w, w->v, w->drift);
    for (int i = 0; i < w->rows; i++) {
      w->drift[i] += w->d->c[i];
    }
    answer_all(w, damping, w->drift);
    const double share = find_rest(w, w->v, w->R);
    is_done = share <= small;
    since = share < NEARER * least ? 0 : since + 1;
    least = fmin(share, least);
    if (is_done || k == most || since > PATIENCE) {
      break;
    }
    /* 3: Newton's step; downhill, if need be with the limits of friction held. */
    double power = find_step(w, damping);
    if (!(power < 0.0)) {
      hold_limits(w);
      power = find_step(w, damping);
    }
    if (!(power < 0.0) || nsd_poll_stops(poll, 2.0 * w->lu.work + 300.0 * w->rows)) {
      break;
    }
    ++*steps;
    /* 4: as far along it as the power falls. */
    apply(w, w->step, w->change);
    const double t = search(w, damping, power);
    for (int j = 0; j < w->columns; j++) {
      w->v[j] += t * w->step[j];
    }
    since = t > 0.0 ? since : PATIENCE + 1;
  }
  memcpy(Lambda, w->Lambda, bytes);
  return is_done;
}
