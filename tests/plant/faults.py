# nsdyn: dynamics of mechanical systems with contact, friction and impact
# SPDX-License-Identifier: GPL-3.0-or-later
"""The faults that plant.py plants, and the gates that must notice them.

A gate is a shell command that succeeds on the clean tree; it runs in a copy of it, with $BUILD a folder
for builds. A fault is one small edit, or what belongs to one.
"""

from dataclasses import dataclass

from plant import Append, Create, Fault, Replace


@dataclass
class Gate:
    command: str
    builds: tuple = ("test",)


LIBRARY = "lib/libnsdyn.so.0.0.0"
SETUP = 'meson setup "$BUILD/{0}" . -Dexamples=disabled {1}'  # each gate builds what it looks at
SANITIZER = "-Dassertions=true -Db_lundef=false -Db_sanitize={0}"
BUILDS = {
    "test": SETUP.format("test", "-Dassertions=true"),
    "release": SETUP.format("release", '-Dbuildtype=plain -Doptimization=2 --prefix "$BUILD/install/prefix" --libdir lib'),
    "asan": SETUP.format("asan", SANITIZER.format("address,undefined") + " -Dc_args=-fno-sanitize-recover=all"),
    "tsan": SETUP.format("tsan", SANITIZER.format("thread")),
    "tidy": 'CC=clang meson setup "$BUILD/tidy" . -Dassertions=true && ninja -C "$BUILD/tidy" tests/unit/enumerators.h',
}


def meson_test(*names, build="test"):
    """A test that needs nothing built, which meson would take for all, has --no-rebuild among its names."""
    log = f'"$BUILD/{build}/meson-logs/testlog.txt"'
    return f'meson test -C "$BUILD/{build}" {" ".join(names)} || {{ cat {log}; exit 1; }}'


def program(path, build="test", under=""):
    """A test program by itself: nothing else is built, and its output is whole."""
    return Gate(f'ninja -C "$BUILD/{build}" {path}\n{under} "$BUILD/{build}/{path}"', (build,))


def reader(name, target):
    """A script that reads something built."""
    more = " 0" if name.endswith("names.py") else ""
    return Gate(f'ninja -C "$BUILD/release" {target}\npython3 tests/{name} . "$BUILD/release/{target}"{more}',
                ("release",))


def script(name, arguments=""):
    """What a meson test runs that needs nothing built; spares building what it does not look at."""
    return Gate(f"python3 tests/{name} . {arguments}", ())


GATES = {
    # structure and ABI
    "layers": script("layers/layers.py"),
    "comments": script("layers/comments.py"),
    "headers": script("abi/headers.py"),
    "names": reader("abi/names.py", LIBRARY),
    "objects": reader("abi/objects.py", "tests/abi/libnsdyn_release.a"),
    "layout": script("abi/layout.py", "cc"),
    "abidiff": reader("abi/report.py", LIBRARY),
    "cpp": program("tests/bindings/smoke_cpp"),
    "ctypes": reader("bindings/smoke.py", LIBRARY),
    # memory
    "alloc": program("tests/alloc/test_alloc"),
    "alloc_coverage": Gate(meson_test("alloc_coverage", build="release"), ("release",)),
    "asan": program("tests/unit/test_base_arena", "asan"),
    "asan_sized": program("tests/unit/test_base_sized", "asan"),
    "ubsan": program("tests/unit/test_base_fault", "asan"),
    "tsan": program("tests/unit/test_base_context", "tsan"),
    "valgrind": program("tests/unit/test_base_fault", under="valgrind --quiet --error-exitcode=9"),
    # the same bits
    "determinism": Gate("export NSDYN_GOLDEN_BUILDS=gcc-O2\n" + meson_test("--no-rebuild", "determinism")),
    "reproducible": Gate('tests/install/check.sh "$BUILD/install" reproducible', ()),
    # what a user gets
    "installed": Gate('for c in staged metadata shared; do tests/install/check.sh "$BUILD/install" $c; done',
                      ("release",)),
    "texts": Gate(meson_test("--no-rebuild", "texts")),
    "samples": Gate(meson_test("sample_status", "sample_version")),
    # habits
    "format": Gate("find lib include tests examples -name '*.[ch]' -o -name '*.cpp' | xargs clang-format "
                   "--dry-run -Werror", ()),
    "tidy": Gate('clang-tidy -p "$BUILD/tidy" --quiet lib/base/version.c', ("tidy",)),
    "python": Gate("find . -name '*.py' | xargs pyflakes3", ()),
    "scripts": Gate("shellcheck dev tests/install/check.sh", ()),
    "summary": Gate('meson test -C "$BUILD/test" base/version || true\n'
                    'python3 tests/summary.py "$BUILD"/test/meson-logs/testlog.json'),
    # unit tests that stand for many
    "unit_arena": program("tests/unit/test_base_arena"),
    "unit_context": program("tests/unit/test_base_context"),
    "unit_judge": program("tests/unit/test_lcp_enumerate_branch_proof"),
    "unit_sized": program("tests/unit/test_base_sized"),
    "unit_status": program("tests/unit/test_base_status"),
    "unit_version": program("tests/unit/test_base_version"),
}

