/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* What lib/contact computes: every method on contacts of every law, definite and redundant, cold and warm; G
 * from W and L. */
#include "nsdyn/contact.h"

#include <math.h>
#include <string.h>

#include "base/sin_cos.h"
#include "contact/problem.h"
#include "contact/space/sliding_roots.h"
#include "hash.h"

enum { MOST_CONTACTS = 6, MOST_ROWS = 2 * MOST_CONTACTS + 2, MOST_NU = 16, METHODS = 4 };

typedef struct task {
  nsdyn_contact_problem problem;
  nsdyn_contact_law laws[MOST_CONTACTS];
  double slip[MOST_CONTACTS]; /* one per tangential row */
  int rows;
  double W[MOST_ROWS * MOST_NU], X[MOST_ROWS * MOST_NU], L[MOST_NU * MOST_NU], G[MOST_ROWS * MOST_ROWS],
      c[MOST_ROWS];
} task;

static void fill_laws(stream *from, task *t, int contacts)
{
  int tangential = 0;
  for (int i = 0; i < contacts; i++) {
    nsdyn_contact_law *law = &t->laws[i];
    nsdyn_contact_law_init(law, sizeof *law);
    law->kind = stream_below(from, 5) == 0;
    const int friction = stream_below(from, 6);
    law->friction = friction == 0   ? NSDYN_FRICTION_NONE
                    : friction == 1 ? NSDYN_FRICTION_BOUND
                                    : NSDYN_FRICTION_COULOMB;
    law->mu = 0.5 * (1.0 + stream_number(from));
    law->bound = 0.5 * (1.0 + stream_number(from));
    const int slides = stream_below(from, 9) == 0;
    if (law->friction != NSDYN_FRICTION_NONE) {
      t->slip[tangential++] = slides;
    }
  }
}

/* W with fewer columns than rows in every third task, c in its range. */
static void fill(stream *from, task *t, int number)
{
  const int contacts = number % (MOST_CONTACTS + 1);
  fill_laws(from, t, contacts);
  nsdyn_contact_problem_init(&t->problem, sizeof t->problem);
  t->problem.contacts = contacts;
  t->problem.bilateral = stream_below(from, 4) == 0;
  t->problem.laws = t->laws;
  t->problem.slip = t->slip;
  t->problem.dt = 0.01;
  t->rows = nsdyn_contact_rows(&t->problem);
  const int nu = number % 3 == 2 ? 1 + t->rows / 2 : t->rows + 1;
  double u[MOST_NU];
  stream_fill(from, (size_t)t->rows * (size_t)nu, t->W);
  stream_fill(from, (size_t)nu, u);
  memset(t->L, 0, sizeof t->L);
  for (int i = 0; i < nu; i++) {
    for (int j = 0; j < i; j++) {
      t->L[i * nu + j] = 0.1 * stream_number(from);
    }
    t->L[i * nu + i] = 1.0 + 0.5 * stream_number(from);
  }
  nsdyn_contact_delassus(t->rows, nu, t->W, nu, t->L, nu, t->X, t->G, t->rows);
  for (int i = 0; i < t->rows; i++) {
    t->c[i] = 0.0;
    for (int q = 0; q < nu; q++) {
      t->c[i] += t->W[i * nu + q] * u[q];
    }
  }
  t->problem.G = t->G;
  t->problem.ldg = t->rows;
  t->problem.c = t->c;
}

static void hash_solve(hash *h, nsdyn_contact *solver, const task *t)
{
  double Lambda[MOST_ROWS] = {0.0}, xi[MOST_ROWS] = {0.0};
  const nsdyn_status status = nsdyn_contact_solve(solver, &t->problem, Lambda, xi);
  nsdyn_contact_solve_report result;
  nsdyn_contact_solve_report_init(&result, sizeof result);
  nsdyn_contact_report(solver, &result);
  hash_int(h, status);
  hash_int(h, result.method);
  hash_int(h, result.lcp_size);
  hash_int(h, result.iterations);
  hash_int(h, result.worst_row);
  hash_int(h, result.warm);
  hash_double(h, result.residual);
  hash_double(h, result.scale);
  hash_doubles(h, (size_t)t->rows, Lambda);
  hash_doubles(h, (size_t)t->rows, xi);
  int contacts;
  const int32_t *modes = nsdyn_contact_modes(solver, &contacts);
  hash_bytes(h, modes, (size_t)contacts * sizeof *modes);
}

