/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The zoo: small machines written as a user would write them, by callbacks and public headers alone, and
 * judges that share no line with the library.
 *
 * A machine is one file, which defines `const zoo_machine zoo_NAME` and is named in zoo_list.h. Its `make`
 * draws the parameters of one random case, in the units asked for, with the start at t0; driven machines use
 * t − t0 in their own functions, so that the motion is the same at every t0. The same machine, variant and
 * number give the same case, whatever the integrator, the units, t0 and the tolerance.
 *
 * Judged are, where the library returned NSDYN_OK: gaps and constraints, velocities of what is closed, forces
 * by their laws on acceleration level and by M a = h + Wᵀ λ (judge.c), energy, the machine's own truth, its
 * own judge. What fails there is a LIE. */
#ifndef TESTS_ZOO_ZOO_H
#define TESTS_ZOO_ZOO_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "nsdyn/event.h"
#include "nsdyn/stepper.h"
#include "support/exact_angle.h"
#include "support/exact_ode.h"
#include "support/random.h"

enum { ZOO_MOST = 24 };

/* What a metre, a kilogram and a second are called: a length of 1 m is the number `m`. */
typedef struct zoo_unit {
  const char *name;
  double m, kg, s;
} zoo_unit;

/* What a case is asked for. */
typedef struct zoo_ask {
  int variant;
  random_state random; /* for the parameters */
  double t0;           /* in the units' seconds */
  zoo_unit unit;
} zoo_ask;

/* What is known of the state at a time. Components whose `knows` is 0 are not compared. */
typedef struct zoo_truth {
  double q[ZOO_MOST], u[ZOO_MOST];
  int knows_q, knows_u; /* velocities are not known within an instant of an impact, nor in an unseen hop */
} zoo_truth;

typedef struct zoo_case zoo_case;

/* A state that is judged: by the event driver, or by a stepper (`dt` > 0). */
typedef struct zoo_moment {
  const zoo_case *c;
  const nsdyn_event_driver *driver; /* NULL: a stepper's, or within a step of the driver */
  const nsdyn_stepper *stepper;
  double t, dt, tol;
  const double *q, *u, *a; /* a is NULL where it is not known */
} zoo_moment;

/* What is wrong: a word for the table, a sentence, how much and how much is allowed. */
typedef struct zoo_fault {
  char kind[24];
  char text[160];
  double value, allowed, t;
} zoo_fault;

struct zoo_case {
  nsdyn_system_def def; /* its `user` is the model, copied byte by byte for each run, which may change it */
  size_t model_size;
  nsdyn_contact_law law[ZOO_MOST], found_law[4];
  int found_laws;                   /* numbered as they stand */
  int impact, inelastic, ambiguous; /* options of driver and stepper */
  int events_only, steps_only;
  double t0, span; /* span: a few characteristic times */
  double q[ZOO_MOST], u[ZOO_MOST];
  /* Sizes that errors are relative to. Of each coordinate and velocity; a length for gaps, a speed for γ, a
   * force, a characteristic time (speed/time is the size of accelerations); sizes of constraints. */
  double q_size[ZOO_MOST], u_size[ZOO_MOST], length, speed, force, time, constraint_size[ZOO_MOST];
  double amplify;     /* by how much errors made on the way grow over the span; 1 */
  double steps_bound; /* of steps: error <= steps_bound · dt/time · size; 30 */
  double slack;  /* set by the runner: how far an impact may be off in time; velocities are not known there */
  int outputs;   /* moments that are judged with forces; 16 */
  int project;   /* of steps: with projection */
  int scheme;    /* of steps: one of nsdyn_scheme; set by the runner */
  int other_law; /* set by the runner: impacts are by another law than the truth's, which is not compared */
  int least_steps; /* steps in the span; 2000 */
  int wrong;       /* set by the runner: what the library is told wrongly (wrong.c); 0: nothing */
  /* The motion itself; called with t that do not fall. Returns 0 where nothing is known. */
  int (*truth)(zoo_case *c, double t, zoo_truth *truth);
  /* What steps of dt may be off by at t beyond their bound, since what happens within a step is found late,
   * and the machine makes more or less of it. It stands in for `amplify`, and is asked where the bound is
   * missed; with `knows_u` = 0 velocities are not judged. */
  void (*spread)(zoo_case *c, double t, double dt, zoo_truth *spread);
  double leave;   /* set by the runner: times what steps may be off by; 0: once */
  double judging; /* set by the judge: seconds that `spread` has taken, which are not the library's */
  int leans;      /* set by the judge: `spread` was asked */
  /* Energy that never grows; relative to energy_size. */
  double (*energy)(const zoo_case *c, double t, const double *q, const double *u);
  double energy_size;
  /* What else must hold. Returns 0, or what is wrong in `fault`. Also called within steps of the driver. */
  int (*judge)(zoo_case *c, const zoo_moment *moment, zoo_fault *fault);
};

