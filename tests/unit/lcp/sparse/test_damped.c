/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* lcp/sparse/damped.c: piles of bodies as complementarity problems. Whatever comes out is judged by
 * nsdyn_lcp_residual(), which shares nothing with it. */
#include "lcp/sparse/damped_path.h"

#include <float.h>

#include "sparse_cases.h"
#include "support/piles.h"

typedef struct damped_case {
  sparse_case c;
  nsd_sparse_problem p;
  nsd_arena room;
  nsd_active_set a;
  nsd_damped w;
  nsd_poll poll;
} damped_case;

static sparse_case sparse_of(const pile_lcp *q)
{
  int32_t elements = 0;
  for (int k = 0; k < q->n * q->n; k++) {
    elements += q->A[k] != 0.0;
  }
  sparse_case c = sparse_case_new(q->n, elements);
  for (int i = 0; i < q->n; i++) {
    for (int j = 0; j < q->n; j++) {
      const double value = q->A[(size_t)i * (size_t)q->n + (size_t)j];
      if (value != 0.0) {
        sparse_case_add(&c, i, j, value);
      }
    }
    sparse_case_end_row(&c, i);
    c.b[i] = q->b[i];
    c.lo[i] = q->lo[i];
    c.hi[i] = q->hi[i];
  }
  return c;
}

static void open_case(damped_case *k, sparse_case c)
{
  nsd_arena measure = nsd_arena_measure();
  k->c = c;
  k->p = (nsd_sparse_problem){
      .A = {.n = c.n, .row = c.row, .column = c.column, .value = c.value}, .b = c.b, .lo = c.lo, .hi = c.hi};
  k->poll = nsd_poll_of(NULL, "testing");
  k->room = nsd_arena_empty(NULL);
  nsd_active_set_lay_out(&measure, &k->a, c.n);
  ck_assert_int_eq(nsd_arena_reserve(&k->room, &measure), NSDYN_OK);
  nsd_active_set_lay_out(&k->room, &k->a, c.n);
  k->a.poll = &k->poll;
  k->w = nsd_damped_empty(NULL);
}

static void close_case(damped_case *k)
{
  nsd_damped_release(&k->w);
  nsd_arena_release(&k->room);
  sparse_case_free(&k->c);
}

static double judge(const damped_case *k)
{
  double residual = INFINITY;
  const nsdyn_sparse_matrix A = sparse_case_matrix(&k->c);
  ck_assert_int_eq(nsdyn_lcp_residual_sparse(&A, k->c.b, k->c.lo, k->c.hi, k->a.x, &residual, NULL),
                   NSDYN_OK);
  return residual;
}

/* G Λ + c + ŵ may be asymmetric to rounding, and what should be zero in c may be some 1e-17. */
static void round_off(pile *p, random_state *r)
{
  for (size_t k = 0; k < (size_t)p->rows * (size_t)p->rows; k++) {
    p->G[k] *= 1.0 + 4.0 * DBL_EPSILON * random_between(r, -1.0, 1.0);
  }
  for (int i = 0; i < p->rows; i++) {
    p->c[i] += 1e-17 * random_between(r, -1.0, 1.0);
  }
}

/* Towers, walls, disks, rubble and chains, at rest, on a slope and hit, in both forms. */
START_TEST(piles_are_solved)
{
  const int cases = random_cases(30);
  int met = 0;
  for (int seed = 0; seed < cases; seed++) {
    random_state r = random_seed((uint64_t)seed);
    const pile_kind kind = (pile_kind)(seed % PILE_KINDS);
    const pile_load load = (pile_load)(seed / PILE_KINDS % PILE_LOADS);
    pile p = pile_make(kind, load, 30 + random_below(&r, 60), &r);
    if (seed % 2) {
      round_off(&p, &r);
    }
    for (int form = 0; form < PILE_FORMS; form++) {
      pile_lcp q = pile_lcp_make(&p, (pile_form)form);
      damped_case k;
      int32_t steps = 0;
      open_case(&k, sparse_of(&q));
      const nsdyn_status status = nsd_damped_solve(&k.w, &k.a, &k.p, 1e-9, 1e11, 20000, &steps);
      met += status == NSDYN_OK;
      ck_assert(status != NSDYN_OK || judge(&k) <= 1e-9);
      ck_assert_int_gt(steps, 0);
      close_case(&k);
      pile_lcp_free(&q);
    }
    pile_free(&p);
  }
  ck_assert_msg(met >= 2 * cases - cases / 20, "%d of %d", met, 2 * cases);
}
END_TEST

