"""Adapter for pyrust_chess (PyPI), whose functions are named as those of python-chess."""

from typing import Any

import pyrust_chess
from answering import answer_cases


def read(case: dict[str, Any]) -> str:
    board = pyrust_chess.Board(case["fen"])
    return board.uci(board.parse_san(case["san"]))


def write(case: dict[str, Any]) -> str:
    board = pyrust_chess.Board(case["fen"])
    return board.san(board.parse_uci(case["uci"]))


def moves(case: dict[str, Any]) -> list[str]:
    board = pyrust_chess.Board(case["fen"])
    return [board.san(move) for move in board.legal_moves]


def play(case: dict[str, Any]) -> str:
    board = pyrust_chess.Board(case["fen"])
    board.push_san(case["san"])
    return board.fen()


answer_cases("pyrust_chess", read, write, moves, play)
