/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The woodpecker toy of Glocker & Studer (2005), §4, solved exactly: closed forms between events, events to
 * the last digits of a long double. Shares no line with the library.
 *
 *   exact_woodpecker model;
 *   exact_woodpecker_table(&model);
 *   exact_state s;
 *   exact_event e;
 *   exact_woodpecker_begin(&model, &s);
 *   while (exact_woodpecker_next(&model, 1.0L, &s, &e) == EXACT_EVENT) { … }
 *
 * Contacts are numbered from 0 here: 0 beak and pole, 1 lower and 2 upper edge of the sleeve. Parameters are
 * doubles, so that who compares solves the same problem to the bit. */
#ifndef TESTS_SUPPORT_EXACT_WOODPECKER_H
#define TESTS_SUPPORT_EXACT_WOODPECKER_H

#include "exact_flow.h"
#include "exact_modes.h"

#define EXACT_CONTACTS 3
#define EXACT_EVENTS_MOST 32

typedef struct exact_woodpecker {
  double r_O, r_M, h_M; /* radii of pole and sleeve, half height of the sleeve, m */
  double l_M, l_G;      /* M to G, G to S, m */
  double h_S, l_S;      /* S to P, length of the beak, m */
  double m_M, m_S;      /* kg */
  double J_M, J_S;      /* kg m² */
  double c_phi;         /* N m/rad */
  double g;             /* m/s² */
  double eps_N[EXACT_CONTACTS];
  double mu[EXACT_CONTACTS];
} exact_woodpecker;

typedef enum exact_status {
  EXACT_END,       /* no event before the time asked for */
  EXACT_EVENT,     /* the state is that after the event */
  EXACT_NONE,      /* no mode fits: Painlevé's paradox, or an impact that Newton's law cannot solve */
  EXACT_AMBIGUOUS, /* more than one motion fits */
  EXACT_NO_CYCLE   /* the toy does not come back to the section, or not to one point of it */
} exact_status;

typedef struct exact_state {
  long double t;
  long double q[EXACT_DOF]; /* y, φ_M, φ_S */
  long double u[EXACT_DOF];
  exact_mode mode[EXACT_CONTACTS]; /* from t on */
} exact_state;

typedef enum exact_kind {
  EXACT_IMPACT,
  EXACT_STOP,   /* slip to stick */
  EXACT_START,  /* stick to slip, at the friction limit */
  EXACT_DETACH, /* the normal force vanishes */
  EXACT_REVERSE /* slip to slip the other way */
} exact_kind;

typedef struct exact_event {
  long double t;
  int contact;
  exact_kind kind;
  exact_mode before[EXACT_CONTACTS];
  exact_mode after[EXACT_CONTACTS];
  long double q[EXACT_DOF];
  long double u_before[EXACT_DOF];
  long double u_after[EXACT_DOF];
  long double impulse[EXACT_CONTACTS][2]; /* Λ_N, Λ_T of an impact */
} exact_event;

/* The cycle as its Poincaré map has it: from the moment at which the lower edge begins to slip to the next.
 * There the toy stands still but for ω_S, and its spring is at the friction limit: the map takes one number
 * to one. */
typedef struct exact_cycle {
  long double period;
  long double drop; /* −Δy of a period */
  long double
      multiplier;      /* how a deviation of ω_S changes per period; above 1 in size: nothing settles here */
  exact_state section; /* at t = 0, y = 0 */
  int events;          /* of one period; the last ends it */
  exact_event event[EXACT_EVENTS_MOST];
  long double q_least[EXACT_DOF], q_most[EXACT_DOF]; /* over the period; y from the section on */
  long double u_least[EXACT_DOF], u_most[EXACT_DOF];
} exact_cycle;

/* Table I. */
void exact_woodpecker_table(exact_woodpecker *model);

/* The initial state of Table I with the lower edge on the pole: φ_M = −(r_M − r_O)/h_M, where the table's
 * rounded −0.1036 lies 0.9 µm inside. */
exact_status exact_woodpecker_begin(const exact_woodpecker *model, exact_state *s);

/* Modes of a state whose q and u are set: impact first where a closed contact approaches. */
exact_status exact_woodpecker_settle(const exact_woodpecker *model, exact_state *s);

/* To the next event, or to t_end. `event` may be NULL. */
exact_status exact_woodpecker_next(const exact_woodpecker *model, long double t_end, exact_state *s,
                                   exact_event *event);

/* The motion from a state on, valid until the next event; its time 0 is state->t. Contact forces λ_N, λ_T are
 * force[i][0] and force[i][1]. */
exact_status exact_woodpecker_flow(const exact_woodpecker *model, const exact_state *s, exact_flow *flow,
                                   exact_watch force[EXACT_CONTACTS][2]);

exact_status exact_woodpecker_cycle(const exact_woodpecker *model, exact_cycle *c);

/* Kinetic and potential energy, J. */
long double exact_woodpecker_energy(const exact_woodpecker *model, const long double *q,
                                    const long double *u);

const char *exact_kind_name(exact_kind kind);

/* How cautious the root finder is, for the test that says that it does not matter: at least 1, the default.
 */
exact_status exact_woodpecker_next_cautiously(const exact_woodpecker *model, long double t_end,
                                              long double caution, exact_state *s, exact_event *event);

#endif
