/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "space_piles.h"

#include <math.h>
#include <stdlib.h>

#define GRAVITY 9.81
#define STEP 0.01
#define RESTITUTION 0.4

enum { GROUND = -1, DOF = 6 };

/* A rigid body: centre, mass, inverse of its tensor of inertia, velocity and angular velocity. */
typedef struct body {
  double r[3];
  double m, inverse_I[9];
  double u[DOF];
} body;

/* A contact at a point: + on body a, − on body b. */
typedef struct touch {
  int a, b;
  double p[3], n[3];
} touch;

typedef struct maker {
  body *bodies;
  int count, body_room;
  touch *touches;
  int contacts, touch_room;
  random_state *random;
  pile_load load;
} maker;

static void *grow(void *block, int count, int *room, size_t size)
{
  if (count < *room) {
    return block;
  }
  *room = 2 * *room + 16;
  return realloc(block, (size_t)*room * size);
}

static void cross(const double *a, const double *b, double *c)
{
  c[0] = a[1] * b[2] - a[2] * b[1];
  c[1] = a[2] * b[0] - a[0] * b[2];
  c[2] = a[0] * b[1] - a[1] * b[0];
}

/* A body with principal moments I about its axes, turned about z by the angle. */
static int add_body(maker *k, double x, double y, double z, double m, const double *I, double angle)
{
  k->bodies = grow(k->bodies, k->count, &k->body_room, sizeof *k->bodies);
  body *b = &k->bodies[k->count];
  *b = (body){.r = {x, y, z}, .m = m};
  const double co = cos(angle), si = sin(angle);
  b->inverse_I[0] = co * co / I[0] + si * si / I[1];
  b->inverse_I[4] = si * si / I[0] + co * co / I[1];
  b->inverse_I[1] = b->inverse_I[3] = co * si * (1.0 / I[0] - 1.0 / I[1]);
  b->inverse_I[8] = 1.0 / I[2];
  for (int i = 0; k->load == PILE_BURST && i < DOF; i++) {
    b->u[i] = random_normal(k->random);
  }
  return k->count++;
}

static void add_touch(maker *k, int a, int b, double x, double y, double z, const double *n)
{
  k->touches = grow(k->touches, k->contacts, &k->touch_room, sizeof *k->touches);
  k->touches[k->contacts++] = (touch){.a = a, .b = b, .p = {x, y, z}, .n = {n[0], n[1], n[2]}};
}

static const double up[3] = {0.0, 0.0, 1.0};

/* Four contacts at the corners of what two faces have in common. */
static void add_face(maker *k, int a, int b, double x, double y, double z, double half_x, double half_y)
{
  for (int corner = 0; corner < 4; corner++) {
    add_touch(k, a, b, x + (corner & 1 ? half_x : -half_x), y + (corner & 2 ? half_y : -half_y), z, up);
  }
}

static void box_inertia(double m, double x, double y, double z, double *I)
{
  I[0] = m * (y * y + z * z) / 3.0; /* half edges */
  I[1] = m * (x * x + z * z) / 3.0;
  I[2] = m * (x * x + y * y) / 3.0;
}

static void make_stack(maker *k, int contacts)
{
  for (int level = 0; k->contacts < contacts; level++) {
    const double m = random_between(k->random, 0.5, 2.0);
    double I[3];
    box_inertia(m, 0.2, 0.15, 0.1, I);
    const int b = add_body(k, 0.0, 0.0, 0.1 + 0.2 * level, m, I, 0.0);
    add_face(k, b, level == 0 ? GROUND : b - 1, 0.0, 0.0, 0.2 * level, 0.2, 0.15);
  }
}

/* Layers of a row of bricks, every second one shifted by half a brick; bodies of a layer stand in a row. */
static void make_wall(maker *k, int contacts)
{
  const int width = (int)fmax(2.0, sqrt(contacts / 8.0));
  double I[3];
  box_inertia(1.0, 0.2, 0.1, 0.1, I);
  int below = -1; /* first body of the layer below */
  int below_count = 0;
  for (int level = 0; k->contacts < contacts; level++) {
    const int count = width - level % 2, first = k->count;
    for (int i = 0; i < count; i++) {
      const double x = 0.4 * i + (level % 2 ? 0.2 : 0.0);
      const int b = add_body(k, x, 0.0, 0.1 + 0.2 * level, 1.0, I, 0.0);
      if (level == 0) {
        add_face(k, b, GROUND, x, 0.0, 0.0, 0.2, 0.1);
      }
      for (int side = 0; level > 0 && side < 2; side++) {
        const int under = i + side - (level % 2 ? 0 : 1);
        if (under >= 0 && under < below_count) {
          add_face(k, b, below + under, x + (side ? 0.1 : -0.1), 0.0, 0.2 * level, 0.1, 0.1);
        }
      }
    }
    below = first;
    below_count = count;
  }
}

