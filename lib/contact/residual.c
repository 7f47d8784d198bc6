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

/* Of a contact's row the load is c and the share `drive` of what bilateral constraints make; of a
 * constraint's row c alone. */
NSD_INLINE row_sum sum_row(const nsd_contact_data *d, int i, const double *Lambda, double drive)
{
  const int own = nsd_contact_own_rows(d);
  const double *g = nsd_contact_row(d, i);
  double of_contacts, of_constraints = 0.0;
  const double a = sum_both(own, g, Lambda, &of_contacts);
  const double b = d->bilateral == 0 ? 0.0 : sum_both(d->bilateral, g + own, Lambda + own, &of_constraints);
  row_sum row = {.xi = d->c[i] + (a + b)};
  row.load = fabs(d->c[i]) + drive * of_constraints;
  row.size = fabs(d->c[i]) + (of_constraints + of_contacts);
  return row;
}

/* The largest so far. */
typedef struct tally {
  double miss;
  double size;
  double load;
  double all;   /* sum of sizes: finite where all are */
  double share; /* largest |c_i| over size of a row that impulses act on, beside constraints; −1: none */
  double drive; /* how much of what constraints make is load */
  int row;
} tally;

NSD_INLINE void count_row(tally *t, const row_sum *row)
{
  t->size = nsd_larger(row->size, t->size);
  t->load = nsd_larger(row->load, t->load);
  t->all += row->size;
}

/* Where the share of c is small in every row that impulses act on, they do little but hold each other. */
NSD_INLINE void count_share(double *share, double c, double size)
{
  *share = size > fabs(c) ? nsd_larger(fabs(c) / size, *share) : *share;
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
  const row_sum normal = sum_row(d, N, Lambda, t->drive);
  count_row(t, &normal);
  if (d->bilateral > 0) {
    count_share(&t->share, d->c[N], normal.size);
  }
  if (xi) {
    xi[N] = normal.xi;
  }
  if (T < 0) {
    const double r = nsd_contact_stiffness(diagonal(d, N), diagonal(d, N));
    count_miss(t, nsd_contact_miss_normal(s->kind, r, Lambda[N], normal.xi), N);
    return;
  }
  row_sum tangential = sum_row(d, T, Lambda, t->drive);
  if (s->friction == NSD_FRICTION_GIVEN && s->sliding) {
    tangential.load += diagonal(d, T) * s->bound; /* a given impulse, as good as a part of c: a brake alone */
  }
  count_row(t, &tangential);
  if (d->bilateral > 0) {
    count_share(&t->share, d->c[T], tangential.size);
  }
  if (xi) {
    xi[T] = tangential.xi;
  }
  const double r = nsd_contact_stiffness(diagonal(d, N), diagonal(d, T));
  const double limit = r * (s->friction == NSD_FRICTION_GIVEN ? s->bound : s->mu * fabs(Lambda[N]));
  count_miss(t, nsd_contact_miss_normal(s->kind, r, Lambda[N], normal.xi), N);
  count_miss(t, nsd_contact_miss_tangential(r, limit, s->sliding, Lambda[T], tangential.xi), T);
}

static double share_of(double residual, double scale)
{
  return residual > 0.0 ? residual / scale : 0.0;
}

/* What is known of constraints before contacts are looked at. */
typedef struct constraint_tally {
  double all, most; /* sum of sizes, and the largest */
  double share;     /* largest |c_b| over size; −1 where no impulse acts on any */
  nsd_contact_verdict worst;
} constraint_tally;

NSD_INLINE constraint_tally judge_constraints(const nsd_contact_data *d, const double *Lambda, double *xi)
{
  constraint_tally t = {.share = -1.0, .worst = {.row = -1}};
  double worst = 0.0;
  for (int i = nsd_contact_own_rows(d); i < d->rows; i++) {
    const row_sum row = sum_row(d, i, Lambda, 1.0);
    const double miss = fabs(row.xi);
    if (xi) {
      xi[i] = row.xi;
    }
    t.all += row.size;
    t.most = nsd_larger(row.size, t.most);
    count_share(&t.share, d->c[i], row.size);
    if (miss > 0.0 && miss > worst * row.size) {
      worst = miss / row.size;
      t.worst = (nsd_contact_verdict){.residual = miss, .scale = row.size, .row = i};
    }
  }
  return t;
}

/* Scales may exceed what c asks for by a factor of NSD_CONTACT_MOST, as in nsd_contact_verdict_of(): where c
 * has a share of less than its inverse in all rows, two constraints that contradict each other would else
 * hide that behind impulses that hold each other. */
static double factor_of(double share)
{
  return share < 0.0 ? 1.0 : nsd_smaller(1.0, NSD_CONTACT_MOST * share);
}

