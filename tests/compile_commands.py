# nsdyn: dynamics of mechanical systems with contact, friction and impact
# SPDX-License-Identifier: GPL-3.0-or-later
"""How clang-tidy shall read each C file: compile_commands.py BUILD FILE... writes it to BUILD/tidy.

One entry a file, since clang-tidy 14 forgets about va_start the second time it reads one. Files that the
build does not compile (those of the golden hashes, drivers of the install test) get plain flags.
"""
import json
import os
import sys


def main(build, files):
    with open(os.path.join(build, 'compile_commands.json'), encoding='utf-8') as given:
        entries = json.load(given)
    by_file = {os.path.realpath(os.path.join(e['directory'], e['file'])): e for e in reversed(entries)}
    root = os.getcwd()
    for name in files:
        path = os.path.realpath(name)
        by_file.setdefault(path, {'directory': root, 'file': path, 'arguments': [
            'clang', '-std=c11', '-Iinclude', '-Ilib', '-Itests', '-c', path]})
    os.makedirs(os.path.join(build, 'tidy'), exist_ok=True)
    with open(os.path.join(build, 'tidy', 'compile_commands.json'), 'w', encoding='utf-8') as out:
        json.dump([by_file[os.path.realpath(name)] for name in files], out, indent=1)


if __name__ == '__main__':
    main(sys.argv[1], sys.argv[2:])
