"""The SAN strings that a legal game can contain, by either colour.

Strings are in PGN's export format (PGN standard, 8.2.3): `Nf3`, `Qb6xe3`, `exd8=N#`, `O-O-O+`. A
*bare string* has no suffix.

The board has two mirrors. One exchanges left and right (castling, which it does not fit, is listed
by hand). The other reverses the ranks and exchanges the colours, which in a string cannot be seen.
Hence it is enough to look at White's moves to a quarter of the board, and to write down each string
with its three mirror images.
"""

from __future__ import annotations

from sanproof.generator.checks import Way, can_give_check, opens_line
from sanproof.generator.geometry import (
    FILE_NAMES,
    RANK_NAMES,
    RAYS_OF,
    SQUARE_NAMES,
    file_of,
    rank_of,
    set_of,
    squares_of,
)

TYPE_CHECKING = False  # importing typing, or collections, would take longer than the work itself
if TYPE_CHECKING:
    from collections.abc import Iterator

Layers = dict[int, list[str]]
"""Strings by their length."""

Move = tuple[str, str, str, str, int, list[Way]]
"""Bare string when quiet, and when capturing (or ""), piece that leaves, piece that arrives,
destination, ways in which the string comes about."""

CASTLING = {
    "O-O": (SQUARE_NAMES.index("h1"), SQUARE_NAMES.index("f1")),
    "O-O-O": (SQUARE_NAMES.index("a1"), SQUARE_NAMES.index("d1")),
}
"""The origin and destination of White's rook."""

MIRROR_FILES = str.maketrans(FILE_NAMES, FILE_NAMES[::-1])
MIRROR_RANKS = str.maketrans(RANK_NAMES, RANK_NAMES[::-1])


def bare_strings() -> list[str]:
    """All bare strings, sorted by length, then by character."""
    return both_lists()[0]


def suffixed_strings() -> list[str]:
    """All strings with the suffixes they can carry, the empty one too, in the same order."""
    return both_lists()[1]


def both_lists() -> tuple[list[str], list[str]]:
    """Return the bare strings and the strings with suffixes.

    Whatever can give check can give mate as well; see `checks`. A suffix lengthens its string by
    one, so the strings of each length are bare ones and, with suffixes, the bare ones before. All
    are sorted length by length, since what is sorted already then merges quickly.
    """
    checking, harmless = _bare_strings()
    bare: list[str] = []
    everything: list[str] = []
    suffixed: list[str] = []
    for length in range(2, max(checking | harmless) + 1):
        layer = sorted(checking.get(length, []) + harmless.get(length, []))
        bare += layer
        everything += sorted(suffixed + layer)
        suffixed = _with_suffixes(checking.get(length, []))
    return bare, everything + suffixed


def _with_suffixes(texts: list[str]) -> list[str]:
    """Each string with `#`, then with `+`: made as two texts, quicker than string by string."""
    if not texts:
        return []
    lines = "\n".join(texts)
    suffixed = texts + texts
    suffixed[::2] = (lines.replace("\n", "#\n") + "#").split("\n")
    suffixed[1::2] = (lines.replace("\n", "+\n") + "+").split("\n")
    return suffixed


def _bare_strings() -> tuple[Layers, Layers]:
    """Return the whole board's bare strings: those that can give check, and those that cannot."""
    checking: Layers = {}
    harmless: Layers = {}
    for move in _quarter():
        without = _harmless(move)
        for text in move[:2]:
            if text:
                layers = harmless if text in without else checking
                layers.setdefault(len(text), []).append(text)
    for layers in checking, harmless:
        for length in layers:
            layers[length] = _images(layers[length])
    for text in CASTLING:
        layers = checking if _castling_can_check(text) else harmless
        layers.setdefault(len(text), []).append(text)
    for layer in checking.values():
        layer.sort()
    return checking, harmless


def _images(texts: list[str]) -> list[str]:
    """Return the strings of a quarter and their mirror images."""
    text = "\n".join(texts)
    text += "\n" + text.translate(MIRROR_FILES)
    text += "\n" + text.translate(MIRROR_RANKS)
    return text.split("\n")


def _harmless(move: Move) -> list[str]:
    """Return the bare strings of a move that can never give check.

    A capture can do whatever the quiet move can: the piece it takes does no more than stand in the
    way of attacks before the move.
    """
    quiet, capture, piece, becomes, destination, ways = move
    for way in ways:
        if opens_line(piece, becomes, destination, way):
            return []
    if quiet and can_give_check(piece, becomes, destination, next(_choices(ways)), False):
        return []  # the first choice mostly does; if not, a capture fails more seldom
    if not _can_check(move, True):
        return [text for text in (quiet, capture) if text]
    return [quiet] if quiet and not _can_check(move, False) else []


