"""Adapter for pyffish (PyPI), Fairy-Stockfish's binding, which writes SAN but does not read it."""

from typing import Any

import pyffish
from answering import answer_cases


def write(case: dict[str, Any]) -> str:
    return pyffish.get_san("chess", case["fen"], case["uci"])


def moves(case: dict[str, Any]) -> list[str]:
    fen = case["fen"]
    return [pyffish.get_san("chess", fen, move) for move in pyffish.legal_moves("chess", fen, [])]


answer_cases("pyffish", write, moves)
