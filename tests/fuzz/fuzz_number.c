/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Any text read as a number; any number written and read back. */
#include <math.h>

#include "base/number.h"
#include "target.h"

/* The text ends where the bytes do, without a zero behind it: a copy of just that length lets ASan see
 * a read beyond. */
static void read_text(const uint8_t *data, size_t size)
{
  char *text = malloc(size ? size : 1);
  REQUIRE(text);
  if (size) {
    memcpy(text, data, size);
  }
  double value = 12.5;
  const char *stop = nsd_number_read(text, text + size, &value);
  REQUIRE(!stop || (stop > text && stop <= text + size));
  REQUIRE(stop || value == 12.5);
  REQUIRE(!isnan(value));
  if (stop) {
    /* What was read is one number: it stands alone too, and means the same. */
    double again = 12.5;
    REQUIRE(nsd_number_read(text, stop, &again) == stop && again == value);
  }
  free(text);
}

static void write_and_read(double value)
{
  char text[NSD_NUMBER_LENGTH];
  memset(text, 'x', sizeof text);
  REQUIRE(nsd_number_text(value, text) == text);
  const char *end = memchr(text, '\0', sizeof text);
  REQUIRE(end && end > text);
  double again = 0.0;
  const char *stop = nsd_number_read(text, end, &again);
  if (isnan(value)) {
    REQUIRE(!stop);
  } else {
    REQUIRE(stop == end && memcmp(&again, &value, sizeof value) == 0);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  read_text(data, size);
  reader from = {data, size};
  write_and_read(read_double(&from));
  return 0;
}
