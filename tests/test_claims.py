"""The claims of the texts about the answer, against the published lists and tables."""

import csv
import re
from collections import Counter
from collections.abc import Callable, Collection
from functools import cache
from typing import Final

import pytest

from sanproof.proofs.kernel.files import GAMES, read_bytes, text_of
from sanproof.proofs.kernel.theorem import POSITION
from sanproof.proofs.rules.cubes import BLACK, WHITE, all_cubes
from sanproof.proofs.rules.san import San, parse_san
from sanproof.proofs.rules.squares import file_of, parse_square, rank_of
from sanproof.reports.archive.door import open_archive
from tests.verify.command import ROOT

ARCHIVE: Final = open_archive()
REACHABLE: Final = frozenset(ARCHIVE.strings())
BARE: Final = [parse_san(san) for san in ARCHIVE.strings(bare=True)]
README, TRUST, QUESTION = (
    (ROOT / name).read_text(encoding="utf-8")
    for name in ("README.md", "TRUST.md", "docs/question.md")
)
WORDS: Final = {
    "queen": "Q",
    "rook": "R",
    "bishop": "B",
    "knight": "N",
    "pawn": "",
    "king": "K",
}
CORNERS: Final = frozenset(("a1", "a8", "h1", "h8"))


def step(san: San) -> tuple[int, int]:
    """Count the files and ranks that a move that names its square goes."""
    origin, target = parse_square(san.file + san.rank), parse_square(san.destination)
    return file_of(target) - file_of(origin), rank_of(target) - rank_of(origin)


def is_on_a_long_diagonal(san: San) -> bool:
    """Check whether both squares are on a1-h8, or both on a8-h1."""
    squares = [parse_square(san.file + san.rank), parse_square(san.destination)]
    return all(file_of(s) == rank_of(s) for s in squares) or all(
        file_of(s) + rank_of(s) == 7 for s in squares
    )


def touches_a_corner(name: str) -> bool:
    square = parse_square(name)
    return name not in CORNERS and any(
        max(abs(file_of(square) - file_of(c)), abs(rank_of(square) - rank_of(c))) == 1
        for c in map(parse_square, CORNERS)
    )


def rook(san: San) -> bool:
    """Check for a rook named by its file: to a corner; or quietly as in Raa2 to Rhh7."""
    if not san.file or san.rank:
        return False
    along_an_edge_file = san.file + san.destination[0] in ("aa", "ah", "ha", "hh")
    quiet = not san.capture and san.destination[1] in "234567"
    return san.destination in CORNERS or (quiet and along_an_edge_file)


def queen(san: San) -> bool:
    """Check for a queen named by its square: to a corner, or two squares diagonally beside it."""
    if not (san.file and san.rank):
        return False
    if san.destination in CORNERS:
        return is_on_a_long_diagonal(san)
    two_diagonally = [abs(number) for number in step(san)] == [2, 2]
    return two_diagonally and touches_a_corner(san.destination) and not san.capture


def bishop(san: San) -> bool:
    """Check for a bishop named by its square: quietly from a corner, up to three squares."""
    if not (san.file and san.rank) or san.capture:
        return False
    return san.file + san.rank in CORNERS and abs(step(san)[0]) in (1, 2, 3)


CLAIMS: Final[dict[str, Callable[[San], bool]]] = {"R": rook, "Q": queen, "B": bishop}
ROWS: Final = {"R": "rook", "Q": "queen", "B": "bishop"}


def is_of(text: str, piece: str) -> bool:
    """Check whether a string, no castling, is of this piece: a letter, or nothing for a pawn."""
    return not text.startswith("O-") and parse_san(text).piece == piece


def by_suffix(strings: Collection[str]) -> list[int]:
    """Count those that have no suffix, ``+`` and ``#``."""
    counts = Counter(san[-1] if san[-1] in "+#" else "" for san in strings)
    return [counts[suffix] for suffix in ("", "+", "#")]


@cache
def shown() -> frozenset[tuple[str, str]]:
    """Return each string with each player that writes it in a game."""
    games = text_of(GAMES, read_bytes(ROOT / "data" / GAMES)).splitlines()  # as the kernel reads it
    plies = (line.rsplit(" ", 2)[1:] for line in games)
    return frozenset((san, WHITE if int(ply) % 2 else BLACK) for ply, san in plies)


def written_by(colour: str) -> set[str]:
    """Return the strings of which there is a game in which this player writes them."""
    return {san for san, player in shown() if player == colour}


def silent(piece: str) -> set[str]:
    """Return the bare strings of a piece that occur neither with ``+`` nor with ``#``."""
    bare = [str(san) for san in BARE if san.piece == piece]
    return {san for san in bare if f"{san}+" not in REACHABLE and f"{san}#" not in REACHABLE}


