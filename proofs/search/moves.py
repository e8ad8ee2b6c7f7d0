"""Encodes a cube's move on a board of unknowns, the board after it, and replies. Untrusted."""

from dataclasses import dataclass
from typing import Final

from sanproof.proofs.encoding.cnf import FALSE, TRUE, Literal
from sanproof.proofs.encoding.written import BySquare
from sanproof.proofs.rules.cubes import BLACK, WHITE, Cube
from sanproof.proofs.rules.moves import DOUBLE_PUSH_RANK, LAST_RANK, pawn_origins, reach_backwards
from sanproof.proofs.rules.squares import (
    DIRECTIONS,
    KING,
    KNIGHT,
    SQUARES,
    parse_square,
    rank_of,
    step,
    steps,
)
from sanproof.proofs.search.board import (
    CASTLING,
    ROLES,
    ROLES_OF,
    Board,
    Castling,
    Sight,
    Squares,
    encode_not_in_check,
    line_of_sight,
    near,
    only_at,
    opposite,
    pawn_captures,
    sees_slider,
    sight_of,
)
from sanproof.proofs.search.gates import Gates

EN_PASSANT_RANK: Final = 5
PAWN_START_RANK: Final = 6
PROMOTED: Final = "NBRQ"


@dataclass(frozen=True)
class Move:
    """A move of White's in literals.

    Attributes:
        destination: The square of the piece after the move; in castling the king's.
        origins: For each candidate square, whether the move starts there.
        able: For each of them, whether a piece of the kind stands there and could go to the
            destination by FIDE 3.2 to 3.8.1, disregarding its own king's safety.
        after: The board after the move.
        double_push: Whether the move is a pawn's step of two squares.
        en_passant: Whether it captures in passing.
    """

    destination: int
    origins: BySquare
    able: BySquare
    after: Board
    double_push: Literal = FALSE
    en_passant: Literal = FALSE


def encode_move(cnf: Gates, cube: Cube, board: Board, promotions: dict[str, Literal]) -> Move:
    """Assert that White makes a move of the cube on this board, and return the move.

    The move is legal (FIDE 3.10.1) but for its own king's safety and the position's history.
    ``promotions`` are the literals of the pieces that it may promote to.
    """
    if cube.piece:
        cnf.add(promotions[""])  # only a pawn promotes (3.7.3.3)
    if cube.castling:
        return _encode_castling(cnf, CASTLING[cube.piece], board)
    destination = parse_square(cube.destination)
    able, origins = _encode_origins(cnf, cube, board, destination)
    en_passant = double_push = FALSE
    if cube.piece == "" and cube.capture and rank_of(destination) == EN_PASSANT_RANK:
        en_passant = _encode_en_passant(cnf, board, destination)
    if cube.capture:  # of a black piece (3.1.1), no king (1.4.1)
        cnf.add(board.black[destination], en_passant)
        cnf.add(-board.king[destination])
    else:
        cnf.add(board.empty[destination])
    roles = ROLES_OF[cube.piece or "P"]
    arriving = {role: TRUE if role in roles else FALSE for role in ROLES}
    if cube.piece == "":
        arriving = _encode_promotion(cnf, arriving, destination, promotions)
        if not cube.capture and rank_of(destination) == DOUBLE_PUSH_RANK:
            double_push = origins[destination - 16]
    after = _after(cnf, board, origins, destination, arriving)
    if en_passant != FALSE:
        taken = destination - 8
        black = {taken: cnf.both(board.black[taken], -en_passant)}
        empty = {taken: cnf.either(board.empty[taken], en_passant)}
        after = after.changed({"black": black, "empty": empty})
    return Move(destination, origins, able, after, double_push, en_passant)


def _encode_origins(
    cnf: Gates, cube: Cube, board: Board, destination: int
) -> tuple[BySquare, BySquare]:
    r"""Encode where such pieces stand with a clear path, and the one of them that moves.

    The bishop, rook and queen move over no other piece (FIDE 3.5), nor does a pawn (3.7.2)::

        R . . x      able            R n . x      not able
        origin  destination

          4  x                                         x   x
             |  (3.7.2: only from the second rank,      \ /
          3  x   and both squares empty)                 P      (3.7.3, 3.7.3.1)
             |  (3.7.1)
          2  P
    """
    if cube.piece:
        reach = reach_backwards(cube.piece, destination)
    else:
        pawns = pawn_origins(cube.capture == "x", destination)
        reach = {s: (destination - 8,) if s == destination - 16 else () for s in pawns}
    able = {
        s: cnf.both(
            board.white[s], *board.roles(cube.piece or "P", s), *[board.empty[t] for t in path]
        )
        for s, path in reach.items()
    }
    origins = {s: cnf.new() for s in able}
    for s, origin in origins.items():
        cnf.add(-origin, able[s])
    cnf.exactly_one(origins.values())
    return able, origins