BASE_H, CONTEXT_C, VERSION_C = "include/nsdyn/base.h", "lib/base/context.c", "lib/base/version.c"


def exported(name, body, comment="/** @brief Planted. */\n", declared=True, mapped=True):
    """The edits that export one more function, `int name(void)`."""
    edits = [Append(VERSION_C, f"\nNSDYN_API int {name}(void);\nint {name}(void)\n{{\n  {body}\n}}\n")]
    if declared:
        # Behind the last declaration, so that no other comment comes to stand before it.
        edits.append(Replace(BASE_H, "nsdyn_context_free(nsdyn_context *ctx);",
                             "nsdyn_context_free(nsdyn_context *ctx);\n\n"
                             f"{comment}NSDYN_API int {name}(void);"))
    if mapped:
        edits.append(Replace("lib/nsdyn.map", "  nsdyn_version;\n", f"  {name};\n  nsdyn_version;\n"))
    return edits


def in_context_c(line):
    """A line at the begin of nsd_log()."""
    head = "void nsd_log(const nsdyn_context *ctx, int32_t level, const char *line)\n{\n"
    return Replace(CONTEXT_C, head, head + "  " + line + "\n")


LAYERS = [
    Fault("include of an upper layer", "layers", r"context\.c:\d+: .*reaches up",
          [Replace(CONTEXT_C, '#include "base/sized.h"', '#include "base/sized.h"\n#include "nsdyn/setvalued.h"')]),
    Fault("include of a sibling", "layers", r"report\.c:\d+: \"stepper/object\.h\" is of a sibling",
          [Replace("lib/event/report.c", '#include "event/internal.h"', '#include "event/internal.h"\n#include "stepper/object.h"')]),
    Fault("include of a layer's inside", "layers", r"poisson\.c:\d+: \"contact/object\.h\" is the inside of contact",
          [Replace("lib/stepper/scheme/poisson_law.c", '#include "contact/door.h"', '#include "contact/object.h"')]),
    Fault("header that hands on a layer's inside", "layers", r"solver\.h:\d+: a header hands on \"contact/object\.h\"",
          [Replace("lib/contact/door.h", '#include "contact/problem.h"', '#include "contact/object.h"\n#include "contact/problem.h"')]),
    Fault("public header of a sibling", "layers", r"event\.h:\d+: \"stepper\.h\" is of a sibling",
          [Replace("include/nsdyn/event.h", '#include "system.h"', '#include "stepper.h"')]),
    Fault("GSL in a low layer", "layers", r"version\.c:\d+: <gsl/gsl_math\.h>: GSL is for lib/study",
          [Append(VERSION_C, "#include <gsl/gsl_math.h>\n")]),
    Fault("header of one system", "layers", r"<unistd\.h> is not a header of standard C",
          [Append(VERSION_C, "#include <unistd.h>\n")]),
    Fault("public header needs a private one", "layers", r'"base/fault\.h" is no public header',
          [Replace(BASE_H, '#include "export.h"', '#include "export.h"\n#include "base/failure.h"')]),
    Fault("long source without a word in its bodies", "comments", r"planted\.c: 120 lines in bodies, and no comment",
          [Create("lib/base/planted.c", "static int f(int x)\n{\n" + "  x++;\n" * 119 + "  return x;\n}\n")]),
    Fault("source without a test", "layers", r"lib/base/planted\.c: has no unit test",
          [Create("lib/base/planted.c", "int nsd_planted(void);\n"),
           Replace("lib/base/meson.build", "  'sized.c',", "  'planted.c',\n  'sized.c',")]),
    Fault("test without a source", "layers", r"tests/unit/base/test_planted\.c: tests no source",
          [Create("tests/unit/base/test_planted.c", "int planted;\n"),
           Replace("tests/unit/meson.build", "  'base/sized',", "  'base/planted',\n  'base/sized',")]),
    Fault("source that is not built", "layers", r"lib/base/meson\.build: 'planted\.c' is missing",
          [Create("lib/base/planted.c", "int nsd_planted(void);\n")]),
    Fault("test that is not run", "layers", r"tests/unit/meson\.build: 'base/sized' is missing",
          [Replace("tests/unit/meson.build", "  'base/sized',\n", "")]),
    Fault("tolerance of a file's own", "layers", r"murty\.c:\d+: CLOSE 1e-12 is a tolerance",
          [Append("lib/lcp/solve/murty.c", "#define CLOSE 1e-12\n")]),
    Fault("tolerance without a name", "layers", r"first_guess\.c:\d+: the bare number 1e-9 is a tolerance",
          [Append("lib/lcp/solve/first_basis.c", "int nsd_planted(double x)\n{\n  return x > 1e-9;\n}\n")]),
]

