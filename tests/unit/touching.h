/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* What the tests of contact problems share: random problems of mechanical systems, with every law, and all
 * their solutions by exhaustion. */
#ifndef TESTS_UNIT_TOUCHING_H
#define TESTS_UNIT_TOUCHING_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "contact/planar/pattern.h"
#include "contact/planar/states.h"
#include "suite.h"

enum { MOST_CONTACTS = 64, MOST_ROWS = 2 * MOST_CONTACTS + 16, MOST_SPEEDS = 2 * MOST_ROWS };

typedef struct touching {
  nsd_contact_data d; /* points into the arrays below */
  nsd_contact_spec spec[MOST_CONTACTS];
  double G[MOST_ROWS * MOST_ROWS], c[MOST_ROWS];
  double W[MOST_ROWS * MOST_SPEEDS]; /* rows × speeds, M = 1 / mass */
  double Lambda[MOST_ROWS], xi[MOST_ROWS];
  nsdyn_contact_problem problem; /* the same for the public calls */
  nsdyn_contact_law laws[MOST_CONTACTS];
  double slip[MOST_CONTACTS]; /* one per tangential row */
} touching;

static inline touching *touching_new(void)
{
  touching *t = calloc(1, sizeof *t);
  ck_assert_ptr_nonnull(t);
  return t;
}

/* What a random problem may have. */
enum {
  WITH_NONE = 1 << 0,      /* contacts without a tangential row */
  WITH_GIVEN = 1 << 1,     /* friction of given bound */
  WITH_SLOTS = 1 << 2,     /* bilateral contacts */
  WITH_SLIDING = 1 << 3,   /* known directions */
  WITH_BILATERAL = 1 << 4, /* bilateral rows */
  WITH_STEEP = 1 << 5,     /* friction coefficients up to 10 */
  REDUNDANT = 1 << 6,      /* fewer velocities than rows, repeated contacts; c in the range of W */
  WITH_EVERY_LAW = WITH_NONE | WITH_GIVEN | WITH_SLOTS | WITH_BILATERAL,
  COULOMB = 0
};

static inline int now_and_then(random_state *r, unsigned features, unsigned feature)
{
  return (features & feature) && random_below(r, 3) == 0;
}

static inline nsd_contact_spec random_spec(random_state *r, unsigned features)
{
  nsd_contact_spec s = {.friction = NSD_FRICTION_LOAD};
  s.kind = now_and_then(r, features, WITH_SLOTS) ? NSDYN_CONTACT_BILATERAL : NSDYN_CONTACT_UNILATERAL;
  if (now_and_then(r, features, WITH_NONE)) {
    s.friction = NSD_FRICTION_NONE;
    return s;
  }
  s.sliding = now_and_then(r, features, WITH_SLIDING) ? 1 - 2 * random_below(r, 2) : 0;
  if (now_and_then(r, features, WITH_GIVEN)) {
    s.friction = NSD_FRICTION_GIVEN;
    s.bound = random_below(r, 8) ? random_unit(r) : 0.0;
  } else {
    s.mu = random_below(r, 8) ? random_between(r, 0.05, features & WITH_STEEP ? 10.0 : 0.6) : 0.0;
  }
  return s;
}

/* Rows are laid out, and the public problem says the same. */
static inline void lay_out(touching *t, int contacts, int bilateral)
{
  int row = 0, tangential = 0;
  for (int i = 0; i < contacts; i++) {
    nsd_contact_spec *s = &t->spec[i];
    nsdyn_contact_law *law = &t->laws[i];
    s->row = row;
    row += s->friction == NSD_FRICTION_NONE ? 1 : 2;
    nsdyn_contact_law_init(law, sizeof *law);
    law->kind = s->kind;
    law->friction = s->friction == NSD_FRICTION_NONE   ? NSDYN_FRICTION_NONE
                    : s->friction == NSD_FRICTION_LOAD ? NSDYN_FRICTION_COULOMB
                                                       : NSDYN_FRICTION_BOUND;
    law->mu = s->mu;
    law->bound = s->bound;
    if (s->friction != NSD_FRICTION_NONE) {
      t->slip[tangential++] = s->sliding;
    }
  }
  const int rows = row + bilateral;
  t->d = (nsd_contact_data){.contacts = contacts,
                            .bilateral = bilateral,
                            .rows = rows,
                            .ldg = rows,
                            .spec = t->spec,
                            .G = t->G,
                            .c = t->c};
  nsdyn_contact_problem_init(&t->problem, sizeof t->problem);
  t->problem.contacts = contacts;
  t->problem.bilateral = bilateral;
  t->problem.laws = t->laws;
  t->problem.G = t->G;
  t->problem.ldg = rows;
  t->problem.c = t->c;
  t->problem.slip = t->slip;
  t->problem.dt = 1.0;
}

static inline double *g_at(touching *t, int i, int j)
{
  return &t->G[i * t->d.rows + j];
}

/* G = W M⁻¹ Wᵀ with M⁻¹ = diag(weight), symmetric to the bit. */
static inline void assemble_G(touching *t, int speeds, const double *weight)
{
  for (int i = 0; i < t->d.rows; i++) {
    for (int j = 0; j <= i; j++) {
      double sum = 0.0;
      for (int q = 0; q < speeds; q++) {
        sum += t->W[i * speeds + q] * weight[q] * t->W[j * speeds + q];
      }
      *g_at(t, i, j) = *g_at(t, j, i) = sum;
    }
  }
}