static void add_ball_touch(maker *k, int a, int b)
{
  double n[3], p[3], length = 0.0;
  for (int i = 0; i < 3; i++) {
    n[i] = k->bodies[a].r[i] - k->bodies[b].r[i];
    p[i] = 0.5 * (k->bodies[a].r[i] + k->bodies[b].r[i]);
    length += n[i] * n[i];
  }
  for (int i = 0; i < 3; i++) {
    n[i] /= sqrt(length);
  }
  add_touch(k, a, b, p[0], p[1], p[2], n);
}

/* Layers of edge × edge, (edge − 1)², … spheres, each in the hollow of four. */
static void make_spheres(maker *k, int contacts)
{
  int edge = 2;
  while (edge * edge + 4 * (edge - 1) * edge * (2 * edge - 1) / 6 < contacts) {
    edge++;
  }
  const double R = 0.1, I[3] = {0.4 * R * R, 0.4 * R * R, 0.4 * R * R};
  int below = 0;
  for (int level = 0, n = edge; n > 0; level++, n--) {
    const int first = k->count;
    for (int i = 0; i < n * n; i++) {
      const int row = i / n;
      const double x = R * (level + 2 * (i % n)), y = R * (level + 2 * row);
      const int b = add_body(k, x, y, R + sqrt(2.0) * R * level, 1.0, I, 0.0);
      if (level == 0) {
        add_touch(k, b, GROUND, x, y, 0.0, up);
      }
      for (int j = 0; level > 0 && j < 4; j++) {
        add_ball_touch(k, b, below + (i / n + j / 2) * (n + 1) + i % n + j % 2);
      }
    }
    below = first;
  }
}

/* Layers of rods, along x and along y in turn; each crosses all of the layer below. */
static void make_rods(maker *k, int contacts)
{
  const int width = (int)fmax(2.0, cbrt(contacts));
  const double R = 0.02, half = 0.1 * width;
  int below = GROUND;
  for (int level = 0; k->contacts < contacts; level++) {
    const int first = k->count;
    for (int i = 0; i < width; i++) {
      double I[3];
      box_inertia(1.0, half, R, R, I);
      const double across = 0.2 * i - half + 0.1 + 0.02 * random_unit(k->random),
                   turn = level % 2 ? 0.5 * 3.14159265358979 : 0.0;
      const double z = R + 2.0 * R * level;
      const int b = add_body(k, level % 2 ? across : 0.0, level % 2 ? 0.0 : across, z, 1.0, I, turn);
      for (int j = 0; j < width; j++) {
        if (below == GROUND) {
          add_touch(k, b, GROUND, 0.2 * j - half + 0.1, across, 0.0, up);
          continue;
        }
        const double *other = k->bodies[below + j].r;
        add_touch(k, b, below + j, level % 2 ? across : other[0], level % 2 ? other[1] : across, z - R, up);
      }
    }
    below = first;
  }
}

/* Two directions across n. */
static void tangents(const double *n, double *t1, double *t2)
{
  const double helper[3] = {fabs(n[0]) < 0.5 ? 1.0 : 0.0, fabs(n[0]) < 0.5 ? 0.0 : 1.0, 0.0};
  cross(n, helper, t1);
  const double length = sqrt(t1[0] * t1[0] + t1[1] * t1[1] + t1[2] * t1[2]);
  for (int i = 0; i < 3; i++) {
    t1[i] /= length;
  }
  cross(n, t1, t2);
}

/* A row of W: the direction d through p, in the velocities of one body. */
static void put_direction(space_pile *p, int64_t *at, const maker *k, int b, const double *point,
                          const double *d, double sign)
{
  double arm[3], turn[3];
  for (int i = 0; i < 3; i++) {
    arm[i] = point[i] - k->bodies[b].r[i];
  }
  cross(arm, d, turn);
  for (int i = 0; i < DOF; i++) {
    p->column[*at] = DOF * b + i;
    p->value[(*at)++] = sign * (i < 3 ? d[i] : turn[i - 3]);
  }
}

