/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "contact/planar/stewart_trinkle.h"

#include <math.h>

#include "contact/planar/exact_form.h"
#include "contact/planar/states.h"

/* Four unknowns, or one. */
static int has_directions(const nsd_contact_spec *s)
{
  return nsd_contact_has_friction(s) && !s->sliding;
}

static int unknowns(const nsd_contact_spec *s)
{
  return has_directions(s) ? 4 : 1;
}

int nsd_stewart_trinkle_applies(const nsd_contact_data *d)
{
  for (int i = 0; i < d->contacts; i++) {
    if (d->spec[i].kind == NSDYN_CONTACT_BILATERAL && d->spec[i].mu > 0.0) {
      return 0;
    }
  }
  return 1;
}

int nsd_stewart_trinkle_size(const nsd_contact_data *d)
{
  int n = d->bilateral;
  for (int i = 0; i < d->contacts; i++) {
    n += unknowns(&d->spec[i]);
  }
  return n;
}

int nsd_stewart_trinkle_is_plain(const nsd_contact_data *d)
{
  for (int i = 0; i < d->contacts; i++) {
    if (d->spec[i].kind == NSDYN_CONTACT_BILATERAL) {
      return 0;
    }
  }
  return d->bilateral == 0;
}

/* Row i as put_row() writes it: only known directions of sliding make sums. */
static int row_is_exact(const nsd_contact_data *d, int i)
{
  const double *g = nsd_contact_row(d, i);
  double b = d->c[i];
  for (int j = 0; j < d->contacts; j++) {
    const nsd_contact_spec *s = &d->spec[j];
    if (has_directions(s) || s->friction == NSD_FRICTION_NONE) {
      continue;
    }
    const double drag = g[s->row + 1];
    if (!nsd_sum_is_exact(g[s->row], -s->sliding * s->mu, drag) ||
        !nsd_sum_is_exact(b, -s->sliding * s->bound, drag)) {
      return 0;
    }
    b -= drag * (s->sliding * s->bound);
  }
  return 1;
}

int nsd_stewart_trinkle_is_exact(const nsd_contact_data *d, nsd_poll *poll)
{
  int i = 0;
  while (i < d->rows && !nsd_poll_stops(poll, NSD_SUM_IS_EXACT_WORK * d->rows) && row_is_exact(d, i)) {
    i++;
  }
  return i == d->rows;
}

/* Row i of G Λ + c times `sign`, over all unknowns. */
static void put_row(const nsd_contact_data *d, int i, double sign, double *a, double *b)
{
  const double *g = nsd_contact_row(d, i);
  *b = sign * d->c[i];
  for (int j = 0; j < d->contacts; j++) {
    const nsd_contact_spec *s = &d->spec[j];
    /* Λ_N, and Λ_T = β₊ − β₋; σ is no impulse. */
    if (has_directions(s)) {
      a[0] = sign * g[s->row];
      a[1] = sign * g[s->row + 1];
      a[2] = -a[1];
      a[3] = 0.0;
    } else if (s->friction == NSD_FRICTION_NONE) {
      a[0] = sign * g[s->row];
    } else {
      /* Λ_T = −s (μ Λ_N + bound): its first part belongs to Λ_N, its second to b. */
      a[0] = sign * (g[s->row] - s->sliding * s->mu * g[s->row + 1]);
      *b -= sign * g[s->row + 1] * (s->sliding * s->bound);
    }
    a += unknowns(s);
  }
  for (int j = nsd_contact_own_rows(d); j < d->rows; j++) {
    *a++ = sign * g[j];
  }
}

/* The rows of one contact's friction: both directions with σ, and the bound. */
static void put_friction(const nsd_contact_data *d, const nsd_contact_spec *s, int n, int at, double *A,
                         int lda, double *b)
{
  double *plus = A + (size_t)(at + 1) * (size_t)lda;
  double *minus = plus + lda;
  double *limit = minus + lda;
  /* y = ξ_T + σ and −ξ_T + σ: σ is the sliding speed where it slips. */
  put_row(d, s->row + 1, 1.0, plus, &b[at + 1]);
  put_row(d, s->row + 1, -1.0, minus, &b[at + 2]);
  plus[at + 3] = 1.0;
  minus[at + 3] = 1.0;
  /* μ Λ_N + bound − β₊ − β₋ >= 0, zero where it slips. */
  for (int j = 0; j < n; j++) {
    limit[j] = 0.0;
  }
  limit[at] = s->mu;
  limit[at + 1] = limit[at + 2] = -1.0;
  b[at + 3] = s->bound;
}

void nsd_stewart_trinkle_assemble(const nsd_contact_data *d, double *A, int lda, double *b, double *lo,
                                  double *hi, nsd_poll *poll)
{
  const int n = nsd_stewart_trinkle_size(d);
  int at = 0;
  for (int i = 0; i < n; i++) {
    lo[i] = 0.0;
    hi[i] = INFINITY;
  }
  for (int i = 0; i < d->contacts; i++) {
    const nsd_contact_spec *s = &d->spec[i];
    if (nsd_poll_stops(poll, NSD_POLL_READ * unknowns(s) * n)) {
      return;
    }
    put_row(d, s->row, 1.0, A + (size_t)at * (size_t)lda, &b[at]);
    if (has_directions(s)) {
      put_friction(d, s, n, at, A, lda, b);
    }
    if (s->kind == NSDYN_CONTACT_BILATERAL) {
      lo[at] = -INFINITY;
    }
    at += unknowns(s);
  }
  for (int i = nsd_contact_own_rows(d); i < d->rows; i++) {
    put_row(d, i, 1.0, A + (size_t)at * (size_t)lda, &b[at]);
    lo[at++] = -INFINITY;
    if (nsd_poll_stops(poll, NSD_POLL_READ * n)) {
      return;
    }
  }
}

void nsd_stewart_trinkle_impulses(const nsd_contact_data *d, const double *x, double *Lambda)
{
  for (int i = 0; i < d->contacts; i++) {
    const nsd_contact_spec *s = &d->spec[i];
    /* Λ_T = β₊ − β₋, or given along a known direction. */
    Lambda[s->row] = x[0];
    if (has_directions(s)) {
      Lambda[s->row + 1] = x[1] - x[2];
    } else if (s->friction != NSD_FRICTION_NONE) {
      Lambda[s->row + 1] = -s->sliding * (s->mu * x[0] + s->bound);
    }
    x += unknowns(s);
  }
  for (int i = nsd_contact_own_rows(d); i < d->rows; i++) {
    Lambda[i] = *x++;
  }
}
