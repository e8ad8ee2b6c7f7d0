"""Adapter for rust-chess (PyPI), a bridge to Rust's chess crate; it reads SAN and writes none."""

import json
import sys
from importlib.metadata import version
from typing import Any

import rust_chess


def read(case: dict[str, Any]) -> str:
    """The move that a SAN string denotes, in UCI."""
    return rust_chess.Board(case["fen"]).get_move_from_san(case["san"]).get_uci()


def play(case: dict[str, Any]) -> str:
    """The FEN after a move in SAN."""
    board = rust_chess.Board(case["fen"])
    board.make_move(board.get_move_from_san(case["san"]))
    return board.get_fen()


OPERATIONS = {"read": read, "play": play}
GREETING = {
    "sanproof": 1,
    "name": "rust-chess",
    "version": version("rust-chess"),
    "language": "Python",
    "operations": list(OPERATIONS),
}

print(json.dumps(GREETING), flush=True)
for line in sys.stdin:
    case = json.loads(line)
    try:
        answer = {"result": OPERATIONS[case["operation"]](case)}
    except Exception as error:  # whatever the library raises, it did not take the move
        answer = {"rejected": f"{type(error).__name__}: {error}"}
    print(json.dumps({"id": case["id"]} | answer), flush=True)
