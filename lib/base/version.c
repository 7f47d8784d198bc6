/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "nsdyn/version.h"

const char *nsdyn_version_string(void)
{
  return NSDYN_VERSION_STRING;
}

void nsdyn_version(int32_t *major, int32_t *minor, int32_t *micro)
{
  if (major) {
    *major = NSDYN_VERSION_MAJOR;
  }
  if (minor) {
    *minor = NSDYN_VERSION_MINOR;
  }
  if (micro) {
    *micro = NSDYN_VERSION_MICRO;
  }
}
