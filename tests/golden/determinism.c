/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Prints one hash for each module of the library. A new module: write golden_x, declare it in hash.h,
 * name it here, and store its hash with determinism.py --store. */
#include <inttypes.h>
#include <stdio.h>

#include "hash.h"

static const struct {
  const char *name;
  void (*run)(hash *h);
} modules[] = {
    /* clang-format off */
    {"blocks", golden_blocks},
    {"broad_phase", golden_broad_phase},
    {"cholesky", golden_cholesky},
    {"contact", golden_contact},
    {"damped", golden_damped},
    {"dopri", golden_dopri},
    {"driver", golden_driver},
    {"driver_space", golden_driver_space},
    {"eigenvalues", golden_eigenvalues},
    {"enumerate", golden_enumerate},
    {"geometry", golden_geometry},
    {"impact", golden_impact},
    {"lcp", golden_lcp},
    {"locate", golden_locate},
    {"lu", golden_lu},
    {"multibody", golden_multibody},
    {"norm", golden_norm},
    {"number", golden_number},
    {"operator", golden_operator},
    {"output", golden_output},
    {"pivot", golden_pivot},
    {"product", golden_product},
    {"rotation", golden_rotation},
    {"scheme", golden_scheme},
    {"setvalued", golden_setvalued},
    {"sparse", golden_sparse},
    {"split", golden_split},
    {"stepper", golden_stepper},
    {"study", golden_study},
    {"system", golden_system},
    {"trajectory", golden_trajectory},
    {"two_contacts", golden_two_contacts},
    {"world", golden_world},
    /* clang-format on */
};

int main(void)
{
  for (size_t i = 0; i < sizeof modules / sizeof *modules; i++) {
    hash h = hash_begin();
    modules[i].run(&h);
    printf("%s %016" PRIx64 "\n", modules[i].name, h.value);
  }
  return ferror(stdout) != 0;
}
