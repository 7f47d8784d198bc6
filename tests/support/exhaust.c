/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "exhaust.h"

#include <string.h>

#include "base/arena.h"

#define SWEEPS 8

/* What is positive somewhere: bit i of x and of y. */
typedef struct support {
  uint32_t x;
  uint32_t y;
} support;

typedef struct choice {
  uint32_t alpha;
  support support;
} choice;

typedef struct judge {
  int n;
  double tol;
  double *A;      /* n × n, rows and columns scaled */
  double *b;      /* n */
  double *unit;   /* n: x = unit · scaled x */
  double *M;      /* n × (n + 1): the equations, being reduced */
  double *M_size; /* n: what their right sides were summed from */
  int *column;    /* n: which unknown stands in a column of M */
  double *z;      /* n × (n + 1): the n inequalities z = z_0 + Z t, row i (x_i or y_i) of width d + 1 */
  double *size;   /* n × (n + 1): what their numbers were summed from */
  double *S;      /* n × (n + 1): the small systems */
  double *t;      /* n */
  double *t_size; /* n */
  double *x_size; /* n */
  double *point;  /* 2n: one candidate, x then y */
  double *list;   /* most × n: vertices, then rays */
  support *of;    /* most: their supports */
  int32_t *flags; /* n */
  int count;      /* candidates kept in the list */
  int vertices;   /* of these */
  choice *kept;   /* grown */
  size_t kept_count;
  size_t kept_capacity;
} judge;

static size_t most_candidates(int n)
{
  double binomial = 1.0;
  for (int k = 1; k <= n / 2; k++) {
    binomial = binomial * (n - k + 1) / k;
  }
  return 4 * (size_t)(binomial + 1.5);
}

static void lay_out(nsd_arena *arena, judge *w, int n)
{
  const size_t size = (size_t)n;
  const size_t most = most_candidates(n);
  w->n = n;
  w->A = nsd_arena_take(arena, size * size, sizeof *w->A);
  w->b = nsd_arena_take(arena, size, sizeof *w->b);
  w->unit = nsd_arena_take(arena, size, sizeof *w->unit);
  w->M = nsd_arena_take(arena, size * (size + 1), sizeof *w->M);
  w->M_size = nsd_arena_take(arena, size, sizeof *w->M_size);
  w->column = nsd_arena_take(arena, size, sizeof *w->column);
  w->z = nsd_arena_take(arena, size * (size + 1), sizeof *w->z);
  w->size = nsd_arena_take(arena, size * (size + 1), sizeof *w->size);
  w->S = nsd_arena_take(arena, size * (size + 1), sizeof *w->S);
  w->t = nsd_arena_take(arena, size + 1, sizeof *w->t);
  w->t_size = nsd_arena_take(arena, size + 1, sizeof *w->t_size);
  w->x_size = nsd_arena_take(arena, size, sizeof *w->x_size);
  w->point = nsd_arena_take(arena, 2 * size, sizeof *w->point);
  w->list = nsd_arena_take(arena, most * size, sizeof *w->list);
  w->of = nsd_arena_take(arena, most, sizeof *w->of);
  w->flags = nsd_arena_take(arena, size, sizeof *w->flags);
}

/* Divides a line of A (n elements, `step` apart) by the geometric mean of its least and largest element, or
 * by the largest; returns the factor. */
static double scale_line(double *a, int step, int n, int by_largest)
{
  double least = INFINITY, most = 0.0;
  for (int k = 0; k < n; k++) {
    const double size = fabs(a[k * step]);
    least = size > 0.0 ? fmin(least, size) : least;
    most = fmax(most, size);
  }
  const double f = most == 0.0 ? 1.0 : by_largest ? 1.0 / most : 1.0 / (sqrt(least) * sqrt(most));
  for (int k = 0; k < n; k++) {
    a[k * step] *= f;
  }
  return f;
}

static void scale(judge *w, const nsd_lcp_problem *p)
{
  const int n = w->n;
  for (int i = 0; i < n; i++) {
    memcpy(w->A + i * n, nsd_lcp_row(p, i), (size_t)n * sizeof *w->A);
    w->b[i] = p->b[i];
    w->unit[i] = 1.0;
  }
  for (int sweep = 0; sweep <= SWEEPS; sweep++) {
    for (int j = 0; j < n && sweep < SWEEPS; j++) {
      w->unit[j] *= scale_line(w->A + j, n, n, 0);
    }
    for (int i = 0; i < n; i++) {
      w->b[i] *= scale_line(w->A + i * n, 1, n, sweep == SWEEPS);
    }
  }
}

/* Gauss–Jordan with complete pivoting on the m × k matrix M with a right side in column k; `column` records
 * the order of its columns, `size` the sums of the sizes of what the right sides were summed from. Returns
 * the rank; elements below tol of the largest are none. */
