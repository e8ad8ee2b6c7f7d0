"""The search over arrangements, for one string: what was tried, and why each attempt fails.

What is written of a knight's, bishop's, rook's or queen's move depends on its origin and on at
most two twins: an *arrangement*. The board leaves room for one, or does not; and it leaves a square
for a king that is in check after the move and was not before, or does not. That this search
overlooks nothing `proofs/formal/Arrangements.v` proves; here nothing rests on it.
"""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from sanproof.proofs.arrangements.boards import SQUARES, Square, between, reaches, square_of
from sanproof.proofs.rules.san import San

OFFICERS: Final = "NBRQ"

IN_THE_WAY: Final = "a man of the arrangement stands in another's way"
TAKEN: Final = "a man stands there, or stood there before the move"
NOT_ATTACKED: Final = "no man newly attacks it"
SHUT_OFF: Final = "a man stands in between"
CHECK_BEFORE: Final = "it was attacked before the move"


class Arrangement(NamedTuple):
    """An origin, and the twins that make a string name as much of it as it does."""

    origin: Square
    twins: tuple[Square, ...]

    @property
    def men(self) -> tuple[Square, ...]:
        """The origin, and the twins."""
        return (self.origin, *self.twins)


class Attempt(NamedTuple):
    """An arrangement, and what came of it.

    Attributes:
        arrangement: The arrangement.
        king: A square for the king that is in check, if one is left.
        fits: Whether the board has room for the arrangement.
        failures: For an arrangement that fits and leaves no such square: why each of the 64
            squares fails.
    """

    arrangement: Arrangement
    fits: bool
    king: Square | None = None
    failures: Mapping[Square, str] = MappingProxyType({})


def searched(san: San) -> bool:
    """Whether the search speaks of this string: a knight's to a queen's, without promotion."""
    return san.piece in OFFICERS and san.piece != "" and not san.promotion


def arrangements(san: San) -> Iterator[Arrangement]:
    """The arrangements that write a string's discriminator."""
    destination = square_of(san.destination)
    reaching = [square for square in SQUARES if reaches(san.piece, square, destination)]
    for origin in reaching:
        if san.file and "abcdefgh"[origin[0] - 1] != san.file:
            continue
        if san.rank and str(origin[1]) != san.rank:
            continue
        others = [square for square in reaching if square != origin]
        same_file = [square for square in others if square[0] == origin[0]]
        same_rank = [square for square in others if square[1] == origin[1]]
        if san.file and san.rank:
            yield from (Arrangement(origin, (t, u)) for t in same_file for u in same_rank)
        elif san.rank:
            yield from (Arrangement(origin, (t,)) for t in same_file)
        elif san.file:
            yield from (Arrangement(origin, (t,)) for t in others if t[0] != origin[0])
        else:
            yield Arrangement(origin, ())


def attempts(san: San) -> Iterator[Attempt]:
    """Each arrangement of a string, and whether it fits, and checks if the string says so."""
    destination = square_of(san.destination)
    for arrangement in arrangements(san):
        empty: set[Square] = set() if san.capture else {destination}
        empty.update(*(between(man, destination) for man in arrangement.men))
        if empty.intersection(arrangement.men):
            yield Attempt(arrangement, fits=False)
        elif not san.suffix:
            yield Attempt(arrangement, fits=True)
        else:
            yield _with_king(san.piece, arrangement, destination, frozenset(empty))


def possible(san: San) -> bool:
    """Whether one of the string's arrangements fits, and checks if the string says so."""
    return any(a.king is not None if san.suffix else a.fits for a in attempts(san))


def _with_king(
    piece: str, arrangement: Arrangement, destination: Square, empty: frozenset[Square]
) -> Attempt:
    failures: dict[Square, str] = {}
    for king in SQUARES:
        reason = _failure(piece, arrangement, destination, empty, king)
        if not reason:
            return Attempt(arrangement, fits=True, king=king)
        failures[king] = reason
    return Attempt(arrangement, fits=True, failures=failures)


def _failure(
    piece: str,
    arrangement: Arrangement,
    destination: Square,
    empty: frozenset[Square],
    king: Square,
) -> str:
    """Why a king on this square is not newly in check; ``""`` if it can be."""
    if king == destination or king in arrangement.men:
        return TAKEN
    reasons = []
    if reaches(piece, destination, king):
        line = between(destination, king)
        reasons.append(_not_calm(piece, arrangement, empty | (line - {arrangement.origin}), king))
    for square in SQUARES:  # somebody behind the origin, whose line the move opens
        line = between(square, king)
        if arrangement.origin not in line or destination in line or square == destination:
            continue
        void = empty | (line - {arrangement.origin})
        blocked = SHUT_OFF if square in void else ""
        reasons.append(blocked or _not_calm(piece, arrangement, void, king))
    if "" in reasons:
        return ""
    return max(reasons, key=(SHUT_OFF, CHECK_BEFORE).index, default=NOT_ATTACKED)


def _not_calm(piece: str, arrangement: Arrangement, void: frozenset[Square], king: Square) -> str:
    """What is wrong before the move, with these squares empty; ``""`` if nothing is."""
    if king in void or void.intersection(arrangement.men):
        return SHUT_OFF
    if any(reaches(piece, man, king) and between(man, king) <= void for man in arrangement.men):
        return CHECK_BEFORE
    return ""
