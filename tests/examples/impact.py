# nsdyn: dynamics of mechanical systems with contact, friction and impact
# SPDX-License-Identifier: GPL-3.0-or-later
"""examples/impact: its numbers, its data. usage: impact.py PROGRAM"""
import csv
import math
import sys

import driver

LAWS = ("newton_eps_t_0", "newton_one_eps", "poisson_nu_0", "poisson_nu_1")


class Impact(driver.CommonMixin, driver.Driver):
    numbers = ("mu", "eps-n", "lean", "width")

    def rows(self, *arguments):
        path = self.folder / "impact.csv"
        self.results(*arguments, "--csv", path)
        with open(path, newline="", encoding="utf-8") as file:
            return [{name: float(value) for name, value in row.items()} for row in csv.DictReader(file)]

    def test_ranges(self):
        self.refused("--mu", "-0.1", names="--mu")
        self.refused("--eps-n", "1.1", names="--eps-n")
        self.refused("--lean", "2", names="--lean")
        self.refused("--width", "0", names="--width")
        self.refused("--points", "1", names="--points")

    def test_the_ball(self):
        """G = diag(1, 7/2): sticking until |gamma_T| reaches what friction can stop, closed forms on both sides."""
        mu, eps = 0.3, 0.75
        compressed, whole = 3.5 * mu, 3.5 * mu * (1 + eps)
        for row in self.rows("--mu", mu, "--eps-n", eps, "--points", 401):
            slide, size = row["slide"], abs(row["slide"])
            sign = math.copysign(1.0, slide)
            one = -eps * slide if (1 + eps) * size <= whole else slide - sign * whole
            # nu = 1: half of eps_N of what was stopped comes back at least, at most what friction takes in expansion
            left = max(0.0, size - compressed)
            turned = max(left - 3.5 * mu * eps, min(0.0, left - 0.5 * eps * min(size, compressed)))
            self.assertAlmostEqual(row["ball_newton_eps_t_0"], sign * max(0.0, size - whole), delta=1e-12)
            self.assertAlmostEqual(row["ball_newton_one_eps"], one, delta=1e-12)
            self.assertAlmostEqual(row["ball_poisson_nu_0"], sign * max(0.0, size - whole), delta=1e-12)
            self.assertAlmostEqual(row["ball_poisson_nu_1"], sign * turned, delta=1e-12)

    def test_who_gains(self):
        """Only Newton's law with friction and two restitutions; the closed form at its best slide with mu = 1/4,
        eps_N = 1: Lambda_N = 8/7 while the contact slides on, and energy is lost or gained as the slide turns."""
        got = self.results("--mu", 0.25, "--eps-n", 1.0, "--width", 0.5, "--points", 3)
        self.assertAlmostEqual(got["largest_gain_newton_eps_t_0"], 12 / 49, delta=1e-12)
        self.assertEqual(got.units["largest_gain_newton_eps_t_0"], "1")
        for lean in (-1.5, 0.0, 1.0, 1.5):
            for mu in (0.0, 0.25, 0.6):
                got = self.results("--mu", mu, "--lean", lean)
                for name in LAWS[1:]:
                    self.assertEqual(got["largest_gain_" + name], 0.0, (name, lean, mu))

    def test_without_friction_the_slide_does_not_matter(self):
        for row in self.rows("--mu", 0, "--points", 21):
            for name in LAWS:
                self.assertEqual(row["ball_" + name], row["slide"])


if __name__ == "__main__":
    driver.main(sys.argv[1], "__main__")
