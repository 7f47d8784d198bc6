/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <nsdyn/nsdyn.h>
#include <stdio.h>

static void say(nsdyn_status status)
{
  const char *kind = status < 0 ? "error" : status > 0 ? "no error, no solution" : "good";
  printf("%d %s (%s)\n", status, nsdyn_status_name(status), kind);
  printf("  %s\n", nsdyn_status_text(status));
}

int main(void)
{
  nsdyn_context *ctx;
  say(nsdyn_context_new(NULL, &ctx, NULL)); /* what every call returns */
  nsdyn_context_free(ctx);

  say(nsdyn_context_new(NULL, NULL, NULL)); /* nowhere to put the context */
  say(NSDYN_UNDECIDED);                     /* what a solver may answer */
  return 0;
}
