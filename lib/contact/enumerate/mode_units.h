/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* What contact modes ask of Λ: signs of affine functionals f_k(Λ) = a_k Λ + d_k.
 *
 * Each ξ_i is such a functional. A unilateral contact with Coulomb friction adds R = μ Λ_N + Λ_T and
 * L = μ Λ_N − Λ_T, and its four modes are
 *
 *   open    R = 0, L = 0             (ξ_N >= 0)
 *   stick   ξ_N = 0, ξ_T = 0         (R, L >= 0)
 *   slip+   ξ_N = 0, R = 0, ξ_T >= 0 (L >= 0)
 *   slip−   ξ_N = 0, L = 0, ξ_T <= 0 (R >= 0)
 *
 * What stands in brackets holds in all of them and is asked from the start. The other laws are of the same
 * kind. A choice among alternatives is a unit: one per contact, two where the friction bound is given (open
 * or closed, stick or slip), none where nothing is left to choose. One alternative of each unit makes a cell:
 * a polyhedron of Λ, all of it solutions.
 *
 * Units of numbers. ξ_i = 2^(E − e_i) ξ'_i and Λ_j = 2^(f_j + E) Λ'_j, so that the largest element of each
 * row of G' is of order 1, and the largest of c' and the bounds is, too. f = e, but that Λ'_T is no smaller
 * than Λ'_N where they slip together: μ may be tiny. Powers of two: nothing is rounded. */
#ifndef NSD_CONTACT_ENUMERATE_SIGNS_H
#define NSD_CONTACT_ENUMERATE_SIGNS_H

#include "base/poll.h"
#include "contact/problem.h"
#include "search/unit.h"

/* The functionals of a contact beside its ξ; −1 where it has none of the kind. */
typedef struct nsd_contact_signs {
  int32_t load;   /* Λ_N, whose sign is a functional of its own */
  int32_t right;  /* μ Λ_N + Λ_T, or bound + Λ_T */
  int32_t left;   /* μ Λ_N − Λ_T, or bound − Λ_T */
  int32_t drag;   /* zero gives Λ_T: a number, or s μ Λ_N + Λ_T where it slides */
  int32_t pull;   /* −s μ Λ_N + Λ_T, of one that slides in its slot */
  int32_t slides; /* drag gives Λ_T by Λ_N */
} nsd_contact_signs;

typedef struct nsd_signs {
  const nsd_contact_data *problem;
  nsd_poll *poll;             /* may be NULL */
  int rows;                   /* of Λ */
  int count;                  /* functionals: ξ_0 …, then those of the contacts */
  int units;                  /* choices */
  int rounded;                /* a number left the range when units were changed */
  int shift;                  /* E */
  int *row_unit;              /* rows: e_i */
  int *column_unit;           /* rows: f_j */
  double *a;                  /* count × rows */
  double *d;                  /* count */
  int8_t *base;               /* rows + count: what is asked of Λ (nothing) and f from the start */
  uint8_t *tells;             /* rows + count: its sign tells modes apart */
  nsd_forms forms;            /* all of that, as the search reads it */
  nsd_unit *unit;             /* units: parts are unknowns as the search counts them, rows + k for f_k */
  nsd_contact_signs *contact; /* contacts */
} nsd_signs;

/* How many functionals and units a problem has. */
void nsd_signs_count(const nsd_contact_data *p, int *functionals, int *units);

void nsd_signs_lay_out(nsd_arena *arena, nsd_signs *signs, const nsd_contact_data *p);

/* Fills in what nsd_signs_lay_out() for this problem made room for; p must live on. NSDYN_ERR_NOT_FINITE
 * where numbers in these units leave the range; NSDYN_CANCELLED. */
nsdyn_status nsd_signs_load(nsd_signs *signs, const nsd_contact_data *p, nsd_poll *poll);

/* f_k at Λ' without its constant; size (may be NULL) is Σ |a_kj Λ'_j|. */
double nsd_signs_slope(const nsd_signs *signs, int k, const double *Lambda, double *size);

/* Λ in the problem's units, in place. */
void nsd_signs_to_units(const nsd_signs *signs, double *Lambda);

#endif
