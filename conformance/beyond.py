"""Asks every installed library cases of the full suite that the core does not have.

Each is asked for so many seconds in each of its settings, and what each fails is tabled, by
mechanism. All are asked the same cases in the same order, which begins with those that are like the
core's and goes on with strings at random. If keys of libraries are named, only these are asked, and
the rows of the others stay.

A case without an answer (it hangs, or ends the adapter) is asked again alone, and only what comes
then counts. ``FOLDER/beyond/KEY-0.json`` has what came of each failure.
"""

import csv
import json
import random
import sys
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import chain, islice
from pathlib import Path
from typing import Final, NamedTuple

import chess

from conformance.environments import INSTALLED, read_registry
from conformance.keep import DATA, csv_text
from conformance.scoreboard.contents import Scoreboard, kept_scoreboard
from conformance.suite.build import further_suite
from conformance.suite.mechanisms import MECHANISMS
from conformance.suite.recognise import CaseText
from conformance.survey import TIMEOUT_SECONDS
from sanproof.reports.archive.door import published_directory
from sanproof.reports.escaping import cut
from sanproof.reports.tables.files import write_whole
from sanproof.verify.conformance.asking import ask
from sanproof.verify.conformance.outcome import Entry, LibraryReport, Outcome
from sanproof.verify.conformance.strings import published_lines, read_line, string_cases
from sanproof.verify.conformance.suite import Case, Demand, Operation, read_suite

LINES: Final = 200
"""The number of strings whose cases are mixed."""
FIRST: Final = 128
"""The number of cases that are asked first; twice as many each time, while that is quick."""
LITTLE_SECONDS: Final = 5.0
MAX_SAID: Final = 80
"""The number of characters that are kept of what a library said to a case that it fails."""
WITHOUT_ANSWER: Final = (Outcome.HUNG, Outcome.CRASHED, Outcome.GARBLED)
HEAD: Final = (
    *("library", "version", "settings", "mechanism"),
    *("failed", "new", "asked", "complete", "for example"),
)
ALL: Final = "all"
"""Stands for the mechanism in the row that counts all cases."""
KEPT: Final = "beyond"
"""The folder, beside the environments, with what failed."""


class Failure(NamedTuple):
    """A case that a library fails.

    Attributes:
        id: The case.
        mechanism: Its mechanism.
        fen: Its position; None if it is a game.
        san: What was to be read or written; None if nothing was.
        outcome: What came of it, as in a result file.
        said: The answer, or what the library or the runner said; shortened.
    """

    id: str
    mechanism: str
    fen: str | None
    san: str | None
    outcome: str = ""
    said: str = ""


def known_mechanisms(core: Scoreboard, about: Collection[str]) -> frozenset[str] | None:
    """Return the mechanisms of which a library fails a case of the core; None if it was not asked.

    The library comes with its version and settings.
    """
    for run in core.runs:
        if [run.name, run.version, run.settings] == list(about):
            return frozenset(entry.case.mechanism for entry in core.failures(run))
    return None


def is_new(failure: Failure, known: frozenset[str]) -> bool:
    """Check whether none of the known mechanisms has a failure.

    All moves of a position, and a game, are new if none of the mechanisms is of this operation.
    """
    if failure.mechanism in known:
        return False
    if failure.fen is None or failure.san is None:
        operation = failure.mechanism.partition(".")[0]
        return all(name.partition(".")[0] != operation for name in known)
    return _is_new_text(failure.fen, failure.san, known)


@cache  # a move is read and written: the same to us
def _is_new_text(fen: str, san: str, known: frozenset[str]) -> bool:
    asked = CaseText(chess.Board(fen), san)
    names = (name for name in known if name in MECHANISMS)
    return all(asked.wrong_with(name, alone=False) is not None for name in names)


def further_cases(directory: Path) -> Iterator[Case]:
    """Yield the cases beyond the core that can fail, made from the published data when needed.

    First those that are like the core's; then each piece mixes those of some strings.
    """
    core = read_suite((directory / "conformance" / "core.json").read_bytes(), "core.json")
    known = {case.id for case in core.cases}
    first = [case for case in further_suite().cases if case.id not in known]
    lines = published_lines(directory)
    chance = random.Random(0)
    chance.shuffle(first)
    chance.shuffle(lines)
    yield from (case for case in first if case.demand is not Demand.MAY)
    for number, start in enumerate(range(0, len(lines), LINES), 1):
        told = ((read_line(line), 0) for line in sorted(lines[start : start + LINES]))
        piece = list(chain.from_iterable(string_cases(told)))
        random.Random(number).shuffle(piece)
        yield from (case for case in piece if case.demand is not Demand.MAY)


