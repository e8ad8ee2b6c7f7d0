"""Reads result files and their suite, put together for the scoreboard.

Result files come from others: whatever is wrong with one is said in a sentence, by a Failure.
"""

import hashlib
import json
import lzma
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from sanproof.reports.escaping import visible, web_address
from sanproof.verify.conformance.outcome import Entry, Outcome
from sanproof.verify.conformance.suite import Case, Demand, Suite, read_suite
from sanproof.verify.errors import Failure

FORMAT: Final = 1
EARLIER: Final = "suites"
"""The folder, beside this version's suites, with earlier ones: ``LEVEL-VERSION.json.xz``."""
SENT: Final = "sent"
"""The folder beside them with the results that maintainers sent: a library each, packed."""
TEXTS: Final = (
    "name",
    "version",
    "language",
    "settings",
    "ended",
    "registry",
    "home",
    "licence",
    "release",
)
"""The entries of a result file about a library."""
_OUTCOMES: Final = {outcome.value for outcome in Outcome}


@dataclass(frozen=True)
class LibraryRun:
    """A library in one of its settings, and what came of each case, by id.

    The settings are empty for how it comes; the date is as 2026-01-31. ``operations`` are what it
    can be asked, ``en_passant`` the customs for that square that fit all its answers. ``ended``
    says why cases are left, or why it was not asked at all. ``key`` is a name that is fit for
    files. ``suite`` is the version of the suite that it was asked, ``release`` says whether its own
    version is the newest. Unknown values are empty.
    """

    name: str
    version: str
    language: str
    settings: str
    date: str
    operations: tuple[str, ...]
    en_passant: tuple[str, ...]
    ended: str
    answers: Mapping[str, Entry]
    key: str
    registry: str
    home: str
    licence: str
    release: str
    suite: str

    @property
    def title(self) -> str:
        """The library as people name it."""
        return f"{self.name} {self.version}" + (f" ({self.settings})" if self.settings else "")

    @property
    def slug(self) -> str:
        """A name that is fit for files, of library and settings."""
        return slug(f"{self.key} {self.settings}")


@dataclass(frozen=True, slots=True)
class Count:
    """Numbers of cases: of must and must-not cases those that passed and those that did not.

    Those that the library cannot be asked are skipped.
    """

    passed: int = 0
    failed: int = 0
    skipped: int = 0

    @property
    def asked(self) -> int:
        """The cases that can fail, and were asked."""
        return self.passed + self.failed


