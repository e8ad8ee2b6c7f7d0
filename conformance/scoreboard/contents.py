"""Reads result files and their suite, put together for the scoreboard.

Result files come from others: whatever is wrong with one is said in a sentence, by
:class:`ScoreboardError`.
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

FORMAT: Final = 1
MUST_NOT: Final = "must not"
MAY: Final = "may"
FAILURES: Final = ("failed", "crashed", "hung", "garbled")
EARLIER: Final = "suites"
"""The folder, beside this version's suites, with earlier ones: ``LEVEL-VERSION.json.xz``."""
OUTCOMES: Final = ("passed", *FAILURES, "skipped", "accepted", "rejected", "differs")


class ScoreboardError(ValueError):
    """A result file that is none, or of another suite; the message says why."""


@dataclass(frozen=True, slots=True)
class AskedCase:
    """A case of the suite: its operation, demand, mechanism, who moves, and the rule.

    The operation is ``read``, ``write``, ``moves``, ``play`` or ``game``; the demand ``must``,
    ``must not`` or ``may``. ``asked`` is what is read, written or played, empty if all moves are
    asked for; ``game`` has the moves that lead to the position, in UCI. What there is none of is
    empty; ``expected`` is None then. ``reports`` are addresses of public reports of such an error.
    """

    id: str
    operation: str
    demand: str
    mechanism: str
    colour: str
    why: str
    fen: str = ""
    asked: str = ""
    expected: Any = None
    game: tuple[str, ...] = ()
    reports: tuple[str, ...] = ()

    @property
    def area(self) -> str:
        """The first word of the mechanism."""
        return self.mechanism.partition(".")[0]

    @property
    def men(self) -> int:
        """The number of pieces and pawns on the board."""
        return sum(map(str.isalpha, self.fen.partition(" ")[0]))


@dataclass(frozen=True, slots=True)
class CaseResult:
    """The result of a case: one of :data:`OUTCOMES`, and the library's words or what went wrong.

    ``result`` is None if there is none, or if the case is passed with it.
    """

    outcome: str
    result: Any = None
    message: str = ""


