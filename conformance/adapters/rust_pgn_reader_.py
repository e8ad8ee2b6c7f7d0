"""Adapter for rust_pgn_reader_python_binding (PyPI), which reads PGN with Rust's shakmaty.

It shows moves in UCI and positions as arrays, so it can be asked which move a string denotes.
"""

from typing import Any

from answering import answer_cases, game_of
from rust_pgn_reader_python_binding import parse_game


def read(case: dict[str, Any]) -> str:
    """Return the move that a SAN string denotes, in UCI: of a game of one move."""
    record = parse_game(game_of(case["fen"], case["san"]))[0]
    if record.parse_error:
        raise ValueError(record.parse_error)
    (move,) = record.moves_uci()
    return str(move)


answer_cases("rust_pgn_reader_python_binding", read)