HEADERS = [
    Fault("header that needs another first", "headers", r"base\.h: does not compile alone",
          [Replace(BASE_H, "#include <stdint.h>\n", "")]),
    Fault("header that is no C++", "headers", r"base\.h: does not compile alone as c\+\+11",
          [Replace(BASE_H, "nsdyn_detail_init(nsdyn_detail *detail, size_t size)",
                   "nsdyn_detail_init(nsdyn_detail *new, size_t size)")]),
    Fault("header that is no C99", "headers", r"does not compile alone as c99",
          [Replace(BASE_H, "typedef int32_t nsdyn_status;", "typedef int32_t nsdyn_status;\n/** @brief Planted. */\n"
                   "static inline int nsdyn_planted(void)\n{\n  return _Generic(1, int : 1, default : 0);\n}")]),
    Fault("undocumented function", "headers", r"nsdyn_planted has no comment with @brief",
          exported("nsdyn_planted", "return 1;", comment="")),
    Fault("comment about another parameter", "headers", r"speaks of a parameter 'detail' that it does not have",
          [Replace(BASE_H, "nsdyn_detail_init(nsdyn_detail *detail, size_t size)",
                   "nsdyn_detail_init(nsdyn_detail *thing, size_t size)")]),
    Fault("undocumented enumerator", "headers", r"NSDYN_NO_SOLUTION has no comment",
          [Replace(BASE_H, "/**< There is no solution, and this is proved. */", "")]),
]

NAMES = [
    Fault("declared, not exported", "names", r"nsdyn_planted is declared, but not exported",
          exported("nsdyn_planted", "return 1;", mapped=False)),
    Fault("exported, not declared", "names", r"nsdyn_planted is in no public header",
          exported("nsdyn_planted", "return 1;", declared=False)),
    Fault("declared, not defined", "names", r"nsdyn_planted is declared and mapped, but the library does not define",
          exported("nsdyn_planted", "return 1;")[1:]),
    Fault("foreign name", "names", r"planted_thing must begin with nsdyn_", exported("planted_thing", "return 1;")),
    Fault("forgotten NSDYN_API", "names", r"mark nsdyn_context_free with NSDYN_API",
          [Replace(BASE_H, "NSDYN_API void nsdyn_context_free", "void nsdyn_context_free")]),
    Fault("map of another soversion", "names", r"its node is NSDYN_1.1, but the soversion is 0",
          [Replace("lib/nsdyn.map", "NSDYN_0.1 {", "NSDYN_1.1 {")]),
    Fault("map of a later release", "names", r"the node NSDYN_0.9 is of a later release",
          [Replace("lib/nsdyn.map", "NSDYN_0.1 {", "NSDYN_0.9 {")]),
]

