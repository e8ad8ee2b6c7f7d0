"""Cases about broken input: positions that no game reaches, and texts that are no position.

They are apart from all others: their ids begin with ``broken.``, and no game leads to them. What a
library does with them is up to it: nobody has to check what no game can make.
"""

from typing import Final, NamedTuple

from sanproof.verify.conformance.cases.case import Case, Demand, Operation


class Broken(NamedTuple):
    """Broken input.

    Attributes:
        name: The name of the case, after ``broken.``.
        fen: The FEN.
        san: What is read.
        uci: The move that is expected if the library accepts; None if nothing is.
        why: A sentence.
    """

    name: str
    fen: str
    san: str
    uci: str | None
    why: str


_BROKEN: Final = (
    Broken(
        "en-passant-without-pawn",
        "4k3/8/8/4P3/8/8/8/4K3 w - d6 0 1",
        "exd6",
        None,
        "The FEN names d6, but no pawn has passed it: there is nothing to capture (FIDE 3.7.3.1).",
    ),
    Broken(
        "en-passant-without-pawn-other-move",
        "4k3/8/8/4P3/8/8/8/4K3 w - d6 0 1",
        "e6",
        "e5e6",
        "The FEN names d6, but no pawn has passed it; the move has nothing to do with that.",
    ),
    Broken(
        "en-passant-on-wrong-rank",
        "4k3/8/8/3pP3/8/8/8/4K3 w - d5 0 1",
        "e6",
        "e5e6",
        "The FEN names d5, and a pawn passes only the third and the sixth rank (FIDE 3.7.2).",
    ),
    Broken(
        "en-passant-of-own-pawn",
        "4k3/8/8/8/4P3/8/8/4K3 w - e3 0 1",
        "e5",
        "e4e5",
        "The FEN names e3, but it is White's turn, whose pawn has passed it (FIDE 1.2).",
    ),
    Broken(
        "right-without-rook",
        "4k3/8/8/8/8/8/8/4K3 w K - 0 1",
        "O-O",
        None,
        "The FEN gives a right to castle, but there is no rook on h1 (FIDE 3.8.2).",
    ),
    Broken(
        "right-without-king",
        "4k3/8/8/8/8/8/8/3K3R w K - 0 1",
        "O-O",
        None,
        "The FEN gives a right to castle, but the king is not on e1 (FIDE 3.8.2).",
    ),
    Broken(
        "other-player-in-check",
        "4k3/8/8/8/8/8/8/K3R3 w - - 0 1",
        "Kb2",
        "a1b2",
        "Black is in check, though it is White's turn, which no legal move leaves (FIDE 3.9.2).",
    ),
    Broken(
        "pawn-on-last-rank",
        "P3k3/8/8/8/8/8/8/4K3 w - - 0 1",
        "Kd2",
        "e1d2",
        "A pawn on the last rank has not been exchanged (FIDE 3.7.3.3).",
    ),
    Broken(
        "two-kings",
        "4k3/8/8/8/8/8/8/K3K3 w - - 0 1",
        "Kb2",
        "a1b2",
        "White has two kings (FIDE 2.2).",
    ),
    Broken(
        "no-king",
        "8/8/8/8/8/8/4P3/4K3 w - - 0 1",
        "e4",
        "e2e4",
        "Black has no king (FIDE 2.2).",
    ),
)


def broken_cases() -> list[Case]:
    """The cases about broken input."""
    return [
        Case(
            id=f"broken.{broken.name}",
            operation=Operation.READ,
            demand=Demand.MAY,
            mechanism=f"broken.{broken.name}",
            colour="white",
            why=broken.why,
            fen=broken.fen,
            asked=broken.san,
            expected=broken.uci,
        )
        for broken in _BROKEN
    ]
