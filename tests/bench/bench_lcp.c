/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Complementarity problems: ours against Siconos, ODE and Bullet, warm against cold, enumeration, and time
 * against n for every method.
 *
 * Ours go through the public calls, so checks of the data, certificate and report count; the peers do less:
 * none but Siconos' driver looks at its answer. Each race has so many different problems that no branch
 * predictor learns them. How many each code leaves unsolved, judged by nsdyn_lcp_residual() at 1e-9, is
 * counted before the clock starts. */
#include <math.h>
#include <nsdyn/lcp.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench.h"
#include "lcp_bearing.h"
#include "lcp_figure.h"
#include "lcp_peers.h"
#include "lcp_sets.h"
#include "support/piles.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))
#define TOLERANCE 1e-9

/* One contender at work on a set: a method of ours, or a peer. */
typedef struct runner {
  const lcp_set *set;
  nsdyn_lcp *lcp;
  const lcp_peer *peer;
  void *state; /* the peer's */
  double *x, *y;
} runner;

static void stop(const char *what)
{
  fprintf(stderr, "bench_lcp: %s\n", what);
  exit(2);
}

static void solve_one(const runner *r, int k)
{
  const lcp_set *set = r->set;
  if (r->peer) {
    r->peer->solve(r->state, k, r->x);
  } else if (set->lo) {
    (void)nsdyn_lcp_solve_mixed(r->lcp, set->n, lcp_set_A(set, k), set->n, lcp_set_vector(set, set->b, k),
                                lcp_set_vector(set, set->lo, k), lcp_set_vector(set, set->hi, k), r->x, r->y);
  } else {
    (void)nsdyn_lcp_solve(r->lcp, set->n, lcp_set_A(set, k), set->n, lcp_set_vector(set, set->b, k), r->x,
                          r->y);
  }
}

static void run(void *data)
{
  const runner *r = data;
  for (int k = 0; k < r->set->count; k++) {
    solve_one(r, k);
    bench_keep(r->x[0]);
  }
}

static void run_enumeration(void *data)
{
  const runner *r = data;
  const lcp_set *set = r->set;
  nsdyn_lcp_census census;
  nsdyn_lcp_census_init(&census, sizeof census);
  for (int k = 0; k < set->count; k++) {
    (void)nsdyn_lcp_enumerate(r->lcp, set->n, lcp_set_A(set, k), set->n, lcp_set_vector(set, set->b, k), NULL,
                              NULL, &census);
    bench_keep((double)census.points);
  }
}

static void open_runner(runner *r, const lcp_set *set, const lcp_peer *peer, int method, int warm)
{
  *r = (runner){.set = set, .peer = peer};
  r->x = calloc((size_t)set->n, sizeof *r->x);
  r->y = calloc((size_t)set->n, sizeof *r->y);
  if (!r->x || !r->y) {
    stop("no memory");
  }
  if (peer) {
    r->state = peer->open(set);
    return;
  }
  nsdyn_lcp_options options;
  nsdyn_lcp_options_init(&options, sizeof options);
  options.method = method;
  options.warm_start = warm;
  if (nsdyn_lcp_new(NULL, &options, &r->lcp, NULL) != NSDYN_OK) {
    stop("nsdyn_lcp_new failed");
  }
}

static void close_runner(runner *r)
{
  if (r->state) {
    r->peer->close(r->state);
  }
  nsdyn_lcp_free(r->lcp);
  free(r->x);
  free(r->y);
}

static int has_started(const runner *r)
{
  return r->lcp || r->state;
}

static double residual(const lcp_set *set, int k, const double *x)
{
  double worst = (double)INFINITY;
  (void)nsdyn_lcp_residual(set->n, lcp_set_A(set, k), set->n, lcp_set_vector(set, set->b, k),
                           lcp_set_vector(set, set->lo, k), lcp_set_vector(set, set->hi, k), x, &worst, NULL);
  return worst;
}

/* A peer's rounding is forgiven: what lies at or outside a bound by less than 1e-10 of the largest x is put
 * onto it. (Our own answers are judged to the last bit: a contact is open or it is not.) */
static void tidy(const lcp_set *set, int k, double *x)
{
  const double *lo = lcp_set_vector(set, set->lo, k), *hi = lcp_set_vector(set, set->hi, k);
  double largest = 0.0;
  for (int i = 0; i < set->n; i++) {
    largest = fmax(largest, fabs(x[i]));
  }
  for (int i = 0; i < set->n; i++) {
    const double least = lo ? lo[i] : 0.0, most = hi ? hi[i] : (double)INFINITY;
    x[i] = x[i] < least + 1e-10 * largest ? least : x[i] > most - 1e-10 * largest ? most : x[i];
  }
}

