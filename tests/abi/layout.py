# nsdyn: dynamics of mechanical systems with contact, friction and impact
# SPDX-License-Identifier: GPL-3.0-or-later
"""The gate of struct layouts: layout.py SOURCE_ROOT COMPILER [--update | --release]

tests/abi/layout.txt holds, for 64-bit machines, every public struct (offset, size, type and name of each
field) and the number of every enumerator. A C program made from the headers prints what they are now.

- What a release has had stays: no field moves, changes its type or goes; a struct that begins with its
  size grows at its end, another never; no number changes.
- Rows marked "new" are in no release yet. They must agree with the headers; --update rewrites them.
- --release, part of releasing, takes the marks away and fixes each struct's first size.

Besides: fixed-width types only, no padding between or behind fields, every enumerator with a number, an
exported init function for every struct that begins with its size and is the caller's to make, and its
NSD_…_LEAST in lib/ equal to the size in its first release.
"""

import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

import cheaders

SKIP = 77  # what meson takes for "skipped"
UPDATE = "python3 tests/abi/layout.py . cc --update"
INTRODUCTION = """\
# Public structs and enumerators on 64-bit machines, checked by tests/abi/layout.py, which also writes
# this file (--update). Fields: offset, size, type, name. "new": in no release yet, so free to change.
# "first": the struct's size in its first release.
"""
FIXED = re.compile(r"(size_t|u?int(8|16|32|64)_t|double|char|char|nsdyn_status|nsdyn_\w+)(\[\w+\])*$|.*\*+(\[\w+\])*$"
                   r"|.*\(\*\)\(.*\)$")


@dataclass
class Item:
    kind: str  # struct or enum
    name: str
    size: int = 0
    first: int | None = None  # size in the first release
    rows: list[tuple[str, bool]] = field(default_factory=list)  # text and whether it is new


def row_name(text):
    """Name in a row: the last word of "offset size type name", the first of "enumerator number"."""
    words = text.split()
    return words[-1] if len(words) > 2 else words[0]


# ---- the table ------------------------------------------------------------------------------------------

def read_table(path):
    items = {}
    item = None
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("#") or not line.strip():
            continue
        if line.startswith("  "):
            text = line.strip()
            item.rows.append((text.removesuffix(" new"), text.endswith(" new")))
            continue
        words = line.split()
        item = Item(words[0], words[1])
        if item.kind == "struct":
            item.size = int(words[2])
            item.first = int(words[4]) if words[3] == "first" else None
        items[item.kind, item.name] = item
    return items


def write_table(path, items):
    lines = [INTRODUCTION]
    for _, item in sorted(items.items()):
        state = f" {item.size} " + (f"first {item.first}" if item.first else "new") if item.kind == "struct" else ""
        lines.append(f"{item.kind} {item.name}{state}")
        lines += [f"  {text}{' new' if new else ''}" for text, new in item.rows]
    path.write_text("\n".join(lines).replace("\n\n", "\n") + "\n", encoding="utf-8")


# ---- the headers ----------------------------------------------------------------------------------------

def least_macros(root):
    """Name of each NSD_X_LEAST and the header of lib/ that defines it."""
    found = {}
    for path in sorted((root / "lib").rglob("*.h")):
        for name in re.findall(r"^#\s*define\s+(NSD_\w+_LEAST)\b", path.read_text(encoding="utf-8"), re.M):
            found[name] = path.relative_to(root / "lib").as_posix()
    return found


def measuring_program(structs, enums, least):
    out = ["#include <stdio.h>", '#include "nsdyn/nsdyn.h"', '#include "base/sized.h"']
    out += sorted({f'#include "{header}"' for header in least.values()})
    out += ["int main(void)", "{", '  printf("word %zu\\n", sizeof(void *));']
    for s in structs:
        out.append(f'  printf("struct {s.name.split()[-1]} %zu\\n", sizeof({s.name}));')
        for f in s.members:
            where = f"offsetof({s.name}, {f.name}), sizeof((({s.name} *)0)->{f.name})"
            out.append(f'  printf("row %zu %zu {f.type} {f.name}\\n", {where});')
    for e in enums:
        out.append(f'  printf("enum {e.name}\\n");')
        out += [f'  printf("row {m.name} %lld\\n", (long long){m.name});' for m in e.members]
    out += [f'  printf("least {name} %zu\\n", (size_t)({name}));' for name in least]
    out += ['  printf("most %u\\n", NSD_SIZED_MOST);', "  return 0;", "}"]
    return "\n".join(out) + "\n"


