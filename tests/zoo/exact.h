/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* A second opinion on small machines: few coordinates, few contacts, everything in long double, SI units and
 * by brute force. Modes are found by trying all of them, impacts likewise; smooth motion is integrated by
 * extrapolation (support/exact_ode.h). No line of the library.
 *
 * The motion is known as far as it can be: up to where no set of modes, or more than one with different
 * motions, obeys the laws, or where half the step length says something else.
 *
 * A machine that has written its model this way can hand it to the library by exact_define(), scaled to the
 * units asked for, or write callbacks of its own in other coordinates. */
#ifndef TESTS_ZOO_EXACT_H
#define TESTS_ZOO_EXACT_H

#include "zoo.h"

enum { EXACT_MOST = 6, EXACT_CONTACTS = 8, EXACT_NODES = 2500, EXACT_LOOKS = 400 };

typedef long double exact_real;

/* Contact i at (t, q): gap, w_N and w_T, ŵ of both. */
typedef struct exact_touch {
  exact_real gap, w[2][EXACT_MOST], hat[2];
} exact_touch;

typedef struct exact_law {
  int slot;     /* never opens */
  int friction; /* one of nsdyn_friction_kind; NONE, COULOMB, STATIC, CURVE, BOUND (of slots only) */
  exact_real mu, mu_static, bound, eps;
} exact_law;

enum exact_mode { EXACT_OPEN, EXACT_CLOSED, EXACT_STICK, EXACT_PLUS, EXACT_MINUS };

typedef struct exact_node {
  exact_real t, q[EXACT_MOST], v[EXACT_MOST];
  exact_real v_before[EXACT_MOST]; /* at the end of the step that led here, before an impact */
  unsigned char mode[EXACT_CONTACTS];
  int jump;                              /* velocity or acceleration jump here */
  unsigned char touches[EXACT_CONTACTS]; /* of a jump: the gap is zero */
} exact_node;

/* To be the first member of the machine's model. */
typedef struct exact exact;
struct exact {
  int n, contacts, is_angle[EXACT_MOST];
  void (*inertia)(const exact *e, const exact_real *q, exact_real *M); /* n × n, zeroed before */
  void (*force)(const exact *e, exact_real t, const exact_real *q, const exact_real *v, exact_real *h);
  void (*touch)(const exact *e, exact_real t, const exact_real *q, int i, exact_touch *w);
  /* γ̇ without accelerations, of both rows, which are zero before; NULL: γ is differenced, which takes most of
   * the time of a reference. It is compared with the differences where the motion begins. */
  void (*drift)(const exact *e, exact_real t, const exact_real *q, const exact_real *v, int i,
                exact_real *bias);
  exact_real (*curve)(const exact *e, int i, exact_real speed);                   /* μ of CURVE */
  exact_real (*energy)(const exact *e, const exact_real *q, const exact_real *v); /* never grows; or NULL */
  exact_law law[EXACT_CONTACTS];
  exact_real time, length, speed, load,
      step;  /* sizes, load: of forces; the step of smooth motion, 0: time/5 */
  int rough; /* smooth motion, and hops that are closed off, to 1e-9 and 1e-5 of the sizes; else 1e-15, 3e-7
              */
  /* the motion */
  exact_real known;
  int nodes;
  const char *why; /* it is not known further */
  exact_node node[EXACT_NODES];
  /* neighbours (exact_spread.c), at EXACT_LOOKS + 1 times */
  double spread_dt; /* the steps that they were moved by; 0: there are none yet */
  zoo_truth spread[EXACT_LOOKS + 1];
  /* for the library */
  zoo_unit unit;
  double t0;
  int form;
};

/* Integrates from (q, v) at 0 to `span`, in full and half steps. */
void exact_run(exact *e, const exact_real *q, const exact_real *v, exact_real span);
/* The state at t; returns 1 where it is known. `clear` is 0 within `slack` of a jump. Where `slack` is not
 * small, by cubic interpolation between nodes. */
int exact_at(const exact *e, exact_real t, double slack, exact_real *q, exact_real *v, int *clear);
/* How high the lowest hop rises that is under way at t; infinite where none is. */
exact_real exact_hop(const exact *e, exact_real t);
/* From a node on, to `span`; its modes are chosen anew. */
void exact_run_from(exact *e, const exact_node *begin, exact_real span);
/* zoo_case's `spread`. */
void exact_spread(zoo_case *c, double t, double dt, zoo_truth *spread);
/* Accelerations and forces (normal, tangential) under the modes; 0 where there are none. */
int exact_accelerate(const exact *e, exact_real t, const exact_real *q, const exact_real *v,
                     const unsigned char *mode, exact_real *a, exact_real lambda[][2]);

/* The drift of contacts whose directions never change. */
void exact_no_drift(const exact *e, exact_real t, const exact_real *q, const exact_real *v, int i,
                    exact_real *bias);
/* γ̇ without accelerations, of both rows. */
void exact_bias(const exact *e, exact_real t, const exact_real *q, const exact_real *v, int i,
                exact_real *bias);

/* ---- handing it to the library --------------------------------------------------------------------------
 */

enum exact_form {
  EXACT_KNOWN, /* contacts known in advance, bias differenced */
  EXACT_BIAS,  /* bias given */
  EXACT_FOUND, /* contacts found, bias given */
  EXACT_TWIN,  /* each coordinate twice, tied by constraints: forces act on the first, contacts on the second
                */
  EXACT_FORMS
};
extern const char *const exact_form_name[EXACT_FORMS];

/* A model of `bytes` that begins with an exact. */
void *exact_model(zoo_case *c, const zoo_ask *ask, size_t bytes, int n, int contacts);
/* The motion, and from it callbacks, laws, start, sizes and truth of the case; `load` is the size of forces.
 */
void exact_define(zoo_case *c, int form, const exact_real *q, const exact_real *v, exact_real span,
                  exact_real load);
/* The parts of it: the motion; sizes, laws, start and truth for n coordinates; callbacks. */
void exact_sizes(zoo_case *c, exact_real span);
/* The law as the library calls it. */
nsdyn_contact_law exact_library_law(const exact *e, int i);
/* The library's state, back in SI. */
void exact_state(const exact *e, const double *q, const double *u, exact_real *q_si, exact_real *v_si);
int exact_curve(void *user, double speed, double *mu);

#endif
