# nsdyn: dynamics of mechanical systems with contact, friction and impact
# SPDX-License-Identifier: GPL-3.0-or-later
"""examples/stairs: a box tumbles down stairs, from event to event and by steps. usage: stairs.py PROGRAM"""
import math
import sys

import driver


class Stairs(driver.CommonMixin, driver.PageMixin, driver.Driver):
    numbers = ("width", "height", "run", "rise", "steps", "speed", "mu", "eps", "g", "tol", "dt", "t-end")
    brief = ("--t-end", "0.2")

    def test_lies_on_a_tread_or_the_ground(self):
        """In the end it rests on one of its sides, at a height that is one of the stairs' and half of itself."""
        cases = ((3.5, 0.3, 0.3), (3.5, 0.3, 0), (2.2, 0.5, 0), (5, 0.6, 0))
        for speed, mu, eps in cases[:1] if driver.SCALE <= 0.1 else cases:
            with self.subTest(speed=speed, mu=mu, eps=eps):
                got = self.results("--speed", speed, "--mu", mu, "--eps", eps, "--t-end", 4)
                quarters = got["phi"] / (math.pi / 2)
                self.assertAlmostEqual(quarters, round(quarters), delta=1e-9)
                half = 0.15 if round(quarters) % 2 else 0.1
                steps = -(got["y"] - half) / 0.3
                self.assertAlmostEqual(steps, round(steps), delta=1e-9)
                self.assertGreaterEqual(got["impacts"], 3)

    def test_energy_is_lost(self):
        """No impact nor friction gives any: m g h + m v²/2 at the beginning, m g y in the end."""
        got = self.results("--t-end", 4)
        mass = 0.3 * 0.2
        self.assertAlmostEqual(got["energy_begin"], mass * (9.81 * 0.1 + 3.5**2 / 2), delta=1e-12)
        self.assertAlmostEqual(got["energy_end"], mass * 9.81 * got["y"], delta=1e-12)

    def test_stops_before_the_edge(self):
        """Slow enough, it slides v²/(2 μ g) and stays."""
        got = self.results("--speed", 1, "--mu", 0.5, "--t-end", 1)
        self.assertAlmostEqual(got["x"], -0.3 + 1 / (2 * 0.5 * 9.81), delta=1e-9)
        self.assertAlmostEqual(got["y"], 0.1, delta=1e-12)

    def test_goes_over_the_edge(self):
        """A bottom corner passes the edge of the landing: the touch of corner and landing becomes one of side and edge,
        and the box slides on as before."""
        way = 0.24  # more, and it would tip while friction holds it back
        speed = math.sqrt(2 * 0.5 * 9.81 * way)
        got = self.results("--speed", speed, "--mu", 0.5, "--t-end", 1)
        self.assertAlmostEqual(got["x"], -0.3 + way, delta=1e-7)
        self.assertAlmostEqual(got["phi"], 0, delta=1e-9)

    def test_steps_come_nearer(self):
        """First order through seven impacts and all that slides."""
        got = self.results("--compare", "--dt", 2e-4)
        self.assertLess(got["miss_dt"], 60 * 2e-4)
        self.assertLess(got["miss_dt_4"], 0.6 * got["miss_dt"])


if __name__ == "__main__":
    driver.main(sys.argv[1], __name__)
