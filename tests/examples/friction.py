# nsdyn: dynamics of mechanical systems with contact, friction and impact
# SPDX-License-Identifier: GPL-3.0-or-later
"""examples/friction: its answers, its refusals, FCLIB's files. usage: friction.py PROGRAM [WRITER]
WRITER makes FCLIB's files; there is none where HDF5 is not."""
import subprocess
import sys
import unittest
from pathlib import Path

import driver

PROBLEMS = Path(__file__).parent / "problems"
WRITER = []
METHODS = ("direct", "lcp", "modes", "rounds", "newton", "natural", "todorov-rlm", "todorov-plm")


def impulses(results):
    values = []
    while f"Lambda_{len(values)}" in results:
        values.append(results[f"Lambda_{len(values)}"])
    return values


class Friction(driver.CommonMixin, driver.Driver):
    """What every driver does is tested with a good file before the other arguments (see the end)."""
    numbers = ("tol", "repeat")

    def run_on(self, path, *arguments):
        return subprocess.run([driver.PROGRAM[0], str(path), *map(str, arguments)], capture_output=True, text=True,
                              check=False, timeout=300)

    def solved(self, path, *arguments):
        done = self.run_on(path, *arguments)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return driver.Results(done.stdout)

    def refused_file(self, path, *names):
        done = self.run_on(path)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertRegex(done.stderr, r"\Afriction: [^\n]+\n\Z")
        for name in names:
            self.assertIn(name, done.stderr)

    def assert_close(self, values, expected, delta=1e-8):
        self.assertEqual(len(values), len(expected))
        for value, wanted in zip(values, expected):
            self.assertAlmostEqual(value, wanted, delta=delta)

    def test_one_contact(self):
        for method in ("automatic", "direct", "rounds", "newton", "natural", "todorov-rlm", "todorov-plm"):
            with self.subTest(method=method):
                got = self.solved(PROBLEMS / "puck.contact", "--solver", method, "--impulses")
                self.assert_close(impulses(got), [1, -0.3, -0.4])
                self.assertEqual((got["status"], got["contacts"], got["rows"], got["sliding"]), ("OK", 1, 3, 1))
                self.assertLessEqual(got["residual"], 1e-9 * got["scale"])

    def test_all_laws(self):
        for method in ("automatic", "rounds", "newton", "natural"):
            with self.subTest(method=method):
                got = self.solved(PROBLEMS / "mixed.contact", "--solver", method, "--impulses")
                self.assert_close(impulses(got), [1, -0.3, -0.4, 2, -0.5, 0, -3, -0.1, 0, 1, -0.1, 0, -4])

    def test_a_step_of_a_stack(self):
        """Impulses are not unique, the weight on the floor is: in the step's 1 ms on a slope of 0.2."""
        for method in ("automatic", "rounds", "newton", "natural", "todorov-rlm", "todorov-plm"):
            with self.subTest(method=method):
                got = self.solved(PROBLEMS / "stack.contact", "--solver", method, "--impulses", "--repeat", 3)
                weight = sum(impulses(got)[0:12:3])
                self.assertAlmostEqual(weight, 2 * 2 * 9.81 * 1e-3 * 0.9800665778412416, delta=1e-9)
                self.assertEqual((got["sticking"], got["repeats"]), (8, 3))
                self.assertLessEqual(got["time_least"], got["time_median"])

    def test_methods_that_cannot(self):
        for method in ("direct", "lcp", "modes"):
            done = self.run_on(PROBLEMS / "stack.contact", "--solver", method)
            self.assertEqual(done.returncode, 1)
            self.assertEqual(driver.Results(done.stdout)["status"], "ERR_UNSUPPORTED")
            self.assertRegex(done.stderr, r"\Afriction: [^\n]+\n\Z")

    def test_every_method_has_its_word(self):
        for method in METHODS:
            self.assertIn(self.run_on(PROBLEMS / "puck.contact", "--solver", method).returncode, (0, 1))

    def test_csv(self):
        path = self.folder / "out.csv"
        self.solved(PROBLEMS / "puck.contact", "--csv", path)
        lines = path.read_text(encoding="ascii").splitlines()
        self.assertEqual(lines[0], "row,Lambda,xi")
        self.assertEqual(len(lines), 4)

    def test_bad_files(self):
        path = self.folder / "bad.contact"
        path.write_text("contacts 1 bilateral 0 rows 2 laws 1\nlaw mu wet\n", encoding="ascii")
        self.refused_file(path, "line 2", "law 0, mu")
        self.refused_file(self.folder / "none", "cannot be read")
        path.write_bytes(b"\x89HDF\r\n\x1a\nnothing")
        self.refused_file(path, "HDF5")

    def fclib(self, kind):
        if not WRITER:
            self.skipTest("built without HDF5")
        path = self.folder / (kind + ".hdf5")
        subprocess.run([WRITER[0], str(path), kind], check=True, timeout=60)
        return path

    def test_fclib_local(self):
        """Sticking takes all of the pull, sliding μ of the load: 0.1 · 20 along (3, 4)/5."""
        for kind in ("local", "rows", "triplets"):
            with self.subTest(kind=kind):
                got = self.solved(self.fclib(kind), "--impulses")
                self.assert_close(impulses(got), [20, -3, -4, 20, -1.2, -1.6])

    def test_fclib_bilateral(self):
        for kind in ("bilateral", "global"):
            with self.subTest(kind=kind):
                got = self.solved(self.fclib(kind), "--impulses")
                self.assert_close(impulses(got), [20, -3, -4, 20, -1.2, -1.6, -7])

    def test_fclib_in_the_plane(self):
        got = self.solved(self.fclib("flat"), "--impulses")
        self.assert_close(impulses(got), [20, -5, 20, -2])

    def test_fclib_that_is_none(self):
        self.refused_file(self.fclib("empty"), "fclib_local")
        self.refused_file(self.fclib("wrong"), "W or q")


if __name__ == "__main__":
    WRITER[:] = sys.argv[2:3]
    driver.PROGRAM[:] = [sys.argv[1], str(PROBLEMS / "puck.contact")]
    unittest.main(argv=["test"], verbosity=1)
