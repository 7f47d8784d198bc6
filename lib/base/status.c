/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "nsdyn/base.h"

typedef struct status_entry {
  nsdyn_status status;
  const char *name;
  const char *text;
} status_entry;

static const status_entry entries[] = {
    {NSDYN_OK, "NSDYN_OK", "done"},
    {NSDYN_STOPPED, "NSDYN_STOPPED", "stopped here, as asked"},
    {NSDYN_CANCELLED, "NSDYN_CANCELLED", "cancelled by the progress callback"},
    {NSDYN_MAX_ITERATIONS, "NSDYN_MAX_ITERATIONS", "the limit of iterations was reached first"},
    {NSDYN_UNDECIDED, "NSDYN_UNDECIDED",
     "the search ended without a solution; whether one exists is undecided"},
    {NSDYN_NO_SOLUTION, "NSDYN_NO_SOLUTION", "there is no solution; this is proved"},
    {NSDYN_INACCURATE, "NSDYN_INACCURATE", "an answer was found, but it is not accurate enough"},
    {NSDYN_ERR_NOMEM, "NSDYN_ERR_NOMEM", "out of memory"},
    {NSDYN_ERR_ARGUMENT, "NSDYN_ERR_ARGUMENT", "an argument or option is outside its range"},
    {NSDYN_ERR_NOT_FINITE, "NSDYN_ERR_NOT_FINITE",
     "a NaN or an infinity stands where a number is needed, or arises on the way"},
    {NSDYN_ERR_STRUCT_SIZE, "NSDYN_ERR_STRUCT_SIZE",
     "a struct's size is not known; fill it with its init function first"},
    {NSDYN_ERR_STRUCT_TOO_NEW, "NSDYN_ERR_STRUCT_TOO_NEW",
     "a struct sets a field that this library is too old to know"},
    {NSDYN_ERR_SINGULAR, "NSDYN_ERR_SINGULAR", "a matrix that must be regular is singular"},
    {NSDYN_ERR_NOT_DEFINITE, "NSDYN_ERR_NOT_DEFINITE", "a matrix that must be positive definite is not"},
    {NSDYN_ERR_CALLBACK, "NSDYN_ERR_CALLBACK", "a callback stopped the call"},
    {NSDYN_ERR_CALLBACK_RETRY, "NSDYN_ERR_CALLBACK_RETRY",
     "a callback asked for a shorter step, but the step is fixed"},
    {NSDYN_ERR_BUSY, "NSDYN_ERR_BUSY", "called from inside a callback of the same object"},
    {NSDYN_ERR_TOO_LARGE, "NSDYN_ERR_TOO_LARGE", "a size is too large to be stored"},
    {NSDYN_ERR_SYNTAX, "NSDYN_ERR_SYNTAX", "a text does not follow its format"},
    {NSDYN_ERR_UNSUPPORTED, "NSDYN_ERR_UNSUPPORTED", "the chosen method cannot handle this class of problem"},
    {NSDYN_ERR_INCONSISTENT, "NSDYN_ERR_INCONSISTENT",
     "a state breaks constraints or contacts, or callbacks contradict each other"},
};

static const status_entry *find(nsdyn_status status)
{
  for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
    if (entries[i].status == status) {
      return &entries[i];
    }
  }
  return NULL;
}

const char *nsdyn_status_name(nsdyn_status status)
{
  const status_entry *entry = find(status);
  return entry ? entry->name : "NSDYN_UNKNOWN";
}

const char *nsdyn_status_text(nsdyn_status status)
{
  const status_entry *entry = find(status);
  return entry ? entry->text : "not a status of this library";
}
