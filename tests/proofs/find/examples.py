"""For each criterion an error to plant, and a position in which it shows.

The error puts another criterion in its place. ``examples.txt`` has for each pair a position and a
move in which the two differ, as python-chess says. This searches them again, for the same pairs::

    python -m tests.proofs.find.examples
"""

import sys
from pathlib import Path
from typing import Final, NamedTuple

import chess

from sanproof.proofs.find.criteria import Criterion
from sanproof.proofs.find.formulas import parts_of
from sanproof.proofs.find.hunt import Hunt
from sanproof.proofs.find.judge import PlayedMove
from sanproof.proofs.find.questions import read_criteria, read_question

FILE: Final = Path(__file__).with_name("examples.txt")
_PATTERNS: Final = (
    *("Q*d4", "Q*d4[+#]", "exd6*", "N*a2*", "d8=*", "dxc8=*", "O-O", "O-O[+#]", "O-O-O"),
    *("O-O-O[+#]", "Kb2", "Kb2[+#]", "d4", "d4[+#]", "R*xe1", "R*xe1[+#]", "N*f7#"),
)
"""The cubes in which examples are looked for."""


class Example(NamedTuple):
    """A position and a move in which a criterion and the one planted for it differ."""

    criterion: Criterion
    planted: Criterion
    case: PlayedMove


def load_examples() -> list[Example]:
    """Return the stored examples."""
    found = []
    for criterion, planted, uci, fen in _lines():
        case = PlayedMove(chess.Board(fen), chess.Move.from_uci(uci))
        here, there = read_criteria([criterion, planted])
        found.append(Example(here, there, case))
    return found


def _lines() -> list[list[str]]:
    return [line.split(" ", 3) for line in FILE.read_text(encoding="ascii").splitlines()]


def search_example(criterion: str, planted: str) -> str | None:
    """The line of an example in one of a few cubes; either of the two may hold in it."""
    for pattern in _PATTERNS:
        for words in ((criterion, "not", planted), ("not", criterion, planted)):
            question = read_question([pattern, "white-to-move", *words])
            for part in parts_of(question):
                answer = next(Hunt(question, part, None, game=False).answers(), None)
                if answer is not None:
                    return f"{criterion} {planted} {answer.uci} {answer.fen}"
    return None


def main() -> None:
    """Search an example for each pair anew, and print it."""
    for criterion, planted, *_ in _lines():
        line = search_example(criterion, planted)
        stream = sys.stderr if line is None else sys.stdout
        stream.write(f"{line or f'no example for {criterion} {planted}'}\n")
        stream.flush()


if __name__ == "__main__":
    main()
