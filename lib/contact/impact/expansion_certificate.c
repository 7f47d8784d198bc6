/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The certificate of an expansion: from Λ_C and Λ_E alone, sharing no line with what computes them. */
#include <math.h>

#include "base/tolerances.h"
#include "contact/impact/expansion.h"
#include "setvalued/nearest.h"

/* γ_i after expansion. */
typedef struct velocity {
  double gamma;
  double load; /* |γ⁻_i| + Σ_j |G_ij Λ_Cj|: what expansion begins with */
  double size; /* the same with Λ_E */
} velocity;

static velocity velocity_of(const nsd_contact_data *data, int i, const double *Lambda_C,
                            const double *Lambda_E)
{
  const double *g = data->G + (size_t)i * (size_t)data->ldg;
  double change = 0.0;
  velocity v = {.load = fabs(data->c[i])};
  /* γ = γ⁻ + G (Λ_C + Λ_E). */
  for (int j = 0; j < data->rows; j++) {
    change += g[j] * (Lambda_C[j] + Lambda_E[j]);
    v.load += fabs(g[j] * Lambda_C[j]);
    v.size += fabs(g[j] * Lambda_E[j]);
  }
  v.gamma = data->c[i] + change;
  v.size += v.load;
  return v;
}

static double diagonal(const nsd_contact_data *data, int i)
{
  return data->G[(size_t)i * (size_t)data->ldg + (size_t)i];
}

/* How far Λ_T is from {|Λ_T| <= μ Q, e Λ_T >= −(1 − ν) μ Q + ν ε_N ε_T |Λ_TC|} and γ_T from its normal cone.
 * Mirrored so that e = 1. */
static double friction_violation(const nsd_contact_spec *spec, const nsd_restitution *restitution, double r,
                                 const double *Lambda_C, const double *Lambda_E, double gamma_T)
{
  const double stored = Lambda_C[spec->row + 1];
  const double e = stored < 0.0 ? -1.0 : 1.0;
  const double mu = spec->friction == NSD_FRICTION_LOAD ? spec->mu : 0.0;
  const double pressed = fabs(Lambda_C[spec->row]);
  /* Q = |Λ_N|, in a slot at least ε_N |Λ_NC|. */
  double Q = fabs(Lambda_E[spec->row]);
  if (spec->kind == NSDYN_CONTACT_BILATERAL && !(Q >= restitution->eps_n * pressed)) {
    Q = restitution->eps_n * pressed;
  }
  /* {−(1 − ν) μ Q + ν ε_N ε_T |Λ_TC| <= e Λ_T <= μ Q}. */
  const double top = mu * Q;
  double bottom = -top;
  if (mu > 0.0 && fabs(stored) > NSD_EXPANSION_NO_DIRECTION * mu * pressed) {
    const double nu = restitution->reversal;
    bottom = -(1.0 - nu) * top + nu * restitution->eps_n * restitution->eps_t * fabs(stored);
  }
  /* |r Λ_T − prox(r Λ_T − γ_T)|, prox onto r times the interval. */
  const double at = r * e * Lambda_E[spec->row + 1];
  return fabs(at - nsd_nearest_in_interval(at - e * gamma_T, r * bottom, r * top));
}

/* The largest of the contacts' rows. */
typedef struct tally {
  double violation, load, size;
  int row;
} tally;

/* A NaN is kept: it is the worst of all. */
static void count(tally *t, const velocity *v, double violation, int row)
{
  t->load = v->load > t->load ? v->load : t->load;
  t->size = v->size <= t->size ? t->size : v->size;
  if (!(violation <= t->violation)) {
    t->violation = violation;
    t->row = row;
  }
}

static void judge_contact(const nsd_contact_data *data, const nsd_contact_spec *spec,
                          const nsd_restitution *restitution, const double *Lambda_C, const double *Lambda_E,
                          tally *t)
{
  const int row = spec->row;
  const int has_tangent = spec->friction != NSD_FRICTION_NONE;
  const double mean = 0.5 * (diagonal(data, row) + diagonal(data, row + has_tangent));
  const double r = mean > 0.0 ? mean : 1.0; /* zero rows of W: any unit will do */
  const velocity normal = velocity_of(data, row, Lambda_C, Lambda_E);
  /* |min(γ_N, r (Λ_N − ε_N Λ_NC))|, or |γ_N| of a slot. */
  const double beyond = r * (Lambda_E[row] - restitution->eps_n * Lambda_C[row]);
  const int may_open = spec->kind == NSDYN_CONTACT_UNILATERAL;
  count(t, &normal, fabs(may_open && !(beyond >= normal.gamma) ? beyond : normal.gamma), row);
  if (has_tangent) {
    const velocity tangential = velocity_of(data, row + 1, Lambda_C, Lambda_E);
    count(t, &tangential, friction_violation(spec, restitution, r, Lambda_C, Lambda_E, tangential.gamma),
          row + 1);
  }
}

static double share(double violation, double size)
{
  return violation == 0.0 ? 0.0 : violation / size;
}

nsd_expansion_verdict nsd_expansion_judge(const nsd_contact_data *data, const nsd_restitution *restitution,
                                          const double *Lambda_C, const double *Lambda_E)
{
  tally t = {.violation = 0.0, .load = 0.0, .size = 0.0, .row = -1};
  for (int i = 0; i < data->contacts; i++) {
    judge_contact(data, &data->spec[i], &restitution[i], Lambda_C, Lambda_E, &t);
  }
  nsd_expansion_verdict worst = {.residual = t.violation, .speed = t.size, .row = t.row};
  /* A scale far above the load would hide a violation behind impulses that hold each other. */
  worst.scale = t.size <= NSD_CONTACT_MOST_SCALE * t.load ? t.size : NSD_CONTACT_MOST_SCALE * t.load;
  /* A bilateral row may have another unit (an angle): it is its own measure. */
  for (int k = data->rows - data->bilateral; k < data->rows; k++) {
    const velocity v = velocity_of(data, k, Lambda_C, Lambda_E);
    const double violation = fabs(v.gamma);
    if (!(share(violation, v.size) <= share(worst.residual, worst.scale))) {
      worst.residual = violation;
      worst.scale = v.size;
      worst.row = k;
    }
  }
  if (!isfinite(worst.residual)) {
    worst.residual = INFINITY;
  }
  return worst;
}
