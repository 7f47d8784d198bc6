/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "system/check_state.h"

#include <math.h>

#include "base/dense.h"
#include "base/number.h"

static nsdyn_status check(const char *name, int argument, int n, const double *x, nsd_fault *fault)
{
  if (n > 0 && !x) {
    return nsd_fault_set(fault, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_ARGUMENT, argument, "%s is NULL", name);
  }
  for (int j = 0; j < n; j++) {
    if (!isfinite(x[j])) {
      char text[NSD_NUMBER_LENGTH];
      return nsd_fault_set(fault, NSDYN_ERR_NOT_FINITE, NSDYN_DETAIL_COORDINATE, j, "%s: element %d is %s",
                           name, j, nsd_number_text(x[j], text));
    }
  }
  return NSDYN_OK;
}

nsdyn_status nsd_state_check(const nsdyn_system_def *def, double t, const double *q, const double *u,
                             nsd_fault *fault)
{
  nsdyn_status status = check("t", 1, 1, &t, fault);
  status = status ? status : check("q", 2, def->nq, q, fault);
  return status ? status : check("u", 3, def->nu, u, fault);
}

nsdyn_status nsd_state_take(const nsdyn_system_def *def, double t, const double *q, const double *u,
                            double *own_t, double *own_q, double *own_u, nsd_fault *fault)
{
  const nsdyn_status status = nsd_state_check(def, t, q, u, fault);
  if (status) {
    return status;
  }
  *own_t = t;
  for (int j = 0; j < def->nq; j++) {
    own_q[j] = q[j];
  }
  for (int j = 0; j < def->nu; j++) {
    own_u[j] = u[j];
  }
  return NSDYN_OK;
}
