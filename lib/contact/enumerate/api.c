/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The search through modes as the solver offers it: all solutions, or one. */
#include <string.h>

#include "contact/check.h"
#include "contact/check_operator.h"
#include "contact/object.h"
#include "contact/planar/states.h"
#include "contact/space/enumerate/two_contacts.h"
#include "contact/space/enumerate_one.h"
#include "contact/space/friction.h"
#include "contact/space/unique.h"

enum { PAIR_NODES = 1 << 14 }; /* of a census that is asked because no method found a solution */

nsdyn_status nsdyn_contact_census_init(nsdyn_contact_census *census, size_t size)
{
  return nsd_sized_init(census, size, NSD_CONTACT_CENSUS_LEAST, NULL, sizeof *census);
}

static nsd_census_options options_of(const nsdyn_contact *s)
{
  const nsd_census_options options = {.tol = s->options.tol, .max_nodes = s->options.max_nodes};
  return options;
}

/* ---- one ---------------------------------------------------------------------------------------------- */

/* Whether Λ passes the certificate, as it goes out: within its laws. The best so far is kept. */
static int is_believed(nsdyn_contact *s, const nsd_contact_data *d, const double *Lambda)
{
  double *own = s->pattern.Lambda; /* may be Λ */
  for (int i = 0; i < d->rows; i++) {
    own[i] = Lambda[i];
  }
  (void)nsd_contact_project_all(d, own);
  const nsd_contact_verdict verdict = nsd_contact_judge_asking(d, own, s->pattern.xi, &s->poll);
  if (nsd_contact_is_better(&verdict, &s->best.verdict)) {
    s->method = NSDYN_CONTACT_MODES;
  }
  nsd_pattern_keep_better(&s->best, d, own, s->pattern.xi, &verdict);
  return nsd_contact_is_solution(&s->best.verdict, s->options.tol);
}

/* A solution that is looked for among all. */
typedef struct quest {
  nsdyn_contact *s;
  const nsd_contact_data *d;
} quest;

static int visit_vertices(void *user, const nsdyn_contact_piece *piece)
{
  const quest *q = user;
  for (int32_t i = 0; i < piece->vertices; i++) {
    if (is_believed(q->s, q->d, piece->Lambda + (size_t)i * (size_t)piece->rows)) {
      return 1;
    }
  }
  return 0;
}

/* The first solution that was met lies far out on its piece: perhaps Λ = 0 is one, or a vertex of that piece
 * or of another. */
static void look_further(nsdyn_contact *s, const nsd_contact_data *d, const nsd_census_options *options)
{
  quest q = {.s = s, .d = d};
  nsdyn_contact_census census = {.size = sizeof census};
  for (int i = 0; i < d->rows; i++) {
    s->pattern.Lambda[i] = 0.0;
  }
  if (!is_believed(s, d, s->pattern.Lambda)) {
    (void)nsd_census_all(&s->census, d, options, visit_vertices, &q, &census);
  }
}

nsdyn_status nsd_contact_try_modes(nsdyn_contact *s, const nsd_contact_data *d, int64_t most)
{
  nsd_census_options options = options_of(s);
  if (most >= 0 && (options.max_nodes < 0 || options.max_nodes > most)) {
    options.max_nodes = most;
  }
  double *Lambda = s->pattern.Lambda;
  int64_t nodes = 0;
  const nsdyn_status status = nsd_census_first(&s->census, d, &options, Lambda, &nodes);
  const int64_t iterations = s->report.iterations + nodes;
  s->report.iterations = iterations < INT32_MAX ? (int32_t)iterations : INT32_MAX;
  if (status < 0) {
    return nsd_fault_set(&s->fault, status, NSDYN_DETAIL_NONE, -1, "%s: the search through modes",
                         nsdyn_status_text(status));
  }
  if (status == NSDYN_CANCELLED) {
    return status;
  }
  if (!is_believed(s, d, Lambda) && status == NSDYN_OK) {
    look_further(s, d, &options);
  }
  if (nsd_contact_is_solution(&s->best.verdict, s->options.tol)) {
    return NSDYN_OK;
  }
  return status ? status : NSDYN_UNDECIDED; /* a solution so far out that it does not pass the certificate */
}

/* ---- one in space -------------------------------------------------------------------------------------- */

/* A vertex of the census, as it goes out, to the judge; the search ends at the first that passes. */
static int visit_in_space(void *user, const nsdyn_contact_piece *piece)
{
  const quest *q = user;
  nsdyn_contact *s = q->s;
  double *Lambda = s->in_space.trial, *xi = s->in_space.at;
  for (int32_t i = 0; i < piece->vertices; i++) {
    memcpy(Lambda, piece->Lambda + (size_t)i * (size_t)piece->rows, (size_t)piece->rows * sizeof *Lambda);
    for (int k = 0; k < q->d->contacts; k++) {
      nsd_friction_admit(&q->d->spec[k], Lambda + q->d->spec[k].row);
    }
    const nsd_contact_verdict verdict = nsd_contact_judge_asking(q->d, Lambda, xi, &s->poll);
    if (nsd_contact_is_better(&verdict, &s->best.verdict)) {
      s->method = NSDYN_CONTACT_MODES;
    }
    nsd_pattern_keep_better(&s->best, q->d, Lambda, xi, &verdict);
    if (nsd_contact_is_solution(&s->best.verdict, s->options.tol)) {
      return 1;
    }
  }
  return 0;
}

