#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the sanproof conformance suite on a chess library. One file, nothing to install.

As a program, with an adapter that speaks JSON lines (docs/test-your-library.md):

    python sanproof_runner.py core.json -- ./adapter

From a test, with functions that take a case and return the answer, or raise an exception if the
library rejects it:

    import sanproof_runner as runner
    suite = runner.load("core.json")
    report = runner.ask(suite, {"read": lambda case: my_read(case["fen"], case["san"])})
    assert not report.surprises, report.text()

Exit codes: 0 all required cases pass or are expected to fail, 1 one fails or an expected failure
passes, 2 wrong usage, 4 the adapter did not start or kept crashing. Copy this file where you like
(MIT).
"""

import argparse
import contextlib
import fnmatch
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from html import escape
from itertools import combinations
from pathlib import Path
from typing import IO, Any

Case = Mapping[str, Any]
"""A case, as it is in the file of a suite."""
Said = Mapping[str, Any]
"""An answer: an object with one of the entries result, rejected and skip."""
ASKED = {"read": "san", "write": "uci", "moves": None, "play": "san", "game": "pgn"}
"""The operations, each with the entry of a case that it is about."""
ENTRIES = ("id", "operation", "class", "mechanism", "why")
"""The entries that every case has."""
FAILURES = ("failed", "crashed", "hung", "garbled")
REJECTED = {"must": "failed", "must not": "passed", "may": "rejected"}
ANSWERS = ("result", "rejected", "skip")
TAKES_ROOK = {"e1g1": "e1h1", "e1c1": "e1a1", "e8g8": "e8h8", "e8c8": "e8a8"}
"""Castling in UCI, and as programs for Chess960 write it."""
MAX_SECONDS = 1_000_000
MAX_IN_A_ROW = 25
"""An adapter is not started again after this many breakdowns without an answer in between."""
MAX_HANGS = 25
MAX_BYTES = 1 << 20
"""The most bytes of a line; a longer one is not an answer."""
MAX_MESSAGE = 300
"""The most characters of questions and answers that are printed."""
MAX_MOVES = 8
"""The most moves of an answer that are printed."""
MAX_WHYS = 6
"""The most reasons for skipped cases that are printed."""
LAST_SECONDS = 2.0
"""The time that an adapter has to end after its input has ended."""
_QUOTED = 60
_CAUSE = re.compile(r"^(?:[\w.]*(?:Error|Exception)\b|(?:error|fatal)\b).*", re.MULTILINE)
"""The line that says what is wrong: Python's is the last, that of Node.js is followed by others."""


class Misuse(Exception):
    """An error that the user can mend, as a sentence with an exit code."""

    def __init__(self, message: str, code: int = 2) -> None:
        super().__init__(message)
        self.code = code


class Skip(Exception):
    """Raised by a function of a test to skip a case that its library cannot be asked."""


class Broken(Exception):
    """The adapter crashed, hung, or answered something that is not an answer."""

    def __init__(self, outcome: str, message: str) -> None:
        super().__init__(message)
        self.outcome, self.message = outcome, message


def load(path: str) -> Any:
    """Read a suite from a file. Raises Misuse if the file does not contain one."""
    return suite_of(Path(path).read_bytes(), path)


def suite_of(content: bytes, path: str) -> Any:
    """Read a suite from the content of a file. Raises Misuse if it does not contain one."""
    path = shown(path)
    try:
        suite = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise Misuse(f"{path} is not JSON.") from error
    if not isinstance(suite, dict) or suite.get("suite") != "sanproof conformance":
        raise Misuse(f"{path} is not a conformance suite.")
    if suite.get("format") != 1:
        raise Misuse(f"{path} has a format that this program does not know.")
    cases = suite.get("cases")
    if not isinstance(cases, list) or not isinstance(suite.get("games"), list):
        raise Misuse(f"{path} is not a conformance suite: it lacks games or cases.")
    for number, case in enumerate(cases, start=1):
        if not _is_case(case):
            raise Misuse(f"{path} is not a conformance suite: its case {number} is not one.")
    return suite


def _is_case(case: Any) -> bool:
    if not isinstance(case, dict) or not all(isinstance(case.get(x), str) for x in ENTRIES):
        return False
    name = ASKED.get(case["operation"], "no operation")
    return case["class"] in REJECTED and (name is None or isinstance(case.get(name), str))


