/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef NSD_CONTACT_DELASSUS_H
#define NSD_CONTACT_DELASSUS_H

#include "nsdyn/contact.h"

/* G := X Xᵀ, symmetric to the bit; X (rows × nu, row stride ldx) is L⁻¹ applied to each row of W, by
 * nsd_cholesky_forward(). */
void nsd_delassus_product(int rows, int nu, const double *X, int ldx, double *G, int ldg);

#endif
