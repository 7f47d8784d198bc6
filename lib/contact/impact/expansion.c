/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "contact/impact/expansion.h"

#include <math.h>

#include "base/assert.h"
#include "setvalued/nearest.h"

/* Whether friction has unknowns of its own: a given bound and μ = 0 leave Λ_T = 0. */
static int has_friction(const nsd_contact_spec *spec)
{
  return spec->friction == NSD_FRICTION_LOAD && spec->mu > 0.0;
}

static int is_slot(const nsd_contact_spec *spec)
{
  return spec->kind == NSDYN_CONTACT_BILATERAL;
}

nsd_expansion_law nsd_expansion_law_of(const nsd_contact_spec *spec, const nsd_restitution *restitution,
                                       double Lambda_NC, double Lambda_TC)
{
  const double mu = has_friction(spec) ? spec->mu : 0.0;
  const double load = fabs(Lambda_NC);
  /* L = ε_N |Λ_NC|; a slot without friction has no use for it. */
  nsd_expansion_law law = {.alpha_a = mu, .alpha_b = mu};
  law.L = is_slot(spec) && mu == 0.0 ? 0.0 : restitution->eps_n * load;
  const double nu = restitution->reversal;
  /* A direction of Λ_TC that is rounding moves no end of the interval. */
  if (mu == 0.0 || !(fabs(Lambda_TC) > NSD_EXPANSION_NO_DIRECTION * mu * load)) {
    return law;
  }
  /* r = ν ε_N ε_T Λ_TC; the end on the side of Λ_TC stays, the other one moves. */
  const double returned = nu * restitution->eps_n * restitution->eps_t * Lambda_TC;
  if (Lambda_TC > 0.0) {
    law.alpha_a = (1.0 - nu) * mu;
    law.r_a = returned;
  } else {
    law.alpha_b = (1.0 - nu) * mu;
    law.r_b = returned;
  }
  return law;
}

int nsd_expansion_is_idle(const nsd_expansion *e)
{
  for (int i = 0; i < e->data->contacts; i++) {
    if (e->law[i].L > 0.0) {
      return 0;
    }
  }
  return 1;
}

/* a and b at a normal impulse; Q = max(L, |Λ_N|) for every contact. Rounding may let them meet the wrong way
 * round by a bit: then both are one. */
static void interval_at(const nsd_expansion_law *law, double Lambda_N, double *a, double *b)
{
  /* a = r_a − α_a Q, b = r_b + α_b Q. */
  const double load = fabs(Lambda_N) > law->L ? fabs(Lambda_N) : law->L;
  *a = law->r_a - law->alpha_a * load;
  *b = law->r_b + law->alpha_b * load;
  if (*a > *b) {
    *a = *b = law->r_a > 0.0 ? *b : *a;
  }
}

double nsd_expansion_reserve_of(const nsd_expansion_law *law, double Lambda_N, double Lambda_T)
{
  double a;
  double b;
  interval_at(law, Lambda_N, &a, &b);
  return Lambda_T - a < b - Lambda_T ? Lambda_T - a : b - Lambda_T;
}

static int unknowns_of(const nsd_contact_spec *spec, nsd_expansion_form form)
{
  if (!has_friction(spec)) {
    return 1;
  }
  return form == NSD_EXPANSION_SHORT && !is_slot(spec) ? 3 : 5;
}

int nsd_expansion_unknowns(const nsd_expansion *e, nsd_expansion_form form)
{
  int n = e->data->bilateral;
  for (int i = 0; i < e->data->contacts; i++) {
    n += unknowns_of(&e->data->spec[i], form);
  }
  return n;
}

/* ---- the unknowns of one contact --------------------------------------------------------------------- */

static const nsd_expansion_unknown no_effect = {.normal = -1, .tangent = -1, .velocity = -1};

static double *element(const nsd_expansion_lcp *lcp, int i, int j)
{
  return lcp->A + (size_t)i * (size_t)lcp->n + (size_t)j;
}

/* An unknown that adds to Λ_N alone, with γ_N in its row. */
static nsd_expansion_unknown normal_unknown(int row)
{
  nsd_expansion_unknown u = no_effect;
  u.normal = row;
  u.by_normal = 1.0;
  u.velocity = row;
  return u;
}

