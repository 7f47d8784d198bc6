/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "contact/space/space.h"

#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "base/tolerances.h"
#include "contact/object.h"
#include "contact/space/friction.h"
#include "contact/space/solve/pyramid.h"

enum {
  NEWTON_ROWS = 1800,      /* up to which it is tried early */
  MOST_NEWTON_ROWS = 3000, /* beyond which it is not tried */
  WARM_STEPS = 10,
  NEWTON_STEPS = 40,
  FIRST_ROUNDS = 20,
  FEW_ROUNDS = 10,
  TURNS = 4,             /* of rounds and Newton's method */
  TURN_STEPS = 12,       /* of Newton's method in each */
  BATCH = 100,           /* rounds between two looks */
  CENTERS = 150,         /* of the damped problem */
  ORDERS = 8,            /* of rounds, where contacts are few: */
  ORDER_ROWS = 300,      /* rows up to which they are */
  BEGINNINGS = 10,       /* of runs on Todorov's map */
  RUN_STEPS = 150,       /* of one of them */
  REFINEMENTS = 3,       /* of a last solution that still is one */
  REFINING_BATCHES = 10, /* of rounds, where those fail */
  PROXIMAL_ROWS = 36,    /* above which operators in the free form are solved by their bodies first */
  FREE_FORM_ROWS = 200,  /* from which a matrix is looked at for its velocities */
  MATRIX_TURNS = 3,      /* then of that method, up to so many, … */
  FIRST_TURN = 2,        /* … or from the last solution and from few rounds, */
  EASY_STEPS = 60,       /* and steps in each, where others have their turn next, */
  MATRIX_STEPS = 400,    /* or where they have had it */
  MOST_STEPS = 12000,    /* of all centers */
  FREE_TURNS = 4,        /* of that method, from one beginning after the other */
  MORE_ROUNDS = 10,      /* times the rounds of the turn before */
  MOST_CENTERS = 300,    /* of the proximal point method */
  STUCK = 8,             /* centers without half the residual, near a solution */
  CENTER_STEPS = 40,     /* of Newton's method in each */
  FEW_STEPS = 4,         /* after which the next ε may be much smaller */
  PYRAMID_UNKNOWNS = 60  /* of the LCP that `automatic` tries at last */
};

#define ROUNDS_WORK                                                                                          \
  1e8 /* multiplications of rounds before others have their turn: some tenths of a second                    \
       */
#define MOST_ROUNDS_WORK 3e9 /* and where there are no others */
#define NEWTON_WORK 0.2      /* times rows³: some steps of Newton's method, whose loops are vectors */
#define SLOW 0.5       /* what a batch of rounds leaves of the residual, where they are worth going on with */
#define CREEP 0.8      /* the same where impulses are hardly redundant */
#define REDUNDANT 1.75 /* rows to a velocity where most impulses are, and rounds creep from the beginning */
#define INNER 0.05     /* of |F|: damped problems are solved so far, since their centers move on anyway */
#define REFINING 1e-4  /* ε of a refinement: of what G moves at all it leaves about that share */
#define EARLY 1e-3     /* of tol · scale: Newton's method goes on so far, since it is cheap there */

#define MOST_DAMPING 1.0  /* ε of the proximal point method */
#define FIRST_DAMPING 0.1 /* and where it begins at the most */
#define FALL 0.2          /* of ε from center to center, to begin with */
#define LARGEST_FALL 0.1
#define SMALL_FALL 0.85 /* where that fails, ε grows instead */

static int is_by_bodies(const nsd_space *w, const nsd_contact_data *d)
{
  return nsd_space_operator(w, d)->is_free && d->rows > PROXIMAL_ROWS;
}

static nsdyn_status read_matrix(nsd_space *w, const nsd_contact_data *d, nsd_poll *poll)
{
  for (int i = 0; i < d->contacts; i++) {
    w->rows_of[i] = nsd_contact_rows_of(&d->spec[i]);
  }
  for (int i = d->contacts; i < d->contacts + d->bilateral; i++) {
    w->rows_of[i] = 1;
  }
  const nsd_operator_rows given = {.value = d->G, .stride = d->ldg, .columns = d->rows};
  return nsd_operator_read(&w->own, d->contacts + d->bilateral, w->rows_of, &given, NULL, poll);
}

/* Λ, as near as its laws allow, goes to the judge; the better of it and the best is kept. Returns whether
 * that is a solution. */
