"""Adapter for GNU Chess (Debian), by the commands of its manual: setboard, show.

``python gnuchess.py PROGRAM``; it goes on from case to case. Which move a SAN string denotes is
taken from the boards that it shows before and after: the squares that the player's pieces left and
reached. What `show moves` lists are not all legal moves.
"""

import re
import sys
from typing import Any

from answering import Program, answer_cases, move_between, pieces_on, version_of_program

PROGRAM = Program([sys.argv[1], "-x"])
PROGRAM.STARTS = 5  # now and then it aborts before it reads anything
PROGRAM.PATIENCE_SECONDS = 0.02  # and now and then it sleeps though it has read lines
MARK = "Invalid move: mark"


def ask(fen: str, *commands: str) -> list[list[str]]:
    """Return its answers to commands in a position. It refuses "mark", which is not a command."""
    lines = ["force", f"setboard {fen}", "mark"]
    for command in commands:
        lines += [command, "mark"]
    parts = PROGRAM.said(*lines).split(MARK)[1:-1]
    if len(parts) != len(commands):
        raise SystemExit(f"GNU Chess ended, {PROGRAM.STARTS} times")
    return [part.strip("\n").splitlines() for part in parts]


def accepted(said: list[str]) -> None:
    """Raise unless the program repeated a move with its number."""
    if not any(re.match(r"\d+\. ", line) for line in said):
        raise ValueError(" ".join(said).strip())


def drawn(shown: list[str]) -> dict[str, str]:
    """Return the pieces on the squares, as `show board` draws them."""
    return pieces_on(
        [line.replace(" ", "") for line in shown if re.fullmatch(r"([.A-Za-z] ){8}", line)]
    )


def read(case: dict[str, Any]) -> str:
    shown, said, then = ask(case["fen"], "show board", case["san"], "show board")
    accepted(said)
    return move_between(drawn(shown), drawn(then), white=" w " in case["fen"])


def write(case: dict[str, Any]) -> str:
    """Return a move in SAN: the last in the game's record, below which a result can stand."""
    said, game = ask(case["fen"], case["uci"], "show game")
    accepted(said)
    (record,) = (line for line in game if re.match(r" *1\.", line))
    return record.split()[-1]


number = version_of_program(sys.argv[1], r"([\d.]+)")
answer_cases("GNU Chess", read, write, version=number, language="C++")
