/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The inside of an nsdyn_cycle.
 *
 * Files of this folder:
 *
 *   object.c                the object: options, memory, state, what is asked for
 *   section.c               the motion from one point of the section to the next
 *   first_period.c          a first period: how long it takes, where it is calm, what it sweeps
 *   return_map.c            the return map, seen from the calm point
 *   derivative.c            its derivative, by central differences, and how good it is
 *   eigenvalue_bounds.h .c  how far eigenvalues are off where a matrix is
 *   newton.c                Newton's method
 *   graze.c                 how near a cycle is to another order of impacts
 *   continuation.c          along a parameter
 *   branch_steps.h .c       the same by steps of its own, to where the branch ends
 *   stability_change.c      what changed between two cycles
 *   eigenvalues.h .c        of a real matrix
 *
 * The map is not taken on the section itself but `delay` behind it, in the middle of the longest phase
 * without events: the base. On the section a state may stand at a friction limit, or a contact may just open,
 * and varied states go different ways on both sides. In mid-phase the motion is smooth on both sides, and the
 * driver keeps what is closed or sticks. Both maps have the same multipliers, but for zeros.
 *
 * States are y = (t, q, u), `length` numbers. `unknown` lists those that a cycle has to repeat: not t where
 * nothing depends on it, no drifting coordinates. */
#ifndef NSD_STUDY_OBJECT_H
#define NSD_STUDY_OBJECT_H

#include "event/snapshot.h"
#include "nsdyn/study.h"
#include "study/eigenvalue_bounds.h"

/* First release's sizes (base/sized.h). */
#define NSD_CYCLE_OPTIONS_LEAST NSD_SIZE_THROUGH(nsdyn_cycle_options, drift)
#define NSD_CYCLE_FIND_REPORT_LEAST NSD_SIZE_THROUGH(nsdyn_cycle_find_report, largest_error)
#define NSD_CYCLE_POINT_LEAST NSD_SIZE_THROUGH(nsdyn_cycle_point, t)
#define NSD_CYCLE_PATH_LEAST NSD_SIZE_THROUGH(nsdyn_cycle_path, forcing)

/* A state and what the driver knew there. */
typedef struct nsd_station {
  double *y; /* length */
  nsd_snapshot snapshot;
} nsd_station;

/* An open contact at a moment. */
typedef struct nsd_look {
  int64_t key;
  int32_t index; /* −1: found */
  int32_t reserved;
  double gap, rate;
} nsd_look;

/* How near a contact comes to grazing. */
typedef struct nsd_approach {
  double value; /* a gap, or the speed of an impact; infinite: there is none */
  double at;    /* time after the section */
  int64_t key;
  int32_t contact; /* −1: found */
  int32_t reserved;
} nsd_approach;

/* Impacts of a cycle's period. */
typedef struct nsd_profile {
  int64_t impacts; /* how many, but for those that accumulate */
  uint64_t who;    /* the same for the same ones */
  double period;
  nsd_approach low;  /* least gap at which a contact turns round without impact */
  nsd_approach slow; /* slowest impact */
} nsd_profile;

/* A cycle that is kept while others are looked for. Its snapshot needs no copy: a search that succeeds leaves
 * the one it began with in `next`. */
typedef struct nsd_kept {
  double *y, *scale; /* length */
  double *lambda;    /* 2 count */
  double *error;     /* count */
  double *shift;     /* nq */
  double forcing, delay, lasted, period;
  int behind;
  nsdyn_cycle_find_report report;
} nsd_kept;

/* Steps of the differences, of which so many are shorter than the option `step`. */
enum { NSD_CYCLE_STEPS = 8, NSD_CYCLE_SHORTER_STEPS = 4 };

/* Where the driver stands. */
enum nsd_cycle_place {
  NSD_PLACE_STATE,  /* at the state that was set: the section is to be reached */
  NSD_PLACE_SECTION /* on the section */
};

struct nsdyn_cycle {
  nsdyn_system *sys;
  nsdyn_context *ctx;
  nsdyn_cycle_options options; /* scale and drift point to what is its own; driver is NULL */
  nsdyn_event_driver *driver;
  int (*section)(void *user, double t, const double *q, const double *u, double *value); /* the host's */
  void *section_user;
  nsd_fault fault;
  int busy;

  int nq, nu;
  int length;       /* 1 + nq + nu */
  int count;        /* unknowns */
  int32_t *unknown; /* count */
  int32_t *drift;   /* nq */
  double *scale;    /* length: 1 where none is asked for */

  /* Where it stands: what the host sees. */
  double *state; /* length */
  double *guess; /* length: as it was set */
  int place;
  int stands;       /* the driver does stand there */
  nsd_station here; /* on the section: to go on from, however far the driver has been meanwhile */

  /* The cycle. */
  double *shift;         /* nq */
  double *lambda;        /* 2 count */
  double *lambda_error;  /* count */
  double *lambda_before; /* 2 count: at the value before, of a sweep */
  double *error_before;  /* count: likewise */
  nsd_kept kept;
  nsdyn_cycle_find_report report;

  /* The motion between two sections. */
  int listening;                             /* the section counts */
  int crossed;                               /* it was crossed */
  double ignore_until;                       /* no crossing counts before */
  double lasted;                             /* the last return */
  double calm_from, calm_length, last_event; /* the longest phase so far; when the last event was */
  int passed, calm_passed;                   /* returns since phases are measured; those before that one */

