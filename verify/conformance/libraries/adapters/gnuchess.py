"""Adapter for GNU Chess (Debian), by the commands of its manual: setboard, show.

``python gnuchess.py PROGRAM``; it is started once for each case, with commands as its input. Which
move a SAN string denotes is taken from the boards that it shows before and after: the squares
that the player's men left and reached. What `show moves` lists are not all legal moves.
"""

import re
import subprocess
import sys
from typing import Any

from answering import answer_cases, men, move_between, version_of_program

PROGRAM = sys.argv[1]
MARK = "Invalid move: mark"
STARTS = 5
"""So often is it started for a case: now and then it aborts before it reads anything."""


def ask(fen: str, *commands: str) -> list[list[str]]:
    """What the program writes to each command in a position; "mark" is none, and it says so."""
    if not all(character.isprintable() for command in commands for character in command):
        raise ValueError("control characters cannot be typed in")
    lines = ["force", f"setboard {fen}", "mark"]
    for command in commands:
        lines += [command, "mark"]
    for _ in range(STARTS):
        made = subprocess.run(
            [PROGRAM, "-x"],
            input="\n".join([*lines, "quit", ""]),
            capture_output=True,
            text=True,
            check=False,
        )
        parts = made.stdout.split(MARK)[1:-1]
        if len(parts) == len(commands):
            break
    else:
        raise SystemExit(f"GNU Chess ended with {made.returncode}, {STARTS} times")
    return [part.strip("\n").splitlines() for part in parts]


def accepted(said: list[str]) -> None:
    """Raise unless the program repeated a move with its number."""
    if not any(re.match(r"\d+\. ", line) for line in said):
        raise ValueError(" ".join(said).strip())


def drawn(shown: list[str]) -> dict[str, str]:
    """The men on the squares, as `show board` draws them."""
    return men([line.replace(" ", "") for line in shown if re.fullmatch(r"([.A-Za-z] ){8}", line)])


def read(case: dict[str, Any]) -> str:
    shown, said, then = ask(case["fen"], "show board", case["san"], "show board")
    accepted(said)
    return move_between(drawn(shown), drawn(then), white=" w " in case["fen"])


def write(case: dict[str, Any]) -> str:
    """A move in SAN: the last in the game's record, below which a result can stand."""
    said, game = ask(case["fen"], case["uci"], "show game")
    accepted(said)
    (record,) = (line for line in game if re.match(r" *1\.", line))
    return record.split()[-1]


number = version_of_program(PROGRAM, r"([\d.]+)")
answer_cases("GNU Chess", read, write, version=number, language="C++")
