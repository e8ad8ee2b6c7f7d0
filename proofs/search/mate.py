"""Black's replies to check, and mate: there is none (FIDE 1.4, 3.9.1, 3.9.2, 5.1.1). Untrusted.

Castling is no reply: it is prevented while the king is attacked (FIDE 3.8.2.2).
"""

from sanproof.proofs.encoding.cnf import FALSE, Literal
from sanproof.proofs.rules.cubes import BLACK, WHITE
from sanproof.proofs.rules.squares import (
    DIRECTIONS,
    KING,
    KNIGHT,
    ORTHOGONAL,
    SQUARES,
    Direction,
    rank_of,
    step,
    steps,
)
from sanproof.proofs.search.attacks import (
    Sight,
    line_of_sight,
    near,
    opposite,
    pawn_captures,
    sight_of,
)
from sanproof.proofs.search.board import Board, Squares
from sanproof.proofs.search.gates import Gates
from sanproof.proofs.search.moves import Move

PAWN_START_RANK = 6


def encode_mate(cnf: Gates, move: Move, black_king: Squares, checkers: Squares) -> Literal:
    """Whether the move gives mate: Black's king has these checkers, and no reply is legal.

    Against two checkers only the king can move. Against one, a piece may also take it, or step
    between it and the king.
    """
    after = move.after
    sees_king = sight_of(cnf, after, black_king)
    white_hits = _white_sight(cnf, after, black_king)
    lined_up = _between_king_and_slider(cnf, sees_king, white_hits)
    free = [cnf.both(after.black[s], -lined_up[s]) for s in SQUARES]
    flights = _flights(cnf, after, black_king, white_hits)
    captures, blocks = _reach(cnf, after, free)
    answers = [cnf.both(checkers[s], captures[s]) for s in SQUARES]
    answers += [cnf.both(lined_up[s], after.empty[s], blocks[s]) for s in SQUARES]
    answers += _en_passant_answers(cnf, move, free, checkers)
    answered = cnf.both(cnf.either(*answers), -_at_least_two(cnf, checkers))
    return cnf.both(cnf.either(*checkers), -cnf.either(*flights), -answered)


def _white_sight(cnf: Gates, after: Board, black_king: Squares) -> Sight:
    """Sight of white sliders, through Black's king: it may not step back along the line.

    ::

        R ---- k  x      the king on its way to x still stands in the rook's line
    """
    sliders = {
        moves: [cnf.both(after.white[s], getattr(after, moves)[s]) for s in SQUARES]
        for moves in ("orthogonal", "diagonal")
    }
    open_ = [cnf.either(after.empty[s], black_king[s]) for s in SQUARES]
    return line_of_sight(cnf, lambda d: sliders[_moves(d)], open_)


def _moves(direction: Direction) -> str:
    return "orthogonal" if direction in ORTHOGONAL else "diagonal"


def _between_king_and_slider(cnf: Gates, sees_king: Sight, white_hits: Sight) -> Squares:
    """Whether a square lies between Black's king and a white slider, all else on the line empty.

    A black piece on such a square is pinned; if it is empty, the slider gives check and a piece
    may come between. A pinned piece can never answer a check: the square it would have to go to
    lies on the line of the check, which meets its own line only at the king.
    """
    return [
        cnf.either(*[cnf.both(sees_king(d, s), white_hits(opposite(d), s)) for d in DIRECTIONS])
        for s in SQUARES
    ]


def _flights(cnf: Gates, after: Board, black_king: Squares, white_hits: Sight) -> Squares:
    """Whether the king may go to a square: not to one of its own side, nor an attacked one."""
    leaps = white_leaps(cnf, after)
    flights = []
    for s, beside in enumerate(near(cnf, black_king, KING)):
        attacked = [white_hits(d, s) for d in DIRECTIONS] + [reach[s] for reach in leaps]
        flights.append(cnf.both(beside, -after.black[s], *[-x for x in attacked]))
    return flights


def white_leaps(cnf: Gates, after: Board) -> list[Squares]:
    """For every square, whether a white knight, king or pawn attacks it (FIDE 3.6 to 3.8)."""
    roles = (after.knight, after.king, after.pawn)
    men = [[cnf.both(after.white[s], role[s]) for s in SQUARES] for role in roles]
    reaches = (KNIGHT, KING, pawn_captures(BLACK))
    return [near(cnf, targets, reach) for targets, reach in zip(men, reaches, strict=True)]


def _reach(cnf: Gates, after: Board, free: Squares) -> tuple[Squares, Squares]:
    """Where free black pieces other than the king can capture, and where they can step between."""

    def of_role(role: str) -> Squares:
        """The free pieces with this role, which a preference may have denied to Black."""
        men = zip(free, after.black, getattr(after, role), strict=True)
        return [FALSE if cnf.is_forbidden(b, r) else cnf.both(f, r) for f, b, r in men]

    sliders = {moves: of_role(moves) for moves in ("orthogonal", "diagonal")}
    hits = line_of_sight(cnf, lambda d: sliders[_moves(d)], after.empty)
    knights = near(cnf, of_role("knight"), KNIGHT)
    pawns = of_role("pawn")
    takes = near(cnf, pawns, pawn_captures(WHITE))
    pieces = [cnf.either(*[hits(d, s) for d in DIRECTIONS], knights[s]) for s in SQUARES]
    captures = [cnf.either(pieces[s], takes[s]) for s in SQUARES]
    blocks = [cnf.either(pieces[s], *_pushes(cnf, after, pawns, s)) for s in SQUARES]
    return captures, blocks


def _pushes(cnf: Gates, after: Board, pawns: Squares, square: int) -> list[Literal]:
    """A black pawn's push to a square, by one rank, or by two from the seventh (FIDE 3.7)."""
    above, start = step(square, (0, 1)), step(square, (0, 2))
    pushes = [] if above is None else [pawns[above]]
    if above is not None and start is not None and rank_of(start) == PAWN_START_RANK:
        pushes.append(cnf.both(pawns[start], after.empty[above]))
    return pushes


def _at_least_two(cnf: Gates, literals: Squares) -> Literal:
    """Whether at least two of the literals hold."""
    earlier, pairs = FALSE, []
    for literal in literals:
        pairs.append(cnf.both(earlier, literal))
        earlier = cnf.either(earlier, literal)
    return cnf.either(*pairs)


def _en_passant_answers(cnf: Gates, move: Move, free: Squares, checkers: Squares) -> list[Literal]:
    """Taking a pawn in passing that gives check by its double push (FIDE 3.7.3.1).

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
