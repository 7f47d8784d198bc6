/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The contact problem that a run failed at, as text, for other solvers and for people. */
#include <string.h>

#include "contact/planar/glocker.h"
#include "event/internal.h"
#include "nsdyn/lcp.h"

static void lay_out(nsd_arena *arena, nsd_failed *f, size_t contacts, size_t rows)
{
  f->spec = nsd_arena_take(arena, contacts, sizeof *f->spec);
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
  if (!d || !d->failed.is_there) {
    return 0;
  }
  const nsd_contact_data *data = &d->failed.data;
  const int unknowns = nsd_glocker_size(data);
  const size_t n = (size_t)unknowns;
  nsd_arena measure = nsd_arena_measure();
  (void)nsd_arena_take(&measure, n, (n + 3) * sizeof(double));
  if (nsd_arena_reserve(&d->export_arena, &measure)) {
    return 0;
  }
  double *A = nsd_arena_take(&d->export_arena, n, (n + 3) * sizeof *A);
  double *b = A + n * n, *lo = b + n, *hi = lo + n;
  nsd_glocker_assemble(data, A, unknowns, b, lo, hi);
  const int is_plain = nsd_glocker_is_plain(data);
  return nsdyn_lcp_write_text(unknowns, A, unknowns, b, is_plain ? NULL : lo, is_plain ? NULL : hi, text,
                              size);
}