def measure(root, compiler, structs, enums, least):
    """What the compiler says: items, least sizes, the largest size, size of a pointer."""
    with tempfile.TemporaryDirectory() as folder:
        source, program = Path(folder) / "layout.c", Path(folder) / "layout"
        source.write_text(measuring_program(structs, enums, least), encoding="utf-8")
        subprocess.run([*compiler.split(), "-std=c11", "-I", root / "include", "-I", root / "lib", source, "-o", program],
                       check=True)
        text = subprocess.run([program], check=True, capture_output=True, text=True).stdout
    items, sizes, most, word, item = {}, {}, 0, 0, None
    for line in text.splitlines():
        word_1, rest = line.split(" ", 1)
        if word_1 == "word":
            word = int(rest)
        elif word_1 == "most":
            most = int(rest)
        elif word_1 == "least":
            name, size = rest.split()
            sizes[name] = int(size)
        elif word_1 == "row":
            item.rows.append((rest, True))
        else:
            words = rest.split()
            item = Item(word_1, words[0], int(words[1]) if len(words) > 1 else 0)
            items[item.kind, item.name] = item
    return items, sizes, most, word


# ---- the rules ------------------------------------------------------------------------------------------

def check_fields(struct, item):
    end = 0
    for f, (text, _) in zip(struct.members, item.rows):
        offset, size = (int(w) for w in text.split()[:2])
        where = f"{struct.name}.{f.name}"
        if offset != end:
            yield f"{where}: {offset - end} bytes of padding before it: order the fields or name the gap"
        if not FIXED.match(f.type):
            yield f"{where}: {f.type} is not the same everywhere: use int32_t, int64_t, double, size_t or a pointer"
        end = offset + size
    if end != item.size:
        yield f"{struct.name}: {item.size - end} bytes of padding behind its last field: fill the gap with a field"


def check_headers(root, structs, enums, items, sizes, most):
    """Rules that need no history."""
    sized = {s.name for s in cheaders.sized_structs(root / "include/nsdyn")}
    made = {s.name for s in cheaders.made_by_callers(root / "include/nsdyn")}
    functions = {f.name: f for f in cheaders.exported_functions(root / "include/nsdyn")}
    for s in structs:
        item = items["struct", s.name.split()[-1]]
        yield from check_fields(s, item)
        for f in s.members:
            if f.type.split("[")[0] in sized:
                yield f"{s.name}.{f.name}: {f.type} grows, so it cannot stand inside another struct: use a pointer"
        if s.name in made:
            init = functions.get(s.name + "_init")
            if not init or [p.type.split()[0] for p in init.members] != [s.name, "size_t"]:
                yield f"{s.name}: begins with its size, so export nsdyn_status {s.name}_init({s.name} *, size_t size)"
        if s.name in sized and item.size > most:
            yield f"{s.name}: {item.size} bytes, but NSD_SIZED_MOST of lib/base/sized.h is {most}"
    for e in enums:
        for m in e.members:
            if m.value is None:
                yield f"{e.name}: give {m.name} its number"
        numbers = [text.split()[1] for text, _ in items["enum", e.name].rows]
        for number in sorted({n for n in numbers if numbers.count(n) > 1}):
            yield f"{e.name}: the number {number} stands for two names"


