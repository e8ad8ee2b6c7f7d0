"""Every deviation that a canonical string can be given is named, and nothing else is."""

from collections import Counter
from itertools import islice
from random import Random

import chess
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sanproof.verify.notation.reading import ReadingVerdict, judge
from sanproof.verify.notation.vocabulary import Deviation
from tests.verify.notation import spellings
from tests.verify.notation.positions import (
    ANSWERS,
    BLACK_CROWD,
    CROWD,
    IN_CHECK,
    TANGLE,
    crowds,
    mixed,
)
from tests.verify.notation.spellings import misspelled, misspelled_twice

FENS = [CROWD, TANGLE, BLACK_CROWD, ANSWERS, IN_CHECK]


def expect(text: str, names: frozenset[str], move: chess.Move, board: chess.Board) -> None:
    """The text is understood as the move, with exactly these deviations."""
    reading = judge(text, board)
    about = f"{text!r} in {board.fen()}: {reading}"
    assert reading.verdict is ReadingVerdict.UNDERSTANDABLE, about
    assert reading.uci == move.uci(), about
    assert reading.canonical == board.san(move), about
    assert {deviation.value for deviation in reading.deviations} == names, (about, names)


@pytest.mark.parametrize("fen", FENS)
def test_each_misspelling_has_exactly_its_names(fen: str) -> None:
    board = chess.Board(fen)
    for move in board.legal_moves:
        for text, names in misspelled(move, board):
            expect(text, names, move, board)


@pytest.mark.parametrize("fen", FENS)
@pytest.mark.usually(1)
def test_two_misspellings_have_the_names_of_both(fen: str) -> None:
    board = chess.Board(fen)
    for move in islice(board.legal_moves, 0, None, 4):
        for text, names in misspelled_twice(move, board):
            expect(text, names, move, board)


@given(st.integers(0, 2**32))
def test_misspellings_in_random_positions(seed: int) -> None:
    rng = Random(seed)
    board = next(crowds(rng)) if rng.random() < 0.5 else _late(rng)
    moves = list(board.legal_moves)
    if moves:
        move = rng.choice(moves)
        cases = [*misspelled(move, board), *misspelled_twice(move, board)]
        for text, names in rng.sample(cases, min(len(cases), 25)):
            expect(text, names, move, board)


def _late(rng: Random) -> chess.Board:
    return next(islice(mixed(rng), rng.randint(0, 60), None))


def test_every_deviation_comes_about() -> None:
    seen = Counter[str]()
    rng = Random(5)
    boards = [chess.Board(fen) for fen in FENS]
    boards.append(chess.Board("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1"))  # mate on the last rank
    boards += [board.copy() for board in islice(mixed(rng), 60)]
    for board in boards:
        for move in board.legal_moves:
            for _, names in misspelled(move, board):
                seen.update(names)
    assert set(seen) == {deviation.value for deviation in Deviation}


def test_a_planted_error_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = spellings.adding("after", "?", "numeric-annotation")
    monkeypatch.setattr(spellings, "MISSPELLINGS", [("after", wrong)])
    with pytest.raises(AssertionError):
        test_each_misspelling_has_exactly_its_names(CROWD)
