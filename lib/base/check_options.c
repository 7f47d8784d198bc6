/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "base/check_options.h"

#include <float.h>

#include "base/number.h"

nsdyn_status nsd_options_refuse(nsd_fault *fault, size_t offset, const char *name, double value,
                                const char *range)
{
  char text[NSD_NUMBER_LENGTH];
  return nsd_fault_set(fault, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_FIELD, (int64_t)offset,
                       "option %s: %s is not %s", name, nsd_number_text(value, text), range);
}

nsdyn_status nsd_options_check_sizes(const char *name, const double *sizes, int count, nsd_fault *fault)
{
  for (int i = 0; sizes && i < count; i++) {
    /* Written so that NaN fails. */
    if (!(sizes[i] > 0.0 && sizes[i] <= DBL_MAX)) {
      char text[NSD_NUMBER_LENGTH];
      return nsd_fault_set(fault, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_COORDINATE, i,
                           "option %s: element %d, %s, is no size > 0", name, i,
                           nsd_number_text(sizes[i], text));
    }
  }
  return NSDYN_OK;
}