/* A random system: masses between a toy's and a machine's, about half of the contacts approaching. */
static inline void make_touching(touching *t, random_state *r, int contacts, unsigned features)
{
  double weight[MOST_SPEEDS], u[MOST_SPEEDS];
  for (int i = 0; i < contacts; i++) {
    t->spec[i] = random_spec(r, features);
    if ((features & REDUNDANT) && i > 0 && random_below(r, 3) == 0) {
      t->spec[i] = t->spec[i - 1];
    }
  }
  lay_out(t, contacts, now_and_then(r, features, WITH_BILATERAL) ? 1 + random_below(r, 3) : 0);
  const int rows = t->d.rows;
  const int speeds =
      features & REDUNDANT && rows > 0 ? 1 + random_below(r, rows) : rows + random_below(r, rows + 1);
  const double mass = random_scale(r, 3.0);
  for (int q = 0; q < speeds; q++) {
    weight[q] = random_between(r, 0.2, 2.0) / mass;
    u[q] = random_normal(r);
  }
  for (int i = 0; i < rows * speeds; i++) {
    t->W[i] = random_between(r, -1.0, 1.0);
  }
  for (int i = 1; (features & REDUNDANT) && i < contacts; i++) {
    const nsd_contact_spec *s = &t->spec[i];
    const int span = s->friction == NSD_FRICTION_NONE ? 1 : 2;
    if (span == s->row - t->spec[i - 1].row && random_below(r, 2)) {
      memcpy(t->W + s->row * speeds, t->W + t->spec[i - 1].row * speeds,
             (size_t)(span * speeds) * sizeof *t->W);
    }
  }
  assemble_G(t, speeds, weight);
  for (int i = 0; i < rows; i++) {
    t->c[i] = 0.0;
    for (int q = 0; q < speeds; q++) {
      t->c[i] += t->W[i * speeds + q] * u[q];
    }
  }
  for (int i = 0; i < contacts; i++) {
    t->spec[i].bound *= mass;
    t->laws[i].bound = t->spec[i].bound;
  }
}

/* The largest difference of two vectors over their largest element. */
static inline double apart(int n, const double *a, const double *b)
{
  double most = 0.0;
  double size = 0.0;
  for (int i = 0; i < n; i++) {
    most = fmax(most, fabs(a[i] - b[i]));
    size = fmax(size, fmax(fabs(a[i]), fabs(b[i])));
  }
  return size > 0.0 ? most / size : most;
}

/* The same for velocities, over the problem's scale. */
static inline double apart_by(double scale, int n, const double *a, const double *b)
{
  double most = 0.0;
  for (int i = 0; i < n; i++) {
    most = fmax(most, fabs(a[i] - b[i]));
  }
  return scale > 0.0 ? most / scale : most;
}

/* A workspace for patterns of `t`. */
#define PATTERN_WORK(t)                                                                                      \
  nsd_arena arena = nsd_arena_empty(NULL);                                                                   \
  nsd_arena measure_ = nsd_arena_measure();                                                                  \
  nsd_pattern_work w;                                                                                        \
  nsd_pattern_lay_out(&measure_, &w, (t)->d.contacts, (t)->d.rows);                                          \
  ck_assert_int_eq(nsd_arena_reserve(&arena, &measure_), NSDYN_OK);                                          \
  nsd_pattern_lay_out(&arena, &w, (t)->d.contacts, (t)->d.rows)

/* All isolated solutions of a small problem by all patterns; more than one pattern may show the same one.
 * What regular patterns do not show, continua, is not seen. Returns how many differ by more than 1e-7; the
 * first goes into Lambda. */
static inline int count_all(touching *t, double *Lambda)
{
  PATTERN_WORK(t);
  enum { MOST_FOUND = 64 };
  static double found[MOST_FOUND][MOST_ROWS];
  int count = 0;
  int32_t states[MOST_CONTACTS] = {0};
  for (int done = 0; !done;) {
    int known = 1;
    for (int i = 0; i < t->d.contacts; i++) {
      known = known && (nsd_contact_states(&t->spec[i]) >> states[i] & 1u);
    }
    double trial[MOST_ROWS];
    if (known && nsd_pattern_solve(&w, &t->d, states, trial) == NSDYN_OK) {
      nsd_contact_project_all(&t->d, trial);
      const nsd_contact_verdict v = nsd_contact_judge(&t->d, trial, NULL);
      int is_new = nsd_contact_is_solution(&v, 1e-11);
      for (int k = 0; is_new && k < count; k++) {
        is_new = apart(t->d.rows, trial, found[k]) > 1e-7;
      }
      if (is_new && count < MOST_FOUND) {
        memcpy(found[count++], trial, sizeof trial);
      }
    }
    done = 1;
    for (int i = 0; i < t->d.contacts && done; i++) {
      states[i] = (states[i] + 1) % NSD_STATES;
      done = states[i] == 0;
    }
  }
  if (count > 0) {
    memcpy(Lambda, found[0], sizeof found[0]);
  }
  nsd_arena_release(&arena);
  return count;
}

#endif