static int reduce(double *M, double *size, int m, int k, int *column, double tol)
{
  const int width = k + 1;
  double first = 0.0;
  for (int i = 0; i < m; i++) {
    size[i] = fabs(M[i * width + k]);
  }
  for (int c = 0; c < k; c++) {
    column[c] = c;
  }
  for (int step = 0; step < m && step < k; step++) {
    int row = step, col = step;
    double most = 0.0;
    for (int i = step; i < m; i++) {
      for (int j = step; j < k; j++) {
        if (fabs(M[i * width + j]) > most) {
          most = fabs(M[i * width + j]);
          row = i;
          col = j;
        }
      }
    }
    first = step == 0 ? most : first;
    if (!(most > tol * first)) {
      return step;
    }
    for (int j = 0; j < width; j++) {
      const double swap = M[step * width + j];
      M[step * width + j] = M[row * width + j];
      M[row * width + j] = swap;
    }
    for (int i = 0; i < m; i++) {
      const double swap = M[i * width + step];
      M[i * width + step] = M[i * width + col];
      M[i * width + col] = swap;
    }
    const int swap = column[step];
    column[step] = column[col];
    column[col] = swap;
    const double swap_size = size[step];
    size[step] = size[row];
    size[row] = swap_size;
    const double inverse = 1.0 / M[step * width + step];
    size[step] *= fabs(inverse);
    for (int j = 0; j < width; j++) {
      M[step * width + j] *= inverse;
    }
    for (int i = 0; i < m; i++) {
      const double f = i == step ? 0.0 : M[i * width + step];
      size[i] += fabs(f) * size[step];
      for (int j = 0; i != step && j < width; j++) {
        const double term = f * M[step * width + j];
        const double rest = M[i * width + j] - term;
        M[i * width + j] = fabs(rest) <= 1e-12 * fabs(term) ? 0.0 : rest;
      }
    }
  }
  return m < k ? m : k;
}

/* Column `c` of the inequalities z_0 + Z t >= 0: c = 0 stands for x_0, c > 0 for a column of N in
 * x_α = x_0 + N t. Row i is x_i for i in α and y_i else. */
static void put_column(judge *w, uint32_t alpha, int d, int c, const double *x)
{
  const int n = w->n;
  for (int i = 0; i < n; i++) {
    double value = x[i], size = w->x_size[i];
    if (!(alpha >> i & 1u)) {
      value = c == 0 ? w->b[i] : 0.0;
      size = fabs(value);
      for (int j = 0; j < n; j++) {
        value += w->A[i * n + j] * x[j];
        size += fabs(w->A[i * n + j]) * w->x_size[j];
      }
    }
    w->z[i * (d + 1) + c] = fabs(value) <= w->tol * size ? 0.0 : value;
    w->size[i * (d + 1) + c] = size;
  }
}

/* Reduces the equations of α. Returns the number d of parameters, −1 where they contradict each other. */
static int parametrize(judge *w, uint32_t alpha)
{
  const int n = w->n;
  int member[NSD_EXHAUST_MOST];
  int k = 0;
  for (int i = 0; i < n; i++) {
    if (alpha >> i & 1u) {
      member[k++] = i;
    }
  }
  for (int r = 0; r < k; r++) {
    for (int c = 0; c < k; c++) {
      w->M[r * (k + 1) + c] = w->A[member[r] * n + member[c]];
    }
    w->M[r * (k + 1) + k] = -w->b[member[r]];
  }
  const int rank = reduce(w->M, w->M_size, k, k, w->column, w->tol);
  const int d = k - rank;
  for (int r = rank; r < k; r++) {
    if (fabs(w->M[r * (k + 1) + k]) > w->tol * w->M_size[r]) {
      return -1;
    }
  }
  double *x = w->point;
  for (int c = 0; c <= d; c++) {
    memset(x, 0, (size_t)n * sizeof *x);
    memset(w->x_size, 0, (size_t)n * sizeof *w->x_size);
    for (int r = 0; r < rank; r++) {
      const int j = member[w->column[r]];
      x[j] = c == 0 ? w->M[r * (k + 1) + k] : -w->M[r * (k + 1) + rank + c - 1];
      w->x_size[j] = c == 0 ? w->M_size[r] : fmax(1.0, fabs(x[j]));
    }
    if (c > 0) {
      x[member[w->column[rank + c - 1]]] = 1.0;
      w->x_size[member[w->column[rank + c - 1]]] = 1.0;
    }
    put_column(w, alpha, d, c, x);
  }
  return d;
}

/* Keeps the point z_0 + Z t (or, without z_0, the direction Z t) where it satisfies all inequalities and is
 * new. */