def question(case: Case, games: Sequence[str], from_game: bool = False) -> dict[str, Any]:
    """Return the entries of a case that the library gets, without the expected answer."""
    asked = {"operation": case["operation"]}
    if from_game and "fen" in case:
        asked["moves"] = games[case["game"]].split()[: case["plies"]]
    elif "fen" in case:
        asked["fen"] = case["fen"]
    name = ASKED[case["operation"]]
    return asked | ({name: case[name]} if name else {})


def judged(case: Case, said: Said) -> str:
    """Return the outcome of an answer; where the library may choose, accepted or rejected.

    Even there it fails if it reads a text as another move.

    >>> judged({"operation": "read", "class": "must", "expected": "e2e4"}, {"result": "e2e4"})
    'passed'
    """
    if "skip" in said:
        return "skipped"
    if "rejected" in said:
        return REJECTED[case["class"]]
    value, expected = said["result"], case.get("expected")
    if not is_well_formed(case["operation"], value):
        return "garbled"
    if case["class"] == "must not":
        return "failed"
    right = expected is not None and _agrees(case["operation"], value, expected)
    if case["class"] == "may":
        return "accepted" if right or expected is None else "failed"
    return "passed" if right else "failed"


_RESULTS = {"moves": "a list of texts", "game": "an object with `moves`, a list, and `fen`, a text"}


def is_well_formed(operation: str, value: Any) -> bool:
    """Check whether a result has the type that the operation requires."""
    if operation == "moves":
        return _is_texts(value)
    if operation == "game":
        is_object = isinstance(value, dict)
        return is_object and _is_texts(value.get("moves")) and isinstance(value.get("fen"), str)
    return isinstance(value, str)


def _is_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(text, str) for text in value)


def _agrees(operation: str, value: Any, expected: Any) -> bool:
    """Check whether a well-formed result is the expected one."""
    if operation == "moves":
        return sorted(value) == sorted(expected)
    if operation == "play":
        return value in expected.values()
    if operation == "game":
        return value["moves"] == expected["moves"] and value["fen"] in expected["fen"].values()
    return bool(value == expected)


class Record:
    """A case and its outcome. ``answer`` is the result that came; ``message`` has the rest."""

    def __init__(self, case: Case, outcome: str, answer: Any = None, message: str = "") -> None:
        self.case, self.outcome, self.answer, self.message = case, outcome, answer, message

    @classmethod
    def of(cls, case: Case, said: Said) -> "Record":
        """Judge an answer, and return the record."""
        outcome = judged(case, said)
        if outcome == "garbled":
            form = _RESULTS.get(case["operation"], "a text")
            said_so = shown(json.dumps(said.get("result")), _QUOTED)
            message = f"The result of {case['operation']} should be {form}, not {said_so}."
            return cls(case, outcome, message=message)
        message = str(said.get("rejected", said.get("skip", "")))
        return cls(case, outcome, said.get("result"), message)

    @property
    def is_required(self) -> bool:
        """Whether the case was run, and a library has to pass it."""
        return self.case["class"] != "may" and self.outcome != "skipped"

    @property
    def is_failure(self) -> bool:
        """Whether the library fails the case; in an optional one it may crash."""
        return self.outcome == "failed" or (self.is_required and self.outcome in FAILURES)

    def sentence(self) -> str:
        """Return a sentence with the question, the expected answer and the actual one."""
        case = self.case
        name = ASKED[case["operation"]]
        asked = shown(case[name]) if name else "all moves"
        where = f" in {shown(case['fen'])}" if "fen" in case else ""
        return f"{case['operation']}: {asked}{where}: {self._answered()}."

    def text(self) -> str:
        """Return that sentence, followed by the rule."""
        return f"{self.sentence()} Tested: {shown(self.case['why'], 1000)}"

    def _answered(self) -> str:
        operation, answer = self.case["operation"], self.answer
        due: Any = self.case.get("expected")
        if self.case["class"] == "must not":
            wanted = "must be rejected"
        elif operation == "play":
            wanted = f"expected {_one_of(due)}"
        else:
            wanted = f"expected {shown(due)}"
        if self.outcome in FAILURES[1:]:
            message = f"{self.message[:1].lower()}{self.message[1:]}".rstrip(".")
            return f"{wanted}, {self.outcome}: {shown(message, 2 * MAX_MESSAGE)}"
        if answer is None:
            return f"{wanted}, rejected: {shown(self.message)}"
        if self.case["class"] == "must not":
            return f"{wanted}, was accepted: {shown(answer)}"
        if operation == "moves":
            moves, others = Counter[str](due), Counter[str](answer)
            pairs = (("missing", moves - others), ("extra", others - moves))
            return "; ".join(f"{word}: {_some(sorted(m.elements()))}" for word, m in pairs if m)
        return (
            _of_game(due, answer) if operation == "game" else f"{wanted}, answered {shown(answer)}"
        )