@pytest.mark.parametrize("piece", CLAIMS)
def test_the_moves_that_never_give_check_are_those_that_are_described(piece: str) -> None:
    described = {str(san) for san in BARE if san.piece == piece and CLAIMS[piece](san)}
    assert described == silent(piece)
    (row,) = re.findall(rf"^\| {ROWS[piece]} \| (\d+) \| (\D.*) \|$", QUESTION, re.MULTILINE)
    assert int(row[0]) == len(described)
    examples = set(re.findall("`([^`]*)`", row[1]))
    assert examples
    assert examples <= described


def test_no_other_piece_has_such_moves_and_mate_adds_none() -> None:
    pieces = {san.piece for san in BARE}
    assert {piece for piece in pieces if silent(piece)} == set(CLAIMS)
    checks = {san[:-1] for san in REACHABLE if san.endswith("+")}
    assert checks == {san[:-1] for san in REACHABLE if san.endswith("#")}


def test_the_counts_of_others() -> None:
    """Each with how far it is off."""
    with (ROOT / "docs" / "tables" / "counts.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    numbers = [int(row["count"]) for row in rows]
    assert [row["off by"] for row in rows] == [f"{n - len(REACHABLE):+}" for n in numbers]
    assert numbers == sorted(numbers)
    ends = f"from {numbers[0]:,} to {numbers[-1]:,}"
    assert f"We know of {len(numbers)} published counts, {ends}, " in QUESTION
    assert f"is {len(REACHABLE) - numbers[0]} short" in QUESTION
    assert f"by {numbers[1] - len(REACHABLE)} mates" in QUESTION
    assert {29_166, 29_274} <= set(numbers)


# README, the table of the answer, and TRUST.md


def figures() -> list[tuple[str, str, list[int]]]:
    """Return pages, patterns in which N is a number, and the numbers that the data gives."""
    universe, found, bare = ARCHIVE.summary["strings"], len(REACHABLE), len(BARE)
    white, black = written_by("white"), written_by("black")
    both, only_white, only_black = len(white & black), len(white - black), len(black - white)
    never = sum(len(silent(piece)) for piece in CLAIMS)
    assert 3 * bare - found == 2 * never
    suffixes = by_suffix(REACHABLE)
    return [
        (README, r"Exactly N of the N strings", [found, universe]),
        (README, r"N without a suffix, N with `\+`, N with `#`", suffixes),
        (README, r"usual answer, N, is wrong: N of the N can never", [3 * bare, never, bare]),
        (QUESTION, r"## Why not N\?", [3 * bare]),
        (QUESTION, r"count is N = 3 . N ", [3 * bare, bare]),
        (
            QUESTION,
            r"false for N of the N strings, so the count includes N",
            [never, bare, 2 * never],
        ),
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
    rows = re.findall(
        r"^\| (\*{0,2}[a-z]+\*{0,2})" + r" \| ([\d,*]+)" * 4 + r" \|$", QUESTION, re.MULTILINE
    )
    found = {
        name.strip("*"): [int(re.sub(r"[,*]", "", number)) for number in numbers]
        for name, *numbers in rows
    }
    strings = {name: {s for s in REACHABLE if is_of(s, letter)} for name, letter in WORDS.items()}
    strings |= {"castling": {s for s in REACHABLE if s.startswith("O-")}, "all": set(REACHABLE)}
    assert found == {name: [len(some), *by_suffix(some)] for name, some in strings.items()}


def test_who_writes_the_strings() -> None:
    white, black = written_by("white"), written_by("black")
    only_white, only_black = white - black, black - white
    assert {parse_san(san).piece for san in only_white | only_black} == {""}
    (examples,) = re.findall(r"are pawn moves: (.*?) are White's, (.*?) Black's\.", QUESTION)
    for text, strings in zip(examples, (only_white, only_black), strict=True):
        named = re.findall("`([^`]+)`", text)
        assert named
        assert set(named) <= strings


@pytest.mark.parametrize("name", ["TRUST.md", "docs/method.md", "docs/data.md"])
def test_how_many_cubes_there_are(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    assert set(re.findall(r"(\d+) (?:\*?cubes|certificates)", text)) == {str(len(all_cubes()))}


@pytest.mark.parametrize("text", [TRUST, QUESTION], ids=["TRUST", "question"])
def test_what_a_position_is_stands_everywhere_in_the_words_of_the_kernel(text: str) -> None:
    assert text.count(POSITION) == 1


def test_how_many_rows_a_program_writes_otherwise_that_always_names_the_passed_square() -> None:
    """The square behind a pawn's double push, which python-chess names only if it can be taken."""
    double = [
        row
        for row in ARCHIVE.witnesses()
        if parse_san(row.san).piece == "" and {row.uci[1], row.uci[3]} in ({"2", "4"}, {"5", "7"})
    ]
    assert {row.after_fen.split(" ")[3] for row in double} == {"-"}
    text = (ROOT / "docs" / "data.md").read_text(encoding="utf-8")
    assert f"in {len(double)} rows (`{double[0].san}` is one)" in text
