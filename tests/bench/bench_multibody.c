/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The recursions on a chain of n rods whose hinges point in changing directions: places and velocities of a
 * state; M⁻¹ (h + τ) by articulated bodies; M by composite bodies; places and M⁻¹ (h + τ) together, as a step
 * without contacts has them; W M⁻¹ Wᵀ of six points with a normal each, and with friction in space; and whole
 * steps of a system, by a factor of M and by the recursion: the line where lib/multibody/system.c changes
 * over; 200 chains of twelve links in one system beside one; and the pendulum of examples/pendulum12, 20 s of
 * it, a step with all collisions looked for. */
#include <math.h>
#include <nsdyn/nsdyn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

enum { MOST = 100, REPEAT = 100, POINTS = 6, ROWS = 3 * POINTS };

typedef struct chain {
  nsdyn_tree *tree;
  int n, rows;
  double q[MOST], u[MOST], tau[MOST], udot[MOST];
  double M[MOST * MOST], W[ROWS * MOST], X[ROWS * MOST], G[ROWS * ROWS];
} chain;

static chain work;

static void stop(const char *why)
{
  fprintf(stderr, "bench_multibody: %s\n", why);
  exit(1);
}

static void make(chain *c, int n)
{
  unsigned long long state = 5;
  nsdyn_tree_options options;
  nsdyn_tree_options_init(&options, sizeof options);
  options.gravity[2] = -9.81;
  if (nsdyn_tree_new(NULL, &options, &c->tree, NULL)) {
    stop("no tree");
  }
  c->n = n;
  for (int i = 0; i < n; i++) {
    nsdyn_tree_body rod;
    nsdyn_tree_body_init(&rod, sizeof rod);
    rod.parent = i - 1;
    rod.joint = NSDYN_TREE_REVOLUTE;
    rod.joint_place[2] = i ? -1.0 : 0.0;
    rod.axis[i % 3] = 1.0;
    rod.axis[2] = i % 3 == 2;
    rod.mass = 1.0;
    rod.centre[2] = -1.0;
    rod.inertia[0] = rod.inertia[1] = rod.inertia[2] = 0.025;
    if (nsdyn_tree_add(c->tree, &rod, NULL)) {
      stop(nsdyn_tree_message(c->tree));
    }
    c->q[i] = 0.3 * bench_random(&state);
    c->u[i] = bench_random(&state);
    c->tau[i] = bench_random(&state);
  }
  if (nsdyn_tree_set_state(c->tree, c->q, c->u)) {
    stop(nsdyn_tree_message(c->tree));
  }
}

/* Points of the last six bodies; a normal alone, or all three directions. */
static void make_rows(chain *c, int each)
{
  const double point[3] = {0.0, 0.0, -1.25};
  double J[6 * MOST];
  c->rows = each * POINTS;
  for (int i = 0; i < POINTS; i++) {
    if (nsdyn_tree_jacobian(c->tree, c->n - 1 - i, point, J)) {
      stop(nsdyn_tree_message(c->tree));
    }
    memcpy(c->W + (size_t)(each * i) * (size_t)c->n, J + (size_t)(3 - each) * (size_t)c->n,
           (size_t)each * (size_t)c->n * sizeof *J);
  }
}

static void place(void *data)
{
  chain *c = data;
  for (int k = 0; k < REPEAT; k++) {
    nsdyn_tree_set_state(c->tree, c->q, c->u);
  }
  bench_keep(c->q[0]);
}

static void place_and_accelerate(void *data)
{
  chain *c = data;
  for (int k = 0; k < REPEAT; k++) {
    nsdyn_tree_set_state(c->tree, c->q, c->u);
    nsdyn_tree_accelerations(c->tree, c->tau, c->udot);
  }
  bench_keep(c->udot[0]);
}

static void compose(void *data)
{
  chain *c = data;
  for (int k = 0; k < REPEAT; k++) {
    nsdyn_tree_mass(c->tree, c->M);
  }
  bench_keep(c->M[0]);
}

static void couple(void *data)
{
  chain *c = data;
  for (int k = 0; k < REPEAT; k++) {
    memcpy(c->X, c->W, (size_t)c->rows * (size_t)c->n * sizeof *c->X);
    nsdyn_tree_delassus(c->tree, c->rows, c->X, c->G);
  }
  bench_keep(c->G[0]);
}

