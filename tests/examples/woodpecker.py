# nsdyn: dynamics of mechanical systems with contact, friction and impact
# SPDX-License-Identifier: GPL-3.0-or-later
"""examples/woodpecker: its cycle, its events, its data, its picture. usage: woodpecker.py PROGRAM"""
import csv
import sys
import xml.etree.ElementTree

import driver

SVG = "{http://www.w3.org/2000/svg}"

# Of the exact limit cycle (tests/support/exact_woodpecker.c).
PERIOD = 0.145976065143752
DROP = 0.0194453792847165
MULTIPLIER = -0.83915565537
EVENTS = (("impact", 2, 0.0), ("impact", 2, 2.728734031263), ("stick", 2, 48.848856184132),
          ("slip", 2, 88.442263183594), ("detach", 2, 94.263020418403), ("impact", 3, 105.152088464237),
          ("impact", 1, 108.253442123230), ("impact", 3, 108.832963661582), ("detach", 3, 110.687654455626))
# Table 1 of Slavič & Boltežar (2006), ms; None: an event that it does not have.
PRINTED = (0.0, None, 51.4, 90.6, 96.2, 106.4, 110.0, 110.8, 114.0)


class Woodpecker(driver.CommonMixin, driver.PageMixin, driver.Driver):
    numbers = ("mu", "eps-n", "eps-sleeve", "c-phi", "m-M", "m-S", "J-M", "J-S", "r-O", "r-M", "h-M", "l-M", "l-G",
               "h-S", "l-S", "g", "tol", "dt", "t-end", "from", "to")

    def test_the_cycle_is_the_exact_one(self):
        for dt, error in ((1e-5, 5e-4), (1e-6, 5e-5)):
            got = self.results("--dt", dt, "--t-end", 4)
            self.assertLess(abs(got["period"] / PERIOD - 1), error)
            self.assertLess(abs(got["drop"] / DROP - 1), 4 * error)
            self.assertLess(got["period_scatter"], 10 * dt)
            self.assertEqual(got.units["period"], "s")
            self.assertEqual(got.units["drop"], "m")
            self.assertGreaterEqual(got["settled"], 0)

    def test_extrema(self):
        got = self.results()
        for name, value, unit in (("phi_M_max", 0.1034482759, "rad"), ("phi_M_min", -0.1034482759, "rad")):
            self.assertAlmostEqual(got[name], value, delta=3e-4)  # the edges on the pole, (r_M − r_O)/h_M
            self.assertEqual(got.units[name], unit)
        for name, value, size in (("phi_S_min", -0.529471967, 0.5), ("omega_M_min", -11.4141089, 30),
                                  ("omega_M_max", 31.8560405, 30), ("omega_S_min", -10.5037993, 17),
                                  ("omega_S_max", 17.600156, 17)):
            self.assertAlmostEqual(got[name], value, delta=3e-3 * size)
        self.assertGreater(got["phi_S_max"], 0.1199)  # where the beak hits
        self.assertLess(got["phi_S_max"], 0.1205)

    def test_events_come_in_the_exact_order(self):
        done = driver.run("--events", "--dt", 2e-6, "--t-end", 4)
        self.assertEqual(done.returncode, 0)
        events = [line.split() for line in done.stdout.splitlines() if line.startswith("event ")]
        self.assertEqual([(e[2], int(e[3])) for e in events], [(kind, contact) for kind, contact, _ in EVENTS])
        for event, (_, _, ms) in zip(events, EVENTS):
            self.assertAlmostEqual(1e3 * float(event[1]), ms, delta=0.1)

    def table(self, *arguments):
        done = driver.run("--scheme", "event", "--events", *arguments)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return [line.split()[1:] for line in done.stdout.splitlines() if line.startswith("event ")]

    def test_from_event_to_event_the_cycle_is_exact(self):
        for tol in (1e-4, 1e-9, 1e-12):
            got = self.results("--scheme", "event", "--tol", tol)
            self.assertLess(abs(got["period"] / PERIOD - 1), 1e-12)
            self.assertLess(abs(got["drop"] / DROP - 1), 1e-11)
            self.assertLess(abs(got["multiplier"] / MULTIPLIER - 1), 1e-6)
            self.assertAlmostEqual(got["phi_S_max"], 0.12, delta=1e-13)  # where the beak hits

    def test_table_of_events(self):
        """Times to 1e-9 s, the printed ones beside their own; both laws of impact give the same here."""
        table = self.table()
        self.assertEqual([(row[1], int(row[2])) for row in table], [(kind, contact) for kind, contact, _ in EVENTS])
        for row, (_, _, ms), printed in zip(table, EVENTS, PRINTED):
            self.assertAlmostEqual(float(row[0]), 1e-3 * ms, delta=1e-9)
            self.assertEqual(row[3], "-" if printed is None else f"{1e-3 * printed:.4f}")
            speeds = [float(x) for x in row[4:]]
            self.assertEqual(len(speeds), 4)
            if row[1] != "impact":
                self.assertEqual(speeds[:2], speeds[2:])
            elif row[2] == "1":
                self.assertAlmostEqual(speeds[2], -0.5 * speeds[0], delta=1e-6)
            else:
                self.assertLess(speeds[0], 0)
                self.assertEqual(speeds[2], 0)
        self.assertEqual(self.table("--impact", "poisson"), table)

    def test_elastic_sleeve(self):
        """Its hops accumulate, and it slides from there on, under both laws."""
        tables = [self.table("--eps-sleeve", 0.2, "--impact", law) for law in ("newton", "poisson")]
        self.assertEqual([row[1:3] for row in tables[0]], [row[1:3] for row in tables[1]])
        for newton, poisson in zip(*tables):
            self.assertAlmostEqual(float(newton[0]), float(poisson[0]), delta=1e-9)
        kinds = [row[1] for row in tables[0]]
        zeno = kinds.index("zeno")
        self.assertEqual(set(kinds[:zeno]), {"impact"})
        self.assertEqual(kinds[zeno + 1:zeno + 4], ["stick", "slip", "detach"])
        gaps = [float(b[0]) - float(a[0]) for a, b in zip(tables[0], tables[0][1:zeno])]
        for before, after in zip(gaps[-4:], gaps[-3:]):  # each hop takes ε times as long as the one before
            self.assertAlmostEqual(after / before, 0.2, delta=0.02)

    def test_steps_under_poissons_law(self):
        """The toy's impacts are the same under both laws, up to the step's error."""
        got = self.results("--impact", "poisson")
        self.assertLess(abs(got["period"] / PERIOD - 1), 1e-3)
        self.refused("--impact", "coulomb", names="--impact")

    def test_data_from_event_to_event(self):
        """The same motion as by steps; rows are at equal times."""
        rows = []
        for scheme in ("moreau", "event"):
            path = self.folder / (scheme + ".csv")
            self.results("--csv", path, "--every", 1000, "--scheme", scheme, "--svg", self.folder / "toy.svg")
            with open(path, newline="", encoding="utf-8") as file:
                rows.append([[float(x) for x in row] for row in list(csv.reader(file))[1:]])
        self.assertEqual(len(rows[0]), 301)
        for k in range(15):  # before the first deviations of steps have grown
            self.assertAlmostEqual(rows[1][k][0], 0.01 * k, delta=1e-12)
            self.assertAlmostEqual(rows[0][k][3], rows[1][k][3], delta=1e-3)

    def test_data_and_picture(self):
        table, picture = self.folder / "toy.csv", self.folder / "toy.svg"
        self.results("--csv", table, "--svg", picture, "--every", 100)
        with open(table, newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(list(rows[0]), ["t", "y", "phi_M", "phi_S", "v", "omega_M", "omega_S"])
        self.assertEqual(len(rows), 3001)
        self.assertEqual((float(rows[0]["t"]), float(rows[-1]["t"])), (0.0, 3.0))
        y = [float(row["y"]) for row in rows]
        self.assertLess(max(b - a for a, b in zip(y, y[1:])), 1e-3)  # it comes down
        self.assertAlmostEqual(y[-1] / -3.0, DROP / PERIOD, delta=0.02 * DROP / PERIOD)
        root = xml.etree.ElementTree.parse(picture).getroot()
        self.assertEqual(sum(r.get("stroke") == "#4d4d4d" for r in root.iter(SVG + "rect")), 6)

    def test_sweep(self):
        table, picture = self.folder / "sweep.csv", self.folder / "sweep.svg"
        got = self.results("--sweep", "mu", "--from", 0.1, "--to", 0.3, "--points", 3, "--csv", table,
                           "--svg", picture)
        self.assertEqual(list(got), ["mu=0.1", "mu=0.2", "mu=0.3"])
        self.assertEqual(got["mu=0.1"], "none")
        self.assertLess(abs(got["mu=0.3"] / PERIOD - 1), 5e-4)
        with open(table, newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual([row["value"] for row in rows], ["0.1", "0.2", "0.3"])
        self.assertEqual(rows[0]["period"], "")
        self.refused("--sweep", "height", names="--sweep")
        self.refused("--sweep", "mu", "--to", 11, names="--to")
        self.refused("--sweep", "c-phi", "--from", 0, names="--from")
        self.refused("--sweep", "mu", "--points", 2, "--html", self.folder / "sweep.html", names="--html")

    def test_less_friction_drops_further(self):
        """With μ = 0.29 the exact cycle's multiplier is −1.02: none settles."""
        table = self.folder / "sweep.csv"
        self.results("--sweep", "mu", "--from", 0.295, "--to", 0.305, "--points", 3, "--csv", table)
        with open(table, newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        for row, ms, mm in zip(rows, (149.661829, 145.976065, 143.290772), (21.9208858, 19.4453793, 17.7110775)):
            self.assertAlmostEqual(1e3 * float(row["period"]) / ms, 1, delta=5e-4)
            self.assertAlmostEqual(1e3 * float(row["drop"]) / mm, 1, delta=3e-3)
        self.assertEqual(self.results("--sweep", "mu", "--from", 0.29, "--points", 1)["mu=0.29"], "none")

    def test_sweep_from_event_to_event(self):
        table = self.folder / "sweep.csv"
        self.results("--scheme", "event", "--sweep", "mu", "--from", 0.295, "--to", 0.305, "--points", 3, "--csv", table)
        with open(table, newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        for row, ms, mm in zip(rows, (149.661829, 145.976065, 143.290772), (21.9208858, 19.4453793, 17.7110775)):
            self.assertAlmostEqual(1e3 * float(row["period"]), ms, delta=1e-6)
            self.assertAlmostEqual(1e3 * float(row["drop"]), mm, delta=1e-7)

    def test_unstable_cycle(self):
        """With μ = 0.29 the exact multiplier is −1.024: no run settles there, but the cycle exists."""
        got = self.results("--scheme", "event", "--mu", 0.29)
        self.assertAlmostEqual(got["multiplier"], -1.024, delta=5e-4)
        self.assertEqual(got["settled"], -1)
        table = self.folder / "sweep.csv"
        for scheme in ("moreau", "event"):
            self.results("--scheme", scheme, "--sweep", "mu", "--from", 0.3, "--to", 0.32, "--points", 2, "--csv", table)
            with open(table, newline="", encoding="utf-8") as file:
                multipliers = [row["multiplier"] for row in csv.DictReader(file)]
            if scheme == "moreau":
                self.assertEqual(multipliers, ["", ""])
            else:
                self.assertAlmostEqual(float(multipliers[0]), MULTIPLIER, delta=1e-6)
                self.assertLess(float(multipliers[1]), -1.0)

    def test_without_friction_there_is_no_cycle(self):
        for scheme in ("moreau", "event"):
            done = driver.run("--mu", 0, "--scheme", scheme)
            self.assertEqual(done.returncode, 1)
            self.assertIn("no limit cycle", done.stderr)

    def test_more_than_one_motion(self):
        """Much friction, Painlevé's paradox: the event driver stops where it cannot know how the motion goes on."""
        done = driver.run("--scheme", "event", "--mu", 1.936, "--c-phi", 0.00325, "--m-S", 0.003015, "--J-S", 1.826e-6)
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"\Awoodpecker: at t = 0\.1478\d* s there is more than one motion\n\Z")

    def test_ranges(self):
        self.refused("--mu", -1, names="--mu")
        self.refused("--eps-n", 1.5, names="--eps-n")
        self.refused("--m-S", 0, names="--m-S")
        self.refused("--dt", 0, names="--dt")
        self.refused("--every", 0, names="--every")

    def test_page_carries_the_weight(self):
        """Over ten periods of the cycle what the pole gives, forces and impacts, is the weight times their length."""
        motion = self.page("--scheme", "event")
        time, begin = motion["time"], motion["time"][-1] - 10 * PERIOD
        up = [sum(force[3::4]) for force in motion["forces"]]
        given = sum((b - a) * (f + g) / 2 for a, b, f, g in zip(time, time[1:], up, up[1:]) if b > begin)
        given += sum(one[4] for one in motion["impulses"] if one[0] > begin)
        self.assertAlmostEqual(given / (10 * PERIOD * 0.0048 * 9.81), 1, delta=0.02)


if __name__ == "__main__":
    driver.main(sys.argv[1], "__main__")
