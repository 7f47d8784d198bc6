/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "event/integrator/locate.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "base/dense.h"
#include "base/kernels/simd.h"
#include "base/tolerances.h"

enum {
  DEGREE = NSD_LOCATE_DEGREE,
  POINTS = NSD_LOCATE_POINTS,
  COARSE = DEGREE / 2, /* degree through every other point */
  PATIENCE = 64,       /* intervals, after which more counts as noise: ever faster */
  MOST_GRAZES = 2,     /* too short to be waves, after which more counts as noise: likewise */
  MOST_GROWTH = 10,    /* times that it does: 2^(2^10 - 1) is the end of the range */
  MANY = 16,           /* intervals: nine points of the whole step cannot show that many waves */
  WAVY = 2             /* a suspect that nine points do not resolve */
};

#define RESOLVED 0.0625 /* of a function's change, that its polynomial may be off by */
#define FAR 16.0        /* times the polynomial's error: a function that far from zero has no root there */
#define CHECK_AT 0.381966011250105 /* of a step: no point of any order is near */
#define MOST_LEARNED 64.0          /* times the noise that was known */
#define NOISE_SEEN 2.0             /* of what was seen of it: it may be more elsewhere */
#define NOT_NOISE 0x1p-10 /* of a step: what has to be looked at in shorter intervals is noise, no wave */

void nsd_locate_lay_out(nsd_arena *arena, nsd_locate *w, int m)
{
  w->values = nsd_arena_take(arena, (size_t)m * POINTS, sizeof *w->values);
  w->sample = nsd_arena_take(arena, (size_t)m, sizeof *w->sample);
  w->suspect = nsd_arena_take(arena, (size_t)m, sizeof *w->suspect);
  w->noise = nsd_arena_take(arena, (size_t)m, sizeof *w->noise);
  w->learned = nsd_arena_take(arena, (size_t)m, sizeof *w->learned);
}

/* cos(i π / 8) by square roots: a libm's cosine may differ in its last bit. */
static double cosine_of_eighth(int i)
{
  const double half = sqrt(0.5), first = 0.5 * sqrt(2.0 + 2.0 * half), third = 0.5 * sqrt(2.0 - 2.0 * half);
  const double quarter[5] = {1.0, first, half, third, 0.0};
  i &= 15;
  i = i > 8 ? 16 - i : i;
  return i <= 4 ? quarter[i] : -quarter[8 - i];
}

/* Row k: the k-th Chebyshev coefficient of the polynomial through values in n + 1 points, by the discrete
 * cosine transform. */
static void fill_chebyshev(int n, double *C)
{
  const int stride = DEGREE / n;
  for (int k = 0; k <= n; k++) {
    for (int j = 0; j <= n; j++) {
      /* c_k = (2/n) Σ_j v_j cos(k j π / n); the first and last j count half, and so do c_0 and c_n. */
      const double weight = (k == 0 || k == n ? 0.5 : 1.0) * (j == 0 || j == n ? 0.5 : 1.0) * 2.0 / n;
      /* point j stands at −cos(j π / n) of [−1, 1], which turns the sign of odd polynomials */
      C[k * (n + 1) + j] = (k & 1 ? -weight : weight) * cosine_of_eighth(k * j * stride);
    }
  }
}

/* Rows: Bernstein coefficients of the same polynomial, as sums over its Chebyshev coefficients. Those of T_k,
 * from T_k = 2 (2θ − 1) T_(k−1) − T_(k−2), where b_i of a product with (1−θ) and θ and of an elevation by one
 * degree are sums of neighbours; exact, being rational numbers with small denominators, but for rounding. */
