# nsdyn: dynamics of mechanical systems with contact, friction and impact
# SPDX-License-Identifier: GPL-3.0-or-later
"""examples/pendulum12: twelve links fall on a floor and a wall, by six solvers. usage: pendulum12.py PROGRAM"""
import csv
import math
import sys

import driver

SOLVERS = ("automatic", "lemke", "mlcp-rlm", "mlcp-plm", "mncp-rlm", "mncp-plm")


class Pendulum12(driver.CommonMixin, driver.PageMixin, driver.Driver):
    numbers = ("m", "d", "g", "mu", "eps-n", "eps-t", "omega", "dt", "t-end")
    brief = ("--t-end", "0.16")

    def test_begins_as_told(self):
        """Spheres at 1 … 12 m from a pivot at 10 m, 45° from the vertical, all with ω = 1: T = ½ Σ m (k² + 2/5 r²) ω²,
        V = Σ m g (10 − k/√2)."""
        got = self.results(*self.brief)
        kinetic = sum(0.5 * (k * k + 0.4 * 0.25**2) for k in range(1, 13))
        potential = sum(9.81 * (10 - k * math.sqrt(0.5)) for k in range(1, 13))
        self.assertAlmostEqual(got["energy_begin"] / (kinetic + potential), 1, delta=1e-13)

    def test_no_step(self):
        got = self.results("--t-end", 1e-6)
        self.assertEqual((got["energy_end"], got["energy_largest"]), (got["energy_begin"], got["energy_begin"]))

    def test_compare(self):
        """One line for each solver, and the same pendulum until it touches."""
        done = driver.run(*self.brief, "--compare")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        lines = [line.split() for line in done.stdout.splitlines() if line.startswith("solver ")]
        self.assertEqual([line[1] for line in lines], list(SOLVERS))
        first = [float(line[line.index("first") + 1]) for line in lines]
        self.assertLess(max(first) - min(first), 1.5e-12)  # of the twelve digits that are printed
        self.assertEqual([line.count("paper") for line in lines], [0, 1, 1, 1, 1, 1])

    def test_fast_chains(self):
        """No step, and no look from event to event, goes farther than spheres are looked for: a straight chain that
        turns at ω is at the floor, 9.65 m below the pivot, when cos φ = 9.65/13, long before gravity counts."""
        self.refused("--omega", 100, names="--dt")
        self.refused("--g", 1e6, names="--dt")
        self.refused("--dt", 0.02, names="--dt")
        got = self.results("--omega", 100, "--links", 13, "--dt", 5e-5, "--t-end", 0.01)
        angle = math.pi / 4 - math.acos(9.65 / 13)
        self.assertAlmostEqual(got["first_touch_exact"] / (angle / 100), 1, delta=1e-3)
        self.assertAlmostEqual(got["first_touch"] / got["first_touch_exact"], 1, delta=1e-3)

    def test_first_touch(self):
        """The same pendulum for all solvers until it touches; steps are of first order, and come near the events."""
        times = [self.results("--solver", name, *self.brief)["first_touch"] for name in SOLVERS]
        self.assertLess(max(times) - min(times), 1e-12)
        missed = []
        for dt in (1e-3, 5e-4, 2.5e-4):
            got = self.results(*self.brief, "--dt", dt)
            missed.append(got["first_touch_exact"] - got["first_touch"])
        self.assertLess(missed[0], 5e-5)
        for coarse, fine in zip(missed, missed[1:]):
            self.assertAlmostEqual(coarse / fine, 2, delta=0.1)

    def test_one_pendulum(self):
        """A single link is a pendulum of l (1 + 2/5 r²/l²): its energy stays, to the order of the scheme, and no event
        comes."""
        path = self.folder / "one.csv"
        got = self.results("--links", 1, "--omega", 0, "--t-end", 6, "--csv", path)
        self.assertEqual(got["steps_with_contact"], 0)
        with path.open(encoding="ascii") as file:
            rows = [{k: float(v) for k, v in row.items()} for row in csv.DictReader(file)]
        low = [b["t"] for a, b in zip(rows, rows[1:]) if a["y"] < 0 <= b["y"] or b["y"] < 0 <= a["y"]]
        # T = 4 K(sin 22.5°) √(l/g), K by the arithmetic and geometric mean
        a, b = 1.0, math.cos(math.pi / 8)
        for _ in range(6):
            a, b = 0.5 * (a + b), math.sqrt(a * b)
        period = 2 * math.pi / a * math.sqrt((1 + 0.4 * 0.25**2) / 9.81)
        self.assertAlmostEqual((low[-1] - low[0]) / (len(low) - 1), 0.5 * period, delta=2e-3)

    def test_every_solver(self):
        """All laws to 1e-10, nothing deep, energies that add up; and one height of the last link after the first second,
        where roundings have not grown yet."""
        end = 0.3 if driver.SCALE <= 0.1 else 1
        heights = []
        for name in SOLVERS:
            with self.subTest(solver=name):
                got = self.results("--solver", name, "--t-end", end)
                self.assertLess(got["residual"], 1e-10)
                self.assertLess(got["penetration"], 1e-9)
                self.assertGreater(got["steps_with_contact"], 0)
                self.assertLess(abs(got["work_of_steps"]), 0.02 * got["energy_begin"])
                self.assertLess(got["fallbacks"], 5)
                heights.append(got["z"])
        # the five in space alike; in the plane the split of steps is another, by its order
        self.assertLess(max(heights[1:]) - min(heights[1:]), 1e-6)
        self.assertLess(max(heights) - min(heights), 1e-3)

    def test_energy_of_the_first_touch(self):
        """Newton's law with friction and ε_N alone gains a quarter; with one ε for both directions, without restitution
        and by Poisson's law nothing is gained."""
        newton = self.results("--project", "none", "--t-end", 0.2)
        share = newton["gain_first_touch"] / newton["energy_begin"]
        self.assertAlmostEqual(share, 0.25, delta=0.02)
        for arguments in (("--eps-t", 0.7), ("--eps-n", 0), ("--impact", "poisson"), ("--mu", 0)):
            got = self.results("--project", "none", "--t-end", 0.2, *arguments)
            self.assertLess(got["gain_first_touch"], 0, arguments)

    def test_comes_to_rest_on_the_floor(self):
        if driver.SCALE <= 0.1:
            return
        got = self.results("--project", "none", "--eps-n", 0, "--t-end", 12)
        self.assertLess(abs(got["v_z"]), 0.2)
        self.assertLess(got["energy_end"], 0.6 * got["energy_begin"])


if __name__ == "__main__":
    driver.main(sys.argv[1], __name__)
