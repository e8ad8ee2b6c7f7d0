"""Black's replies to check, and mate: no reply exists (FIDE 1.4, 3.9.1, 3.9.2, 5.1.1). Untrusted.

Castling is no reply: it is prevented while the king is attacked (FIDE 3.8.2.2).
"""

from typing import Final

from sanproof.proofs.encoding.cnf import FALSE, Literal
from sanproof.proofs.rules.cubes import BLACK, WHITE
from sanproof.proofs.rules.squares import (
    DIRECTIONS,
    KING,
    KNIGHT,
    SQUARES,
    rank_of,
    step,
    steps,
)
from sanproof.proofs.search.board import (
    Board,
    Sight,
    Squares,
    line_of_sight,
    near,
    opposite,
    pawn_captures,
    sees_slider,
    sight_of,
)
from sanproof.proofs.search.gates import Gates
from sanproof.proofs.search.moves import Move

PAWN_START_RANK: Final = 6


def encode_mate(cnf: Gates, move: Move, black_king: Squares, checkers: Squares) -> Literal:
    """Encode whether the move gives mate: Black's king has these checkers, and no reply is legal.

    Against two checkers only the king can move. Against one, a piece may also take it, or step
    between it and the king. A black piece that stands on a free line from its king to a white
    slider is pinned, and never answers a check: the square it would have to go to lies on the line
    of the check, which meets its own line only at the king. If such a square is empty, the slider
    gives check, and a piece may come between.
    """
    after = move.after
    sees_king = sight_of(cnf, after, black_king)
    white_hits = sees_slider(cnf, after, WHITE, black_king)
    lined_up = [
        cnf.either(*[cnf.both(sees_king(d, s), white_hits(opposite(d), s)) for d in DIRECTIONS])
        for s in SQUARES
    ]
    free = [cnf.both(after.black[s], -lined_up[s]) for s in SQUARES]
    flights = _flights(cnf, after, black_king, white_hits)
    captures, blocks = _reach(cnf, after, free)
    answers = [cnf.both(checkers[s], captures[s]) for s in SQUARES]
    answers += [cnf.both(lined_up[s], after.empty[s], blocks[s]) for s in SQUARES]
    answers += _en_passant_answers(cnf, move, free, checkers)
    answered = cnf.both(cnf.either(*answers), -_at_least_two(cnf, checkers))
    return cnf.both(cnf.either(*checkers), -cnf.either(*flights), -answered)


def _flights(cnf: Gates, after: Board, black_king: Squares, white_hits: Sight) -> Squares:
    """Return whether the king may go to a square: not one of its side, nor an attacked one."""
    leaps = white_leaps(cnf, after)
    flights = []
    for s, beside in enumerate(near(cnf, black_king, KING)):
        attacked = [white_hits(d, s) for d in DIRECTIONS] + [reach[s] for reach in leaps]
        flights.append(cnf.both(beside, -after.black[s], *[-x for x in attacked]))
    return flights


def white_leaps(cnf: Gates, after: Board) -> list[Squares]:
    """For every square, whether a white knight, king or pawn attacks it (FIDE 3.6 to 3.8)."""
    roles = (after.knight, after.king, after.pawn)
    occupied = [[cnf.both(after.white[s], role[s]) for s in SQUARES] for role in roles]
    reaches = (KNIGHT, KING, pawn_captures(BLACK))
    return [near(cnf, targets, reach) for targets, reach in zip(occupied, reaches, strict=True)]


def _reach(cnf: Gates, after: Board, free: Squares) -> tuple[Squares, Squares]:
    """Return the squares where unpinned black pieces can capture, and can step between."""

    def of_role(role: Squares) -> Squares:
        """Return the free pieces with this role, which the material may deny to Black."""
        occupied = zip(free, after.black, role, strict=True)
        return [FALSE if cnf.is_forbidden(b, r) else cnf.both(f, r) for f, b, r in occupied]

    hits = line_of_sight(cnf, {d: of_role(after.slider(d)) for d in DIRECTIONS}, after.empty)
    knights = near(cnf, of_role(after.knight), KNIGHT)
    pawns = of_role(after.pawn)
    takes = near(cnf, pawns, pawn_captures(WHITE))
    pieces = [cnf.either(*[hits(d, s) for d in DIRECTIONS], knights[s]) for s in SQUARES]
    captures = [cnf.either(pieces[s], takes[s]) for s in SQUARES]
    blocks = [cnf.either(pieces[s], *_pushes(cnf, after, pawns, s)) for s in SQUARES]
    return captures, blocks


def _pushes(cnf: Gates, after: Board, pawns: Squares, square: int) -> list[Literal]:
    """Encode a black pawn's pushes to a square, by one rank, or two from the seventh (FIDE 3.7)."""
    above, start = step(square, (0, 1)), step(square, (0, 2))
    pushes = [] if above is None else [pawns[above]]
    if above is not None and start is not None and rank_of(start) == PAWN_START_RANK:
        pushes.append(cnf.both(pawns[start], after.empty[above]))
    return pushes


def _at_least_two(cnf: Gates, literals: Squares) -> Literal:
    earlier, pairs = FALSE, []
    for literal in literals:
        pairs.append(cnf.both(earlier, literal))
        earlier = cnf.either(earlier, literal)
    return cnf.either(*pairs)


def _en_passant_answers(cnf: Gates, move: Move, free: Squares, checkers: Squares) -> list[Literal]:
    """Encode taking a pawn in passing that gives check by its double push (FIDE 3.7.3.1).

    Only the pawn itself can be the checker that this removes: no line through the square it left
    passes the square in between, except its own file. Taking it uncovers no other line to the
    king: the square it stands on was empty before the push, and Black was not in check then.
    """
    if move.double_push == FALSE:
        return []
    pawn_at = move.destination
    return [
        cnf.both(move.double_push, checkers[pawn_at], free[taker], move.after.pawn[taker])
        for taker in steps(pawn_at, ((-1, 0), (1, 0)))
    ]
