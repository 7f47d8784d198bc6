# nsdyn: dynamics of mechanical systems with contact, friction and impact
# SPDX-License-Identifier: GPL-3.0-or-later
"""examples/contact: its numbers, its data, its picture. usage: contact.py PROGRAM"""
import csv
import math
import sys
import xml.etree.ElementTree

import driver

SVG = "{http://www.w3.org/2000/svg}"


class Contact(driver.CommonMixin, driver.Driver):
    numbers = ("mu", "G-NN", "G-NT", "G-TT", "width")

    def test_ranges(self):
        self.refused("--mu", "-0.1", names="--mu")
        self.refused("--G-NN", "0", names="--G-NN")
        self.refused("--G-TT=-1", names="--G-TT")
        self.refused("--width", "0", names="--width")
        self.refused("--points", "1", names="--points")
        self.refused("--G-NT", "2", names="--G-NT")

    def test_sticking_ends_where_the_law_says(self):
        """c = -G Lambda on c_N = -1, Lambda at both edges of the friction cone."""
        for mu, nn, nt, tt in ((0.6, 1.0, 0.4, 2.0), (0.3, 2.0, -0.9, 0.5), (0.0, 1.0, 0.2, 1.0), (1.2, 1.0, 0.5, 3.0)):
            got = self.results("--mu", mu, "--G-NN", nn, "--G-NT", nt, "--G-TT", tt)
            ends = sorted(-(nt + s * mu * tt) / (nn + s * mu * nt) for s in (-1, 1))
            self.assertAlmostEqual(got["stick_from"], ends[0], delta=2e-8)
            self.assertAlmostEqual(got["stick_to"], ends[1], delta=2e-8)
            self.assertEqual(got.units["stick_to"], "m/s")

    def test_modes_share_the_plane(self):
        """Sectors between the edges -G (1, -+mu) and the line c_N = 0, as shares of the circle."""
        mu, nn, nt, tt, points = 0.6, 1.0, 0.4, 2.0, 4000
        got = self.results("--points", points)
        plus = math.atan2(-(nt - mu * tt), -(nn - mu * nt))  # angle from c_N > 0 towards c_T > 0
        minus = math.atan2(-(nt + mu * tt), -(nn + mu * nt)) % (2 * math.pi)
        for name, share in (("open", 0.5), ("slip_plus", (plus - math.pi / 2) / (2 * math.pi)),
                            ("stick", (minus - plus) / (2 * math.pi)),
                            ("slip_minus", (1.5 * math.pi - minus) / (2 * math.pi))):
            self.assertAlmostEqual(got["share_" + name], share, delta=1.1 / points, msg=name)

    def test_data(self):
        path = self.folder / "push.csv"
        got = self.results("--points", 13, "--csv", path)
        with open(path, newline="", encoding="utf-8") as file:
            rows = [[float(row[name]) for name in ("c_T", "Lambda_T", "xi_T")] for row in csv.DictReader(file)]
        self.assertEqual([row[0] for row in rows], [0.5 * i - 3.0 for i in range(13)])
        for c_T, Lambda_T, xi_T in rows:
            sticks = got["stick_from"] <= c_T <= got["stick_to"]
            self.assertEqual(xi_T == 0.0, sticks)
            self.assertTrue(sticks or xi_T * Lambda_T < 0.0)
            # both rows of xi = G Lambda + c with xi_N = 0, G = [1, 0.4; 0.4, 2]
            Lambda_N = 1.0 - 0.4 * Lambda_T
            self.assertAlmostEqual(xi_T, 0.4 * Lambda_N + 2.0 * Lambda_T + c_T, delta=1e-12)
            self.assertLessEqual(abs(Lambda_T), 0.6 * Lambda_N * (1 + 1e-12))

    def test_picture_has_two_panels(self):
        path = self.folder / "contact.svg"
        self.results("--svg", path)
        root = xml.etree.ElementTree.parse(path).getroot()
        texts = ["".join(t.itertext()) for t in root.iter(SVG + "text")]
        for label in ("open", "stick", "slip +", "slip \u2212", "cT (m/s)", "cN (m/s)"):
            self.assertIn(label, texts)


if __name__ == "__main__":
    driver.main(sys.argv[1], "__main__")
