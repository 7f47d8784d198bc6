# nsdyn: dynamics of mechanical systems with contact, friction and impact
# SPDX-License-Identifier: GPL-3.0-or-later
"""examples/rocking: a polygon rocks as Housner's block does, by events and by steps. usage: rocking.py PROGRAM"""
import math
import sys

import driver


class Rocking(driver.CommonMixin, driver.PageMixin, driver.Driver):
    numbers = ("a", "c", "tilt", "mu", "g", "tol", "dt", "t-end")
    brief = ("--t-end", "0.1")

    def test_housner_by_events(self):
        """The fall, what the impact leaves of ω, and the next angles, slender and stout."""
        for a, c, tilt in ((0.1, 0.4, 0.15), (0.1, 0.4, 0.02), (0.3, 0.4, 0.3), (0.05, 1.0, 0.03), (2.0, 5.0, 0.2)):
            with self.subTest(a=a, c=c, tilt=tilt):
                got = self.results("--a", a, "--c", c, "--tilt", tilt, "--mu", 2, "--t-end", 2 * math.sqrt(c / 0.4))
                self.assertAlmostEqual(got["alpha"], math.atan2(a, c), delta=1e-12)
                self.assertAlmostEqual(got["first_impact"] / got["first_impact_exact"], 1, delta=1e-8)
                self.assertAlmostEqual(got["rate_ratio"] / got["rate_ratio_exact"], 1, delta=1e-11)
                for name in ("swing_1", "swing_2"):
                    self.assertAlmostEqual(got[name] / got[name + "_exact"], 1, delta=2e-4)

    def test_steps_agree(self):
        """To the order of the step."""
        for dt in (1e-3, 1e-4):
            got = self.results("--scheme", "moreau", "--dt", dt)
            self.assertAlmostEqual(got["first_impact"], got["first_impact_exact"], delta=2 * dt)
            self.assertAlmostEqual(got["rate_ratio"], got["rate_ratio_exact"], delta=20 * dt)
            self.assertAlmostEqual(got["swing_1"], got["swing_1_exact"], delta=5 * dt)

    def test_comes_to_rest(self):
        """Impacts accumulate; after that it stands."""
        rows = self.folder / "rows.csv"
        self.results("--a", 0.3, "--c", 0.4, "--tilt", 0.1, "--t-end", 3, "--csv", rows)
        last = rows.read_text(encoding="utf-8").splitlines()[-1].split(",")
        self.assertAlmostEqual(float(last[2]), 0.4, delta=1e-9)
        self.assertAlmostEqual(float(last[3]), 0, delta=1e-9)

    def test_falls_over(self):
        """Tilted beyond its corner it does not come back: there is nothing exact to compare with."""
        for a, c in ((0.1, 0.4), (1, 1)):
            self.refused("--a", a, "--c", c, "--tilt", math.atan2(a, c) * 1.001, names="--tilt")
            self.results("--a", a, "--c", c, "--tilt", math.atan2(a, c) * 0.9, "--t-end", 0.1)

    def test_prints_events(self):
        done = driver.run("--events", "--t-end", 0.5)
        self.assertIn("impact", done.stdout)


if __name__ == "__main__":
    driver.main(sys.argv[1], __name__)
