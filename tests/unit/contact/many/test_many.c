/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "contact/many/many.h"

#include <string.h>

#include "contact/check.h"
#include "contact/object.h"
#include "contact_cases.h"
#include "piled.h"

/* By the public call alone. */
static nsdyn_status solve(nsdyn_context *ctx, const pile *p, double *Lambda, double *share)
{
  const nsdyn_contact_problem problem = pile_problem(p);
  nsdyn_contact *s;
  ck_assert_int_eq(nsdyn_contact_new(ctx, NULL, &s, NULL), NSDYN_OK);
  const nsdyn_status status = nsdyn_contact_solve(s, &problem, Lambda, NULL);
  double residual, scale;
  ck_assert_int_eq(nsdyn_contact_residual(&problem, Lambda, &residual, &scale, NULL), NSDYN_OK);
  *share = residual > 0.0 ? residual / scale : 0.0;
  nsdyn_contact_free(s);
  return status;
}

START_TEST(piles_of_every_kind_are_solved)
{
  static const int sizes[] = {3, 20, 60, 120};
  for (int i = 0; i < (is_brief() ? 2 : 4); i++) {
    for (int kind = 0; kind < PILE_KINDS; kind++) {
      for (int load = 0; load < PILE_LOADS; load++) {
        piled t = piled_make((pile_kind)kind, (pile_load)load, sizes[i], i);
        double share;
        const nsdyn_status status = solve(NULL, &t.p, t.Lambda, &share);
        ck_assert_msg(status == NSDYN_OK && share <= 1e-9, "%s, load %d, %d contacts: status %d, residual %g",
                      pile_name((pile_kind)kind), load, t.p.contacts, status, share);
        piled_free(&t);
      }
    }
  }
}
END_TEST

/* 400 contacts, in about so many multiplications; 1e8 take 100 ms. */
START_TEST(hundreds_of_contacts_take_little_work)
{
  static const double work[PILE_KINDS] = {
      [PILE_TOWER] = 3e7, [PILE_WALL] = 2e7, [PILE_DISKS] = 1e8, [PILE_RUBBLE] = 2e8, [PILE_CHAIN] = 1e7};
  nsdyn_contact *s;
  ck_assert_int_eq(nsdyn_contact_new(NULL, NULL, &s, NULL), NSDYN_OK);
  for (int kind = 0; kind < (is_brief() ? 2 : PILE_KINDS); kind++) {
    for (int load = 0; load < PILE_LOADS; load++) {
      for (int seed = 0; seed < 3; seed++) {
        piled t = piled_make((pile_kind)kind, (pile_load)load, 400, seed);
        nsd_pattern_best best = {
            .Lambda = t.Lambda, .xi = t.xi, .verdict = {.residual = INFINITY, .row = -1}};
        ck_assert_int_eq(nsd_contact_reserve_many(s, &t.d), NSDYN_OK);
        const nsdyn_status status = nsd_many_solve(&s->many, &t.d, NULL, NULL, 1e-9, work[kind], &best, NULL);
        ck_assert_msg(status == NSDYN_OK, "%s, load %d, seed %d: status %d, residual %g",
                      pile_name((pile_kind)kind), load, seed, status, best.verdict.residual);
        piled_free(&t);
      }
    }
  }
  nsdyn_contact_free(s);
}
END_TEST

/* Rubble, hit, by 1e9 multiplications at most. */
static void solve_hit_rubble(int seed)
{
  piled t = piled_make(PILE_RUBBLE, PILE_BURST, 400, seed);
  nsd_pattern_best best = {.Lambda = t.Lambda, .xi = t.xi, .verdict = {.residual = INFINITY, .row = -1}};
  nsdyn_contact *s;
  ck_assert_int_eq(nsdyn_contact_new(NULL, NULL, &s, NULL), NSDYN_OK);
  ck_assert_int_eq(nsd_contact_reserve_many(s, &t.d), NSDYN_OK);
  const nsdyn_status status = nsd_many_solve(&s->many, &t.d, NULL, NULL, 1e-9, 1e9, &best, NULL);
  ck_assert_msg(status == NSDYN_OK, "seed %d: status %d, residual %g", seed, status, best.verdict.residual);
  nsdyn_contact_free(s);
  piled_free(&t);
}

/* Near a point that misses the laws by 3e-9 every path turns back, and proximal steps from there lead back to
 * it: of 5e9 multiplications none led away. */
START_TEST(a_point_that_nearly_solves_holds_no_search)
{
  solve_hit_rubble(34);
}
END_TEST

/* A pile that settles by many small collapses needs a long way from wherever it begins: who begins anew too
 * soon loses what the way has led to. */
START_TEST(a_long_way_is_gone_to_its_end)
{
  solve_hit_rubble(2218);
}
END_TEST

