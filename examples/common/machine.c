/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "machine.h"

#include <math.h>
#include <stdlib.h>

const char *const machine_schemes[] = {
    "moreau", "event", "euler", "moreau-jean", "stewart-trinkle", "anitescu-potra", "generalized-alpha",
    NULL};

int32_t machine_stepper_scheme(int scheme)
{
  static const int32_t numbers[] = {
      NSDYN_SCHEME_MOREAU,           NSDYN_SCHEME_MOREAU,          NSDYN_SCHEME_EULER,
      NSDYN_SCHEME_MOREAU_JEAN,      NSDYN_SCHEME_STEWART_TRINKLE, NSDYN_SCHEME_ANITESCU_POTRA,
      NSDYN_SCHEME_GENERALIZED_ALPHA};
  return numbers[scheme];
}

static nsdyn_status make_system(machine *m, const nsdyn_system_def *def, const nsdyn_contact_law *laws)
{
  *m = (machine){0};
  nsdyn_error_init(&m->error, sizeof m->error);
  nsdyn_status status = nsdyn_system_new(NULL, def, &m->sys, &m->error);
  for (int i = 0; status == NSDYN_OK && i < def->ncontacts; i++) {
    status = nsdyn_system_set_contact(m->sys, i, &laws[i]);
  }
  return status;
}

nsdyn_status machine_add_stepper(machine *m, const nsdyn_stepper_options *options, const double *q,
                                 const double *u)
{
  const nsdyn_status status = nsdyn_stepper_new(NULL, m->sys, options, &m->stepper, &m->error);
  return status == NSDYN_OK ? nsdyn_stepper_set_state(m->stepper, 0.0, q, u) : status;
}

nsdyn_status machine_start_steps(machine *m, const nsdyn_system_def *def, const nsdyn_contact_law *laws,
                                 const nsdyn_stepper_options *options, const double *q, const double *u)
{
  const nsdyn_status status = make_system(m, def, laws);
  return status == NSDYN_OK ? machine_add_stepper(m, options, q, u) : status;
}

static int stop_at_event(void *user, const nsdyn_event_driver *driver, const nsdyn_event *event)
{
  machine *m = user;
  (void)driver;
  m->is_stuck |= m->asks && event->kind == NSDYN_EVENT_AMBIGUOUS;
  return 1;
}

nsdyn_status machine_add_driver(machine *m, const nsdyn_event_driver_options *options, const double *q,
                                const double *u)
{
  nsdyn_event_driver_options own = *options;
  own.observe = stop_at_event;
  own.user = m;
  m->asks = options->ambiguous == NSDYN_AMBIGUITY_STOP;
  const nsdyn_status status = nsdyn_event_driver_new(NULL, m->sys, &own, &m->driver, &m->error);
  return status == NSDYN_OK ? nsdyn_event_driver_set_state(m->driver, 0.0, q, u) : status;
}

nsdyn_status machine_start_events(machine *m, const nsdyn_system_def *def, const nsdyn_contact_law *laws,
                                  const nsdyn_event_driver_options *options, const double *q, const double *u)
{
  const nsdyn_status status = make_system(m, def, laws);
  return status == NSDYN_OK ? machine_add_driver(m, options, q, u) : status;
}

nsdyn_status machine_start(machine *m, int scheme, double tol, const nsdyn_system_def *def,
                           const nsdyn_contact_law *laws, const double *q, const double *u)
{
  if (scheme != MACHINE_EVENTS) {
    nsdyn_stepper_options steps;
    nsdyn_stepper_options_init(&steps, sizeof steps);
    steps.scheme = machine_stepper_scheme(scheme);
    return machine_start_steps(m, def, laws, &steps, q, u);
  }
  nsdyn_event_driver_options options;
  nsdyn_event_driver_options_init(&options, sizeof options);
  options.tol = tol;
  return machine_start_events(m, def, laws, &options, q, u);
}

nsdyn_status machine_start_world(machine *m, int scheme, double tol, nsdyn_world *world)
{
  *m = (machine){0};
  nsdyn_error_init(&m->error, sizeof m->error);
  int32_t size = 0;
  nsdyn_status status = nsdyn_world_system(world, NULL, &m->sys, &m->error);
  if (status != NSDYN_OK) {
    return status;
  }
  nsdyn_world_sizes(world, &size, NULL);
  double *state = memory(NULL, 2 * (size_t)size + 1, sizeof *state);
  nsdyn_world_begin(world, state, state + size);
  if (scheme == MACHINE_EVENTS) {
    nsdyn_event_driver_options options;
    nsdyn_event_driver_options_init(&options, sizeof options);
    options.tol = tol;
    options.check = 0; /* all callbacks are the library's */
    status = machine_add_driver(m, &options, state, state + size);
  } else {
    nsdyn_stepper_options options;
    nsdyn_stepper_options_init(&options, sizeof options);
    options.scheme = machine_stepper_scheme(scheme);
    options.check = 0;
    status = machine_add_stepper(m, &options, state, state + size);
  }
  free(state);
  return status;
}

