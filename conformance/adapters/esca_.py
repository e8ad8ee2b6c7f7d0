"""Adapter for esca (PyPI), by its documented ``Position`` and ``pgn``."""

from typing import Any

import esca
import esca.pgn
from answering import answer_cases


def read(case: dict[str, Any]) -> str:
    position = esca.Position.from_fen(case["fen"])
    return position.uci(position.parse_san(case["san"]), castling=esca.KING_TWO_SQUARES)


def write(case: dict[str, Any]) -> str:
    position = esca.Position.from_fen(case["fen"])
    return position.san(position.parse_uci(case["uci"]))


def moves(case: dict[str, Any]) -> list[str]:
    position = esca.Position.from_fen(case["fen"])
    return [position.san(move) for move in position.legal_moves()]


def play(case: dict[str, Any]) -> str:
    position = esca.Position.from_fen(case["fen"])
    return position.play(position.parse_san(case["san"])).fen


def game(case: dict[str, Any]) -> dict[str, Any]:
    record = next(esca.pgn.read_string(case["pgn"]))
    return {"moves": [node.san for node in record.mainline()], "fen": record.game().position.fen}


answer_cases("esca", read, write, moves, play, game)
