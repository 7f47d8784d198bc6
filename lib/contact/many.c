/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "contact/many.h"

#include "base/dense.h"
#include "contact/states.h"

#define TIE 1e-9          /* of the largest c: a c_N below has no sign */
#define FIRST_ROOM 6e7    /* multiplications of the first turn: 50 ms */
#define SHARE 0.25        /* of a turn: what Newton's method gets, and rounds */
#define GUESS_SHARE 0.1   /* of all work, for the first guess */
#define LEAST_FACTOR 0.03 /* from ε to ε, where few pieces have led from one to the next */
#define CAREFUL 0.3       /* the least factor for some time after one that led nowhere */
#define BACK 4.0          /* from such an ε */
#define WILD 10.0         /* ε beyond which nothing is tamed */

enum {
  FIRST_ROUNDS = 20, /* before the first path */
  WARM_STEPS = 12,
  COLD_STEPS = 6,
  PATH_STEPS = 1000,
  FEW_PIECES = 10, /* the next ε may be much less */
  SOME_PIECES = 40,
  MANY_PIECES = 100, /* Λ₀ alone moves on */
  MOST_PIECES = 64,  /* for one ε, and half the contacts more */
  CAREFUL_STEPS = 3,
  QUICK_STEPS = 4, /* of Newton's method: where few contacts change it needs no more */
  PAUSE = 3        /* problems without it, after one where it failed */
};

void nsd_many_lay_out(nsd_arena *arena, nsd_many *w, int contacts, int bilateral, int rows)
{
  nsd_coupling_lay_out(arena, &w->coupling, contacts + bilateral, rows);
  nsd_rounds_lay_out(arena, &w->rounds, contacts, bilateral, rows);
  nsd_active_lay_out(arena, &w->active, contacts, rows);
  nsd_straight_lay_out(arena, &w->straight, contacts, rows);
  w->Lambda = nsd_arena_take(arena, (size_t)rows, sizeof *w->Lambda);
}

/* The best so far goes to the judge, who decides. */
static int judge(nsd_many *w, const nsd_contact_data *d, double tol, nsd_pattern_best *best, nsd_poll *poll)
{
  nsd_active *a = &w->active;
  if (nsd_all_finite(1, d->rows, a->best, d->rows)) {
    const nsd_contact_verdict verdict = nsd_contact_judge_asking(d, a->best, a->xi, poll);
    nsd_pattern_keep_better(best, d, a->best, a->xi, &verdict);
  }
  return nsd_contact_is_solution(&best->verdict, tol);
}

/* The given pattern, else the one that Λ = 0 asks for, where contacts that neither approach nor leave count
 * as closed. It often is the right one or next to it. */
static nsdyn_status guess(nsd_many *w, const nsd_contact_data *d, const int32_t *start, double tol,
                          double work, nsd_poll *poll)
{
  nsd_active *a = &w->active;
  const double tie = TIE * nsd_norm_inf(d->rows, d->c);
  /* Λ = 0, ξ = G 0 + c: the first that competes. */
  for (int i = 0; i < d->rows; i++) {
    w->Lambda[i] = 0.0;
    a->xi[i] = d->c[i];
  }
  nsd_active_offer(a, w->Lambda);
  /* The states that it asks for, ties of c_N counted as approaching. */
  for (int i = 0; i < d->contacts; i++) {
    const int N = d->spec[i].row;
    a->xi[N] = fabs(d->c[N]) <= tie ? -tie : d->c[N];
    a->states[i] = start ? start[i] : nsd_contact_next_state(d, &d->spec[i], w->Lambda, a->xi);
  }
  return nsd_active_follow(a, w->Lambda, tol, 0, NSD_ACTIVE_SHARP, start ? WARM_STEPS : COLD_STEPS, work,
                           poll);
}

static void copy(int n, const double *from, double *to)
{
  for (int i = 0; i < n; i++) {
    to[i] = from[i];
  }
}

