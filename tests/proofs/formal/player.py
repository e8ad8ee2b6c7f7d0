"""The definitions of `proofs/formal/Chess.v` as a program: built, started, asked.

``sanproof conformance run 'python -m tests.proofs.formal.player PROGRAM'``, where PROGRAM is what
the comparison builds, asks it for the conformance suite. What it cannot read it rejects.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final, Self

from sanproof.proofs.formal.build import HERE, compile_file

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

EXTRACTED: Final = ("Chess", "Forms", "Quick", "Extract")


def build_player(folder: Path, definitions: str | None = None) -> Path:
    """Return the program, built in ``folder`` from `Chess.v`, or from another text of it.

    Raises:
        NotProvedError: Coq refuses a file.
        subprocess.CalledProcessError: OCaml refuses what Coq extracted.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for name in EXTRACTED:
        shutil.copy(HERE / f"{name}.v", folder)
    if definitions is not None:
        (folder / "Chess.v").write_text(definitions, encoding="utf-8")
    shutil.copy(HERE / "player.ml", folder)
    for name in EXTRACTED:
        compile_file(folder, name)
    sources = ("chess.mli", "chess.ml", "player.ml")
    command = ["ocamlopt", "-w", "-a", "-inline", "200", *sources, "-o", "player"]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    return folder / "player"


class Player:
    """The running program: a line is asked, a line is answered."""

    def __init__(self, program: Path) -> None:
        self._process = subprocess.Popen(
            [program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.communicate()

    def ask(self, question: str) -> str:
        """Return the answer to one question; ``""`` if the program broke down."""
        stdin, stdout = self._process.stdin, self._process.stdout
        if stdin is None or stdout is None:
            raise RuntimeError("the program has no pipes")
        stdin.write(question + "\n")
        stdin.flush()
        return stdout.readline().rstrip("\n")


def differences(asked: Iterable[tuple[str, str]], player: Player) -> Iterator[tuple[str, str, str]]:
    """Yield questions to which the program does not answer what it has to, with both answers."""
    for question, due in asked:
        if (answer := player.ask(question)) != due:
            yield question, due, answer


# The adapter


GREETING = {
    "sanproof": 1,
    "name": "Chess.v",
    "version": "1",
    "language": "Coq",
    "operations": ["read", "write", "moves", "play"],
}


def legal_moves(program: Path, fen: str) -> list[tuple[str, str, str]]:
    """Return each legal move by the program: UCI, SAN, FEN after it; empty if it breaks down."""
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
    """Return the result of a case, or that it is rejected."""
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