static void race(bench *b, const char *name, void (*run)(void *), double limit)
{
  if (!bench_wants(b, name, work.n)) {
    return;
  }
  const bench_contender ours = {.name = "nsdyn", .run = run};
  bench_race(b, name, work.n, REPEAT, &ours, 1, &work);
  if (limit > 0.0) {
    bench_limit(b, name, work.n, "nsdyn", limit);
  }
}

/* ---- a step, both ways ---- */

static int mass(void *user, double t, const double *q, double *M)
{
  (void)t;
  return nsdyn_tree_set_state(user, q, NULL) || nsdyn_tree_mass(user, M);
}

static int solve_mass(void *user, double t, const double *q, int32_t nrhs, double *X)
{
  (void)t;
  return nsdyn_tree_set_state(user, q, NULL) || nsdyn_tree_solve_mass(user, nrhs, X);
}

static int force(void *user, double t, const double *q, const double *u, double *h)
{
  (void)t;
  return nsdyn_tree_set_state(user, q, u) || nsdyn_tree_force(user, h);
}

static void step(void *data)
{
  nsdyn_stepper *stepper = *(nsdyn_stepper **)data;
  for (int k = 0; k < REPEAT; k++) {
    if (nsdyn_stepper_step(stepper, 1e-6)) {
      stop(nsdyn_stepper_message(stepper));
    }
  }
  bench_keep(nsdyn_stepper_q(stepper)[0]);
}

static nsdyn_stepper *stepper_of(const chain *c, int by_mass)
{
  nsdyn_system_def def;
  nsdyn_stepper_options options;
  nsdyn_system *sys = NULL;
  nsdyn_stepper *stepper = NULL;
  nsdyn_system_def_init(&def, sizeof def);
  nsdyn_stepper_options_init(&options, sizeof options);
  options.check = 0;
  def.nq = def.nu = c->n;
  def.user = c->tree;
  def.force = force;
  if (by_mass) {
    def.mass = mass;
  } else {
    def.solve_mass = solve_mass;
  }
  if (nsdyn_system_new(NULL, &def, &sys, NULL) || nsdyn_stepper_new(NULL, sys, &options, &stepper, NULL) ||
      nsdyn_stepper_set_state(stepper, 0.0, c->q, c->u)) {
    stop("no stepper");
  }
  nsdyn_system_free(sys);
  return stepper;
}

static void race_steps(bench *b, int n)
{
  static const char *const name = "step";
  if (bench_wants(b, name, n)) {
    make(&work, n);
    nsdyn_stepper *by[2] = {stepper_of(&work, 0), stepper_of(&work, 1)};
    for (int i = 0; i < 2; i++) {
      const bench_contender way = {.name = i ? "factor" : "recursion", .run = step};
      bench_race(b, name, n, REPEAT, &way, 1, &by[i]);
      nsdyn_stepper_free(by[i]);
    }
    nsdyn_tree_free(work.tree);
  }
}

/* ---- many chains in one system, the time of each ---- */

enum { LINKS = 12, CHAINS = 200 };

typedef struct forest {
  nsdyn_stepper *stepper;
  int chains;
} forest;

static void step_forest(void *data)
{
  const forest *f = data;
  for (int k = 0; k < REPEAT / f->chains + 1; k++) {
    if (nsdyn_stepper_step(f->stepper, 1e-6)) {
      stop(nsdyn_stepper_message(f->stepper));
    }
  }
  bench_keep(nsdyn_stepper_q(f->stepper)[0]);
}

static void add_rods(nsdyn_tree *tree, int chains)
{
  for (int i = 0; i < chains * LINKS; i++) {
    nsdyn_tree_body rod;
    nsdyn_tree_body_init(&rod, sizeof rod);
    rod.parent = i % LINKS ? i - 1 : -1;
    rod.joint = NSDYN_TREE_REVOLUTE;
    rod.joint_place[0] = i % LINKS ? 0.0 : i;
    rod.joint_place[2] = i % LINKS ? -1.0 : 10.0;
    rod.axis[0] = 1.0, rod.axis[2] = 0.0;
    rod.mass = 1.0;
    rod.centre[2] = -1.0;
    rod.inertia[0] = rod.inertia[1] = rod.inertia[2] = 0.025;
    if (nsdyn_tree_add(tree, &rod, NULL)) {
      stop(nsdyn_tree_message(tree));
    }
  }
}

