/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "contact/many/many.h"

#include "base/dense.h"
#include "base/tolerances.h"
#include "contact/planar/states.h"

#define GUESS_SHARE 0.1   /* of all work, for the first guess */
#define LEAST_FACTOR 0.03 /* from ε to ε, where few pieces have led from one to the next */
#define CAREFUL 0.5       /* the least factor for some time after one that led nowhere */
#define BACK 4.0          /* from such an ε */
#define WILD 10.0         /* ε beyond which nothing is tamed */
#define HALFWAY 0.5       /* t of a path that was left: its nearest point is the next Λ₀ */
#define NEARER 0.5        /* of the residual: progress */
#define NEXT_SHARE 0.618  /* of Λ, where the search begins anew; no two of them alike */
#define LEAST_SHARE 0.1
#define MORE_PATIENCE 1.5 /* so many times that of the search before */
#define FAST 0.7 /* what a batch leaves of the change of rounds, at most, if there is to be another */

enum {
  WARM_STEPS = 12,
  COLD_STEPS = 6,
  MOST_ROUNDS = 200,
  BATCH = 80,      /* rounds between two looks at how fast they come nearer */
  FEW_PIECES = 10, /* the next ε may be much less */
  SOME_PIECES = 40,
  MANY_PIECES = 100, /* Λ₀ alone moves on */
  MOST_PIECES = 64,  /* for one ε, and half the contacts more */
  CAREFUL_STEPS = 3,
  PATIENCE = 12,   /* systems and pieces per contact without progress, until the search begins anew */
  QUICK_STEPS = 4, /* of Newton's method: where few contacts change it needs no more */
  PAUSE = 3        /* problems without it, after one where it failed */
};

void nsd_many_lay_out(nsd_arena *arena, nsd_many *w, int contacts, int bilateral, int rows)
{
  nsd_coupling_lay_out(arena, &w->coupling, contacts + bilateral, rows);
  nsd_rounds_lay_out(arena, &w->rounds, contacts, bilateral, rows);
  nsd_damped_newton_lay_out(arena, &w->active, contacts, rows);
  nsd_piecewise_path_lay_out(arena, &w->straight, contacts, rows);
  w->Lambda = nsd_arena_take(arena, (size_t)rows, sizeof *w->Lambda);
}

/* The best so far goes to the judge, who decides. */
static int judge(nsd_many *w, const nsd_contact_data *d, double tol, nsd_pattern_best *best, nsd_poll *poll)
{
  nsd_damped_newton *a = &w->active;
  if (nsd_all_finite(1, d->rows, a->best, d->rows)) {
    const nsd_contact_verdict verdict = nsd_contact_judge_asking(d, a->best, a->xi, poll);
    nsd_pattern_keep_better(best, d, a->best, a->xi, &verdict);
  }
  return nsd_contact_is_solution(&best->verdict, tol);
}

/* Newton's method from Λ, the problem itself, as long as each step comes nearer. NSDYN_OK, NSDYN_CANCELLED.
 */
static nsdyn_status try_sharp(nsd_damped_newton *a, const double *Lambda, int states_of, int steps,
                              double most, nsd_poll *poll)
{
  const nsdyn_status status =
      nsd_damped_newton_try(a, Lambda, states_of, NSD_DAMPED_NEWTON_SHARP, steps, most, poll);
  if (status == NSDYN_OK) {
    nsd_damped_newton_arrive(a);
  }
  return status == NSDYN_CANCELLED ? status : NSDYN_OK;
}

/* The given pattern, else the one that Λ = 0 asks for, where contacts that neither approach nor leave count
 * as closed. It often is the right one or next to it. */
static nsdyn_status guess(nsd_many *w, const nsd_contact_data *d, const int32_t *start, const double *near,
                          double tol, double work, nsd_poll *poll)
{
  nsd_damped_newton *a = &w->active;
  const double tie = NSD_CONTACT_TIE * nsd_norm_inf(d->rows, d->c);
  /* Λ = 0, ξ = G 0 + c: the first that competes. */
  for (int i = 0; i < d->rows; i++) {
    w->Lambda[i] = 0.0;
    a->xi[i] = d->c[i];
  }
  nsd_damped_newton_offer(a, w->Lambda);
  /* The states that it asks for, ties of c_N counted as approaching. */
  for (int i = 0; i < d->contacts; i++) {
    const int N = d->spec[i].row;
    a->xi[N] = fabs(d->c[N]) <= tie ? -tie : d->c[N];
    a->states[i] = start ? start[i] : nsd_contact_next_state(d, &d->spec[i], w->Lambda, a->xi);
  }
  if (start) {
    return nsd_damped_newton_follow(a, near ? near : w->Lambda, tol, 0, NSD_DAMPED_NEWTON_SHARP, WARM_STEPS,
                                    work, poll);
  }
  return try_sharp(a, w->Lambda, 0, COLD_STEPS, a->work + work, poll);
}

