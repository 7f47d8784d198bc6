/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The woodpecker of Table I in a stepper, and the limit cycle that it settles on. */
#ifndef TESTS_GOLDEN_CYCLE_H
#define TESTS_GOLDEN_CYCLE_H

#include "bench/floor_woodpecker.h"
#include "proof.h"

enum { BEAK = 0, LOWER = 1, UPPER = 2 };

/* How large coordinates and velocities become. */
static const double sizes[6] = {0.02, 0.1, 0.5, 0.4, 30.0, 17.0};

typedef struct toy {
  exact_woodpecker exact;
  model m;
  nsdyn_stepper *stepper;
} toy;

/* Freed with nsdyn_stepper_free(); the system's callbacks read `p`. */
static inline void make_toy(toy *p)
{
  exact_woodpecker_table(&p->exact);
  machine_woodpecker(&p->exact, &p->m);
  p->stepper = machine_stepper(&p->m);
}

static inline void place_toy(toy *p, const long double *q, const long double *u)
{
  double place[3], speed[3];
  for (int i = 0; i < 3; i++) {
    place[i] = (double)q[i];
    speed[i] = (double)u[i];
  }
  set_state(p->stepper, place, speed);
}

/* Table I, with the lower edge on the pole; before the impact that the exact solution begins with. */
static inline void begin_at_table(toy *p)
{
  floor_toy numbers;
  floor_state s;
  floor_begin(&numbers, &s);
  set_state(p->stepper, s.q, s.u);
}

static inline void begin_on_cycle(toy *p, exact_cycle *c)
{
  ck_assert_int_eq(exact_woodpecker_cycle(&p->exact, c), EXACT_EVENT);
  place_toy(p, c->section.q, c->section.u);
}

static inline void step(toy *p, double dt)
{
  const nsdyn_status status = nsdyn_stepper_step(p->stepper, dt);
  REQUIRE(status == NSDYN_OK, "t = %g: %s", nsdyn_stepper_time(p->stepper),
          nsdyn_stepper_message(p->stepper));
}

enum { AVERAGED = 10 };

typedef struct settled {
  double period, drop;
  double scatter; /* standard deviation of single periods */
  double least[6], most[6];
} settled;

/* Until `count` periods have ended, each where the lower edge begins to slip: time and height then. */
static inline void run_periods(toy *p, double dt, int count, double *t, double *y, settled *s)
{
  int before = NSDYN_MODE_OPEN;
  for (int k = 0; k < count;) {
    step(p, dt);
    const int mode = state_of(p->stepper, LOWER).mode;
    const double *q = nsdyn_stepper_q(p->stepper), *u = nsdyn_stepper_u(p->stepper);
    REQUIRE(nsdyn_stepper_time(p->stepper) < 20.0, "%d periods in 20 s", k);
    if (before == NSDYN_MODE_STICK && mode == NSDYN_MODE_SLIP_MINUS) {
      t[k] = nsdyn_stepper_time(p->stepper) - dt;
      y[k++] = q[0];
    }
    before = mode;
    for (int i = 0; s && i < 6; i++) {
      const double value = i < 3 ? q[i] : u[i - 3];
      s->least[i] = fmin(s->least[i], value);
      s->most[i] = fmax(s->most[i], value);
    }
  }
}

/* From Table I, some periods to settle, then ten. */
static inline settled settle(toy *p, double dt, int before)
{
  settled s;
  double t[1 + AVERAGED], y[1 + AVERAGED];
  for (int i = 0; i < 6; i++) {
    s.least[i] = INFINITY;
    s.most[i] = -INFINITY;
  }
  begin_at_table(p);
  for (int k = 0; k < before; k++) {
    run_periods(p, dt, 1, t, y, NULL);
  }
  run_periods(p, dt, 1, t, y, NULL);
  run_periods(p, dt, AVERAGED, t + 1, y + 1, &s);
  s.period = (t[AVERAGED] - t[0]) / AVERAGED;
  s.drop = (y[0] - y[AVERAGED]) / AVERAGED;
  s.scatter = 0.0;
  for (int k = 0; k < AVERAGED; k++) {
    const double deviation = t[k + 1] - t[k] - s.period;
    s.scatter += deviation * deviation / AVERAGED;
  }
  s.scatter = sqrt(s.scatter);
  return s;
}

#endif
