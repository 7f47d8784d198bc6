/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Friction problems of mechanical systems, and sequences of them.
 *
 * A system has nv velocities u, M⁻¹ = diag(d) + e eᵀ, and k contacts whose rows of W stand one under the
 * other: k normal rows, then k rows of the first tangent, then (in space) k of the second. With G = W M⁻¹ Wᵀ
 * and c = W(u + δ) + ε W u, δ = M⁻¹ h Δt, the step's problem is ξ = G Λ + c. Where ε is the same for all rows
 * it has a solution, redundant contacts or not; where G is positive definite, for any c.
 *
 * Everything is a smooth function of a time t, so that a sequence is the same maker at t = 0, 0.001, … */
#include <math.h>

#include "makers.h"

typedef struct contact_system {
  int nv;
  int k;         /* contacts */
  int rows;      /* k (1 + tangents) */
  double *W;     /* rows × nv */
  double *G;     /* rows × rows */
  double *c;     /* rows */
  double *mu;    /* k */
  double *d;     /* nv: diagonal part of M⁻¹ */
  double *e;     /* nv: the rest, e eᵀ */
  double *u;     /* nv: velocity before the step */
  double *delta; /* nv: M⁻¹ h Δt */
  double *work;  /* rows */
} contact_system;

/* Carves a system from the problem's scratch. */
static contact_system take_system(const problem *p, int k, int tangents, int nv)
{
  contact_system s = {.nv = nv, .k = k, .rows = k * (1 + tangents)};
  double *at = p->scratch;
  s.W = at;
  at += (size_t)s.rows * (size_t)nv;
  s.G = at;
  at += (size_t)s.rows * (size_t)s.rows;
  s.c = at;
  s.work = s.c + s.rows;
  s.mu = s.work + s.rows;
  s.d = s.mu + k;
  s.e = s.d + nv;
  s.u = s.e + nv;
  s.delta = s.u + nv;
  return s;
}

static double *w_row(const contact_system *s, int i)
{
  return s->W + (size_t)i * (size_t)s->nv;
}

static double *g_at(const contact_system *s, int i, int j)
{
  return s->G + (size_t)i * (size_t)s->rows + j;
}

/* mean ± swing, one to three periods while t goes from 0 to 1. */
static double wave(random_state *r, double t, double mean, double swing)
{
  const double periods = 1 + random_below(r, 3);
  const double phase = random_unit(r);
  return mean + swing * sin(6.283185307179586 * (periods * t + phase));
}

static double w_dot(const contact_system *s, int i, const double *v)
{
  double sum = 0.0;
  for (int q = 0; q < s->nv; q++) {
    sum += w_row(s, i)[q] * v[q];
  }
  return sum;
}

static void assemble_G(const contact_system *s)
{
  for (int i = 0; i < s->rows; i++) {
    s->work[i] = w_dot(s, i, s->e);
  }
  for (int i = 0; i < s->rows; i++) {
    for (int j = 0; j <= i; j++) {
      double sum = s->work[i] * s->work[j];
      for (int q = 0; q < s->nv; q++) {
        sum += w_row(s, i)[q] * s->d[q] * w_row(s, j)[q];
      }
      *g_at(s, i, j) = sum;
      *g_at(s, j, i) = sum;
    }
  }
}

/* c with one restitution for all rows. */
static void assemble_c(const contact_system *s, double epsilon)
{
  for (int i = 0; i < s->rows; i++) {
    const double before = w_dot(s, i, s->u);
    s->c[i] = before + w_dot(s, i, s->delta) + epsilon * before;
  }
}

/* Glocker & Studer (2005), eq. 33: x = (Λ_N, Λ_R, ξ_L), y = (ξ_N, ξ_R, Λ_L), Λ_T = Λ_R − μ Λ_N. */
static void planar_problem(problem *p, const contact_system *s)
{
  const int k = s->k;
  for (int i = 0; i < k; i++) {
    for (int j = 0; j < k; j++) {
      *element(p, i, j) = *g_at(s, i, j) - *g_at(s, i, k + j) * s->mu[j];
      *element(p, i, k + j) = *g_at(s, i, k + j);
      *element(p, k + i, j) = *g_at(s, k + i, j) - *g_at(s, k + i, k + j) * s->mu[j];
      *element(p, k + i, k + j) = *g_at(s, k + i, k + j);
    }
    *element(p, k + i, 2 * k + i) = 1.0;
    *element(p, 2 * k + i, i) = 2.0 * s->mu[i];
    *element(p, 2 * k + i, k + i) = -1.0;
    p->b[i] = s->c[i];
    p->b[k + i] = s->c[k + i];
    p->b[2 * k + i] = 0.0;
  }
  p->promise = PROBLEM_SOLVABLE;
  p->traits = PROBLEM_FRICTION | PROBLEM_FEASIBLE;
}

