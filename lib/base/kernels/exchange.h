/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The principal pivot exchange, the one operation that every pivoting solver consists of.
 *
 * A tableau holds y = T x, y of `rows` elements, x of `cols` (constant columns such as b included).
 * Exchanging y_r and x_s solves row r for x_s and puts it into the others:
 *
 *   p = T_rs;   T_rs := 1/p;   T_rj := -T_rj/p;   T_is := T_is/p;   T_ij := T_ij - T_is T_rj / p.
 *
 * Storage is by columns, column j at T + j*ld, so that an exchange is one axpy per column, and a
 * column whose element in row r is zero is left alone. ld is a multiple of NSD_TABLEAU_STEP >= rows and T is
 * aligned to NSD_ALIGNMENT; the padding behind row rows-1 belongs to the kernel (keep it zero).
 *
 * What AVX2 buys: `pivot exchange` of tests/bench/bench_dense.c. */
#ifndef NSD_BASE_KERNELS_EXCHANGE_H
#define NSD_BASE_KERNELS_EXCHANGE_H

#include <stddef.h>

#include "base/poll.h"

#define NSD_TABLEAU_STEP 4 /* doubles of one vector: columns begin at multiples */

/* Smallest legal ld. */
static inline int nsd_tableau_ld(int rows)
{
  return (rows + NSD_TABLEAU_STEP - 1) / NSD_TABLEAU_STEP * NSD_TABLEAU_STEP;
}

/* Exchanges y_r and x_s; T_rs must not be zero. Picks the AVX2 variant where the processor has it;
 * the bits are those of the plain one. */
void nsd_tableau_exchange(int rows, int cols, double *T, int ld, int r, int s);

/* The same, asking on the way; told to stop, it ends first. */
void nsd_tableau_exchange_asking(int rows, int cols, double *T, int ld, int r, int s, nsd_poll *poll);

/* The variants, for tests and benchmarks. */
void nsd_tableau_exchange_plain(int rows, int cols, double *T, int ld, int r, int s);
void nsd_tableau_exchange_avx2(int rows, int cols, double *T, int ld, int r, int s);

#endif
