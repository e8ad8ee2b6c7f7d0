#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Asks a chess library the cases of the sanproof conformance suite. One file, nothing to install.

As a program, with an adapter that speaks JSON lines (docs/test-your-library.md):

    python sanproof_runner.py core.json -- ./adapter

From a test, with functions that take a case and return the answer, or raise an exception if the
library rejects it:

    import sanproof_runner as runner
    suite = runner.load("core.json")
    report = runner.ask(suite, {"read": lambda case: my_read(case["fen"], case["san"])})
    assert not report.surprises, report.text()

Exit codes: 0 all passes that can fail or is known, 1 something fails or a known failure passes,
2 misuse, 4 the adapter did not start or was given up. Copy this file where you like (MIT).
"""

import argparse
import contextlib
import fnmatch
import json
import os
import queue
import re
import shlex
import signal
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import IO, Any

Case = Mapping[str, Any]
"""A case as it stands in the file of a suite."""
Said = Mapping[str, Any]
"""An answer: an object with one of result, rejected and skip."""
ASKED = {"read": "san", "write": "uci", "moves": None, "play": "san", "game": "pgn"}
"""The operations, and under which name each has its question."""
FAILURES = ("failed", "crashed", "hung", "garbled")
REJECTED = {"must": "failed", "must not": "passed", "may": "rejected"}
TEXTS = ("id", "operation", "class", "mechanism", "why")
"""The entries that each case has."""
ANSWERS = ("result", "rejected", "skip")
TAKES_ROOK = {"e1g1": "e1h1", "e1c1": "e1a1", "e8g8": "e8h8", "e8c8": "e8a8"}
"""Castling in UCI, and as programs for Chess960 write it."""
UNUSED = "exit code if all is well, but a known failure names no case of the suite (0: a warning)"
MAX_SECONDS = 1_000_000
MAX_IN_A_ROW = 25
"""An adapter is given up after so many breakdowns without an answer in between."""
MAX_HANGS = 25
MAX_STARTS = 500
MAX_SILENT_STARTS = 3
"""So often an adapter may fail to greet again, after it has greeted once."""
MAX_BYTES = 1 << 20
"""A longer line is no answer."""
MAX_SHOWN = 200
"""So many characters of an adapter's text are shown."""
MAX_MESSAGE = 300
"""So many characters of what was asked and answered are shown."""
MAX_MOVES = 8
"""So many moves of an answer are shown."""
MAX_WHYS = 6
"""So many reasons for skipped cases are shown."""
LAST_SECONDS = 2.0
"""So long may an adapter take to end when its input has ended."""
_QUOTED = 60
_PIPE = 4096
"""So many bytes fit into a pipe that is empty: cases are written ahead as far as that."""
_MAX_LINES = 16
"""So many lines of an adapter wait until they are read."""
_CAUSE = re.compile(r"^(?:[\w.]*(?:Error|Exception)\b|(?:error|fatal)\b).*", re.MULTILINE)
"""The line that says what is wrong: Python's is the last, that of Node.js is followed by others."""


class Misuse(Exception):
    """An error that the user can mend; the message is a sentence."""


class Skip(Exception):
    """Raised by a function of a test whose library cannot be asked this."""


class Broken(Exception):
    """The adapter crashed, hung or answered garbage: the outcome, and what it did.

    ``is_late`` says that the case before is at fault: it was answered twice.
    """

    def __init__(self, outcome: str, message: str, is_late: bool = False) -> None:
        super().__init__(message)
        self.outcome, self.message, self.is_late = outcome, message, is_late


def load(path: str) -> Any:
    """Read the suite in a file, checked as far as this program relies on it."""
    try:
        with open(path, "rb") as file:
            return suite_of(file.read(), path)
    except OSError as error:
        raise Misuse(f"{shown(path)} cannot be read: {error.strerror}.") from error


def suite_of(content: bytes, path: str) -> Any:
    """Read the suite in the content of a file."""
    path = shown(path)
    try:
        suite = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise Misuse(f"{path} is not JSON.") from error
    if not isinstance(suite, dict) or suite.get("suite") != "sanproof conformance":
        raise Misuse(f"{path} is not a conformance suite.")
    if suite.get("format") != 1:
        raise Misuse(f"{path} has a format that this program does not know.")
    if not all(isinstance(suite.get(name), str) for name in ("version", "level")):
        raise Misuse(f"{path} is not a conformance suite: it lacks version or level.")
    games, cases = suite.get("games"), suite.get("cases")
    if not (isinstance(games, list) and _is_texts(games) and isinstance(cases, list)):
        raise Misuse(f"{path} is not a conformance suite: it lacks games or cases.")
    for number, case in enumerate(cases, start=1):
        if not is_case(case, len(games)):
            raise Misuse(f"{path} is not a conformance suite: its case {number} is not one.")
    return suite


