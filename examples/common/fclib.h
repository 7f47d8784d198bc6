/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Problems of the Frictional Contact Library (FCLIB), as HDF5 files, where the examples were built with HDF5.
 *
 * A local problem is u = W r + V λ + q, 0 = Vᵀ r + R λ + s; a global one M v = H r + G λ + f, u = Hᵀ v + w, 0
 * = Gᵀ v + b, with v eliminated here. Contacts have `spacedim` rows, the normal first, and Coulomb's law. */
#ifndef EXAMPLES_COMMON_FCLIB_H
#define EXAMPLES_COMMON_FCLIB_H

#include <nsdyn/nsdyn.h>

typedef struct fclib_problem {
  nsdyn_contact_problem p;
  nsdyn_contact_law law; /* of all; the coefficients are p.mu */
  double *numbers;       /* G, c, mu */
  int32_t *law_of;
} fclib_problem;

/* Whether a file begins as HDF5 does. */
int fclib_is(const char *bytes, size_t length);

/* Reads one. Returns NULL, or why not, in words. */
const char *fclib_read(fclib_problem *to, const char *path);

void fclib_free(fclib_problem *problem);

#endif
