# nsdyn: dynamics of mechanical systems with contact, friction and impact
# SPDX-License-Identifier: GPL-3.0-or-later
"""How often calls go from one source file to another: crossings.py CALLGRIND_OUT [CALLS]

Reads what valgrind --tool=callgrind --toggle-collect=FUNCTION has written of a program with debug information. Of
all calls that the machine makes, those count whose caller and callee stand in different files; callbacks are calls
to the user's file, and back. What the compiler has inlined is no call. CALLS divides the number of calls, say by the
steps that were taken. The woodpecker: count_woodpecker with --toggle-collect=nsdyn_stepper_step takes 14600 steps
for a period, with --toggle-collect=nsdyn_event_driver_advance one run. Files outside of the tree (libm, the C library) are left out.
"""
import re
import sys
from collections import Counter


def calls_of(lines):
    """(caller's file, callee's file, count) of each line of calls; names may be compressed to (number)."""
    names, caller, callee = {}, None, None

    def name(text):
        number, rest = re.match(r"\((\d+)\)\s*(.*)", text).groups()
        if rest:
            names[number] = rest
        return names[number]

    for line in lines:
        key, _, value = line.strip().partition("=")
        if key == "fl":
            caller = callee = name(value)
        elif key in ("fi", "fe", "ob", "fn", "cob"):
            if key in ("fi", "fe"):
                name(value)
        elif key in ("cfi", "cfl"):
            callee = name(value)
        elif key == "calls":
            yield caller, callee, int(value.split()[0])
            callee = caller


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    divisor = float(sys.argv[2]) if len(sys.argv) > 2 else 1.0
    pairs = Counter()
    with open(sys.argv[1], encoding="utf-8", errors="replace") as lines:
        for caller, callee, count in calls_of(lines):
            both = [re.search(r"(?:^|/)((?:lib|tests)/.*)", file or "") for file in (caller, callee)]
            if all(both) and both[0].group(1) != both[1].group(1):
                pairs[both[0].group(1), both[1].group(1)] += count
    files = {file for pair in pairs for file in pair}
    print(f"{sum(pairs.values()) / divisor:.1f} calls from file to file, {len(pairs)} pairs of files, {len(files)} files")
    for (caller, callee), count in pairs.most_common():
        print(f"{count / divisor:12.2f}  {caller} -> {callee}")


if __name__ == "__main__":
    main()
