# nsdyn: dynamics of mechanical systems with contact, friction and impact
# SPDX-License-Identifier: GPL-3.0-or-later
"""The scheme that CONTRIBUTING shows is the one that the library compiles. usage: scheme_example.py ROOT"""
import pathlib
import sys

root = pathlib.Path(sys.argv[1])
text = (root / "CONTRIBUTING.md").read_text(encoding="utf-8")
shown = [block.split("```")[0] for block in text.split("```c\n")[1:]]
source = (root / "lib/stepper/scheme/euler.c").read_text(encoding="utf-8")
code = source[source.index('#include "stepper/scheme/scheme.h"'):]
if code not in shown:
    sys.exit("CONTRIBUTING.md shows another semi-implicit Euler than lib/stepper/scheme/euler.c")
