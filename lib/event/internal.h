/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Functions that the files of the event driver call in each other; event/object.h lists the files. */
#ifndef NSD_EVENT_INTERNAL_H
#define NSD_EVENT_INTERNAL_H

#include <math.h>

#include "event/object.h"

/* ---- object.c ---- */

/* Room for so many contacts of the scene, which has it, in what is parallel to them. */
nsdyn_status nsd_driver_reserve_scene(nsdyn_event_driver *d, int needed);

/* Room for so many tracks; those there are stay. */
nsdyn_status nsd_driver_reserve_tracks(const nsdyn_event_driver *d, nsd_tracks *tracks, nsd_fault *fault,
                                       int needed);

/* ---- phase/scales.c ---- */

/* Updates the largest sizes of the state so far. Each counts for at least a share of the largest one; what is
 * still zero counts for a share of what its rate makes of it in a short time. */
void nsd_phase_size_up(const nsdyn_event_driver *d, nsd_scales *scales);

/* Keeps the sizes that a call begins with; back to them, where it failed. */
void nsd_phase_save_sizes(const nsdyn_event_driver *d, nsd_scales *scales);
void nsd_phase_restore_sizes(nsdyn_event_driver *d);

/* Tolerances from them, which are updated. */
void nsd_phase_scale(const nsdyn_event_driver *d, nsd_scales *scales);

/* Sizes of the terms that γ of a row of the scene, or a gap with this row's direction, is a sum of. */
double nsd_phase_size_of_speed(const nsdyn_event_driver *d, int row, const double *u);
double nsd_phase_size_of_gap(const nsdyn_event_driver *d, int row, const double *q);

/* What the largest accelerations so far make of γ of a row in some ticks of the clock: late, no time is known
 * better at which it vanishes. */
double nsd_phase_tick_of_speed(const nsdyn_event_driver *d, int row);

/* That of a constraint's gap. */
double nsd_phase_size_of_constraint(const nsdyn_event_driver *d, int i, const double *q);

/* Sizes of accelerations, of which w̄ is a part. */
void nsd_phase_keep_gained(const nsdyn_event_driver *d, nsd_scales *scales, const double *a);

/* Sizes of the terms that accelerations are sums of under the present forces: M⁻¹ w_r times the terms of λ_r.
 * They may cancel each other, as those of a plank's corners do, and rounding of them is all that is left; so
 * may the terms of one force: a load that friction holds leaves nothing but rounding to what a constraint
 * ties to it. */
void nsd_phase_size_up_terms(nsdyn_event_driver *d);

/* The time in which the motion changes, by the largest sizes so far; 0 where there are none. */
static inline double nsd_phase_own_time(const nsdyn_event_driver *d)
{
  return d->scales.own_time;
}

/* A time that is short beside the motion at the state; 0 where everything rests. */
double nsd_phase_moment(const nsdyn_event_driver *d);

/* ---- phase/phase.c ---- */

/* Begins a phase at the state, whose modes stand in the motion's scene. */
nsdyn_status nsd_phase_begin(nsdyn_event_driver *d);

/* One integrator step with its extension, not beyond t_end. */
nsdyn_status nsd_phase_step(nsdyn_event_driver *d, double t_end);

/* The integrator's state becomes the driver's. */
void nsd_phase_commit(nsdyn_event_driver *d);

/* Time of the next output. */
static inline double nsd_next_output(const nsdyn_event_driver *d)
{
  if (!d->options.output) {
    return INFINITY;
  }
  return d->run.outputs == 0 ? d->run.t_begin
                             : d->run.t_begin + (double)d->run.outputs * d->options.output_dt;
}

/* ---- phase/event_functions.c ---- */

/* One more; its value falls through zero where it falls below −noise. */
void nsd_event_function_add(nsd_event_function_list *list, int32_t kind, int which, double sign,
                            double noise);

/* Noise of a function that begins at `value`, where the tolerance allows it to err by `slack`. */
double nsd_event_function_noise(double value, double noise, double slack);

/* Sizes of the terms that force r of closed contact k is a sum of, so far, and those of its velocity. */
double nsd_event_function_size_of_force(const nsdyn_event_driver *d, nsd_tracks *tracks, int k, int r);
double nsd_event_function_size_of_speed(const nsdyn_event_driver *d, nsd_tracks *tracks, int k, int r);

