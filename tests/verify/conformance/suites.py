"""A small suite: to read the twenty moves of the initial position."""

import json
import shlex
import sys
from pathlib import Path
from typing import Any, Final

import chess

HOSTILE: Final = Path(__file__).with_name("hostile.py")
FEN: Final = chess.STARTING_FEN


def suite(*more: dict[str, Any]) -> dict[str, Any]:
    """Return the suite as it stands in a file: one case for each move, and those that are given."""
    board = chess.Board()
    cases = [
        {"id": f"initial.{board.san(move)}", "san": board.san(move), "expected": move.uci()}
        for move in board.legal_moves
    ]
    fixed = {"operation": "read", "class": "must", "fen": FEN, "colour": "white"}
    fixed |= {"mechanism": "initial", "why": "It can be played in the initial position."}
    whole = [fixed | case for case in [*cases, *more]]
    return {
        "format": 1,
        "suite": "sanproof conformance",
        "version": "0.1.0",
        "level": "core",
        "licence": "CC0-1.0",
        "games": [],
        "cases": sorted(whole, key=lambda case: str(case["id"])),
    }


def write_suite(folder: Path, *more: dict[str, Any]) -> Path:
    """Write that suite to a file."""
    path = folder / "suite.json"
    path.write_text(json.dumps(suite(*more)))
    return path


def hostile(behaviour: str, *more: object) -> str:
    """Return the command of an adapter that answers rightly, but for what it is named after."""
    words = [sys.executable, "-S", str(HOSTILE), behaviour, *map(str, more)]
    return shlex.join(words)
