"""The page in a real browser, opened from disk."""

from __future__ import annotations

import io
import random
import re
from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING
from urllib.parse import quote

import chess
import chess.pgn
import pytest

from sanproof.proofs.rules.san import parse_san, universe
from sanproof.proofs.rules.squares import square_name
from sanproof.proofs.theory.pictures import picture
from sanproof.proofs.theory.reasons import Reason, sentence
from sanproof.reports.archive.door import open_archive
from sanproof.reports.page.contents import read_contents
from sanproof.reports.page.shards import shard_of
from tests.reports.exports.test_meant import FORMS

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Locator, Page

    from sanproof.reports.archive.door import Archive
    from sanproof.reports.page.contents import Contents
    from tests.reports.conftest import Visit

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


# Texts about strings


def test_every_string_of_some_shards_is_answered_as_by_explain(
    visit: Visit, published: Archive, published_page: Path
) -> None:
    answers = dict.fromkeys(published.strings(), "reachable")
    answers |= {san: sentence(parse_san(san), Reason(why)) for san, why in published.impossible()}
    texts: dict[str, list[str]] = {name: [] for name in SHARDS}
    for san in universe():
        if (name := shard_of(san)) in texts:
            texts[name].append(str(san))
    with visit(published_page) as page:
        for name, asked in texts.items():
            assert asked
            assert page.evaluate(JUDGE, [name, asked]) == [answers[text] for text in asked]


MARKS = """async () => {
    const frame = () => new Promise(requestAnimationFrame); // the board is drawn in one
    await frame();
    await frame();
    return [...document.querySelectorAll("#why-board square")]
    .map((e) => [e.cgKey, e.className.replace("mark-", "")]);
}"""


def test_a_picture_says_why_as_the_command_does(
    visit: Visit, published: Archive, published_page: Path
) -> None:
    """The marks of the page, where a script computes them, are those of Python, for each reason."""
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
                shown = picture(parse_san(text), playable=why == Reason.NO_CHECK.value)
                assert shown is not None
                told = {square_name(square): mark for square, mark in shown.marks.items()}
                assert dict(page.evaluate(MARKS)) == told, text
                kinds = set(told.values())
                assert page.locator("#legend li").count() == len(kinds)
        look_up(page, "Qb6e3#")
        assert page.is_hidden("#why")


ROLES = {letter: chess.piece_name(chess.PIECE_SYMBOLS.index(letter)) for letter in "pnbrqk"}


def expected_sentence(board: chess.Board, move: chess.Move) -> str:
    """Return the sentence for a move, from python-chess's view of it."""
    side = "White" if board.turn else "Black"
    piece = ROLES[str(board.piece_at(move.from_square)).lower()]
    start, end = map(chess.square_name, (move.from_square, move.to_square))
    if board.is_en_passant(move):
        parts = [f"takes the pawn on {end[0]}{start[1]} in passing, landing on {end}"]
    elif board.is_capture(move):
        parts = [f"takes the {ROLES[str(board.piece_at(move.to_square)).lower()]} on {end}"]
    else:
        parts = [f"goes to {end}"]
    if move.promotion:
        parts.append(f"becomes a {chess.piece_name(move.promotion)}")
    subject = f"The {piece} on {start}"
    if board.is_castling(move):
        subject = side
        parts = [f"castles {'kingside' if board.is_kingside_castling(move) else 'queenside'}"]
    if board.gives_check(move):
        board.push(move)
        parts.append("gives checkmate" if board.is_checkmate() else "gives check")
        board.pop()
    does = " and ".join([*filter(None, [", ".join(parts[:-1])]), parts[-1]])
    return f"{side} to move. {subject} {does}."


