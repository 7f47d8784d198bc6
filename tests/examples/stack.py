# nsdyn: dynamics of mechanical systems with contact, friction and impact
# SPDX-License-Identifier: GPL-3.0-or-later
"""examples/stack: boxes at rest stay at rest, and tip and slide when they should. usage: stack.py PROGRAM"""
import math
import sys

import driver


class Stack(driver.CommonMixin, driver.PageMixin, driver.Driver):
    shown = ("--gap", 1e-4, "--boxes", 3, "--steps", 60)
    numbers = ("mu", "eps", "slope", "azimuth", "gap", "m", "g", "tol", "dt")
    brief = ("--steps", 50)

    def assert_rests(self, got, share=1e-9):
        """What is left of velocities is a share that the solver's tolerance allows, wherever within it the solver stops:
        tol · scale is 1e-11 m/s for a step's weight, on a scale of 1e-2 m/s. A corner that is let go for one step falls at
        1e-3 m/s or more."""
        self.assertLess(got["largest_speed"], 100 * share)
        self.assertLess(got["drift_per_step"], 1e-2 * share)
        self.assertLess(got["turn"], 10 * share)
        self.assertLess(got["energy_gain"], 1e-2 * share * got["energy_before"])

    def test_rests(self):
        """Ten boxes, four contacts a face: a drift below 1e-10 m a step (below 1e-12 indeed), no energy gained."""
        got = self.results("--steps", driver.some(3000))
        self.assert_rests(got)
        self.assertEqual(got["contacts"], 40)

    def test_rests_on_a_slope(self):
        """In any direction, as long as it neither slides, tan < μ, nor tips, tan < half the width over half the
        height: 0.3 or more."""
        for azimuth in (0, 0.7, math.pi / 2, 4):
            with self.subTest(azimuth=azimuth):
                self.assert_rests(self.results("--slope", math.atan(0.25), "--azimuth", azimuth, "--steps",
                                              driver.some(1000)))

    def test_rests_nearly_tipping(self):
        """There what the solver leaves grows by itself, and gaps with it, until the solver has to notice."""
        for tan in (0.29, 0.27, 0.28, 0.285)[: 1 if driver.QUICK else 4]:
            with self.subTest(tan=tan):
                self.assert_rests(self.results("--slope", math.atan(tan), "--azimuth", math.pi / 2, "--steps", 600))

    def test_does_not_creep(self):
        """What a step misses by is the same in the next one; a last solution that hardly still is one is taken nearer,
        so that not tol adds up but a small share of it."""
        for steps in (driver.some(1000), driver.some(4000)):
            got = self.results("--steps", steps)
            self.assertLess(got["drift"], 1e-12)
            self.assertLess(got["depth"], 1e-12)
            self.assertLess(got["turn"], 1e-12)
            self.assertLess(got["energy_gain"], 1e-12)

    def test_tips(self):
        """Over the short edge beyond 0.15/0.5, over the long one beyond 0.2/0.5; and not before."""
        for azimuth, limit in ((math.pi / 2, 0.3), (0, 0.4)):
            for tan in (0.95 * limit, 1.05 * limit):
                with self.subTest(azimuth=azimuth, tan=tan):
                    got = self.results("--slope", math.atan(tan), "--azimuth", azimuth, "--steps", 300)
                    if tan < limit:
                        self.assertLess(got["turn"], 1e-8)
                    else:
                        self.assertGreater(got["turn"], 1e-3)

    def test_slides(self):
        """One flat box on a slope that is too steep: as a particle, to the way's first order."""
        slope, mu, t = 0.6, 0.5, 0.3
        got = self.results("--boxes", 1, "--slope", slope, "--mu", mu, "--steps", 300)
        a = 9.81 * (math.sin(slope) - mu * math.cos(slope))
        self.assertAlmostEqual(got["creep"], a * t * t / 2, delta=1e-5)
        self.assertAlmostEqual(got["largest_speed"], a * t, delta=1e-5)

    def test_falls_and_comes_to_rest(self):
        """Boxes with room between them fall together and stop: the rate of drift is that of rest afterwards."""
        for arguments in (("--gap", 0.01, "--eps", 0.3), ("--gap", 0.001))[: 1 if driver.QUICK else 2]:
            with self.subTest(arguments=arguments):
                some, more = (self.results(*arguments, "--steps", n) for n in (2000, 2500))
                self.assertAlmostEqual(more["drift"], some["drift"], delta=1e-9)
                self.assertAlmostEqual(more["energy"], some["energy"], delta=1e-7)
                self.assertLessEqual(more["energy_gain"], 0)

    def test_heights(self):
        for boxes in (1, 2, 20):
            with self.subTest(boxes=boxes):
                got = self.results("--boxes", boxes, "--steps", 200)
                self.assertAlmostEqual(got["energy_before"], 2 * 9.81 * 0.1 * boxes**2 / 2, delta=1e-9)
                self.assertLess(got["drift_per_step"], 1e-10)
                self.assertLess(got["energy_gain"], 1e-11 * got["energy_before"])

    def test_page_carries_the_weight(self):
        """What stands on each joint: forces at its height are the weight of all above."""
        motion = self.page("--boxes", 3, "--steps", 50)
        forces = motion["forces"][-1]
        for joint in range(3):
            up = sum(forces[k + 5] for k in range(0, len(forces), 6) if abs(forces[k + 2] - 0.1 * joint) < 1e-3)
            self.assertAlmostEqual(up / ((3 - joint) * 2 * 9.81), 1, delta=1e-6)


if __name__ == "__main__":
    driver.main(sys.argv[1], __name__)