static void fill_bernstein(int n, const double *C, double *B)
{
  double T[POINTS][POINTS] = {{0.0}}; /* T_k elevated to degree n */
  for (int k = 0; k <= n; k++) {
    double b[POINTS]; /* of degree k: b_i = (−1)^(k−i) C(2k, 2i) / C(k, i) */
    b[0] = k & 1 ? -1.0 : 1.0;
    for (int i = 1; i <= k; i++) {
      b[i] = -b[i - 1] * (2.0 * (k - i) + 1.0) / (2.0 * i - 1.0);
    }
    for (int degree = k + 1; degree <= n; degree++) {
      b[degree] = b[degree - 1];
      for (int i = degree - 1; i > 0; i--) {
        b[i] = (i * b[i - 1] + (degree - i) * b[i]) / degree;
      }
    }
    memcpy(T[k], b, sizeof b);
  }
  for (int i = 0; i <= n; i++) {
    for (int j = 0; j <= n; j++) {
      double sum = 0.0;
      for (int k = 0; k <= n; k++) {
        sum += T[k][i] * C[k * (n + 1) + j];
      }
      B[i * (n + 1) + j] = sum;
    }
  }
  for (int j = 0; j <= n; j++) { /* the ends are values themselves */
    B[j] = j == 0;
    B[n * (n + 1) + j] = j == n;
  }
}

void nsd_locate_reset(nsd_locate *w)
{
  for (int i = 0; i <= DEGREE; i++) {
    w->point[i] = 0.5 * (1.0 - cosine_of_eighth(i));
  }
  const int degrees[2] = {COARSE, DEGREE};
  for (int d = 0; d < 2; d++) {
    fill_chebyshev(degrees[d], w->chebyshev[d]);
    fill_bernstein(degrees[d], w->chebyshev[d], w->bernstein[d]);
  }
  w->code = 0;
  w->evaluations = 0;
}

/* Σ row_j v_j over every stride-th value. */
static double apply(int n, const double *row, const double *v, int stride)
{
  double sum = row[0] * v[0];
  for (int j = 1; j <= n; j++) {
    sum += row[j] * v[(size_t)j * (size_t)stride];
  }
  return sum;
}

/* How far the polynomial of degree n through values v may be from their function. Coefficients that fall by
 * half from one to the next leave no more than the last one; an odd or even function has none of every other
 * degree, and a function that is not resolved has large ones anywhere, seldom two small ones in a row: so the
 * last ones count. */
static double distance_to_function(const nsd_locate *w, int n, const double *v, int stride)
{
  const double *C = w->chebyshev[n == DEGREE];
  const int last = n == DEGREE ? 5 : 2;
  double weight = 2.0, sum = 0.0;
  /* 2 |c_n| + |c_(n−1)| + ½ |c_(n−2)| + … */
  for (int k = n; k >= last; k--) {
    sum += weight * fabs(apply(n, C + k * (n + 1), v, stride));
    weight *= 0.5;
  }
  return sum;
}

/* Whether a polynomial that is `distance` off its function on an interval can be believed: it follows the
 * function's own ups and downs, from `least` to `most`, or keeps far from zero, by `bound` at least. */
static int is_resolved(double distance, double least, double most, double bound)
{
  return distance <= RESOLVED * (most - least) || FAR * distance < bound;
}

/* Whether the function through values v, from `least` to `most`, stays above noise for sure; not where one of
 * them is no number. */
static int is_clear(const nsd_locate *w, int n, const double *v, int stride, double noise, double least,
                    double most)
{
  const double *B = w->bernstein[n == DEGREE];
  const double distance = distance_to_function(w, n, v, stride);
  double bound = v[0];
  /* A polynomial is nowhere below its least Bernstein coefficient. */
  for (int i = 1; i <= n; i++) {
    const double b = apply(n, B + i * (n + 1), v, stride);
    bound = b < bound || isnan(b) ? b : bound;
  }
  /* Five points may miss a wave: they count only where the function is far from zero. */
  const int is_far = bound - FAR * distance > noise;
  return is_far || (n == DEGREE && bound - distance > noise && is_resolved(distance, least, most, bound));
}

static nsdyn_status sample_all(nsd_locate *w, const nsd_locate_task *task, double theta, double *g)
{
  w->evaluations++;
  w->code = task->values(task->user, theta, g);
  if (w->code) {
    return NSDYN_ERR_CALLBACK;
  }
  return nsd_lanes_zero(task->m, g) == 0.0 ? NSDYN_OK : NSDYN_ERR_NOT_FINITE;
}

/* The search for the first root of one function: it walks from the left, in intervals as long as can be
 * judged. */
