/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "system/inertia.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/number.h"
#include "base/tolerances.h"
#include "system/callbacks.h"

/* Share of M's elements up to which its zeros are left out of sums. */
#define THIN 0.125

static void lay_out_blocks(nsd_arena *arena, nsd_inertia *inertia, const nsdyn_system_def *def)
{
  const double n = def->nu;
  double elements = 0.0;
  for (int b = 0; b < def->nblocks; b++) {
    elements += 0.5 * def->block[b] * (def->block[b] + 1.0);
  }
  inertia->form = NSD_INERTIA_BLOCKS;
  inertia->nblocks = def->nblocks;
  inertia->part = nsd_arena_take(arena, (size_t)def->nblocks, sizeof *inertia->part);
  inertia->part_of = nsd_arena_take(arena, (size_t)def->nu, sizeof *inertia->part_of);
  inertia->L = nsd_arena_take(arena, nsd_mass_numbers(def), sizeof *inertia->L);
  inertia->r = nsd_arena_take(arena, (size_t)def->nu, sizeof *inertia->r);
  inertia->first = NULL;
  inertia->is_thin = elements < THIN * n * n;
  if (!inertia->part) {
    return; /* the arena measures */
  }
  for (nsd_mass_part p = nsd_mass_first(def); p.n > 0; p = nsd_mass_next(def, p)) {
    inertia->part[p.number] = p;
    for (int j = p.first; j < p.first + p.n; j++) {
      inertia->part_of[j] = p.number;
    }
  }
}

void nsd_inertia_lay_out(nsd_arena *arena, nsd_inertia *inertia, const nsdyn_system_def *def)
{
  const size_t nu = (size_t)def->nu;
  inertia->nu = def->nu;
  inertia->factored = !def->solve_mass;
  inertia->nblocks = 0;
  inertia->part = NULL;
  inertia->part_of = NULL;
  if (inertia->factored && def->nblocks) {
    lay_out_blocks(arena, inertia, def);
    return;
  }
  inertia->form = !inertia->factored     ? NSD_INERTIA_USER
                  : def->nu <= NSD_SMALL ? NSD_INERTIA_SMALL
                                         : NSD_INERTIA_WHOLE;
  /* Rows of more than 2^32 bytes do not fit in memory; as elements of nu rows they cannot overflow a count.
   */
  inertia->L = inertia->factored ? nsd_arena_take(arena, nu, nu * sizeof *inertia->L) : NULL;
  inertia->r = nsd_arena_take(arena, nu < NSD_SMALL ? nu : NSD_SMALL, sizeof *inertia->r);
  inertia->first = inertia->factored ? nsd_arena_take(arena, nu / 4 + 1, sizeof *inertia->first) : NULL;
  inertia->is_thin = 0;
}

/* ---- What M's blocks have to be ---- */

/* M, or one of its blocks, as the user wrote it. */
typedef struct part {
  const nsdyn_system_def *def;
  nsd_mass_part is;
} part;

static part first_part(const nsdyn_system_def *def)
{
  const part p = {def, nsd_mass_first(def)};
  return p;
}

/* Why M, as the user wrote it, has no factor: an element of its lower triangle is not finite, or row `row`
 * shows that it is not definite. */
static nsdyn_status blame_mass(nsd_fault *fault, part p, int row, const double *M)
{
  char text[NSD_MASS_LENGTH];
  for (int i = 0; i < p.is.n; i++) {
    for (int j = 0; j <= i; j++) {
      const double element = M[(size_t)i * (size_t)p.is.n + (size_t)j];
      if (!nsd_is_number(element)) {
        char number[NSD_NUMBER_LENGTH];
        return nsd_fault_set(fault, NSDYN_ERR_NOT_FINITE, NSDYN_DETAIL_ROW, p.is.first + i,
                             "callback mass: %s row %d, column %d is %s", nsd_mass_text(p.def, p.is, text), i,
                             j, nsd_number_text(element, number));
      }
    }
  }
  return nsd_fault_set(fault, NSDYN_ERR_NOT_DEFINITE, NSDYN_DETAIL_ROW, p.is.first + row,
                       "callback mass: %s is not positive definite, as row %d shows",
                       nsd_mass_text(p.def, p.is, text), row);
}

/* M, as the user wrote it, whose halves are not the same. Nothing was asked of the upper one where it is zero
 * throughout: then only the lower one was written. */
