"""The claims of the texts about the answer, against the published lists and tables."""

import csv
import re
from collections import Counter
from collections.abc import Callable, Collection
from functools import cache
from typing import Final

import pytest

from sanproof.proofs.kernel.files import GAMES, read_bytes, text_of
from sanproof.proofs.rules.cubes import BLACK, WHITE
from sanproof.proofs.rules.san import San, parse_san
from sanproof.reports.archive.door import open_archive
from tests.verify.command import ROOT

ARCHIVE: Final = open_archive()
REACHABLE: Final = frozenset(ARCHIVE.strings())
BARE: Final = [parse_san(san) for san in ARCHIVE.strings(bare=True)]
README, TRUST, QUESTION, DATA = (
    (ROOT / name).read_text(encoding="utf-8")
    for name in ("README.md", "TRUST.md", "docs/question.md", "docs/data.md")
)
PIECES: Final = {"queen": "Q", "rook": "R", "bishop": "B", "knight": "N", "pawn": "", "king": "K"}
CORNERS: Final = ("a1", "a8", "h1", "h8")


def is_quiet_rook(san: San) -> bool:
    """Check for a rook named by its file: to a corner; or quietly as in Raa2 to Rhh7."""
    along_an_edge_file = san.file + san.destination[0] in ("aa", "ah", "ha", "hh")
    quiet = not san.capture and san.destination[1] in "234567"
    is_there = san.destination in CORNERS or (quiet and along_an_edge_file)
    return bool(san.file) and not san.rank and is_there


def is_quiet_queen(san: San) -> bool:
    """Check for a queen named by its square: diagonally to a corner, or quietly beside one."""
    if not (san.file and san.rank):
        return False
    file, rank = (
        abs(ord(a) - ord(b)) for a, b in zip(san.file + san.rank, san.destination, strict=True)
    )
    if san.destination in CORNERS:
        return file == rank
    beside = san.destination[0] in "abgh" and san.destination[1] in "1278"
    return file == rank == 2 and beside and not san.capture


def is_quiet_bishop(san: San) -> bool:
    """Check for a bishop named by its square: quietly from a corner, up to three squares."""
    is_there = san.file + san.rank in CORNERS and not san.capture
    return is_there and abs(ord(san.file) - ord(san.destination[0])) <= 3


QUIET: Final[dict[str, Callable[[San], bool]]] = {
    "rook": is_quiet_rook,
    "queen": is_quiet_queen,
    "bishop": is_quiet_bishop,
}
"""The moves that never give check, as they are described."""


def by_suffix(strings: Collection[str]) -> list[int]:
    """Count those that have no suffix, ``+`` and ``#``."""
    counts = Counter(san[-1] if san[-1] in "+#" else "" for san in strings)
    return [counts[suffix] for suffix in ("", "+", "#")]


@cache
def written_by(colour: str) -> frozenset[str]:
    """Return the strings of which there is a game in which this player writes them."""
    games = text_of(GAMES, read_bytes(ROOT / "data" / GAMES)).splitlines()  # as the kernel reads it
    plies = (line.rsplit(" ", 2)[1:] for line in games)
    return frozenset(san for ply, san in plies if colour == (WHITE if int(ply) % 2 else BLACK))


def silent(piece: str) -> set[str]:
    """Return the bare strings of a piece that occur neither with ``+`` nor with ``#``."""
    bare = [str(san) for san in BARE if san.piece == piece]
    return {san for san in bare if f"{san}+" not in REACHABLE and f"{san}#" not in REACHABLE}


@pytest.mark.parametrize("name", PIECES)
def test_the_moves_that_never_give_check_are_those_that_are_described(name: str) -> None:
    is_quiet = QUIET.get(name)
    bare = [san for san in BARE if san.piece == PIECES[name]]
    described = {str(san) for san in bare if is_quiet and is_quiet(san)}
    assert described == silent(PIECES[name])
    if described:
        (row,) = re.findall(rf"^\| {name} \| (\d+) \| (\D.*) \|$", QUESTION, re.MULTILINE)
        assert int(row[0]) == len(described)
        assert set() < set(re.findall("`([^`]*)`", row[1])) <= described


def test_every_check_can_be_mate_and_every_mate_a_check() -> None:
    checks, mates = ({san[:-1] for san in REACHABLE if san[-1] == sign} for sign in "+#")
    assert checks == mates


