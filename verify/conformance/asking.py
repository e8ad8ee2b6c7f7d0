"""Runs cases on chess libraries through adapters, side by side, with the one-file runner."""

import re
import shlex
import sys
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import monotonic
from typing import Any, Final, NamedTuple

from sanproof.verify.conformance import sanproof_runner as runner
from sanproof.verify.work import signals

PYTHON_CHESS: Final = Path(__file__).with_name("python_chess.py")
"""Our adapter for python-chess, which is installed with sanproof."""
CONVENTIONS: Final = {
    "always": "after every double push",
    "pseudo-legal": "if a pawn could capture",
    "legal": "if the capture is legal",
}
"""The conventions of when a FEN names the en passant square."""


_SIMPLE: Final = re.compile(r"[\w./][\w./-]*( +([\w./:,=+@%-]|'[^']*')+)* *")
"""A program, and words that mean themselves or are in quotes: for these the shell need not stay,
which would hold the adapter's pipes open, and hide how it ends."""


class Asked(NamedTuple):
    """The result of an adapter, with the command that started it."""

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
    """Run the cases on each adapter, and return the results.

    Args:
        commands: Shell commands that start the adapters, or ``python-chess`` for our own.
        suite: The suite of the cases.
        cases: The cases to run.
        timeout_seconds: The most time that an adapter may take for its first line, and for each
            case.
        advance: Called with the number of cases that were answered since the last call.
        from_game: Whether all adapters get moves in place of a FEN, and not only those whose first
            line demands it.
        known: Shell patterns of expected failures.
    """
    lock = threading.Lock()
    own = {"python-chess": shlex.join([sys.executable, str(PYTHON_CHESS)])}
    shells = [own.get(command, command) for command in commands]
    shells = [f"exec {text}" if _SIMPLE.fullmatch(text) else text for text in shells]
    adapters = [
        runner.Adapter(["/bin/sh", "-c", text], timeout_seconds, signals.add_group)
        for text in shells
    ]

    def asked(command: str, adapter: runner.Adapter) -> Asked:
        records, started = list[runner.Record](), monotonic()
        for record in adapter.ask(cases, suite["games"], from_game):
            records.append(record)
            with lock:
                advance(1)
        seconds, notes = monotonic() - started, adapter.remarks()
        if followed := en_passant(records):
            when = " or ".join(CONVENTIONS[name] for name in followed)
            notes.append(f"Its FENs name the en passant square {when}.")
        title = adapter.title if adapter.greeting else f"The adapter {command}"
        report = runner.Report(suite, title, records, known, adapter.ended, notes)
        return Asked(command, adapter, report, seconds)

    with ThreadPoolExecutor(max_workers=len(commands)) as pool:
        try:
            return list(pool.map(asked, commands, adapters))
        finally:
            for adapter in adapters:
                adapter.close()


def en_passant(records: Iterable[runner.Record]) -> tuple[str, ...]:
    """Return the conventions for the en passant square that fit all answers which depend on one."""
    found: list[tuple[str, ...]] = []
    for record in records:
        fens, fen = record.case.get("expected"), record.answer
        if fens is None or fen is None or record.case["operation"] not in ("play", "game"):
            continue
        if record.case["operation"] == "game":
            fens, fen = fens["fen"], fen["fen"]
        fits = tuple(name for name in fens if fens[name] == fen)
        if fits and len(set(fens.values())) > 1:  # else the case says nothing
            found.append(fits)
    return tuple(name for name in CONVENTIONS if found and all(name in fits for fits in found))
