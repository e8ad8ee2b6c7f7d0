"""Adapter for bulletchess (PyPI), by its documented ``Board``, ``Move`` and ``pgn``."""

import os
import tempfile
from pathlib import Path
from typing import Any

from answering import answer_cases
from bulletchess import Board, Move
from bulletchess.pgn import PGNFile


def read(case: dict[str, Any]) -> str:
    return Move.from_san(case["san"], Board.from_fen(case["fen"])).uci()


def write(case: dict[str, Any]) -> str:
    return Move.from_uci(case["uci"]).san(Board.from_fen(case["fen"]))


def moves(case: dict[str, Any]) -> list[str]:
    board = Board.from_fen(case["fen"])
    return [move.san(board) for move in board.legal_moves()]


def play(case: dict[str, Any]) -> str:
    board = Board.from_fen(case["fen"])
    board.apply(Move.from_san(case["san"], board))
    return board.fen()


def game(case: dict[str, Any]) -> dict[str, Any]:
    """Return the moves of a PGN and its last position; the library reads PGN from files only."""
    Path("game.pgn").write_text(case["pgn"], "utf-8")
    with PGNFile.open("game.pgn") as games:
        record = games.next_game()
    board, written = record.starting_board, []
    for move in record.moves:
        written.append(move.san(board))
        board.apply(move)
    return {"moves": written, "fen": board.fen()}


# The library prints notes of its own when it reads a PGN: they go to standard error.
answers = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)

with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    answer_cases("bulletchess", read, write, moves, play, game, out=answers)
