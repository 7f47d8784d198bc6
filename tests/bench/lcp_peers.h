/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Codes of others for complementarity problems, all seen alike:
 *
 *   y = A x + b,   lo <= x <= hi,   y_i >= 0 at lo, y_i <= 0 at hi, y_i = 0 in between.
 *
 * A peer brings all problems into its own form before the clock starts: sign of b, columns or rows, padding.
 * What its solve destroys of that form it copies from there while the clock runs, as its users must. */
#ifndef TESTS_BENCH_LCP_PEERS_H
#define TESTS_BENCH_LCP_PEERS_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* `count` problems of n unknowns, one after the other. */
typedef struct lcp_set {
  int n, count;
  double *A;       /* n × n each, by rows */
  double *b;       /* n each */
  double *lo, *hi; /* n each; both NULL: zero and infinite */
} lcp_set;

static inline const double *lcp_set_A(const lcp_set *set, int k)
{
  return set->A + (size_t)k * (size_t)set->n * (size_t)set->n;
}

static inline const double *lcp_set_vector(const lcp_set *set, const double *all, int k)
{
  return all ? all + (size_t)k * (size_t)set->n : NULL;
}

typedef struct lcp_peer {
  const char *name;
  int takes_bounds;                            /* lo <= 0 <= hi */
  void *(*open)(const lcp_set *set);           /* NULL where this peer cannot be had */
  void (*solve)(void *peer, int k, double *x); /* problem k */
  void (*close)(void *peer);
  int is_slow; /* where it does not find the way, it copies its tableau a thousand times */
} lcp_peer;

/* Those that meson found on this machine; NULL after the last. */
extern const lcp_peer *const lcp_peers[];

extern const lcp_peer lcp_siconos_driver, lcp_siconos_lemke, lcp_bullet_dantzig, lcp_bullet_lemke,
    lcp_ode_dantzig;

#ifdef __cplusplus
}
#endif

#endif
