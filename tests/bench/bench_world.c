/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Steps of worlds: the woodpecker with four degrees of freedom, whose contacts are found among polygons. The
 * model is that of examples/woodpecker4.c itself, along periods of its cycle. */
#include "bench.h"

int example_main(int argc, char **argv);
#define main example_main
#include "woodpecker4.c"
#undef main

enum { BENCH_STEPS = 100000 };

static void must(int good, const char *what)
{
  if (!good) {
    fprintf(stderr, "bench_world: %s\n", what);
    exit(1);
  }
}

typedef struct world_run {
  wishes w;
  machine m;
  nsdyn_world *world;
} world_run;

static void run_steps(void *data)
{
  world_run *r = data;
  const double q[DOF] = {0.0, 0.0, -0.085, -0.2788}, u[DOF] = {0.0, -0.3411, 0.0, -7.4583};
  must(nsdyn_stepper_set_state(r->m.stepper, 0.0, q, u) == NSDYN_OK, "no state");
  for (int k = 0; k < BENCH_STEPS; k++) {
    must(nsdyn_stepper_step(r->m.stepper, r->w.dt) == NSDYN_OK, "a step fails");
  }
  bench_keep(nsdyn_stepper_q(r->m.stepper)[0]);
}

int main(int argc, char **argv)
{
  static const char work[] = "woodpecker4, steps, detection included";
  bench *b = bench_new("world", argc, argv);
  if (bench_wants(b, work, DOF)) {
    world_run r = {.w = {.model = section_4, .dt = 1e-5}};
    nsdyn_error_init(&r.m.error, sizeof r.m.error);
    must(make_system(&r.w.model, NULL, &r.world, &r.m) == NSDYN_OK, "no system");
    must(start(&r.w, &r.m) == NSDYN_OK, "no stepper");
    const bench_contender one = {.name = "nsdyn", .run = run_steps};
    bench_race(b, work, DOF, BENCH_STEPS, &one, 1, &r);
    bench_limit(b, work, DOF, "nsdyn", 1500.0);
    const output out = {.program = "bench_world"};
    (void)machine_stop(&r.m, &out, NSDYN_OK);
    nsdyn_world_free(r.world);
  }
  return bench_finish(b);
}
