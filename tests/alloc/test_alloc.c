/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* All scenarios as TAP; with --calls, the names of the calls they cover. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"

static int print_calls(void)
{
  for (const scenario *const *s = scenarios; *s; s++) {
    puts((*s)->calls);
  }
  return 0;
}

/* Under checkers that cost time, NSDYN_TEST_SCALE below 1, all that an object must still be able to do is
 * asked after every fifth failure at the least. */
static int followed(void)
{
  const char *text = getenv("NSDYN_TEST_SCALE");
  const double scale = text ? strtod(text, NULL) : 1.0;
  return scale >= 1.0 ? 1 : scale > 0.2 ? (int)(1.0 / scale) : 5;
}

int main(int argc, char **argv)
{
  if (argc > 1 && strcmp(argv[1], "--calls") == 0) {
    return print_calls();
  }
  int count = 0, failed = 0;
  const int every = followed();
  for (const scenario *const *s = scenarios; *s; s++) {
    const char *wrong = harness_run(*s, every);
    printf("%sok %d - %s\n", wrong ? "not " : "", ++count, (*s)->name);
    if (wrong) {
      printf("# %s\n", wrong);
      failed++;
    }
  }
  printf("1..%d\n", count);
  return failed > 0;
}
