"""Adapter for HoiChess (Debian), by the moves and commands that its help lists: setboard, show fen.

``python hoichess.py PROGRAM``; it is started once for each case. It repeats a move in SAN. Which
move a SAN string denotes is taken from the FEN before and after it: the squares that the player's
men left and reached.
"""

import re
import sys
from typing import Any

from answering import answer_cases, fens, move_between, placed, said_by

PROGRAM = sys.argv[1]


def moved(fen: str, text: str) -> tuple[str, str]:
    """The move as the program repeats it, and the position after it."""
    said = said_by([PROGRAM, "--norc"], "force", f"setboard {fen}", text, "show fen", "quit")
    if found := re.search(r"^Your move was: (.*)$", said, re.MULTILINE):
        return found[1], fens(said)[-1]
    refusal = re.search(r"^(Illegal move|Error).*$", said, re.MULTILINE)
    raise ValueError(refusal[0] if refusal else "it repeated no move")


def read(case: dict[str, Any]) -> str:
    before, after = placed(case["fen"]), placed(play(case))
    return move_between(before, after, white=" w " in case["fen"])


def write(case: dict[str, Any]) -> str:
    return moved(case["fen"], case["uci"])[0]


def play(case: dict[str, Any]) -> str:
    return moved(case["fen"], case["san"])[1]


number = re.search(r"HoiChess ([\d.]+)", said_by([PROGRAM, "--norc"], "quit"))[1]
answer_cases("HoiChess", read, write, play, version=number, language="C++")
