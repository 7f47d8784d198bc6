# nsdyn: dynamics of mechanical systems with contact, friction and impact
# SPDX-License-Identifier: GPL-3.0-or-later
"""examples/walker: the gait of a compass, its multipliers, and the slopes on which it is stable.
usage: walker.py PROGRAM"""
import cmath
import math
import sys

import driver

# Of the limit of small feet (Garcia et al. 1998), made a step's own by the root of those of two steps.
THETA, MULTIPLIER, PERIOD = 0.200310900544, complex(-0.190099839, 0.557598784), 3.882463753
GOSWAMI = ("--M", "10", "--m", "5", "--c", "0.5", "--slope", "0.0524", "--theta", "0.271", "--rate", "-1.09",
           "--swing", "-0.38")


def rates(y, slope):
    """The simplest walker: the leg that stands is a pendulum upside down, the other one hangs on its hip."""
    theta, phi, rate, turn = y
    fall = math.sin(theta - slope)
    return rate, turn, fall, fall + math.sin(phi) * (rate * rate - math.cos(theta - slope))


def runge_kutta(y, h, slope):
    k1 = rates(y, slope)
    k2 = rates([a + h / 2 * b for a, b in zip(y, k1)], slope)
    k3 = rates([a + h / 2 * b for a, b in zip(y, k2)], slope)
    k4 = rates([a + h * b for a, b in zip(y, k3)], slope)
    return [a + h / 6 * (p + 2 * q + 2 * r + s) for a, p, q, r, s in zip(y, k1, k2, k3, k4)]


def one_step(theta, rate, slope):
    """From just after one touch to just after the next: θ, its rate, and the time it took, in √(l/g)."""
    def above(y):  # the foot that swings: φ − 2θ
        return y[1] - 2 * y[0]

    t, h = 0.0, 5e-3
    y = [theta, 2 * theta, rate, (1 - math.cos(2 * theta)) * rate]
    while t < 6:
        z = runge_kutta(y, h, slope)
        if t > 2 and z[0] < -0.03 and above(y) * above(z) <= 0:
            break
        y, t = z, t + h
    part = h * above(y) / (above(y) - above(z))
    for _ in range(6):
        z = runge_kutta(y, part, slope)
        part -= above(z) / (z[3] - 2 * z[2])
    z = runge_kutta(y, part, slope)
    return -z[0], math.cos(2 * z[0]) * z[2], t + part


