/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Any machine, driven by either integrator with any options while callbacks fail, laws change and memory runs
 * out: support/wild.h says what is drawn, and what must hold. */
#include "support/wild.h"
#include "target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  wild_outcome outcome = {.tells = getenv("NSDYN_WILD_TELLS") != NULL,
                          .is_strict = getenv("NSDYN_WILD_STRICT") != NULL};
  if (!wild_drive(data, size, &outcome)) {
    fflush(stdout); /* what was told of the machine */
    fprintf(stderr, "broken: %s\n", outcome.broken);
    abort();
  }
  return 0;
}
