"""Sphinx's configuration of the documentation site; `python -m tools.site` builds it."""

import importlib.metadata
from typing import Any

project = "ggp"
copyright = "the ggp authors"
version = release = importlib.metadata.version("ggp")
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx.ext.viewcode"]
html_theme = "furo"
html_title = "ggp"
html_css_files = ["board.css"]
html_show_sphinx = False
html_copy_source = False
myst_enable_extensions = ["fieldlist"]
myst_heading_anchors = 4
default_role = "code"
autodoc_member_order = "bysource"
autodoc_default_options = {"members": True, "show-inheritance": False}
autodoc_typehints = "signature"
napoleon_google_docstring = True
napoleon_numpy_docstring = False
suppress_warnings = ["myst.header", "ref.python"]
viewcode_follow_imported_members = False


def show_code(app: object, what: str, name: str, thing: object, options: object, lines: list[str]) -> None:
    """Show an indented block after a paragraph as code, not as a quotation."""
    for index in range(len(lines) - 1, 1, -1):
        before = lines[index - 2]
        starts = lines[index].startswith("    ") and not lines[index - 1].strip()
        if starts and before.strip() and not before.startswith(" ") and not before.endswith("::"):
            lines[index:index] = ["::", ""]


def setup(app: Any) -> None:
    """Connect the functions that change docstrings, so that they run before napoleon."""
    app.connect("autodoc-process-docstring", show_code, priority=100)
