/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "contact/space/enumerate/two_contacts.h"

#include <math.h>

#include "base/sin_cos.h"
#include "base/tolerances.h"
#include "contact/certificate.h"
#include "contact/planar/states.h"
#include "contact/space/enumerate/contact_modes.h"
#include "contact/space/enumerate/region.h"
#include "contact/space/enumerate/slides.h"
#include "contact/space/enumerate/without_rows.h"
#include "contact/space/friction.h"
#include "contact/space/unique.h"

enum { CONTACTS = 2, ROWS = NSD_SLIDES_ROWS, MOST_POINTS = 64, BOXES = 20000 };

/* A pair of modes as K y = r in units in which K has a diagonal of about ones: Λ = o + Σ_a b_a y_a/column_a.
 */
typedef struct pattern {
  nsd_mode mode[CONTACTS];
  int n;
  int first[CONTACTS];                 /* its unknowns */
  int slides;                          /* contacts that slide against a disk */
  double b[ROWS][ROWS], e[ROWS][ROWS]; /* an unknown's Λ, an equation's share of ξ: of the contacts' rows */
  double o[ROWS];
  double column[ROWS], row[ROWS], load; /* units of y, of r; the largest r */
  double K[ROWS * ROWS], r[ROWS];
} pattern;

/* What was found: a point, or a line between two or from one on. */
typedef struct finding {
  int vertices, rays;
  double *Lambda, *xi; /* 2 × rows, rows */
  double *ray;         /* 2 × rows */
} finding;

typedef struct search {
  const nsd_contact_data *d;
  const nsd_constraints *least;
  double tol;
  int64_t most;
  nsd_contact_visit *visit;
  void *user;
  nsdyn_contact_census *census;
  int stopped, is_out; /* the visitor says so; the limit of nodes is reached */
  nsd_without_rows free;
  double G[ROWS * ROWS], c[ROWS]; /* without bilateral rows */
  double unit[ROWS];              /* √G_ii of the normal row, or the larger of both tangential ones */
  pattern p;
  int count;
  finding *found; /* MOST_POINTS */
  double *xi;     /* 2 × rows */
  nsd_slides_box *stack;
  int32_t modes[CONTACTS];
} search;

static void lay_out(nsd_arena *arena, search *s, const nsd_contact_data *d)
{
  const size_t n = (size_t)d->rows;
  nsd_without_rows_lay_out(arena, &s->free, d);
  s->found = nsd_arena_take(arena, MOST_POINTS, sizeof *s->found);
  for (int i = 0; i < MOST_POINTS; i++) {
    double *Lambda = nsd_arena_take(arena, 2 * n, sizeof *Lambda);
    double *xi = nsd_arena_take(arena, n, sizeof *xi);
    double *ray = nsd_arena_take(arena, 2 * n, sizeof *ray);
    if (s->found) {
      s->found[i] = (finding){.Lambda = Lambda, .xi = xi, .ray = ray};
    }
  }
  s->xi = nsd_arena_take(arena, 2 * n, sizeof *s->xi);
  s->stack = nsd_arena_take(arena, NSD_SLIDES_STACK, sizeof *s->stack);
}

int nsd_space_is_for_two(const nsd_contact_data *d)
{
  int rows = 0;
  for (int i = 0; i < d->contacts; i++) {
    if (nsd_modes_of(&d->spec[i]) == 0) {
      return 0;
    }
    rows += nsd_contact_rows_of(&d->spec[i]);
  }
  return !d->W && d->contacts >= 1 && d->contacts <= CONTACTS && rows == nsd_contact_own_rows(d) &&
         d->bilateral <= NSD_UNIQUE_ROWS;
}

/* ---- findings ------------------------------------------------------------------------------------------ */

static int is_near(int n, const double *a, const double *b)
{
  double apart = 0.0, size = 0.0;
  for (int i = 0; i < n; i++) {
    apart += fabs(a[i] - b[i]);
    size += fabs(a[i]) + fabs(b[i]);
  }
  return apart <= NSD_SLIDING_SAME * size;
}

