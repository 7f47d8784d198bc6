/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "piles.h"

#include <math.h>
#include <stdlib.h>

#define GRAVITY 9.81
#define STEP 0.01

enum { GROUND = -1, MOST_BODIES = 8192, MOST_TOUCHES = 8192 };

/* A rigid body: centre, mass, moment of inertia, velocity. */
typedef struct body {
  double x, y, m, I;
  double u[3];
} body;

/* A row of W: a direction (t_x, t_y) through a point, + on body a, − on body b. */
typedef struct line {
  int a, b;
  double of_a[3], of_b[3];
} line;

typedef struct maker {
  body *bodies;
  int count;
  line *lines; /* rows in the order of the problem */
  int contacts, bilateral;
  line *joints;
  random_state *random;
  pile_load load;
} maker;

static int add_body(maker *k, double x, double y, double m, double I)
{
  body *b = &k->bodies[k->count];
  *b = (body){.x = x, .y = y, .m = m, .I = I};
  for (int i = 0; k->load == PILE_BURST && i < 3; i++) {
    b->u[i] = random_normal(k->random);
  }
  return k->count++;
}

static line line_of(const maker *k, int a, int b, double x, double y, double n_x, double n_y)
{
  line l = {.a = a, .b = b};
  if (a != GROUND) {
    const body *A = &k->bodies[a];
    l.of_a[0] = n_x;
    l.of_a[1] = n_y;
    l.of_a[2] = (x - A->x) * n_y - (y - A->y) * n_x;
  }
  if (b != GROUND) {
    const body *B = &k->bodies[b];
    l.of_b[0] = -n_x;
    l.of_b[1] = -n_y;
    l.of_b[2] = -((x - B->x) * n_y - (y - B->y) * n_x);
  }
  return l;
}

/* A contact at (x, y), its normal from b to a. */
static void touch(maker *k, int a, int b, double x, double y, double n_x, double n_y)
{
  const double length = sqrt(n_x * n_x + n_y * n_y);
  n_x /= length;
  n_y /= length;
  k->lines[2 * k->contacts] = line_of(k, a, b, x, y, n_x, n_y);
  k->lines[2 * k->contacts + 1] = line_of(k, a, b, x, y, n_y, -n_x);
  k->contacts++;
}

static void join(maker *k, int a, int b, double x, double y)
{
  k->joints[k->bilateral++] = line_of(k, a, b, x, y, 1.0, 0.0);
  k->joints[k->bilateral++] = line_of(k, a, b, x, y, 0.0, 1.0);
}

static int add_box(maker *k, double x, double y, double w, double h)
{
  const double m = w * h;
  return add_body(k, x, y, m, m * (w * w + h * h) / 12.0);
}

static void make_tower(maker *k, int contacts)
{
  int below = GROUND;
  double x_below = 0.0, w_below = 1e9;
  for (int i = 0; 2 * i < contacts; i++) {
    const double w = random_between(k->random, 0.8, 1.2);
    const double x = 0.1 * random_between(k->random, -1.0, 1.0);
    const int box = add_box(k, x, i + 0.5, w, 1.0);
    touch(k, box, below, fmax(x - 0.5 * w, x_below - 0.5 * w_below), i, 0.0, 1.0);
    touch(k, box, below, fmin(x + 0.5 * w, x_below + 0.5 * w_below), i, 0.0, 1.0);
    below = box;
    x_below = x;
    w_below = w;
  }
}

/* Courses of bricks of 2 × 1, each over the joint of two. */
static void make_wall(maker *k, int contacts)
{
  const int courses = (int)ceil(sqrt(contacts / 8.0));
  const int width = (int)ceil(contacts / (4.0 * courses));
  for (int row = 0; row < courses; row++) {
    for (int i = 0; i < width; i++) {
      const double x = 2.0 * i + row % 2;
      const int brick = add_box(k, x, row + 0.5, 2.0, 1.0);
      if (row == 0) {
        touch(k, brick, GROUND, x - 1.0, 0.0, 0.0, 1.0);
        touch(k, brick, GROUND, x + 1.0, 0.0, 0.0, 1.0);
        continue;
      }
      const int left = (row - 1) * width + i - (row % 2 ? 0 : 1);
      const int first = (row - 1) * width, last = row * width - 1;
      if (left >= first) {
        touch(k, brick, left, x - 1.0, row, 0.0, 1.0);
        touch(k, brick, left, x, row, 0.0, 1.0);
      }
      if (left + 1 <= last) {
        touch(k, brick, left + 1, x, row, 0.0, 1.0);
        touch(k, brick, left + 1, x + 1.0, row, 0.0, 1.0);
      }
    }
  }
}

