/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <nsdyn/nsdyn.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
  int major, minor;
  nsdyn_version(&major, &minor, NULL);
  if (major != NSDYN_VERSION_MAJOR || minor < NSDYN_VERSION_MINOR) {
    printf("compiled for nsdyn %s, running with %s\n", NSDYN_VERSION_STRING, nsdyn_version_string());
    return 1;
  }
  puts(strcmp(nsdyn_version_string(), NSDYN_VERSION_STRING) == 0 ? "same release" : "newer release");
  return 0;
}
