/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Who moves whom: the elements of G that are not zero, by contacts.
 *
 * Bodies that touch few others make a G of mostly zeros. A cell is a contact or a bilateral row; its entries
 * are the columns in which one of its rows is not zero. Where they are many, the rows of G itself serve. */
#ifndef NSD_CONTACT_MANY_COUPLING_H
#define NSD_CONTACT_MANY_COUPLING_H

#include "base/arena.h"
#include "base/poll.h"
#include "contact/problem.h"

typedef struct nsd_coupling {
  const nsd_contact_data *d;
  int cells;        /* contacts, then bilateral rows */
  int is_dense;     /* there are no entries: rows of G serve */
  size_t room;      /* entries that there is memory for */
  size_t *from;     /* cells + 1: a cell's first entry */
  int *column;      /* of an entry */
  double *value;    /* 2 per entry: in the cell's first and second row */
  int *cell_of;     /* rows */
  double *diagonal; /* rows: G_ii, side by side; in G they lie a row's length apart */
  int *order;       /* cells: such that neighbours stand close together */
  int *rank;        /* cells: its inverse, and scratch of the search */
} nsd_coupling;

void nsd_coupling_lay_out(nsd_arena *arena, nsd_coupling *k, int cells, int rows);

/* Reads G and orders the cells. d has to outlive it. NSDYN_CANCELLED where the poll says
 * so. */
nsdyn_status nsd_coupling_read(nsd_coupling *k, const nsd_contact_data *d, nsd_poll *poll);

static inline int nsd_coupling_row(const nsd_coupling *k, int cell)
{
  return cell < k->d->contacts ? k->d->spec[cell].row : nsd_contact_own_rows(k->d) + cell - k->d->contacts;
}

static inline int nsd_coupling_rows_of(const nsd_coupling *k, int cell)
{
  return cell < k->d->contacts && k->d->spec[cell].friction != NSD_FRICTION_NONE ? 2 : 1;
}

/* G x in a cell's rows (one or two). */
void nsd_coupling_product(const nsd_coupling *k, int cell, const double *x, double *y);

/* ξ there. */
void nsd_coupling_velocity(const nsd_coupling *k, int cell, const double *Lambda, double *xi);

/* By how much Λ (rows) and its ξ (of the contact's rows alone) miss a contact's laws; r receives what turns
 * an impulse into a velocity there. */
typedef struct nsd_contact_miss {
  double normal, tangential;
} nsd_contact_miss;

nsd_contact_miss nsd_coupling_miss(const nsd_coupling *k, int contact, const double *Lambda, const double *xi,
                                   double *r);

/* How Λ misses the laws, by the measure of contact/certificate.h, from the entries alone. xi (rows) is
 * filled.
 */
double nsd_coupling_judge(const nsd_coupling *k, const double *Lambda, double *xi, double *scale);

#endif
