/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "contact/space/enumerate/slides.h"

#include <math.h>

#include "base/dense.h"
#include "base/tolerances.h"

enum { ROWS = NSD_SLIDES_ROWS, COLUMNS = ROWS + 1, SUBSETS = 1 << COLUMNS };

/* After so many parts that stay undecided nobody wants to know of more. */
enum { UNDECIDED_MOST = 64 };

/* ---- polynomials --------------------------------------------------------------------------------------- */

/* All minors of the first `rows` rows of A (rows × (rows + 1)) that leave one column out, and the same with
 * all signs plus, by Laplace's expansion row after row: rounding is a share of the latter. */
static void find_minors(int rows, double A[ROWS][COLUMNS], double *minor, double *size)
{
  double value[SUBSETS], sum[SUBSETS];
  value[0] = sum[0] = 1.0;
  const int all = (1 << (rows + 1)) - 1;
  for (int set = 1; set <= all; set++) {
    int members = 0;
    for (int j = 0; j <= rows; j++) {
      members += set >> j & 1;
    }
    value[set] = sum[set] = 0.0;
    if (members > rows) {
      continue;
    }
    /* The last row of this minor is row members − 1; its last column has the sign plus. */
    int sign = members % 2 ? 1 : -1;
    for (int j = 0; j <= rows; j++) {
      if (set >> j & 1) {
        const double a = A[members - 1][j];
        value[set] += sign * a * value[set & ~(1 << j)];
        sum[set] += fabs(a) * sum[set & ~(1 << j)];
        sign = -sign;
      }
    }
  }
  for (int j = 0; j <= rows; j++) {
    minor[j] = value[all & ~(1 << j)];
    size[j] = sum[all & ~(1 << j)];
  }
}

/* Which numerator: of contact k's Λ_N (0) or Λ_T (1, 2); the first is the determinant. */
static int place_of(int k, int which)
{
  return 1 + 3 * k + which;
}

static void add(nsd_bernstein *p, const int *at, double value, double size)
{
  p->b[at[0]][at[1]] += value;
  p->error = fmax(p->error, NSD_MINOR_ROUNDING * size);
}

/* The share of one choice of rows: in those of `replaced` (bits of the tangents) x e takes the place of
 * (1 − x) (K | r). What is replaced has y = 0 there, and goes out. */
static void add_choice(const nsd_slides *p, int replaced, nsd_bernstein *P)
{
  int active[ROWS] = {0}, count = 0, at[2] = {0, 0}, place[ROWS] = {0};
  for (int i = 0; i < p->n; i++) {
    int is_out = 0;
    for (int k = 0; k < p->count; k++) {
      for (int t = 0; t < 2; t++) {
        if (i == p->slide[k].tangent + t && replaced >> (2 * k + t) & 1) {
          is_out = 1;
          at[k]++;
        }
      }
    }
    place[i] = is_out ? -1 : count;
    if (!is_out) {
      active[count++] = i;
    }
  }
  double A[ROWS][COLUMNS], minor[COLUMNS], size[COLUMNS];
  for (int i = 0; i < count; i++) {
    for (int j = 0; j < count; j++) {
      A[i][j] = p->K[active[i] * p->n + active[j]];
    }
    A[i][count] = p->r[active[i]];
  }
  find_minors(count, A, minor, size);
  /* Two replaced rows of a pair can be had in one way, one in two, and so can B_j: an average. */
  const double share = (at[0] == 1 ? 0.5 : 1.0) * (at[1] == 1 ? 0.5 : 1.0);
  add(&P[0], at, share * minor[count], size[count]);
  for (int k = 0; k < p->count; k++) {
    const nsd_slide *s = &p->slide[k];
    for (int t = 0; t < 3; t++) {
      const int unknown = t == 0 ? s->normal : s->tangent + t - 1, j = unknown < 0 ? -1 : place[unknown];
      if (j >= 0) {
        /* r stands in the last column, not in that of y_j. */
        const double sign = (count - 1 - j) % 2 ? -share : share;
        add(&P[place_of(k, t)], at, sign * minor[j], size[j]);
      }
    }
  }
}

/* Where K is singular and r in its range, all numerators vanish with s = 0, which is no sliding. Of one
 * contact that is divided out; of two it is a void point (is_void() below). What is rounding counts as zero.
 */
static void divide_out(nsd_bernstein *P)
{
  for (int i = 0; i <= 3; i++) {
    if (fabs(P[i].b[0][0]) > NSD_MINOR_VANISHES * P[i].error) {
      return;
    }
  }
  for (int i = 0; i <= 3; i++) {
    nsd_bernstein_divide(&P[i], 0);
  }
}