@dataclass(frozen=True)
class Scoreboard:
    """The suite, and the libraries, best first.

    ``snippets`` say for the keys of libraries and for operations how to ask it in its own language:
    text with ``$fen``, ``$san``, ``$uci`` and ``$pgn`` for literals of that language. ``earlier``
    are the scoreboards of results from before, oldest first.
    """

    suite: Suite
    runs: Sequence[LibraryRun]
    snippets: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    earlier: Sequence["Scoreboard"] = ()

    @cached_property
    def cases(self) -> dict[str, Case]:
        """The cases of the suite, by id."""
        return {case.id: case for case in self.suite.cases}

    @property
    def date(self) -> str:
        """The day of the newest results; empty without any."""
        return max((run.date for run in self.runs), default="")

    def same(self, run: LibraryRun) -> LibraryRun | None:
        """Return the run of a library in its settings, perhaps of another version, if any."""
        about = run.key, run.settings
        return next((other for other in self.runs if (other.key, other.settings) == about), None)

    @cached_property
    def areas(self) -> tuple[str, ...]:
        """The areas of the suite, in alphabetical order."""
        return tuple(sorted({area_of(case.mechanism) for case in self.suite.cases}))

    @cached_property
    def areas_that_can_fail(self) -> tuple[str, ...]:
        """Those that have more than what is up to the library."""
        judged = (case for case in self.suite.cases if case.demand is not Demand.MAY)
        return tuple(sorted({area_of(case.mechanism) for case in judged}))

    @cached_property
    def mechanisms(self) -> tuple[str, ...]:
        """The mechanisms of the suite, in alphabetical order."""
        return tuple(sorted({case.mechanism for case in self.suite.cases}))

    def count(
        self, run: LibraryRun, *, area: str = "", mechanism: str = "", operation: str = ""
    ) -> Count:
        """Count a library's cases, in an area only, of a mechanism or of an operation only."""
        counts = self._counts[run.slug].get((area, mechanism, operation), Counter())
        return Count(counts["passed"], counts["failed"], counts["skipped"])

    @cached_property
    def _counts(self) -> Mapping[str, Mapping[tuple[str, str, str], Counter[str]]]:
        """The outcomes of each library's cases, of each part and of all of them."""
        found: dict[str, dict[tuple[str, str, str], Counter[str]]] = {}
        for run in self.runs:
            of_run = found.setdefault(run.slug, {})
            kinds = (
                (answer.case.mechanism, answer.case.operation, answer.counted_as)
                for answer in run.answers.values()
            )
            for (mechanism, operation, outcome), times in Counter(kinds).items():
                for part in (
                    *(("", "", ""), (area_of(mechanism), "", "")),
                    *(("", mechanism, ""), ("", "", operation.value)),
                ):
                    of_run.setdefault(part, Counter())[outcome] += times
        return found

    def bugs(self, run: LibraryRun) -> Counter[str]:
        """Count by operation the mechanisms of which a library fails a case: mostly a bug each."""
        kinds = {(e.case.operation.value, e.case.mechanism) for e in self.failures(run)}
        return Counter(operation for operation, _ in kinds)

    def liberties(self, run: LibraryRun) -> Counter[str]:
        """Count the outcomes of the cases that are up to the library."""
        free = (one for one in run.answers.values() if one.case.demand is Demand.MAY)
        return Counter(answer.outcome.value for answer in free if not answer.is_failure)

    def failures(self, run: LibraryRun) -> list[Entry]:
        """Return the cases that a library fails."""
        return [answer for answer in run.answers.values() if answer.is_failure]

    @cached_property
    def by_case(self) -> Mapping[str, list[tuple[LibraryRun, Entry]]]:
        """The libraries that failed each case."""
        found: dict[str, list[tuple[LibraryRun, Entry]]] = {}
        for name in self.cases:
            pairs = [(run, run.answers[name]) for run in self.runs if name in run.answers]
            if wrong := [(run, answer) for run, answer in pairs if answer.is_failure]:
                found[name] = wrong
        return found

    def libraries_asked(self, case: Case) -> set[tuple[str, str]]:
        """Return key and version of the libraries that were asked a case and did not skip it."""
        return {
            (run.key, run.version)
            for run in self.runs
            if case.id in run.answers and run.answers[case.id].outcome is not Outcome.SKIPPED
        }

    def libraries_failing(self, case: Case) -> set[tuple[str, str]]:
        """Return key and version of the libraries that fail a case in one of their settings."""
        return {(run.key, run.version) for run, _ in self.by_case.get(case.id, ())}

    def game_to(self, case: Case) -> list[str]:
        """Return the moves in UCI that lead to a case's position; none for broken input."""
        return [] if case.game is None else self.suite.games[case.game].split()[: case.plies]


def area_of(mechanism: str) -> str:
    """Return the area of a mechanism: its first word."""
    return mechanism.partition(".")[0]


def slug(text: str) -> str:
    """Return a text as a file's name."""
    return re.sub(r"[^A-Za-z0-9._-]+", "-", text).strip("-.").lower() or "library"


def read_scoreboard(
    suite: Suite,
    sha256: str,
    results: Sequence[tuple[str, Any]],
    snippets: Mapping[str, Mapping[str, str]],
    published: Path | None = None,
) -> Scoreboard:
    """Put a suite, whose file has this hash, and named result files together.

    Results of an earlier version of the suite are taken too, if it is in the folder ``published``.

    Raises:
        Failure: A file holds no results, those of another suite, or lacks cases.
    """
    suites = {sha256: suite}
    runs: list[LibraryRun] = []
    for name, content in results:
        try:
            asked = content["suite"]["sha256"]
            if published and asked not in suites:
                earlier = suite_of_hash(published, suite.level.value, asked)
                suites[hashlib.sha256(earlier).hexdigest()] = read_suite(earlier, name)
            runs += _runs(content, suites.get(asked))
        except Failure as error:
            raise Failure(f"{name} {error}.") from error
        except (LookupError, TypeError, ValueError, AttributeError) as error:
            raise Failure(f"{name} is not a result file of this program.") from error
    if twice := [slug for slug, number in Counter(run.slug for run in runs).items() if number > 1]:
        raise Failure(f"the results hold {twice[0]} twice.")
    board = Scoreboard(suite, runs, snippets)
    return replace(board, runs=sorted(runs, key=lambda run: (_rank(board, run), _name(run))))