static int count_failures(const runner *r)
{
  int failures = 0;
  for (int k = 0; has_started(r) && k < r->set->count; k++) {
    solve_one(r, k);
    int solved = residual(r->set, k, r->x) <= TOLERANCE;
    if (!solved && r->peer) {
      tidy(r->set, k, r->x);
      solved = residual(r->set, k, r->x) <= TOLERANCE;
    }
    failures += !solved;
  }
  return failures;
}

/* A contender before it is at work. */
typedef struct entry {
  const char *name;
  const lcp_peer *peer;
  int method, warm;
  int most_n; /* dearer problems are left out; 0: none */
} entry;

enum { most_entries = 20 };

static void race(bench *b, const char *work, const lcp_set *set, const entry *entries, int count)
{
  runner runners[most_entries];
  bench_contender contenders[most_entries] = {{.name = NULL}};
  for (int i = 0; i < count; i++) {
    const entry *e = &entries[i];
    const int dear = e->most_n > 0 && set->n > e->most_n;
    contenders[i] = (bench_contender){.name = e->name, .run = NULL};
    runners[i] = (runner){.set = set};
    if (!dear && (!set->lo || !e->peer || e->peer->takes_bounds)) {
      open_runner(&runners[i], set, e->peer, e->method, e->warm);
      contenders[i].own = &runners[i];
      contenders[i].failed = count_failures(&runners[i]);
      /* One of ours that solves nothing refuses this class, which is no time to compare. */
      const int refuses = !e->peer && contenders[i].failed == set->count;
      contenders[i].run = has_started(&runners[i]) && !refuses ? run : NULL;
    }
  }
  bench_race(b, work, set->n, set->count, contenders, count, NULL);
  for (int i = 0; i < count; i++) {
    close_runner(&runners[i]);
  }
}

/* Entries for every peer, behind `count` of ours; slow ones race up to `slow_n`. */
static int add_peers(entry *entries, int count, int slow_n)
{
  for (const lcp_peer *const *peer = lcp_peers; *peer; peer++) {
    entries[count++] = (entry){.name = (*peer)->name, .peer = *peer, .most_n = (*peer)->is_slow ? slow_n : 0};
  }
  return count;
}

/* So many problems that none is remembered, within the memory of a small machine. */
static int problems_of(int n)
{
  const int most = 2000000 / (n * n);
  return most > 512 ? 512 : most < 16 ? 16 : most;
}

static const char *const cold_work[SEQUENCE_COUNT] = {"Lemke, planar", "Lemke, tower", "Lemke, polyhedral"};
static const char *const warm_work[SEQUENCE_COUNT] = {"warm, planar", "warm, tower", "warm, polyhedral"};
static const int friction_sizes[] = {6, 18, 48};

static void race_cold(bench *b)
{
  static const double factors[] = {3.0, 3.5, 5.0};
  entry entries[most_entries] = {{.name = "Lemke", .method = NSDYN_LCP_LEMKE},
                                 {.name = "automatic", .method = NSDYN_LCP_AUTOMATIC}};
  const int count = add_peers(entries, 2, 6);
  for (int kind = 0; kind < SEQUENCE_COUNT; kind++) {
    for (int i = 0; i < COUNT(friction_sizes); i++) {
      const int n = friction_sizes[i];
      if (bench_wants(b, cold_work[kind], n)) {
        lcp_set set = lcp_set_of_sequence((sequence_kind)kind, n, 512, LCP_SHUFFLED);
        race(b, cold_work[kind], &set, entries, count);
        lcp_set_free(&set);
      }
      bench_target(b, cold_work[kind], n, "Siconos driver", factors[i]);
      bench_solves_all(b, cold_work[kind], n, "Lemke");
      bench_solves_all(b, cold_work[kind], n, "automatic");
    }
  }
}

static void race_warm(bench *b)
{
  static const entry entries[] = {{.name = "warm", .method = NSDYN_LCP_AUTOMATIC, .warm = 1},
                                  {.name = "cold", .method = NSDYN_LCP_AUTOMATIC}};
  for (int kind = 0; kind < SEQUENCE_COUNT; kind++) {
    for (int i = 0; i < COUNT(friction_sizes); i++) {
      const int n = friction_sizes[i];
      if (bench_wants(b, warm_work[kind], n)) {
        lcp_set set = lcp_set_of_sequence((sequence_kind)kind, n, 1000, LCP_IN_TIME);
        race(b, warm_work[kind], &set, entries, COUNT(entries));
        lcp_set_free(&set);
      }
      bench_target(b, warm_work[kind], n, "cold", 2.0);
      bench_solves_all(b, warm_work[kind], n, "warm");
    }
  }
}

