# nsdyn: dynamics of mechanical systems with contact, friction and impact
# SPDX-License-Identifier: GPL-3.0-or-later
"""examples/disk: from sliding to rolling. usage: disk.py PROGRAM"""
import math
import sys

import driver

G = 9.81


class Disk(driver.CommonMixin, driver.PageMixin, driver.Driver):
    numbers = ("v", "omega", "mu", "angle", "inertia", "m", "r", "g", "tol", "dt", "t-end")

    def test_rolls_at_two_thirds(self):
        """t = v/(3 μ g) and 2/3 of the velocity for a disk, 1/2 for a ring; the step meets the speed exactly."""
        for inertia in (0.5, 1.0, 0.4):
            factor = 1 + 1 / inertia
            for dt in (1e-3, 1e-4):
                with self.subTest(inertia=inertia, dt=dt):
                    got = self.results("--inertia", inertia, "--dt", dt, "--t-end", 1)
                    self.assertAlmostEqual(got["rolling_time"], 2 / (factor * 0.2 * G), delta=1.01 * dt)
                    self.assertAlmostEqual(got["speed"], 2 * (1 - 1 / factor), delta=1e-12)

    def test_on_a_slope(self):
        """Down a slope it rolls with g sin α/(1 + J/mr²) from then on."""
        angle, mu = 0.2, 0.3
        time = 2 / (3 * mu * G * math.cos(angle) - G * math.sin(angle))
        speed = 2 + G * (math.sin(angle) - mu * math.cos(angle)) * time
        end = speed + G * math.sin(angle) / 1.5 * (1 - time)
        for dt in (1e-3, 1e-4):
            with self.subTest(dt=dt):
                got = self.results("--angle", angle, "--mu", mu, "--dt", dt, "--t-end", 1)
                self.assertAlmostEqual(got["rolling_time_exact"], time, delta=1e-12)
                self.assertAlmostEqual(got["rolling_speed_exact"], speed, delta=1e-12)
                self.assertAlmostEqual(got["rolling_time"], time, delta=1.01 * dt)
                self.assertAlmostEqual(got["speed"], end, delta=5 * dt)

    def test_from_event_to_event(self):
        for arguments in ((), ("--angle", 0.2, "--mu", 0.3), ("--omega", -60), ("--inertia", 1, "--v", -1)):
            got = self.results("--scheme", "event", "--t-end", 3, *arguments)
            self.assertAlmostEqual(got["rolling_time"], got["rolling_time_exact"], delta=1e-12)
            self.assertAlmostEqual(got["rolling_speed"], got["rolling_speed_exact"], delta=1e-12)
        done = driver.run("--scheme", "event", "--events")
        kinds = [line.split()[2] for line in done.stdout.splitlines() if line.startswith("event ")]
        self.assertEqual(kinds, ["close", "stick"])

    def test_backspin_brings_it_back(self):
        """Thrown with enough backspin it comes back: v + r ω/2 < 0 for a disk, with the sign of this one."""
        got = self.results("--v", 1, "--omega", 40, "--t-end", 2)
        self.assertAlmostEqual(got["speed"], 1 - (1 + 0.1 * 40) / 3, delta=1e-12)
        self.assertLess(got["speed"], 0)

    def test_too_steep_to_roll(self):
        got = self.results("--angle", 0.8, "--mu", 0.2)
        self.assertNotIn("rolling_time", got)
        self.assertNotIn("rolling_time_exact", got)

    def test_rolls_at_once(self):
        got = self.results("--v", 1, "--omega", -10, "--dt", 1e-3)
        self.assertEqual(got["rolling_time_exact"], 0)
        self.assertAlmostEqual(got["rolling_time"], 1e-3, delta=1e-15)
        self.assertAlmostEqual(got["speed"], 1, delta=1e-12)


if __name__ == "__main__":
    driver.main(sys.argv[1], __name__)
