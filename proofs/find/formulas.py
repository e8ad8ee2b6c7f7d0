"""The formula of a question in one cube, as the search and the check of a certificate build it.

Untrusted: an answer counts when python-chess has confirmed it. A refutation counts as far as the
exact formula and the criteria say what they should, which their tests of adequacy show.
"""

from collections.abc import Iterable
from math import prod
from typing import Final, NamedTuple

from sanproof.proofs.find.patterns import Pattern, matching_cubes, texts_of
from sanproof.proofs.find.possible import encode_possible
from sanproof.proofs.find.questions import Criterion, Question
from sanproof.proofs.find.scene import Scene
from sanproof.proofs.find.terms import is_open_to, literal
from sanproof.proofs.find.terms_of_position import TERMS_OF_POSITION
from sanproof.proofs.rules.cubes import BLACK, COLOURS, WHITE, Cube, exchanged_cube, exchanged_san
from sanproof.proofs.search.material import Material

ANY_CUBE: Final = "*"
EVERYTHING: Final = "*"
_ORDER: Final = ("Q", "R", "N", "B", "K", "", "O-O", "O-O-O")
_SIDES: Final = {"white-to-move": WHITE, "black-to-move": BLACK}


class QuestionPart(NamedTuple):
    """A part of a question, seen from White's side: for Black with the colours exchanged.

    Without a cube it is what all cubes share, the position before the move. The pattern stays as
    the player who moves writes it.
    """

    colour: str
    cube: Cube | None
    pattern: str
    criteria: tuple[Criterion, ...]

    @property
    def name(self) -> str:
        """The name of the cube."""
        return ANY_CUBE if self.cube is None else str(self.cube)


def parts_of(question: Question) -> list[QuestionPart]:
    """Return the parts of a question, a player and a cube each: White's moves, quiet ones first.

    Cubes that deny a criterion, such as a capture in one of quiet moves, are left out.
    """
    parts: list[QuestionPart] = []
    cubes = matching_cubes(question.pattern)
    written = sorted(cubes, key=lambda cube: (_ORDER.index(cube.piece), cube.capture))
    for colour in _colours_of(question):
        criteria = seen_by(colour, question.criteria)
        decisive = (*criteria, *_said_by(question.pattern))
        parts += (
            QuestionPart(colour, cube, question.pattern, criteria)
            for cube in (written if colour == WHITE else map(exchanged_cube, written))
            if all(is_open_to(cube, criterion) for criterion in decisive)
        )
    return parts


def _said_by(pattern: str) -> list[Criterion]:
    """Return what every string of a pattern with a plain ``=`` says: that a pawn promotes."""
    return [Criterion("promotion")] if "=" in pattern and "[" not in pattern else []


def boards_of(question: Question) -> list[QuestionPart]:
    """For each player, what all cubes share: criteria of the position alone, if there are any."""
    of_position = [c for c in question.criteria if c.name in TERMS_OF_POSITION]
    return [
        QuestionPart(colour, None, EVERYTHING, seen_by(colour, of_position))
        for colour in (_colours_of(question) if of_position else ())
    ]


def _colours_of(question: Question) -> list[str]:
    """Return who may move."""
    sides = [(_SIDES[c.name], c.negated) for c in question.criteria if c.name in _SIDES]
    return [c for c in COLOURS if all((side == c) != negated for side, negated in sides)]


def seen_by(colour: str, criteria: Iterable[Criterion]) -> tuple[Criterion, ...]:
    """Return the criteria from White's side, if this colour moves."""
    return tuple(c if colour == WHITE else c.exchanged() for c in criteria)


def encode_part(part: QuestionPart, material: Material | None = None) -> Scene:
    """Return the formula of a part: its models are the answers. What none asks about is free."""
    scene = Scene(part.cube, material)
    for criterion in part.criteria:
        if criterion.name not in _SIDES:  # who moves is said by the part
            scene.cnf.add(literal(scene, criterion))
    if part.cube is not None and part.pattern != EVERYTHING:
        _encode_strings(scene, part)
    encode_possible(scene, passed=scene.has("passed"))
    return scene


def _encode_strings(scene: Scene, part: QuestionPart) -> None:
    """Encode that the move is written as one of the strings that are asked for."""
    written = scene.cube if part.colour == WHITE else exchanged_cube(scene.cube)
    strings = list(Pattern(part.pattern).strings(written))
    if len(strings) == len(texts_of(written)):
        return
    wanted = strings if part.colour == WHITE else list(map(exchanged_san, strings))
    choices = {name: {getattr(san, name) for san in wanted} for name in scene.encoding.fields}
    for name, values in scene.encoding.fields.items():
        for value, is_written in values.items():
            if value not in choices[name]:
                scene.cnf.add(-is_written)
    if prod(map(len, choices.values())) > len(wanted):  # not every combination is asked for
        scene.cnf.add(*[scene.cnf.both(*scene.encoding.literals(san)) for san in wanted])
