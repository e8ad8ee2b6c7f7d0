"""The generator against the explorer, and a position for every string of its list."""

from __future__ import annotations

import csv
import gzip
import random

import chess
import pytest

from sanproof.generator.checks import can_give_check, opens_line
from sanproof.generator.strings import both_lists
from tests.generator.explorer import checks, settings, uncovered
from tests.verify.command import ROOT

BARE, SUFFIXED = both_lists()
CHECKING = {text[:-1] for text in SUFFIXED if text.endswith("+")}


def test_the_explorer_finds_the_same_strings_and_the_same_checks() -> None:
    written, checking = set(), set()
    for setting in settings():
        for capture in (False, True):
            text = setting.text(capture=capture)
            written.add(text)
            if text not in checking and any(checks(setting, capture=capture)):
                checking.add(text)
    assert written == {text for text in BARE if text[0] in "NBRQ"}
    assert checking == {text for text in CHECKING if text[0] in "NBRQ"}


def test_the_explorer_agrees_on_single_settings() -> None:
    """Not only whether some origin and twins give check, but which do."""
    for setting in random.Random(1).sample(list(settings()), 2500):
        piece, _, origin, destination, twins = setting
        letter = chess.piece_symbol(piece).upper()
        for capture in (False, True):
            answer = can_give_check(letter, letter, destination, (origin, *twins), capture)
            assert answer == any(checks(setting, capture=capture)), setting
            first, second = ([1 << twin for twin in twins] + [0, 0])[:2]
            assert answer or not opens_line(letter, letter, destination, (origin, first, second))


def test_the_kings_checks_are_those_that_it_uncovers() -> None:
    """Of each move by itself. Where kings may touch, no answer is another.

    So whoever drops that rule from the generator has the same lists: no test can notice.
    """
    for origin in chess.SQUARES:
        for destination in chess.SquareSet(chess.BB_KING_ATTACKS[origin]):
            checks_ = any(uncovered(origin, destination))
            assert checks_ == any(uncovered(origin, destination, nearest=1))
            for capture in (False, True):
                assert can_give_check("K", "K", destination, (origin,), capture) == checks_


@pytest.mark.parametrize("each", [40, pytest.param(1, marks=pytest.mark.slow)])
def test_a_position_shows_each_string(each: int) -> None:
    """Python-chess writes each string in the position that is published for it, and no other."""
    with gzip.open(ROOT / "data" / "witnesses.csv.gz", "rt", encoding="ascii") as file:
        rows = list(csv.DictReader(file))
    assert [row["san"] for row in rows] == SUFFIXED
    for row in rows[::each]:
        board = chess.Board(row["before_fen"])
        assert board.is_valid()
        assert board.san(board.parse_uci(row["uci"])) == row["san"]


@pytest.mark.parametrize(
    ("text", "fen_without_black_king", "why"),
    [
        ("Qh8a1", "Q6Q/8/8/8/8/8/8/7Q", "all three lines of the corner are taken"),
        (
            "Ba1d4",
            "8/B7/8/8/8/8/8/B5B1",
            "no line is left, and nothing is behind a corner",
        ),
        ("Rah4", "8/8/8/8/R7/8/8/7R", "the twin sees the file through h4; a4 hides no diagonal"),
    ],
)
def test_a_harmless_move_never_checks(text: str, fen_without_black_king: str, why: str) -> None:
    """Wherever the king stands, it was in check before or is not after, blockers or not."""
    assert text in BARE, why
    assert text not in CHECKING, why
    for king in chess.SQUARES:
        board = chess.Board(f"{fen_without_black_king} w - - 0 1")
        if board.piece_at(king):
            continue
        board.set_piece_at(king, chess.Piece(chess.KING, chess.BLACK))
        if not board.attackers(chess.WHITE, king):
            moves = [move for move in board.pseudo_legal_moves if board.san(move)[:-1] == text]
            assert moves == [], why