def _can_check(move: Move, capture: bool) -> bool:
    """Check whether some origin with some twins lets the move give check."""
    _, _, piece, becomes, destination, ways = move
    return any(
        can_give_check(piece, becomes, destination, choice, capture) for choice in _choices(ways)
    )


def _choices(ways: list[Way]) -> Iterator[tuple[int, ...]]:
    """Every origin, followed by one square from each set of twins that it needs."""
    for origin, first, second in ways:
        if not first:
            yield (origin,)
        elif not second:
            for twin in squares_of(first):
                yield origin, twin
        else:
            for twin in squares_of(first):
                for other in squares_of(second):
                    yield origin, twin, other


def _quarter() -> list[Move]:
    """White's moves to the files a to d: those of pieces to the ranks 1 to 4, of pawns 5 to 8.

    A pawn's move to the nearer half of the board is written like the other side's move to the same
    square, and that is an image of a move to the farther half.
    """
    moves = []
    for destination in range(64):
        if destination % 8 < 4:
            if destination < 32:
                for piece in "NBRQK":
                    moves += _piece_moves(piece, destination)
            else:
                moves += _pawn_moves(destination)
    return moves


def _piece_moves(piece: str, destination: int) -> list[Move]:
    """Return the moves of a piece to a square, with every discriminator that can be needed."""
    square = SQUARE_NAMES[destination]
    moves = []
    for discriminator, ways in _ways_by_discriminator(piece, destination).items():
        start = piece + discriminator
        moves.append((start + square, start + "x" + square, piece, piece, destination, ways))
    return moves


def _ways_by_discriminator(piece: str, destination: int) -> dict[str, list[Way]]:
    """For each discriminator that can be needed, the ways in which it can.

    PGN standard, 8.2.3.4: the file where no twin stands on it, else the rank where
    it does, else the square. So a file needs one twin elsewhere; a rank needs a twin on the
    origin's file; the square needs one on its file and another on its rank. More twins would make
    nothing possible that these leave impossible.

    Two pieces on one ray cannot both move to the destination. The two twins of a full square never
    share a ray: were it a diagonal, the origin's distances from the destination in files and in
    ranks would differ and neither be zero; were it a file or rank, one twin would be on the origin.
    """
    rays = RAYS_OF[piece][destination]
    reach = sum(map(set_of, rays))
    ways: dict[str, list[Way]] = {"": [(origin, 0, 0) for squares in rays for origin in squares]}
    if piece == "K":
        return ways  # the only one of its kind (FIDE 2.2)
    for squares in rays:
        elsewhere = reach & ~set_of(squares)
        for origin in squares:
            name = SQUARE_NAMES[origin]
            on_file = elsewhere & file_of(origin)
            on_rank = elsewhere & rank_of(origin)
            if elsewhere != on_file:
                ways.setdefault(name[0], []).append((origin, elsewhere ^ on_file, 0))
            if on_file:
                ways.setdefault(name[1], []).append((origin, on_file, 0))
                if on_rank:
                    ways.setdefault(name, []).append((origin, on_file, on_rank))
    return ways


def _pawn_moves(destination: int) -> list[Move]:
    """Return the moves of a white pawn to a square: pushes, captures, promotions (FIDE 3.7).

    A capture names the file that it comes from (PGN standard, 8.2.3.3). A double step and a capture
    in passing are written like the single step and the common capture, and add no string.
    """
    file, rank = destination % 8, destination // 8
    moves: list[Move] = []
    for becomes in "QRBN" if rank == 7 else "P":
        end = SQUARE_NAMES[destination] + ("=" + becomes if rank == 7 else "")
        moves.append((end, "", "P", becomes, destination, [(destination - 8, 0, 0)]))
        for origin_file in (file - 1, file + 1):
            if 0 <= origin_file < 8:
                text = FILE_NAMES[origin_file] + "x" + end
                origin = (rank - 1) * 8 + origin_file
                moves.append(("", text, "P", becomes, destination, [(origin, 0, 0)]))
    return moves


def _castling_can_check(text: str) -> bool:
    """Check whether the rook can give check on its new file (FIDE 3.8.2).

    To the rook, castling is a quiet move along its rank; the king leaves that file alone.
    """
    origin, destination = CASTLING[text]
    return can_give_check("R", "R", destination, (origin,), False)