/* A stepper of so many chains, whose contacts are told by `own`; all links begin at 45°. */
static nsdyn_stepper *fall(int chains, nsdyn_system_def *own, const nsdyn_stepper_options *options,
                           nsdyn_tree **tree)
{
  static double q[CHAINS * LINKS], u[CHAINS * LINKS];
  nsdyn_tree_options gravity;
  nsdyn_system *sys = NULL;
  nsdyn_stepper *stepper = NULL;
  nsdyn_contact_law law;
  int32_t number;
  nsdyn_tree_options_init(&gravity, sizeof gravity);
  nsdyn_contact_law_init(&law, sizeof law);
  gravity.gravity[2] = -9.81;
  law.mu = 0.5;
  law.eps_n = 0.7;
  if (nsdyn_tree_new(NULL, &gravity, tree, NULL)) {
    stop("no tree");
  }
  add_rods(*tree, chains);
  for (int i = 0; i < chains; i++) {
    q[i * LINKS] = -0.78539816339744831;
    u[i * LINKS] = 1.0;
  }
  if (nsdyn_tree_system_new(NULL, *tree, own, &sys, NULL) || nsdyn_system_add_law(sys, &law, &number) ||
      nsdyn_stepper_new(NULL, sys, options, &stepper, NULL) || nsdyn_stepper_set_state(stepper, 0.0, q, u)) {
    stop("no stepper of chains");
  }
  nsdyn_system_free(sys);
  return stepper;
}

static void race_chains(bench *b, int chains)
{
  static const char *const name = "chains of 12, a step each";
  if (bench_wants(b, name, chains)) {
    nsdyn_tree *tree = NULL;
    nsdyn_stepper_options options;
    nsdyn_stepper_options_init(&options, sizeof options);
    options.check = 0;
    forest f = {.stepper = fall(chains, NULL, &options, &tree), .chains = chains};
    const bench_contender ours = {.name = "nsdyn", .run = step_forest};
    bench_race(b, name, chains, chains * (REPEAT / chains + 1), &ours, 1, &f);
    nsdyn_stepper_free(f.stepper);
    nsdyn_tree_free(tree);
  }
}

/* ---- twelve links on a floor, a wall and each other, as in examples/pendulum12 ---- */

enum { STEPS = 20000 };

typedef struct pendulum {
  nsdyn_tree *tree;
  nsdyn_stepper *stepper;
  double q[LINKS], u[LINKS];
} pendulum;

static const double tip[3] = {0.0, 0.0, -1.0}, radius = 0.25;

/* W of the point of sphere i at −r n from its centre, along n and t; joints up to `last` carry both that
 * touch. */
static void write_rows(nsdyn_tree *tree, int i, int last, const double n[2], double *W)
{
  double J[6 * LINKS];
  nsdyn_tree_jacobian(tree, i, tip, J);
  for (int k = last < 0 ? 0 : last + 1; k <= i; k++) {
    const double v[2] = {J[LINKS + k], J[2 * LINKS + k]}, omega = J[3 * LINKS + k];
    W[k] = v[0] * n[0] + v[1] * n[1];
    W[LINKS + k] = v[0] * n[1] - v[1] * n[0] + radius * omega;
  }
}

static int touch(nsdyn_tree *tree, int i, int j, double gap, const double n[2], nsdyn_contact_sink *sink)
{
  double W[2 * LINKS] = {0.0};
  const nsdyn_contact_block block = {.offset = 0, .count = LINKS, .values = W};
  nsdyn_found_contact found;
  nsdyn_found_contact_init(&found, sizeof found);
  write_rows(tree, i, j, n, W);
  found.key = 100 * (j + 3) + i;
  found.gap = gap;
  found.blocks = 1;
  found.block = &block;
  return nsdyn_contact_sink_add(sink, &found);
}

