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
import shlex
import signal
import subprocess
import sys
import threading
from collections import Counter
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

MOST_SECONDS = 1_000_000
ASKED = {"read": "san", "write": "uci", "moves": None, "play": "san", "game": "pgn"}
FAILURES = ("failed", "crashed", "hung", "garbled")
MOST_IN_A_ROW = 25
"""So many breakdowns without an answer in between, and an adapter is given up."""
MOST_BYTES = 1 << 20
"""A longer line is no answer."""
MOST_SHOWN = 200
"""So many characters of an adapter's text are shown."""


class Misuse(Exception):
    """What the user can mend; the message is a sentence."""


class Skip(Exception):
    """Raised by a function of a test whose library cannot be asked this."""


class Broken(Exception):
    """The adapter crashed, hung or answered garbage: the outcome and a sentence."""


def load(path):
    """The suite in a file, checked as far as this program relies on it."""
    try:
        with open(path, "rb") as file:
            suite = json.load(file)
    except OSError as error:
        raise Misuse(f"{path} cannot be read: {error.strerror}.") from error
    except ValueError as error:
        raise Misuse(f"{path} is not JSON.") from error
    if not isinstance(suite, dict) or suite.get("suite") != "sanproof conformance":
        raise Misuse(f"{path} is not a conformance suite.")
    if suite.get("format") != 1:
        raise Misuse(f"{path} has a format that this program does not know.")
    return suite


def question(case, suite, from_game=False):
    """What a library is asked: never what is expected."""
    asked = {"operation": case["operation"]}
    if from_game and "fen" in case:
        asked["moves"] = suite["games"][case["game"]].split()[: case["plies"]]
    elif "fen" in case:
        asked["fen"] = case["fen"]
    name = ASKED[case["operation"]]
    return asked | ({name: case[name]} if name else {})


def judged(case, value):
    """The outcome of a result: passed, failed or garbled; accepted or differs where it may."""
    operation, expected = case["operation"], case.get("expected")
    if not well_formed(operation, value):
        return "garbled"
    if case["class"] == "must not":
        return "failed"
    if operation == "moves":
        right = expected is not None and sorted(value) == sorted(expected)
    elif operation == "play":
        right = expected is not None and value in expected.values()
    elif operation == "game":
        right = (
            expected is not None
            and value["moves"] == expected["moves"]
            and value["fen"] in expected["fen"].values()
        )
    else:
        right = value == expected
    if case["class"] == "may":
        return "accepted" if right or expected is None else "differs"
    return "passed" if right else "failed"


def well_formed(operation, value):
    """Whether a result has the type that the operation asks for."""
    if operation == "moves":
        return is_texts(value)
    if operation == "game":
        return (
            isinstance(value, dict)
            and is_texts(value.get("moves"))
            and isinstance(value.get("fen"), str)
        )
    return isinstance(value, str)


def is_texts(value):
    return isinstance(value, list) and all(isinstance(text, str) for text in value)


REJECTED = {"must": "failed", "must not": "passed", "may": "rejected"}


class Record:
    """A case and what became of it; the answer is what came, the message says more."""

    def __init__(self, case, outcome, answer=None, message=""):
        self.case, self.outcome, self.answer, self.message = case, outcome, answer, message

    @property
    def is_failure(self):
        return self.case["class"] != "may" and self.outcome in FAILURES

    def sentence(self):
        """What was asked, expected and answered, and the rule."""
        case = self.case
        name = ASKED[case["operation"]]
        asked = f"{case['operation']} {case[name] if name else ''}".strip()
        where = f" in {case['fen']}" if "fen" in case else ""
        expected = (
            "a rejection" if case["class"] == "must not" else json.dumps(case.get("expected"))
        )
        came = "a rejection" if self.answer is None else shown(json.dumps(self.answer))
        if self.outcome not in ("failed", "passed"):
            came = self.outcome
        said = f" ({shown(self.message)})" if self.message else ""
        asked = shown(f"{asked}{where}", len(case.get("pgn", "")) + 2 * MOST_SHOWN)
        return f"{asked}: expected {expected}, got {came}{said}. {case['why']}"


