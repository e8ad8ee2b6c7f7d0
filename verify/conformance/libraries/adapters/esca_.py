"""Adapter for esca (PyPI), by its documented ``Position`` and ``pgn``."""

import json
import sys
from importlib.metadata import version
from typing import Any

import esca
import esca.pgn


def read(case: dict[str, Any]) -> str:
    """The move that a SAN string denotes, in UCI."""
    position = esca.Position.from_fen(case["fen"])
    return position.uci(position.parse_san(case["san"]), castling=esca.KING_TWO_SQUARES)


def write(case: dict[str, Any]) -> str:
    """A move in SAN."""
    position = esca.Position.from_fen(case["fen"])
    return position.san(position.parse_uci(case["uci"]))


def moves(case: dict[str, Any]) -> list[str]:
    """All legal moves in SAN."""
    position = esca.Position.from_fen(case["fen"])
    return [position.san(move) for move in position.legal_moves()]


def play(case: dict[str, Any]) -> str:
    """The FEN after a move in SAN."""
    position = esca.Position.from_fen(case["fen"])
    return position.play(position.parse_san(case["san"])).fen


def game(case: dict[str, Any]) -> dict[str, Any]:
    """The moves of a PGN and its last position."""
    record = next(esca.pgn.read_string(case["pgn"]))
    return {"moves": [node.san for node in record.mainline()], "fen": record.game().position.fen}


OPERATIONS = {"read": read, "write": write, "moves": moves, "play": play, "game": game}
GREETING = {
    "sanproof": 1,
    "name": "esca",
    "version": version("esca"),
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
