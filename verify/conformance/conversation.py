"""What is asked of a library, in which order, and what becomes of each case; no process, no time.

Cases are asked in windows: several are on their way at once, and the adapter answers them in
order. When something goes wrong, the adapter is started again, and the cases whose answers are
missing are asked again, but for the one at fault:

- After a line that is no answer, or an answer out of order, that is the oldest case that waits.
- After a second answer to a case, it is that case.
- After silence, it is the oldest case that waits.
- After the end of the adapter, it could be any of those on their way, as answers may be lost with
  it. They are asked again one by one, and a case with which the adapter then ends is at fault.
"""

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from sanproof.reports.escaping import cut
from sanproof.verify.conformance.judge import (
    Answer,
    Outcome,
    Rejected,
    Result,
    Skipped,
    customs,
    is_well_formed,
    judge,
)
from sanproof.verify.conformance.protocol import (
    LONGEST_MESSAGE,
    Garbled,
    Greeting,
    case_line,
    parse_answer,
    parse_greeting,
)
from sanproof.verify.conformance.suite import Case, Demand

WINDOW: Final = 64
"""So many cases are on their way at once."""
MOST_STARTS: Final = 500
MOST_IN_A_ROW: Final = 25
"""So often an adapter is started again without an answer in between."""
MOST_HANGS: Final = 25
MOST_SILENT_STARTS: Final = 3
"""So often an adapter may fail to greet again, after it has greeted once."""

_LONGEST_MOVE: Final = 40
_MOST_MOVES: Final = 1000
_FAILURES: Final = {Outcome.FAILED, Outcome.CRASHED, Outcome.HUNG, Outcome.GARBLED}


class CaseRecord(NamedTuple):
    """What became of a case: the outcome, and what came with it.

    The answer is the library's result, None if there is none or the case is passed with it. The
    message has the library's words in a rejection or a skip, or what went wrong.
    """

    outcome: Outcome
    answer: Any = None
    message: str = ""


@dataclass(frozen=True, slots=True)
class Trouble:
    """What ends a process that answers cases.

    Attributes:
        outcome: ``CRASHED``, ``HUNG`` or ``GARBLED``.
        message: What it did, a part of a sentence that begins with the verb.
        position: The case at fault, if an answer named it.
    """

    outcome: Outcome
    message: str
    position: int | None = None


def is_failure(case: Case, record: CaseRecord) -> bool:
    """Whether a library fails the suite with this; a case that is up to the library never does."""
    return case.demand is not Demand.MAY and record.outcome in _FAILURES