/* Velocities of one motion, as far as the certificate tells: speed is their scale. */
static int is_same_motion(const search *s, const double *xi, const double *other, double speed)
{
  double apart = 0.0;
  for (int i = 0; i < s->d->rows; i++) {
    apart = fmax(apart, fabs(xi[i] - other[i]));
  }
  return apart <= 2.0 * s->tol * speed;
}

/* Whether Λ is the point, or on the line. */
static int is_in(const search *s, const finding *f, const double *Lambda)
{
  const int n = s->d->rows;
  if (f->vertices + f->rays == 1) {
    return is_near(n, f->Lambda, Lambda);
  }
  double along = 0.0, length = 0.0, gap = 0.0, size = 0.0;
  for (int i = 0; i < n; i++) {
    const double on = f->vertices == 2 ? f->Lambda[n + i] - f->Lambda[i] : f->ray[i];
    along += on * (Lambda[i] - f->Lambda[i]);
    length += on * on;
  }
  const double t = along / length;
  for (int i = 0; i < n; i++) {
    const double on = f->vertices == 2 ? f->Lambda[n + i] - f->Lambda[i] : f->ray[i];
    gap += fabs(f->Lambda[i] + t * on - Lambda[i]);
    size += fabs(f->Lambda[i]) + fabs(Lambda[i]);
  }
  const double slack = NSD_SLIDING_SAME;
  return gap <= slack * size && (t >= -slack || f->rays == 2) && (t <= 1.0 + slack || f->rays > 0);
}

static void hand_out(search *s, const finding *f, int velocity_dimension, double speed)
{
  const nsd_contact_data *d = s->d;
  nsd_contact_read_modes(d, f->Lambda, f->xi, speed, s->modes);
  const nsdyn_contact_piece piece = {.size = sizeof piece,
                                     .rows = d->rows,
                                     .contacts = d->contacts,
                                     .dimension = f->vertices + f->rays > 1,
                                     .velocity_dimension = velocity_dimension,
                                     .vertices = f->vertices,
                                     .rays = f->rays,
                                     .Lambda = f->Lambda,
                                     .xi = s->xi,
                                     .ray = f->rays ? f->ray : NULL,
                                     .modes = s->modes};
  s->stopped = s->visit && s->visit(s->user, &piece);
}

/* Λ of the contacts to Λ (rows) of all. */
static void complete(const search *s, const double *own, double *Lambda)
{
  for (int i = 0; i < s->free.own; i++) {
    Lambda[i] = own[i];
  }
  nsd_without_rows_complete(&s->free, Lambda);
  if (s->least->redundant > 0) {
    (void)nsd_constraints_reduce(s->least, Lambda + s->free.own);
  }
}

static void admit(const search *s, double *own)
{
  for (int i = 0; i < s->d->contacts; i++) {
    nsd_friction_admit(&s->d->spec[i], own + s->d->spec[i].row);
  }
}

/* A finding: `vertices` of own rows one behind the other, and rays. To the judge, and unless it is there
 * already to the list. */
