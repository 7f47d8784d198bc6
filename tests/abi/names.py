# nsdyn: dynamics of mechanical systems with contact, friction and impact
# SPDX-License-Identifier: GPL-3.0-or-later
"""The gate of names: names.py SOURCE_ROOT SHARED_LIBRARY SOVERSION

What the headers declare with NSDYN_API, what lib/nsdyn.map lists and what the shared library exports
is one and the same set, and all of it begins with nsdyn_.
"""

import re
import subprocess
import sys
from pathlib import Path

import cheaders


def mapped_names(text):
    """Name of the version node and its global names."""
    node = re.match(r"\s*(\w+)\s*\{\s*global:(.*?)local:\s*\*;\s*\};\s*$", text, re.S)
    if not node:
        raise SystemExit("lib/nsdyn.map: must read 'NODE { global: names; local: *; };'")
    return node.group(1), [n.strip() for n in node.group(2).split(";") if n.strip()]


def exported_names(library):
    out = subprocess.run(["nm", "-D", "--defined-only", "--format=posix", library],
                         capture_output=True, text=True, check=True).stdout
    rows = [line.split()[:2] for line in out.splitlines()]
    return {name.split("@")[0]: kind for name, kind in rows}


def check_declarations(include):
    faults, declared = [], {}
    for d in cheaders.declarations(include):
        if d.kind == "function":
            where = f"include/nsdyn/{d.header}:{d.line}"
            if not d.exported:
                faults.append(f"{where}: mark {d.name} with NSDYN_API")
            if d.name in declared:
                faults.append(f"{where}: {d.name} is declared twice")
            declared[d.name] = where
        bare = d.name.removeprefix("struct ")
        if not bare.startswith("nsdyn_"):
            faults.append(f"include/nsdyn/{d.header}:{d.line}: {bare} must begin with nsdyn_")
        for m in d.members if d.kind == "enum" else []:
            if not m.name.startswith("NSDYN_"):
                faults.append(f"include/nsdyn/{d.header}:{d.line}: {m.name} must begin with NSDYN_")
    return faults, declared


def main():
    root, library, soversion = Path(sys.argv[1]), sys.argv[2], sys.argv[3]
    faults, declared = check_declarations(root / "include/nsdyn")
    node, mapped = mapped_names((root / "lib/nsdyn.map").read_text())
    exported = exported_names(library)
    if exported.pop(node, None) != "A":
        faults.append(f"{library}: does not carry the version node {node} of lib/nsdyn.map")
    if node != f"NSDYN_{soversion}":
        faults.append(f"lib/nsdyn.map: its node is {node}, but the soversion is {soversion}: call it NSDYN_{soversion}")
    if mapped != sorted(set(mapped)):
        faults.append("lib/nsdyn.map: keep the names sorted, each once")
    for name in sorted(set(declared) - set(mapped)):
        faults.append(f"{declared[name]}: {name} is declared, but not exported: add it to lib/nsdyn.map")
    for name in sorted(set(mapped) - set(declared)):
        faults.append(f"lib/nsdyn.map: {name} is in no public header: declare it there with NSDYN_API or take it out")
    for name in sorted(set(mapped) & set(declared) - set(exported)):
        faults.append(f"{declared[name]}: {name} is declared and mapped, but the library does not define it")
    for name in sorted(set(exported) - set(mapped)):
        faults.append(f"{library}: exports {name}, which is not in lib/nsdyn.map")
    for name, kind in sorted(exported.items()):
        if kind != "T":
            faults.append(f"{library}: {name} is data (nm says {kind}); export functions only")
        if not name.startswith("nsdyn_"):
            faults.append(f"{library}: {name} must begin with nsdyn_")
    for fault in faults:
        print(fault)
    print(f"names: {len(faults)} faults, {len(declared)} declared, {len(mapped)} mapped, {len(exported)} exported")
    return 1 if faults or not declared else 0


sys.exit(main())
