"""What the texts claim of the answer, against the published lists and tables."""

import re
from collections.abc import Callable
from typing import Final

import pytest

from proofs.rules.san import San, parse_san
from proofs.rules.squares import file_of, parse_square, rank_of, square_name
from reports.exports.archive import open_archive
from tests.verify.command import ROOT

ARCHIVE: Final = open_archive()
REACHABLE: Final = frozenset(ARCHIVE.strings())
BARE: Final = [parse_san(san) for san in ARCHIVE.strings(bare=True)]
QUESTION: Final = (ROOT / "docs" / "question.md").read_text(encoding="utf-8")
CORNERS: Final = frozenset(("a1", "a8", "h1", "h8"))


def step(san: San) -> tuple[int, int]:
    """How many files and ranks a move that names its square goes."""
    origin, target = parse_square(san.file + san.rank), parse_square(san.destination)
    return file_of(target) - file_of(origin), rank_of(target) - rank_of(origin)


def is_on_a_long_diagonal(san: San) -> bool:
    """Whether both squares are on a1-h8, or both on a8-h1."""
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
    """Of a rook that is named by its file: to a corner; or quietly as in Raa2 to Rhh7."""
    if not san.file or san.rank:
        return False
    along_an_edge_file = san.file + san.destination[0] in ("aa", "ah", "ha", "hh")
    quiet = not san.capture and san.destination[1] in "234567"
    return san.destination in CORNERS or (quiet and along_an_edge_file)


def queen(san: San) -> bool:
    """Of a queen that is named by its square: to a corner, or two squares diagonally beside it."""
    if not (san.file and san.rank):
        return False
    if san.destination in CORNERS:
        return is_on_a_long_diagonal(san)
    two_diagonally = [abs(number) for number in step(san)] == [2, 2]
    return two_diagonally and touches_a_corner(san.destination) and not san.capture


def bishop(san: San) -> bool:
    """Of a bishop that is named by its square: quietly from a corner, up to three squares."""
    if not (san.file and san.rank) or san.capture:
        return False
    return san.file + san.rank in CORNERS and abs(step(san)[0]) in (1, 2, 3)


CLAIMS: Final[dict[str, Callable[[San], bool]]] = {"R": rook, "Q": queen, "B": bishop}
ROWS: Final = {"R": "rook", "Q": "queen", "B": "bishop"}


def silent(piece: str) -> set[str]:
    """The bare strings of a piece that occur neither with ``+`` nor with ``#``."""
    bare = [str(san) for san in BARE if san.piece == piece]
    return {san for san in bare if f"{san}+" not in REACHABLE and f"{san}#" not in REACHABLE}


@pytest.mark.parametrize("piece", CLAIMS)
def test_the_moves_that_never_give_check_are_those_that_are_described(piece: str) -> None:
    described = {str(san) for san in BARE if san.piece == piece and CLAIMS[piece](san)}
    assert described == silent(piece)
    (row,) = re.findall(rf"^\| {ROWS[piece]} \| (\d+) \| (.*) \|$", QUESTION, re.MULTILINE)
    assert int(row[0]) == len(described)
    examples = set(re.findall("`([^`]*)`", row[1]))
    assert examples
    assert examples <= described


def test_no_other_piece_has_such_moves_and_mate_adds_none() -> None:
    pieces = {san.piece for san in BARE}
    assert {piece for piece in pieces if silent(piece)} == set(CLAIMS)
    total = sum(len(silent(piece)) for piece in pieces)
    assert f"But {total} of the {len(BARE):,} never give check" in QUESTION
    checks = {san[:-1] for san in REACHABLE if san.endswith("+")}
    assert checks == {san[:-1] for san in REACHABLE if san.endswith("#")}


def test_the_rooks_that_were_once_claimed_do_give_check() -> None:
    """To an edge file with a file letter, but with a capture; or from another file."""
    assert {"Raxa3+", "Rbh3+", "Rhxa7#"} <= REACHABLE


def test_the_squares_that_touch_a_corner() -> None:
    names = {square_name(s) for s in range(64) if touches_a_corner(square_name(s))}
    assert names == {"a2", "b1", "b2", "a7", "b7", "b8", "g1", "g2", "h2", "g7", "g8", "h7"}


def test_the_counts_of_the_answer() -> None:
    summary = ARCHIVE.summary
    by_suffix = [sum(san.endswith(s) for san in REACHABLE) for s in "+#"]
    for number in (summary["strings"], len(REACHABLE), summary["impossible"], *by_suffix):
        assert f"{number:,}" in QUESTION
    players = summary["games"]["strings_by_player"]
    assert (
        f"{players['white']} strings can be written by White alone, {players['black']} by Black "
        f"alone, and {players['white and black']:,} by both"
    ) in QUESTION
    for san in REACHABLE - {row.san for row in ARCHIVE.games() if row.colour == "white"}:
        assert parse_san(san).piece == ""


def test_the_counts_of_others_are_cited_with_their_difference() -> None:
    rows = re.findall(r"^\| ([\d,]+) \| ([+-][\d,]+) \| (.+) \|$", QUESTION, re.MULTILINE)
    assert len(rows) > 5
    counts = [int(count.replace(",", "")) for count, _, _ in rows]
    assert counts == sorted(counts)
    for count, (_, off, source) in zip(counts, rows, strict=True):
        assert off == f"{count - len(REACHABLE):+,}"
        assert "http" in source or "same" in source or "earlier README" in source


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
