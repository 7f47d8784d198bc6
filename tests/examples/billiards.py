# nsdyn: dynamics of mechanical systems with contact, friction and impact
# SPDX-License-Identifier: GPL-3.0-or-later
"""examples/billiards: momentum, spin and hops of Stewart's Figure 2.3. usage: billiards.py PROGRAM"""
import sys

import driver

R = 0.03


class Billiards(driver.CommonMixin, driver.PageMixin, driver.Driver):
    numbers = ("v", "fall", "above", "beside", "gap", "mu", "eps", "eps-t", "m", "g", "dt", "t-end")

    def test_what_the_figure_shows(self):
        """Stewart 2000, section 2: most of the momentum is transferred to the third ball; the thrown one rebounds
        with a spin that alternates, in direction and speed of its bounces too; the second ball hops."""
        for dt in (1e-4, 2e-5):
            with self.subTest(dt=dt):
                got = self.results("--dt", dt)
                self.assertGreater(got["momentum_3"], 0.8)
                self.assertLess(got["momentum_0"], 0)
                self.assertGreater(got["hop_2"], 1e-3)
                self.assertLess(max(got["hop_1"], got["hop_3"]), 1e-9)
                spin = [got[f"spin_{k}"] for k in range(6)]
                for a, b, c in zip(spin, spin[1:], spin[2:]):
                    self.assertLess((b - a) * (c - b), 0)
                speed = [got[f"v_x_{k}"] for k in range(6)]
                for a, b, c in zip(speed, speed[1:], speed[2:]):
                    self.assertLess((b - a) * (c - b), 0)
                self.assertLess(got["energy_gain"], 1e-12)

    def test_straight_hit_without_friction(self):
        """((1 + ε)/2)³ of the momentum reaches the last ball."""
        for eps in (1, 0.9, 0.5):
            with self.subTest(eps=eps):
                got = self.results("--mu", 0, "--fall", 0, "--above", 0, "--beside", 0, "--eps", eps, "--t-end", 0.01)
                self.assertAlmostEqual(got["momentum_3"], ((1 + eps) / 2) ** 3, delta=1e-12)
                self.assertAlmostEqual(got["momentum_3_without_friction"], ((1 + eps) / 2) ** 3, delta=1e-12)
                if eps == 1:
                    self.assertAlmostEqual(got["energy"], got["energy_before"], delta=1e-12)

    def test_bounces_of_a_spinning_ball(self):
        """Friction at the table leaves v_x + 2/5 r ω_y as it is; where it sticks v_x − r ω_y changes to −ε_T times
        what it was."""
        for mu, eps_t in ((0.3, 0.9), (10, 0.9), (10, 0.5), (10, 0)):
            with self.subTest(mu=mu, eps_t=eps_t):
                got = self.results("--mu", mu, "--eps-t", eps_t)
                ball = [(got[f"v_x_{k}"], R * got[f"spin_{k}"]) for k in range(4)]
                for (v, spin), (v_next, spin_next) in zip(ball, ball[1:]):
                    self.assertAlmostEqual(v + 0.4 * spin, v_next + 0.4 * spin_next, delta=1e-8)
                    if mu == 10:
                        self.assertAlmostEqual(v_next - spin_next, -eps_t * (v - spin), delta=1e-8)


if __name__ == "__main__":
    driver.main(sys.argv[1], __name__)
