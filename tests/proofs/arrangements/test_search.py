"""The search over arrangements finds exactly the published strings of knights to queens."""

from itertools import product

import pytest

from sanproof.proofs.arrangements.search import CHECK_BEFORE, attempts, between, possible, searched
from sanproof.proofs.arrangements.words import sentences
from sanproof.proofs.rules.san import (
    CAPTURES,
    DESTINATIONS,
    FILE_LETTERS,
    RANK_DIGITS,
    SUFFIXES,
    San,
    parse_san,
)
from sanproof.proofs.rules.squares import parse_square, square_name
from tests.verify.command import ROOT

PUBLISHED = frozenset((ROOT / "data" / "san_strings_with_symbols.txt").read_text().split())


@pytest.mark.slow
@pytest.mark.parametrize("piece", "NBRQ")
def test_it_finds_exactly_the_published_strings(piece: str) -> None:
    parts = product(FILE_LETTERS, RANK_DIGITS, CAPTURES, DESTINATIONS, SUFFIXES)
    for file, rank, capture, destination, suffix in parts:
        san = San(piece, file, rank, capture, destination, "", suffix)
        assert possible(san) == (str(san) in PUBLISHED), san


def test_a_bishop_to_b2() -> None:
    (attempt,) = attempts(parse_san("Ba1b2+"))
    assert set(map(square_name, attempt.arrangement.pieces)) == {"a1", "a3", "c1"}
    assert attempt.fits
    assert attempt.king is None
    assert len(attempt.failures) == 64
    assert (
        list(attempt.failures.values()).count(CHECK_BEFORE) == 6
    )  # c3 to h8, on the diagonal on which it stood


def test_it_says_why_in_sentences() -> None:
    first, second = sentences(parse_san("Ba1b2+"))
    assert "1 arrangement " in first
    assert second == (
        "from a1 with a twin on a3 and c1: none of 64 squares is left for a king: "
        "54 because no piece newly attacks it, 6 because it was attacked before the move, "
        "4 because a piece stands there, or stood there before the move."
    )
    assert "No arrangements" in next(sentences(parse_san("Kd4")))
    (found,) = sentences(parse_san("Ba1b2"))
    assert "one has room" in found


def test_pawns_and_kings_are_not_searched() -> None:
    assert not any(map(searched, map(parse_san, ("e4", "Kd4", "O-O", "Qd4=Q"))))


def test_squares_in_between() -> None:
    def squares(start: str, end: str) -> set[str]:
        return set(map(square_name, between(parse_square(start), parse_square(end))))

    assert squares("a1", "d4") == {"b2", "c3"}
    assert squares("h5", "h8") == {"h6", "h7"}
    assert squares("a1", "b3") == set()