/* Direction d of contact i as ± a row of W: the tangents, then the opposites. */
static int direction_row(const contact_system *s, int i, int d, double *sign)
{
  const int tangents = s->rows / s->k - 1;
  *sign = d < tangents ? 1.0 : -1.0;
  return s->k * (1 + d % tangents) + i;
}

/* Stewart–Trinkle (Stewart 2000, eqs. 2.11–2.16): x = (Λ_N; β, m per contact; λ), A = [G_NN, G_NT D, 0;
 * DᵀG_TN, DᵀG_TT D, e; μ, −eᵀ, 0]. Copositive, and c·Λ = 0 wherever GΛ = 0: Lemke must end with a solution.
 */
static void pyramid_problem(problem *p, const contact_system *s)
{
  const int k = s->k;
  const int m = 2 * (s->rows / k - 1);
  for (int i = 0; i < k; i++) {
    p->b[i] = s->c[i];
    for (int j = 0; j < k; j++) {
      *element(p, i, j) = *g_at(s, i, j);
    }
    *element(p, k + m * k + i, i) = s->mu[i];
    for (int a = 0; a < m; a++) {
      double sign;
      const int row = direction_row(s, i, a, &sign);
      const int at = k + m * i + a;
      p->b[at] = sign * s->c[row];
      *element(p, at, k + m * k + i) = 1.0;
      *element(p, k + m * k + i, at) = -1.0;
      for (int j = 0; j < k; j++) {
        *element(p, at, j) = sign * *g_at(s, row, j);
        *element(p, j, at) = sign * *g_at(s, j, row);
        for (int f = 0; f < m; f++) {
          double other;
          const int column = direction_row(s, j, f, &other);
          *element(p, at, k + m * j + f) = sign * other * *g_at(s, row, column);
        }
      }
    }
  }
  p->promise = PROBLEM_SOLVABLE;
  p->traits = PROBLEM_FRICTION | PROBLEM_FEASIBLE | PROBLEM_LEMKE;
}

/* Any mechanism: random masses between a toy's and a machine's, directions that turn a little, contacts of
 * which about half approach. `redundant` repeats directions. */
static contact_system random_system(const problem *p, random_state *r, int k, int tangents, int nv,
                                    int redundant, double t)
{
  contact_system s = take_system(p, k, tangents, nv);
  const double mass = random_scale(r, 3.0);
  for (int q = 0; q < nv; q++) {
    s.d[q] = random_between(r, 0.2, 2.0) / mass;
    s.e[q] = random_between(r, -0.5, 0.5) / sqrt(mass);
    s.u[q] = wave(r, t, 0.0, 1.0);
    s.delta[q] = wave(r, t, 0.0, 0.3);
  }
  for (int i = 0; i < s.rows; i++) {
    for (int q = 0; q < nv; q++) {
      w_row(&s, i)[q] = wave(r, t, random_between(r, -1.0, 1.0), 0.1);
    }
  }
  for (int i = 0; i < k; i++) {
    s.mu[i] = chance(r, 0.1) ? 0.0 : random_between(r, 0.05, 1.0);
    for (int f = 0; redundant && i > 0 && i % 3 == 0 && f <= tangents; f++) {
      for (int q = 0; q < nv; q++) {
        w_row(&s, f * k + i)[q] = w_row(&s, f * k + i - 1)[q];
      }
    }
  }
  assemble_G(&s);
  return s;
}

static double restitution(random_state *r)
{
  return chance(r, 0.5) ? 0.0 : random_unit(r);
}

static void planar_at(problem *p, random_state *r, double t)
{
  const int k = p->n / 3;
  const int nv = 2 * k + random_below(r, 2 * k + 1);
  const contact_system s = random_system(p, r, k, 1, nv, 0, t);
  assemble_c(&s, restitution(r));
  planar_problem(p, &s);
}

static void make_planar(problem *p, random_state *r)
{
  planar_at(p, r, 0.0);
}

/* Restitution of its own in every row: solvable because G is positive definite. */
static void make_planar_restitution(problem *p, random_state *r)
{
  const int k = p->n / 3;
  const contact_system s = random_system(p, r, k, 1, 3 * k, 0, 0.0);
  for (int i = 0; i < s.rows; i++) {
    const double before = w_dot(&s, i, s.u);
    s.c[i] = (1.0 + random_unit(r)) * before + w_dot(&s, i, s.delta);
  }
  planar_problem(p, &s);
}

