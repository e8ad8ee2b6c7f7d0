"""The exact formula of a cube, whose models are the positions and moves of chess. Untrusted.

It shares with the relaxation (:mod:`proofs.encoding.relaxation`) the clauses about what SAN writes,
and adds everything that the relaxation leaves out: a board, its kings, every move, pins, checks and
mate. A model is a witness once python-chess has confirmed it. An impossibility counts only where it
is refuted and checked.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from typing import Final

from sanproof.proofs.board.fens import placement_of
from sanproof.proofs.board.witness import Witness, checked_witness
from sanproof.proofs.encoding.cnf import Literal
from sanproof.proofs.encoding.relaxation import Encoding
from sanproof.proofs.encoding.written import BySquare, Fields, encode_discriminator, encode_fields
from sanproof.proofs.rules.cubes import BLACK, WHITE, Cube
from sanproof.proofs.rules.san import San
from sanproof.proofs.rules.squares import DIRECTIONS, SQUARES, parse_square, square_name
from sanproof.proofs.search.board import (
    PAWN_SQUARES,
    ROLES,
    ROLES_OF,
    Board,
    Squares,
    attackers,
    encode_board,
    encode_not_in_check,
    encode_one_king,
    on_line,
    only_at,
    pins_on,
)
from sanproof.proofs.search.gates import Gates
from sanproof.proofs.search.material import Material, encode_material
from sanproof.proofs.search.moves import Move, encode_mate, encode_move

_LETTERS: Final = {frozenset(roles): letter for letter, roles in ROLES_OF.items()}
_CASTLING_RIGHTS: Final = {"O-O": "K", "O-O-O": "Q"}

Holds = Callable[[Literal], bool]
"""A function that tells whether a literal holds in a model."""


@dataclass(frozen=True)
class ExactEncoding(Encoding):
    """A cube's exact formula, with the board before the move and the move, for more definitions."""

    cnf: Gates
    board: Board = field(kw_only=True)
    move: Move = field(kw_only=True)


def encode_exact(cube: Cube, material: Material | None = None) -> ExactEncoding:
    """Return the formula whose models are the positions and moves of chess.

    With ``material`` only positions with these pieces are models. The history of the position is
    left out: castling rights, and whether a pawn may really be captured in passing.
    """
    begun, fields, board, white_king = _begun(material)
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
    checkers = attackers(cnf, move.after, WHITE, black_king)
    # A suffix is written exactly when the move attacks Black's king (PGN 8.2.3.5, FIDE 3.9.1).
    _equate(cnf, -fields["suffix"][""], cnf.either(*checkers))
    _equate(cnf, -fields["suffix"]["#"], -encode_mate(cnf, move, black_king, checkers))
    return ExactEncoding(cube, cnf, fields, move.origins, move.able, board=board, move=move)


@cache
def _begun(material: Material | None) -> tuple[Gates, Fields, Board, Squares]:
    """Begin a formula with what all cubes share: the string's parts, the board, White's king."""
    cnf = Gates()
    fields = encode_fields(cnf)
    has_pawns = material is None or "P" in material.white + material.black
    board = encode_board(cnf, PAWN_SQUARES if has_pawns else ())
    if material is not None:
        encode_material(cnf, board, material)
    return cnf, fields, board, encode_one_king(cnf, board, WHITE)


def _equate(cnf: Gates, a: Literal, b: Literal) -> None:
    cnf.add(-a, b)
    cnf.add(a, -b)


def encode_witness(cube: Cube, material: Material) -> ExactEncoding:
    """Return an exact formula for witnesses. If it has no model, nothing follows.

    White is not in check and does not capture in passing, so that the position needs no particular
    last move.
    """
    encoding = encode_exact(cube, material)
    cnf, board = encoding.cnf, encoding.board
    white_king = [cnf.both(board.white[s], board.king[s]) for s in SQUARES]
    encode_not_in_check(cnf, board, BLACK, white_king)
    cnf.add(-encoding.move.en_passant)
    return encoding


def _legal(cnf: Gates, cube: Cube, board: Board, king: Squares, able: BySquare) -> BySquare:
    """Encode which of the able pieces may make the move, given that one of them legally does.

    The legal move of one piece shows that no check would remain after the same move by another,
    unless that one's own departure opens a line to its king (FIDE 3.9.2): unless it is pinned,
    and leaves the line of the pin. Twins are told by their moves (PGN 8.2.3.4)::

        K . R . r      this rook may go along the line, and nowhere else
    """
    destination = parse_square(cube.destination)
    pins_of, legal = pins_on(cnf, board, king), {}
    for s, literal in able.items():
        pins = pins_of(s, [d for d in DIRECTIONS if not on_line(s, destination, d)])
        legal[s] = cnf.both(literal, *[-pin for pin in pins])
    return legal


def read_string(encoding: Encoding, holds: Holds) -> San:
    """Return the string of a model."""
    cube, read = encoding.cube, {}
    for name, values in encoding.fields.items():
        (read[name],) = [value for value, literal in values.items() if holds(literal)]
    return San(cube.piece, capture=cube.capture, destination=cube.destination, **read)


def read_witness(encoding: ExactEncoding, holds: Holds) -> Witness:
    """Return the witness of a model.

    Raises:
        WitnessError: python-chess does not confirm it.
    """
    return checked_witness(*read_model(encoding, holds))


def read_model(encoding: ExactEncoding, holds: Holds) -> tuple[str, str, str]:
    """Return the string, the position (FEN) and the move (UCI) of a model, unconfirmed."""
    san, move = read_string(encoding, holds), encoding.move
    (origin,) = [square for square, literal in move.origins.items() if holds(literal)]
    placement = placement_of([_letter(encoding.board, s ^ 56, holds) for s in SQUARES])
    rights = _CASTLING_RIGHTS.get(san.piece, "-")
    passed = san.destination if holds(move.en_passant) else "-"
    uci = square_name(origin) + square_name(move.destination) + san.promotion.lower()
    return str(san), f"{placement} w {rights} {passed} 0 1", uci


def _letter(board: Board, square: int, holds: Holds) -> str:
    if holds(board.empty[square]):
        return "."
    letter = _LETTERS[frozenset(role for role in ROLES if holds(getattr(board, role)[square]))]
    return letter if holds(board.white[square]) else letter.lower()