/* Lists what has to be watched in the phase that begins. */
nsdyn_status nsd_event_function_begin(nsdyn_event_driver *d);

/* The first root within the last step's share [from, 1], of both lists; `list` says whose it is. */
nsdyn_status nsd_event_function_first(nsdyn_event_driver *d, double from, nsd_root *root,
                                      const nsd_event_function_list **list);

/* Watch k of the kinematic ones, the section, was crossed at this state, which is on its other side from now
 * on. What its value still is there, time cannot resolve. */
nsdyn_status nsd_event_function_cross(nsdyn_event_driver *d, int k, double t, const double *y);

/* All functions of a list at a state. */
nsdyn_status nsd_event_function_values(const nsdyn_event_driver *d, nsd_phase *phase, nsd_tracks *tracks,
                                       const nsd_event_function_list *list, double t, const double *y,
                                       double *g);

/* What a step that ends without an event has shown: gaps, the section's side. */
nsdyn_status nsd_event_function_update(const nsdyn_event_driver *d, nsd_phase *phase, nsd_tracks *tracks);

/* The shortest step that is cut to follow a wavy function: one within which there is nothing but rounding. */
double nsd_event_function_least_cut(const nsdyn_event_driver *d);

/* Whether a found contact is none of those whose least gap is watched: it is closed, or watched alone. */
int nsd_event_function_excludes(const nsdyn_event_driver *d, int64_t key);

/* Sizes of the terms of a track's gap so far, and what rounding makes of them, ticks of the clock among it.
 */
double nsd_track_terms(const nsdyn_event_driver *d, const nsd_track *track);
double nsd_track_noise(const nsdyn_event_driver *d, const nsd_track *track);

/* ---- phase/slide.c: sliding in space ---- */

/* Noise of ‖γ_T‖² beside the square of what counts as zero. */
#define NSD_SQUARE_NOISE 0.25

/* What ‖γ_T‖ of contact k may be of what rests, but for impacts. */
double nsd_slide_still(const nsdyn_event_driver *d, int k, const double *u);

/* What the tolerance allows γ_T of contact k to be off as it begins to slide. */
double nsd_slide_astray(const nsdyn_event_driver *d, int k);

/* A step in which γ_T of no contact in space turns, or falls, by more than can be followed. The motion was
 * evaluated where the step begins. */
double nsd_slide_longest_step(const nsdyn_event_driver *d);

/* The directions of friction of those that have begun to slide, as a phase ends with them: the instant that
 * follows begins with the same forces. */
void nsd_slide_keep(const nsd_phase *phase, const nsd_instant *instant, nsd_tracks *tracks);

/* The functions of contact k, in space, as it slides or sticks: what it adds to the lists. */
void nsd_slide_watch(const nsdyn_event_driver *d, nsd_phase *phase, nsd_tracks *tracks, int k, double force);

/* Their values. */
double nsd_slide_speed(const nsd_phase *phase, const nsd_event_function *watch);
double nsd_slide_turn(const nsd_phase *phase, const nsd_event_function *watch);
double nsd_slide_limit(const nsd_phase *phase, const nsd_event_function *watch);

/* ---- phase/cut.c ---- */

/* Takes the integrator to the event, sets the cause; the driver's state follows. */
nsdyn_status nsd_cut_step(nsdyn_event_driver *d, const nsd_root *root, const nsd_event_function_list *list);

/* ---- instant/resolve.c ---- */

/* Velocities and modes at the present time. NSDYN_OK: they are consistent, and nsd_commit_enter_phase() is
 * next. NSDYN_STOPPED: stopped by an ambiguity. */
nsdyn_status nsd_instant_settle(nsdyn_event_driver *d);

/* An impact with ε = 0 of what was gathered, into u_work, where anything approaches or a constraint moves. */
nsdyn_status nsd_instant_stop(nsdyn_event_driver *d);

/* Refuses to go on where events, or steps, follow each other without progress. A time step may get over it.
 */
nsdyn_status nsd_instant_no_progress(nsdyn_event_driver *d);

/* Counts instants that follow each other as closely as time can be told apart: NSDYN_MAX_ITERATIONS where
 * they are too many. */
