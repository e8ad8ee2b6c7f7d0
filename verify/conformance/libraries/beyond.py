"""Asks every installed library cases of the full suite that the core does not have.

``python -m sanproof.verify.conformance.libraries.beyond FOLDER SECONDS OUT`` asks each installed
library for so many seconds in each of its settings, and writes a table of what each fails, by
mechanism. All are asked the same cases in the same order, which begins with those that are like the
core's and goes on with strings at random. Keys of libraries may follow; then only these are asked.

What came is kept in the folder: with more seconds a library goes on where it stopped, and the table
has all that was ever asked of the same library in the same suite. If OUT is there, the rows of a
library that was asked more cases for it stay.

A failure is *news* if the library's kept results of the core show no failure of a mechanism that
the case has. A string has all those mechanisms that :mod:`verify.conformance.cases.recognise` finds
in it.
"""

import csv
import hashlib
import json
import random
import sys
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Final, NamedTuple

import chess

from sanproof.reports.exports.archive import published_directory
from sanproof.reports.scoreboard.contents import FAILURES, MAY, Scoreboard
from sanproof.reports.tables.files import write_whole
from sanproof.verify.conformance.cases.build import further_suite
from sanproof.verify.conformance.cases.case import Case, Demand, Operation, read_suite
from sanproof.verify.conformance.cases.judge import Outcome
from sanproof.verify.conformance.cases.mechanisms import MECHANISMS
from sanproof.verify.conformance.cases.recognise import wrong_with
from sanproof.verify.conformance.cases.strings import published_lines, read_line, string_cases
from sanproof.verify.conformance.libraries.asking import ask
from sanproof.verify.conformance.libraries.conversation import is_failure
from sanproof.verify.conformance.libraries.environments import INSTALLED
from sanproof.verify.conformance.libraries.keep import DATA, csv_text, kept_scoreboard
from sanproof.verify.conformance.libraries.outcome import LibraryReport
from sanproof.verify.conformance.libraries.registry import Library, read_registry
from sanproof.verify.conformance.libraries.survey import TIMEOUT_SECONDS
from sanproof.verify.conformance.libraries.testing import report_of

FIRST: Final = 128
"""So many cases are asked first; twice as many each time while that takes little time."""
LITTLE_SECONDS: Final = 5.0
LINES: Final = 200
"""So many strings are made into cases at a time."""
HEAD: Final = (
    *("library", "version", "settings", "mechanism"),
    *("failed", "news", "asked", "whole", "for example"),
)
ALL: Final = "all"
"""Stands for the mechanism in the row that counts all cases."""
KEPT: Final = "beyond"
"""The folder, beside the environments, with what came so far."""


class Sequel:
    """The cases of the full suite beyond the core that can fail, in the order of asking.

    They are made when they are first needed, and kept for the next library. ``name`` is a hash of
    what they are made from.
    """

    def __init__(self, directory: Path) -> None:
        """Take the directory of the published data."""
        core = read_suite((directory / "conformance" / "core.json").read_bytes(), "core.json")
        known = {case.id for case in core.cases}
        further = further_suite()
        first = [case for case in further.cases if case.id not in known]
        lines = published_lines(directory)
        made_from = "\n".join([further.version, *map(repr, first), *lines])
        self.name = hashlib.sha256(made_from.encode()).hexdigest()
        self._random = random.Random(0)
        self._random.shuffle(first)
        self._made: list[Case] = []
        every = chain(first, self._strings(lines))
        self._rest = (case for case in every if case.demand is not Demand.MAY)

    def part(self, start: int, size: int) -> list[Case]:
        """So many cases from a place, fewer at the end."""
        while len(self._made) < start + size and (case := next(self._rest, None)) is not None:
            self._made.append(case)
        return self._made[start : start + size]

    def _strings(self, lines: list[str]) -> Iterator[Case]:
        self._random.shuffle(lines)
        for start in range(0, len(lines), LINES):
            chosen = sorted(lines[start : start + LINES])  # many begin alike
            cases = list(chain.from_iterable(string_cases((read_line(line), 0) for line in chosen)))
            self._random.shuffle(cases)
            yield from cases


