/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Any numbers as a contact problem: bytes become counts, laws, G and c. */
#ifndef TESTS_FUZZ_CONTACT_TASK_H
#define TESTS_FUZZ_CONTACT_TASK_H

#include <math.h>

#include "nsdyn/contact.h"
#include "target.h"

enum { CONTACTS = 3, BILATERAL = 1, ROWS = 2 * CONTACTS + BILATERAL, NU = 5 };

typedef struct task {
  nsdyn_contact_problem problem;
  nsdyn_contact_law laws[CONTACTS];
  double slip[CONTACTS]; /* one per tangential row */
  int rows;
  double G[ROWS * ROWS], c[ROWS];
} task;

/* A number as physics has them, a hard one, or any bits at all. */
static inline double read_number(reader *from, int kind)
{
  static const double hard[] = {0.0, 1.0, -1.0, 1e-9, 1e-160, 1e160, -1e160, 1e-308, 0.5, 3.0};
  switch (kind) {
  case 0:
    return (read_below(from, 201) - 100) / 50.0;
  case 1:
    return hard[read_below(from, (int)(sizeof hard / sizeof *hard))];
  default:
    return read_double(from);
  }
}

static inline void read_laws(reader *from, task *t, int kind)
{
  int tangential = 0;
  for (int i = 0; i < t->problem.contacts; i++) {
    nsdyn_contact_law *law = &t->laws[i];
    REQUIRE(nsdyn_contact_law_init(law, sizeof *law) == NSDYN_OK);
    law->kind = read_below(from, 4) == 0;
    law->friction = read_below(from, 5);
    law->mu = fabs(read_number(from, kind));
    law->bound = fabs(read_number(from, kind));
    law->mu_static = law->mu;
    const int slip = read_below(from, 7) == 0 ? 1 - 2 * read_below(from, 2) : 0;
    if (law->friction != NSDYN_FRICTION_NONE) {
      t->slip[tangential++] = slip;
    }
  }
}

/* G = W Wᵀ, redundant as it comes; or a symmetric matrix of any numbers. */
static inline void read_matrix(reader *from, task *t, int kind)
{
  double W[ROWS][NU];
  const int is_gram = read_below(from, 4) > 0;
  for (int i = 0; i < t->rows; i++) {
    for (int q = 0; q < NU; q++) {
      W[i][q] = read_number(from, kind);
    }
    t->c[i] = read_number(from, kind);
  }
  for (int i = 0; i < t->rows; i++) {
    for (int j = 0; j <= i; j++) {
      double sum = is_gram ? 0.0 : read_number(from, kind);
      for (int q = 0; is_gram && q < NU; q++) {
        sum += W[i][q] * W[j][q];
      }
      t->G[i * ROWS + j] = t->G[j * ROWS + i] = sum;
    }
  }
}

static inline void read_task(reader *from, task *t)
{
  const int kind = read_below(from, 3);
  REQUIRE(nsdyn_contact_problem_init(&t->problem, sizeof t->problem) == NSDYN_OK);
  t->problem.contacts = read_below(from, CONTACTS + 1);
  t->problem.bilateral = read_below(from, BILATERAL + 1);
  t->problem.laws = t->laws;
  t->problem.G = t->G;
  t->problem.ldg = ROWS;
  t->problem.c = t->c;
  t->problem.slip = t->slip;
  t->problem.dt = read_below(from, 2);
  read_laws(from, t, kind);
  t->rows = nsdyn_contact_rows(&t->problem);
  REQUIRE(t->rows >= 0 && t->rows <= ROWS);
  read_matrix(from, t, kind);
}

#endif