static void make_planar_redundant(problem *p, random_state *r)
{
  const int k = p->n / 3;
  const int nv = 1 + random_below(r, 2 * k);
  const contact_system s = random_system(p, r, k, 1, nv, 1, 0.0);
  assemble_c(&s, restitution(r));
  planar_problem(p, &s);
}

static void make_planar_scaled(problem *p, random_state *r)
{
  planar_at(p, r, 0.0);
  scale_rows(p, r, 40);
  scale_columns(p, r, 40);
}

static void make_planar_pyramid(problem *p, random_state *r)
{
  const int k = p->n / 4;
  const int nv = 1 + random_below(r, 4 * k);
  const contact_system s = random_system(p, r, k, 1, nv, p->seed % 2 == 1, 0.0);
  assemble_c(&s, restitution(r));
  pyramid_problem(p, &s);
}

static void polyhedral_at(problem *p, random_state *r, double t)
{
  const int k = p->n / 6;
  const int redundant = chance(r, 0.3);
  const int nv = redundant ? 2 + random_below(r, 3 * k) : 3 * k + random_below(r, 6);
  const contact_system s = random_system(p, r, k, 2, nv, redundant, t);
  assemble_c(&s, restitution(r));
  pyramid_problem(p, &s);
}

static void make_polyhedral(problem *p, random_state *r)
{
  polyhedral_at(p, r, 0.0);
}

/* Sliding contacts on acceleration level, one row each, sliding direction known: y = (G_NN − G_NT μ s) x + c.
 * With much friction there may be no solution, or several (Painlevé). */
static void make_sliding(problem *p, random_state *r)
{
  const int k = p->n;
  const int nv = k + 1 + random_below(r, k);
  const contact_system s = random_system(p, r, k, 1, nv, 0, 0.0);
  assemble_c(&s, 0.0);
  for (int j = 0; j < k; j++) {
    const double friction = s.mu[j] * (chance(r, 0.5) ? 2.0 : -2.0);
    for (int i = 0; i < k; i++) {
      *element(p, i, j) = *g_at(&s, i, j) - *g_at(&s, i, k + j) * friction;
    }
    p->b[j] = s.c[j];
  }
  p->traits = PROBLEM_FRICTION;
}

/* Coulomb friction under a known normal force: normal rows plain, tangential rows −a <= x <= a. Symmetric, a
 * convex minimum that exists because c lies in the range of W. */
static void make_box_friction(problem *p, random_state *r)
{
  const int k = p->n / 2;
  const int nv = 1 + random_below(r, 4 * k);
  const contact_system s = random_system(p, r, k, 1, nv, p->seed % 2 == 1, 0.0);
  assemble_c(&s, restitution(r));
  const double force = 1.0 / *g_at(&s, 0, 0);
  for (int i = 0; i < p->n; i++) {
    for (int j = 0; j < p->n; j++) {
      *element(p, i, j) = *g_at(&s, i, j);
    }
    p->b[i] = s.c[i];
    p->hi[i] = i < k ? INFINITY : s.mu[i - k] * force;
    p->lo[i] = i < k ? 0.0 : -p->hi[i];
  }
  p->promise = PROBLEM_SOLVABLE;
  p->traits = PROBLEM_FRICTION | PROBLEM_MIXED | PROBLEM_SYMMETRIC | PROBLEM_PSD;
}

/* Frictionless contacts of a system with bilateral constraints: the first rows are free. */
static void make_bilateral(problem *p, random_state *r)
{
  const int n = p->n;
  const int nv = 2 * n + random_below(r, n);
  const contact_system s = random_system(p, r, n, 0, nv, 0, 0.0);
  assemble_c(&s, 0.0);
  const int bilateral = 1 + random_below(r, n);
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      *element(p, i, j) = *g_at(&s, i, j);
    }
    p->b[i] = s.c[i];
    p->lo[i] = i < bilateral ? -INFINITY : 0.0;
  }
  p->promise = PROBLEM_UNIQUE;
  p->traits = PROBLEM_FRICTION | PROBLEM_MIXED | PROBLEM_SYMMETRIC | PROBLEM_P | PROBLEM_PD | PROBLEM_PSD;
}

/* Box i of a tower, with its two contacts on the box (or floor) below: corner points at ±s from the middle.
 */