/* f_k = ‖T‖² − (μ N)², or − (bound D)²: of each part anew, since its rounding is that of the numerators
 * there. */
static void square_up(const nsd_slides *p, nsd_slides_box *box)
{
  for (int k = 0; k < p->count; k++) {
    const nsd_slide *s = &p->slide[k];
    box->f[k] = (nsd_bernstein){.error = 0.0};
    const nsd_bernstein *N = &box->P[place_of(k, 0)], *T = &box->P[place_of(k, 1)];
    const nsd_bernstein *limit = s->mu > 0.0 ? N : box->P;
    const double steep = s->mu > 0.0 ? s->mu : s->bound;
    nsd_bernstein_add_product(&box->f[k], 1.0, &T[0], &T[0]);
    nsd_bernstein_add_product(&box->f[k], 1.0, &T[1], &T[1]);
    nsd_bernstein_add_product(&box->f[k], -steep * steep, limit, limit);
  }
}

static void fill_square(const nsd_slides *p, nsd_slides_box *square)
{
  *square = (nsd_slides_box){.low = {0.0, 0.0}, .width = {1.0, 1.0}};
  nsd_bernstein *P = square->P;
  for (int i = 0; i < NSD_SLIDES_QUOTIENTS; i++) {
    P[i].degree[0] = 2;
    P[i].degree[1] = p->count == 2 ? 2 : 0;
  }
  for (int replaced = 0; replaced < 1 << 2 * p->count; replaced++) {
    add_choice(p, replaced, P);
  }
  if (p->count == 1) {
    divide_out(P);
  }
  square_up(p, square);
}

/* ---- parts of the square ------------------------------------------------------------------------------- */

static int sign_of(const nsd_bernstein *p)
{
  double range[2];
  nsd_bernstein_range(p, range);
  return range[0] > p->error ? 1 : range[1] < -p->error ? -1 : 0;
}

/* Some f is not zero anywhere, or some Λ_N negative everywhere. */
static int is_empty(const nsd_slides *p, const nsd_slides_box *box)
{
  const int D = sign_of(&box->P[0]);
  for (int k = 0; k < p->count; k++) {
    const nsd_slide *s = &p->slide[k];
    if (sign_of(&box->f[k]) ||
        (s->is_one_sided && s->normal >= 0 && D && sign_of(&box->P[place_of(k, 0)]) == -D)) {
      return 1;
    }
  }
  return 0;
}

enum { EMPTY, ROOT, UNDECIDED };

/* Y := the inverse of f's Jacobian at t. */
static int invert_slopes(int count, const nsd_bernstein *f, const double *t, double Y[2][2], double *value)
{
  double J[2][2] = {{1.0, 0.0}, {0.0, 1.0}};
  for (int i = 0; i < count; i++) {
    value[i] = nsd_bernstein_at(&f[i], t, J[i]);
  }
  if (count == 1) {
    J[0][1] = 0.0;
  }
  const double det = J[0][0] * J[1][1] - J[0][1] * J[1][0];
  Y[0][0] = J[1][1] / det;
  Y[0][1] = -J[0][1] / det;
  Y[1][0] = -J[1][0] / det;
  Y[1][1] = J[0][0] / det;
  return isfinite(Y[0][0]) && isfinite(Y[0][1]) && isfinite(Y[1][0]) && isfinite(Y[1][1]);
}

/* g := Y f */
static void combine(int count, const nsd_bernstein *f, double Y[2][2], nsd_bernstein *g)
{
  for (int i = 0; i < count; i++) {
    g[i] = f[i];
    g[i].error = 0.0;
    for (int j = 0; j <= f[i].degree[0]; j++) {
      for (int k = 0; k <= f[i].degree[1]; k++) {
        g[i].b[j][k] = Y[i][0] * f[0].b[j][k] + (count == 2 ? Y[i][1] * f[1].b[j][k] : 0.0);
      }
    }
    for (int k = 0; k < count; k++) {
      g[i].error += fabs(Y[i][k]) * f[k].error;
    }
  }
}

/* Newton's method to the root t that there is; radius: of what holds it. */
static void narrow(int count, const nsd_bernstein *f, const nsd_bernstein *g, double shrink, double *t,
                   double *radius)
{
  for (int step = 0; step < 8; step++) {
    double Y[2][2], value[2] = {0.0, 0.0};
    if (!invert_slopes(count, f, t, Y, value)) {
      break;
    }
    for (int i = 0; i < count; i++) {
      t[i] -= Y[i][0] * value[0] + (count == 2 ? Y[i][1] * value[1] : 0.0);
      t[i] = fmin(fmax(t[i], 0.0), 1.0);
    }
  }
  double miss = 0.0;
  for (int i = 0; i < count; i++) {
    double unused[2];
    miss = fmax(miss, fabs(nsd_bernstein_at(&g[i], t, unused)) + g[i].error);
  }
  radius[0] = radius[1] = miss / (1.0 - shrink);
}

