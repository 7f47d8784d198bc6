# nsdyn: dynamics of mechanical systems with contact, friction and impact
# SPDX-License-Identifier: GPL-3.0-or-later
"""examples/bounce: the Zeno point in closed form. usage: bounce.py PROGRAM"""
import csv
import math
import sys

import driver


class Bounce(driver.CommonMixin, driver.PageMixin, driver.Driver):
    numbers = ("height", "eps-n", "m", "g", "tol", "dt", "t-end")

    def test_rest_time_converges(self):
        """Flights of ε times the one before end at √(2h/g)(1 + ε)/(1 − ε); each step size comes nearer."""
        for height, eps, g in ((1, 0.8, 9.81), (0.2, 0.5, 9.81), (3, 0.7, 1.62)):
            exact = math.sqrt(2 * height / g) * (1 + eps) / (1 - eps)
            for dt in (1e-3, 1e-4, 1e-5):
                with self.subTest(height=height, eps=eps, dt=dt):
                    got = self.results("--height", height, "--eps-n", eps, "--g", g, "--dt", dt, "--t-end",
                                       1.3 * exact)
                    self.assertAlmostEqual(got["rest_time_exact"], exact, delta=1e-12 * exact)
                    # Each impact is off by a step at most, and so are the flights after it, ever shorter.
                    self.assertAlmostEqual(got["rest_time"], exact, delta=10 * dt / (1 - eps))

    def test_zeno_point_from_event_to_event(self):
        for height, eps, g in ((1, 0.8, 9.81), (0.2, 0.5, 9.81), (3, 0.9, 1.62), (1e-4, 0.0, 9.81)):
            exact = math.sqrt(2 * height / g) * (1 + eps) / (1 - eps)
            got = self.results("--scheme", "event", "--height", height, "--eps-n", eps, "--g", g, "--t-end", 1.3 * exact)
            self.assertAlmostEqual(got["rest_time"], exact, delta=1e-12 * exact)
            self.assertAlmostEqual(got["height"], 0, delta=1e-14 * height)
            self.assertGreaterEqual(got["lowest"], -1e-12 * height)
        done = driver.run("--scheme", "event", "--events", "--eps-n", 0.5)
        events = [line.split() for line in done.stdout.splitlines() if line.startswith("event ")]
        self.assertEqual([e[2] for e in events], ["impact"] * (len(events) - 1) + ["zeno"])
        for k, event in enumerate(events[:8]):
            self.assertAlmostEqual(float(event[1]), math.sqrt(2 / 9.81) * (3 - 2 * 0.5 ** k), delta=1e-11)

    def test_units_do_not_matter(self):
        """A ball of 1 mg bounces like one of a tonne."""
        times = [self.results("--m", m)["rest_time"] for m in (1e-6, 1, 1000)]
        self.assertEqual(times, [times[0]] * 3)

    def test_elastic_ball_never_rests(self):
        got = self.results("--eps-n", 1, "--t-end", 20)
        self.assertNotIn("rest_time", got)
        self.assertNotIn("rest_time_exact", got)

    def test_ball_at_rest_stays(self):
        got = self.results("--height", 0, "--t-end", 10)
        self.assertEqual((got["impacts"], got["height"]), (1, 0))
        # it begins in the middle of a step, since the contact is closed there: half a step of fall at most
        self.assertGreaterEqual(got["lowest"], -9.81 * 1e-6)

    def test_elastic_ball_from_event_to_event(self):
        """It comes back to its height, after any number of impacts."""
        fall = math.sqrt(2 / 9.81)
        got = self.results("--scheme", "event", "--eps-n", 1, "--t-end", 200 * fall)
        self.assertEqual(got["impacts"], 100)
        self.assertAlmostEqual(got["height"], 1, delta=1e-9)
        self.assertNotIn("rest_time", got)

    def test_rebounds(self):
        """The apex after k impacts is ε^{2k} of the height, to first order in the step."""
        path = self.folder / "out.csv"
        self.results("--csv", path, "--dt", 1e-4, "--eps-n", 0.9, "--t-end", 2.5)
        with path.open(encoding="ascii") as file:
            rows = [tuple(map(float, row)) for row in list(csv.reader(file))[1:]]
        apexes = [b[1] for a, b, c in zip(rows, rows[1:], rows[2:]) if a[1] < b[1] >= c[1]]
        for k, apex in enumerate(apexes[:3]):
            self.assertAlmostEqual(apex, 0.9 ** (2 * (k + 1)), delta=2e-3)

    def test_page_shows_what_happens(self):
        """Impulses are (1 + ε) m v, the force at rest is the weight, energy is that of the height."""
        motion = self.page("--scheme", "event", "--m", 2, "--height", 1, "--eps-n", 0.5, "--t-end", 2)
        v = math.sqrt(2 * 9.81)
        for k, one in enumerate(motion["impulses"][:5]):
            self.assertAlmostEqual(one[4] / (1.5 * 2 * v * 0.5**k), 1, delta=1e-6)
        self.assertEqual(motion["impulses"][0][1:4], [0, 0, 0])
        self.assertAlmostEqual(motion["forces"][-1][3] / (2 * 9.81), 1, delta=1e-6)
        self.assertAlmostEqual(motion["energies"]["sum"][0] / (2 * 9.81), 1, delta=1e-6)
        for t, pose, energy in list(zip(motion["time"], motion["poses"], motion["energies"]["gravity"]))[:400]:
            self.assertAlmostEqual(pose[1], 1 - 9.81 / 2 * t * t, delta=1e-6)
            self.assertAlmostEqual(energy, 2 * 9.81 * pose[1], delta=1e-5)


if __name__ == "__main__":
    driver.main(sys.argv[1], __name__)