class Walker(driver.CommonMixin, driver.PageMixin, driver.Driver):
    numbers = ("slope", "M", "m", "l", "c", "theta", "rate", "swing", "pass", "mu", "g", "until", "points", "tol", "dt", "t-end")
    brief = ("--t-end", "1.5")

    def step_multiplier(self, got):
        return cmath.sqrt(complex(got["multiplier_1_re"], got["multiplier_1_im"]))

    def test_the_simplest_walker(self):
        """With ever smaller feet, what is in print: θ, the time of a step, and the multipliers."""
        errors = []
        for m in (1e-3, 1e-5)[: 1 if driver.QUICK else 2]:
            got = self.results("--m", m, "--t-end", 12)
            errors.append(abs(got["theta"] - THETA))
            self.assertLess(errors[-1], 0.2 * m)
            self.assertLess(abs(got["step_period"] * math.sqrt(9.81) - PERIOD), 1e-5 + 0.8 * m)
            of_two = complex(got["multiplier_1_re"], abs(got["multiplier_1_im"]))
            self.assertLess(abs(of_two - (MULTIPLIER ** 2).conjugate()), 20 * m + 2 * got["multiplier_error"])
            self.assertEqual(got["stable"], 1)
            self.assertLess(got["limp"], 1e-9)

    def test_another_integration(self):
        """Its own equations, by another method, on slopes of its own."""
        for slope in (0.006, 0.012)[: 1 if driver.QUICK else 2]:
            guess = 0.2 * (slope / 0.009) ** (1 / 3)
            got = self.results("--m", 1e-5, "--slope", slope, "--theta", guess, "--rate", -3.13 * guess,
                               "--swing", -3.13 * guess * math.cos(2 * guess), "--t-end", 20)
            unit = math.sqrt(9.81)
            theta, rate, t = one_step(got["theta"], got["rate"] / unit, slope)
            self.assertAlmostEqual(theta, got["theta"], delta=5e-5)
            self.assertAlmostEqual(rate, got["rate"] / unit, delta=5e-5)
            self.assertAlmostEqual(t, got["step_period"] * unit, delta=5e-4)

    def test_units_are_free(self):
        """Lengths, masses and gravity of another world: angles stay, times scale."""
        if driver.QUICK:
            return
        one = self.results("--t-end", 12)
        other = self.results("--l", 1000, "--M", 5e3, "--m", 5, "--g", 9.81, "--t-end", 12 * math.sqrt(1000),
                             "--rate", -0.625 / math.sqrt(1000), "--swing", -0.576 / math.sqrt(1000), "--dt", 0.05)
        self.assertAlmostEqual(other["theta"], one["theta"], delta=1e-9)
        self.assertAlmostEqual(other["step_period"], one["step_period"] * math.sqrt(1000), delta=1e-6)
        self.assertAlmostEqual(other["multiplier_1_re"], one["multiplier_1_re"], delta=5e-5)

    def test_the_end_of_equal_steps(self):
        """Between two slopes, and on one where two steps differ already."""
        if driver.QUICK:
            return
        start = ("--theta", 0.234, "--rate", -0.718, "--swing", -0.641, "--points", 2, "--t-end", 8)
        got = self.results("--slope", 0.0148, "--until", 0.0151, *start)
        self.assertAlmostEqual(got["stable_until"], 0.014935, delta=2e-6)
        got = self.results("--slope", 0.0155, "--until", 0.0157, *start)
        self.assertNotIn("stable_until", got)
        self.refused("--scheme", "moreau", "--until", 0.02, names="--until")

    def test_slopes_that_are_in_print(self):
        """The simplest walker is stable up to 0.0151, where its step's multiplier passes −1; Goswami's compass up to
        4.4°."""
        if driver.SCALE < 1:
            return  # a hundred cycles: for ./dev full
        got = self.results("--m", 1e-6, "--slope", 0.0145, "--theta", 0.234, "--rate", -0.718, "--swing", -0.641,
                           "--until", 0.0155, "--t-end", 25)
        self.assertAlmostEqual(got["stable_until"], 0.01509, delta=2e-5)
        got = self.results(*GOSWAMI, "--pass", 0.8, "--until", 0.085, "--t-end", 10)
        self.assertAlmostEqual(math.degrees(got["stable_until"]), 4.39, delta=0.03)

    def test_goswamis_compass(self):
        if driver.QUICK:
            return
        got = self.results(*GOSWAMI, "--t-end", 15)
        self.assertAlmostEqual(got["step_period"], 0.734, delta=1e-3)
        self.assertAlmostEqual(got["step_length"], 0.535, delta=1e-3)
        self.assertEqual(got["stable"], 1)

    def test_steps_agree(self):
        """To the order of the step."""
        exact = self.results("--t-end", 12)
        for dt in (1e-3, 1e-4)[: 1 if driver.QUICK else 2]:
            got = self.results("--scheme", "moreau", "--dt", dt, "--t-end", 12)
            self.assertAlmostEqual(got["step_period"], exact["step_period"], delta=25 * dt)
            self.assertAlmostEqual(got["step_length"], exact["step_length"], delta=5 * dt)

    def test_prints_events(self):
        done = driver.run("--events", "--t-end", 3)
        self.assertEqual(done.returncode, 0)
        self.assertIn(" impact ", done.stdout)
        self.assertIn(" open ", done.stdout)

    def test_falls(self):
        """On slopes too steep, and on none; and the line says which foot was where it cannot be."""
        for slope in (0, 0.03, 0.05):
            done = driver.run("--slope", slope, "--t-end", 8)
            self.assertEqual(done.returncode, 1)
            self.assertRegex(done.stderr, r"\Awalker: [^\n]+\n\Z")


if __name__ == "__main__":
    driver.main(sys.argv[1], __name__)