OBJECTS = [
    Fault("static counter", "objects", r"version\.c: \d+ bytes of writable static data",
          [Append(VERSION_C, "int nsd_count(void);\nint nsd_count(void)\n{\n  static int n;\n  return n++;\n}\n")]),
    Fault("thread-local counter", "objects", r"bytes of writable static data in \.tbss",
          [Append(VERSION_C, "int nsd_count(void);\nint nsd_count(void)\n{\n  static _Thread_local int n;\n"
                  "  return n++;\n}\n")]),
    Fault("printf", "objects", r"imports (puts|printf|putchar): the library never prints",
          [Replace(CONTEXT_C, "#include <stdlib.h>", "#include <stdio.h>\n#include <stdlib.h>"),
           in_context_c('printf("%s\\n", line);')]),
    Fault("exit", "objects", r"imports exit: the library never ends", [in_context_c("if (!line) exit(1);")]),
    Fault("environment variable", "objects", r"imports getenv",
          [in_context_c('if (getenv("NSDYN_QUIET")) return;')]),
    Fault("random state of the process", "objects", r"imports rand:", [in_context_c("level += rand();")]),
    Fault("memory besides the context's", "objects", r"imports malloc: it allocates outside",
          [Append(VERSION_C, "#include <stdlib.h>\nvoid *nsd_block(int n);\nvoid *nsd_block(int n)\n{\n"
                  "  return malloc((unsigned)n);\n}\n")]),
    Fault("global name without prefix", "objects", r"helper is visible to every program",
          [Append(VERSION_C, "int helper(void);\nint helper(void)\n{\n  return 1;\n}\n")]),
]

LAYOUT = [
    Fault("field in the middle", "layout", r"the table has '8 4 int32_t kind' where the header has '8 8 int64_t planted'",
          [Replace(BASE_H, "  int32_t kind;", "  int64_t planted; /**< Planted. */\n  int32_t kind;")]),
    Fault("field that leaves a gap", "layout", r"nsdyn_detail\.key: 4 bytes of padding before it",
          [Replace(BASE_H, "  int32_t kind;", "  int32_t planted; /**< Planted. */\n  int32_t kind;")]),
    Fault("field of a type that varies", "layout", r"nsdyn_detail\.key: long is not the same everywhere",
          [Replace(BASE_H, "  int64_t key;", "  long key;")]),
    Fault("number of a status changed", "layout", r"'NSDYN_UNDECIDED 17' where the header has 'NSDYN_UNDECIDED 19'",
          [Replace(BASE_H, "NSDYN_UNDECIDED = 17,", "NSDYN_UNDECIDED = 19,")]),
    Fault("enumerator without a number", "layout", r"give NSDYN_LOG_DEBUG its number",
          [Replace(BASE_H, "NSDYN_LOG_DEBUG = 4", "NSDYN_LOG_DEBUG")]),
    Fault("released field moved", "layout", r"released row '8 4 int32_t kind' is now",
          [Replace("tests/abi/layout.txt", "  8 4 int32_t kind new", "  8 4 int32_t kind"),
           Replace(BASE_H, "  int32_t kind;", "  int64_t planted; /**< Planted. */\n  int32_t kind;")]),
    Fault("released number gone", "layout", r"NSDYN_GONE was released as 'NSDYN_GONE 3'",
          [Replace("tests/abi/layout.txt", "  NSDYN_OK 0 new", "  NSDYN_OK 0 new\n  NSDYN_GONE 3")]),
    Fault("least size of another release", "layout", r"NSD_DETAIL_LEAST is 16, but nsdyn_detail has 24 bytes",
          [Replace("lib/base/sized.h", "NSD_SIZE_THROUGH(nsdyn_detail, key)", "NSD_SIZE_THROUGH(nsdyn_detail, index)")]),
    Fault("struct without an init function", "layout", r"nsdyn_planted: begins with its size, so export",
          [Replace(BASE_H, "/** @brief How much a log line matters. */",
                   "/** @brief Planted. */\ntypedef struct nsdyn_planted {\n  size_t size; /**< Size. */\n} nsdyn_planted;\n\n"
                   "/** @brief How much a log line matters. */")]),
    Fault("incompatible change after 1.0", "abidiff", r"not compatible; gating",
          [Replace("include/nsdyn/version.h", "#define NSDYN_VERSION_MAJOR 0", "#define NSDYN_VERSION_MAJOR 1"),
           Replace("lib/nsdyn.map", "  nsdyn_status_text;\n", "")]),
]

BINDINGS = [
    Fault("log callback not called (C++)", "cpp", r"not ok \d+ - with a line in the log",
          [Replace(CONTEXT_C, "    def->log(def->user, level, line);", "    (void)line;")]),
    Fault("log callback not called (Python)", "ctypes", r"not ok \d+ - and Python reads why",
          [Replace(CONTEXT_C, "    def->log(def->user, level, line);", "    (void)line;")]),
    Fault("init that forgets its size", "ctypes", r"not ok \d+ - nsdyn_detail_init fills it",
          [Replace("lib/base/sized.c", "  memcpy(given, &size, sizeof size);\n", "")]),
]

