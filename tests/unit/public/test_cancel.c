/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* A cancel at every question. Whatever call of progress says stop, by whatever method: the answer is
 * NSDYN_CANCELLED, or the whole one where only its certificate was left, and the object then solves the
 * problem as one that is new, to the bit. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "nsdyn/contact.h"
#include "nsdyn/lcp.h"
#include "suite.h"
#include "support/piles.h"
#include "support/problems.h"
#include "support/space_piles.h"

enum {
  EVERY = 6,
  MOST_CANCELS = 3,
  LCP_SIZE = 70,
  CONTACTS = 30,
  CHAIN_CONTACTS = 40,
  NODES = 12,
  PIVOTS = 300
};

/* Questions, and which of them is answered by a stop; from then on all are, where it insists. */
typedef struct caller {
  int calls, stop_at, insists;
} caller;

static int progress(void *user, const char *activity, double done)
{
  caller *c = user;
  (void)activity;
  (void)done;
  const int call = c->calls++;
  return c->insists ? c->stop_at >= 0 && call >= c->stop_at : call == c->stop_at;
}

static nsdyn_context *new_context(caller *c)
{
  nsdyn_context_def def;
  nsdyn_context *ctx;
  nsdyn_context_def_init(&def, sizeof def);
  def.progress = progress;
  def.user = c;
  ck_assert_int_eq(nsdyn_context_new(&def, &ctx, NULL), NSDYN_OK);
  return ctx;
}

/* A call that is cancelled: its object is made, used and given back by these; `out` receives what it finds.
 */
typedef struct task {
  void *(*make)(const void *data, int32_t method, nsdyn_context *ctx);
  nsdyn_status (*run)(const void *data, void *object, double *out);
  void (*end)(void *object);
  const void *data;
  size_t count; /* of numbers found */
  const char *name;
} task;

/* Returns how many questions the whole call asks. */
static int cancel_everywhere(const task *t, int32_t method)
{
  caller c = {.stop_at = -1};
  nsdyn_context *ctx = new_context(&c);
  double *whole = calloc(2 * t->count + 1, sizeof *whole), *own = whole + t->count;
  ck_assert_ptr_nonnull(whole);
  void *fresh = t->make(t->data, method, ctx);
  const nsdyn_status status = t->run(t->data, fresh, whole);
  const int calls = c.calls;
  t->end(fresh);
  void *used = t->make(t->data, method, ctx);
  const int cancels = calls < random_cases(MOST_CANCELS) ? calls : random_cases(MOST_CANCELS);
  for (int k = 0; k < cancels; k++) {
    c.insists = k % 2;
    c.calls = 0;
    c.stop_at = cancels < calls ? (int)((double)k * calls / cancels) : k;
    memset(own, 0, t->count * sizeof *own);
    const nsdyn_status stopped = t->run(t->data, used, own);
    REQUIRE(stopped == NSDYN_CANCELLED || stopped == status, "%s, method %d, call %d of %d: %d", t->name,
            method, c.stop_at, calls, stopped);
    for (size_t i = 0; i < t->count; i++) {
      REQUIRE(isfinite(own[i]), "%s, method %d, call %d of %d", t->name, method, c.stop_at, calls);
    }
    c.calls = 0;
    c.stop_at = -1;
    memset(own, 0, t->count * sizeof *own);
    const nsdyn_status again = t->run(t->data, used, own);
    REQUIRE(again == status && c.calls == calls, "%s, method %d, after call %d of %d: %d, not %d; %d calls",
            t->name, method, k, calls, again, status, c.calls);
    REQUIRE(memcmp(whole, own, t->count * sizeof *own) == 0, "%s, method %d, after call %d of %d", t->name,
            method, k, calls);
  }
  t->end(used);
  free(whole);
  nsdyn_context_free(ctx);
  return calls;
}

/* ---- LCPs --------------------------------------------------------------------------------------------- */

static void *make_lcp(const void *data, int32_t method, nsdyn_context *ctx)
{
  nsdyn_lcp_options options;
  nsdyn_lcp *lcp;
  (void)data;
  nsdyn_lcp_options_init(&options, sizeof options);
  options.method = method;
  options.max_nodes = NODES;
  options.max_iterations = method == NSDYN_LCP_AUTOMATIC ? -1 : PIVOTS;
  ck_assert_int_eq(nsdyn_lcp_new(ctx, &options, &lcp, NULL), NSDYN_OK);
  return lcp;
}