static int offer(nsdyn_contact *s, const nsd_contact_data *d, const double *Lambda, int32_t method,
                 nsd_poll *poll)
{
  nsd_space *w = &s->in_space;
  if (!nsd_all_finite(1, d->rows, Lambda, d->rows)) {
    return 0;
  }
  memcpy(w->trial, Lambda, (size_t)d->rows * sizeof *Lambda);
  for (int i = 0; i < d->contacts; i++) {
    nsd_friction_admit(&d->spec[i], w->trial + d->spec[i].row);
  }
  const nsd_contact_verdict v = nsd_contact_judge_asking(d, w->trial, w->at, poll);
  w->offered = v.residual > 0.0 ? v.residual / v.scale : 0.0;
  if (nsd_contact_is_better(&v, &s->best.verdict)) {
    s->method = method;
  }
  nsd_pattern_keep_better(&s->best, d, w->trial, w->at, &v);
  return nsd_contact_is_solution(&s->best.verdict, s->options.tol);
}

/* What the best so far misses, a share of its scale. */
static double share_of_best(const nsdyn_contact *s)
{
  const nsd_contact_verdict *v = &s->best.verdict;
  return v->residual > 0.0 ? v->residual / v->scale : 0.0;
}

/* One contact and nothing else: exactly. */
static nsdyn_status try_one(nsdyn_contact *s, const nsd_contact_data *d, nsd_poll *poll)
{
  const nsd_one_contact block = nsd_space_block_of(nsd_space_operator(&s->in_space, d), &d->spec[0], 0);
  double c[NSD_CONTACT_ROWS] = {0.0, 0.0, 0.0};
  for (int i = 0; i < d->rows; i++) {
    c[i] = d->c[i];
  }
  nsd_one_contact_answer answer;
  s->report.iterations++;
  switch (nsd_one_contact_solve(&block, c, &answer)) {
  case NSD_ONE_CONTACT_SOLVED:
    return offer(s, d, answer.Lambda, NSDYN_CONTACT_DIRECT, poll) ? NSDYN_OK : NSDYN_INACCURATE;
  case NSD_ONE_CONTACT_NONE:
    return NSDYN_NO_SOLUTION;
  default:
    return NSDYN_MAX_ITERATIONS;
  }
}

/* So many rounds, from where they are. NSDYN_OK where that ended at a solution. */
static nsdyn_status make_rounds(nsdyn_contact *s, const nsd_contact_data *d, int count, nsd_poll *poll)
{
  nsd_space_rounds *r = &s->in_space.rounds;
  for (int i = 0; i < count && r->acceleration.least != 0.0; i++) {
    nsd_space_rounds_step(r);
    s->report.iterations++;
    if (nsd_poll_stops(poll, r->work)) {
      return NSDYN_CANCELLED;
    }
  }
  return offer(s, d, r->acceleration.best, NSDYN_CONTACT_ROUNDS, poll) ? NSDYN_OK : NSDYN_MAX_ITERATIONS;
}

/* Memory for Newton's method, and G as a matrix in it. */
static nsdyn_status read_newton(nsd_space *w, const nsd_contact_data *d, nsd_poll *poll)
{
  nsdyn_status status = nsd_space_reserve_newton(w);
  if (status == NSDYN_OK && !w->knows_G) {
    status = nsd_space_newton_begin(&w->newton, d, nsd_space_operator(w, d), poll);
    w->knows_G = status == NSDYN_OK;
  }
  return status;
}

/* Newton's method on one map from Λ. */
static nsdyn_status try_newton_from(nsdyn_contact *s, const nsd_contact_data *d, nsd_space_map map, int steps,
                                    const double *Lambda, nsd_poll *poll)
{
  nsd_space *w = &s->in_space;
  nsdyn_status status = read_newton(w, d, poll);
  if (status) {
    return status;
  }
  memcpy(w->at, Lambda, (size_t)d->rows * sizeof *w->at);
  const double small = EARLY * s->options.tol * s->best.verdict.scale;
  status =
      nsd_space_newton_solve(&w->newton, map, 0.0, small, 0.0, steps, w->at, &s->report.iterations, poll);
  if (status == NSDYN_CANCELLED) {
    return status;
  }
  return offer(s, d, w->newton.best, NSDYN_CONTACT_NEWTON, poll) ? NSDYN_OK : NSDYN_MAX_ITERATIONS;
}

