"""The moves that can give check.

Most can, and it is tempting to believe that all can. The exceptions come from twins: the string
`Qh8a1` is written only while queens stand on a8 and h1 as well, and these leave no line through a1
on which a king could stand that was not in check before.

The question is put so that one rule answers it. A move and its twins fix some pieces, and some
squares that must be empty: those a piece passes on its way, and the destination unless it captures.
Every other square may hold anything, a black piece for instance, and more pieces there only take
checks away. So an attack of a given piece on a given square is *unavoidable* just when every square
on its way must be empty. The move can give check when there is a square for the black king

* which is attacked after the move, along a way that must be empty too: from the destination (a
  direct check), or from a slider behind the origin (a discovered check), and
* which no unavoidable attack reached before the move, for then Black would have been in check with
  White to move (FIDE 3.9.2).

That a line through an empty destination, or back through the origin, brings no new check need not
be said: the rule finds that the king was attacked before.

Checkmate needs no rule of its own. Next to a king in check, a square that must be empty lies on a
line which one of the attackers commands after the move; any other square may hold a black piece
that cannot help, and any white piece there may be guarded by one more. This is a reason to expect
mates everywhere, not a proof: the tests construct a mate for every string with a check.
"""

from __future__ import annotations

from sanproof.generator.geometry import LINES_THROUGH, NO_PATH, PATHS, RAYS_OF, REACH

Way = tuple[int, int, int]
"""An origin, and for each of two twins the set of squares where it may stand, 0 if not needed."""

Attacks = dict[int, int]
"""The squares that a piece attacks, each with the set of squares on the way, as in `PATHS`."""


def opens_line(piece: str, becomes: str, destination: int, way: Way) -> bool:
    """Check whether the piece that arrives can attack along a line that no piece shared.

    If so, the move can give check, be it a capture or not: a king there was not attacked before,
    not even on an empty board. This settles nearly every move. Of each set one twin is tried, if
    possible one on a line of the origin, since it shares least that is new.
    """
    origin, first, second = way
    attacks = REACH[piece]
    reach = attacks[origin]
    shared = reach | 1 << origin | 1 << destination
    for squares in (first, second):
        if squares:
            likely = squares & reach or squares
            twin = likely & -likely
            shared |= twin | attacks[twin.bit_length() - 1]
    return piece != "K" and bool(REACH[becomes][destination] & ~shared)


def can_give_check(
    piece: str, becomes: str, destination: int, pieces: tuple[int, ...], capture: bool
) -> bool:
    """Check whether White's move can give check in some position that has these twins.

    Args:
        piece: The letter of the piece that moves, `P` for a pawn.
        becomes: The letter of the piece that arrives; another one in promotions only.
        destination: The square reached.
        pieces: The square left, followed by those of the twins that the discriminator needs.
        capture: Whether a black piece stands on the destination.
    """
    origin = pieces[0]
    taken = 1 << destination
    between = PATHS["Q"][destination]  # knights and single steps pass nothing
    empty = 0 if capture else 1 << destination
    before = []
    for square in pieces:
        taken |= 1 << square
        empty |= between.get(square, 0)
        before.append(PATHS[piece][square])
    if piece == "K":  # touches the other king on neither square
        before.append(PATHS["K"][destination])
    if _checks_by_discovery(piece, origin, taken, empty, before):
        return True
    rays = [] if piece == "K" else RAYS_OF[becomes][destination]  # a king gives no check itself
    return _checks_directly(rays, origin, taken, empty, before)


def _checks_directly(
    rays: list[list[int]], origin: int, pieces: int, empty: int, before: list[Attacks]
) -> bool:
    """Check whether the piece that arrives, attacking along `rays`, can check.

    A ray may lead back through the vacated origin. To a slider this is no use, but the bishop that
    promotes by bxa8 attacks c6, and the pawn did not.
    """
    for squares in rays:
        path = empty
        for king in squares:
            square = 1 << king
            if square & pieces:
                if king == origin:
                    continue
                break
            if not square & empty and not _was_attacked(king, path, before):
                return True
            path |= square
    return False


def _checks_by_discovery(
    piece: str, origin: int, pieces: int, empty: int, before: list[Attacks]
) -> bool:
    """Check whether a slider behind the origin can check a king on the other side.

    A queen never uncovers a check, since it attacked along that line itself. For the same reason a
    rook uncovers diagonals only, of which an edge square is never the middle, and a bishop files
    and ranks, of which a corner is never the middle.
    """
    taken = pieces | empty
    for slider in "BR":
        if piece in (slider, "Q"):
            continue
        for behind, front in LINES_THROUGH[slider][origin]:
            for king in front:
                for attacker in behind:
                    path = PATHS[slider][attacker][king] ^ 1 << origin
                    if path & pieces or taken & (1 << king | 1 << attacker):
                        continue
                    if not _was_attacked(king, empty | path, before):
                        return True
    return False


def _was_attacked(king: int, empty: int, before: list[Attacks]) -> bool:
    """Check whether one of the pieces attacked the king's square unavoidably before the move."""
    for attacks in before:  # noqa: SIM110, a generator would double the time of this innermost loop
        if not attacks.get(king, NO_PATH) & ~empty:
            return True
    return False