static void stack_box(const contact_system *s, int i, double offset, double half, double height, double below)
{
  for (int side = 0; side < 2; side++) {
    const int contact = 2 * i + side;
    double *normal = w_row(s, contact);
    double *tangent = w_row(s, s->k + contact);
    const double x = side ? half : -half;
    for (int q = 0; q < s->nv; q++) {
      normal[q] = 0.0;
      tangent[q] = 0.0;
    }
    /* The point moves with (u − φ̇ r_y, v + φ̇ r_x); on the box itself r = (x, −height/2). */
    normal[3 * i + 1] = 1.0;
    normal[3 * i + 2] = x;
    tangent[3 * i] = 1.0;
    tangent[3 * i + 2] = 0.5 * height;
    if (i > 0) { /* on the one below r = (x + offset, +below/2) */
      normal[3 * i - 2] = -1.0;
      normal[3 * i - 1] = -(x + offset);
      tangent[3 * i - 3] = -1.0;
      tangent[3 * i - 1] = 0.5 * below;
    }
  }
}

/* k boxes, one on the other, each on two contacts: 4k rows for 3k velocities, so G is singular. Even seeds
 * stand straight and at rest (ties and zeros), odd ones lean, rock and are pushed. */
static void tower_at(problem *p, random_state *r, double t)
{
  const int boxes = p->n / 6;
  const int straight = p->seed % 2 == 0;
  contact_system s = take_system(p, 2 * boxes, 1, 3 * boxes);
  const double mass = random_scale(r, 3.0);
  const double size = random_scale(r, 1.0);
  const double slope = wave(r, t, 0.0, 0.4);
  const double push = straight ? wave(r, t, 0.0, 1.0) : 0.0;
  const double fall = 9.81e-3; /* g Δt */
  double below = 0.0;          /* height of the last box */
  for (int i = 0; i < boxes; i++) {
    const double width = size * (straight ? 1.0 : random_between(r, 0.6, 1.4));
    const double height = size * (straight ? 0.5 : random_between(r, 0.3, 1.0));
    const double m = mass * (straight ? 1.0 : random_between(r, 0.5, 2.0));
    const double offset = straight ? 0.0 : wave(r, t, 0.0, 0.05 * size);
    const double inertia = m * (width * width + height * height) / 12.0;
    stack_box(&s, i, offset, 0.5 * width, height, below);
    below = height;
    for (int q = 0; q < 3; q++) {
      s.d[3 * i + q] = q < 2 ? 1.0 / m : 1.0 / inertia;
      s.e[3 * i + q] = 0.0;
      s.u[3 * i + q] = straight ? 0.0 : wave(r, t, 0.0, q < 2 ? fall : fall / size);
    }
    s.delta[3 * i] = straight ? (i == boxes - 1 ? push * fall : 0.0) : fall * sin(slope);
    s.delta[3 * i + 1] = -fall * (straight ? 1.0 : cos(slope));
    s.delta[3 * i + 2] = 0.0;
    s.mu[2 * i] = straight ? 0.3 : random_between(r, 0.1, 0.8);
    s.mu[2 * i + 1] = s.mu[2 * i];
  }
  assemble_G(&s);
  assemble_c(&s, 0.0);
  planar_problem(p, &s);
  if (straight) {
    p->traits |= PROBLEM_DEGENERATE;
  }
}

static void make_tower(problem *p, random_state *r)
{
  tower_at(p, r, 0.0);
}

const problem_class mechanics_classes[] = {
    {"planar_friction", make_planar, 3, INT32_MAX, 3},
    {"planar_restitution", make_planar_restitution, 3, INT32_MAX, 3},
    {"planar_redundant", make_planar_redundant, 3, INT32_MAX, 3},
    {"planar_scaled", make_planar_scaled, 3, INT32_MAX, 3},
    {"planar_pyramid", make_planar_pyramid, 4, INT32_MAX, 4},
    {"tower", make_tower, 6, INT32_MAX, 6},
    {"polyhedral", make_polyhedral, 6, INT32_MAX, 6},
    {"sliding", make_sliding, 1, INT32_MAX, 1},
    {"box_friction", make_box_friction, 2, INT32_MAX, 2},
    {"bilateral", make_bilateral, 1, INT32_MAX, 1},
};
const int mechanics_class_count = (int)(sizeof mechanics_classes / sizeof *mechanics_classes);

const char *sequence_name(sequence_kind kind)
{
  static const char *const names[SEQUENCE_COUNT] = {"planar", "tower", "polyhedral"};
  return names[kind];
}

void sequence_make(problem *p, sequence_kind kind, int n, uint64_t seed, int step)
{
  static const char *const classes[SEQUENCE_COUNT] = {"planar_friction", "tower", "polyhedral"};
  static void (*const makers[SEQUENCE_COUNT])(problem *, random_state *, double) = {planar_at, tower_at,
                                                                                    polyhedral_at};
  /* The class's own random numbers: step 0 is that class's problem `seed`. */
  random_state r = problem_begin(p, problem_class_find(classes[kind]), n, seed);
  makers[kind](p, &r, 0.001 * step);
}
