/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The contact problem on acceleration level, as contacts in the plane and in space share it
 * (instant/choose_modes.c). */
#ifndef NSD_EVENT_INSTANT_CHOOSE_MODES_H
#define NSD_EVENT_INSTANT_CHOOSE_MODES_H

#include "event/internal.h"

/* The contacts that stay as a problem of their own: rows in motion.part, G and c in its parts. */
nsd_contact_data nsd_modes_pose(const nsdyn_event_driver *d, nsd_phase *phase, nsd_instant *instant,
                                const int32_t *leaves);

/* Laws in force. */
nsdyn_status nsd_modes_read_laws(nsd_phase *phase, nsd_instant *instant, const nsd_contact_data *data);

/* The pattern and its forces become the scene's: Λ, γ̇ into xi, u̇. */
void nsd_modes_take(const nsdyn_event_driver *d, nsd_phase *phase, const nsd_contact_data *data,
                    const int32_t *states, const double *Lambda);

void nsd_modes_note(const nsdyn_event_driver *d, nsdyn_event_report *report,
                    const nsd_contact_verdict *verdict);

/* How far from zero the event's own function still is where time cannot resolve it better, as an
 * acceleration. */
double nsd_modes_slack(const nsdyn_event_driver *d);

/* Above which p, the determinant of a pattern, is not zero: where the phase has ended since p has vanished, p
 * is zero but for rounding, on whichever side of zero that leaves it. */
double nsd_modes_least_determinant(const nsdyn_event_driver *d);

/* Whether Λ of the chosen problem obeys its laws; `raw` is what they have cut off. */
int nsd_modes_is_solution(const nsdyn_event_driver *d, const nsd_contact_data *data,
                          const nsd_contact_verdict *verdict, const double *raw, const double *Lambda);

/* How much the policy likes a solution. */
int nsd_modes_merit(const nsdyn_event_driver *d, const int32_t *modes, int contacts);

/* How many solutions there are remains unknown: what the solver has goes on, and the log tells it. */
nsdyn_status nsd_modes_go_on_uncounted(const nsdyn_event_driver *d, const nsd_contact_data *data,
                                       nsdyn_status status);

/* Several motions can follow, and the option leaves it to the caller which. */
nsdyn_status nsd_modes_stop(const nsdyn_event_driver *d, nsd_fault *fault, int i);

/* A failure, in words; the problem is kept. */
nsdyn_status nsd_modes_explain(const nsdyn_event_driver *d, nsd_fault *fault, nsd_failed *failed,
                               const nsd_contact_data *data, nsdyn_status status);

/* In space: the pattern in chosen_state, if it solves the problem. shares (rows; NULL: evenly): what
 * redundant forces are next to (contact/space/pattern.h). *stable: whether forces depend continuously on
 * their load. */
int nsd_modes_try_in_space(const nsdyn_event_driver *d, nsd_phase *phase, nsd_instant *instant,
                           nsdyn_event_report *report, const nsd_contact_data *data, const double *shares,
                           int *stable);

/* Shares (rows) of a solution, as patterns take them: so that it comes out. */
void nsd_modes_read_shares(const nsd_contact_data *data, const double *Lambda, double *shares);

/* Where a contact slides to whose friction is Λ_T at its limit: against the normal of its ellipse there.
 * Returns 0 where Λ_T is zero. */
int nsd_modes_read_direction(const nsd_contact_spec *s, const double *Lambda_T, double *slip);

/* Redundant contacts, of which those that rest in chosen_state share their load otherwise than evenly, or
 * begin to slide together (instant/redundant_rest.c). Returns whether they do. */
int nsd_redundant_rest_try(nsdyn_event_driver *d, const nsd_contact_data *data, int *stable);

/* nsd_choose_modes_find() with a contact in space. */
nsdyn_status nsd_choose_modes_in_space(nsdyn_event_driver *d, const int32_t *leaves, int *ambiguous);

#endif
