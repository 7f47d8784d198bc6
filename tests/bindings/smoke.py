# nsdyn: dynamics of mechanical systems with contact, friction and impact
# SPDX-License-Identifier: GPL-3.0-or-later
"""From Python, with ctypes and nothing else: smoke.py SOURCE_ROOT SHARED_LIBRARY

The structs are made from tests/abi/layout.txt, the functions from the headers, as the author of a
binding would; so whatever the library gets later is bound here too.
"""

import ctypes as c
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "abi"))
import cheaders  # noqa: E402

SIMPLE = {"void": None, "int": c.c_int, "int32_t": c.c_int32, "int64_t": c.c_int64, "uint8_t": c.c_uint8,
          "uint32_t": c.c_uint32, "uint64_t": c.c_uint64, "size_t": c.c_size_t, "double": c.c_double,
          "nsdyn_status": c.c_int32, "char": c.c_char}
STRUCTS = {}

count = failed = 0


def check(good, what):
    global count, failed
    count += 1
    failed += not good
    print(f"{'ok' if good else 'not ok'} {count} - {what}")


def ctype(text):
    """The ctypes type of a C type without a name."""
    text = re.sub(r"\b(const|struct|enum)\b", "", text).strip()
    m = re.match(r"(.+?)\(\*\)\((.*)\)$", text)
    if m:
        arguments = [a.strip() for a in m.group(2).split(",")] if m.group(2) != "void" else []
        return c.CFUNCTYPE(ctype(m.group(1)), *[ctype(a) for a in arguments])
    m = re.match(r"(.+?)((?:\[\d+\])+)$", text)
    if m:
        base = ctype(m.group(1))
        for n in reversed(re.findall(r"\d+", m.group(2))):
            base = base * int(n)
        return base
    if text.endswith("*"):
        target = text[:-1].strip()
        if target == "char":
            return c.c_char_p
        return c.POINTER(SIMPLE[target]) if SIMPLE.get(target) else c.c_void_p
    return SIMPLE.get(text) or STRUCTS.get(text) or SIMPLE[text]


def make_structs(table):
    """ctypes structs from the layout table; returns name: (struct, size, {field: offset})."""
    wanted, name = {}, None
    for line in table.read_text(encoding="utf-8").splitlines():
        words = line.removesuffix(" new").split()
        if line.startswith("struct "):
            name = words[1]
            wanted[name] = (int(words[2]), [])
        elif line.startswith("  ") and name:
            wanted[name][1].append((words[-1], " ".join(words[2:-1]), int(words[0])))
        elif not line.startswith("  "):
            name = None
    for name in sorted(wanted):
        fields = [(field, ctype(text)) for field, text, _ in wanted[name][1]]
        STRUCTS[name] = type(name, (c.Structure,), {"_fields_": fields})
    return wanted


def bind(library, include):
    """Argument and result types of every exported function, from its declaration."""
    functions = cheaders.exported_functions(include)
    for f in functions:
        function = getattr(library, f.name)  # AttributeError names what is missing
        result = re.match(r"NSDYN_API (.*?)\b" + f.name, f.text).group(1)
        function.restype = ctype(result)
        function.argtypes = [ctype(re.sub(r"\b" + p.name + r"$", "", p.type.strip())) if "(" not in p.type
                             else c.c_void_p for p in f.members]
    return functions


def check_inits(library, include):
    """Every init function fills every size it must, and refuses the others."""
    for s in cheaders.made_by_callers(include):
        init, struct = library[s.name + "_init"], STRUCTS[s.name]
        init.restype = c.c_int32
        init.argtypes = [c.c_void_p, c.c_size_t]
        made = struct()
        check(init(c.byref(made), c.sizeof(made)) == 0 and made.size == c.sizeof(made), f"{s.name}_init fills it")
        check(init(c.byref(made), 0) == -4 and init(None, c.sizeof(made)) == -2, f"{s.name}_init refuses others")


def check_context(library):
    """A context whose callbacks are Python's."""
    def_type = STRUCTS["nsdyn_context_def"]
    fields = dict(def_type._fields_)
    arena = c.create_string_buffer(8192)
    aligned = (c.addressof(arena) + 127) // 64 * 64
    events = []

    def allocate(user, size, alignment):
        events.append(("allocate", size, alignment))
        return aligned + shift

    table = def_type()
    library.nsdyn_context_def_init(c.byref(table), c.sizeof(table))
    table.user = 4711
    table.allocate = fields["allocate"](allocate)
    table.release = fields["release"](lambda user, memory, size: events.append(("release", user, size)))
    table.log = fields["log"](lambda user, level, line: events.append(("log", level, line)))
    table.destroy_user = fields["destroy_user"](lambda user: events.append(("destroy", user)))
    out = c.c_void_p()

    shift = 0
    check(library.nsdyn_context_new(c.byref(table), c.byref(out), None) == 0 and out.value == aligned,
          "a context lives in Python's memory")
    library.nsdyn_context_free(out)
    check([e[0] for e in events] == ["allocate", "release", "destroy"] and events[-1] == ("destroy", 4711),
          "it gives its memory back, then lets go of the user")

    events.clear()
    shift = 8
    check(library.nsdyn_context_new(c.byref(table), c.byref(out), None) == -1 and out.value is None,
          "memory that is not aligned is refused")
    logged = [e for e in events if e[0] == "log"]
    check(len(logged) == 1 and logged[0][1] == 1 and b"aligned" in logged[0][2], "and Python reads why in its log")


def main():
    root, path = Path(sys.argv[1]), sys.argv[2]
    include = root / "include/nsdyn"
    library = c.CDLL(path)
    wanted = make_structs(root / "tests/abi/layout.txt")
    for name, (size, fields) in wanted.items():
        struct = STRUCTS[name]
        same = all(getattr(struct, field).offset == offset for field, _, offset in fields)
        check(c.sizeof(struct) == size and same, f"{name} lies as the table says")
    functions = bind(library, include)
    check(len(functions) > 0, f"{len(functions)} functions are there")
    declared = re.search(r'NSDYN_VERSION_STRING "(.*)"', (include / "version.h").read_text()).group(1)
    check(library.nsdyn_version_string().decode() == declared, "the library is of the headers' release")
    for enum in cheaders.declarations(include, "enum"):
        if enum.name == "nsdyn_status_code":
            good = all(library.nsdyn_status_name(int(m.value)).decode() == m.name for m in enum.members)
            check(good, "every status has its name")
    check_inits(library, include)
    check_context(library)
    print(f"1..{count}")
    return failed > 0


sys.exit(main())
