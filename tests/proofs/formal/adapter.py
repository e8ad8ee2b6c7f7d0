"""The definitions in Coq as an adapter of the conformance suite.

``sanproof conformance run 'python -m tests.proofs.formal.adapter PLAYER'``, where PLAYER is the
program that the comparison builds. What the program cannot read it rejects, and is started again.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from tests.proofs.formal.player import Player

GREETING = {
    "sanproof": 1,
    "name": "Chess.v",
    "version": "1",
    "language": "Coq",
    "operations": ["read", "write", "moves", "play"],
}


def legal_moves(program: Path, fen: str) -> list[tuple[str, str, str]]:
    """Each legal move: UCI, SAN, and the FEN after it, by the program; empty if it breaks down."""
    fields = fen.split(" ")
    with Player(program) as player:
        said = player.ask("moves " + " ".join(fields[:5])).partition("; ")[2]
    number = int(fields[5]) + (fields[1] == "b") if len(fields) > 5 else 1
    moves = []
    for word in said.split():
        uci, san, after = word.split('="')[0], word.split('"')[1], word.rpartition('"=')[2]
        moves.append((uci, san, f"{after.replace('_', ' ')} {number}"))
    return moves


def answer(program: Path, case: dict[str, str]) -> dict[str, object]:
    """The result of a case, or that it is rejected."""
    moves = legal_moves(program, case["fen"])
    if case["operation"] == "moves":
        return {"result": [san for _, san, _ in moves]}
    for uci, san, after in moves:
        if case["operation"] == "write" and uci == case["uci"]:
            return {"result": san}
        if case["operation"] != "write" and san == case["san"]:
            return {"result": uci if case["operation"] == "read" else after}
    return {"rejected": "no legal move is written so"}


def main() -> None:
    """Greet, and answer every case."""
    program = Path(sys.argv[1])
    sys.stdout.write(json.dumps(GREETING) + "\n")
    sys.stdout.flush()
    for line in sys.stdin:
        case = json.loads(line)
        sys.stdout.write(json.dumps({"id": case["id"], **answer(program, case)}) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
