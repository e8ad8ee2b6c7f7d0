"""Conditions that every position of a game meets, as far as an answer must. Untrusted.

Necessary conditions of legality that the exact formula leaves out, because it speaks of one move:
how many pieces a side has, and how White came to be in check. They make python-chess call an answer
valid, and besides bound the promotions. That a question has no answer with them is therefore said
of all positions that a game can reach.
"""

from collections.abc import Iterable
from typing import Final

from sanproof.proofs.encoding.cnf import FALSE, TRUE, Literal
from sanproof.proofs.find.scene import CubeScene, at_least
from sanproof.proofs.rules.squares import DIRECTIONS, RAY, SQUARES, Direction, file_of, rank_of
from sanproof.proofs.search.board import Squares, opposite
from sanproof.proofs.search.gates import Gates
from sanproof.proofs.search.material import at_most
from sanproof.proofs.search.moves import EN_PASSANT_RANK

MOST_PIECES: Final = 16
MOST_PAWNS: Final = 8
FEW_PIECES: Final = 4
"""The pieces besides the king that a side has in an answer that a person can read."""
SOME_PIECES: Final = 8
"""The pieces besides the king in an answer where few are not enough."""
_LIGHT: Final = [s for s in SQUARES if (file_of(s) + rank_of(s)) % 2 == 1]
_DARK: Final = [s for s in SQUARES if (file_of(s) + rank_of(s)) % 2 == 0]
_OFFICERS: Final = (
    *(("Q", SQUARES, 1), ("R", SQUARES, 2), ("N", SQUARES, 2)),
    *(("B", _LIGHT, 1), ("B", _DARK, 1)),
)
"""Pieces, squares, and how many of these a side has there without a promotion (FIDE 2.2)."""


def encode_most_pieces(scene: CubeScene, most: int) -> Literal:
    """Return a literal which, assumed, leaves each side so many pieces besides its king at most."""
    literal = scene.cnf.new()
    for pieces in (scene.board.white, scene.board.black):
        _at_most_if(scene.cnf, literal, most + 1, pieces)
    return literal


def encode_unpromoted(scene: CubeScene) -> Literal:
    """Make a literal which, assumed, leaves each side no more of a kind than at the start."""
    literal = scene.cnf.new()
    for kind, squares, at_start in _OFFICERS:
        for letter in (kind, kind.lower()):
            _at_most_if(scene.cnf, literal, at_start, [scene.stands(letter, s) for s in squares])
    return literal


def _at_most_if(cnf: Gates, literal: Literal, most: int, pieces: Iterable[Literal]) -> None:
    at_most(cnf, most, [cnf.both(literal, piece) for piece in pieces])


def encode_possible(scene: CubeScene, *, passed: bool) -> None:
    """Assert the material that a game leaves, and that White's checkers came there by a move.

    ``passed`` says if it is known which pawn has just passed; else the move's own is taken.
    """
    for letters in ("PNBRQ", "pnbrq"):
        _encode_material(scene, letters)
    _encode_two_checkers(scene)
    if passed:
        for file, literal in scene.passed.items():
            _encode_pushed(scene, 8 * EN_PASSANT_RANK + file, literal)
    elif scene.has_move and scene.move.en_passant != FALSE:
        _encode_pushed(scene, scene.move.destination, scene.move.en_passant)


def _encode_material(scene: CubeScene, letters: str) -> None:
    """At most 16 pieces a side (FIDE 2.2); no more promoted than pawns are missing (3.7.3.3).

    A piece beyond those of the initial position was a pawn; two bishops on squares of one colour
    cannot both have been there.
    """
    cnf = scene.cnf
    own = scene.board.white if letters.isupper() else scene.board.black
    at_most(cnf, MOST_PIECES, own)
    used = scene.where(letters[0])
    for kind, squares, at_start in _OFFICERS:
        letter = kind if letters.isupper() else kind.lower()
        used = [*used, *_surplus(cnf, [scene.stands(letter, s) for s in squares], at_start)]
    at_most(cnf, MOST_PAWNS, used)


def _surplus(cnf: Gates, pieces: Squares, at_start: int) -> list[Literal]:
    """For each piece, whether it is one more than there were at the start, counted in order."""
    surplus = []
    counts = [TRUE] + [FALSE] * at_start
    for piece in pieces:
        surplus.append(cnf.both(piece, counts[at_start]))
        more = [
            cnf.either(counts[i], cnf.both(counts[i - 1], piece)) for i in range(1, at_start + 1)
        ]
        counts = [TRUE, *more]
    return surplus


def _encode_two_checkers(scene: CubeScene) -> None:
    """One move makes two checkers at most, and not on one line on both sides of the king.

    ::

        R . k . r      not by one move
    """
    cnf = scene.cnf
    cnf.add(-at_least(cnf, 3, scene.white_checkers)[3])
    for d in DIRECTIONS[:2] + DIRECTIONS[4:6]:
        cnf.add(-_checked_from(scene, d), -_checked_from(scene, opposite(d)))


def _checked_from(scene: CubeScene, direction: Direction) -> Literal:
    """Encode whether a checker of White's king stands in this direction from it."""
    found = []
    for s, checker in enumerate(scene.white_checkers):
        kings = [scene.white_king[t] for t in RAY[opposite(direction)][s]]
        found.append(scene.cnf.both(checker, scene.cnf.either(*kings)))
    return scene.cnf.either(*found)


def _encode_pushed(scene: CubeScene, passed: int, literal: Literal) -> None:
    """Encode that a pawn just passed this square: with the push taken back, White is not in check.

    White had moved before (FIDE 3.9.2), so there is one checker at most: the pawn, or a piece whose
    line the pawn opened.
    """
    cnf, pawn, start = scene.cnf, passed - 8, passed + 8
    cnf.add(-literal, -at_least(cnf, 2, scene.white_checkers)[2])
    before = scene.board.changed(
        {
            "empty": {pawn: TRUE, start: FALSE},
            "black": {pawn: FALSE, start: TRUE},
            "pawn": {start: TRUE},
        }
    )
    cnf.add(-literal, -cnf.either(*scene.white_attacked(before)))