class Report:
    """What came of a suite for a library."""

    def __init__(self, suite, title, records, known=(), ended=""):
        self.suite, self.title, self.records, self.ended = suite, shown(title), records, ended
        self.failures = [record for record in records if record.is_failure]
        failed = {record.case["id"] for record in self.failures}
        asked = {
            record.case["id"]
            for record in records
            if record.outcome != "skipped" and record.case["class"] != "may"
        }
        self.known = {name for name in failed if any(fnmatch.fnmatchcase(name, p) for p in known)}
        self.unexpected = [r for r in self.failures if r.case["id"] not in self.known]
        self.mended = [
            p for p in known if fnmatch.filter(asked, p) and not fnmatch.filter(failed, p)
        ]
        ids = [case["id"] for case in suite["cases"]]
        self.dropped = [pattern for pattern in known if not fnmatch.filter(ids, pattern)]

    @property
    def surprises(self):
        """What fails the run: failures that are not known, and known ones that pass."""
        return [*self.unexpected, *self.mended]

    def text(self, limit=20):
        count = Counter(record.outcome for record in self.records)
        failed = len(self.failures)
        line = f"{self.title}: {count['passed']} passed, {failed} failed"
        line += f", {len(self.known)} of them known" if self.known else ""
        line += f", {count['skipped']} skipped" if count["skipped"] else ""
        free = count["accepted"] + count["rejected"] + count["differs"]
        line += f"; {free} that it may accept or reject do not count." if free else "."
        lines = [line]
        for record in self.unexpected[:limit]:
            lines += [f"  {record.case['id']}", f"      {record.sentence()}"]
        if len(self.unexpected) > limit:
            lines.append(f"  ... and {len(self.unexpected) - limit} more.")
        lines += [f"  {shown(p)} is known to fail, and passes." for p in self.mended]
        lines += [f"  {shown(p)} is no case of this version; it is left out." for p in self.dropped]
        lines += [f"  Not all was asked: {self.ended}"] if self.ended else []
        return "\n".join(lines)

    def junit(self):
        cases = [self._testcase(record) for record in self.records]
        mended = "it is known to fail, and passes"
        cases += [_element("known", name, "failure", mended) for name in self.mended]
        cases += [_element("adapter", "ends", "error", self.ended)] if self.ended else []
        counts = f'tests="{len(cases)}" failures="{len(self.surprises)}"'
        head = f"<testsuite name={quoteattr(self.title)} {counts}>"
        return "\n".join(['<?xml version="1.0" encoding="UTF-8"?>', head, *cases, "</testsuite>"])

    def _testcase(self, record):
        names = record.case["mechanism"], record.case["id"]
        if record in self.unexpected:
            return _element(*names, "failure", record.sentence())
        if record.outcome == "skipped" or record.is_failure:
            return _element(*names, "skipped", "")
        return _element(*names)

    def github(self, limit=20):
        lines = [
            f"::error title={_property(r.case['id'])}::{_data(r.sentence())}"
            for r in self.unexpected[:limit]
        ]
        lines += [f"::error::{_data(shown(p))} is known to fail, and passes." for p in self.mended]
        lines += [f"::error::{_data(self.ended)}"] if self.ended else []
        return "\n".join([*lines, self.text(0).splitlines()[0]])

    def known_lines(self):
        """A file of known failures with what fails now."""
        head = f"# {self.title}, suite {self.suite['version']}: an id or a pattern a line."
        return "\n".join([head, *sorted(r.case["id"] for r in self.failures)]) + "\n"


def shown(text, most=MOST_SHOWN):
    """A text for terminals and reports: at most so long, what cannot be printed as an escape."""
    text = str(text)
    rest = len(text) - most
    text = text if rest <= 0 else f"{text[:most]}... ({rest} characters more)"
    return "".join(
        c if c.isprintable() else c.encode("unicode_escape", "surrogatepass").decode() for c in text
    )


def _element(group, name, kind=None, text=""):
    """A test case in JUnit's XML."""
    head = f"<testcase classname={quoteattr(shown(group))} name={quoteattr(shown(name))}"
    if kind is None:
        return f"{head}/>"
    return f"{head}><{kind}>{escape(text)}</{kind}></testcase>"


