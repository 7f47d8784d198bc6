/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Friction on curved paths is of the order of its load. */
#include "stepper/drift/follow_path.h"

#include "beads.h"

static nsdyn_stepper_options alpha(void)
{
  nsdyn_stepper_options options = stepper_unchecked();
  options.scheme = NSDYN_SCHEME_GENERALIZED_ALPHA;
  return options;
}

START_TEST(friction_on_curved_paths_is_of_second_order)
{
  for (int k = 0; k < 2 * 2 * 3; k++) {
    const int rough = 1 + k / 4;
    bead b = {.hold = k % 2 ? PRESSED : SLOT, .drag = k / 2 % 2 ? 3.0 : 0.0, .mu = 0.1 * rough};
    const nsdyn_stepper_options options = alpha();
    double error[2][2], drift[2];
    bead_errors(&b, &options, 200, error[0], drift);
    bead_errors(&b, &options, 400, error[1], drift);
    for (int i = 0; i < 2; i++) { /* or so small that what is of third order shows */
      REQUIRE(error[1][i] <= 0.3 * error[0][i] || error[1][i] <= 2e-7, "case %d: %d: %g to %g", k, i,
              error[0][i], error[1][i]);
    }
    REQUIRE(drift[0] <= 1e-13, "case %d: %g off", k, drift[0]);
  }
}
END_TEST

/* N = m (g + v²)/(1 + x²) of (−x, 1), in the middle of each step, whatever the steps before were long. */
START_TEST(loads_are_of_second_order_in_steps_of_any_lengths)
{
  for (int k = 0; k < 2 * 3; k++) {
    const int rough = k / 2;
    bead b = {.hold = k % 2 ? PRESSED : SLOT, .mu = 0.1 * rough};
    const nsdyn_stepper_options options = alpha();
    double worst[2] = {0.0, 0.0};
    for (int i = 0; i < 2; i++) {
      const double dt = i ? 1e-3 : 2e-3;
      nsdyn_stepper *s = bead_stepper(&b, &options);
      set_state(s, (double[]){-0.6, 0.18}, (double[]){1.2, -0.72});
      for (int step = 0; nsdyn_stepper_time(s) < 0.3; step++) {
        const double x = nsdyn_stepper_q(s)[0], v = nsdyn_stepper_u(s)[0], h = step / 3 % 2 ? 1.5 * dt : dt;
        run(s, h, 1);
        const double v_E = nsdyn_stepper_u(s)[0], mean = 0.5 * (v + v_E),
                     middle = 0.5 * (x + nsdyn_stepper_q(s)[0]) - 0.125 * h * (v_E - v);
        const double exact = bead_mass * (weight + mean * mean) / (1.0 + middle * middle);
        if (step > 2) { /* a run begins with what it has not seen */
          worst[i] = fmax(fabs(state_of(s, 0).force[0] - exact), worst[i]);
        }
      }
      nsdyn_stepper_free(s);
    }
    REQUIRE(worst[0] <= 1e-3 * bead_mass * weight && worst[1] <= 0.35 * worst[0], "case %d: %g to %g", k,
            worst[0], worst[1]);
  }
}
END_TEST

SUITE("stepper/drift/follow_path", TEST(friction_on_curved_paths_is_of_second_order),
      TEST(loads_are_of_second_order_in_steps_of_any_lengths))
