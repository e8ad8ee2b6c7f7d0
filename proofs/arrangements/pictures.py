"""Pictures of why a string is impossible, as marks on the squares of a board. Untrusted.

Of a move that never gives check: the twins, and why no king can stand on each square that the piece
attacks from its destination. Of any other string: the squares from which such a piece comes to the
destination, and the squares that the string names; the two do not meet, or twins do not.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple

from sanproof.proofs.arrangements.boards import SQUARES, Square, named, reaches, square_of
from sanproof.proofs.arrangements.search import (
    CHECK_BEFORE,
    SHUT_OFF,
    TAKEN,
    attempts,
    searched,
)
from sanproof.proofs.rules.san import CASTLINGS, San

TWIN: Final = "twin"
LEFT: Final = "left"
BEFORE: Final = "before"
SHUT: Final = "shut"
COMES: Final = "comes"
NAMED: Final = "named"
BOTH: Final = "both"

SIGNS: Final = {TWIN: "t", LEFT: "o", BEFORE: "-", SHUT: "|", COMES: "+", NAMED: "?", BOTH: "!"}
"""How a mark is drawn as text."""

_MEANINGS: Final = {
    TWIN: "a twin, which makes the writer name the origin",
    LEFT: "the square that it left",
    BEFORE: "attacked before the move: a king here was in check already",
    SHUT: "a twin stands in between, or the square was empty when the twins had to see past it",
    COMES: "from here such a piece reaches the destination",
    NAMED: "what the string names; nothing reaches the destination from here",
    BOTH: "what the string names, and from here it reaches the destination",
}


class Picture(NamedTuple):
    """A board that shows why a string is impossible.

    Attributes:
        piece: The letter of the piece that is written; ``P`` for a pawn.
        destination: Where it stands.
        marks: What is said of other squares.
    """

    piece: str
    destination: Square
    marks: dict[Square, str]


def picture(san: San, *, playable: bool) -> Picture | None:
    """Why a string is impossible; None of castling, which has no squares to show.

    ``playable`` says whether the same string without its suffix is reachable.
    """
    if san.piece in CASTLINGS:
        return None
    destination = square_of(san.destination)
    if playable and searched(san):
        marks = _no_check(san, destination)
    else:
        marks = _no_origin(san, destination)
    return Picture(san.piece or "P", destination, marks)


def _no_check(san: San, destination: Square) -> dict[Square, str]:
    """The first arrangement that has room, and each square that is attacked after the move."""
    attempt = next(a for a in attempts(san) if a.fits)
    origin, twins = attempt.arrangement
    said = {CHECK_BEFORE: BEFORE, SHUT_OFF: SHUT, TAKEN: LEFT}
    marks = {
        square: said[why]
        for square, why in attempt.failures.items()
        if reaches(san.piece, destination, square)
    }
    return marks | dict.fromkeys(twins, TWIN) | {origin: LEFT}


def _no_origin(san: San, destination: Square) -> dict[Square, str]:
    comes = set(_origins(san, destination))
    written = {
        square
        for square in SQUARES
        if (san.file or san.rank)
        and san.file in ("", named(square)[0])
        and san.rank in ("", named(square)[1])
    }
    marks = dict.fromkeys(comes, COMES) | dict.fromkeys(written, NAMED)
    return marks | dict.fromkeys(comes & written, BOTH)


def _origins(san: San, destination: Square) -> Iterator[Square]:
    """From where a man of this kind comes to the destination, whatever else is written."""
    file, rank = destination
    for square in SQUARES:
        files, ranks = abs(square[0] - file), rank - square[1]
        if san.piece == "":  # either player's
            one, two = abs(ranks) == 1, (ranks, rank) in ((2, 4), (-2, 5))
            comes = files == 1 and one if san.capture else files == 0 and (one or two)
            if comes and 1 < square[1] < 8:
                yield square
        elif san.piece == "K":
            if max(files, abs(ranks)) == 1:
                yield square
        elif reaches(san.piece, square, destination):
            yield square


def drawn(shown: Picture) -> Iterator[str]:
    """The picture as lines of text, and what its signs mean."""
    signs = {square: SIGNS[mark] for square, mark in shown.marks.items()}
    signs[shown.destination] = shown.piece
    for rank in range(8, 0, -1):
        yield f"  {rank}  " + " ".join(signs.get((file, rank), ".") for file in range(1, 9))
    yield "     a b c d e f g h"
    yield ""
    for mark in sorted(set(shown.marks.values()), key=list(SIGNS).index):
        yield f"  {SIGNS[mark]}  {_MEANINGS[mark]}"