/* Equal disks in a triangular lattice between walls, or stones there: then contacts lie anywhere on the
 * stones and their normals are turned. */
static void make_lattice(maker *k, int contacts, int stones)
{
  const int width = (int)ceil(sqrt(contacts / 3.0));
  const double turn = stones ? 0.6 : 0.0, slope = sqrt(0.75);
  const int *last = NULL;
  int before[MOST_BODIES], here[MOST_BODIES];
  for (int row = 0; k->contacts < contacts; row++) {
    for (int i = 0; i < width; i++) {
      const double x = i + 0.5 * (row % 2), y = 0.5 + slope * row;
      const double m = random_between(k->random, 0.5, 2.0);
      const int disk = here[i] = add_body(k, x, y, m, m * 0.125);
      const double angle = turn * random_between(k->random, -1.0, 1.0);
      const double c = cos(angle), s = sin(angle);
      if (row == 0) {
        touch(k, disk, GROUND, x, 0.0, s, c);
      }
      const int from = i - (row % 2 ? 0 : 1);
      for (int j = from; last && j <= from + 1; j++) {
        if (j >= 0 && j < width) {
          const double side = j == from ? 0.5 : -0.5;
          touch(k, disk, last[j], x - 0.5 * side, y - 0.5 * slope, side * c + slope * s,
                slope * c - side * s);
        }
      }
      if (i > 0) {
        touch(k, disk, here[i - 1], x - 0.5, y, c, s);
      }
      if (i == 0 || i == width - 1) {
        touch(k, disk, GROUND, x + (i == 0 ? -0.5 : 0.5), y, i == 0 ? c : -c, s);
      }
    }
    for (int i = 0; i < width; i++) {
      before[i] = here[i];
    }
    last = before;
  }
}

/* Bars in a row, hinged to each other, both ends of each on the ground; the first hinged to it. */
static void make_chain(maker *k, int contacts)
{
  for (int i = 0; 2 * i < contacts; i++) {
    const int bar = add_box(k, i, 0.1 + 0.01 * (i % 3), 1.0, 0.1);
    touch(k, bar, GROUND, i - 0.4, 0.0, 0.0, 1.0);
    touch(k, bar, GROUND, i + 0.4, 0.0, 0.0, 1.0);
    if (i % 8 > 0) {
      join(k, bar, bar - 1, i - 0.5, 0.1);
    }
  }
}

static double share(const maker *k, int body_index, const double *w, const double *v)
{
  const body *b = &k->bodies[body_index];
  return (w[0] * v[0] + w[1] * v[1]) / b->m + w[2] * v[2] / b->I;
}

/* w_i · M⁻¹ w_j */
static double couple(const maker *k, const line *i, const line *j)
{
  double g = 0.0;
  if (i->a == j->a) {
    g += share(k, i->a, i->of_a, j->of_a);
  }
  if (i->a == j->b) {
    g += share(k, i->a, i->of_a, j->of_b);
  }
  if (i->b != GROUND && i->b == j->a) {
    g += share(k, i->b, i->of_b, j->of_a);
  }
  if (i->b != GROUND && i->b == j->b) {
    g += share(k, i->b, i->of_b, j->of_b);
  }
  return g;
}

static double dot(const double *w, const double *u)
{
  return w[0] * u[0] + w[1] * u[1] + w[2] * u[2];
}

