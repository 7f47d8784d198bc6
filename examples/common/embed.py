# nsdyn: dynamics of mechanical systems with contact, friction and impact
# SPDX-License-Identifier: GPL-3.0-or-later
"""A text file as an array of C strings, a line each: embed.py FILE NAME OUTPUT"""
import sys
from pathlib import Path

path, name, output = sys.argv[1:]
lines = Path(path).read_text(encoding="utf-8").splitlines()
quoted = ['  "' + line.replace("\\", "\\\\").replace('"', '\\"').replace("?", "\\?") + '\\n",\n' for line in lines]
Path(output).write_text(f"static const char *const {name}[] = {{\n{''.join(quoted)}}};\n", encoding="utf-8")
