/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The inside of an nsdyn_event_driver.
 *
 * Files of this folder:
 *
 *   integrator/dopri.h .c, dopri_table  the integrator
 *   integrator/locate.h .c              first roots along a step
 *   phase/acceleration.h .c             accelerations under chosen contacts and modes
 *   phase/acceleration_magnitudes.c     how large accelerations and forces may be
 *   phase/acceleration_space.c          forces, directions and determinants of contacts in space
 *   object.c                            the object: options, memory, state
 *   advance.c                           the run: steps, events, output, until t_end
 *   phase/phase.c                       a smooth phase: begin, step, commit; the integrator's right-hand side
 *   phase/scales.c                      how large the motion is: what tolerances and roundings refer to
 *   phase/bias_interval.h .c            over which time w̄ is differenced
 *   phase/event_functions.c             the functions whose roots end a phase
 *   phase/slide.c                       sliding in space: directions that turn, and steps that follow them
 *   phase/cut.c                         from a root to the state at the event
 *   instant/handover_step.c             a time step where events do not get on
 *   consistent.c                        states that contacts and constraints allow, to begin with
 *   instant/gather.c                    who takes part in an instant
 *   instant/resolve.c                   what happens at an instant: who is closed, impacts, hops closed
 *                                       off
 *   instant/commit.c                    its end: state, modes, records, and the next phase
 *   instant/choose_modes.c              modes from the contact problem on acceleration level; Painlevé;
 *                                       ambiguity
 *   instant/choose_modes_space.c        the same with contacts in space
 *   instant/choose_modes.h              what both of them share
 *   instant/redundant_rest.c            redundant contacts in space at rest: how they share their load
 *   instant/verify_forces.c             whether the forces of a phase obey their laws
 *   phase/gap_rounding.c                sizes of gaps where coordinates are not those of the velocities
 *   phase/project.c                     gaps and velocities of what is closed brought back to zero
 *   phase/verify_gaps.c                 whether gaps follow their directions
 *   last_impact.c                       what the last impact did, for those who ask
 *   save.c                              the state as bytes
 *   problem_text.c                      the problem that a run failed at, as text
 *   log.c                               records of events
 *   snapshot.h .c                       what a driver knows besides its state, to go on from later
 *   report.c                            contacts and report, put together when asked for
 *
 * Words:
 *   slot       a contact that holds both ways, with friction; Λ_N of either sign
 *   found      told of by the callback `find`
 *   track      what is kept of a contact, closed or not
 *   happening  what an instant does to a contact
 *   fall       u̇ without contact forces
 *   idle       it sticks because constraints hold it
 *   tick       ε |t|, the resolution of time; late: t so large that ticks matter
 *   own time   |q|/|u| or |u|/|u̇| of the largest sizes so far
 *
 * The run alternates between two things. A phase integrates the smooth motion with fixed modes until a
 * function of phase/event_functions.c has a root. An instant decides, at constant t and q, about velocities
 * and modes until they are consistent; then the next phase begins. What an instant finds is recorded when it
 * is over.
 *
 * The driver's parts are structs: tracks, phase, scales, instant, run, records and others, below. A function
 * takes the driver as const, to read from, and by name those parts that it may change. Only those that lead
 * take all of it: a run, a step, the beginning of a phase, an instant, and what changes q, u and t. */
#ifndef NSD_EVENT_OBJECT_H
#define NSD_EVENT_OBJECT_H

#include "base/tolerances.h"
#include "contact/door.h"
#include "event/integrator/dopri.h"
#include "event/integrator/locate.h"
#include "event/phase/acceleration.h"
#include "nsdyn/event.h"
#include "system/check/closing.h"

/* First release's sizes (base/sized.h). */
#define NSD_EVENT_LEAST NSD_SIZE_THROUGH(nsdyn_event, impulse)
#define NSD_EVENT_DRIVER_OPTIONS_LEAST NSD_SIZE_THROUGH(nsdyn_event_driver_options, reserved)
#define NSD_EVENT_ENERGY_LEAST NSD_SIZE_THROUGH(nsdyn_event_energy, impacts)
#define NSD_EVENT_REPORT_LEAST NSD_SIZE_THROUGH(nsdyn_event_report, zeno_speed)

