"""All that the scoreboard writes, of results that a stranger sent."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest

from sanproof.reports.scoreboard.folder import scoreboard_files
from tests.reports.scoreboard.samples import FAILED, answers, library, sample

ATTACKS = [
    "<script>alert(1)</script>",
    "x](javascript:alert(1)) <img src=x onerror=alert(1)>",
    "\x1b[31mred\x07",
    "\n\n# A heading\n\n<script>alert(1)</script>",
    "| a | cell |",
]
FIELDS = ("version", "language", "settings", "registry", "licence", "ended", "key")


class Page(HTMLParser):
    """What a browser makes of a page: its scripts, handlers and links."""

    def __init__(self) -> None:
        super().__init__()
        self.scripts = 0
        self.handlers: list[str] = []
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.scripts += tag == "script"
        self.handlers += [name for name, _ in attrs if name.startswith("on")]
        self.links += [value or "" for name, value in attrs if name in {"href", "src"}]


def whole(made: dict[str, bytes]) -> Page:
    """All pages of a scoreboard."""
    return read(b"".join(text for name, text in made.items() if name.endswith(".html")))


def read(text: bytes) -> Page:
    page = Page()
    page.feed(text.decode())
    return page


@pytest.mark.parametrize("attack", ATTACKS)
@pytest.mark.parametrize("home", ["javascript:alert(1)", "https://x)<script>", "data:,x\x1b"])
def test_nothing_of_a_strangers_results_is_markdown_or_html(attack: str, home: str) -> None:
    foreign = library(
        f"evil{attack}",
        answers(check_none_1_read=FAILED | {"answer": attack, "message": attack}),
        **dict.fromkeys(FIELDS, attack),
        home=home,
        notes=[attack],
        en_passant=[attack],
    )
    honest = whole(scoreboard_files(sample()))
    made = scoreboard_files(sample(libraries=[foreign, library("best", answers())], date=attack))
    page = whole(made)
    assert page.scripts == honest.scripts
    assert page.handlers == []
    foreign_links = set(page.links) - set(honest.links)
    assert not [link for link in foreign_links if re.match("(?i)javascript:|data:", link)]
    texts = [text for name, text in made.items() if name.endswith((".md", ".html", ".svg"))]
    assert len(texts) == 9
    for text in texts:
        assert b"\x1b" not in text
        assert b"\x07" not in text
    for name, text in made.items():
        if name.endswith(".md"):
            check_markdown(text.decode())
    assert b'"home": "javascript' not in made["scoreboard.json"]


def check_markdown(text: str) -> None:
    """No element, no link but those of the web, no line that a stranger began."""
    outside = re.sub("(`+) ?.*? ?\\1", "", text)
    assert not re.search(r"(?<!\\)<", outside)
    for address in re.findall(r"(?<!\\)\]\(([^)]*)\)", outside):
        assert address.startswith("https://")
    assert not re.search(r"^# A heading", text, re.MULTILINE)
    rows = [line for line in text.splitlines() if line.startswith("|")]
    for row in rows:
        assert not re.search(r"(?<!\\)\| a (?<!\\)\|", row)
