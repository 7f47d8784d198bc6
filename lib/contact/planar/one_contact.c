/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "contact/planar/one_contact.h"

#include "base/tolerances.h"
#include "contact/certificate.h"
#include "contact/planar/states.h"

nsd_planar_one_contact nsd_planar_one_contact_of(const nsd_contact_data *d, const nsd_contact_spec *s)
{
  const double *N = nsd_contact_row(d, s->row) + s->row;
  nsd_planar_one_contact b = {.NN = N[0]};
  if (nsd_contact_tangent(s) >= 0) {
    const double *T = nsd_contact_row(d, s->row + 1) + s->row;
    b.NT = 0.5 * N[1] + 0.5 * T[0];
    b.TT = T[1];
  }
  /* Stick: both rows of y + G_ii Λ = 0, whose determinant must be more than what rounding leaves. */
  const double product = b.NN * b.TT;
  const double det = product - b.NT * b.NT;
  b.stick = det > NSD_CLOSED_FORM_SINGULAR * product && product > 0.0 ? 1.0 / det : 0.0;
  /* Slip with Λ_T = f μ Λ_N: ξ_N = y_N + (NN + f μ NT) Λ_N. Where that is not positive the contact locks. */
  for (int k = 0; k < 2; k++) {
    const double p = b.NN + (k == 0 ? -1.0 : 1.0) * s->mu * b.NT;
    b.slip[k] = p > NSD_CLOSED_FORM_SINGULAR * b.NN ? 1.0 / p : 0.0;
  }
  return b;
}

/* Coulomb's law of a unilateral contact: open, stick, or slip against ξ_T. 0 where rounding or a block that
 * locks leaves none of them. */
static int solve_coulomb(const nsd_planar_one_contact *b, double mu, const double *y, double *Lambda)
{
  /* It opens by itself: Λ = 0, ξ_N = y_N >= 0. */
  if (y[0] >= 0.0) {
    Lambda[0] = Lambda[1] = 0.0;
    return 1;
  }
  /* It sticks: Λ = −G_ii⁻¹ y, where friction is within its cone. */
  if (b->stick != 0.0) {
    const double N = (b->NT * y[1] - b->TT * y[0]) * b->stick;
    const double T = (b->NT * y[0] - b->NN * y[1]) * b->stick;
    if (N >= 0.0 && fabs(T) <= mu * N) {
      Lambda[0] = N;
      Lambda[1] = T;
      return 1;
    }
  }
  /* It slides: ξ_N = 0 with Λ_T = f μ Λ_N, and ξ_T against the friction. */
  for (int k = 0; k < 2; k++) {
    const double f = k == 0 ? -1.0 : 1.0;
    const double N = -y[0] * b->slip[k];
    const double xi_T = y[1] + (b->NT + f * mu * b->TT) * N;
    if (N > 0.0 && f * xi_T <= 0.0) {
      Lambda[0] = N;
      Lambda[1] = f * mu * N;
      return 1;
    }
  }
  return 0;
}

/* Λ by the equations of a state; 0 where they are singular. */
static int solve_state(const nsd_planar_one_contact *b, const nsd_contact_spec *s, int32_t state,
                       const double *y, double *Lambda)
{
  const double f = nsd_state_factor(state);
  const int closed = nsd_state_is_closed(state);
  /* Λ = −G_ii⁻¹ y where it is closed and sticks; open, but held by friction of a given bound: ξ_T = 0 alone.
   */
  if (nsd_state_sticks(state)) {
    if (closed) {
      Lambda[0] = (b->NT * y[1] - b->TT * y[0]) * b->stick;
      Lambda[1] = (b->NT * y[0] - b->NN * y[1]) * b->stick;
      return b->stick != 0.0;
    }
    Lambda[0] = 0.0;
    Lambda[1] = b->TT > 0.0 ? -y[1] / b->TT : 0.0;
    return b->TT > 0.0;
  }
  /* ξ_N = y_N + NN Λ_N + NT f (μ Λ_N + bound) = 0 */
  const double given = f * s->bound;
  const double p = b->NN + f * s->mu * b->NT;
  const int regular = !closed || fabs(p) > NSD_CLOSED_FORM_SINGULAR * b->NN;
  Lambda[0] = closed && regular ? -(y[0] + b->NT * given) / p : 0.0;
  Lambda[1] = f * s->mu * Lambda[0] + given;
  return regular;
}

/* By how much Λ misses the law, once it is projected onto what the law allows. */
static double miss_of(const nsd_planar_one_contact *b, const nsd_contact_spec *s, const double *y,
                      double *Lambda)
{
  /* Projected onto C, Λ obeys its bounds; what is left to miss is Λ = prox_C(Λ − r ξ), row by row. */
  nsd_contact_project(s, &Lambda[0], &Lambda[1]);
  const double xi_N = y[0] + (b->NN * Lambda[0] + b->NT * Lambda[1]);
  if (s->friction == NSD_FRICTION_NONE) {
    return nsd_contact_miss_normal(s->kind, nsd_contact_stiffness(b->NN, b->NN), Lambda[0], xi_N);
  }
  const double xi_T = y[1] + (b->NT * Lambda[0] + b->TT * Lambda[1]);
  const double r = nsd_contact_stiffness(b->NN, b->TT);
  const double limit = r * (s->friction == NSD_FRICTION_GIVEN ? s->bound : s->mu * fabs(Lambda[0]));
  return nsd_larger(nsd_contact_miss_normal(s->kind, r, Lambda[0], xi_N),
                    nsd_contact_miss_tangential(r, limit, s->sliding, Lambda[1], xi_T));
}

void nsd_planar_one_contact_solve(const nsd_planar_one_contact *b, const nsd_contact_spec *s, const double *y,
                                  double *Lambda)
{
  const int has_tangent = s->friction != NSD_FRICTION_NONE;
  if (nsd_contact_is_coulomb(s) && solve_coulomb(b, s->mu, y, Lambda)) {
    return;
  }
  /* Else all states that the law knows, and the impulses of before, compete: the least miss is taken. */
  double best[2] = {Lambda[0], has_tangent ? Lambda[1] : 0.0};
  double least = miss_of(b, s, y, best);
  const unsigned known = nsd_contact_states(s);
  for (int32_t state = 0; state < NSD_STATES && least > 0.0; state++) {
    double trial[2];
    if (!(known & 1u << (unsigned)state) || !solve_state(b, s, state, y, trial)) {
      continue;
    }
    const double miss = miss_of(b, s, y, trial);
    if (miss < least) {
      least = miss;
      best[0] = trial[0];
      best[1] = trial[1];
    }
  }
  Lambda[0] = best[0];
  if (has_tangent) {
    Lambda[1] = best[1];
  }
}
