"""The formula of a cube: necessary conditions of a move of White's and of its SAN.

A model of the formula is a placement of pieces with a move of the cube; the formula's first
variables spell the move's SAN. There are two scopes:

- *geometry*: who stands where, where the mover comes from, its twins, what is written of them;
- *check*: also Black's king, not attacked before the move, and whether it is attacked after it.

Direction: every clause is a necessary condition of a legal move in a position (one king a side, no
pawn on the first or last rank, the player who has just moved not in check). So every such move is
a model, and a string that no model spells is never written for a move of White's. Leaving a clause
out can only admit more strings; adding one that is not necessary would be an error.

What a relaxation leaves out: the safety of White's king, which twins are pinned (each pin is a free
choice), which checks are mate, and the position's history.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final

from sanproof.proofs.encoding.attacks import attackers, encode_not_in_check, sight_of, threats
from sanproof.proofs.encoding.board import Board, Squares, encode_board, encode_one_king
from sanproof.proofs.encoding.cnf import FALSE, TRUE, Cnf, Literal
from sanproof.proofs.encoding.moves import Move, encode_move
from sanproof.proofs.rules.cubes import BLACK, WHITE, Cube
from sanproof.proofs.rules.san import FILE_LETTERS, PROMOTIONS, RANK_DIGITS, SUFFIXES, San
from sanproof.proofs.rules.squares import file_of, rank_of

FIELDS: Final = {
    "file": FILE_LETTERS,
    "rank": RANK_DIGITS,
    "promotion": PROMOTIONS,
    "suffix": SUFFIXES,
}
Fields = dict[str, dict[str, Literal]]


class Scope(Enum):
    """Which rules a relaxation holds."""

    GEOMETRY = "geometry"
    CHECK = "check"


@dataclass(frozen=True)
class Encoding:
    """A cube's formula, and what its variables mean."""

    cube: Cube
    cnf: Cnf
    fields: Fields
    board: Board
    move: Move

    def literals(self, san: San) -> list[Literal]:
        """The literals that together say that the move is written as this string of the cube."""
        return [values[getattr(san, name)] for name, values in self.fields.items()]

    def exclude(self, san: San) -> list[Literal]:
        """The clause that the move is not written as this string of the cube."""
        return [-literal for literal in self.literals(san)]


def encode_relaxation(cube: Cube, scope: Scope) -> Encoding:
    """The formula of a cube: a string that no model of it spells is impossible for White."""
    cnf = Cnf()
    fields = encode_fields(cnf)
    board = encode_board(cnf)
    encode_one_king(cnf, board, WHITE)
    move = encode_move(cnf, cube, board, fields["promotion"])
    legal = {s: cnf.both(able, -cnf.new()) for s, able in move.able.items()}  # a pin, or none
    encode_discriminator(cnf, cube, fields, move, legal)
    if scope is Scope.CHECK:
        black_king = encode_one_king(cnf, board, BLACK)
        encode_not_in_check(cnf, board, WHITE, black_king)
        encode_check(cnf, fields["suffix"], move, black_king)
    return Encoding(cube, cnf, fields, board, move)


def encode_fields(cnf: Cnf) -> Fields:
    """What is written: for each part of the string, exactly one of its values."""
    fields = {name: {value: cnf.new() for value in values} for name, values in FIELDS.items()}
    for values in fields.values():
        cnf.exactly_one(values.values())
    return fields


def encode_discriminator(
    cnf: Cnf, cube: Cube, fields: Fields, move: Move, legal: dict[int, Literal]
) -> None:
    """What is written of the origin.

    A piece with twins, which are pieces of its kind with a legal move to the same destination, is
    written with its file; if a twin shares its file, with its rank; if one shares its file and
    one its rank, with both (PGN 8.2.3.4)::

        R . x . R    Rac1       R       R1c3        R . R     Ra1c3
        a   c   e               x ...                  x
                                R                   R

    A pawn's capture names its file (8.2.3.3); a push, a king's move and a castling name nothing.
    """
    from_file = _by_line(cnf, move.origins, file_of)
    from_rank = _by_line(cnf, move.origins, rank_of)
    write_file, write_rank = FALSE, FALSE
    if cube.piece == "" and cube.capture:
        write_file = TRUE
    elif cube.piece and not cube.castling:
        twins = {s: cnf.both(x, -move.origins[s]) for s, x in legal.items()}
        shares_file = _meet(cnf, from_file, _by_line(cnf, twins, file_of))
        shares_rank = _meet(cnf, from_rank, _by_line(cnf, twins, rank_of))
        rank_suffices = cnf.both(shares_file, -shares_rank)
        write_file = cnf.both(cnf.either(*twins.values()), -rank_suffices)
        write_rank = shares_file
    _write(cnf, fields["file"], write_file, from_file)
    _write(cnf, fields["rank"], write_rank, from_rank)


def _by_line(cnf: Cnf, squares: dict[int, Literal], line: Callable[[int], int]) -> list[Literal]:
    """For each of the eight files (or ranks), whether it holds one of these squares' literals."""
    return [cnf.either(*[x for s, x in squares.items() if line(s) == i]) for i in range(8)]


def _meet(cnf: Cnf, a: Sequence[Literal], b: Sequence[Literal]) -> Literal:
    """Whether some line is in both."""
    return cnf.either(*[cnf.both(x, y) for x, y in zip(a, b, strict=True)])


def _write(cnf: Cnf, values: dict[str, Literal], write: Literal, origin: Sequence[Literal]) -> None:
    """The field holds the origin's letter or digit exactly when it is to be written."""
    for literal, here in zip(list(values.values())[1:], origin, strict=True):
        written = cnf.both(write, here)
        cnf.add(-literal, written)
        cnf.add(literal, -written)


def encode_check(cnf: Cnf, suffix: dict[str, Literal], move: Move, black_king: Squares) -> Squares:
    """A suffix is written exactly when Black's king is attacked after the move.

    PGN 8.2.3.5 for the suffix, FIDE 3.9.1 for check. Which checks are mate is left open.

    Returns:
        For every square, whether a piece there gives check.
    """
    sight = sight_of(cnf, move.after, black_king)
    checkers = attackers(cnf, threats(cnf, move.after, WHITE, black_king, sight))
    check = cnf.either(*checkers)
    cnf.add(suffix[""], check)
    cnf.add(-suffix[""], -check)
    return checkers
