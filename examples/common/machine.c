/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "machine.h"

nsdyn_status machine_start(machine *m, const nsdyn_system_def *def, const nsdyn_contact_law *laws,
                           const nsdyn_stepper_options *options, const double *q, const double *u)
{
  *m = (machine){0};
  nsdyn_status status = nsdyn_context_new(NULL, &m->ctx);
  if (status == NSDYN_OK) {
    status = nsdyn_system_new(m->ctx, def, &m->sys);
  }
  for (int i = 0; status == NSDYN_OK && i < def->ncontacts; i++) {
    status = nsdyn_system_set_contact(m->sys, i, &laws[i]);
  }
  if (status == NSDYN_OK) {
    status = nsdyn_stepper_new(m->sys, options, &m->stepper);
  }
  return status == NSDYN_OK ? nsdyn_stepper_set_state(m->stepper, 0.0, q, u) : status;
}

int machine_is_before(const machine *m, double t_end, double dt)
{
  return nsdyn_stepper_time(m->stepper) < t_end - 0.5 * dt;
}

int machine_stop(machine *m, const output *out, nsdyn_status status)
{
  int code = 0;
  if (status != NSDYN_OK) {
    const char *message = m->stepper ? nsdyn_stepper_message(m->stepper)
                          : m->sys   ? nsdyn_system_message(m->sys)
                                     : nsdyn_context_message(m->ctx);
    code = complain(out, STATUS_FAILED, "%s", message[0] ? message : nsdyn_status_text(status));
  }
  nsdyn_stepper_free(m->stepper);
  nsdyn_system_free(m->sys);
  nsdyn_context_free(m->ctx);
  *m = (machine){0};
  return code;
}
