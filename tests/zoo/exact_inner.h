/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* What the files of exact.h share: forces, modes, the motion and its print. */
#ifndef TESTS_ZOO_EXACT_INNER_H
#define TESTS_ZOO_EXACT_INNER_H

#include "exact.h"

enum { EXACT_ROWS = 2 * EXACT_CONTACTS };

exact_real exact_dot(int n, const exact_real *a, const exact_real *b);

/* Contact i at (t, q). */
void exact_touch_at(const exact *e, exact_real t, const exact_real *q, int i, exact_touch *w);

/* γ of a row. */
exact_real exact_gamma(const exact *e, exact_real t, const exact_real *q, const exact_real *v, int i,
                       int row);

/* Whether the machine's drift is that of its γ. */
int exact_drifts_well(const exact *e, exact_real t, const exact_real *q, const exact_real *v);

/* μ of contact i, which sticks or slides at the speed `slide`. */
exact_real exact_mu(const exact *e, int i, int sticks, exact_real slide);

/* The unknowns of a set of modes: which rows are held at zero, and along what their forces act. */
typedef struct exact_unknowns {
  int n, of[EXACT_ROWS], row[EXACT_ROWS];
  exact_real R[EXACT_ROWS][EXACT_MOST], C[EXACT_ROWS][EXACT_MOST], rest[EXACT_ROWS];
} exact_unknowns;

/* A force along w of the row, and slope times the tangential w. */
void exact_add_unknown(exact_unknowns *x, const exact *e, int i, int row, const exact_touch *w,
                       exact_real slope);

/* Solves R (v0 + M⁻¹ C λ) + rest = 0; v0 becomes v0 + M⁻¹ C λ. */
int exact_hold(const exact *e, const exact_real *q, exact_unknowns *x, exact_real *v0,
               exact_real lambda[][2]);

/* Takes away what integration has left open of closed contacts, of gaps and velocities. */
void exact_project(const exact *e, exact_node *x);

/* Modes at x, with contact `forced` (or −1) in a given one. Returns why there are none, or NULL. */
const char *exact_choose(const exact *e, exact_node *x, int forced, int forced_mode);

/* Impact of all contacts at x. Returns why there is none, or NULL. */
const char *exact_hit(exact *e, exact_node *x);

/* Prints the motion, for whoever doubts it (ZOO_EXACT=1, 2). */
void exact_tell(const exact *e, exact_real span);

#endif