/* How a gap of what is closed, or a constraint, has followed its directions (phase/verify_gaps.c). */
typedef struct nsd_course {
  double gap, speed; /* g, γ when it was last looked at */
  double moved;      /* Σ of changes of g since it closed */
  double lost;       /* Σ of those, what no ∫ γ dt has made */
  double explained;  /* Σ of what the integrator may miss */
  int32_t is_held;
  int32_t strays; /* steps in a row in which γ has changed against w̄ */
} nsd_course;

/* A contact that the driver knows of, closed or not. */
typedef struct nsd_track {
  int64_t key;
  int32_t index; /* −1: found at run time */
  int32_t law;   /* of a found one */
  int32_t mode;  /* nsdyn_contact_mode */
  int32_t state; /* of the pattern (contact/planar/states.h); −1: open */
  double gap;    /* when last looked at */
  double reach;  /* largest |g_N| so far, and of the terms it is a sum of */
  double terms; /* size of those terms where w_N does not say it (phase/gap_rounding.c); −1: not known yet */
  double height;                   /* largest g_N so far */
  double seen;                     /* largest g_N that the last step has shown on its way */
  double drive;                    /* largest |∂g/∂t| so far, where t is large */
  double tick;                     /* by how much it falls in some ticks of the clock, at this instant */
  double press[NSD_CONTACT_ROWS];  /* largest sizes of the terms that λ_N, λ_T were sums of so far, */
  double weight[NSD_CONTACT_ROWS]; /* the same where load and forces of constraints are one term */
  double lift;                     /* how deep it began, while it leaves; else 0 */
  double slack;   /* what the tolerance allows the gap to err by, while a contact whose force vanished is not
                     farther away than that; else 0 */
  double side;    /* of a slot, which it presses on: 1, −1; 0: none yet */
  double rebound; /* speed with which it last flew off; 0: it has not */
  double flew;    /* when */
  double settles; /* when its accumulated impacts end; infinite where none do */
  double settle_bound;
  int32_t idle;                   /* in the phase it stuck since constraints held it */
  int32_t lifted;                 /* out of its depth, by nsdyn_event_driver_consistent() */
  double share[NSD_CONTACT_ROWS]; /* in space: what forces that are redundant are next to */
  double slip[2];                 /* in space: where it slides to, a unit vector */
  int32_t starts; /* 1: it began to slide, and friction acts against γ̇_T still; from NSD_STARTS_CELL on: in a
                     cell of its polygon */
  int32_t reserved;
  double lost; /* when `find` no longer reported it, though it was closed; −∞: never */
  nsd_course course;
} nsd_track;

/* What happens to a closed contact at an instant. Parallel to the scene's contacts. */
typedef struct nsd_happening {
  int32_t track;
  int32_t mode_before;
  int32_t state_before;            /* pattern state; −1: it was not in the pattern */
  int32_t hit;                     /* an impact reached it */
  int32_t jammed;                  /* one without collision */
  int32_t hops;                    /* it was closed off */
  double before[NSD_CONTACT_ROWS]; /* γ */
  double impulse[NSD_CONTACT_ROWS];
  double size[NSD_CONTACT_ROWS]; /* of the terms of γ */
  double hop_speed, hop_time;
  int32_t
      held; /* in the phase: γ_T = 0 follows from constraints and other contacts, as long as they say so */
  int32_t line; /* of a polygon: the side, a cell, to whose normal friction may hold γ_T; −1: none */
  double share[NSD_CONTACT_ROWS]; /* of the track, from now on */
  int32_t begins;                 /* in space: it begins to slide, along spec.slip */
  int32_t loose; /* of two coefficients: at rest, but the static one cannot hold it; the other one counts */
  double bound;  /* what γ_T may be then */
  double kicked; /* by what the projection of the last step has changed γ_T */
} nsd_happening;

