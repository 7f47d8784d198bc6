# nsdyn: dynamics of mechanical systems with contact, friction and impact
# SPDX-License-Identifier: GPL-3.0-or-later
"""examples/painleve: the rod through the paradox. usage: painleve.py PROGRAM"""
import math
import sys

import driver

G = 9.81


def delassus(theta):
    """G of the lower end of a uniform rod with m = l = 1, and its directions in θ."""
    a, b = -0.5 * math.cos(theta), 0.5 * math.sin(theta)
    return [[1 + 12 * a * a, 12 * a * b], [12 * a * b, 1 + 12 * b * b]], (a, b)


class Painleve(driver.CommonMixin, driver.PageMixin, driver.Driver):
    numbers = ("theta", "omega", "height", "v", "mu", "eps-n", "inertia", "m", "l", "g", "tol", "dt", "t-end")

    def slide(self, *arguments):
        return self.results("--start", "slide", "--omega", 0, "--theta", 1.0, *arguments)

    def test_bracket(self):
        """1 − 3 cos θ (μ sin θ − cos θ); negative somewhere only for μ > 4/3."""
        for theta in (0.3, 0.8, 1.0, 1.3):
            for mu in (0.5, 1.3, 2.0):
                got = self.results("--start", "slide", "--theta", theta, "--mu", mu, "--omega", 0)
                exact = 1 - 3 * math.cos(theta) * (mu * math.sin(theta) - math.cos(theta))
                self.assertAlmostEqual(got["bracket"], exact, delta=1e-2)
        lowest = [min(1 - 3 * math.cos(t) * (mu * math.sin(t) - math.cos(t)) for t in
                      [k * 1e-4 for k in range(15708)]) for mu in (4 / 3 - 1e-3, 4 / 3 + 1e-3)]
        self.assertGreater(lowest[0], 0)
        self.assertLess(lowest[1], 0)

    def test_impact_without_collision(self):
        """Sliding into the paradox with no finite force: the sliding stops at once by Λ = −γ_T G⁻¹ e_T, and the
        smaller the step the more exactly so."""
        (g_nn, g_nt), (_, g_tt) = delassus(1.0)[0]
        det = g_nn * g_tt - g_nt * g_nt
        normal, tangential = -g_nt / det, g_nn / det  # v = 1 to the left: γ_T = −1
        errors = []
        for dt in (1e-3, 1e-4, 1e-5):
            got = self.slide("--dt", dt, "--t-end", 10 * dt)
            self.assertLess(got["bracket"], 0)
            self.assertEqual(got["mode"], "stick")
            self.assertEqual(got["contact_time"], 0)
            self.assertAlmostEqual(got["sliding_before"], -1, delta=1e-12)
            self.assertAlmostEqual(got["sliding_after"], 0, delta=1e-12)
            self.assertAlmostEqual(got["normal_after"], 0, delta=1e-12)
            errors.append(abs(got["impulse_normal"] - normal) + abs(got["impulse_tangential"] - tangential))
        self.assertLess(errors[0], 0.05)
        self.assertLess(errors[1], 0.15 * errors[0])
        self.assertLess(errors[2], 0.15 * errors[1])

    def test_paradox_from_event_to_event(self):
        """It is met as such, and resolved by the very impulse that steps converge to."""
        (g_nn, g_nt), (_, g_tt) = delassus(1.0)[0]
        det = g_nn * g_tt - g_nt * g_nt
        for v, mode in ((1, "stick"), (1e-3, "stick"), (50, "open")):  # what turns so fast then takes off
            got = self.slide("--scheme", "event", "--v", v, "--t-end", 0.01)
            self.assertEqual((got["paradoxes"], got["ambiguous"], got["mode"]), (1, 0, mode))
            self.assertEqual(got["contact_time"], 0)
            self.assertAlmostEqual(got["impulse_normal"], -v * g_nt / det, delta=1e-12 * v)
            self.assertAlmostEqual(got["impulse_tangential"], v * g_nn / det, delta=1e-12 * v)
            self.assertAlmostEqual(got["sliding_before"], -v, delta=1e-12 * v)
            self.assertAlmostEqual(got["sliding_after"], 0, delta=1e-12 * v)
            self.assertAlmostEqual(got["normal_after"], 0, delta=1e-12 * v)
        done = driver.run("--start", "slide", "--omega", 0, "--theta", 1.0, "--scheme", "event", "--events")
        kinds = [line.split()[2] for line in done.stdout.splitlines() if line.startswith("event ")]
        self.assertEqual(kinds, ["painleve", "slip"])

    def test_no_paradox_from_event_to_event(self):
        got = self.slide("--scheme", "event", "--mu", 0.5, "--t-end", 1e-3)
        self.assertEqual((got["paradoxes"], got["ambiguous"]), (0, 0))
        self.assertEqual((got["mode"], got["impulse_normal"]), ("slip_minus", 0))

    def test_several_forces(self):
        """Turning fast, the rod may go on sliding under a finite force, or take off: the driver's policy says."""
        arguments = ("--scheme", "event", "--start", "slide", "--theta", 1.0, "--omega", 8)
        got = self.results(*arguments)
        self.assertEqual(got["ambiguous"], 1)
        self.assertNotIn("contact_time", got)
        table = self.folder / "out.csv"
        self.results(*arguments, "--csv", table)
        with table.open(encoding="ascii") as file:
            self.assertEqual(len(file.readlines()), 2)  # it stops there
        got = self.results(*arguments, "--ambiguous", "open", "--t-end", 0.3, "--csv", table)
        self.assertEqual(got["ambiguous"], 1)
        with table.open(encoding="ascii") as file:
            t, _, y, theta = map(float, file.readlines()[-1].split(",")[:4])
        self.assertAlmostEqual(t, 0.3, delta=1e-12)
        y_0, v_0 = 0.5 * math.sin(1), 0.5 * math.cos(1) * 8  # free flight
        self.assertAlmostEqual(y, y_0 + v_0 * t - 0.5 * G * t * t, delta=1e-9)
        self.assertAlmostEqual(theta, 1 + 8 * t, delta=1e-9)

    def test_steps_converge_to_events(self):
        exact = self.results("--scheme", "event", "--tol", 1e-12)
        self.assertEqual(exact["paradoxes"], 0)
        for name in ("contact_angle", "sliding_after", "omega_after", "impulse_normal", "impulse_tangential"):
            errors = [abs(self.results("--dt", dt)[name] - exact[name]) for dt in (1e-3, 1e-5)]
            self.assertLess(errors[1], 0.05 * errors[0] + 1e-12)

    def test_no_paradox_with_little_friction(self):
        """For μ < 4/3 the slide goes on under a finite force: the impulse of a step is of the step's size."""
        got = self.slide("--mu", 0.5, "--dt", 1e-4, "--t-end", 1e-3)
        self.assertGreater(got["bracket"], 0)
        self.assertEqual(got["mode"], "slip_minus")
        self.assertLess(got["impulse_normal"], 2 * G * 1e-4)

    def test_drop(self):
        """Figure 2.4: it falls, spinning, and comes to rest on the table within the impact, at the time of free
        fall; halving the step converges."""
        theta, omega, height = 0.6, 4.0, 1.0
        low, high = 0.0, 0.5
        for _ in range(60):  # the lower end's height is monotone here
            t = 0.5 * (low + high)
            if height - 0.5 * G * t * t - 0.5 * abs(math.sin(theta + omega * t)) > 0:
                low = t
            else:
                high = t
        got, last = [], None
        for dt in (1e-3, 1e-4, 1e-5):
            got.append(self.results("--theta", theta, "--omega", omega, "--height", height, "--dt", dt))
            self.assertAlmostEqual(got[-1]["contact_time"], low, delta=2 * dt)
            self.assertIn(got[-1]["mode"], ("stick", "slip_plus", "slip_minus"))
            # The end turns about the contact and its gap accelerates by κ: it is left with −½ κ Δt, so that it
            # does not leave the table.
            self.assertLessEqual(got[-1]["normal_after"], 1e-9)
            self.assertGreater(got[-1]["normal_after"], -4 * dt)
        for name in ("sliding_after", "omega_after", "impulse_normal"):
            last = [abs(g[name] - got[2][name]) for g in got]
            self.assertLess(last[1], 0.05 * max(1.0, abs(got[2][name])))

    def test_it_never_touches(self):
        got = self.results("--height", 100, "--t-end", 0.1)
        self.assertNotIn("contact_time", got)


if __name__ == "__main__":
    driver.main(sys.argv[1], __name__)
