"""For each criterion an error to plant, and a position in which it shows.

The error puts another predicate in the criterion's place. ``examples.txt`` has for each pair a
position and a move in which the two differ, as python-chess says; the search finds them::

    python -m tests.proofs.find.examples > tests/proofs/find/examples.txt
"""

import sys
from pathlib import Path
from typing import Final, NamedTuple

import chess

from sanproof.proofs.find.criteria import Criterion, read_criteria, read_question
from sanproof.proofs.find.formulas import parts_of
from sanproof.proofs.find.hunt import Hunt
from sanproof.proofs.find.judge import PlayedMove

PLANTED: Final = {
    "white-castles": "black-castles",
    "black-castles": "white-castles",
    "in-check": "check",
    "capture": "en-passant",
    "check": "mate",
    "mate": "check",
    "stalemate": "replies=0",
    "direct": "check",
    "discovered": "double-check",
    "double-check": "discovered",
    "promotion-check": "direct",
    "castling-check": "discovered",
    "smothered": "mate",
    "pinned-capturer": "pinned-blocker",
    "pinned-blocker": "pinned-capturer",
    "xray-flight": "mate",
    "pinned-twin": "pinned-twin-may-move",
    "pinned-twin-may-move": "pinned-twin",
    "twin-leaves-check": "in-check",
    "promoted-twin": "twins=1..",
    "twin-on-file": "twin-on-rank",
    "twin-on-rank": "twin-on-file",
    "twin-behind": "twins=1..",
    "other-colour-too": "other-kind-too",
    "other-kind-too": "other-colour-too",
    "castling": "moves=K",
    "castling-rook-attacked": "castling-b-attacked",
    "castling-b-attacked": "castling-rook-attacked",
    "promotion": "promotion=Q",
    "en-passant": "en-passant-possible",
    "en-passant-square": "en-passant-possible",
    "en-passant-possible": "en-passant-square",
    "en-passant-idle": "en-passant-square",
    "en-passant-two": "en-passant-possible",
    "en-passant-one-pinned": "en-passant-two",
    "en-passant-rank": "en-passant-line",
    "en-passant-line": "en-passant-rank",
    "moves=P": "moves=N",
    "moves=N": "moves=B",
    "moves=B": "moves=R",
    "moves=R": "moves=Q",
    "moves=Q": "moves=K",
    "moves=K": "castling",
    "checker=P": "direct",
    "checker=N": "checker=B",
    "checker=B": "checker=Q",
    "checker=R": "checker=Q",
    "checker=Q": "checker=R",
    "promotion=N": "promotion=B",
    "promotion=B": "promotion=R",
    "promotion=R": "promotion=Q",
    "promotion=Q": "promotion",
    "disambiguation=none": "disambiguation=file",
    "disambiguation=file": "disambiguation=rank",
    "disambiguation=rank": "disambiguation=square",
    "disambiguation=square": "disambiguation=file",
    "discovered-by=piece": "discovered-by=pawn",
    "discovered-by=pawn": "discovered-by=king",
    "discovered-by=king": "discovered-by=piece",
    "discovered-by=castling": "castling-check",
    "en-passant-check=pawn": "en-passant-check=left",
    "en-passant-check=left": "en-passant-check=captured",
    "en-passant-check=captured": "en-passant-check=both",
    "en-passant-check=both": "en-passant-check=left",
    "only-reply=king": "replies=1",
    "only-reply=capture": "only-reply=king",
    "only-reply=block": "only-reply=double-push",
    "only-reply=double-push": "only-reply=block",
    "only-reply=en-passant": "only-reply=capture",
    "only-reply=promotion": "only-reply=capture",
    "cannot-castle=out": "cannot-castle=through",
    "cannot-castle=through": "cannot-castle=into",
    "cannot-castle=into": "cannot-castle=out",
    "cannot-castle=blocked": "cannot-castle=no-right",
    "cannot-castle=no-right": "cannot-castle=blocked",
    "men=5": "men=4..5",
    "men=..7": "men=..8",
    "white-men=3": "black-men=3",
    "black-men=2..4": "white-men=2..4",
    "twins=1": "twins=1..",
    "twins=2..": "twins=1..",
    "replies=0": "replies=..1",
    "replies=1": "replies=1..",
    "replies=2..": "replies=1..",
    "white=KR": "white=KQ",
    "black=KP": "black=KN",
    "rights=K": "white-castles",
    "rights=-": "rights=q",
    "d4=Q": "d4=white",
    "h*=r": "g*=r",
    "e4=.": "e4=black",
    "Q=1": "Q=1..",
    "p=..2": "p=..3",
}
"""For each criterion another one that an error might put in its place."""

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
    """The stored examples."""
    found = []
    for line in FILE.read_text(encoding="ascii").splitlines():
        criterion, planted, uci, fen = line.split(" ", 3)
        case = PlayedMove(chess.Board(fen), chess.Move.from_uci(uci))
        here, there = read_criteria([criterion, planted])
        found.append(Example(here, there, case))
    return found


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
    """Print an example for each pair."""
    for criterion, planted in PLANTED.items():
        line = search_example(criterion, planted)
        stream = sys.stderr if line is None else sys.stdout
        stream.write(f"{line or f'no example for {criterion} {planted}'}\n")
        stream.flush()


if __name__ == "__main__":
    main()
