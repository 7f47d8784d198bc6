#!/usr/bin/env python3
# nsdyn: dynamics of mechanical systems with contact, friction and impact
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs a program of the manual and compares what it prints with the file that the manual shows:
compare_output.py PROGRAM EXPECTED [ARGUMENTS...]
"""

import difflib
import pathlib
import subprocess
import sys

program, expected_file = sys.argv[1], pathlib.Path(sys.argv[2])
done = subprocess.run([program, *sys.argv[3:]], stdout=subprocess.PIPE, check=False)
if done.returncode != 0:
    sys.exit(f"{program}: exit status {done.returncode}")
printed = done.stdout.decode("utf-8")
expected = expected_file.read_text(encoding="utf-8")
if printed != expected:
    sys.stdout.writelines(difflib.unified_diff(
        expected.splitlines(keepends=True), printed.splitlines(keepends=True),
        str(expected_file), "printed"))
    sys.exit(1)
