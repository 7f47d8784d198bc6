/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Newton's and Euler's equations, link by link: accelerations from the roots to the leaves, forces back. */
#include <string.h>

#include "multibody/links.h"

NSD_INLINE_LANES void bias(nsdyn_tree *tree)
{
  for (int32_t i = 1; i <= tree->nu; i++) {
    nsd_space_store(tree->wrench[i], nsd_link_bias(&tree->link[i], &tree->state[i], tree->gravity));
  }
}

/* wrench := wrench + what accelerations u̇ take. */
NSD_INLINE_LANES void add_accelerations(nsdyn_tree *tree, const double *udot)
{
  memset(tree->twist[0], 0, sizeof tree->twist[0]);
  for (int32_t i = 1; i <= tree->nu; i++) {
    const nsd_link *link = &tree->link[i];
    const nsd_link_state *k = &tree->state[i];
    double *A = tree->twist[i];
    const nsd_space_pair carried =
        nsd_space_at(nsd_space_load(tree->twist[link->parent]), nsd_lanes_load(k->r));
    nsd_space_store(A, nsd_link_accelerate(link, nsd_lanes_load(k->s), udot[i - 1], carried));
    if (link->heavy) {
      const nsd_space_pair F =
          nsd_space_plus(nsd_space_inertia(link->mass, nsd_lanes_load(k->h), k->J, A, nsd_space_load(A)), 1.0,
                         nsd_space_load(tree->wrench[i]));
      nsd_space_store(tree->wrench[i], F);
    }
  }
}

/* τ_k = sign S · F, with F of all that hangs behind joint k. */
NSD_INLINE_LANES void sum_up(nsdyn_tree *tree, double sign, double *tau)
{
  memset(tree->wrench[0], 0, sizeof tree->wrench[0]);
  for (int32_t i = tree->nu; i > 0; i--) {
    const nsd_link *link = &tree->link[i];
    const nsd_link_state *k = &tree->state[i];
    const nsd_space_pair F = nsd_space_load(tree->wrench[i]);
    tau[i - 1] = sign * nsd_link_share(link, nsd_lanes_load(k->s), F);
    double *to = tree->wrench[link->parent];
    nsd_space_store(to, nsd_space_plus(nsd_space_load(to), 1.0, nsd_space_back(F, nsd_lanes_load(k->r))));
  }
}

/* sign (M u̇ − h), without h where bodies are to be at rest without gravity, or without M u̇. */
NSD_INLINE_LANES void balance(nsdyn_tree *tree, const double *udot, int with_bias, double sign, double *tau)
{
  if (with_bias) {
    bias(tree);
  } else {
    memset(tree->wrench, 0, (size_t)(tree->nu + 1) * sizeof *tree->wrench);
  }
  if (udot) {
    add_accelerations(tree, udot);
  }
  sum_up(tree, sign, tau);
}

static void balance_plain(nsdyn_tree *tree, const double *udot, int with_bias, double sign, double *tau)
{
  balance(tree, udot, with_bias, sign, tau);
}

NSD_TARGET_AVX2 static void balance_avx2(nsdyn_tree *tree, const double *udot, int with_bias, double sign,
                                         double *tau)
{
  balance(tree, udot, with_bias, sign, tau);
}

static void balance_any(nsdyn_tree *tree, const double *udot, int with_bias, double sign, double *tau)
{
  (nsd_cpu_avx2() ? balance_avx2 : balance_plain)(tree, udot, with_bias, sign, tau);
}

nsdyn_status nsdyn_tree_force(nsdyn_tree *tree, double *h)
{
  const nsdyn_status status = nsd_tree_begin(tree, h, 1, "nsdyn_tree_force");
  if (!status) {
    balance_any(tree, NULL, 1, -1.0, h);
  }
  return status;
}

nsdyn_status nsdyn_tree_inverse_dynamics(nsdyn_tree *tree, const double *udot, double *tau)
{
  nsdyn_status status = nsd_tree_begin(tree, udot, 1, "nsdyn_tree_inverse_dynamics");
  status = status ? status : nsd_tree_begin(tree, tau, 2, "nsdyn_tree_inverse_dynamics");
  if (!status) {
    balance_any(tree, udot, 1, 1.0, tau);
  }
  return status;
}

nsdyn_status nsdyn_tree_multiply_mass(nsdyn_tree *tree, const double *x, double *y)
{
  nsdyn_status status = nsd_tree_begin(tree, x, 1, "nsdyn_tree_multiply_mass");
  status = status ? status : nsd_tree_begin(tree, y, 2, "nsdyn_tree_multiply_mass");
  if (!status) { /* M x is what the accelerations x take of bodies at rest, without gravity */
    balance_any(tree, x, 0, 1.0, y);
  }
  return status;
}