/* The same from the best so far. */
static nsdyn_status try_newton(nsdyn_contact *s, const nsd_contact_data *d, nsd_space_map map, int steps,
                               nsd_poll *poll)
{
  return try_newton_from(s, d, map, steps, s->best.Lambda, poll);
}

/* The proximal point method: problems damped by ε around the last one's solution. ε falls where that went
 * well, and grows where Newton's method found nothing. */
static nsdyn_status try_damped(nsdyn_contact *s, const nsd_contact_data *d, nsd_space_map map, nsd_poll *poll)
{
  nsd_space *w = &s->in_space;
  double *Lambda = w->rounds.acceleration.x; /* rounds begin anew afterwards */
  memcpy(Lambda, s->best.Lambda, (size_t)d->rows * sizeof *Lambda);
  double damping = 0.1;
  for (int k = 0; k < CENTERS; k++) {
    const double small = EARLY * s->options.tol * s->best.verdict.scale;
    memcpy(w->at, Lambda, (size_t)d->rows * sizeof *Lambda);
    const nsdyn_status status = nsd_space_newton_solve(&w->newton, map, damping, small, INNER, NEWTON_STEPS,
                                                       w->at, &s->report.iterations, poll);
    if (status == NSDYN_CANCELLED) {
      return status;
    }
    if (status == NSDYN_OK) {
      memcpy(Lambda, w->at, (size_t)d->rows * sizeof *Lambda);
      if (offer(s, d, Lambda, NSDYN_CONTACT_NEWTON, poll)) {
        return NSDYN_OK;
      }
      damping *= 0.5;
    } else if (damping > 1e3) {
      break;
    } else {
      damping *= 3.0;
    }
  }
  return NSDYN_MAX_ITERATIONS;
}

/* The next share of ε that is tried, after a center that went well in so many steps, or did not. */
static double next_fall(double fall, int is_good, int steps)
{
  if (is_good) {
    return steps > FEW_STEPS ? fall : fall > 0.8 ? 0.6 : fall > 0.5 ? 0.3 : fmax(LARGEST_FALL, fall * fall);
  }
  return fall > 1.0 ? 4.0 * fall : fall > SMALL_FALL ? 2.0 : sqrt(fall);
}

/* Λ₀ for the next center. ε small, what is left of the way is a straight one, in few directions: those in
 * which impulses of contacts that are all but redundant hardly move ξ. There Anderson's combination knows
 * more than the last center alone. */
static void move_center(const nsd_contact_data *d, nsd_anderson *a, int is_last)
{
  if (!is_last) {
    nsd_anderson_start(a, a->g);
  } else if (nsd_anderson_step(a)) {
    for (int i = 0; i < d->contacts; i++) {
      nsd_friction_admit(&d->spec[i], a->x + d->spec[i].row);
    }
  }
}

/* The proximal point method by bodies (space/solve/body_proximal.h), from the impulses given: ε falls as fast
 * as Newton's method can follow. A solution is followed by one center more, since that is cheap here, and
 * what steps leave adds up. */