def _data(text):
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text):
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def ask(suite, functions, known=(), only=(), skip=(), title="the library", from_game=False):
    """Ask a library in this process: a function for each operation that it can be asked.

    A function raises Skip for what cannot be asked, and any other exception if it rejects.
    """

    def answer(asked):
        if asked["operation"] not in functions:
            return {"skip": ""}
        try:
            return {"result": functions[asked["operation"]](asked)}
        except Skip as why:
            return {"skip": str(why)}
        except Exception as error:  # whatever a library raises is its way to say no
            return {"rejected": str(error)}

    return _report(suite, title, answer, known, only, skip, from_game)


def _report(suite, title, answer, known, only, skip, from_game):
    records, ended = [], ""
    troubles = 0
    for case in chosen(suite, only, skip):
        if ended or (from_game and "fen" in case and "game" not in case):
            records.append(Record(case, "skipped"))
            continue
        try:
            records.append(_record(case, answer(question(case, suite, from_game))))
            troubles = 0
        except Broken as broken:
            outcome, message = broken.args
            records.append(Record(case, outcome, message=message))
            troubles += 1
            if troubles == MOST_IN_A_ROW:
                ended = f"it broke down {troubles} times in a row. {message}"
    return Report(suite, title, records, known, ended)


def _record(case, said):
    if "skip" in said:
        return Record(case, "skipped", message=said["skip"])
    if "rejected" in said:
        return Record(case, REJECTED[case["class"]], message=str(said["rejected"]))
    return Record(case, judged(case, said["result"]), said["result"])


def chosen(suite, only, skip):
    """The cases that match a pattern of ``only``, if there are any, and none of ``skip``."""

    def matches(case, patterns):
        return any(fnmatch.fnmatchcase(case["id"], pattern) for pattern in patterns)

    cases = [c for c in suite["cases"] if (not only or matches(c, only)) and not matches(c, skip)]
    if not cases:
        raise Misuse("The patterns leave no case to ask.")
    return cases


class Adapter:
    """An adapter in a process of its own, which is started again when it breaks down."""

    def __init__(self, command, timeout):
        self.command, self.timeout, self.process = command, timeout, None
        self.number = 0
        try:
            self.greeting = self.start()
        except Broken as broken:
            self.close()
            raise Misuse(f"The adapter did not greet: it {broken.args[1]}.") from broken

    def start(self):
        self.process = subprocess.Popen(
            self.command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=hasattr(os, "killpg"),
        )
        self.lines, self.over = queue.Queue(maxsize=1), threading.Event()
        threading.Thread(
            target=self.gather, args=(self.process.stdout, self.lines, self.over), daemon=True
        ).start()
        greeting = self.line()
        if greeting.get("sanproof") != 1 or not isinstance(greeting.get("operations"), list):
            raise Broken("garbled", "wrote no greeting of protocol 1")
        return greeting

    @staticmethod
    def gather(stream, lines, over):
        """Hand on the lines, each when the one before was taken; an empty one is the end."""
        line = b" "
        while line and len(line) <= MOST_BYTES:
            line = stream.readline(MOST_BYTES + 1)
            while not over.is_set():
                with contextlib.suppress(queue.Full):
                    lines.put(line, timeout=0.1)
                    break

    def line(self):
        try:
            line = self.lines.get(timeout=self.timeout)
        except queue.Empty:
            raise Broken("hung", f"did not answer within {self.timeout:g} s") from None
        if not line:
            raise Broken("crashed", self.how_it_ended())
        if len(line) > MOST_BYTES:
            raise Broken("garbled", f"wrote a line of more than {MOST_BYTES:,} bytes")
        try:
            said = json.loads(line)
        except (ValueError, RecursionError):
            said = None
        if not isinstance(said, dict):
            raise Broken("garbled", f"wrote {line[:60]!r}")
        return said

    def answer(self, asked):
        if asked["operation"] not in self.greeting["operations"]:
            return {"skip": ""}
        try:
            if self.process is None:
                self.start()
            self.number += 1
            line = json.dumps({"id": self.number} | asked) + "\n"
            try:
                self.process.stdin.write(line.encode())
                self.process.stdin.flush()
            except OSError:
                raise Broken("crashed", self.how_it_ended()) from None
            said = self.line()
            if (
                said.get("id") != self.number
                or len(said.keys() & {"result", "rejected", "skip"}) != 1
            ):
                raise Broken("garbled", f"answered {json.dumps(said)[:60]}")
            return said
        except Broken:
            self.close()
            raise

    def how_it_ended(self):
        """How the process ended; it may also have closed its output, and go on."""
        try:
            return f"ended with {self.process.wait(timeout=1)}"
        except subprocess.TimeoutExpired:
            return "closed its output"

    def close(self):
        """End the process, and all that it started."""
        if self.process is not None:
            self.over.set()
            with contextlib.suppress(OSError):  # there is nobody left
                if hasattr(os, "killpg"):
                    os.killpg(self.process.pid, signal.SIGKILL)
            self.process.kill()
            self.process.wait()
            with contextlib.suppress(OSError):  # what it did not read is lost
                self.process.stdin.close()
            self.process.stdout.close()
            self.process = None


