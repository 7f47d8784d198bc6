# nsdyn: dynamics of mechanical systems with contact, friction and impact
# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads the public headers: functions, structs, enums and their comments.

The headers are written in a small part of C, which this understands: one declaration after another,
structs without bit fields, enums, typedefs, static inline functions, function pointers. What it does
not understand it refuses by name, so that no gate passes over a declaration that it did not see.
"""

import re
from dataclasses import dataclass, field
from pathlib import Path


class HeaderError(SystemExit):
    """Ends the gate with its text."""


@dataclass
class Named:
    name: str
    doc: str = ""  # text of the doc comment, "" where there is none
    type: str = ""  # of a field: its C type, with the name cut out
    value: str | None = None  # of an enumerator: what stands behind "="


@dataclass
class Declaration:
    kind: str  # function, inline, struct, opaque, enum, typedef
    name: str
    header: str  # file name, as in "base.h"
    line: int
    text: str  # without comments, on one line
    doc: str = ""
    exported: bool = False  # a function marked NSDYN_API
    members: list[Named] = field(default_factory=list)  # fields, enumerators or parameters


COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.S)
MARK = re.compile("\x01(\\d+)\x02")


def blank_preprocessor(text):
    """Directives become empty lines; of #ifdef __cplusplus only the #else part stays."""
    out, skip, depth = [], None, 0
    joined = re.sub(r"\\\n", lambda _: "\x03", text)  # continued lines stay one
    for line in joined.split("\n"):
        stripped = line.strip()
        if stripped.startswith("#"):
            word = re.match(r"#\s*(\w+)\s*(.*)", stripped)
            name, rest = word.group(1), word.group(2)
            if name in ("if", "ifdef", "ifndef"):
                depth += 1
                if name == "ifdef" and rest.startswith("__cplusplus"):
                    skip = depth
            elif name == "else" and skip == depth:
                skip = -depth
            elif name == "endif":
                if skip in (depth, -depth):
                    skip = None
                depth -= 1
            line_out = ""
        else:
            line_out = "" if skip is not None and skip > 0 else line
        out.append(line_out + "\n" * line.count("\x03"))
    return "\n".join(out)


