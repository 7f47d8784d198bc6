# nsdyn: dynamics of mechanical systems with contact, friction and impact
# SPDX-License-Identifier: GPL-3.0-or-later
"""examples/lcp: its answers, its lists, its refusals. usage: lcp.py PROGRAM"""
import csv
import subprocess
import sys
import tempfile
from pathlib import Path

import driver

METHODS = ("lemke", "murty", "principal", "block", "enumerative", "sweep", "newton-min", "newton-fb",
           "marquardt-regular", "marquardt-projected")
DEFINITE = "# y = A x + b\n2\n2 1\n1 2\n-5 -6\n"
BOXED = "2\n2 1\n1 2\n-5 -6\nlo 0 -inf\nhi 1 inf\n"
MINUS_IDENTITY = "3\n-1 0 0\n0 -1 0\n0 0 -1\n1 2 3\n"
INFEASIBLE = "2\n1 -1\n-1 1\n-1 0\n"  # y_0 + y_1 = -1
# Ma's pendulum at 45 degrees, mu = 1, m = 1, F_y = 1: x = (1, alpha, alpha).
PENDULUM = "3\n.625 .375 -.375\n.5 .5 -.5\n.125 -.125 .125\n-.625 -.5 -.125\n"


def vector(results, name):
    values = []
    while f"{name}_{len(values)}" in results:
        values.append(results[f"{name}_{len(values)}"])
    return values