@dataclass
class Answers:
    """The results of asking a library in one of its settings.

    Attributes:
        about: What the library calls itself, its version and settings; empty before it has greeted.
        given: So many cases came up, from the first.
        seconds: So long that took.
        is_complete: Whether no case is left.
        asked: How many cases of each mechanism it was asked.
        failures: What failed.
    """

    about: list[str] = field(default_factory=list)
    given: int = 0
    seconds: float = 0.0
    is_complete: bool = False
    asked: Counter[str] = field(default_factory=Counter)
    failures: list[Failure] = field(default_factory=list)

    def add(self, report: LibraryReport) -> None:
        """Count what came of the next cases."""
        if report.greeting:
            self.about = [report.greeting[name] for name in ("name", "version", "settings")]
        self.given += len(report.entries)
        self.seconds += report.seconds
        for entry in report.entries:
            if entry.outcome is Outcome.SKIPPED:
                continue
            case = entry.case
            self.asked[case.mechanism] += 1
            if entry.is_failure:
                san = case.expected if case.operation is Operation.WRITE else case.asked
                answer = entry.message if entry.answer is None else json.dumps(entry.answer)
                came = entry.outcome.value, cut(answer, MAX_SAID)
                self.failures.append(Failure(case.id, case.mechanism, case.fen, san, *came))


def ask_for(command: str, left: Iterator[Case], seconds: float) -> Answers:
    """Ask an adapter one piece of the cases after another, for so many seconds."""
    answers, size = Answers(), FIRST
    while answers.seconds < seconds:
        cases = list(islice(left, size))
        if not cases:
            answers.is_complete = True
            break
        (report,) = ask([command], cases, TIMEOUT_SECONDS)  # if it is given up, of the first ones
        report = report._replace(entries=[_again(command, entry) for entry in report.entries])
        left = chain(cases[len(report.entries) :], left)
        answers.add(report)
        if report.ended is not None:
            sys.stderr.write(f"{report.title} {report.ended}\n")
            if not report.entries:
                break
        if report.seconds < LITTLE_SECONDS:
            size *= 2
    return answers


def _again(command: str, entry: Entry) -> Entry:
    """Ask a case that got no answer again, alone: the machine may have been busy, or full."""
    if entry.outcome not in WITHOUT_ANSWER:
        return entry
    (report,) = ask([command], [entry.case], TIMEOUT_SECONDS)
    return report.entries[0] if report.entries else entry


def rows(answers: Answers, known: frozenset[str] | None) -> Iterator[Sequence[object]]:
    """Yield a row of all cases, then one for each mechanism of which one fails.

    The example is the first failure, preferably a new one. The count of new ones is left
    out if the mechanisms that fail in the core are not known.
    """
    new_ones = [x for x in answers.failures if known is not None and is_new(x, known)]
    examples: dict[str, str] = {}
    for failure in (*new_ones, *answers.failures):
        examples.setdefault(failure.mechanism, failure.id)
    asked, failed, new = answers.asked, _counted(answers.failures), _counted(new_ones)
    is_all = "yes" if answers.is_complete else "no"
    for name, number in ((ALL, asked.total()), *sorted(asked.items())):
        if name == ALL or failed[name]:
            count = "" if known is None else new[name]
            yield *answers.about, name, failed[name], count, number, is_all, examples.get(name, "")


def _counted(failures: Sequence[Failure]) -> Counter[str]:
    counts = Counter(failure.mechanism for failure in failures)
    counts[ALL] = counts.total()
    return counts


def main(environments: Path, seconds: float, out: Path, keys: Sequence[str] = ()) -> None:
    """Ask the libraries that are installed, and write the table."""
    installed = json.loads((environments / INSTALLED).read_bytes())
    (environments / KEPT).mkdir(exist_ok=True)
    core = kept_scoreboard(max((DATA / "results").glob("*-core.json.xz")), DATA)
    earlier = list(csv.reader(out.read_text("utf-8").splitlines()))[1:] if out.exists() else []
    table: list[Sequence[object]] = [HEAD]
    for library in read_registry():
        is_asked = installed.get(library.key) == "" and (not keys or library.key in keys)
        found: list[Sequence[object]] = []
        for number, command in enumerate(library.commands(environments) if is_asked else []):
            answers = ask_for(command, further_cases(published_directory()), seconds)
            path = environments / KEPT / f"{library.key}-{number}.json"
            write_whole(path, json.dumps(answers.failures).encode())
            how_far = "all" if answers.is_complete else f"{answers.given:,}"
            sys.stderr.write(f"{command}: {how_far} cases\n")
            if answers.about:
                found += rows(answers, known_mechanisms(core, answers.about))
        table += found or [row for row in earlier if row[0] == library.name]
    write_whole(out, csv_text(table).encode("utf-8"))