static void copy(int n, const double *from, double *to)
{
  for (int i = 0; i < n; i++) {
    to[i] = from[i];
  }
}

/* Rounds, in batches, as long as they come nearer fast. */
static nsdyn_status make_rounds(nsd_rounds *r, nsd_poll *poll)
{
  double last = INFINITY;
  for (int count = 0; count < MOST_ROUNDS; count += BATCH) {
    for (int i = 0; i < BATCH; i++) {
      nsd_rounds_step(r);
      if (nsd_poll_stops(poll, r->work)) {
        return NSDYN_CANCELLED;
      }
    }
    if (r->acceleration.least > FAST * last || r->acceleration.least == 0.0) {
      break;
    }
    last = r->acceleration.least;
  }
  return NSDYN_OK;
}

/* From one ε to the next, by the pieces between them. */
static double factor_after(int pieces)
{
  return pieces < FEW_PIECES ? LEAST_FACTOR : pieces < SOME_PIECES ? 0.2 : pieces < MANY_PIECES ? 0.5 : 1.0;
}

/* The problem of w->epsilon has led to the next Λ₀, or nowhere: the next ε. Returns whether there is one. */
static int choose_next(nsd_many *w, nsdyn_status status, double tol, double before)
{
  const nsd_damped_newton *a = &w->active;
  if (status) {
    w->epsilon *= BACK;
    w->careful = CAREFUL_STEPS;
    return w->epsilon <= WILD;
  }
  const int is_last = w->epsilon <= NSD_DAMPED_NEWTON_SHARP || (a->residual <= tol && a->residual >= before);
  const double factor = factor_after(w->changes);
  w->epsilon *= w->careful > 0 ? nsd_larger(factor, CAREFUL) : factor;
  w->epsilon = nsd_larger(w->epsilon, NSD_DAMPED_NEWTON_SHARP);
  w->careful -= w->careful > 0;
  return !is_last && a->residual > NSD_RESIDUAL_ROUNDING;
}

/* The next problem, that of w->epsilon around w->Lambda. NSDYN_OK where it is solved as far as pays. */
static nsdyn_status solve_damped(nsd_many *w, double most, nsd_poll *poll)
{
  nsd_damped_newton *a = &w->active;
  const int rows = a->k->d->rows;
  const int pieces = MOST_PIECES + a->k->d->contacts / 2;
  nsdyn_status status = NSDYN_MAX_ITERATIONS;
  /* ξ = G Λ + c + ε D (Λ − Λ₀) of this ε: Newton's method where it may do with few steps, … */
  if (w->wait == 0) {
    status = nsd_damped_newton_try(a, w->Lambda, 1, w->epsilon, QUICK_STEPS, most, poll);
    w->changes = a->moved;
  }
  w->wait = w->wait > 0 ? w->wait - 1 : status == NSDYN_OK ? 0 : PAUSE;
  /* … else from piece to piece, one contact changing its state at a time. */
  if (status == NSDYN_MAX_ITERATIONS) {
    status = nsd_piecewise_path_follow(&w->straight, a, w->Lambda, w->epsilon, pieces, most, poll);
    w->changes = w->straight.pieces;
    a->steps += w->changes;
  }
  /* Λ₀ := Λ, and on to a smaller ε; what a path that was left has come nearer counts too. */
  if (status == NSDYN_OK) {
    nsd_damped_newton_arrive(a);
    copy(rows, a->center, w->Lambda);
  } else if (status != NSDYN_CANCELLED && w->straight.least < HALFWAY) {
    copy(rows, w->straight.nearest, w->Lambda);
  }
  return status;
}

/* Problems of ever less ε, from w->Lambda on, until they lead to a solution or so many systems and pieces
 * have brought nothing nearer. NSDYN_OK either way; NSDYN_MAX_ITERATIONS where a->work has come to `most`. */
