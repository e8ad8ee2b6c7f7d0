"""Builds the formula of a question in one cube, for the search and for the check of a certificate.

Untrusted: an answer counts when python-chess has confirmed it. A refutation is as good as the exact
formula and the criteria, which tests compare with python-chess. It is about positions that a game
can have: their number of pieces, of promoted ones, and checks that a move can have given.
"""

from collections.abc import Iterable
from math import prod
from typing import Final, NamedTuple

from sanproof.proofs.encoding.cnf import FALSE, TRUE, Literal
from sanproof.proofs.find.questions import Criterion, Pattern, Question, matching_cubes, texts_of
from sanproof.proofs.find.scene import Scene, at_least, counts_so_far
from sanproof.proofs.find.terms import OF_SUFFIX, is_open_to, literal
from sanproof.proofs.find.terms_of_position import TERMS_OF_POSITION
from sanproof.proofs.rules.cubes import BLACK, COLOURS, WHITE, Cube, exchanged_cube, exchanged_san
from sanproof.proofs.rules.squares import DIRECTIONS, RAY, SQUARES, Direction, file_of, rank_of
from sanproof.proofs.search.board import opposite
from sanproof.proofs.search.material import Material, at_most
from sanproof.proofs.search.moves import EN_PASSANT_RANK

ANY_CUBE: Final = "*"
EVERYTHING: Final = "*"
_ORDER: Final = ("Q", "R", "N", "B", "K", "", "O-O", "O-O-O")
MOST_PIECES: Final = 16
MOST_PAWNS: Final = 8
_LIGHT: Final = [s for s in SQUARES if (file_of(s) + rank_of(s)) % 2 == 1]
_DARK: Final = [s for s in SQUARES if (file_of(s) + rank_of(s)) % 2 == 0]
_OFFICERS: Final = (
    *(("Q", SQUARES, 1), ("R", SQUARES, 2), ("N", SQUARES, 2)),
    *(("B", _LIGHT, 1), ("B", _DARK, 1)),
)
"""Pieces, squares, and how many of these a side has there without a promotion (FIDE 2.2)."""
_SIDES: Final = {"white-to-move": WHITE, "black-to-move": BLACK}


class QuestionPart(NamedTuple):
    """A part of a question, seen from White's side. For Black the colours are exchanged.

    Without a cube it has only what all cubes share. The pattern stays as the moving player writes
    it.
    """

    colour: str
    cube: Cube | None
    pattern: str
    criteria: tuple[Criterion, ...]

    @property
    def name(self) -> str:
        """The name of the cube, or that of all cubes."""
        return ANY_CUBE if self.cube is None else str(self.cube)


def parts_of(question: Question) -> list[QuestionPart]:
    """Return the parts of a question, one for each player and cube, White's before Black's.

    Quiet moves of a piece come before its captures. Cubes that contradict a criterion, as quiet
    moves contradict a capture, are left out.
    """
    parts: list[QuestionPart] = []
    cubes = matching_cubes(question.pattern)
    written = sorted(cubes, key=lambda cube: (_ORDER.index(cube.piece), cube.capture))
    for colour in _colours_of(question):
        criteria = seen_by(colour, question.criteria)
        decisive = criteria
        if "=" in question.pattern and "[" not in question.pattern:  # every string promotes
            decisive = (*criteria, Criterion("promotion"))
        parts += (
            QuestionPart(colour, cube, question.pattern, criteria)
            for cube in (written if colour == WHITE else map(exchanged_cube, written))
            if all(is_open_to(cube, criterion) for criterion in decisive)
        )
    return parts


def boards_of(question: Question) -> list[QuestionPart]:
    """Return for each player the part that all cubes share, if it can contradict itself.

    It has the criteria of the position, and those of check, mate and stalemate if there are
    several.
    """
    of_suffix = [c for c in question.criteria if c.name in OF_SUFFIX]
    shared = [c for c in question.criteria if c.name in TERMS_OF_POSITION]
    shared += of_suffix if len(of_suffix) > 1 else []
    return [
        QuestionPart(colour, None, EVERYTHING, seen_by(colour, shared))
        for colour in (_colours_of(question) if shared else ())
    ]


def _colours_of(question: Question) -> list[str]:
    """Return the colours that may be to move."""
    sides = [(_SIDES[c.name], c.negated) for c in question.criteria if c.name in _SIDES]
    return [c for c in COLOURS if all((side == c) != negated for side, negated in sides)]


def seen_by(colour: str, criteria: Iterable[Criterion]) -> tuple[Criterion, ...]:
    """Return the criteria from White's side, given the player to move."""
    return tuple(c if colour == WHITE else c.exchanged() for c in criteria)


def encode_part(part: QuestionPart, material: Material | None = None) -> Scene:
    """Return the formula of a part, whose models are the answers."""
    scene = Scene(part.cube, material)
    for criterion in part.criteria:
        if criterion.name not in _SIDES:  # who moves is said by the part
            scene.cnf.add(literal(scene, criterion))
    if part.cube is not None and part.pattern != EVERYTHING:
        _encode_strings(scene, part)
    encode_possible(scene)
    return scene


def _encode_strings(scene: Scene, part: QuestionPart) -> None:
    """Encode that the move is written as one of the strings that are asked for."""
    written = scene.cube if part.colour == WHITE else exchanged_cube(scene.cube)
    pattern = Pattern(part.pattern)
    if all(map(pattern.takes, texts_of(written))):
        return
    strings = list(pattern.strings(written))
    wanted = strings if part.colour == WHITE else list(map(exchanged_san, strings))
    choices = {name: {getattr(san, name) for san in wanted} for name in scene.encoding.fields}
    for name, values in scene.encoding.fields.items():
        for value, is_written in values.items():
            if value not in choices[name]:
                scene.cnf.add(-is_written)
    if prod(map(len, choices.values())) > len(wanted):  # not every combination is asked for
        scene.cnf.add(*[scene.cnf.both(*scene.encoding.literals(san)) for san in wanted])


# Preferences of the search: to be assumed, or not


def encode_most_pieces(scene: Scene, most: int) -> Literal:
    """Return a literal that, if assumed, limits each side to ``most`` pieces besides its king."""
    literal = scene.cnf.new()
    for pieces in (scene.board.white, scene.board.black):
        at_most(scene.cnf, most + 1, [scene.cnf.both(literal, piece) for piece in pieces])
    return literal


def encode_unpromoted(scene: Scene) -> Literal:
    """Return a literal that, if assumed, leaves each side no more of a kind than at the start."""
    literal = scene.cnf.new()
    for kind, squares, at_start in _OFFICERS:
        for letter in (kind, kind.lower()):
            pieces = [scene.cnf.both(literal, scene.stands(letter, s)) for s in squares]
            at_most(scene.cnf, at_start, pieces)
    return literal


# What every position of a game meets, and the exact formula leaves out


def encode_possible(scene: Scene) -> None:
    """Assert that a game can leave this material, and that White's checkers came by a move."""
    for letters in ("PNBRQ", "pnbrq"):
        _encode_material(scene, letters)
    _encode_two_checkers(scene)
    if scene.has("passed"):
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
        pieces = [scene.stands(letter, s) for s in squares]
        for piece, before in zip(pieces, counts_so_far(scene.cnf, at_start, pieces), strict=False):
            used.append(scene.cnf.both(piece, before[at_start]))
    at_most(scene.cnf, MOST_PAWNS, used)


def _encode_two_checkers(scene: Scene) -> None:
    """One move makes two checkers at most, and not on both sides of the king: ``R . k . r``."""
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
