/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* What floating-point numbers can say for sure about a tableau.
 *
 * Functionals f_i = a_i Λ + d_i. Of a tableau, some f_R stand in columns and as many Λ_S in the basis, so
 * with K = a_RS, another functional is
 *
 *   f_t = v f_R + (a_t − v a_R) Λ + (d_t − v d_R),    v K = a_tS,
 *
 * in which Λ_S has cancelled. The tableau's own numbers are approximations X of K⁻¹ and of v. With weights
 * w > 0, |I − X K| w <= γ w and γ < 1 prove that K is regular, and then, for ρ = a_tS − v K,
 *
 *   |v_exact − v|_i <= max_s (|X_si| / w_s) Σ_s |ρ_s| w_s / (1 − γ),
 *   |Λ_exact − Λ|_s <= w_s max_s (|X (K Λ + d_R)|_s / w_s) / (1 − γ)
 *
 * (Rump 2010, §10.8). All rounding is bounded from above, so that what is said here is true of the numbers as
 * they stand; what is not said is a matter for exact arithmetic (cell_exact.h). */
#ifndef NSD_SEARCH_ERROR_BOUNDS_H
#define NSD_SEARCH_ERROR_BOUNDS_H

#include "base/arena.h"
#include "base/poll.h"

typedef struct nsd_error_bounds {
  int n;           /* Λ */
  nsd_poll *poll;  /* asked on the way; where it stops, nothing is sure; NULL after lay_out */
  int count;       /* of R and of S */
  const double *a; /* rows × n */
  const double *d; /* rows */
  int32_t *R;      /* n: rows of a */
  int32_t *S;      /* n: columns */
  double *K;       /* n × n: row i stands for R_i */
  double *X;       /* n × n: row s stands for S_s; the caller fills it in */
  double *weight;  /* n */
  double *scratch; /* n */
  double *v;       /* n: of R; the caller fills it in */
  double *error;   /* n: of v, or of the point at S */
  double *point;   /* n: Λ; the caller fills it in */
  double gamma;
} nsd_error_bounds;

void nsd_error_bounds_lay_out(nsd_arena *arena, nsd_error_bounds *w, int n);

/* Begins with f_t = t Λ + …: R (`count` of them) stands in w->R, v in w->v. S becomes those columns with
 * `basic` where t or a row of R has an element. 0 where they are not as many. */
int nsd_error_bounds_select(nsd_error_bounds *w, int count, const double *t, const uint8_t *basic);

/* Whether K is proved to be regular by X. */
int nsd_error_bounds_is_regular(nsd_error_bounds *w);

/* v made better, and its error. Of a w that is regular. */
void nsd_error_bounds_bound_multipliers(nsd_error_bounds *w, const double *t);

/* Sign of (a_t − v a_R)_j for a column j outside S, of d_t − v d_R for j = −1: −1, 0, 1; 2: not sure. */
int nsd_error_bounds_sign(const nsd_error_bounds *w, const double *t, double constant, int j);

/* The Λ where f_R = 0, nothing but S being different from zero: made better, and its error. */
void nsd_error_bounds_bound_point(nsd_error_bounds *w);

/* Sign of t Λ + constant at that point: −1, 1; 2: not sure. */
int nsd_error_bounds_sign_at_point(const nsd_error_bounds *w, const double *t, double constant);

#endif
