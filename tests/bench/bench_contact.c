/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Contact problems: direct against the LCP, warm against cold, and what a contact solve costs beside the
 * plain LCP of the same data, which is assembled beforehand.
 *
 * "step" is what a time stepper calls, without checks, from the last modes; the rest goes through the public
 * calls, which check the data. Problems are those of one motion after the other where a race is warm,
 * shuffled else. Piles are raced against Siconos' block Gauss-Seidel and Lemke's method where it is
 * installed, each answer judged by our certificate. Unsolved ones are counted beforehand by
 * nsdyn_contact_residual() and nsdyn_lcp_residual() at 1e-9. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench.h"
#include "contact/object.h"
#include "lcp_sets.h"
#include "pile_peers.h"
#include "support/piles.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))
#define TOLERANCE 1e-9

enum { MOST_PEERS = 8, MOST_SEEDS = 20 };

/* The contact problems behind a set of LCPs of eq. 33. */
typedef struct contact_set {
  lcp_set lcp;
  int contacts;
  double *G, *c;
  nsdyn_contact_law *laws;
  nsd_contact_spec *spec;
} contact_set;

static void stop(const char *what)
{
  fprintf(stderr, "bench_contact: %s\n", what);
  exit(2);
}

static void *room(size_t count, size_t size)
{
  void *memory = calloc(count, size);
  if (!memory) {
    stop("no memory");
  }
  return memory;
}

static double *G_of(const contact_set *set, int k)
{
  const size_t rows = 2 * (size_t)set->contacts;
  return set->G + (size_t)k * rows * rows;
}

/* x = (Λ_N, Λ_R, ξ_L), each for all contacts: A = [G_NN − G_NT μ, G_NT, 0; G_TN − G_TT μ, G_TT, I; 2μ, −I,
 * 0]. */
static void read_back(contact_set *set, int k)
{
  const int contacts = set->contacts;
  const int rows = 2 * contacts;
  const double *A = lcp_set_A(&set->lcp, k);
  const double *b = lcp_set_vector(&set->lcp, set->lcp.b, k);
  double *G = G_of(set, k);
  for (int i = 0; i < contacts; i++) {
    const size_t at = (size_t)k * (size_t)contacts + (size_t)i;
    const double mu = 0.5 * A[(2 * contacts + i) * set->lcp.n + i];
    nsdyn_contact_law_init(&set->laws[at], sizeof *set->laws);
    set->laws[at].mu = mu;
    set->spec[at] = (nsd_contact_spec){.mu = mu, .row = 2 * i, .friction = NSD_FRICTION_LOAD};
    for (int f = 0; f < 2; f++) {
      const double *a = A + (f * contacts + i) * set->lcp.n;
      double *g = G + (2 * i + f) * rows;
      set->c[k * rows + 2 * i + f] = b[f * contacts + i];
      for (int j = 0; j < contacts; j++) {
        const double mu_j = 0.5 * A[(2 * contacts + j) * set->lcp.n + j];
        g[2 * j + 1] = a[contacts + j];
        g[2 * j] = a[j] + a[contacts + j] * mu_j;
      }
    }
  }
  for (int i = 0; i < rows; i++) {
    for (int j = 0; j < i; j++) {
      G[j * rows + i] = G[i * rows + j];
    }
  }
}

static contact_set set_of(sequence_kind kind, int contacts, int count, lcp_set_order order)
{
  contact_set set = {.lcp = lcp_set_of_sequence(kind, 3 * contacts, count, order), .contacts = contacts};
  const size_t all = (size_t)count * (size_t)contacts;
  set.G = room(4 * all * (size_t)contacts, sizeof *set.G);
  set.c = room(2 * all, sizeof *set.c);
  set.laws = room(all, sizeof *set.laws);
  set.spec = room(all, sizeof *set.spec);
  for (int k = 0; k < count; k++) {
    read_back(&set, k);
  }
  return set;
}

