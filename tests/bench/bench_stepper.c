/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Steps of Moreau's midpoint rule: the woodpecker against a step of it written by hand, and blocks on a floor
 * as they grow in number, against nothing but the solves of their LCPs. */
#include <stdio.h>
#include <stdlib.h>

#include "bench.h"
#include "contact/planar/glocker.h"
#include "floor_woodpecker.h"
#include "nsdyn/lcp.h"
#include "stepper/object.h"
#include "toy_system.h"

static void must(int good, const char *what)
{
  if (!good) {
    fprintf(stderr, "bench_stepper: %s\n", what);
    exit(1);
  }
}

/* ---- the woodpecker ---- */

enum { TOY_STEPS = 20000 };

static const double toy_dt = 1e-5;

static nsdyn_stepper *toy_stepper(floor_toy *p, int64_t flags)
{
  nsdyn_system *sys;
  nsdyn_stepper *stepper;
  must(toy_system(p, flags, &sys) == NSDYN_OK, "no system");
  must(nsdyn_stepper_new(NULL, sys, NULL, &stepper, NULL) == NSDYN_OK, "no stepper");
  nsdyn_system_free(sys);
  return stepper;
}

static void run_toy(void *data)
{
  nsdyn_stepper *s = data;
  floor_toy toy;
  floor_state begin;
  floor_begin(&toy, &begin);
  must(nsdyn_stepper_set_state(s, 0.0, begin.q, begin.u) == NSDYN_OK, "no state");
  for (int k = 0; k < TOY_STEPS; k++) {
    must(nsdyn_stepper_step(s, toy_dt) == NSDYN_OK, "a step of the woodpecker fails");
  }
  bench_keep(nsdyn_stepper_q(s)[0]);
}

static void run_floor(void *data)
{
  (void)data;
  floor_toy toy;
  floor_state state;
  floor_begin(&toy, &state);
  for (int k = 0; k < TOY_STEPS; k++) {
    must(floor_step(&toy, &state, toy_dt) >= 0, "a step of the floor fails");
  }
  bench_keep(state.q[0]);
}

static void race_toy(bench *b)
{
  static const char work[] = "woodpecker, a step";
  if (!bench_wants(b, work, 3)) {
    return;
  }
  floor_toy toy;
  floor_state state;
  floor_begin(&toy, &state);
  nsdyn_stepper *constant = toy_stepper(&toy, NSDYN_CONSTANT_MASS | NSDYN_CONSTANT_DIRECTIONS);
  nsdyn_stepper *varying = toy_stepper(&toy, 0);
  const bench_contender contenders[] = {{.name = "nsdyn", .run = run_toy, .own = constant},
                                        {.name = "nsdyn, nothing constant", .run = run_toy, .own = varying},
                                        {.name = "by hand", .run = run_floor}};
  bench_race(b, work, 3, TOY_STEPS, contenders, 3, NULL);
  bench_target(b, work, 3, "by hand", 0.25); /* must: at most 4 times what it takes by hand; 2.5 is the aim */
  nsdyn_stepper_free(constant);
  nsdyn_stepper_free(varying);
}

/* ---- blocks on a floor ----
 *
 * A step evaluates the callbacks, sets up its contact problem, solves it from the modes of the step before
 * and checks its answer; constants are evaluated once. Beside it stand the bare solves of the same problems
 * in the form of Glocker & Studer (2005), eq. 33, set up in advance: as a call without options solves them,
 * which the target goes by, and with the option to begin from the last basis. */

enum { MOST_BLOCKS = 64, MOST_NU = 2 * MOST_BLOCKS, STEPS_TIMES_BLOCKS = 4096, WARM_UP = 16 };

/* Blocks with two coordinates each and a mass matrix that couples them all, on springs: some stick, some
 * slide. */
typedef struct blocks {
  int count;
  double M[MOST_NU * MOST_NU];
  nsdyn_stepper *stepper;
  void *begin; /* the state after some steps */
  size_t bytes;
  nsdyn_lcp *lcp, *warm_lcp;
  int steps; /* of a run: so many that evaluating constants, once, does not count */
  int unknowns;
  double *problems; /* of each step A, b, lo, hi */
  double *x;
} blocks;

static int block_mass(void *user, double t, const double *q, double *M)
{
  (void)t, (void)q;
  const blocks *p = user;
  const int nu = 2 * p->count;
  for (int i = 0; i < nu * nu; i++) {
    M[i] = p->M[i];
  }
  return 0;
}

static int block_force(void *user, double t, const double *q, const double *u, double *h)
{
  (void)t, (void)u;
  const blocks *p = user;
  for (int i = 0; i < p->count; i++) {
    h[2 * i] = 3.0 * (i % 3 - 1) - 400.0 * q[2 * i];
    h[2 * i + 1] = -10.0;
  }
  return 0;
}

static int block_gap(void *user, double t, const double *q, double *g)
{
  (void)t;
  const blocks *p = user;
  for (int i = 0; i < p->count; i++) {
    g[i] = q[2 * i + 1];
  }
  return 0;
}

static int block_direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  (void)t, (void)q;
  const blocks *p = user;
  w_hat[0] = w_hat[1] = 0.0;
  W[2 * i + 1] = 1.0;
  W[2 * p->count + 2 * i] = 1.0;
  return 0;
}