def _of_game(due: Any, answer: Any) -> str:
    """Return the first move of a game that differs, or the position after all of them."""
    moves, others = due["moves"], answer["moves"]
    for ply, (move, other) in enumerate(zip(moves, others, strict=False), 1):
        if move != other:
            return f"expected {shown(move)} at ply {ply}, answered {shown(other)}"
    if len(moves) != len(others):
        return f"expected {len(moves)} moves, answered {len(others)}"
    return f"expected {_one_of(due['fen'])} at the end, answered {shown(answer['fen'])}"


def shown(value: Any, most: int = MAX_MESSAGE) -> str:
    """Quote and escape an answer or a text for a sentence, unless it is plain, and cut it."""
    if isinstance(value, dict):
        value = value.get("moves", "")
    if isinstance(value, list):
        return f"{len(value)} moves: {_some(value)}"
    text = str(value)
    text = text if len(text) <= most else f"{text[: most - 3]}..."
    plain = text.isascii() and text.isprintable() and text == text.strip() != ""
    return text if plain and not text.startswith("::") else ascii(text)


def _some(moves: Sequence[str]) -> str:
    more = f" and {len(moves) - MAX_MOVES} more" if len(moves) > MAX_MOVES else ""
    return ", ".join(map(shown, moves[:MAX_MOVES])) + more


def _one_of(fens: Mapping[str, str]) -> str:
    return " or ".join(map(shown, dict.fromkeys(fens.values())))


def features_of(case: Case) -> list[str]:
    """Return the features that a case can share with others."""
    area = f"{case['mechanism'].partition('.')[0]}.*"
    others = case.get("features") or ([case["colour"]] if "colour" in case else [])
    return [case["mechanism"], area, case["operation"], *others]


def groups(failures: Iterable[Record], records: Iterable[Record]) -> list[tuple[str, list[Record]]]:
    """Group failures by one or two features that they share and that no passing case has.

    Failures without such features are grouped by operation and mechanism. Those of ``moves`` are
    one group, because their mechanisms are about the position, and not about the moves that fail.
    Each group has a heading. The largest group comes first, and in a group the smallest position.
    """
    left = sorted(failures, key=lambda record: _size(record.case))
    known = {feature for record in left for feature in features_of(record.case)}
    common = {id(record): _common(record.case, known) for record in left}
    failed = Counter(features for some in common.values() for features in some)
    asked = Counter[tuple[str, ...]]()
    for record in records if left else ():
        if record.is_required or record.is_failure:
            asked.update(some for some in _common(record.case, known) if some in failed)
    own = Counter({features: n for features, n in failed.items() if 1 < n == asked[features]})
    found = []
    while left:
        features = max(own, key=lambda some: (own[some], -len(some)), default=())
        if own[features] < 2:
            case = left[0].case
            is_list = case["operation"] == "moves"
            features = ("moves",) if is_list else (case["mechanism"], case["operation"])
        group = [record for record in left if features in common[id(record)]]
        left = [record for record in left if features not in common[id(record)]]
        for record in group:
            own.subtract(some for some in common[id(record)] if some in own)
        number, of = len(group), asked[features]
        count = f"all {number:,}" if number == of > 1 else f"{number:,} of {of:,}"
        heading = f"{group[0].case['id']} ({count} cases of {' and '.join(features)} fail)"
        found.append((shown(heading), group))
    return found


def _common(case: Case, known: set[str]) -> list[tuple[str, ...]]:
    features = [feature for feature in features_of(case) if feature in known]
    return [*combinations(features, 1), *combinations(features, 2)]


def _size(case: Case) -> tuple[int, int, str]:
    pieces = sum(map(str.isalpha, case.get("fen", "").partition(" ")[0]))
    return pieces, case.get("plies", 0), case["id"]


