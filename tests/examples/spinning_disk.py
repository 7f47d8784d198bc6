# nsdyn: dynamics of mechanical systems with contact, friction and impact
# SPDX-License-Identifier: GPL-3.0-or-later
"""examples/spinning_disk: Euler's disk goes round as its closed form says. usage: spinning_disk.py PROGRAM"""
import math
import sys

import driver


class SpinningDisk(driver.CommonMixin, driver.PageMixin, driver.Driver):
    numbers = ("tilt", "a", "tol", "mu", "m", "g", "dt", "t-end")

    def test_rate(self):
        """Ω² = 4 g / (a sin α), to first order in the angle of a step, at any tilt; tilt and energy stay."""
        for tilt in (0.03, 0.1, 0.5, 1.0):
            exact = math.sqrt(4 * 9.81 / (0.0375 * math.sin(tilt)))
            for angle in (4e-3, 1e-3):
                with self.subTest(tilt=tilt, angle=angle):
                    got = self.results("--tilt", tilt, "--dt", angle / exact, "--t-end", 12 / exact)
                    self.assertAlmostEqual(got["rate_exact"] / exact, 1, delta=1e-14)
                    self.assertAlmostEqual(got["rate"] / exact, 1, delta=2 * angle)
                    self.assertAlmostEqual(got["least_tilt"] / tilt, 1, delta=3 * angle)
                    self.assertAlmostEqual(got["largest_tilt"] / tilt, 1, delta=3 * angle)
                    self.assertAlmostEqual(got["energy"] / got["energy_before"], 1, delta=angle)
                    self.assertLess(got["way_of_centre"], 0.0375 * angle)

    def test_events(self):
        """From event to event nothing is lost by steps: rate, tilt, energy and place to the tolerance."""
        for tilt in (0.03, 0.1, 0.5, 1.0):
            for tol, off in ((1e-9, 1e-8), (1e-12, 1e-10)):
                with self.subTest(tilt=tilt, tol=tol):
                    exact = math.sqrt(4 * 9.81 / (0.0375 * math.sin(tilt)))
                    got = self.results("--scheme", "event", "--tol", tol, "--tilt", tilt, "--dt", 0.3 / exact, "--t-end",
                                       40 / exact)
                    self.assertAlmostEqual(got["rate"] / exact, 1, delta=off)
                    self.assertAlmostEqual(got["least_tilt"] / tilt, 1, delta=off)
                    self.assertAlmostEqual(got["largest_tilt"] / tilt, 1, delta=off)
                    self.assertAlmostEqual(got["energy"] / got["energy_before"], 1, delta=off)
                    self.assertLess(got["way_of_centre"], 0.0375 * off)

    def test_first_order(self):
        coarse, fine = (self.results("--dt", dt) for dt in (4e-5, 2e-5))
        error = [abs(got["rate"] / got["rate_exact"] - 1) for got in (coarse, fine)]
        self.assertAlmostEqual(error[0] / error[1], 2, delta=0.2)

    def test_needs_no_friction(self):
        """The point of contact and the centre are at rest, so that nothing asks for a force along the floor."""
        for mu in (0, 0.1):
            got = self.results("--mu", mu, "--dt", 1e-5, "--t-end", 0.1)
            self.assertAlmostEqual(got["rate"] / got["rate_exact"], 1, delta=1e-3)


if __name__ == "__main__":
    driver.main(sys.argv[1], __name__)
