"""The exact formula of a cube: its models are the positions and moves of chess. Untrusted.

It shares with the relaxation (:mod:`proofs.encoding.relaxation`) what is written of a move, and has
all that the relaxation leaves out: a board, its kings, every move, pins, checks and mate. A model
serves as a witness once
python-chess has confirmed it; that there is none is used only where it is refuted and checked.
"""

from dataclasses import dataclass, field
from functools import lru_cache

from sanproof.proofs.encoding.cnf import Literal
from sanproof.proofs.encoding.relaxation import Encoding
from sanproof.proofs.encoding.written import (
    BySquare,
    Fields,
    encode_discriminator,
    encode_fields,
)
from sanproof.proofs.rules.cubes import BLACK, WHITE, Cube
from sanproof.proofs.rules.squares import DIRECTIONS, SQUARES, parse_square
from sanproof.proofs.search.attacks import (
    attackers,
    encode_not_in_check,
    line_of_sight,
    on_line,
    opposite,
    sight_of,
    threats,
)
from sanproof.proofs.search.board import Board, Squares, encode_board, encode_one_king, only_at
from sanproof.proofs.search.gates import Gates
from sanproof.proofs.search.mate import encode_mate
from sanproof.proofs.search.moves import Move, encode_move
from sanproof.proofs.search.symmetry import transpose, transposed_cube
from sanproof.proofs.search.wishes import ANYTHING, Wish, encode_wish


@dataclass(frozen=True)
class ExactEncoding(Encoding):
    """A cube's exact formula.

    Attributes:
        cnf: The formula, to which more can be defined.
        legal: For each candidate square, whether a piece there could make the move legally.
        board: What stands where before the move.
        move: The move.
    """

    cnf: Gates
    legal: BySquare = field(kw_only=True)
    board: Board = field(kw_only=True)
    move: Move = field(kw_only=True)


def encode_exact(cube: Cube, wish: Wish = ANYTHING) -> ExactEncoding:
    """The formula whose models are the positions and moves of chess that grant the wish.

    But for the position's history: whether castling rights and the pawn that may be taken in
    passing are what they should be.
    """
    begun, fields, board, white_king = _begin(wish)
    cnf = begun.copy()
    move = encode_move(cnf, cube, board, fields["promotion"])
    moves_king = cube.piece == "K" or cube.castling
    king_after = only_at(move.destination) if moves_king else white_king
    encode_not_in_check(cnf, move.after, BLACK, king_after)
    has_pins = bool(cube.piece) and not moves_king
    legal = _legal(cnf, cube, board, white_king, move.able) if has_pins else move.able
    encode_discriminator(cnf, cube, fields, move.origins, legal)
    black_king = encode_one_king(cnf, board, BLACK)
    encode_not_in_check(cnf, board, WHITE, black_king)
    checkers = encode_check(cnf, fields["suffix"], move, black_king)
    mate = encode_mate(cnf, move, black_king, checkers)
    cnf.add(fields["suffix"]["#"], -mate)
    cnf.add(-fields["suffix"]["#"], mate)
    return ExactEncoding(
        cube, cnf, fields, move.origins, move.able, legal=legal, board=board, move=move
    )


@lru_cache(maxsize=8)
def _begin(wish: Wish) -> tuple[Gates, Fields, Board, Squares]:
    """What the formulas of all cubes begin with: a sixth of the work."""
    cnf = Gates()
    fields = encode_fields(cnf)
    board = encode_board(cnf, wish.pawn_squares)
    encode_wish(cnf, board, wish)
    return cnf, fields, board, encode_one_king(cnf, board, WHITE)


def encode_check(
    cnf: Gates, suffix: dict[str, Literal], move: Move, black_king: Squares
) -> Squares:
    """A suffix is written exactly when Black's king is attacked after the move.

    PGN 8.2.3.5 for the suffix, FIDE 3.9.1 for check.

    Returns:
        For every square, whether a piece there gives check.
    """
    sight = sight_of(cnf, move.after, black_king)
    checkers = attackers(cnf, threats(cnf, move.after, WHITE, black_king, sight))
    check = cnf.either(*checkers)
    cnf.add(suffix[""], check)
    cnf.add(-suffix[""], -check)
    return checkers


def encode_witness(cube: Cube, wish: Wish) -> ExactEncoding:
    """The exact formula of a quiet beginning: that it has no model says nothing.

    White is not in check and does not take in passing, so that the position needs no particular
    last move.
    """
    encoding = encode_exact(cube, wish)
    cnf, board = encoding.cnf, encoding.board
    white_king = [cnf.both(board.white[s], board.king[s]) for s in SQUARES]
    encode_not_in_check(cnf, board, BLACK, white_king)
    cnf.add(-encoding.move.en_passant)
    return encoding


def encode_transposed(encoding: ExactEncoding) -> Encoding:
    """What is written of a piece's move when files and ranks are exchanged, in the same formula.

    Returns:
        The strings of the transposed cube.
    """
    cnf, cube = encoding.cnf, transposed_cube(encoding.cube)
    fields = encode_fields(cnf) | {name: encoding.fields[name] for name in ("promotion", "suffix")}
    origins = {transpose(s): literal for s, literal in encoding.move.origins.items()}
    legal = {transpose(s): literal for s, literal in encoding.legal.items()}
    encode_discriminator(cnf, cube, fields, origins, legal)
    return Encoding(cube, cnf, fields, origins)


def _legal(
    cnf: Gates, cube: Cube, board: Board, king: Squares, able: dict[int, Literal]
) -> dict[int, Literal]:
    """Which of the able pieces may make the move, given that one of them legally does.

    The legal move of one piece shows that no check would remain after the same move by another,
    unless that one's own departure opens a line to its king (FIDE 3.9.2): unless it is pinned,
    and leaves the line of the pin. Twins are told by their moves (PGN 8.2.3.4)::

        K . R . r      this rook may go along the line, and nowhere else
    """
    destination = parse_square(cube.destination)
    sees_king = sight_of(cnf, board, king)
    sliders = {
        d: [cnf.both(board.black[s], board.slider(d)[s]) for s in SQUARES] for d in DIRECTIONS
    }
    sees_slider = line_of_sight(cnf, lambda d: sliders[d], board.empty)
    legal = {}
    for s, literal in able.items():
        pins = [
            cnf.both(sees_king(opposite(d), s), sees_slider(d, s))
            for d in DIRECTIONS
            if not on_line(s, destination, d)
        ]
        legal[s] = cnf.both(literal, *[-pin for pin in pins])
    return legal
