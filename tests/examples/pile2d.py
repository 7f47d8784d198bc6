# nsdyn: dynamics of mechanical systems with contact, friction and impact
# SPDX-License-Identifier: GPL-3.0-or-later
"""examples/pile2d: polygons of any shape come to rest in a box. usage: pile2d.py PROGRAM"""
import math
import sys

import driver


class Pile2d(driver.CommonMixin, driver.PageMixin, driver.Driver):
    numbers = ("polygons", "corners", "seed", "width", "r", "rough", "watch", "mu", "eps", "g", "tol", "dt", "t-end")
    brief = ("--polygons", "2", "--t-end", "0.02")

    def assert_rests(self, got, count, dt, height):
        """No step gains energy but by what turns within it, nothing is deeper than what falls in a step, each body lies on
        two places, and nothing moves: rounding and the solver's tolerance of 1e-9 leave less than 1e-8."""
        self.assertLess(got["energy_gain"], 1e-6 * got["energy_before"])
        self.assertLess(got["penetration"], 2 * math.sqrt(2 * 9.81 * height) * dt)
        self.assertGreaterEqual(got["contacts"], 1.5 * count)
        self.assertLess(got["speed"], 1e-8)
        self.assertLess(got["creep"], 1e-8)

    def test_piles_rest_without_creep(self):
        for seed, rough in ((3, 0.7), (5, 0.7), (6, 0.4))[:3 if driver.SCALE > 0.5 else 1]:
            with self.subTest(seed=seed, rough=rough):
                got = self.results("--polygons", 10, "--seed", seed, "--rough", rough, "--dt", 5e-4, "--watch", 0.2)
                self.assert_rests(got, 10, 5e-4, 0.4)

    def test_events_end_on_the_same_side(self):
        """One triangle, by steps and from event to event: on the same side, so its energy is the same."""
        energies = []
        for scheme in ("moreau", "event"):
            got = self.results("--polygons", 1, "--corners", 3, "--scheme", scheme, "--t-end", 1, "--dt", 2e-4)
            self.assertLess(got["speed"], 1e-9)
            self.assertEqual((got["contacts"], got["most_contacts"]), (2, 2))  # two corners of a side
            energies.append(got["energy"])
        self.assertAlmostEqual(energies[0] / energies[1], 1, delta=1e-2)

    def test_without_friction_it_flows(self):
        """Friction is what keeps a slope: without it the same polygons lie lower."""
        rough, smooth = (self.results("--polygons", 10, "--seed", 4, "--mu", mu)["energy"] for mu in (0.8, 0))
        self.assertLess(smooth, rough)

    def test_steps_that_are_too_large(self):
        """Told with the bodies, and how deep."""
        done = driver.run("--polygons", 8, "--dt", 0.05)
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"the ground and body \d+, shapes .* the step was too large")
        self.refused("--r", 0.6, names="--r")


if __name__ == "__main__":
    driver.main(sys.argv[1], __name__)
