# nsdyn: dynamics of mechanical systems with contact, friction and impact
# SPDX-License-Identifier: GPL-3.0-or-later
"""The layering gate: layers.py SOURCE_ROOT

Reads every #include of lib/ and include/nsdyn. A folder of lib/ uses only itself and the folders above
it in lib/meson.build, but no sibling, and no header that is the inside of its layer. Public headers include only
public headers; GSL is for lib/study and nsdyn/gsl.h. And nothing is forgotten: each source is built, each has its
unit test and each unit test its source, each header is installed and stands in nsdyn.h. Numbers so small that they can
only be tolerances stand in base/tolerances.h, and each of those is used.
"""

import re
import sys
from pathlib import Path

# Headers whose layer is not the one of their name.
HOME = {"version": "base", "export": "base", "rotation": "base", "solid": "geometry"}
PRIVATE = {"contact/object.h": "enter by contact/door.h"}  # the inside of a layer, and the door to it
SIBLINGS = [{"stepper", "event", "geometry"}, {"stepper", "event", "multibody"},
            {"stepper", "event", "world"}]  # none of a set knows another; what they share is in a layer below
UMBRELLA = "nsdyn"  # users include it, the library never does
ADAPTER = "gsl"  # inline code for those who use GSL

C_HEADERS = set("""complex ctype errno fenv float inttypes iso646 limits locale math setjmp signal stdalign
stdarg stdatomic stdbool stddef stdint stdio stdlib stdnoreturn string tgmath threads time uchar wchar
wctype""".split())

