/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Problems near the ends of the range of doubles.
 *
 * Motion that decays reaches 1e-320, where a double has three digits left and products vanish: a stick seems
 * to miss its law, a friction force beyond its limit does not. With other units, powers of two so that
 * nothing is rounded,
 *
 *   G' = 2^a G,   ξ' = 2^k ξ,   c' = 2^k c,   Λ' = 2^(k − a) Λ,
 *
 * the problem is the same, and can be solved and judged as any other. What remains is that Λ itself has to be
 * a double: each element is rounded to a multiple of the smallest one. */
#ifndef NSD_CONTACT_EXTREME_UNITS_H
#define NSD_CONTACT_EXTREME_UNITS_H

#include "base/poll.h"
#include "base/tolerances.h"
#include "contact/problem.h"

typedef struct nsd_extreme_units {
  int G, Lambda, xi; /* exponents of the factors */
  double grain;      /* the smallest double, as a Λ' */
} nsd_extreme_units;

/* Units in which Λ is judged. Returns 0 where the usual ones will do, or where none would. */
int nsd_extreme_units_of_answer(const nsd_contact_data *d, const double *Lambda, nsd_extreme_units *e,
                                nsd_poll *poll);

/* Units in which the problem is solved; likewise. */
int nsd_extreme_units_of_problem(const nsd_contact_data *d, nsd_extreme_units *e);

/* Solves in these units, and judges in those of the problem. As nsd_contact_solve_data(). */
nsdyn_status nsd_extreme_units_solve(nsdyn_contact *s, const nsd_contact_data *d, const nsd_extreme_units *e,
                                     double *Lambda, double *xi);

#endif
