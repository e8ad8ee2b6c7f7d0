"""The page of a scan says what the scan's files say, and nothing in it is markup."""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING

import chess
import pytest

from sanproof.proofs.rules.san import parse_san
from sanproof.reports.archive.door import open_archive
from sanproof.reports.archive.observed import open_observed
from sanproof.reports.page.folder import FolderError, write_scan_page
from sanproof.reports.page.rarities import KINDS
from sanproof.reports.page.scan_page import MAX_SHOWN, ComparedWith, scan_page
from sanproof.reports.page.scanned import read_scan
from tests.reports.page.scans import CASTLES, COUNTS, OPEN, START, write_scan
from tests.reports.page.test_templates import Elements, structure
from tests.sentences import broken
from tests.verify.command import ROOT, expect_sentence, sanproof

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager
    from pathlib import Path

    from playwright.sync_api import Page

ARCHIVE = open_archive(ROOT / "data")
OBSERVED = open_observed(ARCHIVE.directory)
PROVEN = ComparedWith(ARCHIVE.strings(), OBSERVED)
ROW = re.compile(r"<tr>\s*(<td.*?)</tr>", re.DOTALL)
CELL = re.compile(r"<td[^>]*>(.*?)</td>", re.DOTALL)
EVIL = '</p><script>alert(1)</script><img src=x onerror="alert(2)">'


def page_of(directory: Path, proven: ComparedWith = PROVEN) -> str:
    return scan_page(read_scan(directory), proven).decode()


def rows_of(page: str, caption: str) -> list[list[str]]:
    table = re.search(rf'<caption class="\w+">{caption}</caption>(.*?)</table>', page, re.DOTALL)
    assert table
    return [
        [unescape(re.sub("<[^>]*>", "", cell)) for cell in CELL.findall(row)]
        for row in ROW.findall(table[1])
    ]


def test_what_was_counted_is_shown(tmp_path: Path) -> None:
    page = page_of(write_scan(tmp_path))
    assert "13 moves of 7 games in 2 files" in page
    assert f"<strong>{len(COUNTS)}</strong> of the {len(PROVEN.strings):,} strings" in page
    shown = {what: number for what, number in rows_of(page, "What was read")}  # noqa: C416
    assert shown["games"] == "7"
    assert shown["read up to a text that is no legal move"] == "1"
    assert rows_of(page, "Files") == [["games/a.pgn", "3"], ["games/b.pgn", "4"]]
    assert rows_of(page, "Most frequent")[0] == ["e4", "5", "4"]
    assert "refuted" not in page


def test_no_sentence_breaks_where_everything_is_one(tmp_path: Path) -> None:
    found = {"source": "a", "game": 1, "ply": 1, "san": "Nf3", "fen": START}
    summary = {
        "sources": [{"name": "a", "games": 1}],
        "total": {"games": 1, "games_read": 1, "moves": 1, "lines": 4},
        "deviations": {"excess-square": 1},
        "refuting": [found],
    }
    counts = [("e4", 1, 1, "a", 1, 1)]
    page = page_of(write_scan(tmp_path, summary=summary, counts=counts, deviations=[]))
    text = unescape(re.sub("<[^>]*>", "", page))
    for words in (
        "1 move of 1 game in 1 file. 1 of the 28,938 strings that can be written was played.",
        "was played. 1 text deviates from how its move is written.",
        "1 legal move has a string that is not among the proven ones.",
        "1 string after 1 game.",
    ):
        assert words in text
    assert not broken(text), broken(text)


@pytest.mark.parametrize("title", KINDS)
@pytest.mark.usually(2)
def test_coverage_adds_up(title: str, tmp_path: Path) -> None:
    rows = rows_of(page_of(write_scan(tmp_path)), title)
    _, kind_of, _ = KINDS[title]
    assert sum(int(can.replace(",", "")) for _, can, _, _ in rows) == len(PROVEN.strings)
    for kind, _, did, _ in rows:
        assert int(did) == sum(kind_of(parse_san(str(row[0]))) == kind for row in COUNTS)


def test_the_curve_counts_the_strings_as_games_are_read(tmp_path: Path) -> None:
    page = page_of(write_scan(tmp_path))
    # e4 and e5 in the first game, Nf3 in the second, O-O in the fourth, the mate in the fifth
    assert rows_of(page, "The same in numbers") == [["1", "2"], ["7", "5"]]
    match = re.search(r'<polyline points="([^"]*)"', page)
    assert match
    assert ">5 different strings</text>" in page
    assert ">7 games read</text>" in page
    places = [tuple(map(float, point.split(","))) for point in match[1].split(" ")]
    assert places == sorted(places, key=lambda place: (place[0], -place[1]))
    assert (places[0], places[-1]) == ((0, 220), (640, 0))
    assert {round(5 * (1 - y / 220)) for _, y in places} == {0, 2, 3, 4, 5}


def test_the_rarest_are_those_that_are_rarest_elsewhere(tmp_path: Path) -> None:
    assert OBSERVED is not None
    rare = rows_of(page_of(write_scan(tmp_path)), "Rarest")
    assert rare[0][:3] == ["Qb6e3#", "1", str(OBSERVED.times["Qb6e3#"])]
    assert rare[0][3] == "b.pgn, game 2, move 31"
    assert rare[1][0] == "O-O"
    without = rows_of(page_of(tmp_path, ComparedWith(PROVEN.strings, None)), "Rarest")
    assert without[0] == ["O-O", "1", "b.pgn, game 1, move 4"]


