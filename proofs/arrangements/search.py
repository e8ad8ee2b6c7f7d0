"""The search over arrangements, for one string: what was tried, and why each attempt fails.

What is written of a knight's, bishop's, rook's or queen's move depends on its origin and on at
most two twins: an *arrangement*. The board leaves room for one, or does not; and it leaves a square
for a king that is in check after the move and was not before, or does not. That this search
overlooks nothing `proofs/formal/Arrangements.v` proves; here nothing rests on it.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from types import MappingProxyType
from typing import Final, NamedTuple

from sanproof.proofs.rules.moves import reach_backwards
from sanproof.proofs.rules.san import San
from sanproof.proofs.rules.squares import SQUARES, file_of, parse_square, rank_of, square_name

OFFICERS: Final = "NBRQ"
BY_NAME: Final = sorted(SQUARES, key=square_name)
"""The squares in the order a1, a2, …, h8."""

IN_THE_WAY: Final = "a piece of the arrangement stands in another's way"
TAKEN: Final = "a piece stands there, or stood there before the move"
NOT_ATTACKED: Final = "no piece newly attacks it"
SHUT_OFF: Final = "a piece stands in between"
CHECK_BEFORE: Final = "it was attacked before the move"
SHOWN: Final = 3
"""Arrangements that are described; of the others only the number is said."""


class Arrangement(NamedTuple):
    """An origin, and the twins that make a string name as much of it as it does."""

    origin: int
    twins: tuple[int, ...]

    @property
    def pieces(self) -> tuple[int, ...]:
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
    king: int | None = None
    failures: Mapping[int, str] = MappingProxyType({})


def searched(san: San) -> bool:
    """Return whether the search covers this string: a knight's to a queen's, without promotion."""
    return san.piece in OFFICERS and san.piece != "" and not san.promotion


def arrangements(san: San) -> Iterator[Arrangement]:
    """Yield the arrangements that write a string's discriminator."""
    destination = parse_square(san.destination)
    reaching = [square for square in BY_NAME if reaches(san.piece, square, destination)]
    for origin in reaching:
        name = square_name(origin)
        if san.file not in ("", name[0]) or san.rank not in ("", name[1]):
            continue
        others = [square for square in reaching if square != origin]
        same_file = [square for square in others if file_of(square) == file_of(origin)]
        same_rank = [square for square in others if rank_of(square) == rank_of(origin)]
        if san.file and san.rank:
            yield from (Arrangement(origin, (t, u)) for t in same_file for u in same_rank)
        elif san.rank:
            yield from (Arrangement(origin, (t,)) for t in same_file)
        elif san.file:
            yield from (Arrangement(origin, (t,)) for t in others if t not in same_file)
        else:
            yield Arrangement(origin, ())


def attempts(san: San) -> Iterator[Attempt]:
    """Each arrangement of a string, and whether it fits, and checks if the string says so."""
    destination = parse_square(san.destination)
    for arrangement in arrangements(san):
        empty: set[int] = set() if san.capture else {destination}
        empty.update(*(between(piece, destination) for piece in arrangement.pieces))
        if empty.intersection(arrangement.pieces):
            yield Attempt(arrangement, fits=False)
        elif not san.suffix:
            yield Attempt(arrangement, fits=True)
        else:
            yield _with_king(san.piece, arrangement, destination, frozenset(empty))


def _with_king(
    piece: str, arrangement: Arrangement, destination: int, empty: frozenset[int]
) -> Attempt:
    failures: dict[int, str] = {}
    for king in BY_NAME:
        reason = _failure(piece, arrangement, destination, empty, king)
        if not reason:
            return Attempt(arrangement, fits=True, king=king)
        failures[king] = reason
    return Attempt(arrangement, fits=True, failures=failures)


def _failure(
    piece: str,
    arrangement: Arrangement,
    destination: int,
    empty: frozenset[int],
    king: int,
) -> str:
    """Say why a king on this square is not newly in check; ``""`` if it can be."""
    if king == destination or king in arrangement.pieces:
        return TAKEN
    reasons = []
    if reaches(piece, destination, king):
        line = between(destination, king)
        reasons.append(_not_calm(piece, arrangement, empty | (line - {arrangement.origin}), king))
    for square in SQUARES:  # a piece behind the origin, whose line the move opens
        line = between(square, king)
        if arrangement.origin not in line or destination in line or square == destination:
            continue
        void = empty | (line - {arrangement.origin})
        blocked = SHUT_OFF if square in void else ""
        reasons.append(blocked or _not_calm(piece, arrangement, void, king))
    if "" in reasons:
        return ""
    return max(reasons, key=(SHUT_OFF, CHECK_BEFORE).index, default=NOT_ATTACKED)


def _not_calm(piece: str, arrangement: Arrangement, void: frozenset[int], king: int) -> str:
    """Return what is wrong before the move, with these squares empty; ``""`` if nothing is."""
    if king in void or void.intersection(arrangement.pieces):
        return SHUT_OFF
    if any(reaches(piece, s, king) and between(s, king) <= void for s in arrangement.pieces):
        return CHECK_BEFORE
    return ""


@cache
def reaches(piece: str, start: int, end: int) -> bool:
    """Check whether a knight, bishop, rook or queen reaches a square if nothing is in between."""
    return start in reach_backwards(piece, end)


@cache
def between(start: int, end: int) -> frozenset[int]:
    """Return the squares in between on a line or diagonal; none if there is no such line."""
    return frozenset(reach_backwards("Q", end).get(start, ()))


# In sentences, for `sanproof explain`


def sentences(san: San) -> Iterator[str]:
    """Describe the arrangements that were searched, and why each fails."""
    if not searched(san):
        yield "No arrangements are searched: no plain move of a knight, bishop, rook or queen."
        return
    tried = list(attempts(san))
    found = next((a for a in tried if (a.king is not None if san.suffix else a.fits)), None)
    count = f"{len(tried)} arrangement{'' if len(tried) == 1 else 's'}"
    if found:
        pieces = _pieces(found.arrangement)
        yield f"Of {count} of origin and twins one has room: {pieces}{_king(found)}."
        return
    yield f"Searched: {count} of an origin and the twins that make the writer name so much of it."
    for attempt in tried[:SHOWN]:
        yield f"{_pieces(attempt.arrangement)}: {_why(attempt)}."
    if len(tried) > SHOWN:
        yield f"{len(tried) - SHOWN:,} more: {_summary(tried[SHOWN:])}."


def _pieces(arrangement: Arrangement) -> str:
    twins = " and ".join(map(square_name, arrangement.twins))
    return f"from {square_name(arrangement.origin)}" + (f" with a twin on {twins}" if twins else "")


def _king(attempt: Attempt) -> str:
    return f", the king on {square_name(attempt.king)}" if attempt.king is not None else ""


def _why(attempt: Attempt) -> str:
    if not attempt.fits:
        return IN_THE_WAY
    reasons = Counter(attempt.failures.values())
    parts = [f"{count} because {why}" for why, count in reasons.most_common()]
    return f"none of 64 squares is left for a king: {', '.join(parts)}"


def _summary(tried: list[Attempt]) -> str:
    crowded = sum(not attempt.fits for attempt in tried)
    parts = [f"in {crowded:,} {IN_THE_WAY}"] if crowded else []
    if len(tried) > crowded:
        parts.append(f"{len(tried) - crowded:,} leave no square for a king")
    return ", ".join(parts)