def test_a_string_of_each_form_is_shown_in_its_game_with_how_often_it_was_played(
    visit: Visit, published: Archive, contents: Contents, published_page: Path
) -> None:
    observed = published.observed
    assert observed is not None
    assert contents.games is not None
    strings = published.strings()
    by_form: dict[tuple[object, ...], list[str]] = {}
    for san in contents.reachable:
        form = (san.piece, san.capture, san.promotion, san.suffix, bool(san.file), bool(san.rank))
        by_form.setdefault(form, []).append(str(san))
    asked = [random.Random(2).choice(strings) for strings in by_form.values()]
    asked.append(next(san for san in strings if san not in observed.times))
    asked.append(next(san for san, times in observed.times.items() if times == 1))
    with visit(published_page) as page:
        for text in asked:
            look_up(page, text)
            assert verdict(page) == "reachable"
            first = contents.games.moments[text][0]
            board = chess.Board()
            for move in contents.games.moves[first.game].split()[: first.ply]:
                board.push_san(move)
            assert fen(page) == board.fen()
            shown = str(page.text_content("#sentence"))
            assert shown.startswith(expected_sentence(board, board.parse_san(text)))
            san = parse_san(text)
            told_apart = san.piece in tuple("BNQR") and bool(san.file + san.rank)
            assert ("could go there too." in shown) == told_apart
            assert page.text_content("#seen") == observed.sighting(text).sentence()
            page.click("[data-step=on]")
            board.push_san(text)
            assert fen(page) == board.fen()
        look_up(page, "Ba1b2+")
        assert page.text_content("#seen") == ""


FACTORS = {"": 1, "k": 10**3, "M": 10**6, "bn": 10**9}


def expect_about(cell: Locator, number: int) -> None:
    """Expect a number that is shown in four characters."""
    match = re.fullmatch(r"(\d+(?:\.\d)?)(k|M|bn|)", str(cell.text_content()))
    assert match
    assert float(match[1]) * FACTORS[match[2]] == pytest.approx(number, rel=0.06)


def test_the_atlas_shows_how_often_strings_were_played(
    visit: Visit, published: Archive, published_page: Path
) -> None:
    observed = published.observed
    assert observed is not None
    squares: Counter[str] = Counter()
    for san, times in observed.times.items():
        if san.startswith("Q"):
            squares[parse_san(san).destination] += times
    with visit(published_page, fragment("Qb6e3#")) as page:
        assert page.is_hidden("#scale")
        page.check("#colours label:has-text('times played') input")
        page.wait_for_selector("#scale .played")
        shades = {}
        for cell in page.locator("#destinations button").all():
            square = str(cell.get_attribute("data-square"))
            expect_about(cell, squares[square])
            assert f"Played {squares[square]:,} times" in str(cell.get_attribute("aria-label"))
            shades[square] = float(cell.evaluate("b => b.style.getPropertyValue('--share')"))
        in_order = sorted(shades, key=lambda square: squares[square])
        assert sorted(shades.values()) == [shades[square] for square in in_order]
        assert (shades[in_order[0]], shades[in_order[-1]]) == (0, 1)
        origins = page.locator("#origins button[data-times]").all()
        for cell in origins:
            label = str(cell.get_attribute("title"))
            numbers = [int(n) for n in re.findall(r"\S+ (\d+)", label)]
            assert int(str(cell.get_attribute("data-times"))) == sum(numbers)
            strings = re.findall(r"(\S+) (?:\d+|never)", label)
            assert sum(observed.times.get(san, 0) for san in strings) == sum(numbers)
            assert ("unplayed" in str(cell.get_attribute("class"))) == (sum(numbers) == 0)
            expect_about(cell.locator("small"), sum(numbers))
        assert len(origins) > 60
        page.check("#colours label:has-text('strings') input")
        assert page.is_hidden("#scale")
        assert page.locator("#origins button[data-times]").count() == 0


def test_a_capture_in_passing_is_called_one(visit: Visit, published_page: Path) -> None:
    """None of the positions of the published data holds one, so this is a game of its own."""
    show = """moves => {
        const ply = moves.split(" ").length - 1;
        sanproof.player.show({ games: [[1, moves]] }, ["exd6", [[0, ply]]]);
    }"""
    with visit(published_page) as page:
        page.evaluate(show, "e4 a6 e5 d5 exd6")
        assert page.text_content("#sentence") == (
            "White to move. The pawn on e5 takes the pawn on d5 in passing, landing on d6."
        )


# Games


def test_both_players_games_are_stepped_through_as_they_were_played(
    visit: Visit, played_run: Path, played_page: Path
) -> None:
    games = read_contents(open_archive(played_run)).games
    assert games is not None
    with visit(played_page) as page:
        for san, count in {"exd1=N#": 1, "Qa4xd1+": 2, "Qxd1": 2}.items():
            look_up(page, san)
            assert len(games.moments[san]) == count
            for moment in games.moments[san]:
                side = "Black" if moment.ply % 2 else "White"
                if count > 1:
                    page.click(f'#players button:text-is("{side}\'s game")')
                else:
                    assert page.is_hidden("#players")
                    assert "Only Black can play exd1=N#" in str(page.text_content("#game-title"))
                assert str(page.text_content("#sentence")).startswith(f"{side} to move.")
                board, shown = chess.Board(), fen(page)
                page.click("[data-step=first]")
                for ply, move in enumerate(games.moves[moment.game].split()):
                    assert fen(page) == board.fen()
                    assert ply != moment.ply or shown == board.fen()
                    board.push_san(move)
                    page.keyboard.press("ArrowRight")
                assert board.is_checkmate()
                page.keyboard.press("ArrowRight")
                assert fen(page) == board.fen()