/* A function whose fall through zero ends the phase. */
enum nsd_event_function_kind {
  NSD_EVENT_FUNCTION_GAP,   /* gap of track `which` */
  NSD_EVENT_FUNCTION_FOUND, /* least gap of found contacts that are not closed, nor watched by themselves: */
  NSD_EVENT_FUNCTION_LEAVING, /* gap of track `which`, a found contact that has just opened */
  NSD_EVENT_FUNCTION_SPEED,   /* sign γ_T of closed contact `which`; in space γ_T along its beginning, or
                                 ‖γ_T‖² less what counts as zero */
  NSD_EVENT_FUNCTION_SECTION, /* sign times the user's function */
  NSD_EVENT_FUNCTION_NORMAL,  /* λ_N of closed contact `which`; of a slot sign λ_N */
  NSD_EVENT_FUNCTION_LIMIT,   /* μ |λ_N| + sign λ_T of a sticking contact; in space squares */
  NSD_EVENT_FUNCTION_REGULAR, /* the determinant of the mode matrix */
  NSD_EVENT_FUNCTION_TURN,    /* how little γ_T of closed contact `which`, in space, lags behind γ̇_T */
  NSD_EVENT_FUNCTION_HELD     /* no function: constraints move a contact that they held (nsd_idle_moves) */
};

typedef struct nsd_event_function {
  int32_t kind;
  int32_t which;
  double sign;
} nsd_event_function;

/* Functions that are evaluated together. */
typedef struct nsd_event_function_list {
  nsd_event_function *watch; /* count */
  double *noise;             /* count */
  int count;
} nsd_event_function_list;

/* What ended a phase. */
typedef struct nsd_cause {
  int32_t kind; /* nsd_event_function_kind; −1: nothing that the instant has to know */
  int32_t which;
  int32_t is_found; /* 1: a found contact closes, this one: */
  int32_t jumps;    /* a force jumped, and those of other contacts may have at the same time */
  int64_t key;
  double sign;
  double side;    /* of a slot, which it presses on: sign of λ_N */
  double bound;   /* of its time */
  double left;    /* |value| of the function at the event: zero but for what time cannot resolve */
  double span;    /* of a gap that closes: a time before and after the event; 0: it was not looked at */
  double fell[2]; /* by how much it changes within that, before and after */
  double shift;   /* from the root on the extension to the event */
} nsd_cause;

/* Sizes that a call began with: where it fails, some of those since are of what made it fail. */
typedef struct nsd_known {
  double *size, *rate; /* nq + nu */
  double *gained;      /* nu */
  double reach, bias_scale;
} nsd_known;

/* Who took part in the last impact, in the order of its rows. */
typedef struct nsd_struck {
  int64_t key;
  int32_t index; /* −1: found */
  int32_t reserved;
} nsd_struck;

/* The contact problem that the last run failed at. */
typedef struct nsd_failed {
  nsd_arena arena; /* of the arrays */
  nsd_contact_data data;
  nsd_contact_spec *spec;
  nsd_contact_space *space;
  double *G, *c;
  int is_there;
} nsd_failed;

enum nsd_event_busy { NSD_EVENT_IDLE = 0, NSD_EVENT_RUNNING = 1 };

/* The contacts that the driver knows of, closed or not: those known in advance, then those found; and what
 * their gaps and the constraints have done so far. */
typedef struct nsd_tracks {
  nsd_track *track; /* those known in advance, then tracks found */
  int count;
  int room;
  double reach;                  /* largest of all tracks' */
  double *probed;                /* nq: sizes of the coordinates when gaps were probed; 0: never */
  double *constraint_terms;      /* nconstraints: as a track's `terms` */
  nsd_course *constraint_course; /* nconstraints */
  double course_t;     /* when the courses were last looked at; NaN: since then it went on otherwise */
  double *probe_terms; /* 3 × (tracks.room + nconstraints) */
  int32_t *of_found;   /* room: of each record of the sink its track; −1: none yet */
} nsd_tracks;