class Conversation:
    """The cases for one library, and what became of them.

    Attributes:
        cases: What is asked. If the adapter takes no FEN (``from_game``), it is sent the moves of
            the case's game.
        records: What became of the cases, by their positions in ``cases``.
        greeting: Who answers; None before the first greeting.
        ended: Why nothing more is asked although cases are left, as a part of a sentence that
            begins with the verb; None if there is no reason.
        restarts: How often the adapter was started again.
        notes: What went wrong without a case at fault.
    """

    def __init__(
        self, cases: Sequence[Case], games: Sequence[str] = (), *, from_game: bool = False
    ) -> None:
        self.cases = cases
        self._games = games
        self._from_game = from_game
        self.records: dict[int, CaseRecord] = {}
        self.greeting: Greeting | None = None
        self.ended: str | None = None
        self.restarts = 0
        self.notes: list[str] = []
        self._customs: list[str] | None = None
        self._left = deque(range(len(cases)))
        self._one_by_one = 0
        """How many of the next cases are asked one by one."""
        self._sent: deque[tuple[int, int]] = deque()
        """The numbers and the positions of the cases that are on their way."""
        self._answered: dict[int, int] = {}
        """The positions by the numbers of what this process has answered."""
        self._number = 0
        self._greeted = False
        self._in_a_row = self._silent_starts = self._hangs = 0

    @property
    def en_passant(self) -> tuple[str, ...]:
        """The customs for the en passant square that fit all answers which show one."""
        return tuple(self._customs or ())

    @property
    def is_greeted(self) -> bool:
        """Whether the process that runs has greeted."""
        return self._greeted

    @property
    def is_done(self) -> bool:
        """Whether all is answered, or nothing more is to be asked."""
        asked = self.greeting is not None and not self._left and not self._sent
        return self.ended is not None or asked

    def questions(self) -> Iterator[bytes]:
        """The lines that are to be sent now."""
        window = 1 if self._one_by_one else WINDOW
        while self._greeted and self._left and len(self._sent) < window:
            position = self._left.popleft()
            self._number += 1
            self._sent.append((self._number, position))
            case = self.cases[position]
            yield case_line(self._number, case, self._moves(case) if self._from_game else None)

    def _moves(self, case: Case) -> Sequence[str]:
        """The moves that lead to the position of a case."""
        return [] if case.game is None else self._games[case.game].split()[: case.plies]

    def take(self, line: bytes) -> Trouble | None:
        """Take a line of the adapter; what is wrong with it, if anything is."""
        try:
            if self._greeted:
                return self._take_answer(*parse_answer(line))
            self._take_greeting(parse_greeting(line))
        except Garbled as error:
            return Trouble(Outcome.GARBLED, str(error))
        return None

    def lose(self, trouble: Trouble) -> None:
        """The process is gone; decide which case is at fault and what is asked again.

        Afterwards the adapter is to be started again, unless :attr:`is_done`.
        """
        greeted, self._greeted = self._greeted, False
        sent, self._sent = [position for _, position in self._sent], deque()
        last = max(self._answered, default=None)
        latest = None if last is None else self._answered[last]
        self._answered.clear()
        if greeted:
            self._lose_cases(trouble, sent, latest)
        else:
            self._lose_start(trouble)
        self.restarts += not self.is_done

    def _lose_cases(self, trouble: Trouble, sent: Sequence[int], latest: int | None) -> None:
        """The process is gone after its greeting, and with it the answers that are missing."""
        fault = self._fault(trouble, sent, latest)
        if fault is None:
            self._one_by_one = len(sent)
            self.notes.append(f"With {len(sent)} cases on their way it {trouble.message}.")
        else:
            self._one_by_one = max(0, self._one_by_one - 1)
            self.records[fault] = CaseRecord(trouble.outcome, None, f"It {trouble.message}.")
        self._left.extendleft(position for position in reversed(sent) if position != fault)
        self._count(trouble)

    def finish(self, trouble: Trouble) -> None:
        """Something went wrong after the last answer: blame the case that was answered last."""
        position = trouble.position
        if position is None and self._answered:
            position = self._answered[max(self._answered)]
        if position is None or trouble.outcome is not Outcome.GARBLED:
            self.notes.append(f"After the last answer it {trouble.message}.")
        else:
            self.records[position] = CaseRecord(trouble.outcome, None, f"It {trouble.message}.")

    def _take_greeting(self, greeting: Greeting) -> None:
        if self.greeting is None:
            self.greeting = greeting
            self._from_game |= greeting.from_game
            self._skip_what_is_not_offered(greeting)
        elif greeting != self.greeting:
            self.ended = f"greets as {greeting.title!a} after a restart"
        self._greeted = True
        self._silent_starts = 0

    def _skip_what_is_not_offered(self, greeting: Greeting) -> None:
        offered = set(greeting.operations)
        for position, case in enumerate(self.cases):
            if case.operation not in offered:
                why = f"It does not offer the operation {case.operation.value}."
                self.records[position] = CaseRecord(Outcome.SKIPPED, None, why)
            elif self._from_game and case.fen is not None and case.game is None:
                why = "It takes moves and no FEN, and no game leads to this position."
                self.records[position] = CaseRecord(Outcome.SKIPPED, None, why)
        self._left = deque(position for position in self._left if position not in self.records)

    def _take_answer(self, number: int, answer: Answer) -> Trouble | None:
        if number in self._answered:
            message = "answered a case twice"
            return Trouble(Outcome.GARBLED, message, self._answered[number])
        if not self._sent:
            return Trouble(Outcome.GARBLED, "wrote an answer to a case that it was not asked")
        due, position = self._sent[0]
        if number != due:
            on_its_way = any(number == other for other, _ in self._sent)
            what = "a later case" if on_its_way else "a case that it was not asked"
            return Trouble(Outcome.GARBLED, f"answered {what} before this one")
        self._sent.popleft()
        self._answered[number] = position
        self._one_by_one = max(0, self._one_by_one - 1)
        self._in_a_row = 0
        self.records[position] = self._judged(self.cases[position], answer)
        return None

    def _judged(self, case: Case, answer: Answer) -> CaseRecord:
        outcome = judge(case, answer)
        match answer:
            case Rejected(message) | Skipped(message):
                return CaseRecord(outcome, None, message)
            case Result(value):
                if not is_well_formed(case.operation, value):
                    what = f"Its result has not the form of the operation {case.operation.value}."
                    return CaseRecord(outcome, None, what)
                self._note_customs(case, answer)
                return CaseRecord(outcome, None if outcome is Outcome.PASSED else _kept(value))

    def _note_customs(self, case: Case, answer: Answer) -> None:
        fits = customs(case, answer)
        if fits:
            known = fits if self._customs is None else self._customs
            self._customs = [custom for custom in known if custom in fits]

    def _fault(self, trouble: Trouble, sent: Sequence[int], latest: int | None) -> int | None:
        """The case at fault, None if it could be several."""
        if trouble.position is not None:
            return trouble.position
        if trouble.outcome is Outcome.CRASHED and len(sent) != 1:
            return None
        return sent[0] if sent else latest

    def _lose_start(self, trouble: Trouble) -> None:
        """The process ended, hung or wrote something else before its greeting."""
        self._silent_starts += 1
        if self.greeting is None:
            self.ended = f"did not greet: it {trouble.message}"
        elif self._silent_starts == MOST_SILENT_STARTS:
            self.ended = (
                f"did not greet in {MOST_SILENT_STARTS} restarts; the last time it "
                f"{trouble.message}"
            )

    def _count(self, trouble: Trouble) -> None:
        self._in_a_row += 1
        self._hangs += trouble.outcome is Outcome.HUNG
        if not self._left:
            return
        if self._in_a_row == MOST_IN_A_ROW:
            self.ended = f"broke down {MOST_IN_A_ROW} times in a row without an answer"
        elif self._hangs == MOST_HANGS:
            self.ended = f"did not answer in time {MOST_HANGS} times"
        elif self.restarts + 1 == MOST_STARTS:
            self.ended = f"was started {MOST_STARTS} times"
        if self.ended is not None:
            self.ended += f"; the last time it {trouble.message}"


def _kept(value: Any) -> Any:  # noqa: ANN401 - JSON
    """A well-formed result as it is kept: no longer than is of use."""
    if isinstance(value, str):
        return cut(value, LONGEST_MESSAGE)
    if isinstance(value, list):
        return [cut(move, _LONGEST_MOVE) for move in value[:_MOST_MOVES]]
    return {"moves": _kept(value["moves"]), "fen": _kept(value["fen"])}
