"""The vocabulary of the suite: what makes SAN hard, one name each, and how each is recognised.

A mechanism of a move is recognised by criteria of ``sanproof find`` (docs/find.md), which
python-chess judges. A text that must be rejected is recognised by the verdict and the reason of
``sanproof read`` (docs/notation.md), a text that may be accepted by its deviations. So no case has
a name that does not fit it.

They stand in ``verify/conformance/mechanisms.txt``: name, sort, how it is recognised, and why. The
sorts are ``move``, ``refused``, ``usual`` (refused, but many programs read it) and ``spelling``.
"""

from dataclasses import dataclass
from typing import Final

from sanproof.reports.tables.rows import RowError, table
from sanproof.verify.notation.vocabulary import Deviation, Illegality

_NO_REASON: Final = "-"


@dataclass(frozen=True, slots=True)
class MoveMechanism:
    """A mechanism of moves: they must be read and written.

    Position and move meet criteria of ``sanproof find``; ``why`` is a sentence with the rule.
    """

    criteria: tuple[str, ...]
    why: str


@dataclass(frozen=True, slots=True)
class RefusedMechanism:
    """A mechanism of texts that denote no move, or more than one: they must be rejected.

    Attributes:
        reason: Why the text is illegal; None if it is ambiguous or not SAN.
        why: A sentence with the rule.
        criteria: Criteria of the position, besides.
        is_usual: Whether many programs read it all the same, so that it is up to the library.
    """

    reason: Illegality | None
    why: str
    criteria: tuple[str, ...] = ()
    is_usual: bool = False


@dataclass(frozen=True, slots=True)
class SpellingMechanism:
    """A mechanism of texts that denote one move and have these deviations: they may be read.

    In ``why``, ``{canonical}`` stands for how the move is written.
    """

    deviations: tuple[Deviation, ...]
    why: str


Mechanism = MoveMechanism | RefusedMechanism | SpellingMechanism


def _mechanism(sort: str, words: list[str], why: str) -> Mechanism:
    match sort:
        case "move":
            return MoveMechanism(tuple(words), why)
        case "refused" | "usual":
            reason = None if words[0] == _NO_REASON else Illegality(words[0])
            return RefusedMechanism(reason, why, tuple(words[1:]), sort == "usual")
        case "spelling":
            return SpellingMechanism(tuple(map(Deviation, words)), why)
        case _:
            raise RowError(f"{sort} is not a kind of mechanism")


MECHANISMS: Final[dict[str, Mechanism]] = {
    name: _mechanism(sort, recognised_by.split(), why)
    for name, sort, recognised_by, why in table("sanproof.verify.conformance", "mechanisms.txt", 4)
}
"""All mechanisms of moves and texts, by name."""