def by_operation(records: Iterable[Record]) -> str:
    """Return a sentence that counts failures by operation, or an empty text if there are none."""
    asked, failed = Counter[str](), Counter[str]()
    for record in records:
        asked[record.case["operation"]] += record.is_required or record.is_failure
        failed[record.case["operation"]] += record.is_failure
    parts = [f"{name} {failed[name]:,} of {asked[name]:,}" for name in ASKED if asked[name]]
    return f"Failed: {', '.join(parts)}." if failed.total() else ""


def skips(records: Iterable[Record]) -> list[str]:
    """Return the reasons why cases were skipped, with their numbers, the most frequent first."""
    whys = Counter(r.message for r in records if r.outcome == "skipped" and r.message)
    return [
        f"Skipped {number:,}, optional cases included: {shown(why)}"
        for why, number in whys.most_common(MAX_WHYS)
    ]


def castling_note(records: Iterable[Record]) -> str:
    """Return a hint for an adapter that answers castling as the king's move to its rook."""
    for case, answer in ((record.case, record.answer) for record in records):
        move = case.get("expected") if case["operation"] == "read" else None
        if isinstance(move, str) and answer == TAKES_ROOK.get(move, move) != move:
            return (
                f"{shown(case['id'])}: castling came as {answer}, the king on his rook. The suite "
                f"writes {move}, the king's own move: does the adapter translate it?"
            )
    return ""


def counted(title: str, records: Sequence[Record], known: int) -> str:
    """Return a sentence that counts outcomes; ``known`` of the failures are expected."""
    free = Counter(r.outcome for r in records if r.case["class"] == "may")
    judged = Counter(r.outcome for r in records) - free
    asked = judged.total() - judged["skipped"]
    failed = asked - judged["passed"]
    line = f"{title}: {judged['passed']:,} of {asked:,} cases passed"
    line += f", {failed:,} failed" if failed else ""
    line += f", {judged['skipped']:,} skipped" if judged["skipped"] else ""
    if free:
        counts = ", ".join(f"{free[word]:,} {word}" for word in sorted(free))
        line += f". Another {free.total():,} cases are optional: {counts}"
    return f"{line}. Expected failures: {known:,}." if known else f"{line}."


