/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* A branch of cycles between two values of a parameter, by steps of its own. What a search finds some way
 * further on may be another branch: a cycle on the same one has the same impacts, and comes as close as one
 * likes when the step is short enough. Where the branch ends because a contact begins to graze, or an impact
 * fades to one, the least gap or the slowest impact's speed goes to zero. On this side the parameter is a
 * smooth function of either, so that it can be extrapolated to zero from cycles that keep off the graze,
 * where the map has no derivative. */
#ifndef NSD_STUDY_BRANCH_STEPS_H
#define NSD_STUDY_BRANCH_STEPS_H

#include "study/object.h"

enum { NSD_BRANCH_STEPS = 6 };

/* The newest cycles of a branch. */
typedef struct nsd_branch_steps {
  int count;
  double rate; /* by how much they moved per change of the parameter, in scales; 0: not known */
  double value[NSD_BRANCH_STEPS]; /* of the parameter, the newest last */
  nsd_profile profile[NSD_BRANCH_STEPS];
} nsd_branch_steps;

void nsd_branch_steps_add(nsd_branch_steps *trail, double value, const nsd_profile *profile);

/* Where it is to graze, on the way in the direction ±1. */
typedef struct nsd_graze {
  double value;
  double bound;
  double at;             /* time after the section */
  nsd_approach approach; /* that of the newest cycle */
} nsd_graze;

/* By the newest cycles; whether they tell of any. `bound` is the last correction of the extrapolation. */
int nsd_branch_steps_predict(const nsd_branch_steps *trail, int direction, nsd_graze *graze);

/* Searches the cycle at a value; *missed says that there is none, and why. */
nsdyn_status nsd_branch_find(nsdyn_cycle *c, const nsdyn_cycle_path *path, double value,
                             nsdyn_status *missed);

/* The same from the present cycle, which is that of the value *at, along its branch; what a search alone
 * would find may be another one. *at then is the value of the present cycle: of the last of the branch where
 * *missed tells that none was found at `value`. */
nsdyn_status nsd_branch_follow(nsdyn_cycle *c, const nsdyn_cycle_path *path, double *at, double value,
                               nsdyn_status *missed);

/* The kept cycle, that of a value, is the present one again after searches that have not succeeded: with the
 * parameter, and the log of its own period. */
nsdyn_status nsd_branch_return(nsdyn_cycle *c, const nsdyn_cycle_path *path, double value);

/* The present cycle is kept, or is the kept one again; `searched`: one search has succeeded since. */
void nsd_branch_keep(nsdyn_cycle *c);
void nsd_branch_revert(nsdyn_cycle *c, int searched);

/* How far the present cycle is from the kept one, on the section, in scales; time as a share of the forcing.
 */
double nsd_branch_distance(const nsdyn_cycle *c);

/* Whether the present cycle, at a value, is of another branch than the kept one, which was the trail's last,
 * or may be. */
int nsd_branch_is_other(const nsdyn_cycle *c, const nsd_branch_steps *trail, double value,
                        const nsd_profile *profile);

/* Whether its impacts are others. */
int nsd_branch_hits_others(const nsd_branch_steps *trail, const nsd_profile *profile);

enum nsd_walk_end {
  NSD_WALK_THROUGH, /* the cycle at the target is of this branch, and the present one */
  NSD_WALK_GRAZES,
  NSD_WALK_ENDS /* for another reason, or it could not be told why */
};

/* From the kept cycle, the last of the trail, towards `target`, where it was not found, or may not have been:
 * what was found there has the same impacts and is `far` away, infinite where there is no such cycle. Except
 * for THROUGH the present cycle is the kept one, the last of the trail. `tol`: how close a graze is located.
 */
nsdyn_status nsd_branch_walk(nsdyn_cycle *c, const nsdyn_cycle_path *path, nsd_branch_steps *trail,
                             double target, double far, double tol, int32_t *end, nsd_graze *graze);

#endif