def is_case(case: Any, games: int) -> bool:
    """Check whether a case of a suite with so many games has what this program reads of it."""
    if not (isinstance(case, dict) and all(isinstance(case.get(name), str) for name in TEXTS)):
        return False
    operation, expected = case["operation"], case.get("expected")
    if operation not in ASKED or case["class"] not in REJECTED:
        return False
    is_asked = ASKED[operation] is None or isinstance(case.get(ASKED[operation]), str)
    is_there = isinstance(case.get("fen", ""), str) and (
        "game" not in case or (case["game"] in range(games) and type(case.get("plies")) is int)
    )
    return is_asked and is_there and (expected is None or _can_agree(operation, expected))


def _can_agree(operation: str, expected: Any) -> bool:
    """Check whether what is expected has the type with which a result is compared."""
    if operation == "moves":
        return _is_texts(expected)
    if operation not in ("play", "game"):
        return isinstance(expected, str)
    if operation == "play" or not isinstance(expected, dict):
        return isinstance(expected, dict)
    return _is_texts(expected.get("moves")) and isinstance(expected.get("fen"), dict)


def question(case: Case, games: Sequence[str], from_game: bool = False) -> dict[str, Any]:
    """Return what a library is asked: never what is expected."""
    asked = {"operation": case["operation"]}
    if from_game and "fen" in case:
        asked["moves"] = games[case["game"]].split()[: case["plies"]]
    elif "fen" in case:
        asked["fen"] = case["fen"]
    name = ASKED[case["operation"]]
    return asked | ({name: case[name]} if name else {})


