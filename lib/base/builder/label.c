/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "base/builder/label.h"

#include <stdio.h>
#include <string.h>

void nsd_name_copy(char own[NSD_NAME_LENGTH], const char *given)
{
  size_t n = 0;
  while (given && n < NSD_NAME_LENGTH - 1 && given[n]) {
    n++;
  }
  /* What follows a cut must not go on with a character: bytes 10xxxxxx of UTF-8 do. */
  if (given && given[n]) {
    while (n > 0 && ((unsigned char)given[n] & 0xC0U) == 0x80U) {
      n--;
    }
  }
  if (n) {
    memcpy(own, given, n);
  }
  memset(own + n, 0, NSD_NAME_LENGTH - n);
}

const char *nsd_label_text(const char *what, int32_t number, const char *name, char text[NSD_LABEL_LENGTH])
{
  if (name[0]) {
    (void)snprintf(text, NSD_LABEL_LENGTH, "%s %d (%s)", what, (int)number, name);
  } else {
    (void)snprintf(text, NSD_LABEL_LENGTH, "%s %d", what, (int)number);
  }
  return text;
}
