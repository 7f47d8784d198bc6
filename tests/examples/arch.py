# nsdyn: dynamics of mechanical systems with contact, friction and impact
# SPDX-License-Identifier: GPL-3.0-or-later
"""examples/arch: voussoirs stand above Milankovitch's thickness and fall below. usage: arch.py PROGRAM"""
import sys

import driver

LIMIT = 0.1075


class Arch(driver.CommonMixin, driver.Driver):
    numbers = ("voussoirs", "thickness", "mu", "g", "dt")
    brief = ("--voussoirs", "10")

    def test_limit_within_a_hundredth(self):
        """Hinges at joints alone: never above the limit of hinges anywhere, and within 1 % of it."""
        for voussoirs in (10, 30, 37, 60):
            with self.subTest(voussoirs=voussoirs):
                got = self.results("--voussoirs", voussoirs, "--limit")
                self.assertLess(got["limit"], LIMIT)
                self.assertGreater(got["limit"], 0.99 * LIMIT)

    def test_stands_and_falls(self):
        for thickness, stands in ((0.3, 1), (0.12, 1), (0.109, 1), (0.105, 0), (0.05, 0)):
            with self.subTest(thickness=thickness):
                self.assertEqual(self.results("--thickness", thickness)["stands"], stands)

    def test_slips_without_friction(self):
        """Without friction only the weight's own line would do: a thick arch moves, too."""
        self.assertEqual(self.results("--thickness", 0.3, "--mu", 0)["stands"], 0)

    def test_forces_act_within_joints(self):
        rows = self.folder / "rows.csv"
        self.results("--thickness", 0.13, "--csv", rows)
        radii = [float(line.split(",")[1]) for line in rows.read_text(encoding="utf-8").splitlines()[1:]]
        self.assertEqual(len(radii), 31)
        for radius in radii:
            self.assertLessEqual(abs(radius - 1), 0.065 + 1e-9)

    def test_units_do_not_matter(self):
        for g, dt in ((1e-3, 1e-3), (1e3, 1e-4)):
            self.assertEqual(self.results("--g", g, "--dt", dt, "--thickness", 0.11)["stands"], 1)
            self.assertEqual(self.results("--g", g, "--dt", dt, "--thickness", 0.105)["stands"], 0)


if __name__ == "__main__":
    driver.main(sys.argv[1], __name__)
