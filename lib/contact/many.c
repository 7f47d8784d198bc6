/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "contact/many.h"

#include "base/dense.h"
#include "contact/states.h"

#define TIE 1e-9 /* of the largest c: a c_N below has no sign */
#define FIRST_PATH                                                                                           \
  3e8                   /* multiplications that the first path may take, a fifth of a second; then ever more \
                         */
#define GUESS_SHARE 0.1 /* of all work, for the first guess */

enum {
  FIRST_ROUNDS = 20, /* before the first path */
  WARM_STEPS = 12,
  COLD_STEPS = 6,
  PATH_STEPS = 1000
};

void nsd_many_lay_out(nsd_arena *arena, nsd_many *w, int contacts, int bilateral, int rows)
{
  nsd_coupling_lay_out(arena, &w->coupling, contacts + bilateral, rows);
  nsd_rounds_lay_out(arena, &w->rounds, contacts, bilateral, rows);
  nsd_active_lay_out(arena, &w->active, contacts, rows);
  w->Lambda = nsd_arena_take(arena, (size_t)rows, sizeof *w->Lambda);
}

/* The best so far goes to the judge, who decides. */
static int judge(nsd_many *w, const nsd_contact_data *d, double tol, nsd_pattern_best *best)
{
  nsd_active *a = &w->active;
  if (nsd_all_finite(1, d->rows, a->best, d->rows)) {
    const nsd_contact_verdict verdict = nsd_contact_judge(d, a->best, a->xi);
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
  for (int i = 0; i < d->rows; i++) {
    w->Lambda[i] = 0.0;
    a->xi[i] = d->c[i];
  }
  nsd_active_offer(a, w->Lambda);
  for (int i = 0; i < d->contacts; i++) {
    const int N = d->spec[i].row;
    a->xi[N] = fabs(d->c[N]) <= tie ? -tie : d->c[N];
    a->states[i] = start ? start[i] : nsd_contact_next_state(d, &d->spec[i], w->Lambda, a->xi);
  }
  return nsd_active_follow(a, w->Lambda, tol, 0, NSD_ACTIVE_SHARP, start ? WARM_STEPS : COLD_STEPS, work,
                           poll);
}

/* Rounds, then a path from where they have led, each turn with twice the work of the last. */
static nsdyn_status take_turns(nsd_many *w, const nsd_contact_data *d, double tol, double work,
                               nsd_pattern_best *best, nsd_poll *poll)
{
  nsd_rounds *r = &w->rounds;
  double spent = 0.0, room = nsd_smaller(FIRST_PATH, work);
  double due = FIRST_ROUNDS * r->work;
  while (spent < work) {
    double done = 0.0;
    while (done < due) {
      nsd_rounds_step(r);
      if (nsd_poll_stops(poll, r->work)) {
        return NSDYN_CANCELLED;
      }
      done += r->work;
    }
    nsd_active_offer(&w->active, r->best);
    const double before = w->active.work;
    if (nsd_active_follow(&w->active, r->best, tol, 1, NSD_ACTIVE_TAME, PATH_STEPS, room, poll)) {
      return NSDYN_CANCELLED;
    }
    if (w->active.residual <= tol && judge(w, d, tol, best)) {
      return NSDYN_OK;
    }
    spent += due + (w->active.work - before);
    due = room;
    room *= 2.0;
  }
  return NSDYN_MAX_ITERATIONS;
}

nsdyn_status nsd_many_solve(nsd_many *w, const nsd_contact_data *d, const int32_t *start, double tol,
                            double work, nsd_pattern_best *best, const nsdyn_context *ctx)
{
  nsd_poll poll = nsd_poll_of(ctx, "many contacts");
  nsd_active *a = &w->active;
  if (nsd_coupling_read(&w->coupling, d, &poll)) {
    return NSDYN_CANCELLED;
  }
  nsd_active_begin(a, &w->coupling);
  nsdyn_status status = guess(w, d, start, tol, GUESS_SHARE * work, &poll);
  if (status == NSDYN_OK && !(a->residual <= tol && judge(w, d, tol, best))) {
    status = nsd_rounds_begin(&w->rounds, &w->coupling, &poll);
    nsd_rounds_start(&w->rounds, w->Lambda);
    status = status ? status : take_turns(w, d, tol, work, best, &poll);
  }
  best->rounds += a->steps;
  if (status) {
    (void)judge(w, d, tol, best);
  }
  return status;
}