typedef struct search {
  nsd_locate *w;
  const nsd_locate_task *task;
  int k;
  double noise;
  double at, g_at;                      /* done up to here */
  double above, g_above;                /* the last sample above zero; g_above = 0: none yet */
  int is_wavy;                          /* its points are too far apart */
  int armed;                            /* it has been above noise */
  double spread;                        /* of its values on the last interval that time cannot resolve */
  int touches;                          /* and is within noise since, */
  double touched_from, least, least_at; /* with this least value */
} search;

static nsdyn_status sample_one(search *s, double theta, double *g)
{
  const nsdyn_status status = sample_all(s->w, s->task, theta, s->w->sample);
  *g = s->w->sample[s->k];
  return status;
}

/* One step of Chandrupatla's method (1997) in a bracket [a, b] with an older point c: how far from a to b to
 * go by inverse quadratic interpolation, where that is safe, or by bisection. */
static double next_share(double a, double fa, double b, double fb, double c, double fc)
{
  const double xi = (a - b) / (c - b), phi = (fa - fb) / (fc - fb);
  if (phi * phi < xi && (1.0 - phi) * (1.0 - phi) < 1.0 - xi) {
    return fa / (fb - fa) * (fc / (fb - fc)) + (c - a) / (b - a) * (fa / (fc - fa)) * (fb / (fc - fb));
  }
  return 0.5;
}

/* Where g falls through zero between lo, where it is above, and hi, where it is not. */
static nsdyn_status close_in(search *s, double lo, double g_lo, double hi, double g_hi, nsd_root *root)
{
  double a = hi, fa = g_hi, b = lo, fb = g_lo, share = 0.5;
  while (fa != 0.0 && fb != 0.0 && fabs(b - a) > s->task->resolution) {
    /* The bracket [a, b] holds the sign change; c or d is the point that was left out last. */
    const double x = a + share * (b - a), c = a, fc = fa, d = b, fd = fb;
    double f;
    if (x == a || x == b) {
      break;
    }
    const nsdyn_status status = sample_one(s, x, &f);
    if (status) {
      return status;
    }
    const int same_side = (f > 0.0) == (fa > 0.0);
    if (!same_side) {
      b = a;
      fb = fa;
    }
    a = x;
    fa = f;
    /* Not nearer to an end than time can resolve. */
    const double least = 0.5 * s->task->resolution / fabs(b - a);
    share = same_side ? next_share(a, fa, b, fb, c, fc) : next_share(a, fa, b, fb, d, fd);
    share = share > least ? share : least;
    share = share < 1.0 - least ? share : nsd_larger(1.0 - least, 0.5);
  }
  root->theta = fabs(fa) <= fabs(fb) ? a : b;
  root->bound = fa == 0.0 || fb == 0.0 ? 0.0 : fabs(b - a);
  return NSDYN_OK;
}

/* Takes note of a sample that has not fallen below −noise; non-zero where it ends a graze. */
static int pass_sample(search *s, double theta, double g, nsd_root *root)
{
  if (g > 0.0) {
    s->above = theta;
    s->g_above = g;
  }
  if (g > s->noise) {
    s->armed = 1;
    if (s->touches) {
      s->touches = 0;
      root->kind = NSD_ROOT_GRAZES;
      root->theta = s->least_at;
      root->bound = theta - s->touched_from;
      return 1;
    }
    s->touched_from = theta;
  } else if (s->armed && (!s->touches || g < s->least)) {
    s->touches = 1;
    s->least = g;
    s->least_at = theta;
  }
  return 0;
}

/* What can be said of the function on an interval, from its values there. */
enum verdict {
  PASSED, /* it does not fall; whether it grazes, the samples tell */
  FALLEN, /* it falls monotonically, below −noise at sample `fallen` */
  UNCLEAR
};