/* All of ours, in the order of the manual's table. */
static const entry methods[] = {
    {.name = "automatic", .method = NSDYN_LCP_AUTOMATIC},
    {.name = "Lemke", .method = NSDYN_LCP_LEMKE},
    {.name = "Murty", .method = NSDYN_LCP_MURTY},
    {.name = "principal", .method = NSDYN_LCP_PRINCIPAL},
    {.name = "block", .method = NSDYN_LCP_BLOCK},
    {.name = "enumerative", .method = NSDYN_LCP_ENUMERATIVE, .most_n = 24},
    {.name = "Gauss-Seidel", .method = NSDYN_LCP_SWEEP},
    {.name = "Newton (min)", .method = NSDYN_LCP_NEWTON_MIN, .most_n = 100},
    {.name = "Newton (FB)", .method = NSDYN_LCP_NEWTON_FB, .most_n = 100},
    {.name = "Marquardt (regular)", .method = NSDYN_LCP_MARQUARDT_REGULAR, .most_n = 100},
    {.name = "Marquardt (projected)", .method = NSDYN_LCP_MARQUARDT_PROJECTED, .most_n = 100},
};

static const int definite_sizes[] = {3, 6, 12, 24, 48, 100, 200};
static const char *const definite_work[] = {"definite", "definite with bounds"};

static void race_definite(bench *b)
{
  entry entries[most_entries];
  for (int i = 0; i < COUNT(methods); i++) {
    entries[i] = methods[i];
  }
  const int count = add_peers(entries, COUNT(methods), 24);
  for (int bounded = 0; bounded < 2; bounded++) {
    const char *work = definite_work[bounded];
    for (int i = 0; i < COUNT(definite_sizes); i++) {
      const int n = definite_sizes[i];
      if (bench_wants(b, work, n)) {
        lcp_set set = lcp_set_definite(n, problems_of(n), bounded);
        race(b, work, &set, entries, count);
        lcp_set_free(&set);
      }
      bench_target(b, work, n, "ODE Dantzig", 1.0);
      bench_target(b, work, n, "Bullet Dantzig", 1.0);
      bench_solves_all(b, work, n, "automatic");
    }
  }
}

/* Methods that are made for other matrices are left out: Murty's, block pivots, principal pivots and
 * Gauss–Seidel want more than the three rows of a contact with friction have. */
static const int curve_sizes[] = {3, 6, 12, 24, 48, 96};
static const char *const curve_work = "planar friction";

static void race_friction(bench *b)
{
  entry entries[most_entries] = {{.name = "automatic", .method = NSDYN_LCP_AUTOMATIC},
                                 {.name = "Lemke", .method = NSDYN_LCP_LEMKE},
                                 {.name = "enumerative", .method = NSDYN_LCP_ENUMERATIVE, .most_n = 24},
                                 {.name = "Newton (min)", .method = NSDYN_LCP_NEWTON_MIN, .most_n = 100},
                                 {.name = "Newton (FB)", .method = NSDYN_LCP_NEWTON_FB},
                                 {.name = "Marquardt (regular)", .method = NSDYN_LCP_MARQUARDT_REGULAR},
                                 {.name = "Marquardt (projected)", .method = NSDYN_LCP_MARQUARDT_PROJECTED}};
  const int count = add_peers(entries, 7, 6);
  for (int i = 0; i < COUNT(curve_sizes); i++) {
    const int n = curve_sizes[i];
    if (bench_wants(b, curve_work, n)) {
      lcp_set set = lcp_set_of_sequence(SEQUENCE_PLANAR, n, problems_of(n), LCP_SHUFFLED);
      race(b, curve_work, &set, entries, count);
      lcp_set_free(&set);
    }
    bench_solves_all(b, curve_work, n, "automatic");
  }
}

static void race_all_solutions(bench *b, const char *work, lcp_set *set)
{
  runner r;
  open_runner(&r, set, NULL, NSDYN_LCP_AUTOMATIC, 0);
  const bench_contender contender = {.name = "all solutions", .run = run_enumeration, .own = &r};
  bench_race(b, work, set->n, set->count, &contender, 1, NULL);
  close_runner(&r);
  lcp_set_free(set);
}

static void race_enumeration(bench *b)
{
  static const char *const random_work = "enumeration, random", *const friction_work = "enumeration, planar";
  if (bench_wants(b, random_work, 24)) {
    lcp_set set = lcp_set_of_class(problem_class_find("random"), 24, 64);
    race_all_solutions(b, random_work, &set);
  }
  bench_limit(b, random_work, 24, "all solutions", 2e6);
  if (bench_wants(b, friction_work, 48)) {
    lcp_set set = lcp_set_of_sequence(SEQUENCE_PLANAR, 48, 8, LCP_SHUFFLED);
    race_all_solutions(b, friction_work, &set);
  }
  bench_limit(b, friction_work, 48, "all solutions", 0.2e9);
}

