# nsdyn: dynamics of mechanical systems with contact, friction and impact
# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether the gates bite: plant.py [--list | --check] [NAME...]

Copies the tree to a temporary folder, shows that each gate is content with it, then plants one fault
after the other (tests/plant/faults.py) and requires that the gate responsible for it fails, with a
message that names the fault. Prints a table, fault by fault. NAME picks faults by the start of their
name. --check only asks whether each fault can still be planted in the sources as they are.
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
OUTSIDE = shutil.ignore_patterns("build", ".git", "__pycache__")


class CannotPlant(Exception):
    pass


# ---- edits: each returns what was there before ------------------------------------------------------------

@dataclass
class Replace:
    """Puts `new` where `old` stands first in the file."""
    path: str
    old: str
    new: str

    def apply(self, text):
        if text is None or self.old not in text:
            raise CannotPlant(f"{self.path} has no {self.old!r} any more; mend tests/plant/faults.py")
        return text.replace(self.old, self.new, 1)


@dataclass
class Append:
    path: str
    new: str

    def apply(self, text):
        if text is None:
            raise CannotPlant(f"{self.path} is gone; mend tests/plant/faults.py")
        return text + self.new


@dataclass
class Create:
    path: str
    new: str

    def apply(self, text):
        if text is not None:
            raise CannotPlant(f"{self.path} is there already; mend tests/plant/faults.py")
        return self.new


@dataclass
class Fault:
    name: str
    gate: str  # a key of faults.GATES
    message: str  # what the gate must say, as a regular expression
    edits: list


def edited(tree, edits):
    """Of each file that the edits touch, the text before (None: there is none) and after."""
    texts = {}
    for edit in edits:
        path = tree / edit.path
        if path not in texts:
            there = path.read_text(encoding="utf-8") if path.exists() else None
            texts[path] = (there, there)
        before, text = texts[path]
        texts[path] = (before, edit.apply(text))
    return texts


def check(chosen):
    """The faults that can no longer be planted, one line each."""
    gone = 0
    for fault in chosen:
        try:
            edited(ROOT, fault.edits)
        except CannotPlant as reason:
            print(f"{fault.name}: {reason}")
            gone += 1
    print(f"plant: {len(chosen)} faults, {len(chosen) - gone} can be planted, {gone} not")
    return 1 if gone else 0


# ---- running ------------------------------------------------------------------------------------------------

class Field:
    """The copy of the tree, its builds, and what is planted in it."""

    def __init__(self, folder):
        self.tree = folder / "nsdyn"
        self.folder = folder
        shutil.copytree(ROOT, self.tree, ignore=OUTSIDE, symlinks=True)
        self.planted = {}

    def plant(self, edits):
        for path, (before, after) in edited(self.tree, edits).items():
            self.planted[path] = before
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(after, encoding="utf-8")

    def clear(self):
        for path, before in self.planted.items():
            if before is None:
                path.unlink()
            else:
                path.write_text(before, encoding="utf-8")
        self.planted = {}

    def run(self, command):
        """Exit status and all output of a shell command, in the tree; $BUILD is the folder for builds."""
        run = subprocess.run(["bash", "-c", "set -e\n" + command], cwd=self.tree, stdin=subprocess.DEVNULL,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
                             env=environment(self.folder))
        return run.returncode, run.stdout


def environment(folder):
    return {**os.environ, "BUILD": str(folder / "build"), "LC_ALL": "C.UTF-8", "NSDYN_TEST_SCALE": "0.05",
            "CK_FORK": "no", "PYTHONDONTWRITEBYTECODE": "1"}


def prepare(field, builds, names):
    for name in sorted(names):
        status, output = field.run(builds[name])
        if status != 0:
            raise CannotPlant(f"{name} cannot be set up on the clean tree:\n{output[-3000:]}")


def try_gate(field, command, fault):
    """One word on how the gate took the fault, and its output."""
    status, output = field.run(command)
    found = re.search(fault.message, output)
    if status == 0:
        return "MISSED", output
    if not found:
        return "failed, but for another reason", output
    return "caught", output


def sow(field, gates, chosen):
    """Plants each fault in turn; returns those that were not caught, with the output."""
    escaped = []
    width = max(len(fault.name) for fault in chosen)
    for fault in chosen:
        began = time.monotonic()
        field.plant(fault.edits)
        verdict, output = try_gate(field, gates[fault.gate].command, fault)
        field.clear()
        print(f"{fault.name:<{width}}  {fault.gate:<14}  {verdict}, {time.monotonic() - began:.1f} s", flush=True)
        if verdict != "caught":
            escaped.append((fault, output))
    return escaped


def main():
    import faults
    names = [word for word in sys.argv[1:] if not word.startswith("-")]
    chosen = [f for f in faults.FAULTS if not names or any(f.name.startswith(n) for n in names)]
    if "--list" in sys.argv:
        for fault in chosen:
            print(f"{fault.gate:<14}  {fault.name}")
        return 0
    if not chosen:
        print("plant: there is no such fault")
        return 1
    if "--check" in sys.argv:
        return check(chosen)
    gates = faults.GATES
    used = sorted({fault.gate for fault in chosen})
    with tempfile.TemporaryDirectory(prefix="nsdyn-plant-") as folder:
        field = Field(Path(folder))
        prepare(field, faults.BUILDS, {b for gate in used for b in gates[gate].builds})
        for gate in used:
            status, output = field.run(gates[gate].command)
            if status != 0:
                print(output[-4000:])
                print(f"plant: the gate {gate} fails on the clean tree: {shlex.quote(gates[gate].command)}")
                return 1
        escaped = sow(field, gates, chosen)
    for fault, output in escaped:
        print(f"\n---- {fault.name}: {fault.gate} should say {fault.message!r}, but said:\n{output[-2500:]}")
    print(f"plant: {len(chosen)} faults, {len(chosen) - len(escaped)} caught, {len(escaped)} not")
    return 1 if escaped else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except CannotPlant as reason:
        print(f"plant: {reason}")
        sys.exit(1)
