# nsdyn: dynamics of mechanical systems with contact, friction and impact
# SPDX-License-Identifier: GPL-3.0-or-later
"""examples/bearing: its numbers against closed forms, its picture. usage: bearing.py PROGRAM"""
import csv
import math
import sys

import driver


def film_end(e):
    """Where p = p' = 0, by Sommerfeld's substitution 1 + e cos(theta) = (1 - e^2) / (1 - e cos(gamma)):
    2 (sin g - g cos g) + e (sin g cos g - g) = 0 between pi and 3/2 pi."""
    def balance(g):
        return 2 * (math.sin(g) - g * math.cos(g)) + e * (math.sin(g) * math.cos(g) - g)
    low, high = math.pi, 1.5 * math.pi
    for _ in range(200):
        middle = 0.5 * (low + high)
        if balance(middle) * balance(low) > 0:
            low = middle
        else:
            high = middle
    g = 0.5 * (low + high)
    return 2 * math.pi - math.acos((math.cos(g) - e) / (1 - e * math.cos(g)))


class Bearing(driver.CommonMixin, driver.Driver):
    numbers = ("e",)

    def test_ranges(self):
        self.refused("--e", "-0.1", names="--e")
        self.refused("--e", "1", names="--e")
        self.refused("--n", "1", names="--n")

    def test_film_ends_where_it_must(self):
        for e in (0.1, 0.5, 0.8, 0.95):
            for n in (100, 999, 20000):
                got = self.results("--e", e, "--n", n)
                step = 2 * math.pi / (n + 1)
                self.assertLess(abs(got["film_end"] - film_end(e)), 2 * step + 30 * step * step, (e, n))
                self.assertLess(got["residual"], 1e-12)

    def test_peak_lies_opposite(self):
        """p' = 0 where h is what it is at the end of the film: at the mirrored angle."""
        for e in (0.3, 0.8):
            got = self.results("--e", e, "--n", 4000)
            self.assertLess(abs(got["peak_angle"] + got["film_end"] - 2 * math.pi), 4 * 2 * math.pi / 4001)

    def test_few_rounds(self):
        for n in (50, 1000, 100000):
            self.assertLess(self.results("--n", n)["rounds"], 40)

    def test_no_eccentricity_no_pressure(self):
        got = self.results("--e", 0)
        self.assertEqual((got["peak_pressure"], got["load"]), (0.0, 0.0))

    def test_data(self):
        path = self.folder / "film.csv"
        self.results("--n", 60, "--csv", path)
        with open(path, newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(len(rows), 60)
        for row in rows:
            self.assertGreaterEqual(float(row["p"]), 0.0)
            self.assertAlmostEqual(float(row["h"]), 1 + 0.8 * math.cos(float(row["theta"])), places=12)


if __name__ == "__main__":
    driver.main(sys.argv[1], "__main__")
