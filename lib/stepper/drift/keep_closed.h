/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* What keeps a closed contact closed, and what notices that it cannot be.
 *
 * From one midpoint to the next the gap changes by
 *
 *   g' − g = Δt γᴱ + ½ κ Δt²,    κ: what it accelerates by at constant velocities,
 *
 * so that γᴱ = 0 does not hold it at zero where surfaces are curved, roll or move. The law of a contact that
 * pressed in the step before, and was not to rebound, is therefore
 *
 *   0 <= γᴱ + b  ⊥  Λ >= 0,    b = (g − g*) / Δt + ½ κ Δt,
 *
 * with κ as it was observed over the last two steps, and with g*, the gap at which the contact closed. Then
 * g' = g* + O(Δt³) in all steps, forces are continuous up to O(Δt), and the work of the impulse,
 * ½ (γᴬ + γᴱ) Λ, is O(Δt³), since γᴬ = +½ κ Δt is what curvature makes of γᴱ = −½ κ Δt. Kinks are no
 * curvature: κ is the smaller one of two steps, zero where it changes its sign, and an approach that it does
 * not explain is a collision. Where gaps are linear, κ is zero to the bit and so is b.
 *
 * With the option `project` the contact was seen at the end of the step before, where its gap and velocity
 * were corrected; the horizon is the end of the step, θ Δt after its middle (scheme/scheme.h).
 *
 * Where contacts are taken at the beginning, θ = 1, that end is the place where the next step takes them: no
 * time passes in between, and nothing would be seen of κ. It is the step itself then that shows it, from its
 * beginning to its end, before the projection changes anything; the contact is remembered where it was taken,
 * as without projection.
 *
 * The force that a curved path asks for is Λ = M κ Δt. In the middle, θ = ½, velocities along the surfaces at
 * both ends give that with b = ½ κ Δt, and gaps as well. For θ > ½ they do not: b = ½ κ Δt leads a gap back,
 * and Λ is whole only where the step begins with γ = (θ − ½) κ Δt, and the projection leaves that at its end.
 * So it is for unilateral contacts, whose approach need not be zero. Rows that hold on both sides are zero at
 * both ends, by b = θ κ Δt; to what that costs projection.h has an answer.
 */
#ifndef NSD_STEPPER_DRIFT_KEEP_CLOSED_H
#define NSD_STEPPER_DRIFT_KEEP_CLOSED_H

#include "base/tolerances.h"
#include "stepper/object.h"

/* Bias, aim and curvature of the scene's contacts, into its `past`; γ of the scene is there.
 * NSDYN_ERR_INCONSISTENT where a contact's gap, or a constraint's, does not follow its directions. */
nsdyn_status nsd_keep_closed_begin(nsdyn_stepper *s);

/* Into e the bias that keeps a contact in force closed. What its curved surface makes it approach by is not
 * given back. Returns whether any of e is restitution still. */
int nsd_keep_closed_add_b(nsdyn_stepper *s);

/* Sets all bias of this step to zero; returns whether there was any. */
int nsd_keep_closed_forget_b(nsdyn_stepper *s);

/* A contact that has just closed for good, Λ and ξ being solved: what curvature is going to do to it is asked
 * of the gap where the next step will see it, so that already the step after its impact has the right force.
 * *again: a bias was set, and the contact problem has to be solved with it. */
nsdyn_status nsd_keep_closed_foresee(nsdyn_stepper *s, int *again);

/* With the option `project`, Λ and ξ being solved: rebounds that would end within so few steps that
 * projection keeps them alive are none. *again: there was one, and the contact problem has to be solved
 * without. */
void nsd_keep_closed_end_hops(nsdyn_stepper *s, int *again);

/* Whether contact k was pressed in the step, whose laws gave u, and leaves: restitution gives it a velocity
 * beyond what keeps a contact closed. From there on it is free, and no correction gives that to it again. */
int nsd_keep_closed_leaves(const nsdyn_stepper *s, int k, const double *u);

/* What the next step has to know, from the velocities in u_next; with the option `project` of the scene that
 * it corrected. */
void nsd_keep_closed_end(nsdyn_stepper *s);

/* Gaps at (t, q), of found contacts as far as `margin`, those of the wish, and that of a contact there:
 * infinite where it is out of sight. The scene's own gaps are overwritten: it has to be looked at once more.
 */
nsdyn_status nsd_keep_closed_find_gaps(nsdyn_stepper *s, double t, const double *q, double margin,
                                       const nsd_wish *wish);
double nsd_keep_closed_gap_there(const nsd_scene *scene, const nsd_closed *c);

/* What of this is needed, as nsd_attention: of gaps that are linear alone only where one gets deeper. */
static inline int nsd_keep_closed_concerns(const nsdyn_stepper *s)
{
  const nsd_scene *scene = &s->scene;
  if (scene->closed.is_projected || (scene->directions.edition == 0 && !nsd_scene_is_all_straight(scene))) {
    return NSD_WATCH; /* with an edition all of it came from the cache */
  }
  int is_deeper = 0;
  for (int k = 0; k < scene->closed.count; k++) {
    const nsd_closed *c = &scene->closed.contact[k];
    is_deeper |= s->history.past[c->index].gap > (1.0 - NSD_DEEPER) * c->gap;
  }
  return is_deeper ? NSD_WATCH : 0;
}

/* With the option `project`, of a scheme that takes contacts at the beginning, or so near to it that no more
 * than a 256th of a step passes until then. */
static inline int nsd_keep_closed_is_shown(const nsdyn_stepper *s)
{
  return s->options.project && s->theta > 1.0 - 0x1p-8;
}

/* What curvature makes of γ_N of contact k from where it was taken to the step's end. */
static inline double nsd_keep_closed_turn(const nsdyn_stepper *s, int k)
{
  const nsd_past *past = &s->scene.closed.past[k];
  return s->theta > 0.5 ? past->turn : past->bias;
}

/* Whether its approach is what curvature makes of a contact in force, and no collision. */
static inline int nsd_keep_closed_explains(const nsd_scene *scene, int k)
{
  return (scene->closed.is_watched & NSD_WATCH_BENT) && (scene->closed.past[k].flags & NSD_PAST_CALM);
}

#endif
