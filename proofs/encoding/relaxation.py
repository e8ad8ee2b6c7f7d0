"""The rules of one move of White's, and of its SAN, as a formula for each cube.

A model of a cube's formula is a position with a move of that cube; the formula's first variables
spell the move's SAN. A formula holds the rules of a scope, each scope those of the one before:

- *geometry*: who stands where, where the mover comes from, its twins, what is written of them;
- *check*: Black's king, not attacked before the move, and whether it is attacked after it;
- *exact*: the safety of White's king, pins, and mate.

The exact formula's models are the positions and moves of chess (but for the position's history),
and so they serve as witnesses once they are checked. The other two are relaxations: every move of
chess is still a model, so a string that one of them excludes is impossible.

Direction: every rule here is a necessary condition of a legal position and move. Leaving one out
can only admit more strings; adding one that is not necessary would be an error. What only makes
witnesses pleasant (:class:`proofs.encoding.board.Ease`) goes into witness formulas and nowhere
else.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from proofs.encoding.attacks import attackers, forbid, line_of_sight, sight_of, threats
from proofs.encoding.board import (
    ANYTHING,
    BLACK,
    WHITE,
    Board,
    Ease,
    Squares,
    encode_board,
    encode_one_king,
)
from proofs.encoding.cnf import FALSE, TRUE, Cnf, Literal
from proofs.encoding.moves import Move, encode_move, only_at
from proofs.rules.cubes import Cube
from proofs.rules.san import FILE_LETTERS, PROMOTIONS, RANK_DIGITS, SUFFIXES, San
from proofs.rules.squares import (
    DIRECTIONS,
    SQUARES,
    Direction,
    file_of,
    opposite,
    parse_square,
    rank_of,
)
from proofs.search.mate import encode_mate

FIELDS: Final = {
    "file": FILE_LETTERS,
    "rank": RANK_DIGITS,
    "promotion": PROMOTIONS,
    "suffix": SUFFIXES,
}


class Scope(IntEnum):
    """Which rules a formula holds; a scope holds those of every smaller one."""

    GEOMETRY = 1
    CHECK = 2
    EXACT = 3


@dataclass(frozen=True)
class Encoding:
    """A cube's formula, and what its variables mean."""

    cube: Cube
    cnf: Cnf
    fields: dict[str, dict[str, Literal]]
    board: Board
    move: Move

    def literals(self, san: San) -> list[Literal]:
        """The literals that together say that the move is written as this string of the cube."""
        return [values[getattr(san, name)] for name, values in self.fields.items()]

    def exclude(self, san: San) -> list[Literal]:
        """The clause that the move is not written as this string of the cube."""
        return [-literal for literal in self.literals(san)]


def encode_relaxation(cube: Cube, scope: Scope = Scope.CHECK) -> Encoding:
    """A formula for impossibility: a string that no model of it spells is impossible for White."""
    return _encode(cube, scope, ANYTHING)


def encode_exact(cube: Cube) -> Encoding:
    """The formula whose models are the positions and moves of chess."""
    return _encode(cube, Scope.EXACT, ANYTHING)


def encode_witness(cube: Cube, ease: Ease) -> Encoding:
    """The exact formula with wishes added: its models are witnesses; that it has none says nothing.

    White is not in check and does not take in passing, so that the position needs no particular
    last move.
    """
    encoding = _encode(cube, Scope.EXACT, ease)
    cnf, board = encoding.cnf, encoding.board
    white_king = [cnf.both(board.white[s], board.king[s]) for s in SQUARES]
    _encode_not_in_check(cnf, board, BLACK, white_king)
    cnf.add(-encoding.move.en_passant)
    return encoding


def _encode(cube: Cube, scope: Scope, ease: Ease) -> Encoding:
    cnf = Cnf()
    fields = {name: {value: cnf.new() for value in values} for name, values in FIELDS.items()}
    for values in fields.values():
        cnf.exactly_one(values.values())
    board = encode_board(cnf, ease)
    white_king = encode_one_king(cnf, board, WHITE)
    move = encode_move(cnf, cube, board, fields["promotion"])
    able = move.able
    if scope >= Scope.EXACT:
        king_after = only_at(move.destination) if cube.moves_king else white_king
        _encode_not_in_check(cnf, move.after, BLACK, king_after)
        able = _encode_pins(cnf, cube, board, white_king, able)
    else:
        able = {s: cnf.both(literal, -cnf.new()) for s, literal in able.items()}
    _encode_discriminator(cnf, cube, fields, move, able)
    if scope >= Scope.CHECK:
        black_king = encode_one_king(cnf, board, BLACK)
        _encode_not_in_check(cnf, board, WHITE, black_king)
        _encode_suffix(cnf, fields["suffix"], move, black_king, scope)
    return Encoding(cube, cnf, fields, board, move)


def _encode_not_in_check(cnf: Cnf, board: Board, attacker: str, king: Squares) -> None:
    """The player who has just moved has not left the king attacked (FIDE 3.9.2)."""
    forbid(cnf, threats(cnf, board, attacker, king, sight_of(cnf, board, king)))


def _encode_pins(
    cnf: Cnf, cube: Cube, board: Board, king: Squares, able: dict[int, Literal]
) -> dict[int, Literal]:
    """Which of the able pieces may make the move, given that one of them legally does.

    The legal move of one piece shows that no check would remain after the same move by another,
    unless that one's own departure opens a line to its king: unless it is pinned, and leaves the
    line of the pin. In a relaxation each pin is a free choice.
    """
    if cube.piece == "" or cube.moves_king:
        return able
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
            if not _on_line(s, destination, d)
        ]
        legal[s] = cnf.both(literal, *[-pin for pin in pins])
    return legal


def _on_line(a: int, b: int, direction: Direction) -> bool:
    """Whether the line through ``a`` in this direction, either way, passes ``b``."""
    files, ranks = file_of(b) - file_of(a), rank_of(b) - rank_of(a)
    return files * direction[1] == ranks * direction[0]


def _encode_discriminator(
    cnf: Cnf,
    cube: Cube,
    fields: dict[str, dict[str, Literal]],
    move: Move,
    able: dict[int, Literal],
) -> None:
    """What is written of the origin (PGN standard 8.2.3.4, FIDE C.10)."""
    from_file = _by_line(cnf, move.origins, file_of)
    from_rank = _by_line(cnf, move.origins, rank_of)
    write_file, write_rank = FALSE, FALSE
    if cube.piece == "" and cube.capture:
        write_file = TRUE
    elif cube.piece and not cube.castling:
        twins = {s: cnf.both(x, -move.origins[s]) for s, x in able.items()}
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


def _encode_suffix(
    cnf: Cnf,
    suffix: dict[str, Literal],
    move: Move,
    black_king: Squares,
    scope: Scope,
) -> None:
    """Check and mate after the move (PGN standard 8.2.3.5, FIDE C.13).

    A relaxation does not say which checks are mate.
    """
    sight = sight_of(cnf, move.after, black_king)
    checkers = attackers(cnf, threats(cnf, move.after, WHITE, black_king, sight))
    check = cnf.either(*checkers)
    cnf.add(suffix[""], check)
    cnf.add(-suffix[""], -check)
    if scope >= Scope.EXACT:
        mate = encode_mate(cnf, move, black_king, sight, checkers)
        cnf.add(suffix["#"], -mate)
        cnf.add(-suffix["#"], mate)