@dataclass(frozen=True)
class LibraryRun:
    """A library in one of its settings, and what came of each case, by id.

    The settings are empty for how it comes; the date is as 2026-01-31. ``operations`` are what it
    can be asked, ``en_passant`` the customs for that square that fit all its answers. ``ended``
    says why cases are left, or why it was not asked at all; ``notes`` what went wrong without a
    case at fault. ``key`` is a name that is fit for files. What nobody said of it is empty.
    """

    name: str
    version: str
    language: str
    settings: str
    date: str
    operations: tuple[str, ...]
    en_passant: tuple[str, ...]
    ended: str
    notes: tuple[str, ...]
    answers: Mapping[str, CaseResult]
    key: str
    registry: str = ""
    home: str = ""
    licence: str = ""

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
    """All of it: the suite, its cases by id, and the libraries, best first.

    ``snippets`` say for the keys of libraries and for operations how to ask it in its own language:
    text with ``$fen``, ``$san``, ``$uci`` and ``$pgn`` for literals of that language. ``earlier``
    are the scoreboards of results from before, oldest first.
    """

    version: str
    level: str
    cases: Mapping[str, AskedCase]
    runs: Sequence[LibraryRun]
    snippets: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    earlier: Sequence["Scoreboard"] = ()

    @property
    def date(self) -> str:
        """The day of the newest results; empty without any."""
        return max((run.date for run in self.runs), default="")

    def same(self, run: LibraryRun) -> LibraryRun | None:
        """The run of a library in its settings, perhaps of another version; None without one."""
        named = (
            other for other in self.runs if (other.key, other.settings) == (run.key, run.settings)
        )
        return next(named, None)

    @cached_property
    def areas(self) -> tuple[str, ...]:
        """The areas of the suite, in alphabetical order."""
        return tuple(sorted({case.area for case in self.cases.values()}))

    @cached_property
    def areas_that_can_fail(self) -> tuple[str, ...]:
        """Those that have more than what is up to the library."""
        return tuple(sorted({c.area for c in self.cases.values() if c.demand != MAY}))

    @cached_property
    def mechanisms(self) -> tuple[str, ...]:
        """The mechanisms of the suite, in alphabetical order."""
        return tuple(sorted({case.mechanism for case in self.cases.values()}))

    def count(self, run: LibraryRun, *, area: str = "", mechanism: str = "") -> Count:
        """Count a library's cases, in an area only, or of a mechanism only."""
        counts = self._counts[run.slug].get((area, mechanism), Counter())
        return Count(counts["passed"], counts["failed"], counts["skipped"])

    @cached_property
    def _counts(self) -> Mapping[str, Mapping[tuple[str, str], Counter[str]]]:
        """The outcomes of each library's cases: of an area, of a mechanism, and of all of them."""
        found: dict[str, dict[tuple[str, str], Counter[str]]] = {}
        for run in self.runs:
            of_run = found.setdefault(run.slug, {})
            for case, answer in self.answered(run):
                if answer.outcome == "skipped":
                    outcome = "skipped"
                elif case.demand == MAY:
                    continue
                else:
                    outcome = "failed" if answer.outcome in FAILURES else "passed"
                for part in (("", ""), (case.area, ""), ("", case.mechanism)):
                    of_run.setdefault(part, Counter())[outcome] += 1
        return found

    def liberties(self, run: LibraryRun) -> Counter[str]:
        """Count the outcomes of the cases that are up to the library."""
        return Counter(answer.outcome for case, answer in self.answered(run) if case.demand == MAY)

    def answered(self, run: LibraryRun) -> Iterator[tuple[AskedCase, CaseResult]]:
        """The cases that a library was asked, in the suite's order."""
        return ((self.cases[name], answer) for name, answer in run.answers.items())

    def failures(self, run: LibraryRun) -> list[tuple[AskedCase, CaseResult]]:
        """The cases that a library fails."""
        return [pair for pair in self.answered(run) if is_failure(*pair)]

    @cached_property
    def by_case(self) -> Mapping[str, list[tuple[LibraryRun, CaseResult]]]:
        """The libraries that failed each case."""
        found: dict[str, list[tuple[LibraryRun, CaseResult]]] = {}
        for name, case in self.cases.items():
            pairs = [(run, run.answers[name]) for run in self.runs if name in run.answers]
            if wrong := [(run, answer) for run, answer in pairs if is_failure(case, answer)]:
                found[name] = wrong
        return found

    def libraries_asked(self, case: AskedCase) -> set[tuple[str, str]]:
        """Name and version of the libraries that were asked a case and did not skip it."""
        return {
            (run.key, run.version)
            for run in self.runs
            if case.id in run.answers and run.answers[case.id].outcome != "skipped"
        }

    def libraries_failing(self, case: AskedCase) -> set[tuple[str, str]]:
        """Name and version of the libraries that fail a case in one of their settings."""
        return {(run.key, run.version) for run, _ in self.by_case.get(case.id, ())}


def is_failure(case: AskedCase, answer: CaseResult) -> bool:
    """Check whether it counts as a failure; what is up to the library never does."""
    return case.demand != MAY and answer.outcome in FAILURES


def slug(text: str) -> str:
    """A text as a file's name."""
    return re.sub(r"[^A-Za-z0-9._-]+", "-", text).strip("-.").lower() or "library"


def read_scoreboard(
    suite: Mapping[str, Any],
    sha256: str,
    results: Sequence[tuple[str, Any]],
    snippets: Mapping[str, Mapping[str, str]],
) -> Scoreboard:
    """Put a suite, whose file has this hash, and named result files together.

    Raises:
        ScoreboardError: A result file is none, or of another suite.
    """
    games = [tuple(moves.split()) for moves in suite["games"]]
    cases = {entry["id"]: _case(entry, games) for entry in suite["cases"]}
    runs: list[LibraryRun] = []
    for name, content in results:
        try:
            runs += _runs(content, sha256, cases)
        except ScoreboardError as error:
            raise ScoreboardError(f"{name} {error}") from error
        except (LookupError, TypeError, ValueError, AttributeError) as error:
            raise ScoreboardError(f"{name} is not a result file of this program") from error
    if twice := [slug for slug, number in Counter(run.slug for run in runs).items() if number > 1]:
        raise ScoreboardError(f"the results hold {twice[0]} twice")
    board = Scoreboard(suite["version"], suite["level"], cases, runs, snippets)
    ranked = sorted(runs, key=lambda run: (_rank(board.count(run)), run.title.casefold()))
    return replace(board, runs=ranked)