MAKES = "  ctx->def = def;\n"
MEMORY = [
    Fault("leak on the way out", "alloc", r"make lost 1 blocks when it failed",
          [Replace(CONTEXT_C, MAKES, "  void *more = allocate_by(&def, 8);\n  if (!more) {\n    return NSDYN_ERR_NOMEM;\n"
                   "  }\n  release_by(&def, more, 8);\n" + MAKES)]),
    Fault("exhausted memory overlooked", "alloc", r"make gave NSDYN_OK instead of NSDYN_ERR_NOMEM",
          [Replace(CONTEXT_C, "  if (!ctx) {\n    return nsd_fault_set(", "  if (!ctx) {\n    return 0 * nsd_fault_set(")]),
    Fault("given back with another size", "alloc", r"memory came back twice or with another size",
          [Replace(CONTEXT_C, "  release_by(&def, ctx, sizeof *ctx);", "  release_by(&def, ctx, 1);")]),
    Fault("new object without a scenario", "alloc_coverage", r"nsdyn_planted_new: may allocate, but no scenario",
          exported("nsdyn_planted_new", "return 1;")),
    Fault("call that allocates by the way", "alloc_coverage", r"nsdyn_planted: may allocate, but no scenario",
          [Replace(VERSION_C, '#include "nsdyn/version.h"', '#include "base/arena.h"\n#include "nsdyn/version.h"')]
          + exported("nsdyn_planted", "nsd_arena a = nsd_arena_empty(NULL), m = nsd_arena_measure();\n"
                     "  nsd_arena_take(&m, 1, 8);\n  return nsd_arena_reserve(&a, &m);")),
    Fault("arena that grows each time", "unit_arena", r"not ok .*a_known_size_allocates_nothing",
          [Replace("lib/base/arena.c", "measure->used > arena->capacity", "measure->used > 0")]),
    Fault("array behind the block", "asan", r"AddressSanitizer: heap-buffer-overflow",
          [Replace("lib/base/arena.c", "return arena->block + start;",
                   "return arena->block + start + NSD_ALIGNMENT;")]),
    Fault("read behind the caller's struct", "asan_sized", r"AddressSanitizer: (heap|stack)-buffer-overflow",
          [Replace("lib/base/sized.c", "smaller(size, own_size) - head", "own_size - head")]),
    Fault("undefined behaviour", "ubsan", r"runtime error: .*overflow",
          [Replace("lib/base/failure.c", "index > INT32_MAX ? INT32_MAX", "index * INT64_MAX > INT32_MAX ? INT32_MAX")]),
    Fault("count that is not atomic", "tsan", r"ThreadSanitizer: data race",
          [Replace(CONTEXT_C, "  atomic_size_t holders;", "  size_t holders;"),
           Replace(CONTEXT_C, "atomic_init(&ctx->holders, 1)", "ctx->holders = 1"),
           Replace(CONTEXT_C, "atomic_fetch_add_explicit(&ctx->holders, 1, memory_order_relaxed)", "ctx->holders++"),
           Replace(CONTEXT_C, "atomic_fetch_sub_explicit(&ctx->holders, 1, memory_order_acq_rel) != 1",
                   "--ctx->holders != 0")]),
    Fault("read of nothing written", "valgrind", r"depends on uninitialised value",
          [Replace("lib/base/failure.c", "  const int length = vsnprintf(",
                   "  volatile int noise[2];\n  fault->status += noise[1] == 7;\n  const int length = vsnprintf(")]),
]

BITS = [
    Fault("fused multiply-add", "determinism", r"not ok \d+ - gcc-O2: ",
          [Replace("lib/base/norm.c", "  return nsd_lanes_dot(n, x, y);",
                   "  double sum = 0.0;\n  for (int i = 0; i < n; i++) {\n    sum = __builtin_fma(x[i], y[i], sum);\n  }\n"
                   "  return sum;")]),
    Fault("reassociated sums", "determinism", r"not ok \d+ - gcc-O2: ",
          [Replace("lib/base/norm.c", "double nsd_dot(int n, const double *x, const double *y)\n{\n"
                   "  return nsd_lanes_dot(n, x, y);",
                   "#if defined(__OPTIMIZE__) && !defined(__clang__)\n__attribute__((optimize(\"fast-math\", \"O3\")))\n"
                   "#endif\ndouble nsd_dot(int n, const double *x, const double *y)\n{\n  double sum = 0.0;\n"
                   "  for (int i = 0; i < n; i++) {\n    sum += x[i] * y[i];\n  }\n  return sum;")]),
    Fault("folder in the debug information", "reproducible", r"differ",
          [Replace("meson.build", "  '-ffile-prefix-map=", "  #'-ffile-prefix-map="),
           Replace("meson.build", "\n  '-ffile-prefix-map=", "\n  #'-ffile-prefix-map="),
           Replace("meson.build", "\n  '-ffile-prefix-map=", "\n  #'-ffile-prefix-map=")]),
]

