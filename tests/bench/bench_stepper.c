/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Steps of Moreau's midpoint rule: the woodpecker against a step of it written by hand, and blocks on a floor
 * as they grow in number, against nothing but the solves of their LCPs; other schemes against that rule, and
 * stiff forces against the factorization that they need; and a sphere in space, which first slides and then
 * rolls (examples/sphere.c). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench.h"
#include "contact/planar/glocker.h"
#include "floor_woodpecker.h"
#include "nsdyn/lcp.h"
#include "nsdyn/rotation.h"
#include "step_siconos.h"
#include "stepper/object.h"
#include "stepper/scheme/scheme.h"
#include "system/object.h"
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

/* m or rad per second of step: how far apart two ways of the woodpecker may end. */
static const double SAME_MOTION = 20.0;

static const double toy_dt = 1e-5;

/* The schemes that are raced with Moreau's midpoint rule. */
static const struct {
  const char *name;
  int32_t scheme;
} raced[] = {{"Euler", NSDYN_SCHEME_EULER},
             {"theta 1/2, explicit h", NSDYN_SCHEME_MOREAU_JEAN},
             {"Anitescu-Potra", NSDYN_SCHEME_ANITESCU_POTRA},
             {"generalized alpha, predicted h", NSDYN_SCHEME_GENERALIZED_ALPHA}};
enum { RACED = sizeof raced / sizeof *raced };

static nsdyn_stepper_options options_of(int32_t scheme)
{
  nsdyn_stepper_options options;
  must(nsdyn_stepper_options_init(&options, sizeof options) == NSDYN_OK, "no options");
  options.scheme = scheme;
  options.implicit_rounds = 0;
  return options;
}

static nsdyn_stepper *toy_stepper(floor_toy *p, int64_t flags, int32_t scheme)
{
  nsdyn_system *sys;
  nsdyn_stepper *stepper;
  const nsdyn_stepper_options options = options_of(scheme);
  must(toy_system(p, flags, &sys) == NSDYN_OK, "no system");
  must(nsdyn_stepper_new(NULL, sys, &options, &stepper, NULL) == NSDYN_OK, "no stepper");
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
  nsdyn_stepper *constant =
      toy_stepper(&toy, NSDYN_CONSTANT_MASS | NSDYN_CONSTANT_DIRECTIONS, NSDYN_SCHEME_MOREAU);
  nsdyn_stepper *varying = toy_stepper(&toy, 0, NSDYN_SCHEME_MOREAU);
  const bench_contender contenders[] = {{.name = "nsdyn", .run = run_toy, .own = constant},
                                        {.name = "nsdyn, nothing constant", .run = run_toy, .own = varying},
                                        {.name = "by hand", .run = run_floor}};
  bench_race(b, work, 3, TOY_STEPS, contenders, 3, NULL);
  bench_target(b, work, 3, "by hand", 0.25); /* must: at most 4 times what it takes by hand; 2.5 is the aim */
  nsdyn_stepper_free(constant);
  nsdyn_stepper_free(varying);
}

/* The spring's K = ∂h/∂q, for steps that take it within. */
/* NOLINTNEXTLINE(readability-non-const-parameter): it has the signature of the table */
static int toy_jacobian(void *user, double t, const double *q, const double *u, double *K, double *D)
{
  const floor_toy *p = user;
  (void)t, (void)q, (void)u, (void)D;
  K[4] = K[8] = -p->c_phi;
  K[5] = K[7] = p->c_phi;
  return 0;
}

#ifdef BENCH_SICONOS_KERNEL
static void run_siconos(void *data)
{
  floor_toy toy;
  floor_state begin;
  double q[3];
  (void)data;
  floor_begin(&toy, &begin);
  must(siconos_woodpecker(&toy, &begin, toy_dt, TOY_STEPS, q) == TOY_STEPS, "a step of Siconos' fails");
  bench_keep(q[0]);
}
#endif

#ifdef BENCH_SICONOS_KERNEL
/* Both sides go the same way: after all steps, more than a period with all its impacts, coordinates differ by
 * no more than what either of them misses the exact motion by, C Δt, single errors being erratic; in steps
 * half as long, too. */
