/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "stepper/check/redundant_rounding.h"

#include <math.h>
#include <stddef.h>

#include "base/kernels/simd.h"
#include "base/tolerances.h"

/* Row i of L in G = L Lᵀ, in its place; zeros in columns of rows that depend on others, which have no pivot.
 * Returns the square of its own pivot. */
static double factor_row(int i, double *G, size_t ldg)
{
  double *l = G + (size_t)i * ldg;
  double pivot = l[i];
  for (int j = 0; j < i; j++) {
    const double *m = G + (size_t)j * ldg;
    double sum = l[j];
    for (int k = 0; k < j; k++) {
      sum -= l[k] * m[k];
    }
    /* l_ij = (g_ij − Σ l_ik l_jk) / l_jj, then l_ii² = g_ii − Σ l_ij². */
    l[j] = m[j] > 0.0 ? sum / m[j] : 0.0;
    pivot -= l[j] * l[j];
  }
  return pivot;
}

/* With c = L y on independent rows, a dependent one has c_i = Σ l_ij y_j. In the metric of G, √G_ii, rows of
 * different units compare, and so does what rounding leaves open of them. */
int nsd_redundant_agree(int n, double *G, int ldg, const double *noise, double *c, double *y)
{
  const size_t ld = (size_t)ldg;
  double open = 0.0;
  int has_changed = 0;
  for (int i = 0; i < n; i++) {
    const double size = G[(size_t)i * (ld + 1)];
    open = size > 0.0 ? nsd_larger(noise[i] / sqrt(size), open) : open;
  }
  for (int i = 0; i < n; i++) {
    double *l = G + (size_t)i * ld;
    const double size = l[i], pivot = factor_row(i, G, ld);
    double said = 0.0; /* by the rows before */
    for (int j = 0; j < i; j++) {
      said += l[j] * y[j];
    }
    /* Independent: y_i = (c_i − Σ l_ij y_j) / l_ii. */
    if (pivot > NSD_REDUNDANT_PIVOT * size) {
      l[i] = sqrt(pivot);
      y[i] = (c[i] - said) / l[i];
      continue;
    }
    /* Dependent, and apart by more than rounding: that is a contradiction, and is left to be told. */
    if (!(fabs(c[i] - said) <= noise[i] + sqrt(size) * open)) {
      return -1;
    }
    l[i] = 0.0;
    y[i] = said; /* later rows have a zero in its column */
    has_changed |= said != c[i];
  }
  for (int i = 0; has_changed && i < n; i++) {
    c[i] = G[(size_t)i * (ld + 1)] > 0.0 ? c[i] : y[i];
  }
  return has_changed;
}
