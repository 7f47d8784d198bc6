/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The judge of contact problems: by how much each law is missed, from Λ alone, in the units of ξ.
 *
 * What a row of a contact is judged against is the largest of all contacts' rows, since velocities of one
 * system compare; a bilateral constraint may be an angle where another is a length, so it is its own measure.
 *
 * Λ can be so large that c drowns in G Λ: then a residual that is small beside G Λ says nothing about this c.
 * So the scale is at most NSD_CONTACT_MOST_SCALE times the load, the part of a row that contacts do not make;
 * and where even rounding would be of the load's size, nothing that is seen counts, and the residual is all
 * of it. */
#ifndef NSD_CONTACT_CERTIFICATE_H
#define NSD_CONTACT_CERTIFICATE_H

#include <math.h>

#include "base/arena.h"
#include "base/kernels/simd.h"
#include "base/poll.h"
#include "base/tolerances.h"
#include "contact/problem.h"
#include "setvalued/nearest.h"

typedef struct nsd_contact_verdict {
  double residual; /* the violation that is largest over its scale; infinite where Λ is not finite or
                      overflows */
  double scale;    /* its scale */
  double load;     /* the part of it that impulses which hold each other do not make */
  double speed;    /* scale of the contacts' rows, which modes are told apart with */
  int row;         /* where; −1: nothing is violated */
} nsd_contact_verdict;

/* Judges Λ (rows); xi (rows) receives G Λ + c as it stands. */
nsd_contact_verdict nsd_contact_judge(const nsd_contact_data *d, const double *Lambda, double *xi);

/* The same for many contacts: the poll is asked on the way, but nothing ends early. */
nsd_contact_verdict nsd_contact_judge_asking(const nsd_contact_data *d, const double *Lambda, double *xi,
                                             nsd_poll *poll);

/* Room for the terms of an operator's rows. */
void nsd_contact_terms_lay_out(nsd_arena *arena, nsd_contact_terms *t, int rows, int columns);

static inline int nsd_contact_is_solution(const nsd_contact_verdict *v, double tol)
{
  return v->residual <= tol * v->scale && v->residual <= nsd_larger(tol, NSD_CONTACT_LOOSE) * v->load;
}

/* Kernels, one contact's laws each. r turns an impulse into the velocity it makes at its own contact. */

NSD_INLINE double nsd_contact_stiffness(double G_NN, double G_TT)
{
  const double r = 0.5 * (G_NN + G_TT);
  return r > 0.0 ? r : 1.0; /* zero rows of W: any unit will do */
}

/* |min(ξ_N, r Λ_N)|, or |ξ_N| of a slot. A NaN is passed on. */
NSD_INLINE double nsd_contact_miss_normal(int32_t kind, double r, double Lambda_N, double xi_N)
{
  const double press = r * Lambda_N;
  const double least = kind == NSDYN_CONTACT_BILATERAL || !(press < xi_N) ? xi_N : press;
  return fabs(least);
}

/* |r Λ_T − prox(r Λ_T − ξ_T)|, prox onto [−limit, limit]; along a known direction Λ_T is given. */
NSD_INLINE double nsd_contact_miss_tangential(double r, double limit, int32_t sliding, double Lambda_T,
                                              double xi_T)
{
  const double drag = r * Lambda_T;
  const double wish = drag - xi_T;
  const double prox = nsd_nearest_in_band(wish, limit);
  return fabs(sliding ? drag + sliding * limit : drag - prox);
}

/* From the largest violation and where it is, largest size and load of a row, and the sum of all sizes, which
 * is finite where all is. */
NSD_INLINE nsd_contact_verdict nsd_contact_verdict_of(double miss, int row, double size, double load,
                                                      double all)
{
  const double most = NSD_CONTACT_MOST_SCALE * load;
  nsd_contact_verdict v = {.residual = miss, .scale = nsd_smaller(size, most), .load = load, .row = row};
  v.speed = v.scale;
  if (!(all < (double)INFINITY)) {
    v = (nsd_contact_verdict){.residual = INFINITY, .row = row < 0 ? 0 : row};
  } else if (size > NSD_CONTACT_FAR_OUT * load) {
    v.residual = size;
    v.row = row < 0 ? 0 : row;
  }
  return v;
}

/* One contact of two rows, unilateral with Coulomb friction, direction of sliding unknown: what
 * nsd_contact_judge() would say, bit for bit. */
NSD_INLINE nsd_contact_verdict nsd_contact_judge_single(const nsd_contact_data *d, const double *Lambda,
                                                        double *xi)
{
  const double *N = d->G;
  const double *T = d->G + d->ldg;
  const double NN = N[0] * Lambda[0], NT = N[1] * Lambda[1];
  const double TN = T[0] * Lambda[0], TT = T[1] * Lambda[1];
  const double load_N = fabs(d->c[0]), load_T = fabs(d->c[1]);
  const double size_N = load_N + (fabs(NN) + fabs(NT)), size_T = load_T + (fabs(TN) + fabs(TT));
  const double load = nsd_larger(load_T, load_N), size = nsd_larger(size_T, size_N);
  const double r = nsd_contact_stiffness(N[0], T[1]);
  const double limit = r * (d->spec->mu * fabs(Lambda[0]));
  xi[0] = d->c[0] + (NN + NT);
  xi[1] = d->c[1] + (TN + TT);
  const double miss_N = nsd_contact_miss_normal(NSDYN_CONTACT_UNILATERAL, r, Lambda[0], xi[0]);
  const double miss_T = nsd_contact_miss_tangential(r, limit, 0, Lambda[1], xi[1]);
  return nsd_contact_verdict_of(nsd_larger(miss_T, miss_N),
                                miss_T > miss_N ? 1
                                : miss_N > 0.0  ? 0
                                                : -1,
                                size, load, size_N + size_T);
}

#endif