def suite_of_hash(folder: Path, level: str, sha256: str) -> bytes:
    """Return the suite of a level whose file has a hash; the newest if no published one has it."""
    newest = (folder / f"{level}.json").read_bytes()
    earlier = (folder / EARLIER).glob(f"{level}-*.json.xz")
    contents = (newest, *(lzma.decompress(path.read_bytes()) for path in sorted(earlier)))
    return next((c for c in contents if hashlib.sha256(c).hexdigest() == sha256), newest)


def kept_scoreboard(results: Path, data: Path, *, with_sent: bool = False) -> Scoreboard:
    """Return the scoreboard of a packed result file of the published suite, and of those sent."""
    content = json.loads(lzma.decompress(results.read_bytes()))
    asked = content["suite"]
    suite = suite_of_hash(data, asked["level"], asked["sha256"])
    sha256 = hashlib.sha256(suite).hexdigest()
    found = [(results.name, content), *(sent(data) if with_sent else ())]
    return read_scoreboard(read_suite(suite, asked["level"]), sha256, found, {}, data)


def sent(published: Path) -> list[tuple[str, Any]]:
    """Return the results that maintainers sent, by the names of their files."""
    return [
        (path.name, json.loads(lzma.decompress(path.read_bytes())))
        for path in sorted((published / SENT).glob("*.json.xz"))
    ]


def _rank(board: Scoreboard, run: LibraryRun) -> tuple[bool, int, float]:
    """Return the number of bugs and the share of failures; who was asked nothing comes last."""
    count = board.count(run)
    return not count.asked, board.bugs(run).total(), count.failed / max(1, count.asked)


def _name(run: LibraryRun) -> str:
    return run.title.casefold()


def _runs(content: Any, suite: Suite | None) -> Iterator[LibraryRun]:  # noqa: ANN401
    if content["format"] != FORMAT:
        raise Failure(f"has the format {content['format']!r}; this program reads {FORMAT}")
    if suite is None:
        raise Failure("was made with another suite; name that one with --suite, or run it again")
    cases = {case.id: case for case in suite.cases}
    for entry in content["libraries"]:
        texts = {name: _text(entry, name) for name in TEXTS}
        texts["home"] = web_address(texts["home"])
        answers = dict(_answers(entry["cases"], cases))
        lacking = len(cases) - len(answers)
        if lacking and not texts["ended"]:
            raise Failure(f"lacks {lacking} cases of {texts['name']}; send a whole run")
        yield LibraryRun(
            **texts,
            suite=suite.version,
            date=_text(content, "date"),
            operations=_texts(entry["operations"]),
            en_passant=_texts(entry.get("en_passant")),
            answers=answers,
            key=slug(_text(entry, "key") or f"{texts['name']} {texts['version']}"),
        )


def _answers(entries: Any, cases: Mapping[str, Case]) -> Iterator[tuple[str, Entry]]:  # noqa: ANN401
    for found in entries:
        name, outcome = found["id"], found["outcome"]
        if name not in cases or outcome not in _OUTCOMES:
            raise Failure(f"holds {name!a}: {outcome!a}, unknown here")
        said = found.get("answer"), found.get("message", "")
        yield name, Entry(cases[name], Outcome(outcome), *said)


def _text(entry: Mapping[str, Any], name: str) -> str:
    """Return a foreign text on one line, of characters that can be seen; empty without one."""
    value = entry.get(name)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise TypeError(name)
    return visible(value)


def _texts(values: Sequence[Any] | None) -> tuple[str, ...]:
    return tuple(visible(str(value)) for value in values or ())
