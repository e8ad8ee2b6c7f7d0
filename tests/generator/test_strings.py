"""The two lists as lists, and squares and random games against python-chess."""

from __future__ import annotations

import random
from itertools import pairwise

import chess
import chess.pgn

from sanproof.generator.geometry import PATHS, RAYS, ray
from sanproof.generator.strings import bare_strings, both_lists, suffixed_strings

BARE = bare_strings()
SUFFIXED = suffixed_strings()


def test_each_list_is_sorted_and_does_not_depend_on_who_asked_before() -> None:
    """That they are the published ones, :mod:`tests.generator.test_checks` says."""
    for texts in both_lists():
        assert texts == sorted(set(texts), key=lambda text: (len(text), text))
        assert texts in (BARE, SUFFIXED)


def test_python_chess_writes_no_other_string_in_random_games() -> None:
    known, rng = set(SUFFIXED), random.Random(2)
    for _ in range(6):
        board = chess.Board()
        while not board.is_game_over() and board.ply() < 120:
            moves = list(board.legal_moves)
            assert {board.san(move) for move in moves} <= known
            board.push(rng.choice(moves))


def test_attacks_are_those_of_python_chess() -> None:
    for letter, attacked in PATHS.items():
        for square in chess.SQUARES:
            board = chess.Board(None)
            board.set_piece_at(square, chess.Piece.from_symbol(letter))
            assert attacked[square].keys() == set(board.attacks(square))
            for target, path in attacked[square].items():
                if letter not in "PNK":
                    assert path == chess.between(square, target)
                else:
                    assert path == chess.BB_EMPTY


def test_rays_end_at_the_edge() -> None:
    for step in RAYS:
        for square in chess.SQUARES:
            squares = [square, *ray(square, step)]
            for one, next_one in pairwise(squares):
                assert chess.square_file(next_one) - chess.square_file(one) == step[0]
                assert chess.square_rank(next_one) - chess.square_rank(one) == step[1]
            file = chess.square_file(squares[-1]) + step[0]
            rank = chess.square_rank(squares[-1]) + step[1]
            assert not (0 <= file < 8 and 0 <= rank < 8)