static void free_set(contact_set *set)
{
  lcp_set_free(&set->lcp);
  free(set->G);
  free(set->c);
  free(set->laws);
  free(set->spec);
}

/* ---- contenders -------------------------------------------------------------------------------------- */

typedef enum way { BY_CALL, BY_STEP, BY_LCP } way;

typedef struct runner {
  const contact_set *set;
  way by;
  nsdyn_contact *contact;
  nsdyn_lcp *lcp;
  double *x, *y;
} runner;

static nsdyn_contact_problem problem_of(const contact_set *set, int k)
{
  nsdyn_contact_problem p;
  nsdyn_contact_problem_init(&p, sizeof p);
  p.contacts = set->contacts;
  p.laws = set->laws + (size_t)k * (size_t)set->contacts;
  p.G = G_of(set, k);
  p.ldg = 2 * set->contacts;
  p.c = set->c + 2 * (size_t)k * (size_t)set->contacts;
  return p;
}

static void solve_one(const runner *r, int k)
{
  const contact_set *set = r->set;
  const int rows = 2 * set->contacts;
  if (r->by == BY_LCP) {
    (void)nsdyn_lcp_solve(r->lcp, set->lcp.n, lcp_set_A(&set->lcp, k), set->lcp.n,
                          lcp_set_vector(&set->lcp, set->lcp.b, k), r->x, r->y);
  } else if (r->by == BY_STEP) {
    const nsd_contact_data data = {.contacts = set->contacts,
                                   .rows = rows,
                                   .ldg = rows,
                                   .spec = set->spec + (size_t)k * (size_t)set->contacts,
                                   .G = G_of(set, k),
                                   .c = set->c + (size_t)k * (size_t)rows};
    (void)nsd_contact_solve_data(r->contact, &data, r->x, r->y);
  } else {
    const nsdyn_contact_problem p = problem_of(set, k);
    (void)nsdyn_contact_solve(r->contact, &p, r->x, r->y);
  }
}

static void run(void *data)
{
  const runner *r = data;
  for (int k = 0; k < r->set->lcp.count; k++) {
    solve_one(r, k);
    bench_keep(r->x[0]);
  }
}

static int count_failures(const runner *r)
{
  int failures = 0;
  for (int k = 0; k < r->set->lcp.count; k++) {
    double residual = INFINITY;
    double scale = 1.0;
    solve_one(r, k);
    if (r->by == BY_LCP) {
      (void)nsdyn_lcp_residual(r->set->lcp.n, lcp_set_A(&r->set->lcp, k), r->set->lcp.n,
                               lcp_set_vector(&r->set->lcp, r->set->lcp.b, k), NULL, NULL, r->x, &residual,
                               NULL);
    } else {
      const nsdyn_contact_problem p = problem_of(r->set, k);
      (void)nsdyn_contact_residual(&p, r->x, &residual, &scale, NULL);
    }
    failures += !(residual <= TOLERANCE * scale);
  }
  return failures;
}

typedef struct entry {
  const char *name;
  way by;
  int method, warm;
} entry;

static runner open_runner(const contact_set *set, const entry *e)
{
  runner r = {.set = set, .by = e->by};
  r.x = room((size_t)set->lcp.n, sizeof *r.x);
  r.y = room((size_t)set->lcp.n, sizeof *r.y);
  nsdyn_status status;
  if (e->by == BY_LCP) {
    nsdyn_lcp_options options;
    nsdyn_lcp_options_init(&options, sizeof options);
    options.method = e->method;
    options.warm_start = e->warm;
    status = nsdyn_lcp_new(NULL, &options, &r.lcp, NULL);
  } else {
    nsdyn_contact_options options;
    nsdyn_contact_options_init(&options, sizeof options);
    options.method = e->method;
    options.warm_start = e->warm;
    status = nsdyn_contact_new(NULL, &options, &r.contact, NULL);
  }
  if (status) {
    stop("no solver");
  }
  return r;
}

