/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "system/inertia.h"

#include <float.h>
#include <math.h>

#include "base/number.h"
#include "base/tolerances.h"
#include "system/callbacks.h"

/* Share of M's elements up to which its zeros are left out of sums. */
#define THIN 0.125

void nsd_inertia_lay_out(nsd_arena *arena, nsd_inertia *inertia, const nsdyn_system_def *def)
{
  const size_t nu = (size_t)def->nu;
  inertia->nu = def->nu;
  inertia->factored = !def->solve_mass;
  /* Rows of more than 2^32 bytes do not fit in memory; as elements of nu rows they cannot overflow a count.
   */
  inertia->L = inertia->factored ? nsd_arena_take(arena, nu, nu * sizeof *inertia->L) : NULL;
  inertia->r = nsd_arena_take(arena, nu < NSD_SMALL ? nu : NSD_SMALL, sizeof *inertia->r);
  inertia->first = inertia->factored ? nsd_arena_take(arena, nu / 4 + 1, sizeof *inertia->first) : NULL;
  inertia->is_thin = 0;
}

/* Why M, as the user wrote it, has no factor: an element of its lower triangle is not finite, or row `row`
 * shows that it is not definite. */
static nsdyn_status blame_mass(nsd_fault *fault, int nu, int row, const double *M)
{
  for (int i = 0; i < nu; i++) {
    for (int j = 0; j <= i; j++) {
      const double element = M[(size_t)i * (size_t)nu + (size_t)j];
      if (!nsd_is_number(element)) {
        char number[NSD_NUMBER_LENGTH];
        return nsd_fault_set(fault, NSDYN_ERR_NOT_FINITE, NSDYN_DETAIL_ROW, i,
                             "callback mass: M row %d, column %d is %s", i, j,
                             nsd_number_text(element, number));
      }
    }
  }
  return nsd_fault_set(fault, NSDYN_ERR_NOT_DEFINITE, NSDYN_DETAIL_ROW, row,
                       "callback mass: M is not positive definite, as row %d shows", row);
}

/* M, as the user wrote it, whose halves are not the same. Nothing was asked of the upper one where it is zero
 * throughout: then only the lower one was written. */
static nsdyn_status check_halves(nsd_fault *fault, int nu, const double *M)
{
  const size_t n = (size_t)nu;
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
        char number[2][NSD_NUMBER_LENGTH];
        return nsd_fault_set(fault, isfinite(upper) ? NSDYN_ERR_NOT_DEFINITE : NSDYN_ERR_NOT_FINITE,
                             NSDYN_DETAIL_ROW, (int)i,
                             "callback mass: M is not symmetric: row %d, column %d is %s, but row %d, column "
                             "%d is %s",
                             (int)i, (int)j, nsd_number_text(lower, number[0]), (int)j, (int)i,
                             nsd_number_text(upper, number[1]));
      }
    }
  }
  return NSDYN_OK;
}

/* Whether an element of M = L Lᵀ is no number that a callback may answer: M_ij <= Σ L_ik². */
static int is_too_large(const nsd_inertia *m)
{
  double most = 0.0;
  for (int i = 0; i < m->nu; i++) {
    most = fmax(most, m->L[i * m->nu + i]);
  }
  return !(most * most < NSD_NUMBERS_END);
}

static nsdyn_status update_small(nsd_inertia *m, const nsdyn_system_def *def, double t, const double *q,
                                 nsd_fault *fault)
{
  double M[NSD_SMALL * NSD_SMALL] = {0.0};
  const int code = def->mass(def->user, t, q, M);
  nsdyn_status status = code ? nsd_blame_code(fault, "mass", nsd_no_subject(), code) : NSDYN_OK;
  if (status || nsd_small_factor(m->nu, M, m->L, m->r)) {
    return status;
  }
  /* A closer look: halves that differ by more than rounding, then the
   * factorization that knows how good a pivot is. */
  int row = 0;
  status = check_halves(fault, m->nu, M);
  if (status) {
    return status;
  }
  for (int i = 0; i < m->nu * m->nu; i++) {
    m->L[i] = M[i];
  }
  status = nsd_cholesky_factor(m->nu, m->L, m->nu, &row);
  if (status || is_too_large(m)) {
    return blame_mass(fault, m->nu, row, M);
  }
  for (int i = 0; i < m->nu; i++) {
    m->r[i] = 1.0 / m->L[i * m->nu + i];
  }
  return NSDYN_OK;
}

nsdyn_status nsd_inertia_update(nsd_inertia *m, const nsdyn_system_def *def, double t, const double *q,
                                nsd_fault *fault)
{
  /* solve_mass, or nothing that moves. */
  if (!m->factored || m->nu == 0) {
    return NSDYN_OK;
  }
  if (m->nu <= NSD_SMALL) {
    return update_small(m, def, t, q, fault);
  }
  /* Stage 1. M, with both halves compared. */
  nsdyn_status status = nsd_call_mass(def, t, q, m->L, fault);
  int row = 0;
  if (status == NSDYN_OK && !nsd_is_mirrored(m->nu, m->L)) {
    status = check_halves(fault, m->nu, m->L);
  }
  if (status) {
    return status;
  }
  const double n = m->nu;
  m->is_thin = nsd_cholesky_envelope(m->nu, m->L, m->nu, m->first) < THIN * n * n;
  /* Stage 2. M = L Lᵀ in place. */
  if (nsd_cholesky_factor(m->nu, m->L, m->nu, &row) == NSDYN_OK && !is_too_large(m)) {
    return NSDYN_OK;
  }
  status = nsd_call_mass(def, t, q, m->L, fault); /* what the factor has overwritten */
  return status ? status : blame_mass(fault, m->nu, row, m->L);
}