class Report:
    """The result of a suite for a library.

    Attributes:
        failures: The records of failed cases.
        unexpected: Those of them that no pattern of ``known`` matches.
        mended: The patterns whose cases all pass.
        dropped: The patterns that match no case of the suite.
    """

    def __init__(
        self,
        suite: Mapping[str, Any],
        title: str,
        records: Sequence[Record],
        known: Sequence[str] = (),
        ended: str = "",
        notes: Sequence[str] = (),
    ) -> None:
        self.suite, self.records = suite, records
        self.title = shown(title).replace("::", ": :")  # a line of a log, and no command
        self.ended, self.notes = ended and shown(ended, 2 * MAX_MESSAGE), [*map(shown, notes)]
        self.failures = [record for record in records if record.is_failure]
        failed = {record.case["id"] for record in self.failures}
        asked = {record.case["id"] for record in records if record.is_required}
        self.known = {name for name in failed if matches(name, known)}
        self.unexpected = [r for r in self.failures if r.case["id"] not in self.known]
        self.mended = [
            p for p in known if fnmatch.filter(asked, p) and not fnmatch.filter(failed, p)
        ]
        ids = [case["id"] for case in suite["cases"]]
        self.dropped = [pattern for pattern in known if not fnmatch.filter(ids, pattern)]

    @property
    def surprises(self) -> list[Any]:
        """The unexpected failures, and the expected ones that pass. Empty if the run is fine."""
        return [*self.unexpected, *self.mended]

    @property
    def is_untested(self) -> bool:
        """Whether all cases were skipped."""
        return all(record.outcome == "skipped" for record in self.records)

    @property
    def headline(self) -> str:
        """The counts of outcomes, in a sentence."""
        return counted(self.title, self.records, len(self.known))

    def groups(self) -> list[tuple[str, list[Record]]]:
        """Group the unexpected failures."""
        return groups(self.unexpected, self.records)

    def text(self, limit: int = 20) -> str:
        """Return the report for people, with at most ``limit`` groups of failures."""
        hint = castling_note(self.failures)
        notes = (by_operation(self.records), *skips(self.records), *self.notes, hint)
        lines = [self.headline, *(f"  {note}" for note in notes if note)]
        found = self.groups()
        for name, (first, *_) in found[:limit]:
            why = shown(first.case["why"], 1000)
            lines += [f"  {name}", f"      {first.sentence()}", f"      Tested: {why}"]
        if len(found) > limit:
            lines.append(f"  ... and {len(found) - limit} more groups of failures.")
        lines += [f"  {shown(p)} passes: it is no expected failure any more." for p in self.mended]
        lines += [f"  {shown(p)} is no case of this version; it is left out." for p in self.dropped]
        lines += [f"  The run is incomplete: the adapter {self.ended}."] if self.ended else []
        return "\n".join(lines)

    def junit(self) -> str:
        """Return the report as JUnit XML."""
        return f'<?xml version="1.0" encoding="UTF-8"?>\n{self.testsuite()}'

    def testsuite(self) -> str:
        """Return the element of JUnit XML about this library."""
        cases = [self._testcase(record) for record in self.records]
        mended = "it passes: it is no expected failure any more"
        cases += [_element("known", name, "failure", mended) for name in self.mended]
        cases += [_element("adapter", "ends", "error", self.ended)] if self.ended else []
        counts = f'tests="{len(cases)}" failures="{len(self.surprises)}"'
        counts += f' errors="{int(bool(self.ended))}"'
        head = f'<testsuite name="{escape(self.title)}" {counts}>'
        return "\n".join([head, *cases, "</testsuite>"])

    def _testcase(self, record: Record) -> str:
        names = record.case["mechanism"], record.case["id"]
        if record.outcome == "skipped":
            return _element(*names, "skipped", shown(record.message))
        if record.case["id"] in self.known:
            return _element(*names, "skipped", "an expected failure")
        if record.is_failure:
            return _element(*names, "failure", record.text())
        return _element(*names)

    def github(self, limit: int = 20) -> str:
        """Return at most ``limit`` groups of failures as GitHub's annotations, and a sentence."""
        lines = [
            f"::error title={_property(f'{self.title}: {name}')}::{_data(found[0].text())}"
            for name, found in self.groups()[:limit]
        ]
        mended, dropped = (map(_data, map(shown, some)) for some in (self.mended, self.dropped))
        lines += [f"::error::{p} passes: it is no expected failure any more." for p in mended]
        lines += [f"::warning::{p} is no case of this version." for p in dropped]
        lines += [f"::error::It {_data(self.ended)}."] if self.ended else []
        return "\n".join([*lines, self.headline])

    def known_lines(self) -> str:
        """Return the content of a file of expected failures, with the present failures."""
        head = f"# {self.title}, suite {self.suite['version']}: an id or a pattern a line."
        return "\n".join([head, *sorted(r.case["id"] for r in self.failures)]) + "\n"


def _element(group: str, name: str, kind: str = "", text: str = "") -> str:
    """Return a test case in JUnit's XML."""
    head = f'<testcase classname="{escape(shown(group))}" name="{escape(shown(name))}"'
    return f"{head}><{kind}>{escape(text)}</{kind}></testcase>" if kind else f"{head}/>"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def ask(
    suite: Mapping[str, Any],
    functions: Mapping[str, Callable[[dict[str, Any]], Any]],
    known: Sequence[str] = (),
    only: Sequence[str] = (),
    skip: Sequence[str] = (),
    title: str = "the library",
    from_game: bool = False,
) -> Report:
    """Run a suite on a library in this process, with a function for each operation that it offers.

    A function raises Skip if a case cannot be asked, and any other exception if the library rejects
    it.
    """

    def answer(asked: dict[str, Any]) -> Said:
        try:
            return {"result": functions[asked["operation"]](asked)}
        except Skip as why:
            return {"skip": str(why)}
        except Exception as error:  # whatever a library raises is its way to say no
            return {"rejected": str(error)}

    records = []
    for case in chosen(suite["cases"], only, skip):
        if why := not_asked(case, functions, from_game):
            records.append(Record(case, "skipped", message=why))
        else:
            records.append(Record.of(case, answer(question(case, suite["games"], from_game))))
    return Report(suite, title, records, known)


def not_asked(case: Case, operations: Iterable[str], from_game: bool) -> str:
    """Return why a library cannot be asked a case, or an empty text if it can."""
    if case["operation"] not in operations:
        return f"It does not offer the operation {case['operation']}."
    if from_game and "fen" in case and "game" not in case:
        return "It takes moves and no FEN, and no game leads to this position."
    return ""