/* The smooth motion under fixed modes, and the search for what ends it. */
typedef struct nsd_phase {
  nsd_acceleration motion;
  nsd_dopri dopri;
  nsd_locate locate;
  nsd_event_function_list kinematic; /* from kinematics alone */
  nsd_event_function_list dynamic;   /* from forces */
  nsd_keys apart; /* found contacts that are watched otherwise than by the least gap of all: those
                     closed, with their place in the scene, and those that leave, with −2 */
  int watch_room;
  double *watch_value;               /* of a list */
  double hint;                       /* for the length of a phase's first step; 0: none */
  double t_begin;                    /* when the phase began */
  int intervals;                     /* that the search through the last step has needed of one function */
  int was_calm;                      /* the search before has needed one interval only */
  int grazes;                        /* too short to be waves, that the search has found in the last step */
  double extended_from, extended_dt; /* the step that the extension belongs to */
  nsdyn_status trouble;              /* of a callback within the integrator or a watch */
  double section_value;              /* largest |value| so far */
  double section_noise;              /* what was left of it at crossings */
  double section_sign;               /* of the side the state is on; 0: not known yet */
  double *y, *y_next;                /* nq + nu */
  double *qdot;                      /* nq: rates of the coordinates at the state */
  double *a;                         /* nu: accelerations at the state */
} nsd_phase;

/* How large everything has been so far: what tolerances and rounding are relative to. */
typedef struct nsd_scales {
  double *size; /* nq + nu: largest |y_i| so far */
  double *rate; /* nq + nu: largest |q̇_j|, |u̇_j| so far */
  nsd_known known;
  double pace;                 /* the fastest rate |u_j| / |q_j| so far; 0: not known */
  double own_time;             /* in which the motion changes, by the sizes so far */
  double *terms;               /* nu: sizes of what u̇_j is a sum of so far, by forces */
  double *gained;              /* nu: largest |u̇_j| of the motion so far, while w̄ is differenced */
  double *drive;               /* nq + nu: sizes of the terms of slopes: of rate and terms */
  double *bend;                /* nq: largest |q̈_j| so far, about */
  double *reference;           /* nq + nu: sizes that the tolerance is relative to */
  double *absolute, *relative; /* nq + nu: tolerances */
  double *given;               /* nq + nu: the user's */
} nsd_scales;

/* Over which time w̄ is differenced, where the user does not give it. */
typedef struct nsd_bias_time {
  double scale;  /* largest loads of rows over √G so far, while w̄ is differenced */
  double noise;  /* of γ over √G, by rounding within callbacks; 0: none was seen */
  int row;       /* for which w̄ was differenced over a shorter time the last time; −1: none */
  int hold;      /* times that this is not done again */
  double before; /* the time before, */
  double error;  /* and its error of this row, */
  double share;  /* over that row's accelerations */
  double next;   /* the time for the next step, where it is longer */
  double proved; /* the last time over which w̄ was good in a step; 0: none yet */
} nsd_bias_time;

/* Forces that those of redundant contacts at rest are extrapolated from. */
enum { NSD_REST_NODES = 6 };

/* What is decided at one instant, at constant t and q, on copies of the state. Arrays are as long as the
 * scene has room for contacts and rows. */
typedef struct nsd_instant {
  nsd_happening *happening; /* as many as the scene has room for contacts */
  int happening_room;
  nsdyn_contact *contact;
  double *q_work, *u_work;               /* nq, nu: of an instant */
  int32_t *leaves;                       /* contacts: NSD_STAYS or NSD_LEAVES */
  int32_t *holds;                        /* contacts: γ_T = 0 */
  int32_t *chosen;                       /* contacts: those that are part of a problem of forces */
  int32_t *chosen_state;                 /* contacts: its pattern */
  int32_t *best_state;                   /* contacts */
  int32_t *solver_state, *solver_mode;   /* contacts: of a solution */
  int32_t *found_state;                  /* contacts */
  nsd_contact_spec *chosen_spec;         /* contacts */
  nsd_restitution *restitution;          /* contacts */
  double *gamma;                         /* rows: γ⁺ */
  double *impulse;                       /* rows */
  double *best_force;                    /* rows */
  double *shares, *other_shares, *order; /* rows: how redundant contacts share their load, */
  double *node;                          /* NSD_REST_NODES × rows: forces that it is extrapolated from, */
  double *limit, *bound;                 /* contacts: and their limits of friction */
  nsd_contact_spec *best_spec;           /* contacts */
  double size_of_rows;                   /* largest size of γ̇ of the contacts in a problem of forces */
  double energy; /* ½ Λᵀ(γ⁻ + γ⁺) of its impacts, which count once it is over */
  int impasse;   /* the failure is one that a time step may get over */
  double near;   /* gaps up to this take part in the instant, whatever their noise; 0: no others */
} nsd_instant;

