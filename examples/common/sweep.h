/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* A sweep: one number among a driver's options varies, the driver measures. Prints `NAME=VALUE MEASURED unit`
 * lines, or `NAME=VALUE none`, writes them as CSV and draws them.
 *
 *   const sweep s = {.name = "mu", .from = 0.2, .to = 0.4, .points = 11, .title = "Period of the limit
 * cycle", .columns = "value,period,drop,multiplier", .quantity = "period", .unit = "s"}; return
 * sweep_run(&out, &s, table, 16, measure, &all_that_measure_reads); */
#ifndef EXAMPLES_COMMON_SWEEP_H
#define EXAMPLES_COMMON_SWEEP_H

#include "options.h"

typedef struct sweep {
  const char *name; /* of an option with a number */
  double from, to;
  int points;
  const char *title;           /* of the picture */
  const char *columns;         /* of the CSV file: the value and what is measured */
  const char *quantity, *unit; /* of the first that is measured */
} sweep;

enum { SWEEP_MEASURED = 3 };

/* Of the first `count` rows of the table the one called s->name varies. `measure` fills in what the columns
 * say, NAN for none, and returns 0 or an exit status. Returns an exit status. */
int sweep_run(const output *out, const sweep *s, const option *table, int count,
              int (*measure)(void *user, double measured[SWEEP_MEASURED]), void *user);

#endif