static void make_blocks(blocks *p, int count)
{
  const int nu = 2 * count;
  unsigned long long state = 7;
  p->count = count;
  p->steps = STEPS_TIMES_BLOCKS / count;
  for (int i = 0; i < nu; i++) {
    for (int j = 0; j <= i; j++) {
      p->M[i * nu + j] = p->M[j * nu + i] = i == j ? 1.0 : 0.4 / nu * bench_random(&state);
    }
  }
  nsdyn_system_def def;
  nsdyn_system *sys;
  nsdyn_system_def_init(&def, sizeof def);
  def.nq = def.nu = nu;
  def.ncontacts = count;
  def.flags = NSDYN_CONSTANT_MASS | NSDYN_CONSTANT_DIRECTIONS;
  def.user = p;
  def.mass = block_mass;
  def.force = block_force;
  def.gap = block_gap;
  def.direction = block_direction;
  must(nsdyn_system_new(NULL, &def, &sys, NULL) == NSDYN_OK, "no system");
  for (int i = 0; i < count; i++) {
    nsdyn_contact_law law;
    nsdyn_contact_law_init(&law, sizeof law);
    law.mu = 0.2;
    must(nsdyn_system_set_contact(sys, i, &law) == NSDYN_OK, "no law");
  }
  must(nsdyn_stepper_new(NULL, sys, NULL, &p->stepper, NULL) == NSDYN_OK, "no stepper");
  nsdyn_system_free(sys);
}

static void step_blocks(blocks *p)
{
  must(nsdyn_stepper_step(p->stepper, 1e-3) == NSDYN_OK, "a step of the blocks fails");
}

/* The LCPs of the steps that are raced. */
static void record(blocks *p)
{
  for (int k = 0; k < WARM_UP; k++) {
    step_blocks(p);
  }
  p->bytes = nsdyn_stepper_save(p->stepper, NULL, 0);
  p->begin = malloc(p->bytes);
  p->unknowns = 3 * p->count;
  const size_t n = (size_t)p->unknowns, width = n * (n + 3);
  p->problems = malloc((size_t)p->steps * width * sizeof *p->problems);
  p->x = malloc(n * sizeof *p->x);
  must(p->begin && p->problems && p->x, "no memory");
  must(nsdyn_stepper_save(p->stepper, p->begin, p->bytes) == p->bytes, "no saved state");
  nsdyn_lcp_options options;
  nsdyn_lcp_options_init(&options, sizeof options);
  must(nsdyn_lcp_new(NULL, &options, &p->lcp, NULL) == NSDYN_OK, "no solver");
  options.warm_start = 1;
  must(nsdyn_lcp_new(NULL, &options, &p->warm_lcp, NULL) == NSDYN_OK, "no solver");
  for (int k = 0; k < p->steps; k++) {
    step_blocks(p);
    const nsd_contact_data data = nsd_scene_data(&p->stepper->scene);
    double *A = p->problems + (size_t)k * width;
    must(nsd_glocker_size(&data) == p->unknowns, "a block has left the floor");
    nsd_glocker_assemble(&data, A, p->unknowns, A + n * n, A + n * n + n, A + n * n + 2 * n);
  }
}

static void run_blocks(void *data)
{
  blocks *p = data;
  must(nsdyn_stepper_restore(p->stepper, p->begin, p->bytes) == NSDYN_OK, "no restored state");
  for (int k = 0; k < p->steps; k++) {
    step_blocks(p);
  }
  bench_keep(nsdyn_stepper_q(p->stepper)[0]);
}

static void solve_lcps(blocks *p, nsdyn_lcp *lcp)
{
  const size_t n = (size_t)p->unknowns, width = n * (n + 3);
  for (int k = 0; k < p->steps; k++) {
    const double *A = p->problems + (size_t)k * width;
    must(nsdyn_lcp_solve(lcp, p->unknowns, A, p->unknowns, A + n * n, p->x, NULL) == NSDYN_OK,
         "an LCP has no solution");
  }
  bench_keep(p->x[0]);
}

static void run_lcps(void *data)
{
  solve_lcps(data, ((blocks *)data)->lcp);
}

static void run_warm_lcps(void *data)
{
  solve_lcps(data, ((blocks *)data)->warm_lcp);
}

static void race_blocks(bench *b, int count)
{
  static const char work[] = "blocks on a floor, a step";
  if (!bench_wants(b, work, count)) {
    return;
  }
  blocks *p = calloc(1, sizeof *p);
  must(p != NULL, "no memory");
  make_blocks(p, count);
  record(p);
  const bench_contender contenders[] = {{.name = "nsdyn", .run = run_blocks},
                                        {.name = "its LCP alone", .run = run_lcps},
                                        {.name = "its LCP, warm", .run = run_warm_lcps}};
  bench_race(b, work, count, p->steps, contenders, 3, p);
  bench_target(b, work, count, "its LCP alone", 1.0 / 1.2);
  nsdyn_stepper_free(p->stepper);
  nsdyn_lcp_free(p->lcp);
  nsdyn_lcp_free(p->warm_lcp);
  free(p->begin);
  free(p->problems);
  free(p->x);
  free(p);
}

int main(int argc, char **argv)
{
  bench *b = bench_new("stepper", argc, argv);
  race_toy(b);
  for (int count = 2; count <= MOST_BLOCKS; count *= 2) {
    race_blocks(b, count);
  }
  return bench_finish(b);
}
