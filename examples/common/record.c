/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "record.h"

#include <stdlib.h>

record record_new(const char *names)
{
  record r = {.names = names, .columns = 1};
  for (const char *c = names; *c; c++) {
    r.columns += *c == ',';
  }
  return r;
}

void record_add(record *r, const double *row)
{
  if (r->rows == r->room) {
    r->room = r->room ? 2 * r->room : 1024;
    for (int k = 0; k < r->columns; k++) {
      r->column[k] = memory(r->column[k], (size_t)r->room, sizeof *r->column[k]);
    }
  }
  for (int k = 0; k < r->columns; k++) {
    r->column[k][r->rows] = row[k];
  }
  r->rows++;
}

void record_write(const record *r, const output *out)
{
  csv_columns(out, r->names);
  for (int i = 0; i < r->rows; i++) {
    double row[RECORD_COLUMNS];
    for (int k = 0; k < r->columns; k++) {
      row[k] = r->column[k][i];
    }
    csv_row(out, r->columns, row);
  }
}

void record_free(record *r)
{
  for (int k = 0; k < r->columns; k++) {
    free(r->column[k]);
  }
  *r = (record){.names = r->names, .columns = r->columns};
}