def test_the_counts_of_others() -> None:
    """Each with how far it is off."""
    with (ROOT / "docs" / "tables" / "counts.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    numbers = [int(row["count"]) for row in rows]
    assert [row["off by"] for row in rows] == [f"{n - len(REACHABLE):+}" for n in numbers]
    assert numbers == sorted(numbers)
    assert f"{len(numbers)} published counts, from {numbers[0]:,} to {numbers[-1]:,}" in QUESTION
    assert f"is {len(REACHABLE) - numbers[0]} short" in QUESTION
    assert f"by {numbers[1] - len(REACHABLE)} mates" in QUESTION


# README, the table of the answer, and TRUST.md


def figures() -> list[tuple[str, str, list[int]]]:
    """Return pages, patterns in which N is a number, and the numbers that the data gives."""
    universe, found, bare = ARCHIVE.summary["strings"], len(REACHABLE), len(BARE)
    white, black = written_by(WHITE), written_by(BLACK)
    both, only_white, only_black = len(white & black), len(white - black), len(black - white)
    never = sum(len(silent(piece)) for piece in PIECES.values())
    assert 3 * bare - found == 2 * never
    suffixes = by_suffix(REACHABLE)
    return [
        (README, r"Exactly N of the N strings", [found, universe]),
        (README, r"N without a suffix, N with `\+`, N with `#`", suffixes),
        (README, r"usual answer, N, is wrong: N of the N can never", [3 * bare, never, bare]),
        (QUESTION, r"## Why not N\?", [3 * bare]),
        (QUESTION, r"count is N = 3 . N ", [3 * bare, bare]),
        (QUESTION, r"N of the N strings, so the count includes N", [never, bare, 2 * never]),
        (QUESTION, r"Both players can play N of the strings", [both]),
        (QUESTION, r"Only White can play N, and only Black N", [only_white, only_black]),
        (QUESTION, r"These N are pawn moves", [only_white + only_black]),
        (TRUST, r"is the set of all N strings", [universe]),
        (TRUST, r"Of the N strings of the universe, N are reachable", [universe, found]),
        (TRUST, r"the other N are impossible", [universe - found]),
        (TRUST, r"N are written by both players", [both]),
        (TRUST, r"N only by White and N only by Black", [only_white, only_black]),
    ]


def test_figures_are_those_of_the_data() -> None:
    for text, pattern, numbers in figures():
        (found,) = re.finditer(re.sub(r"\bN\b", r"(\\d[\\d,]*\\b)", pattern), text)
        assert [int(number.replace(",", "")) for number in found.groups()] == numbers, pattern


def test_the_counts_of_each_piece() -> None:
    row = r"^\| \**([a-z]+)\** \| \**([\d,]+)\**" + r" \| \**([\d,]+)\**" * 3 + r" \|$"
    found = {
        name: [int(number.replace(",", "")) for number in numbers]
        for name, *numbers in re.findall(row, QUESTION, re.MULTILINE)
    }
    castling = {san for san in REACHABLE if san.startswith("O-")}
    letter = {san: "" if san[0].islower() else san[0] for san in REACHABLE - castling}
    strings = {name: {s for s, first in letter.items() if first == p} for name, p in PIECES.items()}
    strings |= {"castling": castling, "all": set(REACHABLE)}
    assert found == {name: [len(some), *by_suffix(some)] for name, some in strings.items()}


def test_who_writes_the_strings() -> None:
    white, black = written_by(WHITE), written_by(BLACK)
    assert all(not parse_san(san).piece for san in white ^ black)
    (examples,) = re.findall(r"are pawn moves: (.*?) are White's, (.*?) Black's\.", QUESTION)
    for text, strings in zip(examples, (white - black, black - white), strict=True):
        assert set() < set(re.findall("`([^`]+)`", text)) <= strings


def test_how_many_rows_a_program_writes_otherwise_that_always_names_the_passed_square() -> None:
    """The square behind a pawn's double push, which python-chess names only if it can be taken."""
    double = [
        row
        for row in ARCHIVE.witnesses()
        if parse_san(row.san).piece == "" and {row.uci[1], row.uci[3]} in ({"2", "4"}, {"5", "7"})
    ]
    assert {row.after_fen.split(" ")[3] for row in double} == {"-"}
    assert f"in {len(double)} rows (`{double[0].san}` is one)" in DATA