nsdyn_status machine_built(machine *m, const nsdyn_world *world, nsdyn_status status)
{
  if (status != NSDYN_OK && m->error.status == NSDYN_OK) {
    m->error.status = status;
    (void)snprintf(m->error.message, sizeof m->error.message, "%s", nsdyn_world_message(world));
  }
  return status;
}

nsdyn_status machine_add_law(const machine *m, double mu, double eps_n)
{
  nsdyn_contact_law law;
  nsdyn_contact_law_init(&law, sizeof law);
  law.tangents = 2;
  law.mu = mu;
  law.eps_n = eps_n;
  int32_t number; /* 0, the first law, which a touch has unless it says otherwise */
  return nsdyn_system_add_law(m->sys, &law, &number);
}

int machine_is_before(const machine *m, double t_end, double dt)
{
  return m->driver ? !m->is_stuck && nsdyn_event_driver_time(m->driver) < t_end
                   : nsdyn_stepper_time(m->stepper) < t_end - 0.5 * dt;
}

nsdyn_status machine_step(machine *m, double t_end, double dt)
{
  if (!m->driver) {
    return nsdyn_stepper_step(m->stepper, dt);
  }
  const nsdyn_status status =
      nsdyn_event_driver_advance(m->driver, fmin(nsdyn_event_driver_time(m->driver) + dt, t_end));
  return status == NSDYN_STOPPED ? NSDYN_OK : status;
}

double machine_time(const machine *m)
{
  return m->driver ? nsdyn_event_driver_time(m->driver) : nsdyn_stepper_time(m->stepper);
}

const double *machine_q(const machine *m)
{
  return m->driver ? nsdyn_event_driver_q(m->driver) : nsdyn_stepper_q(m->stepper);
}

const double *machine_u(const machine *m)
{
  return m->driver ? nsdyn_event_driver_u(m->driver) : nsdyn_stepper_u(m->stepper);
}

nsdyn_contact_state machine_contact(const machine *m, int i)
{
  nsdyn_contact_state state;
  nsdyn_contact_state_init(&state, sizeof state);
  if (m->driver) {
    nsdyn_event_driver_contact(m->driver, i, &state);
  } else {
    nsdyn_stepper_contact(m->stepper, i, &state);
  }
  return state;
}

int32_t machine_active(const machine *m)
{
  return m->driver ? nsdyn_event_driver_active(m->driver) : nsdyn_stepper_active(m->stepper);
}

nsdyn_contact_state machine_active_contact(const machine *m, int32_t k)
{
  nsdyn_contact_state state;
  nsdyn_contact_state_init(&state, sizeof state);
  if (m->driver) {
    nsdyn_event_driver_active_contact(m->driver, k, &state);
  } else {
    nsdyn_stepper_active_contact(m->stepper, k, &state);
  }
  return state;
}

int machine_events(const machine *m)
{
  return (int)nsdyn_event_driver_events(m->driver);
}

nsdyn_event machine_event(const machine *m, int k)
{
  nsdyn_event event;
  nsdyn_event_init(&event, sizeof event);
  nsdyn_event_driver_event(m->driver, k, &event);
  return event;
}

void machine_print_events(const machine *m, const output *out)
{
  for (int k = 0; k < machine_events(m) && !out->quiet; k++) {
    const nsdyn_event e = machine_event(m, k);
    printf("event %.12f %-9s %d %9.6f %9.6f %9.6f %9.6f\n", e.t, nsdyn_event_name(e.kind), e.contact,
           e.before[0], e.before[1], e.after[0], e.after[1]);
  }
}

int machine_stop(machine *m, const output *out, nsdyn_status status)
{
  int code = 0;
  if (status != NSDYN_OK) {
    const char *message = m->error.status ? m->error.message
                          : m->stepper    ? nsdyn_stepper_message(m->stepper)
                          : m->driver     ? nsdyn_event_driver_message(m->driver)
                                          : nsdyn_system_message(m->sys);
    code = complain(out, STATUS_FAILED, "%s", message[0] ? message : nsdyn_status_text(status));
  }
  nsdyn_stepper_free(m->stepper);
  nsdyn_event_driver_free(m->driver);
  nsdyn_system_free(m->sys);
  *m = (machine){0};
  return code;
}