static void fill(space_pile *p, const maker *k)
{
  int64_t at = 0;
  p->begin[0] = 0;
  for (int i = 0; i < k->contacts; i++) {
    const touch *t = &k->touches[i];
    double frame[3][3];
    for (int j = 0; j < 3; j++) {
      frame[0][j] = t->n[j];
    }
    tangents(t->n, frame[1], frame[2]);
    for (int row = 0; row < 3; row++) {
      const int low = t->a < t->b ? t->a : t->b, high = t->a < t->b ? t->b : t->a;
      if (low != GROUND) {
        put_direction(p, &at, k, low, t->p, frame[row], low == t->a ? 1.0 : -1.0);
      }
      put_direction(p, &at, k, high, t->p, frame[row], high == t->a ? 1.0 : -1.0);
      p->begin[3 * i + row + 1] = at;
    }
  }
  for (int b = 0; b < k->count; b++) {
    double *inverse = p->inverse + 36 * b;
    for (int i = 0; i < 3; i++) {
      inverse[7 * i] = 1.0 / k->bodies[b].m;
      for (int j = 0; j < 3; j++) {
        inverse[6 * (i + 3) + j + 3] = k->bodies[b].inverse_I[3 * i + j];
      }
    }
    p->size[b] = DOF;
  }
  /* c = (1 + ε) γ⁻ + W M⁻¹ h Δt; shaken ones are pulled along x by half their weight and a little noise. */
  for (int row = 0; row < p->rows; row++) {
    double speed = 0.0, load = 0.0;
    for (int64_t e = p->begin[row]; e < p->begin[row + 1]; e++) {
      const int b = p->column[e] / DOF, i = p->column[e] % DOF;
      speed += p->value[e] * k->bodies[b].u[i];
      load += i == 2 ? -GRAVITY * STEP * p->value[e] : 0.0;
      load += i == 0 && k->load == PILE_SHAKE ? 0.5 * GRAVITY * STEP * p->value[e] : 0.0;
    }
    p->c[row] = (1.0 + (row % 3 == 0 ? RESTITUTION : 0.0)) * speed + load;
  }
}

space_pile space_pile_make(space_pile_kind kind, pile_load load, int contacts, random_state *random)
{
  maker k = {.random = random, .load = load};
  void (*const make[])(maker *, int) = {make_stack, make_wall, make_spheres, make_rods};
  make[kind](&k, contacts);
  space_pile p = {.bodies = k.count, .contacts = k.contacts, .rows = 3 * k.contacts, .nu = DOF * k.count};
  p.mu = 0.3 + 0.5 * random_unit(random);
  p.inverse = calloc((size_t)k.count * 36, sizeof *p.inverse);
  p.size = calloc((size_t)k.count, sizeof *p.size);
  p.begin = calloc((size_t)p.rows + 1, sizeof *p.begin);
  p.column = calloc((size_t)p.rows * 2 * DOF, sizeof *p.column);
  p.value = calloc((size_t)p.rows * 2 * DOF, sizeof *p.value);
  p.c = calloc((size_t)p.rows, sizeof *p.c);
  fill(&p, &k);
  free(k.bodies);
  free(k.touches);
  return p;
}

void space_pile_delassus(space_pile *p)
{
  const size_t n = (size_t)p->rows;
  double *X = calloc((size_t)p->nu, sizeof *X);
  p->G = calloc(n * n, sizeof *p->G);
  for (int i = 0; i < p->rows; i++) {
    /* X := M⁻¹ w_i; G_ij = w_j · X */
    for (int64_t e = p->begin[i]; e < p->begin[i + 1]; e++) {
      const int b = p->column[e] / DOF;
      for (int j = 0; j < DOF; j++) {
        X[DOF * b + j] += p->inverse[36 * b + 6 * j + p->column[e] % DOF] * p->value[e];
      }
    }
    for (int j = 0; j < p->rows; j++) {
      for (int64_t e = p->begin[j]; e < p->begin[j + 1]; e++) {
        p->G[(size_t)i * n + (size_t)j] += p->value[e] * X[p->column[e]];
      }
    }
    for (int64_t e = p->begin[i]; e < p->begin[i + 1]; e++) {
      const int b = p->column[e] / DOF;
      for (int j = 0; j < DOF; j++) {
        X[DOF * b + j] = 0.0;
      }
    }
  }
  free(X);
}

void space_pile_free(space_pile *p)
{
  free(p->inverse);
  free(p->size);
  free(p->begin);
  free(p->column);
  free(p->value);
  free(p->c);
  free(p->G);
  *p = (space_pile){0};
}
