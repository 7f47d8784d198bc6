/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "base/fault.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/sized.h"

void nsd_fault_clear(nsd_fault *fault)
{
  nsdyn_detail_init(&fault->detail, sizeof fault->detail);
  fault->status = NSDYN_OK;
  fault->message[0] = '\0';
}

nsdyn_status nsd_fault_set(nsd_fault *fault, nsdyn_status status, int32_t kind, int64_t index,
                           const char *format, ...)
{
  if (!fault) {
    return status;
  }
  nsdyn_detail_init(&fault->detail, sizeof fault->detail);
  fault->detail.kind = kind;
  fault->detail.index = index > INT32_MAX ? INT32_MAX : (int32_t)index;
  fault->status = status;
  va_list arguments;
  va_start(arguments, format);
  if (vsnprintf(fault->message, sizeof fault->message, format, arguments) < 0) {
    fault->message[0] = '\0';
  }
  va_end(arguments);
  return status;
}

nsdyn_status nsd_fault_detail(const nsd_fault *fault, nsdyn_detail *detail)
{
  return nsd_sized_write(detail, NSD_DETAIL_LEAST, &fault->detail, sizeof fault->detail);
}
