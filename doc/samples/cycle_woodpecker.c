/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <nsdyn/nsdyn.h>
#include <stdio.h>

enum { BEAK, LOWER, UPPER, CONTACTS };

// The woodpecker toy, q = (y, phi_M, phi_S): Glocker & Studer (2005), Table I.
static const double r_O = 0.0025, r_M = 0.0031, h_M = 0.0058, l_M = 0.010, l_G = 0.015, h_S = 0.02,
                    l_S = 0.0201, m_M = 0.0003, m_S = 0.0045, J_M = 5.0e-9, J_S = 7.0e-7, c_phi = 0.0056,
                    g = 9.81;

static int mass(void *user, double t, const double *q, double *M)
{
  (void)user, (void)t, (void)q;
  M[0] = m_S + m_M;
  M[1] = M[3] = m_S * l_M;
  M[2] = M[6] = m_S * l_G;
  M[4] = J_M + m_S * l_M * l_M;
  M[5] = M[7] = m_S * l_M * l_G;
  M[8] = J_S + m_S * l_G * l_G;
  return 0;
}
static int force(void *user, double t, const double *q, const double *u, double *h)
{
  const double torque = c_phi * (q[1] - q[2]);
  (void)user, (void)t, (void)u;
  h[0] = -(m_S + m_M) * g;
  h[1] = -torque - m_S * l_M * g;
  h[2] = torque - m_S * l_G * g;
  return 0;
}
static int gap(void *user, double t, const double *q, double *gaps)
{
  (void)user, (void)t;
  gaps[BEAK] = l_M + l_G - l_S - r_O - h_S * q[2];
  gaps[LOWER] = r_M - r_O + h_M * q[1];
  gaps[UPPER] = r_M - r_O - h_M * q[1];
  return 0;
}
static int direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  (void)user, (void)t, (void)q;
  w_hat[0] = w_hat[1] = 0.0; // the pole stands still
  W[3] = 1.0;
  if (i == BEAK) {
    W[2] = -h_S;
    W[4] = l_M;
    W[5] = l_G - l_S;
  } else {
    W[1] = i == LOWER ? h_M : -h_M;
    W[4] = r_M;
  }
  return 0;
}

static nsdyn_status make_system(nsdyn_system **sys)
{
  nsdyn_system_def def;
  nsdyn_system_def_init(&def, sizeof def);
  def.nq = def.nu = 3;
  def.ncontacts = CONTACTS;
  def.flags = NSDYN_CONSTANT_MASS | NSDYN_CONSTANT_DIRECTIONS;
  def.mass = mass;
  def.force = force;
  def.gap = gap;
  def.direction = direction;
  nsdyn_status status = nsdyn_system_new(NULL, &def, sys, NULL);
  for (int i = 0; status == NSDYN_OK && i < CONTACTS; i++) {
    nsdyn_contact_law law;
    nsdyn_contact_law_init(&law, sizeof law);
    law.mu = 0.3;
    law.eps_n = i == BEAK ? 0.5 : 0.0;
    status = nsdyn_system_set_contact(*sys, i, &law);
  }
  return status;
}

static void print_cycle(const nsdyn_cycle *cycle)
{
  nsdyn_cycle_find_report result = {.size = sizeof result};
  int32_t count;
  const double *lambda = nsdyn_cycle_multipliers(cycle, &count);
  const nsdyn_event_driver *driver = nsdyn_cycle_driver(cycle);
  nsdyn_cycle_report(cycle, &result);
  printf("period %.9f s, drop %.7f mm\n", result.period, -1e3 * nsdyn_cycle_shift(cycle)[0]);
  printf("largest multiplier %.5f: %s\n", lambda[0], result.stable ? "stable" : "unstable");
  const double begin = nsdyn_event_driver_time(driver) - result.period;
  for (int64_t k = 0; k < nsdyn_event_driver_events(driver); k++) {
    nsdyn_event event = {.size = sizeof event};
    nsdyn_event_driver_event(driver, k, &event);
    printf("%11.6f ms: %s, contact %d\n", 1e3 * (event.t - begin), nsdyn_event_name(event.kind),
           (int)event.contact);
  }
}

int main(void)
{
  const double q[3] = {0.0, -(0.0031 - 0.0025) / 0.0058, -0.2788}, u[3] = {-0.3411, 0.0, -7.4583};
  const int32_t drift[3] = {1, 0, 0}; // it comes down
  nsdyn_system *sys;
  nsdyn_cycle *cycle = NULL;
  nsdyn_cycle_options options;
  nsdyn_cycle_options_init(&options, sizeof options);
  options.kind = NSDYN_EVENT_IMPACT; // from one stroke of the beak to the next
  options.contact = BEAK;
  options.drift = drift;
  nsdyn_status status = make_system(&sys);
  if (status == NSDYN_OK) {
    status = nsdyn_cycle_new(NULL, sys, &options, &cycle, NULL);
  }
  if (status == NSDYN_OK) {
    status = nsdyn_cycle_set_state(cycle, 0.0, q, u);
  }
  if (status == NSDYN_OK) {
    status = nsdyn_cycle_find(cycle);
  }
  if (status == NSDYN_OK) {
    print_cycle(cycle);
  }
  nsdyn_cycle_free(cycle);
  nsdyn_system_free(sys);
  return status != NSDYN_OK;
}