static enum verdict judge(const search *s, const double *v, int is_shortest, int *fallen, double *spread)
{
  const nsd_locate *w = s->w;
  const double distance = distance_to_function(w, DEGREE, v, 1);
  double b[POINTS], least_b = v[0], most_rise = -INFINITY, least_v = v[0], most_v = v[0];
  *fallen = -1;
  /* Bernstein coefficients b_i on the interval: bounds of the polynomial, and differences bound its slope. */
  for (int i = 0; i < POINTS; i++) {
    b[i] = apply(DEGREE, w->bernstein[1] + i * POINTS, v, 1);
    least_b = nsd_smaller(b[i], least_b);
    least_v = nsd_smaller(v[i], least_v);
    most_v = nsd_larger(v[i], most_v);
    most_rise = i > 0 ? nsd_larger(b[i] - b[i - 1], most_rise) : most_rise;
    if (*fallen < 0 && v[i] < -s->noise) {
      *fallen = i;
    }
  }
  *spread = most_v - least_v;
  if (*fallen >=
      0) { /* 2 n² / n: Markov's bound of the distance's slope over the length of a coefficient's rise */
    return *fallen == 0 || is_shortest || most_rise < -2.0 * DEGREE * distance ? FALLEN : UNCLEAR;
  }
  /* Nothing but noise, or a constant beside it: coefficients are sums that magnify it, and would show waves
   * in ever shorter steps. */
  if (most_v <= s->noise || *spread <= s->noise) {
    return PASSED;
  }
  /* It stays above −noise, by more than the polynomial may be off, and is resolved: no root. */
  const double bound = least_b - distance;
  const int hides_graze = least_v > s->noise && !(bound > s->noise);
  const int is_seen = distance <= s->noise || is_resolved(distance, least_v, most_v, least_b);
  return is_shortest || (bound >= -s->noise && !hides_graze && is_seen) ? PASSED : UNCLEAR;
}

/* What values differ by on an interval that time cannot resolve is rounding. Two such intervals one behind
 * the other show how much: a jump of the function would show in one of them only, and be larger. Non-zero
 * where that is more noise than was known. */
static int learn_noise(search *s, double spread)
{
  const double seen = nsd_smaller(spread, s->spread);
  s->spread = spread;
  const int is_known = s->task->grazes < MOST_GRAZES; /* else w->noise is of this step only */
  if (!(is_known && seen > s->noise && seen <= MOST_LEARNED * s->w->noise[s->k])) {
    return 0;
  }
  s->noise = NOISE_SEEN * seen;
  s->w->learned[s->k] = s->noise;
  return 1;
}

/* How far behind the root it has fallen below −noise for sure; at hi it has. */
static nsdyn_status measure_bound(search *s, double hi, double slope, nsd_root *root)
{
  double reach = root->bound + 2.0 * s->noise / slope, g = 0.0;
  while (root->theta + reach < hi) {
    /* g falls by `slope`, so −noise is 2 noise / slope away; farther where it is flat. */
    const nsdyn_status status = sample_one(s, root->theta + reach, &g);
    if (status || g < -s->noise) {
      root->bound = reach;
      return status;
    }
    reach *= 4.0;
  }
  root->bound = nsd_larger(hi - root->theta, root->bound);
  return NSDYN_OK;
}

/* The root between the last sample above zero and one that has fallen. */
static nsdyn_status end_search(search *s, double hi, double g_hi, nsd_root *root)
{
  root->kind = NSD_ROOT_FALLS;
  if (!(s->g_above > 0.0)) {
    root->theta = s->at;
    root->bound = 0.0;
    return NSDYN_OK;
  }
  const double slope = (s->g_above - g_hi) / (hi - s->above);
  const nsdyn_status status = close_in(s, s->above, s->g_above, hi, g_hi, root);
  return status ? status : measure_bound(s, hi, slope, root);
}

