"""Every SAN string that a legal game can contain, by a search over arrangements of pieces.

How a move is written (PGN standard, 8.2.3) depends on the origin of the piece and on at most two
twins, other pieces of its kind that could go to the same destination: an *arrangement*. A string
without `+` and `#`, a *bare string*, can be written if one of its arrangements fits on the board.

It can end in `+` if a square is left for Black's king as well, which is attacked after the move and
was not attacked before, when it was White's turn (FIDE 3.9.2). Any piece may stand on a square that
the arrangement leaves open, in the way of an attack for instance. So an attack is certain only when
all squares on its way have to be empty.

Whatever can give check can give mate: near the king, a square that has to be empty lies on a line
that an attacker commands after the move, and any other may hold a black piece that cannot help.
This is a reason, not a proof; the published witnesses are the proof.

Sets of squares are bit masks: bit 0 is a1, bit 7 is h1, bit 63 is h8.
"""

from collections.abc import Iterator
from functools import cache
from itertools import chain

FILES, RANKS = "abcdefgh", "12345678"
NAMES = [file + rank for rank in RANKS for file in FILES]
STRAIGHT = ((0, 1), (1, 0), (0, -1), (-1, 0))
DIAGONAL = ((1, 1), (1, -1), (-1, -1), (-1, 1))
LEAPS = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))
STEPS = {"P": ((-1, 1), (1, 1)), "N": LEAPS, "B": DIAGONAL, "R": STRAIGHT}
STEPS["Q"] = STEPS["K"] = STRAIGHT + DIAGONAL
"""The steps by which each of White's pieces attacks, in files and ranks (FIDE 3.2 to 3.8)."""


def attacks(piece: str, square: int) -> dict[int, int]:
    """Return the squares that a piece attacks, each with the squares on the way (FIDE 3.5)."""
    found = {}
    for right, up in STEPS[piece]:
        way, file, rank = 0, square % 8 + right, square // 8 + up
        while 0 <= file < 8 and 0 <= rank < 8:
            found[8 * rank + file] = way
            if piece in "PNK":
                break
            way |= 1 << 8 * rank + file
            file, rank = file + right, rank + up
    return found


ATTACKS = {piece: [attacks(piece, square) for square in range(64)] for piece in STEPS}
"""`ATTACKS[piece][square]`: see `attacks`."""

LINES = [(p, s, *attack) for p in "BR" for s in range(64) for attack in ATTACKS[p][s].items()]
LINES_THROUGH = [[line for line in LINES if line[3] >> square & 1] for square in range(64)]
"""For each square the attacks that cross it: slider, its square, target, squares on the way."""

Move = tuple[str, str, str, tuple[int, ...], int, int]
"""A bare string, the piece that leaves, the piece that arrives, the arrangement (its origin first),
the destination, and the squares that have to be empty."""


def arrangements(piece: str, destination: int) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Yield each discriminator with an origin and the twins that make it necessary.

    The file is written if no twin shares it, else the rank if no twin shares that, else both (PGN
    8.2.3.4). More twins than these make nothing possible that these leave impossible.
    """
    origins = ATTACKS[piece][destination]  # these pieces come from where they could go
    for origin in origins:
        yield "", (origin,)
        if piece == "K":
            continue  # the only one of its kind (FIDE 2.2)
        file, rank = FILES[origin % 8], RANKS[origin // 8]
        same_file = [s for s in origins if s % 8 == origin % 8 and s != origin]
        same_rank = [s for s in origins if s // 8 == origin // 8 and s != origin]
        yield from ((file, (origin, s)) for s in origins if s % 8 != origin % 8)
        yield from ((rank, (origin, s)) for s in same_file)
        yield from ((file + rank, (origin, s, t)) for s in same_file for t in same_rank)


def piece_moves() -> Iterator[Move]:
    """Yield the moves of White's pieces in all arrangements that fit on the board."""
    for piece in "NBRQK":
        for destination, name in enumerate(NAMES):
            for discriminator, pieces in arrangements(piece, destination):
                standing = ways = 0
                for square in pieces:
                    standing |= 1 << square
                    ways |= ATTACKS[piece][destination][square]
                if standing & ways:
                    continue
                text, empty = piece + discriminator, ways | 1 << destination
                yield text + name, piece, piece, pieces, destination, empty
                yield text + "x" + name, piece, piece, pieces, destination, ways


def pawn_moves() -> Iterator[Move]:
    """Yield pushes, captures and promotions of White's pawns (FIDE 3.7).

    A double step is written like a push, and a capture in passing like any other.
    """
    for origin in range(8, 56):
        for destination in (origin + 8, *ATTACKS["P"][origin]):
            push = destination == origin + 8
            text = ("" if push else NAMES[origin][0] + "x") + NAMES[destination]
            empty = 1 << destination if push else 0
            for piece in "QRBN" if destination >= 56 else "P":
                promotion = "=" + piece if destination >= 56 else ""
                yield text + promotion, "P", piece, (origin,), destination, empty


def castling() -> Iterator[Move]:
    """Yield castling as a move of the rook, the only piece that can check then (FIDE 3.8.2)."""
    for text, origin, destination in ("O-O", "h1", "f1"), ("O-O-O", "a1", "d1"):
        rook, end = NAMES.index(origin), NAMES.index(destination)
        yield text, "R", "R", (rook,), end, ATTACKS["R"][rook][end] | 1 << end


def can_check(move: Move) -> bool:
    """Check whether Black's king can stand on a square that is attacked only after the move."""
    _, piece, becomes, pieces, destination, empty = move
    origin, standing = pieces[0], 1 << destination
    for square in pieces:
        standing |= 1 << square
    taken = standing | empty
    before = [ATTACKS[piece][square] for square in pieces]
    if piece == "K":
        before.append(ATTACKS["K"][destination])  # kings keep apart and never check
    direct = ATTACKS[becomes][destination].items() if piece != "K" else ()
    discovered = (  # but not along a line on which the piece itself attacked
        line[2:]
        for line in LINES_THROUGH[origin]
        if line[0] != piece != "Q" and not taken >> line[1] & 1
    )
    for king, line in chain(direct, discovered):
        way = line & ~(1 << origin)
        clear = empty | way
        if taken >> king & 1 or way & standing:
            continue
        if not any(king in attacked and attacked[king] | clear == clear for attacked in before):
            return True
    return False


@cache
def both_lists() -> tuple[list[str], list[str]]:
    """Return the bare strings and all strings, sorted by length, then by character.

    Black's strings are White's with the ranks reversed. They are made once in a process.
    """
    bare, checking = set(), set()
    for move in chain(piece_moves(), pawn_moves(), castling()):
        bare.add(move[0])
        if move[0] not in checking and can_check(move):
            checking.add(move[0])
    reversed_ranks = str.maketrans(RANKS, RANKS[::-1])
    bare |= {text.translate(reversed_ranks) for text in bare}
    checking |= {text.translate(reversed_ranks) for text in checking}
    everything = bare.union(text + suffix for text in checking for suffix in "+#")
    return sorted(sorted(bare), key=len), sorted(sorted(everything), key=len)


def suffixed_strings() -> list[str]:
    """Return all strings, with and without suffix."""
    return both_lists()[1].copy()