def test_each_kind_has_its_examples_on_a_board(tmp_path: Path) -> None:
    page = page_of(write_scan(tmp_path))
    assert rows_of(page, "Kinds of deviations") == [
        ["excess-square", "2"],
        ["illegal cannot-reach", "1"],
        ["zeros-in-castling", "1"],
    ]
    boards = re.findall(r'<div class="board" data-fen="([^"]*)"([^>]*)>', page)
    assert boards == [
        (OPEN, ' data-from="g1" data-to="f3"'),
        (OPEN, ' data-from="g1" data-to="f3"'),
        (OPEN, ""),  # the text denotes no move
        (CASTLES, ' data-from="e1" data-to="g1"'),
    ]
    assert '<span class="san">Ng1f3</span>, to be written <span class="san">Nf3</span>' in page
    assert "a.pgn, line 9, game 2, move 2" in page


def test_a_scan_of_nothing(tmp_path: Path) -> None:
    empty = {"sources": [], "total": {"games": 0, "moves": 0}, "deviations": {}}
    page = page_of(write_scan(tmp_path, summary=empty, counts=[], deviations=[]))
    assert "<strong>0</strong> of the" in page
    assert "Every move that was read is canonical SAN." in page
    assert "<polyline" not in page


def test_a_refuted_theorem_is_said_first_and_loudly(tmp_path: Path) -> None:
    found = {"source": "a.pgn", "game": 3, "ply": 1, "san": "e4", "fen": START}
    fewer = ComparedWith([san for san in PROVEN.strings if san != "e4"], None)
    page = page_of(write_scan(tmp_path, summary={"refuting": [found] * (MAX_SHOWN + 1)}), fewer)
    notice = page.partition('<div class="notice" role="alert">')[2].partition("<section")[0]
    assert "The theorem is refuted" in notice
    assert f"{MAX_SHOWN + 1} legal moves" in notice
    assert notice.count("data-from") == MAX_SHOWN
    assert "<strong>4</strong> of the" in page
    assert page.index("refuted") < page.index('id="counted"')


def test_evil_names_and_texts_add_no_element(tmp_path: Path) -> None:
    pages = {}
    for text in ("plain", EVIL):
        rows = [(text, 1, 1, 1, 1, text, text, "not-san", START)]
        sources = [{"name": text, "games": 7}]
        summary = {"sources": sources, "deviations": {"not-san": 1}, "total": {text: 3}}
        counts = [("e4", 1, 1, text, 1, 1)]
        pages[text] = page_of(write_scan(tmp_path, summary=summary, counts=counts, deviations=rows))
    assert structure(pages[EVIL]) == structure(pages["plain"])
    assert EVIL in "".join(Elements(pages[EVIL]).text)
    assert "<script>" not in pages[EVIL]


# The command


def test_the_command_shows_a_scan(tmp_path: Path) -> None:
    write_scan(tmp_path / "scan")
    run = sanproof("report", str(tmp_path / "scan"))
    assert (run.returncode, run.stderr) == (0, "")
    page = tmp_path / "scan-page" / "index.html"
    assert run.stdout == f"{page}\n"
    assert page.read_text() == page_of(tmp_path / "scan")
    assert sanproof("report", str(tmp_path / "scan")).returncode == 0  # replaces its own page
    (tmp_path / "scan" / "counts.csv").write_text("no,counts\n")
    expect_sentence(sanproof("report", str(tmp_path / "scan")), 2, "is damaged", "holds no scan")


def test_the_folder_of_the_scan_is_not_written_to(tmp_path: Path) -> None:
    scan = read_scan(write_scan(tmp_path / "scan"))
    before = sorted(path.name for path in scan.directory.iterdir())
    for folder in (scan.directory, scan.directory / "page"):
        with pytest.raises(FolderError, match="apart from each other"):
            write_scan_page(scan, folder, PROVEN)
    assert sorted(path.name for path in scan.directory.iterdir()) == before


@pytest.mark.browser
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_the_boards_are_drawn_and_stand_in_nobodys_way(
    visit: Callable[..., AbstractContextManager[Page]], tmp_path: Path, scheme: str, width: int
) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    write_scan_page(read_scan(write_scan(tmp_path / "scan")), tmp_path / "page", PROVEN)
    view = {"color_scheme": scheme, "viewport": {"width": width, "height": 900}}
    with visit(tmp_path / "page", answered=False, **view) as page:
        for board, fen in zip(
            page.locator("[data-fen]").all(), (OPEN, OPEN, OPEN, CASTLES), strict=True
        ):
            board.scroll_into_view_if_needed()
            board.locator("cg-board piece").first.wait_for()
            assert board.locator("piece").count() == len(chess.Board(fen).piece_map())
        for summary in page.locator("#counted summary, #coverage summary").all():
            summary.click()
        found = axe.Axe().run(page, None, {"preload": False})
        assert found.violations_count == 0, found.generate_report()
        assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.browser
def test_no_board_is_blank_on_paper(
    visit: Callable[..., AbstractContextManager[Page]], tmp_path: Path
) -> None:
    """A board is drawn when it comes near the window; paper has no window."""
    write_scan_page(read_scan(write_scan(tmp_path / "scan")), tmp_path / "page", PROVEN)
    view = {"width": 1100, "height": 100}
    with visit(tmp_path / "page", answered=False, viewport=view) as page:
        blank = page.locator("[data-fen]:empty")
        assert blank.count() > 0
        page.pdf()
        assert blank.count() == 0