/* Problems of all laws, small enough for other methods: where these have an answer, so have rounds and paths,
 * or they say that they have none. */
START_TEST(small_problems_of_all_laws_are_solved)
{
  int solved = 0, solvable = 0;
  nsdyn_contact *s;
  ck_assert_int_eq(nsdyn_contact_new(NULL, NULL, &s, NULL), NSDYN_OK);
  for (int seed = 0; seed < random_cases(2000); seed++) {
    contact_case t;
    contact_case_make(&t, (case_kind)(seed % CASE_KINDS), 1 + seed / CASE_KINDS % 6, (uint64_t)seed);
    double Lambda[CASE_ROWS], xi[CASE_ROWS], other[CASE_ROWS];
    nsd_pattern_best best = {.Lambda = Lambda, .xi = xi, .verdict = {.residual = INFINITY, .row = -1}};
    if (nsd_contact_solve_data(s, &t.data, other, NULL) != NSDYN_OK) {
      continue;
    }
    solvable++;
    ck_assert_int_eq(nsd_contact_reserve_many(s, &t.data), NSDYN_OK);
    if (nsd_many_solve(&s->many, &t.data, NULL, NULL, 1e-9, 1e6, &best, NULL) == NSDYN_OK) {
      const nsd_contact_verdict v = nsd_contact_judge(&t.data, Lambda, xi);
      ck_assert(nsd_contact_is_solution(&v, 1e-9));
      solved++;
    }
  }
  nsdyn_contact_free(s);
  ck_assert_msg(is_brief() || solved >= 0.9 * solvable, "%d of %d", solved, solvable);
}
END_TEST

/* G + E, E antisymmetric and rounding: its average is G to the bit. */
static void tilt(pile *p, double size, int seed)
{
  random_state random = random_seed((uint64_t)seed);
  const size_t n = (size_t)p->rows;
  for (size_t i = 0; i < n; i++) {
    for (size_t j = 0; j < i; j++) {
      double *a = &p->G[i * n + j], *b = &p->G[j * n + i];
      /* whole multiples of an ulp of 2 |G_ij|, so that both sums are exact */
      const double tilted = *a * (1.0 + size * floor(random_between(&random, -2.0, 3.0)));
      const double mirrored = *a - (tilted - *a);
      if (0.5 * tilted + 0.5 * mirrored == *a) {
        *a = tilted;
        *b = mirrored;
      }
    }
  }
}

/* Asymmetry of rounding changes nothing: the same answer to the bit, and judged by G as it is given. */
START_TEST(an_asymmetry_of_rounding_does_no_harm)
{
  for (int kind = 0; kind < PILE_KINDS; kind++) {
    piled t = piled_make((pile_kind)kind, PILE_BURST, 60, 2);
    double share;
    ck_assert_int_eq(solve(NULL, &t.p, t.Lambda, &share), NSDYN_OK);
    tilt(&t.p, 0x1p-52, kind);
    ck_assert_int_eq(solve(NULL, &t.p, t.xi, &share), NSDYN_OK);
    ck_assert_double_le(share, 1e-9);
    ck_assert(memcmp(t.Lambda, t.xi, (size_t)t.d.rows * sizeof *t.xi) == 0);
    piled_free(&t);
  }
}
END_TEST

/* A larger one belongs to the data. */
START_TEST(a_larger_asymmetry_stays)
{
  piled t = piled_make(PILE_RUBBLE, PILE_REST, 60, 2);
  const size_t n = (size_t)t.d.rows;
  double *G = calloc(n * n, sizeof *G);
  int larger = 0;
  ck_assert(G);
  tilt(&t.p, 0x1p-40, 1);
  nsd_contact_average(&t.d, G, NULL);
  for (size_t i = 0; i < n; i++) {
    for (size_t j = 0; j < n; j++) {
      const double a = t.p.G[i * n + j], b = t.p.G[j * n + i];
      const int is_larger = fabs(a - b) > 0x1p-47 * sqrt(t.p.G[i * n + i] * t.p.G[j * n + j]);
      ck_assert(!is_larger || G[i * n + j] == a);
      larger += is_larger;
    }
  }
  ck_assert_int_gt(larger, 100);
  double share;
  ck_assert_int_eq(solve(NULL, &t.p, t.Lambda, &share), NSDYN_OK);
  ck_assert_double_le(share, 1e-9);
  free(G);
  piled_free(&t);
}
END_TEST

static int stop_at_once(void *user, const char *activity, double done)
{
  (void)user;
  (void)activity;
  (void)done;
  return 1;
}

