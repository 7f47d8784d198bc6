/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Callbacks that contradict each other.
 *
 * A gap was seen in the step before, with the velocities that it ended with, and is seen again in this one,
 * with the same velocities and before anything acts on them. Wherever gaps and directions belong together,
 * curved or not, it has changed by what they say:
 *
 *   g' − g = ½ (γᴱ + γᴬ') Δt + O(Δt³).
 *
 * Where steps in a row leave a share of that unexplained, all in one direction, and by more than what two
 * steps move a contact at most, gap and direction do not belong together, and the contact is refused: it has
 * got deeper though W says that it does not; it has opened though W says that it closes, and would be lost,
 * the body falling through its surface; or it is held at its gap by velocities that ought to change it.
 *
 * A contact that pressed and is open in this step is followed for as long as it goes on like this. */
#ifndef NSD_STEPPER_CHECK_CONTRADICTION_H
#define NSD_STEPPER_CHECK_CONTRADICTION_H

#include "base/tolerances.h"
#include "stepper/object.h"

/* Sizes of a row: Σ |w_j u_j| + |ŵ|, max |w_j| max |u_j| + |ŵ|. */
void nsd_contradiction_measure(const nsdyn_stepper *s, nsd_magnitude most, nsd_row w, double w_hat,
                               double *size, double *wide);

/* What rounding leaves open of a gap with these directions. */
double nsd_contradiction_noise(const nsdyn_stepper *s, nsd_magnitude most, nsd_row w, double w_hat,
                               double gap);

/* What the two need of the state's u and these q. */
static inline nsd_magnitude nsd_contradiction_magnitude(const nsdyn_stepper *s, const double *q)
{
  const nsd_magnitude most = {.u = nsd_scene_largest(s->inertia.nu, s->u),
                              .q = nsd_scene_largest(s->sys->def.nq, q)};
  return most;
}

/* Whether a closed contact has got deeper: by a millionth of its depth, less is rounding or nothing to speak
 * of. */
static inline int nsd_contradiction_is_deeper(double gap, double before)
{
  return (gap < 0.0) & (before - gap > -NSD_DEEPER * gap);
}

/* What a contact in force is moved by in a step and the trapezoidal rule does not see, third order, is not
 * counted; it would add up over long runs. A share of what moves it at most. */
#define NSD_THIRD_ORDER 0x1p-7

/* Whether what contact k did may be unexplained; most contacts of most steps end here. */
static inline int nsd_contradiction_is_worth_a_look(const nsdyn_stepper *s, int k, const nsd_past *before)
{
  const nsd_scene *scene = &s->scene;
  const double span = s->t_middle - s->history.seen, gap = scene->closed.contact[k].gap,
               change = gap - before->gap;
  if (nsd_scene_is_straight(scene, k)) {
    return nsd_contradiction_is_deeper(gap, before->gap);
  }
  const double lost =
      fabs(change - 0.5 * span * (scene->problem.gamma[scene->closed.contact[k].row] + before->speed));
  if ((lost <= 0.5 * fabs(change)) |
      (lost <= NSD_GAP_CHANGE_ROUNDING * (fabs(gap) + span * scene->closed.past[k].wide))) {
    return 0;
  }
  const double least = NSD_THIRD_ORDER * span * nsd_larger(scene->closed.past[k].size, before->size);
  return lost > least || !(before->flags & NSD_PAST_HELD) || nsd_contradiction_is_deeper(gap, before->gap) ||
         scene->closed.contact[k].law->kind == NSDYN_CONTACT_BILATERAL;
}

/* NSDYN_ERR_INCONSISTENT where the gap of contact k, or of constraint i, does not follow its directions. */
nsdyn_status nsd_contradiction_contact(nsdyn_stepper *s, int k, const nsd_past *before);
nsdyn_status nsd_contradiction_constraint(nsdyn_stepper *s, int i);

/* The same of contacts that were closed in the step before and are not in this one, and of those which have
 * been followed since; u_next is there. Into the history's next strays. */
nsdyn_status nsd_contradiction_follow(nsdyn_stepper *s);

/* What to add to γ before along w, seen before the projection changed velocities from u_solved to u_next, so
 * that the trapezoidal rule still tells how the gap changes until the next step's place. */
double nsd_contradiction_kick(const nsdyn_stepper *s, nsd_row w);

/* What is followed, and was seen before the projection moved coordinates by `delta`, as it is after that. The
 * system is configured at the step's end. */
nsdyn_status nsd_contradiction_lift(nsdyn_stepper *s, const double *delta);

/* Contacts known in advance that are closed for the first time: whether their gaps follow their directions,
 * by differences (system/check/closing.h). */
nsdyn_status nsd_contradiction_closing(nsdyn_stepper *s);

/* How deep contact k may be in the middle of the last step: as it closed, as its directions say, and by what
 * nsd_contradiction_contact() lets pass. */
double nsd_contradiction_bound(const nsdyn_stepper *s, int k);

/* How far constraint i may be from zero, likewise. */
double nsd_contradiction_drift_bound(const nsdyn_stepper *s, int i);

#endif
