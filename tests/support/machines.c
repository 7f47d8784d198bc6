/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "machines.h"

#include <math.h>
#include <string.h>

/* Glocker & Studer (2005), eqs. 13–16. */
void machine_woodpecker(const exact_woodpecker *p, model *m)
{
  const double M[9] = {p->m_S + p->m_M,
                       p->m_S * p->l_M,
                       p->m_S * p->l_G,
                       p->m_S * p->l_M,
                       p->J_M + p->m_S * p->l_M * p->l_M,
                       p->m_S * p->l_M * p->l_G,
                       p->m_S * p->l_G,
                       p->m_S * p->l_M * p->l_G,
                       p->J_S + p->m_S * p->l_G * p->l_G};
  const double weight[3] = {(p->m_S + p->m_M) * p->g, p->m_S * p->l_M * p->g, p->m_S * p->l_G * p->g};
  model_clear(m, 3);
  memcpy(m->M0, M, sizeof M);
  for (int i = 0; i < 3; i++) {
    m->f[i] = -weight[i];
  }
  m->K[4] = m->K[8] = p->c_phi;
  m->K[5] = m->K[7] = -p->c_phi;
  model_contact *beak = model_add_contact(m, p->l_M + p->l_G - p->l_S - p->r_O, 2, 0, p->mu[0], p->eps_N[0]);
  beak->n[2] = -p->h_S;
  beak->tangent[1] = p->l_M;
  beak->tangent[2] = p->l_G - p->l_S;
  for (int i = 1; i < 3; i++) {
    model_contact *edge = model_add_contact(m, p->r_M - p->r_O, 1, 0, p->mu[i], p->eps_N[i]);
    edge->n[1] = i == 1 ? p->h_M : -p->h_M;
    edge->tangent[1] = p->r_M;
  }
}

void machine_ball(const exact_bounce *p, model *m)
{
  model_clear(m, 1);
  m->f[0] = -p->g;
  model_add_contact(m, 0.0, 0, -1, 0.0, p->eps);
}

static void set_friction(model_contact *c, double mu_static)
{
  c->law.friction = NSDYN_FRICTION_STATIC;
  c->law.mu_static = mu_static;
}

void machine_ramp(const exact_ramp *p, model *m)
{
  model_clear(m, 2);
  m->f[0] = p->g * sin(p->theta);
  m->f[1] = -p->g * cos(p->theta);
  set_friction(model_add_contact(m, 0.0, 1, 0, p->mu_dynamic, 0.0), p->mu_static);
}

void machine_belt(const exact_belt *p, model *m)
{
  model_clear(m, 2);
  m->f[1] = -p->g;
  m->K[0] = p->omega * p->omega;
  model_contact *c = model_add_contact(m, 0.0, 1, 0, p->mu_dynamic, 0.0);
  set_friction(c, p->mu_static);
  c->belt = -p->V;
}

void machine_disk(const exact_disk *p, model *m)
{
  model_clear(m, 3);
  m->M0[8] = p->kappa * p->R * p->R;
  m->f[0] = p->g * sin(p->theta);
  m->f[1] = -p->g * cos(p->theta);
  model_contact *c = model_add_contact(m, -p->R, 1, 0, p->mu, 0.0);
  c->tangent[2] = p->R;
}

void machine_cradle(const exact_cradle *p, model *m)
{
  model_clear(m, p->k);
  for (int i = 0; i < p->k; i++) {
    m->M0[i * p->k + i] = (double)p->mass[i];
  }
  for (int i = 0; i + 1 < p->k; i++) {
    model_add_contact(m, 0.0, i + 1, -1, 0.0, (double)p->eps[i])->n[i] = -1.0;
  }
}

/* ---- the rod: w_N = (0, 1, −l/2 cos θ), w_T = (1, 0, l/2 sin θ) ---- */

static int rod_mass(void *user, double t, const double *q, double *M)
{
  const exact_rod *p = user;
  (void)t, (void)q;
  M[0] = M[4] = p->m;
  M[8] = p->m * p->l * p->l / 12.0;
  return 0;
}

static int rod_force(void *user, double t, const double *q, const double *u, double *h)
{
  const exact_rod *p = user;
  (void)t, (void)q, (void)u;
  h[1] = -p->m * p->g;
  return 0;
}

static int rod_gap(void *user, double t, const double *q, double *g)
{
  const exact_rod *p = user;
  (void)t;
  g[0] = q[1] - 0.5 * p->l * sin(q[2]);
  return 0;
}

static int rod_direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  const exact_rod *p = user;
  (void)t, (void)i;
  w_hat[0] = w_hat[1] = 0.0; /* the table rests */
  W[1] = 1.0;
  W[2] = -0.5 * p->l * cos(q[2]);
  W[3] = 1.0;
  W[5] = 0.5 * p->l * sin(q[2]);
  return 0;
}

nsdyn_system_def machine_rod(exact_rod *p)
{
  nsdyn_system_def def;
  nsdyn_system_def_init(&def, sizeof def);
  def.nq = def.nu = 3;
  def.ncontacts = 1;
  def.flags = NSDYN_CONSTANT_MASS;
  def.user = p;
  def.mass = rod_mass;
  def.force = rod_force;
  def.gap = rod_gap;
  def.direction = rod_direction;
  return def;
}