  /* What comes near. */
  int pausing; /* events end an advance */
  int paused;  /* one did */
  nsd_station lowest;
  nsdyn_contact_sink sink;
  nsd_look *look[2]; /* look_room: now and a piece before */
  int look_count[2], look_room[2];
  double *gaps; /* ncontacts */
  double *rows; /* NSD_CONTACT_ROWS × nu */

  /* Newton's method. */
  double period;          /* of the last map */
  double delay;           /* of the base behind the section */
  int behind;             /* returns between the two */
  double least;           /* residual of this search */
  nsd_station base, next; /* the point, and where the map took it */
  double *image;          /* length: of the point */
  double *trial, *trial_image;
  double *low, *high; /* length: images of varied points */
  double *residual;   /* count: (image − point) / scale */
  double *step;       /* count */
  double *J;          /* count × count: derivative in scaled unknowns */
  double *J_error;    /* count: of its columns */
  double *J_bend;     /* count: by how much they change per change of the base */
  double *slopes;     /* NSD_CYCLE_STEPS × count */
  double *work;       /* NSD_NEARBY_WORK × count × count */
  double *pair;       /* 2 count */
  double *pair_error; /* count: of the multipliers in `pair` */
  int *perm;          /* 2 count */

  nsd_arena arena;
};

/* ---- object.c ---- */

/* Takes what went wrong in the driver as its own. */
nsdyn_status nsd_cycle_blame_driver(nsdyn_cycle *c, nsdyn_status status);

/* The driver's time and state. */
void nsd_cycle_read_driver(const nsdyn_cycle *c, double *y);

/* Another period of the forcing, which is finite and stays so. What begins at the cycle found last begins at
 * the same share of it. */
void nsd_cycle_set_forcing(nsdyn_cycle *c, double forcing);

void nsd_cycle_copy(const nsdyn_cycle *c, const double *from, double *to);

/* What the driver knows now. */
nsdyn_status nsd_cycle_take(nsdyn_cycle *c, nsd_snapshot *snapshot);

/* ---- section.c ---- */

/* nsdyn_event_driver_options::section and ::observe of the own driver; `user` is the nsdyn_cycle. */
int nsd_cycle_section(void *user, double t, const double *q, const double *u, double *value);
int nsd_cycle_observe(void *user, const nsdyn_event_driver *driver, const nsdyn_event *event);

/* The driver goes to where the search stands, if it is elsewhere. */
nsdyn_status nsd_cycle_enter(nsdyn_cycle *c);

/* The driver was put on the section, at c->here: that it is there counts as no crossing. */
void nsd_cycle_ignore_crossings(nsdyn_cycle *c);

/* Through the next `returns` crossings of the section; the log has the events on the way. */
nsdyn_status nsd_cycle_cross(nsdyn_cycle *c, int returns);

/* For a while, whatever happens. */
nsdyn_status nsd_cycle_wait(nsdyn_cycle *c, double duration);

/* Phases are measured from here on. The base is put into the middle of the longest one: so long after
 * `begin`, where they began. */
void nsd_cycle_begin_phases(nsdyn_cycle *c);
void nsd_cycle_choose_base(nsdyn_cycle *c, double begin);

/* The motion has several continuations where the driver stands. */
nsdyn_status nsd_cycle_ambiguous(nsdyn_cycle *c);

/* ---- first_period.c ---- */

/* To the section where the driver is not there yet, a few periods on, to the base, which is set; scales are
 * measured. */
nsdyn_status nsd_cycle_survey(nsdyn_cycle *c);

/* From the section to the base, with delay and scales of an earlier survey. */
nsdyn_status nsd_cycle_approach(nsdyn_cycle *c);

/* ---- return_map.c ---- */

/* From a point onto the section: the returns that are left of a period. */
nsdyn_status nsd_cycle_to_section(nsdyn_cycle *c, const nsd_snapshot *from, const double *y);

/* The map: y, which the driver enters with what `from` knows, to its image. Sets c->period. */
nsdyn_status nsd_cycle_shoot(nsdyn_cycle *c, const nsd_snapshot *from, const double *y, double *image);

/* Periods of the forcing that a duration is to be, at least one. */
int32_t nsd_cycle_windings(const nsdyn_cycle *c, double duration);

/* residual := (image − y) / scale of the unknowns; returns the largest. */
double nsd_cycle_compare(const nsdyn_cycle *c, const double *y, const double *image, double *residual);

/* Whether a failure may just mean that the state was too far off. */
int nsd_cycle_is_too_far(nsdyn_status status);

/* ---- derivative.c ---- */

/* c->J at the base, for Newton's method. */
nsdyn_status nsd_cycle_differentiate(nsdyn_cycle *c);

/* As good as differences can be, with c->J_error and c->J_bend. Of the base `image` is known. */
nsdyn_status nsd_cycle_differentiate_well(nsdyn_cycle *c);

/* ---- newton.c ---- */

/* Search from where the driver stands; the status of nsdyn_cycle_find(). */
nsdyn_status nsd_cycle_search(nsdyn_cycle *c);

/* ---- graze.c ---- */

/* Of the cycle that the last search found; the driver's log still has its period. */
nsdyn_status nsd_cycle_profile(nsdyn_cycle *c, nsd_profile *profile);

/* ---- stability_change.c ---- */

/* Size of multiplier k, from 0. */
double nsd_cycle_size(const nsdyn_cycle *c, int k);

/* What a multiplier on the unit circle means. */
int32_t nsd_change_of(double re, double im);

#endif