def judged(case: Case, said: Said) -> str:
    """Return the outcome of an answer; where the library may choose, accepted or rejected.

    Reading a text as another move is a failure there too.

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


def is_well_formed(operation: str, value: Any) -> bool:
    """Check whether a result has the type that the operation asks for."""
    if operation == "moves":
        return _is_texts(value)
    if operation == "game":
        return (
            isinstance(value, dict)
            and _is_texts(value.get("moves"))
            and isinstance(value.get("fen"), str)
        )
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
    """A case and what became of it; the answer is what came, the message says more."""

    def __init__(self, case: Case, outcome: str, answer: Any = None, message: str = "") -> None:
        self.case, self.outcome, self.answer, self.message = case, outcome, answer, message

    @classmethod
    def of(cls, case: Case, said: Said) -> "Record":
        """Make the record of an answer."""
        message, outcome = str(said.get("rejected", said.get("skip", ""))), judged(case, said)
        if outcome == "garbled":
            form = f"Its result has not the form of the operation {case['operation']}."
            return cls(case, outcome, None, form)
        return cls(case, outcome, said.get("result"), message)

    def break_down(self, broken: Broken) -> None:
        """The adapter broke down with this case."""
        self.outcome, self.answer, self.message = broken.outcome, None, f"It {broken.message}."

    @property
    def is_failure(self) -> bool:
        """Check whether it fails its case: what is up to the library may break down."""
        can_fail = self.case["class"] != "may"
        return self.outcome == "failed" or (can_fail and self.outcome in FAILURES)

    def sentence(self) -> str:
        """Return what was asked, what was expected and what came."""
        case = self.case
        name = ASKED[case["operation"]]
        asked = brief(case[name]) if name else "All moves"
        where = f" in {brief(case['fen'])}" if "fen" in case else ""
        return f"{case['operation']}: {asked}{where}: {_expected(case)}, {self._came()}."

    def text(self) -> str:
        """Return that sentence and the rule."""
        return f"{self.sentence()} {brief(self.case['why'], 1000)}"

    def _came(self) -> str:
        case, answer = self.case, self.answer
        if self.outcome in FAILURES[1:]:
            message = f"{self.message[:1].lower()}{self.message[1:]}".rstrip(".")
            return f"{self.outcome}: {brief(message, 2 * MAX_MESSAGE)}"
        if answer is None:
            return f"rejected: {brief(self.message)}"
        if case["class"] == "must not":
            return f"was accepted: {brief(answer)}"
        if case["operation"] == "moves":
            due, came = Counter[str](case["expected"]), Counter[str](answer)
            pairs = (("missing", due - came), ("too many", came - due))
            return "; ".join(f"{word}: {_some(sorted(m.elements()))}" for word, m in pairs if m)
        if case["operation"] == "game":
            return _difference(case["expected"], answer)
        return f"answered {brief(answer)}"


def _expected(case: Case) -> str:
    if case["class"] == "must not":
        return "must be rejected"
    if case["operation"] in ("moves", "game"):
        return "expected other moves"
    if case["operation"] == "play":
        return f"expected {_one_of(case['expected'])}"
    return f"expected {brief(case.get('expected'))}"


def _difference(expected: Any, answer: Any) -> str:
    """Return the first move of a game that differs, or the position after all of them."""
    moves, others = expected["moves"], answer["moves"]
    for ply, (move, other) in enumerate(zip(moves, others, strict=False), 1):
        if move != other:
            return f"ply {ply} is {brief(move)} and not {brief(other)}"
    if len(moves) != len(others):
        return f"there are {len(moves)} of them and not {len(others)}"
    return f"they lead to {_one_of(expected['fen'])} and not to {brief(answer['fen'])}"


def brief(value: Any, most: int = MAX_MESSAGE) -> str:
    """Return an answer or a text for a sentence: cut, and in quotes unless it is plain."""
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
    return ", ".join(map(brief, moves[:MAX_MOVES])) + more


def _one_of(fens: Mapping[str, str]) -> str:
    return " or ".join(map(brief, dict.fromkeys(fens.values())))


def by_mechanism(failures: Iterable[Record]) -> list[tuple[tuple[str, str], list[Record]]]:
    """Group failures by operation and mechanism: mostly one bug each, the smallest board first."""
    groups: dict[tuple[str, str], list[Record]] = {}
    for one in sorted(failures, key=lambda one: _size(one.case)):
        groups.setdefault((one.case["operation"], one.case["mechanism"]), []).append(one)
    places = list(ASKED)
    return sorted(groups.items(), key=lambda group: (places.index(group[0][0]), group[0][1]))


def _size(case: Case) -> tuple[int, int, str]:
    pieces = sum(map(str.isalpha, case.get("fen", "").partition(" ")[0]))
    return pieces, case.get("plies", 0), case["id"]


def alike(group: Sequence[object]) -> str:
    """Return how many cases fail beside the one that is shown; empty if none does."""
    return f" (and {len(group) - 1:,} more)" if len(group) > 1 else ""


def by_operation(records: Iterable[Record]) -> str:
    """Return a sentence that counts failures by operation; empty if nothing fails."""
    asked, failed = Counter[str](), dict[str, list[str]]()
    for record in records:
        case, can_fail = record.case, record.case["class"] != "may"
        asked[case["operation"]] += record.is_failure or (can_fail and record.outcome != "skipped")
        if record.is_failure:
            failed.setdefault(case["operation"], []).append(case["mechanism"])
    parts = []
    for name in filter(asked.get, ASKED):
        kinds = len(set(failed.get(name, ())))
        where = f" ({kinds:,} mechanism{'s' if kinds > 1 else ''})" if kinds else ""
        parts.append(f"{name} {len(failed.get(name, ())):,} of {asked[name]:,}{where}")
    return f"Failed: {', '.join(parts)}." if failed else ""


def skips(records: Iterable[Record]) -> list[str]:
    """Return why cases were skipped, and how many; the usual reasons first."""
    whys = Counter(r.message for r in records if r.outcome == "skipped")
    return [f"Skipped {number:,}: {brief(why)}" for why, number in whys.most_common(MAX_WHYS)]


def castling_note(records: Iterable[Record]) -> str:
    """Return a hint for an adapter that answers castling as the king's move to his rook."""
    for case, answer in ((record.case, record.answer) for record in records):
        move = case.get("expected") if case["operation"] == "read" else None
        if isinstance(move, str) and answer == TAKES_ROOK.get(move, move) != move:
            return (
                f"{brief(case['id'])}: castling came as {answer}, the king on his rook. The suite "
                f"writes {move}, the king's own move: does the adapter translate it?"
            )
    return ""


