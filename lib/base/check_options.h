/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Options of an object, each refused by its name. They are read by NSD_SIZED_READ(). */
#ifndef NSD_BASE_OPTIONS_H
#define NSD_BASE_OPTIONS_H

#include "base/sized.h"

/* Refuses `field` of `options`, a pointer to `type`: "option tol: 2 is not in [0, 1)". */
#define NSD_OPTIONS_REFUSE(type, options, field, range, fault)                                               \
  nsd_options_refuse(fault, offsetof(type, field), #field, (double)(options)->field, range)

nsdyn_status nsd_options_refuse(nsd_fault *fault, size_t offset, const char *name, double value,
                                const char *range);

/* An option that is an array of `count` sizes; NULL: it was not given. Refuses what is no finite number > 0.
 */
nsdyn_status nsd_options_check_sizes(const char *name, const double *sizes, int count, nsd_fault *fault);

static inline int nsd_options_is_flag(int32_t value)
{
  return value == 0 || value == 1;
}

#endif
