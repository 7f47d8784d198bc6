/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The figure of the manual: time against n, all methods and peers. */
#ifndef TESTS_BENCH_LCP_FIGURE_H
#define TESTS_BENCH_LCP_FIGURE_H

#include "bench.h"

typedef struct lcp_figure_panel {
  const char *title;
  const char *work; /* of the races shown */
  const int *sizes;
  int size_count;
  int (*problems)(int n); /* of a race */
} lcp_figure_panel;

/* Draws one panel per kind of work, a curve per contender through the sizes at which it solves more than half
 * of the problems: a code that fails fast is not fast. Returns 0 where the file could not be written. */
int lcp_figure_write(const bench *b, const char *path, const lcp_figure_panel *panels, int panel_count,
                     const char *const *contenders, int contender_count);

#endif