static void close_runner(runner *r)
{
  nsdyn_contact_free(r->contact);
  nsdyn_lcp_free(r->lcp);
  free(r->x);
  free(r->y);
}

enum { most_entries = 8 };

static void race(bench *b, const char *work, const contact_set *set, const entry *entries, int count)
{
  runner runners[most_entries];
  bench_contender contenders[most_entries] = {{.name = NULL}};
  for (int i = 0; i < count; i++) {
    runners[i] = open_runner(set, &entries[i]);
    contenders[i] = (bench_contender){
        .name = entries[i].name, .run = run, .own = &runners[i], .failed = count_failures(&runners[i])};
  }
  bench_race(b, work, set->contacts, set->lcp.count, contenders, count, NULL);
  for (int i = 0; i < count; i++) {
    close_runner(&runners[i]);
  }
}

/* ---- races ------------------------------------------------------------------------------------------- */

enum { KINDS = 2 }; /* planar, tower */

/* Within the memory of a small machine. */
static int problems_of(int contacts)
{
  const int n = 3 * contacts;
  const int most = 4000000 / (n * n);
  return most > 512 ? 512 : most;
}

static const int sizes[] = {2, 4, 8, 16, 32, 64};

static void race_direct(bench *b)
{
  static const entry entries[] = {{.name = "direct", .method = NSDYN_CONTACT_DIRECT},
                                  {.name = "LCP", .method = NSDYN_CONTACT_LCP}};
  for (int contacts = 1; contacts <= 2; contacts++) {
    if (bench_wants(b, "direct", contacts)) {
      contact_set set = set_of(SEQUENCE_PLANAR, contacts, 512, LCP_SHUFFLED);
      race(b, "direct", &set, entries, COUNT(entries));
      free_set(&set);
    }
    bench_target(b, "direct", contacts, "LCP", 3.0);
    bench_solves_all(b, "direct", contacts, "direct");
  }
}

/* One contact, as it meets a stepper, and what the public call adds. */
static void race_single(bench *b)
{
  static const entry entries[] = {{.name = "step", .by = BY_STEP, .warm = 1},
                                  {.name = "call, warm", .warm = 1},
                                  {.name = "call, cold"},
                                  {.name = "plain LCP", .by = BY_LCP}};
  if (bench_wants(b, "one contact", 1)) {
    contact_set set = set_of(SEQUENCE_PLANAR, 1, 1000, LCP_IN_TIME);
    race(b, "one contact", &set, entries, COUNT(entries));
    free_set(&set);
  }
  bench_target(b, "one contact", 1, "plain LCP", 3.0);
  bench_solves_all(b, "one contact", 1, "step");
}

/* A stepper's cost per step against that of the plain LCP, both cold and both warm: at most 20 % more. */
static void race_growth(bench *b, const char *work, sequence_kind kind, int warm)
{
  const entry entries[] = {{.name = "step", .by = BY_STEP, .warm = warm},
                           {.name = "call", .warm = warm},
                           {.name = "plain LCP", .by = BY_LCP, .warm = warm}};
  for (int i = 0; i < COUNT(sizes); i++) {
    if (bench_wants(b, work, sizes[i])) {
      contact_set set = set_of(kind, sizes[i], problems_of(sizes[i]), warm ? LCP_IN_TIME : LCP_SHUFFLED);
      race(b, work, &set, entries, COUNT(entries));
      free_set(&set);
    }
    bench_target(b, work, sizes[i], "plain LCP", 1.0 / 1.2);
    bench_solves_all(b, work, sizes[i], "step");
  }
}

/* Piles (tests/support/piles.h): under their weight, on a slope, and hit. */
typedef struct pile_run {
  pile piles[PILE_LOADS];
  nsdyn_contact *solver;
  double *Lambda;
} pile_run;

static void run_piles(void *data)
{
  const pile_run *r = data;
  for (int load = 0; load < PILE_LOADS; load++) {
    const nsdyn_contact_problem p = pile_problem(&r->piles[load]);
    (void)nsdyn_contact_solve(r->solver, &p, r->Lambda, NULL);
    bench_keep(r->Lambda[0]);
  }
}

