"""Answers a question in words: with positions, a refutation, or nothing certain. Untrusted.

>>> outcome = find("Q*d4#", "men=5", "not", "double-check")
>>> outcome.verdict
<QuestionVerdict.FOUND: 'found'>
"""

import multiprocessing
import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum
from functools import partial
from multiprocessing.connection import Connection
from typing import Any, TypeVar

from sanproof.proofs.find.questions import Question
from sanproof.proofs.find.search import Hit, SearchEnd, search
from sanproof.proofs.find.terms import read_question

T = TypeVar("T")


class QuestionVerdict(Enum):
    """Whether a question has an answer, as far as is known."""

    FOUND = "found"
    REFUTED = "refuted"
    UNDECIDED = "undecided"


@dataclass
class Conclusion:
    """A question and the result of its search.

    Attributes:
        question: The question.
        answers: The answers, each confirmed by python-chess.
        certificates: The checked certificates of a refutation. Empty if no cube has such a move.
        complete: Whether there are no other answers, according to the solver.
        is_out_of_time: Whether the time was up before the search ended.
    """

    question: Question
    answers: tuple[Hit, ...] = ()
    certificates: tuple[str, ...] = ()
    complete: bool = False
    is_out_of_time: bool = False

    @property
    def verdict(self) -> QuestionVerdict:
        """Whether answers were found, or refuted, or neither."""
        if self.answers:
            return QuestionVerdict.FOUND
        return QuestionVerdict.REFUTED if self.complete else QuestionVerdict.UNDECIDED

    def search(
        self, count: int, *, seed: int | None, game: bool, timeout_seconds: float | None
    ) -> Iterator[Hit]:
        """Search answers and yield each when it is found. Raises the same errors as `find`."""
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
    """Find ``count`` positions, or a refutation, as :func:`sanproof.find` describes.

    With a time limit the search runs in a process of its own.

    Raises:
        CriterionError: A word is not a criterion.
        Disagreement: Two programs contradict each other.
        EvidenceError: A refutation does not hold.
        SearchDied: The process of the search ended too early.
    """
    found = Conclusion(read_question(words))
    deque(found.search(count, seed=seed, game=game, timeout_seconds=timeout_seconds), maxlen=0)
    return found


# A time limit: a solver cannot be interrupted from outside, but its process can be ended.


class TimeUp(Exception):
    """The time was up before the search ended, so nothing follows from it."""


class SearchDied(RuntimeError):
    """The process of the search ended too early, perhaps for lack of memory."""


def within(
    timeout_seconds: float, search: Callable[..., Iterator[T]], *arguments: object
) -> Iterator[T]:
    """Yield the results of a search in a process of its own until the time is up.

    ``search`` has to be a function at the top of a module.

    Raises:
        TimeUp: The time was up.
        SearchDied: The process ended too early.
        Exception: The search raised it.
    """
    deadline = time.monotonic() + timeout_seconds
    alone = threading.active_count() == 1 and "fork" in multiprocessing.get_all_start_methods()
    context: Any = multiprocessing.get_context("fork" if alone else "spawn")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_run, args=(sender, search, arguments), daemon=True)
    process.start()
    sender.close()
    try:
        while receiver.poll(max(0.0, deadline - time.monotonic())):
            item = receiver.recv()
            if item is None:
                return
            if isinstance(item, Exception):
                raise item
            yield item
        raise TimeUp
    except EOFError as error:
        raise SearchDied("the search ended before it was done") from error
    finally:
        process.kill()
        process.join()
        receiver.close()


def _run(
    sender: Connection, search: Callable[..., Iterator[object]], arguments: tuple[object, ...]
) -> None:
    """Send the results of the search, and then None, or the exception that it raised."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent ends this process
    try:
        for item in search(*arguments):
            sender.send(item)
        sender.send(None)
    except Exception as error:  # noqa: BLE001 - whatever it is, the parent raises it
        sender.send(error)
