/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The contact problem that a run failed at, as text, for other solvers and for people. */
#include <string.h>

#include "contact/text.h"
#include "event/internal.h"

static void lay_out(nsd_arena *arena, nsd_failed *f, size_t contacts, size_t rows)
{
  f->spec = nsd_arena_take(arena, contacts, sizeof *f->spec);
  f->space = nsd_arena_take(arena, contacts, sizeof *f->space);
  f->G = nsd_arena_take(arena, rows, rows * sizeof *f->G);
  f->c = nsd_arena_take(arena, rows, sizeof *f->c);
}

void nsd_driver_keep_problem(nsd_failed *f, const nsd_contact_data *data)
{
  nsd_failed counted = *f;
  const size_t contacts = (size_t)data->contacts, rows = (size_t)data->rows;
  nsd_arena measure = nsd_arena_measure();
  f->is_there = 0;
  lay_out(&measure, &counted, contacts, rows);
  if (rows == 0 || nsd_arena_reserve(&f->arena, &measure)) {
    return;
  }
  lay_out(&f->arena, f, contacts, rows);
  memcpy(f->spec, data->spec, contacts * sizeof *f->spec);
  for (size_t i = 0; i < contacts; i++) {
    if (f->spec[i].space) {
      f->space[i] = *f->spec[i].space;
      f->spec[i].space = &f->space[i];
    }
  }
  memcpy(f->c, data->c, rows * sizeof *f->c);
  for (size_t i = 0; i < rows; i++) {
    memcpy(f->G + i * rows, nsd_contact_row(data, (int)i), rows * sizeof *f->G);
  }
  f->data = *data;
  f->data.spec = f->spec;
  f->data.G = f->G;
  f->data.c = f->c;
  f->data.ldg = data->rows;
  f->is_there = 1;
}

size_t nsdyn_event_driver_write_problem(nsdyn_event_driver *d, char *text, size_t size)
{
  return d && d->failed.is_there ? nsd_contact_write_data(&d->failed.data, &d->export_arena, text, size) : 0;
}
