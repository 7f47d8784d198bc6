/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* All solutions of two contacts in space under every law, definite, singular and indefinite, with bilateral
 * rows. */
#include "hash.h"
#include "nsdyn/contact.h"

enum { CONTACTS = 2, MOST = 8 };

typedef struct task {
  nsdyn_contact_law law[CONTACTS];
  double G[MOST * MOST], c[MOST];
  nsdyn_contact_problem problem;
} task;

static int hash_piece(void *user, const nsdyn_contact_piece *piece)
{
  hash *h = user;
  const size_t rows = (size_t)piece->rows;
  hash_int(h, piece->dimension);
  hash_doubles(h, (size_t)piece->vertices * rows, piece->Lambda);
  hash_doubles(h, (size_t)piece->vertices * rows, piece->xi);
  hash_doubles(h, (size_t)piece->rays * rows, piece->ray);
  hash_bytes(h, piece->modes, (size_t)piece->contacts * sizeof *piece->modes);
  return 0;
}

/* G = W Wᵀ of `columns` columns, with elements beside the diagonal larger by `more`. */
static void fill(stream *from, task *t, int bilateral, int columns, double more)
{
  double W[MOST][MOST], load[MOST];
  const int rows = 3 * CONTACTS + bilateral;
  for (int i = 0; i < CONTACTS; i++) {
    nsdyn_contact_law *law = &t->law[i];
    nsdyn_contact_law_init(law, sizeof *law);
    law->tangents = 2;
    law->kind = stream_below(from, 5) ? NSDYN_CONTACT_UNILATERAL : NSDYN_CONTACT_BILATERAL;
    law->friction = stream_below(from, 5) ? NSDYN_FRICTION_COULOMB : NSDYN_FRICTION_BOUND;
    law->shape = stream_below(from, 4) ? NSDYN_FRICTION_ELLIPSE : NSDYN_FRICTION_POLYGON;
    law->sides = 6;
    law->mu = 1.5 * (1.0 + stream_number(from));
    law->bound = 0.25 * (1.0 + stream_number(from));
    law->aspect = stream_below(from, 3) ? 1.0 : 1.5;
  }
  stream_fill(from, (size_t)columns, load);
  for (int i = 0; i < rows; i++) {
    stream_fill(from, (size_t)columns, W[i]);
    t->c[i] = 0.0;
    for (int k = 0; k < columns; k++) {
      t->c[i] += W[i][k] * load[k];
    }
    for (int j = 0; j <= i; j++) {
      double sum = 0.0;
      for (int k = 0; k < columns; k++) {
        sum += W[i][k] * W[j][k];
      }
      t->G[i * rows + j] = t->G[j * rows + i] = i == j ? sum : more * sum;
    }
  }
  nsdyn_contact_problem_init(&t->problem, sizeof t->problem);
  t->problem.contacts = CONTACTS;
  t->problem.bilateral = bilateral;
  t->problem.laws = t->law;
  t->problem.G = t->G;
  t->problem.ldg = rows;
  t->problem.c = t->c;
  t->problem.dt = 1.0;
}

void golden_two_contacts(hash *h)
{
  nsdyn_contact *solver;
  if (nsdyn_contact_new(NULL, NULL, &solver, NULL)) {
    return;
  }
  stream from = stream_begin(57);
  for (int k = 0; k < 400; k++) {
    static task t;
    const int bilateral = k % 4 == 3 ? 2 : 0;
    fill(&from, &t, bilateral, k % 4 == 1 ? 5 : 6 + bilateral, k % 4 == 2 ? 1.5 : 1.0);
    nsdyn_contact_census census;
    nsdyn_contact_census_init(&census, sizeof census);
    hash_int(h, nsdyn_contact_enumerate(solver, &t.problem, hash_piece, h, &census));
    hash_int(h, census.nodes);
    hash_int(h, census.motions);
    hash_int(h, census.doubtful);
    hash_int(h, census.complete);
  }
  nsdyn_contact_free(solver);
}