static nsdyn_status try_proximal(nsdyn_contact *s, const nsd_contact_data *d, const nsd_operator *op,
                                 const double *from, int most, nsd_poll *poll)
{
  nsd_space *w = &s->in_space;
  nsd_anderson *a = &w->rounds.acceleration; /* x: Λ₀, g: Λ; rounds begin anew afterwards */
  const size_t bytes = (size_t)d->rows * sizeof *a->x;
  int is_solved;
  nsdyn_status status = nsd_proximal_begin(&w->proximal, d, op, poll);
  if (status) {
    return status;
  }
  nsd_anderson_start(a, from);
  is_solved = offer(s, d, from, NSDYN_CONTACT_ROUNDS, poll);
  double share = w->offered, least = NSD_PROXIMAL_DAMPING, fall = FALL; /* share: the least so far */
  double last = fmin(FIRST_DAMPING, 10.0 * share) / fall;
  for (int k = 0, since = 0; k < MOST_CENTERS && since < STUCK && most > 0; k++) {
    const double damping = fmax(fmin(last * fall, MOST_DAMPING), least);
    const double small = fmax(EARLY * share, NSD_PROXIMAL_REST / damping);
    int steps = 0;
    memcpy(a->g, a->x, bytes);
    const int is_good = nsd_proximal_solve(&w->proximal, damping, small, CENTER_STEPS, a->g, &steps, poll);
    s->report.iterations += steps;
    most -= steps;
    if (nsd_poll_stops(poll, 0.0)) {
      return NSDYN_CANCELLED;
    }
    since++;
    if (is_good) {
      const int was_solved = is_solved;
      is_solved = offer(s, d, a->g, NSDYN_CONTACT_NEWTON, poll);
      if (was_solved || (is_solved && w->offered <= EARLY * s->options.tol)) {
        return NSDYN_OK;
      }
      since = w->offered <= 0.5 * share || share > NSD_PROXIMAL_NEAR ? 0 : since;
      share = fmin(share, w->offered);
      move_center(d, a, damping == least);
    } else if (is_solved) {
      return NSDYN_OK;
    } else if (damping == least) { /* a combination may have been too bold, or ε too small */
      nsd_anderson_start(a, a->best);
      least *= 4.0;
    }
    last = is_good ? damping : damping / fall;
    fall = next_fall(fall, is_good, steps);
  }
  /* So near, and no nearer: flat directions. The Jacobian with pivots finds its way along them. */
  return share < NSD_PROXIMAL_NEAR && d->rows <= NEWTON_ROWS
             ? try_newton(s, d, NSD_SPACE_ALART_CURNIER, TURN_STEPS, poll)
             : NSDYN_MAX_ITERATIONS;
}

/* Rounds, in batches: as long as there is work left, since they only creep nearer. */
static nsdyn_status try_rounds(nsdyn_contact *s, const nsd_contact_data *d, double work, nsd_poll *poll)
{
  nsd_space_rounds *r = &s->in_space.rounds;
  nsdyn_status status = NSDYN_MAX_ITERATIONS;
  nsd_space_rounds_start(r, s->best.Lambda);
  const double batches = work / (BATCH * r->work);
  for (int i = 0; status == NSDYN_MAX_ITERATIONS && i < batches; i++) {
    status = make_rounds(s, d, BATCH, poll);
  }
  return status;
}

/* Some rounds, and Newton's method on one map from there, damped where it does not converge. */
static nsdyn_status try_rounds_and_newton(nsdyn_contact *s, const nsd_contact_data *d, nsd_space_map map,
                                          nsd_poll *poll)
{
  nsd_space_rounds_start(&s->in_space.rounds, s->best.Lambda);
  nsdyn_status status = make_rounds(s, d, FIRST_ROUNDS, poll);
  status = status == NSDYN_MAX_ITERATIONS ? try_newton(s, d, map, NEWTON_STEPS, poll) : status;
  return status == NSDYN_MAX_ITERATIONS ? try_damped(s, d, map, poll) : status;
}

/* Where a run on Todorov's map begins: at the best so far, then after some rounds; then at ever larger and
 * smaller multiples of the best, from where a run comes to another side of the map's kinks. */
static nsdyn_status begin_todorov(nsdyn_contact *s, const nsd_contact_data *d, int beginning, double *Lambda,
                                  nsd_poll *poll)
{
  nsdyn_status status = NSDYN_MAX_ITERATIONS;
  if (beginning == 1) {
    nsd_space_rounds_start(&s->in_space.rounds, s->best.Lambda);
    status = make_rounds(s, d, FIRST_ROUNDS, poll);
  }
  const int power = beginning / 2;
  const double factor = beginning < 2 ? 1.0 : ldexp(1.0, beginning % 2 ? -3 * power : 3 * power);
  for (int i = 0; i < d->rows; i++) {
    Lambda[i] = factor * s->best.Lambda[i];
  }
  return status;
}

