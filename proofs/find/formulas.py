"""The formula of a question in one cube, as the search and the check of a certificate build it.

Untrusted: an answer counts when python-chess has confirmed it. A refutation counts as far as the
exact formula and the criteria say what they should, which their tests of adequacy show.
"""

from collections.abc import Iterable
from enum import Enum
from math import prod
from typing import Final, NamedTuple

from sanproof.proofs.find.patterns import Pattern, matching_cubes
from sanproof.proofs.find.possible import encode_possible
from sanproof.proofs.find.questions import Criterion, Question
from sanproof.proofs.find.replies import FullScene
from sanproof.proofs.find.terms import is_of_position, is_open_to, literal
from sanproof.proofs.rules.cubes import BLACK, COLOURS, WHITE, Cube, exchanged_cube, exchanged_san
from sanproof.proofs.rules.san import FILE_LETTERS, PROMOTIONS, RANK_DIGITS, SUFFIXES, San
from sanproof.proofs.search.material import Material

ANY_CUBE: Final = "*"
EVERYTHING: Final = "*"
_ORDER: Final = ("Q", "R", "N", "B", "K", "", "O-O", "O-O-O")
_LIKELY: Final = {
    ("smothered", ""): "N",
    ("checker", "N"): "N",
    ("checker", "B"): "B",
    ("checker", "R"): "R",
    ("checker", "P"): "",
}
"""The kinds of pieces whose moves meet a criterion most easily."""
_SIDES: Final = {"white-to-move": WHITE, "black-to-move": BLACK}


class Rules(Enum):
    """The rules that a formula holds."""

    MOVE = "move"
    """Those of the move: the exact formula."""
    GAME = "game"
    """Also what every position of a game has (:mod:`proofs.find.possible`)."""


class QuestionPart(NamedTuple):
    """A part of a question, seen from White's side.

    Attributes:
        colour: Who moves in the answers; for Black the part is the question with the colours
            exchanged.
        cube: The cube of the move; None for what all cubes share, the position before the move.
        pattern: The strings that are asked for, as the player who moves writes them.
        criteria: The criteria.
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
    """Return the parts of a question, a player and a cube each, those that find most first.

    Cubes in which a criterion cannot hold by what the cube is, as a capture in one of quiet moves,
    are left out.
    """
    parts = []
    for colour in colours_of(question):
        criteria = seen_by(colour, question.criteria)
        for written in matching_cubes(question.pattern):
            cube = written if colour == WHITE else exchanged_cube(written)
            if all(is_open_to(cube, criterion) for criterion in criteria):
                parts.append(QuestionPart(colour, cube, question.pattern, criteria))
    return sorted(parts, key=_promise)


def boards_of(question: Question) -> list[QuestionPart]:
    """For each player, what all cubes share: the criteria that speak of the position alone."""
    return [
        QuestionPart(colour, None, EVERYTHING, tuple(c for c in criteria if is_of_position(c.name)))
        for colour in colours_of(question)
        for criteria in (seen_by(colour, question.criteria),)
    ]


def colours_of(question: Question) -> list[str]:
    """Return who may move."""
    excluded = {_SIDES[c.name] for c in question.criteria if c.name in _SIDES and c.negated}
    named = {_SIDES[c.name] for c in question.criteria if c.name in _SIDES and not c.negated}
    return [c for c in COLOURS if c not in excluded and named <= {c}]


def seen_by(colour: str, criteria: Iterable[Criterion]) -> tuple[Criterion, ...]:
    """Return the criteria from White's side, if this colour moves."""
    return tuple(c if colour == WHITE else c.exchanged() for c in criteria)


def _strings(part: QuestionPart) -> list[San] | None:
    """Return the strings of a part's cube that are asked for, from White's side; None for all."""
    if part.cube is None or part.pattern == EVERYTHING:
        return None
    written = part.cube if part.colour == WHITE else exchanged_cube(part.cube)
    strings = list(Pattern(part.pattern).strings(written))
    if len(strings) == strings_of(part.cube):
        return None
    return strings if part.colour == WHITE else list(map(exchanged_san, strings))


def strings_of(cube: Cube) -> int:
    """Count the strings that the grammar derives for a cube."""
    if cube.castling:
        return len(SUFFIXES)
    return len(FILE_LETTERS) * len(RANK_DIGITS) * len(PROMOTIONS) * len(SUFFIXES)


def _promise(part: QuestionPart) -> tuple[bool, bool, int, str]:
    """Return the order of search: White's moves, likely kinds, quiet moves first."""
    cube = part.cube or Cube("", "", "")
    likely = {_LIKELY.get((c.name, c.value), cube.piece) for c in part.criteria if not c.negated}
    return (
        part.colour != WHITE,
        likely - {cube.piece} != set(),
        _ORDER.index(cube.piece),
        cube.capture,
    )


def encode_part(part: QuestionPart, rules: Rules, material: Material | None = None) -> FullScene:
    """Return the formula of a part of a question: its models are the answers, by these rules.

    Castling rights, and the pawn that has just passed, are free where no criterion asks for them.
    """
    scene = FullScene(part.cube, material)
    for criterion in part.criteria:
        if criterion.name not in _SIDES:  # who moves is said by the part
            scene.cnf.add(literal(scene, criterion))
    strings = _strings(part)
    if strings is not None:
        _encode_strings(scene, strings)
    if rules is Rules.GAME:
        encode_possible(scene, passed=scene.was_asked("passed"))
    return scene


def _encode_strings(scene: FullScene, strings: Iterable[San]) -> None:
    """Encode that the move is written as one of these strings."""
    wanted = sorted(strings)
    choices = {name: {getattr(san, name) for san in wanted} for name in scene.encoding.fields}
    for name, values in scene.encoding.fields.items():
        for value, written in values.items():
            if value not in choices[name]:
                scene.cnf.add(-written)
    combinations = prod(map(len, choices.values()))
    if combinations > len(wanted):  # not every combination of the values is asked for
        one = [scene.cnf.both(*scene.encoding.literals(san)) for san in wanted]
        scene.cnf.add(*one)
