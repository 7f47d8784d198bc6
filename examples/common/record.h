/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The rows a run leaves, column by column: for the CSV file and for curves.
 *
 *   record r = record_new("t,y,v");
 *   record_add(&r, (double[]){t, q[0], u[0]});
 *   record_write(&r, &out);
 *   plot_add(figure, 0, 0, &(plot_curve){.count = r.rows, .x = r.column[0], .y = r.column[1]});
 *   record_free(&r); */
#ifndef EXAMPLES_COMMON_RECORD_H
#define EXAMPLES_COMMON_RECORD_H

#include "options.h"

#define RECORD_COLUMNS 24

typedef struct record {
  const char *names; /* of the columns, between commas; the caller's */
  int columns, rows, room;
  double *column[RECORD_COLUMNS];
} record;

/* An empty record; `names` has at most RECORD_COLUMNS of them. */
record record_new(const char *names);

/* One number per column, copied. */
void record_add(record *r, const double *row);

/* The CSV file, where asked for. */
void record_write(const record *r, const output *out);

void record_free(record *r);

#endif