/* The public solvers, dense and sparse: 750 to 1000 rows, which a tableau takes minutes for or gets lost in.
 */
START_TEST(hundreds_of_contacts_take_one_attempt)
{
  for (int kind = 0; kind < PILE_KINDS; kind++) {
    random_state r = random_seed(7);
    pile p = pile_make((pile_kind)kind, kind % 2 ? PILE_SHAKE : PILE_REST, 250, &r);
    pile_lcp q = pile_lcp_make(&p, kind % 2 ? PILE_PYRAMID : PILE_GLOCKER);
    nsdyn_lcp *lcp;
    nsdyn_lcp_solve_report report;
    double residual = INFINITY;
    ck_assert_int_eq(nsdyn_lcp_new(NULL, NULL, &lcp, NULL), NSDYN_OK);
    const nsdyn_status status = kind == PILE_CHAIN
                                    ? nsdyn_lcp_solve_mixed(lcp, q.n, q.A, q.n, q.b, q.lo, q.hi, q.x, q.y)
                                    : nsdyn_lcp_solve(lcp, q.n, q.A, q.n, q.b, q.x, q.y);
    ck_assert_msg(status == NSDYN_OK, "%s: %s", pile_name((pile_kind)kind), nsdyn_lcp_message(lcp));
    nsdyn_lcp_solve_report_init(&report, sizeof report);
    nsdyn_lcp_report(lcp, &report);
    ck_assert_int_eq(report.attempts, 1);
    ck_assert_int_eq(report.method, NSDYN_LCP_LEMKE);
    ck_assert_int_eq(nsdyn_lcp_residual(q.n, q.A, q.n, q.b, q.lo, q.hi, q.x, &residual, NULL), NSDYN_OK);
    ck_assert(residual <= 1e-9);
    sparse_case c = sparse_of(&q);
    const nsdyn_sparse_matrix A = sparse_case_matrix(&c);
    ck_assert_int_eq(nsdyn_lcp_solve_sparse(lcp, &A, c.b, c.lo, c.hi, c.x, c.y), NSDYN_OK);
    ck_assert_int_eq(nsdyn_lcp_residual_sparse(&A, c.b, c.lo, c.hi, c.x, &residual, NULL), NSDYN_OK);
    ck_assert(residual <= 1e-9);
    sparse_case_free(&c);
    nsdyn_lcp_free(lcp);
    pile_lcp_free(&q);
    pile_free(&p);
  }
}
END_TEST

/* A row of zeros with b = −1 has no solution: it is not called solved, and it is left as soon as damping
 * pulls as much at ε = 1e-5 as before. */
START_TEST(what_has_no_solution_is_left)
{
  random_state r = random_seed(3);
  pile p = pile_make(PILE_TOWER, PILE_REST, 60, &r);
  pile_lcp q = pile_lcp_make(&p, PILE_GLOCKER);
  for (int j = 0; j < q.n; j++) {
    q.A[(size_t)(q.n - 3) * (size_t)q.n + (size_t)j] = 0.0;
  }
  q.b[q.n - 3] = -1.0;
  damped_case k;
  int32_t steps = 0;
  open_case(&k, sparse_of(&q));
  const nsdyn_status status = nsd_damped_solve(&k.w, &k.a, &k.p, 1e-9, 1e11, 20000, &steps);
  ck_assert_int_eq(status, NSDYN_UNDECIDED);
  ck_assert(judge(&k) > 1e-9);
  ck_assert_int_lt(steps, 2000);
  close_case(&k);
  pile_lcp_free(&q);
  pile_free(&p);
}
END_TEST