/* Krawczyk's operator on the widened box, [0, 1]² with the box in the middle of it: a root t is in
 * ½ − g(½) + (1 − g') (t − ½), g = Y f. Where that is outside of the box, none is there; where it is inside
 * the wide one, just one is: t, within the radius. f: on the wide box. */
static int examine(int count, const nsd_bernstein *f, double *t, double *radius)
{
  nsd_bernstein g[2];
  double Y[2][2], value[2] = {0.0, 0.0}, shrink = 0.0;
  const double middle[2] = {0.5, 0.5};
  int is_inside = 1;
  if (!invert_slopes(count, f, middle, Y, value)) {
    return UNDECIDED;
  }
  combine(count, f, Y, g);
  for (int i = 0; i < count; i++) {
    double unused[2], row = 0.0;
    t[i] = 0.5 - nsd_bernstein_at(&g[i], middle, unused);
    for (int j = 0; j < count; j++) {
      double slope[2];
      nsd_bernstein_slopes(&g[i], j, slope);
      const double one = i == j ? 1.0 : 0.0, unsure = 2.0 * g[i].degree[j] * g[i].error;
      row += fmax(fabs(one - slope[0]), fabs(one - slope[1])) + unsure;
    }
    const double reach = g[i].error + 0.5 * row;
    shrink = fmax(shrink, row);
    if (t[i] + reach < 1.0 / 18.0 || t[i] - reach > 17.0 / 18.0) {
      return EMPTY;
    }
    is_inside = is_inside && t[i] + reach < 1.0 && t[i] - reach > 0.0;
  }
  if (!is_inside || !(shrink < NSD_KRAWCZYK_SHRINKS)) {
    return UNDECIDED;
  }
  narrow(count, f, g, shrink, t, radius);
  return ROOT;
}

static int examine_box(const nsd_slides *p, const nsd_slides_box *box, double *x, double *radius)
{
  nsd_bernstein wide[2];
  double t[2] = {0.5, 0.5};
  for (int k = 0; k < p->count; k++) {
    nsd_bernstein_widen(&box->f[k], p->count, &wide[k]);
  }
  const int what = examine(p->count, wide, t, radius);
  for (int i = 0; i < p->count && what == ROOT; i++) {
    x[i] = box->low[i] + box->width[i] * (18.0 / 16.0 * t[i] - 1.0 / 16.0);
    radius[i] *= 18.0 / 16.0 * box->width[i];
  }
  return what;
}

/* ---- void points --------------------------------------------------------------------------------------- */

/* [low, high] of a + b σ with a, b of intervals, σ in an interval. */
static void span(const double *a, const double *b, const double *sigma, double *range)
{
  const double e = b[0] * sigma[0], f = b[0] * sigma[1], g = b[1] * sigma[0], h = b[1] * sigma[1];
  range[0] = a[0] + fmin(fmin(e, f), fmin(g, h));
  range[1] = a[1] + fmax(fmax(e, f), fmax(g, h));
}

/* Least and largest square. */
static void square_of(const double *a, double *range)
{
  const double low = a[0] * a[0], high = a[1] * a[1];
  range[0] = a[0] <= 0.0 && a[1] >= 0.0 ? 0.0 : fmin(low, high);
  range[1] = fmax(low, high);
}

/* slope[i][v]: ranges of the derivatives of P. Whether f_k is not zero in any direction (1, σ), of chart 1
 * (σ, 1).
 */
static int has_sign(const nsd_slides *p, int k, double slope[NSD_SLIDES_QUOTIENTS][2][2], int chart,
                    const double *sigma)
{
  const nsd_slide *s = &p->slide[k];
  const double steep = s->mu > 0.0 ? s->mu : s->bound;
  const int of[3] = {place_of(k, 1), place_of(k, 2), s->mu > 0.0 ? place_of(k, 0) : 0};
  double square[3][2];
  for (int i = 0; i < 3; i++) {
    double range[2];
    span(slope[of[i]][chart], slope[of[i]][1 - chart], sigma, range);
    square_of(range, square[i]);
  }
  const double w = steep * steep;
  return square[0][0] + square[1][0] > w * square[2][1] || square[0][1] + square[1][1] < w * square[2][0];
}

