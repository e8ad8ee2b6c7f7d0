"""Adapter for pyffish (PyPI), Fairy-Stockfish's binding; it writes SAN and reads none."""

import json
import sys
from importlib.metadata import version
from typing import Any

import pyffish


def write(case: dict[str, Any]) -> str:
    """A move in SAN."""
    return pyffish.get_san("chess", case["fen"], case["uci"])


def moves(case: dict[str, Any]) -> list[str]:
    """All legal moves in SAN."""
    fen = case["fen"]
    return [pyffish.get_san("chess", fen, move) for move in pyffish.legal_moves("chess", fen, [])]


OPERATIONS = {"write": write, "moves": moves}
GREETING = {
    "sanproof": 1,
    "name": "pyffish",
    "version": version("pyffish"),
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
