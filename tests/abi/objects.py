# nsdyn: dynamics of mechanical systems with contact, friction and impact
# SPDX-License-Identifier: GPL-3.0-or-later
"""The gate of our own objects: objects.py SOURCE_ROOT RELEASE_ARCHIVE

Reads the library's objects as a release has them: no writable static data, no import of anything that
prints, exits, raises, jumps, opens files or keeps hidden state, no name that could meet a host
program's.
"""

import re
import subprocess
import sys
from pathlib import Path

# What an import would break, by exact name; __x_chk is x as fortified builds call it.
PRINTS = """printf fprintf vprintf vfprintf dprintf vdprintf puts putchar putc fputs fputc fwrite perror psignal
putchar_unlocked putc_unlocked fputs_unlocked fwrite_unlocked syslog vsyslog stdout stderr stdin write warn err
errx warnx error""".split()
ENDS = """abort exit _exit _Exit quick_exit __assert_fail __assert_rtn __assert __assert_perror_fail raise kill
pthread_exit thrd_exit terminate""".split()
JUMPS = "longjmp _longjmp siglongjmp setjmp _setjmp __sigsetjmp sigsetjmp signal sigaction feraiseexcept".split()
MODES = """fesetround fesetenv feholdexcept feupdateenv feclearexcept setlocale uselocale newlocale setenv putenv
unsetenv srand srand48 srandom chdir umask atexit at_quick_exit on_exit""".split()
FILES = """fopen fopen64 freopen fdopen tmpfile tmpnam mkstemp open open64 openat creat read pread fread fgets gets
getline fscanf scanf mmap mmap64 unlink remove rename opendir stat socket system popen execve execvp fork dlopen
getenv secure_getenv""".split()
STATES = """rand random drand48 lrand48 mrand48 strtok strerror localtime gmtime asctime ctime time clock
clock_gettime gettimeofday lgamma lgammaf lgammal signgam mblen mbtowc wctomb""".split()
HEAP = "malloc calloc realloc reallocarray strdup strndup asprintf vasprintf qsort qsort_r posix_memalign".split()
FORBIDDEN = {}
for names, reason in ((PRINTS, "the library never prints: use nsd_log() or a fault's message"),
                      (ENDS, "the library never ends the program: return a status"),
                      (JUMPS, "the library never jumps or raises"),
                      (MODES, "the library changes no mode of the process"),
                      (FILES, "the library reads and writes no files and no environment: work on memory"),
                      (STATES, "it keeps hidden state or reads a clock: the same input must give the same bits"),
                      (HEAP, "it allocates outside the context: use nsd_allocate() or an arena")):
    FORBIDDEN.update({name: reason for name in names})

# The rest of what an object may import. Longer than what is used today: all of it keeps the promises.
MATHS = """acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh erf erfc exp exp2 expm1 fabs fdim floor
fmax fmin fmod frexp hypot ilogb ldexp log log10 log1p log2 logb lrint llrint lround llround modf nan nearbyint
nextafter pow remainder rint round scalbn scalbln sin sincos sinh sqrt tan tanh tgamma trunc""".split()
MEMORY = """memchr memcmp memcpy memmove memset strchr strcmp strcpy strcspn strlen strncmp strncpy strpbrk strrchr
strspn strstr bcmp abs labs llabs""".split()
TEXT = "localeconv snprintf vsnprintf strtod strtol strtoll strtoul strtoull".split()
COMPILER = """_GLOBAL_OFFSET_TABLE_ __cpu_model __cpu_indicator_init __stack_chk_fail __tls_get_addr
__gcov_init __popcountdi2""".split()
ALLOWED = set(MATHS + MEMORY + TEXT + COMPILER)
# Single objects that may do what no other may.
ALLOWED_IN = {"base/context.c": {"aligned_alloc", "free"}}
GSL_LAYER = "study/"


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


SOURCES = {}  # "lcp_solve_lemke.c": "lcp/solve/lemke.c"


def source_of(member):
    """.._.._lib_lcp_solve_lemke.c.o is what meson calls the object of lib/lcp/solve/lemke.c."""
    name = Path(member).name.removesuffix(".o")
    return SOURCES.get(name.rpartition("lib_")[2], member)


def member_symbols(archive):
    """(source, symbol, nm's letter) of every symbol in the archive."""
    for line in run("nm", "-A", "--format=posix", archive).splitlines():
        m = re.match(r".*\[(.+?)\]: (\S+) (\S)", line)
        if m:
            yield source_of(m.group(1)), m.group(2), m.group(3)


# "[ 2] .data PROGBITS address offset size entry flags", name, size and flags caught
SECTION = re.compile(r"\s*\[\s*\d+\]\s+(\S+)\s+\S+\s+[0-9a-f]+\s+[0-9a-f]+\s+([0-9a-f]+)\s+[0-9a-f]+\s+(\w+)")


def writable_sections(archive):
    """(source, section, bytes) of every allocated, writable section but .data.rel.ro."""
    source = ""
    for line in run("readelf", "-SW", archive).splitlines():
        m = re.match(r"File: .*[(\[](.+)[)\]]$", line)
        if m:
            source = source_of(m.group(1))
        m = SECTION.match(line)
        if m and "W" in m.group(3) and "A" in m.group(3) and not m.group(1).startswith(".data.rel.ro"):
            size = int(m.group(2), 16)
            if size:
                yield source, m.group(1), size


def plain_name(name):
    fortified = re.match(r"__(\w+)_chk$", name)
    return fortified.group(1) if fortified else name.removeprefix("__isoc99_").removeprefix("__isoc23_")


def check_imports(symbols):
    defined = {name for _, name, kind in symbols if kind not in "Uw"}
    for source, name, kind in symbols:
        if kind not in "Uw" or name in defined:
            continue
        plain = plain_name(name)
        if plain in FORBIDDEN:
            yield f"lib/{source}: imports {name}: {FORBIDDEN[plain]}"
        elif name.startswith(("gsl_", "cblas_")):
            if not source.startswith(GSL_LAYER):
                yield f"lib/{source}: imports {name}: GSL is for lib/study only"
        elif plain not in ALLOWED | ALLOWED_IN.get(source, set()):
            yield (f"lib/{source}: imports {name}, which no object imported before. Where it keeps the promises of the "
                   "manual (prints nothing, keeps no state, allocates nothing), add it to tests/abi/objects.py")


def main():
    root, archive = Path(sys.argv[1]), sys.argv[2]
    for path in (root / "lib").rglob("*.c"):
        name = path.relative_to(root / "lib").as_posix()
        SOURCES[name.replace("/", "_")] = name
    symbols = list(member_symbols(archive))
    sources = {source for source, _, _ in symbols}
    faults = []
    for path in sorted((root / "lib").rglob("*.c")):
        name = path.relative_to(root / "lib").as_posix()
        if name not in sources:
            faults.append(f"lib/{name}: is not in {archive}, so the gate cannot see it")
    for source, section, size in writable_sections(archive):
        faults.append(f"lib/{source}: {size} bytes of writable static data in {section}: make it const, "
                      "or put it into the object or the context")
    faults += check_imports(symbols)
    for source, name, kind in symbols:
        if kind in "TDBRCVW" and not name.startswith(("nsdyn_", "nsd_")):
            faults.append(f"lib/{source}: {name} is visible to every program that links the static library: "
                          "make it static or call it nsd_…")
        if kind == "C":
            faults.append(f"lib/{source}: {name} is a common symbol")
    for fault in sorted(set(faults)):
        print(fault)
    print(f"objects: {len(set(faults))} faults in {len(sources)} objects")
    return 1 if faults or not sources else 0


sys.exit(main())
