"""A question in words, and what comes of it: answers, a refutation, or nothing certain. Untrusted.

>>> outcome = find("Q*d4#", "men=5", "not", "double-check")
>>> outcome.verdict
<QuestionVerdict.FOUND: 'found'>
>>> find("white=KK").contradictions
('white=KK: White has exactly one king (FIDE 2.2).',)
"""

from collections.abc import Iterator, Sequence
from enum import Enum
from typing import NamedTuple

from sanproof.proofs.find.contradictions import contradictions
from sanproof.proofs.find.hunt import Hit, NoMore, PartsSearched, Refutation, search
from sanproof.proofs.find.limited import TimeUp, within
from sanproof.proofs.find.questions import Question, read_question
from sanproof.proofs.games.known import KnownGame


class QuestionVerdict(Enum):
    """What is known of a question."""

    FOUND = "found"
    REFUTED = "refuted"
    UNDECIDED = "undecided"


class Conclusion(NamedTuple):
    """What came of a question.

    Attributes:
        question: The question.
        verdict: Whether answers were found, or it was refuted that there are any, or neither.
        answers: The answers, each confirmed by python-chess.
        contradictions: If the question contradicts itself, in words how; then nothing is searched.
        certificates: If it was refuted by formulas, the certificates, each checked
            (:mod:`proofs.find.refuted`).
        complete: Whether the solver says that there are no answers besides.
    """

    question: Question
    verdict: QuestionVerdict
    answers: tuple[Hit, ...] = ()
    contradictions: tuple[str, ...] = ()
    certificates: tuple[str, ...] = ()
    complete: bool = False


class Inquiry:
    """A search that is under way, and what has come of it. The arguments are those of `find`.

    Attributes:
        answers: The answers so far.
        certificates: The certificates, if the question was refuted.
        complete: Whether the solver says that there are no more answers.
        step: How far the search has come; None if it has not begun.
        is_out_of_time: Whether it was stopped, because its time was up.
    """

    def __init__(
        self,
        question: Question,
        count: int = 1,
        *,
        seed: int | None = None,
        game: bool = False,
        known: Sequence[KnownGame] = (),
        timeout_seconds: float | None = None,
    ) -> None:
        self._arguments = (question, count, seed, game, known)
        self._timeout_seconds = timeout_seconds
        self.answers: list[Hit] = []
        self.certificates: tuple[str, ...] | None = None
        self.complete = False
        self.step: PartsSearched | None = None
        self.is_out_of_time = False

    def __iter__(self) -> Iterator[Hit | PartsSearched]:
        """Search, and yield each answer and each step.

        Raises:
            Disagreement: Two programs contradict one another.
            EvidenceError: A refutation does not hold.
            SearchDied: The process of the search ended too early.
        """
        limit = self._timeout_seconds
        call = search if limit is None else lambda *given: within(limit, search, *given)
        try:
            for event in call(*self._arguments):
                match event:
                    case Refutation(certificates):
                        self.certificates, self.complete = certificates, True
                    case NoMore():
                        self.complete = True
                    case Hit():
                        self.answers.append(event)
                        yield event
                    case PartsSearched():
                        self.step = event
                        yield event
        except TimeUp:
            self.is_out_of_time = True

    @property
    def verdict(self) -> QuestionVerdict:
        """What is known so far."""
        if self.answers:
            return QuestionVerdict.FOUND
        refuted = self.certificates is not None
        return QuestionVerdict.REFUTED if refuted else QuestionVerdict.UNDECIDED


def find(
    *words: str,
    count: int = 1,
    seed: int | None = None,
    game: bool = False,
    known: Sequence[KnownGame] = (),
    timeout_seconds: float | None = None,
) -> Conclusion:
    """Find positions that answer a question.

    Args:
        words: A SAN string or a pattern, if there is one, and criteria, as
            ``sanproof find --criteria`` lists them.
        count: How many answers are wanted; no two have the same pieces on the same squares with
            the same side to move.
        seed: Draws answers at random; None takes what is found first.
        game: Whether to look for a game to each answer.
        known: Games that are tried before all else, each for its last move.
        timeout_seconds: When to give up; None for never. The search then runs in a process of its
            own.

    Raises:
        CriterionError: A word is not a criterion.
        Disagreement: Two programs contradict one another.
        EvidenceError: A refutation does not hold.
    """
    question = read_question(words)
    said = tuple(contradictions(question))
    if said:
        return Conclusion(question, QuestionVerdict.REFUTED, contradictions=said, complete=True)
    inquiry = Inquiry(
        question, count, seed=seed, game=game, known=known, timeout_seconds=timeout_seconds
    )
    for _ in inquiry:
        pass
    return Conclusion(
        question,
        inquiry.verdict,
        tuple(inquiry.answers),
        certificates=inquiry.certificates or (),
        complete=inquiry.complete,
    )
