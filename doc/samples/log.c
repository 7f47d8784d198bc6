/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <nsdyn/nsdyn.h>
#include <stdio.h>

static void my_log(void *user, int32_t level, const char *line)
{
  (void)user;
  fprintf(stderr, "nsdyn, level %d: %s\n", level, line);
}

int main(void)
{
  nsdyn_context_def def;
  nsdyn_context *ctx;
  nsdyn_context_def_init(&def, sizeof def);
  def.log = my_log;
  nsdyn_status status = nsdyn_context_new(&def, &ctx, NULL);
  printf("%s\n", nsdyn_status_text(status));
  nsdyn_context_free(ctx);
  return status != 0;
}
