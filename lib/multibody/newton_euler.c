/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Newton's and Euler's equations, link by link: accelerations from the roots to the leaves, forces back. */
#include <string.h>

#include "multibody/tree.h"

/* wrench := what each link's own inertia takes at u̇ = 0, with gravity as an acceleration of the world. */
static void gather_bias(nsdyn_tree *tree)
{
  for (int32_t i = 1; i <= tree->nu; i++) {
    const nsd_link *link = &tree->link[i];
    const nsd_link_state *k = &tree->state[i];
    double *F = tree->wrench[i], a[3], Jw[3], across[3];
    if (!link->heavy) {
      memset(F, 0, sizeof tree->wrench[0]);
      continue;
    }
    /* n = J α + h × (a − g) + ω × J ω,  f = m (a − g) + α × h + ω × (ω × h) */
    nsd_vec3_add_scaled(k->a, -1.0, tree->gravity, a);
    nsd_inertia_wrench(link->mass, k->h, k->J, k->alpha, a, F);
    nsd_symmetric_multiply(k->J, k->w, Jw);
    nsd_vec3_cross(k->w, Jw, across);
    nsd_vec3_add_scaled(F, 1.0, across, F);
    nsd_vec3_cross(k->w, k->h, Jw);
    nsd_vec3_cross(k->w, Jw, across);
    nsd_vec3_add_scaled(F + 3, 1.0, across, F + 3);
  }
}

/* wrench := wrench + what accelerations u̇ take; without `with_bias` what is there is forgotten. */
static void gather_accelerations(nsdyn_tree *tree, const double *udot, int with_bias)
{
  memset(tree->twist[0], 0, sizeof tree->twist[0]);
  for (int32_t i = 1; i <= tree->nu; i++) {
    const nsd_link *link = &tree->link[i];
    const nsd_link_state *k = &tree->state[i];
    double *A = tree->twist[i], F[6] = {0.0};
    nsd_twist_at(tree->twist[link->parent], k->r, A);
    nsd_vec3_add_scaled(A, link->turn * udot[i - 1], k->s, A);
    nsd_vec3_add_scaled(A + 3, link->slide * udot[i - 1], k->s, A + 3);
    if (link->heavy) {
      nsd_inertia_wrench(link->mass, k->h, k->J, A, A + 3, F);
    }
    for (int j = 0; j < 6; j++) {
      tree->wrench[i][j] = with_bias ? tree->wrench[i][j] + F[j] : F[j];
    }
  }
}

/* τ_k = sign S · F, with F of all that hangs behind joint k. */
static void sum_up(nsdyn_tree *tree, double sign, double *tau)
{
  memset(tree->wrench[0], 0, sizeof tree->wrench[0]);
  for (int32_t i = tree->nu; i > 0; i--) {
    const nsd_link *link = &tree->link[i];
    const nsd_link_state *k = &tree->state[i];
    tau[i - 1] = sign * nsd_link_dot(link, k->s, tree->wrench[i]);
    nsd_wrench_add_at(k->r, tree->wrench[i], tree->wrench[link->parent]);
  }
}

nsdyn_status nsdyn_tree_force(nsdyn_tree *tree, double *h)
{
  const nsdyn_status status = nsd_tree_begin(tree, h, 1, "nsdyn_tree_force");
  if (!status) {
    gather_bias(tree);
    sum_up(tree, -1.0, h);
  }
  return status;
}

nsdyn_status nsdyn_tree_inverse_dynamics(nsdyn_tree *tree, const double *udot, double *tau)
{
  nsdyn_status status = nsd_tree_begin(tree, udot, 1, "nsdyn_tree_inverse_dynamics");
  status = status ? status : nsd_tree_begin(tree, tau, 2, "nsdyn_tree_inverse_dynamics");
  if (!status) {
    gather_bias(tree);
    gather_accelerations(tree, udot, 1);
    sum_up(tree, 1.0, tau);
  }
  return status;
}

nsdyn_status nsdyn_tree_multiply_mass(nsdyn_tree *tree, const double *x, double *y)
{
  nsdyn_status status = nsd_tree_begin(tree, x, 1, "nsdyn_tree_multiply_mass");
  status = status ? status : nsd_tree_begin(tree, y, 2, "nsdyn_tree_multiply_mass");
  if (!status) { /* M x is what the accelerations x take of bodies at rest, without gravity */
    gather_accelerations(tree, x, 0);
    sum_up(tree, 1.0, y);
  }
  return status;
}