/* `known`: values in the points of [s->at, to], every stride-th, or NULL. */
static nsdyn_status search_first(search *s, double to, const double *known, int stride, nsd_root *root)
{
  double length = (s->is_wavy ? 0.25 : 1.0) * (to - s->at), growth = 2.0, shortest = length;
  for (int intervals = 1; s->at < to; intervals++) {
    const double end = s->at + length;
    const double hi = end < to ? end : to, reach = hi - s->at;
    double v[POINTS], theta[POINTS];
    s->w->intervals = intervals > s->w->intervals ? intervals : s->w->intervals;
    /* Too many intervals: a wave that a shorter step can follow, or more noise than was known. */
    if (intervals % PATIENCE == 0) {
      if (s->task->may_shorten && shortest > NOT_NOISE) {
        s->w->wavy = 1;
        return NSDYN_OK;
      }
      s->noise *= growth;
      growth *= growth;
    }
    /* 1. Nine values on the interval, and what they say of it. */
    for (int i = 0; i < POINTS; i++) {
      nsdyn_status status = NSDYN_OK;
      theta[i] = i < DEGREE ? s->at + reach * s->w->point[i] : hi;
      v[i] = known ? known[(size_t)i * (size_t)stride] : s->g_at;
      if (!known && i > 0) {
        status = sample_one(s, theta[i], &v[i]);
      }
      if (status) {
        return status;
      }
    }
    known = NULL;
    s->g_at = v[0];
    int fallen;
    double spread;
    const int is_shortest = reach <= s->task->resolution;
    const enum verdict verdict = judge(s, v, is_shortest, &fallen, &spread);
    /* 2. Not resolved: half the interval. */
    if (verdict == UNCLEAR) {
      length = 0.5 * reach;
      shortest = nsd_smaller(length, shortest);
      continue;
    }
    /* 3. Its samples up to the fall, in order: an earlier graze comes first. */
    for (int i = 0; i < (fallen < 0 ? POINTS : fallen); i++) {
      if (pass_sample(s, theta[i], v[i], root)) {
        return NSDYN_OK;
      }
    }
    if (fallen >= 0) {
      return end_search(s, theta[fallen], v[fallen], root);
    }
    /* 4. No root here: the next interval may be twice as long. */
    s->at = hi;
    s->g_at = v[DEGREE];
    length = is_shortest && learn_noise(s, spread) ? to - hi : 2.0 * reach;
  }
  return NSDYN_OK;
}

/* Samples all functions in every stride-th point of [from, to] that is not known yet. */
static nsdyn_status sample_points(nsd_locate *w, const nsd_locate_task *task, double from, double to,
                                  int stride, int known)
{
  for (int i = 0; i < POINTS; i += stride) {
    if (!known || i % known) {
      const double theta = i < DEGREE ? from + (to - from) * w->point[i] : to;
      const nsdyn_status status = sample_all(w, task, theta, w->values + (size_t)i * (size_t)task->m);
      if (status) {
        return status;
      }
    }
  }
  return NSDYN_OK;
}

/* Between all points: a wave that they happen to miss is seen there. Its functions are suspects, to be looked
 * at in shorter intervals. */
static nsdyn_status check_between(nsd_locate *w, const nsd_locate_task *task, double from, double to)
{
  const double theta = from + CHECK_AT * (to - from), x = 2.0 * CHECK_AT - 1.0;
  const nsdyn_status status = sample_all(w, task, theta, w->sample);
  for (int k = 0; k < task->m && !status; k++) {
    const double *v = w->values + k;
    double least = v[0], most = v[0], value = 0.0, T = 1.0, T_next = x;
    for (int i = 0; i < POINTS; i++) { /* Σ c_i T_i(x), T_(i+1) = 2 x T_i − T_(i−1) */
      const double T_i = T;
      value += apply(DEGREE, w->chebyshev[1] + i * POINTS, v, task->m) * T_i;
      T = T_next;
      T_next = 2.0 * x * T - T_i;
      least = nsd_smaller(v[(size_t)i * (size_t)task->m], least);
      most = nsd_larger(v[(size_t)i * (size_t)task->m], most);
    }
    if (!(fabs(w->sample[k] - value) <= RESOLVED * (most - least) + w->noise[k])) {
      w->suspect[k] = WAVY;
    }
  }
  return status;
}

/* By how much noise counts as more where a function that is nothing but noise there grazes again and again:
 * each graze ends a search, within which noise could grow. 2, 8, 128, …: what search_first comes to. */
static double growth_by_grazes(int grazes)
{
  const int n = grazes / MOST_GRAZES;
  return ldexp(1.0, (1 << (n < MOST_GROWTH ? n : MOST_GROWTH)) - 1);
}