def chosen(cases: Iterable[Case], only: Sequence[str], skip: Sequence[str]) -> list[Case]:
    """Return the cases that match a pattern of ``only``, if there are any, and none of ``skip``.

    Raises Misuse if a pattern matches no case, or no case is left.
    """
    cases = list(cases)
    for pattern in (*only, *skip):
        if not any(fnmatch.fnmatchcase(case["id"], pattern) for case in cases):
            raise Misuse(f"The pattern {shown(pattern)} matches no case of the suite.")
    found = [
        c for c in cases if (not only or matches(c["id"], only)) and not matches(c["id"], skip)
    ]
    if not found:
        raise Misuse("The patterns leave no case to ask.")
    return found


def matches(name: str, patterns: Iterable[str]) -> bool:
    """Check whether a name matches one of some shell patterns."""
    return any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns)


class Adapter:
    """An adapter in a process of its own, which is started again when it breaks down.

    Attributes:
        greeting: The object in its first line, or an empty one before that.
        ended: Why it is not started again, as the rest of a sentence about it, or an empty text.
        restarts: The number of times that it was started again.
        notes: What went wrong without a case at fault.
    """

    def __init__(
        self,
        command: Sequence[str],
        timeout: float,
        started: Callable[[int], object] = lambda _: None,
    ) -> None:
        """Prepare to start ``command``. ``started`` is called with the number of each process."""
        self.command, self.timeout, self._started = command, timeout, started
        self.greeting: dict[str, Any] = {}
        self.ended = ""
        self.restarts = 0
        self.notes: list[str] = []
        self._process: Any = None
        self._is_closed = False
        self._in_a_row = self._hangs = 0

    @property
    def title(self) -> str:
        """The name of the library, with its version and settings."""
        settings = f" ({self.greeting['settings']})" if self.greeting.get("settings") else ""
        return f"{self.greeting['name']} {self.greeting['version']}{settings}"

    def remarks(self) -> list[str]:
        """Return remarks about the adapter that are not about a case."""
        often = "once" if self.restarts == 1 else f"{self.restarts} times"
        return self.notes + ([f"The adapter was started again {often}."] if self.restarts else [])

    def ask(
        self, cases: Iterable[Case], games: Sequence[str] = (), from_game: bool = False
    ) -> Iterator[Record]:
        """Run cases in their order until the adapter is given up, and yield their records."""
        try:
            self._start()
        except Broken as broken:
            self.ended = broken.message
            self.close()
            return
        from_game = from_game or self.greeting.get("from") == "game"
        for number, case in enumerate(cases, start=1):
            if why := not_asked(case, self.greeting["operations"], from_game):
                yield Record(case, "skipped", message=why)
            else:
                yield self._record(case, {"id": number} | question(case, games, from_game))
            if self.ended:
                return
        self._end_input()

    def _record(self, case: Case, asked: Mapping[str, Any]) -> Record:
        """Ask a case; again if the adapter crashes, for that may not be the case's fault."""
        crash: Broken | None = None
        while True:
            try:
                found = Record.of(case, self._answer(asked))
            except Broken as broken:
                self._restart(broken)
                if crash or self.ended or broken.outcome != "crashed":
                    return Record(case, broken.outcome, message=f"It {broken.message}.")
                crash = broken
            else:
                if crash:
                    self.notes.append(f"At {case['id']} it {crash.message}, and not again.")
                self._in_a_row = 0
                return found

    def _answer(self, asked: Mapping[str, Any]) -> Said:
        line = self._line(json.dumps(asked).encode() + b"\n")
        said = _object(line, "an answer")
        if type(said.get("id")) is not int or said["id"] != asked["id"]:
            raise Broken("garbled", f'answered a case with another "id": {_quoted(line)}')
        given = [name for name in ANSWERS if name in said]
        if len(given) != 1:
            raise Broken("garbled", f"wrote an answer with not exactly one of {', '.join(ANSWERS)}")
        if given != ["result"] and not isinstance(said[given[0]], str):
            raise Broken("garbled", f'wrote an answer whose "{given[0]}" is no text')
        return said

    def _line(self, asked: bytes = b"") -> bytes:
        """Write what is asked, and return the next line; if that takes too long, kill it."""
        process, is_late = self._process, threading.Event()

        def give_up() -> None:
            is_late.set()
            _kill(process)

        timer = threading.Timer(self.timeout, give_up)
        timer.start()
        try:
            with contextlib.suppress(OSError):  # it reads no more; its output shows how it is
                process.stdin.write(asked)
                process.stdin.flush()
            line: bytes = process.stdout.readline(MAX_BYTES + 1)
        finally:
            timer.cancel()
        if is_late.is_set():
            what = f"did not answer within {self.timeout:g} s"
            first = f"wrote no line within {self.timeout:g} s (does it flush its output?)"
            raise Broken("hung", what if asked else first)
        if not line:
            when = "" if asked else " before it printed its first line"
            raise Broken("crashed", self._how_it_ended(when))
        if len(line) > MAX_BYTES:
            raise Broken("garbled", f"wrote a line of more than {MAX_BYTES:,} bytes")
        return line

    def _start(self) -> None:
        """Start a process, and read its greeting."""
        if self._is_closed:
            raise Broken("crashed", "was closed")
        pipe, apart = subprocess.PIPE, hasattr(os, "killpg")
        try:
            process = subprocess.Popen(
                self.command, stdin=pipe, stdout=pipe, stderr=pipe, start_new_session=apart
            )
        except OSError as error:
            raise Broken("crashed", f"cannot be started: {error.strerror}") from error
        self._process = process
        self._started(process.pid)
        self._errors = bytearray()
        drained = (process.stderr, self._errors)
        self._drain = threading.Thread(target=_drain, args=drained, daemon=True)
        self._drain.start()
        greeting = _object(self._line(), "a greeting")
        _check_greeting(greeting)
        self.greeting = self.greeting or greeting

    def _restart(self, broken: Broken) -> None:
        """Kill the process, and start it again unless it has broken down too often."""
        self.close(for_good=False)
        self._in_a_row += 1
        self._hangs += broken.outcome == "hung"
        if self._in_a_row == MAX_IN_A_ROW:
            self.ended = f"broke down {MAX_IN_A_ROW} times in a row without an answer"
        elif self._hangs == MAX_HANGS:
            self.ended = f"did not answer in time {MAX_HANGS} times"
        if self.ended:
            self.ended += f"; the last time it {broken.message}"
            return
        self.restarts += 1
        try:
            self._start()
        except Broken as another:
            self.close()
            self.ended = f"could not be started again: it {another.message}"

    def _end_input(self) -> None:
        """Let it end by itself, for a while."""
        with contextlib.suppress(OSError, subprocess.TimeoutExpired):
            self._process.stdin.close()
            self._process.wait(LAST_SECONDS)
        self.close()

    def _how_it_ended(self, when: str) -> str:
        """Return how the process ended, and why; it may also have closed its output, and go on."""
        try:
            code = self._process.wait(timeout=1)
            how = f"ended (exit code {code})" if code >= 0 else f"was ended by signal {-code}"
            self._drain.join(1)
        except subprocess.TimeoutExpired:
            how = "closed its output"
        said = self._errors.decode("utf-8", "replace").strip()
        if not said:
            return how + when
        cause = _CAUSE.search(said)
        line = (cause[0] if cause else said.splitlines()[-1]).strip()
        return f"{how}{when}; its standard error says {_quoted(line.encode(), MAX_MESSAGE)}"

    def close(self, for_good: bool = True) -> None:
        """End the process, and all processes that it started."""
        self._is_closed |= for_good
        process, self._process = self._process, None
        if process is not None:
            _kill(process)
            process.wait()
            for pipe in (process.stdin, process.stdout):
                with contextlib.suppress(OSError):  # what it did not read is lost
                    pipe.close()


