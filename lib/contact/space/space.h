/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Contacts in space, alone or beside planar ones and bilateral rows: memory (workspace.c), which method when
 * (automatic.c), and what a solution is handed out with (modes.c). The methods are in solve/. All that is
 * found is judged by contact/certificate.h, and the best is kept in the solver. */
#ifndef NSD_CONTACT_SPACE_SPACE_H
#define NSD_CONTACT_SPACE_SPACE_H

#include "contact/space/free_form.h"
#include "contact/space/solve/body_proximal.h"
#include "contact/space/solve/newton.h"
#include "contact/space/solve/rounds.h"
#include "contact/space/solve/todorov_equations.h"

typedef struct nsd_space {
  nsd_operator own; /* G of a problem that has it as a matrix, or of the caller's operator, … */
  nsd_arena terms_room;
  nsd_contact_terms terms; /* … whose rows have their terms here */
  nsd_arena room;          /* laid out for: */
  int contacts, cells, rows, columns;
  int *rows_of;                   /* cells */
  double *best, *xi, *trial, *at; /* rows */
  double *last;                   /* rows: the last solution, or where to begin */
  int last_rows;                  /* 0: there is none */
  double offered;                 /* what the last candidate missed, a share of its scale */
  nsd_space_rounds rounds;
  nsd_arena newton_room; /* laid out for so many cells, rows and columns; */
  int newton_cells, newton_rows, newton_columns;
  nsd_space_newton newton; /* which has read G where `knows_G` */
  int knows_G;
  nsd_arena todorov_room; /* likewise; */
  int todorov_cells, todorov_rows, todorov_columns;
  nsd_todorov todorov;
  nsd_free_form free_form; /* of a large G that is a matrix, where its rows are redundant */
  nsd_proximal proximal;   /* of an operator in the free form */
} nsd_space;

struct nsdyn_contact;

nsd_space nsd_space_empty(nsdyn_context *ctx);
void nsd_space_release(nsd_space *w);

/* Room for a problem, and its operator, if it has none. What s has found so far begins anew in it. */
nsdyn_status nsd_space_reserve(struct nsdyn_contact *s, const nsd_contact_data *d);

/* The same for the methods that not every problem needs: Newton's, and those on Todorov's map. */
nsdyn_status nsd_space_reserve_newton(nsd_space *w);
nsdyn_status nsd_space_reserve_todorov(nsd_space *w);

/* G, as the caller's operator or as what was read of the matrix. */
static inline const nsd_operator *nsd_space_operator(const nsd_space *w, const nsd_contact_data *d)
{
  return d->W ? d->W : &w->own;
}

/* Improves on s->best by the method of the options. NSDYN_OK where that has become a solution;
 * NSDYN_NO_SOLUTION where it is proved that there is none; NSDYN_MAX_ITERATIONS, NSDYN_CANCELLED,
 * NSDYN_ERR_…. */
nsdyn_status nsd_space_solve(struct nsdyn_contact *s, const nsd_contact_data *d);

/* Of a solution: modes, which `speed` tells apart, and directions of slips; Λ is where the next solve begins;
 * ξ (rows; NULL: not wanted) is best_xi, zero where a law holds it there. */
void nsd_space_hand_out(struct nsdyn_contact *s, const nsd_contact_data *d, const double *Lambda,
                        const double *best_xi, double speed, double *xi);

/* The mode of one contact, planar or in space, and the unit vector along ξ_T where it slides, else 0. press:
 * G_NN Λ_N; a velocity below tau is none. */
int32_t nsd_space_mode_of(const nsd_contact_spec *s, double press, const double *xi_T, double tau,
                          double *slip);

/* Λ (rows) is where the next solve of so many rows begins. */
void nsd_space_start(nsd_space *w, const double *Lambda, int rows);

#endif
