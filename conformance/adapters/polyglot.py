"""Adapter for PolyGlot (Debian), which shows XBoard the moves that a UCI engine thinks of in SAN.

``python polyglot.py PROGRAM``; it is started once for each case, with an engine that wants to play
the move. It reads SAN only in games from the initial position.
"""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from answering import Skip, answer_cases, said_by

PROGRAM = sys.argv[1]
ENGINE = """#!/bin/sh
while read -r word rest; do case $word in
  uci) echo uciok ;;
  isready) echo readyok ;;
  go) echo "info depth 1 score cp 0 time 1 nodes 1 pv $MOVE"; echo "bestmove $MOVE" ;;
  quit) exit ;;
esac; done
"""


def write(case: dict[str, Any]) -> str:
    """Return the move in SAN: the end of the line of thinking output."""
    commands = f"xboard\nprotover 2\nforce\nsetboard {case['fen']}\npost\ngo\n"
    with subprocess.Popen(
        [PROGRAM, "-noini", "-ec", "./engine"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"MOVE": case["uci"]},
    ) as asked:
        asked.stdin.write(commands)
        asked.stdin.flush()
        said = []
        for line in asked.stdout:
            said += re.findall(r"^1 \S+ \d+ 1 (.+)$", line)
            if line.startswith(("move ", "1/2-1/2")):
                break
        asked.kill()  # told to quit, it waits 0.3 s; the engine ends with its input
    if line.startswith("1/2-1/2"):
        raise Skip(f"it ends the game before the move: {line.strip()}")
    return said[-1]


number = re.search(r"PolyGlot ([\d.]+)", said_by([PROGRAM, "perft", "-max-depth", "1"]))[1]
with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    Path("engine").write_text(ENGINE, "ascii")
    Path("engine").chmod(0o755)
    answer_cases("PolyGlot", write, version=number, language="C")
