"""Adapter for rust-chess (PyPI), a bridge to Rust's chess crate; it reads SAN but writes none."""

from typing import Any

import rust_chess
from answering import answer_cases


def read(case: dict[str, Any]) -> str:
    return rust_chess.Board(case["fen"]).get_move_from_san(case["san"]).get_uci()


def play(case: dict[str, Any]) -> str:
    board = rust_chess.Board(case["fen"])
    board.make_move(board.get_move_from_san(case["san"]))
    return board.get_fen()


answer_cases("rust-chess", read, play)