static void end_lcp(void *object)
{
  nsdyn_lcp_free(object);
}

static nsdyn_status solve_lcp(const void *data, void *object, double *out)
{
  const problem *p = data;
  return nsdyn_lcp_solve_mixed(object, p->n, p->A, p->n, p->b, problem_lo(p), problem_hi(p), out, NULL);
}

static int go_on(void *user, const nsdyn_lcp_piece *piece)
{
  double *out = user;
  for (int i = 0; i < piece->n && piece->vertices > 0; i++) {
    out[i] += piece->vertex[i];
  }
  return 0;
}

static nsdyn_status list_lcp(const void *data, void *object, double *out)
{
  const problem *p = data;
  nsdyn_lcp_census census;
  nsdyn_lcp_census_init(&census, sizeof census);
  return nsdyn_lcp_enumerate(object, p->n, p->A, p->n, p->b, go_on, out, &census);
}

START_TEST(lcps_of_every_class)
{
  int calls = 0;
  problem *p = problem_new(LCP_SIZE);
  ck_assert_ptr_nonnull(p);
  for (int k = 0; k < problem_class_count(); k++) {
    if (problem_class_most(k) < LCP_SIZE / 2) {
      continue;
    }
    problem_make(p, k, LCP_SIZE, 1);
    /* Some classes, and all without solution, where proofs are cancelled too; at a large scale all. */
    if (k % EVERY && p->promise != PROBLEM_NONE && random_cases(4) < 16) {
      continue;
    }
    task t = {make_lcp, solve_lcp, end_lcp, p, (size_t)p->n, p->name};
    for (int32_t method = NSDYN_LCP_AUTOMATIC; method <= NSDYN_LCP_MARQUARDT_PROJECTED; method++) {
      calls += cancel_everywhere(&t, method);
    }
    t.run = list_lcp;
    calls += problem_lo(p) ? 0 : cancel_everywhere(&t, NSDYN_LCP_AUTOMATIC);
  }
  problem_free(p);
  ck_assert_int_gt(calls, 0);
}
END_TEST

/* ---- contacts ----------------------------------------------------------------------------------------- */

static void *make_contact(const void *data, int32_t method, nsdyn_context *ctx)
{
  nsdyn_contact_options options;
  nsdyn_contact *s;
  (void)data;
  nsdyn_contact_options_init(&options, sizeof options);
  options.method = method;
  options.max_nodes = NODES;
  ck_assert_int_eq(nsdyn_contact_new(ctx, &options, &s, NULL), NSDYN_OK);
  return s;
}

static void end_contact(void *object)
{
  nsdyn_contact_free(object);
}

static nsdyn_status solve_contact(const void *data, void *object, double *out)
{
  const nsdyn_contact_problem posed = pile_problem(data);
  return nsdyn_contact_solve(object, &posed, out, NULL);
}

static nsdyn_status list_contact(const void *data, void *object, double *out)
{
  const nsdyn_contact_problem posed = pile_problem(data);
  nsdyn_contact_census census;
  nsdyn_contact_census_init(&census, sizeof census);
  const nsdyn_status status = nsdyn_contact_enumerate(object, &posed, NULL, NULL, &census);
  out[0] = status == NSDYN_CANCELLED ? 0.0 : (double)census.nodes;
  return status;
}

static nsdyn_status collide(const void *data, void *object, double *out)
{
  const nsdyn_contact_problem posed = pile_problem(data);
  return nsdyn_contact_impact(object, NSDYN_IMPACT_POISSON, &posed, out, NULL);
}

static int cancel_piles(pile_kind kind, pile_load load)
{
  random_state random = random_seed((uint64_t)kind);
  pile p = pile_make(kind, load, kind == PILE_CHAIN ? CHAIN_CONTACTS : CONTACTS, &random);
  task t = {make_contact, solve_contact, end_contact, &p, (size_t)p.rows, pile_name(kind)};
  int calls = 0;
  for (int32_t method = NSDYN_CONTACT_AUTOMATIC; method <= NSDYN_CONTACT_MODES; method++) {
    calls += cancel_everywhere(&t, method);
  }
  t.run = list_contact;
  calls += cancel_everywhere(&t, NSDYN_CONTACT_AUTOMATIC);
  t.run = collide;
  calls += cancel_everywhere(&t, NSDYN_CONTACT_AUTOMATIC);
  pile_free(&p);
  return calls;
}

