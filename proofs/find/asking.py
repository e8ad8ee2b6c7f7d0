"""A question in words, and what comes of it: answers, a refutation, or nothing certain. Untrusted.

>>> outcome = find("Q*d4#", "men=5", "not", "double-check")
>>> outcome.verdict
<QuestionVerdict.FOUND: 'found'>
>>> find("white=KK").contradictions
('white=KK: White has exactly one king (FIDE 2.2).',)
"""

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import KW_ONLY, dataclass, field
from enum import Enum
from functools import partial
from typing import NamedTuple

from sanproof.proofs.find.contradictions import contradictions
from sanproof.proofs.find.hunt import Hit, NoMore, PartsSearched, search
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


@dataclass
class Inquiry:
    """A search that is under way, and what has come of it. What is asked is as in `find`.

    Attributes:
        answers: The answers so far.
        certificates: The certificates, if the question was refuted.
        complete: Whether the solver says that there are no more answers.
        step: How far the search has come; None if it has not begun.
        is_out_of_time: Whether it was stopped, because its time was up.
    """

    question: Question
    count: int = 1
    _: KW_ONLY
    seed: int | None = None
    game: bool = False
    known: Sequence[KnownGame] = ()
    timeout_seconds: float | None = None
    answers: list[Hit] = field(default_factory=list, init=False)
    certificates: tuple[str, ...] | None = field(default=None, init=False)
    complete: bool = field(default=False, init=False)
    step: PartsSearched | None = field(default=None, init=False)
    is_out_of_time: bool = field(default=False, init=False)

    def __iter__(self) -> Iterator[Hit | PartsSearched]:
        """Search, and yield each answer and each step.

        Raises:
            Disagreement: Two programs contradict one another.
            EvidenceError: A refutation does not hold.
            SearchDied: The process of the search ended too early.
        """
        limit = self.timeout_seconds
        call = search if limit is None else partial(within, limit, search)
        try:
            for event in call(self.question, self.count, self.seed, self.game, self.known):
                if isinstance(event, NoMore):
                    self.complete = True
                    self.certificates = None if self.answers else event.certificates
                    continue
                if isinstance(event, Hit):
                    self.answers.append(event)
                else:
                    self.step = event
                yield event
        except TimeUp:
            self.is_out_of_time = True

    @property
    def conclusion(self) -> Conclusion:
        """What is known so far."""
        verdict = QuestionVerdict.REFUTED if self.complete else QuestionVerdict.UNDECIDED
        return Conclusion(
            self.question,
            QuestionVerdict.FOUND if self.answers else verdict,
            tuple(self.answers),
            certificates=self.certificates or (),
            complete=self.complete,
        )


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
    if said := tuple(contradictions(question)):
        return Conclusion(question, QuestionVerdict.REFUTED, contradictions=said, complete=True)
    inquiry = Inquiry(
        question, count, seed=seed, game=game, known=known, timeout_seconds=timeout_seconds
    )
    deque(inquiry, maxlen=0)
    return inquiry.conclusion
