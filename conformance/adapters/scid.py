"""Adapter for Scid (Debian), by the Tcl commands behind its windows: sc_game, sc_pos.

``python scid.py PROGRAM`` with the path of tkscid, the interpreter that has these commands.
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from answering import Skip, answer_cases, game_of

EVALUATE = r"""
while {[gets stdin line] >= 0} {
    set words {}
    foreach word [split $line] { lappend words [subst -nocommands -novariables $word] }
    puts [catch {{*}$words} answer]
    puts [string map {\n { }} $answer]
    flush stdout
}
exit
"""


def tcl(*words: str) -> str:
    """Return the result of a Tcl command, or raise a ValueError with its message."""
    if any(ord(sign) > 0xFFFF for word in words for sign in word):
        raise Skip("Tcl 8.6 has no characters beyond U+FFFF")
    quoted = (
        re.sub(r"[^a-zA-Z0-9]", lambda sign: f"\\u{ord(sign[0]):04x}", word) for word in words
    )
    print(*quoted, file=scid.stdin, flush=True)
    failed, answer = (scid.stdout.readline().rstrip("\n") for _ in range(2))
    if failed == "1":
        raise ValueError(answer)
    return answer.strip()


def imported(pgn: str) -> list[str]:
    """Return the moves of a PGN. Scid is then after the last one. Any warning is a rejection."""
    tcl("sc_game", "new")
    said = tcl("sc_game", "import", pgn)
    if said != "PGN text imported with no errors or warnings.":
        raise ValueError(said)
    tcl("sc_move", "end")
    return [re.sub(r"^\d+\.+", "", word) for word in tcl("sc_game", "moves").split()]


def read(case: dict[str, Any]) -> str:
    if len(imported(game_of(case["fen"], case["san"]))) != 1:
        raise ValueError("not one move was imported")
    return tcl("sc_game", "info", "previousMoveUCI")


def write(case: dict[str, Any]) -> str:
    tcl("sc_game", "startBoard", case["fen"])
    tcl("sc_move", "addUCI", case["uci"])
    return tcl("sc_game", "info", "previousMove")


def moves(case: dict[str, Any]) -> list[str]:
    tcl("sc_game", "startBoard", case["fen"])
    return tcl("sc_pos", "moves").split()


def play(case: dict[str, Any]) -> str:
    read(case)
    return tcl("sc_pos", "fen")


def game(case: dict[str, Any]) -> dict[str, Any]:
    return {"moves": imported(case["pgn"]), "fen": tcl("sc_pos", "fen")}


with tempfile.TemporaryDirectory() as folder:
    script = Path(folder, "evaluate.tcl")
    script.write_text(EVALUATE, "ascii")
    pipe = subprocess.PIPE
    with subprocess.Popen([sys.argv[1], script], stdin=pipe, stdout=pipe, text=True) as scid:
        number = tcl("sc_info", "version")
        answer_cases("Scid", read, write, moves, play, game, version=number, language="C++")
        scid.stdin.close()
