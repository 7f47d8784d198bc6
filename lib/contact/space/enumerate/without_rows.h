/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* A problem without its bilateral rows: ξ = G' Λ + c' of the contacts alone, G' = G − G_CB G_BB⁻¹ G_BC.
 *
 * Rows that depend on others, but for rounding, go out without an impulse. */
#ifndef NSD_CONTACT_SPACE_ENUMERATE_WITHOUT_ROWS_H
#define NSD_CONTACT_SPACE_ENUMERATE_WITHOUT_ROWS_H

#include "base/arena.h"
#include "base/poll.h"
#include "contact/problem.h"

typedef struct nsd_without_rows {
  int own, rows; /* of contacts; all */
  int is_unsure; /* whether rows depend on each other is not clear */
  double *M;     /* rows × (rows + 1): (G | c), the bilateral rows solved for their impulses */
  int *is_pivot; /* rows */
} nsd_without_rows;

void nsd_without_rows_lay_out(nsd_arena *arena, nsd_without_rows *w, const nsd_contact_data *d);

/* Returns 0 where dependent rows contradict each other, contacts move them, or the poll says stop. */
int nsd_without_rows_make(nsd_without_rows *w, const nsd_contact_data *d, nsd_poll *poll);

/* Λ (rows): contacts' are given, bilateral ones follow. */
void nsd_without_rows_complete(const nsd_without_rows *w, double *Lambda);

static inline const double *nsd_without_rows_row(const nsd_without_rows *w, int i)
{
  return w->M + (size_t)i * ((size_t)w->rows + 1);
}

#endif
