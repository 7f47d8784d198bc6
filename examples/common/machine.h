/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* A system with what moves it: what the small drivers do the same way (examples/woodpecker.c does it in
 * full).
 *
 *   machine m;
 *   nsdyn_status status = machine_start(&m, scheme, tol, &def, laws, q, u);
 *   while (status == NSDYN_OK && machine_is_before(&m, t_end, dt)) {
 *     status = machine_step(&m, t_end, dt);
 *   }
 *   const int code = machine_stop(&m, &out, status); */
#ifndef EXAMPLES_COMMON_MACHINE_H
#define EXAMPLES_COMMON_MACHINE_H

#include <nsdyn/nsdyn.h>

#include "options.h"

/* The words of an option --scheme: "moreau", "event", then the other schemes of steppers. */
enum machine_scheme { MACHINE_STEPS, MACHINE_EVENTS };
extern const char *const machine_schemes[];

/* Rows of a table of options (options.h) that several drivers have. */
#define OPTION_SCHEME(variable)                                                                              \
  {                                                                                                          \
    .name = "scheme", .help = "steps, or from event to event", .choice = &(variable),                        \
    .choices = machine_schemes                                                                               \
  }
#define OPTION_TOL(variable)                                                                                 \
  {                                                                                                          \
    .name = "tol", .unit = "1", .help = "tolerance, by events", .number = &(variable), .low = 1e-14,         \
    .high = 1e-2                                                                                             \
  }
#define OPTION_EVENTS(variable)                                                                              \
  {                                                                                                          \
    .name = "events", .help = "print them, by events: when, what, contact, γ_N γ_T before, after",           \
    .flag = &(variable)                                                                                      \
  }
#define OPTION_STEP(variable)                                                                                \
  {                                                                                                          \
    .name = "dt", .unit = "s", .help = "time step; by events, between two rows at most",                     \
    .number = &(variable), .high = 1.0, .open = 1                                                            \
  }

typedef struct machine {
  nsdyn_system *sys;
  nsdyn_stepper *stepper;     /* one of these two */
  nsdyn_event_driver *driver; /* stops at each event */
  int asks, is_stuck;         /* whether it stops where several motions are possible; it has */
  nsdyn_error error;          /* why one of them could not be made */
} machine;

/* The stepper's scheme of such a word. */
int32_t machine_stepper_scheme(int scheme);

/* Makes the system with one law per contact, and what moves it, at t = 0, q, u. `tol` is for events. */
nsdyn_status machine_start(machine *m, int scheme, double tol, const nsdyn_system_def *def,
                           const nsdyn_contact_law *laws, const double *q, const double *u);

/* The same with a stepper's own options; NULL: defaults. */
nsdyn_status machine_start_steps(machine *m, const nsdyn_system_def *def, const nsdyn_contact_law *laws,
                                 const nsdyn_stepper_options *options, const double *q, const double *u);

/* The same with an event driver's own options, all but `observe` and `user`. */
nsdyn_status machine_start_events(machine *m, const nsdyn_system_def *def, const nsdyn_contact_law *laws,
                                  const nsdyn_event_driver_options *options, const double *q,
                                  const double *u);

/* The same with a world, as its bodies begin; its system holds it. */
nsdyn_status machine_start_world(machine *m, int scheme, double tol, nsdyn_world *world);

/* What moves a system that is there already, m->sys, its `error` ready: a stepper; or an event driver, with
 * all options but `observe` and `user`. */
nsdyn_status machine_add_stepper(machine *m, const nsdyn_stepper_options *options, const double *q,
                                 const double *u);
nsdyn_status machine_add_driver(machine *m, const nsdyn_event_driver_options *options, const double *q,
                                const double *u);

/* A world was made, or not: keeps its message unless another one is there. Returns `status`. */
nsdyn_status machine_built(machine *m, const nsdyn_world *world, nsdyn_status status);

/* The law of all contacts that `find` reports: friction μ in space and restitution ε. */
nsdyn_status machine_add_law(const machine *m, double mu, double eps_n);

/* Whether the run goes on: the next step, or as much of it as is left until t_end. */
int machine_is_before(const machine *m, double t_end, double dt);

/* A step; or to the next event, but no farther than dt or t_end. */
nsdyn_status machine_step(machine *m, double t_end, double dt);

double machine_time(const machine *m);
const double *machine_q(const machine *m);
const double *machine_u(const machine *m);
nsdyn_contact_state machine_contact(const machine *m, int i);

/* Those that are closed or near, found ones too. */
int32_t machine_active(const machine *m);
nsdyn_contact_state machine_active_contact(const machine *m, int32_t k);

/* Records of the driver's log, and how many there are; 0 with a stepper. */
int machine_events(const machine *m);
nsdyn_event machine_event(const machine *m, int k);

/* `event TIME KIND CONTACT` and γ_N, γ_T before and after, for each. */
void machine_print_events(const machine *m, const output *out);

/* Frees all. Returns 0, or STATUS_FAILED after a line with the message of what failed. */
int machine_stop(machine *m, const output *out, nsdyn_status status);

#endif
