/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "base/safe_scalar.h"
#include "base/tolerances.h"
#include "contact/object.h"
#include "contact/planar/states.h"
#include "contact/space/friction.h"

/* ξ as a caller gets it: zero where Λ is further from the edge of its law than ξ from zero. */
static void clean_xi(const nsd_contact_spec *s, double trace, const double *Lambda, double *xi)
{
  const int rows = nsd_contact_rows_of(s);
  const double r = trace / rows;
  double *xi_T = xi + 1;
  xi[0] = nsd_contact_clean_normal(s, r, Lambda[0], xi[0]);
  const double limit = nsd_friction_limit(s, Lambda[0]);
  if (rows == 2) {
    xi_T[0] = nsd_contact_clean_tangential(s, r, Lambda[0], Lambda[1], xi_T[0]);
  } else if (rows == 3 && !s->sliding && nsd_norm_plane(xi_T[0], xi_T[1]) > 0.0) {
    /* Inside of C by more than ξ_T / r: it sticks. */
    const double aim[2] = {r * Lambda[1] - 2.0 * xi_T[0], r * Lambda[2] - 2.0 * xi_T[1]};
    double nearest[2];
    nsd_friction_project(s, r * limit, aim, nearest);
    if (nearest[0] == aim[0] && nearest[1] == aim[1]) {
      xi_T[0] = xi_T[1] = 0.0;
    }
  }
}

int32_t nsd_space_mode_of(const nsd_contact_spec *s, double press, const double *xi_T, double tau,
                          double *slip)
{
  slip[0] = slip[1] = 0.0;
  if (!s->space) {
    const int has_tangent = s->friction != NSD_FRICTION_NONE;
    const int32_t mode = nsd_contact_mode_of(s, press, has_tangent ? xi_T[0] : 0.0, tau);
    slip[0] = mode == NSDYN_MODE_SLIP_PLUS ? 1.0 : mode == NSDYN_MODE_SLIP_MINUS ? -1.0 : 0.0;
    return mode;
  }
  const double speed = nsd_norm_plane(xi_T[0], xi_T[1]);
  const int32_t mode = nsd_contact_mode_of(s, press, speed, tau);
  if (mode != NSDYN_MODE_SLIP_PLUS) { /* speed and `sliding` are not negative */
    return mode;
  }
  slip[0] = s->sliding ? s->slip[0] : xi_T[0] / speed;
  slip[1] = s->sliding ? s->slip[1] : xi_T[1] / speed;
  return NSDYN_MODE_SLIP;
}

void nsd_space_hand_out(nsdyn_contact *s, const nsd_contact_data *d, const double *Lambda,
                        const double *best_xi, double speed, double *xi)
{
  const nsd_operator *G = nsd_space_operator(&s->in_space, d);
  const double tau = NSD_MODE_TOL * speed;
  nsd_space_start(&s->in_space, Lambda, d->rows);
  for (int i = 0; i < d->rows && xi; i++) {
    xi[i] = i < nsd_contact_own_rows(d) ? best_xi[i] : 0.0;
  }
  for (int i = 0; i < d->contacts; i++) {
    const nsd_contact_spec *c = &d->spec[i];
    const double *own = G->own + (size_t)i * 9;
    const double press = own[0] * Lambda[c->row];
    s->states[i] = 0; /* states are the plane's: a step keeps one per contact all the same */
    s->modes[i] = nsd_space_mode_of(c, press, best_xi + c->row + 1, tau, s->slip + 2 * (size_t)i);
    if (xi) {
      clean_xi(c, own[0] + own[4] + own[8], Lambda + c->row, xi + c->row);
    }
  }
  if (s->fault.status) {
    nsd_fault_clear(&s->fault);
  }
}