START_TEST(piles_of_every_kind)
{
  int calls = 0;
  for (int kind = 0; kind < PILE_KINDS; kind++) {
    for (int load = 0; load < PILE_LOADS; load++) {
      calls += cancel_piles((pile_kind)kind, (pile_load)load);
    }
  }
  ck_assert_int_gt(calls, 0);
}
END_TEST

/* ---- contacts in space -------------------------------------------------------------------------------- */

typedef struct space_problem {
  space_pile pile;
  nsdyn_contact_law *laws;
} space_problem;

static nsdyn_status solve_space(const void *data, void *object, double *out)
{
  const space_problem *p = data;
  nsdyn_contact_problem posed;
  nsdyn_contact_problem_init(&posed, sizeof posed);
  posed.contacts = p->pile.contacts;
  posed.laws = p->laws;
  posed.G = p->pile.G;
  posed.ldg = p->pile.rows;
  posed.c = p->pile.c;
  return nsdyn_contact_solve(object, &posed, out, NULL);
}

/* Stacks, walls, spheres and rods, by every method that takes contacts in space. */
START_TEST(space_piles_of_every_kind)
{
  int calls = 0;
  for (int kind = 0; kind < SPACE_PILE_KINDS; kind++) {
    random_state random = random_seed((uint64_t)kind);
    space_problem p = {.pile = space_pile_make((space_pile_kind)kind, PILE_SHAKE, CONTACTS, &random)};
    space_pile_delassus(&p.pile);
    p.laws = calloc((size_t)p.pile.contacts, sizeof *p.laws);
    ck_assert(p.laws && p.pile.G);
    for (int i = 0; i < p.pile.contacts; i++) {
      nsdyn_contact_law_init(&p.laws[i], sizeof p.laws[i]);
      p.laws[i].tangents = 2;
      p.laws[i].mu = p.pile.mu;
    }
    const task t = {make_contact, solve_space, end_contact, &p, (size_t)p.pile.rows, "a pile in space"};
    for (int32_t method = NSDYN_CONTACT_AUTOMATIC; method <= NSDYN_CONTACT_TODOROV_PLM; method++) {
      calls += cancel_everywhere(&t, method);
    }
    free(p.laws);
    space_pile_free(&p.pile);
  }
  ck_assert_int_gt(calls, 0);
}
END_TEST

/* ---- sparse problems ---------------------------------------------------------------------------------- */

typedef struct sparse_problem {
  nsdyn_sparse_matrix A;
  int64_t *row;
  int32_t *column;
  double *value;
  const pile_lcp *q;
} sparse_problem;

static sparse_problem sparse_of(const pile_lcp *q)
{
  const size_t n = (size_t)q->n;
  sparse_problem p = {.row = calloc(n + 1, sizeof *p.row),
                      .column = calloc(n * n + 1, sizeof *p.column),
                      .value = calloc(n * n + 1, sizeof *p.value),
                      .q = q};
  ck_assert(p.row && p.column && p.value);
  for (int i = 0; i < q->n; i++) {
    p.row[i + 1] = p.row[i];
    for (int j = 0; j < q->n; j++) {
      if (q->A[(size_t)i * n + (size_t)j] != 0.0) {
        p.column[p.row[i + 1]] = j;
        p.value[p.row[i + 1]++] = q->A[(size_t)i * n + (size_t)j];
      }
    }
  }
  nsdyn_sparse_matrix_init(&p.A, sizeof p.A);
  p.A.n = q->n;
  p.A.row = p.row;
  p.A.column = p.column;
  p.A.value = p.value;
  return p;
}

static nsdyn_status solve_sparse(const void *data, void *object, double *out)
{
  const sparse_problem *p = data;
  return nsdyn_lcp_solve_sparse(object, &p->A, p->q->b, p->q->lo, p->q->hi, out, NULL);
}