static nsdyn_status check_halves(nsd_fault *fault, part p, const double *M)
{
  const size_t n = (size_t)p.is.n;
  int is_written = 0;
  for (size_t i = 0; i < n; i++) {
    for (size_t j = 0; j < i; j++) {
      is_written |= M[j * n + i] != 0.0;
    }
  }
  for (size_t i = 0; is_written && i < n; i++) {
    for (size_t j = 0; j < i; j++) {
      const double lower = M[i * n + j], upper = M[j * n + i];
      /* √(M_ii M_jj) bounds every element of a positive definite M. */
      const double size = sqrt(fabs(M[i * (n + 1)])) * sqrt(fabs(M[j * (n + 1)]));
      if (isfinite(lower) && !(fabs(upper - lower) <= NSD_MASS_ASYMMETRY * size)) {
        char number[2][NSD_NUMBER_LENGTH], text[NSD_MASS_LENGTH];
        return nsd_fault_set(
            fault, isfinite(upper) ? NSDYN_ERR_NOT_DEFINITE : NSDYN_ERR_NOT_FINITE, NSDYN_DETAIL_ROW,
            p.is.first + (int)i,
            "callback mass: %s is not symmetric: row %d, column %d is %s, but row %d, column "
            "%d is %s",
            nsd_mass_text(p.def, p.is, text), (int)i, (int)j, nsd_number_text(lower, number[0]), (int)j,
            (int)i, nsd_number_text(upper, number[1]));
      }
    }
  }
  return NSDYN_OK;
}

/* Whether an element of M = L Lᵀ is no number that a callback may answer: M_ij <= Σ L_ik². */
static int is_too_large(int n, const double *L)
{
  double most = 0.0;
  for (size_t i = 0; i < (size_t)n; i++) {
    most = fmax(most, L[i * ((size_t)n + 1)]);
  }
  return !(most * most < NSD_NUMBERS_END);
}

/* A closer look at a small M: halves that differ by more than rounding, then the factorization that knows how
 * good a pivot is. */
static nsdyn_status look_closer(nsd_fault *fault, part p, const double *M, double *L, double *r)
{
  int row = 0;
  nsdyn_status status = check_halves(fault, p, M);
  if (status) {
    return status;
  }
  for (int i = 0; i < p.is.n * p.is.n; i++) {
    L[i] = M[i];
  }
  status = nsd_cholesky_factor(p.is.n, L, p.is.n, &row);
  if (status || is_too_large(p.is.n, L)) {
    return blame_mass(fault, p, row, M);
  }
  for (int i = 0; i < p.is.n; i++) {
    r[i] = 1.0 / L[i * p.is.n + i];
  }
  return NSDYN_OK;
}

static nsdyn_status update_small(nsd_inertia *m, const nsdyn_system_def *def, double t, const double *q,
                                 nsd_fault *fault)
{
  double M[NSD_SMALL * NSD_SMALL] = {0.0};
  const int code = def->mass(def->user, t, q, M);
  const nsdyn_status status = code ? nsd_blame_code(fault, "mass", nsd_no_subject(), code) : NSDYN_OK;
  if (status || nsd_small_factor(m->nu, M, m->L, m->r)) {
    return status;
  }
  return look_closer(fault, first_part(def), M, m->L, m->r);
}

/* ---- Blocks ---- */

/* A block that has kernels of its own, from M to its factor in the same place. */
static nsdyn_status factor_small(nsd_fault *fault, part p, double *L, double *r)
{
  double M[NSD_BODY * NSD_BODY];
  memcpy(M, L, (size_t)p.is.n * (size_t)p.is.n * sizeof *M);
  return nsd_block_factor(p.is.n, M, L, r) ? NSDYN_OK : look_closer(fault, p, M, L, r);
}

/* Another one. `*is_indefinite` := 1 where it has no factor; row `*row` shows it. */
static nsdyn_status factor_large(nsd_fault *fault, part p, double *L, int *is_indefinite, int *row)
{
  const nsdyn_status status = nsd_is_mirrored(p.is.n, L) ? NSDYN_OK : check_halves(fault, p, L);
  *is_indefinite = !status && (nsd_cholesky_factor(p.is.n, L, p.is.n, row) || is_too_large(p.is.n, L));
  return status;
}

static nsdyn_status update_blocks(nsd_inertia *m, const nsdyn_system_def *def, double t, const double *q,
                                  nsd_fault *fault)
{
  /* Stage 1. M, its blocks one behind the other. */
  nsdyn_status status = nsd_call_mass(def, t, q, m->L, fault);
  part p = first_part(def);
  /* Stage 2. M_b = L_b L_bᵀ of each block, in place. */
  for (int is_indefinite = 0, row = 0; p.is.n > 0 && !status; p.is = nsd_mass_next(def, p.is)) {
    double *L = m->L + p.is.at;
    if (nsd_block_is_small(p.is.n)) {
      status = factor_small(fault, p, L, m->r + p.is.first);
    } else {
      status = factor_large(fault, p, L, &is_indefinite, &row);
    }
    if (is_indefinite) {
      status = nsd_call_mass(def, t, q, m->L, fault); /* what the factor has overwritten */
      return status ? status : blame_mass(fault, p, row, L);
    }
  }
  return status;
}

