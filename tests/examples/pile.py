# nsdyn: dynamics of mechanical systems with contact, friction and impact
# SPDX-License-Identifier: GPL-3.0-or-later
"""examples/pile: spheres and boxes that fall into a container. usage: pile.py PROGRAM"""
import math
import sys

import driver
import pages


class Pile(driver.CommonMixin, driver.PageMixin, driver.Driver):
    numbers = ("width", "r", "mu", "eps", "g", "dt", "t-end")

    def assert_fell(self, got, dt, height=0.6):
        """No step gains energy; two spheres are as deep in each other as they come together in half a step and a step's
        fall, at most."""
        self.assertLess(got["energy_gain"], 1e-12 * got["energy_before"])
        self.assertLess(got["penetration"], 2 * math.sqrt(2 * 9.81 * height) * dt)
        self.assertLess(got["energy"], got["energy_before"])

    def test_piles_of_several_seeds(self):
        for seed in range(3):
            for arguments in ((), ("--eps", 0.4), ("--mu", 0)):
                with self.subTest(seed=seed, arguments=arguments):
                    got = self.results("--seed", seed, "--spheres", 12, "--t-end", 0.3, *arguments)
                    self.assert_fell(got, 2e-3)
                    self.assertGreaterEqual(got["most_contacts"], 9)

    def test_one_sphere(self):
        """It falls, stops, and its weight is carried: what is left of its energy is that of its radius."""
        got = self.results("--spheres", 1)
        self.assertEqual((got["contacts"], got["kinetic_energy"]), (1, 0))
        drop = self.results("--spheres", 1, "--dt", 1e-4)
        self.assertLess(drop["penetration"], 1e-4 * math.sqrt(2 * 9.81 * 0.1))
        free = self.results("--spheres", 1, "--t-end", 0.002)
        self.assertEqual(free["contacts"], 0)
        self.assertAlmostEqual(free["energy"], free["energy_before"], delta=1e-15)

    def test_one_box(self):
        """It falls on a corner, tips onto a face and lies there: at least three corners carry it, and nothing moves any more."""
        for seed in range(1, 6):
            with self.subTest(seed=seed):
                got = self.results("--spheres", 0, "--boxes", 1, "--seed", seed, "--t-end", 1)
                self.assert_fell(got, 2e-3)
                self.assertIn(got["contacts"], (3, 4))  # steps leave one of them a hair above
                self.assertLess(got["kinetic_energy"], 1e-20 * got["energy"])

    def test_piles_of_boxes(self):
        for arguments in (("--spheres", 0, "--boxes", 10), ("--spheres", 6, "--boxes", 6), ("--boxes", 4, "--mu", 0)):
            with self.subTest(arguments=arguments):
                got = self.results("--t-end", 0.6, *arguments)
                self.assert_fell(got, 2e-3)
                self.assertGreaterEqual(got["contacts"], 20)
        self.refused("--spheres", 0, names="--boxes")

    def test_smaller_steps_penetrate_less(self):
        """By first order: what falls in a step."""
        coarse, fine = (self.results("--spheres", 10, "--t-end", 0.4, "--dt", dt) for dt in (4e-3, 5e-4))
        self.assertLess(fine["penetration"], 0.5 * coarse["penetration"])

    def test_projection_takes_penetration_away(self):
        left, projected = (self.results("--spheres", 10, "--t-end", 0.3, *a) for a in ((), ("--project",)))
        self.assertLess(projected["penetration"], 0.02 * left["penetration"])

    def test_bar(self):
        done = driver.run("--bar", "--spheres", 3, "--t-end", 0.2)
        self.assertEqual(done.returncode, 0)
        self.assertTrue(done.stderr.endswith("contacts \n"))
        self.assertIn("[" + 40 * "#" + "] 100 %", done.stderr)
        self.assertEqual(done.stdout, driver.run("--spheres", 3, "--t-end", 0.2).stdout)

    def test_page_is_seen_as_it_is(self):
        """The container's edges, three of one length w at right angles, in px: P Pᵀ = w² s² 1 of any view from far away."""
        path = self.folder / "page.html"
        self.results("--t-end", 0.02, "--html", path)
        seen = pages.play(path, pages.read(path))
        if seen is None:
            return  # without node a page's script is read, but not run
        edges = [[b[k] - a[k] for k in range(2)] for line in seen["paths"][:2] for a, b in zip(line, line[1:])]
        up, along, also_up, across = edges
        for k in range(2):
            self.assertAlmostEqual(up[k], also_up[k], delta=1e-9)
        size = [sum(e[k] * e[k] for e in (up, along, across)) for k in range(2)]
        self.assertAlmostEqual(size[0] / size[1], 1, delta=1e-9)
        self.assertAlmostEqual(sum(e[0] * e[1] for e in (up, along, across)) / size[0], 0, delta=1e-9)
        self.assertGreater(up[1], 0)  # the first edge goes down, and px count downwards
        self.assertLess(along[0] * across[1] - along[1] * across[0], 0)  # from above x to y turns to the left


if __name__ == "__main__":
    driver.main(sys.argv[1], __name__)
