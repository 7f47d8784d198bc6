# nsdyn: dynamics of mechanical systems with contact, friction and impact
# SPDX-License-Identifier: GPL-3.0-or-later
"""examples/dominoes: the speed of a wave of falling dominoes beside van Leeuwen's. usage: dominoes.py PROGRAM"""
import math
import sys

import driver

HEIGHT, THICKNESS, G, PUSH = 0.048, 0.0075, 9.81, 5


def published_speed(gap, count, parts=100):
    """J. M. J. van Leeuwen, The domino effect, Am. J. Phys. 78 (2010) 721, without friction between dominoes: each turns
    about its foot, and leans on the next one, so that the first angle tells all; energy stays between two strikes, and a
    strike without rebound keeps the momentum of the angle of the domino that is hit."""
    pitch, inertia, limit = gap + THICKNESS, (HEIGHT**2 + THICKNESS**2) / 3, math.asin(gap / HEIGHT)

    def train(first, dominoes):
        angles, rates = [first], [1.0]
        for _ in range(dominoes - 1):
            lean = math.asin((pitch * math.cos(angles[-1]) - THICKNESS) / HEIGHT)
            rates.append(rates[-1] * (1 - pitch * math.sin(angles[-1]) / (HEIGHT * math.cos(lean))))
            angles.append(angles[-1] + lean)
        potential = sum(G / 2 * (HEIGHT * math.cos(a) + THICKNESS * math.sin(a)) for a in angles)
        return potential, sum(r * r for r in rates)

    omega, t, hits = PUSH, 0.0, [0.0]
    for dominoes in range(1, count):
        potential, share = train(0.0, dominoes)
        energy = potential + inertia / 2 * omega**2 * share
        for k in range(parts):
            potential, share = train((k + 0.5) * limit / parts, dominoes)
            t += limit / parts / math.sqrt(2 * (energy - potential) / (inertia * share))
        hits.append(t)
        potential, share = train(limit, dominoes)
        omega = math.sqrt(2 * (energy - potential) / (inertia * share)) * share / (1 + share)
    half = count // 2
    return (count - 1 - half) * pitch / (hits[-1] - hits[half])


class Dominoes(driver.CommonMixin, driver.PageMixin, driver.Driver):
    numbers = ("dominoes", "height", "thickness", "gap", "push", "mu", "mu-table", "eps", "g", "tol", "dt", "t-end")
    brief = ("--dominoes", "3", "--t-end", "0.02")

    def test_published_speed(self):
        """Within 2 % of van Leeuwen's, for spacings of a fifth to more than half of the height: he holds the feet, which
        hop and slip a little here."""
        for gap, dt in ((0.01, 2e-4), (0.02, 2e-4), (0.03, 2e-4))[:3 if driver.SCALE > 0.5 else 1]:
            with self.subTest(gap=gap):
                got = self.results("--dominoes", 14, "--mu", 0, "--mu-table", 10, "--gap", gap, "--dt", dt)
                self.assertEqual(got["fallen"], 14)
                self.assertAlmostEqual(got["speed"] / published_speed(gap, 14), 1, delta=0.02)

    def test_friction_slows_down(self):
        speeds = [self.results("--dominoes", 10, "--mu", mu)["speed"] for mu in (0, 0.15, 0.3)]
        self.assertGreater(speeds[0], 1.1 * speeds[1])
        self.assertGreater(speeds[1], 1.1 * speeds[2])

    def test_scales(self):
        """McLachlan et al.: v/√(g h) depends on ratios of lengths alone."""
        small = self.results("--dominoes", 8)
        large = self.results("--dominoes", 8, "--height", 4.8, "--thickness", 0.75, "--gap", 2, "--push", 0.5, "--dt", 2e-3,
                             "--t-end", 20)
        self.assertAlmostEqual(small["speed_over_sqrt_gh"] / large["speed_over_sqrt_gh"], 1, delta=1e-6)

    def test_too_far_apart(self):
        """It falls, and hits none."""
        self.assertEqual(self.results("--dominoes", 5, "--gap", 0.05, "--t-end", 1)["fallen"], 1)


if __name__ == "__main__":
    driver.main(sys.argv[1], __name__)
