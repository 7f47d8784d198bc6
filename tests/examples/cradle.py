# nsdyn: dynamics of mechanical systems with contact, friction and impact
# SPDX-License-Identifier: GPL-3.0-or-later
"""examples/cradle: balls in a row under Newton's law, and Poisson's. usage: cradle.py PROGRAM"""
import sys

import driver


class Cradle(driver.CommonMixin, driver.PageMixin, driver.Driver):
    numbers = ("v", "eps", "eps-last", "gap", "m", "dt", "t-end")

    def velocities(self, *arguments):
        got = self.results(*arguments)
        self.assertAlmostEqual(got["momentum"], got["momentum_before"], delta=1e-12 * abs(got["momentum_before"]))
        return [got[f"v_{i}"] for i in range(int(dict(zip(arguments, arguments[1:])).get("--balls", 5)))]

    def assert_close(self, values, expected, delta=1e-12):
        self.assertEqual(len(values), len(expected))
        for value, wanted in zip(values, expected):
            self.assertAlmostEqual(value, wanted, delta=delta)

    def test_one_after_the_other(self):
        """With room between them the last ball leaves with ((1 + ε)/2)^(n − 1), each other with what it kept."""
        for eps in (1.0, 0.9, 0.5):
            for balls in (2, 3, 5):
                with self.subTest(eps=eps, balls=balls):
                    pass_on = (1 + eps) / 2
                    got = self.velocities("--eps", eps, "--balls", balls, "--t-end", 0.02, "--gap", 1e-3)
                    if eps == 1.0 or balls == 2:
                        kept = [(1 - eps) / 2 * pass_on**i for i in range(balls - 1)]
                        self.assert_close(got, kept + [pass_on ** (balls - 1)])
                    else:  # later the slower ones are overtaken: the last is as fast as after the first wave
                        self.assertAlmostEqual(got[-1], pass_on ** (balls - 1), delta=1e-12)

    def test_touching_balls_by_newton(self):
        """All at once: the row goes apart with ε times the velocity of approach, at its first contact alone."""
        self.assert_close(self.velocities("--gap", 0, "--balls", 3), [-1 / 3, 2 / 3, 2 / 3])
        for balls in (2, 3, 5):
            for eps in (0.0, 0.5, 1.0):
                with self.subTest(balls=balls, eps=eps):
                    got = self.velocities("--gap", 0, "--balls", balls, "--eps", eps)
                    rest = (1 + eps) / balls
                    self.assert_close(got, [1 - (balls - 1) * rest] + [rest] * (balls - 1))

    def test_unequal_restitution(self):
        """The last contact is at rest before the impact: its ε does not matter where all touch, but does where
        there is room."""
        touching = self.velocities("--gap", 0, "--balls", 3, "--eps", 0.5, "--eps-last", 1)
        self.assert_close(touching, [0, 0.5, 0.5])
        apart = self.velocities("--balls", 3, "--eps", 1, "--eps-last", 0.5, "--t-end", 0.02)
        self.assert_close(apart, [0, 0.25, 0.75])

    def test_poissons_law(self):
        """It differs from Newton's where the last contact gives back what it stored, and nowhere with room."""
        got = self.velocities("--gap", 0, "--balls", 3, "--eps", 0, "--eps-last", 1, "--impact", "poisson")
        self.assert_close(got, [1 / 6, 1 / 6, 2 / 3])
        for gap in (0, 1e-3):
            arguments = ("--balls", 3, "--eps", 0.8, "--gap", gap, "--t-end", 0.02)
            self.assert_close(self.velocities(*arguments, "--impact", "poisson"), self.velocities(*arguments))

    def test_two_thrown_two_leave(self):
        self.assert_close(self.velocities("--thrown", 2), [0, 0, 0, 1, 1])

    def test_energy(self):
        for eps in (1.0, 0.6, 0.0):
            with self.subTest(eps=eps):
                got = self.results("--eps", eps, "--gap", 0)
                self.assertLessEqual(got["energy"], got["energy_before"] * (1 + 1e-12))
        self.assertAlmostEqual(self.results()["energy"], 0.05, delta=1e-12)

    def test_all_thrown(self):
        self.refused("--balls", 3, "--thrown", 3, names="--thrown")


if __name__ == "__main__":
    driver.main(sys.argv[1], __name__)
