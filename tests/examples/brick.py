# nsdyn: dynamics of mechanical systems with contact, friction and impact
# SPDX-License-Identifier: GPL-3.0-or-later
"""examples/brick: stops on the ramp, stick–slip on the belt. usage: brick.py PROGRAM"""
import csv
import math
import sys

import driver

BELT = ("--angle", 0, "--v", 0, "--k", 20, "--belt", 0.2, "--mu", 0.3, "--mu-static", 0.5)


class Brick(driver.CommonMixin, driver.PageMixin, driver.Driver):
    numbers = ("mu", "mu-static", "speed", "angle", "v", "k", "belt", "m", "g", "tol", "dt", "t-end")

    def test_stops_on_the_ramp(self):
        """Downhill and uphill: v²/2a of way in v/a of time, to first order in the step."""
        for v, angle, mu in ((2, 0.3, 0.5), (-2, 0.3, 0.5), (0.5, 0, 0.1), (-1, 0.6, 0.2)):
            a = 9.81 * math.sin(angle) - math.copysign(mu * 9.81 * math.cos(angle), v)
            for dt in (1e-3, 1e-4):
                with self.subTest(v=v, angle=angle, dt=dt):
                    got = self.results("--v", v, "--angle", angle, "--mu", mu, "--dt", dt)
                    self.assertAlmostEqual(got["stop_time_exact"], -v / a, delta=1e-12)
                    self.assertAlmostEqual(got["stop_place_exact"], -0.5 * v * v / a, delta=1e-12)
                    self.assertAlmostEqual(got["stop_place"], -0.5 * v * v / a, delta=20 * dt * dt)
                    if abs(math.tan(angle)) < mu:
                        self.assertAlmostEqual(got["stop_time"], -v / a, delta=1.01 * dt)

    def test_stays_where_it_stopped(self):
        """No creep in a hundred seconds (a smoothed law would slide down)."""
        short, long = (self.results("--t-end", t)["largest_x"] for t in (2, 100))
        self.assertEqual(short, long)

    def test_slides_for_ever(self):
        got = self.results("--mu", 0.2, "--angle", 0.5)
        self.assertNotIn("stop_time", got)
        self.assertNotIn("stop_time_exact", got)

    def test_two_coefficients_hold(self):
        """Thrown uphill on a slope between the two friction angles, it stays at the top; with the sliding
        coefficient alone it slides back."""
        angle = math.atan(0.55)
        common = ("--v", -1, "--angle", angle, "--mu", 0.5, "--t-end", 5)
        held = self.results("--friction", "two", "--mu-static", 0.6, *common)
        lost = self.results("--friction", "one", *common)
        self.assertEqual(held["slips"], 0)
        self.assertAlmostEqual(held["stop_place"], held["stop_place_exact"], delta=1e-4)
        self.assertGreater(lost["largest_x"], 1.0)

    def test_period_on_the_belt(self):
        """Stick–slip with two coefficients, against its closed form, at the scheme's order."""
        omega, amplitude, v = math.sqrt(20), 0.2 * 9.81 / 20, 0.2
        exact = 2 * amplitude / v + 2 / omega * (math.pi - math.atan(amplitude * omega / v))
        for dt in (1e-3, 1e-4):
            with self.subTest(dt=dt):
                got = self.results("--friction", "two", "--t-end", 60, "--dt", dt, *BELT)
                self.assertAlmostEqual(got["period_exact"], exact, delta=1e-12)
                self.assertAlmostEqual(got["period"], exact, delta=2 * dt)
                self.assertAlmostEqual(got["largest_x"], 0.5 * 9.81 / 20, delta=0.01)

    def test_one_coefficient_swings_freely(self):
        """With one coefficient the belt ends up taking no part: it swings about μ m g/k, just not as fast as the
        belt."""
        path = self.folder / "out.csv"
        self.results("--csv", path, "--friction", "one", "--t-end", 20, *BELT)
        with path.open(encoding="ascii") as file:
            tail = [float(row[1]) for row in list(csv.reader(file))[-5000:]]
        middle, swing = 0.3 * 9.81 / 20, 0.2 / math.sqrt(20)  # it never leaves the belt faster than that
        self.assertLess(max(tail), middle + swing + 1e-3)
        self.assertGreater(min(tail), middle - swing - 1e-3)

    def test_falling_friction_sticks_and_slips(self):
        got = self.results("--friction", "falling", "--speed", 0.01, "--t-end", 60, *BELT)
        self.assertGreater(got["slips"], 20)
        two = self.results("--friction", "two", "--t-end", 60, *BELT)
        self.assertAlmostEqual(got["period"], two["period"], delta=0.2)

    def test_coefficients_out_of_order(self):
        self.refused("--friction", "two", "--mu", 0.5, "--mu-static", 0.4, names="--mu-static")

    def test_stop_from_event_to_event(self):
        for angle, v, mu in ((0.3, 2.0, 0.5), (0.0, 1e-3, 0.1), (0.4, -3.0, 0.6)):
            for law in ("one", "two"):
                got = self.results("--scheme", "event", "--angle", angle, "--v", v, "--mu", mu, "--friction", law,
                                   "--mu-static", 0.7)
                self.assertAlmostEqual(got["stop_time"], got["stop_time_exact"], delta=1e-12)
                self.assertAlmostEqual(got["stop_place"], got["stop_place_exact"], delta=1e-12)
                self.assertEqual(got["slips"], 0)

    def test_belt_from_event_to_event(self):
        got = self.results("--scheme", "event", "--friction", "two", "--k", 20, "--belt", 0.3, "--angle", 0, "--v", 0,
                           "--t-end", 20)
        self.assertGreater(got["slips"], 10)
        self.assertAlmostEqual(got["period"], got["period_exact"], delta=1e-10)

    def test_events_in_order(self):
        done = driver.run("--scheme", "event", "--events", "--friction", "falling", "--k", 20, "--belt", 0.3, "--angle",
                          0, "--v", 0, "--t-end", 20)
        kinds = [line.split()[2] for line in done.stdout.splitlines() if line.startswith("event ")]
        self.assertEqual(kinds[0], "close")
        self.assertEqual(set(kinds[1::2]), {"stick"})
        self.assertEqual(set(kinds[2::2]), {"slip"})


if __name__ == "__main__":
    driver.main(sys.argv[1], __name__)
