/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <string.h>

#include "contact/object.h"

nsd_space nsd_space_empty(nsdyn_context *ctx)
{
  nsd_space w = {.terms_room = nsd_arena_empty(ctx),
                 .room = nsd_arena_empty(ctx),
                 .rows = -1,
                 .newton_room = nsd_arena_empty(ctx),
                 .newton_rows = -1,
                 .todorov_room = nsd_arena_empty(ctx),
                 .todorov_rows = -1,
                 .free_form = nsd_free_form_empty(ctx),
                 .proximal = nsd_proximal_empty(ctx)};
  nsd_operator_init(&w.own, ctx);
  return w;
}

void nsd_space_release(nsd_space *w)
{
  nsd_operator_release(&w->own);
  nsd_arena_release(&w->terms_room);
  nsd_arena_release(&w->room);
  nsd_arena_release(&w->newton_room);
  nsd_arena_release(&w->todorov_room);
  nsd_free_form_release(&w->free_form);
  nsd_proximal_release(&w->proximal);
}

static void lay_out(nsd_arena *arena, nsd_space *w, int contacts, int cells, int rows, int columns)
{
  const size_t n = (size_t)rows;
  double **const vectors[] = {&w->best, &w->xi, &w->trial, &w->at, &w->last};
  for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++) {
    *vectors[k] = nsd_arena_take(arena, n, sizeof(double));
  }
  nsd_space_rounds_lay_out(arena, &w->rounds, contacts, cells, rows, columns);
}

nsdyn_status nsd_space_reserve(nsdyn_contact *s, const nsd_contact_data *d)
{
  nsd_space *w = &s->in_space;
  const int cells = d->contacts + d->bilateral, columns = d->W ? d->W->columns : d->rows;
  nsdyn_status status = NSDYN_OK;
  if (d->contacts != w->contacts || cells != w->cells || d->rows != w->rows || columns != w->columns) {
    nsd_space counted;
    nsd_arena measure = nsd_arena_measure();
    lay_out(&measure, &counted, d->contacts, cells, d->rows, columns);
    (void)nsd_arena_take(&measure, (size_t)cells, sizeof *w->rows_of);
    w->rows = -1;
    w->last_rows = 0;
    status = nsd_arena_reserve(&w->room, &measure);
    if (status) {
      return status;
    }
    lay_out(&w->room, w, d->contacts, cells, d->rows, columns);
    w->rows_of = nsd_arena_take(&w->room, (size_t)cells, sizeof *w->rows_of);
    w->contacts = d->contacts;
    w->cells = cells;
    w->rows = d->rows;
    w->columns = columns;
  }
  /* The best so far is kept where contacts in space have room for it; the planar scratch begins anew. */
  s->scratch_contacts = s->scratch_rows = -1;
  s->best.Lambda = w->best;
  s->best.xi = w->xi;
  w->knows_G = 0;
  return status;
}

nsdyn_status nsd_space_reserve_newton(nsd_space *w)
{
  if (w->newton_cells == w->cells && w->newton_rows == w->rows && w->newton_columns == w->columns) {
    return NSDYN_OK;
  }
  nsd_space_newton counted;
  nsd_arena measure = nsd_arena_measure();
  nsd_space_newton_lay_out(&measure, &counted, w->cells, w->rows, w->columns);
  w->newton_rows = -1;
  const nsdyn_status status = nsd_arena_reserve(&w->newton_room, &measure);
  if (status == NSDYN_OK) {
    nsd_space_newton_lay_out(&w->newton_room, &w->newton, w->cells, w->rows, w->columns);
    w->newton_cells = w->cells;
    w->newton_rows = w->rows;
    w->newton_columns = w->columns;
  }
  return status;
}

nsdyn_status nsd_space_reserve_todorov(nsd_space *w)
{
  if (w->todorov_cells == w->cells && w->todorov_rows == w->rows && w->todorov_columns == w->columns) {
    return NSDYN_OK;
  }
  nsd_todorov counted;
  nsd_arena measure = nsd_arena_measure();
  nsd_todorov_lay_out(&measure, &counted, w->cells, w->rows, w->columns);
  w->todorov_rows = -1;
  const nsdyn_status status = nsd_arena_reserve(&w->todorov_room, &measure);
  if (status == NSDYN_OK) {
    nsd_todorov_lay_out(&w->todorov_room, &w->todorov, w->cells, w->rows, w->columns);
    w->todorov_cells = w->cells;
    w->todorov_rows = w->rows;
    w->todorov_columns = w->columns;
  }
  return status;
}

void nsd_space_start(nsd_space *w, const double *Lambda, int rows)
{
  if (rows == w->rows) {
    memcpy(w->last, Lambda, (size_t)rows * sizeof *Lambda);
    w->last_rows = rows;
  }
}