/* The same for Λ_T and γ_T; sign −1: both opposite. */
static nsd_expansion_unknown tangent_unknown(int row, double sign)
{
  nsd_expansion_unknown u = no_effect;
  u.tangent = row;
  u.by_tangent = sign;
  u.velocity = row;
  u.minus = sign < 0.0;
  return u;
}

/* (P, Λ_R, γ_L): P is unknown p, the other two stand from j on. */
static void add_interval(nsd_expansion_lcp *lcp, int p, int j, int row, const nsd_expansion_law *law)
{
  const double width = law->alpha_a + law->alpha_b;
  /* Λ_T = Λ_R − α_a (P + L) + r_a = a + Λ_R: Λ_R is the distance
   * from the lower end, Λ_L from the upper one. */
  lcp->unknown[p].tangent = row + 1;
  lcp->unknown[p].by_tangent = -law->alpha_a;
  lcp->unknown[j] = tangent_unknown(row + 1, 1.0);
  lcp->unknown[j + 1] = no_effect;
  /* γ_R = γ_T + γ_L; Λ_L = b − a − Λ_R = (α_a + α_b) (P + L) + r_b − r_a − Λ_R. */
  *element(lcp, j, j + 1) = 1.0;
  *element(lcp, j + 1, p) = width;
  *element(lcp, j + 1, j) = -1.0;
  lcp->b[j + 1] = width * law->L + law->r_b - law->r_a;
  lcp->Lambda_0[row + 1] = law->r_a - law->alpha_a * law->L;
}

/* (P, τ₊, τ₋, λ₊, λ₋) from unknown j on. */
static void add_copositive(nsd_expansion_lcp *lcp, int j, int row, const nsd_expansion_law *law)
{
  double a;
  double b;
  interval_at(law, law->L, &a, &b);
  /* t₀ is the impulse next to zero in the interval at P = 0. */
  const double t0 = nsd_nearest_in_interval(0.0, a, b);
  lcp->unknown[j] = normal_unknown(row);
  for (int side = 0; side < 2; side++) {
    const int tau = j + 1 + side;
    const int lambda = j + 3 + side;
    lcp->unknown[tau] = tangent_unknown(row + 1, side ? -1.0 : 1.0);
    lcp->unknown[lambda] = no_effect;
    /* y_τ = ±γ_T + λ, and the distances of Λ_T from both ends:
     * y_λ₊ = b − t₀ + α_b P − τ₊, y_λ₋ = t₀ − a + α_a P − τ₋. */
    *element(lcp, tau, lambda) = 1.0;
    *element(lcp, lambda, tau) = -1.0;
    *element(lcp, lambda, j) = side ? law->alpha_a : law->alpha_b;
    lcp->b[lambda] = side ? t0 - a : b - t0;
  }
  lcp->Lambda_0[row + 1] = t0;
}

/* (Λ_N free, N⁺, P, Λ_R, γ_L) of a slot from unknown j on. */
static void add_slot(nsd_expansion_lcp *lcp, int j, int row, const nsd_expansion_law *law)
{
  /* Row Λ_N: γ_N = 0, Λ_N free. */
  lcp->unknown[j] = normal_unknown(row);
  lcp->lo[j] = -INFINITY;
  /* Row N⁺: N⁻ = N⁺ − Λ_N. */
  lcp->unknown[j + 1] = no_effect;
  *element(lcp, j + 1, j) = -1.0;
  *element(lcp, j + 1, j + 1) = 1.0;
  /* Row P: Q − |Λ_N| = P + L − 2 N⁺ + Λ_N >= 0. */
  lcp->unknown[j + 2] = no_effect;
  *element(lcp, j + 2, j) = 1.0;
  *element(lcp, j + 2, j + 1) = -2.0;
  *element(lcp, j + 2, j + 2) = 1.0;
  lcp->b[j + 2] = law->L;
  add_interval(lcp, j + 2, j + 3, row, law);
}

