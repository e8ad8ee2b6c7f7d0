"""The generator against the search over arrangements, and a position for every string."""

from __future__ import annotations

import csv
import gzip
import random
from functools import reduce
from operator import or_

import chess
import pytest

from sanproof.generator.strings import both_lists, can_check
from sanproof.proofs.rules.san import parse_san
from sanproof.proofs.rules.squares import parse_square
from sanproof.proofs.theory.arrangements import attempts
from tests.verify.command import ROOT

BARE, SUFFIXED = both_lists()
CHECKING = {text[:-1] for text in SUFFIXED if text.endswith("+")}


def checks(piece: str, pieces: tuple[int, ...], destination: int, *, capture: bool) -> bool:
    ways = (0 if piece in "NK" else chess.between(square, destination) for square in pieces)
    empty = reduce(or_, ways, 0 if capture else 1 << destination)
    return can_check(("", piece, piece, pieces, destination, empty))


def test_it_answers_as_the_theory_does() -> None:
    """Not only whether some origin and twins give check, but which do.

    The theory shares no code with the generator, and overlooks nothing, as Coq proves.
    """
    rng, answers = random.Random(1), set()
    officers = [text for text in BARE if text[0] in "NBRQ"]
    harmless = [text for text in officers if text not in CHECKING]
    for text in rng.sample(officers, 30) + harmless:
        san = parse_san(f"{text}+")
        destination, capture = parse_square(san.destination), san.capture == "x"
        for attempt in filter(lambda attempt: attempt.fits, attempts(san)):
            pieces = attempt.arrangement.pieces
            answer = checks(san.piece, pieces, destination, capture=capture)
            assert answer == (attempt.king is not None), (text, attempt)
            answers.add(answer)
    assert answers == {True, False}


def uncovers(origin: chess.Square, destination: chess.Square, king: chess.Square) -> bool:
    """Check whether a king's move uncovers a slider's check behind it; other squares are empty."""
    for slider in chess.scan_forward(chess.ray(origin, king)):
        line = chess.between(slider, king)
        if line >> origin & 1 and not (line | chess.BB_SQUARES[slider]) >> destination & 1:
            return True
    return False


def test_the_kings_checks_are_those_that_it_uncovers() -> None:
    """Of each move by itself. Where kings may touch, no answer is another.

    So a generator without that rule has the same lists: no test can notice.
    """
    for origin in chess.SQUARES:
        for destination in chess.SquareSet(chess.BB_KING_ATTACKS[origin]):
            for nearest in (1, 2):  # the kings touch, or keep apart (FIDE 3.9.2)
                kings = [
                    king
                    for king in chess.SQUARES
                    if all(chess.square_distance(king, s) >= nearest for s in (origin, destination))
                ]
                expected = any(uncovers(origin, destination, king) for king in kings)
                for capture in (False, True):
                    assert checks("K", (origin,), destination, capture=capture) == expected


@pytest.mark.parametrize("each", [40, pytest.param(1, marks=pytest.mark.slow)])
def test_a_position_shows_each_string(each: int) -> None:
    """Python-chess writes each string in the position that is published for it, and no other."""
    with gzip.open(ROOT / "data" / "witnesses.csv.gz", "rt", encoding="ascii") as file:
        rows = list(csv.DictReader(file))
    assert [row["san"] for row in rows] == SUFFIXED
    assert (ROOT / "data" / "san_strings.txt").read_text().split() == BARE
    for row in rows[::each]:
        board = chess.Board(row["before_fen"])
        assert board.is_valid()
        assert board.san(board.parse_uci(row["uci"])) == row["san"]
