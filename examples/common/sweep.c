/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "sweep.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plot.h"

static void draw(const output *out, const sweep *s, const double *x, const double *y)
{
  plot_figure *figure = plot_new(1, 1);
  const plot_axes axes = {
      .title = s->title, .x = {.name = s->name}, .y = {.name = s->quantity, .unit = s->unit}};
  const plot_curve curve = {.count = s->points, .x = x, .y = y, .marker = PLOT_DISK};
  plot_set_description(figure, s->title);
  plot_set_axes(figure, 0, 0, &axes);
  plot_add(figure, 0, 0, &curve);
  plot_write(figure, out->svg);
  plot_free(figure);
}

/* The row that varies; NULL after a line on why there is none, or what a sweep cannot write. */
static const option *find(const output *out, const sweep *s, const option *table, int count)
{
  const option *o = table;
  if (out->html) {
    complain(out, STATUS_BAD_OPTION, "--html: a page shows one run, --sweep makes many");
    return NULL;
  }
  while (o < table + count && (!o->number || strcmp(o->name, s->name) != 0)) {
    o++;
  }
  if (o == table + count) {
    complain(out, STATUS_BAD_OPTION, "--sweep: %s is no parameter", s->name);
    return NULL;
  }
  for (int k = 0; k < 2; k++) {
    const double end = k ? s->to : s->from;
    if (end < o->low || end > o->high || (o->open && end <= o->low)) {
      complain(out, STATUS_BAD_OPTION, "--%s: %g is out of the range of --%s", k ? "to" : "from", end,
               s->name);
      return NULL;
    }
  }
  return o;
}

static void print(const output *out, const sweep *s, double value, double measured)
{
  char name[64], number[NUMBER_LENGTH];
  (void)snprintf(name, sizeof name, "%s=%s", s->name, number_text(value, number));
  if (isnan(measured)) {
    result_text(out, name, "none");
  } else {
    result(out, name, measured, s->unit);
  }
}

int sweep_run(const output *out, const sweep *s, const option *table, int count,
              int (*measure)(void *user, double measured[SWEEP_MEASURED]), void *user)
{
  const option *o = find(out, s, table, count);
  if (!o) {
    return STATUS_BAD_OPTION;
  }
  double *x = memory(NULL, 2 * (size_t)s->points, sizeof *x), *y = x + s->points;
  int status = 0;
  csv_columns(out, s->columns);
  for (int i = 0; status == 0 && i < s->points; i++) {
    const double value =
        s->points > 1 ? (s->from * (s->points - 1 - i) + s->to * i) / (s->points - 1) : s->from;
    double row[1 + SWEEP_MEASURED] = {value, NAN, NAN, NAN};
    *o->number = value;
    status = measure(user, row + 1);
    if (status == 0) {
      x[i] = value;
      y[i] = row[1];
      print(out, s, value, row[1]);
      csv_row(out, 1 + SWEEP_MEASURED, row);
    }
  }
  if (status == 0 && out->svg) {
    draw(out, s, x, y);
  }
  free(x);
  return status;
}
