/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "search/row_proof.h"

#include <float.h>
#include <math.h>

#include "base/kernels/simd.h"
#include "base/tolerances.h"
#include "search/decide_exactly.h"

#define COLUMN_READ 60.0 /* multiplications that take as long as to read elements out of columns */

/* A column that counts as zero and is not could be made up for by a z so large that d is lost beside a z.
 * A claim of a sign must be so clear that this takes a million times what d is. Rounding may always leave
 * NSD_CLAIM_LEAST of a column. */
#define FAR 0x1p+20

/* −sense T_rs into v, where the column s belongs to a functional, in that functional's own sign. */
static void read_multiplier(const nsd_cell *cell, const nsd_cells *cells, int r, int s, double sense)
{
  const int k = cell->slot[s];
  const double value = -sense * nsd_cell_column(cell, s)[r];
  /* Where a sign is needed that rounding has spoiled, v_i = 0: any v proves something. */
  const int suits = nsd_cell_is_held(cell, k) || (value > 0.0 && !nsd_cell_is_free(cell, s));
  if (k >= cell->columns && suits) {
    cells->multiplier[k - cell->columns] = cell->sign[k] * value;
  }
}

/* v from row r times `sense`: u_r − Σ T_rs u_s = c_r. */
static void read_multipliers(const nsd_cell *cell, const nsd_cells *cells, int r, double sense)
{
  const int k = cell->row[r];
  for (int i = 0; i < cell->rows; i++) {
    cells->multiplier[i] = 0.0;
  }
  for (int l = 0; l < cell->live_count; l++) {
    read_multiplier(cell, cells, r, cell->live[l], sense);
  }
  for (int l = 0; l < cell->proof_count; l++) {
    read_multiplier(cell, cells, r, cell->proof[l], sense);
  }
  if (k >= cell->columns) {
    cells->multiplier[k - cell->columns] = cell->sign[k] * sense;
  }
}

/* sum := aᵀv and size := |a|ᵀ|v| over the `count` functionals that have a multiplier, four columns at a time.
 */
static void combine(nsd_cells *cells, int count)
{
  const size_t n = (size_t)cells->forms->columns;
  const double *v = cells->multiplier;
  const double *a = cells->forms->a;
  size_t j = 0;
  for (; j + NSD_LANES <= n; j += NSD_LANES) {
    nsd_lanes sum = nsd_lanes_all(0.0), size = sum;
    for (int l = 0; l < count; l++) {
      const size_t i = (size_t)cells->some[l];
      const nsd_lanes term = nsd_lanes_all(v[i]) * nsd_lanes_load(a + i * n + j);
      sum += term;
      size += nsd_lanes_abs(term);
    }
    nsd_lanes_store(cells->sum + j, sum);
    nsd_lanes_store(cells->size + j, size);
    (void)nsd_poll_stops(&cells->poll, COLUMN_READ * count);
  }
  for (; j < n; j++) {
    double sum = 0.0, size = 0.0;
    for (int l = 0; l < count; l++) {
      const size_t i = (size_t)cells->some[l];
      const double term = v[i] * a[i * n + j];
      sum += term;
      size += fabs(term);
    }
    cells->sum[j] = sum;
    cells->size[j] = size;
  }
}

/* The largest part that is left of a column of aᵀv which should not be there. Free columns are measured by
 * the largest of them: one in which nothing but rounding stands says nothing by itself. `own` is the row's
 * unknown, whose term is the claim: it needs the sign of one that is >= 0, or, where it is to be zero
 * (`any_sign`), none. */
static double largest_rest(const nsd_cell *cell, const nsd_cells *cells, int own, int any_sign)
{
  double worst = NSD_CLAIM_LEAST, rest = 0.0, whole = 0.0;
  for (int j = 0; j < cell->columns; j++) {
    const double size = cells->size[j];
    const double sum = cell->sign[j] < 0 ? -cells->sum[j] : cells->sum[j];
    if (nsd_cell_is_held(cell, j) || (j == own && any_sign)) {
      continue;
    }
    if (cell->ask[j] == NSD_ASK_NOTHING && j != own) {
      rest = fabs(sum) > rest ? fabs(sum) : rest;
      whole = size > whole ? size : whole;
    } else if (sum > worst * size) {
      worst = sum / size;
    }
  }
  return rest > worst * whole ? rest / whole : worst;
}

int nsd_claim_holds(const nsd_cell *cell, nsd_cells *cells, int r, nsd_claim claim)
{
  if (cells->exact) {
    return nsd_decide_claim(cell, cells, r, claim);
  }
  if (cells->judge && claim == NSD_ROW_ZERO) {
    return 0;
  }
  /* 1: v from the row. */
  read_multipliers(cell, cells, r, claim == NSD_ROW_POSITIVE ? -1.0 : 1.0);
  const int own = cell->row[r];
  if (cells->judge) {
    return cells->judge(cells->judge_user, cell, claim == NSD_ROW_POSITIVE ? own : -1, cells->multiplier);
  }
  /* 2: vᵀd and aᵀv, from a and d themselves. */
  double constant = 0.0, constant_size = 0.0;
  int count = 0;
  for (int i = 0; i < cell->rows; i++) {
    if (cells->multiplier[i] != 0.0) {
      const double term = cells->multiplier[i] * cells->forms->d[i];
      constant += term;
      constant_size += fabs(term);
      cells->some[count++] = i;
    }
  }
  combine(cells, count);
  /* 3: no column of −aᵀv has a wrong sign beyond rounding. */
  const double largest = largest_rest(cell, cells, own, claim == NSD_ROW_POSITIVE);
  if (!(largest <= NSD_CLAIM_COLUMN_ROUNDING)) {
    return 0;
  }
  /* 4: vᵀd = 0, or vᵀd < 0 so clearly that rounding in the columns cannot make up for it. */
  if (claim == NSD_ROW_ZERO) {
    return fabs(constant) <= NSD_CLAIM_CONSTANT_ROUNDING * constant_size;
  }
  return constant < -FAR * largest * constant_size;
}
