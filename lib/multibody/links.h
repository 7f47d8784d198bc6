/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* What the recursions ask of one link. */
#ifndef NSD_MULTIBODY_LINKS_H
#define NSD_MULTIBODY_LINKS_H

#include "multibody/spatial.h"
#include "multibody/tree.h"

/* S · F: what of a moment and a force the joint feels. A joint that does not slide turns with u. */
NSD_INLINE_LANES double nsd_link_share(const nsd_link *link, nsd_space s, nsd_space_pair F)
{
  if (link->slide == 0.0) {
    return nsd_space_sum(s * F.n);
  }
  return nsd_space_sum(s * (link->turn * F.n + link->slide * F.f));
}

/* The accelerations A of the parent's origin, seen from a point that is at r from it: (α, a + α × r). */
NSD_INLINE_LANES nsd_space_pair nsd_space_at(nsd_space_pair A, nsd_space r)
{
  return (nsd_space_pair){A.n, A.f + nsd_space_cross(A.n, r)};
}

/* A moment about a point and a force at r from where they are told: (n + r × f, f). */
NSD_INLINE_LANES nsd_space_pair nsd_space_back(nsd_space_pair F, nsd_space r)
{
  return (nsd_space_pair){F.n + nsd_space_cross(r, F.f), F.f};
}

NSD_INLINE_LANES nsd_space_pair nsd_space_plus(nsd_space_pair F, double x, nsd_space_pair G)
{
  return (nsd_space_pair){F.n + x * G.n, F.f + x * G.f};
}

/* A + S u̇ */
NSD_INLINE_LANES nsd_space_pair nsd_link_accelerate(const nsd_link *link, nsd_space s, double udot,
                                                    nsd_space_pair A)
{
  if (link->slide == 0.0) { /* and turn is 1 */
    A.n += udot * s;
  } else {
    A.n += (link->turn * udot) * s;
    A.f += (link->slide * udot) * s;
  }
  return A;
}

/* What a link's own inertia takes at u̇ = 0, with gravity as an acceleration of the world:
 * n = J α + h × (a − g) + ω × J ω,  f = m (a − g) + α × h + ω × (ω × h). */
NSD_INLINE_LANES nsd_space_pair nsd_link_bias(const nsd_link *link, const nsd_link_state *k,
                                              const double gravity[4])
{
  if (!link->heavy) {
    return (nsd_space_pair){nsd_lanes_all(0.0), nsd_lanes_all(0.0)};
  }
  const nsd_space w = nsd_lanes_load(k->w), h = nsd_lanes_load(k->h);
  const nsd_space_pair A = {nsd_lanes_load(k->alpha), nsd_lanes_load(k->a) - nsd_lanes_load(gravity)};
  const nsd_space_pair F = nsd_space_inertia(link->mass, h, k->J, k->alpha, A);
  return (nsd_space_pair){F.n + nsd_space_cross(w, nsd_space_multiply(k->J, k->w)),
                          F.f + nsd_space_cross(w, nsd_space_cross(w, h))};
}

#endif