def test_keys_step_and_leave_the_search_box_alone(visit: Visit, played_page: Path) -> None:
    with visit(played_page, fragment("exd1=Q#")) as page:
        before = fen(page)
        board = chess.Board(before)  # described in words, and seen from the mover
        king = chess.square_name(board.king(chess.WHITE) or 0)
        assert f"White: king {king}" in str(page.get_attribute("#board", "aria-label"))
        assert page.locator("#board.orientation-black").count() == 1
        assert page.locator("#board piece:not(.anim)").count() == len(board.piece_map())
        page.keyboard.press("ArrowRight")
        after = fen(page)
        assert after != before
        page.keyboard.press("ArrowLeft")
        assert fen(page) == before
        page.keyboard.press("/")
        assert page.evaluate("document.activeElement.id") == "query"
        page.keyboard.press("ArrowRight")
        assert fen(page) == before
        page.keyboard.press("Enter")  # after typing, the arrow keys step through the game
        page.wait_for_function("() => document.activeElement.id === 'result'")
        page.keyboard.press("ArrowRight")
        assert fen(page) == after
        page.focus("[data-step=first]")
        page.keyboard.press("End")
        assert chess.Board(fen(page)).is_checkmate()
        page.keyboard.press("Home")
        assert fen(page) == chess.STARTING_FEN
        assert page.get_attribute("#lichess", "href") == (
            f"https://lichess.org/analysis/{chess.STARTING_FEN.replace(' ', '_')}"
        )
        turned = page.locator("#board.orientation-black").count()
        page.keyboard.press("f")
        assert page.locator("#board.orientation-black").count() != turned
        page.focus("[data-step=on]")
        page.keyboard.press("Enter")
        assert fen(page) != chess.STARTING_FEN


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


# Data from elsewhere

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


def test_foreign_text_is_text(visit: Visit, published_page: Path) -> None:
    for text in HOSTILE:
        with visit(published_page, fragment(text)) as page:
            assert verdict(page) == "not SAN"
            shown = str(page.text_content("#san"))
            assert shown.isprintable()
            assert len(shown) <= 41
            assert page.locator("#result img, #result script").count() == 0
    for address in ("#%E0%A4%A", "#%", "#Qb6e3#"):  # not encoded
        with visit(published_page, address) as page:
            assert page.text_content("#san") == address[1:]


MEANT = {text: [san] for text, san in FORMS.items()} | {
    "e4-d5": ["exd5"],
    "Ng1-f3": ["Nf3", "Ngf3", "N1f3", "Ng1f3"],
    "ng1-f3+": ["Nf3+", "Ngf3+", "N1f3+", "Ng1f3+"],
    "N f3": ["Nf3"],
    "Nf3++": ["Nf3+", "Nf3#"],
    "1. e4 e5 2. NF3": ["e4", "e5", "Nf3"],
    "Sf3": ["Nf3"],
    "Dxd8+": ["Qxd8+"],
    "Axb5": ["Bxb5", "axb5"],
    "BB5": ["Bb5", "bb5"],
    "e7e8q": ["e7e8=Q"],  # strings of the grammar, which the page then judges
    "e7d8q": ["e7d8=Q"],
    **{key: [] for key in ("e4$1", "Qh4+#", "hello", "e9", "...", "1-0", "e4 hello")},
}
"""The guesses of the page: those of the command, and more where a text may mean more."""