class Lcp(driver.CommonMixin, driver.Driver):
    """What every driver does is tested with a good file before the other arguments (see the end)."""
    numbers = ("tol", "repeat")

    def write(self, text):
        path = self.folder / "problem.txt"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    def run_on(self, text, *arguments):
        return subprocess.run([driver.PROGRAM[0], self.write(text), *map(str, arguments)], capture_output=True,
                              text=True, check=False, timeout=300)

    def solved(self, text, *arguments):
        done = self.run_on(text, *arguments)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return driver.Results(done.stdout)

    def unsolved(self, text, *arguments):
        """Exit status 1 and one line on stderr, results all the same."""
        done = self.run_on(text, *arguments)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertRegex(done.stderr, r"\Alcp: [^\n]+\n\Z")
        return driver.Results(done.stdout)

    def assert_close(self, values, expected):
        self.assertEqual(len(values), len(expected))
        for value, wanted in zip(values, expected):
            self.assertAlmostEqual(value, wanted, delta=1e-8)

    def test_solution_and_certificate(self):
        got = self.solved(DEFINITE)
        self.assertEqual(got["status"], "OK")
        self.assertEqual(got["n"], 2)
        self.assertLessEqual(got["residual"], 1e-15)
        self.assert_close(vector(got, "x"), (4 / 3, 7 / 3))
        self.assertEqual(vector(got, "y"), [0, 0])
        self.assertEqual(vector(got, "ray"), [])

    def test_every_solver_finds_it(self):
        for method in METHODS:
            with self.subTest(method=method):
                got = self.solved(DEFINITE, "--solver", method)
                self.assertEqual((got["solver"], got["status"], got["attempts"]), (method, "OK", 1))
                self.assertLessEqual(got["residual"], 1e-9)
                self.assert_close(vector(got, "x"), (4 / 3, 7 / 3))

    def test_bounds(self):
        """x_0 stays at its upper bound with y_0 < 0, x_1 is free."""
        got = self.solved(BOXED)
        self.assert_close(vector(got, "x"), (1, 2.5))
        self.assert_close(vector(got, "y"), (-0.5, 0))

    def test_no_unknowns(self):
        got = self.solved("0\n")
        self.assertEqual((got["n"], got["status"]), (0, "OK"))

    def test_standard_input(self):
        done = subprocess.run([driver.PROGRAM[0], "-"], input=DEFINITE, capture_output=True, text=True,
                              check=False, timeout=300)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assert_close(vector(driver.Results(done.stdout), "x"), (4 / 3, 7 / 3))

    def test_proof_that_there_is_none(self):
        got = self.unsolved(INFEASIBLE)
        self.assertEqual((got["status"], got["proof"]), ("NO_SOLUTION", "farkas"))
        v = vector(got, "ray")
        self.assertEqual(len(v), 2)
        self.assertTrue(min(v) >= 0 and v[0] == v[1] > 0)  # A^T v = 0, b^T v < 0

    def test_all_solutions(self):
        got = self.solved(MINUS_IDENTITY, "--all")
        self.assertEqual((got["points"], got["bounded_pieces"], got["unbounded_pieces"]), (8, 0, 0))
        self.assertEqual(got["complete"], "yes")
        found = sorted(tuple(vector(got, f"piece_{k}_vertex_0_x")) for k in range(8))
        self.assertEqual(found, sorted((a, b, c) for a in (0, 1) for b in (0, 2) for c in (0, 3)))

    def test_continuum(self):
        got = self.solved(PENDULUM, "--all")
        self.assertEqual((got["points"], got["bounded_pieces"], got["unbounded_pieces"]), (0, 0, 1))
        self.assertEqual(got["piece_0_dimension"], 1)
        self.assert_close(vector(got, "piece_0_vertex_0_x"), (1, 0, 0))
        self.assert_close(vector(got, "piece_0_ray_0_x"), (0, 1, 1))

    def test_all_of_none(self):
        got = self.unsolved(INFEASIBLE, "--all")
        self.assertEqual((got["enumeration"], got["points"], got["max_dimension"]), ("NO_SOLUTION", 0, -1))

    def test_classes(self):
        got = self.solved(DEFINITE, "--classify")
        for name in ("symmetric", "p_matrix", "positive_definite", "positive_semidefinite", "diagonally_dominant",
                     "positive_diagonal"):
            self.assertEqual(got[name], "yes", name)
        for name in ("z_matrix", "m_matrix"):
            self.assertEqual(got[name], "no", name)

    def test_times(self):
        got = self.solved(DEFINITE, "--repeat", 50)
        self.assertEqual(got["repeats"], 50)
        self.assertEqual(got.units["time_median"], "s")
        self.assertTrue(0 <= got["time_least"] <= got["time_median"] < 1)

    def test_a_method_says_what_it_cannot_do(self):
        done = self.run_on(BOXED, "--solver", "murty")
        self.assertEqual(done.returncode, 1)
        self.assertIn("status ERR_UNSUPPORTED 1\n", done.stdout)
        self.assertNotIn("x_0", done.stdout)
        self.assertRegex(done.stderr, r"\Alcp: [^\n]+\n\Z")

    def test_texts_that_are_none(self):
        for text, line in (("", 1), ("2\n1 2\n3 x\n5 6\n", 3), ("1\n1 nan", 2), ("9999999\n1 2", 1), ("1\n1 1\nlo 2 hi 1", 3),
                           (b"1\n1\0 1", 2), (b"\xff\xfe1", 1)):
            with self.subTest(text=text):
                done = self.run_on(text)
                self.assertEqual((done.returncode, done.stdout), (2, ""))
                self.assertRegex(done.stderr, r"\Alcp: [^\n]*line %d: [^\n]+\n\Z" % line)

    def test_files_that_cannot_be_read(self):
        for path in (self.folder / "missing", self.folder):
            done = subprocess.run([driver.PROGRAM[0], path], capture_output=True, text=True, check=False, timeout=300)
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertIn("cannot be read", done.stderr)
        done = subprocess.run([driver.PROGRAM[0]], capture_output=True, text=True, check=False, timeout=300)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("FILE", done.stderr)

    def test_ranges(self):
        self.refused("--tol", "-1", names="--tol")
        self.refused("--repeat", "-1", names="--repeat")
        self.refused("--solver", "guess", names="--solver")
        done = self.run_on(BOXED, "--all")
        self.assertEqual(done.returncode, 2)
        self.assertIn("--all", done.stderr)

    def test_data(self):
        path = self.folder / "data.csv"
        self.solved(BOXED, "--csv", path)
        with open(path, newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual([row["row"] for row in rows], ["0", "1"])
        self.assertEqual((rows[0]["lo"], rows[0]["hi"], rows[1]["lo"], rows[1]["hi"]), ("0", "1", "-inf", "inf"))
        self.assert_close([float(row["x"]) for row in rows], (1, 2.5))


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        good = Path(folder) / "good.txt"
        good.write_text(DEFINITE, encoding="ascii")
        command, main = [sys.argv[1], str(good)], driver.unittest.main
        driver.PROGRAM[:] = command
        main(argv=["test"], verbosity=1)
