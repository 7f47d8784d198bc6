/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "contact/space/enumerate_one.h"

#include <math.h>

#include "base/safe_scalar.h"
#include "base/tolerances.h"
#include "contact/certificate.h"
#include "contact/planar/states.h"
#include "contact/space/friction.h"
#include "contact/space/one_polygon.h"
#include "contact/space/sliding_roots.h"
#include "contact/space/solve/rounds.h"

enum { ROWS = NSD_CONTACT_ROWS, MOST_POINTS = 32 };

typedef struct list {
  const nsd_contact_data *d;
  double tol;
  nsd_contact_visit *visit;
  void *user;
  nsdyn_contact_census *census;
  int stopped; /* the visitor says so */
  int count;
  double Lambda[MOST_POINTS][ROWS], xi[MOST_POINTS][ROWS];
} list;

static int is_same(const double *a, const double *b)
{
  double apart = 0.0, size = 0.0;
  for (int i = 0; i < ROWS; i++) {
    apart += fabs(a[i] - b[i]);
    size += fabs(a[i]) + fabs(b[i]);
  }
  return apart <= NSD_SLIDING_SAME * size;
}

static void hand_out(list *l, const double *Lambda, const double *xi, double speed)
{
  const nsd_contact_spec *s = &l->d->spec[0];
  const double slide = nsd_norm_plane(xi[1], xi[2]);
  const int32_t mode = nsd_contact_mode_of(s, l->d->G[0] * Lambda[0], slide, NSD_MODE_TOL * speed);
  const int32_t modes[1] = {mode == NSDYN_MODE_SLIP_PLUS ? NSDYN_MODE_SLIP : mode};
  const nsdyn_contact_piece piece = {.size = sizeof piece,
                                     .rows = ROWS,
                                     .contacts = 1,
                                     .vertices = 1,
                                     .Lambda = Lambda,
                                     .xi = xi,
                                     .ray = NULL,
                                     .modes = modes};
  l->stopped = l->visit && l->visit(l->user, &piece);
}

/* A candidate: to the judge, and unless it is there already to the list. `miss` is what its state misses, a
 * velocity: where it is next to nothing and the judge says no, there may be one. */
static void take(list *l, const double *candidate, double miss)
{
  double Lambda[ROWS] = {candidate[0], candidate[1], candidate[2]}, xi[ROWS];
  l->census->nodes++;
  if (l->stopped) {
    return;
  }
  nsd_friction_admit(&l->d->spec[0], Lambda);
  const nsd_contact_verdict v = nsd_contact_judge(l->d, Lambda, xi);
  int is_new = 1, is_new_motion = 1;
  for (int i = 0; i < l->count; i++) {
    is_new = is_new && !is_same(l->Lambda[i], Lambda);
    is_new_motion = is_new_motion && !is_same(l->xi[i], xi);
  }
  if (!is_new) {
    return;
  }
  if (!nsd_contact_is_solution(&v, l->tol) || l->count == MOST_POINTS) {
    l->census->doubtful += miss <= NSD_SLIDING_NEAR * v.scale || l->count == MOST_POINTS;
    return;
  }
  for (int i = 0; i < ROWS; i++) {
    l->Lambda[l->count][i] = Lambda[i];
    l->xi[l->count][i] = xi[i];
  }
  l->count++;
  l->census->points++;
  l->census->motions += is_new_motion;
  hand_out(l, Lambda, xi, v.speed);
}

static void take_nothing(list *l)
{
  const double zero[ROWS] = {0.0, 0.0, 0.0};
  take(l, zero, INFINITY);
}

/* ---- kinds of laws ------------------------------------------------------------------------------------- */

/* Λ_T = per_load |Λ_N| + given: (G_NN ± G_NT·per_load) Λ_N + c_N + G_NT·given has the normal law alone. */
static void take_known(list *l)
{
  const nsd_contact_data *d = l->d;
  const nsd_contact_spec *s = &d->spec[0];
  const double *g = d->G;
  const int is_slot = s->kind == NSDYN_CONTACT_BILATERAL;
  double p[2];
  nsd_friction_drag(s, 1.0, p);
  const double along = g[1] * p[0] + g[2] * p[1], size = fabs(g[1] * p[0]) + fabs(g[2] * p[1]);
  const double rest = d->c[0] - s->bound * along, terms = fabs(d->c[0]) + s->bound * size;
  /* Open: Λ_N = 0, ξ_N = rest. */
  if (is_slot ? rest == 0.0 : rest >= 0.0) {
    const double open[ROWS] = {0.0, -s->bound * p[0], -s->bound * p[1]};
    take(l, open, 0.0);
  }
  l->census->doubtful += s->bound * size > 0.0 && fabs(rest) <= NSD_SLIDING_DOUBT * terms;
  /* Closed, pressing from either side. */
  for (int side = 1; side >= (is_slot ? -1 : 1); side -= 2) {
    const double slope = g[0] - side * s->mu * along, Lambda_N = -rest / slope;
    l->census->nodes++;
    l->census->doubtful += !(fabs(slope) > NSD_SLIDING_DOUBT * (fabs(g[0]) + s->mu * size));
    if (isfinite(Lambda_N) && side * Lambda_N > 0.0) {
      const double limit = s->mu * fabs(Lambda_N) + s->bound;
      const double closed[ROWS] = {Lambda_N, -limit * p[0], -limit * p[1]};
      take(l, closed, 0.0);
    }
  }
}