static int hash_piece(void *user, const nsdyn_contact_piece *piece)
{
  hash *h = user;
  const size_t rows = (size_t)piece->rows;
  hash_int(h, piece->dimension);
  hash_int(h, piece->velocity_dimension);
  hash_doubles(h, (size_t)piece->vertices * rows, piece->Lambda);
  hash_doubles(h, (size_t)piece->vertices * rows, piece->xi);
  hash_doubles(h, (size_t)piece->rays * rows, piece->ray);
  hash_bytes(h, piece->modes, (size_t)piece->contacts * sizeof *piece->modes);
  return 0;
}

static void hash_census(hash *h, nsdyn_contact *solver, const task *t)
{
  nsdyn_contact_census census;
  nsdyn_contact_census_init(&census, sizeof census);
  hash_int(h, nsdyn_contact_enumerate(solver, &t->problem, hash_piece, h, &census));
  hash_int(h, census.nodes);
  hash_int(h, census.motions);
  hash_int(h, census.doubtful);
  hash_int(h, census.complete);
}

/* One contact in space under every law. */
static void hash_in_space(hash *h)
{
  stream from = stream_begin(12);
  for (int k = 0; k < 3000; k++) {
    double G[9], c[3], e[3], G_of[9], v[4];
    stream_fill(&from, 9, G);
    stream_fill(&from, 3, c);
    stream_fill(&from, 4, v);
    for (int i = 0; i < 9; i++) { /* G Gᵀ, at times with a part that is not symmetric */
      const double *a = &G[i - i % 3], *b = &G[3 * (i % 3)];
      G_of[i] = (a[0] * b[0] + a[1] * b[1]) + a[2] * b[2] + (k % 3 ? 0.0 : 0.3 * G[i]);
    }
    const int32_t kind = stream_below(&from, 2);
    const int32_t sides = 4 + 2 * stream_below(&from, 6);
    nsd_sin_cos(3.0 * v[0], e);
    const nsd_one_contact_law law = {.kind = kind,
                                     .friction = k % 4 ? NSD_FRICTION_LOAD : NSD_FRICTION_GIVEN,
                                     .sides = k % 5 ? 0 : sides,
                                     .sliding = k % 7 == 0,
                                     .mu = k % 4 ? 1.0 + v[1] : 0.0,
                                     .bound = k % 4 ? 0.0 : 1.0 + v[1],
                                     .aspect = 1.5 + v[2],
                                     .axis = {e[0], e[1]},
                                     .slip = {e[1], e[0]}};
    nsd_one_contact block;
    nsd_one_contact_answer answers[NSD_SLIDING_ROOTS] = {{.steps = 0}};
    nsd_one_contact_of(G_of, &law, &block);
    hash_int(h, nsd_one_contact_solve(&block, c, answers));
    hash_doubles(h, 3, answers[0].Lambda);
    hash_doubles(h, 3, answers[0].xi);
    hash_doubles(h, 2, answers[0].slip);
    hash_int(h, answers[0].mode + 4 * answers[0].steps);
    const int count = k % 4 ? nsd_sliding_roots(&block, c, answers, NULL) : 0;
    for (int i = 0; i < count; i++) {
      hash_doubles(h, 3, answers[i].Lambda);
    }
  }
}

void golden_contact(hash *h)
{
  hash_in_space(h);
  nsdyn_contact *solver;
  if (nsdyn_contact_new(NULL, NULL, &solver, NULL)) {
    return;
  }
  stream from = stream_begin(11);
  for (int k = 0; k < 300; k++) {
    static task t;
    fill(&from, &t, k);
    hash_doubles(h, (size_t)t.rows * (size_t)t.rows, t.G);
    for (int method = 0; method < METHODS; method++) {
      nsdyn_contact_options options;
      nsdyn_contact_options_init(&options, sizeof options);
      options.method = method;
      for (options.warm_start = 0; options.warm_start < 2; options.warm_start++) {
        nsdyn_contact_set_options(solver, &options);
        hash_solve(h, solver, &t);
      }
      for (int i = 0; i < t.rows; i++) {
        t.c[i] *= 1.0 + 0x1p-20 * (i + 1);
      }
    }
    hash_census(h, solver, &t);
  }
  nsdyn_contact_free(solver);
}