def read_known(path):
    """The ids and patterns of a file of known failures: one a line, comments after a #."""
    try:
        with open(path, encoding="utf-8-sig") as file:
            lines = [line.partition("#")[0].strip() for line in file]
    except OSError as error:
        raise Misuse(f"{path} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise Misuse(f"{path} is no text in UTF-8.") from error
    return [line for line in lines if line]


def options(arguments):
    parser = argparse.ArgumentParser(
        prog="sanproof_runner.py", description="Ask a chess library the sanproof conformance suite."
    )
    parser.add_argument("suite", help="the suite: smoke.json, core.json or full.json")
    parser.add_argument("command", nargs="+", help="what starts the adapter; write -- before it")
    parser.add_argument("--only", action="append", default=[], metavar="PATTERN")
    parser.add_argument("--skip", action="append", default=[], metavar="PATTERN")
    parser.add_argument("--known", metavar="FILE", help="failures that are expected")
    parser.add_argument("--write-known", metavar="FILE", help="write the failures of this run")
    parser.add_argument("--timeout", type=float, default=10, metavar="SECONDS")
    parser.add_argument("--format", choices=["text", "junit", "github"], default="text")
    parser.add_argument("--limit", type=int, default=20, help="failures shown")
    parser.add_argument("--from-game", action="store_true", help="send moves, and no FEN")
    return parser.parse_args(arguments)


def main(arguments=None):
    wishes = options(arguments)
    suite = load(wishes.suite)
    known = read_known(wishes.known) if wishes.known else []
    chosen(suite, wishes.only, wishes.skip)
    command = wishes.command
    if not 0 < wishes.timeout <= MOST_SECONDS:
        raise Misuse(f"--timeout takes seconds above 0, at most {MOST_SECONDS}.")
    if wishes.write_known and not Path(wishes.write_known).parent.is_dir():
        raise Misuse(f"{wishes.write_known} cannot be written: its folder does not exist.")
    try:
        adapter = Adapter(shlex.split(command[0]) if len(command) == 1 else command, wishes.timeout)
    except ValueError as error:
        raise Misuse(f"{command[0]} is not a command: {error}.") from error
    except OSError as error:
        raise Misuse(f"{command[0]} cannot be started: {error.strerror}.") from error
    greeting = adapter.greeting
    title = f"{greeting.get('name', 'the library')} {greeting.get('version', '')}".strip()
    from_game = wishes.from_game or greeting.get("from") == "game"
    try:
        report = _report(suite, title, adapter.answer, known, wishes.only, wishes.skip, from_game)
    finally:
        adapter.close()
    print(
        {"text": report.text, "github": report.github}[wishes.format](wishes.limit)
        if wishes.format != "junit"
        else report.junit()
    )
    if wishes.write_known:
        with open(wishes.write_known, "w", encoding="utf-8") as file:
            file.write(report.known_lines())
    if report.ended or all(record.outcome == "skipped" for record in report.records):
        return 4
    return 1 if report.surprises and not wishes.write_known else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Misuse as misuse:
        print(shown(misuse, 1000), file=sys.stderr)
        sys.exit(4 if "did not greet" in str(misuse) or "cannot be started" in str(misuse) else 2)
