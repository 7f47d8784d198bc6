/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "search/error_bounds.h"

#include <float.h>
#include <math.h>

#include "base/kernels/simd.h"

enum { UNSURE = 2 };

#define COLUMN_READ 20.0 /* multiplications that take as long as to read an element out of a column */

void nsd_error_bounds_lay_out(nsd_arena *arena, nsd_error_bounds *w, int n)
{
  const size_t size = (size_t)n;
  w->n = n;
  w->poll = NULL;
  w->R = nsd_arena_take(arena, size, sizeof *w->R);
  w->S = nsd_arena_take(arena, size, sizeof *w->S);
  w->K = nsd_arena_take(arena, size * size, sizeof *w->K);
  w->X = nsd_arena_take(arena, size * size, sizeof *w->X);
  w->weight = nsd_arena_take(arena, size, sizeof *w->weight);
  w->scratch = nsd_arena_take(arena, size, sizeof *w->scratch);
  w->v = nsd_arena_take(arena, size, sizeof *w->v);
  w->error = nsd_arena_take(arena, size, sizeof *w->error);
  w->point = nsd_arena_take(arena, size, sizeof *w->point);
}

static const double *row_of(const nsd_error_bounds *w, int i)
{
  return w->a + (size_t)w->R[i] * (size_t)w->n;
}

/* A sum of so many products is off by less than this part of their sizes, and by what underflowed. */
static double rounding(int terms, double size)
{
  return (terms + 4) * DBL_EPSILON * size + terms * DBL_MIN;
}

int nsd_error_bounds_select(nsd_error_bounds *w, int count, const double *t, const uint8_t *basic)
{
  int columns = 0;
  for (int j = 0; j < w->n; j++) {
    int matters = t && t[j] != 0.0;
    for (int i = 0; basic[j] && !matters && i < count; i++) {
      matters = row_of(w, i)[j] != 0.0;
    }
    (void)nsd_poll_stops(w->poll, 2.0 * count);
    if (basic[j] && matters) {
      w->S[columns++] = j;
    }
  }
  w->count = count;
  for (int i = 0; columns == count && i < count; i++) {
    const double *a = row_of(w, i);
    for (int s = 0; s < count; s++) {
      w->K[i * count + s] = a[w->S[s]];
    }
    (void)nsd_poll_stops(w->poll, 2.0 * count);
  }
  return columns == count;
}

/* Σ_s' |I − X K|_ss' w_s', rounding included. `reach`: Σ_s' |K_is'| w_s' of each row of K. */
static double defect(const nsd_error_bounds *w, int s, const double *reach)
{
  const int k = w->count;
  double *line = w->error; /* of I − X K; `error` has no other use so far */
  const double *X = w->X + s * k;
  double size = w->weight[s];
  for (int c = 0; c < k; c++) {
    line[c] = c == s ? 1.0 : 0.0;
  }
  for (int i = 0; i < k; i++) {
    const double x = X[i];
    const double *K = w->K + i * k;
    NSD_SIMD
    for (int c = 0; c < k; c++) {
      line[c] -= x * K[c];
    }
    size += fabs(x) * reach[i];
    if (nsd_poll_stops(w->poll, k)) {
      return INFINITY;
    }
  }
  double sum = rounding(k, size);
  for (int c = 0; c < k; c++) {
    sum += fabs(line[c]) * w->weight[c];
  }
  return sum;
}

int nsd_error_bounds_is_regular(nsd_error_bounds *w)
{
  const int k = w->count;
  for (int s = 0; s < k; s++) {
    /* w_s = max_i |X_si|, so that rows of different units count alike. */
    double most = 0.0;
    for (int i = 0; i < k; i++) {
      const double size = fabs(w->X[s * k + i]);
      most = size > most ? size : most;
    }
    if (!(most > 0x1p-900 && most < 0x1p+900)) {
      return 0;
    }
    w->weight[s] = most;
    (void)nsd_poll_stops(w->poll, 2.0 * k);
  }
  for (int i = 0; i < k; i++) {
    double sum = 0.0;
    for (int s = 0; s < k; s++) {
      sum += fabs(w->K[i * k + s]) * w->weight[s];
    }
    w->scratch[i] = sum;
    (void)nsd_poll_stops(w->poll, 2.0 * k);
  }
  w->gamma = 0.0;
  for (int s = 0; s < k; s++) {
    const double part = defect(w, s, w->scratch) / w->weight[s];
    /* γ < 1/8 leaves room for the factor 2 that stands for 1 / (1 − γ) below. */
    if (!(part < 0.125)) {
      return 0;
    }
    w->gamma = part > w->gamma ? part : w->gamma;
  }
  return 1;
}

/* ρ = t_S − v K into scratch; what its rounding may be, weighted. */
static double remainder_of(nsd_error_bounds *w, const double *t)
{
  const int k = w->count;
  double *rest = w->scratch;
  double *size = w->error; /* of the terms; the errors come later */
  for (int s = 0; s < k; s++) {
    rest[s] = t[w->S[s]];
    size[s] = fabs(rest[s]);
  }
  for (int i = 0; i < k; i++) {
    const double v = w->v[i];
    const double *K = w->K + i * k;
    NSD_SIMD
    for (int s = 0; s < k; s++) {
      const double term = v * K[s];
      rest[s] -= term;
      size[s] += fabs(term);
    }
    (void)nsd_poll_stops(w->poll, 2.0 * k);
  }
  double error = 0.0;
  for (int s = 0; s < k; s++) {
    error += rounding(k, size[s]) * w->weight[s];
  }
  return error;
}