static void keep(judge *w, uint32_t alpha, int d, const double *t, const double *t_size, int ray)
{
  const int n = w->n;
  support s = {0, 0};
  double longest = 0.0;
  for (int i = 0; i < n; i++) {
    double value = ray ? 0.0 : w->z[i * (d + 1)];
    double size = ray ? 0.0 : w->size[i * (d + 1)];
    for (int c = 0; c < d; c++) {
      value += w->z[i * (d + 1) + c + 1] * t[c];
      size += w->size[i * (d + 1) + c + 1] * t_size[c];
    }
    if (value < -w->tol * size) {
      return;
    }
    const int positive = value > w->tol * size;
    const int is_x = (int)(alpha >> i & 1u);
    s.x |= (uint32_t)(positive && is_x) << i;
    s.y |= (uint32_t)(positive && !is_x) << i;
    w->point[i] = positive && is_x ? value * w->unit[i] : 0.0;
    longest = fmax(longest, w->point[i]);
  }
  for (int k = ray ? w->vertices : 0; k < w->count; k++) {
    if (w->of[k].x == s.x && w->of[k].y == s.y) {
      return;
    }
  }
  if (ray && longest == 0.0) {
    return;
  }
  for (int i = 0; i < n; i++) {
    w->list[(size_t)w->count * (size_t)n + (size_t)i] = ray ? w->point[i] / longest : w->point[i];
  }
  w->of[w->count++] = s;
}

/* The point, or with `ray` both directions, at which the chosen inequalities are equations. */
static void try_active(judge *w, uint32_t alpha, int d, const int *chosen, int m, int ray)
{
  int column[NSD_EXHAUST_MOST + 1];
  double size[NSD_EXHAUST_MOST + 1];
  for (int r = 0; r < m; r++) {
    for (int c = 0; c < d; c++) {
      w->S[r * (d + 1) + c] = w->z[chosen[r] * (d + 1) + c + 1];
    }
    w->S[r * (d + 1) + d] = -w->z[chosen[r] * (d + 1)];
  }
  if (reduce(w->S, w->t_size, m, d, column, w->tol) < m) {
    return;
  }
  if (!ray) {
    for (int r = 0; r < d; r++) {
      w->t[column[r]] = w->S[r * (d + 1) + d];
      size[column[r]] = w->t_size[r];
    }
    keep(w, alpha, d, w->t, size, 0);
    return;
  }
  for (int side = 0; side < 2; side++) {
    const double sign = side ? 1.0 : -1.0;
    w->t[column[d - 1]] = sign;
    size[column[d - 1]] = 1.0;
    for (int r = 0; r < d - 1; r++) {
      w->t[column[r]] = -sign * w->S[r * (d + 1) + d - 1];
      size[column[r]] = fmax(1.0, fabs(w->t[column[r]]));
    }
    keep(w, alpha, d, w->t, size, 1);
  }
}

/* All choices of m of the n inequalities. */
static void try_all(judge *w, uint32_t alpha, int d, int m, int ray)
{
  int chosen[NSD_EXHAUST_MOST + 1];
  for (int k = 0; k < m; k++) {
    chosen[k] = k;
  }
  for (;;) {
    try_active(w, alpha, d, chosen, m, ray);
    int k = m - 1;
    while (k >= 0 && chosen[k] == w->n - m + k) {
      k--;
    }
    if (k < 0) {
      return;
    }
    chosen[k]++;
    for (k++; k < m; k++) {
      chosen[k] = chosen[k - 1] + 1;
    }
  }
}

/* Vertices and rays of α into the list; 0 where it has no point. */
static int solve_choice(judge *w, uint32_t alpha)
{
  w->count = w->vertices = 0;
  const int d = parametrize(w, alpha);
  if (d >= 0) {
    try_all(w, alpha, d, d, 0);
    w->vertices = w->count;
    if (w->vertices && d > 0) {
      try_all(w, alpha, d, d - 1, 1);
    }
  }
  return w->vertices;
}

static int within(support small, support large)
{
  return !(small.x & ~large.x) && !(small.y & ~large.y);
}

/* Adds what the list holds, unless a kept choice has it all; drops what it has. */
static nsdyn_status add(nsdyn_context *ctx, judge *w, uint32_t alpha)
{
  support all = {0, 0};
  for (int k = 0; k < w->count; k++) {
    all.x |= w->of[k].x;
    all.y |= w->of[k].y;
  }
  size_t count = 0;
  for (size_t k = 0; k < w->kept_count; k++) {
    if (within(all, w->kept[k].support)) {
      return NSDYN_OK;
    }
  }
  for (size_t k = 0; k < w->kept_count; k++) {
    if (!within(w->kept[k].support, all)) {
      w->kept[count++] = w->kept[k];
    }
  }
  w->kept_count = count;
  if (count == w->kept_capacity) {
    const size_t capacity = count ? 2 * count : 64;
    choice *kept = nsd_allocate(ctx, capacity, sizeof *kept);
    if (!kept) {
      return NSDYN_ERR_NOMEM;
    }
    if (count) {
      memcpy(kept, w->kept, count * sizeof *kept);
    }
    nsd_release(ctx, w->kept, w->kept_capacity, sizeof *kept);
    w->kept = kept;
    w->kept_capacity = capacity;
  }
  w->kept[w->kept_count++] = (choice){.alpha = alpha, .support = all};
  return NSDYN_OK;
}