/* Where classical methods take 2^n pivots. */
static void race_exponential(bench *b)
{
  static const char *const families[] = {"murty_lemke", "fathi_lemke", "murty_least_index",
                                         "fathi_least_index"};
  static const entry automatic = {.name = "automatic", .method = NSDYN_LCP_AUTOMATIC};
  for (int f = 0; f < COUNT(families); f++) {
    for (int n = 4; n <= 18; n += 2) {
      if (bench_wants(b, families[f], n)) {
        lcp_set set = lcp_set_of_class(problem_class_find(families[f]), n, 1);
        race(b, families[f], &set, &automatic, 1);
        lcp_set_free(&set);
      }
      bench_limit(b, families[f], n, "automatic", 5e6);
      bench_solves_all(b, families[f], n, "automatic");
    }
  }
}

/* Piles of bodies: hundreds of contacts at rest, on a slope and hit, all in one form. */
typedef struct pile_run {
  nsdyn_lcp *lcp;
  pile_lcp lcps[PILE_LOADS];
} pile_run;

static int run_pile_problems(const pile_run *r)
{
  int failed = 0;
  for (int load = 0; load < PILE_LOADS; load++) {
    const pile_lcp *q = &r->lcps[load];
    failed += nsdyn_lcp_solve(r->lcp, q->n, q->A, q->n, q->b, q->x, q->y) != NSDYN_OK;
    bench_keep(q->x[0]);
  }
  return failed;
}

static void run_piles(void *data)
{
  (void)run_pile_problems(data);
}

static void race_piles(bench *b)
{
  static const char *const works[PILE_FORMS][4] = {
      {"tower, Glocker", "wall, Glocker", "disks, Glocker", "rubble, Glocker"},
      {"tower, pyramid", "wall, pyramid", "disks, pyramid", "rubble, pyramid"}};
  static const int rows[] = {750, 2100};
  for (int k = 0; k < PILE_FORMS * 4 * COUNT(rows); k++) {
    const int form = k / 4 % PILE_FORMS, kind = k % 4, size = rows[k / (4 * PILE_FORMS)];
    const char *const work = works[form][kind];
    if (bench_wants(b, work, size)) {
      pile_run r;
      for (int load = 0; load < PILE_LOADS; load++) {
        random_state random = random_seed((uint64_t)load);
        pile p = pile_make((pile_kind)kind, (pile_load)load, size / (form == PILE_GLOCKER ? 3 : 4), &random);
        r.lcps[load] = pile_lcp_make(&p, (pile_form)form);
        pile_free(&p);
      }
      if (nsdyn_lcp_new(NULL, NULL, &r.lcp, NULL)) {
        stop("no memory");
      }
      const bench_contender automatic = {
          .name = "automatic", .run = run_piles, .own = &r, .failed = run_pile_problems(&r)};
      bench_race(b, work, size, PILE_LOADS, &automatic, 1, NULL);
      for (int load = 0; load < PILE_LOADS; load++) {
        pile_lcp_free(&r.lcps[load]);
      }
      nsdyn_lcp_free(r.lcp);
    }
    bench_limit(b, work, size, "automatic", 5e9);
    bench_solves_all(b, work, size, "automatic");
  }
}

static int draw(const bench *b)
{
  const lcp_figure_panel panels[] = {
      {"Symmetric positive definite", definite_work[0], definite_sizes, COUNT(definite_sizes), problems_of},
      {"Bounds, symmetric positive definite", definite_work[1], definite_sizes, COUNT(definite_sizes),
       problems_of},
      {"Planar contacts with friction", curve_work, curve_sizes, COUNT(curve_sizes), problems_of},
  };
  const char *contenders[most_entries];
  entry entries[most_entries];
  const int peers = add_peers(entries, 0, 0);
  int count = 0;
  for (; count < COUNT(methods); count++) {
    contenders[count] = methods[count].name;
  }
  for (int i = 0; i < peers; i++) {
    contenders[count++] = entries[i].name;
  }
  return lcp_figure_write(b, bench_figure(b), panels, COUNT(panels), contenders, count);
}

int main(int argc, char **argv)
{
  bench *b = bench_new("lcp", argc, argv);
  race_cold(b);
  race_warm(b);
  race_definite(b);
  race_friction(b);
  race_enumeration(b);
  race_exponential(b);
  lcp_bearing_race(b);
  race_piles(b);
  const int drawn = !bench_figure(b) || draw(b);
  const int code = bench_finish(b);
  return drawn ? code : 2;
}