/* The present call of nsdyn_event_driver_advance(), and what calls before have seen. */
typedef struct nsd_run {
  double last_dt;       /* of the last integrator step; 0: none yet */
  double most_dt;       /* of the longest one */
  double t_begin;       /* of the state that was set */
  int64_t outputs;      /* calls of `output` so far */
  int at_output;        /* one of them runs: gaps of the scene are those of its time */
  int begun;            /* an instant has been settled since the state was set */
  double stalled_since; /* time before the last instants without progress */
  int stalls;
  int creeping;                   /* steps without progress, one after the other */
  double end;                     /* of the present advance */
  double *before;                 /* nq + nu: a state to go back to */
  double handover_t, handover_dt; /* end and length of the last handover; 0: none */
  double window_t;                /* since when instants are counted, */
  double window_count;            /* so many of them */
  double zeno;                    /* the option, or more where impacts follow each other too fast */
} nsd_run;

/* The last impact, for those who ask, and the energy of all. */
typedef struct nsd_last_impact {
  nsd_struck *struck; /* count of room */
  int count, room;
  int is_there;  /* an impact was solved, or tried, since the state was set */
  double energy; /* Σ ½ Λᵀ(γ⁻ + γ⁺) of all impacts */
} nsd_last_impact;

/* The log: a ring of the newest records, and the newest group of them. */
typedef struct nsd_records {
  double t; /* of the newest record */
  double bound;
  int64_t group;       /* its number; −1: there is none */
  nsdyn_event *record; /* a ring of room */
  int64_t room, count, first;
  int64_t told; /* records the observer has seen */
} nsd_records;

struct nsdyn_event_driver {
  nsdyn_system *sys;
  nsdyn_context *ctx;
  nsdyn_event_driver_options options; /* its scale points into `scales.given` */
  nsd_fault fault;
  nsd_holder holder;
  int busy;
  double t;
  double *q;   /* nq */
  double *u;   /* nu */
  int settled; /* modes, forces and accelerations are those of the state, and the integrator stands there */
  int64_t revision; /* of the system's laws, that the phase was begun with */
  int32_t laws;     /* for found contacts that the system had when the last run ended */
  nsd_cause cause;
  nsdyn_event_report report;
  double *energy_mass; /* nsd_mass_numbers(); NULL: not asked for yet */
  nsd_failed failed;
  nsd_arena export_arena; /* of the problem as text, and of a state that is restored */
  nsd_arena arena;        /* arrays that never grow */
  nsd_arena scene_arena;  /* for the scene's room */
  nsd_arena watch_arena;
  nsd_tracks tracks;
  nsd_phase phase;
  nsd_scales scales;
  nsd_bias_time bias;
  nsd_instant instant;
  nsd_run run;
  nsd_last_impact last_impact;
  nsd_records records;
  nsd_closing closing; /* who has closed before, and was found to follow its direction */
};

static inline const nsdyn_contact_law *nsd_track_law(const nsdyn_event_driver *d, const nsd_track *track)
{
  return track->index >= 0 ? &d->sys->laws[track->index] : nsd_system_found_law(d->sys, track->law);
}

/* Whether a contact under this law can stick at all. */
static inline int nsd_law_has_friction(const nsdyn_contact_law *law)
{
  switch (law->friction) {
  case NSDYN_FRICTION_NONE:
    return 0;
  case NSDYN_FRICTION_STATIC:
    return law->mu > 0.0 || law->mu_static > 0.0;
  case NSDYN_FRICTION_CURVE:
    return 1;
  case NSDYN_FRICTION_BOUND:
    return law->bound > 0.0;
  default:
    return law->mu > 0.0;
  }
}

/* Refuses laws whose sliding the driver does not follow, polygons of friction, by name. */
nsdyn_status nsd_driver_check_laws(const nsdyn_system *sys, nsd_fault *fault);

/* nsdyn_event_driver_new() without its door: `ctx` is the driver's own, `out` is not NULL. */
nsdyn_status nsd_driver_make(nsdyn_context *ctx, nsdyn_system *sys, const nsdyn_event_driver_options *options,
                             nsdyn_event_driver **out, nsd_fault *fault);

#endif