/* Rank of the edges from the first vertex and of the rays, in scaled x. */
static int dimension(judge *w)
{
  const int n = w->n;
  int rank = 0;
  double *basis = w->M; /* orthonormal rows found so far */
  for (int k = 1; k < w->count && rank < n; k++) {
    double *row = basis + rank * n;
    double before = 0.0, after = 0.0;
    for (int i = 0; i < n; i++) {
      const double from = k < w->vertices ? w->list[i] : 0.0;
      row[i] = (w->list[(size_t)k * (size_t)n + (size_t)i] - from) / w->unit[i];
      before += row[i] * row[i];
    }
    for (int pass = 0; pass < 2; pass++) {
      for (int r = 0; r < rank; r++) {
        double dot = 0.0;
        for (int i = 0; i < n; i++) {
          dot += row[i] * basis[r * n + i];
        }
        for (int i = 0; i < n; i++) {
          row[i] -= dot * basis[r * n + i];
        }
      }
    }
    for (int i = 0; i < n; i++) {
      after += row[i] * row[i];
    }
    if (after > 1e-14 * before) {
      for (int i = 0; i < n; i++) {
        row[i] /= sqrt(after);
      }
      rank++;
    }
  }
  return rank;
}

static nsdyn_status hand_out(judge *w, const choice *c, nsd_lcp_visit *visit, void *user,
                             nsdyn_lcp_census *census)
{
  solve_choice(w, c->alpha);
  nsdyn_lcp_piece piece = {.size = sizeof piece, .n = w->n, .vertices = w->vertices};
  piece.rays = w->count - w->vertices;
  piece.dimension = dimension(w);
  piece.vertex = w->list;
  piece.ray = w->list + (size_t)w->vertices * (size_t)w->n;
  piece.support = w->flags;
  for (int i = 0; i < w->n; i++) {
    w->flags[i] = (int32_t)((c->support.x >> i & 1u) | (c->support.y >> i & 1u) << 1);
  }
  ++*(piece.dimension == 0 ? &census->points
      : piece.rays         ? &census->unbounded_pieces
                           : &census->bounded_pieces);
  census->max_dimension = piece.dimension > census->max_dimension ? piece.dimension : census->max_dimension;
  return visit && visit(user, &piece) ? NSDYN_CANCELLED : NSDYN_OK;
}

static nsdyn_status run(nsdyn_context *ctx, judge *w, nsd_lcp_visit *visit, void *user,
                        nsdyn_lcp_census *census)
{
  nsdyn_status status = NSDYN_OK;
  for (uint32_t alpha = 0; alpha < (uint32_t)1 << w->n && status == NSDYN_OK; alpha++) {
    if (solve_choice(w, alpha)) {
      status = add(ctx, w, alpha);
    }
    if (alpha % 1024 == 1023 && status == NSDYN_OK) {
      status = nsd_progress(ctx, "trying all bases", (double)alpha / (double)((uint32_t)1 << w->n));
    }
  }
  for (size_t k = 0; k < w->kept_count && status == NSDYN_OK; k++) {
    status = hand_out(w, &w->kept[k], visit, user, census);
  }
  census->complete = status == NSDYN_OK;
  return status == NSDYN_OK && w->kept_count == 0 ? NSDYN_NO_SOLUTION : status;
}

nsdyn_status nsd_exhaust(nsdyn_context *ctx, const nsd_lcp_problem *p, double tol, nsd_lcp_visit *visit,
                         void *user, nsdyn_lcp_census *census)
{
  const size_t size = census->size;
  *census = (nsdyn_lcp_census){.size = size, .max_dimension = -1};
  if (p->n > NSD_EXHAUST_MOST) {
    return NSDYN_ERR_TOO_LARGE;
  }
  judge w = {.tol = tol};
  nsd_arena measure = nsd_arena_measure();
  nsd_arena arena = nsd_arena_empty(ctx);
  lay_out(&measure, &w, p->n);
  nsdyn_status status = nsd_arena_reserve(&arena, &measure);
  if (status == NSDYN_OK) {
    lay_out(&arena, &w, p->n);
    scale(&w, p);
    status = run(ctx, &w, visit, user, census);
  }
  nsd_release(ctx, w.kept, w.kept_capacity, sizeof *w.kept);
  nsd_arena_release(&arena);
  return status;
}