/* v := v + ρ X. */
static void correct_multipliers(nsd_error_bounds *w)
{
  const int k = w->count;
  double *step = w->error;
  for (int i = 0; i < k; i++) {
    step[i] = 0.0;
  }
  for (int s = 0; s < k; s++) {
    const double rest = w->scratch[s];
    const double *X = w->X + s * k;
    NSD_SIMD
    for (int i = 0; i < k; i++) {
      step[i] += rest * X[i];
    }
    (void)nsd_poll_stops(w->poll, 2.0 * k);
  }
  for (int i = 0; i < k; i++) {
    w->v[i] += step[i];
  }
}

void nsd_error_bounds_bound_multipliers(nsd_error_bounds *w, const double *t)
{
  const int k = w->count;
  /* One step of Newton's method, v := v + (t_S − v K) X, then |v_exact − v| from what is left. */
  (void)remainder_of(w, t);
  correct_multipliers(w);
  double norm = remainder_of(w, t);
  for (int s = 0; s < k; s++) {
    norm += fabs(w->scratch[s]) * w->weight[s];
  }
  norm *= 2.0;              /* 1 / (1 − γ) and the rounding of these sums take less */
  double *reach = w->error; /* max_s |X_si| / w_s */
  for (int i = 0; i < k; i++) {
    reach[i] = 0.0;
  }
  for (int s = 0; s < k; s++) {
    const double weight = w->weight[s];
    const double *X = w->X + s * k;
    NSD_SIMD
    for (int i = 0; i < k; i++) {
      const double part = fabs(X[i]) / weight;
      reach[i] = part > reach[i] ? part : reach[i];
    }
    (void)nsd_poll_stops(w->poll, 2.0 * k);
  }
  for (int i = 0; i < k; i++) {
    w->error[i] = reach[i] * norm + DBL_MIN;
  }
}

static int sign_beyond(double value, double error)
{
  return value > error ? 1 : value < -error ? -1 : UNSURE;
}

int nsd_error_bounds_sign(const nsd_error_bounds *w, const double *t, double constant, int j)
{
  double sum = j < 0 ? constant : t[j];
  double size = fabs(sum), error = 0.0;
  int any = sum != 0.0;
  /* t_j − Σ v_i a_ij, with the errors of v_i and of the sum. */
  for (int i = 0; i < w->count; i++) {
    const double a = j < 0 ? w->d[w->R[i]] : row_of(w, i)[j];
    const double term = w->v[i] * a;
    sum -= term;
    size += fabs(term);
    error += w->error[i] * fabs(a);
    any |= a != 0.0;
  }
  (void)nsd_poll_stops(w->poll, COLUMN_READ * w->count);
  return any ? sign_beyond(sum, 2.0 * error + rounding(w->count + 1, size)) : 0;
}

/* X (K Λ_S + d_R) into scratch; the largest over the weights, rounding included. */
static double miss(nsd_error_bounds *w)
{
  const int k = w->count;
  for (int i = 0; i < k; i++) {
    double sum = w->d[w->R[i]];
    double size = fabs(sum);
    for (int s = 0; s < k; s++) {
      const double term = w->K[i * k + s] * w->point[w->S[s]];
      sum += term;
      size += fabs(term);
    }
    w->v[i] = sum;
    w->error[i] = rounding(k, size);
    (void)nsd_poll_stops(w->poll, 4.0 * k);
  }
  double worst = 0.0;
  for (int s = 0; s < k; s++) {
    double sum = 0.0, size = 0.0, error = 0.0;
    for (int i = 0; i < k; i++) {
      const double term = w->X[s * k + i] * w->v[i];
      sum += term;
      size += fabs(term);
      error += fabs(w->X[s * k + i]) * w->error[i];
    }
    w->scratch[s] = sum;
    const double part = (fabs(sum) + 2.0 * error + rounding(k, size)) / w->weight[s];
    worst = part > worst || !(part <= DBL_MAX) ? part : worst;
    (void)nsd_poll_stops(w->poll, 4.0 * k);
  }
  return worst;
}

void nsd_error_bounds_bound_point(nsd_error_bounds *w)
{
  /* Λ_S := Λ_S − X (K Λ_S + d_R), then |Λ_exact − Λ| from what is left. */
  (void)miss(w);
  for (int s = 0; s < w->count; s++) {
    w->point[w->S[s]] -= w->scratch[s];
  }
  const double worst = 2.0 * miss(w);
  for (int s = 0; s < w->count; s++) {
    w->error[s] = worst * w->weight[s] + DBL_MIN;
  }
}

int nsd_error_bounds_sign_at_point(const nsd_error_bounds *w, const double *t, double constant)
{
  double sum = constant, size = fabs(constant), error = 0.0;
  for (int s = 0; s < w->count; s++) {
    const int j = w->S[s];
    const double term = t[j] * w->point[j];
    sum += term;
    size += fabs(term);
    error += fabs(t[j]) * w->error[s];
  }
  (void)nsd_poll_stops(w->poll, 4.0 * w->count);
  return sign_beyond(sum, 2.0 * error + rounding(w->count + 1, size));
}
