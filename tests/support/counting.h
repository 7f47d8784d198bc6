/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Enumerations and proofs counted against the exact judge (exact_cells.h), class by class. Public headers
 * only. */
#ifndef TESTS_SUPPORT_COUNTING_H
#define TESTS_SUPPORT_COUNTING_H

#include <stdint.h>

typedef struct counting {
  int cases;
  int solvable;       /* of them, by the judge */
  int listed;         /* complete lists */
  int no_solution;    /* proofs by the enumeration */
  int undecided;      /* neither */
  int false_lists;    /* complete, and not what the judge has */
  int false_proofs;   /* no solution, where the judge has one; of the enumeration and of the solver */
  int unsolved;       /* solvable, and the solver has no answer */
  int unproved;       /* not solvable, and the solver has no proof */
  uint64_t first_bad; /* seed of the first false list or proof */
  double seconds;     /* of the enumerations */
} counting;

int counting_lcp_classes(void);
const char *counting_lcp_name(int index);

/* One problem of the class into the counts. */
void counting_lcp(int index, uint64_t seed, counting *sum);

int counting_contact_classes(void);
const char *counting_contact_name(int index);
void counting_contact(int index, uint64_t seed, counting *sum);

/* Heading where `sum` is NULL. */
void counting_print(const char *name, const counting *sum);

#endif