/* For so many multiplications. */
static nsdyn_status make_rounds(nsd_rounds *r, double work, nsd_poll *poll)
{
  double done = 0.0;
  while (done < work) {
    nsd_rounds_step(r);
    if (nsd_poll_stops(poll, r->work)) {
      return NSDYN_CANCELLED;
    }
    done += r->work;
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
  const nsd_active *a = &w->active;
  if (status) {
    w->epsilon *= BACK;
    w->careful = CAREFUL_STEPS;
    return w->epsilon <= WILD;
  }
  const int is_last = w->epsilon <= NSD_ACTIVE_SHARP || (a->residual <= tol && a->residual >= before);
  const double factor = factor_after(w->changes);
  w->epsilon *= w->careful > 0 ? nsd_larger(factor, CAREFUL) : factor;
  w->epsilon = nsd_larger(w->epsilon, NSD_ACTIVE_SHARP);
  w->careful -= w->careful > 0;
  return !is_last && a->residual > NSD_PATTERN_POLISHED;
}

/* Problems of ever less ε, from piece to piece, from w->Lambda and w->epsilon on, for so many
 * multiplications. Where there is none to go on with, it begins anew the next time. */
static nsdyn_status approach(nsd_many *w, double tol, double work, nsd_poll *poll)
{
  nsd_active *a = &w->active;
  const nsd_contact_data *d = a->k->d;
  const int pieces = MOST_PIECES + d->contacts / 2;
  const double most = a->work + work;
  while (a->work < most) {
    const double before = a->residual;
    nsdyn_status status = NSDYN_MAX_ITERATIONS;
    /* ξ = G Λ + c + ε D (Λ − Λ₀) of this ε: Newton's method where it may do with few steps, … */
    if (w->wait == 0) {
      status = nsd_active_try(a, w->Lambda, w->epsilon, QUICK_STEPS, most, poll);
      w->changes = a->moved;
    }
    w->wait = w->wait > 0 ? w->wait - 1 : status == NSDYN_OK ? 0 : PAUSE;
    /* … else from piece to piece, one contact changing its state at a time. */
    if (status == NSDYN_MAX_ITERATIONS) {
      status = nsd_straight_follow(&w->straight, a, w->Lambda, w->epsilon, pieces, most, poll);
      w->changes = w->straight.pieces;
      a->steps += w->changes;
    }
    if (status == NSDYN_CANCELLED) {
      return status;
    }
    if (status && a->work >= most) {
      break;
    }
    /* Λ₀ := Λ, and on to a smaller ε. */
    if (status == NSDYN_OK) {
      nsd_active_arrive(a);
      copy(d->rows, a->center, w->Lambda);
    }
    if (!choose_next(w, status, tol, before)) {
      w->epsilon = 0.0;
      break;
    }
  }
  return NSDYN_OK;
}

/* Rounds, and problems of ever less ε from where they have led. Where that takes long Newton's method gets a
 * share of the work, and then each turn more than the last. */
static nsdyn_status take_turns(nsd_many *w, const nsd_contact_data *d, double tol, double work,
                               nsd_pattern_best *best, nsd_poll *poll)
{
  nsd_rounds *r = &w->rounds;
  nsd_active *a = &w->active;
  double spent = 0.0, room = nsd_smaller(FIRST_ROOM, work);
  w->epsilon = 0.0;
  for (int turn = 0; spent < work; turn++) {
    const double before = a->work;
    const int is_newtons = turn % 2 == 1;
    nsdyn_status status = NSDYN_OK;
    /* Rounds first, wherever a path is to begin: exact solves of one contact after the other. */
    if (w->epsilon == 0.0 || is_newtons) {
      const double rounds = turn == 0 ? FIRST_ROUNDS * r->work : SHARE * room;
      spent += rounds;
      status = make_rounds(r, rounds, poll);
      nsd_active_offer(a, r->best);
    }
    /* Each second turn Newton's method alone, of a share; else problem after problem. */
    if (status == NSDYN_OK && is_newtons) {
      status = nsd_active_follow(a, r->best, tol, 1, NSD_ACTIVE_TAME, PATH_STEPS, SHARE * room, poll);
      room *= 1.0 / SHARE;
    } else if (status == NSDYN_OK) {
      if (w->epsilon == 0.0) {
        copy(d->rows, r->best, w->Lambda);
        w->epsilon = NSD_ACTIVE_TAME;
        w->careful = w->wait = 0;
      }
      status = approach(w, tol, room, poll);
    }
    if (status) {
      return status;
    }
    if (a->residual <= tol && judge(w, d, tol, best, poll)) {
      return NSDYN_OK; /* by the certificate of all rows, not by the residual of the path */
    }
    spent += a->work - before;
  }
  return NSDYN_MAX_ITERATIONS;
}

nsdyn_status nsd_many_solve(nsd_many *w, const nsd_contact_data *d, const int32_t *start, double tol,
                            double work, nsd_pattern_best *best, const nsdyn_context *ctx)
{
  nsd_poll poll = nsd_poll_of(ctx, "many contacts");
  nsd_active *a = &w->active;
  /* Which contacts share bodies: the zeros of G. */
  if (nsd_coupling_read(&w->coupling, d, &poll)) {
    return NSDYN_CANCELLED;
  }
  /* The pattern of the step before, or that of Λ = 0, with a few steps of Newton's method. */
  nsd_active_begin(a, &w->coupling);
  nsdyn_status status = guess(w, d, start, tol, GUESS_SHARE * work, &poll);
  /* Then rounds and problems of ever less ε, from where that has led. */
  if (status == NSDYN_OK && !(a->residual <= tol && judge(w, d, tol, best, &poll))) {
    status = nsd_rounds_begin(&w->rounds, &w->coupling, &poll);
    nsd_rounds_start(&w->rounds, w->Lambda);
    status = status ? status : take_turns(w, d, tol, work, best, &poll);
  }
  best->rounds += a->steps;
  if (status) {
    (void)judge(w, d, tol, best, &poll); /* the best is told even so */
  }
  return status;
}