static void check_siconos(nsdyn_stepper *s, const char *name)
{
  floor_toy toy;
  floor_state begin;
  floor_begin(&toy, &begin);
  for (int halved = 0; halved < 2; halved++) {
    const double dt = halved ? 0.5 * toy_dt : toy_dt;
    const int steps = TOY_STEPS << halved;
    double q[3], off = 0.0, size = 0.0;
    must(siconos_woodpecker(&toy, &begin, dt, steps, q) == steps, "a step of Siconos' fails");
    must(nsdyn_stepper_set_state(s, 0.0, begin.q, begin.u) == NSDYN_OK, "no state");
    for (int k = 0; k < steps; k++) {
      must(nsdyn_stepper_step(s, dt) == NSDYN_OK, "a step of the woodpecker fails");
    }
    for (int j = 0; j < 3; j++) {
      off = fmax(off, fabs(nsdyn_stepper_q(s)[j] - q[j]));
      size = fmax(size, fabs(q[j]));
    }
    printf("%s and Siconos after %g s in steps of %g s: %.2g apart, of %.2g\n", name, steps * dt, dt, off,
           size);
    must(off <= SAME_MOTION * dt, "Siconos goes another way");
  }
}
#endif

/* Moreau and Jean's scheme, θ = ½: with the spring at both ends, by Newton's method, as in Siconos; and with
 * the spring at the middle alone. */
static void race_siconos(bench *b)
{
  static const char work[] = "woodpecker, a step by theta 1/2";
  floor_toy toy;
  floor_state state;
  if (!bench_wants(b, work, 3)) {
    return;
  }
  floor_begin(&toy, &state);
  const int64_t flags = NSDYN_CONSTANT_MASS | NSDYN_CONSTANT_DIRECTIONS;
  nsdyn_stepper_options options = options_of(NSDYN_SCHEME_MOREAU_JEAN);
  options.implicit_rounds = 30;
  nsdyn_system *sys;
  nsdyn_stepper *constant, *by_newton, *differenced,
      *by_hand = toy_stepper(&toy, flags, NSDYN_SCHEME_MOREAU_JEAN),
      *midpoint = toy_stepper(&toy, flags, NSDYN_SCHEME_MOREAU);
  must(toy_system(&toy, flags, &sys) == NSDYN_OK, "no system");
  must(nsdyn_stepper_new(NULL, sys, &options, &differenced, NULL) == NSDYN_OK, "no stepper");
  nsdyn_system_free(sys);
  must(toy_system(&toy, flags, &sys) == NSDYN_OK, "no system");
  sys->def.force_jacobian = toy_jacobian;
  must(nsdyn_stepper_new(NULL, sys, &options, &by_newton, NULL) == NSDYN_OK, "no stepper");
  nsdyn_system_free(sys);
  must(toy_system(&toy, flags, &sys) == NSDYN_OK, "no system");
  sys->def.force_jacobian = toy_jacobian;
  sys->def.flags |= NSDYN_CONSTANT_SLOPES;
  must(nsdyn_stepper_new(NULL, sys, &options, &constant, NULL) == NSDYN_OK, "no stepper");
  nsdyn_system_free(sys);
  const bench_contender contenders[] = {{.name = "nsdyn, implicit h", .run = run_toy, .own = constant},
                                        {.name = "nsdyn, slopes asked", .run = run_toy, .own = by_newton},
                                        {.name = "nsdyn, differenced h", .run = run_toy, .own = differenced},
                                        {.name = "nsdyn, explicit h", .run = run_toy, .own = by_hand},
                                        {.name = "nsdyn, midpoint", .run = run_toy, .own = midpoint},
#ifdef BENCH_SICONOS_KERNEL
                                        {.name = "Siconos", .run = run_siconos}
#endif
  };
#ifdef BENCH_SICONOS_KERNEL
  check_siconos(constant, "nsdyn, implicit h,");
  check_siconos(midpoint, "nsdyn, midpoint,");
#endif
  bench_race(b, work, 3, TOY_STEPS, contenders, sizeof contenders / sizeof *contenders, NULL);
  bench_target(b, work, 3, "Siconos", 35.0);
  nsdyn_stepper_free(constant);
  nsdyn_stepper_free(by_newton);
  nsdyn_stepper_free(differenced);
  nsdyn_stepper_free(by_hand);
  nsdyn_stepper_free(midpoint);
}

