/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* A mechanical system given by numbers, for tests: small enough to know everything about it, and its
 * callbacks can be told to fail.
 *
 *   M = M0 + (s·q)² M1,   h = f − K q − D u
 *   contact i     g = g0 + n·q + ½ bend (n·q)² + rate t,   w_N = (1 + bend n·q) n,   w_T = tangent,   ŵ =
 * (rate, belt) constraint i  the same with g_b and W_b
 *
 * The first `known` contacts are known in advance, the others found, each by a key that the test chooses. */
#ifndef TESTS_SUPPORT_MODEL_H
#define TESTS_SUPPORT_MODEL_H

#include "nsdyn/stepper.h"
#include "random.h"

enum { MODEL_MOST = 8, MODEL_CONTACTS = 70, MODEL_CONSTRAINTS = 4 };

/* Callbacks that can fail. */
enum model_callback {
  MODEL_NONE = 0,
  MODEL_CONFIGURE,
  MODEL_MASS,
  MODEL_SOLVE_MASS,
  MODEL_FORCE,
  MODEL_GAP,
  MODEL_DIRECTION,
  MODEL_FIND,
  MODEL_CONSTRAINT,
  MODEL_KINEMATICS,
  MODEL_RETRACT,
  MODEL_CURVE,
  MODEL_CALLBACKS
};

typedef struct model_contact {
  double g0, bend, rate, belt;
  double n[MODEL_MOST], tangent[MODEL_MOST];
  nsdyn_contact_law law;
  int64_t key; /* of a found one */
  int32_t law_number;
} model_contact;

typedef struct model {
  int nu, contacts, known, constraints;
  double M0[MODEL_MOST * MODEL_MOST], M1[MODEL_MOST * MODEL_MOST], s[MODEL_MOST];
  double f[MODEL_MOST], K[MODEL_MOST * MODEL_MOST], D[MODEL_MOST * MODEL_MOST];
  model_contact contact[MODEL_CONTACTS];
  model_contact constraint[MODEL_CONSTRAINTS];
  int nblocks; /* as model_cut() has cut M */
  int32_t block[MODEL_MOST];
  int writes_blocks; /* 1: the system is told of them, and `mass` writes them alone */

  int fails;    /* of enum model_callback */
  int code;     /* what it returns; 0: it writes `value` instead */
  double value; /* over the element or contact `where` of its output */
  int where;
  int calls[MODEL_CALLBACKS];
  void (*inside)(void *data); /* called from within `force`, NULL: not */
  void *inside_data;
} model;

/* Which optional callbacks a system gets. */
enum { MODEL_SOLVES = 1, MODEL_MOVES = 2, MODEL_RETRACTS = 4 };

/* nu unit masses, no forces, no contacts. */
void model_clear(model *m, int nu);

/* Adds a contact known in advance, with gap g0 + n_j q_j of coordinate j and tangent k (none if negative). */
model_contact *model_add_contact(model *m, double g0, int j, int k, double mu, double eps_n);

/* A random one: everything depends on everything, with so many contacts and constraints. */
void model_random(model *m, random_state *random, int nu, int known, int found, int constraints);

/* Cuts M into random diagonal blocks: what couples them becomes zero. */
void model_cut(model *m, random_state *random);

/* The table of its callbacks; `flags` of nsdyn_system_flag, `extra` as above. */
nsdyn_system_def model_def(model *m, int64_t flags, int extra);

/* The system with all its laws. */
nsdyn_status model_system(model *m, nsdyn_context *ctx, int64_t flags, int extra, nsdyn_system **out);

/* What the callbacks compute, for judges. */
double model_gap(const model_contact *c, int nu, double t, const double *q);
void model_mass(const model *m, const double *q, double *M);
void model_force(const model *m, const double *q, const double *u, double *h);
void model_direction(const model_contact *c, int nu, const double *q, double *w_N);

/* A friction curve: 0.4 + 0.2 / (1 + speed); `user` is the model. */
int model_curve(void *user, double speed, double *mu);

#endif
