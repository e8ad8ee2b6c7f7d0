"""Conditions that every position of a game meets, and the exact formula leaves out. Untrusted.

How many pieces a side has, how many can be promoted, and how White came to be in check. With them
python-chess calls an answer valid; that a question has none is said of all positions of games.
"""

from itertools import pairwise
from typing import Final

from sanproof.proofs.encoding.cnf import FALSE, TRUE, Literal
from sanproof.proofs.find.scene import Scene, at_least
from sanproof.proofs.rules.squares import DIRECTIONS, RAY, SQUARES, Direction, file_of, rank_of
from sanproof.proofs.search.board import opposite
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


def encode_most_pieces(scene: Scene, most: int) -> Literal:
    """Return a literal which, assumed, leaves each side so many pieces besides its king at most."""
    literal = scene.cnf.new()
    for pieces in (scene.board.white, scene.board.black):
        at_most(scene.cnf, most + 1, [scene.cnf.both(literal, piece) for piece in pieces])
    return literal


def encode_unpromoted(scene: Scene) -> Literal:
    """Return a literal which, assumed, leaves each side no more of a kind than at the start."""
    literal = scene.cnf.new()
    for kind, squares, at_start in _OFFICERS:
        for letter in (kind, kind.lower()):
            pieces = [scene.cnf.both(literal, scene.stands(letter, s)) for s in squares]
            at_most(scene.cnf, at_start, pieces)
    return literal


def encode_possible(scene: Scene, *, passed: bool) -> None:
    """Assert the material that a game leaves, and that White's checkers came there by a move.

    ``passed`` says if it is known which pawn has just passed; else the move's own is taken.
    """
    for letters in ("PNBRQ", "pnbrq"):
        _encode_material(scene, letters)
    _encode_two_checkers(scene)
    if passed:
        for file, literal in scene.passed.items():
            _encode_pushed(scene, 8 * EN_PASSANT_RANK + file, literal)
    elif scene.has("cube") and scene.move.en_passant != FALSE:
        _encode_pushed(scene, scene.move.destination, scene.move.en_passant)


def _encode_material(scene: Scene, letters: str) -> None:
    """At most 16 pieces a side (FIDE 2.2); no more promoted than pawns are missing (3.7.3.3).

    A piece beyond those of the initial position was a pawn; two bishops on squares of one colour
    cannot both have been there.
    """
    own = scene.board.white if letters.isupper() else scene.board.black
    at_most(scene.cnf, MOST_PIECES, own)
    used = [*scene.where(letters[0])]
    for kind, squares, at_start in _OFFICERS:
        letter = kind if letters.isupper() else kind.lower()
        counts = [TRUE] + [FALSE] * at_start  # of the pieces so far, whether there are 0, 1, 2
        for piece in [scene.stands(letter, s) for s in squares]:
            used.append(scene.cnf.both(piece, counts[at_start]))
            counts = [TRUE, *_one_more(scene, counts, piece)]
    at_most(scene.cnf, MOST_PAWNS, used)


def _one_more(scene: Scene, counts: list[Literal], piece: Literal) -> list[Literal]:
    pairs = pairwise(counts)
    return [scene.cnf.either(n, scene.cnf.both(fewer, piece)) for fewer, n in pairs]


def _encode_two_checkers(scene: Scene) -> None:
    """One move makes two checkers at most, and not on one line on both sides of the king.

    ::

        R . k . r      not by one move
    """
    cnf = scene.cnf
    cnf.add(-at_least(cnf, 3, scene.white_checkers)[3])
    for d in DIRECTIONS[:2] + DIRECTIONS[4:6]:
        cnf.add(-_checked_from(scene, d), -_checked_from(scene, opposite(d)))


def _checked_from(scene: Scene, direction: Direction) -> Literal:
    """Encode whether a checker of White's king stands in this direction from it."""
    lines = [[scene.white_king[t] for t in RAY[opposite(direction)][s]] for s in SQUARES]
    kings = [scene.cnf.either(*line) for line in lines]
    return scene.some(zip(scene.white_checkers, kings, strict=True))


def _encode_pushed(scene: Scene, passed: int, literal: Literal) -> None:
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