static void take(search *s, int vertices, double *own, int rays, const double *ray)
{
  const nsd_contact_data *d = s->d;
  const int n = d->rows;
  if (s->stopped) {
    return;
  }
  if (s->count == MOST_POINTS) {
    s->census->doubtful++;
    return;
  }
  finding *f = &s->found[s->count];
  f->vertices = vertices;
  f->rays = rays;
  double scale = 0.0, speed = 0.0;
  for (int v = 0; v < vertices; v++) {
    admit(s, own + v * ROWS);
    complete(s, own + v * ROWS, f->Lambda + (size_t)v * (size_t)n);
    const nsd_contact_verdict verdict =
        nsd_contact_judge(d, f->Lambda + (size_t)v * (size_t)n, s->xi + (size_t)v * (size_t)n);
    if (!nsd_contact_is_solution(&verdict, s->tol)) {
      s->census->doubtful++;
      return;
    }
    scale = fmax(scale, verdict.scale);
    speed = fmax(speed, verdict.speed);
  }
  for (int i = 0; i < rays; i++) {
    /* What bilateral rows add to a ray is what they add to the point beyond. */
    double *way = f->ray + (size_t)i * (size_t)n, beyond[ROWS], most = 0.0;
    for (int j = 0; j < s->free.own; j++) {
      beyond[j] = own[j] + ray[i * ROWS + j];
    }
    complete(s, beyond, way);
    for (int j = 0; j < n; j++) {
      way[j] -= f->Lambda[j];
      most = fmax(most, fabs(way[j]));
    }
    for (int j = 0; j < n; j++) {
      way[j] /= most;
    }
  }
  int is_new_motion = 1;
  for (int i = 0; i < n; i++) {
    f->xi[i] = s->xi[i];
  }
  for (int i = 0; i < s->count; i++) {
    if (is_in(s, &s->found[i], f->Lambda) && vertices + rays == 1) {
      return;
    }
    is_new_motion = is_new_motion && !is_same_motion(s, s->found[i].xi, f->xi, scale);
  }
  const int moves = vertices == 2 && !is_same_motion(s, s->xi, s->xi + n, scale);
  nsdyn_contact_census *census = s->census;
  *(rays ? &census->unbounded_pieces : vertices == 2 ? &census->bounded_pieces : &census->points) += 1;
  census->motions = moves || census->motions < 0 ? -1 : census->motions + is_new_motion;
  census->max_dimension = census->max_dimension == 1 || vertices + rays > 1 ? 1 : 0;
  s->count++;
  hand_out(s, f, moves, speed);
}

/* ---- a pair of modes ----------------------------------------------------------------------------------- */

static double through_G(const search *s, const double *a, const double *b)
{
  double sum = 0.0;
  const int n = s->free.own;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n && a[i] != 0.0; j++) {
      sum += a[i] * s->G[i * n + j] * b[j];
    }
  }
  return sum;
}

static double unit_of(double square)
{
  return square > 0.0 ? sqrt(square) : 1.0;
}

static void add_contact(search *s, int contact)
{
  pattern *p = &s->p;
  const nsd_contact_spec *spec = &s->d->spec[contact];
  const nsd_mode *m = &p->mode[contact];
  const int rows = nsd_contact_rows_of(spec);
  p->first[contact] = p->n;
  p->slides += m->slides;
  for (int a = 0; a < m->unknowns; a++, p->n++) {
    for (int i = 0; i < s->free.own; i++) {
      const int own = i - spec->row, is_own = own >= 0 && own < rows;
      p->b[p->n][i] = is_own ? m->B[a][own] : 0.0;
      p->e[p->n][i] = is_own ? m->C[a][own] : 0.0;
    }
    p->column[p->n] = unit_of(through_G(s, p->b[p->n], p->b[p->n]));
    p->row[p->n] = unit_of(through_G(s, p->e[p->n], p->e[p->n]));
  }
  if (m->slides) {
    /* Both tangents in one unit: − s y stays one number. */
    double *u = &p->column[p->n - 2], *v = &p->row[p->n - 2];
    u[0] = u[1] = v[0] = v[1] = fmax(u[0], u[1]);
  }
  for (int i = 0; i < rows; i++) {
    p->o[spec->row + i] = m->o[i];
  }
}

static void assemble(search *s)
{
  pattern *p = &s->p;
  const int own = s->free.own;
  p->n = p->slides = 0;
  p->load = 0.0;
  for (int i = 0; i < s->d->contacts; i++) {
    add_contact(s, i);
  }
  for (int a = 0; a < p->n; a++) {
    double r = -through_G(s, p->e[a], p->o);
    for (int i = 0; i < own; i++) {
      r -= p->e[a][i] * s->c[i];
    }
    p->r[a] = r / p->row[a];
    p->load = fmax(p->load, fabs(p->r[a]));
    for (int b = 0; b < p->n; b++) {
      p->K[a * p->n + b] = through_G(s, p->e[a], p->b[b]) / (p->row[a] * p->column[b]);
    }
  }
  for (int a = 0; a < p->n && p->load > 0.0; a++) {
    p->r[a] /= p->load;
  }
}