/* All directions in parts that are halved as long as neither f has a sign. */
static int has_sign_everywhere(const nsd_slides *p, double slope[NSD_SLIDES_QUOTIENTS][2][2], int chart,
                               double low, double high, int depth)
{
  const double sigma[2] = {low, high}, middle = 0.5 * (low + high);
  if (has_sign(p, 0, slope, chart, sigma) || has_sign(p, 1, slope, chart, sigma)) {
    return 1;
  }
  return depth > 0 && has_sign_everywhere(p, slope, chart, low, middle, depth - 1) &&
         has_sign_everywhere(p, slope, chart, middle, high, depth - 1);
}

/* Where the determinant and all numerators vanish together, which they do at points, K + diag(s) is singular
 * with r in its range; f_1 and f_2 have double zeros there which no y stands behind. Whether that is all
 * there is in the box: along each direction δ from that point numerators are g·δ with g among their slopes,
 * and f_1 or f_2 has a sign. */
static int is_void(const nsd_slides *p, const nsd_slides_box *box)
{
  nsd_bernstein wide[NSD_SLIDES_QUOTIENTS];
  double slope[NSD_SLIDES_QUOTIENTS][2][2], t[2] = {0.5, 0.5}, radius[2] = {0.0, 0.0};
  for (int i = 0; i < NSD_SLIDES_QUOTIENTS; i++) {
    const int is_there = i == 0 || (i - 1) % 3 > 0 || p->slide[(i - 1) / 3].normal >= 0;
    if (is_there && sign_of(&box->P[i])) {
      return 0;
    }
  }
  for (int i = 0; i < NSD_SLIDES_QUOTIENTS; i++) {
    nsd_bernstein_widen(&box->P[i], 2, &wide[i]);
    for (int v = 0; v < 2; v++) {
      nsd_bernstein_slopes(&wide[i], v, slope[i][v]);
      slope[i][v][0] -= 4.0 * wide[i].error;
      slope[i][v][1] += 4.0 * wide[i].error;
    }
  }
  /* The point, as that of two of them; there all vanish. The determinant alone has no slope where both
   * contacts are singular by themselves. */
  int is_found = 0;
  for (int i = 0; i < NSD_SLIDES_QUOTIENTS && !is_found; i++) {
    for (int j = i + 1; j < NSD_SLIDES_QUOTIENTS && !is_found; j++) {
      const nsd_bernstein pair[2] = {wide[i], wide[j]};
      is_found = examine(2, pair, t, radius) == ROOT;
    }
  }
  for (int i = 0; i < NSD_SLIDES_QUOTIENTS && is_found; i++) {
    double gradient[2];
    const double value = nsd_bernstein_at(&wide[i], t, gradient);
    const double moves = fabs(gradient[0]) * radius[0] + fabs(gradient[1]) * radius[1];
    is_found = fabs(value) <= NSD_MINOR_VANISHES * (wide[i].error + moves);
  }
  enum { DEPTH = 24 };
  return is_found && has_sign_everywhere(p, slope, 0, -1.0, 1.0, DEPTH) &&
         has_sign_everywhere(p, slope, 1, -1.0, 1.0, DEPTH);
}

/* ---- roots --------------------------------------------------------------------------------------------- */

/* y and how far it is from each disk, ‖y_T‖ − (μ |y_N| + bound), over the sum of both. */
static int reply(const nsd_slides *p, const double *s, double *LU, int *perm, double *y, double *miss)
{
  for (int i = 0; i < p->n * p->n; i++) {
    LU[i] = p->K[i];
  }
  for (int k = 0; k < p->count; k++) {
    for (int t = p->slide[k].tangent; t < p->slide[k].tangent + 2; t++) {
      LU[t * p->n + t] += s[k];
    }
  }
  for (int i = 0; i < p->n; i++) {
    y[i] = p->r[i];
  }
  if (nsd_lu_factor(p->n, LU, p->n, perm, NULL)) {
    return 0;
  }
  nsd_lu_solve(p->n, LU, p->n, perm, 1, y, p->n);
  for (int k = 0; k < p->count; k++) {
    const nsd_slide *d = &p->slide[k];
    const double norm = sqrt(y[d->tangent] * y[d->tangent] + y[d->tangent + 1] * y[d->tangent + 1]);
    const double limit = (d->mu > 0.0 ? d->mu * fabs(y[d->normal]) : 0.0) + d->bound;
    miss[k] = (norm - limit) / (norm + limit);
  }
  return 1;
}