/* Whoever waits for hundreds of contacts can stop that. */
START_TEST(a_long_solve_is_cancelled)
{
  nsdyn_context_def def;
  nsdyn_context_def_init(&def, sizeof def);
  def.progress = stop_at_once;
  nsdyn_context *ctx;
  ck_assert_int_eq(nsdyn_context_new(&def, &ctx, NULL), NSDYN_OK);
  piled t = piled_make(PILE_RUBBLE, PILE_BURST, 200, 1);
  double share;
  const nsdyn_status status = solve(ctx, &t.p, t.Lambda, &share);
  ck_assert_msg(status == NSDYN_CANCELLED, "status %d, share %g", status, share);
  piled_free(&t);
  nsdyn_context_free(ctx);
}
END_TEST

static int listen(void *user, const char *activity, double done)
{
  int *calls = user;
  (void)activity;
  (void)done;
  ++*calls;
  return 0;
}

static nsdyn_context *context_with(int (*progress)(void *, const char *, double), int *calls)
{
  nsdyn_context_def def;
  nsdyn_context_def_init(&def, sizeof def);
  def.user = calls;
  def.progress = progress;
  nsdyn_context *ctx;
  ck_assert_int_eq(nsdyn_context_new(&def, &ctx, NULL), NSDYN_OK);
  return ctx;
}

/* A call is due after NSD_POLL_WORK multiplications, a millisecond's: of the looks at all elements of G
 * alone, from the check of the data to the judge of the answer, there are a dozen such for each. */
START_TEST(progress_is_told_in_proportion_to_work)
{
  static const int sizes[] = {10, 300, 1000};
  for (int i = 0; i < (is_brief() ? 2 : 3); i++) {
    for (int kind = 0; kind < PILE_KINDS; kind++) {
      int calls = 0;
      nsdyn_context *ctx = context_with(listen, &calls);
      piled t = piled_make((pile_kind)kind, PILE_REST, sizes[i], 1);
      double share;
      ck_assert_int_eq(solve(ctx, &t.p, t.Lambda, &share), NSDYN_OK);
      const double elements = (double)t.d.rows * t.d.rows;
      const int due = (int)(12.0 * elements / NSD_POLL_WORK) - 3; /* parts begin anew to count */
      ck_assert_msg(calls >= due, "%s of %d: %d calls of %d", pile_name((pile_kind)kind), sizes[i], calls,
                    due);
      ck_assert(sizes[i] > 10 || calls == 0);
      piled_free(&t);
      nsdyn_context_free(ctx);
    }
  }
}
END_TEST

static int stop_once(void *user, const char *activity, double done)
{
  int *calls = user;
  (void)activity;
  (void)done;
  return (*calls)++ == 0;
}

/* While the data are looked at, and by one call alone. */
START_TEST(one_cancel_before_anything_is_tried_is_heard)
{
  int calls = 0;
  nsdyn_context *ctx = context_with(stop_once, &calls);
  piled t = piled_make(PILE_TOWER, PILE_REST, 500, 1);
  double share;
  ck_assert_int_eq(solve(ctx, &t.p, t.Lambda, &share), NSDYN_CANCELLED);
  ck_assert(t.Lambda[0] == 0.0);
  nsdyn_contact *s;
  ck_assert_int_eq(nsdyn_contact_new(ctx, NULL, &s, NULL), NSDYN_OK);
  const nsdyn_contact_problem problem = pile_problem(&t.p);
  calls = 0;
  t.xi[0] = 1.0;
  ck_assert_int_eq(nsdyn_contact_impact(s, NSDYN_IMPACT_POISSON, &problem, t.Lambda, t.xi), NSDYN_CANCELLED);
  ck_assert(t.Lambda[0] == 0.0 && t.xi[0] == t.p.c[0]);
  nsdyn_contact_free(s);
  piled_free(&t);
  nsdyn_context_free(ctx);
}
END_TEST

/* A chain with one constraint twice, the second asking for another velocity: nothing solves that, but
 * impulses that hold each other could hide it behind their size. */
START_TEST(constraints_that_contradict_each_other_are_refused)
{
  for (int k = 0; k < random_cases(100); k++) {
    piled t = piled_make(PILE_CHAIN, (pile_load)(k % PILE_LOADS), 6 + 2 * (k % 8), k);
    random_state random = random_seed((uint64_t)k);
    const int n = t.d.rows, m = n + 1;
    const int twin = nsd_contact_own_rows(&t.d) + random_below(&random, t.d.bilateral);
    double *G = calloc((size_t)m * (size_t)m, sizeof *G), *c = calloc((size_t)m, sizeof *c);
    double *Lambda = calloc((size_t)m, sizeof *Lambda), most = 0.0;
    ck_assert(G && c && Lambda);
    for (int i = 0; i < m; i++) {
      const int from = i < n ? i : twin;
      c[i] = t.p.c[from];
      most = fmax(most, fabs(c[i]));
      for (int j = 0; j < m; j++) {
        G[i * m + j] = t.p.G[from * n + (j < n ? j : twin)];
      }
    }
    c[n] += most * pow(10.0, -(k % 6));
    nsdyn_contact_problem problem = pile_problem(&t.p);
    problem.bilateral++;
    problem.G = G;
    problem.ldg = m;
    problem.c = c;
    nsdyn_contact *s;
    ck_assert_int_eq(nsdyn_contact_new(NULL, NULL, &s, NULL), NSDYN_OK);
    const nsdyn_status status = nsdyn_contact_solve(s, &problem, Lambda, NULL);
    ck_assert_msg(status != NSDYN_OK, "a miss of 1e-%d in a chain of %d", k % 6, t.d.contacts);
    nsdyn_contact_free(s);
    free(G);
    free(c);
    free(Lambda);
    piled_free(&t);
  }
}
END_TEST