nsdyn_status nsd_instant_count(nsdyn_event_driver *d, double t);

/* Whether the phase ended because the gap of this contact did. */
static inline int nsd_is_cause(const nsdyn_event_driver *d, const nsd_track *track)
{
  const nsd_cause *cause = &d->cause;
  return track->index >= 0
             ? cause->kind == NSD_EVENT_FUNCTION_GAP && cause->which == track->index
             : cause->kind == NSD_EVENT_FUNCTION_FOUND && cause->is_found && cause->key == track->key;
}

/* The cell of its polygon of friction that a contact slid in; −1: none, or its law, which may have changed
 * since then, has no such cell. */
static inline int32_t nsd_track_cell(const nsdyn_event_driver *d, const nsd_track *track)
{
  const nsdyn_contact_law *law = nsd_track_law(d, track);
  const int32_t cells = law->shape == NSDYN_FRICTION_POLYGON ? 2 * law->sides : 0;
  const int has_cell = track->starts >= NSD_STARTS_CELL && track->starts - NSD_STARTS_CELL < cells;
  return track->mode == NSDYN_MODE_SLIP && has_cell ? track->starts - NSD_STARTS_CELL : -1;
}

/* Whether a contact slides at a corner of its polygon of friction: γ_T turns there as it likes. */
static inline int nsd_is_at_corner(const nsdyn_event_driver *d, const nsd_track *track)
{
  return nsd_track_cell(d, track) >= 0 && nsd_track_cell(d, track) % 2 == 0;
}

/* Whether the friction of a contact that slides changes its direction with the side it presses on: that of a
 * slot, where it depends on the load. */
static inline int nsd_slides_by_side(const nsd_contact_spec *spec)
{
  return spec->kind == NSDYN_CONTACT_BILATERAL && spec->friction == NSD_FRICTION_LOAD;
}

/* Whether the phase ended because contact k of the scene, such a slot, came to press on its other side. */
static inline int nsd_turns_side(const nsdyn_event_driver *d, int k)
{
  return d->cause.kind == NSD_EVENT_FUNCTION_NORMAL && d->cause.which == d->instant.happening[k].track &&
         nsd_slides_by_side(&d->phase.motion.scene.problem.spec[k]);
}

/* ---- instant/gather.c ---- */

/* All contacts that take part at the present time, on copies of the state, q_work and u_work; `near`: those
 * with a gap of up to this too. */
nsdyn_status nsd_instant_gather(nsdyn_event_driver *d, double near);

/* A gap up to this is zero: the option gap_tol, or what rounding makes of it. */
double nsd_instant_gap_tolerance(const nsdyn_event_driver *d, const nsd_track *track);

/* ---- instant/handover_step.c ---- */

/* Goes on by a time step, not beyond t_end; *done is 0 where it may not, or has no solution either. */
nsdyn_status nsd_handover(nsdyn_event_driver *d, double t_end, int *done);

/* Contacts with gaps up to this take part in the time step. */
double nsd_handover_reach(const nsdyn_event_driver *d);

/* ---- consistent.c ---- */

/* Refuses a state that has just been set, gathered already, where contacts penetrate or constraints are
 * broken by more than the option start_tol allows. In a run that goes on it refuses a contact that another
 * law made a slot, off zero. */
nsdyn_status nsd_consistent_check(const nsdyn_event_driver *d, nsd_phase *phase);

/* ---- instant/commit.c ---- */

/* Ends an instant with its status: NSDYN_OK, and its state, modes and records are the driver's; NSDYN_STOPPED
 * where an ambiguity stops; others are passed on, and nothing changes. */
nsdyn_status nsd_commit(nsdyn_event_driver *d, nsdyn_status status, int ambiguous);

/* The phase that follows an instant: its contacts and modes, forces and accelerations, the integrator. */
nsdyn_status nsd_commit_enter_phase(nsdyn_event_driver *d);

/* Records the end of accumulated impacts that is due. */
nsdyn_status nsd_commit_settled(const nsdyn_event_driver *d, nsd_tracks *tracks, nsd_records *records,
                                nsdyn_event_report *report, nsd_fault *fault);

/* ---- instant/choose_modes.c ---- */

