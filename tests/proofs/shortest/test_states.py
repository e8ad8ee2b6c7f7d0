"""Compiled moves and their strings, against python-chess."""

from collections.abc import Iterator
from itertools import islice

import chess
import numpy as np
import pytest

from sanproof.proofs.games.boards import Bytes
from sanproof.proofs.shortest.states import (
    MAX_MOVES,
    code_of,
    find_moves,
    make,
    name_moves,
    new_scratch,
    read_uci,
    write_uci,
)
from sanproof.reports.archive.door import open_archive
from tests.proofs.encoding.positions import FAMILIES, first_boards
from tests.proofs.shortest.states import state_of


def both_sides(family: str) -> Iterator[chess.Board]:
    """Yield positions of a family, every other one with the colours exchanged."""
    for number, board in enumerate(first_boards(family)):
        if board.is_valid():
            yield board.mirror() if number % 2 else board


def named(state: Bytes) -> list[tuple[str, int]]:
    """Return all legal moves of a state in UCI, and their codes."""
    room = new_scratch()
    number = name_moves(state, room)
    both = zip(room.moves[:number].tolist(), room.codes[:number].tolist(), strict=True)
    return sorted((write_uci(move), code) for move, code in both)


@pytest.mark.parametrize("family", FAMILIES)
def test_moves_and_their_strings_are_those_of_python_chess(family: str) -> None:
    for board in islice(both_sides(family), 150):
        expected = sorted((move.uci(), code_of(board.san(move))) for move in board.legal_moves)
        assert named(state_of(board)) == expected, board.fen()


def test_a_move_leads_where_python_chess_says() -> None:
    board = chess.Board()
    state = state_of(board)
    game = "e4 Nf6 e5 d5 exd6 Qxd6 Nf3 Bg4 Be2 Nc6 O-O O-O-O Re1 Bh3 a4 g5 gxh3 g4"
    for san in game.split(" "):
        move = board.push_san(san)
        make(state, read_uci(move.uci()))
        assert state.tolist() == state_of(board).tolist(), san
        assert find_moves(state, np.zeros(MAX_MOVES, np.int64)) == board.legal_moves.count()


def test_each_string_has_a_code_of_its_own() -> None:
    strings = open_archive().strings()
    assert len({code_of(san) for san in strings}) == len(strings)
    with pytest.raises(ValueError, match="is not a SAN string"):
        code_of("e9")
