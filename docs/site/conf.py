"""The settings with which Sphinx builds the site."""

import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from docs.site.addresses import repository_of, urls  # noqa: E402 - this file is run by its path

REPOSITORY = repository_of(ROOT)

project = html_title = "sanproof"
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
html_theme = "furo"
html_baseurl = urls(REPOSITORY)["Homepage"] if REPOSITORY else ""
html_static_path = [str(ROOT / "docs" / "site" / "static")]
html_favicon = str(ROOT / "docs" / "site" / "static" / "icon.svg")
html_css_files = ["site.css"]
html_copy_source = False
html_show_copyright = False
html_show_sphinx = False
html_theme_options: dict[str, object] = {"top_of_page_buttons": []}
if REPOSITORY:
    source = {"name": "Source", "url": REPOSITORY, "html": "Source (GPL-3.0-or-later; data: CC0)"}
    html_theme_options["footer_icons"] = [source | {"class": ""}]
myst_heading_anchors = 4
autodoc_typehints = "description"
autodoc_member_order = "bysource"
suppress_warnings = ["myst.xref_missing", "misc.highlighting_failure"]
napoleon_use_ivar = True  # attributes are named once, in the docstring
add_module_names = False  # all of it is imported as `sanproof.NAME`
