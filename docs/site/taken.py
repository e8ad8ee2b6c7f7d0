"""Takes the pages that commands make into the site, so that they get its look and its navigation.

Such a page stands alone, with a head and a style of its own. Here it becomes a source for Sphinx:
its title a heading, its body raw HTML in a ``div``, and its style bound to that ``div``.
"""

import json
import re
from html import unescape
from pathlib import Path
from typing import Final

CLASS: Final = "report"
"""Of the ``div``; ``static/report.css`` gives it the site's colours."""
TITLES: Final = {"look-up/index": "Look up a string"}
"""The titles for pages whose own title is that of the home page."""
_DESCRIPTION: Final = re.compile(r'<meta name="description" content="([^"]*)">')
_STYLE: Final = re.compile(r'<link rel="stylesheet" href="([^"]+)">')
_SCRIPT: Final = re.compile(r'<script defer src="([^"]+)"></script>')
_SKIP: Final = re.compile(r'<a class="skip" .*?</a>\s*')  # the site has a link of its own
_TITLE: Final = re.compile(r"<h1>(.*?)</h1>\s*", re.DOTALL)
_BODY: Final = re.compile(r"<body>\n(.*)</body>", re.DOTALL)


def take_in(folder: Path, source: Path) -> None:
    """Move the pages of a folder into a folder of that name, as sources, and bind its styles.

    Raises:
        ValueError: A page has another form.
    """
    place = source / folder.name
    place.mkdir()
    for path in sorted(folder.glob("*.html")):
        name = f"{folder.name}/{path.stem}"
        text = path.read_text(encoding="utf-8")
        body = _SKIP.sub("", _only(_BODY, text, path))
        title = TITLES.get(name) or unescape(re.sub(r"<[^>]+>", "", _only(_TITLE, body, path)))
        body = _TITLE.sub("", body, count=1)
        for tag in ("<main", "</main"):  # the site's article is the main part already
            body = body.replace(tag, tag.replace("main", "div"), 1)
        (place / f"{path.stem}.body").write_text(
            f'<div class="{CLASS}">\n{body}</div>\n', encoding="utf-8"
        )
        head = {
            "description": unescape(_only(_DESCRIPTION, text, path)),
            "styles": " ".join([*_STYLE.findall(text), f"../_static/{CLASS}.css"]),
            "scripts": " ".join(_SCRIPT.findall(text)),
        }
        raw = f"```{{raw}} html\n:file: {path.stem}.body\n```"
        (place / f"{path.stem}.md").write_text(page(title, raw, head), encoding="utf-8")
        path.unlink()
    for path in folder.glob("*.css"):
        path.write_text(bound(path.read_text(encoding="utf-8")), encoding="utf-8")


def page(title: str, body: str, head: dict[str, str]) -> str:
    """Return a source for Sphinx, with what ``templates/page.html`` puts into its head.

    No menu names the page, and beside it stands no table of contents.
    """
    fields = [f"{name}: {json.dumps(value)}" for name, value in head.items()]
    fields += ["orphan: true", "hide-toc: true"]
    heading = re.sub(r"([\\`*_<>\[\]&#])", r"\\\1", title)
    return "\n".join(["---", *fields, "---", f"# {heading}", "", body, ""])


def bound(style: str) -> str:
    """Return a style that holds inside of the ``div`` only, whatever it says of the whole page.

    Raises:
        ValueError: It has a rule that cannot stand inside of another.
    """
    if found := re.search(r"@(?!media\b)[\w-]+", style):
        raise ValueError(f"a style has {found[0]}, which cannot be bound to a part of a page")
    own = re.sub(r"^(\s*)(?::root|body)(?= \{| ?,)", r"\1&", style, flags=re.MULTILINE)
    return f".{CLASS} {{\n{own}}}\n"


def _only(pattern: re.Pattern[str], text: str, path: Path) -> str:
    found = pattern.findall(text)
    if len(found) != 1:
        raise ValueError(f"{path} has {len(found)} times {pattern.pattern}")
    return str(found[0])