def _kill(process: "subprocess.Popen[bytes]") -> None:
    with contextlib.suppress(OSError):  # it has ended
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()


def _check_greeting(greeting: Mapping[str, Any]) -> None:
    """Check the first line of an adapter."""
    if type(greeting.get("sanproof")) is not int or greeting["sanproof"] != 1:
        found = shown(json.dumps(greeting.get("sanproof")), _QUOTED)
        raise Broken("garbled", f'greeted with "sanproof": {found}, which should be 1')
    for name in ("name", "version", "language"):
        if not isinstance(greeting.get(name), str) or not greeting[name]:
            raise Broken("garbled", f'greeted without a text "{name}"')
    if not isinstance(greeting.get("settings", ""), str):
        raise Broken("garbled", 'greeted with "settings" that are no text')
    offered = greeting.get("operations", [])
    if not _is_texts(offered) or not set(ASKED).intersection(offered):
        raise Broken("garbled", f'greeted without "operations" such as {", ".join(ASKED)}')
    if greeting.get("from", "fen") not in ("fen", "game"):
        raise Broken("garbled", 'greeted with a "from" that is neither "fen" nor "game"')


def _drain(stream: IO[bytes], kept: bytearray) -> None:
    """Read all that comes, and keep the beginning and the end of it."""
    with stream:
        while piece := os.read(stream.fileno(), 1 << 16):
            kept += piece
            del kept[1 << 13 : -400]


