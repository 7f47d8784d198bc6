/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* M by composite bodies: column k is what one unit of u̇_k takes of all behind joint k, at the joints before
 * it. */
#include <string.h>

#include "multibody/tree.h"

/* Inertias of all behind each joint, about its link's origin: a mass m whose centre is at r + c instead of c
 * has h' = h + m r and J' = J + (2 h · r + m r²) 1 − h rᵀ − r hᵀ − m r rᵀ. */
static void gather(nsdyn_tree *tree)
{
  for (int32_t i = 0; i <= tree->nu; i++) {
    nsd_composite *own = &tree->composite[i];
    memset(own, 0, sizeof *own);
    if (i > 0) {
      own->mass = tree->link[i].mass;
      memcpy(own->h, tree->state[i].h, sizeof own->h);
      nsd_symmetric_of(tree->state[i].J, own->J);
    }
  }
  for (int32_t i = tree->nu; i > 0; i--) {
    const nsd_composite *from = &tree->composite[i];
    nsd_composite *to = &tree->composite[tree->link[i].parent];
    const double *r = tree->state[i].r, *h = from->h, m = from->mass;
    const double all = 2.0 * nsd_vec3_dot(h, r) + m * nsd_vec3_dot(r, r);
    to->mass += m;
    nsd_vec3_add_scaled(to->h, 1.0, h, to->h);
    nsd_vec3_add_scaled(to->h, m, r, to->h);
    for (int a = 0; a < 3; a++) {
      to->J[a] += from->J[a] + (all - (2.0 * h[a] + m * r[a]) * r[a]);
    }
    to->J[3] += from->J[3] - ((h[0] + m * r[0]) * r[1] + r[0] * h[1]);
    to->J[4] += from->J[4] - ((h[0] + m * r[0]) * r[2] + r[0] * h[2]);
    to->J[5] += from->J[5] - ((h[1] + m * r[1]) * r[2] + r[1] * h[2]);
  }
}

nsdyn_status nsdyn_tree_mass(nsdyn_tree *tree, double *M)
{
  const nsdyn_status status = nsd_tree_begin(tree, M, 1, "nsdyn_tree_mass");
  if (status) {
    return status;
  }
  const size_t n = (size_t)tree->nu;
  gather(tree);
  memset(M, 0, n * n * sizeof *M);
  for (int32_t i = tree->nu; i > 0; i--) {
    const nsd_link *link = &tree->link[i];
    const nsd_composite *behind = &tree->composite[i];
    const double *s = tree->state[i].s;
    double alpha[3], a[3], F[6], next[6];
    nsd_vec3_scale(link->turn, s, alpha);
    nsd_vec3_scale(link->slide, s, a);
    nsd_inertia_wrench(behind->mass, behind->h, behind->J, alpha, a, F);
    M[(n + 1) * (size_t)(i - 1)] = nsd_link_dot(link, s, F);
    for (int32_t j = i;
         tree->link[j].parent > 0;) { /* the same force, at each joint on the way to the root */
      memset(next, 0, sizeof next);
      nsd_wrench_add_at(tree->state[j].r, F, next);
      memcpy(F, next, sizeof F);
      j = tree->link[j].parent;
      const double element = nsd_link_dot(&tree->link[j], tree->state[j].s, F);
      M[n * (size_t)(i - 1) + (size_t)(j - 1)] = element;
      M[n * (size_t)(j - 1) + (size_t)(i - 1)] = element;
    }
  }
  return NSDYN_OK;
}
