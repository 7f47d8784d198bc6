/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Sets of problems of one size for bench_lcp. */
#ifndef TESTS_BENCH_LCP_SETS_H
#define TESTS_BENCH_LCP_SETS_H

#include "lcp_peers.h"
#include "support/problems.h"

typedef enum lcp_set_order {
  LCP_SHUFFLED, /* from several sequences, far apart in time: what a cold start meets */
  LCP_IN_TIME   /* one sequence, step after step: what a warm start meets */
} lcp_set_order;

/* Each ends the program where memory is out; lcp_set_free() frees. */
lcp_set lcp_set_of_sequence(sequence_kind kind, int n, int count, lcp_set_order order);

/* A class of support/problems.h, seeds 0 … count − 1. */
lcp_set lcp_set_of_class(int index, int n, int count);

/* A = G Gᵀ/n + 0.1 I, b normal; with bounds |x_i| <= a_i, a_i uniform in (0, 1), about half of them reached.
 */
lcp_set lcp_set_definite(int n, int count, int bounded);

void lcp_set_free(lcp_set *set);

#endif