/* Λ of the contacts from y; `times`: of what is given, o, too. */
static void impulses(const search *s, const double *y, double times, double *own)
{
  const pattern *p = &s->p;
  for (int i = 0; i < s->free.own; i++) {
    own[i] = times * p->o[i];
    for (int a = 0; a < p->n; a++) {
      own[i] += p->b[a][i] * (y[a] * p->load / p->column[a]);
    }
  }
}

/* ---- what has to hold ---------------------------------------------------------------------------------- */

static double row_of(const search *s, const double *Lambda, int i)
{
  double sum = 0.0;
  for (int j = 0; j < s->free.own; j++) {
    sum += s->G[i * s->free.own + j] * Lambda[j];
  }
  return sum;
}

/* Λ_T in C. */
static void ask_held(const search *s, const nsd_contact_spec *c, const double *at, const double *on,
                     nsd_region *region)
{
  const int is_slot = c->kind == NSDYN_CONTACT_BILATERAL, by_load = c->friction == NSD_FRICTION_LOAD;
  const double u = s->unit[c->row + 1];
  double N = u * (by_load ? c->mu * at[0] : c->bound), N_on = by_load ? u * c->mu * on[0] : 0.0;
  const int is_double = is_slot && by_load;
  const int is_round = c->space && c->space->sides == 0;
  if (is_double && !is_round) {
    region->is_unclear |= region->is_line;
    N_on = N < 0.0 ? -N_on : N_on;
    N = fabs(N);
  }
  if (!c->space) {
    nsd_region_ask(region, N - u * at[1], N_on - u * on[1]);
    nsd_region_ask(region, N + u * at[1], N_on + u * on[1]);
    return;
  }
  /* In the axes of Λ' = A⁻¹ Λ_T. */
  double A[4], T[2], T_on[2];
  nsd_mode_axes(c, A);
  const double per = u / (A[0] * A[3] - A[1] * A[2]);
  T[0] = per * (A[3] * at[1] - A[1] * at[2]);
  T[1] = per * (A[0] * at[2] - A[2] * at[1]);
  T_on[0] = per * (A[3] * on[1] - A[1] * on[2]);
  T_on[1] = per * (A[0] * on[2] - A[2] * on[1]);
  if (is_round) {
    nsd_region_ask_disk(region, T, T_on, N, N_on, is_double);
    return;
  }
  double half[2];
  nsd_sin_cos_of_turn(1, 2 * (int64_t)c->space->sides, half);
  for (int32_t j = 0; j < c->space->sides; j++) {
    double v[2];
    nsd_sin_cos_of_turn(2 * (int64_t)j + 1, 2 * (int64_t)c->space->sides, v);
    nsd_region_ask(region, half[0] * N - (v[0] * T[0] + v[1] * T[1]),
                   half[0] * N_on - (v[0] * T_on[0] + v[1] * T_on[1]));
  }
}

/* At Λ = own + t way, y + t y_on; velocities in the units of √G, as impulses are. */
static void ask_all(const search *s, const double *own, const double *way, const double *y,
                    const double *y_on, nsd_region *region)
{
  const pattern *p = &s->p;
  for (int k = 0; k < s->d->contacts; k++) {
    const nsd_contact_spec *c = &s->d->spec[k];
    const nsd_mode *m = &p->mode[k];
    for (int a = 0; a < m->unknowns; a++) {
      const int at = p->first[k] + a;
      if (m->positive >> a & 1) {
        nsd_region_ask(region, p->load * y[at], p->load * y_on[at]);
      }
      if (m->is_share && a == m->unknowns - 1) {
        nsd_region_ask(region, p->column[at] - p->load * y[at], -p->load * y_on[at]);
      }
    }
    for (int i = 0; i < m->velocities; i++) {
      double xi = 0.0, xi_on = 0.0, square = 0.0, w[ROWS] = {0.0};
      for (int j = 0; j < nsd_contact_rows_of(c); j++) {
        w[c->row + j] = m->w[i][j];
        xi += m->w[i][j] * (row_of(s, own, c->row + j) + s->c[c->row + j]);
        xi_on += m->w[i][j] * row_of(s, way, c->row + j);
      }
      square = through_G(s, w, w);
      nsd_region_ask(region, xi / unit_of(square), xi_on / unit_of(square));
    }
    if (m->is_held) {
      ask_held(s, c, own + c->row, way + c->row, region);
    }
  }
}