class Header:
    def __init__(self, path):
        self.path = Path(path)
        self.name = self.path.name
        self.text = self.path.read_text(encoding="utf-8")
        self.comments = []
        self.declarations = list(self._declarations())

    def _mark(self, match):
        self.comments.append(match.group(0))
        return f"\x01{len(self.comments) - 1}\x02" + "\n" * match.group(0).count("\n")

    def _doc(self, marked, after=False):
        """Text of the doc comments among the marks of a piece of code; `after`: those of the kind /**<."""
        texts = []
        for number in MARK.findall(marked):
            comment = self.comments[int(number)]
            is_doc = re.match(r"/\*[*!]|//[/!]", comment)
            is_after = re.match(r"/\*[*!]<|//[/!]<", comment)
            if is_doc and bool(is_after) == after and "@file" not in comment and "\\file" not in comment:
                body = re.sub(r"^/\*[*!]<?|\*/$|^//[/!]<?", "", comment)
                texts.append(re.sub(r"^\s*\*( |$)", "", body, flags=re.M).strip())
        return texts[-1] if texts else ""

    def _declarations(self):
        code = blank_preprocessor(COMMENT.sub(self._mark, self.text))
        start, depth, at = 0, 0, 0
        while at < len(code):
            c = code[at]
            if c in "{(":
                depth += 1
            elif c in "})":
                depth -= 1
                if depth < 0:
                    raise HeaderError(f"{self.name}: a bracket too many in line {code.count(chr(10), 0, at) + 1}")
            ends = c == ";" and depth == 0
            if c == "}" and depth == 0:
                head = MARK.sub("", code[start:at].split("{", 1)[0])
                ends = head.rstrip().endswith(")")  # the body of an inline function
            if ends:
                piece = code[start : at + 1]
                # A comment that follows on the same line still belongs to this declaration.
                rest = code[at + 1 :].split("\n", 1)[0]
                same_line = re.match(r"[ \t]*(?:\x01\d+\x02)", rest)
                taken = same_line.end() if same_line else 0
                trailing = code[at + 1 : at + 1 + taken]
                first = re.search(r"\S", MARK.sub(lambda m: " " * len(m.group(0)), piece))
                line = code.count("\n", 0, start + (first.start() if first else 0)) + 1
                if MARK.sub("", piece).strip(" \n\t;"):
                    yield self._declaration(piece, trailing, line)
                start = at + 1 + taken
                at = start
                continue
            at += 1
        if MARK.sub("", code[start:]).strip():
            raise HeaderError(f"{self.name}: cannot read the end: {MARK.sub('', code[start:]).strip()[:60]!r}")

    def _declaration(self, piece, trailing, line):
        first = re.search(r"[A-Za-z_]", MARK.sub(lambda m: "\x00" * len(m.group(0)), piece))
        doc = self._doc(piece[: first.start()]) or self._doc(trailing, after=True)
        plain = " ".join(MARK.sub(" ", piece).split())
        here = dict(header=self.name, line=line, text=plain, doc=doc)
        body = piece[piece.find("{") + 1 : piece.rfind("}")] if "{" in piece else ""

        m = re.match(r"(?:typedef )?enum (\w+) \{.*\} ?(\w*) ?;$", plain)
        if m:
            return Declaration("enum", m.group(1), members=self._enumerators(body), **here)
        m = re.match(r"(typedef )?struct (\w+) \{.*\} ?(\w*) ?;$", plain)
        if m:
            return Declaration("struct", m.group(3) or "struct " + m.group(2), members=self._fields(body), **here)
        m = re.match(r"typedef struct (\w+) (\w+) ?;$", plain)
        if m:
            return Declaration("opaque", m.group(2), **here)
        m = re.match(r"typedef .*?\(\s*\*?\s*(\w+)\s*\)\s*\(.*\)\s*;$", plain) or re.match(
            r"typedef [^(]*?\b(\w+)\s*\(.*\)\s*;$", plain) or re.match(r"typedef [\w* ]+?\b(\w+) ?;$", plain)
        if m:
            return Declaration("typedef", m.group(1), **here)
        m = re.match(r"static (?:__)?inline(?:__)? [^(]*?\b(\w+) ?\((.*?)\) ?\{", plain)
        if m:
            return Declaration("inline", m.group(1), members=parameters(m.group(2)), **here)
        m = re.match(r"(?:extern )?(NSDYN_API )?[\w* ]+?[ *](\w+) ?\((.*)\)[^()]*;$", plain) or re.match(
            r"(?:extern )?(NSDYN_API )?[\w* ]+?[ *](\w+) ?\((.*)\).*;$", plain)
        if m:
            return Declaration("function", m.group(2), exported=bool(m.group(1)),
                               members=parameters(m.group(3)), **here)
        raise HeaderError(f"{self.name}:{line}: the gates cannot read this declaration: {plain[:100]!r}")

    def _pieces(self, body, separator):
        """Members of a body, each with the comment before it and the one behind it."""
        start, depth, pieces = 0, 0, []
        for at, c in enumerate(body):
            depth += (c in "({[") - (c in ")}]")
            if c == separator and depth == 0:
                pieces.append([body[start:at], ""])
                start = at + 1
        pieces.append([body[start:], ""])
        # "a; /**< text */ b;": what stands behind a member is read at the start of the next.
        for this, following in zip(pieces, pieces[1:]):
            m = re.match(r"[ \t]*((?:\x01\d+\x02\s*)*)", following[0])
            this[1] = m.group(1)
        return [(p, after) for p, after in pieces if MARK.sub("", p).strip()]

    def _member_doc(self, piece, after):
        """The comment of a member: behind it (of the last one it stands in its own piece), or before it."""
        code = re.search(r"[A-Za-z_]", MARK.sub(lambda m: "\x00" * len(m.group(0)), piece)).start()
        return self._doc(after, True) or self._doc(piece[code:], True) or self._doc(piece[:code])

    def _enumerators(self, body):
        out = []
        for piece, after in self._pieces(body, ","):
            plain = " ".join(MARK.sub(" ", piece).split())
            m = re.match(r"(\w+)(?: ?= ?(.+))?$", plain)
            if not m:
                raise HeaderError(f"{self.name}: cannot read the enumerator {plain!r}")
            out.append(Named(m.group(1), self._member_doc(piece, after), value=m.group(2)))
        return out

    def _fields(self, body):
        out = []
        for piece, after in self._pieces(body, ";"):
            plain = " ".join(MARK.sub(" ", piece).split())
            doc = self._member_doc(piece, after)
            m = re.match(r"(.+?)\( ?\* ?(\w+) ?\) ?\((.*)\)$", plain)
            if m:
                types = ", ".join(re.sub(r"\b" + p.name + r"\b(?!.*\b" + p.name + r"\b)", "", p.type)
                                  for p in parameters(m.group(3)))
                out.append(Named(m.group(2), doc, type=squeeze(f"{m.group(1)}(*)({types or 'void'})")))
                continue
            m = re.match(r"([^,]*?[ *])(\w+(?: ?\[[^]]*\])*(?: ?, ?\*?\w+(?: ?\[[^]]*\])*)*)$", plain)
            if not m or "(" in plain or ":" in plain or "{" in plain:
                raise HeaderError(f"{self.name}: cannot read the field {plain!r}")
            base = m.group(1).strip()
            for declarator in m.group(2).split(","):
                d = re.match(r"\s*(\*?)\s*(\w+)\s*((?:\[[^]]*\]\s*)*)$", declarator)
                if d.group(1):
                    raise HeaderError(f"{self.name}: declare {d.group(2)!r} in a line of its own")
                out.append(Named(d.group(2), doc, type=squeeze(base + d.group(3))))
        return out


