# nsdyn: dynamics of mechanical systems with contact, friction and impact
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes the enumerators of the public headers as tables for C tests: enumerators.py INCLUDE OUTPUT."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "abi"))
import cheaders  # noqa: E402


def main():
    include, output = sys.argv[1:]
    lines = ["typedef struct enumerator {", "  const char *name;", "  long long value;", "} enumerator;"]
    for enum in cheaders.declarations(include, "enum"):
        short = enum.name
        lines.append(f"__attribute__((unused)) static const enumerator {short}_all[] = {{")
        lines += [f'    {{"{e.name}", {e.value}}},' for e in enum.members]
        lines.append("};")
        lines.append(f"enum {{ {short}_count = {len(enum.members)} }};")
    Path(output).write_text("\n".join(lines) + "\n", encoding="utf-8")


main()
