/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "file.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

char *file_read(const char *path, size_t *length)
{
  FILE *file = strcmp(path, "-") == 0 ? stdin : fopen(path, "rb");
  size_t room = 4096;
  char *text = memory(NULL, room, 1);
  *length = 0;
  while (file && !feof(file) && !ferror(file)) {
    if (*length == room) {
      room *= 2;
      text = memory(text, room, 1);
    }
    *length += fread(text + *length, 1, room - *length, file);
  }
  const int failed = !file || ferror(file);
  if (file && file != stdin) {
    fclose(file);
  }
  if (failed) {
    free(text);
  }
  return failed ? NULL : text;
}

static int by_size(const void *left, const void *right)
{
  const double a = *(const double *)left, b = *(const double *)right;
  return (a > b) - (a < b);
}

static double seconds(void)
{
  struct timespec now;
  timespec_get(&now, TIME_UTC);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void time_repeats(const output *out, int repeat, void (*work)(void *user), void *user)
{
  double *times = memory(NULL, (size_t)repeat, sizeof *times);
  for (int k = 0; k < repeat; k++) {
    const double begin = seconds();
    work(user);
    times[k] = seconds() - begin;
  }
  qsort(times, (size_t)repeat, sizeof *times, by_size);
  result(out, "repeats", repeat, "1");
  result(out, "time_least", times[0], "s");
  result(out, "time_median", times[repeat / 2], "s");
  free(times);
}