/* The largest of Λ and c in those units: what is next to nothing beside it has no sign. */
static double size_of(const search *s, const double *own)
{
  double size = s->p.load;
  for (int i = 0; i < s->free.own; i++) {
    size = fmax(size, fmax(fabs(own[i]) * s->unit[i], fabs(s->c[i]) / s->unit[i]));
  }
  return size;
}

/* y in point: whether all holds. error: of y. */
static void weigh_point(search *s, const double *y, double error)
{
  double own[2 * ROWS] = {0.0};
  const double still[ROWS] = {0.0};
  impulses(s, y, 1.0, own);
  nsd_region region = nsd_region_of(0, NSD_SLIDING_DOUBT * size_of(s, own) + error * s->p.load);
  ask_all(s, own, still, y, still, &region);
  if (!(region.margin >= -region.unsure)) {
    return;
  }
  s->census->doubtful += !(region.margin > region.unsure);
  take(s, 1, own, 0, NULL);
}

/* ---- linear pairs -------------------------------------------------------------------------------------- */

typedef struct linear {
  int n, rank;
  double A[ROWS][ROWS + 1]; /* (K | r) in Jordan's form */
  int column[ROWS];         /* unknown at place j */
  double least;             /* smallest pivot taken */
} linear;

static void exchange(linear *l, int k, int i, int j)
{
  for (int c = 0; c <= l->n; c++) {
    const double held = l->A[k][c];
    l->A[k][c] = l->A[i][c];
    l->A[i][c] = held;
  }
  for (int r = 0; r < l->n; r++) {
    const double held = l->A[r][k];
    l->A[r][k] = l->A[r][j];
    l->A[r][j] = held;
  }
  const int held = l->column[k];
  l->column[k] = l->column[j];
  l->column[j] = held;
}

/* Gauss and Jordan's elimination with complete pivoting. */
static linear reduce(const pattern *p)
{
  linear l = {.n = p->n, .least = 1.0};
  for (int i = 0; i < p->n; i++) {
    for (int j = 0; j < p->n; j++) {
      l.A[i][j] = p->K[i * p->n + j];
    }
    l.A[i][p->n] = p->r[i];
    l.column[i] = i;
  }
  for (int k = 0; k < l.n; k++, l.rank++) {
    int at_i = k, at_j = k;
    for (int i = k; i < l.n; i++) {
      for (int j = k; j < l.n; j++) {
        if (fabs(l.A[i][j]) > fabs(l.A[at_i][at_j])) {
          at_i = i;
          at_j = j;
        }
      }
    }
    const double pivot = l.A[at_i][at_j];
    if (!(fabs(pivot) > NSD_DEPENDENT_PIVOT)) {
      break;
    }
    l.least = fmin(l.least, fabs(pivot));
    exchange(&l, k, at_i, at_j);
    for (int i = 0; i < l.n; i++) {
      const double times = i == k ? 0.0 : l.A[i][k] / pivot;
      for (int j = k; j <= l.n && times != 0.0; j++) {
        l.A[i][j] -= times * l.A[k][j];
      }
    }
    for (int j = l.n; j >= k; j--) {
      l.A[k][j] /= pivot;
    }
  }
  return l;
}

