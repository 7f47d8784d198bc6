# nsdyn: dynamics of mechanical systems with contact, friction and impact
# SPDX-License-Identifier: GPL-3.0-or-later
"""examples/pendulum_ma: its numbers, its map. usage: pendulum_ma.py PROGRAM"""
import csv
import math
import sys

import driver


def matrix(theta):
    sine, cosine = math.sin(theta), math.cos(theta)
    return 1 + 3 * cosine ** 2, -3 * sine * cosine, 1 + 3 * sine ** 2


def resting(theta, mu, fx, fy):
    """Solutions (mode, Lambda_N, Lambda_T) where the tip rests; None on a knife edge."""
    nn, nt, tt = matrix(theta)
    found, edge = [], [fy]
    if fy > 0:
        found.append(("open", 0.0, 0.0))
    for sign, mode in ((1, "slip+"), (-1, "slip-")):
        p = nn - sign * mu * nt
        load = -fy / p
        slide = fx + (nt - sign * mu * tt) * load
        edge += [p, slide]
        if load > 0 and sign * slide > 0:
            found.append((mode, load, -sign * mu * load))
    load, friction = -(tt * fy - nt * fx) / 4, -(nn * fx - nt * fy) / 4
    edge.append(mu * load - abs(friction))
    if abs(friction) < mu * load:
        found.append(("stick", load, friction))
    return None if min(map(abs, edge)) < 1e-9 else found


def sliding_left(theta, mu, fy):
    nn, nt, _ = matrix(theta)
    p = nn + mu * nt
    return None if min(abs(p), abs(fy)) < 1e-9 else (fy > 0) + (-fy / p > 0)


class Pendulum(driver.CommonMixin, driver.Driver):
    numbers = ("theta", "mu", "fx", "fy", "mu-most")

    def test_ranges(self):
        self.refused("--theta", "-0.1", names="--theta")
        self.refused("--theta", "1.6", names="--theta")
        self.refused("--mu", "-1", names="--mu")
        self.refused("--mu-most", "0", names="--mu-most")
        self.refused("--cells", "1", names="--cells")
        self.refused("--slides", "up", names="--slides")

    def test_ma(self):
        """The defaults are the paper's: one solution, and a ray of them in the LCP."""
        got = self.results()
        self.assertEqual((got["physical_points"], got["physical_continua"], got["motions"]), (1, 0, 1))
        self.assertEqual(got["physical_1_mode"], "open")
        self.assertEqual((got["physical_1_xi_N"], got["physical_1_xi_T"]), (1, 0))
        self.assertEqual((got["lcp_unknowns"], got["lcp_points"], got["lcp_continua"]), (3, 0, 1))
        self.assertEqual(got["lcp_1_dimension"], 1)
        self.assertEqual([got["lcp_1_ray_" + name] for name in ("Lambda_N", "Lambda_R", "xi_L")], [0, 0, 1])
        self.assertEqual(got.units["physical_1_xi_N"], "m/s^2")
        self.assertEqual(got.units["physical_1_Lambda_N"], "N")

    def test_closed_forms(self):
        cases = 0
        for theta in (0.0, 0.3, 0.8, 1.1, 1.5):
            for mu in (0.2, 1.0, 2.5, 6.0):
                for fx in (-4.0, -0.4, 0.3, 3.0):
                    for fy in (-1.0, 0.7):
                        want = resting(theta, mu, fx, fy)
                        if want is None:
                            continue
                        got = self.results("--theta", theta, "--mu", mu, "--fx", fx, "--fy", fy)
                        self.assertEqual(got["physical_points"], len(want), (theta, mu, fx, fy))
                        for k in range(len(want)):
                            mode = got[f"physical_{k + 1}_mode"]
                            own = [w for w in want if w[0] == mode]
                            self.assertEqual(len(own), 1)
                            self.assertAlmostEqual(got[f"physical_{k + 1}_Lambda_N"], own[0][1], delta=1e-9)
                            self.assertAlmostEqual(got[f"physical_{k + 1}_Lambda_T"], own[0][2], delta=1e-9)
                        cases += len(want) == 3
        self.assertGreater(cases, 3)

    def test_painleve(self):
        """Sliding to the left with p < 0: none or two."""
        steep = ("--theta", 1.0, "--mu", 2.0, "--slides", "left")
        self.assertEqual(self.results(*steep, "--fy", 1)["physical_points"], 2)
        self.assertEqual(self.results(*steep, "--fy", 1)["lcp_points"], 2)
        self.assertEqual(self.results(*steep, "--fy", -1)["physical_points"], 0)
        self.assertEqual(self.results("--theta", 1.0, "--mu", 2.0, "--slides", "right", "--fy", -1)["physical_points"], 1)

    def test_the_map(self):
        path = self.folder / "map.csv"
        numbers = set()
        for fx, fy in ((0.0, 1.0), (-4.0, 1.0), (2.0, -1.0)):
            got = self.results("--fx", fx, "--fy", fy, "--map", "--cells", 23, "--csv", path)
            with open(path, newline="", encoding="utf-8") as file:
                rows = [{name: float(value) for name, value in row.items()} for row in csv.DictReader(file)]
            self.assertEqual(len(rows), 23 * 23)
            for row in rows:
                want = resting(row["theta"], row["mu"], fx, fy)
                if want is not None:
                    self.assertEqual(row["rests"], len(want), row)
                for name, force in (("slides", fy), ("slides_pushed", -fy)):
                    count = sliding_left(row["theta"], row["mu"], force)
                    if count is not None:
                        self.assertEqual(row[name], count, row)
                numbers |= {row["rests"], row["slides"], row["slides_pushed"]}
            for name in ("rests", "slides", "slides_pushed"):
                for number in range(4):
                    share = sum(row[name] == number for row in rows) / len(rows)
                    self.assertAlmostEqual(got[f"map_{name}_{number}"], share, delta=1e-12)
        self.assertEqual(numbers, {0.0, 1.0, 2.0, 3.0})

    def test_paradox_needs_four_thirds(self):
        """The least steep friction that has the paradox is 4/3, at tan theta = 2."""
        got = self.results("--map", "--mu-most", 1.333, "--cells", 60)
        self.assertEqual(got["map_slides_1"], 1)
        self.assertEqual(got["map_slides_pushed_1"], 1)
        theta = math.atan(2)
        for mu, count in ((4 / 3 - 1e-6, 1), (4 / 3 + 1e-6, 2)):
            got = self.results("--theta", theta, "--mu", mu, "--slides", "left")
            self.assertEqual(got["physical_points"], count)


if __name__ == "__main__":
    driver.main(sys.argv[1], "__main__")