/* The first block from b on where x is not zero; nblocks where there is none. */
static int next_moved(const nsd_inertia *m, const double *x, int b)
{
  if (b == m->nblocks || x[m->part[b].first] != 0.0) { /* of forces all bodies have some */
    return b;
  }
  int j = m->part[b].first;
  for (; j + NSD_LANES <= m->nu; j += NSD_LANES) {
    const nsd_lanes_bits moved = nsd_lanes_load(x + j) != nsd_lanes_all(0.0);
    if ((moved[0] | moved[1]) | (moved[2] | moved[3])) {
      break;
    }
  }
  while (j < m->nu && x[j] == 0.0) {
    j++;
  }
  return j < m->nu ? m->part_of[j] : m->nblocks;
}

static void forward_blocks(const nsd_inertia *m, double *x)
{
  for (int b = next_moved(m, x, 0); b < m->nblocks; b = next_moved(m, x, b + 1)) {
    const nsd_mass_part *p = &m->part[b];
    if (nsd_block_is_small(p->n)) {
      nsd_block_forward(p->n, m->L + p->at, m->r + p->first, x + p->first);
    } else {
      nsd_cholesky_forward(p->n, m->L + p->at, p->n, 1, x + p->first, p->n);
    }
  }
}

static void backward_blocks(const nsd_inertia *m, double *x)
{
  for (int b = next_moved(m, x, 0); b < m->nblocks; b = next_moved(m, x, b + 1)) {
    const nsd_mass_part *p = &m->part[b];
    if (nsd_block_is_small(p->n)) {
      nsd_block_backward(p->n, m->L + p->at, m->r + p->first, x + p->first);
    } else {
      nsd_cholesky_backward(p->n, m->L + p->at, p->n, 1, x + p->first, p->n);
    }
  }
}

/* ---- All forms ---- */

void nsd_inertia_forward_large(const nsd_inertia *m, double *x)
{
  if (m->form == NSD_INERTIA_BLOCKS) {
    forward_blocks(m, x);
  } else if (m->is_thin) {
    nsd_cholesky_forward_within(m->nu, m->L, m->nu, m->first, x);
  } else {
    nsd_cholesky_forward(m->nu, m->L, m->nu, 1, x, m->nu);
  }
}

void nsd_inertia_backward_large(const nsd_inertia *m, double *x)
{
  if (m->form == NSD_INERTIA_BLOCKS) {
    backward_blocks(m, x);
  } else {
    nsd_cholesky_backward(m->nu, m->L, m->nu, 1, x, m->nu);
  }
}

nsdyn_status nsd_inertia_update(nsd_inertia *m, const nsdyn_system_def *def, double t, const double *q,
                                nsd_fault *fault)
{
  /* solve_mass, or nothing that moves. */
  if (!m->factored || m->nu == 0) {
    return NSDYN_OK;
  }
  if (m->form == NSD_INERTIA_SMALL) {
    return update_small(m, def, t, q, fault);
  }
  if (m->form == NSD_INERTIA_BLOCKS) {
    return update_blocks(m, def, t, q, fault);
  }
  /* Stage 1. M, with both halves compared. */
  nsdyn_status status = nsd_call_mass(def, t, q, m->L, fault);
  int row = 0;
  if (status == NSDYN_OK && !nsd_is_mirrored(m->nu, m->L)) {
    status = check_halves(fault, first_part(def), m->L);
  }
  if (status) {
    return status;
  }
  const double n = m->nu;
  m->is_thin = nsd_cholesky_envelope(m->nu, m->L, m->nu, m->first) < THIN * n * n;
  /* Stage 2. M = L Lᵀ in place. */
  if (nsd_cholesky_factor(m->nu, m->L, m->nu, &row) == NSDYN_OK && !is_too_large(m->nu, m->L)) {
    return NSDYN_OK;
  }
  status = nsd_call_mass(def, t, q, m->L, fault); /* what the factor has overwritten */
  return status ? status : blame_mass(fault, first_part(def), row, m->L);
}

int nsd_inertia_factor(nsd_inertia *m, const double *A)
{
  int row = 0;
  if (m->form == NSD_INERTIA_SMALL) {
    return m->nu == 0 || nsd_small_factor(m->nu, A, m->L, m->r);
  }
  memcpy(m->L, A, (size_t)m->nu * (size_t)m->nu * sizeof *A);
  const double n = m->nu;
  m->is_thin = nsd_cholesky_envelope(m->nu, m->L, m->nu, m->first) < THIN * n * n;
  return nsd_cholesky_factor(m->nu, m->L, m->nu, &row) == NSDYN_OK && !is_too_large(m->nu, m->L);
}
