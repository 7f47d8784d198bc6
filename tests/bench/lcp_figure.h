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
} lcp_figure_panel;

/* Draws one panel per kind of work, a curve per contender that was measured. Returns 0 where the file could
 * not be written. */
int lcp_figure_write(const bench *b, const char *path, const lcp_figure_panel *panels, int panel_count,
                     const char *const *contenders, int contender_count);

#endif