USERS = [
    Fault("header that is not installed", "installed", r"No such file|cmp: ",
          [Replace("include/nsdyn/meson.build", "  'version.h',\n", "")]),
    Fault("pkg-config of another release", "installed", r"pkg-config says release",
          [Replace("nsdyn.pc.in", "Version: @version@", "Version: 9.9.9")]),
    Fault("library that drags GSL in", "installed", r"a user of nsdyn is linked with GSL|gsl",
          [Replace("nsdyn.pc.in", "Libs: -L${libdir} -lnsdyn", "Libs: -L${libdir} -lnsdyn -Wl,--no-as-needed -lgsl")]),
    Fault("version.h of another release", "unit_version", r"not ok .*text_and_numbers_agree",
          [Replace("include/nsdyn/version.h", '#define NSDYN_VERSION_STRING "0.', '#define NSDYN_VERSION_STRING "9.')]),
    Fault("example nobody compiles", "texts", r"README\.md:\d+: this example is not a file",
          [Append("README.md", "\n```c\nint planted;\n```\n")]),
    Fault("link to nothing", "texts", r"planted\.md is not there", [Append("README.md", "\n[more](planted.md)\n")]),
    Fault("sample with another output", "samples", r"sample_status +FAIL",
          [Replace("lib/base/status.c", '"an argument or option is outside', '"an argument is outside')]),
]

HABITS = [
    Fault("line that is not formatted", "format", r"version\.c:.*clang-format",
          [Append(VERSION_C, "int  nsd_planted( void );\n")]),
    Fault("analyser's finding", "tidy", r"version\.c:\d+.*(null|Null)",
          [Append(VERSION_C, "int nsd_planted(void);\nint nsd_planted(void)\n{\n  const int *p = 0;\n  return *p;\n}\n")]),
    Fault("unused import in a script", "python", r"'os' imported but unused",
          [Create("tests/planted.py", "import os\n")]),
    Fault("unquoted name in a script", "scripts", r"SC2086", [Append("dev", "\nrm $1\n")]),
    Fault("test that always fails", "summary", r"\d+ passed, 1 failed, 0 skipped",
          [Replace("tests/unit/base/test_version.c", "  int minor = -1;\n", "  int minor = -1;\n  ck_abort_msg(\"planted\");\n")]),
]

UNITS = [
    Fault("status without a name", "unit_status", r"not ok .*every_status_of_the_header_has_its_name",
          [Replace(BASE_H, "NSDYN_ERR_SYNTAX = -12,", "NSDYN_ERR_PLANTED = -99,\n  NSDYN_ERR_SYNTAX = -12,")]),
    Fault("user destroyed before the memory", "unit_context", r"not ok .*the_last_holder_destroys_once_and_last",
          [Replace(CONTEXT_C, "  release_by(&def, ctx, sizeof *ctx);\n", "  if (def.destroy_user) {\n"
                   "    def.destroy_user(def.user);\n  }\n  release_by(&def, ctx, sizeof *ctx);\n  return;\n")]),
    Fault("no solution, proved to rounding", "unit_judge", r"not ok .*a solution is denied",
          [Replace("lib/lcp/enumerate/enumerate.c", "is_empty(run) && (is_plain ? !cells->exact : !cells->doubtful)", "0")]),
    Fault("branch closed for its tableau's sake", "unit_judge", r"not ok .*a_solution_is_never_lost",
          [Replace("lib/lcp/proof/farkas.c", "constant + sum + spread + rounding(2 * p->n + 1, constant_size + size) < 0.0",
                   "constant + sum < 1e-9 * constant_size")]),
    Fault("unknown field overlooked", "unit_sized", r"not ok .*read_refuses_what_it_is_too_old_to_know",
          [Replace("lib/base/sized.c", "for (size_t i = own_size; i < size; i++)",
                   "for (size_t i = own_size; i + 1 < size; i++)")]),
]

FAULTS = LAYERS + HEADERS + NAMES + OBJECTS + LAYOUT + BINDINGS + MEMORY + BITS + USERS + HABITS + UNITS