/* Which contact of the scene leaves, on velocity level; the others are part of the problem. */
enum { NSD_STAYS = 0, NSD_LEAVES = 1 };

/* Forces and modes of the contacts that stay: scene.solution.state (OPEN for what leaves),
 * scene.solution.Lambda, scene.solution.xi = γ̇ of all rows, u̇. NSDYN_NO_SOLUTION, NSDYN_UNDECIDED;
 * NSDYN_STOPPED where it is ambiguous and the driver is to stop. `ambiguous` counts solutions where there are
 * several. */
nsdyn_status nsd_choose_modes_find(nsdyn_event_driver *d, const int32_t *leaves, int *ambiguous);

/* What γ̇ of row r of contact k is judged against: what its load may be now, and was at its largest. */
double nsd_choose_modes_size(const nsdyn_event_driver *d, int k, int r);

/* Whether the tangential row of closed contact k follows from the rows that the pattern holds. */
int nsd_choose_modes_is_held(const nsdyn_event_driver *d, nsd_phase *phase, int k);

/* ---- instant/polygon_slides.c ---- */

/* Whether contact k of the scene, in space, slides in a cell of a polygon, and in which one: as it did, with
 * the change that the event asks for, or by γ_T, where up to `rest` is none. */
void nsd_polygon_slides_choose(const nsdyn_event_driver *d, nsd_phase *phase, nsd_instant *instant, int k,
                               double rest);

/* Λ (rows) of the pattern in chosen_state, like nsd_acceleration_pattern(), where friction of what slides on
 * a side of a polygon is sought too: on the side, γ̇_T along that being zero, or in the corner that it comes
 * to. */
nsdyn_status nsd_polygon_slides_solve(nsd_phase *phase, nsd_instant *instant, const nsd_contact_data *data,
                                      const double *shares, double *Lambda);

/* ---- instant/verify_forces.c ---- */

/* Judges the forces of the present modes, as the motion was evaluated last: laws of the contacts, γ̇ = 0 of
 * what is closed, sticks or is constrained, the sign of friction. NSDYN_ERR_INCONSISTENT where one is missed
 * by more than the tolerance can explain. */
nsdyn_status nsd_verify_forces(const nsdyn_event_driver *d, nsd_phase *phase, nsdyn_event_report *report,
                               double t, const double *u);

/* The same at the end of a phase, where the force that ended it is known as well as time can tell. */
nsdyn_status nsd_verify_end(const nsdyn_event_driver *d, nsd_phase *phase, nsdyn_event_report *report);

/* The tangential velocity against which friction of contact k of the scene may act there: a slip of less may
 * have turned already. */
double nsd_verify_forces_still(const nsdyn_event_driver *d, int k, double t, const double *u);

/* ---- phase/gap_rounding.c ---- */

/* Whether the sizes of gaps are not those of the coordinates any more, or not known; never where w_N says
 * them. */
int nsd_probe_is_due(const nsdyn_event_driver *d);

/* Sizes of all gaps at (t, q_work), into their tracks and constraint_terms. Leaves the scene's gaps and found
 * contacts at another configuration. */
nsdyn_status nsd_probe_gaps(const nsdyn_event_driver *d, nsd_phase *phase, nsd_tracks *tracks);

/* Whether t is so large beside the motion's own time that gaps show the clock's ticks, ε |t|. */
int nsd_probe_is_late(const nsdyn_event_driver *d);

/* How fast gaps change at (t, q_work, u_work), by time alone and in all: what of that a tick makes, into
 * their tracks. Leaves the scene's gaps and found contacts at another configuration. */
nsdyn_status nsd_probe_clock(const nsdyn_event_driver *d, nsd_phase *phase, nsd_tracks *tracks);

/* ---- phase/project.c ---- */

/* delta := M⁻¹ Wᵀ Λ, where Λ is x_part in the first `count` rows of `part`, and zero in all others. */
void nsd_project_spread(nsd_acceleration *m, int count, double *delta);

/* Brings the gaps of contacts that stay, and constraints, back to zero at (t, q); q changes. The scene is
 * posed anew where it moved. */
nsdyn_status nsd_project_position(const nsdyn_event_driver *d, nsd_phase *phase, nsdyn_event_report *report,
                                  const int32_t *leaves, double *q, const double *u, int *moved);

