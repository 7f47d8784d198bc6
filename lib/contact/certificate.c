/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "contact/certificate.h"

#include "base/tolerances.h"

#define ROW_WORK 4.0 /* multiplications that an element of a row takes as long as */

#include <float.h>

#include "base/assert.h"
#include "base/safe_scalar.h"
#include "contact/check.h"
#include "contact/check_operator.h"
#include "contact/extreme_units.h"
#include "contact/space/friction.h"
#include "contact/space/operator.h"

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

/* The same, a in the units of an edge. */
static double sum_edge(const nsd_extreme_units *e, int n, const double *a, const double *x, double *size)
{
  double sum = 0.0;
  *size = 0.0;
  for (int j = 0; j < n; j++) {
    const double term = ldexp(a[j], e->G) * ldexp(x[j], e->Lambda);
    sum += term;
    *size += fabs(term);
  }
  return sum;
}

/* What impulses that are rounded to the next double leave open of a row. */
static double grain_of(const nsd_extreme_units *e, int n, const double *a)
{
  double sum = 0.0;
  for (int j = 0; j < n; j++) {
    sum += fabs(ldexp(a[j], e->G)) * e->grain;
  }
  return sum;
}

/* Of a contact's row the load is c and the share `drive` of what bilateral constraints make; of a
 * constraint's row c alone. */
