/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Wild machines: mechanical systems drawn from bytes, driven by both integrators through the public interface
 * alone, with callbacks that fail now and then; and what must hold of all of them.
 *
 *   M = unit (M0 + φ² M1),   φ = σ/(1 + σ²), σ = s·q,   h = unit (f sin(ω t + 1) − K q − D u),   q̇ = (N0 + φ
 * N1) u a surface: x = n·q,   g = g0 + x + ½ bend x² + rate t + amp sin(ω t) w_T = (1 + twist x/(1 + x²))
 * tangent,   ŵ_T = belt + belt_amp sin(ω t)
 *
 * Everything about a machine is known in closed form, w̄ too, so that answers are judged without a line of the
 * library. */
#ifndef TESTS_SUPPORT_WILD_H
#define TESTS_SUPPORT_WILD_H

#include <stddef.h>
#include <stdint.h>

#include "nsdyn/event.h"
#include "nsdyn/stepper.h"

enum { WILD_U = 4, WILD_Q = 5, WILD_CONTACTS = 5, WILD_CONSTRAINTS = 2, WILD_STATUSES = 40 };

/* What came of a machine. */
typedef struct wild_outcome {
  char broken[512];             /* the first promise that was broken; "" where all held */
  int64_t runs[WILD_STATUSES];  /* of an event driver, by status + 20 */
  int64_t steps[WILD_STATUSES]; /* of a stepper, likewise */
  int tells;                    /* 1: print the machine and each call */
  int is_strict;                /* 1: judge what is known to be wrong, too: see wild_judge.c */
  int64_t judged_runs, judged_steps, judged_contacts; /* whose answers were computed anew */
} wild_outcome;

/* Draws a machine from the bytes and drives it; returns whether all promises were kept. */
int wild_drive(const uint8_t *bytes, size_t size, wild_outcome *outcome);

/* ---- its parts ----------------------------------------------------------------------------------------- */

/* Bytes read one after another; zeros behind their end. */
typedef struct wild_bytes {
  const uint8_t *at;
  size_t left;
  int coarse; /* numbers are multiples of a quarter: ties and zeros */
  int hard;   /* some are any double */
} wild_bytes;

int wild_below(wild_bytes *from, int n);
double wild_number(wild_bytes *from); /* of moderate size, unless `hard` */

typedef struct wild_surface {
  double g0, bend, rate, amp, omega, twist, belt, belt_amp;
  double n[WILD_Q], tangent[WILD_U];
  double curve[2]; /* μ(v) = curve₀ + curve₁/(1 + v) */
  nsdyn_contact_law law;
  int64_t key;        /* of a found contact */
  int32_t law_number; /* likewise */
  int was_slot;       /* before another law */
  int began_deep;     /* its gap was negative when the state was set */
  struct wild *owner;
} wild_surface;

/* Callbacks that fail. */
enum wild_callback {
  WILD_NONE = 0,
  WILD_CONFIGURE,
  WILD_MASS,
  WILD_SOLVE_MASS,
  WILD_FORCE,
  WILD_GAP,
  WILD_DIRECTION,
  WILD_BIAS,
  WILD_FIND,
  WILD_CONSTRAINT,
  WILD_CONSTRAINT_BIAS,
  WILD_KINEMATICS,
  WILD_RETRACT,
  WILD_CURVE,
  WILD_CALLBACKS
};

typedef struct wild {
  int nq, nu, known, found, constraints;
  int moves, retracts, solves, has_bias, has_constraint_bias, gives_w_bar, two_blocks;
  int64_t flags;
  double unit, t0, phase_omega;
  double M0[WILD_U * WILD_U], M1[WILD_U * WILD_U], s[WILD_Q];
  double f[WILD_U], K[WILD_U * WILD_Q], D[WILD_U * WILD_U];
  double N0[WILD_Q * WILD_U], N1[WILD_Q * WILD_U];
  double q[WILD_Q], u[WILD_U]; /* to begin with */
  wild_surface contact[WILD_CONTACTS], constraint[WILD_CONSTRAINTS];

  int bad, how;               /* of enum wild_callback; what it does */
  int64_t bad_from, bad_upto; /* of its own calls */
  int64_t calls, own_calls, budget;
  int has_failed;  /* a fault was handed out */
  int has_stopped; /* a callback asked to stop */
  int has_run;     /* an event driver has moved it */
  int is_lost;     /* and a contact or constraint that cannot stay closed has thrown it away */

  int64_t bytes, most_bytes, allocations, no_memory_at; /* the context's */
  int64_t cancels_at, asked;                            /* its progress callback */
  nsdyn_context *ctx;
  nsdyn_system *sys;
  int32_t found_laws;
  int is_hard;
  wild_outcome *out;
} wild;

void wild_read(wild_bytes *from, wild *w);
void wild_read_law(wild_bytes *from, wild_surface *surface);
nsdyn_system_def wild_def(wild *w);
void wild_break(wild *w, const char *format, ...); /* a promise; the first one is kept */
void wild_tell(const wild *w, const char *format, ...);
void wild_describe(const wild *w);
void wild_tell_numbers(const wild *w, const char *name, int n, const double *x);
void wild_describe_surface(const wild *w, const char *name, int i, const wild_surface *s);

/* At a configuration, without a failure. */
typedef struct wild_look {
  double g, w_N[WILD_U], w_T[WILD_U], w_hat[2], w_bar[2];
  double size; /* Σ |terms of g| */
} wild_look;
void wild_see(const wild *w, const wild_surface *s, double t, const double *q, const double *u,
              wild_look *look);
void wild_mass(const wild *w, const double *q, double *M);
void wild_force(const wild *w, double t, const double *q, const double *u, double *h);
void wild_qdot(const wild *w, const double *q, const double *u, double *qdot);
double wild_curve(const wild_surface *s, double speed);
const wild_surface *wild_surface_of(const wild *w, const nsdyn_contact_state *state);

/* ---- judges -------------------------------------------------------------------------------------------- */

/* A status with its message: nothing to say after a success, something after a failure. */
void wild_judge_message(wild *w, const char *call, nsdyn_status status, const char *message);
void wild_judge_finite(wild *w, const char *what, int n, const double *x);

/* An event driver whose advance has returned NSDYN_OK, and what is true after any return. */
void wild_judge_run(wild *w, const nsdyn_event_driver *d, const nsdyn_event_driver_options *options);
void wild_judge_log(wild *w, const nsdyn_event_driver *d);

/* Whether a surface leaves the range of its gap, where its direction vanishes, between two times. */
int wild_is_singular(const wild *w, double t_begin, double t_end);

/* The step of dt from (t, q, u) that a stepper has just done. */
void wild_judge_step(wild *w, nsdyn_stepper *s, const nsdyn_stepper_options *options, double t,
                     const double *q, const double *u, double dt);

/* A state that was made consistent, but for a share of the terms that gaps are sums of. */
void wild_judge_consistent(wild *w, const nsdyn_consistent_report *report, double share, double gap_tol,
                           double t, const double *q, const double *u);

#endif
