# nsdyn: dynamics of mechanical systems with contact, friction and impact
# SPDX-License-Identifier: GPL-3.0-or-later
"""All schemes on all models of examples/ that move by steps. usage: matrix.py PROGRAM...

The programs are the examples, built with checked_stepper.h: the variable NSDYN_MATRIX_SCHEME says by which scheme
they go, and at their end they tell how far from closed the worst balance of energy of all their steps was.

Each model ends as the exact solution, as the run from event to event, or, where there is neither, as steps of a
tenth by Moreau's rule: what misses that is at most a factor times the step, and that factor is the same for all
schemes. With --measure the factors that were met are printed."""
import itertools
import os
import pathlib
import subprocess
import sys
import unittest

# A step's balance has some hundred operations on its largest terms, in random order; where M is one block of 24
# velocities, whose kinetic energy is a sum of 576, some thousand.
ROUNDING = 1e-14
ROUNDING_OF = {"pendulum12": 1e-13}

# As the model has it, and with positions and velocities split.
WAYS = {"own": {}, "split": {"NSDYN_MATRIX_PROJECT": "2"}}

EXACT, EVENTS, FINER = "exact", "events", "finer"
GENERALIZED_ALPHA = 5

# Model, arguments, steps; then results, each with its reference, factors of single schemes where there are, and the
# factor of all others: |result - reference| <= factor * dt.
CASES = (
    ("billiards", (), (1e-4, 2.5e-5),
     {"momentum_1": (FINER, 4), "momentum_2": (FINER, 4), "momentum_3": (FINER, 8), "energy": (FINER, 5)}),
    ("bounce", ("--t-end", "3"), (1e-3, 1e-4), {"height": (EVENTS, 4)}),
    # some bounces are left out at its end, more with shorter steps
    ("bounce", ("--t-end", "5"), (1e-3, 1e-4), {"rest_time": (EXACT, 120)}),
    ("brick", (), (1e-3, 1e-4), {"stop_time": (EXACT, 1.01), "stop_place": (EXACT, 2)}),
    ("brick", ("--friction", "two", "--angle", "0", "--v", "0", "--k", "20", "--belt", "0.2", "--mu", "0.3",
               "--mu-static", "0.5", "--t-end", "20"), (1e-3, 1e-4), {"period": (EXACT, 2)}),
    ("cradle", (), (1e-4, 1e-5), {f"v_{i}": (1.0 if i == 4 else 0.0, 1e-9) for i in range(5)}),
    ("disk", (), (1e-3, 1e-4), {"rolling_time": (EXACT, 1.01), "rolling_speed": (EXACT, 1e-9)}),
    ("dominoes", ("--dominoes", "5", "--t-end", "0.6"), (4e-4, 2e-4), {"fallen": (5, 1e-9), "speed": (FINER, 12)}),
    ("painleve", (), (1e-3, 1e-4),
     {"contact_time": (EVENTS, 2), "impulse_normal": (EVENTS, 15), "omega_after": (EVENTS, 60)}),
    ("pendulum12", ("--t-end", "0.25"), (1e-3, 2.5e-4), {"first_touch": (EXACT, 0.1), "y": (FINER, 60), "z": (FINER, 60)}),
    ("pile", ("--t-end", "1"), (2e-3, 5e-4),
     {"contacts": (16, 1e-9), "kinetic_energy": (0, 1e-9), "energy": (FINER, 40)}),
    ("pile2d", ("--polygons", "3", "--t-end", "1"), (1e-3, 2.5e-4),
     {"contacts": (6, 1e-9), "speed": (0, 1e-9), "energy": (FINER, 0.2)}),
    ("rattleback", (), (2e-4, 1e-4), {"reversal": (5.0, 6000), "energy": (0.11981363, 80)}),
    ("slider_crank", ("--mu", "0", "--t-end", "0.3"), (1e-4, 5e-5), {"away": (FINER, 0.04)}),
    ("slider_crank", ("--clearance", "0"), (1e-3, 1e-4), {"away": (0, 1e-9), "joint": (0, 1e-9)}),
    ("rocking", ("--scheme", "moreau"), (1e-3, 2.5e-4),
     # by generalized-α an impact in the second half of a step may be seen at the end of the next one's first half
     {"first_impact": (EXACT, {GENERALIZED_ALPHA: 1.51}, 1.01), "swing_1": (EXACT, 6), "swing_2": (EXACT, 8)}),
    ("sphere", (), (1e-3, 1e-4), {"rolls_at": (EXACT, 1.01), "v_x": (EXACT, 1e-9), "x": (EXACT, 0.6)}),
    ("spinning_disk", ("--t-end", "0.1"), (2e-5, 5e-6), {"rate": (EXACT, 1500)}),
    ("stairs", ("--scheme", "moreau", "--t-end", "0.5"), (5e-4, 1e-4), {"x": (FINER, 10), "y": (FINER, 30)}),
    ("arch", (), (1e-3,), {"acceleration": (0, 1e-6), "stands": (1, 1e-9)}),
    ("stack", ("--steps", "300"), (1e-3,), {"contacts": (40, 1e-9), "drift": (0, 1e-8), "energy_gain": (0, 1e-8)}),
    ("topple", (), (1e-4, 2e-5), {"rate_ratio": (EXACT, 10), "falls": (FINER, 3), "rate_after": (FINER, 20)}),
    ("woodpecker", (), (1e-5, 4e-6), {"period": (0.145976065143752, 10), "drop": (0.0194453792847165, 5)}),
)
IS_SHORT = float(os.environ.get("NSDYN_TEST_SCALE", 1)) < 1  # the longer steps alone
if IS_SHORT:
    CASES = tuple((model, arguments, steps[:1], checks) for model, arguments, steps, checks in CASES)


