/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* All scenarios as TAP; with --calls, the names of the calls they cover. */
#include <stdio.h>
#include <string.h>

#include "harness.h"

static int print_calls(void)
{
  for (const scenario *const *s = scenarios; *s; s++) {
    puts((*s)->calls);
  }
  return 0;
}

int main(int argc, char **argv)
{
  if (argc > 1 && strcmp(argv[1], "--calls") == 0) {
    return print_calls();
  }
  int count = 0, failed = 0;
  for (const scenario *const *s = scenarios; *s; s++) {
    const char *wrong = harness_run(*s);
    printf("%sok %d - %s\n", wrong ? "not " : "", ++count, (*s)->name);
    if (wrong) {
      printf("# %s\n", wrong);
      failed++;
    }
  }
  printf("1..%d\n", count);
  return failed > 0;
}
