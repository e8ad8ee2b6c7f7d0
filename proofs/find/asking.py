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
from sanproof.proofs.find.hunt import (
    Event,
    Hit,
    KnownGame,
    NoMore,
    PartsSearched,
    Refutation,
    search,
)
from sanproof.proofs.find.limited import TimeUp, within
from sanproof.proofs.find.questions import Question, read_question


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


def find(
    *words: str,
    count: int = 1,
    seed: int | None = None,
    game: bool = False,
    known: Sequence[KnownGame] = (),
    timeout_seconds: float | None = None,
) -> Conclusion:
    """Positions that answer a question.

    Args:
        words: A SAN string or a pattern, if there is one, and criteria, as
            ``sanproof find --criteria`` lists them.
        count: How many answers are wanted; no two have the same men on the same squares with the
            same side to move.
        seed: Draws answers at random; None takes what is found first.
        game: Whether to look for a game to each answer.
        known: Games that are tried before all else, each for its last move.
        timeout_seconds: When to give up; None for never. The search then runs in a process of its
            own.

    Raises:
        CriterionError: A word is no criterion.
        Disagreement: Two programs contradict one another.
        EvidenceError: A refutation does not hold.
    """
    question = read_question(words)
    said = tuple(contradictions(question))
    if said:
        return Conclusion(question, QuestionVerdict.REFUTED, contradictions=said, complete=True)
    answers = []
    try:
        for event in events(
            question, count, seed, game=game, known=known, timeout_seconds=timeout_seconds
        ):
            match event:
                case Hit():
                    answers.append(event)
                case Refutation(certificates):
                    return Conclusion(
                        question, QuestionVerdict.REFUTED, certificates=certificates, complete=True
                    )
                case NoMore():
                    return Conclusion(
                        question, QuestionVerdict.FOUND, tuple(answers), complete=True
                    )
                case PartsSearched():
                    pass
    except TimeUp:
        pass
    verdict = QuestionVerdict.FOUND if answers else QuestionVerdict.UNDECIDED
    return Conclusion(question, verdict, tuple(answers))


def events(
    question: Question,
    count: int,
    seed: int | None,
    *,
    game: bool,
    known: Sequence[KnownGame] = (),
    timeout_seconds: float | None,
) -> Iterator[Event]:
    """What a search yields, within a time if there is one.

    Raises:
        TimeUp: The time was up.
    """
    if timeout_seconds is None:
        return search(question, count, seed=seed, game=game, known=known)
    return within(timeout_seconds, search, question, count, seed=seed, game=game, known=known)
