"""The formula of a cube: necessary conditions of a move of White's and of its SAN.

A model of the formula is an arrangement: where the move starts, where its twins stand, and what is
written; in the larger scope also Black's king, and how the move attacks it.

Direction: every clause is a necessary condition of a legal move in a position (one king a side, no
pawn on the first or last rank, the player who has just moved not in check). So every such move is
a model, and a string that no model spells is never written for a move of White's. Leaving a clause
out can only admit more strings; adding one that is not necessary would be an error.

A relaxation has what some refutation needs and no more. It says nothing of White's king, of what
pieces of other kinds do, of which twins are pinned or which checks are mate, of the position's
history, or of what a king, a pawn or a castling needs besides its squares.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from enum import Enum

from sanproof.proofs.encoding.cnf import Cnf, Literal
from sanproof.proofs.encoding.written import BySquare, Fields, encode_discriminator, encode_fields
from sanproof.proofs.rules.cubes import Cube
from sanproof.proofs.rules.moves import LAST_RANK, pawn_origins, reach_backwards
from sanproof.proofs.rules.san import San
from sanproof.proofs.rules.squares import RAY, SQUARES, parse_square, rank_of, step


class Scope(Enum):
    """The rules that a relaxation holds: geometry, or check as well."""

    GEOMETRY = "geometry"
    CHECK = "check"


@dataclass(frozen=True)
class Encoding:
    """A cube's formula, and what its variables mean; where it says nothing, they are empty.

    Attributes:
        cube: The cube.
        cnf: The formula.
        fields: For each part of the string and each of its values, whether that is written.
        origins: For each candidate square, whether the move starts there.
        able: For each of them, whether a white piece of the kind is there and its way is free.
        empty: For every square, whether nothing stands there before the move.
        king: For every square, whether Black's king stands there.
    """

    cube: Cube
    cnf: Cnf
    fields: Fields
    origins: BySquare
    able: BySquare = field(default_factory=dict)
    empty: BySquare = field(default_factory=dict)
    king: BySquare = field(default_factory=dict)

    def literals(self, san: San) -> list[Literal]:
        """Return the literals that say the move is written as this string of the cube."""
        return [values[getattr(san, name)] for name, values in self.fields.items()]

    def exclude(self, san: San) -> list[Literal]:
        """Return a clause which says that the move is not written as this string of the cube."""
        return [-literal for literal in self.literals(san)]


def encode_relaxation(cube: Cube, scope: Scope) -> Encoding:
    """Return the formula of a cube: a string that no model of it spells is impossible for White."""
    cnf = Cnf()
    fields = encode_fields(cnf)
    origins, able, legal = BySquare(), BySquare(), BySquare()
    if cube.piece == "":
        origins = _encode_pawn(cnf, cube)
    elif cube.piece in {"N", "B", "R", "Q"}:
        origins, able = _encode_pieces(cnf, cube)
        legal = {s: cnf.both(x, -cnf.new()) for s, x in able.items()}  # a pin, or none
    _encode_promotion(cnf, cube, fields["promotion"])
    encode_discriminator(cnf, cube, fields, origins, legal)
    if not able or scope is Scope.GEOMETRY:
        return Encoding(cube, cnf, fields, origins, able)
    empty, king = _unknowns(cnf, SQUARES), _unknowns(cnf, SQUARES)
    encoding = Encoding(cube, cnf, fields, origins, able, empty, king)
    _encode_check(encoding, parse_square(cube.destination))
    return encoding


def _unknowns(cnf: Cnf, squares: Iterable[int]) -> BySquare:
    return {s: cnf.new() for s in squares}


def _encode_pawn(cnf: Cnf, cube: Cube) -> BySquare:
    """Start a pawn's push or capture on a square that leads there (FIDE 3.7.1 to 3.7.3).

    A pawn starts on its second rank (2.3), only moves forward (3.7.1 to 3.7.3) and does not stay on
    the last rank (3.7.3.3), so it never stands on the first or last.
    """
    reach = pawn_origins(cube.capture == "x", parse_square(cube.destination))
    origins = _unknowns(cnf, [s for s in reach if 0 < rank_of(s) < LAST_RANK])
    cnf.add(*origins.values())
    return origins


def _encode_pieces(cnf: Cnf, cube: Cube) -> tuple[BySquare, BySquare]:
    """Knights, bishops, rooks and queens that reach the destination, one of which moves.

    They come from squares that lead there (FIDE 3.2 to 3.4, 3.6). No bishop, rook or queen moves
    over another piece (3.5), so of two on one line only the nearer is able::

        R . R . x      the rook on the left is not able
    """
    reach = reach_backwards(cube.piece, parse_square(cube.destination))
    origins, able = _unknowns(cnf, reach), _unknowns(cnf, reach)
    cnf.add(*origins.values())
    for s, between in reach.items():
        cnf.add(-origins[s], able[s])
        for t in between:
            cnf.add(-able[s], -able[t])
    return origins, able


def _encode_promotion(cnf: Cnf, cube: Cube, promotion: dict[str, Literal]) -> None:
    """On the last rank a pawn becomes a queen, rook, bishop or knight; nothing else promotes.

    FIDE 3.7.3.3; PGN 8.2.3.3 for how it is written.
    """
    promotes = cube.piece == "" and rank_of(parse_square(cube.destination)) == LAST_RANK
    cnf.add(*[promotion[piece] for piece in ("NBRQ" if promotes else [""])])


def _encode_check(encoding: Encoding, destination: int) -> None:
    """Let a suffix be written only if Black's king is attacked after the move (PGN 8.2.3.5).

    Before it no able piece attacks the king, for Black has just moved (FIDE 3.9.2). A move without
    capture goes to an empty square (3.1), and where a piece stands no king does. Between a piece
    and a square that it reaches, all squares are empty (3.5).
    """
    cube, cnf, empty, king = encoding.cube, encoding.cnf, encoding.empty, encoding.king
    if not cube.capture:
        cnf.add(empty[destination])
    for s, between in reach_backwards(cube.piece, destination).items():
        cnf.add(-encoding.able[s], -king[s])
        for t in between:
            cnf.add(-encoding.able[s], empty[t])
        for k, line in reach_backwards(cube.piece, s).items():  # a piece goes as it comes
            cnf.add(-encoding.able[s], -king[k], *[-empty[t] for t in line])
    checks = [*_direct_checks(encoding, destination), *_discovered_checks(encoding)]
    cnf.add(encoding.fields["suffix"][""], *checks)


def _direct_checks(encoding: Encoding, destination: int) -> Iterator[Literal]:
    """Yield the ways in which the piece attacks the king from its destination (FIDE 3.1.2).

    What lies between was empty before the move, or the piece has just left it::

        x . Q . k         Qx gives check over the square that the queen left
    """
    cnf = encoding.cnf
    for k, line in reach_backwards(encoding.cube.piece, destination).items():
        yield (check := cnf.new())
        cnf.add(-check, encoding.king[k])
        for t in line:
            cnf.add(-check, encoding.empty[t], encoding.origins[t])


def _discovered_checks(encoding: Encoding) -> Iterator[Literal]:
    """Yield the ways in which another piece attacks the king, over the origin (FIDE 3.1.2, 3.5).

    What lies between origin and king is empty, and behind the origin there is a square for it::

        Q . N . . k       check by the queen as the knight leaves
    """
    cnf = encoding.cnf
    for (file_step, rank_step), rays in RAY.items():
        for s, origin in encoding.origins.items():
            if step(s, (-file_step, -rank_step)) is None:
                continue
            for i, k in enumerate(rays[s]):
                yield (check := cnf.new())
                cnf.add(-check, origin)
                cnf.add(-check, encoding.king[k])
                for t in rays[s][:i]:
                    cnf.add(-check, encoding.empty[t])