/* Levenberg and Marquardt's methods on Todorov's map. */
static nsdyn_status try_todorov(nsdyn_contact *s, const nsd_contact_data *d, nsd_poll *poll)
{
  nsd_space *w = &s->in_space;
  const int32_t method = s->options.method;
  const nsd_marquardt_kind kind =
      method == NSDYN_CONTACT_TODOROV_RLM ? NSD_MARQUARDT_REGULAR : NSD_MARQUARDT_PROJECTED;
  nsdyn_status status = nsd_space_reserve_todorov(w);
  status = status ? status : nsd_todorov_begin(&w->todorov, d, nsd_space_operator(w, d), poll);
  if (status) {
    return status;
  }
  /* A run ends at a solution, or in a minimum of |φ| that is none: then the next beginning. */
  double *Lambda = w->rounds.acceleration.g; /* rounds begin anew afterwards */
  for (int beginning = 0; beginning < BEGINNINGS; beginning++) {
    status = begin_todorov(s, d, beginning, Lambda, poll);
    if (status != NSDYN_MAX_ITERATIONS) {
      return status;
    }
    const double small = EARLY * s->options.tol * s->best.verdict.scale;
    const nsd_marquardt_end end =
        nsd_todorov_solve(&w->todorov, kind, small, RUN_STEPS, Lambda, &s->report.iterations, poll);
    if (end == NSD_MARQUARDT_CANCELLED) {
      return NSDYN_CANCELLED;
    }
    if (offer(s, d, Lambda, method, poll)) {
      return NSDYN_OK;
    }
  }
  return NSDYN_MAX_ITERATIONS;
}

static const nsd_contact_form pyramid = {.size = nsd_pyramid_size,
                                         .is_plain = nsd_pyramid_is_plain,
                                         .assemble = nsd_pyramid_assemble,
                                         .impulses = nsd_pyramid_impulses,
                                         .name = "the LCP of the friction pyramid"};

/* Stewart's pyramid as an LCP, put to its solver; whatever that says, the contacts' judge decides. Its
 * elements are rounded sums: that it has no solution is no proof about the contacts. */
static nsdyn_status try_pyramid(nsdyn_contact *s, const nsd_contact_data *d, nsd_poll *poll)
{
  nsd_space *w = &s->in_space;
  nsd_contact_data dense = *d;
  nsdyn_status status = d->G ? NSDYN_OK : read_newton(w, d, poll);
  if (status) {
    return status;
  }
  if (!d->G) {
    dense.G = w->newton.G;
    dense.ldg = d->rows;
  }
  status = nsd_contact_solve_form(s, &dense, &pyramid, nsd_contact_lcp_method(s), 0);
  if (status < 0) {
    return status;
  }
  double *Lambda = w->rounds.acceleration.g; /* rounds begin anew afterwards */
  pyramid.impulses(d, s->x, Lambda);
  if (offer(s, d, Lambda, NSDYN_CONTACT_LCP, poll)) {
    return NSDYN_OK;
  }
  return status == NSDYN_OK ? NSDYN_INACCURATE : status == NSDYN_NO_SOLUTION ? NSDYN_UNDECIDED : status;
}

/* Rounds, from where they are, for so much work, or until two batches have left more than that share. */
static nsdyn_status try_some_rounds(nsdyn_contact *s, const nsd_contact_data *d, double work, double most,
                                    nsd_poll *poll)
{
  const double batches = work / (FEW_ROUNDS * s->in_space.rounds.work);
  nsdyn_status status = make_rounds(s, d, FEW_ROUNDS, poll);
  double last = share_of_best(s);
  int slow = 0;
  for (int i = 1; status == NSDYN_MAX_ITERATIONS && (i < 2 || i < batches) && slow < 2; i++) {
    status = make_rounds(s, d, FEW_ROUNDS, poll);
    const double share = share_of_best(s);
    slow = share > most * last ? slow + 1 : 0;
    last = share;
  }
  return status;
}

/* Rounds and Newton's method in turn, each turn with more rounds. */
static nsdyn_status try_turns(nsdyn_contact *s, const nsd_contact_data *d, nsd_poll *poll)
{
  const double n = d->rows, newton = NEWTON_WORK * n * n * n;
  nsdyn_status status = NSDYN_MAX_ITERATIONS;
  double work = newton;
  nsd_space_rounds_start(&s->in_space.rounds, s->best.Lambda);
  for (int turn = 0; status == NSDYN_MAX_ITERATIONS && turn < TURNS; turn++) {
    status = try_some_rounds(s, d, work, SLOW, poll);
    status =
        status == NSDYN_MAX_ITERATIONS ? try_newton(s, d, NSD_SPACE_ALART_CURNIER, TURN_STEPS, poll) : status;
    work *= 4.0;
  }
  return status == NSDYN_MAX_ITERATIONS ? try_damped(s, d, NSD_SPACE_ALART_CURNIER, poll) : status;
}