/* The woodpecker's stepper by a scheme with implicit forces, whose slopes are told or not. */
static nsdyn_stepper *implicit_toy(floor_toy *toy, int32_t scheme, int is_told, int64_t more)
{
  nsdyn_stepper_options options = options_of(scheme);
  options.implicit_rounds = 30;
  nsdyn_system *sys;
  nsdyn_stepper *s;
  must(toy_system(toy, NSDYN_CONSTANT_MASS | NSDYN_CONSTANT_DIRECTIONS, &sys) == NSDYN_OK, "no system");
  sys->def.force_jacobian = is_told ? toy_jacobian : NULL;
  sys->def.flags |= more;
  must(nsdyn_stepper_new(NULL, sys, &options, &s, NULL) == NSDYN_OK, "no stepper");
  nsdyn_system_free(sys);
  return s;
}

/* Generalized-α with implicit forces. */
static void race_generalized_alpha(bench *b)
{
  static const char work[] = "woodpecker, a step by generalized alpha";
  static const int32_t scheme = NSDYN_SCHEME_GENERALIZED_ALPHA;
  floor_toy toy;
  floor_state state;
  if (!bench_wants(b, work, 3)) {
    return;
  }
  floor_begin(&toy, &state);
  const int64_t flags = NSDYN_CONSTANT_MASS | NSDYN_CONSTANT_DIRECTIONS;
  nsdyn_stepper *own[] = {implicit_toy(&toy, scheme, 1, NSDYN_CONSTANT_SLOPES),
                          implicit_toy(&toy, scheme, 1, 0), implicit_toy(&toy, scheme, 0, 0),
                          toy_stepper(&toy, flags, NSDYN_SCHEME_MOREAU)};
  const bench_contender contenders[] = {{.name = "nsdyn, implicit h", .run = run_toy, .own = own[0]},
                                        {.name = "nsdyn, slopes asked", .run = run_toy, .own = own[1]},
                                        {.name = "nsdyn, differenced h", .run = run_toy, .own = own[2]},
                                        {.name = "midpoint", .run = run_toy, .own = own[3]}};
  bench_race(b, work, 3, TOY_STEPS, contenders, sizeof contenders / sizeof *contenders, NULL);
  for (int i = 0; i < 4; i++) {
    nsdyn_stepper_free(own[i]);
  }
}

/* Every scheme with positions and velocities split in the step. */
static void race_split(bench *b)
{
  floor_toy toy;
  floor_state state;
  floor_begin(&toy, &state);
  static char works[NSDYN_SCHEME_GENERALIZED_ALPHA + 1][80]; /* results keep their names */
  for (int32_t scheme = NSDYN_SCHEME_MOREAU; scheme <= NSDYN_SCHEME_GENERALIZED_ALPHA; scheme++) {
    char *work = works[scheme];
    (void)snprintf(work, sizeof works[scheme], "woodpecker, a split step by %s", nsd_scheme_of(scheme)->name);
    if (!bench_wants(b, work, 3)) {
      continue;
    }
    nsdyn_stepper *own[3];
    for (int way = 0; way < 3; way++) {
      nsdyn_stepper_options options = options_of(scheme);
      nsdyn_system *sys;
      options.project = way;
      must(toy_system(&toy, NSDYN_CONSTANT_MASS | NSDYN_CONSTANT_DIRECTIONS, &sys) == NSDYN_OK, "no system");
      must(nsdyn_stepper_new(NULL, sys, &options, &own[way], NULL) == NSDYN_OK, "no stepper");
      nsdyn_system_free(sys);
    }
    const bench_contender contenders[] = {
        {.name = "nsdyn, split", .run = run_toy, .own = own[NSDYN_PROJECT_SPLIT]},
        {.name = "nsdyn, projected after", .run = run_toy, .own = own[NSDYN_PROJECT_AFTER]},
        {.name = "nsdyn, as the scheme has it", .run = run_toy, .own = own[NSDYN_PROJECT_NONE]}};
    bench_race(b, work, 3, TOY_STEPS, contenders, sizeof contenders / sizeof *contenders, NULL);
    for (int way = 0; way < 3; way++) {
      nsdyn_stepper_free(own[way]);
    }
  }
}