def _object(line: bytes, what: str) -> dict[str, Any]:
    """Return the JSON object that a line is."""
    try:
        found = json.loads(line.decode("utf-8"))
    except (ValueError, RecursionError):
        why = f"wrote a line that is not {what} in JSON: {_quoted(line)}"
        raise Broken("garbled", why) from None
    if not isinstance(found, dict):
        raise Broken("garbled", f"wrote a line that is not {what}: {_quoted(line)}")
    return found


def _quoted(line: bytes, most: int = _QUOTED) -> str:
    """Return the beginning of a line as it can be printed anywhere."""
    text = line[: 4 * most].decode("utf-8", "replace").rstrip("\r\n")
    return ascii(text if len(text) <= most else f"{text[:most]}...")


def read_known(path: str) -> list[str]:
    """Return the ids and patterns in a file of expected failures, where a # begins a comment."""
    try:
        text = Path(path).read_text("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Misuse(f"{shown(path)} is no text in UTF-8.") from error
    lines = (line.partition("#")[0].strip() for line in text.splitlines())
    return list(dict.fromkeys(line for line in lines if line))


def options(arguments: "Sequence[str] | None") -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="sanproof_runner.py", description="Ask a chess library the sanproof conformance suite."
    )
    parser.add_argument("suite", help="the suite: smoke.json or core.json")
    parser.add_argument("command", nargs="+", help="what starts the adapter; write -- before it")
    parser.add_argument("--only", action="append", default=[], metavar="PATTERN")
    parser.add_argument("--skip", action="append", default=[], metavar="PATTERN")
    parser.add_argument("--known", metavar="FILE", help="failures that are expected")
    parser.add_argument("--write-known", metavar="FILE", help="write the failures of this run")
    parser.add_argument("--timeout", type=float, default=10, metavar="SECONDS")
    parser.add_argument("--format", choices=["text", "junit", "github"], default="text")
    parser.add_argument("--limit", type=int, default=20, help="groups of failures shown")
    parser.add_argument("--from-game", action="store_true", help="send moves, and no FEN")
    return parser.parse_args(arguments)


def main(arguments: "Sequence[str] | None" = None) -> int:
    """Run the suite as a program with these arguments, and return the exit code."""
    given = options(arguments)
    suite, command = load(given.suite), given.command
    known = read_known(given.known) if given.known else []
    cases = chosen(suite["cases"], given.only, given.skip)
    if not 0 < given.timeout <= MAX_SECONDS:
        raise Misuse(f"--timeout takes seconds above 0, at most {MAX_SECONDS}.")
    if given.write_known and not Path(given.write_known).parent.is_dir():
        raise Misuse(f"{given.write_known} cannot be written: its folder does not exist.")
    try:
        words = shlex.split(command[0]) if len(command) == 1 else command
    except ValueError as error:
        raise Misuse(f"{command[0]} is not a command: {error}.") from error
    adapter = Adapter(words, given.timeout)
    try:
        records = list(adapter.ask(cases, suite["games"], given.from_game))
    finally:
        adapter.close()
    if not adapter.greeting:
        raise Misuse(f"The adapter {adapter.ended}.", 4)
    records += [Record(case, "skipped") for case in cases[len(records) :]]
    report = Report(suite, adapter.title, records, known, adapter.ended, adapter.remarks())
    forms = {"text": report.text, "github": report.github, "junit": lambda _: report.junit()}
    print(forms[given.format](given.limit))
    if given.write_known:
        Path(given.write_known).write_text(report.known_lines(), encoding="utf-8")
    if report.ended or report.is_untested:
        return 4
    return 1 if report.surprises and not given.write_known else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except OSError as error:
        print(
            f"{shown(error.filename or 'The output')} cannot be used: {error.strerror}.",
            file=sys.stderr,
        )
        sys.exit(2)
    except Misuse as misuse:
        print(shown(misuse, 1000), file=sys.stderr)
        sys.exit(misuse.code)
