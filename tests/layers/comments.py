# nsdyn: dynamics of mechanical systems with contact, friction and impact
# SPDX-License-Identifier: GPL-3.0-or-later
"""How much code says of itself where it happens: comments.py SOURCE_ROOT [--list N]

Counts the lines between the braces of functions in lib/, and those of them that hold a comment. The gate: over all of
lib/ at least 40 in 1000, and no file with a hundred lines in bodies that says nothing at all. `list` prints the N files
that say least.
"""

import argparse
import sys
from pathlib import Path

AIM = 40  # comment lines per 1000 lines inside of bodies
LONG = 100  # lines in bodies, from which on a file has to say something


def count(text):
    """(lines in bodies, lines of them with a comment); a body stands between braces in the first column."""
    lines = comments = 0
    is_inside = is_comment = False
    for line in text.split("\n"):
        if line.startswith(("{", "}")):
            is_inside = line.startswith("{")
            continue
        if is_inside:
            lines += 1
            comments += is_comment or "/*" in line
            is_comment = line.rfind("/*") > line.rfind("*/") or (is_comment and "*/" not in line)
    return lines, comments


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("root", type=Path)
    parser.add_argument("--list", type=int, default=0, metavar="N")
    options = parser.parse_args()
    lib = options.root / "lib"
    files = {path.relative_to(options.root): count(path.read_text()) for path in sorted(lib.rglob("*.c"))}
    lines, comments = (sum(column) for column in zip(*files.values()))
    mute = [path for path, (own, said) in files.items() if own >= LONG and not said]
    share = 1000 * comments / lines
    print("%d lines in bodies, %d of them with comments: %.1f per 1000" % (lines, comments, share))
    for path in sorted(files, key=lambda path: files[path][1] / max(files[path][0], LONG))[: options.list]:
        print("%6d lines %4d with comments  %s" % (*files[path], path))
    for path in mute:
        print("%s: %d lines in bodies, and no comment: give stages their equation or reason" % (path, files[path][0]))
    return bool(mute) or share < AIM


if __name__ == "__main__":
    sys.exit(main())