static int collide(void *user, double t, const double *q, const double *u, double margin,
                   nsdyn_contact_sink *sink)
{
  nsdyn_tree *tree = ((const pendulum *)user)->tree;
  double x[LINKS][2];
  int code = 0;
  (void)t, (void)q, (void)u;
  nsdyn_tree_motion motion;
  nsdyn_tree_motion_init(&motion, sizeof motion);
  for (int i = 0; i < LINKS && !code; i++) {
    nsdyn_tree_point(tree, i, tip, &motion);
    x[i][0] = motion.place[1];
    x[i][1] = motion.place[2];
    const double above = x[i][1] - radius - 0.1, before = 4.0 - x[i][0] - radius;
    if (above <= margin) {
      code = touch(tree, i, -1, above, (double[]){0.0, 1.0}, sink);
    }
    if (before <= margin && !code) {
      code = touch(tree, i, -2, before, (double[]){-1.0, 0.0}, sink);
    }
    for (int j = 0; j < i - 1 && !code; j++) {
      const double way[2] = {x[i][0] - x[j][0], x[i][1] - x[j][1]}, reach = 2.0 * radius + margin;
      const double square = way[0] * way[0] + way[1] * way[1];
      if (square <= reach * reach && square > 0.0) {
        const double distance = sqrt(square), n[2] = {way[0] / distance, way[1] / distance};
        code = touch(tree, i, j, distance - 2.0 * radius, n, sink);
      }
    }
  }
  return code;
}

static void fall_20_s(void *data)
{
  pendulum *p = data;
  nsdyn_stepper_set_state(p->stepper, 0.0, p->q, p->u);
  for (int k = 0; k < STEPS; k++) {
    if (nsdyn_stepper_step(p->stepper, 1e-3)) {
      stop(nsdyn_stepper_message(p->stepper));
    }
  }
  bench_keep(nsdyn_stepper_q(p->stepper)[0]);
}

/* Judged by half of what MuJoCo 2.2 takes for a step of the same model, 6.5 µs. */
static void race_pendulum(bench *b)
{
  static const char *const name = "pendulum12, a step";
  static pendulum p = {.q = {-0.78539816339744831}, .u = {1.0}};
  if (!bench_wants(b, name, LINKS)) {
    return;
  }
  nsdyn_system_def own;
  nsdyn_stepper_options options;
  nsdyn_system_def_init(&own, sizeof own);
  nsdyn_stepper_options_init(&options, sizeof options);
  own.user = &p;
  own.find = collide;
  options.scheme = NSDYN_SCHEME_EULER;
  options.activation = NSDYN_ACTIVATION_FREE;
  options.check = 0;
  p.stepper = fall(1, &own, &options, &p.tree);
  const bench_contender ours = {.name = "nsdyn", .run = fall_20_s};
  bench_race(b, name, LINKS, STEPS, &ours, 1, &p);
  bench_limit(b, name, LINKS, "nsdyn", 3250.0);
  nsdyn_stepper_free(p.stepper);
  nsdyn_tree_free(p.tree);
}

int main(int argc, char **argv)
{
  static const int sizes[] = {12, 30, 100};
  static const double limits[] = {600.0, 1500.0, 5000.0}; /* issue: articulated-body dynamics */
  bench *b = bench_new("multibody", argc, argv);
  for (int i = 0; i < 3; i++) {
    make(&work, sizes[i]);
    race(b, "state", place, 0.0);
    race(b, "state and accelerations", place_and_accelerate, limits[i]);
    race(b, "mass", compose, 0.0);
    nsdyn_tree_set_state(work.tree, work.q, work.u);
    make_rows(&work, 1);
    race(b, "J/M/J, six normals", couple, i == 0 ? 1200.0 : 0.0);
    make_rows(&work, 3);
    race(b, "J/M/J, six points", couple, 0.0);
    nsdyn_tree_free(work.tree);
  }
  static const int steps[] = {2, 4, 6, 12, 24, 48, 100};
  for (int i = 0; i < 7; i++) {
    race_steps(b, steps[i]);
  }
  race_chains(b, 1);
  race_chains(b, CHAINS);
  race_pendulum(b);
  return bench_finish(b);
}
