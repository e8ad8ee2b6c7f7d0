"""Adapter for pyrust_chess (PyPI), whose functions are named as those of python-chess."""

import json
import sys
from importlib.metadata import version
from typing import Any

import pyrust_chess


def read(case: dict[str, Any]) -> str:
    """The move that a SAN string denotes, in UCI."""
    board = pyrust_chess.Board(case["fen"])
    return board.uci(board.parse_san(case["san"]))


def write(case: dict[str, Any]) -> str:
    """A move in SAN."""
    board = pyrust_chess.Board(case["fen"])
    return board.san(board.parse_uci(case["uci"]))


def moves(case: dict[str, Any]) -> list[str]:
    """All legal moves in SAN."""
    board = pyrust_chess.Board(case["fen"])
    return [board.san(move) for move in board.legal_moves]


def play(case: dict[str, Any]) -> str:
    """The FEN after a move in SAN."""
    board = pyrust_chess.Board(case["fen"])
    board.push_san(case["san"])
    return board.fen()


OPERATIONS = {"read": read, "write": write, "moves": moves, "play": play}
GREETING = {
    "sanproof": 1,
    "name": "pyrust_chess",
    "version": version("pyrust_chess"),
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