def asked_steps(model, scheme, way, steps):
    """Split steps cost three times as much: the longer ones, and of a short run few."""
    if way == "own":
        return steps
    return () if IS_SHORT and (scheme not in (1, 5) or model == "rattleback") else steps[:1]


def run(program, arguments, variables):
    """Results by name, and the balance: how many steps, how far from closed."""
    done = subprocess.run([program, *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          check=False, timeout=250, env={**os.environ, **variables})
    if done.returncode:
        raise AssertionError(f"{' '.join([program, *map(str, arguments)])}, {variables}: {done.stderr}")
    results = {}
    for line in done.stdout.splitlines():
        name, value, _ = line.split(" ")
        try:
            results[name] = float(value)
        except ValueError:
            pass
    told = [line.split() for line in done.stderr.splitlines() if line.startswith("balance ")]
    return results, (int(told[0][1]), float(told[0][2])) if told else (0, 0.0)


class Matrix:
    def __init__(self, programs):
        self.programs = {pathlib.Path(p).name.removeprefix("matrix_"): p for p in programs}
        self.known = {}
        self.schemes = self.count_schemes()

    def count_schemes(self):
        count = 0
        while subprocess.run([self.programs["bounce"], "--t-end", "0.01"], check=False, stdout=subprocess.DEVNULL,
                             stderr=subprocess.DEVNULL,
                             env={**os.environ, "NSDYN_MATRIX_SCHEME": str(count)}).returncode == 0:
            count += 1
        return count

    def run(self, model, arguments, scheme, dt, variables):
        return run(self.programs[model], (*arguments, "--dt", dt), {"NSDYN_MATRIX_SCHEME": str(scheme), **variables})

    def reference(self, case, name, kind, got, scheme):
        model, arguments, steps, _ = case
        if kind == EXACT:
            return got[name + "_exact"]
        if kind == EVENTS:
            key = (model, arguments)
            if key not in self.known:
                self.known[key] = run(self.programs[model], (*arguments, "--scheme", "event"), {})[0]
            return self.known[key][name]
        if kind == FINER:
            law = "1" if scheme == 4 else "0"  # Poisson's law is Anitescu and Potra's own
            key = (model, arguments, law)
            if key not in self.known:
                self.known[key] = run(self.programs[model], (*arguments, "--dt", steps[-1] / 10),
                                      {"NSDYN_MATRIX_SCHEME": "0", "NSDYN_MATRIX_IMPACT": law})[0]
            return self.known[key][name]
        return kind

    def errors(self):
        """For each case, scheme, way of the option project and step: its balance; then name, error and bound of each
        result."""
        for case, scheme, way in itertools.product(CASES, range(self.schemes), WAYS):
            model, arguments, steps, checks = case
            for dt in asked_steps(model, scheme, way, steps):
                got, balance = self.run(model, arguments, scheme, dt, WAYS[way])
                misses = []
                for name, (kind, *factors) in checks.items():
                    factor = factors[-1]
                    if len(factors) > 1:
                        factor = factors[0].get(scheme, factor)
                    reference = self.reference(case, name, kind, got, scheme)
                    misses.append((name, abs(got.get(name, float("nan")) - reference), factor * dt))
                yield model, arguments, scheme, way, dt, balance, misses


class Test(unittest.TestCase):
    programs = ()

    def test_all_schemes_on_all_models(self):
        matrix = Matrix(self.programs)
        self.assertGreaterEqual(matrix.schemes, 5)
        for model, arguments, scheme, way, dt, (steps, worst), misses in matrix.errors():
            with self.subTest(model=model, arguments=arguments, scheme=scheme, way=way, dt=dt):
                self.assertGreater(steps, 0)
                self.assertLessEqual(worst, ROUNDING_OF.get(model, ROUNDING))
                for name, error, bound in misses:
                    self.assertLessEqual(error, bound, name)


if __name__ == "__main__":
    if sys.argv[1] == "--measure":
        for m, a, s, w, h, b, misses in Matrix(sys.argv[2:]).errors():
            print(m, *a, "scheme", s, w, "dt", h, "balance", *b, *(f"{n} {e / h:.3g} of {f / h:.3g}" for n, e, f in misses))
    else:
        Test.programs = sys.argv[1:]
        unittest.main(argv=["test"], verbosity=1)