static int count_unsolved(const pile_run *r)
{
  int failures = 0;
  for (int load = 0; load < PILE_LOADS; load++) {
    const nsdyn_contact_problem p = pile_problem(&r->piles[load]);
    double residual = INFINITY, scale = 1.0;
    (void)nsdyn_contact_solve(r->solver, &p, r->Lambda, NULL);
    (void)nsdyn_contact_residual(&p, r->Lambda, &residual, &scale, NULL);
    failures += !(residual <= TOLERANCE * scale);
  }
  return failures;
}

/* The same by a peer. */
typedef struct peer_run {
  const pile_run *r;
  const pile_peer *peer;
  void *own[PILE_LOADS];
  double *xi;
} peer_run;

static void run_peer(void *data)
{
  const peer_run *run = data;
  for (int load = 0; load < PILE_LOADS; load++) {
    run->peer->solve(run->own[load], run->r->Lambda, run->xi);
    bench_keep(run->r->Lambda[0]);
  }
}

/* By our certificate, as our own answers. */
static int count_unsolved_by(const peer_run *run)
{
  int failures = 0;
  for (int load = 0; load < PILE_LOADS; load++) {
    const nsdyn_contact_problem p = pile_problem(&run->r->piles[load]);
    double residual = INFINITY, scale = 1.0;
    run->peer->solve(run->own[load], run->r->Lambda, run->xi);
    (void)nsdyn_contact_residual(&p, run->r->Lambda, &residual, &scale, NULL);
    failures += !(residual <= TOLERANCE * scale);
  }
  return failures;
}

/* Returns whether the peer takes part. */
static int open_peer(peer_run *run, const pile_run *r, const pile_peer *peer, int rows)
{
  *run = (peer_run){.r = r, .peer = peer};
  if (r->piles[0].contacts > peer->most + peer->most / 10) {
    return 0;
  }
  for (int load = 0; load < PILE_LOADS; load++) {
    const nsdyn_contact_problem p = pile_problem(&r->piles[load]);
    run->own[load] = peer->open(&p);
    if (!run->own[load]) {
      stop("no peer");
    }
  }
  run->xi = room((size_t)rows, sizeof *run->xi);
  return 1;
}

static void close_peer(peer_run *run)
{
  for (int load = 0; run->xi && load < PILE_LOADS; load++) {
    run->peer->close(run->own[load]);
  }
  free(run->xi);
}

/* Ours and each peer in one run. */
static void race_pile(bench *b, pile_run *r, const char *work, int size, int rows)
{
  bench_contender contenders[1 + MOST_PEERS] = {
      {.name = "automatic", .run = run_piles, .own = r, .failed = count_unsolved(r)}};
  peer_run runs[MOST_PEERS];
  int count = 1, peers = 0;
  for (; pile_peers[peers]; peers++) {
    if (open_peer(&runs[peers], r, pile_peers[peers], rows)) {
      contenders[count++] = (bench_contender){.name = pile_peers[peers]->name,
                                              .run = run_peer,
                                              .own = &runs[peers],
                                              .failed = count_unsolved_by(&runs[peers])};
    } else {
      contenders[count++] = (bench_contender){.name = pile_peers[peers]->name};
    }
  }
  bench_race(b, work, size, PILE_LOADS, contenders, count, NULL);
  for (int i = 0; i < peers; i++) {
    close_peer(&runs[i]);
    bench_target(b, work, size, pile_peers[i]->name, 1.0);
  }
}

