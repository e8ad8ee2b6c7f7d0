"""The settings with which Sphinx builds the site."""

import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parents[1]))

from docs.site.addresses import repository, site  # noqa: E402 - this file is run by its path

project = "sanproof"
html_title = "sanproof"
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
html_theme = "furo"
html_baseurl = site()
html_static_path = [str(HERE / "static"), str(HERE.parents[1] / "reports/page/static/boards.js")]
html_favicon = str(HERE / "static" / "icon.svg")
html_css_files = ["site.css"]
html_copy_source = False
html_show_copyright = False
html_show_sphinx = False
templates_path = [str(HERE / "templates")]
html_theme_options = {"source_repository": repository(), "top_of_page_buttons": []}
html_context = {"site": site()}
myst_heading_anchors = 4
autodoc_typehints = "description"
autodoc_member_order = "bysource"
suppress_warnings = ["myst.xref_missing", "misc.highlighting_failure"]
napoleon_use_ivar = True  # attributes are named once, in the docstring
add_module_names = False  # all of it is imported as `sanproof.NAME`
