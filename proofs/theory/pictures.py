"""Pictures of why a string is impossible, as marks on the squares of a board. Untrusted.

If a move never gives check, the marks show the twins, and why no king can stand on each square that
the piece attacks from its destination. For any other string they show the squares from which such a
piece reaches the destination, and the squares that the string names.
"""

from collections.abc import Iterator, Mapping
from typing import Final

from sanproof.proofs.rules.moves import pawn_origins, reach_backwards
from sanproof.proofs.rules.san import CASTLINGS, San
from sanproof.proofs.rules.squares import SQUARES, parse_square, square_name
from sanproof.proofs.theory.arrangements import (
    CHECK_BEFORE,
    SHUT_OFF,
    TAKEN,
    attempts,
    reaches,
    searched,
)

TWIN: Final = "twin"
LEFT: Final = "left"
BEFORE: Final = "before"
SHUT: Final = "shut"
COMES: Final = "comes"
NAMED: Final = "named"
BOTH: Final = "both"

MEANINGS: Final = {
    TWIN: "another such piece that could go there, so SAN writes the origin",
    LEFT: "the square that the piece has left",
    BEFORE: "attacked before the move: a king here was in check already",
    SHUT: "not attacked: another such piece is in between, or the square had to be empty",
    COMES: "from here such a piece reaches the destination",
    NAMED: "the string names it, but no such piece reaches the destination from here",
    BOTH: "the string names it, and such a piece reaches the destination from here",
}
_SIGNS: Final = dict(zip(MEANINGS, "to-|+?!", strict=True))
"""The sign of each mark, as it is drawn in text."""


def picture(san: San, *, playable: bool) -> dict[int, str]:
    """Return the marks of squares that show why a string is impossible. Castling has none.

    ``playable`` says that the same string without its suffix is reachable.
    """
    if san.piece in CASTLINGS:
        return {}
    destination = parse_square(san.destination)
    return _no_check(san, destination) if playable and searched(san) else _no_origin(san)


def _no_check(san: San, destination: int) -> dict[int, str]:
    """Mark the first arrangement that has room, and each square attacked after the move."""
    found = next(a for a in attempts(san) if a.fits)
    said = {CHECK_BEFORE: BEFORE, SHUT_OFF: SHUT, TAKEN: LEFT}
    marks = {
        square: said[why]
        for square, why in found.failures.items()
        if reaches(san.piece, destination, square)
    }
    return marks | dict.fromkeys(found.twins, TWIN) | {found.origin: LEFT}


def _no_origin(san: San) -> dict[int, str]:
    comes = origins(san)
    written = {
        square
        for square in SQUARES
        if (san.file or san.rank)
        and san.file in ("", square_name(square)[0])
        and san.rank in ("", square_name(square)[1])
    }
    marks = dict.fromkeys(comes, COMES) | dict.fromkeys(written, NAMED)
    return marks | dict.fromkeys(comes & written, BOTH)


def origins(san: San) -> set[int]:
    """Return the squares from which such a piece, or either player's pawn, reaches the destination.

    File and rank of the string are ignored.
    """
    destination = parse_square(san.destination)
    if san.piece:
        return set(reach_backwards(san.piece, destination))
    captures = san.capture == "x"
    white = pawn_origins(captures, destination)
    black = [square ^ 56 for square in pawn_origins(captures, destination ^ 56)]
    return {square for square in (*white, *black) if 8 <= square < 56}


def drawn(san: San, marks: Mapping[int, str]) -> Iterator[str]:
    """Yield the lines of a picture of a string in text, and the meanings of its signs."""
    signs = {square: _SIGNS[mark] for square, mark in marks.items()}
    signs[parse_square(san.destination)] = san.piece or "P"
    for rank in range(7, -1, -1):
        yield f"  {rank + 1}  " + " ".join(signs.get(8 * rank + file, ".") for file in range(8))
    yield "     a b c d e f g h"
    yield ""
    for mark, meaning in MEANINGS.items():
        if mark in marks.values():
            yield f"  {_SIGNS[mark]}  {meaning}"