/* Free bodies: the velocities that they have are the unknowns, and G is not built. Where the last solution,
 * or a few rounds, lead to nothing, other beginnings may: more rounds, from no impulses at all. Where
 * contacts have hardly more rows than bodies have velocities, the first rounds go on as long as they come
 * nearer: in a collision they need not more than some dozens, and no matrix. */
static nsdyn_status try_free(nsdyn_contact *s, const nsd_contact_data *d, const nsd_operator *op, int is_warm,
                             int turns, int most, nsd_poll *poll)
{
  nsd_space *w = &s->in_space;
  const int is_lean = d->rows <= REDUNDANT * op->columns;
  nsdyn_status status = NSDYN_MAX_ITERATIONS;
  for (int turn = is_warm ? 0 : 1, rounds = FEW_ROUNDS; status == NSDYN_MAX_ITERATIONS && turn < turns;
       turn++) {
    if (turn == 0) {
      memcpy(w->at, s->best.Lambda, (size_t)d->rows * sizeof *w->at);
    } else {
      memset(w->at, 0, (size_t)d->rows * sizeof *w->at);
      nsd_space_rounds_start(&w->rounds, w->at);
      status = turn == 1 && is_lean ? try_some_rounds(s, d, ROUNDS_WORK, CREEP, poll)
                                    : make_rounds(s, d, rounds, poll);
      memcpy(w->at, w->rounds.acceleration.best, (size_t)d->rows * sizeof *w->at);
      rounds *= MORE_ROUNDS;
    }
    status = status == NSDYN_MAX_ITERATIONS ? try_proximal(s, d, op, w->at, most, poll) : status;
    s->report.warm = turn == 0 && status == NSDYN_OK;
  }
  return status;
}

/* Rounds from Λ = 0 in other orders, and Newton's method from where each leads: a cycle, or a minimum of |F|
 * that is no solution, is left behind with the order that led to it. */
static nsdyn_status try_orders(nsdyn_contact *s, const nsd_contact_data *d, nsd_poll *poll)
{
  nsd_space *w = &s->in_space;
  nsdyn_status status = NSDYN_MAX_ITERATIONS;
  for (int order = 1; status == NSDYN_MAX_ITERATIONS && order <= ORDERS; order++) {
    w->rounds.seed = s->options.rounds_seed + (uint64_t)order;
    memset(w->at, 0, (size_t)d->rows * sizeof *w->at);
    nsd_space_rounds_start(&w->rounds, w->at);
    status = make_rounds(s, d, FIRST_ROUNDS, poll);
    if (status == NSDYN_MAX_ITERATIONS) {
      status =
          try_newton_from(s, d, NSD_SPACE_ALART_CURNIER, NEWTON_STEPS, w->rounds.acceleration.best, poll);
    }
  }
  nsd_space_rounds_begin(&w->rounds, d, nsd_space_operator(w, d), s->options.rounds_relaxation,
                         s->options.rounds_seed);
  return status;
}

