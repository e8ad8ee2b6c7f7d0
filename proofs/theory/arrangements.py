"""The theory: a string can be played if one of its arrangements fits on the board.

SAN writes a move depending on its origin and on at most two twins: an *arrangement*. Either the
board has room for one, or not; and either a square is left for a king that is in check after the
move and was not before, or not. If it is, the king can be mated as well.

The search for evidence takes from here which strings to search, and `explain` its explanations.
Nothing rests on the theory: each string needs a witness, and each cube a certificate that there are
no others. For knights to queens `proofs/formal/Arrangements.v` proves that nothing is overlooked.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import product
from types import MappingProxyType
from typing import Final, NamedTuple

from sanproof.proofs.rules.cubes import Cube
from sanproof.proofs.rules.moves import LAST_RANK, pawn_origins, reach_backwards
from sanproof.proofs.rules.san import CASTLINGS, SUFFIXES, San
from sanproof.proofs.rules.squares import (
    SQUARES,
    file_of,
    parse_square,
    rank_of,
    square_name,
    steps,
)

OFFICERS: Final = "NBRQ"
ROOKS: Final = {"O-O": ("h1", "f1"), "O-O-O": ("a1", "d1")}
"""The squares that White's rook leaves and reaches in castling (FIDE 3.8.2)."""
BY_NAME: Final = sorted(SQUARES, key=square_name)
"""The squares in the order a1, a2, …, h8."""

TAKEN: Final = "a piece stands there, or stood there before the move"
NOT_ATTACKED: Final = "no piece newly attacks it"
SHUT_OFF: Final = "a piece stands in between"
CHECK_BEFORE: Final = "it was in check before the move"


class Arrangement(NamedTuple):
    """An origin and the twins that make SAN write its discriminator, and what was found about them.

    Attributes:
        origin: The square that the piece leaves.
        twins: The squares of the twins.
        fits: Whether the board has room for the arrangement.
        king: A square for the king that is in check, or None if none is left.
        failures: If none is left, the reason why each of the 64 squares fails.
    """

    origin: int
    twins: tuple[int, ...]
    fits: bool = True
    king: int | None = None
    failures: Mapping[int, str] = MappingProxyType({})

    @property
    def pieces(self) -> tuple[int, ...]:
        """The origin and the twins."""
        return (self.origin, *self.twins)


def searched(san: San) -> bool:
    """Check whether the search covers this string, a move of a knight to queen, not a promotion."""
    return san.piece in OFFICERS and san.piece != "" and not san.promotion


def strings_of(cube: Cube) -> list[San]:
    """Return White's strings of a cube: of each bare string first mate, then check, then itself."""
    pawn_ends = cube.piece == "" and rank_of(parse_square(cube.destination)) == LAST_RANK
    named = product(sorted(_by_discriminator(*cube)), "NBRQ" if pawn_ends else [""])
    found = []
    for (file, rank), promotion in named:
        parts = cube.piece, file, rank, cube.capture, cube.destination, promotion
        if any(attempt.fits for attempt in attempts(San(*parts, ""))):
            checks = any(attempt.king is not None for attempt in attempts(San(*parts, "+")))
            found += [San(*parts, suffix) for suffix in (reversed(SUFFIXES) if checks else [""])]
    return found


def arrangements(san: San) -> Sequence[Arrangement]:
    """Return the arrangements of White's for which SAN writes the string's discriminator."""
    ways = _by_discriminator(san.piece, san.capture, san.destination)
    return ways.get((san.file, san.rank), ())


