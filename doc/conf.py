# nsdyn: dynamics of mechanical systems with contact, friction and impact
# SPDX-License-Identifier: GPL-3.0-or-later
"""Settings of the manual. doc/tools/build.py passes what depends on the build folder."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "tools"))

project = "nsdyn"
author = "the nsdyn authors"
copyright = "the nsdyn authors, GPL-3.0-or-later"
language = "en"

extensions = [
    "breathe",
    "myst_parser",
    "sphinxcontrib.bibtex",
    "static_math",
]
exclude_patterns = ["samples", "tools", "static", "figures"]
root_doc = "index"
primary_domain = "c"
highlight_language = "c"

# The types of the C standard and of GSL have no page in this manual that a declaration could point to.
nitpick_ignore = [("c:identifier", name) for name in (
    "int32_t", "int64_t", "uint32_t", "uint64_t", "size_t")]
nitpick_ignore_regex = [("c:identifier", "gsl_.*")]

breathe_default_project = "nsdyn"
breathe_domain_by_extension = {"h": "c"}
breathe_show_include = False
breathe_show_enumvalue_initializer = True

bibtex_bibfiles = ["references.bib"]
bibtex_default_style = "alpha"
bibtex_reference_style = "label"

myst_heading_anchors = 3

html_theme = "furo"
html_title = "nsdyn"
html_static_path = ["static"]
html_css_files = ["nsdyn.css"]
html_logo = "static/logo.svg"
html_favicon = "static/logo.svg"
html_show_sphinx = False
html_copy_source = False
html_theme_options = {
    "sidebar_hide_name": False,
    "light_css_variables": {
        "color-brand-primary": "#0b5a8a",
        "color-brand-content": "#0b5a8a",
    },
    "dark_css_variables": {
        "color-brand-primary": "#7cc4f0",
        "color-brand-content": "#7cc4f0",
    },
}
