"""Sphinx's configuration of the documentation site; `python -m tools.site` builds it."""

import importlib.metadata

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
