"""What the site adds to the pages that commands make: the way home, their address, a map."""

from pathlib import Path
from typing import Final
from xml.sax.saxutils import escape

MENU: Final = (
    '<nav aria-label="Site"><a href="../index.html">sanproof</a> '
    '<a href="../look-up/index.html">Look up</a> <a href="../scoreboard/index.html">Scoreboard</a> '
    '<a href="../TRUST.html">Proof</a> <a href="../quiz.html">Quiz</a> '
    '<a href="{repository}">Code</a></nav>\n'
)
HEAD: Final = (
    '<link rel="canonical" href="{address}">\n'
    '<meta property="og:title" content="{title}">\n'
    '<meta property="og:url" content="{address}">\n'
    '<meta property="og:image" content="{site}_static/board.png">\n'
    '<meta name="twitter:card" content="summary_large_image">\n</head>'
)
SECTIONS: Final = '<nav aria-label="Sections">'


def framed(folder: Path, name: str, site: str, repository: str) -> None:
    """Give each page of a folder the site's menu, a canonical address and what networks show."""
    for path in folder.glob("*.html"):
        text = path.read_text(encoding="utf-8")
        title = text.partition("<title>")[2].partition("</title>")[0]
        address = f"{site}{name}/{path.name}"
        for old, new in (
            ("</head>", HEAD.format(address=address, title=title, site=site)),
            (SECTIONS, MENU.format(repository=repository) + SECTIONS),
            ('<link rel="icon" href="data:,">', '<link rel="icon" href="../_static/icon.svg">'),
            (
                "img-src data:",
                "connect-src 'self'; img-src data: 'self'",
            ),  # robots.txt is asked for
        ):
            if old not in text:
                raise ValueError(f"{path} has no {old}")
            text = text.replace(old, new, 1)
        path.write_text(text, encoding="utf-8")


def levelled(out: Path) -> None:
    """Say the level of the headings of the menu, which Sphinx calls headings without one."""
    for path in out.glob("*.html"):
        text = path.read_text(encoding="utf-8")
        made = text.replace(
            'class="caption" role="heading">', 'class="caption" role="heading" aria-level="2">'
        )
        path.write_text(made, encoding="utf-8")


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