/* The same for velocities: γ_N of contacts that stay, γ_T where `holds` says so, constraints. */
nsdyn_status nsd_project_velocity(const nsdyn_event_driver *d, nsd_phase *phase, const int32_t *leaves,
                                  const int32_t *holds, double *u, int *moved);

/* Takes the speed γ_N of hops that are closed off out of u: what the impacts still to come would do in the
 * end. They act with friction, so along w_N − s μ w_T of contacts that slide. */
nsdyn_status nsd_project_hops(const nsdyn_event_driver *d, nsd_phase *phase, nsd_instant *instant,
                              const int32_t *leaves, double *u);

/* Whether constraints move a contact at the end of the step that stuck since they held it: its number in the
 * scene, or −1. */
nsdyn_status nsd_idle_moves(const nsdyn_event_driver *d, nsd_phase *phase, nsd_instant *instant, int *moves);

/* Judges gaps and velocities where a run ends, those of open contacts too; the motion was evaluated there. */
nsdyn_status nsd_project_judge(nsdyn_event_driver *d);

/* Both at the integrator's state, after a step. */
nsdyn_status nsd_project_step(nsdyn_event_driver *d);

/* The size of what row `row`'s gap is a sum of: its terms, at least `terms`, and the way that its velocity
 * may have gone since the beginning. What has rested at zero all the time has no other. */
double nsd_project_size_of_gap(const nsdyn_event_driver *d, int row, double terms, const double *q,
                               const double *u);

/* ---- phase/verify_gaps.c ---- */

/* The gaps of what is closed and of constraints are followed from here on: where the driver stands, and the
 * scene is posed, after a projection. */
void nsd_verify_directions_from_here(const nsdyn_event_driver *d, nsd_tracks *tracks);

/* Where the integrator has led, before a projection: NSDYN_ERR_INCONSISTENT where a gap has changed by more
 * than its directions say and the error of integration explains. */
nsdyn_status nsd_verify_directions_check(const nsdyn_event_driver *d, nsd_tracks *tracks, nsd_fault *fault,
                                         const double *q, const double *u);

/* Where a step has led, before a projection: NSDYN_ERR_INCONSISTENT where velocities of what is closed change
 * in one step after the other though w̄ was to prevent it. */
nsdyn_status nsd_verify_directions_stay(const nsdyn_event_driver *d, nsd_tracks *tracks, nsd_fault *fault,
                                        const double *u);

/* Whether a gap whose root ended the phase has fallen as its directions say at the event, gathered already:
 * NSDYN_ERR_INCONSISTENT where it has not. */
nsdyn_status nsd_verify_directions_arrival(const nsdyn_event_driver *d, nsd_fault *fault);

/* Contacts known in advance that take part for the first time: whether their gaps follow their directions, by
 * differences (system/check/closing.h). */
nsdyn_status nsd_verify_directions_closing(const nsdyn_event_driver *d, nsd_phase *phase,
                                           nsd_closing *closing);

/* A run that cannot go on: NSDYN_ERR_INCONSISTENT where a gap near zero does not follow its directions;
 * NSDYN_OK, and the fault as it was, where that is not known. */
nsdyn_status nsd_verify_directions_explain(nsdyn_event_driver *d);

/* ---- log.c ---- */

/* Room for so many records more. */
nsdyn_status nsd_log_reserve(const nsdyn_event_driver *d, nsd_records *records, nsd_fault *fault, int more);
void nsd_log_add(const nsdyn_event_driver *d, nsd_records *records, nsdyn_event_report *report,
                 const nsdyn_event *event);

/* ---- last_impact.c ---- */

/* Notes who takes part in the impact that is to be solved: the contacts of the scene. */
nsdyn_status nsd_last_impact_note(const nsdyn_event_driver *d, nsd_last_impact *last_impact,
                                  nsd_fault *fault);

/* ---- problem_text.c ---- */

/* Keeps a copy of the problem that a run fails at, as far as there is memory. */
void nsd_driver_keep_problem(nsd_failed *failed, const nsd_contact_data *data);

/* Hands new records to the observer. NSDYN_STOPPED where it wants to stop. */
nsdyn_status nsd_log_tell(nsdyn_event_driver *d);
void nsd_log_clear(nsd_records *records);

#endif
