"""The two lists as lists, and squares and random games against python-chess."""

from __future__ import annotations

import random

import chess

from sanproof.generator.strings import ATTACKS, both_lists

BARE, SUFFIXED = both_lists()


def test_each_list_is_sorted() -> None:
    """That they are the published ones, :mod:`tests.generator.test_checks` says."""
    for texts in (BARE, SUFFIXED):
        assert texts == sorted(set(texts), key=lambda text: (len(text), text))


def test_python_chess_writes_no_other_string_in_random_games() -> None:
    known, rng = set(SUFFIXED), random.Random(2)
    for _ in range(6):
        board = chess.Board()
        while not board.is_game_over() and board.ply() < 120:
            moves = list(board.legal_moves)
            assert {board.san(move) for move in moves} <= known
            board.push(rng.choice(moves))


def test_attacks_are_those_of_python_chess() -> None:
    for letter, attacked in ATTACKS.items():
        for square in chess.SQUARES:
            board = chess.Board(None)
            board.set_piece_at(square, chess.Piece.from_symbol(letter))
            assert attacked[square].keys() == set(board.attacks(square))
            for target, way in attacked[square].items():
                assert way == (0 if letter in "PNK" else chess.between(square, target))
