/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "bodies.h"

#include <math.h>
#include <stddef.h>

#include "options.h"

enum { NQ = 7, NU = 6 }; /* of one body */

void vector_cross(const double *a, const double *b, double *out)
{
  const double x = a[1] * b[2] - a[2] * b[1], y = a[2] * b[0] - a[0] * b[2], z = a[0] * b[1] - a[1] * b[0];
  out[0] = x;
  out[1] = y;
  out[2] = z;
}

double vector_dot(const double *a, const double *b)
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* ---- Callbacks ---- */

static int mass(void *user, double t, const double *q, double *M)
{
  const bodies *b = user;
  (void)t, (void)q;
  for (int i = 0; i < b->count; i++) {
    double *own = M + (ptrdiff_t)NU * NU * i;
    for (int k = 0; k < 3; k++) {
      own[k * (NU + 1)] = b->body[i].m;
      own[(3 + k) * (NU + 1)] = b->body[i].J[k];
    }
  }
  return 0;
}

/* Weight, and −ω × J ω in the axes of the body. */
static int force(void *user, double t, const double *q, const double *u, double *h)
{
  const bodies *b = user;
  (void)t, (void)q;
  for (int i = 0; i < b->count; i++) {
    const body *o = &b->body[i];
    const double *omega = u + (ptrdiff_t)NU * i + 3;
    const double spin[3] = {o->J[0] * omega[0], o->J[1] * omega[1], o->J[2] * omega[2]};
    double *own = h + (ptrdiff_t)NU * i;
    vector_cross(spin, omega, own + 3);
    for (int k = 0; k < 3; k++) {
      own[k] = o->m * b->gravity[k];
    }
  }
  return 0;
}

static int kinematics(void *user, double t, const double *q, const double *u, double *qdot)
{
  const bodies *b = user;
  (void)t;
  for (int i = 0; i < b->count; i++, q += NQ, u += NU, qdot += NQ) {
    for (int k = 0; k < 3; k++) {
      qdot[k] = u[k];
    }
    nsdyn_quaternion_rate_body(q + 3, u + 3, qdot + 3);
  }
  return 0;
}

static int retract(void *user, double t, const double *q, const double *u, double dt, double *q_new)
{
  const bodies *b = user;
  (void)t;
  for (int i = 0; i < b->count; i++, q += NQ, u += NU, q_new += NQ) {
    for (int k = 0; k < 3; k++) {
      q_new[k] = q[k] + dt * u[k];
    }
    nsdyn_quaternion_retract_body(q + 3, u + 3, dt, q_new + 3);
  }
  return 0;
}

void bodies_define(bodies *b, nsdyn_system_def *def)
{
  nsdyn_system_def_init(def, sizeof *def);
  def->nq = NQ * b->count;
  def->nu = NU * b->count;
  def->flags = NSDYN_CONSTANT_MASS;
  for (int i = 0; i < b->count; i++) {
    b->block[i] = NU;
  }
  def->nblocks = b->count;
  def->block = b->block;
  def->user = b;
  def->mass = mass;
  def->force = force;
  def->kinematics = kinematics;
  def->retract = retract;
}

/* ---- Contacts ---- */

/* A unit vector across n: of the axes the one that n is least along, without its part along n. */
static void across(const double *n, double *t)
{
  int least = 0;
  for (int k = 1; k < 3; k++) {
    least = fabs(n[k]) < fabs(n[least]) ? k : least;
  }
  double e[3] = {0.0, 0.0, 0.0};
  e[least] = 1.0;
  vector_cross(e, n, t);
  const double length = sqrt(vector_dot(t, t));
  for (int k = 0; k < 3; k++) {
    t[k] /= length;
  }
}

/* The velocity of a point of a body along e: e · v + (r × e) · R ω, with the sign of the body's side. */
static void fill_row(const double *q, const double *point, const double *e, double sign, double *row)
{
  const double r[3] = {point[0] - q[0], point[1] - q[1], point[2] - q[2]};
  double arm[3];
  vector_cross(r, e, arm);
  nsdyn_quaternion_rotate_back(q + 3, arm, arm);
  for (int k = 0; k < 3; k++) {
    row[k] = sign * e[k];
    row[3 + k] = sign * arm[k];
  }
}

static void see(seen_list *list, const touch *c, const double *const rows[3])
{
  if (list->count == list->room) {
    list->room = list->room ? 2 * list->room : 64;
    list->touch = memory(list->touch, (size_t)list->room, sizeof *list->touch);
  }
  seen_touch *t = &list->touch[list->count++];
  t->key = c->key;
  for (int k = 0; k < 3; k++) {
    t->point[k] = c->point[0][k];
    for (int i = 0; i < 3; i++) {
      t->direction[i][k] = rows[i][k];
    }
  }
}

int bodies_touch(const bodies *b, const double *q, nsdyn_contact_sink *sink, const touch *c)
{
  double t1[3], t2[3], W[2][3 * NU];
  if (c->t1) {
    for (int k = 0; k < 3; k++) {
      t1[k] = c->t1[k];
    }
  } else {
    across(c->n, t1);
  }
  vector_cross(c->n, t1, t2);
  const double *const rows[3] = {c->n, t1, t2};
  if (!sink) {
    see(b->seen, c, rows);
    return 0;
  }
  nsdyn_contact_block block[2];
  int blocks = 0;
  for (int side = 0; side < 2; side++) {
    if (c->body[side] == FIXED) {
      continue;
    }
    for (int k = 0; k < 3; k++) {
      fill_row(q + (ptrdiff_t)NQ * c->body[side], c->point[side], rows[k], side ? -1.0 : 1.0,
               W[blocks] + NU * k);
    }
    block[blocks] = (nsdyn_contact_block){.offset = NU * c->body[side], .count = NU, .values = W[blocks]};
    blocks++;
  }
  nsdyn_found_contact found;
  nsdyn_found_contact_init(&found, sizeof found);
  found.key = c->key;
  found.gap = c->gap;
  found.law = c->law;
  found.blocks = blocks;
  found.block = block;
  return nsdyn_contact_sink_add(sink, &found);
}

double bodies_energy(const bodies *b, const double *q, const double *u)
{
  double energy = 0.0;
  for (int i = 0; i < b->count; i++, q += NQ, u += NU) {
    const body *o = &b->body[i];
    energy += 0.5 * o->m * vector_dot(u, u) - o->m * vector_dot(b->gravity, q);
    for (int k = 0; k < 3; k++) {
      energy += 0.5 * o->J[k] * u[3 + k] * u[3 + k];
    }
  }
  return energy;
}
