# nsdyn: dynamics of mechanical systems with contact, friction and impact
# SPDX-License-Identifier: GPL-3.0-or-later
"""examples/escapement: lock, impulse and drop, by events and by steps, and the limit cycle. usage: escapement.py PROGRAM"""
import math
import sys

import driver

PITCH = 2 * math.pi / 30

# A period from the swing through the middle on, while the exit pallet is pushed.
SEQUENCE = ["open exit_impulse", "impact entry_lock", "impact entry_impulse", "open entry_impulse", "impact exit_lock",
            "impact exit_impulse"]


class Escapement(driver.CommonMixin, driver.PageMixin, driver.Driver):
    numbers = ("torque", "J", "m", "l", "c", "g", "R", "lift", "lock", "drop", "recoil", "mu", "eps", "amplitude", "teeth",
               "span", "chords", "tol", "dt", "t-end", "every", "from", "to", "points")
    brief = ("--t-end", "0.05")

    def events(self, *arguments):
        """Results, and what tells lock, impulse and drop: when a tooth comes to a face and leaves a pallet."""
        done = driver.run("--events", *arguments)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        lines = [line.split() for line in done.stdout.splitlines()]
        results = {line[0]: float(line[1]) for line in lines if len(line) == 3}
        happened = [(float(line[1]), f"{line[2]} {line[3]}") for line in lines if line[0] == "event"]
        return results, [(t, what) for t, what in happened if what in SEQUENCE]

    def test_cycle(self):
        """From the section on: drop, lock, impulse, drop, lock, impulse; a tooth in a period, whose work is that of the
        torque; what damping leaves of it goes in impacts and friction. Swings of a run come to the cycle's by the
        multiplier, from period to period."""
        cycle, happened = self.events("--scheme", "event", "--chords", 1, "--cycle", "--t-end", 1.6)
        self.assertEqual([what for _, what in happened], SEQUENCE)
        self.assertAlmostEqual(cycle["teeth"], 1, delta=1e-9)
        self.assertAlmostEqual(cycle["work_of_torque"] / (4e-4 * PITCH), 1, delta=1e-9)
        self.assertGreater(cycle["work_of_torque"], cycle["work_of_damping"])
        # c/2 ∮ω² dt of swings of the form of a sine, π c ω a²
        amplitude, rate = math.radians(cycle["amplitude"]), 2 * math.pi / cycle["period"]
        self.assertAlmostEqual(cycle["work_of_damping"] / (math.pi * 6.5e-4 * rate * amplitude**2), 1, delta=0.02)
        self.assertLess(cycle["multiplier_error"], 1e-6)
        ratios = []
        for t_end in (2.1, 3.1):
            got = self.results("--scheme", "event", "--chords", 1, "--t-end", t_end)
            ratios.append(got["amplitude"] - cycle["amplitude"])
        self.assertAlmostEqual(ratios[1] / ratios[0], cycle["multiplier"], delta=0.01)

    def test_steps_and_events_agree(self):
        """Two periods by steps of Δt and Δt/2, beside those by events: the same sequence, and swings and periods that
        differ by as much as the steps, and by less with shorter ones."""
        if driver.QUICK:
            return  # long runs

        run = ("--t-end", 3)
        events, sequence = self.events("--scheme", "event", *run)
        errors = []
        for dt in (4e-4, 1e-4):
            steps, happened = self.events("--dt", dt, *run)
            self.assertEqual([what for _, what in happened if "open" not in what],
                             [what for _, what in sequence if "open" not in what])
            self.assertAlmostEqual(steps["period"], events["period"], delta=dt)
            errors.append(abs(steps["amplitude"] / events["amplitude"] - 1))
        self.assertLess(errors[0], 0.02)
        self.assertLess(errors[1], 0.5 * errors[0])

    def test_airy(self):
        """An impulse about the middle leaves the pendulum its period; one behind it makes it longer, and a recoil
        shorter."""
        if driver.QUICK:
            return  # long runs

        def late(*arguments):
            got = self.results("--dt", 4e-4, "--t-end", 2.5, *arguments)
            return got["period"] / got["period_alone"] - 1
        middle, behind, recoil = late("--lock", 0.1, "--mu", 0), late("--mu", 0), late("--recoil", 15, "--mu", 0)
        self.assertLess(abs(middle), 0.5 * behind)
        self.assertLess(recoil, behind - 1e-3)

    def test_wrong_clocks(self):
        self.refused("--lock", 3, "--lift", 2, names="--lock")
        self.refused("--drop", 7, names="--drop")
        self.refused("--span", 40, names="--span")
        self.refused("--cycle", names="--cycle")

    def test_sweep(self):
        table = self.folder / "sweep.csv"
        got = self.results("--t-end", 0.05, "--sweep", "torque", "--from", 1e-4, "--to", 2e-4, "--points", 2, "--csv", table)
        self.assertEqual(got, {"torque=0.0001": "none", "torque=0.0002": "none"})  # no whole period
        self.refused("--sweep", "torque", "--points", 2, "--html", self.folder / "sweep.html", names="--html")


if __name__ == "__main__":
    driver.main(sys.argv[1], __name__)