TOLERANCES = "base/tolerances.h"  # each tolerance once, with its reason
# Larger ones may be shares of a step that only choose how work is done. Bare powers of two inside functions may be units.
LEAST_MACRO, LEAST_LITERAL = 1e-5, 5e-7
MACRO = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)(?:\([^)]*\))?[ \t]+((?:.*\\\n)*.*)$", re.M)
SMALL = re.compile(r"(?<![\w.])(?:(\d+\.?\d*e-\d+)|(0x[0-9a-f.]+p-\d+)|(DBL_EPSILON|DBL_MIN))(?!\w)")
OPTION = re.compile(r"\.\w+ = $")  # a default in the struct of options, which its manual gives
SILENT = re.compile(r'/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.S)

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(["<])([^">]+)[">]', re.M)


class Gate:
    def __init__(self, root):
        self.root = Path(root)
        self.lib = self.root / "lib"
        self.public = self.root / "include" / "nsdyn"
        self.faults = []
        self.layers = re.findall(r"^subdir\('(\w+)'\)", (self.lib / "meson.build").read_text(), re.M)
        self.rank = {layer: i for i, layer in enumerate(self.layers)}

    def fault(self, place, text):
        self.faults.append(f"{place}: {text}")

    def includes(self, path):
        """Line, whether in quotes, and name of each include."""
        text = path.read_text(encoding="utf-8")
        for m in INCLUDE.finditer(text):
            yield f"{path.relative_to(self.root)}:{text.count(chr(10), 0, m.start()) + 1}", m.group(1) == '"', m.group(2)

    def layer_of_header(self, stem):
        return HOME.get(stem, stem)

    def check_system(self, place, name, gsl_allowed):
        if name.startswith("gsl/"):
            if not gsl_allowed:
                self.fault(place, f"<{name}>: GSL is for lib/study and nsdyn/gsl.h only; "
                                  "use lib/base/dense.h or move the code to lib/study")
        elif not (name.endswith(".h") and name[:-2] in C_HEADERS):
            self.fault(place, f"<{name}> is not a header of standard C: the library uses nothing of one system")

    def check_upwards(self, place, name, layer, target):
        if target not in self.rank:
            self.fault(place, f'"{name}" belongs to no layer; the layers are the subdir() lines of lib/meson.build')
        elif self.rank[target] > self.rank[layer]:
            self.fault(place, f'"{name}" reaches up: {layer} may use only {", ".join(self.layers[:self.rank[layer] + 1])}; '
                              "hand what you need down as an argument")
        elif target != layer and any({target, layer} <= siblings for siblings in SIBLINGS):
            self.fault(place, f'"{name}" is of a sibling: {layer} and {target} do not know each other; '
                              "what both need belongs into a layer below them")

    def check_library(self):
        folders = sorted(p.name for p in self.lib.iterdir() if p.is_dir())
        for folder in folders:
            if folder not in self.rank:
                self.fault(f"lib/{folder}", f"is no layer yet: put subdir('{folder}') into lib/meson.build, in its place")
        for layer in self.layers:
            for path in sorted((self.lib / layer).rglob("*.[ch]")):
                for place, quoted, name in self.includes(path):
                    folder, _, rest = name.partition("/")
                    if not quoted:
                        self.check_system(place, name, gsl_allowed=layer == "study")
                    elif not rest:
                        self.fault(place, f'write "{layer}/{name}": an include names its layer')
                    elif folder == "nsdyn":
                        stem = rest.removesuffix(".h")
                        if stem == UMBRELLA:
                            self.fault(place, '"nsdyn/nsdyn.h" is for users; include the headers you need')
                        elif stem == ADAPTER:
                            if layer != "study":
                                self.fault(place, '"nsdyn/gsl.h": GSL is for lib/study only')
                        else:
                            self.check_upwards(place, name, layer, self.layer_of_header(stem))
                    else:
                        if not (self.lib / name).is_file():
                            self.fault(place, f'"{name}" is no file of lib/')
                        self.check_upwards(place, name, layer, folder)
                        if name in PRIVATE and folder != layer:
                            self.fault(place, f'"{name}" is the inside of {folder}: {PRIVATE[name]}')
                        elif name in PRIVATE and path.suffix == ".h":
                            self.fault(place, f'a header hands on "{name}", the inside of {folder}')

    def check_public(self):
        umbrella = set()
        for path in sorted(self.public.glob("*.h")):
            stem = path.stem
            for place, quoted, name in self.includes(path):
                if not quoted:
                    self.check_system(place, name, gsl_allowed=stem == ADAPTER)
                    continue
                target = name.removesuffix(".h")
                if "/" in name or not (self.public / name).is_file():
                    self.fault(place, f'"{name}" is no public header: a user does not have it')
                elif stem == UMBRELLA:
                    umbrella.add(target)
                elif target in (UMBRELLA, ADAPTER):
                    self.fault(place, f'"{name}" may not stand in another public header')
                elif stem != ADAPTER:
                    self.check_upwards(place, name, self.layer_of_header(stem), self.layer_of_header(target))
            if stem not in (UMBRELLA, ADAPTER) and self.layer_of_header(stem) not in self.rank:
                self.fault(f"include/nsdyn/{path.name}", f"there is no lib/{stem}: a public header has its layer's name")
        wanted = {p.stem for p in self.public.glob("*.h")} - {UMBRELLA, ADAPTER, "export"}
        for stem in sorted(wanted - umbrella):
            self.fault("include/nsdyn/nsdyn.h", f'must include "{stem}.h"')
        self.check_list("include/nsdyn/meson.build", "public_headers = files(", {p.name for p in self.public.glob("*.h")})

    def check_list(self, place, opening, wanted):
        """A list of names in a meson.build: complete, nothing else, sorted."""
        text = (self.root / place).read_text(encoding="utf-8")
        if opening not in text:
            self.fault(place, f"has no list that begins with {opening!r}")
            return
        names = re.findall(r"'([^']+)'", text.split(opening, 1)[1].split(")" if "(" in opening else "]", 1)[0])
        for name in sorted(wanted - set(names)):
            self.fault(place, f"'{name}' is missing")
        for name in sorted(set(names) - wanted):
            self.fault(place, f"'{name}' is listed, but there is no such file")
        if names != sorted(set(names)):
            self.fault(place, "keep the list sorted, each entry once")

    def check_tests(self):
        """tests/unit has the tree of lib/: lib/lcp/solve/lemke.c is tested by tests/unit/lcp/solve/test_lemke.c, and
        each test there has such a source; support has one for each of tests/support and tests/bench that has."""
        unit = self.root / "tests" / "unit"
        for layer in self.layers:
            found = {str(p.relative_to(self.lib / layer)) for p in (self.lib / layer).rglob("*.c")}
            self.check_list(f"lib/{layer}/meson.build", "sources += files(", found)
            for name in sorted(found):
                test = (unit / layer / name).with_name("test_" + Path(name).name)
                if not test.is_file():
                    self.fault(f"lib/{layer}/{name}", f"has no unit test: write {test.relative_to(self.root)}")
        for test in sorted(unit.rglob("test_*.c")):
            source = str(test.with_name(test.name.removeprefix("test_")).relative_to(unit))
            folder, _, name = source.partition("/")
            places = {"public": [], "support": [f"tests/support/{name}", f"tests/bench/{name}"]}.get(folder, [f"lib/{source}"])
            if places and not any((self.root / place).with_suffix(end).is_file() for place in places for end in (".c", ".h")):
                self.fault(test.relative_to(self.root), f"tests no source: there is no {' or '.join(places)}")
        tests = {str(p.with_name(p.stem.removeprefix("test_")).relative_to(unit)) for p in unit.rglob("test_*.c")}
        self.check_list("tests/unit/meson.build", "unit_tests = [", tests)


    def check_tolerances(self):
        """Bare tolerances in lib/, and names of tolerances.h that nobody uses."""
        home, used = self.lib / TOLERANCES, set()
        for path in sorted(self.lib.rglob("*.[ch]")):
            if path == home:
                continue
            text = SILENT.sub(lambda m: re.sub(r"[^\n]", " ", m.group()), path.read_text(encoding="utf-8"))
            used.update(re.findall(r"\bNSD_\w+", text))
            place = f"{path.relative_to(self.root)}:"
            defined = [(m.start(2), m.end(2), m.group(1)) for m in MACRO.finditer(text)]
            for m in SMALL.finditer(text):
                decimal, power, limit = m.groups()
                value = float(decimal) if decimal else float.fromhex(power) if power else sys.float_info.epsilon
                name = next((n for begin, end, n in defined if begin <= m.start() < end), None)
                is_bare = decimal and value < LEAST_LITERAL and not OPTION.search(text[:m.start()])
                if (name and value < LEAST_MACRO) or (not name and is_bare):
                    self.fault(f"{place}{text.count(chr(10), 0, m.start()) + 1}",
                               f"{name or 'the bare number'} {m.group()} is a tolerance: name it in lib/{TOLERANCES}, "
                               "with what it is a share of and why it is that large")
        for name in re.findall(r"^#define (\w+)[ (]", home.read_text(encoding="utf-8"), re.M):
            if name not in used:
                self.fault(f"lib/{TOLERANCES}", f"{name} is used nowhere")


def main():
    gate = Gate(sys.argv[1])
    gate.check_library()
    gate.check_public()
    gate.check_tests()
    gate.check_tolerances()
    for fault in gate.faults:
        print(fault)
    print(f"layers: {len(gate.faults)} faults in {', '.join(gate.layers)}")
    return 1 if gate.faults or not gate.layers else 0


sys.exit(main())
