"""Adapter for HoiChess, Phalanx and Sjaak II (Debian), by moves and commands that their help lists.

``python engines.py PROGRAM``; it goes on from case to case. Phalanx's FEN counts moves from one,
whatever was set up, so it is not asked for one.
"""

import os
import pty
import re
import subprocess
import sys
import termios
from pathlib import Path
from typing import Any, NamedTuple

from answering import Program, answer_cases, fens, read_by, said_by


class Engine(NamedTuple):
    """The name of an engine, the commands it gets, and patterns of its output."""

    name: str
    language: str
    options: list[str]
    before: list[str]
    show: str
    accepts: str
    refuses: str


ENGINES = {
    "hoichess": Engine(
        *("HoiChess", "C++", ["--norc"], ["force"]),
        *("show fen", "Your move was: (.*)$", "(Illegal move|Error).*$"),
    ),
    "phalanx": Engine(  # without an opening book, and without learning
        *("Phalanx", "C", ["-b", "-", "-l", "-"], ["force"]),
        *("fen", "your move is", "^Illegal move.*$"),
    ),
    "sjaakii": Engine("Sjaak II", "C++", [], ["board off", "force"], "fen", "", "Error.*"),
}


class OnTerminal(Program):
    """A program on a terminal without echo, because HoiChess ends without a terminal."""

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


KEY = Path(sys.argv[1]).name
ENGINE = ENGINES[KEY]
COMMAND = [sys.argv[1], *ENGINE.options]
PROGRAM = OnTerminal(COMMAND) if KEY == "hoichess" else Program(COMMAND)


def moved(fen: str, text: str) -> tuple[re.Match[str], str]:
    """Return the move as the engine repeats it, and the position after it."""
    said = PROGRAM.said(*ENGINE.before, f"setboard {fen}", text, ENGINE.show)
    found, refusal = (
        re.search(pattern, said, re.MULTILINE) for pattern in (ENGINE.accepts, ENGINE.refuses)
    )
    if found is None or (refusal and not ENGINE.accepts):
        raise ValueError(refusal[0] if refusal else "it repeated no move")
    return found, fens(said)[-1]


def read(case: dict[str, Any]) -> str:
    return read_by(case, play(case))


def write(case: dict[str, Any]) -> str:
    """Return the SAN of a move: as repeated, or for Sjaak II the text behind a prompt."""
    if KEY == "hoichess":
        return moved(case["fen"], case["uci"])[0][1]
    said = PROGRAM.said(*ENGINE.before, f"setboard {case['fen']}", f"san {case['uci']}")
    return re.search(r"\(f\)\+?>([^#\n]+)", said)[1].strip()


def play(case: dict[str, Any]) -> str:
    return moved(case["fen"], case["san"])[1]


operations = (read,) if KEY == "phalanx" else (read, write, play)
number = re.search(r"(?:HoiChess|Phalanx|version) ([\w.]+)", said_by(COMMAND, "quit"))[1]
answer_cases(ENGINE.name, *operations, version=number, language=ENGINE.language)
