/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Contacts in space: piles (tests/support/space_piles.h) under their weight, on a slope and hit, raced
 * against Siconos' block Gauss-Seidel where it is installed, each answer judged by our certificate; what one
 * round over all contacts takes, with G by blocks and free, and how that grows; and one contact alone. Both
 * solvers are asked for 1e-8; Siconos gets the blocks of G, ours W and M⁻¹. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench.h"
#include "contact/space/solve/rounds.h"
#include "pile_peers.h"
#include "support/space_piles.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))
#define TOLERANCE 1e-8

enum { MOST_PEERS = 8, ROUNDS = 10, MOST_G = 1000, SINGLES = 4096 };

typedef struct pile_run {
  space_pile pile;
  nsdyn_contact_law *laws;
  nsdyn_contact_problem problem; /* with G as a matrix, */
  nsdyn_contact_problem by_W;    /* and as an operator */
  nsdyn_contact_operator W;
  nsdyn_contact *solver;
  double *Lambda, *xi;
} pile_run;

static void stop(const char *what)
{
  fprintf(stderr, "bench_space: %s\n", what);
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

static void make(pile_run *r, space_pile_kind kind, pile_load load, int contacts, int with_G)
{
  random_state random = random_seed((uint64_t)kind);
  *r = (pile_run){.pile = space_pile_make(kind, load, contacts, &random)};
  space_pile *p = &r->pile;
  if (with_G) {
    space_pile_delassus(p);
  }
  r->laws = room((size_t)p->contacts, sizeof *r->laws);
  for (int i = 0; i < p->contacts; i++) {
    nsdyn_contact_law_init(&r->laws[i], sizeof r->laws[i]);
    r->laws[i].tangents = 2;
    r->laws[i].mu = p->mu;
  }
  nsdyn_contact_problem_init(&r->problem, sizeof r->problem);
  r->problem.contacts = p->contacts;
  r->problem.laws = r->laws;
  r->problem.G = p->G;
  r->problem.ldg = p->rows;
  r->problem.c = p->c;
  nsdyn_contact_operator_init(&r->W, sizeof r->W);
  r->W.bodies = p->bodies;
  r->W.columns = p->nu;
  r->W.body = p->size;
  r->W.inverse = p->inverse;
  r->W.begin = p->begin;
  r->W.column = p->column;
  r->W.value = p->value;
  r->by_W = r->problem;
  r->by_W.G = NULL;
  r->by_W.ldg = 0;
  r->by_W.W = &r->W;
  nsdyn_contact_options options;
  nsdyn_contact_options_init(&options, sizeof options);
  options.tol = TOLERANCE;
  if (nsdyn_contact_new(NULL, &options, &r->solver, NULL)) {
    stop("no solver");
  }
  r->Lambda = room((size_t)p->rows, sizeof *r->Lambda);
  r->xi = room((size_t)p->rows, sizeof *r->xi);
}

static void release(pile_run *r)
{
  nsdyn_contact_free(r->solver);
  space_pile_free(&r->pile);
  free(r->laws);
  free(r->Lambda);
  free(r->xi);
}

static int is_unsolved(const pile_run *r)
{
  double residual = INFINITY, scale = 1.0;
  (void)nsdyn_contact_residual(&r->problem, r->Lambda, &residual, &scale, NULL);
  return !(residual <= TOLERANCE * scale);
}

static void run_own(void *data)
{
  const pile_run *r = data;
  (void)nsdyn_contact_solve(r->solver, &r->by_W, r->Lambda, NULL);
  bench_keep(r->Lambda[0]);
}

typedef struct peer_run {
  const pile_run *r;
  const pile_peer *peer;
  void *own;
} peer_run;

static void run_peer(void *data)
{
  const peer_run *run = data;
  run->peer->solve(run->own, run->r->Lambda, run->r->xi);
  bench_keep(run->r->Lambda[0]);
}

static void race_pile(bench *b, space_pile_kind kind, pile_load load, const char *work, int size)
{
  pile_run r;
  make(&r, kind, load, size, 1);
  run_own(&r);
  bench_contender contenders[1 + MOST_PEERS] = {
      {.name = "automatic", .run = run_own, .own = &r, .failed = is_unsolved(&r)}};
  peer_run runs[MOST_PEERS];
  int count = 1;
  for (int i = 0; pile_peers[i]; i++) {
    peer_run *run = &runs[count - 1];
    *run = (peer_run){.r = &r, .peer = pile_peers[i], .own = pile_peers[i]->open(&r.problem)};
    if (run->own) {
      run_peer(run);
      contenders[count++] = (bench_contender){
          .name = pile_peers[i]->name, .run = run_peer, .own = run, .failed = is_unsolved(&r)};
    }
  }
  bench_race(b, work, size, 1, contenders, count, NULL);
  for (int i = 1; i < count; i++) {
    runs[i - 1].peer->close(runs[i - 1].own);
    bench_target(b, work, size, contenders[i].name, 20.0);
  }
  release(&r);
}

/* One round after the other over all contacts. */
typedef struct round_run {
  nsd_operator G;
  nsd_arena arena;
  nsd_space_rounds rounds;
  nsd_contact_space disk;
  nsd_contact_spec *spec;
  nsd_contact_data data;
} round_run;

static void run_rounds(void *data)
{
  round_run *r = data;
  for (int i = 0; i < ROUNDS; i++) {
    nsd_space_rounds_step(&r->rounds);
  }
  bench_keep(r->rounds.acceleration.change);
}

static void make_rounds(round_run *r, const pile_run *own, int is_free)
{
  const space_pile *p = &own->pile;
  *r =
      (round_run){.disk = {.is_round = 1, .aspect = 1.0, .axis = {1.0, 0.0}}, .arena = nsd_arena_empty(NULL)};
  int *rows_of = room((size_t)p->contacts, sizeof *rows_of);
  r->spec = room((size_t)p->contacts, sizeof *r->spec);
  for (int i = 0; i < p->contacts; i++) {
    rows_of[i] = 3;
    r->spec[i] =
        (nsd_contact_spec){.mu = p->mu, .row = 3 * i, .friction = NSD_FRICTION_LOAD, .space = &r->disk};
  }
  r->data = (nsd_contact_data){
      .contacts = p->contacts, .rows = p->rows, .spec = r->spec, .c = p->c, .is_spatial = 1};
  nsd_operator_init(&r->G, NULL);
  const nsd_operator_rows W = {.value = p->value, .begin = p->begin, .column = p->column, .columns = p->nu};
  const nsd_operator_bodies bodies = {.size = p->size, .inverse = p->inverse, .bodies = p->bodies};
  const nsd_operator_rows G = {.value = p->G, .stride = p->rows, .columns = p->rows};
  if (nsd_operator_read(&r->G, p->contacts, rows_of, is_free ? &W : &G, is_free ? &bodies : NULL, NULL)) {
    stop("no operator");
  }
  free(rows_of);
  nsd_arena measure = nsd_arena_measure();
  nsd_space_rounds counted;
  nsd_space_rounds_lay_out(&measure, &counted, p->contacts, p->contacts, p->rows, r->G.columns);
  if (nsd_arena_reserve(&r->arena, &measure)) {
    stop("no memory");
  }
  nsd_space_rounds_lay_out(&r->arena, &r->rounds, p->contacts, p->contacts, p->rows, r->G.columns);
  nsd_space_rounds_begin(&r->rounds, &r->data, &r->G, 1.0, 0);
  nsd_space_rounds_start(&r->rounds, own->xi); /* zeros */
}

static void race_rounds(bench *b, const char *work, int size)
{
  pile_run own;
  const int has_G = size <= MOST_G;
  make(&own, SPACE_PILE_WALL, PILE_REST, size, has_G);
  round_run runs[2];
  for (int i = 0; i < 1 + has_G; i++) {
    make_rounds(&runs[i], &own, i == 0);
  }
  const bench_contender contenders[] = {
      {.name = "free", .run = run_rounds, .own = &runs[0]},
      {.name = "blocks", .run = has_G ? run_rounds : NULL, .own = &runs[1]},
  };
  bench_race(b, work, size, ROUNDS * own.pile.contacts, contenders, COUNT(contenders), NULL);
  bench_limit(b, work, size, "free", 45.0);
  if (has_G) {
    bench_limit(b, work, size, "blocks", 60.0);
  }
  for (int is_free = 0; is_free < 1 + has_G; is_free++) {
    nsd_operator_release(&runs[is_free].G);
    nsd_arena_release(&runs[is_free].arena);
    free(runs[is_free].spec);
  }
  release(&own);
}

/* One contact alone, of a class: definite blocks of G with c at random. */
typedef struct single_run {
  nsd_one_contact *block;
  double *c;
} single_run;

static void run_singles(void *data)
{
  const single_run *r = data;
  double sum = 0.0;
  for (int i = 0; i < SINGLES; i++) {
    nsd_one_contact_answer answer;
    sum += nsd_one_contact_solve(&r->block[i], r->c + (ptrdiff_t)3 * i, &answer) == NSD_ONE_CONTACT_SOLVED
               ? answer.Lambda[0]
               : 0.0;
  }
  bench_keep(sum);
}

/* G = A Aᵀ with rows of A scaled by up to 1 / √condition. */
static void race_singles(bench *b, const char *work, int sides, double aspect, double condition)
{
  single_run r = {.block = room(SINGLES, sizeof *r.block), .c = room(SINGLES, 3 * sizeof *r.c)};
  random_state random = random_seed(7);
  for (int i = 0; i < SINGLES; i++) {
    double A[9], G[9] = {0.0};
    for (int j = 0; j < 9; j++) {
      A[j] = random_normal(&random) / (j / 3 == 2 ? sqrt(condition) : 1.0);
    }
    for (int j = 0; j < 9; j++) {
      for (int k = 0; k < 3; k++) {
        G[j] += A[3 * k + j / 3] * A[3 * k + j % 3];
      }
    }
    const nsd_one_contact_law law = {.friction = NSD_FRICTION_LOAD,
                                     .sides = sides,
                                     .mu = random_between(&random, 0.0, 1.5),
                                     .aspect = aspect,
                                     .axis = {1.0, 0.0}};
    nsd_one_contact_of(G, &law, &r.block[i]);
    for (int j = 0; j < 3; j++) {
      r.c[3 * i + j] = random_normal(&random);
    }
  }
  const bench_contender contender = {.name = "exact", .run = run_singles, .own = &r};
  bench_race(b, work, 1, SINGLES, &contender, 1, NULL);
  bench_limit(b, work, 1, "exact", 150.0);
  free(r.block);
  free(r.c);
}

int main(int argc, char **argv)
{
  static const char *const names[SPACE_PILE_KINDS][PILE_LOADS] = {
      {"stack at rest", "stack on a slope", "stack, hit"},
      {"wall at rest", "wall on a slope", "wall, hit"},
      {"spheres at rest", "spheres on a slope", "spheres, hit"},
      {"rods at rest", "rods on a slope", "rods, hit"}};
  static const int sizes[] = {50, 150, 600};
  bench *b = bench_new("space", argc, argv);
  for (int kind = 0; kind < SPACE_PILE_KINDS; kind++) {
    for (int load = 0; load < PILE_LOADS; load++) {
      for (int i = 0; i < COUNT(sizes); i++) {
        if (bench_wants(b, names[kind][load], sizes[i])) {
          race_pile(b, (space_pile_kind)kind, (pile_load)load, names[kind][load], sizes[i]);
        }
        bench_solves_all(b, names[kind][load], sizes[i], "automatic");
      }
    }
  }
  static const struct {
    const char *work;
    int sides;
    double aspect, condition;
  } single[] = {{"one contact, disk", 0, 1.0, 1.0},
                {"one contact, disk, condition 1e12", 0, 1.0, 1e12},
                {"one contact, ellipse", 0, 0.5, 1.0},
                {"one contact, octagon", 8, 1.0, 1.0}};
  for (int i = 0; i < COUNT(single); i++) {
    if (bench_wants(b, single[i].work, 1)) {
      race_singles(b, single[i].work, single[i].sides, single[i].aspect, single[i].condition);
    }
  }
  static const int many[] = {100, 1000, 10000};
  for (int i = 0; i < COUNT(many); i++) {
    if (bench_wants(b, "a round, per contact", many[i])) {
      race_rounds(b, "a round, per contact", many[i]);
    }
  }
  return bench_finish(b);
}