/* γ before, and what gravity does in a step. */
static void velocities(const maker *k, const line *l, double *before, double *fall)
{
  const double weight[3] = {0.0, -GRAVITY * STEP, 0.0};
  const double pull[3] = {k->load == PILE_SHAKE ? 0.7 * GRAVITY * STEP : 0.0, 0.0, 0.0};
  *before = dot(l->of_a, k->bodies[l->a].u);
  *fall = dot(l->of_a, weight) + dot(l->of_a, pull);
  if (l->b != GROUND) {
    *before += dot(l->of_b, k->bodies[l->b].u);
    *fall += dot(l->of_b, weight) + dot(l->of_b, pull);
  }
}

static void fill(const maker *k, pile *p)
{
  const int own = 2 * k->contacts;
  for (int i = 0; i < p->rows; i++) {
    const line *l = &k->lines[i];
    double before, fall;
    velocities(k, l, &before, &fall);
    const double eps = i < own && k->load == PILE_BURST ? 0.3 : 0.0; /* one for all: it has a solution */
    p->c[i] = (1.0 + eps) * before + fall;
    for (int j = 0; j <= i; j++) {
      const double g = couple(k, l, &k->lines[j]);
      p->G[(size_t)i * (size_t)p->rows + (size_t)j] = g;
      p->G[(size_t)j * (size_t)p->rows + (size_t)i] = g;
    }
  }
}

/* The same by velocities: W, M and u, c = W u but for restitution. */
static void fill_velocities(const maker *k, pile *p)
{
  const double fall[3] = {k->load == PILE_SHAKE ? 0.7 * GRAVITY * STEP : 0.0, -GRAVITY * STEP, 0.0};
  for (int i = 0; i < k->count; i++) {
    const body *b = &k->bodies[i];
    for (int j = 0; j < 3; j++) {
      p->M[3 * i + j] = j < 2 ? b->m : b->I;
      p->u[3 * i + j] = b->u[j] + fall[j];
    }
  }
  for (int i = 0; i < p->rows; i++) {
    const line *l = &k->lines[i];
    double *w = p->W + (size_t)i * (size_t)p->nu;
    for (int j = 0; j < 3; j++) {
      w[3 * l->a + j] = l->of_a[j];
      if (l->b != GROUND) {
        w[3 * l->b + j] = l->of_b[j];
      }
    }
  }
}

static void arrange(maker *k, pile_kind kind, int contacts)
{
  switch (kind) {
  case PILE_TOWER:
    make_tower(k, contacts);
    break;
  case PILE_WALL:
    make_wall(k, contacts);
    break;
  case PILE_CHAIN:
    make_chain(k, contacts);
    break;
  default:
    make_lattice(k, contacts, kind == PILE_RUBBLE);
    break;
  }
}

pile pile_make(pile_kind kind, pile_load load, int contacts, random_state *random)
{
  maker k = {.random = random, .load = load};
  k.bodies = calloc(MOST_BODIES, sizeof *k.bodies);
  k.lines = calloc((size_t)4 * MOST_TOUCHES, sizeof *k.lines);
  k.joints = calloc((size_t)2 * MOST_TOUCHES, sizeof *k.joints);
  pile p = {.contacts = 0};
  if (k.bodies && k.lines && k.joints) {
    arrange(&k, kind, contacts);
    for (int i = 0; i < k.bilateral; i++) {
      k.lines[2 * k.contacts + i] = k.joints[i];
    }
    p.contacts = k.contacts;
    p.bilateral = k.bilateral;
    p.rows = 2 * k.contacts + k.bilateral;
    p.G = calloc((size_t)p.rows * (size_t)p.rows + 1, sizeof *p.G);
    p.c = calloc((size_t)p.rows + 1, sizeof *p.c);
    p.laws = calloc((size_t)p.contacts + 1, sizeof *p.laws);
    for (int i = 0; p.laws && i < p.contacts; i++) {
      nsdyn_contact_law_init(&p.laws[i], sizeof p.laws[i]);
      p.laws[i].mu = random_between(random, 0.1, 0.8);
    }
    p.nu = 3 * k.count;
    p.W = calloc((size_t)p.rows * (size_t)p.nu + 1, sizeof *p.W);
    p.M = calloc((size_t)p.nu + 1, sizeof *p.M);
    p.u = calloc((size_t)p.nu + 1, sizeof *p.u);
    if (p.G && p.c && p.W && p.M && p.u) {
      fill(&k, &p);
      fill_velocities(&k, &p);
    }
  }
  free(k.bodies);
  free(k.lines);
  free(k.joints);
  return p;
}