static nsdyn_status try_automatic(nsdyn_contact *s, const nsd_contact_data *d, int is_warm, nsd_poll *poll)
{
  nsd_space *w = &s->in_space;
  nsdyn_status status = NSDYN_MAX_ITERATIONS;
  int has_velocities = 0;
  /* Stage 0. Bodies. What that does not find is left to the other stages. */
  if (is_by_bodies(w, d)) {
    status = try_free(s, d, nsd_space_operator(w, d), is_warm, FREE_TURNS, MOST_STEPS, poll);
    is_warm = 0;
  } else if (!d->W && d->rows >= FREE_FORM_ROWS && d->rows <= MOST_NEWTON_ROWS) {
    /* A matrix of redundant rows: the velocities that it hides. Where its factor is full, a step costs as
     * much as Newton's, and most problems need few. Without the memory for it the other stages are left. */
    const nsdyn_status read = nsd_free_form_read(&w->free_form, d, &w->own, w->rows_of, poll);
    has_velocities = read == NSDYN_OK;
    if (has_velocities) {
      const int is_full = w->free_form.is_full;
      status = try_free(s, d, &w->free_form.op, is_warm, is_full ? FIRST_TURN : MATRIX_TURNS,
                        is_full ? EASY_STEPS : MATRIX_STEPS, poll);
      is_warm = 0;
    } else if (read == NSDYN_CANCELLED) {
      return read;
    }
  }
  /* Stage 1. From the last solution: one or two steps are enough where little has changed. */
  if (status == NSDYN_MAX_ITERATIONS && is_warm && d->rows <= NEWTON_ROWS) {
    status = try_newton(s, d, NSD_SPACE_ALART_CURNIER, WARM_STEPS, poll);
    s->report.warm = status == NSDYN_OK;
  }
  /* Stage 2. Some rounds, and Newton's method from there. */
  if (status == NSDYN_MAX_ITERATIONS && d->rows <= NEWTON_ROWS) {
    status = try_turns(s, d, poll);
  }
  if (status == NSDYN_MAX_ITERATIONS && d->rows <= ORDER_ROWS) {
    status = try_orders(s, d, poll);
  }
  if (status == NSDYN_MAX_ITERATIONS && has_velocities && w->free_form.is_full) {
    status = try_free(s, d, &w->free_form.op, 0, FIRST_TURN, MATRIX_STEPS, poll);
  }
  /* Stage 3. Rounds for some time, and Newton's method once more where its matrices are not too large. */
  if (status == NSDYN_MAX_ITERATIONS) {
    status = try_rounds(s, d, ROUNDS_WORK, poll);
  }
  if (status == NSDYN_MAX_ITERATIONS && d->rows <= MOST_NEWTON_ROWS) {
    status = try_rounds_and_newton(s, d, NSD_SPACE_NATURAL, poll);
  }
  /* Stage 4. Few contacts with polygons: their LCP, whose solver may search through all bases. */
  if (status == NSDYN_MAX_ITERATIONS && nsd_pyramid_cannot_state(d) < 0 &&
      nsd_pyramid_size(d) <= PYRAMID_UNKNOWNS) {
    status = try_pyramid(s, d, poll);
  }
  return status;
}

static nsdyn_status refuse_method(nsdyn_contact *s, const char *reason)
{
  return nsd_fault_set(&s->fault, NSDYN_ERR_UNSUPPORTED, NSDYN_DETAIL_FIELD,
                       (int64_t)offsetof(nsdyn_contact_options, method), "%s", reason);
}

static int is_one(const nsd_contact_data *d)
{
  return d->contacts == 1 && d->bilateral == 0 && d->spec->friction != NSD_FRICTION_STORED;
}

/* What the method of the options cannot do, before it is tried. */
static nsdyn_status check_method(nsdyn_contact *s, const nsd_contact_data *d)
{
  const char *why = NULL;
  int i = -1;
  switch (s->options.method) {
  case NSDYN_CONTACT_DIRECT:
    return is_one(d) ? NSDYN_OK : refuse_method(s, "the direct method is for one contact in space");
  case NSDYN_CONTACT_LCP:
    i = nsd_pyramid_cannot_state(d);
    return i < 0 ? NSDYN_OK
                 : nsd_fault_set(&s->fault, NSDYN_ERR_UNSUPPORTED, NSDYN_DETAIL_CONTACT, i,
                                 "contact %d: an LCP needs a polygon for its friction: set shape to "
                                 "NSDYN_FRICTION_POLYGON",
                                 i);
  case NSDYN_CONTACT_MODES:
    return refuse_method(s, "this method is for contacts in the plane, and there is one in space");
  case NSDYN_CONTACT_TODOROV_RLM:
  case NSDYN_CONTACT_TODOROV_PLM:
    i = nsd_todorov_cannot_state(d, &why);
    return i < 0 ? NSDYN_OK
                 : nsd_fault_set(&s->fault, NSDYN_ERR_UNSUPPORTED, NSDYN_DETAIL_CONTACT, i,
                                 "contact %d: Todorov's map cannot state %s", i, why);
  default:
    return NSDYN_OK;
  }
}

static nsdyn_status solve_by_options(nsdyn_contact *s, const nsd_contact_data *d, int is_warm, nsd_poll *poll)
{
  switch (s->options.method) {
  case NSDYN_CONTACT_DIRECT:
    return try_one(s, d, poll);
  case NSDYN_CONTACT_LCP:
    return try_pyramid(s, d, poll);
  case NSDYN_CONTACT_ROUNDS:
    return try_rounds(s, d, MOST_ROUNDS_WORK, poll);
  case NSDYN_CONTACT_NEWTON:
    return try_rounds_and_newton(s, d, NSD_SPACE_ALART_CURNIER, poll);
  case NSDYN_CONTACT_NATURAL:
    return try_rounds_and_newton(s, d, NSD_SPACE_NATURAL, poll);
  case NSDYN_CONTACT_TODOROV_RLM:
  case NSDYN_CONTACT_TODOROV_PLM:
    return try_todorov(s, d, poll);
  default:
    return is_one(d) ? try_one(s, d, poll) : try_automatic(s, d, is_warm, poll);
  }
}

