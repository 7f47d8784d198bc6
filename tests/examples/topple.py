# nsdyn: dynamics of mechanical systems with contact, friction and impact
# SPDX-License-Identifier: GPL-3.0-or-later
"""examples/topple: a block slides, tips and rocks as statics and Housner say. usage: topple.py PROGRAM"""
import math
import sys

import driver

A, B, C, G, M = 0.1, 0.15, 0.4, 9.81, 10


def time_to_fall(tilt, a=A, c=C):
    """A pendulum upside down, of radius R with I = 4/3 m R²: t = ∫ dθ / ω from `tilt` to 0, with θ = tilt (1 − s²)."""
    radius, alpha, total, count = math.hypot(a, c), math.atan2(a, c), 0.0, 20000
    for k in range(count):
        s = (k + 0.5) / count
        theta = tilt * (1 - s * s)
        omega = math.sqrt(1.5 * G / radius * (math.cos(alpha - tilt) - math.cos(alpha - theta)))
        total += 2 * tilt * s / omega / count
    return total


class Topple(driver.CommonMixin, driver.PageMixin, driver.Driver):
    numbers = ("push", "azimuth", "height", "tilt", "a", "b", "c", "mu", "m", "g", "dt", "t-end")

    def test_tips_where_statics_says(self):
        """Over an edge or the corner: not at 0.98 of m g min(a/|cos φ|, b/|sin φ|)/h, but at 1.02 of it."""
        for azimuth in (0, 0.5, math.atan2(B, A), 1.3, math.pi / 2, 2.5, -1.0):
            limit = M * G * min(A / abs(math.cos(azimuth)), B / max(1e-15, abs(math.sin(azimuth)))) / 0.6
            for share in (0.98, 1.02):
                with self.subTest(azimuth=azimuth, share=share):
                    got = self.results("--push", share * limit, "--azimuth", azimuth, "--dt", 1e-3)
                    self.assertAlmostEqual(got["push_tips"] / limit, 1, delta=1e-12)
                    if share < 1:
                        self.assertLess(max(got["turn"], got["way"]), 1e-11)
                    else:
                        self.assertGreater(got["turn"], 0.01)

    def test_slides_where_coulomb_says(self):
        """A low push: from μ m g on it slides, upright, with F/m − μ g."""
        for azimuth in (0, 0.7, 2.0):
            for push in (15, 25):
                with self.subTest(azimuth=azimuth, push=push):
                    got = self.results("--push", push, "--azimuth", azimuth, "--height", 0.2, "--mu", 0.2, "--dt", 1e-3)
                    self.assertLess(got["turn"], 1e-11)
                    self.assertAlmostEqual(got["push_slides"], 0.2 * M * G, delta=1e-12)
                    way = max(0, push / M - 0.2 * G) / 2
                    self.assertAlmostEqual(got["way"], way, delta=2e-3 * way + 1e-11)

    def test_rocks(self):
        """The time until the block comes down, its rate then, and what Housner's impact leaves of it."""
        for tilt in (0.05, 0.12, 0.2):
            with self.subTest(tilt=tilt):
                got = self.results("--tilt", tilt)
                radius, alpha = math.hypot(A, C), math.atan2(A, C)
                rate = math.sqrt(1.5 * G / radius * (math.cos(alpha - tilt) - math.cos(alpha)))
                self.assertAlmostEqual(got["falls"], time_to_fall(tilt), delta=5e-4)
                self.assertAlmostEqual(-got["rate_before"], rate, delta=5e-3 * rate)
                self.assertAlmostEqual(got["rate_ratio_exact"], 1 - 1.5 * math.sin(alpha) ** 2, delta=1e-12)
                self.assertAlmostEqual(got["rate_ratio"], got["rate_ratio_exact"], delta=5e-3)
                self.assertLess(got["energy_gain"], 1e-4 * got["energy_before"])

    def test_housner_to_first_order(self):
        """The error of the ratio halves with the step, or is below what counts."""
        coarse, fine = (self.results("--dt", dt) for dt in (4e-4, 5e-5))
        error = [abs(got["rate_ratio"] - got["rate_ratio_exact"]) for got in (coarse, fine)]
        self.assertLess(error[1], 0.3 * error[0] + 1e-4)

    def test_falls_over_beyond_its_corner(self):
        """Tilted by more than α the middle is beyond the edge."""
        alpha = math.atan2(A, C)
        self.assertGreater(self.results("--tilt", alpha + 0.01, "--t-end", 3, "--dt", 1e-3)["turn"], 1)
        self.assertIn("falls", self.results("--tilt", alpha - 0.01, "--t-end", 3, "--dt", 1e-3))


if __name__ == "__main__":
    driver.main(sys.argv[1], __name__)
