/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "contact/impact/expansion_space.h"

#include <math.h>

#include "base/dense.h"
#include "base/safe_scalar.h"
#include "contact/space/friction.h"
#include "contact/space/operator.h"

/* Λ' = A⁻¹ Λ_T, then e = A⁻ᵀ Λ', not yet of the right length. */
static void normal_of(const nsd_contact_space *space, const double *Lambda_T, double *e)
{
  const double a = space->aspect;
  const double x = space->axis[0] * Lambda_T[0] + space->axis[1] * Lambda_T[1];
  const double y = (space->axis[0] * Lambda_T[1] - space->axis[1] * Lambda_T[0]) / a;
  e[0] = space->axis[0] * x - space->axis[1] * (y / a);
  e[1] = space->axis[1] * x + space->axis[0] * (y / a);
}

nsd_contact_stored nsd_expansion_stored_of(const nsd_contact_spec *spec, const nsd_restitution *restitution,
                                           const double *Lambda_C)
{
  const double load = fabs(Lambda_C[0]), nu = restitution->reversal;
  const int has_friction = spec->friction == NSD_FRICTION_LOAD && spec->mu > 0.0;
  nsd_contact_stored stored = {.keep = 1.0};
  /* A slot without friction has no use for L. */
  stored.L = spec->kind == NSDYN_CONTACT_BILATERAL && !has_friction ? 0.0 : restitution->eps_n * load;
  /* A given bound leaves Λ_T = 0, and without reversal nothing is cut off. */
  if (!has_friction || !(nu > 0.0)) {
    return stored;
  }
  double e[2] = {Lambda_C[1], 0.0}, unit[2], farthest[2] = {0.0, 0.0};
  if (spec->space) {
    normal_of(spec->space, Lambda_C + 1, e);
  }
  const double size = nsd_norm_plane(e[0], e[1]);
  if (!(size > 0.0)) {
    return stored;
  }
  unit[0] = e[0] / size;
  unit[1] = e[1] / size;
  /* The support of C(1/μ) along e: max e·x. Then e·Λ_TC is how far Λ_TC is out. */
  nsd_friction_support(spec, 1.0, unit, farthest);
  const double support = unit[0] * farthest[0] + unit[1] * farthest[1];
  unit[0] /= support;
  unit[1] /= support;
  const double out = unit[0] * Lambda_C[1] + (spec->space ? unit[1] * Lambda_C[2] : 0.0);
  /* A direction of Λ_TC that is rounding cuts nothing off. */
  if (!(out > NSD_EXPANSION_NO_DIRECTION * spec->mu * load)) {
    return stored;
  }
  stored.e[0] = unit[0];
  stored.e[1] = unit[1];
  stored.keep = 1.0 - nu;
  stored.back = nu * restitution->eps_n * restitution->eps_t * out;
  return stored;
}

int nsd_expansion_stores_nothing(const nsd_contact_data *data, const nsd_contact_stored *stored)
{
  for (int i = 0; i < data->contacts; i++) {
    if (stored[i].L > 0.0) {
      return 0;
    }
  }
  return 1;
}

/* shift += G L where G is an operator. */
static void add_stored(const nsd_contact_data *data, const nsd_contact_stored *stored, double *shift)
{
  double *L = data->terms->part, *change = data->terms->product;
  for (int i = 0; i < data->rows; i++) {
    L[i] = 0.0;
  }
  for (int i = 0; i < data->contacts; i++) {
    L[data->spec[i].row] = data->spec[i].kind == NSDYN_CONTACT_UNILATERAL ? stored[i].L : 0.0;
  }
  nsd_operator_multiply(data->W, L, data->terms->state, change);
  for (int i = 0; i < data->rows; i++) {
    shift[i] += change[i];
  }
}

nsd_contact_data nsd_expansion_as_contacts(const nsd_contact_data *data, const nsd_restitution *restitution,
                                           const double *Lambda_C, nsd_contact_spec *spec,
                                           nsd_contact_stored *stored, double *shift)
{
  nsd_contact_data problem = *data;
  for (int i = 0; i < data->rows; i++) {
    shift[i] = data->c[i];
  }
  for (int i = 0; i < data->contacts; i++) {
    const nsd_contact_spec *own = &data->spec[i];
    stored[i] = nsd_expansion_stored_of(own, &restitution[i], Lambda_C + own->row);
    spec[i] = *own;
    spec[i].bound = 0.0; /* the impulse of a finite force is spent in compression */
    if (own->friction == NSD_FRICTION_LOAD && own->mu > 0.0) {
      spec[i].friction = NSD_FRICTION_STORED;
      spec[i].stored = &stored[i];
    }
    /* γ_C + G L; of a slot L is load, but no impulse. */
    for (int k = 0; !data->W && own->kind == NSDYN_CONTACT_UNILATERAL && stored[i].L > 0.0 && k < data->rows;
         k++) {
      shift[k] += nsd_contact_row(data, k)[own->row] * stored[i].L;
    }
  }
  if (data->W) {
    add_stored(data, stored, shift);
  }
  problem.spec = spec;
  problem.c = shift;
  return problem;
}

void nsd_expansion_from_contacts(const nsd_contact_data *problem, const nsd_contact_stored *stored,
                                 const double *P, double *Lambda)
{
  for (int i = 0; i < problem->rows; i++) {
    Lambda[i] = P[i];
  }
  for (int i = 0; i < problem->contacts; i++) {
    if (problem->spec[i].kind == NSDYN_CONTACT_UNILATERAL) {
      Lambda[problem->spec[i].row] += stored[i].L;
    }
  }
}
