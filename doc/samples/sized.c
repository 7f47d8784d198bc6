/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <nsdyn/nsdyn.h>
#include <stdio.h>

/* What nsdyn_context_def may look like in a later release: one field more at the end. */
typedef struct later_def {
  nsdyn_context_def known;
  int64_t later_field;
} later_def;

int main(void)
{
  nsdyn_context *ctx;
  later_def def;

  /* A program built for the later release asks this library to fill its longer struct. */
  nsdyn_context_def_init(&def.known, sizeof def);
  nsdyn_status status = nsdyn_context_new(&def.known, &ctx, NULL);
  printf("field left alone: %s\n", nsdyn_status_name(status));
  nsdyn_context_free(ctx);

  /* It may not use what this library cannot do: that is refused, never silently ignored. */
  def.later_field = 1;
  status = nsdyn_context_new(&def.known, &ctx, NULL);
  printf("field used:       %s\n", nsdyn_status_name(status));
  return 0;
}
