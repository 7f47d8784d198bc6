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


NODE = re.compile(r"\s*([\w.]+)\s*\{\s*global:(.*?)(local:\s*\*;\s*)?\}\s*([\w.]*)\s*;", re.S)


def mapped_nodes(text):
    """The nodes of the map, oldest first: name, its global names, the node it follows."""
    nodes, at = [], 0
    while text[at:].strip():
        node = NODE.match(text, at)
        if not node or bool(node.group(3)) != (at == 0):
            raise SystemExit("lib/nsdyn.map: must read 'NODE { global: names; local: *; };', and for each later release "
                             "'NODE { global: names; } NODE_BEFORE;'")
        nodes.append((node.group(1), [n.strip() for n in node.group(2).split(";") if n.strip()], node.group(4)))
        at = node.end()
    return nodes


def check_nodes(nodes, soversion, release):
    """A name stands in the node of the release that it came with, so that packagers know which one a program needs."""
    before = ""
    for name, names, follows in nodes:
        number = re.fullmatch(r"NSDYN_(\d+)\.(\d+)", name)
        if not number or number.group(1) != soversion:
            yield (f"lib/nsdyn.map: its node is {name}, but the soversion is {soversion}: call it "
                   f"NSDYN_{soversion}.N, N being the middle number of the release")
        elif int(number.group(2)) > release:
            yield f"lib/nsdyn.map: the node {name} is of a later release than {soversion}.{release}"
        if follows != before:
            yield f"lib/nsdyn.map: let the node {name} follow {before or 'none'}"
        if names != sorted(set(names)):
            yield f"lib/nsdyn.map: keep the names of {name} sorted, each once"
        before = name


def exported_names(library):
    out = subprocess.run(["nm", "-D", "--defined-only", "--format=posix", library],
                         capture_output=True, text=True, check=True).stdout
    rows = [line.split()[:2] for line in out.splitlines()]
    return {name.split("@")[0]: (kind, name.split("@")[-1]) for name, kind in rows}


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
    nodes = mapped_nodes((root / "lib/nsdyn.map").read_text())
    release = re.search(r"NSDYN_VERSION_MINOR (\d+)", (root / "include/nsdyn/version.h").read_text())
    faults += check_nodes(nodes, soversion, int(release.group(1)))
    mapped = {name: node for node, names, _ in nodes for name in names}
    exported = exported_names(library)
    for node, _, _ in nodes:
        if exported.pop(node, ("", ""))[0] != "A":
            faults.append(f"{library}: does not carry the version node {node} of lib/nsdyn.map")
    for name in sorted(set(declared) - set(mapped)):
        faults.append(f"{declared[name]}: {name} is declared, but not exported: add it to lib/nsdyn.map")
    for name in sorted(set(mapped) - set(declared)):
        faults.append(f"lib/nsdyn.map: {name} is in no public header: declare it there with NSDYN_API or take it out")
    for name in sorted(set(mapped) & set(declared) - set(exported)):
        faults.append(f"{declared[name]}: {name} is declared and mapped, but the library does not define it")
    for name in sorted(set(exported) - set(mapped)):
        faults.append(f"{library}: exports {name}, which is not in lib/nsdyn.map")
    for name, (kind, node) in sorted(exported.items()):
        if name in mapped and node != mapped[name]:
            faults.append(f"{library}: {name} is of the node {node}, not of {mapped[name]}")
        if kind != "T":
            faults.append(f"{library}: {name} is data (nm says {kind}); export functions only")
        if not name.startswith("nsdyn_"):
            faults.append(f"{library}: {name} must begin with nsdyn_")
    for fault in faults:
        print(fault)
    print(f"names: {len(faults)} faults, {len(declared)} declared, {len(mapped)} mapped, {len(exported)} exported")
    return 1 if faults or not declared else 0


sys.exit(main())