static void race_piles(bench *b, pile_kind kind, const char *work)
{
  static const int pile_sizes[] = {50, 100, 400, 2000};
  for (int i = 0; i < COUNT(pile_sizes); i++) {
    const int size = pile_sizes[i];
    if (bench_wants(b, work, size)) {
      pile_run r = {.solver = NULL};
      int rows = 0;
      for (int load = 0; load < PILE_LOADS; load++) {
        random_state random = random_seed((uint64_t)kind);
        r.piles[load] = pile_make(kind, (pile_load)load, size, &random);
        rows = r.piles[load].rows;
      }
      if (nsdyn_contact_new(NULL, NULL, &r.solver, NULL)) {
        stop("no solver");
      }
      r.Lambda = room((size_t)rows, sizeof *r.Lambda);
      race_pile(b, &r, work, size, rows);
      nsdyn_contact_free(r.solver);
      free(r.Lambda);
      for (int load = 0; load < PILE_LOADS; load++) {
        pile_free(&r.piles[load]);
      }
    }
    if (size < 2000) {
      bench_solves_all(b, work, size, "automatic");
      bench_limit(b, work, size, "automatic", 1e8);
    }
  }
}

/* Random piles, each once. */
typedef struct series_run {
  pile_kind kind;
  pile_load load;
  int size;
  pile p;
  nsdyn_contact *solver;
  double *Lambda;
} series_run;

static void make_next(void *data, int k)
{
  series_run *r = data;
  pile_free(&r->p);
  free(r->Lambda);
  random_state random = random_seed((uint64_t)k);
  r->p = pile_make(r->kind, r->load, r->size, &random);
  r->Lambda = room((size_t)r->p.rows, sizeof *r->Lambda);
}

static void solve_next(void *data)
{
  const series_run *r = data;
  const nsdyn_contact_problem p = pile_problem(&r->p);
  (void)nsdyn_contact_solve(r->solver, &p, r->Lambda, NULL);
}

static int is_next_solved(void *data)
{
  const series_run *r = data;
  const nsdyn_contact_problem p = pile_problem(&r->p);
  double residual = INFINITY, scale = 1.0;
  (void)nsdyn_contact_residual(&p, r->Lambda, &residual, &scale, NULL);
  return residual <= TOLERANCE * scale;
}

/* 400 contacts within 100 ms, whatever the pile; a series of piles of that kind shows the rare ones. */
static void race_series(bench *b, const char *work, pile_kind kind, pile_load load)
{
  const int size = 400;
  if (bench_wants(b, work, size)) {
    series_run r = {.kind = kind, .load = load, .size = size};
    if (nsdyn_contact_new(NULL, NULL, &r.solver, NULL)) {
      stop("no solver");
    }
    const bench_series s = {"automatic", make_next, solve_next, is_next_solved, &r};
    bench_each(b, work, size, MOST_SEEDS, &s);
    pile_free(&r.p);
    free(r.Lambda);
    nsdyn_contact_free(r.solver);
  }
  bench_solves_all(b, work, size, "automatic");
  bench_longest(b, work, size, "automatic", 1e8);
}

int main(int argc, char **argv)
{
  bench *b = bench_new("contact", argc, argv);
  static const char *const cold[KINDS] = {"cold, planar", "cold, tower"};
  static const char *const warm[KINDS] = {"warm, planar", "warm, tower"};
  race_direct(b);
  race_single(b);
  for (int kind = 0; kind < KINDS; kind++) {
    race_growth(b, cold[kind], (sequence_kind)kind, 0);
    race_growth(b, warm[kind], (sequence_kind)kind, 1);
  }
  race_piles(b, PILE_TOWER, "pile, tower");
  race_piles(b, PILE_WALL, "pile, wall");
  race_piles(b, PILE_DISKS, "pile, disks");
  race_piles(b, PILE_RUBBLE, "pile, rubble");
  race_series(b, "series, rubble hit", PILE_RUBBLE, PILE_BURST);
  race_series(b, "series, rubble shaken", PILE_RUBBLE, PILE_SHAKE);
  race_series(b, "series, disks hit", PILE_DISKS, PILE_BURST);
  race_series(b, "series, wall hit", PILE_WALL, PILE_BURST);
  return bench_finish(b);
}
