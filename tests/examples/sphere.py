# nsdyn: dynamics of mechanical systems with contact, friction and impact
# SPDX-License-Identifier: GPL-3.0-or-later
"""examples/sphere: slides, then rolls, on the cone and on pyramids. usage: sphere.py PROGRAM"""
import csv
import math
import sys

import driver

METHODS = ("automatic", "direct", "rounds", "newton", "natural", "todorov-rlm", "todorov-plm")
ON_PYRAMIDS = ("automatic", "direct", "lcp", "rounds", "newton", "natural")


class Sphere(driver.CommonMixin, driver.PageMixin, driver.Driver):
    numbers = ("tol", "angle", "mu", "v", "m", "r", "g", "dt", "t-end")

    def test_published_figures(self):
        """Mylapilli & Jain 2017, section 6.1: rolls from 0.291 s on with 1.429 m/s."""
        got = self.results()
        self.assertAlmostEqual(got["rolls_at"], 0.291, delta=1.5e-3)
        self.assertAlmostEqual(got["rolls_at_exact"], 2 * 2 / (7 * 0.2 * 9.81), delta=1e-15)
        self.assertAlmostEqual(got["v_x"], 10 / 7, delta=1e-12)
        self.assertAlmostEqual(got["omega_y"], 10 / 7, delta=1e-12)
        self.assertAlmostEqual(got["largest_friction"], 0.2 * 9.81, delta=1e-9)
        self.assertEqual((got["v_y"], got["y"], got["omega_x"], got["largest_v_y"]), (0, 0, 0, 0))
        self.assertAlmostEqual(got["norm_of_quaternion"], 1, delta=4e-16)

    def test_turned_pyramids(self):
        """Turned by half the angle between corners it rolls at √2 of the time and goes straight on; by 30° it goes
        aside. It always rolls with 5/7 of the velocity in the end."""
        fast = self.results("--friction", "pyramid")
        self.assertAlmostEqual(fast["rolls_at_exact"], 0.29125, delta=1e-5)
        straight = self.results("--friction", "pyramid", "--angle", math.pi / 4)
        self.assertAlmostEqual(straight["rolls_at_exact"], math.sqrt(2) * fast["rolls_at_exact"], delta=1e-12)
        self.assertAlmostEqual(straight["rolls_at"], 0.412, delta=1e-3)
        self.assertLess(straight["largest_v_y"], 1e-12)
        aside = self.results("--friction", "pyramid", "--angle", math.pi / 6)
        self.assertAlmostEqual(aside["rolls_at"], 0.398, delta=1e-3)
        self.assertGreater(aside["largest_v_y"], 0.1)
        self.assertLess(aside["y"], -0.02)
        for got in (fast, straight, aside):
            self.assertAlmostEqual(got["v_x"], 10 / 7, delta=1e-12)
            self.assertAlmostEqual(got["v_y"], 0, delta=1e-12)
        mirrored = self.results("--friction", "pyramid", "--angle", -math.pi / 6)
        self.assertAlmostEqual(mirrored["y"], -aside["y"], delta=1e-12)

    def test_order_of_the_scheme(self):
        """The way is exact to O(Δt²), as the rule of the midpoint has it, but for the one step in which the force
        jumps, which moves it by less than the velocity's jump times Δt²; times are exact to a step."""
        a = 3.5 * 0.2 * 9.81
        for angle, sides in ((0, 4), (0.2, 4), (math.pi / 6, 4), (math.pi / 4, 4), (0.3, 8), (1.0, 12)):
            for dt in (4e-3, 1e-3, 2.5e-4):
                with self.subTest(angle=angle, sides=sides, dt=dt):
                    got = self.results("--friction", "pyramid", "--angle", angle, "--sides", sides, "--dt", dt)
                    self.assertLess(abs(got["x"] - got["x_exact"]), a * dt * dt)
                    self.assertLess(abs(got["y"] - got["y_exact"]), a * dt * dt)
                    self.assertLess(abs(got["rolls_at"] - got["rolls_at_exact"]), 2 * dt)
                    self.assertLess(abs(got["largest_v_y"] - got["largest_v_y_exact"]), a * dt)

    def test_pyramids_come_near_the_cone(self):
        """Half as many degrees between corners: at most a quarter of the delay."""
        cone = self.results()["rolls_at_exact"]
        late = [self.results("--friction", "pyramid", "--sides", n, "--angle", math.pi / n)["rolls_at_exact"] - cone
                for n in (4, 8, 16, 32)]
        for coarse, fine in zip(late, late[1:]):
            self.assertLess(fine, coarse / 4)
            self.assertGreater(fine, coarse / 6)

    def test_every_solver(self):
        for method in METHODS:
            with self.subTest(method=method):
                got = self.results("--method", method)
                self.assertAlmostEqual(got["rolls_at"], 0.292, delta=1e-9)
                self.assertAlmostEqual(got["v_x"], 10 / 7, delta=1e-7)
                self.assertAlmostEqual(got["x"], got["x_exact"], delta=1e-5)
                self.assertAlmostEqual(got["y"], 0, delta=1e-7)
        for method in ON_PYRAMIDS:
            for angle in (0, math.pi / 6, math.pi / 4):
                with self.subTest(method=method, angle=angle):
                    got = self.results("--method", method, "--friction", "pyramid", "--angle", angle)
                    self.assertAlmostEqual(got["v_x"], 10 / 7, delta=1e-7)
                    self.assertAlmostEqual(got["x"], got["x_exact"], delta=1e-5)
                    self.assertAlmostEqual(got["y"], got["y_exact"], delta=1e-5)

    def test_solvers_that_are_not_for_it(self):
        for arguments, words in ((("--method", "lcp"), "NSDYN_FRICTION_POLYGON"),
                                 (("--method", "todorov-plm", "--friction", "pyramid"), "Todorov's map cannot state")):
            done = driver.run(*arguments)
            self.assertEqual((done.returncode, done.stdout), (1, ""))
            self.assertIn(words, done.stderr)

    def test_scales(self):
        """Time, way and forces by the units alone."""
        for m, r, g, mu, v in ((1e-3, 1e-2, 9.81, 0.5, 1), (1e5, 30, 1.62, 0.05, 7)):
            rolls = 2 * v / (7 * mu * g)
            got = self.results("--m", m, "--r", r, "--g", g, "--mu", mu, "--v", v, "--t-end", 2 * rolls, "--dt",
                               rolls / 500.5)
            self.assertAlmostEqual(got["rolls_at"] / rolls, 1, delta=5e-3)
            self.assertAlmostEqual(got["v_x"] / v, 5 / 7, delta=1e-12)
            self.assertAlmostEqual(got["omega_y"] * r / v, 5 / 7, delta=1e-12)
            self.assertAlmostEqual(got["largest_friction"] / (mu * m * g), 1, delta=1e-9)

    def test_forces_in_the_table(self):
        path = self.folder / "out.csv"
        self.results("--csv", path)
        with path.open(encoding="ascii") as file:
            rows = [{k: float(v) for k, v in row.items()} for row in csv.DictReader(file)]
        self.assertEqual(len(rows), 600)
        for row in rows:
            self.assertAlmostEqual(row["F_N"], 9.81, delta=1e-9)
            self.assertAlmostEqual(row["F_x"], -1.962 if row["t"] < 0.2915 else 0, delta=1e-9 if
                                   abs(row["t"] - 0.2915) > 1e-3 else 2)

    def test_events(self):
        """From event to event, it rolls when and where it does in the closed form."""
        for mu, v, r in ((0.2, 2, 1), (0.7, 0.3, 0.01), (1e-3, 5, 40)):
            rolls = 2 * v / (7 * mu * 9.81)
            got = self.results("--scheme", "event", "--mu", mu, "--v", v, "--r", r, "--t-end", 2 * rolls, "--dt",
                               min(rolls / 3, 1))
            self.assertAlmostEqual(got["rolls_at"] / rolls, 1, delta=1e-9)
            self.assertAlmostEqual(got["v_x"] / v, 5 / 7, delta=1e-9)
            self.assertAlmostEqual(got["x"] / got["x_exact"], 1, delta=1e-9)
            self.assertAlmostEqual(got["norm_of_quaternion"], 1, delta=1e-8)

    def test_events_on_pyramids(self):
        """The same on pyramids that are turned by any angle: first along a corner, along the normal of a side,
        beside these by rounding and more, or between them."""
        cases = [(4, base + off) for base in (0, math.pi / 4) for off in (1e-16, -1e-15, 1e-12, -1e-9, -1e-6)]
        for sides in (4, 6, 8, 12, 32):
            beta = math.pi / sides
            cases += [(sides, angle) for angle in (0, beta, -3 * beta, 2 * beta + 3e-8, beta - 3e-8, 0.37 * beta)]
        for sides, angle in cases:
            with self.subTest(sides=sides, angle=angle):
                got = self.results("--scheme", "event", "--friction", "pyramid", "--sides", sides, "--angle",
                                   repr(angle))
                for name in ("rolls_at", "x", "y", "v_x", "largest_v_y"):
                    self.assertAlmostEqual(got[name], got[name + "_exact"], delta=1e-9)

    def test_odd_pyramid(self):
        self.refused("--sides", 5, names="--sides")


if __name__ == "__main__":
    driver.main(sys.argv[1], __name__)
