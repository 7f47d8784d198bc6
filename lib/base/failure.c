/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "base/failure.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/sized.h"

nsdyn_status nsdyn_detail_init(nsdyn_detail *detail, size_t size)
{
  const nsdyn_detail nothing = {.size = sizeof nothing, .kind = NSDYN_DETAIL_NONE, .index = -1, .key = 0};
  return nsd_sized_init(detail, size, NSD_DETAIL_LEAST, &nothing, sizeof nothing);
}

nsdyn_status nsdyn_error_init(nsdyn_error *error, size_t size)
{
  const nsdyn_error nothing = {.size = sizeof nothing, .kind = NSDYN_DETAIL_NONE, .index = -1};
  return nsd_sized_init(error, size, NSD_ERROR_LEAST, &nothing, sizeof nothing);
}

/* A text that was cut at its end must not end inside a character: bytes 10xxxxxx of UTF-8 continue one
 * that began with 11xxxxxx. */
static void cut_at_character(char *text, size_t length)
{
  size_t start = length;
  while (start > 0 && ((unsigned char)text[start - 1] & 0xc0u) == 0x80u) {
    start--;
  }
  if (start > 0 && ((unsigned char)text[start - 1] & 0xc0u) == 0xc0u) {
    text[start - 1] = '\0';
  }
}

static int32_t saturated(int64_t index)
{
  return index > INT32_MAX ? INT32_MAX : index < INT32_MIN ? INT32_MIN : (int32_t)index;
}

void nsd_fault_clear(nsd_fault *fault)
{
  if (!fault) {
    return;
  }
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
  fault->detail.index = saturated(index);
  fault->status = status;
  va_list arguments;
  va_start(arguments, format);
  const int length = vsnprintf(fault->message, sizeof fault->message, format, arguments);
  va_end(arguments);
  /* An encoding error leaves no message; a long one is cut. */
  if (length < 0) {
    fault->message[0] = '\0';
  } else if ((size_t)length >= sizeof fault->message) {
    cut_at_character(fault->message, sizeof fault->message - 1);
  }
  return status;
}

nsdyn_status nsd_error_begin(const nsdyn_error *error, nsd_fault *fault, const void *out, const char *name,
                             int which)
{
  nsd_fault_clear(fault);
  if (error && !nsd_sized_is_known(error, NSD_ERROR_LEAST)) {
    return NSDYN_ERR_STRUCT_SIZE;
  }
  return out ? NSDYN_OK
             : nsd_fault_set(fault, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_ARGUMENT, which, "%s: out is NULL",
                             name);
}

nsdyn_status nsd_error_end(nsdyn_error *error, const nsd_fault *fault, nsdyn_status status)
{
  nsdyn_error own = {.size = sizeof own, .status = status, .kind = NSDYN_DETAIL_NONE, .index = -1};
  _Static_assert(sizeof own.message == sizeof fault->message, "a message fits");
  if (status) {
    const char *message = fault->message[0] ? fault->message : nsdyn_status_text(status);
    own.kind = fault->detail.kind;
    own.index = fault->detail.index;
    own.key = fault->detail.key;
    (void)snprintf(own.message, sizeof own.message, "%s", message);
  }
  if (error) {
    nsd_sized_write(error, NSD_ERROR_LEAST, &own, sizeof own);
  }
  return status;
}

nsdyn_status nsd_fault_detail(const nsd_fault *fault, nsdyn_detail *detail)
{
  return nsd_sized_write(detail, NSD_DETAIL_LEAST, &fault->detail, sizeof fault->detail);
}
