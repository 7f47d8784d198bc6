/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* A wheel that slides and comes to roll, against its closed form: disks and rings, level and on ramps, too
 * steep ones too. */
#include "proof.h"

typedef struct wheel {
  exact_disk exact;
  model m;
  nsdyn_stepper *stepper;
} wheel;

/* Over the whole run, in place and angle. All forces are constant, and what brings a sliding wheel to roll
 * within one step is the impulse that does so: velocities are exact to rounding but at that step's end. */
static double error_of_place(void *data, double dt)
{
  wheel *w = data;
  const exact_disk *p = &w->exact;
  const double roll = exact_disk_time(p);
  double error = 0.0;
  set_state(w->stepper, (double[3]){0.0, p->R, 0.0}, (double[3]){p->v, 0.0, p->omega});
  while (nsdyn_stepper_time(w->stepper) < 1.0) {
    run(w->stepper, dt, 1);
    const double t = nsdyn_stepper_time(w->stepper);
    const double *q = nsdyn_stepper_q(w->stepper), *u = nsdyn_stepper_u(w->stepper);
    const exact_disk_state s = exact_disk_at(p, t);
    error = fmax(error, fmax(fabs(q[0] - s.x), p->R * fabs(q[2] - s.phi)));
    if (exact_disk_rolls(p) || t < roll) {
      REQUIRE(fabs(u[0] - s.v) < 1e-11 && p->R * fabs(u[2] - s.omega) < 1e-11,
              "at %g velocities are off by %g and %g", t, u[0] - s.v, u[2] - s.omega);
    }
    REQUIRE(fabs(q[1] - p->R) < 1e-12, "at %g it is %g above the ramp", t, q[1] - p->R);
  }
  return error;
}

static void make_wheel(wheel *w, exact_disk p)
{
  w->exact = p;
  machine_disk(&w->exact, &w->m);
  w->stepper = machine_stepper(&w->m);
}

START_TEST(wheels_come_to_roll)
{
  const exact_disk wheels[] = {
      {.g = 9.81, .theta = 0.0, .mu = 0.3, .R = 0.1, .kappa = 0.5, .v = 2.0},
      {.g = 9.81, .theta = 0.0, .mu = 0.2, .R = 0.3, .kappa = 1.0, .v = 1.0, .omega = 5.0},
      {.g = 9.81, .theta = 0.2, .mu = 0.3, .R = 0.2, .kappa = 0.5, .v = -1.5},
      {.g = 9.81, .theta = 0.3, .mu = 0.4, .R = 0.1, .kappa = 1.0, .v = 0.0, .omega = 12.0},
  };
  for (int k = 0; k < 4; k++) {
    wheel w;
    make_wheel(&w, wheels[k]);
    ck_assert(exact_disk_rolls(&w.exact));
    ck_assert_double_gt(exact_disk_time(&w.exact), 0.1);
    ck_assert_double_lt(exact_disk_time(&w.exact), 0.9);
    prove_order(error_of_place, &w, 1e-3, 2.0, 0.6, 20.0);
    nsdyn_stepper_free(w.stepper);
  }
}
END_TEST

/* Too steep to roll: it slides the other way from some moment on. */
static double error_of_motion(void *data, double dt)
{
  wheel *w = data;
  const exact_disk *p = &w->exact;
  double error = 0.0;
  set_state(w->stepper, (double[3]){0.0, p->R, 0.0}, (double[3]){p->v, 0.0, p->omega});
  while (nsdyn_stepper_time(w->stepper) < 1.0) {
    run(w->stepper, dt, 1);
    const double *q = nsdyn_stepper_q(w->stepper), *u = nsdyn_stepper_u(w->stepper);
    const exact_disk_state s = exact_disk_at(p, nsdyn_stepper_time(w->stepper));
    error = fmax(error, fmax(fabs(q[0] - s.x), p->R * fabs(q[2] - s.phi)));
    error = fmax(error, fmax(fabs(u[0] - s.v), p->R * fabs(u[2] - s.omega)));
  }
  return error;
}

START_TEST(steep_ramps_never_let_it_roll)
{
  wheel w;
  make_wheel(&w, (exact_disk){.g = 9.81, .theta = 0.9, .mu = 0.2, .R = 0.1, .kappa = 0.5, .v = -3.0});
  ck_assert(!exact_disk_rolls(&w.exact));
  ck_assert_double_lt(exact_disk_time(&w.exact), 0.9);
  prove_order(error_of_motion, &w, 1e-3, 1.0, 0.5, 20.0);
  nsdyn_stepper_free(w.stepper);
}
END_TEST

SUITE("disk", TEST(wheels_come_to_roll), TEST(steep_ramps_never_let_it_roll))
