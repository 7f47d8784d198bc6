# nsdyn: dynamics of mechanical systems with contact, friction and impact
# SPDX-License-Identifier: GPL-3.0-or-later
"""Pages that play a motion (examples/common/movie.c): what each has to be, with and without a browser's engine.

Always checked: tags that match, a page for phones, no address of anything outside, the data as strict JSON in which all
belongs together, and the script by its tokens. Where node is installed, the page is played to its end too."""
import html.parser
import json
import math
import re
import shutil
import subprocess
from pathlib import Path

ALONE = {"meta", "input"}  # elements without an end
OUTSIDE = re.compile(r"https?:|//[a-z]+\.|\b(src|href|action|poster|data)\s*=|@import|url\(|\bimport\b|\bfetch\b|"
                     r"XMLHttpRequest|WebSocket|EventSource|sendBeacon|<link|<iframe|<img|<object|<embed")
NODE = shutil.which("node")


class Page(html.parser.HTMLParser):
    """The elements of a page: what is open is closed in turn, ids are there once."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.open, self.ids, self.scripts, self.meta = [], [], [], []
        self.title = ""
        self.feed(text)
        self.close()
        assert not self.open, f"not closed: {self.open}"
        assert len(self.ids) == len(set(self.ids)), self.ids

    def handle_starttag(self, tag, attrs):
        self.ids += [value for name, value in attrs if name == "id"]
        if tag == "meta":
            self.meta.append(dict(attrs))
        if tag == "script":
            self.scripts.append([dict(attrs), ""])
        if tag not in ALONE:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open and self.open.pop() == tag, tag

    def handle_data(self, data):
        if self.open and self.open[-1] == "script":
            self.scripts[-1][1] += data
        if self.open and self.open[-1] == "title":
            self.title += data


TOKENS = re.compile(r"""(?P<space>\s+|/\*.*?\*/)|(?P<text>'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*")|(?P<template>`)|"""
                    r"""(?P<number>0x[0-9a-fA-F]+|\d+\.?\d*(?:[eE][-+]?\d+)?)|(?P<name>[A-Za-z_$][\w$]*)|"""
                    r"""(?P<open>[({\[])|(?P<close>[)}\]])|"""
                    r"""(?P<operator>\.\.\.|=>|===|!==|>>>|<<|>>|[-+*/%&|^<>=!]=|\+\+|--|&&|\|\||[-+*/%=<>!&|^~?:;,.])""", re.S)


def check_script(script):
    """The tokens of a script: each is one, brackets match, and no two operands stand side by side."""
    pairs = {")": "(", "]": "[", "}": "{"}
    words = {"return", "const", "let", "new", "of", "in", "if", "else", "for", "while", "function", "typeof", "throw",
             "continue", "break", "case"}
    nesting, position, before = [], 0, None
    while position < len(script):
        found = TOKENS.match(script, position)
        assert found, f"no token: {script[position:position + 40]!r}"
        kind, token, position = found.lastgroup, found.group(), found.end()
        if kind == "space":
            before = None if "\n" in token and before and before[0] == "name" and before[1] in words else before
            continue
        if kind == "open":
            nesting.append(token)
        elif kind == "close":
            top = nesting.pop() if nesting else None
            assert top == pairs[token] or (top == "`" and token == "}"), f"bracket before {script[position:position + 40]!r}"
            if top == "`":
                kind, position = template(script, position, nesting)
        elif kind == "template":
            kind, position = template(script, position, nesting)
        operands = ("text", "number", "name")
        assert not (before and found.lastgroup in operands and before[0] in operands
                    and not (before[0] == "name" and before[1] in words) and token not in words), f"{before[1]} {token}"
        before = (kind, token)
    assert not nesting, nesting


