#!/usr/bin/env python3
# nsdyn: dynamics of mechanical systems with contact, friction and impact
# SPDX-License-Identifier: GPL-3.0-or-later
"""Keeps the texts true to the tree: README.md, NEWS.md, CONTRIBUTING.md, the manual, the headers.

Every piece of C that a reader sees must come out of a program that is built and run with the tests, and
every file that a text points to must be there.
"""

import argparse
import pathlib
import re
import sys


def code_of(path):
    """The lines of a sample behind its licence header."""
    text = path.read_text(encoding="utf-8")
    return text[text.index("*/") + 2:].strip("\n").split("\n")


def stripped(lines):
    """Lines without what a formatter may change: blanks and empty lines."""
    return [" ".join(line.split()) for line in lines if line.strip()]


def occurs(piece, whole):
    """Whether the lines of `piece` stand in `whole` one after the other."""
    return any(whole[i:i + len(piece)] == piece for i in range(len(whole) - len(piece) + 1))


class Texts:
    def __init__(self, root, samples):
        self.root = root
        self.samples = {name: root / "doc" / "samples" / name for name in samples}
        self.pages = sorted(path for path in (root / "doc").rglob("*") if path.suffix in (".rst", ".md"))
        self.shown = set()
        self.faults = []

    def fault(self, path, line, text):
        where = path.relative_to(self.root)
        self.faults.append(f"{where}:{line}: {text}" if line else f"{where}: {text}")

    def check_readme(self):
        """The examples of README.md are samples, to the letter."""
        path = self.root / "README.md"
        text = path.read_text(encoding="utf-8")
        codes = {name: code_of(sample) for name, sample in self.samples.items()}
        for match in re.finditer(r"^```c\n(.*?)^```$", text, re.M | re.S):
            lines = match.group(1).rstrip("\n").split("\n")
            names = [name for name, code in codes.items() if code == lines]
            self.shown.update(names)
            if not names:
                self.fault(path, text.count("\n", 0, match.start()) + 1,
                           "this example is not a file of doc/samples")

    def check_pages(self):
        """What a page includes is a sample in the list, the output of one, or an example."""
        for path in self.pages:
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
                if re.match(r"\s*\.\. (code|code-block|sourcecode):: *(c|cpp|c\+\+)\s*$", line, re.I) or \
                        re.match(r"\s*```+\s*\{?(c|cpp)\}?\s*$", line):
                    self.fault(path, number, "C code in the page itself; make it a file of doc/samples")
                match = re.match(r"\s*\.\. literalinclude:: *(\S+)", line)
                if match:
                    self.check_include(path, number, match.group(1))

    def is_example(self, file):
        """Whether it is one of the drivers that the build makes and tests/examples runs."""
        folder = (self.root / "examples").resolve()
        return file.parent == folder and f"'{file.stem}'," in (folder / "meson.build").read_text(encoding="utf-8")

    def check_include(self, path, number, target):
        base = self.root / "doc" if target.startswith("/") else path.parent
        file = (base / target.lstrip("/")).resolve()
        if not file.is_file():
            self.fault(path, number, f"{target} is not there")
            return
        if self.is_example(file):
            return
        name = file.with_suffix(".c").name
        if file.parent == (self.root / "examples").resolve():
            if f"'{file.stem}'," not in (self.root / "examples" / "meson.build").read_text(encoding="utf-8"):
                self.fault(path, number, f"{target} is not built: add it to examples/meson.build")
            return
        if file.suffix in (".c", ".out") and (self.samples.get(name, file).resolve().parent != file.parent
                                              or name not in self.samples):
            self.fault(path, number, f"{target} is not built: add it to doc/samples/meson.build")
        elif file.suffix == ".c":
            self.shown.add(name)

    def check_samples(self):
        """No sample is left out of the build, or out of the texts."""
        for path in sorted((self.root / "doc" / "samples").glob("*.c")):
            if path.name not in self.samples:
                self.fault(path, 0, "is not in doc/samples/meson.build")
        for name, path in self.samples.items():
            if name not in self.shown:
                self.fault(path, 0, "is shown nowhere")

    def check_headers(self):
        """Examples in the headers are pieces of samples."""
        codes = {name: stripped(code_of(sample)) for name, sample in self.samples.items()}
        for path in sorted((self.root / "include" / "nsdyn").glob("*.h")):
            text = path.read_text(encoding="utf-8")
            for match in re.finditer(r"[@\\]code(?:\{\.c\})?\n(.*?)[@\\]endcode", text, re.S):
                piece = stripped(re.sub(r"^\s*\* ?", "", line) for line in match.group(1).split("\n"))
                names = [name for name, code in codes.items() if occurs(piece, code)]
                self.shown.update(names)
                if not names:
                    self.fault(path, text.count("\n", 0, match.start()) + 1,
                               "this example is no piece of a file of doc/samples")

    def check_links(self):
        """Links and pictures of the Markdown files at the top lead to files of the tree."""
        for path in sorted(self.root.glob("*.md")):
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
                links = re.findall(r"\]\(([^)\s]+)\)", line) + re.findall(r"(?:src|href)=\"([^\"]+)\"", line)
                for link in links:
                    file = link.split("#")[0]
                    if file and not re.match(r"[a-z]+:", link) and not (self.root / file).exists():
                        self.fault(path, number, f"{link} is not there")

    def check_news(self, version):
        """The first entry of NEWS.md is the version being built."""
        path = self.root / "NEWS.md"
        headings = re.findall(r"^## (\S+)", path.read_text(encoding="utf-8"), re.M)
        if not headings or headings[0] != version:
            self.fault(path, 0, f"begins with {headings[:1]}, but the project is at {version}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--root", required=True, type=pathlib.Path)
    parser.add_argument("--version", required=True)
    parser.add_argument("--samples", required=True, nargs="+")
    arguments = parser.parse_args()
    texts = Texts(arguments.root.resolve(), arguments.samples)
    texts.check_readme()
    texts.check_pages()
    texts.check_headers()
    texts.check_samples()
    texts.check_links()
    texts.check_news(arguments.version)
    print("\n".join(texts.faults) if texts.faults else "texts: good")
    sys.exit(1 if texts.faults else 0)


if __name__ == "__main__":
    main()
