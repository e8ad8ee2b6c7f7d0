"""Adapter for Phalanx (Debian), by the moves and commands that its help lists: setboard, fen.

``python phalanx.py PROGRAM``; it goes on from case to case. Which move a SAN string denotes is
taken from the FEN before and after it: the squares that the player's pieces left and reached. That
FEN counts moves from one, whatever was set up, so the program is not asked for one.
"""

import re
import sys
from typing import Any

from answering import Program, answer_cases, fens, read_by, said_by

COMMAND = [sys.argv[1], "-b", "-", "-l", "-"]  # without an opening book, and without learning
PROGRAM = Program(COMMAND)


def read(case: dict[str, Any]) -> str:
    said = PROGRAM.said("force", f"setboard {case['fen']}", case["san"], "fen")
    if "your move is" not in said:
        refusal = re.search(r"^Illegal move.*$", said, re.MULTILINE)
        raise ValueError(refusal[0] if refusal else "it repeated no move")
    return read_by(case, fens(said)[-1])


number = re.search(r"Phalanx (\w+)", said_by(COMMAND, "quit"))[1]
answer_cases("Phalanx", read, version=number, language="C")
