"""The additions when Sphinx has made the site: aids for readers, a map."""

from pathlib import Path
from typing import Final
from xml.sax.saxutils import escape

AIDS: Final = (
    ('class="caption" role="heading">', 'class="caption" role="heading" aria-level="2">'),
    ('<aside class="sidebar-drawer"', '<aside aria-label="Site" class="sidebar-drawer"'),
    ('<aside class="toc-drawer', '<aside aria-label="Page" class="toc-drawer'),
)
"""The aids that Sphinx and Furo leave out for those who hear a page: a heading's level, names."""


def aided(out: Path) -> None:
    """Add it to all pages."""
    for path in out.rglob("*.html"):
        text = path.read_text(encoding="utf-8")
        for old, new in AIDS:
            text = text.replace(old, new)
        path.write_text(text, encoding="utf-8")


def site_map(out: Path, site: str) -> None:
    """Write ``sitemap.xml``, with every page that is to be found, and ``robots.txt``."""
    hidden = {"genindex.html", "search.html", "404.html", "py-modindex.html"}
    pages = [path for path in sorted(out.rglob("*.html")) if path.name not in hidden]
    rows = [f"<url><loc>{escape(site + p.relative_to(out).as_posix())}</loc></url>" for p in pages]
    head = '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
    (out / "sitemap.xml").write_text("\n".join([head, *rows, "</urlset>\n"]), encoding="utf-8")
    (out / "robots.txt").write_text(
        f"User-agent: *\nSitemap: {site}sitemap.xml\n", encoding="utf-8"
    )
