"""Adapter for bulletchess (PyPI), by its documented ``Board``, ``Move`` and ``pgn``."""

import json
import os
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path
from typing import Any

from bulletchess import Board, Move
from bulletchess.pgn import PGNFile


def read(case: dict[str, Any]) -> str:
    """The move that a SAN string denotes, in UCI."""
    return Move.from_san(case["san"], Board.from_fen(case["fen"])).uci()


def write(case: dict[str, Any]) -> str:
    """A move in SAN."""
    return Move.from_uci(case["uci"]).san(Board.from_fen(case["fen"]))


def moves(case: dict[str, Any]) -> list[str]:
    """All legal moves in SAN."""
    board = Board.from_fen(case["fen"])
    return [move.san(board) for move in board.legal_moves()]


def play(case: dict[str, Any]) -> str:
    """The FEN after a move in SAN."""
    board = Board.from_fen(case["fen"])
    board.apply(Move.from_san(case["san"], board))
    return board.fen()


def game(case: dict[str, Any]) -> dict[str, Any]:
    """The moves of a PGN and its last position; the library reads PGN from files only."""
    Path("game.pgn").write_text(case["pgn"], "utf-8")
    with PGNFile.open("game.pgn") as games:
        record = games.next_game()
    board, written = record.starting_board, []
    for move in record.moves:
        written.append(move.san(board))
        board.apply(move)
    return {"moves": written, "fen": board.fen()}


OPERATIONS = {"read": read, "write": write, "moves": moves, "play": play, "game": game}
GREETING = {
    "sanproof": 1,
    "name": "bulletchess",
    "version": version("bulletchess"),
    "language": "Python",
    "operations": list(OPERATIONS),
}

# The library prints notes of its own when it reads a PGN: they go to standard error.
answers = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)

with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    print(json.dumps(GREETING), file=answers, flush=True)
    for line in sys.stdin:
        case = json.loads(line)
        try:
            answer = {"result": OPERATIONS[case["operation"]](case)}
        except Exception as error:  # whatever the library raises, it did not take the move
            answer = {"rejected": f"{type(error).__name__}: {error}"}
        print(json.dumps({"id": case["id"]} | answer), file=answers, flush=True)