NSD_INLINE row_sum sum_row(const nsd_contact_data *d, int i, const double *Lambda, double drive,
                           const nsd_extreme_units *e)
{
  if (d->W) {
    const nsd_contact_terms *t = d->terms;
    const double given = fabs(d->c[i]);
    return (row_sum){.xi = d->c[i] + t->product[i],
                     .load = given + drive * t->size_of_constraints[i],
                     .size = given + (t->size_of_constraints[i] + t->size_of_contacts[i])};
  }
  const int own = nsd_contact_own_rows(d);
  const double *g = nsd_contact_row(d, i);
  double of_contacts, of_constraints = 0.0;
  /* At the lower end of the range of doubles: everything in units of an edge. */
  if (e) {
    const double sum = sum_edge(e, own, g, Lambda, &of_contacts) +
                       sum_edge(e, d->bilateral, g + own, Lambda + own, &of_constraints);
    const double c = ldexp(d->c[i], e->xi), size = fabs(c) + (of_constraints + of_contacts);
    return (row_sum){.xi = c + sum, .load = fabs(c) + drive * of_constraints, .size = size};
  }
  /* ξ_i = c_i + Σ G_ij Λ_j, contacts and constraints apart. */
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
  double work;  /* Λᵀ G Λ of the contacts' rows */
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

NSD_INLINE double diagonal(const nsd_contact_data *d, int i, const nsd_extreme_units *e)
{
  const double G = d->W ? d->terms->diagonal[i] : nsd_contact_row(d, i)[i];
  return e ? ldexp(G, e->G) : G;
}

/* A miss that the rounding of the impulses to doubles explains does not count. */
NSD_INLINE double without_grain(const nsd_contact_data *d, int row, double mu, double miss,
                                const nsd_extreme_units *e)
{
  if (!e || !(miss > 0.0)) {
    return miss;
  }
  /* Each Λ is off by half a step to the next double: Σ |G_ij| grain in ξ, r (1 + μ) grain in r Λ. */
  const double r = fabs(ldexp(nsd_contact_row(d, row)[row], e->G));
  const double grain = grain_of(e, d->rows, nsd_contact_row(d, row)) + (1.0 + mu) * r * e->grain;
  return miss > grain ? miss - grain : 0.0;
}

/* c, G and Λ in the units of an edge, where there is one. */
NSD_INLINE double c_of(const nsd_contact_data *d, int i, const nsd_extreme_units *e)
{
  return e ? ldexp(d->c[i], e->xi) : d->c[i];
}

NSD_INLINE double impulse_of(double Lambda, const nsd_extreme_units *e)
{
  return e ? ldexp(Lambda, e->Lambda) : Lambda;
}

NSD_INLINE void judge_contact(const nsd_contact_data *d, const nsd_contact_spec *s, const double *Lambda,
                              double *xi, tally *t, const nsd_extreme_units *e)
{
  const int N = s->row;
  const int T = nsd_contact_tangent(s);
  const double Lambda_N = impulse_of(Lambda[N], e);
  const row_sum normal = sum_row(d, N, Lambda, t->drive, e);
  count_row(t, &normal);
  if (d->bilateral > 0) {
    count_share(&t->share, c_of(d, N, e), normal.size);
    t->work += Lambda_N * (normal.xi - c_of(d, N, e));
  }
  if (xi) {
    xi[N] = normal.xi;
  }
  /* A contact without friction: |min(ξ_N, r Λ_N)|. */
  if (T < 0) {
    const double r = nsd_contact_stiffness(diagonal(d, N, e), diagonal(d, N, e));
    const double miss = nsd_contact_miss_normal(s->kind, r, Lambda_N, normal.xi);
    count_miss(t, without_grain(d, N, 0.0, miss, e), N);
    return;
  }
  row_sum tangential = sum_row(d, T, Lambda, t->drive, e);
  const double bound = impulse_of(s->bound, e);
  /* A given impulse, as good as a part of c: a brake alone. */
  const double given = s->friction == NSD_FRICTION_GIVEN && s->sliding ? diagonal(d, T, e) * bound : 0.0;
  tangential.load += given;
  count_row(t, &tangential);
  if (d->bilateral > 0) {
    count_share(&t->share, fabs(c_of(d, T, e)) + given, tangential.size);
    t->work += impulse_of(Lambda[T], e) * (tangential.xi - c_of(d, T, e));
  }
  if (xi) {
    xi[T] = tangential.xi;
  }
  /* Both laws' misses in the units of ξ, r Λ beside ξ. */
  const double r = nsd_contact_stiffness(diagonal(d, N, e), diagonal(d, T, e));
  const double limit = r * (s->friction == NSD_FRICTION_GIVEN ? bound : s->mu * fabs(Lambda_N));
  const double miss_N = nsd_contact_miss_normal(s->kind, r, Lambda_N, normal.xi);
  const double miss_T =
      nsd_contact_miss_tangential(r, limit, s->sliding, impulse_of(Lambda[T], e), tangential.xi);
  count_miss(t, without_grain(d, N, 0.0, miss_N, e), N);
  count_miss(t, without_grain(d, T, s->mu, miss_T, e), T);
}

/* Likewise a contact in space with rows (N, T1, T2), r = trace / 3 of its block: |min(ξ_N, r Λ_N)|, and the
 * distance of r Λ_T from the projection of r Λ_T − ξ_T on r C. The two together are Coulomb's law with
 * maximal dissipation. Along a known direction e it is Λ_T = −(the point of C farthest along e). In expansion
 * planar contacts are judged likewise. */
static void judge_space_contact(const nsd_contact_data *d, const nsd_contact_spec *s, const double *Lambda,
                                double *xi, tally *t, const nsd_extreme_units *e)
{
  const int N = s->row;
  const double bound = impulse_of(s->bound, e);
  const int is_driven = s->friction == NSD_FRICTION_GIVEN && s->sliding;
  const int rows = nsd_contact_rows_of(s);
  row_sum row[NSD_CONTACT_ROWS];
  double trace = 0.0;
  NSD_ASSERT(rows > 1);
  for (int i = 0; i < rows; i++) {
    row[i] = sum_row(d, N + i, Lambda, t->drive, e);
    /* A given impulse, as good as a part of c: a brake alone. */
    const double given = i > 0 && is_driven ? diagonal(d, N + i, e) * bound : 0.0;
    row[i].load += given;
    count_row(t, &row[i]);
    trace += diagonal(d, N + i, e);
    if (d->bilateral > 0) {
      count_share(&t->share, fabs(c_of(d, N + i, e)) + given, row[i].size);
      t->work += impulse_of(Lambda[N + i], e) * (row[i].xi - c_of(d, N + i, e));
    }
    if (xi) {
      xi[N + i] = row[i].xi;
    }
  }
  const double r = trace > 0.0 ? trace / rows : 1.0;
  const double Lambda_N = impulse_of(Lambda[N], e);
  const double miss_N = nsd_contact_miss_normal(s->kind, r, Lambda_N, row[0].xi);
  count_miss(t, without_grain(d, N, 0.0, miss_N, e), N);
  const double limit = r * (s->friction == NSD_FRICTION_GIVEN  ? bound
                            : s->friction == NSD_FRICTION_LOAD ? s->mu * fabs(Lambda_N)
                                                               : nsd_friction_limit(s, Lambda_N));
  double drag[2] = {0.0, 0.0};
  for (int i = 1; i < rows; i++) {
    drag[i - 1] = r * impulse_of(Lambda[N + i], e);
  }
  double nearest[2] = {0.0, 0.0};
  if (s->sliding) {
    s->space ? nsd_friction_drag(s, -limit, nearest) : nsd_friction_support(s, -limit, s->slip, nearest);
  } else {
    const double wish[2] = {drag[0] - row[1].xi, rows == 3 ? drag[1] - row[2].xi : 0.0};
    nsd_friction_project_scaled(s, r, limit, wish, nearest);
  }
  const double miss[2] = {drag[0] - nearest[0], drag[1] - nearest[1]};
  const int T = N + (fabs(miss[1]) > fabs(miss[0]) ? 2 : 1);
  count_miss(t, without_grain(d, T, s->mu, nsd_norm_plane(miss[0], miss[1]), e), T);
}

static double share_of(double residual, double scale)
{
  return residual > 0.0 ? residual / scale : 0.0;
}

/* What is known of constraints before contacts are looked at. */
typedef struct constraint_tally {
  double all, most; /* sum of sizes, and the largest */
  double share;     /* largest |c_b| over size; −1 where no impulse acts on any */
  double work;      /* Λᵀ G Λ of these rows */
  nsd_contact_verdict worst;
} constraint_tally;

NSD_INLINE constraint_tally judge_constraints(const nsd_contact_data *d, const double *Lambda, double *xi,
                                              const nsd_extreme_units *e, nsd_poll *poll)
{
  constraint_tally t = {.share = -1.0, .worst = {.row = -1}};
  double worst = 0.0;
  for (int i = nsd_contact_own_rows(d); i < d->rows; i++) {
    /* A constraint's equation is ξ = 0: all of it is a miss, on its own scale. */
    const row_sum row = sum_row(d, i, Lambda, 1.0, e);
    const double miss = without_grain(d, i, 0.0, fabs(row.xi), e);
    nsd_poll_tells(poll, ROW_WORK * d->rows);
    if (xi) {
      xi[i] = row.xi;
    }
    t.all += row.size;
    t.most = nsd_larger(row.size, t.most);
    count_share(&t.share, c_of(d, i, e), row.size);
    t.work += impulse_of(Lambda[i], e) * (row.xi - c_of(d, i, e));
    if (miss > 0.0 && miss > worst * row.size) {
      worst = miss / row.size;
      t.worst = (nsd_contact_verdict){.residual = miss, .scale = row.size, .load = row.size, .row = i};
    }
  }
  return t;
}

/* Scales may exceed what c asks for by a factor of NSD_CONTACT_MOST_SCALE, as in nsd_contact_verdict_of():
 * where c has a share of less than its inverse in all rows, two constraints that contradict each other would
 * else hide that behind impulses that hold each other. */
static double factor_of(double share)
{
  return share < 0.0 ? 1.0 : nsd_smaller(1.0, NSD_CONTACT_MOST_SCALE * share);
}

/* By Cauchy and Schwarz no impulses change the velocity of row i by more than √(G_ii Λᵀ G Λ). Impulses that
 * hold each other make the terms of a row large and that not: constraints which contradict each other cannot
 * hide behind them, here at least by more than a factor of NSD_CONTACT_MOST_SCALE. */
static void limit_scales(const nsd_contact_data *d, double work, const double *Lambda,
                         const nsd_extreme_units *e, nsd_contact_verdict *v, nsd_poll *poll)
{
  for (int i = nsd_contact_own_rows(d); i < d->rows; i++) {
    const row_sum row = sum_row(d, i, Lambda, 1.0, e);
    const double miss = without_grain(d, i, 0.0, fabs(row.xi), e);
    nsd_poll_tells(poll, ROW_WORK * d->rows);
    /* |c_i| + √(G_ii Λᵀ G Λ) bounds the velocity that any impulses can have made here. */
    const double most =
        NSD_CONTACT_MOST_SCALE * (fabs(c_of(d, i, e)) + sqrt(fabs(diagonal(d, i, e)) * fabs(work)));
    if (share_of(miss, most) > share_of(v->residual, v->scale)) {
      v->residual = miss;
      v->scale = most;
      v->load = most / NSD_CONTACT_MOST_SCALE;
      v->row = i;
    }
  }
}

/* `v`, of the contacts, becomes that of all: each constraint on its own scale, and nothing where all rows are
 * far out. */
static void add_constraints(const nsd_contact_data *d, const constraint_tally *b, const tally *t,
                            const double *Lambda, const nsd_extreme_units *e, nsd_contact_verdict *v,
                            nsd_poll *poll)
{
  if (!(b->all < (double)INFINITY)) {
    *v = (nsd_contact_verdict){.residual = INFINITY, .row = d->rows - 1};
  }
  if (!(v->residual < (double)INFINITY)) {
    return;
  }
  /* Constraints and contacts together: the largest share of c in any row. */
  const double share = nsd_larger(b->share, t->share);
  const double scale = b->worst.scale * factor_of(share);
  if (share_of(b->worst.residual, scale) > share_of(v->residual, v->scale)) {
    v->residual = b->worst.residual;
    v->scale = scale;
    v->load = share < 0.0 ? b->worst.scale : b->worst.scale * share;
    v->row = b->worst.row;
  }
  limit_scales(d, b->work + t->work, Lambda, e, v, poll);
  /* Every row's c drowns in G Λ: nothing that is seen counts. */
  if (share >= 0.0 && NSD_CONTACT_FAR_OUT * share < 1.0) {
    v->residual = v->scale = nsd_larger(b->most, t->size);
    v->row = v->row < 0 ? d->rows - 1 : v->row;
  }
}

/* The terms of all rows of G Λ where G is an operator: the products, and the sizes of what they are sums of,
 * contacts and constraints apart. */
static void find_terms(const nsd_contact_data *d, const double *Lambda, nsd_poll *poll)
{
  const nsd_operator *G = d->W;
  const nsd_contact_terms *t = d->terms;
  const int own = nsd_contact_own_rows(d);
  nsd_operator_start(G, Lambda, t->state);
  for (int cell = 0; cell < G->cells; cell++) {
    nsd_operator_product(G, cell, t->state, t->product + G->row[cell]);
    for (int i = 0; i < nsd_operator_rows_of(G, cell); i++) {
      t->diagonal[G->row[cell] + i] = G->own[(size_t)cell * 9 + (size_t)(4 * i)];
    }
    nsd_poll_tells(poll, ROW_WORK * (double)(G->first[cell + 1] - G->first[cell]));
  }
  for (int of_contacts = 0; of_contacts < 2; of_contacts++) {
    double *size = of_contacts ? t->size_of_contacts : t->size_of_constraints;
    for (int i = 0; i < d->rows; i++) {
      t->part[i] = (i < own) == of_contacts ? Lambda[i] : 0.0;
    }
    nsd_operator_start_sizes(G, t->part, t->state);
    for (int cell = 0; cell < G->cells; cell++) {
      nsd_operator_product_sizes(G, cell, t->state, size + G->row[cell]);
      nsd_poll_tells(poll, ROW_WORK * (double)(G->first[cell + 1] - G->first[cell]));
    }
  }
}

/* The tally of no row yet: a NaN is larger than what stands here. */
static const tally nothing = {
    .miss = 0.0, .size = 0.0, .load = 0.0, .all = 0.0, .share = -1.0, .drive = 1.0, .work = 0.0, .row = -1};

/* p: the public problem, whose contacts have no specs yet, or NULL. */
NSD_INLINE nsd_contact_verdict judge(const nsd_contact_data *d, const nsdyn_contact_problem *p,
                                     const double *Lambda, double *xi, const nsd_extreme_units *e,
                                     nsd_poll *poll)
{
  /* Stage 1. Constraints, since what they make is part of the contacts' load. */
  if (d->W) {
    find_terms(d, Lambda, poll);
  }
  tally t = nothing;
  constraint_tally b = {.share = -1.0};
  if (d->bilateral > 0) {
    b = judge_constraints(d, Lambda, xi, e, poll);
    t.drive = b.share < 0.0 ? 1.0 : b.share;
  }
  /* Stage 2. Contacts, one by one. */
  for (int i = 0, at = 0; i < d->contacts; i++) {
    nsd_contact_space space;
    const nsd_contact_spec spec = p ? nsd_contact_spec_of(p, i, at, &space) : d->spec[i];
    if (spec.space || spec.friction == NSD_FRICTION_STORED) {
      judge_space_contact(d, &spec, Lambda, xi, &t, e);
    } else {
      judge_contact(d, &spec, Lambda, xi, &t, e);
    }
    nsd_poll_tells(poll, 2.0 * ROW_WORK * d->rows);
    at += nsd_contact_rows_of(&spec);
  }
  /* Stage 3. The verdict of contacts, on the largest scale of their rows; then that of all. */
  nsd_contact_verdict v = nsd_contact_verdict_of(t.miss, t.row, t.size, t.load, t.all);
  if (d->bilateral > 0) {
    add_constraints(d, &b, &t, Lambda, e, &v, poll);
  }
  return v;
}

/* ---- entries ----------------------------------------------------------------------------------------- */

/* What was stored has its own units; contact/impact/expansion_certificate.c has the last word on it. */
static int is_expansion(const nsd_contact_data *d)
{
  int is_stored = 0;
  for (int i = 0; d->spec && i < d->contacts; i++) {
    is_stored |= d->spec[i].friction == NSD_FRICTION_STORED;
  }
  return is_stored;
}

/* Where products or impulses may have left the range of doubles at its lower end, all is judged anew in units
 * of its own; what overflows is no solution. A miss that is no rounding stays one, even if it is smaller than
 * any double. */
static nsd_contact_verdict judge_at_edge(const nsd_contact_data *d, const nsdyn_contact_problem *p,
                                         const double *Lambda, nsd_contact_verdict plain, nsd_poll *poll)
{
  nsd_extreme_units e;
  if (d->W || is_expansion(d) || !(plain.residual < (double)INFINITY) ||
      !nsd_extreme_units_of_answer(d, Lambda, &e, poll)) {
    return plain;
  }
  /* In units of an edge, and back: 2^−e. */
  nsd_contact_verdict v = judge(d, p, Lambda, NULL, &e, poll);
  const int is_gross = v.residual > NSD_CONTACT_GROSS * v.scale;
  v.residual = ldexp(v.residual, -e.xi);
  v.residual = is_gross ? nsd_larger(DBL_TRUE_MIN, v.residual) : v.residual;
  v.scale = ldexp(v.scale, -e.xi);
  v.load = ldexp(v.load, -e.xi);
  v.speed = ldexp(v.speed, -e.xi);
  return v;
}

/* Few verdicts need a second look: of sizes near the lower end of the range, or what misses by more than
 * rounding. */
NSD_INLINE int may_be_at_edge(const nsd_contact_verdict *v)
{
  return v->scale < NSD_EXTREME_UNITS_LEAST || !(v->residual <= NSD_CONTACT_SECOND_LOOK * v->scale);
}

/* Two contacts of two rows each. Their kind is written out here, so that the compiler knows it where the
 * judge is inlined. */
NSD_INLINE nsd_contact_verdict judge_pair(const nsd_contact_data *d, const double *Lambda, double *xi)
{
  const nsd_contact_spec spec[2] = {
      {.mu = d->spec[0].mu, .row = 0, .friction = NSD_FRICTION_LOAD, .kind = NSDYN_CONTACT_UNILATERAL},
      {.mu = d->spec[1].mu, .row = 2, .friction = NSD_FRICTION_LOAD, .kind = NSDYN_CONTACT_UNILATERAL}};
  const nsd_contact_data pair = {
      .contacts = 2, .bilateral = 0, .rows = 4, .ldg = d->ldg, .spec = spec, .G = d->G, .c = d->c};
  tally t = nothing;
  judge_contact(&pair, &spec[0], Lambda, xi, &t, NULL);
  judge_contact(&pair, &spec[1], Lambda, xi, &t, NULL);
  return nsd_contact_verdict_of(t.miss, t.row, t.size, t.load, t.all);
}

NSD_INLINE nsd_contact_verdict judge_sized(const nsd_contact_data *d, const double *Lambda, double *xi)
{
  const int is_pair = d->contacts == 2 && d->bilateral == 0 && !d->is_spatial && xi &&
                      nsd_contact_is_coulomb(&d->spec[0]) && nsd_contact_is_coulomb(&d->spec[1]);
  return is_pair ? judge_pair(d, Lambda, xi) : judge(d, NULL, Lambda, xi, NULL, NULL);
}

#if NSD_HAVE_AVX2
NSD_TARGET_AVX2 static nsd_contact_verdict judge_avx2(const nsd_contact_data *d, const double *Lambda,
                                                      double *xi)
{
  return judge_sized(d, Lambda, xi);
}
#endif

static nsd_contact_verdict judge_plain(const nsd_contact_data *d, const double *Lambda, double *xi)
{
#if NSD_HAVE_AVX2
  if (nsd_cpu_avx2()) {
    return judge_avx2(d, Lambda, xi);
  }
#endif
  return judge_sized(d, Lambda, xi);
}

nsd_contact_verdict nsd_contact_judge(const nsd_contact_data *d, const double *Lambda, double *xi)
{
  const nsd_contact_verdict v = judge_plain(d, Lambda, xi);
  return may_be_at_edge(&v) ? judge_at_edge(d, NULL, Lambda, v, NULL) : v;
}

nsd_contact_verdict nsd_contact_judge_asking(const nsd_contact_data *d, const double *Lambda, double *xi,
                                             nsd_poll *poll)
{
  const nsd_contact_verdict v = judge(d, NULL, Lambda, xi, NULL, poll);
  return may_be_at_edge(&v) ? judge_at_edge(d, NULL, Lambda, v, poll) : v;
}

void nsd_contact_terms_lay_out(nsd_arena *arena, nsd_contact_terms *t, int rows, int columns)
{
  double **const vectors[] = {&t->product, &t->size_of_contacts, &t->size_of_constraints, &t->diagonal,
                              &t->part};
  for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++) {
    *vectors[k] = nsd_arena_take(arena, (size_t)rows, sizeof(double));
  }
  t->state = nsd_arena_take(arena, (size_t)(columns > rows ? columns : rows), sizeof *t->state);
}

