from __future__ import annotations

import copy
import dataclasses
import re
from html.parser import HTMLParser
from typing import TYPE_CHECKING

import pytest

from sanproof.reports.page.folder import FolderError
from sanproof.reports.scoreboard.board import board
from sanproof.reports.scoreboard.contents import read_scoreboard
from sanproof.reports.scoreboard.folder import scoreboard_files, write_scoreboard
from sanproof.reports.scoreboard.html import FAILURES, mechanism_page, scoreboard_pages
from tests.reports.scoreboard.samples import HOSTILE, RESULTS, SHA256, START, SUITE, sample

if TYPE_CHECKING:
    from pathlib import Path

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
        text = pages[mechanism_page(sample().cases[name].mechanism)].decode()
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
    pages, again = (
        scoreboard_pages(dataclasses.replace(sample(), earlier=(earlier,))) for _ in range(2)
    )
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
    board = dataclasses.replace(sample(), earlier=(other, earlier))
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
    white = board(START, {"a1": "right"}, "")
    black = board(START.replace(" w ", " b "), {"a1": "right"}, "")
    assert '<rect class="right" x="0" y="315"' in white
    assert '<rect class="right" x="315" y="0"' in black
    assert white.count("<use") == 33


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
