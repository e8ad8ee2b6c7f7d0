"""The vocabulary of the suite: what makes SAN hard, one name each, and how each is recognised.

A mechanism of a move is recognised by criteria of ``sanproof find`` (docs/positions.md), which
python-chess judges. A text that must be rejected is recognised by the verdict and the reason of
``sanproof read`` (docs/notation.md), a text that may be accepted by its deviations. So no case has
a name that does not fit it.
"""

from dataclasses import dataclass
from typing import Final

from sanproof.reports.tables.rows import table
from sanproof.verify.notation.vocabulary import Deviation, Illegality

_NO_REASON: Final = "-"
_DEMANDS: Final = {
    "move": "must",
    "refused": "must not",
    "usual": "may",
    "spelling": "may",
}


@dataclass(frozen=True, slots=True)
class Mechanism:
    """A mechanism of moves or texts: a line of ``verify/conformance/mechanisms.txt``.

    Attributes:
        sort: ``move`` (read and written), ``refused`` (denotes no move, or several), ``usual``
            (the same, but many programs read it) or ``spelling`` (of one move).
        words: Criteria of the position and the move; for a spelling, its deviations. Before the
            criteria of a refused text stands why it is illegal.
        why: A sentence with the rule; ``{canonical}`` stands for how the move is written.
    """

    sort: str
    words: tuple[str, ...]
    why: str

    @property
    def demand(self) -> str:
        """The demand on a library: whether it must accept the text."""
        return _DEMANDS[self.sort]

    @property
    def is_refused(self) -> bool:
        """Check whether the text denotes no move, or several."""
        return self.sort in {"refused", "usual"}

    @property
    def reason(self) -> Illegality | None:
        """The reason why a refused text is illegal; None if it is ambiguous or no SAN."""
        return None if self.words[0] == _NO_REASON else Illegality(self.words[0])

    @property
    def deviations(self) -> tuple[Deviation, ...]:
        """The deviations of a spelling."""
        return tuple(map(Deviation, self.words))

    @property
    def criteria(self) -> tuple[str, ...]:
        """The criteria of position and move."""
        return {"move": self.words, "spelling": ()}.get(self.sort, self.words[1:])


MECHANISMS: Final = {
    name: Mechanism(sort, tuple(words.split()), why)
    for name, sort, words, why in table("sanproof.verify.conformance", "mechanisms.txt", 4)
}
"""All mechanisms of moves and texts, by name."""
