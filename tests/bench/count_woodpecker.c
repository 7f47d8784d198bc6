/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* count_woodpecker steps|events N
 *
 * One period of the woodpecker from Table I on, N times, by steps of 10 µs or from event to event at the
 * default tolerance, for count.sh, which counts its instructions. Prints nothing. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nsdyn/event.h"
#include "nsdyn/stepper.h"
#include "toy_system.h"

enum { STEPS = 14600 };
static const double t_end = 0.146; /* s; no event is near */

static void must(int good, const char *what)
{
  if (!good) {
    fprintf(stderr, "count_woodpecker: %s\n", what);
    exit(1);
  }
}

static void run_steps(nsdyn_system *sys, const floor_state *begin, long periods)
{
  nsdyn_stepper *stepper;
  must(nsdyn_stepper_new(NULL, sys, NULL, &stepper, NULL) == NSDYN_OK, "no stepper");
  for (long i = 0; i < periods; i++) {
    must(nsdyn_stepper_set_state(stepper, 0.0, begin->q, begin->u) == NSDYN_OK, "no state");
    for (int k = 0; k < STEPS; k++) {
      must(nsdyn_stepper_step(stepper, t_end / STEPS) == NSDYN_OK, "a step fails");
    }
  }
  nsdyn_stepper_free(stepper);
}

static void run_events(nsdyn_system *sys, const floor_state *begin, long periods)
{
  nsdyn_event_driver *driver;
  must(nsdyn_event_driver_new(NULL, sys, NULL, &driver, NULL) == NSDYN_OK, "no driver");
  for (long i = 0; i < periods; i++) {
    must(nsdyn_event_driver_set_state(driver, 0.0, begin->q, begin->u) == NSDYN_OK, "no state");
    must(nsdyn_event_driver_advance(driver, t_end) == NSDYN_OK, "a period fails");
  }
  nsdyn_event_driver_free(driver);
}

int main(int argc, char **argv)
{
  floor_toy toy;
  floor_state begin;
  nsdyn_system *sys;
  must(argc == 3, "steps or events, and how many periods?");
  const long periods = strtol(argv[2], NULL, 10);
  floor_begin(&toy, &begin);
  must(toy_system(&toy, NSDYN_CONSTANT_MASS | NSDYN_CONSTANT_DIRECTIONS, &sys) == NSDYN_OK, "no system");
  if (strcmp(argv[1], "steps") == 0) {
    run_steps(sys, &begin, periods);
  } else {
    run_events(sys, &begin, periods);
  }
  nsdyn_system_free(sys);
  return 0;
}