/* The same call leaves the same bits, whatever was solved in between. */
START_TEST(the_same_problem_gives_the_same_bits)
{
  piled a = piled_make(PILE_DISKS, PILE_REST, 100, 1), b = piled_make(PILE_CHAIN, PILE_BURST, 70, 2);
  nsdyn_contact *s;
  ck_assert_int_eq(nsdyn_contact_new(NULL, NULL, &s, NULL), NSDYN_OK);
  const nsdyn_contact_problem one = pile_problem(&a.p), two = pile_problem(&b.p);
  ck_assert_int_eq(nsdyn_contact_solve(s, &one, a.Lambda, NULL), NSDYN_OK);
  ck_assert_int_eq(nsdyn_contact_solve(s, &two, b.Lambda, NULL), NSDYN_OK);
  ck_assert_int_eq(nsdyn_contact_solve(s, &one, a.xi, NULL), NSDYN_OK);
  ck_assert(memcmp(a.Lambda, a.xi, (size_t)a.d.rows * sizeof *a.xi) == 0);
  nsdyn_contact_free(s);
  piled_free(&a);
  piled_free(&b);
}
END_TEST

/* From the impulses of a solution nothing is solved, and they stay; from others it is solved as well. */
START_TEST(begins_with_impulses)
{
  enum { CONTACTS = 100 };
  static double near[4 * CONTACTS], Lambda[4 * CONTACTS], xi[4 * CONTACTS];
  nsdyn_contact *s;
  ck_assert_int_eq(nsdyn_contact_new(NULL, NULL, &s, NULL), NSDYN_OK);
  for (int kind = 0; kind < PILE_KINDS; kind++) {
    for (int seed = 0; seed < random_cases(10); seed++) {
      piled t = piled_make((pile_kind)kind, (pile_load)(seed % PILE_LOADS), CONTACTS, seed);
      random_state r = random_seed((uint64_t)seed);
      ck_assert_int_eq(nsd_contact_reserve_many(s, &t.d), NSDYN_OK);
      REQUIRE(t.d.rows <= 4 * CONTACTS);
      for (int k = 0; k < 3; k++) {
        nsd_pattern_best best = {.Lambda = Lambda, .xi = xi, .verdict = {.residual = INFINITY, .row = -1}};
        const double *from = k ? near : NULL;
        REQUIRE(nsd_many_solve(&s->many, &t.d, NULL, from, 1e-9, 1e9, &best, NULL) == NSDYN_OK,
                "%s, seed %d, start %d: residual %g", pile_name((pile_kind)kind), seed, k,
                best.verdict.residual);
        REQUIRE(nsd_contact_is_solution(&best.verdict, 1e-9));
        REQUIRE(k != 1 || (best.rounds == 0 && !memcmp(Lambda, near, (size_t)t.d.rows * sizeof *near)),
                "%s, seed %d: %d systems", pile_name((pile_kind)kind), seed, best.rounds);
        for (int i = 0; i < t.d.rows; i++) { /* then it is off by a tenth */
          near[i] = Lambda[i] * (k ? 1.0 + random_between(&r, -0.1, 0.1) : 1.0);
        }
      }
      piled_free(&t);
    }
  }
  nsdyn_contact_free(s);
}
END_TEST

SUITE("contact/many/many", TEST(piles_of_every_kind_are_solved), TEST(hundreds_of_contacts_take_little_work),
      TEST(a_point_that_nearly_solves_holds_no_search), TEST(a_long_way_is_gone_to_its_end),
      TEST(small_problems_of_all_laws_are_solved), TEST(an_asymmetry_of_rounding_does_no_harm),
      TEST(a_larger_asymmetry_stays), TEST(progress_is_told_in_proportion_to_work),
      TEST(one_cancel_before_anything_is_tried_is_heard),
      TEST(constraints_that_contradict_each_other_are_refused), TEST(a_long_solve_is_cancelled),
      TEST(the_same_problem_gives_the_same_bits), TEST(begins_with_impulses))