def check_least(root, items, table, sizes):
    for s in cheaders.made_by_callers(root / "include/nsdyn"):
        macro = f"NSD_{s.name.removeprefix('nsdyn_').upper()}_LEAST"
        stored = table.get(("struct", s.name))
        first = (stored and stored.first) or items["struct", s.name].size
        if macro not in sizes:
            yield f"{s.name}: define {macro} in a header of lib/, through the last field of its first release"
        elif sizes[macro] != first:
            yield (f"{macro} is {sizes[macro]}, but {s.name} has {first} bytes in its first release: name the field "
                   "that was last then")


def check_history(items, table):
    """What a release had is still there, at its place."""
    for key, stored in table.items():
        now = items.get(key)
        released = [text for text, new in stored.rows if not new]
        if not now:
            if released:
                yield f"{stored.kind} {stored.name}: was released and is gone; put it back"
            continue
        rows = [text for text, _ in now.rows]
        for at, text in enumerate(released):
            if stored.kind == "enum" and text not in rows:
                yield f"{stored.name}: {row_name(text)} was released as {text!r}; numbers never change nor vanish"
            elif stored.kind == "struct" and rows[at : at + 1] != [text]:
                yield (f"{stored.name}: released row {text!r} is now {(rows[at : at + 1] or ['gone'])[0]!r}: "
                       "fields stay where they are, new ones go to the end")
        if stored.kind == "struct" and stored.first and now.size != stored.size and "size_t size" not in rows[0]:
            yield f"{stored.name}: has no size field, so it can never grow"


def check_current(items, table):
    """The table says what the headers say."""
    for key in sorted(set(items) | set(table)):
        now, stored = items.get(key), table.get(key)
        name = f"{key[0]} {key[1]}"
        if not stored:
            yield f"{name}: is not in tests/abi/layout.txt; run {UPDATE} and commit the table"
        elif not now:
            yield f"{name}: is in tests/abi/layout.txt, but in no header; if that is right, run {UPDATE}"
        else:
            was, rows = [text for text, _ in stored.rows], [text for text, _ in now.rows]
            for old, new in zip(was, rows):
                if old != new:
                    yield (f"{name}: the table has {old!r} where the header has {new!r}. New fields go to the end; "
                           f"if no release had this one, run {UPDATE}")
                    break
            else:
                if len(was) != len(rows):
                    extra = (rows[len(was):] or was[len(rows):])[0]
                    yield f"{name}: {extra!r} stands in only one of header and table; run {UPDATE}"


# ---- the three modes ------------------------------------------------------------------------------------

def updated(items, table, releasing):
    for key, now in items.items():
        stored = table.get(key, Item(*key))
        released = set() if releasing else {text for text, new in stored.rows if not new}
        now.rows = [(text, not releasing and text not in released) for text, _ in now.rows]
        now.first = stored.first or (now.size if releasing else None)
    return items


def report(faults):
    faults = list(dict.fromkeys(faults))
    for fault in faults:
        print(fault)
    return len(faults)


def main():
    root, compiler, mode = Path(sys.argv[1]), sys.argv[2], (sys.argv[3:] or [""])[0]
    path = root / "tests/abi/layout.txt"
    # The adapters of gsl.h are compiled into the user's program: no struct of theirs crosses the ABI.
    structs = [s for s in cheaders.declarations(root / "include/nsdyn", "struct") if s.header != "gsl.h"]
    enums = cheaders.declarations(root / "include/nsdyn", "enum")
    items, sizes, most, word = measure(root, compiler, structs, enums, least_macros(root))
    if word != 8:
        print("layout: the table is for 64-bit machines")
        return SKIP
    table = read_table(path) if path.exists() else {}
    count = report([*check_headers(root, structs, enums, items, sizes, most), *check_history(items, table),
                    *check_least(root, items, table, sizes)])
    if mode in ("--update", "--release"):
        if count:
            print(f"layout: {count} faults; the table is as it was")
            return 1
        write_table(path, updated(items, table, mode == "--release"))
        print(f"layout: {path} written")
        return 0
    count += report(check_current(items, table))
    print(f"layout: {count} faults, {len(structs)} structs, {len(enums)} enums")
    return 1 if count or not structs else 0


sys.exit(main())