/* Work and steps are limits; a row that couples with everything, without a diagonal element, stays by itself.
 */
START_TEST(limits_end_it)
{
  random_state r = random_seed(5);
  pile p = pile_make(PILE_RUBBLE, PILE_BURST, 80, &r);
  pile_lcp q = pile_lcp_make(&p, PILE_PYRAMID);
  damped_case k;
  open_case(&k, sparse_of(&q));
  for (int limit = 1; limit < 40; limit += 6) {
    int32_t steps = 0;
    const nsdyn_status status = nsd_damped_solve(&k.w, &k.a, &k.p, 1e-9, 1e11, limit, &steps);
    ck_assert_int_eq(status, NSDYN_MAX_ITERATIONS);
    ck_assert_int_lt(steps, limit + 12); /* those of a problem that has begun */
    ck_assert(isfinite(judge(&k)));
  }
  int32_t steps = 0;
  ck_assert_int_eq(nsd_damped_solve(&k.w, &k.a, &k.p, 1e-9, 1e3, 1000, &steps), NSDYN_ERR_UNSUPPORTED);
  close_case(&k);
  pile_lcp_free(&q);
  pile_free(&p);
}
END_TEST

typedef struct stopper {
  int calls, at;
} stopper;

static int stop(void *user, const char *activity, double done)
{
  stopper *s = user;
  (void)activity;
  (void)done;
  return ++s->calls == s->at;
}

/* Every eighth question of a solve is answered by a cancel; the next solve gives the same bits as the first.
 */
START_TEST(can_be_cancelled)
{
  random_state r = random_seed(11);
  pile p = pile_make(PILE_DISKS, PILE_BURST, 130, &r);
  pile_lcp q = pile_lcp_make(&p, PILE_GLOCKER);
  stopper s = {.calls = 0};
  nsdyn_context_def def;
  nsdyn_context *ctx;
  nsdyn_lcp *lcp;
  nsdyn_context_def_init(&def, sizeof def);
  def.user = &s;
  def.progress = stop;
  ck_assert_int_eq(nsdyn_context_new(&def, &ctx, NULL), NSDYN_OK);
  ck_assert_int_eq(nsdyn_lcp_new(ctx, NULL, &lcp, NULL), NSDYN_OK);
  ck_assert_int_eq(nsdyn_lcp_solve(lcp, q.n, q.A, q.n, q.b, q.x, q.y), NSDYN_OK);
  const int calls = s.calls;
  ck_assert_int_gt(calls, 10);
  for (int at = 1; at <= calls; at += 8) {
    s = (stopper){.at = at};
    ck_assert_int_eq(nsdyn_lcp_solve(lcp, q.n, q.A, q.n, q.b, q.lo, q.hi), NSDYN_CANCELLED);
    for (int i = 0; i < q.n; i++) {
      ck_assert(q.lo[i] >= 0.0 && isfinite(q.lo[i]));
    }
  }
  s = (stopper){.at = 0};
  ck_assert_int_eq(nsdyn_lcp_solve(lcp, q.n, q.A, q.n, q.b, q.lo, q.hi), NSDYN_OK);
  ck_assert_int_eq(memcmp(q.lo, q.x, (size_t)q.n * sizeof *q.x), 0);
  nsdyn_lcp_free(lcp);
  nsdyn_context_free(ctx);
  pile_lcp_free(&q);
  pile_free(&p);
}
END_TEST

SUITE("lcp/sparse/damped", TEST(piles_are_solved), TEST(hundreds_of_contacts_take_one_attempt),
      TEST(what_has_no_solution_is_left), TEST(limits_end_it), TEST(can_be_cancelled))