static void race_toy_schemes(bench *b)
{
  floor_toy toy;
  floor_state state;
  floor_begin(&toy, &state);
  static char works[RACED][80]; /* results keep their names */
  for (int i = 0; i < RACED; i++) {
    char *work = works[i];
    (void)snprintf(work, sizeof works[i], "woodpecker, a step by %s", raced[i].name);
    if (!bench_wants(b, work, 3)) {
      continue;
    }
    const int64_t flags = NSDYN_CONSTANT_MASS | NSDYN_CONSTANT_DIRECTIONS;
    nsdyn_stepper *own = toy_stepper(&toy, flags, raced[i].scheme),
                  *moreau = toy_stepper(&toy, flags, NSDYN_SCHEME_MOREAU);
    const bench_contender contenders[] = {{.name = "nsdyn", .run = run_toy, .own = own},
                                          {.name = "midpoint", .run = run_toy, .own = moreau}};
    bench_race(b, work, 3, TOY_STEPS, contenders, 2, NULL);
    if (raced[i].scheme != NSDYN_SCHEME_GENERALIZED_ALPHA) { /* which looks at forces twice, and projects */
      bench_target(b, work, 3, "midpoint", 1.0 / 1.3);
    }
    nsdyn_stepper_free(own);
    nsdyn_stepper_free(moreau);
  }
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

static void make_blocks(blocks *p, int count, int32_t scheme)
{
  const nsdyn_stepper_options options = options_of(scheme);
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
  must(nsdyn_stepper_new(NULL, sys, &options, &p->stepper, NULL) == NSDYN_OK, "no stepper");
  nsdyn_system_free(sys);
}

static void step_blocks(blocks *p)
{
  must(nsdyn_stepper_step(p->stepper, 1e-3) == NSDYN_OK, "a step of the blocks fails");
}

/* The state with which a run begins. */
static void warm_up(blocks *p)
{
  for (int k = 0; k < WARM_UP; k++) {
    step_blocks(p);
  }
  p->bytes = nsdyn_stepper_save(p->stepper, NULL, 0);
  p->begin = malloc(p->bytes);
  must(p->begin && nsdyn_stepper_save(p->stepper, p->begin, p->bytes) == p->bytes, "no saved state");
}

/* The LCPs of the steps that are raced. */
static void record(blocks *p)
{
  warm_up(p);
  p->unknowns = 3 * p->count;
  const size_t n = (size_t)p->unknowns, width = n * (n + 3);
  p->problems = malloc((size_t)p->steps * width * sizeof *p->problems);
  p->x = malloc(n * sizeof *p->x);
  must(p->problems && p->x, "no memory");
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
    nsd_glocker_assemble(&data, A, p->unknowns, A + n * n, A + n * n + n, A + n * n + 2 * n, NULL);
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
  make_blocks(p, count, NSDYN_SCHEME_MOREAU);
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

static void free_blocks(blocks *p)
{
  nsdyn_stepper_free(p->stepper);
  free(p->begin);
  free(p);
}

static void race_block_schemes(bench *b, int count)
{
  static char works[RACED][80]; /* results keep their names */
  for (int i = 0; i < RACED; i++) {
    char *work = works[i];
    (void)snprintf(work, sizeof works[i], "blocks on a floor, a step by %s", raced[i].name);
    if (!bench_wants(b, work, count)) {
      continue;
    }
    blocks *own = calloc(1, sizeof *own), *moreau = calloc(1, sizeof *moreau);
    must(own && moreau, "no memory");
    make_blocks(own, count, raced[i].scheme);
    make_blocks(moreau, count, NSDYN_SCHEME_MOREAU);
    warm_up(own);
    warm_up(moreau);
    const bench_contender contenders[] = {{.name = "nsdyn", .run = run_blocks, .own = own},
                                          {.name = "midpoint", .run = run_blocks, .own = moreau}};
    bench_race(b, work, count, own->steps, contenders, 2, NULL);
    if (raced[i].scheme != NSDYN_SCHEME_GENERALIZED_ALPHA) {
      bench_target(b, work, count, "midpoint", 1.0 / 1.3);
    }
    free_blocks(own);
    free_blocks(moreau);
  }
}

/* ---- stiff forces ---- */

/* Masses in a row between stiff springs, ω Δt = 10², by Newton's method; beside a step one factorization of a
 * matrix as large, without zeros, which factors pass over. */
enum { CHAIN = 100, CHAIN_STEPS = 50 };
static const double chain_k = 1e8, chain_dt = 1e-2;

typedef struct chain {
  nsdyn_stepper *stepper;
  double q[CHAIN], u[CHAIN];
  double A[CHAIN * CHAIN], L[CHAIN * CHAIN];
} chain;

static int chain_mass(void *user, double t, const double *q, double *M)
{
  (void)user, (void)t, (void)q;
  for (int i = 0; i < CHAIN; i++) {
    M[i * (CHAIN + 1)] = 1.0;
  }
  return 0;
}

static int chain_force(void *user, double t, const double *q, const double *u, double *h)
{
  (void)user, (void)t, (void)u;
  for (int i = 0; i < CHAIN; i++) {
    h[i] = chain_k * ((i > 0 ? q[i - 1] : 0.0) - 2.0 * q[i] + (i + 1 < CHAIN ? q[i + 1] : 0.0));
  }
  return 0;
}

/* NOLINTNEXTLINE(readability-non-const-parameter): it has the signature of the table */
static int chain_jacobian(void *user, double t, const double *q, const double *u, double *K, double *D)
{
  (void)user, (void)t, (void)q, (void)u, (void)D;
  for (int i = 0; i < CHAIN; i++) {
    K[i * (CHAIN + 1)] = -2.0 * chain_k;
    if (i > 0) {
      K[i * (CHAIN + 1) - 1] = K[(i - 1) * (CHAIN + 1) + 1] = chain_k;
    }
  }
  return 0;
}

static void run_chain(void *data)
{
  chain *p = data;
  must(nsdyn_stepper_set_state(p->stepper, 0.0, p->q, p->u) == NSDYN_OK, "no state");
  for (int k = 0; k < CHAIN_STEPS; k++) {
    must(nsdyn_stepper_step(p->stepper, chain_dt) == NSDYN_OK, nsdyn_stepper_message(p->stepper));
  }
  bench_keep(nsdyn_stepper_q(p->stepper)[0]);
}

static void run_factors(void *data)
{
  chain *p = data;
  int row;
  for (int k = 0; k < CHAIN_STEPS; k++) {
    for (int i = 0; i < CHAIN * CHAIN; i++) {
      p->L[i] = p->A[i];
    }
    must(nsd_cholesky_factor(CHAIN, p->L, CHAIN, &row) == NSDYN_OK, "no factor");
  }
  bench_keep(p->L[0]);
}

static void race_chain(bench *b)
{
  static const char work[] = "stiff oscillators in a row, a step";
  if (!bench_wants(b, work, CHAIN)) {
    return;
  }
  chain *p = calloc(1, sizeof *p);
  must(p != NULL, "no memory");
  const double share = 0.25 * chain_dt * chain_dt;
  chain_jacobian(NULL, 0.0, NULL, NULL, p->A, NULL);
  for (int i = 0; i < CHAIN * CHAIN; i++) {
    p->A[i] = (i % (CHAIN + 1) == 0 ? 1.0 : 1.0 / CHAIN) - share * p->A[i];
  }
  p->u[CHAIN / 2] = 1.0;
  nsdyn_system_def def;
  nsdyn_system *sys;
  nsdyn_system_def_init(&def, sizeof def);
  def.nq = def.nu = CHAIN;
  def.flags = NSDYN_CONSTANT_MASS;
  def.user = p;
  def.mass = chain_mass;
  def.force = chain_force;
  def.force_jacobian = chain_jacobian;
  nsdyn_stepper_options options = options_of(NSDYN_SCHEME_MOREAU_JEAN);
  options.implicit_rounds = 30;
  must(nsdyn_system_new(NULL, &def, &sys, NULL) == NSDYN_OK, "no system");
  must(nsdyn_stepper_new(NULL, sys, &options, &p->stepper, NULL) == NSDYN_OK, "no stepper");
  nsdyn_system_free(sys);
  const bench_contender contenders[] = {{.name = "nsdyn", .run = run_chain},
                                        {.name = "a dense factorization", .run = run_factors}};
  bench_race(b, work, CHAIN, CHAIN_STEPS, contenders, 2, p);
  bench_target(b, work, CHAIN, "a dense factorization", 1.0 / 3.0);
  nsdyn_stepper_free(p->stepper);
  free(p);
}

/* ---- a sphere ---- */

enum { SPHERE_STEPS = 1000 };

static const double sphere_m = 1.0, sphere_r = 0.1;

static int sphere_mass(void *user, double t, const double *q, double *M)
{
  (void)user, (void)t, (void)q;
  for (int i = 0; i < 6; i++) {
    M[7 * i] = i < 3 ? sphere_m : 0.4 * sphere_m * sphere_r * sphere_r;
  }
  return 0;
}

static int sphere_force(void *user, double t, const double *q, const double *u, double *h)
{
  (void)user, (void)t, (void)q, (void)u;
  h[2] = -9.81 * sphere_m;
  return 0;
}

static int sphere_gap(void *user, double t, const double *q, double *g)
{
  (void)user, (void)t;
  g[0] = q[2] - sphere_r;
  return 0;
}

static int sphere_direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  (void)user, (void)t, (void)q, (void)i;
  w_hat[0] = w_hat[1] = w_hat[2] = 0.0;
  W[2] = W[6 + 0] = W[12 + 1] = 1.0;
  W[6 + 4] = -sphere_r;
  W[12 + 3] = sphere_r;
  return 0;
}

static int sphere_kinematics(void *user, double t, const double *q, const double *u, double *qdot)
{
  (void)user, (void)t;
  for (int i = 0; i < 3; i++) {
    qdot[i] = u[i];
  }
  nsdyn_quaternion_rate_world(q + 3, u + 3, qdot + 3);
  return 0;
}

static int sphere_retract(void *user, double t, const double *q, const double *u, double dt, double *q_new)
{
  (void)user, (void)t;
  for (int i = 0; i < 3; i++) {
    q_new[i] = q[i] + dt * u[i];
  }
  nsdyn_quaternion_retract_world(q + 3, u + 3, dt, q_new + 3);
  return 0;
}

/* v₀ = 2 m/s and μ = 0.2: it slides for 0.29 s, and rolls for as long. */
static void run_sphere(void *data)
{
  static const double q[7] = {0.0, 0.0, 0.1, 1.0, 0.0, 0.0, 0.0}, u[6] = {2.0, 0.0, 0.0, 0.0, 0.0, 0.0};
  nsdyn_stepper *s = data;
  must(nsdyn_stepper_set_state(s, 0.0, q, u) == NSDYN_OK, "no state");
  for (int k = 0; k < SPHERE_STEPS; k++) {
    must(nsdyn_stepper_step(s, 0.6 / SPHERE_STEPS) == NSDYN_OK, "a step of the sphere fails");
  }
  bench_keep(nsdyn_stepper_q(s)[0]);
}

static void race_sphere(bench *b)
{
  static const char work[] = "sphere in space, a step";
  if (!bench_wants(b, work, 1)) {
    return;
  }
  nsdyn_system_def def;
  nsdyn_system_def_init(&def, sizeof def);
  def.nq = 7;
  def.nu = 6;
  def.ncontacts = 1;
  def.flags = NSDYN_CONSTANT_MASS | NSDYN_CONSTANT_DIRECTIONS;
  def.mass = sphere_mass;
  def.force = sphere_force;
  def.gap = sphere_gap;
  def.direction = sphere_direction;
  def.kinematics = sphere_kinematics;
  def.retract = sphere_retract;
  nsdyn_contact_law law;
  nsdyn_contact_law_init(&law, sizeof law);
  law.tangents = 2;
  law.mu = 0.2;
  nsdyn_system *sys;
  nsdyn_stepper *stepper;
  must(nsdyn_system_new(NULL, &def, &sys, NULL) == NSDYN_OK, "no system");
  must(nsdyn_system_set_contact(sys, 0, &law) == NSDYN_OK, "no law");
  must(nsdyn_stepper_new(NULL, sys, NULL, &stepper, NULL) == NSDYN_OK, "no stepper");
  nsdyn_system_free(sys);
  const bench_contender contender = {.name = "nsdyn", .run = run_sphere, .own = stepper};
  bench_race(b, work, 1, SPHERE_STEPS, &contender, 1, NULL);
  bench_limit(b, work, 1, "nsdyn", 600.0);
  nsdyn_stepper_free(stepper);
}

int main(int argc, char **argv)
{
  bench *b = bench_new("stepper", argc, argv);
  race_toy(b);
  race_sphere(b);
  for (int count = 2; count <= MOST_BLOCKS; count *= 2) {
    race_blocks(b, count);
  }
  race_toy_schemes(b);
  race_generalized_alpha(b);
  race_split(b);
  race_siconos(b);
  race_block_schemes(b, MOST_BLOCKS);
  race_chain(b);
  return bench_finish(b);
}
