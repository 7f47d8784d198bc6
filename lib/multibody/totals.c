/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Masses, momenta and energies of all links together. */
#include "multibody/tree.h"

nsdyn_status nsdyn_tree_totals_init(nsdyn_tree_totals *totals, size_t size)
{
  return nsd_sized_init(totals, size, NSD_TREE_TOTALS_LEAST, NULL, sizeof *totals);
}

nsdyn_status nsdyn_tree_measure(nsdyn_tree *tree, nsdyn_tree_totals *totals)
{
  const nsdyn_status status = nsd_tree_begin(tree, totals, 1, "nsdyn_tree_measure");
  if (status) {
    return status;
  }
  nsdyn_tree_totals own = {.size = sizeof own};
  double first[3] = {0.0}; /* Σ m r */
  for (int32_t i = 1; i <= tree->nu; i++) {
    const nsd_link *link = &tree->link[i];
    const nsd_link_state *k = &tree->state[i];
    double p[3], L[3], J[6], across[3];
    if (!link->heavy) {
      continue;
    }
    /* p = m v + ω × h, and about the link's origin L = J ω + h × v; then T = ½ (v · p + ω · L) */
    nsd_vec3_cross(k->w, k->h, p);
    nsd_vec3_add_scaled(p, link->mass, k->v, p);
    nsd_symmetric_of(k->J, J);
    nsd_symmetric_multiply(J, k->w, L);
    nsd_vec3_cross(k->h, k->v, across);
    nsd_vec3_add_scaled(L, 1.0, across, L);
    own.kinetic += 0.5 * (nsd_vec3_dot(k->v, p) + nsd_vec3_dot(k->w, L));
    own.mass += link->mass;
    nsd_vec3_add_scaled(first, link->mass, k->o, first);
    nsd_vec3_add_scaled(first, 1.0, k->h, first);
    nsd_vec3_add_scaled(own.momentum, 1.0, p, own.momentum);
    nsd_vec3_cross(k->o, p, across);
    nsd_vec3_add_scaled(own.angular, 1.0, L, own.angular);
    nsd_vec3_add_scaled(own.angular, 1.0, across, own.angular);
  }
  own.potential = -nsd_vec3_dot(tree->gravity, first);
  for (int i = 0; i < 3; i++) {
    own.centre[i] = own.mass > 0.0 ? first[i] / own.mass : 0.0;
  }
  return nsd_sized_tell(totals, NSD_TREE_TOTALS_LEAST, &own, sizeof own, "nsdyn_tree_totals", &tree->fault);
}
