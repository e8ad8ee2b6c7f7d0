"""Adapter for fastchess (PyPI); it reads SAN and writes none."""

import json
import sys
from importlib.metadata import version
from typing import Any

import fastchess


def read(case: dict[str, Any]) -> str:
    """The move that a SAN string denotes, in UCI: what ``push_san`` returns."""
    return fastchess.Board(case["fen"]).push_san(case["san"])


def play(case: dict[str, Any]) -> str:
    """The FEN after a move in SAN."""
    board = fastchess.Board(case["fen"])
    board.push_san(case["san"])
    return board.fen()


OPERATIONS = {"read": read, "play": play}
GREETING = {
    "sanproof": 1,
    "name": "fastchess",
    "version": version("fastchess"),
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