def suite_of_hash(folder: Path, level: str, sha256: str) -> bytes:
    """Return the suite of a level whose file has a hash; the newest if no published one has it."""
    newest = (folder / f"{level}.json").read_bytes()
    earlier = (folder / EARLIER).glob(f"{level}-*.json.xz")
    contents = (newest, *(lzma.decompress(path.read_bytes()) for path in sorted(earlier)))
    return next((c for c in contents if hashlib.sha256(c).hexdigest() == sha256), newest)


def kept_scoreboard(results: Path, data: Path) -> Scoreboard:
    """Return the scoreboard of a packed result file of the published suite."""
    content = json.loads(lzma.decompress(results.read_bytes()))
    asked = content["suite"]
    suite = suite_of_hash(data, asked["level"], asked["sha256"])
    sha256 = hashlib.sha256(suite).hexdigest()
    return read_scoreboard(json.loads(suite), sha256, [(results.name, content)], {})


def _rank(count: Count) -> tuple[bool, float]:
    """The share of failures; those that were asked nothing come last."""
    return not count.asked, count.failed / max(1, count.asked)


def _case(entry: Mapping[str, Any], games: Sequence[tuple[str, ...]]) -> AskedCase:
    asked = next((entry[name] for name in ("san", "uci", "pgn") if name in entry), "")
    game = games[entry["game"]][: entry["plies"]] if "game" in entry else ()
    return AskedCase(
        id=entry["id"],
        operation=entry["operation"],
        demand=entry["class"],
        mechanism=entry["mechanism"],
        colour=entry["colour"],
        why=entry["why"],
        fen=entry.get("fen", ""),
        asked=asked,
        expected=entry.get("expected"),
        game=game,
        reports=tuple(entry.get("reports", ())),
    )


def _runs(content: Any, sha256: str, cases: Mapping[str, AskedCase]) -> Iterator[LibraryRun]:  # noqa: ANN401
    if content["format"] != FORMAT:
        raise ScoreboardError(f"has the format {content['format']!r}; this program reads {FORMAT}")
    if content["suite"]["sha256"] != sha256:
        raise ScoreboardError(
            "was made with another suite; name that one with --suite, or run it again"
        )
    for entry in content["libraries"]:
        answers = {}
        for found in entry["cases"]:
            if found["id"] not in cases or found["outcome"] not in OUTCOMES:
                raise ScoreboardError(f"holds {found['id']!a}: {found['outcome']!a}, unknown here")
            answer = CaseResult(found["outcome"], found.get("answer"), found.get("message", ""))
            answers[found["id"]] = answer
        name, settings = _text(entry, "name"), _text(entry, "settings")
        yield LibraryRun(
            name=name,
            version=_text(entry, "version"),
            language=_text(entry, "language"),
            settings=settings,
            date=_text(content, "date"),
            operations=_texts(entry["operations"]),
            en_passant=_texts(entry.get("en_passant")),
            ended=_text(entry, "ended"),
            notes=_texts(entry.get("notes")),
            answers=answers,
            key=slug(_text(entry, "key") or f"{name} {_text(entry, 'version')}"),
            registry=_text(entry, "registry"),
            home=web_address(_text(entry, "home")),
            licence=_text(entry, "licence"),
        )


def _text(entry: Mapping[str, Any], name: str) -> str:
    """A foreign text on one line, of characters that can be seen."""
    value = entry.get(name)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise TypeError(name)
    return visible(value)


def _texts(values: Sequence[Any] | None) -> tuple[str, ...]:
    return tuple(visible(str(value)) for value in values or ())
