# nsdyn: dynamics of mechanical systems with contact, friction and impact
# SPDX-License-Identifier: GPL-3.0-or-later
"""examples/woodpecker4: energy, its cycle and its sequence beside those in print. usage: woodpecker4.py PROGRAM"""
import sys

import driver

# What the sequence of Table 1 of Slavič & Boltežar (2006) has on its right side, ms, but for UR at 134.8 at once a
# second time: the last of a period is meant.
SEQUENCE = (("impact", "LR", 0), ("detach", "LR", 14.2), ("impact", "UL", 14.2), ("impact", "LR", 22.8),
            ("stick", "LR", 47.4), ("slip", "LR", 91.2), ("detach", "LR", 95.4), ("detach", "UL", 95.4),
            ("impact", "LL", 105.4), ("impact", "beak", 111.2), ("detach", "LL", 123.2), ("impact", "UR", 134.8),
            ("impact", "LR", 138.8))


class Woodpecker4(driver.CommonMixin, driver.PageMixin, driver.Driver):
    numbers = ("mu", "mu-beak", "eps-n", "eps-sleeve", "c-phi", "m-M", "m-S", "J-M", "J-S", "r-O", "r-M", "h-M", "l-M",
               "l-G", "h-S", "l-S", "r-S", "beak-points", "tol", "dt", "t-end", "every", "from", "to", "points")
    brief = ("--t-end", "0.03")

    def events(self, *arguments):
        done = driver.run("--events", *arguments)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        lines = [line.split() for line in done.stdout.splitlines()]
        results = {line[0]: float(line[1]) for line in lines if len(line) == 3}
        return results, [(float(t), kind, place, paper) for _, t, kind, place, paper in
                         (line for line in lines if line[0] == "event")]

    def check_sequence(self, events):
        """What is in print happens, in that order, within 2.5 ms of its time: of 138.8."""
        matched = [(kind, place, 1e3 * float(paper)) for _, kind, place, paper in events if paper != "-"]
        self.assertEqual([(kind, place) for kind, place, _ in sorted(matched, key=lambda row: row[2])],
                         [(kind, place) for kind, place, _ in sorted(SEQUENCE, key=lambda row: (row[2]))])
        for t, kind, place, paper in events:
            if paper != "-":
                self.assertAlmostEqual(1e3 * t, 1e3 * float(paper), delta=2.5, msg=f"{kind} {place}")

    def test_flies_without_losing_energy(self):
        """Far from the pole M and h keep T + V: by events to their tolerance, by steps to their order."""
        far = ("--r-M", 1, "--h-M", 3, "--r-O", 1e-6, "--J-M", 3e-4, "--l-S", 1e-3, "--h-S", 1e-3, "--r-S", 1e-4,
               "--t-end", 0.25)
        errors = []
        for way in (("--scheme", "event", "--tol", 1e-11, "--every", 1000), ("--dt", 2e-5), ("--dt", 1e-5)):
            got = self.results(*far, *way)
            errors.append(abs(got["energy_end"] / got["energy_begin"] - 1))
        self.assertLess(errors[0], 1e-8)
        self.assertLess(errors[1], 2e-3)
        self.assertLess(errors[2], 0.6 * errors[1])

    def test_steps_and_events_go_through_the_sequence_in_print(self):
        """Both within 1 % of the period and 10 % of the drop; steps of 10 µs within ten steps, and 1 % of the drop, of
        the events."""
        steps, sequence = self.events()
        self.check_sequence(sequence)
        self.assertAlmostEqual(steps["period"] / steps["period_paper"], 1, delta=0.01)
        self.assertAlmostEqual(steps["drop"] / steps["drop_paper"], 1, delta=0.1)
        events, sequence = self.events("--scheme", "event", "--t-end", 1.7)
        self.check_sequence(sequence)
        self.assertIn("zeno", {kind for _, kind, _, _ in sequence})  # the sleeve rattles itself into its jam
        self.assertAlmostEqual(steps["period"], events["period"], delta=10e-5)
        self.assertAlmostEqual(steps["drop"] / events["drop"], 1, delta=0.01)

    def test_room_is_needed(self):
        self.refused("--r-M", 0.002, names="--r-M")

    def test_the_tip_is_a_part_of_the_beak(self):
        """Half a circle of r_S that begins l_S from S; a sharp one has no radius, until --choices rounds it."""
        for r_S in (0.0201, 0.03):
            self.refused("--r-S", r_S, "--beak-points", 4, names="--r-S")
        self.results(*self.brief, "--r-S", 0.03, "--beak-points", 1)
        done = driver.run("--t-end", 1e-4, "--r-S", 0.03, "--beak-points", 1, "--choices")
        self.assertEqual(done.returncode, 2)
        self.assertIn("--r-S", done.stderr)

    def test_outlines_that_are_none(self):
        """What is wrong with a shape is said."""
        done = driver.run("--r-S", 1e-30)
        self.assertEqual(done.returncode, 1)
        self.assertIn("points 0 and 1 are the same", done.stderr)

    def test_no_step(self):
        got = self.results("--t-end", 1e-6)
        self.assertGreater(got["energy_begin"], 0)
        self.assertEqual(got["energy_end"], got["energy_begin"])

    def test_choices(self):
        """Period and drop of each; both laws of impacts lose energy, not the same."""
        got = self.results(*self.brief, "--choices")
        self.assertEqual(len([name for name in got if name.startswith("period_")]), 10)
        self.assertEqual(len([name for name in got if name.startswith("drop_")]), 10)
        newton, poisson = (self.results("--impact", law, "--t-end", 0.2) for law in ("newton", "poisson"))
        for one in (newton, poisson):
            self.assertLess(one["energy_end"], one["energy_begin"])
        self.assertNotEqual(newton["energy_end"], poisson["energy_end"])

    def test_sweep(self):
        table = self.folder / "sweep.csv"
        got = self.results(*self.brief, "--sweep", "mu", "--from", 0.25, "--to", 0.5, "--points", 2, "--csv", table)
        self.assertEqual(got, {"mu=0.25": "none", "mu=0.5": "none"})  # 30 ms are no period
        self.assertEqual(table.read_text(encoding="ascii").split(), ["value,period,drop,scatter", "0.25,,,", "0.5,,,"])
        self.refused("--sweep", "mu", "--points", 2, "--html", self.folder / "sweep.html", names="--html")


if __name__ == "__main__":
    driver.main(sys.argv[1], __name__)