def test_what_was_probably_meant_is_offered(
    visit: Visit, contents: Contents, published_page: Path
) -> None:
    with visit(published_page, fragment("Ng1-f3")) as page:
        found = page.evaluate("texts => texts.map(sanproof.guesses)", list(MEANT))
        assert dict(zip(MEANT, found, strict=True)) == MEANT
        strings = [str(san) for san in contents.reachable[::97]]
        spoilt = [f"{a} {b}" for a, b in pairwise(strings)] + [s.swapcase() for s in strings]
        for text in (strings, spoilt):  # a string is never its own guess, and each guess is one
            guesses = page.evaluate("texts => texts.map(sanproof.guesses)", text)
            for asked, guessed in zip(text, guesses, strict=True):
                assert asked not in map(str, map(parse_san, guessed))
        offered = page.text_content("#siblings")
        assert offered == "Did you mean Nf3, Ngf3, N1f3 or Ng1f3?"
        page.click("#siblings a:text-is('Ngf3')")
        page.wait_for_function("() => document.getElementById('san').textContent === 'Ngf3'")
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
        page.wait_for_function("() => document.getElementById('san').textContent === 'Nf3'")
        page.go_forward()
        page.wait_for_function("() => document.getElementById('san').textContent === 'Ke1e2'")


LOADED = "document.querySelectorAll('script[src^=\"data/\"]').length"


def test_the_atlas_leads_to_strings_and_shows_the_one_looked_up(
    visit: Visit, published_page: Path
) -> None:
    """Until a square is chosen in it."""

    def expect_title(text: str) -> None:
        page.wait_for_function(
            "text => document.getElementById('origins-title').textContent === text", arg=text
        )

    with visit(published_page, fragment("Nxf3+")) as page:
        page.wait_for_selector("#origins table", state="attached")
        expect_title("The knight to f3")
        assert page.get_attribute("#destinations [aria-pressed=true]", "data-square") == "f3"
        assert page.evaluate(LOADED) == 1  # what was loaded for the answer
        page.check("#pieces label:has-text('rook') input")
        expect_title("The rook to f3")
        page.click("#destinations [data-square=c4]")
        expect_title("The rook to c4")
        look_up(page, "Ba1")
        expect_title("The rook to c4")
        page.check("#pieces label:has-text('bishop') input")
        page.click("#destinations button[aria-label^='b2:']")
        expect_title("The bishop to b2")
        never = page.locator("#origins button.some")
        assert never.all_text_contents() == ["a1"]
        never.focus()
        page.keyboard.press("ArrowUp")
        assert page.evaluate("document.activeElement.textContent") == "a3"
        page.keyboard.press("Enter")
        page.wait_for_function("() => document.getElementById('san').textContent === 'Ba3b2'")
        assert verdict(page) == "reachable"


def test_the_atlas_is_full_when_it_is_seen(visit: Visit, published_page: Path) -> None:
    for address in ("#atlas", "#O-O", "#hello"):
        with visit(published_page, address, answered=address != "#atlas") as page:
            page.locator("#destinations").scroll_into_view_if_needed()
            page.wait_for_selector("#origins table")
            opened = page.locator("#destinations [aria-pressed=true]")
            counts = map(int, page.locator("#destinations button").all_text_contents())
            assert int(opened.text_content() or "") == max(counts)


IN_SIGHT = """() => {
    const { top, bottom } = document.getElementById("san").getBoundingClientRect();
    return top >= 0 && bottom <= innerHeight;
}"""


@pytest.mark.parametrize("width", [390, 1100])
def test_links_far_down_and_from_afar_lead_to_the_answer(
    visit: Visit, published_page: Path, width: int
) -> None:
    with visit(published_page, fragment("Nf3"), viewport={"width": width, "height": 700}) as page:
        page.wait_for_function(IN_SIGHT)  # a link that was sent shows its answer on a phone
        for section in ("kinds", "never"):
            page.locator(f"#{section} summary").last.click()
            link = page.locator(f"#{section} a.san:visible").last
            text = link.text_content()
            link.scroll_into_view_if_needed()
            assert not page.evaluate(IN_SIGHT)
            link.click()
            page.wait_for_function(
                "text => document.getElementById('san').textContent === text", arg=text
            )
            page.wait_for_function(IN_SIGHT)
            page.locator(f"#{section} a.san:visible").last.click()  # the same string once more
            page.wait_for_function(IN_SIGHT)
            page.go_back()
        page.click("nav a[href='#downloads']")
        page.wait_for_function("() => location.hash === '#downloads'")
        assert page.locator("#downloads").is_visible()


CLIPBOARD = {"permissions": ["clipboard-read", "clipboard-write"]}


