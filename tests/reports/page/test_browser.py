"""The page in a real browser, opened from disk: it answers as the program does."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING
from urllib.parse import quote

import pytest

from sanproof.proofs.board.malformed import is_san
from sanproof.reports.archive.door import GameRow
from sanproof.reports.exports.meant import meant
from sanproof.verify.explain.answers import look_up
from tests.reports.exports.meanings import FORMS, NOTHING, SEVERAL
from tests.reports.page.markup import EVIL

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Page

    from sanproof.reports.archive.door import Archive
    from tests.reports.conftest import Visit

pytestmark = pytest.mark.browser

IMPOSSIBLE = ("Ba1b2+", "Ke1e2", "b1=K", "e4e5")


def fragment(text: str) -> str:
    return "#" + quote(text, safe="")


def ask(page: Page, text: str) -> str:
    """Type a string into the search box; return the verdict."""
    page.fill("#query", text)
    page.press("#query", "Enter")
    page.wait_for_function("text => document.getElementById('san').textContent === text", arg=text)
    return str(page.text_content("#verdict"))


def test_the_page_answers_as_the_program_does(
    visit: Visit, published: Archive, published_page: Path
) -> None:
    asked = random.Random(7).sample(published.strings(), 12)
    with visit(published_page, fragment("Qb6e3#")) as page:
        for san in (*asked, *filter(is_san, IMPOSSIBLE)):
            answer = look_up(published, san)
            assert ask(page, san) == answer.verdict.value
            if answer.sentence:
                assert page.text_content("#sentence") == answer.sentence
                continue
            earliest = published.earliest(san)
            assert earliest is not None
            assert f"At ply {earliest.ply} " in str(page.text_content("#earliest"))
            assert f"{san} at ply {earliest.ply} " in str(page.text_content("#game-title"))
            assert page.input_value("#fen") == GameRow.of_row(earliest).fen
        assert page.locator("#board piece").count() > 2


def test_the_page_guesses_as_the_program_does(visit: Visit, published_page: Path) -> None:
    texts = [text for text in (*FORMS, *SEVERAL, *NOTHING) if not is_san(text)]
    with visit(published_page, fragment(EVIL)) as page:
        assert page.text_content("#verdict") == "not SAN"
        found = page.evaluate("texts => texts.map(sanproof.guesses)", texts)
        assert dict(zip(texts, map(tuple, found), strict=True)) == {t: meant(t) for t in texts}


def test_a_phone_shows_the_board_first(visit: Visit, published_page: Path) -> None:
    view = {"viewport": {"width": 390, "height": 800}, "color_scheme": "dark"}
    with visit(published_page, fragment("Qb6e3#"), **view) as page:
        board, verdict = (page.locator(name).bounding_box() for name in ("#board", "#verdict"))
        assert board is not None
        assert verdict is not None
        assert board["y"] < verdict["y"]
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
    for name in ("records.html", "rarities.html"):
        with visit(published_page, name=name, answered=False, **view) as page:
            assert page.evaluate("document.documentElement.scrollWidth") <= 390
