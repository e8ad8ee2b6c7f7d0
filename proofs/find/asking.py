"""A question in words, and what comes of it: answers, a refutation, or nothing certain. Untrusted.

>>> outcome = find("Q*d4#", "men=5", "not", "double-check")
>>> outcome.verdict
<QuestionVerdict.FOUND: 'found'>
"""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from functools import partial

from sanproof.proofs.find.limited import TimeUp, within
from sanproof.proofs.find.questions import Question
from sanproof.proofs.find.search import Hit, SearchEnd, search
from sanproof.proofs.find.terms import read_question


class QuestionVerdict(Enum):
    """The state of knowledge about a question."""

    FOUND = "found"
    REFUTED = "refuted"
    UNDECIDED = "undecided"


@dataclass
class Conclusion:
    """A question, and what has come of it.

    Attributes:
        question: The question.
        answers: The answers, each confirmed by python-chess.
        certificates: The checked certificates (:mod:`proofs.find.refuted`) if it was refuted; none
            if no cube has such a move.
        complete: Whether the solver says that there are no answers besides.
        is_out_of_time: Whether the search was stopped, because its time was up.
    """

    question: Question
    answers: tuple[Hit, ...] = ()
    certificates: tuple[str, ...] = ()
    complete: bool = False
    is_out_of_time: bool = False

    @property
    def verdict(self) -> QuestionVerdict:
        """Say whether answers were found, or it was refuted that there are any, or neither."""
        if self.answers:
            return QuestionVerdict.FOUND
        return QuestionVerdict.REFUTED if self.complete else QuestionVerdict.UNDECIDED

    def search(
        self, count: int, *, seed: int | None, game: bool, timeout_seconds: float | None
    ) -> Iterator[Hit]:
        """Search, and raise what goes wrong, as `find` does; yield each answer when it is found."""
        call = search if timeout_seconds is None else partial(within, timeout_seconds, search)
        try:
            for event in call(self.question, count, seed, game):
                if isinstance(event, SearchEnd):
                    self.complete, self.certificates = True, event.certificates
                else:
                    self.answers += (event,)
                    yield event
        except TimeUp:
            self.is_out_of_time = True


def find(
    *words: str,
    count: int = 1,
    seed: int | None = None,
    game: bool = False,
    timeout_seconds: float | None = None,
) -> Conclusion:
    """Find positions that answer a question.

    Args:
        words: A SAN string or a pattern, if there is one, and criteria, as
            ``sanproof find --criteria`` lists them.
        count: How many answers are wanted; no two have the same pieces on the same squares with
            the same side to move.
        seed: Draws answers at random; None takes what is found first.
        game: Whether to look for a game to each answer: known games are tried before all else.
        timeout_seconds: When to give up; None for never. The search then runs in a process of its
            own.

    Raises:
        CriterionError: A word is not a criterion.
        Disagreement: Two programs contradict one another.
        EvidenceError: A refutation does not hold.
        SearchDied: The process of the search ended too early.
    """
    found = Conclusion(read_question(words))
    deque(found.search(count, seed=seed, game=game, timeout_seconds=timeout_seconds), maxlen=0)
    return found