/* Piles as sparse complementarity problems, by every method that has a sparse form. */
START_TEST(sparse_problems)
{
  static const int32_t methods[] = {NSDYN_LCP_AUTOMATIC, NSDYN_LCP_BLOCK, NSDYN_LCP_NEWTON_FB};
  int calls = 0;
  for (int kind = 0; kind < PILE_KINDS; kind++) {
    random_state random = random_seed((uint64_t)kind);
    pile bodies = pile_make((pile_kind)kind, PILE_SHAKE, 2 * CHAIN_CONTACTS, &random);
    pile_lcp q = pile_lcp_make(&bodies, kind % 2 ? PILE_PYRAMID : PILE_GLOCKER);
    sparse_problem p = sparse_of(&q);
    const task t = {make_lcp, solve_sparse, end_lcp, &p, (size_t)q.n, pile_name((pile_kind)kind)};
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
      calls += cancel_everywhere(&t, methods[k]);
    }
    free(p.row);
    free(p.column);
    free(p.value);
    pile_lcp_free(&q);
    pile_free(&bodies);
  }
  ck_assert_int_gt(calls, 0);
}
END_TEST

/* ---- texts -------------------------------------------------------------------------------------------- */

typedef struct written {
  char *text;
  size_t length, rows;
} written;

static nsdyn_status read_lcp(const void *data, void *object, double *out)
{
  const written *w = data;
  int32_t n = 0;
  const nsdyn_status status = nsdyn_lcp_read_text(object, w->text, w->length, &n, NULL, 0, NULL, NULL, NULL);
  return status ? status
                : nsdyn_lcp_read_text(object, w->text, w->length, &n, out, n, out + (size_t)n * (size_t)n,
                                      NULL, NULL);
}

static nsdyn_status read_contacts(const void *data, void *object, double *out)
{
  const written *w = data;
  nsdyn_contact_problem p;
  size_t size = 0;
  nsdyn_contact_problem_init(&p, sizeof p);
  nsdyn_status status = nsdyn_contact_read_text(object, w->text, w->length, &p, NULL, &size);
  void *memory = malloc(size + 1);
  ck_assert_ptr_nonnull(memory);
  status = status ? status : nsdyn_contact_read_text(object, w->text, w->length, &p, memory, &size);
  if (status == NSDYN_OK) {
    memcpy(out, p.G, w->rows * w->rows * sizeof *out);
  }
  free(memory);
  return status;
}

/* Matrices whole and in blocks, one word and one comment that are as long as a text. */
START_TEST(texts)
{
  int calls = 0;
  for (int kind = 0; kind < PILE_KINDS; kind++) {
    random_state random = random_seed((uint64_t)kind);
    pile bodies = pile_make((pile_kind)kind, PILE_SHAKE, CONTACTS, &random);
    const nsdyn_contact_problem posed = pile_problem(&bodies);
    const size_t n = (size_t)bodies.rows;
    written w = {.rows = n};
    w.length = nsdyn_contact_write_text(&posed, NULL, 0);
    w.text = malloc(w.length);
    ck_assert_ptr_nonnull(w.text);
    ck_assert_uint_eq(nsdyn_contact_write_text(&posed, w.text, w.length--), w.length + 1);
    task t = {make_contact, read_contacts, end_contact, &w, n * n, pile_name((pile_kind)kind)};
    calls += cancel_everywhere(&t, NSDYN_CONTACT_AUTOMATIC);
    free(w.text);
    w.length = nsdyn_lcp_write_text(bodies.rows, bodies.G, bodies.rows, bodies.c, NULL, NULL, NULL, 0);
    w.text = malloc(w.length);
    ck_assert_ptr_nonnull(w.text);
    (void)nsdyn_lcp_write_text(bodies.rows, bodies.G, bodies.rows, bodies.c, NULL, NULL, w.text, w.length--);
    t = (task){make_lcp, read_lcp, end_lcp, &w, n * n + n, pile_name((pile_kind)kind)};
    calls += cancel_everywhere(&t, NSDYN_LCP_AUTOMATIC);
    for (int c = 0; c < 2; c++) {
      memset(w.text, "#1"[c], w.length); /* nothing but a comment; a word */
      calls += cancel_everywhere(&t, NSDYN_LCP_AUTOMATIC);
    }
    free(w.text);
    pile_free(&bodies);
  }
  ck_assert_int_gt(calls, PILE_KINDS);
}
END_TEST

SUITE("public/cancel", TEST(lcps_of_every_class), TEST(piles_of_every_kind), TEST(space_piles_of_every_kind),
      TEST(sparse_problems), TEST(texts))
