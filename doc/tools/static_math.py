# nsdyn: dynamics of mechanical systems with contact, friction and impact
# SPDX-License-Identifier: GPL-3.0-or-later
"""Formulas that need neither a network nor a script in the reader's browser.

KaTeX sets each formula when the manual is built, inside Duktape, a small JavaScript interpreter. The
pages then hold finished HTML (and MathML beside it, for screen readers), the fonts are copied next to
them. A formula that KaTeX does not understand is a warning, which the build treats as an error.
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

from docutils import nodes
from sphinx.util import logging

LOGGER = logging.getLogger(__name__)
KATEX = pathlib.Path(os.environ.get("NSDYN_KATEX", "/usr/share/javascript/katex"))

# Duktape knows no Array.prototype.fill, which KaTeX needs for matrices.
SCRIPT = """
Array.prototype.fill = Array.prototype.fill || function (value) {
  for (var i = 0; i < this.length; i++) { this[i] = value; }
  return this;
};
JSON.parse(%s).forEach(function (formula) {
  var answer;
  try {
    answer = {html: katex.renderToString(formula.tex, {displayMode: formula.display, strict: "error"})};
  } catch (error) {
    answer = {error: String(error.message)};
  }
  print(JSON.stringify(answer).replace(/[\\u007f-\\uffff]/g, function (c) {
    return "\\\\u" + ("0000" + c.charCodeAt(0).toString(16)).slice(-4);
  }));
});
"""


def set_formulas(formulas):
    """Sets (tex, display) pairs in one run; a dictionary from pair to {"html"} or {"error"}."""
    formulas = list(dict.fromkeys(formulas))
    if not formulas:
        return {}
    problem = json.dumps([{"tex": tex, "display": display} for tex, display in formulas])
    with tempfile.NamedTemporaryFile("w", suffix=".js", encoding="ascii") as script:
        script.write(SCRIPT % json.dumps(problem))
        script.flush()
        done = subprocess.run(
            [os.environ.get("NSDYN_DUKTAPE", "duk"), str(KATEX / "katex.min.js"), script.name],
            stdout=subprocess.PIPE, check=True)
    answers = [json.loads(line) for line in done.stdout.decode("ascii").splitlines()]
    if len(answers) != len(formulas):
        raise RuntimeError("KaTeX answered %d of %d formulas" % (len(answers), len(formulas)))
    return dict(zip(formulas, answers))


def formula_of(node):
    """TeX of a node. Several lines are aligned, as the other renderers of Sphinx do."""
    display = isinstance(node, nodes.math_block)
    tex = node.astext().strip()
    if display and r"\\" in tex and not re.match(r"\\begin\{", tex):
        tex = r"\begin{aligned}" + tex + r"\end{aligned}"
    return tex, display


def html_of(translator, node):
    known = translator.builder.env.nsdyn_formulas
    formula = formula_of(node)
    if formula not in known:
        known.update(set_formulas([formula]))
    answer = known[formula]
    if "error" in answer:
        LOGGER.warning("formula %r: %s", formula[0], answer["error"], location=node)
    return answer.get("html", "")


def set_all(app, env):
    """Before the pages are written: all formulas of all documents in one run of KaTeX."""
    formulas = []
    for name in sorted(env.found_docs):
        tree = env.get_doctree(name)
        for kind in (nodes.math, nodes.math_block):
            formulas.extend(formula_of(node) for node in tree.findall(kind))
    env.nsdyn_formulas = set_formulas(formulas)


def visit_inline(translator, node):
    translator.body.append('<span class="math">' + html_of(translator, node) + "</span>")
    raise nodes.SkipNode


def visit_block(translator, node):
    translator.body.append(translator.starttag(node, "div", CLASS="math"))
    translator.body.append(html_of(translator, node) + "</div>\n")
    raise nodes.SkipNode


def copy_katex(app, error):
    if error or app.builder.format != "html":
        return
    static = pathlib.Path(app.outdir) / "_static" / "katex"
    (static / "fonts").mkdir(parents=True, exist_ok=True)
    css = (KATEX / "katex.min.css").read_text(encoding="utf-8")
    css = re.sub(r",url\([^)]*\.(?:woff|ttf)\) format\([^)]*\)", "", css)
    for url in set(re.findall(r"url\(([^)]+\.woff2)\)", css)):
        name = url.rsplit("/", 1)[-1]
        css = css.replace(url, "fonts/" + name)
        shutil.copy(KATEX / "fonts" / name, static / "fonts" / name)
    (static / "katex.css").write_text(css, encoding="utf-8")


def setup(app):
    app.add_html_math_renderer("katex", inline_renderers=(visit_inline, None),
                               block_renderers=(visit_block, None))
    app.config.html_math_renderer = "katex"
    app.add_css_file("katex/katex.css")
    app.connect("env-updated", set_all)
    app.connect("build-finished", copy_katex)
    return {"parallel_read_safe": True, "parallel_write_safe": False}
