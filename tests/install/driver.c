/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* A program outside the tree: it sees only what is installed. Prints the release it runs with. */
#include <nsdyn/nsdyn.h>
#include <stdio.h>

static void count(void *user)
{
  ++*(int *)user;
}

int main(void)
{
  int ends = 0;
  nsdyn_context_def def;
  nsdyn_context *ctx;
  if (nsdyn_context_def_init(&def, sizeof def) != NSDYN_OK) {
    return 1;
  }
  def.user = &ends;
  def.destroy_user = count;
  const nsdyn_status status = nsdyn_context_new(&def, &ctx, NULL);
  if (status != NSDYN_OK) {
    fprintf(stderr, "%s: %s\n", nsdyn_status_name(status), nsdyn_status_text(status));
    return 1;
  }
  nsdyn_context_free(ctx);
  puts(nsdyn_version_string());
  return ends == 1 ? 0 : 1;
}