nsdyn_status nsd_contact_try_census(nsdyn_contact *s, const nsd_contact_data *d, nsdyn_status status)
{
  const int64_t most = s->options.max_nodes;
  const nsd_census_options options = {.tol = s->options.tol,
                                      .max_nodes = most < 0 || most > PAIR_NODES ? PAIR_NODES : most};
  nsdyn_contact_census census = {.size = sizeof census};
  quest q = {.s = s, .d = d};
  if (!nsd_space_is_for_two(d)) {
    return status;
  }
  /* 1. All modes, until a solution is met. */
  const nsdyn_status listed = d->contacts == 1 && d->bilateral == 0
                                  ? nsd_space_enumerate_one(d, s->options.tol, visit_in_space, &q, &census)
                                  : nsd_space_enumerate_two(&s->two_room, d, &s->constraints, &options,
                                                            &s->poll, visit_in_space, &q, &census);
  s->report.iterations += (int32_t)(census.nodes < INT32_MAX / 2 ? census.nodes : INT32_MAX / 2);
  if (nsd_contact_is_solution(&s->best.verdict, s->options.tol)) {
    return NSDYN_OK;
  }
  /* 2. None: a proof, where nothing was doubtful; else what was known before. */
  if (listed < 0) {
    return nsd_fault_set(&s->fault, listed, NSDYN_DETAIL_NONE, -1, "%s: the search through modes",
                         nsdyn_status_text(listed));
  }
  const int is_told = listed == NSDYN_NO_SOLUTION || (listed == NSDYN_CANCELLED && s->poll.is_cancelled);
  return is_told ? listed : status;
}

/* ---- all ---------------------------------------------------------------------------------------------- */

/* What the report and the message say of it. */
static nsdyn_status conclude(nsdyn_contact *s, nsdyn_status status, const nsdyn_contact_census *census)
{
  nsdyn_contact_solve_report_init(&s->report, sizeof s->report);
  s->report.status = status;
  s->report.method = NSDYN_CONTACT_MODES;
  s->report.iterations = census->nodes < INT32_MAX ? (int32_t)census->nodes : INT32_MAX;
  s->report.worst_row = -1;
  s->modes_n = 0;
  if (status > 0) {
    nsd_fault_set(&s->fault, status, NSDYN_DETAIL_NONE, -1,
                  "%s: %lld mode patterns were looked at, %lld of them doubtful", nsdyn_status_text(status),
                  (long long)census->nodes, (long long)census->doubtful);
  } else if (status == NSDYN_OK) {
    nsd_fault_clear(&s->fault);
  }
  return status;
}

/* Every call leaves a census, be it of nothing. */
static nsdyn_status refuse_census(nsdyn_contact *s)
{
  return nsd_fault_set(&s->fault, NSDYN_ERR_STRUCT_SIZE, NSDYN_DETAIL_ARGUMENT, 5,
                       "the size field of the nsdyn_contact_census is not one of its sizes: initialize it");
}

/* Room for a list of one. */
typedef struct single {
  double *H, *w, *Lambda, *xi;
} single;

static void lay_out(nsd_arena *arena, single *t, const nsd_contact_data *d)
{
  const size_t n = (size_t)d->rows;
  t->w = nsd_arena_take(arena, n, sizeof *t->w);
  t->Lambda = nsd_arena_take(arena, n, sizeof *t->Lambda);
  t->xi = nsd_arena_take(arena, n, sizeof *t->xi);
  t->H = d->rows <= NSD_UNIQUE_ROWS ? nsd_arena_take(arena, n, n * sizeof *t->H) : NULL;
}

/* One or two contacts, one of them in space: all solutions. */
static nsdyn_status enumerate_two(nsdyn_contact *s, const nsd_contact_data *d,
                                  const nsd_census_options *options, nsd_contact_visit *visit, void *user,
                                  nsdyn_contact_census *census)
{
  nsd_poll poll = nsd_poll_of(s->ctx, "listing the solutions of two contacts");
  nsdyn_status status = nsd_constraints_read(&s->constraints, d, &poll);
  if (status == NSDYN_OK) {
    s->busy = 1;
    status = nsd_space_enumerate_two(&s->two_room, d, &s->constraints, options, &poll, visit, user, census);
    s->busy = 0;
  }
  return status;
}

/* Several contacts, one of them in space: one solution, and the proof that there is no second one, or none;
 * of two contacts all of them. */