class Failure(NamedTuple):
    """A case that a library fails; ``san`` is what was to be read or written, if something was."""

    id: str
    mechanism: str
    fen: str | None
    san: str | None


@dataclass
class Progress:
    """What came so far of asking a library in one of its settings.

    Attributes:
        of: A hash of who is asked what.
        name: What the library calls itself; empty before it has greeted.
        version: Its version.
        settings: Its settings.
        given: So many cases came up, from the first.
        seconds: So long that took.
        is_whole: Whether no case is left.
        asked: How many cases of each mechanism it was asked.
        failures: What failed.
    """

    of: str
    name: str = ""
    version: str = ""
    settings: str = ""
    given: int = 0
    seconds: float = 0.0
    is_whole: bool = False
    asked: Counter[str] = field(default_factory=Counter)
    failures: list[Failure] = field(default_factory=list)

    @classmethod
    def kept(cls, path: Path, of: str) -> "Progress":
        """What a file keeps; nothing yet if there is none, or it is of another library or suite."""
        found = json.loads(path.read_bytes()) if path.exists() else {}
        if found.get("of") != of:
            return cls(of)
        failures = [Failure(*failure) for failure in found.pop("failures")]
        return cls(asked=Counter(found.pop("asked")), failures=failures, **found)

    def keep(self, path: Path) -> None:
        """Write it into a file, whole or not at all."""
        path.parent.mkdir(exist_ok=True)
        write_whole(path, json.dumps(vars(self)).encode())

    def add(self, report: LibraryReport) -> None:
        """Count what came of the next cases."""
        if report.greeting is not None:
            who = report.greeting
            self.name, self.version, self.settings = who.name, who.version, who.settings
        self.given += len(report.entries)
        self.seconds += report.seconds
        for case, record, _ in report.entries:
            if record.outcome is Outcome.SKIPPED:
                continue
            self.asked[case.mechanism] += 1
            if is_failure(case, record):
                san = case.expected if case.operation is Operation.WRITE else case.asked
                self.failures.append(Failure(case.id, case.mechanism, case.fen, san))


def ask_on(command: str, sequel: Sequel, progress: Progress, seconds: float, path: Path) -> None:
    """Ask an adapter on until it was asked so many seconds in all; keep what came in a file."""
    size = FIRST
    while progress.seconds < seconds and not progress.is_whole:
        cases = sequel.part(progress.given, size)
        if not cases:
            progress.is_whole = True
            progress.keep(path)
            return
        (adapter,) = ask([command], cases, TIMEOUT_SECONDS, lambda _: None)
        report = report_of(adapter)
        progress.add(report)
        progress.keep(path)
        if report.ended is not None:
            sys.stderr.write(f"{report.title} {report.ended}\n")
            return
        if report.seconds < LITTLE_SECONDS:
            size *= 2


def known_mechanisms(core: Scoreboard, progress: Progress) -> set[str] | None:
    """The mechanisms of which a library fails a case of the core; None if it was not asked that."""
    about = progress.name, progress.version, progress.settings
    for run in core.runs:
        if (run.name, run.version, run.settings) == about:
            failed = [name for name, came in run.answers.items() if came.outcome in FAILURES]
            return {core.cases[n].mechanism for n in failed if core.cases[n].demand != MAY}
    return None


def is_news(failure: Failure, known: Collection[str]) -> bool:
    """Whether a case that fails has none of the mechanisms.

    All moves of a position, and a game, are news if none of the mechanisms is of this operation.
    """
    if failure.mechanism in known:
        return False
    if failure.fen is None or failure.san is None:
        operation = failure.mechanism.partition(".")[0]
        return all(name.partition(".")[0] != operation for name in known)
    board, san = chess.Board(failure.fen), failure.san
    asked = (name for name in known if name in MECHANISMS)
    return all(wrong_with(name, board, san, alone=False) for name in asked)


