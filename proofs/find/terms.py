"""The table of all criteria, and what a criterion says of a cube, a scene and a position.

Untrusted: an answer counts when python-chess has confirmed it.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from sanproof.proofs.encoding.cnf import FALSE, Literal
from sanproof.proofs.find.judge import PlayedMove
from sanproof.proofs.find.questions import Criterion
from sanproof.proofs.find.scene import Scene
from sanproof.proofs.find.terms_of_move import TERMS_OF_MOVE
from sanproof.proofs.find.terms_of_position import TERMS_OF_POSITION, Term
from sanproof.proofs.rules.cubes import Cube
from sanproof.proofs.search.gates import Gates

TERMS: Final[dict[str, Term]] = {**TERMS_OF_POSITION, **TERMS_OF_MOVE}
KEYS: Final = {"square": "SQUARE", "letter": "LETTER"}
"""Terms that a person asks for by a key, such as ``e4`` or ``Q``, and how that is called."""


def listed() -> str:
    """Return all criteria, such as ``mate`` and ``men=COUNT``, each on a line with its meaning."""
    rows = ((KEYS.get(name, name) + term.values.form, term) for name, term in TERMS.items())
    return "".join(f"{form}: {term.meaning}\n" for form, term in rows)


def literal(scene: Scene, criterion: Criterion) -> Literal:
    """Return whether a criterion holds in a scene, its ``not`` included.

    Raises:
        AttributeError: It speaks of the move, and the scene has none.
    """
    holds = TERMS[criterion.name].clause(scene, criterion)
    return -holds if criterion.negated else holds


def holds(criterion: Criterion, case: PlayedMove) -> bool:
    """Check whether a position and a move have what is asked for, as python-chess says."""
    return TERMS[criterion.name].check(case, criterion) != criterion.negated


def unmet(criteria: Iterable[Criterion], case: PlayedMove) -> Iterator[Criterion]:
    """Yield the criteria that do not hold."""
    return (criterion for criterion in criteria if not holds(criterion, case))


class _CubeAlone(Scene):
    """A scene of which only the cube is known: to ask for more is an AttributeError."""

    def __init__(self, cube: Cube) -> None:
        self.cube, self.cnf = cube, Gates()


def is_open_to(cube: Cube, criterion: Criterion) -> bool:
    """Check whether moves of a cube (White's) can meet a criterion, as far as the cube decides."""
    try:
        return literal(_CubeAlone(cube), criterion) != FALSE
    except AttributeError:  # the formula decides
        return True