static int add_contact(nsd_expansion_lcp *lcp, int j, const nsd_contact_spec *spec,
                       const nsd_expansion_law *law, nsd_expansion_form form)
{
  const int row = spec->row;
  /* Λ at x = 0: Λ_N = L where it may open. */
  lcp->Lambda_0[row] = is_slot(spec) ? 0.0 : law->L;
  if (spec->friction != NSD_FRICTION_NONE) {
    lcp->Lambda_0[row + 1] = 0.0;
  }
  if (!has_friction(spec)) {
    lcp->unknown[j] = normal_unknown(row);
    lcp->lo[j] = is_slot(spec) ? -INFINITY : 0.0;
  } else if (is_slot(spec)) {
    add_slot(lcp, j, row, law);
  } else if (form == NSD_EXPANSION_SHORT) {
    lcp->unknown[j] = normal_unknown(row);
    add_interval(lcp, j, j + 1, row, law);
  } else {
    add_copositive(lcp, j, row, law);
  }
  return unknowns_of(spec, form);
}

/* ---- the LCP ----------------------------------------------------------------------------------------- */

/* Row i: ±(G Λ(x) + γ_C) beside what stands there already. */
static void add_velocity_row(const nsd_contact_data *data, nsd_expansion_lcp *lcp, int i)
{
  const nsd_expansion_unknown *own = &lcp->unknown[i];
  if (own->velocity < 0) {
    return;
  }
  /* y_i = ±γ_k, γ = γ_C + G Λ_0 + Σ_j (what x_j adds to Λ) G. */
  const double *g = data->G + (size_t)own->velocity * (size_t)data->ldg;
  const double sign = own->minus ? -1.0 : 1.0;
  for (int j = 0; j < lcp->n; j++) {
    const nsd_expansion_unknown *u = &lcp->unknown[j];
    double sum = 0.0;
    sum += u->normal >= 0 ? g[u->normal] * u->by_normal : 0.0;
    sum += u->tangent >= 0 ? g[u->tangent] * u->by_tangent : 0.0;
    *element(lcp, i, j) += sign * sum;
  }
  double at_zero = data->c[own->velocity];
  for (int k = 0; k < data->rows; k++) {
    at_zero += g[k] * lcp->Lambda_0[k];
  }
  lcp->b[i] += sign * at_zero;
}

void nsd_expansion_form_lcp(const nsd_expansion *e, nsd_expansion_form form, nsd_expansion_lcp *lcp)
{
  const nsd_contact_data *data = e->data;
  const int n = lcp->n;
  for (size_t k = 0; k < (size_t)n * (size_t)n; k++) {
    lcp->A[k] = 0.0;
  }
  for (int i = 0; i < n; i++) {
    lcp->b[i] = 0.0;
    lcp->lo[i] = 0.0;
    lcp->hi[i] = INFINITY;
  }
  /* Contacts first, each with its own rows; then the bilateral constraints, γ = 0 with Λ free. */
  int j = 0;
  for (int i = 0; i < data->contacts; i++) {
    j += add_contact(lcp, j, &data->spec[i], &e->law[i], form);
  }
  for (int k = data->rows - data->bilateral; k < data->rows; k++) {
    lcp->unknown[j] = normal_unknown(k);
    lcp->lo[j] = -INFINITY;
    lcp->Lambda_0[k] = 0.0;
    j++;
  }
  NSD_ASSERT(j == n);
  /* Velocities come last: they need all unknowns. */
  for (int i = 0; i < n; i++) {
    add_velocity_row(data, lcp, i);
  }
}

void nsd_expansion_read(const nsd_expansion *e, const nsd_expansion_lcp *lcp, double *Lambda)
{
  const nsd_contact_data *data = e->data;
  for (int k = 0; k < data->rows; k++) {
    Lambda[k] = lcp->Lambda_0[k];
  }
  /* Λ = Λ_0 + Σ x_j (what it adds). */
  for (int j = 0; j < lcp->n; j++) {
    const nsd_expansion_unknown *u = &lcp->unknown[j];
    if (u->normal >= 0) {
      Lambda[u->normal] += u->by_normal * lcp->x[j];
    }
    if (u->tangent >= 0) {
      Lambda[u->tangent] += u->by_tangent * lcp->x[j];
    }
  }
  /* Rounding may have left the interval by a bit. */
  for (int i = 0; i < data->contacts; i++) {
    const nsd_contact_spec *spec = &data->spec[i];
    if (has_friction(spec)) {
      double a;
      double b;
      interval_at(&e->law[i], Lambda[spec->row], &a, &b);
      Lambda[spec->row + 1] = nsd_nearest_in_interval(Lambda[spec->row + 1], a, b);
    }
  }
}
