# nsdyn: dynamics of mechanical systems with contact, friction and impact
# SPDX-License-Identifier: GPL-3.0-or-later
"""The same input gives the same bits: with gcc at -O0, -O2 and -O3, with clang, with and without the
kernels for AVX2, and from run to run.

usage: determinism.py ROOT FOLDER HASHES HERE [--store] -- FLAGS... -- SOURCES...

Builds the program determinism.c and the library's sources in FOLDER, once for each build below, runs it
twice and compares what it prints with the file HASHES, module by module, as TAP. --store writes that file
anew, for when a result was meant to change; say why in the commit. The variable NSDYN_GOLDEN_BUILDS names
the builds to take, say "here,clang-O2", where it has been judged elsewhere that all agree: "here" is the
program HERE, of the library that all other tests use. Then only the first one is run twice.
"""
import concurrent.futures
import os
import shutil
import subprocess
import sys

# A processor without AVX2: the compiler's question to the processor, answered by the preprocessor.
PLAIN = "-O2 '-D__builtin_cpu_supports(what)=0'"
BUILDS = [('gcc', '-O0'), ('gcc', '-O2'), ('gcc', '-O3'), ('gcc', PLAIN), ('clang', '-O2')]
HERE = ('here', '')
HEADER = '''# One hash for each module, equal for every build: tests/golden/determinism.py compares.
# Store again with: ninja -C build/test golden-store
'''


def program(compiler, level):
    return '%s%s' % (compiler, '-plain' if level == PLAIN else level)


def wanted_builds():
    names = os.environ.get('NSDYN_GOLDEN_BUILDS')
    if not names:
        return BUILDS
    known = {program(*build): build for build in BUILDS + [HERE]}
    unknown = set(names.split(',')) - set(known)
    if unknown:
        sys.exit('NSDYN_GOLDEN_BUILDS names %s; there are %s' % (', '.join(sorted(unknown)), ', '.join(known)))
    return [known[name] for name in names.split(',')]


def write_ninja(root, folder, flags, sources, builds):
    """One build file for all programs, so that only what changed is compiled again."""
    def quote(text):
        return text.replace('$', '$$').replace(' ', '$ ').replace(':', '$:')
    lines = ['flags = ' + ' '.join(flags)]
    for compiler, level in builds:
        name = program(compiler, level)
        lines += ['rule cc-%s' % name,
                  '  command = %s %s $flags -MD -MF $out.d -c $in -o $out' % (compiler, level),
                  '  depfile = $out.d', '  deps = gcc',
                  'rule link-%s' % name, '  command = %s $in -lm -o $out' % compiler]
        objects = []
        for source in sources:
            relative = os.path.relpath(source, root)
            objects.append(quote('%s.p/%s.o' % (name, relative.replace(os.sep, '_'))))
            lines.append('build %s: cc-%s %s' % (objects[-1], name, quote(os.path.abspath(source))))
        lines.append('build %s: link-%s %s' % (quote(name), name, ' '.join(objects)))
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, 'build.ninja'), 'w', encoding='utf-8') as out:
        out.write('\n'.join(lines) + '\n')


def hashes_of(text):
    rows = (line.split() for line in text.splitlines() if line and not line.startswith('#'))
    return dict(rows)


def run(path):
    return hashes_of(subprocess.run([path], check=True, stdout=subprocess.PIPE, text=True).stdout)


class Tap:
    """The lines of a test program, and whether all were good."""
    def __init__(self):
        self.count = 0
        self.good = True

    def case(self, good, name):
        self.count += 1
        self.good = self.good and good
        print('%s %d - %s' % ('ok' if good else 'not ok', self.count, name))

    def skip(self, name, why):
        self.count += 1
        print('ok %d - %s # SKIP %s' % (self.count, name, why))


def compare(tap, stored, build, found):
    """`found`: the hashes of each run of one build."""
    name = program(*build)
    if len(found) > 1:
        tap.case(found[0] == found[1], '%s: two runs agree' % name)
    for module in sorted(set(stored) | set(found[0])):
        here, there = found[0].get(module), stored.get(module)
        tap.case(here == there, '%s: %s' % (name, module))
        if here != there:
            print('# %s: computed %s, stored %s' % (module, here or 'nothing', there or 'nothing'))


def main(arguments):
    first = arguments.index('--')
    second = arguments.index('--', first + 1)
    root, folder, path, here = arguments[:4]
    flags, sources = arguments[first + 1:second], arguments[second + 1:]
    wanted = wanted_builds()
    builds = [build for build in wanted if build == HERE or shutil.which(build[0])]
    write_ninja(root, folder, flags, sources, [build for build in builds if build != HERE])
    ninja = subprocess.run(['ninja', '-C', folder, '-j', '2', '--quiet'], stdout=subprocess.PIPE,
                           stderr=subprocess.STDOUT, text=True, check=False)
    if ninja.returncode:
        print('Bail out! determinism.c does not build')
        print(ninja.stdout, file=sys.stderr)
        return 1
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        paths = {build: here if build == HERE else os.path.join(folder, program(*build)) for build in builds}
        once = builds[1:] if wanted != BUILDS else []
        runs = {build: [pool.submit(run, paths[build]) for _ in range(1 if build in once else 2)]
                for build in builds}
        found = {build: [one.result() for one in each] for build, each in runs.items()}
    if '--store' in arguments[4:first]:
        with open(path, 'w', encoding='utf-8') as out:
            out.write(HEADER + ''.join('%s %s\n' % row for row in found[builds[0]][0].items()))
    with open(path, encoding='utf-8') as stored_file:
        stored = hashes_of(stored_file.read())
    tap = Tap()
    for build in wanted:
        if build in found:
            compare(tap, stored, build, found[build])
        else:
            tap.skip(program(*build), '%s is not installed' % build[0])
    print('1..%d' % tap.count)
    return 0 if tap.good else 1


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