@cache
def _by_discriminator(
    piece: str, capture: str, destination: str
) -> Mapping[tuple[str, str], list[Arrangement]]:
    """Return the arrangements of a move by the file and rank that are written (PGN 8.2.3)."""
    found: dict[tuple[str, str], list[Arrangement]] = defaultdict(list)
    if piece in CASTLINGS:
        found["", ""].append(Arrangement(parse_square(ROOKS[piece][0]), ()))
        return found
    target = parse_square(destination)
    if piece == "":
        origins = pawn_origins(True, target) if capture else steps(target, ((0, -1),))
        for origin in filter(rank_of, origins):  # no pawn stands on the first rank
            found[square_name(origin)[0] if capture else "", ""].append(Arrangement(origin, ()))
        return found
    reaching = sorted(reach_backwards(piece, target), key=square_name)
    for origin in reaching:
        found["", ""].append(Arrangement(origin, ()))
        if piece == "K":
            continue
        file, rank = square_name(origin)[0], square_name(origin)[1]
        others = [square for square in reaching if square != origin]
        same_file = [square for square in others if file_of(square) == file_of(origin)]
        same_rank = [square for square in others if rank_of(square) == rank_of(origin)]
        found[file, ""] += [Arrangement(origin, (t,)) for t in others if t not in same_file]
        found["", rank] += [Arrangement(origin, (t,)) for t in same_file]
        found[file, rank] += [Arrangement(origin, (t, u)) for t in same_file for u in same_rank]
    return found


def attempts(san: San) -> Iterator[Arrangement]:
    """Yield each arrangement of a string, with whether it fits, and the king in check if any."""
    destination = parse_square(ROOKS[san.piece][1] if san.piece in CASTLINGS else san.destination)
    for arrangement in arrangements(san):
        empty: set[int] = set() if san.capture else {destination}
        empty.update(*(between(piece, destination) for piece in arrangement.pieces))
        if empty.intersection(arrangement.pieces):
            yield arrangement._replace(fits=False)
            continue
        failures: dict[int, str] = {}
        for king in BY_NAME if san.suffix else ():
            failures[king] = _failure(san, destination, arrangement, frozenset(empty), king)
            if not failures[king]:
                yield arrangement._replace(king=king)
                break
        else:
            yield arrangement._replace(failures=failures)


def _failure(
    san: San, destination: int, arrangement: Arrangement, empty: frozenset[int], king: int
) -> str:
    """Say why a king on this square is not newly in check; ``""`` if it can be.

    In castling the rook goes from its first square to the destination.
    """
    piece, origin = "R" if san.piece in CASTLINGS else san.piece, arrangement.origin
    if king == destination or king in arrangement.pieces:
        return TAKEN
    reasons = []
    if piece != "K" and reaches(san.promotion or piece, destination, king):
        void = empty | (between(destination, king) - {origin})
        reasons.append(_not_calm(piece, destination, arrangement, void, king))
    for square in _behind(origin, king):  # where a piece may stand whose line the move opens
        line = between(square, king)
        if destination in line or square == destination:
            continue
        void = empty | (line - {origin})
        blocked = SHUT_OFF if square in void else ""
        reasons.append(blocked or _not_calm(piece, destination, arrangement, void, king))
    if "" in reasons:
        return ""
    return max(reasons, key=(SHUT_OFF, CHECK_BEFORE).index, default=NOT_ATTACKED)


def _not_calm(
    piece: str, destination: int, arrangement: Arrangement, void: frozenset[int], king: int
) -> str:
    """Return what is wrong before the move, with these squares empty; ``""`` if nothing is."""
    if king in void or void.intersection(arrangement.pieces):
        return SHUT_OFF
    if any(reaches(piece, s, king) and between(s, king) <= void for s in arrangement.pieces):
        return CHECK_BEFORE
    if piece == "K" and reaches("K", destination, king):
        return CHECK_BEFORE  # no king goes next to the other
    return ""


@cache
def reaches(piece: str, start: int, end: int) -> bool:
    """Check whether White's piece, or pawn, attacks a square if nothing is in between."""
    if piece == "":
        return start in pawn_origins(True, end)
    return start in reach_backwards(piece, end)


@cache
def between(start: int, end: int) -> frozenset[int]:
    """Return the squares in between on a line or diagonal, or nothing if there is no such line."""
    return frozenset(reach_backwards("Q", end).get(start, ()))


@cache
def _behind(origin: int, king: int) -> list[int]:
    """Return the squares from which a king would be seen through the origin."""
    return [square for square in SQUARES if origin in between(square, king)]
