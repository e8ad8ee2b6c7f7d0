"""The pages and badges of the scoreboard, also of results that a stranger sent."""

import copy
import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from conformance.scoreboard.contents import read_scoreboard
from conformance.scoreboard.pages import (
    COLOURS,
    FAILURES,
    _board,
    badge,
    badge_endpoint,
    badge_message,
    page_of,
    scoreboard_files,
    scoreboard_pages,
    write_scoreboard,
)
from sanproof.reports.page.folder import FolderError
from tests.conformance.scoreboard.samples import (
    FAILED,
    HOSTILE,
    RESULTS,
    SHA256,
    START,
    SUITE,
    answers,
    library,
    sample,
)

PAGES = scoreboard_pages(sample())
VOID = {"meta", "link", "input", "img", "br"}


class Structure(HTMLParser):
    """Opens and closes, ids, references and scripts of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.names: list[str] = []
        self.uses: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.append(tag)
        values = dict(attrs)
        if values.get("id"):
            self.ids.append(str(values["id"]))
        if tag == "use":
            self.uses.add(str(values["href"]).removeprefix("#"))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.mark.parametrize("name", scoreboard_pages(sample()))
def test_each_page_is_well_formed_and_its_ids_are_its_own(name: str) -> None:
    page = Structure()
    page.feed(scoreboard_pages(sample())[name].decode())
    assert page.open == []
    assert len(page.ids) == len(set(page.ids))
    assert page.uses <= set(page.ids)


def test_every_failure_has_its_board_and_what_came() -> None:
    pages = scoreboard_pages(sample())
    texts = ""
    for name in sample().by_case:
        text = pages[page_of(sample().cases[name].mechanism)].decode()
        start = f'<section class="case" id="case-{re.escape(name)}"'
        (entry,) = re.findall(rf"{start}.*?</dl>", text, re.DOTALL)
        assert "game" in name or '<svg class="position"' in entry
        assert "expected" in entry
        texts += text
    assert "a2a3" in texts


def test_every_failure_stands_in_the_list_with_who_fails_and_leads_to_its_board() -> None:
    pages = scoreboard_pages(sample())
    pattern = (
        r'<li data-operation="(\w+)" data-libraries="([^"]*)"><a href="([^"#]*)#case-([^"]*)">'
    )
    found = re.findall(pattern, pages[FAILURES].decode())
    assert [name for *_, name in found] == list(sample().by_case)
    for operation, libraries, page, name in found:
        assert operation == sample().cases[name].operation
        assert libraries.split() == [run.slug for run, _ in sample().by_case[name]]
        assert f'id="case-{name}"' in pages[page].decode()


def test_every_link_between_the_pages_has_its_page() -> None:
    made = scoreboard_files(sample())
    for name, content in made.items():
        for link in re.findall(r'href="([^":#]+)["#]', content.decode() if name in PAGES else ""):
            assert link in made, f"{name} leads to {link}"


def test_results_from_before_stand_beside_those_of_today() -> None:
    """Of libraries that were asked on both days; the others have nothing to compare."""
    before = copy.deepcopy(RESULTS)
    before["date"] = "2026-01-01"
    before["libraries"] = [before["libraries"][0] | {"version": "0.9"}]
    before["libraries"][0]["cases"][1] = {"id": "check.none.1.read", "outcome": "passed"}
    earlier = read_scoreboard(SUITE, SHA256, [("before", before)], {})
    pages, again = (scoreboard_pages(replace(sample(), earlier=(earlier,))) for _ in range(2))
    assert pages == again
    (section,) = re.findall(r'id="history".*?</section>', pages["index.html"].decode(), re.DOTALL)
    assert re.findall(r"<span>([^<]*)</span>", section) == [
        "library",
        "2026-01-01, suite 1.0.0",
        "2026-01-31, suite 1.0.0",
    ]
    assert re.findall(r"<t[hd][^>]*>([^<]+)</t[hd]>", section) == [
        "worst 1.0",
        "0.9: 6 of 7",
        "1.0: 7 of 7",
    ]
    before["libraries"][0]["settings"] = "of those days"
    other = read_scoreboard(SUITE, SHA256, [("before", before)], {})
    board = replace(sample(), earlier=(other, earlier))
    page = scoreboard_pages(board)["index.html"].decode()
    assert "<td></td><td>0.9: 6 of 7</td><td>1.0: 7 of 7</td>" in page
    assert "No library was asked before" in scoreboard_pages(sample())["index.html"].decode()


def test_the_board_marks_what_is_right_and_what_came() -> None:
    text = scoreboard_pages(sample())["failures-check.none.html"].decode()
    (entry,) = re.findall(r'id="case-check.none.1.read".*?</svg>', text, re.DOTALL)
    marks = re.findall(r'<rect class="(\w+)" x="(\d+)" y="(\d+)"', entry)
    assert sorted(marks) == [
        ("right", "180", "180"),
        ("right", "180", "270"),
        ("wrong", "0", "225"),
        ("wrong", "0", "270"),
    ]


def test_a_library_that_was_not_installed_is_said() -> None:
    text = scoreboard_pages(sample())["index.html"].decode()
    assert "not asked; could not be installed: no wheel" in text


def test_foreign_text_stays_text() -> None:
    text = b"".join(scoreboard_pages(sample()).values()).decode()
    assert HOSTILE not in text
    assert "<img" not in text
    assert "\u202e" not in text
    assert "&lt;/script&gt;" in text


def test_the_board_of_the_player_to_move_stands_upright() -> None:
    case = sample().cases["check.none.1.read"]
    boards = [
        _board(replace(case, fen=fen), sample()) for fen in (START, START.replace(" w ", " b "))
    ]
    rooks = [board and board.pieces[0] for board in boards]
    assert rooks == [("white-rook", 0, 315), ("white-rook", 315, 0)]
    assert all(board and len(board.pieces) == 32 for board in boards)
    assert _board(replace(case, fen="9/8 w - - 0 1"), sample()) is None


def test_every_library_has_its_files_and_the_page_names_them(tmp_path: Path) -> None:
    made = scoreboard_files(sample())
    page = made["index.html"].decode()
    for run in sample().runs:
        for name in (f"reports/{run.slug}.md", f"badges/{run.slug}.svg", f"badges/{run.slug}.json"):
            assert name in made
            assert f'href="{name}"' in page
    write_scoreboard(sample(), tmp_path / "board")
    for name, content in made.items():
        assert (tmp_path / "board" / name).read_bytes() == content
    write_scoreboard(sample(), tmp_path / "board")  # an earlier one is replaced


def test_a_folder_with_something_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("mine", "ascii")
    with pytest.raises(FolderError, match="something other than a page"):
        write_scoreboard(sample(), tmp_path)
    assert (tmp_path / "mine").read_text("ascii") == "mine"


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


@pytest.mark.parametrize(
    ("title", "said"),
    [
        ("best 1.0", ("7 of 7", "green")),
        ("reader 1.0", ("3 of 3", "green")),
        ("best 1.0 (strict: all)", ("6 of 7", "red")),
        ("worst 1.0", ("0 of 7", "red")),
        ("absent 1.0", ("not tested", "grey")),
    ],
)
def test_what_badges_say(title: str, said: tuple[str, str]) -> None:
    board = sample()
    run = next(run for run in board.runs if run.title == title)
    assert badge_message(board, run) == said
    content = json.loads(badge_endpoint(board, run))
    assert content == {
        "schemaVersion": 1,
        "label": "SAN conformance",
        "message": said[0],
        "color": COLOURS[said[1]],
    }
    svg = ET.fromstring(badge(board, run))
    assert svg.get("aria-label") == f"SAN conformance: {said[0]}"


def luminance(colour: str) -> float:
    """WCAG 2.2's relative luminance."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("colour", [*COLOURS.values(), "#444444"])
def test_white_text_can_be_read_on_each_colour(colour: str) -> None:
    assert 1.05 / (luminance(colour) + 0.05) >= 4.5