def rows(progress: Progress, known: Collection[str] | None) -> Iterator[Sequence[object]]:
    """A row of all cases, then one for each mechanism of which one fails.

    The example is the first failure, of those that are news if some are. What is news is left out
    if nobody knows.
    """
    failed, news = Counter[str](), Counter[str]()
    examples: dict[str, str] = {}
    for failure in progress.failures:
        name = failure.mechanism
        failed.update((ALL, name))
        if known is not None and is_news(failure, known):
            news.update((ALL, name))
            if news[name] == 1:
                examples[name] = failure.id
        examples.setdefault(name, failure.id)
    about = progress.name, progress.version, progress.settings
    whole = "yes" if progress.is_whole else "no"
    for name, asked in [(ALL, progress.asked.total()), *sorted(progress.asked.items())]:
        if name == ALL or failed[name]:
            new = "" if known is None else news[name]
            yield *about, name, failed[name], new, asked, whole, examples.get(name, "")


def with_further(
    found: Sequence[Mapping[str, str]], earlier: Sequence[Mapping[str, str]]
) -> list[dict[str, str]]:
    """The rows of a table, or of an earlier one for a version in settings that got further there.

    Who was asked all cases cannot get further: those of an earlier suite can be more.

    What the earlier one does not say is left empty; but what is news now was so then, and nothing
    is where nothing fails.
    """
    reached = {_who(row)[:3]: int(row["asked"]) for row in earlier if row["mechanism"] == ALL}
    now = {_who(row): row for row in found}
    chosen: list[dict[str, str]] = []
    for who, total in now.items():
        if who[3] != ALL:
            continue
        if total["whole"] == "yes" or reached.get(who[:3], 0) <= int(total["asked"]):
            chosen += [dict(row) for row in found if _who(row)[:3] == who[:3]]
        else:
            of_it = (row for row in earlier if _who(row)[:3] == who[:3])
            chosen += [_told_again(row, now.get(_who(row), {})) for row in of_it]
    return chosen


def _told_again(row: Mapping[str, str], now: Mapping[str, str]) -> dict[str, str]:
    """A row of an earlier table with the news that are known now."""
    told = {name: row.get(name, "") for name in HEAD}
    if row["failed"] == "0":
        told["news"] = "0"
    elif now.get("news", "") not in {"", "0"}:
        told |= {name: now[name] for name in ("news", "for example")}
    return told


def _who(row: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(row[name] for name in HEAD[:4])


def asked_what(library: Library, command: str, sequel: Sequel) -> str:
    """A hash of who is asked what: the library's version, its adapter, the settings, the cases."""
    files = (path.read_text("utf-8") for path in library.files)
    parts = [sequel.name, library.version, command, *files]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def main(arguments: Sequence[str]) -> None:
    """Ask the libraries that are installed, and write the table."""
    environments, seconds, out = Path(arguments[0]), float(arguments[1]), Path(arguments[2])
    installed = json.loads((environments / INSTALLED).read_bytes())
    directory = published_directory()
    sequel = Sequel(directory)
    core = kept_scoreboard(max((DATA / "results").glob("*-core.json.xz")))
    found: list[dict[str, str]] = []
    for library in read_registry():
        if installed.get(library.key) != "":
            continue
        for number, command in enumerate(library.commands(environments)):
            path = environments / KEPT / f"{library.key}-{number}.json"
            progress = Progress.kept(path, asked_what(library, command, sequel))
            if not arguments[3:] or library.key in arguments[3:]:
                ask_on(command, sequel, progress, seconds, path)
                how_far = "all" if progress.is_whole else f"{progress.given:,}"
                sys.stderr.write(f"{command}: {how_far} cases\n")
            if progress.name:
                made = rows(progress, known_mechanisms(core, progress))
                found += [dict(zip(HEAD, map(str, row), strict=True)) for row in made]
    earlier = list(csv.DictReader(out.read_text("utf-8").splitlines())) if out.exists() else []
    table = [list(row.values()) for row in with_further(found, earlier)]
    write_whole(out, csv_text([HEAD, *table]).encode("utf-8"))


if __name__ == "__main__":
    main(sys.argv[1:])
