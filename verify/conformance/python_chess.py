"""Answers the conformance suite with python-chess: pip install chess==1.11.2."""

import io
import json
import sys
from importlib.metadata import version
from typing import Any

import chess
import chess.pgn


def read(case: dict[str, Any]) -> str:
    """Return the move of a SAN string, in UCI."""
    return chess.Board(case["fen"]).parse_san(case["san"]).uci()


def write(case: dict[str, Any]) -> str:
    """Return the SAN of a move in UCI."""
    board = chess.Board(case["fen"])
    return board.san(board.parse_uci(case["uci"]))


def moves(case: dict[str, Any]) -> list[str]:
    """Return the SAN of all legal moves."""
    board = chess.Board(case["fen"])
    return [board.san(move) for move in board.legal_moves]


def play(case: dict[str, Any]) -> str:
    """Return the FEN after a move in SAN."""
    board = chess.Board(case["fen"])
    board.push_san(case["san"])
    return board.fen()


def game(case: dict[str, Any]) -> dict[str, Any]:
    """Return the moves of a PGN, and the FEN after the last one."""
    played = chess.pgn.read_game(io.StringIO(case["pgn"]))
    if played is None or played.errors:
        raise ValueError(f"not a game: {played and played.errors}")
    board = played.board()
    return {"moves": [board.san_and_push(m) for m in played.mainline_moves()], "fen": board.fen()}


OPERATIONS = {"read": read, "write": write, "moves": moves, "play": play, "game": game}
GREETING = {"sanproof": 1, "name": "chess", "version": version("chess"), "language": "Python"}

print(json.dumps(GREETING | {"operations": list(OPERATIONS)}), flush=True)
for line in sys.stdin:
    case = json.loads(line)
    try:
        answer = {"result": OPERATIONS[case["operation"]](case)}
    except Exception as error:  # whatever the library raises, it did not accept the case
        answer = {"rejected": f"{type(error).__name__}: {error}"}
    print(json.dumps({"id": case["id"]} | answer), flush=True)
