# nsdyn: dynamics of mechanical systems with contact, friction and impact
# SPDX-License-Identifier: GPL-3.0-or-later
"""What changed in the ABI since the last release: report.py SOURCE_ROOT SHARED_LIBRARY [--update]

tests/abi/nsdyn.abi is what abidw wrote of the last release's library (--update, part of releasing). What
abidiff finds against it is shown; from release 1.0 on it fails where the change is not compatible, or
where the soversion should have changed.
"""

import re
import subprocess
import sys
from pathlib import Path

# Nothing of the machine, the folder or the line numbers; only what the public headers declare.
WRITE = """abidw --no-corpus-path --no-comp-dir-path --no-show-locs --no-elf-needed --no-parameter-names
--exported-interfaces-only --drop-private-types --type-id-style hash""".split()
FAILED, INCOMPATIBLE = 1 | 2, 8  # bits of abidiff's exit status


def version(root):
    text = (root / "include/nsdyn/version.h").read_text(encoding="utf-8")
    return tuple(int(re.search(rf"NSDYN_VERSION_{part}\s+(\d+)", text).group(1)) for part in ("MAJOR", "MINOR"))


def main():
    root, library, mode = Path(sys.argv[1]), sys.argv[2], (sys.argv[3:] or [""])[0]
    stored, headers = root / "tests/abi/nsdyn.abi", root / "include/nsdyn"
    if mode == "--update":
        subprocess.run([*WRITE, "--headers-dir", headers, "--out-file", stored, library], check=True)
        print(f"abidiff: {stored} written")
        return 0
    run = subprocess.run(["abidiff", "--headers-dir2", headers, "--drop-private-types", "--no-architecture",
                          stored, library],
                         capture_output=True, text=True)
    print(run.stdout + run.stderr, end="")
    if run.returncode & FAILED:
        print("abidiff: could not compare")
        return 1
    gating = version(root) >= (1, 0)
    kind = ("no change" if run.returncode == 0
            else "not compatible" if run.returncode & INCOMPATIBLE else "compatible, or for people to judge")
    print(f"abidiff: {kind}; {'gating' if gating else 'reported only, until release 1.0'}")
    return 1 if gating and run.returncode & INCOMPATIBLE else 0


sys.exit(main())
