# nsdyn: dynamics of mechanical systems with contact, friction and impact
# SPDX-License-Identifier: GPL-3.0-or-later
"""examples/restitution: Stewart (2000), section 4.2: laws on positions and laws on velocities.
usage: restitution.py PROGRAM"""
import csv
import sys

import driver

OURS = ("moreau", "euler", "moreau_jean", "stewart_trinkle", "anitescu_potra", "generalized_alpha")


class Restitution(driver.CommonMixin, driver.Driver):
    numbers = ("height", "g", "dt", "t-end")

    def test_laws_on_positions_are_luck(self):
        """Without weight, hit at the share s of a step, the midpoint rule leaves with 1 + 4 r, r = 1 - s below one
        half, and Newmark's with |1 - 2 s|: up to 3, and from 0 to 1."""
        for dt in (1e-2, 1e-3, 1e-4):
            with self.subTest(dt=dt):
                got = self.results("--dt", dt)
                weight = 4 * dt  # g dt over the speed, and a drop's share of a step
                self.assertGreater(got["midpoint_most"], 2.9)
                self.assertLessEqual(got["midpoint_most"], 3 + 4 * weight + 1e-2)
                self.assertLess(got["newmark_least"], 0.02 + weight)
                self.assertGreater(got["newmark_most"], 0.97)
                self.assertLessEqual(got["newmark_most"], 1 + weight)

    def test_laws_on_velocities_give_what_was_set(self):
        """To the rounding of two hundred thousand steps' velocities, wherever in a step it hits."""
        for dt in (1e-2, 1e-3, 1e-4):
            got = self.results("--dt", dt)
            for name in OURS:
                with self.subTest(dt=dt, name=name):
                    self.assertAlmostEqual(got[name + "_least"], 1, delta=1e-12)
                    self.assertAlmostEqual(got[name + "_most"], 1, delta=1e-12)

    def test_rows_are_what_was_summed_up(self):
        path = self.folder / "out.csv"
        got = self.results("--csv", path)
        with path.open(encoding="ascii") as file:
            rows = [{name: float(value) for name, value in row.items()} for row in csv.DictReader(file)]
        for name in ("midpoint", "newmark", *OURS):
            values = [row[name] for row in rows]
            self.assertAlmostEqual(min(values), got[name + "_least"], delta=1e-14)
            self.assertAlmostEqual(max(values), got[name + "_most"], delta=1e-14)


if __name__ == "__main__":
    driver.main(sys.argv[1], __name__)