def template(script, position, nesting):
    """Reads on within a template to its end or to its next ${: what that is like, and the place behind it."""
    while script[position:position + 1] != "`":
        assert position < len(script), "a template without an end"
        if script.startswith("${", position):
            nesting.append("`")
            return "open", position + 2
        position += 2 if script[position] == "\\" else 1
    return "text", position + 1


def refuse(constant):
    raise AssertionError(f"{constant} is no JSON")


def numbers(values):
    return all(isinstance(v, (int, float)) and math.isfinite(v) for v in values)


def check_shapes(shapes, d):
    sizes = {"ball": ("at",), "capsule": ("from", "to"), "cylinder": ("from", "to"), "box": ("at", "half")}
    for shape in shapes:
        for point in [shape[name] for name in sizes.get(shape["kind"], ())] + shape.get("points", []):
            assert len(point) == d and numbers(point), shape
        assert shape["kind"] in (*sizes, "polygon", "line"), shape
        assert numbers([shape.get("r", 1)]) and shape.get("r", 1) > 0, shape


def check_motion(motion):
    """All of one length, one frame after the other, numbers everywhere."""
    d, frames, bodies = motion["dimensions"], len(motion["time"]), motion["bodies"]
    assert d in (2, 3) and frames >= 1
    assert numbers(motion["time"]) and all(a < b for a, b in zip(motion["time"], motion["time"][1:]))
    assert len(motion["poses"]) == len(motion["forces"]) == frames
    for pose, force in zip(motion["poses"], motion["forces"]):
        assert len(pose) == (3 if d == 2 else 7) * len(bodies) and numbers(pose)
        assert len(force) % (2 * d) == 0 and numbers(force)
    for one in motion["impulses"]:
        assert len(one) == 1 + 2 * d and numbers(one)
    assert all(b["shapes"] for b in bodies), "a body that nobody sees"
    for shapes in [motion["ground"]] + [b["shapes"] for b in bodies]:
        check_shapes(shapes, d)
    for spring in motion["springs"]:
        assert all(-1 <= b < len(bodies) for b in spring["bodies"]) and len(spring["points"]) == 2
    for values in motion["energies"].values():
        assert len(values) == frames and all(v is None or numbers([v]) for v in values)
    assert -1 <= motion["follow"] < len(bodies)


def read(path):
    """The motion within a page, which is all that it has to be."""
    text = Path(path).read_text(encoding="utf-8")
    page = Page(text)
    (kind, data), (plain, script) = page.scripts
    assert kind == {"type": "application/json", "id": "motion"} and plain == {}
    motion = json.loads(data, parse_constant=refuse)
    assert page.title == motion["title"] and page.title
    assert any(m.get("name") == "viewport" and "width=device-width" in m["content"] for m in page.meta)
    assert not OUTSIDE.search(text.replace(data, "")), OUTSIDE.search(text.replace(data, ""))
    asked = set(re.findall(r"\$\('(\w+)'\)", script))
    assert asked <= set(page.ids), asked - set(page.ids)
    check_script(script)
    check_motion(motion)
    return motion


def play(path, motion):
    """By node: from the first to the last frame, then by slider, keys, fingers and boxes. What was seen; None without it."""
    if not NODE:
        return None
    done = subprocess.run([NODE, Path(__file__).with_name("play.js"), path], capture_output=True, text=True,
                          check=False, timeout=100)
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    seen = json.loads(done.stdout)
    first, last = motion["time"][0], motion["time"][-1]
    assert seen["title"] == motion["title"]
    assert seen["start"] == seen["left"] == f"{first:.4f} s"
    assert seen["end"] == f"{last:.4f} s" and abs(float(seen["middle"].split()[0]) - (first + last) / 2) < 1e-4
    assert seen["pictures"] >= 2 and seen["playing"] == (last > first)
    assert seen["strokes"] >= seen["pictures"] * len(motion["bodies"])
    assert seen["notFinite"] == 0 and seen["unknown"] == []
    assert set(motion["energies"]) <= set(seen["texts"]), seen["texts"]
    return seen