/* s by Newton's method on log s, as long as it comes nearer; differences serve as derivatives. */
static int mend(const nsd_slides *p, double *s, double *y)
{
  double LU[ROWS * ROWS], miss[2] = {0.0, 0.0}, trial[ROWS], next_miss[2] = {0.0, 0.0};
  int perm[ROWS];
  if (!reply(p, s, LU, perm, y, miss)) {
    return 0;
  }
  for (int step = 0; step < 6; step++) {
    double J[2][2] = {{1.0, 0.0}, {0.0, 1.0}};
    for (int k = 0; k < p->count; k++) {
      double moved[2] = {s[0], s[1]};
      moved[k] *= 1.0 + NSD_SLIDE_DIFFERENCE;
      if (!reply(p, moved, LU, perm, trial, next_miss)) {
        return 1;
      }
      for (int i = 0; i < p->count; i++) {
        J[i][k] = (next_miss[i] - miss[i]) / NSD_SLIDE_DIFFERENCE;
      }
    }
    const double det = J[0][0] * J[1][1] - J[0][1] * J[1][0];
    const double change[2] = {(J[1][1] * miss[0] - J[0][1] * miss[1]) / det,
                              (J[0][0] * miss[1] - J[1][0] * miss[0]) / det};
    double next[2] = {s[0] * (1.0 - change[0]), s[1] * (1.0 - change[1])};
    if (p->count == 1) {
      next[0] = s[0] * (1.0 - miss[0] / J[0][0]);
      next[1] = s[1];
    }
    if (!(next[0] > 0.0) || !(next[1] > 0.0) || !reply(p, next, LU, perm, trial, next_miss) ||
        !(fmax(fabs(next_miss[0]), fabs(next_miss[1])) < fmax(fabs(miss[0]), fabs(miss[1])))) {
      break;
    }
    for (int i = 0; i < 2; i++) {
      s[i] = next[i];
      miss[i] = next_miss[i];
    }
    for (int i = 0; i < p->n; i++) {
      y[i] = trial[i];
    }
  }
  return 1;
}

/* A root that is proved: inside of the square, outside, or too near to its edge to know. */
static int take_root(const nsd_slides *p, const double *x, const double *radius,
                     void visit(void *user, const double *y), void *user)
{
  double s[2] = {1.0, 1.0}, y[ROWS];
  for (int k = 0; k < p->count; k++) {
    if (x[k] < -radius[k] || x[k] > 1.0 + radius[k]) {
      return 1;
    }
  }
  for (int k = 0; k < p->count; k++) {
    if (!(x[k] > radius[k] && x[k] < 1.0 - radius[k])) {
      return 0;
    }
    s[k] = x[k] / (1.0 - x[k]);
  }
  if (!mend(p, s, y)) {
    return 0;
  }
  visit(user, y);
  return 1;
}

static void halve(const nsd_slides *p, const nsd_slides_box *box, nsd_slides_box *low, nsd_slides_box *high)
{
  const int v = p->count == 2 && box->width[1] > box->width[0];
  const nsd_slides_box whole = *box;
  *low = *high = whole;
  low->width[v] = high->width[v] = 0.5 * whole.width[v];
  high->low[v] = whole.low[v] + low->width[v];
  for (int i = 0; i < 1 + 3 * p->count; i++) {
    nsd_bernstein_halve(&whole.P[i], v, &low->P[i], &high->P[i]);
  }
  square_up(p, low);
  square_up(p, high);
}

nsd_slides_count nsd_slides_find(const nsd_slides *p, nsd_slides_box *stack, int64_t most,
                                 void visit(void *user, const double *y), void *user)
{
  nsd_slides_count count = {.boxes = 0};
  fill_square(p, &stack[0]);
  int depth = 1;
  while (depth > 0) {
    nsd_slides_box *box = &stack[--depth];
    double x[2] = {0.0, 0.0}, radius[2] = {0.0, 0.0};
    count.boxes++;
    /* 1. No root, by signs. */
    if (is_empty(p, box)) {
      continue;
    }
    /* 2. None, or one: the next box may meet the same, which the visitor sees. */
    const int what = examine_box(p, box, x, radius);
    if (what == EMPTY || (what == ROOT && take_root(p, x, radius, visit, user))) {
      continue;
    }
    /* 3. None but where all vanishes. */
    if (p->count == 2 && is_void(p, box)) {
      continue;
    }
    /* 4. Half of it, as long as it has a size. */
    if (box->width[p->count - 1] < NSD_SLIDES_LEAST || depth + 2 > NSD_SLIDES_STACK) {
      count.undecided++;
    } else {
      halve(p, box, box, box + 1);
      depth += 2;
    }
    if (count.boxes >= most || count.undecided >= UNDECIDED_MOST) {
      count.undecided += depth;
      break;
    }
  }
  return count;
}
