/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* What lib/base computes. */
#include <string.h>

#include "base/number.h"
#include "hash.h"

void golden_number(hash *h)
{
  char text[NSD_NUMBER_LENGTH];
  stream from = stream_begin(1);
  for (int k = 0; k < 3000; k++) {
    double value = 0.0;
    nsd_number_text(stream_any(&from), text);
    nsd_number_read(text, text + strlen(text), &value);
    hash_bytes(h, text, strlen(text));
    hash_double(h, value);
  }
}
