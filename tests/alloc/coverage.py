# nsdyn: dynamics of mechanical systems with contact, friction and impact
# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether the allocation scenarios cover everything: coverage.py SOURCE_ROOT RELEASE_ARCHIVE TEST_PROGRAM

Two ways to see which public functions may allocate: by name (nsdyn_…_new), and by following the calls
in the machine code from each exported function down to the allocator. Each of them must be named by a
scenario in tests/alloc/scenarios.c, and no scenario may name what does not exist.
"""

import re
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "abi"))
import cheaders  # noqa: E402

ALLOCATORS = {"nsd_allocate", "aligned_alloc"}
SECTION = re.compile(r"\.(?:text|data\.rel\.ro\.local|data\.rel\.ro|rodata)\.(?:unlikely\.|hot\.|startup\.|exit\.)?")
RELOCATION = re.compile(r"[0-9a-f]+\s+[0-9a-f]+\s+R_\w+\s+(?:[0-9a-f]+\s+)?([A-Za-z_.][\w.$@]*)")


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def base_name(symbol):
    """Function or table of a section or symbol; foo.cold and foo.part.0 are foo."""
    return SECTION.sub("", symbol, count=1).split(".")[0]


def references(archive):
    """Each function or table with those it refers to. Local names carry their object file."""
    names = run("nm", "-g", "--defined-only", "--format=posix", archive).splitlines()
    shared = ALLOCATORS | {line.split()[0] for line in names if line.strip()}
    graph, member, here = {}, "", None
    for line in run("readelf", "-rW", archive).splitlines():
        m = re.match(r"File: .*[(\[](.+)[)\]]$", line)
        if m:
            member = m.group(1)
        m = re.match(r"Relocation section '\.rela?(\.\S+)'", line)
        if m:
            here = base_name(m.group(1)) if SECTION.match(m.group(1)) else None
        m = RELOCATION.match(line)
        if m and here:
            source, target = (n if n in shared else f"{member}:{n}" for n in (here, base_name(m.group(1))))
            graph.setdefault(source, set()).add(target)
    return graph


def reach(graph, start):
    seen, ahead = set(), [start]
    while ahead:
        node = ahead.pop()
        if node not in seen:
            seen.add(node)
            ahead += graph.get(node, ())
    return seen


def main():
    root, archive, program = Path(sys.argv[1]), sys.argv[2], sys.argv[3]
    covered = set(run(program, "--calls").split())
    functions = {f.name for f in cheaders.exported_functions(root / "include/nsdyn")}
    graph = references(archive)
    allocating = {f for f in functions if reach(graph, f) & ALLOCATORS}
    faults = [f"{name}: is named by a scenario, but is no public function" for name in sorted(covered - functions)]
    for name in sorted(functions - covered):
        if name in allocating or name.endswith("_new"):
            faults.append(f"{name}: may allocate, but no scenario lets its allocations fail: "
                          "add it to tests/alloc/scenarios.c")
    if "nsdyn_context_new" not in allocating:
        faults.append(f"{archive}: nsdyn_context_new seems not to allocate: its machine code was not followed")
    for fault in faults:
        print(fault)
    print(f"coverage: {len(faults)} faults, {len(allocating)} of {len(functions)} public functions may allocate")
    return 1 if faults else 0


sys.exit(main())
