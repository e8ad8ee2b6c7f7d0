"""Adapter for fastchess (PyPI), which reads SAN but does not write it."""

from typing import Any

import fastchess
from answering import answer_cases


def read(case: dict[str, Any]) -> str:
    """Return the move that a SAN string denotes, in UCI: what ``push_san`` returns."""
    return fastchess.Board(case["fen"]).push_san(case["san"])


def play(case: dict[str, Any]) -> str:
    board = fastchess.Board(case["fen"])
    board.push_san(case["san"])
    return board.fen()


answer_cases("fastchess", read, play)
