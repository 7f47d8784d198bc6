/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "contact/space/unique.h"

#include <math.h>

#include "base/tolerances.h"

/* What belongs to the rows of each contact: w to normal rows, m²/w to tangential ones, 0 elsewhere. Returns 0
 * for a law that the proof does not know. */
static int weigh(const nsd_contact_data *d, double factor, double *w)
{
  for (int i = 0; i < d->rows; i++) {
    w[i] = 0.0;
  }
  for (int i = 0; i < d->contacts; i++) {
    const nsd_contact_spec *s = &d->spec[i];
    const int rows = nsd_contact_rows_of(s);
    /* Of a known direction Λ_T is not where −ξ_T points farthest: the inequality does not hold. */
    if (s->sliding) {
      return 0;
    }
    /* m: the largest |Λ_T| over Λ_N. Without friction by load the right side is 0: no weight. */
    const double reach = s->mu * (s->space && s->space->aspect > 1.0 ? s->space->aspect : 1.0);
    if (rows == 1 || s->friction != NSD_FRICTION_LOAD || !(reach > 0.0)) {
      continue;
    }
    /* Of one contact whose rows are not coupled w = m √(G_NN G_TT) is best. */
    double G_TT = 0.0;
    for (int T = s->row + 1; T < s->row + rows; T++) {
      G_TT = fmax(G_TT, nsd_contact_row(d, T)[T]);
    }
    const double own = factor * reach * sqrt(nsd_contact_row(d, s->row)[s->row]) * sqrt(G_TT);
    w[s->row] = own;
    for (int T = s->row + 1; T < s->row + rows; T++) {
      w[T] = reach * reach / own;
    }
  }
  return 1;
}

static int is_tangential(const nsd_contact_data *d, int *contact, int row)
{
  while (*contact + 1 < d->contacts && d->spec[*contact + 1].row <= row) {
    ++*contact;
  }
  return row < nsd_contact_own_rows(d) && row > d->spec[*contact].row;
}

/* H := G − ½ diag(w_N) − ½ Gᵀ diag(m²/w) G, symmetric, in units in which G has a diagonal of ones. */
static void fill(const nsd_contact_data *d, const double *w, double *H)
{
  const size_t n = (size_t)d->rows;
  /* The symmetric part of G, which is all that xᵀ G x knows. */
  for (size_t i = 0; i < n; i++) {
    const double *row = nsd_contact_row(d, (int)i);
    for (size_t j = 0; j <= i; j++) {
      H[i * n + j] = 0.5 * row[j] + 0.5 * nsd_contact_row(d, (int)j)[i];
    }
  }
  int contact = 0;
  for (size_t k = 0; k < n; k++) {
    const double *row = nsd_contact_row(d, (int)k), weight = w[k];
    if (weight == 0.0) {
      continue;
    }
    /* (w/2) x_N² for a normal row … */
    if (!is_tangential(d, &contact, (int)k)) {
      H[k * n + k] -= 0.5 * weight;
      continue;
    }
    /* … and (m²/(2 w)) (G x)_T² for a tangential one: row T of G times itself. */
    for (size_t i = 0; i < n; i++) {
      for (size_t j = 0; j <= i; j++) {
        H[i * n + j] -= 0.5 * weight * row[i] * row[j];
      }
    }
  }
  /* D^-1/2 H D^-1/2 with D the diagonal of G: as definite as H, and its pivots have no unit. */
  for (size_t i = 0; i < n; i++) {
    for (size_t j = 0; j <= i; j++) {
      H[i * n + j] /= sqrt(nsd_contact_row(d, (int)i)[i]) * sqrt(nsd_contact_row(d, (int)j)[j]);
    }
  }
}

/* H = L Lᵀ in its lower triangle, with pivots clear of rounding. */
static int is_definite(int rows, double *H)
{
  const size_t n = (size_t)rows;
  for (size_t i = 0; i < n; i++) {
    double *l = H + i * n;
    for (size_t j = 0; j <= i; j++) {
      /* l_ij l_jj = h_ij − Σ_{k<j} l_ik l_jk; l_ii² likewise has to be positive, by more than what n
       * roundings of numbers of order 1 add up to. */
      const double *m = H + j * n;
      double sum = l[j];
      for (size_t k = 0; k < j; k++) {
        sum -= l[k] * m[k];
      }
      if (j == i && !(sum > NSD_UNIQUE_PIVOT * (double)n)) {
        return 0;
      }
      l[j] = j == i ? sqrt(sum) : sum / m[j];
    }
  }
  return 1;
}

int nsd_space_is_unique(const nsd_contact_data *d, double *H, double *w)
{
  if (d->rows > NSD_UNIQUE_ROWS) {
    return 0;
  }
  /* A row that nothing moves has any impulse it likes: there is no second solution only if G is definite. */
  for (int i = 0; i < d->rows; i++) {
    if (!(nsd_contact_row(d, i)[i] > 0.0)) {
      return 0;
    }
  }
  /* Any w > 0 that makes H definite is a proof. Where contacts are coupled, others than that of one contact
   * alone may do. */
  static const double factors[] = {1.0, 0.5, 2.0};
  for (size_t k = 0; k < sizeof factors / sizeof *factors; k++) {
    if (!weigh(d, factors[k], w)) {
      return 0;
    }
    fill(d, w, H);
    if (is_definite(d->rows, H)) {
      return 1;
    }
  }
  return 0;
}