def counted(title: str, records: Sequence[Record], known: int) -> str:
    """Return a sentence that counts outcomes; known are so many of the failures."""
    free = Counter(r.outcome for r in records if r.case["class"] == "may" and not r.is_failure)
    judged = Counter(r.outcome for r in records) - free
    asked = judged.total() - judged["skipped"]
    failed = asked - judged["passed"]
    line = f"{title}: {judged['passed']:,} of {asked:,} cases passed"
    line += f", {failed:,} failed" if failed else ""
    line += f" ({known:,} of them known)" if failed and known else ""
    line += f", {judged['skipped']:,} skipped" if judged["skipped"] else ""
    if free:
        counts = ", ".join(f"{free[word]:,} {word}" for word in sorted(free))
        line += f"; of {free.total():,} that a library may accept or reject: {counts}"
    return f"{line}."


class Report:
    """The result of a suite for a library."""

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
        self.ended, self.notes = shown(ended, 2 * MAX_SHOWN), [*map(shown, notes)]
        self.failures = [record for record in records if record.is_failure]
        failed = {record.case["id"] for record in self.failures}
        asked = {
            record.case["id"]
            for record in records
            if record.outcome != "skipped" and record.case["class"] != "may"
        }
        self.known = {name for name in failed if matches(name, known)}
        self.unexpected = [r for r in self.failures if r.case["id"] not in self.known]
        self.mended = [
            p for p in known if fnmatch.filter(asked, p) and not fnmatch.filter(failed, p)
        ]
        ids = [case["id"] for case in suite["cases"]]
        self.dropped = [pattern for pattern in known if not fnmatch.filter(ids, pattern)]

    @property
    def surprises(self) -> list[Any]:
        """The failures of the run: those that are not known, and known ones that pass."""
        return [*self.unexpected, *self.mended]

    @property
    def is_untested(self) -> bool:
        return all(record.outcome == "skipped" for record in self.records)

    @property
    def headline(self) -> str:
        return counted(self.title, self.records, len(self.known))

    def text(self, limit: int = 20) -> str:
        hint = castling_note(self.failures)
        notes = (by_operation(self.records), *skips(self.records), *self.notes, hint)
        lines = [self.headline, *(f"  {note}" for note in notes if note)]
        groups = by_mechanism(self.unexpected)
        for _, group in groups[:limit]:
            first = group[0]
            lines += [f"  {brief(first.case['id'])}{alike(group)}", f"      {first.sentence()}"]
            lines += [f"      {brief(first.case['why'], 1000)}"]
        if len(groups) > limit:
            lines.append(f"  ... and {len(groups) - limit} more mechanisms.")
        lines += [f"  {shown(p)} is known to fail, and passes." for p in self.mended]
        lines += [f"  {shown(p)} is no case of this version; it is left out." for p in self.dropped]
        lines += [f"  Not all was asked: it {self.ended}."] if self.ended else []
        return "\n".join(lines)

    def junit(self) -> str:
        return f'<?xml version="1.0" encoding="UTF-8"?>\n{self.testsuite()}'

    def testsuite(self) -> str:
        cases = [self._testcase(record) for record in self.records]
        mended = "it is known to fail, and passes"
        cases += [_element("known", name, "failure", mended) for name in self.mended]
        cases += [_element("adapter", "ends", "error", self.ended)] if self.ended else []
        counts = f'tests="{len(cases)}" failures="{len(self.surprises)}"'
        counts += f' errors="{int(bool(self.ended))}"'
        head = f'<testsuite name="{escape(self.title)}" {counts}>'
        return "\n".join([head, *cases, "</testsuite>"])

    def _testcase(self, record: Record) -> str:
        names = record.case["mechanism"], record.case["id"]
        if record.outcome == "skipped":
            return _element(*names, "skipped", brief(record.message))
        if record.case["id"] in self.known:
            return _element(*names, "skipped", "a known failure")
        if record.is_failure:
            return _element(*names, "failure", record.text())
        return _element(*names)

    def github(self, limit: int = 20) -> str:
        groups = by_mechanism(self.unexpected)[:limit]
        lines = [
            f"::error title={_property(self._named(group))}::{_data(group[0].text())}"
            for _, group in groups
        ]
        lines += [f"::error::{_data(shown(p))} is known to fail, and passes." for p in self.mended]
        lines += [f"::warning::{_data(shown(p))} is no case of this version." for p in self.dropped]
        lines += [f"::error::It {_data(self.ended)}."] if self.ended else []
        return "\n".join([*lines, self.headline])

    def _named(self, group: Sequence[Record]) -> str:
        return f"{self.title}: {brief(group[0].case['id'])}{alike(group)}"

    def known_lines(self) -> str:
        """Return a file of known failures with what fails now."""
        head = f"# {self.title}, suite {self.suite['version']}: an id or a pattern a line."
        return "\n".join([head, *sorted(r.case["id"] for r in self.failures)]) + "\n"


