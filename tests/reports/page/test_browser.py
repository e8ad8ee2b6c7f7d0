"""The page in a real browser, opened from disk."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING
from urllib.parse import quote

import chess
import pytest

from proofs.rules.san import parse_san, universe
from proofs.verdicts.reasons import Reason, sentence
from reports.exports.archive import open_archive
from reports.page.shards import shard_of
from tests.verify.command import sanproof

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Page

    from reports.exports.archive import Archive
    from tests.reports.page.conftest import Visit

pytestmark = pytest.mark.browser

SAMPLE = 4
SHARDS = ("castling", "B-b2", "K-a1", "N-h8", "P-b6", "P-d8", "Q-d4", "R-a8")
JUDGE = """async ([shard, texts]) => {
    const loaded = await sanproof.load(shard);
    return texts.map((text) => {
        const found = sanproof.judge(loaded, sanproof.read(text));
        return found.sentence ?? found.verdict;
    });
}"""


def fragment(text: str) -> str:
    return "#" + quote(text, safe="")


def look_up(page: Page, text: str) -> None:
    """Type a string into the search box, and wait until the page speaks of it."""
    page.fill("#query", text)
    page.press("#query", "Enter")
    page.wait_for_function("text => document.getElementById('san').textContent === text", arg=text)


def verdict(page: Page) -> str:
    return str(page.text_content("#verdict"))


def fen(page: Page) -> str:
    return str(page.input_value("#fen"))


def expected_answers(archive: Archive) -> dict[str, str]:
    """What is to be said of every string: reachable, or the sentence of its reason."""
    answers = dict.fromkeys(archive.strings(), "reachable")
    for san, why in archive.impossible():
        answers[san] = sentence(parse_san(san), Reason(why))
    return answers


# What is said of strings


def test_every_string_of_some_shards_is_answered_as_by_explain(
    visit: Visit, published: Archive, published_page: Path
) -> None:
    answers = expected_answers(published)
    texts: dict[str, list[str]] = {name: [] for name in SHARDS}
    for san in universe():
        if (name := shard_of(san)) in texts:
            texts[name].append(str(san))
    with visit(published_page) as page:
        for name, asked in texts.items():
            assert asked
            assert page.evaluate(JUDGE, [name, asked]) == [answers[text] for text in asked]


def test_a_sample_of_every_reason_is_shown_with_its_sentence(
    visit: Visit, published: Archive, published_page: Path
) -> None:
    by_reason: dict[str, list[str]] = {why.value: [] for why in Reason}
    for san, why in published.impossible():
        by_reason[why].append(san)
    with visit(published_page) as page:
        for why, strings in by_reason.items():
            for text in random.Random(why).sample(strings, SAMPLE):
                look_up(page, text)
                assert verdict(page) == "impossible"
                assert page.text_content("#sentence") == sentence(parse_san(text), Reason(why))
                assert str(page.text_content("#rule")).startswith(f"{why}: ")
                assert page.is_hidden("#player")


@pytest.mark.parametrize("text", ["Ba1b2+", "exd7=Q", "Na1b2"])
def test_the_page_says_what_the_command_says(visit: Visit, published_page: Path, text: str) -> None:
    run = sanproof("explain", text)
    with visit(published_page, fragment(text)) as page:
        assert run.stdout.splitlines()[0].startswith(f"{text} is {verdict(page)}")
        assert run.returncode == 0 or run.stdout.splitlines()[1] == page.text_content("#sentence")


def test_a_sample_of_the_reachable_strings_is_shown_with_the_witness(
    visit: Visit, published: Archive, published_page: Path
) -> None:
    witnesses = random.Random(1).sample(list(published.witnesses()), 20)
    with visit(published_page) as page:
        for row in witnesses:
            look_up(page, row.san)
            assert verdict(page) == "reachable"
            assert fen(page).split()[:4] == row.before_fen.split()[:4]
            page.click("[data-step=on]")
            assert fen(page).split()[:4] == row.after_fen.split()[:4]


# Games


def test_a_game_is_stepped_through_as_it_was_played(
    visit: Visit, played_run: Path, played_page: Path
) -> None:
    archive = open_archive(played_run)
    games = {game.number: game for game in archive.games()}
    rows = {row.san: row for row in archive.witnesses()}
    with visit(played_page) as page:
        for san in ("exd1=N#", "Qa4xd1+", "Qxd1"):
            game = games[rows[san].game or 0]
            look_up(page, san)
            assert fen(page) == rows[san].before_fen
            page.click("[data-step=first]")
            board = chess.Board()
            assert fen(page) == board.fen()
            for move in game.sans:
                board.push_san(move)
                page.keyboard.press("ArrowRight")
                assert fen(page) == board.fen()
            assert board.is_checkmate()
            page.keyboard.press("ArrowRight")
            assert fen(page) == board.fen()
            page.click("[data-step=shown]")
            assert fen(page) == rows[san].before_fen


def test_keys_step_and_leave_the_search_box_alone(visit: Visit, played_page: Path) -> None:
    with visit(played_page, fragment("exd1=Q#")) as page:
        before = fen(page)
        page.keyboard.press("ArrowRight")
        after = fen(page)
        assert after != before
        page.keyboard.press("ArrowLeft")
        assert fen(page) == before
        page.keyboard.press("/")
        assert page.evaluate("document.activeElement.id") == "query"
        page.keyboard.press("ArrowRight")
        assert fen(page) == before
        page.focus("[data-step=first]")
        page.keyboard.press("End")
        assert chess.Board(fen(page)).is_checkmate()
        page.keyboard.press("Home")
        assert fen(page) == chess.STARTING_FEN
        page.focus("[data-step=on]")
        page.keyboard.press("Enter")
        assert fen(page) != chess.STARTING_FEN


def test_the_board_is_told_in_words_and_seen_from_the_mover(
    visit: Visit, played_page: Path
) -> None:
    with visit(played_page, fragment("exd1=N#")) as page:
        board = chess.Board(fen(page))
        told = str(page.get_attribute("#board", "aria-label"))
        king = chess.square_name(board.king(chess.WHITE) or 0)
        assert f"White: king {king}" in told
        assert page.locator("#board.orientation-black").count() == 1
        assert page.locator("#board piece:not(.anim)").count() == len(board.piece_map())
        assert "Black moves the pawn from e2 to d1, checkmate." in str(
            page.text_content("#sentence")
        )


def test_a_page_without_games_says_so(visit: Visit, page_without_games: Path) -> None:
    with visit(page_without_games, fragment("Kxd1#")) as page:
        assert verdict(page) == "reachable"
        assert page.text_content("#game-title") == (
            "This run looked for positions only, not for games."
        )
        page.keyboard.press("ArrowRight")
        assert chess.Board(fen(page)).is_checkmate()
        look_up(page, "Kxd2")
        assert (verdict(page), page.text_content("#sentence")) == (
            "not asked",
            "This page is about strings that match Kxd1*.",
        )


# What comes from elsewhere

HOSTILE = (
    "<img src=x onerror=alert(1)>",
    "</script><script>alert(1)</script>",
    "javascript:alert(1)",
    "__proto__",
    "constructor",
    "Qb6e3#\n",
    "e4\u202e",
    "e4\x00\x1b[31m",
    "Q" * 5000,
    "../../data/Q-d4",
    "{san}",
)


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_foreign_text_is_text(visit: Visit, published_page: Path, text: str) -> None:
    with visit(published_page, fragment(text)) as page:
        assert verdict(page) == "not SAN"
        shown = str(page.text_content("#san"))
        assert shown.isprintable()
        assert len(shown) <= 41
        assert page.locator("#result img, #result script").count() == 0


@pytest.mark.parametrize("address", ["#%E0%A4%A", "#%", "#Qb6e3#"])
def test_addresses_that_are_not_encoded(visit: Visit, published_page: Path, address: str) -> None:
    with visit(published_page, address) as page:
        assert page.text_content("#san") == address[1:]


@pytest.mark.parametrize(
    ("text", "meant"),
    [("0-0", "O-O"), ("nf3", "Nf3"), ("e8Q", "e8=Q"), (" Nf3! ", "Nf3"), ("♘f3", "Nf3")],
)
def test_what_was_probably_meant_is_offered(
    visit: Visit, published_page: Path, text: str, meant: str
) -> None:
    with visit(published_page, fragment(text)) as page:
        page.click(f"#siblings a:text-is('{meant}')")
        page.wait_for_function("t => document.getElementById('san').textContent === t", arg=meant)
        assert verdict(page) == "reachable"


def test_a_missing_file_is_a_sentence(visit: Visit, published_page: Path, tmp_path: Path) -> None:
    copied = tmp_path / "page"
    copied.mkdir()
    for path in published_page.glob("*.*"):
        (copied / path.name).write_bytes(path.read_bytes())
    with visit(copied, fragment("Nf3"), lacks="data") as page:
        assert page.text_content("#sentence") == "data/N-f3.js could not be loaded."


# Going about the page


def test_back_and_forward_and_the_title(visit: Visit, published_page: Path) -> None:
    with visit(published_page, fragment("Nf3")) as page:
        look_up(page, "Ke1e2")
        assert page.title().startswith("Ke1e2: impossible")
        page.go_back()
        page.wait_for_function("document.getElementById('san').textContent === 'Nf3'")
        page.go_forward()
        page.wait_for_function("document.getElementById('san').textContent === 'Ke1e2'")


def test_the_atlas_leads_to_strings(visit: Visit, published_page: Path) -> None:
    with visit(published_page) as page:
        page.check("#pieces label:has-text('bishop') input")
        page.click("#destinations button[aria-label^='b2:']")
        never = page.locator("#origins button.some")
        never.wait_for()
        assert never.all_text_contents() == ["a1"]
        never.focus()
        page.keyboard.press("ArrowUp")
        assert page.evaluate("document.activeElement.textContent") == "a3"
        page.keyboard.press("Enter")
        page.wait_for_function("document.getElementById('san').textContent === 'Ba3b2'")
        assert verdict(page) == "reachable"


def test_the_atlas_opens_a_square_when_it_is_seen_and_stays_there(
    visit: Visit, published_page: Path
) -> None:
    with visit(published_page) as page:
        page.wait_for_timeout(300)
        assert page.text_content("#origins-title") == ""  # nothing is loaded for who does not look
        page.locator("#destinations").scroll_into_view_if_needed()
        page.wait_for_selector("#origins table")
        opened = page.locator("#destinations [aria-pressed=true]")
        counts = map(int, page.locator("#destinations button").all_text_contents())
        assert int(opened.text_content() or "") == max(counts)
        square = opened.get_attribute("data-square")
        page.check("#pieces label:has-text('knight') input")
        page.wait_for_function(
            "text => document.getElementById('origins-title').textContent === text",
            arg=f"The knight to {square}",
        )
        assert opened.get_attribute("data-square") == square


def test_any_move_is_a_reachable_string(
    visit: Visit, published: Archive, published_page: Path
) -> None:
    with visit(published_page) as page:
        page.click("#random")
        page.wait_for_function("location.hash.length > 1")
        page.wait_for_selector("#player")
        assert page.text_content("#san") in published.strings()


@pytest.mark.parametrize("width", [320, 360, 768])
def test_a_narrow_screen_holds_it(visit: Visit, played_page: Path, width: int) -> None:
    with visit(played_page, fragment("Qxd1#"), viewport={"width": width, "height": 640}) as page:
        page.click("#destinations button[aria-label^='d1:']")
        page.wait_for_selector("#origins table")
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        sizes = page.eval_on_selector_all(
            ".controls button, .field button, #destinations button",
            "all => all.map((b) => Math.min(b.clientWidth, b.clientHeight))",
        )
        assert min(sizes) >= 24  # WCAG 2.5.8


def test_light_and_dark(visit: Visit, published_page: Path) -> None:
    lightness = {}
    for scheme in ("light", "dark"):
        with visit(published_page, fragment("Ba1b2+"), color_scheme=scheme) as page:
            lightness[scheme] = [lightness_of(page, part) for part in ("backgroundColor", "color")]
    assert lightness["light"][0] - lightness["light"][1] > 100
    assert lightness["dark"][1] - lightness["dark"][0] > 100


SEEN = {
    "reachable": "Qb6e3#",
    "impossible": "Ba1b2+",
    "not SAN": "0-0",
}
AXE = {"preload": False}
"""It would fetch the style sheets, which the page's policy forbids."""


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_nothing_stands_in_anybodys_way(
    visit: Visit, published_page: Path, scheme: str, width: int
) -> None:
    """As far as axe-core can tell: contrast, names, roles, order of headings, all that it has."""
    axe = pytest.importorskip(
        "axe_playwright_python.sync_playwright",
        reason="axe is not installed: `nox -s page` does it",
    )
    view = {"color_scheme": scheme, "viewport": {"width": width, "height": 900}}
    with visit(published_page, **view) as page:
        page.locator("#destinations").scroll_into_view_if_needed()
        page.wait_for_selector("#origins table")
        page.click("#never summary")
        part = None  # all of it, and then what has changed
        for expected, text in SEEN.items():
            look_up(page, text)
            assert verdict(page) == expected
            found = axe.Axe().run(page, part, AXE)
            assert found.violations_count == 0, found.generate_report()
            assert len(found.response["passes"]) > 10
            part = "#look-up"


def test_axe_notices_what_is_wrong(visit: Visit, published_page: Path) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    spoilt = """() => {
        document.getElementById("sentence").style.color = "#ccc";
        document.querySelector("[data-step=on]").removeAttribute("aria-label");
        document.querySelector("[data-step=on]").removeAttribute("title");
    }"""
    with visit(published_page, fragment("Nf3"), color_scheme="light") as page:
        page.wait_for_selector("#player:visible")
        page.evaluate(spoilt)
        violations = axe.Axe().run(page, options=AXE).response["violations"]
        assert {found["id"] for found in violations} == {"color-contrast", "button-name"}


def lightness_of(page: Page, part: str) -> float:
    colour = str(page.evaluate(f"getComputedStyle(document.body).{part}"))
    numbers = [int(n) for n in colour.removeprefix("rgb(").removesuffix(")").split(", ")]
    return sum(numbers) / 3
