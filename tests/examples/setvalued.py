# nsdyn: dynamics of mechanical systems with contact, friction and impact
# SPDX-License-Identifier: GPL-3.0-or-later
"""examples/setvalued: its numbers, its data, its picture. usage: setvalued.py PROGRAM"""
import csv
import math
import re
import sys
import xml.etree.ElementTree

import driver

SVG = "{http://www.w3.org/2000/svg}"
COUNTS = ("inclusions", "complementary_pairs", "normal_cones", "minimum_map_zeros", "fischer_burmeister_zeros")


class SetValued(driver.CommonMixin, driver.Driver):
    numbers = ("a", "width")

    def test_ranges(self):
        self.refused("--a", "-0.5", names="--a")
        self.refused("--a", "1e7", names="--a")
        self.refused("--width", "0", names="--width")
        self.refused("--width=-1", names="--width")

    def test_values_at_zero(self):
        for a in (0.0, 0.75, 3.0, 1e-5, 1e6):
            got = self.results("--a", a)
            self.assertEqual((got["upr_at_zero_lo"], got["upr_at_zero_hi"]), (-math.inf, 0.0))
            self.assertEqual((got["sgn_at_zero_lo"], got["sgn_at_zero_hi"]), (-a, a))
            self.assertEqual(got.units["sgn_at_zero_hi"], "N")
            self.assertEqual(got.units["grid_points"], "1")

    def test_all_forms_of_the_law_agree(self):
        """On the grid x = i w/8, |i| <= 8, y = j a/8, |j| <= 16: 17 sticking points (|j| <= 8) and one for each of the
        16 sliding columns; with a = 0 every point has y = 0 and obeys."""
        for a, expected in ((1.0, 33), (0.3, 33), (1e-5, 33), (1e6, 33), (0.0, 561)):
            got = self.results("--a", a, "--width", 0.7)
            self.assertEqual(got["grid_points"], 17 * 33)
            for name in COUNTS:
                self.assertEqual(got[name], expected, name)
            self.assertLessEqual(got["join_error"], 4 * sys.float_info.epsilon * a)

    def test_data(self):
        path = self.folder / "graphs.csv"
        self.results("--a", 2.5, "--width", 4, "--csv", path)
        with open(path, newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual([float(row["x"]) for row in rows], [0.5 * i for i in range(-8, 9)])
        for row in rows:
            x = float(row["x"])
            upr = ("", "") if x < 0 else ("0", "0") if x > 0 else ("-inf", "0")
            sgn = ("-2.5", "-2.5") if x < 0 else ("2.5", "2.5") if x > 0 else ("-2.5", "2.5")
            self.assertEqual((row["upr_lo"], row["upr_hi"]), upr)
            self.assertEqual((row["sgn_lo"], row["sgn_hi"]), sgn)

    def test_picture_shows_the_graphs(self):
        """The nine branches, as they lie in the frames: 2 + 3 + 2 + 2."""
        path = self.folder / "graphs.svg"
        self.results("--a", 2, "--width", 1, "--svg", path)
        root = xml.etree.ElementTree.parse(path).getroot()
        frames = [[float(r.get(k)) for k in ("x", "y", "width", "height")]
                  for r in root.iter(SVG + "rect") if r.get("stroke") == "#4d4d4d"]
        self.assertEqual(len(frames), 4)
        graphs = []
        for group, (left, top, width, height) in zip(root.iter(SVG + "g"), frames):
            branches = []
            for element in group.iter(SVG + "path"):
                px = [float(n) for n in re.findall(r"-?[\d.]+", element.get("d"))]
                # to data: x in [-1, 1], -y in [-3.2, 3.2]; arrows shorten a branch by some px
                branches.append([(round(2 * (px[i] - left) / width - 1, 1),
                                  round(3.2 - 6.4 * (px[i + 1] - top) / height, 0)) for i in (0, 2)])
            graphs.append(branches)
        right, left = 1.0, -1.0
        self.assertEqual(graphs, [
            [[(0, 0), (right, 0)], [(0, 0), (0, -3)]],
            [[(0, -2), (left, -2)], [(0, -2), (0, 2)], [(0, 2), (right, 2)]],
            [[(0, 2), (right, 2)], [(0, 2), (0, -3)]],
            [[(0, -2), (right, -2)], [(0, -2), (0, 3)]]])
        dots = [c for c in root.iter(SVG + "circle") if c.get("fill") == c.get("stroke")]
        self.assertEqual(len(dots), 5)
        texts = ["".join(t.itertext()) for t in root.iter(SVG + "text")]
        for label in ("Upr(x)", "a Sgn(x)", "+ Upr(xR) + a", "\u2212 Upr(xL) \u2212 a", "x (m/s)", "\u2212y (N)"):
            self.assertIn(label, texts)


if __name__ == "__main__":
    driver.main(sys.argv[1], "__main__")