@pytest.mark.parametrize("newer", [True, False], ids=["clipboard", "execCommand"])
def test_position_game_and_link_can_be_copied(
    visit: Visit, played_page: Path, *, newer: bool
) -> None:
    def copied(what: str) -> str:
        page.click(f"[data-copy={what}]")
        name = {"fen": "FEN", "pgn": "PGN", "link": "link"}[what]
        page.wait_for_function(
            "text => document.getElementById('copied').textContent === text", arg=f"{name} copied."
        )
        return str(page.evaluate("navigator.clipboard.readText()"))

    with visit(played_page, **CLIPBOARD) as page:
        if not newer:
            page.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject(0); }")
        look_up(page, "Qxd1+")
        assert copied("fen") == fen(page)
        text = copied("pgn")
        game = chess.pgn.read_game(io.StringIO(text))
        assert game is not None
        assert game.errors == []
        sans = [node.san() for node in game.mainline()]
        assert sans == page.locator("#moves button").all_text_contents()
        assert game.end().board().result() == game.headers["Result"]
        assert max(map(len, text.splitlines())) < 80  # PGN standard 8.2.1
        link = copied("link")
        page.goto("about:blank")
        page.goto(link)
        page.wait_for_function("() => document.getElementById('san').textContent === 'Qxd1+'")


def test_who_alone_can_play_a_string_is_said(
    visit: Visit, published: Archive, published_page: Path
) -> None:
    """It is proved, and so no matter of the games of this run."""
    with visit(published_page) as page:
        for san, said in (("a8=Q", "White"), ("a1=Q", "Black"), ("Nf3", None)):
            look_up(page, san)
            page.wait_for_selector("#player")
            text = page.inner_text("main")
            assert ("Only" in text) == (said is not None)
            assert said is None or f"Only {said} can play {san}." in text
        page.click("#random")
        page.wait_for_function("() => !document.getElementById('san').textContent.match('^Nf3$')")
        page.wait_for_selector("#player")
        assert page.text_content("#san") in published.strings()


SEEN = {"reachable": "Qb6e3#", "impossible": "Ba1b2+", "not SAN": "0-0"}
AXE = {"preload": False}
"""It would fetch the style sheets, which the page's policy forbids."""


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [320, 1280])
def test_nothing_stands_in_anybodys_way(
    visit: Visit, published_page: Path, scheme: str, width: int
) -> None:
    """As far as axe-core can tell: contrast, names, roles, order of headings, all that it has."""
    axe = pytest.importorskip(
        "axe_playwright_python.sync_playwright",
        reason="axe is not installed: `nox -s browser` does it",
    ).Axe()

    def expect_nothing(part: str | None) -> None:
        found = axe.run(page, part, AXE)
        assert found.violations_count == 0, found.generate_report()
        assert len(found.response["passes"]) > 5
        assert page.evaluate("document.documentElement.scrollWidth") <= width

    view = {"color_scheme": scheme, "viewport": {"width": width, "height": 900}}
    with visit(published_page, **view) as page:
        page.locator("#destinations").scroll_into_view_if_needed()
        page.wait_for_selector("#origins table")
        for summary in page.locator("summary").all():
            summary.click()
        part = None  # all of it, and then what has changed
        for expected, text in SEEN.items():
            look_up(page, text)
            assert verdict(page) == expected
            expect_nothing(part)
            part = "#look-up"
        look_up(page, "Qxd1#")
        sizes = page.eval_on_selector_all(
            ".controls button, .field button, #destinations button",
            "all => all.map((b) => Math.min(b.clientWidth, b.clientHeight))",
        )
        assert min(sizes) >= 24  # WCAG 2.5.8
        page.check("#colours label:has-text('times played') input")
        for piece in ("queen", "king", "pawn"):
            page.check(f"#pieces label:has-text('{piece}') input")
            page.wait_for_selector("#origins .played", state="attached")
            expect_nothing("#atlas")
        page.goto((published_page / "rarities.html").as_uri())
        for summary in page.locator("#often summary, #never summary >> nth=1").all():
            summary.click()
        expect_nothing(None)
        page.goto((published_page / "index.html").as_uri() + fragment("Nf3"))
        page.wait_for_selector("#player:visible")  # and axe notices what is wrong
        page.evaluate("""() => {
            document.getElementById("sentence").style.color = "#ccc";
            document.querySelector("[data-step=on]").removeAttribute("aria-label");
            document.querySelector("[data-step=on]").removeAttribute("title");
        }""")
        violations = axe.run(page, options=AXE).response["violations"]
        wrong = {found["id"] for found in violations}
        assert wrong >= {"button-name", *(["color-contrast"] if scheme == "light" else [])}
