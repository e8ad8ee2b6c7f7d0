"""Asks chess libraries through adapters, side by side, with the one-file runner."""

import re
import shlex
import sys
import threading
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from fnmatch import filter as matching
from pathlib import Path
from shutil import which
from time import monotonic
from typing import Any, Final

from sanproof.reports.escaping import cut, shown
from sanproof.verify.conformance import sanproof_runner as runner
from sanproof.verify.conformance.outcome import Entry, LibraryReport, Outcome
from sanproof.verify.conformance.suite import Case, Demand, Operation, case_as_json
from sanproof.verify.errors import Failure
from sanproof.verify.work import signals

PYTHON_CHESS: Final = Path(__file__).with_name("python_chess.py")
"""Our adapter for python-chess, which is installed beside sanproof."""
_SIMPLE: Final = re.compile(r"[\w./][\w./-]*( +([\w./:,=+@%-]|'[^']*')+)* *")
"""A command for which the shell need not stay: it would hold its pipes open, and hide how it ends.
A program, and words that mean themselves or are in quotes."""
MAX_MOVE: Final = 40
MAX_MOVES: Final = 1000
"""So much is kept of a list of moves."""


def ask(
    commands: Sequence[str],
    cases: Sequence[Case],
    timeout_seconds: float,
    advance: Callable[[int], None] = lambda _: None,
    games: Sequence[str] = (),
    *,
    from_game: bool = False,
    known: Sequence[str] = (),
) -> list[LibraryReport]:
    """Ask each adapter all the cases, and report what came of them.

    Args:
        commands: Shell commands that start the adapters, or ``python-chess``.
        cases: What is asked.
        timeout_seconds: How long an adapter may take to greet, and to answer a case.
        advance: Is called with the number of cases that were answered since the last call.
        games: The games of the suite, for adapters that take moves and no FEN.
        from_game: Whether all adapters are asked so, and not only those that greet so.
        known: Shell patterns of failures that are expected.
    """
    questions = [case_as_json(case) for case in cases]
    lock = threading.Lock()

    def records(adapter: runner.Adapter) -> tuple[list[runner.Record], float]:
        found, started = [], monotonic()
        for record in adapter.ask(questions, games, from_game):
            found.append(record)
            with lock:
                advance(1)
        return found, monotonic() - started

    adapters = [
        runner.Adapter(
            ["/bin/sh", "-c", shell_command(command)],
            timeout_seconds,
            signals.add_group,
        )
        for command in commands
    ]
    with ThreadPoolExecutor(max_workers=len(commands)) as pool:
        try:
            found = list(pool.map(records, adapters))
        finally:
            for adapter in adapters:
                adapter.close()
    triples = zip(commands, adapters, found, strict=True)
    return [_report(command, adapter, cases, *of_it, known) for command, adapter, of_it in triples]


def judge(case: Case, said: Mapping[str, Any]) -> Outcome:
    """Judge an answer to a case: an object with one of result, rejected and skip."""
    return Outcome(runner.judged(case_as_json(case), said))


def shell_command(text: str) -> str:
    """Return the shell command that starts an adapter; ``python-chess`` names our own.

    Raises:
        Failure: It is a name that is no command, and another one was plainly meant.
    """
    if text == "python_chess":
        raise Failure("No adapter is called python_chess: write python-chess.")
    if len(text.split()) == 1 and text.endswith(".py") and not which(text):
        raise Failure(f"{shown(text)} cannot be executed: write 'python {shown(text)}'.")
    if text == "python-chess":
        text = shlex.join([sys.executable, str(PYTHON_CHESS)])
    return f"exec {text}" if _SIMPLE.fullmatch(text) else text


def _report(
    command: str,
    adapter: runner.Adapter,
    cases: Sequence[Case],
    records: Sequence[runner.Record],
    seconds: float,
    patterns: Sequence[str],
) -> LibraryReport:
    entries = [_entry(case, record) for case, record in zip(cases, records, strict=False)]
    failed = {entry.case.id for entry in entries if entry.is_failure}
    asked = {
        entry.case.id
        for entry in entries
        if entry.case.demand is not Demand.MAY and entry.outcome is not Outcome.SKIPPED
    }
    known = expected(patterns, failed, asked)
    return LibraryReport(
        command=command,
        greeting=_greeting(adapter.greeting) if adapter.greeting else {},
        entries=[entry._replace(is_known=entry.case.id in known) for entry in entries],
        seconds=seconds,
        en_passant=_customs(zip(cases, records, strict=False)),
        restarts=adapter.restarts,
        notes=adapter.notes,
        ended=adapter.ended or None,
    )


def _greeting(said: dict[str, Any]) -> dict[str, Any]:
    names = ("name", "version", "language", "settings")
    texts = {name: cut(said.get(name, ""), runner.MAX_MESSAGE) for name in names}
    return texts | {"operations": [name for name in runner.ASKED if name in said["operations"]]}


def _entry(case: Case, record: runner.Record) -> Entry:
    """Return what is kept of a record: no answer if it passes, and no longer than is of use."""
    outcome = Outcome(record.outcome)
    answer = None if outcome is Outcome.PASSED else _cut(record.answer)
    return Entry(case, outcome, answer, cut(record.message, runner.MAX_MESSAGE))


def _cut(value: Any) -> Any:  # noqa: ANN401 - JSON
    if value is None:
        return None
    if isinstance(value, str):
        return cut(value, runner.MAX_MESSAGE)
    if isinstance(value, list):
        return [cut(move, MAX_MOVE) for move in value[:MAX_MOVES]]
    return {"moves": _cut(value["moves"]), "fen": _cut(value["fen"])}


def _customs(pairs: Iterable[tuple[Case, runner.Record]]) -> tuple[str, ...]:
    """Return the customs for the en passant square that fit all answers which show one."""
    shown = [fits for case, record in pairs if (fits := customs(case, record.answer))]
    first = shown[0] if shown else ()
    return tuple(custom for custom in first if all(custom in fits for fits in shown))


def customs(case: Case, value: Any) -> tuple[str, ...]:  # noqa: ANN401 - JSON
    """Return the customs for the en passant square that an answer's FEN fits, in the case's order.

    A case in which all customs write the same FEN says nothing about the library.
    """
    if not runner.is_well_formed(case.operation.value, value) or case.expected is None:
        return ()
    if case.operation is Operation.PLAY:
        fens, fen = case.expected, value
    elif case.operation is Operation.GAME:
        fens, fen = case.expected["fen"], value["fen"]
    else:
        return ()
    if len(set(fens.values())) == 1:
        return ()
    return tuple(custom for custom in fens if fens[custom] == fen)


def expected(patterns: Iterable[str], failed: Collection[str], asked: Collection[str]) -> set[str]:
    """Return the ids whose failure is known, of those that failed and of all that were asked.

    Of a pattern these are the ones that fail. If none does, it is out of date, and what it matches
    is known to fail and passes.
    """
    known: set[str] = set()
    for pattern in patterns:
        known.update(matching(failed, pattern) or matching(asked, pattern))
    return known