static nsdyn_status enumerate_several(nsdyn_contact *s, const nsd_contact_data *d, nsd_contact_visit *visit,
                                      void *user, nsdyn_contact_census *census)
{
  single t;
  nsd_arena measure = nsd_arena_measure();
  lay_out(&measure, &t, d);
  nsdyn_status status = nsd_arena_reserve(&s->several_room, &measure);
  if (status) {
    return status;
  }
  lay_out(&s->several_room, &t, d);
  /* Stage 1. Of two contacts all, unless there is but one. */
  const int is_unique = nsd_space_is_unique(d, t.H, t.w);
  if (!is_unique && nsd_space_is_for_two(d)) {
    const nsd_census_options options = options_of(s);
    status = enumerate_two(s, d, &options, visit, user, census);
    if (status != NSDYN_UNDECIDED) {
      return status;
    }
  }
  /* Stage 2. One solution, by whatever finds it. */
  const int32_t method = s->options.method;
  s->options.method = NSDYN_CONTACT_AUTOMATIC;
  status = nsd_contact_solve_data(s, d, t.Lambda, t.xi);
  s->options.method = method;
  census->nodes++;
  census->max_dimension = -1;
  if (status == NSDYN_NO_SOLUTION) {
    census->complete = 1;
    census->doubtful = 0;
    return status;
  }
  if (status) {
    census->doubtful += !census->doubtful;
    return status < 0 || status == NSDYN_CANCELLED ? status : NSDYN_UNDECIDED;
  }
  /* Stage 3. Whether there is another. */
  census->points = census->motions = 1;
  census->max_dimension = 0;
  census->complete = is_unique;
  census->doubtful += !is_unique && !census->doubtful;
  const nsdyn_contact_piece piece = {.size = sizeof piece,
                                     .rows = d->rows,
                                     .contacts = d->contacts,
                                     .vertices = 1,
                                     .Lambda = t.Lambda,
                                     .xi = t.xi,
                                     .modes = s->modes};
  s->busy = 1;
  if (visit && visit(user, &piece)) {
    census->complete = 0;
    status = NSDYN_CANCELLED;
  }
  s->busy = 0;
  return status;
}

static nsdyn_status enumerate(nsdyn_contact *s, const nsdyn_contact_problem *p, nsd_contact_visit *visit,
                              void *user, nsdyn_contact_census *census)
{
  nsdyn_status status = nsd_contact_reserve_kept(s, p->contacts);
  if (status) {
    return status;
  }
  nsd_contact_data d = nsd_contact_data_of(p);
  nsd_contact_fill_spec(p, s->spec, s->space);
  d.spec = s->spec;
  const nsd_census_options options = options_of(s);
  if (d.is_spatial && (p->contacts > 1 || p->bilateral > 0)) {
    return enumerate_several(s, &d, visit, user, census);
  }
  s->busy = 1;
  status = d.is_spatial ? nsd_space_enumerate_one(&d, s->options.tol, visit, user, census)
                        : nsd_census_all(&s->census, &d, &options, visit, user, census);
  s->busy = 0;
  return status;
}

nsdyn_status nsd_contact_enumerate_data(nsdyn_contact *s, const nsd_contact_data *d, double tol,
                                        int64_t max_nodes, nsd_contact_visit *visit, void *user,
                                        nsdyn_contact_census *census)
{
  const nsd_census_options options = {.tol = tol, .max_nodes = max_nodes};
  if (!d->is_spatial) {
    return nsd_census_all(&s->census, d, &options, visit, user, census);
  }
  if (d->contacts == 1 && d->bilateral == 0) {
    return nsd_space_enumerate_one(d, tol, visit, user, census);
  }
  return nsd_space_is_for_two(d) ? enumerate_two(s, d, &options, visit, user, census) : NSDYN_UNDECIDED;
}

nsdyn_status nsdyn_contact_enumerate(nsdyn_contact *solver, const nsdyn_contact_problem *problem,
                                     int (*visit)(void *user, const nsdyn_contact_piece *piece), void *user,
                                     nsdyn_contact_census *census)
{
  if (!solver) {
    return NSDYN_ERR_ARGUMENT;
  }
  if (solver->busy) {
    return NSDYN_ERR_BUSY;
  }
  nsdyn_contact_census own;
  nsdyn_contact_census_init(&own, sizeof own);
  if (census && nsd_sized_write(census, NSD_CONTACT_CENSUS_LEAST, &own, sizeof own)) {
    return conclude(solver, refuse_census(solver), &own);
  }
  nsdyn_contact_problem p;
  nsd_poll poll = nsd_poll_of(solver->ctx, "checking a contact problem");
  solver->busy = 1;
  nsdyn_status status = nsd_contact_check(&p, problem, NULL, &solver->fault, &poll);
  solver->busy = 0;
  status = status ? status : nsd_contact_check_matrix(&p, "the list of all solutions", &solver->fault);
  if (status == NSDYN_OK && poll.is_cancelled) {
    status = NSDYN_CANCELLED;
  }
  if (status == NSDYN_OK) {
    status = enumerate(solver, &p, visit, user, &own);
    if (status < 0) {
      nsd_fault_set(&solver->fault, status, NSDYN_DETAIL_NONE, -1, "%s: all solutions of %d contacts",
                    nsdyn_status_text(status), (int)p.contacts);
    }
  }
  if (census) {
    (void)nsd_sized_write(census, NSD_CONTACT_CENSUS_LEAST, &own, sizeof own);
  }
  return conclude(solver, status, &own);
}
