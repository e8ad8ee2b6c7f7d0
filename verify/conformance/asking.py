"""Asks chess libraries through adapters, side by side, with the one-file runner."""

import re
import shlex
import sys
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from shutil import which
from time import monotonic
from typing import Any, Final, NamedTuple

from sanproof.reports.escaping import shown
from sanproof.verify.conformance import sanproof_runner as runner
from sanproof.verify.errors import Failure
from sanproof.verify.work import signals

PYTHON_CHESS: Final = Path(__file__).with_name("python_chess.py")
"""Our adapter for python-chess, which is installed beside sanproof."""
_SIMPLE: Final = re.compile(r"[\w./][\w./-]*( +([\w./:,=+@%-]|'[^']*')+)* *")
"""A command for which the shell need not stay: it would hold its pipes open, and hide how it ends.
A program, and words that mean themselves or are in quotes."""


class Asked(NamedTuple):
    """An adapter that was asked, with the command that started it, and what came of it."""

    command: str
    adapter: runner.Adapter
    report: runner.Report
    seconds: float


def ask(
    commands: Sequence[str],
    suite: Mapping[str, Any],
    cases: Sequence[runner.Case],
    timeout_seconds: float,
    advance: Callable[[int], None] = lambda _: None,
    *,
    from_game: bool = False,
    known: Sequence[str] = (),
) -> list[Asked]:
    """Ask each adapter all the cases, and report what came of them.

    Args:
        commands: Shell commands that start the adapters, or ``python-chess``.
        suite: The suite that the cases are of.
        cases: What is asked.
        timeout_seconds: How long an adapter may take to greet, and to answer a case.
        advance: Is called with the number of cases that were answered since the last call.
        from_game: Whether all adapters are asked with moves and no FEN, and not only those that
            greet so.
        known: Shell patterns of failures that are expected.
    """
    lock = threading.Lock()

    def records(adapter: runner.Adapter) -> tuple[list[runner.Record], float]:
        found, started = [], monotonic()
        for record in adapter.ask(cases, suite["games"], from_game):
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
    return [
        Asked(command, adapter, _report(command, adapter, suite, of_it, known), seconds)
        for command, adapter, (of_it, seconds) in zip(commands, adapters, found, strict=True)
    ]


def _report(
    command: str,
    adapter: runner.Adapter,
    suite: Mapping[str, Any],
    records: Sequence[runner.Record],
    known: Sequence[str],
) -> runner.Report:
    title = adapter.title if adapter.greeting else command
    notes = adapter.remarks()
    if followed := en_passant(records):
        notes.append(f"Its en passant squares follow the custom {' and '.join(followed)}.")
    return runner.Report(suite, title, records, known, adapter.ended, notes)


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


def en_passant(records: Iterable[runner.Record]) -> tuple[str, ...]:
    """Return the customs for the en passant square that fit all answers which show one."""
    found = [fits for record in records if (fits := customs(record.case, record.answer))]
    first = found[0] if found else ()
    return tuple(custom for custom in first if all(custom in fits for fits in found))


def customs(case: runner.Case, value: Any) -> tuple[str, ...]:  # noqa: ANN401 - JSON
    """Return the customs for the en passant square that an answer's FEN fits, in the case's order.

    A case in which all customs write the same FEN says nothing about the library.
    """
    expected, operation = case.get("expected"), case["operation"]
    if expected is None or not runner.is_well_formed(operation, value):
        return ()
    if operation == "play":
        fens, fen = expected, value
    elif operation == "game":
        fens, fen = expected["fen"], value["fen"]
    else:
        return ()
    if len(set(fens.values())) == 1:
        return ()
    return tuple(custom for custom in fens if fens[custom] == fen)