def _after(
    cnf: Gates, board: Board, vacated: BySquare, destination: int, roles: dict[str, Literal]
) -> Board:
    """Return the board after a white piece with these roles arrived and these squares were vacated.

    What stood on the destination is removed in the same move (FIDE 3.1.1).
    """
    changes = {role: {destination: literal} for role, literal in roles.items()}
    white = {s: cnf.both(board.white[s], -gone) for s, gone in vacated.items()}
    empty = {s: cnf.either(board.empty[s], gone) for s, gone in vacated.items()}
    changes |= {"white": white | {destination: TRUE}, "empty": empty | {destination: FALSE}}
    return board.changed(changes | {"black": {destination: FALSE}})


def _encode_promotion(
    cnf: Gates, pawn: dict[str, Literal], destination: int, promotions: dict[str, Literal]
) -> dict[str, Literal]:
    """Return the roles of what then stands there: on the last rank a pawn promotes (3.7.3.3)."""
    if rank_of(destination) != LAST_RANK:
        cnf.add(promotions[""])
        return pawn
    cnf.add(*[promotions[piece] for piece in PROMOTED])
    return {
        role: cnf.either(*[promotions[piece] for piece in PROMOTED if role in ROLES_OF[piece]])
        for role in ROLES
    }


def _encode_en_passant(cnf: Gates, board: Board, destination: int) -> Literal:
    """Return whether the move takes a pawn in passing (FIDE 3.7.3.1, 3.7.3.2).

    That pawn came from its second rank over the destination (3.7.2), so both are empty::

        7  .    start, empty
        6  x    destination, empty
        5  p P  the pawn that passed, and the one that takes it
    """
    en_passant = cnf.new()
    taken, start = destination - 8, destination + 8
    needed = (board.empty[destination], board.empty[start], board.black[taken], board.pawn[taken])
    for literal in needed:
        cnf.add(-en_passant, literal)
    return en_passant


def _encode_castling(cnf: Gates, squares: Castling, board: Board) -> Move:
    """King and rook on their first squares, nothing between them, no attack (FIDE 3.8.2, 3.8.2.2).

    That neither has moved (3.8.2.1) is a matter of history. The king may not leave, cross or
    reach an attacked square; the square it reaches is seen to on the board after the move::

        O-O-O   R . . . K        O-O   K . . R
                    R K  <- after ->   . R K .
    """
    king_from, king_to, rook_from, rook_to, between = squares
    needed = [board.white[king_from], board.king[king_from], board.white[rook_from]]
    for literal in (*needed, *board.roles("R", rook_from), *[board.empty[s] for s in between]):
        cnf.add(literal)
    for s in (king_from, rook_to):
        encode_not_in_check(cnf, board, BLACK, only_at(s))
    after = board.changed(
        {
            "white": {king_from: FALSE, rook_from: FALSE, king_to: TRUE, rook_to: TRUE},
            "empty": {king_from: TRUE, rook_from: TRUE, king_to: FALSE, rook_to: FALSE},
            "king": {king_from: FALSE, king_to: TRUE},
            "orthogonal": {rook_from: FALSE, rook_to: TRUE},
        }
    )
    return Move(king_to, {king_from: TRUE}, {king_from: TRUE}, after)


# Black's replies to check, and mate: no reply exists (FIDE 1.4, 3.9.1, 3.9.2, 5.1.1). Castling is
# no reply: it is prevented while the king is attacked (FIDE 3.8.2.2).


def encode_mate(cnf: Gates, move: Move, black_king: Squares, checkers: Squares) -> Literal:
    """Encode whether the move gives mate: Black's king has these checkers, and no reply is legal.

    Against two checkers only the king can move. Against one, a piece may also capture it, or step
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
    """Return for every square whether a white knight, king or pawn attacks it (FIDE 3.6 to 3.8)."""
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