/* How many functions may come near zero, by polynomials of degree n. */
static int count_suspects(nsd_locate *w, const nsd_locate_task *task, int n)
{
  const int stride = DEGREE / n * task->m;
  const double growth = growth_by_grazes(task->grazes);
  int count = 0;
  for (int k = 0; k < task->m; k++) {
    const double *v = w->values + k;
    double least = INFINITY, most = -INFINITY;
    for (int i = 0; i <= n; i++) {
      const double value = v[(size_t)i * (size_t)stride];
      least = nsd_smaller(value, least);
      most = nsd_larger(value, most);
    }
    /* A function that begins at zero may have no size before the step; and there is what it changes by while
     * θ cannot tell: a late clock ticks slowly. */
    const double rounding = NSD_LOCATE_ROUNDING * nsd_larger(most, -least),
                 ticks = task->resolution * (most - least);
    w->noise[k] = growth * nsd_larger(nsd_larger(rounding, ticks), task->noise[k]);
    w->suspect[k] = !is_clear(w, n, v, stride, w->noise[k], least, most);
    count += w->suspect[k];
  }
  return count;
}

/* Roots of all suspects; the first one, where it is before the one that is known already. */
static nsdyn_status search_suspects(nsd_locate *w, const nsd_locate_task *task, double from, double to,
                                    nsd_root *root)
{
  nsdyn_status status = NSDYN_OK;
  for (int k = 0; k < task->m && !status && !w->wavy; k++) {
    if (!w->suspect[k]) {
      continue;
    }
    nsd_root own = {.kind = NSD_ROOT_NONE, .k = k};
    search s = {.w = w,
                .task = task,
                .k = k,
                .noise = w->noise[k],
                .at = from,
                .g_at = w->values[k],
                .is_wavy = w->suspect[k] == WAVY};
    const double end = root->kind ? root->theta : to;
    const int is_known = !(end < to) && w->suspect[k] != WAVY;
    status = end > from ? search_first(&s, end, is_known ? w->values + k : NULL, task->m, &own) : NSDYN_OK;
    if (!status && own.kind && (!root->kind || own.theta < root->theta)) {
      *root = own;
    }
  }
  return status;
}

/* One function went up and down so often that nine points cannot have shown what the others do. */
static int suspect_others(nsd_locate *w, int m)
{
  int any = 0;
  for (int k = 0; k < m; k++) {
    w->suspect[k] = w->suspect[k] ? 0 : WAVY;
    any |= w->suspect[k];
  }
  return any;
}

nsdyn_status nsd_locate_first(nsd_locate *w, const nsd_locate_task *task, double from, double to,
                              nsd_root *root)
{
  NSD_ASSERT(from < to);
  const nsd_root none = {.kind = NSD_ROOT_NONE, .k = -1};
  *root = none;
  w->intervals = 1;
  w->wavy = 0;
  memset(w->learned, 0, (size_t)task->m * sizeof *w->learned);
  nsdyn_status status = NSDYN_OK;
  if (task->m == 0) {
    return status;
  }
  /* 1. Five points, which are among the nine: mostly all functions stay far from zero. */
  if (task->coarse) {
    status = sample_points(w, task, from, to, 2, 0);
    if (status || count_suspects(w, task, COARSE) == 0) {
      return status;
    }
  }
  /* 2. Nine points, and one in between where nothing is known yet of how these functions look. */
  status = sample_points(w, task, from, to, 1, task->coarse ? 2 : 0);
  if (!status) {
    (void)count_suspects(w, task, DEGREE);
    status = task->check ? check_between(w, task, from, to) : status;
  }
  /* 3. Each function that may come near zero is searched alone, up to the first root so far. */
  status = status ? status : search_suspects(w, task, from, to, root);
  /* 4. If one had many waves, others may have them between their points: they are searched too. */
  if (!status && !w->wavy && w->intervals > MANY && suspect_others(w, task->m)) {
    status = search_suspects(w, task, from, root->kind ? root->theta : to, root);
  }
  if (w->wavy) {
    *root = none;
  }
  return status;
}
