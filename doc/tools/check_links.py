#!/usr/bin/env python3
# nsdyn: dynamics of mechanical systems with contact, friction and impact
# SPDX-License-Identifier: GPL-3.0-or-later
"""Follows every link inside a folder of HTML pages.

A fault is a link to a file or an anchor that is not there, and a script, style, font or picture that
would be fetched from the network: the manual is read offline.
"""

import html.parser
import pathlib
import re
import sys
import urllib.parse

LOADED = {("script", "src"), ("img", "src"), ("link", "href"), ("iframe", "src"), ("object", "data"),
          ("source", "src"), ("embed", "src")}


class Page(html.parser.HTMLParser):
    """The anchors of a page and where its links lead."""

    def __init__(self, path):
        super().__init__(convert_charrefs=True)
        self.anchors = set()
        self.links = []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attrs):
        for name, value in attrs:
            if name == "id" or (tag == "a" and name == "name"):
                self.anchors.add(value)
            if value is not None and name in ("href", "src", "data"):
                self.links.append((value, (tag, name) in LOADED, self.getpos()[0]))


def faults_of(folder):
    """All faults in the pages below a folder, as lines `page:line: what`."""
    folder = pathlib.Path(folder).resolve()
    pages = {path: Page(path) for path in sorted(folder.rglob("*.html"))}
    if not pages:
        return [f"{folder}: no pages"]
    faults = []
    for path, page in pages.items():
        for link, loaded, line in page.links:
            fault = fault_of(path, link, loaded, pages)
            if fault:
                faults.append(f"{path.relative_to(folder)}:{line}: {fault}: {link}")
    for path in sorted(folder.rglob("*.css")):
        for url in re.findall(r"url\(\s*['\"]?([^'\")]+)", path.read_text(encoding="utf-8")):
            if re.match(r"(https?:)?//", url):
                faults.append(f"{path.relative_to(folder)}: is fetched from the network: {url}")
            elif not url.startswith(("data:", "#")) and not (path.parent / url.split("?")[0].split("#")[0]).exists():
                faults.append(f"{path.relative_to(folder)}: leads to no file: {url}")
    return faults


def fault_of(path, link, loaded, pages):
    """What is wrong with a link that stands on the page `path`; None for a good one."""
    parts = urllib.parse.urlsplit(link)
    if parts.scheme or parts.netloc:
        return "is fetched from the network" if loaded and parts.scheme != "data" else None
    target = path if not parts.path else (path.parent / urllib.parse.unquote(parts.path)).resolve()
    if target.is_dir():
        target = target / "index.html"
    if not target.exists():
        return "leads to no file"
    anchor = urllib.parse.unquote(parts.fragment)
    if anchor and target in pages and anchor not in pages[target].anchors:
        return "leads to no anchor"
    return None


if __name__ == "__main__":
    found = faults_of(sys.argv[1])
    print("\n".join(found) if found else "links: good")
    sys.exit(1 if found else 0)