/* One dependence: y + t n. */
static void weigh_line(search *s, const linear *l)
{
  double y[ROWS] = {0.0}, n[ROWS] = {0.0}, own[2 * ROWS] = {0.0}, way[ROWS] = {0.0}, ray[2 * ROWS] = {0.0},
         most = 1.0;
  for (int i = 0; i < l->rank; i++) {
    y[l->column[i]] = l->A[i][l->n];
    n[l->column[i]] = -l->A[i][l->rank];
    most = fmax(most, fabs(n[l->column[i]]));
  }
  n[l->column[l->rank]] = 1.0;
  for (int a = 0; a < l->n; a++) {
    n[a] /= most;
  }
  impulses(s, y, 1.0, own);
  impulses(s, n, 0.0, way);
  const double size = size_of(s, own);
  nsd_region region = nsd_region_of(1, NSD_SLIDING_DOUBT * size);
  ask_all(s, own, way, y, n, &region);
  const double unsure = NSD_SLIDING_NEAR * size / (s->p.load > 0.0 ? s->p.load : 1.0);
  if (region.high < region.low - unsure) {
    return;
  }
  if (region.is_unclear || !(region.high > region.low + unsure)) {
    s->census->doubtful++;
    return;
  }
  const int has_low = region.low > -INFINITY, has_high = region.high < INFINITY;
  double ends[2 * ROWS] = {0.0};
  for (int i = 0; i < s->free.own; i++) {
    const double low = has_low ? region.low : has_high ? region.high : 0.0;
    ends[i] = own[i] + low * way[i];
    ends[ROWS + i] = own[i] + (has_high ? region.high : 0.0) * way[i];
    ray[i] = has_high ? -way[i] : way[i];
    ray[ROWS + i] = -way[i];
  }
  take(s, has_low && has_high ? 2 : 1, ends, has_low && has_high ? 0 : has_low || has_high ? 1 : 2, ray);
}

static void try_linear(search *s)
{
  const linear l = reduce(&s->p);
  /* What is left of r where nothing of K is. */
  double left = 0.0;
  for (int i = l.rank; i < l.n; i++) {
    left = fmax(left, fabs(l.A[i][l.n]));
  }
  if (left > NSD_SLIDING_NEAR) {
    return;
  }
  if (left > NSD_SLIDING_DOUBT || l.rank < l.n - 1 || l.least < NSD_DOUBTFUL_PIVOT) {
    s->census->doubtful++;
  }
  if (l.rank == l.n - 1) {
    weigh_line(s, &l);
    return;
  }
  double y[ROWS] = {0.0}, most = 0.0;
  for (int i = 0; i < l.rank; i++) {
    y[l.column[i]] = l.A[i][l.n];
    most = fmax(most, fabs(l.A[i][l.n]));
  }
  weigh_point(s, y, NSD_MINOR_ROUNDING * most / l.least);
}

/* ---- sliding pairs ------------------------------------------------------------------------------------- */

static void meet_root(void *user, const double *y)
{
  weigh_point(user, y, 0.0);
}

static void try_slides(search *s)
{
  const pattern *p = &s->p;
  nsd_slides q = {.n = p->n};
  for (int i = 0; i < p->n * p->n; i++) {
    q.K[i] = p->K[i];
  }
  for (int i = 0; i < p->n; i++) {
    q.r[i] = p->r[i];
  }
  for (int k = 0; k < s->d->contacts; k++) {
    const nsd_mode *m = &p->mode[k];
    const nsd_contact_spec *c = &s->d->spec[k];
    if (!m->slides) {
      continue;
    }
    nsd_slide *slide = &q.slide[q.count++];
    slide->tangent = p->first[k] + m->unknowns - 2;
    slide->normal = m->unknowns == 3 ? p->first[k] : -1;
    slide->is_one_sided = m->positive != 0;
    slide->mu = c->mu > 0.0 ? c->mu * p->column[slide->tangent] / p->column[slide->normal] : 0.0;
    slide->bound = c->bound * p->column[slide->tangent] / p->load;
  }
  if (!(p->load > 0.0)) {
    s->census->doubtful++; /* any multiple of a solution would be one */
    return;
  }
  const int64_t left = s->most < 0 ? BOXES : s->most - s->census->nodes;
  const nsd_slides_count count = nsd_slides_find(&q, s->stack, left < BOXES ? left : BOXES, meet_root, s);
  s->census->nodes += count.boxes;
  s->census->doubtful += count.undecided;
}

