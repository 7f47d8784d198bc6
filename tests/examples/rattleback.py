# nsdyn: dynamics of mechanical systems with contact, friction and impact
# SPDX-License-Identifier: GPL-3.0-or-later
"""examples/rattleback: it turns back as a stone that rolls without slip. usage: rattleback.py PROGRAM"""
import math
import sys

import driver

A, B, C, H, DELTA = 0.2, 0.03, 0.02, 0.01, 0.0143
J, M, G = (2e-4, 1.6e-3, 1.7e-3), 1.0, 9.81


def cross(p, q):
    return (p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0])


def dot(p, q):
    return p[0] * q[0] + p[1] * q[1] + p[2] * q[2]


def solve(rows, p):
    """Cramer's rule."""
    a = (cross(rows[1], rows[2]), cross(rows[2], rows[0]), cross(rows[0], rows[1]))
    det = dot(rows[0], a[0])
    return tuple(sum(a[i][k] * p[i] for i in range(3)) / det for k in range(3))


class Rolling:
    """Rolling without slip, by the vertical n and ω along the body's axes: v = r × ω, r to the point of contact,
    (J − m [r]²) ω' = −ω × Jω + m r × (r' × ω + ω × (r × ω) + g n). Classical Runge-Kutta."""

    def __init__(self, spin, tilt, delta):
        c, s = math.cos(delta), math.sin(delta)
        self.squares = ((A * A * c * c + B * B * s * s, (A * A - B * B) * c * s, 0),
                        ((A * A - B * B) * c * s, A * A * s * s + B * B * c * c, 0), (0, 0, C * C))
        n = (-s * math.sin(tilt), c * math.sin(tilt), math.cos(tilt))
        self.y = n + tuple(spin * x for x in n)

    def rates(self, y):
        n, omega = y[:3], y[3:]
        Sn = tuple(dot(row, n) for row in self.squares)
        size = math.sqrt(dot(n, Sn))
        r = (-Sn[0] / size, -Sn[1] / size, H - Sn[2] / size)
        n_rate = cross(n, omega)
        S_rate = tuple(dot(row, n_rate) for row in self.squares)
        along = dot(n, S_rate) / size**3
        r_rate = tuple(Sn[i] * along - S_rate[i] / size for i in range(3))
        pull = tuple(x + y + G * z for x, y, z in zip(cross(r_rate, omega), cross(omega, cross(r, omega)), n))
        torque = tuple(M * x - y for x, y in
                       zip(cross(r, pull), cross(omega, tuple(J[i] * omega[i] for i in range(3)))))
        inertia = tuple(tuple((J[i] + M * dot(r, r) if i == j else 0) - M * r[i] * r[j] for j in range(3))
                        for i in range(3))
        return n_rate + solve(inertia, torque)

    def step(self, dt):
        def ahead(k, share):
            return self.rates(tuple(x + share * dt * v for x, v in zip(self.y, k)))
        k1 = self.rates(self.y)
        k2 = ahead(k1, 0.5)
        k3 = ahead(k2, 0.5)
        k4 = ahead(k3, 1)
        self.y = tuple(x + dt / 6 * (a + 2 * b + 2 * c + d) for x, a, b, c, d in zip(self.y, k1, k2, k3, k4))
        return dot(self.y[:3], self.y[3:])

    def run(self, t_end, dt=1e-3):
        """When the spin changes its sign (None: never), the least and the largest spin."""
        spins = [dot(self.y[:3], self.y[3:])]
        for _ in range(round(t_end / dt)):
            spins.append(self.step(dt))
        turns = [(k + a / (a - b)) * dt for k, (a, b) in enumerate(zip(spins, spins[1:])) if a * b < 0]
        return turns[0] if turns else None, min(spins), max(spins)


class Rattleback(driver.CommonMixin, driver.PageMixin, driver.Driver):
    numbers = ("spin", "tilt", "delta", "a", "b", "c", "h", "jx", "jy", "jz", "mu", "m", "g", "dt", "t-end")
    brief = ("--t-end", 0.1)

    def test_turns_back_as_a_rolling_stone(self):
        """The instant of reversal, to first order in Δt: what two steps extrapolate to is right to a third of a
        per cent, and the error of the shorter one is smaller."""
        for spin, tilt, delta, t_end in ((5, 0.05, DELTA, 7), (4, 0.08, 2 * DELTA, 4)):
            with self.subTest(spin=spin, tilt=tilt, delta=delta):
                exact, least, _ = Rolling(spin, tilt, delta).run(t_end)
                arguments = ("--spin", spin, "--tilt", tilt, "--delta", delta, "--t-end", t_end)
                coarse, fine = (self.results(*arguments, "--dt", dt) for dt in (4e-5, 2e-5))
                error = [abs(got["reversal"] / exact - 1) for got in (coarse, fine)]
                self.assertLess(error[1], 0.03)
                self.assertLess(error[1], 0.75 * error[0])
                self.assertAlmostEqual((2 * fine["reversal"] - coarse["reversal"]) / exact, 1, delta=0.01)
                self.assertLess(fine["least_spin"] * fine["largest_spin"], 0)
                self.assertAlmostEqual(fine["least_spin"] / least, 1, delta=0.2)

    def test_its_mirror_image_does_the_same(self):
        there, back = (self.results("--spin", 4 * side, "--tilt", 0.08, "--delta", 2 * side * DELTA, "--t-end", 4)
                       for side in (1, -1))
        self.assertAlmostEqual(back["reversal"], there["reversal"], delta=1e-9)
        self.assertAlmostEqual(back["largest_spin"], -there["least_spin"], delta=1e-9)
        self.assertAlmostEqual(back["least_spin"], -there["largest_spin"], delta=1e-9)

    def test_spins_on_the_other_way(self):
        """The way round for which δ has the other sign: it slows down by less than a hundredth."""
        for spin, delta in ((-5, DELTA), (5, -DELTA)):
            with self.subTest(spin=spin, delta=delta):
                exact, least, most = Rolling(spin, 0.0087, delta).run(4)
                self.assertIsNone(exact)
                got = self.results("--spin", spin, "--tilt", 0.0087, "--delta", delta, "--t-end", 4)
                self.assertEqual(got["reverses"], "no")
                self.assertAlmostEqual(got["least_spin"], least, delta=2e-3)
                self.assertAlmostEqual(got["largest_spin"], most, delta=2e-3)

    def test_without_skew_it_spins_on(self):
        for spin in (5, -5):
            self.assertEqual(self.results("--spin", spin, "--delta", 0)["reverses"], "no")

    def test_rolls(self):
        """What slips in a step is of its length, and no energy is gained but for that."""
        coarse, fine = (self.results("--dt", dt, "--t-end", 2) for dt in (1e-4, 2.5e-5))
        self.assertLess(fine["largest_slip"], 0.4 * coarse["largest_slip"])
        self.assertLess(fine["energy_gain"], 1e-3 * fine["energy_before"])


if __name__ == "__main__":
    driver.main(sys.argv[1], __name__)
