# nsdyn: dynamics of mechanical systems with contact, friction and impact
# SPDX-License-Identifier: GPL-3.0-or-later
"""The header gate: headers.py SOURCE_ROOT

Each public header compiles alone, and twice, as C99, C11, C17 and C++11, with every compiler found,
without a warning. Each says what it declares: every function, type, field, enumerator and macro has a
comment that Doxygen reads, and the parameters named in it exist.
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import cheaders

COMPILERS = [("gcc", "c"), ("clang", "c"), ("g++", "c++"), ("clang++", "c++")]
STANDARDS = {"c": ["c99", "c11", "c17"], "c++": ["c++11"]}
WARNINGS = "-Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wundef -Wcast-qual -Werror".split()
WARNINGS_C = "-Wstrict-prototypes -Wmissing-prototypes -Wc++-compat".split()
NEED_GSL = {"gsl.h"}


def gsl_flags():
    flags = subprocess.run(["pkg-config", "--cflags", "gsl"], capture_output=True, text=True, check=True).stdout
    return [f.replace("-I", "-isystem", 1) for f in shlex.split(flags)]


def compile_alone(job):
    root, header, compiler, language, standard, folder = job
    suffix = "c" if language == "c" else "cpp"
    source = Path(folder) / f"{header}.{compiler}.{standard}.{suffix}"
    text = f'#include "nsdyn/{header}"\n'
    source.write_text(text + text + "int user_of_the_header(void);\n")
    command = [compiler, f"-std={standard}", *WARNINGS, *(WARNINGS_C if language == "c" else []),
               "-fsyntax-only", "-I", str(root / "include"), *(gsl_flags() if header in NEED_GSL else []), str(source)]
    run = subprocess.run(command, capture_output=True, text=True)
    if run.returncode == 0 and not run.stderr:
        return None
    return (f"include/nsdyn/{header}: does not compile alone as {standard} with {compiler}:\n"
            + run.stderr.strip() + "\n  " + shlex.join(command))


def compile_all(root):
    found = [(c, language) for c, language in COMPILERS if shutil.which(c)]
    for language in STANDARDS:
        if language not in [of for _, of in found]:
            return 0, [f"no compiler for {language} found; the gate needs one of "
                       + ", ".join(c for c, of in COMPILERS if of == language)]
    headers = sorted(p.name for p in (root / "include/nsdyn").glob("*.h"))
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(max(1, os.cpu_count() or 1)) as pool:
        jobs = [(root, h, c, of, s, folder) for h in headers for c, of in found for s in STANDARDS[of]]
        return len(jobs), [fault for fault in pool.map(compile_alone, jobs) if fault]


def check_guard(header):
    guard = "NSDYN_" + header.path.stem.upper() + "_H"
    bare = cheaders.COMMENT.sub("", header.text).strip()
    if not re.match(rf"#ifndef {guard}\n#define {guard}\n", bare) or not bare.endswith("#endif"):
        return [f"include/nsdyn/{header.name}: the include guard must be {guard}, around everything"]
    return []


def has_brief(doc):
    return bool(re.search(r"[@\\]brief\s+\S", doc))


def check_function(d):
    where = f"include/nsdyn/{d.header}:{d.line}: {d.name}"
    if not has_brief(d.doc):
        return [f"{where} has no comment with @brief: say what it does, before the declaration"]
    faults = []
    named = [n.strip() for group in re.findall(r"[@\\]param(?:\[[^]]*\])?\s+(\w+(?:\s*,\s*\w+)*)", d.doc)
             for n in group.split(",")]
    for name in named:
        if name not in [p.name for p in d.members]:
            faults.append(f"{where}: its comment speaks of a parameter {name!r} that it does not have")
    if named:
        faults += [f"{where}: parameter {p.name!r} is missing in its comment" for p in d.members if p.name not in named]
    if re.search(r"\bnsdyn_status\s+" + d.name, d.text) and not re.search(r"[@\\]returns?\s+\S", d.doc):
        faults.append(f"{where}: say with @return which statuses it gives")
    return faults


def check_docs(header):
    faults = []
    real = [d for d in header.declarations]
    if real and not re.search(r"/\*[*!].*?[@\\]file\b.*?[@\\]brief\s+\S", header.text, re.S):
        faults.append(f"include/nsdyn/{header.name}: begin with a comment with @file and @brief")
    for d in real:
        where = f"include/nsdyn/{d.header}:{d.line}: {d.name}"
        if d.kind in ("function", "inline"):
            faults += check_function(d)
            continue
        if not has_brief(d.doc):
            faults.append(f"{where} has no comment with @brief")
        for m in d.members:
            if not m.doc.strip():
                faults.append(f"{where}: {m.name} has no comment; write /**< … */ behind it or /** … */ before")
    return faults + check_macros(header)


def check_macros(header):
    """A macro has a doc comment before it, or before the block of macros it stands in."""
    faults, documented, comment = [], False, None
    for number, line in enumerate(header.text.split("\n"), 1):
        if comment is None and re.match(r"\s*/\*", line):
            comment = bool(re.match(r"\s*/\*[*!]", line))
        if comment is not None:
            if "*/" in line:
                documented, comment = comment, None
            continue
        m = re.match(r"#\s*define\s+(NSDYN_\w+)", line)
        commented = documented or "/**<" in line
        if m and not (m.group(1).endswith("_H") or m.group(1) == "NSDYN_API" or commented):
            faults.append(f"include/nsdyn/{header.name}:{number}: {m.group(1)} has no comment")
        if re.match(r"#\s*define\s+(?!NSDYN_)\w", line):
            faults.append(f"include/nsdyn/{header.name}:{number}: a macro of a public header begins with NSDYN_")
        if not m and not line.endswith("\\"):
            documented = False
    return faults


def main():
    root = Path(sys.argv[1]).resolve()
    faults = []
    for header in cheaders.read_all(root / "include/nsdyn"):
        faults += check_guard(header) + check_docs(header)
    count, failed = compile_all(root)
    faults += failed
    for fault in faults:
        print(fault)
    print(f"headers: {len(faults)} faults, {count} compilations")
    return 1 if faults else 0


sys.exit(main())