void pile_free(pile *p)
{
  free(p->G);
  free(p->c);
  free(p->laws);
  free(p->W);
  free(p->M);
  free(p->u);
}

const char *pile_name(pile_kind kind)
{
  static const char *const names[PILE_KINDS] = {"tower", "wall", "disks", "rubble", "chain"};
  return names[kind];
}

nsdyn_contact_problem pile_problem(const pile *p)
{
  nsdyn_contact_problem problem;
  nsdyn_contact_problem_init(&problem, sizeof problem);
  problem.contacts = p->contacts;
  problem.bilateral = p->bilateral;
  problem.laws = p->laws;
  problem.G = p->G;
  problem.ldg = p->rows;
  problem.c = p->c;
  return problem;
}

/* Row i of G Λ + c, times `sign`, as row `at`. */
static void put_row(const pile *p, pile_form form, int i, double sign, int at, pile_lcp *q)
{
  const double *g = p->G + (size_t)i * (size_t)p->rows;
  double *a = q->A + (size_t)at * (size_t)q->n;
  q->b[at] = sign * p->c[i];
  for (int j = 0; j < p->contacts; j++) {
    const double N = sign * g[2 * j], T = sign * g[2 * j + 1];
    if (form == PILE_GLOCKER) {
      a[0] = N - p->laws[j].mu * T;
      a[1] = T;
      a += 3;
    } else {
      a[0] = N;
      a[1] = T;
      a[2] = -T;
      a += 4;
    }
  }
  for (int j = 2 * p->contacts; j < p->rows; j++) {
    *a++ = sign * g[j];
  }
}

pile_lcp pile_lcp_make(const pile *p, pile_form form)
{
  const int each = form == PILE_GLOCKER ? 3 : 4;
  pile_lcp q = {.n = each * p->contacts + p->bilateral};
  const size_t n = (size_t)q.n;
  q.A = calloc(n * n + 1, sizeof *q.A);
  double **const vectors[] = {&q.b, &q.lo, &q.hi, &q.x, &q.y};
  for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++) {
    *vectors[k] = calloc(n + 1, sizeof(double));
  }
  if (!q.A || !q.b || !q.lo || !q.hi || !q.x || !q.y) {
    pile_lcp_free(&q);
    return (pile_lcp){.n = 0};
  }
  for (int i = 0; i < q.n; i++) {
    q.hi[i] = INFINITY;
  }
  for (int i = 0; i < p->contacts; i++) {
    const int N = each * i, last = N + each - 1;
    double *limit = q.A + (size_t)last * n;
    put_row(p, form, 2 * i, 1.0, N, &q);
    put_row(p, form, 2 * i + 1, 1.0, N + 1, &q);
    q.A[(size_t)(N + 1) * n + (size_t)last] = 1.0;
    limit[N + 1] = -1.0;
    if (form == PILE_GLOCKER) {
      limit[N] = 2.0 * p->laws[i].mu;
    } else {
      put_row(p, form, 2 * i + 1, -1.0, N + 2, &q);
      q.A[(size_t)(N + 2) * n + (size_t)last] = 1.0;
      limit[N] = p->laws[i].mu;
      limit[N + 2] = -1.0;
    }
  }
  for (int i = 0; i < p->bilateral; i++) {
    put_row(p, form, 2 * p->contacts + i, 1.0, each * p->contacts + i, &q);
    q.lo[each * p->contacts + i] = -INFINITY;
  }
  return q;
}

void pile_lcp_free(pile_lcp *q)
{
  free(q->A);
  free(q->b);
  free(q->lo);
  free(q->hi);
  free(q->x);
  free(q->y);
}
