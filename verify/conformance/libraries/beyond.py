"""Asks every installed library cases of the full suite that the core does not have.

``python -m sanproof.verify.conformance.libraries.beyond FOLDER SECONDS OUT`` writes a table of what
each fails, by mechanism. An installed library has so many seconds in each of its settings. All are
asked the same cases in the same order, which begins with those that are like the core's and goes on
with strings at random. Keys of libraries may follow; then only these are asked.
"""

import json
import random
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Final

from sanproof.reports.exports.archive import published_directory
from sanproof.reports.tables.files import write_whole
from sanproof.verify.conformance.cases.build import further_suite
from sanproof.verify.conformance.cases.case import Case, Demand, read_suite
from sanproof.verify.conformance.cases.judge import Outcome
from sanproof.verify.conformance.cases.strings import published_lines, read_line, string_cases
from sanproof.verify.conformance.libraries.asking import ask
from sanproof.verify.conformance.libraries.conversation import is_failure
from sanproof.verify.conformance.libraries.environments import INSTALLED
from sanproof.verify.conformance.libraries.keep import csv_text
from sanproof.verify.conformance.libraries.outcome import Entry
from sanproof.verify.conformance.libraries.protocol import Greeting
from sanproof.verify.conformance.libraries.registry import read_registry
from sanproof.verify.conformance.libraries.survey import TIMEOUT_SECONDS
from sanproof.verify.conformance.libraries.testing import report_of

FIRST: Final = 128
"""So many cases are asked first; twice as many each time while that takes little of the time."""
LITTLE: Final = 0.1
LINES: Final = 200
"""So many strings are made into cases at a time."""
HEAD: Final = ("library", "version", "settings", "mechanism", "failed", "asked", "for example")
ALL: Final = "all"
"""Stands for the mechanism in the row that counts all cases."""


class Sequel:
    """The cases of the full suite beyond the core, in the order in which they are asked.

    They are made when they are first needed, and kept for the next library.
    """

    def __init__(self, directory: Path) -> None:
        """Take the directory of the published data."""
        core = read_suite((directory / "conformance" / "core.json").read_bytes(), "core.json")
        known = {case.id for case in core.cases}
        first = [case for case in further_suite().cases if case.id not in known]
        self._random = random.Random(0)
        self._random.shuffle(first)
        self._made: list[Case] = []
        self._rest = chain(first, self._strings(published_lines(directory)))

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


def asked_within(
    command: str, sequel: Sequel, seconds: float
) -> tuple[Greeting | None, list[Entry]]:
    """Ask an adapter case after case until the time is over: who answered, and what came."""
    greeting, entries, used, size = None, list[Entry](), 0.0, FIRST
    while used < seconds and (cases := sequel.part(len(entries), size)):
        (adapter,) = ask([command], cases, TIMEOUT_SECONDS, lambda _: None)
        report = report_of(adapter)
        greeting = report.greeting or greeting
        entries += report.entries
        if report.ended is not None:
            sys.stderr.write(f"{report.title} {report.ended}\n")
            break
        if report.seconds < LITTLE * seconds:
            size *= 2
        used += report.seconds
    return greeting, entries


def rows(greeting: Greeting, entries: Iterable[Entry]) -> Iterator[Sequence[object]]:
    """A row of all cases that can fail, then one for each mechanism of which one fails."""
    asked, failed = Counter[str](), Counter[str]()
    examples: dict[str, str] = {}
    for case, record, _ in entries:
        if case.demand is Demand.MAY or record.outcome is Outcome.SKIPPED:
            continue
        asked.update((ALL, case.mechanism))
        if is_failure(case, record):
            failed.update((ALL, case.mechanism))
            examples.setdefault(case.mechanism, case.id)
    about = greeting.name, greeting.version, greeting.settings
    yield *about, ALL, failed[ALL], asked[ALL], ""
    for name in sorted(examples):
        yield *about, name, failed[name], asked[name], examples[name]


def main(arguments: Sequence[str]) -> None:
    """Ask the libraries that are installed, and write the table."""
    environments, seconds, out = Path(arguments[0]), float(arguments[1]), Path(arguments[2])
    installed = json.loads((environments / INSTALLED).read_bytes())
    sequel = Sequel(published_directory())
    found: list[Sequence[object]] = [HEAD]
    for library in read_registry():
        is_wanted = not arguments[3:] or library.key in arguments[3:]
        if not is_wanted or installed.get(library.key) != "":
            continue
        for command in library.commands(environments):
            greeting, entries = asked_within(command, sequel, seconds)
            if greeting is not None:
                found += rows(greeting, entries)
                sys.stderr.write(f"{greeting.title}: {len(entries):,} cases\n")
    write_whole(out, csv_text(found).encode("utf-8"))


if __name__ == "__main__":
    main(sys.argv[1:])
