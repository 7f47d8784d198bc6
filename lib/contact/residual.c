/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "contact/residual.h"

#include "contact/check.h"

/* One row: ξ, and what it is made of. */
typedef struct row_sum {
  double xi;
  double load; /* |c_i| + Σ |G_ij Λ_j| over the part that is no cause of its own */
  double size; /* the same over all */
} row_sum;

/* Σ a_j x_j and Σ |a_j x_j|, in four lanes. */
NSD_INLINE double sum_both(int n, const double *a, const double *x, double *size)
{
  nsd_lanes sums = nsd_lanes_all(0.0);
  nsd_lanes sizes = nsd_lanes_all(0.0);
  int j = 0;
  for (; j + NSD_LANES <= n; j += NSD_LANES) {
    const nsd_lanes term = nsd_lanes_load(a + j) * nsd_lanes_load(x + j);
    sums += term;
    sizes += nsd_lanes_abs(term);
  }
  double sum = nsd_lanes_sum(sums);
  *size = nsd_lanes_sum(sizes);
  for (; j < n; j++) {
    const double term = a[j] * x[j];
    sum += term;
    *size += fabs(term);
  }
  return sum;
}

/* Of a contact's row the load is c and what bilateral constraints make; of a constraint's row c and what
 * contacts make. */
NSD_INLINE row_sum sum_row(const nsd_contact_data *d, int i, const double *Lambda)
{
  const int own = nsd_contact_own_rows(d);
  const double *g = nsd_contact_row(d, i);
  double of_contacts, of_constraints;
  const double a = sum_both(own, g, Lambda, &of_contacts);
  const double b = sum_both(d->bilateral, g + own, Lambda + own, &of_constraints);
  row_sum row = {.xi = d->c[i] + (a + b)};
  row.load = fabs(d->c[i]) + (i < own ? of_constraints : of_contacts);
  row.size = row.load + (i < own ? of_contacts : of_constraints);
  return row;
}

/* The largest so far. */
typedef struct tally {
  double miss;
  double size;
  double load;
  double all; /* sum of sizes: finite where all are */
  int row;
} tally;

NSD_INLINE void count_row(tally *t, const row_sum *row)
{
  t->size = nsd_larger(row->size, t->size);
  t->load = nsd_larger(row->load, t->load);
  t->all += row->size;
}

NSD_INLINE void count_miss(tally *t, double miss, int row)
{
  if (!(miss <= t->miss)) {
    t->miss = miss;
    t->row = row;
  }
}

NSD_INLINE double diagonal(const nsd_contact_data *d, int i)
{
  return nsd_contact_row(d, i)[i];
}

NSD_INLINE void judge_contact(const nsd_contact_data *d, const nsd_contact_spec *s, const double *Lambda,
                              double *xi, tally *t)
{
  const int N = s->row;
  const int T = nsd_contact_tangent(s);
  const row_sum normal = sum_row(d, N, Lambda);
  count_row(t, &normal);
  if (xi) {
    xi[N] = normal.xi;
  }
  if (T < 0) {
    const double r = nsd_contact_stiffness(diagonal(d, N), diagonal(d, N));
    count_miss(t, nsd_contact_miss_normal(s->kind, r, Lambda[N], normal.xi), N);
    return;
  }
  const row_sum tangential = sum_row(d, T, Lambda);
  count_row(t, &tangential);
  if (xi) {
    xi[T] = tangential.xi;
  }
  const double r = nsd_contact_stiffness(diagonal(d, N), diagonal(d, T));
  const double limit = r * (s->friction == NSD_FRICTION_GIVEN ? s->bound : s->mu * fabs(Lambda[N]));
  count_miss(t, nsd_contact_miss_normal(s->kind, r, Lambda[N], normal.xi), N);
  count_miss(t, nsd_contact_miss_tangential(r, limit, s->sliding, Lambda[T], tangential.xi), T);
}

/* Bilateral constraints, each on its own scale; they are far out where all are. */
NSD_INLINE void judge_constraints(const nsd_contact_data *d, const double *Lambda, double *xi,
                                  nsd_contact_verdict *v)
{
  double all = 0.0;
  double worst = v->residual > 0.0 ? v->residual / v->scale : 0.0;
  int is_loaded = 0;
  int is_near = 0;
  double size = 0.0;
  for (int i = nsd_contact_own_rows(d); i < d->rows; i++) {
    const row_sum row = sum_row(d, i, Lambda);
    if (xi) {
      xi[i] = row.xi;
    }
    all += row.size;
    is_loaded |= row.load > 0.0;
    is_near |= row.size <= NSD_CONTACT_FAR_OUT * row.load;
    size = nsd_larger(row.size, size);
    const double miss = fabs(row.xi);
    if (miss > 0.0 && miss > worst * row.size) {
      worst = miss / row.size;
      v->residual = miss;
      v->scale = row.size;
      v->row = i;
    }
  }
  if (is_loaded && !is_near) {
    v->residual = v->scale = size;
    v->row = d->rows - 1;
  }
  if (!(all < (double)INFINITY)) {
    *v = (nsd_contact_verdict){.residual = INFINITY, .row = d->rows - 1};
  }
}

/* The tally of no row yet: a NaN is larger than what stands here. */
static const tally nothing = {.miss = 0.0, .size = 0.0, .load = 0.0, .all = 0.0, .row = -1};

NSD_INLINE nsd_contact_verdict judge(const nsd_contact_data *d, const double *Lambda, double *xi)
{
  tally t = nothing;
  for (int i = 0; i < d->contacts; i++) {
    judge_contact(d, &d->spec[i], Lambda, xi, &t);
  }
  nsd_contact_verdict v = nsd_contact_verdict_of(t.miss, t.row, t.size, t.load, t.all);
  if (d->bilateral > 0) {
    judge_constraints(d, Lambda, xi, &v);
  }
  return v;
}

#if NSD_HAVE_AVX2
NSD_TARGET_AVX2 static nsd_contact_verdict judge_avx2(const nsd_contact_data *d, const double *Lambda,
                                                      double *xi)
{
  return judge(d, Lambda, xi);
}
#endif

nsd_contact_verdict nsd_contact_judge(const nsd_contact_data *d, const double *Lambda, double *xi)
{
#if NSD_HAVE_AVX2
  if (nsd_cpu_avx2()) {
    return judge_avx2(d, Lambda, xi);
  }
#endif
  return judge(d, Lambda, xi);
}

nsdyn_status nsdyn_contact_residual(const nsdyn_contact_problem *problem, const double *Lambda,
                                    double *residual, double *scale, int *row)
{
  nsdyn_contact_problem p;
  const nsdyn_status status = nsd_contact_check(&p, problem, NULL);
  if (status) {
    return status;
  }
  const nsd_contact_data d = nsd_contact_data_of(&p);
  if (!residual || (d.rows > 0 && !Lambda)) {
    return NSDYN_ERR_ARGUMENT;
  }
  tally t = nothing;
  int at = 0;
  for (int i = 0; i < d.contacts; i++) {
    const nsd_contact_spec spec = nsd_contact_spec_of(&p, i, at);
    judge_contact(&d, &spec, Lambda, NULL, &t);
    at += nsd_contact_rows_of(&spec);
  }
  nsd_contact_verdict v = nsd_contact_verdict_of(t.miss, t.row, t.size, t.load, t.all);
  if (d.bilateral > 0) {
    judge_constraints(&d, Lambda, NULL, &v);
  }
  *residual = v.residual;
  if (scale) {
    *scale = v.scale;
  }
  if (row) {
    *row = v.row;
  }
  return NSDYN_OK;
}