static nsdyn_status approach(nsd_many *w, double tol, double patience, double most, nsd_poll *poll)
{
  nsd_damped_newton *a = &w->active;
  double mark = INFINITY; /* the residual when it last was half of the mark before, … */
  int since = a->steps;   /* … and when that was */
  w->epsilon = NSD_DAMPED_NEWTON_TAME;
  w->careful = w->wait = 0;
  while (a->steps - since <= patience) {
    if (a->work >= most) {
      return NSDYN_MAX_ITERATIONS;
    }
    const double before = a->residual;
    const nsdyn_status status = solve_damped(w, most, poll);
    if (status == NSDYN_CANCELLED || (status && w->straight.is_starved)) {
      return status;
    }
    if (!choose_next(w, status, tol, before)) {
      break;
    }
    if (a->residual < NEARER * mark) {
      mark = a->residual;
      since = a->steps;
    }
  }
  return NSDYN_OK;
}

/* Rounds first: they cost least, and in most piles they come near enough for Newton's method to end it at
 * once. Where impulses wander they come no nearer after some time; then problems of ever less ε. They may be
 * drawn to a point that nearly is a solution, whose pull ends only where ε is as small as what it misses;
 * from there every path turns back. Then they begin anew elsewhere. */
static nsdyn_status search(nsd_many *w, const nsd_contact_data *d, double tol, double work,
                           nsd_pattern_best *best, nsd_poll *poll)
{
  nsd_rounds *r = &w->rounds;
  nsd_damped_newton *a = &w->active;
  const double most = a->work + work;
  nsdyn_status status = make_rounds(r, poll);
  nsd_damped_newton_offer(a, r->acceleration.best);
  /* ξ = G Λ + c itself from there, … */
  if (status == NSDYN_OK) {
    status = try_sharp(a, r->acceleration.best, 1, QUICK_STEPS, most, poll);
  }
  /* (the certificate of all rows decides, not the residual of the path) … */
  double share = 1.0, patience = PATIENCE * (double)d->contacts;
  while (status == NSDYN_OK && !judge(w, d, tol, best, poll)) {
    /* … else with ever less of ε D (Λ − Λ₀), from a share of Λ, and with more patience each time. */
    a->residual = INFINITY;
    for (int i = 0; i < d->rows; i++) {
      w->Lambda[i] = share * r->acceleration.best[i];
    }
    a->work += r->work; /* some, even where G is zero: there is an end */
    status = approach(w, tol, patience, most, poll);
    share = share > LEAST_SHARE ? NEXT_SHARE * share : 1.0 + share;
    patience *= MORE_PATIENCE;
  }
  return status;
}

nsdyn_status nsd_many_solve(nsd_many *w, const nsd_contact_data *d, const int32_t *start, const double *near,
                            double tol, double work, nsd_pattern_best *best, const nsdyn_context *ctx)
{
  nsd_poll poll = nsd_poll_of(ctx, "many contacts");
  nsd_damped_newton *a = &w->active;
  /* Which contacts share bodies: the zeros of G. */
  if (nsd_coupling_read(&w->coupling, d, &poll)) {
    return NSDYN_CANCELLED;
  }
  /* The pattern of the step before, or that of Λ = 0, with a few steps of Newton's method. */
  nsd_damped_newton_begin(a, &w->coupling);
  nsd_piecewise_path_begin(&w->straight);
  /* The impulses of the step before: at rest they are the solution. Of redundant contacts the pattern alone
   * does not tell them. */
  if (near) {
    nsd_damped_newton_offer(a, near);
    if (a->residual <= tol && judge(w, d, tol, best, &poll)) {
      return NSDYN_OK;
    }
  }
  nsdyn_status status = guess(w, d, start, near, tol, GUESS_SHARE * work, &poll);
  /* Then rounds and problems of ever less ε, from where that has led. */
  if (status == NSDYN_OK && !(a->residual <= tol && judge(w, d, tol, best, &poll))) {
    status = nsd_rounds_begin(&w->rounds, &w->coupling, &poll);
    nsd_rounds_start(&w->rounds, near ? near : w->Lambda);
    status = status ? status : search(w, d, tol, work, best, &poll);
  }
  best->rounds += a->steps;
  if (status) {
    nsd_poll last = nsd_poll_to_end(ctx, "many contacts");
    (void)judge(w, d, tol, best, &last); /* the best is told even so */
  }
  return status;
}