def squeeze(text):
    """One spelling for a type: single blanks, stars close to the left."""
    text = " ".join(text.split())
    text = re.sub(r" ?\* ?", " *", text)
    return re.sub(r"\* \*", "**", text).replace("( *", "(*").replace("( ", "(").replace(" )", ")").replace(" ,", ",")


def parameters(text):
    out, depth, start = [], 0, 0
    text += ","
    for at, c in enumerate(text):
        depth += (c in "([") - (c in ")]")
        if c == "," and depth == 0:
            piece = text[start:at].strip()
            start = at + 1
            m = re.search(r"\(\s*\*\s*(\w+)\s*\)", piece) or re.search(r"(\w+)\s*(?:\[[^]]*\]\s*)*$", piece)
            if piece and piece not in ("void", "...") and m:
                out.append(Named(m.group(1), type=piece))
    return out


def read_all(include):
    """Every public header, sorted by name; `include` is the folder include/nsdyn."""
    paths = sorted(Path(include).glob("*.h"))
    if not paths:
        raise HeaderError(f"no headers in {include}")
    return [Header(path) for path in paths]


def declarations(include, *kinds):
    return [d for h in read_all(include) for d in h.declarations if not kinds or d.kind in kinds]


def exported_functions(include):
    return [d for d in declarations(include, "function") if d.exported]


def sized_structs(include):
    """Structs that begin with size_t size and so may grow."""
    return [d for d in declarations(include, "struct")
            if d.members and d.members[0].name == "size" and d.members[0].type == "size_t"]


def made_by_callers(include):
    """Those of the sized structs that a host program makes: all but what the library only shows, const, to its
    callbacks."""
    calls = " ".join(d.text for d in declarations(include, "function"))
    callback = r"\(\s*\*\s*\w+\s*\)\s*\([^()]*\)"
    shown = " ".join(re.findall(callback, calls))
    calls = re.sub(callback, "", calls)

    def is_shown_only(name):
        return not re.search(rf"\b{name}\b", calls) and re.search(
            rf"\bconst {name} \*", shown) and not re.search(rf"(?<!const ){name} \*", shown)

    return [s for s in sized_structs(include) if not is_shown_only(s.name)]
