"""Adapter for Sjaak II (Debian), by the moves and commands that its help lists: setboard, fen, san.

``python sjaakii.py PROGRAM``; it goes on from case to case. Which move a SAN string denotes is
taken from the FEN before and after it: the squares that the player's pieces left and reached.
"""

import re
import sys
from typing import Any

from answering import Program, answer_cases, fens, read_by, said_by

COMMAND = [sys.argv[1]]
PROGRAM = Program(COMMAND)


def ask(fen: str, *commands: str) -> str:
    """Return what the program writes to commands in a position."""
    return PROGRAM.said("board off", "force", f"setboard {fen}", *commands)


def read(case: dict[str, Any]) -> str:
    return read_by(case, play(case))


def write(case: dict[str, Any]) -> str:
    """Return the text of a move: what stands behind a prompt and is no prompt."""
    said = ask(case["fen"], f"san {case['uci']}")
    return re.search(r"\(f\)\+?>([^#\n]+)", said)[1].strip()


def play(case: dict[str, Any]) -> str:
    said = ask(case["fen"], case["san"], "fen")
    if refusal := re.search(r"Error.*", said):
        raise ValueError(refusal[0])
    return fens(said)[-1]


number = re.search(r"version ([\d.]+)", said_by(COMMAND, "quit"))[1]
answer_cases("Sjaak II", read, write, play, version=number, language="C++")
