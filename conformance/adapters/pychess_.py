"""Adapter for PyChess (Debian), by its ``lutils``; run with the package's folder on the path.

``parseSAN``, by which PyChess reads a PGN, does not always look whether the move is legal.
``python pychess_.py validated`` validates each move with ``logic.validate``, as PyChess does with
the moves of players.
"""

import sys
from typing import Any

from answering import answer_cases
from pychess import VERSION
from pychess.Utils.Board import Board
from pychess.Utils.const import CASTLE_KK
from pychess.Utils.logic import validate
from pychess.Utils.lutils.LBoard import LBoard
from pychess.Utils.lutils.lmove import parseAN, parseSAN, toAN, toSAN
from pychess.Utils.lutils.lmovegen import genAllMoves
from pychess.Utils.Move import Move

VALIDATED = sys.argv[1:] == ["validated"]


def board(fen: str) -> Any:
    """Return a position."""
    position = LBoard()
    position.applyFen(fen)
    return position


def parse(position: Any, san: str) -> int:
    """Return the move that a SAN string denotes, as the library keeps moves."""
    move = parseSAN(position, san)
    if VALIDATED and not validate(Board(setup=position.asFen()), Move(move)):
        raise ValueError("validate says no")
    return int(move)


def read(case: dict[str, Any]) -> str:
    position = board(case["fen"])
    return str(toAN(position, parse(position, case["san"]), short=True, castleNotation=CASTLE_KK))


def write(case: dict[str, Any]) -> str:
    position = board(case["fen"])
    return str(toSAN(position, parseAN(position, case["uci"])))


def moves(case: dict[str, Any]) -> list[str]:
    """Return all legal moves in SAN: those generated that do not leave the king in check."""
    position = board(case["fen"])
    legal = [move for move in genAllMoves(position) if not position.willLeaveInCheck(move)]
    return [str(toSAN(position, move)) for move in legal]


def play(case: dict[str, Any]) -> str:
    position = board(case["fen"])
    position.applyMove(parse(position, case["san"]))
    return str(position.asFen())


settings = "validated" if VALIDATED else ""
answer_cases("PyChess", read, write, moves, play, version=VERSION, settings=settings)
