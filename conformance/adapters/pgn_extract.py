"""Adapter for pgn-extract (Debian): a program that reads PGN and writes it in other notations.

``python pgn_extract.py PROGRAM``; it is started once for each case, with the case as its input.
"""

import re
import subprocess
import sys
from typing import Any

from answering import answer_cases, game_of, version_of_program

PROGRAM = sys.argv[1]
PLAIN = ("-s", "-w", "100000", "--notags", "--noresults", "--nomovenumbers")


def extract(pgn: str, *options: str) -> str:
    """Return the program's output without tags, move numbers and result."""
    made = subprocess.run(
        [PROGRAM, *PLAIN, *options], input=pgn.encode(), capture_output=True, check=False
    )
    written = made.stdout.decode().strip()
    if written in {"", "*"} or made.returncode:  # the star is the result of a game without moves
        said = made.stderr.decode(errors="replace").strip().splitlines()
        raise ValueError(said[0] if said else f"exit code {made.returncode}, nothing written")
    return written


def read(case: dict[str, Any]) -> str:
    """Return the move of a SAN string in UCI, in lower case (the program writes capitals)."""
    words = extract(game_of(case["fen"], case["san"]), "-Wuci", "-C", "-N").split()
    if len(words) != 1:
        raise ValueError(f"not one move of one game was read: {' '.join(words)}")
    return words[0].lower()


def write(case: dict[str, Any]) -> str:
    return extract(game_of(case["fen"], case["uci"]))


def play(case: dict[str, Any]) -> str:
    return game({"pgn": game_of(case["fen"], case["san"])})["fen"]


def game(case: dict[str, Any]) -> dict[str, Any]:
    """Return the moves of a PGN and its last position, which -F writes as a comment."""
    moves, fen = re.fullmatch(
        r'(.*)\{ "([^"]*)" \}', extract(case["pgn"], "-F", "-C", "-N", "-V"), re.DOTALL
    ).groups()
    return {"moves": moves.split(), "fen": fen}


number = version_of_program(PROGRAM, r"v([\d-]+)")
answer_cases("pgn-extract", read, write, play, game, version=number, language="C")