/* ---- all pairs ----------------------------------------------------------------------------------------- */

static void set_up(search *s)
{
  const int own = s->free.own;
  for (int i = 0; i < own; i++) {
    const double *row = nsd_without_rows_row(&s->free, i);
    for (int j = 0; j < own; j++) {
      s->G[i * own + j] = row[j];
    }
    s->c[i] = row[s->d->rows];
  }
  for (int k = 0; k < s->d->contacts; k++) {
    const int row = s->d->spec[k].row, rows = nsd_contact_rows_of(&s->d->spec[k]);
    double most = 0.0;
    for (int i = row + 1; i < row + rows; i++) {
      most = fmax(most, s->G[i * own + i]);
    }
    s->unit[row] = unit_of(s->G[row * own + row]);
    for (int i = row + 1; i < row + rows; i++) {
      s->unit[i] = unit_of(most);
    }
  }
}

/* Pairs with so many contacts that slide against a disk. */
static void go_through(search *s, int slides, nsd_poll *poll)
{
  const nsd_contact_data *d = s->d;
  const int first = nsd_modes_of(&d->spec[0]), second = d->contacts == 2 ? nsd_modes_of(&d->spec[1]) : 1;
  for (int i = 0; i < first; i++) {
    for (int j = 0; j < second && !s->stopped && !s->is_out; j++) {
      nsd_mode_at(&d->spec[0], i, &s->p.mode[0]);
      if (d->contacts == 2) {
        nsd_mode_at(&d->spec[1], j, &s->p.mode[1]);
      }
      if (s->p.mode[0].slides + (d->contacts == 2 ? s->p.mode[1].slides : 0) != slides) {
        continue;
      }
      s->is_out = s->most >= 0 && s->census->nodes >= s->most;
      if (s->is_out || nsd_poll_stops(poll, (double)(ROWS * ROWS * ROWS) * (slides ? BOXES : 1))) {
        return;
      }
      s->census->nodes++;
      assemble(s);
      if (slides) {
        try_slides(s);
      } else {
        try_linear(s);
      }
    }
  }
}

nsdyn_status nsd_space_enumerate_two(nsd_arena *room, const nsd_contact_data *d, const nsd_constraints *least,
                                     const nsd_census_options *options, nsd_poll *poll,
                                     nsd_contact_visit *visit, void *user, nsdyn_contact_census *census)
{
  search s = {.d = NULL};
  nsd_arena measure = nsd_arena_measure();
  lay_out(&measure, &s, d);
  const nsdyn_status status = nsd_arena_reserve(room, &measure);
  if (status) {
    return status;
  }
  s = (search){.d = d,
               .least = least,
               .tol = options->tol,
               .most = options->max_nodes,
               .visit = visit,
               .user = user,
               .census = census};
  lay_out(room, &s, d);
  census->max_dimension = -1;
  /* Stage 1. Bilateral rows go out. */
  if (!nsd_without_rows_make(&s.free, d, poll)) {
    census->doubtful = 1;
    return poll->is_cancelled ? NSDYN_CANCELLED : NSDYN_UNDECIDED;
  }
  census->doubtful += s.free.is_unsure;
  set_up(&s);
  /* Stage 2. Pairs that are linear, lines among them; then one that slides; then both. */
  for (int slides = 0; slides <= d->contacts; slides++) {
    go_through(&s, slides, poll);
  }
  /* Stage 3. What they are worth. */
  const int is_cut = s.stopped || poll->is_cancelled;
  census->complete = census->doubtful == 0 && !is_cut && !s.is_out;
  if (is_cut) {
    return NSDYN_CANCELLED;
  }
  if (s.count > 0) {
    return NSDYN_OK;
  }
  return s.is_out ? NSDYN_MAX_ITERATIONS : census->doubtful > 0 ? NSDYN_UNDECIDED : NSDYN_NO_SOLUTION;
}
