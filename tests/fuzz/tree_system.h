/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* A system of a tree, asked at rest and at any state: M, h, and rows of elements and loops, on numbers that
 * nobody has checked but for being some. Nothing is expected but an answer. */
#ifndef TESTS_FUZZ_TREE_SYSTEM_H
#define TESTS_FUZZ_TREE_SYSTEM_H

#include <math.h>

#include "nsdyn/stepper.h"
#include "target.h"

enum { TREE_SYSTEM_MOST = 64 };

static inline void use_tree_system(nsdyn_tree *tree, nsdyn_system *sys, reader from)
{
  double q[TREE_SYSTEM_MOST], u[TREE_SYSTEM_MOST];
  const int32_t nq = nsdyn_tree_nq(tree), nu = nsdyn_tree_nu(tree);
  if (nq > TREE_SYSTEM_MOST) {
    return;
  }
  for (int k = 0; k < 3; k++) { /* at rest; small numbers; any */
    nsdyn_system_check_report report = {.size = sizeof report};
    nsdyn_stepper_options options;
    nsdyn_stepper *stepper = NULL;
    REQUIRE(nsdyn_tree_rest(tree, q) == NSDYN_OK);
    for (int32_t i = 0; i < nq && k; i++) {
      q[i] = k == 1 ? q[i] + 0.125 * read_below(&from, 9) - 0.5 : read_double(&from);
    }
    for (int32_t i = 0; i < nu; i++) {
      u[i] = k == 0 ? 0.0 : k == 1 ? 0.125 * read_below(&from, 9) - 0.5 : read_double(&from);
    }
    const nsdyn_status status = nsdyn_system_check(sys, 0.0, q, u, &report);
    REQUIRE(!status || nsdyn_system_message(sys)[0]);
    nsdyn_stepper_options_init(&options, sizeof options);
    options.start_tol = (double)INFINITY;
    options.check = 0;
    REQUIRE(nsdyn_stepper_new(NULL, sys, &options, &stepper, NULL) == NSDYN_OK);
    if (!nsdyn_stepper_set_state(stepper, 0.0, q, u) && !nsdyn_stepper_step(stepper, 1e-3)) {
      for (int32_t i = 0; i < nu; i++) {
        REQUIRE(isfinite(nsdyn_stepper_u(stepper)[i]));
      }
    }
    nsdyn_stepper_free(stepper);
  }
}

#endif