typedef struct zoo_machine {
  const char *name;
  int variants;
  const char *(*variant)(int k); /* a few words */
  void (*make)(zoo_case *c, const zoo_ask *ask);
} zoo_machine;

extern const zoo_machine *const zoo_list[];
extern const int zoo_count;

/* ---- for machines ----------------------------------------------------------------------------------------
 */

/* Memory for the model, zeroed, as the `user` of the table; sizes of the table. */
void *zoo_model(zoo_case *c, size_t bytes, int nq, int nu, int ncontacts);
/* A copy of the model, for another run of the case; free() frees it. */
void *zoo_copy_model(const zoo_case *c);
nsdyn_contact_law zoo_law(double mu, double eps_n);
/* All q and u sizes at once. */
void zoo_sizes(zoo_case *c, double q_size, double u_size);
/* Gaps late are not known better than this: a contact that hops lower is as good as closed, and its velocity
 * is not known while it does. */
double zoo_unseen(const zoo_case *c, double t);
/* Says what is wrong if |value| > allowed (or is NaN); returns 1 then. */
int zoo_says(zoo_fault *fault, double t, const char *kind, double value, double allowed, const char *format,
             ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 6, 7)))
#endif
    ;

/* ---- within the runner -----------------------------------------------------------------------------------
 */

/* The outcome of one run. */
enum zoo_verdict { ZOO_RIGHT = 0, ZOO_FAILURE = 1, ZOO_LIE = 2, ZOO_SLOW = 3 };
typedef struct zoo_result {
  int verdict;
  nsdyn_status status;
  char message[600];
  zoo_fault fault;
  double error; /* largest error of the truth over what is allowed */
  int leans;    /* which was by `spread` */
  double t;     /* where it ended */
  double cpu;
  long long events;
} zoo_result;

typedef struct zoo_limits {
  double seconds; /* CPU time of a run */
  long long events;
  int verbose;
} zoo_limits;

void zoo_run_events(zoo_case *c, double tol, const zoo_limits *limits, zoo_result *result);
void zoo_run_steps(zoo_case *c, double tol, const zoo_limits *limits, zoo_result *result);
/* The machine in space, whose tangential axes are turned by an angle, against itself in the plane, by events
 * (space.c); whether it has what that takes. */
void zoo_run_space(zoo_case *c, double angle, double tol, zoo_result *result);
int zoo_goes_into_space(const zoo_case *c);
/* What the word of the option `wrong` stands for; −1: no such word. Whether a machine has such callbacks, and
 * its table for the library. */
int zoo_wrong_kind(const char *word);
int zoo_wrong_applies(const zoo_case *c);
nsdyn_system_def zoo_wrong_def(const zoo_case *c);
/* Whether it is about laws, and a law for the library. */
int zoo_wrong_is_law(int which);
nsdyn_contact_law zoo_wrong_law(const zoo_case *c, const nsdyn_contact_law *law);
/* Gaps, constraints, energy: for states anywhere. With a driver also forces and laws. 1: `fault` says what.
 */
int zoo_judge(zoo_case *c, const zoo_moment *moment, double *error, zoo_fault *fault);
/* The callbacks against each other at the start; a machine that fails here is wrong itself. */
int zoo_check_model(const zoo_case *c, zoo_fault *fault);
/* Where nq is not nu, or always: q + dt q' with the machine's kinematics. */
void zoo_qdot(const zoo_case *c, double t, const double *q, const double *u, double *qdot);

#endif