nsdyn_status nsdyn_contact_residual(const nsdyn_contact_problem *problem, const double *Lambda,
                                    double *residual, double *scale, int32_t *row)
{
  nsdyn_contact_problem p;
  const nsdyn_status status = nsd_contact_check(&p, problem, NULL, NULL, NULL);
  if (status) {
    return status;
  }
  nsd_contact_data d = nsd_contact_data_of(&p);
  if (!residual || (d.rows > 0 && !Lambda)) {
    return NSDYN_ERR_ARGUMENT;
  }
  nsd_operator op;
  nsd_contact_terms terms;
  nsd_arena room = nsd_arena_empty(NULL);
  nsd_operator_init(&op, NULL);
  const nsdyn_status read =
      p.W ? nsd_contact_read_operator(p.W, &p, &room, &op, &terms, NULL, NULL) : NSDYN_OK;
  d.W = p.W ? &op : NULL;
  d.terms = p.W ? &terms : NULL;
  nsd_contact_verdict v = {.residual = INFINITY};
  if (read == NSDYN_OK) {
    v = judge(&d, &p, Lambda, NULL, NULL, NULL);
    v = may_be_at_edge(&v) ? judge_at_edge(&d, &p, Lambda, v, NULL) : v;
  }
  nsd_operator_release(&op);
  nsd_arena_release(&room);
  if (read) {
    return read;
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