/* `v`, of the contacts, becomes that of all: each constraint on its own scale, and nothing where all rows are
 * far out. */
static void add_constraints(const nsd_contact_data *d, const constraint_tally *b, const tally *t,
                            nsd_contact_verdict *v)
{
  if (!(b->all < (double)INFINITY)) {
    *v = (nsd_contact_verdict){.residual = INFINITY, .row = d->rows - 1};
  }
  if (!(v->residual < (double)INFINITY)) {
    return;
  }
  const double share = nsd_larger(b->share, t->share);
  const double scale = b->worst.scale * factor_of(share);
  if (share_of(b->worst.residual, scale) > share_of(v->residual, v->scale)) {
    v->residual = b->worst.residual;
    v->scale = scale;
    v->row = b->worst.row;
  }
  if (share >= 0.0 && NSD_CONTACT_FAR_OUT * share < 1.0) {
    v->residual = v->scale = nsd_larger(b->most, t->size);
    v->row = v->row < 0 ? d->rows - 1 : v->row;
  }
}

/* The tally of no row yet: a NaN is larger than what stands here. */
static const tally nothing = {
    .miss = 0.0, .size = 0.0, .load = 0.0, .all = 0.0, .share = -1.0, .drive = 1.0, .row = -1};

NSD_INLINE nsd_contact_verdict judge(const nsd_contact_data *d, const double *Lambda, double *xi)
{
  tally t = nothing;
  constraint_tally b = {.share = -1.0};
  if (d->bilateral > 0) {
    b = judge_constraints(d, Lambda, xi);
    t.drive = b.share < 0.0 ? 1.0 : b.share;
  }
  for (int i = 0; i < d->contacts; i++) {
    judge_contact(d, &d->spec[i], Lambda, xi, &t);
  }
  nsd_contact_verdict v = nsd_contact_verdict_of(t.miss, t.row, t.size, t.load, t.all);
  if (d->bilateral > 0) {
    add_constraints(d, &b, &t, &v);
  }
  return v;
}

/* Two contacts of two rows: what is said of them here is known where the judge is inlined. */
NSD_INLINE nsd_contact_verdict judge_pair(const nsd_contact_data *d, const double *Lambda, double *xi)
{
  const nsd_contact_spec spec[2] = {
      {.mu = d->spec[0].mu, .row = 0, .friction = NSD_FRICTION_LOAD, .kind = NSDYN_CONTACT_UNILATERAL},
      {.mu = d->spec[1].mu, .row = 2, .friction = NSD_FRICTION_LOAD, .kind = NSDYN_CONTACT_UNILATERAL}};
  const nsd_contact_data pair = {
      .contacts = 2, .bilateral = 0, .rows = 4, .ldg = d->ldg, .spec = spec, .G = d->G, .c = d->c};
  tally t = nothing;
  judge_contact(&pair, &spec[0], Lambda, xi, &t);
  judge_contact(&pair, &spec[1], Lambda, xi, &t);
  return nsd_contact_verdict_of(t.miss, t.row, t.size, t.load, t.all);
}

NSD_INLINE nsd_contact_verdict judge_sized(const nsd_contact_data *d, const double *Lambda, double *xi)
{
  const int is_pair = d->contacts == 2 && d->bilateral == 0 && xi && nsd_contact_is_coulomb(&d->spec[0]) &&
                      nsd_contact_is_coulomb(&d->spec[1]);
  return is_pair ? judge_pair(d, Lambda, xi) : judge(d, Lambda, xi);
}

#if NSD_HAVE_AVX2
NSD_TARGET_AVX2 static nsd_contact_verdict judge_avx2(const nsd_contact_data *d, const double *Lambda,
                                                      double *xi)
{
  return judge_sized(d, Lambda, xi);
}
#endif

nsd_contact_verdict nsd_contact_judge(const nsd_contact_data *d, const double *Lambda, double *xi)
{
#if NSD_HAVE_AVX2
  if (nsd_cpu_avx2()) {
    return judge_avx2(d, Lambda, xi);
  }
#endif
  return judge_sized(d, Lambda, xi);
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
  constraint_tally b = {.share = -1.0};
  int at = 0;
  if (d.bilateral > 0) {
    b = judge_constraints(&d, Lambda, NULL);
    t.drive = b.share < 0.0 ? 1.0 : b.share;
  }
  for (int i = 0; i < d.contacts; i++) {
    const nsd_contact_spec spec = nsd_contact_spec_of(&p, i, at);
    judge_contact(&d, &spec, Lambda, NULL, &t);
    at += nsd_contact_rows_of(&spec);
  }
  nsd_contact_verdict v = nsd_contact_verdict_of(t.miss, t.row, t.size, t.load, t.all);
  if (d.bilateral > 0) {
    add_constraints(&d, &b, &t, &v);
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