/* The last solution is one of this problem too, but hardly: what it misses is the same in step after step of
 * a body at rest, whose velocity and way grow by it until it is no solution any more. So it is taken nearer,
 * as a solution that is found anew comes much nearer than tol. Bodies at rest have many impulses that do the
 * same: G is singular, so Newton's method is damped a little, around Λ. What that fails at, it is still a
 * solution. */
static nsdyn_status refine(nsdyn_contact *s, const nsd_contact_data *d, nsd_poll *poll)
{
  nsd_space *w = &s->in_space;
  if (is_one(d)) {
    const nsdyn_status status = try_one(s, d, poll);
    return status < 0 ? status : NSDYN_OK;
  }
  if (is_by_bodies(w, d)) {
    memcpy(w->at, s->best.Lambda, (size_t)d->rows * sizeof *w->at);
    const nsdyn_status status = try_proximal(s, d, nsd_space_operator(w, d), w->at, MOST_STEPS, poll);
    return status < 0 || status == NSDYN_CANCELLED ? status : NSDYN_OK;
  }
  if (d->rows > NEWTON_ROWS) {
    nsd_space_rounds_start(&w->rounds, s->best.Lambda);
    return make_rounds(s, d, FEW_ROUNDS, poll) == NSDYN_CANCELLED ? NSDYN_CANCELLED : NSDYN_OK;
  }
  nsdyn_status status = read_newton(w, d, poll);
  const double enough = EARLY * s->options.tol;
  for (int k = 0; status == NSDYN_OK && k < REFINEMENTS && share_of_best(s) > enough; k++) {
    memcpy(w->at, s->best.Lambda, (size_t)d->rows * sizeof *w->at);
    status =
        nsd_space_newton_solve(&w->newton, NSD_SPACE_ALART_CURNIER, REFINING, enough * s->best.verdict.scale,
                               INNER, WARM_STEPS, w->at, &s->report.iterations, poll);
    if (status == NSDYN_OK) {
      (void)offer(s, d, w->at, NSDYN_CONTACT_NEWTON, poll);
    }
  }
  /* A contact that hardly presses is a kink in the way: rounds know no such thing. */
  if (status >= 0 && status != NSDYN_CANCELLED && share_of_best(s) > enough) {
    nsd_space_rounds_start(&w->rounds, s->best.Lambda);
    double last = INFINITY;
    for (int k = 0; k < REFINING_BATCHES && share_of_best(s) > enough && share_of_best(s) < last; k++) {
      last = share_of_best(s);
      if (make_rounds(s, d, FEW_ROUNDS, poll) == NSDYN_CANCELLED) {
        return NSDYN_CANCELLED;
      }
    }
  }
  return status < 0 || status == NSDYN_CANCELLED ? status : NSDYN_OK;
}

nsdyn_status nsd_space_solve(nsdyn_contact *s, const nsd_contact_data *d)
{
  nsd_space *w = &s->in_space;
  nsd_poll poll = nsd_poll_of(s->ctx, "solving contacts in space");
  /* Stage 1. Whether the method is for these contacts; G by cells. */
  nsdyn_status read = check_method(s, d);
  read = read || d->W ? read : read_matrix(w, d, &poll);
  if (read) {
    return read;
  }
  /* Stage 2. The first that competes: the last solution, or Λ = 0. */
  const int is_warm = s->options.warm_start && w->last_rows == d->rows;
  if (!is_warm) {
    memset(w->last, 0, (size_t)d->rows * sizeof *w->last);
  }
  const int is_solved = offer(s, d, w->last, NSDYN_CONTACT_ROUNDS, &poll);
  s->report.warm = is_solved && is_warm;
  if (is_solved && share_of_best(s) <= EARLY * s->options.tol) {
    return NSDYN_OK;
  }
  /* Stage 3. A better one. */
  nsd_space_rounds_begin(&w->rounds, d, nsd_space_operator(w, d), s->options.rounds_relaxation,
                         s->options.rounds_seed);
  return is_solved ? refine(s, d, &poll) : solve_by_options(s, d, is_warm, &poll);
}