/* No push moves the normal. */
static void take_immovable(list *l)
{
  const nsd_contact_data *d = l->d;
  const nsd_contact_spec *s = &d->spec[0];
  const int is_free = d->G[1] == 0.0 && d->G[2] == 0.0; /* ξ_N = c_N */
  const int is_apart =
      s->kind != NSDYN_CONTACT_BILATERAL && d->c[0] > 0.0 && s->friction == NSD_FRICTION_LOAD;
  const int is_impossible = s->kind == NSDYN_CONTACT_BILATERAL ? d->c[0] != 0.0 : d->c[0] < 0.0;
  l->census->nodes++;
  if (is_free && is_impossible) {
    return; /* proved: nothing else may be */
  }
  l->census->doubtful += !(is_free && is_apart);
  take_nothing(l);
}

static void take_state(void *user, const nsd_one_contact_answer *answer, double miss)
{
  list *l = user;
  if (answer) {
    take(l, answer->Lambda, miss);
  } else {
    l->census->doubtful++;
  }
}

static void take_unknown(list *l, const nsd_one_contact *block)
{
  const nsd_contact_data *d = l->d;
  const nsd_contact_spec *s = &d->spec[0];
  const double *P = block->P, *A = block->A;
  const int by_load = s->friction == NSD_FRICTION_LOAD;
  /* Where S is singular a sticking contact may have more than one Λ. */
  const double size = NSD_SLIDING_DOUBT * (fabs(P[4]) + fabs(P[8]));
  const int is_regular = fabs(block->held.s1) > size && fabs(block->held.s2) > size;
  const int is_definite = is_regular && block->definite;
  const int is_smooth = by_load && s->mu == 0.0;
  l->census->doubtful += !is_regular && !is_smooth;
  if (s->space->sides > 0 && !is_smooth) {
    const double c_T[2] = {A[0] * d->c[1] + A[2] * d->c[2], A[1] * d->c[1] + A[3] * d->c[2]};
    if (by_load && (s->kind == NSDYN_CONTACT_BILATERAL ? d->c[0] == 0.0 : d->c[0] >= 0.0)) {
      take_nothing(l);
    }
    nsd_one_polygon_all(block, d->c, c_T, take_state, l);
    return;
  }
  nsd_one_contact_answer all[NSD_SLIDING_ROOTS];
  int doubtful = 0, count = 0;
  if (by_load) {
    count = nsd_sliding_roots(block, d->c, all, &doubtful);
  } else {
    /* A given bound: the problem is convex, and has one solution where G is definite. */
    count = nsd_one_contact_solve(block, d->c, all) == NSD_ONE_CONTACT_SOLVED;
    doubtful = !is_definite;
  }
  l->census->doubtful += doubtful;
  for (int i = 0; i < count; i++) {
    take(l, all[i].Lambda, 0.0);
  }
}

nsdyn_status nsd_space_enumerate_one(const nsd_contact_data *d, double tol, nsd_contact_visit *visit,
                                     void *user, nsdyn_contact_census *census)
{
  const nsd_contact_spec *s = &d->spec[0];
  list l = {.d = d, .tol = tol, .visit = visit, .user = user, .census = census};
  double own[ROWS * ROWS];
  for (int i = 0; i < ROWS * ROWS; i++) {
    own[i] = nsd_contact_row(d, i / ROWS)[i % ROWS];
  }
  census->max_dimension = -1;
  /* Stage 1. The candidates, each judged. */
  if (own[0] == 0.0) {
    take_immovable(&l);
  } else if (s->sliding) {
    take_known(&l);
  } else {
    const nsd_one_contact block = nsd_space_block_from(own, s);
    take_unknown(&l, &block);
  }
  /* Stage 2. What they are worth. */
  census->complete = census->doubtful == 0 && !l.stopped;
  census->max_dimension = l.count > 0 ? 0 : -1;
  if (l.stopped) {
    return NSDYN_CANCELLED;
  }
  return l.count > 0 ? NSDYN_OK : census->doubtful > 0 ? NSDYN_UNDECIDED : NSDYN_NO_SOLUTION;
}
