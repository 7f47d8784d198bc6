# nsdyn: dynamics of mechanical systems with contact, friction and impact
# SPDX-License-Identifier: GPL-3.0-or-later
"""examples/slider_crank: its slider stays where rods of l - c and l + c would have it. usage: slider_crank.py PROGRAM"""
import csv
import math
import sys

import driver

R, L, E, TILT, OMEGA = 0.05, 0.12, 0.01, 0.4, 20.0


def aside(t):
    """How far the pin is from the slider's line."""
    return math.hypot(R * math.sin(OMEGA * t) * math.cos(TILT) - E, R * math.sin(OMEGA * t) * math.sin(TILT))


def ideal(t, length=L):
    return R * math.cos(OMEGA * t) + math.sqrt(length**2 - aside(t) ** 2)


class SliderCrank(driver.CommonMixin, driver.PageMixin, driver.Driver):
    numbers = ("r", "l", "e", "tilt", "omega", "clearance", "m-rod", "m-slider", "mu", "eps", "g", "dt", "t-end")
    brief = ("--t-end", 0.02)

    def rows(self, *arguments):
        path = self.folder / "out.csv"
        got = self.results("--csv", path, *arguments)
        with open(path, encoding="ascii") as file:
            rows = [{name: float(value) for name, value in row.items()} for row in csv.DictReader(file)]
        return got, rows

    def test_without_clearance_it_is_the_ideal_mechanism(self):
        """To rounding, at any step: what bilateral rows miss is projected away."""
        for arguments in ((), ("--tilt", 0), ("--tilt", 1.2, "--e", 0.03), ("--omega", 100)):
            for dt in (1e-3, 1e-4):
                with self.subTest(arguments=arguments, dt=dt):
                    got = self.results("--clearance", 0, "--dt", dt, "--t-end", 0.4, *arguments)
                    self.assertLess(max(got["away"], got["joint"]), 1e-12 * L)
        _, rows = self.rows("--clearance", 0)
        for row in rows[::50]:
            self.assertAlmostEqual(row["x"], ideal(row["t"]), delta=1e-14)

    def test_velocity_of_the_ideal_mechanism(self):
        """To what a central difference of the place over 2e-6 s has."""
        for dt in (2e-4, 5e-5):
            _, rows = self.rows("--clearance", 0, "--dt", dt)
            for row in rows[1::37]:
                exact = (ideal(row["t"] + 1e-6) - ideal(row["t"] - 1e-6)) / 2e-6
                self.assertAlmostEqual(row["v"], exact, delta=1e-9)

    def test_clearance_bounds_the_slider(self):
        """Between the places of the ideal mechanisms with rods of l − c and l + c, whatever the joint does. What
        is left of joints is what a projection takes for rounding, 2^-46 of their terms, which sum up to less than 2."""
        for clearance in (1e-3, 3e-4):
            for mu, eps in ((0, 0), (0, 0.9), (0.1, 0.3), (0.8, 0.5)):
                with self.subTest(clearance=clearance, mu=mu, eps=eps):
                    got, rows = self.rows("--clearance", clearance, "--mu", mu, "--eps", eps)
                    self.assertLess(got["beyond"], 1e-14)
                    self.assertLess(got["joint"], 2**-45)
                    for row in rows[::100]:
                        self.assertLessEqual(ideal(row["t"], L - clearance) - 1e-14, row["x"])
                        self.assertLessEqual(row["x"], ideal(row["t"], L + clearance) + 1e-14)

    def test_tends_to_the_ideal_mechanism(self):
        """As c goes to zero the slider's deviation over c stays below the largest l/√(l² − s²), with s the pin's
        distance from the line."""
        steepest = max(L / math.sqrt(L * L - aside(k * 1e-3) ** 2) for k in range(400))
        for clearance in (1e-4, 1e-5, 1e-6):
            with self.subTest(clearance=clearance):
                got = self.results("--clearance", clearance)
                self.assertLess(got["away_over_clearance"], steepest * (1 + 2e-2))
                self.assertGreater(got["away_over_clearance"], 0.5)

    def test_restitution_makes_it_rattle(self):
        """What rattles is chaotic: in the mean over some speeds."""
        speeds = (19.5, 19.8, 20, 20.2, 20.5)
        calm, loud = ([self.results("--mu", 0, "--eps", eps, "--omega", omega) for omega in speeds] for eps in (0, 0.9))
        for name in ("losses", "free"):
            mean = [sum(got[name] for got in runs) / len(speeds) for runs in (calm, loud)]
            self.assertGreater(mean[1], 10 * mean[0], name)
        self.assertGreater(mean[1], 0.5)  # of the time

    def test_a_rod_that_is_too_short(self):
        self.refused("--l", 0.05, names="--l")


if __name__ == "__main__":
    driver.main(sys.argv[1], __name__)