def shown(text: object, most: int = MAX_SHOWN) -> str:
    """Return a text for terminals and reports: cut, and what cannot be printed as an escape."""
    text = str(text)
    rest = len(text) - most
    text = text if rest <= 0 else f"{text[:most]}... ({rest} characters more)"
    return "".join(
        c if c.isprintable() else c.encode("unicode_escape", "surrogatepass").decode() for c in text
    )


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
    """Ask a library in this process: a function for each operation that it can be asked.

    A function raises Skip for what cannot be asked, and any other exception if it rejects.
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
    """Return why a library cannot be asked a case; empty if it can."""
    if case["operation"] not in operations:
        return f"It does not offer the operation {case['operation']}."
    if from_game and "fen" in case and "game" not in case:
        return "It takes moves and no FEN, and no game leads to this position."
    return ""


def chosen(cases: Iterable[Case], only: Sequence[str], skip: Sequence[str]) -> list[Case]:
    """Return the cases that match a pattern of ``only``, if there are any, and none of ``skip``."""
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


def title_of(greeting: Mapping[str, Any]) -> str:
    """Return the library that greets as people name it."""
    settings = f" ({greeting['settings']})" if greeting.get("settings") else ""
    return f"{greeting['name']} {greeting['version']}{settings}"


class Adapter:
    """An adapter in processes of its own: it is started again when it breaks down.

    Attributes:
        greeting: Who answers; empty before it has greeted.
        ended: Why it was given up, a part of a sentence that begins with the verb; else empty.
        restarts: How often it was started again.
        notes: What went wrong without a case at fault.
    """

    def __init__(
        self,
        command: Sequence[str],
        timeout: float,
        started: Callable[[int], object] = lambda _: None,
    ) -> None:
        """Take the command that starts it; ``started`` is told the number of each process."""
        self.command, self.timeout, self._started = command, timeout, started
        self.greeting: dict[str, Any] = {}
        self.ended = ""
        self.restarts = 0
        self.notes: list[str] = []
        self._process: subprocess.Popen[bytes] | None = None
        self._lock, self._is_closed = threading.Lock(), False
        self._lines, self._over = queue.Queue[bytes](_MAX_LINES), threading.Event()
        self._questions: list[dict[str, Any]] = []
        self._written = self._in_a_row = self._hangs = 0

    @property
    def title(self) -> str:
        return title_of(self.greeting)

    def remarks(self) -> list[str]:
        """Return what is said of it beside what it answered."""
        often = "once" if self.restarts == 1 else f"{self.restarts} times"
        return self.notes + ([f"The adapter was started again {often}."] if self.restarts else [])

    def ask(
        self, cases: Iterable[Case], games: Sequence[str] = (), from_game: bool = False
    ) -> Iterator[Record]:
        """Ask cases in their order, until it is given up; yield what became of each."""
        self._start()
        from_game = from_game or self.greeting.get("from") == "game"
        offered = self.greeting.get("operations", ())
        cases = list(cases)
        whys = [not_asked(case, offered, from_game) for case in cases]
        self._questions = [
            question(case, games, from_game)
            for case, why in zip(cases, whys, strict=True)
            if not why
        ]
        last: Record | None = None
        number = 0
        for case, why in zip(cases, whys, strict=True):
            if self.ended:
                return
            if why:
                yield Record(case, "skipped", message=why)
                continue
            number += 1
            if found := self._record(case, number, last):
                yield found
                last = found
        if not self.ended:
            self._finish(last)

    def _record(self, case: Case, number: int, last: Record | None) -> Record | None:
        """Ask a case, again if it cannot be at fault; None if it is given up before that."""
        crash: Broken | None = None
        while not self.ended:
            try:
                found = Record.of(case, self._answer(number))
            except Broken as broken:
                is_last = broken.is_late and last is not None
                if is_last and last is not None:
                    last.break_down(broken)
                self._lose(broken)
                if not is_last and (broken.outcome != "crashed" or crash):
                    found = Record(case, broken.outcome)
                    found.break_down(broken)
                    return found
                crash = None if is_last else broken
            else:
                if crash:
                    self.notes.append(f"At {case['id']} it {crash.message}, and not again.")
                self._in_a_row = 0
                return found
        return None

    def _answer(self, number: int) -> Said:
        """Return the answer to the question of a number, from 1."""
        self._write_ahead(number)
        line = self._line(f"did not answer within {self.timeout:g} s")
        said = _object(line, "an answer")
        found = said.get("id")
        if type(found) is not int:
            raise Broken("garbled", f'wrote an answer without "id": {_quoted(line)}')
        if found != number:
            if 0 < found == number - 1:
                raise Broken("garbled", "answered a case twice", is_late=True)
            how = "out of order" if number < found <= self._written else "that it was not asked"
            raise Broken("garbled", f"answered a case {how}")
        given = [name for name in ANSWERS if name in said]
        if len(given) != 1:
            raise Broken("garbled", f"wrote an answer with not exactly one of {', '.join(ANSWERS)}")
        if given != ["result"] and not isinstance(said[given[0]], str):
            raise Broken("garbled", f'wrote an answer whose "{given[0]}" is no text')
        return said

    def _write_ahead(self, number: int) -> None:
        """Write a question unless it is written, and with it those after it that the pipe holds.

        So an adapter need not wait for us, and neither waits for the other for ever.
        """
        if number <= self._written:
            return
        lines: list[bytes] = []
        for following in range(number, len(self._questions) + 1):
            line = json.dumps({"id": following} | self._questions[following - 1]).encode() + b"\n"
            if lines and sum(map(len, lines)) + len(line) > _PIPE:
                break
            lines.append(line)
        self._send(b"".join(lines))
        self._written = number + len(lines) - 1

    def _send(self, lines: bytes) -> None:
        """Write lines; an adapter that does not read a long one in time is killed."""
        process = self._running()
        timer = threading.Timer(self.timeout, process.kill)
        if len(lines) > _PIPE:
            timer.start()
        with contextlib.suppress(OSError):  # it reads no more; its output shows whether it answers
            _pipe(process.stdin).write(lines)
            _pipe(process.stdin).flush()
        timer.cancel()

    def _line(self, late: str, seconds: float | None = None) -> bytes:
        """Return the next line that it wrote."""
        try:
            line = self._lines.get(timeout=self.timeout if seconds is None else seconds)
        except queue.Empty:
            raise Broken("hung", late) from None
        if not line:
            raise Broken("crashed", self._how_it_ended())
        if len(line) > MAX_BYTES:
            raise Broken("garbled", f"wrote a line of more than {MAX_BYTES:,} bytes")
        return line

    def _start(self) -> None:
        """Start a process that greets; if none does, it is given up."""
        for trial in range(1, 1 + (MAX_SILENT_STARTS if self.greeting else 1)):
            try:
                with self._lock:
                    if self._is_closed:
                        raise Broken("crashed", "was closed")
                    self._process = subprocess.Popen(
                        self.command,
                        stdin=subprocess.PIPE,
                        stdout=subprocess.PIPE,
                        stderr=subprocess.PIPE,
                        start_new_session=hasattr(os, "killpg"),
                    )
                    self._started(self._process.pid)
                self._listen(self._process)
                late = f"wrote no line within {self.timeout:g} s (does it flush its output?)"
                self._greet(_object(self._line(late), "a greeting"))
                return
            except Broken as broken:
                self.close(for_good=False)
                if not self.greeting:
                    self.ended = f"did not greet: it {broken.message}"
                elif trial == MAX_SILENT_STARTS:
                    last = f"the last time it {broken.message}"
                    self.ended = f"did not greet in {MAX_SILENT_STARTS} restarts; {last}"

    def _listen(self, process: "subprocess.Popen[bytes]") -> None:
        self._lines, self._over = queue.Queue[bytes](_MAX_LINES), threading.Event()
        self._written = 0
        self._errors = bytearray()
        self._listeners = [
            threading.Thread(target=listener, args=arguments, daemon=True)
            for listener, arguments in (
                (_gather, (_pipe(process.stdout), self._lines, self._over)),
                (_drain, (_pipe(process.stderr), self._errors)),
            )
        ]
        for thread in self._listeners:
            thread.start()

    def _greet(self, greeting: dict[str, Any]) -> None:
        """Check a greeting; another one than before ends the conversation."""
        if type(greeting.get("sanproof")) is not int or greeting["sanproof"] != 1:
            found = shown(json.dumps(greeting.get("sanproof")), _QUOTED)
            raise Broken("garbled", f"greets for protocol {found}; this program speaks 1")
        for name in ("name", "version", "language"):
            if not isinstance(greeting.get(name), str) or not greeting[name]:
                raise Broken("garbled", f'greeted without a text "{name}"')
        if not isinstance(greeting.get("settings", ""), str):
            raise Broken("garbled", 'greeted with "settings" that are no text')
        if not _is_texts(greeting.get("operations")):
            raise Broken("garbled", 'greeted with "operations" that are not a list of names')
        if not set(ASKED).intersection(greeting["operations"]):
            raise Broken("garbled", f"greeted without naming one of {', '.join(ASKED)}")
        if greeting.get("from", "fen") not in ("fen", "game"):
            raise Broken("garbled", 'wrote a greeting whose "from" is neither "fen" nor "game"')
        before, self.greeting = self.greeting or greeting, greeting
        if before != greeting:
            self.ended, self.greeting = f"greets as {self.title!a} after a restart", before

    def _lose(self, broken: Broken) -> None:
        """Kill the process, and start it again unless it has broken down too often."""
        self.close(for_good=False)
        self._in_a_row += 1
        self._hangs += broken.outcome == "hung"
        if self._in_a_row == MAX_IN_A_ROW:
            self.ended = f"broke down {MAX_IN_A_ROW} times in a row without an answer"
        elif self._hangs == MAX_HANGS:
            self.ended = f"did not answer in time {MAX_HANGS} times"
        elif self.restarts + 1 == MAX_STARTS:
            self.ended = f"was started {MAX_STARTS} times"
        if self.ended:
            self.ended += f"; the last time it {broken.message}"
        else:
            self.restarts += 1
            self._start()

    def _finish(self, last: Record | None) -> None:
        """End its input, and note how it ends; a line after the last answer costs the last case."""
        with contextlib.suppress(OSError):
            _pipe(self._running().stdin).close()
        late = f"did not end within {LAST_SECONDS:g} s of the end of its input"
        try:
            self._line(late, LAST_SECONDS)
            if last is not None:
                last.break_down(Broken("garbled", "wrote a line after its last answer"))
        except Broken as broken:
            if not broken.message.startswith("ended with exit code 0"):
                self.notes.append(f"After the last answer it {broken.message}.")
        self.close()

    def _how_it_ended(self) -> str:
        """Return how the process ended, and why; it may also have closed its output, and go on."""
        try:
            code = self._running().wait(timeout=1)
            how = f"ended with exit code {code}" if code >= 0 else f"was ended by signal {-code}"
            self._listeners[1].join(1)
        except subprocess.TimeoutExpired:
            how = "closed its output"
        words = self._errors.decode("utf-8", "replace").strip()
        if words:
            cause = _CAUSE.search(words)
            line = cause[0] if cause else words.splitlines()[-1]
            how += f"; its standard error says {_quoted(line.strip().encode(), MAX_SHOWN)}"
        return how

    def _running(self) -> "subprocess.Popen[bytes]":
        process = self._process
        if process is None:
            raise Broken("crashed", "was closed")
        return process

    def close(self, for_good: bool = True) -> None:
        """End the process, and all that it started."""
        with self._lock:
            self._is_closed |= for_good
            process, self._process = self._process, None
        if process is None:
            return
        self._over.set()
        with contextlib.suppress(queue.Full):  # wake the reader of lines
            self._lines.put_nowait(b"")
        with contextlib.suppress(OSError):  # the adapter has ended
            if hasattr(os, "killpg"):
                os.killpg(process.pid, signal.SIGKILL)
        process.kill()
        process.wait()
        with contextlib.suppress(OSError):  # what it did not read is lost
            _pipe(process.stdin).close()


def _gather(stream: IO[bytes], lines: "queue.Queue[bytes]", over: threading.Event) -> None:
    """Hand on the lines, each when the one before was taken; an empty one is the end."""
    line = b" "
    with stream:
        while line and len(line) <= MAX_BYTES:
            line = stream.readline(MAX_BYTES + 1)
            while not over.is_set():
                with contextlib.suppress(queue.Full):
                    lines.put(line, timeout=0.1)
                    break


def _drain(stream: IO[bytes], kept: bytearray) -> None:
    """Read all that comes, and keep the beginning and the end of it."""
    with stream:
        while piece := os.read(stream.fileno(), 1 << 16):
            kept += piece
            del kept[1 << 13 : -400]


def _pipe(pipe: "IO[bytes] | None") -> IO[bytes]:
    if pipe is None:
        raise TypeError("a process was started without a pipe")
    return pipe


def _object(line: bytes, what: str) -> dict[str, Any]:
    """Return the JSON object that a line is."""
    try:
        found = json.loads(line.decode("utf-8"), parse_constant=_refuse)
    except (ValueError, RecursionError):
        raise Broken("garbled", f"wrote a line that is not JSON: {_quoted(line)}") from None
    if not isinstance(found, dict):
        raise Broken("garbled", f"wrote a line that is not {what}: {_quoted(line)}")
    return found


def _refuse(_: str) -> None:
    """NaN and Infinity are not JSON."""
    raise ValueError


def _quoted(line: bytes, most: int = _QUOTED) -> str:
    """Return the beginning of a line as it can be printed anywhere."""
    text = line[: 4 * most].decode("utf-8", "replace").rstrip("\r\n")
    return ascii(text if len(text) <= most else f"{text[:most]}...")


def read_known(path: str) -> list[str]:
    """Return the ids and patterns of a file of known failures: one a line, comments after a #."""
    try:
        with open(path, encoding="utf-8-sig") as file:
            lines = [line.partition("#")[0].strip() for line in file]
    except OSError as error:
        raise Misuse(f"{shown(path)} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise Misuse(f"{shown(path)} is no text in UTF-8.") from error
    return list(dict.fromkeys(line for line in lines if line))


def options(arguments: "Sequence[str] | None") -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="sanproof_runner.py", description="Ask a chess library the sanproof conformance suite."
    )
    parser.add_argument("suite", help="the suite: smoke.json, core.json or full.json")
    parser.add_argument("command", nargs="+", help="what starts the adapter; write -- before it")
    parser.add_argument("--only", action="append", default=[], metavar="PATTERN")
    parser.add_argument("--skip", action="append", default=[], metavar="PATTERN")
    parser.add_argument("--known", metavar="FILE", help="failures that are expected")
    parser.add_argument("--unused-known", type=int, default=0, metavar="CODE", help=UNUSED)
    parser.add_argument("--write-known", metavar="FILE", help="write the failures of this run")
    parser.add_argument("--timeout", type=float, default=10, metavar="SECONDS")
    parser.add_argument("--format", choices=["text", "junit", "github"], default="text")
    parser.add_argument("--limit", type=int, default=20, help="mechanisms shown")
    parser.add_argument("--from-game", action="store_true", help="send moves, and no FEN")
    return parser.parse_args(arguments)


def main(arguments: "Sequence[str] | None" = None) -> int:
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
    except OSError as error:
        raise Misuse(f"{command[0]} cannot be started: {error.strerror}.") from error
    finally:
        adapter.close()
    if not adapter.greeting:
        raise Misuse(f"The adapter {adapter.ended}.")
    records += [Record(case, "skipped") for case in cases[len(records) :]]
    report = Report(suite, adapter.title, records, known, adapter.ended, adapter.remarks())
    forms = {"text": report.text, "github": report.github, "junit": lambda _: report.junit()}
    print(forms[given.format](given.limit))
    if given.write_known:
        try:
            Path(given.write_known).write_text(report.known_lines(), encoding="utf-8")
        except OSError as error:
            raise Misuse(f"{given.write_known} cannot be written: {error.strerror}.") from error
    if report.ended or report.is_untested:
        return 4
    if report.surprises and not given.write_known:
        return 1
    return given.unused_known if report.dropped else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Misuse as misuse:
        print(shown(misuse, 1000), file=sys.stderr)
        sys.exit(4 if "did not greet" in str(misuse) or "cannot be started" in str(misuse) else 2)
