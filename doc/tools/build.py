#!/usr/bin/env python3
# nsdyn: dynamics of mechanical systems with contact, friction and impact
# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes the manual: Doxygen reads the headers, Sphinx writes the pages, every link is followed.

A warning of either program, a formula that is no TeX, a link that leads nowhere: each ends it with
status 1, after all of them have been printed.
"""

import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as xml_tree

import check_links

# Declared in public headers, but not for users.
INTERNAL = {"NSDYN_API"}
JAVASCRIPT = pathlib.Path("/usr/share/javascript")


def run(command, environment=None):
    """Runs a program; its output is shown only when it fails."""
    done = subprocess.run(command, env=environment, text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, check=False)
    if done.returncode != 0:
        print(done.stdout, end="")
        sys.exit(f"doc: {os.path.basename(command[0])} failed")


def plain_block(found):
    """An indented block of a comment, which holds an equation in plain text and no C."""
    lines = found.group(1).strip("\n").split("\n")
    return "\n".join(["<verbatim>embed:rst", ".. code-block:: text", "", *("   " + line for line in lines),
                      "</verbatim>"])


def prepare(folder):
    """Makes of Doxygen's XML what Breathe understands.

    "@param lo,hi" becomes one name, as Breathe would take the first for a type; indented blocks are marked as
    plain text, as it would take them for C; the name of a header in a sentence is no link, as pages of headers
    have names of their own.
    """
    for path in sorted(folder.glob("*.xml")):
        text = path.read_text(encoding="utf-8")
        text = re.sub(r"</parametername>\s*<parametername[^>]*>", ",", text)
        text = re.sub(r'<ref refid="\w+_8h" kindref="compound">([^<]*)</ref>', r"\1", text)
        text = re.sub(r"<verbatim>(.*?)</verbatim>", plain_block, text, flags=re.S)
        path.write_text(text, encoding="utf-8")


def mend_styles(folder):
    """Puts right what the way from a theme's source to Debian's package loses.

    Style sheets are imported from the web server's /javascript, which pages in a folder do not have; and the rule
    by which Furo follows a reader's wish for dark pages is missing, while its colours are there.
    """
    for path in sorted(folder.rglob("*.css")):
        text = path.read_text(encoding="utf-8")
        whole = re.sub(r"@import url\(/javascript/([^)]+)\);",
                       lambda found: (JAVASCRIPT / found.group(1)).read_text(encoding="utf-8"), text)
        dark = re.search(r'body\[data-theme="dark"\] \{([^}]*)\}', whole)
        if path.name == "furo.css" and dark and "prefers-color-scheme" not in whole:
            whole += ("\n@media not print { @media (prefers-color-scheme: dark) {\n"
                      'body:not([data-theme="light"]) {' + dark.group(1) + "} } }\n")
        if whole != text:
            path.write_text(whole, encoding="utf-8")


def missing_names(xml, html):
    """Names that the headers declare and no page of the reference has."""
    declared = set()
    for path in sorted(xml.glob("*.xml")):
        for element in xml_tree.parse(path).iter():
            if element.tag == "memberdef" and element.get("kind") in ("function", "define", "typedef", "enum"):
                declared.add(element.findtext("name"))
            elif element.tag == "compounddef" and element.get("kind") in ("struct", "union"):
                declared.add(element.findtext("compoundname"))
    pages = "".join(path.read_text(encoding="utf-8") for path in sorted((html / "api").glob("*.html")))
    return sorted(name for name in declared if name not in INTERNAL and f'id="c.{name}"' not in pages)


def sources_of(source):
    """What the manual is made of; folders among it, so that new files count."""
    root = source.parent
    for folder in (source, root / "include"):
        for path in [folder, *sorted(folder.rglob("*"))]:
            if "__pycache__" not in path.parts:
                yield path
    yield from (root / "NEWS.md", root / "CONTRIBUTING.md")


def main():
    parser = argparse.ArgumentParser()
    for name in ("source", "build", "doxygen", "duktape", "doxyfile", "depfile", "version"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--movie", nargs="+", action="append", default=[], metavar=("NAME", "PROGRAM"))
    arguments = parser.parse_args()
    build = pathlib.Path(arguments.build)
    html = build / "html"

    # From nothing each time: what a page no longer says must not survive in an old file.
    for folder in (build / "doxygen", html):
        shutil.rmtree(folder, ignore_errors=True)
    (build / "doxygen").mkdir(parents=True)
    run([arguments.doxygen, arguments.doxyfile])
    prepare(build / "doxygen" / "xml")

    environment = dict(os.environ, NSDYN_DUKTAPE=arguments.duktape, PYTHONDONTWRITEBYTECODE="1")
    run([sys.executable, "-m", "sphinx", "-b", "html", "-E", "-W", "-n", "--keep-going", "-q",
         *(["-t", "movies"] if arguments.movie else []),
         "-d", str(build / "doctrees"),
         "-D", f"version={arguments.version}", "-D", f"release={arguments.version}",
         "-D", f"breathe_projects.nsdyn={build / 'doxygen' / 'xml'}",
         arguments.source, str(html)], environment)

    mend_styles(html)
    # Motions that pages show, each a page of its own; without the examples there are none.
    for name, program, *options in arguments.movie:
        (html / "movies").mkdir(exist_ok=True)
        run([program, "--quiet", *(f"--{option}" for option in options), "--html", str(html / "movies" / f"{name}.html")])
    faults = [f"{name} is on no page of doc/api" for name in missing_names(build / "doxygen" / "xml", html)]
    faults += check_links.faults_of(html)
    for fault in faults:
        print(fault)
    if faults:
        sys.exit(f"doc: {len(faults)} faults in the pages")
    depends = " ".join(str(path).replace(" ", "\\ ") for path in sources_of(pathlib.Path(arguments.source)))
    pathlib.Path(arguments.depfile).write_text(f"doc/html: {depends}\n", encoding="utf-8")
    os.utime(html)
    pages = len(list(html.rglob("*.html")))
    print(f"doc: {pages} pages, begin at {html / 'index.html'}")


if __name__ == "__main__":
    main()
