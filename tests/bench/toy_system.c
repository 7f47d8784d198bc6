/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "toy_system.h"

static int mass(void *user, double t, const double *q, double *M)
{
  (void)t, (void)q;
  const floor_toy *p = user;
  M[0] = p->m_S + p->m_M;
  M[1] = M[3] = p->m_S * p->l_M;
  M[2] = M[6] = p->m_S * p->l_G;
  M[4] = p->J_M + p->m_S * p->l_M * p->l_M;
  M[5] = M[7] = p->m_S * p->l_M * p->l_G;
  M[8] = p->J_S + p->m_S * p->l_G * p->l_G;
  return 0;
}

static int force(void *user, double t, const double *q, const double *u, double *h)
{
  (void)t, (void)u;
  const floor_toy *p = user;
  const double torque = p->c_phi * (q[1] - q[2]);
  h[0] = -(p->m_S + p->m_M) * p->g;
  h[1] = -torque - p->m_S * p->l_M * p->g;
  h[2] = torque - p->m_S * p->l_G * p->g;
  return 0;
}

static int gap(void *user, double t, const double *q, double *g)
{
  (void)t;
  const floor_toy *p = user;
  g[0] = p->l_M + p->l_G - p->l_S - p->r_O - p->h_S * q[2];
  g[1] = p->r_M - p->r_O + p->h_M * q[1];
  g[2] = p->r_M - p->r_O - p->h_M * q[1];
  return 0;
}

static int direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  (void)t, (void)q;
  const floor_toy *p = user;
  w_hat[0] = w_hat[1] = 0.0;
  W[3] = 1.0;
  if (i == 0) {
    W[2] = -p->h_S;
    W[4] = p->l_M;
    W[5] = p->l_G - p->l_S;
  } else {
    W[1] = i == 1 ? p->h_M : -p->h_M;
    W[4] = p->r_M;
  }
  return 0;
}

nsdyn_status toy_system(floor_toy *p, int64_t flags, nsdyn_system **out)
{
  nsdyn_system_def def;
  nsdyn_system_def_init(&def, sizeof def);
  def.nq = def.nu = 3;
  def.ncontacts = 3;
  def.flags = flags;
  def.user = p;
  def.mass = mass;
  def.force = force;
  def.gap = gap;
  def.direction = direction;
  nsdyn_status status = nsdyn_system_new(NULL, &def, out, NULL);
  for (int i = 0; i < 3 && status == NSDYN_OK; i++) {
    nsdyn_contact_law law;
    nsdyn_contact_law_init(&law, sizeof law);
    law.mu = p->mu[i];
    law.eps_n = p->eps_N[i];
    status = nsdyn_system_set_contact(*out, i, &law);
  }
  return status;
}
