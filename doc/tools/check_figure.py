#!/usr/bin/env python3
# nsdyn: dynamics of mechanical systems with contact, friction and impact
# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares a committed picture with what its program draws: check_figure.py PICTURE PROGRAM [OPTIONS...]

The pictures stand in the tree so that README.md and the manual have them without a build; this keeps
them true.
"""

import pathlib
import subprocess
import sys
import tempfile

picture, command = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2:]
with tempfile.TemporaryDirectory() as folder:
    drawn = pathlib.Path(folder) / "drawn.svg"
    subprocess.run([*command, "--quiet", "--svg", str(drawn)], check=True)
    if not picture.is_file() or picture.read_bytes() != drawn.read_bytes():
        sys.exit(f"{picture} is not what the program draws; write it anew with\n"
                 f"  {' '.join(command)} --svg {picture}")
