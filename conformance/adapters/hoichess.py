"""Adapter for HoiChess (Debian), by the moves and commands that its help lists: setboard, show.

``python hoichess.py PROGRAM``; it goes on from case to case, on a terminal: elsewhere the program
ends at a text that is no move. It repeats a move in SAN. Which move a SAN string denotes is taken
from the FEN before and after it: the squares that the player's pieces left and reached.
"""

import os
import pty
import re
import subprocess
import sys
import termios
from typing import Any

from answering import Program, answer_cases, fens, read_by, said_by

COMMAND = [sys.argv[1], "--norc"]


class OnTerminal(Program):
    """A program that is given a terminal, which shows nothing of what is typed."""

    def _start(self) -> subprocess.Popen[bytes]:
        ours, its = pty.openpty()
        ways = termios.tcgetattr(its)
        ways[1] &= ~termios.OPOST
        ways[3] &= ~termios.ECHO
        termios.tcsetattr(its, termios.TCSANOW, ways)
        null = subprocess.DEVNULL
        process = subprocess.Popen(self._command, stdin=its, stdout=its, stderr=null)
        os.close(its)
        self._input = self._output = os.fdopen(ours, "r+b", buffering=0)
        return process

    def _read(self) -> bytes:
        try:
            return super()._read()
        except OSError:  # so a terminal says that its other end is closed
            return b""


PROGRAM = OnTerminal(COMMAND)


def moved(fen: str, text: str) -> tuple[str, str]:
    """Return the move as the program repeats it, and the position after it."""
    said = PROGRAM.said("force", f"setboard {fen}", text, "show fen")
    if found := re.search(r"Your move was: (.*)$", said, re.MULTILINE):
        return found[1], fens(said)[-1]
    refusal = re.search(r"(Illegal move|Error).*$", said, re.MULTILINE)
    raise ValueError(refusal[0] if refusal else "it repeated no move")


def read(case: dict[str, Any]) -> str:
    return read_by(case, play(case))


def write(case: dict[str, Any]) -> str:
    return moved(case["fen"], case["uci"])[0]


def play(case: dict[str, Any]) -> str:
    return moved(case["fen"], case["san"])[1]


number = re.search(r"HoiChess ([\d.]+)", said_by(COMMAND, "quit"))[1]
answer_cases("HoiChess", read, write, play, version=number, language="C++")
